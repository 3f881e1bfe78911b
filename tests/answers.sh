#!/bin/sh
# answers.sh - what --explain clock, sleep and energy say: one recording for each cause, made by
# editing a recording of a client with two cores, both busy in the first interval.
#
# To be run from the project's top directory. TURBOSTAT names the program, ./turbostat if unset.
# Exit status 0 if nothing failed.

LC_ALL=C
export LC_ALL
set -f

. tests/limit.sh
failed=0

tmp=$(mktemp -d "${TMPDIR:-/tmp}/answers.XXXXXX") || exit 1
trap 'rm -rf "$tmp"' EXIT
trap 'exit 1' HUP INT TERM

# the clock, and how busy both CPUs are in per cent (0: 40 and 20); the TSC counts 15e9 in the interval
mhz=3367
busy=96

# result CASE [FILE...]: ok if the command before it succeeded; else what is in the files
result()
{
	if [ $? = 0 ]; then
		echo "ok answers/$1"
		return
	fi
	failed=1
	echo "FAIL answers/$1"
	shift
	[ $# = 0 ] || sed 's/^/    /' "$@"
}

# machine EDIT [START [END]]: a recording of two samples of a Skylake whose turbo is 4400 MHz,
# edited by a sed script, with lines added to the static part and to the last sample, to which
# START is added if END is not given: what was read at both ends, and did not change
machine()
{
	e7=$(printf %x $((268435456 + 150000000 * busy)))
	e8=$(printf %x $((536870912 + 50000 * busy * mhz)))
	[ "$busy" = 0 ] || set -- "/^sample 1/,\$ { s/^\(msr [01] e7\) .*/\1 $e7/; s/^\(msr [01] e8\) .*/\1 $e8/; }; $1" "$2" "${3-$2}"
	sed "s/^msr 0 1b0 .*/&\\n&/; s/\\nmsr 0/\\nmsr 1/; s/ 000306c3 / 000506e3 /; s/ 1ad 21222324/ 1ad 2c2c2c2c/; /^sample 2/,\$d; $1" \
		tests/golden/suspend/machine.rec >"$tmp/edited"
	{
		sed '/^plan$/q' "$tmp/edited"
		printf '%s\n' "$2"
		sed '1,/^plan$/d' "$tmp/edited" | awk '{ line[NR] = $0 } $0 == "done" { last = NR } END { for (i = 1; i < last; i++) print line[i] }'
		printf '%s\ndone\nend\n' "${3-$2}"
	} >"$tmp/rec"
}

# says CASE TOPIC: the answer is standard input
says()
{
	name=$1
	shift
	cat >"$tmp/want"
	"$program" --replay "$tmp/rec" --explain "$@" >"$tmp/got" 2>&1 </dev/null
	diff "$tmp/want" "$tmp/got" >"$tmp/diff"
	result "$name" "$tmp/diff"
}

# holds CASE CAUSE: the clock is limited, and this is the only cause; none: it is low
holds()
{
	"$program" --replay "$tmp/rec" --explain clock >"$tmp/got" 2>&1 </dev/null
	sed -n '/^because: /,/^[^ ]/p' "$tmp/got" | grep '^because\|^ ' >"$tmp/cause"
	if [ "$2" = none ]; then
		grep '^clock: low, no cause was found: ' "$tmp/got" >"$tmp/want"
		[ -s "$tmp/want" ] && cp "$tmp/cause" "$tmp/want"
	else
		printf 'because: %s\n' "$2" >"$tmp/want"
	fi
	grep -q '^clock: l[io]' "$tmp/got" && diff "$tmp/want" "$tmp/cause" >"$tmp/diff"
	result "$1" "$tmp/got"
}

# has CASE TEXT: a line of the answer about the clock has this text
has()
{
	"$program" --replay "$tmp/rec" --explain clock >"$tmp/got" 2>&1 </dev/null
	grep -Fq -e "$2" "$tmp/got"
	result "$1" "$tmp/got"
}

# lacks CASE TEXT: no line has it
lacks()
{
	"$program" --replay "$tmp/rec" --explain clock >"$tmp/got" 2>&1 </dev/null
	grep -q '^clock: ' "$tmp/got" && ! grep -Fq -e "$2" "$tmp/got"
	result "$1" "$tmp/got"
}

# line CASE TEXT: the answer about sleep has this line
line()
{
	"$program" --replay "$tmp/rec" --explain sleep >"$tmp/got" 2>&1 </dev/null
	grep -Fxq -e "$2" "$tmp/got"
	result "$1" "$tmp/got"
}

# file PATH TEXT: a record of a file
file()
{
	printf 'file %s "%s\\n"\n' "$1" "$2"
}

cpu=/sys/devices/system/cpu

# --- the clock: no cause, no low clock, nobody busy ---

machine ''
says none clock <<'END'
clock: low, no cause was found: 3367 MHz while busy (2 of 2 CPUs busy); highest for 2 cores 4400 MHz
not because of: throttling, PROCHOT, power limit, turbo switched off, PL1 (20.0 W of 65.0 W), PL2 (20.0 W of 81.2 W), heat (62 C of 100 C), TDP level (0), EPB (6)
END
# columns that are not shown, and Watts with --Joules, count as well
"$program" --replay "$tmp/rec" --explain clock >"$tmp/want"
"$program" --replay "$tmp/rec" --explain clock --hide all --Joules --total >"$tmp/got"
diff "$tmp/want" "$tmp/got" >"$tmp/diff"
result not-shown "$tmp/diff"
# columns that are added say nothing, whatever their names are
for topic in clock sleep; do
	"$program" --replay "$tmp/rec" --explain $topic >"$tmp/want" 2>/dev/null
	"$program" --replay "$tmp/rec" --explain $topic --add msr0x611,u32,raw,PkgTmp --add msr0xe7,delta,Busy% --add msr0x611,u32,raw,IRQ \
		--add msr0x611,package,raw,PkgWatt --add msr0xe7,raw,CPU%c0 --add msr0x611,package,raw,Pkg%pc12 >"$tmp/got" 2>/dev/null
	diff "$tmp/want" "$tmp/got" >"$tmp/diff"
	result "added-$topic" "$tmp/diff"
done
mhz=3500
machine 's/ 1ad 2c2c2c2c/ 1ad 21222324/' 'msr 0 64f 30001000' 'msr 0 64f 30011000'
says high clock <<'END'
clock: 3500 MHz, as high as it gets with 2 busy cores
limits: PROCHOT was asserted from outside the processor in this interval (MSR_CORE_PERF_LIMIT_REASONS 0x30011000); it is 62 C
         usually the charger, the battery or the embedded controller; BD PROCHOT is enabled (MSR_POWER_CTL bit 0)
END
mhz=3367
machine 's/^msr \([01]\) e7 .*/msr \1 e7 1/'
says idle clock <<'END'
clock: no CPU was busy (Busy% 5 or more), and the clock of an idle machine says little; try --explain clock COMMAND
END
# nobody was busy, as far as is known
sed -i '/^sample 1/,$s/^msr 0 e7 .*/msr 0 e7 !EIO/' "$tmp/rec"
has idle-unknown 'clock: cannot be measured here: how busy some CPUs were is not known'
machine 's/^msr \([01]\) e8 .*/msr \1 e8 1/'
says stopped clock <<'END'
clock: cannot be measured here: no cycles were counted in this interval
END

mhz=14697
busy=20
machine ''
says no-clock clock <<'END'
clock: cannot be measured here: 14697 MHz is no clock
END
mhz=3367
busy=96

# --- limit reasons: both ends, one end, only the log; what never is a cause; bits without a name ---

machine '' 'msr 0 64f 04810001'
says prochot clock <<'END'
clock: limited by PROCHOT: 3367 MHz while busy (2 of 2 CPUs busy); highest for 2 cores 4400 MHz
because: PROCHOT is asserted from outside the processor (MSR_CORE_PERF_LIMIT_REASONS 0x04810001); it is 62 C
         usually the charger, the battery or the embedded controller; BD PROCHOT is enabled (MSR_POWER_CTL bit 0)
not because of: throttling, power limit, turbo switched off, PL1 (20.0 W of 65.0 W), PL2 (20.0 W of 81.2 W), heat (62 C of 100 C), TDP level (0), EPB (6)
logged since the log was last cleared: VR TDC, PL1
do: check charger, battery and firmware: they hold the clock down
END
sed '/^plan$/q' tests/golden/sapphirerapids/machine.rec >"$tmp/rec"
printf 'msr 0 64f 04000400\nmsr 2 64f 1\n' >>"$tmp/rec"
sed '1,/^plan$/d' tests/golden/sapphirerapids/machine.rec >>"$tmp/rec"
holds packages 'package 0: PL1 was asserted (MSR_CORE_PERF_LIMIT_REASONS 0x04000400)
         package 1: PROCHOT was asserted from outside the processor (MSR_CORE_PERF_LIMIT_REASONS 0x00000001); it is 48 C'
machine 's/ 000506e3 / 00050654 /; s/^msr 0 1ae .*/msr 0 1ae ffffffffffffff08/' 'msr 0 64f 1
msr 0 1ae ff08'
holds prochot-server 'PROCHOT is asserted from outside the processor (MSR_CORE_PERF_LIMIT_REASONS 0x00000001); it is 62 C'
machine '/^msr 0 1fc /d' 'msr 0 64f 1'
holds prochot-alone 'PROCHOT is asserted from outside the processor (MSR_CORE_PERF_LIMIT_REASONS 0x00000001); it is 62 C'
machine '' 'msr 0 64f 0' 'msr 0 64f 04000400'
holds one-end 'PL1 was asserted (MSR_CORE_PERF_LIMIT_REASONS 0x04000400)'
machine '' 'msr 0 64f 04000400' 'msr 0 64f 04000000'
holds start-only 'PL1 was asserted (MSR_CORE_PERF_LIMIT_REASONS 0x04000000)'
machine '' 'msr 0 64f 0' 'msr 0 64f 00800000'
holds logged 'VR TDC was asserted in this interval (MSR_CORE_PERF_LIMIT_REASONS 0x00800000)'
machine '' 'msr 0 64f 30003000'
holds healthy-bits none
machine '' 'msr 0 64f ffffcf0c'
holds other-last "PL1 is asserted (MSR_CORE_PERF_LIMIT_REASONS 0xffffcf0c)
         PL2/PL3 is asserted (MSR_CORE_PERF_LIMIT_REASONS 0xffffcf0c)
         Other is asserted (MSR_CORE_PERF_LIMIT_REASONS 0xffffcf0c)"
machine 's/ 000506e3 / 000306c3 /' 'msr 0 690 00003422'
holds haswell "ThermStatus is asserted (MSR_CORE_PERF_LIMIT_REASONS 0x00003422)
         PkgPwrL1 is asserted (MSR_CORE_PERF_LIMIT_REASONS 0x00003422)"
machine 's/ 000506e3 / 000306d4 /' 'msr 0 690 3d200001'
holds broadwell 'PROCHOT is asserted from outside the processor (MSR_CORE_PERF_LIMIT_REASONS 0x3d200001); it is 62 C
         usually the charger, the battery or the embedded controller; BD PROCHOT is enabled (MSR_POWER_CTL bit 0)'
tpmi=/sys/kernel/debug/tpmi-0000:00:03.1/plr/domain0/status
machine '' "$(file $tpmi 'cpus FREQUENCY POWER\ncpu0 POWER\ncpu1')" \
	"$(file $tpmi 'cpus FREQUENCY POWER THERMAL\ncpu0 POWER THERMAL\ncpu1 FREQUENCY')"
holds tpmi "THERMAL was asserted in this interval ($tpmi)"
has tpmi-logged 'logged since the log was last cleared: POWER'
# whole words, and each CPU by itself
machine '' "$(file $tpmi 'cpus POWER_PLATFORM_PL1\ncpu0 POWER_PLATFORM_PL1\ncpu1')" \
	"$(file $tpmi 'cpus POWER_PLATFORM_PL1 PLATFORM\ncpu0 POWER_PLATFORM_PL1\ncpu1 POWER_PLATFORM_PL1')"
holds tpmi-words "PLATFORM was asserted in this interval ($tpmi)
         POWER_PLATFORM_PL1 was asserted in this interval ($tpmi)"

# --- what the system is set to ---

mhz=3000
machine '' "$(file $cpu/intel_pstate/no_turbo 1; file $cpu/intel_pstate/max_perf_pct 68)"
holds two "turbo is switched off ($cpu/intel_pstate/no_turbo is 1)
         intel_pstate limits the clock ($cpu/intel_pstate/max_perf_pct is 68)"
machine '' "$(file $cpu/cpufreq/boost 0)"
holds boost "turbo is switched off ($cpu/cpufreq/boost is 0)"
machine '' "$(file $cpu/cpu1/cpufreq/boost 0)"
holds policy-boost "turbo is switched off ($cpu/cpu1/cpufreq/boost is 0; cpus 1)"
machine 's/ 1a0 0*850089/ 1a0 4000850089/'
holds misc-enable 'turbo is switched off (MSR 0x1a0[38:38] is 1)'
mhz=3367
machine '' "$(for n in 0 1; do file $cpu/cpu$n/cpufreq/scaling_max_freq 3400000; file $cpu/cpu$n/cpufreq/cpuinfo_max_freq 4400000; done)"
holds scaling-max "cpufreq limits the clock ($cpu/cpu0/cpufreq/scaling_max_freq is 3400000, cpuinfo_max_freq is 4400000; cpus 0-1)"
machine '' "$(file $cpu/cpu0/cpufreq/bios_limit 3400000; file $cpu/cpu0/cpufreq/cpuinfo_max_freq 4400000)"
holds bios-limit "the firmware limits the clock ($cpu/cpu0/cpufreq/bios_limit is 3400000, cpuinfo_max_freq is 4400000; cpus 0)"
# below the pseudo-state for turbo of acpi-cpufreq, which is 1 MHz above the base clock
machine '' "$(file $cpu/cpu0/cpufreq/bios_limit 3400000; file $cpu/cpu0/cpufreq/cpuinfo_max_freq 3401000)"
holds bios-no-turbo "the firmware limits the clock ($cpu/cpu0/cpufreq/bios_limit is 3400000, cpuinfo_max_freq is 3401000; cpus 0)"
hwp='s/^\(cpuid \*\{0,1\}[0-9]* 6 0\) [0-9a-f]*/\1 000004f7/'
machine "$hwp" "$(for n in 0 1; do echo "msr $n 774 2204"; echo "msr $n 771 2c"; done)"
holds hwp-request 'the HWP request is below the highest level (MSR 0x774[15:8] is 34, MSR 0x771[7:0] is 44; cpus 0-1)'
machine "$hwp" "$(for n in 0 1; do echo "msr $n 774 c0002c04"; echo "msr $n 771 2c"; done)"
holds epp 'the energy-performance preference saves power (MSR 0x774[31:24] is 192; cpus 0-1)'
machine '' "$(file $cpu/cpu0/power/energy_perf_bias 8)"
holds epb "the energy-performance bias saves power ($cpu/cpu0/power/energy_perf_bias is 8; cpus 0)"
machine '' "$(file $cpu/cpu0/cpufreq/scaling_governor powersave; file $cpu/cpu0/cpufreq/scaling_driver acpi-cpufreq)"
holds governor "the governor sets a fixed clock ($cpu/cpu0/cpufreq/scaling_governor is powersave, scaling_driver is acpi-cpufreq; cpus 0)"
machine '' "$(file $cpu/cpu0/cpufreq/scaling_governor powersave; file $cpu/cpu0/cpufreq/scaling_driver intel_pstate)"
holds normal-governor none
machine '' "$(file $cpu/cpu0/cpufreq/scaling_governor performance)"
holds performance none
machine '' "$(file /sys/class/thermal/cooling_device3/type Processor; file /sys/class/thermal/cooling_device3/cur_state 2
	file /sys/class/thermal/cooling_device4/type intel_powerclamp; file /sys/class/thermal/cooling_device4/cur_state -1)"
