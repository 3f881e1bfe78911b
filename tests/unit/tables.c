// SPDX-License-Identifier: GPL-2.0-only
/* TABLES: counters and columns */

/* Columns: their order, their names, the counters that they refer to. */
static void test_column_table(void)
{
	bool used[NCOUNTERS] = { false };

	for (size_t i = 0; i < ARRAY_SIZE(column_table); i++) {
		const struct column *c = &column_table[i];
		bool watts = c->formula == V_PER_SECOND && is_energy(&counter_table[c->a]),
		     joules = c->formula == V_AMOUNT && c->flags == JOULES;

		CHECK(c->name && *c->name && !strpbrk(c->name, " \t,\n\"\\"),
		      "column %zu has a bad name", i);
		CHECK(c->help && *c->help && c->help[strlen(c->help) - 1] != '.' &&
			      !strpbrk(c->help, "\t\n"),
		      "%s: help", c->name);
		CHECK(c->symbol, "%s: no unit", c->name);
		CHECK(*c->symbol || c->formula == V_ID || c->formula == V_APIC ||
			      c->formula == V_X2APIC || c->formula == V_RATIO,
		      "%s: an empty unit", c->name);
		CHECK(!strchr(c->name, '%') || !strcmp(c->symbol, "%"), "%s: unit %s", c->name,
		      c->symbol);
		CHECK(watts == !strcmp(c->symbol, "W") || c->flags == WATTS ||
			      c->flags & NAMED_ONLY,
		      "%s: unit %s", c->name, c->symbol);
		CHECK(joules == !strcmp(c->symbol, "J") && joules == (c->flags == JOULES),
		      "%s: unit %s", c->name, c->symbol);
		bool of_module = c->scope == MODULE || (i && column_table[i - 1].scope == MODULE);

		/* a module's stands among those of cores */
		CHECK(!i || of_module || column_table[i - 1].scope == c->scope ||
			      (c->scope == CORE && column_table[i - 1].scope == CPU) ||
			      (c->scope == L3 && column_table[i - 1].scope == CORE) ||
			      (c->scope == PACKAGE && column_table[i - 1].scope == L3) ||
			      (c->scope == SYSTEM && column_table[i - 1].scope == PACKAGE),
		      "%s: a scope out of order", c->name);
		CHECK(!i || of_module || c->scope <= column_table[i - 1].scope,
		      "%s follows a column of a larger unit", c->name);
		for (size_t k = 0; k < i; k++)
			CHECK(strcmp(column_table[k].name, c->name) ||
				      !strcmp(c->name, "CorWatt") || !strcmp(c->name, "Cor_J") ||
				      !strcmp(c->name, "GFXWatt") || !strcmp(c->name, "L2%hit"),
			      "%s stands twice", c->name);
		if (is_plain(c))
			continue;
		CHECK(c->a >= 0 && c->a < NCOUNTERS && c->b >= NONE && c->b < NCOUNTERS,
		      "%s: counters %d and %d", c->name, c->a, c->b);
		CHECK((c->b != NONE) == (strstr(formula_table[c->formula].words, "$b") != NULL),
		      "%s: a second counter", c->name);
		used[c->a] = true;
		if (c->b != NONE)
			used[c->b] = true;
		CHECK(counter_table[c->a].scope <= c->scope || counter_table[c->a].scope == DIE,
		      "%s: a counter of a smaller unit", c->name);
		CHECK(counter_table[c->a].kind == COUNT || c->formula == V_AMOUNT,
		      "%s: a gauge is not a count", c->name);
		CHECK(!joules || counter_table[c->a].fold == SUM, "%s: energies are summed",
		      c->name);
	}
	for (int k = 0; k < NCOUNTERS; k++)	/* others are derived from the two named here */
		CHECK(used[k] || k == CT_BUSY_TICKS || k == CT_CPU_KHZ,
		       "counter %s is in no column", counter_table[k].name);
}

