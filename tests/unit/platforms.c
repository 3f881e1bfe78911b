// SPDX-License-Identifier: GPL-2.0-only
/* PLATFORMS: the platform table */

/* An unlisted model has its vendor's features only; a Zen is known by CPUID's RAPL bit. */
static void test_platform_unlisted(void)
{
	static const struct { enum vendor vendor; int family, model; } others[] = {
		{ VENDOR_INTEL, 6, 0x0e }, { VENDOR_INTEL, 6, 0xff }, { VENDOR_INTEL, 15, 4 },
		{ VENDOR_INTEL, 18, 0x02 }, { VENDOR_INTEL, 19, 0x02 },
		{ VENDOR_INTEL, 5, 0x55 }, { VENDOR_OTHER, 6, 0x55 }, { VENDOR_OTHER, 0, 0 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(others); i++) {
		become(others[i].vendor, others[i].family, others[i].model);
		CHECK(M.platform == &unlisted && !(M.has & ~(F(INTEL) | F(AMD))),
		      "vendor %d family %d model %d: features 0x%llx", others[i].vendor,
		      others[i].family, others[i].model, M.has);
	}
	M.family = 0x19;
	M.has = F(AMD);		/* a guest: no RAPL is announced */
	find_platform();
	CHECK(M.platform == &unlisted, "a Zen without RAPL");
	SAME(has(F(AMD_RAPL)), 0);
	become(VENDOR_AMD, 0x1a, 0x44);
	CHECK(M.platform == &zen, "a Zen");
	CHECK(has(F(AMD_RAPL)), "Zen 5");
}

/* Every model of the platform table can be found. */
static void test_platform_table(void)
{
	for (size_t i = 0; i < ARRAY_SIZE(platforms); i++) {
		const struct platform *p = &platforms[i];

		CHECK(p->models[0], "row %zu: no models", i);
		for (int k = 0; k < MOST_MODELS && p->models[k]; k++) {
			become(VENDOR_INTEL, p->models[k] >> 8, p->models[k] & 0xff);
			CHECK(M.platform == p, "0x%x stands twice", p->models[k]);
		}
		CHECK(!(p->has & (F(INTEL) | F(AMD) | F(APERF) | F(TURBO) | F(DTS) | F(PTM) |
				  F(HWP) | F(EPB) | F(AMD_RAPL))),
		      "row %zu: a feature that CPUID announces", i);
		CHECK(!(p->has & F(RAPL_PKG)) == !(p->has & (2 * F(RAPL_PSYS) - F(RAPL_PKG))),
		      "row %zu: RAPL without a package", i);
		CHECK(p->limits && p->has & F(PLATFORM_INFO), "row %zu: no limits", i);
	}
	for (size_t i = 0; i < ARRAY_SIZE(l2_intel); i++)
		for (int k = 0; k < MOST_MODELS && l2_intel[i].models[k]; k++) {
			u16 model = l2_intel[i].models[k];

			become(VENDOR_INTEL, model >> 8, model & 0xff);
			CHECK(M.platform != &unlisted && l2_events() == &l2_intel[i], "0x%x",
			      model);
		}
}

/* A row may be full: what comes behind its models is none. */
static void test_platform_full(void)
{
	static const u16 models[MOST_MODELS + 1] = {
		0x601, 0x602, 0x603, 0x604, 0x605, 0x606, 0x607, 0x608, 0x609, 0x60a
	};

	become(VENDOR_INTEL, 6, 9);
	CHECK(is_model(models), "the last model");
	become(VENDOR_INTEL, 6, 10);
	CHECK(!is_model(models), "behind the last model");
	become(VENDOR_AMD, 6, 9);
	CHECK(!is_model(models), "another vendor");
}

/* The codes of the package C-state limit. */
static void test_limit_codes(void)
{
	/* by generation; blanks: reserved */
	static const struct { const struct pkg_limits *limits; const char *want; } t[] = {
		{ &nehalem_limits, "pc0,pc1,pc3,pc6,pc7,,,unlimited,,,,,,,," },
		{ &snb_limits, "pc0,pc2,pc6n,pc6r,pc7,pc7s,,unlimited,,,,,,,," },
		{ &hsw_limits, "pc0,pc2,pc3,pc6,pc7,pc7s,pc8,pc9,unlimited,,,,,,," },
		{ &skx_limits, "pc0,pc2,pc6n,pc6r,,,,unlimited,,,,,,,," },
		{ &slm_limits, "pc0,pc1,,,pc4,,pc6,pc7,,,,,,,pc6,pc7" },
		{ &amt_limits, "unlimited,pc1,pc2,,,,pc6,pc7,,,,,,,," },
		{ &gmt_limits, "unlimited,pc1,pc3,pc6,pc7,pc7s,pc8,pc9,pc10,,,,,,," },
	};
	static const char *const order[] = {
		"reserved", "unknown", "pc0", "pc1",  "pc2", "pc3", "pc4",  "pc6",
		"pc6n",    "pc6r",     "pc7", "pc7s", "pc8", "pc9", "pc10", "unlimited",
	};

	SAME(ARRAY_SIZE(pkg_limit_names), ARRAY_SIZE(order));
	for (size_t i = 0; i < ARRAY_SIZE(order); i++)
		CHECK(!strcmp(pkg_limit_names[i], order[i]), "limit %zu is %s, not %s", i,
		      pkg_limit_names[i], order[i]);
	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		struct buf b = { 0 };

		for (int v = 0; v < 16; v++) {
			int l = t[i].limits->state[v];

			buf_printf(&b, "%s%s", v ? "," : "",
				   l == L_UNKNOWN || l == L_RESERVED ? "" : pkg_limit_names[l]);
		}
		CHECK(!strcmp(b.p, t[i].want), "case %zu: %s, not %s", i, b.p, t[i].want);
		free(b.p);
	}
}

static const struct test platforms_tests[] = {
	{ "platform-unlisted", test_platform_unlisted },
	{ "platform-table", test_platform_table },
	{ "platform-full", test_platform_full },
	{ "limit-codes", test_limit_codes },
	{ 0 }
};
