// SPDX-License-Identifier: GPL-2.0-only
/* SAMPLE: one pass over the CPUs */

/* The count after a reading of a counter that wraps. */
static u64 extended(u64 last, u64 raw, u64 modulus)
{
	static const struct way way;
	struct source s = { .way = &way, .modulus = modulus, .last = last };

	store_value(&s, NONE, raw);
	return s.last;
}

/* A counter that wraps goes on. */
static void test_extend(void)
{
	static const struct { u64 last, raw, modulus, want; } t[] = {
		{ 0, 5, 1ull << 32, 5 }, { 0xfffffff0, 0x10, 1ull << 32, 0x100000010 },
		{ 0x1fffffff0, 0x10, 1ull << 32, 0x200000010 },
		{ 7, 7, 1ull << 32, 7 }, { 0x100000007, 7, 1ull << 32, 0x100000007 },
		{ 8, 7, 1ull << 32, 0x100000007 },
		{ 999, 1, 1000, 1001 }, { 262143328850, 10, 262143328851, 262143328861 },
		{ 5, 0, 1, 5 }, { 0, 0, 1, 0 }, { 3, 2, 2, 4 },
		{ 10, 1ull << 40, 1ull << 32, 1ull << 32 },
	};
	u64 seed = 1;

	add_counter(&(struct counter){ .name = "energy" });
	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		u64 got = extended(t[i].last, t[i].raw, t[i].modulus);

		CHECK(got == t[i].want, "%llu, then %llu modulo %llu: %llu, not %llu", t[i].last,
		      t[i].raw, t[i].modulus, got, t[i].want);
	}
	for (int bits = 1; bits < 64;
	     bits++) /* every width; and moduli that are no powers of two */
		for (int n = 0; n < 300; n++) {
			u64 modulus = n & 1 ? 1ull << bits
					    : next_random(&seed) % (1ull << bits) + 1;
			u64 last = next_random(&seed) >> 1, step = next_random(&seed) % modulus,
			    want = last + step;

			if (want < last)
				continue;
			CHECK(extended(last, want % modulus, modulus) == want,
			      "%llu + %llu modulo %llu", last, step, modulus);
		}
}

/* Raw values to kept ones. */
static void test_decode(void)
{
	static const struct { enum decode how; u64 raw; bool ok; u64 want; } t[] = {
		{ AS_IS, ~0ull, true, ~0ull },
		{ THERMAL, 0x88000000, true, 100 }, { THERMAL, 0x88320000, true, 50 },
		{ THERMAL, 0x88640000, true, 0 }, { THERMAL, 0x88690000, true, (u64)-5 },
		{ THERMAL, 0x08320000, false, 0 }, { THERMAL, 0, false, 0 },
		{ THERMAL, 0xffffffff88320000, true, 50 }, { THERMAL, 0x887f0000, true, (u64)-27 },
		{ MILLI, 45000, true, 45 }, { MILLI, 45999, true, 45 }, { MILLI, 0, true, 0 },
		{ MILLI, 150999, true, 150 }, { MILLI, 151000, false, 0 },
		{ MILLI, (u64)-12000, true, (u64)-12 }, { MILLI, (u64)-60000, true, (u64)-60 },
		{ MILLI, (u64)-60001, false, 0 }, { MILLI, 1ull << 63, false, 0 },
	};

	rows_of_cpus(2);
	become(VENDOR_INTEL, 6, 0x3c);	/* a readout of 7 bits */
	M.tjmax[0] = 100;
	M.tjmax[1] = 255;
	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		struct source op = { .way = &(struct way){ .decode = t[i].how } };
		u64 v = t[i].raw;
		bool ok = decode_value(&op, &v);

		CHECK(ok == t[i].ok && (!ok || v == t[i].want), "way %d, 0x%llx: %d, %llu",
		      t[i].how, t[i].raw, ok, v);
	}
	for (u64 below = 0; below < 128; below++) { /* 255 - 105 = 150 is the hottest that can be */
		struct source op = { .cpu = 1, .way = &(struct way){ .decode = THERMAL } };
		u64 v = 1ull << 31 | below << 16;

		CHECK(decode_value(&op, &v) == (below >= 105), "%llu below 255 C", below);
	}
	for (u64 v = 0; v < 2; v++)
		for (int of_user = 0; of_user < 2; of_user++) {
			struct way w = { .of_user = of_user };
			struct source op = { .kind = BY_FILE, .way = &w };
			u64 number = v ? (u64)-5 : 5;

			CHECK(decode_value(&op, &number) == (!v || of_user),
			      "a file %s: %lld", of_user ? "of the user's" : "", (i64)number);
			op.kind = BY_MSR;
			CHECK(decode_value(&op, &number), "a register with all its bits");
		}
	become(VENDOR_INTEL, 6, 0x8f);	/* 7 bits for a core, 8 for the package */
	for (u64 below = 0; below < 256; below++) { /* 100 - 160 = -60 is the coldest */
		struct source op = { .counter = CT_PKG_TEMP,
				     .way = &(struct way){ .decode = THERMAL } };
		u64 v = 1ull << 31 | below << 16;

		CHECK(decode_value(&op, &v) == (below <= 160), "%llu below 100 C", below);
	}
	/* bits of the readout */
	SAME(readout(0x88850000, false), 5);
	SAME(readout(0x88850000, true), 133);
}

