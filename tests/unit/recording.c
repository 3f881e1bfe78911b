/* recording.c - RECORDING: what is read of a recording, and what it answers */

/* Lines of a recording after the static part and within the plan. */
#define PLAN "done\nplan\n"
#define SAMPLE(n) "sample " n " 1.000000000 1.000000000\n"

/* Goes on to what a measurement waits for. */
static enum kind next_part(void)
{
	enum kind kind;

	while ((kind = replay_next()) == K_NOTHING || kind == K_BEGIN || kind == K_PLAN)
		if (kind == K_NOTHING)
			replay_read();
	return kind;
}

/* The value of an MSR, or minus its error. */
static i64 msr_or_error(int cpu, u32 addr)
{
	u64 v;
	int err = src_msr(cpu, addr, &v);

	return err ? err : (i64)v;
}

/* Replays a recording to its end. */
static void replay_all(const void *text)
{
	replay_text_of(text);
	while (next_part() != K_END)
		;
}

/* Lines that are wrong, alone or in their places; the number of the line counts. */
static void test_malformed_recording(void)
{
	static const char first[] = "not a recording: the first line must be 'turbostat-recording "
				    "3'";
	static const char old[] = "a recording of version %s; convert it to version 3 with "
				  "tests/convert.sh OLD > NEW from the source of turbostat";
	static const struct { const char *text; int line; const char *message; } t[] = {
		{ "", 1, "the recording is empty" },
		{ "\n", 1, first },
		{ MAGIC "0\n", 1, first },
		{ MAGIC "03\n", 1, first },
		{ MAGIC "\n", 1, first },
		{ MAGIC "3 \n", 1, first },
		{ "turbostat-recording\n", 1, first },
		{ MAGIC "99999999999\n", 1, first },
		{ MAGIC "4\n", 1, "this recording was made by a newer version of the program" },
		{ MAGIC "3\nmsr 0 1 2\n", 2, "this line is in no part" },
		{ MAGIC "3\ndone\n", 2, "this line is in no part" },
		{ MAGIC "3\nplan\n", 2, ORDER },
		{ FIRST_LINE "done\nstatic\n", 4,
		  ORDER },
		{ FIRST_LINE "plan\n", 3, "the part before this line has no 'done'" },
		{ FIRST_LINE "end\n", 3, "the part before this line has no 'done'" },
		{ FIRST_LINE "done\n" SAMPLE("0"), 4, ORDER },
		{ FIRST_LINE "done\nmark a\n", 4, ORDER },
		{ FIRST_LINE "done\nrun 1 0\n", 4, ORDER },
		{ FIRST_LINE PLAN "done\ntick\n", 6, ORDER },
		{ FIRST_LINE PLAN "done\n" SAMPLE("1"), 6,
		  "samples are not numbered 0, 1, 2, ..." },
		{ FIRST_LINE PLAN "done\n" SAMPLE("0") "done\n\n#\n" SAMPLE("0"), 10,
		  "samples are not numbered 0, 1, 2, ..." },
		{ FIRST_LINE PLAN "done\nrun 2 0\n", 6,
		  "runs are not numbered 1, 2, 3, ..." },
		{ FIRST_LINE PLAN "done\nrun 1 256\n", 6, "bad exit status" },
		{ FIRST_LINE PLAN "done\nrun x 0\n", 6, "bad number of a run" },
		{ FIRST_LINE PLAN "done\nrun 1 0 1.000000\n", 6, "a time is missing" },
		{ FIRST_LINE PLAN "done\nrun 1 0 1.000000000 1.000000 1\n", 6,
		  "bad time, expected SECONDS.MICROSECONDS" },
		{ FIRST_LINE PLAN "done\nrun 1 0 1.000000 1.000000 -1\n", 6, "bad size" },
		{ FIRST_LINE PLAN "done\nrun 1 0 1.000000 1.000000 1 2\n", 6,
		  "something follows the record" },
		{ FIRST_LINE PLAN "done\nrun 1 0 1.000000 1.000000 1 parts\n", 6,
		  "something follows the record" },
		{ FIRST_LINE PLAN "done\nrun 1 0 1.000000 1.000000 1 part 2\n", 6,
		  "something follows the record" },
		{ FIRST_LINE PLAN "done\nsample 0 1.000000000\n", 6, "a time is missing" },
		{ FIRST_LINE PLAN "done\nsample 0 1.0 1.0\n", 6,
		  "bad time, expected SECONDS.NANOSECONDS" },
		{ FIRST_LINE PLAN "done\nsample 4294967296 1.0 1.0\n", 6, "bad sample number" },
		{ FIRST_LINE " \n", 3, "expected a keyword" },
		{ FIRST_LINE "bogus 1\n", 3, "unknown keyword 'bogus'" },
		{ FIRST_LINE "MSR 0 1 2\n", 3, "unknown keyword 'MSR'" },
		{ FIRST_LINE "aaaaaaaaaabbbbbbbbbbccccccccccddddddddddeeeeeeeeee\n", 3,
		  "unknown keyword 'aaaaaaaaaabbbbbbbbbbccccccccccdddddddddd'" },
		{ FIRST_LINE "msr 0\n", 3, "the question is not complete" },
		{ FIRST_LINE "msr  1 2\n", 3, "the question is not complete" },
		{ FIRST_LINE "msr 0 10\n", 3, "the answer is missing" },
		{ FIRST_LINE "msr 0 10 \n", 3, "the question is not complete" },
		{ FIRST_LINE "repeat\n", 3, "the answer is missing" },
		{ FIRST_LINE "file /a\n", 3, "the answer is missing" },
		{ FIRST_LINE "file /a x\n", 3, "expected a quoted text" },
		{ FIRST_LINE "file /a  \"\"\n", 3, "expected a quoted text" },
		{ FIRST_LINE "file /a \"\n", 3, "the text has no closing quote" },
		{ FIRST_LINE "file /a \"b\\\n", 3, "bad escape in a text" },
		{ FIRST_LINE "file /a \"\\q\"\n", 3, "bad escape in a text" },
		{ FIRST_LINE "file /a \"\\x4\"\n", 3, "bad escape in a text" },
		{ FIRST_LINE "file /a \"\\xgg\"\n", 3, "bad escape in a text" },
		{ FIRST_LINE "file /a \"b\"c\n", 3, "something follows the text" },
		{ FIRST_LINE "command a\n", 3, "expected a quoted text" },
		{ FIRST_LINE "done 1\n", 3, "something follows the record" },
		{ FIRST_LINE PLAN "done\nend of\n", 6, "something follows the record" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		char *message = textf("REC:%d: %s", t[i].line, t[i].message);

		dies(t[i].text, replay_all, t[i].text, message);
		free(message);
	}
	for (const char *version = "1\0002\0"; *version; version += 2) {
		char *text = textf(MAGIC "%s\nmsr 0 1 2\nend\n", version);
		char *why = textf(old, version), *message = textf("REC:1: %s", why);

		dies(text, replay_all, text, message);
		free(text);
		free(why);
		free(message);
	}
	dies("gzip", replay_all, "\x1f\x8b\b\n",
	     "REC: this is gzip: zcat FILE | turbostat --replay -");
}

/* Asks for everything that the recording of this test holds. */
static void ask_all(const void *text)
{
	static const struct event event = { "msr", 9, { 1 } };
	struct perf_value p;
	struct buf b = { 0 };
	struct names l;
	u32 r[4];
	u64 v;

	replay_all(text);
	src_msr(0, 0x10, &v);
	src_tsc(0, &v);
	src_cpuid(0, 1, 0, r);
	src_word(-1, "/p", 8, &v);
	src_perf_open(0, &event, -1);
	src_text(-1, "/a", &b);
	src_cpu_clock(0, NULL, true);
	replay_perf(0, &event, 0, false, &p);
	src_dir("/d", &l);
	exit(0);
}

/* A malformed answer is reported when the program needs it, with the line of the newest one. */
static void test_malformed_answers(void)
{
	static const struct { const char *line, *message; } t[] = {
		{ "msr 0 10 xyz", "bad value" }, { "msr 0 10 10000000000000000", "bad value" },
		{ "msr 0 10 1 2", "something follows the record" },
		{ "msr 0 10 !EBOGUS", "unknown error name" },
		{ "msr 0 10 !EIO x", "unknown error name" },
		{ "tsc 0 18446744073709551616", "bad value" }, { "tsc 0 ff", "bad value" },
		{ "cpuid 0 1 0 1 2 3", "bad CPUID value" },
		{ "cpuid * 1 0 1 2 3 100000000", "bad CPUID value" },
		{ "cpuid 0 1 0 1 2 3 4 5", "something follows the record" },
		{ "word /p 8 g", "bad value" },
		{ "perf 0 msr 1 -6", "bad perf value" }, { "perf 0 msr 1 6 7", "bad perf time" },
		{ "perf 0 msr 1 6 7 8 9", "something follows the record" },
		{ "clock 0 1.000000000", "a time is missing" },
		{ "clock 0 1.000000000 1.5", "bad time, expected SECONDS.NANOSECONDS" },
		{ "file /a \"b\" \"c\"", "something follows the text" },
		{ "dir /d !", "unknown error name" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		char *text = textf(FIRST_LINE PLAN "msr 0 10 1\ndone\n" SAMPLE("0")
				   "%s\ndone\nend\n", t[i].line);
		char *message = textf("REC:8: %s", t[i].message);

		dies(t[i].line, ask_all, text, message);
		free(message);
		free(text);
	}
	CHECK(in_child(ask_all, FIRST_LINE PLAN "done\nend\n").status == 0, "nothing is recorded");
}

/* Replays a recording and ends well if it has as many samples as stands before the text. */
static void count_samples(const void *text)
{
	int want = *(const char *)text - '0', n = 0;

	replay_text_of((const char *)text + 1);
	for (enum kind kind; (kind = next_part()) != K_END;)
		n += kind == K_SAMPLE;
	_exit(n == want ? 0 : 64 + n);
}

/* Of a recording that was cut off, the complete samples are used, with one note. */
static void test_unclosed_recording(void)
{
#define HEAD FIRST_LINE PLAN "done\n"
	static const char *const t[] = {
		"0" FIRST_LINE, "0" FIRST_LINE "msr 0 1", "0" MAGIC "3", "0" HEAD "en",
		"0" HEAD SAMPLE("0"), "0" HEAD SAMPLE("0") "tsc 0 1\ntsc 1",
		"1" HEAD SAMPLE("0") "tsc 0 1\ndone\n" SAMPLE("1") "tsc 0 2\n",
		"1" HEAD SAMPLE("0") "done\n" SAMPLE("1") "tsc 0 2\nbog",
		"1" HEAD SAMPLE("0") "done\n" SAMPLE("1") "done",
		"2" HEAD SAMPLE("0") "done\n" SAMPLE("1") "done\ntick\n",
		"1" HEAD SAMPLE("0") "done\nrun 1 0 0.000000 0.000000 0\n",
		"1" HEAD SAMPLE("0") "done\nmark\nplan\n",
	};

	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		struct outcome o = in_child(count_samples, t[i]);

		CHECK(!o.status, "case %zu: %d samples, not %c: %s", i, o.status - 64, t[i][0],
		      o.err);
		CHECK(!strcmp(o.err, strstr(t[i], "sample 0") ?
			      "turbostat: REC: the recording was not closed; its complete samples "
			      "are used\n" : ""),
		      "case %zu: said '%s'", i, o.err);
	}
	CHECK(in_child(count_samples, "1" HEAD SAMPLE("0") "tsc 0 1\ndone\nend").status == 0,
	      "an end without a newline");
}

/* A recording that comes byte by byte is what it is as a whole; lines may end in "\r\n". */
static void test_stream(void)
{
	static const char text[] = HEAD SAMPLE("0") "\r\nmsr 0 10 7\r\n# remark\r\ndone\r\nend\r\n";
	const char *plan = strstr(text, "sample");
	int pipes[2];

	if (pipe(pipes) || write_all(pipes[1], text, (size_t)(plan - text)))
		die("pipe: %s", strerror(errno));
	replay_open(pipes[0], "REC");
	for (const char *s = plan; *s; s++) {
		enum kind kind = replay_next();
		bool begins = s > plan && s[-1] == '\n' && s[-2] == '0' && s - plan < 50;
		bool done = s > plan && !strncmp(s - 1, "\nend", 4);

		CHECK(kind == (begins ? K_BEGIN : done ? K_SAMPLE : K_NOTHING), "byte %zu: %d",
		      (size_t)(s - plan), kind);
		if (kind == K_SAMPLE)
			SAME(msr_or_error(0, 0x10), 7);
		if (kind != K_NOTHING)
			SAME(replay_next(), K_NOTHING);
		if (write_all(pipes[1], s, 1))
			die("pipe: %s", strerror(errno));
		replay_read();
	}
	SAME(replay_next(), K_END);
	SAME(replay_next(), K_END);
	close(pipes[1]);
}

/* The lines of commands, regions and runs are read as they are written. */
static void test_runs_and_marks(void)
{
	char *command[] = { (char *)"sh", (char *)"-c", (char *)"echo \"\n\x01", (char *)"", NULL };
	struct command_run run = { 1, 130, 12 * NS_PER_S + 345678000, 999999000, 1234567 };
	int err, fd = text_file("", 0);
	struct sample_times t;
	struct buf b = { 0 };
	struct names words;

	record_open(fd, "REC", command, true, 3, 0);
	record_part(MAGIC "3\nstatic\n");
	src_keep("/dev/null", OF_KERNEL);
	src_begin(&t, false);
	src_stop(&t);
	src_end(&t, false);
	record_mark("begin a b");
	src_begin(&t, true);
	src_stop(&t);
	src_end(&t, true);
	record_mark("");
	record_mark("end\ta\x1f ~\nmore");
	src_begin(&t, false);
	src_stop(&t);
	src_end(&t, false);
	record_run(&run);
	record_run(&(struct command_run){ .status = 1 });
	fd = dup(fd);
	record_close();
	S.replays = false;
	replay_text_of(file_text(fd));
	CHECK(src_recorded("control") && src_recorded("repeat") && src_recorded("command") &&
	      !src_recorded("nothing"), "what is recorded");
	words = replay_words("command", &err);
	SAME(words.n, 4);
	for (int i = 0; i < 4; i++)
		CHECK(same_text(words.name[i], command[i]), "word %d: %s", i, words.name[i]);
	CHECK(!words.name[4], "a word too many: %s", words.name[4]);
	SAME(next_part(), K_SAMPLE);
	SAME(next_part(), K_MARK);
	buf_printf(&b, "%.*s\n", (int)(S.r.mark.end - S.r.mark.p), S.r.mark.p);
	SAME(next_part(), K_TICK);
	SAME(next_part(), K_MARK);
	buf_printf(&b, "%.*s\n", (int)(S.r.mark.end - S.r.mark.p), S.r.mark.p);
	SAME(next_part(), K_MARK);
	buf_printf(&b, "%.*s\n", (int)(S.r.mark.end - S.r.mark.p), S.r.mark.p);
	CHECK(same_text(b.p, "begin a b\n\nend\x7f" "a\x7f ~\n"), "marks: %s", b.p);
	SAME(next_part(), K_SAMPLE);
	SAME(next_part(), K_RUN);
	SAME(S.r.run.number, 1);
	SAME(S.r.run.status, 130);
	SAME(S.r.run.user, run.user);
	SAME(S.r.run.sys, run.sys);
	SAME(S.r.run.maxrss, run.maxrss);
	SAME(next_part(), K_RUN);	/* that could not be measured */
	SAME(S.r.run.status, 1);
	SAME(next_part(), K_END);
	/* a run whose status alone is known has no number */
	replay_text_of(HEAD "run 1 7\nend\n");
	SAME(next_part(), K_RUN);
	SAME(S.r.run.number, 0);
	SAME(S.r.run.status, 7);
}

/* A later part answers first; what it does not say, an earlier one does. */
static void test_replay(void)
{
	struct event e = { "msr", 9, { 1 } };
	struct perf_value p;
	struct buf b = { 0 };
	u32 r[4];
	u64 v;
	int fd;

	replay_text_of(FIRST_LINE "cpuid * 1 0 a b c d\ncpuid 1 1 0 1 2 3 4\nmsr 0 10 1\n"
		       "msr 1 10 !EIO\nmsr 0 * ok\n" PLAN "msr 0 10 2\nfile /a \"x\\n\\x41\"\n"
		       "file /a \"y\\n\"\nperf 0 msr 1 0\ndone\n" SAMPLE("0") "msr 0 10 3\n"
		       "msr 0 11 5\ntsc 0 100\nperf 0 msr 1 7 8 9\nperf 0 msr 1,0,2 8\n"
		       "cpu 3 !EINVAL\ndone\n" SAMPLE("1") "msr 0 10 !EACCES\ncpu 0 !ENXIO\n"
		       "file /a !EACCES\nword /p/telem 8 !ENODEV\ndone\n" SAMPLE("2")
		       "cpu 0 ok\nword /p/telem 8 ff\ndone\nend\n");
	SAME(msr_or_error(0, 0x10), 2);		/* of two records the later */
	SAME(msr_or_error(0, 0x11), -EIO);	/* nothing that comes later is known */
	SAME(msr_or_error(1, 0x10), -EIO);
	SAME(msr_or_error(5, 0x10), -ENOENT);	/* whose device was not opened */
	src_cpuid(0, 1, 0, r);
	CHECK(r[0] == 0xa && r[3] == 0xd, "CPUID of any CPU");
	src_cpuid(1, 1, 0, r);
	CHECK(r[0] == 1 && r[3] == 4, "CPUID of this CPU");
	src_cpuid(1, 2, 0, r);
	CHECK(!r[0] && !r[3], "CPUID that is not there");
	SAME(src_text(-1, "/a", &b), 0);
	CHECK(same_text(b.p, "y\n"), "a file");
	SAME(src_text(-1, "/b", &b), -ENOENT);
	SAME(src_keep("/b", OF_KERNEL), -ENOENT);
	SAME(src_keep("/a", OF_KERNEL), 0);
	fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
	src_close(fd);	/* what keep gives here is no descriptor, and none is closed */
	CHECK(fcntl(fd, F_GETFD) >= 0, "a descriptor was closed");
	CHECK(same_text(src_line("/a"), "y"), "a line");
	SAME(src_number("/a", &v), -EINVAL);
	SAME(src_perf_open(0, &e, -1), 0);
	SAME(src_go(3), 0);

	/* sample 0 */
	SAME(next_part(), K_SAMPLE);
	SAME(src_go(3), -EINVAL);
	SAME(msr_or_error(0, 0x10), 3);
	SAME(src_tsc(0, &v), 0);
	SAME(v, 100);
	SAME(src_tsc(1, &v), -EIO);
	SAME(replay_perf(0, &e, 0, false, &p), 0);
	CHECK(p.count == 7 && p.enabled == 8 && p.running == 9, "an event");
	e.config[2] = 2;
	SAME(replay_perf(0, &e, 0, false, &p), 0);
	CHECK(p.count == 8 && !p.enabled, "an event of three words");
	e.config[0] = 2;
	SAME(replay_perf(0, &e, 0, false, &p), -ENOENT);
	e = (struct event){ "hw", 0, { 0 } };
	CHECK(same_text(perf_question(3, &e), "perf 3 hw 0"), "%s", perf_question(3, &e));
	e.config[0] = 0x30;
	CHECK(same_text(perf_question(3, &e), "perf 3 hw 30"), "%s", perf_question(3, &e));
	e.config[3] = 0x10;
	CHECK(same_text(perf_question(3, &e), "perf 3 hw 30,0,0,10"), "%s", perf_question(3, &e));
	/* a CPU that is gone */
	SAME(next_part(), K_SAMPLE);
	SAME(msr_or_error(0, 0x11), -ENXIO);
	SAME(msr_or_error(0, 0x10), -EACCES);	/* another CPU read it */
	SAME(src_go(0), -ENXIO);
	SAME(src_tsc(0, &v), -ENXIO);
	src_cpuid(0, 1, 0, r);
	CHECK(!r[0], "CPUID of a CPU that is gone");
	SAME(src_text(-1, "/a", &b), -EACCES);
	SAME(src_keep("/p/telem", REGION), 0);
	SAME(src_word(0, "/p/telem", 8, &v), -ENODEV);
	/* one that is back */
	SAME(next_part(), K_SAMPLE);
	SAME(msr_or_error(0, 0x10), -EACCES);
	SAME(msr_or_error(0, 0x11), 5);
	SAME(src_go(0), 0);
	SAME(src_word(0, "/p/telem", 8, &v), 0);
	SAME(v, 0xff);
	SAME(src_word(0, "/p/telem2", 8, &v), -ENOENT);
	SAME(next_part(), K_END);
}

/*
 * An event whose enabled time does not grow, or has only begun, was opened anew.  One that was read
 * late counts, as the live program read it a second time.
 */
static void test_reopened(void)
{
	static const struct { const char *times; u64 was, least; int err; } t[] = {
		{ " 50000000 50000000", 40000000, 50000000, 0 },
		{ " 50000000 50000000", 40000000, 90000000, 0 },	/* late */
		{ " 50000000 50000000", 49999999, 90000000, 0 },
		{ " 50000000 50000000", 50000000, 90000000, -ENODEV },
		{ " 50000000 50000000", 60000000, 90000000, -ENODEV },
		{ " 50000000 50000000", 60000000, 0, 0 },
		/* opened by this very sample, as by the one before */
		{ " 6000 6000", 5000, 50000000, -ENODEV },
		{ " 999999 999999", 5000, 50000000, -ENODEV },
		{ " 1000000 1000000", 5000, 50000000, 0 },
		{ " 6000 6000", 0, 0, 0 },
		{ "", 40000000, 90000000, 0 },		/* the time is not recorded */
		{ " 0 0", 40000000, 90000000, 0 },
	};
	struct event e = { "msr", 9, { 1 } };
	const struct event *events[] = { &e };

	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		char *text SCOPED(ptr) =
			textf(FIRST_LINE "perf 0 msr 1 7%s\n" PLAN "done\nend\n", t[i].times);
		struct perf_value p;
		int err;

		replay_text_of(text);
		src_perf_read(0, 0, 1, events, t[i].was, t[i].least, &p, &err);
		CHECK(err == t[i].err, "%zu: %d", i, err);
	}
}

