#!/bin/sh
# End-to-end tests on this machine with made-up MSRs: msrfs serves /dev/cpu in a
# mount namespace of its own, the program runs as it is, as root.
#
#   run.sh [NAME ...]      all tests, or these
#
# TURBOSTAT  the program (default: turbostat at the top of the tree)
# CC         the C compiler
#
# Prints `ok fuse/NAME`, `FAIL fuse/NAME` or `skip fuse/NAME: reason`, and ends
# with one line of totals. Nothing outside the namespace changes.

here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../.." && pwd)
program=${TURBOSTAT:-$top/turbostat}
all="rates wraps zeros builtin register_refused cpu_refused register_later cpu_later all_later backwards
open_refused open_refused_all server_killed"

skip_all()
{
	n=0
	for name in $all; do
		echo "skip fuse/$name: $1"
		n=$((n + 1))
	done
	echo "0 passed, 0 failed, $n skipped"
	exit 0
}

# The first time round, only look whether it can work, and enter a namespace.
if [ -z "$FUSE_DIR" ]; then
	[ "$(id -u)" = 0 ] || skip_all "not root"
	[ -c /dev/fuse ] || skip_all "no /dev/fuse"
	[ -d /dev/cpu ] || skip_all "no /dev/cpu (modprobe cpuid makes it)"
	unshare -m true 2>/dev/null || skip_all "no mount namespaces"
	[ -x "$program" ] || skip_all "no program at $program"
	FUSE_DIR=$(mktemp -d "${TMPDIR:-/tmp}/fuse.XXXXXX") || exit 1
	trap 'rm -rf "$FUSE_DIR"' EXIT
	${CC:-cc} -O2 -o "$FUSE_DIR/msrfs" "$here/msrfs.c" || skip_all "no C compiler"
	export FUSE_DIR
	unshare -m sh "$here/run.sh" "$@"
	exit $?
fi

cd "$FUSE_DIR" || exit 1
mount --make-rprivate /
server=
trap 'stop_server' EXIT
trap 'exit 1' INT TERM HUP

# What stands in the register file unless a test says otherwise. Energy counts in
# 2^-16 J, 50 W a package and 5 W a core; 100 C less 60; a third of 1 GHz idle.
base_rules()
{
	cat <<-'RULES'
	reg c0010299 * 000a1003 0
	reg c001029a * fff00000 327680 32
	reg c001029b * fff00000 3276800 32
	reg 606 * 000a1003 0
	reg 611 * fff00000 3276800 32
	reg 639 * fff00000 327680 32
	reg 614 * 0 0
	reg 34 * 5 0
	reg 8b * 0a10113e00000000 0
	reg 19c * 883c0000 0
	reg 1a2 * 640000 0
	reg 1b1 * 883c0000 0
	reg e7 * 0 1000000000
	reg e8 * 0 500000000
	reg 3fd * 0 300000000
	reg 5000 * 1000 1000000
	reg 5000 1 2000 2000000
	reg 5001 * 123456789abcdef0 0
	reg 5002 * 0 300000000
	reg 5003 * 0 0
	reg 5004 * fffe0000 1000000 32
	reg 5005 * fffffffffffe0000 1000000
	RULES
}

start_server()
{
	base_rules >rules
	./msrfs /dev/cpu rules &
	server=$!
	n=0
	while [ ! -e /dev/cpu/0/msr ] && [ $n -lt 50 ]; do
		sleep .05
		n=$((n + 1))
	done
}
stop_server()
{
	[ -n "$server" ] || return 0
	kill "$server" 2>/dev/null
	wait "$server" 2>/dev/null
	umount -l /dev/cpu 2>/dev/null
	server=
}
# From now on these rules as well.
also()
{
	printf '%s\n' "$@" >>rules
	kill -HUP "$server"
}
again()
{
	base_rules >rules
	kill -HUP "$server"
}

# A column whose rate is known tells how long an interval was.
ref='--add msr0x5002,u64,delta,Ref'
ref_rate=300000000

