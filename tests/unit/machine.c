// SPDX-License-Identifier: GPL-2.0-only
/* MACHINE: CPUID, topology, clocks, units */

/* RAPL units of the registers. */
static void test_rapl_units(void)
{
	static const struct {
		enum vendor vendor;
		int family, model;
		u64 unit, info;
		double watt, joule, second, dram, psys, tdp;
	} t[] = {
		{ VENDOR_INTEL, 6, 0x9e, 0xa0e03, 0x2f8, 0.125, 1.0 / 16384, 1.0 / 1024,
		  1.0 / 16384, 1.0 / 16384, 95 },
		{ VENDOR_INTEL, 6, 0x9e, 0x00e03, 0, 0.125, 1.0 / 16384, 1.0 / 1024, 1.0 / 16384,
		  1.0 / 16384, 135 },
		{ VENDOR_INTEL, 6, 0x55, 0xa0e03, 0x488, 0.125, 1.0 / 16384, 1.0 / 1024, 15.3e-6,
		  1.0 / 16384, 145 },
		{ VENDOR_INTEL, 6, 0x8f, 0xa0e03, 0xaf0, 0.125, 1.0 / 16384, 1.0 / 1024,
		  1.0 / 16384, 1, 350 },
		{ VENDOR_INTEL, 6, 0x37, 0x00505, 0, 0.032, 32e-6, 1, 32e-6, 32e-6, 30 },
		{ VENDOR_INTEL, 6, 0x4c, 0x00505, 0, 0.032, 32e-6, 1, 32e-6, 32e-6, 30 },
		{ VENDOR_INTEL, 6, 0x4d, 0xa1003, 0, 0.008, 1.0 / 65536, 1.0 / 1024, 1.0 / 65536,
		  1.0 / 65536, 30 },
		{ VENDOR_AMD, 0x17, 0x71, 0xa1003, 0, 0.125, 1.0 / 65536, 1.0 / 1024, 1.0 / 65536,
		  1.0 / 65536, 280 },
		{ VENDOR_AMD, 0x17, 0x71, 0x01003, 0, 0.125, 1.0 / 65536, 1, 1.0 / 65536,
		  1.0 / 65536, 280 },
		{ VENDOR_INTEL, 6, 0x9e, 0xf1f0f, 0x7fff, 1.0 / 32768, 1.0 / 2147483648.0,
		  1.0 / 32768, 1.0 / 2147483648.0, 1.0 / 2147483648.0, 32767.0 / 32768 },
		{ VENDOR_INTEL, 6, 0x37, 0xf1f0f, 0, 32.768, 2147.483648, 1, 2147.483648,
		  2147.483648, 30 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		bool amd = t[i].vendor == VENDOR_AMD;
		char *text = textf(FIRST_LINE "msr * * ok\nmsr 0 %x %llx\nmsr 0 %x 1\n"
				   "msr 0 %x %llx\n" LAST_LINES,
				   amd ? 0xc0010299 : 0x606, t[i].unit, amd ? 0xc001029b : 0x611,
				   0x614, t[i].info);

		replay_text_of(text);
		become(t[i].vendor, t[i].family, t[i].model);
		machine_rapl();
		CHECK(same_real(M.power_unit, t[i].watt) &&
			      same_real(M.rapl_unit[ENERGY_UNIT], t[i].joule) &&
			      same_real(M.rapl_unit[TIME_UNIT], t[i].second) &&
			      same_real(M.rapl_unit[DRAM_UNIT], t[i].dram) &&
			      same_real(M.rapl_unit[PSYS_UNIT], t[i].psys) &&
			      same_real(M.tdp, t[i].tdp),
		      "case %zu: %g W, %g J, %g s, DRAM %g J, psys %g J, TDP %g W", i, M.power_unit,
		      M.rapl_unit[ENERGY_UNIT], M.rapl_unit[TIME_UNIT], M.rapl_unit[DRAM_UNIT],
		      M.rapl_unit[PSYS_UNIT], M.tdp);
		free(text);
	}
	replay_text_of(FIRST_LINE "msr * * ok\nmsr 0 606 a0e03\n"
		       "msr 0 611 ffffffff00000000\n" LAST_LINES);
	become(VENDOR_INTEL, 6, 0x55);
	M.has |= F(RAPL_AWAKE);
	machine_rapl();
	CHECK(has(F(RAPL_PKG)), "a package energy of 0 has counted");
	SAME(has(F(RAPL_AWAKE)), 0);
	SAME(M.refused, F(RAPL_AWAKE));
}

/* Watts that nothing exceeds: four times what registers say, but for what stands for no limit. */
static void test_most_watts(void)
{
	static const struct { u64 info, limits; double want; } t[] = {
		{ 0, 0, 2000 }, { 760, 760, 2000 }, { 8 * 300, 0, 2000 }, { 8 * 600, 0, 2400 },
		{ 8ull * 700 << 32 | 8 * 600, 0, 2800 }, { 0, 8 * 800, 3200 },
		{ 0, 8ull * 900 << 32 | 8 * 800, 3600 }, { 0x7fff, 0x7fff, 2000 },
		{ 0x7fffull << 32, 0x7fffull << 32 | 0x7fff, 2000 },
		{ 8ull * 700 << 32 | 0x7fff, 0x7fff, 2800 },
	};

	M.power_unit = 0.125;
	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		double got = most_watts(t[i].info, t[i].limits);

		CHECK(got == t[i].want, "case %zu: %g W, not %g", i, got, t[i].want);
	}
}

