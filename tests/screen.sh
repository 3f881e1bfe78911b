#!/bin/sh
# screen.sh - the table on terminals of several sizes (pty.c).
#
#   tests/screen.sh			recordings of the project, and exact pictures
#   CORPUS=DIR tests/screen.sh		all of DIR/*.rec, in six sizes
#
# What a terminal shows is compared with what a pipe gets, cell by cell (screen.awk), and the last
# screen of --view live (redrawn.awk).  Run from
# the project's top directory; TURBOSTAT names the program, ./turbostat if unset.

LC_ALL=C
TERM=dumb
TZ=UTC
export LC_ALL TERM TZ
unset NO_COLOR
. tests/limit.sh
program=${TURBOSTAT:-./turbostat}
tmp=build/screen.$$
failed=0
mkdir -p "$tmp" || exit 1
trap 'rm -rf "$tmp"' EXIT
trap 'exit 1' HUP INT TERM

${CC:-cc} -O1 -o "$tmp/pty" tests/pty.c || exit 1
if ! "$tmp/pty" '' true 2>"$tmp/err"; then
	echo "skip screen: there are no pseudo-terminals ($(tail -n 1 "$tmp/err"))"
	exit 0
fi

# screen ROWS COLUMNS ARGUMENTS...: what the program shows on a terminal of this size
screen()
{
	size="rows $1 cols $2"
	shift 2
	"$tmp/pty" '' sh -c 'stty '"$size"'; exec "$@" 2>/dev/null' sh "$program" -q "$@"
}

# verdict NAME FILE: ok if the file is empty
verdict()
{
	if [ -s "$2" ]; then
		echo "FAIL screen/$1"
		head -20 "$2" | sed 's/^/    /'
		failed=1
	else
		echo "ok screen/$1"
	fi
}

# judge RECORDING SIZES [OPTIONS...]: what is wrong on terminals of these sizes, ROWSxCOLUMNS
judge()
{
	recording=$1
	sizes=$2
	shift 2
	"$program" -q --replay "$recording" "$@" 2>/dev/null >"$tmp/pipe"
	for size in $sizes; do
		screen "${size%x*}" "${size#*x}" --replay "$recording" --view fit "$@" >"$tmp/screen"
		awk -v width="${size#*x}" -f tests/screen.awk "$tmp/pipe" "$tmp/screen" | sed "s/^/$size: /"
		[ "$#" -eq 2 ] || continue
		TERM=xterm screen "${size%x*}" "${size#*x}" --replay "$recording" --view live "$@" >"$tmp/screen"
		awk -v lines="${size%x*}" -v width="${size#*x}" -f tests/redrawn.awk "$tmp/pipe" "$tmp/screen" | sed "s/^/$size: /"
	done
}

if [ -n "$CORPUS" ]; then
	for recording in "$CORPUS"/*.rec; do
		name=${recording##*/}
		tests/convert.sh "$recording" >"$tmp/rec"
		judge "$tmp/rec" '15x60 24x80 30x100 30x120 50x160 50x200' -n 3 >"$tmp/bad"
		verdict "${name%.rec}" "$tmp/bad"
	done
	exit $failed
fi

for name in v01-kabylake alderlake broadwell-ep sapphirerapids zen2 cpu-vanishes cpuset huge-ids; do
	judge "tests/golden/$name/machine.rec" '15x60 24x80 60x220' -n 2 >"$tmp/bad"
	verdict "$name" "$tmp/bad"
done

# a single block with more rows than the window has lines prints its names once
judge tests/golden/v01-kabylake/machine.rec '5x80' -n 2 --show CPU,Busy% >"$tmp/bad"
verdict tall "$tmp/bad"
# the summary alone
judge tests/golden/v01-kabylake/machine.rec '24x80 60x220' -n 2 -S -N 1 >"$tmp/bad"
verdict summary "$tmp/bad"