/* Counts of events that shared a hardware counter: each interval is scaled by its own times. */
static void test_continue_count(void)
{
	static const struct {
		struct perf_value first, next;
		u64 want;
		enum { STOPPED, WENT_ON, ANEW } state;
		bool shared;
	} t[] = {
		{ { 100, 0, 0 }, { 150, 0, 0 }, 150, WENT_ON, false },
		{ { 100, 50, 50 }, { 200, 100, 100 }, 200, WENT_ON, false },
		{ { 100, 50, 50 }, { 200, 100, 75 }, 300, WENT_ON, true },
		{ { 100, 50, 25 }, { 200, 100, 75 }, 300, WENT_ON, false },
		{ { 100, 50, 50 }, { 100, 100, 50 }, 100, STOPPED, false },
		{ { 1000, 50, 50 }, { 1010, 100, 75 }, 1020, WENT_ON, true },
		{ { 1000, 50, 50 }, { 10, 100, 100 }, 1000, ANEW, false },
		{ { 1000, 50, 50 }, { 1001, 5, 5 }, 1000, ANEW, false },
	};

	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		struct member m = { .count.epoch = P.epoch };
		bool shared, known = continue_count(&m, &t[i].first, false, &shared);
		unsigned state;

		CHECK(known, "case %zu: the first reading is refused", i);
		known = continue_count(&m, &t[i].next, false, &shared);
		state = !known ? STOPPED : m.count.epoch == P.epoch && P.epoch ? ANEW : WENT_ON;
		P.epoch = 0;
		CHECK(state == t[i].state && (state != WENT_ON || shared == t[i].shared) &&
			      m.count.sum == t[i].want,
		      "case %zu: %d, %d, %llu, not %llu", i, state, shared, m.count.sum, t[i].want);
	}
}

/*
 * /proc/interrupts: gaps, short lines, long labels, no newline at the end, CPUs that are not
 * measured.
 */
