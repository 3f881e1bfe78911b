#!/bin/sh
# cli.sh - the command line and the program's manners, seen from outside: options,
# streams, exit status, signals, standard input, the forked command, recordings.
#
#   tests/cli.sh [PATTERN]	all tests, or those whose name matches the pattern
#
# To be run from the project's top directory. TURBOSTAT names the program,
# ./turbostat if unset. Needs no root and no hardware: what looks at the table
# replays a recording of tests/golden, what looks at time and processes runs live
# with neither MSRs nor perf events. Tests that need more than the machine has are skipped.

# The tests are called by name; $status, $pid and the like are numbers; ok never fails.
# shellcheck disable=SC2317,SC2086,SC2015,SC2016,SC1003,SC2088,SC2059,SC2030,SC2031,SC3045

LC_ALL=C
export LC_ALL

. tests/limit.sh
pattern=${1:-*}
rec=tests/golden/v01-kabylake/machine.rec	# 4 cores, 8 CPUs, 2 intervals
tmp=build/cli.$$
failed=$tmp/failed	# is there once a test has failed, be it in a pipe or in the background

mkdir -p "$tmp" || exit 1
trap 'rm -rf "$tmp"' EXIT
trap 'exit 1' HUP INT TERM

# --- how a test speaks ---

ok()
{
	echo "ok cli/$1"
}

# fail NAME: details come on standard input
fail()
{
	: >"$failed"
	echo "FAIL cli/$1"
	sed -n '1,12s/^/    /p'
}

skip()
{
	echo "skip cli/$1: $2"
}

# wanted NAME: is this test among those asked for?
wanted()
{
	# shellcheck disable=SC2254	# a pattern on purpose
	case $1 in
	$pattern)	return 0 ;;
	esac
	return 1
}

# show_run: the last run, for the details of a failure
show_run()
{
	echo "exit status $status"
	sed -n '1,4s/^/stdout: /p' "$tmp/out"
	sed -n '1,4s/^/stderr: /p' "$tmp/err"
}

# same NAME EXPECTED GOT: two texts
same()
{
	if [ "$2" = "$3" ]; then
		ok "$1"
	else
		printf 'expected: %s\nseen:     %s\n' "$2" "$3" | cut -c1-300 | fail "$1"
	fi
}

# same_file NAME EXPECTED GOT: two files
same_file()
{
	if cmp -s "$2" "$3"; then
		ok "$1"
	else
		diff "$2" "$3" | fail "$1"
	fi
}

# --- how the program is run ---

# run ARGUMENTS...: leaves $tmp/out, $tmp/err and $status
run()
{
	"$program" "$@" >"$tmp/out" 2>"$tmp/err" </dev/null
	status=$?
}

# replay ARGUMENTS...: the same, of the recording
replay()
{
	run --replay "$rec" "$@"
}

# live ARGUMENTS...: on this machine, without what needs privileges
live()
{
	run --quiet --no-msr --no-perf "$@"
}

# header ARGUMENTS...: the header line of the table
header()
{
	"$program" --replay "$rec" --quiet -n 1 "$@" 2>/dev/null </dev/null | sed -n 1p
}

# dots: the header line with dots for TABs, for comparisons that one can read
dots()
{
	tr '\t' '.'
}

# refuses NAME WORD ARGUMENTS...: one clear line with WORD in it, exit 1, no output
refuses()
{
	name=$1
	word=$2
	shift 2
	run "$@"
	if [ $status -eq 1 ] && [ ! -s "$tmp/out" ] && [ "$(wc -l <"$tmp/err")" -eq 1 ] &&
	   grep -q '^[^ ]*turbostat: ' "$tmp/err" && grep -qF -- "$word" "$tmp/err"; then
		ok "$name"
	else
		{ echo "arguments: $*"; echo "expected: exit 1, one line with $word"; show_run; } | fail "$name"
	fi
}

# accepts NAME ARGUMENTS...: a replay with exit 0, nothing on standard error
accepts()
{
	name=$1
	shift
	replay --quiet "$@"
	if [ $status -eq 0 ] && [ ! -s "$tmp/err" ] && [ -s "$tmp/out" ]; then
		ok "$name"
	else
		{ echo "arguments: $*"; show_run; } | fail "$name"
	fi
}

# notes FILE: standard error without the program's notes
without_notes()
{
	grep -v '^turbostat: ' "$1"
}

# start ARGUMENTS...: live in the background, ready for signals when this returns; $pid.
# The caller may set $input to what shall be standard input, and $output.
start()
{
	"$program" --quiet --no-msr --no-perf "$@" >"${output:-$tmp/out}" 2>"$tmp/err" <"${input:-/dev/null}" &
	pid=$!
	await is_ready $pid
}

finish()
{
	wait "$pid"
	status=$?
}

# blocks FILE: how many headers, and how many lines in all
blocks()
{
	awk '/CPU\t/ || /^CPU$/ { h++ } END { print h + 0, NR }' "$1"
}

# now: hundredths of a second
now()
{
	awk '{ sub(/[.]/, "", $1); print $1; exit }' /proc/uptime	# 0.29 * 100 is below 29
}

# --- tests ---

test_forms()
{
	want=$(header --Summary --show Busy%,CPU%c1)
	for args in '-S --show Busy%,CPU%c1' '-Summary -show Busy%,CPU%c1' '--S --s Busy%,CPU%c1' '-Su -s Busy%,CPU%c1' \
		    '--Sum --show=Busy%,CPU%c1' '--show Busy% --show CPU%c1 --Summary' '-Sq -s=Busy%,CPU%c1' \
		    '-qS -sho Busy%,CPU%c1' '-S -s Busy% -e CPU%c1' '-S -H CPU -s Busy% -eCPU%c1'; do
		same "forms/$(echo "$args" | tr ' ' _)" "$want" "$(header $args)"
	done
}

# topology NAME: the topology columns of a recording, by default, of all columns, and of the group
topology()
{
	for args in '' '--show all --hide usec,Time_Of_Day_Seconds' '--show topology'; do
		"$program" --replay tests/golden/$1/machine.rec -q -n 1 $args 2>/dev/null </dev/null | sed 's/CPU	.*/CPU/;q' | dots
	done
}

# Module and L3 never by default nor as part of all columns, but by name and with their group
test_default_ids()
{
	same ids/module "Core.CPU Core.CPU Module.Core.CPU" "$(topology alderlake | paste -s -d ' ' -)"
	same ids/module-is-core "Core.CPU Core.CPU Module.Core.CPU" "$(topology v01-kabylake | paste -s -d ' ' -)"
	same ids/l3 "Core.CPU Core.CPU L3.Module.Core.CPU" "$(topology zen4 | paste -s -d " " -)"
	# an id that one CPU does not tell is that of the others all the same
	sed '/cpu[23].topology.cluster_id/d' tests/golden/alderlake/machine.rec >"$tmp/rec"
	same ids/of-all-but-one "0 0 0 0 16 16 16 16" "$("$program" --replay "$tmp/rec" -q -n 1 --show CPU,Module 2>/dev/null </dev/null | sed '1,2d' | cut -f1 | paste -s -d ' ' -)"
	for words in '--enable all' '--show all --hide usec' '--list --enable all'; do
		same "ids/no-cache-$(echo "$words" | tr -d ' ')" 0 "$("$program" --replay tests/golden/zen4/machine.rec -q -n 1 $words 2>/dev/null </dev/null | tr '\t' '\n' | grep -c '^L3$\|^Module$')"
	done
	same ids/cache-by-name "L3.Module" "$("$program" --replay tests/golden/zen4/machine.rec -q -n 1 --show all --enable Module,L3 2>/dev/null </dev/null | sed 1q | tr '\t' '\n' | grep '^L3$\|^Module$' | paste -s -d . -)"
	same ids/l3-is-package "Package.Core.CPU Package.Core.CPU Package.L3.Module.Core.CPU" "$(topology sapphirerapids | paste -s -d " " -)"
}

# A module that the kernel does not know has no number in any format.
test_unknown_module()
{
	sed 's/\(cpu[0-3].topology.cluster_id "\)[0-9]*/\165535/' tests/golden/alderlake/machine.rec >"$tmp/rec"
	ids()
	{
		"$program" -q -n 1 --replay "$tmp/rec" --show Module,CPU,Busy%,Mod%c6 "$@" 2>/dev/null </dev/null
	}
	same unknown-module/table "- - - - - 16 16 16 16" "$(ids | sed 1d | cut -f 1 | paste -s -d ' ' -)"
	same unknown-module/per "- - 16" "$(ids --per module | sed 1d | cut -f 1 | paste -s -d ' ' -)"
	same unknown-module/json "null null null null 16 16 16 16" "$(ids --json | grep -o '"scope":"cpu"[^}]*' | sed 's/.*"module":\([^,]*\),.*/\1/' | paste -s -d ' ' -)"
	same unknown-module/csv "    16 16 16 16" "$(ids --csv | grep '^interval.*,cpu,' | cut -d , -f 13 | paste -s -d ' ' -)"
	same unknown-module/labels 4 "$(ids --prometheus | grep -c '^turbostat_cpu_info.*module="16"')"
	same unknown-module/labels-known 4 "$(ids --prometheus | grep -c '^turbostat_cpu_info.*module=')"
	for words in --json --csv --prometheus --html '--view wide' --debug; do
		ids $words >"$tmp/out" 2>&1
		same "unknown-module/number$(echo "$words" | tr -d ' ')" 0 "$(grep -c 65535 "$tmp/out")"
	done
	sed -i 's/\(topology.cluster_id "\)[0-9]*/\165535/' "$tmp/rec"
	run --replay "$tmp/rec" --per module
	same unknown-module/none "1 turbostat: --per module: this kernel knows of no modules" "$status $(cat "$tmp/err")"
	same unknown-module/no-column "CPU" "$(ids --show Module,CPU | sed 's/\tBusy.*//; q')"
	same unknown-module/cpus 8 "$(ids --json | grep -o '"module":null' | wc -l | tr -d ' ')"
}

# types NAME: Type of all CPUs, and in how many other selections it stands
types()
{
	rec=tests/golden/$1/machine.rec
	"$program" --replay "$rec" -q -n 1 --show CPU,Type 2>/dev/null </dev/null | cut -f2 | paste -s -d ' ' -
	for args in '' '--show all' '--show topology' '--debug' '--list' '--list --enable all'; do
		"$program" --replay "$rec" -q -n 1 $args 2>/dev/null </dev/null | sed 1q | grep -cw Type
	done | paste -s -d ' ' -
}

# Core types, of CPUID and of the core PMUs; only when named.
test_core_types()
{
	same types/cpuid "Type - P P P P E E E E 0 0 0 0 0 0" "$(types alderlake | paste -s -d ' ' -)"
	same types/pmus "Type - P E L 0 0 0 0 0 0" "$(types perf-lowpower | paste -s -d ' ' -)"
	same types/no-hybrid CPU "$(header --show CPU,Type)"
}

# A file that the user names: only its beginning is read, and recorded.
test_added_file()
{
	# a recording holds no path with a blank, and the project's may have one
	away=$(mktemp -d "${TMPDIR:-/tmp}/cli.XXXXXX") || return
	printf '42\n' >"$away/sparse"
	truncate -s 1G "$away/sparse"
	printf '%4094s42\n' '' >"$away/cut"		# a number that is not read as a whole is none
	printf '%4094s42' '' >"$away/all"
	printf '%4092s4.25' '' >"$away/decimal"
	printf '%4093s42 \n' '' >"$away/short"
	for file in sparse short; do
		(grep -q __asan_init "$binary" || ulimit -v 200000
		TURBOSTAT=$binary "$program" -q -M -P -i 0.01 -n 1 -S --add "$away/$file,average,X" --show X --record "$tmp/rec" >"$tmp/out" 2>"$tmp/err" </dev/null)
		same "added/file-$file" "0 X 42" "$? $(paste -s -d ' ' "$tmp/out" "$tmp/err")"
		same "added/file-$file-recorded" "1 X 42" "$(($(wc -c <"$tmp/rec") < 200000)) $("$program" -q -S --add "$away/$file,average,X" --show X --replay "$tmp/rec" | paste -s -d ' ' -)"
	done
	for file in cut all decimal; do
		live -n 1 -i 0.01 --add "$away/$file,average,X" --show X
		same "added/file-$file" "1 1" "$status $(grep -c "X: $away/$file holds no number" "$tmp/err")"
	done
	rm -rf "$away"
}

# In a replay no command owns standard output: formats go there, the table stays where the run had it.
test_replayed_command()
{
	machines=tests/golden
	for format in json csv prometheus html; do
		run -q --replay $machines/command/machine.rec --$format
		same "replayed/$format" "7 1 0" "$status $(test -s "$tmp/out"; echo $((!$?))) $(wc -c <"$tmp/err" | tr -d ' ')"
		[ $format != prometheus ] || continue
		run -q --replay $machines/runs/program.rec --$format
		same "replayed/$format-of-runs" "1 0" "$(test -s "$tmp/out"; echo $((!$?))) $(without_notes "$tmp/err" | wc -l | tr -d ' ')"
		run -q --replay $machines/runs/program.rec --$format --compare --replay $machines/runs/faster.rec
		same "replayed/$format-compared" "1 0" "$(test -s "$tmp/out"; echo $((!$?))) $(without_notes "$tmp/err" | wc -l | tr -d ' ')"
	done
	run -q --replay $machines/command/machine.rec
	same replayed/table "7 0 1" "$status $(wc -c <"$tmp/out" | tr -d ' ') $(grep -c ' sec$' "$tmp/err")"
	for format in json csv html; do
		live -S --$format --show TSC_MHz echo own
		same "replayed/live-$format" "0 own 1" "$status $(cat "$tmp/out") $(grep -c 'TSC_MHz' "$tmp/err" | sed 's/[0-9][0-9]*/1/')"
	done
}

