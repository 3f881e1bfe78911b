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

static const struct test choice_tests[] = {
	{ "chosen-way", test_chosen_way },
	{ 0 }
};
