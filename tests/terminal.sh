#!/bin/sh
# terminal.sh - keys, signals and lines on a terminal (pty.c), and the table there.
#
# To be run from the project's top directory; frame.sh says how to run one test.

. tests/frame.sh

# terminal ROWS COLUMNS ARGUMENTS...: the table of a recording there, without other marks
terminal()
{
	size="rows $1 cols $2"
	shift 2
	"$pty" '' sh -c 'stty '"$size"'; exec "$@"' sh "$program" -q --replay tests/golden/v01-kabylake/machine.rec "$@"
}

# What is typed, and how far several runs are.
keys()
{
	"$pty" '
	' "$program" "$@" -i 2 -n 1 >"$tmp/out"
	same newline "0 2" "$? $(wc -l <"$tmp/out" | tr -d ' ')"
	TERM=xterm "$pty" '
	' "$program" "$@" --view live -i 100 -n 1 >"$tmp/out"
	same newline-live 0 "$?"
	"$pty" 'q
	' "$program" "$@" -i 20 >"$tmp/out"
	same quit "0 2" "$? $(wc -l <"$tmp/out" | tr -d ' ')"
	# in the background, reading would stop the program: it does not read, and goes on
	"$pty" -b '
	' "$program" "$@" -i 0.4 -n 3 >"$tmp/out"
	same background "0 4" "$? $(wc -l <"$tmp/out" | tr -d ' ')"
	"$pty" "$(printf '\003')" "$program" "$@" -i 20 >"$tmp/out"
	same interrupt "0 3" "$? $(wc -l <"$tmp/out" | tr -d ' ')"	# an empty line before the table
	# there is one such line, also before what a command came to, none before the total
	"$pty" -w "$(printf '\003')" "$program" "$@" sh -c 'echo ready; exec sleep 20' >"$tmp/out"
	same interrupt-command "130 3" "$? $(sed -n '/ sec/=' "$tmp/out")"
	"$pty" "$(printf '\003')" "$program" "$@" -i 20 --total >"$tmp/out"
	same interrupt-total "0 4" "$? $(sed -n '/^total/=' "$tmp/out")"
	# SIGQUIT ends the program as SIGINT does, unless it is meant for a command: that is waited for
	"$pty" "$(printf '\034')" "$program" "$@" -i 20 >"$tmp/out"
	same quit-key "0 1" "$? $(grep -c '^ *[0-9]' "$tmp/out")"
	"$pty" -w "$(printf '\034')" "$program" "$@" sh -c 'trap "exit 5" QUIT; echo ready; while :; do sleep 0.05; done' >"$tmp/out"
	same quit-key-command "5 1" "$? $(grep -c ' sec$' "$tmp/out")"

	# a signal that nobody catches leaves the terminal as it was
	cat >"$tmp/fatal" <<-'SH'
	. tests/wait.sh
	signal=$1
	out=$2
	shift 2
	stty echo
	{ await sh -c 'stty -a | grep -q -e -icanon' </dev/tty; kill -"$signal" "$(cat "$out.pid")"; } &
	sh -c 'echo $$ >"$0"; exec "$@"' "$out.pid" "$@"
	echo "status $?, $(stty -a | grep -ow -e '-*icanon' -e '-*echo' | xargs)"
	SH
	for signal in 6 12 13 14 24 26 40; do	# SIGABRT, SIGUSR2, SIGPIPE, SIGALRM, ...
		TERM=xterm "$pty" '' sh "$tmp/fatal" $signal "$tmp/fatal.$signal" "$program" "$@" --view live -i 20 >"$tmp/out" 2>&1
		same fatal-signal-$signal "status $((128 + signal)), icanon echo" "$(sed -n 's/.*\(status [0-9]*, .*echo\).*/\1/p' "$tmp/out")"
	done

	# how far it is stands in a line that is wiped before something is said
	"$pty" '' "$program" "$@" --repeat 2 false >"$tmp/out"
	status=$?
	erase=$(printf '\033\[K')
	wipe=$(printf '\r')$erase
	same failed-runs "1 1 1" "$status $(grep -c "^run 1/2${wipe}turbostat: run 1: exit status 1" "$tmp/out") $(grep -c "^run 2/2${wipe}turbostat: run 2: exit status 1" "$tmp/out")"
	printf '#!/nowhere/none\n' >"$tmp/none"
	chmod +x "$tmp/none"
	"$pty" '' "$program" "$@" --repeat 1 "./$tmp/none" >"$tmp/out"
	same no-command "127 1" "$? $(grep -c "^run 1/1${wipe}turbostat: ./$tmp/none: its interpreter was not found" "$tmp/out")"
	"$pty" '' "$program" "$@" --repeat 1 --pre false true >"$tmp/out"
	same failed-pre "1 1" "$? $(grep -c "^run 1/1${wipe}turbostat: --pre 'false': exit status 1" "$tmp/out")"
	for format in csv json; do
		"$pty" '' "$program" "$@" --$format --repeat 2 true | tr -d '\r' >"$tmp/out"
		sed "s/^run .*$erase//" "$tmp/out" | grep -v '^turbostat: runs' | grep -c '^type,name\|^run,,[12],0,\|^mean,,2,\|^sd,\|^ci95,\|^m[inax]*,\|^{"type":".*}$'
		grep -c '^run 2/2, [0-9.]* s each, [0-9]* s left' "$tmp/out"
		grep -vc '^turbostat: runs' "$tmp/out"
		# in a file nothing is in its way: it stands while the runs last
		"$pty" '' "$program" "$@" --$format --out "$tmp/json" --repeat 2 true | tr -d '\r' >"$tmp/out"
		grep -c "^run 1/2${erase}run 2/2, [0-9.]* s each, [0-9]* s left$erase" "$tmp/out"
	done | xargs >"$tmp/got"
	same runs-in-formats "8 1 8 1 3 1 3 1" "$(cat "$tmp/got")"
	"$pty" '' "$program" "$@" --html true >"$tmp/out"
	same no-page "1 1" "$? $(grep -c '^turbostat: --html needs --out FILE, or a pipe: standard error is a terminal' "$tmp/out")"
	"$pty" '' "$program" "$@" --html --out "$tmp/page" true >"$tmp/out"
	same page "0 1" "$? $(grep -c '</html>' "$tmp/page")"
}

