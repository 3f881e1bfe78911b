#!/bin/sh
# bench.sh - what the program costs, in counts that repeat: system calls per CPU and
# interval (strace, on this machine), instructions per CPU and interval (callgrind, on a
# recording), time and memory for many CPUs.  Figures only; nothing passes or fails.

ts=${TURBOSTAT:-./turbostat}
mkdir -p build
cpus=$(getconf _NPROCESSORS_ONLN)

# A recording with many CPUs, made of the registers of a server: awk -v cpus=N
scale() {
	awk -v cpus="$1" -v samples="${2:-3}" 'function file(p, t) { printf "file %s \"%s\\n\"\n", p, t }
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
			loc = "LOC:"
			for (c = 0; c < cpus; c++) loc = loc " " 1000 + n * 77 + c
			printf "file /proc/interrupts \"%s\\n%s  Local timer interrupts\\n\"\n", line, loc
			for (c = 0; c < cpus; c++) {
				printf "tsc %d %d\n", c, 1000000 + n * 12500000000
				printf "msr %d e7 %x\nmsr %d e8 %x\nmsr %d 34 11\n", c, n * 1000000000 + c, c, n * 1200000000 + c, c
				printf "msr %d 3fd %x\nmsr %d 19c 88300000\n", c, n * 2000000000, c
				printf "msr %d 611 %x\nmsr %d 619 %x\nmsr %d 1b1 88300000\n", c, 5000 + n * 9000000, c, 100 + n * 90000, c
				for (s = 0; s < 3; s++) file(sys "cpu" c "/cpuidle/state" s "/time", n * 1000000 * s)
			}
		}
		print "end"
	}'
}

echo "== system calls of a live interval on this machine ($cpus CPUs)"
if command -v strace > /dev/null; then
	for show in all Busy%,TSC_MHz IRQ; do
		for n in 1 3; do
			strace -o build/strace.$n "$ts" -q -i 0.05 -n $n --show $show < /dev/null > /dev/null 2>&1
		done
		awk -v cpus="$cpus" -v show="$show" '
		{ call = $1 ~ /^[0-9]+$/ ? $2 : $1; sub(/\(.*/, "", call); if (call !~ /^[a-z]/) next; n[FILENAME == "build/strace.3", call]++; seen[call] = 1 }
		END {
			printf "  --show %s:", show
			for (c in seen) {
				d = (n[1, c] - n[0, c]) / 2
				if (d > 0) { printf " %s %.1f", c, d; sum += d }
			}
			printf "; per CPU %.1f\n", sum / cpus
		}' build/strace.1 build/strace.3
	done
else
	echo "  skipped: there is no strace"
fi

echo "== instructions per CPU and interval, 512 CPUs replayed (the reading of the recording taken out)"
if command -v valgrind > /dev/null; then
	scale 512 2 > build/scale2.rec
	scale 512 4 > build/scale4.rec
	for r in 2 4; do
		for show in CPU all; do
			options="-q --show $show"
			[ $show = CPU ] || options=-q
			valgrind --tool=callgrind --callgrind-out-file=/dev/null "$ts" $options --replay build/scale$r.rec 2>&1 > /dev/null |
				awk -v key="$r $show" '/Collected/ { print key, $NF }'
		done
	done | awk '{ n[$1, $2] = $3 }
	END {
		reading = (n[4, "CPU"] - n[2, "CPU"]) / 2 / 512
		printf "  %d, of which %d for reading the recording\n", (n[4, "all"] - n[2, "all"]) / 2 / 512, reading
	}'
else
	echo "  skipped: there is no valgrind"
fi

echo "== many CPUs, replayed"
for n in 512 1024 2048 4096 8192; do
	scale $n > build/scale.rec
	size=$(wc -c < build/scale.rec)
	if [ -x /usr/bin/time ]; then
		/usr/bin/time -f "%e %M" -o build/time.out "$ts" -q --replay build/scale.rec > /dev/null
		awk -v n="$n" -v size="$size" '{ printf "  %d CPUs: %.2f s, %d KiB, %.1f times the file\n", n, $1, $2, $2 * 1024 / size }' build/time.out
	else
		echo "  $n CPUs: skipped: there is no /usr/bin/time"
	fi
done
rm -f build/scale*.rec build/strace.* build/time.out
