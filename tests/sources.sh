#!/bin/sh
# Sources and added counters: the recordings of tests/sources, replayed as they
# are and with one source after the other taken away. What is expected was
# worked out from the recordings by hand: every rate is per second, and every
# interval is one second.
#
# To be run from the project's top directory. TURBOSTAT names the program,
# ./turbostat if unset. Exit status 0 if nothing failed.

LC_ALL=C
export LC_ALL
set -f			# arguments are words, never patterns

. tests/limit.sh
dir=tests/sources
failed=0

tmp=$(mktemp -d "${TMPDIR:-/tmp}/sources.XXXXXX") || exit 1
trap 'rm -rf "$tmp"' EXIT
trap 'exit 1' HUP INT TERM

ok()
{
	echo "ok sources/$1"
}

# fail CASE FILE: one line, then the beginning of FILE
fail()
{
	failed=1
	echo "FAIL sources/$1"
	sed -n '1,20s/^/    /p' "$2"
}

skip()
{
	echo "skip sources/$1: $2"
}

# use NAME [EDIT]: the recording of the next runs, edited by a sed script
use()
{
	rec=$dir/$1.rec
	[ $# -lt 2 ] && return
	sed "$2" "$rec" >"$tmp/edited.rec"
	rec=$tmp/edited.rec
}

# run ARGUMENTS...: replays the recording without the header
run()
{
	"$program" --replay "$rec" --quiet "$@" >"$tmp/out" 2>"$tmp/err" </dev/null
	status=$?
}

# table CASE INTERVAL...: the intervals (1, 2, ...) of the last run, blanks for
# TABs, are the text on standard input. The header line precedes each interval.
table()
{
	name=$1
	shift
	cat >"$tmp/want"
	awk -v list=" $* " '
		NR == 1 { head = $0 }
		$0 == head { n++; if (NR > 1) next }
		NR == 1 || index(list, " " n " ") { gsub(/\t/, " "); print }' "$tmp/out" >"$tmp/got"
	{
		diff "$tmp/want" "$tmp/got" || sed 's/^/stderr: /' "$tmp/err"
		[ "$status" -eq 0 ] || echo "exit status $status"
	} >"$tmp/diff"
	if [ -s "$tmp/diff" ]; then fail "$name" "$tmp/diff"; else ok "$name"; fi
}

# notes CASE COUNT WORD: so many lines of standard error have the word
notes()
{
	n=$(tr -d "'" <"$tmp/err" | grep -c -e "$3")	# names of columns stand in quotes
	if [ "$n" -eq "$2" ]; then
		ok "$1"
	else
		{ echo "$n notes about '$3', expected $2"; cat "$tmp/err"; } >"$tmp/diff"
		fail "$1" "$tmp/diff"
	fi
}

# has CASE FILE PATTERN: some line of out or err matches; hasnot: none does
has()
{
	if grep -q -e "$3" "$tmp/$2"; then ok "$1"; else fail "$1" "$tmp/$2"; fi
}

hasnot()
{
	if grep -q -e "$3" "$tmp/$2"; then fail "$1" "$tmp/$2"; else ok "$1"; fi
}

# goes_on CASE: the last run printed a table and ended with 0
goes_on()
{
	if [ "$status" -eq 0 ] && [ -s "$tmp/out" ]; then ok "$1"; else fail "$1" "$tmp/err"; fi
}

# refuse ERRNO PMU: a sed script that lets all events of a PMU fail
refuse()
{
	printf '%s\n' "s/^\(perf [0-9]* $2 [^ ]*\) .*/\1 !$1/"
}

all_perf()
{
	refuse "$1" '[^ ]*'
}

# ------------------------------------------------------- one machine, every source

cpu_columns=CPU,Avg_MHz,Busy%,Bzy_MHz,TSC_MHz,SMI,CPU%c1,CPU%c3,CPU%c6,CPU%c7
cpu_table()
{
	run --show "$cpu_columns" "$@"
	table "$name" 1 2 <<-END
	CPU Avg_MHz Busy% Bzy_MHz TSC_MHz SMI CPU%c1 CPU%c3 CPU%c6 CPU%c7
	- 504 18.00 2800 3600 3 32.00 2.50 30.00 17.50
	0 900 50.00 1800 3600 1 15.00 5.00 20.00 10.00
	2 36 2.00 1800 3600 2 63.00
	1 360 10.00 3600 3600 0 25.00 0.00 40.00 25.00
	3 720 10.00 7200 3600 0 25.00
	- 504 18.00 2800 3600 3 32.00 2.50 30.00 17.50
	0 900 50.00 1800 3600 1 15.00 5.00 20.00 10.00
	2 36 2.00 1800 3600 2 63.00
	1 360 10.00 3600 3600 0 25.00 0.00 40.00 25.00
	3 720 10.00 7200 3600 0 25.00
	END
}

pkg_columns=CPU,CoreTmp,PkgTmp,Pkg%pc2,Pkg%pc3,Pkg%pc6,Pkg%pc7,Pkg%pc8,Pkg%pc9,Pk%pc10,PkgWatt,CorWatt,GFXWatt,RAMWatt,SysWatt
pkg_table()
{
	run --show "$pkg_columns" "$@"
	table "$name" 1 2 <<-END
	CPU CoreTmp PkgTmp Pkg%pc2 Pkg%pc3 Pkg%pc6 Pkg%pc7 Pkg%pc8 Pkg%pc9 Pk%pc10 PkgWatt CorWatt GFXWatt RAMWatt SysWatt
	- 60 62 10.00 5.00 4.00 3.00 2.00 1.00 0.50 10.00 6.00 1.50 0.75 20.00
	0 60 62 10.00 5.00 4.00 3.00 2.00 1.00 0.50 10.00 6.00 1.50 0.75
	2
	1 55
	3
	- 60 62 10.00 5.00 4.00 3.00 2.00 1.00 0.50 10.00 6.00 1.50 0.75 20.00
	0 60 62 10.00 5.00 4.00 3.00 2.00 1.00 0.50 10.00 6.00 1.50 0.75
	2
	1 55
	3
	END
}

energy_columns=CPU,CoreTmp,PkgTmp,PkgWatt,CorWatt,GFXWatt,RAMWatt,SysWatt
energy_table()
{
	run --show "$energy_columns" "$@"
	table "$name" 1 2 <<-END
	CPU CoreTmp PkgTmp PkgWatt CorWatt GFXWatt RAMWatt SysWatt
	- 60 62 10.00 6.00 1.50 0.75 20.00
	0 60 62 10.00 6.00 1.50 0.75
	2
	1 55
	3
	- 60 62 10.00 6.00 1.50 0.75 20.00
	0 60 62 10.00 6.00 1.50 0.75
	2
	1 55
	3
	END
}

use client
name=client/cpu; cpu_table
name=client/package; pkg_table
name=client/no-perf/cpu; cpu_table --no-perf
name=client/no-perf/package; pkg_table --no-perf
name=client/no-msr/cpu; cpu_table --no-msr
name=client/no-msr/package; pkg_table --no-msr
name=client/neither; energy_table --no-msr --no-perf
run --show SysWatt,Sys_J,Pkg_J,PkgWatt,CPU --Joules
table client/Joules 2 <<-END
	CPU Pkg_J Sys_J
	- 10.00 20.00
	0 10.00
	2
	1
	3
	END

for errno in EACCES EPERM EMFILE ENODEV EINVAL ENOENT; do
	use client "$(all_perf $errno)"
	name=client/perf-$errno/cpu; cpu_table
	name=client/perf-$errno/package; pkg_table
done
# what is not C0 is C1 only where the deeper states are counted
use client "$(refuse EACCES cstate_core)"
run --no-msr --show CPU,Busy%,CPU%c1,CPU%c6
table client/no-remainder 1 <<-END
	CPU Busy%
	- 18.00
	0 50.00
	2 2.00
	1 10.00
	3 10.00
	END
# busy time by the kernel's ticks leaves no rest that could be told from C1
ticks='s,^plan$,&\nfile /proc/stat "cpu0 1 0 0 9\\n",
s,^sample \(.\).*,&\nfile /proc/stat "cpu0 \1 0 0 \19\\ncpu1 \1 0 0 \19\\ncpu2 \1 0 0 \19\\ncpu3 \1 0 0 \19\\n"'
use client "$(refuse EACCES msr)
$ticks,"
run --no-msr --show CPU,Busy%,CPU%c1,CPU%c6
table client/no-remainder-of-ticks 1 <<-END
	CPU Busy% CPU%c6
	- 9.09 30.00
	0 9.09 20.00
	2 9.09
	1 9.09 40.00
	3 9.09
	END
# nor goes a clock of theirs with cycles that are counted
for cpu in 0 1 2 3; do
	ticks="$ticks\\nfile /sys/devices/system/cpu/cpu$cpu/cpufreq/cpuinfo_avg_freq \"1000000\\\\n\""
done
use client "s/^\(perf [0-9]* msr 1\) .*/\1 !EINVAL/; $ticks,"
run -n 1 --no-msr --show CPU,Avg_MHz,Busy%
table client/no-clock-of-ticks 1 <<-END
	CPU Busy%
	- 18.00
	0 50.00
	2 2.00
	1 10.00
	3 10.00
	END
# where the register tells no base ratio, CPUID tells the base frequency
use client 's/00000e10 00001068/00000708 00001068/; s/^msr 0 ce .*/msr 0 ce 0/'
run -n 1 --show CPU,Bzy_MHz
table client/base-by-cpuid 1 <<-END
	CPU Bzy_MHz
	- 1400
	0 900
	2 900
	1 1800
	3 3600
	END
for pmu in msr cstate_core cstate_pkg power; do
	use client "$(refuse EACCES $pmu)"
	name=client/$pmu-refused/cpu; cpu_table
	name=client/$pmu-refused/package; pkg_table
done
use client '/event_source.*events/d'
name=client/no-events/cpu; cpu_table
name=client/no-events/package; pkg_table
use client '/event_source.*type/d'
name=client/no-pmus; pkg_table
use client 's/^\(perf 0 power [1345]\) .*/\1 !EINVAL/'
name=client/some-energies-refused; pkg_table
use client 's/\(energy-pkg.unit "\)Joules/\1Watts/; s/energy-ram.scale/energy-ram.none/'
name=client/energy-unit-and-scale; pkg_table
use client '/^msr /d; s/^plan$/&\nmsr * * !EACCES/'
name=client/msr-EACCES; pkg_table
notes client/msr-EACCES/nothing-lost 0 'refused'
run
notes client/msr-EACCES/note 1 'registers were refused when this was recorded: no .*Totl%C0'
use client "/^msr /d; s/^plan$/&\nmsr * * !EACCES/; $(all_perf EACCES)"
name=client/ordinary-user; energy_table
run
notes client/ordinary-user/msr-note 1 'registers were refused when this was recorded: no '
notes client/ordinary-user/perf-note 1 'perf events were refused when this was recorded: no '
# where the first CPUs are forbidden no more are asked, and all have the next source
use ../golden/perf-server/machine "$(all_perf EACCES)"
run --show CPU,TSC_MHz
table many/ordinary-user 1 <<-END
	CPU TSC_MHz
	- 2000
	0 2000
	4 2000
	1 2000
	5 2000
	2 2000
	6 2000
	3 2000
	7 2000
	END
use client "$(all_perf EMFILE)"
run --show CPU,Busy%,Pkg%pc2,PkgWatt
notes client/perf-EMFILE/one-note 1 'perf'

# domains that exist and never move are columns of zeros
use client 's/^\(perf 0 power 4\) .*/\1 77/'
run --show CPU,GFXWatt
table client/never-moves 1 <<-END
	CPU GFXWatt
	- 0.00
	0 0.00
	2
	1
	3
	END

# Goldmont counts more energy of the graphics than of the package, whoever tells it
for cpu in 000506c9 000706a8 000906e9; do
	use client "s/^\(cpuid [0-9*]* 1 0\) [0-9a-f]*/\1 $cpu/"
	for opts in "" --no-perf "--no-perf --no-msr"; do
		run --show PkgWatt,GFXWatt $opts
		sed q "$tmp/out" | xargs
	done
done >"$tmp/seen"
cat >"$tmp/want" <<-END
	PkgWatt
	PkgWatt
	PkgWatt
	PkgWatt
	PkgWatt
	PkgWatt
	PkgWatt GFXWatt
	PkgWatt GFXWatt
	PkgWatt GFXWatt
END
if diff "$tmp/want" "$tmp/seen" >"$tmp/diff"; then ok goldmont/graphics; else fail goldmont/graphics "$tmp/diff"; fi

# module C6 of a hybrid is one value of each module of E-cores, and P-cores have none
set -- '' ''
for cpu in 0 1 2 3 4 5 6 7; do
	set -- "$1\\
msr $cpu 664 1000000" "$2\\
msr $cpu 664 $([ "$cpu" -lt 4 ] && echo 2000000 || echo 5f5e1000)"
done
use ../golden/alderlake/machine "s/^plan$/&$1/; s/^sample 1.*/&$2/"
run --show Core,CPU,Mod%c6,CoreTmp
table modules/hybrid 1 <<-END
	Core CPU Mod%c6 CoreTmp
	- - 9.90 51
	0 0 - 51
	0 1
	4 2 - 50
	4 3
	8 4 9.90 49
	9 5 9.90 48
	10 6 9.90 47
	11 7 9.90 46
END
run --json --show Mod%c6 -n 1
has modules/hybrid-json out '"rows":\[{"scope":"module",[^}]*"module":16,"cpus":4,"cputype":"E","Mod%c6":9.895142}\]}'

# nothing is opened that no shown column needs, and what is of one PMU is one group
use client
run --debug --show CPU,Avg_MHz,Busy%,TSC_MHz
has client/one-group err '^cpu1 reads: \[perf on cpu1: msr:0x1 msr:0x2 msr:0x0\]$'
hasnot client/nothing-else err 'cstate\|power:\|hw:\| SMI'
run --debug --show CPU,Pkg%pc2,Pkg%pc6,PkgWatt,RAMWatt
has client/package-groups err '^cpu0 reads:.* \[perf on cpu0: cstate_pkg:0x2 cstate_pkg:0x0\]\|^cpu0 reads:.* \[perf on cpu0: cstate_pkg:0x0 cstate_pkg:0x2\]'
hasnot client/once-per-package err '^cpu[123] reads:.*\(cstate\|power\)'

run --show CPU --add perf/cstate_core/c7-residency,percent,N
table client/core-scope-by-default 1 <<-END
	CPU N
	- 17.50
	0 10.00
	2
	1 25.00
	3
	END
# an event that is refused later is nan, with one note; the others go on
use client 's/^sample 2.*/&\nperf 0 power 2 !EIO\nperf 1 msr 1 !EIO\nperf 1 msr 2 !EIO/; /^sample 2/,$ { /^perf 1 msr [12] [0-9]\|^perf 0 power 2 [0-9]/d; }'
run --show CPU,Busy%,PkgWatt,RAMWatt
table client/refused-later 2 <<-END
	CPU Busy% PkgWatt RAMWatt
	- 20.67 nan 0.75
	0 50.00 nan 0.75
	2 2.00
	1 nan
	3 10.00
	END
notes client/refused-later-note 1 'energy-pkg\|power'
# nor is there a part of the TSC without the TSC; a core has that of its other thread
use client 's/^sample 2.*/&\nperf 1 msr 0 !EIO/; /^sample 2/,$ { /^perf 1 msr 0 [0-9]/d; }'
run --show CPU,Busy%,CPU%c6
table client/tsc-refused-later 2 <<-END
	CPU Busy% CPU%c6
	- 20.67 30.00
	0 50.00 20.00
	2 2.00
	1 nan 40.00
	3 10.00
	END
# of a CPU of which only the divisor is refused there is no quotient; the summary leaves it out
use client 's/^sample 2.*/&\nmsr 1 e7 !EIO/; /^sample 2/,$ { /^msr 1 e7 [0-9]/d; }'
run --no-perf --show CPU,Avg_MHz,Busy%,Bzy_MHz
table client/divisor-refused-later 2 <<-END
	CPU Avg_MHz Busy% Bzy_MHz
	- 504 20.67 2671
	0 900 50.00 1800
	2 36 2.00 1800
	1 360 nan nan
	3 720 10.00 7200
	END

# unread CASE KEYS MESSAGE ARGUMENTS...: these keys of the recording answer no more from sample 1 on. That
# MESSAGE is said of what is nan, if any; in the row of its CPU this is the columns that it names.
unread()
{
	name=$1
	sed "/^sample 1 /,\$ s,^\($2\) .*,\1 !EIO," "$rec" >"$tmp/unread.rec"
	original=$rec
	rec=$tmp/unread.rec
	message=$3
	shift 3
	run "$@"
	rec=$original
	# the names of columns stand in quotes
	sed -n "s/^turbostat: \(.* nan in '\)/\1/p" "$tmp/err" | tr -d "'" >"$tmp/got"
	printf '%s' "${message:+$message
}" | diff - "$tmp/got" >"$tmp/diff"
	awk -v "message=$message" '
		BEGIN {
			FS = "\t"
			split(message, part, ": ")
			sub(/^cpus? ?/, "", part[1])
			sub(/^nan in /, "", part[2])
			count = split(part[2], list, ", ")
			for (i = 1; i <= count; i++)
				named[list[i]] = 1
		}
		NR == 1 { for (i = 1; i <= NF; i++) { column[$i] = i; title[i] = $i } }
		NR > 1 && (message == "" || $column["CPU"] == part[1] + 0) && n++ == 0 {
			for (i = 1; i <= NF; i++)
				if (($i == "nan") != (title[i] in named))
					print title[i] " is " $i
		}
		END { if (!n) print "there is no such CPU" }' "$tmp/out" >>"$tmp/diff"
	if [ -s "$tmp/diff" ]; then fail "unread/$name" "$tmp/diff"; else ok "unread/$name"; fi
}

