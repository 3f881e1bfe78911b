#!/bin/sh
# hostile.sh - recordings made to cost time: one of each kind of attack, replayed beside a
# harmless one with as many CPUs, samples and changes of CPUs, padded to the same size: as a
# table, by --explain clock and --explain sleep, with --stats and as a page.
#
#   tests/hostile.sh [KIND...]	these, or all
#
# The attack may take three times as long as the harmless one, and a fifth of a second more;
# what goes with the square of the recording's size takes ten times as long and more. To be
# run from the project's top directory, by "make faults". TURBOSTAT names the program.

LC_ALL=C
export LC_ALL

. tests/limit.sh
tmp=build/hostile.$$
failed=0
mkdir -p "$tmp" || exit 1
trap 'rm -rf "$tmp"' EXIT
trap 'exit 1' HUP INT TERM

cpus=1000	# each of a package of its own
samples=40	# the CPUs change at each
things=4000	# zones, sensors, files

# recording KIND: a recording with that attack; "none" has none
recording()
{
	awk -v kind="$1" -v cpus=$cpus -v samples=$samples -v things=$things '
	function file(path, text) { printf "file %s \"%s\\n\"\n", path, text }
	function zone(i, name) { file("/sys/class/powercap/intel-rapl:" i "/name", name) }
	function sensor(device, i, kind, label)
	{
		file("/sys/class/hwmon/hwmon" device "/name", kind)
		file("/sys/class/hwmon/hwmon" device "/temp" i "_label", label)
		file("/sys/class/hwmon/hwmon" device "/temp" i "_input", 40000)
	}
	BEGIN {
		amd = kind ~ /^k10temp/
		print "turbostat-recording 1"
		print "cpuid * 0 0 00000010", amd ? "68747541 444d4163 69746e65" : "756e6547 6c65746e 49656e69"
		print "cpuid * 1 0", amd ? "00a20f12" : "00050654", "00400800 7ffefbff bfebfbff"
		print "cpuid * 6 0 00000077 00000002 00000009 00000000"
		sys = "/sys/devices/system/cpu/"
		file(sys "online", "0-" cpus - 1)
		for (c = 0; c < cpus; c++) {
			file(sys "cpu" c "/topology/physical_package_id", c)
			file(sys "cpu" c "/topology/core_id", 0)
		}
		for (i = 0; i < things; i++) {
			if (kind == "zones") zone(i, "package-" cpus - 1 - i % cpus)
			else if (kind == "zones-of-one") zone(i, i ? "core" : "package-0")
			else if (kind == "zones-of-none") zone(i, "package-99999")
			else if (kind == "coretemp") sensor(i, 1, "coretemp", "Package id " i)
			else if (kind == "coretemp-unlabelled") sensor(i, 1, "coretemp", "Core 9")
			else if (kind == "coretemp-of-one") sensor(0, i, "coretemp", "Core " i)
			else if (kind == "k10temp") sensor(i, 1, "k10temp", "Tctl")
			else if (kind == "k10temp-of-one") sensor(0, i, "k10temp", i % 2 ? "Tctl" : "Tccd1")
			else if (kind == "telemetry") {
				file("/sys/class/intel_pmt/telem" i "/guid", "0x1")
				file("/sys/class/intel_pmt/telem" i "/size", 64)
			} else if (kind == "pmus") file("/sys/bus/event_source/devices/uncore_" i "/type", i)
			else if (kind == "clusters") file(sys "intel_uncore_frequency/uncore" sprintf("%02d", i) "/package_id", i)
			else if (kind == "cards") file("/sys/class/drm/card" i "/gt_cur_freq_mhz", 1)
			else if (kind == "idle-states") file(sys "cpu0/cpuidle/state" i "/name", "C" i)
			else if (kind == "zones-below") file("/sys/class/powercap/intel-rapl:0/intel-rapl:0:" i "/name", "x" i)
			else if (kind == "nodes") file(sys "cpu0/n" i, "")
			else if (kind == "msrs") printf "msr %d %x 1\n", i % cpus, i
			else if (kind == "alike") {	# CPUs and leaves that differ by as much
				for (c = 0; c < 10; c++)
					printf "cpuid %d %x 0 0 0 0 0\n", i, c * 2 ^ 24 + i * 256 + 2 ^ 21
			} else if (kind == "events") file("/sys/bus/event_source/devices/cpu/events/e" i, "e" i + 1 ",e" i + 2)
		}
		for (i = 0; i < things && kind == "disabled-states"; i++) {
			file(sys "cpu1/cpuidle/state" i "/name", "C" i)
			file(sys "cpu1/cpuidle/state" i "/disable", i != 5)
		}
		for (n = 0; n < samples; n++) {
			printf "sample %d %d.000000000 %d.000000000\n", n, 1700000000 + 5 * n, 100 + 5 * n
			file(sys "online", n % 2 ? "0-" cpus - 1 : "1-" cpus - 1)
			# one CPU is busy, and its interrupts are looked at
			if (n < 2) file("/proc/stat", "cpu1 " 500 * n + 10 " 0 0 " 500 + n " 0 0 0 0")
			if (!n && kind != "interrupt-lines") file("/proc/interrupts", "           CPU0       CPU1\\n  0:          0          5  a")
			for (i = 0; i < things / samples; i++)
				if (kind == "late-paths" && n == samples - 1)
					for (k = 0; k < 1200; k++) file("/a/" 999 - i "/" k, "")
				else if (kind == "new-paths") file(sys "cpu0/y" n "-" i, "")
				else if (kind == "gone-paths") print "file " sys "cpu" i "/node0/cpulist !" (n % 2 ? "EIO" : "ENOENT")
				else if (kind == "interrupt-lines" && n < 2) {
					if (!i) printf "file /proc/interrupts \"           CPU0       CPU1\\n"
					for (k = 0; k < 200; k++)
						printf "%d: %10u %10u  x\\n", (i * 200 + k) * 2 + n, k, n * k
					if (i == things / samples - 1) print "\""
				} else if (kind == "ticks" && n) print "tick\nmsr 0 611 " i
				else if (kind == "clocks") printf "clock %d 1.000000000 2.000000000\n", i
				else if (kind == "cpu-errors") printf "cpu %d !EIO\ncpu %d ok\n", i, i
		}
		print "end"
	}' | tests/convert.sh
}