/* The frequency of AMD's P-states, by family; of those but the first that are enabled. */
static void test_amd_pstates(void)
{
	static const struct { int family; u64 value; double p0, p2; } t[] = {
		{ 0x17, 0x8000000000000890, 3.6e9, 3.6e9 }, { 0x17, 0x890, 3.6e9, 0 },
		{ 0x19, 0x8000000000000c78, 2e9, 2e9 }, { 0x19, 0x8000000000000078, 0, 0 },
		{ 0x1a, 0x8000000000000320, 4e9, 4e9 }, { 0x1b, 0x8000000000000320, 4e9, 4e9 },
		{ 0x16, 0x8000000000000890, 0, 0 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		char *text = textf(FIRST_LINE "msr * * ok\nmsr 0 c0010064 %llx\n"
				   "msr 0 c0010066 %llx\n" LAST_LINES,
				   t[i].value, t[i].value);

		replay_text_of(text);
		M.family = t[i].family;
		M.has = F(AMD);
		CHECK(amd_pstate_hz(0) == t[i].p0 && amd_pstate_hz(2) == t[i].p2,
		      "case %zu: %g and %g Hz", i, amd_pstate_hz(0), amd_pstate_hz(2));
		CHECK(amd_pstate_hz(1) <= 0, "a register that is not there");
		M.has = F(INTEL);
		CHECK(amd_pstate_hz(0) <= 0, "not AMD");
		free(text);
	}
}

/* A code with a reserved bit excludes no state: Haswell-EP with code 8 counts C3 and C6. */
static void test_pkg_limit(void)
{
	static const struct { int model, value; enum pkg_limit want; } t[] = {
		{ 0x3f, 0x12008408, L_PC0 }, { 0x55, 3, L_PC6R }, { 0x55, 0xb, L_PC6R },
		{ 0x55, 0x407, L_UNLIMITED }, { 0x8e, 8, L_UNLIMITED }, { 0x8e, 0xb, L_RESERVED },
		{ 0x6a, 0x0c00840a, L_PC6N },
	};

	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		char *text = textf(FIRST_LINE "msr * * ok\nmsr 0 e2 %x\n" LAST_LINES, t[i].value);

		become(VENDOR_INTEL, 6, t[i].model);
		replay_text_of(text);
		machine_registers(100, false, false);
		CHECK(M.pkg_limit == t[i].want, "case %zu: %s", i, pkg_limit_names[M.pkg_limit]);
		CHECK(limit_allows(F(PC6)), "case %zu: no C6", i);
		free(text);
	}
}

