#!/bin/sh
# seed.sh - the manual that this program promises to follow: turbostat's of 2017, in the Linux kernel.
#
#   tests/seed.sh			all checks
#
# One check for each statement and example of that text, in its order, with the number of its line:
# "seed/L54 --quiet". Where the program differs on purpose, the check holds what it does, and a
# comment "differs:" quotes a sentence of the section DIFFERENCES of turbostat.8. What nothing can
# check is listed at the end with the reason. The simulated kernel, which has its own clock, runs
# what takes long; the machine is one like that of the text's examples (tests/sim/haswell.awk).
#
# To be run from the project's top directory, after "make build/sim".

# $status is a number; ok never fails
# shellcheck disable=SC2086,SC2015,SC2016

LC_ALL=C
export LC_ALL

. tests/limit.sh
tmp=build/seed.$$
failed=0
line=
rec=$tmp/haswell.rec			# one interval of 5 s after the other
kabylake=tests/golden/v01-kabylake/machine.rec
mkdir -p "$tmp" || exit 1
trap 'rm -rf "$tmp"' EXIT
trap 'exit 1' HUP INT TERM

# --- how a check speaks ---

# is TITLE EXPECTED SEEN: of the line $line of the text; there is something to expect
is()
{
	if [ -n "$2" ] && [ "$2" = "$3" ]; then
		echo "ok seed/L$line $1"
	else
		failed=1
		echo "FAIL seed/L$line $1"
		printf 'expected: %s\nseen:     %s\n' "$2" "$3" | sed 's/^/    /' | cut -c1-400
	fi
}

# --- how the program is run: each leaves $tmp/out, $tmp/err and $status ---

# replay ARGUMENTS...: of $rec, without the header
replay()
{
	"$program" --replay "$rec" -q "$@" >"$tmp/out" 2>"$tmp/err" </dev/null
	status=$?
}

# first ARGUMENTS...: its first interval alone
first()
{
	replay -n 1 "$@"
}

# sim ARGUMENTS...: on the simulated kernel; "sleep" takes no time of ours
sim()
{
	SIM=$rec TURBOSTAT=$PWD/build/sim PATH=$PWD/$tmp/bin:$PATH "$program" "$@" >"$tmp/out" 2>"$tmp/err" </dev/null
	status=$?
}

# silence: how many bytes the last run wrote to standard output and, but for notes, to standard error
silence()
{
	grep -v '^turbostat: ' "$tmp/err" | cat "$tmp/out" - | wc -c | tr -d ' '
}

# live ARGUMENTS...: on this machine, with what needs no rights
live()
{
	"$program" -q -M -P "$@" >"$tmp/out" 2>"$tmp/err" </dev/null
	status=$?
}

# --- what is looked at ---

# names: the columns of the last run, with dots for TABs
names()
{
	sed -n 1p "$tmp/out" | tr '\t' .
}

# header ARGUMENTS...: the columns of a run
header()
{
	first "$@"
	names
}

# column NAME: its cells from the summary on, in a line; nothing where a row has ended before
column()
{
	awk -F'\t' -v name="$1" '
	NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) at = i; next }
	at { printf "%s%s", (NR > 2 ? " " : ""), (at <= NF ? $at : ".") }' "$tmp/out"
}

# shown COLUMN ARGUMENTS...: the cells of a column
shown()
{
	name=$1
	shift
	first --show "CPU,$name" "$@"
	column "$name"
}

# added COLUMN ATTRIBUTES: the cells of an added column
added()
{
	first --show CPU --add "$2"
	column "$1"
}

# rows ARGUMENTS...: the CPUs of the rows
rows()
{
	first --show CPU "$@"
	column CPU
}

mkdir "$tmp/bin"
printf '#!/bin/sh\nexit 0\n' >"$tmp/bin/sleep"
chmod 755 "$tmp/bin/sleep"
awk -v samples=4 -f tests/sim/haswell.awk >"$rec"
awk -v packages=2 -f tests/sim/haswell.awk >"$tmp/two.rec"
awk -v samples=2 -v seconds=10.003837 -f tests/sim/haswell.awk >"$tmp/sleep10.rec"
awk -v samples=2 -v seconds=0.101604 -f tests/sim/haswell.awk >"$tmp/sleep.1.rec"

# --- NAME, SYNOPSIS, DESCRIPTION ---

line=8
sim -q --show CPU sleep 10
is "turbostat [Options] command" "0 5.000000 sec" "$status $(sed -n 1p "$tmp/err")"
line=9
sim -q -n 1 -S --show TSC_MHz --interval 5
is "turbostat [Options] [--interval seconds]" "0 TSC_MHz 3498" "$status $(paste -s -d ' ' "$tmp/out")"
line=12
first
is "topology, frequency, idle states, temperature and power" "Core CPU Avg_MHz CPU%c7 CoreTmp PkgWatt" \
	"$(names | tr . '\n' | grep -x 'Core\|CPU\|Avg_MHz\|CPU%c7\|CoreTmp\|PkgWatt' | paste -s -d ' ' -)"