# Every abbreviation that was unambiguous among the established options still is.
test_abbreviations()
{
	for option in add cpu debug Dump enable force header_iterations help hide interval Joules list no-msr no-perf \
		      num_iterations out quiet show Summary TCC version; do
		case $option in
		add)		value=msr0x10; shortest=a ;;
		cpu)		value=0; shortest=c ;;
		debug)		value=; shortest=d ;;
		enable)		value=all; shortest=e ;;
		header_iterations) value=1; shortest=hea ;;
		help)		value=; shortest=hel ;;
		hide)		value=SMI; shortest=hi ;;
		interval)	value=1; shortest=i ;;
		no-msr)		value=; shortest=no-m ;;
		no-perf)	value=; shortest=no-p ;;
		num_iterations)	value=1; shortest=nu ;;
		out)		value=$tmp/abbreviation; shortest=o ;;
		show)		value=CPU; shortest=s ;;
		TCC)		value=90; shortest=T ;;
		*)		value=; shortest=$(echo "$option" | cut -c1) ;;
		esac
		word=$option
		bad=
		while :; do
			for dash in -- -; do
				case $dash$word in
				# one letter after one dash may be a short option: it is the same one
				-h)	break ;;
				esac
				run $dash$word $value --help
				[ $status -eq 0 ] && ! grep -qv '^turbostat version ' "$tmp/err" || bad="$bad $dash$word"
				if [ -n "$value" ]; then
					run "$dash$word=$value" --help
					# -n=1 and the like: a letter with its value glued to it
					[ $status -eq 0 ] || [ "$dash${#word}" = -1 ] || bad="$bad $dash$word=$value"
				fi
			done
			[ "$word" = "$shortest" ] && break
			word=${word%?}
		done
		same "abbreviations/$option" "" "$bad"
	done
}

test_letters()
{
	for args in -c0 '-c 0' -d -D '-e all' -eall '-H SMI' -HSMI '-i 1' -i5 -J -M -P '-n 1' -n5 '-N 1' -N2 "-o$tmp/letter" \
		    "-o $tmp/letter" -q -S '-T 90' -T90 -h -v -dd -Sq -SqJ -qM -qP -qn1 '-qn 1'; do
		run $args --help
		if [ $status -eq 0 ] && ! grep -qv '^turbostat version ' "$tmp/err"; then
			ok "letters/$(echo "${args##*/}" | tr ' ' _)"
		else
			show_run | fail "letters/$(echo "$args" | tr ' ' _)"
		fi
	done
}

# Order never matters where options do not concern the same thing.
test_order()
{
	want=$(header --no-msr -q)
	case $want in
	*Busy%*)	echo "$want" | fail order/no-msr ;;
	*)		ok order/no-msr ;;
	esac
	for args in '--no-msr -n 5' '-n 5 --no-msr' '-qM' '-Mq' '-n 5 -M' '-N 5 --no-msr' '-N 5 -qM' '-qMn5' '--num_iterations 5 -M'; do
		same "order/$(echo "$args" | tr ' ' _)" "$want" "$(header $args)"
	done
	want=$(header --no-perf)
	same order/-qP "$want" "$(header -n 5 -qP)"
	for args in '--add msr0x10 --no-msr' '--no-msr --add msr0x10' '-n 5 --add msr16 -qM'; do
		refuses "order/$(echo "$args" | tr ' ' _)" msr $args
	done
}

test_values()
{
	for v in 5x nan -nan inf -1 1e300 0 0.0009 '' ' ' x; do
		refuses "values/-i_$v" "'$v'" -i "$v"
		refuses "values/--interval=$v" "'$v'" "--interval=$v"
	done
	for v in 0 5x -1 1.5 '' x 99999999999999999999 4294967296 0x; do
		refuses "values/-n_$v" "'$v'" -n "$v"
		[ "$v" = 0 ] || refuses "values/-N_$v" "'$v'" -N "$v"
	done
	for v in x 5x -1 256 '' 1e2; do
		refuses "values/-T_$v" "'$v'" -T "$v"
	done
	for v in 1- 3-1 ',' '' 1,,2 -1 x 1.2 1... 99999 99999999999 1-x core,1 cores '1 2' 0x1 1-2-3; do
		refuses "values/--cpu_$v" "'$v'" --cpu "$v"
	done
	refuses values/--cpu-limit "from 0 to 8191 such as 0,2,4-7" --cpu 9999
	refuses values/--cpu_core,list core --cpu core --cpu 1
	refuses values/--cpu_list,package package --cpu 1 --cpu package
	for v in 0.001 0.5 1e-1 5. 100000; do
		accepts "values/-i_$v" -i "$v"
	done
	for v in 1 2 0x2 4294967295; do
		accepts "values/-n_$v" -n "$v"
	done
	replay -q -T 90
	same values/-T_90 "0 1 " "$status $(test -s "$tmp/out"; echo $((!$?))) $(cat "$tmp/err")"
	for v in 1..3 1-3 0 1,3 2-2 0-1,4..5 core package; do
		accepts "values/--cpu_$v" --cpu "$v"
	done
	same values/cpu-units "- 0" "$("$program" --replay "$rec" -q -n 1 --cpu core --cpu package --show CPU | sed 1d | paste -s -d ' ' -)"
	same values/cpu-dots "- 1 5 2 6 3 7" "$("$program" --replay "$rec" -q -n 1 --cpu 1..3,5-7 --show CPU | sed 1d | paste -s -d ' ' -)"
	# one line that names the culprit, and what was meant
	refuses values/option-near "'--sumary', did you mean --Summary?" --sumary
	refuses values/option-synonym "'--count', did you mean --num_iterations? (try --help)" --count 3
	refuses values/option-part "'--iter', did you mean --num_iterations?" --iter 3
	refuses values/option-nothing "'---'" ---
	refuses values/ambiguous-names "--hide, --html, --header_iterations, --help" --h
	refuses values/list-of-options "--show needs a list of columns, not '-n'" --show -n 5
	replay --explain IRQ,Busy%
	want=$(cat "$tmp/out")
	for args in 'IRQ,Busy% --' '-- IRQ,Busy%' 'IRQ -- Busy%' 'IRQ -q Busy% --' '-- IRQ Busy%'; do
		replay --explain $args
		same "values/explain_$(echo "$args" | tr ' ' _)" "$want" "$(cat "$tmp/out")"
	done
	for args in --explain=IRQ,Busy% '-explain=IRQ Busy%' '--expl=IRQ --explain=Busy% -q'; do
		replay $args
		same "values/$(echo "$args" | tr ' ' _)" "$want" "$(cat "$tmp/out")"
	done
	replay --explain clock
	want=$(cat "$tmp/out")
	replay --explain=clock
	same values/topic-behind-equals "$want" "$(cat "$tmp/out")"
	refuses values/explain-nothing "'--explain' needs a value: COLUMN, not ''" --explain=
	refuses values/list-after-explain "--explain needs a list of columns, not '-n'" --explain CPU,-n
	refuses values/list-with-blank "'CPU, Busy%,IRQ': write lists without blanks" --show CPU, Busy%,IRQ
	refuses values/list-with-blank-inside "' XYZ': write lists without blanks" --replay "$rec" -q --show ' XYZ'
	refuses values/column-only-unknown "'PgkWatt', did you mean PkgWatt?" --replay "$rec" -q --show PgkWatt
	replay --explain Busy%,Bogus
	same values/column-explained "1 1" "$status $(grep -c '^Busy%' "$tmp/out")"
	replay --explain clock --show Bogus,CPU
	same values/column-beside-topic "1 1" "$status $(grep -c '^clock' "$tmp/out")"
	refuses values/column-far "'W' (see --list)" --replay "$rec" -q --show W
	run --replay tests/golden/kvm-guest/machine.rec -n 1 --show CPU,PkgWatt,CorWatt
	same values/column-of-no-guest "turbostat: the hypervisor does not provide it: no 'CorWatt', 'PkgWatt'" "$(sed -n 1p "$tmp/err")"
	grep -v '^file /sys/devices/system/cpu/online ' "$rec" >"$tmp/no-sysfs.rec"
	refuses values/no-sysfs "cpu/online cannot be read: is /sys mounted?" --replay "$tmp/no-sysfs.rec"
	refuses values/column-in-joules "no columns left to show: 'Pkg_J': --Joules shows it" --replay "$rec" -q --show Pkg_J
	refuses values/column-in-watts "no columns left to show: 'PkgWatt': --Joules shows energy instead" --replay "$rec" -q -J --show PkgWatt
	refuses values/idle-state-absent "no columns left to show: 'C99%': this machine has none" --replay "$rec" -q --show C99%
	refuses values/column-synonym "'temp', did you mean CoreTmp or PkgTmp?" --replay "$rec" -q --show temp
	refuses values/column-synonym-in-capitals "'GPU', did you mean GFX%rc6, GFXMHz or GFXWatt?" --replay "$rec" -q --show GPU
	refuses values/column-in-small-letters "'irq', did you mean IRQ?" --replay "$rec" -q --show irq
	refuses values/column-of-two-letters "'l3', did you mean L3?" --replay "$rec" -q --show l3
	refuses values/group-near "'frequenzy', did you mean frequency?" --replay "$rec" -q --show frequenzy
	refuses values/family-near "'cpuidel', did you mean cpuidle?" --replay "$rec" -q --show cpuidel
	refuses values/list-of-nothing "no columns left to show" --replay "$rec" -q --show ,
	refuses values/unknown "'--bogus'" --bogus
	refuses values/letter "'-C'" -C
	refuses values/letter-with-value "'-Cx'" -Cx
	refuses values/ambiguous "'--h'" --h
	refuses values/three-dashes "unknown option '---q' (try --help)" ---q
	refuses values/ambiguous-he "'--he'" --he
	refuses values/ambiguous-n "'--n'" --n
	refuses values/ambiguous-no "'--no'" --no
	refuses values/missing "'--show'" --show
	refuses values/missing-letter "'--interval' needs a value" -i
	refuses values/superfluous "'--quiet'" --quiet=5
	refuses values/add-nothing location --add foo
	refuses values/add-two location --add msr0x10,msr0x11
	for o in out record replay show hide enable add pre per cpu pid control completion; do
		refuses "values/--${o}_" "option '--$o' needs a value: " "--$o" ''
	done
	refuses values/add-msr "'msr0xzz' is not an MSR: msrDDD or msr0xHHH" --add msr0xzz
	refuses values/add-perf perf/ --add perf/x
	refuses values/add-pmt name --add pmt,offset=1
	run --add pmt,name=x,domain=cpu0,ofset=0,lsb=0,msb=1,guid=1
	same values/add-pmt-key "1|turbostat: --add pmt: offset= is missing|turbostat: --add pmt: ignored 'ofset'|" \
		"$status|$(tr '\n' '|' <"$tmp/err")"
	refuses values/add-pmt-type "'foo' is not one of raw, txtal_time, tcore_clock" --add pmt,name=x,type=foo
	refuses values/add-pmt-guid "guid=0xzz is not a hexadecimal number" --add pmt,name=x,guid=0xzz
	refuses values/add-pmt-colon "or pmt,KEY=VALUE" --add pmt:name=x
	refuses values/list-with-blank-before "'Busy% ,PkgWatt': write lists without blanks" --show Busy% ,PkgWatt
	refuses values/per-synonym "did you mean package?" --per socket
	refuses values/cpu-with-blank "'0, 1': write lists without blanks" --cpu 0, 1
	refuses values/per-with-blank "'core, package': write lists without blanks" --per core, package
	refuses values/add-with-blank "'msr0x10, u32': write lists without blanks" --add msr0x10, u32
	refuses values/cpu-synonym "did you mean package?" --cpu socket
	refuses values/add-pmt-bits lsb --add pmt,name=a,domain=cpu0,offset=8,lsb=9,msb=8,guid=1
	refuses values/replay-absent "$tmp/absent.rec" --replay "$tmp/absent.rec"
	refuses values/replay-directory "tests: Is a directory" --replay tests
	refuses values/replay-command command --replay "$rec" true
	refuses values/replay-record --record --replay "$rec" --record "$tmp/x"
	refuses values/record-out same --record "$tmp/x" --out "$tmp/x"
	refuses values/cpu-none 77 --replay "$rec" --quiet --cpu 77
	replay -q --cpu 0,77 --show CPU
	same values/cpu-absent "0 1 77 6" "$status $(grep -c '^turbostat: ' "$tmp/err") $(grep -o 77 "$tmp/err") $(wc -l <"$tmp/out" | tr -d ' ')"
}

test_help()
{
	for o in --help -h -help; do
		run $o
		if [ $status -eq 0 ] && [ ! -s "$tmp/err" ] && sed -n 1p "$tmp/out" | grep -q '^Usage: turbostat \[OPTION\]\.\.\. \[COMMAND \[ARGUMENT\]\.\.\.\]$'; then
			ok "help/$o"
		else
			show_run | fail "help/$o"
		fi
	done
	for o in --version -v; do
		run $o
		if [ $status -eq 0 ] && [ ! -s "$tmp/out" ] && [ "$(wc -l <"$tmp/err")" -eq 1 ] &&
		   grep -q '^turbostat version [0-9][0-9][0-9][0-9]\.[01][0-9]\.[0-3][0-9] - independent implementation\(, .*[^ ]\)*$' "$tmp/err"; then
			ok "help/$o"
		else
			show_run | fail "help/$o"
		fi
	done
	run --version --out "$tmp/asked"
	same help/version-opens-nothing "0 0 1 absent" "$status $(wc -c <"$tmp/out" | tr -d ' ') $(grep -c '^turbostat version ' "$tmp/err") $([ -e "$tmp/asked" ] || echo absent)"
	"$program" --help >/dev/full 2>"$tmp/err"
	same help/full "1 1" "$? $(wc -l <"$tmp/err" | tr -d ' ')"
	run --help true
	same help/command "1 turbostat: --help takes no argument: 'true'" "$status $(cat "$tmp/err")"
	# of several questions the first one is answered, on its own stream
	run --version --help --completion bash
	same help/version-first "0 0 1" "$status $(wc -c <"$tmp/out" | tr -d ' ') $(wc -l <"$tmp/err" | tr -d ' ')"
	run --help --version
	same help/help-first "0 1 0" "$status $(grep -c '^Usage: ' "$tmp/out") $(wc -c <"$tmp/err" | tr -d ' ')"
	same help/size "1 0" "$(awk 'END { print (NR > 40 && NR <= 60) }' "$tmp/out") $(awk 'length($0) > 79' "$tmp/out" | wc -l | tr -d ' ')"
	# --fail takes a gate, or verdicts
	same help/fail 1 "$(grep -c -e '--fail .*Pkg_J>2%.*limited' "$tmp/out")"
}

# complete_as NAME WORD...: what bash offers for the last word, sorted; NAME is how the program is called
complete_as()
{
	bash --norc -c '
		. "$0"
		COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
		_turbostat
		printf "%s\n" "${COMPREPLY[@]}"' "$tmp/completion" "$@" 2>/dev/null | sort -u | paste -s -d ' ' -
}

# complete WORD...
complete()
{
	complete_as "$program" "$@"
}

# added NAME ARGUMENT...: the last cell of the summary with this --add, and the notes
added()
{
	replay -q -n 1 -S --show TSC_MHz --add "$1"
	echo "$(sed -n 2p "$tmp/out" | cut -f2) $(sed 's/^turbostat: //' "$tmp/err" | paste -s -d '|' -)"
}