/* Family, model and features of CPUID words. */
static void test_identity(void)
{
	static const struct { u32 eax; int family, model, stepping; } t[] = {
		{ 0x000906ea, 6, 0x9e, 10 }, { 0x00800f82, 0x17, 0x08, 2 },
		{ 0x00870f10, 0x17, 0x71, 0 }, { 0x00a20f12, 0x19, 0x21, 2 },
		{ 0x00b40f40, 0x1a, 0x44, 0 }, { 0x000006d8, 6, 0x0d, 8 },
		{ 0x00000f4a, 15, 4, 10 }, { 0x00400f10, 0x13, 0x01, 0 }, { 0x00000543, 5, 4, 3 },
		{ 0x000f0543, 5, 4, 3 }, { 0x0fff0fff, 15 + 255, 255, 15 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		char *text = textf(
			FIRST_LINE "msr * * ok\n"
			"cpuid * 0 0 16 756e6547 6c65746e 49656e69\n"
			"cpuid * 1 0 %x 0 0 0\n" LAST_LINES,
			t[i].eax);

		replay_text_of(text);
		read_cpuid(0);
		CHECK(M.family == t[i].family && M.model == t[i].model &&
			      M.stepping == t[i].stepping,
		      "0x%x: %d:%d:%d", t[i].eax, M.family, M.model, M.stepping);
		CHECK(has(F(INTEL)) && !strcmp(M.vendor_name, "GenuineIntel") &&
			      M.max_leaf == 0x16,
		      "0x%x: vendor", t[i].eax);
		free(text);
	}
	replay_text_of(
		FIRST_LINE "msr * * ok\n"
		"cpuid * 0 0 5 0 0 0\ncpuid * 6 0 ffffffff ffffffff ffffffff ffffffff\n"
		"cpuid * 7 0 ffffffff ffffffff ffffffff ffffffff\n"
		"cpuid * 15 0 1 1 1 1\ncpuid * 16 0 1 1 1 1\ncpuid * 1a 0 20000000 0 0 0\n"
		"cpuid * 80000000 0 ffffffff 0 0 0\ncpuid * 80000007 0 1 1 1 1\n"
		"cpuid * 80000026 0 40000000 0 0 0\n" LAST_LINES);
	M.has = 0;
	read_cpuid(0);
	CHECK(M.has == F(NOT_AMD) && !M.max_ext, "leaves above the maximum are believed: 0x%llx",
	      M.has);
	SAME(M.leaf[LEAF_15][0], 0);
	SAME(M.leaf[LEAF_16][0], 0);
	SAME(M.leaf[LEAF_E7][0], 0);
	M.has = F(INTEL);
	SAME(read_core_type(0), 0);
	M.has = F(AMD);
	SAME(read_core_type(0), 0);
}

/* Leaf 0x8000001e is there if 0x80000001 announces it, on AMD's. */
static void test_topology_extensions(void)
{
	static const struct { const char *vendor; u32 ecx; bool has; } t[] = {
		{ "68747541 444d4163 69746e65", 1u << 22, true },
		{ "68747541 444d4163 69746e65", 1u << 21, false },
		{ "756e6547 6c65746e 49656e69", ~0u, false },
	};

	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		char *text = textf(FIRST_LINE "cpuid * 0 0 d %s\n"
				   "cpuid * 80000000 0 8000001e 0 0 0\n"
				   "cpuid * 80000001 0 0 0 %x 0\n" LAST_LINES,
				   t[i].vendor, t[i].ecx);

		replay_text_of(text);
		M.has = 0;
		read_cpuid(0);
		SAME(has(F(TOPOLOGY_EXT)), t[i].has);
		free(text);
	}
}

