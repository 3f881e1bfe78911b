#!/bin/sh
# bench.sh - what the program costs, in counts that repeat and in ratios of one run: prints them
# beside what they may be, about twice what they are (where that is 1, a fifth more), and fails
# where one is more.
#
# To be run from the project's top directory.  TURBOSTAT names the program, ./turbostat if unset.
# What a tool (strace, valgrind, time) or a right is missing for is skipped, and said to be.

LC_ALL=C
export LC_ALL

ts=${TURBOSTAT:-./turbostat}
tmp=build/bench.$$
cpus=$(getconf _NPROCESSORS_ONLN)
failed=0
busy=
mkdir -p "$tmp" || exit 1
# shellcheck disable=SC2086	# process ids
trap '[ -z "$busy" ] || kill $busy 2>/dev/null; rm -rf "$tmp"' EXIT
trap 'exit 1' HUP INT TERM

# at_most [known] LIMIT VALUE WHAT...: known: it is more today, and fails when it is not
at_most()
{
	known=
	if [ "$1" = known ]; then
		known=1
		shift
	fi
	limit=$1
	value=$2
	shift 2
	if [ -n "$known" ] && awk -v v="$value" -v most="$limit" 'BEGIN { exit !(v != "" && v + 0 > most) }'; then
		printf 'known to fail: %s > %s %s\n' "$value" "$limit" "$*"
	elif [ -n "$known" ]; then
		failed=1
		printf 'FAIL %10s <= %-6s %s: it is known to fail, and passes\n' "${value:-nothing}" "$limit" "$*"
	elif awk -v v="$value" -v most="$limit" 'BEGIN { exit !(v != "" && v + 0 <= most) }'; then
		printf 'ok   %10s <= %-6s %s\n' "$value" "$limit" "$*"
	else
		failed=1
		printf 'FAIL %10s >  %-6s %s\n' "${value:-nothing}" "$limit" "$*"
	fi
}

has()
{
	command -v "$1" >/dev/null && return
	echo "skip $2: there is no $1"
	return 1
}

# calls ARGUMENTS...: how many system calls a run makes
calls()
{
	strace -o "$tmp/strace" "$ts" -q "$@" </dev/null >/dev/null 2>&1
	grep -c '^[a-z]' "$tmp/strace"
}

# per_cpu N DIVISOR CPUS
per_cpu()
{
	awk -v n="$1" -v by="$2" -v cpus="$3" 'BEGIN { printf "%.2f", n / by / cpus }'
}

# A recording with many CPUs, made of the registers of a server:
# scale CPUS SAMPLES ROWS: ROWS is the number of lines in /proc/interrupts
scale() {
	awk -v cpus="$1" -v samples="$2" -v rows="$3" 'function file(p, t) { printf "file %s \"%s\\n\"\n", p, t }
	BEGIN {
		print "turbostat-recording 1"
		print "cpuid * 0 0 00000016 756e6547 6c65746e 49656e69"
		print "cpuid * 1 0 00050654 00400800 7ffefbff bfebfbff"
		print "cpuid * 6 0 00000077 00000002 00000009 00000000"
		sys = "/sys/devices/system/cpu/"
		file(sys "online", "0-" cpus - 1)
		for (c = 0; c < cpus; c++) {
			core = int(c / 2) * 2
			package = int(c / 128)
			file(sys "cpu" c "/topology/physical_package_id", package)
			file(sys "cpu" c "/topology/core_id", int(c % 128 / 2))
			file(sys "cpu" c "/topology/core_cpus_list", core "-" core + 1)
			file(sys "cpu" c "/topology/package_cpus_list", package * 128 "-" package * 128 + 127)
			for (s = 0; s < 3; s++)
				if (!c) file(sys "cpu" c "/cpuidle/state" s "/name", "C" s)
			print "msr " c " ce 80838f3811900\nmsr " c " e2 402\nmsr " c " 606 a0e03\nmsr " c " 1a2 600a00\nmsr " c " 614 668"
		}
		for (n = 0; n < samples; n++) {
			printf "sample %d %d.000000000 %d.000000000\n", n, 1700000000 + 5 * n, 100 + 5 * n
			line = "           "
			for (c = 0; c < cpus; c++) line = line " CPU" c
			printf "file /proc/interrupts \"%s\\n", line
			# the timer and one more count on every CPU, each other line on one
			for (r = 0; r < rows; r++) {
				printf "%4d:", r
				for (c = 0; c < cpus; c++)
					printf "%11d", r < 2 || c == r % cpus ? 1000 + n * 77 + c : 0
				printf "  row %d\\n", r
			}
			print "\""
			for (c = 0; c < cpus; c++) {
				printf "tsc %d %d\n", c, 1000000 + n * 12500000000
				printf "msr %d e7 %x\nmsr %d e8 %x\nmsr %d 34 11\n", c, n * 1000000000 + c, c, n * 1200000000 + c, c
				printf "msr %d 3fd %x\nmsr %d 19c 88300000\n", c, n * 2000000000, c
				printf "msr %d 611 %x\nmsr %d 619 %x\nmsr %d 1b1 88300000\n", c, 5000 + n * 9000000, c, 100 + n * 90000, c
				for (s = 0; s < 3; s++) file(sys "cpu" c "/cpuidle/state" s "/time", n * 1000000 * s)
			}
		}
		print "end"
	}' | tests/convert.sh
}

