// SPDX-License-Identifier: GPL-2.0-only
/* SOURCES: the recorder, and the door to the outside */

/* quoted_field() reads the text that record_quoted() writes. */
static void test_quotes(void)
{
	char all[256];
	struct buf line = { 0 }, back = { 0 };

	for (int i = 0; i < 256; i++)
		all[i] = (char)i;
	record_quoted(all, sizeof(all));
	buf_add(&line, S.record.p, S.record.len);
	quoted_field(&(struct cursor){ line.p + 1, line.p + line.len, 1 }, &back);
	CHECK(back.len == 257 && !memcmp(back.p, all, 256), "256 bytes became %zu", back.len - 1);
	/* a newline or a NUL within the line */
	SAME(strchr(line.p, '\n'), 0);
	SAME(strlen(line.p), line.len);
	for (size_t i = 0; i < line.len; i++)
		CHECK((u8)line.p[i] >= 32 && (u8)line.p[i] < 127, "byte %d in the line",
		      (u8)line.p[i]);
}

/*
 * A failure during a sample, also during the first one, is recorded: otherwise a replay would
 * use the previous value.
 */
static void test_record_failures(void)
{
	static const struct event event = { "msr", 9, { 1, 0, 2 } };
	int dir = open("/proc/self", O_RDONLY | O_CLOEXEC);
	struct sample_times t;
	struct buf b = { 0 };
	struct names l;
	char *want;
	u64 v;

	record_open(text_file("", 0), "REC", NULL, false, 0, 0);
	buf_clear(&S.record);
	src_keep("/no/such/file", OF_KERNEL);
	src_text(-1, "/no/such/file", &b);
	src_dir("/no/such/file", &l);
	CHECK(!S.record.len, "before the first sample: %s", S.record.p);
	/* for an existing file, directory or device, the error is recorded, too */
	src_text(-1, "/proc/self", &b);
	src_keep("/dev/null/x", OF_KERNEL);
	src_keep("/dev/null/y", OF_USER);
	src_dir("/dev/null", &l);
	msr_device = "/dev/null/x";
	src_find_msr(5, false);
	CHECK(same_text(S.record.p, "file /proc/self !EISDIR\nfile /dev/null/x !ENOTDIR\n"
				    "file /dev/null/y !ENOTDIR\ndir /dev/null !ENOTDIR\n"
				    "msr 5 * !ENOTDIR\n"),
	      "before the first sample: %s", S.record.p);
	/* a device that was opened; a file that can be opened, though not read, can be kept */
	buf_clear(&S.record);
	msr_device = "/dev/null";
	src_find_msr(1, false);
	src_keep("/proc/self", OF_KERNEL);
	want = textf("msr 1 * ok\nfile /proc/self !EISDIR\nfile /proc/self \"\"\n");
	CHECK(same_text(S.record.p, want), "opened: %s, not %s", S.record.p, want);
	msr_device = "/no/such/device";
	buf_clear(&S.record);
	src_begin(&t, false);
	src_keep("/no/such/file", OF_KERNEL);
	immovable = 8;
	src_go(3);
	src_msr(0, 0x10, &v);
	CHECK(same_text(S.record.p, "file /no/such/file !ENOENT\n"
				    "cpu 3 !EINVAL\nmsr 0 10 !ENOENT\n"),
	      "recorded: %s", S.record.p);
	buf_clear(&S.record);
	/* it comes while the part is made, whose first answer counts */
	immovable = 0;
	SAME(src_go(3), 0);
	CHECK(!S.record.len, "a second answer: %s", S.record.p);
	record_plan();
	immovable = 8;
	S.cpu = -1;
	src_go(3);		/* it is still away */
	CHECK(same_text(S.record.p, "cpu 3 !EINVAL\n"), "refused again: %s", S.record.p);
	buf_clear(&S.record);
	src_text(dir, "/proc/self", &b);
	src_text(-1, "/proc/self", &b);
	CHECK(same_text(S.record.p, "file /proc/self !EISDIR\nfile /proc/self !EISDIR\n"),
	      "files: %s", S.record.p);
	buf_clear(&S.record);
	src_word(dir, "/proc/self", 8, &v);
	src_word(-EMFILE, "/proc/self", 8, &v);
	CHECK(same_text(S.record.p, "word /proc/self 8 !EISDIR\nword /proc/self 8 !EISDIR\n"),
	      "words: %s", S.record.p);
	buf_clear(&S.record);
	src_stop(&t);
	src_end(&t, true);
	src_text(dir, "/proc/self", &b);
	immovable = 24;
	src_go(4);
	CHECK(same_text(S.record.p, "file /proc/self !EISDIR\ncpu 4 !EINVAL\n"),
	      "after the collection: %s", S.record.p);
	buf_clear(&S.record);
	record_plan();		/* which is empty */
	immovable = 8;
	src_go(4);
	src_go(4);
	immovable = 24;		/* and it goes again in the same part */
	S.cpu = -1;
	SAME(src_go(4), -EINVAL);
	CHECK(same_text(S.record.p, "cpu 4 ok\n"), "it is back: %s", S.record.p);
	buf_clear(&S.record);
	S.stays = true;
	SAME(src_go(3), 0);
	CHECK(!S.record.len, "where nobody moves: %s", S.record.p);
	buf_clear(&S.record);
	deaf = true;
	S.most_descriptors = 1;	/* a file that cannot be kept open can be read */
	SAME(src_keep("/dev/null", OF_KERNEL), -EMFILE);
	CHECK(same_text(S.record.p, "file /dev/null \"\"\n"), "too few: %s", S.record.p);
	buf_clear(&S.record);
	grants_events = true;	/* an event cannot be read then */
	SAME(src_perf_open(3, &event, -1), -EMFILE);
	CHECK(same_text(S.record.p, "perf 3 msr 1,0,2 !EMFILE\n"), "an event: %s", S.record.p);
}

