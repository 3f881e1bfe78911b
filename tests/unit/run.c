// SPDX-License-Identifier: GPL-2.0-only
/* RUN: intervals, signals, CPUs that come and go, the forked command */

/* Ended early, late, late by several intervals: when the next one ends. */
static void test_next_deadline(void)
{
	static const struct { i64 deadline, now, want; } t[] = {
		{ 100, 100, 110 }, { 100, 90, 100 }, { 100, 109, 110 }, { 100, 110, 120 },
		{ 100, 137, 140 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		i64 next = next_deadline(t[i].deadline, t[i].now, 10);

		CHECK(next == t[i].want, "to end at %lld, over at %lld: next %lld", t[i].deadline,
		      t[i].now, next);
	}
}

/* While an interval is waited for, the counters that wrap are read once in a period. */
static void test_ticks(void)
{
	enum { MS = 1000000 };
	static const struct { i64 tick, until; enum phase phase; int ticks; } t[] = {
		{ 40, 410, MEASURING, 10 }, { 40, 400, MEASURING, 9 }, { 500, 410, MEASURING, 0 },
		{ 40, 410, BEFORE, 0 },	{ 40, 410, OVER, 0 }, { 0, 410, MEASURING, 0 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		struct until u = { .phase = t[i].phase, .end = NEVER };
		int fd = text_file("", 0), ticks = 0;

		still = 1000ll * MS;
		waits = 0;
		record_open(fd, "a file", NULL, false, 0, 0);
		P.on = zeroed(MAX_CPU, sizeof(*P.on));
		P.tick = t[i].tick * MS;
		R.read_at = still;
		u.deadline = still + t[i].until * MS;
		sigprocmask(SIG_SETMASK, NULL, &R.let_in);
		CHECK(wait_for(&u) == INTERVAL_OVER, "%zu: the interval is not over", i);
		CHECK(still == u.deadline, "%zu: over at %lld", i, (i64)still);
		CHECK(!R.unread, "%zu: not read for too long", i);
		for (const char *s = file_text(fd); (s = strstr(s, "tick\n")); s++)
			ticks++;
		CHECK(ticks == t[i].ticks, "%zu: %d ticks, not %d", i, ticks, t[i].ticks);
		CHECK(waits == ticks + 1, "%zu: waited %d times for %d ticks", i, waits, ticks);
	}
}

/* A command that goes on when its measurement is over is measured no more: nothing is read. */
static void test_finish(void)
{
	static char *command[] = {
		(char *)(uintptr_t)"sh", (char *)(uintptr_t)"-c",
		(char *)(uintptr_t)"for i in $(seq 5000); do :; done; sleep 0.05", NULL
	};
	struct until u = { .phase = MEASURING };
	int fd = text_file("", 0);

	record_open(fd, "a file", NULL, false, 0, 0);
	P.on = zeroed(MAX_CPU, sizeof(*P.on));
	P.tick = 1000000;
	R.read_at = live_clock(CLOCK_MONOTONIC);
	getrlimit(RLIMIT_NOFILE, &R.left.descriptors);
	catch_signals();
	u.child = start_command(command, false);
	finish_child(&u);
	SAME(u.child, 0);
	SAME(u.run.status, 0);
	CHECK(u.run.user + u.run.sys > 1000000 && u.run.user + u.run.sys < 2 * NS_PER_S,
	      "it has used %lld ns", u.run.user + u.run.sys);
	CHECK(!strstr(file_text(fd), "tick"), "counters that wrap are read");
}

/* Who is stopped for more than four periods has not read what wraps: it may have wrapped. */
static void test_unread(void)
{
	static const struct { i64 late; bool unread; } t[] = { { 400, false }, { 401, true } };

	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		struct until u = { .phase = MEASURING, .deadline = 1000, .end = NEVER };

		still = 1000 + t[i].late;
		P.tick = 100;
		R.read_at = 1000;
		R.unread = false;
		wait_for(&u);
		CHECK(R.unread == t[i].unread, "read %lld ns late", t[i].late);
		R.read_at = still;
		wait_for(&u);
		CHECK(R.unread == t[i].unread, "then in time, %lld ns late before", t[i].late);
	}
}

/* Energy that was read too late is unknown in that interval only. */
static void test_unread_once(void)
{
	tables_init();
	rows_of_cpus(1);
	make_cells();
	P.source = room(P.source, 0, sizeof(*P.source));	/* NULL + 0 is undefined */
	P.tick = 100;
	R.unread = true;
	next_sample(INNER_SAMPLE);
	CHECK(R.interval.unread, "it is forgotten");
	next_sample(INNER_SAMPLE);
	CHECK(!R.interval.unread, "it is held against the next interval");
}

/* Standard input is watched if somebody can type or write there. */
static void test_interactive(void)
{
	int fds[2];

	if (socketpair(AF_UNIX, SOCK_STREAM, 0, fds))
		die("socketpair: %s", strerror(errno));
	dup2(fds[0], STDIN_FILENO);
	CHECK(is_interactive(), "a socket is not watched");
	if (pipe(fds))
		die("pipe: %s", strerror(errno));
	dup2(fds[0], STDIN_FILENO);
	CHECK(is_interactive(), "a pipe is not watched");
	dup2(text_file("", 0), STDIN_FILENO);
	CHECK(!is_interactive(), "a file is watched");
	dup2(open("/dev/null", O_RDONLY | O_CLOEXEC), STDIN_FILENO);
	CHECK(!is_interactive(), "/dev/null is watched");
}

/* What read_input() makes of a text; what it leaves is in rest. */
static enum news input_of(const char *text, char rest[100])
{
	int fds[2];
	enum news news;
	ssize_t n;

	if (pipe(fds) || dup2(fds[0], STDIN_FILENO) < 0)
		die("pipe: %s", strerror(errno));
	SAME(write(fds[1], text, strlen(text)), strlen(text));
	close(fds[1]);
	R.watch_stdin = true;
	R.typed = LINE_EMPTY;
	news = read_input(POLLIN);
	n = read(STDIN_FILENO, rest, 99);
	rest[n > 0 ? n : 0] = '\0';
	close(fds[0]);
	return news;
}

/* A line ends the interval, "q" all of it; what follows is left to others. */
static void test_input(void)
{
	static const struct {
		const char *text;
		enum news news;
		const char *rest;
		bool watch;
	} t[] = {
		{ "\nb\n", INTERVAL_OVER, "b\n", true },
		{ "x\nq\n", INTERVAL_OVER, "q\n", true },
		{ "q\nabc", ALL_OVER, "abc", true },
		{ "aq\nq", INTERVAL_OVER, "q", true },
		{ "qa\n", INTERVAL_OVER, "", true },
		{ "qq\n", INTERVAL_OVER, "", true },
		{ "abc", NOTHING, "", false },
		{ "q", ALL_OVER, "", false },
		{ "", NOTHING, "", false },
	}, soon[] = {
		{ "h1\nh2\n\n", NOTHING, "", false },
		{ "h1\nq\nh2\n", ALL_OVER, "h2\n", true },
	};
	char rest[100];
	int fds[2];

	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		CHECK(input_of(t[i].text, rest) == t[i].news, "'%s': other news", t[i].text);
		CHECK(same_text(rest, t[i].rest), "'%s' leaves '%s'", t[i].text, rest);
		CHECK(R.watch_stdin == t[i].watch, "'%s': watched %d", t[i].text, R.watch_stdin);
	}
	/* nobody types in the first 10 ms of an interval */
	still = NS_PER_S;
	R.sample[R.now].t.end.mono = still - 9999999;
	for (size_t i = 0; i < ARRAY_SIZE(soon); i++) {
		CHECK(input_of(soon[i].text, rest) == soon[i].news, "'%s': soon", soon[i].text);
		CHECK(same_text(rest, soon[i].rest), "'%s' leaves '%s'", soon[i].text, rest);
	}
	still++;
	SAME(input_of("\n", rest), INTERVAL_OVER);
	/* a line in pieces */
	if (pipe(fds) || dup2(fds[0], STDIN_FILENO) < 0)
		die("pipe: %s", strerror(errno));
	SAME(write(fds[1], "q", 1), 1);
	SAME(read_input(POLLIN), NOTHING);
	SAME(write(fds[1], "\n", 1), 1);
	SAME(read_input(POLLIN), ALL_OVER);
	fcntl(STDIN_FILENO, F_SETFL, O_NONBLOCK);
	SAME(read_input(POLLIN), NOTHING);
	CHECK(R.watch_stdin, "watched no longer, as there was no line");
	close(STDIN_FILENO);
	SAME(read_input(POLLNVAL), NOTHING);
	CHECK(!R.watch_stdin, "watched where there is none");
}