/* The driver of the registers is there if a device was opened, of this CPU or of any. */
static void test_replayed_driver(void)
{
	replay_text_of(FIRST_LINE "msr 0 10 !EIO\n" PLAN "done\nend\n");
	SAME(src_find_msr(0, false), -ENOENT);
	replay_text_of(FIRST_LINE "msr * * ok\nmsr 0 * !EACCES\n" PLAN "done\nend\n");
	SAME(src_find_msr(0, false), -EACCES);
	SAME(src_find_msr(1, false), 0);
	SAME(msr_or_error(0, 0x10), -EACCES);
	SAME(msr_or_error(1, 0x10), -EIO);
}

/* Lays out this many CPUs five times. */
static void lay_out_often(const void *cpus)
{
	replay_all(FIRST_LINE PLAN "done\nend\n");
	for (int i = 0; i < 5; i++)
		src_lay_out(*(const int *)cpus);
	_exit(0);
}

/* A recording whose CPUs come and go more often than those of a machine is not replayed on. */
static void test_layouts(void)
{
	static const int few = 100000, many = 110000;
	struct outcome o = in_child(lay_out_often, &few);

	CHECK(!o.status, "few: %s", o.err);
	dies("many", lay_out_often, &many,
	     "REC:6: CPUs come and go too often for 48 bytes of a recording");
}