/* The L2 events of AMD's processors are those of the families that are known. */
static void test_l2_events(void)
{
	static const struct { int family; bool known; } t[] = {
		{ 0x16, false }, { 0x17, true }, { 0x19, true }, { 0x1a, true }, { 0x1b, false },
	};

	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		become(VENDOR_AMD, t[i].family, 1);
		CHECK(l2_events() == (t[i].known ? &l2_zen : NULL), "family 0x%x", t[i].family);
	}
	become(VENDOR_INTEL, 0x17, 1);
	CHECK(!l2_events(), "a family of Intel's");
}

/*
 * Units are made by ids: those of one unit need not stand together, and what lies within what is
 * looked up.
 */
static void test_units(void)
{
	static const int modules[8] = { 0, 0, 1, 1, 0, 0, 1, 1 },
			 nodes[8] = { 0, 0, 1, 1, 2, 2, 2, 2 },
			 types[8] = { 'P', 'P', 'E', 'E', 'P', 'P', 'E', 'E' };
	static const struct { enum scope scope; int units; int lead[8]; } t[] = {
		{ SYSTEM, 1, { 0, 0, 0, 0, 0, 0, 0, 0 } },
		{ PACKAGE, 1, { 0, 0, 0, 0, 0, 0, 0, 0 } },
		{ MODULE, 2, { 0, 0, 2, 2, 0, 0, 2, 2 } },
		{ CORE, 4, { 0, 0, 2, 2, 4, 4, 6, 6 } }, { CPU, 8, { 0, 1, 2, 3, 4, 5, 6, 7 } },
		{ NODE, 3, { 0, 0, 2, 2, 4, 4, 4, 4 } },
		{ TYPE, 2, { 0, 0, 2, 2, 0, 0, 2, 2 } }, { L3, 1, { 0, 0, 0, 0, 0, 0, 0, 0 } },
	};
	static const struct { enum scope a, b; bool within; } nested[] = {
		{ CPU, CORE, true }, { CORE, MODULE, true }, { MODULE, CORE, false },
		{ MODULE, NODE, false }, { NODE, MODULE, false }, { MODULE, TYPE, true },
		{ PACKAGE, TYPE, false }, { CORE, NODE, true }, { NODE, PACKAGE, true },
		{ SYSTEM, PACKAGE, true },
	};

	small_machine();
	for (int row = 0; row < 8; row++) {
		M.id[ID_PACKAGE][row] = M.id[ID_DIE][row] = 0;
		M.id[ID_MODULE][row] = modules[row];
		M.id[ID_NODE][row] = nodes[row];
		M.id[ID_TYPE][row] = types[row];
	}
	for (enum scope s = 0; s < NSCOPES; s++)
		find_units(s);
	find_nesting();
	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		CHECK(M.units[t[i].scope] == t[i].units, "%s: %d units", scope_names[t[i].scope],
		      M.units[t[i].scope]);
		for (int row = 0; row < 8; row++)
			CHECK(lead_of(t[i].scope, row) == t[i].lead[row], "%s of row %d: %d",
			      scope_names[t[i].scope], row, lead_of(t[i].scope, row));
	}
	for (size_t i = 0; i < ARRAY_SIZE(nested); i++)
		CHECK(M.within[nested[i].a][nested[i].b] == nested[i].within, "%s within %s",
		      scope_names[nested[i].a], scope_names[nested[i].b]);
	CHECK(M.units[MODULE] < M.units[CORE], "modules of two cores");
	for (int row = 0; row < 8; row++)
		M.id[ID_MODULE][row] = row / 2;
	find_units(MODULE);
	CHECK(M.units[MODULE] == M.units[CORE], "modules of one core");
}

/* A machine whose units are alike: how many of each a unit of the scope before contains. */
struct shape {
	int packages, dies, modules, cores, threads;
	/* in what order CPUs have them; the last: in turn, and core ids are those of a die */
	enum { BY_CORE, BY_THREAD, BY_PACKAGE, BY_DIE } numbers;
};

