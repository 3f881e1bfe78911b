#!/bin/sh
# formats.sh - JSON, CSV and Prometheus against the table, and against programs that read them.
#
#   agree      every cell of the table, and the value of its row in CSV, rounded as the
#              table rounds, are the same text; nan is an empty field
#   same       JSON and CSV have the same rows and values; a column stands in rows of the scope
#              that is told of it
#   totals     Prometheus: no total falls; Joules and counts are the sum of the intervals'
#   system     what the first object of JSON says of the machine is what the header says
#   per        what --per gives for counts and Joules adds up to the summary, for every unit
#
# and, of some machines, that programs read them, what happens with names that need
# quotes, --append, options that exclude each other, and output that cannot be written.
#
#   tests/formats.sh [NAME...]     all, or these machines of tests/golden and these of the other tests
#
# To be run from the project's top directory. TURBOSTAT names the program,
# ./turbostat if unset.

LC_ALL=C
export LC_ALL

. tests/limit.sh
dir=tests/golden
tmp=build/formats.$$
failed=0

mkdir -p "$tmp" || exit 1
trap 'rm -rf "$tmp"' EXIT
trap 'exit 1' HUP INT TERM

# what is asked for: machines, and tests that are not of one machine
machines='' cases='' found=
for name; do
	if [ -d "$dir/$name" ]; then
		machines="$machines $name"
	elif [ "$name" = promtool ]; then	# it reads what all of them print
		machines=$(ls "$dir")
	else
		cases="$cases $name"
	fi
done
if [ $# -eq 0 ]; then
	machines=$(ls "$dir")
fi

# wanted NAME: is it asked for? A test with no machine in its name runs without arguments, or if it
# is named; promtool also behind the machines that are named.
wanted()
{
	case $1 in
	*/*)	return 0 ;;
	promtool)	[ -z "$machines" ] || return 0 ;;
	esac
	case " $cases " in
	"  ")	return 0 ;;
	*" $1 "*)	found="$found $1" ;;
	*)	return 1 ;;
	esac
}

# skip NAME REASON
skip()
{
	! wanted "$1" || echo "skip formats/$1: $2"
}

# verdict NAME FILE: ok if FILE is empty, otherwise FAIL and what it says
verdict()
{
	if ! wanted "$1"; then
		return
	fi
	if [ -s "$2" ]; then
		failed=1
		echo "FAIL formats/$1"
		sed -n '1,6s/^/    /p' "$2" | cut -c1-300
	else
		echo "ok formats/$1"
	fi
}

# JSON Lines to lines "SCOPE IDS NAME VALUE" of each interval, as csv.awk makes them.
cat >"$tmp/json.awk" <<'AWK'
# the next token of the text s from i on, in token; strings with their quotes
function next_token(    c, begin)
{
	c = substr(s, i, 1)
	begin = i
	if (c == "\"") {
		for (i++; (c = substr(s, i, 1)) != "\""; i++)
			if (c == "\\")
				i++
		i++
	} else if (index("{}[]:,", c))
		i++
	else
		while (i <= length(s) && !index("{}[]:,", substr(s, i, 1)))
			i++
	token = substr(s, begin, i - begin)
}
function bare(t) { if (t == "null") return ""; gsub(/^"|"$/, "", t); return t }
function flush_row(    k)
{
	if (scope == "")
		return
	for (k = 1; k <= n; k++)
		print interval, scope, ids, name[k], value[k]
	scope = ids = ""
	n = 0
}
{
	s = $0
	i = 1
	if (s !~ /^\{"type":"(interval|command)","schema":1,.*\}$/) {
		if (s !~ /^\{"type":"system","schema":1,/)
			print "not an object of a known type: " substr(s, 1, 60)
		next
	}
	interval++
	depth = 0
	where = key = ""
	while (i <= length(s)) {
		next_token()
		if (token == "{" || token == "[") {
			if (token == "{")
				depth++
			if (depth == 2 && token == "{")
				scope = key == "system" ? "system" : ""
			if (depth == 1 && key != "")
				where = key
			key = ""
		} else if (token == "}") {
			if (depth == 2)
				flush_row()
			depth--
			key = ""
		} else if (token == "]") {
			where = key = ""
		} else if (token == ",") {
			key = ""
		} else if (token != ":") {
			if (key == "" && where != "command") {
				key = bare(token)
				next_token()	# the colon
				if (substr(s, i, 1) ~ /[{[]/)
					continue
				next_token()
				if (depth == 2) {
					if (key == "scope")
						scope = bare(token)
					else if (key ~ /^(package|die|l3|node|module|core|cpu|cputype)$/)
						ids = ids (token == "null" ? "" : key "=" bare(token) ",")
					else if (key != "cpus") {
						name[++n] = key
						value[n] = bare(token)
					}
				}
			}
		}
	}
}
AWK
cat >"$tmp/csv.awk" <<'AWK'
# the fields of a line, of which a few are in quotes
function split_csv(l, f,    n, rest)
{
	if (l !~ /"/)
		return split(l, f, ",")
	n = 0
	for (rest = l ","; rest != ""; ) {
		if (rest ~ /^"/) {
			match(rest, /^"([^"]|"")*"/)
			f[++n] = substr(rest, 2, RLENGTH - 2)
			gsub(/""/, "\"", f[n])
			rest = substr(rest, RLENGTH + 2)
		} else {
			match(rest, /^[^,]*/)
			f[++n] = substr(rest, 1, RLENGTH)
			rest = substr(rest, RLENGTH + 2)
		}
	}
	return n
}
NR == 1 {
	fields = split_csv($0, head)
	if ($0 !~ /^type,name,n,status,time,iso,seconds,scope,package,die,l3,node,module,core,cpu,cputype/)
		print "the names: " $0
	next
}
{
	n = split_csv($0, f)
	if (n != fields)
		print "line " NR ": " n " fields for " fields " names"
	if (f[8] == "system")
		interval++
	ids = ""
	for (i = 9; i <= 16; i++) {
		if (f[i] != "")
			ids = ids head[i] "=" f[i] ","
		if (f[i] !~ (i < 16 ? "^[0-9]*$" : "^[PEL]?$"))
			print "line " NR ": " head[i] " is " f[i]
	}
	for (i = 17; i <= fields; i++)
		print interval, f[8], ids, head[i], f[i]
}
AWK
# A table against the lines of csv.awk.
cat >"$tmp/agree.awk" <<'AWK'
BEGIN { FS = " " }
FNR == NR {
	# INTERVAL SCOPE IDS NAME VALUE; of the system there are no ids
	if ($2 == "system") {
		system_value[$1, $3] = $4
		next
	}
	if ($5 != "")
		stands[$1, $2, $4] = 1
	value[$1, $2, $3, $4] = $5
	if ($2 == "cpu" && match($3, /cpu=[0-9]+/))
		ids[$1, substr($3, RSTART + 4, RLENGTH - 4)] = $3
	rows[$1, $2] = rows[$1, $2] SUBSEP $3
	if ($5 != "" || !($4 in scope_of))
		scope_of[$4] = $2
	next
}
function rounded(v, cell)
{
	if (v == "")
		return "nan"
	if (cell ~ /^-?[0-9]+\.[0-9][0-9]$/)
		return sprintf("%.2f", v)
	if (cell ~ /^-?[0-9]+$/ && v ~ /[.e]/)
		return sprintf("%.0f", v)
	return v
}
# do the ids of a row lie within those of a CPU?
function within(row, cpu,    n, part, i)
{
	n = split(row, part, ",")
	for (i = 1; i < n; i++)
		if (index("," cpu, "," part[i] ",") == 0)
			return 0
	return 1
}
function lookup(k, scope, cpu, name,    n, row, i)
{
	if (scope == "cpu")
		return value[k, scope, ids[k, cpu], name]
	n = split(rows[k, scope], row, SUBSEP)
	for (i = 2; i <= n; i++)
		if (within(row[i], ids[k, cpu]))
			return value[k, scope, row[i], name]
	return "no row"
}
/^[0-9.]+ sec$/ { next }
{
	n = split($0, f, "\t")
	if (header == "" || $0 == header) {
		header = $0
		columns = split($0, name, "\t")
		first = 1
		next
	}
	if (first)
		k++
	cpu = ""
	for (i = 1; i <= columns; i++)
		if (name[i] == "CPU")
			cpu = f[i]
	for (i = 1; i <= n; i++) {
		if (name[i] ~ /^(Package|Die|L3|Node|Module|Core|CPU|Type)$/ || (first && name[i] ~ /^X?2?APIC$/))
			continue
		v = "no row"
		if (!first && ((k, scope_of[name[i]], name[i]) in stands || f[i] == "nan"))
			v = lookup(k, scope_of[name[i]], cpu, name[i])
		if (first || v == "" && f[i] != "nan" || v == "no row")
			v = system_value[k, name[i]]
		if (rounded(v, f[i]) != f[i])
			print "interval " k ", CPU " cpu ", " name[i] ": " f[i] " in the table, " v
		cells++
	}
	first = 0
}
END { if (!cells) print "no cell was compared" }
AWK

# Of a unit's rows: counts and Joules that stand in them add up to the summary.
cat >"$tmp/per.awk" <<'AWK'
/^unit / {
	tell()
	unit = $2
	next
}
/^type,/ {
	fields = split($0, head, ",")
	next
}
{
	split($0, f, ",")
	if (f[8] == "system") {
		interval++
		for (i = 17; i <= fields; i++)
			whole[interval, i] = f[i]
		next
	}
	if (f[8] != unit)
		print "a row of " f[8] " among those of " unit
	for (i = 17; i <= fields; i++)
		if (f[i] != "") {
			sum[interval, i] += f[i]
			some[interval, i] = 1
		}
}
END { tell() }
# what is wrong with the rows of a unit, which then are done with
function tell(    k, i, d)
{
	for (k = 1; k <= interval; k++)
		for (i = 17; i <= fields; i++) {
			d = sum[k, i] - whole[k, i]
			if ((k, i) in some && head[i] ~ /^(IRQ|NMI|SMI|CoreThr)$|_J$|^(POLL|C[0-9]+[A-Z]*)[-+]?$/ &&
			    (d > 1e-4 || d < -1e-4))
				print unit ": interval " k ": " head[i] ": " sum[k, i] " of " whole[k, i]
		}
	interval = 0
	split("", sum)
	split("", some)
	split("", whole)
}
AWK

