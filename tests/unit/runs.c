// SPDX-License-Identifier: GPL-2.0-only
/* RUNS: statistics of several measurements, their tables */

/* A statistic of values that end with -1. */
static struct statistic of_values(const double *v)
{
	struct statistic s = { 0 };

	for (; *v >= 0 || *v != *v; v++)
		add_value(&s, *v);
	return s;
}

/* The standard deviation. */
static double deviation(const struct statistic *s)
{
	return standard_error(s) * square_root((double)s->n);
}

/* Half of the 95 % interval of a mean. */
static double half_of(const struct statistic *s)
{
	struct error e = error_of(s, 1);

	return half_width(&e, 1);
}

/* Half of that of a difference of means. */
static double welch(const struct statistic *a, const struct statistic *b)
{
	return half_width((struct error[]){ error_of(a, 1), error_of(b, 1) }, 2);
}

/* A pair with an unknown value counts neither for a side nor for the difference. */
static void test_pairs(void)
{
	static const double now[][2] = { { 1, 2 }, { NaN, 50 }, { 3, 5 }, { 40, NaN } };
	struct quantity q = { 0 };
	struct runs r = { .of = PAIRS, .quantity = &q, .n = 1 };

	for (size_t i = 0; i < ARRAY_SIZE(now); i++) {
		memcpy(q.now, now[i], sizeof(now[i]));
		count_values(&r);
	}
	SAME(q.side[0].n, 2);
	SAME(q.side[1].n, 2);
	SAME(q.difference.n, 2);
	CHECK(q.side[0].mean == 2 && q.side[1].mean == 3.5 && q.difference.mean == 1.5,
	      "means %g, %g, %g", q.side[0].mean, q.side[1].mean, q.difference.mean);
	/* without a comparison there is nothing but A */
	q = (struct quantity){ .now = { 7, NaN } };
	r.of = ALONE;
	count_values(&r);
	SAME(q.side[0].n, 1);
	SAME(q.side[1].n, 0);
	SAME(q.difference.n, 0);
}

/* Mean, deviation and 95 % interval, worked out by hand. */
static void test_statistics(void)
{
	static const struct { double v[12], n, mean, sd, half; } t[] = {
		{ { 1, 3, -1 }, 2, 2, 1.414214, 12.7062 },
		{ { 1, 2, 3, -1 }, 3, 2, 1, 2.484136 },
		{ { 2, 4, 4, 4, 6, -1 }, 5, 4, 1.414214, 1.755981 },
		{ { 2, __builtin_nan(""), 4, 4, __builtin_nan(""), 4, 6, -1 }, 5, 4, 1.414214,
		  1.755981 },
		{ { 7, 7, 7, -1 }, 3, 7, 0, 0 },
		{ { 1, 2, 1, 2, 1, 2, 1, 2, -1 }, 8, 1.5, 0.534522, 0.446871 },
		{ { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, -1 }, 10, 5.5, 3.027650, 2.165850 },
	};
	static const struct { double df, want; } q[] = {
		{ 1, 12.7062 }, { 2, 4.30265 }, { 2.5, 3.63053 }, { 30, 2.04227 }, { 60, 2 },
		{ 240, 1.97 },
	};
	/* by Student's distribution itself; below 3.3 degrees of freedom wider, never narrower */
	static const struct { double a[6], b[6], exact, most; } w[] = {
		{ { 1, 2, 3, -1 }, { 2, 4, 6, -1 }, 4.155400, 1.01 },
		{ { 1, 3, -1 }, { 2, 4, 4, 4, 6, -1 }, 5.401641, 1.1 },
		{ { 5, 6, 8, 5, 6, -1 }, { 2, 4, 4, 4, 6, -1 }, 1.936217, 1.004 },
		{ { 2, 4, 4, 4, 6, -1 }, { 7, 7, 7, -1 }, 1.755978, 1.004 },
		{ { 2, 4, 4, 4, 6, -1 }, { -1 }, 3.514289, 1.004 },	/* 1 to 30 */
	};
	struct statistic s = { 0 }, a = of_values(t[1].v),
			 b = of_values((const double[]){ 2, 4, 6, -1 });

	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		struct statistic x = of_values(t[i].v);

		CHECK((double)x.n == t[i].n && fabs(x.mean - t[i].mean) < 1e-6,
		      "%zu: n %llu, mean %g", i, x.n, x.mean);
		CHECK(fabs(deviation(&x) - t[i].sd) < 1e-5, "%zu: deviation %.6f", i,
		      deviation(&x));
		CHECK(fabs(half_of(&x) - t[i].half) < 1e-4, "%zu: half-width %.6f", i,
		      half_of(&x));
	}
	for (size_t i = 0; i < ARRAY_SIZE(q); i++)
		CHECK(fabs(t95(q[i].df) - q[i].want) < 1e-5, "t(%g) = %.6f", q[i].df, t95(q[i].df));
	for (int i = 1; i <= 30; i++)
		add_value(&s, i);
	CHECK(fabs(deviation(&s) - 8.803408) < 1e-5 && fabs(half_of(&s) - 3.287258) < 1e-4,
	      "1 to 30: %.6f, %.6f", deviation(&s), half_of(&s));
	CHECK(s.min == 1 && s.max == 30, "1 to 30: from %g to %g", s.min, s.max);
	CHECK(fabs(welch(&a, &b) - 4.166371) < 1e-4, "Welch: %.6f", welch(&a, &b));
	for (size_t i = 0; i < ARRAY_SIZE(w); i++) {
		double half;

		a = of_values(w[i].a);
		b = w[i].b[0] < 0 ? s : of_values(w[i].b);
		half = welch(&a, &b);
		CHECK(half > 0.996 * w[i].exact && half < w[i].most * w[i].exact,
		      "Welch %zu: %.6f for %.6f", i, half, w[i].exact);
		CHECK(fabs(welch(&b, &a) - half) < 1e-9, "Welch %zu: A and B", i);
	}
	s = of_values((const double[]){ 5, -1 });
	CHECK(half_of(&s) != half_of(&s), "one value has an interval");
	CHECK(deviation(&s) != deviation(&s), "one value has an interval");
	CHECK(fabs(square_root(2) - 1.41421356237) < 1e-10 &&
	      fabs(square_root(1e-12) - 1e-6) < 1e-15 && square_root(0) == 0, "roots");
}

