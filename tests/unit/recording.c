// SPDX-License-Identifier: GPL-2.0-only
/* RECORDING: a recording answers */

struct parsed {			/* a line and what it says */
	const char *line;
	enum kind kind;
	int cpu, err;
	u64 key, val;
};

/* Lines that are right, and what is kept of them. */
static void test_record(void)
{
	static const struct parsed t[] = {
		{ "msr 3 e8 00000000015b1ab0", K_MSR, 3, 0, 0xe8, 0x15b1ab0 },
		{ "msr 8191 c0010299 ffffffffffffffff", K_MSR, 8191, 0, 0xc0010299, ~0ull },
		{ "msr 0 3f8 !EIO", K_MSR, 0, EIO, 0x3f8, 0 },
		{ "msr 0 * !EACCES", K_MSR, 0, EACCES, ~0ull, 0 },
		{ "msr * * !ENOENT", K_MSR, ANY_CPU, ENOENT, ~0ull, 0 },
		{ "tsc 7 18446744073709551615", K_TSC, 7, 0, 0, ~0ull },
		{ "cpuid * 7 1 1 2 3 4", K_CPUID, ANY_CPU, 0, 0x700000001ull, 0 },
		{ "cpuid 5 80000007 0 0 0 0 100", K_CPUID, 5, 0, 0x8000000700000000ull, 0 },
		{ "cpu 4 !ENXIO", K_CPU, 4, ENXIO, 0, 0 },
		{ "cpu 4 ok", K_CPU, 4, 0, 0, 0 },
		{ "sample 12 1.000000001 2.000000002", K_SAMPLE, 0, 0, 0, 12 },
		{ "sample 0 1.000000001 2.000000002 3.000000003 4.000000004", K_SAMPLE, 0, 0, 0,
		  0 },
		{ "clock 2 1.000000001 2.000000002", K_CLOCK, 2, 0, 0, 0 },
		{ "clock 2 1.000000001 2.000000002 3.000000003 4.000000004", K_CLOCK, 2, 0, 0, 0 },
		{ "tick", K_TICK, 0, 0, 0, 0 },
		{ "end", K_END, 0, 0, 0, 0 },
		{ "", K_IGNORED, 0, 0, 0, 0 },
		{ "# msr 0", K_IGNORED, 0, 0, 0, 0 },
		{ "#", K_IGNORED, 0, 0, 0, 0 },
		{ "x-anything goes  here", K_IGNORED, 0, 0, 0, 0 },
		{ "x-", K_IGNORED, 0, 0, 0, 0 },
	};
	static const struct parsed texts[] = {
		/* slices: length of path and text */
		{ "file /proc/cmdline \"a b\\n\"", K_FILE, 0, 0, 13, 5 },
		{ "file /a \"\"", K_FILE, 0, 0, 2, 0 },
		{ "file /a \"\\x00\\\"\\\\\\t\\r\\xFf\"", K_FILE, 0, 0, 2, 16 },
		{ "file /a !ENOENT", K_FILE, 0, ENOENT, 2, 0 },
		{ "link /a/b \"../c\"", K_LINK, 0, 0, 4, 4 },
		{ "dir /sys/class/hwmon", K_DIR, 0, 0, 16, 0 },
		{ "command 137 \"sleep 1\"", K_COMMAND, 0, 0, 0, 9 },
		{ "command 137 \"a\" \"b\\\"\" \"\"", K_COMMAND, 0, 0, 0, 12 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(t) + ARRAY_SIZE(texts); i++) {
		bool sliced = i >= ARRAY_SIZE(t);
		const struct parsed *p = sliced ? &texts[i - ARRAY_SIZE(t)] : &t[i];
		struct record r;

		text_under_test(p->line);
		r = parse_record(line_at(S.r.text, 1));
		CHECK(r.kind == p->kind, "'%s': kind %d, not %d", p->line, r.kind, p->kind);
		CHECK(r.cpu == p->cpu && r.err == p->err, "'%s': CPU %d, error %d", p->line, r.cpu,
		      r.err);
		if (sliced && r.path)
			CHECK(slice_len(r.path) == p->key, "'%s': a path of %zu", p->line,
			      slice_len(r.path));
		else if (sliced)
			CHECK(r.key == 137, "'%s': status %llu", p->line, r.key);
		else
			CHECK(r.key == p->key, "'%s': key %llx", p->line, r.key);
		if (sliced && !r.err && r.kind != K_DIR)
			CHECK(slice_len(r.val) == p->val, "'%s': a text of %zu", p->line,
			      slice_len(r.val));
		else if (r.kind != K_CPUID)
			CHECK(r.val == p->val, "'%s': value %llx", p->line, r.val);
	}
	text_under_test("sample 0 1.000000001 2.000000002 3.000000003 4.000000004");
	struct record r = parse_record(line_at(S.r.text, 1));
	/* the times of a sample */
	SAME(r.t[0], 1000000001);
	SAME(r.t[1], 2000000002);
	SAME(r.t[2], 3000000003);
	SAME(r.t[3], 4000000004);
}

/* Parses one line of a recording. */
static void parse_line(const void *line)
{
	text_under_test(line);
	parse_record(line_at(S.r.text, 1));
}

/* Lines that are wrong, and what is said of them. */
static void test_malformed_record(void)
{
	static const struct { const char *line, *message; } t[] = {
		{ " ", "expected a keyword" }, { "msr", "bad CPU number" },
		{ "bogus 1", "unknown keyword 'bogus'" }, { "MSR 0 1 2", "unknown keyword 'MSR'" },
		{ "x", "unknown keyword 'x'" }, { "ends", "unknown keyword 'ends'" },
		{ "aaaaaaaaaabbbbbbbbbbccccccccccddddddddddeeeeeeeeee",
		  "unknown keyword 'aaaaaaaaaabbbbbbbbbbccccccccccdddddddddd'" },
		{ "msr 8192 1 2", "bad CPU number" }, { "msr -1 1 2", "bad CPU number" },
		{ "msr 0x1 1 2", "bad CPU number" }, { "msr a 1 2", "bad CPU number" },
		{ "msr 99999999999999999999999 1 2", "bad CPU number" },
		{ "msr  1 2", "bad CPU number" }, { "msr * 1 2", "bad CPU number" },
		{ "msr *", "bad CPU number" },
		{ "msr 0", "bad MSR address" }, { "msr 0 100000000 1", "bad MSR address" },
		{ "msr 0 1g 1", "bad MSR address" }, { "msr 0 0x10 1", "bad MSR address" },
		{ "msr 0 10", "bad MSR value" }, { "msr 0 10 10000000000000000", "bad MSR value" },
		{ "msr 0 10 1 2", "something follows the record" },
		{ "msr 0 10 1 ", "bad MSR value" }, { "msr 0 10 !EBOGUS", "unknown error name" },
		{ "msr 0 10 !", "unknown error name" },
		{ "msr 0 10 !EIO x", "something follows the record" },
		{ "msr 0 * 5", "expected !ERRNO" }, { "msr 0 * ", "expected !ERRNO" },
		{ "tsc 0", "bad TSC value" }, { "tsc 0 18446744073709551616", "bad TSC value" },
		{ "tsc 0 1 2", "something follows the record" }, { "tsc * 1", "bad CPU number" },
		{ "cpuid 0 1 0 1 2 3", "bad CPUID value" },
		{ "cpuid 0 1 0 1 2 3 4 5", "something follows the record" },
		{ "cpuid 0 1", "bad CPUID subleaf" },
		{ "cpuid 0 100000000 0 1 2 3 4", "bad CPUID leaf" },
		{ "cpuid 0 1 0 1 2 3 100000000", "bad CPUID value" },
		{ "cpuid 0", "bad CPUID leaf" },
		{ "file", "a path is missing" }, { "file a \"\"", "bad path" },
		{ "file /a", "expected a quoted text" }, { "file /a x", "expected a quoted text" },
		{ "file /a \"", "the text has no closing quote" },
		{ "file /a \"b", "the text has no closing quote" },
		{ "file /a \"b\\", "bad escape in a text" },
		{ "file /a \"\\q\"", "bad escape in a text" },
		{ "file /a \"\\x4\"", "bad escape in a text" },
		{ "file /a \"\\x4", "bad escape in a text" },
		{ "file /a \"\\xgg\"", "bad escape in a text" },
		{ "file /a \"b\" c", "something follows the record" },
		{ "file /a \"b\"c", "something follows the record" },
		{ "file /a \"b\" ", "something follows the record" },
		{ "file /a !", "unknown error name" },
		{ "file /a  \"\"", "expected a quoted text" },
		{ "link /a", "expected a quoted text" },
		{ "link /a !ENOENT", "expected a quoted text" }, { "dir", "a path is missing" },
		{ "dir /a b", "something follows the record" },
		{ "word /a 8", "bad value" }, { "word /a 4294967296 1", "bad offset" },
		{ "word /a a 1", "bad offset" },
		{ "word /a 8 1 2", "something follows the record" },
		{ "perf 0", "a PMU is missing" },
		{ "perf 0 msr", "a perf configuration is missing" },
		{ "perf 0 msr 1", "bad perf value" },
		{ "perf 0 msr 1,2,3,4,5 6", "bad perf configuration" },
		{ "perf 0 msr 1, 6", "bad perf configuration" },
		{ "perf 0 msr ,1 6", "bad perf configuration" },
		{ "perf 0 msr 1,,2 6", "bad perf configuration" },
		{ "perf 0 msr 1,2,3, 6", "bad perf configuration" },
		{ "perf 0 msr 1,2,3,4, 6", "bad perf configuration" },
		{ "perf 0 msr g 6", "bad perf configuration" },
		{ "perf 0 msr 1 6 7", "bad perf time" },
		{ "perf 0 msr 1 6 7 8 9", "something follows the record" },
		{ "perf 0 msr 1 -6", "bad perf value" },
		{ "perf 0 msr 1 !ENOENT 5", "something follows the record" },
		{ "perf 0 msr 10000000000000000 1", "bad perf configuration" },
		{ "cpu 0", "expected !ERRNO or ok" }, { "cpu 0 no", "expected !ERRNO or ok" },
		{ "cpu 0 okay", "expected !ERRNO or ok" }, { "cpu * ok", "bad CPU number" },
		{ "sample", "bad sample number" }, { "sample x", "bad sample number" },
		{ "sample 0", "a time is missing" },
		{ "sample 0 1.000000000", "a time is missing" },
		{ "sample 0 1.0 1.0", "bad time, expected SECONDS.NANOSECONDS" },
		{ "sample 0 1.00000000a 1.000000000", "bad time, expected SECONDS.NANOSECONDS" },
		{ "sample 0 .000000000 1.000000000", "bad time, expected SECONDS.NANOSECONDS" },
		{ "sample 0 1 1", "bad time, expected SECONDS.NANOSECONDS" },
		{ "sample 0 -1.000000000 1.000000000", "bad time, expected SECONDS.NANOSECONDS" },
		{ "sample 0 9000000001.000000000 1.000000000",
		  "bad time, expected SECONDS.NANOSECONDS" },
		{ "sample 0 1.0000000000 1.000000000", "bad time, expected SECONDS.NANOSECONDS" },
		{ "sample 0 1.000000000 1.000000000 1.000000000 1.000000000 1.000000000",
		  "something follows the record" },
		{ "sample 4294967296 1.000000000 1.000000000", "bad sample number" },
		{ "clock 0 1.000000000", "a time is missing" },
		{ "clock 0 1.000000000 1.000000000 1.000000000", "a time is missing" },
		{ "clock 0", "a time is missing" },
		{ "command 256 \"x\"", "bad exit status" }, { "command x", "bad exit status" },
		{ "command 0", "expected a quoted text" },
		{ "command 0 \"a\"  \"b\"", "expected a quoted text" },
		{ "run x 0 1.000000 1.000000 1", "bad number of a run" },
		{ "run 1 256 1.000000 1.000000 1", "bad exit status" },
		{ "run 1 0 1.000000", "a time is missing" },
		{ "run 1 0 1.000000000 1.000000 1", "bad time, expected SECONDS.MICROSECONDS" },
		{ "run 1 0 1.000000 1.00000 1", "bad time, expected SECONDS.MICROSECONDS" },
		{ "run 1 0 1.000000 1.000000 -1", "bad size" },
		{ "run 1 0 1.000000 1.000000 1 2", "something follows the record" },
		{ "tick 1", "something follows the record" },
		{ "end of", "something follows the record" }, { "end ", "expected a keyword" },
	};
	char *path = textf("dir /%0*d", PATH_MAX, 0);

	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		char *message = textf("REC:1: %s", t[i].message);

		dies(t[i].line, parse_line, t[i].line, message);
		free(message);
	}
	dies("a long path", parse_line, path, "REC:1: bad path");
	free(path);
}

