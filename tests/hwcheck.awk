# hwcheck.awk - judges a collection of hwcheck.sh: awk -v dir=DIR -f hwcheck.awk
# The head of hwcheck.sh describes the files.  The bounds are wide enough for the delays between
# two readings of the same thing, and for nothing else: a machine that differs is what we look for.

# ---------------------------------------------------------------- text

# number X: with two decimals, from 1000 on with one, without zeros at the end
function number(x,    text) {
	text = sprintf(x >= 1000 || x <= -1000 ? "%.1f" : "%.2f", x)
	sub(/0+$/, "", text)
	sub(/\.$/, "", text)
	return text
}

function magnitude(x) { return x < 0 ? -x : x }

function print_line(what, text) {
	printf "%-7s %s\n", what, text
	count[what]++
}

function skip(name, reason) {
	print_line("skipped", name ": " reason)
}

# ---------------------------------------------------------------- the worst of several units

function begin_worst() { worst = -1e300; worst_text = "" }

# consider(OURS, WITNESS, VALUE, BOUND): WITNESS names the unit and where its value is from
function consider(ours, witness, value, bound) {
	rate(magnitude(ours - value), bound, number(ours) ", " witness " " number(value) ", bound " number(bound))
}

# consider_main(ROW, COLUMN, WITNESS, VALUE, BOUND): main's value, which is not nan where a witness has it
function consider_main(row, name, witness, x, bound) {
	if (known("main", row, name))
		consider(of("main", row, name), witness, x, bound)
	else
		rate(1, 0, "nan, " witness " " number(x) ", bound " number(bound))
}

# at_most(OURS, WITNESS, LIMIT, BOUND): OURS may be less
function at_most(ours, witness, limit, bound) {
	rate(ours - limit, bound, number(ours) ", " witness " at most " number(limit) ", bound " number(bound))
}

function at_least(ours, witness, limit, bound) {
	rate(limit - ours, bound, number(ours) ", " witness " at least " number(limit) ", bound " number(bound))
}

function rate(excess, bound, text,    badness) {
	badness = bound > 0 ? excess / bound : (excess > 0 ? 1e100 : 0)
	if (badness > worst) {
		worst = badness
		worst_text = text
	}
}

# end_worst(NAME, REASON, WHY): WHY nothing was considered
function end_worst(name, reason, why) {
	if (worst_text == "")
		skip(name, why)
	else
		print_line(worst > 1 + 1e-9 ? "differs" : "ok", name ": " worst_text " (" reason ")")
}

# ---------------------------------------------------------------- reading

# read_csv(COPY): value[COPY, ROW, COLUMN] of the second interval; a row is system, package P,
# core P D C or cpu N.  Returns whether there was one.
function read_csv(copy,    file, line, n, names, f, i, row, found) {
	file = dir "/" copy ".csv"
	if ((getline line < file) <= 0)
		return 0
	n = split(line, names, ",")
	for (i = 1; i <= n; i++)
		at[copy, names[i]] = i
	while ((getline line < file) > 0) {
		split(line, f, ",")
		if (f[1] != "interval" || f[at[copy, "n"]] != 2)
			continue
		row = row_of(copy, f)
		found = 1
		for (i = 1; i <= n; i++)
			value[copy, row, names[i]] = f[i]
		for (i = at[copy, "cputype"] + 1; i <= n; i++)
			if (f[i] != "")
				has[copy, names[i]] = 1
		if (copy == "main")
			remember(row, f)
	}
	for (i = at[copy, "cputype"] + 1; i <= n; i++)
		if (copy == "main")
			column[++columns] = names[i]
	close(file)
	return found
}

function row_of(copy, f,    scope) {
	scope = f[at[copy, "scope"]]
	if (scope == "cpu")
		return "cpu" f[at[copy, "cpu"]]
	if (scope == "core")
		return "core " f[at[copy, "package"]] " " f[at[copy, "die"]] " " f[at[copy, "core"]]
	if (scope == "package")
		return "package " f[at[copy, "package"]]
	if (scope == "system")
		return scope
	return scope " " f[at[copy, "package"]] " " f[at[copy, "die"]] " " f[at[copy, "l3"]] " " f[at[copy, "node"]] " " f[at[copy, "module"]]
}

# remember(ROW, FIELDS): the CPUs, cores and packages of main, in order
function remember(row, f,    core, cpu, die) {
	row_name[++rows] = row
	if (f[at["main", "scope"]] == "package")
		package[++packages] = f[at["main", "package"]]
	if (f[at["main", "scope"]] == "core") {
		core_row[++cores] = row
		core_package[row] = f[at["main", "package"]]
		core_id[row] = f[at["main", "core"]]
	}
	if (f[at["main", "scope"]] != "cpu")
		return
	cpu = f[at["main", "cpu"]]
	cpus++
	cpu_at[cpus] = cpu
	cpu_package[cpu] = f[at["main", "package"]]
	die = cpu_package[cpu] " " f[at["main", "die"]]
	if (!(die in seen_die)) {
		seen_die[die] = 1
		dies++
	}
	core = "core " cpu_package[cpu] " " f[at["main", "die"]] " " f[at["main", "core"]]
	cpu_core[cpu] = core
	if (!(core in first_cpu))
		first_cpu[core] = cpu
	threads[core] = threads[core] " " cpu
}

