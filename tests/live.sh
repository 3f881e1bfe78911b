#!/bin/sh
# live.sh - what no replay shows: waiting, being late, signals while writing, what a command
# finds, and terminals (pty.c).
#
# To be run from the project's top directory. TURBOSTAT names the program, ./turbostat if
# unset. Needs no root and no hardware: it runs with neither MSRs nor perf events.

LC_ALL=C
export LC_ALL

. tests/limit.sh
tmp=build/live.$$
failed=0
mkdir -p "$tmp" || exit 1
trap 'rm -rf "$tmp"' EXIT
trap 'exit 1' HUP INT TERM

# same NAME EXPECTED GOT
same()
{
	if [ "$2" = "$3" ]; then
		echo "ok live/$1"
	else
		failed=1
		echo "FAIL live/$1"
		printf '    expected: %s\n    seen:     %s\n' "$2" "$3" | cut -c1-300
	fi
}

set -- -q -M -P -S --show TSC_MHz

# --- being late ---

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

# --- writing ---

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

	# A reader that never reads, and a user who insists.
	# shellcheck disable=SC2086	# words
	"$program" -q -M -P -i 0.001 --show none $adds >"$tmp/slow" 2>"$tmp/err" </dev/null &
	pid=$!
	{
		await is_ready $pid
		sleep 0.3
		kill -INT $pid
		await has_taken $pid
		kill -INT $pid
		wait $pid
		status=$?
	} <"$tmp/slow"
	same write/insists "1 1" "$status $(grep -c 'nobody reads it' "$tmp/err")"
}

# These mostly wait: meanwhile the others run.
(
	tmp=$tmp/waiting
	mkdir "$tmp"
	being_late
	writing
	exit $failed
) >"$tmp/waited" &
waiting=$!

# --- what a command finds ---

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

# --- when to start and to stop ---

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

set -- -q -M -P -S --show TSC_MHz
# the command ends when it sees that the measurement has
"$program" "$@" --timeout 0.2 --record "$tmp/timeout.rec" sh -c ". tests/wait.sh; await has_lines 2 $tmp/timeout.rec '^sample'; exit 3" 2>"$tmp/err" </dev/null
same timeout/command "3 1 3" "$? $(within 0.2 50 "$(seconds "$tmp/err")") $(wc -l <"$tmp/err" | tr -d ' ')"
"$program" "$@" --timeout 0.25 -i 0.1 >"$tmp/out" </dev/null
same timeout/intervals "0 1" "$? $(within 2 4 "$(wc -l <"$tmp/out")")"
# so many intervals are no end of a command
"$program" "$@" --total -n 1 -i 0.05 sh -c 'sleep 0.12; exit 3' 2>"$tmp/err" </dev/null
same total/iterations "3 1" "$? $(within 0.12 5 "$(seconds "$tmp/err")")"
# what the command is to read is its own
printf 'a\nq\n' | "$program" "$@" --total -i 0.05 sh -c 'sleep 0.12; cat; exit 3' >"$tmp/out" 2>"$tmp/err"
same total/input "3 a q" "$? $(paste -s -d ' ' "$tmp/out")"
# and so are the signals that are not passed on
for sig in USR1 INT QUIT; do
	"$program" "$@" --total -i 20 sh -c "trap : $sig; kill -$sig \$PPID; sleep 0.05; exit 3" 2>"$tmp/err" </dev/null
	same "total/$sig" "3 5" "$? $(wc -l <"$tmp/err" | tr -d ' ')"
done
# what node_exporter reads is there when the command has ended
"$program" "$@" --prometheus --out "$tmp/prom" sh -c "test ! -e $tmp/prom" 2>"$tmp/err" </dev/null
same command/prometheus "0 1" "$? $(grep -c . "$tmp/prom" | awk '{ print ($1 > 0) }')"
# the delay does not count
begin=$(now)
"$program" "$@" --delay 0.3 --record "$tmp/delay.rec" sh -c ". tests/wait.sh; await has_lines 1 $tmp/delay.rec '^sample'; sleep 0.2" 2>"$tmp/err" </dev/null
same delay/command "0 1" "$? $(within 0.2 "$(awk -v a="$begin" -v b="$(now)" 'BEGIN { print b - a - 0.28 }')" "$(seconds "$tmp/err")")"
"$program" "$@" --delay 5 sh -c 'exit 4' 2>"$tmp/err" </dev/null
same delay/too-late "4 1 1" "$? $(grep -c "ended before" "$tmp/err") $(wc -l <"$tmp/err" | tr -d ' ')"
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
# what is recorded of it is a whole as well; what it has used is not known
"$program" "$@" --pid $sleeper --timeout 0.1 --record "$tmp/pid.rec" --json --out "$tmp/json" </dev/null
"$program" "$@" --replay "$tmp/pid.rec" --json >"$tmp/out" 2>"$tmp/err"
same pid/recorded "1 $(cat "$tmp/json")" "$(grep -c '"type":"command",.*"command":\["sleep","300"\],"status":0,"user":null,' "$tmp/err") $(cat "$tmp/err")"
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
"$program" -q -S -J --show Pkg_J,IRQ,SMI,PkgTmp,Busy% --replay tests/golden/v01-kabylake/machine.rec --total >"$tmp/out"
awk 'NR > 1 && NR < 4 { irq += $2; j += $5; if ($4 > t) t = $4 } END { print ($2 == irq) ($4 >= t) ($5 - j < 0.02 && j - $5 < 0.02) }' "$tmp/out" >"$tmp/got"
same total/sums 111 "$(cat "$tmp/got")"

# --- several runs ---

"$program" "$@" --repeat 4 --warmup 2 --pre "echo pre >>$tmp/log" --post "echo post >>$tmp/log" --record "$tmp/repeat.rec" \
	sh -c "cat; echo run >>$tmp/log; sleep 0.06" >"$tmp/out" 2>"$tmp/err" <tests/live.sh
same repeat/status "0 0" "$? $(wc -c <"$tmp/out" | tr -d ' ')"
same repeat/order "pre run post pre run post pre run post pre run post pre run post pre run post" "$(paste -s -d ' ' "$tmp/log")"
same repeat/lines "turbostat: seconds user sys TSC_MHz" "$(awk '$1 != "mean" { print $1 }' "$tmp/err" | paste -s -d ' ' -)"
same repeat/columns 1 "$(awk '$1 == "seconds" { print ($2 >= 0.06 && $3 ~ /%$/ && $5 <= $2 && $6 >= $2 && $7 == "s") }' "$tmp/err")"
"$program" "$@" --replay "$tmp/repeat.rec" 2>"$tmp/got"
cmp -s "$tmp/err" "$tmp/got"
same repeat/replay 0 $?
same repeat/recorded "1 2 3 4" "$(awk '$1 == "run" { print $2 }' "$tmp/repeat.rec" | paste -s -d ' ' -)"
# of one that was killed then, all runs that have ended
sed '/^run 4 /q' "$tmp/repeat.rec" >"$tmp/cut.rec"
"$program" "$@" --replay "$tmp/cut.rec" 2>"$tmp/got"
same repeat/not-closed "turbostat: $tmp/cut.rec: the recording was not closed; its complete samples are used
$(sed 's/ of sh .*//' "$tmp/err")" "$(cat "$tmp/got")"
sed '/^run 4 /,$d' "$tmp/repeat.rec" >"$tmp/cut.rec"
"$program" "$@" --replay "$tmp/cut.rec" 2>"$tmp/got"
same repeat/not-closed-in-run "turbostat: 3 runs" "$(sed -n 2p "$tmp/got")"
# of one run, and where a hook ended it, perhaps before the first: the same, and the same status
for words in "1" "2 --post false" "2 --pre false"; do
	# shellcheck disable=SC2086	# words
	"$program" "$@" --record "$tmp/one.rec" --repeat $words true 2>"$tmp/err" </dev/null
	status=$?
	"$program" "$@" --replay "$tmp/one.rec" 2>"$tmp/got"
	echo "exit $?" >>"$tmp/got"
	{ sed '/^turbostat: --p/d' "$tmp/err"; echo "exit $status"; } >"$tmp/want"
	cmp -s "$tmp/want" "$tmp/got"
	same "repeat/replay-of-$(echo "$words" | tr -d ' ')" "0 1" "$? $(grep -c '^turbostat: [01] runs* of true' "$tmp/got")"