static void test_interrupts(void)
{
	static const char label[] =
		"aaaaaaaaaabbbbbbbbbbccccccccccddddddddddeeeeeeeeee"
		"ffffffffffgggggggggghhhhhhhhhhiiiiiiiiiijjjjjjjjjj"
		"aaaaaaaaaabbbbbbbbbbccccccccccddddddddddeeeeeeeeee"
		"ffffffffffgggggggggghhhhhhhhhhiiiiiiiiiijjjjjjjjjj";
	static const struct { const char *text; u64 irq[4], nmi[4]; const char *valid; } t[] = {
		{ "", { 0 }, { 0 }, "0000" },
		{ "\n", { 0 }, { 0 }, "0000" },
		{ "           CPU0       CPU1       CPU2       CPU3\n"
		  "  0: 1 2 3 4  IO-APIC 2-edge timer\nNMI: 5 6 7 8 Non-maskable interrupts\n",
		  { 6, 8, 10, 12 }, { 5, 6, 7, 8 }, "1111" },
		/* no newline at the end */
		{ "CPU0 CPU1 CPU2 CPU3\n0: 1 2 3 4", { 1, 2, 3, 4 }, { 0 }, "1111" },
		{ "CPU0 CPU1 CPU2 CPU3\n0: 1 2 3 4\nNM", { 1, 2, 3, 4 }, { 0 }, "1111" },
		{ "CPU0 CPU1 CPU2 CPU3", { 0 }, { 0 }, "1111" },
		/* CPU 1 and 3 are offline */
		{ "CPU0 CPU2\n0: 1 2 IO-APIC\n", { 1, 0, 2, 0 }, { 0 }, "1010" },
		{ "CPU3 CPU0\n0: 1 2 IO-APIC\n", { 2, 0, 0, 1 }, { 0 }, "1001" },
		/* not measured, out of range */
		{ "CPU0 CPU4 CPU9999 CPU1\n0: 1 20 30 4\n", { 1, 4, 0, 0 }, { 0 }, "1100" },
		{ "CPU0 CPU99999999999999999999 CPU1\n0: 1 30 4\n", { 1, 4, 0, 0 }, { 0 }, "1100" },
		{ "CPU0 CPU CPU1\n0: 1 30 4\n", { 1, 4, 0, 0 }, { 0 }, "1100" },
		/* lines of one number */
		{ "CPU0 CPU1 CPU2 CPU3\nERR: 7\nMIS: 3\n", { 10, 0, 0, 0 }, { 0 }, "1111" },
		/* short and long lines */
		{ "CPU0 CPU1 CPU2 CPU3\n0: 1 2\n1: 1 2 3 4 5 6\n", { 2, 4, 3, 4 }, { 0 }, "1111" },
		{ "CPU0 CPU1\n0: 1 2  IO-APIC 8-edge rtc0\n\n\n:\n::: 5\n1:\n2: \n3: x 4\n"
		  "no colon 7 8\n", { 1, 2, 0, 0 }, { 0 }, "1100" },
		{ "CPU0 CPU1\nNMI: 1 2\nNMIX: 10 20\nXNMI: 100 200\n", { 111, 222, 0, 0 },
		  { 1, 2, 0, 0 }, "1100" },
		/* sums wrap */
		{ "CPU0 CPU1\n0: 18446744073709551615 1\n1: 1 1\n", { 0, 2, 0, 0 }, { 0 }, "1100" },
		{ "CPU0 CPU1\n0:\t1 2\n", { 0 }, { 0 }, "1100" },
		{ "no header at all\n0: 1 2\n", { 0 }, { 0 }, "0000" },
	};
	char *long_line = textf(
		"CPU0 CPU1 CPU2 CPU3\n%s: 1 2 3 4 x\n5: 1 1 1 1  %s %s\nNMI: 9 9 9 9\n", label,
		label, label);

	rows_of_cpus(4);
	for (size_t i = 0; i <= ARRAY_SIZE(t); i++) {
		static const u64 sums[4] = { 11, 12, 13, 14 }, nines[4] = { 9, 9, 9, 9 };
		bool last = i == ARRAY_SIZE(t);
		const char *text = last ? long_line : t[i].text;
		const u64 *irq = last ? sums : t[i].irq, *nmi = last ? nines : t[i].nmi;
		char *copy = malloc(strlen(text) +
				    1); /* just as long as it is, for the sanitizer */

		memcpy(copy, text, strlen(text) + 1);
		sum_interrupts(copy, strlen(copy));
		for (int c = 0; c < 4; c++) {
			const struct interrupts *seen = &R.kernel.interrupts[c];

			CHECK(seen->sum[0] == irq[c] && seen->sum[1] == nmi[c],
			      "case %zu, CPU %d: %llu and %llu, not %llu and %llu", i, c,
			      seen->sum[0], seen->sum[1], irq[c], nmi[c]);
			CHECK(seen->there == ((last ? "1111" : t[i].valid)[c] == '1'),
			      "case %zu, CPU %d: valid %d", i, c, seen->there);
		}
		free(copy);
	}
	free(long_line);
}