sim -q --show TSC_MHz -S sleep 10
is "a command: one table, when it has ended" "0 3 0" "$status $(wc -l <"$tmp/err" | tr -d ' ') $(wc -c <"$tmp/out" | tr -d ' ')"
sim -q --json -n 2 --show TSC_MHz
is "no command: an interval of 5 seconds" '"seconds":5 "seconds":5' "$(grep -o '"seconds":[0-9.]*' "$tmp/out" | paste -s -d ' ' -)"
sim -q --json -n 1 --show TSC_MHz --interval 2
is "--interval changes that" '"seconds":2' "$(grep -o '"seconds":[0-9.]*' "$tmp/out" | paste -s -d ' ' -)"
line=14
"$program" -q -n 1 -S --replay tests/golden/v03-nehalem-ep/machine.rec >"$tmp/out" 2>"$tmp/err"
is "an older processor has less, and goes on" "0 1 0" "$? $(grep -c CPU%c6 "$tmp/out") $(grep -c 'PkgWatt\|CPU%c7' "$tmp/out")"

# --- OPTIONS ---

line=17
is "one dash or two" "Busy% Busy%" "$(header -show Busy% -Summary) $(header --show Busy% --Summary)"
is "as much of a name as is needed" "Busy%" "$(header --sho Busy% --Summ --num 1)"
replay --h Busy%
is "not less" "1 1" "$status $(grep -c 'ambiguous' "$tmp/err")"
replay --summary
is "capitals count" "1 1" "$status $(grep -c "unknown option '--summary'" "$tmp/err")"
line=19
replay --add core,u32
is "--add needs a location" "1 1" "$status $(grep -c 'a location is required' "$tmp/err")"
is "--add, all else is optional" "7 7 7 7 7 7 7 7" "$(added M0X309 msr0x309 | cut -d ' ' -f 2-)"
line=21
for place in msr777 msr0x309 /sys/devices/system/cpu/cpu0/cpufreq/x_count; do
	first --show CPU --add $place,X
	is "--add location $place" "0 CPU.X" "$status $(names)"
done
line=22
is "msr16 is decimal" "$(added X msr0x10,raw,X)" "$(added X msr16,raw,X)"
line=23
is "msr0x10 is hex" "0x0000000600000001" "$(added X msr0x309,raw,X | cut -d ' ' -f 3)"
line=24
sim -q -n 1 --show CPU --add /sys/devices/system/cpu/cpu0/cpufreq/x_count,X
is "an attribute of sysfs" "0 3" "$status $(column X | cut -d ' ' -f 2)"
line=27
is "scope cpu: every CPU" "7 7 7 7 7 7 7 7" "$(added X msr0x309,cpu,X | cut -d ' ' -f 2-)"
is "scope core: every core" "7 . 7 . 7 . 7 ." "$(added X msr0x309,core,X | cut -d ' ' -f 2-)"
is "scope package: every package" "7 . . . . . . ." "$(added X msr0x309,package,X | cut -d ' ' -f 2-)"
line=28
is "scope is cpu by default" "$(added X msr0x309,cpu,X)" "$(added X msr0x309,X)"
line=31
is "u64: all bits" "0x0000000600000001" "$(added X msr0x309,u64,raw,X | cut -d ' ' -f 2)"
is "u32: the lower 32 bits" "0x00000001" "$(added X msr0x309,u32,raw,X | cut -d ' ' -f 2)"
line=32
is "size is u64 by default" "$(added X msr0x309,u64,raw,X)" "$(added X msr0x309,raw,X)"
line=35
is "raw: the contents in hex" "0x00000c00" "$(added X msr0x199,u32,raw,X | cut -d ' ' -f 2)"
line=36
is "delta: the difference" "7" "$(added X msr0x309,delta,X | cut -d ' ' -f 2)"
line=37
is "percent: of the cycles elapsed" "12.52 0.13 99.99" "$(added X msr0xe7,percent,X | cut -d ' ' -f 1-3)"
line=38
is "format is delta by default" "$(added X msr0x309,delta,X)" "$(added X msr0x309,X)"
line=40
is "name" "CPU.My_Name" "$(header --show CPU --add msr0x309,My_Name)"
line=41
is "a word that is no key word is the name" "CPU.corex" "$(header --show CPU --add msr0x309,corex,core)"
line=44
is "--cpu: the summary and these" "- 1 5 2" "$(rows --cpu 1,5,2)"
is "--cpu core: the first CPU of each core" "- 0 1 2 3" "$(rows --cpu core)"
is "--cpu package: the first CPU of each package" "- 0" "$(rows --cpu package)"
is "--cpu package, of two" "- 0 4" "$(rec=$tmp/two.rec; rows --cpu package)"
is "--cpu: .. and - are ranges" "- 1 2 14 15" "$(rec=$tmp/two.rec; rows --cpu 1,2,14..15,21-44 | tr ' ' '\n' | sort -n | paste -s -d ' ' -)"
rows --cpu 2,1 >"$tmp/unordered"
is "--cpu is ordered" "- 1 2" "$(cat "$tmp/unordered")"
line=46
all=$(header)
is "--hide a column" "$(echo "$all" | sed 's/SMI\.//')" "$(header --hide SMI)"
is "--hide, several times" "$(echo "$all" | sed 's/SMI\.//; s/IRQ\.//')" "$(header --hide SMI --hide IRQ)"
is "--hide a list" "$(echo "$all" | sed 's/SMI\.//; s/IRQ\.//')" "$(header --hide SMI,IRQ)"
is "--hide sysfs" "$(echo "$all" | sed 's/C1%.*C7s%\.//')" "$(header --hide sysfs)"
line=48
for name in usec Time_Of_Day_Seconds APIC X2APIC; do
	is "$name is disabled by default" 0 "$(echo ".$all." | grep -c "\.$name\.")"
	is "--enable $name" 1 "$(echo ".$(header --enable $name)." | grep -c "\.$name\.")"
