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

static const struct test search_tests[] = {
	{ "limit-allows", test_limit_allows },
	{ "rights-of-files", test_rights_of_files },
	{ 0 }
};
