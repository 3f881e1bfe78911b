// SPDX-License-Identifier: GPL-2.0-only
/* EVENTS: perf events: by name, in groups */

/* Bits of perf format files. */
static void test_fill_bits(void)
{
	static const struct { const char *format; u64 value, before, want[4]; int err; } t[] = {
		{ "config:0-7", 0xab, 0, { 0xab }, 0 }, { "config:0-7\n", 0xab, 0, { 0xab }, 0 },
		{ "config:8-15", 0xab, 0x11, { 0xab11 }, 0 },
		{ "config:0-63", ~0ull, 0, { ~0ull }, 0 }, { "config:63", 1, 0, { 1ull << 63 }, 0 },
		{ "config:18", 1, 0, { 1 << 18 }, 0 },
		{ "config1:0-63", 5, 0, { 0, 5 }, 0 }, { "config2:4", 1, 0, { 0, 0, 16 }, 0 },
		{ "config3:0-3", 0xf, 0, { 0, 0, 0, 15 }, 0 },
		{ "config:0-7,32-35", 0xfab, 0, { 0xf000000ab }, 0 },
		{ "config:0-7,32-35,59", 0x1fab, 0, { 0x0800000f000000ab }, 0 },
		{ "config:32-35,0-7", 0xabc, 0, { 0xa000000bc }, 0 },
		{ "config:0,2,4,6", 0xf, 0, { 0x55 }, 0 },
		{ "config:0-31,32-63", 0x123456789abcdef0, 0, { 0x123456789abcdef0 }, 0 },
		{ "config:0-63,0-63", 7, 0, { 7 }, 0 },
		{ "config:0-7", 0x100, 0, { 0 }, -ERANGE }, { "config:5", 2, 0, { 0 }, -ERANGE },
		{ "config:0-7,32-35", 0x1000, 0, { 0 }, -ERANGE },
		{ "config:0-7", 0, 0, { 0 }, 0 },
		{ "", 1, 0, { 0 }, -EINVAL }, { "config", 1, 0, { 0 }, -EINVAL },
		{ "config:", 1, 0, { 0 }, -EINVAL }, { "config:64", 1, 0, { 0 }, -EINVAL },
		{ "config:7-0", 1, 0, { 0 }, -EINVAL }, { "config:0-64", 1, 0, { 0 }, -EINVAL },
		{ "config4:0", 1, 0, { 0 }, -EINVAL }, { "config0:0", 1, 0, { 0 }, -EINVAL },
		{ "config:0-7,", 1, 0, { 0 }, -EINVAL }, { "config:0-", 1, 0, { 0 }, -EINVAL },
		{ "config:0-7x", 1, 0, { 0 }, -EINVAL }, { "event:0", 1, 0, { 0 }, -EINVAL },
		{ "config:,1", 1, 0, { 0 }, -EINVAL }, { "config:-1", 1, 0, { 0 }, -EINVAL },
		{ "config12:0", 1, 0, { 0 }, -EINVAL },
	};

	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		u64 config[4] = { t[i].before };
		int err = fill_bits(t[i].format, t[i].value, config);

		CHECK(err == t[i].err, "'%s' = 0x%llx: %d, not %d", t[i].format, t[i].value, err,
		      t[i].err);
		for (int w = 0; w < 4 && !err; w++)
			CHECK(config[w] == t[i].want[w],
			      "'%s' = 0x%llx: config%d is 0x%llx, not 0x%llx", t[i].format,
			      t[i].value, w, config[w], t[i].want[w]);
	}
}