/* Opens a recording that is given as text. */
static void open_text(const void *text)
{
	replay_text_of(text);
}

/* Recordings whose lines are right one by one, but not together; the line number counts. */
static void test_malformed_recording(void)
{
	static const struct { const char *text, *message; } t[] = {
		{ "", "REC:1: the recording is empty" },
		{ "\n",
		  "REC:1: not a recording: the first line must be 'turbostat-recording 1' or 2" },
		{ "turbostat-recording 0\n",
		  "REC:1: not a recording: the first line must be 'turbostat-recording 1' or 2" },
		{ "turbostat-recording 01\n",
		  "REC:1: not a recording: the first line must be 'turbostat-recording 1' or 2" },
		{ "turbostat-recording \n",
		  "REC:1: not a recording: the first line must be 'turbostat-recording 1' or 2" },
		{ "turbostat-recording\n",
		  "REC:1: not a recording: the first line must be 'turbostat-recording 1' or 2" },
		{ "turbostat-recording 1 \n",
		  "REC:1: not a recording: the first line must be 'turbostat-recording 1' or 2" },
		{ "turbostat-recording 3\n",
		  "REC:1: this recording was made by a newer version of the program" },
		{ "turbostat-recording 99999999999\n",
		  "REC:1: not a recording: the first line must be 'turbostat-recording 1' or 2" },
		{ "\x1f\x8b\b\n", "REC: this is gzip: zcat FILE | turbostat --replay -" },
		{ FIRST_LINE "run 1 0 1.000000 1.000000 1\nend\n", "REC:2: unknown keyword 'run'" },
		{ FIRST_LINE "mark begin\nend\n", "REC:2: unknown keyword 'mark'" },
		{ FIRST_LINE "command 0 \"a\" \"b\"\nend\n",
		  "REC:2: something follows the record" },
		{ NEW_LINE "run 1 0 1.000000 1.000000 1\nend\n", "REC:2: a run without a sample" },
		{ NEW_LINE "sample 0 1.000000000 1.000000000\nrun 2 0 1.000000 1.000000 1\nend\n",
		  "REC:3: runs are not numbered 1, 2, 3, ..." },
		{ NEW_LINE "sample 0 1.000000000 1.000000000\nrun 1 0 1.000000 1.000000 1\n"
		  "run 2 0 1.000000 1.000000 1\nend\n", "REC:4: a run without a sample" },
		{ FIRST_LINE "end\nmsr 0 1 2\n", "REC:3: something follows the end" },
		{ FIRST_LINE "end\nend\n", "REC:3: something follows the end" },
		{ FIRST_LINE "sample 1 1.000000000 1.000000000\nend\n",
		  "REC:2: samples are not numbered 0, 1, 2, ..." },
		{ FIRST_LINE "sample 0 1.000000000 1.000000000\n\n#\n"
		  "sample 0 1.000000000 1.000000000\nend\n",
		  "REC:5: samples are not numbered 0, 1, 2, ..." },
		{ FIRST_LINE "tick\nend\n", "REC:2: a tick before sample 0" },
		{ FIRST_LINE "bogus\nend\n", "REC:2: unknown keyword 'bogus'" },
		{ FIRST_LINE "\n\n\nmsr 0 1\n", "REC:5: bad MSR value" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(t); i++)
		dies(t[i].text, open_text, t[i].text, t[i].message);
}

/* Opens a recording and ends well if the last sample has the number that stands before the text. */
static void count_samples(const void *text)
{
	int want = *(const char *)text - '0', n = 0;

	replay_text_of((const char *)text + 1);
	while (next_part() == K_SAMPLE)
		n++;
	_exit(n == want ? 0 : 64 + n);
}

/* Recordings that were not closed: the complete samples are used, and one line says so. */
static void test_unclosed_recording(void)
{
#define SAMPLE(n) "sample " n " 1.000000000 1.000000000\n"
	static const char *const t[] = {
		"0" FIRST_LINE,
		"0" FIRST_LINE "msr 0 1",
		"0turbostat-recording 1",
		"0" FIRST_LINE "en",
		"0" FIRST_LINE SAMPLE("0"),
		"0" FIRST_LINE SAMPLE("0") "tsc 0 1\ntsc 1",
		"1" FIRST_LINE SAMPLE("0") "tsc 0 1\n" SAMPLE("1") "tsc 0 2\n",
		"1" FIRST_LINE SAMPLE("0") "tsc 0 1\n" SAMPLE("1") "tsc 0 2",
		"1" FIRST_LINE SAMPLE("0") "tsc 0 1\n" SAMPLE("1") "tsc 0 2\nbog",
		"2" FIRST_LINE SAMPLE("0") SAMPLE("1") "tick\n",
		"1" FIRST_LINE SAMPLE("0") "tick\n" SAMPLE("1"),
		"2" NEW_LINE SAMPLE("0") SAMPLE("1") "run 1 0 0.000000 0.000000 0\n",
		"1" NEW_LINE SAMPLE("0") "mark\n" SAMPLE("1"),
	};

	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		struct outcome o = in_child(count_samples, t[i]);

		CHECK(!o.status, "case %zu: %d samples, not %c: %s", i, o.status - 64, t[i][0],
		      o.err);
		CHECK(!strcmp(o.err,
			      "turbostat: REC: the recording was not closed; its complete samples "
			      "are used\n"),
		      "case %zu: said '%s'", i, o.err);
	}
	CHECK(in_child(count_samples, "1" FIRST_LINE SAMPLE("0") "tsc 0 1\nend").status == 0,
	      "an end without a newline");
}