/* Keys wake us; in the background, they wait for the end of the interval. */
static void test_typed(void)
{
	struct until u = { .deadline = NEVER, .end = NEVER };
	int fds[2];

	if (pipe(fds) || dup2(fds[0], STDIN_FILENO) < 0)
		die("pipe: %s", strerror(errno));
	SAME(write(fds[1], "x\n", 2), 2);
	R.watch_stdin = true;
	sigemptyset(&R.let_in);
	sleep_for(&u, 0);
	SAME(u.input, POLLIN);
	R.input_waits = true;
	sleep_for(&u, 0);
	SAME(u.input, 0);
	/* the next interval checks it again */
	u.deadline = NOW;
	SAME(wait_for(&u), INTERVAL_OVER);
	sleep_for(&u, 0);
	SAME(u.input, POLLIN);
}

/* Lines of --control come in pieces; a NUL ends a line. */
static void test_control_text(void)
{
	int ctl[2];

	if (pipe2(ctl, O_NONBLOCK))
		die("pipe: %s", strerror(errno));
	R.control.ctl = ctl[0];
	SAME(read_control(), false);
	SAME(write(ctl[1], "begin", 5), 5);
	SAME(read_control(), false);
	SAME(write(ctl[1], " a\nend", 6), 6);
	SAME(read_control(), true);
	CHECK(same_text(R.control.text.p, "begin a\nend"), "text: '%s'", R.control.text.p);
	buf_clear(&R.control.text);
	R.control.complete = 0;
	SAME(write(ctl[1], "enable\n\0", 8), 8);
	SAME(read_control(), true);
	SAME(write(ctl[1], "end\0", 4), 4);
	SAME(read_control(), true);
	CHECK(same_text(R.control.text.p, "enable\n\nend\n"), "text: '%s'", R.control.text.p);
}

