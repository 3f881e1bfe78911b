# machine.awk - the machine of a story: a recording for tests/sim, in which every counter moves at
# a known rate and what happens is what the story says.
#
#   awk -f machine.awk STORY
#
# A story has these lines, and remarks that begin with #:
#   machine NAME=N ...	packages dies cores threads (of each in the one before it; 1), samples (6),
#			interval (5 s), ticks (in an interval, 0); CPUs are numbered as Linux does, core
#			by core, then their second threads
#   late S		CPU c is read c S seconds later than CPU 0, as its own counters tell
#   lag S		each reading of a group of events is up to S seconds late, as its times tell
#   has PART ...	of: power cstate tsc coretemp powercap idle instructions registers stat, and
#			halved (instructions are counted half of the time), starved (in the third
#			interval they are not)
#   box LIST ...	cpumasks of the PMUs box, box1 ...
#   N LINE		from sample N on this line of a recording holds, until the machine says
#			otherwise; "always" for N: from the start; "N+": the machine never does
#   N offline LIST	these CPUs have gone before sample N; their PMUs' events go on elsewhere
#   N online LIST	they are back
#   N blink LIST	they have been away between the samples N - 1 and N
#   N mask PMU A B	the cpumask names CPU B for A, and the events of A go on there
#   N forget PMU	from then on events of the PMU stay on a CPU that goes, and are lost
#   N without PART	from then on the machine says nothing of it; N with PART: it does again
#   N swap zones	powercap numbers its zones in the other order
#   show, run, only, known	see tests/changes.sh
#
# CPU c is busy for 10 (c + 1) % at 3000 MHz of TSC's 2000, has 100 (c + 1) interrupts a second and
# 2 instructions a cycle; core k is in C6 for 5 (k + 1) %, package p in PC6 for 10 (p + 1) %; die d
# (of all) takes 10 (d + 1) W, its memory a tenth.  Core k has 45 + k degrees, package p 70 + p.
# Box b counts 1000 (b + 1) (c + 1) a second by its CPU c.

function file(path, text) { printf "file %s \"%s\\n\"\n", path, text }
function core_of(c) { return c % (packages * dies * cores) }
function die_of(c) { return int(core_of(c) / cores) }
function package_of(c) { return int(die_of(c) / dies) }
function unit_of(c, scope) { return scope == "die" ? die_of(c) : scope == "package" ? package_of(c) : core_of(c) }

# The CPUs that are online, all or those of a unit, as a list.
function list(scope, unit,	c, s)
{
	for (c = 0; c < cpus; c++)
		if (!(c in off) && (scope == "" || unit_of(c, scope) == unit))
			s = s (s == "" ? "" : ",") c
	return s
}

# The members of a list such as 0-3,7, in member[1] ...; how many.
function members(text, member,	n, i, k, part, range)
{
	k = split(text, part, ",")
	n = 0
	for (i = 1; i <= k; i++) {
		if (split(part[i], range, "-") == 1)
			range[2] = range[1]
		for (range[1] += 0; range[1] <= range[2]; range[1]++)
			member[++n] = range[1] + 0
	}
	return n
}

# The PMUs whose events follow their cpumask: one CPU of each unit of a scope.
function mask_of(pmu,	u, c, s, on)
{
	for (u = 0; u < units[pmu]; u++)
		if ((pmu, u) in reader)
			on[reader[pmu, u]]
	for (c = 0; c < cpus; c++)
		if (c in on)
			s = s (s == "" ? "" : ",") c
	return s
}

function print_mask(pmu) { file("/sys/bus/event_source/devices/" pmu "/cpumask", mask_of(pmu)) }

# A CPU goes: what it reads for others is read by the next one of the unit, if there is one.
function hand_over(c, pmu, scope,	u, i)
{
	u = unit_of(c, scope)
	if (!((pmu, u) in reader) || reader[pmu, u] != c)
		return
	delete reader[pmu, u]
	for (i = 0; i < cpus; i++)
		if (!(i in off) && i != c && unit_of(i, scope) == u) {
			reader[pmu, u] = i
			break
		}
	if (i < cpus && !(pmu in forgets))
		print "x-migrate", c, i, pmu
	print_mask(pmu)
}

function take_over(c, pmu, scope,	u)
{
	u = unit_of(c, scope)
	if ((pmu, u) in reader)
		return
	reader[pmu, u] = c
	if (now >= 0)
		print_mask(pmu)
}

function go(c)
{
	off[c]
	hand_over(c, "power", "die")
	hand_over(c, "cstate_pkg", "package")
}

