#!/bin/sh
# distcheck.sh - the whole of "make check" with both compilers, optimised, and under
# sanitizers; installing and uninstalling; the lints.  Needs gcc; uses clang, musl-gcc,
# gcc -m32 and valgrind where they are.  Run by "make distcheck".

mkdir -p build
fails=0
passes=0
skips=0
top=$(pwd)

ok() { echo "ok distcheck/$1"; passes=$((passes + 1)); }
bad() { echo "FAIL distcheck/$1"; fails=$((fails + 1)); }
skip() { echo "skip distcheck/$1: $2"; skips=$((skips + 1)); }

# Builds a copy of the sources with the given settings, and runs a command there.
variant() {
	name=$1 command=$2
	shift 2
	dir=build/dist-$name
	rm -rf "$dir"
	mkdir -p "$dir"
	cp -r turbostat.c msr.h Makefile turbostat.8 README.md LICENSE tests "$dir"/
	if (cd "$dir" && make -s "$@" $command) > "build/dist-$name.log" 2>&1; then
		ok "$name"
	else
		bad "$name"
		grep -vE '^(ok|skip|==)' "build/dist-$name.log" | tail -25 | sed 's/^/    /'
	fi
	rm -rf "$dir"
}

warn='-O2 -Werror'
variant gcc-warnings all CC=gcc CFLAGS="$warn"
variant gcc-O3 all CC=gcc CFLAGS='-O3 -Werror'
export ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1 CPU_MS=2000	# sanitizers make the start slow
SAN=address,undefined
variant gcc-sanitizers check CC=gcc CFLAGS='-O1 -g -Werror' SANITIZE=$SAN
ASAN_OPTIONS=detect_leaks=1 variant gcc-leaks golden CC=gcc CFLAGS='-O1 -g' SANITIZE=address
if command -v clang > /dev/null; then
	variant clang-warnings all CC=clang CFLAGS="$warn"
	if echo 'int main(void){return 0;}' | clang -fsanitize=$SAN -x c -o build/san - 2> /dev/null; then
		variant clang-sanitizers check CC=clang CFLAGS='-O1 -g' SANITIZE=$SAN
	else
		skip clang-sanitizers "clang has no sanitizer runtime here"
	fi
	if echo 'int main(void){return 0;}' | clang -fsanitize=memory -x c -o build/san - 2> /dev/null; then
		variant clang-memory golden CC=clang CFLAGS='-O1 -g' SANITIZE=memory
	else
		skip clang-memory "clang has no memory sanitizer here"
	fi
else
	skip clang "there is no clang"
fi
if command -v musl-gcc > /dev/null; then
	variant musl-static golden CC=musl-gcc CFLAGS='-O2 -idirafter /usr/include -idirafter /usr/include/x86_64-linux-gnu' LDFLAGS=-static
else
	skip musl-static "there is no musl-gcc"
fi
if echo 'int main(void){return 0;}' | gcc -m32 -x c -o build/m32 - 2> /dev/null; then
	variant gcc-m32 golden CC=gcc CFLAGS='-O2 -m32 -msse2 -mfpmath=sse'
else
	skip gcc-m32 "gcc cannot build 32-bit programs here"
fi

make -s turbostat
if make -s install DESTDIR="$top/build/root" PREFIX=/usr &&
   [ -x build/root/usr/sbin/turbostat ] && [ -f build/root/usr/share/man/man8/turbostat.8 ] &&
   make -s uninstall DESTDIR="$top/build/root" PREFIX=/usr && [ -z "$(find build/root -type f)" ]; then
	ok install
else
	bad install
fi
rm -rf build/root
# a packager's flags are used, and directories; DESTDIR is only where they are copied to
if make -s -W turbostat.c turbostat CPPFLAGS=-DADDRESS='\"packager\"' && ./turbostat --version 2>&1 | grep -q packager &&
   make -s install-strip DESTDIR="$top/build/root" SBINDIR=/opt/ts MANDIR=/opt/man COMPDIR=/opt/comp &&
   [ "$(find build/root -type f | sort | xargs)" = "build/root/opt/comp/turbostat build/root/opt/man/turbostat.8 build/root/opt/ts/turbostat" ] &&
   ! nm build/root/opt/ts/turbostat 2>&1 | grep -q ' main$' &&
   make -s uninstall DESTDIR="$top/build/root" SBINDIR=/opt/ts MANDIR=/opt/man COMPDIR=/opt/comp && [ -z "$(find build/root -type f)" ]; then
	ok install-strip
else
	bad install-strip
fi
rm -rf build/root
make -s -W turbostat.c turbostat

if command -v valgrind > /dev/null; then
	if valgrind -q --error-exitcode=9 ./turbostat --replay tests/golden/v01-kabylake/machine.rec > /dev/null 2> build/valgrind.log &&
	   valgrind -q --error-exitcode=9 ./turbostat -q sleep 0.1 > /dev/null 2>> build/valgrind.log; then
		ok valgrind
	else
		bad valgrind
		tail -20 build/valgrind.log | sed 's/^/    /'
	fi
else
	skip valgrind "there is no valgrind"
fi

sh tests/lint.sh > build/lint.log
cat build/lint.log
passes=$((passes + $(grep -c '^ok ' build/lint.log)))
fails=$((fails + $(grep -c '^FAIL ' build/lint.log)))
skips=$((skips + $(grep -c '^skip ' build/lint.log)))

echo "$passes passed, $fails failed, $skips skipped"
[ $fails -eq 0 ]
