#!/bin/sh
# header.sh - lines of the header, and claims of --explain, for machines that differ from
# the recordings of tests/golden in a register or a file.
#
# To be run from the project's top directory. TURBOSTAT names the program, ./turbostat if
# unset. Exit status 0 if nothing failed.

LC_ALL=C
export LC_ALL
set -f

. tests/limit.sh
failed=0

tmp=$(mktemp -d "${TMPDIR:-/tmp}/header.XXXXXX") || exit 1
trap 'rm -rf "$tmp"' EXIT
trap 'exit 1' HUP INT TERM

# machine NAME EDIT: the recording of the next checks, edited by a sed script
machine()
{
	sed "$2" "tests/golden/$1/machine.rec" >"$tmp/rec"
	cmp -s "tests/golden/$1/machine.rec" "$tmp/rec" && [ -n "$2" ] && echo "FAIL header/edit: nothing to edit: $2" && failed=1
	"$program" --replay "$tmp/rec" 2>"$tmp/header" >"$tmp/table"
	return 0
}

# explain ARGUMENTS...: what --explain says, for the next checks
explain()
{
	"$program" --replay "$tmp/rec" --explain "$@" >"$tmp/header" 2>"$tmp/err"
}

# judge CASE GREP-OPTION TEXT...: each text is a line of the header (-x), or a part of one
# (-s, which changes nothing); after !, it is no part of any
judge()
{
	case_name=$1
	how=$2
	shift 2
	for text; do
		case $text in
		!*)	grep -Fq -e "${text#!}" "$tmp/header" && echo "unwanted: ${text#!}" ;;
		*)	grep -Fq "$how" -e "$text" "$tmp/header" || echo "missing: $text" ;;
		esac
	done >"$tmp/bad"
	if [ -s "$tmp/bad" ]; then
		failed=1
		echo "FAIL header/$case_name"
		sed 's/^/    /' "$tmp/bad"
		grep -F -e "${text%% *}" "$tmp/header" | sed 's/^/    | /; 8q'
	else
		echo "ok header/$case_name"
	fi
}

# is CASE LINE...: the header has these lines
is()
{
	name=$1
	shift
	judge "$name" -x "$@"
}

# table CASE FILE: the last table, or what was made of it, is that of the file
table()
{
	if diff "$2" "$tmp/table" >"$tmp/bad"; then
		echo "ok header/$1"
	else
		failed=1
		echo "FAIL header/$1"
		sed 's/^/    /; 8q' "$tmp/bad"
	fi
}

# --- Silvermont: ratios of 0 have no line; without the bus clock there are no frequencies ---

machine v09-silvermont ''
is silvermont 'SLM BCLK: 133.3 Mhz' '4 * 133.3 = 533.3 MHz minimum operating frequency'
machine v09-silvermont 's/^msr 0 66a .*/msr 0 66a 130e0000/'
is zero-ratio 'cpu0: MSR_ATOM_CORE_RATIOS: 0x130e0000' '14 * 133.3 = 1866.7 MHz base frequency' '!minimum operating' '!low frequency'
machine v09-silvermont 's/^msr 0 cd .*/msr 0 cd !EIO/'
is bus-clock-refused '!SLM BCLK' '! MHz base frequency' '! MHz max' 'cpu0: MSR_ATOM_CORE_RATIOS: 0x130e0604'
# the window of the cores' limit is fives of seconds, up to ten; 0 is a second
for t in '8200 1.000000 sec, ' '28200 5.000000 sec, ' '148200 50.000000 sec, ' '168200 '; do
	machine v09-silvermont "s/^msr 0 638 .*/msr 0 638 ${t%% *}/"
	judge "window-${t%% *}" -s "Cores Limit: ENabled (16.384 Watts, ${t#* }clamp DISabled)"
done

# --- what the kernel knows about an idle state; what it does not say is left out ---

state=/sys/devices/system/cpu/cpu0/cpuidle
machine icelake-client "s,^file $state/state0/desc .*,&\\
file $state/state0/disable \"0\\\\n\"\\
file $state/state1/latency \"1\\\\n\"\\
file $state/state1/residency \"2\\\\n\"\\
file $state/state1/disable \"0\\\\n\"\\
file $state/state2/latency !EIO\\
file $state/state2/residency \"600\\\\n\"\\
file $state/state2/disable \"1\\\\n\"\\
file ${state%cpu0*}cpu1/cpuidle/state1/disable \"1\\\\n\"\\
file $state/state3/latency \"133\\\\n\","
is idle-states 'cpu0: POLL: CPUIDLE CORE POLL IDLE' 'cpu0: C1ACPI: ACPI FFH MWAIT 0x0, latency 1 us, residency 2 us' \
	'cpu0: C2ACPI: ACPI FFH MWAIT 0x31, residency 600 us, disabled' 'cpu0: C3ACPI: ACPI FFH MWAIT 0x60, latency 133 us'

# --- a register that is refused loses its own line and those that depend on it, no more ---

machine skylake-sp 's/^msr 0 1ae .*/msr 0 1ae !EIO/'
is group-sizes-refused 'cpu0: MSR_TURBO_RATIO_LIMIT: 0x1c1f212223232525' '!active cores' '!MSR_TURBO_RATIO_LIMIT1'
# core counts: a group that does not raise them is ignored; the last one holds for all further cores
machine skylake-sp 's/^msr 0 1ae .*/msr 0 1ae 181814100c080402/'
is turbo-groups 'cpu0: MSR_TURBO_RATIO_LIMIT1: 0x181814100c080402' '31 * 100.0 = 3100.0 MHz max turbo 24 active cores' '!2800.0 MHz max turbo' \
	'33 * 100.0 = 3300.0 MHz max turbo 20 active cores' '37 * 100.0 = 3700.0 MHz max turbo 2 active cores'