/* How many cores it has. */
static int count_cores(const struct shape *s)
{
	return s->packages * s->dies * s->modules * s->cores;
}

/* The id that sysfs gives a CPU of it. */
static int id_of_cpu(const struct shape *s, enum id id, int cpu)
{
	int cores = count_cores(s);
	int parts = s->numbers == BY_DIE ? s->packages * s->dies : s->packages;
	int each = cores / parts;
	int core = s->numbers == BY_CORE     ? cpu / s->threads
		   : s->numbers == BY_THREAD ? cpu % cores
					     : cpu % parts * each + cpu / parts % each;
	int module = core / s->cores, die = module / s->modules;

	switch (id) {
	case ID_PACKAGE: return die / s->dies;
	case ID_DIE: return die % s->dies;
	case ID_L3: return die;
	case ID_MODULE: return module * s->cores;
	default: return core % each;
	}
}

/* The CPUs of its package that share an id with a CPU. */
static struct cpuset sharers_of(const struct shape *s, enum id id, int cpu)
{
	struct cpuset set = { .w = { 0 } };

	for (int other = 0; other < count_cores(s) * s->threads; other++)
		if (id_of_cpu(s, id, other) == id_of_cpu(s, id, cpu) &&
		    (id != ID_CORE || id_of_cpu(s, ID_DIE, other) == id_of_cpu(s, ID_DIE, cpu)) &&
		    id_of_cpu(s, ID_PACKAGE, other) == id_of_cpu(s, ID_PACKAGE, cpu))
			set_add(&set, other);
	return set;
}

/* The lists of CPUs that a kernel has in sysfs beside the ids: all, those of old ones. */
enum lists { ALL_LISTS, OLD_LISTS };

static const enum id sysfs_ids[] = { ID_PACKAGE, ID_DIE, ID_L3, ID_MODULE, ID_CORE };

/* Replays a recording of such a machine, and lays out its rows. */
static void lay_out_shape(const struct shape *s, enum lists lists)
{
	struct buf b = { 0 };

	buf_puts(&b, FIRST_LINE);
	M.online = (struct cpuset){ .w = { 0 } };
	for (int cpu = 0; cpu < count_cores(s) * s->threads; cpu++) {
		set_add(&M.online, cpu);
		for (size_t i = 0; i < ARRAY_SIZE(sysfs_ids); i++) {
			const struct level *l = &levels[sysfs_ids[i]];
			const char *list = lists == ALL_LISTS ? l->list : l->old_list;
			struct cpuset set = sharers_of(s, sysfs_ids[i], cpu);

			buf_printf(&b, "file %s \"%d\\n\"\n", cpu_path(cpu, l->id),
				   id_of_cpu(s, sysfs_ids[i], cpu));
			if (!list)
				continue;
			buf_printf(&b, "file %s \"%s\\n\"\n", cpu_path(cpu, list), set_text(&set));
		}
	}
	buf_puts(&b, LAST_LINES);
	replay_text_of(b.p);
	M.allowed = M.online;
	machine_topology();
	free(b.p);
}

