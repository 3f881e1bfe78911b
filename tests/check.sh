#!/bin/sh
# check.sh - runs the tests that need no root, no network and no hardware, and counts.
# Each test program prints "ok NAME", "FAIL NAME" (details indented) or "skip NAME: reason".
# Run from the project's top directory, by "make check".

mkdir -p build
out=build/check.out
: > $out

run() {
	name=$1
	shift
	echo "== $name"
	"$@" > build/check.part 2> build/check.err
	status=$?
	cat build/check.part >> $out
	grep -v '^ok ' build/check.part
	if [ $status -ne 0 ] && ! grep -q '^FAIL ' build/check.part; then
		echo "FAIL $name: exit status $status" | tee -a $out
		sed 's/^/    /' build/check.err | tail -20
	fi
}

run unit build/unit
for t in golden models sim header sources properties cli live docs faults malloc; do
	run $t sh tests/$t.sh
done
SMOKE=1 run fuzz sh tests/fuzz.sh

awk '/^ok /{ok++} /^FAIL /{bad++} /^skip /{skip++}
END {
	printf "%d passed, %d failed", ok, bad
	if (skip) printf ", %d skipped", skip
	print ""
	exit bad > 0 || ok == 0
}' $out
