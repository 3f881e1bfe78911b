#!/bin/sh
# properties.sh - what is true of every machine, whatever its figures: checked over
# all recordings of tests/golden.
#
#   list        --list is the header of --debug with commas
#   show        --show of some columns gives just these columns of the whole table
#   summary     -S gives the summary row without the topology columns
#   cpu         --cpu LIST leaves out rows and changes neither the summary nor a CPU's cells
#   gaps        other CPU numbers in the same order: another CPU column, and nothing else
#   renumber    CPU numbers exchanged among cores: the same rows in another order
#   order       threads of a core stand together, cores of a die, dies of a package
#   possible    no percentage below 0 or above 110
#   still       where only the time and the TSC move, there are zeros, and nan only
#               where a formula divides by what did not move
#   late        where the end of one sample is late, but no CPU, every cell is as it was:
#               a summary goes by the clocks of its rows
#   total       the total of one interval is that interval, but for temperatures: these
#               are the highest of its samples
#
#   tests/properties.sh [NAME...]     all machines, or these
#
# To be run from the project's top directory. TURBOSTAT names the program,
# ./turbostat if unset.

LC_ALL=C
export LC_ALL

. tests/limit.sh
dir=tests/golden
tmp=build/properties.$$

mkdir -p "$tmp" || exit 1
trap 'rm -rf "$tmp"' EXIT
trap 'exit 1' HUP INT TERM

# Writes a recording anew with other CPU numbers. The first file holds lines "OLD NEW";
# a CPU that is not in it keeps its number, or with "gaps" gets that of the gap rule.
cat >"$tmp/renumber.awk" <<'AWK'
function number(c) { return c in map ? map[c] : gaps ? 3 * c + 2 : c }

# "0-3,8" or "0 2 4": every number replaced, ranges written out
function list(text,    n, i, part, ends, c, out, sep)
{
	sep = text ~ /,/ || text !~ / / ? "," : " "
	n = split(text, part, /[, ]/)
	out = ""
	for (i = 1; i <= n; i++) {
		if (part[i] == "")
			continue
		if (split(part[i], ends, "-") == 1)
			ends[2] = ends[1]
		for (c = ends[1] + 0; c <= ends[2] + 0; c++)
			out = out (out == "" ? "" : sep) number(c)
	}
	return out
}

# every "cpuN" or "CPUN" of a text
function names(text, word,    out)
{
	out = ""
	while (match(text, word "[0-9]+")) {
		out = out substr(text, 1, RSTART + length(word) - 1) number(substr(text, RSTART + length(word), RLENGTH - length(word)) + 0)
		text = substr(text, RSTART + RLENGTH)
	}
	return out text
}

FNR == NR { map[$1] = $2; next }

/^(cpuid|msr|perf|tsc|cpu|clock) / {
	if ($2 != "*")
		$2 = number($2 + 0)
	print
	next
}
/^(file|link|dir|word) / {
	path = $2
	text = substr($0, length($1) + length($2) + 2)
	if (path ~ /\/(online|possible|present|offline|cpulist|cpumask|cpus|cpuset\.cpus\.effective|[a-z_]+_list)$/ &&
	    path !~ /\/sys\/devices\/system\/node\/(online|possible)$/ && text ~ /^ "[-0-9, ]*\\n"$/)
		text = " \"" list(substr(text, 3, length(text) - 5)) "\\n\""
	else if (path == "/proc/interrupts" && (i = index(text, "\\n")))
		text = names(substr(text, 1, i - 1), "CPU") substr(text, i)
	else if (path == "/proc/stat")
		text = names(text, "cpu")
	print $1 " " names(path, "cpu") text
	next
}
{ print }
AWK