done
is "--enable all: these" "usec.Time_Of_Day_Seconds.Core.CPU.APIC.X2APIC" "$(header --enable all | cut -d . -f 1-6)"
# differs: "Options, columns and streams are those of the turbostat in the kernel's source tree": in
# today's the counts of idle states are disabled, too
is "other columns are disabled" "C1.C1E.C3.C6.C7s" "$(header --enable all | grep -o 'C1\.C1E\.C3\.C6\.C7s')"
# differs: "Module and L3 are hidden unless you name them"
is "--enable Module" "Module.Core.CPU" "$(rec=tests/golden/alderlake/machine.rec; header --enable Module | grep -o 'Module\.Core\.CPU')"
line=50
is "--show a column" "Busy%" "$(header -S --show Busy%)"
is "--show, several times" "Busy%.IRQ" "$(header -S --show IRQ --show Busy%)"
is "--show a list" "Busy%.IRQ" "$(header -S --show IRQ,Busy%)"
is "--show sysfs" "C1.C1E.C3.C6.C7s.C1%.C1E%.C3%.C6%.C7s%" "$(header --show sysfs)"
line=52
first --Dump
is "--Dump: raw values" "0 mperf: 0000000000989680" "$status $(sed -n '/^mperf: /{p;q;}' "$tmp/out")"
line=54
sim -n 1 -S --show Busy%
is "no --quiet: the configuration is decoded" 1 "$(grep -c 'MSR_PLATFORM_INFO' "$tmp/err")"
sim -n 1 -S --show Busy% --quiet
is "--quiet" "0 Busy% 12.52 0" "$status $(paste -s -d ' ' "$tmp/out") $(wc -c <"$tmp/err" | tr -d ' ')"
line=56
live -n 2 -i 0.1 --json --show TSC_MHz -S
# one that follows a late one is shorter
is "--interval 0.1, live" "2 1" "$(grep -o '"seconds":[0-9.]*' "$tmp/out" | awk -F: '{ n++; sum += $2 } END { print n, (sum >= 0.19) }')"
sim -q --json -n 1 --show TSC_MHz
is "5.0 seconds is the default" '"seconds":5' "$(grep -o '"seconds":[0-9.]*' "$tmp/out")"
line=58
for n in 1 2; do
	replay -S --show Busy% --num_iterations $n -N 100
	is "--num_iterations $n" "0 $((n + 1))" "$status $(wc -l <"$tmp/out" | tr -d ' ')"
done
line=60
rm -f "$tmp/file"
replay -S --show Busy% --out "$tmp/file" -n 1
is "--out creates the file" "Busy% 12.52 0" "$(paste -s -d ' ' "$tmp/file") $(wc -c <"$tmp/out" | tr -d ' ')"
echo "something that was there before, and is longer" >"$tmp/file"
replay -S --show Busy% --out "$tmp/file" -n 1
is "--out truncates a file" "Busy% 12.52" "$(paste -s -d ' ' "$tmp/file")"
line=62
"$program" --help >"$tmp/out" 2>"$tmp/err"
# differs: "--help exits with 0"; it prints to standard output
is "--help" "0 1" "$? $(grep -c '^Usage: turbostat' "$tmp/out")"
for option in add cpu hide enable show Dump quiet interval num_iterations out help Joules list Summary TCC version; do
	is "--help names --$option" 1 "$(grep -c -- "--$option\\b" "$tmp/out" | awk '{ print ($1 > 0) }')"
done
line=64
is "--Joules: 20 W for 5 s" "100.00 20.00" "$(shown Pkg_J --Joules | cut -d ' ' -f 1) $(shown PkgWatt | cut -d ' ' -f 1)"
line=66
replay --list
is "--list, and the end" "0 1 $(echo "usec.Time_Of_Day_Seconds.$all" | sed 's/CPU\./CPU.APIC.X2APIC./')" \
	"$status $(wc -l <"$tmp/out" | tr -d ' ') $(tr , . <"$tmp/out")"