# What cannot be read is told by the columns that it is missing in, and by where it was to come from.
all='CPU,frequency,hwidle,CoreTmp,PkgTmp,power'
use client
unread register 'msr 1 e7' 'cpu1: nan in Busy%, Bzy_MHz, CPU%c1: MSR 0xe7: Input/output error' --no-perf --show "$all"
unread register-not-shown 'msr 1 e7' '' --no-perf --show CPU,TSC_MHz,PkgWatt
unread state 'msr 1 3fd' 'cpu1: nan in CPU%c1, CPU%c6: MSR 0x3fd: Input/output error' --no-perf --show "$all"
unread event 'perf 0 power 2' 'cpu0: nan in PkgWatt: perf power: Input/output error' --show "$all"
unread tsc 'perf 1 msr 0' 'cpu1: nan in Busy%, TSC_MHz: perf msr: Input/output error' --show CPU,Busy%,TSC_MHz,CPU%c6
use client '/^sample 1 /,$ s/^\(perf 1 msr [0-9]\) .*/\1 !EIO/'
run
notes unread/many 1 'cpu1: nan in Avg_MHz, Busy%, Bzy_MHz, TSC_MHz, SMI and 1 more: perf msr: Input'
# What fails alike on a CPU is one note: a driver that goes takes many columns with it.
use client '/^sample 1 /,$ s/^\(msr 0 [0-9a-f]*\) .*/\1 !ENXIO/; /^sample 2 /,$ s/^\(msr 1 [0-9a-f]*\) .*/\1 !ENXIO/'
run --no-perf
notes unread/alike 1 'cpu0: nan in Avg_MHz, Busy%, Bzy_MHz, SMI, CPU%c1 and [0-9]* more: MSR 0x[0-9a-f]* and others: No such'
use client
# one is missing on another CPU, too
unread events 'perf [01] msr 2' 'cpus 0-1: nan in Busy%: perf msr: Input/output error' --show CPU,Avg_MHz,Busy%
use client '/^sample 1 /,$ { s/^\(perf 0 msr [12]\) .*/\1 !EIO/; s/^\(perf 1 msr 2\) .*/\1 !EIO/; }'
run --show CPU,Avg_MHz,Busy%
notes unread/events-both 1 '^turbostat: cpus 0-1: nan in Busy%: perf msr: Input/output error$'
notes unread/events-one 1 '^turbostat: cpu0: nan in Avg_MHz: perf msr: Input/output error$'
use client
use ../golden/perf-server/machine 's/^sample 1 .*/&\nperf 1 msr 4 1 1 1/'
unread smis 'perf 1 msr 4' 'cpu1: nan in SMI, SMI%: perf msr: Input/output error' --show CPU,Busy%,SMI,SMI%
use ../golden/guest-clocks/machine
clock=cpufreq/cpuinfo_avg_freq
unread clock "file /sys/devices/system/cpu/cpu1/$clock" \
	"cpu1: nan in Avg_MHz, Bzy_MHz: $clock: Input/output error" --show "$all"
msr=/sys/bus/event_source/devices/msr
use ../golden/guest-clocks/machine "/^plan$/a\\
file $msr/type \"9\"\\
file $msr/format/event \"config:0-63\"\\
file $msr/events/tsc \"event=0x00\"
s/^tsc \(.\) \(.*\)/&\\
perf \1 msr 0 \2/"
unread accounting 'perf 1 msr 0' \
	'cpu1: nan in TSC_MHz: perf msr: Input/output error' --show "$all"
sensor=/sys/class/hwmon/hwmon1/temp2_input
use amd "s,^sample 1 .*,&\\nfile $sensor \"1\","
unread sensor "file $sensor" "cpu0: nan in PkgTmp: $sensor: Input/output error" --show CPU,PkgTmp,CorWatt
use ../golden/pmt-clearwater/machine
unread word 'word /sys/class/intel_pmt/telem0/telem [0-9]*' \
	'cpus 0-3: nan in CPU%c1e: telemetry: Input/output error' --show CPU,Busy%,CPU%c1e
# the C6 of an E-core contains its C7, that of a P-core does not
use ../golden/alderlake/machine
for cpu in 2 4; do
	unread c7-of-$cpu "msr $cpu 3fe" "cpu$cpu: nan in $([ $cpu = 2 ] || echo 'CPU%c6, ')CPU%c7: MSR 0x3fe: Input/output error" \
		--no-perf --show CPU,CPU%c6,CPU%c7
done

# modules
for opts in "" --no-perf --no-msr; do
	use modules
	run --show CPU,Mod%c6 $opts
	table modules/c6$opts 1 <<-END
	CPU Mod%c6
	- 20.00
	0 10.00
	1 10.00
	2 30.00
	3 30.00
	END
done

# an id that is no number is 0
use client 's,\(cpu0.topology.core_id\) ".*,\1 "x\\n",'
run --show Core,CPU,TSC_MHz
table client/no-id 1 <<-END
	Core CPU TSC_MHz
	- - 3600
	0 0 3600
	0 2 3600
	1 1 3600
	1 3 3600
	END
notes client/no-id-note 1 'core_id: not a number: using 0'
# without topology extensions AMD has no such leaf
use ../golden/bulldozer/machine 's/^\(cpuid \* 80000001 0 [0-9a-f]* [0-9a-f]*\) 00400000/\1 00000001/'
run --show X2APIC
hasnot topology/no-extensions out '0x[1-9a-f]'
# the cores of one type that a leaf of AMD's may tell are of none
use ../golden/zen4/machine 's/^cpuid \* 80000000 0 [0-9a-f]*/cpuid * 80000000 0 80000028/
	s/^plan$/&\ncpuid * 80000026 0 00000001 00000002 0 0/'
run -n 1 --show Type,CPU
hasnot topology/one-type out Type
# a package that does not tell its TjMax has that of the main CPU, 96 C
use ../golden/sandybridge-ep/machine 's/^msr 2 1a2 .*/msr 2 1a2 !EIO/'
run -n 1 --show CPU,CoreTmp
table topology/one-TjMax 1 <<-END
	CPU CoreTmp
	- 58
	0 58
	1 51
	2 44
	3 42
	END
# a CPU that has no NUMA node takes none from the others
use ../golden/two-nodes/machine '/cpu1.node0/d; s,\(cpu0.node0.cpulist\) .*,\1 "0\\n",'
run --show Node,CPU
table topology/no-node 1 <<-END
	Node CPU
	- -
	0 0
	- 1
	1 2
	1 3
	END
# interrupts are counted in 32 bits
use client 's,^plan$,&\
file /proc/interrupts " CPU0 CPU1 CPU2 CPU3\\n NMI: 4294967290 1 2 3 Non-maskable\\n LOC: 10 10 10 4294967000 timer\\n",
s,^sample 1.*,&\
file /proc/interrupts " CPU0 CPU1 CPU2 CPU3\\n NMI: 4 2 2 3 Non-maskable\\n LOC: 11 12 13 704 timer\\n",'
run --show CPU,IRQ,NMI
table client/interrupts-wrap 1 <<-END
	CPU IRQ NMI
	- 1017 11
	0 11 10
	2 3 0
	1 3 1
	3 1000 0
	END

# what is wrong with the whole file is said once, and not of each CPU
use client 's,^plan$,&\
file /proc/interrupts " CPU0 CPU1 CPU2 CPU3\\n LOC: 10 10 10 10 timer\\n",
s,^sample 1.*,&\
file /proc/interrupts !EIO,'
run --show CPU,IRQ
notes client/interrupts-refused 1 '^turbostat: /proc/interrupts: [A-Z]'
notes client/interrupts-refused-once 0 'does not list'
sed '/^sample 1/,/^sample 2/s/ !EIO$/ " CPU0 CPU1 CPU2\\n LOC: 11 11 11 timer\\n"/' "$rec" >"$tmp/listed.rec"
rec=$tmp/listed.rec
run --show CPU,IRQ
notes client/interrupts-of-others 1 '^turbostat: cpu3: /proc/interrupts does not list it$'

# runs and regions that are short for the step of a counter, by their mean time, where that is known
# and energy is shown
while read -r of whole regions region; do
	awk '$1 == "sample" { $3 = sprintf("%.9f", 1.7e9 + ($3 - 1.7e9) / 100); $4 = sprintf("%.9f", 100 + ($4 - 100) / 100) }
		{ print }' tests/golden/$of/program.rec >"$tmp/unknown.rec"
	awk '/^run 1 / { print "plan\nstep PKG 1000000\ndone" } { print }' "$tmp/unknown.rec" >"$tmp/short.rec"
	awk '/^run 1 / { print "plan\nstep PKG 1000000\ndone" } { print }' tests/golden/$of/program.rec >"$tmp/long.rec"
	rec=$tmp/long.rec
	run --show Busy%,PkgWatt
	notes short/$of-long 0 'moves once'
	rec=$tmp/unknown.rec
	run --show Busy%,PkgWatt
	notes short/$of-unknown 0 'moves once'
	rec=$tmp/short.rec
	run --show Busy%,PkgWatt
	notes short/$of-energy 1 "^turbostat: PkgWatt +-$whole %: the counter moves once per 1.0 ms$"
	notes short/$of-region "$regions" "^turbostat: region store: PkgWatt +-$region %: the counter moves once per 1.0 ms$"
	run --show Busy%
	notes short/$of-load 0 'moves once'
	sed 's/^step PKG.*/step PKG 0.001/' "$tmp/short.rec" >"$tmp/bad.rec"
	rec=$tmp/bad.rec
	run --show PkgWatt
	notes short/$of-bad 1 "bad.rec:$(sed -n '/^step/=' "$rec"): bad value$"
done <<END
runs 4 0
regions 5 1 40
END

# after a sleep each counter of energy has the time that its own range takes at 2000 W: 32.8 s for
# the DRAM's, 131 s for the package's; 5 s of them are awake
while read -r boot notes package dram; do
	use ../golden/v06-skylake-sp/machine "
s/^\(sample 1 [^ ]* 105.0*\).*/\1 105.000000000 105.000000000/
s/^\(sample 2 [^ ]* 110.0*\).*/\1 110.000000000 $boot.000000000/"
	run -S --Joules --show Pkg_J,RAM_J
	notes "sleep/note-$boot" "$notes" 'may have wrapped unseen'
	table "sleep/energy-$boot" 1 <<-END
	Pkg_J RAM_J
	125.00 15.00
	$package $dram
	END
	run -S --Joules --show Pkg_J
	table "sleep/energy-$boot-alone" 1 <<-END
	Pkg_J
	125.00
	$package
	END
done <<END
137 0 75.00 9.00
138 1 75.00 nan
236 1 75.00 nan
237 1 nan nan
END

# ------------------------------------------------------- dies

