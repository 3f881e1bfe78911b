// SPDX-License-Identifier: GPL-2.0-only
/*
 * frame.h - what all unit tests share: system calls that a test answers, checks, small machines
 */
#define _GNU_SOURCE
#include <stdbool.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <linux/capability.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/types.h>

static bool deaf;		/* setrlimit succeeds and does nothing, as in some sandboxes */

static u_int64_t immovable;	/* CPUs 0-63 that cannot be moved to */
static int moves, waits;	/* calls of sched_setaffinity and ppoll so far */
static int moved_to;		/* the CPU of the former */

/* sched_setaffinity to one CPU. */
static int unit_setaffinity(int pid, size_t size, const unsigned long *mask)
{
	(void)pid;
	moved_to = -1;
	for (size_t word = 0; word < size / sizeof(*mask); word++)
		if (mask[word])
			moved_to = (int)(word * 64) + __builtin_ctzl(mask[word]);
	moves++;
	errno = EINVAL;
	return mask[0] & immovable ? -1 : 0;
}

static struct rlimit roots;	/* what root has, who gets all that makes sense; {0}: a user */

/* getrlimit */
static int unit_getrlimit(int which, struct rlimit *limit)
{
	if (!roots.rlim_cur)
		return getrlimit(which, limit);
	*limit = roots;
	return 0;
}

/* setrlimit as for a user, who gets no more than allowed; a test can take its effect away. */
static int unit_setrlimit(int which, const struct rlimit *limit)
{
	struct rlimit now;

	if (deaf)
		return 0;
	if (roots.rlim_cur && limit->rlim_cur <= limit->rlim_max) {
		roots = *limit;
		return 0;
	}
	if (!getrlimit(which, &now) && limit->rlim_max <= now.rlim_max)
		return setrlimit(which, limit);
	errno = EPERM;
	return -1;
}

/* The monotonic time in ns, which only waiting moves; 0 = it goes on by itself. */
static int64_t still;
enum { REAL_AHEAD = 1700000000, BOOT_AHEAD = 7 };	/* of it then, in seconds */

/* clock_gettime, for tests that measure time without taking any. */
static int unit_gettime(clockid_t id, struct timespec *t)
{
	int64_t ahead = id == CLOCK_REALTIME ? REAL_AHEAD : id == CLOCK_BOOTTIME ? BOOT_AHEAD : 0;

	if (!still)
		return clock_gettime(id, t);
	*t = (struct timespec){ still / 1000000000 + ahead, still % 1000000000 };
	return 0;
}

/* poll, likewise. */
static int unit_poll(struct pollfd *fds, nfds_t n, int ms)
{
	return poll(fds, n, still ? 0 : ms);
}

/* ppoll, which takes no time where none passes otherwise. */
static int unit_ppoll(struct pollfd *fds, nfds_t n, const struct timespec *t, const sigset_t *mask)
{
	static const struct timespec none;

	waits++;
	if (!still)
		return ppoll(fds, n, t, mask);
	still += t->tv_sec * 1000000000 + t->tv_nsec;
	return ppoll(fds, n, &none, mask);
}

/*
 * The capabilities of a binary that has them by its file, which somebody else than root has
 * started; each time that they change, the set is added to the list, a byte each.  0: no such one.
 */
static unsigned char capabilities[8];
static int ncapabilities;

static bool grants_events;	/* every perf event can be opened, and counts nothing */

static struct {			/* events that a test answers */
	bool on;
	int refuse;		/* what opening answers, 0 = a descriptor */
	bool alone;		/* no event fits into a group with another */
	int opened;		/* events so far */
	u_int64_t count, enabled;	/* what every event answers */
	bool gone;		/* until the events are opened anew */
} fake;

/* perf_event_open of such an event. */
static int fake_open(int leader)
{
	if (fake.refuse || (fake.alone && leader >= 0)) {
		errno = fake.refuse ? -fake.refuse : EINVAL;
		return -1;
	}
	fake.opened++;
	fake.gone = false;
	return dup(STDIN_FILENO);
}

