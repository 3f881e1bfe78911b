#!/bin/sh
# sim.sh - the code that asks a live machine, on the simulated kernel of tests/sim.
#
#   tests/sim.sh [TEST...]	all tests, or these: of the list at the end
#
# To be run from the project's top directory, after "make build/sim".

LC_ALL=C
export LC_ALL

tmp=build/sim.$$
failed=0
known=
. tests/limit.sh

if [ ! -x build/sim ]; then
	echo "FAIL sim: there is no build/sim; make build/sim makes it"
	exit 1
fi
mkdir -p "$tmp" || exit 1
trap 'rm -rf "$tmp"' EXIT
trap 'exit 1' HUP INT TERM

ok()
{
	echo "ok sim/$1"
}

# same NAME [SUFFIX]: are the files want and got the same, but for what only a machine is told: its
# remedy for what is lost, what a command used?
same()
{
	if awk '
	/^turbostat: (.*: no (\047|registers)|[0-9]+ % of the busy time)/ { next }
	FILENAME == ARGV[1] { want[++n] = $0 ""; next }
	++got > n || $0 != want[got] { differ = 1; exit }
	END { exit differ || got != n }' "$tmp/want$2" "$tmp/got$2"; then
		ok "$1"
	else
		failed=1
		echo "FAIL sim/$1"
		sed -i "/^turbostat: .*: no '/d; /^turbostat: .*: no registers/d" "$tmp/want$2" "$tmp/got$2"
		diff "$tmp/want$2" "$tmp/got$2" | sed -n '1,12s/^/    /p'
	fi
}

# rows CONDITION [-v NAME=VALUE]: of want and got the lines of names, and those rows, of a CPU $c,
# for which the condition holds, become want.rows and got.rows
rows()
{
	condition=$1
	shift
	: >"$tmp/want.rows"
	: >"$tmp/got.rows"
	awk -F'\t' "$@" '
	/^(turbostat|sim): / { next }
	FNR == 1 { c = 0 }
	/CPU/ { for (i = 1; i <= NF; i++) if ($i == "CPU") c = i }
	/CPU/ || '"$condition"' { print >(FILENAME ".rows") }' "$tmp/want" "$tmp/got"
}

# made COMMAND...: what was printed becomes what the command makes of it
made()
{
	"$@" <"$tmp/got" >"$tmp/made"
	mv "$tmp/made" "$tmp/got"
}

# cells: what was printed, without messages and in one line
cells()
{
	made grep -v '^turbostat: '
	made paste -s -d ' ' -
}

# is NAME TEXT: is that what there is now?
is()
{
	printf '%s\n' "$2" >"$tmp/want"
	same "$1"
}

# survey FILE...: of each recording a line: its path, how many samples it has, the seconds between
# the first two, the status of its command, 1 if it has ticks, the CPUs that are online, a sibling
# of CPU 0; none for what it has not
survey()
{
	awk '
	function tell() {
		# of a recording that was not closed the last sample is not used
		if (path != "")
			print path, samples - !ended, interval, status, ticks + 0, online, sibling
		path = FILENAME
		interval = status = online = sibling = "none"
		samples = ended = ticks = 0
	}
	# what is recorded of a file from a character of the line on
	function text_from(at) { at = substr($0, at); sub(/\\.*/, "", at); return at }
	FNR == 1 { tell() }
	$1 == "sample" && ++samples == 1 { first = $4 }
	$1 == "sample" && samples == 2 { interval = $4 - first }
	$1 == "end" { ended = 1 }
	$1 == "tick" { ticks = 1 }
	$1 == "command" { status = 0 }
	$1 == "run" { status = $3 }
	$1 != "file" { next }
	online == "none" && /cpu\/online "/ { online = text_from(index($0, "\"") + 1) }
	sibling == "none" && /cpu0.topology.(core_cpus|thread_siblings)_list "[0-9]+[-,]/ {
		match($0, /"[0-9]+[-,]/)
		sibling = text_from(RSTART + RLENGTH)
		sub(/[^0-9].*/, "", sibling)
	}
	END { tell() }' "$@"
}

# live ARGUMENTS...: as the machine of the recording $rec; leaves $tmp/got
live()
{
	SIM=$rec SIM_STRICT=1 TURBOSTAT=$PWD/build/sim "$program" "$@" >"$tmp/got" 2>&1 </dev/null
}

# replay ARGUMENTS...: of the recording $rec, or of the machine that a test describes in a file like
# one; leaves $tmp/want, or what $into names
replay()
{
	replayed=$rec
	if [ "$(sed -n 1p "$rec")" != "turbostat-recording 3" ]; then
		replayed=$tmp/converted
		tests/convert.sh "$rec" >"$replayed"
	fi
	TURBOSTAT=$binary "$program" --replay "$replayed" "$@" >"$tmp/${into:-want}" 2>&1 </dev/null
}

# know: sets what the survey says of the recording $rec
know()
{
	read -r rec samples interval status ticks online sibling <<-END
	$(survey "$rec")
	END
}

# live_whole ARGUMENTS...: as live, for the time of all samples, or of the recorded command; of what
# "each" has called it is known what the survey says
live_whole()
{
	[ -n "$known" ] || know
	if [ "$status" != none ]; then
		live "$@" sh -c "exit $status"
	else
		live "$@" -i "$interval" -n $((samples - 1))
	fi
}

# each FUNCTION: calls it for every machine of tests/golden, with its $name, its recording $rec, which
# is also the $original, and what the survey says of that
each()
{
	[ -f "$tmp/survey" ] || survey tests/golden/*/machine.rec >"$tmp/survey"
	known=1
	while read -r original samples interval status ticks online sibling <&3; do
		rec=$original
		name=${rec%/machine.rec}
		name=${name##*/}
		case $name in
		clocks)		continue ;;	# every CPU has a time of its own; here the time stands still
		no-time)	continue ;;	# nor does it move at all
		esac
		[ "$samples" -lt 2 ] || "$1"
	done 3<"$tmp/survey"
	known=
}

# Every machine, live: what is printed is what its replay prints.
test_golden()
{
	each golden
}
golden()
{
	replay
	live_whole
	case $name in
	# the recording's file cannot be opened, a file of sysfs cannot be read
	uncore-dies)	sed -i "/'UncMHz': /d" "$tmp/got" ;;
	no-end)		sed -i '/the recording was not closed/d' "$tmp/want" ;;
	esac
	same "golden-$name"
}

# Every machine, live and recorded: the recording prints what that machine does.
test_recorded()
{
	each recorded
	# the TSC that perf counts is not read a second time, on each CPU, for the recording
	rec=tests/sources/client.rec
	live_whole -q --show TSC_MHz --record "$tmp/recorded"
	grep -c '^tsc ' "$tmp/recorded" >"$tmp/got"
	is recorded-once 0
}
recorded()
{
	live_whole -q --record "$tmp/recorded"
	# each names its columns: those shown by default, all, and those that must be named
	for words in "" "--show all --hide usec,Time_Of_Day_Seconds" \
		"--show topdown,mem,s2idle,S0ix,SMI%,Steal%,BatWatt,Type,Busy%"; do
		# shellcheck disable=SC2086	# words
		into=got rec=$tmp/recorded replay $words
		# shellcheck disable=SC2086	# words
		into=want rec=$original replay $words
		[ "$name" != no-end ] || sed -i '/the recording was not closed/d' "$tmp/want"
		case $words in
		*topdown*)	same "recorded-$name-named" ;;
		*)		same "recorded-$name${words:+-all}" ;;
		esac
	done
}