# stands(ROW, COLUMN): has main such a row and such a column, be it nan?
function stands(row, name) {
	return (("main", name) in at) && (("main", row, name) in value)
}

# is_nan(COPY, ROW, COLUMN): is it nan, or empty as it stands in other rows?
function is_nan(copy, row, name) {
	return ((copy, name) in at) && ((copy, row, name) in value) && !known(copy, row, name)
}

# known(COPY, ROW, COLUMN): is there a number?
function known(copy, row, name) {
	return ((copy, row, name) in value) && value[copy, row, name] ~ /^-?[0-9]/
}

function of(copy, row, name) { return value[copy, row, name] + 0 }

# read_lines(FILE, N): text[N, PATH] is the last line of each path; stat_line[N, WORD] and
# irq_line[N, WORD] those of /proc/stat and /proc/interrupts
function read_lines(file, n,    line, path, word, i, f) {
	file = dir "/" file
	while ((getline line < file) > 0) {
		i = index(line, "\t")
		path = substr(line, 1, i - 1)
		line = substr(line, i + 1)
		if (path == "/proc/uptime") {
			if (!((n, "begin") in uptime))
				uptime[n, "begin"] = line + 0
			uptime[n, "end"] = line + 0
		} else if (path == "/proc/interrupts") {
			if (!((n, "names") in irq_line))
				irq_line[n, "names"] = line
			else {
				word = line
				sub(/^ */, "", word)
				sub(/:.*/, "", word)
				sub(/^[^:]*:/, "", line)
				irq_line[n, word] = line
				if (n == 2)
					irq_word[++irq_words] = word
			}
		} else if (path == "/proc/stat") {
			word = line
			sub(/ .*/, "", word)
			stat_line[n, word] = line
			if (n == 2 && word ~ /^cpu[0-9]/)
				stat_cpu[++stat_cpus] = substr(word, 4)
		} else if (path ~ /\/schedstat$/) {
			split(line, f, " ")	# nanoseconds that ran, nanoseconds that waited for a CPU
			run_delay[n, path ~ /self/ ? "reader" : "script"] = f[2] / 1e9
		} else if (path == "/proc/pressure/cpu") {
			if (line ~ /^some/)
				stalled[n] = substr(line, index(line, "total=") + 6) / 1e6
		} else if (path == "/proc/self/status") {
			if (line ~ /^Cpus_allowed_list:/)
				allowed_cpus = line
		} else if (path == "/proc/cpuinfo") {
			if (line ~ /^bogomips/ && bogomips == "")
				bogomips = substr(line, index(line, ":") + 1) + 0
			if (line ~ /^flags/)
				flags = line " "
			if (line ~ /^vendor_id/)
				vendor = line
		} else {
			if (!((n, path) in text))
				path_at[n, ++paths[n]] = path
			text[n, path] = line
		}
	}
	close(file)
}

# read_explain(COPY): source[COPY, COLUMN]
function read_explain(copy,    file, line, f, name) {
	file = dir "/explain." copy
	while ((getline line < file) > 0) {
		if (line ~ /^\t/)
			source[copy, name] = source[copy, name] line
		else {
			split(line, f, "\t")
			name = f[1]
		}
	}
	close(file)
}

function read_notes(    line, i) {
	while ((getline line < (dir "/notes")) > 0) {
		i = index(line, "\t")
		note[substr(line, 1, i - 1)] = substr(line, i + 1)
	}
}

# read_ticks(): the TSC of one CPU in the samples that begin and end the second interval
function read_ticks(    file, line, f, sample) {
	file = dir "/hwcheck.rec"
	sample = -1
	tick_cpu = ""
	while ((getline line < file) > 0) {
		split(line, f, " ")
		if (f[1] == "sample")
			sample = f[2]
		if (sample != 1 && sample != 2)
			continue
		if (f[1] == "tsc" && (tick_cpu == "" || tick_cpu == f[2])) {
			tick_cpu = f[2]
			tick[sample] = f[3]
			tick_from = "tsc"
		}
		if (f[1] == "perf" && f[3] == "msr" && f[4] == "0" && f[5] !~ /!/ && tick_from != "tsc" &&
		    (tick_cpu == "" || tick_cpu == f[2])) {
			tick_cpu = f[2]
			tick[sample] = f[5]
		}
	}
	close(file)
}

# same_source(COLUMN, PATH, REASON): says so where turbostat reads the witness's own file
function same_source(name, path, reason) {
	return index(source["main", name], path) ? "the same source" : reason
}

# ---------------------------------------------------------------- witnesses

# moved(WORD, FIELD): the difference of a field of /proc/stat's line WORD
function moved(word, field,    a, b) {
	split(stat_line[1, word], a, " ")
	split(stat_line[2, word], b, " ")
	return b[field] - a[field]
}

# Busy share of a CPU in %; -1 if /proc/stat lacks it.  It is what idle time leaves, which the kernel
# measures: busy time is made of ticks that are charged whole, and adds up to too much where work
# begins with a tick.  MPERF counts in the state POLL.
function busy_share(cpu,    word, i, total, idle) {
	word = "cpu" cpu
	if (!((1, word) in stat_line) || !((2, word) in stat_line))
		return -1
	for (i = 2; i <= 9; i++)
		total += moved(word, i)
	if (total <= 0)
		return -1
	idle = moved(word, 5) + moved(word, 6) + moved(word, 9)
	return idle < elapsed * 100 ? 100 - idle / elapsed : 0	# 100 ticks a second
}

