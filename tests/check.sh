#!/bin/sh
# check.sh - runs the tests that need no root, no network and no hardware, and counts.
# Each test program prints "ok NAME", "FAIL NAME" (details indented) or "skip NAME: reason"; or
# "known to fail: NAME", which counts as neither passed nor failed.
# Two more run at a time than there are CPUs, as many often wait; what they say stands
# in the order of the list, the longest first.
# Run from the project's top directory:
#
#   tests/check.sh			all, as "make check" does
#   tests/check.sh one NAME	one of them: what failed or was skipped, and the count

out=build/check

# report NAME...: what failed, was skipped or is not a test's line at all
report()
{
	for name; do
		[ $# -eq 1 ] || echo "== $name"
		grep -v '^ok \|^known to fail: ' "$out/$name.out"
	done
}

# count NAME...: the closing line, with the names of what was skipped; fails if a test did
count()
{
	for name; do
		cat "$out/$name.out"
	done | awk '/^ok /{ok++} /^FAIL /{bad++} /^known to fail: /{known++}
	/^skip /{sub(/:.*/, ""); names = names (skip++ ? ", " : ": ") substr($0, 6)}
	END {
		printf "%d passed, %d failed", ok, bad
		if (known) printf ", %d known to fail", known
		if (skip) printf ", %d skipped%s", skip, names
		print ""
		exit bad > 0 || ok + skip == 0
	}'
}

if [ "$1" = one ] && [ $# -eq 2 ]; then
	name=$2
	if [ "$name" != unit ] && ! [ -f "tests/$name.sh" ]; then
		echo "check.sh: there is no tests/$name.sh" >&2
		exit 1
	fi
	mkdir -p "$out" || exit 1
	if [ "$name" = unit ]; then
		build/unit
	else
		SMOKE=1 sh "tests/$name.sh"
	fi > "$out/$name.out" 2> "$out/$name.err"
	status=$?
	if [ $status -ne 0 ] && ! grep -q '^FAIL ' "$out/$name.out"; then
		echo "FAIL $name: exit status $status"
		sed 's/^/    /' "$out/$name.err" | tail -20
	fi >> "$out/$name.out"
	report "$name"
	count "$name"
	exit
elif [ $# -ne 0 ]; then
	echo "usage: check.sh [one NAME]" >&2
	exit 1
fi

# what the caller left open is not the tests'
exec 3>&- 4>&- 5>&- 6>&- 7>&- 8>&- 9>&-
tests='screen judge recipes live schema frozen repeat picture formats cli control terminal sim changes properties models golden statistics sources fuzz unit malloc header answers faults docs facts build seed exclusions'
rm -rf "$out"
mkdir -p "$out"
. tests/limit.sh
# shellcheck disable=SC2086 # a list of words
printf '%s\n' $tests | xargs -n 1 -P "$(($(getconf _NPROCESSORS_ONLN) + 2))" sh tests/check.sh one > /dev/null
# shellcheck disable=SC2086 # a list of words
report $tests
# shellcheck disable=SC2086 # a list of words
count $tests
