#!/bin/sh
# lint.sh - what other programs say of the sources: mandoc, cppcheck, clang-tidy, sh -n.
# The exceptions, and why:
#   cppcheck style: matters of taste
#   clang-tidy bugprone-suspicious-string-compare: "if (strcmp(a, b))" is how C programmers write
#   clang-tidy bugprone-suspicious-include: the unit tests include the program
#   clang-analyzer insecureAPI.*: asks for memcpy_s, which libc lacks
tidy='-*,bugprone-infinite-loop,bugprone-sizeof-*,bugprone-suspicious-*,-bugprone-suspicious-string-compare,-bugprone-suspicious-include'
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

if command -v mandoc > /dev/null; then
	mandoc -T lint -W warning turbostat.8 > build/lint.out 2>&1
	report mandoc $?
else
	echo "skip lint/mandoc: there is no mandoc"
fi

if command -v cppcheck > /dev/null; then
	cppcheck --quiet --enable=warning,portability --inline-suppr --std=c11 --error-exitcode=1 \
		--suppress=missingIncludeSystem turbostat.c > build/lint.out 2>&1
	report cppcheck $?
else
	echo "skip lint/cppcheck: there is no cppcheck"
fi

if command -v clang-tidy > /dev/null; then
	clang-tidy --quiet --warnings-as-errors='*' --checks="$tidy" turbostat.c -- -std=gnu11 -I. > build/lint.out 2>&1
	report clang-tidy $?
else
	echo "skip lint/clang-tidy: there is no clang-tidy"
fi
exit $fails