done
"$program" "$@" --compare --replay "$tmp/one.rec" --replay "$tmp/repeat.rec" >"$tmp/out" 2>"$tmp/err"
same compare/one-run 'turbostat: 0 runs and 4 runs' "$(head -n 1 "$tmp/out")"
# The objects and lines say what the table does: their means are those of the runs.
"$program" -q -M -P --show TSC_MHz,IRQ --json --replay "$tmp/repeat.rec" 2>"$tmp/json"
same repeat/objects "run run run run repeat" "$(sed 's/^{"type":"\([a-z]*\)",.*/\1/' "$tmp/json" | paste -s -d ' ' -)"
# the mean of the seconds of the runs is that of the object
awk '
match($0, /"seconds":[0-9.]+/) { sum += substr($0, RSTART + 10, RLENGTH - 10) }
/"type":"repeat"/ && match($0, /"seconds":[{]"n":4,"mean":[0-9.]+/) {
	mean = substr($0, RSTART, RLENGTH)
	sub(/.*:/, "", mean)
	print (sum / 4 - mean < 2e-6 && mean - sum / 4 < 2e-6)
}' "$tmp/json" >"$tmp/got"
same repeat/object-mean 1 "$(cat "$tmp/got")"
"$program" -q -M -P --show TSC_MHz,IRQ --csv --replay "$tmp/repeat.rec" 2>"$tmp/csv"
awk -F, '
NR == 1 { fields = NF }
NF != fields { bad = 1 }
{ row = $8; for (i = 9; i < 17; i++) row = row "," $i }
$1 == "run" { runs[row]++; irq[row] += $NF; if (!(row in least) || $NF < least[row]) least[row] = $NF }
$1 == "mean" { n++; bad = bad || $3 != 4 || runs[row] != 4 || irq[row] / 4 - $NF > 1e-5 || $NF - irq[row] / 4 > 1e-5 }
$1 == "min" { bad = bad || $NF != least[row] }
{ types[$1]++ }
END { print (!bad && n == 1 && types["sd"] == n && types["ci95"] == n && types["min"] == n && types["max"] == n) }
' "$tmp/csv" >"$tmp/got"
same repeat/lines-agree 1 "$(cat "$tmp/got")"
"$program" -q -M -P --show IRQ --per package --replay "$tmp/repeat.rec" >"$tmp/out" 2>"$tmp/err"
same repeat/per "1 turbostat: --per and a recording of several runs exclude each other 0" "$? $(cat "$tmp/err") $(wc -c <"$tmp/out" | tr -d ' ')"
# names are told to their end, where two may differ
name=$(awk 'BEGIN { while (n++ < 150) printf "n" }')
set -- -q -M -P --json --add "/proc/sys/kernel/pid_max,${name}1" --add "/proc/sys/kernel/pid_max,${name}2"
"$program" "$@" --repeat 2 --record "$tmp/long.rec" true 2>"$tmp/err" </dev/null
same repeat/long-names 1 "$(grep -c "\"type\":\"repeat\".*\"${name}2\":{.*\"${name}1\":{" "$tmp/err")"
"$program" "$@" --compare --replay "$tmp/long.rec" --replay "$tmp/long.rec" >"$tmp/out" 2>"$tmp/err"
same compare/long-names 1 "$(grep -c "\"type\":\"compare\".*\"${name}2\":{.*\"${name}1\":{" "$tmp/out")"
set -- -q -M -P -S --show TSC_MHz
rm -f "$tmp/flag"
"$program" "$@" --repeat 2 --json sh -c "test -e $tmp/flag && exit 5; touch $tmp/flag" 2>"$tmp/err" </dev/null
same repeat/not-counted "true 0 false 5" "$(sed -n 's/.*"counted":\([a-z]*\),.*"status":\([0-9]*\),.*/\1 \2/p' "$tmp/err" | paste -s -d ' ' -)"
same repeat/failed-object 1 "$(grep -c '"runs":2,"failed":1,.*"sd":null,"ci95":null' "$tmp/err")"
: >"$tmp/count"
"$program" "$@" --repeat 4 sh -c "echo >>$tmp/count; exit \$(wc -l <$tmp/count)" 2>"$tmp/err" </dev/null
same repeat/first-failure "1 4" "$? $(grep -c 'run [1-4]: exit status [1-4]' "$tmp/err")"
rm -f "$tmp/flag"
"$program" "$@" --repeat 3 sh -c "test -e $tmp/flag && exit 5; touch $tmp/flag" 2>"$tmp/err" </dev/null
same repeat/failed "5 2 1" "$? $(grep -c 'run [23]: exit status 5' "$tmp/err") $(grep -c '1 run of .*, 2 failed' "$tmp/err")"
# what --pre has set up is undone after a run that failed, too
rm -f "$tmp/log"
"$program" "$@" --repeat 2 --post "echo post >>$tmp/log" false 2>"$tmp/err" </dev/null
same repeat/post-of-failed "1 2" "$? $(wc -l <"$tmp/log" | tr -d ' ')"
"$program" "$@" --repeat 3 --post false true 2>"$tmp/err" </dev/null
same repeat/post-fails "1 1" "$? $(grep -c '1 run of true' "$tmp/err")"
"$program" "$@" --repeat 3 --post false sh -c 'exit 6' 2>"$tmp/err" </dev/null
same repeat/both-fail "1 1" "$? $(grep -c 'run 1: exit status 6' "$tmp/err")"
# of no run nothing is told
for format in csv json; do
	"$program" "$@" --$format --repeat 2 --pre false true 2>"$tmp/err" </dev/null
	same "repeat/no-run-$format" "1 turbostat: --pre 'false': exit status 1" "$? $(cat "$tmp/err")"
done
# what fails before a run, or before one that does not count, is the end
for runs in "--repeat 3 true" "--repeat 3 --warmup 2 true" "--compare --warmup 2 -- true -- true"; do
	rm -f "$tmp/log"
	# shellcheck disable=SC2086	# words
	"$program" "$@" --pre "echo pre >>$tmp/log; exit 3" $runs 2>"$tmp/err" </dev/null
	same "repeat/pre-fails_$(echo "$runs" | tr ' ' _)" "1 1 1" "$? $(grep -c 'exit status 3$' "$tmp/err") $(wc -l <"$tmp/log" | tr -d ' ')"