/* A header of more CPUs than there can be. */
static void test_many_interrupts(void)
{
	struct buf b = { 0 };

	rows_of_cpus(MAX_CPU);
	for (int i = 0; i < 2 * MAX_CPU; i++)
		buf_printf(&b, " CPU%d", i);
	buf_puts(&b, "\nLOC:");
	for (int i = 0; i < 2 * MAX_CPU; i++)
		buf_printf(&b, " %d", i);
	buf_puts(&b, "  Local timer interrupts\n");
	sum_interrupts(b.p, b.len);
	for (int i = 0; i < MAX_CPU; i++)
		CHECK(R.kernel.interrupts[i].sum[0] == (u64)i, "CPU %d: %llu", i,
		      R.kernel.interrupts[i].sum[0]);
	free(b.p);
}

/*
 * When units come the newest sample says of each CPU what it said before; one that has come was
 * not visited.
 */
static void test_samples_grown(void)
{
	add_counter(&(struct counter){ .name = "first", .scope = CPU, .needed = true });
	rows_of_cpus(2);
	R.interval.tsc_hz = 2e9;
	R.interval.value[0][1] = 5;
	R.interval.valid[0][1] = VALID;
	R.sample[1].stay[1] = (struct stay){ .begin.mono = 101, .visited = true };
	append(M.unit[CPU], M.nunits[CPU])->lead = NONE;
	samples_grow();
	CHECK(same_real(R.interval.tsc_hz, 2e9), "%g Hz", R.interval.tsc_hz);
	SAME(R.interval.value[0][1], 5);
	SAME(R.interval.valid[0][1], VALID);
	SAME(R.interval.valid[0][2], UNKNOWN);
	SAME(R.sample[1].stay[1].begin.mono, 101);
	SAME(R.sample[1].stay[1].visited, true);
	SAME(R.sample[1].stay[2].visited, false);
	SAME(R.interval.span[CPU][2].cpu, 0);
}

