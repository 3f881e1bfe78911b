// SPDX-License-Identifier: GPL-2.0-only
/* cpulist.c - the input is a list of CPUs, or a number */
#include "frame.c"

/* Parses the text in every way; what is printed of a set is read as the same set. */
static void cpulist_run(const uint8_t *data, size_t n)
{
	const char *text = fuzz_string(data, n);
	struct cpuset set, again;
	double d;
	u64 v;

	if (!parse_cpulist(text, &set) &&
	    (parse_cpulist(set_text(&set), &again) || memcmp(&set, &again, sizeof(set))))
		fuzz_fail("a set is not what was printed of it");
	if (parse_double(text, &d) && !(d >= 0 && d < 1e15))
		fuzz_fail("a number out of range");
	parse_u64(text, 0, &v);
	parse_u64(text, 10, &v);
	parse_u64(text, 16, &v);
	parse_cpus(find_option('c'), text);
}

/* One input. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	if (n <= 65536)
		FUZZ_RUN(n, cpulist_run(data, n));
	return 0;
}