/* Runs are those of --repeat if there are several, or if the recording says so. */
static void test_repeated(void)
{
	static const struct { const char *text; bool repeated; } t[] = {
		{ NEW_LINE SAMPLE("0") "run 1 0 0.000000 0.000000 0\nend\n", false },
		{ NEW_LINE "repeat\n" SAMPLE("0") "run 1 0 0.000000 0.000000 0\nend\n", true },
		{ NEW_LINE SAMPLE("0") "run 1 0 0.000000 0.000000 0\n" SAMPLE("1")
		  "run 2 0 0.000000 0.000000 0\nend\n", true },
	};

	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		replay_text_of(t[i].text);
		CHECK(S.r.seen.repeated == t[i].repeated, "case %zu", i);
	}
}

/* The value of an MSR, or minus its error. */
static i64 msr_or_error(int cpu, u32 addr)
{
	u64 v;
	int err = src()->msr(cpu, addr, &v);

	return err ? err : (i64)v;
}

/* What the new format has: what is written is read. */
static void test_runs_and_marks(void)
{
	char *command[] = { (char *)"sh", (char *)"-c", (char *)"echo \"\n\x01", (char *)"", NULL };
	struct command_run run = { 1, 130, 12 * NS_PER_S + 345678000, 999999000, 1234567 };
	int fd = text_file("", 0);
	struct sample_times t;
	char **words;
	char *text;

	record_open(fd, "REC", NEW_FORMAT);
	record_mark("begin a b");
	src_begin(&t, false);
	src_end(&t, false);
	src_begin(&t, true);
	src_end(&t, true);
	record_mark("");
	record_mark("end\ta\x1f ~");
	src_begin(&t, false);
	src_end(&t, false);
	record_run(&run);
	fd = dup(fd);
	record_close(command, 130);
	text = file_text(fd);
	replay_text_of(text);
	CHECK(!strncmp(text, NEW_LINE, strlen(NEW_LINE)), "the first line");
	SAME(next_part(), K_MARK);
	CHECK(!memcmp(slice_text(S.r.mark), "begin a b\n", 10), "a mark");
	SAME(slice_len(S.r.mark), 9);
	/* a sample and a tick */
	SAME(next_part(), K_SAMPLE);
	SAME(next_part(), K_TICK);
	/* an empty mark */
	SAME(next_part(), K_MARK);
	SAME(slice_len(S.r.mark), 0);
	SAME(next_part(), K_MARK);
	CHECK(!memcmp(slice_text(S.r.mark), "end\x7f" "a\x7f ~\n", 9),
	      "a mark with a TAB");
	/* a sample and a run */
	SAME(next_part(), K_SAMPLE);
	SAME(next_part(), K_RUN);
	/* the run */
	SAME(S.r.run.number, 1);
	SAME(S.r.run.status, 130);
	SAME(S.r.run.user, run.user);
	SAME(S.r.run.sys, run.sys);
	SAME(S.r.run.maxrss, run.maxrss);
	/* the end */
	SAME(next_part(), K_END);
	SAME(S.r.seen.status, 130);
	words = replay_command();
	for (int i = 0; i < 4; i++)
		CHECK(same_text(words[i], command[i]), "word %d: %s", i, words[i]);
	CHECK(!words[4], "a word too many: %s", words[4]);
}