# last_cpu: the last of the CPUs that are online, of more than one; fails where nothing happens later
last_cpu()
{
	last=${online##*-}
	[ "$last" != "$online" ] && [ "$samples" -ge 3 ]
}

# The last CPU of every machine goes when two samples are taken, and everything is laid out anew:
# the rows of CPU 0, and of its core and package, stay what they were, and count from --TCC.
test_gone()
{
	each gone
}
gone()
{
	if ! last_cpu || [ "$status$ticks" != none0 ]; then
		return
	fi
	replay -q --total --TCC 90
	rec=$tmp/rec
	sed "/^sample 2 /a\\
file /sys/devices/system/cpu/online \"${online%"$last"}$((last - 1))\"" "$original" >"$rec"
	live_whole -q --total --TCC 90
	rows '$c == "0"'
	same "gone-$name" .rows
}

# The second thread of the first core goes: all rows behind it move up, and say what they did.
test_moved()
{
	each moved
}
moved()
{
	if [ "$sibling" = none ] || [ "$samples" -lt 3 ] || [ "$status$ticks" != none0 ]; then
		return
	fi
	online=$(sed -n 's/^tsc \([0-9]*\) .*/\1/p' "$rec" | sort -nu | grep -vx "$sibling" | paste -s -d , -)
	replay -q
	rec=$tmp/rec
	sed "/^sample 2 /a\\
file /sys/devices/system/cpu/online \"$online\"" "$original" >"$rec"
	live_whole -q
	rows '$c != gone && $c != "-"' -v gone="$sibling"
	same "moved-$name" .rows
}

# --- the machine of sim/machine.awk, whose rates are known ---

# machine [-v NAME=VALUE]...: makes it the recording of what follows
machine()
{
	rec=$tmp/rec
	awk "$@" -f tests/sim/machine.awk >"$rec"
}

# edit SED-SCRIPT: changes that recording
edit()
{
	sed "$1" "$rec" >"$tmp/edited" && mv "$tmp/edited" "$rec"
}

# right NAME NAN: is every value the machine's, and are at most NAN of them nan?
right()
{
	awk -v most="$2" '
	function check(name, value,	v) {
		if (!(name in column) || (v = $column[name]) == "")
			return
		if (v == "nan")
			nans++
		else if (v + 0 != value) {
			printf "%s of CPU %s is %s, should be %s\n", name, $column["CPU"], v, value
			bad = 1
		}
	}
	BEGIN { FS = "\t" }
	/^turbostat: / { next }
	/^sim: / { print; bad = 1 }
	/Busy%/ { delete column; for (i = 1; i <= NF; i++) column[$i] = i; next }
	!("CPU" in column) { next }
	{ rows++; cpu = $column["CPU"] }
	{ check("Bzy_MHz", 3000); check("TSC_MHz", 2000) }
	cpu == "-" { next }
	{
		check("Busy%", 10 * (cpu + 1))
		check("IRQ", 10 * (cpu + 1))
		check("CorWatt", cpu % 4 + 1)
		check("PkgWatt", 20 * (int(cpu % 4 / 2) + 1))
		check("C1%", 8 * (cpu + 1))
	}
	END {
		if (nans + 0 > most)
			printf "%d values are nan, not %d\n", nans, most
		if (!rows)
			print "there are no rows"
		exit bad || nans + 0 > most || !rows
	}' "$tmp/got" >"$tmp/diff"
	if [ $? -eq 0 ]; then
		ok "$1"
	else
		failed=1
		echo "FAIL sim/$1"
		sed -n '1,12s/^/    /p' "$tmp/diff"
	fi
}

# What the machine does is what is printed, live and replayed.
test_rates()
{
	machine -v samples=4
	live -q -i 5 -n 3
	right rates 0
	replay -q
	same rates-replay
	# each row has its time, also one of which nothing is read
	live -q -i 5 -n 1 --show CPU,Time_Of_Day_Seconds
	made awk '/^[0-9]/ { n[$1]++ } END { for (time in n) print n[time], time }'
	is rates-times "9 1700000005.000000"
	# energy by dies: a PMU "power" of AMD counts packages, whatever its cpumask lists
	machine -v samples=4 -v dies=1 -v mask=0-7
	live -q -i 5 -n 3
	right power-cpumask 0
	same_watts=$(awk '$1 == "-" { print $NF }' "$tmp/got" | sort -u)
	echo 60.00 >"$tmp/want"
	echo "$same_watts" >"$tmp/got"
	same power-cpumask-sum
	# groups in which one event or two have room
	for n in 1 2; do
		machine -v samples=4
		edit "1a\\
x-group $n"
		live -q -i 5 -n 3
		right "group-of-$n" 0
	done
	# every third call is interrupted by a signal at first, and what is written is taken in parts
	machine -v samples=4
	edit '1a\
x-eintr 3'
	live -q -i 5 -n 3
	right interrupted 0
	rec=tests/golden/v01-kabylake/machine.rec
	replay
	rec=$tmp/rec
	sed '1a\
x-eintr 3' tests/golden/v01-kabylake/machine.rec >"$rec"
	live -i 5 -n 2 --record "$tmp/recorded"
	same interrupted-files
	rec=$tmp/recorded
	mv "$tmp/want" "$tmp/original"
	replay
	mv "$tmp/original" "$tmp/got"
	same interrupted-record
	rec=tests/golden/v01-kabylake/machine.rec
	for format in json csv prometheus; do
		replay -q --$format --out "$tmp/file"
		mv "$tmp/file" "$tmp/original"
		rec=$tmp/rec
		sed '1a\
x-eintr 3' tests/golden/v01-kabylake/machine.rec >"$rec"
		live -q -i 5 -n 2 --$format --out "$tmp/file"
		mv "$tmp/original" "$tmp/want"
		mv "$tmp/file" "$tmp/got"
		same "interrupted-$format"
	done
	# the two processes of a comparison send each other their values in parts
	sed '1a\
x-eintr 3' tests/golden/runs/program.rec >"$rec"
	TURBOSTAT=$binary "$program" -q --json --compare --replay "$rec" --replay "$rec" >"$tmp/want" 2>&1 </dev/null
	live -q --json --compare --replay "$rec" --replay "$rec"
	same interrupted-compare
}

# Energy that perf counts in one package, and a register in the other; their units differ.
test_two_sources()
{
	machine -v samples=4 -v mask=0
	awk '
	/^perf [2367] power / { next }
	{ print }
	NR == 1 { print "cpuid * 80000000 0 80000008 0 0 0\ncpuid * 80000007 0 0 0 0 4000" }
	/^sample / { printf "msr 2 c0010299 a1003\nmsr 0 c0010299 a1003\nmsr 2 c001029b %x\nmsr 0 c001029b 5\n", 7 + $2 * 5 * 40 * 65536 }' \
		"$rec" >"$tmp/edited" && mv "$tmp/edited" "$rec"
	live -q -i 5 -n 3
	sed -i '/^sim: .*\/msr$/d' "$tmp/got"	# they are asked at the start
	right two-sources 0
}

# A package whose PMU was busy when the program began is served by its register; when a CPU has gone
# and the PMU answers, its energy is not counted twice.
test_not_twice()
{
	machine -v samples=8 -v mask=0,2 -v off=5:3-4
	awk '
	/^sample / { sample = $2 }
	/^perf [02] power 2 / && sample < 2 { print "perf", $2, "power 2 !EBUSY"; next }
	{ print }
	NR == 1 { print "cpuid * 80000000 0 80000008 0 0 0\ncpuid * 80000007 0 0 0 0 4000" }
	/^sample / {
		for (c = 0; c < 8; c++) {
			p = int(c % 4 / 2)
			printf "msr %d c0010299 a1003\nmsr %d c001029b %x\n", c, c, 7 + $2 * 5 * 20 * (p + 1) * 65536
		}
	}' "$rec" >"$tmp/edited" && mv "$tmp/edited" "$rec"
	live -q -i 5 -n 7 --per package --show PkgWatt
	made awk '$NF ~ /^[0-9.]+$/ { print $NF }'
	cells
	is not-twice "60.00 20.00 40.00 60.00 20.00 40.00 60.00 20.00 40.00 60.00 20.00 40.00 60.00 20.00 40.00 60.00 20.00 40.00 60.00 20.00 40.00"
}

# zones [N]: that recording with the energy of packages by powercap, which is reset at sample N
zones()
{
	awk -v reset="${1:-99}" '
	/devices.power\/|^perf [0-9]* power / { next }
	{ print }
	NR == 1 || /^sample / {
		for (p = 0; p < 2; p++) {
			zone = "/sys/class/powercap/intel-rapl:" p
			if (NR == 1)
				printf "file %s/name \"package-%d\\n\"\nfile %s/max_energy_range_uj \"262143328850\\n\"\n", zone, p, zone
			printf "file %s/energy_uj \"%d\\n\"\n", zone, NR == 1 ? 100e6 : ($2 >= reset ? $2 - reset : $2 + 1) * 100e6 * (p + 1)
		}
	}' "$rec" >"$tmp/edited" && mv "$tmp/edited" "$rec"
}

# Energy that is 0 when a CPU has gone, as it was reset, has counted before: it is read on.
test_counted()
{
	machine -v samples=8 -v off=7:3-7
	zones 3
	live -q -i 5 -n 7 -S
	made awk -F'\t' '/PkgWatt/ { for (i = 1; i <= NF; i++) if ($i == "PkgWatt") c = i } { print /^turbostat: / ? $0 : $c }'
	cells
	is counted "PkgWatt 60.00 60.00 nan 60.00 60.00 60.00 60.00"
	# who reads it from then on was away in the sample before
	machine -v samples=6 -v off=0:3-9
	zones
	edit '/^sample 2 /a\
cpu 1 !EINVAL
/^sample 3 /a\
cpu 1 ok'
	live -q -i 5 -n 5 --no-perf --show TSC_MHz,PkgWatt
	made awk -F'\t' 'NF == 2 && $2 != "PkgWatt" { print $2 }'
	cells
	is counted-away "60.00 20.00 40.00 60.00 20.00 40.00 60.00 20.00 40.00 60.00 20.00 40.00 60.00 20.00 40.00"
}

# A driver goes, and comes back: its files are looked for again.
test_driver()
{
	p=/sys/class/hwmon/hwmon0
	machine -v samples=9
	edit "1a\\
file $p/name \"k10temp\\\\n\"\\
file $p/temp1_label \"Tctl\\\\n\"\\
file $p/temp1_input \"45000\\\\n\"
/^sample 2 /a\\
file $p/temp1_input !ENODEV
/^sample 3 /a\\
file $p/temp1_input \"46000\\\\n\""
	live -q -i 5 -n 8 -S --show PkgTmp
	grep -c 'measuring' "$tmp/got" >"$tmp/changes"
	cells
	is driver "PkgTmp 45 nan 46 46 46 46 46 46"
	# no CPU has come or gone
	cp "$tmp/changes" "$tmp/got"
	is driver-only 0
	# that there is none is told of a machine; a recording need not hold all files
	machine
	live -q -i 5 -n 1 --show CPU,PkgTmp
	made grep -o 'no temperature driver is loaded.*'
	is driver-lacks "no temperature driver is loaded: no 'PkgTmp'; sudo modprobe k10temp"
	replay -q --show CPU,PkgTmp
	grep 'no driver' "$tmp/want" >"$tmp/got"
	: >"$tmp/want"
	same driver-not-recorded
}

# A driver that is away for long is looked for until it is back, also one that serves but one of
# the packages.
test_driver_long()
{
	for n in 1 2; do
		machine -v samples=21
		edit "/^sample 2 /a\\
file /sys/class/hwmon/hwmon0/temp1_input !ENODEV
/^sample 7 /a\\
file /sys/class/hwmon/hwmon0/name \"k10temp\\\\n\"\\
file /sys/class/hwmon/hwmon0/temp1_input \"56000\\\\n\""
		for i in $(seq 0 $((n - 1))); do
			edit "1a\\
file /sys/class/hwmon/hwmon$i/name \"k10temp\\\\n\"\\
file /sys/class/hwmon/hwmon$i/temp1_label \"Tctl\\\\n\"\\
file /sys/class/hwmon/hwmon$i/temp1_input \"$((45 - i))000\\\\n\"
/^sample 2 /a\\
file /sys/class/hwmon/hwmon0/name !ENOENT"
		done
		live -q -i 5 -n 20 -S --show PkgTmp
		made sed -n '1,4p; 19,21p'
		cells
		case $n in
		1)	is driver-long-1 "PkgTmp 45 nan nan nan 56" ;;
		2)	is driver-long-2 "PkgTmp 45 44 44 44 56" ;;
		esac
	done
}

# Idle states that one CPU lacks, at first or for ever: looked for at once, then at each 16th interval, and
# nothing else is lost by that.
test_idle_later()
{
	# from the first sample on nothing is lost; sample 19 does not come
	while read -r from nans; do
		machine -v samples=20 -v idle=5:$from
		live -q -i 5 -n 18 --show CPU,Busy%,Bzy_MHz,CorWatt,PkgWatt,C1%
		right "idle-later-$from" "$nans"
		made grep -c 'nan$'
		is "idle-later-$from-nan" "$nans"
	done <<-'END'
	-1 0
	1 1
	4 17
	19 18
	END
	# those that have any are the last ones
	machine -v idle=0:0
	edit '/cpu[0145].cpuidle/d'
	live -q -i 5 -n 1 --show CPU,C1%
	made awk '$1 ~ /^[2367]$/ { print $1 ":" $2 }'
	cells
	is idle-of-some "2:24.00 6:56.00 3:32.00 7:64.00"
}

# What is there, or is back, or cannot be read for once, is not looked for again, which would cost
# much: its file is still open when its driver's name can no longer be found.
test_settled()
{
	p=/sys/class/hwmon/hwmon0
	for case in "none 1 45 45" "ENODEV 4 nan 46" "EIO 1 nan 46"; do
		# shellcheck disable=SC2086	# words
		set -- $case
		machine -v samples=9
		edit "1a\\
file $p/name \"k10temp\\\\n\"\\
file $p/temp1_label \"Tctl\\\\n\"\\
file $p/temp1_input \"45000\\\\n\"
/^sample $2 /a\\
file $p/name !ENOENT"
		[ "$1" = none ] || edit "/^sample 2 /a\\
file $p/temp1_input !$1
/^sample 3 /a\\
file $p/temp1_input \"46000\\\\n\""
		live -q -i 5 -n 8 -S --show PkgTmp
		cells
		is "settled-$1" "PkgTmp 45 $3 $4 $4 $4 $4 $4 $4"
	done
}

# It may have another number when it is back.
test_elsewhere()
{
	elsewhere "k10temp temp1" PkgTmp 45000 46000 "PkgTmp 45 nan 46 46 46 46"
	elsewhere "amdgpu freq1" GFXAMHz 400000000 900000000 "GFXAMHz 400 nan 900 900 900 900"
}

# elsewhere "DRIVER FILE" COLUMN BEFORE AFTER CELLS: of a hwmon device that is another one after it has gone,
# and whose number another driver has; a file that is read after its own fails from then on
elsewhere()
{
	machine -v samples=7
	driver=${1% *}
	file=${1#* }
	p=/sys/class/hwmon/hwmon0
	q=/sys/class/hwmon/hwmon1
	edit "1a\\
file $p/name \"$driver\\\\n\"\\
file $p/${file}_label \"Tctl\\\\n\"\\
file $p/${file}_input \"$3\\\\n\"
/^sample 2 /a\\
file $p/${file}_input !ENODEV
/^sample 3 /a\\
file $p/name \"other\\\\n\"\\
file $p/${file}_label !ENOENT\\
file $p/${file}_input !ENOENT\\
file $q/name \"$driver\\\\n\"\\
file $q/${file}_label \"Tctl\\\\n\"\\
file $q/${file}_input \"$4\\\\n\"
1a\\
file /sys/y \"7\\\\n\"
/^sample 2 /a\\
file /sys/y !EIO"
	live -q -i 5 -n 6 -S --show "$2" --add /sys/y,average,package,Y
	made cut -f1
	cells
	is "elsewhere-$driver" "$5"
}

# So may the clusters of the uncore: two of them come back in the other order.
test_clusters()
{
	p=/sys/devices/system/cpu/intel_uncore_frequency
	rec=$tmp/rec
	{
		sed '/^end/d' tests/golden/uncore-clusters/machine.rec
		for i in 3 4 5; do
			echo "sample $i $((1700000000 + 5 * i)).000000000 $((100 + 5 * i)).000000000"
		done
		echo end
	} >"$rec"
	edit "/^file .*uncore0[12].current_freq/d
/^sample 0 /i\\
file $p/uncore01/current_freq_khz \"1700000\\n\"\\
file $p/uncore02/current_freq_khz \"1500000\\n\"
/^sample 2 /a\\
file $p/uncore01/current_freq_khz !ENODEV\\
file $p/uncore02/current_freq_khz !ENODEV
/^sample 3 /a\\
file $p/uncore01/domain_id \"1\\n\"\\
file $p/uncore01/fabric_cluster_id \"0\\n\"\\
file $p/uncore01/current_freq_khz \"1900000\\n\"\\
file $p/uncore02/domain_id \"0\\n\"\\
file $p/uncore02/fabric_cluster_id \"1\\n\"\\
file $p/uncore02/current_freq_khz \"1100000\\n\""
	live -q -i 5 -n 5 -S --show UMHz0.1,UMHz1.0
	made tr '\t' /
	cells
	is clusters "UMHz0.1/UMHz1.0 1700/1500 nan/nan 1100/1900 1100/1900 1100/1900"
}

# Looked for in vain when all is laid out anew for other CPUs: looked for again.
test_driver_later()
{
	machine -v samples=7 -v off=7:2-9
	for part in 1 "/^sample 2 /" "/^sample 3 /"; do
		for n in 0 1; do
			p=/sys/class/hwmon/hwmon$n
			case $part in
			*2*)	edit "${part}a\\
file $p/name !ENOENT\\
file $p/temp1_label !ENOENT\\
file $p/temp1_input !ENOENT" ;;
			*)	edit "${part}a\\
file $p/name \"k10temp\\\\n\"\\
file $p/temp1_label \"Tctl\\\\n\"\\
file $p/temp1_input \"4500$n\\\\n\"" ;;
			esac
		done
	done
	live -q -i 5 -n 6 -S --show PkgTmp
	cells
	is driver-later "PkgTmp 45 nan 45 45 45 45"
}

# What is read of a CPU that cannot be moved to is not that of another one.
test_refused()
{
	for name in alderlake v11-zen perf-hybrid; do
		rec=tests/golden/$name/machine.rec
		sed '/^static$/a\
cpu 1 !EINVAL' "$rec" >"$tmp/edited"
		rec=$tmp/edited
		replay --show all --hide usec,Time_Of_Day_Seconds
		live_whole --show all --hide usec,Time_Of_Day_Seconds
		same "refused-$name"
	done
	rec=tests/golden/alderlake/machine.rec
	sed -n 's/^tsc \([0-9]*\) .*/cpu \1 !EPERM/p' "$rec" | sort -u >"$tmp/refused"
	sed "/^static\$/r $tmp/refused" "$rec" >"$tmp/edited"
	rec=$tmp/edited
	know
	live -q -i "$interval" -n 1 --record "$tmp/recorded"
	rec=$tmp/recorded
	replay -q
	same refused-recorded
	rec=$tmp/edited
	live -q -i "$interval" -n 1 --show CPU,Type,APIC
	made grep -v '^turbostat: '
	made cut -f2-
	made sort -u
	made tr '\t\n' '  '
	printf '%s ' - - - 0x0 Type APIC >"$tmp/want"
	same refused-all
	# what the processor is, is what the first CPU says, though the others are tried as well
	machine
	edit '1a\
cpu 1 !EINVAL\
cpuid 7 1 0 00a50f00 00080800 7ed8320b 178bfbff'
	live -i 5 -n 1
	made grep -c 'CPUID(1): .*family:model:stepping 0x19:11:1 '
	is refused-identity 1
}