/* The times of a sample, and of the CPUs in it: each in its place. */
static void test_record_times(void)
{
	struct sample_times t = { 0 }, again = { 0 };
	struct times begin, cpu;
	char *text;
	int fd = text_file("", 0);

	record_open(fd, "REC", NULL, false, 0, 0);
	record_part(MAGIC "3\nstatic\n");
	fd = dup(fd);
	src_text(-1, "/dev/null", &(struct buf){ 0 });	/* the plan */
	still = 100 * NS_PER_S;
	src_begin(&t, false);
	still += 1;
	begin = src_cpu_clock(2, NULL, true);
	still += 20;
	src_cpu_clock(2, &begin, true);
	still += 300;
	src_stop(&t);
	src_end(&t, false);
	src_text(-1, "/dev/null", &(struct buf){ 0 });	/* belongs to the next part */
	src_begin(&again, false);
	src_stop(&again);
	src_end(&again, false);
	record_close();
	text = file_text(fd);
	CHECK(strstr(text, "\nsample 0 1700000100.000000321 100.000000321 100.000000000 "
			   "107.000000321\nclock 2 1700000100.000000001 1700000100.000000021 "
			   "100.000000001 100.000000021\ndone\n"
			   "plan\nfile /dev/null \"\"\ndone\n"
			   "sample 1 1700000100.000000321 100.000000321 100.000000321 "
			   "107.000000321\ndone\nend\n"), "recorded: %s", text);
	replay_text_of(text);
	SAME(next_part(), K_SAMPLE);
	src_begin(&again, false);
	src_stop(&again);
	src_end(&again, false);
	CHECK(!memcmp(&t, &again, sizeof(t)), "the clocks of the sample");
	cpu = src_cpu_clock(2, NULL, true);
	SAME(cpu.real, (REAL_AHEAD + 100) * NS_PER_S + 1);
	SAME(cpu.mono, 100 * NS_PER_S + 1);
	cpu = src_cpu_clock(2, &begin, true);
	SAME(cpu.real, (REAL_AHEAD + 100) * NS_PER_S + 21);
	SAME(cpu.mono, 100 * NS_PER_S + 21);
	cpu = src_cpu_clock(1, NULL, true);	/* of it none is recorded: the end of the sample */
	SAME(cpu.real, t.end.real);
	SAME(cpu.mono, t.end.mono);
	replay_text_of(HEAD "sample 0 5.000000000 4.000000000\n"
			    "clock 2 1.000000001 2.000000002\ndone\n"
			    "sample 1 7.000000000 6.000000000\ndone\nend\n");
	next_part();
	cpu = src_cpu_clock(2, &begin, true);	/* the real time alone is recorded */
	SAME(cpu.real, 2 * NS_PER_S + 2);
	SAME(cpu.mono, 4 * NS_PER_S);
	src_stop(&again);
	src_end(&again, false);
	SAME(again.begin, 4 * NS_PER_S);
	SAME(again.boot, 4 * NS_PER_S);
	next_part();
	cpu = src_cpu_clock(2, &begin, true);	/* it is not read in this one */
	SAME(cpu.real, 7 * NS_PER_S);
	SAME(cpu.mono, 6 * NS_PER_S);
}