done
"$program" "$@" --repeat 3 ./no-such-command 2>"$tmp/err" </dev/null
same repeat/absent 127 $?
# a signal while --pre runs: there is one run more, at most
rm -f "$tmp/log"
"$program" "$@" --repeat 9 --pre 'kill -INT $PPID; sleep 0.1' sh -c "echo run >>$tmp/log" 2>"$tmp/err" </dev/null
same repeat/interrupted-pre "0 1" "$? $(wc -l <"$tmp/log" | tr -d ' ')"
# a signal while it warms up: nothing more is run
for runs in "--warmup 2 --repeat 2" "--warmup 2 --compare --repeat 3 --"; do
	rm -f "$tmp/log"
	# shellcheck disable=SC2086	# words
	"$program" "$@" $runs sh -c "echo run >>$tmp/log; kill -INT \$PPID; sleep 0.05" ${runs##*[0-9]} sh -c "echo other >>$tmp/log" 2>"$tmp/err" </dev/null
	same "repeat/interrupted-warmup_$(echo "$runs" | tr -d ' ')" "0 run" "$? $(paste -s -d ' ' "$tmp/log")"
done
# whose time it is: that of the command's own instructions, and the kernel's for it
"$program" "$@" --repeat 1 awk 'BEGIN { for (i = 0; i < 3000000; i++) n += i; print n }' >"$tmp/out" 2>"$tmp/err" </dev/null
same repeat/user-time 1 "$(awk '$1 == "user" { user = $2 } $1 == "sys" { sys = $2 } END { print (user > 2 * sys) }' "$tmp/err")"
rm -f "$tmp/log"
"$program" "$@" --repeat 500 sh -c "echo run >>$tmp/log; sleep 0.1" 2>"$tmp/err" </dev/null &
pid=$!
await has_lines 3 "$tmp/log"
kill -INT $pid
wait $pid
same repeat/interrupted "0 1" "$? $(sed -n 's/^turbostat: \([0-9]*\) runs* of .*/\1/p' "$tmp/err" | awk '{ print ($1 >= 2 && $1 < 500) }')"
rm -f "$tmp/log"
"$program" "$@" --compare --repeat 3 -- sh -c "echo A >>$tmp/log" -- sh -c "echo B >>$tmp/log; sleep 0.4" 2>"$tmp/err" </dev/null
same compare/turns "0 A B B A A B" "$? $(paste -s -d ' ' "$tmp/log")"
same compare/differs "1 1" "$(grep -c '^turbostat: 3 pairs' "$tmp/err") $(awk '$1 == "seconds" { print ($2 < $3) }' "$tmp/err")"
"$program" "$@" --compare --repeat 3 -- cat -- cat >"$tmp/out" 2>"$tmp/err" <tests/live.sh
same compare/input "0 0" "$? $(wc -c <"$tmp/out" | tr -d ' ')"
# Objects and lines are of the same runs: their means, differences and intervals are each other's.
rm -f "$tmp/log"
"$program" "$@" --compare --repeat 3 --warmup 2 --pre "echo pre >>$tmp/log" -- sh -c "echo A >>$tmp/log" -- sh -c "echo B >>$tmp/log" 2>"$tmp/err" </dev/null
same compare/warmup "0 A B A B A B B A A B 10" "$? $(grep -v pre "$tmp/log" | paste -s -d ' ' -) $(grep -c pre "$tmp/log")"
"$program" -q -M -P --show TSC_MHz,IRQ --compare --json --repeat 3 --out "$tmp/json" -- sleep 0.02 -- sleep 0.03 </dev/null
same compare/objects "run A,run B,run B,run A,run A,run B,compare" "$(sed -n 's/^{"type":"run",.*"name":"\([AB]\)".*/run \1/p; s/^{"type":"\(compare\)",.*"paired":true,.*/\1/p' "$tmp/json" | paste -s -d , -)"
awk '
# the value of a key at or after a place; the place moves behind it
function value(key) {
	rest = substr(rest, index(rest, "\"" key "\":") + length(key) + 3)
	sub(/^\[/, "", rest)
	return rest + 0
}
function near(a, b) { return a - b < 2e-6 && b - a < 2e-6 }
/"type":"run"/ {
	side = $0 ~ /"name":"A"/ ? "A" : "B"
	rest = $0
	sum[side] += value("IRQ")
}
/"type":"compare"/ {
	rest = substr($0, index($0, "\"system\":"))
	sub(/.*"system":[{]"TSC_MHz":[{][^}]*[}],"IRQ":/, "", rest)
	n = value("n"); a = value("a"); b = value("b"); diff = value("diff")
	low = value("ci95"); sub(/^[^,]*,/, "", rest); high = rest + 0
	print n, near(a, sum["A"] / 3), near(b, sum["B"] / 3), near(diff, b - a), near(low + high, 2 * diff), low < high
}' "$tmp/json" >"$tmp/got"
same compare/object "3 1 1 1 1 1" "$(cat "$tmp/got")"
"$program" -q -M -P --show TSC_MHz,IRQ --compare --csv --repeat 3 --out "$tmp/csv" -- true -- true </dev/null
awk -F, '
NR == 1 { fields = NF }
NF != fields { bad = 1 }
{ row = $8; for (i = 9; i < 17; i++) row = row "," $i }
$1 == "run" { sum[$2 row] += $NF }
$1 == "mean" { n++; mean[$2 row] = $NF; d = sum[$2 row] / 3 - $NF; bad = bad || d > 1e-5 || d < -1e-5 }
$1 == "diff" { n++; d = mean["B" row] - mean["A" row] - $NF; bad = bad || d > 1e-5 || d < -1e-5; diff[row] = $NF }
$1 == "diff_low" { n++; low[row] = $NF }
$1 == "diff_high" { n++; d = low[row] + $NF - 2 * diff[row]; bad = bad || d > 1e-5 || d < -1e-5 }
END { print (!bad && n == 5) }
' "$tmp/csv" >"$tmp/got"
same compare/lines 1 "$(cat "$tmp/got")"
"$program" "$@" --compare --json --repeat 3 -- true -- false >"$tmp/out" 2>"$tmp/err" </dev/null
same compare/one-fails '1 3 1' "$? $(grep -c '^turbostat: run [123] of B: exit status 1$' "$tmp/err") $(grep -c '"b":{"command":\["false"\],"n":0,"failed":3},"stats":{"seconds":{"n":0,"a":null,"b":null,"diff":null,"ci95":null,"percent":null,"percent_ci95":null}' "$tmp/err")"
# a pair counts if both have succeeded; B is not asked again
rm -f "$tmp/flag"
"$program" "$@" --compare --repeat 3 -- true -- sh -c "test -e $tmp/flag && exit 5; touch $tmp/flag" 2>"$tmp/err" </dev/null
same compare/one-pair "5 turbostat: 1 pair A: true B: sh -c, 2 failed" "$? $(sed -n '/ pair/,/  B: /p' "$tmp/err" | sed 's/-c .*,/-c,/' | awk '{ $1 = $1; print }' | paste -s -d ' ' -)"
rm -f "$tmp/log"
"$program" "$@" --compare --repeat 500 -- sh -c "echo run >>$tmp/log; sleep 0.05" -- sleep 0.06 2>"$tmp/err" </dev/null &
pid=$!
await has_lines 3 "$tmp/log"
kill -INT $pid
wait $pid
same compare/interrupted "0 1 1" "$? $(sed -n 's/^turbostat: \([0-9]*\) pairs*$/\1/p' "$tmp/err" | awk '{ print ($1 >= 1 && $1 < 500) }') $(grep -c '^seconds ' "$tmp/err")"
cp "$tmp/repeat.rec" "$tmp/old.rec"
"$program" "$@" --compare --replay "$tmp/repeat.rec" --replay "$tmp/old.rec" --out "$tmp/old.rec" >"$tmp/out" 2>"$tmp/err"
same compare/same-file "1 0" "$? $(cmp "$tmp/repeat.rec" "$tmp/old.rec" >&2; echo $?)"
"$program" "$@" --compare --replay "$tmp/repeat.rec" --replay - --out "$tmp/old.rec" >"$tmp/out" 2>"$tmp/err" <"$tmp/old.rec"
same compare/same-input "1 0" "$? $(cmp "$tmp/repeat.rec" "$tmp/old.rec" >&2; echo $?)"
runs=tests/golden/runs/program.rec
"$program" -q -S --show PkgWatt --compare --replay - --replay $runs <$runs >"$tmp/out" 2>"$tmp/err"
same compare/input "2 1 1" "$? $(grep -c '^turbostat: standard input: run 4: exit status 2' "$tmp/err") $(grep -c '^  A: -, 1 failed$' "$tmp/out")"
"$program" "$@" --compare --csv --replay "$tmp/repeat.rec" --replay "$tmp/old.rec" >"$tmp/csv" 2>"$tmp/err"
"$program" "$@" --compare --csv --replay "$tmp/repeat.rec" --replay "$tmp/old.rec" --append --out "$tmp/csv" 2>>"$tmp/err"
same compare/append "1 10 11 0" "$(grep -c ^type "$tmp/csv") $(grep -c '^[md][ei][af].*,4,,' "$tmp/csv") $(wc -l <"$tmp/csv" | tr -d ' ') $(wc -l <"$tmp/err" | tr -d ' ')"
"$program" "$@" --compare --replay "$tmp/repeat.rec" --replay "$tmp/repeat.rec" >"$tmp/out" 2>"$tmp/err"
same compare/recordings "0 4 1" "$? $(grep -c ' ~ ' "$tmp/out") $(grep -c '^at this confidence, about one line in 20' "$tmp/out")"
sed 's/^run 4 2 /run 4 0 /' tests/golden/runs/program.rec >"$tmp/good.rec"
sed 's/^run 4 2 /run 4 3 /; s/^run 6 0 /run 6 5 /' tests/golden/runs/program.rec >"$tmp/bad.rec"
for pair in good.rec/good.rec good.rec/repeat.rec repeat.rec/bad.rec bad.rec/good.rec good.rec/bad.rec; do
	"$program" "$@" --compare --replay "$tmp/${pair%/*}" --replay "$tmp/${pair#*/}" >"$tmp/out" 2>"$tmp/err"
	echo $?
done | xargs >"$tmp/got"
same compare/status "0 0 3 3 3" "$(cat "$tmp/got")"
"$program" -q -S --show PkgWatt --compare --replay $runs --replay tests/golden/suspend/machine.rec >"$tmp/out" 2>"$tmp/err"
same compare/intervals "1 1 0" "$? $(grep -c '^turbostat: tests/golden/suspend/machine.rec holds no runs: record it with --repeat$' "$tmp/err") $(wc -l <"$tmp/out" | tr -d ' ')"
# the newest time counts, whichever is A
awk '/^sample / { $3 = sprintf("%.9f", $3 + 1000) } { print }' $runs >"$tmp/other.rec"
for order in "$runs $tmp/other.rec" "$tmp/other.rec $runs"; do
	"$program" -q -S --show PkgWatt --json --compare --replay "${order% *}" --replay "${order#* }" 2>/dev/null |
		sed 's/.*"time":\([0-9]*\).*/\1/'
done | uniq | wc -l | tr -d ' ' >"$tmp/got"
same compare/newest "1 1" "$(cat "$tmp/got") $(awk '/^sample / { t = $3 } END { print (t > 1700001000) }' "$tmp/other.rec")"
# what one of them has alone is named
sed '/^msr [0-9]* 1b1 /d' $runs >"$tmp/other.rec"
"$program" -q -S --show Busy%,PkgTmp --compare --replay "$tmp/other.rec" --replay $runs >"$tmp/out" 2>"$tmp/err"
same compare/lacks 1 "$(grep -c "only one of the recordings has 'PkgTmp'" "$tmp/err")"
# models have numbers of their own in each family
sed "s/^\\(cpuid [^ ]* 1 0 00\\)0306/\\1a30f/" $runs >"$tmp/other.rec"
for other in $runs "$tmp/other.rec"; do
	"$program" -q -S --show IRQ --compare --replay $runs --replay "$other" 2>&1 | grep -c 'different processor models'
done | paste -s -d ' ' - >"$tmp/got"
same compare/families "0 1" "$(cat "$tmp/got")"
# fewer runs, half of the time, which differs more: whichever is A
awk '/^run / { $4 = sprintf("%.6f", $4 / 2); $5 = $2 % 2 ? "2.000000" : "3.000000"; if ($2 > 5) $3 = 9 } { print }' $runs >"$tmp/other.rec"
for order in "$runs $tmp/other.rec" "$tmp/other.rec $runs"; do
	"$program" -q -S --show PkgWatt --compare --replay "${order% *}" --replay "${order#* }" 2>"$tmp/err" |
		awk '$1 == "user" || $1 == "sys" { print $1, $2, $3, $4 }'
	"$program" -q -S --csv --show PkgWatt --compare --replay "${order% *}" --replay "${order#* }" 2>"$tmp/err" |
		awk -F, 'NR > 1 { print $3 }' | sort -u
done | paste -s -d , - >"$tmp/out"
same compare/less "user 3.38 1.69 -50.0%,sys 0.125 2.2 +1700.0%,4,user 1.69 3.38 +100.0%,sys 2.2 0.125 -94.4%,4" "$(cat "$tmp/out")"
# hasten FACTOR: the runs, so many times as fast
hasten()
{
	awk -v factor="$1" '/^sample / { $3 = sprintf("%.9f", 1700000000 + ($3 - 1700000000) / factor); $4 = sprintf("%.9f", 100 + ($4 - 100) / factor) } { print }' $runs
}
# runs that have all failed have no values, in no format; they are not short either
hasten 60 | awk '/^run / { $3 = 7 } { print }' >"$tmp/other.rec"
"$program" -q -S --show PkgWatt --replay "$tmp/other.rec" 2>&1 | awk '/ - / { $1 = $1; print }  /this short/' | paste -s -d , - >"$tmp/out"
same repeat/all-failed "seconds - - - - - s,user - - - - - s,sys - - - - - s,PkgWatt - - - - - W" "$(cat "$tmp/out")"
same repeat/all-failed-object 1 "$("$program" -q -S --json --show PkgWatt --replay "$tmp/other.rec" 2>&1 | grep -c '"PkgWatt":{"n":0,"mean":null,"sd":null,"ci95":null,"min":null,"max":null}}}}$')"
# the others are short if they are so on the average
for factor in 49 60; do
	hasten $factor >"$tmp/other.rec"
	"$program" -q -S --replay "$tmp/other.rec" 2>&1 | grep -c 'runs this short'
done | paste -s -d ' ' - >"$tmp/out"
same repeat/short "0 1" "$(cat "$tmp/out")"
# the headers of two machines would stand in each other's way
"$program" -S --show PkgWatt --compare --replay $runs --replay $runs >"$tmp/out" 2>"$tmp/err"
same compare/no-header "2 0" "$? $(cat "$tmp/out" "$tmp/err" | grep -c CPUID)"
"$program" --compare --replay $runs --replay "$tmp/no-such-file" --out "$tmp/none" >"$tmp/out" 2>"$tmp/err"
same compare/absent "1 0 absent" "$? $(wc -l <"$tmp/out" | tr -d ' ') $([ -e "$tmp/none" ] || echo absent)"

# --- regions ---

cat >"$tmp/regions.sh" <<'END'
say() { echo "$*" >&"$TURBOSTAT_CTL"; read -r answer <&"$TURBOSTAT_ACK"; echo "$answer"; }
say begin outer; say begin inner; sleep 0.1; say end inner 10; say begin inner; say end inner 32; say end outer
say end never; say begin outer; say begin outer; say end outer 1x; say bogus; say sample phase; say end outer
exit 3
END
"$program" "$@" --control pipe --record "$tmp/regions.rec" sh "$tmp/regions.sh" >"$tmp/out" 2>"$tmp/err" </dev/null
same control/answers "3 ack ack ack ack ack ack error ack error error error ack error" "$? $(cut -d' ' -f1 "$tmp/out" | paste -s -d ' ' -)"
same control/table "Region,Calls,Seconds,Work,TSC_MHz outer,2,nan inner,2,42" "$(sed -n '/^Region/,$p' "$tmp/err" | awk '/^turbostat: / { next } NR == 1 { printf "%s,%s,%s,%s,%s", $1, $2, $3, $4, $5 } NR > 1 { printf " %s,%s,%s", $1, $2, $4 }')"
same control/nested 1 "$(awk '$1 == "outer" { o = $3 } $1 == "inner" { i = $3 } END { print (o >= i && i >= 0.1 && o < 50) }' "$tmp/err")"
same control/phase "1 2" "$(grep -c ' sec$' "$tmp/err") $(sed '/^Region/,$d' "$tmp/err" | grep -c '^TSC_MHz')"
"$program" "$@" --replay "$tmp/regions.rec" 2>"$tmp/got" >"$tmp/out"
cmp -s "$tmp/err" "$tmp/got"
same control/replay 0 $?
# a line that an edited recording has a NUL in ends there
sed "s/^mark begin outer\$/&$(printf '\001')/" "$tmp/regions.rec" | tr '\001' '\000' >"$tmp/nul.rec"
"$program" "$@" --replay "$tmp/nul.rec" 2>"$tmp/got" >"$tmp/out"
cmp -s "$tmp/err" "$tmp/got"
same control/replay-of-nul 0 $?
"$program" "$@" --json --replay "$tmp/regions.rec" 2>"$tmp/got" >"$tmp/out"
same control/objects 'interval "phase" command null region "outer" region "inner"' "$(sed -n 's/.*"type":"\([a-z]*\)".*"name":\([a-z"]*\),.*/\1 \2/p' "$tmp/got" | paste -s -d ' ' -)"
same control/object 1 "$(grep -c '"name":"inner","calls":2,"work":42,"open":false,"system":{"cpus":[0-9]*,"TSC_MHz":[0-9.]*}}$' "$tmp/got")"
"$program" "$@" --csv --replay "$tmp/regions.rec" 2>"$tmp/got" >"$tmp/out"
same control/lines "region,outer,2, region,inner,2," "$(sed -n 's/^\(region,[a-z]*,[0-9]*,\),.*/\1/p' "$tmp/got" | paste -s -d ' ' -)"
"$program" "$@" --csv --control pipe sh -c 'echo begin a >&"$TURBOSTAT_CTL"; read -r ack <&"$TURBOSTAT_ACK"' >"$tmp/out" 2>"$tmp/err" </dev/null
same control/open "0 1" "$? $(grep -c '^region,a,1,,' "$tmp/err")"
# floods, never reads, closes: nobody hangs and nobody dies
"$program" "$@" --control pipe sh -c 'eval "exec $TURBOSTAT_ACK<&-"; i=0; while [ $i -lt 3000 ]; do echo bogus-$i; i=$((i + 1)); done >&"$TURBOSTAT_CTL"' >"$tmp/out" 2>"$tmp/err" </dev/null
same control/flood "0 1 1" "$? $(grep -c ' sec$' "$tmp/err") $(grep -c 'some were dropped' "$tmp/err")"
"$program" "$@" --control pipe --delay -1 sh -c 'echo begin >&"$TURBOSTAT_CTL"; read -r ack <&"$TURBOSTAT_ACK"; kill -9 $$' >"$tmp/out" 2>"$tmp/err" </dev/null
same control/killed "137 0 1 1" "$? $(grep -c ' sec$' "$tmp/err") $(grep -c "was running at the end" "$tmp/err") $(sed -n '/^Region/,$p' "$tmp/err" | sed 1d | awk -F'\t' '{ print $2 }')"
# with --delay -1 a phase is no region, in any format; it is answered all the same
for words in --total --json --csv; do
	"$program" "$@" $words --delay -1 -i 0.01 --control pipe sh "$tmp/regions.sh" >"$tmp/out" 2>"$tmp/err" </dev/null
	same "control/only-regions$words" "3 13 2" "$? $(wc -l <"$tmp/out" | tr -d ' ') $(grep -v '^turbostat: \|^Region\|^type\|"type":"system"' "$tmp/err" | grep -c .)"
