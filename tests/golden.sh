#!/bin/sh
# Golden tests: every machine of tests/golden with every command line of its
# file "cmds", compared with the expected output.
#
#   tests/golden.sh [NAME...]            test all machines, or these
#   UPDATE=1 tests/golden.sh [NAME...]   write the expected output anew
#
# To be run from the project's top directory. TURBOSTAT names the program,
# ./turbostat if unset. A machine NAME is a directory:
#
#   machine.rec    the recording, for --replay; or, of the runs or regions of a program,
#                  whose tables are none of the machine, program.rec
#   cmds           lines "LABEL ARGUMENTS..."; a line that begins with # is a remark
#   LABEL.out      standard output, "--- stderr", standard error, "--- exit N"
#   header.expect  optional, written by hand: the system-configuration header of
#                  the label "default". UPDATE never writes it.
#
# Exit status 0 if nothing failed.

LC_ALL=C
export LC_ALL
set -f			# arguments are words, never patterns

. tests/limit.sh
dir=tests/golden
failed=0

tmp=$(mktemp -d "${TMPDIR:-/tmp}/golden.XXXXXX") || exit 1
trap 'rm -rf "$tmp"' EXIT
trap 'exit 1' HUP INT TERM

# run NAME ARGUMENTS...: the program's output, in the form of a LABEL.out
run()
{
	rec=$dir/$1/machine.rec
	[ -f "$rec" ] || rec=$dir/$1/program.rec
	shift
	"$program" --replay "$rec" "$@" >"$tmp/stdout" 2>"$tmp/stderr" </dev/null
	status=$?
	sed 's/^\(turbostat_info{version="\)[^"]*/\1VERSION/' "$tmp/stdout"
	echo "--- stderr"
	sed 's/^turbostat version .*/turbostat version VERSION/; s,I/O error,Input/output error,' "$tmp/stderr"
	echo "--- exit $status"
}

# the established header lines of the last run: standard error without the
# version, the kernel command line, the notes, and the lines of our own that
# follow the established ones
header()
{
	awk '
		/^turbostat version / || /^Kernel command line: / || /^turbostat: / { next }
		/^(Processor|Kernel|BD PROCHOT|P-states|Frequencies|amd_pstate|Preferred cores|cpufreq|cpu[0-9]+: MSR_AMD_CPPC_[A-Z0-9]+|Core types|NUMA|EPP|Limits logged \(.*\)|Throttled since boot|Energy): / { next }
		{ print }' "$tmp/stderr"
}

# expected_in_order: every line of file 1 occurs in file 2, in that order;
# the first one that does not is printed
expected_in_order()
{
	awk '
		BEGIN { i = n = 0 }
		FNR == NR { want[n++] = $0; next }
		i < n && $0 == want[i] { i++ }
		END { if (i < n) { print "not found in order: " want[i]; exit 1 } }' "$1" "$2"
}

# compare_header FILE ARGUMENTS...: the header of the last run with FILE. With
# --debug there is more text, so that the lines of FILE need only be there in order.
compare_header()
{
	expect=$1
	shift
	case " $* " in
	*" --debug "*)	expected_in_order "$expect" "$tmp/header" ;;
	*)		diff "$expect" "$tmp/header" ;;
	esac
}

ok()
{
	echo "ok golden/$1"
}

# fail CASE FILE: one line, then the beginning of FILE
fail()
{
	failed=1
	echo "FAIL golden/$1"
	sed -n '1,20s/^/    /p' "$2"
}

# check NAME LABEL ARGUMENTS...
check()
{
	name=$1
	label=$2
	shift 2
	out=$dir/$name/$label.out
	run "$name" "$@" >"$tmp/got"
	if [ -n "$UPDATE" ]; then
		cmp -s "$tmp/got" "$out" || { cp "$tmp/got" "$out" && echo "updated $out"; }
	elif [ ! -f "$out" ]; then
		echo "no file $out" >"$tmp/diff"
		fail "$name/$label" "$tmp/diff"
	elif cmp -s "$out" "$tmp/got"; then
		ok "$name/$label"
	else
		diff "$out" "$tmp/got" >"$tmp/diff"
		fail "$name/$label" "$tmp/diff"
	fi

	expect=$dir/$name/header.expect
	if [ "$label" = default ] && [ -f "$expect" ]; then
		header >"$tmp/header"
		if compare_header "$expect" "$@" >"$tmp/diff"; then
			ok "$name/header"
		else
			fail "$name/header" "$tmp/diff"
		fi
	fi
}

if [ $# -eq 0 ]; then
	# shellcheck disable=SC2046	# names without blanks
	set -- $(ls "$dir")
fi
for machine; do
	while read -r label args; do
		case $label in
		''|'#'*)	continue ;;
		esac
		# shellcheck disable=SC2086	# words
		check "$machine" "$label" $args
	done <"$dir/$machine/cmds"
done
exit $failed
