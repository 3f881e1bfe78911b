#!/bin/sh
# fuzz.sh - feeds changed inputs to the parsers, and whole recordings to the program.
# The targets and their first inputs are in tests/fuzz.
#   FUZZ_SECONDS=n	seconds for each target (15)
#   FUZZ_TARGETS=...	these targets only
#   SMOKE=1		a fixed number of inputs, always the same ones; no sanitizers
# With a clang that has libFuzzer, that looks for inputs that reach new code; else
# tests/fuzz/driver.c makes them at random.  Inputs that crash stay in build/fuzz.
# Run from the project's top directory.

dir=build/fuzz
seconds=${FUZZ_SECONDS:-15}
targets=${FUZZ_TARGETS:-recording add cpulist interrupts formats}
flags='-std=gnu11 -I. -g -Wno-unused-function -O1'
driver=$dir/driver
fails=0
ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1
UBSAN_OPTIONS=print_stacktrace=1
export ASAN_OPTIONS UBSAN_OPTIONS

# libFuzzer comes with clang
if [ -z "$SMOKE" ] && [ "${CC:-cc}" = cc ] && command -v clang > /dev/null; then
	CC=clang
fi

mkdir -p $dir

# Says that a target failed: target, what its run printed, the input
failed() {
	echo "FAIL fuzz/$1"
	if [ -s "$3" ]; then
		echo "    input:"
		od -An -c -v "$3" | head -40 | sed 's/^/    /'
	fi
	grep -aE -A 12 'ERROR|runtime error|^fuzz: |assert|: error' "$2" | head -30 | sed 's/^/    /'
	fails=1
}

# Compiles one program: flags, source, program
compile() {
	${CC:-cc} $flags $1 -o "$3" "tests/fuzz/$2" > "$3.log" 2>&1
}

# The files of a target's corpus.
corpus() {
	find "tests/fuzz/corpus/$1" -type f | LC_ALL=C sort
}

# Runs the plain driver for one target: target, number of inputs, seconds
drive() {
	crash=$dir/$1.crash
	# shellcheck disable=SC2046	# a word per file
	if $driver "$1" "$crash" "$2" "$3" $(corpus "$1") > "$dir/$1.log" 2>&1; then
		rm -f "$crash"
		echo "ok fuzz/$1"
	else
		status=$?
		if [ -s "$crash" ]; then	# its first eight bytes are the length
			n=$(od -An -t u4 -N 4 "$crash" | tr -d ' ')
			tail -c +9 "$crash" | head -c "$n" > "$crash.input"
			mv "$crash.input" "$crash"
		fi
		grep -qE 'ERROR|runtime error|^fuzz: ' "$dir/$1.log" ||
			echo "fuzz: exit status $status" >> "$dir/$1.log"
		failed "$1" "$dir/$1.log" "$crash"
	fi
}

# Runs libFuzzer for one target, on a copy of the corpus.
search() {
	rm -rf "$dir/$1.corpus" "$dir/$1.crash"
	cp -r "tests/fuzz/corpus/$1" "$dir/$1.corpus"
	if $dir/$1 -max_total_time="$seconds" -timeout=5 -rss_limit_mb=2048 -max_len=16384 -seed=1 \
		-detect_leaks=0 -dict=$dir/dictionary -exact_artifact_path="$dir/$1.crash" \
		"$dir/$1.corpus" > "$dir/$1.log" 2>&1; then
		echo "ok fuzz/$1"
	else
		failed "$1" "$dir/$1.log" "$dir/$1.crash"
	fi
}

# The words that libFuzzer puts into inputs.
dictionary() {
	for w in cpuid file word link dir msr perf tsc cpu sample clock tick command end ok hw '!EIO' \
		'!ENOENT' '!ENXIO' x-options '\"' '\\x' '\\n' .000000000 config: config1: config2= event= name= \
		'pmt,' guid= path= domain= offset= lsb= msb= seq= type= format= txtal_time tcore_clock \
		perf/ msr0x package core percent average raw u32 CPU 'NMI:' .scale .unit .snapshot \
		8191 18446744073709551615 /sys/devices/system/cpu/online /proc/interrupts /proc/stat; do
		printf '"%s"\n' "$w"
	done
}

if [ -n "$SMOKE" ]; then
	driver=build/driver
	if ! "${MAKE:-make}" -s $driver >$dir/driver.log 2>&1; then
		failed driver $dir/driver.log
		exit 1
	fi
	for t in $targets; do
		case $t in
		recording) drive $t 1000 0 ;;
		add | cpulist) drive $t 1000 0 ;;
		*) drive $t 5000 0 ;;
		esac
	done
	exit $fails
fi

echo 'int LLVMFuzzerTestOneInput(const void *p, unsigned long n) { return p && n == 99999999; }' > $dir/probe.c
sanitize='-fsanitize=address,undefined -fno-sanitize-recover=all'
if ${CC:-cc} -fsanitize=fuzzer,address,undefined -o $dir/probe $dir/probe.c > /dev/null 2>&1; then
	dictionary > $dir/dictionary
	for t in $targets; do
		if ! compile "-fsanitize=fuzzer $sanitize" $t.c $dir/$t; then
			failed "$t" $dir/$t.log
			continue
		fi
		search $t
	done
	exit $fails
fi
echo 'int main(void) { return 0; }' > $dir/probe.c
${CC:-cc} $sanitize -o $dir/probe $dir/probe.c > /dev/null 2>&1 && $dir/probe || sanitize=
if ! compile "$sanitize" driver.c $driver; then
	failed driver $dir/driver.log
	exit 1
fi
for t in $targets; do
	drive $t 0 "$seconds"
done
exit $fails