line=68
replay --Summary --show Busy%
is "--Summary: a line for each interval" "Busy% 12.52 12.52 12.52" "$(paste -s -d ' ' "$tmp/out")"
line=70
grep -v ' 1a2 ' "$rec" >"$tmp/no-tjmax.rec"
is "--TCC, where the system does not say" "14 14 . 9 . 12 . 9 ." "$(rec=$tmp/no-tjmax.rec; shown CoreTmp --TCC 90)"
is "temperatures are below the activation temperature" "24 24 . 19 . 22 . 19 ." "$(shown CoreTmp)"
line=72
"$program" --version >"$tmp/out" 2>"$tmp/err"
is "--version" "0 1" "$? $(grep -c '^turbostat version 20[0-9][0-9]\.[01][0-9]\.[0-3][0-9] - ' "$tmp/err")"
line=74
live --show TSC_MHz -S sh -c 'echo its own; exit 3'
is "a command: its output, then ours apart" "3 its own 3" "$status $(cat "$tmp/out") $(wc -l <"$tmp/err" | tr -d ' ')"

# --- the rows ---

line=78
sim -n 1 --out "$tmp/file"
is "the configuration comes first, then the columns' names" "$(printf 'turbostat version\nCore CPU Avg_MHz')" \
	"$(sed -n '1s/ 20.*//p; /^Core/{s/	/ /g; s/ Busy.*//p;}' "$tmp/file")"
sim -n 1
is "the configuration is no part of standard output" "Core" "$(head -n 1 "$tmp/out" | cut -f 1)"
rec2=$tmp/two.rec
is "the summary has - for package, core and CPU" "Package.Core.CPU - - -" \
	"$(rec=$rec2; header --show Package,Core,CPU) $(sed -n 2p "$tmp/out" | tr '\t' ' ')"
is "counts: the sum" "368 11 51 21 61 31 71 41 81" "$(shown IRQ)"
is "per cent: the mean" "12.52 0.13 99.99 0.00 0.00 0.02 0.00 0.01 0.00" "$(shown Busy%)"
# differs: "raw counters begin with 0x"
is "raw: 0" "0x00000000" "$(added X msr0x199,u32,raw,X | cut -d ' ' -f 1)"
is "a row for each CPU" "- 0 4 1 5 2 6 3 7" "$(rows)"
is "a core's value is in the row of its first CPU" "24 24 . 19 . 22 . 19 ." "$(shown CoreTmp)"
is "a package's value is in the row of its first CPU" "20.00 20.00 . . . . . . ." "$(shown PkgWatt)"
# differs: "--cpu limits lines; the summary still covers all CPUs", as this text says
is "--cpu: the summary is of all CPUs" "368 31" "$(shown IRQ --cpu 2)"

# --- the columns ---

line=81
is "usec, the summary has the whole" "1000 40 40 40 40 40 40 40 40" "$(rec=$kabylake; shown usec --enable usec)"
is "usec, by --debug" 1 "$(header --debug 2>/dev/null | grep -c '^usec\.')"
line=82
is "Time_Of_Day_Seconds, the summary is that of the last CPU" "1700000005.001000 1700000005.000090" \
	"$(rec=$kabylake; shown Time_Of_Day_Seconds --enable Time_Of_Day_Seconds | cut -d ' ' -f 1-2)"
is "Time_Of_Day_Seconds, by --debug" 1 "$(header --debug | grep -c '\.Time_Of_Day_Seconds\.')"
line=83
is "Core: two CPUs with hyper-threads" "- 0 0 1 1 2 2 3 3" "$(shown Core)"
line=84
is "CPU: in the order of the topology" "- 0 4 1 5 2 6 3 7" "$(rows)"
line=85
is "Package: not on a system with one" 0 "$(header | grep -c Package)"
is "Package: on one with two" "- 0 0 0 0 0 0 0 0 1 1 1 1 1 1 1 1" "$(rec=$rec2; shown Package)"
line=86
is "Avg_MHz: cycles by the time, idle or not" "488 5 3897 0 0 1 0 0 0" "$(shown Avg_MHz)"
line=87
is "Busy%" "12.52 0.13 99.99 0.00 0.00 0.02 0.00 0.01 0.00" "$(shown Busy%)"
line=88
is "Bzy_MHz: the clock while it was not idle" "3900 3900 3900 3856 3861 3889 3863 3869 3878" "$(shown Bzy_MHz)"
line=89
is "TSC_MHz" "3498 3498 3498 3498 3498 3498 3498 3498 3498" "$(shown TSC_MHz)"
line=90
is "IRQ: the total is the sum" "368 11 51 21 61 31 71 41 81" "$(shown IRQ)"
grep -v '^file /proc/interrupts' "$rec" >"$tmp/no-interrupts.rec"
is "IRQ is that of /proc/interrupts" 0 "$(rec=$tmp/no-interrupts.rec; header | grep -c IRQ)"
line=91
is "SMI: the same for all CPUs" "1 1 1 1 1 1 1 1" "$(shown SMI | cut -d ' ' -f 2-)"
line=92
is "C1: how often Linux requested it; the sum" "4 1 0 2 1 0 0 0 0" "$(shown C1)"
is "C7s: so" "459 130 31 52 52 71 25 74 24" "$(shown C7s)"
sed '/cpuidle\/state4\/name /s/"C7s/"C7x/' "$rec" >"$tmp/name.rec"
is "names are those that Linux exports" 1 "$(rec=$tmp/name.rec; header | grep -c 'C7x%')"
sim -n 1 -S --show Busy%
is "the configuration says what MWAIT they are" "cpu0: C7s: MWAIT 0x32" "$(grep C7s "$tmp/err")"
line=93
is "C7s%: the residency that Linux requested; the mean" "98.93 99.80 99.95 92.21 99.86 99.89 99.96 99.94 99.84" "$(shown C7s%)"
line=94
is "CPU%c1" "12.50 99.87 0.01 0.01 0.01 0.03 0.05 0.02 0.03" "$(shown CPU%c1)"
for column in CPU%c3 CPU%c6; do
	is "$column" "0.00 0.00 . 0.00 . 0.00 . 0.00 ." "$(shown $column)"
