// SPDX-License-Identifier: GPL-2.0-only
/* ROWS: the tables of this run, which columns are selected */

/* Names of idle states as columns. */
static void test_idle_names(void)
{
	static const struct { const char *name, *want; } t[] = {
		{ "POLL", "POLL" }, { "C1", "C1" }, { "C1-HSW", "C1" }, { "C1_ACPI", "C1ACPI" },
		{ "C1E-SKL", "C1E" }, { "haltpoll idle", "haltpoll_idle" },
		{ "a,b", "a_b" }, { "a\\tb", "a_b" }, { "", "" }, { "-HSW", "" }, { "_", "" },
		{ "ACPI FFH MWAIT 0x0", "ACPI_FFH_MWAIT_0x0" }, { "C6N-MIN", "C6N" },
		{ "0123456789012345678901234567890123456789012345678901234567890123456789",
		  "01234567890123456789012345678901234567890123456789012345678" },
	};
	char names[MAX_STATES][64];
	struct buf b = { 0 };

	for (size_t i = 0; i < ARRAY_SIZE(t); i++)
		buf_printf(&b, "file " SYS_CPU "cpu1/cpuidle/state%zu/name \"%s\\n\"\n", i,
			   t[i].name);
	replay_text_of(pathf(FIRST_LINE "%s" LAST_LINES, b.p));
	SAME(read_idle_names(0, names), 0);
	SAME(read_idle_names(1, names), ARRAY_SIZE(t));
	for (size_t i = 0; i < ARRAY_SIZE(t); i++)
		CHECK(!strcmp(names[i], t[i].want), "'%s': '%s', not '%s'", t[i].name, names[i],
		      t[i].want);
	free(b.p);
}

/* Which name a mistyped word may mean: at most two letters may be wrong, and not all of them. */
static void test_consider(void)
{
	static const struct { const char *word, *names[3], *want; } t[] = {
		{ "Busy", { "Avg_MHz", "Busy%" }, "Busy%" },
		{ "PgkWatt", { "PkgWatt" }, "PkgWatt" },
		{ "irq", { "IRQ" }, "IRQ" }, { "l3", { "NMI", "L3" }, "L3" },
		{ "PkgWat", { "GFXWatt", "PkgWatt" }, "PkgWatt" },
		{ "iter", { "interval", "num_iterations" }, "num_iterations" },
		{ "ab", { "cd", "c" }, NULL }, { "x", { "y", "xy" }, NULL }, { "", { "C1" }, NULL },
		{ "kitten", { "sitting" }, NULL }, { "sleep", { "show" }, NULL },
		{ "0123456789012345678901234567890", { "x" }, NULL },
		{ "x", { "0123456789012345678901234567890" }, NULL },
	};

	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		struct guess g = { .word = t[i].word };

		for (int k = 0; k < 3 && t[i].names[k]; k++)
			consider(&g, t[i].names[k]);
		CHECK(g.name == NULL ? !t[i].want : t[i].want && !strcmp(g.name, t[i].want),
		      "'%s' is %s", t[i].word, g.name ? g.name : "nothing");
	}
}

/* Each built-in column is one row of the table. */
static void test_built_in(void)
{
	for (size_t id = 0; id < ARRAY_SIZE(built_in_names); id++) {
		int found = 0;

		for (size_t i = 0; i < ARRAY_SIZE(column_table); i++)
			found += !strcmp(column_table[i].name, built_in_names[id]);
		CHECK(found == 1, "%d columns %s", found, built_in_names[id]);
	}
}

static const struct test rows_tests[] = {
	{ "idle-names", test_idle_names },
	{ "consider", test_consider },
	{ "built-in", test_built_in },
	{ 0 }
};
