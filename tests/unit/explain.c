// SPDX-License-Identifier: GPL-2.0-only
/* EXPLAIN: where columns come from, why others are absent */

/* Who is root by the effective user, what it may, and what that makes of a refused file. */
static void test_rights(void)
{
	static const struct {
		const char *ids;
		unsigned root;
	} t[] = {
		{ "0\\t0\\t0\\t0", IF_ROOT },
		{ "1000\\t0\\t0\\t0", IF_ROOT },
		{ "0\\t1000\\t0\\t0", 0 },
		{ "1000\\t1000\\t1000\\t1000", 0 },
	};
	const struct way file = { .kind = BY_FILE, .path = "/proc/x" };

	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		replay_text_of(textf(FIRST_LINE "file /proc/self/status \"Name:\\tx\\nUid:\\t%s\\n"
						"CapEff:\\t0000004000000000\\n\"\n" LAST_LINES,
				     t[i].ids));
		M.rights = 0;
		CHECK(own_rights() == (t[i].root | IF_PERFMON), "%s: %#x", t[i].ids, own_rights());
		CHECK((judge_way(&file, EACCES).rank == MSR_RIGHT) == !t[i].root,
		      "%s: a file that is refused", t[i].ids);
		CHECK(judge_way(&file, ENOENT).rank == FACT, "%s: a file that is not there",
		      t[i].ids);
	}
	replay_text_of(FIRST_LINE
		       "file /proc/sys/kernel/cap_last_cap \"37\\n\"\n"
		       "file /proc/sys/kernel/perf_event_paranoid \"3\\n\"\n"
		       "file /proc/self/status \"\\nCapEff:\\t0000000000220000\\n\"\n" LAST_LINES);
	CHECK(own_rights() == (IF_OLD | IF_STRICT | IF_PERFMON | IF_RAWIO), "of an old kernel: %#x",
	      own_rights());
	M.rights = 0;
	replay_text_of(FIRST_LINE LAST_LINES);
	CHECK(own_rights() == (IF_PERFMON | IF_RAWIO), "where nothing is known: %#x", own_rights());
}

/* Every way and error has a cause: the last row of the table fits all. */
static void test_causes(void)
{
	const struct way events = { .kind = BY_PERF, .pmu = "power", .event = "x" };
	const struct way zone = { .kind = BY_FILE, .path = IN_POWERCAP };
	const struct way sensor = { .kind = BY_FILE, .path = IN_HWMON };

	struct verdict v;

	replay_text_of(FIRST_LINE LAST_LINES);
	v = judge_way(&events, ENOENT);
	CHECK(same_text(remedy_of(&v), "; sudo modprobe rapl"), "%s", v.text);
	CHECK(!judge_way(&zone, ENOENT).text, "a zone leaves the word to the PMU");
	v = judge_way(&sensor, ENOENT);
	CHECK(same_text(remedy_of(&v), "; sudo modprobe coretemp"), "%s", v.text);
	v = judge_way(&(struct way){ .kind = BY_PMT }, EPROTO);
	CHECK(same_text(v.text, strerror(EPROTO)) && !*remedy_of(&v), "%s", v.text);
}

/* What a guest lacks because of its host. */
static void test_of_host(void)
{
	static const struct { struct way way; int err, msr_error; bool want; } t[] = {
		{ { .kind = BY_MSR, .needs = F(APERF) }, ENOTSUP, 0, true },
		{ { .kind = BY_MSR, .needs = F(PC8) }, ENOTSUP, 0, false },
		{ { .kind = BY_MSR, .needs = F(PC8) }, EIO, 0, true },
		{ { .kind = BY_MSR, .needs = F(PC8) }, ENODEV, ENODEV, true },
		{ { .kind = BY_MSR, .needs = F(APERF) }, EIO, 0, true },
		/* CPUID announces it: the driver is missing */
		{ { .kind = BY_MSR, .needs = F(APERF) }, ENODEV, ENODEV, false },
		{ { .kind = BY_PERF, .pmu = "power" }, ENOENT, 0, true },
		{ { .kind = BY_PERF, .pmu = "cpu" }, EACCES, 0, false },
		{ { .kind = BY_FILE, .path = IN_HWMON }, ENOENT, 0, true },
		{ { .kind = BY_FILE, .path = IN_POWERCAP }, ENOENT, 0, true },
		{ { .kind = BY_FILE, .path = "cpufreq/scaling_cur_freq" }, ENOENT, 0, true },
		{ { .kind = BY_FILE, .path = "/proc/x" }, ENOENT, 0, false },
		{ { .kind = BY_PMT }, ENOENT, 0, false },
	};

	struct pmu cpu = { .name = "cpu" };

	replay_text_of(FIRST_LINE LAST_LINES);
	M.dev.pmu = &cpu;
	M.dev.npmus = 1;
	for (size_t k = 0; k < 2 * ARRAY_SIZE(t); k++) {
		size_t i = k / 2;
		struct way added = t[i].way;
		bool host;

		O.replay = k % 2 ? "REC" : NULL;	/* a replay says the same */
		M.msr_error = t[i].msr_error;
		M.has = F(GUEST);
		host = is_of_host(&t[i].way, t[i].err);
		CHECK(host == t[i].want, "case %zu: %d", i, host);
		CHECK(!(facts_of(&t[i].way, t[i].err) & IF_GUEST) == !t[i].want,
		      "case %zu: the fact", i);
		added.of_user = true;
		CHECK(!(facts_of(&added, t[i].err) & IF_GUEST), "case %zu: of the user", i);
		M.has = 0;
		CHECK(!(facts_of(&t[i].way, t[i].err) & IF_GUEST), "case %zu: no guest", i);
	}
	O.replay = NULL;
	M.dev.npmus = 0;
	M.msr_error = 0;
}

static const struct test explain_tests[] = { { "rights", test_rights },
					     { "causes", test_causes },
					     { "of-host", test_of_host },
					     { 0 } };
