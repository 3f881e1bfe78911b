#!/bin/sh
# exclusions.sh - options that exclude each other, or need others: status 1, and one line that names them;
# a format that is added works with each option, or is refused.
#
# To be run from the project's top directory; frame.sh says how to run one test.

. tests/frame.sh

# refuses WORDS ARGUMENTS...: status 1, one line, with WORDS
refuses()
{
	words=$1
	shift
	"$program" "$@" >"$tmp/out" 2>"$tmp/err" </dev/null
	same "$(echo "$*" | tr ' /' '_.')" "1 1 0" "$? $(grep -c -- "^turbostat: .*$words" "$tmp/err") $(wc -l <"$tmp/out" | tr -d ' ')"
}

exclusions()
{
	refuses 'needs a command' --repeat 3
	refuses '--warmup, --pre and --post need --repeat' --warmup 1 true
	refuses '--warmup, --pre and --post need --repeat' --pre true true
	refuses '--repeat and --total exclude' --repeat 2 --total true
	refuses '--repeat and --timeout exclude' --repeat 2 --timeout 1 true
	for option in --prometheus --total '--timeout 1' '--delay 1' '--pid 1'; do
		# shellcheck disable=SC2086	# words
		refuses "--compare and ${option% *} exclude" --compare $option -- true -- true
	done
	refuses '--repeat and --per exclude' --repeat 2 --per core true
	for option in --list --explain --Dump '--per core'; do
		# shellcheck disable=SC2086	# words
		refuses "--compare and ${option% *} exclude" --compare $option --replay x --replay y
	done
	refuses '--pid and --replay exclude' --pid 1 --replay x
	refuses '--replay and --record exclude' --replay x --record y
	refuses '--replay and a command exclude' --replay x true
	for option in --json --csv; do
		refuses "--prometheus and $option exclude" --prometheus $option
	done
	refuses '--prometheus and --html exclude' --html --prometheus
	for option in --json --csv '--per core'; do
		# shellcheck disable=SC2086	# words
		refuses "--html and ${option% *} exclude" --html $option
	done
	refuses '--repeat and --prometheus exclude' --repeat 2 --prometheus true
	refuses '--repeat and --delay exclude' --repeat 2 --delay 1 true
	refuses '--repeat and --pid exclude' --repeat 2 --pid 1 true
	refuses '--pid and a command exclude' --pid 1 true
	refuses '--repeat needs a command' --repeat 2 --replay x
	refuses 'two --replay need --compare' --replay x --replay y
	refuses 'needs two commands' --compare true
	refuses 'needs two commands' --compare -- true --
	refuses 'needs two commands' --compare -- -- true
	for option in '--warmup 2' '--pre true' '--post true'; do
		# shellcheck disable=SC2086	# words
		refuses "--warmup, --pre and --post need" $option --compare --replay x --replay y
	done
	refuses '--compare and --record exclude' --compare --record x -- true -- true
	refuses '3 runs' --compare --repeat 2 -- true -- true
	refuses 'a single --replay needs a command' --compare --replay x
	refuses 'needs at least 3 runs' --compare --repeat 2 --replay x -- true
	refuses '--fail needs --compare' --fail 'seconds>2%' --repeat 3 true
	for gate in 'seconds' 'seconds>' '>2%' 'seconds>x%' 'seconds>2%%' 'seconds>2x' 'seconds>inf%' '2%'; do
		refuses "--fail: '$gate' is not ROW>LIMIT" --compare --fail "$gate" -- true -- true
	done
	refuses '--idle needs a command' --idle 1
	refuses '--idle and --pid exclude' --idle 1 --pid 1
	refuses "'0.5' is not a number" --idle 0.5 true
	refuses 'needs --control' --delay -1 true
	refuses 'neither pipe nor fd:' --control bogus true
	refuses 'neither pipe nor fd:' --control fifo: true
	refuses 'neither pipe nor fd:' --control fifo:,a true
	refuses 'c: No such file' --control fifo:c, true
	for word in fd: fd:x 'fd:0,' fd:,0 fd:0,1,2 fd:-1 fd:0,1x; do
		refuses 'neither pipe nor fd:' --control $word true
	done
	refuses 'descriptor 9 is not open' --control fd:9 true 9<&-
	refuses 'descriptor 8 is not open' --control fd:0,8 true 8<&-
	refuses 'descriptor 1 is not readable' --control fd:1 true
	refuses 'descriptor 0 is not writable' --control fd:0,0 true
	refuses 'needs a command' --control pipe
	refuses 'it is not a fifo' --control fifo:/dev/null true
	refuses '--control and --repeat exclude' --control pipe --repeat 3 true
	refuses '--control and --prometheus exclude' --control pipe --prometheus true
	refuses '--control and --replay exclude' --control fifo:x --replay y
	refuses '--control and --compare exclude' --control pipe --compare -- true -- true
	refuses 'z is one too many' --compare --replay x --replay y --replay z
	refuses "'type' is not one of core" --cpu type
	refuses "'0'" --repeat 0 true
	refuses "'-2'" --delay -2 true
}