machine ivytown 's/^msr 0 1ae .*/msr 0 1ae 0b0a090807060504/'
is ratios-of-16-cores '11 * 100.0 = 1100.0 MHz max turbo 16 active cores' '4 * 100.0 = 400.0 MHz max turbo 9 active cores'
# hybrid COUNTS RATIOS E-COUNTS E-RATIOS: registers of one with 2 P-cores and 4 E-cores
hybrid()
{
	machine alderlake "s/^msr 0 1ad .*/msr 0 1ad $2\\
msr 0 1ae $1/; s/^msr 0 650 .*/msr 0 650 $4\\
msr 0 651 $3/"
}
hybrid c0802 36383b 10 27
is turbo-counts 'cpu0: MSR_TURBO_RATIO_LIMIT1: 0x000c0802' '59 * 100.0 = 5900.0 MHz max turbo 2 active cores' \
	'56 * 100.0 = 5600.0 MHz max turbo 8 active cores' '54 * 100.0 = 5400.0 MHz max turbo 12 active cores' \
	'cpu0: MSR_SECONDARY_TURBO_RATIO_LIMIT_CORES: 0x00000010' '39 * 100.0 = 3900.0 MHz max turbo 16 active cores' \
	'!turbo 1 active' '!turbo 3 active'
hybrid 0 36383b 100c080604030201 2f2e2d2c2b2a2928
is turbo-counts-of-e-cores '59 * 100.0 = 5900.0 MHz max turbo 1 active cores' '54 * 100.0 = 5400.0 MHz max turbo 3 active cores' \
	'!cpu0: MSR_TURBO_RATIO_LIMIT1' '47 * 100.0 = 4700.0 MHz max turbo 16 active cores' '43 * 100.0 = 4300.0 MHz max turbo 4 active cores' \
	'44 * 100.0 = 4400.0 MHz max turbo 6 active cores'
machine alderlake 's/^cpuid \([4-7]\) 1a 0 20/cpuid \1 1a 0 40/'
is turbo-without-e-cores '!MSR_SECONDARY'
hybrid !EIO 3b ffffffffffffffff 27
is turbo-without-counts '59 * 100.0 = 5900.0 MHz max turbo 1 active cores' '39 * 100.0 = 3900.0 MHz max turbo 4 active cores' \
	'!LIMIT1' '!LIMIT_CORES'
# a single ratio without counts is that of all E-cores
for counts in 0 '!EIO'; do
	hybrid c0802 36383b "$counts" 2b
	is "turbo-of-all-e-cores-$counts" '43 * 100.0 = 4300.0 MHz max turbo 4 active cores' '!4300.0 MHz max turbo 1 active' '!LIMIT_CORES'
done
hybrid c0802 36383b 0 292b
is turbo-of-two-e-cores '43 * 100.0 = 4300.0 MHz max turbo 1 active cores' '41 * 100.0 = 4100.0 MHz max turbo 2 active cores'
machine skylake-sp 's/^msr 2 770 .*/msr 2 770 !EIO/'
is hwp-refused 'cpu0: MSR_HWP_STATUS: 0x00000004 (No-Guaranteed_Perf_Change, Excursion_Min)' '!cpu2: MSR_PM' '!cpu2: MSR_HWP' 'cpu2: EPB: 6 (balanced)'
machine skylake-sp 's/^msr 2 770 .*/msr 2 770 0/'
is hwp-off 'cpu2: MSR_PM_ENABLE: 0x00000000 (No-HWP)' '!cpu2: MSR_HWP' 'cpu2: EPB: 6 (balanced)'
machine skylake-sp 's/^msr 2 1b0 .*/msr 2 1b0 !EIO/; s/^msr 0 1b0 .*/msr 0 1b0 1f/'
is bias-refused 'cpu0: EPB: 15 (powersave)' '!cpu2: EPB'
# of the servers' package limit bit 3 is none of the code's
for t in 'a 2 (pc6n)' 'f 7 (unlimited)' '5 5 (reserved)'; do
	machine broadwell-ep "s/^msr 0 e2 .*/msr 0 e2 ${t%% *}/"
	judge "limit-code-${t%% *}" -s "pkg-cstate-limit=${t#* }"
done
machine v01-kabylake 's/^msr 0 e2 .*/msr 0 e2 8/'
judge limit-code-client -s 'pkg-cstate-limit=8 (unlimited)'
# a limit that cannot be read excludes no package C-state
machine v01-kabylake 's/^msr 0 e2 .*/msr 0 e2 0/'
head -1 "$tmp/table" | grep -c 'Pkg%pc' >"$tmp/zero"
machine v01-kabylake 's/^msr 0 e2 .*/msr 0 e2 !EIO/'
head -1 "$tmp/table" | tr '\t' '\n' | grep 'pc[0-9]' | xargs >>"$tmp/zero"
cp "$tmp/zero" "$tmp/table"
printf '0\nPkg%%pc2 Pkg%%pc3 Pkg%%pc6 Pkg%%pc7 Pkg%%pc8 Pkg%%pc9 Pk%%pc10\n' >"$tmp/want"
table limit-refused-columns "$tmp/want"
machine broadwell-ep 's/^msr \([0-9]*\) 606 .*/msr \1 606 !EIO/'
is units-refused '!MSR_RAPL_POWER_UNIT' '!RAPL: ' '!PKG Limit' '!MSR_DRAM_POWER'

# --- what CPUID does not announce has no line, all else has ---

# registers FILE: those that the header of a recording names
registers()
{
	"$program" --replay "$1" --debug -n 1 2>&1 >/dev/null | grep -o 'MSR_[A-Z0-9_]*\|EPB:' | sort -u
}

# lacks CASE EDIT REGISTER...: the edit of the recording loses these
lacks()
{
	name=$1
	sed "$2" "$tmp/whole" >"$tmp/rec"
	shift 2
	registers "$tmp/rec" | comm -3 "$tmp/registers" - >"$tmp/table"
	printf '%s\n' "$@" >"$tmp/lost"
	table "lacks-$name" "$tmp/lost"
}

