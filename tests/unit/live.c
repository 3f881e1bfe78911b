// SPDX-License-Identifier: GPL-2.0-only
/* LIVE: the machine answers */

/* Files are opened with the rights of who has started the program, which then has its own again. */
static void test_user_rights(void)
{
	int fd;

	capabilities[0] = 0x21;
	ncapabilities = 1;
	fd = open_as_user("/dev/null", O_RDONLY);
	CHECK(fd >= 0, "%s", strerror(errno));
	close(fd);
	/* none while it is opened, then all of them */
	SAME(ncapabilities, 3);
	SAME(capabilities[1], 0);
	SAME(capabilities[2], 0x21);
	SAME(open_as_user("/no/such/file", O_RDONLY), -ENOENT);
	SAME(ncapabilities, 5);
	SAME(capabilities[4], 0x21);
	ncapabilities = 0;	/* root keeps its capabilities */
	fd = open_as_user("/dev/null", O_RDONLY);
	CHECK(fd >= 0, "%s", strerror(errno));
	SAME(fcntl(fd, F_GETFD), FD_CLOEXEC);
	close(fd);
}

/* Only files of the user that can be read again are kept open: no devices, no FIFOs. */
static void test_user_files(void)
{
	char name[] = "build/fifo.XXXXXX";
	int fd = mkstemp(name);

	if (fd < 0)
		die("%s: %s", name, strerror(errno));
	CHECK(src_keep(name, OF_USER) >= 0, "a file");
	CHECK(src_keep("/proc/self", OF_USER) >= 0, "a directory: reading it fails later");
	SAME(src_keep("/dev/null", OF_USER), -ESPIPE);
	SAME(src_keep("/no/such/file", OF_USER), -ENOENT);
	CHECK(src_keep("/dev/null", OF_KERNEL) >= 0, "a device that the program asks for itself");
	if (unlink(name) || mkfifo(name, 0600))
		die("%s: %s", name, strerror(errno));
	SAME(src_keep(name, OF_USER), -ESPIPE);
	unlink(name);
}

/* A group is believed if the kernel answers for all of its members, else it is gone. */
static void test_perf_read(void)
{
	static const struct { u64 raw[8]; size_t words; int err; } t[] = {
		{ { 3, 70, 60, 10, 20, 30 }, 6, 0 },
		/* what is left of three: as long as three counts without times */
		{ { 1, 70, 60, 10 }, 4, -ENODEV },
		{ { 1, 70, 60, 10, 20, 30 }, 6, -ENODEV },
		{ { 4, 70, 60, 10, 20, 30, 40 }, 7, -ENODEV },
		{ { 3, 70, 60, 10, 20 }, 5, -ENODEV },
		{ { 0 }, 0, -ENODEV },
		{ { 3, 6, 6, 10, 20, 30 }, 6, -ENODEV },	/* enabled for less than 50 ns */
		{ { 3, 0, 0, 10, 20, 30 }, 6, -ENODEV },	/* not enabled at all */
	};
	const struct event *none[3] = { NULL };
	struct perf_value all[3];
	int failed[3], dir = open("/proc/self", O_RDONLY | O_CLOEXEC);

	/* why it cannot be read is what the kernel says */
	src_perf_read(0, dir, 3, none, 0, 50, all, failed);
	CHECK(failed[0] == -EISDIR && failed[2] == -EISDIR, "a folder: %d", failed[0]);
	close(dir);
	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		struct perf_value v[3] = { { 0 } };
		int err[3], fd = text_file((const char *)t[i].raw, t[i].words * 8);

		src_perf_read(0, fd, 3, none, 0, 50, v, err);
		CHECK(err[0] == t[i].err && err[2] == t[i].err, "%zu: %d", i, err[0]);
		CHECK(err[0] || (v[2].count == 30 && v[0].enabled == t[i].raw[1] &&
				 v[0].running == t[i].raw[2]),
		      "%zu: its values", i);
		close(fd);
	}
}