#define DEV "/sys/bus/event_source/devices/"
#define PMU_FILES                                                                                 \
	"file " DEV "p/type \"42\\n\"\n"                                                          \
	"file " DEV "p/format/event \"config:0-7\\n\"\nfile " DEV                                 \
	"p/format/umask \"config:8-15\\n\"\nfile " DEV "p/format/edge \"config:18\\n\"\n"         \
	"file " DEV "p/format/inv \"config:23\\n\"\nfile " DEV                                    \
	"p/format/ldlat \"config1:0-15\\n\"\nfile " DEV "p/format/wide \"config:0-7,32-35\\n\"\n" \
	"file " DEV "p/format/broken \"rubbish\\n\"\n"                                            \
	"file " DEV "p/events/inst \"event=0xc0\\n\"\nfile " DEV                                  \
	"p/events/both \"event=0x24,umask=0xff\\n\"\nfile " DEV                                   \
	"p/events/nested \"both,edge=1\\n\"\n"                                                    \
	"file " DEV "p/events/loop \"loop\\n\"\nfile " DEV "p/events/a \"b\\n\"\nfile " DEV       \
	"p/events/b \"a\\n\"\nfile " DEV "p/events/empty \"\"\n"                                  \
	"file " DEV "p/events/blank \"\\n\"\nfile " DEV                                           \
	"p/events/fan \"spread,spread,spread,spread,spread,spread,spread,spread\\n\"\n"           \
	"file " DEV "p/events/spread \"inst,inst,inst,inst,inst,inst,inst,inst\\n\"\n"            \
	"file " DEV "p/events/inst.scale \"2.3283064365386962890625e-10\\n\"\nfile " DEV          \
	"p/events/inst.unit \"Joules\\n\"\n"                                                      \
	"file " DEV "p/events/both.snapshot \"1\\n\"\nfile " DEV "p/events/both.scale \"0\\n\"\n"

/* Terms of perf events. */
static void test_parse_terms(void)
{
	static const struct { const char *terms; int err; u64 want[4]; } t[] = {
		{ "event=0x24", 0, { 0x24 } }, { "event=36", 0, { 36 } },
		{ "event=0x24,umask=0x1", 0, { 0x124 } }, { "umask=1,event=0x24", 0, { 0x124 } },
		{ "event=0xc0,edge", 0, { 0x400c0 } }, { "edge,inv", 0, { 0x840000 } },
		{ "edge=0", 0, { 0 } }, { "ldlat=30,event=0xcd", 0, { 0xcd, 30 } },
		{ "wide=0xfab", 0, { 0xf000000ab } }, { "inst", 0, { 0xc0 } },
		{ "both", -EINVAL, { 0 } }, { "nested", -ENOENT, { 0 } },
		{ "inst,edge", 0, { 0x400c0 } },
		{ "config=0x1234", 0, { 0x1234 } },
		{ "config1=5,config2=6,config3=7", 0, { 0, 5, 6, 7 } },
		{ "config=0xffffffffffffffff", 0, { ~0ull } },
		{ "event=0x24,name=foo", 0, { 0x24 } }, { "event=0x24\n", 0, { 0x24 } },
		{ "event=0x24,,umask=1", 0, { 0x124 } },
		{ "", -EINVAL, { 0 } }, { "nothing", -ENOENT, { 0 } },
		{ "nothing=1", -ENOENT, { 0 } }, { "inst=1", -ENOENT, { 0 } },
		{ "event=", -EINVAL, { 0 } },
		{ "event=x", -EINVAL, { 0 } },
		{ "event=0x100", -ERANGE, { 0 } }, { "edge=2", -ERANGE, { 0 } },
		{ "broken=1", -EINVAL, { 0 } }, { "loop", -ENOENT, { 0 } }, { "a", -ENOENT, { 0 } },
		{ "edge,inst", -ENOENT, { 0 } },
		{ "event=-1", -EINVAL, { 0 } },
		{ "event=1 ", -EINVAL, { 0 } }, { "config4=1", -ENOENT, { 0 } },
		{ "config12=1", -ENOENT, { 0 } }, { "config0=1", -ENOENT, { 0 } },
		{ "event=1=2", -EINVAL, { 0 } },
		{ "empty", -EINVAL, { 0 } }, { "fan", -ENOENT, { 0 } },
	};
	struct resolved *r;

	replay_text_of(FIRST_LINE PMU_FILES LAST_LINES);
	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		struct resolved d = { .pmu = (char *)(uintptr_t)"p" };
		const u64 *config = d.event.config;
		int err = parse_terms(&d, t[i].terms);

		CHECK(err == t[i].err, "'%s': %d, not %d", t[i].terms, err, t[i].err);
		CHECK(err || !memcmp(config, t[i].want, sizeof(t[i].want)),
		      "'%s': 0x%llx,0x%llx,0x%llx,0x%llx", t[i].terms, config[0], config[1],
		      config[2], config[3]);
	}
	r = find_event("p", "inst", ALL_MODES);
	CHECK(!r->err && r->event.type == 42 && r->event.config[0] == 0xc0 &&
		      r->scale == 2.3283064365386962890625e-10 && r->joules && !r->snapshot,
	      "an event with a unit");
	SAME(find_event("p", "inst", ALL_MODES), r);
	CHECK(find_event("p", "event=0xc0", ALL_MODES) != r, "an event is decoded once");
	r = find_event("p", "both", ALL_MODES);
	CHECK(r->err == -EINVAL, "a scale of 0: %d", r->err);
	r = find_event("nopmu", "inst", ALL_MODES);
	CHECK(r->err == -ENOENT, "an event of no PMU: %d", r->err);
	r = find_event("hw", "config=9", ALL_MODES);
	CHECK(!r->err && r->event.type == PERF_TYPE_HARDWARE && r->event.config[0] == 9 &&
		      r->scale == 1,
	      "a generic event");
}