sed 's/SIGNATURE/000906e9/; /^HYBRID /d; s/^MONO //; s/ HYBRID$/ 00000000/' tests/models/template.rec >"$tmp/whole"
registers "$tmp/whole" >"$tmp/registers"
lacks turbo 's/000009f7/000009f5/' MSR_CONFIG_TDP_CONTROL MSR_CONFIG_TDP_LEVEL_1 MSR_CONFIG_TDP_LEVEL_2 \
	MSR_CONFIG_TDP_NOMINAL MSR_TURBO_ACTIVATION_RATIO MSR_TURBO_RATIO_LIMIT
lacks hwp 's/000009f7/00000977/' MSR_HWP_CAPABILITIES MSR_HWP_INTERRUPT MSR_HWP_REQUEST MSR_HWP_REQUEST_PKG \
	MSR_HWP_STATUS MSR_PM_ENABLE
lacks hwp-notify 's/000009f7/000008f7/' MSR_HWP_INTERRUPT
lacks hwp-pkg 's/000009f7/000001f7/' MSR_HWP_REQUEST_PKG
lacks ptm 's/000009f7/000009b7/' MSR_IA32_PACKAGE_THERM_INTERRUPT MSR_IA32_PACKAGE_THERM_STATUS
lacks dts 's/000009f7/000009f6/' MSR_IA32_THERM_INTERRUPT MSR_IA32_THERM_STATUS
lacks temperatures 's/000009f7/000009b6/' MSR_IA32_PACKAGE_THERM_INTERRUPT MSR_IA32_PACKAGE_THERM_STATUS \
	MSR_IA32_TEMPERATURE_TARGET MSR_IA32_THERM_INTERRUPT MSR_IA32_THERM_STATUS
lacks bias 's/ 00000009 00000000$/ 00000001 00000000/' EPB:
lacks sgx 's/2394a2cf/2394a2cb/' MSR_IA32_FEATURE_CONTROL

# --- a guest whose registers are all 0 has no lines of them ---

guest='s/^\(cpuid [0-9]* 1 0 .*\) 7ffafbbf /\1 fffafbbf /; s/^\(msr [0-9]* [0-9a-f]*\) .*/\1 0/; /energy_perf_bias/d'
machine v01-kabylake "$guest"
is zeros-of-a-guest 'CPUID(7): SGX No-Hybrid' 'current_driver: intel_idle' '!MSR_' '!EPB:'
machine v01-kabylake "$guest; s/^msr 0 1b0 .*/msr 0 1b0 6/; s/^msr 0 1fc .*/msr 0 1fc 2/; s/^msr 0 770 .*/msr 0 770 1/"
is numbers-of-a-guest 'cpu0: EPB: 6 (balanced)' 'cpu0: MSR_IA32_POWER_CTL: 0x00000002 (C1E auto-promotion: ENabled)' \
	'cpu0: MSR_PM_ENABLE: 0x00000001 (HWP)' '!MSR_HWP'
machine v01-kabylake "${guest#*; }"
is zeros-of-a-machine 'cpu0: MSR_IA32_MISC_ENABLE: 0x00000000 (No-TCC No-EIST No-MWAIT PREFETCH TURBO)' 'cpu0: EPB: 0 (performance)'
# a processor without turbo has no switch for it; a turbo that is switched off hides
machine v04-haswell 's/^\(cpuid \* 6 0 000000\)77/\175/; s/^msr 0 1a0 .*/msr 0 1a0 850089/'
is no-turbo-at-all 'cpu0: MSR_IA32_MISC_ENABLE: 0x00850089 (TCC EIST MWAIT PREFETCH)'
machine v04-haswell 's/^\(cpuid \* 6 0 000000\)77/\175/; s/^msr 0 1a0 .*/msr 0 1a0 4000850089/'
is turbo-hidden 'cpu0: MSR_IA32_MISC_ENABLE: 0x4000850089 (TCC EIST MWAIT PREFETCH No-TURBO)'
machine jasperlake ''
judge prochot-of-tremont -s 'cpu0: MSR_IA32_POWER_CTL' '!BD PROCHOT'
# nobody tells the TDP of AMD's
machine zen2 ''
judge no-window-of-amd -s 'cpu0: MSR_RAPL_PWR_UNIT' '!Joule Counter Range'
# what does not hold has no numbers
machine v04-haswell 's/^msr 0 610 .*/msr 0 610 3e8001a82a0/'
judge limit-disabled -s 'PKG Limit #2: DISabled (clamp DISabled)' 'PKG Limit #1: ENabled (84.000 Watts, '
# a temperature is printed only if it is valid
machine v01-kabylake 's/^msr 0 1b1 .*/msr 0 1b1 8280000/'
is readout-invalid 'cpu0: MSR_IA32_PACKAGE_THERM_STATUS: 0x08280000'

# --- TjMax ---

machine v04-haswell 's/^msr 0 1a2 .*/msr 0 1a2 !EIO/'
is tjmax-guessed 'turbostat: cannot read TjMax: assuming 100 C (set it with --TCC)' '!MSR_IA32_TEMPERATURE_TARGET'
# cores have a temperature where packages have none
machine v04-haswell 's/^\(cpuid \* 6 0 000000\)77/\137/; s/^msr 0 1a2 .*/msr 0 1a2 !EIO/'
is tjmax-of-cores 'turbostat: cannot read TjMax: assuming 100 C (set it with --TCC)' '!PACKAGE_THERM'
machine v04-haswell 's/^\(cpuid \* 6 0 000000\)77/\137/'
judge target-of-cores -s 'MSR_IA32_TEMPERATURE_TARGET' '!PACKAGE_THERM'
# the second package's is the first one's
machine broadwell-ep 's/^msr \([1-9][0-9]*\) 1a2 .*/msr \1 1a2 !EIO/'
is tjmax-borrowed '!TjMax cannot'
cp "$tmp/table" "$tmp/borrowed"
machine broadwell-ep ''
table tjmax-borrowed-temperatures "$tmp/borrowed"