# Two samples of a recording between which only the time, the TSC and idle ticks move.
cat >"$tmp/still.awk" <<'AWK'
function seconds(t, s,    part) { split(t, part, "."); return sprintf("%.0f.%s", part[1] + s, part[2]) }
/^sample 1 / { exit }
/^tick/, /^done/ { next }
/^(end|clock|command|run)/ { next }
/^sample 0 / { wall = $3; mono = $4 }
/^tsc / { tsc[$2] = $3 }
/^perf [0-9]+ msr 0 [0-9]/ { perf[$2] = $5 }
/^perf / && NF == 7 { running[$1 " " $2 " " $3 " " $4] = $5 " " add($6) " " add($7) }
/^file \/proc\/stat / && wall != "" { stat = $0 }
{ print }
END {
	if (wall == "")
		exit
	print "sample 1", seconds(wall, 5), seconds(mono, 5)
	# as text: a double does not hold 64 bits
	for (c in tsc)
		print "tsc", c, add(tsc[c])
	for (c in perf)
		print "perf", c, "msr 0", add(perf[c])
	for (c in running)
		if (c !~ / msr 0$/)
			print c, running[c]
	if (stat != "")
		print idle(stat)
	print "done\nend"
}
# /proc/stat with 500 idle ticks more of each CPU
function idle(s,    text, f) {
	while (match(s, /cpu[0-9]+ [0-9]+ [0-9]+ [0-9]+ [0-9]+/)) {
		split(substr(s, RSTART, RLENGTH), f, " ")
		text = text substr(s, 1, RSTART - 1) f[1] " " f[2] " " f[3] " " f[4] " " f[5] + 500
		s = substr(s, RSTART + RLENGTH)
	}
	return text s
}
# plus 10^10, without carrying out of 10 digits above
function add(n,    low) {
	low = length(n) > 10 ? substr(n, length(n) - 9) : n
	return sprintf("%.0f%010.0f", substr(n, 1, length(n) - length(low)) + 1, low)
}
AWK