if has strace calls; then
	one=$(calls -i 0.05 -n 1)
	five=$(calls -i 0.05 -n 5)
	at_most 11.9 "$(per_cpu $((five - one)) 4 "$cpus")" "calls per CPU of a live interval"
	at_most 230 "$(per_cpu $((one - (five - one) / 4)) 1 "$cpus")" "calls per CPU at the start"
	scale 64 2 17 >"$tmp/2.rec"
	scale 64 6 17 >"$tmp/6.rec"
	two=$(calls --replay "$tmp/2.rec")
	six=$(calls --replay "$tmp/6.rec")
	at_most 0.1 "$(per_cpu $((six - two)) 4 64)" "calls per CPU of a replayed interval"
fi

# simulated LIMIT ARGUMENTS...: the start and an interval on a server that was throttled, whose calls repeat
# exactly: the limit is half a call more than they are
simulated()
{
	limit=$1
	shift
	SIM=$tmp/512.rec SIM_CALLS=1 build/sim "$@" -i 5 -n 1 </dev/null >/dev/null 2>"$tmp/calls"
	at_most "$limit" "$(per_cpu "$(sed -n 's/^sim: \(.*\) calls$/\1/p' "$tmp/calls")" 1 512)" \
		"calls per CPU of 512: the start and an interval${*:+ with }$*"
}

if make -s build/sim >/dev/null 2>&1; then
	scale 512 2 17 | sed '/interrupts/s/\\n   1:/\\n TRM:/' >"$tmp/512.rec"
	simulated 25
	simulated 23.4 -q
fi

# wakes CPUS RECORDING ARGUMENTS...: idle exits per CPU of the last pass, if all CPUs sleep: each reading
# from afar is one, and each move
wakes()
{
	n=$1 rec=$2
	shift 2
	SIM=$rec SIM_WAKES=1 build/sim -q "$@" -i 5 </dev/null 2>&1 >/dev/null |
		awk -v n="$n" '
			/^sim: .* from afar/ { wakes = $2 + $5; passes++ }
			END { if (passes > 2) printf "%.3f", wakes / n }'
}