/* What sample 0 says stands for the static part, also behind marks. */
static void test_marks_first(void)
{
	static const char *const marks[] = { "", "mark begin a\n", "mark begin a\nmark end a\n" };
	u64 v = ~0ull;

	for (size_t i = 0; i < ARRAY_SIZE(marks); i++) {
		char *text = textf(NEW_LINE "msr 0 10 1\n%ssample 0 1.000000000 1.000000000\n"
				   "msr 0 10 2\nmsr 0 11 5\nsample 1 2.000000000 2.000000000\n"
				   "msr 0 11 6\nend\n", marks[i]);

		replay_text_of(text);
		SAME(replay_msr(0, 0x10, &v), 0);
		SAME(v, 1);
		SAME(replay_msr(0, 0x11, &v), 0);
		SAME(v, 5);
		for (size_t k = 0; k < i; k++)
			SAME(next_part(), K_MARK);
		SAME(next_part(), K_SAMPLE);
		SAME(replay_msr(0, 0x10, &v), 0);
		SAME(v, 2);
		free(text);
	}
}

/* Paths that a later part brings stand in their folders, those that it takes away do not. */
static void test_new_paths(void)
{
	static const char *const want[] = { "b d", "a b c d e", "a c d e", "a b c d e" };

	replay_text_of(FIRST_LINE "file /x/b \"\"\nfile /x/d \"\"\n"
		       "sample 0 1.000000000 1.000000000\n"
		       "sample 1 2.000000000 2.000000000\nfile /x/c \"\"\nfile /x/a/1 \"\"\n"
		       "file /x/e \"\"\nfile /w \"\"\n"
		       "tick\nfile /x/b !ENOENT\ntick\nfile /x/b \"\"\nend\n");
	next_part();
	for (size_t i = 0; i < ARRAY_SIZE(want); i++) {
		char *got = dir_text("/x");

		CHECK(same_text(got, want[i]), "part %zu: %s", i, got);
		free(got);
		next_part();
	}
}