# picture NAME ARGUMENTS...: an exact screen of 24 lines of 80; UPDATE=1 writes it anew
picture()
{
	name=$1
	shift
	screen 24 80 "$@" >"$tmp/out"
	[ -z "$UPDATE" ] || cp "$tmp/out" "tests/screen/$name"
	diff "tests/screen/$name" "$tmp/out" >"$tmp/bad" 2>&1
	verdict "$name" "$tmp/bad"
}
laptop=tests/golden/v01-kabylake/machine.rec
server=tests/golden/broadwell-ep/machine.rec
picture fit-laptop --replay $laptop --view fit
picture fit-server --replay $server --view fit
picture fit-summary --replay $laptop --view fit -S
picture fit-series --replay $laptop --view fit -S --show Busy%,PkgTmp,PkgWatt
picture fit-per --replay $server --view fit --per package -n 1 --enable usec,Time_Of_Day_Seconds
picture fit-show --replay $server --view fit --show Busy%,SMI,PkgWatt -n 1
picture fit-ids --replay $laptop --view fit --show Core,CPU -n 1
picture fit-list --replay $laptop --view fit --cpu 1,5 -n 1
picture runs --replay tests/golden/runs/program.rec --out /dev/tty
picture runs-show --replay tests/golden/runs/program.rec --out /dev/tty --show TSC_MHz,PkgTmp
picture runs-enable --replay tests/golden/runs/program.rec --out /dev/tty --enable CPU%c1
picture wide --replay $laptop -n 1
TERM=xterm
export TERM
awk -v samples=6 -v off=5:2-4 -f tests/sim/machine.awk >"$tmp/rec"
program=build/sim
SIM=$tmp/rec SIM_STRICT=1 picture live-hotplug -i 5 -n 5 --view live --show CPU,Busy%,Bzy_MHz,PkgWatt
program=${TURBOSTAT:-./turbostat}
picture live-laptop --replay $laptop --view live
picture live-notes --replay tests/golden/cpu-vanishes/machine.rec --view live
picture live-total --replay $server --view live --total --show CPU,Busy%,PkgWatt
picture fit-bold --replay $laptop -n 1
NO_COLOR=1
export NO_COLOR
picture fit-plain --replay $laptop -n 1
# the README begins with a screen
screen 24 80 --replay $laptop -n 1 --view live | tr -d '\r\033' | sed 's/\[[KJH]//g' | sed '/./,$!d' >"$tmp/out"
sed -n '/^```/,/^```/p' README.md | sed '1d;/^```/,$d' | diff - "$tmp/out" >"$tmp/bad" 2>&1
verdict readme "$tmp/bad"

# same NAME EXPECTED SEEN
same()
{
	printf 'expected: %s\nseen: %s\n' "$2" "$3" >"$tmp/bad"
	[ "$2" != "$3" ] || : >"$tmp/bad"
	verdict "$1" "$tmp/bad"
}

# the busiest CPU is drawn, however small the window is
screen 12 80 --replay $laptop -n 1 --view live >"$tmp/out"
same live-busiest '3 of 8 CPUs, by load 1' "$(grep -o '^[0-9]* of 8 CPUs, by load' "$tmp/out") $(grep -c '^   0   0 ' "$tmp/out")"
screen 12 80 --replay $laptop -n 1 --view live --hide Busy% >"$tmp/out"
same live-first '4 of 8 CPUs (all: --view fit)' "$(grep -o '^[0-9]* of 8 CPUs .*)' "$tmp/out")"

# rows that the user has chosen are cut
screen 12 80 --replay $laptop -n 1 --view live --cpu 0-7 >"$tmp/out"
same live-cut '6 more lines: --view fit shows all' "$(grep -o '^[0-9]* more .*all' "$tmp/out")"

# notes are drawn where the table leaves room, but the newest one always
awk -v samples=12 -v off=5:2-3 -v period=6 -f tests/sim/machine.awk >"$tmp/rec"
program=build/sim
SIM=$tmp/rec SIM_STRICT=1 screen 12 80 -i 5 -n 11 --view live --show CPU,Busy% >"$tmp/out"
program=${TURBOSTAT:-./turbostat}
same live-many-notes '6 1 come:' "$(awk '/\033\[H/ { cpus = notes = 0 } /^  [0-9]/ { cpus++ } /^turbostat: / { notes++; what = $4 } END { print cpus, notes, what }' "$tmp/out")"

# on a terminal the system configuration ends with what everybody understands; nothing else gets that
last_lines()
{
	"$tmp/pty" '' sh -c 'stty rows 24 cols '"$1"'; exec "$@" '"$2" sh "$program" --replay tests/golden/v01-kabylake/machine.rec -n 1 "$3" >"$tmp/out"
	tr -d '\r' <"$tmp/out" | sed -n '/^4 cores, 8 CPUs/,/^$/p' | paste -s -d '|' -
}
machine='4 cores, 8 CPUs'
clocks='3100 MHz base, 4200 MHz turbo; throttles at 100 C; power limits 45 W, 56 W'
same last-lines "$machine|$clocks|" "$(last_lines 80 '' --view=fit)"
same last-lines-cut "$(echo "$machine" | cut -c1-40)|$(echo "$clocks" | cut -c1-40)|" "$(last_lines 40 '' --view=fit)"
for end in "2>$tmp/err --view=fit" ">$tmp/err --view=fit" ' --view=live' ' --view=wide' ' -S' ' -q'; do
	last_lines 80 "${end% *}" "${end##* }"
done | grep . >"$tmp/bad"
verdict no-last-lines "$tmp/bad"

# windows that are tiny or of unknown size
for window in '1 1' '1 80' '2 20' '24 1' '0 0'; do
	for view in fit live wide; do
		screen "${window% *}" "${window#* }" --replay $server --view $view >"$tmp/out"
		[ $? -eq 0 ] && [ -s "$tmp/out" ] || echo "$view in $window"
	done
done >"$tmp/bad"
verdict sizes "$tmp/bad"

# what --view live cannot be together with
for options in '--csv' '--json' '--prometheus' '--repeat 2 true' '--pid 1' 'true' ''; do
	# shellcheck disable=SC2086
	"$program" -q --view live $options >"$tmp/out" 2>"$tmp/err" </dev/null
	[ $? -eq 1 ] && grep -q -e '--view live' "$tmp/err" && [ ! -s "$tmp/out" ] || echo "$options"
