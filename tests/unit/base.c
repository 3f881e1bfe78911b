// SPDX-License-Identifier: GPL-2.0-only
/* BASE: integers, text, CPU sets, parsers, messages */

/* Bits high:low of a word. */
static void test_field(void)
{
	static const struct { int hi, lo; u64 v, want; } t[] = {
		{ 63, 0, 0x0123456789abcdef, 0x0123456789abcdef }, { 0, 0, 1, 1 },
		{ 0, 0, 0xfffffffffffffffe, 0 },
		{ 63, 63, 1ull << 63, 1 }, { 63, 63, ~(1ull << 63), 0 },
		{ 31, 0, 0xffffffff00000001, 1 },
		{ 63, 32, 0xdeadbeef00000000, 0xdeadbeef }, { 15, 8, 0xff2a00, 0x2a },
		{ 22, 16, 0x88370800, 0x37 },
		{ 14, 0, ~0ull, 0x7fff }, { 62, 48, ~0ull, 0x7fff },
	};

	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		u64 got = FIELD_(t[i].v, t[i].hi, t[i].lo);

		CHECK(got == t[i].want, "bits %d:%d of 0x%llx: 0x%llx, not 0x%llx", t[i].hi,
		      t[i].lo, t[i].v, got, t[i].want);
	}
	CHECK(FIELD(0x88370800, THERM_READOUT) == 0x37, "the names of msr.h are not pairs");
	CHECK(FIELD(0x88370800u, THERM_VALID) == 1, "a field of 32 bits");
}

/* Growing text and growing arrays. */
static void test_buf(void)
{
	struct buf b = { 0 };
	int *p = NULL;
	char *long_text = textf("%0*d", 5000, 7);

	buf_printf(&b, "%s", "");
	SAME(b.len, 0);
	CHECK(b.p, "an empty text");
	SAME(*b.p, 0);
	buf_printf(&b, "%s", long_text);
	SAME(b.len, 5000);
	CHECK(!strcmp(b.p, long_text), "a long formatted text");
	buf_puts(&b, long_text);
	buf_add(&b, "a\0b", 3);
	SAME(b.len, 10003);
	CHECK(!memcmp(b.p + 10000, "a\0b", 4), "appended bytes");
	buf_clear(&b);
	SAME(b.len, 0);
	SAME(*b.p, 0);
	CHECK(b.cap >= 10003, "an emptied text");
	for (size_t i = 0; i < 10000; i++) {
		p = room(p, i, sizeof(*p));
		p[i] = (int)i;
	}
	for (int i = 0; i < 10000; i++)
		CHECK(p[i] == i, "member %d of a growing array", i);
	for (size_t i = 0; i < 200; i++) {	/* every length around the first capacity */
		struct buf c = { 0 };

		for (size_t k = 0; k < i; k++)
			buf_add(&c, "x", 1);
		buf_printf(&c, "%.*s", (int)i, long_text);
		CHECK(c.len == 2 * i && (!c.p || strlen(c.p) == 2 * i), "a text of 2 * %zu", i);
		free(c.p);
	}
	free(b.p);
	free(p);
	free(long_text);
}

/* Asks for more memory than an address can count. */
static void overflow_resize(const void *arg)
{
	(void)arg;
	free(resize(NULL, SIZE_MAX / 4, 8));
}

/* Memory that cannot be had ends the program. */
static void test_resize(void)
{
	dies("resize", overflow_resize, NULL, "out of memory");
	free(resize(resize(NULL, 4, 8), 0, 8));	/* empty, it is an array all the same */
	free(zeroed(0, 8));
}

/* Each cause is reported once. */
static void test_notes(void)
{
	int fd = text_file("", 0), saved = dup(STDERR_FILENO);

	dup2(fd, STDERR_FILENO);
	for (int i = 0; i < 40; i++) {
		note((u64)i % 20, "first %d", i % 20);
		note((u64)i % 20, "second %d", i % 20);
	}
	dup2(saved, STDERR_FILENO);
	/* a text that begins with the name of a recording, "a", names it if a colon follows */
	messages.recording = "a";
	print_message(true, textf("a note"));
	print_message(true, textf("a: another"));
	messages.recording = "";
	CHECK(same_text(messages.held.p, "turbostat: a: a note\nturbostat: a: another\n"),
	      "held: %s", messages.held.p);
	CHECK(text_after(file_text(fd),
			 "turbostat: first 0\nturbostat: second 0\nturbostat: first 1\n"),
	      "the text of the notes");
	CHECK(strlen(file_text(fd)) ==
		      20 * (strlen("turbostat: first 0\n") + strlen("turbostat: second 0\n")) + 20,
	      "notes given twice");
	close(fd);
	close(saved);
}