/* A line that never ends takes no memory: its beginning is kept, up to its newline or NUL. */
static void test_control_long_line(void)
{
#define BOGUS "error expected: begin [NAME], end [NAME] [WORK], sample [NAME] or stop\n"
#define LONG_LINE "error the line is too long\n"
	static const char replies[] = BOGUS LONG_LINE BOGUS BOGUS LONG_LINE;
	static char part[5000];
	int ctl[2], ack[2], err = text_file("", 0);

	if (pipe2(ctl, O_NONBLOCK) || pipe2(ack, O_NONBLOCK))
		die("pipe: %s", strerror(errno));
	dup2(err, STDERR_FILENO);
	memset(part, 'a', sizeof(part));
	R.control.ctl = ctl[0];
	R.control.ack = ack[1];
	SAME(write(ctl[1], "bogus\n", 6), 6);
	for (int i = 0; i < 1000; i++) {
		SAME(write(ctl[1], part, sizeof(part)), sizeof(part));
		read_control();
	}
	CHECK(R.control.text.cap < 200000, "%zu bytes", R.control.text.cap);
	SAME(write(ctl[1], "\0bogus again\n", 13), 13);
	SAME(read_control(), true);
	/* 4096 bytes are not too long */
	SAME(write(ctl[1], part, 4096), 4096);
	SAME(write(ctl[1], "\n", 1), 1);
	SAME(read_control(), true);
	SAME(write(ctl[1], part, 4097), 4097);
	SAME(write(ctl[1], "\n", 1), 1);
	SAME(read_control(), true);
	unwritten = 3;		/* an answer that a signal interrupts is written again */
	SAME(answer_lines(NOTHING), NOTHING);
	SAME(unwritten, 0);
	R.control.ack = -1;
	SAME(read(ack[0], part, sizeof(part)), strlen(replies));
	CHECK(!memcmp(part, replies, strlen(replies)), "%.*s", (int)strlen(replies), part);
	CHECK(same_text(file_text(err),
			"turbostat: --control: 'bogus': expected: begin [NAME], end "
			"[NAME] [WORK], sample [NAME] or stop\n"
			"turbostat: --control: 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'...: "
			"the line is too long\n"), "%s", file_text(err));
}