# --- a single package is named if its number is not 0 ---

machine one-cpu 's/physical_package_id "0/physical_package_id "1/'
sed -n '1s/\t.*//p' "$tmp/table" >"$tmp/first"
echo Package >"$tmp/table"
table package-1 "$tmp/first"

# --- our own lines ---

machine two-nodes 's/^msr \([0-3]\) 19c .*/msr \1 19c 88280000/; s/^msr 0 1b1 .*/msr 0 1b1 88262000/'
is package-bit-13 '!Limits logged'
machine broadwell-ep 's/^msr \([0-3]\) 19c .*/msr \1 19c 88280000/; s/^msr 0 1b1 .*/msr 0 1b1 88280028/; s/^msr 2 1b1 .*/msr 2 1b1 88280800/'
is limits-of-packages 'Limits logged (since reset or last cleared): package 0: PROCHOT, critical temperature; package 1: power limit'

# files FILE=NUMBER...: a sed script that adds files of /sys/devices/system/cpu to the static part
files()
{
	for f; do
		printf '/^plan$/a\\\nfile /sys/devices/system/cpu/%s "%s\\\\n"\n' "${f%=*}" "${f#*=}"
	done
}
# the kernel's counts: each thread counts the events of its core, each CPU those of its package;
# one CPU of each unit is read
core=thermal_throttle/core_throttle
package=thermal_throttle/package_throttle
machine perf-hybrid "$(files cpu0/${core}_count=40 cpu1/${core}_count=39 cpu0/${core}_total_time_ms=812 \
	cpu2/${core}_count=17 cpu0/${package}_count=2 cpu3/${package}_count=3 cpu0/${package}_total_time_ms=20)"
is throttled 'Throttled since boot: package 0: 2 events, 20 ms; cores: 57 events, 812 ms (cpu0: 40)'
machine broadwell-ep "$(files cpu2/${package}_count=3 cpu3/${package}_count=4)"
is throttled-package-1 'Throttled since boot: package 1: 3 events'
machine perf-hybrid "$(files cpu2/${core}_count=1)"
is throttled-once 'Throttled since boot: cores: 1 event (cpu2: 1)'
machine perf-hybrid "$(files cpu0/${core}_count=5 cpu2/${core}_count=5)"
is throttled-cores-as-often 'Throttled since boot: cores: 10 events (cpu0: 5)'
# a thermal interrupt of any CPU makes them worth reading, none does not
thermal() { printf '%s' 's,^\(file /proc/interrupts ".*\)"$,\1 TRM: '"$1"' Thermal\\n",;'; }
machine perf-hybrid "$(thermal '0 0 7 0' && files cpu2/${core}_count=1)"
is thermal-interrupt 'Throttled since boot: cores: 1 event (cpu2: 1)'
machine perf-hybrid "$(thermal '0 0 0 0' && files cpu2/${core}_count=1)"
is no-thermal-interrupt '!Throttled'
machine clx-ap ''
is nodes-are-dies 'NUMA: node0 (cpus 0-1), node1 (cpus 2-3), node2 (cpus 4-5), node3 (cpus 6-7)'
machine clx-ap 's,/node3,/node2,'
is nodes-uneven 'NUMA: node0 (cpus 0-1), node1 (cpus 2-3), node2 (cpus 4-7)'
# of several dies of a package one says its temperature
machine clx-ap 's/^msr 0 1b1 .*/&\nmsr 2 1b1 88260000\nmsr 6 1b1 88260000/'
judge thermal-of-packages -s 'cpu0: MSR_IA32_PACKAGE_THERM_STATUS' 'cpu4: MSR_IA32_PACKAGE_THERM_STATUS' '!cpu2: MSR_IA32_PACKAGE' '!cpu6: MSR_IA32_PACKAGE'
# a package's readout may be wider than that of its cores
machine sapphirerapids 's/^\(msr [0-9]* \(19c\|1b1\)\) .*/\1 88900000/'
"$program" --replay "$tmp/rec" --debug -n 1 2>"$tmp/header" >"$tmp/table"
is readouts 'cpu0: MSR_IA32_PACKAGE_THERM_STATUS: 0x88900000 (-48 C)' 'cpu0: MSR_IA32_THERM_STATUS: 0x88900000 (80 C +/- 1)'
# the package's TjMax is that of all its cores
machine v01-kabylake 's/^msr 0 1a2 .*/msr 0 1a2 690a00\
msr 1 19b 8a00/'
"$program" --replay "$tmp/rec" --debug -n 1 2>"$tmp/header" >"$tmp/table"
is readouts-below-tjmax 'cpu1: MSR_IA32_THERM_INTERRUPT: 0x00008a00 (off, 95 C)' 'cpu0: MSR_IA32_THERM_STATUS: 0x881e0000 (75 C +/- 1)' 'cpu3: MSR_IA32_THERM_STATUS: 0x88260000 (67 C +/- 1)'
# thresholds that are off tell no temperature
for t in 'a7f03 (thresholds off)' '8a7f03 (90 C, off)' '8aff03 (90 C, -27 C)'; do
	machine v01-kabylake "s/^msr 0 1b2 .*/msr 0 1b2 ${t%% *}/"
	judge "thresholds-${t%% *}" -s "MSR_IA32_PACKAGE_THERM_INTERRUPT: 0x" "${t%% *} ${t#* }"
done
# the E-cores of a hybrid have other levels of performance
machine alderlake 's/^msr 0 771 .*/&\
msr 4 770 1\
msr 4 771 1081122/'
is levels-of-types 'cpu0: MSR_HWP_CAPABILITIES: 0x01081428 (high 40 guar 20 eff 8 low 1)' \
	'cpu4: MSR_HWP_CAPABILITIES: 0x01081122 (high 34 guar 17 eff 8 low 1) (E-core)' '!cpu2: MSR_HWP' '!cpu5: MSR_HWP'
