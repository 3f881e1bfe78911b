#!/bin/sh
# hwcheck.sh - measures this machine for 5 s with turbostat and with every other witness that it
# has, and prints both numbers side by side.
#
#   tests/hwcheck.sh		measure and judge; "make hwcheck" builds the program first
#   tests/hwcheck.sh judge DIR	judge what was collected in DIR before (see below)
#
# A line is `ok|differs|skipped NAME: OURS, WITNESS, bound B (REASON)`; of several units (CPUs,
# packages, zones) it shows the worst and names it.  A skipped line has only the reason.
# Exit status: 0 if nothing differs, 1 if a line differs, 2 if it could not run.
#
#   TURBOSTAT=PROGRAM	the program to check, ./turbostat if unset
#   PEER=PROGRAM	the other turbostat, else the first other one in PATH
#   OUT=DIR		where hwcheck.txt and hwcheck.rec go, build if unset
#
# It needs sh, awk and the standard utilities, runs as whoever calls it, installs and loads
# nothing, and writes nothing but its files.  It ends after 20 s at most.
#
# One window for all: copies of the program run in interval mode, each with a FIFO as standard
# input; a newline ends the interval of all of them, and a second one, 5 s later, the next.
# That next one is judged.  Directly after each newline the witnesses are read.
#
# A collection is a directory with these files; all but main.csv, witness.1 and witness.2 may be
# missing.
#   main.csv regs.csv perf.csv	what the copies printed; the second interval counts
#   replay.csv		what the replay of the recording printed
#   explain.main explain.regs explain.perf	what --explain says to the columns of the copies
#   hwcheck.rec		the recording of main
#   peer.out		the table of another turbostat
#   witness.1 witness.2	lines PATH TAB LINE of files that move, right after each newline; the
#			first and the last are of /proc/uptime; those of schedstat are of the
#			process that reads the files, and of the script
#   static		lines PATH TAB LINE of files that do not move
#   freq		lines PATH TAB kHz of scaling_cur_freq, read five times
#   loop.perf power.perf	what perf stat -x, printed
#   notes		lines KEY TAB REASON: why regs, perf, peer, loop or power is missing

LC_ALL=C
export LC_ALL

# ------------------------------------------------------------------------ judging

judge()
{
	awk -v dir="$1" -f "$(dirname "$0")/hwcheck.awk" </dev/null
}

if [ "$1" = judge ]; then
	[ -f "$2/main.csv" ] || { echo "hwcheck: no collection in '$2'" >&2; exit 2; }
	judge "$2"
	exit
fi
[ $# -eq 0 ] || { echo "usage: hwcheck.sh [judge DIR]" >&2; exit 2; }

# ------------------------------------------------------------------------ collecting

turbostat=${TURBOSTAT:-./turbostat}
case $turbostat in
*/*)	;;
*)	turbostat=$(command -v "$turbostat") ;;
esac
[ -x "$turbostat" ] || { echo "hwcheck: no program '${TURBOSTAT:-./turbostat}'" >&2; exit 2; }

dir=$(mktemp -d "${TMPDIR:-/tmp}/hwcheck.XXXXXX") || exit 2

# family: the processes below this script, children after their parents
family()
{
	cat /proc/[0-9]*/stat 2>/dev/null | awk -v root=$$ '
		{
			pid = $1
			sub(/.*\) /, "")	# a name may have blanks and brackets
			child[$2] = child[$2] " " pid
		}
		function visit(pid,    f, n, i) {
			n = split(child[pid], f, " ")
			for (i = 1; i <= n; i++) {
				print f[i]
				visit(f[i])
			}
		}
		END { visit(root) }'
}

# what does not obey within half a second ends the hard way
finish()
{
	trap '' HUP INT TERM ALRM
	rest=$(family)
	# shellcheck disable=SC2086	# words
	kill $rest 2>/dev/null
	tries=0
	# shellcheck disable=SC2086	# words
	while [ $tries -lt 5 ] && kill -0 $rest 2>/dev/null; do
		sleep 0.1
		tries=$((tries + 1))
	done
	# shellcheck disable=SC2086	# words
	kill -9 $rest 2>/dev/null
	rm -rf "$dir"
}

trap finish EXIT
trap 'echo "hwcheck: interrupted" >&2; exit 2' HUP INT TERM
trap 'echo "hwcheck: it did not end within 18 s" >&2; exit 2' ALRM
trap '' PIPE

# it ends after 20 s, whatever hangs
(
	trap 'kill $nap 2>/dev/null; exit' TERM
	sleep 18 &
	nap=$!
	wait $nap
	kill -ALRM $$ 2>/dev/null
) >/dev/null 2>&1 &
started=$!		# what is waited for; the first is this one

# note KEY REASON
note()
{
	printf '%s\t%s\n' "$1" "$2" >>"$dir/notes"
}

options=
have_msr=1
if [ ! -e /dev/cpu/0/msr ]; then
	options=--no-msr	# or the msr driver would be loaded
	have_msr=
