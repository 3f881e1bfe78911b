#!/bin/sh
# lint.sh - the form of the sources, and what other programs say of them: mandoc, cppcheck,
# clang-tidy, shellcheck, sh -n.  The form must satisfy:
#   at most 100 columns in C, outside tables between clang-format off and on
#   no blanks at the end of a line
#   no staircases: no code that begins beyond column 64
#   the list of sections at the head of turbostat.c is that of its sections
#   a section whose comment has "Calls ..." calls functions of those sections, and of all of them
#   the sections behind SOURCES call no function of a back end, whose tables those are
#   no line of one word among the manual's text
# The exceptions, and why:
#   cppcheck style: matters of taste
#   clang-tidy bugprone-suspicious-string-compare: "if (strcmp(a, b))" is how C programmers write
#   clang-tidy bugprone-suspicious-include: the unit tests include the program
#   clang-tidy bugprone-sizeof-expression: takes the size of an element of an array of pointers
#     for a mistake, "found = zeroed(n, sizeof(*found))"
#   clang-analyzer mode=shallow: deep, it takes minutes, and its long paths are impossible ones
#     (lists with a count but no rows); all of lint is to take 90 seconds at most
#   clang-analyzer insecureAPI.*: asks for memcpy_s, which libc lacks
#   SC3013, SC3045 of shellcheck: test -nt, ulimit -n and -S are in every sh that is met
#   SC3044 of shellcheck: "complete" is a function of the tests', not bash's command
#   SC2034 of shellcheck: the variable of a loop that counts tries
tidy='-*,bugprone-infinite-loop,bugprone-sizeof-*,-bugprone-sizeof-expression,bugprone-suspicious-*,-bugprone-suspicious-string-compare,-bugprone-suspicious-include'
tidy="$tidy,bugprone-branch-clone,bugprone-unused-*,bugprone-use-after-*,clang-analyzer-core.*,clang-analyzer-deadcode.*,clang-analyzer-unix.*"

fails=0
mkdir -p build

report() {
	if [ "$2" -eq 0 ]; then
		echo "ok lint/$1"
	else
		echo "FAIL lint/$1"
		head -30 build/lint.out | sed 's/^/    /'
		fails=1
	fi
}

for script in tests/*.sh tests/*/*.sh .ci/run; do
	sh -n "$script" || fails=1
done 2> build/lint.out
report sh $fails

sources="turbostat.c msr.h tests/*.c tests/*/*.c tests/*/*.h"

# shellcheck disable=SC2086	# patterns
for file in $sources; do
	expand -t8 "$file" | awk -v file="$file" '
		/clang-format off/ { table = 1 }
		/clang-format on/ { table = 0 }
		!table && length($0) > 100 { printf "%s:%d: %d columns\n", file, NR, length($0); bad = 1 }
		END { exit bad }'
done > build/lint.out
[ ! -s build/lint.out ]
report width $?

# shellcheck disable=SC2086	# patterns
for file in $sources; do
	expand -t8 "$file" | awk -v file="$file" '
		/clang-format off/ { table = 1 }
		/clang-format on/ { table = 0 }
		!table && match($0, /^ */) && RLENGTH >= 64 { printf "%s:%d: begins at column %d\n", file, NR, RLENGTH; bad = 1 }
		END { exit bad }'
done > build/lint.out
[ ! -s build/lint.out ]
report staircases $?

