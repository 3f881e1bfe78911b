// SPDX-License-Identifier: GPL-2.0-only
/* FORMATS: JSON, CSV, Prometheus */

/* A number of JSON and CSV, rounded once more, is what the table has. */
static void test_put_decimal(void)
{
	static const double off[] = { 0, 1e-9, 1e-7, 4e-7, 5e-7, 6e-7, 1e-6, 1.4e-6, 2e-6 };
	char text[CELL_SPACE];

	for (int k = -2000; k < 2000; k++)
		for (size_t i = 0; i < 2 * ARRAY_SIZE(off); i++) {
			double v = k / 200.0 + (i & 1 ? -off[i / 2] : off[i / 2]), got;
			char *want[2] = { textf("%.2f", v), textf("%.0f", v) };

			*put_decimal(text, v) = '\0';
			got = strtod(text, NULL);
			for (int n = 0; n < 2; n++) {
				char *again = textf(n ? "%.0f" : "%.2f", got);

				CHECK(!strcmp(again, want[n]) || !strtod(again, NULL),
				      "%.9f is %s, which is %s", v, text, again);
				free(again);
				free(want[n]);
			}
			CHECK(fabs(got - v) < 6e-7, "%.9f is %s", v, text);
		}
}

/* The name of a unit tells it from all others. */
static void test_unit_names(void)
{
	static const struct { enum scope a, b; int row_a, row_b; bool same; } t[] = {
		{ CORE, CORE, 0, 1, true },	  { CORE, CORE, 0, 2, false },
		{ CORE, CORE, 0, 4, false },	  { CORE, CORE, 4, 6, false },
		{ CPU, CPU, 0, 1, false },	  { CPU, CPU, 1, 1, true },
		{ PACKAGE, PACKAGE, 0, 2, true }, { PACKAGE, PACKAGE, 0, 4, false },
		{ DIE, DIE, 0, 2, false },	  { DIE, DIE, 0, 4, false },
		{ DIE, DIE, 4, 7, true },	  { PACKAGE, SYSTEM, 0, 0, false },
		{ SYSTEM, SYSTEM, 0, 7, true },
	};

	small_machine();
	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		struct unit_name a = name_unit(&M, t[i].a, t[i].row_a, telling_ids[t[i].a]);
		struct unit_name b = name_unit(&M, t[i].b, t[i].row_b, telling_ids[t[i].b]);

		CHECK(is_same_unit(&a, &b) == t[i].same, "%s of row %d, %s of row %d",
		      scope_names[t[i].a], t[i].row_a, scope_names[t[i].b], t[i].row_b);
	}
}

/* Totals stay with their unit when the rows are others; printed are those that are now. */
static void test_place_totals(void)
{
	static const u8 first[8] = { 1, 0, 0, 0, 0, 0, 0, 0 }, then[8] = { 0, 1, 0, 0, 0, 0, 0, 0 };
	struct series series = { .scope = CPU };
	struct totals totals = { .series = &series, .n = 1 };
	struct layout l = { .generation = 1 };
	struct interval iv = { .m = &M };

	small_machine();
	l.printed = (void *)(uintptr_t)first;
	place_totals(&totals, &l, &iv);
	SAME(series.n, 8);
	series.total[series.of_row[1]].value = 7;
	SAME(series.total[series.of_row[0]].printed, true);
	SAME(series.total[series.of_row[1]].printed, false);
	l.printed = (void *)(uintptr_t)then;
	place_totals(&totals, &l, &iv);
	SAME(series.total[series.of_row[0]].printed, true);	/* the rows are the same */
	l.generation = 2;
	place_totals(&totals, &l, &iv);
	SAME(series.n, 8);
	SAME(series.total[series.of_row[0]].printed, false);
	SAME(series.total[series.of_row[1]].printed, true);
	SAME(series.total[series.of_row[1]].value, 7);
	/* a unit of which one CPU is printed, the first one */
	series.scope = CORE;
	l.printed = (void *)(uintptr_t)first;
	l.generation = 3;
	place_totals(&totals, &l, &iv);
	SAME(series.total[series.of_row[0]].printed, true);
	SAME(series.total[series.of_row[2]].printed, false);
}

/* Values where there is no table: hex and letters are texts, all else are numbers. */
static void test_print_value(void)
{
	static const struct { enum format format; union number v; const char *want; } t[] = {
		{ INTEGER, { .u = 5 }, "5" },	      { INTEGER, { .u = (u64)-5 }, "-5" },
		{ DECIMALS_2, { .f = 1.23456 }, "1.23456" },
		{ DECIMALS_0, { .f = 1.23456 }, "1.23456" },
		{ HEX_8, { .u = 10 }, "'0x0000000a'" },
		{ HEX_16, { .u = 10 }, "'0x000000000000000a'" },
		{ HEX_ID, { .u = 10 }, "'0xa'" },     { LETTER, { .u = 'P' }, "'P'" },
		{ TIME_OF_DAY, { .u = 1700000000000012 }, "1700000000.000012" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		struct column c = { .format = t[i].format };
		struct cell cell = { .column = &c, .value = t[i].v };
		struct buf b = { 0 };

		print_value(&b, &cell, "'");
		buf_add(&b, "", 1);
		CHECK(same_text(b.p, t[i].want), "case %zu: %s, not %s", i, b.p, t[i].want);
		free(b.p);
	}
}

/* Texts in CSV: in quotes where a reader would take them for something else. */
static void test_csv_text(void)
{
	static const char *const t[][2] = {
		{ "", "" }, { "plain text", "plain text" }, { "a,b", "\"a,b\"" },
		{ "\"", "\"\"\"\"" }, { "a\"b\"", "\"a\"\"b\"\"\"" }, { "a\nb", "\"a\nb\"" },
		{ "a\rb", "\"a\rb\"" }, { "a;b\tc'", "a;b\tc'" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		struct buf b = { 0 };

		csv_text(&b, t[i][0]);
		CHECK(same_text(b.p, t[i][1]), "%zu: %s", i, b.p);
		free(b.p);
	}
}

static const struct test formats_tests[] = {
	{ "put-decimal", test_put_decimal },
	{ "unit-names", test_unit_names },
	{ "place-totals", test_place_totals },
	{ "print-value", test_print_value },
	{ "csv-text", test_csv_text },
	{ 0 }
};