# A CPU goes and comes back: what is printed of all others stays right.
test_cpus()
{
	for cpu in 1 2 3 4 5 6 7; do
		machine -v samples=7 -v off=$cpu:2-3
		live -q -i 5 -n 6
		right "hotplug-$cpu" 8
	done
	# our control group loses two CPUs
	machine -v samples=5
	edit '1a\
file /proc/self/cgroup "0::/own\\n"\
file /sys/fs/cgroup/own/cpuset.cpus.effective "0-7\\n"
/^sample 2 /a\
file /sys/fs/cgroup/own/cpuset.cpus.effective "0-5\\n"'
	live -q -i 5 -n 4
	right cpuset-shrinks-values 0
	made grep -o 'measuring.*'
	is cpuset-shrinks "measuring 6 of 8 CPUs"
	# the group has no file of its own: that of the nearest one above counts
	edit 's/own\\n/own\/within\/this\\n/'
	live -q -i 5 -n 4 --show CPU
	made grep -o 'measuring.*'
	same cpuset-above
	edit 's/own.cpuset/cpuset/'
	live -q -i 5 -n 4 --show CPU
	made grep -o 'measuring.*'
	same cpuset-above-all
	# the CPUs are given back, as they were before
	edit '/^sample 3 /a\
file /sys/fs/cgroup/cpuset.cpus.effective "0-7\\n"'
	live -q -i 5 -n 4
	right cpuset-grows-values 2
	made grep -o 'measuring.*'
	made paste -s -d , -
	is cpuset-grows "measuring 6 of 8 CPUs,measuring 8 of 8 CPUs"
	# a whole package is outside: its energy is counted all the same
	edit 's/effective "0-5/effective "0-1,4-5/'
	live -q -i 5 -n 4 -S --total --show PkgWatt
	cells
	is cpuset-package "PkgWatt 60.00 60.00 60.00 60.00 total 20.000000 sec PkgWatt 60.00"
	# an empty list says nothing; the root group has one file
	machine
	edit '1a\
file /proc/self/cgroup "0::/\\n"\
file /sys/fs/cgroup/cpuset.cpus.effective "\\n"'
	live -q -i 5 -n 1
	right cpuset-empty 0
	# a group outside our namespace of groups says nothing, whatever is where its name leads
	machine
	edit '1a\
file /proc/self/cgroup "0::/../../../own\\n"\
file /sys/fs/cgroup/../../../own/cpuset.cpus.effective "0-3\\n"\
file /sys/fs/cgroup/cpuset.cpus.effective "0-7\\n"'
	live -q -i 5 -n 1
	right cpuset-outside 0
	made grep -c '^[0-9-]'
	is cpuset-outside-rows 9
	# a list of more than a page, as those of many CPUs are
	machine
	edit "s/^file .*cpu.online \"0/&$(printf '%04096d' 0)/"
	replay -q
	live -q -i 5 -n 2
	same cpus-long-list
	# between two runs of a command they are looked for: the last one has all CPUs
	machine -v samples=9 -v off=5:2-4
	live -q --repeat 3 --pre true --csv --show CPU,IRQ true
	made awk -F, '$1 == "run" && $8 == "cpu" && $15 == 5 { print $3, $17 }'
	is runs-hotplug "3 60"
	live -q --repeat 3 --pre true --show IRQ true
	made grep 'the run before'
	is runs-fewer-cpus "turbostat: run 3: measured 8 CPUs, the run before 7"
	live -q --compare --repeat 3 --pre true --show IRQ -- true -- true
	made grep 'the run before'
	is runs-fewer-cpus-compared "turbostat: run 2 of B: measured 8 CPUs, the run before 7"
	# one that comes between two runs is measured in the second
	machine -v samples=7 -v off=5:0-2
	live -q --repeat 3 --pre true --csv --show CPU,IRQ true
	made awk -F, '$8 == "cpu" && $15 == 5 { print $1 $3, $15, $17 }'
	made paste -s -d , -
	is runs-come "run2 5 60,run3 5 60"
	# one goes while another comes: that is one message
	machine -v samples=4
	edit '1a\
file /proc/self/cgroup "0::/\\n"\
file /sys/fs/cgroup/cpuset.cpus.effective "0-6\\n"
/^sample 1 /a\
file /sys/fs/cgroup/cpuset.cpus.effective "0-4,7\\n"'
	live -q -i 5 -n 3
	right cpus-exchanged 1
	made grep -o 'cpus* *[0-9].*'
	is cpus-exchanged-said "cpus 5-6 have gone, cpu7 has come: measuring 6 of 8 CPUs"
	machine -v samples=5 -v off=7:2-9
	edit '1a\
file /proc/self/cgroup "0::/\\n"\
file /sys/fs/cgroup/cpuset.cpus.effective "0-7\\n"
/^sample 2 /a\
file /sys/fs/cgroup/cpuset.cpus.effective !EIO
/^sample 3 /a\
file /sys/fs/cgroup/cpuset.cpus.effective "0-5\\n"'
	live -q -i 5 -n 4
	made grep -o 'cpu[0-9]* has.*'
	made paste -s -d , -
	is cpuset-unreadable-once "cpu7 has gone: measuring 7 of 8 CPUs,cpu6 has gone: measuring 6 of 7 CPUs"
	# a list that cannot be read says nothing
	machine -v samples=5
	edit '/^sample 2 /a\
file /sys/devices/system/cpu/online !EIO
/^sample 3 /a\
file /sys/devices/system/cpu/online "0-7\\n"'
	live -q -i 5 -n 4
	right online-unreadable 0
}

# The total of what two CPUs of a cpumask count for each package, while others come and go, or
# such a CPU itself does: what it has not counted is not known.
test_total()
{
	p=/sys/bus/event_source/devices/test
	for cpu in 7 5 1; do
		machine -v samples=6 -v off=$cpu:2-3
		{
			sed '/^sample 0/,$d' "$rec"
			printf 'file %s/type "42\n"\nfile %s/format/event "config:0-7\n"\nfile %s/cpumask "0-3\n"\n' $p $p $p
			sed -n '/^sample 0/,$p' "$rec" | awk '
				{ print }
				/^perf . msr 0 / { print "perf", $2, "test 1", ($5 - 5e11) / 1e9 * ($2 + 1) }'
		} >"$tmp/total" && mv "$tmp/total" "$rec"
		live -q -i 5 -n 5 --total --show CPU --add perf/test/event=1/,package,delta,X
		made awk -F'\t' '/^total/ { on = 1 } on && $2 != "" { print $1, $2 }'
		made paste -s -d ' ' -
		case $cpu in
		1)	echo "CPU X - nan 0 nan 2 350" ;;
		*)	echo "CPU X - 500 0 150 2 350" ;;
		esac >"$tmp/want"
		same "total-$cpu"
	done
	# a CPU that comes leads its core: the core's time is not that of the CPU
	machine -v samples=6 -v off=1:0-2
	live -q -i 5 -n 5 --total --per core --show CorWatt
	made awk '/^total/ { on = 1; next } on { print $NF }'
	cells
	is total-leader "CorWatt 10.00 1.00 2.00 3.00 4.00"
}

# A PMU has another CPU of the package count for it when its own goes, and from then on.
test_mask()
{
	p=/sys/bus/event_source/devices/a
	machine -v samples=6 -v off=1:2-3
	{
		sed '/^sample 0/,$d' "$rec"
		printf 'file %s/type "42\n"\nfile %s/format/event "config:0-7\n"\nfile %s/cpumask "1-2\n"\n' $p $p $p
		sed -n '/^sample 0/,$p' "$rec" | awk -v mask="file $p/cpumask" '
			{ print }
			/^perf . msr 0 / { print "perf", $2, "a 1", ($5 - 5e11) / 1e9 * ($2 + 1) }
			/^sample 2 / { print mask, "\"2,5\\n\"" }'
	} >"$tmp/mask" && mv "$tmp/mask" "$rec"
	live -q -i 5 -n 5 --show CPU --add perf/a/event=1/,package,delta,X
	made awk '$1 == 0 { print $2 }'
	made paste -s -d ' ' -
	is mask "20 nan 60 60 60"
}

# The CPU that leads a package goes, and comes back: a file of the user's goes on, an event that is
# opened on another CPU begins anew.
test_leader()
{
	p=/sys/bus/event_source/devices/a
	machine -v samples=7 -v off=0:2-3
	{
		sed '/^sample 0/,$d' "$rec"
		printf 'file %s/type "42\n"\nfile %s/format/event "config:0-7\n"\n' $p $p
		sed -n '/^sample 0/,$p' "$rec" | awk '
			{ print }
			/^sample / { printf "file /sys/x \"%d\\n\"\n", $2 * 7 }
			/^perf . msr 0 / { print "perf", $2, "a 1", ($5 - 5e11) / 1e8 * ($2 != 1) }'
	} >"$tmp/leader" && mv "$tmp/leader" "$rec"
	live -q -i 5 -n 6 --show CPU --add perf/a/event=1/,package,delta,X --add /sys/x,package,delta,Y
	made awk '/^[0-9]/ && NF == 3 && $1 != 2 { print $1 ":" $2 ":" $3 }'
	cells
	is leader "0:7:100 1:7:nan 1:7:0 4:7:nan 0:7:100 0:7:100"
}

# Where no sensor tells the package, the devices are those of the packages in their order: of all
# that are measured.
test_sensors()
{
	machine -v samples=5
	edit 's/68747541 444d4163 69746e65/756e6547 6c65746e 49656e69/
1a\
file /proc/self/cgroup "0::/\\n"\
file /sys/fs/cgroup/cpuset.cpus.effective "2-3,6-7\\n"\
file /sys/class/hwmon/hwmon0/name "coretemp\\n"\
file /sys/class/hwmon/hwmon0/temp2_label "Core 0\\n"\
file /sys/class/hwmon/hwmon0/temp2_input "40000\\n"\
file /sys/class/hwmon/hwmon1/name "coretemp\\n"\
file /sys/class/hwmon/hwmon1/temp2_label "Core 0\\n"\
file /sys/class/hwmon/hwmon1/temp2_input "50000\\n"
/^sample 2 /a\
file /sys/fs/cgroup/cpuset.cpus.effective "0-7\\n"'
	live -q -i 5 -n 4 --show CPU,CoreTmp
	made awk '$1 == 0 || $1 == 2 { print $1 ":" $2 }'
	made paste -s -d ' ' -
	is sensors "2:50 2:50 0:40 2:50 0:40 2:50"
	# of each package its own, however often they are looked up for other CPUs
	machine -v samples=7 -v off=7:2-3
	edit '1a\
file /sys/class/hwmon/hwmon0/name "k10temp\\n"\
file /sys/class/hwmon/hwmon0/temp1_label "Tctl\\n"\
file /sys/class/hwmon/hwmon0/temp1_input "40000\\n"\
file /sys/class/hwmon/hwmon0/temp3_label "Tccd1\\n"\
file /sys/class/hwmon/hwmon0/temp3_input "41000\\n"\
file /sys/class/hwmon/hwmon1/name "k10temp\\n"\
file /sys/class/hwmon/hwmon1/temp1_label "Tctl\\n"\
file /sys/class/hwmon/hwmon1/temp1_input "50000\\n"\
file /sys/class/hwmon/hwmon1/temp3_label "Tccd1\\n"\
file /sys/class/hwmon/hwmon1/temp3_input "51000\\n"'
	live -q -i 5 -n 6 --show CPU,PkgTmp,CcdTmp
	made awk '$1 == 0 || $1 == 2 { n[$1 ":" $2 ":" $3]++ } END { for (row in n) print row, n[row] }'
	made sort
	made paste -s -d , -
	is sensors-again "0:41:40 6,2:51:50 6"
	# a driver that has come back with its sensors in another order
	machine -v samples=6
	edit '1a\
file /sys/class/hwmon/hwmon0/name "zenpower\\n"\
file /sys/class/hwmon/hwmon0/temp1_label "Tdie\\n"\
file /sys/class/hwmon/hwmon0/temp1_input "40000\\n"\
file /sys/class/hwmon/hwmon0/temp2_label "Tccd1\\n"\
file /sys/class/hwmon/hwmon0/temp2_input "60000\\n"
/^sample 2 /a\
file /sys/class/hwmon/hwmon0/temp1_input !ENODEV
/^sample 3 /a\
file /sys/class/hwmon/hwmon0/temp1_label "Tccd1\\n"\
file /sys/class/hwmon/hwmon0/temp1_input "60000\\n"\
file /sys/class/hwmon/hwmon0/temp2_label "Tdie\\n"\
file /sys/class/hwmon/hwmon0/temp2_input "42000\\n"'
	live -q -i 5 -n 5 -S --show PkgTmp
	cells
	is sensors-in-another-order "PkgTmp 40 nan 42 42 42"
}

