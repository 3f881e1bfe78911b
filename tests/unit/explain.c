// SPDX-License-Identifier: GPL-2.0-only
/* EXPLAIN: where columns come from, why others are absent */

/* Who is root by the effective user, and what it may. */
static void test_rights(void)
{
	static const struct { const char *ids; bool root; } t[] = {
		{ "0\\t0\\t0\\t0", true }, { "1000\\t0\\t0\\t0", true },
		{ "0\\t1000\\t0\\t0", false }, { "1000\\t1000\\t1000\\t1000", false },
	};
	const struct way file = { .kind = BY_FILE, .path = "/proc/x" };

	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		replay_text_of(textf(FIRST_LINE "file /proc/self/status \"Name:\\tx\\nUid:\\t%s\\n"
						"Gid:\\t0\\nCapEff:\\t0000004000020000\\n\"\nend\n",
				     t[i].ids));
		CHECK(is_root() == t[i].root, "%s: root %d", t[i].ids, is_root());
		CHECK((judge_file(NULL, &file, EACCES).rank == MSR_RIGHT) == !t[i].root,
		      "%s: a file that is refused", t[i].ids);
		CHECK(judge_file(NULL, &file, ENOENT).rank == FACT, "%s: a file that is not there",
		      t[i].ids);
		SAME(has_capability(17), true);
		SAME(has_capability(38), true);
		SAME(has_capability(18), false);
	}
	replay_text_of(FIRST_LINE "end\n");
	CHECK(!is_root() && has_capability(38), "where nothing is known");
}

static const struct test explain_tests[] = {
	{ "rights", test_rights },
	{ 0 }
};