function poll_share(cpu,    state, sum) {
	for (state = 0; ("static", state_file(cpu, state, "name")) in text; state++)
		if (text["static", state_file(cpu, state, "name")] == "POLL")
			sum += state_share(cpu, state)
	return sum
}

function state_file(cpu, state, name) {
	return "/sys/devices/system/cpu/cpu" cpu "/cpuidle/state" state "/" name
}

# Share of time in an idle state of the kernel, in %
function state_share(cpu, state,    path) {
	path = state_file(cpu, state, "time")
	return (text[2, path] - text[1, path]) / 1e6 / elapsed * 100
}

# Do the states and the busy share of a CPU add up?  A sleep is booked when it ends.
function is_booked(cpu,    state, sum) {
	if (!(("static", state_file(cpu, 0, "name")) in text))
		return 0
	sum = busy_share(cpu)
	for (state = 0; ("static", state_file(cpu, state, "name")) in text; state++)
		sum += state_share(cpu, state)
	return sum >= 95 && sum <= 105
}

# A number of an interrupt's line, by the CPU's place in the line of names
function irq_count(n, word, cpu,    names, f, i, count) {
	count = split(irq_line[n, "names"], names, " ")
	split(irq_line[n, word], f, " ")
	for (i = 1; i <= count; i++)
		if (names[i] == "CPU" cpu)
			return f[i] + 0
	return 0
}

# Has the line a number for each CPU?
function is_per_cpu(word,    names, f, i, count) {
	count = split(irq_line[2, "names"], names, " ")
	split(irq_line[2, word], f, " ")
	for (i = 1; i <= count; i++)
		if (f[i] !~ /^[0-9]+$/)
			return 0
	return 1
}

# letters NAME: without marks, to compare the kernel's name with a column's
function letters(name) {
	sub(/-.*/, "", name)
	gsub(/[^A-Za-z0-9]/, "", name)
	return name
}

# Joules of a zone between the two readings, with one wrap
function zone_joules(zone,    path, d) {
	path = zone "/energy_uj"
	d = text[2, path] - text[1, path]
	if (d < 0)
		d += text["static", zone "/max_energy_range_uj"]
	return d / 1e6
}

# The package's number from the zone's own name, or from that of the zone above it; "": none
function zone_package(zone,    name, parent) {
	name = text["static", zone "/name"]
	if (name !~ /^package-[0-9]/) {
		parent = zone
		sub(/:[0-9]+$/, "", parent)
		name = text["static", parent "/name"]
	}
	if (name !~ /^package-[0-9]/)
		return ""
	sub(/^package-/, "", name)
	sub(/-.*/, "", name)
	return name
}

# ---------------------------------------------------------------- the checks

# Returns whether the other lines can be judged.  Where the script had to wait for a CPU, or some
# process had to for a fifth of the time, the copies did, too, and not at the moments when the
# script did: then seconds cannot be judged either.
function check_seconds(    reading, late, bound, off, waited) {
	elapsed = uptime[2, "begin"] - uptime[1, "begin"]
	reading = uptime[1, "end"] - uptime[1, "begin"]
	late = uptime[2, "end"] - uptime[2, "begin"]
	if (late > reading)
		reading = late
	bound = 0.03 + reading
	off = magnitude(of("main", "system", "seconds") - elapsed)
	waited = run_delay[2, "script"] - run_delay[1, "script"] + run_delay[1, "reader"] + run_delay[2, "reader"]
	if (off > bound && (waited > 0.05 || stalled[2] - stalled[1] > elapsed / 5)) {
		skip("seconds", "the machine was too busy")
		return 0
	}
	begin_worst()
	consider(of("main", "system", "seconds"), "/proc/uptime", elapsed, bound)
	end_worst("seconds", "steps of 0.01 s, and reading the witnesses", "")
	return off <= 0.1
}

function check_tsc(    mhz) {
	read_ticks()
	begin_worst()
	if ((1 in tick) && (2 in tick) && known("main", "system", "TSC_MHz")) {
		mhz = (tick[2] - tick[1]) / elapsed / 1e6
		consider(of("main", "system", "TSC_MHz"), "cpu" tick_cpu " by hwcheck.rec and /proc/uptime", mhz, mhz / 100 + 1)
	}
	end_worst("TSC_MHz clock", "the clock's steps and delays", known("main", "system", "TSC_MHz") ? \
		"the recording has no ticks" : "no such column")
	begin_worst()
	if (index(flags, " constant_tsc ") && bogomips > 0 && known("main", "system", "TSC_MHz"))
		consider(of("main", "system", "TSC_MHz"), "bogomips / 2 of /proc/cpuinfo", bogomips / 2, bogomips / 2 / 100)
	end_worst("TSC_MHz kernel", "as much as the kernel accepts when it calibrates", \
		!known("main", "system", "TSC_MHz") ? "no such column" : "the processor has no constant_tsc")
}

