// SPDX-License-Identifier: GPL-2.0-only
/* PLAN: what is read on each CPU, which columns are shown */

static const char client_text[] = FIRST_LINE
	"cpuid * 0 0 16 756e6547 6c65746e 49656e69\ncpuid * 1 0 506e3 0 0 0\n"
	"cpuid * 6 0 0 0 1 0\n"
	"file /sys/devices/system/cpu/online \"0\\n\"\n" LAST_LINES;

/* The msr driver is loaded only for what has registers here. */
static void test_wants_registers(void)
{
	static const struct { const char *list; bool wants; struct options o; u64 has; } t[] = {
		{ "IRQ", false, { .quiet = true } }, { "IRQ", true, { .quiet = false } },
		{ "IRQ", true, { .quiet = true, .explain = true } },
		{ "IRQ", true, { .quiet = true, .dump = true } },
		{ "IRQ", false, { .format = CSV } }, { "IRQ", true, { .format = JSON } },
		{ "PKG_%", true, { .quiet = true } }, { "IRQ,Totl%C0", true, { .quiet = true } },
		/* the register is another model's */
		{ "Mod%c6", false, { .quiet = true } },
		{ "CPU%c6", true, { .quiet = true }, F(CC6_KNL) },
		/* what MPERF and the core's states leave */
		{ "CPU%c1", true, { .quiet = true } },
	};
	const struct option_row show = { .name = "show", .value = SHOW };
	u64 here;

	replay_text_of(client_text);
	machine_init(&(struct cpuset){ 0 });
	here = M.has;
	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		struct options was = O;

		O = t[i].o;
		T = (struct tables){ 0 };
		M.has = here | t[i].has;
		parse_columns(&show, t[i].list);
		tables_init();
		tables_fill();
		find_needed();
		CHECK(wants_registers() == t[i].wants, "case %zu: %s", i, t[i].list);
		O = was;
	}
}

/* Which CPUs are moved to: not for one or two registers, nor for what perf reads. */
static void test_moves(void)
{
	static const struct way reg = { .kind = BY_MSR }, tsc = { .kind = BY_TSC },
				file = FILE_AT("x"), perf = { .kind = BY_PERF };
	static const struct { int row; const struct way *way; } t[] = {
		{ 0, &reg }, { 0, &reg }, { 0, &reg }, { 0, &tsc }, { 1, &perf },
		{ 2, &file }, { 3, &reg }, { 3, &reg }, { 4, &tsc },
	};

	small_machine();
	tables_init();
	make_cells();
	for (size_t i = 0; i < ARRAY_SIZE(t); i++)
		add_one(CT_APERF, t[i].row, t[i].way, 0);
	order_sources();
	for (int row = 0; row < 5; row++)
		CHECK(P.on[row].moves == (row == 0 || row == 4), "row %d: %d", row,
		      P.on[row].moves);
	P.nsources = 0;
	order_sources();
	for (int row = 0; row < 8; row++)
		SAME(P.on[row].moves, 0);	/* nothing is read there any more */
}

/* The sources of a row are read in the order they were found. */
static void test_reading_order(void)
{
	static const struct way idle = FILE_AT("cpuidle/state1/time"), reg = { .kind = BY_MSR },
				perf = { .kind = BY_PERF };

	small_machine();
	tables_init();
	make_cells();
	add_one(CT_APERF, 1, &reg, 200);
	add_one(CT_APERF, 1, &perf, 0);
	add_one(CT_APERF, 1, &idle, 0);
	add_one(CT_APERF, 0, &reg, 300);
	order_sources();
	CHECK(P.on[0].sources == &P.source[3] && !P.source[3].next, "CPU 0");
	CHECK(P.on[1].sources == &P.source[0] && P.source[0].next == &P.source[2], "CPU 1");
	CHECK(!P.source[2].next, "CPU 1 has more");
	CHECK(!P.on[2].sources, "CPU 2");
}

/* Gives a CPU a group of a PMU, without events. */
static void add_group(int cpu, const char *pmu)
{
	struct event_group *g = zeroed(1, sizeof(*g));

	*g = (struct event_group){ .cpu = cpu, .pmu = pmu, .next = P.on[cpu].groups };
	P.on[cpu].groups = g;
}

/* A CPU must be awake when its idle states are read: without an event that wakes it, we move. */
static void test_woken(void)
{
	static const struct { const char *pmu; bool want; } t[] = {
		{ "power", false }, { "hw", true }, { "cstate_core", false }, { "cpu_atom", true },
	};
	static const struct way idle = FILE_AT("cpuidle/state1/time"),
				other = FILE_AT("cpufreq/scaling_cur_freq");

	small_machine();
	tables_init();
	make_cells();
	add_one(CT_APERF, 1, &other, 0);
	add_one(CT_APERF, 1, &idle, 0);
	add_one(CT_APERF, 1, &other, 0);
	add_one(CT_APERF, 2, &idle, 0);
	add_group(2, "power");
	add_group(2, "msr");
	add_one(CT_APERF, 3, &other, 0);
	O.no_perf = true;
	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		add_group((int)i + 4, t[i].pmu);
		CHECK(open_wake_event((int)i + 4) == t[i].want, "%s", t[i].pmu);
	}
	order_sources();
	SAME(P.on[0].moves, 0);
	SAME(P.on[1].moves, true);	/* other files between and after those of its states */
	SAME(P.on[2].moves, 0);		/* an event wakes it */
	SAME(P.on[3].moves, 0);		/* other files alone */
}

