// SPDX-License-Identifier: GPL-2.0-only
/* CHOICE: which source each counter has here */

/*
 * The way that serves a unit is the first that does, also where a later one completes the
 * counter; what that reads is brought to the unit of the chosen one.
 */
static void test_kept_ways(void)
{
	static const struct way microjoules = { .kind = BY_FILE, .scale = 1e-6 };
	struct counter energy = { .name = "energy",
				  .scope = PACKAGE,
				  .rapl_unit = ENERGY_UNIT,
				  .way = { { .kind = BY_MSR }, microjoules } };
	struct search s = { .covered = zeroed(8, 1) };

	small_machine();
	add_counter(&energy);
	M.rapl_unit[ENERGY_UNIT] = 0x1p-10;
	P.source = zeroed(8, 1);
	for (int i = 0; i < 2; i++) {
		s.way = &T.counter[0].way[i];
		add_op(4 * i, (u32)(4 * i), s.way->kind, 0, 0);
		s.covered[4 * i] = COVERED;
		keep_way(&s, (u32)i);
	}
	CHECK(T.counter[0].chosen == T.counter[0].way, "the first way is not the chosen one");
	CHECK(same_real(T.counter[0].scale, 0x1p-10), "the scale is %g", T.counter[0].scale);
	SAME(P.source[0], 1);
	SAME(P.source[4], 2);
	SAME(P.source[2], 0);
	CHECK(same_real(P.op[0].factor, 1), "the first one's factor is %g", P.op[0].factor);
	CHECK(same_real(P.op[1].factor, 1e-6 * 0x1p10), "the second one's factor is %g",
	      P.op[1].factor);
}

/*
 * What several events of a unit come to: each is an instance; without one of them there is no
 * sum.
 */
static void test_instances(void)
{
	struct pmu pmu;
	struct interval iv;
	struct reading r;
	struct view v = { &iv, SYSTEM, 0 };

	small_machine_with_events(&pmu, "0,2,4");
	/* events are refused */
	SAME(open_two(&pmu, 0, 0), 0);
	SAME(open_two(&pmu, 0, 2), 0);
	SAME(open_two(&pmu, 4, 4), 0);
	P.ntaps = 0;
	for (int i = 0; i < 3; i++)
		add_tap((struct tap){ .row = i < 2 ? 0 : 4, .counter = 0, .group = i });
	CHECK(P.tap[0].cell == 0 && P.tap[1].cell >= 16 && P.tap[2].cell == 8, "cells %u %u %u",
	      P.tap[0].cell, P.tap[1].cell, P.tap[2].cell);
	list_instances();
	iv = (struct interval){ .m = &M,
				.t = &T,
				.instance = P.instance,
				.first_instance = P.first_instance,
				.value = zeroed(P.ncells, sizeof(u64)),
				.valid = zeroed(P.ncells, 1),
				.row_seconds = zeroed(8, sizeof(double)),
				.seconds = 1 };
	for (int i = 0; i < 3; i++) {
		iv.value[P.tap[i].cell] = 1ull << i;
		iv.valid[P.tap[i].cell] = 1;
	}
	CHECK(gather_reading(&v, 0, 0, &r) && r.value == 7, "the sum of all: %llu", r.value);
	v.scope = PACKAGE;
	CHECK(gather_reading(&v, 0, 0, &r) && r.value == 3, "the sum of a package: %llu", r.value);
	iv.valid[P.tap[1].cell] = 0;
	CHECK(!gather_reading(&v, 0, 0, &r), "a part is a sum");
	v.row = 4;
	CHECK(gather_reading(&v, 0, 0, &r) && r.value == 4, "the other package: %llu", r.value);
	v.scope = SYSTEM;
	T.counter[1].rapl_unit = ENERGY_UNIT;
	iv.value[1] = 5;
	iv.valid[1] = 1;
	CHECK(!gather_reading(&v, 1, 1, &r), "the energy of one package is that of the machine");
	iv.value[9] = 6;
	iv.valid[9] = 1;
	CHECK(gather_reading(&v, 1, 1, &r) && r.value == 11, "the energy of two packages: %llu",
	      r.value);
	/* a mean is that of the units' sums, also below 0; their time that of all readings */
	T.counter[0].fold = MEAN;
	T.counter[0].bits = 64;
	for (int i = 0; i < 3; i++) {
		iv.value[P.tap[i].cell] = (u64)-(i + 1) * 4;
		iv.valid[P.tap[i].cell] = 1;
	}
	iv.row_seconds[0] = iv.row_seconds[4] = 2;
	for (enum kind_of_counter kind = COUNT; kind <= GAUGE; kind++) {
		T.counter[0].kind = kind;
		CHECK(gather_reading(&v, 0, 0, &r) && r.seconds == 2 &&
		      (kind == COUNT || (i64)r.value == -12), "the mean of several: %lld, %g s",
		      (i64)r.value, r.seconds);
	}
}

static const struct test choice_tests[] = {
	{ "kept-ways", test_kept_ways },
	{ "instances", test_instances },
	{ 0 }
};
