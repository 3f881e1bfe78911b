// SPDX-License-Identifier: GPL-2.0-only
/* MATH: differences, folds, formulas */

/* The difference of two values. */
static void test_difference(void)
{
	static const struct way interrupts = { .kind = BY_INTERRUPTS }, reg = { .kind = BY_MSR };
	struct counter c = { .bits = 32, .chosen = &interrupts },
		       msr = { .bits = 32, .chosen = &reg };
	struct counter none = { .bits = 64 };
	struct interval iv = { .seconds = 10 };
	static const struct { u64 old, new; bool irq; u64 want; bool other; } t[] = {
		{ 0, 0, true, 0, true }, { 1, 5, true, 4, true },
		{ 5, 1, false, 0xfffffffc, false }, { 0xffffffff, 0, true, 1, false },
		{ 0x1fffffff0, 0x100000005, true, 0x15, false },
		{ 0, ~0ull, false, 0xffffffff, false }, { 7, 7, true, 0, true },
		{ ~0ull, 4, true, 5, true },
	};

	tables_init();
	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		u64 d;

		CHECK(find_difference(&iv, &c, iv.seconds, t[i].old, t[i].new, &d) == t[i].irq &&
			      d == t[i].want,
		      "interrupts %llu to %llu: %llu", t[i].old, t[i].new, d);
		CHECK(find_difference(&iv, &msr, iv.seconds, t[i].old, t[i].new, &d) ==
				      t[i].other &&
			      (!t[i].other || d == t[i].want),
		      "%llu to %llu: %llu", t[i].old, t[i].new, d);
		CHECK(find_difference(&iv, &none, iv.seconds, t[i].old, t[i].new, &d) == t[i].other,
		      "no way: %llu to %llu", t[i].old, t[i].new);
	}
}

/* An interval of the small machine without a valid cell; every counter has a source. */
static struct interval empty_interval(void)
{
	struct interval iv;

	for (int k = 0; k < T.ncounters; k++) {
		T.counter[k].chosen = T.counter[k].way;
		T.counter[k].needed = true;
	}
	R.interval = (struct interval){ 0 };
	samples_grow();
	iv = R.interval;
	R.interval = (struct interval){ 0 };
	for (enum scope s = 0; s < NSCOPES; s++)
		for (int u = 0; u < M.nunits[s]; u++)
			iv.span[s][u].known = true;
	return iv;
}

/* A sample of the small machine without any reading. */
static struct sample empty_sample(int slot)
{
	struct sample s;

	R.interval = (struct interval){ 0 };
	R.sample[slot] = (struct sample){ .slot = slot };
	samples_grow();
	s = R.sample[slot];
	R.sample[slot] = (struct sample){ .slot = slot };
	return s;
}

/* The difference of a counter in the unit of a row, and whether it is known. */
static u64 *value_at(struct interval *iv, int row, int k)
{
	return &iv->value[k][M.in[T.counter[k].scope][row]];
}

static u8 *valid_at(struct interval *iv, int row, int k)
{
	return &iv->valid[k][M.in[T.counter[k].scope][row]];
}

/* Folds over units, with cells that are not valid. */
static void test_gather(void)
{
	static const struct {
		enum scope scope;
		enum fold fold;
		const char *cells;
		enum scope view;
		int row;
		bool ok;
		u64 want;
	} t[] = {
		/* cells: one digit for each row, '-' = not valid */
		{ CPU, SUM, "12345678", SYSTEM, 0, true, 36 },
		{ CPU, MEAN, "12345678", SYSTEM, 0, true, 4 },
		{ CPU, MAX, "12345678", SYSTEM, 0, true, 8 },
		{ CPU, SUM, "1-3-5-7-", SYSTEM, 0, true, 16 },
		{ CPU, MEAN, "1-3-5-7-", SYSTEM, 0, true, 4 },
		{ CPU, MAX, "9-3-5-7-", SYSTEM, 0, true, 9 },
		{ CPU, SUM, "--------", SYSTEM, 0, false, 0 },
		{ CPU, MEAN, "--------", SYSTEM, 0, false, 0 },
		{ CPU, MAX, "--------", SYSTEM, 0, false, 0 },
		{ CPU, MEAN, "-------6", SYSTEM, 0, true, 6 },
		{ CPU, SUM, "00000000", SYSTEM, 0, true, 0 },
		{ CPU, SUM, "12345678", PACKAGE, 0, true, 10 },
		{ CPU, SUM, "12345678", PACKAGE, 4, true, 26 },
		{ CPU, MEAN, "12--5678", PACKAGE, 0, true, 1 },
		{ CPU, SUM, "----5678", PACKAGE, 0, false, 0 },
		{ CPU, SUM, "12345678", DIE, 2, true, 7 },
		{ CPU, MAX, "12345678", CORE, 6, true, 8 },
		{ CPU, SUM, "12345678", CPU, 3, true, 4 },
		{ CPU, SUM, "123-5678", CPU, 3, false, 0 },
		{ CORE, SUM, "1-3-5-7-", SYSTEM, 0, true, 16 },
		{ CORE, SUM, "19395979", SYSTEM, 0, true, 16 },
		{ CORE, MEAN, "1-3-5-7-", SYSTEM, 0, true, 4 },
		{ CORE, MAX, "1-3-5---", PACKAGE, 4, true, 5 },
		{ CORE, MEAN, "1-------", PACKAGE, 4, false, 0 },
		{ CORE, SUM, "1-3-5-7-", CPU, 3, true, 3 },
		{ CORE, SUM, "1---5-7-", CPU, 3, false, 0 },
		{ DIE, SUM, "1-3-5---", PACKAGE, 0, true, 4 },
		{ DIE, MEAN, "1-3-5---", PACKAGE, 0, true, 2 },
		{ DIE, SUM, "1-3-5---", PACKAGE, 4, true, 5 },
		{ DIE, SUM, "1---5---", PACKAGE, 0, true, 1 },
		{ DIE, SUM, "1-3-5---", SYSTEM, 0, true, 9 },
		{ DIE, MEAN, "1-3-8---", SYSTEM, 0, true, 4 },
		{ PACKAGE, SUM, "1---5---", SYSTEM, 0, true, 6 },
		{ PACKAGE, MEAN, "1---5---", SYSTEM, 0, true, 3 },
		{ PACKAGE, MAX, "5---1---", SYSTEM, 0, true, 5 },
		{ PACKAGE, MEAN, "----5---", SYSTEM, 0, true, 5 },
		{ PACKAGE, SUM, "1---5---", CPU, 6, true, 5 },
		{ PACKAGE, SUM, "1-------", CPU, 6, false, 0 },
		{ SYSTEM, SUM, "7-------", SYSTEM, 0, true, 7 },
		{ SYSTEM, MEAN, "7-------", PACKAGE, 4, true, 7 },
		{ SYSTEM, MEAN, "-7------", CPU, 7, false, 0 },
	};
	struct counter c = { .name = "test" };
	struct interval iv;

	small_machine();
	while (T.ncounters <= CT_TSC)	/* it is read with all of them */
		add_counter(&c);
	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		struct view v;
		struct reading r = { 0 };
		u64 got;
		bool ok;

		T.counter[1].scope = t[i].scope;
		T.counter[1].fold = t[i].fold;
		iv = empty_interval();
		for (int row = 0; row < 8; row++)
			if (!leads_unit(t[i].scope, row)) {
				;
			} else if (t[i].cells[row] != '-') {
				*value_at(&iv, row, 1) = (u64)(t[i].cells[row] - '0');
				*valid_at(&iv, row, 1) = VALID;
			} else {
				*value_at(&iv, row, 1) = 1000;	/* must not count */
			}
		v = view_unit(&iv, t[i].view, t[i].row);
		ok = gather_reading(&v, 1, 1, T.counter[1].scope, &r);
		got = r.value;
		CHECK(ok == t[i].ok && (!ok || got == t[i].want),
		      "case %zu (%s of %s by %s in %s %d): %d, %llu, not %llu", i,
		      (const char *[]){ "sum", "mean", "max" }[t[i].fold], t[i].cells,
		      scope_names[t[i].scope], scope_names[t[i].view], t[i].row, ok, got,
		      t[i].want);
	}
}

/*
 * The time of a unit is that between two readings of it, the TSC beside it that of its lead; of
 * one whose TSC is not known it is the mean of all.  Two CPUs' TSCs have no difference.
 */