/* No decimal is below the standard error; where there is none, they are those of the column. */
static void test_decimals(void)
{
	static const struct { double error; int want; } t[] = {
		{ 0, 2 }, { NaN, 2 }, { 120, 0 }, { 1, 0 }, { 0.99, 1 }, { 0.1, 1 }, { 0.099, 2 },
		{ 0.0051, 3 }, { 1e-7, 4 },
	};
	struct quantity q = { .decimals = 2 };

	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		int n = decimals_for(&q, t[i].error);

		CHECK(n == t[i].want, "standard error %g: %d decimals", t[i].error, n);
	}
}

/* Where a value was not known in some runs, each line says of how many runs it is. */
static void test_counts(void)
{
	struct runs r = { .of = ALONE };
	struct buf b = { 0 };

	r.side[0].command = (char *[]){ (char *)"true", NULL };
	list_quantities(&r);
	for (int i = 0; i < 3; i++)
		for (int q = 0; q < r.n; q++)
			add_value(r.quantity[q].side, 2500 + 1e-7 * i);
	print_statistics(&b, &r);
	CHECK(strstr(b.p, "unit\n") && !strstr(b.p, "2500.000001"), "%s", b.p);
	buf_clear(&b);
	add_value(r.quantity[Q_SYS].side, 2500);
	print_statistics(&b, &r);
	CHECK(strstr(b.p, "unit  n\n") && strstr(b.p, "s     3\n") && strstr(b.p, "s     4\n"),
	      "%s", b.p);
	free(b.p);
	free(r.quantity);
}

/* The area below Student's density, up to u of x = u / (1 - u), but for a factor. */
static double student_area(int df, double u)
{
	enum { STEPS = 4000 };
	double sum = 0;

	for (int i = 0; i < STEPS; i++) {
		double part = u * (i + 0.5) / STEPS, x = part / (1 - part), power = 1;

		for (int k = 0; k <= df; k++)
			power /= 1 + x * x / df;
		sum += square_root(power) / ((1 - part) * (1 - part));
	}
	return sum * u / STEPS;
}