done
is "CPU%c7" "74.98 0.00 . 99.98 . 99.95 . 99.97 ." "$(shown CPU%c7)"
line=95
is "CoreTmp in degrees Celsius" "24 24 . 19 . 22 . 19 ." "$(shown CoreTmp)"
line=96
is "PkgTmp" "24 24 . . . . . . ." "$(shown PkgTmp)"
line=97
is "GFX%rc6" "90.00 90.00 . . . . . . ." "$(shown GFX%rc6)"
line=98
# the same attribute of the same device, by /sys/class/drm: a server has no fb0
is "GFXMHz: as it is at the end" "350 350 . . . . . . ." "$(shown GFXMHz)"
line=99
for column in Pkg%pc2/8.00 Pkg%pc3/4.00 Pkg%pc6/2.00 Pkg%pc7/1.00; do
	is "${column%/*}" "${column#*/}" "$(rec=$kabylake; shown ${column%/*} | cut -d ' ' -f 1)"
done
line=100
is "PkgWatt" "20.00" "$(shown PkgWatt | cut -d ' ' -f 1)"
line=101
is "CorWatt" "12.00" "$(shown CorWatt | cut -d ' ' -f 1)"
line=102
is "GFXWatt" "3.00" "$(shown GFXWatt | cut -d ' ' -f 1)"
server=tests/golden/v06-skylake-sp/machine.rec
is "GFXWatt: not on a server" 0 "$(rec=$server; header | grep -c GFXWatt)"
line=103
is "RAMWatt: on a server" 1 "$(rec=$server; header | grep -c RAMWatt)"
line=104
is "PKG_%" "1.50" "$(rec=$kabylake; shown PKG_% | cut -d ' ' -f 1)"
sum=$(rec=tests/golden/sandybridge-ep/machine.rec; shown PKG_% | tr ' ' '\n' | awk 'NR == 1 { all = $1 } NR > 1 && $1 != "." { sum += $1; n++ } END { print (n > 1 && all - sum < 0.02 && sum - all < 0.02) }')
is "PKG_%: the summary is the sum of the packages" 1 "$sum"
line=105
is "RAM_%" "0.70" "$(rec=$kabylake; shown RAM_% | cut -d ' ' -f 1)"

# --- EXAMPLES ---

line=108
sim -n 1 --out "$tmp/file"
is "--out has everything, for who helps" "0 1 10 0" \
	"$status $(grep -c '^turbostat version' "$tmp/file") $(sed -n '/^Core	/,$p' "$tmp/file" | wc -l | tr -d ' ') $(wc -c <"$tmp/out" | tr -d ' ')"
line=110
sim -q -n 1
is "--quiet: the columns alone" "10 0" "$(wc -l <"$tmp/out" | tr -d ' ') $(wc -c <"$tmp/err" | tr -d ' ')"
is "--show: these columns alone" "Busy%.IRQ" "$(header --show Busy%,IRQ)"
is "--hide: all but these" "$all" "Core.CPU.$(header --hide Core,CPU)"
line=112
replay --list
for name in $(tr , ' ' <"$tmp/out"); do
	first --show "$name"
	[ "$(names)" = "$name" ] || echo "$name: $(names)"
