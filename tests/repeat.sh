#!/bin/sh
# repeat.sh - --repeat and --compare: several runs of a command, and what is said of them.
#
# To be run from the project's top directory; frame.sh says how to run one test.

. tests/frame.sh

# hasten FACTOR: the runs, so many times as fast; the package's counter moves once per 0.5 ms
hasten()
{
	awk -v factor="$1" '/^run 1 / { print "plan\nstep PKG 500000\ndone" } /^sample / { $3 = sprintf("%.9f", 1700000000 + ($3 - 1700000000) / factor); $4 = sprintf("%.9f", 100 + ($4 - 100) / factor) } { print }' $runs
}

# gate NAME STATUS MESSAGE ARGUMENTS...: of --compare with them; its last line on standard error
gate()
{
	name=$1 status=$2 message=$3
	shift 3
	"$program" -q --compare "$@" >"$tmp/out" 2>"$tmp/err" </dev/null
	seen=$?
	said=$(grep -e --fail -e --replay "$tmp/err" | tail -n 1 | sed 's/^turbostat: //')
	case $message in *is) said=$(echo "$said" | sed 's/ is [-+].*/ is/') ;; esac
	same "gate/$name" "$status $message" "$seen $said"
}

# --fail: of recordings, of which the second takes a tenth longer and more power; of commands
gates()
{
	sed 's/^run 4 2/run 4 0/' tests/golden/runs/program.rec >"$tmp/base.rec"
	awk '/^run / { $4 = sprintf("%.6f", $4 * 2); $6 *= 2 } { print }' "$tmp/base.rec" >"$tmp/more.rec"
	set -- -S --show Busy%,PkgTmp,Pkg_J --replay "$tmp/base.rec" --replay "$tmp/more.rec"
	gate passes 0 "" "$@" --fail 'maxrss>100.5%' --fail 'Pkg_J>2%' --fail 'seconds<-2%'
	gate fails 3 "--fail 'maxrss>2%': B-A is +99.78 ... +100.22 %" "$@" --fail 'Pkg_J>2%' --fail 'maxrss>2%'
	gate below 3 "--fail 'user < 900%': B-A is" "$@" --fail 'user < 900%'
	gate points 0 "" "$@" --fail 'PkgTmp>2' --fail 'Busy%<-60'
	gate not-shown 3 "--fail 'TSC_MHz<10%': B-A is" "$@" --fail 'Bzy_MHz>2%' --fail 'TSC_MHz<10%'
	# counters whose names are those of rows have others, and so are not compared with these
	gate same-name 0 "" "$@" --add msr0x611,delta,user --add msr0x611,delta,x --add msr0x610,delta,x --fail 'user_2>2%' --fail 'x_2<-2%'
	same gate/same-names "user 0,x 1,x_2 1,user_2 1" "$(awk '/^(user|x)/ { print $1, ($2 == $3) }' "$tmp/out" | paste -s -d , -)"
	"$program" -q --json --add msr0x611,delta,maxrss_kib --replay "$tmp/base.rec" 2>&1 | grep -o '"maxrss_kib[_2]*":{' >"$tmp/got"
	same gate/same-key '"maxrss_kib":{ "maxrss_kib_2":{' "$(paste -s -d ' ' "$tmp/got")"
	gate of-nothing 1 "--fail 'Cor_J>2%' cannot be judged: A is 0" "$@" --fail 'Cor_J>2%'
	# a gate that cannot be judged tells the status, whatever the others say
	gate of-nothing-first 1 "--fail 'maxrss>2%': B-A is" "$@" --fail 'Cor_J>2%' --fail 'maxrss>2%'
	gate of-nothing-last 1 "--fail 'Cor_J>2%' cannot be judged: A is 0" "$@" --fail 'maxrss>2%' --fail 'Cor_J>2%'
	gate absent 1 "--fail 'IPC<-2%': no row 'IPC' in $tmp/base.rec" "$@" --fail 'IPC<-2%'
	gate percent-of-points 1 "--fail 'PkgTmp>2%': the limit of 'PkgTmp' must be without %" "$@" --fail 'PkgTmp>2%'
	gate points-of-percent 1 "--fail 'seconds>2': the limit of 'seconds' needs a %" "$@" --fail 'seconds>2'
	# the same in JSON; a gate that cannot be judged is neither failed nor passed
	for want in 'Pkg_J>2% 2 true false' 'maxrss>2% 2 true true' 'PkgTmp>2 2 false false' 'Cor_J>2% 2 true null'; do
		# shellcheck disable=SC2086	# words
		set -- "${want%% *}" ${want#* } "$@"
		"$program" -q --json -S --replay "$tmp/base.rec" --replay "$tmp/more.rec" --compare --fail "$1" 2>/dev/null |
			sed -n 's/.*"gates":\[{"gate":"\([^"]*\)","row":"\([^"]*\)","limit":\([^,]*\),"percent":\([a-z]*\),"low":\([^,]*\),"high":\([^,]*\),"failed":\([a-z]*\)}\]}$/\1 \2 \3 \4 \7 \5 \6/p' |
			awk '{ print $1, $2, $3, $4, $5, ($5 == "null" ? $6 $7 == "nullnull" : $6 <= $7) }' >"$tmp/got"
		same "gate/json-$1" "$1 ${1%%[<>]*} $2 $3 $4 1" "$(cat "$tmp/got")"
		shift 4
	done
	"$program" -q --json -S --compare --replay "$tmp/base.rec" --replay "$tmp/more.rec" --fail 'Pkg_J>2%' --fail 'maxrss>2%' 2>/dev/null |
		grep -o '"gate":"[^"]*"\|"gates":\[\]' >"$tmp/got"
	"$program" -q --json --replay "$tmp/base.rec" 2>&1 | grep -o '"gate":"[^"]*"\|"gates":\[\]' >>"$tmp/got"
	same gate/json-order '"gate":"Pkg_J>2%" "gate":"maxrss>2%" "gates":[]' "$(paste -s -d ' ' "$tmp/got")"
	# of one run nothing is known; a run that failed comes first
	sed '/^run 1/q' "$tmp/base.rec" >"$tmp/first.rec"
	echo end >>"$tmp/first.rec"
	set -- --show Pkg_J --replay "$tmp/first.rec" --replay "$tmp/more.rec" --fail 'Pkg_J>2%' --fail 'seconds>900%'
	gate unknown 1 "--fail 'seconds>900%' cannot be judged: the difference is not known" "$@"
	set -- --show Pkg_J --replay tests/golden/runs/program.rec --replay "$tmp/more.rec" --fail 'maxrss>2%'
	gate failed-run 2 "--fail 'maxrss>2%': B-A is" "$@"
	# a recording against a command, which runs as often, its times in all formats; of two commands
	gate baseline 3 "--fail 'seconds<-2%': B-A is" --show Pkg_J,Busy% --replay "$tmp/base.rec" --fail 'seconds<-2%' -- true
	gate baseline-passes 0 "" --show Busy% --replay "$tmp/base.rec" --fail 'seconds>2%' -- true
	same gate/baseline-runs "turbostat: 6 runs and 6 runs" "$(grep ' runs and ' "$tmp/err")"
	gate baseline-repeat 0 "" --show Busy% --replay "$tmp/base.rec" --csv --repeat 3 --warmup 1 --pre "echo pre >>$tmp/pre" --out "$tmp/csv" -- true
	same gate/baseline-csv "runB1 runB2 runB3 meanA3 meanB3 4 1" "$(awk -F, '$8 == "system" && /^run|^mean/ { print $1 $2 $3 }' "$tmp/csv" | paste -s -d ' ' -) $(wc -l <"$tmp/pre" | tr -d ' ') $(awk -F, '{ print NF }' "$tmp/csv" | uniq | wc -l | tr -d ' ')"
	gate baseline-fails 7 "" --show Busy% --replay "$tmp/base.rec" -- sh -c 'exit 7'
	cp "$tmp/base.rec" "$tmp/kept.rec"
	gate baseline-kept 1 "--replay and --out name the same file" --replay "$tmp/kept.rec" --out "$tmp/kept.rec" -- true
	gate commands 3 "--fail 'maxrss>50%': B-A is" --repeat 5 --show Busy% --fail 'maxrss>50%' -- dd if=/dev/zero of=/dev/null bs=64M count=1 -- dd if=/dev/zero of=/dev/null bs=128M count=1
	gate malformed 1 "--fail: 'Busy%' is not ROW>LIMIT or ROW<LIMIT, such as Pkg_J>2%" --fail Busy% -- true -- true
}

runs()
{
	"$program" "$@" --repeat 4 --warmup 2 --pre "echo pre >>$tmp/log" --post "echo post >>$tmp/log" --record "$tmp/repeat.rec" \
		sh -c "cat; echo run >>$tmp/log; sleep 0.06" >"$tmp/out" 2>"$tmp/err" <tests/repeat.sh
	same status "0 0" "$? $(wc -c <"$tmp/out" | tr -d ' ')"
	same order "pre run post pre run post pre run post pre run post pre run post pre run post" "$(paste -s -d ' ' "$tmp/log")"
	same lines "turbostat: seconds user sys maxrss TSC_MHz" "$(awk '$1 != "mean" { print $1 }' "$tmp/err" | paste -s -d ' ' -)"
	same columns 1 "$(awk '$1 == "seconds" { print ($2 >= 0.06 && $3 ~ /%$/ && $5 <= $2 && $6 >= $2 && $7 == "s") }' "$tmp/err")"
	"$program" "$@" --replay "$tmp/repeat.rec" 2>"$tmp/got"
	cmp -s "$tmp/err" "$tmp/got"
	same replay 0 $?
	same recorded "1 2 3 4" "$(awk '$1 == "run" { print $2 }' "$tmp/repeat.rec" | paste -s -d ' ' -)"
	# of one that was killed then, all runs that have ended
	sed '/^run 4 /q' "$tmp/repeat.rec" >"$tmp/cut.rec"
	"$program" "$@" --replay "$tmp/cut.rec" 2>"$tmp/got"
	closed="turbostat: $tmp/cut.rec: the recording was not closed; its complete samples are used"
	same not-closed "$(cat "$tmp/err")
$closed" "$(cat "$tmp/got")"
	sed '/^run 4 /,$d' "$tmp/repeat.rec" >"$tmp/cut.rec"
	"$program" "$@" --replay "$tmp/cut.rec" 2>"$tmp/got"
	same not-closed-in-run "turbostat: 3 runs of $closed" "$(sed -n '1s/ of .*/ of/p; $p' "$tmp/got" | paste -s -d ' ' -)"
	"$program" "$@" --compare --replay "$tmp/cut.rec" --replay "$tmp/repeat.rec" >"$tmp/out" 2>"$tmp/got"
	same not-closed-of-two "$closed" "$(cat "$tmp/got")"
	# memory that is not more than this program's own, which the command begins with, is not known
	"$program" "$@" --json --repeat 1 true 2>"$tmp/err" </dev/null
	"$program" "$@" --json --repeat 1 dd if=/dev/zero of=/dev/null bs=128M count=1 2>>"$tmp/err" </dev/null
	same maxrss "0 1" "$(sed -n 's/.*"maxrss_kib":\([a-z0-9]*\),.*/\1/p' "$tmp/err" | awk '{ print ($1 != "null" && $1 > 128 * 1024) }' | paste -s -d ' ' -)"
	# fewer than 20 ticks of busy time say nothing of others
	for busy in 15 25; do
		awk -v busy=$busy '
		/^sample 1 / { skip = 1 }
		/^sample 2 / { skip = 0; last = 1; $0 = "sample 1 1700000000.300000000 100.300000000" }
		last && /^tsc/ { $3 = "10006" substr($3, 6) }
		last && /^file .proc.stat/ { $3 = "\"cpu0 " 100 + busy " 0 0 " 1030 - busy " 0 0 0 0 0 0\\ncpu1 200 0 0 1030 0 0 0 0 0 0\\n\""; NF = 3 }
		/^end/ { print "run 1 0 0.100000 0.000000 0" }
		!skip { print }
		/^static/ { print "command \"true\"" }' tests/golden/guest-clocks/machine.rec >"$tmp/ticks.rec"
		"$program" -q -S --json --show Busy% --replay "$tmp/ticks.rec" 2>&1 | sed 's/.*"others":\([^,]*\),.*/\1/'
	done | paste -s -d ' ' - >"$tmp/got"
	same ticks "null 60" "$(cat "$tmp/got")"
	# times whose sum 64 bits do not hold in ns
	sed 's/^run 1 0 .*/run 1 0 9000000000.000000 9000000000.000000 0/' "$tmp/ticks.rec" >"$tmp/long.rec"
	same long-times 0 "$("$program" -q -S --json --show Busy% --replay "$tmp/long.rec" 2>&1 | sed 's/.*"others":\([^,]*\),.*/\1/')"
	# of one run, and where a hook ended it, perhaps before the first: the same, and the same status
	for words in "1" "2 --post false" "2 --pre false"; do
		# shellcheck disable=SC2086	# words
		"$program" "$@" --record "$tmp/one.rec" --repeat $words true 2>"$tmp/err" </dev/null
		status=$?
		"$program" "$@" --replay "$tmp/one.rec" 2>"$tmp/got"
		echo "exit $?" >>"$tmp/got"
		{ sed '/^turbostat: --p/d' "$tmp/err"; echo "exit $status"; } >"$tmp/want"
		cmp -s "$tmp/want" "$tmp/got"
		same "replay-of-$(echo "$words" | tr -d ' ')" "0 1" "$? $(grep -c '^turbostat: [01] runs* of true' "$tmp/got")"
	done
	"$program" "$@" --compare --replay "$tmp/one.rec" --replay "$tmp/repeat.rec" >"$tmp/out" 2>"$tmp/err"
	same compare/one-run 'turbostat: 0 runs and 4 runs' "$(head -n 1 "$tmp/out")"
	# The objects and lines say what the table does: their means are those of the runs.
	"$program" -q -M -P --show TSC_MHz,IRQ --json --replay "$tmp/repeat.rec" >"$tmp/json" 2>"$tmp/err"
	same objects "run run run run repeat" "$(sed 's/^{"type":"\([a-z]*\)",.*/\1/' "$tmp/json" | paste -s -d ' ' -)"
	# the mean of the seconds of the runs is that of the object
	awk '
	match($0, /"seconds":[0-9.]+/) { sum += substr($0, RSTART + 10, RLENGTH - 10) }
	/"type":"repeat"/ && match($0, /"seconds":[{]"n":4,"mean":[0-9.]+/) {
		mean = substr($0, RSTART, RLENGTH)
		sub(/.*:/, "", mean)
		print (sum / 4 - mean < 2e-6 && mean - sum / 4 < 2e-6)
	}' "$tmp/json" >"$tmp/got"
	same object-mean 1 "$(cat "$tmp/got")"
	"$program" -q -M -P --show TSC_MHz,IRQ --csv --replay "$tmp/repeat.rec" >"$tmp/csv" 2>"$tmp/err"
	awk -F, '
	NR == 1 { fields = NF }
	NF != fields { bad = 1 }
	{ row = $8; for (i = 9; i < 17; i++) row = row "," $i }
	$1 == "run" { runs[row]++; irq[row] += $18; if (!(row in least) || $18 < least[row]) least[row] = $18 }
	$1 == "mean" { n++; bad = bad || $3 != 4 || runs[row] != 4 || irq[row] / 4 - $18 > 1e-5 || $18 - irq[row] / 4 > 1e-5 }
	$1 == "min" { bad = bad || $18 != least[row] }
	{ types[$1]++ }
	END { print (!bad && n == 1 && types["sd"] == n && types["ci95"] == n && types["min"] == n && types["max"] == n) }
	' "$tmp/csv" >"$tmp/got"
	same lines-agree 1 "$(cat "$tmp/got")"
	"$program" -q -M -P --show IRQ --per package --replay "$tmp/repeat.rec" >"$tmp/out" 2>"$tmp/err"
	same per "1 turbostat: --per and a recording of several runs exclude each other 0" "$? $(cat "$tmp/err") $(wc -c <"$tmp/out" | tr -d ' ')"
	# names are told to their end, where two may differ
	name=$(awk 'BEGIN { while (n++ < 150) printf "n" }')
	set -- -q -M -P --json --add "/proc/sys/kernel/pid_max,${name}1" --add "/proc/sys/kernel/pid_max,${name}2"
	"$program" "$@" --repeat 2 --record "$tmp/long.rec" true 2>"$tmp/err" </dev/null
	same long-names 1 "$(grep -c "\"type\":\"repeat\".*\"${name}2\":{.*\"${name}1\":{" "$tmp/err")"
	"$program" "$@" --compare --replay "$tmp/long.rec" --replay "$tmp/long.rec" >"$tmp/out" 2>"$tmp/err"
	same compare/long-names 1 "$(grep -c "\"type\":\"compare\".*\"${name}2\":{.*\"${name}1\":{" "$tmp/out")"
	set -- -q -M -P -S --show TSC_MHz
	rm -f "$tmp/flag"
	"$program" "$@" --repeat 2 --json sh -c "test -e $tmp/flag && exit 5; touch $tmp/flag" 2>"$tmp/err" </dev/null
	same not-counted "true 0 false 5" "$(sed -n 's/.*"counted":\([a-z]*\),.*"status":\([0-9]*\),.*/\1 \2/p' "$tmp/err" | paste -s -d ' ' -)"
	same failed-object 1 "$(grep -c '"runs":2,"failed":1,.*"ci95":null,"sd":null' "$tmp/err")"
	: >"$tmp/count"
	"$program" "$@" --repeat 4 sh -c "echo >>$tmp/count; exit \$(wc -l <$tmp/count)" 2>"$tmp/err" </dev/null
	same first-failure "1 4" "$? $(grep -c 'run [1-4]: exit status [1-4]' "$tmp/err")"
	rm -f "$tmp/flag"
	"$program" "$@" --repeat 3 sh -c "test -e $tmp/flag && exit 5; touch $tmp/flag" 2>"$tmp/err" </dev/null
	same failed "5 2 1" "$? $(grep -c 'run [23]: exit status 5' "$tmp/err") $(grep -c '1 run of .*, 2 failed' "$tmp/err")"
	# what --pre has set up is undone after a run that failed, too
	rm -f "$tmp/log"
	"$program" "$@" --repeat 2 --post "echo post >>$tmp/log" false 2>"$tmp/err" </dev/null
	same post-of-failed "1 2" "$? $(wc -l <"$tmp/log" | tr -d ' ')"
	"$program" "$@" --repeat 101 true 2>"$tmp/err" </dev/null
	same many "0 turbostat: 101 runs of true" "$? $(head -n 1 "$tmp/err")"
	"$program" "$@" --repeat 3 --post false true 2>"$tmp/err" </dev/null
	same post-fails "1 1" "$? $(grep -c '1 run of true' "$tmp/err")"
	"$program" "$@" --repeat 3 --post false sh -c 'exit 6' 2>"$tmp/err" </dev/null
	same both-fail "1 1" "$? $(grep -c 'run 1: exit status 6' "$tmp/err")"
	# of no run nothing is told
	for format in csv json; do
		"$program" "$@" --$format --repeat 2 --pre false true 2>"$tmp/err" </dev/null
		same "no-run-$format" "1 turbostat: --pre 'false': exit status 1" "$? $(cat "$tmp/err")"
	done
	# what fails before a run, or before one that does not count, is the end
	for runs in "--repeat 3 true" "--repeat 3 --warmup 2 true" "--compare --warmup 2 -- true -- true"; do
		rm -f "$tmp/log"
		# shellcheck disable=SC2086	# words
		"$program" "$@" --pre "echo pre >>$tmp/log; exit 3" $runs 2>"$tmp/err" </dev/null
		same "pre-fails_$(echo "$runs" | tr ' ' _)" "1 1 1" "$? $(grep -c 'exit status 3$' "$tmp/err") $(wc -l <"$tmp/log" | tr -d ' ')"
	done
	"$program" "$@" --repeat 3 ./no-such-command 2>"$tmp/err" </dev/null
	same absent 127 $?
	# a signal while --pre runs: there is one run more, at most
	rm -f "$tmp/log"
	"$program" "$@" --repeat 9 --pre 'kill -INT $PPID; sleep 0.1' sh -c "echo run >>$tmp/log" 2>"$tmp/err" </dev/null
	same interrupted-pre "0 1" "$? $(wc -l <"$tmp/log" | tr -d ' ')"
	# a signal while it warms up: nothing more is run
	for runs in "--warmup 2 --repeat 2" "--warmup 2 --compare --repeat 3 --"; do
		rm -f "$tmp/log"
		# shellcheck disable=SC2086	# words
		"$program" "$@" $runs sh -c "echo run >>$tmp/log; kill -INT \$PPID; sleep 0.05" ${runs##*[0-9]} sh -c "echo other >>$tmp/log" 2>"$tmp/err" </dev/null
		same "interrupted-warmup_$(echo "$runs" | tr -d ' ')" "0 run" "$? $(paste -s -d ' ' "$tmp/log")"
	done
	# whose time it is: that of the command's own instructions, and the kernel's for it
	"$program" "$@" --repeat 1 awk 'BEGIN { for (i = 0; i < 3000000; i++) n += i; print n }' >"$tmp/out" 2>"$tmp/err" </dev/null
	same user-time 1 "$(awk '$1 == "user" { user = $2 } $1 == "sys" { sys = $2 } END { print (user > 2 * sys) }' "$tmp/err")"
	rm -f "$tmp/log"
	"$program" "$@" --repeat 500 sh -c "echo run >>$tmp/log; sleep 0.1" 2>"$tmp/err" </dev/null &
	pid=$!
	await has_lines 3 "$tmp/log"
	kill -INT $pid
	wait $pid
	same interrupted "0 1" "$? $(sed -n 's/^turbostat: \([0-9]*\) runs* of .*/\1/p' "$tmp/err" | awk '{ print ($1 >= 2 && $1 < 500) }')"
	# Ctrl-C ends the command and interrupts us at the same time
	rm -f "$tmp/log"
	"$program" "$@" --repeat 3 sh -c "echo run >>$tmp/log; (sleep 0.1; kill -CONT \$PPID) >/dev/null 2>&1 & kill -STOP \$PPID; kill -INT \$PPID" 2>"$tmp/err" </dev/null
	same interrupted-end "0 run" "$? $(paste -s -d ' ' "$tmp/log")"
	# a signal while --idle measures: the command does not start
	for runs in "" "--repeat 2"; do
		rm -f "$tmp/log"
		# shellcheck disable=SC2086	# words
		"$program" "$@" --idle 20 $runs sh -c "echo run >>$tmp/log" 2>"$tmp/err" </dev/null &
		pid=$!
		await is_ready $pid
		kill -TERM $pid
		wait $pid
		same "interrupted-idle$runs" "1 turbostat: --idle was interrupted: the command was not started" "$? $(tail -1 "$tmp/err")$(cat "$tmp/log" 2>/dev/null)"
	done
	rm -f "$tmp/log"
	"$program" "$@" --compare --repeat 3 -- sh -c "echo A >>$tmp/log" -- sh -c "echo B >>$tmp/log; sleep 0.4" 2>"$tmp/err" </dev/null
	same compare/turns "0 A B B A A B" "$? $(paste -s -d ' ' "$tmp/log")"
	same compare/differs "1 1" "$(grep -c '^turbostat: 3 pairs' "$tmp/err") $(awk '$1 == "seconds" { print ($2 < $3) }' "$tmp/err")"
	"$program" "$@" --compare --repeat 3 -- cat -- cat >"$tmp/out" 2>"$tmp/err" <tests/repeat.sh
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
	$1 == "run" { sum[$2 row] += $18 }
	$1 == "mean" { n++; mean[$2 row] = $18; d = sum[$2 row] / 3 - $18; bad = bad || d > 1e-5 || d < -1e-5 }
	$1 == "diff" { n++; d = mean["B" row] - mean["A" row] - $18; bad = bad || d > 1e-5 || d < -1e-5; diff[row] = $18 }
	$1 == "diff_low" { n++; low[row] = $18 }
	$1 == "diff_high" { n++; d = low[row] + $18 - 2 * diff[row]; bad = bad || d > 1e-5 || d < -1e-5 }
	END { print (!bad && n == 5) }
	' "$tmp/csv" >"$tmp/got"
	same compare/lines 1 "$(cat "$tmp/got")"
	"$program" "$@" --compare --json --repeat 3 -- true -- false >"$tmp/out" 2>"$tmp/err" </dev/null
	same compare/one-fails '1 3 1' "$? $(grep -c '^turbostat: run [123] of B: exit status 1$' "$tmp/err") $(grep -c '"b":{"command":\["false"\],"n":0,"failed":3,"clock":.*,"stats":{"seconds":{"n":0,"a":null,"b":null,"diff":null,"ci95":null,"percent":null,"percent_ci95":null}' "$tmp/err")"
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
	gates
	"$program" "$@" --compare --csv --replay "$tmp/repeat.rec" --replay "$tmp/old.rec" >"$tmp/csv" 2>"$tmp/err"
	"$program" "$@" --compare --csv --replay "$tmp/repeat.rec" --replay "$tmp/old.rec" --append --out "$tmp/csv" 2>>"$tmp/err"
	same compare/append "1 10 11 0" "$(grep -c ^type "$tmp/csv") $(grep -c '^[md][ei][af].*,4,,' "$tmp/csv") $(wc -l <"$tmp/csv" | tr -d ' ') $(wc -l <"$tmp/err" | tr -d ' ')"
	"$program" "$@" --compare --replay "$tmp/repeat.rec" --replay "$tmp/repeat.rec" >"$tmp/out" 2>"$tmp/err"
	same compare/recordings "0 4 1" "$? $(grep -v '^maxrss' "$tmp/out" | grep -c ' ~ ') $(grep -c '^at this confidence, about one line in 20' "$tmp/out")"
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
	# models have numbers of their own in each family; fewer CPUs are another machine, too
	sed "s/^\\(cpuid [^ ]* 1 0 00\\)0306/\\1a30f/" $runs >"$tmp/other.rec"
	sed 's/^\(file [^ ]*online\) "0-1/\1 "0/' $runs >"$tmp/half.rec"
	for other in $runs "$tmp/other.rec" "$tmp/half.rec"; do
		"$program" -q -S --show IRQ --compare --replay $runs --replay "$other" 2>&1 | grep -c 'different processor models'
	done | paste -s -d ' ' - >"$tmp/got"
	same compare/machines "0 1 1" "$(cat "$tmp/got")"
	# fewer runs, half of the time, which differs more: whichever is A
	awk '/^run / { $4 = sprintf("%.6f", $4 / 2); $5 = $2 % 2 ? "2.000000" : "3.000000"; if ($2 > 5) $3 = 9 } { print }' $runs >"$tmp/other.rec"
	for order in "$runs $tmp/other.rec" "$tmp/other.rec $runs"; do
		"$program" -q -S --show PkgWatt --compare --replay "${order% *}" --replay "${order#* }" 2>"$tmp/err" |
			awk '$1 == "user" || $1 == "sys" { print $1, $2, $3, $4 }'
		"$program" -q -S --csv --show PkgWatt --compare --replay "${order% *}" --replay "${order#* }" 2>"$tmp/err" |
			awk -F, 'NR > 1 { print $3 }' | sort -u
	done | paste -s -d , - >"$tmp/out"
	same compare/less "user 3.38 1.69 -50.0%,sys 0.125 2.2 +1700.0%,4,user 1.69 3.38 +100.0%,sys 2.2 0.125 -94.4%,4" "$(cat "$tmp/out")"
	# runs that have all failed have no values, in no format; nor errors
	hasten 60 | awk '/^run / { $3 = 7 } { print }' >"$tmp/other.rec"
	"$program" -q -S --show PkgWatt --replay "$tmp/other.rec" 2>&1 | awk '/ - / { $1 = $1; print }  /moves once/' | paste -s -d , - >"$tmp/out"
	same all-failed "seconds - - - - - s,user - - - - - s,sys - - - - - s,maxrss - - - - - KiB,PkgWatt - - - - - W" "$(cat "$tmp/out")"
	same all-failed-object 1 "$("$program" -q -S --json --show PkgWatt --replay "$tmp/other.rec" 2>&1 | grep -c '"PkgWatt":{"n":0,"mean":null,"ci95":null,"sd":null,"min":null,"max":null}},"rows":\[\]},"gates":\[\]}$')"
	# an error counts by the mean time of the runs
	for factor in 49 60; do
		hasten $factor >"$tmp/other.rec"
		"$program" -q -S --replay "$tmp/other.rec" 2>&1 | grep -c 'PkgWatt +-1 %: the counter moves once per 0.5 ms'
	done | paste -s -d ' ' - >"$tmp/out"
	same short "0 1" "$(cat "$tmp/out")"
	# the headers of two machines would stand in each other's way
	"$program" -S --show PkgWatt --compare --replay $runs --replay $runs >"$tmp/out" 2>"$tmp/err"
	same compare/no-header "2 0" "$? $(cat "$tmp/out" "$tmp/err" | grep -c CPUID)"
	"$program" --compare --replay $runs --replay "$tmp/no-such-file" --out "$tmp/none" >"$tmp/out" 2>"$tmp/err"
	same compare/absent "1 0 absent" "$? $(wc -l <"$tmp/out" | tr -d ' ') $([ -e "$tmp/none" ] || echo absent)"
}

all="runs"
run_tests "$@"