dies_table()
{
	run --show Package,Die,CPU,PkgWatt,RAMWatt,UncMHz "$@"
	table "$name" 1 3 <<-END
	Package Die CPU PkgWatt RAMWatt UncMHz
	- - - 100.00 153.00 1700
	0 0 0 30.00 45.90 1500
	0 0 1
	0 1 2
	0 1 3
	1 0 4 70.00 107.10 1900
	1 0 5
	1 1 6
	1 1 7
	- - - 100.00 153.00 1700
	0 0 0 30.00 45.90 1500
	0 0 1
	0 1 3
	1 0 4 70.00 107.10 1900
	1 0 5
	1 1 6
	1 1 7
	END
}

use dies
name=dies/perf; dies_table
run --show CPU,PkgWatt --debug
has dies/lowest-cpu err '^cpu2 reads: \[perf on cpu2: power:0x2\]'
hasnot dies/one-event-per-die err '^cpu[1357] reads:.*power'
added_energy()
{
	run --show Package,CPU --add perf/power/energy-pkg,package,delta,J
	table "$name" 1 <<-END
	Package CPU J
	- - 100.00
	0 0 30.00
	0 1
	0 2
	0 3
	1 4 70.00
	1 5
	1 6
	1 7
	END
}
name=dies/added; added_energy
use dies 's/^\(.*power.cpumask\) .*/\1 "0-7\\n"/'
name=dies/cpumask-of-all; dies_table
name=dies/added-cpumask-of-all; added_energy
use dies 's/^\(.*power.cpumask\) .*/\1 "1,3,5,7\\n"/'
name=dies/cpumask-of-others; dies_table
run --show CPU,PkgWatt --debug
has dies/lowest-of-cpumask err 'perf on cpu3: power:0x2'
use dies '/power.cpumask/d'
name=dies/no-cpumask; dies_table
use dies
name=dies/msr; dies_table --no-perf
run --no-perf --show CPU,PkgWatt
table dies/msr-while-a-cpu-goes 2 <<-END
	CPU PkgWatt
	- 100.00
	0 30.00
	1
	3
	4 70.00
	5
	6
	7
	END
name=dies/powercap; dies_table --no-perf --no-msr
use dies 's/^\(perf [0-9]* power 2\) .*/\1 !EIO/'
name=dies/msr-and-perf; dies_table
# where one die does not tell its id, the others keep theirs
use dies '/cpu2.topology.die_id/d
	s,\(.*cpu[01].topology.die_\)id.*,&\n\1cpus_list "0-1\\n",; s,\(.*cpu\)3\(.topology.die_\)id.*,&\n\12\2cpus_list "2-3\\n",
	s,\(.*cpu[45].topology.die_\)id.*,&\n\1cpus_list "4-5\\n",; s,\(.*cpu[67].topology.die_\)id.*,&\n\1cpus_list "6-7\\n",'
run -n 1 --show Package,Die,CPU
table dies/no-id 1 <<-END
	Package Die CPU
	- - -
	0 0 0
	0 0 1
	0 0 2
	0 0 3
	1 0 4
	1 0 5
	1 1 6
	1 1 7
	END

use dies
run --no-msr --show Package,Core,CPU,CoreTmp,PkgTmp
table dies/coretemp 1 <<-END
	Package Core CPU CoreTmp PkgTmp
	- - - 53 60
	0 0 0 40 50
	0 1 1 41
	0 2 2 42
	0 3 3 43
	1 0 4 50 60
	1 1 5 51
	1 2 6 52
	1 3 7 53
	END

# what memory controllers count, of servers, of older and of newer clients: of a package, whose
# cpumask lists one CPU, in MiB
for names in "uncore_imc_0 cas_count_read cas_count_write" "uncore_imc data_reads data_writes" \
	     "uncore_imc_free_running_0 data_read data_write"; do
	p=/sys/bus/event_source/devices/${names%% *}
	use dies "$(echo "$names" | awk -v p="$p" '{
		print "/^plan$/a\\"
		printf "file %s/type \"37\\\\n\"\\\nfile %s/cpumask \"0,4\\\\n\"\\\n", p, p
		printf "file %s/format/event \"config:0-7\\\\n\"\\\n", p
		for (i = 2; i < 4; i++) {
			printf "file %s/events/%s \"event=%d\\\\n\"\\\n", p, $i, i
			printf "file %s/events/%s.scale \"6.103515625e-5\\\\n\"\\\n", p, $i
			printf "file %s/events/%s.unit \"MiB\\\\n\"\\\n", p, $i
		}
		print "x-nothing"
		for (n = -1; n < 3; n++) {
			printf n < 0 ? "/^plan$/a\\\n" : "/^sample %d/a\\\n", n
			for (c = 0; c < 8; c += 2)
				printf "perf %d %s 2 %d\\\nperf %d %s 3 %d\\\n", c, $1, (n > 0 ? n : 0) * (c + 1) * 16384000, c, $1, (n > 0 ? n : 0) * (c + 1) * 8192000
			print "x-nothing"
		}
	}')"
	run --show CPU,mem
	table "memory/${names%% *}" 1 <<-END
	CPU MemRdMBs MemWrMBs
	- 6291.46 3145.73
	0 1048.58 524.29
	1
	2
	3
	4 5242.88 2621.44
	5
	6
	7
	END
done

# ------------------------------------------------------- a set of CPUs

# a PMU that counts on a CPU outside the set is not asked; its register is
rec=tests/golden/perf-server/machine.rec
run -n 1 --show CPU,Busy%,PkgWatt,CPU%c6 --cpu only:0,4
table only/mask-within 1 <<-END
	CPU Busy% CPU%c6 PkgWatt
	- 34.00 20.00 200.00
	0 60.00 20.00 200.00
	4 8.00
	END
run -n 1 --show CPU,PkgWatt,CPU%c6 --cpu only:5,7
has only/mask-outside err "^turbostat: its PMU counts on cpu[02], which --cpu only: leaves out: no 'PkgWatt'$"
run --explain PkgWatt --cpu only:5
has only/mask-outside-explained out 'its PMU counts on cpu0, which --cpu only: leaves out'
run --show CPU -n 1 --cpu only:5 --add perf/power/energy-pkg/,package,J
has only/mask-outside-added err '^turbostat: --add J: perf power/energy-pkg/: its PMU counts on cpu0, which'
# what one unit lacks for it, and another has, gets one note for a cause
use amd
run --show CPU,PkgWatt,CorWatt,MemRdMBs -n 1 --no-msr --cpu only:0,4,7
table only/mask-of-one 1 <<-END
	CPU CorWatt PkgWatt MemRdMBs
	- nan nan nan
	0 1.00 20.00 0.01
	4
	7 nan nan nan
	END
has only/mask-of-one-core err "^turbostat: cpu7: nan in 'CorWatt': its PMU counts on cpu3, which --cpu only: leaves out$"
has only/mask-of-one-package err "^turbostat: cpu7: nan in 'PkgWatt', 'MemRdMBs': its PMU counts on cpu2, which"
notes only/mask-of-one-notes 2 .
rec=tests/golden/skylake-sp/machine.rec
sed 's/^msr 0 \(.*\)/&\nmsr 4 \1/' "$rec" >"$tmp/edited.rec"
rec=$tmp/edited.rec
run -n 1 --show CPU,PkgWatt --cpu only:4,5 --cpu core
table only/register 1 <<-END
	CPU PkgWatt
	- 110.00
	4 110.00
	5
	END
"$program" --replay "$rec" --json -n 1 --cpu only:4,5 >"$tmp/out" 2>"$tmp/err" </dev/null
has only/topology out '"cpus":2,"measured":"4-5"'
# the command may have run elsewhere
"$program" --replay tests/golden/runs/program.rec --json --cpu only:0 >"$tmp/out" 2>"$tmp/err" </dev/null
hasnot only/others out '"others":[0-9]'
for list in only:99 only: only:x; do
	run --cpu "$list"
	if [ "$status" -eq 1 ] && [ ! -s "$tmp/out" ]; then ok "only/refused/$list"; else fail "only/refused/$list" "$tmp/out"; fi
done
run -n 1 -S --show IRQ --cpu only:4,99
has only/offline err '^turbostat: --cpu: skipped CPUs 99: not online$'
# powercap's driver reads registers on the first CPU of a package: if that is left out, its zone is
# as good as absent, also for a fact and for the answer about the clock
zone=/sys/class/powercap/intel-rapl
for package in 0 1; do
	printf 'file %s "%s\\n"\n' "$zone:$package/name" "package-$package" "$zone:$package/enabled" 1 \
		"$zone:$package/constraint_0_name" long_term "$zone:$package/constraint_0_time_window_us" 28000000 \
		"$zone:$package/constraint_0_power_limit_uw" "9${package}000000"
done >"$tmp/zones"
sed "/^static\$/r $tmp/zones" tests/golden/skylake-sp/machine.rec >"$rec"
while read -r list want; do
	"$program" --replay "$rec" -n 1 --cpu "only:$list" 2>&1 | grep -o '^intel-rapl:[01]' >"$tmp/out"
	"$program" --replay "$rec" --json -n 1 --cpu "only:$list" 2>&1 | grep -o '"pl1_w":[0-9a-z]*' >>"$tmp/out"
	"$program" --replay "$rec" --explain clock --cpu "only:$list" 2>&1 | grep -o 'PL1.*W of [0-9.]*' >>"$tmp/out"
	if [ "$(tr '\n' ' ' <"$tmp/out")" = "$want " ]; then ok "only/zones/$list"; else fail "only/zones/$list" "$tmp/out"; fi