fi
own='Busy%,Avg_MHz,Bzy_MHz,TSC_MHz,SMI,CPU%c1,CPU%c3,CPU%c6,CPU%c7,Pkg%pc2,Pkg%pc3,Pkg%pc6,Pkg%pc7,Pkg%pc8,Pkg%pc9,Pk%pc10,PkgWatt,CorWatt,GFXWatt,RAMWatt,SysWatt'
cycles=
for pmu in cpu_core cpu; do
	[ -e /sys/bus/event_source/devices/$pmu ] || continue
	[ -e /sys/bus/event_source/devices/$pmu/events/cpu-cycles ] || continue
	cycles="--add perf/$pmu/cpu-cycles/,rate,scale=1e-6,HwCheckMHz"
	break
done

peer=$PEER
if [ -z "$peer" ]; then
	rest=$PATH:/usr/sbin:/sbin
	while [ -n "$rest" ]; do
		place=${rest%%:*}
		rest=${rest#"$place"}
		rest=${rest#:}
		[ -x "$place/turbostat" ] || continue
		[ "$place/turbostat" -ef "$turbostat" ] && continue
		peer=$place/turbostat
		break
	done
fi
if [ -z "$peer" ]; then
	note peer "there is no other turbostat in PATH"
elif [ -z "$have_msr" ] && [ -z "$PEER" ]; then
	note peer "$peer would load the msr driver"
	peer=
elif [ "$(id -u)" != 0 ] && [ -z "$PEER" ]; then
	note peer "$peer needs root"
	peer=
fi

# what does not move
for file in /proc/cpuinfo /proc/cmdline /proc/self/status /sys/devices/system/cpu/nohz_full \
	/sys/devices/system/cpu/cpu*/cpuidle/state*/name /sys/devices/system/cpu/cpu*/cpuidle/state*/desc \
	/sys/class/powercap/intel-rapl:*/name /sys/class/powercap/intel-rapl:*/max_energy_range_uj \
	/sys/bus/event_source/devices/power/cpumask /sys/class/hwmon/hwmon*/name /sys/class/hwmon/hwmon*/temp*_label; do
	[ -f "$file" ] && [ -r "$file" ] && echo "$file"
done >"$dir/static.files"
# what moves
for file in /proc/stat /proc/interrupts /sys/devices/system/cpu/cpu*/cpuidle/state*/time \
	/sys/class/powercap/intel-rapl:*/energy_uj /sys/class/hwmon/hwmon*/temp*_input; do
	[ -f "$file" ] && [ -r "$file" ] && echo "$file"
done >"$dir/moving.files"
# which a kernel may have and refuse to read
cat /proc/pressure/cpu >/dev/null 2>&1 && echo /proc/pressure/cpu >>"$dir/moving.files"
for file in /sys/devices/system/cpu/cpu*/cpufreq/scaling_cur_freq; do
	[ -r "$file" ] && echo "$file"
done >"$dir/freq.files"
for file in /sys/class/powercap/intel-rapl:*/energy_uj; do
	[ -f "$file" ] && [ ! -r "$file" ] && note powercap "energy_uj can be read by root only" && break
done

# dump LIST: all files of a list in one process
dump()
{
	awk '
		{
			while ((getline line < $0) > 0)
				print $0 "\t" line
			close($0)
		}' "$1"
}

# witness N: between two readings of the clock
witness()
{
	{
		echo /proc/uptime
		[ ! -r /proc/self/schedstat ] || printf '/proc/%s/schedstat\n' self $$
		cat "$dir/moving.files"
		echo /proc/uptime
	} | dump - >"$dir/witness.$1"
}

dump "$dir/static.files" >"$dir/static"

# in the background, since a signal ends "wait" and not a program that hangs
# shellcheck disable=SC2086	# words
"$turbostat" -q $options --explain >"$dir/explain.main" 2>/dev/null </dev/null &
wait $!
if [ -n "$have_msr" ]; then
	"$turbostat" -q -P --explain >"$dir/explain.regs" 2>/dev/null </dev/null &
	wait $!
fi
"$turbostat" -q -M --explain >"$dir/explain.perf" 2>/dev/null </dev/null &
wait $!

copies=main
mkfifo "$dir/in.main" "$dir/in.regs" "$dir/in.perf" "$dir/in.peer" || exit 2
exec 5<>"$dir/in.main" 6<>"$dir/in.regs" 7<>"$dir/in.perf" 8<>"$dir/in.peer"
# shellcheck disable=SC2086	# words
"$turbostat" -q --csv --enable all $options $cycles --record "$dir/hwcheck.rec" -i 60 -n 2 \
	<"$dir/in.main" >"$dir/main.csv" 2>"$dir/main.err" &
main=$!
started="$started $main"
if [ -n "$have_msr" ]; then
	"$turbostat" -q --csv -P --show "$own" -i 60 -n 2 <"$dir/in.regs" >"$dir/regs.csv" 2>"$dir/regs.err" &
	started="$started $!"
	copies="$copies regs"
else
	note regs "there is no /dev/cpu/0/msr"
fi
"$turbostat" -q --csv -M --show "$own" -i 60 -n 2 <"$dir/in.perf" >"$dir/perf.csv" 2>"$dir/perf.err" &
started="$started $!"
copies="$copies perf"
if [ -n "$peer" ]; then
	"$peer" --quiet --enable Time_Of_Day_Seconds --interval 60 --num_iterations 2 <"$dir/in.peer" >"$dir/peer.out" 2>"$dir/peer.err" &
	started="$started $!"
	copies="$copies peer"
fi

# all print their first line, or 5 s go by
tries=0
while [ $tries -lt 50 ]; do
	waiting=
	for copy in $copies; do
		case $copy in
		peer)	out=$dir/peer.out ;;
		*)	out=$dir/$copy.csv ;;
		esac
		[ -s "$out" ] || [ -s "$dir/$copy.err" ] || waiting=1
	done
	[ -n "$waiting" ] && kill -0 $main 2>/dev/null || break
	sleep 0.1
	tries=$((tries + 1))