if [ -x build/sim ]; then
	# with the states of packages
	scale 512 3 17 | awk '{ print } /^sample/ { n = $2 } /^msr [0-9]+ 3fd / { printf "msr %d 3f9 %x\n", $2, n * 1e9 }' >"$tmp/512.rec"
	at_most 1.0 "$(wakes 512 "$tmp/512.rec")" "wakes per CPU of 512 and pass: registers"
	at_most 0.02 "$(wakes 512 "$tmp/512.rec" --show Pkg%pc6)" "wakes per CPU of 512 and pass: --show Pkg%pc6"
	# the same machine by perf: CPUs that are 10 % busy sleep, others do not and are read from afar
	for busy in 10 90; do
		awk -v samples=4 -f tests/sim/machine.awk | awk -v busy=$busy '
			/^sample/ { n = $2 }
			/^perf [0-9]+ msr 2 / { $5 = 1e9 + n * 1e10 * busy / 100 }
			{ print }' CONVFMT=%.0f OFMT=%.0f >"$tmp/8.rec"
		at_most "$([ $busy = 10 ] && echo 1.0 || echo 2.5)" "$(wakes 8 "$tmp/8.rec")" \
			"wakes or interrupts per CPU of 8 and pass: perf, $busy % busy"
	done
fi

# instructions ARGUMENTS...: of a run, but for what only a replay does: looking answers up, taking texts
# out of their quotes, and with unread reading lines: how long that takes depends on hashes whose seed
# is drawn anew in each run
unread=
instructions()
{
	valgrind --tool=callgrind --callgrind-out-file="$tmp/callgrind" "$ts" -q "$@" >/dev/null 2>&1
	{
		callgrind_annotate --inclusive=yes --threshold=100 --auto=no "$tmp/callgrind" |
			awk -v but="find_answer|question${unread:+|replay_next}" \
				'$0 ~ "^ *[0-9,]+ \\(.*:(" but ")( |$)" { print "-" $1 }'
		callgrind_annotate --threshold=100 --auto=no "$tmp/callgrind" |
			awk '/^ *[0-9,]+ \(.*:/ && !/:(quoted_field|replay_number)/ { print $1 }'
	} 2>/dev/null | awk '{ gsub(",", ""); sum += $1 } END { printf "%d\n", sum }'
}

# of an interval and CPU that are replayed, what reading the recording takes not counted
if has valgrind instructions; then
	unread=1
	while read -r size rows limit; do
		for n in 2 4; do
			scale "$size" $n "$rows" >"$tmp/$n.rec"
		done
		all=$(($(instructions --replay "$tmp/4.rec") - $(instructions --replay "$tmp/2.rec")))
		reading=$(($(instructions --show CPU --replay "$tmp/4.rec") -
			$(instructions --show CPU --replay "$tmp/2.rec")))
		at_most "$limit" "$(((all - reading) / 2 / size))" \
			"instructions per CPU of $size and interval, $rows rows of interrupts"
	done <<-SIZES
	64 17 20000
	64 1000 55000
	512 17 11000
	SIZES
	unread=
fi

# pass WHAT LIMIT: the median of 30 passes over the CPUs, in those of one remote read of each of them
pass()
{
	if ! least=$("$tmp/remote" 30 0.05); then
		echo "skip a pass on $1 CPUs: there is no event of the TSC"
		return
	fi
	at_most "$2" "$("$ts" -q --show usec,CPU,TSC_MHz,IRQ -i 0.05 -n 30 </dev/null 2>/dev/null |
		awk '$2 == "-" { print $1 }' | sort -n | awk -v least="$least" '{ t[NR] = $1 }
			END { if (NR) printf "%.2f", t[int((NR + 1) / 2)] / least }')" \
		"remote reads of every CPU: the median pass on $1 CPUs"
}

if ${CC:-cc} -O2 -o "$tmp/remote" tests/remote.c; then
	pass idle 10
	for _ in $(seq $((4 * cpus))); do
		sh -c 'while :; do :; done' &
		busy="$busy $!"
	done
	pass busy 10
	# shellcheck disable=SC2086	# process ids
	kill $busy 2>/dev/null	# unless something else has ended one of them
	busy=
fi

# descriptors that are kept: more than the three of every program, by CPU
"$ts" -q -i 3600 -n 1 </dev/null >/dev/null 2>&1 &
pid=$!
sleep 1
at_most 7 "$(per_cpu $(($(find /proc/$pid/fd -type l | wc -l) - 3)) 1 "$cpus")" \
	"descriptors kept per CPU"