done
# bytes that are no text are answered like any other line, and refused again in the replay
"$program" "$@" --control pipe --record "$tmp/bytes.rec" sh -c 'printf "begin \000x\nbegin \001y\n\000\nbegin \377\nend \377\nbegin z\r\n\n" >&"$TURBOSTAT_CTL"; head -n 6 <&"$TURBOSTAT_ACK"' >"$tmp/out" 2>"$tmp/err" </dev/null
same control/bytes "0 ack error error ack ack error" "$? $(cut -d ' ' -f 1 "$tmp/out" | tr '\000' 0 | paste -s -d ' ' -)"
"$program" "$@" --replay "$tmp/bytes.rec" 2>"$tmp/got"
cmp -s "$tmp/err" "$tmp/got"
same control/bytes-replay 0 $?
mkfifo "$tmp/ctl" "$tmp/ack"
"$program" "$@" -i 100 --control "fifo:$tmp/ctl,$tmp/ack" >"$tmp/out" 2>"$tmp/err" </dev/null &
pid=$!
exec 5<>"$tmp/ack"	# open all the time: the last answer outlives who gave it
for line in 'begin a' 'end a' sample stop; do
	echo "$line" >"$tmp/ctl"
	read -r answer <&5
done
exec 5<&-
wait $pid
same control/fifo "0 ack 6" "$? $answer $(wc -l <"$tmp/out" | tr -d ' ')"
# clients of perf's control interface, by pipes, inherited descriptors and fifos: NULs both ways
cat >"$tmp/perf.c" <<'END'
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static int ctl, ack;
static void tell(const char *command, size_t length)
{
	char buf[16] = "";

	if (write(ctl, command, length) != (ssize_t)length || read(ack, buf, 5) != 5 ||
	    strcmp(buf, "ack\n")) {
		printf("%s is answered '%s'\n", command, buf);
		exit(1);
	}
}
int main(int argc, char **argv)
{
	const char *to = argc > 2 ? argv[1] : getenv("TURBOSTAT_CTL");
	const char *from = argc > 2 ? argv[2] : getenv("TURBOSTAT_ACK");

	ctl = strchr(to, '/') ? open(to, O_RDWR) : atoi(to);
	ack = strchr(from, '/') ? open(from, O_RDWR) : atoi(from);
	tell("ping", 5);
	tell("enable\n", 8);
	tell("disable\n", 9);
	tell("enable", 7);
	tell("disable\n\n\n", 10);
	tell("evlist -v\n", 11);
	tell("enable part\n", 13);
	tell("enable part\n", 13);
	tell("disable part\n", 14);
	puts("done");
	tell("stop\n", 6);
	tell("disable\n", 9);
	return 0;
}
END
${CC:-cc} -Wall -Werror -o "$tmp/perf" "$tmp/perf.c"
for spec in pipe fd fifo; do
	case $spec in
	pipe)	"$program" "$@" --control pipe "$tmp/perf" >"$tmp/out" 2>"$tmp/err" </dev/null ;;
	fd)	"$program" "$@" --control fd:5,6 "$tmp/perf" 5 6 5<>"$tmp/ctl" 6<>"$tmp/ack" >"$tmp/out" 2>"$tmp/err" </dev/null ;;
	fifo)	"$program" "$@" --control "fifo:$tmp/ctl,$tmp/ack" "$tmp/perf" "$tmp/ctl" "$tmp/ack" >"$tmp/out" 2>"$tmp/err" </dev/null ;;
	esac
	same "control/perf-$spec" "0 done - 2 part 1" "$? $(cat "$tmp/out") $(sed -n '/^Region/,$p' "$tmp/err" | sed '1d; /^turbostat: /d' | cut -f 1-2 | xargs)"