/* Lines may end in "\r\n". */
static void test_crlf(void)
{
	u64 v;

	replay_text_of(
		"turbostat-recording 1\r\n\r\n# a remark\r\nfile /a \"12\\n\"\r\nmsr 0 10 7\r\n"
		"sample 0 1.000000000 1.000000000\r\nmsr 0 11 8\nend\r\n");
	/* the static part */
	SAME(src_number("/a", &v), 0);
	SAME(v, 12);
	SAME(msr_or_error(0, 0x10), 7);
	/* sample 0 */
	SAME(next_part(), K_SAMPLE);
	SAME(msr_or_error(0, 0x11), 8);
	SAME(next_part(), K_END);
}

/* A later part answers first; what it does not say, an earlier one does. */
static void test_replay(void)
{
	int fd;
	u64 v;
	u32 r[4];
	struct buf b = { 0 };
	struct perf_value p;
	struct event e = { "msr", 9, { 1 } };

	replay_text_of(
		FIRST_LINE
		"cpuid * 1 0 a b c d\ncpuid 1 1 0 1 2 3 4\nmsr 0 10 1\nmsr 0 10 2\nmsr 1 10 !EIO\n"
		"file /a \"x\\n\\x41\"\nfile /a \"y\\n\"\n" SAMPLE("0") "msr 0 10 3\nmsr 0 11 5\n"
		"tsc 0 100\nperf 0 msr 1 7 8 9\nperf 0 msr 1,0,2 8\ncpu 3 !EINVAL\n" SAMPLE(
			"1") "msr 0 10 !EACCES\ncpu 0 !ENXIO\n"
			"file /a !EACCES\nfile /p/telem !ENODEV\n" SAMPLE("2")
			"cpu 0 ok\nword /p/telem 8 ff\nend\n");
	CHECK(msr_or_error(0, 0x10) == 2, "of two records in one part the later counts");
	CHECK(msr_or_error(0, 0x11) == 5, "what only sample 0 says is known from the start");
	/* registers that are not there */
	SAME(msr_or_error(1, 0x10), -EIO);
	SAME(msr_or_error(1, 0x99), -EIO);
	SAME(msr_or_error(5, 0x10), -EIO);
	src()->cpuid(0, 1, 0, r);
	/* CPUID of any CPU */
	SAME(r[0], 0xa);
	SAME(r[3], 0xd);
	src()->cpuid(1, 1, 0, r);
	/* CPUID of this CPU */
	SAME(r[0], 1);
	SAME(r[3], 4);
	src()->cpuid(1, 2, 0, r);
	/* CPUID that is not there */
	SAME(r[0], 0);
	SAME(r[3], 0);
	SAME(src()->text(-1, "/a", &b), 0);
	CHECK(!strcmp(b.p, "y\n"), "a file");
	/* a file that is not there */
	SAME(src()->text(-1, "/b", &b), -ENOENT);
	SAME(src()->keep("/b", false), -ENOENT);
	SAME(src()->keep("/a", false), 0);
	fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
	src_close(fd);	/* what keep gives here is no descriptor, and none is closed */
	CHECK(fcntl(fd, F_GETFD) >= 0, "a descriptor was closed");
	SAME(src_line("/b"), 0);
	CHECK(same_text(src_line("/a"), "y"), "a line");
	CHECK(src_number("/a", &v) == -EINVAL, "a file without a number");
	/* a CPU that goes with sample 0 is there until then */
	SAME(src()->go(3), 0);

	/* sample 0 */
	SAME(next_part(), K_SAMPLE);
	SAME(src()->go(3), -EINVAL);
	SAME(msr_or_error(0, 0x10), 3);
	/* the TSC */
	SAME(src()->tsc(0, &v), 0);
	SAME(v, 100);
	SAME(src()->tsc(1, &v), -EIO);
	/* a perf event */
	SAME(replay_perf(0, replay_event(0, &e), &p), 0);
	SAME(p.count, 7);
	SAME(p.enabled, 8);
	SAME(p.running, 9);
	e.config[2] = 2;
	/* a perf event of three words */
	SAME(replay_perf(0, replay_event(0, &e), &p), 0);
	SAME(p.count, 8);
	SAME(p.enabled, 0);
	e.config[0] = 2;
	CHECK(replay_perf(0, replay_event(0, &e), &p) == -ENOENT, "a perf event that is not there");
	/* a CPU that is gone */
	SAME(next_part(), K_SAMPLE);
	SAME(msr_or_error(0, 0x10), -ENXIO);
	SAME(src()->go(0), -ENXIO);
	SAME(src()->tsc(0, &v), -ENXIO);
	SAME(begin_tsc(NULL), 0);	/* it has one all the same */
	src()->cpuid(0, 1, 0, r);
	CHECK(!r[0], "CPUID of a CPU that is gone");
	CHECK(src()->text(-1, "/a", &b) == -EACCES, "a file that is refused");
	/* a region that has gone */
	SAME(src_open_region("/p/telem"), -ENODEV);
	SAME(src()->word(0, "/p/telem", 8, &v), -ENODEV);
	/* a CPU that is back */
	SAME(next_part(), K_SAMPLE);
	SAME(msr_or_error(0, 0x10), -EACCES);
	SAME(msr_or_error(0, 0x11), 5);
	SAME(src()->go(0), 0);
	/* a TSC that is not recorded */
	M.main_cpu = 1;
	SAME(begin_tsc(NULL), -ENOTSUP);
	M.main_cpu = 0;
	SAME(begin_tsc(NULL), 0);
	/* a region that is back, of which there is a word alone */
	SAME(src_open_region("/p/telem"), 0);
	SAME(src()->word(0, "/p/telem", 8, &v), 0);
	SAME(v, 0xff);
	CHECK(src()->word(0, "/p/telem2", 8, &v) == -ENOENT, "a word that is not there");
	/* the end */
	SAME(next_part(), K_END);
	SAME(next_part(), K_END);
	CHECK(src()->find_msr(0, false) == 0, "the MSR driver");
}

