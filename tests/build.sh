#!/bin/sh
# build.sh - what stands around the program: check.sh, that runs the tests, and the Makefile.
#
# To be run from the project's top directory; frame.sh says how to run one test.

. tests/frame.sh

# check DIRECTORY ARGUMENTS...: what check.sh says there, and its exit status, in a line
check()
{
	(
		cd "$1" || exit
		shift
		sh tests/check.sh "$@" 2>&1
		echo $?
	) | paste -s -d '|' -
}

# check.sh, in a fresh copy with tests of its own
of_check()
{
	here="$tmp/a fresh one"
	mkdir -p "$here/tests"
	cp tests/limit.sh tests/limit.c tests/wait.sh "$here/tests"
	sed "s/^tests=.*/tests='good bad none ends'/" tests/check.sh >"$here/tests/check.sh"
	echo 'echo "ok good/a"; echo "skip good/b: no b here"; echo "skip good/c: nor c"' >"$here/tests/good.sh"
	echo 'echo "ok bad/a"; echo "FAIL bad/b"; echo "    not b"; exit 1' >"$here/tests/bad.sh"
	echo 'echo "skip none/a: nothing here"' >"$here/tests/none.sh"
	echo 'echo "ok ends/a"; echo "too early" >&2; exit 3' >"$here/tests/ends.sh"
	same check/one "skip good/b: no b here|skip good/c: nor c|1 passed, 0 failed, 2 skipped: good/b, good/c|0" "$(check "$here" one good)"
	same check/one-fails "FAIL bad/b|    not b|1 passed, 1 failed|1" "$(check "$here" one bad)"
	same check/one-ends "FAIL ends: exit status 3|    too early|1 passed, 1 failed|1" "$(check "$here" one ends)"
	same check/one-skipped "skip none/a: nothing here|0 passed, 0 failed, 1 skipped: none/a|0" "$(check "$here" one none)"
	same check/one-absent "check.sh: there is no tests/nope.sh|1" "$(check "$here" one nope)"
	for arguments in good one "one good bad"; do
		# shellcheck disable=SC2086	# words
		same "check/usage-$arguments" "usage: check.sh [one NAME]|1" "$(check "$here" $arguments)"
	done
	same check/all "$(paste -s -d '|' - <<-'SAID'
	== good
	skip good/b: no b here
	skip good/c: nor c
	== bad
	FAIL bad/b
	    not b
	== none
	skip none/a: nothing here
	== ends
	FAIL ends: exit status 3
	    too early
	3 passed, 2 failed, 3 skipped: good/b, good/c, none/a
	1
	SAID
	)" "$(check "$here")"
}

# files DIRECTORY: what is in it, in a line
files()
{
	(cd "$1" && find . -type f | sed 's|^\./||' | sort | paste -s -d ' ' -)
}

# make install and uninstall, where a name has blanks and characters that mean something to a shell
of_make()
{
	if ! command -v make >/dev/null; then
		skip make "there is no make"
		return
	fi
	unset MAKEFLAGS MFLAGS MAKELEVEL DESTDIR PREFIX SBINDIR MANDIR COMPDIR STRIP
	mkdir "$tmp/copy"
	cp Makefile turbostat.c msr.h turbostat.8 "$tmp/copy"
	cp "$binary" "$tmp/copy/turbostat"	# newer than its sources
	cd "$tmp/copy" || exit
	all="local/sbin/turbostat local/share/bash-completion/completions/turbostat local/share/man/man8/turbostat.8"
	for root in "the root" "it's *;"; do
		# what the second word of the name would mean is another's
		for f in $all; do
			mkdir -p "${root##* }/usr/${f%/*}"
			echo mine >"${root##* }/usr/$f"
		done
		make -s install DESTDIR="$root" PREFIX=/usr/local >../said 2>&1
		same "make/install-$root" "0 $all" "$? $(files "$root/usr")"
		make -s uninstall DESTDIR="$root" PREFIX=/usr/local >../said 2>&1
		same "make/uninstall-$root" "0 |$all" "$? $(files "$root/usr")|$(files "${root##* }/usr")"
	done
	make -s install DESTDIR=../x PREFIX='/a  b' SBINDIR="/a  b/s bin" >../said 2>&1
	same make/directories "0 a  b/s bin/turbostat a  b/share/bash-completion/completions/turbostat a  b/share/man/man8/turbostat.8" "$? $(files ../x)"
}

all="of_check of_make"
run_tests "$@"