# shellcheck disable=SC2086	# patterns
grep -n '[[:blank:]]$' $sources Makefile turbostat.8 README.md tests/*.sh tests/*/*.sh tests/sim/*.awk .ci/run > build/lint.out
[ ! -s build/lint.out ]
report blanks $?

awk '
	/^\/\*$/ { head = 1 }
	/^ \*\// { head = 0 }
	head && /^ \*[ \t]+[0-9]+  [A-Za-z]/ { listed = listed $2 " " $3 "\n" }
	/^ \* [0-9]+\. [A-Za-z]+$/ { found = found substr($2, 1, length($2) - 1) " " $3 "\n" }
	END { if (listed != found || found == "") { printf "listed:\n%sfound:\n%s", listed, found; exit 1 } }' turbostat.c > build/lint.out
report sections $?

awk '
	/^ \* [0-9]+\. [A-Za-z]+$/ { section = $3; head = 1; text = "" }
	head { text = text " " $0 }
	/^ \* =+ \*\/$/ && head {
		head = 0
		if (match(text, /Calls [^.]*\./)) {
			text = substr(text, RSTART + 6, RLENGTH - 7)
			gsub(/\([^)]*\)|,| and | only/, " ", text)
			n = split(text, words, /[ *]+/)
			for (i = 1; i <= n; i++)
				if (words[i] ~ /^[A-Z]/)
					said[section, words[i]] = 1
			says[section] = 1
		}
	}
	{
		gsub(/"([^"\\]|\\.)*"/, "")
		if (comment && sub(/^.*\*\//, ""))
			comment = 0
		if (comment)
			next
		gsub(/\/\*.*\*\//, "")
		comment = sub(/\/\*.*/, "")
	}
	/^static .*\(/ && !/;$/ {
		start = $0
		gsub(/PRINTF\([^)]*\)|__attribute__\(\([^)]*\)\)/, "", start)
		if (match(start, /[a-z_0-9]+\(/))
			home[substr(start, RSTART, RLENGTH - 1)] = section
	}
	says[section] {
		gsub(/(->|\.|bool )[a-z_]+/, "")	# members
		for (rest = $0; match(rest, /[A-Za-z_][A-Za-z_0-9]*/); rest = substr(rest, RSTART + RLENGTH)) {
			called = home[substr(rest, RSTART, RLENGTH)]
			if (called && called != section)
				calls[section, called] = NR ": " substr(rest, RSTART, RLENGTH) "()"
		}
	}
	END {
		for (pair in calls)
			if (!(pair in said)) {
				split(pair, name, SUBSEP)
				print calls[pair] " is of " name[2] ", which " name[1] " does not say it calls"
			}
		for (pair in said)
			if (!(pair in calls)) {
				split(pair, name, SUBSEP)
				print name[1] " says that it calls " name[2]
			}
	}' turbostat.c > build/lint.out
[ ! -s build/lint.out ]
report calls $?

awk '
	/^ \* 5\. / { outside = 1 }
	outside {
		for (rest = $0; match(rest, /[A-Za-z_][A-Za-z_0-9]*/); rest = substr(rest, RSTART + RLENGTH)) {
			word = substr(rest, RSTART, RLENGTH)
			if (word ~ /^live_/) {
				printf "%d: only SOURCES calls %s\n", NR, word
				bad = 1
			}
		}
	}
	END { exit bad || !outside }' turbostat.c > build/lint.out
report walls $?

awk '
	/^\.(nf|EX|TS)/ { verbatim = 1 }
	/^\.(fi|EE|TE)/ { verbatim = 0 }
	word && !/^\./ { printf "%d: a line of one word: %s\n", NR - 1, before; bad = 1 }
	{ word = !verbatim && !/^[.'"'"']/ && NF == 1 && before !~ /^\./ }
	{ before = $0 }
	END { exit bad }' turbostat.8 > build/lint.out
report words $?

if command -v mandoc > /dev/null; then
	mandoc -T lint -W warning turbostat.8 > build/lint.out 2>&1
	report mandoc $?
else
	echo "skip lint/mandoc: there is no mandoc"
fi

if command -v shellcheck > /dev/null; then
	shellcheck -S warning -e SC2034,SC3013,SC3044,SC3045 tests/*.sh tests/*/*.sh .ci/run > build/lint.out
	report shellcheck $?
else
	echo "skip lint/shellcheck: there is no shellcheck"
fi

if command -v cppcheck > /dev/null; then
	cppcheck --quiet --enable=warning,portability --inline-suppr --std=c11 --error-exitcode=1 \
		--suppress=missingIncludeSystem turbostat.c > build/lint.out 2>&1
	report cppcheck $?
else
	echo "skip lint/cppcheck: there is no cppcheck"
fi

if command -v clang-tidy > /dev/null; then
	clang-tidy --quiet --warnings-as-errors='*' --checks="$tidy" turbostat.c -- -std=gnu11 -I. \
		-Xclang -analyzer-config -Xclang mode=shallow > build/lint.out 2>&1
	report clang-tidy $?
else
	echo "skip lint/clang-tidy: there is no clang-tidy"
fi
exit $fails
