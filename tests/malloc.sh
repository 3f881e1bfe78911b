#!/bin/sh
# malloc.sh - lets the allocations of a replay fail: from the N-th one on, and the N-th one
# alone, by failmalloc.c.
#
#   tests/malloc.sh [NAME...]	of tests/golden/NAME/machine.rec, two small ones if none is given
#
# The program must end by itself, with status 1 and a message, or with status 0 where a
# function of libc has reported the failure as an ordinary error, which is data. A signal is
# a failure, and so is a run that does not end.
#
# N is every one of the allocations with FULL=1, else about a hundred of them. To be run
# from the project's top directory. TURBOSTAT names the program, ./turbostat if unset; CC the
# compiler, cc if unset.

LC_ALL=C
export LC_ALL

program=${TURBOSTAT:-./turbostat}
library=build/failmalloc.so
tmp=build/malloc.$$
limit=10	# seconds of one run
runs=100

mkdir -p "$tmp" || exit 1
trap 'rm -rf "$tmp"' EXIT
trap 'exit 1' HUP INT TERM

skip()
{
	echo "skip malloc: $1"
	exit 0
}

# limited VARIABLE=VALUE ARGUMENTS...: a run of the program with the library; its status
limited()
{
	setting=$1
	shift
	env "$setting" FAIL_ALARM=$limit LD_PRELOAD="./$library" "$program" --quiet "$@" \
		>"$tmp/stdout" 2>"$tmp/stderr" </dev/null
}

# judge STATUS SETTING: a line about what is wrong with the last run; its last message
judge()
{
	message=
	while read -r line; do
		message=$line
	done <"$tmp/stderr"
	case $1 in
	0)	;;
	1)	case $message in
		'')	echo "    $2: exit status 1 without a message" ;;
		esac ;;
	142)	echo "    $2: not at its end after $limit seconds" ;;
	*)	echo "    $2: exit status $1: $message" ;;
	esac
}

# Where there is no way to put the library in front of libc.
if grep -q __asan_init "$program"; then
	skip "the program has the allocator of a sanitizer"
fi
case $(ldd "$program" 2>&1) in
*'not a dynamic executable'* | *'statically linked'*)
	skip "$program is no dynamic executable of this system" ;;
esac
compiler=${CC:-cc}
if ! command -v "${compiler%% *}" >/dev/null; then
	skip "there is no C compiler"
fi
# shellcheck disable=SC2086	# words
if ! $compiler -O1 -shared -fPIC -o "$tmp/library" tests/failmalloc.c -ldl 2>"$tmp/stderr"; then
	skip "the C compiler makes no shared library"
fi
mv -f "$tmp/library" "$library"

failed=0
[ $# -gt 0 ] || set -- v12-zen-kvm v08-alderlake
for name; do
	rec=tests/golden/$name/machine.rec
	rm -f "$tmp/count"
	limited FAIL_COUNT="$tmp/count" --replay "$rec"
	if [ ! -s "$tmp/count" ]; then
		skip "$library cannot be preloaded into $program"
	fi
	read -r count left <"$tmp/count"
	step=1
	[ -n "$FULL" ] || step=$((count / runs + 1))
	no_memory=0
	: >"$tmp/bad"
	n=1
	while [ "$n" -le "$count" ]; do
		for setting in "FAIL_AT=$n" "FAIL_ONCE=$n"; do
			limited "$setting" --replay "$rec"
			judge $? "$setting" >>"$tmp/bad"
			case $message in
			*'out of memory'*)	no_memory=$((no_memory + 1)) ;;
			esac
		done
		n=$((n + step))
	done
	# a library that does nothing would pass
	[ $no_memory -gt 0 ] || echo "    no run said 'out of memory'" >>"$tmp/bad"
	if [ -s "$tmp/bad" ]; then
		failed=1
		echo "FAIL malloc/$name"
		sed -n 1,20p "$tmp/bad"
	else
		echo "ok malloc/$name"
	fi
done

# left SAMPLES: how many allocations are not freed at the end of a machine's replay, of which a
# CPU goes and comes back every 6 samples
left()
{
	awk -v samples="$1" -v off=5:2-3 -v period=6 -f tests/sim/machine.awk >"$tmp/rec"
	left=0
	rm -f "$tmp/count"
	limited FAIL_COUNT="$tmp/count" --replay "$tmp/rec"
	read -r count left <"$tmp/count"
	echo "$left"
}

# left_live INTERVALS: the same of a machine with registers that is live, where descriptors are so
# few that files are opened at each reading
left_live()
{
	awk -v samples=40 '
	/^(sample|end)/ { part++ }
	part == 0 { print }
	part == 1 && !/^sample/ { counters = counters $0 "\n" }
	END {
		for (i = 0; i < samples; i++)
			printf "sample %d %d.000000000 %d.000000000\n%s", i, 1700000000 + i, 100 + i, counters
		print "end"
	}' tests/golden/v01-kabylake/machine.rec >"$tmp/rec"
	left=0
	rm -f "$tmp/count"
	SIM=$tmp/rec FAIL_COUNT=$tmp/count FAIL_ALARM=$limit LD_PRELOAD=./$library \
		sh -c 'ulimit -n 14; exec build/sim -q -i 1 -n "$0"' "$1" >"$tmp/stdout" 2>"$tmp/stderr" </dev/null
	read -r count left <"$tmp/count"
	echo "$left"
}

# What is not freed does not grow: not with the intervals, and not with the CPUs' changes.
for how in left left_live; do
	few=$($how 12)
	many=$($how 36)
	if [ "$few" -gt 0 ] && [ "$few" -eq "$many" ]; then
		echo "ok malloc/$how"
	else
		failed=1
		echo "FAIL malloc/$how"
		echo "    $few allocations are left after 12, $many after 36 times"
	fi
done
exit $failed
