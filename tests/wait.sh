# wait.sh - for the other scripts: ways to wait for a state. A time says nothing on a busy machine.
# To be sourced.
# shellcheck shell=sh

# await COMMAND...: until it succeeds; for a minute at most
await()
{
	for _ in $(seq 1200); do
		"$@" 2>/dev/null && return
		sleep 0.05
	done
	return 1
}

# is_ready PID: it catches SIGTERM, as the program does before it measures or runs a command
is_ready()
{
	grep -q '^SigCgt:.*[4567cdef]...$' "/proc/$1/status"	# bit 14
}

# has_taken PID: no signal waits for it
has_taken()
{
	! grep -q '^S[igh]*Pnd:.*[1-9a-f]' "/proc/$1/status"
}

# has_lines NUMBER FILE [PATTERN]: has FILE at least NUMBER lines (with the pattern)?
has_lines()
{
	[ "$(grep -c -e "${3:-}" "$2")" -ge "$1" ]
}
