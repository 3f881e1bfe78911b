// SPDX-License-Identifier: GPL-2.0-only
/* add.c - the input is a specification of --add, on a machine that has something of every kind */
#include "frame.c"

static const char add_machine[] =
	"turbostat-recording 3\nstatic\nmsr * * ok\n"
	"cpuid * 0 0 15 756e6547 6c65746e 49656e69\n"
	"cpuid * 1 0 906ea 0 0 0\n"
	"cpuid * 6 0 7 0 1 0\n"
	"cpuid * 15 0 2 a8 16e3600 0\n"
	"file /sys/devices/system/cpu/online \"0-1\\n\"\n"
	"file /sys/devices/system/cpu/cpu1/topology/core_id \"1\\n\"\n"
	"file " PERF_DEVICES "p/type \"9\\n\"\n"
	"file " PERF_DEVICES "p/format/event \"config:0-7,32-35\\n\"\n"
	"file " PERF_DEVICES "p/format/edge \"config1:3\\n\"\n"
	"file " PERF_DEVICES "p/events/e \"event=0x1\\n\"\n"
	"file " PERF_DEVICES "p/events/e.scale \"0.5\\n\"\n"
	"file " PERF_DEVICES "p/cpumask \"0\\n\"\n"
	"file /sys/class/intel_pmt/telem0/guid \"0x1\\n\"\n"
	"file /sys/class/intel_pmt/telem0/size \"64\\n\"\n"
	"file /sys/class/intel_pmt/telem0/offset \"0\\n\"\n"
	"msr 0 10 1\nmsr 1 10 1\n"
	"file /f \"5\\n\"\n"
	"done\nplan\n"
	"tsc 0 100\ntsc 1 100\n"
	"perf 0 p 1 1\nperf 0 p 1,8 1\n"
	"word /sys/class/intel_pmt/telem0/telem 8 1\n"
	"done\nsample 0 1.000000000 1.000000000\ndone\n"
	"sample 1 2.000000000 2.000000000\n"
	"tsc 0 200\ntsc 1 200\n"
	"msr 0 10 7\nmsr 1 10 8\n"
	"perf 0 p 1 9\n"
	"file /f \"7\\n\"\n"
	"word /sys/class/intel_pmt/telem0/telem 8 ff\n"
	"done\nend\n";

/* Adds the counter and replays the machine. */
static void add_run(const uint8_t *data, size_t n)
{
	O.quiet = true;
	parse_addition(NULL, fuzz_string(data, n));
	fuzz_replay(add_machine, sizeof(add_machine) - 1);
}

/* One input. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	if (n <= 4096)
		FUZZ_RUN(n, add_run(data, n));
	return 0;
}