static void test_span_of_unit(void)
{
	struct counter c = { .name = "test", .scope = PACKAGE };
	struct sample old, new;
	struct span *span;
	struct interval iv;
	int unit;

	small_machine();
	while (T.ncounters <= CT_TSC)
		add_counter(&c);
	T.counter[CT_TSC].scope = CPU;
	iv = empty_interval();
	iv.old = &old;
	iv.new = &new;
	old = empty_sample(0);
	new = empty_sample(1);
	unit = M.in[PACKAGE][4];
	span = &iv.span[PACKAGE][unit];
	for (int row = 0; row < 8; row++) {
		*value_at(&iv, row, CT_TSC) = 10 * (u64)row;
		*valid_at(&iv, row, CT_TSC) = VALID;
		old.stay[M.in[CPU][row]].begin.mono = row * NS_PER_S;
		new.stay[M.in[CPU][row]].begin.mono = (10 + row) * NS_PER_S;
	}
	span->cpu = 1 + M.in[CPU][4];
	compute_spans(&iv, PACKAGE, 0);
	find_cycles(&iv, PACKAGE);
	CHECK(span->known && span->tsc == 40 && same_real(span->seconds, 10), "%llu in %g s",
	      span->tsc, span->seconds);
	*valid_at(&iv, 4, CT_TSC) = UNKNOWN;
	compute_spans(&iv, PACKAGE, 3);
	find_cycles(&iv, PACKAGE);
	CHECK(span->known && span->tsc == 50 && same_real(span->seconds, 13), "%llu in %g s",
	      span->tsc, span->seconds);
	span->cpu = 1 + M.in[CPU][7];
	compute_spans(&iv, PACKAGE, 0);
	find_cycles(&iv, PACKAGE);
	CHECK(!span->known && same_real(span->seconds, 7), "%llu in %g s", span->tsc,
	      span->seconds);
	SAME(span->cpu, 1 + M.in[CPU][4]);
	CHECK(!span->gone && !iv.gone[PACKAGE], "a unit with CPUs has gone");
	M.unit[PACKAGE][unit].lead = NONE;
	compute_spans(&iv, PACKAGE, 0);
	find_cycles(&iv, PACKAGE);
	CHECK(span->gone && iv.gone[PACKAGE] && !span->cpu, "a unit without CPUs is there");
	compute_spans(&iv, PACKAGE, 0);
	find_cycles(&iv, PACKAGE);
	CHECK(!span->gone && !iv.gone[PACKAGE], "a unit has gone before");
}

/* Puts a value into a cell of an interval. */
static void set_cell(struct interval *iv, int row, int k, u64 v)
{
	*value_at(iv, row, k) = v;
	*valid_at(iv, row, k) = VALID;
}

/* C1 is what the other states leave. */
static void test_derive_c1(void)
{
	static const struct {
		u64 tsc, mperf, c3, c6, c7;
		bool has_c3, has_c7;
		double tweak;
		u64 want;
	} t[] = {
		{ 1000, 300, 100, 200, 50, true, true, 1, 350 },
		{ 1000, 300, 100, 200, 50, false, false, 1, 500 },
		{ 1000, 300, 100, 200, 50, true, false, 1, 400 },
		{ 1000, 900, 100, 200, 0, true, false, 1, 0 },
		{ 1000, 1000, 0, 0, 0, true, true, 1, 0 },
		{ 0, 0, 0, 0, 0, true, true, 1, 0 },
		{ 1000, 300, 0, 0, 0, true, true, 1.5, 1200 },
		{ 1000, 270, 0, 0, 0, true, true, 0.25, 0 },
	};

	small_machine();
	tables_init();
	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		struct interval iv = empty_interval();
		const u64 *value = value_at(&iv, 5, CT_C1);
		const u8 *valid = valid_at(&iv, 5, CT_C1);

		M.tsc_tweak = t[i].tweak;
		T.counter[CT_MPERF].chosen = T.counter[CT_MPERF].way;
		T.counter[CT_TSC].chosen = T.counter[CT_TSC].way;
		T.counter[CT_C1].chosen = T.counter[CT_C1].way;
		T.counter[CT_CC6].chosen = T.counter[CT_CC6].way;
		T.counter[CT_CC3].chosen = t[i].has_c3 ? T.counter[CT_CC3].way : NULL;
		T.counter[CT_CC7].chosen = t[i].has_c7 ? T.counter[CT_CC7].way : NULL;
		set_cell(&iv, 5, CT_TSC,
			 t[i].tsc); /* the second thread of the core that row 4 leads */
		set_cell(&iv, 5, CT_MPERF, t[i].mperf);
		set_cell(&iv, 4, CT_CC3, t[i].c3);
		set_cell(&iv, 4, CT_CC6, t[i].c6);
		set_cell(&iv, 4, CT_CC7, t[i].c7);
		iv.span[CPU][M.in[CPU][5]].tsc = iv.span[CORE][M.in[CORE][4]].tsc = t[i].tsc;
		derive_c1(&iv, 5);
		CHECK(*valid && *value == t[i].want, "case %zu: %d, %llu, not %llu", i, *valid,
		      *value, t[i].want);
		*valid_at(&iv, 4, CT_CC6) = UNKNOWN;
		derive_c1(&iv, 5);
		CHECK(!*valid, "case %zu: valid without C6", i);
		*valid_at(&iv, 4, CT_CC6) = VALID;
		*valid_at(&iv, 5, CT_TSC) = UNKNOWN;
		derive_c1(&iv, 5);
		CHECK(!*valid, "case %zu: valid without the TSC", i);
		*valid_at(&iv, 5, CT_TSC) = VALID;
		T.counter[CT_CC6].chosen = NULL;
		derive_c1(&iv, 5);
		CHECK(*valid, "case %zu: unknown where there is no C6", i);
	}
}

/* Cycles that are more than those of the TSC, of the CPU where they were counted. */
static void test_exceeds_tsc(void)
{
	static const struct { u64 tsc; bool known; double tweak; u64 cycles; bool want; } t[] = {
		{ 1000, true, 1, 1000, false }, { 1000, true, 1, 1100, false },
		{ 1000, true, 1, 1101, true }, { 1000, true, 2, 2200, false },
		{ 1000, true, 2, 2201, true },
		{ 1000, true, 0.5, 551, true }, { 1000, false, 1, 5000, false },
		{ 0, true, 1, 5000, false }, { 1000, true, 1, ~0ull >> 1, true },
	};
	struct sample old, new;

	small_machine();
	tables_init();
	old = empty_sample(0);
	new = empty_sample(1);
	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		static const struct way way;
		struct interval iv = empty_interval();
		struct source s[] = {
			{ .counter = CT_TSC, .unit = M.in[CPU][3], .way = &way,
			  .value = { 0, t[i].tsc }, .valid = { 1, t[i].known } },
			{ .counter = CT_MPERF, .unit = M.in[CPU][3], .way = &way,
			  .value = { 0, t[i].cycles }, .valid = { 1, 1 } },
		};

		M.tsc_tweak = t[i].tweak;
		P.source = s;
		P.nsources = ARRAY_SIZE(s);
		compute_interval(&iv, &old, &new);
		CHECK((*valid_at(&iv, 3, CT_MPERF) != VALID) == t[i].want, "case %zu", i);
	}
}

/* Differences that are impossible: the counter was reset. */
static void test_resets(void)
{
	enum { J = 1 << 16 };	/* it wraps at 65536 J */
	static const struct {
		const char *what;
		enum counter_id k;
		u64 old, new;
		int unread;
		bool suspended, want;
	} t[] = {
		/* 2000 W for 10 s */
		{ "a package's most", CT_PKG_ENERGY, 7, 7 + 20000ull * J, 0, false, false },
		{ "more than that", CT_PKG_ENERGY, 7, 8 + 20000ull * J, 0, false, true },
		{ "the most of two", CT_PSYS_ENERGY, 7, 7 + 40000ull * J, 0, false, false },
		{ "more than two take", CT_PSYS_ENERGY, 7, 8 + 40000ull * J, 0, false, true },
		{ "a wrap", CT_PKG_ENERGY, 0xffffffff, 1ull << 32, 0, false, false },
		{ "a fall in a suspend", CT_PKG_ENERGY, 0xffffffff, 1ull << 32, 0, true, true },
		{ "a suspend", CT_PKG_ENERGY, 7, 8, 0, true, false },
		{ "not read in time", CT_PKG_ENERGY, 7, 8, 33, false, true },
		{ "read in time", CT_PKG_ENERGY, 7, 8, 32, false, false },
		{ "half the range of SMIs", CT_SMI, 7, 7 + (1ull << 31), 33, true, false },
		{ "more than half of it", CT_SMI, 7, 8 + (1ull << 31), 0, false, true },
		{ "many interrupts", CT_IRQ, 7, 8 + (1ull << 31), 33, true, false },
	};
	struct interval iv = { .seconds = 10 };
	u64 d;

	small_machine();
	tables_init();
	M.most_watts = 2000;
	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		struct counter *c = &T.counter[t[i].k];

		c->bits = 32;
		c->scale = 1.0 / J;
		c->wrap_joules = c->rapl_unit != PLAIN ? 0x1p32 / J : 0;
		iv.unread = t[i].unread;
		iv.suspended = t[i].suspended;
		CHECK(find_difference(&iv, c, iv.seconds, t[i].old, t[i].new, &d) != t[i].want,
		      "%s: %d", t[i].what, !t[i].want);
	}
}