holds cooling 'a cooling device lowers the clock (/sys/class/thermal/cooling_device3/type is Processor, cur_state is 2)'
machine '' "$(file /sys/class/thermal/cooling_device3/type Fan; file /sys/class/thermal/cooling_device3/cur_state 2
	file /sys/class/thermal/cooling_device4/type intel_powerclamp; file /sys/class/thermal/cooling_device4/cur_state 20)"
holds powerclamp 'forced idle slows the processor (/sys/class/thermal/cooling_device4/type is intel_powerclamp, cur_state is 20)'
machine '' "$(file /sys/firmware/acpi/platform_profile low-power)"
holds profile 'the platform profile saves power (/sys/firmware/acpi/platform_profile is low-power)'
mhz=2000
machine 's/^msr 0 64b .*/msr 0 64b 1/; s/^msr 0 649 .*//' 'msr 0 649 140000'
holds tdp-level 'the TDP level in force has a lower ratio (MSR 0x64b[1:0] is 1, MSR 0x648[7:0] is 30, MSR 0x649[23:16] is 20, MSR 0x64a[23:16] is 0)'

# at 400 MHz, none of these is the cause: they allow more
mhz=400
machine "s/ 1a0 0*850089/ 1a0 4000850089/; s/^msr 0 64b .*/msr 0 64b 1/; s/^msr 0 649 .*//; $hwp" "msr 0 649 140000
$(for n in 0 1; do
	printf 'msr %d 774 ff002204\nmsr %d 771 2c\n' $n $n
	file $cpu/cpu$n/cpufreq/scaling_max_freq 3400000
	file $cpu/cpu$n/cpufreq/cpuinfo_max_freq 4400000
	file $cpu/cpu$n/power/energy_perf_bias 8
done
file $cpu/intel_pstate/no_turbo 0; file $cpu/intel_pstate/max_perf_pct 68)"
says ceilings clock <<'END'
clock: limited by EPP: 400 MHz while busy (2 of 2 CPUs busy); highest for 2 cores 4400 MHz
because: the energy-performance preference saves power (MSR 0x774[31:24] is 255; cpus 0-1)
not because of: throttling, PROCHOT, power limit, current limit, cross-domain limit, turbo switched off (allows 3000 MHz), cpufreq limits (allows 3400 MHz), max_perf_pct (allows 2992 MHz), HWP request (allows 3400 MHz), PL1 (20.0 W of 65.0 W), PL2 (20.0 W of 81.2 W), heat (62 C of 100 C), TDP level (allows 2000 MHz), EPB (8)
do: echo performance | sudo tee /sys/devices/system/cpu/cpu*/cpufreq/energy_performance_preference
END
mhz=3367

# --- power and heat: PkgWatt is 20 W, PkgTmp 62 C ---

# zone DIR NAME ENABLED CONSTRAINT WATTS
zone()
{
	case $4 in long_term) n=0 ;; *) n=1 ;; esac
	file "/sys/class/powercap/$1/name" "$2"
	file "/sys/class/powercap/$1/enabled" "$3"
	file "/sys/class/powercap/$1/constraint_${n}_name" "$4"
	file "/sys/class/powercap/$1/constraint_${n}_power_limit_uw" "${5}000000"
}
machine '' "$(zone intel-rapl:0 package-0 1 long_term 45; zone intel-rapl-mmio:0 package-0 1 long_term 20)"
holds pl1 "the package's power is at PL1 (20.0 W of 20.0 W, /sys/class/powercap/intel-rapl-mmio:0/constraint_0_power_limit_uw)"
machine '' "$(zone intel-rapl:0 package-0 1 short_term 20; zone intel-rapl:0:0 core 1 short_term 20)"
holds pl2 "the package's power is at PL2 (20.0 W of 20.0 W, /sys/class/powercap/intel-rapl:0/constraint_1_power_limit_uw)"
machine '' "$(zone intel-rapl:0 package-0 0 long_term 20; zone intel-rapl:1 package-1 1 long_term 20)"
holds pl1-disabled none
machine '' "$(zone intel-rapl:0 package-0 1 long_term 15)"
holds pl1-exceeded none
# the register, if no zone of the package can be read: 20 W are 160 eighths
machine 's/^msr 0 610 .*/msr 0 610 4283e8001b80a0/' "$(zone intel-rapl:1 package-1 1 long_term 45)"
holds pl1-register "the package's power is at PL1 (20.0 W of 20.0 W, MSR 0x610[31:0])"
machine 's/^msr 0 610 .*/msr 0 610 80a0/' "$(zone intel-rapl:0 package-0 1 long_term 45)"
holds pl1-register-and-zone none
machine 's/^msr 0 610 .*/msr 0 610 a0/'
holds pl1-register-off none
machine 's/^msr 0 610 .*/msr 0 610 8000809f00008288/'
holds pl2-register "the package's power is at PL2 (20.0 W of 19.9 W, MSR 0x610[62:32])"
# on Silvermont the register has PL1 only: JSON, header and answer leave the upper half out
sed 's/^msr 0 610 .*/msr 0 610 800080a0003980fa/' tests/golden/baytrail/machine.rec >"$tmp/rec"
has pl1-silvermont 'PL1 ('
lacks pl2-silvermont 'PL2'
# dies: the lowest of them
machine '' "$(zone intel-rapl:0 package-0-die-0 1 long_term 45; zone intel-rapl:1 package-0-die-1 1 long_term 20)"
holds pl1-dies "the package's power is at PL1 (20.0 W of 20.0 W, /sys/class/powercap/intel-rapl:1/constraint_0_power_limit_uw)"
# power is nan: rights would not help
machine '/^sample 1/,${/^msr 0 611 /d}' "$(zone intel-rapl:0 package-0 1 long_term 20)" 'msr 0 611 !EIO'
says pl1-nan clock <<END
turbostat: cpu0: nan in 'PkgWatt': MSR 0x611: Input/output error
clock: low, no cause was found: 3367 MHz while busy (2 of 2 CPUs busy); highest for 2 cores 4400 MHz
not because of: throttling, PROCHOT, power limit, turbo switched off, heat (62 C of 100 C), TDP level (0), EPB (6)
END
# 98 C, but nobody says of how many: a guess is no temperature to judge by
machine 's/ 1a2 0*640000/ 1a2 0/; s/^msr 0 1b1 .*/msr 0 1b1 88020000/'
says heat-guessed clock <<END
clock: low, no cause was found: 3367 MHz while busy (2 of 2 CPUs busy); highest for 2 cores 4400 MHz
not because of: throttling, PROCHOT, power limit, turbo switched off, PL1 (20.0 W of 65.0 W), PL2 (20.0 W of 81.2 W), TDP level (0), EPB (6)
END
machine 's/ ce 0*80030001e00/ ce 80070001e00/; s/ 1a2 0*640000/ 1a2 24640000/'
holds heat 'the package is at its temperature limit (62 C of 64 C)'
# what the user says of the temperature has no offset
says heat-tcc clock --TCC 64 <<END
clock: low, no cause was found: 3367 MHz while busy (2 of 2 CPUs busy); highest for 2 cores 4400 MHz
not because of: throttling, PROCHOT, power limit, turbo switched off, PL1 (20.0 W of 65.0 W), PL2 (20.0 W of 81.2 W), heat (26 C of 64 C), TDP level (0), EPB (6)
END
machine 's/^msr 1 19c .*/msr 1 19c 882c0001/'
holds therm-status 'throttling is asserted (MSR_IA32_THERM_STATUS 0x882c0001); cpus 1'
machine 's/^msr 1 19c .*/msr 1 19c 882c0001/; /^sample 1/,${s/^msr 1 19c .*/msr 1 19c 882c0000/}'
holds therm-status-before 'throttling was asserted (MSR_IA32_THERM_STATUS 0x882c0001); cpus 1'
machine '' "$(file $cpu/cpu1/thermal_throttle/core_throttle_count 4)" "$(file $cpu/cpu1/thermal_throttle/core_throttle_count 5)"
holds throttle-count "the core throttled in this interval ($cpu/cpu1/thermal_throttle/core_throttle_count was 4, is 5; cpus 1)"

# --- nothing can be read; a guest has nothing to hide; AMD has no turbo ratios ---

machine 's/^msr .*//' 'msr * * !EACCES'
says no-registers clock <<'END'
clock: cannot be measured here: registers were refused when this was recorded
END
stat() # TICKS of user mode
{
	file /proc/stat "cpu  $1 0 0 1000\ncpu0 $1 0 0 1000\ncpu1 $1 0 0 1000"
}
machine 's/^msr .*//; /^file .proc.stat /d' "msr * * !EACCES
$(stat 0; file $cpu/intel_pstate/no_turbo 0; for n in 0 1; do file $cpu/cpu$n/cpufreq/scaling_cur_freq 1200000; file $cpu/cpu$n/cpufreq/cpuinfo_max_freq 4400000; done)" "$(stat 500)"
says user clock <<'END'
clock: low, no cause was found: 1200 MHz while busy (2 of 2 CPUs busy); highest for 1 core 4400 MHz; the highest for 2 cores is not known
not because of: turbo switched off
could not be read: limit reasons, throttling, heat, TDP level, EPB (registers were refused when this was recorded)
END
# turbo is off, and cpuinfo_max_freq is the base clock (3000 MHz, as the TSC shows): no highest
machine 's/^msr .*//; /^file .proc.stat /d' "msr * * !EACCES
$(stat 0; file $cpu/intel_pstate/no_turbo 1; for n in 0 1; do file $cpu/cpu$n/cpufreq/scaling_cur_freq 3000000; file $cpu/cpu$n/cpufreq/cpuinfo_max_freq 3000000; done)" "$(stat 500)"
says user-no-turbo clock <<END
clock: limited by turbo switched off: 3000 MHz while busy (2 of 2 CPUs busy); the highest for 2 cores is not known
because: turbo is switched off ($cpu/intel_pstate/no_turbo is 1)
could not be read: limit reasons, throttling, heat, TDP level, EPB (registers were refused when this was recorded)
do: echo 0 | sudo tee $cpu/intel_pstate/no_turbo
END
amd='s/756e6547 6c65746e 49656e69/68747541 444d4163 69746e65/'
hsmp=/sys/devices/platform/AMDI0097:00
machine "$amd" "$(file $cpu/cpu0/cpufreq/cpuinfo_max_freq 4400000; file $cpu/cpu1/cpufreq/cpuinfo_max_freq 4400000)"
says single-core clock <<'END'
clock: 3367 MHz while busy (2 of 2 CPUs busy); highest for 1 core 4400 MHz; the highest for 2 cores is not known
not limited by: EPB (6)
END
# a clock below that of P-state 0 is low, however many cores are busy; the k10temp has no cap
mhz=400
machine "$amd; s/ 000506e3 / 00870f10 /" "msr 0 c0010064 878
$(file $cpu/cpu0/cpufreq/cpuinfo_max_freq 4400000; file $cpu/cpu1/cpufreq/cpuinfo_max_freq 4400000
	file /sys/class/hwmon/hwmon1/name k10temp; file $cpu/cpufreq/boost 0)"