/* read: of a group of such events, as many as there is room for. */
static ssize_t unit_read(int fd, void *p, size_t n)
{
	u_int64_t *word = p;

	if (!fake.on || n > (3 + 12) * 8)
		return read(fd, p, n);
	if (fake.gone || fcntl(fd, F_GETFD) < 0)
		return 0;
	word[0] = n / 8 - 3;
	word[1] = word[2] = fake.enabled;
	for (size_t i = 0; i < word[0]; i++)
		word[3 + i] = fake.count;
	return (ssize_t)n;
}

static int unwritten;		/* writes that a signal interrupts first */

/* write */
static ssize_t unit_write(int fd, const void *p, size_t n)
{
	if (!unwritten)
		return write(fd, p, n);
	unwritten--;
	errno = EINTR;
	return -1;
}

static const char *every_text;	/* what pread gives of every file; NULL: what it holds */
static const unsigned long long *every_register;	/* and of every register */
static int pread_error;		/* of every pread, at the end of that text; 0: none */

/* pread */
static ssize_t unit_pread(int fd, void *p, size_t n, off_t offset)
{
	size_t left = every_text ? strlen(every_text) - (size_t)offset : 0;

	if (every_register) {
		memcpy(p, every_register, n);
		return (ssize_t)n;
	}
	if (pread_error && !left) {
		errno = pread_error;
		return -1;
	}
	if (!every_text)
		return pread(fd, p, n, offset);
	memcpy(p, every_text + offset, n < left ? n : left);
	return (ssize_t)(n < left ? n : left);
}

static u_int64_t next_tsc;	/* the next TSC, then 1000 more; 0: the real one */

static u_int64_t unit_rdtsc(void)
{
	return next_tsc ? (next_tsc += 1000) - 1000 : __builtin_ia32_rdtsc();
}

static int lookups;		/* calls of vsnprintf so far: questions to a recording, and paths */

static const char *msr_device;	/* what is opened in place of each MSR device */

/* open */
static int unit_open(const char *path, int flags, int mode)
{
	bool is_msr = msr_device && (strstr(path, "/dev/cpu/") || strstr(path, "/dev/msr"));

	return open(is_msr ? msr_device : path, flags, mode);
}

/* getuid and geteuid of who has started that. */
static uid_t unit_uid(uid_t own)
{
	return ncapabilities ? 1000 : own;
}

/* perf_event_open, capget and capset; the last two leave an errno behind. */
static long unit_syscall(long number, ...)
{
	long a[5];
	va_list ap;
	struct __user_cap_data_struct *data;

	va_start(ap, number);
	for (int i = 0; i < 5; i++)
		a[i] = va_arg(ap, long);
	va_end(ap);
	if (number == SYS_perf_event_open && fake.on)
		return fake_open((int)a[3]);
	if (number == SYS_perf_event_open && grants_events)
		return open("/dev/null", O_RDONLY | O_CLOEXEC);
	if (!ncapabilities || (number != SYS_capget && number != SYS_capset))
		return syscall(number, a[0], a[1], a[2], a[3], a[4]);
	data = (struct __user_cap_data_struct *)a[1];
	if (number == SYS_capget)
		for (int i = 0; i < 2; i++) {
			data[i].effective = capabilities[ncapabilities - 1];
			data[i].permitted = capabilities[0];
		}
	else
		capabilities[ncapabilities++] =
			(unsigned char)(data[0].effective | data[1].effective);
	errno = EXDEV;
	return 0;
}

#define TURBOSTAT_UNIT_TEST
#define getuid() unit_uid(getuid())
#define geteuid() unit_uid(geteuid())
#define syscall(number, ...) unit_syscall(number, UNIT_LONGS(__VA_ARGS__, 0, 0, 0, 0))
#define UNIT_LONGS(a, b, c, d, e, ...) \
	(long)(a), (long)(b), (long)(c), (long)(d), (long)(e)
