# haswell.awk - the recording of a machine like that of the kernel's manual page of turbostat: a
# Haswell desktop with 4 cores and 8 threads at 3.5 GHz, whose CPU 4 is busy and whose other CPUs
# sleep. Its counters move at constant rates; an idle state's counts are those of one interval.
#
#   awk [-v samples=N] [-v seconds=N] [-v packages=N] [-v command=WORDS] [-v extra=LINES] -f haswell.awk
#
#   samples	so many, 3 if unset
#   seconds	between two of them, 5 if unset
#   packages	so many of the same kind, 1 if unset
#   command	what ran between the first two samples
#   extra	lines of the recording that come last before the samples

# a number in hexadecimal digits: not every awk has them beyond 31 bits
function hex(n,	s)
{
	n = int(n)
	do {
		s = substr("0123456789abcdef", n % 16 + 1, 1) s
		n = int(n / 16)
	} while (n > 0)
	return s
}

function file(path, text) { printf "file %s \"%s\\n\"\n", path, text }
function msr(cpu, address, value) { printf "msr %d %s %s\n", cpu, address, value }
function cpu_of(package, core, thread) { return package * 4 + core + thread * 4 * packages }

# so much per cent of the time, in cycles of the TSC
function cycles(percent) { return elapsed * TSC * percent / 100 }

function topology(	p, k, t, c, path)
{
	file("/sys/devices/system/cpu/online", "0-" 8 * packages - 1)
	file("/sys/devices/system/cpu/possible", "0-" 8 * packages - 1)
	file("/sys/devices/system/cpu/present", "0-" 8 * packages - 1)
	for (p = 0; p < packages; p++)
		for (k = 0; k < 4; k++)
			for (t = 0; t < 2; t++) {
				c = cpu_of(p, k, t)
				path = "/sys/devices/system/cpu/cpu" c "/"
				file(path "topology/physical_package_id", p)
				file(path "topology/core_id", k)
				file(path "topology/core_cpus_list", cpu_of(p, k, 0) "," cpu_of(p, k, 1))
				printf "cpuid %d 1 0 000306c3 %02x100800 7ffafbff bfebfbff\n", c, 8 * p + 2 * k + t
				printf "cpuid %d b 0 00000001 00000002 00000100 %08x\n", c, 8 * p + 2 * k + t
			}
}

# What the header shows.
function registers(	p, s, c, n, state)
{
	print "cpuid * 0 0 0000000d 756e6547 6c65746e 49656e69"
	print "cpuid * 6 0 00000077 00000002 00000009 00000000"
	print "cpuid * 80000000 0 80000008 00000000 00000000 00000000"
	print "cpuid * 80000007 0 00000000 00000000 00000000 00000100"
	n = split("ce=80838f3012300 1fc=4005d 1ad=25262727 648=23 649=0 64a=0 64b=80000000 64c=0 e2=1e000400 " \
		"1aa=400000 1a4=0 1b0=6 690=31200000 6b0=0 6b1=d000000 606=a0e03 614=2a0 610=428348001a82a0 63a=0 638=0 " \
		"642=0 640=0 1a2=641400 60a=8842 60b=8873 60c=8891", s, " ")
	for (p = 0; p < packages; p++)
		for (c = 1; c <= n; c++)
			msr(cpu_of(p, 0, 0), substr(s[c], 1, index(s[c], "=") - 1), substr(s[c], index(s[c], "=") + 1))
	print "msr * * ok"
	file("/sys/devices/system/cpu/cpuidle/current_driver", "intel_idle")
	file("/sys/devices/system/cpu/cpuidle/current_governor", "menu")
	split("C1=0x00 C1E=0x01 C3=0x10 C6=0x20 C7s=0x32", state, " ")
	for (c = 0; c < 8 * packages; c++)
		for (s[0] = 0; s[0] < 5; s[0]++) {
			p = "/sys/devices/system/cpu/cpu" c "/cpuidle/state" s[0] "/"
			file(p "name", substr(state[s[0] + 1], 1, index(state[s[0] + 1], "=") - 1))
			file(p "desc", "MWAIT " substr(state[s[0] + 1], index(state[s[0] + 1], "=") + 1))
		}
}

