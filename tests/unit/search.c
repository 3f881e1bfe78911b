// SPDX-License-Identifier: GPL-2.0-only
/* SEARCH: what a plan consists of; sources that are no perf events */

/* A package C-state's register is read if the limit is at least as deep, or not known. */
static void test_limit_allows(void)
{
	static const struct { enum feature f; const char *least; } t[] = {
		{ PC2, "pc2" }, { PC3, "pc3" }, { PC6, "pc6" }, { PC6_ATOM, "pc6" }, { PC7, "pc7" },
		{ PC8, "pc8" }, { PC9, "pc9" }, { PC10, "pc10" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		bool deep = false;

		for (int l = 0; l < 16; l++) {
			deep |= !strcmp(pkg_limit_names[l], t[i].least);
			M.pkg_limit = (enum pkg_limit)l;
			CHECK(limit_allows(F(t[i].f)) == (deep || l <= L_UNKNOWN),
			      "limit %s, state %s", pkg_limit_names[l], t[i].least);
			CHECK(limit_allows(0) && limit_allows(F(CC6)),
			      "limit %s and a counter that is no package state",
			      pkg_limit_names[l]);
		}
	}
}

/* A file that the user names is opened with the user's rights, no other. */
static void test_rights_of_files(void)
{
	static struct counter counter;

	small_machine();
	T.counter = &counter;
	capabilities[0] = 0x21;
	for (int of_user = 0; of_user < 2; of_user++) {
		struct search s = { .way = counter.way };

		counter.way[0] = (struct way){ .kind = BY_FILE, .path = "/no/file",
					       .of_user = of_user };
		ncapabilities = 1;
		SAME(use_file(&s, 0), -ENOENT);
		SAME(ncapabilities, of_user ? 3 : 1);
	}
}

/* Which files serve a row: the user's if it is a number; the kernel's also without a value now. */
static void test_files(void)
{
	static const struct {
		const char *answer;
		bool of_user, parsed;
		int want;
		bool fraction;
	} t[] = {
		/* clang-format off */
		{ "\"7\\n\"", true, false, 1, false }, { "\"7\\n\"", false, false, 1, false },
		{ "\"0.5\\n\"", true, false, 1, true }, { "\"x\\n\"", true, false, -EINVAL, false },
		{ "\"x\\n\"", false, false, 1, false }, { "!ENOENT", true, false, -ENOENT, false },
		{ "!ENOENT", false, false, -ENOENT, false }, { "!EMFILE", true, false, -EMFILE, false },
		{ "!EMFILE", false, false, 1, false }, { "!ENODATA", true, false, -ENODATA, false },
		{ "!ENODATA", false, false, 1, false }, { "\"0.5\\n\"", false, true, 1, false },
		{ "\"x\\n\"", false, true, -EINVAL, false },
		/* clang-format on */
	};

	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		struct counter c = { .name = "x", .scope = CPU };
		struct search s = { .scale = 1 };
		const struct way *way;
		char *text = textf(FIRST_LINE "file /a %s\n" LAST_LINES, t[i].answer);
		int got;

		replay_text_of(text);
		small_machine();
		c.way[0] = (struct way){ .kind = BY_FILE, .path = "/a", .of_user = t[i].of_user,
					 .parse = t[i].parsed ? read_decimal : NULL };
		T.ncounters = 0;
		add_counter(&c);
		make_cells();
		P.nsources = 0;
		way = s.way = &T.counter[0].way[0];
		got = use_file(&s, 0);
		CHECK(got == t[i].want && P.nsources == (got == 1), "case %zu: %d", i, got);
		CHECK(t[i].parsed || (way->parse != NULL) == t[i].fraction, "case %zu: parsed", i);
		CHECK(!t[i].fraction || same_real(way->scale, 1e-6), "case %zu: %g", i, way->scale);
		CHECK(!same_text(t[i].answer, "\"x\\n\"") || !t[i].of_user ||
			      same_text(T.counter[0].no_number, "x"),
		      "case %zu: '%s' is no number", i, T.counter[0].no_number);
		free(text);
	}
}

/* What exists for each counter and CPU takes so many bytes; a machine may have 8192 CPUs. */
static void test_memory(void)
{
	size_t source = sizeof(struct source);
	size_t group = sizeof(struct event_group) + USUAL_GROUP * sizeof(struct member);

	CHECK(source <= 88, "a source takes %zu bytes", source);
	CHECK(group <= 384, "a group of four events takes %zu bytes", group);
}

static const struct test search_tests[] = {
	{ "files", test_files },
	{ "limit-allows", test_limit_allows },
	{ "rights-of-files", test_rights_of_files },
	{ "memory", test_memory },
	{ 0 }
};