#define setrlimit unit_setrlimit
#define getrlimit unit_getrlimit
#define clock_gettime unit_gettime
#define ppoll unit_ppoll
#define poll(fds, n, ms) unit_poll(fds, n, ms)
#define vsnprintf(...) (lookups++, vsnprintf(__VA_ARGS__))
#define read unit_read
#define write unit_write
#define __builtin_ia32_rdtsc unit_rdtsc
#define pread unit_pread
#define open(path, ...) unit_open(path, UNIT_OPEN(__VA_ARGS__, 0))
#define UNIT_OPEN(flags, mode, ...) flags, mode
#define sched_setaffinity(pid, size, mask) unit_setaffinity(pid, size, (const void *)(mask))
#include "turbostat.c"

#include <math.h>		// macros and built-in functions only: there is no -lm

/* ======================================================================== *
 * The frame
 * ======================================================================== */

static int failures;		/* of the test that is running */
enum { MAX_SHOWN = 12 };	/* details of one test */

/* Counts a failure of the running test and says what it is. */
static PRINTF(1, 2) void fail(const char *fmt, ...)
{
	va_list ap;

	if (++failures > MAX_SHOWN)
		return;
	va_start(ap, fmt);
	vprintf(fmt, ap);
	va_end(ap);
	putchar('\n');
}

enum { SKIPPED = 77 };		/* status of a test that cannot be run here */

/* Ends the running test, which says why it cannot be run. */
static void skip(const char *why)
{
	puts(why);
	fflush(stdout);
	_exit(SKIPPED);
}

#define CHECK(cond, ...) do { if (!(cond)) fail(__VA_ARGS__); } while (0)

/* Is an expression, an integer or a truth, what it should be? */
#define SAME(got, want) same_number(__LINE__, #got, (i64)(got), (i64)(want))
static void same_number(int line, const char *what, i64 got, i64 want)
{
	CHECK(got == want, "line %d: %s is %lld, not %lld", line, what, got, want);
}

/* Are two texts the same?  Nothing is the same as no text. */
static bool same_text(const char *a, const char *b)
{
	return !strcmp(a ? a : "", b ? b : "");
}

/* Puts text into a file that has no name, and opens it at its beginning. */
static int text_file(const char *text, size_t n)
{
	FILE *f = tmpfile();
	int fd;

	if (!f)
		die("tmpfile: %s", strerror(errno));
	fd = dup(fileno(f));
	fclose(f);
	if (fd < 0 || write_all(fd, text, n))
		die("temporary file: %s", strerror(errno));
	lseek(fd, 0, SEEK_SET);
	return fd;
}

/* Everything that can be read from the beginning of a file; the text is never freed. */
static char *file_text(int fd)
{
	struct buf b = { 0 };
	char part[4096];
	ssize_t n;

	lseek(fd, 0, SEEK_SET);
	buf_add(&b, "", 0);
	while ((n = read(fd, part, sizeof(part))) > 0)
		buf_add(&b, part, (size_t)n);
	return b.p;
}

struct outcome {		/* of a piece of code in a process of its own */
	int status;		/* as a shell says it */
	char *err;		/* standard error */
};

/* Runs a function in a process of its own, without standard output. */
static struct outcome in_child(void (*f)(const void *), const void *arg)
{
	struct outcome o;
	int status, fd = text_file("", 0), null = open("/dev/null", O_RDWR | O_CLOEXEC);
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (pid == 0) {
		dup2(null, STDOUT_FILENO);
		dup2(fd, STDERR_FILENO);
		f(arg);
		_exit(0);
	}
	if (pid < 0 || waitpid(pid, &status, 0) < 0)
		die("fork: %s", strerror(errno));
	o.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
	o.err = file_text(fd);
	close(fd);
	close(null);
	return o;
}

/* Checks that a function ends the program with status 1 and one message. */
static void dies(const char *what, void (*f)(const void *), const void *arg, const char *message)
{
	struct outcome o = in_child(f, arg);
	char *want = textf("turbostat: %s\n", message);

	CHECK(o.status == 1, "%s: exit status %d, not 1: %s", what, o.status, o.err);
	CHECK(!strcmp(o.err, want), "%s: said '%s', not '%s'", what, first_line(o.err), message);
	free(want);
}