/*
 * When a CPU of a cpumask goes, its events continue on the CPU of the mask to which the kernel
 * moves them.  Events of a CPU outside any mask end with it.
 */
static void test_handed_on(void)
{
	static const struct {
		const char *what, *mask;
		int cpus[2];		/* with an open event; NONE = no further CPU */
		const char *gone, *come, *mask_then;
		int want[2];
	} t[] = {
		{ "to the next one", "0,4", { 0, 4 }, "0", "", "1,4", { 1, 4 } },
		{ "to the nearest one", "0,4", { 0, 4 }, "0", "", "1,2,4", { 1, 4 } },
		{ "two", "0,1", { 0, 1 }, "0-1", "", "2,3", { 2, 3 } },
		{ "without a hotplug", "0,4", { 0, 4 }, "", "", "1,4", { 1, 4 } },
		{ "to one that has its own", "0,1", { 0, 1 }, "0", "", "1", { NONE, 1 } },
		{ "also if it stays", "0,1", { 0, 1 }, "", "", "1", { NONE, 1 } },
		{ "not to another package", "0,4", { 0, NONE }, "0-3", "", "4",
		  { NONE, NONE } },
		{ "not to another die", "0,2", { 0, 2 }, "0-1", "", "2", { NONE, 2 } },
		{ "not where it is in the mask", "0,4", { 0, 4 }, "0", "", "0,1,4",
		  { NONE, 4 } },
		{ "without a mask", NULL, { 0, 4 }, "0", "", "", { NONE, 4 } },
	};

	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		struct pmu pmu;
		struct event_group *g[2] = { NULL };
		int fd[2];

		small_machine_with_events(&pmu, t[i].mask);
		for (int k = 0; k < 2; k++) {
			if (t[i].cpus[k] == NONE)
				continue;
			SAME(open_one(t[i].cpus[k] < 4 ? 0 : 4, t[i].cpus[k], 1), 0);
			g[k] = P.on[t[i].cpus[k]].groups;
			fd[k] = g[k]->member[0].fd;
			P.source[P.nsources - 1].valid[0] = 7;
		}
		change_cpus(t[i].gone, t[i].come, t[i].mask_then);
		for (int k = 0; k < 2; k++) {
			bool open = g[k] && fcntl(fd[k], F_GETFD) >= 0;

			CHECK(open == (t[i].want[k] >= 0), "%s: event %d open: %d", t[i].what, k,
			      open);
			if (open && t[i].want[k] >= 0) {
				CHECK(g[k]->cpu == t[i].want[k], "%s: on CPU %d, not %d", t[i].what,
				      g[k]->cpu, t[i].want[k]);
				CHECK(P.on[t[i].want[k]].groups == g[k], "%s: not listed",
				      t[i].what);
			}
		}
	}
}

/*
 * When the CPU that leads a unit goes, what is the unit's is read on the next one; what is of that
 * CPU alone is closed.  Of a sum that has lost a part nothing is continued.
 */
static void test_followed(void)
{
	static const struct way reg = { .kind = BY_MSR }, file = FILE_AT("cpuidle/x"),
				energy = { .kind = BY_FILE, .find = find_powercap, .path = "y" },
				clock = { .kind = BY_FILE, .find = find_uncore, .path = "z" };
	struct pmu pmu;

	small_machine_with_events(&pmu, "0,2");
	add_one(0, 0, &reg, 0);
	add_one(0, 0, &file, 0)->handle = -1;
	add_one(0, 0, &energy, 0)->handle = -1;
	add_one(1, 0, &clock, 0)->handle = -1;
	T.counter[1].kind = GAUGE;
	add_one(0, 4, &reg, 0);
	P.covered[0][0] = P.covered[0][1] = 1;
	change_cpus("0", "", "0,2");
	SAME(P.nsources, 3);
	for (u32 i = 0; i < 2; i++)
		SAME(P.source[i].cpu, 1);
	CHECK(P.source[0].way == &reg && P.source[1].way == &energy, "others are left");
	SAME(P.source[2].cpu, 4);
	change_cpus("4-7", "", "0,2");
	SAME(P.nsources, 2);
	SAME(P.covered[0][1], 0);
	small_machine_with_events(&pmu, "0,2");
	SAME(open_one(0, 0, 1), 0);
	SAME(open_one(0, 2, 1), 0);
	P.source[1].valid[0] = 7;
	change_cpus("0-1", "", "2");
	SAME(P.nsources, 1);
	SAME(P.source[0].valid[0], 0);
	CHECK(P.covered[0][0], "the part that is left is forgotten");
}

