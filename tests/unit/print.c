// SPDX-License-Identifier: GPL-2.0-only
/* PRINT: cells and rows to text: the table */

/* Compares put_real with printf. */
static void check_real(double v)
{
	char got[CELL_SPACE + 1], want[CELL_SPACE + 1];

	for (int decimals = 0; decimals < 2; decimals++) {
		*put_real(got, v, decimals) = 0;
		snprintf(want, sizeof(want), decimals ? "%.2f" : "%.0f", v);
		CHECK(!strcmp(got, want), "%a: '%s', not '%s'", v, got, want);
	}
}

/* The double just above or below one that is positive. */
static double neighbour(double v, bool above)
{
	u64 bits;

	memcpy(&bits, &v, sizeof(v));
	bits += above ? 1 : v > 0 ? ~0ull : 0;
	memcpy(&v, &bits, sizeof(v));
	return v;
}

/* Real numbers look as printf prints them. */
static void test_put_real(void)
{
	static const double t[] = {
		0,
		0.5,
		1.5,
		2.5,
		0.005,
		0.015,
		0.025,
		0.125,
		0.375,
		1e9,
		1e9 - 0.005,
		999999999.995,
		1e15,
		1e300,
		0.994999999999,
		0.995,
		99.995,
		9.999,
		0.999,
		1e-300,
		4.9e-324,
		0.00499999999999999,
		0.00500000000000001,
		1.005,
		2.675,
		1234567.125,
		123456789.375,
	};
	u64 seed = 42;

	for (size_t i = 0; i < ARRAY_SIZE(t); i++)
		check_real(t[i]);
	for (int i = 0; i < 100000; i++) {
		u64 r = next_random(&seed);
		double tie = (double)(r % 2000000) / 200;	/* n + 0.5 hundredths */

		check_real((double)(r % 100000000000) / 1000);	/* up to 1e8 with three decimals */
		check_real((double)(r >> 11) / 9007199254740992.0 * 110);	/* percentages */
		check_real(tie);
		check_real(neighbour(tie, r & 1));
		check_real((double)(r >> 40) *
			   __builtin_ldexp(1, (int)(r % 60) - 50)); /* all magnitudes; exact ties */
	}
}

/* Integers. */
static void test_put_integers(void)
{
	static const u64 t[] = {
		0, 1, 9, 10, 99, 100, 4294967295, 9223372036854775807, 9223372036854775808ull, ~0ull
	};

	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		char b[32], s[32];
		char *u = textf("%llu", t[i]), *d = textf("%lld", (i64)t[i]);

		*put_u64(b, t[i]) = 0;
		*put_number(s, INTEGER, (union number){ .u = t[i] }) = 0;
		CHECK(!strcmp(b, u) && !strcmp(s, d), "%s: '%s' and '%s'", u, b, s);
		free(u);
		free(d);
	}
}

/* Numbers in each format. */
static void test_put_number(void)
{
	static const struct { enum format f; union number v; const char *want; } t[] = {
		{ INTEGER, { .u = 0 }, "0" }, { INTEGER, { .u = -5ull }, "-5" },
		{ DECIMALS_2, { .f = 1.005 }, "1.00" }, { DECIMALS_2, { .f = 99.999 }, "100.00" },
		{ DECIMALS_0, { .f = 2400.5 }, "2400" }, { DECIMALS_0, { .f = 1999.51 }, "2000" },
		{ HEX_8, { .u = 0xc00 }, "0x00000c00" },
		{ HEX_8, { .u = 0x123456789 }, "0x123456789" },
		{ HEX_16, { .u = 0xc00 }, "0x0000000000000c00" }, { HEX_ID, { .u = 0x1f }, "0x1f" },
		{ TIME_OF_DAY, { .u = 1000000000000001 }, "1000000000.000001" },
		{ LETTER, { .u = 'P' }, "P" }, { LETTER, { .u = 0 }, "-" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		char text[CELL_SPACE], *end = put_number(text, t[i].f, t[i].v);

		*end = '\0';
		CHECK(!strcmp(text, t[i].want) && (size_t)(end - text) == strlen(t[i].want),
		      "case %zu: '%s', not '%s'", i, text, t[i].want);
	}
}

/*
 * A table on a terminal: the names are repeated after they have scrolled off.  A line as wide as
 * the terminal takes one line of it, a wider one two.
 */
static void test_terminal(void)
{
	static const struct { int lines, columns; bool fixed; const char *want; } t[] = {
		/* texts of a row of 16 bytes and one of 7: what each line begins with */
		{ 4, 16, false, "N12N34N56" }, { 5, 16, false, "N123N456" },
		{ 8, 16, false, "N123456" },   { 5, 15, false, "N1N23N45N6" },
		{ 7, 15, false, "N123N456" }, { 4, 16, true, "N123456" },
	};
	static const char *const texts[] = { "N\tb\n1\tx\n2\n", "N\tb\n3\tx\n4\n",
					     "N\tb\n5\tx\n6\n" };

	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		struct field fields[MOST_IDS] = { 0 };
		struct screen on = { .look = WIDE, .lines = t[i].lines, .columns = t[i].columns,
				     .width = INT_MAX, .named = -1, .field = fields };
		struct buf b = { 0 };
		char seen[32] = "";
		size_t n = 0;

		for (size_t k = 0; k < ARRAY_SIZE(texts); k++) {
			char *text = textf("%s", texts[k]);

			on.due = k == 0;
			O.header_every = t[i].fixed;
			draw_text(&on, &b, text);
			free(text);
		}
		O.header_every = 0;
		for (const char *s = b.p; *s && n < sizeof(seen) - 1; s = strchr(s, '\n') + 1)
			seen[n++] = s[strspn(s, " ")];
		CHECK(!strcmp(seen, t[i].want), "%d lines of %d: %s, not %s", t[i].lines,
		      t[i].columns, seen, t[i].want);
		free(b.p);
		free(on.cell);
		free(on.order);
		free(on.list);
	}
}