says amd-slow clock <<'END'
clock: low, no cause was found: 400 MHz while busy (2 of 2 CPUs busy); highest for 1 core 4400 MHz; the highest for 2 cores is not known
not because of: turbo switched off (allows 3000 MHz), EPB (6)
END
mhz=400
machine "$amd; s/ 000506e3 / 00870f10 /" 'msr 0 c0010064 878'
says base-only clock <<'END'
clock: low, no cause was found: 400 MHz while busy (2 of 2 CPUs busy); the highest for 2 cores is not known
not because of: EPB (6)
END
mhz=3367
machine "$amd; s/^msr 0 e7 .*/msr 0 e7 1/" "$(for n in 0 1; do file $cpu/cpu$n/cpufreq/cpuinfo_max_freq 4400000; file $cpu/cpu$n/cpufreq/energy_performance_preference power; done)"
holds amd-epp "the energy-performance preference saves power ($cpu/cpu1/cpufreq/energy_performance_preference is power; cpus 1)"
one='s/^msr 1 e7 .*/msr 1 e7 1/'
machine "$amd; $one" "$(file $cpu/cpu0/cpufreq/cpuinfo_max_freq 4400000
	file $hsmp/pwr_current_active_freq_limit_source 'OPN Max\nPPT Limit'; file $hsmp/pwr_current_active_freq_limit 3400
	file /sys/class/hwmon/hwmon2/name amd_hsmp_hwmon; file /sys/class/hwmon/hwmon2/power1_input 220000000; file /sys/class/hwmon/hwmon2/power1_cap 225000000
	file $hsmp/prochot_status 1)"
holds hsmp "PPT Limit: the socket allows 3400 MHz ($hsmp/pwr_current_active_freq_limit_source)
         PROCHOT is asserted ($hsmp/prochot_status was 1, is 1)
         the socket's power is at its cap (220.0 W of 225.0 W)"
machine 's/^msr 0 1b0 .*/msr 0 1b0 8f/'
holds epb-register 'the energy-performance bias saves power (MSR 0x1b0[3:0] is 15; cpus 0)'
machine 's/^msr 0 1b0 .*/msr 0 1b0 8f/' "$(file $cpu/cpu0/power/energy_perf_bias 6)"
holds epb-of-the-file none
machine '/^file .proc.self.status/d; /^msr [01] 1b0 /d' "file $tpmi !EACCES
file $cpu/cpu0/power/energy_perf_bias !EACCES"
"$program" --replay "$tmp/rec" --explain clock >"$tmp/got"
grep -qx 'could not be read: TPMI limit reasons, EPB (needs root)' "$tmp/got"
result unread "$tmp/got"

# --- the rows of the verdict, each with its neighbour: a step is 100 MHz, 95 % of 4400 are 4180 ---

busy=96
first() # CASE TEXT: the first line begins so
{
	"$program" --replay "$tmp/rec" --explain clock >"$tmp/got" 2>&1 </dev/null
	sed -n '/^clock: /p' "$tmp/got" >"$tmp/first"
	case $(cat "$tmp/first") in
	"clock: $2"*)	echo "ok answers/$1" ;;
	*)	failed=1
		echo "FAIL answers/$1: expected clock: $2"
		sed 's/^/    /' "$tmp/got" ;;
	esac
}
for t in '4300 4300 MHz, as high as it gets with 2 busy cores' '4299 4299 MHz, about as high as it gets with 2 busy cores' \
	'4180 4180 MHz, about as high' '4179 low, no cause was found: 4179 MHz while busy (2 of 2 CPUs busy); highest for 2 cores 4400 MHz'; do
	mhz=${t%% *}
	machine ''
	first "row-$mhz" "${t#* }"
done
# the turbo of two cores is 3800: between it and that of one nothing is claimed
slope='s/ 1ad 2c2c2c2c/ 1ad 2626262c/'
eager=$(file $cpu/cpu0/cpufreq/scaling_governor performance)
busy=45
for t in '4300 4300 MHz, as high as it gets with 1 to 2 busy cores' '4299 4299 MHz, about as high as it gets with 1 to 2 busy cores' \
	'4179 4179 MHz while busy (2 of 2 CPUs busy); highest for 1 to 2 cores 4400 to 3800 MHz' '3610 3610 MHz while busy' \
	'3609 low, no cause was found: 3609 MHz while busy (2 of 2 CPUs busy); highest for 1 to 2 cores 4400 to 3800 MHz'; do
	mhz=${t%% *}
	machine "$slope" "$eager"
	first "between-$mhz" "${t#* }"
done
mhz=3609
machine "$slope"
first partly '3609 MHz while busy (2 of 2 CPUs busy); highest for 1 to 2 cores 4400 to 3800 MHz; CPUs that are 45 % busy may not ask for a higher clock'
busy=51
machine "$slope"
first not-partly 'low, no cause was found: 3609 MHz'
# an effect is a cause if the clock is below the highest for the most cores, by more than a step
busy=45
mhz=3700
machine "$slope" "msr 0 64f 04000400"
first effect-at-step '3700 MHz while busy'
has effect-at-step-limits 'limits: PL1 is asserted'
mhz=3699
machine "$slope" "msr 0 64f 04000400"
first effect-below-step 'limited by PL1: 3699 MHz'
# cores in C3 and deeper are not among the most, others are: one CPU is busy, and the other core in C1
busy=96
mhz=4000
machine "$slope; s/^msr 1 e7 .*/msr 1 e7 1/; s/^msr 1 \(3f[cde]\) .*/msr 1 \1 1/"
first most-in-c1 '4000 MHz while busy (1 of 2 CPUs busy); highest for 1 to 2 cores 4400 to 3800 MHz'
machine "$slope; s/^msr 1 e7 .*/msr 1 e7 1/; s/^msr 1 \(3f[ce]\) .*/msr 1 \1 1/; s/^msr 1 3fd .*/msr 1 3fd 1/; /^sample 1/,\$ s/^msr 1 3fd .*/msr 1 3fd 37e11d601/"
first most-in-c6 'low, no cause was found: 4000 MHz while busy (1 of 2 CPUs busy); highest for 1 core 4400 MHz'
# a core of which one of these states cannot be read: its busy share
machine "$slope; s/^msr 1 e7 .*/msr 1 e7 1/; s/^msr 1 \(3f[de]\) .*/msr 1 \1 1/; s/^msr 1 3fc .*/msr 1 3fc !EIO/"
first most-unread 'low, no cause was found: 4000 MHz while busy (1 of 2 CPUs busy); highest for 1 core 4400 MHz'

# --- a setting binds from 95 to 110 % of the clock that it allows, if that is below 95 % of 4400 ---

for t in '3400 3230 limited by cpufreq limits' '3400 3229 low' '3400 3740 limited by cpufreq limits' '3400 3741 low' \
	'4179 4170 limited by cpufreq limits' '4181 4170 low'; do
	read -r allowed mhz want <<-END
	$t
	END
	machine '' "$(for n in 0 1; do file $cpu/cpu$n/cpufreq/scaling_max_freq ${allowed}000; file $cpu/cpu$n/cpufreq/cpuinfo_max_freq 4400000; done)"
	first "binds-$allowed-$mhz" "$want"
