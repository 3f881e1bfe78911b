// SPDX-License-Identifier: GPL-2.0-only
/* FACTS: what the machine says about itself, decoded */

/* Where a processor throttles, with the offset where the model has one and it can be set. */
static void test_throttle(void)
{
	static const struct {
		int model;
		u64 platform_info, target;
		int tcc;
		double want;
	} t[] = {
		{ 0xc5, 1 << 30, 0x08690000, 0, 97 }, { 0xc5, 0, 0x08690000, 0, 105 },
		{ 0x5e, 1 << 30, 0x24640000, 0, 64 }, { 0x5e, 1 << 30, 0x24640000, 90, 90 },
		{ 0x37, 1 << 30, 0x086e0000, 0, 110 },	/* Silvermont's is only printed */
		{ 0x2a, 1 << 30, 0x08690000, 0, 105 },	/* has none */
		{ 0xc5, 1 << 30, 0x08000000, 0, -1 }, { 0xc5, 0, 0, 77, 77 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		double celsius;

		become(VENDOR_INTEL, 6, t[i].model);
		M.platform_info = t[i].platform_info;
		M.tcc = t[i].tcc;
		celsius = throttle_of(t[i].target);
		CHECK(celsius == t[i].want || (t[i].want < 0 && celsius != celsius),
		      "case %zu: %.0f C, not %.0f", i, celsius, t[i].want);
	}
}

static const struct test facts_tests[] = {
	{ "throttle", test_throttle },
	{ 0 }
};