# The exposition of each interval, then the lines of csv.awk, of the same recording. The exposition
# of its first interval is added to the others'.
cat >"$tmp/totals.awk" <<'AWK'
BEGIN { print "machine " machine >>first }
FNR == NR && !interval { print >>first }
FNR == NR {
	if ($0 == "") {
		interval++
		next
	}
	if ($1 == "#") {
		if ($2 == "TYPE")
			kind[$3] = $4
		if ($2 == "TYPE" && told[interval, $3]++)
			print $3 " is told twice"
		next
	}
	family = $1
	sub(/\{.*/, "", family)
	v = $NF
	if (kind[family] == "counter" && ($1 in last) && v + 0 < last[$1] + 0)
		print $1 " falls from " last[$1] " to " v
	if (!(family in kind) || v !~ /^[0-9.e+-]+$/ || $0 ~ /(package|die|l3|node|module|core|cpu)="[^"]*[^0-9"]/)
		print "a bad line: " $0
	if (given[interval, $1]++)
		print $1 " is there twice"
	last[$1] = v
	next
}
$2 == "system" { sum[$3] += $4 }
END {
	for (l in last) {
		family = l
		sub(/\{.*/, "", family)
		total[family] += last[l]
	}
	compare("package_joules", "Pkg_J")
	compare("dram_joules", "RAM_J")
	compare("interrupts", "IRQ")
	compare("smis", "SMI")
	if (!("turbostat_elapsed_seconds_total" in last))
		print "no time"
}
function compare(family, column,    d)
{
	if (!(column in sum) || !(("turbostat_" family "_total") in total))
		return
	d = total["turbostat_" family "_total"] - sum[column]
	if (d > 1e-4 || d < -1e-4)
		print family ": " total["turbostat_" family "_total"] ", the intervals have " sum[column]
}
AWK

# The first expositions of all machines as one: a label tells whose a sample is.
cat >"$tmp/join.awk" <<'AWK'
$1 == "machine" {
	machine = "machine=\"" $2 "\""
	next
}
$1 == "#" {
	now = $3
	if (!told[$2, now]++)
		head[now] = head[now] $0 "\n"
	next
}
NF {
	family = $1
	sub(/\{.*/, "", family)
	if (family != now)
		head[now] = head[now] $0 " stands among " now "\n"	# this is no exposition
	if (!sub(/\{/, "{" machine ","))
		sub(/ /, "{" machine "} ")
	sample[family, ++samples[family]] = $0
}
END {
	for (family in head) {
		printf "%s", head[family]
		for (i = 1; i <= samples[family]; i++)
			print sample[family, i]
	}
}
AWK

# The first object of --json: what its keys say of the machine its header says, too.
cat >"$tmp/system.awk" <<'AWK'
function is(key, want,    v) {
	v = match($0, "\"" key "\":[^,}]*") ? substr($0, RSTART + length(key) + 3, RLENGTH - length(key) - 3) : "absent"
	gsub(/"/, "", v)
	if (want ~ /^[0-9.]+$/ && v ~ /^[0-9.]+$/ ? v - want > 0.06 || want - v > 0.06 : v != want)
		print key " is " v ", the header says " want
	checked++
}
NR == 1 {
	n = split(substr($0, index($0, "\"header\":[")), line, "\",\"")
	tjmax = "null"
	for (i = 1; i <= n; i++) {
		f = split(line[i], w, " ")
		if (line[i] ~ /^CPUID\(1\): family/) {
			split(substr(w[4], 2), id, /[:)]/)
			is("family", id[1])
			is("model", id[2])
			is("stepping", id[3])
			is("microcode", w[5] == "microcode" ? w[6] : "null")
		} else if (line[i] ~ / MHz base frequency$/ && !based++)
			is("base_mhz", w[5])
		else if (line[i] ~ /^TSC: /) {
			split(substr(w[4], 2) " " w[7] " " w[9], part, " ")
			is("tsc_mhz", part[1] * part[2] / part[3] / 1e6)
		} else if (line[i] ~ /MSR_PKG_POWER_INFO: / && !told++)
			is("tdp_w", substr(w[4], 2))
		else if (line[i] ~ /^RAPL: .*, at a guessed/)
			is("tdp_w", "null")
		else if (line[i] ~ /MSR_IA32_TEMPERATURE_TARGET: / && tjmax == "null") {
			tjmax = 16 * (index(hexits, substr(w[3], 5, 1)) - 1) + index(hexits, substr(w[3], 6, 1)) - 1
			throttle = substr(w[4], 2)
		} else if (line[i] ~ / MHz max turbo /)
			clocks[w[5] + 0 " for " w[9]]++
	}
	is("tjmax_c", tjmax)
	is("throttle_c", tjmax == "null" ? tjmax : throttle)
	# the limits of all cores, those of E-cores
	turbo = substr($0, index($0, "\"turbo\":["))
	sub(/\].*/, "", turbo)
	while (match(turbo, /"cores":[0-9]*,"mhz":[0-9.]*/)) {
		split(substr(turbo, RSTART, RLENGTH), w, /[:,]/)
		clocks[int(w[4] * 10 + 0.5) / 10 " for " w[2]]--
		turbo = substr(turbo, RSTART + RLENGTH)
	}
	for (i in clocks)
		if (clocks[i])
			print "the turbo of MHz " i " cores is not in both"
}
END { if (checked < 4) print checked + 0 " of the machine" }
AWK

# The first line of JSON, then the lines of json.awk: each column stands in the rows of the scope
# that is told of it, and in no others.
cat >"$tmp/scope.awk" <<'AWK'
FNR == NR {
	n = FNR == 1 ? split(substr($0, index($0, ",\"columns\":[")), part, /"name":"/) : 0
	for (i = 2; i <= n; i++) {
		name = part[i]
		sub(/",.*/, "", name)
		match(part[i], /"scope":"[a-z0-9]*/)
		told[name] = substr(part[i], RSTART + 9, RLENGTH - 9)
	}
	next
}
$2 != "system" && told[$4] != $2 { print $4 " stands in a row of a " $2 ", not " told[$4] }
$2 != "system" { seen[$4] = 1 }
END {
	for (name in told)
		if (told[name] != "system" && !(name in seen))
			print name " stands in no row of a " told[name]
}
AWK

# totals MACHINE
totals()
{
	"$program" --quiet --replay "$dir/$1/machine.rec" --prometheus --enable all --Joules >"$tmp/prom" 2>/dev/null </dev/null
	"$program" --quiet --replay "$dir/$1/machine.rec" --csv --enable all --Joules --out "$tmp/csv" >/dev/null 2>&1 </dev/null
	[ -s "$tmp/prom" ] || return	# no interval, or a command's
	awk -f "$tmp/csv.awk" "$tmp/csv" >"$tmp/csv.lines"
	awk -v machine="$1" -v first="$tmp/first" -f "$tmp/totals.awk" "$tmp/prom" "$tmp/csv.lines" >"$tmp/bad"
	verdict "$1/totals" "$tmp/bad"
	: >"$tmp/bad"
}

# per MACHINE: all units
per()
{
	for unit in package die l3 node module core type; do
		echo "unit $unit"
		"$program" --quiet --replay "$dir/$1/machine.rec" --csv --per $unit --enable all --Joules 2>/dev/null </dev/null
	done | awk -f "$tmp/per.awk" >>"$tmp/bad"
	verdict "$1/per" "$tmp/bad"
	: >"$tmp/bad"
}

# read_by_promtool: what Prometheus says of the first exposition of every machine
read_by_promtool()
{
	if ! command -v promtool >/dev/null; then
		skip promtool "no promtool"
		return
	fi
	awk -f "$tmp/join.awk" "$tmp/first" >"$tmp/joined"
	[ -s "$tmp/joined" ] || echo "there is no exposition" >"$tmp/bad"
	promtool check metrics <"$tmp/joined" >>"$tmp/bad" 2>&1
	verdict promtool "$tmp/bad"
	: >"$tmp/bad"
}

# measure MACHINE ARGUMENTS...
measure()
{
	machine=$1
	shift
	rec=$dir/$machine/machine.rec
	: >"$tmp/csv"
	: >"$tmp/json"
	: >"$tmp/table"
	"$program" --quiet --replay "$rec" --out "$tmp/csv" --csv "$@" >/dev/null 2>&1 </dev/null
	"$program" --replay "$rec" --out "$tmp/json" --json "$@" >/dev/null 2>&1 </dev/null
	"$program" --quiet --replay "$rec" --out "$tmp/table" "$@" >/dev/null 2>&1 </dev/null
	[ -s "$tmp/table" ] || return	# no interval
	awk -f "$tmp/csv.awk" "$tmp/csv" >"$tmp/csv.lines"
	awk -f "$tmp/json.awk" "$tmp/json" >"$tmp/json.lines"
	awk -F'[ ]' -f "$tmp/scope.awk" "$tmp/json" "$tmp/json.lines" >>"$tmp/differ"
	awk -f "$tmp/agree.awk" "$tmp/csv.lines" "$tmp/table" >>"$tmp/disagree"
	# JSON has only what stands in a row
	awk 'FNR == NR { has[$0] = 1; n++; next }
		$NF != "" && NF == ($2 == "system" ? 4 : 5) && !($0 in has) { print "in CSV only: " $0 }
		{ seen[$0] = 1 }
		END { for (l in has) if (!(l in seen)) print "in JSON only: " l; if (!n) print "no JSON" }' \
		"$tmp/json.lines" "$tmp/csv.lines" >>"$tmp/differ"
}

# expect NAME STATUS MESSAGE ARGUMENTS...: the exit status and the last line of the messages
expect()
{
	name=$1 status=$2 message=$3
	shift 3
	"$program" "$@" >"$tmp/out" 2>"$tmp/err" </dev/null
	seen=$?
	[ $seen -eq "$status" ] || echo "exit status $seen, not $status" >"$tmp/bad"
	[ "$(tail -n 1 "$tmp/err")" = "$message" ] || echo "said: $(tail -n 1 "$tmp/err")" >>"$tmp/bad"
	verdict "$name" "$tmp/bad"
	: >"$tmp/bad"
}

# reads NAME PROGRAM ARGUMENTS...: it reads the output, on standard input, of three machines
reads()
{
	name=$1
	shift
	if ! command -v "$1" >/dev/null; then
		skip $name "no $1"
		return
	fi
	for m in v01-kabylake v08-alderlake command; do
		"$program" --quiet --replay "$dir/$m/machine.rec" "--${name%%-*}" --out "$tmp/read" </dev/null 2>/dev/null
		"$@" <"$tmp/read" >"$tmp/out" 2>"$tmp/err" || { echo "$m: $*"; cat "$tmp/err"; } >>"$tmp/bad"
		[ -s "$tmp/out" ] || echo "$m: it prints nothing" >>"$tmp/bad"
	done
	verdict "$name" "$tmp/bad"
	: >"$tmp/bad"
}

# node_exporter serves the file, also while it is replaced ten times a second
read_by_exporter()
{
	exporter=$(command -v prometheus-node-exporter || command -v node_exporter)
	if [ -z "$exporter" ] || ! command -v python3 >/dev/null; then
		skip node-exporter "no node_exporter, or no python3 to ask it"
		return
	fi
	mkdir "$tmp/served"
	"$program" --quiet --prometheus --out "$tmp/served/t.prom" -i 0.1 -n 15 --show IRQ,TSC_MHz >/dev/null 2>&1 </dev/null &
	writer=$!
	port=$((20000 + $$ % 20000))
	"$exporter" --collector.disable-defaults --collector.textfile "--collector.textfile.directory=$tmp/served" \
		"--web.listen-address=127.0.0.1:$port" >"$tmp/err" 2>&1 </dev/null &
	server=$!
	python3 - "$port" >"$tmp/bad" 2>&1 <<-'PY'
	import sys, time, urllib.request
	last, seen = -1.0, 0
	end = time.time() + 10
	while seen < 10 and time.time() < end:
	    time.sleep(0.1)
	    try:
	        text = urllib.request.urlopen("http://127.0.0.1:%s/metrics" % sys.argv[1], timeout=2).read().decode()
	    except OSError:
	        continue
	    if "\nnode_textfile_scrape_error 1" in text:
	        print("it cannot read the file")
	    lines = [l for l in text.splitlines() if l.startswith("turbostat_interrupts_total")]
	    total = sum(float(l.split()[-1]) for l in lines)
	    if lines and total < last:
	        print("the total falls")
	    last = total if lines else last
	    seen += bool(lines)
	if seen < 10:
	    print("seen only %d times" % seen)
	PY
	kill $server $writer 2>/dev/null
	wait $server $writer 2>/dev/null
	verdict node-exporter "$tmp/bad"
	: >"$tmp/bad"
}

# control_characters: none of a recording's texts, or of the user's words, reaches the output
control_characters()
{
	c1=$(printf '\302\233')
	bad=$(printf '\033]0;x\007\177\233%s2J' "$c1")
	sed "s/\\(^file [^ ]*\\(cmdline\\|scaling_[a-z]*\\|name\\|label\\|self.status\\) \"[^\\\\]*\\)/\\1$bad/; s/^\\(mark begin .*\\)/\\1$c1/" \
		"$dir/v01-kabylake/machine.rec" >"$tmp/$bad.rec"
	sed "s/^\\(mark begin .*\\)/\\1$c1/" "$dir/regions/program.rec" >"$tmp/regions.rec"
	ln "$tmp/$bad.rec" "$tmp/second.rec"
	for arguments in '' --json --csv --prometheus --list --explain --Dump --debug "--explain $bad" "--show $bad" "--add /$bad,$bad" \
			"--compare --replay $tmp/second.rec" "$bad" "--interval $bad"; do
		# shellcheck disable=SC2086 # a list of words
		"$program" --enable all --replay "$tmp/$bad.rec" $arguments >"$tmp/out" 2>&1 </dev/null
		LC_ALL=C tr -d '\t\n -~\200-\377' <"$tmp/out" | od -c | grep -v '^0000000$'
		LC_ALL=C grep -a "$c1" "$tmp/out"
		iconv -f UTF-8 -t UTF-16 <"$tmp/out" >/dev/null
		[ -s "$tmp/out" ] || echo "no output: $arguments"
	done >"$tmp/bad" 2>&1
	for format in csv json; do
		"$program" --quiet --replay "$tmp/regions.rec" --$format 2>&1 </dev/null | grep -a "$c1"
	done >>"$tmp/bad"
	"$program" --quiet --replay "$tmp/$bad.rec" -n 1 2>/dev/null </dev/null | grep -q "	C1?]0;x?$(printf '?\357\277\275')?2J%	" ||
		echo "the name of an idle state is another one" >>"$tmp/bad"
	verdict control-characters "$tmp/bad"
	: >"$tmp/bad"
}

# temporaries FILE: the new files beside it that did not get its name
temporaries()
{
	find "$(dirname "$1")" -maxdepth 1 -name '.turbostat-*'
}

# killed PROM: the program ends at any moment of replacing the file, or cannot replace it; what
# is there then is one of the texts that it writes when nothing happens, with all its lines
killed()
{
	if ! strace -o "$tmp/trace" -e trace=openat,write,fchmod,rename \
		"$binary" --quiet --prometheus --out "$1" --replay "$rec" >/dev/null 2>&1 </dev/null; then
		skip prometheus-killed "no strace, or it may not trace"
		return
	fi
	# no file that exists is opened, and none is open to others before it has its mode
	grep O_CREAT "$tmp/trace" | grep -v 'O_CREAT|O_EXCL|.*, 0600)' >>"$tmp/bad"
	[ "$(grep -c O_EXCL "$tmp/trace")" = 3 ] || grep O_CREAT "$tmp/trace" >>"$tmp/bad"
	# the texts: of the end, then of the first sample and of the first interval
	sums=$(cksum <"$1")
	for n in 2 3; do
		strace -f -o /dev/null -e trace=rename -e inject=rename:signal=KILL:when=$n \
			"$binary" --quiet --prometheus --out "$1" --replay "$rec" >/dev/null 2>&1 </dev/null
		[ "$(tail -n 1 "$1")" = "turbostat_elapsed_seconds_total $((5 * (n - 2)))" ] || echo "killed at rename $n: it ends with: $(tail -n 1 "$1")" >>"$tmp/bad"
		sums="$sums $(cksum <"$1")"
	done
	# the calls that replace the file, and which of their name each is
	awk -F'(' '!/^[a-z]/ { next } { n[$1]++ } $1 != "openat" || /O_EXCL/ { print $1, n[$1] }' "$tmp/trace" >"$tmp/calls"
	while read -r call n; do
		for fault in signal=KILL signal=TERM signal=QUIT error=ENOSPC; do
			cp "$prom.was" "$1"
			temporaries "$1" | xargs rm -f
			ASAN_OPTIONS=detect_leaks=0 strace -f -o /dev/null -e trace=$call -e inject=$call:$fault:when=$n \
				"$binary" --quiet --prometheus --out "$1" --replay "$rec" >"$tmp/out" 2>&1 </dev/null
			seen=$?
			case " $sums " in
			*" $(cksum <"$1") "*)	;;
			*)	echo "$fault at $call $n: $(wc -l <"$1") lines" ;;
			esac
			[ $fault = signal=KILL ] || [ -z "$(temporaries "$1")" ] ||
				echo "$fault at $call $n: the other file is still there"
			[ $fault = error=ENOSPC ] || continue
			[ "$seen $(cat "$tmp/out")" = "1 turbostat: $1: No space left on device" ] ||
				echo "$fault at $call $n: exit status $seen: $(cat "$tmp/out")"
		done
	done <"$tmp/calls" >>"$tmp/bad"
	[ "$(wc -l <"$tmp/calls")" -ge 12 ] || cat "$tmp/calls" >>"$tmp/bad"
	verdict prometheus-killed "$tmp/bad"
	: >"$tmp/bad"
	temporaries "$1" | xargs rm -f
}

# replaces FILE: a file that --prometheus --out replaces
replaces()
{
	(umask 027; timeout 20 "$program" --quiet --prometheus --out "$1" --replay "$rec" </dev/null) >"$tmp/out" 2>&1 ||
		{ echo "$1: exit status $?"; cat "$tmp/out"; }
}

# modes FILE...: mode, links, owner and group of each
modes()
{
	ls -ln "$@" | awk '{ print substr($1, 1, 10), $2, $3, $4 }'
}

# replaced: what another user could have put in the way is not written to, and not followed
replaced()
{
	folder=$tmp/replaced
	prom=$folder/t.prom
	mkdir "$folder"
	echo victim >"$folder/victim"
	chmod 604 "$folder/victim"
	mkfifo "$prom.tmp"
	mkfifo "$folder/.t.prom"
	{
		# a new file has the mode of the umask; the user's own keeps its mode
		replaces "$prom"
		modes "$prom"
		chmod 614 "$prom"
		replaces "$prom"
		modes "$prom"
		# links are replaced: of a file, of nothing, of a device, of themselves; their files stay
		for target in victim none /dev/null t.prom; do
			ln -sf "$target" "$prom"
			replaces "$prom"
			modes "$prom"
			cmp "$prom.was" "$prom"
			cp -p "$prom" "$prom.was"
		done
		# a second name of a file says nothing about the mode
		ln -f "$folder/victim" "$prom"
		replaces "$prom"
		modes "$prom" "$folder/victim"
		cat "$folder/victim"
		ls -A "$folder"
		ls -l /dev/null | cut -c1
	} 2>/dev/null >"$tmp/seen"
	me="$(id -u) $(id -g)"
	{
		printf '%s\n' "-rw-r----- 1 $me" "-rw---xr-- 1 $me"
		for i in 1 2 3 4; do echo "-rw-r----- 1 $me"; done
		printf '%s\n' "-rw-r----- 1 $me" "-rw----r-- 1 $me" victim .t.prom t.prom t.prom.tmp t.prom.was victim c
	} | diff - "$tmp/seen" >"$tmp/bad"
	verdict prometheus-links "$tmp/bad"
	: >"$tmp/bad"

	# two copies with the same file: each replaces it, none fails
	copy1='' copy2=''
	for i in 1 2; do
		"$program" --quiet --no-msr --no-perf --show IRQ --prometheus --out "$prom" -i 0.002 -n 200 >"$tmp/copy$i" 2>&1 </dev/null &
		eval "copy$i=$!"
	done
	wait "$copy1" || cat "$tmp/copy1" >>"$tmp/bad"
	wait "$copy2" || cat "$tmp/copy2" >>"$tmp/bad"
	grep -q '^turbostat_elapsed_seconds_total' "$prom" || cat "$prom" >>"$tmp/bad"
	temporaries "$prom" >>"$tmp/bad"
	verdict prometheus-twice "$tmp/bad"
	: >"$tmp/bad"

	if [ "$(id -u)" -ne 0 ] || ! setpriv --reuid 65534 --clear-groups true 2>/dev/null; then
		skip prometheus-strangers "this is not root, or setpriv is not there"
		return
	fi
	# in a directory that all may write, and nobody's link, file or group
	chmod 1777 "$folder"
	chmod 711 "$tmp"
	rm -f "$prom"
	{
		setpriv --reuid 65534 --clear-groups ln -s "$PWD/$folder/victim" "$prom"
		replaces "$prom"
		modes "$prom"
		rm -f "$prom"
		setpriv --reuid 65534 --clear-groups sh -c "umask 0; echo theirs >$prom"
		# he opens it himself: where fs.protected_regular is 2, root may not
		setpriv --reuid 65534 --clear-groups sh -c "exec sleep 300 <>$prom" &
		await sh -c "[ \"\$(cat /proc/$!/comm)\" = sleep ]"	# it is open
		replaces "$prom"
		modes "$prom"
		chgrp 1 "$prom"
		chmod 660 "$prom"
		replaces "$prom"
		modes "$prom"
		# a user replaces what is his, and not what is root's
		cp "$binary" "$folder/program"
		cp "$rec" "$folder/machine.rec"
		chmod 755 "$folder/program"
		chmod 644 "$folder/machine.rec"
		setpriv --reuid 65534 --clear-groups "$folder/program" --quiet --prometheus --out "$prom" --replay "$folder/machine.rec"
		cat "$folder/victim"
		temporaries "$prom"
		kill $!
	} >"$tmp/seen" 2>&1 </dev/null
	printf '%s\n' '-rw-r----- 1 0 0' '-rw-r----- 1 0 0' '-rw-rw---- 1 0 1' "turbostat: $prom: Operation not permitted" victim |
		diff - "$tmp/seen" >"$tmp/bad"
	verdict prometheus-strangers "$tmp/bad"
	: >"$tmp/bad"
	chmod 755 "$folder" "$tmp"
}

# tables: what a unit's rows look like, with a gap
tables()
{
	"$program" --quiet --replay "$rec" -n 1 --per core --show topology,Busy%,Bzy_MHz,IRQ,CPU%c6,CoreTmp,PkgWatt >"$tmp/out" 2>&1 </dev/null
	tr ' ' '\t' >"$tmp/want" <<-'TABLE'
	Module Core CPUs Busy% Bzy_MHz IRQ CPU%c6 CoreTmp PkgWatt
	- - 8 11.28 3795 8287 9.75 72 25.00
	0 0 2 41.25 3852 2007 5.00 72
	1 1 2 2.55 3361 2008 20.00 66
	2 2 2 1.00 3060 2010 10.00 64
	3 3 2 0.30 2167 2262 4.00 61
	TABLE
	diff "$tmp/want" "$tmp/out" >"$tmp/bad"
	verdict per-core "$tmp/bad"
	# each type of a hybrid is a unit with a name, those of low power too
	"$program" --quiet --json --replay "$dir/perf-lowpower/machine.rec" -n 1 --per type --show Busy% 2>/dev/null </dev/null |
		grep -o '"cputype":"[PEL]","Busy%":[0-9]*' | tr '\n' ' ' >"$tmp/out"
	printf '"cputype":"P","Busy%%":50 "cputype":"E","Busy%%":30 "cputype":"L","Busy%%":20 ' >"$tmp/want"
	diff "$tmp/want" "$tmp/out" >"$tmp/bad"
	verdict per-type "$tmp/bad"
	"$program" --quiet --replay "$rec" -n 1 --per core --show Busy%,PkgWatt,IRQ,GFXMHz,CoreTmp --prometheus --out "$tmp/per.prom" >/dev/null 2>&1 </dev/null
	grep -v '^#\|_info{\|_time_\|Watt' "$tmp/per.prom" | grep 'core="1"\|} [0-9]* *$\|^[^{]*$' | grep -v 'core="[023]"' >"$tmp/out"
	cat >"$tmp/want" <<-'LINES'
	turbostat_busy_seconds_total{package="0",die="0",core="1"} 0.25500000000000006
	turbostat_interrupts_total{package="0",die="0",core="1"} 2008
	turbostat_package_joules_total{package="0",die="0"} 125
	turbostat_core_temperature_celsius{package="0",die="0",core="1"} 66
	turbostat_graphics_requested_frequency_hertz 400000000
	turbostat_unreadable_values 0
	turbostat_elapsed_seconds_total 5
	turbostat_cpus{package="0",die="0",core="1"} 2
	LINES
	diff "$tmp/want" "$tmp/out" >"$tmp/bad"
	verdict per-prometheus "$tmp/bad"
	# the ids that tell units apart stand there unasked; --cpu leaves the units of its CPUs
	two=$dir/broadwell-ep/machine.rec
	{
		"$program" --quiet --replay "$two" -n 1 --per core --show IRQ
		"$program" --quiet --replay "$two" -n 1 --per core --show IRQ --cpu 1
		"$program" --quiet --replay "$two" -n 1 --per package --show IRQ --cpu 0
		"$program" --quiet --replay "$two" -n 1 --csv --show IRQ,CPU%c6,PkgWatt --cpu 1 | cut -d, -f8,9,14,15,17-
	} 2>/dev/null </dev/null | tr '\t' ' ' >"$tmp/out"
	cat >"$tmp/want" <<-'LINES'
	Package Core CPUs IRQ
	- - 4 2010
	0 0 1 501
	0 1 1 502
	1 0 1 503
	1 1 1 504
	Package Core CPUs IRQ
	- - 4 2010
	0 1 1 502
	Package CPUs IRQ
	- 4 2010
	0 2 1003
	scope,package,core,cpu,IRQ,CPU%c6,PkgWatt
	system,,,,2010,18.75,150.25
	package,0,,,,,90
	core,0,1,,,10,
	cpu,0,1,1,502,,
	LINES
	diff "$tmp/want" "$tmp/out" >"$tmp/bad"
	verdict units-of-packages "$tmp/bad"
	# Prometheus: the units of --cpu, and of their values what cannot be read
	sed '/^sample 1 /,$ s/^\(msr [12] 19c\) .*/\1 !EIO/' "$two" >"$tmp/rec"
	for r in "$two" "$tmp/rec"; do
		"$program" --quiet --prometheus --replay "$r" -n 1 --show IRQ,CoreTmp,PkgTmp,PkgWatt --cpu 1 2>/dev/null </dev/null
	done | grep -v '^#\|_time_\|_info{version' >"$tmp/out"
	cat >"$tmp/want" <<-'LINES'
	turbostat_interrupts_total{package="0",die="0",core="1",cpu="1"} 502
	turbostat_package_joules_total{package="0",die="0"} 450
	turbostat_core_temperature_celsius{package="0",die="0",core="1"} 54
	turbostat_package_temperature_celsius{package="0"} 55
	turbostat_cpu_info{package="0",die="0",l3="0",node="0",module="1",core="1",cpu="1"} 1
	turbostat_unreadable_values 0
	turbostat_elapsed_seconds_total 5
	turbostat_interrupts_total{package="0",die="0",core="1",cpu="1"} 502
	turbostat_package_joules_total{package="0",die="0"} 450
	turbostat_package_temperature_celsius{package="0"} 55
	turbostat_cpu_info{package="0",die="0",l3="0",node="0",module="1",core="1",cpu="1"} 1
	turbostat_unreadable_values 1
	turbostat_elapsed_seconds_total 5
	LINES
	diff "$tmp/want" "$tmp/out" >"$tmp/bad"
	verdict prometheus-of-cpus "$tmp/bad"
	# after the first sample all totals are there, and 0
	"$program" --quiet --prometheus --out "$tmp/first.prom" --replay "$dir/one-sample/machine.rec" --show IRQ,CoreTmp,Busy%,PkgWatt >"$tmp/out" 2>&1 </dev/null
	grep -v '^#\|_info{\|_time_' "$tmp/first.prom" >"$tmp/out"
	cat >"$tmp/want" <<-'LINES'
	turbostat_busy_seconds_total{package="0",die="0",core="0",cpu="0"} 0
	turbostat_interrupts_total{package="0",die="0",core="0",cpu="0"} 0
	turbostat_package_joules_total{package="0",die="0"} 0
	turbostat_core_temperature_celsius{package="0",die="0",core="0"} 60
	turbostat_unreadable_values 0
	turbostat_elapsed_seconds_total 0
	LINES
	diff "$tmp/want" "$tmp/out" >"$tmp/bad"
	verdict prometheus-at-first "$tmp/bad"
	# what is not known is null, or a label that is not there
	for format in json prometheus; do
		"$program" --replay "$dir/msr-eacces/machine.rec" --$format 2>/dev/null </dev/null |
			grep -o 'stepping=.*\|"microcode":[^,]*'
	done | sort -u >"$tmp/got"
	printf '%s\n' '"microcode":null' 'stepping="3"} 1' | diff - "$tmp/got" >"$tmp/bad"
	verdict unknown-microcode "$tmp/bad"
	: >"$tmp/bad"

	# a command without user time has used none; what is not recorded is not known
	sed 's/^\(run 1 0\) 3.375000/\1 0.000000/' "$dir/runs/program.rec" >"$tmp/rec"
	"$program" --quiet --replay "$tmp/rec" --json --show Pkg_J 2>&1 </dev/null |
		sed -n '1s/.*\("status".*\),"system".*/\1/p' >"$tmp/got"
	echo '"status":0,"user":0,"sys":0.125,"maxrss_kib":181100,"others":null' | diff - "$tmp/got" >"$tmp/bad"
	verdict run-without-user-time "$tmp/bad"
	: >"$tmp/bad"

	# across a suspend nothing is known of shares of the time, but what is counted is
	"$program" --quiet --replay "$dir/suspend/machine.rec" --prometheus -S --show IRQ,Busy%,CPU%c6 </dev/null 2>/dev/null |
		sed -n 's/^turbostat_\(busy_seconds\|interrupts\|core_cstate_seconds\|elapsed_seconds\)_total[^ ]* //p' | xargs >"$tmp/out"
	[ "$(cat "$tmp/out")" = "3 1003 1.25 5 3 2806 1.25 3610 4.8 3409 2 3615" ] || cat "$tmp/out" >>"$tmp/bad"
	verdict totals-across-suspend "$tmp/bad"
	: >"$tmp/bad"

	# the name of a column says which cluster of the uncore it is of
	cat >"$tmp/want" <<-'E'
	{package="0",domain="0",cluster="0"} 2200000000
	{package="1",domain="0",cluster="0"} 2400000000
	{package="0",domain="1",cluster="0"} 1500000000
	{package="1",domain="1",cluster="0"} 1700000000
	{package="1",domain="2",cluster="3"} 900000000
	E
	"$program" --quiet --replay tests/sources/clusters.rec -n 1 --prometheus --show UncMHz </dev/null 2>/dev/null |
		sed -n 's/^turbostat_uncore_cluster_frequency_hertz//p' | diff "$tmp/want" - >"$tmp/bad"
	verdict labels-of-clusters "$tmp/bad"
	: >"$tmp/bad"

	# a CPU that goes and comes: its total goes on, and the sum of all keeps it meanwhile
	gone=$dir/cpu-vanishes/machine.rec
	"$program" --quiet --replay "$gone" --prometheus --show IRQ </dev/null 2>/dev/null |
		sed -n 's/^turbostat_interrupts_total.*cpu="3"} //p' | xargs >"$tmp/out"
	[ "$(cat "$tmp/out")" = "504 504 608" ] || cat "$tmp/out" >>"$tmp/bad"
	"$program" --quiet --replay "$gone" --prometheus --show IRQ -S </dev/null 2>/dev/null |
		sed -n 's/^turbostat_interrupts_total //p' | xargs >"$tmp/out"
	[ "$(cat "$tmp/out")" = "2010 3216 4122 4728 5138" ] || cat "$tmp/out" >>"$tmp/bad"
	verdict totals-of-the-gone "$tmp/bad"
	: >"$tmp/bad"
}

# one_liners: those of the manual and of the README, by the programs that they are for
one_liners()
{
	"$program" --json --replay "$rec" --out "$tmp/x.jsonl" >/dev/null 2>&1 </dev/null
	man=$tmp/manual
	sed 's/\\-/-/g; s/\\(aq/'"'"'/g; s/\\e/\\/g' turbostat.8 >"$man"
	if ! python3 -c 'import pandas' 2>/dev/null; then
		skip manual-pandas "no pandas"
	else
		{
			sed -n '/^import json, pandas as pd$/,/^\.EE/p' "$man" | grep -v '^\.EE'
			echo 'assert len(d) == 26 and d["PkgWatt"].count() == 2 and d["Busy%"].max() < 100, d'
		} >"$tmp/one.py"
		(cd "$tmp" && python3 one.py) >>"$tmp/bad" 2>&1
		verdict manual-pandas "$tmp/bad"
		: >"$tmp/bad"
	fi
	query=$(sed -n '/^select time, unnest/,/^\.EE/p' "$man" | grep -v '^\.EE')
	if ! command -v duckdb >/dev/null && ! python3 -c 'import duckdb' 2>/dev/null; then
		skip manual-duckdb "no duckdb"
	else
		(cd "$tmp" && if command -v duckdb >/dev/null; then
			duckdb -csv -noheader -c "select count(*), count(PkgWatt) from ($query)"
		else
			python3 -c 'import duckdb, sys
print("%d,%d" % duckdb.sql("select count(*), count(PkgWatt) from (" + sys.argv[1] + ")").fetchone())' "$query"
		fi) >"$tmp/out" 2>&1
		[ "$(cat "$tmp/out")" = "26,2" ] || cat "$tmp/out" >"$tmp/bad"
		verdict manual-duckdb "$tmp/bad"
		: >"$tmp/bad"
	fi
	if ! command -v promtool >/dev/null; then
		skip readme-promql "no promtool"
	else
		# the queries, each as a rule
		{
			printf 'groups:\n- name: queries\n  rules:\n'
			sed -n 's/^| `\([^`]*turbostat_[^`]*\)` |.*/\1/p' README.md |
				awk '{ gsub(/\047/, "\047\047"); printf "  - record: q%d\n    expr: \047%s\047\n", NR, $0 }'
		} >"$tmp/rules.yml"
		promtool check rules "$tmp/rules.yml" >"$tmp/out" 2>&1 && grep -q 'SUCCESS: [6-9] rules' "$tmp/out" || cat "$tmp/out" >>"$tmp/bad"
		# what they ask for is there
		"$program" --quiet --prometheus --replay "$rec" --out "$tmp/all.prom" --enable all >/dev/null 2>&1 </dev/null
		"$program" --quiet --prometheus --replay "$dir/perf-hybrid/machine.rec" --enable all >>"$tmp/all.prom" 2>/dev/null </dev/null
		for family in $(grep '^ *expr:' "$tmp/rules.yml" | grep -o 'turbostat_[a-z_0-9]*' | sort -u); do
			grep -q "^# TYPE $family " "$tmp/all.prom" || echo "$family is not there" >>"$tmp/bad"
		done
		verdict readme-promql "$tmp/bad"
		: >"$tmp/bad"
	fi
}

# --stats against awk: its lines, from those of the intervals, of a machine whose intervals differ
course()
{
	awk -v samples=40 -v late=7 -f tests/sim/machine.awk | tests/convert.sh >"$tmp/course.rec"
	# more interrupts in each interval, and in one none that can be known
	awk '/^sample/ { n++ } /^file .proc.interrupts/ && n == 9 { print "file /proc/interrupts !EIO"; next }
		/^file .proc.interrupts/ { sub(/LOC: [0-9]+/, "LOC: " 1000 + n * n * n) } { print }' \
		"$tmp/course.rec" >"$tmp/varied.rec"
	"$program" -q --stats --csv --show Busy%,IRQ,PkgWatt --replay "$tmp/varied.rec" >"$tmp/out" 2>"$tmp/err"
	awk -F, '
	function near(name, have, want) { if (have - want > 1e-5 * (1 + want) || want - have > 1e-5 * (1 + want)) print name " of field " i ": " have ", not " want }
	$1 == "interval" && $8 == "system" { for (i = 7; i <= NF; i++) if ($i != "" && (i == 7 || i > 16)) v[i, ++n[i]] = $i }
	$1 == "mean" || $1 == "sd" || $1 == "min" || $1 == "p95" || $1 == "max" { types = types $1; for (i = 7; i <= NF; i++) got[$1, i] = $i; fields = NF }
	END {
		if (types != "meansdminp95max" || n[7] != 39 || n[18] != 37) print "lines: " types ", " n[7] " and " n[18] " intervals"
		for (i = 7; i <= fields; i = i == 7 ? 17 : i + 1) {
			sum = squares = 0
			for (k = 1; k <= n[i]; k++) sum += v[i, k]
			for (k = 1; k <= n[i]; k++) squares += (v[i, k] - sum / n[i]) ^ 2
			for (k = 2; k <= n[i]; k++)
				for (j = k; j > 1 && v[i, j - 1] + 0 > v[i, j] + 0; j--) { x = v[i, j]; v[i, j] = v[i, j - 1]; v[i, j - 1] = x }
			near("mean", got["mean", i], sum / n[i])
			near("sd", got["sd", i], sqrt(squares / (n[i] - 1)))
			near("min", got["min", i], v[i, 1])
			near("p95", got["p95", i], v[i, int((n[i] * 95 + 99) / 100)])
			near("max", got["max", i], v[i, n[i]])
		}
	}' "$tmp/out" >"$tmp/bad"
	verdict stats-csv "$tmp/bad"
	"$program" -q -S --stats --show IRQ,PkgWatt --replay "$tmp/course.rec" 2>&1 | tail -n 5 >"$tmp/out"
	cat >"$tmp/want" <<-'TABLE'
	turbostat: 39 intervals
	          mean     sd    min    p95     max  unit
	seconds  5.256  1.956  3.000  5.000  17.000  s
	IRQ        378    141    216    360    1224  count
	PkgWatt  60.00   0.00  60.00  60.00   60.00  W
	TABLE
	diff "$tmp/want" "$tmp/out" >"$tmp/bad"
	verdict stats-table "$tmp/bad"
	: >"$tmp/bad"
	expect stats-command 1 'turbostat: --stats with a command or --pid needs --total: it is about intervals' --stats true
	expect stats-runs 1 'turbostat: --stats and a recording of several runs exclude each other' --stats --replay $dir/runs/program.rec
}

others()
{
	rec=$dir/v01-kabylake/machine.rec
	: >"$tmp/bad"
	course
	# shellcheck disable=SC2016	# jq's own
	reads json-jq jq -es 'all(.schema == 1 and (.iso | length) == 27) and
		(map(select(.type == "interval" or .type == "command")) | length) > 0 and
		all(.[]; .rows | map(select(.scope == "cpu")) | map(.cpu) | unique | length > 0)'
	reads json-python python3 -c '
import json, sys
lines = [json.loads(l) for l in sys.stdin]
assert all(l["system"]["cpus"] >= len([r for r in l["rows"] if r["scope"] == "cpu"]) for l in lines)
print(len(lines))'
	reads csv-python python3 -c '
import csv, sys
lines = list(csv.DictReader(sys.stdin))
assert lines and all(None not in l and None not in l.values() for l in lines)
assert all(float(l["seconds"]) > 0 for l in lines)
print(len(lines))'
	reads csv-miller mlr --icsv --ojson filter '$scope == "system"'

	# the manual's jq
	if command -v jq >/dev/null; then
		"$program" --json --replay "$rec" 2>/dev/null </dev/null |
			jq -r 'select(.type=="interval")|[.time,.system["Busy%"],.system.PkgWatt]|@tsv' >"$tmp/out"
		[ "$(awk 'NF == 3 && $2 > 0 { n++ } END { print n }' "$tmp/out")" = 2 ] || cat "$tmp/out" >"$tmp/bad"
		verdict manual-jq "$tmp/bad"
		: >"$tmp/bad"
	fi

	# the keys of each object, in their order
	if command -v jq >/dev/null; then
		for m in v01-kabylake command; do
			"$program" --json --replay "$dir/$m/machine.rec" --out "$tmp/read" >/dev/null 2>&1 </dev/null
			cat "$tmp/read"
		done | jq -r '., (select(.type == "system") | .cpu, .topology, .columns[0]) | keys_unsorted | join(" ")' | sort -u >"$tmp/out"
		sort >"$tmp/want" <<-'KEYS'
		type schema time iso version cpu topology base_mhz tsc_mhz tdp_w tjmax_c throttle_c pl1_w pl2_w pkg_cstate_limit epb dma_latency_us turbo columns header
		vendor family model stepping microcode name
		packages dies nodes cores cpus measured
		name unit scope help
		type schema n time iso seconds suspended name system rows
		type schema time iso seconds suspended name command status user sys maxrss_kib others system rows
		KEYS
		diff "$tmp/want" "$tmp/out" >"$tmp/bad"
		verdict json-keys "$tmp/bad"
		: >"$tmp/bad"
	fi

	# what there is of each unit, and which CPUs are measured
	for m in cpuset uncore-dies two-nodes v01-kabylake; do
		"$program" --json --replay "$dir/$m/machine.rec" -n 1 --show CPU 2>/dev/null </dev/null | grep -o '"topology":{[^}]*}'
	done >"$tmp/out"
	cat >"$tmp/want" <<-'OBJECTS'
	"topology":{"packages":1,"dies":1,"nodes":1,"cores":2,"cpus":2,"measured":"1-2"}
	"topology":{"packages":2,"dies":4,"nodes":2,"cores":4,"cpus":4,"measured":"0-3"}
	"topology":{"packages":1,"dies":1,"nodes":2,"cores":4,"cpus":4,"measured":"0-3"}
	"topology":{"packages":1,"dies":1,"nodes":1,"cores":4,"cpus":8,"measured":"0-7"}
	OBJECTS
	diff "$tmp/want" "$tmp/out" >"$tmp/bad"
	verdict json-topology "$tmp/bad"
	: >"$tmp/bad"

	# facts about the first CPU's package, as far as they are known; a latency is 32 bits
	for latency in 'x14\x00\x00' 'x00\x945'; do
		{
			sed '/^plan$/q; s/^msr 0 1b0 .*/msr 0 1b0 86/' $dir/v01-kabylake/machine.rec
			printf 'file /dev/cpu_dma_latency "\\%s%s"\n' "$latency" "$([ "${latency#x00}" = "$latency" ] && echo '\x00' || echo w)"
			sed '1,/^plan$/d' $dir/v01-kabylake/machine.rec
		} >"$tmp/rec"
		"$program" --json --replay "$tmp/rec" -n 1 --show CPU 2>/dev/null </dev/null | sed -n 's/.*,\("throttle_c.*\),"turbo":.*/\1/p'
	done >"$tmp/out"
	cat >"$tmp/want" <<-'FACTS'
	"throttle_c":100,"pl1_w":45,"pl2_w":56,"pkg_cstate_limit":"unlimited","epb":6,"dma_latency_us":20
	"throttle_c":100,"pl1_w":45,"pl2_w":56,"pkg_cstate_limit":"unlimited","epb":6,"dma_latency_us":null
	FACTS
	diff "$tmp/want" "$tmp/out" >"$tmp/bad"
	verdict json-facts "$tmp/bad"
	: >"$tmp/bad"

	# where columns stand: in rows of their own scopes, of units, or in the summary alone
	for how in --per=core -S; do
		"$program" --json --replay "$rec" -n 1 $how --show IRQ,CoreTmp,PkgTmp,GFXMHz 2>/dev/null </dev/null |
			sed -n '1s/.*"columns"//; 1s/"header".*//p' | grep -o '"scope":"[a-z]*' | sed 's/.*"//'
	done | xargs >"$tmp/out"
	[ "$(cat "$tmp/out")" = "core core system system system system system system" ] || cat "$tmp/out" >>"$tmp/bad"
	verdict json-scopes "$tmp/bad"
	: >"$tmp/bad"

	# what the user says of TjMax is no guess
	"$program" --json --TCC 90 --replay "$rec" -n 1 --show CPU 2>/dev/null </dev/null | grep -q '"tjmax_c":90,' || echo "not 90 C" >"$tmp/bad"
	verdict json-tcc "$tmp/bad"
	: >"$tmp/bad"

	# nor is it that of another package, which stands first
	sed 's/physical_package_id "0/physical_package_id "2/; s/^msr 0 1a2 .*/msr 0 1a2 5a0a00/' $dir/broadwell-ep/machine.rec >"$tmp/rec"
	"$program" --json --replay "$tmp/rec" -n 1 --show CPU 2>/dev/null </dev/null | grep -q '"tjmax_c":90,' || echo "not 90 C" >"$tmp/bad"
	verdict json-tjmax "$tmp/bad"
	: >"$tmp/bad"

	# the whole of a command is called so, beside its intervals too
	for format in json csv; do
		"$program" --quiet --$format --total --replay $dir/command/machine.rec --show IRQ -S --out - 2>/dev/null </dev/null |
			sed 's/^{"type":"//; s/[",].*//' | paste -s -d ' ' -
	done >"$tmp/out"
	[ "$(paste -s -d ' ' "$tmp/out")" = "interval command type interval command" ] || cat "$tmp/out" >"$tmp/bad"
	verdict command-total "$tmp/bad"
	: >"$tmp/bad"

	# a line of the header with quotes and backslashes
	sed '/^file .proc.cmdline /s/ ro\\n/ dyndbg=\\"file x +p\\" a\\\\b\\n/' "$rec" >"$tmp/rec"
	"$program" --json --replay "$tmp/rec" -n 1 --show CPU 2>/dev/null </dev/null >"$tmp/out"
	grep -qF ' dyndbg=\"file x +p\" a\\b"' "$tmp/out" || grep -o 'dyndbg.\{30\}' "$tmp/out" >"$tmp/bad"
	verdict json-header "$tmp/bad"
	: >"$tmp/bad"

	# times of day are those of Greenwich, wherever the user is
	for format in json csv; do
		TZ=XXX-5 "$program" --quiet --$format --replay "$rec" 2>/dev/null </dev/null >"$tmp/out"
		TZ=UTC0 "$program" --quiet --$format --replay "$rec" 2>/dev/null </dev/null | cmp - "$tmp/out"
	done >"$tmp/bad" 2>&1
	verdict greenwich "$tmp/bad"
	: >"$tmp/bad"

	# names with quotes, backslashes and bytes that are no UTF-8
	odd=$(printf 'a"b\\c\377\303\244')
	"$program" --quiet --json --replay "$rec" --add "msr0x34,u32,$odd" --show "$odd" >"$tmp/out" 2>/dev/null </dev/null
	want=$(printf '"a\\"b\\\\c\357\277\275\303\244":')
	grep -qF "$want" "$tmp/out" || echo "JSON: $(cut -c1-200 "$tmp/out")" >>"$tmp/bad"
	"$program" --quiet --csv --replay "$rec" --add "msr0x34,u32,$odd" --show "$odd" >"$tmp/out" 2>/dev/null </dev/null
	want=$(printf ',"a""b\\c\357\277\275\303\244"')
	head -n 1 "$tmp/out" | grep -aqF "$want" || echo "CSV: $(head -n 1 "$tmp/out")" >>"$tmp/bad"
	verdict odd-names "$tmp/bad"
	: >"$tmp/bad"
	control_characters

	# columns that are called as keys are: those of CSV, and "cpus" of JSON
	keys=$("$program" --quiet --csv --replay "$rec" -S --show SMI 2>/dev/null </dev/null | sed 's/,SMI$/,cpus/; s/,/ /g; q')
	set -- --replay "$rec" -n 1 --show SMI --add msr0x34,u32,SMI
	for key in $keys; do
		set -- "$@" --add "msr0x34,u32,$key"
	done
	"$program" --quiet --csv "$@" 2>/dev/null </dev/null |
		awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if (seen[$i]++) print "twice in CSV: " $i; if (NF != 35) print NF " fields" }' >"$tmp/bad"
	"$program" --quiet --json "$@" 2>/dev/null </dev/null | tr '{[]}' '\n\n\n\n' |
		awk '{ split("", seen); for (; match($0, /"[^"]*":/); $0 = substr($0, RSTART + RLENGTH)) if (seen[substr($0, RSTART, RLENGTH)]++) print "twice in JSON: " substr($0, RSTART, RLENGTH) }' >>"$tmp/bad"
	"$program" --quiet --csv --replay "$rec" --add msr0x34,u32,iso --add msr0x34,u64,SMI --add msr0x34,u32,SMI --show iso,SMI >"$tmp/out" 2>/dev/null </dev/null
	head -n 1 "$tmp/out" | grep -q ',SMI,SMI_2,SMI_3,iso_2$' || head -n 1 "$tmp/out" >>"$tmp/bad"
	# a series is called as the column of JSON and CSV is
	for format in csv prometheus; do
		"$program" --quiet --$format --replay "$rec" -n 1 -S --add msr0x3fd,core,X --add msr0x3fe,core,X --show X 2>/dev/null </dev/null
	done | sed -n 's/^type.*cputype,//p; s/^interval.*,,//p; s/^turbostat_added_X/X/p' | xargs >"$tmp/out"
	[ "$(cat "$tmp/out")" = 'X,X_2 38750000000,6045000000 X_total{name=X} 38750000000 X_2_total{name=X_2} 6045000000' ] || cat "$tmp/out" >>"$tmp/bad"
	verdict clashing-names "$tmp/bad"
	: >"$tmp/bad"

	# a CPU of which no node is known has no node, in any format
	sed '/cpu3\/node/d; s/"2-3\\n"/"2\\n"/' $dir/two-nodes/machine.rec >"$tmp/rec"
	for format in csv json prometheus; do
		"$program" --quiet --$format --per node --show IRQ --replay "$tmp/rec" -n 1 2>/dev/null </dev/null |
			awk '/504/ { n++ } /[:",]-1[",]/ { print } END { if (n != 1) print n + 0 " rows of the CPU without one" }'
	done >"$tmp/bad"
	verdict unknown-node "$tmp/bad"
	: >"$tmp/bad"

	# what counts in a unit that is no whole number is a real number, in every format
	for format in "" --json --csv; do
		# shellcheck disable=SC2086	# an option or none
		"$program" --quiet $format --replay "$dir/perf-server/machine.rec" -n 1 --add perf/power/energy-pkg,package,PJ --show PJ 2>/dev/null </dev/null |
			tail -n 1 >"$tmp/out"
		grep -q '^900\.00$\|"PJ":900}\]}$\|,900$' "$tmp/out" || cat "$tmp/out" >>"$tmp/bad"
	done
	verdict fractions "$tmp/bad"
	: >"$tmp/bad"

	# a register that is refused
	awk '/^sample 1 / { later = 1 }
		/^msr 0 611 / { if (later) $4 = "!EIO" }
		{ print }' "$rec" >"$tmp/rec"
	"$program" --quiet --json --replay "$tmp/rec" --no-perf --show PkgWatt,Busy% -S -n 1 >"$tmp/out" 2>/dev/null </dev/null
	grep -q '"cpus":8,"Busy%":11.27[0-9]*,"PkgWatt":null}' "$tmp/out" || cat "$tmp/out" >>"$tmp/bad"
	"$program" --quiet --csv --replay "$tmp/rec" --no-perf --show PkgWatt,Busy% -S -n 1 >"$tmp/out" 2>/dev/null </dev/null
	grep -q ',system,,,,,,,,,11.27[0-9]*,$' "$tmp/out" || cat "$tmp/out" >>"$tmp/bad"
	verdict refused "$tmp/bad"
	: >"$tmp/bad"

	# --append: one line of names; another one is refused, and the file is as it was
	rm -f "$tmp/log"
	for i in 1 2; do
		"$program" --quiet --csv --append --out "$tmp/log" --replay "$rec" -S --show Busy% >/dev/null 2>&1 </dev/null || echo "run $i" >>"$tmp/bad"
	done
	[ "$(grep -c '^type,' "$tmp/log") $(wc -l <"$tmp/log" | tr -d ' ')" = "1 5" ] || cat "$tmp/log" >>"$tmp/bad"
	cp "$tmp/log" "$tmp/log.was"
	verdict append "$tmp/bad"
	: >"$tmp/bad"
	expect append-other 1 "turbostat: --append: $tmp/log was written with other columns: it has 'Busy%', and lacks 'IRQ'" \
		--quiet --csv --append --out "$tmp/log" --replay "$rec" -S --show IRQ
	cmp "$tmp/log" "$tmp/log.was" >"$tmp/bad" 2>&1
	verdict append-kept "$tmp/bad"
	: >"$tmp/bad"

	# one that was cut in its first line is another one, one that is empty is not
	printf 'type,name' >"$tmp/log"
	expect append-cut 1 "turbostat: --append: $tmp/log does not begin with the names of columns" \
		--quiet --csv --append --out "$tmp/log" --replay "$rec" -S --show IRQ
	printf 'typed,name,n\n' >"$tmp/log"
	expect append-nameless 1 "turbostat: --append: $tmp/log does not begin with the names of columns" \
		--quiet --csv --append --out "$tmp/log" --replay "$rec" -S --show IRQ
	sed '1s/,status,time/,time,status/' "$tmp/log.was" >"$tmp/log"
	expect append-order 1 "turbostat: --append: $tmp/log was written with other columns: it has them in another order" \
		--quiet --csv --append --out "$tmp/log" --replay "$rec" -S --show Busy%
	sed '1s/Busy%/"Busy%,IRQ"/' "$tmp/log.was" >"$tmp/log"
	expect append-quoted 1 "turbostat: --append: $tmp/log was written with other columns: it has '\"Busy%,IRQ\"', and lacks 'Busy%', 'IRQ'" \
		--quiet --csv --append --out "$tmp/log" --replay "$rec" -S --show IRQ,Busy%
	: >"$tmp/log"
	"$program" --quiet --csv --append --out "$tmp/log" --replay "$rec" -S --show Busy% >/dev/null 2>&1 </dev/null
	cmp "$tmp/log" - <<-E >"$tmp/bad" 2>&1
	$(sed 3q "$tmp/log.was")
	E
	verdict append-to-empty "$tmp/bad"
	: >"$tmp/bad"
	# a line that was cut later, by a full disk, is not continued
	for format in csv json; do
		"$program" --quiet --$format --replay "$rec" -S --show Busy% >"$tmp/log" 2>/dev/null </dev/null
		{ cat "$tmp/log"; echo interval,,1; [ $format = json ] || sed 1d "$tmp/log"; [ $format = csv ] || cat "$tmp/log"; } >"$tmp/want"
		printf interval,,1 >>"$tmp/log"
		"$program" --quiet --$format --append --out "$tmp/log" --replay "$rec" -S --show Busy% >/dev/null 2>&1 </dev/null
		cmp "$tmp/want" "$tmp/log"
	done >"$tmp/bad" 2>&1
	verdict append-to-cut-line "$tmp/bad"
	: >"$tmp/bad"
	# a pipe that does not block, as dd leaves it, is waited for
	if echo | dd oflag=nonblock 2>/dev/null >/dev/null; then
		"$program" --quiet --json --enable all --replay "$rec" >"$tmp/want" 2>/dev/null </dev/null
		sh -c 'dd oflag=nonblock </dev/null 2>/dev/null; for i in 1 2 3 4 5 6; do "$@" || exit; done' sh \
			"$program" --quiet --json --enable all --replay "$rec" 2>"$tmp/bad" </dev/null | { sleep 0.3; cat; } >"$tmp/out"
		{ for i in 1 2 3 4 5 6; do cat "$tmp/want"; done; } | cmp - "$tmp/out" >>"$tmp/bad" 2>&1
		[ "$(wc -c <"$tmp/want")" -gt 12000 ] || echo "all of it fits into a pipe" >>"$tmp/bad"
		verdict pipe-without-blocking "$tmp/bad"
		: >"$tmp/bad"
	else
		skip pipe-without-blocking "this dd has no oflag=nonblock"
	fi
	# in other formats there is no such line
	for format in table json; do
		rm -f "$tmp/log"
		option=--$format
		[ $format = json ] || option=--quiet
		for i in 1 2; do
			"$program" --quiet $option --append --out "$tmp/log" --replay "$rec" -S --show Busy% >/dev/null 2>&1 </dev/null || echo "$format, run $i"
		done
		sed -n "1,$(($(wc -l <"$tmp/log") / 2))p" "$tmp/log" >"$tmp/want"
		cat "$tmp/want" "$tmp/want" | cmp - "$tmp/log"
	done >"$tmp/bad" 2>&1
	verdict append-twice "$tmp/bad"
	: >"$tmp/bad"

	expect per-summary 1 "turbostat: --Summary and --per exclude each other" --per core -S --replay "$rec"
	expect per-cpu 1 "turbostat: --per and --cpu of a unit exclude each other" --per core --cpu die --replay "$rec"
	expect per-type 1 "turbostat: --per type: all cores of this processor are of one type" --per type --replay "$rec"
	expect per-nothing 1 "turbostat: --per: 'cpu' is not one of package, die, l3, node, module, core, type" --per cpu --replay "$rec"
	# --prometheus: the file is replaced as a whole; if that fails the old one stays
	prom=$tmp/turbostat.prom
	(umask 027; "$program" --quiet --prometheus --out "$prom" --replay "$rec" >/dev/null 2>&1 </dev/null) || echo "exit status $?" >>"$tmp/bad"
	[ "$(ls -l "$prom" | cut -c1-10)" = -rw-r----- ] || ls -l "$prom" >>"$tmp/bad"
	[ "$(tail -n 1 "$prom")" = "turbostat_elapsed_seconds_total 10" ] || tail -n 1 "$prom" >>"$tmp/bad"
	! grep -v '^turbostat_\|^#' "$prom" >>"$tmp/bad"
	echo old >"$prom.own"
	"$program" --quiet --no-msr --no-perf --prometheus --show IRQ --out "$prom.own" grep -x old "$prom.own" >/dev/null 2>&1 </dev/null ||
		echo "the file of a command is another one before its end" >>"$tmp/bad"
	[ "$(grep -c '^turbostat_elapsed' "$prom.own")" = 1 ] || echo "the file of a command is the old one at its end" >>"$tmp/bad"
	! grep -v '^turbostat_\|^#' "$prom.own" >>"$tmp/bad"
	echo old >"$prom.own"
	rm -f "$prom.go"
	{ await test -e "$prom.go"; cat "$prom.own" >"$prom.seen"; } &
	"$program" --quiet --no-msr --no-perf --prometheus --show IRQ --out "$prom.own" --pid $! </dev/null &
	measuring=$!
	await is_ready $measuring
	: >"$prom.go"
	wait $measuring
	grep -qx old "$prom.seen" || echo "the file of --pid is another one before its end" >>"$tmp/bad"
	temporaries "$prom" >>"$tmp/bad"
	[ "$(grep -c '^turbostat_package_joules_total{package="0",die="0"} 200$' "$prom")" = 1 ] || grep joules "$prom" >>"$tmp/bad"
	verdict prometheus-file "$tmp/bad"
	: >"$tmp/bad"
	cp "$prom" "$prom.was"
	# nothing is left of what cannot be written
	(
		trap '' XFSZ
		ulimit -f 1
		"$program" --quiet --prometheus --out "$prom" --replay "$rec" </dev/null
	) >"$tmp/out" 2>&1
	echo "turbostat: $prom: File too large" | diff - "$tmp/out" >"$tmp/bad"
	cmp "$prom" "$prom.was" >>"$tmp/bad" 2>&1
	temporaries "$prom" >>"$tmp/bad"
	verdict prometheus-too-large "$tmp/bad"
	: >"$tmp/bad"
	expect prometheus-of-runs 1 "turbostat: --prometheus: the recording holds runs" \
		--prometheus --replay "$dir/runs/program.rec"
	# a region has no totals of its own
	"$program" --quiet --prometheus --replay "$dir/regions/program.rec" >"$tmp/want" 2>"$tmp/err" </dev/null
	[ "$(grep -c '^turbostat_package_joules_total' "$tmp/want")" -eq 1 ] || echo "not one total" >>"$tmp/bad"
	verdict prometheus-regions "$tmp/bad"
	: >"$tmp/bad"
	refused="cannot be replaced: it is not a regular file, or below /dev or /proc (--out - is standard output)"
	expect prometheus-device 1 "turbostat: --prometheus: /dev/null $refused" --prometheus --out /dev/null --replay "$rec"
	for name in /dev/shm/none /dev/stdout /proc/self/fd/1 "$(pwd | sed 's![^/][^/]*!..!g; s!^/!!')/dev/fd/1"; do
		"$program" --quiet --prometheus --out "$name" --replay "$rec" >"$tmp/out" 2>&1 </dev/null | cat
		echo "turbostat: --prometheus: $name $refused" |
			diff - "$tmp/out" >>"$tmp/bad"
	done
	verdict prometheus-below-dev "$tmp/bad"
	: >"$tmp/bad"
	# a recording is not replaced by what is made of it, or beside it
	cp "$rec" "$tmp/own"
	expect prometheus-over-replay 1 "turbostat: --replay and --out name the same file" --prometheus --replay "$tmp/own" --out "$tmp/own"
	expect prometheus-over-record 1 "turbostat: --record and --out name the same file" --prometheus -n 1 -i 0.01 --record "$tmp/own" --out "$tmp/own"
	cmp "$rec" "$tmp/own" >"$tmp/bad" 2>&1
	verdict prometheus-over-nothing "$tmp/bad"
	: >"$tmp/bad"
	# "-" is standard output, not a file that is replaced
	(cd "$tmp" && "$binary" --quiet --prometheus --out - --replay "$OLDPWD/$rec" && ls ./-*) >"$tmp/out" 2>/dev/null </dev/null
	"$program" --quiet --prometheus --replay "$rec" 2>/dev/null </dev/null | cmp - "$tmp/out" >"$tmp/bad" 2>&1
	verdict prometheus-dash "$tmp/bad"
	: >"$tmp/bad"
	expect prometheus-append 1 "turbostat: --prometheus and --append exclude each other" --prometheus --append --out "$prom" --replay "$rec"
	expect prometheus-total 1 "turbostat: --prometheus and --total exclude each other" --prometheus --total --replay "$rec"
	"$program" --quiet --prometheus --replay "$rec" -n 1 --add "msr0x34,u32,$odd" --show "$odd" >"$tmp/out" 2>/dev/null </dev/null
	want=$(printf 'name="a\\"b\\\\c\357\277\275\303\244"} ')
	grep -qF "$want" "$tmp/out" || grep added "$tmp/out" >>"$tmp/bad"
	# the total of what is printed as a rate is a count
	"$program" --quiet --prometheus --replay "$rec" -n 1 --add msr0x34,u32,rate,R --show R 2>/dev/null </dev/null |
		grep -q '^turbostat_added_R_total{.*name="R"}' || echo "a rate is no count" >>"$tmp/bad"
	# each added counter is a family of its own, also where only other characters tell them apart
	"$program" --quiet --prometheus --replay "$rec" -n 1 --add msr0x34,u32,a% --add msr0x34,u32,b --add msr0x34,u32,a+ \
		--add msr0x34,average,package,L --show a%,b,a+,L 2>/dev/null </dev/null | sed -n 's/^# TYPE turbostat_added_//p' |
		sort | xargs >"$tmp/out"
	[ "$(cat "$tmp/out")" = "L gauge a__total counter a__total_ counter b_total counter" ] || cat "$tmp/out" >>"$tmp/bad"
	# the units of CPUs stand where series of CPUs do
	for arguments in '' '-S' '--per package' '--show PkgWatt'; do
		# shellcheck disable=SC2086 # a list of words
		"$program" --quiet --prometheus --replay "$rec" -n 1 $arguments 2>/dev/null </dev/null | grep -c '^turbostat_cpu_info'
	done | xargs >"$tmp/out"
	[ "$(cat "$tmp/out")" = "8 0 0 0" ] || echo "lines of cpu_info: $(cat "$tmp/out")" >>"$tmp/bad"
	verdict prometheus-names "$tmp/bad"
	: >"$tmp/bad"
	killed "$prom"
	replaced
	tables
	one_liners
	read_by_exporter

	expect append-alone 1 "turbostat: --append needs --out FILE" --append --csv --replay "$rec"
	expect two-formats 1 "turbostat: --json and --csv exclude each other" --json --csv --replay "$rec"
	if [ -w /dev/full ]; then
		expect full 1 "turbostat: /dev/full: No space left on device" --json --out /dev/full --replay "$rec"
	fi

	# what is recorded replays to the same bytes, in every format
	for format in json csv prometheus; do
		if "$program" --record "$tmp/live" --quiet --$format --show usec,IRQ,TSC_MHz,Busy% -i 0.05 -n 2 >"$tmp/out" 2>/dev/null </dev/null; then
			"$program" --quiet --$format --show usec,IRQ,TSC_MHz,Busy% --replay "$tmp/live" >"$tmp/err" 2>/dev/null </dev/null
			cmp "$tmp/out" "$tmp/err" >"$tmp/bad" 2>&1
			[ -s "$tmp/out" ] || echo "nothing was printed" >>"$tmp/bad"
			"$program" --record "$tmp/live" --quiet --$format --show IRQ,TSC_MHz --out "$tmp/out" sh -c 'exit 7' >/dev/null 2>&1 </dev/null
			"$program" --quiet --$format --show IRQ,TSC_MHz --out "$tmp/err" --replay "$tmp/live" >/dev/null 2>&1 </dev/null
			cmp "$tmp/out" "$tmp/err" >>"$tmp/bad" 2>&1
			verdict record-$format "$tmp/bad"
		else
			skip record-$format "nothing can be measured here"
		fi
	done
}

if [ $# -eq 0 ] || [ -n "$cases" ]; then
	others
fi
: >"$tmp/bad"
: >"$tmp/first"
for m in $machines; do
	: >"$tmp/disagree"
	: >"$tmp/differ"
	measure "$m" --debug
	measure "$m" --enable all --Joules
	verdict "$m/agree" "$tmp/disagree"
	verdict "$m/same" "$tmp/differ"
	: >"$tmp/json"
	"$program" --json --replay "$dir/$m/machine.rec" --out "$tmp/json" --show CPU,IRQ >/dev/null 2>&1 </dev/null
	[ ! -s "$tmp/json" ] || awk -v hexits=0123456789abcdef -f "$tmp/system.awk" "$tmp/json" >"$tmp/bad"
	verdict "$m/system" "$tmp/bad"
	totals "$m"
	per "$m"
done
if [ -n "$machines" ]; then
	read_by_promtool
fi
for name in $cases; do
	case " $found " in
	*" $name "*)	;;
	*)	failed=1
		echo "FAIL formats/$name"
		echo "    there is no such test, nor is it a machine" ;;
	esac
done
exit $failed