/* Sets of CPUs. */
static void test_sets(void)
{
	static const int members[] = { 0, 1, 62, 63, 64, 127, 128, 4095, 8191 };
	struct cpuset s = { .w = { 0 } };
	int n = 0;

	/* the empty set */
	SAME(set_next(&s, 0), -1);
	SAME(set_count(&s), 0);
	set_add(&s, -1);
	set_add(&s, MAX_CPU);
	set_add(&s, INT_MAX);
	set_add(&s, INT_MIN);
	CHECK(set_count(&s) == 0, "numbers out of range are accepted");
	for (size_t i = 0; i < ARRAY_SIZE(members); i++)
		set_add(&s, members[i]);
	CHECK(set_count(&s) == (int)ARRAY_SIZE(members), "%d members", set_count(&s));
	for_each_cpu(cpu, &s)
		CHECK(n < (int)ARRAY_SIZE(members) && cpu == members[n++], "member %d is %d", n,
		      cpu);
	CHECK(n == (int)ARRAY_SIZE(members), "%d members were visited", n);
	for (int cpu = -2; cpu < MAX_CPU + 2; cpu++) {
		bool want = false;

		for (size_t i = 0; i < ARRAY_SIZE(members); i++)
			want |= members[i] == cpu;
		CHECK(set_has(&s, cpu) == want, "CPU %d", cpu);
	}
	/* the next member */
	SAME(set_next(&s, 65), 127);
	SAME(set_next(&s, 8191), 8191);
	SAME(set_next(&s, 8192), -1);
	SAME(set_next(&s, -1), -1);
}

/* Lists of CPUs, and how they are printed. */
static void test_cpulist(void)
{
	static const struct { const char *text, *want; } t[] = {	/* NULL: malformed */
		{ "0", "0" }, { "0-3", "0-3" }, { "0-3\n", "0-3" }, { "0..3", "0-3" },
		{ "3,1,2", "1-3" }, { "0,2,4-5,7..9", "0,2,4-5,7-9" },
		{ "", "" }, { "\n", "" }, { "8191", "8191" }, { "0-8191", "0-8191" },
		{ "5-5", "5" }, { "007", "7" }, { "1,1,1", "1" },
		{ "63-64", "63-64" }, { "8192", NULL }, { "0-8192", NULL },
		{ "99999999999999999999", NULL }, { "-1", NULL }, { "1-", NULL },
		{ "3-1", NULL }, { "1,", NULL }, { ",1", NULL }, { "1,,2", NULL }, { "1 2", NULL },
		{ "1-2-3", NULL }, { "a", NULL },
		{ "0x1", NULL }, { "1.2", NULL }, { "1...2", NULL }, { "1.", NULL },
		{ "1.23", NULL },
		{ "1..", NULL }, { "+1", NULL }, { " 1", NULL },
		{ "1\n2", NULL }, { "1\n\n", NULL }, { "0-3:1/2", NULL },
	};

	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		struct cpuset s;
		int err = parse_cpulist(t[i].text, &s);

		CHECK(err == (t[i].want ? 0 : -EINVAL), "'%s': %d", t[i].text, err);
		CHECK(err || same_text(set_text(&s), t[i].want), "'%s': '%s', not '%s'", t[i].text,
		      set_text(&s), t[i].want);
	}
	for (u64 seed = 0; seed < 300; seed++) {	/* what is printed is read again */
		struct cpuset s = { .w = { 0 } }, back;
		u64 r = seed * 1000;

		for (u64 n = next_random(&r) % 60; n; n--) {
			int a = (int)(next_random(&r) % MAX_CPU),
			    z = a + (int)(next_random(&r) % 70);

			for (; a <= z; a++)
				set_add(&s, a);
		}
		CHECK(!parse_cpulist(set_text(&s), &back) && !memcmp(&s, &back, sizeof(s)),
		      "'%s' is read as another set", set_text(&s));
	}
}

