// SPDX-License-Identifier: GPL-2.0-only
/*
 * formats.c - the input's lines are files of a PMU
 *
 * The first is format/a, the second format/b, the third events/e, the fourth
 * events/e.scale, the fifth an event as --add takes it.
 */
#include "frame.c"

/* Decodes the events of a PMU made of the lines. */
static void formats_run(const uint8_t *data, size_t n)
{
	static const char *const names[] = { "type", "format/a", "format/b", "events/e",
					     "events/e.scale" };
	const char *line = n ? (const char *)data : "", *end = line + n;
	struct buf b = { 0 };
	struct resolved d = { .pmu = (char *)(uintptr_t)"p" };
	char *terms;

	buf_puts(&b, "turbostat-recording 3\nstatic\nfile " PERF_DEVICES "p/type \"4\\n\"\n");
	for (size_t i = 1; i < ARRAY_SIZE(names); i++) {
		const char *newline = memchr(line, '\n', (size_t)(end - line));
		size_t len = (size_t)((newline ? newline : end) - line);
		char *path = textf(PERF_DEVICES "p/%s", names[i]);

		fuzz_file(&b, path, line, len);
		line += len + (newline != NULL);
	}
	buf_puts(&b, "done\nplan\ndone\nend\n");
	terms = textf("%.*s", (int)(end - line), line);
	fuzz_open(b.p, b.len);
	fill_bits(fuzz_string(data, n), ~0ull, d.event.config);
	for (size_t i = 0; i < 64; i += 21)
		fill_bits(fuzz_string(data, n), 1ull << i, d.event.config);
	parse_terms(&d, fuzz_string(data, n));
	find_event("p", "e", ALL_MODES);
	find_event("p", "a=1,b=0x7", ALL_MODES);
	if (*terms)
		find_event("p", terms, ALL_MODES);
	for (size_t i = 0; i < M.dev.nresolved; i++)
		if (!M.dev.resolved[i]->err && !(M.dev.resolved[i]->scale > 0))
			fuzz_fail("an event whose scale is not positive");
}

/* One input. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	if (n <= 65536)
		FUZZ_RUN(n, formats_run(data, n));
	return 0;
}
