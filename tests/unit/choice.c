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
	struct search s = { .counter = 0 };

	small_machine();
	add_counter(&energy);
	make_cells();
	M.rapl_unit[ENERGY_UNIT] = 0x1p-10;
	P.nsources = 0;
	for (int i = 0; i < 2; i++) {
		s.way = &T.counter[0].way[i];
		add_source(&s, i == 0 ? 0 : 4, 0);
		keep_way(&s, (u32)i);
	}
	CHECK(T.counter[0].chosen == T.counter[0].way, "the first way is not the chosen one");
	CHECK(same_real(T.counter[0].scale, 0x1p-10), "the scale is %g", T.counter[0].scale);
	CHECK(same_real(P.source[0].factor, 1), "the first one's factor is %g", P.source[0].factor);
	CHECK(same_real(P.source[1].factor, 1e-6 * 0x1p10), "the second one's factor is %g",
	      P.source[1].factor);
}

static const struct test choice_tests[] = {
	{ "kept-ways", test_kept_ways },
	{ 0 }
};