/* As few files are read as the kernel's lists make possible. */
static void test_topology_files(void)
{
	/* two files, an id and a list, for each package, die, L3, module and core */
	static const struct { struct shape shape; enum lists lists; int files; } t[] = {
		{ { 2, 1, 20, 1, 2, BY_THREAD }, ALL_LISTS, 2 * (2 + 2 + 2 + 40 + 40) },
		/* a third that is not there; the other three ids, and no lists, of each CPU */
		{ { 2, 1, 20, 1, 2, BY_THREAD }, OLD_LISTS, 3 * (2 + 40) + 3 * 2 * 80 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		lay_out_shape(&t[i].shape, t[i].lists);
		lookups = 0;
		machine_topology();
		SAME(lookups / 2, t[i].files + 1);	/* the list of nodes; each has a path */
	}
}

/* Whatever sysfs has beside the ids, the units are the same, and rows stand in their order. */
static void test_topology(void)
{
	static const struct shape shapes[] = {
		{ 1, 1, 4, 1, 2, BY_CORE }, { 2, 2, 2, 4, 1, BY_CORE },
		{ 2, 1, 4, 2, 2, BY_THREAD }, { 2, 1, 20, 1, 2, BY_THREAD },
		{ 2, 1, 20, 1, 1, BY_PACKAGE }, { 1, 1, 17, 1, 1, BY_CORE },
		{ 2, 1, 6, 4, 1, BY_PACKAGE }, { 1, 4, 8, 1, 2, BY_THREAD },
		{ 3, 2, 1, 3, 2, BY_PACKAGE }, { 1, 2, 9, 1, 1, BY_CORE },
		{ 1, 2, 2, 2, 2, BY_DIE }, { 2, 3, 1, 2, 1, BY_DIE },
	};

	for (size_t i = 0; i < 2 * ARRAY_SIZE(shapes); i++) {
		const struct shape *s = &shapes[i / 2];
		int before = 0, dies = s->packages * s->dies;

		lay_out_shape(s, (enum lists)(i % 2));
		SAME(M.units[PACKAGE], s->packages);
		SAME(M.units[DIE], dies);
		SAME(M.units[L3], dies);
		SAME(M.units[MODULE], dies * s->modules);
		SAME(M.units[CORE], count_cores(s));
		SAME(M.show_id[ID_MODULE], dies * s->modules > 1);
		SAME(M.within[MODULE][CORE], s->cores == 1);
		SAME(M.within[PACKAGE][L3], s->dies == 1);
		for (int row = 0; row < M.n; row++) {
			int cpu = M.cpu[row];
			struct cpuset siblings = sharers_of(s, ID_CORE, cpu);
			int core = set_next(&siblings, 0);
			int die = id_of_cpu(s, ID_PACKAGE, cpu) * s->dies +
				  id_of_cpu(s, ID_DIE, cpu);
			int at = die * count_cores(s) + id_of_cpu(s, ID_CORE, cpu);

			for (size_t k = 0; k < ARRAY_SIZE(sysfs_ids); k++)
				CHECK(M.id[sysfs_ids[k]][row] == id_of_cpu(s, sysfs_ids[k], cpu),
				      "shape %zu, lists %zu: %s of cpu%d: %d", i / 2, i % 2,
				      levels[sysfs_ids[k]].id, cpu, M.id[sysfs_ids[k]][row]);
			CHECK(M.cpu[lead_of(CORE, row)] == core,
			      "shape %zu, lists %zu: core of cpu%d: cpu%d",
			      i / 2, i % 2, cpu, M.cpu[lead_of(CORE, row)]);
			CHECK(at >= before, "shape %zu, lists %zu: place of cpu%d", i / 2,
			      i % 2, cpu);
			before = at;
		}
	}
}

/* Which ids have a column: those that tell CPUs apart. */
static void test_shown_ids(void)
{
	static const struct { enum id id; int v[8]; bool show; } t[] = {
		/* a node for each package */
		{ ID_NODE, { 0, 0, 0, 0, 0, 0, 0, 0 }, false },
		{ ID_NODE, { 0, 0, 0, 0, 1, 1, 1, 1 }, false },
		{ ID_NODE, { 0, 0, 1, 1, 2, 2, 2, 2 }, true },
		{ ID_MODULE, { 3, 3, 3, 3, 3, 3, 3, 3 }, false },
		{ ID_MODULE, { 0, 0, 1, 1, 0, 0, 1, 1 }, true },
		{ ID_MODULE, { 0, 0, 0, 0, 1, 1, 1, 1 }, true },
		{ ID_DIE, { 0, 0, 0, 0, 0, 0, 0, 0 }, false },
		{ ID_DIE, { 0, 0, 1, 1, 0, 0, 0, 0 }, true },
		{ ID_L3, { 0, 0, 0, 0, 1, 1, 1, 1 }, true },
		{ ID_L3, { 0, 0, 1, 1, 2, 2, 2, 2 }, true },
		{ ID_CORE, { 0, 0, 0, 0, 0, 0, 0, 0 }, true },
	};

	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		small_machine();
		memcpy(M.id[t[i].id], t[i].v, sizeof(t[i].v));
		for (enum scope s = 0; s < NSCOPES; s++)
			find_units(s);
		find_nesting();
		CHECK(M.show_id[t[i].id] == t[i].show, "case %zu: %d", i, M.show_id[t[i].id]);
	}
}

