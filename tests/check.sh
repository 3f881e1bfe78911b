#!/bin/sh
# check.sh - runs the tests that need no root, no network and no hardware, and counts.
# Each test program prints "ok NAME", "FAIL NAME" (details indented) or "skip NAME: reason"; or
# "known to fail: NAME", which counts as neither passed nor failed.
# Two more run at a time than there are CPUs, as many often wait; what they say stands
# in the order of the list, the longest first.
# Run from the project's top directory, by "make check"; "check.sh one NAME" runs one.

out=build/check

if [ "$1" = one ]; then
	name=$2
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
	exit 0
fi

# what the caller left open is not the tests'
exec 3>&- 4>&- 5>&- 6>&- 7>&- 8>&- 9>&-
tests='screen judge recipes live repeat picture formats cli control terminal sim changes properties models golden statistics sources fuzz unit malloc header answers faults docs facts exclusions'
rm -rf "$out"
mkdir -p "$out"
. tests/limit.sh
# shellcheck disable=SC2086 # a list of words
printf '%s\n' $tests | xargs -n 1 -P "$(($(getconf _NPROCESSORS_ONLN) + 2))" sh tests/check.sh one

for name in $tests; do
	echo "== $name"
	grep -v '^ok \|^known to fail: ' "$out/$name.out"
done
cat "$out"/*.out | awk '/^ok /{ok++} /^FAIL /{bad++} /^skip /{skip++} /^known to fail: /{known++}
END {
	printf "%d passed, %d failed", ok, bad
	if (known) printf ", %d known to fail", known
	if (skip) printf ", %d skipped", skip
	print ""
	exit bad > 0 || ok == 0
}'
