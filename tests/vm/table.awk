# Reads a table of the program and, as `want` says, judges or cuts it.
#   want=check             what no table may hold, one complaint a line
#   want=cells col=C       INTERVAL CPU VALUE of column C, CPU `-` for the summary
#   want=blocks            the number of intervals
#   want=gaps              the seconds between summaries (Time_Of_Day_Seconds)

function complain(text)
{
	print "line " NR ": " text ": " $0
}

# A cell that is not one of the forms a column may hold.
function check_cell(name, cell)
{
	if (cell == "nan")
		return
	if (topology[name] && cell ~ /^(-|[0-9]+|0x[0-9a-f]+)$/)
		return
	if (cell ~ /^0x[0-9a-f]+$/)
		return
	if (cell !~ /^ *[0-9]+(\.[0-9]+)?$/)
		complain(name " is '" cell "'")
	else if (name ~ /%/ && name !~ /_%$/ && name != "Totl%C0" && cell + 0 > 110)
		complain(name " is above 110")
	else if (name != "Time_Of_Day_Seconds" && cell + 0 > 1e11)
		complain(name " is too large")
}

BEGIN {
	FS = "\t"
	n = split("Package Die L3 Node Module Core CPU APIC X2APIC", t, " ")
	for (i = 1; i <= n; i++)
		topology[t[i]] = 1
}

NF == 0 || /^[0-9.]+ sec$/ {
	next
}

head == "" {
	if (want == "check" && $0 !~ /[A-Za-z]/)
		complain("no header")
	head = $0
	columns = NF
	for (i = 1; i <= NF; i++) {
		name[i] = $i
		at[$i] = i
	}
	if (want == "cells" && !(col in at))
		exit
	blocks++
	rows = 0
	next
}

$0 == head {
	blocks++
	rows = 0
	next
}

{
	rows++
	cpu = ("CPU" in at) ? $(at["CPU"]) : "-"
	if (want == "check") {
		if ($1 == name[1])
			complain("the header has changed")
		if (NF > columns)
			complain("longer than the header")
		if (cpu != "-" && (blocks, cpu) in seen)
			complain("CPU " cpu " twice")
		seen[blocks, cpu] = 1
		for (i = 1; i <= NF; i++)
			check_cell(name[i], $i)
	}
	if (want == "cells")
		print blocks, cpu, $(at[col])
	if (want == "gaps" && rows == 1) {
		now = $(at["Time_Of_Day_Seconds"])
		if (before)
			printf "%.3f\n", now - before
		before = now
	}
}

END {
	if (want == "blocks")
		print blocks + 0
	if (want == "check" && !blocks)
		print "no table"
}
