#!/bin/sh
# frozen.sh - recordings of version 3 are for ever: those of tests/frozen replay as they did when
# they were made.
#
#   tests/frozen.sh
#
# What a line of a recording means never changes; kinds of lines may be added.  There is a recording
# for each kind of line that the appendix of the manual names, and for each form of its answer; so a
# new kind without one fails.  frozen/commands has lines RECORDING ARGUMENTS..., frozen/NAME.out what
# the Nth of them printed.  These files are never written anew: who changes one says in the commit
# why that had to be.  To be run from the project's top directory.

LC_ALL=C
export LC_ALL
. tests/limit.sh
dir=tests/frozen
failed=0
tmp=$(mktemp -d "${TMPDIR:-/tmp}/frozen.XXXXXX") || exit 1
trap 'rm -rf "$tmp"' EXIT
trap 'exit 1' HUP INT TERM

n=0
while read -r name args; do
	n=$((n + 1))
	# shellcheck disable=SC2086	# words
	"$program" --replay "$dir/$name.rec" $args >"$tmp/out" 2>"$tmp/err" </dev/null
	{
		echo "status $?"
		cat "$tmp/out"
		sed 's/^/err: /' "$tmp/err"
	} >"$tmp/got"
	if [ -n "$FREEZE" ] && [ ! -e "$dir/$n.$name.out" ]; then	# a new one
		cp "$tmp/got" "$dir/$n.$name.out"
	fi
	if cmp -s "$dir/$n.$name.out" "$tmp/got"; then
		echo "ok frozen/$n.$name"
	else
		failed=1
		echo "FAIL frozen/$n.$name"
		diff "$dir/$n.$name.out" "$tmp/got" 2>&1 | sed -n '1,12s/^/    /p'
	fi
done <"$dir/commands"

# The forms of the appendix: a word in capitals is a value, what stands in brackets may be left out.
sed 's/\\f[BIRP]//g; s/\\-/-/g; s/\\(aq/'\''/g; s/\\e/\\/g' turbostat.8 | awk '
	/^\.SH / { on = $0 ~ /APPENDIX: RECORDINGS/ }
	!on { next }
	/^\.nf/ { table = 1; next }
	/^\.fi/ { table = 0 }
	table && /^[a-z]/ { sub(/   .*/, ""); print; next }
	/^sample N|^mark|^run K|^\.BI sample|^\.BI mark|^\.BI run/ { sub(/^\.BI /, ""); gsub(/"/, ""); sub(/ *;.*/, ""); gsub(/  +/, " "); print }
	/^\.B (static|plan|tick|end)$/ { print $2 }' >"$tmp/forms"
cat >>"$tmp/forms" <<-'FORMS'
file PATH !ERRNO
word PATH OFFSET !ERRNO
msr CPU ADDRESS !ERRNO
msr CPU * !ERRNO
msr * * !ERRNO
msr * * ok
cpuid * LEAF SUBLEAF A B C D
perf CPU PMU CONFIG !ERRNO
perf task PMU CONFIG !ERRNO
cpu CPU !ERRNO
done
FORMS
cat "$dir"/*.rec | awk '
	# expand TEXT: TEXT with and without what stands in its first brackets
	function expand(text,    i, j, depth) {
		i = index(text, "[")
		if (!i) {
			add(text)
			return
		}
		for (j = i; j <= length(text); j++) {
			depth += (substr(text, j, 1) == "[") - (substr(text, j, 1) == "]")
			if (!depth)
				break
		}
		expand(substr(text, 1, i - 1) substr(text, j + 1))
		expand(substr(text, 1, i - 1) substr(text, i + 1, j - i - 1) substr(text, j + 1))
	}
	function add(text,    pattern, k, f, w) {
		gsub(/ +/, " ", text)
		sub(/ $/, "", text)
		if (text == "" || text in form)
			return
		k = split(text, f, " ")
		pattern = "^"
		for (i = 1; i <= k; i++) {
			w = f[i]
			if (w == "*")
				w = "\\*"
			else if (w ~ /^!/)
				w = "![A-Z0-9]+"
			else if (w ~ /^"/)
				w = "\".*"
			else if (w ~ /[A-Z],\.\.\.$/)
				w = "[0-9a-f]+,[0-9a-f,]+"
			else if (w == "LINE")
				w = ".+"
			else if (w ~ /^[A-Z]/)
				w = "[^ ]+"
			pattern = pattern (i > 1 ? " " : "") w
		}
		form[text] = pattern "$"
		order[++forms] = text
	}
	FILENAME == ARGV[1] { expand($0); next }
	{ for (i = 1; i <= forms; i++) if (!(i in seen) && $0 ~ form[order[i]]) seen[i] = 1 }
	END {
		for (i = 1; i <= forms; i++)
			if (!(i in seen)) { print order[i]; bad = 1 }
		if (forms < 30) { print "only " forms + 0 " forms in the manual"; bad = 1 }
		exit bad
	}' "$tmp/forms" - >"$tmp/missing"
if [ -s "$tmp/missing" ]; then
	failed=1
	echo "FAIL frozen/kinds"
	sed 's/^/    no recording has: /' "$tmp/missing"
else
	echo "ok frozen/kinds"
fi

# What stands before a line of an unknown kind is printed; the line is named.
sed '/^sample 2 /i\
bogus 1' "$dir/client.rec" >"$tmp/new.rec"
"$program" -q -S --show Busy% --replay "$tmp/new.rec" >"$tmp/out" 2>"$tmp/err"
status=$?
line=$(sed -n '/^bogus 1$/=' "$tmp/new.rec")
if [ "$status $(wc -l <"$tmp/out" | tr -d ' ') $(cat "$tmp/err")" = "1 2 turbostat: $tmp/new.rec:$line: unknown keyword 'bogus'" ]; then
	echo "ok frozen/unknown"
else
	failed=1
	echo "FAIL frozen/unknown"
	cat "$tmp/out" "$tmp/err" | sed 's/^/    /'
fi
exit $failed