/* Each number of the table leaves 5 % of Student's distribution outside, and nearly so beyond. */
static void test_student(void)
{
	for (int df = 1; df <= 60; df++) {
		double t = t95(df), inside = student_area(df, t / (1 + t)) / student_area(df, 1);

		CHECK(fabs(inside - 0.95) < (df > 30 ? 3e-4 : 1e-5),
		      "%d degrees of freedom: %.6f inside", df, inside);
	}
}

/* Every format has statistics of runs; with totals for Prometheus runs are refused. */
static void test_formats_of_runs(void)
{
	struct runs r = { .of = ALONE };

	r.side[0].command = (char *[]){ (char *)"true", NULL };
	list_quantities(&r);
	for (size_t i = 0; i < ARRAY_SIZE(writers); i++) {
		struct buf b = { 0 };

		if (i == PROMETHEUS)
			continue;
		CHECK(writers[i].statistics, "format %zu has no statistics", i);
		writers[i].statistics(&b, &r);
		CHECK(b.len, "format %zu prints no statistics", i);
		free(b.p);
	}
	free(r.quantity);
}

/* The percentile is exact at first, then near that of the distribution, in the same memory. */
static void test_percentile(void)
{
	static const struct { const char *name; int n; double want, most; } t[] = {
		{ "one", 1, 0, 0 }, { "ten", 10, 9, 0 }, { "twenty", 20, 18, 0 },
		{ "early", 100, 94, 0 }, { "even", 10007, 9506, 100 },
		{ "square", 20011, 0.9025, 0.01 }, { "constant", 5000, 7, 0 },
		{ "two values", 9973, 1, 0.01 }, { "negative", 10007, -10494, 100 },
		{ "mixed", 10007, 0.05, 0.001 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		struct percentile p = { 0 };
		double found;

		for (int k = 0; k < t[i].n; k++) {
			int at = (int)((u64)k * 7919 % (u64)t[i].n);	/* every number once */
			double share = (at + 0.5) / t[i].n;

			add_to_percentile(&p, (u64)k + 1, i == 5   ? share * share
							  : i == 6 ? 7 : i == 7 ? at % 2
							  : i == 8 ? at - 20000
							  : i == 9 ? 0.05 + (at - 9506) * 1e-4
							  : at);
		}
		found = find_percentile(&p, (u64)t[i].n);
		free(p.bin);
		CHECK(fabs(found - t[i].want) <= t[i].most, "%s: %g, not %g", t[i].name, found,
		      t[i].want);
	}
	CHECK(find_percentile(&(struct percentile){ 0 }, 0) != 0, "a percentile of no value");
}

/* Rounding leaves the percentile between minimum and maximum; many runs have none. */
static void test_many_values(void)
{
	static const double values[] = { 3001, 3003, -5 };

	for (size_t i = 0; i < ARRAY_SIZE(values); i++) {
		struct runs r = { .of = INTERVALS };
		struct quantity *q = add_quantity(&r, TIMES, "TSC_MHz", "MHz", 0);
		double v[NMEASURES];

		for (int k = 0; k < 200; k++) {
			q->now[0] = values[i];
			count_values(&r);
		}
		find_measures(&r, q, v);
		CHECK(v[M_P95] == values[i], "p95 of %g: %g", values[i], v[M_P95]);
		free(q->p95.bin);
		q->p95.bin = NULL;
		r.of = ALONE;
		find_measures(&r, q, v);
		CHECK(v[M_P95] != v[M_P95] && v[M_MEAN] == values[i], "200 runs: %g", v[M_P95]);
		free(r.quantity);
	}
}

/* A number from 0 to 1: Park and Miller's generator. */
static double uniform(u64 *state)
{
	*state = *state * 16807 % 2147483647;
	return (double)*state / 2147483647;
}

/* A run's energy: 100 J and some per cent, with a deviation of 1 %, nearly normal. */
static double noisy(u64 *state, double percent)
{
	double sum = 0;

	for (int i = 0; i < 12; i++)
		sum += uniform(state);
	return 100 + percent + sum - 6;
}

/* In how many of 1000 trials of 10 runs each a gate fails; -1: one could not be judged. */
static int count_failures(int kind, double effect, char sign, u64 seed)
{
	int found = 0;

	for (int trial = 0; trial < 1000; trial++) {
		struct quantity q = { .name = "Pkg_J", .symbol = "J" };
		struct runs r = { .quantity = &q, .n = 1 };
		int status;

		r.of = kind ? RECORDINGS : PAIRS;
		for (int run = 0; run < 10; run++) {
			q.now[0] = noisy(&seed, 0);
			q.now[1] = noisy(&seed, effect);
			count_values(&r);
		}
		O.gate = &(struct gate){ "gate", (char *)"Pkg_J", sign, sign == '>' ? 2 : -2,
					 true };
		O.ngates = 1;
		status = judge_gates(&r, true);
		if (status != 0 && status != 3)
			return -1;
		found += status == 3;
	}
	return found;
}

/*
 * A gate of 2 % where there is no difference fails in at most 5 of 100 trials, where there are 5 %
 * with a deviation of 1 % in at least 90, in pairs and by Welch; 2 % themselves pass mostly.
 */
static void test_gates(void)
{
	static const struct { double effect; char sign; int least, most; } t[] = {
		{ 0, '>', 0, 50 }, { 5, '>', 900, 1000 }, { 2, '>', 0, 50 }, { -5, '>', 0, 0 },
		{ -5, '<', 900, 1000 }, { 0, '<', 0, 50 },
	};
	int own = dup(STDERR_FILENO), null = open("/dev/null", O_WRONLY);
	int found[2 * ARRAY_SIZE(t)];
	struct quantity q = { .name = "Pkg_J", .symbol = "J" };
	struct runs r = { .of = PAIRS, .quantity = &q, .n = 1 };

	dup2(null, STDERR_FILENO);
	for (size_t i = 0; i < ARRAY_SIZE(found); i++)
		found[i] = count_failures(i & 1, t[i / 2].effect, t[i / 2].sign, 7919 * (i + 1));
	O.gate = &(struct gate){ "gate", (char *)"Pkg_J", '>', 2, true };
	O.ngates = 1;
	q.now[0] = q.now[1] = 100;	/* a single pair has no interval */
	count_values(&r);
	SAME(judge_gates(&r, true), 1);
	dup2(own, STDERR_FILENO);
	O.ngates = 0;
	for (size_t i = 0; i < ARRAY_SIZE(found); i++)
		CHECK(found[i] >= t[i / 2].least && found[i] <= t[i / 2].most,
		      "%s, %g %%, %c 2 %%: %d of 1000", i & 1 ? "Welch" : "pairs", t[i / 2].effect,
		      t[i / 2].sign, found[i]);
}

/* The interval of net energy has the errors of the runs and of the idle power. */
static void test_idle(void)
{
	struct quantity q = { .name = "Net_J", .symbol = "J", .idle = { 5 } };
	struct runs r = { .of = ALONE, .quantity = &q, .n = 1 };
	double v[NMEASURES];

	r.side[0].idle = r.side[1].idle = of_values((const double[]){ 1, 2, 3, -1 });
	q.side[0] = of_values((const double[]){ 9, -1 });
	find_measures(&r, &q, v);	/* of a single run only the idle part has an error */
	CHECK(fabs(v[M_CI95] - 5 * 2.484136) < 1e-4, "one run: %g", v[M_CI95]);
	q.side[0] = of_values((const double[]){ 2, 4, 4, 4, 6, -1 });
	find_measures(&r, &q, v);	/* variances 0.4 and 25 / 3, 4 and 2 degrees of freedom */
	CHECK(fabs(v[M_CI95] - t95(2.194080) * 2.955221) < 1e-3, "five runs: %g", v[M_CI95]);
	r.of = PAIRS;
	q.idle[1] = 7;
	q.difference = of_values((const double[]){ 2, 4, 4, 4, 6, -1 });
	q.side[1] = q.side[0];
	find_measures(&r, &q, v);	/* pairs have one idle power: only 2 s differ */
	CHECK(fabs(v[M_DIFF_HIGH] - v[M_DIFF] - t95(3.234450) * 1.316561) < 1e-3, "pairs: %g",
	      v[M_DIFF_HIGH] - v[M_DIFF]);
}

static const struct test runs_tests[] = {
	{ "gates", test_gates },
	{ "idle", test_idle },
	{ "percentile", test_percentile },
	{ "many-values", test_many_values },
	{ "formats-of-runs", test_formats_of_runs },
	{ "pairs", test_pairs },
	{ "statistics", test_statistics },
	{ "decimals", test_decimals },
	{ "counts", test_counts },
	{ "student", test_student },
	{ 0 }
};
