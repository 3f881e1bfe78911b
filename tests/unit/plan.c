// SPDX-License-Identifier: GPL-2.0-only
/* PLAN: what is read on each CPU, which columns are shown */

/* A client of model 5eh: PMUs of registers and of core states, the energy of the package. */
static const char energy_file_text[] = FIRST_LINE
	"cpuid * 0 0 16 756e6547 6c65746e 49656e69\ncpuid * 1 0 506e3 0 0 0\n"
	"cpuid * 6 0 0 0 1 0\n"
	"file /sys/devices/system/cpu/online \"0\\n\"\n"
	"file /sys/bus/event_source/devices/msr/type \"8\\n\"\n"
	"file /sys/bus/event_source/devices/msr/format/event \"config:0-63\\n\"\n"
	"file /sys/bus/event_source/devices/msr/events/mperf \"event=0x02\\n\"\n"
	"file /sys/bus/event_source/devices/msr/events/smi \"event=0x04\\n\"\n"
	"perf 0 msr 2 0\nperf 0 msr 4 0\n"
	"file /sys/bus/event_source/devices/cstate_core/type \"9\\n\"\n"
	"file /sys/bus/event_source/devices/cstate_core/format/event \"config:0-63\\n\"\n"
	"file /sys/bus/event_source/devices/cstate_core/events/c3-residency \"event=0x01\\n\"\n"
	"file /sys/bus/event_source/devices/cstate_core/events/c6-residency \"event=0x02\\n\"\n"
	"file /sys/bus/event_source/devices/cstate_core/events/c7-residency \"event=0x03\\n\"\n"
	"perf 0 cstate_core 1 0\nperf 0 cstate_core 2 0\nperf 0 cstate_core 3 0\n"
	"file /sys/class/powercap/intel-rapl:0/name \"package-0\\n\"\n"
	"file /sys/class/powercap/intel-rapl:0/energy_uj \"1\\n\"\nend\n";

/* The msr driver is loaded only for what has registers here, and no other source. */
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
		/* a PMU */
		{ "SMI,Busy%", false, { .quiet = true } },
		{ "SMI", true, { .quiet = true, .no_perf = true } },
		{ "CPU%c6", false, { .quiet = true } }, { "Pkg%pc6", true, { .quiet = true } },
		{ "CPU%c6", true, { .quiet = true }, F(CC6_KNL) },
		/* what is left of MPERF, that has a PMU, and of the core's states */
		{ "CPU%c1", false, { .quiet = true } },
		{ "CPU%c1", true, { .quiet = true, .no_perf = true } },
		/* a file, of the one domain */
		{ "PkgWatt", false, { .quiet = true } }, { "CorWatt", true, { .quiet = true } },
		{ "PkgWatt,CorWatt", true, { .quiet = true } },
	};
	const struct option_row show = { .name = "show", .value = SHOW };
	u64 here;

	replay_text_of(energy_file_text);
	machine_init();
	here = M.has;
	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		struct options was = O;

		O = t[i].o;
		T = (struct tables){ 0 };
		M.has = here | t[i].has;
		take_columns(&show, t[i].list);
		tables_init();
		tables_fill();
		find_needed();
		CHECK(wants_registers() == t[i].wants, "case %zu: %s", i, t[i].list);
		O = was;
	}
}

/* Where something has gone a new plan is due after 1, 2, 4, 8 intervals, then at each 16th. */
static void test_due(void)
{
	struct buf b = { 0 };

	P.lost = true;
	for (int i = 1; i < 50; i++)
		if (plan_is_due())
			buf_printf(&b, " %d", i);
	CHECK(same_text(b.p, " 1 3 7 15 31 47"), "at intervals%s", b.p);
	P.lost = false;
	CHECK(!plan_is_due(), "nothing has gone");
	P.lost = true;
	CHECK(plan_is_due(), "not at once");
}

