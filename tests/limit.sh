# limit.sh - for the other scripts: $program runs the program under test, ./turbostat or
# TURBOSTAT, for a minute at most (LIMIT=SECONDS), so that one that does not end fails a
# test and does not hold up the others.  $binary is the program itself, to be looked into.
# To be sourced in the project's top directory.  limit.c says how it is done.
# shellcheck shell=sh disable=SC2034

binary=${TURBOSTAT:-./turbostat}
case $binary in
/*)	;;
*)	binary=$PWD/$binary ;;
esac
TURBOSTAT=$binary
export TURBOSTAT
program=$PWD/build/limit
if [ ! -x "$program" ] || [ tests/limit.c -nt "$program" ]; then
	mkdir -p build
	# it starts thousands of times, faster without a library
	${CC:-cc} -O1 -static -o "$program.$$" tests/limit.c 2>/dev/null ||
		${CC:-cc} -O1 -o "$program.$$" tests/limit.c || exit 1
	mv -f "$program.$$" "$program"
fi
. tests/wait.sh