done
has allows 'cpufreq limits (allows 4181 MHz)'
mhz=3400
machine '' "$(for n in 0 1; do file $cpu/cpu$n/cpufreq/scaling_max_freq 3400000; file $cpu/cpu$n/cpufreq/cpuinfo_max_freq 4400000; done)"
has binds-do "do: raise $cpu/cpu*/cpufreq/scaling_max_freq (sudo tee), and look for the daemon that set it"
# only against the highest for the fewest cores: neither a cause nor excluded
busy=45
mhz=3750
machine "$slope" "$eager
$(for n in 0 1; do file $cpu/cpu$n/cpufreq/scaling_max_freq 3800000; file $cpu/cpu$n/cpufreq/cpuinfo_max_freq 4400000; done)"
has binds-fewest 'limits: cpufreq limits the clock'
busy=96
# levels of HWP are shares of the turbo of one core, and allow no more than that of the fewest
table='s/ 1ad 2c2c2c2c/ 1ad 292c2f31/'	# 4900, 4700, 4400, 4100
mhz=3500
machine "$hwp; $table" "$(for n in 0 1; do echo "msr $n 774 2904"; echo "msr $n 771 31"; done)"
has hwp-allows 'HWP request (allows 4100 MHz)'
mhz=2800
machine "$hwp; $table" "$(for n in 0 1; do echo "msr $n 774 40000003104"; echo "msr $n 771 31"; echo "msr $n 772 1c04"; done)"
first hwp-package 'limited by HWP request: 2800 MHz'
has hwp-package-text '(MSR 0x772[15:8] is 28, MSR 0x771[7:0] is 49'
# and its preference, but if the CPU's own is valid (bit 60)
for t in '400ff002c04 80002c01 EPP (128)' '400ff002c04 ff002c01 MSR 0x772[31:24] is 255' '1000040080002c04 ff002c01 EPP (128)' '10000400ff002c04 80002c01 MSR 0x774[31:24] is 255'; do
	own=${t%% *} rest=${t#* }
	machine "$hwp" "$(for n in 0 1; do printf 'msr %d 774 %s\nmsr %d 771 2c\nmsr %d 772 %s\n' $n "$own" $n $n "${rest%% *}"; done)"
	has "epp-package-$own-${rest%% *}" "${rest#* }"
done
machine "$hwp; $table" "$(for n in 0 1; do echo "msr $n 774 4000040000003104"; echo "msr $n 771 31"; echo "msr $n 772 1c04"; done)"
first hwp-own 'low, no cause was found: 2800 MHz'
has hwp-own-text 'HWP request (49)'
mhz=3367
# turbo is excluded by the register only where no file says more
machine '' "file $cpu/intel_pstate/no_turbo !EACCES"
has turbo-unread 'could not be read: turbo switched off'
machine '' "file $cpu/intel_pstate/no_turbo !EAGAIN"
lacks turbo-eagain 'could not be read: turbo switched off'

# --- what was read once, logs, counts ---

machine '' 'msr 0 64f 0' ''
has once 'read only once: limit reasons'
machine '' 'msr 0 64f 400' ''
has once-set 'because: PL1 was asserted (MSR_CORE_PERF_LIMIT_REASONS 0x00000400)'
machine '' 'msr 0 64f 400' 'msr 0 64f !EIO'
has once-fails 'because: PL1 was asserted (MSR_CORE_PERF_LIMIT_REASONS 0x00000400)'
machine '' 'msr 0 64f 0' 'msr 0 64f !EIO'
has once-fails-zero 'read only once: limit reasons'
machine '' 'msr 0 64f 0'
has excluded 'not because of: limit reasons'
machine '' 'msr 0 64f 04000000'
lacks logged-not-excluded 'limit reasons'
count=$cpu/cpu1/thermal_throttle/core_throttle_count
unknown='/^msr [01] 19c /d; /^msr 0 1b1 /d'
machine "$unknown" "$(file $count 5)" "$(file $count 4)"
has count-shrinks 'could not be read: throttling'
machine "$unknown" "$(file $count 5)" "$(file $count x)"
has count-no-number 'could not be read: throttling'
# each CPU counts the events of its package that it sees
pcount=$cpu/cpu1/thermal_throttle/package_throttle_count
machine '' "$(file $cpu/cpu0/thermal_throttle/package_throttle_count 45; file $pcount 38)" "$(file $cpu/cpu0/thermal_throttle/package_throttle_count 45; file $pcount 39)"
holds package-count "the package throttled in this interval ($pcount was 38, is 39; cpus 1)"
machine '' "$(file $count 5)"
lacks count-same "$count"
# what only some CPUs exclude: the log of another was set before, or it has no reading
machine "$hwp; s/^msr 1 19c .*/msr 1 19c 88402000/; /^sample 1/,\${s/^msr 1 19c .*/msr 1 19c 88400000/}"
has log-cleared 'power limit, cross-domain limit'
machine 's/^msr 0 1b1 .*/msr 0 1b1 88400800/; /^sample 1/,${s/^msr 0 1b1 .*/msr 0 1b1 88400000/}'
has log-cleared-package 'not because of: throttling, PROCHOT, turbo'
machine '/^msr 1 19c /d'
has core-unread 'could not be read: throttling, PROCHOT, power limit'
lacks core-unread-excluded 'because of: throttling'
# a setting that a CPU lacks is none, one that fails otherwise is not known
machine 's/\nmsr 1 1b0 .*//'
has epb-of-one 'EPB (6)'
machine 's/\nmsr 1 1b0 .*/\nmsr 1 1b0 !ENXIO/'
has epb-fails 'could not be read: EPB'
sed '/^plan$/q' tests/golden/sapphirerapids/machine.rec >"$tmp/rec"
printf 'msr 0 64f 40\nmsr 2 64f 2000\n' >>"$tmp/rec"
sed '1,/^plan$/d' tests/golden/sapphirerapids/machine.rec | sed '/^sample 1/,/^done$/s/^done$/msr 0 64f 40\nmsr 2 64f 2000\n&/' >>"$tmp/rec"
has reasons-of-one 'because: package 0: VR Therm Alert is asserted'
lacks reasons-of-one-excluded 'limit reasons'
tpmi1=/sys/kernel/debug/tpmi-0000:00:03.1/plr/domain1/status
machine '' "$(file $tpmi 'cpus none'; file $tpmi1 'cpus none')" "$(file $tpmi 'cpus POWER'; file $tpmi1 'cpus none')"
lacks tpmi-of-one 'TPMI limit reasons'
# settings whose other half is not known
machine "$hwp" "$(for n in 0 1; do echo "msr $n 774 2204"; done)"
lacks hwp-no-highest 'HWP request'
machine 's/^msr 0 64b .*/msr 0 64b 1/; s/^msr 0 649 .*//'
lacks tdp-no-ratio 'TDP level'
machine 's/^msr 0 648 .*//; s/^msr 0 64b .*/msr 0 64b 1/'
lacks tdp-no-nominal 'TDP level'
# level 0 is the nominal one
machine 's/^msr 0 648 .*//'
has tdp-nominal 'TDP level (0)'
machine '' "$(file /sys/class/thermal/cooling_device3/type Processor; file /sys/class/thermal/cooling_device4/type Processor; file /sys/class/thermal/cooling_device4/cur_state 0)"
has cooling-no-state 'could not be read: cooling devices'
machine '' "$(file /sys/class/thermal/cooling_device3/type Processor; file /sys/class/thermal/cooling_device4/type intel_powerclamp; file /sys/class/thermal/cooling_device4/cur_state -1)"
has cooling-no-state-of-one 'could not be read: cooling devices'
# HWP has no regard to the bias, if it is on: it is, nobody knows, it is off, it has no preference
bias=$(for n in 0 1; do file $cpu/cpu$n/power/energy_perf_bias 8; done)
machine "$hwp" "$bias$(for n in 0 1; do printf '\nmsr %d 774 80002c04\nmsr %d 771 2c' $n $n; done)"
has bias-hwp 'EPB (8), EPP (128)'
machine "$hwp" "$bias$(for n in 0 1; do printf '\nmsr %d 774 !EPERM' $n; done)"
lacks bias-unknown 'EPB'
machine "$hwp" "$bias$(for n in 0 1; do printf '\nmsr %d 774 !EIO' $n; done)"
has bias-no-hwp 'limited by EPB'
machine 's/^\(cpuid \*\{0,1\}[0-9]* 6 0\) [0-9a-f]*/\1 000000f7/' "$bias$(for n in 0 1; do printf '\nmsr %d 774 80002c04\nmsr %d 771 2c' $n $n; done)"
has bias-no-preference 'limited by EPB'
machine '' "$(for n in 0 1; do file $cpu/cpu$n/cpufreq/scaling_max_freq 3400000; done)"
holds scaling-max-alone "cpufreq limits the clock ($cpu/cpu0/cpufreq/scaling_max_freq is 3400000; cpus 0-1)"
# bits 10, 12 and 14 of the thermal status, and their logs; the last two need CPUID 6 EAX[7]
for t in '88400400 power limit' '88401000 current limit' '88404000 cross-domain limit' '88400004 PROCHOT'; do
	machine "$hwp; s/^msr 1 19c .*/msr 1 19c ${t%% *}/"
	holds "therm-${t%% *}" "${t#* } is asserted (MSR_IA32_THERM_STATUS 0x${t%% *}); cpus 1"
done
machine "$hwp; s/^msr 1 19c .*/msr 1 19c 88400c00/" 'msr 0 64f 04000400'
holds therm-said 'PL1 is asserted (MSR_CORE_PERF_LIMIT_REASONS 0x04000400)'
machine "$hwp; s/^msr 1 19c .*/msr 1 19c 88402000/"
has therm-logged 'logged since the log was last cleared: current limit'
lacks therm-logged-not-excluded 'power limit, current limit'
machine "s/^msr 0 1fc .*/msr 0 1fc 4005c/" 'msr 0 64f 1'
has prochot-off 'PROCHOT is asserted from outside the processor, although BD PROCHOT is off (MSR_POWER_CTL bit 0)'
lacks prochot-off-charger 'usually the charger'

# --- TPMI by whole words and lines, HSMP by its clock ---

tpmi_case() # CASE BEFORE AFTER CAUSES
{
	machine '' "$(file $tpmi "$2")" "$(file $tpmi "$3")"
	holds "tpmi-$1" "$4"
}
tpmi_case fine 'cpus none\ncpu0 none\ncpu1 none' 'cpus POWER\ncpu0 POWER POWER_PKG_PL1_MMIO\ncpu1 none' "POWER_PKG_PL1_MMIO was asserted in this interval ($tpmi)"
tpmi_case whole 'cpus POWER_PLATFORM_PL1_MSR_TPMI' 'cpus POWER_PLATFORM_PL1_MSR_TPMI PLATFORM' "PLATFORM was asserted in this interval ($tpmi)"
tpmi_case other-line 'cpus none\ncpu0 THERMAL\ncpu1 none' 'cpus none\ncpu0 THERMAL\ncpu1 THERMAL' "THERMAL was asserted in this interval ($tpmi)"
tpmi_case usual 'cpus none' 'cpus FREQUENCY FREQUENCY_CDYN0 FREQUENCY_FCT FREQUENCY_PCS_TRL' none
has tpmi-usual-excluded 'TPMI limit reasons'
tpmi_case cdyn3 'cpus none' 'cpus FREQUENCY FREQUENCY_CDYN3' "wide vector or matrix instructions lower the turbo (FREQUENCY_CDYN3), was asserted in this interval ($tpmi)"
for text in '' 'x' 'cpus' 'cpu THERMAL\n' 'THERMAL\n' '17\n'; do
	machine '' "$(file $tpmi 'cpus none')" "$(printf 'file %s "%s"\n' $tpmi "$text")"
	has "tpmi-bad-${text%%\\*}" 'could not be read: TPMI limit reasons'
done
hsmp_case() # CASE SOURCE MHZ FIRST
{
	machine "$amd" "$(for n in 0 1; do file $cpu/cpu$n/cpufreq/cpuinfo_max_freq 4400000; done
		file $hsmp/pwr_current_active_freq_limit_source "$2"; file $hsmp/pwr_current_active_freq_limit "$3")"
	first "hsmp-$1" "$4"
}
mhz=3100
hsmp_case ppt 'PPT Limit' 3100 'limited by PPT Limit: 3100 MHz'
hsmp_case far 'PPT Limit' 3300 '3100 MHz while busy'
has hsmp-far-allows 'HSMP (allows 3300 MHz)'
hsmp_case max 'OPN Max' 3200 '3100 MHz, as high as it gets with 2 busy cores'
hsmp_case below-max 'OPN Max' 3201 '3100 MHz while busy'
hsmp_case word 'OPN Maxx' 3100 '3100 MHz while busy'
has hsmp-bad 'could not be read: HSMP'
# the second socket's limit is the second package's, also if we may use that package only
two="$amd; s,\(cpu1.topology.physical_package_id\) .*,\1 \"1\\\\n\","
limit_of() # SOCKET
{
	for n in 0 1; do
		dir=/sys/devices/platform/AMDI0097:0$n
		file $cpu/cpu$n/cpufreq/cpuinfo_max_freq 4400000
		file $dir/pwr_current_active_freq_limit_source "$([ "$1" = $n ] && echo 'PPT Limit' || echo 'OPN Max')"
		file $dir/pwr_current_active_freq_limit 3100
	done
}
for set in 0-1 1; do
	machine "$two; s/effective \"0-1/effective \"$set/" "$(limit_of 1)"
	holds "hsmp-second-$set" "PPT Limit: the socket allows 3100 MHz (/sys/devices/platform/AMDI0097:01/pwr_current_active_freq_limit_source)"
done
machine "$two; s/effective \"0-1/effective \"1/" "$(limit_of 0)"
lacks hsmp-of-the-other 'PPT Limit'
# of a package that is offline nobody knows which directory is its own
machine "$amd" "$(limit_of 0)"
lacks hsmp-two-of-one 'PPT Limit'

# --- the answer as data, and as a status ---

mhz=3367
machine '' 'msr 0 64f 04000400'
for t in '"verdict":"limited"' '"topic":"clock"' '"n":1' '"busy_cpus":2' '"cause":"PL1"' '"cores_min":2,"cores_max":2' '"highest_min_mhz":4400,"highest_max_mhz":4400,"highest_one_mhz":4400' \
	'"do":"the firmware or a daemon sets this limit; better cooling does not lift it"' '"unread":\[\],"once":\[\],"logged":\[\]' '"package":0,"cpus":null'; do
	"$program" --replay "$tmp/rec" --explain clock --json -q | grep -q "$t"
	result "json-$t"
done
exits() # CASE STATUS MESSAGE OPTIONS...
{
	name=$1 want=$2 message=$3
	shift 3
	"$program" --replay "$tmp/rec" "$@" >"$tmp/got" 2>"$tmp/notes" </dev/null
	status=$?
	if [ "$message" ]; then
		said=$(grep -Fxc "turbostat: $message" "$tmp/notes")
	else
		said=1
		[ -s "$tmp/notes" ] && said=0
	fi
	[ "$status $said" = "$want 1" ]
	result "$name" "$tmp/got" "$tmp/notes"
}
exits fail-limited 3 '' --explain clock --fail limited,low
exits fail-low 0 '' --explain clock --fail low
exits fail-word 1 "--fail: 'slow' is not one of high, limited, low, unknown, idle, unmeasured, did you mean low?" --explain clock --fail slow
exits fail-gate 1 "--fail 'Pkg_J>2%' compares two sides, which --explain clock does not have" --explain clock --fail 'Pkg_J>2%'
exits csv 1 '--explain clock and --csv exclude each other' --explain clock --csv
"$program" --replay "$tmp/rec" --explain clock --prometheus >"$tmp/got" 2>&1
for t in 'turbostat_clock_verdict{verdict="limited"} 1' 'turbostat_clock_verdict{verdict="low"} 0' 'turbostat_limited{cause="PL1"} 1' 'turbostat_limited{cause="heat"} 0'; do
	[ "$(grep -Fxc "$t" "$tmp/got")" = 1 ]
	result "metric-$t"
done
busy=45
machine "$slope"
exits fail-unknown 1 '--fail: cannot be judged: unknown' --explain clock --fail limited
exits fail-unknown-word 3 '' --explain clock --fail unknown
sed '/^sample 1/,$d' "$tmp/rec" >"$tmp/cut"
cp "$tmp/cut" "$tmp/rec"
for topic in 'clock limited' 'sleep awake' 'energy doubtful'; do
	exits "fail-nothing-${topic% *}" 1 '--fail: cannot be judged: there is no interval' --explain "${topic% *}" --fail "${topic#* }"
done
# --- energy: 100 J of the package by MSR 0x611 in 5 s, cores 60 J, graphics 10 J ---

busy=96
mhz=3367

zone=/sys/class/powercap/intel-rapl

# zone N NAME START MOST: the lines of a zone of powercap before the first sample
zone()
{
	file $zone:$1/name "$2"
	file $zone:$1/max_energy_range_uj "$4"
	file $zone:$1/energy_uj "$3"
}

# counts REGISTER START END: a sed script that makes a register count so
counts()
{
	printf 's/^msr \\([01]\\) %s .*/msr \\1 %s %s/; /^sample 1/,$s/^msr \\([01]\\) %s .*/msr \\1 %s %s/' "$1" "$1" "$2" "$1" "$1" "$3"
}

# energy CASE FIRST [TEXT]: the first line of the answer, and a text that stands in it
energy()
{
	"$program" --replay "$tmp/rec" --explain energy >"$tmp/got" 2>&1 </dev/null
	[ "$(sed 1q "$tmp/got")" = "energy: $2" ] && grep -Fqx -e "${3-energy: $2}" "$tmp/got"
	result "energy-$1" "$tmp/got"
}