function come(c)
{
	delete off[c]
	take_over(c, "power", "die")
	take_over(c, "cstate_pkg", "package")
}

function topology(	c, t)
{
	file("/sys/devices/system/cpu/online", list(""))
	for (c = 0; c < cpus; c++) {
		t = "/sys/devices/system/cpu/cpu" c "/topology/"
		if (c in off) {
			printf "file %sphysical_package_id !ENOENT\nfile %sdie_id !ENOENT\nfile %score_id !ENOENT\n", t, t, t
			printf "file %score_cpus_list !ENOENT\nfile %sdie_cpus_list !ENOENT\nfile %spackage_cpus_list !ENOENT\n", t, t, t
			continue
		}
		file(t "physical_package_id", package_of(c))
		file(t "die_id", die_of(c) % dies)
		file(t "core_id", core_of(c) % (dies * cores))
		file(t "core_cpus_list", list("core", core_of(c)))
		file(t "die_cpus_list", list("die", die_of(c)))
		file(t "package_cpus_list", list("package", package_of(c)))
	}
}

# A count of so many a second, since before the machine was started.
function count(rate) { return sprintf("%.0f", 1e6 + rate * seconds) }
function count_of(c, rate) { return sprintf("%.0f", 1e6 + rate * (seconds + late * c)) }
# The seconds by which a group of events is read late: another number for each group and sample.
function lag_of(c, pmu) { return lag * ((7 * c + 5 * now + 3 * length(pmu)) % 8) / 8 }

function event(c, pmu, config, rate,	at)
{
	if (lag) {
		at = seconds + lag_of(c, pmu)
		printf "perf %d %s %s %.0f %.0f %.0f\n", c, pmu, config, 1e6 + rate * at, 1e11 + 1e9 * at, 1e11 + 1e9 * at
		return
	}
	printf "perf %d %s %s %s\n", c, pmu, config, count_of(c, rate)
}

# A number of which awk may not know that it has more than 32 bits, in hex.
function hex(n,	s)
{
	while (n >= 1) {
		s = substr("0123456789abcdef", n - 16 * int(n / 16) + 1, 1) s
		n = int(n / 16)
	}
	return s == "" ? "0" : s
}

# An event that shares a hardware counter: its count, the time for which it was enabled and ran.
function shared(c, config, rate,	ran)
{
	ran = ("halved" in has) ? seconds / 2 : seconds - (("starved" in has) && now >= 3 ? interval : 0)
	printf "perf %d hw %s %.0f %.0f %.0f\n", c, config, 1e6 + rate * ran, (100 + seconds) * 1e9, (100 + ran) * 1e9
}

function counters(	c, k, s, header, b)
{
	for (c = 0; c < cpus; c++) {
		if (c in off)
			continue
		header = header " CPU" c
		s = s " " count(100 * (c + 1))
	}
	printf "file /proc/interrupts \"%s\\n LOC:%s   Local timer interrupts\\n\"\n", header, s
	for (c = 0; c < cpus; c++) {
		k = core_of(c)
		printf "tsc %d %.0f\n", c, 5e11 + 2e9 * (seconds + late * c)
		if ("tsc" in has) {
			if (lag)
				event(c, "msr", 0, 2e9)
			else
				printf "perf %d msr 0 %.0f\n", c, 5e11 + 2e9 * (seconds + late * c)
			event(c, "msr", 2, 2e8 * (c + 1))
			event(c, "msr", 1, 3e8 * (c + 1))
		}
		if ("instructions" in has) {
			shared(c, 0, 3e8 * (c + 1))
			shared(c, 1, 6e8 * (c + 1))
		}
		if ("cstate" in has) {
			event(c, "cstate_core", 2, 1e8 * (k + 1))
			event(c, "cstate_pkg", 2, 2e8 * (package_of(c) + 1))
		}
		if ("power" in has) {
			event(c, "power", 2, 4294967296 * 10 * (die_of(c) + 1))
			event(c, "power", 3, 4294967296 * (die_of(c) + 1))
		}
		if ("registers" in has) {
			printf "msr %d 3fd %s\n", c, hex(count_of(c, 1e8 * (k + 1)))
			printf "msr %d e7 %s\n", c, hex(count_of(c, 2e8 * (c + 1)))
			printf "msr %d e8 %s\n", c, hex(count_of(c, 3e8 * (c + 1)))
			printf "msr %d 606 a0e03\n", c
			printf "msr %d 611 %s\n", c, hex((4290000000 + 163840 * (die_of(c) + 1) * seconds) % 4294967296)
		}
		if ("coretemp" in has && c == k)
			file("/sys/class/hwmon/hwmon" package_of(c) "/temp" 2 + k "_input", 45000 + 1000 * k)
		if ("idle" in has)
			file("/sys/devices/system/cpu/cpu" c "/cpuidle/state0/time", count(1e4 * (c + 1)))
		for (b = 0; b < boxes; b++)
			event(c, "box" (b ? b : ""), 1, 1000 * (b + 1) * (c + 1))
	}
	if ("stat" in has) {
		s = ""
		for (c = 0; c < cpus; c++)
			if (!(c in off))
				s = s sprintf("cpu%d %d 0 0 %d 0 0 0 0 0 0\\n", c, 100 + seconds * 10 * (c + 1), seconds * (100 - 10 * (c + 1)))
		printf "file /proc/stat \"cpu 0 0 0 0 0 0 0 0 0 0\\n%s\"\n", s
	}
	for (k = 0; k < packages; k++) {
		if ("powercap" in has)
			file("/sys/class/powercap/intel-rapl:" zone[k] "/energy_uj", count(1e7 * watts(k)))
		if ("coretemp" in has)
			file("/sys/class/hwmon/hwmon" k "/temp1_input", 70000 + 1000 * k)
	}
}

