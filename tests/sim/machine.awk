# machine.awk - the recording of a machine whose counters all move at a constant rate, so that
# every interval prints the same: what differs, the test has made.
#
#   awk [-v samples=N] [-v off=CPU:FIRST-LAST [-v period=N]] [-v dies=1] [-v mask=LIST]
#       [-v late=N] [-v idle=CPU:N] -f machine.awk
#
# 2 packages of 2 cores of 2 threads, AMD, without MSRs: CPU c is a thread of core c % 4, of
# package c % 4 / 2.  By perf: TSC 2000 MHz; CPU c is busy for 10 (c + 1) % at 3000 MHz;
# package p takes 20 (p + 1) W, core k k + 1 W.  An interval is 5 s.
#   off	the CPU is offline in these samples; with a period again in each one
#   dies	each core is a die of its own
#   late	this sample comes 12 s after its time, and the next one 3 s after it, on the beat
#   idle	the CPUs have an idle state, CPU c for 8 (c + 1) % of the time; this one from sample N on
#   mask	the cpumask of the PMU "power", else "0,2"; each of its CPUs counts its package

function file(path, text) { printf "file %s \"%s\\n\"\n", path, text }
function at() { return period ? now % period : now }
function is_on(cpu) { return cpu != gone || at() < gone_from || at() > gone_to }

# The CPUs of a core (size 1) or of a package (size 2), as a list.
function list(unit, size,	c, s)
{
	for (c = 0; c < 8; c++)
		if (is_on(c) && int(c % 4 / size) == unit)
			s = s (s == "" ? "" : ",") c
	return s
}

# What the kernel says of the CPUs that are online now.
function topology(	c, s, t)
{
	for (c = 0; c < 8; c++)
		s = s (is_on(c) ? (s == "" ? "" : ",") c : "")
	file("/sys/devices/system/cpu/online", s)
	for (c = 0; c < 8; c++) {
		t = "/sys/devices/system/cpu/cpu" c "/topology/"
		if (!is_on(c)) {
			printf "file %sphysical_package_id !ENOENT\nfile %score_id !ENOENT\n", t, t
			printf "file %sdie_id !ENOENT\nfile %score_cpus_list !ENOENT\nfile %spackage_cpus_list !ENOENT\n", t, t, t
			continue
		}
		file(t "physical_package_id", int(c % 4 / 2))
		file(t "die_id", dies ? c % 2 : 0)
		file(t "core_id", c % 2)
		file(t "core_cpus_list", list(c % 4, 1))
		file(t "package_cpus_list", list(int(c % 4 / 2), 2))
	}
}

# The idle state of a CPU at sample n.
function idle_state(c, n,	p)
{
	if (idle == "" || (c == idle + 0 && now < idle_from))
		return
	p = "/sys/devices/system/cpu/cpu" c "/cpuidle/state0/"
	file(p "name", "C1")
	file(p "time", n * 4e5 * (c + 1))
}

# The counters at sample n, of all CPUs: what is offline answers no one.
function counters(n,	c, s, header)
{
	for (c = 0; c < 8; c++) {
		if (gone == c && !is_on(c)) {
			printf "cpu %d !EINVAL\n", c
			continue
		}
		if (gone == c)
			printf "cpu %d ok\n", c
		printf "tsc %d %.0f\n", c, 5e11 + n * 1e10
		printf "perf %d msr 0 %.0f\n", c, 5e11 + n * 1e10
		printf "perf %d msr 2 %.0f\n", c, 1e6 + n * 1e10 * (c + 1) / 10
		printf "perf %d msr 1 %.0f\n", c, 2e6 + n * 1.5e10 * (c + 1) / 10
		printf "perf %d power 2 %.0f\n", c, 3e6 + n * 4294967296 * 100 * (1 + int(c % 4 / 2))
		printf "perf %d power_core 1 %.0f\n", c, 4e6 + n * 4294967296 * 5 * (1 + c % 4)
		idle_state(c, n)
		header = header " CPU" c
		s = s " " 1000 + n * 10 * (c + 1)
	}
	printf "file /proc/interrupts \"%s\\n LOC: %s Local timer interrupts\\n\"\n", header, s
}

BEGIN {
	samples += samples ? 0 : 3
	gone = -1
	if (split(off, part, /[:-]/) == 3) {
		gone = part[1]
		gone_from = part[2]
		gone_to = part[3]
	}
	split(idle, part, ":")
	idle_from = part[2]
	now = -1
	print "turbostat-recording 1"
	print "cpuid * 0 0 00000010 68747541 444d4163 69746e65"
	print "cpuid * 1 0 00a10f11 00080800 7ed8320b 178bfbff"
	print "cpuid * 6 0 00000004 00000000 00000001 00000000"
	topology()
	for (c = 0; c < 8; c++)
		idle_state(c, 0)
	p = "/sys/bus/event_source/devices/"
	file(p "msr/type", 9); file(p "msr/format/event", "config:0-63")
	file(p "msr/events/tsc", "event=0x00"); file(p "msr/events/aperf", "event=0x01"); file(p "msr/events/mperf", "event=0x02")
	file(p "power/type", 10); file(p "power/format/event", "config:0-7"); file(p "power/cpumask", mask == "" ? "0,2" : mask)
	file(p "power/events/energy-pkg", "event=0x02"); file(p "power/events/energy-pkg.unit", "Joules")
	file(p "power/events/energy-pkg.scale", "2.3283064365386962890625e-10")
	file(p "power_core/type", 11); file(p "power_core/format/event", "config:0-7"); file(p "power_core/cpumask", "0-3")
	file(p "power_core/events/energy-core", "event=0x01"); file(p "power_core/events/energy-core.unit", "Joules")
	file(p "power_core/events/energy-core.scale", "2.3283064365386962890625e-10")
	for (now = 0; now < samples; now++) {
		seconds = 5 * now + (late && now > late ? 10 : late && now == late ? 12 : 0)
		printf "sample %d %d.000000000 %d.000000000\n", now, 1700000000 + seconds, 100 + seconds
		if (gone >= 0 && (at() == gone_from || at() == gone_to + 1))
			topology()
		counters(seconds / 5)
	}
	print "end"
}