done
# who shares a descriptor with us finds it as it was: it still blocks
"$program" "$@" --control fd:5,6 sh -c 'echo ping >&5; sleep 0.1; read -r answer <&6; echo "$answer"; { sleep 0.1; echo late >&6; } & read -r answer <&6; echo "$answer"' \
	5<>"$tmp/ctl" 6<>"$tmp/ack" >"$tmp/out" 2>"$tmp/err" </dev/null
same control/blocks "0 ack late" "$? $(tr -d '\000' <"$tmp/out" | xargs)"
# a writer that closes its end leaves nothing to wait for
"$program" "$@" --json --control fd:5 sleep 0.1 5<"$tmp/regions.sh" >"$tmp/out" 2>"$tmp/err" </dev/null
same control/closed "0 0" "$? $(grep -c '"type":"region"' "$tmp/err")"
# samples that come at once have an interval each, in the replay too; other lines share one
"$program" "$@" --json --control pipe --record "$tmp/labels.rec" sh -c 'printf "begin r\nsample A\nend r 1e17\nsample B\nsample C\n" >&"$TURBOSTAT_CTL"; head -n 5 <&"$TURBOSTAT_ACK"' >"$tmp/out" 2>"$tmp/err" </dev/null
same control/labels '0 ack ack ack ack ack "A" "B" "C" 1 1' "$? $(xargs <"$tmp/out") $(grep -o '"name":"[A-C]"' "$tmp/err" | cut -d : -f 2 | paste -s -d ' ' -) $(grep -c '"seconds":0,.*"work":1e+17,' "$tmp/err") $(grep -A1 '^mark begin r' "$tmp/labels.rec" | grep -c '^mark sample A')"
"$program" "$@" --json --replay "$tmp/labels.rec" 2>"$tmp/got"
cmp -s "$tmp/err" "$tmp/got"
same control/labels-replay 0 $?
# ... so do those that come as the command ends
"$program" "$@" --json --control pipe --record "$tmp/labels.rec" sh -c 'printf "sample A\nsample B\n" >&"$TURBOSTAT_CTL"' >"$tmp/out" 2>"$tmp/err" </dev/null
same control/last-labels '0 "A" "B"' "$? $(grep -o '"name":"[A-C]"' "$tmp/err" | cut -d : -f 2 | paste -s -d ' ' -)"
"$program" "$@" --json --replay "$tmp/labels.rec" 2>"$tmp/got"
cmp -s "$tmp/err" "$tmp/got"
same control/last-labels-replay 0 $?
# a line in two pieces is one line
"$program" "$@" --json --control pipe sh -c 'say() { printf "$1" >&"$TURBOSTAT_CTL"; read -r answer <&"$TURBOSTAT_ACK"; echo "$answer"; }
	say "sample one\nsample two\n"; read -r answer <&"$TURBOSTAT_ACK"; say "begin a\nbeg"; say "in b\n"' >"$tmp/out" 2>"$tmp/err" </dev/null