done <<-END
	0,4 intel-rapl:0 "pl1_w":90 PL1 (110.0 W of 90.0
	2-3 intel-rapl:1 "pl1_w":91 PL1 (80.0 W of 91.0
	4-5 "pl1_w":null
	0,2 intel-rapl:0 intel-rapl:1 "pl1_w":90 PL1 (110.0 W of 90.0
END

# ------------------------------------------------------- AMD

# memory controllers since Zen 4: CAS commands of 64 bytes (0x10a reads, 0x20a writes); each is a
# PMU, on a CPU of its own package
umc=$(awk 'BEGIN {
	print "/^perf [0-9]* amd_umc/d"
	for (n = -1; n < 3; n++) {
		printf n < 0 ? "/^plan$/a\\\n" : "/^sample %d/a\\\n", n
		k = n > 0 ? n : 0
		printf "perf 0 amd_umc_0 10a %d\\\nperf 0 amd_umc_0 20a %d\\\n", k * 200e6, k * 50e6
		printf "perf 0 amd_umc_1 10a %d\\\nperf 0 amd_umc_1 20a %d\\\n", k * 100e6, 0
		printf "perf 2 amd_umc_11 10a %d\\\nperf 2 amd_umc_11 20a %d\\\n", k * 12.5e6, k * 6250e3
		print "x-nothing"
	}
}')
use amd "/amd_umc_[01]\\/cpumask/s/0,2/0/
/amd_umc_11.cpumask/s/0,2/2/
$umc"
run --show CPU,mem --cpu package
table amd/umc 1 <<-END
	CPU MemRdMBs MemWrMBs
	- 20000.00 3600.00
	0 19200.00 3200.00
	2 800.00 400.00
	END
hasnot amd/umc-no-note err .
run --explain MemRdMBs
has amd/umc-explained out 'perf amd_umc/config=0x10a/'
use amd '/amd_umc/d'
run --explain MemRdMBs
has amd/no-umc out 'no memory controller PMU (Intel: uncore_imc; AMD: amd_umc, Zen 4 and Linux 6.7)'

# the recipes of the manual: CXL devices of one package each, ports of PCIe in both packages
# recipe WORD ARGUMENTS...: runs the commands of the manual with WORD, with further arguments
recipe()
{
	commands=$(awk -v word="$1" '/^\.nf/ { text = ""; next } /^\.fi/ && index(text, word) { exit }
		{ text = text $0 "\n" }
		END { gsub(/\\e/, "\\", text); gsub(/\\-/, "-", text); print text }' turbostat.8)
	shift
	more=$*
	# shellcheck disable=SC2086,SC2317
	turbostat() { run "$@" $more; }
	eval "$commands"
}
q=/sys/bus/event_source/devices
use dies "/^file .*cpu.online/a\\
file $q/cxl_pmu_mem0.0/type \"40\\\\n\"\\
file $q/cxl_pmu_mem0.0/cpumask \"0\\\\n\"\\
file $q/cxl_pmu_mem0.0/format/mask \"config:0-31\\\\n\"\\
file $q/cxl_pmu_mem0.0/events/m2s_req_memrd \"mask=0x2\\\\n\"\\
file $q/cxl_pmu_mem0.0/events/m2s_rwd_memwr \"mask=0x4\\\\n\"\\
file $q/cxl_pmu_mem1.0/type \"41\\\\n\"\\
file $q/cxl_pmu_mem1.0/cpumask \"4\\\\n\"\\
file $q/cxl_pmu_mem1.0/format/mask \"config:0-31\\\\n\"\\
file $q/cxl_pmu_mem1.0/events/m2s_req_memrd \"mask=0x2\\\\n\"\\
file $q/cxl_pmu_mem1.0/events/m2s_rwd_memwr \"mask=0x4\\\\n\"\\
file $q/uncore_iio_3/type \"42\\\\n\"\\
file $q/uncore_iio_3/cpumask \"0,4\\\\n\"\\
file $q/uncore_iio_3/format/event \"config:0-7\\\\n\"\\
file $q/uncore_iio_3/format/umask \"config:8-15\\\\n\"\\
file $q/uncore_iio_3/format/ch_mask \"config:36-43\\\\n\"\\
file $q/uncore_iio_3/format/fc_mask \"config:44-46\\\\n\"
$(awk 'BEGIN {
	for (n = -1; n < 3; n++) {
		printf n < 0 ? "/^plan$/a\\\n" : "/^sample %d/a\\\n", n
		k = n > 0 ? n : 0
		printf "perf 0 cxl_pmu_mem0.0 2 %d\\\nperf 0 cxl_pmu_mem0.0 4 %d\\\n", k * 1e7, k * 2e7
		printf "perf 4 cxl_pmu_mem1.0 2 %d\\\nperf 4 cxl_pmu_mem1.0 4 %d\\\n", k * 3e7, k * 4e7
		for (c = 0; c < 8; c += 4)
			printf "perf %d uncore_iio_3 7ff000000483 %d\\\nperf %d uncore_iio_3 7ff000000183 %d\\\n",
				c, k * (c + 1) * 1e7, c, k * (c + 1) * 5e6
		print "x-nothing"
	}
}')"
recipe cxl_pmu --show CPU --cpu package
table amd/recipe-cxl 1 <<-END
	CPU CxlWrMBs CxlRdMBs
	- 3840.00 2560.00
	0 1280.00 640.00
	4 2560.00 1920.00
	END
recipe uncore_iio --show CPU --cpu package
table amd/recipe-iio 1 <<-END
	CPU IoWrMBs IoRdMBs
	- 120.00 240.00
	0 20.00 40.00
	4 100.00 200.00
	END

# clocks by HSMP: packages in the order of the directories' numbers; of two drivers, or of none
# for each package
hsmp()
{
	printf '/^file .*cpu.online/a\\\n'
	for f in "$@"; do
		for clock in fclk_input= mclk_input=2; do
			printf 'file /sys/devices/platform/%s/%s "%s\\\\n"\\\n' "${f%%=*}" \
				"${clock%%=*}" "${clock#*=}${f#*=}"
		done
	done
	echo x-nothing
}
for two in 'AMDI0097:00=2000 AMDI0097:01=1801' 'amd_hsmp/socket1=1801 amd_hsmp/socket0=2000'; do
	# shellcheck disable=SC2086
	use amd "$(hsmp $two)"
	run --show Package,CPU,FabMHz,MemMHz --cpu package
	table "amd/hsmp/$two" 1 <<-END
	Package CPU FabMHz MemMHz
	- - 1900 21900
	0 0 2000 22000
	1 2 1801 21801
	END
	run --show all,mem
	hasnot "amd/hsmp-named-only/$two" out FabMHz
done
run -n 1 --prometheus --show FabMHz,MemMHz
has amd/hsmp-fabric out 'turbostat_fabric_frequency_hertz{package="1"} 1801000000'
has amd/hsmp-memory out 'turbostat_memory_frequency_hertz{package="1"} 21801000000'
use amd "$(hsmp AMDI0097:00=2000)"
run --show FabMHz,PkgWatt --cpu package
table amd/hsmp-of-one-package 1 <<-END
	PkgWatt
	50.00
	20.00
	30.00
	END
has amd/hsmp-of-one-package-note err "no driver of HSMP (hsmp_acpi, amd_hsmp) reports it for each package: no 'FabMHz'"

amd_table()
{
	run --show Package,Core,CPU,Avg_MHz,Busy%,CorWatt,PkgTmp,PkgWatt
	table "$name" 1 <<-END
	Package Core CPU Avg_MHz Busy% CorWatt PkgTmp PkgWatt
	- - - 450 45.00 10.00 50 50.00
	0 0 0 100 10.00 1.00 50 20.00
	0 0 4 500 50.00
	0 1 1 200 20.00 2.00
	0 1 5 600 60.00
	1 0 2 300 30.00 3.00 45 30.00
	1 0 6 700 70.00
	1 1 3 400 40.00 4.00
	1 1 7 800 80.00
	END
}

use amd
name=amd/perf; amd_table
use amd 's/^\(.*power_core.cpumask\) .*/\1 "0-7\\n"/; s/^\(.*power.cpumask\) .*/\1 "0-7\\n"/'
name=amd/cpumask-of-all; amd_table
use amd "$(refuse EACCES power_core)
$(refuse EACCES power)"
name=amd/msr; amd_table
use amd
run --show Package,Core,CPU,CorWatt,PkgWatt --no-perf --no-msr
table amd/powercap 1 <<-END
	Package Core CPU PkgWatt
	- - - 50.00
	0 0 0 20.00
	0 0 4
	0 1 1
	0 1 5
	1 0 2 30.00
	1 0 6
	1 1 3
	1 1 7
	END
# the devices in the order of their numbers
use amd 's/hwmon1/hwmon10/; s/hwmon2/hwmon11/; s/hwmon10/hwmon9/; s/hwmon11/hwmon10/'
name=amd/hwmon-order; amd_table
# two nodes per package, a device each
use amd 's,hwmon2,hwmon5,; s,^file /sys/class/hwmon/hwmon1/name.*,&\
file /sys/class/hwmon/hwmon2/name "k10temp\\n"\
file /sys/class/hwmon/hwmon2/temp1_label "Tctl\\n"\
file /sys/class/hwmon/hwmon2/temp1_input "49000\\n"\
file /sys/class/hwmon/hwmon7/name "k10temp\\n"\
file /sys/class/hwmon/hwmon7/temp1_label "Tctl\\n"\
file /sys/class/hwmon/hwmon7/temp1_input "44000\\n",'
name=amd/two-nodes-per-package; amd_table
use amd 's/k10temp/zenpower/'
name=amd/zenpower; amd_table
# it is Tctl where Tdie is not there, or cannot be read
for edit in '/Tdie\|temp2_input/d' 's/^\(.*temp2_input\) .*/\1 !EIO/'; do
	use amd "$edit"
	run --show CPU,CoreTmp,PkgTmp
	table "amd/Tctl/$edit" 1 <<-END
	CPU PkgTmp
	- 60
	0 60
	4
	1
	5
	2 45
	6
	3
	7
	END
done

use amd
run --show CPU --add perf/cpu/event=0x1c2,umask=0x3/,cpu,delta,OPS \
	--add perf/amd_df/event=0x1f47,umask=0xffe/,DF \
	--add perf/amd_l3/event=0x04,umask=0xff,enallcores=1,enallslices,threadmask=0x3,coreid=5,sliceid=2/,L3F \
	--add perf/amd_umc/event=0x0a,rdwrmask=1/,UMC
table amd/add 1 <<-END
	CPU OPS UMC L3F DF
	- 36 222 286 16
	0 1 111 141 7
	4 5
	1 2
	5 6
	2 3 111 145 9
	6 7
	3 4
	7 8
	END

# what counts for a core is a core's, whatever CPUs its PMU lists
run --show CPU --add perf/power_core/energy-core,J
table amd/core-scope-by-default 1 <<-END
	CPU J
	- 10.00
	0 1.00
	4
	1 2.00
	5
	2 3.00
	6
	3 4.00
	7
	END

# the TSC runs at the rate of P-state 0, by which a time in s2idle is told: 22.5e9 cycles are 6.25 s
use ../golden/zen4/machine 's/^sample 0 .*/sample 0 1700000000.000000000 100.000000000 100.000000000 100.000000000/
	s/^sample 1 .*/sample 1 1700000006.250000000 104.000000000 104.000000000 106.250000000/
	/^sample 2 /,/^end/{/^end/!d;}'
run -S --show TSC_MHz,PkgWatt
table amd/TSC-by-pstate 1 <<-END
	TSC_MHz PkgWatt
	3600 52.00
	END

# ------------------------------------------------------- graphics

# a discrete card is none of the GFX columns
use amdgpu
run --show CPU,GFXMHz,GFXAMHz,GFXWatt
table amdgpu/discrete 1 <<-END
	CPU
	-
	0
	END
use amdgpu '/freq2_input/d'
run --show CPU,GFXMHz,GFXAMHz,GFXWatt
table amdgpu/apu 1 <<-END
	CPU GFXAMHz
	- 1504
	0 1504
	END

# of two cards the discrete one is passed over
use graphics 's,^file /sys/class/drm/card0/device/vendor.*,&\nfile /sys/class/drm/card1/device/hwmon/hwmon3/name "xe\\n",'
run -n 1 --show CPU,GFXMHz,GFXAMHz
table graphics/discrete 1 <<-END
	CPU GFXMHz GFXAMHz
	- 1201 951
	0 1201 951
	END
# it is passed over where it is the only one, too
use ../golden/westmere/machine '/^static$/a\
file /sys/class/drm/card0/device/hwmon/hwmon3/name "i915\\n"'
run -n 1 --show CPU,GFXMHz,GFXAMHz
hasnot graphics/discrete-alone out GFX
goes_on graphics/discrete-alone-left
graphics=CPU,GFX%rc6,GFXMHz,GFXAMHz,SAM%mc6,SAMMHz,SAMAMHz,CPU%LPI,SYS%LPI
use graphics
run --show "$graphics"
table graphics/xe 1 2 <<-END
	CPU GFX%rc6 GFXMHz GFXAMHz SAM%mc6 SAMMHz SAMAMHz CPU%LPI SYS%LPI
	- 40.00 1101 901 65.00 801 701 40.00 25.00
	0 40.00 1101 901 65.00 801 701 40.00 25.00
	- 40.00 1102 902 65.00 802 702 10.00 nan
	0 40.00 1102 902 65.00 802 702 10.00 nan
	END
use graphics 's/gt0-rc6/gt0-mc6/; s/gt1-mc6/gt1-rc6/'
run --show "$graphics"
table graphics/xe-media-first 1 <<-END
	CPU GFX%rc6 GFXMHz GFXAMHz SAM%mc6 SAMMHz SAMAMHz CPU%LPI SYS%LPI
	- 65.00 801 701 40.00 1101 901 40.00 25.00
	0 65.00 801 701 40.00 1101 901 40.00 25.00
	END
use graphics '/card1/d'
run --show "$graphics"
table graphics/i915-gt 1 <<-END
	CPU GFX%rc6 GFXMHz GFXAMHz SAM%mc6 SAMMHz SAMAMHz CPU%LPI SYS%LPI
	- 30.00 1201 951 55.00 851 751 40.00 25.00
	0 30.00 1201 951 55.00 851 751 40.00 25.00
	END
use graphics '/card1/d; /card2/d'
run --show "$graphics"
table graphics/i915-old 2 <<-END
	CPU GFX%rc6 GFXMHz GFXAMHz CPU%LPI SYS%LPI
	- 20.00 1302 982 10.00 nan
	0 20.00 1302 982 10.00 nan
	END
use graphics '/card[12]\|card3.*rc6_res/d; s/low_power_idle_system_residency_us/other/'
run --show "$graphics"
table graphics/clocks-only 1 <<-END
	CPU GFXMHz GFXAMHz CPU%LPI
	- 1301 981 40.00
	0 1301 981 40.00
	END
# graphics is of the system: every package shows it, and it is read once
use dies "$(awk 'BEGIN { print "/^plan$/a\\" }
	/^file .sys.class.drm.card2.gt|^file .*low_power_idle/ && NR < 40 { gsub(/\\/, "&&"); print $0 "\\" }
	END { print "x-nothing" }' $dir/graphics.rec)"
run --show "$graphics" --debug
awk -F '\t' '$3 ~ /^(CPU|-|0|4)$/ { print $3, $6, $7, $8, $9, $10, $11, $12, $13 }' "$tmp/out" >"$tmp/cells"
mv "$tmp/cells" "$tmp/out"
table graphics/two-packages 1 <<-END
	CPU GFX%rc6 GFXMHz GFXAMHz SAM%mc6 SAMMHz SAMAMHz CPU%LPI SYS%LPI
	- 0.00 1200 950 0.00 850 750 0.00 0.00
	0 0.00 1200 950 0.00 850 750 0.00 0.00
	4 0.00 1200 950 0.00 850 750 0.00 0.00
	END
has graphics/read-for-the-system err '^cpu0 reads:.*sam_act_mhz'
hasnot graphics/read-once err '^cpu[1-7] reads: .'
use graphics 's/^sample 1 .*/sample 1 1000000101.000000000 101.000000000 101.000000000 201.000000000/
	s/^sample 2 .*/sample 2 1000000102.000000000 102.000000000 102.000000000 202.000000000/'
run --show "$graphics"
table graphics/suspend 1 2 <<-END
	CPU GFX%rc6 GFXMHz GFXAMHz SAM%mc6 SAMMHz SAMAMHz CPU%LPI SYS%LPI
	- nan 1101 901 nan 801 701 nan nan
	0 nan 1101 901 nan 801 701 nan nan
	- 40.00 1102 902 65.00 802 702 10.00 nan
	0 40.00 1102 902 65.00 802 702 10.00 nan
	END

# ------------------------------------------------------- uncore

use clusters
run --show CPU,UncMHz
table uncore/clusters 1 <<-END
	CPU UMHz0.0 UMHz1.0 UMHz2.3
	- 2300 1600 900
	0 2200 1500 nan
	1 2400 1700 900
	END
# one of which a number cannot be read is none of the columns
use clusters '/uncore00\/fabric_cluster_id/d; /uncore01\/domain_id/d'
run --show CPU,UncMHz
table uncore/clusters-without-number 1 <<-END
	CPU UMHz1.0 UMHz0.0 UMHz2.3
	- 1700 2400 900
	0 nan nan nan
	1 1700 2400 900
	END
use clusters '/uncore[0-9]/d'
run --show CPU,UncMHz
table uncore/packages 1 <<-END
	CPU UncMHz
	- 800
	0 800
	1 800
	END

# ------------------------------------------------------- core events

use guest
run --show CPU,Avg_MHz,Busy%,Bzy_MHz,TSC_MHz,IPC
table guest/cycles 1 <<-END
	CPU Avg_MHz Busy% Bzy_MHz TSC_MHz IPC
	- 450 15.00 3000 2000 2.00
	0 300 10.00 3000 2000 2.00
	1 600 20.00 3000 2000 2.00
	END
# a guest's SMI that does not move, and that no register tells, counts nothing
use guest '/events\/tsc/a\
file /sys/bus/event_source/devices/msr/events/smi "event=0x04\\n"
s/^\(perf . msr\) 0 .*/&\
\1 4 0/'
run
goes_on guest/smi
hasnot guest/smi-silent out SMI
# a guest whose MPERF is not counted has no rest of the time either
use ../golden/kvm-guest/machine
run --no-perf --no-msr --show CPU,Busy%,CPU%c1
hasnot guest/no-remainder out 'CPU%c1'
use guest
multiplexed_table()
{
	run --show CPU,LLCMRPS,LLC%hit
	table "$name" 1 <<-END
	CPU LLCMRPS LLC%hit
	- 320 75.00
	0 160 75.00
	1 160 75.00
	END
}
name=guest/multiplexed; multiplexed_table
notes guest/multiplexed-note 1 'LLCMRPS'
run --show CPU,LLC%hit
notes guest/multiplexed-note-of-shown 1 'LLC%hit'
# the event had its counter for a tenth of the time before the interval, for a
# quarter of the time within it
use guest 's/^\(perf . hw [23]\) 0 1000 250/\1 100000000 1000000000 100000000/
	s/^\(perf . hw 2\) 40000000 .*/\1 140000000 2000000000 350000000/
	s/^\(perf . hw 3\) 10000000 .*/\1 110000000 2000000000 350000000/'
name=guest/multiplexed-unevenly; multiplexed_table
use guest 's/^\(perf 0 hw 2 [0-9]*\) \([0-9]*\) [0-9]*/\1 \2 0/'
run --show CPU,LLCMRPS
table guest/never-ran 1 <<-END
	CPU LLCMRPS
	- 160
	0 nan
	1 160
	END

# the two clocks of cpufreq are not of one kind: where the one is not, the other does not stand in
use ../golden/guest-clocks/machine '/cpu1\/cpufreq\/cpuinfo_avg/d'
run --show CPU,Avg_MHz,Busy%
table guest/one-clock 1 <<-END
	CPU Avg_MHz Busy%
	- 1000 35.00
	0 1000 50.00
	1 nan 20.00
	END

# without either there is no column of a clock
use ../golden/guest-clocks/machine '/cpu[01]\/cpufreq\//d'
run -n 1
table guest/no-clock 1 <<-END
	Core CPU Busy% TSC_MHz Steal%
	- - 35.00 2000 0.00
	0 0 50.00 2000 0.00
	1 1 20.00 2000 0.00
	END

# the clock by itself, which takes the busy part of the ticks all the same
rec=tests/golden/guest-clocks/machine.rec
run -n 1 --show CPU,Avg_MHz
table guest/clock-alone 1 <<-END
	CPU Avg_MHz
	- 740
	0 1000
	1 480
	END

# instructions without cycles to be divided by, as those of the kernel's accounting are none
use ../golden/guest-clocks/machine 's/^sample \(.\) .*/&\
perf 0 hw 1 \11000\
perf 1 hw 1 \12000/'
run --show CPU,IPC,Busy%
table guest/no-cycles 1 <<-END
	CPU Busy%
	- 35.00
	0 50.00
	1 20.00
	END

# of a machine whose user may read nothing else: the note says what stands in, of that which is shown
use ../golden/guest-clocks/machine '/^cpuid . 1 /s/ffffffff/7fffffff/; /^cpuid . 6 /s/00000000 \(0*\)$/00000001 \1/
/^plan$/a\
msr * * !EACCES'
lost='registers were refused when this was recorded: no'
while read -r columns note; do
	run --show "$columns"
	[ -z "$note" ] || note="turbostat: $lost $note"
	printf '%b\n' "$note" >"$tmp/want"
	if printf '%s\n' "$(cat "$tmp/err")" | diff "$tmp/want" - >"$tmp/diff"; then
		ok "user/note-$columns"
	else
		fail "user/note-$columns" "$tmp/diff"
	fi
done <<-'END'
	SMI,TSC_MHz 'SMI'
	SMI,Busy% 'SMI'\nturbostat: 'Busy%' comes from /proc/stat, in ticks
	SMI,Bzy_MHz 'SMI'\nturbostat: 'Bzy_MHz' is cpufreq's clock
	SMI,PkgWatt,Busy%,Bzy_MHz 'SMI', 'PkgWatt'\nturbostat: 'Busy%' comes from /proc/stat, in ticks; 'Bzy_MHz' is cpufreq's clock
	Busy%,Bzy_MHz
END

use hybrid
run --show CPU,IPC,cache,CPU%c1,CPU%c6,CPU%c7
table hybrid/events 1 <<-END
	CPU IPC LLCMRPS LLC%hit L2MRPS L2%hit CPU%c1 CPU%c6 CPU%c7
	- 1.25 100 90.00 200 70.00 10.00 15.00 20.00
	0 0.50 10 90.00 20 80.00 10.00 30.00 20.00
	1 1.00 20 90.00 40 75.00 10.00 10.00 20.00
	2 1.50 30 90.00 60 70.00 10.00 10.00 20.00
	3 2.00 40 90.00 80 65.00 10.00 10.00 20.00
	END
run --show CPU,CPU%c6
table hybrid/c6-alone 1 <<-END
	CPU CPU%c6
	- 15.00
	0 30.00
	1 10.00
	2 10.00
	3 10.00
	END
# a processor of Atom cores only, which is no hybrid, likewise
use hybrid 's/^\(cpuid \* 7 0\) .*/\1 0 0 0 0/; s/^cpuid 0 1a 0 40/cpuid 0 1a 0 20/'
run --show CPU,CPU%c6
table atom/c6-alone 1 <<-END
	CPU CPU%c6
	- 10.00
	0 10.00
	1 10.00
	2 10.00
	3 10.00
	END
run --show Type,CPU,APIC
table atom/no-types 1 <<-END
	CPU APIC
	- -
	0 0x0
	1 0x0
	2 0x0
	3 0x0
	END
use hybrid
run --show CPU --add perf/cpu/instructions,cpu,delta,INS --add perf/cpu_core/slots,SLOTS \
	--add perf/cpu_core/event=0xc6,umask=1,frontend=0x401006/,FE --add perf/cpu_atom/instructions,ATOM
table hybrid/add 1 <<-END
	CPU ATOM FE SLOTS INS
	- 2500000000 33 1000 5000000000
	0 0 33 1000 500000000
	1 1000000000 0 0 1000000000
	2 1500000000 0 0 1500000000
	3 0 0 0 2000000000
	END
run --show CPU,Busy% --debug
hasnot hybrid/only-what-is-shown err 'cpu_core\|cpu_atom\|cpu_lowpower\|hw:\|cstate'
# where all events can be opened, that of code 0 is still none: there is one L2%hit
use hybrid 's/^perf \([0-3]\) \(cpu_[a-z]*\) [0-9a-f]*24 .*/&\nperf \1 \2 0 5/'
run --show CPU,L2%hit
table hybrid/L2-once 1 <<-END
	CPU L2%hit
	- 70.00
	0 80.00
	1 75.00
	2 70.00
	3 65.00
	END
# Panther Lake: the E-core event has an extended umask; there is no event for a third core type
panther='s/000c0652/000c06c2/; s/cpu_atom 724/cpu_atom 1000000ff24/; s/cpu_atom 224/cpu_atom 1000000bf24/'
use hybrid "$panther; s/^perf 3 cpu_lowpower 24 .*/&\\nperf 3 cpu_lowpower 0 5/"
run --show CPU,L2MRPS,L2%hit --debug
has hybrid/64-bit-umask err '^cpu1 reads: .*cpu_atom:0x1000000ff24'
hasnot hybrid/no-event-of-zeros err 'cpu_lowpower:'
run --show CPU,L2MRPS,L2%hit
table hybrid/no-third-type 1 <<-END
	CPU L2MRPS L2%hit
	- 120 73.33
	0 20 80.00
	1 40 75.00
	2 60 70.00
	3 nan nan
	END
# a CPU that no core PMU lists has none of their events
use hybrid '/cpu_lowpower.cpus/d; s/^perf 3 cpu_lowpower c0/perf 3 cpu_core c0/'
run --show CPU --add perf/cpu/instructions,cpu,delta,INS
table hybrid/no-core-pmu 1 <<-END
	CPU INS
	- 3000000000
	0 500000000
	1 1000000000
	2 1500000000
	3 nan
	END
# Knights Landing counts APERF and MPERF in units of 1024 cycles, whoever reads them
knl='s/000906e9/00050671/; s/00000e10 00001068 00000064 00000000/00000000 00000000 00000000 00000000/
	s/^msr 0 ce .*/msr 0 ce 0000000000002400/'
# a thousandth of the cycles
for million in 1000 1036 1072 1360 1720 1900 2000 2072 2144 2360 2440 2720 2800 3800 5600; do
	printf 's/^\\(msr . e[78] \\)0*%x$/\\1%x/\n' ${million}000000 ${million}000
done >"$tmp/thousandth"
use client "$knl; s/^\(perf . msr [12] .*\)000\$/\1/
$(cat "$tmp/thousandth")"
run --no-perf --show CPU,Avg_MHz,Busy%
cp "$tmp/out" "$tmp/by-msr"
run --no-msr --show CPU,Avg_MHz,Busy%
{ diff "$tmp/by-msr" "$tmp/out"; grep -qxe '-	516	18.43' "$tmp/out" || echo "not 0.504 x 1024 MHz"; } >"$tmp/diff"
if [ -s "$tmp/diff" ]; then fail knl/perf-and-msr "$tmp/diff"; else ok knl/perf-and-msr; fi

# no core has a clock above 10 GHz: the mean, the clock while busy, of a CPU and of all
fast='s/^perf 0 msr 1 1900000000$/perf 0 msr 1 11000000000/; s/^perf 0 msr 1 2800000000$/perf 0 msr 1 21001000000/'
use client "$fast"
run --no-msr --show CPU,Avg_MHz,Bzy_MHz
table impossible/clocks 1 2 <<-END
	CPU Avg_MHz Bzy_MHz
	- 2779 nan
	0 10000 nan
	2 36 1800
	1 360 3600
	3 720 7200
	- 2779 nan
	0 nan nan
	2 36 1800
	1 360 3600
	3 720 7200
	END

# ------------------------------------------------------- telemetry

use meteorlake
run --show CPU,Die%c6
table pmt/Die%c6 1 2 <<-END
	CPU Die%c6
	- 25.00
	0 25.00
	1
	- 30.00
	0 30.00
	1
	END
run --show CPU --add pmt,name=XTAL,type=raw,format=raw,domain=package0,offset=128,lsb=0,msb=63,guid=0x1a067102 \
	--add pmt,name=LOW,type=raw,format=raw,domain=package0,offset=128,lsb=0,msb=31,guid=1a067102 \
	--add pmt,name=HIGH,format=delta,domain=package0,offset=128,lsb=32,msb=47,guid=0x1a067102,seq=0 \
	--add pmt,name=SEQ,type=txtal_time,format=delta,domain=package0,offset=120,lsb=0,msb=63,guid=0x1a067102,seq=1 \
	--add pmt,name=PATH,format=delta,domain=package0,offset=8,lsb=0,msb=31,path=/sys/class/intel_pmt/telem2
table pmt/add 1 <<-END
	CPU PATH SEQ HIGH LOW XTAL
	- 0x00000005 10.00 0x00000001 0x00000000 0x0000000000000000
	0 0x00000005 10.00 0x00000001 0x00001235 0x0000feee00001235
	1
	END
set -- type=raw,format=raw,lsb=0,msb=31,guid=0x1a067102
run --show CPU --add "pmt,name=C,domain=core1,offset=128,$1" --add "pmt,name=C,domain=core0,offset=120,$1" \
	--add "pmt,name=T,domain=cpu1,offset=128,$1"
table pmt/units 1 <<-END
	CPU T C
	- 0x00000000 0x00000000
	0 nan 0x3c2d4600
	1 0x00001235 0x00001235
	END
# the words of one name are of one column if they are of one scope
run --show CPU --add "pmt,name=C,domain=core0,offset=128,$1" --add "pmt,name=C,domain=cpu1,offset=120,$1"
table pmt/two-scopes 1 <<-END
	CPU C C
	- 0x00000000 0x00000000
	0 nan 0x00001235
	1 0x3c2d4600 nan
	END
# which have the same bits and format
for other in lsb=1,msb=31,type=raw lsb=0,msb=30,type=raw lsb=0,msb=31,type=txtal_time; do
	run --add "pmt,name=C,domain=package0,offset=128,$1" \
		--add "pmt,name=C,domain=package1,offset=128,guid=0x1a067102,$other,format=raw"
	has "pmt/conflict-$other" err 'add: conflicting parameters for the telemetry counter C$'
done
# the last word of a region, and the bytes behind it
use meteorlake '/^sample/a\
word /sys/class/intel_pmt/telem2/telem 1016 2a'
set -- type=raw,format=raw,domain=package0,lsb=0,msb=31,path=/sys/class/intel_pmt/telem2
run --show CPU --add "pmt,name=LAST,offset=1016,$1" --add "pmt,name=BEYOND,offset=1017,$1" \
	--add "pmt,name=SHORT,offset=8,${1%2}1"
table pmt/last-word 1 <<-END
	CPU LAST
	- 0x00000000
	0 0x0000002a
	1
	END
notes pmt/beyond-note 1 'add BEYOND: the offset is outside'
# there is a telem10
notes pmt/short-note 1 'add SHORT: /sys/class/intel_pmt/telem1 is not a telemetry region'
use meteorlake
set -- type=raw,format=raw,lsb=0,msb=31,guid=0x1a067102
# the units are those of the machine, not the rows
use meteorlake 's/cpu.online "0-1/cpu\/online "1/'
run --show CPU --add "pmt,name=T,domain=cpu1,offset=128,$1" --add "pmt,name=U,domain=cpu0,offset=128,$1"
table pmt/row-of-unit 1 <<-END
	CPU T
	- 0x00000000
	1 0x00001235
	END
notes pmt/unit-absent 1 'add U: telemetry, offset 128, bits 31:0: not in the recording'
run --explain --show T --add "pmt,name=T,domain=cpu1,offset=128,$1"
has pmt/explained out '^	telemetry, offset 128, bits 31:0, as it is$'
use meteorlake 's/^\(cpuid \* 15 .*\) 0249f000 /\1 00000000 /'
run --show CPU,Die%c6 --add pmt,name=SEQ,type=txtal_time,format=delta,domain=package0,offset=120,lsb=0,msb=63,guid=0x1a067102
table pmt/no-crystal 1 <<-END
	CPU
	-
	0
	1
	END
notes pmt/no-crystal-note 1 SEQ

# more devices than a byte counts: PATH is that of the last one
use meteorlake "$(awk 'BEGIN {
	print "/^plan$/a\\"
	for (i = 100; i < 400; i++)
		printf "file /sys/class/intel_pmt/telem%d/guid \"0x77\\\\n\"\\\nfile /sys/class/intel_pmt/telem%d/size \"64\\\\n\"\\\n", i, i
	print "x-nothing"
}')
/^sample/a\\
word /sys/class/intel_pmt/telem399/telem 8 2a"
run --show CPU --add pmt,name=PATH,type=raw,format=raw,domain=package0,offset=8,lsb=0,msb=31,path=/sys/class/intel_pmt/telem399
table pmt/many 1 <<-END
	CPU PATH
	- 0x00000000
	0 0x0000002a
	1
	END

# eleven idle states, in the order of their numbers: none is deeper than the last one
use meteorlake "$(awk 'BEGIN {
	print "/^plan$/a\\"
	split("name usage above below", files)
	for (i = 0; i < 11; i++)
		for (f = 1; f <= 4; f++)
			printf "file /sys/devices/system/cpu/cpu0/cpuidle/state%d/%s \"%s%d\\\\n\"\\\n", i, files[f], f == 1 ? "S" : "", i
	print "x-nothing"
}')"
run --show S0,S0-,S0+,S9-,S9+,S10-,S10+
table idle/eleven 1 <<-END
	S0 S0+ S9- S9+ S10-
	0 0 0 0 0
	0 0 0 0 0
	nan nan nan nan nan
	END

use clearwater
run --show CPU,CPU%c1e
{ echo 'CPU CPU%c1e'; echo '- 12.50'; awk 'BEGIN { for (i = 0; i < 26; i++) printf "%d %d.00\n", 4 * i, i }'; } >"$tmp/units"
table pmt/CPU%c1e 1 <"$tmp/units"
# in a cpuset, too, the modules of a package are counted from its lowest one
use clearwater '/^file .*cpu.online/a\
file /sys/fs/cgroup/cpuset.cpus.effective "20-31,84-100\\n"'
run --show CPU,CPU%c1e
{ echo 'CPU CPU%c1e'; echo '- 16.62'; for i in 5 6 7 21 22 23 24 25; do echo "$((4 * i)) $i.00"; done; } >"$tmp/units"
table pmt/CPU%c1e-in-cpuset 1 <"$tmp/units"
# without ids of modules four numbers of CPUs are one, whether there are such CPUs or not
use clearwater '/cluster_id/d'
run --show CPU,CPU%c1e --cpu 0-48
{ echo 'CPU CPU%c1e'; echo '- 7.00'; awk 'BEGIN { for (i = 0; i < 13; i++) printf "%d %d.00\n", 4 * i, i }'; } >"$tmp/units"
table pmt/no-modules 1 <"$tmp/units"

# ------------------------------------------------------- --add

use pmus
run --cpu 0-3 --show CPU --add msr0x199,u32,raw,PRF_CTRL
table add/manual-example 1 <<-END
	CPU PRF_CTRL
	- 0x00000000
	0 0x00000c00
	1 0x00000800
	2 0x00000a00
	3 0x00000800
	END

# one NAME EXPECTED-COLUMN SPEC...: an addition's cells, summary first
one()
{
	run --show CPU --add "$3"
	awk -F '\t' 'NR > 1 { printf "%s%s", (NR > 2 ? " " : ""), (NF > 1 ? $2 : "") } END { print "" }' "$tmp/out" >"$tmp/got"
	echo "$2" >"$tmp/want"
	{
		diff "$tmp/want" "$tmp/got" || { sed 's/^/stderr: /' "$tmp/err"; cat "$tmp/out"; }
		[ "$status" -eq 0 ] || echo "exit status $status"
	} >"$tmp/diff"
	if [ -s "$tmp/diff" ]; then fail "add/$1" "$tmp/diff"; else ok "add/$1"; fi
}

one cmask-inv-edge-any '4006 1000 1001 1002 1003' perf/cpu/event=0x0d,umask=0x3,cmask=1,inv=1,edge=1,any=1/,cpu,delta,N
one in_tx '8006 2000 2001 2002 2003' perf/cpu/event=0xb0,in_tx,in_tx_cp=1/,N
one offcore_rsp '12006 3000 3001 3002 3003' perf/cpu/event=0xb7,umask=0x1,offcore_rsp=0x3f803c0001/,N
one ldlat '16006 4000 4001 4002 4003' perf/cpu/event=0xcd,umask=0x1,ldlat=3/,N
one event-with-terms '16006 4000 4001 4002 4003' perf/cpu/mem-loads,N
one frontend '20006 5000 5001 5002 5003' perf/cpu/event=0xc6,umask=1,frontend=0x401006/,N
one split-umask '24006 6000 6001 6002 6003' perf/cpu/event=0x24,umask=0x1ff/,N
one config2 '28006 7000 7001 7002 7003' perf/cpu/event=0xc0,acr_mask=0x123456789abcdef/,N
one config3 '32006 8000 8001 8002 8003' perf/cpu/event=0xc0,third=0xa/,N
one event '36006 9000 9001 9002 9003' perf/cpu/instructions,N
one config '36006 9000 9001 9002 9003' perf/cpu/config=0xc0/,N
one config-decimal '40006 10000 10001 10002 10003' perf/cpu/config=12/,N
one event-and-term '44006 11000 11001 11002 11003' perf/cpu/instructions,cmask=8/,N
one name-term '36006 9000 9001 9002 9003' perf/cpu/event=0xc0,name=X/,N
one numbered-sum '666 111  555 ' perf/uncore_cbox/clockticks,package,delta,N
one numbered-default-scope '666 111  555 ' perf/uncore_cbox/clockticks,N
one one-of-them '60 10  50 ' perf/uncore_cbox_1/clockticks,N
one glob '12 6  6 ' perf/uncore_cbox_*/event=0x22,umask=0x0f,edge,inv=1,cmask=0x1f/,package,N
one glob-default-scope '12 6  6 ' perf/uncore_cbox_*/event=0x22,umask=0x0f,edge,inv=1,cmask=0x1f/,N
one arb '7 3  4 ' perf/uncore_arb/event=0x80,umask=1,edge,inv,cmask=31/,package,N
one hex-numbered '1554 777  777 ' perf/uncore_cha/event=0x34,umask=3/,N
one scale '501.00 250.00  251.00 ' perf/uncore_imc/data_reads,package,delta,N
one scale-with-terms '501.00 250.00  251.00 ' perf/uncore_imc/data_reads,name=X/,package,delta,N
one cpu-scope-outside-cpumask '501.00 250.00 0.00 251.00 0.00' perf/uncore_imc/data_reads,cpu,N
one snapshot '42 44 43 42 41' perf/msr/cpu_thermal_margin,N
one snapshot-delta 'nan nan nan nan nan' perf/msr/cpu_thermal_margin,delta,N
one percent '100.00 100.00 100.00 100.00 100.00' perf/msr/tsc,cpu,percent,N
one raw '0x0000000000000000 0x000000028fa6ae00 0x000000028fa6ae00 0x000000028fa6ae00 0x000000028fa6ae00' perf/msr/tsc,cpu,raw,N
one raw-u32 '0x00000000 0x8fa6ae00 0x8fa6ae00 0x8fa6ae00 0x8fa6ae00' perf/msr/tsc,cpu,u32,raw,N
one average '11000000000 11000000000 11000000000 11000000000 11000000000' perf/msr/tsc,cpu,average,N
one core-scope '4000000000 1000000000 1000000000 1000000000 1000000000' perf/msr/tsc,core,delta,N
one msr-decimal '4000000000 1000000000 1000000000 1000000000 1000000000' msr16,delta,N
one msr-percent '100.00 100.00 100.00 100.00 100.00' msr0x10,percent,N
one msr-u32-wraps '806 200 201 202 203' msr0x611,u32,delta,N
one msr-u32-average '101 100 101 102 103' msr0x611,u32,average,N
one msr-u32-raw-package '0x00000000 0x00000064  0x00000066 ' msr0x611,u32,raw,package,N
one msr-field '0x00000000 0x0000008f 0x0000008f 0x0000008f 0x0000008f' 'msr0x10[31:24],raw,N'
one msr-package '402 200  202 ' msr0x611,u32,package,delta,N
one file '42 42  42 ' /sys/devices/example/level,package,average,N
one file-cpu '42 42 42 42 42' /sys/devices/example/level,cpu,average,N
one file-raw-u32 '0x00000000 0x0000002a 0x0000002a 0x0000002a 0x0000002a' /sys/devices/example/level,u32,raw,N
one file-usec '25.00 25.00  25.00 ' /sys/devices/example/busy_us,package,usec,percent,N
# perf's own names, without a PMU in the recording
names='/^plan$/a\
perf 0 software 3 100 1000 1000\
perf 0 hw:u 1 500\
perf 0 tracepoint 13b 7
/^sample 1 /a\
perf 0 software 3 177 1000001000 1000001000\
perf 0 hw:u 1 800\
perf 0 tracepoint 13b 9
/^static$/a\
file /sys/kernel/tracing/events/sched/sched_switch/id "315\\n"'
use pmus "$names"
one name '77 77 nan nan nan' perf/cs
one name-of-hardware '300 300 nan nan nan' perf/instructions,user
one name-of-tracepoint '2 2 nan nan nan' perf/sched:sched_switch,N
run --show CPU --add perf/sched:sched_waking --add perf/cpu/page-faults,X --add perf/instructions,kernel
has add/name-without-tracepoint err '^turbostat: --add sched:sched_waking: perf sched:sched_waking: not in the recording$'
has add/name-of-no-pmu err 'the PMU cpu has no term or event page-faults .*; write perf/page-faults$'
has add/name-without-event err '^turbostat: --add instructions: perf instructions, kernel: not in the recording$'
use pmus '/^static$/a\
file /sys/kernel/tracing/events/sched/sched_switch/id !EACCES'
run --show CPU --add perf/sched:sched_switch
has add/tracepoint-refused err '^turbostat: --add sched:sched_switch: /sys/kernel/tracing/events/sched/sched_switch/id: Permission denied$'
use pmus 's/^\(perf 3 msr 7\) .*/\1 18446744073709551615/'
one snapshot-invalid '43 44 43 42 nan' perf/msr/cpu_thermal_margin,N
use pmus 's/margin.snapshot "1/margin.snapshot "0/'
one no-snapshot 'nan nan nan nan nan' perf/msr/cpu_thermal_margin,N
use pmus 's/^\(perf 1 cpu c0\) .*/\1 !EINVAL/'
one open-refused '27005 9000 nan 9002 9003' perf/cpu/instructions,N
use pmus 's/^\(perf [012] cpu c0\) .*/\1 !EINVAL/'
one refused-on-most '9003 nan nan nan 9003' perf/cpu/instructions,N
use pmus

# registers are unsigned, and a mean over units is exact; a sum above 2^64 - 1 is unknown
top='s/^msr \([0-3]\) 611 0000abcdf.*/msr \1 611 0000000000000000/
	s/^msr \([0-3]\) 611 0000abcd0.*/msr \1 611 80000000430d5060/'
use pmus "$top"
one unsigned '9223372037979721824 9223372037979721824 9223372037979721824 9223372037979721824 9223372037979721824' msr0x611,average,N
one unsigned-field '8388608 8388608  8388608 ' 'msr0x611[63:40],package,average,N'
one unsigned-twice 'nan nan nan nan nan' msr0x611,average,scale=2,N
one unsigned-scaled '4611686018989860864.00 4611686018989860864.00 4611686018989860864.00 4611686018989860864.00 4611686018989860864.00' msr0x611,average,scale=0.5,N
use pmus "$top; s/^msr \([0-3]\) 611 8.*/msr \1 611 7fffffff430d5060/"
one unsigned-sum '18446744067369509056 9223372033684754528  9223372033684754528 ' msr0x611,package,delta,N
one large-sum 'nan 9223372033684754528 9223372033684754528 9223372033684754528 9223372033684754528' msr0x611,delta,N
one large-whole '18446744067369509056 18446744067369509056 18446744067369509056 18446744067369509056 18446744067369509056' msr0x611,average,scale=2,N
one exact-mean '9223372033684754528 9223372033684754528 9223372033684754528 9223372033684754528 9223372033684754528' msr0x611,average,N
use pmus 's/level "42.n"/level "-9223372036854775808\\n"/'
one signed '-9223372036854775808 -9223372036854775808 -9223372036854775808 -9223372036854775808 -9223372036854775808' /sys/devices/example/level,average,N
use pmus 's/level "42.n"/level "-7\\n"/'
one signed-twice '-14 -14  -14 ' /sys/devices/example/level,package,average,scale=2,N
# all formats agree on levels
use pmus "$top"
set -- --add msr0x611,package,average,R --add /sys/devices/example/level,package,average,L --show CPU
sed 's/level "42.n"/level "-7\\n"/' "$rec" >"$tmp/levels.rec"
rec=$tmp/levels.rec
for format in json csv prometheus; do
	run --$format "$@"
	case $format in
	json) want='"L":-7,"R":9223372037979721824 "L":-7,"R":9223372037979721824 "L":-7,"R":9223372037979721824'
	      got=$(grep -o '"L":.*[0-9]' "$tmp/out" | grep -o '"L":[-0-9]*,"R":[0-9]*' | paste -s -d ' ' -) ;;
	csv) want='-7,9223372037979721824 -7,9223372037979721824 -7,9223372037979721824'
	     got=$(sed '1d; s/.*,\([^,]*,[^,]*\)$/\1/' "$tmp/out" | paste -s -d ' ' -) ;;
	prometheus) want='-7 -7 9223372037979721824 9223372037979721824'
		    got=$(sed -n 's/^turbostat_added_[LR]{.* //p' "$tmp/out" | tail -4 | paste -s -d ' ' -) ;;
	esac
	if [ "$want" = "$got" ]; then
		ok "add/levels-$format"
	else
		{ echo "expected: $want"; echo "seen:     $got"; cat "$tmp/out" "$tmp/err"; } >"$tmp/diff"
		fail "add/levels-$format" "$tmp/diff"
	fi
