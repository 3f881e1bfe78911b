// SPDX-License-Identifier: GPL-2.0-only
/*
 * recording.c - the input is a recording
 *
 * A line "x-options HEX", which the program ignores, says with which options it is replayed.
 */
#include "frame.c"

/* The options, by bit. */
enum {
	JOULE_BIT,
	SUMMARY_BIT,
	ENABLE_BIT,
	EXPLAIN_BIT,
	DUMP_BIT,
	DEBUG_BIT,
	LIST_BIT,
	NO_MSR_BIT,
	ADD_EVENT_BIT,
	NO_PERF_BIT,
	ADD_MSR_BIT,
	CORE_BIT,
	CPUS_BIT,
	SHOW_BIT,
	QUIET_BIT,
	ADD_PMT_BIT
};

/* The options of the line, 0 if there is none. */
static unsigned options_of(const char *text, size_t n)
{
	static const char word[] = "\nx-options ";
	const char *s = n ? memmem(text, n, word, sizeof(word) - 1) : NULL;
	char number[8] = "";

	if (!s)
		return 0;
	s += sizeof(word) - 1;
	for (size_t i = 0; i < sizeof(number) - 1 && s + i < text + n && isalnum((u8)s[i]); i++)
		number[i] = s[i];
	return (unsigned)strtoul(number, NULL, 16);
}

/* Replays the recording, at most 20 intervals of it. */
static void recording_run(const uint8_t *data, size_t n)
{
	const char *text = n ? (const char *)data : "";
	unsigned bits = options_of(text, n);

	O.iterations = 20;
	O.joules = bits >> JOULE_BIT & 1;
	O.summary = bits >> SUMMARY_BIT & 1;
	O.explain = bits >> EXPLAIN_BIT & 1;
	O.dump = bits >> DUMP_BIT & 1;
	O.debug = bits >> DEBUG_BIT & 1;
	O.list = bits >> LIST_BIT & 1;
	O.no_msr = bits >> NO_MSR_BIT & 1;
	O.no_perf = (bits >> NO_PERF_BIT & 1) || O.dump;
	O.first_of = bits >> CORE_BIT & 1 ? 1u << CORE : 0;
	O.quiet = (bits >> QUIET_BIT & 1) || O.list || O.explain || O.dump;
	if (bits >> SHOW_BIT & 1)
		parse_columns(&(struct option_row){ .value = SHOW }, "all,Avg_MHz");
	if (bits >> ENABLE_BIT & 1)
		parse_columns(&(struct option_row){ .value = ENABLE }, "all");
	if (bits >> ADD_EVENT_BIT & 1)
		parse_addition(NULL, "perf/msr/tsc,package,average");
	if ((bits >> ADD_MSR_BIT & 1) && !O.no_msr)
		parse_addition(NULL, "msr0x10,u32,raw");
	if (bits >> ADD_PMT_BIT & 1)
		parse_addition(NULL, "pmt,name=x,domain=package0,offset=8,lsb=0,msb=63,guid=1");
	if ((bits >> CPUS_BIT & 1) && !O.first_of)
		parse_cpus(find_option('c'), "0,8191");
	fuzz_replay(text, n);
}

/* One input. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	FUZZ_RUN(n, recording_run(data, n));
	return 0;
}