/*
 * The words of a telemetry region are no CPU's: they answer when CPU 0 does not.  Those of the
 * first sample do not say that a region was there before it.
 */
static void test_word_without_cpu(void)
{
	u64 v = 0;

	replay_text_of(FIRST_LINE "cpu 0 !EINVAL\nword /p/telem 8 ff\ntsc 0 5\nend\n");
	SAME(src()->tsc(0, &v), -ENXIO);
	SAME(src()->word(-1, "/p/telem", 8, &v), 0);
	SAME(v, 0xff);
	replay_text_of(FIRST_LINE "file /p/telem !ENODEV\n" SAMPLE("0")
		       "word /p/telem 8 ff\nend\n");
	SAME(src_open_region("/p/telem"), -ENODEV);
	next_part();
	SAME(src_open_region("/p/telem"), 0);
}

/* Lays out so many CPUs five times. */
static void lay_out_often(const void *cpus)
{
	replay_text_of(FIRST_LINE "end\n");
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
	     "REC:2: CPUs come and go too often for a recording of 26 bytes");
}

/* So with files: what answered before the collection and failed in it, says so in it alone. */
static void test_replayed_failures(void)
{
	struct buf b = { 0 };

	replay_text_of(FIRST_LINE "file /a \"0\"\n" SAMPLE("0") "file /a \"1\"\nfile /a !EIO\n"
		       SAMPLE("1") "file /a !EIO\nend\n");
	next_part();
	SAME(src()->text(-1, "/a", &b), 0);
	CHECK(same_text(b.p, "1"), "before the collection: %s", b.p);
	S.collecting = true;
	SAME(src()->text(-1, "/a", &b), -EIO);
	next_part();
	SAME(src()->text(-1, "/a", &b), -EIO);
	S.collecting = false;
	SAME(src()->text(-1, "/a", &b), -EIO);
	replay_text_of(FIRST_LINE "file /a !EIO\nend\n");
	SAME(src()->text(-1, "/a", &b), -EIO);		/* where there is no sample */
}