function check_busy(    i, cpu, share, sum, n, why, reason, from_ticks) {
	why = "no such column"
	if (text["static", "/proc/cmdline"] ~ /idle=poll/)
		why = "the kernel runs with idle=poll"
	else if (!((1, "cpu") in stat_line))
		why = "there is no /proc/stat"
	from_ticks = index(source["main", "Busy%"], "/proc/stat")
	begin_worst()
	for (i = 1; i <= cpus && why == "no such column"; i++) {
		cpu = cpu_at[i]
		share = busy_share(cpu)
		if (share < 0 || is_listed(cpu, text["static", "/sys/devices/system/cpu/nohz_full"]) || !known("main", "cpu" cpu, "Busy%"))
			continue
		if (!from_ticks)
			share += poll_share(cpu)
		consider(of("main", "cpu" cpu, "Busy%"), "cpu" cpu " by /proc/stat", share, 5)
		sum += share
		n++
	}
	reason = same_source("Busy%", "/proc/stat", "ticks")
	end_worst("Busy% CPU", reason, cpus && n == 0 && why == "no such column" && known("main", "system", "Busy%") ? "all CPUs are in nohz_full" : why)
	begin_worst()
	if (n == cpus && n > 0 && known("main", "system", "Busy%"))
		consider(of("main", "system", "Busy%"), "/proc/stat", sum / n, 3)
	end_worst("Busy% mean", reason, why != "no such column" ? why : n && n < cpus ? "CPUs are in nohz_full" : why)
}

# is_listed(CPU, LIST): is it in a list like 0-3,8?
function is_listed(cpu, list,    parts, n, i, ends) {
	n = split(list, parts, ",")
	for (i = 1; i <= n; i++) {
		if (parts[i] !~ /^[0-9]/)
			continue
		if (split(parts[i], ends, "-") == 1)
			ends[2] = ends[1]
		if (cpu >= ends[1] + 0 && cpu <= ends[2] + 0)
			return 1
	}
	return 0
}

function check_clock(    i, cpu, mhz, name, line, f, cycles, clock, full, busiest, why, low, high, k, path) {
	begin_worst()
	for (i = 1; i <= cpus; i++) {
		name = "cpu" cpu_at[i]
		if (known("main", name, "Avg_MHz") && known("main", name, "HwCheckMHz") && of("main", name, "Busy%") >= 5) {
			mhz = of("main", name, "HwCheckMHz")
			consider(of("main", name, "Avg_MHz"), name " by the core's PMU", mhz, mhz / 50 + 1)
		}
	}
	end_worst("Avg_MHz cycles", "another counter, read in another group", \
		("main", "HwCheckMHz") in has ? "no such column" : "no core PMU that counts cycles")

	# the loop's cycles, of all core types, by the time that it ran
	while ((getline line < (dir "/loop.perf")) > 0) {
		split(line, f, ",")
		if (f[3] ~ /cycles/ && f[1] ~ /^[0-9]/)
			cycles += f[1]
		if (f[3] ~ /task-clock/)
			clock += f[1]
	}
	why = "loop" in note ? note["loop"] : cycles > 0 ? "" : "perf counts no cycles here"
	for (i = 1; i <= cpus; i++) {
		name = "cpu" cpu_at[i]
		if (of("main", name, "Busy%") >= 90)
			full++
		if (busiest == "" || of("main", name, "Busy%") > of("main", busiest, "Busy%"))
			busiest = name
	}
	if (why == "" && full != 1)
		why = full + 0 " CPUs were busy for 90 % and more, not 1"
	begin_worst()
	if (why == "" && clock > 0 && known("main", busiest, "Bzy_MHz")) {
		mhz = cycles / clock / 1000
		consider(of("main", busiest, "Bzy_MHz"), busiest " by perf stat of its load", mhz, mhz / 20)
	}
	end_worst("Bzy_MHz loop", "the load moves at times", why != "" ? why : "no such column")

	while ((getline line < (dir "/freq")) > 0) {
		split(line, f, "\t")
		match(f[1], /cpu[0-9]+/)
		cpu = substr(f[1], RSTART + 3, RLENGTH - 3)
		mhz = f[2] / 1000
		if (!(cpu in low) || mhz < low[cpu])
			low[cpu] = mhz
		if (!(cpu in high) || mhz > high[cpu])
			high[cpu] = mhz
		k++
	}
	why = !k ? "no cpufreq" : index(flags, " aperfmperf ") ? "no CPU was busy for 50 %" : "the kernel does not measure the clock (no aperfmperf)"
	begin_worst()
	for (i = 1; i <= cpus; i++) {
		cpu = cpu_at[i]
		if (!(cpu in low) || !index(flags, " aperfmperf ") || of("main", "cpu" cpu, "Busy%") < 50 || !known("main", "cpu" cpu, "Bzy_MHz"))
			continue
		mhz = of("main", "cpu" cpu, "Bzy_MHz")
		if (mhz < low[cpu])
			consider(mhz, "cpu" cpu " by scaling_cur_freq from", low[cpu], low[cpu] / 10)
		else
			at_most(mhz, "cpu" cpu " by scaling_cur_freq", high[cpu], high[cpu] / 10)
	}
	end_worst("Bzy_MHz cpufreq", same_source("Bzy_MHz", "scaling_cur_freq", "each reading is of one tick"), why)
}