# Zones of powercap that have changed their numbers when they are back.
test_zones()
{
	machine -v samples=7
	awk '
	function zone(z, p) {
		z = "/sys/class/powercap/intel-rapl:" z
		printf "file %s/name \"package-%d\\n\"\nfile %s/max_energy_range_uj \"262143328850\\n\"\n", z, p, z
		printf "file %s/energy_uj \"%d\\n\"\n", z, (n + 1) * 100e6 * (p + 1)
	}
	/devices.power\/|^perf [0-9]* power / { next }
	{ print }
	/^sample / { n = $2 }
	/^sample 2 / { for (z = 0; z < 2; z++) print "file /sys/class/powercap/intel-rapl:" z "/energy_uj !ENODEV" }
	NR == 1 || /^sample [013-9] / { zone(n < 3 ? 0 : 1, 0); zone(n < 3 ? 1 : 0, 1) }' "$rec" >"$tmp/edited" && mv "$tmp/edited" "$rec"
	live -q -i 5 -n 6 --show CPU,PkgWatt
	made awk '$1 == 0 || $1 == 2 { row[$1] = row[$1] " " $2 } END { print row[0] "," row[2] }'
	is zones " 20.00 nan nan 20.00 20.00 20.00, 40.00 nan nan 40.00 40.00 40.00"
}

# ends: when the intervals of what is printed ended, in seconds after the first sample
ends()
{
	made awk '/^[0-9]+\./ && $2 != "sec" { printf "%s%d", n++ ? " " : "", $1 - 1700000000 } END { print "" }'
}

# Stopped for longer than an interval: what was missed is left out, the beat stays, and the
# numbers are those of the time that has passed.  The time of day may be set meanwhile.
test_late()
{
	machine -v samples=7 -v late=3
	edit '1a\
x-late'
	set -- -q -i 5 --show Time_Of_Day_Seconds,CPU,Bzy_MHz,Busy%,TSC_MHz,CorWatt,PkgWatt
	live "$@" -n 5
	right late 0
	live "$@" -n 5 -S
	ends
	is late-beat "5 10 27 30 35"
	# the end is due in the meantime: one interval, until now
	live "$@" --timeout 12 -S --total
	ends
	is late-timeout "5 10 27 27"
	edit '/^sample [4-6] /s/ 17/ 14/'
	live "$@" -n 5
	right late-clock-set 0
	# a register of energy that was not read in between may have wrapped
	rec=$tmp/rec
	sed '1a\
x-late' tests/golden/ticks/machine.rec >"$rec"
	live -q -S -i 600 -n 2 --show PkgWatt,Busy%
	sort "$tmp/got" >"$tmp/ends" && mv "$tmp/ends" "$tmp/got"
	printf '25.00\tnan\n25.00\tnan\nBusy%%\tPkgWatt\n' >"$tmp/want"
	echo "turbostat: energy counters were not read for so long that they may have wrapped unseen" >>"$tmp/want"
	same late-unread
}

# Ticks while a command runs: energy that wraps meanwhile is what an interval of that length has.
test_command()
{
	rec=$tmp/rec
	sed 's/^sample 1 .*/sample 1 1700000603.700000000 703.700000000/' tests/golden/ticks/machine.rec >"$rec"
	live -q -i 603.7 -n 1
	mv "$tmp/got" "$tmp/want"
	live -q sleep 0.1
	sed -i '/ sec$/d' "$tmp/got"
	same command-ticks
	# it ends while the first sample is taken
	machine -v samples=4
	edit '/^sample 1 /a\
x-child'
	live -q --delay 5 sh -c 'sleep 0.3; exit 3'
	echo "exit $?" >"$tmp/status"
	right command-short 0
	sed -n '/ sec$/p' "$tmp/got" >>"$tmp/status"
	mv "$tmp/status" "$tmp/got"
	printf 'exit 3\n5.000000 sec\n' >"$tmp/want"
	same command-short-time
	# --timeout counts from the end of --delay
	machine -v samples=9
	live -q -i 5 -S --delay 10 --timeout 15 --show Time_Of_Day_Seconds
	made paste -s -d ' ' -
	is timeout-after-delay 'Time_Of_Day_Seconds 1700000015.000000 1700000020.000000 1700000025.000000'
}

# said NAME: is what is printed, but for the notes, this text?
said()
{
	cat >"$tmp/want"
	made grep -v '^turbostat: '
	same "$1"
}

# Lines of --control while a CPU goes and comes back: what lies between them is the sum of what
# every interval has counted on the CPUs that were there.
test_control()
{
	machine -v samples=9 -v off=5:3-4
	edit '/^sample 1 /a\
x-say begin a
/^sample 2 /a\
x-say begin b
/^sample 3 /a\
x-say begin c
/^sample 5 /a\
x-say sample phase
/^sample 6 /a\
x-say end b
/^sample 7 /a\
x-say end a
/^sample 8 /a\
x-say begin d\
x-say stop'
	mkfifo "$tmp/say"
	SIM_SAY=$tmp/say
	export SIM_SAY
	columns=Time_Of_Day_Seconds,Busy%,IRQ,CorWatt,PkgWatt
	live -q -i 1000 -S --control "fifo:$tmp/say" --show $columns --record "$tmp/recorded"
	cp "$tmp/got" "$tmp/notes"
	said control-cpus <<-'END'
	Time_Of_Day_Seconds	Busy%	IRQ	CorWatt	PkgWatt
	1700000025.000000	43.78	1620	10.00	60.00
	1700000040.000000	45.00	1080	10.00	60.00

	Region	Calls	Seconds	Time_Of_Day_Seconds	Busy%	IRQ	CorWatt	PkgWatt
	a	1	30.000000	1700000035.000000	44.00	1980	10.00	60.00
	b	1	20.000000	1700000030.000000	43.45	1260	10.00	60.00
	c	1	25.000000	1700000040.000000	44.21	1680	10.00	60.00
	d	1	0.000000	1700000040.000000	nan	nan	nan	nan
	END
	grep -o 'cpu5 has [a-z]*' "$tmp/notes" | paste -s -d ' ' - >"$tmp/got"
	is control-follows "cpu5 has gone cpu5 has come"
	rec=$tmp/recorded
	cp "$tmp/notes" "$tmp/got"
	replay -q -S --show $columns
	same control-recorded
	rec=$tmp/rec
	# the beat goes on, but for the one that asks for an interval
	live -q -i 10 -S --control "fifo:$tmp/say" --show Time_Of_Day_Seconds
	made sed '/^$/,$d'
	ends
	is control-beat "10 20 25 35 40"
	# that one has a name, no other
	live -q -i 10 -S --json --control "fifo:$tmp/say" --show IRQ
	made sed -n 's/.*"type":"interval".*"name":\([^,]*\),.*/\1/p'
	made paste -s -d ' ' -
	is control-label 'null null "phase" null null'
	# only regions are printed; the samples are taken, and so many intervals are still the end
	live -q -i 10 -n 3 -S --total --delay -1 --control "fifo:$tmp/say" --show Time_Of_Day_Seconds
	made cut -f1-3
	said control-only-regions <<-'END'
	Region	Calls	Seconds
	a	1	20.000000
	b	1	15.000000
	c	1	10.000000
	END
	# a line that is there when the process has ended, which is a child that nobody waits for
	machine
	edit '1a\
x-say begin a'
	SIM=$rec TURBOSTAT=$PWD/build/sim sh -c 'true & exec "$0" "$@" --pid $!' "$program" -q -S --control "fifo:$tmp/say" \
		--show IRQ >"$tmp/got" 2>&1 </dev/null
	unset SIM_SAY
	made grep -v '^turbostat: '
	made sed -n '$p'
	made cut -f1,2
	printf 'a\t1\n' >"$tmp/want"
	same control-last
}

# again NAME ARGUMENTS...: is what a replay prints what was printed while it was recorded?
again()
{
	what=$1
	shift
	live_whole -q --record "$tmp/recorded" "$@"
	rec=$tmp/recorded
	replay -q "$@"
	rows 1
	same "$what" .rows
}

# What happens while it is recorded happens in the replay at the same place.
test_again()
{
	# events that are lost, and opened anew, do not go on
	for name in perf-hybrid zen4; do
		rec=$tmp/rec
		sed '/^sample 1 /a\
x-blink 2' tests/golden/$name/machine.rec >"$rec"
		again "again-blink-$name" --enable all
	done
	# a CPU goes at the start: its events could be opened, its files too
	rec=$tmp/rec
	sed '/^sample 0 /a\
x-pass cpu 2 !EINVAL
/^sample 1 /a\
cpu 2 ok' tests/golden/kvm-guest/machine.rec >"$rec"
	again again-unread --enable all
	# a CPU goes when all has been laid out anew since another came: its siblings keep their ids
	for cpu in 1 2 5; do
		rec=$tmp/rec
		sed '/^sample 0 /i\
file /sys/devices/system/cpu/online "0-6\\n"
/^sample 1 /a\
file /sys/devices/system/cpu/online "0-7\\n"\
x-pass cpu '$cpu' !EINVAL' tests/golden/zen2/machine.rec >"$rec"
		again "again-gone-$cpu" --enable all
	done
	# a file that can be opened, not read
	rec=$tmp/rec
	sed '/^sample 0 /a\
x-pass file /sys/devices/system/cpu/cpu0/cpuidle/state1/time !EIO' tests/golden/kvm-guest/machine.rec >"$rec"
	again again-unreadable --enable all
	# a CPU that cannot be moved to when it comes has its own ids later
	rec=$tmp/rec
	sed '/^sample 3 /a\
file /sys/devices/system/cpu/online "0-3\\n"' tests/golden/cpu-vanishes/machine.rec >"$rec"
	again again-late --enable all
	rec=$tmp/rec
	live -q -i 5 -n 5 --show CPU,X2APIC
	made awk '$1 == 3 { print $2 }'
	made sort -u
	is again-late-id 0x6
	# so has one that could not at the start
	sed '1a\
cpu 1 !ENXIO
/^sample 1 /a\
cpu 1 ok' tests/golden/zen2/machine.rec >"$rec"
	again again-late-start --enable all
	rec=$tmp/rec
	live -q -i 5 -n 2 --show CPU,X2APIC
	made awk '$1 == 1 { print $2 }'
	made sort -u
	is again-late-start-id 0x2
	rec=$tmp/rec
	sed '1a\
cpu 1 !ENXIO' tests/golden/perf-server/machine.rec >"$rec"
	again again-never --enable all
	# a file that cannot be read while all is laid out anew
	machine -v samples=6
	edit '1a\
file /sys/devices/system/cpu/cpu0/thermal_throttle/core_throttle_count "3\\n"
/^sample 0 /i\
file /sys/devices/system/cpu/online "0-6\\n"
/^sample 2 /a\
file /sys/devices/system/cpu/online "0-7\\n"\
x-pass file /sys/devices/system/cpu/cpu0/thermal_throttle/core_throttle_count !EIO
/^sample 3 /a\
file /sys/devices/system/cpu/cpu0/thermal_throttle/core_throttle_count "5\\n"'
	again again-unreadable-once --enable all
}

# Every machine of tests/golden, of which CPUs come, go and blink, and what is read is refused.
test_fate()
{
	each fate
}
fate()
{
	# of cpuset all CPUs may go
	if ! last_cpu || [ "$name" = cpuset ] || [ "$status" != none ]; then
		return
	fi
	for seed in 1 2; do
		rec=$tmp/rec
		awk -v seed="$seed$name" -v last="$last" -f tests/sim/fate.awk "$original" >"$rec"
		again "fate-$name-$seed" --enable all
	done
}

# The machine whose rates are known, and all of that: what is printed is right, or nan.
test_truth()
{
	for seed in 1 2 3 4 5 6 7 8 9 10 76 100 134 185 200; do
		machine -v samples=9
		awk -v seed="true$seed" -v last=7 -v masks=1 -f tests/sim/fate.awk "$rec" >"$tmp/fate" && mv "$tmp/fate" "$rec"
		live -q -i 5 -n 8
		sed -i '/^sim: kept open and not read: /d' "$tmp/got"
		right "truth-$seed" 10000
	done
}

# A CPU goes and comes back within an interval: its events have not counted to the end.
test_blink()
{
	for cpu in 1 4 7; do
		machine -v samples=6
		edit "/^sample 3 /a\\
x-blink $cpu
"
		live -q -i 5 -n 5
		right "blink-$cpu" 8
	done
	# then the machine sleeps: how long is told by what the event has counted since
	machine -v samples=6
	edit '/^sample 3 /a\
x-blink 0'
	awk '/^sample [45]/ { $5 = $4; $6 = sprintf("%.9f", $4 + 1) } { print }' "$rec" >"$tmp/edited" && mv "$tmp/edited" "$rec"
	live -q -i 5 -n 5
	right blink-asleep 8
	# a sleep in which the TSC goes on is no suspend, in a replay that shows nothing of the TSC either
	machine -v samples=5
	awk '/^sample [2-4]/ { $3 = sprintf("%.9f", $3 + 4); $5 = $4; $6 = sprintf("%.9f", $4 + 4); slept = 8e9 }
		/^tsc / || /^perf . msr 0 / { $NF = sprintf("%.0f", $NF + slept) } { print }' "$rec" >"$tmp/edited" && mv "$tmp/edited" "$rec"
	live -q -i 5 -n 4 --record "$tmp/recorded" --show PkgWatt -S
	mv "$tmp/got" "$tmp/asleep"
	rec=$tmp/recorded
	replay -q --show PkgWatt -S
	mv "$tmp/asleep" "$tmp/got"
	same blink-sleep-replayed
	made sed -n 3p
	is blink-sleep 33.33
	# the program has been thrown out of the only one, and goes there again
	machine -v samples=6
	edit '1a\
file /proc/self/cgroup "0::/own\\n"\
file /sys/fs/cgroup/own/cpuset.cpus.effective "7\\n"
/^tsc [0-6] /d
/^sample 3 /a\
x-blink 7'
	live -q -i 5 -n 5 --no-perf --show CPU,TSC_MHz
	made awk '$1 == 7 { print $2 }'
	made paste -s -d ' ' -
	is blink-thrown-out "2000 2000 2000 2000 2000"
}

