// SPDX-License-Identifier: GPL-2.0-only
/* DEVICES: what has to be looked for in sysfs */

/* PMUs by name, number and pattern. */
static void test_pmu_matches(void)
{
	static const struct { const char *name, *want; bool yes; } t[] = {
		{ "uncore_imc", "uncore_imc", true }, { "uncore_imc_0", "uncore_imc", true },
		{ "uncore_imc_11", "uncore_imc", true },
		{ "uncore_imc_free_running_0", "uncore_imc", false },
		{ "uncore_imc_free_running_0", "uncore_imc_free_running", true },
		{ "uncore_imc1", "uncore_imc", false }, { "cpu_core", "cpu", false },
		{ "cpu_atom", "cpu", false },
		{ "uncore_cha_3", "uncore_cha*", true }, { "uncore_cha_3", "uncore_*_3", true },
		{ "uncore_cha_3", "*", true }, { "cstate_core", "cstate_*", true },
		{ "uncore", "uncore_imc", false }, { "x", "", false },
	};

	for (size_t i = 0; i < ARRAY_SIZE(t); i++)
		CHECK(pmu_matches(t[i].name, t[i].want) == t[i].yes, "%s asked for as %s",
		      t[i].name, t[i].want);
}

/* Records a hwmon device: "hwmonN KIND LABEL ...", of temp1, temp2 ...; blanks are "_". */
static void record_sensors(struct buf *b, const char *device)
{
	char *words = textf("%s", device), *save = NULL, *dir = strtok_r(words, " ", &save), *word;

	buf_printf(b, "file /sys/class/hwmon/%s/name \"%s\\n\"\n", dir,
		   strtok_r(NULL, " ", &save));
	for (int i = 1; (word = strtok_r(NULL, " ", &save)); i++) {
		for (char *p = word; *p; p++)
			*p = *p == '_' ? ' ' : *p;
		buf_printf(b, "file /sys/class/hwmon/%s/temp%d_label \"%s\\n\"\n", dir, i, word);
		buf_printf(b, "file /sys/class/hwmon/%s/temp%d_input \"45000\\n\"\n", dir, i);
	}
	free(words);
}

/* Decides what belongs to whom on the small machine, with the L3 ids that its rows have. */
static void place_all(void)
{
	static int ids[NIDS][MAX_CPU];

	for (int row = 0; row < M.n; row++) {
		set_add(&M.online, M.cpu[row]);
		for (enum id id = 0; id < NIDS; id++)
			ids[id][M.cpu[row]] = M.id[id][row];
	}
	find_places(ids);
}

/*
 * Which file has the temperature of a unit: found by labels or, without labels, by the order of
 * the devices.  On the small machine; as an AMD, each of its cores has a level 3 cache.
 */
