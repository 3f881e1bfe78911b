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

/* How far one word is from another. */
static void test_word_distance(void)
{
	static const struct { const char *a, *b; int want; } t[] = {
		{ "", "", 0 }, { "IPC", "IPC", 0 }, { "ipc", "IPC", 3 }, { "Busy", "Busy%", 2 },
		{ "Busy%", "Busy", 2 }, { "Avg_MHz", "Avg-MHz", 2 },
		{ "PkgWat", "PkgWatt", 2 }, { "pkgwatt", "PkgWatt", 2 }, { "", "abc", 6 },
		{ "abc", "", 6 }, { "kitten", "sitting", 6 },
		{ "0123456789012345678901234567890", "x", 99 },
		{ "x", "0123456789012345678901234567890", 99 },
		{ "012345678901234567890123456789", "012345678901234567890123456789", 0 },
		{ "", "012345678901234567890123456789", 60 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		int got = word_distance(t[i].a, t[i].b);

		CHECK(got == t[i].want, "'%s' to '%s': %d, not %d", t[i].a, t[i].b, got, t[i].want);
	}
}

static const struct test rows_tests[] = {
	{ "idle-name", test_idle_name },
	{ "word-distance", test_word_distance },
	{ 0 }
};
