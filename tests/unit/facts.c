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

/* Xeon Phi's turbo ratios are coded as differences. */
static void test_turbo_deltas(void)
{
	static const struct turbo_limit want[] = { { 8, 16 }, { 52, 15 }, { 68, 14 } };
	struct turbo_limits l = { .value = 0x30141028061004ull };

	decode_deltas(NULL, &l);
	SAME(l.n, (int)ARRAY_SIZE(want));
	CHECK(!memcmp(l.limit, want, sizeof(want)), "%llu cores, ratio %llu", l.limit[0].cores,
	      l.limit[0].ratio);
}

/* A package of cores of these types, of one CPU each; ' ' = unknown. */
static void cores_of_types(const char *types)
{
	M.n = (int)strlen(types);
	memset(M.row, -1, sizeof(M.row));
	memset(&M.online, 0, sizeof(M.online));
	memset(M.id, 0, sizeof(M.id));
	for (int i = 0; i < M.n; i++) {
		M.row[i] = M.cpu[i] = M.core[i] = M.id[ID_CORE][i] = M.id[ID_CPU][i] = i;
		M.id[ID_TYPE][i] = types[i] == ' ' ? 0 : types[i];
		set_add(&M.online, i);
	}
	memset(M.units_of, 0, sizeof(M.units_of));
	memset(M.nunits, 0, sizeof(M.nunits));
	for (enum scope s = 0; s < NSCOPES; s++)
		find_units(s);
	find_nesting();
}

#define KHZ(n, khz)	"file " SYS_CPU "cpu" #n "/cpufreq/cpuinfo_max_freq \"" #khz "\"\n"

/* The highest clock, from the first source that has one, and for how many cores it holds. */
static void test_highest(void)
{
	const u64 TB = F(TURBO), HY = (F(TURBO) | F(HYBRID) | F(HWP));
	/* clang-format off */
	const struct {
		int model;
		u64 has;
		const char *types, *text;
		int row;
		u64 cores;
		double mhz;
		enum holds holds;
	} t[] = {
		/* 8, 16 and 18 cores; a ratio of 0 is none, and the last one holds for more */
		{ 0x4f, TB, "  ", "msr 0 1ad 1f20212223242425\nmsr 0 1ae 1c1c1c1c1c1c1d1e\nmsr 0 1af 0\n", 0, 22, 2800, FOR_N },
		{ 0x4f, TB, "  ", "msr 0 1ad 1f20212223242425\nmsr 0 1ae 1c1c1c1c1c1c1d1e\nmsr 0 1af 1b1b\n", 1, 17, 2700, FOR_N },
		{ 0x4f, TB, "  ", "msr 0 1ad 1f20212223242425\nmsr 0 1ae 1c1c1c1c1c1c1d1e\n", 0, 9, 3000, FOR_N },
		{ 0x4f, TB, "  ", "msr 0 1ad 1f20212223242425\nmsr 0 1ae 1c1c1c1c1c1c1d1e\n", 0, 8, 3100, FOR_N },
		/* the smallest count that is at least as great */
		{ 0x55, TB, "  ", "msr 0 1ad 1c1f2225\nmsr 0 1ae 100c0804\n", 0, 5, 3400, FOR_N },
		{ 0x55, TB, "  ", "msr 0 1ad 1c1f2225\nmsr 0 1ae 100c0804\n", 0, 4, 3700, FOR_N },
		{ 0x55, TB, "  ", "msr 0 1ad 1c1f2225\n" KHZ(0, 3900000), 0, 4, 3900, FOR_ONE },
		/* the lower half, 6 bits each */
		{ 0x4c, TB, "    ", "msr 0 cd 4\nmsr 0 66c ff8d0f10d1\n", 0, 3, 1200, FOR_N },
		/* each type has its own */
		{ 0x97, HY, "PPE", "msr 0 1ad 2c2c2f31\nmsr 0 650 25252526\n", 2, 2, 3700, FOR_N },
		{ 0x97, HY, "PPE", "msr 0 1ad 2c2c2f31\nmsr 0 650 25252526\n", 0, 2, 4700, FOR_N },
		{ 0xaa, HY, "PEL", "msr 0 1ad 2c2c2f31\nmsr 0 650 25252526\nmsr 2 771 19\n", 2, 1, 2500, FOR_ANY },
		{ 0xaa, HY, "PEL", "msr 0 1ad 2c2c2f31\nmsr 0 650 25252526\n", 2, 1, NaN, FOR_ONE },
		{ 0xbd, HY, "PL", "msr 0 1ad 2c2c2f31\nmsr 0 650 25252525\n", 1, 2, 3700, FOR_N },
		{ 0xbd, HY, "PE", "msr 0 1ad 2c2c2f31\nmsr 0 650 25252525\n", 1, 2, 3700, FOR_N },
		{ 0xcc, HY, "PEL", "msr 0 1ad 2c2c2f31\nmsr 0 650 25252525\n" KHZ(1, 3600000), 1, 2, 3600, FOR_ONE },
		{ 0x97, HY, "PE", KHZ(0, 5000000) KHZ(1, 3900000), 1, 1, 3900, FOR_ONE },
		/* no turbo; a hidden one; what nobody can know */
		{ 0x5e, 0, "  ", "msr 0 1a0 850089\nmsr 0 ce 1e00\n" KHZ(0, 2900000), 0, 2, 3000, FOR_ANY },
		{ 0x5e, 0, "  ", "msr 0 1a0 4000850089\nmsr 0 ce 1e00\n" KHZ(0, 4000000), 0, 2, 4000, FOR_ONE },
		{ 0x5e, 0, "  ", "msr 0 1a0 !EIO\nmsr 0 ce 1e00\n" KHZ(0, 2900000), 0, 2, 2900, FOR_ONE },
		{ 0x5e, F(GUEST), "  ", "msr 0 1a0 850089\nmsr 0 ce 1e00\n" KHZ(0, 2900000), 0, 2, 2900, FOR_ONE },
		/* cpufreq may have the clock without turbo; acpi-cpufreq adds 1 MHz */
		{ 0x5e, TB, "  ", "msr 0 ce 1e00\n" KHZ(0, 3001000), 0, 2, NaN, FOR_ONE },
		{ 0x5e, TB, "  ", "msr 0 ce 1e00\n" KHZ(0, 3031000), 0, 2, 3031, FOR_ONE },
		{ 0x5e, TB, "  ", "msr 0 ce 1e00\n", 0, 1, NaN, FOR_ONE },
	};
	/* clang-format on */

	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		char *text = textf(FIRST_LINE "msr * * ok\n%s" LAST_LINES, t[i].text);
		struct highest h;
		bool known;

		become(VENDOR_INTEL, 6, t[i].model);
		M.has |= t[i].has;
		replay_text_of(text);
		machine_registers(100, false, false);
		cores_of_types(t[i].types);
		h = highest_mhz(t[i].row, t[i].cores);
		known = t[i].mhz > 0;
		SAME(h.holds, t[i].holds);
		CHECK(known ? same_real(h.mhz, t[i].mhz) : h.mhz != h.mhz,
		      "case %zu: %.0f MHz for %d, not %.0f", i, h.mhz, h.holds, t[i].mhz);
		free(text);
	}
}