# The attributes of an event: every configuration in its place.
test_configurations()
{
	machine -v samples=3
	p=/sys/bus/event_source/devices/test
	{
		sed '/^sample 0/,$d' "$rec"
		printf 'file %s/type "42\\n"\nfile %s/format/a "config:0-7\\n"\nfile %s/format/b "config1:0-7\\n"\n' $p $p $p
		printf 'file %s/format/c "config2:0-7\\n"\nfile %s/format/d "config3:0-7\\n"\n' $p $p
		sed -n '/^sample 0/,$p' "$rec" | awk '
			/^tsc/ && $2 == 0 { n++; print "perf 0 test 1,2,3,4 " 100 * n; print "perf 0 test 1,0,3 " 1000 * n; print "perf 0 test 1 " 10000 * n; print "perf 0 test 0,0,0,4 " 7 * n }
			{ print }'
	} >"$tmp/configurations"
	mv "$tmp/configurations" "$rec"
	set -- --cpu 0 --show CPU --add perf/test/a=1,b=2,c=3,d=4/,delta,cpu,A --add perf/test/a=1,c=3/,delta,cpu,B \
		--add perf/test/a=1/,delta,cpu,C --add perf/test/d=4/,delta,cpu,D
	live -q -i 5 -n 1 --record "$tmp/recorded" "$@"
	rec=$tmp/recorded
	replay -q "$@"
	same configurations-recorded
	made awk -F'\t' '$1 == "CPU" { a = $2; b = $3; c = $4; d = $5 } $1 == "0" { print a, $2, b, $3, c, $4, d, $5 }'
	is configurations "D 7 C 10000 B 1000 A 100"
}

# Energy registers that wrap: over 4 passes from one reading to the next their difference is known, over
# 5 it is not.
test_passes()
{
	for unread in 3 4; do
		rec=$tmp/rec
		awk -v n=$unread '
		/^tick/ {
			skip = 1
			for (; n > 0; n--)
				print "tick\nmsr 0 611 !EIO\nmsr 0 639 !EIO\nmsr 0 641 !EIO\ndone"
		}
		!skip { print }
		/^done/ { skip = 0 }
		/^sample 2/ { exit }' tests/golden/ticks/machine.rec >"$rec"
		replay -q -S -n 1 --show PkgWatt
		mv "$tmp/want" "$tmp/got"
		cells
		mv "$tmp/got" "$tmp/passes.$unread"
	done
	cat "$tmp/passes.3" "$tmp/passes.4" >"$tmp/got"
	cells
	is passes "PkgWatt 263.09 PkgWatt nan"
}

# perf's names of events, tracepoints and modes: what arrives at the kernel.
test_perf_names()
{
	machine -v samples=3
	{
		sed '/^sample 0/,$d' "$rec"
		printf 'file /sys/kernel/debug/tracing/events/sched/sched_switch/id "315\\n"\n'
		printf 'file /sys/bus/event_source/devices/cpu/type "4\\n"\n'
		sed -n '/^sample 0/,$p' "$rec" | awk '
			/^tsc/ && $2 == 0 {
				n++
				for (i = 0; i < 10; i++) printf "perf 0 hw %x %d\n", i, n * (100 + i)
				for (i = 0; i < 12; i++) printf "perf 0 software %x %d\n", i, n * (200 + i)
				printf "perf 0 tracepoint 13b %d\nperf 0 hw:u 1 %d\nperf 0 hw:k 1 %d\n", n * 300, n * 301, n * 302
				printf "perf 0 cpu:u c0 %d\nperf 0 cpu c0 %d\nperf 0 software:k 2 %d\nperf 0 software:u 6 %d\n", n * 303, n * 304, n * 305, n * 306
			}
			{ print }'
	} >"$tmp/events"
	mv "$tmp/events" "$rec"
	set --
	for event in cpu-cycles cycles instructions cache-references cache-misses branch-instructions branches \
		     branch-misses bus-cycles stalled-cycles-frontend idle-cycles-frontend stalled-cycles-backend \
		     idle-cycles-backend ref-cycles cpu-clock task-clock page-faults faults context-switches cs \
		     cpu-migrations migrations minor-faults major-faults alignment-faults emulation-faults cgroup-switches \
		     sched:sched_switch instructions,user,I:u instructions,kernel,I:k cpu/config=0xc0/,user,C:u \
		     cpu/config=0xc0/,C page-faults,kernel,P:k major-faults,user,M:u; do
		set -- "$@" --add "perf/$event"
	done
	live -q -i 5 -n 1 --cpu 0 --show CPU "$@" --record "$tmp/recorded"
	rec=$tmp/recorded
	replay -q --cpu 0 --show CPU "$@"
	same perf-names-recorded
	made awk -F'\t' '
		$1 == "CPU" { n = split($0, name) }
		$1 == "0" { for (i = n; i > 1; i--) printf("%s %s%s", name[i], $i, i > 2 ? " " : "\n") }'
	is perf-names "cpu-cycles 100 cycles 100 instructions 101 cache-references 102 cache-misses 103 branch-instructions 104 \
branches 104 branch-misses 105 bus-cycles 106 stalled-cycles-frontend 107 idle-cycles-frontend 107 \
stalled-cycles-backend 108 idle-cycles-backend 108 ref-cycles 109 cpu-clock 200 task-clock 201 page-faults 202 \
faults 202 context-switches 203 cs 203 cpu-migrations 204 migrations 204 minor-faults 205 major-faults 206 \
alignment-faults 207 emulation-faults 208 cgroup-switches 211 sched:sched_switch 300 I:u 301 I:k 302 C:u 303 C 304 \
P:k 305 M:u 306"
}

# A command's own counters: the attributes of their events, the values that they are read as.
test_tasks()
{
	p=/sys/bus/event_source/devices
	machine -v samples=3
	edit "/^sample 0 /i\\
perf task software 1 0\\
perf task software 3 0\\
perf task software:u 2 0\\
perf task power 2 !EINVAL\\
file $p/power/events/energy-pkg \"event=0x02\\\\n\"\\
file $p/power/format/event \"config:0-7\\\\n\"
/^sample 1 /a\\
perf task software 1 1500000000 1500000000 1500000000\\
perf task software 3 77 1500000000 1500000000\\
perf task software:u 2 46 1500000000 1500000000"
	set -- -q -S --show TSC_MHz --add perf/task-clock,task,scale=1e-9,CPU_s --add perf/cs,task,rate \
		--add perf/page-faults,user,task,PF --add perf/power/energy-pkg,task,PJ
	cp "$rec" "$tmp/unchanged"
	SIM_TASKS=1
	export SIM_TASKS
	live --record "$tmp/recorded" "$@" true
	cp "$tmp/got" "$tmp/saved"
	made sed -n '/^sim: /p'
	cat >"$tmp/want" <<-END
		sim: self: type 1 config 1 from exec
		sim: self: type 1 config 3 from exec
		sim: self: type 1 config 2 from exec no kernel no hypervisor
		sim: self: type 10 config 2 from exec
		sim: task: type 1 config 1 from exec
		sim: task: type 1 config 3 from exec
		sim: task: type 1 config 2 from exec no kernel no hypervisor
	END
	same task-attributes
	cp "$tmp/saved" "$tmp/got"
	made sed '/^sim: /d'
	printf '5.000000 sec\nTSC_MHz\tPF\tcs\tCPU_s\n2000\t46\t15.40\t1.50\nturbostat: --add PJ: perf power/energy-pkg/, task: its PMU counts no tasks\n' >"$tmp/want"
	same task-values
	rec=$tmp/recorded
	into=got replay "$@"
	same task-replayed
	# a clock is opened without the kernel where it is refused with it, others say what they need
	sed '1a\
x-paranoid' "$tmp/unchanged" >"$tmp/paranoid"
	rec=$tmp/paranoid
	live "$@" true
	cp "$tmp/got" "$tmp/saved"
	made sed -n '/^sim: task/p'
	cat >"$tmp/want" <<-END
		sim: task: type 1 config 1 from exec no kernel no hypervisor
		sim: task: type 1 config 2 from exec no kernel no hypervisor
	END
	same task-paranoid
	unset SIM_TASKS
}

# Registers: what a read of 4 bytes gives is no value; the device of a CPU that is gone is closed.
test_registers()
{
	rec=$tmp/rec
	sed '/^sample 2 /a\
x-short msr 1 3fd' tests/golden/cpu-vanishes/machine.rec >"$rec"
	live -q -i 5 -n 5
	mv "$tmp/got" "$tmp/short"
	sed '/^sample 2 /,$s/^msr 1 3fd .*/msr 1 3fd !EIO/' tests/golden/cpu-vanishes/machine.rec >"$rec"
	replay -q
	mv "$tmp/short" "$tmp/got"
	same registers-short
}

# few N ARGUMENTS...: as live, with no more than N descriptors, of which the tests' own are none
few()
{
	most=$1
	shift
	SIM=$rec SIM_STRICT=1 ALONE=1 TURBOSTAT=$PWD/build/sim sh -c "ulimit -n $most; "'exec "$@"' sh "$program" "$@" >"$tmp/got" 2>&1 </dev/null
}

# Few descriptors: the soft limit is raised; where the hard one does not let it, idle states are
# left out, then throttle counts, then what hwmon has.  Registers and all else print the same.
test_limits()
{
	machine -v samples=4
	replay -q
	(ulimit -Sn 20; live -q -i 5 -n 3)
	same limits-raised
	rec=tests/golden/v01-kabylake/machine.rec
	know
	idle='POLL%,C1%,C1E%,C3%,C6%,C7s%,C8%,C9%,C10%'
	while read -r n lost; do
		replay -q --hide "$lost"
		few "$n" -q -i "$interval" -n $((samples - 1))
		made grep -v '^turbostat: too few file descriptors: no .*; ulimit -n 65536$'
		same "limits-v01-kabylake-$n"
		# a replay has the same columns: not idle states that stand still
		[ "$n" != 26 ] || continue	# throttle counts are recorded for --explain clock
		few "$((n + 2))" -q -i "$interval" -n $((samples - 1)) --record "$tmp/few"
		mv "$tmp/got" "$tmp/live"
		"$program" -q --replay "$tmp/few" >"$tmp/want" 2>&1
		mv "$tmp/live" "$tmp/got"
		same "limits-v01-kabylake-$n-replayed"
	done <<-END
	26 $idle,CoreThr
	32 $idle
	48 ${idle%,*,*}
	96 POLL%
	END
	few 24 -q -i 5 -n 1 --show C1,C3%,C6%
	made sed -n 1p
	is limits-note "turbostat: too few file descriptors: no 'C3%', 'C6%'; ulimit -n 65536"
	rec=tests/golden/pmt-clearwater/machine.rec
	replay -q
	know
	few 22 -q -i "$interval" -n $((samples - 1))
	same limits-pmt-clearwater-22
	# without descriptors for registers that is the cause
	rec=tests/golden/v01-kabylake/machine.rec
	few 9 -q -i 5 -n 1 --show IRQ,SMI
	made sed -n 1p
	is limits-registers "turbostat: too few file descriptors: no 'SMI'; ulimit -n 65536"
	# CPUs that come and go are seen, too
	machine -v samples=7 -v off=5:2-3
	for n in 9 11 14 22; do
		few $n -q -i 5 -n 6 --show CPU
		made grep -o 'cpu5 has.*'
		printf 'cpu5 has gone: measuring 7 of 8 CPUs\ncpu5 has come: measuring 8 of 8 CPUs\n' >"$tmp/want"
		same limits-hotplug-$n
	done
	# a file of the user's is kept open with the user's rights, or has no column
	machine -v samples=3
	edit '1a\
file /sys/x "7\\n"'
	# shellcheck disable=SC2046	# words
	few 24 -q -i 5 -n 1 -S --show IRQ $(seq 12 | sed 's,.*,--add /sys/x\,average\,N&,')
	made awk '
	/^turbostat: --add/ { refused = gsub(/ N/, "") + (match($0, /and [0-9]+/) ? substr($0, RSTART + 4, RLENGTH - 4) : 0) }
	/^turbostat: |^sim: |^IRQ/ { next }
	{ for (i = 2; i <= NF; i++) n[$i]++ }
	END { print (refused > 0), (n[7] > 0), refused + n[7], n["nan"] + 0 }'
	is limits-of-user "1 1 12 0"
	: >"$tmp/want"
	rec=tests/golden/perf-server/machine.rec
	know
	for n in 16 24 32; do	# events are missing then, but nothing is forgotten
		few $n -q -i "$interval" -n 1
		made grep '^sim: '
		same "limits-events-$n"
	done
}

