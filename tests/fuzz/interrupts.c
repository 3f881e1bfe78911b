// SPDX-License-Identifier: GPL-2.0-only
/* interrupts.c - the input is /proc/interrupts of a machine of four CPUs */
#include "frame.c"

/* Sums the text, which ends where it ends, and counts its lines. */
static void interrupts_run(const uint8_t *data, size_t n)
{
	char *text = resize(NULL, n + 1, 1);

	if (n)
		memcpy(text, data, n);
	text[n] = '\0';
	M.n = 4;
	memset(M.row, -1, MAX_CPU * sizeof(int));
	for (int i = 0; i < 4; i++)
		M.row[i] = M.cpu[i] = i;
	samples_grow();
	sum_interrupts(text, n);
	for (const struct interrupts *p = R.kernel.interrupts; p < R.kernel.interrupts + 4; p++)
		if (!p->there && (p->sum[0] || p->sum[1]))
			fuzz_fail("a CPU that is not in the first line has interrupts");
	for (int cpu = NONE; cpu < 4; cpu++) {
		struct interrupt_counts c = count_interrupts(text, cpu);
		u64 sum = 0;

		for (size_t i = 0; i < c.n; i++) {
			interrupt_name(&c.of[i].line);
			sum += c.of[i].n;
		}
		if (cpu != NONE && strlen(text) == n && sum != R.kernel.interrupts[cpu].sum[0])
			fuzz_fail("the lines of a CPU do not add up to its sum");
		free_interrupt_counts(&c);
	}
}

/* One input. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	if (n <= 65536)
		FUZZ_RUN(n, interrupts_run(data, n));
	return 0;
}