/* AMD's boost clock: with preferred cores, levels rank cores. */
static void test_boost(void)
{
#define CAP(cpu, high)	"msr " #cpu " c00102b0 " #high "834022\n"
	/* clang-format off */
	static const struct {
		int family, model;
		u8 main_type;
		const char *types, *text;
		int row;
		double mhz;
	} t[] = {
		{ 0x19, 0x61, 0, "  ", "msr 0 c0010064 80000000000008b4\n" CAP(0, ec) CAP(1, e7), 0, 5702 },
		{ 0x19, 0x61, 0, "  ", "msr 0 c0010064 80000000000008b4\n" CAP(0, a6) CAP(1, a6), 0, 5702 },
		{ 0x19, 0x61, 0, "  ", "msr 0 c0010064 80000000000008b4\n" CAP(0, ec), 0, 8107 },
		{ 0x19, 0x74, 0, "  ", "msr 0 c0010064 80000000000008b4\n" CAP(0, ec) CAP(1, e7), 0, 6733 },
		{ 0x1a, 0x24, BIG_CORE, "PE", "msr 0 c0010064 8000000000000384\n" CAP(0, ec) CAP(1, 9c), 0, 6733 },
		{ 0x1a, 0x24, BIG_CORE, "PE", "msr 0 c0010064 8000000000000384\n" CAP(0, ec) CAP(1, 9c), 1, 5359 },
		{ 0x1a, 0x50, BIG_CORE, "PE", "msr 0 c0010064 8000000000000384\n" CAP(0, ec) CAP(1, 9c), 0, 8107 },
		{ 0x19, 0x61, 0, "  ", "msr 0 c0010064 80000000000008b4\n" CAP(0, ec) CAP(1, e7)
		  "file /sys/devices/system/cpu/cpu0/cpufreq/amd_pstate_max_freq \"5881000\"\n", 0, 5881 },
		{ 0x19, 0x61, 0, "  ", "file /sys/devices/system/cpu/cpu0/acpi_cppc/highest_perf \"236\"\n"
		  "file /sys/devices/system/cpu/cpu1/acpi_cppc/highest_perf \"231\"\n"
		  "file /sys/devices/system/cpu/cpu0/acpi_cppc/nominal_perf \"131\"\n"
		  "file /sys/devices/system/cpu/cpu0/acpi_cppc/nominal_freq \"4500\"\n", 0, 5702 },
	};
	/* clang-format on */

	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		char *text = textf(FIRST_LINE "msr * * ok\n%s" LAST_LINES, t[i].text);
		struct highest h;

		become(VENDOR_AMD, t[i].family, t[i].model);
		replay_text_of(text);
		machine_registers(100, false, false);
		cores_of_types(t[i].types);
		M.main_type = t[i].main_type;
		M.preferred = 0;
		h = highest_mhz(t[i].row, 1);
		CHECK(h.mhz > t[i].mhz - 1 && h.mhz < t[i].mhz + 1 && h.holds == FOR_ONE,
		      "case %zu: %f MHz, not %.0f", i, h.mhz, t[i].mhz);
		free(text);
	}
}

