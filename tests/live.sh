#!/bin/sh
# live.sh - what no replay shows: being late, signals while writing, what a command finds, when a
# measurement begins and ends, rights.
#
# To be run from the project's top directory; frame.sh says how to run one test.

. tests/frame.sh

# seconds FILE: what the line "SECONDS sec" says
seconds()
{
	sed -n 's/^\(total \)\{0,1\}\([0-9.]*\) sec$/\2/p' "$1"
}

# the time, in seconds
now()
{
	cut -d ' ' -f 1 /proc/uptime
}

# within LOW HIGH NUMBER
within()
{
	awk -v low="$1" -v high="$2" -v n="$3" 'BEGIN { print (n >= low && n <= high) }'
}

# Stopped for ten intervals: those are left out, they do not follow in a burst. So the lines are at
# least eight fewer than the time has room for.
being_late()
{
	: >"$tmp/late"
	"$program" -q -M -P -S -i 0.1 --show Time_Of_Day_Seconds >>"$tmp/late" 2>"$tmp/err" </dev/null &
	pid=$!
	await has_lines 3 "$tmp/late"
	kill -STOP $pid
	sleep 1.05
	kill -CONT $pid
	await has_lines $(($(wc -l <"$tmp/late") + 4)) "$tmp/late"
	kill -INT $pid
	wait $pid
	same late/no-burst "0 1" "$? $(awk 'NR == 2 { first = $1 } END { print (NR - 2 <= ($1 - first) / 0.1 - 8) }' "$tmp/late")"
	same late/gap 1 "$(awk 'NR > 2 && $1 - last > 0.7 { n++ } { last = $1 } END { print (n > 0) }' "$tmp/late")"
}

writing()
{
	# A signal while a slow reader keeps the program waiting in write(2): nothing is lost.
	# more text than a pipe holds
	mkfifo "$tmp/slow"
	i=0
	adds=
	while [ $i -lt 400 ]; do
		adds="$adds --add /proc/sys/kernel/pid_max,a_name_of_forty_characters_or_so_is_$i"
		i=$((i + 1))
	done
	# shellcheck disable=SC2086	# words
	"$program" -q -M -P -i 0.001 -n 12 --show none $adds >"$tmp/slow" 2>"$tmp/err" </dev/null &
	pid=$!
	{
		await is_ready $pid
		sleep 0.3
		kill -USR1 $pid
		await has_taken $pid
		sleep 0.1
		kill -USR1 $pid
		await has_taken $pid
		cat
	} <"$tmp/slow" >"$tmp/out"
	wait $pid
	same write/interrupted "0 12 0" "$? $(grep -c a_name "$tmp/out") $(awk 'NF != 400' "$tmp/out" | wc -l | tr -d ' ')"

	# An interval that is asked for in that time ends as soon as the text is written, not at its deadline.
	long=
	while [ $i -lt 800 ]; do
		long="$long --add /proc/sys/kernel/pid_max,a_name_$(printf '%0200d' $i)"
		i=$((i + 1))
	done
	# shellcheck disable=SC2086	# words
	LIMIT=600 "$program" -q -M -P -i 1000 -n 2 --show none $long >"$tmp/slow" 2>"$tmp/err" </dev/null &
	pid=$!
	{
		await is_ready $pid
		kill -USR1 $pid
		head -c 1	# the first interval has ended, and its text is being written
		kill -USR1 $pid
		await has_taken $pid
		cat
	} <"$tmp/slow" >"$tmp/out"
	wait $pid
	same write/sooner "0 2" "$? $(grep -c a_name "$tmp/out")"

	# An end is asked for while the reader sleeps for two seconds: it gets the interval that is being written.
	# shellcheck disable=SC2086	# words
	"$program" -q -M -P -i 0.001 --show none $adds >"$tmp/slow" 2>"$tmp/err" </dev/null &
	pid=$!
	{
		await is_ready $pid
		sleep 0.3
		kill -INT $pid
		sleep 2
		cat
	} <"$tmp/slow" >"$tmp/out"
	wait $pid
	same write/slow-reader "0 0" "$? $(awk 'NF != 400' "$tmp/out" | wc -l | tr -d ' ')"

	# A file that is a pipe with a reader who takes his time gets everything.
	exec 9<>"$tmp/slow"
	# shellcheck disable=SC2086	# words
	"$program" -q -M -P -i 0.001 -n 12 --out "$tmp/slow" --show none $adds 2>"$tmp/err" </dev/null 9<&- &
	pid=$!
	await is_ready $pid
	sleep 0.3
	cat <"$tmp/slow" >"$tmp/out" 9<&- &
	cat=$!
	exec 9<&-
	wait $pid
	status=$?
	wait $cat
	same write/slow-pipe "0 12 0" "$status $(grep -c a_name "$tmp/out") $(awk 'NF != 400' "$tmp/out" | wc -l | tr -d ' ')"

	# A reader that never reads is waited for for a while only.
	# shellcheck disable=SC2086	# words
	"$program" -q -M -P -i 0.001 --show none $adds >"$tmp/slow" 2>"$tmp/err" </dev/null &
	pid=$!
	{
		await is_ready $pid
		sleep 0.3
		kill -INT $pid
		wait $pid
		status=$?
	} <"$tmp/slow"
	same write/no-reader "1 1" "$status $(grep -c 'nobody reads it' "$tmp/err")"
}