/* Draws a table of regions in a window, and checks what it looks like. */
static void check_drawn(int columns, const char *text, const char *want)
{
	struct field fields[MOST_IDS] = { 0 };
	struct screen on = { .look = FIT, .lines = 24, .columns = columns, .width = columns,
			     .named = -1, .field = fields };
	char *copy = textf("%s", text);
	struct buf b = { 0 };

	draw_text(&on, &b, copy);
	free(copy);
	CHECK(!strcmp(b.p, want), "%d columns:\n%s", columns, b.p);
	free(b.p);
	free(on.cell);
	free(on.order);
	free(on.list);
}

/* Blocks begin with the ids, unless there is no room for them; lines end where the window does. */
static void test_blocks(void)
{
	static const char text[] = "\nRegion\tCalls\tSeconds\tWork\na\t1\t0.5\t7\nbb\t10\t1.5\n";

	check_drawn(30, text, "\nRegion Calls Seconds Work\n     a     1     0.5    7\n"
			      "    bb    10     1.5\n");
	check_drawn(20, text, "\nRegion Calls Seconds\n     a     1     0.5\n    bb    10     1.5\n"
			      "Region Work\n     a    7\n");
	check_drawn(7, text, "\nCalls\n    1\n   10\nSeconds\n    0.5\n    1.5\nWork\n   7\n");
	check_drawn(1, text, "\nC\n \n \nS\n \n \nW\n \n");
}

/* A unit has a row while a CPU of it that was there at both ends is left, its leader or not. */
static void test_unit_rows(void)
{
	static const struct {
		enum scope scope;
		int row;
		const char *old, *new;	/* of each CPU: was it there? */
		bool want;
	} t[] = {
		{ CORE, 2, "11111111", "11111111", true },
		{ CORE, 2, "11011111", "11111111", true },
		{ CORE, 2, "11111111", "11011111", true },
		{ CORE, 2, "11001111", "11111111", false },
		{ CORE, 2, "11011111", "11101111", false },
		{ CORE, 2, "11111111", "11001111", false },
		{ PACKAGE, 4, "00000001", "00000001", true },
		{ PACKAGE, 4, "11110000", "11111111", false },
		{ CPU, 3, "00010000", "00010000", true },
		{ CPU, 3, "11101111", "11111111", false },
	};

	small_machine();
	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		struct stay stays[2][8] = { 0 };
		struct sample old = { .stay = stays[0] }, new = { .stay = stays[1] };
		struct interval iv = { .old = &old, .new = &new };

		for (int row = 0; row < 8; row++) {
			stays[0][row].visited = t[i].old[row] == '1';
			stays[1][row].visited = t[i].new[row] == '1';
		}
		CHECK(unit_was_there(&iv, t[i].scope, t[i].row) == t[i].want, "case %zu", i);
	}
}

static const struct test print_tests[] = {
	{ "put-real", test_put_real },
	{ "put-integers", test_put_integers },
	{ "put-number", test_put_number },
	{ "terminal", test_terminal },
	{ "blocks", test_blocks },
	{ "unit-rows", test_unit_rows },
	{ 0 }
};