/* A directory has the names that its record lists, and those of the paths that came since. */
static void test_replay_dir(void)
{
	static const struct { const char *path, *plan, *sample; } t[] = {
		{ "/d", "a b c", "a b c n" }, { "/d/a", "x y", "x y" },
		{ "/d/b", "error -2", "error -2" }, { "/e", "", "1" },
		{ "/e/", "error -2", "error -2" }, { "/nothing", "error -2", "error -2" },
		{ "/only", "refused", "refused" }, { "/gone", "error -2", "x" },
		{ "/n", "error -2", "1" }, { "/said", "p q", "q r s" }, { "/no", "error -13", "1" },
		{ "", "d only", "d n only" },
	};

	replay_text_of(FIRST_LINE "file /d/b \"\"\nfile /d/a/y \"\"\nfile /d/a/x \"\"\n"
		       "file /d/c/1 \"\"\ndir /e\nfile /only/refused !EACCES\n"
		       "file /gone/x !ENOENT\ndir /said \"q\" \"p\"\ndir /no !EACCES\n"
		       PLAN "done\n"
		       SAMPLE("0") "file /d/n \"\"\nfile /e/1 \"\"\n"
		       "file /gone/x \"\"\nfile /n/1 \"\"\n"
		       "file /d/b !EIO\nfile /no/1 \"\"\ndir /said \"s\" \"q\"\nfile /said/r \"\"\n"
		       "file /said/s \"\"\ndone\nend\n");
	for (int sample = 0; sample < 2; sample++) {
		for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
			char *got = dir_text(t[i].path);
			const char *want = sample ? t[i].sample : t[i].plan;

			CHECK(!strcmp(got, want) || !*t[i].path, "%s: '%s', not '%s'", t[i].path,
			      got, want);
			free(got);
		}
		next_part();
	}
}

