# fate.awk - a recording, and what may happen to its machine at each sample: CPUs that come and
# go before it and while it is taken, CPUs that blink, files, registers and events that fail for
# a while.  Which of these, and to whom, goes by the seed.
#
#   awk -v seed=TEXT -v last=CPU [-v masks=1] -f fate.awk RECORDING
#
# The CPUs are 0 to last.  With masks the machine is that of machine.awk, whose cpumasks follow.

function chance(p)
{
	return rand() < p
}

# Prints which CPUs are online now; of what size, in cores, the first of each unit.
function print_list(before, path, size,	cpu, unit, has, list)
{
	for (cpu = 0; cpu <= last; cpu++) {
		unit = size ? int(cpu % 4 / size) : cpu
		if (!(cpu in gone) && !(unit in has)) {
			has[unit] = 1
			list = list (list == "" ? "" : ",") cpu
		}
	}
	print before "file /sys/" path " \"" list "\\n\""
}

function print_online(before)
{
	print_list(before, "devices/system/cpu/online", 0)
	if (masks) {
		print_list(before, "bus/event_source/devices/power_core/cpumask", 1)
		print_list(before, "bus/event_source/devices/power/cpumask", 2)
	}
}

function happen(	cpu, key, i)
{
	for (key in repair)
		if (chance(0.5)) {
			print repair[key]
			delete repair[key]
		}
	if (chance(0.4)) {
		for (cpu = 1; cpu <= last; cpu++)
			if (chance(0.3))
				gone[cpu] = 1
			else
				delete gone[cpu]
		print_online("")
	}
	cpu = 1 + int(rand() * last)
	if (chance(0.2))
		print "x-blink", cpu
	if (chance(0.2)) {
		print (chance(0.5) ? "x-pass " : "") "cpu", cpu, "!EINVAL"
		repair[cpu] = "cpu " cpu " ok"
	}
	if (chance(0.2) && !(cpu in gone)) {
		gone[cpu] = 1
		print_online("x-pass ")
	}
	for (i = 0; i < 2 && n; i++)
		if (chance(0.5)) {
			key = 1 + int(rand() * n)
			print (chance(0.5) ? "x-pass " : "") name[key], error[1 + int(rand() * 4)]
			repair[name[key]] = line[key]
		}
}

# A number made of a text, to begin with.
function hash(s,	h, i)
{
	for (i = 1; i <= length(s); i++)
		h = (31 * h + index("0123456789-abcdefghijklmnopqrstuvwxyz", substr(s, i, 1))) % 1000003
	return h
}

BEGIN {
	srand(hash(seed))
	split("!EIO !ENODEV !ENOENT !EBUSY", error)
}
{ print }
/^sample / { sampled = 1 }
sampled && /^(file|msr|perf) / && !/online|x-/ {
	name[++n] = $1 " " $2 ($1 == "file" ? "" : " " $3) ($1 == "perf" ? " " $4 : "")
	line[n] = $0
}
/^sample / { happen() }