machine alderlake 's/^msr 0 771 .*/&\
msr 4 770 0\
msr 4 771 1081122/'
is levels-of-types-off '!cpu4: MSR_HWP'
# three leaves hold a name; the last of them may be the last leaf of all
machine cherrytrail 's/^\(cpuid . 80000000 0\) 80000008/\1 80000004/'
is name-in-last-leaf 'Processor: Intel(R) Celeron(R) CPU  N3150  @ 1.60GHz'
machine cherrytrail 's/^\(cpuid . 80000000 0\) 80000008/\1 80000003/'
is name-of-two-leaves '!Processor: Intel(R) Celeron(R) CPU  N3150  @ 1.60GHz'
# one that has no such leaves answers with others
machine cherrytrail 's/^\(cpuid . 80000000 0\) 80000008/\1 0000000b/'
is no-extended-leaves 'CPUID(0x80000000): max_extended_levels: 0x0' '!Processor: Intel'
# TjMax from the user, for the table as well
machine v01-kabylake ''
"$program" --TCC 91 --replay "$tmp/rec" -n 1 --show CPU,PkgTmp 2>"$tmp/header" >"$tmp/table"
is tcc-of-the-user 'cpu0: Using cmdline TCC Target (91 C)' '!MSR_IA32_TEMPERATURE_TARGET'
machine two-nodes ''
is nodes-of-a-die 'NUMA: node0 (cpus 0-1), node1 (cpus 2-3)'
machine alderlake ''
is epp 'EPP: balance_performance (cpus 0-3), power (cpus 4-7)'
machine alderlake '\#cpu1/cpufreq/energy_performance_preference#d'
is epp-hole 'EPP: balance_performance (cpus 0,2-3), power (cpus 4-7)'

# a powercap window, in a unit that makes it a whole number; a limit without a file
windows()
{
	printf '/constraint_0_time_window_us/s/"[0-9]*/"%s/; /constraint_[1-9]/d; /constraint_0_max/d; /intel-rapl:[0-9]*:/d\n' "$1"
}
for t in '976 976.0us' '1000 1000.0us' '1001 1.0ms' '27984 28.0ms' '1000000 1000.0ms' '1000001 1.0s' '27983872 28.0s'; do
	machine v01-kabylake "$(windows "${t% *}")"
	is "window-${t% *}" "intel-rapl:0: package-0 ${t#* }:45W"
done
machine v01-kabylake '\#intel-rapl:0/enabled#d; /constraint_1_max/s/"0/"60000000/'
is zone-limits 'intel-rapl:0: package-0 28.0s:45W,max:45W 2.4ms:56W,max:60W' 'intel-rapl:0/intel-rapl:0:0: core disabled'
# a subzone also has an entry beside its zone; it is printed once
machine v01-kabylake '/intel-rapl:0\/name/a\
file /sys/class/powercap/intel-rapl:0:0/name "beside\\n"'
is zones-once 'intel-rapl:0/intel-rapl:0:0: core disabled' '!beside'
# of the processor's other interface too: its limits are as much in force
machine v01-kabylake '/^plan$/a\
file /sys/class/powercap/intel-rapl-mmio:0/name "package-0\\n"\
file /sys/class/powercap/intel-rapl-mmio:0/constraint_0_time_window_us "1000000\\n"\
file /sys/class/powercap/intel-rapl-mmio:0/constraint_0_power_limit_uw "15000000\\n"'
is zone-of-mmio 'intel-rapl-mmio:0: package-0 1000.0ms:15W'
# from 4095 W on a limit is none
machine v01-kabylake 's/^msr 0 610 .*/msr 0 610 4282080021fff8/'
is limit-of-4095-W 'cpu0: PKG Limit #1: ENabled (no limit, 64.000000 sec, clamp ENabled)' 'cpu0: PKG Limit #2: ENabled (65.000 Watts, 0.002441* sec, clamp DISabled)'
machine v01-kabylake 's/^msr 0 610 .*/msr 0 610 4282080021fff7/'
is limit-below-4095-W 'cpu0: PKG Limit #1: ENabled (4094.875 Watts, 64.000000 sec, clamp ENabled)'
# so is the largest value, in smaller units too
machine v01-kabylake 's/^msr 0 606 .*/msr 0 606 a0e05/; s/^msr 0 610 .*/msr 0 610 4282080021ffff/'
is limit-of-all-bits 'cpu0: PKG Limit #1: ENabled (no limit, 64.000000 sec, clamp ENabled)'
# nor is the range's end one
for t in '7fff00000208 no limit' '7fff00180208 3 - no limit' '7ff800000208 no limit' '7ff700000208 at most 4095 W' \
	'4000180208 3 - 8 W' '180208 at least 3 W' '12000000180208 at least 3 W, 256.000000 sec.'; do
	machine v01-kabylake "s/^msr 0 614 .*/msr 0 614 ${t%% *}/"
	judge "range-${t%% *}" -s "W TDP, RAPL ${t#* })"
done
# what is 0 is not given
for t in '208 (65 W TDP)' '180000 (RAPL at least 3 W)' '12000000000000 (256.000000 sec.)'; do
	machine v01-kabylake "s/^msr 0 614 .*/msr 0 614 ${t%% *}/"
	judge "range-${t%% *}" -s "POWER_INFO: 0x" " ${t#* }"