done
kill -0 $main 2>/dev/null || {
	echo "hwcheck: $turbostat ended before the first interval: $(sed 1q "$dir/main.err")" >&2
	exit 2
}
sleep 1

echo >&5; echo >&6; echo >&7; echo >&8
witness 1

# A load, which ends when the script does.  It counts in the shell: no process is started.
cat >"$dir/loop.sh" <<'LOOP'
echo $$ >"$1/loop.pid"
n=0
while kill -0 "$2" 2>/dev/null; do
	i=0
	while [ $i -lt 20000 ]; do
		i=$((i + 1))
	done
	n=$((n + 1))
done
LOOP
if command -v perf >/dev/null && perf stat -x, -e task-clock true >/dev/null 2>&1; then
	perf stat -x, -e cycles,task-clock -o "$dir/loop.perf" sh "$dir/loop.sh" "$dir" $$ >/dev/null 2>&1 &
	started="$started $!"
	events=
	for event in pkg cores gpu ram psys; do
		[ -e /sys/bus/event_source/devices/power/events/energy-$event ] && events="${events}power/energy-$event/,"
	done
	if [ -n "$events" ]; then
		perf stat -x, -a -e "${events}duration_time" -o "$dir/power.perf" sleep 4.8 >/dev/null 2>&1 &
		started="$started $!"
	else
		note power "no PMU power"
	fi
else
	note loop "no perf"
	note power "no perf"
	sh "$dir/loop.sh" "$dir" $$ >/dev/null 2>&1 &
	started="$started $!"
fi

# five readings of cpufreq, one a second
second=0
while [ $second -lt 5 ]; do
	sleep 0.5
	dump "$dir/freq.files" >>"$dir/freq"
	sleep 0.5
	second=$((second + 1))
done

echo >&5; echo >&6; echo >&7; echo >&8
witness 2

# the second interval of all, within 3 s
tries=0
while [ $tries -lt 30 ]; do
	waiting=
	for pid in $started; do
		[ "$pid" = "${started%% *}" ] || ! kill -0 "$pid" 2>/dev/null || waiting=1
	done
	if [ -s "$dir/loop.pid" ] && ! kill -0 $main 2>/dev/null; then
		kill "$(cat "$dir/loop.pid")" 2>/dev/null
	fi
	[ -n "$waiting" ] || break
	sleep 0.1
	tries=$((tries + 1))
done
[ ! -s "$dir/loop.pid" ] || kill "$(cat "$dir/loop.pid")" 2>/dev/null
if kill -0 $main 2>/dev/null || ! grep -q '^interval,,2,' "$dir/main.csv"; then
	echo "hwcheck: $turbostat printed no second interval: $(sed 1q "$dir/main.err")" >&2
	exit 2
fi
for copy in regs perf; do
	[ -s "$dir/$copy.csv" ] && ! grep -q '^interval,,2,' "$dir/$copy.csv" &&
		note $copy "it printed no second interval: $(sed 1q "$dir/$copy.err")"
done
[ -z "$peer" ] || [ -s "$dir/peer.out" ] || note peer "it printed nothing: $(sed 1q "$dir/peer.err")"

# shellcheck disable=SC2086	# words
"$turbostat" -q --csv --enable all $options $cycles --replay "$dir/hwcheck.rec" \
	>"$dir/replay.csv" 2>/dev/null </dev/null &
wait $!

out=${OUT:-build}
mkdir -p "$out" 2>/dev/null
if ! (: >"$out/hwcheck.txt" && : >"$out/hwcheck.rec") 2>/dev/null; then
	out=$(mktemp -d "${TMPDIR:-/tmp}/hwcheck.out.XXXXXX") || exit 2
fi
judge "$dir" >"$dir/lines"
status=$?
cp "$dir/hwcheck.rec" "$out/hwcheck.rec" &&
	{
		sed '$d' "$dir/lines"
		echo "for a report: $out/hwcheck.txt $out/hwcheck.rec"
		sed -n '$p' "$dir/lines"
	} >"$out/hwcheck.txt" || { echo "hwcheck: cannot write to $out" >&2; exit 2; }
[ -z "$KEEP" ] || cp -r "$dir" "$KEEP"
cat "$out/hwcheck.txt"
exit $status
