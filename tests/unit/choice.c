// SPDX-License-Identifier: GPL-2.0-only
/* CHOICE: which source each counter has here */

/* The first way that serves some unit is chosen; why others are not is kept. */
static void test_chosen_way(void)
{
	struct counter ticks = { .name = "ticks",
				 .scope = CPU,
				 .way = { { .kind = BY_MSR },
					  { .kind = BY_ACCOUNTING, .scale = 0.01 } } };
	int lacking;

	small_machine();
	T.ncounters = 0;
	add_counter(&ticks);
	make_cells();
	P.nsources = 0;
	M.msr_error = EACCES;
	find_sources(0, false);
	CHECK(T.counter[0].chosen == &T.counter[0].way[1], "another way is chosen");
	SAME(T.counter[0].err[0], EACCES);
	CHECK(same_real(T.counter[0].scale, 0.01), "the scale is %g", T.counter[0].scale);
	SAME(count_served(0, &lacking), 8);
	SAME(lacking, 0);
	SAME(P.nsources, 8);
}

/* Why a way can serve no unit. */
static void test_begin_way(void)
{
	static const struct way msr = { .kind = BY_MSR }, perf = { .kind = BY_PERF };
	static const struct {
		int counter;
		struct way way;
		const struct way *mperf;	/* what MPERF is read by */
		u64 has, lost;
		double base;
		int want;
	} t[] = {
		/* clang-format off */
		{ CT_SMI, { .kind = BY_TSC }, NULL, 0, 0, 1e9, 0 },
		{ CT_SMI, { .kind = BY_TSC, .unless = F(PREWAKE) }, NULL, 0, 0, 1e9, 0 },
		{ CT_SMI, { .kind = BY_TSC, .unless = F(PREWAKE) }, NULL, F(PREWAKE), 0, 1e9, -ENOTSUP },
		{ CT_SMI, { .kind = BY_TSC, .needs = F(PC8) }, NULL, F(PC8), 0, 1e9, 0 },
		{ CT_SMI, { .kind = BY_TSC, .needs = F(PC8) }, NULL, 0, 0, 1e9, -ENOTSUP },
		{ CT_SMI, { .kind = BY_TSC, .needs = F(PC8) }, NULL, 0, F(PC8), 1e9, -EIO },
		{ CT_SMI, { .kind = BY_TSC, .needs = F(PC8) | F(PC9) }, NULL, 0, F(PC8), 1e9, -ENOTSUP },
		{ CT_TSC, { .kind = BY_PERF, .pmu = "none" }, &msr, 0, 0, 1e9, -ENOTSUP },
		{ CT_TSC, { .kind = BY_PERF, .pmu = "none" }, &perf, 0, 0, 1e9, -ENOENT },
		{ CT_TSC, { .kind = BY_TSC }, &msr, 0, 0, 1e9, 0 },
		{ CT_MPERF, { .kind = BY_TSC }, NULL, F(TSC_SCALE), 0, 1e9, 0 },
		{ CT_MPERF, { .kind = BY_TSC }, NULL, F(TSC_SCALE), 0, 0, -EDOM },
		{ CT_SMI, { .kind = BY_TSC }, NULL, F(TSC_SCALE), 0, 0, 0 },
		{ CT_SMI, { .kind = BY_MSR }, NULL, 0, 0, 1e9, -EACCES },
		/* clang-format on */
	};

	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		struct search s = { .counter = t[i].counter, .way = &t[i].way, .scale = 1 };
		int got;

		T = (struct tables){ 0 };
		small_machine();
		tables_init();
		M.has = t[i].has;
		M.refused = t[i].lost;
		M.refused_error = EIO;
		M.msr_error = EACCES;
		M.base_hz = t[i].base;
		T.counter[CT_MPERF].chosen = t[i].mperf;
		got = begin_way(&s);
		CHECK(got == t[i].want, "case %zu: %d, not %d", i, got, t[i].want);
	}
}

/* After four refusals without a success the other rows are not tried. */
static void test_refused_rows(void)
{
	/* of CPUs 0 to 7: r is read, - is not there, x is refused */
	static const struct { const char *rows; int served, err; } t[] = {
		{ "rrrrrrrr", 8, -ENOENT }, { "--------", 0, -ENOENT }, { "xxxr----", 1, -ENOENT },
		{ "xxxxr---", 0, -EPERM }, { "rxxxxxxr", 2, -EPERM }, { "x-x-x-xr", 0, -EPERM },
	};
	struct counter file = { .name = "file", .scope = CPU, .way = { FILE_AT("x") } };

	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		struct search s = { .counter = 0, .scale = 1 };
		struct buf b = { 0 };
		int err, served;

		buf_puts(&b, FIRST_LINE);
		for (int cpu = 0; cpu < 8; cpu++)
			if (t[i].rows[cpu] != '-')
				buf_printf(&b, "file /sys/devices/system/cpu/cpu%d/x %s\n", cpu,
					   t[i].rows[cpu] == 'r' ? "\"1\\n\"" : "!EPERM");
		buf_puts(&b, LAST_LINES);
		replay_text_of(b.p);
		small_machine();
		T.ncounters = 0;
		add_counter(&file);
		make_cells();
		P.nsources = 0;
		s.way = &T.counter[0].way[0];
		served = use_rows(&s, &err);
		CHECK(served == t[i].served && err == t[i].err, "%s: %d and %d, not %d and %d",
		      t[i].rows, served, err, t[i].served, t[i].err);
		free(b.p);
	}
}