/*
 * A difference is known if both readings are of one epoch, a level if its last reading is known.
 * It is unknown if the counter fell.  A sum is known if all its parts are.
 */
static void test_compute_source(void)
{
	static const struct {
		enum kind_of_counter kind;
		u32 was, is;
		u64 before, after;
		enum validity want;
	} t[] = {
		{ COUNT, 7, 7, 5, 9, VALID },   { COUNT, 6, 7, 5, 9, BEGINS },
		{ COUNT, 0, 7, 5, 9, BEGINS },  { COUNT, 7, 0, 5, 9, UNKNOWN },
		{ COUNT, 0, 0, 5, 9, UNKNOWN }, { COUNT, 7, 7, 9, 5, BEGINS },
		{ GAUGE, 0, 7, 5, 9, VALID },   { GAUGE, 7, 8, 9, 5, VALID },
		{ GAUGE, 7, 0, 5, 9, UNKNOWN },
	};
	struct sample old = { 0 }, new = { .slot = 1 };

	small_machine();
	add_counter(&(struct counter){ .name = "test", .scope = PACKAGE, .bits = 64 });
	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		struct interval iv = empty_interval();
		struct source s = { .unit = 1, .value = { t[i].before, t[i].after },
				    .valid = { t[i].was, t[i].is } };
		u64 want = t[i].kind == COUNT ? t[i].after - t[i].before : t[i].after;

		T.counter[0].kind = t[i].kind;
		iv.old = &old;
		iv.new = &new;
		compute_source(&iv, &s);
		CHECK(iv.valid[0][1] == t[i].want &&
			      (t[i].want != VALID || iv.value[0][1] == want),
		      "case %zu: %d, %llu", i, iv.valid[0][1], iv.value[0][1]);
		s = (struct source){ .unit = 1, .further = true, .value = { 1, 4 },
				     .valid = { 9, 9 } };
		compute_source(&iv, &s);
		CHECK(iv.valid[0][1] == t[i].want &&
			      (t[i].want != VALID ||
			       iv.value[0][1] == want + (t[i].kind == COUNT ? 3 : 4)),
		      "case %zu, two parts: %d, %llu", i, iv.valid[0][1], iv.value[0][1]);
		s.valid[1] = 0;
		compute_source(&iv, &s);
		SAME(iv.valid[0][1], UNKNOWN);
	}
}

/* MPERF and APERF by the kernel's accounting: ticks stand in for the TSC and the time. */
static void test_derive_cycles(void)
{
	static const struct { u64 ticks; int lacks; bool mperf, aperf; } t[] = {
		{ 400, NONE, true, true },	     { 400, CT_TICKS, false, false },
		{ 400, CT_BUSY_TICKS, false, false }, { 400, CT_TSC, true, true },
		{ 400, CT_CPU_KHZ, true, false },    { 0, NONE, true, true },
	};
	static const struct way estimate = { .kind = BY_ESTIMATE };
	struct reading mperf, aperf;
	struct interval iv;

	small_machine();
	tables_init();
	M.tsc_tweak = 2;
	iv = empty_interval();
	T.counter[CT_APERF].chosen = T.counter[CT_MPERF].chosen = &estimate;
	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		int unit = M.in[CPU][3];

		*valid_at(&iv, 3, CT_MPERF) = *valid_at(&iv, 3, CT_APERF) = UNKNOWN;
		set_cell(&iv, 3, CT_TICKS, t[i].ticks);
		set_cell(&iv, 3, CT_BUSY_TICKS, 100);
		set_cell(&iv, 3, CT_TSC, 1000);
		set_cell(&iv, 3, CT_CPU_KHZ, 2000000);
		if (t[i].lacks != NONE)
			*valid_at(&iv, 3, t[i].lacks) = UNKNOWN;
		derive_cycles(&iv, 3);
		CHECK(unit_reading(&iv, CT_MPERF, CT_MPERF, unit, &mperf) == t[i].mperf,
		      "case %zu: MPERF", i);
		CHECK(!t[i].mperf || (mperf.value == 100 * TICK_PARTS &&
				      same_real(mperf.tsc, (double)(t[i].ticks * TICK_PARTS / 2))),
		      "case %zu: MPERF %llu of %g", i, mperf.value, mperf.tsc);
		CHECK(unit_reading(&iv, CT_APERF, CT_APERF, unit, &aperf) == t[i].aperf,
		      "case %zu: APERF", i);
		CHECK(!t[i].aperf || (aperf.value == 200000000 &&
				      same_real(aperf.seconds, (double)t[i].ticks / 1e3)),
		      "case %zu: APERF %llu in %g s", i, aperf.value, aperf.seconds);
	}
}

/*
 * The total of three intervals, after the levels of the sample before them; '-' is not known, '.'
 * nobody was there, who then has no row.
 */
static void test_add_interval(void)
{
	static const struct {
		enum kind_of_counter kind;
		enum fold fold;
		const char *values, *all, *unit;
	} t[] = {
		{ COUNT, SUM, "9345", "c", "c" }, { COUNT, MAX, "9345", "c", "c" },
		{ COUNT, SUM, "93-5", "-", "-" }, { COUNT, SUM, "9-45", "-", "-" },
		{ COUNT, SUM, "934-", "-", "-" }, { COUNT, SUM, "-345", "c", "c" },
		{ COUNT, SUM, "93.5", "-", "-" }, { COUNT, SUM, "9...", "-", "-" },
		{ COUNT, SUM, "9.45", "-", "-" }, { COUNT, MEAN, "93.5", "-", "8" },
		{ COUNT, MEAN, "9.45", "-", "9" },
		{ GAUGE, MAX, "9375", "9", "9" }, { GAUGE, MAX, "2375", "7", "7" },
		{ GAUGE, MAX, "-375", "7", "7" }, { GAUGE, MAX, "-3-5", "5", "5" },
		{ GAUGE, MAX, "-7--", "7", "7" }, { GAUGE, MAX, "----", "-", "-" },
		{ GAUGE, MAX, "--36", "6", "6" }, { GAUGE, MEAN, "9375", "5", "5" },
		{ GAUGE, MEAN, "93-5", "5", "5" }, { GAUGE, MEAN, "937-", "-", "-" },
		{ GAUGE, SUM, "9375", "5", "5" },
	};
	struct column c = { .name = "test", .scope = PACKAGE, .formula = V_AMOUNT,
			    .format = INTEGER, .b = NONE };
	struct column *shown[] = { &c };
	struct sample s[2];

	add_counter(&(struct counter){ .name = "test", .scope = PACKAGE });
	T.counter[0].scale = 1;
	small_machine();
	resolve_column(&c, 0);
	P.shown = shown;
	P.nshown = 1;
	for (int i = 0; i < 2; i++)
		s[i] = empty_sample(i);
	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		struct interval total = { 0 };
		struct view all, unit;
		union number v[2];
		char got[2];

		T.counter[0].kind = t[i].kind;
		T.counter[0].fold = t[i].fold;
		clear_sums(&total);
		for (int k = 0; k < 4; k++) {
			struct interval iv = empty_interval();

			iv.old = &s[!(k & 1)];
			iv.new = &s[k & 1];
			iv.seconds = k;
			iv.suspended = k == 2 && t[i].fold == SUM;
			for (int u = 0; u < 8; u++)
				s[0].stay[u].visited = s[1].stay[u].visited =
					u < 4 || t[i].values[k] != '.';
			iv.value[0][1] = (u64)(t[i].values[k] - '0');
			iv.valid[0][1] = isdigit((u8)t[i].values[k]) ? VALID : UNKNOWN;
			add_interval(&total, &iv, !k);
		}
		all = view_all(&total);
		unit = view_unit(&total, PACKAGE, 4);
		got[0] = column_value(&c, &all, &v[0]) ? "0123456789abcdef"[v[0].u & 15] : '-';
		got[1] = column_value(&c, &unit, &v[1]) ? "0123456789abcdef"[v[1].u & 15] : '-';
		CHECK(got[0] == *t[i].all && got[1] == *t[i].unit,
		      "case %zu: %c and %c, not %c and %c", i, got[0], got[1],
		      *t[i].all, *t[i].unit);
		CHECK(same_real(total.seconds, 6) && total.suspended == (t[i].fold == SUM),
		      "case %zu: %g s, suspended %d", i, total.seconds, total.suspended);
	}
}