/* Questions that are prefixes of each other stay distinct, in any number. */
static void test_like_paths(void)
{
	struct buf b = { 0 };
	char path[64] = "/";
	u64 v;

	buf_puts(&b, FIRST_LINE);
	for (size_t i = 1; i < sizeof(path) - 1; i++) {
		path[i] = 'a';
		buf_printf(&b, "file %s \"%zu\"\n", path, i);
	}
	for (int i = 0; i < 100000; i++)
		buf_printf(&b, "msr %d %x %x\n", i % 7, i, i);
	buf_puts(&b, PLAN "done\nend\n");
	replay_text_of(b.p);
	for (size_t i = sizeof(path) - 2; i; path[i--] = '\0') {
		SAME(src_number(path, &v), 0);
		SAME(v, i);
	}
	for (u32 i = 0; i < 100000; i += 1000)
		SAME(msr_or_error((int)i % 7, i), (i64)i);
}

static const struct test recording_tests[] = {
	{ "malformed-recording", test_malformed_recording },
	{ "malformed-answers", test_malformed_answers },
	{ "unclosed-recording", test_unclosed_recording },
	{ "stream", test_stream },
	{ "runs-and-marks", test_runs_and_marks },
	{ "replay", test_replay },
	{ "reopened", test_reopened },
	{ "replayed-driver", test_replayed_driver },
	{ "layouts", test_layouts },
	{ "replay-dir", test_replay_dir },
	{ "like-paths", test_like_paths },
	{ 0 }
};