# A file of the user's that has no number is closed again.
test_added()
{
	machine -v samples=3
	set -- --show CPU --add /proc/interrupts,delta,cpu,A --add /sys/bus/event_source/devices/msr/type,average,package,B
	replay -q "$@"
	live -q -i 5 -n 2 "$@"
	same added
	# why an event is not there; who lacks a right is told how to get it
	device=/sys/bus/event_source/devices/test
	for t in ENOENT/'No such file or directory' EINVAL/'Invalid argument' E2BIG/'perf test/a=1/: this kernel does not support config3' \
		EACCES/'perf events need CAP_PERFMON; sudo setcap cap_perfmon=ep PROGRAM' \
		EPERM/'perf events need CAP_PERFMON; sudo setcap cap_perfmon=ep PROGRAM'; do
		machine
		edit "1a\\
file /proc/self/status \"Name:\\\\tx\\\\nUid:\\\\t1000\\\\t1000\\\\nCapEff:\\\\t0\\\\n\"\\
file $device/type \"42\\\\n\"\\
file $device/format/a \"config:0-7\\\\n\"\\
$(printf "perf %d test 1 !${t%%/*}\\\\\n" 0 1 2 3 4 5 6)
perf 7 test 1 !${t%%/*}"
		live -q -i 5 -n 1 -S --show IRQ --add perf/test/a=1/,N --record "$tmp/recorded"
		made sed -n "/^turbostat: --add N: /{ s///; s|'\{0,1\}$PWD/build/sim'\{0,1\}|PROGRAM|; p; }"
		case $t in
		E2BIG/*)	is "added-${t%%/*}" "${t#*/}" ;;
		*)		is "added-${t%%/*}" "perf test/a=1/: ${t#*/}" ;;
		esac
		sed -n 's/^perf 0 test 1 //p' "$tmp/recorded" >"$tmp/got"
		is "added-recorded-${t%%/*}" "!${t%%/*}"
	done
}

# What is read for the recording alone may fail: nothing that is shown is missing by that.
test_unread()
{
	rec=$tmp/rec
	sed 's/^sample 1 .*/&\
msr 1 e7 !EIO/; /^sample 1 /,$ { /^msr 1 e7 [0-9]/d; }' tests/sources/client.rec >"$rec"
	live -q -i 1 -n 1 --record "$tmp/recorded" --show CPU,Busy%
	made grep -o 'cpu[0-9]: nan in.*'
	printf '' >"$tmp/want"
	same unread
	grep -c '^msr 1 e7 ' "$tmp/recorded" >"$tmp/got"	# perf counts it, and is recorded alone
	is unread-recorded 0
	live -q -i 1 -n 1 --record "$tmp/recorded" --show CPU,Busy% --no-perf
	made grep -o 'cpu[0-9]: nan in.*'
	is unread--no-perf "cpu1: nan in 'Busy%': MSR 0xe7: Input/output error"
	grep '^msr 1 e7 !' "$tmp/recorded" >"$tmp/got"
	is unread--no-perf-recorded "msr 1 e7 !EIO"
}

# The remarks at a recording's head say on which processor it was made.
test_remarks()
{
	rec=$tmp/rec
	sed '1a\
cpuid * 80000000 0 80000004 0 0 0\
cpuid * 80000002 0 65542020 70207473 65636f72 726f7373\
cpuid * 80000003 0 33213220 35243420 37263620 39283820\
cpuid * 80000004 0 42004120 00000000 00000000 00000000' tests/golden/v01-kabylake/machine.rec >"$rec"
	live -q -i 5 -n 1 --record "$tmp/recorded"
	grep -c '^clock [0-9]* 0\.' "$tmp/recorded" >"$tmp/got"
	is recorded-clocks 0
	sed -n 's/^# processor: //p' "$tmp/recorded" >"$tmp/got"
	is remarks "Test processor 2!3 4\$5 6&7 8(9 A"
	# some leaves beyond the last one answer too
	edit 's/^cpuid . 80000000 .*/cpuid * 80000000 0 80000003 0 0 0/'
	live -q -i 5 -n 1 --record "$tmp/recorded"
	sed -n '/^# processor/p' "$tmp/recorded" >"$tmp/got"
	is remarks-none "# processor: "
}

# A guess is told with the header, and not without it, though a recording has what is read for it.
test_guess()
{
	rec=$tmp/rec
	sed 's/^msr 0 1a2 .*/msr 0 1a2 !EIO/' tests/golden/v04-haswell/machine.rec >"$rec"
	for guesses in 1 0; do
		set -- -i 5 -n 1 --record "$tmp/recorded"
		[ $guesses -eq 1 ] || set -- -q "$@"
		live "$@"
		made grep -c 'cannot read TjMax'
		is "guess-$guesses" $guesses
	done
}

# MSR devices where Android has them; devices that are there when root has loaded the driver.
test_devices()
{
	for what in android modprobe; do
		rec=tests/golden/v01-kabylake/machine.rec
		replay -q
		sed "1a\\
x-$what" "$rec" >"$tmp/rec"
		rec=$tmp/rec
		live -q -i 5 -n 2
		[ $what = android ] || sed -i '1i\
sim: modprobe has loaded the driver' "$tmp/want"
		same "$what"
	done
	# those that Android has may be refused
	sed '1a\
x-android
/^msr /d
/^sample 0 /i\
msr * * !EACCES' tests/golden/v01-kabylake/machine.rec >"$tmp/android"
	rec=$tmp/android
	live --explain
	grep -o 'registers are refused\|no msr driver' "$tmp/got" >"$tmp/said"
	mv "$tmp/said" "$tmp/got"
	echo "registers are refused" >"$tmp/want"
	same android-refused
	rec=$tmp/rec
	# who needs no register does not ask for the driver
	live -q -i 5 -n 2 --show CPU,IRQ
	made grep 'modprobe'
	: >"$tmp/want"
	same modprobe-not-asked
	# nor does somebody whom a setuid binary makes root
	edit '1a\
x-setuid'
	live -q -i 5 -n 2
	made grep 'modprobe'
	same modprobe-not-roots
}

# The driver is loaded for columns that have a register here, and for the header.
test_files()
{
	while read -r loads words; do
		rec=$tmp/rec
		sed "1a\\
x-modprobe" tests/golden/no-msr-driver/machine.rec >"$rec"
		live -q -i 5 -n 1 $words
		made grep -c 'modprobe has loaded'
		is "files-$words" "$loads"
	done <<-'END'
	0 --show CPU,IRQ,GFX%rc6
	1 --show PkgWatt
	1 --show CPU --add msr0x610
	1 --show CPU --record /dev/null
	1
	END
}

# Without a list of a cache's CPUs, its id is read from each of the 24.
test_caches()
{
	rec=$tmp/rec
	awk '
	function file(c, path, text) { printf "file /sys/devices/system/cpu/%s%s \"%s\\n\"\n", c, path, text }
	BEGIN {
		print "turbostat-recording 1\ncpuid * 0 0 00000010 68747541 444d4163 69746e65"
		print "cpuid * 1 0 00a10f11 00080800 7ed8320b 178bfbff\ncpuid * 6 0 00000004 00000000 00000001 00000000"
		file("", "online", "0-23")
		for (c = 0; c < 24; c++) {
			file("cpu" c, "/topology/physical_package_id", 0)
			file("cpu" c, "/topology/package_cpus_list", "0-23")
			file("cpu" c, "/topology/core_id", c)
			file("cpu" c, "/topology/core_cpus_list", c)
			file("cpu" c, "/cache/index3/id", c < 7 ? 3 : c < 8 ? 4 : c < 21 ? 5 : c < 22 ? 6 : 9)
		}
		for (s = 0; s < 2; s++) {
			printf "sample %d %d.000000000 %d.000000000\n", s, 1700000000 + s, 100 + s
			for (c = 0; c < 24; c++)
				printf "tsc %d %d\n", c, 1000000000 * (s + 1)
		}
		print "end"
	}' >"$rec"
	live -q -i 1 -n 1 --show L3,CPU
	made awk '$1 ~ /^[0-9]+$/ { print $1 }'
	made uniq -c
	made awk '{ print $2 ":" $1 }'
	made paste -s -d ' ' -
	is caches "3:7 4:1 5:13 6:1 9:2"
}

# process NAME CMDLINE WORDS: what is told of the process of --pid that has this command line
process()
{
	machine
	printf 'file /proc/%d/cmdline "%s"\n' $$ "$2" >"$tmp/cmdline"
	edit "1r $tmp/cmdline"
	live -q -S --show IRQ --json --pid $$ --timeout 5
	made sed -n 's/.*"seconds":5,.*"command":\([^]]*]\),.*"IRQ":360}}$/\1/p'
	is "process-$1" "$3"
}

# Its words; its number if it has none, as threads of the kernel.
test_process()
{
	process words 'a\x00b c\x00' '["a","b c"]'
	process none '' "[\"$$\"]"
}

# cause NAME COLUMN UID CAPABILITIES WHY LINE...: why the column, behind which options may stand, is absent on the
# machine $rec to this user, where these lines of the recording hold as well, and with which remedy
cause()
{
	name=$1
	column=$2
	why=$5
	status="Name:\\\\tx\\\\nUid:\\\\t1000\\\\t$3\\\\t0\\\\t0\\\\nCapEff:\\\\t$4\\\\n"
	shift 5
	original=$rec
	for line; do
		printf '/^sample 0 /i\\\n%s\n' "$line"
	done >"$tmp/script"
	sed "s,^file /proc/self/status .*,file /proc/self/status \"$status\"," "$original" | sed -f "$tmp/script" >"$tmp/own"
	rec=$tmp/own
	# shellcheck disable=SC2086	# words
	live --explain --show $column
	rec=$original
	made sed -n "2{s|'\{0,1\}$PWD/build/sim'\{0,1\}|PROGRAM|; p;}"
	made tr -d '\t'
	is "cause-$name" "$why"
}

# What would help can be pasted into a shell, wherever the program lies.
test_pasted()
{
	rec=tests/golden/msr-eacces/machine.rec
	for dir in plain 'a b$c'; do
		mkdir -p "$tmp/$dir"
		ln "$PWD/build/sim" "$tmp/$dir/sim" || return
		SIM=$rec "$tmp/$dir/sim" -n 1 --show CPU,Busy%,PkgWatt >"$tmp/got" 2>&1 </dev/null
		made sed -n 's/^turbostat: .*; sudo setcap cap_perfmon=ep //p'
		eval "set -- $(sed 1q "$tmp/got")"
		printf '%s\n' "$# $1" >"$tmp/got"
		is "pasted-$dir" "1 $PWD/$tmp/$dir/sim"
	done
}

