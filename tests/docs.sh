#!/bin/sh
# The documents against the program: options, columns, samples, quoted source.
#
#   tests/docs.sh
#
# To be run from the project's top directory. TURBOSTAT names the program,
# ./turbostat if unset. Prints `ok docs/NAME`, `FAIL docs/NAME` with details
# behind it, or `skip docs/NAME: reason`. Exit status 0 if nothing failed.

LC_ALL=C
export LC_ALL
set -f			# arguments are words, never patterns

. tests/limit.sh
page=turbostat.8
readme=README.md
golden=tests/golden
failed=0

tmp=$(mktemp -d "${TMPDIR:-/tmp}/docs.XXXXXX") || exit 1
trap 'rm -rf "$tmp"' EXIT
trap 'exit 1' HUP INT TERM

# verdict NAME: ok if $tmp/bad is empty, otherwise FAIL and what it says
verdict()
{
	if [ -s "$tmp/bad" ]; then
		failed=1
		echo "FAIL docs/$1"
		sed -n '1,20s/^/    /p' "$tmp/bad"
	else
		echo "ok docs/$1"
	fi
	: >"$tmp/bad"
}

# The manual page as plain lines: escapes undone, fonts removed.
plain()
{
	sed 's/\\f[BIR]//g; s/\\-/-/g; s/\\(aq/'\''/g; s/\\e/\\/g; s/\\&//g' "$page"
}

# section NAME: the lines of one section of $tmp/page
section()
{
	awk -v name="$1" '
		/^\.SH / { on = substr($0, 5) == name }
		on' "$tmp/page"
}