/* The error is the step divided by the result.  Each counter is reported once, and per region. */
static void test_errors(void)
{
	static const struct { const char *of; double seconds; i64 step; const char *said; } t[] = {
		{ "", 0.05, 0, "" },
		{ "", 0.05, -1, "" },
		{ "", 0.101, 1000000, "" },
		{ "", 0, 1000000, "" },
		{ "", NaN, 1000000, "" },
		{ "", __builtin_inf(), 1000000, "" },
		{ "", 0.033, 1000000,
		  "turbostat: Pkg_J +-3 %: the counter moves once per 1.0 ms\n" },
		{ "", 0.033, 1000000, "" },
		{ "region 'x': ", 0.002, 15260000,
		  "turbostat: region 'x': Pkg_J +-763 %: the counter moves once per 15.3 ms\n" },
	};
	static struct column energy[] = {
		{ .name = "Pkg_J", .formula = V_AMOUNT, .a = CT_PKG_ENERGY },
		{ .name = "PkgWatt", .formula = V_PER_SECOND, .a = CT_PKG_ENERGY },
		{ .name = "CPU", .formula = V_ID, .a = NONE },
	};

	tables_init();
	P.shown = zeroed(ARRAY_SIZE(energy), sizeof(*P.shown));
	for (P.nshown = 0; P.nshown < (int)ARRAY_SIZE(energy); P.nshown++)
		P.shown[P.nshown] = &energy[P.nshown];
	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		int fd = text_file("", 0);

		T.counter[CT_PKG_ENERGY].step = t[i].step;
		dup2(fd, STDERR_FILENO);
		note_errors(t[i].of, t[i].seconds);
		CHECK(same_text(file_text(fd), t[i].said), "%s%g s: '%s'", t[i].of, t[i].seconds,
		      file_text(fd));
	}
}