# What a command finds, and what becomes of it.
of_command()
{
	# no shell here: some clear the mask of signals
	for round in 1 2; do
		(ulimit -Sn 10; exec grep -E '^(Sig(Blk|Ign)|Cpus_allowed)|open files' /proc/self/status /proc/self/limits) >"$tmp/want"
		(ulimit -Sn 10; exec "$program" "$@" grep -E '^(Sig(Blk|Ign)|Cpus_allowed)|open files' /proc/self/status /proc/self/limits) >"$tmp/got" 2>"$tmp/err" </dev/null
		same "command/as-left-$round" "$(cat "$tmp/want")" "$(cat "$tmp/got")"
		trap '' USR1 TERM	# the second time some signals are ignored
	done
	trap - USR1
	trap 'exit 1' TERM
	"$program" "$@" ls /proc/self/fd 2>"$tmp/err" >"$tmp/out" </dev/null
	# shellcheck disable=SC2217	# the descriptor counts, though ls reads nothing
	same command/descriptors "$(ls /proc/self/fd </dev/null 2>"$tmp/err" | paste -s -d ' ' -)" "$(paste -s -d ' ' "$tmp/out")"

	# what is closed stays so
	# shellcheck disable=SC2217	# the descriptor counts, though ls reads nothing
	same command/closed "$(ls /proc/self/fd <&- 2>&- | paste -s -d ' ' -)" "$("$program" "$@" ls /proc/self/fd <&- 2>&- | paste -s -d ' ' -)"

	for option in "--repeat 1" "--control pipe"; do
		sh -c "ls /proc/self/fd" >"$tmp/want" </dev/null
		# shellcheck disable=SC2086	# words
		"$program" "$@" $option sh -c "eval \"exec \${TURBOSTAT_CTL:-0}<&- \${TURBOSTAT_ACK:-0}<&- </dev/null\"; ls /proc/self/fd" >"$tmp/out" 2>"$tmp/err" </dev/null
		same "command/descriptors_$(echo "$option" | tr ' ' _)" "$(paste -s -d ' ' "$tmp/want")" "$(paste -s -d ' ' "$tmp/out")"
	done
}