/* Which rows show a column. */
static void test_rows_of(void)
{
	static const struct {
		const char *name;
		struct options o;
		enum scope want;
	} t[] = {
		{ "CPU", { .format = TABLE }, CPU },
		{ "CPU", { .format = JSON }, SYSTEM },
		{ "CPU", { .format = HTML }, CPU },
		{ "CPU", { .summary = true }, SYSTEM },
		{ "CPU", { .per = CORE }, SYSTEM },
		{ "usec", { .format = JSON }, CPU },
		{ "Busy%", { .format = TABLE }, CPU },
		{ "Busy%", { .format = CSV }, CPU },
		{ "Busy%", { .per = CORE }, CORE },
		{ "Busy%", { .summary = true }, SYSTEM },
		{ "Mod%c6", { .format = TABLE }, CORE },
		{ "Mod%c6", { .format = JSON }, MODULE },
		{ "Mod%c6", { .per = PACKAGE }, PACKAGE },
		{ "Mod%c6", { .per = CORE }, SYSTEM },	/* a module has several cores */
		{ "PkgWatt", { .format = TABLE }, PACKAGE },
		{ "PkgWatt", { .format = JSON }, PACKAGE },
		{ "PkgWatt", { .per = CORE }, SYSTEM },
		{ "PkgWatt", { .per = DIE }, DIE },
		{ "SysWatt", { .format = TABLE }, SYSTEM },
		{ "SysWatt", { .format = JSON }, SYSTEM },
		{ "SysWatt", { .per = PACKAGE }, SYSTEM },
		{ "GFX%rc6", { .format = TABLE }, PACKAGE },
		{ "GFX%rc6", { .format = JSON }, SYSTEM },
	};

	T = (struct tables){ 0 };
	small_machine();
	tables_init();
	M.within[MODULE][CORE] = false;
	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		struct options was = O;
		enum scope rows;

		O = t[i].o;
		rows = rows_of(find_column(t[i].name));
		CHECK(rows == t[i].want, "case %zu, %s: %d, not %d", i, t[i].name, rows, t[i].want);
		O = was;
	}
	find_nesting();
}

/* What a column reads: its divisor, the factor of its clock, whether it needs a fold. */
static void test_resolved(void)
{
	static const struct way msr = { .kind = BY_MSR }, ticks = { .kind = BY_ACCOUNTING };
	static const struct {
		const char *name;
		const struct way *aperf, *mperf;
		double base;
		int other, third;
		double base_hz;
		bool own, by_ticks;
	} t[] = {
		{ "CPU", &msr, &msr, 3e9, ID_CPU, NONE, 3e9, false, false },
		{ "Busy%", &msr, &msr, 3e9, CT_TSC, NONE, 3e9, true, false },
		{ "Busy%", &msr, &ticks, 3e9, CT_MPERF, NONE, TICK_PARTS * 1e3, true, false },
		{ "Bzy_MHz", &msr, &msr, 3e9, CT_MPERF, NONE, 3e9, true, false },
		/* without a base frequency the rate of the TSC replaces it */
		{ "Bzy_MHz", &msr, &msr, 0, CT_MPERF, CT_TSC, 0, false, false },
		{ "Bzy_MHz", &ticks, &ticks, 0, CT_MPERF, NONE, TICK_PARTS * 1e3, true, false },
		{ "Bzy_MHz", &msr, &ticks, 3e9, CT_MPERF, NONE, 3e9, false, true },
		{ "PkgWatt", &msr, &msr, 3e9, CT_PKG_ENERGY, NONE, 3e9, false, false },
		{ "CoreTmp", &msr, &msr, 3e9, CT_CORE_TEMP, NONE, 3e9, true, false },
	};

	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		struct column c;

		T = (struct tables){ 0 };
		small_machine();
		tables_init();
		M.base_hz = t[i].base;
		T.counter[CT_APERF].chosen = t[i].aperf;
		T.counter[CT_MPERF].chosen = t[i].mperf;
		c = *find_column(t[i].name);
		resolve_column(&c, 7);
		CHECK(c.place == 7 && c.other == t[i].other && c.third == t[i].third &&
			      same_real(c.base_hz, t[i].base_hz) && c.direct == t[i].own &&
			      c.by_ticks == t[i].by_ticks,
		      "case %zu, %s: other %d, third %d, base %g, own %d, by ticks %d", i,
		      t[i].name, c.other, c.third, c.base_hz, c.direct, c.by_ticks);
	}
}

static const struct test plan_tests[] = {
	{ "rows-of", test_rows_of },
	{ "resolved", test_resolved },
	{ "wants-registers", test_wants_registers },
	{ "moves", test_moves },
	{ "reading-order", test_reading_order },
	{ "woken", test_woken },
	{ "handed-on", test_handed_on },
	{ "followed", test_followed },
	{ 0 }
};