done >"$tmp/odd"
is "--list: each name is one for --show" 0 "$(wc -l <"$tmp/odd" | tr -d ' ')"
is "sysfs is the idle states of sysfs, all at once" "C1.C1E.C3.C6.C7s.C1%.C1E%.C3%.C6%.C7s%" "$(header --show sysfs)"
line=114
rec1=$rec
rec=$tmp/sleep10.rec
sim --show sysfs --quiet sleep 10
is "turbostat --show sysfs --quiet sleep 10" "0 " "$status $(diff - "$tmp/err" <<'TABLE'
10.003837 sec
C1	C1E	C3	C6	C7s	C1%	C1E%	C3%	C6%	C7s%
4	21	2	2	459	0.14	0.82	0.00	0.00	98.93
1	17	2	2	130	0.00	0.02	0.00	0.00	99.80
0	0	0	0	31	0.00	0.00	0.00	0.00	99.95
2	1	0	0	52	1.14	6.49	0.00	0.00	92.21
1	2	0	0	52	0.00	0.08	0.00	0.00	99.86
0	0	0	0	71	0.00	0.00	0.00	0.00	99.89
0	0	0	0	25	0.00	0.00	0.00	0.00	99.96
0	0	0	0	74	0.00	0.00	0.00	0.00	99.94
0	1	0	0	24	0.00	0.00	0.00	0.00	99.84
TABLE
)"
line=129
sim --show Busy% -q -S sleep 10
is "a command: to standard error" "0 10.003837 sec|Busy%|12.52" "$(wc -c <"$tmp/out" | tr -d ' ') $(paste -s -d '|' "$tmp/err")"
line=131
sim -o "$tmp/ts.out" sleep 10
is "turbostat -o ts.out sleep 10" "0 1 1 1 10 0" "$status $(grep -c '^turbostat version' "$tmp/ts.out") $(grep -c '^cpu0: C7s: MWAIT' "$tmp/ts.out") \
$(grep -c '^10.003837 sec$' "$tmp/ts.out") $(sed -n '/^Core	/,$p' "$tmp/ts.out" | wc -l | tr -d ' ') $(silence)"
rec=$rec1
line=135
sim -q -n 2 --show Busy% -S
is "intervals: to standard output" "Busy% 12.52 12.52 0" "$(paste -s -d ' ' "$tmp/out") $(wc -c <"$tmp/err" | tr -d ' ')"
rm -f "$tmp/file"
sim -q -n 2 --show Busy% -S -o "$tmp/file"
is "or to the file of --out" "Busy% 12.52 12.52 0" "$(paste -s -d ' ' "$tmp/file") $(silence)"
sim -q --json -n 1 -i 2 --show TSC_MHz
is "-i sec" '"seconds":2' "$(grep -o '"seconds":[0-9.]*' "$tmp/out" | paste -s -d ' ' -)"
line=136
# differs: "Options, columns and streams are those of the turbostat in the kernel's source tree":
# NMI is new
sim --quiet --hide sysfs,IRQ,SMI,CoreTmp,PkgTmp,GFX%rc6,GFXMHz,PkgWatt,CorWatt,GFXWatt --hide NMI -n 2
cat >"$tmp/want" <<'TABLE'
Core	CPU	Avg_MHz	Busy%	Bzy_MHz	TSC_MHz	CPU%c1	CPU%c3	CPU%c6	CPU%c7
-	-	488	12.52	3900	3498	12.50	0.00	0.00	74.98
0	0	5	0.13	3900	3498	99.87	0.00	0.00	0.00
0	4	3897	99.99	3900	3498	0.01
1	1	0	0.00	3856	3498	0.01	0.00	0.00	99.98
1	5	0	0.00	3861	3498	0.01
2	2	1	0.02	3889	3498	0.03	0.00	0.00	99.95
2	6	0	0.00	3863	3498	0.05
3	3	0	0.01	3869	3498	0.02	0.00	0.00	99.97
3	7	0	0.00	3878	3498	0.03
TABLE
is "turbostat --quiet --hide sysfs,IRQ,..., with the names before each interval" "0 " "$status $(cat "$tmp/want" "$tmp/want" | diff - "$tmp/out")"
line=157
is "the sibling of a busy CPU gets no deeper than c1" "99.87 0.00 0.00 0.00" \
	"$(for c in 1 3 6 7; do shown CPU%c$c | cut -d ' ' -f 2; done | paste -s -d ' ' -)"

# --- the configuration ---

line=161
sim -n 1
is "the configuration is printed before the measurement" "1 1" "$(grep -c '^turbostat version' "$tmp/err") $(grep -c 'Core	CPU' "$tmp/out")"
cp "$tmp/err" "$tmp/header"
# Words of each line that are the same today. differs: "Header lines follow the vendors' manuals
# where the other program does not", and today's program of the kernel prints them so: CPUID(1) has
# the model, powers have three digits, EPB is that of sysfs, levels of TDP that are 0 have no line,
# an energy counter's range of power and the status of each core's thermometer have none.
# differs: "a power limit that is disabled has no numbers"
while IFS='|' read -r line words; do
	is "$words" 1 "$(grep -cF -- "$words" "$tmp/header")"