machine ''
says energy energy <<'END'
energy: single: 20.00 W for the package
single: package 0: MSR 0x611 20.00 W
END
says energy-short energy --no-msr <<'END'
energy: unknown: no energy of packages here: --no-msr excludes it
END
machine '' "$(zone 0 package-0 1000000 262143328850)" "$(file $zone:0/energy_uj 101000000)"
says energy-right energy <<'END'
energy: right: 20.00 W for the package
right: package 0: MSR 0x611 20.00 W, intel-rapl:0 20.00 W
END
machine '' "$(zone 0 package-0 1000000 262143328850)" "$(file $zone:0/energy_uj 51000000)"
says energy-half energy <<'END'
energy: doubtful: 20.00 W for the package
doubtful: package 0: MSR 0x611 20.00 W, intel-rapl:0 10.00 W
          intel-rapl:0 (10.00 W) contradicts MSR 0x611 (20.00 W): they differ by more than 2.8 %
END
# 2 % + 2 x 20 ms / 5 s of the greater one, and one unit (2^-14 J): a microjoule beside both bounds
machine '' "$(zone 0 package-0 1000000 262143328850)" "$(file $zone:0/energy_uj 103880721)"
energy bound 'right: 20.00 W for the package'
machine '' "$(zone 0 package-0 1000000 262143328850)" "$(file $zone:0/energy_uj 103880722)"
energy above-bound 'doubtful: 20.00 W for the package'
machine '' "$(zone 0 package-0 1000000 262143328850)" "$(file $zone:0/energy_uj 98199939)"
energy lower-bound 'right: 20.00 W for the package'
machine '' "$(zone 0 package-0 1000000 262143328850)" "$(file $zone:0/energy_uj 98199938)"
energy below-bound 'doubtful: 20.00 W for the package'
# a counter that moves each 100 ms, as the recording says, widens them
machine '' "$(zone 0 package-0 1000000 262143328850)" "$(file $zone:0/energy_uj 103880722; echo 'step PKG 100000000')"
energy step 'right: 20.00 W for the package'
# one wrap; another counter that fell without a range is no way
machine '' "$(zone 0 package-0 262143000000 262143328850)" "$(file $zone:0/energy_uj 99671149)"
energy wrap 'right: 20.00 W for the package'
machine '' "$(zone 0 package-0 262143000000 1000)" "$(file $zone:0/energy_uj 99671149)"
energy fell 'single: 20.00 W for the package'
# read once, refused, or without a number: no way
machine '' "$(zone 0 package-0 1000000 262143328850)" ''
energy once 'single: 20.00 W for the package'
machine '' "$(zone 0 package-0 1000000 262143328850)" "file $zone:0/energy_uj !EACCES"
energy refused 'single: 20.00 W for the package'
machine '' "$(zone 0 package-0 1000000 262143328850)" "$(file $zone:0/energy_uj "$(printf %5000d 7)")"
energy long 'single: 20.00 W for the package'
# memory and the system: another energy's doubt counts, too
machine '' "$(zone 0 package-0 7 262143328850; zone 0/intel-rapl:0:0 dram 7 65712999613; zone 1 psys 7 262143328850)" \
	"$(file $zone:0/energy_uj 100000007; file $zone:0/intel-rapl:0:0/energy_uj 10000007; file $zone:1/energy_uj 150000007)"
says energy-all energy <<'END'
energy: right: 20.00 W for the package
right: package 0: MSR 0x611 20.00 W, intel-rapl:0 20.00 W
single: memory of package 0: intel-rapl:0:0 2.00 W
single: system: intel-rapl:1 30.00 W
END
# what stands still, and parts of the whole: one unit beside 105 %
machine "$(counts 611 1234567 1234567)"
energy stands 'doubtful: 0.00 W for the package' '          the package draws 0.00 W'
machine "$(counts 611 0 0); $(counts 639 0 0)"
energy never 'doubtful: 0.00 W for the package' '          the package draws 0.00 W'
machine "$(counts 639 1234567 1234567)"
energy cores 'doubtful: 20.00 W for the package' '          cores 0.00 W while 2 CPUs were busy'
busy=4
machine "$(counts 639 1234567 1234567)"
energy cores-idle 'single: 20.00 W for the package'
busy=0
machine "$(counts 611 100000 290000); $(counts 639 1 180001); $(counts 641 1 24001)"
energy parts 'single: 20.00 W for the package'
machine "$(counts 611 100000 290000); $(counts 639 1 180001); $(counts 641 1 24002)"
energy parts-above 'doubtful: 20.00 W for the package' '          cores (19.20 W) and graphics (1.80 W) are more than the package (20.00 W)'
machine "$(counts 611 100000 290000); $(counts 639 1 1a4001); s/^msr \([01]\) 641 .*//"
energy cores-equal 'single: 20.00 W for the package'
machine "$(counts 611 100000 290000); $(counts 639 1 1a4002); s/^msr \([01]\) 641 .*//"
energy cores-above 'doubtful: 20.00 W for the package' '          cores (21.00 W) are more than the package (20.00 W)'
# a guest whose counters stand still
guest='/^cpuid/s/^\(cpuid [*01]* 1 0 [0-9a-f]* [0-9a-f]* \)7\([0-9a-f]*\)/\1f\2/'
machine "$guest; $(counts 611 1234567 1234567)"
energy guest 'unknown: the hypervisor answers 0'
# recording NAME START END: two samples of tests/golden/NAME, with lines as for machine()
recording()
{
	{
		sed '/^plan$/q' "tests/golden/$1/machine.rec"
		printf '%s\n' "$2"
		sed '1,/^plan$/d; /^sample 2/,$d' "tests/golden/$1/machine.rec" |
			awk '{ line[NR] = $0 } $0 == "done" { last = NR } END { for (i = 1; i < last; i++) print line[i] }'
		printf '%s\ndone\nend\n' "$3"
	} >"$tmp/rec"
}

# two packages by perf; microjoules of powercap at the end
two_packages()
{
	recording perf-server "$(zone 0 package-0 7 262143328850; zone 1 package-1 7 262143328850)" \
		"$(file $zone:0/energy_uj "$1"; file $zone:1/energy_uj "$2")"
}
two_packages 1000000007 900000007
says energy-two energy <<'END'
energy: right: 380.00 W for the packages
right: package 0: perf 200.00 W, intel-rapl:0 200.00 W
right: package 1: perf 180.00 W, intel-rapl:1 180.00 W
single: memory of package 0: perf 20.00 W
single: memory of package 1: perf 18.00 W
single: system: perf 500.00 W
END
two_packages 1000000007 450000007
energy one-of-two 'doubtful: 380.00 W for the packages' '          intel-rapl:1 (90.00 W) contradicts perf (180.00 W): they differ by more than 2.8 %'
for word in right single doubtful unknown; do
	"$program" --replay "$tmp/rec" --explain energy --fail $word >/dev/null 2>&1
	status=$?
	[ $word = doubtful ] && want=3 || want=0
	if [ $status = $want ]; then
		echo "ok answers/energy-fail-$word"
	else
		failed=1
		echo "FAIL answers/energy-fail-$word: status $status"
	fi
done
"$program" --replay "$tmp/rec" --explain energy --json | tail -1 | sed 's/.*"watts":380,/"watts":380,/; s/,"because".*//' >"$tmp/got"
printf '%s%s%s%s%s\n' '"watts":380,"checks":[{"of":"package 0","verdict":"right","watts":200,"ways":{"perf":200,"powercap":200},"text":null},' \
	'{"of":"package 1","verdict":"doubtful","watts":180,"ways":{"perf":180,"powercap":90},"text":"intel-rapl:1 (90.00 W) contradicts perf (180.00 W): they differ by more than 2.8 %"},' \
	'{"of":"memory of package 0","verdict":"single","watts":20,"ways":{"perf":20},"text":null},' \
	'{"of":"memory of package 1","verdict":"single","watts":18,"ways":{"perf":18},"text":null},' \
	'{"of":"system","verdict":"single","watts":500,"ways":{"perf":500},"text":null}]' >"$tmp/want"
diff "$tmp/want" "$tmp/got" >"$tmp/diff"
result energy-json "$tmp/diff"
# AMD: hwmon's amd_energy has the socket, too; a label of a core, and another driver's, are none
hwmon() # LABEL DRIVER: at the start
{
	file /sys/class/hwmon/hwmon3/name "$2"
	file /sys/class/hwmon/hwmon3/energy5_label "$1"
	file /sys/class/hwmon/hwmon3/energy5_input 5000000
}
amd_end='file /sys/class/hwmon/hwmon3/energy5_input "130000000\n"'
recording v11-zen "$(hwmon Esocket0 amd_energy)" "$amd_end"
says energy-hwmon energy <<'END'
energy: right: 25.00 W for the package
right: package 0: MSR 0xc001029b 25.00 W, amd_energy 25.00 W
END
recording v11-zen "$(hwmon Ecore000 amd_energy)" "$amd_end"
energy hwmon-core 'single: 25.00 W for the package'
recording v11-zen "$(hwmon Esocket1 amd_energy)" "$amd_end"
energy hwmon-other 'single: 25.00 W for the package'
recording v11-zen "$(hwmon Esocket0 other)" "$amd_end"
energy hwmon-driver 'single: 25.00 W for the package'
recording v12-zen-kvm '' ''
energy hwmon-guest 'unknown: the hypervisor answers 0'
# a register beside a column of perf, and beside one of powercap
recording perf-server 'msr 0 611 100
msr 2 611 100' 'msr 0 611 1000100
msr 2 611 e10100'
energy perf-registers 'single: 380.00 W for the packages'
machine "$(counts 611 1234567 13c4567)" "$(zone 0 package-0 1000000 262143328850)" "$(file $zone:0/energy_uj 101000000)"
# live and replayed, from a recording with and without the topic
"$program" --replay "$tmp/rec" --explain energy >"$tmp/want" 2>&1
for live in "--explain energy" "--explain energy --record $tmp/recorded" "-q -n 1 --record $tmp/recorded" "-q --record $tmp/recorded sleep 0"; do
	# shellcheck disable=SC2086 # words
	SIM=$tmp/rec TURBOSTAT=$PWD/build/sim "$program" -i 5 $live >"$tmp/got" 2>&1 </dev/null
	case $live in
	*record*)	"$program" --replay "$tmp/recorded" --explain energy >"$tmp/got" 2>&1 ;;
	esac
	if grep -q '^right: package 0: ' "$tmp/want" && diff "$tmp/want" "$tmp/got" >"$tmp/diff"; then
		echo "ok answers/live-energy"
	else
		failed=1
		echo "FAIL answers/live-energy $live"
		sed 's/^/    /; 12q' "$tmp/diff"
	fi
done

# a counter that is 0 at the start has no column, and is recorded all the same
SIM=tests/golden/energy-zero/machine.rec TURBOSTAT=$PWD/build/sim "$program" -i 5 -q -n 2 --record "$tmp/rec" >"$tmp/got" 2>&1 </dev/null
energy zero-recorded 'single: 20.00 W for the package'
"$program" --replay "$tmp/rec" --explain energy -n 2 >"$tmp/got" 2>&1
[ "$(grep '^energy: ' "$tmp/got" | tail -n 1)" = 'energy: unknown: the counter was not recorded in this interval' ]
result energy-zero-once "$tmp/got"

# --- runs of a command: the first is limited, what the second read before and after it excludes that ---