# --timeout, --delay, --pid, --total: when a measurement begins and ends.
timing()
{
	set -- -q -M -P -S --show TSC_MHz
	# the command ends when it sees that the measurement has
	"$program" "$@" --timeout 0.2 --record "$tmp/timeout.rec" sh -c ". tests/wait.sh; await has_lines 2 $tmp/timeout.rec '^sample'; exit 3" 2>"$tmp/err" </dev/null
	same timeout/command "3 1 3" "$? $(within 0.2 50 "$(seconds "$tmp/err")") $(wc -l <"$tmp/err" | tr -d ' ')"
	"$program" "$@" --timeout 0.25 -i 0.1 >"$tmp/out" </dev/null
	same timeout/intervals "0 1" "$? $(within 2 4 "$(wc -l <"$tmp/out")")"
	# what the command is to read is its own
	printf 'a\nq\n' | "$program" "$@" --total -i 0.05 sh -c 'sleep 0.12; cat; exit 3' >"$tmp/out" 2>"$tmp/err"
	same total/input "3 a q" "$? $(paste -s -d ' ' "$tmp/out")"
	# and so are the signals that are not passed on
	for sig in USR1 INT QUIT; do
		"$program" "$@" --total -i 20 sh -c "trap : $sig; kill -$sig \$PPID; sleep 0.05; exit 3" 2>"$tmp/err" </dev/null
		same "total/$sig" "3 5" "$? $(wc -l <"$tmp/err" | tr -d ' ')"
	done
	# if nobody reads the recording any more, the command is measured to its end all the same
	{
		"$program" "$@" --total -i 0.05 --record - --out "$tmp/out" sh -c ". tests/wait.sh; await has_lines 5 $tmp/out; exit 3" 2>"$tmp/err" </dev/null
		echo $? >"$tmp/status"
	} | head -c 1 >"$tmp/read"
	same total/no-reader 3 "$(cat "$tmp/status")"
	# what node_exporter reads is there when the command has ended
	"$program" "$@" --prometheus --out "$tmp/prom" sh -c "test ! -e $tmp/prom" 2>"$tmp/err" </dev/null
	same command/prometheus "0 1" "$? $(grep -c . "$tmp/prom" | awk '{ print ($1 > 0) }')"
	# the delay does not count
	begin=$(now)
	"$program" "$@" --delay 0.3 --record "$tmp/delay.rec" sh -c ". tests/wait.sh; await has_lines 1 $tmp/delay.rec '^sample'; sleep 0.2" 2>"$tmp/err" </dev/null
	same delay/command "0 1" "$? $(within 0.2 "$(awk -v a="$begin" -v b="$(now)" 'BEGIN { print b - a - 0.28 }')" "$(seconds "$tmp/err")")"
	"$program" "$@" --delay 5 sh -c 'exit 4' 2>"$tmp/err" </dev/null
	same delay/too-late "4 1 1" "$? $(grep -c "ended before" "$tmp/err") $(wc -l <"$tmp/err" | tr -d ' ')"
	# their recordings say that they hold a part of the command; that of a whole one does not
	"$program" "$@" -n 2 -i 0.02 --total --record "$tmp/counted.rec" sleep 0.2 2>"$tmp/err" </dev/null
	"$program" "$@" --record "$tmp/all.rec" true 2>"$tmp/err" </dev/null
	same command/part "part part part 0" "$(for of in timeout delay counted all; do sed -n 's/^run 1 .* \(.*\)/\1/p' "$tmp/$of.rec"; done | sed 's/^[1-9].*/0/' | paste -s -d ' ' -)"
	# what ends a measurement ends the delay as well, and there is nothing to print; a line ends the delay
	{ sleep 0.1; echo q; } | "$program" "$@" --delay 20 -i 20 >"$tmp/out" 2>"$tmp/err"
	same delay/quit "0 0 0" "$? $(wc -c <"$tmp/out" | tr -d ' ') $(wc -c <"$tmp/err" | tr -d ' ')"
	{ echo; await has_lines 1 "$tmp/newline.rec" '^sample'; echo q; } | "$program" "$@" --delay 20 -i 20 --record "$tmp/newline.rec" >"$tmp/out" 2>"$tmp/err"
	same delay/newline "0 2" "$? $(wc -l <"$tmp/out" | tr -d ' ')"
	# so with a process, a child that nobody waits for, and in replays: the same words and status
	"$program" "$@" --delay 5 --record "$tmp/late.rec" sh -c 'exit 4' 2>"$tmp/err" </dev/null
	"$program" "$@" --replay "$tmp/late.rec" 2>"$tmp/got"
	same delay/too-late-replay "4 0" "$? $(cmp "$tmp/err" "$tmp/got" >&2; echo $?)"
	sh -c 'true & exec "$0" "$@" --delay 5 --pid $!' "$program" "$@" --record "$tmp/late.rec" 2>"$tmp/err" </dev/null
	same delay/process "0 1 1" "$? $(grep -c "ended before" "$tmp/err") $(wc -l <"$tmp/err" | tr -d ' ')"
	"$program" "$@" --replay "$tmp/late.rec" 2>"$tmp/got"
	same delay/process-replay "0 0" "$? $(cmp "$tmp/err" "$tmp/got" >&2; echo $?)"
	# a command that is stopped for a while has not ended
	"$program" "$@" sh -c '(until grep -q "^State:.T" /proc/$$/status; do sleep 0.02; done; sleep 0.1; kill -CONT $$) & kill -STOP $$; wait; exit 3' 2>"$tmp/err" </dev/null
	same command/stopped "3 1" "$? $(within 0.1 50 "$(seconds "$tmp/err")")"
	await test -e "$tmp/go" &
	waiter=$!
	"$program" "$@" --pid $waiter 2>"$tmp/err" </dev/null &
	pid=$!
	await is_ready $pid
	sleep 0.3
	: >"$tmp/go"
	wait $pid
	same pid/measured "0 1 3" "$? $(within 0.2 50 "$(seconds "$tmp/err")") $(wc -l <"$tmp/err" | tr -d ' ')"
	sleep 300 &
	sleeper=$!
	"$program" "$@" --pid $sleeper --timeout 0.1 2>"$tmp/err" </dev/null
	same pid/timeout "0 1" "$? $(within 0.1 50 "$(seconds "$tmp/err")")"
	# "q" ends it as a whole, and intervals with their total
	{ sleep 0.1; echo q; } | "$program" "$@" --pid $sleeper 2>"$tmp/err"
	same pid/quit "0 1 3" "$? $(within 0.00001 50 "$(seconds "$tmp/err")") $(wc -l <"$tmp/err" | tr -d ' ')"
	# before the first sample there is nothing to tell, nor has the process ended
	{ sleep 0.1; echo q; } | "$program" "$@" --delay 20 --pid $sleeper >"$tmp/out" 2>"$tmp/err"
	same delay/quit-process "0 0" "$? $(cat "$tmp/out" "$tmp/err" | wc -c | tr -d ' ')"
	{ sleep 0.1; echo q; } | "$program" "$@" --total -i 20 >"$tmp/out"
	same total/quit "0 1 2 5" "$? $(grep -c '^total .* sec$' "$tmp/out") $(grep -c TSC_MHz "$tmp/out") $(wc -l <"$tmp/out" | tr -d ' ')"
	# what is recorded of it is a whole as well, with what it has used meanwhile
	"$program" "$@" --pid $sleeper --timeout 0.1 --record "$tmp/pid.rec" --json --out "$tmp/json" </dev/null
	"$program" "$@" --replay "$tmp/pid.rec" --json >"$tmp/out" 2>"$tmp/err"
	same pid/recorded "1 $(cat "$tmp/json")" "$(grep -c '"type":"command",.*"command":\["sleep","300"\],"status":0,"user":0,' "$tmp/out") $(cat "$tmp/out" "$tmp/err")"
	kill $sleeper
	"$program" "$@" --pid 4194305 >"$tmp/out" 2>"$tmp/err" </dev/null
	same pid/absent "1 turbostat: --pid 4194305: No such process 0" "$? $(cat "$tmp/err") $(wc -l <"$tmp/out" | tr -d ' ')"
	"$program" "$@" --total -i 0.1 --record "$tmp/total.rec" sh -c ". tests/wait.sh; await has_lines 4 $tmp/err" 2>"$tmp/err" </dev/null
	same total/command "0 1 1" "$? $(within 7 50 "$(wc -l <"$tmp/err")") $(sed -n '/^total/,$p' "$tmp/err" | grep -c sec)"
	"$program" "$@" --replay "$tmp/total.rec" --total 2>"$tmp/got"
	cmp -s "$tmp/err" "$tmp/got"
	same total/replay 0 $?
	"$program" "$@" --replay "$tmp/total.rec" 2>"$tmp/got"
	same total/replay-whole "$(sed -n 's/^total //p' "$tmp/err")|3" "$(sed -n 1p "$tmp/got")|$(wc -l <"$tmp/got" | tr -d ' ')"
	# -n ends the measurement of a command, not the command; without --total it is ignored, as ever
	"$program" "$@" --total -n 2 -i 0.05 --record "$tmp/n.rec" sh -c 'sleep 0.4; echo ended; exit 3' >"$tmp/out" 2>"$tmp/err" </dev/null
	same total/iterations "3 ended 6" "$? $(cat "$tmp/out") $(wc -l <"$tmp/err" | tr -d ' ')"
	"$program" "$@" --total --replay "$tmp/n.rec" >"$tmp/out" 2>"$tmp/got"
	same total/iterations-replay "3 $(cat "$tmp/err")" "$? $(cat "$tmp/got")"
	"$program" "$@" --total --json -n 3 --replay "$tmp/total.rec" >"$tmp/out" 2>"$tmp/err"
	same total/iterations-of-recording "0 interval interval interval command" "$? $(sed 's/^{"type":"\([a-z]*\)".*/\1/' "$tmp/out" | paste -s -d ' ' -)"
	same total/iterations-sum 1 "$(awk 'match($0, /"seconds":[0-9.]+/) { x = substr($0, RSTART + 10, RLENGTH - 10); if (/"type":"command"/) print (x - sum < 1e-5 && sum - x < 1e-5); sum += x }' "$tmp/out")"
	"$program" "$@" -n 1 -i 0.05 sh -c 'sleep 0.2; exit 3' 2>"$tmp/err" </dev/null
	same total/iterations-ignored "3 1" "$? $(within 0.2 50 "$(seconds "$tmp/err")")"
	"$program" -q -S -J --show Pkg_J,IRQ,SMI,PkgTmp,Busy% --replay tests/golden/v01-kabylake/machine.rec --total >"$tmp/out"
	awk 'NR > 1 && NR < 4 { irq += $2; j += $5; if ($4 > t) t = $4 } END { print ($2 == irq) ($4 >= t) ($5 - j < 0.02 && j - $5 < 0.02) }' "$tmp/out" >"$tmp/got"
	same total/sums 111 "$(cat "$tmp/got")"
	# a maximum is that of what is known, also where the first level is not, and the others are 0 C
	sed 's/^\(msr 0 1b1\) .*/\1 88640000/; /^sample 0 /a\
msr 0 1b1 !EIO' tests/golden/v01-kabylake/machine.rec >"$tmp/first.rec"
	same total/maximum "PkgTmp 0" "$("$program" -q -S --show PkgTmp --replay "$tmp/first.rec" --total 2>/dev/null | tail -n 2 | paste -s -d ' ' -)"
}

