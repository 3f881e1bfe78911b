# Judges a table of the program by the right answers of the imagined machine
# (modules/machine.h), one complaint a line, nothing where all is right:
#
#   awk -f truth.awk TOPOLOGY TABLE
#
# TOPOLOGY has a line `CPU PACKAGE DIE CORE` for each CPU, CORE being its first CPU.
#   -v mhz=N       the clock of the TSC
#   -v seconds=N   what an interval lasts, for columns that count (1)
#   -v need=A,B    columns that must be there
#   -v nan='I:C:COLUMN ...'  where `nan` may stand: extended regular expressions of
#                  interval, CPU and column; the summary may be nan where a row is
#   -v most=N      in how many intervals a cell may be nan (1)
#   -v atoms=N     CPUs from N on are E-cores, whose counter of C6 contains C7
#   -v amd=1       Bzy_MHz goes by the TSC, CorWatt is the core's
#
# A number may be off by 5 %, for what is counted while a pass goes over the CPUs; by 25 % with more
# than 8 of them, where a pass takes as much longer as all of them share one processor. A mean is that
# of the rows, and so is the sum of what CPUs count; energy is all of it or nan, never a part.

function complain(text)
{
	if (complaints++ < 12)
		print "interval " blocks ": " text
}

# The right answer for a CPU's row, "" where there is none; `slack` is how far off it may be.
function answer(name, cpu,    p, busy, speed, c6)
{
	p = package[cpu]
	busy = 10 + 5 * (cpu % 8)
	speed = p % 2 ? 1.5 : 1.25
	c6 = 30 + core[cpu] % 8 - (atoms && cpu >= atoms ? 4 : 0)
	slack = late
	if (name == "Busy%") return busy
	if (name == "IPC") return 1.25
	if (name == "LLC%hit") return 75
	if (name == "CPU%c1") {	# what the others leave
		slack = late * 100 / (93 - busy - c6)
		return 93 - busy - c6
	}
	if (name == "CPU%c3") return 3
	if (name == "CPU%c6") return c6
	if (name == "CPU%c7") return 4
	if (name == "Pkg%pc2") return 3 + 3 * p
	if (name == "Pkg%pc3") return 2
	if (name == "Pkg%pc6") return 10 + 5 * p
	if (name == "Pkg%pc7") return 1.5
	if (name == "Pkg%pc8") return 1.2
	if (name == "Pkg%pc9") return .8
	if (name == "Pk%pc10") return .5
	if (name == "Totl%C0") return 110 + 40 * p
	if (name == "Any%C0") return 60
	if (name == "GFX%C0") return 7
	if (name == "CPUGFX%") return 5
	if (name == "Bzy_MHz") return (amd ? mhz : 2000) * speed
	if (name ~ /Tmp$/)
		slack = .01
	if (name == "CoreTmp") return 45 + core[cpu] % 8
	if (name == "PkgTmp") return 70 + p
	if (name == "Avg_MHz") return mhz * speed * busy / 100
	if (name == "TSC_MHz") return mhz
	if (name == "LLCMRPS") return 10
	if (name == "PkgWatt") return watts[p]
	if (name == "CorWatt") return amd ? .5 + .1 * (core[cpu] % 8) : .4 * watts[p]
	if (name == "RAMWatt") return .2 * watts[p]
	if (name == "GFXWatt") return .1 * watts[p]
	if (name == "Pkg_J") return seconds * watts[p]
	if (name ~ /^E[0-9]+$/) return seconds * 1e6 * substr(name, 2)	# an event by its number
	return ""
}

# How the rows make the summary: a sum, the largest, the mean, or one weighted by Busy%.
function way(name)
{
	if (name ~ /^(LLCMRPS|[A-Z][A-Za-z]*Watt|Pkg_J|E[0-9]+)$/) return "sum"
	if (name ~ /Tmp$/) return "largest"
	if (name == "Bzy_MHz") return "weighted"
	return "mean"
}