done
# a latency is four bytes
machine v01-kabylake 's,^file /dev/cpu_dma_latency.*,file /dev/cpu_dma_latency "\\x00\\x00\\x00",'
is latency-too-short '!cpu_dma_latency'
machine v01-kabylake 's,^file /dev/cpu_dma_latency.*,file /dev/cpu_dma_latency "\\x05\\x00\\x00\\x00",'
is latency '/dev/cpu_dma_latency: 5 usec (constrained)'
# an uncore without a clock has no line; a name is no description
machine uncore-dies '/package_00_die_01\/current/d'
is uncore-without-clock 'Uncore Frequency package0 die0: 800 - 2200 MHz (900 - 2300 MHz) 1000 MHz' '!package0 die1' 'Uncore Frequency package1 die1: 800 - 2200 MHz (900 - 2300 MHz) 1600 MHz'

machine uncore-clusters "$(files intel_uncore_frequency/package_00_die_00/current_freq_khz=1000000)"
judge uncore-clusters -s 'Uncore Frequency package0 domain1 cluster0: ' '!die0'

# cpufreq's frequencies are printed if no register has them
clocks=$(files cpu0/cpufreq/base_frequency=3400000 cpu0/cpufreq/cpuinfo_max_freq=5700000 cpu0/cpufreq/cpuinfo_min_freq=400000)
machine zen4 "$clocks"
is clocks-of-pstates '!cpufreq: base' 'P-states: P0 3600 MHz, P1 2000 MHz'
machine zen4 "/^msr /d
$clocks"
is clocks-of-cpufreq 'cpufreq: base 3400 MHz, max 5700 MHz, min 400 MHz' '!P-states: '
# those of the CPU whose registers are shown, where that is not CPU 0
machine zen4 "s/online \"0-3/online \"1-3/
/^msr /d
$clocks
$(files cpu1/cpufreq/base_frequency=2000000 cpu1/acpi_cppc/nominal_freq=2400 cpu1/acpi_cppc/nominal_perf=100 cpu1/acpi_cppc/highest_perf=225)"
is clocks-of-another-cpu 'cpufreq: base 2000 MHz' 'Frequencies: base 2400 MHz, boost 5400 MHz'
machine v01-kabylake "$clocks"
is clocks-of-registers '!cpufreq: base'
# AMD: registers before cpufreq, and that before files of CPPC
cppc=$(files cpu0/acpi_cppc/nominal_freq=2400 cpu0/acpi_cppc/nominal_perf=100 cpu0/acpi_cppc/highest_perf=225 \
	cpu0/acpi_cppc/lowest_nonlinear_perf=40)
machine zen4 "$cppc"
is amd-registers 'Frequencies: base 3600 MHz, boost 5184 MHz, lowest non-linear 1440 MHz'
machine zen4 "/^msr /d
$cppc"
is amd-cppc 'Frequencies: base 2400 MHz, boost 5400 MHz, lowest non-linear 960 MHz' '!MSR_'
machine zen4 "$cppc
$(files cpu0/cpufreq/amd_pstate_max_freq=5200000 cpu0/cpufreq/amd_pstate_lowest_nonlinear_freq=1500000)"
is amd-cpufreq 'Frequencies: base 3600 MHz, boost 5200 MHz, lowest non-linear 1500 MHz'
machine zen4 '/^msr /d'
is amd-nothing '!Frequencies'

# core types: an Atom core without a level 3 cache is one of low power
machine alderlake '/cpu[67].cache.index3/d
/^plan$/a\
file /sys/bus/event_source/devices/cpu_atom/cpus "4-7\\n"'
is low-power 'Core types: P (cpus 0-3), E (cpus 4-5), L (cpus 6-7)'
machine alderlake ''
is core-types 'Core types: P (cpus 0-3), E (cpus 4-7)'
# turbo is announced by another leaf of AMD's, here not
machine bulldozer 's/^\(cpuid \* 6 0\) 00000004/\1 00000006/; s/000003d9/000001d9/'
is amd-turbo 'CPUID(6): APERF, No-TURBO, No-DTS, No-PTM, No-HWP, No-HWPnotify, No-HWPwindow, No-HWPepp, No-HWPpkg, No-EPB'
# AMD: CPUID 0x80000026
machine zen4 's/^cpuid \* 80000000 0 [0-9a-f]*/cpuid * 80000000 0 80000028/
/^plan$/a\
cpuid * 80000026 0 40000001 00000002 0 0\
cpuid 1 80000026 0 40000001 20000002 0 0\
cpuid 2 80000026 0 40000001 10000002 0 0\
cpuid 3 80000026 0 40000001 10000002 0 0'
is amd-core-types 'Core types: P (cpus 0-1), E (cpus 2-3)'

# --- --explain ---

tab=$(printf '\t')

# says CASE COLUMN ARGUMENT TEXT...: what --explain says of a column holds these texts
says()
{
	name=explain-$1
	explain $3 "$2"
	shift 3
	judge "$name" -s "$@"
}

