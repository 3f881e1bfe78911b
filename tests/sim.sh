#!/bin/sh
# sim.sh - the code that asks a live machine, on the simulated kernel of tests/sim.
#
#   tests/sim.sh [NAME...]	the machines of tests/golden, or these
#
# To be run from the project's top directory, after "make build/sim".

LC_ALL=C
export LC_ALL

tmp=build/sim.$$
failed=0
. tests/limit.sh

mkdir -p "$tmp" || exit 1
trap 'rm -rf "$tmp"' EXIT
trap 'exit 1' HUP INT TERM

ok()
{
	echo "ok sim/$1"
}

# same NAME: are the files want and got the same?
same()
{
	if cmp -s "$tmp/want" "$tmp/got"; then
		ok "$1"
	else
		failed=1
		echo "FAIL sim/$1"
		diff "$tmp/want" "$tmp/got" | sed -n '1,12s/^/    /p'
	fi
}

# samples: how many the recording has; interval: seconds between the first two
samples()
{
	grep -c '^sample ' "$rec"
}
interval()
{
	awk '$1 == "sample" { if (n++) { print $4 - t; exit } t = $4 }' "$rec"
}

# live ARGUMENTS...: as the machine of the recording $rec; leaves $tmp/got
live()
{
	SIM=$rec TURBOSTAT=$PWD/build/sim "$program" "$@" >"$tmp/got" 2>&1 </dev/null
}

# replay ARGUMENTS...: of the recording $rec; leaves $tmp/want
replay()
{
	TURBOSTAT=$binary "$program" --replay "$rec" "$@" >"$tmp/want" 2>&1 </dev/null
}

# Every machine of tests/golden, live: what is printed is what its replay prints.
test_golden()
{
	for rec in tests/golden/*/machine.rec; do
		name=${rec%/machine.rec}
		name=${name##*/}
		case $name in
		clocks)		continue ;;	# every CPU has a time of its own; here the time stands still
		no-time)	continue ;;	# nor does it move at all
		ticks)		continue ;;	# recorded at other times than the program chooses
		one-sample)	continue ;;
		esac
		replay
		set -- -i "$(interval)" -n $(($(samples) - 1))
		status=$(sed -n 's/^command \([0-9]*\) .*/\1/p' "$rec")
		[ -z "$status" ] || set -- sh -c "exit $status"
		live "$@"
		case $name in
		# the recording's file cannot be opened, a file of sysfs cannot be read
		uncore-dies)	sed -i '/uncore_khz: /d' "$tmp/got" ;;
		no-end)		sed -i '/the recording was not closed/d' "$tmp/want" ;;
		esac
		same "golden-$name"
	done
}

test_golden
exit $failed