/* A tick reads the counters that wrap: no levels, nor what has 64 bits. */
static void test_due_in_tick(void)
{
	static const struct way reg = { .kind = BY_MSR };
	static const struct { enum kind_of_counter kind; u8 bits; u64 modulus; } t[] = {
		{ COUNT, 32, 1ull << 32 }, { GAUGE, 32, 0 }, { COUNT, 64, 0 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		rows_of_cpus(1);
		T.ncounters = 0;
		add_counter(&(struct counter){ .name = "test", .scope = CPU, .kind = t[i].kind,
					       .bits = t[i].bits });
		make_cells();
		SAME(add_one(0, 0, &reg, 0)->modulus, t[i].modulus);
	}
}

/* Reads a group in the next pass. */
static void read_next(struct event_group *g, i64 now)
{
	R.pass++;
	read_group(g, now);
}

/*
 * Lost events are opened again and read at once: one interval is lost.  Busy ones are retried.
 */
static void test_lost_events(void)
{
	struct event_group *g;
	struct source *s;
	struct pmu pmu;
	struct perf_value values[MAX_GROUP];
	int other[2], errors[MAX_GROUP];
	u32 epoch;

	small_machine_with_events(&pmu, NULL);
	CHECK(!open_two(0, 0), "events are refused");
	g = P.on[0].groups;
	s = &P.source[1];
	fake.count = 1000;
	fake.enabled = 100;
	read_next(g, 0);
	read_source(s, 0);
	epoch = s->valid[0];
	CHECK(epoch && s->value[0] == 1000, "the first reading: %llu", s->value[0]);
	R.pass++;
	s->valid[0] = 0;
	read_source(s, 0);
	CHECK(!s->valid[0], "what was not read has a value");
	/* what is opened anew begins now, however long the events were enabled before */
	g->read_at = 1;
	fake.gone = true;
	fake.count = 3;
	fake.enabled = 1;
	read_next(g, 10 * NS_PER_S);
	g->read_at = 0;
	read_source(s, 0);
	CHECK(s->valid[0] && s->valid[0] != epoch && fake.opened == 4,
	      "after a blink: %u, %d opened", s->valid[0], fake.opened);
	fake.count = 53;
	fake.enabled = 51;
	read_next(g, 0);
	read_source(s, 1);
	CHECK(s->valid[1] == s->valid[0] && s->value[1] == 1050, "the interval after it: %llu",
	      s->value[1]);
	/* they must be enabled for about as long as it is between two readings */
	read_next(g, 20 * NS_PER_S);
	read_next(g, 20 * NS_PER_S + 9000000);
	read_next(g, 20 * NS_PER_S);
	fake.enabled += 6190000000;
	read_next(g, 20 * NS_PER_S + 6400000000);
	SAME(fake.opened, 4);
	fake.enabled += 6190000000 - 1;
	read_next(g, 20 * NS_PER_S + 2 * 6400000000);
	SAME(fake.opened, 6);
	fake.gone = true;
	fake.refuse = -EBUSY;
	read_next(g, 0);
	CHECK(g->member[1].pass < R.pass, "busy events are known");
	CHECK(g->dead, "busy events have a value");
	/* the error is that of the open */
	read_events(g, 0, values, errors);
	SAME(errors[0], -EBUSY);
	SAME(errors[1], -EBUSY);
	fake.refuse = 0;
	/* their descriptors are somebody else's now */
	for (int i = 0; i < 2; i++)
		other[i] = text_file("text", 4);
	read_next(g, 0);
	for (int i = 0; i < 2; i++)
		CHECK(same_text(file_text(other[i]), "text"), "what is closed is closed again");
	/* busy events are tried again */
	SAME(g->member[1].pass, R.pass);
	SAME(g->dead, 0);
}

/*
 * Cells of the usual width, runs of zeros, and cells that are too wide: the sums are those of the
 * numbers.
 */
static void test_interrupt_cells(void)
{
	enum { CPUS = 21, LINES = 40 };
	static const char *const names[] = { "  0", "NMI", "TRM", "4000" };
	u64 want[NSUMS][CPUS] = { { 0 } }, x = 1;
	struct buf b = { 0 };

	rows_of_cpus(CPUS);
	for (int cpu = 0; cpu < CPUS; cpu++)
		buf_printf(&b, "       CPU%d", cpu);
	for (int line = 0; line < LINES; line++) {
		buf_printf(&b, "\n%4s:", names[line % 4]);
		for (int cpu = 0; cpu < CPUS; cpu++) {
			u64 v;

			x = x * 6364136223846793005ull + 1442695040888963407ull;
			v = line % 5 == 4   ? 0
			    : line % 5 == 3 ? x >> 28
			    : (x >> 60) < 9 ? 0
					    : (x >> 32) >> (x >> 59);
			buf_printf(&b, line % 7 == 6 ? " %llu" : " %10llu", v);
			want[ALL_INTERRUPTS][cpu] += v;
			if (line % 4 == 1 || line % 4 == 2)
				want[line % 4][cpu] += v;
		}
		buf_puts(&b, line % 3 ? "   IO-APIC   2-edge      timer" : "");
	}
	buf_puts(&b, "\n ERR:          7\n");
	want[ALL_INTERRUPTS][0] += 7;
	sum_interrupts(b.p, b.len);
	for (int i = 0; i < NSUMS; i++)
		for (int cpu = 0; cpu < CPUS; cpu++)
			CHECK(R.kernel.interrupts[cpu].sum[i] == want[i][cpu],
			      "sum %d, CPU %d: %llu, not %llu", i, cpu,
			      R.kernel.interrupts[cpu].sum[i], want[i][cpu]);
	CHECK(R.kernel.has_thermal, "the line TRM is not seen");
}

/* Lines of /proc/interrupts: their labels, names, and counts of one CPU or of all. */
static void test_interrupt_lines(void)
{
	static const struct { const char *text; int cpu; const char *want; } t[] = {
		{ "", 0, "" },
		{ "", NONE, "" },
		{ "     CPU0       CPU2\n  7:          5          6  IO-APIC 7-edge timer\n"
		  "LOC: 1 2 Local timer interrupts\n", 2, "7 timer 6, LOC LOC 2, " },
		{ "CPU0 CPU2\n7: 5 6 timer\n", 1, "" },
		{ "CPU0 CPU2\n7: 5 6 timer\n", NONE, "7 timer 11, " },
		/* no name, blanks and a return at the end, no newline, no number */
		{ "CPU0 CPU2\n7: 5 6\n8: 5 6  a b  \r\n107: 5", 2, "7 7 6, 8 b 6, 107 107 0, " },
		{ "CPU0 CPU1\nNMI: 3 4 Non-maskable interrupts\nTRM: 0 9\nERR: 1\n", 1,
		  "NMI NMI 4, TRM TRM 9, ERR ERR 0, " },
		{ "CPU0\n\n:\nx\n", 0, "  0,   0, x x 0, " },
	};

	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		struct interrupt_counts c = count_interrupts(t[i].text, t[i].cpu);
		struct buf b = { 0 };

		buf_puts(&b, "");
		for (size_t k = 0; k < c.n; k++)
			buf_printf(&b, "%.*s %s %llu, ", c.of[k].line.label_length,
				   c.of[k].line.label, interrupt_name(&c.of[k].line), c.of[k].n);
		CHECK(!strcmp(b.p, t[i].want), "case %zu: '%s', not '%s'", i, b.p, t[i].want);
		free(b.p);
		free_interrupt_counts(&c);
	}
}