runs_of() # 0x690 AFTER RUN 1, BEFORE AND AFTER RUN 2
{
	{
		file $cpu/cpu0/cpufreq/scaling_governor powersave
		file $cpu/cpu0/cpufreq/scaling_driver intel_pstate
		file $cpu/cpu1/cpufreq/scaling_governor performance
		file $cpu/cpu0/cpufreq/energy_performance_preference balance_power
		file $cpu/intel_pstate/no_turbo 0
		file /sys/firmware/acpi/platform_profile balanced
	} >"$tmp/settings"
	sed "s/ 1ad 21222324/ 1ad 2c2c2c2c/; /^plan\$/r $tmp/settings" tests/golden/runs/program.rec |
		awk -v one="$1" -v two="$2" -v three="$3" '
			/^sample/ { at = $2 + 1 }
			/^done/ && at == 2 { print "msr 0 690 " one }
			/^done/ && at == 3 { print "msr 0 690 " two }
			/^done/ && at == 4 { print "msr 0 690 " three }
			{ print }' >"$tmp/rec"
}
runs() # CASE LINE [OPTION...]: a line of what is printed
{
	name=$1
	want=$2
	shift 2
	"$program" --replay "$tmp/rec" -q "$@" >"$tmp/got" 2>&1 </dev/null
	"$program" --replay "$tmp/rec" "$@" >>"$tmp/got" 2>&1 </dev/null
	[ "$(grep -Fxc -e "$want" "$tmp/got")" = 1 ]
	result "runs-$name" "$tmp/got"
}
fails() # CASE STATUS WORDS [LINE]
{
	"$program" --replay "$tmp/rec" -q --fail "$3" >"$tmp/got" 2>&1 </dev/null
	status=$?
	if [ $status = "$2" ] && { [ -z "$4" ] || grep -Fq -e "$4" "$tmp/got"; }; then
		echo "ok answers/runs-$1"
	else
		failed=1
		echo "FAIL answers/runs-$1: status $status"
		sed 's/^/    /' "$tmp/got"
	fi
}
runs_of 4000400 0 0
# the failed run has its own exit status, which comes first: it is not there
sed -i '/^sample 6 /,/^run 4 /d; s/^run 5/run 4/; s/^run 6/run 5/; s/^sample 8/sample 6/; s/^sample 9/sample 7/; s/^sample 10/sample 8/; s/^sample 11/sample 9/' "$tmp/rec"
runs limited 'clock: limited in 1 of 5 runs: PkgPwrL1 in 1; low in 4 of 5 runs, no cause was found'
runs settings 'settings: governor powersave/performance (intel_pstate), EPP balance_power, turbo on, platform profile balanced'
fails gate 3 limited 'the clock was limited in 1 of 5 runs'
fails gate-low 3 low
fails word 1 high "--fail: 'high' is not ROW>LIMIT or ROW<LIMIT"
fails second-word 1 low,high "--fail: 'high' is not ROW>LIMIT or ROW<LIMIT"
"$program" --replay "$tmp/rec" -q --json --fail limited,low 2>/dev/null | tail -1 | sed 's/.*\("clock":.*\),"stats".*"gates":/\1 /' >"$tmp/got"
printf '%s %s\n' '"clock":{"runs":5,"judged":5,"limited":1,"low":4,"causes":{"PkgPwrL1":1}},"settings":{"governor":"powersave/performance","driver":"intel_pstate","epp":"balance_power","turbo":"on","platform_profile":"balanced"}' \
	'[{"gate":"limited","row":null,"limit":null,"percent":null,"low":null,"high":null,"failed":true},{"gate":"low","row":null,"limit":null,"percent":null,"low":null,"high":null,"failed":true}]}' >"$tmp/want"
diff "$tmp/want" "$tmp/got" >"$tmp/diff"
result runs-json "$tmp/diff"
cp "$tmp/rec" "$tmp/other"
runs compared 'clock: limited in 1 of 5 runs of A, 1 of 5 of B: PkgPwrL1 in 2; low in 4 of 5 runs of A, 4 of 5 of B, no cause was found' --compare --replay "$tmp/other"
# live, and replayed from what was recorded; only the first run is limited
runs_of 4000400 0 0
for format in '' --json '--fail limited' '--fail low'; do
	# shellcheck disable=SC2086 # words
	SIM=$tmp/rec TURBOSTAT=$PWD/build/sim "$program" --repeat 4 $format --record "$tmp/recorded" true >"$tmp/want" 2>&1 </dev/null
	echo "status $?" >>"$tmp/want"
	# shellcheck disable=SC2086 # words
	"$program" --replay "$tmp/recorded" $format >"$tmp/got" 2>&1 </dev/null
	echo "status $?" >>"$tmp/got"
	case $format in
	--json)		line='"clock":{"runs":4,"judged":4,"limited":1,"low":3,"causes":{"PkgPwrL1":1}}' ;;
	*)		line='clock: limited in 1 of 4 runs: PkgPwrL1 in 1; low in 3 of 4 runs, no cause was found' ;;
	esac
	if grep -Fq -e "$line" "$tmp/want" && diff "$tmp/want" "$tmp/got" >"$tmp/diff"; then
		echo "ok answers/runs-live $format"
	else
		failed=1
		echo "FAIL answers/runs-live $format"
		sed 's/^/    /; 12q' "$tmp/diff"
		grep '^clock' "$tmp/want"
	fi
done
SIM=$tmp/rec TURBOSTAT=$PWD/build/sim "$program" --repeat 3 --record "$tmp/a" true >/dev/null 2>&1 </dev/null
runs_of 0 0 0
SIM=$tmp/rec TURBOSTAT=$PWD/build/sim "$program" --repeat 3 --record "$tmp/b" true >/dev/null 2>&1 </dev/null
line='clock: limited in 1 of 3 runs of A, 0 of 3 of B: PkgPwrL1 in 1; low in 2 of 3 runs of A, 3 of 3 of B, no cause was found'
"$program" --compare --replay "$tmp/a" --replay "$tmp/b" >"$tmp/got" 2>&1 </dev/null
SIM=$tmp/rec TURBOSTAT=$PWD/build/sim "$program" --compare --replay "$tmp/a" --repeat 3 -- true >"$tmp/want" 2>&1 </dev/null
[ "$(cat "$tmp/got" "$tmp/want" | grep -Fxc -e "$line")" = 2 ]
result runs-live-compared "$tmp/got" "$tmp/want"
runs_of 4000400 0 0
sed -i '/^sample 6 /,/^run 4 /d; s/^run 5/run 4/; s/^run 6/run 5/; s/^sample 8/sample 6/; s/^sample 9/sample 7/; s/^sample 10/sample 8/; s/^sample 11/sample 9/' "$tmp/rec"
sed -i 's/ 1ad 2c2c2c2c/ 1ad 21222324/' "$tmp/rec"
runs high 'clock: limited in no run'
fails passes 0 limited,low

# --- sleep: the recording reaches pc7 for a moment, its limit is pc6 ---

busy=0

machine ''
says sleep sleep <<'END'
sleep: shallow: the deepest package state was pc6 (6.00 %)
cores: 32.5 % in C1; busiest: cpu0, 40.0 % busy, 100 interrupts/s: LOC 100
keeps it awake: the firmware limits package C-states (pc6)
END
# unlimited, pc6 and pc7 stand still; the latencies, requirements and devices of a real laptop
awake='s/ e2 0*403/ e2 408/; s/ 3f[9a] [0-9a-f]*/&/; /^sample 1/,${/^msr 0 3f[9a] /d}'
debug=/sys/kernel/debug/pmc_core
ltr() # SOUTHPORT_A's latency
{
	file $debug/ltr_show "0\tSOUTHPORT_A                     \tLTR: RAW: 0x88018c01\tNon-Snoop(ns): 0\tSnoop(ns): $1\tLTR_IGNORE: 0\n5\tGIGABIT_ETHERNET                \tLTR: RAW: 0x0\tNon-Snoop(ns): 32768\tSnoop(ns): 32768\tLTR_IGNORE: 1\n12\tCNV                             \tLTR: RAW: 0x0\tNon-Snoop(ns): 0\tSnoop(ns): 3145728\tLTR_IGNORE: 0\n25\tCURRENT_PLATFORM                \tLTR: RAW: 0x0\tNon-Snoop(ns): 1024\tSnoop(ns): 1024\n26\tAGGREGATED_SYSTEM                \tLTR: RAW: 0x0\tNon-Snoop(ns): 1024\tSnoop(ns): 1024"
}
machine "$awake" "$(ltr 1024; file /sys/module/pcie_aspm/parameters/policy 'default performance powersave [powersupersave] '
	for d in 00:14.0.xhci_hcd.on.active 01:00.0.nvme.auto.active 02:00.0.e1000e.on.suspended; do
		IFS=. read -r a f driver control status <<-END
		$d
		END
		file /sys/bus/pci/devices/0000:$a.$f/uevent "DRIVER=$driver\nPCI_CLASS=C0330"
		file /sys/bus/pci/devices/0000:$a.$f/power/control $control
		file /sys/bus/pci/devices/0000:$a.$f/power/runtime_status $status
	done; file /sys/bus/pci/devices/0000:00:00.0/uevent PCI_CLASS=60000
	file /sys/bus/pci/devices/0000:00:00.0/power/control on; file /sys/bus/pci/devices/0000:00:00.0/power/runtime_status active
	printf '%s\n' 'file /dev/cpu_dma_latency "\x00\x945w"')"
says laptop sleep <<'END'
sleep: shallow: the deepest package state was pc3 (3.00 %); pc6, pc7 were 0
cores: 32.5 % in C1; busiest: cpu0, 40.0 % busy, 100 interrupts/s: LOC 100
keeps it awake: SOUTHPORT_A asks for a latency of 1024 ns (LTR)
may keep it awake: active devices that never suspend (power/control is 'on'): 0000:00:14.0 xhci_hcd
not because of: package C-state limit (unlimited), cpu_dma_latency (not set), ASPM policy (default performance powersave [powersupersave])
END
machine "$awake" "$(ltr 0)"
line no-ltr 'not because of: LTR, package C-state limit (unlimited)'
machine "$awake" "$(file $debug/ltr_show 'SATA                      LTR: RAW: 0x0  Non-Snoop(ns): 2048  Snoop(ns): 65536')"
line old-ltr 'keeps it awake: SATA asks for a latency of 2048 ns (LTR)'
machine "$awake" "$(file $debug/ltr_show '0\tPMC0:SATA                      \tLTR: RAW: 0x0\tNon-Snoop(ns): 0\tSnoop(ns): 65536\tLTR_IGNORE: 0\n1\tPMC0:ME                      \tLTR: RAW: 0x0\tNon-Snoop(ns): 2048\tSnoop(ns): 0\tLTR_IGNORE: 0\n2\tPMC0:CURRENT_PLATFORM \tLTR: RAW: 0x0\tNon-Snoop(ns): 0\tSnoop(ns): 1024')"
line pmc-ltr 'keeps it awake: PMC0:SATA asks for a latency of 65536 ns (LTR)'
line pmc-ltr-next '         PMC0:ME asks for a latency of 2048 ns (LTR)'
# fields are found by their names, whatever stands between them
machine "$awake" "$(file $debug/ltr_show '0\tPMC0:SATA\tLTR: RAW: 0x0\tSnoop(ns): 65536\tNew: 7\tNon-Snoop(ns): 0\n1\tPMC0:ME\tLTR: RAW: 0x0\tLTR_IGNORE: 1\tSnoop(ns): 2048')"
line reordered-ltr 'keeps it awake: PMC0:SATA asks for a latency of 65536 ns (LTR)'
machine "$awake; /^file .proc.self.status/d" "file $debug/ltr_show !EACCES"
line ltr-unread 'could not be read: LTR (needs root)'
# to root, by the effective user, they are refused by something else
status() # UID EUID
{
	file /proc/self/status "Name:\tx\nUid:\t$1\t$2\t$2\t$2\nCapEff:\t000001ffffffffff"
}
security=/sys/kernel/security/lockdown
for t in 0.0.none.'refused to root' 1000.0.'[none] integrity confidentiality.refused to root' \
	0.0.'none [integrity] confidentiality.refused to root (kernel lockdown: integrity)' \
	0.0.'none integrity [confidentiality].refused to root (kernel lockdown: confidentiality)' \
	0.1000.'none [integrity] confidentiality.needs root'; do
	IFS=. read -r uid euid level why <<-END
	$t
	END
	machine "$awake; /^file .proc.self.status/d" "file $debug/ltr_show !EPERM
$(status "$uid" "$euid"; file $security "$level")"
	line "ltr-unread-$uid-$euid-${level##* }" "could not be read: LTR ($why)"
done
# the hypervisor is not why a file is refused
machine "$awake; s/ 7ffafbbf / fffafbbf /; s/^msr .*//; /^file .proc.self.status/d" "$(printf '%s\n' 'msr * * !ENOENT' 'file /dev/cpu_dma_latency !EACCES')"
line guest-unread 'could not be read: cpu_dma_latency (needs root)'
machine "$awake" "$(printf '%s\n' 'file /dev/cpu_dma_latency "\x14\x00\x00\x00"'; file $cpu/cpu0/cpuidle/state2/disable 1; file $cpu/cpu1/cpuidle/state2/disable 1)"
line dma-latency 'keeps it awake: a program asks for a latency, in microseconds (/dev/cpu_dma_latency is 20)'
line disabled "         an idle state is disabled ($cpu/cpu0/cpuidle/state2/disable is 1, name is C6; cpus 0-1)"
# the limits of CPUs, beside a deepest state of 133 us: 0 is none, n/a is 0 us
limits() # LIMIT of cpu0, of cpu1
{
	machine "$awake" "$(file $cpu/cpu0/power/pm_qos_resume_latency_us "$1"; file $cpu/cpu1/power/pm_qos_resume_latency_us "$2"
		file $cpu/cpu0/cpuidle/state1/latency 2; file $cpu/cpu0/cpuidle/state2/latency 133)"
}
for t in n/a.n/a.0.0-1 0.n/a.1.1 0.20.1.1 132.133.0.0 1.0.0.0; do
	IFS=. read -r first second of cpus <<-END
	$t
	END
	limits "$first" "$second"
	case $of in 0) limit=$first ;; *) limit=$second ;; esac
	line "cpu-latency-$first-$second" "keeps it awake: the latency of a CPU is limited, in microseconds; n/a: to 0 ($cpu/cpu$of/power/pm_qos_resume_latency_us is $limit; cpus $cpus)"
done
for t in 0.0 133.0 0.500; do
	limits "${t%.*}" "${t#*.}"
	line "cpu-latency-$t" 'not because of: package C-state limit (unlimited), pm_qos_resume_latency_us'