static void test_sensors(void)
{
	static const struct {
		bool amd;
		const char *devices[5];
		const char *what;
		const char *want[4];	/* of rows 0, 2, 4, 6; NULL = none */
	} t[] = {
		{ false, { "hwmon10 coretemp Package_id_0 Core_0 Core_1",
			   "hwmon3 coretemp Package_id_1 Core_0 Core_1" }, "core",
		  { "hwmon10/temp2", "hwmon10/temp3", "hwmon3/temp2", "hwmon3/temp3" } },
		{ false, { "hwmon10 coretemp Package_id_0 Core_0 Core_1",
			   "hwmon3 coretemp Package_id_1 Core_0 Core_1" }, "package",
		  { "hwmon10/temp1", "hwmon10/temp1", "hwmon3/temp1", "hwmon3/temp1" } },
		{ false, { "hwmon10 coretemp Core_1", "hwmon3 coretemp Core_0",
			   "hwmon1 nvme Core_0" }, "core",
		  { "hwmon3/temp1", NULL, NULL, "hwmon10/temp1" } },
		{ false, { "hwmon3 coretemp Core_0 Core_x Core_10" }, "package", { NULL } },
		{ true, { "hwmon1 k10temp Tctl", "hwmon2 k10temp Tctl Tdie" }, "package",
		  { "hwmon1/temp1", "hwmon1/temp1", "hwmon2/temp2", "hwmon2/temp2" } },
		{ true, { "hwmon1 k10temp Tctl", "hwmon2 k10temp Tctl", "hwmon3 k10temp Tctl",
			  "hwmon4 k10temp Tctl" }, "package",
		  { "hwmon1/temp1", "hwmon1/temp1", "hwmon3/temp1", "hwmon3/temp1" } },
		{ true, { "hwmon1 k10temp Tctl" }, "package", { "hwmon1/temp1", "hwmon1/temp1" } },
		{ true, { "hwmon5 zenpower Tdie Tccd1" }, "package",
		  { "hwmon5/temp1", "hwmon5/temp1" } },
		{ true, { "hwmon1 k10temp Tctl" }, "core", { NULL } },
		{ true, { "hwmon1 k10temp Tctl Tccd1 Tccd2", "hwmon2 k10temp Tctl Tccd1 Tccd3" },
		  "ccd", { "hwmon1/temp2", "hwmon1/temp3", "hwmon2/temp2", "hwmon2/temp3" } },
		{ true, { "hwmon1 k10temp Tctl Tccd1", "hwmon2 k10temp Tctl Tccd1",
			  "hwmon3 k10temp Tctl Tccd1", "hwmon4 k10temp Tctl Tccd1" }, "ccd",
		  { "hwmon1/temp2", "hwmon2/temp2", "hwmon3/temp2", "hwmon4/temp2" } },
		/* one sensor for both; three for two */
		{ true, { "hwmon1 k10temp Tctl Tccd1", "hwmon2 k10temp Tctl Tccd1 Tccd2 Tccd3" },
		  "ccd", { "hwmon1/temp2", "hwmon1/temp2" } },
	};

	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		struct buf b = { 0 };

		small_machine();
		buf_puts(&b, FIRST_LINE);
		for (const char *const *d = t[i].devices; *d; d++)
			record_sensors(&b, *d);
		buf_puts(&b, LAST_LINES);
		replay_text_of(b.p);
		M.has = t[i].amd ? F(AMD) : F(INTEL);
		for (int row = 0; row < 8; row++)
			M.id[ID_L3][row] = row / 2;
		find_units(L3);
		place_all();
		M.dev = (struct devices){ 0 };
		for (int row = 0; row < 8; row += 2) {
			const char *want = t[i].want[row / 2];
			char *got = strcmp(t[i].what, "ccd") ? find_hwmon(t[i].what, row, NULL)
							     : find_ccd(NULL, row, NULL);
			char *path = want ? textf("/sys/class/hwmon/%s_input", want) : NULL;

			CHECK(same_text(got, path), "case %zu: %s of row %d: %s", i, t[i].what, row,
			      got);
			free(path);
			free(got);
		}
		free(b.p);
	}
}

/* If a CPU is offline at the start, nobody knows whose the sensors of chiplets and nodes are. */
static void test_places(void)
{
	struct buf b = { 0 };

	small_machine();
	buf_puts(&b, FIRST_LINE "file /sys/devices/system/cpu/present \"0-8191\"\n");
	record_sensors(&b, "hwmon1 k10temp Tctl Tccd1 Tccd2");
	record_sensors(&b, "hwmon2 k10temp Tctl Tccd1 Tccd2");
	record_sensors(&b, "hwmon3 k10temp Tctl Tccd1 Tccd2");
	buf_puts(&b, LAST_LINES);
	replay_text_of(b.p);
	M.has = F(AMD);
	for (int row = 0; row < 8; row++)
		M.id[ID_L3][row] = row / 2;
	place_all();
	M.dev = (struct devices){ 0 };
	CHECK(!M.place && !M.packages, "places are known");
	SAME(!find_ccd(NULL, 0, NULL), true);
	SAME(lacks_places(), true);
	CHECK(same_text(find_hwmon("package", 0, NULL), "/sys/class/hwmon/hwmon1/temp1_input"),
	      "the first device is of package 0");
	SAME(!find_hwmon("package", 4, NULL), true);
	free(b.p);
}