same control/pieces "0 ack ack ack 1" "$? $(paste -s -d ' ' "$tmp/out") $(grep -c '"name":"one"' "$tmp/err")"
# what comes before the measurement begins, is answered when it does
"$program" "$@" --delay 0.2 --control pipe sh -c 'echo begin a >&"$TURBOSTAT_CTL"; read -r answer <&"$TURBOSTAT_ACK"; echo "$answer"; sleep 0.1' >"$tmp/out" 2>"$tmp/err" </dev/null
same control/delayed "0 ack 1" "$? $(cat "$tmp/out") $(awk '$1 == "a" { print $2 }' "$tmp/err")"
# who goes on after the measurement, and waits for answers, gets them
over="error the measurement is over"
"$program" "$@" --json --control pipe --record "$tmp/stopped.rec" sh -c 'say() { printf "$1" >&"$TURBOSTAT_CTL"; read -r answer <&"$TURBOSTAT_ACK"; echo "$answer"; }
	say "begin a\n"; say "stop\nend a\n"; read -r answer <&"$TURBOSTAT_ACK"; echo "$answer"; say "begin b\n"; exit 3' >"$tmp/out" 2>"$tmp/err" </dev/null
same control/stopped "3 ack ack $over $over 1 0" "$? $(paste -s -d ' ' "$tmp/out") $(grep -c '"name":"a","calls":1,.*"open":true' "$tmp/err") $(grep -c "control:\|\"b\"" "$tmp/err")"
"$program" "$@" --json --replay "$tmp/stopped.rec" 2>"$tmp/got"
cmp -s "$tmp/err" "$tmp/got"
same control/stopped-replay 0 $?
"$program" "$@" --control pipe --timeout 0.01 sh -c 'until [ "$answer" = "$0" ]; do echo sample >&"$TURBOSTAT_CTL"; read -r answer <&"$TURBOSTAT_ACK"; done; exit 3' "$over" 2>"$tmp/err" </dev/null
same control/timed-out 3 $?
# the command gets the lowest two of the descriptors 3 to 9 that are free
"$program" "$@" --control pipe sh -c 'echo $TURBOSTAT_CTL $TURBOSTAT_ACK' >"$tmp/out" 2>"$tmp/err" </dev/null 3<&0 4<&0 5<&0 6<&0 7<&0 8<&- 9<&-
same control/numbers "0 8 9" "$? $(cat "$tmp/out")"
"$program" "$@" --control pipe sh -c 'echo $TURBOSTAT_CTL $TURBOSTAT_ACK' >"$tmp/out" 2>"$tmp/err" </dev/null 3<&- 4<&0 5<&- 6<&0
same control/numbers-lowest "0 3 5" "$? $(cat "$tmp/out")"
"$program" "$@" --control pipe true >"$tmp/out" 2>"$tmp/err" </dev/null 3<&0 4<&0 5<&0 6<&0 7<&0 9<&0
same control/no-numbers "1 1" "$? $(grep -c 'no two of the descriptors' "$tmp/err")"
# the function of the manual
{
	echo '#include <stdio.h>'
	echo '#include <stdlib.h>'
	echo '#include <unistd.h>'
	sed -n '/^\/\* Tells turbostat/,/^}/p' turbostat.8 | sed 's/\\e/\\/g'
	echo 'int main(void) { region("begin", "f"); usleep(20000); region("end", "f"); return 0; }'
} >"$tmp/manual.c"
${CC:-cc} -Wall -Werror -D_GNU_SOURCE -o "$tmp/manual" "$tmp/manual.c"
"$tmp/manual"
same control/manual-alone 0 $?
"$program" "$@" --control pipe "$tmp/manual" 2>"$tmp/err" </dev/null
same control/manual "0 f 1" "$? $(awk '$1 == "f" { print $1, $2 }' "$tmp/err")"
if command -v python3 >/dev/null; then
	{ echo 'import os'; sed -n '/^os\./p' turbostat.8 | sed 's/\\e/\\/g'; } >"$tmp/manual.py"
	"$program" "$@" --control pipe python3 "$tmp/manual.py" 2>"$tmp/err" </dev/null
	same control/manual-python "0 load 1" "$? $(awk '$1 == "load" { print $1, $2 }' "$tmp/err")"
else
	echo "skip live/control/manual-python: there is no python3"
fi