bad() { echo "$*"; failed=1; }
t()
{
	timeout -s KILL 60 "$program" -q --no-perf $ref "$@" >out 2>err </dev/null
	rc=$?
}
start()
{
	: >out
	timeout -s KILL 60 "$program" -q --no-perf $ref "$@" >out 2>err </dev/null &
	pid=$!
}
# Waits for the end of the run's $1-th interval, however late the machine is.
after_interval()
{
	n=0
	while [ $n -lt 1000 ] && [ "$(awk -v want=blocks -f "$here/../vm/table.awk" out)" -lt "$1" ]; do
		sleep .02
		n=$((n + 1))
	done
}
finish()
{
	wait "$pid"
	rc=$?
}
want_rc() { [ "$rc" = "$1" ] || bad "exit status $rc, not $1"; }
want_quiet() { [ ! -s err ] || bad "stderr is not empty"; }
want_notes()
{
	[ "$(wc -l <err)" -eq "$1" ] || bad "$(wc -l <err) lines on stderr, not $1"
	if grep -v '^turbostat: ' err >strays; then bad "strays on stderr"; fi
}
want_table()
{
	awk -v want=check -f "$here/../vm/table.awk" out >complaints
	[ ! -s complaints ] || bad "$(head -n 5 complaints)"
}
want_blocks()
{
	n=$(awk -v want=blocks -f "$here/../vm/table.awk" out)
	[ "$n" = "$1" ] || bad "$n intervals, not $1"
}
has() { head -n 1 out | tr '\t' '\n' | grep -qx -e "$1"; }
want_column() { has "$1" || bad "no column $1"; }
# The cells of column $1, CPU $2 (`-` the summary, `*` every CPU), intervals $3 to $4.
cells()
{
	awk -v want=cells -v col="$1" -f "$here/../vm/table.awk" out |
		awk -v c="$2" -v a="$3" -v b="$4" '$1 >= a && $1 <= b && (c == "*" ? $2 != "-" : $2 == c) { print $3 }'
}
# These cells are all $5; `@N` is within 6 percent (or $6) of N, `~N` of N in each second.
want_cells()
{
	cells "$1" "$2" "$3" "$4" >values
	cells Ref "$2" "$3" "$4" >lengths
	paste -d ' ' values lengths >cells
	awk -v want="$5" -v rate=$ref_rate -v off="${6:-6}" '
	function near(x, y) { return x ~ /^[0-9.]+$/ && x + 0 >= y * (1 - off / 100) && x + 0 <= y * (1 + off / 100) }
	{ n++ }
	substr(want, 1, 1) == "~" { $1 = $2 + 0 ? int($1 * rate / $2) : "nan" }
	substr(want, 1, 1) ~ /[@~]/ ? !near($1, substr(want, 2)) : $1 != want { print "is " ($1 == "" ? "empty" : $1) ", not " want }
	END { if (!n) print "no cell" }' cells | head -n 2 | sed "s/^/$1, CPU $2, interval $3-$4: /" >complaints
	[ ! -s complaints ] || bad "$(cat complaints)"
}
ncpu=$(nproc)

# ---- rates known beforehand -----------------------------------------------

t_rates()
{
	t -i 1 -n 2 --add msr0x5000,u64,delta,D --add msr0x5001,u64,raw,R64 --add msr0x5001,u32,raw,R32 \
		--add msr0x5002,u64,percent,P% --add msr0x5000,package,delta,PkgD --add msr0x5000,core,delta,CoreD
	want_rc 0
	want_quiet
	want_table
	want_cells D 0 1 2 ~1000000
	want_cells D 1 1 2 ~2000000
	want_cells D - 1 2 "~$(awk -v n="$ncpu" 'BEGIN { print 1000000 * (n + 1) / n }')" 25
	want_cells CoreD 0 1 2 ~1000000
	want_cells PkgD 0 1 2 ~1000000
	want_cells R64 '*' 1 2 0x123456789abcdef0
	want_cells R64 - 1 2 0x0000000000000000
	want_cells R32 '*' 1 2 0x9abcdef0
	mhz=$(cells TSC_MHz - 1 1)
	want_cells P% '*' 1 2 "@$(awk -v t="$mhz" 'BEGIN { print 100 * 300 / t }')" 25	# read at another moment than the TSC
}
t_wraps()
{
	t -i .5 -n 2 --add msr0x5004,u32,delta,W32 --add msr0x5005,u64,delta,W64
	want_rc 0
	want_quiet
	want_table
	want_cells W32 0 1 2 ~1000000
	want_cells W64 0 1 2 ~1000000
}
t_zeros()
{
	t -i .5 -n 1 --add msr0x5003,u64,delta,D --add msr0x5003,u64,percent,P% --add msr0x5003,u64,raw,R
	want_rc 0
	want_quiet
	want_cells D '*' 1 1 0
	want_cells P% '*' 1 1 0.00
	want_cells R '*' 1 1 0x0000000000000000
}
# The built-in columns that this processor dispatches to.
t_builtin()
{
	t -i 1 -n 2
	want_rc 0
	want_table
	seen=
	mhz=$(cells TSC_MHz - 1 1)
	for pair in PkgWatt=@50 CoreTmp=40 PkgTmp=40 Avg_MHz=@1000 SMI=0; do
		has "${pair%%=*}" || continue
		seen="$seen ${pair%%=*}"
		want_cells "${pair%%=*}" 0 1 2 "${pair#*=}"
	done
	if has CorWatt; then
		seen="$seen CorWatt"
		want_cells CorWatt 0 1 2 @5
	fi
	if has CPU%c6; then
		seen="$seen CPU%c6"
		want_cells CPU%c6 0 1 2 "@$(awk -v t="$mhz" 'BEGIN { print 100 * 300 / t }')"
	fi
	[ -n "$seen" ] || [ $failed = 1 ] || { echo "no built-in column of this processor comes from an MSR"; exit 77; }
}