# Who may not read what, and what would help: by the user, the capabilities and the kernel.
test_causes()
{
	rec=$tmp/machine
	sed '/^msr /d' tests/golden/v04-haswell/machine.rec >"$rec"
	while read -r uid capabilities error why; do
		cause "msr-$uid-$capabilities-$error" SMI "$uid" "$capabilities" "$why" "msr * * !$error"
		cause "msr-added-$uid-$capabilities-$error" "FOO --add msr0x10,FOO" "$uid" "$capabilities" "MSR 0x10: $why" \
			"msr * * !$error"
	done <<-'END'
	0 0 ENOENT root may not read registers in this container; --privileged for the container
	0 0 EPERM root may not read registers in this container; --cap-add SYS_RAWIO for the container
	0 20000 ENXIO this kernel has no msr driver (--no-msr hides this note)
	0 20000 EPERM registers are refused even to root
	1000 0 ENOENT the msr driver is not loaded (turbostat loads it as root); sudo PROGRAM
	1000 0 EACCES only root can read registers; sudo PROGRAM
	1000 20000 ENODEV the msr driver is not loaded; sudo modprobe msr
	1000 20000 EACCES /dev/cpu/*/msr is not readable; sudo chmod o+r /dev/cpu/*/msr
	END
	sed 's/^\(perf [0-9]* [^ ]* [^ ]*\) .*/\1 !EACCES/; /^msr /d' tests/golden/perf-server/machine.rec >"$rec"
	while read -r uid capabilities last why; do
		cause "perf-$uid-$capabilities-$last" PkgWatt "$uid" "$capabilities" "$why" \
			"file /proc/sys/kernel/cap_last_cap \"$last\\\\n\"" "msr * * !EACCES"
	done <<-'END'
	0 0 38 root may not use perf events in this container; --cap-add PERFMON for the container
	0 0 37 root may not use perf events in this container; --cap-add SYS_ADMIN for the container
	0 4000020000 38 perf events are refused even to root
	0 220000 37 perf events are refused even to root
	1000 0 38 perf events need CAP_PERFMON; sudo setcap cap_perfmon=ep PROGRAM
	1000 0 37 perf events need CAP_SYS_ADMIN; sudo setcap cap_sys_admin=ep PROGRAM
	1000 20000 38 perf events need CAP_PERFMON; sudo setcap cap_sys_rawio,cap_perfmon=ep PROGRAM
	1000 4000000000 38 perf events are refused despite the capability
	END
	# Debian's and Ubuntu's levels: the capability alone does nothing
	mild=$rec
	for level in 3 4; do
		sed "s/^\(file [^ ]*perf_event_paranoid\) .*/\1 \"$level\\\\n\"/" "$mild" >"$tmp/strict"
		rec=$tmp/strict
		cause perf-strict-$level PkgWatt 1000 0 "perf events need CAP_PERFMON; sudo sysctl kernel.perf_event_paranoid=2, then sudo setcap cap_perfmon=ep PROGRAM; or run it as root"
	done
	rec=$tmp/own
	live -i 5 --explain sleep
	made grep -c '^sleep: .*; sudo sysctl kernel.perf_event_paranoid=2, then sudo setcap cap_perfmon=ep .*; or run it as root$'
	is cause-sleep-strict 1
	rec=$tmp/strict
	cause perf-strict-rawio PkgWatt 1000 20000 "perf events need CAP_PERFMON; sudo sysctl kernel.perf_event_paranoid=2, then sudo setcap cap_sys_rawio,cap_perfmon=ep PROGRAM; or run it as root" \
		"msr * * !EACCES"
	cause perf-strict-capable PkgWatt 1000 4000000000 "perf events are refused despite the capability; sudo sysctl kernel.perf_event_paranoid=2"
	cause perf-strict-root PkgWatt 0 0 "root may not use perf events in this container; --cap-add PERFMON for the container"
	rec=$mild
	# a filter of system calls: mode 2; mode 1 does not filter
	filter='\\nSeccomp:\\t2'
	cause perf-filter PkgWatt 0 "4000020000$filter" "perf events are refused even to root (a seccomp filter refuses them)" "msr * * !EACCES"
	cause perf-filter-container PkgWatt 0 "0$filter" "root may not use perf events in this container (a seccomp filter refuses them); --cap-add PERFMON for the container"
	cause perf-filter-user PkgWatt 1000 "0$filter" "perf events need CAP_PERFMON (a seccomp filter refuses them); sudo setcap cap_perfmon=ep PROGRAM"
	cause perf-no-filter PkgWatt 0 '4000020000\\nSeccomp:\\t1\\nSeccomp_filters:\\t2' "perf events are refused even to root" "msr * * !EACCES"
	sed -i 's/!EACCES/!EPERM/' "$rec"
	cause perf-EPERM PkgWatt 1000 0 "perf events need CAP_PERFMON; sudo setcap cap_perfmon=ep PROGRAM"
	# a guest without the PMU of a core: no right brings its events
	sed -i '/event_source.devices.cpu\//d' "$rec"
	cause perf-no-core-pmu IPC 1000 0 "perf does not count it here"
	# a driver that is not there may count what no register tells; one that is there does not
	rec=$tmp/machine
	sed '/^msr /d' tests/golden/v04-haswell/machine.rec >"$rec"
	devices=/sys/bus/event_source/devices
	while read -r column there why; do
		cause "driver-$column-$there" "$column" 0 20000 "$why" "msr * * !ENOENT" \
			"file $devices/$there/type \"20\\n\"" "file $devices/$there/cpumask \"0\\n\""
	done <<-'END'
	CPU%c6 power no idle state driver is loaded; sudo modprobe intel_cstate
	CPU%c6 cstate_pkg this kernel has no msr driver (--no-msr hides this note)
	CPU%c6 cstate_core this kernel has no msr driver (--no-msr hides this note)
	Pkg%pc6 cstate_core this kernel has no msr driver (--no-msr hides this note)
	PkgWatt cstate_pkg no energy driver is loaded; sudo modprobe rapl
	PkgWatt power this kernel has no msr driver (--no-msr hides this note)
	PkgTmp power no temperature driver is loaded; sudo modprobe coretemp
	END
	cause driver-no-sensor PkgTmp 0 20000 "this kernel has no msr driver (--no-msr hides this note)" "msr * * !ENOENT" \
		'file /sys/class/hwmon/hwmon0/name "coretemp\\n"' 'file /sys/class/hwmon/hwmon0/temp2_label "Core 0\\n"' \
		'file /sys/class/hwmon/hwmon0/temp2_input "50000\\n"'
	# what a guest has is not its hypervisor's fault: a right, or an event, is missing
	rec=tests/golden/kvm-guest/machine.rec
	cause guest-zone PkgWatt 1000 0 "only root can read its file; sudo PROGRAM" "msr * * !EACCES" \
		'file /sys/class/powercap/intel-rapl:0/name "package-0\\n"' 'file /sys/class/powercap/intel-rapl:0/energy_uj !EACCES'
	cause guest-own-pmu L2MRPS 0 20000 "perf does not count it here"
	sed '/event_source.devices.cpu\//d' "$rec" >"$tmp/machine"
	rec=$tmp/machine
	cause guest-no-pmu L2MRPS 0 20000 "the hypervisor does not provide it"
}

# What stands in for lost counters is noted after the causes.
test_substitutes()
{
	rec=$tmp/rec
	sed '/^cpuid . 1 /s/ffffffff/7fffffff/; /^cpuid . 6 /s/00000000 \(0*\)$/00000001 \1/; /^sample 0 /i\
msr * * !ENOENT' tests/golden/guest-clocks/machine.rec >"$rec"
	live -q -i 5 -n 1 --show CPU,Busy%,SMI,PkgWatt
	made grep -o '[:;] .*'
	is substitutes ": no energy driver is loaded: no 'PkgWatt'; sudo modprobe rapl
: this kernel has no msr driver (--no-msr hides this note): no 'SMI'
: 'Busy%' comes from /proc/stat, in ticks"
}

# Perf events that are refused in spite of the capability: only a level above 2 can be lowered.
test_remedies()
{
	for level in 2 3; do
		rec=$tmp/rec
		sed 's/^\(perf [0-9]* [^ ]* [^ ]*\) .*/\1 !EACCES/
			s/^\(file [^ ]*perf_event_paranoid\) .*/\1 "'$level'\\n"/' tests/golden/perf-server/machine.rec >"$rec"
		live -q -i 5 -n 1
		made grep -o 'perf events are refused.*: no\|; sudo sysctl.*'
		made paste -s -d ' ' -
		echo "perf events are refused despite the capability: no" >"$tmp/want"
		[ $level -eq 2 ] || sed -i 's/$/ ; sudo sysctl kernel.perf_event_paranoid=2/' "$tmp/want"
		sed -i 's/: no/ no/' "$tmp/got" "$tmp/want"	# else "same" takes it for a note
		same "remedies-$level"
	done
}

# late_events FROM "N:SECONDS..." FILE: the recording with own times of its energies, which are read
# so much too late in samples N, and go on counting as since sample FROM
late_events()
{
	awk -v from="$1" -v list="$2" '
	BEGIN {
		n = split(list, pairs, " ")
		for (i = 1; i <= n; i++) {
			split(pairs[i], pair, ":")
			late[pair[1]] = pair[2]
		}
		n = ""
	}
	/^sample/ { n = $2 }
	/^perf . power 2 / && n != "" {
		if (n == from) first[$2] = $5
		if (late[n] > 0) $5 = sprintf("%.0f", $5 + ($5 - first[$2]) / (5 * (n - from)) * late[n])
		at = sprintf("%.0f", (5 * n + late[n] + 5) * 1e9)
		$0 = $0 " " at " " at
	}
	{ print }' "$3"
}

# Net energy and own share, of a machine whose truth is known: idle it takes 30 W for 50 s, then 60 W;
# of 18 s that its CPUs are busy in a run of 5 s, 13.5 are the command's.
test_own()
{
	machine -v samples=17
	awk '
	/^sample/ { sample = $2 }
	/^perf . power 2 / { $5 = sprintf("%.0f", sample <= 10 ? ($5 - 3e6) / 2 + 3e6 : $5 - step * ($2 % 4 > 1 ? 2 : 1)) }
	/^perf 0 power 2 / && sample == 10 { step = $5 - 3e6 }
	{ print }' "$rec" >"$tmp/live.rec"
	tests/convert.sh "$tmp/live.rec" | awk '
	/^sample (11|13|15) / { printf "run %d 0 %.6f 0.500000 %d\n", run, run ? 13 : 0, run ? 2048 : 0; run++ }
	/^end/ { print "run 3 0 13.000000 0.500000 2048" }
	{ print }
	/^static/ { print "command \"true\"\nrepeat 3\nidle 50" }' >"$tmp/own.rec"
	rec=$tmp/own.rec
	replay -q --csv --show Busy%
	mv "$tmp/want" "$tmp/got"
	made awk -F, '$1 == "mean" || ($1 == "run" && $8 == "system") { print $1 $3, $17, $19, $20, $21, $22 }'
	made paste -s -d ';' -
	is own-runs "run1 45 25 150 112.5 225;run2 45 25 150 112.5 225;run3 45 25 150 112.5 225;mean3 45 25 150 112.5 225"
	replay -q --show Pkg_J
	mv "$tmp/want" "$tmp/got"
	made awk '/^(others|Net_J|Own_J|maxrss)/ { print $1, $2, $3, $NF }'
	made paste -s -d ';' -
	is own-table "maxrss 2048 0.00% KiB;others 25 0 %;Net_J 150.00 0.00% J;Own_J_low 112.50 0.00% J;Own_J_high 225.00 0.00% J"
	# events that are read up to a second late while the machine idles: their own seconds count
	late_events 0 "1:0.5 2:1 4:0.5 5:1 7:0.5 8:1 10:0.5" "$tmp/own.rec" >"$tmp/late.rec"
	rec=$tmp/late.rec
	replay -q --csv --show Busy%
	mv "$tmp/want" "$tmp/got"
	made awk -F, '$1 == "mean" || ($1 == "run" && $8 == "system") { print $1 $3, $20 }'
	made paste -s -d ';' -
	is own-late-idle "run1 150;run2 150;run3 150;mean3 150"
	# the energy of the second run is read half a second late: 5.5 s of 60 W less 30 W
	late_events 13 "14:0.5" "$tmp/own.rec" >"$tmp/late.rec"
	rec=$tmp/late.rec
	replay -q --csv --show Busy%
	mv "$tmp/want" "$tmp/got"
	made awk -F, '$1 == "run" && $8 == "system" { print $1 $3, $20, $21, $22 }'
	made paste -s -d ';' -
	is own-late-run "run1 150 112.5 225;run2 165 123.75 247.5;run3 150 112.5 225"
	rec=$tmp/own.rec
	# one run, without --repeat
	sed '/^repeat/d; /^sample 13 /,/^run 3/d' "$tmp/own.rec" >"$tmp/single.rec"
	rec=$tmp/single.rec
	replay --show Busy%
	mv "$tmp/want" "$tmp/got"
	made sed -n '/sec$/,$p'
	made grep -v '^[1-8]0.00'
	cells
	made tr '\t' ' '
	is own-command "5.000000 sec Busy% Pkg_J 45.00 300.00 Net_J 150.00 +-0.00 J (idle power 30.00 W) Own_J 112.50..225.00 J"
	replay --show Busy%
	mv "$tmp/want" "$tmp/got"
	made sed -n 's/^turbostat: \(.*busy time\)/\1/p'
	is own-others "25 % of the busy time was not the command's"
	# of a command that was measured for a time only, nobody knows what its share of that time is:
	# its recording says so, whatever the options of the replay are
	sed '/^run 1/s/$/ part/' "$tmp/single.rec" >"$tmp/part.rec"
	for of in part single; do
		rec=$tmp/$of.rec
		replay -q --json --timeout 100 --delay 1 --show Busy%
		mv "$tmp/want" "$tmp/got"
		made sed -n 's/.*"user":\([^,]*\),.*"others":\([^,]*\),\(.*\),"idle_w".*/\1 \2 \3/p'
		mv "$tmp/got" "$tmp/$of"
	done
	cat "$tmp/part" "$tmp/single" >"$tmp/got"
	made paste -s -d ';' -
	is own-timeout '13 null "Net_J":150,"Own_J_low":null,"Own_J_high":null;13 25 "Net_J":150,"Own_J_low":112.5,"Own_J_high":225'
	rec=$tmp/single.rec
	# lines of --stats have these fields, too
	replay -q --csv --total --stats --show Busy%
	mv "$tmp/want" "$tmp/got"
	made awk -F, '{ fields[NF]++; stats += $1 == "p95" } END { for (n in fields) print n, stats }'
	is own-fields "22 1"
	# without energy, the keys are there
	sed '/^perf . power/d' "$tmp/single.rec" >"$tmp/none.rec"
	rec=$tmp/none.rec
	replay --json --show Busy%
	mv "$tmp/want" "$tmp/got"
	made sed -n 's/.*"others":25,\(.*\),"system".*/\1/p'
	is own-no-energy '"Net_J":null,"Own_J_low":null,"Own_J_high":null,"idle_w":null,"idle_w_error":null'
	# idle power that is known from the fourth part on is the mean of those; power that begins with the
	# fourth part is less than it is then
	awk '/^sample/ { n = $2 } /^perf [0-9]* power 2 / && n > 0 && n < 4 { $5 = "!EIO"; NF = 5 } { print }' "$tmp/single.rec" >"$tmp/late.rec"
	awk '/^sample/ { n = $2 }
		/^perf [0-9]* power 2 / { if (n == 3) first[$2] = $5; if (n < 3) $5 = 3e6; else if (n == 3) $5 = 3e6; else $5 = sprintf("%.0f", $5 - first[$2] + 3e6) }
		{ print }' "$tmp/single.rec" >"$tmp/still.rec"
	for of in late still; do
		rec=$tmp/$of.rec
		replay -q --json --show Busy%
		mv "$tmp/want" "$tmp/got"
		made sed -n 's/.*"Net_J":\([0-9.]*\),.*"idle_w":\([0-9.]*\),"idle_w_error":\([0-9.]*\).*/\1 \2 \3/p'
		mv "$tmp/got" "$tmp/$of"
	done
	cat "$tmp/late" "$tmp/still" >"$tmp/got"
	made paste -s -d ' ' -
	is own-late "150 30 0 195 21 4.582576"
	# live, the same power is measured; what the command used is next to nothing
	rec=$tmp/live.rec
	live -q --idle 50 --json --show Busy% true
	made sed 's/.*"status":0,//; s/"user".*"others":\([0-9]*\)[.0-9]*/\1/; s/"Own.*"idle_w"/"idle_w"/; s/,"system".*//'
	is own-live '99,"Net_J":150,"idle_w":30,"idle_w_error":0'
}