# The table on a terminal.
tables()
{
	TERM=dumb
	export TERM
	unset NO_COLOR
	# cells right-aligned, two blanks between; the names again when they have scrolled off
	terminal 3 60 -S --show Busy%,PkgWatt >"$tmp/out"
	same scrolled '  Busy%  PkgWatt|  11.28    25.00|  Busy%  PkgWatt|   6.77    15.00' "$(paste -s -d '|' "$tmp/out")"
	terminal 3 60 -S --show Busy%,PkgWatt -N 0 >"$tmp/out"
	same names-once '  Busy%  PkgWatt|  11.28    25.00|   6.77    15.00' "$(paste -s -d '|' "$tmp/out")"
	terminal 24 80 -S --show Busy%,PkgWatt >"$tmp/out"
	same not-scrolled '  Busy%  PkgWatt|  11.28    25.00|   6.77    15.00' "$(paste -s -d '|' "$tmp/out")"
	# a terminal that does not know its size is one of 24 lines and 80 columns: names again, columns in blocks
	terminal 0 0 >"$tmp/out"
	same unknown-size "$(terminal 24 80)" "$(cat "$tmp/out")"
	same unknown-lines 1 "$(terminal 60 80 | diff - "$tmp/out" >"$tmp/want"; echo $?)"
	same unknown-columns 1 "$(terminal 24 70 | diff - "$tmp/out" >"$tmp/want"; echo $?)"
	# a wider cell makes its column wider; what a pipe has is what a terminal has
	terminal 40 400 --show usec,Time_Of_Day_Seconds,CPU,Busy%,C6%,PkgWatt | awk '{ $1 = $1; print }' >"$tmp/out"
	"$program" -q --replay tests/golden/v01-kabylake/machine.rec --show usec,Time_Of_Day_Seconds,CPU,Busy%,C6%,PkgWatt | tr '\t' ' ' >"$tmp/want"
	same cells "$(cat "$tmp/want")" "$(cat "$tmp/out")"
	# so do more columns than an integer has bits
	terminal 40 1000 -n 1 --enable all | awk '{ $1 = $1; print }' >"$tmp/out"
	"$program" -q --replay tests/golden/v01-kabylake/machine.rec -n 1 --enable all 2>/dev/null | tr '\t' ' ' >"$tmp/want"
	[ "$(head -n 1 "$tmp/want" | wc -w)" -gt 33 ] && same many-cells "$(cat "$tmp/want")" "$(cat "$tmp/out")"
	# an added column may have the name of what only a region has
	for name in Region CPUs Calls Seconds Work; do
		set -- -q -S --replay tests/golden/regions/program.rec --show IRQ \
			--add /proc/sys/kernel/perf_event_paranoid,package,average,name=$name
		"$pty" '' sh -c 'stty rows 40 cols 400; exec "$@"' sh "$program" "$@" | awk '{ $1 = $1; print }' | sed -n '/^Region/,/^store/p' >"$tmp/out"
		"$program" "$@" 2>&1 | sed -n '/^Region/,/^store/p' | tr '\t' ' ' >"$tmp/want"
		same region-and-$name "5 $(cat "$tmp/want")" "$(wc -l <"$tmp/want" | tr -d ' ') $(tr -d '\r' <"$tmp/out")"
	done
	# the clocks of a CPU are its own, also where nothing else is read there
	"$program" -q --replay tests/golden/v01-kabylake/machine.rec --show usec,Time_Of_Day_Seconds,CPU,Busy% | cut -f -3 >"$tmp/want"
	"$program" -q --replay tests/golden/v01-kabylake/machine.rec --show usec,Time_Of_Day_Seconds,CPU >"$tmp/out"
	same clocks/alone "$(cat "$tmp/want")" "$(cat "$tmp/out")"
	# other formats are for programs, on a terminal as well
	for format in csv json prometheus; do
		terminal 24 80 -S --show Busy%,PkgWatt --$format >"$tmp/out"
		"$program" -q --replay tests/golden/v01-kabylake/machine.rec -S --show Busy%,PkgWatt --$format >"$tmp/want"
		same $format "$(cat "$tmp/want")" "$(cat "$tmp/out")"
	done
	# so is the table, in a file
	terminal 24 80 -S --show Busy%,PkgWatt --out "$tmp/file" >"$tmp/out"
	"$program" -q --replay tests/golden/v01-kabylake/machine.rec -S --show Busy%,PkgWatt >"$tmp/want"
	same file "$(cat "$tmp/want")" "$(cat "$tmp/out" "$tmp/file")"
	# the table of a command goes to standard error: that is the terminal which counts
	"$pty" '' sh -c 'stty cols 20; exec "$@" >"$0"' "$tmp/file" "$program" -q --replay tests/golden/command/machine.rec --show CPU,Busy%,Bzy_MHz >"$tmp/out"
	same of-command "1 0" "$(grep -c '^ *CPU  *Busy%  *Bzy_MHz$' "$tmp/out") $(wc -c <"$tmp/file" | tr -d ' ')"
	# --explain: what is shown, its meaning first, then how many columns are hidden, and what is absent
	"$pty" '' "$program" --replay tests/golden/v01-kabylake/machine.rec --explain | tr -d '\r' >"$tmp/out"
	same explain-on-terminal "1 1 0 1 1" "$(grep -c '^Busy% .*(%)$' "$tmp/out") $(grep -c '^  *100 IA32_MPERF (MSR 0xe7) / TSC$' "$tmp/out") $(grep -c '^usec' "$tmp/out") $(grep -c '^[0-9][0-9]* hidden columns: --explain all$' "$tmp/out") $(grep -c '^absent: not a hybrid processor$' "$tmp/out")"
	# the names of absent columns: between them the line breaks, before the window ends
	terminal 24 40 --explain | sed '1,/^absent: /d' | grep -v '^absent: ' >"$tmp/out"
	"$program" -q --replay tests/golden/v01-kabylake/machine.rec --explain | sed '1,/^absent: /d' | grep -v '^absent: ' >"$tmp/want"
	same absent-names "$(xargs -n 1 <"$tmp/want")" "$(xargs -n 1 <"$tmp/out")"
	same absent-lines "12 0" "$(grep -c '^ \{12\}[^ ].\{0,27\}$' "$tmp/out") $(grep -vc '^ \{12\}[^ ].\{0,27\}$' "$tmp/out")"
	# who has named a column hears there why it is absent, wherever the table goes; who hides it need not
	"$pty" '' sh -c 'exec "$@" >"$0"' "$tmp/file" "$program" -q --replay tests/golden/v01-kabylake/machine.rec \
		-S --show Busy%,LLCMRPS,C99% --hide SAM%mc6,C98% >"$tmp/out"
	same absent "LLCMRPS C99%" "$(sed -n "s/^turbostat: [^']*: no '\\([^ ]*\\)'.*/\\1/p" "$tmp/out" | sort -r | paste -s -d ' ' -)"
	# --list tells people of the groups, programs it tells one line
	terminal 50 500 --list --enable all >"$tmp/out"
	same groups "1 1 1 0" "$(grep -c '^Groups:$' "$tmp/out") $(grep -c '^  hwidle$' "$tmp/out") $(grep -c '^		Module,Core,CPU$' "$tmp/out") $(grep -c '^		$' "$tmp/out")"
	terminal 50 500 --list --enable all --out "$tmp/file" >"$tmp/out"
	same list-in-file "0 1" "$(wc -l <"$tmp/out" | tr -d ' ') $(wc -l <"$tmp/file" | tr -d ' ')"
	# names stand out where the terminal can and the user wants it
	TERM=xterm
	terminal 24 80 -S -n 1 --show Busy% >"$tmp/out"
	same bold "$(printf '\033[1mBusy%%\033[0m')" "$(sed -n 1p "$tmp/out")"
	NO_COLOR=1 terminal 24 80 -S -n 1 --show Busy% >"$tmp/out"
	same no-color "Busy%" "$(sed -n 1p "$tmp/out")"
	NO_COLOR='' terminal 24 80 -S -n 1 --show Busy% >"$tmp/out"
	same color-unsaid "$(printf '\033[1mBusy%%\033[0m')" "$(sed -n 1p "$tmp/out")"
	# a ^C stands on a line of its own
	"$pty" "$(printf '\003')" "$program" -q -M -P -S --show TSC_MHz -i 20 >"$tmp/out"
	same interrupt-line "1 1" "$(grep -c '^$' "$tmp/out") $(tail -n 1 "$tmp/out" | grep -c '^ *[0-9][0-9]*$')"

}

# The size of the window is asked once, and again after it has changed or the program was stopped.
window()
{
	cat >"$tmp/resize" <<-'SH'
	. tests/wait.sh
	recording=tests/golden/v01-kabylake/machine.rec
	second=$(sed -n '/^sample 2 /=' $recording)
	stty rows 24 cols 80
	{
		sed "$second,\$d" $recording
		await has_lines 2 "$1"
		stty cols 24
		await has_taken "$(cat "$1.pid")"
		sed "1,$((second - 1))d" $recording
	} | {
		shift
		sh -c 'echo $$ >"$0.pid"; exec "$@"' "$@"
	}
	SH
	TERM=dumb "$pty" '' sh "$tmp/resize" "$tmp/out" "$tmp/out" "$program" -q --replay - --view fit \
		-S --show Busy%,Bzy_MHz,TSC_MHz,IRQ,PkgWatt >"$tmp/out"
	same resized "2 34 21" "$(awk 'NR <= 2 { wide = length } NR > 2 && length > most { most = length }
		/Busy%/ { n++ } END { print n, wide, most }' "$tmp/out")"
	# a recording that has nothing new for a while: the screen follows the window, and signals are heard
	cat >"$tmp/stream" <<-'SH'
	. tests/wait.sh
	out=$1
	frames() { await has_lines "$1" "$out" '\[H'; }
	stty rows 40 cols 80
	{
		sed '/^sample 2 /,$d' tests/golden/v01-kabylake/machine.rec
		frames 1
		pid=$(cat "$out.pid")
		stty cols 60
		frames 2
		kill -TSTP "$pid"
		await grep -q '^State:.T' "/proc/$pid/status"
		kill -CONT "$pid"
		frames 3
		kill -TERM "$pid"
		await [ ! -d "/proc/$pid" ] || echo deaf >/dev/tty
	} | {
		shift
		sh -c 'echo $$ >"$0.pid"; exec "$@"' "$out" "$@"
	}
	SH
	TERM=xterm "$pty" '' sh "$tmp/stream" "$tmp/out" "$program" -q --replay - --view live >"$tmp/out"
	same stream "3 0" "$(grep -c '\[H' "$tmp/out") $(grep -c deaf "$tmp/out")"
	if ! strace -o "$tmp/trace" true 2>"$tmp/err"; then
		skip asked-once "no strace, or it may not trace"
		return
	fi
	for view in fit live wide; do
		"$pty" '' strace -o "$tmp/trace" -e trace=ioctl "$program" --replay tests/golden/v01-kabylake/machine.rec --view $view >"$tmp/out"
		grep -c TIOCGWINSZ "$tmp/trace"
	done | xargs >"$tmp/got"
	same asked-once "1 1 1" "$(cat "$tmp/got")"
}

${CC:-cc} -O1 -o "$tmp/pty" tests/pty.c || exit 1
pty=$tmp/pty
if ! "$pty" '' true 2>"$tmp/err"; then
	skip all "there are no pseudo-terminals ($(tail -n 1 "$tmp/err"))"
	exit 0
fi

all="keys tables window"
run_tests "$@"