/* Sums /proc/interrupts of eight CPUs; one of them had this many thermal interrupts. */
static void thermal_interrupts(int cpu, int n)
{
	char *text = textf("CPU0 CPU1 CPU2 CPU3 CPU4 CPU5 CPU6 CPU7\nTRM: %*s%d 0 0 0 0 0 0 0\n",
			   2 * cpu, "", n);

	for (int i = 0; i < cpu; i++)
		memcpy(strstr(text, "TRM: ") + 5 + 2 * i, "0 ", 2);
	R.pass++;
	sum_interrupts(text, strlen(text));
	free(text);
}

/*
 * The throttle count of a core is read when one of its CPUs has had a thermal interrupt, and now
 * and then.
 */
static void test_throttled(void)
{
	struct source s = { .counter = CT_CORE_THROTTLE, .cpu = 2, .unit = 1 };
	struct source other = { .counter = CT_CORE_THROTTLE, .cpu = 4, .unit = 2 };

	small_machine();
	P.interrupts_fd = 0;
	thermal_interrupts(0, 0);
	CHECK(!keep_value(&s, 1), "not read at the start");
	s.pass = other.pass = R.pass;
	thermal_interrupts(0, 0);
	s.value[0] = 57;
	s.valid[0] = 7;
	CHECK(keep_value(&s, 1), "read again");
	SAME(s.value[1], 57);
	SAME(s.valid[1], 7);
	thermal_interrupts(3, 1);	/* the second thread of the core that row 2 leads */
	CHECK(!keep_value(&s, 0), "not read after an interrupt");
	other.valid[1] = 7;
	CHECK(keep_value(&other, 0), "a core without an interrupt is read");
	s.valid[0] = 0;
	thermal_interrupts(3, 1);
	CHECK(!keep_value(&s, 1), "not read though the last reading failed");
	s.valid[0] = 7;
	CHECK(keep_value(&s, 1), "read again");
	R.kernel.interrupts[3].there = false;	/* the file does not list its CPU: who knows */
	CHECK(!keep_value(&s, 1), "not read where its interrupts are not known");
	R.kernel.interrupts[3].there = true;
	while (R.pass < s.pass + 9)
		thermal_interrupts(3, 1);
	CHECK(keep_value(&s, 1), "read before the tenth pass");
	thermal_interrupts(3, 1);
	CHECK(!keep_value(&s, 1), "not read at the tenth pass");
	s.pass = R.pass;
	S.records = true;
	CHECK(!keep_value(&s, 1), "not read for a recording");
	S.records = false;
	s.valid[0] = 7;
	CHECK(keep_value(&s, 1), "read after it was read");
	R.kernel.has_thermal = false;
	CHECK(!keep_value(&s, 1), "not read where the kernel does not count the interrupts");
}

