#!/bin/sh
# faults.sh - refuses the reads of recorded machines one at a time; faults.c says what may
# change then and what may not.
#
#   tests/faults.sh [NAME...]	every read of tests/golden/NAME/machine.rec
#   tests/faults.sh		every read of two small machines, some reads of some others
#   FULL=1 tests/faults.sh	every read of all machines, in two processes
#
# To be run from the project's top directory. TURBOSTAT names the program, ./turbostat if
# unset; CC the compiler, cc if unset.

LC_ALL=C
export LC_ALL

program=${TURBOSTAT:-./turbostat}
whole='v12-zen-kvm v08-alderlake'
stride=29	# with a number of CPUs or of counters it has no common divisor
some='haswell-ult perf-hybrid perf-zen skylake-sp cpu-vanishes interleaved pmt-meteorlake
	uncore-dies amd-graphics zen2 v02-kabylake-nomsr two-nodes ticks'
tool=build/faults
part=build/faults.$$.part

mkdir -p build || exit 1
trap 'rm -f "$part" "$tool.$$"' EXIT
trap 'exit 1' HUP INT TERM

compiler=${CC:-cc}
if ! command -v "${compiler%% *}" >/dev/null; then
	echo "skip faults: there is no C compiler"
	exit 0
fi
# shellcheck disable=SC2086	# words
if ! $compiler -O1 -o "$tool.$$" tests/faults.c 2>"$part"; then
	echo "FAIL faults: tests/faults.c cannot be compiled"
	sed 's/^/    /' "$part"
	exit 1
fi
mv -f "$tool.$$" "$tool"

if [ $# -gt 0 ]; then
	"$tool" "$program" "$@"
	exit
fi
status=0
# shellcheck disable=SC2046,SC2086	# words
if [ -n "$FULL" ]; then
	# every other machine: the larger ones stand next to each other
	set -- $(wc -l tests/golden/*/machine.rec | sort -rn | sed -n 's|.*tests/golden/\(.*\)/.*|\1|p')
	"$tool" "$program" $(printf '%s\n' "$@" | sed -n 'n;p') >"$part" &
	"$tool" "$program" $(printf '%s\n' "$@" | sed -n 'p;n') || status=1
	wait $! || status=1
	cat "$part"
else
	"$tool" "$program" $whole || status=1
	"$tool" -k $stride "$program" $some || status=1
fi
exit $status