# refuses WORDS ARGUMENTS...: status 1, one line, with WORDS
refuses()
{
	words=$1
	shift
	"$program" "$@" >"$tmp/out" 2>"$tmp/err" </dev/null
	same "refuses/$(echo "$*" | tr ' /' '_.')" "1 1 0" "$? $(grep -c -- "^turbostat: .*$words" "$tmp/err") $(wc -l <"$tmp/out" | tr -d ' ')"
}
refuses 'needs a command' --repeat 3
refuses '--warmup needs --repeat' --warmup 1 true
refuses '--pre needs --repeat' --pre true true
refuses '--repeat and --total exclude' --repeat 2 --total true
refuses '--repeat and --timeout exclude' --repeat 2 --timeout 1 true
for option in --prometheus --total '--timeout 1' '--delay 1' '--pid 1'; do
	# shellcheck disable=SC2086	# words
	refuses "--compare and ${option% *} exclude" --compare $option -- true -- true
done
refuses '--repeat and --per exclude' --repeat 2 --per core true
for option in --list --explain --Dump '--per core'; do
	# shellcheck disable=SC2086	# words
	refuses "--compare and ${option% *} exclude" --compare $option --replay x --replay y
done
refuses '--pid and --replay exclude' --pid 1 --replay x
refuses '--replay and --record exclude' --replay x --record y
refuses '--replay and a command exclude' --replay x true
for option in --json --csv; do
	refuses "--prometheus and $option exclude" --prometheus $option
done
refuses '--repeat and --prometheus exclude' --repeat 2 --prometheus true
refuses '--repeat and --delay exclude' --repeat 2 --delay 1 true
refuses '--repeat and --pid exclude' --repeat 2 --pid 1 true
refuses '--pid and a command exclude' --pid 1 true
refuses '--repeat and --replay exclude' --repeat 2 --replay x
refuses 'two --replay need --compare' --replay x --replay y
refuses 'needs two commands' --compare true
refuses 'needs two commands' --compare -- true --
refuses 'needs two commands' --compare -- -- true
for option in '--warmup 2' '--pre true' '--post true'; do
	# shellcheck disable=SC2086	# words
	refuses "${option% *} needs --repeat or --compare with commands" $option --compare --replay x --replay y
done
refuses '--compare and --record exclude' --compare --record x -- true -- true
refuses '3 runs' --compare --repeat 2 -- true -- true
refuses 'needs --control' --delay -1 true
refuses 'neither pipe nor fd:' --control bogus true
refuses 'neither pipe nor fd:' --control fifo: true
refuses 'neither pipe nor fd:' --control fifo:,a true
refuses 'neither pipe nor fd:' --control fifo:c, true
for word in fd: fd:x fd:0, fd:,0 fd:0,1,2 fd:-1 fd:0,1x; do
	refuses 'neither pipe nor fd:' --control $word true
done
refuses 'descriptor 9 is not open' --control fd:9 true 9<&-
refuses 'descriptor 8 is not open' --control fd:0,8 true 8<&-
refuses 'descriptor 1 is not readable' --control fd:1 true
refuses 'descriptor 0 is not writable' --control fd:0,0 true
refuses 'needs a command' --control pipe
refuses 'it is not a fifo' --control fifo:/dev/null true
refuses '--control and --repeat exclude' --control pipe --repeat 3 true
refuses '--control and --prometheus exclude' --control pipe --prometheus true
refuses '--control and --replay exclude' --control fifo:x --replay y
refuses '--control and --compare exclude' --control pipe --compare -- true -- true
refuses 'z is the third' --compare --replay x --replay y --replay z
refuses "'type' is not core" --cpu type
refuses "'0'" --repeat 0 true
refuses "'-2'" --delay -2 true

# Neither the command nor the user's files get the rights of a setuid or setgid binary.
if [ "$(id -u)" -ne 0 ] || ! command -v setpriv >/dev/null; then
	echo "skip live/rights: needs root and setpriv"
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
		got=$($as "$away/turbostat" -q -M -P --out /dev/null --show CPU sh -c 'grep -E "^[UG]id:" /proc/$PPID/status' 2>/dev/null |
			cut -f2- | tr '\t' ' ' | paste -s -d '|' -)
		same rights/own "65534 0 0 0|65534 0 0 0" "$got"
	else
		echo "skip live/rights: cannot run a binary as another user"
	fi
	rm -rf "$away"
fi

# a command that has stopped itself is woken, so that it sees the signal that is passed on
"$program" "$@" sh -c 'kill -STOP $$; sleep 30' >"$tmp/out" 2>&1 </dev/null &
stopper=$!
until ps -o stat= --ppid $stopper 2>/dev/null | grep -q '^T' || ! kill -0 $stopper 2>/dev/null; do sleep 0.05; done
kill -TERM $stopper
wait $stopper
same command/stopped 143 $?

# what is no terminal is not asked for that at every interval
if strace -o "$tmp/trace" -e trace=ioctl "$program" "$@" -i 0.01 -n 5 >"$tmp/out" 2>"$tmp/err" </dev/null; then
	same output/terminal-asked-once 1 "$(grep -c '^ioctl(1, TCGETS' "$tmp/trace")"
else
	skip output/terminal-asked-once "no strace, or it may not trace"
fi

# --- terminals ---

# what ran beside all this; the end
finish()
{
	wait $waiting || failed=1
	cat "$tmp/waited"
	exit $failed
}

${CC:-cc} -O1 -o "$tmp/pty" tests/pty.c || exit 1
pty=$tmp/pty
if ! "$pty" '' true 2>"$tmp/err"; then
	echo "skip live/terminal: there are no pseudo-terminals ($(tail -n 1 "$tmp/err"))"
	finish
fi
"$pty" '
' "$program" "$@" -i 2 -n 1 >"$tmp/out"
same terminal/newline "0 2" "$? $(wc -l <"$tmp/out" | tr -d ' ')"
"$pty" 'q
' "$program" "$@" -i 20 >"$tmp/out"
same terminal/quit "0 2" "$? $(wc -l <"$tmp/out" | tr -d ' ')"
# in the background, reading would stop the program: it does not read, and goes on
"$pty" -b '
' "$program" "$@" -i 0.4 -n 3 >"$tmp/out"
same terminal/background "0 4" "$? $(wc -l <"$tmp/out" | tr -d ' ')"
"$pty" "$(printf '\003')" "$program" "$@" -i 20 >"$tmp/out"
same terminal/interrupt "0 3" "$? $(wc -l <"$tmp/out" | tr -d ' ')"	# an empty line before the table
# there is one such line, also before what a command came to, none before the total
"$pty" "$(printf '\003')" "$program" "$@" sh -c 'echo ready; exec sleep 20' >"$tmp/out"
same terminal/interrupt-command "130 3" "$? $(sed -n '/ sec/=' "$tmp/out")"
"$pty" "$(printf '\003')" "$program" "$@" -i 20 --total >"$tmp/out"
same terminal/interrupt-total "0 4" "$? $(sed -n '/^total/=' "$tmp/out")"
# SIGQUIT kills, as ever, unless it is meant for a command: that is waited for
(ulimit -c 0; "$pty" "$(printf '\034')" "$program" "$@" -i 20 >"$tmp/out")
same terminal/quit-key "131 0" "$? $(grep -c '^ *[0-9]' "$tmp/out")"
"$pty" "$(printf '\034')" "$program" "$@" sh -c 'trap "exit 5" QUIT; echo ready; while :; do sleep 0.05; done' >"$tmp/out"
same terminal/quit-key-command "5 1" "$? $(grep -c ' sec$' "$tmp/out")"