# The counters at a sample.
function counters(n,	p, k, t, c, i, s, x, header, local, nmi)
{
	for (p = 0; p < packages; p++) {
		for (k = 0; k < 4; k++) {
			for (t = 0; t < 2; t++) {
				c = cpu_of(p, k, t)
				i = k + 4 * t
				printf "tsc %d %.0f\n", c, 1e12 + elapsed * TSC
				msr(c, "10", hex(1e12 + elapsed * TSC))
				msr(c, "e7", hex(1e7 + cycles(busy[i + 1])))
				msr(c, "e8", hex(2e7 + cycles(busy[i + 1]) * clock[i + 1] / BASE))
				msr(c, "34", hex(10 + n))
				msr(c, "199", hex(perf_ctl[i + 1]))
				msr(c, "309", hex(4294967296 * 5 + 4294967290 + 7 * n))
				split(usage[i + 1], x, " ")
				for (s = 0; s < 5; s++)
					file("/sys/devices/system/cpu/cpu" c "/cpuidle/state" s "/usage", 1000 + n * x[s + 1])
				split(residency[i + 1], x, " ")
				for (s = 0; s < 5; s++)
					file("/sys/devices/system/cpu/cpu" c "/cpuidle/state" s "/time",
						sprintf("%.0f", 1e6 + elapsed * x[s + 1] * 1e4))
				file("/sys/devices/system/cpu/cpu" c "/cpufreq/x_count", 100 + 3 * n * (i + 1))
			}
			c = cpu_of(p, k, 0)
			msr(c, "3fc", hex(5e6))
			msr(c, "3fd", hex(5e6))
			msr(c, "3fe", hex(5e6 + cycles(c7[k + 1])))
			msr(c, "19c", n ? thermal[k + 1] : "88500000")
		}
		c = cpu_of(p, 0, 0)
		msr(c, "60d", hex(7e6 + cycles(4)))
		msr(c, "3f8", hex(7e6 + cycles(3)))
		msr(c, "3f9", hex(7e6 + cycles(2)))
		msr(c, "3fa", hex(7e6 + cycles(1)))
		msr(c, "1b1", "884c0800")
		msr(c, "611", hex(1e6 + elapsed * 20 * 16384))
		msr(c, "639", hex(1e6 + elapsed * 12 * 16384))
		msr(c, "641", hex(1e6 + elapsed * 3 * 16384))
	}
	file("/sys/class/drm/card0/power/rc6_residency_ms", sprintf("%.0f", 1000 + elapsed * 900))
	file("/sys/class/drm/card0/gt_cur_freq_mhz", 300 + 50 * n)
	for (c = 0; c < 8 * packages; c++) {
		header = header " CPU" c
		local = local " " 1000 + 10 * n * (c + 1)
		nmi = nmi " " 100 + n
	}
	printf "file /proc/interrupts \"%s\\n NMI:%s Non-maskable interrupts\\n LOC:%s Local timer interrupts\\n\"\n", header, nmi, local
}

BEGIN {
	samples += samples ? 0 : 3
	seconds += seconds ? 0 : 5
	packages += packages ? 0 : 1
	TSC = 3498e6	# Hz, less than the clock in the processor's name
	BASE = 3500	# MHz
	# of the CPUs 0 to 7
	split("0.13 0.004 0.02 0.01 99.99 0.004 0.002 0.002", busy, " ")
	split("3900 3856 3889 3869 3900 3861 3863 3878", clock, " ")
	split("3072 2048 2560 2048 2048 2048 2048 2048", perf_ctl, " ")
	split("1 17 2 2 130,2 1 0 0 52,0 0 0 0 71,0 0 0 0 74,0 0 0 0 31,1 2 0 0 52,0 0 0 0 25,0 1 0 0 24", usage, ",")
	split("0 0.02 0 0 99.80,1.14 6.49 0 0 92.21,0 0 0 0 99.89,0 0 0 0 99.94," \
		"0 0 0 0 99.95,0 0.08 0 0 99.86,0 0 0 0 99.96,0 0 0 0 99.84", residency, ",")
	# of the cores 0 to 3
	split("0 99.984 99.95 99.97", c7, " ")
	split("884c0000 88510000 884e0000 88510000", thermal, " ")

	print "turbostat-recording 3"
	print "static"
	if (command != "")
		printf "command \"%s\"\n", command
	file("/proc/self/status", "Name:\\tturbostat\\nUid:\\t0\\t0\\t0\\t0\\nCapEff:\\t000001ffffffffff")
	topology()
	registers()
	counters(0)
	if (extra != "")
		print extra
	print "done\n\nplan\ndone"
	for (n = 0; n < samples; n++) {
		elapsed = n * seconds
		printf "sample %d %.9f %.9f\n", n, 1700000000 + elapsed, 100 + elapsed
		counters(n)
		print "done"
	}
	if (command != "")
		print "run 1 0"
	print "end"
}