/* Counters: names, ways, widths. */
static void test_counter_table(void)
{
	for (int k = 0; k < NCOUNTERS; k++) {
		const struct counter *c = &counter_table[k];

		CHECK(c->name && *c->name && !strpbrk(c->name, "\t\n:"),
		      "counter %d has a bad name", k);
		CHECK(c->way[0].kind != NO_WAY, "%s has no way", c->name);
		for (int i = 0; i < MAX_WAYS && c->way[i].kind != NO_WAY; i++) {
			enum way_kind kind = c->way[i].kind;

			CHECK(way_kinds[kind].begin || way_kinds[kind].use,
			      "%s: way %d is of a kind without a row", c->name, i);
			CHECK(way_kinds[kind].words || kind == BY_PERF || kind == BY_MSR ||
				      kind == BY_FILE || kind == BY_PMT,
			      "%s: --explain has no words for way %d", c->name, i);
		}
		CHECK(c->bits == 32 || c->bits == 64, "%s wraps at %d bits", c->name, c->bits);
		CHECK(c->scope < NSCOPES && c->fold <= MAX, "%s: scope %d, fold %d", c->name,
		      c->scope, c->fold);
		CHECK(c->kind == COUNT || c->bits == 64, "%s: a gauge that wraps", c->name);
		CHECK(c->rapl_unit == PLAIN || c->bits == 32, "%s: RAPL counters have 32 bits",
		      c->name);
		for (int i = 0; i < k; i++)
			CHECK(strcmp(counter_table[i].name, c->name), "%s stands twice", c->name);
		for (int i = 1, gap = 0; i < MAX_WAYS; i++) {
			gap |= c->way[i].kind == NO_WAY;
			CHECK(!gap || c->way[i].kind == NO_WAY, "%s: a gap in the ways", c->name);
		}
		for (int i = 0; i < MAX_WAYS; i++) {
			const struct way *w = &c->way[i];

			CHECK(w->kind != BY_MSR || w->msr, "%s: way %d has no register", c->name,
			      i);
			CHECK(w->kind != BY_PERF || w->pmu, "%s: way %d has no PMU", c->name, i);
			CHECK(w->kind != BY_FILE || w->find || w->path, "%s: way %d has no path",
			      c->name, i);
		}
	}
}

/* Places of generated columns, groups, steps of the header. */
static void test_other_tables(void)
{
	for (size_t i = 0; i < ARRAY_SIZE(generated_table) + NSCOPES; i++) {
		const char *after = i < ARRAY_SIZE(generated_table)
					    ? generated_table[i].after
					    : added_after[i - ARRAY_SIZE(generated_table)];
		bool found = !after;

		for (size_t k = 0; k < ARRAY_SIZE(column_table) && after; k++)
			found |= !strcmp(column_table[k].name, after);
		CHECK(found, "no column %s to stand behind", after);
	}
	for (size_t i = 0; i < ARRAY_SIZE(group_names); i++)
		for (size_t k = 0; k < ARRAY_SIZE(column_table); k++)
			CHECK(strcmp(group_names[i].name, column_table[k].name),
			      "%s is a group and a column", group_names[i].name);
	CHECK(ARRAY_SIZE(levels) == NIDS && ARRAY_SIZE(scope_names) == NSCOPES, "sizes");
	/* groups */
	SAME(groups_of("power"), G_POWER);
	SAME(groups_of("idle"), (G_HWIDLE | G_IDLE));
	SAME(groups_of("Power"), 0);
	SAME(groups_of(""), 0);
	CHECK(is_known("POLL") && is_known("POLL%") && is_known("C1") && is_known("C10-") &&
		      is_known("C1E+") && !is_known("CPU%c1") && !is_known("C") &&
		      !is_known("CoreTmp") && !is_known(""),
	      "names of idle states, where there are no columns");
	tables_init();
	for (size_t i = 0; i < ARRAY_SIZE(column_table); i++)
		CHECK(is_known(column_table[i].name), "%s is not known", column_table[i].name);
	SAME(is_known("Foo"), 0);
	SAME(is_known("cpu"), 0);
	CHECK(is_known("cpuidle"), "known words");
	CHECK(is_known("C6%"), "known words");
	CHECK(is_known("all"), "known words");
}

static const struct test tables_tests[] = {
	{ "column-table", test_column_table },
	{ "counter-table", test_counter_table },
	{ "other-tables", test_other_tables },
	{ 0 }
};