/* The x2APIC id of a CPU, by the leaf that it has; one above the maximum says nothing. */
static void test_x2apic(void)
{
	static const struct { u64 has; u32 max_leaf, want; } t[] = {
		{ F(INTEL), 0xb, 7 }, { F(INTEL), 0xa, 0 }, { F(AMD) | F(TOPOLOGY_EXT), 0xb, 9 },
		{ F(AMD), 0xb, 0 }, { F(NOT_AMD), 0xb, 0 },
	};

	replay_text_of(FIRST_LINE "cpuid * 1 0 0 5000000 0 0\ncpuid * b 0 0 0 0 7\n"
		       "cpuid * 8000001e 0 9 0 0 0\n" LAST_LINES);
	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		small_machine();
		M.has = t[i].has;
		M.max_leaf = t[i].max_leaf;
		machine_visit();
		SAME(M.visited[7].apic, 5);
		CHECK(M.visited[7].x2apic == t[i].want, "case %zu: %u", i, M.visited[7].x2apic);
	}
}

/* Lays out these CPUs of the small machine, in this order, as the topology of now. */
static void lay_out_cpus(const int *cpus, int n, int of_module)
{
	M.n = n;
	memset(M.row, -1, sizeof(M.row));
	for (int row = 0; row < n; row++) {
		int cpu = M.cpu[row] = cpus[row];

		M.row[cpu] = row;
		M.core[cpu] = cpu - (row && cpus[row - 1] == cpu - 1 && cpu % 2);
		M.id[ID_PACKAGE][row] = cpu / 4;
		M.id[ID_DIE][row] = 0;
		M.id[ID_CPU][row] = cpu;
		M.id[ID_CORE][row] = cpu / 2 % 2;
		M.id[ID_MODULE][row] = cpu == of_module ? 9 : 0;
	}
	for (enum scope s = 0; s < NSCOPES; s++)
		find_units(s);
	find_nesting();
}

/*
 * A unit keeps its number when its CPUs go and come, also when the first one of them does; one that
 * has none is led by nobody.  A CPU whose ids have changed is in another unit.
 */
static void test_lasting_units(void)
{
	static const int all[] = { 0, 1, 2, 3, 4, 5, 6, 7 }, some[] = { 1, 2, 3 },
			 late[] = { 2, 3, 4, 5, 8 };
	int package, core;
	const int *members;

	small_machine();
	lay_out_cpus(all, 8, NONE);
	package = M.in[PACKAGE][4];
	core = M.in[CORE][0];
	lay_out_cpus(some, 3, NONE);
	SAME(M.in[CORE][0], core);	/* it was named by CPU 0 */
	SAME(M.unit[CORE][core].lead, 0);
	SAME(M.unit[PACKAGE][package].lead, NONE);
	SAME(M.units[PACKAGE], 1);
	SAME(M.nunits[PACKAGE], 2);
	lay_out_cpus(late, 5, NONE);	/* CPU 8 is of a package that nobody has seen */
	SAME(M.in[PACKAGE][2], package);
	SAME(M.in[PACKAGE][4], 2);
	SAME(M.nunits[CPU], 9);
	SAME(M.unit[CORE][core].lead, NONE);
	lay_out_cpus(all, 8, 5);
	SAME(M.in[CORE][0], core);
	CHECK(M.in[MODULE][5] != M.in[MODULE][4], "a CPU of another module is in the same unit");
	members = members_of(CPU, MODULE)->first + M.in[MODULE][4];
	SAME(members[1] - members[0], 3);
	members = members_of(CORE, PACKAGE)->first + package;
	SAME(members[1] - members[0], 2);
}

