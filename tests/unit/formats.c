// SPDX-License-Identifier: GPL-2.0-only
/* FORMATS: JSON, CSV, Prometheus */

/* A number of JSON and CSV, rounded once more, is what the table has. */
static void test_print_decimal(void)
{
	static const double off[] = { 0, 1e-9, 1e-7, 4e-7, 5e-7, 6e-7, 1e-6, 1.4e-6, 2e-6 };
	struct buf b = { 0 };

	for (int k = -2000; k < 2000; k++)
		for (size_t i = 0; i < 2 * ARRAY_SIZE(off); i++) {
			double v = k / 200.0 + (i & 1 ? -off[i / 2] : off[i / 2]), got;
			char *want[2] = { textf("%.2f", v), textf("%.0f", v) };

			buf_clear(&b);
			print_decimal(&b, v);
			got = strtod(b.p, NULL);
			for (int n = 0; n < 2; n++) {
				char *again = textf(n ? "%.0f" : "%.2f", got);

				CHECK(!strcmp(again, want[n]) || !strtod(again, NULL),
				      "%.9f is %s, which is %s", v, b.p, again);
				free(again);
				free(want[n]);
			}
			CHECK(fabs(got - v) < 6e-7, "%.9f is %s", v, b.p);
		}
	free(b.p);
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
		struct buf b = { 0 };

		print_value(&b, t[i].format, t[i].v, "'");
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
	{ "print-decimal", test_print_decimal },
	{ "print-value", test_print_value },
	{ "csv-text", test_csv_text },
	{ 0 }
};