/* Numbers of the command line. */
static void test_numbers(void)
{
	static const struct { const char *text; int base; bool ok; u64 want; } u[] = {
		{ "0", 10, true, 0 }, { "42", 10, true, 42 },
		{ "18446744073709551615", 10, true, ~0ull },
		{ "18446744073709551616", 10, false, 0 },
		{ "", 10, false, 0 }, { "-1", 10, false, 0 }, { "+1", 10, false, 0 },
		{ " 1", 10, false, 0 }, { "1 ", 10, false, 0 }, { "1x", 10, false, 0 },
		{ "a", 10, false, 0 }, { "1a067102", 16, true, 0x1a067102 },
		{ "0x1a067102", 16, true, 0x1a067102 }, { "FF", 16, true, 255 },
		{ "g", 16, false, 0 }, { "0x", 16, false, 0 },
		{ "10000000000000000", 16, false, 0 }, { "ffffffffffffffff", 16, true, ~0ull },
		{ "0x10", 0, true, 16 }, { "10", 0, true, 10 }, { "a", 0, false, 0 },
		{ "0xg", 0, false, 0 }, { "1e3", 0, false, 0 },
		{ "017", 0, true, 15 }, { "08", 0, false, 0 }, { "017", 10, true, 17 },
	};
	static const struct { const char *text; bool ok; double want; } d[] = {
		{ "0", true, 0 }, { "5", true, 5 }, { "0.001", true, 0.001 }, { ".5", true, 0.5 },
		{ "5.", true, 5 }, { "1e3", true, 1000 },
		{ "", false, 0 }, { ".", false, 0 }, { "-1", false, 0 }, { "-0", false, 0 },
		{ "nan", false, 0 }, { "inf", false, 0 }, { "1e400", false, 0 },
		{ "1e15", false, 0 }, { "5s", false, 0 }, { " 5", false, 0 }, { "+5", false, 0 },
		{ "1,5", false, 0 },
	};
	static const struct { const char *text; int limit, want; const char *rest; } s[] = {
		{ "12,", 100, 12, "," }, { "99", 100, 99, "" }, { "x", 100, -1, "x" },
		{ "", 100, -1, "" }, { "0", 1, 0, "" },
		{ "134217726", INT_MAX / 16, 134217726, "" },
	};
	u64 v;
	double x;

	for (size_t i = 0; i < ARRAY_SIZE(u); i++) {
		bool ok = parse_u64(u[i].text, u[i].base, &v);

		CHECK(ok == u[i].ok && (!ok || v == u[i].want), "parse_u64 '%s' base %d: %d, %llu",
		      u[i].text, u[i].base, ok, v);
	}
	for (size_t i = 0; i < ARRAY_SIZE(d); i++) {
		bool ok = parse_double(d[i].text, &x);

		CHECK(ok == d[i].ok && (!ok || x == d[i].want), "parse_double '%s': %d, %g",
		      d[i].text, ok, x);
	}
	for (size_t i = 0; i < ARRAY_SIZE(s); i++) {
		const char *rest = s[i].text;
		int got = parse_small(&rest, s[i].limit);

		CHECK(got == s[i].want && !strcmp(rest, s[i].rest),
		      "parse_small '%s' < %d: %d, rest '%s'", s[i].text, s[i].limit, got, rest);
	}
	CHECK(to_u64(0x1.fffffffffffffp63, &v) && v == 0xfffffffffffff800, "the largest: %llu", v);
	CHECK(!to_u64(0x1p64, &v), "2^64 is accepted");
	CHECK(!to_u64(-1, &v), "-1 is accepted");
	CHECK(!to_u64(NaN, &v), "NaN is accepted");
	for (int limit = 1; limit < 2000; limit++) {
		char *text = textf("%d", limit);
		const char *rest = text;

		CHECK(parse_small(&rest, limit) == -1, "parse_small takes its limit %d", limit);
		rest = text;
		CHECK(parse_small(&rest, limit + 1) == limit, "parse_small refuses %d < %d", limit,
		      limit + 1);
		free(text);
	}
}