/* Replays a recording of files below a directory: "PATH=NUMBER-OR-WORD ...". */
static void replay_files(const char *dir, const char *files)
{
	char *words = textf("%s", files), *save = NULL;
	struct buf b = { 0 };

	buf_puts(&b, FIRST_LINE);
	for (char *w = strtok_r(words, " ", &save); w; w = strtok_r(NULL, " ", &save))
		buf_printf(&b, "file /sys/%s/%.*s \"%s\\n\"\n", dir, (int)strcspn(w, "="), w,
			   strchr(w, '=') + 1);
	buf_puts(&b, LAST_LINES);
	replay_text_of(b.p);
	M.dev = (struct devices){ 0 };
	list_devices();
	free(words);
	free(b.p);
}

#define XE(card, gt) card "/device/tile0/gt" gt
#define UNCORE "devices/system/cpu/intel_uncore_frequency"

/* Which file of a driver serves which purpose: graphics, energy, the uncore. */
static void test_finders(void)
{
	static const char xe[] = XE("card1", "0/gtidle/name=gt0-rc ")
		XE("card1", "0/gtidle/idle_residency_ms=5 ") XE("card1", "1/freq0/act_freq=7 ")
		XE("card1", "0/freq0/cur_freq=5 ");
	static const char media_first[] = XE("card0", "0/gtidle/name=gt0-mc ")
		XE("card0", "0/freq0/cur_freq=5 ") XE("card0", "1/freq0/cur_freq=6 ");
	static const char i915[] = "card0/gt/gt0/rc6_residency_ms=1 "
		"card0/gt/gt1/rc6_residency_ms=2 "
		"card0/gt/gt0/rps_act_freq_mhz=3 card0/power/rc6_residency_ms=4 "
		"card0-DP-1/status=off";
	static const char old[] = "card0/gt_cur_freq_mhz=300 card0/power/rc6_residency_ms=4";
	static const char discrete[] = "card2/device/hwmon/hwmon4/name=i915 "
		"card2/gt/gt0/rc6_residency_ms=1 card10/gt/gt0/rc6_residency_ms=2 card9/x=1";
	static const char zones[] = "intel-rapl/enabled=1 intel-rapl:0/name=package-0-die-1 "
		"intel-rapl:0/max_energy_range_uj=262143328850 intel-rapl:1/name=psys "
		"intel-rapl:0/intel-rapl:0:0/name=core intel-rapl:2/name=package-1-die-0 "
		"intel-rapl:2/intel-rapl:2:0/name=dram intel-rapl-mmio:0/name=package-0-die-0 ";
	static const char amd[] = "intel-rapl:0/name=package-0 "
		"intel-rapl:0/intel-rapl:0:0/name=core";
	static const char clusters[] =
		"uncore00/current_freq_khz=1 uncore00/package_id=0 uncore00/domain_id=0 "
		"uncore00/fabric_cluster_id=0 uncore01/current_freq_khz=1 uncore01/package_id=1 "
		"uncore01/domain_id=0 uncore01/fabric_cluster_id=0 uncore02/current_freq_khz=1 "
		"uncore02/package_id=1 uncore02/domain_id=1 uncore02/fabric_cluster_id=10 "
		"uncore04/current_freq_khz=1 uncore04/package_id=1 uncore04/domain_id=2 "
		"uncore04/fabric_cluster_id=0";
	static const struct {
		const char *dir, *files;
		char *(*find)(const char *what, int row, u64 *modulus);
		const char *what;
		int row;
		const char *want;	/* below the directory; NULL = none */
		bool amd;
		u64 modulus;		/* at which it wraps */
	} t[] = {
		{ "class/drm", xe, find_drm, "rc6", 0, XE("card1", "0/gtidle/idle_residency_ms") },
		{ "class/drm", xe, find_drm, "cur", 0, XE("card1", "0/freq0/cur_freq") },
		{ "class/drm", xe, find_drm, "media-act", 0, XE("card1", "1/freq0/act_freq") },
		{ "class/drm", xe, find_drm, "media-rc6", 0, NULL },
		{ "class/drm", media_first, find_drm, "cur", 0, XE("card0", "1/freq0/cur_freq") },
		{ "class/drm", media_first, find_drm, "media-cur", 0,
		  XE("card0", "0/freq0/cur_freq") },
		{ "class/drm", i915, find_drm, "rc6", 0, "card0/gt/gt0/rc6_residency_ms" },
		{ "class/drm", i915, find_drm, "media-rc6", 0, "card0/gt/gt1/rc6_residency_ms" },
		{ "class/drm", i915, find_drm, "act", 0, "card0/gt/gt0/rps_act_freq_mhz" },
		{ "class/drm", old, find_drm, "rc6", 0, "card0/power/rc6_residency_ms" },
		{ "class/drm", old, find_drm, "cur", 0, "card0/gt_cur_freq_mhz" },
		{ "class/drm", old, find_drm, "media-rc6", 0, NULL },
		{ "class/drm", discrete, find_drm, "rc6", 0, "card10/gt/gt0/rc6_residency_ms" },
		{ "class/drm", "", find_drm, "rc6", 0, NULL },
		{ "class", "drm/card0/device/hwmon/hwmon4/name=i915", find_drm, "act", 0, NULL },
		{ "class/powercap", zones, find_powercap, "package", 2, "intel-rapl:0/energy_uj",
		  false, 262143328851 },
		{ "class/powercap", zones, find_powercap, "package", 0, NULL },
		{ "class/powercap", zones, find_powercap, "core", 2,
		  "intel-rapl:0/intel-rapl:0:0/energy_uj" },
		{ "class/powercap", zones, find_powercap, "dram", 2, NULL },
		{ "class/powercap", zones, find_powercap, "dram", 4,
		  "intel-rapl:2/intel-rapl:2:0/energy_uj" },
		{ "class/powercap", zones, find_powercap, "psys", 0, "intel-rapl:1/energy_uj" },
		{ "class/powercap", amd, find_powercap, "package", 0, "intel-rapl:0/energy_uj",
		  true },
		{ "class/powercap", amd, find_powercap, "core", 0,
		  "intel-rapl:0/intel-rapl:0:0/energy_uj", true },
		{ UNCORE, "", find_uncore, NULL, 2, "package_00_die_01/current_freq_khz" },
		{ UNCORE, "", find_uncore, NULL, 4, "package_01_die_00/current_freq_khz" },
		{ UNCORE, clusters, find_uncore, NULL, 4, NULL },
		{ UNCORE, clusters, find_uncore, "0.0", 0, "uncore00/current_freq_khz" },
		{ UNCORE, clusters, find_uncore, "0.0", 6, "uncore01/current_freq_khz" },
		{ UNCORE, clusters, find_uncore, "1.10", 4, "uncore02/current_freq_khz" },
		{ UNCORE, clusters, find_uncore, "1.10", 0, NULL },
		{ UNCORE, clusters, find_uncore, "2.0", 4, NULL },	/* behind a hole */
		{ "class/hwmon", "hwmon0/name=amdgpu hwmon0/freq1_input=1 hwmon0/freq2_input=2 "
		  "hwmon11/name=amdgpu hwmon11/freq1_input=3", find_hwmon, "graphics", 0,
		  "hwmon11/freq1_input" },
		{ "class/hwmon", "hwmon0/name=amdgpu", find_hwmon, "graphics", 0, NULL },
	};

	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		u64 modulus = 0;
		char *path = t[i].want ? textf("/sys/%s/%s", t[i].dir, t[i].want) : NULL, *got;

		small_machine();
		M.has = t[i].amd ? F(AMD) : F(INTEL);
		replay_files(t[i].dir, t[i].files);
		got = t[i].find(t[i].what, t[i].row, &modulus);
		CHECK(same_text(got, path), "case %zu: %s", i, got ? got : "none");
		if (got)
			SAME(modulus, t[i].modulus);
		free(path);
		free(got);
	}
}