/* A number that follows from a seed: the same on every machine. */
static u64 next_random(u64 *seed)
{
	u64 x = *seed += 0x9e3779b97f4a7c15ull;

	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
	x = (x ^ x >> 27) * 0x94d049bb133111ebull;
	return x ^ x >> 31;
}

/* Are two doubles the same number, or both none? */
static bool same_real(double a, double b)
{
	return a == b || (isnan(a) && isnan(b));
}

/* Replays a recording that is given as text. */
static void replay_text_of(const char *text)
{
	replay_open(text_file(text, strlen(text)), "REC");
}

#define ORDER "the order of parts is static, plan, sample 0"
#define FIRST_LINE MAGIC "3\nstatic\n"
#define LAST_LINES "done\nplan\ndone\nend\n"

/* The entries of a directory, separated by blanks. */
static char *dir_text(const char *path)
{
	struct buf b = { 0 };
	struct names l;
	int err = src_dir(path, &l);

	if (err)
		return textf("error %d", err);
	buf_add(&b, "", 0);
	for (size_t i = 0; i < l.n; i++)
		buf_printf(&b, "%s%s", i ? " " : "", l.name[i]);
	free_names(&l);
	return b.p;
}

enum vendor { VENDOR_OTHER, VENDOR_INTEL, VENDOR_AMD, VENDOR_HYGON };

/* Becomes a machine of this vendor, family and model. */
static void become(enum vendor vendor, int family, int model)
{
	M.family = family;
	M.model = model;
	M.has = vendor == VENDOR_INTEL ? F(INTEL) : 0;
	if (vendor == VENDOR_AMD || vendor == VENDOR_HYGON)
		M.has = F(AMD) | F(AMD_RAPL);
	find_platform();
}


/* Makes a machine of n CPUs, each a row and a package. */
static void rows_of_cpus(int n)
{
	M.n = n;
	memset(M.row, -1, sizeof(M.row));
	for (int i = 0; i < n; i++)
		M.row[i] = M.cpu[i] = i;
	memset(M.core, 0, sizeof(M.core));
	memset(M.id, 0, sizeof(M.id));
	memcpy(M.id[ID_PACKAGE], M.cpu, (size_t)n * sizeof(int));
	memcpy(M.id[ID_CPU], M.cpu, (size_t)n * sizeof(int));
	memset(M.units_of, 0, sizeof(M.units_of));
	memset(M.nunits, 0, sizeof(M.nunits));
	for (enum scope s = 0; s < NSCOPES; s++)
		find_units(s);
	find_nesting();
	samples_grow();
}

/*
 * Two packages; in the first, two dies of one core each, in the second one die of two
 * cores; two threads per core: 8 rows.
 */
static void small_machine(void)
{
	static const int ids[NIDS][8] = {
		[ID_PACKAGE] = { 0, 0, 0, 0, 1, 1, 1, 1 },
		[ID_DIE] = { 0, 0, 1, 1, 0, 0, 0, 0 },
		[ID_CORE] = { 0, 0, 1, 1, 0, 0, 1, 1 },
		[ID_CPU] = { 0, 1, 2, 3, 4, 5, 6, 7 },
	};
	static const int siblings[8] = { 0, 0, 2, 2, 4, 4, 6, 6 };

	rows_of_cpus(8);
	memset(&R.sample, 0, sizeof(R.sample));
	memset(&R.interval, 0, sizeof(R.interval));
	memset(&R.total, 0, sizeof(R.total));
	for (int id = 0; id < NIDS; id++)
		memcpy(M.id[id], ids[id], sizeof(ids[id]));
	memset(M.units_of, 0, sizeof(M.units_of));
	memset(M.nunits, 0, sizeof(M.nunits));
	memcpy(M.core, siblings, sizeof(siblings));
	for (enum scope s = 0; s < NSCOPES; s++)
		find_units(s);
	find_nesting();
	samples_grow();
	M.tsc_tweak = 1;
}