done
use pmus

# a raw value of several units is known if they all have it; the table's summary has 0
run --per package --show CPU --add msr0x611,u32,delta,M --add msr0x611,raw,R
table add/raw-differs 1 <<-END
	Package CPUs R M
	- 4 0x0000000000000000 806
	0 2 nan 401
	1 2 nan 405
	END
run --per package --show CPU --add msr0x611,package,raw,R --add 'msr0x611[31:1],raw,S'
table add/raw-same 1 <<-END
	Package CPUs S R
	- 4 0x00000000 0x0000000000000000
	0 2 0x00000032 0x0000abcd00000064
	1 2 0x00000033 0x0000abcd00000066
	END
# raws NAME SUMMARY ROWS: what JSON and CSV have of a column R
raws()
{
	run --json --show CPU $4 --add "$5"
	got=$(grep -o '"R":[^,}]*' "$tmp/out" | paste -s -d ' ' - | sed 's/"R"://g; s/"//g')
	run --csv --show CPU $4 --add "$5"
	got="$got/$(sed '1d; s/.*,/=/' "$tmp/out" | paste -s -d ' ' - | sed 's/= /=null /g; s/=$/=null/; s/=//g')"
	if [ "$got" = "$2${3:+ }$3/$2${3:+ }$3" ]; then
		ok "add/$1"
	else
		{ echo "expected: $2 $3"; echo "seen:     $got"; cat "$tmp/err"; } >"$tmp/diff"
		fail "add/$1" "$tmp/diff"
	fi
}
raws raw-summary-differs null '0x0000abcd00000064 0x0000abcd00000066' '' msr0x611,package,raw,R
raws raw-summary-same 0x0000abcd '' -S 'msr0x611[63:32],package,raw,R'
raws raw-per 0x0000abcd '0x0000abcd 0x0000abcd' '--per package' 'msr0x611[63:32],raw,R'
raws raw-per-differs null 'null null' '--per package' 'msr0x611,raw,R'
use pmus 's/^msr [12] 611 .*/msr 1 611 !EIO/'
raws raw-without-unknown 0x0000abcd00000064 '' -S 'msr0x611,package,raw,R'
use pmus