# has_child PID STATE: is a child of it in this state, a letter?
has_child()
{
	cat /proc/[0-9]*/stat 2>/dev/null | sed 's/.*) //' | grep -q "^$2 $1 "
}

# Rights, a command that has stopped itself, isatty() of standard output.
rights()
{
	# Neither the command nor the user's files get the rights of a setuid or setgid binary.
	if [ "$(id -u)" -ne 0 ] || ! command -v setpriv >/dev/null; then
		skip rights "needs root and setpriv"
	else
		away=$(mktemp -d "${TMPDIR:-/tmp}/live.XXXXXX")
		cp "$binary" "$away/turbostat" && chmod 755 "$away" && chmod 6755 "$away/turbostat"
		echo secret >"$away/secret" && chmod 440 "$away/secret"
		mkdir -m 770 "$away/group"
		as='setpriv --reuid=65534 --regid=65534 --clear-groups'
		if [ "$($as "$away/turbostat" -q -M -P --show CPU grep -c 'TracerPid' /proc/self/status 2>/dev/null)" = 1 ]; then
			want="65534 65534 65534 65534"
			got=$($as "$away/turbostat" -q -M -P --show CPU grep -E '^[UG]id:' /proc/self/status 2>/dev/null | cut -f2- | tr '\t' ' ' | paste -s -d '|' -)
			same rights/command "$want|$want" "$got"
			$as "$away/turbostat" -q -M -P --replay "$away/secret" >"$tmp/out" 2>"$tmp/err" </dev/null
			same rights/replay "1 1" "$? $(grep -c 'Permission denied' "$tmp/err")"
			$as "$away/turbostat" -q -M -P -n 1 -i 0.01 --out "$away/group/out" >"$tmp/out" 2>"$tmp/err" </dev/null
			same rights/out "1 1" "$? $(grep -c 'Permission denied' "$tmp/err")"
			# who has opened the user's files so has the rights back
			got=
			$as cat /proc/$$/status >"$tmp/out" 2>&1 && got=$($as "$away/turbostat" -q -M -P --out /dev/null --show CPU sh -c 'grep -E "^[UG]id:" /proc/$PPID/status' 2>/dev/null |
				cut -f2- | tr '\t' ' ' | paste -s -d '|' -)
			if grep -q '^Uid:' "$tmp/out"; then
				same rights/own "65534 0 0 0|65534 0 0 0" "$got"
			else
				skip rights/own "/proc hides the processes of others: $(head -n 1 "$tmp/out")"
			fi
		else
			skip rights "cannot run a binary as another user"
		fi
		rm -rf "$away"
	fi

	# a call that a sandbox refuses is named, and why
	if ! ${CC:-cc} -O1 -o "$tmp/refuse" tests/refuse.c 2>"$tmp/err" || ! "$tmp/refuse" setresuid /bin/true; then
		skip refused "no seccomp filter can be installed"
	else
		"$tmp/refuse" fcntl "$program" -q -n 1 -i 0.01 >"$tmp/out" 2>"$tmp/err" </dev/null
		same refused/fcntl "1 turbostat: fcntl: Operation not permitted" "$? $(cat "$tmp/err")"
		if [ "$(id -u)" -ne 0 ]; then
			skip refused/rights "needs root"
		else
			for call in setresuid setresgid; do
				"$tmp/refuse" $call 65534 "$program" "$@" true >"$tmp/out" 2>"$tmp/err" </dev/null
				same refused/$call-command "1 turbostat: the command was not started: $call: Operation not permitted" "$? $(tail -n 1 "$tmp/err")"
			done
			"$tmp/refuse" setresuid 65534 "$program" "$@" -n 1 -i 0.01 --out "$tmp/out" 2>"$tmp/err" </dev/null
			same refused/out "1 turbostat: cannot change the effective user: seteuid: Operation not permitted" "$? $(cat "$tmp/err")"
			# without a need no id is changed
			"$tmp/refuse" setresuid "$program" "$@" true >"$tmp/out" 2>"$tmp/err" </dev/null
			same refused/no-need 0 $?
		fi
	fi

	# a command that has stopped itself is woken, so that it sees the signal that is passed on
	"$program" "$@" sh -c 'kill -STOP $$; sleep 30' >"$tmp/out" 2>&1 </dev/null &
	stopper=$!
	await has_child $stopper T
	kill -TERM $stopper
	wait $stopper
	same command/stopped 143 $?

	# what is no terminal is not asked for that at every interval
	if strace -o "$tmp/trace" -e trace=ioctl "$program" "$@" -i 0.01 -n 5 >"$tmp/out" 2>"$tmp/err" </dev/null; then
		same output/terminal-asked-once 1 "$(grep -c '^ioctl(1, TCGETS' "$tmp/trace")"
	else
		skip output/terminal-asked-once "no strace, or it may not trace"
	fi
}