function check_states(    i, k, cpu, name, state, kernel, why) {
	for (k = 1; k <= columns; k++) {
		name = column[k]
		if (source["main", name] !~ /\/cpuidle\/state[0-9]+\/time/)
			continue
		why = "the times of the states do not add up"
		begin_worst()
		for (i = 1; i <= cpus; i++) {
			cpu = cpu_at[i]
			if (!known("main", "cpu" cpu, name) || !is_booked(cpu))
				continue
			for (state = 0; ("static", state_file(cpu, state, "name")) in text; state++) {
				kernel = text["static", state_file(cpu, state, "name")]
				if (letters(kernel) == letters(substr(name, 1, length(name) - 1)))
					consider(of("main", "cpu" cpu, name), "cpu" cpu " by state" state "/time", state_share(cpu, state), 2)
			}
		}
		end_worst(name " kernel", "the same source", why)
		n_states++
	}
	if (!n_states)
		skip("NAME% kernel", "no cpuidle")
}

function is_shallow(cpu, state,    kernel, desc) {
	kernel = text["static", state_file(cpu, state, "name")]
	desc = text["static", state_file(cpu, state, "desc")]
	return kernel ~ /^(POLL|C1|C1E|C1_ACPI|C1E_ACPI)$/ || desc ~ /MWAIT 0x0[01]$/ || desc ~ /FFH INTEL MWAIT 0x0$/
}

# The smallest share of the core's threads in states that stop a core's clock or deeper, in %
function idle_limit(core,    f, n, i, state, share, least, busiest) {
	n = split(threads[core], f, " ")
	least = 1e9
	for (i = 1; i <= n; i++) {
		share = 0
		if (is_booked(f[i]))
			for (state = 0; ("static", state_file(f[i], state, "name")) in text; state++)
				share += is_shallow(f[i], state) ? 0 : state_share(f[i], state)
		else
			share = 100 - of("main", "cpu" f[i], "Busy%")
		if (share < least)
			least = share
	}
	return least
}

# The share of time in which a core was in C3 or deeper, in %; "" if it is not known
function core_sleep(row,    k, sum) {
	for (k = 3; k <= 7; k++)
		if (known("main", row, "CPU%c" k))
			sum += of("main", row, "CPU%c" k)
	return sum
}

function check_idle(    i, k, row, sum, some, most, cpu) {
	begin_worst()
	for (i = 1; i <= cores; i++) {
		row = core_row[i]
		sum = core_sleep(row)
		if (sum != "")
			at_most(sum, "core " core_id[row] " of package " core_package[row] " by cpuidle", idle_limit(row), 3)
	}
	end_worst("idle core", "hardware may sleep less deeply than it was asked to", "no such column")
	begin_worst()
	for (i = 1; i <= packages; i++) {
		row = "package " package[i]
		sum = some = most = 0
		for (k = 1; k <= columns; k++)
			if (column[k] ~ /^(Pkg%pc|Pk%pc)[0-9]+$/ && known("main", row, column[k])) {
				sum += of("main", row, column[k])
				some = 1
			}
		for (k = 1; k <= cpus; k++) {
			cpu = cpu_at[k]
			if (cpu_package[cpu] == package[i] && of("main", "cpu" cpu, "Busy%") > most)
				most = of("main", "cpu" cpu, "Busy%")
		}
		if (some)
			at_most(sum, row " by its busiest CPU", 100 - most, 3)
	}
	end_worst("idle package", "no state of a package while a CPU is busy", "no such column")
}