/* A group that was enabled for too short a time is gone if its time stands still. */
static void test_perf_late(void)
{
	static const struct { u64 then; int err; } t[] = { { 40, -ENODEV }, { 41, 0 }, { 90, 0 } };
	const struct event *none[1] = { NULL };

	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		u64 first[] = { 1, 40, 40, 10 }, second[] = { 1, t[i].then, t[i].then, 20 };
		struct perf_value v;
		int err, fd[2];

		CHECK(!socketpair(AF_UNIX, SOCK_SEQPACKET, 0, fd) &&
			      write(fd[0], first, sizeof(first)) > 0 &&
			      write(fd[0], second, sizeof(second)) > 0,
		      "no pair of sockets");
		src_perf_read(0, fd[1], 1, none, 0, 50, &v, &err);
		CHECK(err == t[i].err && (err || (v.count == 20 && v.enabled == t[i].then)),
		      "%zu: %d", i, err);
		close(fd[0]);
		close(fd[1]);
	}
}

/*
 * A file is read to its end and appended to the buffer, also if it ends at the end of a page.
 * tests/sim tests that for sysfs, which returns one page at a time.
 */
static void test_read_all(void)
{
	static const size_t sizes[] = { 0, 1, 4095, 4096, 4097, 8192, 65535, 65536, 200001 };

	for (size_t i = 0; i < ARRAY_SIZE(sizes); i++)
		for (int sysfs = 0; sysfs <= (sizes[i] < 4096); sysfs++) {
			struct buf b = { 0 };
			char *text = zeroed(sizes[i] + 1, 1);
			int fd;

			for (size_t k = 0; k < sizes[i]; k++)
				text[k] = (char)('!' + k % 89);
			fd = text_file(text, sizes[i]);
			buf_puts(&b, "> ");
			SAME(src_text(fd, sysfs ? "/sys/" : "/proc/", &b), 0);
			SAME(b.len, sizes[i] + 2);
			CHECK(same_text(b.p + 2, text), "%zu bytes, sysfs %d", sizes[i], sysfs);
			close(fd);
			free(b.p);
			free(text);
		}
}

/* procfs returns whole lines, so reads are short: a file that is kept open is read on. */
static void test_read_procfs(void)
{
	static const char path[] = "/proc/self/smaps";
	struct buf kept = { 0 }, opened = { 0 };
	int fd = live_open(path);

	SAME(src_text(fd, path, &kept), 0);
	SAME(src_text(-1, path, &opened), 0);
	CHECK(strstr(kept.p, "[stack]"), "%zu bytes of a file that is kept", kept.len);
	CHECK(strstr(opened.p, "[stack]"), "%zu bytes of a file that is opened", opened.len);
	close(fd);
	free(kept.p);
	free(opened.p);
}

static volatile sig_atomic_t handled;	/* the last signal */

/* Remembers a signal. */
static void handle(int sig)
{
	handled = sig;
}

/* A time that is past is no time to wait; what is pending comes through all the same. */
static void test_past(void)
{
	sigset_t set, none;

	sigemptyset(&none);
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	sigprocmask(SIG_BLOCK, &set, NULL);
	signal(SIGUSR1, handle);
	alarm(5);
	SAME(src_wait(NULL, 0, -5, NULL), 0);
	SAME(src_wait(NULL, 0, -5, &none), 0);
	SAME(handled, 0);
	raise(SIGUSR1);
	SAME(src_wait(NULL, 0, 0, NULL), 0);
	SAME(handled, 0);
	SAME(src_wait(NULL, 0, 9 * NS_PER_S, &none), -1);
	SAME(errno, EINTR);
	SAME(handled, SIGUSR1);
}

/* Why a CPU's MSR device cannot be opened. */
static void test_msr_device(void)
{
	msr_device = "/dev/null/msr";
	SAME(src_find_msr(0, false), -ENOTDIR);
	msr_device = "/no/such/folder/msr";
	SAME(src_find_msr(0, false), -ENOENT);
}

/* How many descriptors are open. */
static int open_descriptors(void)
{
	int n = 0;

	for (int fd = 0; fd < 256; fd++)
		n += fcntl(fd, F_GETFD) >= 0;
	return n;
}