/* Lines of --control, one after another: the reply and the effect of each. */
static void test_control_lines(void)
{
	static const char expected[] =
		"expected: begin [NAME], end [NAME] [WORK], sample [NAME] or stop";
	static const char bad_work[] = "the work is not a number: the region has ended without it";
	static const struct { const char *line, *why; enum news news; } t[] = {
		{ "begin a", NULL, NOTHING },
		{ "begin a", "the region is open already", NOTHING },
		{ "begin b 1", expected, NOTHING },
		{ "enable", NULL, NOTHING },
		{ "end b", "the region is not open", NOTHING },
		{ "end a 1x", bad_work, NOTHING },
		{ "begin a", NULL, NOTHING },
		{ "end a 1e999", bad_work, NOTHING },
		{ "begin a", NULL, NOTHING },
		{ "end a nan", bad_work, NOTHING },
		{ "begin a", NULL, NOTHING },
		{ "end a 1e300", NULL, NOTHING },
		{ "begin a", NULL, NOTHING },
		{ "end a -1e300", NULL, NOTHING },
		{ "begin a", NULL, NOTHING },
		{ "end a 2.5", NULL, NOTHING },
		{ "end a", "the region is not open", NOTHING },
		{ "begin a", NULL, NOTHING },
		{ "end a 1", NULL, NOTHING },
		{ "begin a", NULL, NOTHING },
		{ "end a", NULL, NOTHING },
		{ "disable", NULL, NOTHING },
		{ "begin a b c d", expected, NOTHING },
		{ "", expected, NOTHING },
		{ "start a", expected, NOTHING },
		{ "stop a", expected, NOTHING },
		{ "sample a b", expected, NOTHING },
		{ "sample", NULL, INTERVAL_OVER },
		{ "sample a", NULL, INTERVAL_OVER },
		{ "stop", NULL, ALL_OVER },
		{ "ping", NULL, NOTHING },
		{ "evlist -v", NULL, NOTHING },
	};
	char line[100];
	enum news news;

	rows_of_cpus(1);
	samples_grow();
	R.interval.new = &R.sample[0];
	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		const char *why;

		news = NOTHING;
		snprintf(line, sizeof(line), "%s", t[i].line);
		why = obey_line(line, &news);
		CHECK(why == t[i].why || (why && t[i].why && !strcmp(why, t[i].why)),
		      "%zu, '%s': %s", i, t[i].line, why ? why : "done");
		CHECK(news == t[i].news, "%zu, '%s': news %d", i, t[i].line, news);
	}
	SAME(R.control.n, 2);
	SAME(R.control.region[0].calls, 8);
	CHECK(R.control.region[0].work > 3.49 && R.control.region[0].work < 3.51, "its work");
	CHECK(R.control.region[0].has_work && !R.control.region[1].has_work, "who has worked");
	/* names have at most 64 bytes, not letters; the end of such a region is not open */
	for (int most = 64; most <= 66; most++) {
		char name[80] = "begin ";

		for (int i = 0; i < most; i++)
			name[6 + i] = "\xc3\xa4"[i % 2];
		CHECK(same_text(obey_line(name, &news),
				most > 64 ? "the name has more than 64 bytes" : NULL), "%d", most);
	}
	SAME(R.control.n, 3);
	/* of two lines that end the interval at once, the first one names it */
	free(R.control.label);
	news = NOTHING;
	CHECK(!obey_line(strcpy(line, "sample x"), &news), "the first");
	CHECK(!obey_line(strcpy(line, "sample y"), &news), "the second");
	CHECK(same_text(R.control.label, "x"), "named %s", R.control.label);
	/* the most of them */
	for (int i = R.control.n; i < 64; i++) {
		snprintf(line, sizeof(line), "begin r%d", i);
		CHECK(!obey_line(line, &news), "region %d", i);
	}
	CHECK(same_text(obey_line(strcpy(line, "begin z"), &news), "there are 64 regions already"),
	      "the 65th");
	CHECK(!obey_line(strcpy(line, "begin a"), &news), "one of the 64");
}

/* After a request to end, we wait only briefly for a reader that has stopped reading. */
static void test_patience(void)
{
	static char text[65536];
	struct pollfd out = { .events = POLLOUT };
	struct buf b = { 0 };
	int fds[2];

	if (pipe2(fds, O_NONBLOCK))
		die("pipe: %s", strerror(errno));
	while (write(fds[1], text, PIPE_BUF) > 0)
		;
	buf_reserve(&b, sizeof(text));
	SAME(read(fds[0], b.p, PIPE_BUF), PIPE_BUF);
	fcntl(fds[1], F_SETFL, 0);
	R.arrived = 1 << SIGTERM;
	still = 1;
	alarm(5);
	SAME(write_table(fds[1], text, sizeof(text)), -EINTR);
	/* what found room has been written */
	out.fd = fds[1];
	SAME(poll(&out, 1, 0), 0);
}

/* Keys from before a stop may be gone after it: a read would wait for more, deaf to signals. */
static void test_stopped(void)
{
	struct until u = { .phase = MEASURING };
	int fds[2];

	if (pipe(fds) || write(fds[1], " ", 1) != 1)
		die("pipe: %s", strerror(errno));
	dup2(fds[0], STDIN_FILENO);
	R.watch_stdin = true;
	sigaddset(&R.let_in, SIGTSTP);		/* the test itself is not to stop */
	sigprocmask(SIG_BLOCK, &R.let_in, NULL);
	R.arrived = 1 << SIGTSTP;
	sleep_for(&u, NEVER);
	CHECK(!u.input && !R.arrived, "input %d from before the stop", u.input);
	sleep_for(&u, NEVER);
	SAME(u.input, POLLIN);
}

