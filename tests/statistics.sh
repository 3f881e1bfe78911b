#!/bin/sh
# statistics.sh - how often --compare finds a difference, and a gate of 2 % fails, where there is
# none and where there is one: counters that statistics.awk moves, through the program itself, of which each column is a
# trial. Its numbers are the same every time.
#
#   tests/statistics.sh		500 trials
#   FULL=1 tests/statistics.sh	1000 trials
#
# To be run from the project's top directory. TURBOSTAT names the program, ./turbostat if unset.

LC_ALL=C
export LC_ALL

. tests/limit.sh
LIMIT=${LIMIT:-600}	# twenty runs take longer than a minute on a busy machine
export LIMIT
tmp=$PWD/build/statistics.$$
columns=${FULL:+1000}
columns=${columns:-500}
failed=0
lines='
'	# what parts the words of added(), whose directory may contain a blank
mkdir -p "$tmp" || exit 1
trap 'rm -rf "$tmp"' EXIT
trap 'exit 1' HUP INT TERM

# between NAME LEAST MOST COUNT: COUNT is between LEAST and MOST per cent of the trials
between()
{
	if awk -v x="$4" -v low="$2" -v high="$3" 'BEGIN { exit !(x + 0 == x && x >= low && x <= high) }'; then
		echo "ok statistics/$1"
		[ -n "$FULL" ] && echo "    $4 % of $columns"
	else
		failed=1
		echo "FAIL statistics/$1"
		echo "    in $4 %, expected from $2 to $3"
		tail -3 "$tmp/err" | cut -c1-200
	fi
}

# differ NAME LEAST MOST: trials in the CSV output that find a difference
differ()
{
	between "$@" "$(awk -F, '
		$1 == "diff_low" && $8 == "system" { for (i = 17; i < 17 + columns; i++) low[i] = $i }
		$1 == "diff_high" && $8 == "system" { for (i = 17; i < 17 + columns; i++) if (low[i] != "" && $i != "") { n++; k += low[i] > 0 || $i < 0 } }
		END { print n == columns ? 100 * k / n : n + 0 " trials" }' columns="$columns" "$tmp/csv")"
}

# gated NAME LEAST MOST: trials whose gate has failed
gated()
{
	between "$@" "$(awk '/^turbostat: --fail .t[0-9]*>2%.: B-A is/ { n++ } END { print 100 * n / columns }' columns="$columns" "$tmp/csv" "$tmp/err")"
}

# the options that add the counters, below a directory, and a gate for each
added()
{
	awk -v n="$columns" -v dir="$1" 'BEGIN { for (t = 1; t <= n; t++) print "--add\n" dir "/t" t ",package,delta,t" t "\n--fail\nt" t ">2%" }'
}

# recording NAME SETTING...: what statistics.awk makes of it
recording()
{
	name=$1
	shift
	for setting in "$@"; do
		shift
		set -- "$@" -v "$setting"
	done
	awk "$@" -v columns="$columns" -f tests/statistics.awk tests/golden/one-cpu/machine.rec >"$tmp/$name.rec"
}

# two recordings, A and B
compare_recordings()
(
	IFS=$lines
	# shellcheck disable=SC2046	# words
	"$program" -q -S --csv --show none $(added "") --compare --replay "$tmp/A.rec" --replay "$tmp/B.rec" >"$tmp/csv" 2>"$tmp/err"
)

# compare_commands PAIRS EFFECT: the machine warms up by 4 % meanwhile
compare_commands()
(
	rm -rf "$tmp/counters"
	mkdir "$tmp/counters"
	echo 0 >"$tmp/counters/runs"
	awk -v n="$columns" -v dir="$tmp/counters" 'BEGIN { for (t = 1; t <= n; t++) print 0 >(dir "/t" t) }'
	set -- "$1" "$2" awk -v columns="$columns" -v dir="$tmp/counters" -v seed=11 -v drift=4 -f tests/statistics.awk
	repeat=$1 effect=$2
	shift 2
	IFS=$lines
	# shellcheck disable=SC2046	# words
	"$program" -q -M -P -S --csv --show none $(added "$tmp/counters") --compare --repeat "$repeat" \
		-- "$@" -v effect=0 -- "$@" -v effect="$effect" 2>"$tmp/csv" >"$tmp/err" </dev/null
)

compare_commands 10 0
differ pairs-alike 2 8
gated gate-pairs-alike 0 5
compare_commands 10 5
gated gate-pairs-differ 90 100
compare_commands 5 2
differ pairs-differ 60 100

# the same warming up, all of A and then all of B: what pairs are there for
recording A seed=1 n=5 drift=4
recording B seed=2 n=5 drift=4 behind=5
compare_recordings
differ one-after-the-other 30 100

recording A seed=3 n=10
recording B seed=4 n=10
compare_recordings
differ runs-alike 2 8
gated gate-runs-alike 0 5
recording B seed=5 n=10 effect=5
compare_recordings
gated gate-runs-differ 90 100
# at the limit half of those that chance takes beyond 95 % fail
recording B seed=6 n=10 effect=2
compare_recordings
differ runs-differ 95 100
gated gate-at-limit 0.5 5

exit $failed