/* What one count of a way is: RAPL's units are those of registers. */
static void test_scale_of(void)
{
	static const struct { struct way way; enum rapl_unit unit; double want; } t[] = {
		{ { .kind = BY_MSR }, PLAIN, 2 }, { { .kind = BY_MSR }, ENERGY_UNIT, 0.5 },
		{ { .kind = BY_PERF }, ENERGY_UNIT, 2 },
		{ { .kind = BY_PERF, .scale = 8 }, ENERGY_UNIT, 16 },
		{ { .kind = BY_FILE, .scale = 8 }, PLAIN, 16 },
	};

	small_machine();
	M.rapl_unit[ENERGY_UNIT] = 0.25;
	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		struct counter c = { .name = "x", .rapl_unit = t[i].unit };
		struct search s = { .counter = 0, .way = &t[i].way, .scale = 2 };

		T.ncounters = 0;
		add_counter(&c);
		CHECK(same_real(scale_of(&s), t[i].want), "case %zu: %g", i, scale_of(&s));
	}
}

/* Which counters have never counted: all registers of two packages are read. */
static void test_silence(void)
{
	static const struct way msr = { .kind = BY_MSR, .msr = 0x611 };
	static const struct way by_perf[2] = { { .kind = BY_PERF, .pmu = "box" },
					       { .kind = BY_MSR, .msr = 0x611 } };
	static const struct {
		int counter;
		const struct way *way;
		const char *first, *second;	/* register 0x611 of the packages */
		u64 has;
		const char *named;
		bool silent;
		int judged;
	} t[] = {
		{ CT_PKG_ENERGY, &msr, "0", "0", 0, NULL, true, SILENT },
		{ CT_PKG_ENERGY, &msr, "0", "1", 0, NULL, false, COUNTS },
		{ CT_PKG_ENERGY, &msr, "1", "!EIO", 0, NULL, false, COUNTS },
		{ CT_PKG_ENERGY, &msr, "!EIO", "0", 0, NULL, true, SILENT },
		{ CT_PKG_ENERGY, &msr, "!EIO", "!EIO", 0, NULL, false, NOT_JUDGED },
		/* only the bits of the counter count */
		{ CT_PKG_ENERGY, &msr, "100000000", "0", 0, NULL, true, SILENT },
		{ CT_PKG_ENERGY, &msr, "0", "0", 0, "PkgWatt", false, COUNTS },
		{ CT_PKG_ENERGY, &msr, "0", "0", 0, "RAMWatt", true, SILENT },
		{ CT_PKG_ENERGY, by_perf, "0", "0", 0, NULL, false, NOT_JUDGED },
		{ CT_PSYS_ENERGY, by_perf, "0", "0", 0, NULL, true, SILENT },
		{ CT_PSYS_ENERGY, by_perf, "5", "0", 0, NULL, false, COUNTS },
		{ CT_PSYS_ENERGY, by_perf, "!EIO", "!EIO", 0, NULL, false, NOT_JUDGED },
		{ CT_PSYS_ENERGY, by_perf, "!EIO", "!EIO", F(GUEST), NULL, true, SILENT },
		{ CT_SMI, &msr, "0", "0", 0, NULL, false, NOT_JUDGED },
		{ CT_SMI, &msr, "0", "0", F(GUEST), NULL, true, SILENT },
		{ CT_SMI, by_perf, "0", "0", F(GUEST), NULL, true, SILENT },
		{ CT_IRQ, &msr, "0", "0", F(GUEST), NULL, false, NOT_JUDGED },
	};

	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		struct selector show = { SHOW, (char *)t[i].named };
		char *text = textf(FIRST_LINE "msr * * ok\nmsr 0 611 %s\nmsr 4 611 %s\n"
				   LAST_LINES, t[i].first, t[i].second);
		struct pmu pmu = { .name = "box" };
		bool silent;

		replay_text_of(text);
		T = (struct tables){ 0 };
		small_machine();
		tables_init();
		M.dev.pmu = &pmu;
		M.dev.npmus = 1;
		M.has = t[i].has;
		M.msr_error = 0;
		O.selector = &show;
		O.nselectors = t[i].named ? 1 : 0;
		silent = judge_silence(t[i].counter, t[i].way);
		CHECK(silent == t[i].silent && (int)T.counter[t[i].counter].judged == t[i].judged,
		      "case %zu: %d, judged %d", i, silent, T.counter[t[i].counter].judged);
		O.nselectors = 0;
		M.dev.npmus = 0;
		free(text);
	}
	O.selector = NULL;
}

static const struct test choice_tests[] = {
	{ "silence", test_silence },
	{ "chosen-way", test_chosen_way },
	{ "begin-way", test_begin_way },
	{ "refused-rows", test_refused_rows },
	{ "scale", test_scale_of },
	{ 0 }
};