/* Signals that arrive together are each handled, once. */
static void test_signals_together(void)
{
	R.arrived = 1 << SIGUSR1 | 1 << SIGTERM;
	CHECK(!take_signal(SIGINT), "none");
	CHECK(take_signal(SIGUSR1) && !take_signal(SIGUSR1), "the first one");
	CHECK(take_signal(SIGTERM) && !take_signal(SIGTERM), "the second one");
}

/* What is done at the end of an interval. */
static void test_steps(void)
{
	static const struct {
		enum news news;
		bool shared, course, pid, topic, facts;
		struct step want;	/* usage, beat, answers, sample, finish, print */
	} t[] = {
		/* intervals: a beat, a sample, a table */
		{ INTERVAL_OVER, false, true, false, false, false, { 0, 1, 0, 1, 0, 1 } },
		{ ALL_OVER, false, true, false, false, false, { 0, 1, 0, 1, 1, 1 } },
		/* a command as a whole */
		{ INTERVAL_OVER, false, false, false, false, false, { 0, 0, 0, 1, 0, 0 } },
		{ ALL_OVER, false, false, false, false, false, { 0, 0, 0, 1, 1, 0 } },
		{ ALL_OVER, false, false, true, false, false, { 1, 0, 0, 1, 1, 0 } },
		/* lines: a sample was taken; only `sample` prints an interval of a command */
		{ INTERVAL_OVER, true, false, false, false, false, { 0, 0, 0, 0, 0, 1 } },
		{ ALL_OVER, true, false, false, false, false, { 0, 0, 0, 0, 1, 0 } },
		{ ALL_OVER, true, true, false, false, false, { 0, 1, 0, 0, 1, 1 } },
		/* answers: read before the first sample of an interval, or of the whole command */
		{ INTERVAL_OVER, false, true, false, true, true, { 0, 1, 1, 1, 0, 1 } },
		{ INTERVAL_OVER, false, false, false, false, true, { 0, 0, 0, 1, 0, 0 } },
		{ ALL_OVER, false, false, false, false, true, { 0, 0, 1, 1, 1, 0 } },
		{ ALL_OVER, true, false, false, true, true, { 0, 0, 0, 0, 1, 0 } },
	};
	struct options was = O;

	R.measured = false;
	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		struct step s;

		O.pid = t[i].pid;
		O.topic = t[i].topic ? CLOCK : NO_TOPIC;
		R.nasked = t[i].facts;
		s = decide_step(t[i].news, t[i].shared, t[i].course);
		CHECK(!memcmp(&s, &t[i].want, sizeof(s)), "case %zu: %d %d %d %d %d %d", i, s.usage,
		      s.beat, s.answers, s.sample, s.finish, s.print);
	}
	R.nasked = 1;
	R.measured = true;
	O.topic = CLOCK;
	CHECK(decide_step(INTERVAL_OVER, false, true).answers, "the second interval is answered");
	O.topic = NO_TOPIC;
	CHECK(!decide_step(INTERVAL_OVER, false, true).answers, "but not only recorded");
	R.measured = false;
	R.nasked = 0;
	O = was;
}

static const struct test run_tests[] = {
	{ "next-deadline", test_next_deadline },
	{ "ticks", test_ticks },
	{ "finish", test_finish },
	{ "unread", test_unread },
	{ "unread-once", test_unread_once },
	{ "interactive", test_interactive },
	{ "input", test_input },
	{ "typed", test_typed },
	{ "control-text", test_control_text },
	{ "control-long-line", test_control_long_line },
	{ "errors", test_errors },
	{ "control-lines", test_control_lines },
	{ "patience", test_patience },
	{ "stopped", test_stopped },
	{ "signals-together", test_signals_together },
	{ "steps", test_steps },
	{ 0 }
};