run --show CPU --add msr0x10,percent --add msr16,u32 --add msr0x199 --add perf/cpu/instructions
table add/default-names 1 <<-END
	CPU M0X199 M0x10 M0X10% perf/instructions
	- 0 4000000000 100.00 36006
	0 0 1000000000 100.00 9000
	1 0 1000000000 100.00 9001
	2 0 1000000000 100.00 9002
	3 0 1000000000 100.00 9003
	END

# no limit on how many
set -- --show CPU
i=0
while [ $i -lt 60 ]; do
	set -- "$@" --add "perf/cpu/instructions,A$i" --add "msr0x10,M$i" --add "perf/uncore_cbox/clockticks,package,P$i"
	i=$((i + 1))
done
run "$@"
awk -F '\t' 'NR == 1 { print NF } $1 == "-" { print $2, $61, $62, $121, $122, $181 }' "$tmp/out" >"$tmp/got"
cp "$tmp/got" "$tmp/out"
table add/many 1 <<-END
	181
	4000000000 4000000000 36006 36006 666 666
	END

# what the kernel's own test of added counters asks for
run --show CPU --add perf/cpu/instructions,INS
has add/columns-asked-for out "^CPU	INS$"
run --show CPU --add perf/cpu/instructions,INS --debug
has add/columns-of-debug out "^usec	Time_Of_Day_Seconds	CPU	APIC	X2APIC	INS$"
has add/debug-tells err '^cpu0 reads: \[perf on cpu0: msr:0x0\] \[perf on cpu0: cpu:0xc0\]'