/* A register that could not be read is no sign of the driver; one that could is. */
static void test_replayed_driver(void)
{
	replay_text_of(FIRST_LINE "msr 0 10 !EIO\nend\n");
	SAME(src()->find_msr(0, false), -ENOENT);
	replay_text_of(FIRST_LINE "msr 0 10 !EIO\nmsr 1 10 5\nend\n");
	SAME(src()->find_msr(0, false), 0);
	replay_text_of(FIRST_LINE "msr 0 * !EACCES\nmsr 1 10 5\nend\n");
	SAME(src()->find_msr(0, false), -EACCES);
	SAME(src()->find_msr(1, false), 0);
}

/*
 * A CPU that went in a collection was there before it, when all was laid out; one that goes later
 * is not there because it once was.
 */
static void test_replayed_moves(void)
{
	static const struct { int before, in; } want[] = {
		{ 0, -EINVAL }, { -EINVAL, -EINVAL }, { 0, 0 }, { -ENXIO, -ENXIO },
	};
	struct event e = { "msr", 9, { 1 } };
	struct perf_value p;
	u64 v;

	replay_text_of(FIRST_LINE "perf 0 msr 1 7\ntsc 0 5\nmsr 0 10 6\n"
		       SAMPLE("0") "cpu 0 ok\ncpu 0 !EINVAL\n" SAMPLE("1") "cpu 0 !EINVAL\n"
		       SAMPLE("2") "cpu 0 ok\n" SAMPLE("3") "cpu 0 !ENXIO\nend\n");
	for (size_t i = 0; i < ARRAY_SIZE(want); i++) {
		next_part();
		for (int in = 0; in < 2; in++) {
			int go = in ? want[i].in : want[i].before, err = go ? -ENXIO : 0;

			S.collecting = in;
			SAME(src()->go(0), go);
			SAME(replay_perf(0, replay_event(0, &e), &p), err);
			SAME(src()->tsc(0, &v), err);
			SAME(src()->msr(0, 0x10, &v), err);
		}
	}
}