# build_formats: a program with two more formats, by the head's recipe: `lines` has no statistics, `state`
# is a state that replaces its file
build_formats()
{
	awk '
		/^enum output [{].* HTML [}];/ { sub(/ HTML/, "&, LINES, STATE"); rows++ }
		/^static const struct writer writers/ {
			print "static void lines_interval(struct buf *b, const struct interval *iv, const struct result *r)"
			print "{ buf_printf(b, \"%s %.3f\\n\", result_type(r), iv->seconds); }"
		}
		{ print }
		/^\t\[HTML\] = [{] "html",/ { print "[LINES] = { \"lines\" }, [STATE] = { \"state\", .totals = true },"; rows++ }
		/^\t\[HTML\] = [{] picture_begin/ { print "[LINES] = { NULL, lines_interval }, [STATE] = { NULL, lines_interval },"; rows++ }
		/^\t[{] "html", 0,/ {
			print "{ \"lines\", 0, NULL, \"print lines\", .format = LINES },"
			print "{ \"state\", 0, NULL, \"print a state\", .format = STATE },"
			rows++
		}
		END { exit rows != 4 }' turbostat.c >"$tmp/formats.c" &&
		${CC:-cc} -std=gnu11 -w -O0 -I. -o "$tmp/formats" "$tmp/formats.c"
}

# accepts FORMAT ARGUMENTS...: it works
accepts()
{
	format=$1
	shift
	timeout 30 "$tmp/formats" -q -M -P --show TSC_MHz --"$format" "$@" >"$tmp/out" 2>&1 </dev/null
	same "$(echo "$format $*" | sed "s!$tmp!tmp!g" | tr ' /' '_.')" 0 $?
}

# rejects FORMAT WORDS ARGUMENTS...: status 1, one line, with WORDS
rejects()
{
	format=$1
	words=$2
	shift 2
	timeout 30 "$tmp/formats" -q -M -P --show TSC_MHz --"$format" "$@" >"$tmp/out" 2>&1 </dev/null
	same "$format.$(echo "$*" | tr ' /' '_.')" "1 turbostat: $words" "$? $(cat "$tmp/out")"
}

# a format without statistics is refused where there would be some, under its own name, and works elsewhere
added_format()
{
	build_formats
	same added-format/builds 0 $?
	runs=tests/golden/runs/program.rec
	regions=tests/golden/regions/program.rec
	for format in lines state; do
		rejects $format "--stats and --$format exclude each other" --stats -n 1 -i 0.01
		rejects $format "--repeat and --$format exclude each other" --repeat 3 true
		rejects $format "--compare and --$format exclude each other" --compare -- true -- true
		rejects $format "--compare and --$format exclude each other" --compare --replay $runs --replay $runs
		rejects $format "--compare and --$format exclude each other" --compare --replay $runs -- true
		rejects $format "--$format: the recording holds runs" --replay $runs
		rejects $format "--explain clock and --$format exclude each other" --explain clock -i 0.01
		rejects $format '--view live is for the table only, and not for --repeat or --compare' --view live -n 1 -i 0.01
		for other in json csv prometheus html; do
			"$tmp/formats" --$format --$other >"$tmp/out" 2>&1 </dev/null
			same $format.$other 1 "$(grep -cx "turbostat: --\($format and --$other\|$other and --$format\) exclude each other" "$tmp/out")"
		done
		for words in '-n 1 -i 0.01' '-n 1 -i 0.01 --out FILE' '-n 1 -i 0.01 -N 1 -S' '-n 1 -i 0.01 --Joules --debug' '-n 1 -i 0.01 --per core' \
			'-n 1 -i 0.01 --cpu core' '-n 1 -i 0.01 --record FILE' '-i 0.01 --timeout 0.02' '-i 0.01 -n 1 --delay 0.01' '-i 0.01 -n 1 --view wide' \
			--list --explain --Dump true '--delay 0.01 true' '--delay -1 --replay REGIONS' '--replay REGIONS'; do
			# shellcheck disable=SC2046,SC2086	# words
			accepts $format $(echo "$words" | sed "s!FILE!$tmp/$format.out!; s!REGIONS!$regions!")
		done
	done
	accepts lines -n 1 -i 0.01 --total
	accepts lines -n 1 -i 0.01 --append --out "$tmp/lines.out"
	accepts lines --idle 1 true
	printf 'echo begin a >&"$TURBOSTAT_CTL"\necho end a >&"$TURBOSTAT_CTL"\n' >"$tmp/command"
	accepts lines --control pipe sh "$tmp/command"
	same lines.region 1 "$(grep -c '^region ' "$tmp/out")"
	rejects state '--state and --total exclude each other' -n 1 -i 0.01 --total
	rejects state '--state and --append exclude each other' --append --out "$tmp/state.out"
	rejects state '--idle and --state exclude each other' --idle 1 true
	rejects state '--control and --state exclude each other' --control pipe true
	rejects state '--state: /dev/null cannot be replaced: it is not a regular file, or below /dev or /proc (--out - is standard output)' --out /dev/null
}

all="exclusions added_format"
run_tests "$@"
