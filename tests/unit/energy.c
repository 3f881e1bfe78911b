// SPDX-License-Identifier: GPL-2.0-only
/*
 * energy.c - unit tests of the section ENERGY
 */

static void test_wraps(void)
{
	static const struct { u64 was, now, modulus; double joules, want; } t[] = {
		{ 100, 200, 0, 0.5, 50 },
		{ 0xffffff00, 0x100, 1ull << 32, 1, 512 },
		{ 262143328850, 0, 262143328851, 1e-6, 1e-6 },
		{ 5, 5, 1ull << 32, 1, 0 },
		{ 5, 4, 0, 1, NaN },			/* nobody knows where it wraps */
		{ 1000, 4, 1000, 1, NaN },		/* above its range */
		{ 1ull << 53, (1ull << 53) + 8, 0, 1e-6, 8e-6 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		double v = joules_between(t[i].was, t[i].now, t[i].modulus, t[i].joules);

		CHECK(v == t[i].want || (v != v && t[i].want != t[i].want), "case %zu: %g", i, v);
	}
}

static void test_bounds(void)
{
	double share = most_difference(5, 0.001, 0.009);

	CHECK(share > 0.03199999 && share < 0.03200001, "30 ms at both ends of 5 s: %g", share);
	CHECK(most_difference(1, 0, 0) > most_difference(2, 0, 0), "longer is finer");
	CHECK(powers_agree(100, 97, 0.03, 0), "at the bound");
	CHECK(!powers_agree(100, 96.9, 0.03, 0), "below it");
	CHECK(powers_agree(96.9, 100, 0.03, 0.1), "and a unit");
	CHECK(!powers_agree(0, 0.2, 0.02, 0.1), "of nothing");
	CHECK(powers_agree(0, 0, 0.02, 0), "both stand still");
	CHECK(!parts_exceed(21, NaN, 20) && parts_exceed(21.01, NaN, 20), "cores alone");
	CHECK(!parts_exceed(19, 2, 20) && parts_exceed(19, 2.01, 20), "cores and graphics");
	CHECK(!parts_exceed(NaN, NaN, 20), "no part is known");
	CHECK(stands_still(0.0049) && !stands_still(0.005) && !stands_still(NaN), "0.00 W");
}

static void test_whole(void)
{
	static const struct energy package = { .row = &energy_rows[0] };
	static const struct energy memory = { .row = &energy_rows[1] };
	static const struct { enum trust a, b, m, want; } t[] = {
		{ RIGHT, RIGHT, SINGLE, RIGHT },
		{ RIGHT, SINGLE, RIGHT, SINGLE },
		{ SINGLE, SINGLE, UNTOLD, SINGLE },
		{ RIGHT, UNTOLD, RIGHT, UNTOLD },
		{ RIGHT, RIGHT, DOUBTFUL, DOUBTFUL },
		{ UNTOLD, DOUBTFUL, RIGHT, DOUBTFUL },
	};

	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		const struct energy_check c[] = { { &package, t[i].a }, { &package, t[i].b },
						  { &memory, t[i].m } };

		CHECK(whole_trust(c, 3) == t[i].want, "case %zu: %d", i, whole_trust(c, 3));
	}
	CHECK(whole_trust(NULL, 0) == UNTOLD, "no package");
	CHECK(whole_trust(&(struct energy_check){ &memory, RIGHT }, 1) == UNTOLD, "memory alone");
}

static void test_names(void)
{
	char *zone = name_of_way(VIA_POWERCAP, 0, "/sys/class/powercap/intel-rapl:0:2/energy_uj");
	char *msr = name_of_way(VIA_MSR, 0xc001029b, NULL);
	char *hwmon = name_of_way(VIA_HWMON, 0, "/sys/class/hwmon/hwmon3/energy1_input");

	CHECK(same_text(zone, "intel-rapl:0:2"), "%s", zone);
	CHECK(same_text(msr, "MSR 0xc001029b"), "%s", msr);
	CHECK(same_text(hwmon, "amd_energy"), "%s", hwmon);
	free(zone);
	free(msr);
	free(hwmon);
}

static const struct test energy_tests[] = { { "wraps", test_wraps },
					    { "bounds", test_bounds },
					    { "whole", test_whole },
					    { "names", test_names },
					    { 0 } };