# powercap(COLUMN, ZONE): for each package
function powercap(name, zone_name,    i, k, zone, watts, zones, row, p, found, label, why) {
	why = "powercap" in note ? note["powercap"] : "no zone " zone_name
	if (zone_name == "core" && vendor ~ /AuthenticAMD/) {
		skip(name " powercap", "AMD's zone core is of one core")
		return
	}
	for (i = 1; i <= packages; i++) {
		row = "package " package[i]
		if (!stands(row, name))
			continue
		watts = 0
		zones = ""
		for (k = 1; k <= paths["static"]; k++) {
			zone = path_at["static", k]
			if (zone !~ /\/intel-rapl:[0-9:]+\/name$/)
				continue
			sub(/\/name$/, "", zone)
			label = text["static", zone "/name"]
			if (label != zone_name && !(zone_name == "package" && label ~ /^package-[0-9]/))
				continue
			if (zone_package(zone) != package[i] || !((2, zone "/energy_uj") in text))
				continue
			watts += zone_joules(zone) / elapsed
			p = zone
			sub(/.*\//, "", p)
			zones = zones (zones == "" ? "" : "+") p
		}
		if (zones == "")
			continue
		begin_worst()
		consider_main(row, name, zones, watts, watts / 50 + 0.5)
		end_worst(name " powercap " package[i], "delays of 50 ms, 0.5 W", "")
		found = 1
	}
	if (!found)
		skip(name " powercap", ("main", name) in has ? why : "no such column")
}

function powercap_system(    k, zone, watts) {
	begin_worst()
	for (k = 1; k <= paths["static"]; k++) {
		zone = path_at["static", k]
		if (zone !~ /\/intel-rapl:[0-9:]+\/name$/ || text["static", zone] != "psys" || !stands("system", "SysWatt"))
			continue
		sub(/\/name$/, "", zone)
		if (!((2, zone "/energy_uj") in text))
			continue
		watts = zone_joules(zone) / elapsed
		sub(/.*\//, "", zone)
		consider_main("system", "SysWatt", zone, watts, watts / 50 + 0.5)
	}
	end_worst("SysWatt powercap", "delays of 50 ms, 0.5 W", !(("main", "SysWatt") in has) ? "no such column" : \
		"powercap" in note ? note["powercap"] : "no zone psys")
}

function check_power(    line, f, joules, ns, event, domain, i, parts, watts) {
	powercap("PkgWatt", "package")
	powercap("CorWatt", "core")
	powercap("GFXWatt", "uncore")
	powercap("RAMWatt", "dram")
	powercap_system()
	while ((getline line < (dir "/power.perf")) > 0) {
		split(line, f, ",")
		if (f[3] ~ /duration_time/)
			ns = f[1]
		if (f[3] ~ /energy-/ && f[1] ~ /^[0-9]/) {
			event = f[3]
			sub(/.*energy-/, "", event)
			sub(/[^a-z].*/, "", event)
			joules[event] = f[1]
		}
	}
	split("PkgWatt pkg CorWatt cores GFXWatt gpu RAMWatt ram SysWatt psys", parts, " ")
	for (i = 1; i <= 9; i += 2) {
		begin_worst()
		domain = parts[i + 1]
		if (domain == "psys" && text["static", "/sys/bus/event_source/devices/power/cpumask"] ~ /[-,]/) {
			skip(parts[i] " perf", "perf adds the machine's energy once for each CPU of the cpumask")
			continue
		}
		if ((domain in joules) && ns > 0 && known("main", "system", parts[i])) {
			watts = joules[domain] / ns * 1e9
			consider(of("main", "system", parts[i]), "perf stat energy-" domain, watts, watts / 20 + 1)
		}
		end_worst(parts[i] " perf", "not the same seconds", !(("main", parts[i]) in has) ? "no such column" : \
			"power" in note ? note["power"] : "perf has no energy-" domain)
	}
}

function check_temperature(    k, path, label, base, name, id, i, p, degrees, hw) {
	# the package of each device of coretemp
	for (k = 1; k <= paths["static"]; k++) {
		path = path_at["static", k]
		if (path !~ /\/temp[0-9]+_label$/)
			continue
		hw = path
		sub(/\/temp[0-9]+_label$/, "", hw)
		label = text["static", path]
		if (label ~ /^Package id [0-9]+$/) {
			sub(/.* /, "", label)
			device[hw] = label
		}
	}
	begin_worst()
	for (k = 1; k <= paths["static"]; k++) {
		path = path_at["static", k]
		base = hw_input(path)
		if (base == "" || text["static", path] !~ /^Package id [0-9]+$/)
			continue
		id = text["static", path]
		sub(/.* /, "", id)
		if (stands("package " id, "PkgTmp"))
			consider_main("package " id, "PkgTmp", "package " id " by coretemp", text[2, base] / 1000, 3)
	}
	end_worst("PkgTmp hwmon", same_source("PkgTmp", "/hwmon/", "read 50 ms apart"), ("main", "PkgTmp") in has ? "no coretemp" : "no such column")
	begin_worst()
	for (k = 1; k <= paths["static"]; k++) {
		path = path_at["static", k]
		base = hw_input(path)
		if (base == "" || text["static", path] !~ /^Core [0-9]+$/)
			continue
		id = text["static", path]
		sub(/.* /, "", id)
		hw = path
		sub(/\/temp[0-9]+_label$/, "", hw)
		for (i = 1; i <= cores; i++) {
			p = core_row[i]
			if (core_package[p] == device[hw] && core_id[p] == id && stands(p, "CoreTmp"))
				consider_main(p, "CoreTmp", "core " id " of package " device[hw] " by coretemp", text[2, base] / 1000, 5)
		}
	}
	end_worst("CoreTmp hwmon", same_source("CoreTmp", "/hwmon/", "read 50 ms apart"), ("main", "CoreTmp") in has ? "no coretemp" : "no such column")
}

# The path of coretemp's value for the path of its label; "" if it is another driver's or was not read
function hw_input(path,    hw, input) {
	if (path !~ /\/temp[0-9]+_label$/)
		return ""
	hw = input = path
	sub(/\/temp[0-9]+_label$/, "", hw)
	sub(/_label$/, "_input", input)
	return text["static", hw "/name"] == "coretemp" && ((2, input) in text) ? input : ""
}

# bound_of(COLUMN, ROW, VALUE): between two copies, or two programs.  Avg_MHz is the load in MHz: of
# a CPU that sleeps nearly always, the copies' own work is most of it, and its bound is as wide as
# that of Busy%.  An SMI is counted by all CPUs.
function bound_of(name, row, x) {
	if (name ~ /%/)
		return 2
	if (name == "Avg_MHz" && of("main", row, "Bzy_MHz") > x)
		return of("main", row, "Bzy_MHz") / 50 + 1
	if (name ~ /MHz$/)
		return x / 50 + 1
	if (name ~ /Watt$/)
		return x / 50 + 0.5
	if (name == "SMI")
		return row == "system" ? cpus : 1
	if (name == "PkgTmp")
		return 3
	if (name ~ /Tmp$/)
		return 5
	return magnitude(x) / 50 + 100
}

function is_interval_of_main(copy) {
	return magnitude(of(copy, "system", "seconds") - of("main", "system", "seconds")) <= 0.1
}

function check_registers(    names, n, i, k, name, why, row, label) {
	if ("regs" in note || "perf" in note) {
		skip("registers and perf", "regs" in note ? note["regs"] : note["perf"])
		return
	}
	n = split("Avg_MHz Busy% Bzy_MHz TSC_MHz SMI CPU%c1 CPU%c3 CPU%c6 CPU%c7 Pkg%pc2 Pkg%pc3 Pkg%pc6 Pkg%pc7 Pkg%pc8 Pkg%pc9 Pk%pc10 PkgWatt CorWatt GFXWatt RAMWatt SysWatt", names, " ")
	for (i = 1; i <= n; i++) {
		name = names[i]
		if (!(("regs", name) in at) && !(("perf", name) in at))
			continue
		label = "registers and perf, " name
		why = ""
		if (!(("regs", name) in at) || !(("perf", name) in at))
			why = "only one of them has the column"
		else if (source["regs", name] == source["perf", name])
			why = "both have it from the same source"
		else if (!is_interval_of_main("regs") || !is_interval_of_main("perf"))
			why = "their intervals differ from main's"
		begin_worst()
		for (k = 1; k <= rows && why == ""; k++) {
			row = row_name[k]
			if (name ~ /Watt$/ && is_nan("regs", row, name) && known("perf", row, name))
				rate(1, 0, "nan, " row " by perf " number(of("perf", row, name)) ", bound " \
					number(bound_of(name, row, of("perf", row, name))))
			if (!known("regs", row, name) || !known("perf", row, name))
				continue
			if (name == "Bzy_MHz" && of("main", row, "Busy%") < 5)
				continue
			consider(of("regs", row, name), row " by perf", of("perf", row, name), bound_of(name, row, of("perf", row, name)))
		}
		end_worst(label, "two copies, two readers", why != "" ? why : "no value in both")
	}
}

function check_sums(    i, row, sum, cpu, core, some, allowed) {
	begin_worst()
	for (i = 1; i <= packages; i++) {
		row = "package " package[i]
		if (!known("main", row, "PkgWatt") || !(known("main", row, "CorWatt") || known("main", row, "GFXWatt")))
			continue
		sum = of("main", row, "CorWatt") + of("main", row, "GFXWatt")
		at_least(of("main", row, "PkgWatt"), row " by CorWatt + GFXWatt", sum, sum / 100 + 0.2)
	}
	end_worst("sums PkgWatt and its parts", "read one after the other", "no such columns")
	begin_worst()
	sum = some = 0
	for (i = 1; i <= packages; i++)
		if (known("main", "package " package[i], "PkgWatt")) {
			sum += of("main", "package " package[i], "PkgWatt")
			some++
		}
	if (some && some == packages && known("main", "system", "PkgWatt"))
		consider(of("main", "system", "PkgWatt"), "sum of the packages", sum, 0.01)
	end_worst("sums PkgWatt", "rounding", "no such columns")
	begin_worst()
	sum = some = 0
	for (i = 1; i <= cpus; i++)
		if (known("main", "cpu" cpu_at[i], "IRQ")) {
			sum += of("main", "cpu" cpu_at[i], "IRQ")
			some++
		}
	if (some && some == cpus && known("main", "system", "IRQ"))
		consider(of("main", "system", "IRQ"), "sum of the CPUs", sum, 0)
	end_worst("sums IRQ", "exact", "no such columns")
	begin_worst()
	sub(/^[^0-9]*/, "", allowed_cpus)
	for (i = 1; i <= stat_cpus; i++)
		allowed += is_listed(stat_cpu[i], allowed_cpus)
	if (stat_cpus && allowed == stat_cpus)
		consider(cpus, "/proc/stat", stat_cpus, 0)
	end_worst("sums CPUs", "exact", stat_cpus ? "this process may not run on all CPUs" : "there is no /proc/stat")
	begin_worst()
	for (i = 1; i <= cpus; i++) {
		cpu = cpu_at[i]
		core = cpu_core[cpu]
		if (first_cpu[core] != cpu || !known("main", "cpu" cpu, "Busy%") || !known("main", "cpu" cpu, "CPU%c1"))
			continue
		sum = of("main", "cpu" cpu, "Busy%") + of("main", "cpu" cpu, "CPU%c1") + core_sleep(core)
		consider(sum, "cpu" cpu ": Busy% and idle states", 100, 3)
	}
	end_worst("sums states", "counters and TSC are read at slightly different times", "no such columns")
}

function check_interrupts(    i, k, cpu, d, word) {
	begin_worst()
	for (i = 1; i <= cpus; i++) {
		cpu = cpu_at[i]
		if (!known("main", "cpu" cpu, "IRQ") || !irq_words)
			continue
		d = 0
		for (k = 1; k <= irq_words; k++) {
			word = irq_word[k]
			if (is_per_cpu(word))
				d += irq_count(2, word, cpu) - irq_count(1, word, cpu)
		}
		consider(of("main", "cpu" cpu, "IRQ"), "cpu" cpu " by /proc/interrupts", d, d / 50 + 100)
	}
	end_worst("IRQ CPU", "the same source", irq_words ? "no such column" : "there is no /proc/interrupts")
	begin_worst()
	for (i = 1; i <= cpus; i++) {
		cpu = cpu_at[i]
		if (known("main", "cpu" cpu, "NMI") && (2, "NMI") in irq_line)
			consider(of("main", "cpu" cpu, "NMI"), "cpu" cpu " by /proc/interrupts", irq_count(2, "NMI", cpu) - irq_count(1, "NMI", cpu), 2)
	}
	end_worst("NMI CPU", "the same source", irq_words ? "no such column" : "there is no /proc/interrupts")
}

function check_replay(    a, b, line, other, same, n) {
	same = 1
	while ((a = getline line < (dir "/main.csv")) > 0) {
		n++
		b = getline other < (dir "/replay.csv")
		if (b <= 0 || other != line) {
			same = 0
			break
		}
	}
	close(dir "/main.csv")
	if (same && (getline other < (dir "/replay.csv")) > 0)
		same = 0
	if (same)
		print_line("ok", "replay: " n " lines, hwcheck.rec the same, bound 0 (the same bytes)")
	else
		print_line("differs", "replay: line " n ", hwcheck.rec another, bound 0 (the same bytes)")
}

# ours(CPU, COLUMN): the row that has the value which another turbostat prints in the CPU's row
function our_row(cpu, name) {
	if (cpu == "-")
		return "system"
	if (known("main", "cpu" cpu, name))
		return "cpu" cpu
	if (known("main", cpu_core[cpu], name))
		return cpu_core[cpu]
	return "package " cpu_package[cpu]
}

# Do two turbostats differ in this column on purpose?  The manual's DIFFERENCES name it.
function is_meant_to_differ(name) {
	return name ~ /^(CoreThr|UncMHz|UMHz)/ || (name ~ /^(Pkg|Cor|GFX|RAM)Watt$/ && dies > packages)
}

function check_peer(    file, line, n, names, f, i, tables, row, cpu, name, clock, k, cells, cell_cpu, cell_name, cell, seen, printed) {
	if ("peer" in note) {
		skip("another turbostat", note["peer"])
		return
	}
	file = dir "/peer.out"
	while ((getline line < file) > 0) {
		if (line ~ /(^|\t)Busy%(\t|$)/) {
			n = split(line, names, "\t")
			continue
		}
		if (!n || line !~ /\t/)
			continue
		split(line, f, "\t")
		cpu = ""
		for (i = 1; i <= n; i++)
			if (names[i] == "CPU")
				cpu = f[i]
		if (cpu == "-" && ++tables > 2)
			break
		for (i = 1; i <= n; i++)
			if (names[i] == "Time_Of_Day_Seconds" && cpu == "-")
				clock[tables] = f[i]
		if (tables != 2 || cpu == "")
			continue
		for (i = 1; i <= n; i++) {
			name = names[i]
			if (f[i] !~ /^-?[0-9.]+$/ || name ~ /^(usec|Time_Of_Day_Seconds|CPU|Core|Package|Die|L3|Node|Module|APIC|X2APIC)$/)
				continue
			cells++
			cell_cpu[cells] = cpu
			cell_name[cells] = name
			cell[cells] = f[i]
			if (!(name in seen)) {
				seen[name] = 1
				printed[++k] = name
			}
		}
	}
	if (!cells) {
		skip("another turbostat", "it printed no second interval")
		return
	}
	if ((1 in clock) && magnitude(clock[2] - clock[1] - of("main", "system", "seconds")) > 0.1) {
		skip("another turbostat", "its interval differs from main's")
		return
	}
	for (k = 1; k in printed; k++) {
		name = printed[k]
		if (is_meant_to_differ(name)) {
			skip("another turbostat, " name, "the two differ on purpose: DIFFERENCES of the manual")
			continue
		}
		begin_worst()
		for (i = 1; i <= cells; i++) {
			if (cell_name[i] != name)
				continue
			row = our_row(cell_cpu[i], name)
			if (!known("main", row, name) || (name == "Bzy_MHz" && of("main", row, "Busy%") < 5))
				continue
			consider(of("main", row, name), row " by the other", cell[i], bound_of(name, row, cell[i]))
		}
		end_worst("another turbostat, " name, "two programs, two readings", "not in both")
	}
}

BEGIN {
	if (!read_csv("main")) {
		print "hwcheck: no second interval in " dir "/main.csv" | "cat 1>&2"
		close("cat 1>&2")
		exit_status = 2
		exit 2
	}
	read_csv("regs")
	read_csv("perf")
	read_lines("static", "static")
	read_lines("witness.1", 1)
	read_lines("witness.2", 2)
	read_explain("main")
	read_explain("regs")
	read_explain("perf")
	read_notes()
	if (check_seconds()) {
		check_tsc()
		check_busy()
		check_clock()
		check_states()
		check_idle()
		check_power()
		check_temperature()
		check_registers()
		check_sums()
		check_interrupts()
		check_replay()
		check_peer()
	} else
		skip("all other lines", "the machine was too busy")
	printf "%d agree, %d differ, %d skipped\n", count["ok"], count["differs"], count["skipped"]
	exit (count["differs"] > 0)
}