/* The time stamp of a sample is of that sample, whether or not the main CPU was read in it. */
static void test_sample_tsc(void)
{
	static const struct way by_tsc = { .kind = BY_TSC };

	rows_of_cpus(3);
	tables_init();
	P.nsources = 0;
	make_cells();
	for (int unit = 0; unit < 3; unit++)
		add_one(CT_TSC, unit, &by_tsc, 0);
	M.main_cpu = 1;
	order_sources();
	for (int cpu = 0; cpu < 3; cpu++)
		P.on[cpu].moves = false;
	next_tsc = 1000;
	take_sample(&R.sample[0]);
	SAME(R.sample[0].tsc, 2000);	/* of CPU 1, which is read before CPU 2 */
	M.main_cpu = 0;
	M.n = 1;
	/* the CPU cannot be moved to, and what is read is that of where we are */
	P.on[0].moves = true;
	immovable = 1;
	take_sample(&R.sample[0]);
	SAME(R.sample[0].stay[0].visited, 1);
	SAME(R.sample[0].tsc, 4000);
	/* a CPU that was offline in between has thrown us out: each sample moves */
	immovable = moves = 0;
	take_sample(&R.sample[0]);
	take_sample(&R.sample[0]);
	SAME(moves, 2);
}

/* Where perf counts the TSC, that of a sample is the main CPU's, or not known; never another. */
static void test_sample_tsc_by_perf(void)
{
	static const struct way by_perf = PERF("msr", "tsc");
	struct member member = { .count = { .sum = 75, .epoch = 7 }, .pass = 1 };
	struct event_group g = { .member = &member };
	struct source tsc = { .counter = CT_TSC, .way = &by_perf, .kind = BY_PERF, .group = &g };

	small_machine();
	tables_init();
	make_cells();
	next_tsc = 1000;
	M.main_cpu = 0;
	P.source = &tsc;
	P.nsources = 1;
	take_sample(&R.sample[0]);
	SAME(R.sample[0].tsc, 75);
	SAME(R.sample[0].tsc_epoch, 7);
	take_sample(&R.sample[0]);	/* it is not read any more */
	SAME(R.sample[0].tsc, 0);
	SAME(R.sample[0].tsc_epoch, 0);
	P.nsources = 0;
	take_sample(&R.sample[0]);
	SAME(R.sample[0].tsc, 1000);
}

/*
 * A tick continues the counters that wrap; it skips CPUs that it must move to and cannot.  It
 * stores no sample.  Only the counter's bits of a register show whether it has counted.
 */
static void test_tick_moves(void)
{
	static const struct way reg = REG(0, 0);
	struct counter energy = { .name = "energy", .scope = CPU, .bits = 32, .wrap_joules = 1 };
	struct source *s;
	u32 epoch;
	u64 fake_register;

	rows_of_cpus(1);
	add_counter(&energy);
	make_cells();
	s = add_one(0, 0, &reg, 0);
	order_sources();
	msr_device = "/dev/null";
	every_register = &fake_register;
	fake_register = 5;
	take_tick();
	SAME(moves, 0);
	SAME(s->last, 5);
	P.on[0].moves = true;
	fake_register = 3;
	take_tick();
	SAME(moves, 1);
	SAME(s->last, (1ull << 32) + 3);
	immovable = 1;
	S.cpu = -1;
	fake_register = 9;
	take_tick();
	SAME(s->last, (1ull << 32) + 3);
	SAME(s->valid[0], 0);
	/* the fifth time that it is read no more: another epoch begins */
	for (int i = 0; i < 3; i++)
		take_tick();
	epoch = s->epoch;
	store_value(s, 0, 9);
	SAME(s->valid[0], epoch);
	for (int i = 0; i < 5; i++)
		take_tick();
	immovable = 0;
	take_tick();
	store_value(s, 1, 9);
	CHECK(s->valid[1] > epoch, "epoch %u after %u", s->valid[1], epoch);
	take_tick();
	store_value(s, 0, 9);
	SAME(s->valid[0], s->valid[1]);
	/* counters of no energy, such as SMIs, continue, without a note about energy */
	T.counter[0].wrap_joules = 0;
	R.pass += 9;
	store_value(s, 1, 9);
	SAME(s->valid[0], s->valid[1]);
	fake_register = 7ull << 32;
	T.counter[0].rapl_unit = ENERGY_UNIT;
	CHECK(judge_silence(0, &reg), "bits above the counter's count");
	T.counter[0].judged = NOT_JUDGED;
	M.msr_error = EACCES;
	CHECK(!judge_silence(0, &reg), "it is not refused");
}