# cpu_time RECORDING [OPTION...]: milliseconds that its replay takes
cpu_time()
{
	(
		"$program" -q --replay "$@" >"$tmp/out" 2>"$tmp/err" </dev/null
		echo $? >"$tmp/status"
		times
	) | awk 'NR == 2 { for (i = 1; i <= 2; i++) { split($i, t, /[ms]/); ms += t[1] * 60000 + t[2] * 1000 } printf "%d", ms }'
}

with_changes=
case " $* " in *" changes "* | "  ") with_changes=yes ;; esac
[ $# -gt 0 ] || set -- zones zones-of-one zones-of-none zones-below coretemp coretemp-unlabelled coretemp-of-one k10temp \
	k10temp-of-one telemetry pmus clusters cards idle-states nodes msrs alike events new-paths late-paths gone-paths ticks clocks cpu-errors \
	interrupt-lines disabled-states
recording none >"$tmp/none"
for kind; do
	[ "$kind" != changes ] || continue
	recording "$kind" >"$tmp/attack"
	# padded before its end
	{
		sed '$d' "$tmp/none"
		head -c $(($(wc -c <"$tmp/attack") - $(wc -c <"$tmp/none"))) /dev/zero | tr '\0' x | fold -w 60 | sed 's/^/# /'
		echo
		echo end
	} >"$tmp/harmless"
	for option in '' '--explain clock' '--explain sleep' --stats --html; do
		name=$kind$(echo "$option" | tr -d -c a-z | sed 's/^./-&/')
		# shellcheck disable=SC2086	# words
		harmless=$(cpu_time "$tmp/harmless" $option)
		# shellcheck disable=SC2086	# words
		attack=$(cpu_time "$tmp/attack" $option)
		if [ "$(cat "$tmp/status")" -eq 0 ] && [ "$attack" -le $((3 * harmless + 200)) ]; then
			echo "ok hostile/$name"
		else
			echo "FAIL hostile/$name"
			echo "    status $(cat "$tmp/status"), $attack ms of CPU time; a harmless one of $(wc -c <"$tmp/harmless") bytes $harmless ms"
			sed 's/^/    /; 1q' "$tmp/err"
			failed=1
		fi
		[ -z "$VERBOSE" ] || echo "    $harmless ms, $attack ms, $(wc -c <"$tmp/attack") bytes"
	done
done

# 8192 CPUs of which one comes or goes at each sample: that there are four times as many samples
# takes no longer, since such a recording is refused.
changes()
{
	awk -v samples="$1" 'BEGIN {
		print "turbostat-recording 1\ncpuid * 0 0 00000010 756e6547 6c65746e 49656e69"
		print "cpuid * 1 0 00050654 00400800 7ffefbff bfebfbff"
		print "file /sys/devices/system/cpu/online \"0-8191\\n\""
		for (n = 0; n < samples; n++) {
			printf "sample %d %d.000000000 %d.000000000\n", n, 1700000000 + n, 100 + n
			printf "file /sys/devices/system/cpu/online \"%d-8191\\n\"\n", 1 - n % 2
		}
		print "end"
	}' | tests/convert.sh
}

[ -z "$with_changes" ] || {
	changes 500 >"$tmp/few"
	changes 2000 >"$tmp/many"
	few=$(cpu_time "$tmp/few")
	many=$(cpu_time "$tmp/many")
	if [ "$(cat "$tmp/status")" -eq 1 ] && [ "$many" -le $((2 * few + 500)) ] &&
		grep -q '/many:[0-9]*: CPUs come and go too often for [0-9]* bytes of a recording$' "$tmp/err"; then
		echo "ok hostile/changes"
	else
		echo "FAIL hostile/changes"
		echo "    status $(cat "$tmp/status"), $few ms of CPU time, with four times as many samples $many ms"
		sed 's/^/    /' "$tmp/err" | tail -1
		failed=1
	fi
	[ -z "$VERBOSE" ] || echo "    $few ms, $many ms, $(wc -c <"$tmp/many") bytes"
}
exit $failed