/* A file that is read once is closed, also after an error. */
static void test_closed(void)
{
	static char *command[] = { (char *)(uintptr_t)"true", NULL };
	char name[] = "build/closed.XXXXXX";
	struct buf b = { 0 };
	struct names l = { 0 };
	int before, own = mkstemp(name);
	u64 v;

	if (own < 0 || write(own, "CPU\n1234\n", 9) != 9)
		die("%s: %s", name, strerror(errno));
	close(own);
	getrlimit(RLIMIT_NOFILE, &R.left.descriptors);
	before = open_descriptors();
	SAME(src_text(-1, "/proc/self/status", &b), 0);
	SAME(src_text(-1, "/proc/self", &b), -EISDIR);
	SAME(src_text(-1, name, &b), 0);
	SAME(src_word(-1, name, 1, &v), 0);
	SAME(src_word(-1, name, 8, &v), -EIO);
	SAME(src_word(-1, "/no/such/file", 0, &v), -ENOENT);
	SAME(src_dir("/proc/self", &l), 0);
	free_names(&l);
	SAME(src_dir("/no/such/directory", &l), -ENOENT);
	O.out = name;
	O.append = true;
	O.format = CSV;
	SAME(begin_file("CPU\n"), 4);
	SAME(open_descriptors(), before);
	CHECK(waitpid(start_command(command, false), NULL, 0) > 0, "no command");
	SAME(open_descriptors(), before);
	/* devices stay open, but never in one of the last descriptors */
	S.most_descriptors = 1;
	msr_device = "/dev/null";
	SAME(src_open_msr(0), -EMFILE);
	SAME(open_descriptors(), before);
	S.most_descriptors = 256;
	for (int cpu = 2; cpu >= 0; cpu--)
		SAME(src_open_msr(cpu) >= 0, true);
	SAME(open_descriptors(), before + 3);
	for (int cpu = 2; cpu >= 0; cpu--)
		close(S.msr_fd[cpu] - 1);
	S.most_descriptors = 1;
	SAME(src_keep(name, OF_KERNEL), -EMFILE);
	SAME(src_keep(name, OF_KERNEL), -EMFILE);
	SAME(open_descriptors(), before);
	SAME(src_text(-1, name, &b), 0);
	unlink(name);
}

/* The soft limit becomes the hard one, root's both a million; the last descriptors stay free. */
static void test_descriptor_limit(void)
{
	struct rlimit lim;
	int fd;

	if (setrlimit(RLIMIT_NOFILE, &(struct rlimit){ 48, 64 }))
		die("setrlimit: %s", strerror(errno));
	src_raise_limit();
	getrlimit(RLIMIT_NOFILE, &lim);
	SAME(lim.rlim_cur, 64);
	SAME(S.most_descriptors, 64);
	fd = fcntl(0, F_DUPFD, 55);
	SAME(keep_descriptor(fd), 55);
	SAME(keep_descriptor(fcntl(0, F_DUPFD, 56)), -EMFILE);
	SAME(fcntl(56, F_GETFD), -1);
	SAME(keep_descriptor(-ENOENT), -ENOENT);
	close(fd);
	/* setrlimit() succeeds without raising the limit: the real limit counts */
	if (setrlimit(RLIMIT_NOFILE, &(struct rlimit){ 48, 64 }))
		die("setrlimit: %s", strerror(errno));
	deaf = true;
	src_raise_limit();
	SAME(S.most_descriptors, 48);
	deaf = false;
	roots = (struct rlimit){ 48, 64 };
	src_raise_limit();
	SAME(roots.rlim_cur, 1 << 20);
	SAME(roots.rlim_max, 1 << 20);
	roots = (struct rlimit){ 1024, RLIM_INFINITY };
	src_raise_limit();
	CHECK(roots.rlim_cur == RLIM_INFINITY, "root's limit is %llu", (u64)roots.rlim_cur);
	SAME(keep_descriptor(dup(0)) >= 0, true);
}

static const struct test live_tests[] = {
	{ "user-rights", test_user_rights },
	{ "user-files", test_user_files },
	{ "perf-read", test_perf_read },
	{ "perf-late", test_perf_late },
	{ "read-all", test_read_all },
	{ "read-procfs", test_read_procfs },
	{ "past", test_past },
	{ "msr-device", test_msr_device },
	{ "closed", test_closed },
	{ "descriptor-limit", test_descriptor_limit },
	{ 0 }
};