# The tens of watts that a package takes.
function watts(p,	d, sum)
{
	for (d = p * dies; d < (p + 1) * dies; d++)
		sum += d + 1
	return sum
}

function pmu(name, type, format, mask)
{
	file("/sys/bus/event_source/devices/" name "/type", type)
	file("/sys/bus/event_source/devices/" name "/format/event", format)
	if (mask != "")
		file("/sys/bus/event_source/devices/" name "/cpumask", mask)
}

function joules(name, config)
{
	name = "/sys/bus/event_source/devices/power/events/" name
	file(name, config)
	file(name ".scale", "2.3283064365386962890625e-10")
	file(name ".unit", "Joules")
}

function static(	c, k, b, p)
{
	print "turbostat-recording 1"
	print "cpuid * 0 0 00000016 756e6547 6c65746e 49656e69"
	print "cpuid * 1 0 00050657 00100800 7ffefbff bfebfbff"
	print "cpuid * 6 0 00000077 00000002 00000009 00000000"
	print "cpuid * 15 0 00000002 000000a0 017d7840 00000000"
	print "cpuid * 80000000 0 80000008 00000000 00000000 00000000"
	print "cpuid * 80000007 0 00000000 00000000 00000000 00000100"
	if (!("registers" in has))
		print "msr * * !ENOENT"
	topology()
	p = "/sys/bus/event_source/devices/"
	if ("tsc" in has) {
		pmu("msr", 8, "config:0-63", "")
		file(p "msr/events/tsc", "event=0x00")
		file(p "msr/events/aperf", "event=0x01")
		file(p "msr/events/mperf", "event=0x02")
	}
	if ("instructions" in has)
		pmu("cpu", 4, "config:0-7", "")
	if ("cstate" in has) {
		pmu("cstate_core", 12, "config:0-63", "")
		file(p "cstate_core/events/c6-residency", "event=0x02")
		pmu("cstate_pkg", 13, "config:0-63", mask_of("cstate_pkg"))
		file(p "cstate_pkg/events/c6-residency", "event=0x02")
	}
	if ("power" in has) {
		pmu("power", 9, "config:0-7", mask_of("power"))
		joules("energy-pkg", "event=0x02")
		joules("energy-ram", "event=0x03")
	}
	for (b = 0; b < boxes; b++)
		pmu("box" (b ? b : ""), 40 + b, "config:0-7", box[b + 1])
	for (k = 0; k < packages; k++) {
		if ("powercap" in has) {
			file("/sys/class/powercap/intel-rapl:" zone[k] "/name", "package-" k)
			file("/sys/class/powercap/intel-rapl:" zone[k] "/max_energy_range_uj", "262143328850")
		}
		if ("coretemp" in has) {
			file("/sys/class/hwmon/hwmon" k "/name", "coretemp")
			file("/sys/class/hwmon/hwmon" k "/temp1_label", "Package id " k)
		}
	}
	for (c = 0; c < cpus; c++) {
		k = core_of(c)
		if ("coretemp" in has && c == k)
			file("/sys/class/hwmon/hwmon" package_of(c) "/temp" 2 + k "_label", "Core " k % (dies * cores))
		if ("idle" in has)
			file("/sys/devices/system/cpu/cpu" c "/cpuidle/state0/name", "C1")
	}
	say("always")
}