machine v01-kabylake ''
machine alderlake ''
says c6-of-e-cores CPU%c6 '' '100 CORE_C6_RESIDENCY (MSR 0x3fd) / TSC; E-cores: 100 (CORE_C6_RESIDENCY (MSR 0x3fd) - CORE_C7_RESIDENCY (MSR 0x3fe)) / TSC'
machine v01-kabylake ''
says no-msr Avg_MHz --no-msr "absent${tab}cpu${tab}MHz${tab}mean clock with idle" '--no-msr'
says throttled-energy PKG_% --no-msr 'absent' '--no-msr'
says package-state Pkg%pc6 --no-msr '--no-msr'
says remainder CPU%c1 --no-msr '--no-msr'
says cores-energy CorWatt --no-msr "${tab}package${tab}" '--no-msr'
says measured PKG_% '' 'MSR 0x613' '!not moved'
says several PkgWatt,Busy% '' 'MSR 0x611' '100 IA32_MPERF (MSR 0xe7) / TSC'
says enabled IRQ '--enable SMI' "IRQ${tab}shown" '!SMI'
says group topology '' "Core${tab}shown" "Module${tab}hidden" "Die${tab}absent" '!MSR'
explain --show PkgWatt --hide IRQ
judge explain-shown-only -s "PkgWatt${tab}shown" "!Busy%"
machine perf-zen ''
says l2-hits L2%hit '' "100 perf cpu, this model's L2 hits / (perf cpu, this model's L2 hits + perf cpu, this model's L2 misses)"
says l2-references L2MRPS '' "perf cpu, this model's L2 references / microseconds"
# events of another unit than is expected are no sources
machine perf-server 's/\(energy-pkg.unit "\)Joules/\1Calories/'
says other-energy PkgWatt '' "PkgWatt${tab}absent"
machine perf-server 's/\(cas_count_read.unit "\)M/\1K/'
says other-bytes MemRdMBs,MemWrMBs '' "MemRdMBs${tab}absent" "MemWrMBs${tab}hidden"
machine perf-server 's/^\(perf [0-9]* [^ ]* [^ ]*\) .*/\1 !EBUSY/'
says busy-event IPC '' 'Device or resource busy' '!recording'
machine perf-server 's/^\(perf [0-9]* [^ ]* [^ ]*\) .*/\1 !ENOSPC/'
says no-counter-left LLCMRPS '' 'No space left on device' '!recording'
machine zen2 ''
says files-of-caches CcdTmp '' "${tab}/sys/class/hwmon/hwmon2/temp3_input"
says files-of-packages PkgTmp '' "${tab}/sys/class/hwmon/hwmon2/temp1_input"
machine zen4 ''
says file-of-package PkgTmp '' "${tab}/sys/class/hwmon/hwmon1/temp2_input" "!more"
machine v03-nehalem-ep 's/^msr 0 e2 .*/msr 0 e2 0/'
says limit Pkg%pc6 '' 'the package C-state limit excludes it'
machine energy-zero ''
says energy-zero PkgWatt '' 'the counter is 0: not connected, never used, or a guest'
says no-such-state C99% '' 'this machine has none'
says added-register NN '--add msr0x999,NN' 'MSR 0x999: not in the recording'
says added-file NN '--add /etc/foo,NN' '/etc/foo: not in the recording'
says added-event NN '--add perf/foo/event=1/,NN' 'no PMU foo here (see /sys/bus/event_source/devices/)'
says added-no-perf NN '--no-perf --add perf/foo/event=1/,NN' 'perf foo/event=1/: --no-perf excludes it'
machine v01-kabylake 's/^\(msr 0 611\) .*/\1 !EIO/'
says no-package-energy PKG_% '' 'the processor refuses the register' '!the counter is 0'
machine guest-clocks 's,^file /proc/stat .*,file /proc/stat !EACCES,'
says no-ticks Steal% '' '/proc/stat: Permission denied'
machine v05-haswell-ep ''
says node Node '' 'one node per package'
says no-driver UncMHz '' 'neither intel_uncore_frequency nor intel_uncore_frequency_tpmi reports it' '!modprobe'
machine one-cpu ''
says types Type '' 'not a hybrid processor'
says dies Die '' 'the same on every CPU'
says summary Core,Type,Node -S 'the summary has no topology' '!all CPUs' '!no hybrid' '!several'
machine uncore-clusters ''
says clusters UncMHz '' 'each uncore cluster has its own clock column' '!modprobe'

# a remedy for only a part of a column is no remedy
no_aperf='s/^\(cpuid \* 6 0 [0-9a-f]* [0-9a-f]*\) [0-9a-f]*/\1 0/'
machine v04-haswell "$no_aperf"
says remainder-of-none CPU%c1 '' 'needs MPERF and all deeper idle states, and one is not available' '!modprobe'
machine v01-kabylake '/^msr [0-9]* 3fd /d'
says remainder-without-c6 CPU%c1 '' "absent${tab}cpu"
machine no-msr-driver ''
says two-counters SMI% '' 'not in the recording' '!modprobe'
machine perf-server "$no_aperf"
says smis-of-none SMI% '' '!freeze' '!echo'
says cycles-of-none IPC '' '!base frequency'
machine perf-server '/freeze_on_smi/s/1/0/'
says smis-not-frozen SMI% '' 'are not frozen during SMIs' '; echo 1 | sudo tee /sys/bus/event_source/devices/cpu/freeze_on_smi'
machine perf-server '/freeze_on_smi/d'
says smis-cannot-freeze SMI% '' 'this kernel cannot freeze' '!echo'
machine no-interrupts ''
says interrupts IRQ '' '/proc/interrupts: Permission denied' '!No such'

# what CPUID says of the crystal goes before what is known of the model
machine v01-kabylake 's/^\(cpuid \* 15 0 00000002 00000102\) 00000000/\1 017d7840/'
is crystal 'TSC: 3225 MHz (25000000 Hz * 258 / 2 / 1000000)'

# the bus clock by its code, of Silvermont and of Airmont; 116.7 MHz is the guess for all others
for name in baytrail cherrytrail; do
	for code in 0 1 2 3 4 5 6 7 8 9 f; do
		sed "s/^msr 0 cd .*/msr 0 cd $code/" tests/golden/$name/machine.rec >"$tmp/rec"
		"$program" --replay "$tmp/rec" 2>&1 >/dev/null | awk '
			/assuming a bus clock/ { guess = "?" }
			/MHz base frequency$/ { print $3 guess; exit }'
	done | paste -s -d ' ' -
done >"$tmp/table"
table bus-clocks - <<-END
	83.3 100.0 133.3 116.7 80.0 116.7? 116.7? 116.7? 83.3 100.0 116.7?
	83.3 100.0 133.3 116.7 80.0 93.3 90.0 88.9 87.5 116.7? 116.7?
	END

# P-cores have no modules, so no register was tried
machine alderlake 's/^\(cpuid [4-7] 1a 0\) 20/\1 40/'
says p-cores-only Mod%c6 '' 'no known source on this processor' '!refuses'