# stepping SECONDS STEPS RUNS [ms]: a machine whose package takes 50 W and whose DRAM takes 5 W, both
# by perf, registers and powercap; their counters move once per 1 ms, and per 10 ms or so many.  There
# are parts to end so many runs of so many seconds, and after the first one so many each 1 ms.
stepping()
{
	rec=$tmp/rec
	awk -v seconds="$1" -v steps="$2" -v runs="$3" -v slow="${4:-10}" '
	function energy(watts, event, address, zone, ms,	j) {
		j = int(t * 1000 / ms + 1e-6) * ms / 1000 * watts
		printf "perf 0 power %d %.0f\nmsr 0 %d %016x\n", event, 2^42 + j * 2^32, address, 65536 + j * 2^14
		printf "file /sys/class/powercap/intel-rapl:0%s/energy_uj \"%d\\n\"\n", zone, 1e6 + j * 1e6
	}
	function sample(after) {
		t += after
		printf "sample %d %.9f %.9f\n%s", n++, 1e9 + t, 100 + t, n == 1 ? others : ""
		energy(50, 2, 611, "", 1)
		energy(5, 3, 619, "/intel-rapl:0:2", slow)
	}
	/^perf 0 power |^msr 0 6|energy_uj/ { next }
	/^sample 1/ { exit }
	/^sample 0/ { first = NR }
	first && NR > first { others = others $0 "\n" }
	!first { print }
	END {
		sub(/done\n$/, "", others)
		sample(0)
		for (run = 0; run < runs; run++) {
			sample(seconds)
			for (i = 0; i < steps && !run; i++)
				sample(0.001)
		}
		print "end"
	}' tests/sources/client.rec >"$rec"
}

# errors NAME TEXT: what was printed has these notes of errors, in one line; its recording the same
errors()
{
	grep -v '^sim: kept open' "$tmp/got" >"$tmp/all"
	made sed -n 's/^turbostat: \(.*\): the counter moves once per /\1, /p'
	made paste -s -d ';' -
	is "$1" "$2"
	[ -f "$tmp/recorded" ] || return
	mv "$tmp/all" "$tmp/got"
	# shellcheck disable=SC2086	# words
	rec=$tmp/recorded replay -q -J --show Pkg_J,RAM_J $words
	same "$1-recorded"
	rm "$tmp/recorded"
}

# How fine energy is: by each way the steps of its counters are found, and stand in the recording.
test_steps()
{
	words="-S -n 1 --total"
	for way in perf msr powercap; do
		stepping 0.05 70 1
		[ $way = perf ] || edit '/^perf 0 power/d'
		[ $way != powercap ] || edit '/^msr 0 6/d'
		live -q -J --show Pkg_J,RAM_J -i 0.05 $words --record "$tmp/recorded"
		errors steps-$way 'Pkg_J +-2 %, 1.0 ms;RAM_J +-20 %, 10.0 ms'
	done
	live -q --show PkgWatt -i 0.05 $words
	errors steps-watts 'PkgWatt +-2 %, 1.0 ms'
	live -q --show PkgWatt -i 0.05 -S -n 1
	errors steps-interval ''
	# of a slow counter, of one that moves once in 50 ms, of one that does not
	while read -r ms ram; do
		stepping 0.05 70 1 "$ms"
		# shellcheck disable=SC2086	# words
		live -q -J --show Pkg_J,RAM_J -i 0.05 $words --record "$tmp/recorded"
		errors "steps-$ms" "Pkg_J +-2 %, 1.0 ms$ram"
	done <<-END
	30 ;RAM_J +-60 %, 30.0 ms
	60 ;RAM_J +-100 %, 50.0 ms
	600
	END
	# below 1 % there is none
	stepping 0.2 70 1
	live -q -J --show Pkg_J,RAM_J -i 0.2 $words --json --record "$tmp/recorded"
	words="$words --json"
	errors steps-long 'RAM_J +-5 %, 10.0 ms'
	sed -n 's/.*"type":"\([a-z]*\)".*\("error":.*\)/\1 \2/p' "$tmp/want" >"$tmp/got"
	is steps-object 'total "error":{"RAM_J":5}}'
	# time that stands still does not stop the program
	stepping 0.05 0 1
	live -q -J --show Pkg_J -i 0.05 -S -n 1 --total
	errors steps-still ''
	# of a command, of several runs by their mean, in each run's object
	words=-S
	stepping 0.05 70 1
	live -q -J --show Pkg_J,RAM_J $words --record "$tmp/recorded" true
	errors steps-command 'Pkg_J +-2 %, 1.0 ms;RAM_J +-20 %, 10.0 ms'
	stepping 0.05 5 6
	edit '/^perf 0 power 3/d; /^msr 0 619/d; /:0:2/d'
	live -q -J --show Pkg_J,RAM_J $words --repeat 3 --record "$tmp/recorded" true
	errors steps-runs 'Pkg_J +-2 %, 1.0 ms'
	live -q -J --show Pkg_J --compare --repeat 3 true -- true
	errors steps-compare 'Pkg_J +-2 %, 1.0 ms'
	live -q -J --show Pkg_J --repeat 3 --json true
	made grep -c ',"error":{"Pkg_J":2}}$'
	is steps-objects 3
	# of regions a call of the shortest that took any time
	stepping 0.02 70 1
	awk '
	/^sample 1 / {
		print "sample 1 1000000000.010000000 100.010000000\nx-say begin a\nx-say begin b"
		print "sample 2 1000000000.014000000 100.014000000\nx-say end b\nx-say begin b"
		print "sample 3 1000000000.018000000 100.018000000\nx-say end b\nx-say begin c\nx-say end c"
	}
	/^sample [1-9]/ { $2 += 3 }
	{ print }
	/^sample 4 / { print "x-say end a\nx-say stop" }' "$rec" >"$tmp/edited" && mv "$tmp/edited" "$rec"
	mkfifo "$tmp/say.steps"
	SIM_SAY=$tmp/say.steps
	export SIM_SAY
	live -q -J --show Pkg_J,RAM_J -S -i 9 --control "fifo:$SIM_SAY" --record "$tmp/recorded"
	unset SIM_SAY
	cp "$tmp/recorded" "$tmp/regions.rec"
	errors steps-regions "region 'b': Pkg_J +-25 %, 1.0 ms;region 'b': RAM_J +-250 %, 10.0 ms"
	rec=$tmp/regions.rec
	replay -q -J --show Pkg_J,RAM_J -S --json
	sed -n 's/.*"name":"\([^"]*\)".*\("error":.*\)/\1 \2/p' "$tmp/want" >"$tmp/got"
	made paste -s -d ' ' -
	is steps-region-objects 'a "error":{"Pkg_J":10,"RAM_J":100}} b "error":{"Pkg_J":25,"RAM_J":250}}'
}

# wakes NAME WANT ARGUMENTS...: what each pass costs CPUs that sleep
wakes()
{
	name=$1 want=$2
	shift 2
	SIM_WAKES=1
	export SIM_WAKES
	live -q "$@" -i 5
	unset SIM_WAKES
	made sed -n 's/^sim: //p'
	is "quiet-$name" "$want"
}

# a CPU that was busy for less than a quarter of the last interval is visited once, and read there
test_quiet()
{
	rec=tests/golden/perf-server/machine.rec
	# the first two passes know of no load; in the last CPUs 4 to 7 are visited, with 5 groups each
	wakes perf "$(printf '37 from afar, 0 moves, 0 home\n37 from afar, 0 moves, 0 home\n17 from afar, 4 moves, 1 home')"
	# one reading of each CPU: nobody moves
	wakes one-group "$(printf '7 from afar, 0 moves, 0 home\n7 from afar, 0 moves, 0 home\n7 from afar, 0 moves, 0 home')" --show Busy%
	# the values are the same, and a refused move costs nothing: CPU 4 is read from afar
	replay -q
	awk '/^sample 2 / { print; print "cpu 4 !EINVAL"; next } { print }' "$rec" >"$tmp/rec"
	rec=$tmp/rec
	live -q -i 5 -n 2
	made grep -v 'no registers\|can read registers'
	sed -i '/no registers\|can read registers/d' "$tmp/want"
	same quiet-refused
	wakes refused-moves "$(printf '37 from afar, 0 moves, 0 home\n37 from afar, 0 moves, 0 home\n22 from afar, 3 moves, 1 home')"
	rec=tests/golden/perf-server/machine.rec
	# a column of packages reads packages, and the TSC of their leaders only
	two="2 from afar, 0 moves, 0 home"
	wakes packages "$(printf '%s\n%s\n%s' "$two" "$two" "$two")" --show Pkg%pc6
	wakes watts "$(printf '%s\n%s\n%s' 1 1 1 | sed 's/1/1 from afar, 0 moves, 0 home/')" --show PkgWatt
	wakes cores "$(printf '%s\n%s\n%s' 6 6 6 | sed 's/6/6 from afar, 0 moves, 0 home/')" --show CPU%c6
	# exactly a quarter is busy; one tick less is not
	rec=$tmp/rec
	for busy in 25 24; do
		awk -v busy=$busy '
		/^sample/ { n = $2 }
		/^perf 4 msr 2 / { $5 = 4294967296 + n * 1e10 * busy / 100 }
		{ print }' CONVFMT=%.0f OFMT=%.0f tests/golden/perf-server/machine.rec >"$tmp/rec"
		wakes "busy-$busy" "$(printf '37 from afar, 0 moves, 0 home\n37 from afar, 0 moves, 0 home\n%s home' \
			"$([ $busy = 25 ] && echo '22 from afar, 3 moves, 1' || echo '17 from afar, 4 moves, 1')")"
	done
}

# every machine that has several CPUs, with some left out; the first one always is
test_only()
{
	each only
	# what was recorded with it is replayed with it
	rec=tests/golden/skylake-sp/machine.rec
	know
	live_whole -q --cpu only:1,5 --record "$tmp/recorded"
	rec=$tmp/recorded
	replay -q
	same only-recorded
	replay -q --cpu only:0,1
	into=got
	rec=tests/golden/skylake-sp/machine.rec
	replay -q --cpu only:1
	into=
	same only-recorded-less
}
only()
{
	list=$(echo "$online" | awk -F, '{
		for (i = 1; i <= NF; i++) {
			split($i, range, "-")
			for (cpu = range[1] + 0; cpu <= (range[2] == "" ? range[1] : range[2]) + 0; cpu++) all[n++] = cpu
		}
		for (i = 1; i < n; i++) if (i % 3 == 1 || i >= n - 2) printf "%s%d", (i > 1 ? "," : ""), all[i]
	}')
	[ -n "$list" ] || return 0
	SIM_TOUCHED=1
	export SIM_TOUCHED
	: >"$tmp/touched"
	for arguments in "" "-q --enable all --debug --record $tmp/recorded" "-q --no-perf" "--explain sleep"; do
		# shellcheck disable=SC2086
		live_whole --cpu "only:$list" $arguments
		grep '^sim: touched' "$tmp/got" >>"$tmp/touched"
	done
	unset SIM_TOUCHED
	awk -v list="$list" '
	BEGIN { n = split(list, cpus, ","); for (i = 1; i <= n; i++) listed[cpus[i]] = 1 }
	{ for (i = 3; i <= NF; i++) if (!($i in listed)) print "touches CPU " $i; seen += NF > 2 }
	END { print seen " of 4" }' "$tmp/touched" >"$tmp/got"
	# of this machine the listed CPU refuses: the program stays where it was started
	[ "$name" = cpu-refuses ] || is "only-$name-touches" "4 of 4"
	# what is printed is what the machine does without the others, but for the reasons of a nan
	replay --enable all --cpu "only:$list"
	awk -v list="$list" '
	function expand(text, set,   n, range, i, k, cpu) {
		n = split(text, range, ",")
		for (i = 1; i <= n; i++) {
			split(range[i], k, "-")
			for (cpu = k[1] + 0; cpu <= (k[2] == "" ? k[1] : k[2]) + 0; cpu++) set[cpu] = 1
		}
	}
	BEGIN { expand(list, listed) }
	$1 == "file" && /cpu\/online "/ && match($0, /"[0-9,-]+/) {
		split("", on)
		expand(substr($0, RSTART + 1, RLENGTH - 1), on)
		text = ""
		for (cpu = 0; cpu < 8192; cpu++)
			if (cpu in on && cpu in listed) text = text (text == "" ? "" : ",") cpu
		print $1, $2, "\"" text "\\n\""
		next
	}
	$1 ~ /^(msr|perf|tsc|clock|cpu|cpuid)$/ && $2 ~ /^[0-9]+$/ && !($2 in listed) { next }
	$1 == "file" && match($2, /\/cpu\/cpu[0-9]+\//) && !(substr($2, RSTART + 8) + 0 in listed) { next }
	{ print }' "$rec" >"$tmp/less.rec"
	into=got
	rec=$tmp/less.rec
	replay --enable all
	rec=$original
	into=
	# a zone's driver would read the first CPU of the package: sources/only/zones
	sed -i 's/^turbostat: [^ ]*\.rec:/turbostat:/; /which --cpu only: leaves out$/d; /^intel-rapl:/d' "$tmp/want" "$tmp/got"
	same "only-$name"
}

[ $# -gt 0 ] || set -- quiet only golden recorded gone moved again fate truth two_sources not_twice counted driver driver_later driver_long idle_later settled elsewhere \
	clusters refused rates cpus \
	blink configurations perf_names tasks registers devices files limits added unread remarks guess \
	remedies substitutes passes causes process total mask leader sensors zones caches late command own steps control pasted
for t; do
	test_$t
done
exit $failed
