#!/bin/sh
# same.sh - the proof of a refactoring: does the program print what it printed at REV?
#
#   tests/same.sh [REV]			HEAD if there is no REV
#   CORPUS=DIRECTORY tests/same.sh [REV]	with the recordings *.rec of DIRECTORY as well
#
# Builds the program of the commit REV in a folder of its own, and that of the working tree,
# replays all recordings of tests/golden (and of CORPUS), and those of the stories of tests/changes
# where there is a build/sim to make them, with both and every command line below, and compares
# standard output, standard error and exit status. Recordings of older versions are converted for
# the program that cannot read them. Says which runs
# differ, and in which stream; shows the beginning of the first five differences.
# To be run from the project's top directory; two runs at a time. Exit status 0 if all are
# the same, 1 if some differ, 2 if it could not be tried.

LC_ALL=C
export LC_ALL

rev=${1:-HEAD}
jobs=2
limit=60			# seconds for one run

if [ "$rev" = --worker ]; then
	# worker NUMBER: every $jobs-th recording, from the NUMBERth on
	dir=$3/$2
	mkdir -p "$dir"
	: >"$dir/shown"
	awk -v n="$2" -v jobs=$jobs 'NR % jobs == n' "$3/recordings" | while read -r rec; do
		mkdir -p "$dir/old" "$dir/new"
		tests/convert.sh "$rec" >"$dir/new/recording" || exit
		cp "$dir/new/recording" "$dir/old/recording"
		if [ ! -f "$3/tree/tests/convert.sh" ]; then	# REV reads versions 1 and 2
			case $rec in
			tests/*)	rec=$3/tree/$rec ;;
			esac
			head -n 1 "$rec" 2>/dev/null | grep -q '[12]$' || continue
			cat "$rec" >"$dir/old/recording"
		fi
		while read -r args; do
			for side in old new; do
				# shellcheck disable=SC2086	# words
				(cd "$dir/$side" && exec timeout $limit "$3/$side" --replay recording $args </dev/null) >"$dir/$side.stdout" 2>"$dir/$side.stderr"
				echo $? >"$dir/$side.status"
			done
			streams=
			for stream in stdout stderr status; do
				cmp -s "$dir/old.$stream" "$dir/new.$stream" && continue
				streams="$streams $stream"
				[ "$(wc -l <"$dir/shown")" -ge 60 ] ||
					{
						echo "--- $rec $args: $stream"
						diff "$dir/old.$stream" "$dir/new.$stream" | cut -c1-200 | sed -n 1,8p
					} >>"$dir/shown"
			done
			echo "${streams:+differs }$rec ${args:-(default)}:$streams"
		done <"$3/lines"
	done >"$dir/result"
	exit 0
fi

commit=$(git rev-parse --short "$rev^{commit}" 2>/dev/null) || { echo "same: no commit '$rev'"; exit 2; }
tmp=$(mktemp -d "${TMPDIR:-/tmp}/same.XXXXXX") || exit 2
trap 'git worktree remove --force "$tmp/tree" 2>/dev/null; rm -rf "$tmp"' EXIT
trap 'exit 2' HUP INT TERM

# build DIRECTORY PROGRAM: of the folder's sources
build()
{
	${CC:-cc} -std=gnu11 -w -O1 -o "$2" "$1/turbostat.c" || { echo "same: $1 does not build"; exit 2; }
}
git worktree add --quiet --detach "$tmp/tree" "$commit" || exit 2
build "$tmp/tree" "$tmp/old" &
old=$!
build . "$tmp/new"
wait $old || exit 2

# the command lines; the first one is no option at all
sed 's/^default$//' >"$tmp/lines" <<-EOL
	default
	-S
	--show all
	--Joules
	--debug
	--explain
	--json --enable all
	--csv --per core
	--prometheus --show all
	-q --total
	-q --per package --total
	-q --per die --show all
	-S --csv --total
	--list
	-q --Joules --json
	--explain clock
	--explain sleep
	--html
	--json --stats
EOL
[ ! -x build/sim ] || sh tests/changes.sh recordings "$tmp/stories" || exit 2
for rec in tests/golden/*/machine.rec "$tmp"/stories/*.rec ${CORPUS:+"$CORPUS"/*.rec}; do
	[ -f "$rec" ] && echo "$rec"
done >"$tmp/recordings"

n=0
workers=
while [ $n -lt $jobs ]; do
	sh "$0" --worker $n "$tmp" &
	workers="$workers $!"
	n=$((n + 1))
done
# shellcheck disable=SC2086	# numbers
wait $workers

cat "$tmp"/[0-9]*/result >"$tmp/result"
sed -n 's/^differs //p' "$tmp/result" | sort
cat "$tmp"/[0-9]*/shown | awk '/^--- / && ++n > 5 { exit } { print }'
awk -v rev="$rev" '
	{ all++ }
	/^differs / { bad++ }
	END {
		printf "%d runs, %d as at %s, %d differ\n", all, all - bad, rev, bad
		exit all == 0 ? 2 : bad > 0
	}' "$tmp/result"