/* Which CPUs are moved to: not for one or two registers, nor for what perf reads. */
static void test_moves(void)
{
	M.n = 5;
	tables_init();
	T.ncounters = 1;
	add_op(0, 0, BY_MSR, 0, 0x10);
	add_op(0, 0, BY_MSR, 0, 0x11);
	add_op(0, 0, BY_MSR, 0, 0x12);
	add_op(0, 0, BY_TSC, 0, 0);
	add_op(1, 1, BY_PERF, 0, 0);
	add_op(2, 2, BY_FILE, 0, 0);
	add_op(3, 3, BY_MSR, 0, 0x10);
	add_op(3, 3, BY_MSR, 0, 0x11);
	add_op(4, 4, BY_TSC, 0, 0);
	find_moves();
	CHECK(P.moves[0], "row 0 need not be moved to");
	CHECK(!P.moves[1], "row 1 need not be moved to");
	CHECK(!P.moves[2] && !P.moves[3], "rows 2 and 3: %d %d", P.moves[2], P.moves[3]);
	CHECK(P.moves[4], "row 4 need not be moved to");
	P.nops = 0;
	find_moves();
	for (int row = 0; row < M.n; row++)
		SAME(P.moves[row], 0);	/* nothing is read there any more */
}

/*
 * The order of a row's readings: what wakes its CPU, then the files of idle states, then all
 * else.
 */
static void test_reading_order(void)
{
	static const char *const pmus[] = { "cstate_core", "msr", "power", "msr" };
	static const u32 want[] = {
		1, 100, 0, 2, 3, 200
	}; /* groups by number; counters of files and registers */

	small_machine();
	tables_init();
	P.moves = zeroed(8, 1);
	P.group = zeroed(4, sizeof(*P.group));
	for (u32 i = 0; i < 4; i++)
		P.group[i] = (struct event_group){ .pmu = pmus[i], .cpu = i == 3 ? 5 : 1 };
	T.counter[100 % NCOUNTERS].way[0] = (struct way)FILE_AT("cpuidle/state1/time");
	for (u32 i = 0; i < 4; i++)
		add_op(1, NO_CELL, BY_PERF, 0, i);
	add_op(1, 0, BY_MSR, 0, 200);
	add_op(1, 0, BY_FILE, 100 % NCOUNTERS, 0);
	add_op(0, 0, BY_MSR, 0, 300);
	sort_ops();
	CHECK(P.first[0] == 0 && P.first[1] == 1 && P.first[2] == 7 && P.first[8] == 7,
	      "rows: %u %u %u", P.first[0], P.first[1], P.first[2]);
	for (u32 i = 0; i < 6; i++) {
		const struct op *op = &P.op[1 + i];
		u32 got = op->kind == BY_FILE ? 100 : op->arg;

		CHECK(got == want[i], "reading %u: %u, not %u", i, got, want[i]);
	}
}

/* A CPU of which idle states are read is woken: without an event for that it is moved to. */
static void test_woken(void)
{
	static const struct { const char *pmu; int cpu; bool want; } t[] = {
		{ "msr", 3, true },	   { "hw", 3, true },	    { "cpu", 3, true },
		{ "cpu_atom", 3, true },   { "msr", 2, false },	    { "cpu_core", 2, false },
		{ "power", 3, false },	   { "cstate_core", 3, false },
	};

	small_machine();
	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		struct event_group g = { .pmu = t[i].pmu, .cpu = t[i].cpu };
		struct op op = { .kind = BY_PERF, .row = 3 };

		P.group = &g;
		CHECK(is_waking(&op) == t[i].want, "%s on CPU %d", t[i].pmu, t[i].cpu);
	}
	P.group = NULL;
	tables_init();
	P.moves = zeroed(8, 1);
	T.counter[100 % NCOUNTERS].way[0] = (struct way)FILE_AT("cpuidle/state1/time");
	T.counter[101 % NCOUNTERS].way[0] = (struct way)FILE_AT("cpufreq/scaling_cur_freq");
	add_op(1, 0, BY_FILE, 101 % NCOUNTERS, 0);
	add_op(1, 0, BY_FILE, 100 % NCOUNTERS, 0);
	add_op(1, 0, BY_FILE, 101 % NCOUNTERS, 0);
	add_op(2, 0, BY_FILE, 100 % NCOUNTERS, 0);
	add_op(3, 0, BY_FILE, 101 % NCOUNTERS, 0);
	O.no_perf = true;
	wake_idle_rows();
	SAME(P.moves[0], 0);
	SAME(P.moves[1], true);	/* other files between and after those of its states */
	SAME(P.moves[3], 0);		/* other files alone */
}

static const struct test plan_tests[] = {
	{ "wants-registers", test_wants_registers },
	{ "due", test_due },
	{ "moves", test_moves },
	{ "reading-order", test_reading_order },
	{ "woken", test_woken },
	{ 0 }
};