/* Prints a column of the summary, for a counter a, a counter b, seconds. */
static const char *cell_text(struct column *c, struct interval *iv, double seconds)
{
	static char text[CELL_SPACE + 1];
	struct view v = view_unit(iv, SYSTEM, 0);
	union number x;

	for (enum scope s = 0; s < NSCOPES; s++)
		for (int u = 0; u < M.nunits[s]; u++)
			iv->span[s][u].seconds = seconds;
	resolve_column(c, 0);
	if (find_cell(&v, c, &x) != NUMBER)
		return "nan";
	*put_number(text, c->format, x) = 0;
	return text;
}

/* Bzy_MHz: by the base frequency, by the TSC's rate, of cycles with a load by ticks. */
static void test_bzy(void)
{
	static const struct way estimate = { .kind = BY_ESTIMATE };
	struct column c = { .scope = CPU, .formula = V_BZY_MHZ, .format = DECIMALS_2,
			    .a = CT_APERF, .b = CT_MPERF };
	struct interval iv;
	union number n;
	struct view all;

	small_machine();
	tables_init();
	T.counter[CT_APERF].scale = 1;
	iv = empty_interval();
	for (int row = 0; row < 8; row++) {
		set_cell(&iv, row, CT_APERF, 1000000);
		set_cell(&iv, row, CT_MPERF, 2000000);
		set_cell(&iv, row, CT_TSC, 8000000000);
		set_cell(&iv, row, CT_TICKS, 400);
		set_cell(&iv, row, CT_BUSY_TICKS, 100);
		iv.span[CPU][row].tsc = 8000000;
	}
	CHECK(!strcmp(cell_text(&c, &iv, 2), "2000.00"), "by the TSC");
	*valid_at(&iv, 3, CT_TSC) = UNKNOWN;
	M.base_hz = 2.1e9;
	CHECK(!strcmp(cell_text(&c, &iv, 2), "1050.00"), "by the base frequency");
	M.base_hz = 4e9 / 3;	/* no whole number of Hz */
	resolve_column(&c, 0);
	all = view_all(&iv);
	CHECK(column_value(&c, &all, &n) && fabs(n.f - 2e3 / 3) < 1e-10, "%.10f MHz", n.f);
	M.base_hz = 2.1e9;
	T.counter[CT_MPERF].chosen = &estimate;
	for (int row = 0; row < 8; row++)
		derive_cycles(&iv, row);
	CHECK(!strcmp(cell_text(&c, &iv, 2), "1050.00"), "a quarter of the TSC's cycles");
}

/* The number of CPUs whose percentages may be added up in one. */
static void test_percent_of_parts(void)
{
	static const struct { enum scope scope; u64 cycles; bool want; } t[] = {
		{ SYSTEM, 8800, true }, { SYSTEM, 8801, false }, { PACKAGE, 4400, true },
		{ PACKAGE, 4401, false },
	};
	struct column c = { .scope = PACKAGE, .formula = V_TOTAL_OF_TSC, .format = DECIMALS_2,
			    .a = CT_C0_WEIGHTED, .b = NONE };
	struct interval iv;

	small_machine();
	tables_init();
	T.counter[CT_C0_WEIGHTED].scale = 1;
	iv = empty_interval();
	resolve_column(&c, 0);
	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		struct view v = view_unit(&iv, t[i].scope, 4);
		union number n;

		for (int row = 0; row < 8; row += 4) {
			set_cell(&iv, row, CT_C0_WEIGHTED, t[i].cycles);
			iv.span[PACKAGE][M.in[PACKAGE][row]].tsc = 1000;
		}
		CHECK(column_value(&c, &v, &n) == t[i].want, "case %zu", i);
	}
}

/* C6 of E-cores contains C7. */
static void test_correct_e_core(void)
{
	static const struct {
		u64 c6, c7;
		bool valid6, valid7, has_c7;
		u64 want;
		bool valid;
	} t[] = {
		{ 500, 200, true, true, true, 300, true },
		{ 500, 500, true, true, true, 0, true },
		{ 500, 600, true, true, true, 0, true },
		{ 500, 0, true, true, true, 500, true },
		{ 500, 200, true, true, false, 500, true },
		{ 500, 200, true, false, false, 500, true },
		{ 500, 200, true, false, true, 0, false },
		{ 500, 200, false, true, true, 0, false },
	};

	small_machine();
	tables_init();
	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		struct interval iv = empty_interval();
		u8 *valid = valid_at(&iv, 2, CT_CC6);

		T.counter[CT_CC6].chosen = T.counter[CT_CC6].way;
		T.counter[CT_CC7].chosen = t[i].has_c7 ? T.counter[CT_CC7].way : NULL;
		set_cell(&iv, 2, CT_CC6, t[i].c6);
		set_cell(&iv, 2, CT_CC7, t[i].c7);
		*valid = t[i].valid6 ? VALID : UNKNOWN;
		*valid_at(&iv, 2, CT_CC7) = t[i].valid7 ? VALID : UNKNOWN;
		correct_e_core(&iv, 2);
		CHECK((*valid == VALID) == t[i].valid &&
			      (!t[i].valid || *value_at(&iv, 2, CT_CC6) == t[i].want),
		      "case %zu: %llu, not %llu", i, *value_at(&iv, 2, CT_CC6), t[i].want);
	}
}

/* Every formula over given counters. */
static void test_formulas(void)
{
	static const struct {
		enum formula f;
		enum format format;
		u64 a, b;
		double scale, hz, seconds;
		const char *want;
	} t[] = {
		{ V_PER_MICROSECOND, DECIMALS_0, 5000000000, 0, 1, 0, 2, "2500" },
		{ V_PER_MICROSECOND, DECIMALS_0, 5, 0, 1, 0, 0, "nan" },
		{ V_PER_MICROSECOND, DECIMALS_0, 5, 0, 1, 0, -1, "nan" },
		{ V_PER_MICROSECOND, DECIMALS_0, 3000000, 0, 1, 0, 2, "2" },
		{ V_PERCENT_OF_TSC, DECIMALS_2, 500, 0, 1, 0, 1, "50.00" },
		{ V_PERCENT_OF_TSC, DECIMALS_2, 1101, 0, 1, 0, 1, "nan" },
		{ V_PERCENT_OF_TSC, DECIMALS_2, 1100, 0, 1, 0, 1, "110.00" },
		{ V_PERCENT_OF_TSC, DECIMALS_2, 1, 0, 1, 0, 1, "0.10" },
		{ V_RATIO, DECIMALS_2, 3, 2, 1, 0, 1, "1.50" },
		{ V_RATIO, DECIMALS_2, 3, 0, 1, 0, 1, "nan" },
		{ V_AMOUNT, INTEGER, 12345, 0, 1, 0, 1, "12345" },
		{ V_AMOUNT, INTEGER, 47, 0, 1, 0, 1, "47" },
		{ V_AMOUNT, INTEGER, 2400000, 0, 1e-3, 0, 1, "2400" },
		{ V_AMOUNT, INTEGER, 2399999, 0, 1e-3, 0, 1, "2399" },
		{ V_AMOUNT, INTEGER, 0, 0, 1e-3, 0, 1, "0" },
		{ V_HIT_BY_MISSES, DECIMALS_2, 200, 50, 1, 0, 1, "75.00" },
		{ V_HIT_BY_MISSES, DECIMALS_2, 0, 0, 1, 0, 1, "nan" },
		{ V_HIT_BY_MISSES, DECIMALS_2, 50, 200, 1, 0, 1, "nan" },
		{ V_HIT, DECIMALS_2, 50, 200, 1, 0, 1, "25.00" },
		{ V_HIT, DECIMALS_2, 5, 0, 1, 0, 1, "nan" },
		{ V_PERCENT_OF_TIME, DECIMALS_2, 1000, 0, 1, 1e3, 4, "25.00" },
		{ V_PERCENT_OF_TIME, DECIMALS_2, 1000000, 0, 1, 1e6, 4, "25.00" },
		{ V_PERCENT_OF_TIME, DECIMALS_2, 9000000, 0, 1, 1e6, 4, "nan" },
		{ V_PERCENT_OF_TIME, DECIMALS_2, 9600000, 0, 1, 38.4e6, 1, "25.00" },
		{ V_PERCENT_OF_TIME, DECIMALS_2, 96000000, 0, 1, 38.4e6, 1, "nan" },
		{ V_TOTAL_OF_TIME, DECIMALS_2, 1024, 0, 1.0 / 1024, 0, 2, "50.00" },
		{ V_TOTAL_OF_TIME, DECIMALS_2, 4096, 0, 1.0 / 1024, 0, 2, "200.00" },
		{ V_AMOUNT, DECIMALS_2, 16384, 0, 1.0 / 16384, 0, 5, "1.00" },
		{ V_PER_SECOND, DECIMALS_2, 16384, 0, 1.0 / 16384, 0, 2, "0.50" },
		{ V_PER_SECOND, DECIMALS_2, 1, 0, 1, 0, 0, "nan" },
		{ V_RAW, HEX_8, 5, 0, 1, 0, 1, "0x00000000" },
		{ V_RAW, HEX_16, 5, 0, 1, 0, 1, "0x0000000000000000" },
		{ V_AMOUNT, INTEGER, 11, 0, 0.5, 0, 1, "5" },
		{ V_PER_MICROSECOND, DECIMALS_0, 20000000000, 0, 1, 0, 1, "20000" },
		{ V_AVG_MHZ, DECIMALS_0, 20000000000, 0, 1, 0, 2, "10000" },
		{ V_AVG_MHZ, DECIMALS_0, 20000200000, 0, 1, 0, 2, "nan" },
		{ V_BZY_MHZ, DECIMALS_0, 3000, 1000, 1, 0, 1, "6300" },
		{ V_BZY_MHZ, DECIMALS_0, 10000, 2100, 1, 0, 1, "10000" },
		{ V_BZY_MHZ, DECIMALS_0, 10001, 2100, 1, 0, 1, "nan" },
		{ V_BZY_MHZ, DECIMALS_0, 3000, 0, 1, 0, 1, "nan" },
	};
	struct interval iv;

	small_machine();
	tables_init();
	M.base_hz = 2.1e9;
	iv = empty_interval();
	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		struct column c = { .name = "test",
				    .scope = CPU,
				    .formula = t[i].f,
				    .format = t[i].format,
				    .a = CT_INSTRUCTIONS,
				    .b = CT_LLC_REFS };
		const char *got;

		for (int row = 0; row < 8; row++) {
			set_cell(&iv, row, CT_INSTRUCTIONS, t[i].a);
			set_cell(&iv, row, CT_LLC_REFS, t[i].b);
			iv.span[CPU][row].tsc = 1000;
		}
		T.counter[CT_INSTRUCTIONS].scale = t[i].scale;
		T.counter[CT_INSTRUCTIONS].hz = t[i].hz;
		T.counter[CT_LLC_REFS].fold = MEAN;
		got = cell_text(&c, &iv, t[i].seconds);
		CHECK(!strcmp(got, t[i].want), "case %zu: %s, not %s", i, got, t[i].want);
		iv.suspended = true;
		got = cell_text(&c, &iv, t[i].seconds);
		if (t[i].f == V_AMOUNT || t[i].f == V_RAW)
			CHECK(!strcmp(got, t[i].want), "case %zu, across a suspend: %s", i, got);
		else
			CHECK(!strcmp(got, "nan"), "case %zu, across a suspend: %s", i, got);
		iv.suspended = false;
		for (int k = 0; k < T.ncounters; k++)
			memset(iv.valid[k], UNKNOWN, (size_t)M.nunits[T.counter[k].scope]);
		got = cell_text(&c, &iv, t[i].seconds);
		CHECK(t[i].f == V_RAW || !strcmp(got, "nan"), "case %zu, nothing valid: %s", i,
		      got);
	}
}