/* Directories are what the recorded paths say. */
static void test_replay_dir(void)
{
	static const struct { const char *path, *want; } t[] = {
		{ "/d", "a b c" }, { "/d/a", "x y" }, { "/d/b", "error -2" }, { "/e", "" },
		{ "/e/", "error -2" }, { "/nothing", "error -2" },
		{ "/only", "refused" }, { "/gone", "error -2" }, { "/p", "q" }, { "/p/q", "1" },
		{ "/c", "r r-mmio" }, { "/c2", "s s-0 s.1 s:2" }, { "/c3", "a a-0 b b-0" },
		{ "/dd", "z" }, { "/d/c", "1" },
	};

	replay_text_of(
		FIRST_LINE
		"file /d/b \"\"\nfile /d/a/y \"\"\nfile /d/a/x \"\"\nfile /d/c/1 \"\"\n"
		"file /dd/z \"\"\ndir /e\nfile /only/refused !EACCES\n"
		"file /gone/x !ENOENT\nlink /p/q \"../r\"\nfile /p/q/1 \"\"\nfile /c/r/1 \"\"\n"
		"file /c/r-mmio/1 \"\"\n"
		"link /c2/s \"x\"\nlink /c2/s-0 \"x\"\nfile /c2/s-0/1 \"\"\nfile /c2/s/1 \"\"\n"
		"file /c2/s.1 \"\"\nfile /c2/s:2 \"\"\nfile /c3/a/1 \"\"\nfile /c3/a-0/1 \"\"\n"
		"file /c3/b/1 \"\"\nfile /c3/b-0/1 \"\"\nlink /c3/a \"x\"\n"
		"link /c3/b \"x\"\nend\n");
	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		char *got = dir_text(t[i].path);

		CHECK(!strcmp(got, t[i].want), "%s: '%s', not '%s'", t[i].path, got, t[i].want);
		free(got);
	}
}

/* What a later sample has beside that is in its directory, wherever it stands among the rest. */
static void test_replay_dir_grows(void)
{
	static const struct { const char *path, *before, *after; } t[] = {
		{ "/a", "error -2", "1" }, { "/d", "k", "b k x" }, { "/d/x", "error -2", "1 2" },
		{ "/m", "1", "1" }, { "/y", "error -2", "1" }, { "/z", "1", "1 2" },
	};

	replay_text_of(FIRST_LINE
		       "file /m/1 \"\"\nfile /d/k/1 \"\"\nfile /z/1 \"\"\n" SAMPLE("0") SAMPLE("1")
		       "file /y/1 \"\"\nfile /d/x/2 \"\"\nfile /z/2 \"\"\nfile /d/b/1 \"\"\n"
		       "file /a/1 \"\"\nfile /d/x/1 \"\"\nend\n");
	for (int grown = 0; grown < 2; grown++) {
		for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
			char *got = dir_text(t[i].path);

			CHECK(!strcmp(got, grown ? t[i].after : t[i].before), "%s: '%s'",
			      t[i].path, got);
			free(got);
		}
		for (int part = 0; part < 2 && !grown; part++)
			SAME(next_part(), K_SAMPLE);
	}
}

/* Paths of which each is the beginning of the next are told apart. */
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
	buf_puts(&b, "end\n");
	replay_text_of(b.p);
	for (size_t i = sizeof(path) - 2; i; path[i--] = '\0') {
		SAME(src_number(path, &v), 0);
		SAME(v, i);
	}
}

static const struct test recording_tests[] = {
	{ "record", test_record },
	{ "malformed-record", test_malformed_record },
	{ "malformed-recording", test_malformed_recording },
	{ "unclosed-recording", test_unclosed_recording },
	{ "repeated", test_repeated },
	{ "runs-and-marks", test_runs_and_marks },
	{ "marks-first", test_marks_first },
	{ "new-paths", test_new_paths },
	{ "crlf", test_crlf },
	{ "replay", test_replay },
	{ "word-without-cpu", test_word_without_cpu },
	{ "layouts", test_layouts },
	{ "replayed-failures", test_replayed_failures },
	{ "replayed-driver", test_replayed_driver },
	{ "replayed-moves", test_replayed_moves },
	{ "replay-dir", test_replay_dir },
	{ "replay-dir-grows", test_replay_dir_grows },
	{ "like-paths", test_like_paths },
	{ 0 }
};