done
machine "$awake" "$(file /sys/module/pcie_aspm/parameters/policy 'default [performance] powersave')"
line aspm 'keeps it awake: ASPM is off (/sys/module/pcie_aspm/parameters/policy is default [performance] powersave)'

# the limit of one package says nothing of the other, whose register fails; without one there is none
sed '/^msr 2 e2 /d; s/^msr 0 e2 .*/&\nmsr 2 e2 !ENXIO/' tests/golden/sapphirerapids/machine.rec >"$tmp/rec"
line limit-of-one 'could not be read: package C-state limit'
sed '/^msr 2 e2 /d' tests/golden/sapphirerapids/machine.rec >"$tmp/rec"
line limit-alone 'not because of: package C-state limit (pc6r)'
sed '/^msr 2 e2 /d; s/^msr 0 e2 \(.*\)/&\nmsr 2 e2 \1/' tests/golden/sapphirerapids/machine.rec >"$tmp/rec"
line limit-of-both 'not because of: package C-state limit (pc6r)'
machine "${awake#*; }; s/ e2 0*403/ e2 40d/" "$(ltr 0)"
line reserved-limit 'not because of: LTR'
machine "$awake" "$(printf '%s\n' 'file /dev/cpu_dma_latency "\xf4\x01\x00\x00"'; file $cpu/cpu0/cpuidle/state1/latency 2; file $cpu/cpu0/cpuidle/state2/latency 133)"
line dma-latency-long 'not because of: package C-state limit (unlimited), cpu_dma_latency (500)'
machine "$awake" "$(file $cpu/cpu0/cpuidle/state1/disable 1; file $cpu/cpu0/cpuidle/state2/disable 0)"
line disabled-shallow 'not because of: package C-state limit (unlimited), disabled idle states'

# requirements: the status counts only where pc10 was reached; or a value that grew
required() # STATUS of USB2
{
	file $debug/substate_requirements "                       Element |    S0i2.0 |    S0i3.2 |    Status | Live Status |\n           USB2PLL_OFF_STS |  Required |  Required |  $1 |        Yes |\n           SATA_OFF_STS |  Required |           |           |        |"
}
machine "$awake" "$(required '        ')"
line no-pc10 'not because of: S0ix requirements, package C-state limit (unlimited)'
pc10="$awake; s/ 000506e3 / 000406e3 /; s/ e2 408/ e2 408/"
machine "$pc10" "$(required '        '; echo msr 0 630 0; echo msr 0 631 0; echo msr 0 632 1000)" 'msr 0 632 17e0d2880'
line requirement 'keeps it awake: USB2PLL_OFF_STS has not met what the deepest S0ix substate requires (substate_requirements)'
machine "$pc10" "$(required ' Yes    '; echo msr 0 630 0; echo msr 0 631 0; echo msr 0 632 1000)" 'msr 0 632 17e0d2880'
line requirement-met 'not because of: S0ix requirements, package C-state limit (unlimited)'
valued() # VALUE
{
	file $debug/substate_requirements "  Element |    S0i2.0 |   Value |\n  USB3_BLOCKER | Required | $1 |\n  GBE_BLOCKER |  | 0x7 |"
}
machine "$awake" "$(valued 0x10)" "$(valued 0x11)"
line value 'keeps it awake: USB3_BLOCKER has not met what the deepest S0ix substate requires (substate_requirements)'

valued() # VALUES, of several PMCs: only what the deepest substate requires
{
	file $debug/substate_requirements "      Element |    S0i2.0 |   Value |\n  pmc0: USB3_BLOCKER | Required | 0x10 |\n  pmc0:  GBE_BLOCKER |  | $1 |\n  pmc1:  GBE_BLOCKER | Required | $2 |"
}
machine "$awake" "$(valued 7 8)" "$(valued 8 8)"
line value-not-required 'not because of: S0ix requirements, package C-state limit (unlimited)'
machine "$awake" "$(valued 7 8)" "$(valued 7 9)"
line value-of-pmc 'keeps it awake: GBE_BLOCKER has not met what the deepest S0ix substate requires (substate_requirements)'

# deep sleep accuses nobody
machine "$pc10" "$(ltr 1024; echo msr 0 630 0; echo msr 0 631 0; echo msr 0 632 1000)" 'msr 0 632 2e90edd00'
"$program" --replay "$tmp/rec" --explain sleep >"$tmp/got"
grep -q 'pc10 (8' "$tmp/got" && ! grep -q awake "$tmp/got"
result deep "$tmp/got"

# pc10 without the lowest system state: S0ix was not reached
lpi=/sys/devices/system/cpu/cpuidle/low_power_idle_system_residency_us
machine "$pc10" "$(required '        '; file $lpi 0; echo msr 0 630 0; echo msr 0 631 0; echo msr 0 632 1000)" "msr 0 632 2e90edd00"
line no-s0ix 'keeps it awake: USB2PLL_OFF_STS has not met what the deepest S0ix substate requires (substate_requirements)'

# a CPU that is busy for half of the time, or graphics that is awake, keeps the package awake
machine "$awake; s/ e7 175a0bc00/ e7 228711a00/"
line busy 'keeps it awake: cpu0 was 60.0 % busy'
rc6=/sys/class/drm/card0/power/rc6_residency_ms
machine "$awake" "$(file $rc6 1000)" "$(file $rc6 2000)"
line graphics 'keeps it awake: graphics (20.0 % in RC6)'
machine "$awake" "$(file $rc6 1000)" "$(file $rc6 5900)"
line graphics-idle 'not because of: graphics (98.0 % in RC6), package C-state limit (unlimited)'

# how deep a suspend to RAM was is not known without SYS%LPI
machine 's/^\(sample 1 .* 105.000000000\) 105.000000000$/\1 3705.000000000/' "$(printf '%s\n' 'file /dev/cpu_dma_latency "\x14\x00\x00\x00"')"
says suspend-unknown sleep <<'END'
turbostat: energy counters were not read for so long that they may have wrapped unseen
sleep: suspended for 3600 s; how deep is not known
packages: no package states here: their counters stood still in the suspend
limits: the firmware allows pc6 at most (MSR 0xe2); pc10 and S0ix are excluded
END
# a suspend to RAM of an hour, of which 36 minutes were deep
machine 's/^\(sample 1 .* 105.000000000\) 105.000000000$/\1 3705.000000000/' "$(file /sys/power/suspend_stats/total_hw_sleep 0)" \
	"$(file /sys/power/suspend_stats/total_hw_sleep 2163000000; file /sys/power/suspend_stats/last_hw_sleep 2163000000; file /sys/power/pm_wakeup_irq 0)"
sed -i 's/^plan$/&\nfile \/sys\/power\/suspend_stats\/last_hw_sleep "5\\n"\nfile \/sys\/power\/pm_wakeup_irq "0\\n"/' "$tmp/rec"
line suspend 'sleep: slept in part: 2163.0 of 3600 s in the lowest power state; woken by IRQ 0 timer'
sed -i 's/\\n   0: /\\n9009: /; /pm_wakeup_irq/s/"0/"9009/' "$tmp/rec"
line wide-irq 'sleep: slept in part: 2163.0 of 3600 s in the lowest power state; woken by IRQ 9009 timer'
line suspend-to-ram 'packages: no package states here: their counters stood still in the suspend; the lowest system state 60.00 % (SYS%LPI)'
sed 's/^\(file .*last_hw_sleep \).*/\1"5\\n"/' "$tmp/rec" >"$tmp/stale" && mv "$tmp/stale" "$tmp/rec"
line stale-suspend 'sleep: suspended for 3600 s; how deep is not known; woken by IRQ 9009 timer'

# suspended START END: 3600 s of a suspend to RAM in the interval, with lines for both samples
hour='s/^\(sample 1 .* 105.000000000\) 105.000000000$/\1 3705.000000000/'
last=/sys/power/suspend_stats/last_hw_sleep
suspended()
{
	machine "$hour" "$1" "$2"
}
# how much of it was slept: the bounds of each word, a microsecond beside them
for t in '3240000000 slept well: 3240.0' '3239999999 slept in part: 3240.0' '360000000 slept in part: 360.0' \
	'359999999 hardly slept: 360.0' '1 hardly slept: 0.0' '0 did not sleep: 0.0'; do
	suspended "$(file $last 5)" "$(file $last "${t%% *}")"
	line "slept-${t%% *}" "sleep: ${t#* } of 3600 s in the lowest power state"
done
suspended "$(file $last 0)" "$(file $last 0)"
line slept-never 'sleep: did not sleep: 0.0 of 3600 s in the lowest power state'
suspended "$(file $last 5)" "$(file $last x)"
line slept-unreadable 'sleep: suspended for 3600 s; how deep is not known'
# Intel keeps 32 bits of the microseconds: 4294 s are known, 4295 are not, but 0 is
for t in '4394 slept well: 4290.0 of 4294 s in the lowest power state' '4395 suspended for 4295 s; how deep is not known'; do
	machine "s/^\\(sample 1 .* 105.000000000\\) 105.000000000\$/\\1 $((${t%% *} + 5)).000000000/" "$(file $last 5)" "$(file $last 4290000000)"
	line "slept-${t%% *}" "sleep: ${t#* }"
done
machine 's/^\(sample 1 .* 105.000000000\) 105.000000000$/\1 9105.000000000/' "$(file $last 5)" "$(file $last 0)"
line slept-long 'sleep: did not sleep: 0.0 of 9000 s in the lowest power state'

# AMD: what the firmware says of the last suspend
pmc=/sys/kernel/debug/amd_pmc
firmware() # STATUS MICROSECONDS: with three blocks
{
	file $pmc/smu_fw_info "\\n=== SMU Statistics ===\\nTable ID: 2\\nHint Count: 1\\nLast S0i3 Status: $1\\nTime (in us) to S0i3: 87543\\nTime (in us) in S0i3: $2\\nTime (in us) to resume from S0i3: 98765\\n\\n=== Active time (in us) ===\\nDISPLAY  : 360000000\\nGFX      : 3541200000\\nVDD      : 360000001\\nACP      : 0"
}
asleep() # END
{
	machine "$amd; $hour; /^msr [01] e2 /d; s/^msr \([01]\) 3f8 .*//" "" "$1"
}
asleep "$(firmware Success 58800000)"
line amd 'sleep: hardly slept: 58.8 of 3600 s in the lowest power state'
line amd-block 'keeps it awake: GFX was active for 3541.2 of 3600 s (smu_fw_info)'
line amd-next '         VDD was active for 360.0 of 3600 s (smu_fw_info)'
grep -q 'DISPLAY\|ACP' "$tmp/got" && failed=1 && echo "FAIL answers/amd-idle-blocks"
asleep "$(firmware Unknown/Fail 3600000000)"
line amd-failed 'sleep: did not sleep: 0.0 of 3600 s in the lowest power state'
asleep "$(firmware Success 3240000000)"
line amd-well 'sleep: slept well: 3240.0 of 3600 s in the lowest power state'
grep -q GFX "$tmp/got" && failed=1 && echo "FAIL answers/amd-well-accuses-nobody"
asleep "$(firmware Success 3239999999)"
line amd-almost 'keeps it awake: GFX was active for 3541.2 of 3600 s (smu_fw_info)'
asleep "$(firmware Success 58800000; file $last 3600000000)"
line amd-kernel 'sleep: slept well: 3600.0 of 3600 s in the lowest power state'
asleep "$(file $pmc/smu_fw_info x; file $pmc/s0ix_stats 'S0ix Entry Time: 1\\nS0ix Exit Time: 2\\nResidency Time: 1800000000')"
line amd-residency 'sleep: slept in part: 1800.0 of 3600 s in the lowest power state'
line amd-broken "could not be read: $pmc"
asleep "file $pmc/smu_fw_info !EACCES"
line amd-refused "could not be read: $pmc (refused to root)"

# it is read after a suspend only
machine "$amd" "file $pmc/smu_fw_info !EACCES"
"$program" --replay "$tmp/rec" --explain sleep 2>&1 | grep -q amd_pmc && failed=1 && echo "FAIL answers/amd-awake"

# what woke it: wakeup_count before active_count, one that appeared, one that shrank
wakeup=/sys/class/wakeup/wakeup
wakeup() # NUMBER NAME ACTIVE WAKEUPS
{
	file $wakeup$1/name "$2"
	file $wakeup$1/active_count "$3"
	file $wakeup$1/wakeup_count "$4"
}
suspended "$(wakeup 1 LID0 3 1; wakeup 2 rtc_cmos 4 0; wakeup 3 BAT0 9 0; wakeup 4 odd 9 9)" \
	"$(wakeup 1 LID0 4 2; wakeup 2 rtc_cmos 5 0; wakeup 3 BAT0 19 0; wakeup 4 odd 9 8; wakeup 5 usb1 2 3; file /sys/power/pm_wakeup_irq 0)"