# malformed files and terms: one note that names it, no column, exit status 0
bad()
{
	run --show CPU --add "$2,BAD"
	awk '{ gsub(/\t/, " "); print }' "$tmp/out" >"$tmp/got"
	printf 'CPU\n-\n0\n1\n2\n3\n' >"$tmp/want"
	{
		diff "$tmp/want" "$tmp/got"
		[ "$status" -eq 0 ] || echo "exit status $status"
		[ "$(grep -c BAD "$tmp/err")" -eq 1 ] || { echo "not one note:"; cat "$tmp/err"; }
		grep -q -e "$3" "$tmp/err" || { echo "no note about $3:"; cat "$tmp/err"; }
	} >"$tmp/diff"
	if [ -s "$tmp/diff" ]; then fail "bad/$1" "$tmp/diff"; else ok "bad/$1"; fi
}
bad format-empty perf/bad_empty/event=1/ event
bad format-bits perf/bad_bits/event=1/ event
bad format-word perf/bad_word/event=1/ event
bad format-order perf/bad_order/event=1/ event
bad type perf/bad_type/event=1/ type
bad unknown-term perf/cpu/event=1,frobnicate=3/ frobnicate
bad too-large perf/cpu/event=0x100/ 'event=0x100 of the PMU cpu: the value is too large'
bad not-a-number perf/cpu/event=1,umask=x/ 'umask=x of the PMU cpu: malformed'
bad unknown-event perf/cpu/frobnicated frobnicated
bad parameter perf/cpu/param 'param\|umask'
bad event-of-itself perf/bad_event/loop loop
bad event-empty perf/bad_event/none none
bad event-scale perf/bad_event/scale scale
bad unknown-pmu perf/frobnicator/event=1/ frobnicator

use pmus 's/^msr 0 199 .*/&\
msr 0 777 !EIO/'
run --show CPU --add msr0x777,A --add msr0x778,B
has bad/msr-refused-when-recorded err '^turbostat: --add A: MSR 0x777: the processor refuses it$'
has bad/msr-not-recorded err '^turbostat: --add B: MSR 0x778: not in the recording$'
use pmus
run --no-perf --show CPU --add perf/cpu/instructions,BAD
notes bad/no-perf 1 BAD
goes_on bad/no-perf-status
use pmus '/^msr /d; s/^plan$/&\nmsr * * !EACCES/'
run --show CPU --add msr0x199,BAD
notes bad/msr-refused 1 BAD
goes_on bad/msr-refused-status

# ------------------------------------------------------- this machine

if "$program" --quiet --no-msr --interval 0.3 --num_iterations 1 --show CPU,TSC_MHz --add perf/msr/tsc,cpu,delta,T \
		--add perf/msr/tsc,cpu,percent,P --record "$tmp/live.rec" >"$tmp/out" 2>"$tmp/err" </dev/null &&
		head -1 "$tmp/out" | grep -q '	T$\|T	'; then
	if awk -F '\t' '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		$1 != "-" {
			seconds = $at["T"] / ($at["TSC_MHz"] * 1e6)
			if (seconds < 0.28 || $at["P"] < 99 || $at["P"] > 101) { print; bad = 1 }
		}
		END { exit bad || NR < 3 }' "$tmp/out" >"$tmp/diff"; then
		ok live/tsc
	else
		fail live/tsc "$tmp/out"
	fi
	cp "$tmp/out" "$tmp/live.out"
	rec=$tmp/live.rec
	run --show CPU,TSC_MHz --add perf/msr/tsc,cpu,delta,T --add perf/msr/tsc,cpu,percent,P
	if diff "$tmp/live.out" "$tmp/out" >"$tmp/diff"; then ok live/replayed; else fail live/replayed "$tmp/diff"; fi
else
	skip live/tsc "perf events of the msr PMU are refused or absent here"
	skip live/replayed "perf events of the msr PMU are refused or absent here"
fi

# an event that cannot be opened leaves standard input alone: it is the command's
if "$program" --list --no-msr --add perf/msr/event=0x7f/,X >"$tmp/out" 2>"$tmp/err" </dev/null; then
	echo kept | "$program" --quiet --no-msr --show CPU --add perf/msr/event=0x7f/,X cat >"$tmp/out" 2>"$tmp/err"
	has live/standard-input out '^kept$'
else
	skip live/standard-input "$(tail -1 "$tmp/err")"
fi

# --- layouts of hwmon that other kernels and processors have ---

for edit in 's/Package id 0/Physical id 0/' 's/hwmon3/hwmon12/'; do
	use client "$edit"
	run -n 1 --no-msr --show CPU,CoreTmp,PkgTmp
	table "hwmon/$edit" 1 <<-END
	CPU CoreTmp PkgTmp
	- 60 62
	0 60 62
	2
	1 55
	3
	END
done
use client '/Package id 0/d'
run -n 1 --no-msr --show CPU,CoreTmp,PkgTmp
table hwmon/no-package-sensor 1 <<-END
CPU CoreTmp
- 60
0 60
2
1 55
3
END
use amd '/temp[0-9]_label/d'
run -n 1 --show CPU,PkgTmp
table hwmon/k10temp-without-labels 1 <<-END
CPU PkgTmp
- 60
0 60
4
1
5
2 45
6
3
7
END
use partial '/^static$/a\
file /sys/x/neg "-5\\n"'
run -n 1 --show CPU --add /sys/x/neg,average,N
table add/negative-mean 1 <<-END
CPU N
- -5
0 -5
1 -5
2 -5
3 -5
END
# a file's count of 32 bits wraps
use partial 's,^plan$,&\
file /sys/x/n "4294967290\\n",
s,^sample 1.*,&\
file /sys/x/n "5\\n",'
run -n 1 --show CPU --add /sys/x/n,u32,package,delta,N
table add/file-wraps 1 <<-END
CPU N
- 22
0 11
1
2 11
3
END
# one that is called like a column stands beside it, wherever that is
run -n 1 --show CPU,CPU%c6 --add perf/msr/tsc,cpu,CPU%c6
table add/name-of-a-column 1 <<-END
CPU CPU%c6 CPU%c6
- 8000000000 20.00
0 2000000000 20.00
1 2000000000
2 2000000000 20.00
3 2000000000
END

# --- a file of each CPU: no difference between two CPUs' ---

use leader
run --show Core,CPU,CoreThr
table leader/throttle-count 1 <<-END
Core CPU CoreThr
- - 0
1 1 0
1 3
0 2 nan
END

# --- one unit of several refuses: the next source stands in there, and only there ---

silent()
{
	same_errors=$(wc -l <"$tmp/err")
	if [ "$same_errors" -eq 0 ]; then ok "$1"; else fail "$1" "$tmp/err"; fi
}
partial=CPU,Avg_MHz,Busy%,CPU%c1,CPU%c6,PkgWatt
use partial
run -n 1 --show "$partial"
table partial/perf 1 <<-END
CPU Avg_MHz Busy% CPU%c1 CPU%c6 PkgWatt
- 550 17.50 34.00 20.00 30.00
0 400 10.00 40.00 20.00 10.00
1 500 15.00 22.00
2 600 20.00 50.00 20.00 20.00
3 700 25.00 24.00
END
silent partial/perf-silent
for column in CPU%c6 CPU%c1 TSC_MHz; do
	run -n 1 --show "CPU,$column"
	silent "partial/only-$column"
done
use partial '/^perf 2 msr 1/s/ [0-9]*$/ !EINVAL/; /^perf [01] cstate_core/s/ [0-9]*$/ !EINVAL/'
run -n 1 --show "$partial"
table partial/aperf 1 <<-END
CPU Avg_MHz Busy% CPU%c1 CPU%c6 PkgWatt
- 552 17.50 29.25 20.50 30.00
0 400 10.00 21.00 21.00 10.00
1 500 15.00 22.00
2 610 20.00 50.00 20.00 20.00
3 700 25.00 24.00
END
silent partial/aperf-silent
use partial '/^perf 2 power/s/ [0-9]*$/ !ENODEV/'
run -n 1 --show CPU,PkgWatt
table partial/energy-msr 1 <<-END
CPU PkgWatt
- 31.00
0 10.00
1
2 21.00
3
END
use partial '/^perf 2 power/s/ [0-9]*$/ !ENODEV/; s/^msr 2 611 .*/msr 2 611 !EIO/'
run -n 1 --show CPU,PkgWatt
table partial/energy-powercap 1 <<-END
CPU PkgWatt
- 32.00
0 10.00
1
2 22.00
3
END
# zones that have never counted: the column is there for who names it
use partial 's/\(energy_uj "\)[0-9]*/\10/'
run -n 1 --no-perf --no-msr --hide TSC_MHz
table partial/energy-silent 1 <<-END
Package Core CPU
- - -
0 0 0
0 0 1
1 0 2
1 0 3
END
run -n 1 --no-perf --no-msr --show CPU,PkgWatt
table partial/energy-named 1 <<-END
CPU PkgWatt
- 0.00
0 0.00
1
2 0.00
3
END
# --explain says why it is not, whoever names it
run --no-perf --no-msr --explain --show PkgWatt
has partial/energy-explained out '^PkgWatt	absent'
use partial 's/^msr 2 611 .*/msr 2 611 !EIO/'
run -n 2 --no-perf --show CPU,PkgWatt
table partial/energy-msr-powercap 1 2 <<-END
CPU PkgWatt
- 33.00
0 11.00
1
2 22.00
3
- 33.00
0 11.00
1
2 22.00
3
END

# the CPUs that the control group may use are others than those that are online
use client '/^static$/a\
file /proc/self/cgroup "0::/own\\n"\
file /sys/fs/cgroup/own/cpuset.cpus.effective "100\\n"'
run
has cpuset/no-cpu-is-left err '^turbostat: no CPU left to measure$'

# ------------------------------------------------------- sleep and batteries

# The second interval is a suspend to RAM of 3600 s: what counts in it is divided by 3605 s.
sleeping='/^static$/a\
file /sys/power/suspend_stats/total_hw_sleep "7\\n"\
file /sys/devices/system/cpu/cpu0/cpuidle/state2/s2idle/usage "4\\n"\
file /sys/devices/system/cpu/cpu0/cpuidle/state2/s2idle/time "1000\\n"\
file /sys/devices/system/cpu/cpu1/cpuidle/state2/s2idle/usage "4\\n"\
file /sys/devices/system/cpu/cpu1/cpuidle/state2/s2idle/time "1000\\n"
/^sample 2/a\
file /sys/power/suspend_stats/total_hw_sleep "1802500007\\n"\
file /sys/devices/system/cpu/cpu0/cpuidle/state2/s2idle/usage "14\\n"\
file /sys/devices/system/cpu/cpu0/cpuidle/state2/s2idle/time "3244501000\\n"\
file /sys/devices/system/cpu/cpu1/cpuidle/state2/s2idle/usage "5\\n"\
file /sys/devices/system/cpu/cpu1/cpuidle/state2/s2idle/time "361001000\\n"'
use ../golden/suspend/machine "$sleeping"
run --show CPU,Busy%,s2idle,SYS%LPI
table sleep/suspend 1 2 3 <<-END
CPU Busy% C6.s2i C6.s2i% SYS%LPI
- 30.00 0 0.00 0.00
0 40.00 0 0.00 0.00
1 20.00 0 0.00
- nan 11 50.01 50.00
0 nan 10 90.00 50.00
1 nan 1 10.01
- 18.00 0 0.00 0.00
0 24.00 0 0.00 0.00
1 12.00 0 0.00
END
run --show all
hasnot sleep/named-only out s2i
# Intel's driver loses a suspend of more than 2^32 microseconds
use ../golden/suspend/machine "$sleeping
s/^\(sample [23].*\) 37\([0-9.]*\)$/\1 47\2/"
run -S --show SYS%LPI
table sleep/too-long 1 2 3 <<-END
SYS%LPI
0.00
nan
0.00
END
run --explain BatWatt
has sleep/no-battery out '	this machine has no battery$'

# substates of S0ix, of a kernel with several PMCs, and of one that names none
substates='"pmc0   Substate       Residency\\n        S0i2.0         1000\\n        S0i3.2         5\\npmc1   Substate       Residency\\n        S0i2.0         1\\n"'
later=$(printf '%s\n' "$substates" | sed 's/1000/501000/; s/ 1\\/ 2000001\\/')
use ../golden/suspend/machine "/^static$/a\\
file /sys/kernel/debug/pmc_core/substate_residencies $substates
/^sample 1/a\\
file /sys/kernel/debug/pmc_core/substate_residencies $later"
run -n 1 --show CPU,S0ix,Busy%
table sleep/substates 1 <<-END
CPU Busy% S0i2.0% S0i3.2% S0i2.0.1%
- 30.00 10.00 0.00 40.00
0 40.00
1 20.00
END
use ../golden/suspend/machine '/^static$/a\
file /sys/kernel/debug/pmc_core/substate_residencies "Substate   Residency\\nS0i3.0  7\\n"'
run -n 1 -S --enable S0i3.0% --show S0i3.0%
table sleep/old-substates 1 <<-END
S0i3.0%
0.00
END