/* If reading /proc/interrupts fails halfway, the counts of all CPUs are unknown. */
static void test_broken_interrupts(void)
{
	every_text = "           CPU0       CPU1\n  0:          7          8\n";
	small_machine();
	read_interrupts();
	SAME(R.kernel.interrupts[1].there, 1);
	SAME(R.kernel.interrupts[1].sum[ALL_INTERRUPTS], 8);
	pread_error = EIO;
	read_interrupts();
	SAME(R.kernel.interrupts[0].there, 0);
	SAME(R.kernel.interrupts[1].there, 0);
	every_text = "cpu  9 9\ncpu0 1 2 4 8 16 32 64 128\n";
	M.allowed.w[0] = 3;
	R.pass++;
	read_accounting();
	SAME(R.kernel.accounting[0].pass, 0);	/* nor does that of /proc/stat */
	pread_error = 0;
	read_accounting();
	SAME(R.kernel.accounting[0].pass, R.pass);
}

/* Ticks never fall; a CPU that /proc/stat does not list has none. */
static void test_accounting(void)
{
	static const struct {
		const char *text;
		struct { int err; u64 all, busy; } cpu[2];
	} t[] = {
		{ "cpu  9 9\ncpu0 1 2 4 8 16 32 64 128\ncpu1 3 0 0 5\nintr 1\n",
		  { { 0, 255, 103 }, { 0, 8, 3 } } },
		{ "cpu  9 9\ncpu0 2 2 4 7 16 32 64 128\nintr 1\n",
		  { { 0, 256, 104 }, { -ENOENT, 0, 0 } } },
		{ NULL, { { -ENOENT, 0, 0 }, { -ENOENT, 0, 0 } } },
		{ "cpu0 2 2 4 9 16 32 64 128\ncpu1 4 0 0 5\n", { { 0, 258, 104 }, { 0, 9, 4 } } },
	};

	M.allowed.w[0] = 3;
	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		every_text = t[i].text;
		pread_error = every_text ? 0 : EACCES;
		R.pass++;
		read_accounting();
		for (int cpu = 0; cpu < 2; cpu++) {
			const struct accounting *a = &R.kernel.accounting[cpu];

			SAME(a->pass == R.pass ? 0 : -ENOENT, t[i].cpu[cpu].err);
			CHECK(a->pass != R.pass || (a->sum[0] == t[i].cpu[cpu].all &&
					    a->sum[1] == t[i].cpu[cpu].busy),
			      "text %zu, CPU %d: %llu, busy %llu", i, cpu, a->sum[0], a->sum[1]);
		}
	}
}

static const struct test sample_tests[] = {
	{ "extend", test_extend },
	{ "decode", test_decode },
	{ "continue-count", test_continue_count },
	{ "interrupts", test_interrupts },
	{ "many-interrupts", test_many_interrupts },
	{ "samples-grown", test_samples_grown },
	{ "due-in-tick", test_due_in_tick },
	{ "lost-events", test_lost_events },
	{ "interrupt-cells", test_interrupt_cells },
	{ "interrupt-lines", test_interrupt_lines },
	{ "throttled", test_throttled },
	{ "sample-tsc", test_sample_tsc },
	{ "sample-tsc-by-perf", test_sample_tsc_by_perf },
	{ "tick-moves", test_tick_moves },
	{ "broken-interrupts", test_broken_interrupts },
	{ "accounting", test_accounting },
	{ 0 }
};