# Prints what the story says of a time, in its order; the CPUs that go and come first.
function say(time,	i, n, c, member, moved)
{
	for (i = 1; i <= lines; i++) {
		if (when[i] != time || what[i] !~ /^(offline|online|blink)$/)
			continue
		n = members(whom[i], member)
		for (c = 1; c <= n; c++) {
			if (what[i] == "online")
				come(member[c])
			else
				go(member[c])
		}
		if (what[i] == "blink")
			for (c = 1; c <= n; c++) {
				come(member[c])
				blinked[++blinks] = member[c]
			}
		else
			moved = 1
	}
	if (moved)
		topology()
	for (i = 1; i <= blinks; i++)
		print "x-blink", blinked[i]
	blinks = 0
	for (i = 1; i <= lines; i++) {
		if (when[i] != time)
			continue
		if (what[i] == "mask")
			for (n = 0; n < units[part(whom[i], 1)]; n++)
				if (((part(whom[i], 1), n) in reader) && reader[part(whom[i], 1), n] == part(whom[i], 2)) {
					reader[part(whom[i], 1), n] = part(whom[i], 3)
					print "x-migrate", part(whom[i], 2), part(whom[i], 3), part(whom[i], 1)
					print_mask(part(whom[i], 1))
				}
		if (what[i] == "forget")
			forgets[whom[i]]
		if (what[i] == "without")
			delete has[whom[i]]
		if (what[i] == "swap")
			for (n = 0; n < 2; n++) {
				zone[n] = 1 - zone[n]
				file("/sys/class/powercap/intel-rapl:" zone[n] "/name", "package-" n)
			}
		if (what[i] == "with") {
			has[whom[i]]
			for (c = 0; c < cpus && whom[i] == "idle"; c++)
				file("/sys/devices/system/cpu/cpu" c "/cpuidle/state0/name", "C1")
		}
	}
}

# What it says besides, of the same time: lines as they are, after the counters.
function say_lines(time,	i)
{
	for (i = 1; i <= lines; i++)
		if ((when[i] == time || (when[i] ~ /[+]$/ && now >= when[i] + 0)) &&
		    what[i] !~ /^(offline|online|blink|mask|forget|without|with|swap)$/)
			print what[i] (whom[i] == "" ? "" : " " whom[i])
}

function part(text, n,	word) { split(text, word, " "); return word[n] }

BEGIN { packages = dies = cores = threads = 1; samples = 6; interval = 5 }
/^#/ || /^$/ || $1 ~ /^(show|run|only|known)$/ { next }
$1 == "late" { late = $2; next }
$1 == "lag" { lag = $2; next }
$1 == "machine" {
	for (i = 2; i <= NF; i++) {
		split($i, word, "=")
		if (word[1] == "packages") packages = word[2]
		if (word[1] == "dies") dies = word[2]
		if (word[1] == "cores") cores = word[2]
		if (word[1] == "threads") threads = word[2]
		if (word[1] == "samples") samples = word[2]
		if (word[1] == "interval") interval = word[2]
		if (word[1] == "ticks") ticks = word[2]
	}
	next
}
$1 == "has" { for (i = 2; i <= NF; i++) has[$i]; next }
$1 == "box" { for (i = 2; i <= NF; i++) box[++boxes] = $i; next }
{
	when[++lines] = $1
	what[lines] = $2
	whom[lines] = $0
	sub(/^[^ ]+ +[^ ]+ */, "", whom[lines])
}
END {
	cpus = packages * dies * cores * threads
	units["power"] = packages * dies
	units["cstate_pkg"] = packages
	now = -1
	for (i = 1; i <= lines; i++)	# who is away from the start
		if (when[i] == "always" && what[i] == "offline") {
			n = members(whom[i], member)
			for (c = 1; c <= n; c++)
				off[member[c]]
			when[i] = "never"
		}
	for (p = 0; p < packages; p++)
		zone[p] = p
	for (c = 0; c < cpus; c++)
		if (!(c in off))
			come(c)
	static()
	say_lines("always")
	for (now = 0; now < samples; now++) {
		seconds = now * interval
		printf "sample %d %d.000000000 %d.000000000\n", now, 1700000000 + seconds, 100 + seconds
		say(now)
		counters()
		say_lines(now)
		for (i = 1; i <= ticks && now < samples - 1; i++) {
			seconds = (now + i / (ticks + 1)) * interval
			print "tick"
			counters()
		}
	}
	print "end"
}
