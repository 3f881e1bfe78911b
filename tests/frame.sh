# frame.sh - for live.sh, repeat.sh, control.sh, exclusions.sh and terminal.sh: how their tests are
# run. A script NAME.sh defines functions, names them in $all, and calls run_tests "$@":
#
#   tests/NAME.sh [TEST...]	all tests, or these
#
# TURBOSTAT names the program, ./turbostat if unset. None of them needs root or hardware: the program
# runs with neither registers nor perf events. Each test has a shell and a folder $tmp of its own, so
# that none sees what another has left behind.
# shellcheck shell=sh

LC_ALL=C
export LC_ALL

. tests/limit.sh
suite=${0##*/}
suite=${suite%.sh}
tmp=build/$suite.$$
failed=0
mkdir -p "$tmp" || exit 1
trap 'rm -rf "$tmp"' EXIT
trap 'exit 1' HUP INT TERM

# same NAME EXPECTED GOT
same()
{
	if [ "$2" = "$3" ]; then
		echo "ok $suite/$1"
	else
		failed=1
		echo "FAIL $suite/$1"
		printf '    expected: %s\n    seen:     %s\n' "$2" "$3" | cut -c1-300
	fi
}

# skip NAME REASON
skip()
{
	echo "skip $suite/$1: $2"
}

# run_test TEST: in a shell of its own, with the arguments that most runs of the program have
run_test()
(
	trap - EXIT
	tmp=$tmp/$1
	mkdir "$tmp"
	test=$1
	set -- -q -M -P -S --show TSC_MHz
	$test "$@"
	exit $failed
)

# run_tests [TEST...]: those, or all; two at a time, as they often wait. What they say stands in
# their order.
run_tests()
{
	# shellcheck disable=SC2154	# the script sets it
	[ $# -gt 0 ] || set -- $all
	before=
	for t; do
		run_test "$t" >"$tmp/$t.said" 2>&1 &
		echo $! >"$tmp/$t.pid"
		[ -z "$before" ] || finish_test "$before"
		before=$t
	done
	finish_test "$before"
	exit $failed
}

# finish_test TEST: waits for it, and prints its output
finish_test()
{
	wait "$(cat "$tmp/$1.pid")" || failed=1
	cat "$tmp/$1.said"
}