/* UTF-8 characters, their codes, and what is none: the borders of RFC 3629. */
static void test_utf8(void)
{
	static const struct { const char *text; size_t length; u32 code; } t[] = {
		{ "a", 1, 'a' }, { "", 1 }, { "\x7f", 1, 0x7f }, { "\x80", 0 }, { "\xbf", 0 },
		{ "\xc1\xbf", 0 }, { "\xc2\x80", 2, 0x80 }, { "\xdf\xbf", 2, 0x7ff },
		{ "\xc2\x7f", 0 }, { "\xc2\xc0", 0 }, { "\xe0\x9f\xbf", 0 },
		{ "\xe0\xa0\x80", 3, 0x800 }, { "\xed\x9f\xbf", 3, 0xd7ff },
		{ "\xed\xa0\x80", 0 }, { "\xed\xbf\xbf", 0 }, { "\xee\x80\x80", 3, 0xe000 },
		{ "\xef\xbf\xbf", 3, 0xffff }, { "\xf0\x8f\xbf\xbf", 0 },
		{ "\xf0\x90\x80\x80", 4, 0x10000 }, { "\xf4\x8f\xbf\xbf", 4, 0x10ffff },
		{ "\xf4\x90\x80\x80", 0 }, { "\xf5\x80\x80\x80", 0 }, { "\xf8\x88\x80\x80", 0 },
		{ "\xff", 0 }, { "\xe2\x82", 0 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		u32 code;
		size_t length = utf8_decode(t[i].text, &code);

		CHECK(length == t[i].length && (!length || code == t[i].code), "%zu: %zu, U+%04x",
		      i, length, code);
	}
}

/* Small helpers of texts. */
static void test_texts(void)
{
	char line[] = "one\ntwo\n";

	CHECK(same_text(text_after("intel-rapl:0", "intel-rapl:"), "0"), "after");
	CHECK(!text_after("intel", "intel-rapl"), "after: the text is shorter");
	CHECK(same_text(text_after("abc", ""), "abc"), "after nothing");
	CHECK(!strcmp(first_line(line), "one"), "first_line");
	CHECK(!strcmp(first_line(line), "one"), "first_line");
	/* FNV-1a */
	SAME(hash_text(""), 0xcbf29ce484222325ull);
	SAME(hash_text("a"), 0xaf63dc4c8601ec8cull);
	S.records = true;
	for (int err = 1; err < (int)ARRAY_SIZE(errnames); err++) {
		const char *name = errnames[err] ?: "EIO";

		buf_clear(&S.record);
		record_question(-err, "msr");
		CHECK(same_text(S.record.p, textf("msr !%s\n", name)), "%s is %s", name,
		      S.record.p);
	}
	buf_clear(&S.record);
	CHECK(!record_question(-9999, "msr") && same_text(S.record.p, "msr !EIO\n"),
	      "an errno without a name");
	buf_clear(&S.record);
	CHECK(record_question(0, "msr") && same_text(S.record.p, "msr"), "no error");
}

/* Quoting for JSON and for Prometheus. */
static void test_quote_text(void)
{
	static const char text[] = "a\"\\\n\x1f\x7f\xc3\xa4\xff";
	struct buf b = { 0 };

	quote_text(&b, text, strlen(text), true);
	CHECK(same_text(b.p, "\"a\\\"\\\\\\u000a\\u001f\\u007f\xc3\xa4\xef\xbf\xbd\""), "JSON: %s",
	      b.p ? b.p : "nothing");
	buf_clear(&b);
	quote_text(&b, text, strlen(text), false);
	CHECK(same_text(b.p, "\"a\\\"\\\\\\n??\xc3\xa4\xef\xbf\xbd\""), "Prometheus: %s",
	      b.p ? b.p : "nothing");
}

/* Marks that turn the direction of text, or end its line, are controls; others are not. */
static void test_direction_marks(void)
{
	static const u32 marks[] = { 0x85,   0x200e, 0x200f, 0x2028, 0x2029, 0x202a, 0x202b, 0x202c,
				     0x202d, 0x202e, 0x2066, 0x2067, 0x2068, 0x2069 };
	static const u32 others[] = { 0xa0, 0x200d, 0x2010, 0x2027, 0x202f, 0x2065, 0x206a };
	struct buf b = { 0 };

	for (size_t i = 0; i < ARRAY_SIZE(marks) + ARRAY_SIZE(others); i++) {
		bool mark = i < ARRAY_SIZE(marks);
		u32 code = mark ? marks[i] : others[i - ARRAY_SIZE(marks)];
		char text[4] = "", escape[7];

		if (code < 0x800)
			sprintf(text, "%c%c", 0xc0 | code >> 6, 0x80 | (code & 0x3f));
		else
			sprintf(text, "%c%c%c", 0xe0 | code >> 12, 0x80 | (code >> 6 & 0x3f),
				0x80 | (code & 0x3f));
		sprintf(escape, "\\u%04x", code);
		for (enum purpose p = A_NAME; p <= A_STRING; p++) {
			buf_clear(&b);
			buf_clean(&b, text, strlen(text), p);
			CHECK(same_text(b.p, !mark ? text : p == A_STRING ? escape : "?"),
			      "U+%04x for %d: '%s'", code, p, b.p);
		}
	}
}

/* Devices stand in the order of their numbers. */
static void test_by_name(void)
{
	char *name[] = { textf("telem10"),  textf("telem2"),  textf("telem0"),
			 textf("telem100"), textf("telem11"), textf("telem1") };
	static const char *const want[] = { "telem0",  "telem1",  "telem2",
					    "telem10", "telem11", "telem100" };

	qsort(name, ARRAY_SIZE(name), sizeof(*name), by_name);
	for (size_t i = 0; i < ARRAY_SIZE(name); i++)
		CHECK(!strcmp(name[i], want[i]), "%zu: %s, not %s", i, name[i], want[i]);
}

static const struct test base_tests[] = {
	{ "field", test_field },
	{ "buf", test_buf },
	{ "resize", test_resize },
	{ "notes", test_notes },
	{ "sets", test_sets },
	{ "cpulist", test_cpulist },
	{ "numbers", test_numbers },
	{ "utf8", test_utf8 },
	{ "texts", test_texts },
	{ "quote-text", test_quote_text },
	{ "direction-marks", test_direction_marks },
	{ "by-name", test_by_name },
	{ 0 }
};