# tags: the lines that follow .TP [INDENT], without macro and quotes
tags()
{
	awk '
		tag { sub(/^\.[BI]+R? /, ""); gsub(/"/, ""); print }
		{ tag = $1 == ".TP" }'
}

# missing LIST FROM TEXT: notes the words of file LIST that file FROM does not have
missing()
{
	awk -v text="$3" '
		FNR == NR { known[$1] = 1; next }
		!($1 in known) && !told[$1]++ { print $1 " " text }' "$2" "$1" >>"$tmp/bad"
}

# words_with_dashes: the long options in a text
words_with_dashes()
{
	awk '
		{
			while (match($0, /--[A-Za-z][A-Za-z_-]*/)) {
				if (RSTART == 1 || substr($0, RSTART - 1, 1) !~ /[A-Za-z0-9_-]/)
					print substr($0, RSTART, RLENGTH)
				$0 = substr($0, RSTART + RLENGTH)
			}
		}'
}

# run ARGUMENTS...: the program's output, then its messages, in $tmp/output
run()
{
	"$program" "$@" >"$tmp/output" 2>"$tmp/messages" </dev/null
	cat "$tmp/messages" >>"$tmp/output"
}

# in_order FILE: every line of FILE is in $tmp/output, in that order; blanks
# and TABs are alike, a line "..." stands for any, and " ..." for the rest of a line
in_order()
{
	awk '
		BEGIN { i = n = 0 }
		{ gsub(/[ \t]+/, " "); sub(/ $/, "") }
		FNR == NR { if ($0 != "...") want[n++] = $0; next }
		function fits(line, wanted) {
			return line == wanted ||
				(sub(/ \.\.\.$/, "", wanted) && index(line, wanted) == 1)
		}
		i < n && fits($0, want[i]) { i++ }
		END { if (i < n) print "not in the output, in order: " want[i] }' "$1" "$tmp/output" >>"$tmp/bad"
}

# The known names: options of --help, columns of three recordings.
plain >"$tmp/page"
: >"$tmp/bad"
"$program" --help >"$tmp/help" || echo "--help: exit $?" >>"$tmp/bad"
{
	awk '/^  -/ { line = substr($0, 3, 27); sub(/ +$/, "", line); print line }' "$tmp/help"
	# those that few need have no lines of their own
	sed -n '/^Rarely needed/,$p' "$tmp/help" | words_with_dashes
} >"$tmp/option_lines"
words_with_dashes <"$tmp/option_lines" >"$tmp/options"
for machine in v01-kabylake pmt-meteorlake pmt-clearwater; do
	"$program" --replay "$golden/$machine/machine.rec" --explain 2>/dev/null
done | awk -F '\t' '
	function column(name) { if (!seen[name]++) print name }
	/^absent: / { getline; n = split($2, absent, " "); for (i = 1; i <= n; i++) column(absent[i]) }
	NF == 5 { name = $1; getline; if ($2 !~ /\/cpuidle\/state/) column(name) }' >"$tmp/columns"
[ -s "$tmp/options" ] || echo "no options in --help" >>"$tmp/bad"
[ -s "$tmp/columns" ] || echo "no columns in --explain" >>"$tmp/bad"
verdict program

# Every option line of --help begins a tag of OPTIONS; every option that is named exists.
section OPTIONS | tags >"$tmp/tags"
awk '
	FNR == NR { tag[NR] = $0; n = NR; next }
	{
		# a line of --help begins the tag; a name alone may follow the letter
		for (i = 1; i <= n && (/^--[A-Za-z_-]*$/ ? !index(" " tag[i] " ", " " $0 " ") : index(tag[i], $0) != 1); i++)
			;
		if (i > n)
			print "not in OPTIONS: " $0
	}' "$tmp/tags" "$tmp/option_lines" >>"$tmp/bad"
grep -v '^srun\|jq -\|nvidia-smi\|--format=csv' "$tmp/page" | words_with_dashes >"$tmp/named"	# options of others
missing "$tmp/named" "$tmp/options" "is in $page, not in --help"
verdict options

# Every metric is in the appendix, and the other way round.
section 'APPENDIX: PROMETHEUS METRICS' | sed '/^\./d; s/added_[A-Za-z_]*//g; s/([^)]*)//g; s/_total//g' |
	grep -o '[a-z0-9][a-z0-9]*_[a-z0-9_]*\|cycles\|instructions\|interrupts\|nmis\|smis' | sort -u >"$tmp/named"
sed -n '/^static const struct metric metrics/,/^};/s/.*{ *[A-Z0-9_]*, \(NULL\|"[^,]*"\), "\([a-z0-9_]*\)".*/\2/p' turbostat.c |
	sed 's/_total$//; /^added/d' >"$tmp/metrics"
[ "$(wc -l <"$tmp/metrics")" -gt 30 ] || echo "no metrics in turbostat.c" >>"$tmp/bad"
missing "$tmp/metrics" "$tmp/named" "is a metric, not in $page"
printf '%s\n' cpu_info start_time_seconds sample_time_seconds unreadable_values elapsed_seconds >>"$tmp/metrics"
missing "$tmp/named" "$tmp/metrics" "is in $page, not a metric"
verdict metrics

# Every key of JSON is in the appendix.
section 'APPENDIX: JSON KEYS AND CSV FIELDS' | tr -cs 'A-Za-z0-9_' '\n' | sort -u >"$tmp/named"
sed -n 's/^        *"\([A-Za-z0-9_]*\)": {.*/\1/p' tests/schema.json | grep -v '^\(items\|properties\|additionalProperties\)$' | sort -u >"$tmp/keys"
[ "$(wc -l <"$tmp/keys")" -gt 80 ] || echo "no keys in schema.json" >>"$tmp/bad"
missing "$tmp/keys" "$tmp/named" "is a key of JSON, not in $page"
verdict keys

# Every column is a tag of COLUMNS, and the other way round.
section COLUMNS | tags | tr -s ', ' '\n' |
	awk 'NF && !/^NAME/ && !/^[-+%]$/ && !/^(UMHz|X|Y|\.|S0i|PMC|\.s2i%?)$/' >"$tmp/tags"
missing "$tmp/columns" "$tmp/tags" "is not in COLUMNS"
missing "$tmp/tags" "$tmp/columns" "is in COLUMNS, the program has no such column"
verdict columns

# Code and tables fit a terminal of 80 columns; text does by itself.
if command -v mandoc >/dev/null; then
	mandoc -O width=78 -T ascii "$page" | sed "s/.$(printf '\b')//g" |
		awk 'length > 80 { print length " columns: " $0 }' >"$tmp/bad"
	verdict width
else
	echo "skip docs/width: no mandoc"
fi

# The README leads to these options where it lists questions; the manual judges idle power.
for option in --per --control --pid; do
	grep -q "^| .*? | \`.*turbostat .*$option" "$readme" || echo "$option is not in the table of questions"
done >"$tmp/bad"
verdict questions
for words in 'Net_J is' 'Own_J_low is' 'are no bounds' '6.0 J' '15.1 to 66.0'; do
	section 'MEASURING A PROGRAM' | grep -q -e "$words" || echo "the manual does not say '$words'"
done >"$tmp/bad"
verdict idle-bounds
# who reads the description learns that a terminal shows it otherwise
section DESCRIPTION | grep -q 'ON A TERMINAL' || echo "DESCRIPTION does not lead to ON A TERMINAL" >"$tmp/bad"
verdict description
# which kernels move the events of one copy only
for words in 'keeps its cpumask itself' 'scope' 'those of both do'; do
	section 'INTERVALS, SIGNALS AND CPU HOTPLUG' | grep -q -e "$words" || echo "the manual does not say '$words'"
done >"$tmp/bad"
verdict two-copies

# The examples that name a recording.
awk -v dir="$tmp" '
	/^\.\\" replay v|^\.\\" replay [a-z]/ {
		n++
		sub(/^\.\\" replay /, "")
		print > (dir "/example." n)
		armed = 1
		next
	}
	armed && $0 == ".EX" { on = 1; next }
	on && $0 == ".EE" { on = armed = 0; close(dir "/example." n); next }
	on { print > (dir "/example." n) }' "$tmp/page"
n=1
while [ -f "$tmp/example.$n" ]; do
	read -r machine args <"$tmp/example.$n"
	awk -v args="$args" -v lines="$tmp/lines" '
		BEGIN { printf "" > lines }
		NR == 1 { next }
		NR == 2 || more {
			more = sub(/\\$/, "")
			command = command $0
			gsub(/  +/, " ", command)
			next
		}
		{ print > lines }
		END {
			if (index(command, "# turbostat " args) != 1)
				print "the example shows: " command; else if (NR < 3) print "no output: " command
		}' "$tmp/example.$n" >>"$tmp/bad"
	rec=$golden/$machine/machine.rec
	[ -f "$rec" ] || rec=$golden/$machine/program.rec
	# the example names the command that was recorded
	words=$(sed -n 's/^command //p' "$rec" | tr -d '"')
	case $(sed -n 2p "$tmp/example.$n") in
	*" $words" | *\\) ;;
	*) [ -z "$words" ] || echo "the example does not run $words" >>"$tmp/bad" ;;
	esac
	# shellcheck disable=SC2086	# words
	run --replay "$rec" $args
	in_order "$tmp/lines"
	n=$((n + 1))
done
[ "$n" -gt 1 ] || echo "no examples found" >>"$tmp/bad"
verdict examples

# The shell's example of a region: it begins and ends once, and reports its work.
awk '$0 == ".EX" { on = 1; text = ""; next } $0 == ".EE" { if (index(text, "region begin load")) printf "%s", text; on = 0 } on { text = text $0 "\n" }' \
	"$tmp/page" >"$tmp/region.sh"
run -q -M -P -S --show TSC_MHz --control pipe sh "$tmp/region.sh"
awk -F '\t' '$1 == "load" && $2 == 1 && $3 >= 0.1 && $4 == 1000 { n++ } END { if (n != 1) print "the example of a region is not measured" }' \
	"$tmp/output" >>"$tmp/bad"
verdict region

# HEADER has every kind of line in the headers of the golden machines, whatever its numbers.
section HEADER | sed 's/[0-9]//g' >"$tmp/explained"
find "$golden" -name machine.rec | sort | while read -r machine; do
	"$program" --replay "$machine" -n 1 2>&1 >/dev/null </dev/null
done | awk -v explained="$tmp/explained" '
	BEGIN { while ((getline line < explained) > 0) text = text line "\n" }
	/^turbostat: / || /\t/ || /^[0-9.]+ sec$/ { next }
	{
		kind = $0
		sub(/^cpu[0-9]+: /, "", kind)
		if (kind ~ /^[^ ]+: (MWAIT|ACPI|CPUIDLE|state number|default)/)
			kind = "MWAIT"
		if (!sub(/^[0-9]+ \* .* MHz /, "", kind))
			sub(/([:,]| 0x).*/, "", kind)
		sub(/ (package)?[0-9(].*/, "", kind)
		gsub(/[0-9]/, "", kind)
		if (!seen[kind]++ && !index(text, kind))
			print "HEADER does not explain: " $0
	}
	END { if (!("RAPL" in seen)) print "no headers seen" }' >>"$tmp/bad"
verdict header

# The other examples, of the page and of the README: the options are understood as they stand.
awk '
	more { line = line " " $0 }
	!more { line = $0 }
	{ more = sub(/ *\\$/, "", line) }
	!more && line ~ /^ *[#$] (sudo )?(\.\/)?turbostat / {
		sub(/^ *[#$] (sudo )?(\.\/)?turbostat /, "", line)
		sub(/ *[|<>].*/, "", line)
		print line
	}' "$tmp/page" "$readme" >"$tmp/commands"
while read -r args; do
	# shellcheck disable=SC2086	# words
	"$program" --version $args >"$tmp/output" 2>"$tmp/messages" </dev/null ||
		sed "s/^/$(echo "$args" | cut -c1-60 | tr / .): /" "$tmp/messages" >>"$tmp/bad"
done <"$tmp/commands"
[ "$(wc -l <"$tmp/commands")" -gt 10 ] || echo "few examples found" >>"$tmp/bad"
verdict commands

# Who copies a command that names Joules gets them.
awk '
	more { line = line " " $0 }
	!more { line = $0 }
	{ more = sub(/ *\\$/, "", line) }
	!more && line ~ /turbostat .*--show [^ ]*_J/ {
		n++
		if (line !~ / (-J|--Joules|--repeat|--idle|--control)( |$)/)
			print "--show without --Joules: " line
	}
	END { if (!n) print "no example names Joules" }' "$tmp/page" "$readme" >>"$tmp/bad"
verdict joules

# The samples of the README: "$ ./turbostat ... --replay ..." and the lines below it.
awk -v dir="$tmp" '
	/^\$ \.\/turbostat .*--replay / {
		n++
		sub(/^\$ \.\/turbostat /, "")
		print > (dir "/sample." n)
		on = 1
		next
	}
	on && (/^```/ || /^\$ /) { on = 0; close(dir "/sample." n) }
	on { print > (dir "/sample." n) }' "$readme"
n=1
while [ -f "$tmp/sample.$n" ]; do
	read -r args <"$tmp/sample.$n"
	sed 1d "$tmp/sample.$n" >"$tmp/lines"
	[ -s "$tmp/lines" ] || echo "no output: $args" >>"$tmp/bad"
	# shellcheck disable=SC2086	# words
	run $args
	in_order "$tmp/lines"
	n=$((n + 1))
done
[ "$n" -gt 1 ] || echo "no samples found" >>"$tmp/bad"
verdict readme_samples

# The options that the README names exist.
words_with_dashes <"$readme" >"$tmp/named"
missing "$tmp/named" "$tmp/options" "is in $readme, not in --help"
verdict readme_options

# The README says how many recordings of machines there are.
count=$(find tests/golden -name machine.rec | wc -l | tr -d ' ')
grep -q "tested on $count recordings of machines" "$readme" || echo "there are $count recordings of machines" >>"$tmp/bad"
verdict readme_recordings

# What is named as a function, NAME(), or as a table, NAME[], in the README and in comments of the
# program is in the code; the kernel's names have no brackets.
awk '
	function names(s, list,    name) {
		while (match(s, /[A-Za-z_][A-Za-z_0-9]*(\(\)|\[\])/)) {
			name = substr(s, RSTART, RLENGTH - 2)
			list[name] = FILENAME ": " substr(s, RSTART, RLENGTH)
			s = substr(s, RSTART + RLENGTH)
		}
	}
	FILENAME == "'"$readme"'" { names($0, named); next }
	{
		code = $0
		comment = ""
		if (!within && (i = index(code, "/*"))) {
			comment = substr(code, i)
			code = substr(code, 1, i - 1)
			within = 1
		} else if (within) {
			comment = code
			code = ""
		}
		if (within && index(comment, "*/"))
			within = 0
		names(comment, named)
		while (match(code, /[A-Za-z_][A-Za-z_0-9]*/)) {
			known[substr(code, RSTART, RLENGTH)] = 1
			code = substr(code, RSTART + RLENGTH)
		}
	}
	END {
		for (name in named) {
			n++
			if (!(name in known))
				print "not in the source: " named[name]
		}
		if (!n)
			print "nothing named"
	}' turbostat.c "$readme" >>"$tmp/bad"
verdict named_functions

if command -v mandoc >/dev/null; then
	mandoc -T lint "$page" >"$tmp/bad" 2>&1
	verdict lint
else
	echo "skip docs/lint: no mandoc"
fi
exit $failed