/*
 * On which CPUs an event of a package is opened: power's once for each die of Intel, on AMD
 * once.
 */
static void test_event_cpus(void)
{
	static const struct {
		const char *pmu, *mask;
		bool amd;
		enum scope scope;
		int row;
		u64 want;
		enum fold fold;
	} t[] = {
		{ "power", "0,2,4", false, PACKAGE, 0, 5 },
		{ "power", "0-7", false, PACKAGE, 0, 5 },
		{ "power", "0-7", true, PACKAGE, 0, 1 },
		{ "power", "0-7", true, PACKAGE, 4, 16 },
		{ "power", "0-7", false, DIE, 2, 4 },
		/* dies share the event of their package; cores do not */
		{ "cstate_pkg", "0,4", false, DIE, 2, 1, MEAN },
		{ "cstate_pkg", "0,5", false, DIE, 4, 32, MEAN },
		{ "cstate_core", "0,4", false, CORE, 2, 4, MEAN },
		/* what is summed would count twice */
		{ "power", "0,4", false, DIE, 2, 4 },
		{ "l3", "1,3,5", false, PACKAGE, 0, 10 },
		{ "l3", "1,3,5", true, PACKAGE, 4, 32 },
		{ "msr", NULL, false, CPU, 3, 8 },
		/* a level is one of a package, not a sum */
		{ "l3", "1,3,5", false, PACKAGE, 0, 2, MEAN },
		{ "l3", "1,3,5", false, PACKAGE, 4, 32, MEAN },
	};
	struct cpuset got;

	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		struct counter c = { .scope = t[i].scope, .fold = t[i].fold };
		struct pmu pmu;

		small_machine_with_events(&pmu, t[i].mask);
		pmu.name = t[i].pmu;
		M.has = t[i].amd ? F(AMD) : F(INTEL);
		event_cpus(&c, t[i].row, &pmu, &got);
		CHECK(got.w[0] == t[i].want, "case %zu: CPUs %llx, not %llx", i, got.w[0],
		      t[i].want);
	}
}