# the vendor, the guest and the recording: no remedy that helps nobody
machine zen4 ''
says amd-none SMI,CoreTmp,SysWatt,Pkg%pc6,UncMHz '' 'no known source on this processor' '!AMD' '!modprobe' '!sudo'
# AMD has caches and hardware sleep; the kernel has events of energy, but not this one
says amd-cache LLCMRPS '' 'no known source on this processor'
says amd-sleep SYS%LPI '' 'the kernel does not count it'
says amd-event RAMWatt '' "the kernel's power has no such event"
# what a model's table says of idle states is not what its kernel announces
machine denverton '/^plan$/a\
file /sys/bus/event_source/devices/cstate_pkg/type "20\\n"\
file /sys/bus/event_source/devices/cstate_pkg/cpumask "0\\n"'
says announced Pkg%pc3 '' "the kernel's cstate_pkg has no such event"
# Lunar Lake has no package C3, though older kernels announce one
machine v01-kabylake 's/^\(cpuid [^ ]* 1 0\) [0-9a-f]*/\1 000b06d1/
/^plan$/a\
file /sys/bus/event_source/devices/cstate_pkg/type "20\\n"\
file /sys/bus/event_source/devices/cstate_pkg/cpumask "0\\n"\
file /sys/bus/event_source/devices/cstate_pkg/events/c3-residency "event=0x00\\n"\
file /sys/bus/event_source/devices/cstate_pkg/format/event "config:0-63\\n"'
says announced-wrongly Pkg%pc3 '' 'this processor has none'
machine v11-zen ''
says amd-smi SMI% '' 'no known source on this processor'
says amd-temperature PkgTmp '' 'sudo modprobe k10temp'
says amd-chiplets CcdTmp '' 'no sensor reports it' '!modprobe'
# if nothing else was requested, that is said, too
"$program" --replay "$tmp/rec" -q --show PkgTmp 2>"$tmp/header" >"$tmp/table"
is nothing-left "turbostat: no columns left to show: 'PkgTmp': no temperature driver is loaded; sudo modprobe k10temp"
machine v12-zen-kvm ''
says guest Busy%,PkgWatt,CoreTmp '' 'the hypervisor does not provide it' '!modprobe' '!sudo'
says guest-events IPC '' 'the hypervisor does not provide it'
says guest-bytes MemRdMBs '' 'the hypervisor does not provide it'
machine no-msr-driver ''
says no-driver-msr CPU%c6 '' 'the msr driver was not loaded; sudo modprobe msr'
# zones that have never counted say so, whatever became of the registers
machine no-msr-driver '/^plan$/a\
file /sys/class/powercap/intel-rapl:0/name "package-0\\n"\
file /sys/class/powercap/intel-rapl:0/energy_uj "0\\n"'
explain
judge explain-zones-of-zero -x 'absent: the counter is 0: not connected, never used, or a guest'
# what a right would bring is no other model's alone
for errno in EACCES EPERM; do
	machine unlisted "/^plan$/a\\
file /sys/bus/event_source/devices/power/type \"9\\\\n\"\\
file /sys/bus/event_source/devices/power/events/energy-pkg \"event=0x02\\\\n\"\\
perf 0 power 2 !$errno"
	says energy-$errno PkgWatt '' 'perf events were refused when this was recorded'
done
machine msr-eacces ''
says refused CPU%c6 '' 'registers were refused when this was recorded' '!modprobe'
machine sapphirerapids '/^msr [0-9]* 60d /d'
says refused-register Pkg%pc2 '' 'the processor refuses the register' '!modprobe'
machine perf-cpumask ''
says both PkgWatt '' 'perf power/energy-pkg/'

# --- what limits the clock, since Skylake; bidirectional PROCHOT is a client's ---

limits='msr 0 64f 04810001\
msr 0 6b0 f3db2008\
msr 0 6b1 00000000\
file /sys/kernel/debug/tpmi-0000:00:03.1/plr/domain0/status "cpus FREQUENCY POWER\\ncpu0: POWER\\ncpu1:\\ncpu2: POWER\\n"\
file /sys/kernel/debug/tpmi-0000:00:03.1/plr/domain1/status "cpus\\ncpu3\\n"'
machine v01-kabylake "/^plan$/a\\
$limits"
is limit-reasons 'cpu0: MSR_CORE_PERF_LIMIT_REASONS, 0x04810001 (Active: PROCHOT) (Logged: PROCHOT, VR TDC, PL1)' \
	'cpu0: MSR_GFX_PERF_LIMIT_REASONS, 0xf3db2008 (Active: bit3, bit13) (Logged: PROCHOT, Thermal, bit19, bit20, VR Therm Alert, VR TDC, Other, bit25, Inefficient Operation, bit29, bit30, bit31)' \
	'cpu0: MSR_RING_PERF_LIMIT_REASONS, 0x00000000 (Active: ) (Logged: )' 'BD PROCHOT: ENabled' \
	'tpmi-0000:00:03.1/plr/domain0/status: logged: FREQUENCY POWER' \
	'tpmi-0000:00:03.1/plr/domain0/status: logged: POWER (cpus 0,2)' '!domain1'
machine v01-kabylake "s/^msr \(.*\) 1fc .*/msr \1 1fc 2/; s/^plan$/&\nmsr 0 64f !EIO/"
is limit-reasons-refused 'BD PROCHOT: DISabled' '!PERF_LIMIT_REASONS'
machine v06-skylake-sp "/^plan$/a\\
$limits"
is limit-reasons-server 'cpu0: MSR_CORE_PERF_LIMIT_REASONS, 0x04810001 (Active: PROCHOT) (Logged: PROCHOT, VR TDC, PL1)' '!GFX_PERF' '!BD PROCHOT'
machine apollolake "/^plan$/a\\
$limits"
is limit-reasons-goldmont '!PERF_LIMIT_REASONS'

exit $failed