/* How directories and remarks are recorded. */
static void test_record_least(void)
{
	static const char *const files[] = { "c1", ".x", "a", "d", "b", "c" };
	char *want, dir[] = "/tmp/turbostat-unit.XXXXXX";
	struct names l;

	record_open(text_file("", 0), "REC", NULL, false, 0, 0);
	buf_clear(&S.record);
	SAME(src_dir("/proc/self", &l), 0);
	CHECK(l.n, "a folder with files");
	CHECK(text_after(S.record.p, "dir /proc/self \"") && strstr(S.record.p, " \"status\""),
	      "recorded of it: %s", S.record.p);
	buf_clear(&S.record);
	free_names(&l);
	if (!mkdtemp(dir))
		die("%s: %s", dir, strerror(errno));
	/* an empty folder */
	SAME(src_dir(dir, &l), 0);
	SAME(l.n, 0);
	want = textf("dir %s\n", dir);
	CHECK(same_text(S.record.p, want), "recorded: %s", S.record.p);
	buf_clear(&S.record);
	record_remark("a title", "\tb \xc3\xa4 ~\x7f");
	record_remark("none", "");
	CHECK(same_text(S.record.p, "# a title: ?b \xc3\xa4 ~?\n# none: \n"), "remarks: %s",
	      S.record.p);
	/* names are sorted, and those that begin with a dot left out */
	for (size_t i = 0; i < ARRAY_SIZE(files); i++)
		close(open(pathf("%s/%s", dir, files[i]), O_CREAT | O_WRONLY | O_CLOEXEC, 0600));
	want = dir_text(dir);
	for (size_t i = 0; i < ARRAY_SIZE(files); i++)
		unlink(pathf("%s/%s", dir, files[i]));
	rmdir(dir);
	CHECK(same_text(want, "a b c c1 d"), "its files: %s", want);
}

static const struct cpuset none_kept;

/* CPUs that cannot be moved to are skipped; if all refuse, the program stays where it is. */
static void test_refused_cpus(void)
{
	struct cpuset cpus = { .w = { 0x3f } };

	immovable = 0x15;
	src_skip_refused(&cpus, &none_kept);
	CHECK(cpus.w[0] == 0x2a && !S.stays, "where some refuse: %llx", cpus.w[0]);
	cpus.w[0] = 0x3f;
	src_skip_refused(&cpus, &(struct cpuset){ .w = { 0x5 } });
	CHECK(cpus.w[0] == 0x2f, "those that are measured stay: %llx", cpus.w[0]);
	immovable = 0;
	cpus.w[0] = 0x3f;
	src_skip_refused(&cpus, &none_kept);
	CHECK(cpus.w[0] == 0x3f && !S.stays, "where none refuses: %llx", cpus.w[0]);
	immovable = ~0ull;
	S.cpu = -1;
	src_skip_refused(&cpus, &none_kept);
	CHECK(cpus.w[0] == 0x3f, "where all refuse: %llx", cpus.w[0]);
	CHECK(S.stays && !src_go(5), "it stays where it is");
}

/* How often this process moves to find the CPUs that it cannot move to. */
static int moves_to_find(const struct cpuset *cpus)
{
	struct cpuset some = *cpus;

	S.cpu = -1;
	moves = 0;
	src_skip_refused(&some, &none_kept);
	return moves;
}