# batteries: by power or by current and voltage, of either sign; a mouse has one too
batteries='/^static$/a\
file /sys/class/power_supply/AC/type "Mains\\n"\
file /sys/class/power_supply/BAT0/type "Battery\\n"\
file /sys/class/power_supply/BAT0/status "Discharging\\n"\
file /sys/class/power_supply/BAT0/power_now "5250000\\n"\
file /sys/class/power_supply/BAT1/type "Battery\\n"\
file /sys/class/power_supply/BAT1/status "Discharging\\n"\
file /sys/class/power_supply/BAT1/current_now "-200000\\n"\
file /sys/class/power_supply/BAT1/voltage_now "12000000\\n"\
file /sys/class/power_supply/hid-battery/type "Battery\\n"\
file /sys/class/power_supply/hid-battery/scope "Device\\n"\
file /sys/class/power_supply/hid-battery/status "Discharging\\n"'
use ../golden/suspend/machine "$batteries
/^sample 2/a\\
file /sys/class/power_supply/BAT0/status \"Charging\\\\n\"
/^sample 3/a\\
file /sys/class/power_supply/BAT0/status \"Full\\\\n\""
run -S --show BatWatt
table battery/sum 1 2 3 <<-END
BatWatt
7.65
nan
2.40
END
hasnot battery/no-failure err .
run -n 1 -S
hasnot battery/named-only out BatWatt
use ../golden/suspend/machine "$(printf '%s\n' "$batteries" | sed /current_now/d)"
run -n 1 -S --show BatWatt
table battery/unreadable 1 <<-END
BatWatt
nan
END

# ------------------------------------------------------- wall meters and chips by name

chips='/^static$/a\
file /run/meter "12.5\\n"\
file /run/whole "12\\n"\
file /run/word "twelve\\n"\
file /sys/class/hwmon/hwmon2/name "nvme\\n"\
file /sys/class/hwmon/hwmon2/power1_input "1500000\\n"\
file /sys/class/hwmon/hwmon10/name "nvme\\n"\
file /sys/class/hwmon/hwmon10/power1_input "2500000\\n"\
file /sys/class/hwmon/hwmon10/energy1_input "1000000\\n"
/^sample 1 /a\
file /run/meter "-13.25\\n"\
file /run/whole "12.5\\n"\
file /sys/class/hwmon/hwmon10/power1_input "3500000\\n"\
file /sys/class/hwmon/hwmon10/energy1_input "51000000\\n"'
use ../golden/suspend/machine "$chips"
run -n 1 -S --show wall,fine,nvme,first,energy1_input,J --add /run/meter,package,average,wall --add /run/meter,package,average,scale=1000,fine \
	--add hwmon/nvme.2/power1_input,nvme --add hwmon/nvme/power1_input,scale=1e-6,first --add hwmon/nvme.2/energy1_input,rate \
	--add hwmon/nvme.2/energy1_input,scale=1e-6,J
table added/chips 1 <<-END
fine wall J energy1_input first nvme
-13250.00 -13.25 50.00 10000000.00 1.50 3500000
END
# one that was whole at the start is nan with a note, never cut
run -n 1 -S --show w --add /run/whole,package,average,w
table added/later-decimal 1 <<-END
w
nan
END
run -n 1 -S --show x,Busy% --add /run/meter,package,raw,x
has added/raw-decimal err '/run/meter holds no integer: 12.5'
run -n 1 -S --show x,Busy% --add hwmon/none/power1_input,x
has added/no-chip err '^turbostat: --add x: no hwmon device here has none/power1_input (see /sys/class/hwmon/\*/name)$'
run -n 1 -S --show x,Busy% --add /run/word,x
has added/no-number err '^turbostat: --add x: /run/word holds no number: twelve$'
run --add hwmon/../../x
has added/bad-chip err '^turbostat: --add hwmon/../../x: expected hwmon/NAME/FILE$'

# ------------------------------------------------------- a command's own counters

use task
instructions='--add perf/instructions,task,INSTR'
clock='--add perf/task-clock,task,scale=1e-9,CPU_s'
# printed CASE TEXT: what a command printed, blanks for TABs
printed()
{
	printf '%s\n' "$2" >"$tmp/want"
	cat "$tmp/out" "$tmp/err" | tr '\t' ' ' >"$tmp/got"
	if diff "$tmp/want" "$tmp/got" >"$tmp/diff"; then ok "$1"; else fail "$1" "$tmp/diff"; fi
}
run -S --show IRQ $instructions $clock
printed task/summary '2.500000 sec
IRQ CPU_s INSTR
70 9.20 41200000000'
run --show CPU,IRQ,CoreThr $instructions --add perf/instructions,task,rate,R
printed task/rows '2.500000 sec
CPU IRQ R INSTR CoreThr
- 70 16480000000.00 41200000000 0
0 30 - - 0
1 40 - - 0'
run --show CPU,IRQ $instructions
printed task/rows-end-early '2.500000 sec
CPU IRQ INSTR
- 70 41200000000
0 30
1 40'
run --per core --show IRQ $instructions
printed task/per '2.500000 sec
Core CPUs IRQ INSTR
- 2 70 41200000000
0 1 30
1 1 40'
run --json --show IRQ $instructions
cat "$tmp/err" >>"$tmp/out"
has task/json out '"system":{"cpus":2,"IRQ":70,"INSTR":41200000000},"rows":\[{"scope":"cpu",.*"cpu":0,"IRQ":30},'
run --csv --show IRQ $instructions
cat "$tmp/err" >>"$tmp/out"
has task/csv out ',system,.*,70,41200000000$'
has task/csv-rows out ',cpu,.*,30,$'
# a task that slept is no dead event; one that ran without its event is unknown
run -S --total --show IRQ $instructions $clock --add perf/cache-misses,user,task,M
printed task/intervals "IRQ M CPU_s INSTR
70 2000 6.00 30000000000
0 0 0.00 0
0 nan 3.20 11200000000
total 2.500000 sec
IRQ M CPU_s INSTR
70 nan 9.20 41200000000
turbostat: 'M': the event shares a hardware counter; its count is scaled"
run -S --show IRQ --add perf/power/energy-pkg,task,PJ --add perf/cs,task
printed task/refused "2.500000 sec
IRQ
70
turbostat: --add cs: perf context-switches, task: not in the recording
turbostat: --add PJ: perf power/energy-pkg/, task: its PMU counts no tasks"
# what was refused when recording is told from what nobody asked for
use task '/^perf task power 2/a\
perf task hw 5 !ENOENT\
perf 0 hw 6 !ENOENT'
run -S --show IRQ --add perf/branch-misses,task --add perf/bus-cycles --add perf/bus-cycles,task,B
printed task/refused-or-unasked "2.500000 sec
IRQ
70
turbostat: --add B: perf bus-cycles, task: not in the recording
turbostat: --add bus-cycles: perf bus-cycles: perf does not count it here
turbostat: --add branch-misses: perf branch-misses, task: perf does not count it here"
use task '/^sample 1 /,$s/^perf task hw 1 .*/perf task hw 1 !EACCES/'
run -S --show IRQ $instructions
printed task/refused-later "2.500000 sec
IRQ INSTR
70 nan
turbostat: nan in 'INSTR': the command's event: perf events were refused when this was recorded"
use task '/^command/d'
run -S --show IRQ $instructions
has task/no-command err '^turbostat: --add perf/instructions,task,INSTR: task needs a COMMAND or --pid$'
use task '/^run/d; s/^perf task hw 1 \([1-9].*\)/perf task hw 400000001 \1\
perf task hw a00000001 5 90 1/; s/^perf task hw 1 .*/perf task hw 400000001 0\
perf task hw a00000001 0/
/^cpuid \* 0 0/s/00000001/0000001a/
/^cpuid \* 1 0/a\
cpuid * 7 0 00000000 00000000 00000000 00008000\
cpuid 0 1a 0 40000001 00000000 00000000 00000000\
cpuid 1 1a 0 20000001 00000000 00000000 00000000\
file /sys/bus/event_source/devices/cpu_core/type "4\\n"\
file /sys/bus/event_source/devices/cpu_core/cpus "0\\n"\
file /sys/bus/event_source/devices/cpu_atom/type "10\\n"\
file /sys/bus/event_source/devices/cpu_atom/cpus "1\\n"'
run -S --show IRQ $instructions
printed task/hybrid '2.500000 sec
IRQ INSTR
70 41200000005'

# ------------------------------------------------------- what fails on several CPUs

# the MSR devices of CPUs 4 to 7 are missing: one note for a cause, with all its CPUs
use msr-some
run --show Busy%
notes some-cpus/once 1 .
has some-cpus/busy err "^turbostat: cpus 4-7: nan in 'Busy%': MSR 0xe7: No such file or directory$"
run --json
notes some-cpus/default-once 1 .
has some-cpus/default err "^turbostat: cpus 4-7: nan in 'Avg_MHz', 'Busy%', 'Bzy_MHz': MSR 0xe8 and others: No such file or directory$"
use msr-some 's/^msr 5 \* .*/msr 5 * !EACCES/'
run --show Busy%
notes some-cpus/two-causes 2 .
has some-cpus/one-cause err "^turbostat: cpus 4,6-7: nan in 'Busy%': MSR 0xe7: No such file or directory$"
has some-cpus/other-cause err "^turbostat: cpu5: nan in 'Busy%': MSR 0xe7: Permission denied$"
# a CPU that fails later is named then, and no CPU twice
use msr-some '/^sample 1 /,$ s/^msr 2 e7 .*/msr 2 e7 !EIO/'
run --show Busy%
notes some-cpus/later-once 2 .
has some-cpus/later err "^turbostat: cpu2: nan in 'Busy%': MSR 0xe7: Input/output error$"

# ------------------------------------------------------- the kernel's accounting

# A Skylake guest without a base frequency: MPERF counts at a rate that nobody knows. Busy% is that of
# the accounting then, as it is without rights.
msr=/sys/bus/event_source/devices/msr
guest="/^cpuid/s/00050654/000506e3/
s/^cpuid \* 6 0 .*/cpuid * 6 0 4 2 1 0/
/^msr /d
/^static$/a\\
msr * * !ENOENT\\
file $msr/type \"9\"\\
file $msr/format/event \"config:0-63\"\\
file $msr/events/tsc \"event=0x00\"\\
file $msr/events/aperf \"event=0x01\"\\
file $msr/events/mperf \"event=0x02\"
s/^tsc \(.\) \(.*\)/&\\
perf \1 msr 0 \2\\
perf \1 msr 1 \2\\
perf \1 msr 2 \2/"
use ../golden/kvm-guest/machine "$guest"
run --show CPU,Avg_MHz,Busy%,Bzy_MHz,TSC_MHz
table ticks/no-base 1 <<-END
CPU Avg_MHz Busy% Bzy_MHz TSC_MHz
- 2100 26.67 7875 2100
0 2100 30.00 7000 2100
2 2100 nan nan 2100
1 2100 40.00 5250 2100
3 2100 10.00 nan 2100
END
run --show CPU%c1
has ticks/no-c1 err "^turbostat: no columns left to show: 'CPU%c1': needs MPERF"
use ../golden/kvm-guest/machine "$guest
/^perf . msr/s/ [^ ]*$/ !EACCES/"
run --show CPU,Busy%,TSC_MHz
table ticks/no-rights 1 <<-END
CPU Busy% TSC_MHz
- 26.67 2100
0 30.00 2100
2 nan 2100
1 40.00 2100
3 10.00 2100
END
# no accounting, either
use ../golden/kvm-guest/machine "$guest
/^file .proc.stat /d"
run --show CPU,Busy%
has ticks/none err "^turbostat: the base frequency is not known: no 'Busy%'$"

# a sandbox whose /proc/stat is all zeros: no source
use stat-zeros
run
table ticks/zeros 1 <<-END
Core CPU TSC_MHz
- - 2000
0 0 2000
1 1 2000
END
notes ticks/zeros-once 1 .
has ticks/zeros-why err "^turbostat: /proc/stat counts nothing here: no 'Busy%', 'Steal%'$"
run --explain Busy%,Steal%
notes ticks/zeros-quiet 0 .
has ticks/zeros-explained out '^	/proc/stat counts nothing here$'
run --no-perf --show Busy%
has ticks/zeros-last err "^turbostat: no columns left to show: 'Busy%': /proc/stat counts nothing here$"
# one tick of one CPU is a count
use stat-zeros '1,/^done/s/cpu1 0 0 0 0 0 0 0 0 0 0/cpu1 0 0 0 0 0 0 1 0 0 0/'
run --show CPU,Busy%
table ticks/one 1 <<-END
CPU Busy%
- nan
0 nan
1 nan
END

# ------------------------------------------------------- what belongs to whom

# Which chiplet an L3 is on is decided while all CPUs are online, and kept.
use ../golden/zen2/machine
run -n 1 --show CPU,CcdTmp
has places/all out '^2	53$'
use ../golden/zen2/machine 's,^\(file .*/cpu/present\) .*,\1 "0-15\\n",'
run -n 1 --show CPU,CcdTmp
has places/some err "^turbostat: some CPUs are offline: no 'CcdTmp'$"
# the four chips of package 0 when one of its L3s goes in mid-run
use ../golden/zen2/machine '/^sample 0 /,/^done/ { /^done/a\
plan\
file /sys/devices/system/cpu/online "0-2,4-6\\n"\
done
}'
run --show CPU,CcdTmp
hasnot places/kept out nan
has places/kept-second out '^2	53$'

# ------------------------------------------------------- events that pause

# The events of two CPUs counted for a microsecond of an interval, although their CPUs were online: one
# note says what was read. That of CPU 0 which was read 50 ms late has none.
use pauses
run --show CPU,Busy%
notes pauses/once 1 .
has pauses/time err "^turbostat: cpus 1-2: counted for 1 us of 5 s: 'Busy%'$"
table pauses/values 3 <<-END
CPU Busy%
- 25.00
0 10.00
1 20.00
2 30.00
3 40.00
END

exit $failed
