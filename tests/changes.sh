#!/bin/sh
# changes.sh - stories of CPUs that go, come and blink, of cpumasks that move, of drivers that go
# and come, of events and moves that are refused: on the simulated kernel of tests/sim.
#
#   tests/changes.sh [NAME...]			tests all stories, or these
#   UPDATE=1 tests/changes.sh [NAME...]		writes the expected output anew, but for what is
#						known to fail; UPDATE=all: that, too
#   tests/changes.sh recordings DIRECTORY	writes a recording of each story there
#
# To be run from the project's top directory, after "make build/sim". A story NAME is a directory:
#
#   story	what happens; the head of machine.awk describes it. In addition:
#		show COLUMNS ...	those that are printed; more arguments of every run
#		run LABEL ARGUMENTS...	one more run, or another one for a LABEL of those below;
#					with --control its lines are those that the story says
#		only LABEL...		these runs and no others
#		known LABEL...		what is wrong today: these outputs are the right ones, and
#					are known to fail
#   LABEL.out	standard output of a run:
#		table	the intervals
#		total	what follows the word "total" with --total
#		package	the same as both, of packages: --per package --total
#		json, csv, prometheus
#   notes.out	standard error of the first run, and its status
#
# Each run is recorded, too, and its replay prints the same: that is LABEL-replayed. It says of a
# right that was lacking that it was so then.
# Prints "ok changes/NAME/LABEL", "FAIL ..." or "known to fail: ...". What is known to fail and
# passes is a failure: then the LABEL has to leave the line "known".

LC_ALL=C
export LC_ALL
set -f			# arguments are words, never patterns

. tests/limit.sh
dir=tests/changes
tmp=build/changes.$$
failed=0

if [ ! -x build/sim ]; then
	echo "FAIL changes: there is no build/sim; make build/sim makes it"
	exit 1
fi
mkdir -p "$tmp" && mkfifo "$tmp/say" || exit 1
SIM_SAY=$tmp/say
export SIM_SAY
trap 'rm -rf "$tmp"' EXIT
trap 'exit 1' HUP INT TERM

# live ARGUMENTS...: the story on the simulated kernel, recorded; leaves out and err
live()
{
	SIM=$tmp/machine SIM_STRICT=1 TURBOSTAT=$PWD/build/sim "$program" -q -i "$interval" -n "$intervals" \
		--record "$tmp/recorded" $columns "$@" >"$tmp/out" 2>"$tmp/err" </dev/null
	echo "exit $?" >>"$tmp/err"
	sed -i "s|=ep .*/build/sim'\{0,1\}|=ep PROGRAM|" "$tmp/err"
}

# replay ARGUMENTS...: leaves replayed and replayed.err; the lines of --control are recorded
replay()
{
	[ "${1:-}" != --control ] || shift 2
	TURBOSTAT=$binary "$program" -q --replay "$tmp/recorded" $columns "$@" >"$tmp/replayed" 2>"$tmp/replayed.err" </dev/null
	echo "exit $?" >>"$tmp/replayed.err"
}

# arguments LABEL: those of a run
arguments()
{
	sed -n "s,--control,& fifo:$tmp/say,; s/^run $1 //p" "$dir/$name/story" | grep . && return
	case $1 in
	total)		echo --total ;;
	package)	echo --per package --total ;;
	json | csv)	echo "--$1" ;;
	prometheus)	echo "--prometheus --out $tmp/file" ;;
	esac
}

# is_known LABEL
is_known()
{
	case " $known " in
	*" $1 "*) ;;
	*) return 1 ;;
	esac
}

# tell LABEL FILE FILE: are they the same, the expected one and the other?
tell()
{
	if cmp -s "$2" "$3"; then
		if is_known "$1"; then
			failed=1
			echo "FAIL changes/$name/$1"
			echo "    it is known to fail, and passes: take $1 out of the line \"known\" of $dir/$name/story"
		else
			echo "ok changes/$name/$1"
		fi
	elif is_known "$1"; then
		echo "known to fail: changes/$name/$1"
	else
		failed=1
		echo "FAIL changes/$name/$1"
		diff "$2" "$3" | cut -c1-200 | sed -n '1,12s/^/    /p'
	fi
}

# judge LABEL FILE: the expected output and FILE
judge()
{
	case ${UPDATE:-} in
	'')	tell "$1" "$dir/$name/$1.out" "$2" ;;
	all)	cp "$2" "$dir/$name/$1.out" ;;
	*)	is_known "$1" || cp "$2" "$dir/$name/$1.out" ;;
	esac
}

# of_run LABEL: the output that is meant of the last run; its file
of_run()
{
	case $1 in
	total)	awk '/^total / { on = 1 } on { print }' "$tmp/out" >"$tmp/part" ;;
	prometheus)
		sed 's/^\(turbostat_info{version="\)[^"]*/\1VERSION/' "$tmp/file" >"$tmp/part" ;;
	*)	cat "$tmp/out" ;;
	esac >"$tmp/whole"
	case $1 in
	total | prometheus) echo "$tmp/part" ;;
	*) echo "$tmp/whole" ;;
	esac
}

# story: all runs of $name
story()
{
	awk -f $dir/machine.awk "$dir/$name/story" >"$tmp/machine" || exit 1
	intervals=$(($(grep -c '^sample ' "$tmp/machine") - 1))
	interval=$(sed -n 's/^machine.* interval=\([0-9]*\).*/\1/p' "$dir/$name/story")
	interval=${interval:-5}
	columns=$(sed -n 's/^show /--show /p' "$dir/$name/story")
	known=$(sed -n 's/^known //p' "$dir/$name/story" | paste -s -d ' ' -)
	if [ -n "$recordings" ]; then
		live
		cp "$tmp/recorded" "$recordings/$name.rec"
		return
	fi
	labels=$(sed -n 's/^only //p' "$dir/$name/story")
	[ -n "$labels" ] || labels="table total package json csv prometheus $(sed -n 's/^run \([^ ]*\) .*/\1/p' "$dir/$name/story")"
	for label in $labels; do
		# shellcheck disable=SC2046	# words
		live $(arguments $label)
		[ $label != "${labels%% *}" ] || judge notes "$tmp/err"
		judge $label "$(of_run $label)"
		[ -z "${UPDATE:-}" ] || continue
		[ $label != prometheus ] || mv "$tmp/file" "$tmp/out"
		# shellcheck disable=SC2046	# words
		replay $(arguments $label)
		[ $label != prometheus ] || mv "$tmp/file" "$tmp/replayed"
		sed -i "/^sim: /d; s/: perf events need .*/: perf events were refused when this was recorded/" "$tmp/err"
		cat "$tmp/err" >>"$tmp/out"
		cat "$tmp/replayed.err" >>"$tmp/replayed"
		tell $label-replayed "$tmp/out" "$tmp/replayed"
	done
}

recordings=
if [ "${1:-}" = recordings ]; then
	recordings=$2
	mkdir -p "$recordings" || exit 1
	shift 2
fi
# shellcheck disable=SC2046	# names without blanks
[ $# -gt 0 ] || set -- $(find $dir -name story | sed 's,/story$,,; s,.*/,,' | sort)
for name; do
	story
done
exit $failed
