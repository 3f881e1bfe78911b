#!/bin/sh
# control.sh - --control: regions of a program.
#
# To be run from the project's top directory; frame.sh says how to run one test.

. tests/frame.sh

regions()
{
	cat >"$tmp/regions.sh" <<'END'
say() { echo "$*" >&"$TURBOSTAT_CTL"; read -r answer <&"$TURBOSTAT_ACK"; echo "$answer"; }
say begin outer; say begin inner; sleep 0.1; say end inner 10; say begin inner; say end inner 32; say end outer
say end never; say begin outer; say begin outer; say end outer 1x; say bogus; say sample phase; say end outer
exit 3
END
	"$program" "$@" --control pipe --record "$tmp/regions.rec" sh "$tmp/regions.sh" >"$tmp/out" 2>"$tmp/err" </dev/null
	same answers "3 ack ack ack ack ack ack error ack error error error ack error" "$? $(cut -d' ' -f1 "$tmp/out" | paste -s -d ' ' -)"
	same table "Region,Calls,Seconds,Work,TSC_MHz outer,2,nan inner,2,42" "$(sed -n '/^Region/,$p' "$tmp/err" | awk '/^turbostat: / { next } NR == 1 { printf "%s,%s,%s,%s,%s", $1, $2, $3, $4, $5 } NR > 1 { printf " %s,%s,%s", $1, $2, $4 }')"
	same notes "turbostat: --control: 'end never': the region is not open" "$(grep 'end never' "$tmp/err")"
	same nested 1 "$(awk '$1 == "outer" { o = $3 } $1 == "inner" { i = $3 } END { print (o >= i && i >= 0.1 && o < 50) }' "$tmp/err")"
	same phase "1 2" "$(grep -c ' sec$' "$tmp/err") $(sed '/^Region/,$d' "$tmp/err" | grep -c '^TSC_MHz')"
	"$program" "$@" --replay "$tmp/regions.rec" 2>"$tmp/got" >"$tmp/out"
	cmp -s "$tmp/err" "$tmp/got"
	same replay 0 $?
	# a line that an edited recording has a NUL in ends there
	sed "s/^mark begin outer\$/&$(printf '\001')/" "$tmp/regions.rec" | tr '\001' '\000' >"$tmp/nul.rec"
	"$program" "$@" --replay "$tmp/nul.rec" 2>"$tmp/got" >"$tmp/out"
	cmp -s "$tmp/err" "$tmp/got"
	same replay-of-nul 0 $?
	"$program" "$@" --json --replay "$tmp/regions.rec" >"$tmp/got" 2>"$tmp/out"
	same objects 'interval "phase" command null region "outer" region "inner"' "$(sed -n 's/.*"type":"\([a-z]*\)".*"name":\([a-z"]*\),.*/\1 \2/p' "$tmp/got" | paste -s -d ' ' -)"
	same object 1 "$(grep -c '"name":"inner","calls":2,"work":42,"open":false,"system":{"cpus":[0-9]*,"TSC_MHz":[0-9.]*}}$' "$tmp/got")"
	"$program" "$@" --csv --replay "$tmp/regions.rec" >"$tmp/got" 2>"$tmp/out"
	same lines "region,outer,2, region,inner,2," "$(sed -n 's/^\(region,[a-z]*,[0-9]*,\),.*/\1/p' "$tmp/got" | paste -s -d ' ' -)"
	"$program" "$@" --csv --control pipe sh -c 'echo begin a >&"$TURBOSTAT_CTL"; read -r ack <&"$TURBOSTAT_ACK"' >"$tmp/out" 2>"$tmp/err" </dev/null
	same open "0 1" "$? $(grep -c '^region,a,1,,' "$tmp/err")"
	# floods, never reads, closes: nobody hangs and nobody dies
	"$program" "$@" --control pipe sh -c 'eval "exec $TURBOSTAT_ACK<&-"; i=0; while [ $i -lt 3000 ]; do echo bogus-$i; i=$((i + 1)); done >&"$TURBOSTAT_CTL"' >"$tmp/out" 2>"$tmp/err" </dev/null
	same flood "0 1 1" "$? $(grep -c ' sec$' "$tmp/err") $(grep -c 'some were dropped' "$tmp/err")"
	timeout 30 "$program" "$@" --control pipe sh -c 'while echo bogus; do :; done >&"$TURBOSTAT_CTL" 2>/dev/null & exit 4' >"$tmp/out" 2>"$tmp/err" </dev/null
	same flood-of-grandchild 4 $?
	"$program" "$@" --control pipe --delay -1 sh -c 'echo begin >&"$TURBOSTAT_CTL"; read -r ack <&"$TURBOSTAT_ACK"; kill -9 $$' >"$tmp/out" 2>"$tmp/err" </dev/null
	same killed "137 0 1 1" "$? $(grep -c ' sec$' "$tmp/err") $(grep -c "was running at the end" "$tmp/err") $(sed -n '/^Region/,$p' "$tmp/err" | sed 1d | awk -F'\t' '{ print $2 }')"
	# with --delay -1 a phase is no region, in any format; it is answered all the same
	for words in --total --json --csv; do
		"$program" "$@" $words --delay -1 -i 0.01 --control pipe sh "$tmp/regions.sh" >"$tmp/out" 2>"$tmp/err" </dev/null
		same "only-regions$words" "3 13 2" "$? $(wc -l <"$tmp/out" | tr -d ' ') $(grep -v '^turbostat: \|^Region\|^type\|"type":"system"' "$tmp/err" | grep -c .)"
	done
	# bytes that are no text are answered like any other line, and refused again in the replay
	"$program" "$@" --control pipe --record "$tmp/bytes.rec" sh -c 'printf "begin \000x\nbegin \001y\n\000\nbegin \377\nend \377\nbegin z\r\n\n" >&"$TURBOSTAT_CTL"; head -n 6 <&"$TURBOSTAT_ACK"' >"$tmp/out" 2>"$tmp/err" </dev/null
	same bytes "0 ack error ack ack ack ack" "$? $(cut -d ' ' -f 1 "$tmp/out" | tr '\000' 0 | paste -s -d ' ' -)"
	"$program" "$@" --replay "$tmp/bytes.rec" 2>"$tmp/got"
	cmp -s "$tmp/err" "$tmp/got"
	same bytes-replay 0 $?
	# an empty line has no reply: perf's clients may end a line with both a newline and a NUL
	"$program" "$@" -i 20 --control pipe sh -c 'printf "enable a\n\0\n\0disable a\n\0\nping\n" >&$TURBOSTAT_CTL
		head -c 15 <&$TURBOSTAT_ACK' >"$tmp/out" 2>"$tmp/err" </dev/null
	same empty-line "0 ack ack ack" "$? $(tr '\n' ' ' <"$tmp/out" | tr -d '\0' | sed 's/ $//')"
	# a line that is too long is answered, quoted in part, and takes no memory, in the replay too
	"$program" "$@" --control pipe --record "$tmp/long.rec" sh -c 'head -c 3000000 /dev/zero | tr "\000" b >&"$TURBOSTAT_CTL"; printf "\nbegin %065d\n" 0 >&"$TURBOSTAT_CTL"; head -n 2 <&"$TURBOSTAT_ACK"' >"$tmp/out" 2>"$tmp/err" </dev/null
	same long-line "0 error the line is too long error the name has more than 64 bytes 2 0" "$? $(xargs <"$tmp/out") $(grep -c "^turbostat: --control: '[b0egin ]*'.*: the .* \(too long\|64 bytes\)$" "$tmp/err") $(grep -c ^Region "$tmp/err")"
	same long-line-short "1 1" "$(awk 'length($0) > 120 { bad = 1 } END { print 1 - bad }' "$tmp/err") $(($(wc -c <"$tmp/long.rec") < 1000000))"
	"$program" "$@" --replay "$tmp/long.rec" 2>"$tmp/got"
	cmp -s "$tmp/err" "$tmp/got"
	same long-line-replay 0 $?
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
	same fifo "0 ack 6" "$? $answer $(wc -l <"$tmp/out" | tr -d ' ')"
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
		same "perf-$spec" "0 done - 2 part 1" "$? $(cat "$tmp/out") $(sed -n '/^Region/,$p' "$tmp/err" | sed '1d; /^turbostat: /d' | cut -f 1-2 | xargs)"
	done
	# who shares a descriptor with us finds it as it was: it still blocks
	"$program" "$@" --control fd:5,6 sh -c 'echo ping >&5; sleep 0.1; read -r answer <&6; echo "$answer"; { sleep 0.1; echo late >&6; } & read -r answer <&6; echo "$answer"' \
		5<>"$tmp/ctl" 6<>"$tmp/ack" >"$tmp/out" 2>"$tmp/err" </dev/null
	same blocks "0 ack late" "$? $(tr -d '\000' <"$tmp/out" | xargs)"
	# a writer that closes its end leaves nothing to wait for
	"$program" "$@" --json --control fd:5 sleep 0.1 5<"$tmp/regions.sh" >"$tmp/out" 2>"$tmp/err" </dev/null
	same closed "0 0" "$? $(grep -c '"type":"region"' "$tmp/err")"
	# samples that come at once have an interval each, in the replay too; other lines share one
	"$program" "$@" --json --control pipe --record "$tmp/labels.rec" sh -c 'printf "begin r\nsample A\nend r 1e17\nsample B\nsample C\n" >&"$TURBOSTAT_CTL"; head -n 5 <&"$TURBOSTAT_ACK"' >"$tmp/out" 2>"$tmp/err" </dev/null
	same labels '0 ack ack ack ack ack "A" "B" "C" 1 1' "$? $(xargs <"$tmp/out") $(grep -o '"name":"[A-C]"' "$tmp/err" | cut -d : -f 2 | paste -s -d ' ' -) $(grep -c '"seconds":0,.*"work":1e+17,' "$tmp/err") $(grep -A1 '^mark begin r' "$tmp/labels.rec" | grep -c '^mark sample A')"
	"$program" "$@" --json --replay "$tmp/labels.rec" >"$tmp/got" 2>&1
	cmp -s "$tmp/err" "$tmp/got"
	same labels-replay 0 $?
	# ... so do those that come as the command ends
	"$program" "$@" --json --control pipe --record "$tmp/labels.rec" sh -c 'printf "sample A\nsample B\n" >&"$TURBOSTAT_CTL"' >"$tmp/out" 2>"$tmp/err" </dev/null
	same last-labels '0 "A" "B"' "$? $(grep -o '"name":"[A-C]"' "$tmp/err" | cut -d : -f 2 | paste -s -d ' ' -)"
	"$program" "$@" --json --replay "$tmp/labels.rec" >"$tmp/got" 2>&1
	cmp -s "$tmp/err" "$tmp/got"
	same last-labels-replay 0 $?
	# many regions, of which some have no interval, and some begin at the last sample, are in each format
	awk '/^sample / && n++ { for (i = 0; i < 15; i++) print "mark begin r" n "." i (n < 5 ? "\nmark end r" n "." i : "") } !/^mark / { print }' \
		tests/golden/regions/program.rec >"$tmp/many.rec"
	for words in --Summary --json --csv --total; do
		"$program" -q $words --show Busy%,TSC_MHz --replay "$tmp/many.rec" 2>&1 | grep -c '^r[0-9].*	\|"type":"region".*"rows":\[{\|^region,r.*,system,'
	done >"$tmp/got"
	same many "64 64 64 64" "$(paste -s -d ' ' "$tmp/got")"
	same many-html 1 "$("$program" -q --html --show Busy%,TSC_MHz --replay "$tmp/many.rec" 2>&1 | grep -c '<th scope="col">Region<')"
	# a line in two pieces is one line
	"$program" "$@" --json --control pipe sh -c 'say() { printf "$1" >&"$TURBOSTAT_CTL"; read -r answer <&"$TURBOSTAT_ACK"; echo "$answer"; }
		say "sample one\nsample two\n"; read -r answer <&"$TURBOSTAT_ACK"; say "begin a\nbeg"; say "in b\n"' >"$tmp/out" 2>"$tmp/err" </dev/null
	same pieces "0 ack ack ack 1" "$? $(paste -s -d ' ' "$tmp/out") $(grep -c '"name":"one"' "$tmp/err")"
	# what comes before the measurement begins, is answered when it does
	"$program" "$@" --delay 0.2 --control pipe sh -c 'echo begin a >&"$TURBOSTAT_CTL"; read -r answer <&"$TURBOSTAT_ACK"; echo "$answer"; sleep 0.1' >"$tmp/out" 2>"$tmp/err" </dev/null
	same delayed "0 ack 1" "$? $(cat "$tmp/out") $(awk '$1 == "a" { print $2 }' "$tmp/err")"
	# who goes on after the measurement, and waits for answers, gets them
	over="error the measurement is over"
	"$program" "$@" --json --control pipe --record "$tmp/stopped.rec" sh -c 'say() { printf "$1" >&"$TURBOSTAT_CTL"; read -r answer <&"$TURBOSTAT_ACK"; echo "$answer"; }
		say "begin a\n"; say "stop\nend a\n"; read -r answer <&"$TURBOSTAT_ACK"; echo "$answer"; say "begin b\n"; exit 3' >"$tmp/out" 2>"$tmp/err" </dev/null
	same stopped "3 ack ack $over $over 1 0" "$? $(paste -s -d ' ' "$tmp/out") $(grep -c '"name":"a","calls":1,.*"open":true' "$tmp/err") $(grep -c "control:\|\"b\"" "$tmp/err")"
	"$program" "$@" --json --replay "$tmp/stopped.rec" >"$tmp/got" 2>&1
	cmp -s "$tmp/err" "$tmp/got"
	same stopped-replay 0 $?
	"$program" "$@" --control pipe --timeout 0.01 sh -c 'until [ "$answer" = "$0" ]; do echo sample >&"$TURBOSTAT_CTL"; read -r answer <&"$TURBOSTAT_ACK"; done; exit 3' "$over" 2>"$tmp/err" </dev/null
	same timed-out 3 $?
	# a shell that knows numbers of one digit only can use what the command gets
	"$program" "$@" --control pipe sh -c 'echo $TURBOSTAT_CTL $TURBOSTAT_ACK' >"$tmp/out" 2>"$tmp/err" </dev/null 3<&0 4<&0 7<&0
	same numbers "0 1" "$? $(grep -c '^[3-9] [3-9]$' "$tmp/out")"
	# energy per unit of work: WORK adds up and may be tiny or negative; 0 divides nothing
	sed 's/^mark end load 40$/mark end load 0/; s/^mark end solve 100$/mark end solve -1e4/' tests/golden/regions/program.rec >"$tmp/work.rec"
	same per-work 'Pkg_J/work nan nan -0.002 nan null null -0.002 null' "$("$program" -q -S --show Pkg_J --replay "$tmp/work.rec" 2>&1 | sed -n '/^Region/,/^store/p' | cut -f 5 | xargs) $("$program" -q -S --json --show Pkg_J --replay "$tmp/work.rec" 2>&1 | sed -n 's/.*work":\([^,]*\),"Pkg_J".*/\1/p' | xargs)"
	sed 's/^\(mark end [a-z]*\) .*/\1/' "$tmp/work.rec" >"$tmp/idle.rec"
	same no-work 0 "$("$program" -q -S --json --show Pkg_J --replay "$tmp/idle.rec" 2>&1 | grep -c 'Pkg_J/work')"
}

all="regions"
run_tests "$@"