kill $pid

# many CPUs: per CPU no more than few, and memory for what the recording holds
for n in 512 2048; do
	scale $n 2 17 >"$tmp/$n.rec"
done
if has valgrind "many CPUs"; then
	at_most 1.2 "$(awk -v many="$(instructions --replay "$tmp/2048.rec")" \
		-v few="$(instructions --replay "$tmp/512.rec")" \
		'BEGIN { if (few) printf "%.2f", many / few / 4 }')" \
		"times the instructions per CPU: replay of 2048 CPUs beside 512"
fi
# interval CPUS ARGUMENTS...: the instructions of an interval and CPU, reading the recording included
interval()
{
	n=$1
	shift
	for samples in 2 4; do
		scale "$n" $samples 17 >"$tmp/interval.$samples"
	done
	all=$(instructions "$@" --replay "$tmp/interval.4")
	echo $(((all - $(instructions "$@" --replay "$tmp/interval.2")) / 2 / n))
}

# the cost of a CPU does not grow with their number, whatever is printed
if has valgrind "linear formats"; then
	at_most 1.2 "$(awk -v many="$(interval 512 --per core)" -v few="$(interval 64 --per core)" \
		'BEGIN { if (few) printf "%.2f", many / few }')" \
		"times the instructions per CPU and interval: --per core of 512 CPUs beside 64"
	# nor does it for the answer that takes the most
	for size in 64 2048; do
		scale $size 2 17 >"$tmp/clock.$size"
	done
	at_most 1.2 "$(awk -v many="$(instructions --explain clock --replay "$tmp/clock.2048")" \
		-v few="$(instructions --explain clock --replay "$tmp/clock.64")" \
		'BEGIN { if (few) printf "%.2f", many / few / 32 }')" \
		"times the instructions per CPU: --explain clock of 2048 CPUs beside 64"
	at_most 3 "$(awk -v labels="$(interval 64 --prometheus --out "$tmp/metrics")" -v table="$(interval 64)" \
		'BEGIN { if (table) printf "%.2f", labels / table }')" \
		"times the instructions of the table: --prometheus, per CPU and interval"
fi

# resident ARGUMENTS...: the peak of the memory of a run, in KiB
resident()
{
	/usr/bin/time -f %M -o "$tmp/memory" "$@" >/dev/null 2>&1 </dev/null
	tail -n 1 "$tmp/memory"
}

if has /usr/bin/time memory; then
	# what the program takes on the simulated kernel, but for what that takes for the recording
	make -s build/sim >/dev/null 2>&1 && for size in 2048:9.5 8192:33; do
		scale "${size%:*}" 2 17 >"$tmp/simulated.rec"
		SIM=$tmp/simulated.rec
		export SIM
		at_most "${size#*:}" "$(awk -v all="$(resident build/sim -q -i 5 -n 1)" -v kernel="$(resident build/sim --version)" \
			-v own="$(resident "$ts" --version)" 'BEGIN { printf "%.1f", (all - kernel + own) / 1024 }')" \
			"MiB of memory for ${size%:*} CPUs"
		unset SIM
	done
	scale 64 4 17 >"$tmp/4.rec"
	scale 64 60 17 >"$tmp/60.rec"
	at_most 1.2 "$(awk -v long="$(resident "$ts" -q -n 3 --replay "$tmp/60.rec")" \
		-v short="$(resident "$ts" -q -n 3 --replay "$tmp/4.rec")" 'BEGIN { if (short) printf "%.2f", long / short }')" \
		"times the memory: replay of 60 samples beside 4"
	/usr/bin/time -f %M -o "$tmp/memory" "$ts" -q --replay "$tmp/2048.rec" >/dev/null
	at_most 7 "$(awk -v size="$(wc -c <"$tmp/2048.rec")" '{ printf "%.2f", $1 * 1024 / size }' \
		"$tmp/memory")" "times the recording's size: memory for 2048 CPUs"
fi
exit $failed