done >"$tmp/bad"
verdict usage "$tmp/bad"
"$program" -q --replay $laptop --view wide -n 1 >"$tmp/wide"
"$program" -q --replay $laptop -n 1 | cmp - "$tmp/wide" >"$tmp/bad" 2>&1
verdict pipe "$tmp/bad"

# keys: q needs no newline; the terminal is restored
"$tmp/pty" q sh -c '"$@" >/dev/tty; echo "status $?"; stty -a' sh "$program" -q -M -P --view live -i 1 >"$tmp/out"
same quit '1 1' "$(grep -c 'status 0$' "$tmp/out") $(grep -c '[^-]icanon' "$tmp/out")"

# who quits while the screen is frozen finds no words on it where the prompt comes
"$tmp/pty" -w ' q' sh -c '"$@" >/dev/tty' sh "$program" -q -M -P --view live -i 0.1 --show TSC_MHz >"$tmp/out"
same quit-frozen "frozen   space go on   q quit$(printf '\r\033[K')" "$(grep -a frozen "$tmp/out")"

# signals SIGNAL...: sends them while keys are read; the terminal's state at each and at the end
cat >"$tmp/signals" <<'SH'
state() { stty -a | grep -o -e '-*icanon'; }
until_state() { i=0; until [ "$(state)" = "$1" ] || [ $((i += 1)) -gt 600 ]; do sleep 0.05; done; }
exec 3<&0
program=$1
shift
(ulimit -c 0; exec "$program" -q -M -P --view live -i 20 <&3 >/dev/null 3>&3 2>&1 >/dev/tty) &
until_state -icanon
for signal; do
	state
	kill -"$signal" $!
	case $signal in
	CONT) until_state -icanon ;;
	*) until_state icanon ;;
	esac
done
state
[ "$(state)" = icanon ] || kill -KILL $!
wait $!
echo "status $?"
SH
# signals NAME EXPECTED SIGNAL...
signals()
{
	name=$1
	expected=$2
	shift 2
	"$tmp/pty" '' sh "$tmp/signals" "$program" "$@" 2>/dev/null | tr -d '\r' | grep -a -o -e '-*icanon' -e 'status .*' >"$tmp/seen"
	same "$name" "$expected" "$(paste -s -d ' ' "$tmp/seen")"
}
signals terminated '-icanon icanon status 0' TERM
signals interrupted '-icanon icanon status 0' INT
signals quit-key '-icanon icanon status 0' QUIT
signals stopped '-icanon icanon -icanon icanon status 0' TSTP CONT TERM

# who brings it back to the foreground sees the screen at once, not after the interval
cat >"$tmp/back" <<'SH'
. tests/wait.sh
out=$1
shift
"$@" -q -M -P --view live -i 1000 --show TSC_MHz <&2 2>&1 >/dev/tty &
pid=$!
await is_ready $pid
kill -USR1 $pid
await has_lines 1 "$out" '\[H'
kill -TSTP $pid
await grep -q '^State:.T' /proc/$pid/status
kill -CONT $pid
await has_lines 2 "$out" '\[H' || echo late
kill -TERM $pid
wait $pid
SH
TERM=xterm "$tmp/pty" '' sh "$tmp/back" "$tmp/out" "$program" >"$tmp/out"
same back '3 0' "$(grep -c '\[H' "$tmp/out") $(grep -c late "$tmp/out")"

# started in the background, it reads keys from when it is in the foreground
cat >"$tmp/foreground" <<'SH'
. tests/wait.sh
set -m
state() { stty -a | grep -o -e '-*icanon'; }
reads_keys() { [ "$(state)" = -icanon ]; }
"$@" -q -M -P --view live -i 0.1 2>&1 >/dev/tty &
pid=$!
await is_ready $pid
state
{ await reads_keys; state; kill -TERM $pid; } <&2 &
fg %1
echo "status $?"
state
SH
"$tmp/pty" '' sh "$tmp/foreground" "$program" | tr -d '\r' | grep -a -o -e '-*icanon' -e 'status .*' >"$tmp/seen"
same foreground 'icanon -icanon status 0 icanon' "$(paste -s -d ' ' "$tmp/seen")"

# where no shell could continue it, Ctrl-Z does not stop it
if command -v setsid >"$tmp/out"; then
	cat >"$tmp/orphan" <<-'SH'
	. tests/wait.sh
	"$@" -q -M -P --view live -i 20 &
	pid=$!
	await is_ready $pid
	kill -TSTP $pid
	await has_taken $pid
	kill -TERM $pid
	{ while kill -0 $pid && ! grep -q '^State:.T' /proc/$pid/status; do sleep 0.05; done; kill -KILL $pid; } &
	wait $pid
	echo "status $?"
	SH
	"$tmp/pty" '' setsid -w sh "$tmp/orphan" "$program" >"$tmp/out"
	same orphan 1 "$(grep -c 'status 0' "$tmp/out")"
else
	echo "skip screen/orphan: no setsid"
fi
exit $failed