/* The unit that CPUs had before: of packages, in a machine of 8 CPUs. */
static void test_former_unit(void)
{
	static const struct {
		const char *online;
		struct unit unit[2];	/* lead, cpu, afar, ids */
		int seen[8];		/* 1 + the unit that each CPU was in */
		int cpus[3], n, name;	/* the CPUs that look for one, and their name */
		int want;
	} t[] = {
		/* nobody was in one */
		{ "0-7", { { 0, 0 }, { NONE, 4, false, { 1 } } }, { 1 }, { 5 }, 1, 2, NONE },
		/* it led one */
		{ "0-7", { { 0, 0 }, { NONE, 4 } }, { 1, 1, 1, 1, 2, 2 }, { 4, 5 }, 2, 1, 1 },
		/* it was in one whose leader is offline, or online */
		{ "0-3,5-7", { { 0, 0 }, { NONE, 4 } }, { 1, 1, 1, 1, 2, 2 }, { 5 }, 1, 1, 1 },
		{ "0-7", { { 0, 0 }, { NONE, 4 } }, { 1, 1, 1, 1, 2, 2 }, { 5 }, 1, 1, NONE },
		/* the unit has a leader again */
		{ "0-7", { { 0, 0 }, { 4, 4 } }, { 1, 1, 1, 1, 2, 2 }, { 4 }, 1, 1, NONE },
		/* an offline one has the name; an online one does not count */
		{ "0-3,5-7", { { 0, 0 }, { NONE, 4, false, { 1 } } }, { 1 }, { 5 }, 1, 1, 1 },
		{ "0-3,5-7", { { 0, 0 }, { NONE, 4, false, { 1 } } }, { 1 }, { 5 }, 1, 3, NONE },
		{ "0-7", { { 0, 0 }, { NONE, 4, false, { 1 } } }, { 1 }, { 5 }, 1, 1, NONE },
	};

	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		struct unit unit[2], *u, *was;
		struct named_cpu c[3];
		struct cpuset online;
		int want = t[i].want;

		small_machine();
		was = M.unit[PACKAGE];
		memset(c, 0, sizeof(c));
		memcpy(unit, t[i].unit, sizeof(unit));
		M.unit[PACKAGE] = unit;
		M.nunits[PACKAGE] = 2;
		parse_cpulist(t[i].online, &online);
		for (int cpu = 0; cpu < 8; cpu++) {
			M.row[cpu] = set_has(&online, cpu) ? cpu : NONE;
			M.units_of[cpu][PACKAGE] = t[i].seen[cpu];
		}
		for (int k = 0; k < t[i].n; k++) {
			c[k].cpu = t[i].cpus[k];
			c[k].name[0] = t[i].name;
		}
		u = former_unit(PACKAGE, c, t[i].n);
		CHECK(u == (want < 0 ? NULL : &unit[want]), "case %zu: unit %d", i,
		      u ? (int)(u - unit) : NONE);
		M.unit[PACKAGE] = was;
	}
	small_machine();
}

static const struct test machine_tests[] = {
	{ "former-unit", test_former_unit },
	{ "rapl-units", test_rapl_units },
	{ "most-watts", test_most_watts },
	{ "amd-pstates", test_amd_pstates },
	{ "pkg-limit", test_pkg_limit },
	{ "identity", test_identity },
	{ "topology-extensions", test_topology_extensions },
	{ "l2-events", test_l2_events },
	{ "units", test_units },
	{ "lasting-units", test_lasting_units },
	{ "topology-files", test_topology_files },
	{ "topology", test_topology },
	{ "shown-ids", test_shown_ids },
	{ "x2apic", test_x2apic },
	{ 0 }
};