# A file that logrotate empties gets the names of the columns again, once; JSON has them in each line.
emptied()
{
	for words in '' '-N 0' --csv --json; do
		name=$(echo "${words:-summary}" | tr -d ' -')
		[ "$words" = '-N 0' ] && set -- -q -M -P --show CPU,TSC_MHz || set -- -q -M -P -S --show TSC_MHz
		for append in '' --append; do
			: >"$tmp/log"
			"$program" "$@" -i 0.05 $words $append --out "$tmp/log" 2>"$tmp/err" </dev/null &
			pid=$!
			await has_lines 3 "$tmp/log" .
			: >"$tmp/log"
			await has_lines 3 "$tmp/log" .
			cp "$tmp/log" "$tmp/first"
			: >"$tmp/log"
			await has_lines 3 "$tmp/log" .
			kill $pid
			wait $pid
			want="1 1"
			[ "$words" != --json ] || want="0 0"
			same "emptied/$name$append" "0 $want" "$? $(sed 's/^{.*//' "$tmp/log" | grep -c TSC_MHz) $(sed 's/^{.*//' "$tmp/first" | grep -c TSC_MHz)"
		done
		# cut within a line, which is completed
		: >"$tmp/log"
		"$program" "$@" -i 0.05 $words --out "$tmp/log" 2>"$tmp/err" </dev/null &
		pid=$!
		await has_lines 3 "$tmp/log" .
		left=$(head -c 3 "$tmp/log")
		# at once: a redirection would empty the file first
		dd if=/dev/null of="$tmp/log" bs=1 seek=3 2>/dev/null
		await has_lines 3 "$tmp/log" .
		kill $pid
		wait $pid
		same "emptied/$name-cut" "0 $left" "$? $(head -n 1 "$tmp/log")"
	done
}