# The end of sample 1 is late by two seconds; every CPU was read when it was.
cat >"$tmp/late.awk" <<'AWK'
function later(t, s,    part) { split(t, part, "."); return sprintf("%.0f.%s", part[1] + s, part[2]) }
FNR == NR {
	if ($1 == "sample" && NF >= 6) {
		ahead = $6 - $4
		slept = slept || (measured++ && ahead - before > 0.01)
		before = ahead
	}
	if ($1 ~ /^(msr|tsc|perf|clock)$/ && $2 ~ /^[0-9]+$/)
		cpus[$2 + 0] = 1
	if ($1 == "file" && $2 ~ /\/cpu[0-9]+\// && match($2, /\/cpu[0-9]+\//))
		cpus[substr($2, RSTART + 4, RLENGTH - 5) + 0] = 1
	next
}
slept { exit }	# then the sleep is told from the whole pass
/^sample / {
	wall = $3
	mono = $4
	if ($2 == 1) {
		$4 = later($4, 2)
		if (NF >= 6)
			$6 = later($6, 2)
	}
	print
	for (c in cpus)
		print "clock", c, wall, wall, mono, mono
	next
}
/^clock / && NF < 6 { $0 = $0 " " mono " " mono }
{ print }
AWK

# The judge. Reads the tables that measure() has written.
cat >"$tmp/judge.awk" <<'AWK'
# load(T): the table of file T. line[T, i] the lines, head[T] the header, block[T, i], first[T, i] = summary row
function load(t,    file, l, n, b, last)
{
	file = base "." t
	n = b = 0
	while ((getline l < file) > 0) {
		if (l !~ /\t/ && l ~ / /)
			continue	# "N sec"
		if (!n)
			head[t] = l
		line[t, ++n] = l
		is_head[t, n] = l == head[t]
		if (l == head[t])
			b++
		else if (last)
			summary[t, n] = 1
		last = l == head[t]
		block[t, n] = b
	}
	close(file)
	lines[t] = n
}
function complain(what) { if (++complaints[now] <= 5) print "    " what > detail }
function verdict(name)
{
	if (complaints[name]) {
		print "FAIL properties/" machine "/" name
		close(detail)
		while ((getline l < detail) > 0)
			print l
		printf "" > detail
		bad = 1
	} else
		print "ok properties/" machine "/" name
}
function topology(c) { return c ~ /^(Package|Die|L3|Node|Module|Core|CPU)$/ }

# the cells of a line whose columns are chosen; none: ""
function chosen(l, names,    f, h, n, i, out, some)
{
	n = split(l, f, "\t")
	split(head["full"], h, "\t")
	out = ""
	some = 0
	for (i = 1; i <= n; i++)
		if (h[i] in names) {
			out = out (some ? "\t" : "") f[i]
			some = 1
		}
	return out
}

# --show of the columns in the comma-separated list equals these columns of the whole table
function check_show(t, list,    names, part, n, i, k, want)
{
	split("", names)
	n = split(list, part, ",")
	for (i = 1; i <= n; i++)
		names[part[i]] = 1
	k = 0
	for (i = 1; i <= lines["full"]; i++) {
		want = chosen(line["full", i], names)
		if (want == "")
			continue
		k++
		if (line[t, k] != want)
			complain("--show " list ": line " k ": " line[t, k] ", in the whole table " want)
	}
	if (k != lines[t])
		complain("--show " list ": " lines[t] " lines, in the whole table " k)
}

function check_summary(    h, n, i, names, k, want)
{
	split("", names)
	n = split(head["full"], h, "\t")
	for (i = 1; i <= n; i++)
		if (!topology(h[i]))
			names[h[i]] = 1
	k = 0
	for (i = 1; i <= lines["full"]; i++) {
		if (i > 1 && !summary["full", i])
			continue
		want = chosen(line["full", i], names)
		if (line["summary", ++k] != want)
			complain("-S: line " k ": " line["summary", k] ", in the whole table " want)
	}
	if (k != lines["summary"])
		complain("-S: " lines["summary"] " lines, expected " k)
}

# where(T, NAME): the number of a column, 0 if there is none
function where(t, name,    h, n)
{
	for (n = split(head[t], h, "\t"); n && h[n] != name; n--)
		;
	return n
}

# as the whole table, but for the columns of the clock
function check_late(    i, h, n, names)
{
	split("", names)
	n = split(head["full"], h, "\t")
	for (i = 1; i <= n; i++)
		if (h[i] !~ /^(usec|Time_Of_Day_Seconds)$/)
			names[h[i]] = 1
	for (i = 1; i <= lines["full"]; i++)
		if (chosen(line["full", i], names) != chosen(line["late", i], names))
			complain("line " i ": " line["late", i] ", in time " line["full", i])
	if (lines["late"] != lines["full"])
		complain(lines["late"] " lines, in time " lines["full"])
}

# how many cells a row has at least: those of scope cpu
function narrowest(t,    i, f, n, least)
{
	least = 9999
	for (i = 1; i <= lines[t]; i++) {
		n = split(line[t, i], f, "\t")
		if (!is_head[t, i] && !summary[t, i] && n < least)
			least = n
	}
	return least
}

function cells(l, n,    f, i, out, m)
{
	m = split(l, f, "\t")
	out = f[1]
	for (i = 2; i <= n && i <= m; i++)
		out = out "\t" f[i]
	return out
}

function check_cpu(    i, f, c, n, part, wanted, of, k, seen, expected, least)
{
	c = where("full", "CPU")
	least = narrowest("full")
	n = split(cpus, part, ",")
	for (i = 1; i <= n; i++)
		wanted[part[i]] = 1
	for (i = 1; i <= lines["full"]; i++) {
		split(line["full", i], f, "\t")
		of[block["full", i], is_head["full", i] ? "head" : f[c]] = line["full", i]
		expected += f[c] in wanted
	}
	for (i = 1; i <= lines["cpu"]; i++) {
		split(line["cpu", i], f, "\t")
		k = is_head["cpu", i] ? "head" : f[c]
		if (k == "head" || k == "-") {
			if (line["cpu", i] != of[block["cpu", i], k])
				complain("--cpu " cpus ": " line["cpu", i] ", without " of[block["cpu", i], k])
			continue
		}
		seen++
		if (!(k in wanted))
			complain("--cpu " cpus ": a row of CPU " k)
		if (cells(line["cpu", i], least) != cells(of[block["cpu", i], k], least))
			complain("--cpu " cpus ": " line["cpu", i] ", without " of[block["cpu", i], k])
	}
	if (seen != expected)
		complain("--cpu " cpus ": " seen " rows, expected " expected)
}

# a line with its own CPU number back
function with_old_number(l, c, back,    f, n, i, out)
{
	n = split(l, f, "\t")
	if (f[c] in back)
		f[c] = back[f[c]]
	out = f[1]
	for (i = 2; i <= n; i++)
		out = out "\t" f[i]
	return out
}

function check_map(t, mapfile, in_order,    l, f, back, c, i, set, want)
{
	split("", back)
	while ((getline l < mapfile) > 0) {
		split(l, f, " ")
		back[f[2]] = f[1]
	}
	close(mapfile)
	c = where(t, "CPU")
	split("", set)
	for (i = 1; i <= lines["full"]; i++)
		set[block["full", i], line["full", i]] = 1
	for (i = 1; i <= lines[t]; i++) {
		l = is_head[t, i] ? line[t, i] : with_old_number(line[t, i], c, back)
		if (in_order ? l != line["full", i] : !((block[t, i], l) in set))
			complain("line " i ": " l ", before " line["full", i])
	}
	if (lines[t] != lines["full"])
		complain(lines[t] " lines, before " lines["full"])
}

function check_order(    i, f, p, d, k, c, b, key, part, done, last, lastkey, lead, lastlead)
{
	p = where("full", "Package")
	d = where("full", "Die")
	k = where("full", "Core")
	c = where("full", "CPU")
	for (i = 1; i <= lines["full"]; i++) {
		if (is_head["full", i] || summary["full", i]) {
			split("", done)
			last[1] = last[2] = last[3] = ""
			lastlead = -1
			continue
		}
		split(line["full", i], f, "\t")
		part[1] = p ? f[p] : 0
		part[2] = part[1] SUBSEP (d ? f[d] : 0)
		part[3] = part[2] SUBSEP f[k]
		for (key = 1; key <= 3; key++) {
			if (part[key] == last[key])
				continue
			if ((key, part[key]) in done)
				complain("row of CPU " f[c] ": its " (key == 1 ? "package" : key == 2 ? "die" : "core") " had been left")
			if (key == 2)
				lastlead = -1
			done[key, part[key]] = 1
			if (key == 3) {
				if (f[c] + 0 <= lastlead)
					complain("row of CPU " f[c] ": core after the one of CPU " lastlead)
				lastlead = f[c] + 0
				thread = f[c] + 0
			}
			last[key] = part[key]
		}
		if (f[c] + 0 < thread)
			complain("row of CPU " f[c] ": thread after CPU " thread)
		thread = f[c] + 0
	}
}

function check_possible(    i, j, f, h, n)
{
	n = split(head["full"], h, "\t")
	for (i = 1; i <= lines["full"]; i++) {
		n = split(line["full", i], f, "\t")
		for (j = 1; j <= n && !is_head["full", i]; j++) {
			if (f[j] !~ /^(-|nan|[0-9]+(\.[0-9]+)?|-[0-9]+|0x[0-9a-f]+)$/)
				complain(h[j] ": " f[j])
			if (f[j] ~ /^-[0-9]/ && h[j] !~ /^(Node|Module)$/ && (h[j] !~ /Tmp$/ || f[j] < -60))
				complain(h[j] " below 0: " f[j])
			if (h[j] ~ /%/ && h[j] !~ /^(Totl%C0|PKG_%|RAM_%)$/ && f[j] != "nan" && f[j] > 110)
				complain(h[j] " above 110: " f[j])
			if (h[j] ~ /^(IRQ|NMI|SMI)$/ && f[j] != "nan" && f[j] > 4e9)
				complain(h[j] ": " f[j])
			if (length(f[j]) > 20)
				complain(h[j] ": " f[j])
		}
	}
}

function check_still(    i, j, f, h, n, was)
{
	n = split(head["still"], h, "\t")
	if (head["still"] != head["full"])
		complain("another header: " head["still"])
	for (i = 1; i <= lines["still"]; i++) {
		n = split(line["still", i], f, "\t")
		split(line["full", i], was, "\t")
		for (j = 1; j <= n && !is_head["still", i]; j++) {
			if (topology(h[j]) || h[j] ~ /^(usec|Time_Of_Day_Seconds|X?2?APIC|TSC_MHz|CoreTmp|CcdTmp|PkgTmp|GFXA?MHz|SAMA?MHz|UncMHz|UMHz.*)$/ || h[j] == gauges)
				continue
			if (f[j] == "nan" && was[j] == "nan")
				continue	# nothing is known of it
			if (h[j] ~ /^(Bzy_MHz|IPC|LLC%hit|L2%hit|SMI%|TD%[a-z]+)$/) {
				if (f[j] != "nan")
					complain(h[j] ": " f[j] ", expected nan")
			} else if (h[j] == "CPU%c1" && f[j] == "100.00")
				continue	# what is left of the time
			else if (f[j] + 0 != 0 || f[j] == "nan")
				complain(h[j] ": " f[j] ", expected 0")
		}
	}
}

BEGIN {
	detail = base ".detail"
	printf "" > detail
	load("full"); load("summary"); load("cpu"); load("gaps"); load("renumber"); load("still"); load("late")
	getline listed < (base ".list")
	now = "list"
	h = head["full"]
	gsub(/\t/, ",", h)
	if (h != "" && h != listed)
		complain("--list: " listed ", header: " h)
	if (listed == "")
		complain("--list printed nothing")
	verdict(now)
	if (!lines["full"])
		exit bad

	now = "show"
	while ((getline l < (base ".shows")) > 0) {
		split(l, f, " ")
		load(f[1])
		check_show(f[1], f[2])
	}
	verdict(now)
	now = "summary"; check_summary(); verdict(now)
	now = "cpu"; check_cpu(); verdict(now)
	if (index(maps, "gaps")) {
		now = "gaps"; check_map("gaps", base ".gapsmap", 1); verdict(now)
	}
	if (index(maps, "cores")) {
		now = "renumber"; check_map("renumber", base ".map", 0); verdict(now)
	}
	now = "order"; check_order(); verdict(now)
	now = "possible"; check_possible(); verdict(now)
	now = "still"; check_still(); verdict(now)
	if (head["late"] != "") {
		now = "late"; check_late(); verdict(now)
	}
	exit bad
}
AWK

# From the whole table: the lists of columns to show, the CPUs to show, and two ways to
# number the CPUs. Two cores exchange their numbers if they lie in the same package, die,
# node, L3 and module and neither comes first in it, so that the first CPU of each unit
# stays the first. A module that is one core is no obstacle.
cat >"$tmp/plan.awk" <<'AWK'
BEGIN { FS = "\t"; n = 0 }
!/\t/ && / / { next }
!header { header = $0; width = NF; for (i = 1; i <= NF; i++) { name[i] = $i; at[$i] = i } next }
$0 == header { exit }
$(at["CPU"]) == "-" { next }
{
	cpu[n] = $(at["CPU"])
	unit[n] = ""
	for (i = 1; i < at["Core"]; i++)
		if (name[i] ~ /^(Package|Die|L3|Node)$/)
			unit[n] = unit[n] "/" $i
	module[n] = "Module" in at ? unit[n] "/" $(at["Module"]) : unit[n]
	core[n] = unit[n] "/" $(at["Core"])
	if (core[n] != core[n - 1])
		size[module[n]]++
	n++
}

# exchange(A, B, COUNT): the numbers of COUNT threads from rows A and B on
function exchange(a, b, count,    t)
{
	for (t = 0; t < count; t++) {
		print cpu[a + t], cpu[b + t] > (base ".map")
		print cpu[b + t], cpu[a + t] > (base ".map")
	}
}

END {
	if (!n)
		exit
	for (i = 1; i <= width; i++) {
		# where nothing is read on a CPU nobody goes there: no time is spent, and a CPU
		# that refuses is not noticed
		if (name[i] !~ /^(usec|Time_Of_Day_Seconds)$/ && !refuses)
			print "show" i, name[i] > (base ".shows")
		half[i % 2] = half[i % 2] "," name[i]
		quarter[i % 4 < 2] = quarter[i % 4 < 2] "," name[i]
	}
	for (i = 0; i < 2 && width > 1; i++) {
		print "half" i, substr(half[i], 2) > (base ".shows")
		if (quarter[i] != "")
			print "quarter" i, substr(quarter[i], 2) > (base ".shows")
	}
	list = ""
	for (i = n > 1; i < n; i += 2)
		list = list "," cpu[i]
	print substr(list, 2) > (base ".cpus")
	for (i = 0; i < n; i++)
		print cpu[i], 3 * cpu[i] + 2 > (base ".gapsmap")

	# cores one after another: each waits for a partner of its kind
	for (i = 0; i < n; i += count) {
		for (count = 1; i + count < n && core[i + count] == core[i]; count++)
			;
		kind = unit[i] SUBSEP (size[module[i]] > 1 ? module[i] : "")
		if (!begun[kind]++)
			continue
		kind = kind SUBSEP count
		if (kind in waiting) {
			exchange(waiting[kind], i, count)
			delete waiting[kind]
		} else
			waiting[kind] = i
	}
}
AWK

# table NAME RECORDING ARGUMENTS...: a table, in $base.NAME
table()
{
	name=$1
	shift
	"$program" --quiet --out "$base.$name" --replay "$@" >/dev/null 2>&1 </dev/null
}

# measure MACHINE: the whole output for one machine
measure()
{
	rec=$dir/$1/machine.rec
	base=$tmp/$1
	columns=--debug
	table full "$rec" $columns
	"$program" --replay "$rec" --list >"$base.list" 2>/dev/null </dev/null
	awk -v base="$base" -v refuses="$(grep -c '^cpu [0-9]* !' "$rec")" -f "$tmp/plan.awk" "$base.full"
	if [ -f "$base.cpus" ]; then
		table summary "$rec" $columns --Summary
		table cpu "$rec" $columns --cpu "$(cat "$base.cpus")"
		while read -r name list; do
			table "$name" "$rec" --show "$list"
		done <"$base.shows"
		if grep -q CPU%c1e "$base.list"; then
			# it comes from a place that the number of the CPU decides
			rm -f "$base.map" "$base.gapsmap"
		fi
		if [ -f "$base.gapsmap" ]; then
			awk -v gaps=1 -f "$tmp/renumber.awk" "$base.gapsmap" "$rec" >"$base.rec"
			table gaps "$base.rec" $columns
		fi
		if [ -f "$base.map" ]; then
			awk -f "$tmp/renumber.awk" "$base.map" "$rec" >"$base.rec"
			table renumber "$base.rec" $columns
		fi
		awk -f "$tmp/still.awk" "$rec" >"$base.rec"
		table still "$base.rec" $columns
		awk -f "$tmp/late.awk" "$rec" "$rec" >"$base.rec"
		[ ! -s "$base.rec" ] || table late "$base.rec" $columns
	fi
	awk -v base="$base" -v machine="$1" -v cpus="$(cat "$base.cpus" 2>/dev/null)" \
		-v maps="$([ -f "$base.gapsmap" ] && echo gaps; [ -f "$base.map" ] && echo cores)" \
		-v gauges="$(grep -q '/power1_' "$rec" && echo GFXWatt)" -f "$tmp/judge.awk" </dev/null || failed=1
	[ ! -f "$base.cpus" ] || table total "$rec" -n 1 --total --enable all --hide usec,Time_Of_Day_Seconds,CoreTmp,PkgTmp,CcdTmp
	if [ -f "$base.total" ] && ! awk '/^total / { after = 1; next }
		after { total = total $0 "\n"; next }
		{ interval = interval $0 "\n" }
		END { exit total "" != interval "" }' "$base.total"; then
		failed=1
		echo "FAIL properties/$1/total"
		sed 's/^/    /' "$base.total"
	elif [ -f "$base.total" ]; then
		echo "ok properties/$1/total"
	fi
	rm -f "$base".*
}

# some PARITY MACHINE...: every other machine, so that two processors have something to do
some()
{
	parity=$1
	shift
	i=0
	failed=0
	for machine; do
		i=$((i + 1))
		[ $((i % 2)) -eq "$parity" ] || continue
		measure "$machine"
	done
	return $failed
}

if [ $# -eq 0 ]; then
	# shellcheck disable=SC2046	# names without blanks
	set -- $(find "$dir" -name machine.rec | sort | sed 's|.*/\(.*\)/.*|\1|')
fi
some 0 "$@" >"$tmp/result.0" &
other=$!
some 1 "$@"
status=$?
wait $other || status=1
cat "$tmp/result.0"
exit $status