static int count_regions(u32 guid)
{
	int n = 0;

	for (size_t i = 0; i < M.dev.ntelemetry; i++)
		n += M.dev.telemetry[i].guid == guid;
	return n;
}

/* Telemetry devices that make sense are those that there are. */
static void test_telemetry_devices(void)
{
	replay_files("class/intel_pmt",
		     "telem0/guid=0x10 telem0/size=8 telem1/guid=0x10 telem1/size=7 "
		     "telem2/guid=0x10 telem2/size=64 telem2/offset=16 "
		     "telem3/guid=0x10 telem3/size=64 telem3/offset=0 "
		     "telem4/guid=10 telem4/size=16777216 telem5/guid=0x10 telem5/size=16777217 "
		     "telem6/guid=zz telem6/size=64 telem7/size=64 telem8/guid=0x10 "
		     "telem9/guid=0x11 telem9/size=64 crashlog1/guid=0x10 crashlog1/size=64");
	small_machine();
	SAME(count_regions(0x10), 3);
	SAME(count_regions(0x11), 1);
	SAME(count_regions(0x12), 0);
	SAME(M.dev.ntelemetry, 4);
	CHECK(same_text(M.dev.telemetry[1].path, "/sys/class/intel_pmt/telem3/telem"), "%s",
	      M.dev.telemetry[1].path);
	list_telemetry();	/* as after a driver has come: they are there once */
	SAME(count_regions(0x10), 3);
}