done <<'LINES'
163|turbostat version 20
164|CPUID(0): GenuineIntel 0xd CPUID levels
164|family:model:stepping 0x6:3c:3 (6:60:3)
165|CPUID(6): APERF, TURBO, DTS, PTM, No-HWP, No-HWPnotify, No-HWPwindow, No-HWPepp, No-HWPpkg, EPB
166|MSR_MISC_PWR_MGMT: 0x00400000 (ENable-EIST_Coordination DISable-EPB DISable-OOB)
167|RAPL: 3121 sec. Joule Counter Range, at 84 Watts
168|MSR_PLATFORM_INFO: 0x80838f3012300
169|8 * 100.0 = 800.0 MHz max efficiency frequency
170|35 * 100.0 = 3500.0 MHz base frequency
171|MSR_IA32_POWER_CTL: 0x0004005d (C1E auto-promotion: DISabled)
172|MSR_TURBO_RATIO_LIMIT: 0x25262727
173|37 * 100.0 = 3700.0 MHz max turbo 4 active cores
174|38 * 100.0 = 3800.0 MHz max turbo 3 active cores
175|39 * 100.0 = 3900.0 MHz max turbo 2 active cores
176|39 * 100.0 = 3900.0 MHz max turbo 1 active cores
177|MSR_CONFIG_TDP_NOMINAL: 0x00000023 (base_ratio=35)
180|MSR_CONFIG_TDP_CONTROL: 0x80000000 ( lock=1)
181|MSR_PKG_CST_CONFIG_CONTROL: 0x1e000400 (UNdemote-C3, UNdemote-C1, demote-C3, demote-C1, UNlocked
181|pkg-cstate-limit=0
182|C1: MWAIT 0x00
183|C1E: MWAIT 0x01
184|C3: MWAIT 0x10
185|C6: MWAIT 0x20
186|C7s: MWAIT 0x32
187|MSR_MISC_FEATURE_CONTROL: 0x00000000 (L2-Prefetch L2-Prefetch-pair L1-Prefetch L1-IP-Prefetch)
188|6 (balanced)
189|MSR_CORE_PERF_LIMIT_REASONS, 0x31200000 (Active: ) (Logged: Transitions, MultiCoreTurbo, Amps, Auto-HWP, )
190|MSR_GFX_PERF_LIMIT_REASONS, 0x00000000 (Active: ) (Logged: )
191|MSR_RING_PERF_LIMIT_REASONS, 0x0d000000 (Active: ) (Logged: Amps, PkgPwrL1, PkgPwrL2, )
192|MSR_RAPL_POWER_UNIT: 0x000a0e03 (0.125000 Watts, 0.000061 Joules, 0.000977 sec.)
193|MSR_PKG_POWER_INFO: 0x000002a0 (84 W TDP
194|MSR_PKG_POWER_LIMIT: 0x428348001a82a0 (UNlocked)
195|PKG Limit #1: ENabled (84.000 Watts, 8.000000 sec, clamp DISabled)
196|PKG Limit #2: ENabled (105.000 Watts, 0.002441* sec, clamp DISabled)
197|MSR_PP0_POLICY: 0
198|MSR_PP0_POWER_LIMIT: 0x00000000 (UNlocked)
199|Cores Limit: DISabled (clamp DISabled)
200|MSR_PP1_POLICY: 0
201|MSR_PP1_POWER_LIMIT: 0x00000000 (UNlocked)
202|GFX Limit: DISabled (clamp DISabled)
203|MSR_IA32_TEMPERATURE_TARGET: 0x00641400 (100 C)
204|MSR_IA32_PACKAGE_THERM_STATUS: 0x884c0800 (24 C)
209|MSR_PKGC3_IRTL: 0x00008842 (valid, 67584 ns)
210|MSR_PKGC6_IRTL: 0x00008873 (valid, 117760 ns)
211|MSR_PKGC7_IRTL: 0x00008891 (valid, 148480 ns)
LINES
line=178
is "levels of TDP that are 0 have no line" 0 "$(grep -c 'MSR_CONFIG_TDP_LEVEL' "$tmp/header")"
line=205
is "thermometers of cores have no line" 0 "$(grep -c 'MSR_IA32_THERM_STATUS' "$tmp/header")"
line=212
is "the rows of turbo depend on how many cores are active" "4 3 2 1" "$(sed -n 's/.*max turbo \([0-9]*\) active cores$/\1/p' "$tmp/header" | paste -s -d ' ' -)"
"$program" --replay tests/golden/no-msr-driver/machine.rec -n 1 >"$tmp/out" 2>"$tmp/err" </dev/null
is "not all information is available on all processors" "0 0" "$? $(grep -c 'MSR_PLATFORM_INFO' "$tmp/err")"

line=215
rec=$tmp/sleep.1.rec
sim --quiet --cpu 0-3 --show CPU --add msr0x199,u32,raw,PRF_CTRL sleep .1
# the text leaves out the line of names, which its line 78 promises
is "turbostat --quiet --cpu 0-3 --show CPU --add msr0x199,u32,raw,PRF_CTRL sleep .1" "0 " "$status $(diff - "$tmp/err" <<'TABLE'
0.101604 sec
CPU	PRF_CTRL
-	0x00000000
0	0x00000c00
1	0x00000800
2	0x00000a00
3	0x00000800
TABLE
)"
rec=$rec1

# --- INPUT, SIGNALS ---

# background: starts it, with a FIFO as standard input, and waits for its first sample; $pid
background()
{
	rm -f "$tmp/in" "$tmp/rec"
	mkfifo "$tmp/in"
	: >"$tmp/out"
	"$program" -q -M -P -S --show TSC_MHz -i 50 --record "$tmp/rec" >"$tmp/out" 2>"$tmp/err" <"$tmp/in" &
	pid=$!
	exec 9>"$tmp/in"
	await has_lines 1 "$tmp/rec" '^sample'
}

# newlines N: types newlines until there are N lines
newlines()
{
	for _ in $(seq 600); do
		sleep 0.05
		echo >&9
		! has_lines "$1" "$tmp/out" || break
	done
}

line=226
background
newlines 2
is "a newline ends the interval, and the next one begins" "1 0" "$(awk 'END { print (NR >= 2) }' "$tmp/out") $(kill -0 $pid; echo $?)"
newlines 4
echo q >&9
wait $pid
# the text does not know q, which today's program of the kernel has
is "so does the next one; q ends the program" "0 1" "$? $(awk 'END { print (NR >= 4) }' "$tmp/out")"
exec 9>&-
# Here the text says that SIGINT aborts at once, and at line 229 that the interval is printed; the
# program does the latter, as today's of the kernel.
line=229
background
kill -INT $pid
wait $pid
is "SIGINT: the interval is printed before the end" "0 2" "$? $(wc -l <"$tmp/out" | tr -d ' ')"
exec 9>&-
line=231
background
kill -USR1 $pid
await has_lines 2 "$tmp/out"
is "SIGUSR1: the interval is printed, and the next one begins" "2 0" "$(wc -l <"$tmp/out" | tr -d ' ') $(kill -0 $pid; echo $?)"
kill -INT $pid
wait $pid
exec 9>&-

# --- NOTES ---

line=234
# differs: "Without root, columns that need more rights are left out"
{
	sed 's/Uid:\\t0\\t0\\t0\\t0\\nCapEff:\\t[0-9a-f]*/Uid:\\t1000\\t1000\\t1000\\t1000\\nCapEff:\\t0000000000000000/; /^msr /d' "$rec"
} >"$tmp/user.rec"
"$program" --replay "$tmp/user.rec" -q -n 1 >"$tmp/out" 2>"$tmp/err" </dev/null
is "a user without rights sees what needs none" "0 CPU 1" "$? $(names | grep -o 'CPU' | head -n 1) $(names | grep -c 'IRQ.*C1%')"
line=236
# shellcheck disable=SC2012	# a mode
is "the manual says how users get the rights" 1 "$(grep -c 'cap_sys_rawio' turbostat.8 | awk '{ print ($1 > 0) }')"
line=240
awk '/open\(.*O_(WRONLY|RDWR)/ && /msr/' turbostat.c >"$tmp/odd"
is "no register is opened for writing" 0 "$(wc -l <"$tmp/odd" | tr -d ' ')"
live -n 3 -i 0.05 --show TSC_MHz -S & one=$!
"$program" -q -M -P -n 3 -i 0.05 --show TSC_MHz -S >"$tmp/other" 2>&1 </dev/null
is "two at a time do not disturb each other" "0 4" "$? $(wc -l <"$tmp/other" | tr -d ' ')"
wait $one
line=244
is "Avg_MHz = APERF / interval" 1 "$(shown Avg_MHz | awk '{ print ($2 == 5 && $3 == 3897) }')"
line=246
is "TSC_MHz = TSC / interval" "3498" "$(shown TSC_MHz | cut -d ' ' -f 1)"
line=248
is "Busy% = MPERF / TSC" "$(added X msr0xe7,percent,X)" "$(shown Busy%)"
line=250
# MPERF counts at 3500 MHz, the base clock; the text's formula has a slash where a product is meant
is "Bzy_MHz = base * APERF / MPERF" "3900 3856" "$(shown Bzy_MHz | awk '{ print $2, $4 }')"
line=252
sed '/^sample 1/,/^sample 2/{/^tsc /d; /^msr [0-9]* 10 /d;}' "$rec" >"$tmp/still.rec"
"$program" --replay "$tmp/still.rec" -q -n 1 -S --show Busy% >"$tmp/out" 2>"$tmp/err" </dev/null
# differs: "An impossible value is nan"
is "without a TSC that goes on, Busy% is nan" "0 nan" "$? $(sed -n 2p "$tmp/out")"

# --- what nothing can check ---
#
#   L5, L12	what kind of program it is: words
#   L157	why a sibling gets no deeper than c1: hardware. What the table shows is checked
#   L212	that the base frequency can be sustained: hardware
#   L242	Linux 2.6.20 to 2.6.29: older than what the program needs (perf, cpuidle)
#   L254	that very short intervals are inconsistent: nothing is promised
#   L256	that MPERF counts at the TSC's rate: hardware
#   L260-271	references and the author of the kernel's program: words

# each difference is one that the manual names
line=0
sed -n '/^\.SH DIFFERENCES/,/^\.SH NOTES/p' turbostat.8 | sed 's/^\.[A-Z]* //; s/\\(bu 2//; s/\\-/-/g' | paste -s -d ' ' - |
	sed 's/  */ /g; s/ \([,.;]\)/\1/g' >"$tmp/differences"
awk '/^# differs:/ { said = "" ; on = 1 } /^# / && on { said = said " " substr($0, 3) } !/^# / && on { print said; on = 0 }' tests/seed.sh |
	grep -o '"[^"]*"' | tr -d '"' | sort -u >"$tmp/named"
while read -r entry; do
	grep -qF -- "$entry" "$tmp/differences" || echo "$entry"
done <"$tmp/named" >"$tmp/odd"
is "each difference stands in the manual" "8 " "$(grep -c . "$tmp/named") $(paste -s -d '|' "$tmp/odd")"
exit $failed