/* What SMIs take is what APERF has more than perf's cycles; without an SMI it is nothing. */
static void test_lost_to_smis(void)
{
	static const struct { u64 cycles, smis; bool known; const char *want; } t[] = {
		{ 950, 2, true, "5.00" },  { 950, 0, true, "0.00" },  { 950, 2, false, "nan" },
		{ 1050, 2, true, "nan" },  { 1050, 0, true, "0.00" }, { 1000, 2, true, "0.00" },
	};
	struct column c = { .name = "test", .scope = CPU, .formula = V_LOST_TO_SMIS,
			    .format = DECIMALS_2, .a = CT_APERF, .b = CT_CYCLES };
	struct interval iv;

	small_machine();
	tables_init();
	T.counter[CT_APERF].scale = 1;
	iv = empty_interval();
	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		const char *got;

		for (int row = 0; row < 8; row++) {
			set_cell(&iv, row, CT_APERF, 1000);
			set_cell(&iv, row, CT_CYCLES, t[i].cycles);
			set_cell(&iv, row, CT_SMI, t[i].smis);
			*valid_at(&iv, row, CT_SMI) = t[i].known ? VALID : UNKNOWN;
		}
		got = cell_text(&c, &iv, 1);
		CHECK(!strcmp(got, t[i].want), "case %zu: %s, not %s", i, got, t[i].want);
	}
}

/* Levels may be negative, also times a factor; counts are not. */
static void test_negative_levels(void)
{
	static const struct { enum kind_of_counter kind; double scale; const char *want; } t[] = {
		{ COUNT, 0.5, "9223372036854775808.00" }, { GAUGE, 0.5, "-1.50" },
		{ GAUGE, 1, "-3.00" },
	};
	struct column c = { .name = "test", .scope = PACKAGE, .formula = V_AMOUNT,
			    .format = DECIMALS_2, .a = CT_INSTRUCTIONS, .b = NONE };
	struct interval iv;

	small_machine();
	tables_init();
	iv = empty_interval();
	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		struct counter *k = &T.counter[CT_INSTRUCTIONS];
		const char *got;

		k->scope = PACKAGE;
		k->fold = MEAN;
		k->bits = 64;
		k->kind = t[i].kind;
		k->scale = t[i].scale;
		set_cell(&iv, 0, CT_INSTRUCTIONS, (u64)-3);
		if (t[i].kind == GAUGE)		/* their mean */
			set_cell(&iv, 4, CT_INSTRUCTIONS, (u64)-3);
		got = cell_text(&c, &iv, 1);
		CHECK(!strcmp(got, t[i].want), "case %zu: %s, not %s", i, got, t[i].want);
	}
}

/* The integer that a level of this scale is shown as. */
static bool shown_integer(struct interval *iv, double scale, u64 level, u64 *shown)
{
	struct column c = { .scope = SYSTEM, .format = INTEGER, .formula = V_AMOUNT,
			    .a = CT_GFX_MHZ, .b = NONE };
	struct view all = view_all(iv);
	union number n;
	bool known;

	T.counter[CT_GFX_MHZ].scale = scale;
	set_cell(iv, 0, CT_GFX_MHZ, level);
	resolve_column(&c, 0);
	known = column_value(&c, &all, &n);
	*shown = n.u;
	return known;
}

/* A clock that a driver reports in kHz or Hz is rounded down to whole MHz. */
static void test_integer_value(void)
{
	static const struct { double scale; u64 each; } units[] = {
		{ 1e-3, 1000 }, { 1e-6, 1000000 },
	};
	struct interval iv;
	u64 got;

	small_machine();
	tables_init();
	iv = empty_interval();
	for (u64 mhz = 1; mhz <= 10000; mhz++)
		for (size_t i = 0; i < ARRAY_SIZE(units); i++) {
			u64 each = units[i].each;

			CHECK(shown_integer(&iv, units[i].scale, mhz * each, &got) && got == mhz,
			      "%llu MHz: %llu", mhz, got);
			CHECK(shown_integer(&iv, units[i].scale, (mhz + 1) * each - 2, &got) &&
				      got == mhz, "below %llu MHz: %llu", mhz + 1, got);
		}
	CHECK(shown_integer(&iv, 3, ~0ull, &got) && got == (u64)-3, "-1 three times: %llu", got);
	CHECK(!shown_integer(&iv, 2, 1ull << 62, &got), "too large: %llu", got);
	CHECK(!shown_integer(&iv, 3, 3ull << 62, &got), "too small: %llu", got);
	CHECK(shown_integer(&iv, 1, ~0ull, &got) && got == ~0ull, "as it is: %llu", got);
}