line woken 'woken by: IRQ 0 timer; wakeup sources usb1 3, LID0 1'
suspended "$(wakeup 1 LID0 3 0; wakeup 2 rtc_cmos 4 0)" "$(wakeup 1 LID0 4 0; wakeup 2 rtc_cmos 8 0)"
line woken-active 'woken by: wakeup sources rtc_cmos 4, LID0 1'
suspended "$(for n in 1 2 3 4 5 6; do wakeup $n s$n 0 0; done)" "$(for n in 1 2 3 4 5 6; do wakeup $n s$n 0 $n; done)"
line woken-five 'woken by: wakeup sources s6 6, s5 5, s4 4, s3 3, s2 2'
suspended "$(wakeup 1 LID0 3 0)" ''
"$program" --replay "$tmp/rec" --explain sleep 2>&1 | grep -q '^woken by' && failed=1 && echo "FAIL answers/woken-once"

# what the batteries lost
supply=/sys/class/power_supply
battery() # NAME STATUS ENERGY
{
	file $supply/$1/type Battery
	file $supply/$1/status "$2"
	file $supply/$1/energy_now "$3"
	file $supply/$1/energy_full 50000000
}
hours='s/^\(sample 1 .* 105.000000000\) 105.000000000$/\1 28900.000000000/'
machine "$hours" "$(battery BAT0 Discharging 40000000)" "$(battery BAT0 Discharging 39588000)"
line battery 'battery: 412 mWh of 50.0 Wh in 8.00 h: 0.10 % per hour, 52 mW'
machine "$hours" "$(battery BAT0 Discharging 40000000; battery BAT1 Discharging 10000000)" "$(battery BAT0 Discharging 39588000; battery BAT1 Discharging 9000000)"
line batteries 'battery: 1412 mWh of 100.0 Wh in 8.00 h: 0.18 % per hour, 176 mW'
machine 's/^\(sample 1 .* 105.000000000\) 105.000000000$/\1 160.000000000/' "$(battery BAT0 Discharging 40000000)" "$(battery BAT0 Discharging 39999000)"
line battery-short 'battery: 1 mWh of 50.0 Wh in 0.02 h: 0.12 % per hour, 60 mW; too short to be exact'
charge() # CHARGE
{
	file $supply/BAT0/type Battery
	file $supply/BAT0/status Discharging
	file $supply/BAT0/charge_now "$1"
	file $supply/BAT0/charge_full 4000000
	file $supply/BAT0/voltage_now 12500000
}
machine "$hours" "$(charge 3000000)" "$(charge 2967040)"
line battery-charge 'battery: 412 mWh of 50.0 Wh in 8.00 h: 0.10 % per hour, 52 mW'
for t in 'Charging 39588000 Discharging 39588000' 'Discharging 40000001 Discharging 40000001' 'Full 40000000 Full 40000000' \
	'Discharging 39588000 Charging 39588000' 'Discharging x Discharging x'; do
	read -r was _ now end <<-END
	$t
	END
	machine "$hours" "$(battery BAT0 $was 40000000)" "$(battery BAT0 $now $end)"
	"$program" --replay "$tmp/rec" --explain sleep >"$tmp/got" 2>&1
	if grep -q '^sleep: suspended' "$tmp/got" && ! grep -q '^battery' "$tmp/got"; then
		echo "ok answers/battery-no-line"
	else
		failed=1
		echo "FAIL answers/battery-no-line $t"
		sed 's/^/    /' "$tmp/got"
	fi
done

# interrupts: a CPU goes, and its column with it; counts pass 2^32; a number within another one, a
# new line, a line that goes, and a count that was reset
cp tests/answers/interrupts-offline.rec "$tmp/rec"
line interrupts-offline 'cores: busiest: cpu3, 60.0 % busy, 600 interrupts/s: nvme0q1 400, LOC 200'
cp tests/answers/interrupts-wrap.rec "$tmp/rec"
line interrupts-wrap 'cores: busiest: cpu0, 10.0 % busy, 250 interrupts/s: LOC 250'
interrupts() # LINES at the start, at the end
{
	sed "/^sample 1/,\$ s/^file .proc.interrupts .*/$(file interrupts "$2" | sed 's,[\\/&],\\&,g')/
		s/^file .proc.interrupts .*/$(file interrupts "$1" | sed 's,[\\/&],\\&,g')/
		s,^file interrupts \",file /proc/interrupts \"           CPU0       CPU1\\\\n," \
		tests/answers/interrupts-wrap.rec >"$tmp/rec"
}
interrupts '  1:  100  50  PCI 1-edge  a\n 11:  900  70  PCI 11-edge  b\n 12:  5  5  PCI 12-edge  c\nLOC: 1000 5 Local timer interrupts' \
	' 11:  910  70  PCI 11-edge  b\n 12:  0  0  PCI 12-edge  c\n200:  40  0  PCI 200-edge  new\n  1:  2100  50  PCI 1-edge  a\nLOC: 3000 5 Local timer interrupts'
line interrupts-lines 'cores: busiest: cpu0, 10.0 % busy, 809 interrupts/s: a 400, LOC 400, new 8'

# package 1 goes offline in the interval: only package 0 is left to judge
printf '%s\n' 'machine packages=2 threads=2' 'has power cstate tsc registers' 'always msr * * ok' \
	'always msr 0 ce 80070001e00' 'always msr 0 e2 400' 'always msr 1 e2 400' '1 offline 1,3' >"$tmp/story"
awk -f tests/changes/machine.awk "$tmp/story" >"$tmp/rec"
SIM=$tmp/rec TURBOSTAT=$PWD/build/sim "$program" -i 5 --explain sleep >"$tmp/got" 2>"$tmp/notes" </dev/null
[ "$(grep -c ' limits package C-states (pc0)$' "$tmp/got")" = 1 ]
result package-goes "$tmp/got" "$tmp/notes"

# a recording without a question holds who was refused, and why
machine "$awake; /^file .proc.self.status/d" "file $debug/ltr_show !EPERM
$(status 0 0; file $security 'none [integrity] confidentiality')"
SIM=$tmp/rec TURBOSTAT=$PWD/build/sim "$program" -i 5 -q -n 1 --record "$tmp/recorded" >"$tmp/got" 2>&1 </dev/null
cp "$tmp/recorded" "$tmp/rec"
line ltr-recorded 'could not be read: LTR (refused to root (kernel lockdown: integrity))'

# what BatWatt has read of a battery is not read once more, where it would replace that in a replay
machine "$awake" "$(for v in 'type Battery' 'status Discharging' 'voltage_now 12000000' 'current_now 1500000' 'energy_now 50000000'; do
	file "/sys/class/power_supply/BAT0/${v% *}" "${v#* }"; done)"
SIM=$tmp/rec TURBOSTAT=$PWD/build/sim "$program" -i 5 -q -n 1 --show BatWatt --record "$tmp/recorded" >"$tmp/got" 2>&1 </dev/null
awk '/^sample/ { part = $2 + 1 } part && $1 == "file" && $2 ~ /BAT0/ && $3 !~ /^!/ { n[part " " $2]++ }
	END { for (k in n) print n[k] }' "$tmp/recorded" | sort -u >"$tmp/got"
[ "$(cat "$tmp/got")" = 1 ]
result battery-once

# live, of a command, and replayed from what was recorded
machine '' 'msr 0 64f 04000400'
for topic in clock sleep; do
	"$program" --replay "$tmp/rec" --explain $topic >"$tmp/want" 2>&1
	for live in "-i 5 --explain $topic" "-i 5 --explain $topic --record $tmp/recorded" "-i 5 -q -n 1 --record $tmp/recorded"; do
		# shellcheck disable=SC2086 # words
		SIM=$tmp/rec TURBOSTAT=$PWD/build/sim "$program" $live >"$tmp/got" 2>&1 </dev/null
		case $live in
		*-n*)	"$program" --replay "$tmp/recorded" --explain $topic >"$tmp/got" 2>&1 ;;
		esac
		diff "$tmp/want" "$tmp/got" >"$tmp/diff"
		result "live-$topic" "$tmp/diff"
	done
done

# two intervals live, recorded with the topic, and replayed: PL1 is asserted at the end of the second.
# Recorded without it: only the first interval has a second reading.
awk '$1 == "sample" { n = $2 } $0 == "done" { print "msr 0 64f " (n == 2 ? "04000400" : "0"); print "msr 0 1ad 2f2f2f2f" } { print }' \
	tests/golden/v01-kabylake/machine.rec >"$tmp/rec"
for format in '' --json --prometheus; do
	words="-q --explain clock -n 2 $format"
	# shellcheck disable=SC2086 # words
	SIM=$tmp/rec TURBOSTAT=$PWD/build/sim "$program" $words -i 5 --record "$tmp/recorded" >"$tmp/want" 2>/dev/null </dev/null
	# shellcheck disable=SC2086 # words
	"$program" $words --replay "$tmp/recorded" >"$tmp/got" 2>/dev/null
	sed -i '/^turbostat_info\|_time_seconds /d' "$tmp/want" "$tmp/got"
	if [ "$(grep -c 'PL1' "$tmp/want")" -gt 0 ] && cmp -s "$tmp/want" "$tmp/got"; then
		echo "ok answers/live-intervals$format"
	else
		failed=1
		echo "FAIL answers/live-intervals$format"
		diff "$tmp/want" "$tmp/got" | sed 's/^/    /; 12q'
	fi
done
SIM=$tmp/rec TURBOSTAT=$PWD/build/sim "$program" -q -n 2 -i 5 --record "$tmp/recorded" >/dev/null 2>&1 </dev/null
"$program" --replay "$tmp/recorded" --explain clock -n 2 >"$tmp/got" 2>&1
[ "$(grep -c '^clock: ' "$tmp/got")" = 2 ] && [ "$(grep -c 'limit reasons' "$tmp/got")" = 2 ] &&
	sed '/^$/,$d' "$tmp/got" | grep -q '^not.* limit reasons' && sed '1,/^$/d' "$tmp/got" | grep -q '^read only once: .*limit reasons'
result recorded-intervals "$tmp/got"

# of a command, here: an answer and its status, whatever this machine is
for topic in clock sleep; do
	"$program" --explain $topic sh -c 'exit 7' >"$tmp/got" 2>&1 </dev/null
	[ $? = 7 ] && grep -q "^$topic: " "$tmp/got"
	result "command-$topic" "$tmp/got"
done

# --- an independent bound: what is called high reaches the turbo of the fewest cores, or of one ---

# bound RECORDING: 1 if a clock that is called high can be higher, by registers of the first interval:
# Busy% is MPERF / TSC, the clock APERF / MPERF at the base ratio; cores are pairs of CPUs as sysfs says
bound()
{
	"$program" --replay "$1" --explain clock 2>/dev/null </dev/null | sed -n 's/^clock: .* MHz, \(about \)\{0,1\}as high as it gets.*/\1high/p' >"$tmp/claim"
	awk -v claim="$(cat "$tmp/claim")" '
	function hex(s,  i, v) { for (i = 1; i <= length(s); i++) v = v * 16 + index("0123456789abcdef", substr(s, i, 1)) - 1; return v }
	$1 == "sample" { n = $2 + 0; part = n }
	n == "" && $1 == "msr" && $3 == "1ad" && !table { table = $4; while (length(table) < 16) table = "0" table }
	n == "" && $1 == "msr" && $3 == "ce" { base = $4; while (length(base) < 16) base = "0" base; base = hex(substr(base, 13, 2)) }
	n <= 1 && $1 == "msr" && $3 == "e7" { m[$2, n + 0] = hex($4); cpu[$2] }
	n <= 1 && $1 == "msr" && $3 == "e8" { a[$2, n + 0] = hex($4) }
	n <= 1 && $1 == "tsc" { t[$2, n + 0] = $3 }
	END {
		for (c in cpu) {
			share = (m[c, 1] - m[c, 0]) / (t[c, 1] - t[c, 0])
			if (share < 0.05) continue
			total += share
			sum += share * base * 100 * (a[c, 1] - a[c, 0]) / (m[c, 1] - m[c, 0])
		}
		fewest = int(total) + (total > int(total))
		highest = hex(substr(table, 17 - 2 * fewest, 2)) * 100
		one = hex(substr(table, 15, 2)) * 100
		mhz = total ? sum / total : 0
		least = claim == "high" ? 100 : 0.05 * highest
		of_one = claim == "high" ? 100 : 0.05 * one
		if (claim != "" && mhz < highest - least - 0.5 && mhz < one - of_one - 0.5) { print claim, mhz, highest, one; exit 1 }
	}' "$1"
}
slope='s/ 1ad 2c2c2c2c/ 1ad 23262a2c/'
claims=0
wrong=0
for busy in 15 48 52 96; do
	for mhz in 3299 3300 3609 3610 3700 3989 3990 4099 4100 4179 4180 4299 4300 4400; do
		machine "$slope"
		bound "$tmp/rec" >"$tmp/got" || { wrong=$((wrong + 1)); sed 's/^/    /' "$tmp/got"; }
		[ ! -s "$tmp/claim" ] || claims=$((claims + 1))
	done
done
if [ $wrong = 0 ] && [ $claims -gt 15 ]; then
	echo "ok answers/bound"
else
	failed=1
	echo "FAIL answers/bound: $wrong of $claims"
fi

exit $failed