# ---- refusals -------------------------------------------------------------

t_register_refused()
{
	also "fail 5000 * 5"
	t -i .4 -n 2 --add msr0x5000,u64,delta,D --add msr0x5001,u64,raw,R
	want_rc 0
	want_table
	want_notes 1
	if has D; then bad "there is a column D"; fi
	want_cells R '*' 1 2 0x123456789abcdef0
}
t_cpu_refused()
{
	also "fail * 1 5"
	t -i .4 -n 2 --add msr0x5000,u64,delta,D --add msr0x5001,u64,raw,R
	want_rc 0
	want_table
	want_notes 1
	want_cells D 1 1 2 nan
	want_cells R 1 1 2 nan
	want_cells R 0 1 2 0x123456789abcdef0
	want_cells D 0 1 2 ~1000000
	want_cells D - 1 2 ~1000000
}
t_register_later()
{
	start -i .4 -n 8 --add msr0x5000,u64,delta,D --add msr0x5001,u64,raw,R
	after_interval 2
	also "fail 5000 * 5"
	after_interval 5
	again
	finish
	want_rc 0
	want_table
	want_notes 1
	want_blocks 8
	want_cells D 0 1 2 ~1000000
	want_cells D '*' 5 5 nan
	want_cells D 0 8 8 ~1000000
	want_cells R '*' 1 8 0x123456789abcdef0
}
# A processor whose every register is refused from some time on (ENXIO).
t_cpu_later()
{
	start -i .4 -n 6 --add msr0x5000,u64,delta,D --add msr0x5001,u64,raw,R
	after_interval 2
	also "fail * 1 6"
	finish
	want_rc 0
	want_table
	want_notes 1
	want_blocks 6
	want_cells D 1 1 2 ~2000000
	want_cells D 1 5 6 nan
	want_cells D 0 1 6 ~1000000
	want_cells R 0 1 6 0x123456789abcdef0
}
# Two intervals have values; then no register answers any more.
want_silence()
{
	finish
	want_rc 0
	want_table
	want_notes 1
	want_blocks 6
	want_cells D 0 1 2 ~1000000
	want_cells D '*' 5 6 nan
	want_cells R '*' 5 6 nan
}
t_all_later()
{
	start -i .4 -n 6 --add msr0x5000,u64,delta,D --add msr0x5001,u64,raw,R
	after_interval 2
	also "fail * * 5"
	want_silence
}
# A 64-bit counter that starts again from 0 has no difference for one interval.
t_backwards()
{
	start -i .4 -n 6 --add msr0x5000,u64,delta,D
	after_interval 2
	also "reg 5000 * 0 1000"
	finish
	want_rc 0
	want_table
	want_blocks 6
	want_cells D 0 1 2 ~1000000
	cells D 0 3 5 | grep -qx nan || bad "no nan where it began again"
	want_cells D 0 6 6 ~1000
}
t_open_refused()
{
	also "fail open 1 13"
	t -i .4 -n 2 --add msr0x5001,u64,raw,R
	want_rc 0
	want_table
	want_notes 1
	want_cells R 0 1 2 0x123456789abcdef0
	want_cells R 1 1 2 nan
}
t_open_refused_all()
{
	also "fail open * 13"
	ref=
	t -i .4 -n 2
	want_rc 0
	want_table
	want_blocks 2
	want_column TSC_MHz
}
t_server_killed()
{
	start -i .4 -n 6 --add msr0x5000,u64,delta,D --add msr0x5001,u64,raw,R
	after_interval 2
	kill -KILL "$server"
	want_silence
	mhz=$(cells TSC_MHz - 1 1)
	want_cells TSC_MHz '*' 1 6 "@$mhz"
}

passed=0 failures=0 skipped=0
# shellcheck disable=SC2048	# names without blanks
for name in ${*:-$all}; do
	case $name in *cpu_* | open_refused) needs_two=1 ;; *) needs_two=0 ;; esac
	if [ $needs_two = 1 ] && [ "$ncpu" -lt 2 ]; then
		echo "skip fuse/$name: one CPU"
		skipped=$((skipped + 1))
		continue
	fi
	rm -f out err
	start_server 2>/dev/null
	(
		failed=0
		"t_$name"
		exit $failed
	) >log 2>&1
	status=$?
	stop_server
	case $status in
	0)
		echo "ok fuse/$name"
		passed=$((passed + 1))
		;;
	77)
		echo "skip fuse/$name: $(tail -n 1 log)"
		skipped=$((skipped + 1))
		;;
	*)
		echo "FAIL fuse/$name"
		for f in log err out; do
			[ -s $f ] || continue
			[ $f = log ] || echo "$f:"
			head -n 30 $f
		done | sed 's/^/    /'
		failures=$((failures + 1))
		;;
	esac
done
if [ $skipped -gt 0 ]; then
	echo "$passed passed, $failures failed, $skipped skipped"
else
	echo "$passed passed, $failures failed"
fi
[ $failures = 0 ]