/* The mean of numbers whose sum has more than 64 bits. */
static void test_mean(void)
{
	static const struct { i64 high; u64 low, n, want; } t[] = {
		{ 0, 7, 2, 3 }, { 0, ~0ull, 1, ~0ull }, { 1, ~0ull - 1, 2, ~0ull },
		{ 1, 0, 2, 1ull << 63 }, { 1, 1, 3, 0x5555555555555555 },
		{ 8191, ~0ull - 8191, 8192, ~0ull }, { 4, 0x0c35418, 8, 0x8000000000186a83 },
		{ -1, (u64)-7, 2, (u64)-3 }, { -1, (u64)-7, 7, (u64)-1 }, { -1, (u64)-6, 7, 0 },
		{ -1, 0, 2, 1ull << 63 }, { -2, 0, 4, 1ull << 63 }, { -4096, 0, 8192, 1ull << 63 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(t); i++)
		CHECK(mean_of(t[i].high, t[i].low, t[i].n) == t[i].want, "case %zu: %llx, not %llx",
		      i, mean_of(t[i].high, t[i].low, t[i].n), t[i].want);
}

/* APERF and MPERF of Xeon Phi count in units of 1024 cycles; their substitutes do not. */
static void test_kilocycles(void)
{
	static const enum counter_id ids[] = { CT_APERF, CT_MPERF };
	struct sample old, new;

	small_machine();
	tables_init();
	old = empty_sample(0);
	new = empty_sample(1);
	for (size_t i = 0; i < ARRAY_SIZE(ids); i++) {
		enum counter_id k = ids[i];
		struct source s = { .counter = (int)k, .value = { 0, 3 }, .valid = { 1, 1 } };

		P.source = &s;
		P.nsources = 1;
		for (int way = 0; way < MAX_WAYS; way++)
			for (int phi = 0; phi < 2; phi++) {
				struct interval iv = empty_interval();

				for (int other = 0; other < T.ncounters; other++)
					T.counter[other].chosen = NULL;
				s.way = T.counter[k].chosen = &T.counter[k].way[way];
				M.has = F(APERF) | (phi ? F(KILO) : 0);
				compute_interval(&iv, &old, &new);
				if (T.counter[k].chosen->kind == BY_ESTIMATE)
					continue;
				CHECK(iv.value[k][0] == (phi && way < 2 ? 3072 : 3),
				      "%s, way %d: %llu", T.counter[k].name, way, iv.value[k][0]);
			}
	}
}

/* How long an interval was, and whether the machine was suspended in it. */
static void test_interval_seconds(void)
{
	enum { S_TO_MS = 1000, MS = 1000000 };
	static const struct {
		const char *what;
		i64 mono, boot;		/* differences in ms */
		u64 old_tsc, tsc;	/* the latter a difference in ms of 1 GHz */
		double hz, want;
		bool suspended;
		u32 later;		/* epochs of the TSC */
	} t[] = {
		{ "awake", 5000, 5000, 1, 5000, 1e9, 5, false },
		{ "clocks that are not read at one instant", 5000, 5010, 1, 9999, 1e9, 5, false },
		{ "just a sleep", 5000, 5011, 1, 5005, 1e9, 5.005, false },
		{ "suspend-to-idle", 500, 16000, 1, 15500, 1e9, 15.5, false },
		{ "the RTC was a second ahead", 500, 11000, 1, 9001, 1e9, 9.001, false },
		{ "the TSC stood still too long", 500, 11000, 1, 8999, 1e9, 11, true },
		{ "S3", 5000, 3605000, 1, 5000, 1e9, 3605, true },
		{ "a TSC that began anew", 500, 16000, 1ull << 60, 0, 1e9, 16, true },
		{ "no rate", 500, 16000, 1, 15500, 0, 16, true },
		{ "no TSC", 500, 16000, 0, 15500, 1e9, 16, true },
		{ "two epochs", 500, 16000, 1, 15500, 1e9, 16, true, 1 },
		{ "two epochs, awake", 5000, 5000, 1, 9000, 0, 5, false, 1 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		u64 tsc = t[i].tsc ? t[i].old_tsc + t[i].tsc * MS : 1;
		struct sample old = { .t = { .end.mono = 7 * MS, .boot = 9 * MS },
				      .tsc = t[i].old_tsc, .tsc_epoch = 1 };
		struct sample new = { .t = { .end.mono = old.t.end.mono + t[i].mono * MS,
					     .boot = old.t.boot + t[i].boot * MS },
				      .tsc = tsc, .tsc_epoch = 1 + t[i].later };
		struct interval iv = { .old = &old, .new = &new };

		M.tsc_rate = t[i].hz;
		compute_seconds(&iv);
		CHECK(fabs(iv.seconds - t[i].want) < 1e-9, "%s: %.9f s", t[i].what, iv.seconds);
		CHECK(iv.suspended == t[i].suspended, "%s: suspended %d", t[i].what, iv.suspended);
		CHECK(!t[i].later || !(iv.tsc_hz > 0), "%s: %.0f Hz", t[i].what, iv.tsc_hz);
	}
}

/*
 * If no register gives the rate of the TSC, the last interval without sleep does.  It then gives
 * the length of an interval with sleep.
 */
static void test_tsc_rate(void)
{
	static const struct { i64 mono, boot; u64 tsc; double want; } t[] = {
		/* at the end of each sample: s, s, cycles of 2 GHz */
		{ 10, 10, 20000000000, 0 },	{ 20, 20, 40000000000, 10 },
		{ 21, 40, 80500000000, 20.25 },	{ 22, 60, 120500000000, 20 },
		{ 23, 61, 122500000000, 1 },	{ 24, 80, 160500000000, 19 },
	};
	struct sample s[2];
	struct interval iv;

	small_machine();
	tables_init();
	iv = empty_interval();
	P.nsources = 0;
	for (int k = 0; k < T.ncounters; k++)
		T.counter[k].chosen = NULL;
	for (int i = 0; i < 2; i++)
		s[i] = empty_sample(i);
	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		struct sample *new = &s[i & 1];

		new->t = (struct sample_times){ .end.mono = t[i].mono * NS_PER_S,
						.boot = t[i].boot * NS_PER_S };
		new->tsc = t[i].tsc;
		if (!i)
			continue;
		compute_interval(&iv, &s[!(i & 1)], new);
		CHECK(fabs(iv.seconds - t[i].want) < 1e-6, "interval %zu: %.6f s", i, iv.seconds);
		CHECK(!iv.suspended, "interval %zu: suspended", i);
	}
}

/*
 * Energy counters that wrap are read in time, and not believed where they may have wrapped
 * unseen.
 */
static void test_energy_wraps(void)
{
	static const struct { double joules, watts; i64 tick; } ticks[] = {
		{ 262144, 15, 10000000000 }, { 262144, 1000000, 65536000 }, { 0, 15, 0 },
	};
	static const struct {
		i64 awake, slept;
		bool want;
	} sleeps[] = {
		/* 262144 J at 2000 W: 131 s */
		{ 1000, 0, false }, { 86400, 0, false },  { 1, 129, false },
		{ 1, 131, true },   { 3600, 120, false }, { 3600, 122, true },
	};
	static const struct way reg = { .kind = BY_MSR };
	const struct counter c = { .wrap_joules = 262144 };
	struct interval iv = { 0 };

	T.counter = zeroed(NCOUNTERS, sizeof(*T.counter));
	small_machine();
	T.ncounters = NCOUNTERS;
	make_cells();
	for (size_t i = 0; i < ARRAY_SIZE(ticks); i++) {
		T.counter[CT_PKG_ENERGY] = (struct counter){
			.rapl_unit = ENERGY_UNIT,
			.scale = ticks[i].joules / 0x1p32,
		};
		P.nsources = 0;
		add_one(CT_PKG_ENERGY, 0, &reg, 0x611)->modulus = 1ull << 32;
		M.tdp = ticks[i].watts;
		find_tick();
		CHECK(P.tick == ticks[i].tick, "%g J at %g W: a tick of %lld ns", ticks[i].joules,
		      ticks[i].watts, P.tick);
	}
	/* of two the one that wraps first, whatever their order: at 2^31 or 2^32 J */
	T.counter[CT_PKG_ENERGY].scale = 1;
	M.tdp = 0x1p32;
	add_one(CT_PKG_ENERGY, 0, &reg, 0x611);
	for (int i = 0; i < 2; i++) {
		P.source[i].modulus = 1ull << 31;
		P.source[!i].modulus = 1ull << 32;
		find_tick();
		SAME(P.tick, NS_PER_S / 8);
		SAME(T.counter[CT_PKG_ENERGY].wrap_joules, 0x1p31);
	}
	for (size_t i = 0; i < ARRAY_SIZE(sleeps); i++) {
		struct sample old = { 0 }, new = { .t.end.mono = sleeps[i].awake * NS_PER_S };

		new.t.boot = new.t.end.mono + sleeps[i].slept * NS_PER_S;
		iv.old = &old;
		iv.new = &new;
		P.tick = 10 * NS_PER_S;
		compute_seconds(&iv);
		CHECK(may_have_wrapped(&iv, &c) == sleeps[i].want, "%lld s awake, %lld s asleep",
		      sleeps[i].awake, sleeps[i].slept);
	}
}

/* The sum of several events of a unit is unknown if one of them is. */
static void test_parts(void)
{
	struct sample old, new;
	struct pmu pmu;
	struct interval iv;
	struct reading r;
	struct view all, first, second;

	small_machine_with_events(&pmu, "0,2,4");
	SAME(open_one(0, 0, 1), 0);
	SAME(open_one(0, 2, 1), 0);
	SAME(open_one(4, 4, 1), 0);
	while (T.ncounters < NCOUNTERS)
		add_counter(&(struct counter){ .name = "another",
					       .scope = T.ncounters == CT_TSC ? CPU : SYSTEM });
	CHECK(!P.source[0].further && P.source[1].further && !P.source[2].further,
	      "parts: %d %d %d",
	      P.source[0].further, P.source[1].further, P.source[2].further);
	iv = empty_interval();
	old = empty_sample(0);
	new = empty_sample(1);
	all = view_unit(&iv, SYSTEM, 0);
	first = view_unit(&iv, PACKAGE, 0);
	second = view_unit(&iv, PACKAGE, 4);
	for (u32 i = 0; i < 3; i++) {
		P.source[i].value[1] = 1ull << i;
		P.source[i].valid[0] = P.source[i].valid[1] = i + 1;
	}
	T.counter[0].bits = 64;
	compute_interval(&iv, &old, &new);
	CHECK(gather_reading(&all, 0, 0, T.counter[0].scope, &r) && r.value == 7,
	      "the sum of all: %llu", r.value);
	CHECK(gather_reading(&first, 0, 0, T.counter[0].scope, &r) && r.value == 3,
	      "of a package: %llu", r.value);
	P.source[1].valid[1] = 0;
	compute_interval(&iv, &old, &new);
	CHECK(!gather_reading(&first, 0, 0, T.counter[0].scope, &r), "a part is a sum");
	CHECK(!gather_reading(&all, 0, 0, T.counter[0].scope, &r), "a part is the sum of all");
	CHECK(gather_reading(&second, 0, 0, T.counter[0].scope, &r) && r.value == 4,
	      "the other package: %llu", r.value);
	T.counter[1].rapl_unit = ENERGY_UNIT;
	set_cell(&iv, 0, 1, 5);
	CHECK(!gather_reading(&all, 1, 1, T.counter[1].scope, &r),
	      "the energy of one package is that of the machine");
	set_cell(&iv, 4, 1, 6);
	CHECK(gather_reading(&all, 1, 1, T.counter[1].scope, &r) && r.value == 11,
	      "the energy of two packages: %llu", r.value);
	/* a mean is that of the units' sums, also below 0 */
	T.counter[0].fold = MEAN;
	T.counter[0].kind = GAUGE;
	for (u32 i = 0; i < 3; i++) {
		P.source[i].value[1] = (u64)-(i64)(i + 1) * 4;
		P.source[i].valid[1] = 1;
	}
	compute_interval(&iv, &old, &new);
	CHECK(gather_reading(&all, 0, 0, T.counter[0].scope, &r) && (i64)r.value == -12,
	      "the mean of several: %lld", (i64)r.value);
}

/* Load by ticks, added up over intervals: one without a tick adds nothing, and hides nothing. */
static void test_ticks_added(void)
{
	static const struct way estimate = { .kind = BY_ESTIMATE };
	struct column load = { .scope = CPU, .formula = V_PERCENT_OF_TSC, .format = DECIMALS_2,
			       .a = CT_MPERF, .b = NONE };
	struct column clock = { .scope = CPU, .formula = V_BZY_MHZ, .format = DECIMALS_2,
				.a = CT_APERF, .b = CT_MPERF };
	struct column *shown[] = { &load, &clock };
	struct interval total = { 0 };
	struct sample s[2] = { { 0 }, { .slot = 1 } };
	union number v;
	struct view all;

	small_machine();
	tables_init();
	P.shown = shown;
	P.nshown = 2;
	O.summary = true;
	clear_sums(&total);
	for (u64 i = 0; i < 3; i++) {
		struct interval iv = empty_interval();

		T.counter[CT_MPERF].chosen = T.counter[CT_APERF].chosen = &estimate;
		T.counter[CT_MPERF].scale = T.counter[CT_APERF].scale = 1;
		resolve_column(&load, 0);
		resolve_column(&clock, 1);
		iv.old = &s[0];
		iv.new = &s[1];
		for (int row = 0; row < 8; row++) {
			set_cell(&iv, row, CT_TICKS, i == 1 ? 0 : 100);
			set_cell(&iv, row, CT_BUSY_TICKS, i == 1 ? 0 : 20 * (i + 1));
			set_cell(&iv, row, CT_CPU_KHZ, 1000000 * (i + 1));
			derive_cycles(&iv, row);
		}
		all = view_all(&iv);
		CHECK(column_value(&load, &all, &v) == (i != 1), "interval %llu", i);
		add_interval(&total, &iv, false);
	}
	all = view_all(&total);
	CHECK(column_value(&load, &all, &v) && same_real(v.f, 40), "a load of %g", v.f);
	CHECK(column_value(&clock, &all, &v) && same_real(v.f, 2500), "%g MHz", v.f);
}

/* A source of a cell in a row, by an event that was enabled for some seconds; 0: not known. */
static struct source timed_source(struct event_group *g, int k, int row, u64 count, double seconds)
{
	*g = (struct event_group){ .n = 1, .member = zeroed(1, sizeof(*g->member)) };
	g->member[0].enabled[0] = seconds > 0 ? 7 : 0;
	g->member[0].enabled[1] = seconds > 0 ? 7 + (u64)(seconds * 1e9) : 0;
	return (struct source){ .counter = k, .unit = M.in[T.counter[k].scope][row],
				.kind = BY_PERF, .way = T.counter[k].way, .group = g,
				.value = { 5, 5 + count }, .valid = { 1, 1 } };
}

/* The value of a column in a view, or NaN. */
static double shown_value(const struct column *of, const struct view *v)
{
	struct column c = *of;
	union number x;

	resolve_column(&c, 0);
	return column_value(&c, v, &x) ? x.f : NaN;
}

/*
 * Rates by events are divided by the events' own seconds, without these by the clocks'.  A sum of
 * units is the sum of their rates, a mean that of their rates.
 */
static void test_own_seconds(void)
{
	struct event_group group[4];
	struct source s[4];
	struct sample old, new;
	struct interval iv;
	const struct column *watts, *joules, *clock, *ipc;
	struct view all, first, second;

	small_machine();
	tables_init();
	iv = empty_interval();
	old = empty_sample(0);
	new = empty_sample(1);
	watts = find_column("PkgWatt");
	joules = find_column("Pkg_J");
	clock = find_column("Avg_MHz");
	ipc = find_column("IPC");
	M.tsc_tweak = 1;
	for (int k = 0; k < T.ncounters; k++)
		T.counter[k].scale = 1;
	for (int u = 0; u < M.nunits[CPU]; u++)
		new.stay[u].begin.mono = 4 * NS_PER_S;
	new.t.end.mono = new.t.boot = 4 * NS_PER_S;
	all = view_all(&iv);
	first = view_unit(&iv, PACKAGE, 0);
	second = view_unit(&iv, PACKAGE, 4);
	/* two dies of one package; the other in two parts, one of them without times */
	s[0] = timed_source(&group[0], CT_PKG_ENERGY, 0, 100, 2);
	s[1] = timed_source(&group[1], CT_PKG_ENERGY, 2, 300, 3);
	s[2] = timed_source(&group[2], CT_PKG_ENERGY, 4, 50, 5);
	s[3] = timed_source(&group[3], CT_PKG_ENERGY, 4, 40, 0);
	s[3].further = true;
	P.source = s;
	P.nsources = 4;
	compute_interval(&iv, &old, &new);
	CHECK(same_real(shown_value(watts, &first), 150), "two dies: %g W",
	      shown_value(watts, &first));
	CHECK(same_real(shown_value(watts, &second), 20), "parts: %g W",
	      shown_value(watts, &second));
	CHECK(same_real(shown_value(watts, &all), 170), "all: %g W", shown_value(watts, &all));
	CHECK(same_real(shown_value(joules, &all), 490), "all: %g J", shown_value(joules, &all));
	/* what is possible, by the own seconds */
	M.most_watts = 99;
	T.counter[CT_PKG_ENERGY].wrap_joules = 1e9;
	compute_interval(&iv, &old, &new);
	CHECK(!is_known_in(&iv, CT_PKG_ENERGY, s[1].unit), "100 W of 99");
	CHECK(is_known_in(&iv, CT_PKG_ENERGY, s[0].unit), "50 W of 99");
	M.most_watts = 1000;
	/* in a sleep, the clocks' */
	new.t.boot = 6 * NS_PER_S;
	iv.tsc_hz = 0;
	compute_interval(&iv, &old, &new);
	CHECK(iv.suspended && same_real(own_seconds(&iv, CT_PKG_ENERGY, s[0].unit), 6),
	      "asleep: %g s", own_seconds(&iv, CT_PKG_ENERGY, s[0].unit));
	/* a mean over CPUs, and a ratio of two events that were read apart */
	new.t.boot = 4 * NS_PER_S;
	s[0] = timed_source(&group[0], CT_APERF, 0, 6000000, 2);
	s[1] = timed_source(&group[1], CT_APERF, 1, 1000000, 1);
	s[2] = timed_source(&group[2], CT_INSTRUCTIONS, 0, 12000000, 3);
	s[3] = timed_source(&group[3], CT_INSTRUCTIONS, 1, 1000000, 0.5);
	compute_interval(&iv, &old, &new);
	CHECK(same_real(shown_value(clock, &all), 2), "a mean: %g MHz", shown_value(clock, &all));
	first = view_unit(&iv, CPU, 0);
	CHECK(same_real(shown_value(ipc, &first), 4.0 / 3), "a ratio: %g",
	      shown_value(ipc, &first));
	CHECK(same_real(shown_value(ipc, &all), 6.0 / 4), "of all: %g", shown_value(ipc, &all));
}

/*
 * Percentages by events that were read apart from the TSC are of its cycles in the events' own
 * seconds; C1 is what they leave.
 */
static void test_own_cycles(void)
{
	struct event_group group[4];
	struct source s[4];
	struct sample old, new;
	struct interval iv;
	struct view all, cpu;
	double busy, c6, c1;

	small_machine();
	tables_init();
	T.counter[CT_TSC].chosen = T.counter[CT_TSC].way;
	iv = empty_interval();
	for (int k = 0; k < T.ncounters; k++) {
		T.counter[k].scale = 1;
		T.counter[k].chosen = k == CT_C1 || k <= CT_TSC || k == CT_CC6
					      ? T.counter[k].way : NULL;
	}
	CHECK(iv.own_seconds[CT_C1], "C1 has no seconds of its own");
	old = empty_sample(0);
	new = empty_sample(1);
	M.tsc_tweak = 1;
	for (int u = 0; u < M.nunits[CPU]; u++)
		new.stay[u].begin.mono = 4 * NS_PER_S;
	new.t.end.mono = new.t.boot = 4 * NS_PER_S;
	all = view_all(&iv);
	cpu = view_unit(&iv, CPU, 0);
	/* of 1000 cycles a second 100 are busy, 600 in C6; of core 1 400 */
	s[0] = timed_source(&group[0], CT_TSC, 0, 2000, 2);
	s[1] = timed_source(&group[1], CT_MPERF, 0, 200, 2);
	s[2] = timed_source(&group[2], CT_CC6, 0, 3000, 5);
	s[3] = timed_source(&group[3], CT_CC6, 2, 400, 1);
	P.source = s;
	P.nsources = 3;
	compute_interval(&iv, &old, &new);
	busy = shown_value(find_column("Busy%"), &cpu);
	cpu = view_unit(&iv, CORE, 0);
	c6 = shown_value(find_column("CPU%c6"), &cpu);
	cpu = view_unit(&iv, CPU, 0);
	c1 = shown_value(find_column("CPU%c1"), &cpu);
	CHECK(same_real(busy, 10) && same_real(c6, 60) && same_real(c1, 30),
	      "busy %g, C6 %g, C1 %g", busy, c6, c1);
	/* C6 in the seconds of the clocks */
	group[2].member[0].enabled[0] = 0;
	s[2].value[1] = 5 + 2400;
	compute_interval(&iv, &old, &new);
	CHECK(same_real(shown_value(find_column("CPU%c1"), &cpu), 30), "C6 by the clocks: %g",
	      shown_value(find_column("CPU%c1"), &cpu));
	/* 110 % of the TSC in 4 s, and more */
	s[2].value[1] = 5 + 4400;
	compute_interval(&iv, &old, &new);
	CHECK(is_known_in(&iv, CT_CC6, s[2].unit), "110 %% are impossible");
	s[2].value[1]++;
	compute_interval(&iv, &old, &new);
	CHECK(!is_known_in(&iv, CT_CC6, s[2].unit), "more than 110 %% are possible");
	/* the mean of two cores, of which each has its own seconds */
	s[2] = timed_source(&group[2], CT_CC6, 0, 3000, 5);
	s[1] = timed_source(&group[1], CT_TSC, 2, 1500, 1.5);
	P.nsources = 4;
	compute_interval(&iv, &old, &new);
	CHECK(same_real(shown_value(find_column("CPU%c6"), &all), 50), "a mean: %g",
	      shown_value(find_column("CPU%c6"), &all));
}

/* Puts an event of a cell into two samples, with its own seconds between them. */
static void set_timed(struct source *s, u64 count, double seconds)
{
	u64 *enabled = s->group->member[0].enabled;

	s->value[1] = s->value[0] + count;
	enabled[1] = enabled[0] + (u64)(seconds * 1e9);
}

/*
 * In a sum of intervals a rate is the sum of a unit's amounts divided by the sum of its seconds;
 * the summary is folded from these.
 */
static void test_own_sums(void)
{
	/* Joules, and seconds, of two dies in two intervals */
	static const struct { u64 joules[2]; double seconds[2]; } t[2] = {
		{ { 100, 200 }, { 1, 2 } }, { { 300, 300 }, { 3, 2 } },
	};
	struct event_group group[2];
	struct source s[2];
	struct sample sample[2];
	struct interval iv, total = { 0 };
	struct column watts, joules, *shown[] = { &watts, &joules };
	struct view all, first;
	union number v;

	small_machine();
	tables_init();
	iv = empty_interval();
	for (int i = 0; i < 2; i++) {
		sample[i] = empty_sample(i);
		for (int u = 0; u < M.nunits[CPU]; u++)
			sample[i].stay[u] = (struct stay){ .begin.mono = i * 2 * NS_PER_S,
							   .visited = true };
		sample[i].t.end.mono = sample[i].t.boot = i * 2 * NS_PER_S;
	}
	T.counter[CT_PKG_ENERGY].scale = 1;
	watts = *find_column("PkgWatt");
	joules = *find_column("Pkg_J");
	P.shown = shown;
	P.nshown = 2;
	for (int i = 0; i < 2; i++)
		resolve_column(shown[i], i);
	clear_sums(&total);
	s[0] = timed_source(&group[0], CT_PKG_ENERGY, 0, 0, 1);
	s[1] = timed_source(&group[1], CT_PKG_ENERGY, 4, 0, 1);
	P.source = s;
	P.nsources = 2;
	for (int i = 0; i < 2; i++) {
		set_timed(&s[0], t[0].joules[i], t[0].seconds[i]);
		set_timed(&s[1], t[1].joules[i], t[1].seconds[i]);
		compute_interval(&iv, &sample[0], &sample[1]);
		set_cell(&iv, 2, CT_PKG_ENERGY, 0);	/* the other die of package 0 */
		add_interval(&total, &iv, false);
	}
	all = view_all(&total);
	first = view_unit(&total, PACKAGE, 0);
	CHECK(column_value(&watts, &first, &v) && same_real(v.f, 100), "a package: %g W", v.f);
	/* 600 J in 5 s, not the mean of 100 W and 150 W */
	CHECK(column_value(&watts, &all, &v) && same_real(v.f, 100 + 120), "all: %g W", v.f);
	CHECK(column_value(&joules, &all, &v) && same_real(v.f, 900), "all: %g J", v.f);
	/* package 1 was absent in a third interval */
	compute_interval(&iv, &sample[0], &sample[1]);
	for (int u = 0; u < M.nunits[CPU]; u++)
		sample[1].stay[u].visited = u < 4;
	add_interval(&total, &iv, false);
	first = view_unit(&total, PACKAGE, 4);
	CHECK(!column_value(&joules, &first, &v) && !column_value(&watts, &first, &v),
	      "a part of the time is the whole");
}

static const struct test math_tests[] = {
	{ "difference", test_difference },
	{ "gather", test_gather },
	{ "span-of-unit", test_span_of_unit },
	{ "derive-c1", test_derive_c1 },
	{ "exceeds-tsc", test_exceeds_tsc },
	{ "resets", test_resets },
	{ "compute-source", test_compute_source },
	{ "derive-cycles", test_derive_cycles },
	{ "add-interval", test_add_interval },
	{ "bzy", test_bzy },
	{ "percent-of-parts", test_percent_of_parts },
	{ "correct-e-core", test_correct_e_core },
	{ "formulas", test_formulas },
	{ "lost-to-smis", test_lost_to_smis },
	{ "negative-levels", test_negative_levels },
	{ "integer-value", test_integer_value },
	{ "mean", test_mean },
	{ "kilocycles", test_kilocycles },
	{ "interval-seconds", test_interval_seconds },
	{ "tsc-rate", test_tsc_rate },
	{ "energy-wraps", test_energy_wraps },
	{ "parts", test_parts },
	{ "own-seconds", test_own_seconds },
	{ "own-cycles", test_own_cycles },
	{ "own-sums", test_own_sums },
	{ "ticks-added", test_ticks_added },
	{ 0 }
};
