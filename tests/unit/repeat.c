// SPDX-License-Identifier: GPL-2.0-only
/* REPEAT: runs of a command, comparisons, what is printed once */

/* A terminal shows how many runs are done and how much time is left. */
static void test_progress(void)
{
	static const struct { u64 k, n; int runs; bool replay; const char *want; } t[] = {
		{ 1, 3, 0, false, "run 1/3" },
		{ 2, 3, 1, false, "\r\033[Krun 2/3, 12.0 s each, 24 s left" },
		{ 3, 3, 2, false, "\r\033[Krun 3/3, 12.0 s each, 12 s left" },
		{ 0, 0, 2, false, "\r\033[K" },
		{ 0, 0, 2, false, "" },
		{ 2, 3, 1, true, "" },
	};
	int terminal = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC), screen;
	const char *name = grantpt(terminal) || unlockpt(terminal) ? NULL : ptsname(terminal);
	int own = dup(STDERR_FILENO);

	screen = name ? open(name, O_RDWR | O_NOCTTY | O_CLOEXEC) : -1;
	if (screen < 0)
		skip("there are no pseudo-terminals");
	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		struct quantity q = { .name = "seconds" };
		struct runs r = { .quantity = &q, .n = 1 };
		char text[100] = "";

		for (int k = 0; k < t[i].runs; k++) {
			add_value(&q.side[0], 10);
			add_value(&q.side[1], 2);
		}
		O.replay = t[i].replay ? "x" : NULL;
		dup2(screen, STDERR_FILENO);
		if (t[i].n)
			show_progress(&r, t[i].k, t[i].n);
		else
			show_status(NULL, STDERR_FILENO);	/* it goes, once */
		dup2(own, STDERR_FILENO);
		SAME(write(screen, "$", 1), 1);	/* it takes its time */
		for (char *end = text; end == text || end[-1] != '$'; end++)
			if (end == text + sizeof(text) - 1 || read(terminal, end, 1) != 1)
				die("the terminal says '%s'", text);
		text[strcspn(text, "$")] = '\0';
		CHECK(same_text(text, t[i].want), "%zu: '%s'", i, text);
	}
}

static const struct test repeat_tests[] = {
	{ "progress", test_progress },
	{ 0 }
};