/* The CPUs of the set go, those of the other come; the cpumask of "box" is another one. */
static void change_cpus(const char *gone, const char *come, const char *mask)
{
	struct cpuset set = { .w = { 0 } };

	parse_cpulist(gone, &set);
	for_each_cpu(cpu, &set)
		M.row[cpu] = NONE;
	parse_cpulist(come, &set);
	for_each_cpu(cpu, &set)
		M.row[cpu] = cpu;
	for (enum scope s = 0; s < NSCOPES; s++)
		for (int u = 0; u < M.nunits[s]; u++) {
			M.unit[s][u].lead = NONE;
			for (int cpu = 7; cpu >= 0; cpu--)
				if (M.row[cpu] >= 0 && M.in[s][cpu] == u)
					M.unit[s][u].lead = cpu;
		}
	parse_cpulist(mask, &M.dev.pmu->mask);
	P.known[SYSTEM] = 1;
	follow_units();
}

/* The small machine, on which the PMU "box" counts; its events are those of the fake. */
static void small_machine_with_events(struct pmu *pmu, const char *mask)
{
	small_machine();
	T.ncounters = 0;
	add_counter(&(struct counter){ .name = "first", .scope = PACKAGE, .fold = SUM });
	add_counter(&(struct counter){ .name = "second", .scope = PACKAGE, .fold = SUM });
	T.counter[0].chosen = T.counter[0].way;
	T.counter[1].chosen = T.counter[1].way;
	T.counter[0].way[0].kind = T.counter[1].way[0].kind = BY_PERF;
	M.allowed.w[0] = 0xff;
	*pmu = (struct pmu){ .name = "box", .is_known = true, .masked = mask != NULL };
	M.dev.pmu = pmu;
	M.dev.npmus = 1;
	if (mask)
		parse_cpulist(mask, &pmu->mask);
	P.on = zeroed(MAX_CPU, sizeof(*P.on));
	P.nsources = 0;
	P.covered = zeroed(2, sizeof(*P.covered));
	for (int k = 0; k < 2; k++)
		P.covered[k] = zeroed(8, 1);
	memcpy(P.known, M.nunits, sizeof(P.known));
	memset(&fake, 0, sizeof(fake));
	fake.on = true;
}

static struct resolved box[] = {
	{ .pmu = (char *)(uintptr_t)"box", .event = { "box", 20, { 1 } } },
	{ .pmu = (char *)(uintptr_t)"box", .event = { "box", 20, { 2 } } },
	{ .pmu = (char *)(uintptr_t)"box", .event = { "box", 20, { 3 } } },
};

/* Opens event 1 or 2 of the PMU for a counter of a row. */
static int open_one(int row, int cpu, int event)
{
	struct search s = { .counter = event - 1, .way = T.counter[event - 1].way };

	return open_event(&s, row, cpu, &box[event - 1]);
}

/* Opens both for two counters of a row. */
static int open_two(int row, int cpu)
{
	int err = open_one(row, cpu, 1);

	return err ? err : open_one(row, cpu, 2);
}

/* How many groups are open on a CPU. */
static int count_groups(int cpu)
{
	int n = 0;

	for (const struct event_group *g = P.on[cpu].groups; g; g = g->next)
		n++;
	return n;
}

/* Adds a source of a counter in the unit that a row leads. */
static struct source *add_one(int counter, int row, const struct way *way, u32 arg)
{
	return add_source(&(struct search){ .counter = counter, .way = way }, row, arg);
}

/* Makes the plan's table of cells for the units that there are now. */
static void make_cells(void)
{
	P.covered = zeroed((size_t)T.ncounters, sizeof(*P.covered));
	for (int k = 0; k < T.ncounters; k++)
		P.covered[k] = zeroed((size_t)M.nunits[T.counter[k].scope], 1);
	P.on = zeroed(MAX_CPU, sizeof(*P.on));
}

struct test {
	const char *name;
	void (*run)(void);
};