# how far it is stands in a line that is wiped before something is said
"$pty" '' "$program" "$@" --repeat 2 false >"$tmp/out"
status=$?
erase=$(printf '\033\[K')
wipe=$(printf '\r')$erase
same terminal/failed-runs "1 1 1" "$status $(grep -c "^run 1/2${wipe}turbostat: run 1: exit status 1" "$tmp/out") $(grep -c "^run 2/2${wipe}turbostat: run 2: exit status 1" "$tmp/out")"
"$pty" '' "$program" "$@" --repeat 1 /nowhere/none >"$tmp/out"
same terminal/no-command "127 1" "$? $(grep -c "^run 1/1${wipe}turbostat: /nowhere/none: No such" "$tmp/out")"
"$pty" '' "$program" "$@" --repeat 1 --pre false true >"$tmp/out"
same terminal/failed-pre "1 1" "$? $(grep -c "^run 1/1${wipe}turbostat: --pre 'false': exit status 1" "$tmp/out")"
for format in csv json; do
	"$pty" '' "$program" "$@" --$format --repeat 2 true | tr -d '\r' >"$tmp/out"
	sed "s/^run .*$erase//" "$tmp/out" | grep -v '^turbostat: runs' | grep -c '^type,name\|^run,,[12],0,\|^mean,,2,\|^sd,\|^ci95,\|^m[inax]*,\|^{"type":".*}$'
	grep -c '^run 2/2, [0-9.]* s each, [0-9]* s left' "$tmp/out"
	grep -vc '^turbostat: runs' "$tmp/out"
	# in a file nothing is in its way: it stands while the runs last
	"$pty" '' "$program" "$@" --$format --out "$tmp/json" --repeat 2 true | tr -d '\r' >"$tmp/out"
	grep -c "^run 1/2${erase}run 2/2, [0-9.]* s each, [0-9]* s left$erase" "$tmp/out"
done | xargs >"$tmp/got"
same terminal/runs-in-formats "8 1 8 1 3 1 3 1" "$(cat "$tmp/got")"

# --- the table on a terminal ---

# terminal ROWS COLUMNS ARGUMENTS...: the table of a recording there, without other marks
terminal()
{
	size="rows $1 cols $2"
	shift 2
	"$pty" '' sh -c 'stty '"$size"'; exec "$@"' sh "$program" -q --replay tests/golden/v01-kabylake/machine.rec "$@"
}

TERM=dumb
export TERM
unset NO_COLOR
# cells right-aligned, two blanks between; the names again when they have scrolled off
terminal 3 60 -S --show Busy%,PkgWatt >"$tmp/out"
same terminal/scrolled '  Busy%  PkgWatt|  11.28    25.00|  Busy%  PkgWatt|   6.77    15.00' "$(paste -s -d '|' "$tmp/out")"
terminal 3 60 -S --show Busy%,PkgWatt -N 0 >"$tmp/out"
same terminal/names-once '  Busy%  PkgWatt|  11.28    25.00|   6.77    15.00' "$(paste -s -d '|' "$tmp/out")"
terminal 24 80 -S --show Busy%,PkgWatt >"$tmp/out"
same terminal/not-scrolled '  Busy%  PkgWatt|  11.28    25.00|   6.77    15.00' "$(paste -s -d '|' "$tmp/out")"
# a wider cell makes its column wider; what a pipe has is what a terminal has
terminal 40 400 --show usec,Time_Of_Day_Seconds,CPU,Busy%,C6%,PkgWatt | awk '{ $1 = $1; print }' >"$tmp/out"
"$program" -q --replay tests/golden/v01-kabylake/machine.rec --show usec,Time_Of_Day_Seconds,CPU,Busy%,C6%,PkgWatt | tr '\t' ' ' >"$tmp/want"
same terminal/cells "$(cat "$tmp/want")" "$(cat "$tmp/out")"
# so do more columns than an integer has bits
terminal 40 1000 -n 1 --enable all | awk '{ $1 = $1; print }' >"$tmp/out"
"$program" -q --replay tests/golden/v01-kabylake/machine.rec -n 1 --enable all 2>/dev/null | tr '\t' ' ' >"$tmp/want"
[ "$(head -n 1 "$tmp/want" | wc -w)" -gt 33 ] && same terminal/many-cells "$(cat "$tmp/want")" "$(cat "$tmp/out")"
# the clocks of a CPU are its own, also where nothing else is read there
"$program" -q --replay tests/golden/v01-kabylake/machine.rec --show usec,Time_Of_Day_Seconds,CPU,Busy% | cut -f -3 >"$tmp/want"
"$program" -q --replay tests/golden/v01-kabylake/machine.rec --show usec,Time_Of_Day_Seconds,CPU >"$tmp/out"
same clocks/alone "$(cat "$tmp/want")" "$(cat "$tmp/out")"
# other formats are for programs, on a terminal as well
for format in csv json prometheus; do
	terminal 24 80 -S --show Busy%,PkgWatt --$format >"$tmp/out"
	"$program" -q --replay tests/golden/v01-kabylake/machine.rec -S --show Busy%,PkgWatt --$format >"$tmp/want"
	same terminal/$format "$(cat "$tmp/want")" "$(cat "$tmp/out")"
done
# so is the table, in a file
terminal 24 80 -S --show Busy%,PkgWatt --out "$tmp/file" >"$tmp/out"
"$program" -q --replay tests/golden/v01-kabylake/machine.rec -S --show Busy%,PkgWatt >"$tmp/want"
same terminal/file "$(cat "$tmp/want")" "$(cat "$tmp/out" "$tmp/file")"
# the table of a command goes to standard error: that is the terminal which counts
"$pty" '' sh -c 'stty cols 20; exec "$@" >"$0"' "$tmp/file" "$program" -q --replay tests/golden/command/machine.rec --show CPU,Busy%,Bzy_MHz >"$tmp/out"
same terminal/of-command "1 0" "$(grep -c '^ *CPU  *Busy%  *Bzy_MHz$' "$tmp/out") $(wc -c <"$tmp/file" | tr -d ' ')"
# who has named a column hears there why it is absent, wherever the table goes; who hides it need not
"$pty" '' sh -c 'exec "$@" >"$0"' "$tmp/file" "$program" -q --replay tests/golden/v01-kabylake/machine.rec \
	-S --show Busy%,LLCMRPS,C99% --hide SAM%mc6,C98% >"$tmp/out"
same terminal/absent "LLCMRPS C99%" "$(sed -n "s/^turbostat: '\\([^ ]*\\)': .*/\\1/p" "$tmp/out" | sort -r | paste -s -d ' ' -)"
# --list tells people of the groups, programs it tells one line
terminal 50 500 --list --enable all >"$tmp/out"
same terminal/groups "1 1 1 0" "$(grep -c '^Groups:$' "$tmp/out") $(grep -c '^  hwidle$' "$tmp/out") $(grep -c '^		Module,Core,CPU$' "$tmp/out") $(grep -c '^		$' "$tmp/out")"
terminal 50 500 --list --enable all --out "$tmp/file" >"$tmp/out"
same terminal/list-in-file "0 1" "$(wc -l <"$tmp/out" | tr -d ' ') $(wc -l <"$tmp/file" | tr -d ' ')"
# names stand out where the terminal can and the user wants it
TERM=xterm
terminal 24 80 -S -n 1 --show Busy% >"$tmp/out"
same terminal/bold "$(printf '\033[1mBusy%%\033[0m')" "$(sed -n 1p "$tmp/out")"
NO_COLOR=1 terminal 24 80 -S -n 1 --show Busy% >"$tmp/out"
same terminal/no-color "Busy%" "$(sed -n 1p "$tmp/out")"
NO_COLOR='' terminal 24 80 -S -n 1 --show Busy% >"$tmp/out"
same terminal/color-unsaid "$(printf '\033[1mBusy%%\033[0m')" "$(sed -n 1p "$tmp/out")"
# a ^C stands on a line of its own
"$pty" "$(printf '\003')" "$program" -q -M -P -S --show TSC_MHz -i 20 >"$tmp/out"
same terminal/interrupt-line "1 1" "$(grep -c '^$' "$tmp/out") $(tail -n 1 "$tmp/out" | grep -c '^ *[0-9][0-9]*$')"

finish