# --add names the place and the reason; fields of registers; scales
test_added()
{
	refuses added/two-scopes "two scopes" --add msr0x10,core,package
	refuses added/field "'[3:9]' is not a field" --add 'msr0x10[3:9]'
	refuses added/field-open "is not a field" --add 'msr0x10[3'
	refuses added/field-large "is not a field" --add 'msr0x10[64:0]'
	refuses added/scale "'x' is not a number above 0" --add msr0x10,scale=x
	refuses added/scale-0 "'0' is not a number above 0" --add msr0x10,scale=0
	set -- -q -n 1 -S --show TSC_MHz --add
	replay "$@" pmt,name=x,domain=package0,offset=0,lsb=0,msb=63,path=/absent,sq=1
	same added/region "turbostat: --add pmt: ignored 'sq'|turbostat: --add x: /absent is not a telemetry region" \
		"$(paste -s -d '|' "$tmp/err")"
	replay "$@" pmt,name=x,domain=package0,offset=0,lsb=0,msb=63,guid=1f,seq=1
	same added/guid "turbostat: --add x: no telemetry region 1 has guid 1f" "$(cat "$tmp/err")"
	refuses added/two-formats "--add msr0x611,raw,average: two formats, raw and average" --add msr0x611,raw,average
	refuses added/no-key "unknown word 'sacle=2', did you mean scale=?" --add msr0x611,sacle=2
	refuses added/open-terms "the terms of a perf event end with /" --add perf/cpu/event=0xc0,umask=1
	replay "$@" "msr0x611, package, u32, rwa"
	same added/close "0 rwa turbostat: --add msr0x611, package, u32, rwa: 'rwa' is taken as the column's name; did you mean raw? (name=rwa says so)" \
		"$status $(sed -n 1p "$tmp/out" | cut -f2) $(cat "$tmp/err")"
	replay "$@" msr0x611,package,name=rwa,u32
	same added/named "0 rwa " "$status $(sed -n 1p "$tmp/out" | cut -f2) $(cat "$tmp/err")"
	replay "$@" msr0x611,package,avg,B,name=C
	same added/two-names "C turbostat: --add msr0x611,package,avg,B,name=C: 'avg' is taken as the column's name; did you mean average? (name=avg says so)|turbostat: --add msr0x611,package,avg,B,name=C: two names; C is the column's name" \
		"$(sed -n 1p "$tmp/out" | cut -f2) $(paste -s -d '|' "$tmp/err")"
	same added/whole "21136743 " "$(added msr0x611,package,average,u32,P)"
	same added/high-field "322 " "$(added 'msr0x611[31:16],package,average,P')"
	same added/low-field "34151 " "$(added 'msr0x611[15:0],package,average,P')"
	same added/one-bit "1 " "$(added 'msr0x611[0],package,average,P')"
	same added/scaled "10568371.50 " "$(added msr0x611,package,average,u32,scale=0.5,P)"
	same added/scaled-whole "42273486 " "$(added msr0x611,package,average,u32,scale=2,P)"
	same added/not-recorded "3096 --add FOO: /nonexistent: not in the recording" "$(added /nonexistent,FOO)"
	replay -q -n 1 -S --show TSC_MHz --add /nonexistent,FOO --hide FOO
	same added/hidden "" "$(cat "$tmp/err")"
	same added/msr-not-recorded "3096 --add FOO: MSR 0x9999: not in the recording" "$(added msr0x9999,FOO)"
	for t in "/nonexistent,FOO|/nonexistent: No such file or directory" "/proc/uptime,FOO|/proc/uptime holds no number: [0-9.]* [0-9.]*" \
		 "/dev/null,FOO|/dev/null: only regular files are read" "perf/software/config=zz/,FOO|config=zz of the PMU software: malformed" \
		 "perf/nope/x,FOO|no PMU nope here (see /sys/bus/event_source/devices/)"; do
		run -q -n 1 -i 0.01 -S --show IRQ --add "${t%|*}"
		if [ $status -eq 0 ] && grep -q "^turbostat: --add FOO: ${t#*|}$" "$tmp/err"; then
			ok "added/live-${t%%,*}"
		else
			show_run | fail "added/live-${t%%,*}"
		fi
	done
	# what a refused file holds is told from the descriptor that was opened with the user's rights
	echo 5 >"$tmp/words"
	if strace -o "$tmp/trace" -e trace=open,openat "$program" -q --add "$PWD/$tmp/words,FOO" --explain FOO >/dev/null 2>&1 </dev/null; then
		was=$(grep -c "$tmp/words" "$tmp/trace")
		echo words >"$tmp/words"
		strace -o "$tmp/trace" -e trace=open,openat "$program" -q --add "$PWD/$tmp/words,FOO" --explain FOO >"$tmp/out" 2>&1 </dev/null
		same added/not-reopened "$was 1" "$(grep -c "$tmp/words" "$tmp/trace") $(grep -c "words holds no number: words" "$tmp/out")"
	else
		skip added/not-reopened "no strace, or it may not trace"
	fi
}

