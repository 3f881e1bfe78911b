// SPDX-License-Identifier: GPL-2.0-only
/* REPORT: the system-configuration header as a whole: the table of its lines */

/* Is a template well-formed: every hole of a known kind, with a field, closed? */
static bool is_template(const char *t)
{
	for (; *t; t++) {
		int hi, lo, n = 0;
		char kind;

		if (*t == '}')
			return false;
		if (*t != '{')
			continue;
		if (text_after(t, "{t}")) {	/* the only one without a field */
			t += 2;
			continue;
		}
		if (!t[1] || !strchr("dxwi?#om", t[1]) ||
		    sscanf(t + 2, " %d, %d%n", &hi, &lo, &n) != 2 || hi > 63 || lo < 0 || lo > hi)
			return false;
		kind = t[1];
		t += 2 + n;
		if ((*t == ':') != (strchr("?om", kind) != NULL))
			return false;
		if (*t == ':') {
			if (kind == '?' && (!strchr(t, '|') || strcspn(t, "|") > strcspn(t, "}")))
				return false;
			t += strcspn(t, "}");
		}
		if (*t != '}')
			return false;
	}
	return true;
}

/* Every line of the header is well-formed. */
static void test_header_lines(void)
{
	for (size_t s = 0; s < ARRAY_SIZE(header_table); s++) {
		const struct line *l = header_table[s].lines;

		CHECK(l->text, "row %zu has no lines", s);
		for (; l->text; l++) {
			CHECK(*l->text || l->code || l->opens,
			      "row %zu has a line of nothing", s);
			CHECK(is_template(l->text), "'%s'", l->text);
			CHECK(l->msr || l->file || !strchr(l->text, '#'),
			      "'%s' has no register", l->text);
		}
	}
}

/* A source in words: the file that was found; of a CPU's own file none is named for all. */
static void test_source_words(void)
{
	static const struct { struct way way; bool is_read; const char *want; } t[] = {
		{ { .kind = BY_FILE, .path = "x", .find = find_ccd }, true, "/sys/found" },
		{ { .kind = BY_FILE, .path = "/in/hwmon", .find = find_ccd }, false, "/in/hwmon" },
		{ { .kind = BY_FILE, .path = "x" }, true, SYS_CPU "cpuN/x" },
		{ { .kind = BY_MSR, .msr = 0x611 }, true, "MSR 0x611" },
		{ { .kind = BY_MSR, .msr = 0x611, .event = "MSR_ENERGY" }, true,
		  "ENERGY (MSR 0x611)" },
	};
	static char found[] = "/sys/found";
	static struct source op = { .kind = BY_FILE, .path = found };

	P.source = &op;		/* for longer than this function */
	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		struct counter c = { .way = { t[i].way }, .chosen = &c.way[0] };
		struct buf b = { 0 };

		P.nsources = t[i].is_read;
		op.way = &c.way[0];
		print_source(&b, &c, true);
		CHECK(same_text(b.p, t[i].want), "case %zu: %s, not %s", i, b.p, t[i].want);
		free(b.p);
	}
}

static const struct test report_tests[] = {
	{ "header-lines", test_header_lines },
	{ "source-words", test_source_words },
	{ 0 }
};