# Complains of a wrong cell.
function weigh(cell, right, what)
{
	if (cell !~ /^[0-9.]+$/ || cell < right * (1 - slack) - .02 || cell > right * (1 + slack) + .02)
		complain(what " is " cell ", not " right)
}

function may_be_nan(cpu, name,    i)
{
	for (i = 1; i <= patterns; i++)
		if (blocks ":" cpu ":" name ~ "^(" pattern[i] ")$")
			return 1
	return 0
}

function judge(i, cpu, cell,    right)
{
	right = answer(name[i], cpu)
	if (right == "")
		return
	judged[name[i]]++
	if (cell == "nan") {
		missing[i] = 1
		if (nans[cpu, name[i]]++ == most)
			complain("CPU " cpu " " name[i] " is nan for more than " most " intervals")
		if (!may_be_nan(cpu, name[i]))
			complain("CPU " cpu " " name[i] " is nan, not " right)
		return
	}
	weigh(cell, right, "CPU " cpu " " name[i])
	rows[i]++
	weight = way(name[i]) == "weighted" ? answer("Busy%", cpu) : 1
	answer(name[i], cpu)	# its slack
	weights[i] += weight
	sum[i] += right * weight
	if (right > top[i])
		top[i] = right
}

# What the summary must say of a column; energy is that of all packages.
function summary_answer(i,    w, p, all)
{
	w = way(name[i])
	if (name[i] == "SysWatt" || name[i] == "Sys_J") {
		slack = late
		judged[name[i]]++
		return name[i] == "SysWatt" ? 150 : 150 * seconds
	}
	if (!(i in rows) && !(i in missing))
		return ""
	answer(name[i], first_cpu)
	if (w == "sum" && (name[i] ~ /^(Pkg|RAM|GFX)/ || (name[i] == "CorWatt" && !amd))) {
		for (p in watts)
			all += answer(name[i], representative[p])
		return all
	}
	if (w == "sum")
		return sum[i]
	if (w == "largest")
		return top[i]
	return weights[i] ? sum[i] / weights[i] : ""
}

# The summary stands before its rows, and is judged after them.
function end_block(    i, right)
{
	for (i = 1; blocks && i <= columns; i++) {
		right = summary_answer(i)
		if (right == "" || summary[i] == "" || (summary[i] == "nan" && ((i in missing) || may_be_nan("-", name[i]))))
			continue
		weigh(summary[i], right, "the summary of " name[i])
	}
	split("", summary)
	split("", missing)
	split("", rows)
	split("", weights)
	split("", sum)
	split("", top)
}

BEGIN {
	FS = "\t"
	patterns = split(nan, pattern, " ")
	if (!seconds)
		seconds = 1
	if (most == "")
		most = 1
	late = .05
}

FNR == NR {
	split($0, id, " ")
	if (++cpus > 8)
		late = .25
	package[id[1]] = id[2]
	core[id[1]] = id[4]
	if (first_cpu == "")
		first_cpu = id[1]
	if (!((id[2], id[3]) in die)) {
		die[id[2], id[3]] = 1
		watts[id[2]] += 10 * (1 + 2 * id[2] + id[3] % 2)
		representative[id[2]] = id[1]
	}
	next
}

NF == 0 || /^[0-9.]+ sec$/ || /^turbostat: / {
	next
}

$0 ~ /(^|\t)CPU(\t|$)/ {
	end_block()
	blocks++
	columns = NF
	for (i = 1; i <= NF; i++) {
		name[i] = $i
		if ($i == "CPU")
			cpu_at = i
	}
	next
}

$cpu_at == "-" {
	for (i = 1; i <= NF; i++)
		summary[i] = $i
	next
}

{
	for (i = 1; i <= NF; i++)
		if (i != cpu_at && $i != "")
			judge(i, $cpu_at, $i)
}

END {
	end_block()
	if (!blocks)
		print "no table"
	n = split(need, column, ",")
	for (i = 1; i <= n; i++)
		if (blocks && !(column[i] in judged))
			print "no column " column[i]
}