test_completion()
{
	if ! command -v bash >/dev/null; then
		skip completion "no bash"
		return
	fi
	run --completion bash
	cp "$tmp/out" "$tmp/completion"
	same completion/status "0 0" "$status $(wc -c <"$tmp/err" | tr -d ' ')"
	refuses completion/shell "no completion for fish; bash, and zsh with bashcompinit" --completion fish
	same completion/options "--show" "$(complete --sh)"
	same completion/all "$("$program" --help | awk '/^Rarely/ { all = 1 } all { print } /^  -/ { print substr($0, 1, 28) }' | grep -o -e '--[A-Za-z_][A-Za-z_-]*' | LC_ALL=C sort | paste -s -d ' ' -)" \
		"$(complete -- | tr ' ' '\n' | grep -e -- | paste -s -d ' ' -)"
	same completion/column "TSC_MHz" "$(complete --show TSC)"
	same completion/second-column "CPU,TSC_MHz" "$(complete -q --show CPU,TSC)"
	same completion/equals "TSC_MHz" "$(complete --show = TSC)"
	same completion/behind-equals "TSC_MHz --show" "$(complete -i = 1 --show TSC) $(complete --interval = 1 --sh)"
	same completion/group "topology" "$(complete --hide topo)"
	same completion/absent "" "$(complete -e Typ)$(complete -e CoreCn)"	# neither is here
	same completion/explain "TSC_MHz" "$(complete --explain TSC)"
	same completion/topic "clock C" "$(complete --explain clo) $(complete --show CP | cut -c1)$(complete --show clo)"
	same completion/functions "declare -f _turbostat" "$(bash --norc -c '. "$0"; COMP_WORDS=(x --show CP) COMP_CWORD=2; _turbostat 2>/dev/null; declare -F' "$tmp/completion")"
	same completion/cpu "core" "$(complete --cpu co)"
	# a name as it is typed is no command line, and nothing in it is carried out
	folder="$tmp/a  b"
	mkdir "$folder" && cp "$binary" "$folder/turbostat"
	typed="$tmp/a\\ \\ b/turbostat"
	same completion/no-value "" "$(complete --pid '')$(complete --fail Pk)$(complete --control p)"
	same completion/add "perf/ pmt" "$(complete --add p)"
	same completion/file "tests/check.sh" "$(complete --replay tests/chec)"
	same completion/blank "TSC_MHz" "$(complete_as "$folder/turbostat" --show TSC)"
	same completion/backslash "TSC_MHz" "$(complete_as "$typed" --show TSC)"
	same completion/quotes "TSC_MHz TSC_MHz" "$(complete_as "'$folder'/turbostat" --show TSC) $(complete_as "\"$folder/turbostat\"" --show TSC)"
	same completion/tilde "TSC_MHz" "$(HOME="$PWD/$folder" complete_as '~/turbostat' --show TSC)"
	same completion/nothing-run "topology " "$(complete_as "x\$(touch $tmp/run)\`touch $tmp/run\`;touch $tmp/run" --show topo) $(ls $tmp/run 2>/dev/null)"
	same completion/view "live" "$(complete --view li)"
	same completion/option-without-argument "--interval" "$(complete --explain --int)"
	same completion/unit "module" "$(complete --per mo)"
	same completion/file "tests/cli.sh" "$(complete -o tests/cli)"
	same completion/number "" "$(complete -n 1)"
	same completion/command "true" "$(complete -q -i 5 true | tr ' ' '\n' | grep -x true)"
	same completion/of-command "tests/cli.sh" "$(complete -q -i 5 cat tests/cli)"
	same completion/double-dash "tests/cli.sh" "$(complete -- cat tests/cli)"
}

# Of --Dump each CPU has its core and package, in decimal.
test_dump()
{
	run -q --Dump --replay tests/golden/huge-ids/machine.rec
	same dump/ids "CPU: 0 core: 0 package: 0|CPU: 1 core: 131072 package: 0|CPU: 2 core: 262144 package: 16|CPU: 3 core: 262145 package: 16" \
		"$(awk '/^CPU:/ { n = 3; printf "%s", sep; sep = "|" } n > 0 { printf "%s%s", $0, --n ? " " : "" }' "$tmp/out")"
}

test_list()
{
	commas=$(header | tr '\t' ,)
	want=$(echo "usec,Time_Of_Day_Seconds,$commas" | sed 's/,CPU,/,CPU,APIC,X2APIC,/')
	for args in --list -l '--list --quiet' '-q -l' --lis '--list -n 3'; do
		replay $args
		same "list/$(echo "$args" | tr ' ' _)" "0 $want" "$status $(cat "$tmp/out")"
		[ ! -s "$tmp/err" ] || fail "list/quiet$args" <"$tmp/err"
	done
	same list/debug "$want" "$(header --debug | tr '\t' ,)"
	replay --list --enable all
	same list/all "$(header --enable all | tr '\t' ,)" "$(cat "$tmp/out")"
	replay --list --show CPU,Busy%
	same list/show "$(header --show CPU,Busy%,usec,Time_Of_Day_Seconds,APIC,X2APIC | tr '\t' ,)" "$(cat "$tmp/out")"
	replay --list -J
	case $(cat "$tmp/out") in
	*Watt*)		fail list/joules <"$tmp/out" ;;
	*,Pkg_J,*)	ok list/joules ;;
	*)		fail list/joules <"$tmp/out" ;;
	esac
	run --replay "$rec" --list --out "$tmp/list"
	same list/out "$want" "$(cat "$tmp/list")"
	live --list
	same list/live "0 1 $("$program" -q -M -P -n 1 -i 0.01 --debug 2>/dev/null </dev/null | sed -n 1p | tr '\t' ,)" \
		"$status $(wc -l <"$tmp/out" | tr -d ' ') $(cat "$tmp/out")"
}

test_select()
{
	d=$(header | dots)
	s()	# NAME EXPECTED ARGUMENTS...
	{
		name=$1
		want=$2
		shift 2
		replay -q -n 1 "$@"
		if [ $status -eq 0 ] && [ ! -s "$tmp/err" ] && [ "$(sed -n 1p "$tmp/out" | dots)" = "$want" ]; then
			ok "select/$name"
		else
			{ echo "arguments: $*"; echo "expected: $want"; show_run | cut -c1-200; } | fail "select/$name"
		fi
	}
	s show CPU --show CPU
	s order CPU.Busy% --show Busy%,CPU
	s adds CPU.Busy% --show Busy% --show CPU
	s clears CPU --hide CPU --enable all --show CPU
	s hide-wins CPU --show CPU,Busy% --hide Busy%
	s show-wins CPU.Busy% --hide Busy% --show Busy%,CPU
	s show-after-hide CPU.Busy% --show CPU --hide Busy% --show Busy%
	s enable-adds "usec.$d" --enable usec
	s enable-after "CPU.Busy%" --show CPU --enable Busy%
	s hide "$(echo "$d" | sed 's/SMI\.//; s/\.UncMHz//')" --hide SMI,UncMHz
	s hide-letter "$(echo "$d" | sed 's/SMI\.//')" -H SMI
	s hide-absent "$d" --hide LLCMRPS,Die,C99%,POLL+
	s hide-hidden "$d" --hide usec
	s topology Module.Core.CPU --show topology
	s module-enabled "Module.$d" --enable Module
	s module-hidden CPU --show Module,CPU --hide all --show CPU
	s power CoreTmp.PkgTmp.PkgWatt.CorWatt.GFXWatt.RAMWatt.PKG_%.RAM_%.SysWatt --show power
	s power-joules CoreTmp.PkgTmp.Pkg_J.Cor_J.GFX_J.RAM_J.PKG_%.RAM_%.Sys_J --show power -J
	s frequency Avg_MHz.Busy%.Bzy_MHz.TSC_MHz.GFXMHz.GFXAMHz.UncMHz --show frequency
	s other IRQ.NMI.SMI.CoreTmp --show other
	s idle-percent POLL%.C1%.C1E%.C3%.C6%.C7s%.C8%.C9%.C10% --show pct_idle
	s swidle "$(header --show Busy%,cpuidle,pct_idle | dots)" --show swidle
	s sysfs "$(header --show cpuidle,pct_idle | dots)" --show sysfs
	# what a group lacks is no news
	run -q -n 1 -S --show Busy%,sysfs --replay tests/golden/clocks/machine.rec
	same select/sysfs-absent "0 Busy% 20.81" "$status $(cat "$tmp/out" "$tmp/err" | paste -s -d ' ' -)"
	s hide-sysfs Busy% --show swidle --hide sysfs
	s idle-all "$(header --show hwidle,pct_idle | dots)" --show idle
	s state C1%.C10% --show C10%,C1%
	s counts C1-.C1.C1+ --show C1-,C1,C1+
	s counts-twice "$(header --show cpuidle | dots)" --show cpuidle,C1
	s percent-twice "$(header --show pct_idle | dots)" --show pct_idle,C1%
	s state-hidden "$(header --show pct_idle | dots | sed 's/\.C1%//')" --show pct_idle --hide C1%
	s cache CPU --show CPU,cache,llc
	s joules-columns Pkg_J.Cor_J.GFX_J.RAM_J.Sys_J --show Pkg_J,Cor_J,GFX_J,RAM_J,Sys_J -J
	s joules "$(echo "$d" | sed 's/Watt/_J/g; s/Pkg_J/Pkg_J/')" -J

	# a name that was typed and is absent: the others are shown, and one note for a cause says why
	a()	# NAME NOTES ARGUMENTS...
	{
		name=$1
		want=$2
		shift 2
		replay -q -n 1 "$@"
		same "select/absent-$name" "0 CPU $want" "$status $(sed -n 1p "$tmp/out" | dots) $(sed 's/^turbostat: //' "$tmp/err" | paste -s -d '|' -)"
	}
	a one "the firmware has no such idle state: no 'SYS%LPI'" --show CPU,SYS%LPI
	a enabled "no i915, xe or amdgpu graphics, or no such engine: no 'SAM%mc6'" --show CPU --enable SAM%mc6
	a states "this machine has none: no 'C99%', 'C6N-', 'POLL-', 'C1X%'" --show CPU,C99%,C6N-,POLL-,C1X%,C99%
	a causes "the same on every CPU: no 'Die'|not in the recording: no 'LLCMRPS'|this machine has none: no 'ThreadC', 'CoreCnt', 'PkgCnt'" \
		--show CPU,LLCMRPS,Die,ThreadC,CoreCnt,PkgCnt
	a all "not in the recording: no 'IPC', 'LLCMRPS', 'LLC%hit', 'L2MRPS', 'TD%ret', 'TD%bad', 'TD%fe', 'TD%be'" \
		--show CPU,IPC,LLCMRPS,LLC%hit,L2MRPS,TD%ret,TD%bad,TD%fe,TD%be
	a apart "not in the recording: no 'LLCMRPS'" --show CPU,topdown,LLCMRPS,mem
	a group '' --show CPU,topdown,mem,cache
	a hidden '' --show CPU,SYS%LPI --hide SYS%LPI
	a watts-with-joules "--Joules shows energy instead: no 'PkgWatt'" --show CPU,PkgWatt -J
	a joules-without "--Joules shows it: no 'Pkg_J'" --show CPU,Pkg_J
	replay -q -n 1 --json --show CPU,SYS%LPI
	same select/absent-json "turbostat: the firmware has no such idle state: no 'SYS%LPI'" "$(cat "$tmp/err")"

	# --debug: the four in any position
	for args in '--show CPU --debug' '--debug --show CPU' '-d -s CPU' '--show CPU -dd'; do
		replay -q -n 1 $args
		same "select/debug_$(echo "$args" | tr ' ' _)" "0 usec.Time_Of_Day_Seconds.CPU.APIC.X2APIC" "$status $(sed -n 1p "$tmp/out" | dots)"
	done
	replay -q -n 1 --debug
	same select/debug "$(echo "usec.Time_Of_Day_Seconds.$d" | sed 's/\.CPU\./.CPU.APIC.X2APIC./')" "$(sed -n 1p "$tmp/out" | dots)"
	same select/debug-streams 10 "$(wc -l <"$tmp/out" | tr -d ' ')"

	# unknown names: one note each with near names, and on
	n()	# NAME NEAR ARGUMENTS...
	{
		name=$1
		near=$2
		shift 2
		replay -q -n 1 "$@"
		if [ $status -eq 0 ] && [ -s "$tmp/out" ] && [ "$(wc -l <"$tmp/err")" -eq 1 ] && grep -q "^turbostat: .*$near" "$tmp/err"; then
			ok "select/unknown-$name"
		else
			show_run | cut -c1-200 | fail "select/unknown-$name"
		fi
	}
	n near Busy% --show CPU,Busy
	n case CPU --show cpu,Busy%
	n transposed PkgWatt --show CPU,PgkWatt
	n hide PkgWatt --hide PkgWat
	n enable Avg_MHz --enable Avg_Mhz
	n far "'XYZZY'" --show CPU,XYZZY
	n once "'XYZZY'" --show CPU,XYZZY --hide XYZZY
	n list-too Busy% --list --show CPU,Busy
	n control "'Bu?sy?X'" --show "$(printf 'CPU,Bu\nsy\tX')"
	replay -q --show Busy
	same select/nothing-unknown "1 0" "$status $(wc -c <"$tmp/out" | tr -d ' ')"
	replay -q --show LLCMRPS
	same select/nothing-absent "1 0 1" "$status $(wc -c <"$tmp/out" | tr -d ' ') $(wc -l <"$tmp/err" | tr -d ' ')"
	replay -q --hide all
	same select/nothing-hidden "1 0 1" "$status $(wc -c <"$tmp/out" | tr -d ' ') $(wc -l <"$tmp/err" | tr -d ' ')"
}

test_table()
{
	replay -q
	same table/blocks "2 20" "$(blocks "$tmp/out")"
	same table/quiet "0 0" "$status $(wc -c <"$tmp/err" | tr -d ' ')"
	awk -F'\t' '
		/ / { print NR ": blank"; bad = 1 }
		/\t$/ { print NR ": trailing TAB"; bad = 1 }
		/\t\t/ || /^\t/ { print NR ": empty cell"; bad = 1 }
		NR == 1 { width = NF; head = $0 }
		NF > width { print NR ": longer than the header"; bad = 1 }
		NR == 11 && $0 != head { print NR ": another header"; bad = 1 }
		{ for (i = 1; i <= NF; i++) if (head != $0 && $i !~ /^(-|nan|-?[0-9]+(\.[0-9]+)?)$/) { print NR ": " $i; bad = 1 } }
		END { exit bad }' "$tmp/out" >"$tmp/diff" && ok table/cells || fail table/cells <"$tmp/diff"
	for args in '' '--show all' '--debug' '--show usec' '--show Time_Of_Day_Seconds,usec' '-S --enable all'; do
		replay -q $args
		bad=$(grep -c '	$\|		\| ' "$tmp/out")
		same "table/tabs_$(echo "$args" | tr ' ' _)" 0 "$bad"
	done
	replay -q -S
	same table/summary "1 3 Avg_MHz" "$(grep -c Avg_MHz "$tmp/out") $(wc -l <"$tmp/out" | tr -d ' ') $(sed -n 1p "$tmp/out" | cut -f1)"
	replay -q -S -N 1
	same table/summary-N1 "2 4" "$(grep -c Avg_MHz "$tmp/out") $(wc -l <"$tmp/out" | tr -d ' ')"
	replay -q -S -N 2
	same table/summary-N2 "1 3" "$(grep -c Avg_MHz "$tmp/out") $(wc -l <"$tmp/out" | tr -d ' ')"
	replay -q -N 2
	same table/N2 "1 19" "$(blocks "$tmp/out")"
	replay -q -N 1
	same table/N1 "2 20" "$(blocks "$tmp/out")"
	replay -q -N 0
	same table/N0 "1 19" "$(blocks "$tmp/out")"
	replay -q -n 1
	same table/n1 "1 10" "$(blocks "$tmp/out")"
	same table/n9 "0 2 20" "$(replay -q -n 9; echo "$status $(blocks "$tmp/out")")"
	replay
	same table/header-on-stderr "2 20 1" "$(blocks "$tmp/out") $(grep -c '^turbostat version ' "$tmp/err")"
}

# write_fifo: starts the program, as $pid, on a fifo; it says that it waits for a reader
write_fifo()
{
	: >"$tmp/err"		# of the last one
	"$program" -q --replay "$rec" --out "$tmp/fifo" >/dev/null 2>"$tmp/err" </dev/null &
	pid=$!
	await test -s "$tmp/err"
}

# tells_nobody: the reader of the pipe has gone
tells_nobody()
{
	! (trap '' PIPE; echo) 2>/dev/null
}

test_output()
{
	replay -q
	cp "$tmp/out" "$tmp/want"
	replay -q --out "$tmp/file"
	same_file output/file "$tmp/want" "$tmp/file"
	same output/file-only "0 0 0" "$status $(wc -c <"$tmp/out" | tr -d ' ') $(wc -c <"$tmp/err" | tr -d ' ')"
	replay --out "$tmp/file"
	same output/file-header "0 0 0 1 1" "$status $(wc -c <"$tmp/out" | tr -d ' ') $(wc -c <"$tmp/err" | tr -d ' ') $(grep -c '^turbostat version' "$tmp/file") $(grep -c '^cpu0: MSR_RAPL_POWER_UNIT' "$tmp/file")"
	echo long >"$tmp/file"
	replay -q --out "$tmp/file"
	same_file output/truncates "$tmp/want" "$tmp/file"
	# a fifo is opened when its reader comes, and that is said
	rm -f "$tmp/fifo"
	mkfifo "$tmp/fifo"
	write_fifo
	cat "$tmp/fifo" >"$tmp/file"
	wait $pid
	same output/fifo "0 turbostat: $tmp/fifo: waiting for a reader" "$? $(cat "$tmp/err")"
	same_file output/fifo-table "$tmp/want" "$tmp/file"
	write_fifo
	kill -TERM $pid
	wait $pid
	same output/fifo-terminated "143 1" "$? $(wc -l <"$tmp/err" | tr -d ' ')"
	rm -f "$tmp/fifo" "$tmp/file"
	# two files that are one are refused, but not a device
	run -q -M -P -n 1 -i 0.01 --show CPU --record /dev/null --out /dev/null
	same output/both-null "0 0 0" "$status $(wc -c <"$tmp/err" | tr -d ' ') $("$program" -q -M -P -n 1 -i 0.01 --record /dev/null >/dev/null; echo $?)"
	# a file that is standard input is no recording, unless it is said to be one
	echo old >"$tmp/file"
	"$program" -q -M -P -n 1 -i 0.01 --show CPU --out "$tmp/file" >"$tmp/out" 2>"$tmp/err" <"$tmp/file"
	same output/out-is-stdin "0 CPU" "$? $(sed -n 1p "$tmp/file")"
	# a run that refuses leaves the old file as it is; one that is cut meanwhile has no hole
	echo old >"$tmp/file"
	for args in '--show Bogus' '--cpu 77' '--show LLCMRPS'; do
		replay -q --out "$tmp/file" $args
		same "output/refusal-leaves_$(echo "$args" | tr ' ' _)" "1 old" "$status $(cat "$tmp/file")"
	done
	start -i 0.05 --show CPU --out "$tmp/file"
	await has_lines 3 "$tmp/file"
	: >"$tmp/file"
	await has_lines 3 "$tmp/file"
	kill -TERM $pid
	finish
	same output/cut-meanwhile "0 0" "$status $(tr -d '\0' <"$tmp/file" | cmp "$tmp/file" - >/dev/null; echo $?)"
	replay -q --out -
	same_file output/dash "$tmp/want" "$tmp/out"
	live --out - --show CPU sh -c 'echo command >&2'
	same output/dash-command "0 command 1" "$status $(cat "$tmp/err") $(grep -c ' sec$' "$tmp/out")"
	refuses output/record-dash "--record - needs --out" -q -M -P -n 1 --record -
	refuses output/record-and-out-dash "--record - needs --out" -q -M -P -n 1 --record - --out -
	live -n 1 -i 0.01 --show CPU --record - --out "$tmp/file"
	cp "$tmp/out" "$tmp/dash.rec"
	run -q --replay "$tmp/dash.rec" --show CPU
	same_file output/record-dash-replays "$tmp/file" "$tmp/out"
	"$program" -q -M -P -n 1 -i 0.01 --record "$tmp/one" >"$tmp/one" 2>"$tmp/err" </dev/null
	same output/record-is-stdout "1 1" "$? $(grep -c 'same file' "$tmp/err")"
	"$program" -q -M -P --record "$tmp/one" true >"$tmp/out" 2>"$tmp/one" </dev/null
	same output/record-is-stderr "1 1" "$? $(grep -c 'same file' "$tmp/one")"
	"$program" -q -M -P --list --record "$tmp/one" true >"$tmp/out" 2>"$tmp/err" </dev/null
	same output/list-of-command "1 turbostat: --list takes no argument: 'true'" "$? $(cat "$tmp/err")"
	run -M -P -i 9 --show CPU sh -c 'exit 3'
	same output/interval-of-command "3 1" "$status $(grep -c '^turbostat: --interval has no effect' "$tmp/err")"
	live -i 9 --show CPU sh -c 'exit 3'
	same output/interval-of-command-quiet "3 0" "$status $(grep -c '^turbostat: ' "$tmp/err")"
	run -M -P -i 9 --total --show CPU sh -c 'exit 3'
	same output/interval-of-command-total "3 0" "$status $(grep -c '^turbostat: --interval' "$tmp/err")"
	refuses output/unwritable "$tmp/no/file" --replay "$rec" -q --out "$tmp/no/file"
	refuses output/directory "$tmp" --replay "$rec" -q --out "$tmp"
	refuses output/full-file /dev/full --replay "$rec" -q --out /dev/full
	printf 'kept\n' >"$tmp/same"
	ln -s same "$tmp/same.link"
	refuses output/record-is-out 'same file' -q -M -P -n 1 -i 0.01 --record "$tmp/same" --out "$tmp/same.link"
	cp "$rec" "$tmp/again.rec"
	refuses output/replay-is-out 'same file' --replay "$tmp/again.rec" -q --out "$tmp/again.rec"
	same_file output/replay-is-kept "$rec" "$tmp/again.rec"
	refuses output/endless-recording 'first line' --replay /dev/zero -q
	refuses output/record-unwritable "$tmp/no/file" -q -M -P -n 1 -i 0.01 --record "$tmp/no/file"
	run -q -M -P -n 1 -i 0.01 --record /dev/full
	same output/record-full "1 1" "$status $(grep -v 'platform table' "$tmp/err" | grep -c /dev/full)"
	for args in '' --list --explain --Dump --help '-S'; do
		"$program" --replay "$rec" -q $args >/dev/full 2>"$tmp/err" </dev/null
		same "output/full_$args" "1 1" "$? $(grep -c '^turbostat: .*No space' "$tmp/err")"
		"$program" --replay "$rec" -q $args >&- 2>"$tmp/err" </dev/null
		same "output/closed_$args" "1 1" "$? $(grep -c '^turbostat: ' "$tmp/err")"
	done
	"$program" --replay "$rec" -n 1 2>/dev/full >"$tmp/out" </dev/null
	same output/header-full "1 0" "$? $(wc -l <"$tmp/out" | tr -d ' ')"
	# one that takes no header is no reason to print no table
	"$program" --replay "$rec" -n 1 2<"$rec" >"$tmp/out" </dev/null
	same output/header-refused "0 10" "$? $(wc -l <"$tmp/out" | tr -d ' ')"
	# files are made for whom the umask lets
	(umask 0; "$program" -q -M -P -n 1 -i 0.01 --record "$tmp/all.rec" --out "$tmp/all.out" </dev/null 2>"$tmp/err")
	(umask 37; "$program" -q -M -P -n 1 -i 0.01 --record "$tmp/some.rec" --prometheus --out "$tmp/some.out" </dev/null 2>"$tmp/err")
	(umask 0; "$program" -q -M -P -n 1 -i 0.01 --prometheus --out "$tmp/all.prom" </dev/null 2>"$tmp/err")
	same output/modes "-rw-rw-rw- -rw-rw-rw- -rw-rw-rw- -rw-r----- -rw-r-----" "$(ls -l "$tmp/all.out" "$tmp/all.prom" "$tmp/all.rec" "$tmp/some.out" "$tmp/some.rec" |
		cut -c 1-10 | paste -s -d ' ' -)"
	"$program" --replay "$rec" -q -n 1 2>&- >"$tmp/out" </dev/null
	same output/stderr-closed "0 10" "$? $(wc -l <"$tmp/out" | tr -d ' ')"
	"$program" --replay "$rec" -n 1 2>&- >"$tmp/out" </dev/null
	same output/stderr-closed-header "10" "$(wc -l <"$tmp/out" | tr -d ' ')"
	# no file takes the place of a stream that is closed
	"$binary" -M -P -n 1 -i 0.01 --out "$tmp/closed.out" --record "$tmp/closed.rec" --show CPU,Bogus >&- 2>&- <&-
	same output/streams-closed "0 0 0" "$? $(cat "$tmp/closed.out" "$tmp/closed.rec" | grep -c "'Bogus'") $(run -q --replay "$tmp/closed.rec"; echo "$status")"
	# a reader that is gone
	{ await tells_nobody; (trap '' PIPE; "$program" --replay "$rec" -q 2>"$tmp/err"; echo $? >"$tmp/status") } | :
	same output/epipe "1 1" "$(cat "$tmp/status") $(grep -c '^turbostat: .*Broken pipe' "$tmp/err")"
	{ await tells_nobody; "$program" --replay "$rec" -q 2>"$tmp/err"; echo $? >"$tmp/status"; } | :
	same output/sigpipe "141 0" "$(cat "$tmp/status") $(wc -c <"$tmp/err" | tr -d ' ')"
	same output/head 1 "$("$program" -q -M -P -i 0.02 2>"$tmp/err" </dev/null | head -n 1 | wc -l | tr -d ' ')"
	[ -z "$(without_notes "$tmp/err")" ] && ok output/head-quiet || fail output/head-quiet <"$tmp/err"
}

# The forked command.
test_fork()
{
	cpus=$(live -n 1 -i 0.01; sed 1d "$tmp/out" | wc -l | tr -d ' ')
	live sh -c 'exit 0'
	same fork/streams "0 0" "$status $(wc -c <"$tmp/out" | tr -d ' ')"
	without_notes "$tmp/err" >"$tmp/result"
	if sed -n 1p "$tmp/result" | grep -q '^[0-9]*\.[0-9][0-9][0-9][0-9][0-9][0-9] sec$' && sed -n 2p "$tmp/result" | grep -q 'CPU.*TSC_MHz' &&
	   [ "$(wc -l <"$tmp/result")" -eq $((cpus + 2)) ]; then
		ok fork/result
	else
		fail fork/result <"$tmp/result"
	fi
	for code in 0 1 7 126 127 255; do
		live sh -c "exit $code"
		same "fork/status-$code" "$code 1" "$status $(grep -c ' sec$' "$tmp/err")"
	done
	for sig in KILL:137 TERM:143 SEGV:139 PIPE:141; do
		live sh -c "ulimit -c 0; kill -${sig%:*} \$\$"
		same "fork/status-${sig%:*}" "${sig#*:} 1" "$status $(grep -c ' sec$' "$tmp/err")"
	done
	live "$tmp/absent"
	same fork/absent "127 0 1" "$status $(grep -c ' sec$' "$tmp/err") $(grep -c "^turbostat: $tmp/absent: " "$tmp/err")"
	live no-such-command-anywhere
	same fork/absent-in-path "127 turbostat: no-such-command-anywhere: command not found" "$status $(cat "$tmp/err")"
	live 5
	same fork/number "127 turbostat: 5: command not found (for the interval, use -i 5)" "$status $(cat "$tmp/err")"
	# a directory of PATH that cannot be searched is no reason to give up
	mkdir -p "$tmp/closed"
	chmod 0 "$tmp/closed"
	set -- env "PATH=$PWD/$tmp/closed:$PATH" "$program" -q -M -P no-such-command-anywhere
	if [ "$(id -u)" -ne 0 ]; then
		"$@" 2>"$tmp/err"
	elif command -v setpriv >/dev/null; then
		setpriv --inh-caps=-all --bounding-set=-all "$@" 2>"$tmp/err"
	else
		false
	fi
	status=$?
	if [ $status -eq 1 ]; then
		skip fork/closed-path "no setpriv to run without the rights of root"
	else
		same fork/closed-path "127 turbostat: no-such-command-anywhere: command not found" "$status $(cat "$tmp/err")"
	fi
	chmod 700 "$tmp/closed"
	# notes stand behind the result, and behind an error
	live -S --show TSC_MHz,Bogus true
	same fork/note-behind "0 2 4" "$status $(sed -n '/TSC_MHz/=' "$tmp/err") $(sed -n '/Bogus/=' "$tmp/err")"
	live -S --show TSC_MHz,Bogus --out /dev/full true
	same fork/note-behind-error "1 2" "$status $(sed -n '/Bogus/=' "$tmp/err")"
	live -S --show TSC_MHz,Bogus sh -c 'kill -TERM $PPID; sleep 5'
	same fork/note-behind-signal "143 4" "$status $(sed -n '/Bogus/=' "$tmp/err")"
	# what was probably meant; nothing else is printed, no system configuration either
	while IFS='|' read -r word rest message; do
		# shellcheck disable=SC2086	# words
		"$program" -M -P $rest "$word" >"$tmp/out" 2>"$tmp/err" </dev/null
		same "fork/meant $word" "127 turbostat: $word: command not found ($message)" "$? $(cat "$tmp/out" "$tmp/err")"
	done <<-'WORDS'
	sleep 0.1||without quotes, or: sh -c 'sleep 0.1'
	help||did you mean --help?
	out.csv|--csv|to write a file: --out out.csv
	out.jsonl|-q --json|to write a file: --out out.jsonl
	cd||a word of the shell: sh -c 'cd ...'
	FOO=1||a word of the shell: sh -c 'FOO=1 ...'
	—interval||'—' is not '--'
	–interval||'–' is not '--'
	WORDS
	"$program" --compare -- true -- "sleep 1" >"$tmp/out" 2>"$tmp/err" </dev/null
	same fork/meant-other "127 turbostat: sleep 1: command not found (without quotes, or: sh -c 'sleep 1')" "$? $(cat "$tmp/out" "$tmp/err")"
	cp tests/golden/one-sample/machine.rec "$tmp/a.rec"
	"$program" "./$tmp/a.rec" >"$tmp/out" 2>"$tmp/err" </dev/null
	same fork/recording "126 turbostat: ./$tmp/a.rec is a recording: use --replay ./$tmp/a.rec" "$? $(cat "$tmp/out" "$tmp/err")"
	(cd "$tmp" && "$program" a.rec) >"$tmp/out" 2>"$tmp/err" </dev/null
	same fork/recording-here "127 turbostat: a.rec is a recording: use --replay a.rec" "$? $(cat "$tmp/out" "$tmp/err")"
	refuses fork/meant-pid "(for a process: --pid 1234)" -p 1234
	live README.md
	same fork/absent-in-path-but-here "127 turbostat: README.md: command not found" "$status $(cat "$tmp/err")"
	echo data >"$tmp/data"
	live "./$tmp/data"
	same fork/not-executable "126 1" "$status $(grep -c "^turbostat: ./$tmp/data: " "$tmp/err")"
	live ''
	same fork/empty-word "127 turbostat: '': command not found" "$status $(cat "$tmp/err")"
	printf '#!%s\n' "$tmp/absent" >"$tmp/data"
	chmod +x "$tmp/data"
	live "./$tmp/data"
	same fork/no-interpreter "127 1" "$status $(grep -c 'its interpreter was not found' "$tmp/err")"
	live PkgWatt
	same fork/column "127 1" "$status $(grep -c 'write lists of columns with commas' "$tmp/err")"
	mkdir -p "$tmp/bin"
	printf '#!/bin/sh\necho from the path "$@"\n' >"$tmp/bin/own-command"
	chmod +x "$tmp/bin/own-command"
	PATH=$tmp/bin:$PATH live own-command -q --help -n 'a b'
	same fork/path "0 from the path -q --help -n a b" "$status $(cat "$tmp/out")"
	# no column of --show is here: the command runs all the same, but not for a slip of the pen
	for words in LLCMRPS,Totl%C0 C99% C99%,Bogus; do
		live --show $words sh -c 'echo ran; exit 7'
		same "fork/absent_$words" "7 ran 1 sec" "$status $(cat "$tmp/out") $(grep -c 'no columns left to show' "$tmp/err") $(sed -n 1p "$tmp/err" | cut -d' ' -f2)"
	done
	refuses fork/absent-dump "no columns left to show" -q --replay tests/golden/command/machine.rec --Dump --show LLCMRPS
	live --show Bogus sh -c 'echo ran'
	same fork/unknown-not-run "1 0" "$status $(wc -c <"$tmp/out" | tr -d ' ')"
	live -n 1 --show LLCMRPS
	same fork/absent-intervals "1 0" "$status $(wc -c <"$tmp/out" | tr -d ' ')"
	live -- own-command
	same fork/double-dash 127 $status
	live -i 0.5 -n 3 -- sh -c 'echo "$0 $*"' -i -n 5
	same fork/double-dash-words "0 -i -n 5" "$status $(cat "$tmp/out")"
	live sh -c 'echo out; echo err >&2'
	same fork/command-streams "out err" "$(cat "$tmp/out") $(grep -x err "$tmp/err")"
	same fork/stdin "some words" "$(echo some words | "$program" -q -M -P cat 2>/dev/null)"
	same fork/stdin-quit "q" "$(echo q | "$program" -q -M -P cat 2>/dev/null)"
	live -S sh -c :
	same fork/summary 3 "$(without_notes "$tmp/err" | wc -l | tr -d ' ')"
	run -q -M -P --out "$tmp/file" sh -c 'echo x >&2'
	same fork/out "0 0 $((cpus + 2)) x" "$status $(wc -c <"$tmp/out" | tr -d ' ') $(wc -l <"$tmp/file" | tr -d ' ') $(without_notes "$tmp/err")"
	"$program" -q -M -P sh -c 'exit 7' 2>/dev/full
	same fork/stderr-full 1 $?
	before=$(now)
	time=$("$program" -q -M -P sleep 0.3 2>&1 | sed -n 's/ sec$//p')
	time=$(awk -v t="$time" -v all="$(($(now) - before + 1))" 'BEGIN { print (t >= 0.29 && t <= all / 100) }')
	same fork/seconds 1 "$time"

	# its memory is told in KiB: with a buffer of 64 MiB less than 100 MiB
	live --json --show CPU --out "$tmp/file" dd if=/dev/zero of=/dev/null bs=64M count=1
	same fork/memory 1 "$(sed -n 's/.*"maxrss_kib":\([0-9]*\),.*/\1/p' "$tmp/file" | awk '{ print ($1 > 65536 && $1 < 102400) }')"
	# what the command inherits: as if it were started by the shell
	sh -c "ls -l /proc/self/fd" 7>"$tmp/seven" 2>&1 </dev/null | sed 's/.* \([0-9]* -> \)/\1/; s/\[[0-9]*\]//; s/[0-9]*\/fd$//' >"$tmp/want"
	"$program" -q -M -P --out "$tmp/file" --record "$tmp/fds.rec" sh -c "ls -l /proc/self/fd" 7>"$tmp/seven" 2>&1 </dev/null |
		grep -v '^turbostat: ' | sed 's/.* \([0-9]* -> \)/\1/; s/\[[0-9]*\]//; s/[0-9]*\/fd$//' >"$tmp/got"
	same_file fork/descriptors "$tmp/want" "$tmp/got"
	state='grep -E "^(SigBlk|SigIgn|Cpus_allowed)" /proc/self/status; awk "{ print \$19 }" /proc/self/stat; ulimit -n; ulimit -Hn'
	for ignored in '' HUP USR1 'INT QUIT' TERM PIPE CHLD 'HUP INT QUIT USR1 USR2 TERM PIPE ALRM'; do
		(test -z "$ignored" || trap '' $ignored; sh -c "$state") >"$tmp/want" 2>&1
		(test -z "$ignored" || trap '' $ignored; "$program" -q -M -P --out "$tmp/file" sh -c "$state" 2>/dev/null) >"$tmp/got"
		same_file "fork/inherits_$(echo "$ignored" | tr ' ' _)" "$tmp/want" "$tmp/got"
	done
	if env --block-signal=USR1 true 2>/dev/null; then
		env --block-signal=USR1,TERM,CHLD,INT sh -c "$state" >"$tmp/want" 2>&1
		env --block-signal=USR1,TERM,CHLD,INT "$program" -q -M -P --out "$tmp/file" sh -c "$state" >"$tmp/got" 2>/dev/null
		same_file fork/signal-mask "$tmp/want" "$tmp/got"
		# one that the user has blocked stays so, while the program waits as well
		env --block-signal=USR2 sh -c 'kill -USR2 $$; exec "$@"' sh "$program" -q -M -P -i 0.01 -n 1 >"$tmp/out" 2>"$tmp/err" </dev/null
		same fork/signal-blocked 0 $?
	else
		skip fork/signal-mask "env(1) has no --block-signal"
	fi
	if command -v taskset >/dev/null 2>&1; then
		cpu=$(sed -n 's/^Cpus_allowed_list:[^0-9]*\([0-9]*\).*/\1/p' /proc/self/status)
		want=$(taskset -c "$cpu" sh -c "$state")
		got=$(taskset -c "$cpu" "$program" -q -M -P --out "$tmp/file" sh -c "$state" 2>/dev/null)
		same fork/affinity "$want" "$got"
		taskset -c "$cpu" "$program" -q -M -P -n 1 -i 0.01 >"$tmp/out" 2>"$tmp/err" </dev/null
		same fork/affinity-rows "$cpus" "$(sed 1d "$tmp/out" | wc -l | tr -d ' ')"
	else
		skip fork/affinity "no taskset(1)"
	fi
}

# is_ignored SIGNAL TEST: SIGHUP, where the test itself runs with it ignored, as under nohup;
# a shell cannot take that back
is_ignored()
{
	case $1$(sed -n 's/^SigIgn:.*\(.\)$/\1/p' /proc/self/status) in
	HUP[13579bdf]) echo "skip cli/$2/HUP: the test itself runs with SIGHUP ignored" ;;
	*) return 1 ;;
	esac
}

# Signals while a command runs.
test_fork_signals()
{
	for sig in INT QUIT USR1; do
		start sh -c 'echo ready; sleep 0.3; exit 3'
		await test -s "$tmp/out"
		kill -$sig $pid
		finish
		same "fork-signals/$sig-waits" "3 1" "$status $(grep -c ' sec$' "$tmp/err")"
	done
	for sig in TERM:143 HUP:129; do
		is_ignored ${sig%:*} fork-signals && continue
		start sh -c 'echo ready; exec sleep 50'
		await test -s "$tmp/out"
		before=$(now)
		kill -${sig%:*} $pid
		finish
		same "fork-signals/${sig%:*}-passed-on" "${sig#*:} 1 1" "$status $(grep -c ' sec$' "$tmp/err") $(($(now) - before < 4000))"
	done
	# the user has to say twice to the command what it does not hear, not to us
	start sh -c 'trap "" INT; echo ready; sleep 0.3; exit 3'
	await test -s "$tmp/out"
	kill -INT $pid
	await has_taken $pid
	kill -INT $pid
	finish
	same fork-signals/INT-twice "3 1" "$status $(grep -c ' sec$' "$tmp/err")"
	start sh -c 'trap "exit 9" TERM; echo ready; while :; do sleep 0.02; done'
	await test -s "$tmp/out"
	kill -TERM $pid
	finish
	same fork-signals/TERM-handled "9 1" "$status $(grep -c ' sec$' "$tmp/err")"
}

# In a run the files that are open are those that are read at each interval: what only the start
# reads is closed. /dev/cpu_dma_latency above all: lsof would name us as one who asks for a latency.
test_descriptors()
{
	: >"$tmp/out"		# that of an earlier test
	"$program" --no-msr --no-perf --show IRQ -i 0.3 >>"$tmp/out" 2>"$tmp/err" </dev/null &
	pid=$!
	await test -s "$tmp/out"
	for fd in "/proc/$pid/fd"/*; do
		readlink "$fd"
	done >"$tmp/fds"
	kill -TERM $pid
	finish
	same descriptors "0 /proc/interrupts /sys/devices/system/cpu/online" "$status $(
		grep -E '^(/proc|/sys|/dev)/' "$tmp/fds" | grep -Ev '^/dev/(null|pts|tty)|/cpuset.cpus.effective$' | sort | paste -s -d ' ' -)"
}

# Signals between intervals.
test_signals()
{
	live -n 1 -i 0.01
	lines=$(wc -l <"$tmp/out" | tr -d ' ')
	for sig in INT TERM HUP; do
		is_ignored $sig signals && continue
		start -i 200
		kill -$sig $pid
		finish
		same "signals/$sig" "0 1 $lines" "$status $(blocks "$tmp/out")"
	done
	start -i 20 --out "$tmp/file" --record "$tmp/signal.rec"
	# so that it is on time it goes before all others, where it may
	same signals/priority "$(nice -n -40 awk '{ print $19 }' /proc/self/stat 2>/dev/null)" "$(awk '{ print $19 }' /proc/$pid/stat)"
	kill -TERM $pid
	finish
	same signals/TERM-files "0 $lines end" "$status $(wc -l <"$tmp/file" | tr -d ' ') $(tail -n 1 "$tmp/signal.rec")"
	start -i 200
	for n in 1 2; do
		kill -USR1 $pid
		await has_lines $((n * lines)) "$tmp/out"
	done
	kill -INT $pid
	finish
	same signals/USR1 "0 3 $((3 * lines))" "$status $(blocks "$tmp/out")"
	# a user who has SIGHUP ignored (nohup) means it
	(trap '' HUP; exec "$program" -q -M -P -i 0.3 -n 2 >"$tmp/out" 2>"$tmp/err" </dev/null) &
	pid=$!
	await is_ready $pid
	kill -HUP $pid
	finish
	same signals/HUP-ignored "0 $((2 * lines))" "$status $(wc -l <"$tmp/out" | tr -d ' ')"
	# a collection that takes longer than the interval must not make the program deaf
	# shellcheck disable=SC2046	# words
	set -- -S -i 0.001 --show TSC_MHz $(seq 1500 | sed 's|.*|--add /proc/sys/kernel/pid_max,a&|')
	for sig in INT TERM; do
		start "$@"
		await has_lines 2 "$tmp/out"
		kill -$sig $pid
		finish
		same "signals/busy-$sig" 0 $status
	done
	: >"$tmp/out"
	{ await has_lines 2 "$tmp/out"; echo q; sleep 1; } | "$program" -q -M -P -n 100000 "$@" >>"$tmp/out" 2>"$tmp/err"
	same signals/busy-quit 0 $?
}

# cpu_ms FILE: the CPU time that "times" has written for the children, in ms
cpu_ms()
{
	awk 'NR == 2 { for (i = 1; i <= 2; i++) { split($i, t, /[ms]/); ms += (t[1] * 60 + t[2]) * 1000 } print int(ms) }' "$1"
}

test_stdin()
{
	live -n 1 -i 0.01
	lines=$(wc -l <"$tmp/out" | tr -d ' ')
	: >"$tmp/out"
	{ sleep 0.2; echo; await has_lines "$lines" "$tmp/out"; sleep 0.2; echo; await has_lines $((2 * lines)) "$tmp/out"; echo q; } |
		"$program" -q -M -P -i 200 >>"$tmp/out" 2>"$tmp/err"
	same stdin/newline "0 3 $((3 * lines))" "$? $(blocks "$tmp/out")"
	for text in q 'q\n' 'abq\nq\n'; do
		# shellcheck disable=SC2059	# a format on purpose
		n=$(printf "$text" | grep -c abq)
		rm -f "$tmp/stdin.rec"
		{ await has_lines 1 "$tmp/stdin.rec" '^sample'; sleep 0.2; printf "$text"; } |
			"$program" -q -M -P -i 200 --record "$tmp/stdin.rec" >"$tmp/out" 2>"$tmp/err"
		same "stdin/quit_$(printf %s "$text" | tr -d '\\\\')" "0 $((n + 1)) $(((n + 1) * lines))" "$? $(blocks "$tmp/out")"
	done
	# only a line that is exactly q ends the program, only a newline the interval
	for text in 'abq' 'qa\n'; do
		{ sleep 0.1; printf "$text"; } | "$program" -q -M -P -i 0.5 -n 2 >"$tmp/out" 2>"$tmp/err"
		same "stdin/no-quit_$(printf %s "$text" | tr -d '\\')" "0 2 $((2 * lines))" "$? $(blocks "$tmp/out")"
	done
	# what a loop reads beside it does not cut its intervals, and stands behind the newline that does
	printf 'h1\nh2q\nq3\n' | { read -r h; echo "$h"; "$program" -q -M -P -S --show TSC_MHz --json -n 1 -i 0.3; } >"$tmp/out" 2>"$tmp/err"
	same stdin/loop "h1 1" "$(sed -n 1p "$tmp/out") $(sed -n 's/.*"seconds":\([0-9.]*\).*/\1/p' "$tmp/out" | awk '{ print ($1 >= 0.29) }')"
	rm -f "$tmp/stdin.rec"
	{ await has_lines 1 "$tmp/stdin.rec" '^sample'; sleep 0.2; printf 'x\nh2\nq\n'; } |
		{ "$program" -q -M -P -S --show TSC_MHz -n 1 -i 200 --record "$tmp/stdin.rec"; cat; } >"$tmp/out" 2>"$tmp/err"
	same stdin/rest "h2 q" "$(sed 1,2d "$tmp/out" | paste -s -d ' ' -)"
	before=$(now)
	: | "$program" -q -M -P -i 0.2 -n 2 >"$tmp/out" 2>"$tmp/err"
	same stdin/eof "0 2 $((2 * lines)) 1" "$? $(blocks "$tmp/out") $(($(now) - before >= 38))"

	echo "q and more lines" >"$tmp/text"
	(times; "$program" -q -M -P -i 0.4 -n 1 </dev/null; times) >"$tmp/times.null" 2>/dev/null &
	(times; "$program" -q -M -P -i 0.4 -n 1 <"$tmp/text"; times) >"$tmp/times.file" 2>/dev/null &
	(times; "$program" -q -M -P -i 0.4 -n 1 <&-; times) >"$tmp/times.closed" 2>/dev/null &
	(times; "$program" -q -M -P -i 0.4 -n 1 </dev/zero; times) >"$tmp/times.zero" 2>/dev/null &
	(times; : | "$program" -q -M -P -i 0.4 -n 1; times) >"$tmp/times.eof" 2>/dev/null &
	(times; "$program" -q -M -P -i 0.4 -n 1 0>"$tmp/write-only"; times) >"$tmp/times.write-only" 2>/dev/null &
	wait
	for how in null file closed zero eof write-only; do
		tail -n 2 "$tmp/times.$how" >"$tmp/times"
		ms=$(cpu_ms "$tmp/times")
		same "stdin/idle-$how" "1 1" "$((ms < ${CPU_MS:-100})) $(grep -c 'CPU' "$tmp/times.$how")"
	done
}

test_time()
{
	live -S -i 0.001 -n 200 --show TSC_MHz
	same time/short "0 201" "$status $(wc -l <"$tmp/out" | tr -d ' ')"
	grep -q nan "$tmp/out" && fail time/short-values <"$tmp/out" || ok time/short-values
	# a busy machine may be late, but not every time
	for try in 1 2 3 4; do
		before=$(now)
		"$program" -q -M -P -S -i 0.05 -n 40 --show Time_Of_Day_Seconds >"$tmp/beat" 2>/dev/null </dev/null
		elapsed=$(($(now) - before))
		drift="$(wc -l <"$tmp/beat" | tr -d ' ') $((elapsed >= 195 && elapsed <= 215))"
		# lateness against an ideal beat, the least of the first and of the last 20 samples
		span=$(awk 'NR > 1 { late = $1 - NR * 0.05; half = NR > 21; if (!n[half]++ || late < least[half]) least[half] = late }
			END { drift = least[1] - least[0]; print (n[1] == 20 && drift > -0.01 && drift < 0.01) }' "$tmp/beat")
		[ "$drift $span" = "41 1 1" ] && break
	done
	if [ "$elapsed" -gt 215 ]; then
		skip time/drift "this machine is late: $elapsed hundredths of a second for 200"
	else
		same time/drift "41 1" "$drift"
		same time/beat 1 "$span"
	fi
}

# What was recorded is replayed, to the letter.
test_record()
{
	k=0
	for args in '' '-S' '-q --show all' '-J --debug' '-q --cpu 0' '-q -N 2' '-q --add /proc/sys/kernel/pid_max,raw,u32,pids'; do
		k=$((k + 1))
		"$program" -M -P -n 3 -i 0.02 --record "$tmp/$k.rec" $args >"$tmp/live.out" 2>"$tmp/live.err" </dev/null
		"$program" -M -P --replay "$tmp/$k.rec" $args >"$tmp/replay.out" 2>"$tmp/replay.err" </dev/null
		name=$(echo "record/${args:-plain}" | sed 's,/proc.*,,' | tr ' ' _)
		same_file "$name-stdout" "$tmp/live.out" "$tmp/replay.out"
		case $args in
		*--debug*)	;;	# says what is read, and a recording reads more
		*)		same_file "$name-stderr" "$tmp/live.err" "$tmp/replay.err" ;;
		esac
	done
	for args in '' '-S' '--show all' '-J' '--debug' '--cpu 0' '--list' '--Dump' '--explain' '--enable all -n 1'; do
		run --replay "$tmp/1.rec" -q $args
		same "record/asked_later_$(echo "$args" | tr ' ' _)" "0 1" "$status $(test -s "$tmp/out"; echo $((!$?)))"
	done
	# asked later, the same figures
	run -q -M -P -n 1 -i 0.02 --record "$tmp/few.rec" --show CPU,IRQ
	cp "$tmp/out" "$tmp/want"
	run -q --replay "$tmp/few.rec" --show all
	awk -F'\t' 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i } { print $at["CPU"] "\t" $at["IRQ"] }' "$tmp/out" >"$tmp/got"
	same_file record/more-columns "$tmp/want" "$tmp/got"
	# what was recorded quietly has the header all the same
	run -M -P -n 1 -i 0.01 --show CPU,IRQ
	grep '^Kernel\|^CPUID' "$tmp/err" >"$tmp/want.header"
	run -M -P --replay "$tmp/few.rec" --show CPU,IRQ
	grep '^Kernel\|^CPUID' "$tmp/err" >"$tmp/got.header"
	same_file record/quiet-header "$tmp/want.header" "$tmp/got.header"
	"$program" -q --replay - --show CPU,IRQ <"$tmp/few.rec" >"$tmp/got" 2>/dev/null
	same_file record/stdin "$tmp/want" "$tmp/got"
	gzip -c "$tmp/few.rec" 2>/dev/null >"$tmp/few.rec.gz" &&
		zcat "$tmp/few.rec.gz" | "$program" -q --replay - --show CPU,IRQ >"$tmp/got" 2>/dev/null &&
		same_file record/zcat "$tmp/want" "$tmp/got"
	# a replay, recorded again through another shape: cut down to what is complete
	run -q -M -P --record "$tmp/command.rec" sh -c 'exit 5'
	cp "$tmp/err" "$tmp/want"
	run -q -M -P --replay "$tmp/command.rec"
	same_file record/command "$tmp/want" "$tmp/err"
	same record/command-status "5 0" "$status $(wc -c <"$tmp/out" | tr -d ' ')"
	same record/command-words 'turbostat-recording 3|static|command "sh" "-c" "exit 5"|run 1 5' \
		"$(sed -n '/^\(turbostat\|static\|command\)/p; s/^\(run 1 5\) .*/\1/p' "$tmp/command.rec" | paste -s -d '|' -)"
	same record/remarks "3 1 $(uname -r)" "$(sed 1,5!d "$tmp/few.rec" | grep -c '^# [a-z]*:') $(
		grep -c "^# turbostat: [0-9.]* -q -M -P -n 1 -i 0.02 --record $tmp/few.rec --show CPU,IRQ\$" "$tmp/few.rec") $(sed -n 's/^# kernel: //p' "$tmp/few.rec")"
	# nothing is left of a longer file of that name
	seq 5000 >"$tmp/longer.rec"
	run -q -M -P --record "$tmp/longer.rec" sh -c 'exit 5'
	run -q -M -P --replay "$tmp/longer.rec"
	same record/longer-file "5 turbostat-recording 3" "$status $(sed -n 1p "$tmp/longer.rec")"
	# as an editor or a mail program may leave it
	sed "s/\$/$(printf '\r')/" tests/golden/v01-kabylake/machine.rec >"$tmp/crlf.rec"
	run --replay "$tmp/crlf.rec"
	cp "$tmp/out" "$tmp/got"
	run --replay tests/golden/v01-kabylake/machine.rec
	same_file record/crlf "$tmp/out" "$tmp/got"

	# what a recording cannot hold is said; a folder and an empty file are no counters
	for blank in "$tmp/a blank" "$tmp/a
newline"; do
		echo 5 >"$blank"
		run -q -M -P -n 1 -i 0.01 --show CPU --add "$PWD/$blank,average,A" --record "$tmp/blank.rec"
		what=${blank##*a?}
		same "record/$what-in-path" "0 1" "$status $(grep -c 'cannot hold a path with white space' "$tmp/err")"
		run -q --replay "$tmp/blank.rec"
		same "record/$what-replays" 0 $status
	done
	mkfifo "$tmp/fifo"
	{ : >"$tmp/fifo"; : >"$tmp/let-go"; } 2>/dev/null &
	writer=$!
	run -q -M -P -n 1 -i 0.01 --show CPU --add "$PWD/$tmp/fifo,average,F"
	same record/fifo-writer-waits no "$(test -e "$tmp/let-go" && echo yes || echo no)"
	[ -e "$tmp/let-go" ] || : <"$tmp/fifo"
	wait $writer
	same record/fifo "0 CPU turbostat: --add F: $PWD/$tmp/fifo: only regular files are read" "$status $(sed -n 1p "$tmp/out") $(cat "$tmp/err")"
	: >"$tmp/empty"
	run -q -M -P -n 1 -i 0.01 --show CPU --add "$PWD/$tmp/empty,average,E" --add "$PWD/$tmp,average,D"
	same record/no-number "0 CPU 2 1" "$status $(sed -n 1p "$tmp/out") $(grep -c -e '--add [ED]' "$tmp/err") $(grep -c '/empty is empty$' "$tmp/err")"
	run -q -M -P --list --record "$tmp/list.rec"
	cp "$tmp/out" "$tmp/want"
	run -q -M -P --list --replay "$tmp/list.rec"
	same_file record/list "$tmp/want" "$tmp/out"
	run -q -M -P --Dump --replay "$tmp/list.rec"
	same record/list-counters "0 1" "$status $(($(grep -c '^IRQ: ' "$tmp/out") > 0))"

	# the writer is killed
	start -i 0.05 --record "$tmp/killed.rec"
	await has_lines 5 "$tmp/killed.rec" '^sample '
	kill -KILL $pid
	finish 2>/dev/null
	run -q --replay "$tmp/killed.rec" -S --show TSC_MHz
	same record/killed "0 1 1" "$status $(grep -c 'not closed' "$tmp/err") $(test "$(wc -l <"$tmp/out")" -ge 3; echo $((!$?)))"
	# and cut at any byte
	size=$(wc -c <"$tmp/few.rec")
	for percent in 5 30 60 80 90 95 97 99; do
		head -c $((size * percent / 100)) "$tmp/few.rec" >"$tmp/cut.rec"
		run -q --replay "$tmp/cut.rec"
		case $status in
		0)	ok "record/cut-$percent" ;;
		1)	[ -s "$tmp/out" ] || [ "$(grep -c '^turbostat: ' "$tmp/err")" -eq 0 ] && show_run | fail "record/cut-$percent" || ok "record/cut-$percent" ;;
		*)	show_run | fail "record/cut-$percent" ;;
		esac
	done
}

# A recording is a stream: turbostat prints each sample at once, and reads no further than it must.
test_stream()
{
	mkfifo "$tmp/stream"
	TURBOSTAT=$binary "$program" -q --replay - -S --total --show TSC_MHz <"$tmp/stream" >"$tmp/out" 2>"$tmp/err" &
	pid=$!
	exec 8>"$tmp/stream"
	sed '/^sample 1 /,$d' "$rec" >&8
	sed -n '/^sample 1 /,/^done/{/^done/!p;}' "$rec" >&8
	await grep -q '^State:.S' "/proc/$pid/status"
	same stream/not-done "TSC_MHz" "TSC_MHz$(cat "$tmp/out")"
	echo 'done' >&8
	await has_lines 2 "$tmp/out" .
	same stream/done "TSC_MHz 3096" "$(paste -s -d ' ' "$tmp/out")"
	kill -INT $pid
	wait $pid
	same stream/interrupted "0 TSC_MHz 3096 total 5.000000 sec TSC_MHz 3096" "$? $(paste -s -d ' ' "$tmp/out")"
	exec 8>&-
	# of an endless one three intervals, in little memory
	grep -q __asan_init "$binary" || {
		sed '/^sample 2 /,$d' "$rec" | awk '{ print }
		/^sample 1/ { sampled = 1 }
		sampled { line[++n] = $0 }
		END {
			for (i = 2;; i++)
				for (k = 1; k <= n; k++)
					print (k > 1 ? line[k] : sprintf("sample %d %d.001000000 %d.001000000", i, 1700000000 + 5 * i, 100 + 5 * i))
		}' 2>/dev/null | (ulimit -v 20000; TURBOSTAT=$binary "$program" -q --replay - -n 3 --show CPU >"$tmp/out" 2>"$tmp/err")
		same stream/endless "0 3 0" "$? $(blocks "$tmp/out" | cut -d' ' -f1) $(wc -l <"$tmp/err" | tr -d ' ')"
	}
	# who records for a reader that has gone ends well
	{ "$program" -q -M -P -i 0.02 --record - --out "$tmp/file" 2>"$tmp/err"; echo $? >"$tmp/status"; } | sed '/^sample 1/q' >/dev/null
	same stream/reader-gone "0 0" "$(cat "$tmp/status") $(grep -c . "$tmp/err")"
}

# Recordings that are none: one message that names file and line, exit 1, no table.
test_malformed()
{
	m()	# NAME LINE TEXT: TEXT stands in line LINE
	{
		printf "$3" >"$tmp/bad.rec"
		run -q --replay "$tmp/bad.rec"
		if [ $status -eq 1 ] && [ ! -s "$tmp/out" ] && [ "$(wc -l <"$tmp/err")" -eq 1 ] && grep -q "^turbostat: $tmp/bad.rec:$2: ." "$tmp/err"; then
			ok "malformed/$1"
		else
			{ echo "expected: exit 1 and $tmp/bad.rec:$2: ..."; show_run; } | fail "malformed/$1"
		fi
	}
	h='turbostat-recording 3\nstatic\n'
	m empty 1 ''
	m newline 1 '\n'
	m magic 1 'turbostat-recording 0\n'
	m magic-newer 1 'turbostat-recording 4\n'
	same malformed/says-newer 1 "$(grep -c 'made by a newer version' "$tmp/err")"
	for version in 1 2; do
		m magic-$version 1 "turbostat-recording $version\\n"
		same malformed/says-how-$version 1 "$(grep -c "version $version.* with tests/convert.sh " "$tmp/err")"
	done
	m magic-blank 1 'turbostat-recording 3 \n'
	m magic-second 1 '\nturbostat-recording 3\n'
	m crlf 1 'turbostat-recording 3\r\r\nend\r\n'
	printf 'turbostat-recording 3\nend\n' | gzip -c >"$tmp/bad.gz" 2>/dev/null && {
		run -q --replay "$tmp/bad.gz"
		same malformed/gzip "1 turbostat: $tmp/bad.gz: this is gzip: zcat FILE | turbostat --replay -" "$status $(cat "$tmp/err")"
	}
	m binary 1 '\001\037\213\000\n'
	m keyword 3 "${h}bogus 1\\n"
	m keyword-later 6 "$h"'# remark\n\nx-other tool\nbogus\n'
	m tsc-missing 3 "${h}tsc 0\\n"
	m two-blanks 3 "${h}tsc  0 1\\n"
	m trailing-blank 3 "${h}tsc 0 \\n"
	m tab 3 "${h}tsc\\t0\\t1\\n"
	m leading-blank 3 "$h tsc 0 1\\n"
	m msr-short 3 "${h}msr 0\\n"
	m cpuid-short 3 "${h}cpuid 0 1\\n"
	m perf-short 3 "${h}perf 0 power\\n"
	m file-quote 3 "${h}file /x abc\\n"
	m file-open 3 "${h}file /x \"abc\\n"
	m file-after 3 "${h}file /x \"abc\"d\\n"
	m file-escape 3 "$h"'file /x "a\\qb"\n'
	m file-hex 3 "$h"'file /x "a\\x1"\n'
	m file-hex-bad 3 "$h"'file /x "a\\xzz"\n'
	m file-no-path 3 "${h}file\\n"
	m dir 3 "${h}dir\\n"
	m dir-quote 3 "${h}dir /x y\\n"
	m command 3 "${h}command true\\n"
	m no-part 2 'turbostat-recording 3\ntsc 0 1\n'
	m after-part 4 "${h}done\\ntsc 0 1\\n"
	m done-twice 4 "${h}done\\ndone\\n"
	m not-done 3 "${h}plan\\n"
	m static-twice 4 "${h}done\\nstatic\\n"
	m no-static 2 'turbostat-recording 3\nplan\n'
	m no-plan 4 "${h}done\\nsample 0 1.000000000 1.000000000\\n"
	m done-word 3 "${h}done now\\n"
	awk 'BEGIN { print "turbostat-recording 3\nstatic"; printf "file /x \""; for (i = 0; i < 100000; i++) printf "%s", "\\x00"; print "" }' >"$tmp/bad.rec"
	run -q --replay "$tmp/bad.rec"
	same malformed/long-line "1 0 1" "$status $(wc -c <"$tmp/out" | tr -d ' ') $(grep -c "^turbostat: $tmp/bad.rec:3: " "$tmp/err")"
	# paths: memory goes with what was read, however many directories they name
	awk 'BEGIN { print "turbostat-recording 3\nstatic"; printf "file "; for (i = 0; i < 1000000; i++) printf "/a"; print " \"\"" }' >"$tmp/bad.rec"
	run -q --replay "$tmp/bad.rec"
	same malformed/long-path "1 turbostat: $tmp/bad.rec:3: a path is too long" "$status $(cat "$tmp/err")"
	for word in 'dir /a' 'word /a' 'file a'; do
		awk -v word="$word" 'BEGIN { print "turbostat-recording 3\nstatic"; printf "%s", word; for (i = length(word) - index(word, " "); i < 4096; i++) printf "b"; print " 8 7" }' >"$tmp/bad.rec"
		run -q --replay "$tmp/bad.rec"
		same "malformed/long-path-of-$word" "1 turbostat: $tmp/bad.rec:3: a path is too long" "$status $(cat "$tmp/err")"
	done
	awk 'BEGIN { print "turbostat-recording 3\nstatic"; for (i = 100; i < 1000; i++) { printf "file /%d", i; for (k = 4; k < 4094; k += 2) printf "/a"; print " \"\"" } }' >"$tmp/bad.rec"
	if grep -q __asan_init "$binary"; then
		run -q --replay "$tmp/bad.rec"
	else
		(ulimit -v $((20 * 3700)); TURBOSTAT=$binary "$program" -q --replay "$tmp/bad.rec" >"$tmp/out" 2>"$tmp/err" </dev/null)
		status=$?
	fi
	same malformed/many-directories "1 turbostat: $tmp/bad.rec:N: too many directories" "$status $(sed 's/:[0-9]*:/:N:/' "$tmp/err")"
	printf 'turbostat-recording 3\nbogus\n' | "$program" -q --replay - >"$tmp/out" 2>"$tmp/err"
	same malformed/stdin "1 1" "$? $(grep -c '^turbostat: .*:2: ' "$tmp/err")"

	# What is damaged is told when it is reached, or asked for; the intervals before it stand, and
	# there is no total.
	damaged()	# NAME TABLES FROM TO [MACHINE]: the line that begins so becomes that one
	{
		sed "s,^$3.*,$4," "${5:-$rec}" >"$tmp/bad.rec"
		run -q --total --show CPU,IRQ,sysfs,frequency,idle,power,topology --replay "$tmp/bad.rec"
		line=$(sed -n "s,^turbostat: $tmp/bad.rec:\([0-9]*\): ..*,\1,p" "$tmp/err")
		same "malformed/$1" "1 1 $4 $2" "$status $(wc -l <"$tmp/err" | tr -d ' ') $(sed -n "${line:-1}p" "$tmp/bad.rec") $(blocks "$tmp/out" | cut -d' ' -f1)"
	}
	perf=tests/golden/perf-server/machine.rec
	clocks=tests/golden/clocks/machine.rec
	damaged msr-value 0 'msr 0 ce ' 'msr 0 ce xyz'
	damaged msr-overflow 0 'msr 0 ce ' 'msr 0 ce 10000000000000000'
	damaged msr-errno 0 'msr 0 ce ' 'msr 0 ce !EBOGUS'
	damaged msr-extra 0 'msr 0 ce ' 'msr 0 ce 1 2'
	damaged cpuid-less 0 'cpuid \* 6 0 ' 'cpuid * 6 0 1 2 3'
	damaged cpuid-more 0 'cpuid \* 6 0 ' 'cpuid * 6 0 1 2 3 4 5'
	damaged cpuid-wide 0 'cpuid \* 6 0 ' 'cpuid * 6 0 100000000 2 3 4'
	damaged tsc-hex 0 'tsc 3 ' 'tsc 3 ff'
	damaged tsc-overflow 0 'tsc 3 ' 'tsc 3 18446744073709551616'
	damaged perf-value 0 'perf 0 msr 0 ' 'perf 0 msr 0 x' $perf
	damaged perf-half 0 'perf 0 msr 0 ' 'perf 0 msr 0 5 6' $perf
	damaged perf-errno 0 'perf 0 msr 0 ' 'perf 0 msr 0 !' $perf
	damaged clock 0 'clock 3 ' 'clock 3 1.000000000' $clocks
	damaged clock-short 0 'clock 3 ' 'clock 3 1.000000000 2.5' $clocks
	damaged file-errno 0 'file /proc/interrupts ' 'file /proc/interrupts !EFOO'
	damaged file-many 0 'file /sys/devices/system/cpu/online ' 'file /sys/devices/system/cpu/online "0-7" "8"'
	damaged sample-first 0 'sample 0 ' 'sample 1 1.000000000 1.000000000'
	damaged sample-again 0 'sample 1 ' 'sample 0 2.000000000 2.000000000'
	damaged sample-skip 1 'sample 2 ' 'sample 3 2.000000000 2.000000000'
	damaged sample-time 1 'sample 2 ' 'sample 2 1.5 1.000000000'
	damaged sample-word 1 'sample 2 ' 'sample 2 x 1.000000000'
	damaged sample-short 1 'sample 2 ' 'sample 2 1.000000000'
	# no monotonic time goes back: of samples, from begin to end, of CPUs within their sample
	damaged sample-back 1 'sample 2 ' 'sample 2 1700000010.000000000 104.999999999'
	damaged sample-begins-before 1 'sample 2 ' 'sample 2 1700000010.000000000 110.000000000 104.999999999'
	damaged sample-ends-first 1 'sample 2 ' 'sample 2 1700000010.000000000 110.000000000 110.000000001'
	damaged sample-0-ends-first 0 'sample 0 ' 'sample 0 1700000000.000000000 99.000000000 100.000000000'
	damaged clock-early 0 'clock 3 1700000005' 'clock 3 1700000005.000000000 1700000005.000000000 105.000499999 105.010000000' $clocks
	damaged clock-late 0 'clock 3 1700000005' 'clock 3 1700000005.000000000 1700000005.000000000 105.010000000 105.020000001' $clocks
	damaged clock-back 0 'clock 3 1700000005' 'clock 3 1700000005.000000000 1700000005.000000000 105.010000000 105.009999999' $clocks
	damaged sample-long 1 'sample 2 ' 'sample 2 1.000000000 1.000000000 1.000000000 1.000000000 1.000000000'
	damaged keyword-last 2 'end' 'bogus'
	damaged end-word 2 'end' 'end now'
	damaged run-number 2 'end' 'run 2 0'
	damaged run-status 2 'end' 'run 1 256'
	damaged run-short 2 'end' 'run 1 0 1.000000'
	damaged tick-first 0 'sample 0 .*' 'tick'
	run -q --replay "$rec" --show CPU
	cp "$tmp/out" "$tmp/want"
	sed 's/^\(sample [12]\) 1700000/\1 1600000/' "$rec" >"$tmp/back.rec"
	run -q --replay "$tmp/back.rec" --show CPU
	same_file malformed/wall-clock-back "$tmp/want" "$tmp/out"
	# a recording that ends before its first sample says that, not what it seems to lack
	plan=$(sed -n '/^done/=' "$rec" | sed -n 2p)
	for lines in 2 20 100 $((plan - 1)); do
		sed "${lines}q" "$rec" >"$tmp/cut.rec"
		run -q --replay "$tmp/cut.rec" --show Busy%
		same "malformed/cut-$lines" "1 turbostat: $tmp/cut.rec: the recording was cut off before its first sample" "$status $(cat "$tmp/err")"
	done
	printf hello >"$tmp/cut.rec"
	run -q --replay "$tmp/cut.rec"
	same malformed/word "1 turbostat: $tmp/cut.rec:1: not a recording: the first line must be 'turbostat-recording 3'" "$status $(cat "$tmp/err")"
	# what cannot be added is told also beside a list
	for list in --list --Dump; do
		replay $list --add perf/foo/event=1/,NN --add msr0x999,MM
		same "malformed/added$list" "0 2" "$status $(grep -c '^turbostat: --add [MN]*: ' "$tmp/err")"
	done
	# so does one that was made with perf events, and is replayed without
	run --replay $perf --no-perf -S
	same malformed/no-perf "0 1" "$status $(grep -c "^turbostat: $perf was recorded with perf events: --no-perf leaves out their values" "$tmp/err")"
	run -q --replay $perf --no-perf -S
	same malformed/no-perf-quiet "0 0" "$status $(grep -c 'was recorded with perf' "$tmp/err")"
	# what is right although it looks odd
	awk '{ print } NR % 50 == 1 { print ""; print "# remark"; print "x-tool any  thing \"at all" }' "$rec" >"$tmp/odd.rec"
	replay -q
	cp "$tmp/out" "$tmp/want"
	run -q --replay "$tmp/odd.rec"
	same_file malformed/remarks "$tmp/want" "$tmp/out"
}

test_user()
{
	if [ "$(id -u)" -ne 0 ]; then
		as=
	elif command -v setpriv >/dev/null 2>&1 && setpriv --reuid=65534 --regid=65534 --clear-groups true 2>/dev/null; then
		as='setpriv --reuid=65534 --regid=65534 --clear-groups'
	else
		skip user/runs "cannot become another user"
		return
	fi
	# somewhere that an ordinary user can reach
	away=$(mktemp -d "${TMPDIR:-/tmp}/cli.XXXXXX") && cp "$binary" "$away/turbostat" && cp "$program" "$away/limit" && chmod 755 "$away" "$away"/* || return
	(cd / && TURBOSTAT=$away/turbostat $as "$away/limit" -i 0.05 -n 2 </dev/null) >"$tmp/out" 2>"$tmp/err"
	status=$?
	same user/runs "0 2" "$status $(blocks "$tmp/out" | cut -d' ' -f1)"
	# what can be helped, and what a guest has not: a line each, the rest of standard error is the header
	grep '^turbostat: ' "$tmp/err" >"$tmp/notes"
	grep -q -e "setcap .*cap_perfmon=ep $away/turbostat$" -e 'the hypervisor ' -e "sudo $away/turbostat$" "$tmp/notes" &&
		[ "$(wc -l <"$tmp/notes")" -le 2 ] && ok user/says-what-is-missing || fail user/says-what-is-missing <"$tmp/notes"
	awk '/^turbostat: / && seen[$0]++ { print; bad = 1 } END { exit bad }' "$tmp/err" >"$tmp/diff" && ok user/says-it-once || fail user/says-it-once <"$tmp/diff"
	(cd / && TURBOSTAT=$away/turbostat $as "$away/limit" -q sh -c 'exit 4' </dev/null) >"$tmp/out" 2>"$tmp/err"
	same user/command "4 1" "$? $(grep -c ' sec$' "$tmp/err")"
	(cd / && TURBOSTAT=$away/turbostat $as "$away/limit" -q -M -P -n 1 -i 0.02 </dev/null) >"$tmp/out" 2>"$tmp/err"
	same user/asked-for-nothing "0 0" "$? $(grep -c '^turbostat: .*\(MSR\|perf_event\)' "$tmp/err")"
	(cd / && $as "$away/turbostat" -M -P --show CPU,Busy%,Steal% -i 0.3 -n 1 </dev/null) >"$tmp/out" 2>"$tmp/err"
	same user/load "CPU.Busy%.Steal%" "$(sed -n 1p "$tmp/out" | dots)"
	awk -F'\t' 'NR == 2 { exit !($2 >= 0 && $2 <= 100 && $3 >= 0 && $2 + $3 <= 101) }' "$tmp/out" && ok user/load-value || fail user/load-value <"$tmp/out"
	rm -rf "$away"
}

test_limits()
{
	(ulimit -n 64; "$program" -q -M -n 2 -i 0.02 >"$tmp/out" 2>"$tmp/err" </dev/null)
	same limits/descriptors "0 2" "$? $(blocks "$tmp/out" | cut -d' ' -f1)"
	(ulimit -n 16; "$program" -q -n 2 -i 0.02 >"$tmp/out" 2>"$tmp/err" </dev/null)
	same limits/few-descriptors "0 2" "$? $(blocks "$tmp/out" | cut -d' ' -f1)"
	# a file that may not grow is an error, and what was begun of it is removed; its commands do not inherit that
	mkdir "$tmp/small"
	for format in prometheus html; do
		(ulimit -f 1; "$program" -q --replay "$rec" --$format --out "$tmp/small/file" </dev/null 2>&1 | cat >"$tmp/err"; "$program" -q --replay "$rec" --$format --out "$tmp/small/file" </dev/null 2>/dev/null)
		same "limits/file-size-$format" "1 turbostat: $tmp/small/file: File too large 0" "$? $(cat "$tmp/err") $(ls -A "$tmp/small" | wc -l)"
	done
	for option in "--out $tmp/small/table" "--record $tmp/small/rec -n 2"; do
		(ulimit -f 1; "$program" -q -M -P -i 0.01 -n 90 $option --show all </dev/null 2>&1 | cat >"$tmp/err"; "$program" -q -M -P -i 0.01 -n 90 $option --show all </dev/null >/dev/null 2>&1)
		same "limits/file-size$(echo "$option" | cut -d ' ' -f 1)" "1 1" "$? $(grep -c "^turbostat: $tmp/small/[a-z]*: File too large" "$tmp/err")"
	done
	ignored='grep -c "^SigIgn:.*[13579bdf]......$" /proc/self/status; :'	# SIGXFSZ is 25
	for blocked in "" "trap '' XFSZ;"; do
		sh -c "$blocked $ignored; $blocked exec \"\$@\"" sh "$program" -q -M -P -S --show TSC_MHz --repeat 1 --pre "$ignored" --post "$ignored" sh -c "$ignored; sleep 0.01" 2>"$tmp/err" </dev/null | paste -s -d ' ' -
	done >"$tmp/got"
	same limits/file-size-of-children "0 0 0 0|1 1 1 1" "$(paste -s -d '|' "$tmp/got")"
	(ulimit -n 16; "$program" -q --replay "$rec" >"$tmp/out" 2>"$tmp/err" </dev/null)
	same limits/replay-descriptors "0 2" "$? $(blocks "$tmp/out" | cut -d' ' -f1)"
}

# big CPUS: a recording of a large machine, 2 packages, 2 threads per core, 2 intervals
big()
{
	awk -v n="$1" '
	function put(cpu, file, text) { printf "file /sys/devices/system/cpu/cpu%d/%s \"%s\\n\"\n", cpu, file, text }
	function counters(s,	c, i, l) {
		printf "file /proc/interrupts \""
		for (c = 0; c < n; c++) printf " CPU%d", c
		printf "\\n"
		for (l = 0; l < 4; l++) {
			printf "%d:", l
			for (c = 0; c < n; c++) printf " %d", 1000 * s + c
			printf " name\\n"
		}
		print "\""
		for (c = 0; c < n; c++) {
			printf "tsc %d %.0f\n", c, 12500000000 * s
			printf "msr %d e7 %x\nmsr %d e8 %x\nmsr %d 34 0\n", c, 1000000 * (s + 1), c, 900000 * (s + 1), c
			for (i = 0; i < 4; i++) {
				put(c, "cpuidle/state" i "/time", 1000000 * (s + 1))
				put(c, "cpuidle/state" i "/usage", 1000 * (s + 1))
			}
			printf "msr %d 3fd %x\nmsr %d 19c 88200000\n", c, 1000 * s, c
			if (c % half == 0 || c % half == half / 2) printf "msr %d 611 %x\n", c, 65536 * (s + 1)
		}
		print "done"
	}
	BEGIN {
		half = n / 2
		print "turbostat-recording 3\nstatic\nmsr * * ok"
		print "cpuid * 0 0 00000016 756e6547 6c65746e 49656e69"
		print "cpuid * 1 0 00050654 00400800 7ffefbff bfebfbff"
		print "cpuid * 6 0 00000077 00000002 00000009 00000000"
		printf "file /sys/devices/system/cpu/online \"0-%d\\n\"\n", n - 1
		printf "file /sys/devices/system/cpu/present \"0-%d\\n\"\n", n - 1
		printf "file /sys/devices/system/cpu/possible \"0-%d\\n\"\n", n - 1
		for (c = 0; c < n; c++) {
			core = c % half
			put(c, "topology/physical_package_id", core < half / 2 ? 0 : 1)
			put(c, "topology/die_id", 0)
			put(c, "topology/core_id", core % (half / 2))
			put(c, "topology/thread_siblings_list", core "," core + half)
			for (i = 0; i < 4; i++)
				put(c, "cpuidle/state" i "/name", i ? "C" i : "POLL")
			printf "msr %d ce 0000000000001900\nmsr %d 606 00000000000a0e03\n", c, c
		}
		print "done\nplan"
		counters(0)
		print "sample 0 1700000000.000000000 100.000000000\ndone"
		for (s = 1; s < 3; s++) {
			printf "sample %d %d.000000000 %d.000000000\n", s, 1700000000 + 5 * s, 100 + 5 * s
			counters(s)
		}
		print "end"
	}'
}

# peak FILE: the peak of the program memory while it replays FILE, in kB. It is looked at
# while the program waits for somebody to read the table.
peak()
{
	rm -f "$tmp/fifo"
	mkfifo "$tmp/fifo"
	"$program" -q --replay "$1" >"$tmp/fifo" 2>"$tmp/err" </dev/null &
	pid=$!
	exec 9<"$tmp/fifo"
	await grep -q '^State:.S' "/proc/$pid/status"
	sed -n 's/^VmHWM:[^0-9]*\([0-9]*\).*/\1/p' "/proc/$pid/status"
	cat <&9 >"$tmp/out"
	exec 9<&-
	wait $pid
}

# milliseconds COUNT FILE: of CPU time for COUNT replays
milliseconds()
{
	(
		i=0
		while [ $i -lt "$1" ]; do
			"$program" -q --replay "$2" >/dev/null 2>&1 </dev/null
			i=$((i + 1))
		done
		times
	) >"$tmp/times"
	cpu_ms "$tmp/times"
}

test_large()
{
	for n in 512 2048 4096 8192; do
		big $n >"$tmp/big$n.rec"
	done
	if grep -q __asan_init "$binary"; then
		skip large/bounds "the address sanitizer has bounds of its own"
	else
		for n in 2048 8192; do
			kb=$(peak "$tmp/big$n.rec")
			size=$(($(wc -c <"$tmp/big$n.rec") / 1024))
			if [ "${kb:-999999999}" -lt $((4 * size)) ]; then
				ok "large/memory-$n"
			else
				echo "$kb kB for a recording of $size kB" | fail "large/memory-$n"
			fi
			same "large/rows-$n" $((2 * (n + 2))) "$(wc -l <"$tmp/out" | tr -d ' ')"
		done
		small=$(milliseconds 8 "$tmp/big512.rec")
		large=$(milliseconds 1 "$tmp/big4096.rec")
		if [ "$large" -le $((2 * small + 50)) ]; then
			ok large/linear
		else
			echo "512 CPUs: $small/8 ms, 4096 CPUs: $large ms" | fail large/linear
		fi
	fi
	sed 's,^\(file .*/online "0-\)8191,\18192,' "$tmp/big8192.rec" >"$tmp/toomany.rec"
	run -q --replay "$tmp/toomany.rec"
	same large/more-than-8192 "1 0" "$status $(wc -c <"$tmp/out" | tr -d ' ')"
}

# some TEST...: runs those of them that the pattern selects
some()
{
	for t; do
		# shellcheck disable=SC2254	# a pattern on purpose
		case $t in
		$pattern)	"test_$t" ;;
		esac
	done
	return 0
}

# aside TEST...: the same in a folder of its own, in the background
aside()
{
	(
		tmp=$tmp/$1
		mkdir -p "$tmp"
		some "$@"
	) >"$tmp/result.$1" 2>&1 &
}

# these mostly wait
aside signals fork_signals
waiting=$!
aside stdin time
waiting="$waiting $!"
some forms default_ids unknown_module core_types added added_file replayed_command completion abbreviations letters order values help dump list select table output fork record stream malformed user descriptors limits large
for w in $waiting; do
	wait "$w" || : >"$failed"
done
cat "$tmp"/result.*
[ ! -e "$failed" ]