/* A telemetry region that goes away is an error, not a signal. */
static void test_telemetry(void)
{
	static const u64 words[] = { 11, 22, 33 };
	int fd = text_file((const char *)words, sizeof(words));
	struct telemetry region[] = {
		{ 7, 8, (char *)"/no/such/region", -ENOENT },
		{ 7, sizeof(words), textf("/proc/self/fd/%d", fd), -ENOENT },
	};
	u64 v = 0;
	int own;

	M.dev = (struct devices){ .telemetry = region,
				  .ntelemetry = ARRAY_SIZE(region) };
	/* regions that are not there */
	SAME(find_region(NULL, 8, 0), -ENOENT);
	SAME(find_region(NULL, 7, 0), 1);
	SAME(find_region(NULL, 7, 1), -ENOENT);
	CHECK(region[1].fd >= 0, "a region beside one that is not there");
	CHECK(!read_region(1, 8, &v) && v == 22, "a word: %llu", v);
	CHECK(!read_region(1, 4, &v) && v == 22ull << 32, "an unaligned word: %llu", v);
	CHECK(read_region(1, 20, &v) == -EINVAL, "a word beyond the end");
	close(region[1].fd);
	region[1].fd = -EMFILE;	/* as where descriptors are too few */
	/* a word of a region that is opened for it */
	SAME(read_region(1, 16, &v), 0);
	SAME(v, 33);
	/* a region that is gone */
	SAME(ftruncate(fd, 0), 0);
	SAME(read_region(1, 8, &v), -EIO);
	/* one whose driver is gone: it is closed, and opened at each reading from then on */
	pread_error = ENODEV;
	region[1].fd = own = dup(fd);
	SAME(read_region(1, 8, &v), -ENODEV);
	CHECK(fcntl(own, F_GETFD) < 0, "it stays open");
	pread_error = 0;
	SAME(ftruncate(fd, sizeof(words)), 0);
	SAME(read_region(1, 8, &v), 0);
	free(region[1].path);
	M.dev = (struct devices){ .nresolved = 0 };
}

static const struct test devices_tests[] = {
	{ "pmu-matches", test_pmu_matches },
	{ "sensors", test_sensors },
	{ "places", test_places },
	{ "finders", test_finders },
	{ "telemetry-devices", test_telemetry_devices },
	{ "telemetry", test_telemetry },
	{ 0 }
};