/* PL1 and PL2: the lowest enabled limit of the package's zones, else of its register. */
static void test_power_limits(void)
{
#define ZONE(dir, name) \
	"dir /sys/class/powercap \"" dir "\"\nfile /sys/class/powercap/" dir "/name \"" name "\"\n"
#define LIMIT_AT(dir, n, uw) \
	"file /sys/class/powercap/" dir "/constraint_" #n "_power_limit_uw \"" #uw "\"\n"
#define NAMED_AT(dir, n, name) \
	"file /sys/class/powercap/" dir "/constraint_" #n "_name \"" name "\"\n"
	/* clang-format off */
	static const struct { int model; const char *text; double pl1, pl2; } t[] = {
		{ 0x5e, "msr 0 610 8244000082a0\n", 84, 72.5 },
		{ 0x5e, "msr 0 610 244000002a0\n", -1, -1 },		/* disabled */
		{ 0x5e, "msr 0 610 ffff0000ffff\n", -1, -1 },		/* no limit */
		{ 0x5e, "msr 0 610 800000008000\n", -1, -1 },
		{ 0x5e, "msr 0 610 8244000082a0\n" ZONE("intel-rapl:0", "package-0")
		  LIMIT_AT("intel-rapl:0", 0, 45000000) LIMIT_AT("intel-rapl:0", 1, 56000000), 45, 56 },
		{ 0x5e, "msr 0 610 8244000082a0\n" ZONE("intel-rapl:0", "package-1")
		  LIMIT_AT("intel-rapl:0", 0, 45000000), 84, 72.5 },
		{ 0x5e, ZONE("intel-rapl:0", "package-0-die-1") LIMIT_AT("intel-rapl:0", 0, 45000000), 45, -1 },
		{ 0x5e, "msr 0 610 8244000082a0\n" ZONE("intel-rapl:0", "package-0")
		  "file /sys/class/powercap/intel-rapl:0/enabled \"0\"\n"
		  LIMIT_AT("intel-rapl:0", 0, 45000000), -1, -1 },
		{ 0x5e, ZONE("intel-rapl:0", "package-0") LIMIT_AT("intel-rapl:0", 0, 45000000)
		  NAMED_AT("intel-rapl:0", 0, "short_term") LIMIT_AT("intel-rapl:0", 1, 25000000)
		  NAMED_AT("intel-rapl:0", 1, "long_term"), 25, 45 },
		{ 0x5e, ZONE("intel-rapl:0", "package-0") LIMIT_AT("intel-rapl:0", 0, 4095875000), -1, -1 },
		{ 0x37, "msr 0 610 8244000082a0\n", 84, -1 },		/* has one */
		{ 0x4c, "msr 0 610 8244000082a0\n", 84, 72.5 },
	};
	/* clang-format on */

	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		char *text = textf(FIRST_LINE "msr * * ok\n%s" LAST_LINES, t[i].text);
		double pl1, pl2;

		become(VENDOR_INTEL, 6, t[i].model);
		M.has |= F(RAPL_AWAKE);
		replay_text_of(text);
		cores_of_types("  ");
		M.power_unit = 0.125;
		M.dev.nzones = 0;
		list_zones(IN_POWERCAP, NULL);
		pl1 = power_limit(0, PL1);
		pl2 = power_limit(1, PL2);
		CHECK(t[i].pl1 < 0 ? pl1 != pl1 : same_real(pl1, t[i].pl1),
		      "case %zu: PL1 %g", i, pl1);
		CHECK(t[i].pl2 < 0 ? pl2 != pl2 : same_real(pl2, t[i].pl2),
		      "case %zu: PL2 %g", i, pl2);
		free(text);
	}
}

static const struct test facts_tests[] = {
	{ "throttle", test_throttle },
	{ "turbo-deltas", test_turbo_deltas },
	{ "highest-clock", test_highest },
	{ "boost-clock", test_boost },
	{ "power-limits", test_power_limits },
	{ 0 }
};
