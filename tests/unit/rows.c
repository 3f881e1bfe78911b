// SPDX-License-Identifier: GPL-2.0-only
/* ROWS: the tables of this run, which columns are selected */

/* Names of idle states as columns. */
static void test_idle_name(void)
{
	static const struct { const char *name, *want; } t[] = {
		{ "POLL", "POLL" }, { "C1", "C1" }, { "C1-HSW", "C1" }, { "C1_ACPI", "C1ACPI" },
		{ "C1E-SKL", "C1E" }, { "haltpoll idle", "haltpoll_idle" },
		{ "a,b", "a_b" }, { "a\tb", "a_b" }, { "", "" }, { "-HSW", "" }, { "_", "" },
		{ "ACPI FFH MWAIT 0x0", "ACPIFFH" }, { "C6N-MIN", "C6N" },
	};
	char name[64], small[4];

	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		idle_name(t[i].name, name, sizeof(name));
		if (!strcmp(t[i].name, "ACPI FFH MWAIT 0x0"))
			CHECK(!strcmp(name, "ACPI_FFH_MWAIT_0x0"), "'%s': '%s'", t[i].name, name);
		else
			CHECK(!strcmp(name, t[i].want), "'%s': '%s', not '%s'", t[i].name, name,
			      t[i].want);
	}
	idle_name("ABCDEFGH", small, sizeof(small));
	CHECK(!strcmp(small, "ABC"), "a name that does not fit: '%s'", small);
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

static const struct test rows_tests[] = {
	{ "idle-name", test_idle_name },
	{ "consider", test_consider },
	{ 0 }
};