# In a user namespace without an id map no id can be changed, and none needs to be.
unmapped()
{
	if ! unshare -U true 2>/dev/null; then
		skip unmapped "no user namespaces"
		return
	fi
	chmod 777 "$tmp"
	in_namespace()	# NAME ARGUMENTS...
	{
		name=$1
		shift
		TURBOSTAT=$binary unshare -U "$program" -q -M -P -S --show TSC_MHz -i 0.01 "$@" >"$tmp/out" 2>"$tmp/err" </dev/null
		same "unmapped/$name" "0 0" "$? $(grep -c 'Invalid argument' "$tmp/err")"
	}
	in_namespace command true
	in_namespace out -n 1 --out "$tmp/file"
	in_namespace record -n 1 --record "$tmp/rec"
	in_namespace replay --replay "$tmp/rec"
	in_namespace prometheus -n 1 --show Busy% --prometheus --out "$tmp/prom"
	in_namespace add -n 1 --add /proc/sys/kernel/pid_max,raw,MOST --show MOST
	in_namespace repeat --repeat 2 --pre true true
}

# A command's own counters: of its children, threads and runs, from its start to its end.
own_counters()
{
	clock=perf/task-clock,task,scale=1e-9,CPU_s
	if ! "$program" -q -M --list --add "$clock" 2>/dev/null </dev/null | grep -q CPU_s; then
		skip own "perf events of own processes are refused"
		return
	fi
	# counted ARGUMENTS...: measures only what belongs to a command
	counted()
	{
		"$program" -q -M -S --show none --add "$clock" --add perf/page-faults,user,task,PF "$@" 2>"$tmp/out" >"$tmp/ran" </dev/null
	}
	cell()	# COLUMN [LINE]
	{
		sed '/^[^ ]* sec$/d; /^total/d' "$tmp/out" | sed -n "${2:-2}p" | cut -f "$1"
	}
	loop='i=0; while [ $i -lt 60000 ]; do i=$((i + 1)); done'
	# as much time as wait4(2) tells, with its children's
	charged()	# NAME
	{
		same "own/$1" 1 "$(sed -n 's/.*"user":\([0-9.]*\),"sys":\([0-9.]*\),.*"CPU_s":\([0-9.]*\).*/\1 \2 \3/p' "$tmp/out" |
			awk '{ used = $1 + $2; print ($3 > 0 && $3 < 1.02 * used + 0.005 && $3 > 0.9 * used - 0.02) }')"
	}
	# did it run, for at most as long as it was measured?  On a busy machine it is a moment only.
	ran()
	{
		sed -n 's/.*"seconds":\([0-9.]*\),.*"CPU_s":\([0-9.e-]*\).*/\1 \2/p' "$tmp/out" |
			awk '{ print ($2 > 0 && $2 < 1.1 * $1 + 0.1) }'
	}
	counted --json sh -c "$loop"
	charged time
	counted --json sh -c "($loop) & ($loop) & wait"
	charged children
	counted true
	same own/faults 1 "$(within 1 1000 "$(cell 1)")"
	# the kernel starts each run's events at 0
	counted --json --repeat 3 true
	same own/repeat 3 "$(sed -n '/"type":"run"/s/.*"PF":\([0-9]*\).*/\1/p' "$tmp/out" | awk '$1 > 0 && $1 < 1000' | wc -l)"
	counted --record "$tmp/rec" --total -i 0.02 sh -c "$loop"
	"$program" -q -S --show none --add "$clock" --add perf/page-faults,user,task,PF --total --replay "$tmp/rec" >"$tmp/replayed" 2>&1 </dev/null
	cat "$tmp/ran" >>"$tmp/out"
	same own/replayed "" "$(diff "$tmp/out" "$tmp/replayed")"
	same own/first-sample 1 "$(grep -c '^perf task software 1 0 0 0$' "$tmp/rec")"
	# a region has a part of it
	counted --control pipe sh -c "$loop; echo begin a >&\$TURBOSTAT_CTL; read -r x <&\$TURBOSTAT_ACK; $loop; echo end a >&\$TURBOSTAT_CTL; read -r x <&\$TURBOSTAT_ACK"
	same own/region 1 "$(awk -F '\t' '$1 == "a" { part = $5 } /^[0-9]+\t/ { whole = $2 } END { print (part > 0.2 * whole && part < 0.8 * whole) }' "$tmp/out")"
	sh -c 'while :; do :; done' &
	busy=$!
	counted --json --pid $busy --timeout 0.6
	kill $busy
	same own/pid 1 "$(ran)"
	"$program" -q -M -S --add "$clock" -n 1 -i 0.01 >"$tmp/out" 2>"$tmp/err" </dev/null
	same own/no-command "1 turbostat: --add $clock: task needs a COMMAND or --pid" "$? $(cat "$tmp/err")"
	# threads that were there before
	cat >"$tmp/threads.c" <<-'END'
		#include <pthread.h>
		#include <unistd.h>

		static volatile int on = 1;

		static void *spin(void *p)
		{
			while (on)
				;
			return p;
		}

		int main(void)
		{
			pthread_t thread;

			pthread_create(&thread, 0, spin, 0);
			sleep(60);
			return 0;
		}
	END
	if cc -pthread -o "$tmp/threads" "$tmp/threads.c" 2>/dev/null; then
		"$tmp/threads" &
		busy=$!
		await has_threads $busy
		counted --json --pid $busy --timeout 0.6
		kill $busy
		same own/threads 1 "$(ran)"
	else
		skip own/threads "no cc with threads"
	fi
}

has_threads()
{
	[ "$(find /proc/"$1"/task -mindepth 1 -maxdepth 1 | wc -l)" -ge 2 ]
}

all="being_late writing of_command timing rights unmapped emptied own_counters"
run_tests "$@"