/* Events share a group; one that does not fit has one of its own; one event feeds two counters. */
static void test_groups(void)
{
	struct pmu pmu;

	small_machine_with_events(&pmu, NULL);
	CHECK(!open_two(0, 0) && count_groups(0) == 1 && P.on[0].groups->n == 2, "%d groups",
	      count_groups(0));
	CHECK(!open_two(4, 0) && fake.opened == 2 && P.nsources == 4,
	      "%d events opened, %u sources", fake.opened, P.nsources);
	CHECK(!open_two(0, 0) && P.nsources == 4, "a source twice: %u", P.nsources);
	small_machine_with_events(&pmu, NULL);
	fake.alone = true;
	CHECK(!open_two(0, 0) && count_groups(0) == 2 && P.on[0].groups->n == 1,
	      "%d groups of events that do not fit together", count_groups(0));
	fake.refuse = -EBUSY;
	/* at the start what is busy is as good as absent: there are other ways */
	P.known[SYSTEM] = 0;
	SAME(open_two(4, 4), -EBUSY);
	fake.refuse = -EACCES;
	CHECK(open_two(4, 4) == -EACCES && !P.on[4].groups, "a refused event leaves a group");
	/* later it is tried at each sample */
	P.known[SYSTEM] = 1;
	fake.refuse = -EBUSY;
	SAME(open_one(4, 4, 1), 0);
	CHECK(P.on[4].groups && P.on[4].groups->dead, "a busy event is given up");
	small_machine_with_events(&pmu, NULL);
	for (int i = 0; i < MAX_GROUP + 1; i++) {
		struct resolved *r = zeroed(1, sizeof(*r));
		struct search s = { .way = T.counter[0].way };

		*r = (struct resolved){ .pmu = (char *)(uintptr_t)"box",
					.event = { "box", 20, { (u64)i } } };
		CHECK(!open_event(&s, 0, 0, r), "event %d is refused", i);
	}
	SAME(count_groups(0), 2);
	SAME(P.on[0].groups->n, MAX_GROUP);
	SAME(P.on[0].groups->next->n, 1);
}

/* Events of two PMUs on one CPU, requested by turns and twice, are each opened once. */
static void test_groups_of_two(void)
{
	static const struct resolved crate = { .pmu = (char *)(uintptr_t)"crate",
					       .event = { "crate", 21, { 1 } } };
	struct search s = { .counter = 0 };
	struct pmu pmu;

	small_machine_with_events(&pmu, NULL);
	s.way = T.counter[0].way;
	for (int i = 0; i < 2; i++) {
		SAME(open_one(0, 0, 1), 0);
		SAME(open_event(&s, 0, 0, &crate), 0);
		SAME(open_one(0, 0, 2), 0);
		SAME(open_one(1, 1, 2), 0);
	}
	SAME(count_groups(0), 2);
	SAME(count_groups(1), 1);
	SAME(fake.opened, 4);
	SAME(P.nsources, 4);
}

/* If one PMU refuses a unit, no sources and no open events of the unit are left. */
static void test_dropped_events(void)
{
	struct pmu pmu;
	int fd;

	small_machine_with_events(&pmu, "0,2,4");
	CHECK(!open_two(0, 0), "events are refused");
	CHECK(!open_two(0, 2), "events are refused");
	fd = P.on[2].groups->member[0].fd;
	drop_found(2);
	CHECK(P.nsources == 2 && count_groups(0) == 1 && !P.on[2].groups, "%u sources, %d groups",
	      P.nsources, count_groups(0));
	CHECK(fcntl(fd, F_GETFD) < 0, "an event without a use stays open");
	CHECK(P.on[0].groups->n == 2, "an event with a use is closed");
	/* an event that an earlier one than the last of the others has stays open */
	SAME(open_two(4, 0), 0);
	drop_found(2);
	SAME(P.on[0].groups->n, 2);
}

static const struct test events_tests[] = {
	{ "fill-bits", test_fill_bits },
	{ "parse-terms", test_parse_terms },
	{ "event-cpus", test_event_cpus },
	{ "groups", test_groups },
	{ "groups-of-two", test_groups_of_two },
	{ "dropped-events", test_dropped_events },
	{ 0 }
};