/* A process that may not run everywhere, or could not move once, has to try its CPUs. */
static void test_doubts(void)
{
	struct cpuset all = { .w = { 0xff } };

	S.home = (struct cpuset){ .w = { 0x7f } };	/* it may not run on CPU 7 */
	SAME(moves_to_find(&all), 8);
	S.home = (struct cpuset){ .w = { 0xfff } };	/* it may run on all of them */
	SAME(moves_to_find(&all), 1);
	immovable = 2;
	CHECK(src_go(1) == -EINVAL, "CPU 1 can be moved to");
	CHECK(!src_go(2), "CPU 2 cannot be moved to");
	SAME(moves_to_find(&all), 8);		/* a move has failed */
}

/* Whatever number a CPU has, it is the one that is moved to. */
static void test_go(void)
{
	static const int cpus[] = { 5, 63, 64, 127, 128, 8191, 0 };

	for (size_t i = 0; i < ARRAY_SIZE(cpus); i++) {
		SAME(src_go(cpus[i]), 0);
		SAME(moved_to, cpus[i]);
	}
	moves = 0;
	SAME(src_go(0), 0);
	SAME(moves, 0);
	src_go_home();
	SAME(moves, 1);
}

/* Questions that differ between the machine, a recorder and a recording. */
static void test_door(void)
{
	struct cpuset all = { .w = { 0xff } };

	S.home = all;
	/* the machine */
	SAME(S.records, false);
	SAME(moves_to_find(&all), 1);
	/* the machine, recorded: everything is read, and for each CPU whether a move succeeds */
	record_open(text_file("", 0), "REC", NULL, false, 0, 0);
	SAME(S.records, true);
	SAME(moves_to_find(&all), 8);
	record_close();
	SAME(S.records, false);
	/* a recording */
	CHECK(strstr(src_own_path(), "/unit"), "our own path is %s", src_own_path());
	S.home = (struct cpuset){ .w = { 0 } };
	replay_text_of(FIRST_LINE "cpu 3 !EINVAL\n" LAST_LINES);
	SAME(S.records, false);
	S.cpu = -1;
	src_skip_refused(&all, &none_kept);
	SAME(all.w[0], 0xf7);
}

/* Numbers in files. */
static void test_file_numbers(void)
{
	static const struct { const char *text; int err; u64 want; } t[] = {
		{ "0\n", 0, 0 }, { "42", 0, 42 }, { " 42\n", 0, 42 }, { "\t42 \n", 0, 42 },
		{ "-1\n", 0, ~0ull }, { "-0\n", 0, 0 },
		{ "18446744073709551615\n", 0, ~0ull }, { "18446744073709551616\n", -EINVAL, 0 },
		{ "99999999999999999999999\n", -EINVAL, 0 },
		{ "", -EINVAL, 0 }, { "\n", -EINVAL, 0 }, { "-\n", -EINVAL, 0 },
		{ "--1\n", -EINVAL, 0 }, { "0x10\n", -EINVAL, 0 }, { "12abc\n", -EINVAL, 0 },
		{ "1.5\n", -EINVAL, 0 }, { "12 34\n", 0, 12 }, { "12\n34\n", 0, 12 },
		{ "12\t34\n", 0, 12 },
		{ "000000000000000000000000000042\n", 0, 42 },
	};
	struct buf b = { 0 };
	u64 v;

	buf_puts(&b, FIRST_LINE);
	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		buf_clear(&S.record);
		record_quoted(t[i].text, strlen(t[i].text));
		buf_printf(&b, "file /%zu%s\n", i, S.record.p);
	}
	buf_puts(&b, LAST_LINES);
	replay_text_of(b.p);
	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		int err = src_number(pathf("/%zu", i), &v);

		CHECK(err == t[i].err && (err || v == t[i].want), "'%s': %d, %llu", t[i].text, err,
		      v);
	}
}

static const struct test sources_tests[] = {
	{ "quotes", test_quotes },
	{ "record-failures", test_record_failures },
	{ "record-times", test_record_times },
	{ "record-least", test_record_least },
	{ "refused-cpus", test_refused_cpus },
	{ "doubts", test_doubts },
	{ "go", test_go },
	{ "door", test_door },
	{ "file-numbers", test_file_numbers },
	{ 0 }
};
