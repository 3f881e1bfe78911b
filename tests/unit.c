// SPDX-License-Identifier: GPL-2.0-only
/*
 * unit.c - tests of the functions and tables of turbostat.c, which is included
 *
 *   build/unit [NAME...]	all tests, or these
 *
 * Each test runs in a process of its own, so that none sees what another has left
 * behind.  Prints "ok unit/NAME", or "FAIL unit/NAME: ..." and the details indented.
 * Exit status 0 if nothing failed.
 */
#define _GNU_SOURCE
#include <stdbool.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <stdarg.h>
#include <stdint.h>
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
	if (number == SYS_perf_event_open && grants_events)
		return open("/dev/null", O_RDONLY | O_CLOEXEC);
	if (!ncapabilities || (number != SYS_capget && number != SYS_capset))
		return syscall(number, a[0], a[1], a[2], a[3], a[4]);
	data = (struct __user_cap_data_struct *)a[1];
	if (number == SYS_capget)
		data[0].effective = data[1].effective = capabilities[ncapabilities - 1];
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

#define FIRST_LINE MAGIC "1\n"
#define NEW_LINE MAGIC "2\n"

/* ======================================================================== *
 * 1. BASE
 * ======================================================================== */

/* Bits high:low of a word. */
static void test_field(void)
{
	static const struct { int hi, lo; u64 v, want; } t[] = {
		{ 63, 0, 0x0123456789abcdef, 0x0123456789abcdef }, { 0, 0, 1, 1 },
		{ 0, 0, 0xfffffffffffffffe, 0 },
		{ 63, 63, 1ull << 63, 1 }, { 63, 63, ~(1ull << 63), 0 },
		{ 31, 0, 0xffffffff00000001, 1 },
		{ 63, 32, 0xdeadbeef00000000, 0xdeadbeef }, { 15, 8, 0xff2a00, 0x2a },
		{ 22, 16, 0x88370800, 0x37 },
		{ 14, 0, ~0ull, 0x7fff }, { 62, 48, ~0ull, 0x7fff },
	};

	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		u64 got = FIELD_(t[i].v, t[i].hi, t[i].lo);

		CHECK(got == t[i].want, "bits %d:%d of 0x%llx: 0x%llx, not 0x%llx", t[i].hi,
		      t[i].lo, t[i].v, got, t[i].want);
	}
	CHECK(FIELD(0x88370800, THERM_READOUT) == 0x37, "the names of msr.h are not pairs");
	CHECK(FIELD(0x88370800u, THERM_VALID) == 1, "a field of 32 bits");
}

/* Growing text and growing arrays. */
static void test_buf(void)
{
	struct buf b = { 0 };
	int *p = NULL;
	char *long_text = textf("%0*d", 5000, 7);

	buf_printf(&b, "%s", "");
	SAME(b.len, 0);
	CHECK(b.p, "an empty text");
	SAME(*b.p, 0);
	buf_printf(&b, "%s", long_text);
	SAME(b.len, 5000);
	CHECK(!strcmp(b.p, long_text), "a long formatted text");
	buf_puts(&b, long_text);
	buf_add(&b, "a\0b", 3);
	SAME(b.len, 10003);
	CHECK(!memcmp(b.p + 10000, "a\0b", 4), "appended bytes");
	buf_clear(&b);
	SAME(b.len, 0);
	SAME(*b.p, 0);
	CHECK(b.cap >= 10003, "an emptied text");
	for (size_t i = 0; i < 10000; i++) {
		p = room(p, i, sizeof(*p));
		p[i] = (int)i;
	}
	for (int i = 0; i < 10000; i++)
		CHECK(p[i] == i, "member %d of a growing array", i);
	for (size_t i = 0; i < 200; i++) {	/* every length around the first capacity */
		struct buf c = { 0 };

		for (size_t k = 0; k < i; k++)
			buf_add(&c, "x", 1);
		buf_printf(&c, "%.*s", (int)i, long_text);
		CHECK(c.len == 2 * i && (!c.p || strlen(c.p) == 2 * i), "a text of 2 * %zu", i);
		free(c.p);
	}
	free(b.p);
	free(p);
	free(long_text);
}

/* Asks for more memory than an address can count. */
static void overflow_resize(const void *arg)
{
	(void)arg;
	free(resize(NULL, SIZE_MAX / 4, 8));
}

/* Memory that cannot be had ends the program. */
static void test_resize(void)
{
	dies("resize", overflow_resize, NULL, "out of memory");
	free(resize(resize(NULL, 4, 8), 0, 8));	/* empty, it is an array all the same */
	free(zeroed(0, 8));
}

/* Each cause is reported once. */
static void test_notes(void)
{
	int fd = text_file("", 0), saved = dup(STDERR_FILENO);

	dup2(fd, STDERR_FILENO);
	for (int i = 0; i < 40; i++) {
		note((u64)i % 20, "first %d", i % 20);
		note((u64)i % 20, "second %d", i % 20);
	}
	dup2(saved, STDERR_FILENO);
	CHECK(text_after(file_text(fd),
			 "turbostat: first 0\nturbostat: second 0\nturbostat: first 1\n"),
	      "the text of the notes");
	CHECK(strlen(file_text(fd)) ==
		      20 * (strlen("turbostat: first 0\n") + strlen("turbostat: second 0\n")) + 20,
	      "notes given twice");
	close(fd);
	close(saved);
}

/* Sets of CPUs. */
static void test_sets(void)
{
	static const int members[] = { 0, 1, 62, 63, 64, 127, 128, 4095, 8191 };
	struct cpuset s = { { 0 } }, other = { { 0 } };
	int n = 0;

	/* the empty set */
	SAME(set_next(&s, 0), -1);
	SAME(set_count(&s), 0);
	set_add(&s, -1);
	set_add(&s, MAX_CPU);
	set_add(&s, INT_MAX);
	set_add(&s, INT_MIN);
	CHECK(set_count(&s) == 0, "numbers out of range are taken");
	for (size_t i = 0; i < ARRAY_SIZE(members); i++)
		set_add(&s, members[i]);
	CHECK(set_count(&s) == (int)ARRAY_SIZE(members), "%d members", set_count(&s));
	for_each_cpu(cpu, &s)
		CHECK(n < (int)ARRAY_SIZE(members) && cpu == members[n++], "member %d is %d", n,
		      cpu);
	CHECK(n == (int)ARRAY_SIZE(members), "%d members were visited", n);
	for (int cpu = -2; cpu < MAX_CPU + 2; cpu++) {
		bool want = false;

		for (size_t i = 0; i < ARRAY_SIZE(members); i++)
			want |= members[i] == cpu;
		CHECK(set_has(&s, cpu) == want, "CPU %d", cpu);
	}
	/* the next member */
	SAME(set_next(&s, 65), 127);
	SAME(set_next(&s, 8191), 8191);
	SAME(set_next(&s, 8192), -1);
	SAME(set_next(&s, -1), -1);
	set_add(&other, 63);
	set_add(&other, 65);
	set_add(&other, 8191);
	set_and(&s, &other);
	SAME(set_count(&s), 2);
	CHECK(set_has(&s, 63), "the intersection");
	CHECK(set_has(&s, 8191), "the intersection");
}

/* Lists of CPUs, and how they are printed. */
static void test_cpulist(void)
{
	static const struct { const char *text, *want; } t[] = {	/* NULL: malformed */
		{ "0", "0" }, { "0-3", "0-3" }, { "0-3\n", "0-3" }, { "0..3", "0-3" },
		{ "3,1,2", "1-3" }, { "0,2,4-5,7..9", "0,2,4-5,7-9" },
		{ "", "" }, { "\n", "" }, { "8191", "8191" }, { "0-8191", "0-8191" },
		{ "5-5", "5" }, { "007", "7" }, { "1,1,1", "1" },
		{ "63-64", "63-64" }, { "8192", NULL }, { "0-8192", NULL },
		{ "99999999999999999999", NULL }, { "-1", NULL }, { "1-", NULL },
		{ "3-1", NULL }, { "1,", NULL }, { ",1", NULL }, { "1,,2", NULL }, { "1 2", NULL },
		{ "1-2-3", NULL }, { "a", NULL },
		{ "0x1", NULL }, { "1.2", NULL }, { "1...2", NULL }, { "1.", NULL },
		{ "1.23", NULL },
		{ "1..", NULL }, { "+1", NULL }, { " 1", NULL },
		{ "1\n2", NULL }, { "1\n\n", NULL }, { "0-3:1/2", NULL },
	};

	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		struct cpuset s;
		int err = parse_cpulist(t[i].text, &s);

		CHECK(err == (t[i].want ? 0 : -EINVAL), "'%s': %d", t[i].text, err);
		CHECK(err || same_text(set_text(&s), t[i].want), "'%s': '%s', not '%s'", t[i].text,
		      set_text(&s), t[i].want);
	}
	for (u64 seed = 0; seed < 300; seed++) {	/* what is printed is read again */
		struct cpuset s = { { 0 } }, back;
		u64 r = seed * 1000;

		for (u64 n = next_random(&r) % 60; n; n--) {
			int a = (int)(next_random(&r) % MAX_CPU),
			    z = a + (int)(next_random(&r) % 70);

			for (; a <= z; a++)
				set_add(&s, a);
		}
		CHECK(!parse_cpulist(set_text(&s), &back) && !memcmp(&s, &back, sizeof(s)),
		      "'%s' is read as another set", set_text(&s));
	}
}

/* Numbers of the command line and of files. */
static void test_numbers(void)
{
	static const struct { const char *text; int base; bool ok; u64 want; } u[] = {
		{ "0", 10, true, 0 }, { "42", 10, true, 42 },
		{ "18446744073709551615", 10, true, ~0ull },
		{ "18446744073709551616", 10, false, 0 },
		{ "", 10, false, 0 }, { "-1", 10, false, 0 }, { "+1", 10, false, 0 },
		{ " 1", 10, false, 0 }, { "1 ", 10, false, 0 }, { "1x", 10, false, 0 },
		{ "a", 10, false, 0 }, { "1a067102", 16, true, 0x1a067102 },
		{ "0x1a067102", 16, true, 0x1a067102 }, { "FF", 16, true, 255 },
		{ "g", 16, false, 0 }, { "0x", 16, false, 0 },
		{ "10000000000000000", 16, false, 0 }, { "ffffffffffffffff", 16, true, ~0ull },
		{ "0x10", 0, true, 16 }, { "10", 0, true, 10 }, { "a", 0, false, 0 },
		{ "0xg", 0, false, 0 }, { "1e3", 0, false, 0 },
		{ "017", 0, true, 15 }, { "08", 0, false, 0 }, { "017", 10, true, 17 },
	};
	static const struct { const char *text; bool ok; double want; } d[] = {
		{ "0", true, 0 }, { "5", true, 5 }, { "0.001", true, 0.001 }, { ".5", true, 0.5 },
		{ "5.", true, 5 }, { "1e3", true, 1000 },
		{ "", false, 0 }, { ".", false, 0 }, { "-1", false, 0 }, { "-0", false, 0 },
		{ "nan", false, 0 }, { "inf", false, 0 }, { "1e400", false, 0 },
		{ "1e15", false, 0 }, { "5s", false, 0 }, { " 5", false, 0 }, { "+5", false, 0 },
		{ "1,5", false, 0 },
	};
	static const struct { const char *text; int err; u64 want; } f[] = {
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
	static const struct { const char *text; int limit, want; const char *rest; } s[] = {
		{ "12,", 100, 12, "," }, { "99", 100, 99, "" }, { "x", 100, -1, "x" },
		{ "", 100, -1, "" }, { "0", 1, 0, "" },
		{ "134217726", INT_MAX / 16, 134217726, "" },
	};
	u64 v;
	double x;

	for (size_t i = 0; i < ARRAY_SIZE(u); i++) {
		bool ok = parse_u64(u[i].text, u[i].base, &v);

		CHECK(ok == u[i].ok && (!ok || v == u[i].want), "parse_u64 '%s' base %d: %d, %llu",
		      u[i].text, u[i].base, ok, v);
	}
	for (size_t i = 0; i < ARRAY_SIZE(d); i++) {
		bool ok = parse_double(d[i].text, &x);

		CHECK(ok == d[i].ok && (!ok || x == d[i].want), "parse_double '%s': %d, %g",
		      d[i].text, ok, x);
	}
	for (size_t i = 0; i < ARRAY_SIZE(f); i++) {
		int err = parse_file_number(f[i].text, &v);

		CHECK(err == f[i].err && (err || v == f[i].want),
		      "parse_file_number '%s': %d, %llu", f[i].text, err, v);
	}
	for (size_t i = 0; i < ARRAY_SIZE(s); i++) {
		const char *rest = s[i].text;
		int got = parse_small(&rest, s[i].limit);

		CHECK(got == s[i].want && !strcmp(rest, s[i].rest),
		      "parse_small '%s' < %d: %d, rest '%s'", s[i].text, s[i].limit, got, rest);
	}
	CHECK(to_u64(0x1.fffffffffffffp63, &v) && v == 0xfffffffffffff800, "the largest: %llu", v);
	CHECK(!to_u64(0x1p64, &v), "2^64 is taken");
	CHECK(!to_u64(-1, &v), "-1 is taken");
	CHECK(!to_u64(NaN, &v), "NaN is taken");
	for (int limit = 1; limit < 2000; limit++) {
		char *text = textf("%d", limit);
		const char *rest = text;

		CHECK(parse_small(&rest, limit) == -1, "parse_small takes its limit %d", limit);
		rest = text;
		CHECK(parse_small(&rest, limit + 1) == limit, "parse_small refuses %d < %d", limit,
		      limit + 1);
		free(text);
	}
}

/* How long UTF-8 characters are, and what is none: the borders of RFC 3629. */
static void test_utf8(void)
{
	static const struct { const char *text; size_t length; } t[] = {
		{ "a", 1 }, { "", 1 }, { "\x80", 0 }, { "\xbf", 0 }, { "\xc1\xbf", 0 },
		{ "\xc2\x80", 2 }, { "\xdf\xbf", 2 }, { "\xc2\x7f", 0 }, { "\xc2\xc0", 0 },
		{ "\xe0\x9f\xbf", 0 }, { "\xe0\xa0\x80", 3 }, { "\xed\x9f\xbf", 3 },
		{ "\xed\xa0\x80", 0 }, { "\xee\x80\x80", 3 }, { "\xef\xbf\xbf", 3 },
		{ "\xf0\x8f\xbf\xbf", 0 }, { "\xf0\x90\x80\x80", 4 }, { "\xf4\x8f\xbf\xbf", 4 },
		{ "\xf4\x90\x80\x80", 0 }, { "\xf5\x80\x80\x80", 0 }, { "\xe2\x82", 0 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(t); i++)
		CHECK(utf8_length(t[i].text) == t[i].length, "%zu: %zu", i,
		      utf8_length(t[i].text));
}

/* Small helpers of texts. */
static void test_texts(void)
{
	char line[] = "one\ntwo\n";

	CHECK(same_text(text_after("intel-rapl:0", "intel-rapl:"), "0"), "after");
	CHECK(!text_after("intel", "intel-rapl"), "after: the text is shorter");
	CHECK(same_text(text_after("abc", ""), "abc"), "after nothing");
	CHECK(!strcmp(first_line(line), "one"), "first_line");
	CHECK(!strcmp(first_line(line), "one"), "first_line");
	/* FNV-1a */
	SAME(hash_text(""), 0xcbf29ce484222325ull);
	SAME(hash_text("a"), 0xaf63dc4c8601ec8cull);
	for (size_t i = 0; i < ARRAY_SIZE(errnames); i++) {
		buf_clear(&S.record);
		record_error(-errnames[i].err);
		CHECK(same_text(S.record.p, textf("!%s\n", errnames[i].name)), "%s is %s",
		      errnames[i].name, S.record.p);
		CHECK(errnames[i].err > 0 && errnames[i].err < 256, "%s does not fit a byte",
		      errnames[i].name);
	}
	buf_clear(&S.record);
	CHECK(record_error(-9999) && same_text(S.record.p, "!EIO\n"), "an errno without a name");
	CHECK(!record_error(0) && same_text(S.record.p, "!EIO\n"), "no error");
}

/* ======================================================================== *
 * 2. SOURCES: the recording
 * ======================================================================== */

struct parsed {			/* a line and what it says */
	const char *line;
	enum kind kind;
	int cpu, err;
	u64 key, val;
};

/* Points the reader at a text that need not be a recording. */
static void *text_under_test(const char *text)
{
	S.r = (struct replay){ .name = "REC", .text = textf("%s", text), .len = strlen(text),
			       .version = NEW_FORMAT };
	return &S.r;
}

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
	names_free(&l);
	return b.p;
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

/* What is quoted for JSON, and for Prometheus. */
static void test_quote_text(void)
{
	static const char text[] = "a\"\\\n\x1f\x7f\xc3\xa4\xff";
	struct buf b = { 0 };

	quote_text(&b, text, strlen(text), true);
	CHECK(same_text(b.p, "\"a\\\"\\\\\\u000a\\u001f\\u007f\xc3\xa4\xef\xbf\xbd\""), "JSON: %s",
	      b.p ? b.p : "nothing");
	buf_clear(&b);
	quote_text(&b, text, strlen(text), false);
	CHECK(same_text(b.p, "\"a\\\"\\\\\\n\x1f\x7f\xc3\xa4\xef\xbf\xbd\""), "Prometheus: %s",
	      b.p ? b.p : "nothing");
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

/* Who is root by the effective user, and what it may. */
static void test_rights(void)
{
	static const struct { const char *ids; bool root; } t[] = {
		{ "0\\t0\\t0\\t0", true }, { "1000\\t0\\t0\\t0", true },
		{ "0\\t1000\\t0\\t0", false }, { "1000\\t1000\\t1000\\t1000", false },
	};
	const struct way file = { .kind = BY_FILE, .path = "/proc/x" };

	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		replay_text_of(textf(FIRST_LINE "file /proc/self/status \"Name:\\tx\\nUid:\\t%s\\n"
						"Gid:\\t0\\nCapEff:\\t0000004000020000\\n\"\nend\n",
				     t[i].ids));
		CHECK(is_root() == t[i].root, "%s: root %d", t[i].ids, is_root());
		CHECK((judge_file(&file, EACCES).rank == MSR_RIGHT) == !t[i].root,
		      "%s: a file that is refused", t[i].ids);
		CHECK(judge_file(&file, ENOENT).rank == FACT, "%s: a file that is not there",
		      t[i].ids);
		SAME(has_capability(17), true);
		SAME(has_capability(38), true);
		SAME(has_capability(18), false);
	}
	replay_text_of(FIRST_LINE "end\n");
	CHECK(!is_root() && has_capability(38), "where nothing is known");
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

/* What record_quoted writes, unescape reads. */
static void test_quotes(void)
{
	char all[256];
	struct buf line = { 0 }, back = { 0 };

	for (int i = 0; i < 256; i++)
		all[i] = (char)i;
	buf_puts(&S.record, "file /a ");
	record_quoted(all, sizeof(all));
	buf_add(&line, S.record.p, S.record.len);
	text_under_test(line.p);
	unescape_text(parse_record(line_at(S.r.text, 1)).val, &back);
	CHECK(back.len == 256 && !memcmp(back.p, all, 256), "256 bytes became %zu", back.len);
	/* a newline or a NUL within the line */
	SAME(strchr(line.p, '\n'), 0);
	SAME(strlen(line.p), line.len);
	for (size_t i = 0; i < line.len; i++)
		CHECK((u8)line.p[i] >= 32 && (u8)line.p[i] < 127, "byte %d in the line",
		      (u8)line.p[i]);
}

/* ======================================================================== *
 * 3. MACHINE: the platform table
 * ======================================================================== */

/* Becomes a machine of this vendor, family and model. */
static void become(enum vendor vendor, int family, int model)
{
	M.vendor = vendor;
	M.family = family;
	M.model = model;
	M.has = vendor == VENDOR_INTEL ? F(INTEL) : 0;
	if (vendor == VENDOR_AMD || vendor == VENDOR_HYGON)
		M.has = F(AMD) | F(AMD_RAPL);
	find_platform();
}

/* Names of the codes of the package C-state limit. */
static const char *const limit_codes[] = {
	"",           "nehalem",    "sandybridge", "haswell",  "skylake_sp",
	"icelake_sp", "silvermont", "airmont",     "goldmont", "haswell-ep",
};

/* What is in no row has no features but its vendor's; a Zen has its row where RAPL is announced. */
static void test_platform_unlisted(void)
{
	static const struct { enum vendor vendor; int family, model; } others[] = {
		{ VENDOR_INTEL, 6, 0x0e }, { VENDOR_INTEL, 6, 0xff }, { VENDOR_INTEL, 15, 4 },
		{ VENDOR_INTEL, 18, 0x02 }, { VENDOR_INTEL, 19, 0x02 },
		{ VENDOR_INTEL, 5, 0x55 }, { VENDOR_OTHER, 6, 0x55 }, { VENDOR_OTHER, 0, 0 },
		{ VENDOR_AMD, 0x15, 0x55 }, { VENDOR_AMD, 0x16, 0 }, { VENDOR_HYGON, 0x16, 0 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(others); i++) {
		become(others[i].vendor, others[i].family, others[i].model);
		CHECK(!has(F(LISTED)) && !(M.has & ~(F(INTEL) | F(AMD))),
		      "vendor %d family %d model %d: features 0x%llx", others[i].vendor,
		      others[i].family, others[i].model, M.has);
	}
	M.vendor = VENDOR_AMD;		/* a guest: no RAPL is announced */
	M.family = 0x19;
	M.has = F(AMD);
	find_platform();
	CHECK(!has(F(LISTED)), "a Zen without RAPL");
	SAME(has(F(AMD_RAPL)), 0);
	become(VENDOR_AMD, 0x1a, 0x44);
	CHECK(has(F(LISTED)), "a Zen");
	CHECK(has(F(AMD_RAPL)), "Zen 5");
}

/* Every row of the platform table can be found, and has a name of its own. */
static void test_platform_table(void)
{
	for (size_t i = 0; i < ARRAY_SIZE(platforms); i++) {
		const struct platform *p = &platforms[i];

		CHECK(p->name && *p->name, "row %zu has no name", i);
		CHECK(p->traits, "%s has no features", p->name);
		for (size_t k = 0; k < i; k++)
			CHECK(strcmp(platforms[k].name, p->name), "%s stands twice", p->name);
		become(p->vendor, p->family, p->model == ANY_MODEL ? 0xfe : p->model);
		CHECK(M.platform == p, "%s is hidden by %s", p->name, M.platform->name);
		CHECK(!(p->traits->has & (F(INTEL) | F(AMD) | F(APERF) | F(TURBO) | F(DTS) |
					    F(PTM) | F(HWP) | F(EPB) | F(AMD_RAPL))),
		      "%s: a feature that CPUID announces", p->name);
		CHECK(!(p->traits->has & F(RAPL_PKG)) ==
			      !(p->traits->has & (2 * F(RAPL_PSYS) - F(RAPL_PKG))),
		      "%s: RAPL without a package", p->name);
		CHECK(!p->traits->limits || (p->traits->has & F(PLATFORM_INFO)),
		      "%s: a limit without its register", p->name);
		CHECK(p->vendor != VENDOR_INTEL || p->traits == &unlisted || p->traits->limits,
		      "%s: no limit code", p->name);
	}
	/* the last row must fit */
	SAME(platforms[ARRAY_SIZE(platforms) - 1].model, ANY_MODEL);
	SAME(platforms[ARRAY_SIZE(platforms) - 1].vendor, VENDOR_OTHER);
}

/* The codes of the package C-state limit. */
static void test_limit_codes(void)
{
	static const char *const want[] = {
		/* by code; blanks: reserved */
		NULL,
		"pc0,pc1,pc3,pc6,pc7,,,unlimited,,,,,,,,",
		"pc0,pc2,pc6n,pc6r,pc7,pc7s,,unlimited,,,,,,,,",
		"pc0,pc2,pc3,pc6,pc7,pc7s,pc8,pc9,unlimited,,,,,,,",
		"pc0,pc2,pc6n,pc6r,,,,unlimited,,,,,,,,",
		"pc0,pc2,pc6,pc6,,,,unlimited,,,,,,,,",
		"pc0,pc1,,,pc4,,pc6,pc7,,,,,,,pc6,pc7",
		"unlimited,pc1,pc2,,,,pc6,pc7,,,,,,,,",
		"unlimited,pc1,pc3,pc6,pc7,pc7s,pc8,pc9,pc10,,,,,,,",
	};
	static const char *const order[] = {
		"unknown", "reserved", "pc0", "pc1",  "pc2", "pc3", "pc4",  "pc6",
		"pc6n",    "pc6r",     "pc7", "pc7s", "pc8", "pc9", "pc10", "unlimited",
	};

	/* sizes */
	SAME(ARRAY_SIZE(pkg_limits), ARRAY_SIZE(want));
	SAME(ARRAY_SIZE(pkg_limit_names), ARRAY_SIZE(order));
	for (size_t i = 0; i < ARRAY_SIZE(order); i++)
		CHECK(!strcmp(pkg_limit_names[i], order[i]), "limit %zu is %s, not %s", i,
		      pkg_limit_names[i], order[i]);
	for (size_t code = 1; code < ARRAY_SIZE(want); code++) {
		struct buf b = { 0 };

		for (int v = 0; v < 16; v++) {
			int l = pkg_limits[code].state[v];

			buf_printf(&b, "%s%s", v ? "," : "",
				   l == L_UNKNOWN || l == L_RESERVED ? "" : pkg_limit_names[l]);
		}
		CHECK(!strcmp(b.p, want[code]), "%s: %s, not %s", limit_codes[code], b.p,
		      want[code]);
		free(b.p);
	}
}

/* A package C-state's register is read if the limit is at least as deep. */
static void test_limit_allows(void)
{
	static const struct { enum feature f; const char *least; } t[] = {
		{ PC2, "pc2" }, { PC3, "pc3" }, { PC6, "pc6" }, { PC6_ATOM, "pc6" }, { PC7, "pc7" },
		{ PC8, "pc8" }, { PC9, "pc9" }, { PC10, "pc10" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		bool deep = false;

		for (int l = 0; l < 16; l++) {
			deep |= !strcmp(pkg_limit_names[l], t[i].least);
			M.pkg_limit = (enum pkg_limit)l;
			CHECK(limit_allows(F(t[i].f)) == (deep || l == L_RESERVED),
			      "limit %s, state %s", pkg_limit_names[l], t[i].least);
			CHECK(limit_allows(0) && limit_allows(F(CC6)),
			      "limit %s and a counter that is no package state",
			      pkg_limit_names[l]);
		}
	}
}

/* RAPL units of the registers. */
static void test_rapl_units(void)
{
	static const struct {
		enum vendor vendor;
		int family, model;
		u64 unit, info;
		double watt, joule, second, dram, psys, tdp;
	} t[] = {
		{ VENDOR_INTEL, 6, 0x9e, 0xa0e03, 0x2f8, 0.125, 1.0 / 16384, 1.0 / 1024,
		  1.0 / 16384, 1.0 / 16384, 95 },
		{ VENDOR_INTEL, 6, 0x9e, 0x00e03, 0, 0.125, 1.0 / 16384, 1.0 / 1024, 1.0 / 16384,
		  1.0 / 16384, 135 },
		{ VENDOR_INTEL, 6, 0x55, 0xa0e03, 0x488, 0.125, 1.0 / 16384, 1.0 / 1024, 15.3e-6,
		  1.0 / 16384, 145 },
		{ VENDOR_INTEL, 6, 0x8f, 0xa0e03, 0xaf0, 0.125, 1.0 / 16384, 1.0 / 1024,
		  1.0 / 16384, 1, 350 },
		{ VENDOR_INTEL, 6, 0x37, 0x00505, 0, 0.032, 32e-6, 1, 32e-6, 32e-6, 30 },
		{ VENDOR_INTEL, 6, 0x4c, 0x00505, 0, 0.032, 32e-6, 1, 32e-6, 32e-6, 30 },
		{ VENDOR_INTEL, 6, 0x4d, 0xa1003, 0, 0.008, 1.0 / 65536, 1.0 / 1024, 1.0 / 65536,
		  1.0 / 65536, 30 },
		{ VENDOR_AMD, 0x17, 0x71, 0xa1003, 0, 0.125, 1.0 / 65536, 1.0 / 1024, 1.0 / 65536,
		  1.0 / 65536, 280 },
		{ VENDOR_AMD, 0x17, 0x71, 0x01003, 0, 0.125, 1.0 / 65536, 1, 1.0 / 65536,
		  1.0 / 65536, 280 },
		{ VENDOR_INTEL, 6, 0x9e, 0xf1f0f, 0x7fff, 1.0 / 32768, 1.0 / 2147483648.0,
		  1.0 / 32768, 1.0 / 2147483648.0, 1.0 / 2147483648.0, 32767.0 / 32768 },
		{ VENDOR_INTEL, 6, 0x37, 0xf1f0f, 0, 32.768, 2147.483648, 1, 2147.483648,
		  2147.483648, 30 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		bool amd = t[i].vendor == VENDOR_AMD;
		char *text = textf(FIRST_LINE "msr 0 %x %llx\nmsr 0 %x 1\nmsr 0 %x %llx\nend\n",
				   amd ? 0xc0010299 : 0x606, t[i].unit, amd ? 0xc001029b : 0x611,
				   0x614, t[i].info);

		replay_text_of(text);
		become(t[i].vendor, t[i].family, t[i].model);
		machine_rapl();
		CHECK(same_real(M.power_unit, t[i].watt) &&
			      same_real(M.rapl_unit[ENERGY_UNIT], t[i].joule) &&
			      same_real(M.rapl_unit[TIME_UNIT], t[i].second) &&
			      same_real(M.rapl_unit[DRAM_UNIT], t[i].dram) &&
			      same_real(M.rapl_unit[PSYS_UNIT], t[i].psys) &&
			      same_real(M.tdp, t[i].tdp),
		      "case %zu: %g W, %g J, %g s, DRAM %g J, psys %g J, TDP %g W", i, M.power_unit,
		      M.rapl_unit[ENERGY_UNIT], M.rapl_unit[TIME_UNIT], M.rapl_unit[DRAM_UNIT],
		      M.rapl_unit[PSYS_UNIT], M.tdp);
		free(text);
	}
	replay_text_of(FIRST_LINE "msr 0 606 a0e03\nmsr 0 611 ffffffff00000000\nend\n");
	become(VENDOR_INTEL, 6, 0x55);
	M.has |= F(RAPL_AWAKE);
	machine_rapl();
	CHECK(has(F(RAPL_PKG)), "a package energy of 0 has counted");
	SAME(has(F(RAPL_AWAKE)), 0);
	SAME(M.lost, F(RAPL_AWAKE));
	CHECK(pow2(0) == 1 && pow2(-1) == 0.5 && pow2(63) == 9223372036854775808.0 &&
		      pow2(-63) == 1 / 9223372036854775808.0,
	      "powers of two");
}

/* Watts that nothing exceeds: four times what registers say, but for what stands for no limit. */
static void test_most_watts(void)
{
	static const struct { u64 info, limits; double want; } t[] = {
		{ 0, 0, 2000 }, { 760, 760, 2000 }, { 8 * 300, 0, 2000 }, { 8 * 600, 0, 2400 },
		{ 8ull * 700 << 32 | 8 * 600, 0, 2800 }, { 0, 8 * 800, 3200 },
		{ 0, 8ull * 900 << 32 | 8 * 800, 3600 }, { 0x7fff, 0x7fff, 2000 },
		{ 0x7fffull << 32, 0x7fffull << 32 | 0x7fff, 2000 },
		{ 8ull * 700 << 32 | 0x7fff, 0x7fff, 2800 },
	};

	M.power_unit = 0.125;
	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		double got = most_watts(t[i].info, t[i].limits);

		CHECK(got == t[i].want, "case %zu: %g W, not %g", i, got, t[i].want);
	}
}

/* The highest turbo: the largest ratio of the register that the platform has, else CPUID's MHz. */
static void test_highest_turbo(void)
{
	static const struct { int model; u64 has; u32 addr; u64 value; double mhz; } t[] = {
		{ 0x9e, F(TURBO), MSR_TURBO_RATIO_LIMIT, 0x2627282928272625, 4100 },
		{ 0x9e, F(TURBO), MSR_TURBO_RATIO_LIMIT, 0x2900000000000000, 4100 },
		{ 0x9e, F(TURBO), MSR_TURBO_RATIO_LIMIT, 0, 4200 },
		{ 0x9e, 0, MSR_TURBO_RATIO_LIMIT, 0x29, 4200 },
		{ 0x37, F(TURBO), MSR_ATOM_CORE_TURBO_RATIOS, 0x1a1b1c1d, 2900 },
		{ 0x57, F(TURBO), MSR_TURBO_RATIO_LIMIT, 0x1e00, 3000 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		char *text = textf(FIRST_LINE "msr 0 %x %llx\nend\n", t[i].addr, t[i].value);

		replay_text_of(text);
		become(VENDOR_INTEL, 6, t[i].model);
		M.has = t[i].has;
		M.bclk = 100;
		M.leaf[LEAF_16][1] = 4200;
		CHECK(highest_turbo() == t[i].mhz * 1e6, "case %zu: %g Hz", i, highest_turbo());
		M.msr_error = EACCES;
		CHECK(highest_turbo() == 4200e6, "case %zu, no registers: %g Hz", i,
		      highest_turbo());
		M.msr_error = 0;
		free(text);
	}
}

/* The frequency of AMD's P-states, by family; of those but the first that are enabled. */
static void test_amd_pstates(void)
{
	static const struct { int family; u64 value; double p0, p2; } t[] = {
		{ 0x17, 0x8000000000000890, 3.6e9, 3.6e9 }, { 0x17, 0x890, 3.6e9, 0 },
		{ 0x19, 0x8000000000000c78, 2e9, 2e9 }, { 0x19, 0x8000000000000078, 0, 0 },
		{ 0x1a, 0x8000000000000320, 4e9, 4e9 }, { 0x1b, 0x8000000000000320, 4e9, 4e9 },
		{ 0x16, 0x8000000000000890, 0, 0 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		char *text = textf(FIRST_LINE "msr 0 c0010064 %llx\nmsr 0 c0010066 %llx\nend\n",
				   t[i].value, t[i].value);

		replay_text_of(text);
		M.family = t[i].family;
		M.has = F(AMD);
		CHECK(amd_pstate_hz(0) == t[i].p0 && amd_pstate_hz(2) == t[i].p2,
		      "case %zu: %g and %g Hz", i, amd_pstate_hz(0), amd_pstate_hz(2));
		CHECK(amd_pstate_hz(1) <= 0, "a register that is not there");
		M.has = F(INTEL);
		CHECK(amd_pstate_hz(0) <= 0, "not AMD");
		free(text);
	}
}

/* Family, model and features of CPUID words. */
static void test_identity(void)
{
	static const struct { u32 eax; int family, model, stepping; } t[] = {
		{ 0x000906ea, 6, 0x9e, 10 }, { 0x00800f82, 0x17, 0x08, 2 },
		{ 0x00870f10, 0x17, 0x71, 0 }, { 0x00a20f12, 0x19, 0x21, 2 },
		{ 0x00b40f40, 0x1a, 0x44, 0 }, { 0x000006d8, 6, 0x0d, 8 },
		{ 0x00000f4a, 15, 4, 10 }, { 0x00400f10, 0x13, 0x01, 0 }, { 0x00000543, 5, 4, 3 },
		{ 0x000f0543, 5, 4, 3 }, { 0x0fff0fff, 15 + 255, 255, 15 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		char *text = textf(
			FIRST_LINE
			"cpuid * 0 0 16 756e6547 6c65746e 49656e69\ncpuid * 1 0 %x 0 0 0\nend\n",
			t[i].eax);

		replay_text_of(text);
		read_identity(0);
		CHECK(M.family == t[i].family && M.model == t[i].model &&
			      M.stepping == t[i].stepping,
		      "0x%x: %d:%d:%d", t[i].eax, M.family, M.model, M.stepping);
		CHECK(M.vendor == VENDOR_INTEL && !strcmp(M.vendor_name, "GenuineIntel") &&
			      M.max_leaf == 0x16,
		      "0x%x: vendor", t[i].eax);
		free(text);
	}
	replay_text_of(
		FIRST_LINE
		"cpuid * 0 0 5 0 0 0\ncpuid * 6 0 ffffffff ffffffff ffffffff ffffffff\n"
		"cpuid * 7 0 ffffffff ffffffff ffffffff ffffffff\n"
		"cpuid * 15 0 1 1 1 1\ncpuid * 16 0 1 1 1 1\ncpuid * 1a 0 20000000 0 0 0\n"
		"cpuid * 80000000 0 ffffffff 0 0 0\ncpuid * 80000007 0 1 1 1 1\n"
		"cpuid * 80000026 0 40000000 0 0 0\nend\n");
	M.vendor = VENDOR_OTHER;
	M.has = 0;
	read_identity(0);
	read_cpuid_features(0);
	CHECK(M.has == F(NOT_AMD) && !M.max_ext, "leaves above the maximum are believed: 0x%llx",
	      M.has);
	SAME(M.leaf[LEAF_15][0], 0);
	SAME(M.leaf[LEAF_16][0], 0);
	SAME(M.leaf[LEAF_E7][0], 0);
	M.has = F(INTEL);
	SAME(read_core_type(0), 0);
	M.has = F(AMD);
	SAME(read_core_type(0), 0);
}

/* The L2 events of AMD's processors are those of the families that are known. */
static void test_l2_events(void)
{
	static const struct { int family; bool known; } t[] = {
		{ 0x16, false }, { 0x17, true }, { 0x19, true }, { 0x1a, true }, { 0x1b, false },
	};

	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		become(VENDOR_AMD, t[i].family, 1);
		CHECK(l2_events() == (t[i].known ? &l2_zen : NULL), "family 0x%x", t[i].family);
	}
	become(VENDOR_INTEL, 0x17, 1);
	CHECK(!l2_events(), "a family of Intel's");
}

/* The CPUs that are online: where sysfs lists none, those of /proc/stat. */
static void test_online(void)
{
	static const struct { const char *list; u64 want; } t[] = {
		{ "0-1,5\\n", 0x23 }, { "\\n", 0x89 }, { "0-\\n", 0x89 }, { NULL, 0x89 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		struct cpuset set = { { ~0ull } };

		replay_text_of(textf(FIRST_LINE "file %s \"%s\"\nfile /proc/stat "
				     "\"cpu  9 9\\ncpu0 1 1\\ncpu3 1 1\\ncpu7 1 1\\n\"\nend\n",
				     t[i].list ? SYS_CPU "online" : "/no",
				     t[i].list ? t[i].list : ""));
		SAME(read_online(&set), 1);
		CHECK(set.w[0] == t[i].want, "case %zu: %llx", i, set.w[0]);
	}
}

/* ======================================================================== *
 * 4. TABLES
 * ======================================================================== */

/* Columns: their order, their names, the counters that they refer to. */
static void test_column_table(void)
{
	bool used[NCOUNTERS] = { false };

	for (size_t i = 0; i < ARRAY_SIZE(column_table); i++) {
		const struct column *c = &column_table[i];
		bool watts = c->formula == V_PER_SECOND && is_energy(&counter_table[c->a]),
		     joules = c->formula == V_AMOUNT && c->flags == JOULES;

		CHECK(c->name && *c->name && !strpbrk(c->name, " \t,\n\"\\"),
		      "column %zu has a bad name", i);
		CHECK(c->help && *c->help && c->help[strlen(c->help) - 1] != '.' &&
			      !strpbrk(c->help, "\t\n"),
		      "%s: help", c->name);
		CHECK(c->unit, "%s: no unit", c->name);
		CHECK(*c->unit || c->formula == V_ID || c->formula == V_APIC ||
			      c->formula == V_X2APIC || c->formula == V_RATIO,
		      "%s: an empty unit", c->name);
		CHECK(!strchr(c->name, '%') || !strcmp(c->unit, "%"), "%s: unit %s", c->name,
		      c->unit);
		CHECK(watts == !strcmp(c->unit, "W") || c->flags == WATTS, "%s: unit %s", c->name,
		      c->unit);
		CHECK(joules == !strcmp(c->unit, "J") && joules == (c->flags == JOULES),
		      "%s: unit %s", c->name, c->unit);
		CHECK(!i || column_table[i - 1].scope == c->scope ||
			      (c->scope == CORE && column_table[i - 1].scope == CPU) ||
			      (c->scope == L3 && column_table[i - 1].scope == CORE) ||
			      (c->scope == PACKAGE && column_table[i - 1].scope == L3) ||
			      (c->scope == SYSTEM && column_table[i - 1].scope == PACKAGE),
		      "%s: a scope out of order", c->name);
		CHECK(!i || c->scope <= column_table[i - 1].scope,
		      "%s stands behind a column of a larger unit", c->name);
		for (size_t k = 0; k < i; k++)
			CHECK(strcmp(column_table[k].name, c->name) ||
				      !strcmp(c->name, "CorWatt") || !strcmp(c->name, "Cor_J") ||
				      !strcmp(c->name, "GFXWatt") || !strcmp(c->name, "L2%hit"),
			      "%s stands twice", c->name);
		if (is_plain(c))
			continue;
		CHECK(c->a >= 0 && c->a < NCOUNTERS && c->b >= NONE && c->b < NCOUNTERS,
		      "%s: counters %d and %d", c->name, c->a, c->b);
		CHECK((c->b != NONE) == (formula_table[c->formula].per >= PER_A),
		      "%s: a second counter", c->name);
		used[c->a] = true;
		if (c->b != NONE)
			used[c->b] = true;
		CHECK(counter_table[c->a].scope <= c->scope || counter_table[c->a].scope == DIE,
		      "%s: a counter of a smaller unit", c->name);
		CHECK(counter_table[c->a].kind == COUNT || c->formula == V_AMOUNT,
		      "%s: a gauge is not a count", c->name);
		CHECK(!joules || counter_table[c->a].fold == SUM, "%s: energies are summed",
		      c->name);
	}
	for (int k = 0; k < NCOUNTERS; k++)	/* others are derived from the two named here */
		CHECK(used[k] || k == CT_BUSY_TICKS || k == CT_CPU_KHZ,
		       "counter %s is in no column", counter_table[k].name);
}

/* Counters: names, ways, widths. */
static void test_counter_table(void)
{
	for (int k = 0; k < NCOUNTERS; k++) {
		const struct counter *c = &counter_table[k];

		CHECK(c->name && *c->name && !strpbrk(c->name, "\t\n:"),
		      "counter %d has a bad name", k);
		CHECK(c->way[0].kind != NO_WAY, "%s has no way", c->name);
		for (int i = 0; i < MAX_WAYS && c->way[i].kind != NO_WAY; i++) {
			enum way_kind kind = c->way[i].kind;

			CHECK(way_kinds[kind].begin || way_kinds[kind].use,
			      "%s: way %d is of a kind without a row", c->name, i);
			CHECK(way_kinds[kind].words || kind == BY_PERF || kind == BY_MSR ||
				      kind == BY_FILE || kind == BY_PMT,
			      "%s: --explain has no words for way %d", c->name, i);
		}
		CHECK(c->bits == 32 || c->bits == 64, "%s wraps at %d bits", c->name, c->bits);
		CHECK(c->scope < NSCOPES && c->fold <= MAX, "%s: scope %d, fold %d", c->name,
		      c->scope, c->fold);
		CHECK(c->kind == COUNT || c->bits == 64, "%s: a gauge that wraps", c->name);
		CHECK(c->rapl_unit == PLAIN || c->bits == 32, "%s: RAPL counters have 32 bits",
		      c->name);
		for (int i = 0; i < k; i++)
			CHECK(strcmp(counter_table[i].name, c->name), "%s stands twice", c->name);
		for (int i = 1, gap = 0; i < MAX_WAYS; i++) {
			gap |= c->way[i].kind == NO_WAY;
			CHECK(!gap || c->way[i].kind == NO_WAY, "%s: a gap in the ways", c->name);
		}
		for (int i = 0; i < MAX_WAYS; i++) {
			const struct way *w = &c->way[i];

			CHECK(w->kind != BY_MSR || w->msr, "%s: way %d has no register", c->name,
			      i);
			CHECK(w->kind != BY_PERF || w->pmu, "%s: way %d has no PMU", c->name, i);
			CHECK(w->kind != BY_FILE || w->find || w->path, "%s: way %d has no path",
			      c->name, i);
		}
	}
}

/* Places of generated columns, groups, steps of the header. */
static void test_other_tables(void)
{
	for (size_t i = 0; i < ARRAY_SIZE(generated_table) + NSCOPES * 3; i++) {
		size_t added = i - ARRAY_SIZE(generated_table);
		const struct place *p = i < ARRAY_SIZE(generated_table)
						? &generated_table[i].place
						: &added_places[added / 3][added % 3];
		bool found = !p->after;

		for (size_t k = 0; k < ARRAY_SIZE(column_table) && p->after; k++)
			found |= !strcmp(column_table[k].name, p->after);
		CHECK(found, "no column %s to stand behind", p->after);
	}
	for (size_t i = 0; i < ARRAY_SIZE(group_names); i++)
		for (size_t k = 0; k < ARRAY_SIZE(column_table); k++)
			CHECK(strcmp(group_names[i].name, column_table[k].name),
			      "%s is a group and a column", group_names[i].name);
	CHECK(ARRAY_SIZE(levels) == NIDS && ARRAY_SIZE(scope_names) == NSCOPES, "sizes");
	/* groups */
	SAME(groups_of("power"), G_POWER);
	SAME(groups_of("idle"), (G_HWIDLE | G_IDLE));
	SAME(groups_of("Power"), 0);
	SAME(groups_of(""), 0);
	CHECK(is_known("POLL") && is_known("POLL%") && is_known("C1") && is_known("C10-") &&
		      is_known("C1E+") && !is_known("CPU%c1") && !is_known("C") &&
		      !is_known("CoreTmp") && !is_known(""),
	      "names of idle states, where there are no columns");
	tables_init();
	for (size_t i = 0; i < ARRAY_SIZE(column_table); i++)
		CHECK(is_known(column_table[i].name), "%s is not known", column_table[i].name);
	SAME(is_known("Foo"), 0);
	SAME(is_known("cpu"), 0);
	CHECK(is_known("cpuidle"), "known words");
	CHECK(is_known("C6%"), "known words");
	CHECK(is_known("all"), "known words");
}

/* ======================================================================== *
 * 5. PLAN
 * ======================================================================== */

/* Names of idle states as columns. */
static void test_idle_name(void)
{
	static const struct { const char *name, *want; } t[] = {
		{ "POLL", "POLL" }, { "C1", "C1" }, { "C1-HSW", "C1" }, { "C1_ACPI", "C1ACPI" },
		{ "C1E-SKL", "C1E" }, { "haltpoll idle", "haltpoll_idle" },
		{ "a,b", "a_b" }, { "a\tb", "a_b" }, { "", "" }, { "-HSW", "" }, { "_", "" },
		{ "ACPI FFH MWAIT 0x0", "ACPIFFH" }, { "C6N-MIN", "C6N" },
	};
	char name[64], small[4];

	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		idle_name(t[i].name, name, sizeof(name));
		if (!strcmp(t[i].name, "ACPI FFH MWAIT 0x0"))
			CHECK(!strcmp(name, "ACPI_FFH_MWAIT_0x0"), "'%s': '%s'", t[i].name, name);
		else
			CHECK(!strcmp(name, t[i].want), "'%s': '%s', not '%s'", t[i].name, name,
			      t[i].want);
	}
	idle_name("ABCDEFGH", small, sizeof(small));
	CHECK(!strcmp(small, "ABC"), "a name that does not fit: '%s'", small);
}

/* How far one word is from another. */
static void test_word_distance(void)
{
	static const struct { const char *a, *b; int want; } t[] = {
		{ "", "", 0 }, { "IPC", "IPC", 0 }, { "ipc", "IPC", 3 }, { "Busy", "Busy%", 2 },
		{ "Busy%", "Busy", 2 }, { "Avg_MHz", "Avg-MHz", 2 },
		{ "PkgWat", "PkgWatt", 2 }, { "pkgwatt", "PkgWatt", 2 }, { "", "abc", 6 },
		{ "abc", "", 6 }, { "kitten", "sitting", 6 },
		{ "0123456789012345678901234567890", "x", 99 },
		{ "x", "0123456789012345678901234567890", 99 },
		{ "012345678901234567890123456789", "012345678901234567890123456789", 0 },
		{ "", "012345678901234567890123456789", 60 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		int got = word_distance(t[i].a, t[i].b);

		CHECK(got == t[i].want, "'%s' to '%s': %d, not %d", t[i].a, t[i].b, got, t[i].want);
	}
}

/* Devices stand in the order of their numbers. */
static void test_by_name(void)
{
	char *name[] = { textf("telem10"),  textf("telem2"),  textf("telem0"),
			 textf("telem100"), textf("telem11"), textf("telem1") };
	static const char *const want[] = { "telem0",  "telem1",  "telem2",
					    "telem10", "telem11", "telem100" };

	qsort(name, ARRAY_SIZE(name), sizeof(*name), by_name);
	for (size_t i = 0; i < ARRAY_SIZE(name); i++)
		CHECK(!strcmp(name[i], want[i]), "%zu: %s, not %s", i, name[i], want[i]);
}

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
		{ "both", 0, { 0xff24 } }, { "nested", 0, { 0x4ff24 } },
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
		{ "broken=1", -EINVAL, { 0 } }, { "loop", -EINVAL, { 0 } }, { "a", -EINVAL, { 0 } },
		{ "../type", -EINVAL, { 0 } }, { "event=-1", -EINVAL, { 0 } },
		{ "event=1 ", -EINVAL, { 0 } }, { "config4=1", -ENOENT, { 0 } },
		{ "config12=1", -ENOENT, { 0 } }, { "config0=1", -ENOENT, { 0 } },
		{ "event=1=2", -EINVAL, { 0 } },
		{ "empty", -EINVAL, { 0 } }, { "spread", 0, { 0xc0 } }, { "fan", -EINVAL, { 0 } },
	};
	struct resolved *r;

	replay_text_of(FIRST_LINE PMU_FILES "end\n");
	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		u64 config[4] = { 0 };
		struct terms d = { .pmu = "p", .config = config, .left = MOST_TERMS };
		int err = parse_terms(&d, t[i].terms, false);

		CHECK(err == t[i].err, "'%s': %d, not %d", t[i].terms, err, t[i].err);
		CHECK(err || !memcmp(config, t[i].want, sizeof(config)),
		      "'%s': 0x%llx,0x%llx,0x%llx,0x%llx", t[i].terms, config[0], config[1],
		      config[2], config[3]);
	}
	r = find_event("p", "inst", 0);
	CHECK(!r->err && r->event.type == 42 && r->event.config[0] == 0xc0 &&
		      r->scale == 2.3283064365386962890625e-10 && r->joules && !r->snapshot,
	      "an event with a unit");
	SAME(find_event("p", "inst", 0), r);
	CHECK(find_event("p", "event=0xc0", 0) != r, "an event is decoded once");
	r = find_event("p", "both", 0);
	CHECK(r->err == -EINVAL && r->snapshot, "a scale of 0: %d", r->err);
	r = find_event("nopmu", "inst", 0);
	CHECK(r->err == -ENOENT, "an event of no PMU: %d", r->err);
	r = find_event("hw", NULL, 9);
	CHECK(!r->err && r->event.type == PERF_TYPE_HARDWARE && r->event.config[0] == 9 &&
		      r->scale == 1,
	      "a generic event");
}

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

/* ======================================================================== *
 * 6. SAMPLE
 * ======================================================================== */

/* A counter that wraps goes on. */
static void test_extend(void)
{
	static const struct { u64 last, raw, modulus, want; } t[] = {
		{ 0, 5, 1ull << 32, 5 }, { 0xfffffff0, 0x10, 1ull << 32, 0x100000010 },
		{ 0x1fffffff0, 0x10, 1ull << 32, 0x200000010 },
		{ 7, 7, 1ull << 32, 7 }, { 0x100000007, 7, 1ull << 32, 0x100000007 },
		{ 8, 7, 1ull << 32, 0x100000007 },
		{ 999, 1, 1000, 1001 }, { 262143328850, 10, 262143328851, 262143328861 },
		{ 5, 0, 1, 5 }, { 0, 0, 1, 0 }, { 3, 2, 2, 4 },
		{ 10, 1ull << 40, 1ull << 32, 1ull << 32 },
	};
	u64 seed = 1;

	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		u64 got = extend_count(t[i].last, t[i].raw, t[i].modulus);

		CHECK(got == t[i].want, "%llu, then %llu modulo %llu: %llu, not %llu", t[i].last,
		      t[i].raw, t[i].modulus, got, t[i].want);
	}
	for (int bits = 1; bits < 64;
	     bits++) /* every width; and moduli that are no powers of two */
		for (int n = 0; n < 300; n++) {
			u64 modulus = n & 1 ? 1ull << bits
					    : next_random(&seed) % (1ull << bits) + 1;
			u64 last = next_random(&seed) >> 1, step = next_random(&seed) % modulus,
			    want = last + step;

			if (want < last)
				continue;
			CHECK(extend_count(last, want % modulus, modulus) == want,
			      "%llu + %llu modulo %llu", last, step, modulus);
		}
}

/* Raw values to kept ones. */
static void test_decode(void)
{
	static const struct { enum decode how; u64 raw; bool ok; u64 want; } t[] = {
		{ AS_IS, ~0ull, true, ~0ull },
		{ THERMAL, 0x88000000, true, 100 }, { THERMAL, 0x88320000, true, 50 },
		{ THERMAL, 0x88640000, true, 0 }, { THERMAL, 0x88650000, false, 0 },
		{ THERMAL, 0x08320000, false, 0 }, { THERMAL, 0, false, 0 },
		{ THERMAL, 0xffffffff88320000, true, 50 }, { THERMAL, 0x887f0000, false, 0 },
		{ MILLI, 45000, true, 45 }, { MILLI, 45999, true, 45 }, { MILLI, 0, true, 0 },
		{ MILLI, 150999, true, 150 }, { MILLI, 151000, false, 0 },
		{ MILLI, (u64)-1000, false, 0 }, { MILLI, 1ull << 63, false, 0 },
	};
	int tjmax[] = { 100, 255 }, lead[] = { 0, 1 };

	become(VENDOR_INTEL, 6, 0x3c);	/* a readout of 7 bits */
	M.tjmax = tjmax;
	M.lead[PACKAGE] = lead;
	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		struct op op = { .way = &(struct way){ .decode = t[i].how } };
		u64 v = t[i].raw;
		bool ok = decode_value(&op, 0, &v);

		CHECK(ok == t[i].ok && (!ok || v == t[i].want), "way %d, 0x%llx: %d, %llu",
		      t[i].how, t[i].raw, ok, v);
	}
	for (u64 below = 0; below < 128; below++) { /* 255 - 105 = 150 is the hottest that can be */
		struct op op = { .way = &(struct way){ .decode = THERMAL } };
		u64 v = 1ull << 31 | below << 16;

		CHECK(decode_value(&op, 1, &v) == (below >= 105), "%llu below 255 C", below);
	}
	for (u64 v = 0; v < 2; v++)
		for (int of_user = 0; of_user < 2; of_user++) {
			struct way w = { .of_user = of_user };
			struct op op = { .kind = BY_FILE, .way = &w };
			u64 number = v ? (u64)-5 : 5;

			CHECK(decode_value(&op, 0, &number) == (!v || of_user),
			      "a file %s: %lld", of_user ? "of the user's" : "", (i64)number);
			op.kind = BY_MSR;
			CHECK(decode_value(&op, 0, &number), "a register with all its bits");
		}
	become(VENDOR_INTEL, 6, 0x8f);	/* 7 bits for a core, 8 for the package */
	/* bits of the readout */
	SAME(readout(0x88850000, false), 5);
	SAME(readout(0x88850000, true), 133);
}

/* Counts of events that shared a hardware counter: each interval is scaled by its own times. */
static void test_continue_count(void)
{
	static const struct {
		struct perf_value first, next;
		u64 want;
		enum validity state;
		bool shared;
	} t[] = {
		{ { 100, 0, 0 }, { 150, 0, 0 }, 150, VALID, false },
		{ { 100, 50, 50 }, { 200, 100, 100 }, 200, VALID, false },
		{ { 100, 50, 50 }, { 200, 100, 75 }, 300, VALID, true },
		{ { 100, 50, 25 }, { 200, 100, 75 }, 300, VALID, false },
		{ { 100, 50, 50 }, { 100, 100, 50 }, 100, UNKNOWN, false },
		{ { 1000, 50, 50 }, { 1010, 100, 75 }, 1020, VALID, true },
		{ { 1000, 50, 50 }, { 10, 100, 100 }, 1000, BEGINS, false },
		{ { 1000, 50, 50 }, { 1001, 5, 5 }, 1000, BEGINS, false },
	};

	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		struct member m = { .sum = 0 };
		bool shared;
		enum validity state = continue_count(&m, &t[i].first, &shared);

		CHECK(state == VALID, "case %zu: the first reading is refused", i);
		state = continue_count(&m, &t[i].next, &shared);
		CHECK(state == t[i].state && (state != VALID || shared == t[i].shared) &&
			      m.sum == t[i].want,
		      "case %zu: %d, %d, %llu, not %llu", i, state, shared, m.sum, t[i].want);
	}
}

/* Makes a machine of n CPUs, each a row. */
static void rows_of_cpus(int n)
{
	M.n = n;
	M.row = zeroed(MAX_CPU, sizeof(int));
	M.cpu = zeroed((size_t)n, sizeof(int));
	memset(M.row, -1, MAX_CPU * sizeof(int));
	for (int i = 0; i < n; i++)
		M.row[i] = M.cpu[i] = i;
	samples_alloc();
}

/*
 * /proc/interrupts: gaps, short lines, long labels, no newline at the end, CPUs that are not
 * measured.
 */
static void test_interrupts(void)
{
	static const char label[] =
		"aaaaaaaaaabbbbbbbbbbccccccccccddddddddddeeeeeeeeee"
		"ffffffffffgggggggggghhhhhhhhhhiiiiiiiiiijjjjjjjjjj"
		"aaaaaaaaaabbbbbbbbbbccccccccccddddddddddeeeeeeeeee"
		"ffffffffffgggggggggghhhhhhhhhhiiiiiiiiiijjjjjjjjjj";
	static const struct { const char *text; u64 irq[4], nmi[4]; const char *valid; } t[] = {
		{ "", { 0 }, { 0 }, "0000" },
		{ "\n", { 0 }, { 0 }, "0000" },
		{ "           CPU0       CPU1       CPU2       CPU3\n"
		  "  0: 1 2 3 4  IO-APIC 2-edge timer\nNMI: 5 6 7 8 Non-maskable interrupts\n",
		  { 6, 8, 10, 12 }, { 5, 6, 7, 8 }, "1111" },
		/* no newline at the end */
		{ "CPU0 CPU1 CPU2 CPU3\n0: 1 2 3 4", { 1, 2, 3, 4 }, { 0 }, "1111" },
		{ "CPU0 CPU1 CPU2 CPU3\n0: 1 2 3 4\nNM", { 1, 2, 3, 4 }, { 0 }, "1111" },
		{ "CPU0 CPU1 CPU2 CPU3", { 0 }, { 0 }, "1111" },
		/* CPU 1 and 3 are offline */
		{ "CPU0 CPU2\n0: 1 2 IO-APIC\n", { 1, 0, 2, 0 }, { 0 }, "1010" },
		{ "CPU3 CPU0\n0: 1 2 IO-APIC\n", { 2, 0, 0, 1 }, { 0 }, "1001" },
		/* not measured, out of range */
		{ "CPU0 CPU4 CPU9999 CPU1\n0: 1 20 30 4\n", { 1, 4, 0, 0 }, { 0 }, "1100" },
		{ "CPU0 CPU99999999999999999999 CPU1\n0: 1 30 4\n", { 1, 4, 0, 0 }, { 0 }, "1100" },
		{ "CPU0 CPU CPU1\n0: 1 30 4\n", { 1, 4, 0, 0 }, { 0 }, "1100" },
		/* lines of one number */
		{ "CPU0 CPU1 CPU2 CPU3\nERR: 7\nMIS: 3\n", { 10, 0, 0, 0 }, { 0 }, "1111" },
		/* short and long lines */
		{ "CPU0 CPU1 CPU2 CPU3\n0: 1 2\n1: 1 2 3 4 5 6\n", { 2, 4, 3, 4 }, { 0 }, "1111" },
		{ "CPU0 CPU1\n0: 1 2  IO-APIC 8-edge rtc0\n\n\n:\n::: 5\n1:\n2: \n3: x 4\n"
		  "no colon 7 8\n", { 1, 2, 0, 0 }, { 0 }, "1100" },
		{ "CPU0 CPU1\nNMI: 1 2\nNMIX: 10 20\nXNMI: 100 200\n", { 111, 222, 0, 0 },
		  { 11, 22, 0, 0 }, "1100" },
		/* sums wrap */
		{ "CPU0 CPU1\n0: 18446744073709551615 1\n1: 1 1\n", { 0, 2, 0, 0 }, { 0 }, "1100" },
		{ "CPU0 CPU1\n0:\t1 2\n", { 0 }, { 0 }, "1100" },
		{ "no header at all\n0: 1 2\n", { 0 }, { 0 }, "0000" },
	};
	char *long_line = textf(
		"CPU0 CPU1 CPU2 CPU3\n%s: 1 2 3 4 x\n5: 1 1 1 1  %s %s\nNMI: 9 9 9 9\n", label,
		label, label);

	rows_of_cpus(4);
	for (size_t i = 0; i <= ARRAY_SIZE(t); i++) {
		static const u64 sums[4] = { 11, 12, 13, 14 }, nines[4] = { 9, 9, 9, 9 };
		bool last = i == ARRAY_SIZE(t);
		const char *text = last ? long_line : t[i].text;
		const u64 *irq = last ? sums : t[i].irq, *nmi = last ? nines : t[i].nmi;
		char *copy = malloc(strlen(text) +
				    1); /* just as long as it is, for the sanitizer */

		memcpy(copy, text, strlen(text) + 1);
		sum_interrupts(copy, strlen(copy));
		for (int c = 0; c < 4; c++) {
			CHECK(R.irq[0][c] == irq[c] && R.irq[1][c] == nmi[c],
			      "case %zu, CPU %d: %llu and %llu, not %llu and %llu", i, c,
			      R.irq[0][c], R.irq[1][c], irq[c], nmi[c]);
			CHECK(R.irq_valid[c] == ((last ? "1111" : t[i].valid)[c] == '1'),
			      "case %zu, CPU %d: valid %d", i, c, R.irq_valid[c]);
		}
		free(copy);
	}
	free(long_line);
}

/* A header of more CPUs than there can be. */
static void test_many_interrupts(void)
{
	struct buf b = { 0 };

	rows_of_cpus(MAX_CPU);
	for (int i = 0; i < 2 * MAX_CPU; i++)
		buf_printf(&b, " CPU%d", i);
	buf_puts(&b, "\nLOC:");
	for (int i = 0; i < 2 * MAX_CPU; i++)
		buf_printf(&b, " %d", i);
	buf_puts(&b, "  Local timer interrupts\n");
	sum_interrupts(b.p, b.len);
	for (int i = 0; i < MAX_CPU; i++)
		CHECK(R.irq[0][i] == (u64)i, "CPU %d: %llu", i, R.irq[0][i]);
	free(b.p);
}

/* ======================================================================== *
 * 7. MATH
 * ======================================================================== */

/* The difference of two values. */
static void test_difference(void)
{
	static const struct way interrupts = { .kind = BY_INTERRUPTS }, reg = { .kind = BY_MSR };
	struct counter c = { .bits = 32, .chosen = &interrupts },
		       msr = { .bits = 32, .chosen = &reg };
	struct counter none = { .bits = 64 };
	static const struct { u64 old, new; bool irq; u64 want; bool other; } t[] = {
		{ 0, 0, true, 0, true }, { 1, 5, true, 4, true },
		{ 5, 1, false, 0xfffffffc, false }, { 0xffffffff, 0, true, 1, false },
		{ 0x1fffffff0, 0x100000005, true, 0x15, false },
		{ 0, ~0ull, false, 0xffffffff, false }, { 7, 7, true, 0, true },
		{ ~0ull, 4, true, 5, true },
	};

	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		u64 d;

		CHECK(find_difference(&c, t[i].old, t[i].new, &d) == t[i].irq && d == t[i].want,
		      "interrupts %llu to %llu: %llu", t[i].old, t[i].new, d);
		CHECK(find_difference(&msr, t[i].old, t[i].new, &d) == t[i].other &&
			      (!t[i].other || d == t[i].want),
		      "%llu to %llu: %llu", t[i].old, t[i].new, d);
		CHECK(find_difference(&none, t[i].old, t[i].new, &d) == t[i].other,
		      "no way: %llu to %llu", t[i].old, t[i].new);
	}
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
	};
	static const int siblings[8] = { 0, 0, 2, 2, 4, 4, 6, 6 };

	rows_of_cpus(8);
	for (int id = 0; id < NIDS; id++) {
		M.id[id] = zeroed(8, sizeof(int));
		memcpy(M.id[id], ids[id], sizeof(ids[id]));
	}
	M.siblings = zeroed(8, sizeof(int));
	memcpy(M.siblings, siblings, sizeof(siblings));
	for (enum scope s = 0; s < NSCOPES; s++)
		find_units(s);
	find_nesting();
	M.tsc_tweak = 1;
}

/* An interval of the small machine without a valid cell; every counter has a source. */
static struct interval empty_interval(void)
{
	size_t cells = (size_t)M.n * (size_t)T.ncounters;

	for (int k = 0; k < T.ncounters; k++)
		T.counter[k].chosen = T.counter[k].way;
	P.first_extra = P.ncells = (u32)cells;
	list_instances();
	return (struct interval){ .m = &M,
				  .t = &T,
				  .instance = P.instance,
				  .first_instance = P.first_instance,
				  .value = zeroed(cells, sizeof(u64)),
				  .valid = zeroed(cells, 1),
				  .row_seconds = zeroed((size_t)M.n, sizeof(double)) };
}

/*
 * Units are made by ids: those of one unit need not stand together, and what lies within what is
 * looked up.
 */
static void test_units(void)
{
	static const int modules[8] = { 0, 0, 1, 1, 0, 0, 1, 1 },
			 nodes[8] = { 0, 0, 1, 1, 2, 2, 2, 2 },
			 types[8] = { 'P', 'P', 'E', 'E', 'P', 'P', 'E', 'E' };
	static const struct { enum scope scope; int units; int lead[8]; } t[] = {
		{ SYSTEM, 1, { 0, 0, 0, 0, 0, 0, 0, 0 } },
		{ PACKAGE, 1, { 0, 0, 0, 0, 0, 0, 0, 0 } },
		{ MODULE, 2, { 0, 0, 2, 2, 0, 0, 2, 2 } },
		{ CORE, 4, { 0, 0, 2, 2, 4, 4, 6, 6 } }, { CPU, 8, { 0, 1, 2, 3, 4, 5, 6, 7 } },
		{ NODE, 3, { 0, 0, 2, 2, 4, 4, 4, 4 } },
		{ TYPE, 2, { 0, 0, 2, 2, 0, 0, 2, 2 } }, { L3, 1, { 0, 0, 0, 0, 0, 0, 0, 0 } },
	};
	static const struct { enum scope a, b; bool within; } nested[] = {
		{ CPU, CORE, true }, { CORE, MODULE, true }, { MODULE, CORE, false },
		{ MODULE, NODE, false }, { NODE, MODULE, false }, { MODULE, TYPE, true },
		{ PACKAGE, TYPE, false }, { CORE, NODE, true }, { NODE, PACKAGE, true },
		{ SYSTEM, PACKAGE, true },
	};

	small_machine();
	for (int row = 0; row < 8; row++) {
		M.id[ID_PACKAGE][row] = M.id[ID_DIE][row] = 0;
		M.id[ID_MODULE][row] = modules[row];
		M.id[ID_NODE][row] = nodes[row];
		M.id[ID_TYPE][row] = types[row];
	}
	for (enum scope s = 0; s < NSCOPES; s++)
		find_units(s);
	find_nesting();
	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		CHECK(M.units[t[i].scope] == t[i].units, "%s: %d units", scope_names[t[i].scope],
		      M.units[t[i].scope]);
		for (int row = 0; row < 8; row++)
			CHECK(M.lead[t[i].scope][row] == t[i].lead[row], "%s of row %d: %d",
			      scope_names[t[i].scope], row, M.lead[t[i].scope][row]);
	}
	for (size_t i = 0; i < ARRAY_SIZE(nested); i++)
		CHECK(M.within[nested[i].a][nested[i].b] == nested[i].within, "%s within %s",
		      scope_names[nested[i].a], scope_names[nested[i].b]);
	CHECK(M.units[MODULE] < M.units[CORE], "modules of two cores");
	for (int row = 0; row < 8; row++)
		M.id[ID_MODULE][row] = row / 2;
	find_units(MODULE);
	CHECK(M.units[MODULE] == M.units[CORE], "modules of one core");
}

/* A machine of which all units are alike: how many of each are in one of those before. */
struct shape {
	int packages, dies, modules, cores, threads;
	/* in what order CPUs have them; the last: in turn, and core ids are those of a die */
	enum { BY_CORE, BY_THREAD, BY_PACKAGE, BY_DIE } numbers;
};

/* How many cores it has. */
static int count_cores(const struct shape *s)
{
	return s->packages * s->dies * s->modules * s->cores;
}

/* The id that sysfs gives a CPU of it. */
static int id_of_cpu(const struct shape *s, enum id id, int cpu)
{
	int cores = count_cores(s);
	int parts = s->numbers == BY_DIE ? s->packages * s->dies : s->packages;
	int each = cores / parts;
	int core = s->numbers == BY_CORE     ? cpu / s->threads
		   : s->numbers == BY_THREAD ? cpu % cores
					     : cpu % parts * each + cpu / parts % each;
	int module = core / s->cores, die = module / s->modules;

	switch (id) {
	case ID_PACKAGE: return die / s->dies;
	case ID_DIE: return die % s->dies;
	case ID_L3: return die;
	case ID_MODULE: return module * s->cores;
	default: return core % each;
	}
}

/* The CPUs of its package that share an id with a CPU. */
static struct cpuset sharers_of(const struct shape *s, enum id id, int cpu)
{
	struct cpuset set = { { 0 } };

	for (int other = 0; other < count_cores(s) * s->threads; other++)
		if (id_of_cpu(s, id, other) == id_of_cpu(s, id, cpu) &&
		    (id != ID_CORE || id_of_cpu(s, ID_DIE, other) == id_of_cpu(s, ID_DIE, cpu)) &&
		    id_of_cpu(s, ID_PACKAGE, other) == id_of_cpu(s, ID_PACKAGE, cpu))
			set_add(&set, other);
	return set;
}

/* The lists of CPUs that a kernel has in sysfs beside the ids: all, those of old ones, none. */
enum lists { ALL_LISTS, OLD_LISTS, NO_LISTS };

static const enum id sysfs_ids[] = { ID_PACKAGE, ID_DIE, ID_L3, ID_MODULE, ID_CORE };

/* Replays a recording of such a machine, and lays out its rows. */
static void lay_out_shape(const struct shape *s, enum lists lists)
{
	struct buf b = { 0 };

	buf_puts(&b, FIRST_LINE);
	M.allowed = (struct cpuset){ { 0 } };
	for (int cpu = 0; cpu < count_cores(s) * s->threads; cpu++) {
		set_add(&M.allowed, cpu);
		for (size_t i = 0; i < ARRAY_SIZE(sysfs_ids); i++) {
			const struct level *l = &levels[sysfs_ids[i]];
			const char *list = lists == ALL_LISTS ? l->list : l->old_list;
			struct cpuset set = sharers_of(s, sysfs_ids[i], cpu);

			buf_printf(&b, "file %s \"%d\\n\"\n", cpu_path(cpu, l->id),
				   id_of_cpu(s, sysfs_ids[i], cpu));
			if (lists == NO_LISTS || !list)
				continue;
			buf_printf(&b, "file %s \"%s\\n\"\n", cpu_path(cpu, list), set_text(&set));
		}
	}
	buf_puts(&b, "end\n");
	replay_text_of(b.p);
	machine_topology();
	free(b.p);
}

static int files_asked_for;

/* The answer of the recording, which is counted. */
static int counted_text(int fd, const char *path, struct buf *b)
{
	files_asked_for++;
	return replay_text(fd, path, b);
}

/* As few files are read as the kernel's lists make possible: of a large machine, and of a small. */
static void test_topology_files(void)
{
	/* two files, an id and a list, for each package, die, L3, module and core */
	static const struct { struct shape shape; enum lists lists; int files; } t[] = {
		{ { 2, 1, 20, 1, 2, BY_THREAD }, ALL_LISTS, 2 * (2 + 2 + 2 + 40 + 40) },
		/* a third that is not there; the other three ids of the first and last CPUs */
		{ { 2, 1, 20, 1, 2, BY_THREAD }, OLD_LISTS, 3 * (2 + 40) + 3 * (2 + 2 * 2) },
		/* 16 modules are not large: each is asked */
		{ { 1, 1, 16, 1, 2, BY_CORE }, OLD_LISTS, 3 * (1 + 16) + 3 * (2 + 2) + 16 },
	};
	struct backend answers;

	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		lay_out_shape(&t[i].shape, t[i].lists);
		answers = replay;
		answers.text = counted_text;
		S.source = S.ask = &answers;
		files_asked_for = 0;
		machine_topology();
		SAME(files_asked_for, t[i].files);
	}
}

/* Whatever sysfs has beside the ids, the units are the same, and rows stand in their order. */
static void test_topology(void)
{
	static const struct shape shapes[] = {
		{ 1, 1, 4, 1, 2, BY_CORE }, { 2, 2, 2, 4, 1, BY_CORE },
		{ 2, 1, 4, 2, 2, BY_THREAD }, { 2, 1, 20, 1, 2, BY_THREAD },
		{ 2, 1, 20, 1, 1, BY_PACKAGE }, { 1, 1, 17, 1, 1, BY_CORE },
		{ 2, 1, 6, 4, 1, BY_PACKAGE }, { 1, 4, 8, 1, 2, BY_THREAD },
		{ 3, 2, 1, 3, 2, BY_PACKAGE }, { 1, 2, 9, 1, 1, BY_CORE },
		{ 1, 2, 2, 2, 2, BY_DIE }, { 2, 3, 1, 2, 1, BY_DIE },
	};

	for (size_t i = 0; i < 3 * ARRAY_SIZE(shapes); i++) {
		const struct shape *s = &shapes[i / 3];
		int before = 0, dies = s->packages * s->dies;

		lay_out_shape(s, (enum lists)(i % 3));
		SAME(M.units[PACKAGE], s->packages);
		SAME(M.units[DIE], dies);
		SAME(M.units[L3], dies);
		SAME(M.units[MODULE], dies * s->modules);
		SAME(M.units[CORE], count_cores(s));
		SAME(M.show_id[ID_MODULE], dies * s->modules > 1);
		SAME(M.plain_id[ID_MODULE], s->cores == 1);
		SAME(M.plain_id[ID_L3], s->dies == 1);
		for (int row = 0; row < M.n; row++) {
			int cpu = M.cpu[row];
			struct cpuset siblings = sharers_of(s, ID_CORE, cpu);
			int core = set_next(&siblings, 0);
			int die = id_of_cpu(s, ID_PACKAGE, cpu) * s->dies +
				  id_of_cpu(s, ID_DIE, cpu);
			int at = die * count_cores(s) + id_of_cpu(s, ID_CORE, cpu);

			for (size_t k = 0; k < ARRAY_SIZE(sysfs_ids); k++)
				CHECK(M.id[sysfs_ids[k]][row] == id_of_cpu(s, sysfs_ids[k], cpu),
				      "shape %zu, lists %zu: %s of cpu%d: %d", i / 3, i % 3,
				      levels[sysfs_ids[k]].id, cpu, M.id[sysfs_ids[k]][row]);
			CHECK(M.siblings[row] == core, "shape %zu, lists %zu: core of cpu%d: cpu%d",
			      i / 3, i % 3, cpu, M.siblings[row]);
			CHECK(at >= before, "shape %zu, lists %zu: place of cpu%d", i / 3,
			      i % 3, cpu);
			before = at;
		}
	}
}

/* Of a directory those count that are a name and a number, in the order of the numbers. */
static void test_list_numbered(void)
{
	static const char *const names[] = { "card10", "card2", "card2-DP-1", "card", "cardx",
					     "card0x", "renderD128", "card007" };
	static const char *const want[] = { "card007", "card2", "card10" };
	struct buf b = { 0 };
	struct names l;

	buf_puts(&b, FIRST_LINE);
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		buf_printf(&b, "file /sys/class/drm/%s/x \"1\\n\"\n", names[i]);
	buf_puts(&b, "end\n");
	replay_text_of(b.p);
	l = list_numbered("/sys/class/drm", "card");
	SAME(l.n, ARRAY_SIZE(want));
	for (size_t i = 0; i < l.n && i < ARRAY_SIZE(want); i++)
		CHECK(!strcmp(l.name[i], want[i]), "%zu: %s", i, l.name[i]);
	l = list_numbered("/sys/class/none", "card");
	SAME(l.n, 0);
}

/* Which ids have a column: those that tell CPUs apart. */
static void test_shown_ids(void)
{
	static const struct { enum id id; int v[8]; bool show, plain; } t[] = {
		/* a node for each package */
		{ ID_NODE, { 0, 0, 0, 0, 0, 0, 0, 0 }, false, false },
		{ ID_NODE, { 0, 0, 0, 0, 1, 1, 1, 1 }, false, false },
		{ ID_NODE, { 0, 0, 1, 1, 2, 2, 2, 2 }, true, false },
		{ ID_MODULE, { 3, 3, 3, 3, 3, 3, 3, 3 }, false, false },
		{ ID_MODULE, { 0, 0, 1, 1, 0, 0, 1, 1 }, true, true },
		{ ID_MODULE, { 0, 0, 0, 0, 1, 1, 1, 1 }, true, false },
		{ ID_DIE, { 0, 0, 0, 0, 0, 0, 0, 0 }, false, false },
		{ ID_DIE, { 0, 0, 1, 1, 0, 0, 0, 0 }, true, false },
		{ ID_L3, { 0, 0, 0, 0, 1, 1, 1, 1 }, true, true },
		{ ID_L3, { 0, 0, 1, 1, 2, 2, 2, 2 }, true, false },
		{ ID_CORE, { 0, 0, 0, 0, 0, 0, 0, 0 }, true, false },
	};

	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		small_machine();
		memcpy(M.id[t[i].id], t[i].v, sizeof(t[i].v));
		for (enum scope s = 0; s < NSCOPES; s++)
			find_units(s);
		find_shown_ids();
		CHECK(M.show_id[t[i].id] == t[i].show && M.plain_id[t[i].id] == t[i].plain,
		      "case %zu: %d %d", i, M.show_id[t[i].id], M.plain_id[t[i].id]);
	}
}

/* The x2APIC id of a CPU, by the leaf that it has; one above the maximum says nothing. */
static void test_x2apic(void)
{
	static const struct { u64 vendor; u32 max_leaf, max_ext, extensions, want; } t[] = {
		{ F(INTEL), 0xb, 0, 0, 7 }, { F(INTEL), 0xa, 0x8000001e, 1u << 22, 0 },
		{ F(AMD), 0xb, 0x8000001e, 1u << 22, 9 }, { F(AMD), 0xb, 0x8000001e, 1u << 21, 0 },
		{ F(AMD), 0xb, 0x8000001d, 1u << 22, 0 }, { F(NOT_AMD), 0xb, 0x8000001e, ~0u, 0 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		char *text = textf(FIRST_LINE "cpuid * 1 0 0 5000000 0 0\ncpuid * b 0 0 0 0 7\n"
				   "cpuid * 80000001 0 0 0 %x 0\ncpuid * 8000001e 0 9 0 0 0\n"
				   "end\n", t[i].extensions);

		replay_text_of(text);
		small_machine();
		M.has = t[i].vendor;
		M.max_leaf = t[i].max_leaf;
		M.max_ext = t[i].max_ext;
		machine_visit();
		SAME(M.visited[7].apic, 5);
		CHECK(M.visited[7].x2apic == t[i].want, "case %zu: %u", i, M.visited[7].x2apic);
		free(text);
	}
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

/*
 * Which file tells the temperature of a unit: by what labels say, in the order of devices where
 * they say nothing.  The small machine, of which each core of AMD's has a level 3 cache.
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
		{ true, { "hwmon5 zenpower Tccd1", "hwmon6 zenpower Tdie",
			  "hwmon7 zenpower Tdie" }, "package",
		  { "hwmon6/temp1", "hwmon6/temp1", "hwmon7/temp1", "hwmon7/temp1" } },
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
		buf_puts(&b, "end\n");
		replay_text_of(b.p);
		M.has = t[i].amd ? F(AMD) : F(INTEL);
		for (int row = 0; row < 8; row++)
			M.id[ID_L3][row] = row / 2;
		find_units(L3);
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

/* Replays a recording of files below a directory: "PATH=NUMBER-OR-WORD ...". */
static void replay_files(const char *dir, const char *files)
{
	char *words = textf("%s", files), *save = NULL;
	struct buf b = { 0 };

	buf_puts(&b, FIRST_LINE);
	for (char *w = strtok_r(words, " ", &save); w; w = strtok_r(NULL, " ", &save))
		buf_printf(&b, "file /sys/%s/%.*s \"%s\\n\"\n", dir, (int)strcspn(w, "="), w,
			   strchr(w, '=') + 1);
	buf_puts(&b, "end\n");
	replay_text_of(b.p);
	M.dev = (struct devices){ 0 };
	free(words);
	free(b.p);
}

#define XE(card, gt) card "/device/tile0/gt" gt
#define UNCORE "devices/system/cpu/intel_uncore_frequency"

/* Which file of a driver is taken for what: of graphics, energy, the uncore. */
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
		{ "class", "", find_drm, "act", 0,
		  "graphics/fb0/device/drm/card0/gt_act_freq_mhz" },
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
		{ UNCORE, clusters, find_cluster, "0.0", 0, "uncore00/current_freq_khz" },
		{ UNCORE, clusters, find_cluster, "0.0", 6, "uncore01/current_freq_khz" },
		{ UNCORE, clusters, find_cluster, "1.10", 4, "uncore02/current_freq_khz" },
		{ UNCORE, clusters, find_cluster, "1.10", 0, NULL },
		{ UNCORE, clusters, find_cluster, "2.0", 4, NULL },	/* behind a hole */
		{ "class/hwmon", "hwmon0/name=amdgpu hwmon0/freq1_input=1 hwmon0/freq2_input=2 "
		  "hwmon11/name=amdgpu hwmon11/freq1_input=3", find_amdgpu, "freq1_input", 0,
		  "hwmon11/freq1_input" },
		{ "class/hwmon", "hwmon0/name=amdgpu", find_amdgpu, "freq1_input", 0, NULL },
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
	M.dev.listed = 0;	/* as after a driver has come: they are there once */
	SAME(count_regions(0x10), 3);
}

/* Folds over units, with cells that are not valid. */
static void test_gather(void)
{
	static const struct {
		enum scope scope;
		enum fold fold;
		const char *cells;
		enum scope view;
		int row;
		bool ok;
		u64 want;
	} t[] = {
		/* cells: one digit for each row, '-' = not valid */
		{ CPU, SUM, "12345678", SYSTEM, 0, true, 36 },
		{ CPU, MEAN, "12345678", SYSTEM, 0, true, 4 },
		{ CPU, MAX, "12345678", SYSTEM, 0, true, 8 },
		{ CPU, SUM, "1-3-5-7-", SYSTEM, 0, true, 16 },
		{ CPU, MEAN, "1-3-5-7-", SYSTEM, 0, true, 4 },
		{ CPU, MAX, "9-3-5-7-", SYSTEM, 0, true, 9 },
		{ CPU, SUM, "--------", SYSTEM, 0, false, 0 },
		{ CPU, MEAN, "--------", SYSTEM, 0, false, 0 },
		{ CPU, MAX, "--------", SYSTEM, 0, false, 0 },
		{ CPU, MEAN, "-------6", SYSTEM, 0, true, 6 },
		{ CPU, SUM, "00000000", SYSTEM, 0, true, 0 },
		{ CPU, SUM, "12345678", PACKAGE, 0, true, 10 },
		{ CPU, SUM, "12345678", PACKAGE, 4, true, 26 },
		{ CPU, MEAN, "12--5678", PACKAGE, 0, true, 1 },
		{ CPU, SUM, "----5678", PACKAGE, 0, false, 0 },
		{ CPU, SUM, "12345678", DIE, 2, true, 7 },
		{ CPU, MAX, "12345678", CORE, 6, true, 8 },
		{ CPU, SUM, "12345678", CPU, 3, true, 4 },
		{ CPU, SUM, "123-5678", CPU, 3, false, 0 },
		{ CORE, SUM, "1-3-5-7-", SYSTEM, 0, true, 16 },
		{ CORE, SUM, "19395979", SYSTEM, 0, true, 16 },
		{ CORE, MEAN, "1-3-5-7-", SYSTEM, 0, true, 4 },
		{ CORE, MAX, "1-3-5---", PACKAGE, 4, true, 5 },
		{ CORE, MEAN, "1-------", PACKAGE, 4, false, 0 },
		{ CORE, SUM, "1-3-5-7-", CPU, 3, true, 3 },
		{ CORE, SUM, "1---5-7-", CPU, 3, false, 0 },
		{ DIE, SUM, "1-3-5---", PACKAGE, 0, true, 4 },
		{ DIE, MEAN, "1-3-5---", PACKAGE, 0, true, 2 },
		{ DIE, SUM, "1-3-5---", PACKAGE, 4, true, 5 },
		{ DIE, SUM, "1---5---", PACKAGE, 0, true, 1 },
		{ DIE, SUM, "1-3-5---", SYSTEM, 0, true, 9 },
		{ DIE, MEAN, "1-3-8---", SYSTEM, 0, true, 4 },
		{ PACKAGE, SUM, "1---5---", SYSTEM, 0, true, 6 },
		{ PACKAGE, MEAN, "1---5---", SYSTEM, 0, true, 3 },
		{ PACKAGE, MAX, "5---1---", SYSTEM, 0, true, 5 },
		{ PACKAGE, MEAN, "----5---", SYSTEM, 0, true, 5 },
		{ PACKAGE, SUM, "1---5---", CPU, 6, true, 5 },
		{ PACKAGE, SUM, "1-------", CPU, 6, false, 0 },
		{ SYSTEM, SUM, "7-------", SYSTEM, 0, true, 7 },
		{ SYSTEM, MEAN, "7-------", PACKAGE, 4, true, 7 },
		{ SYSTEM, MEAN, "-7------", CPU, 7, false, 0 },
	};
	struct counter c = { .name = "test" };
	struct interval iv;

	small_machine();
	while (T.ncounters <= CT_TSC)	/* it is read with all of them */
		add_counter(&c);
	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		struct view v = { &iv, t[i].view, t[i].row };
		struct reading r = { 0 };
		u64 got;
		bool ok;

		T.counter[1].scope = t[i].scope;
		T.counter[1].fold = t[i].fold;
		iv = empty_interval();
		for (int row = 0; row < 8; row++)
			if (t[i].cells[row] != '-') {
				iv.value[row * T.ncounters + 1] = (u64)(t[i].cells[row] - '0');
				iv.valid[row * T.ncounters + 1] = 1;
			} else {
				iv.value[row * T.ncounters + 1] = 1000;	/* must not count */
			}
		ok = gather_reading(&v, 1, 1, &r);
		got = r.value;
		CHECK(ok == t[i].ok && (!ok || got == t[i].want),
		      "case %zu (%s of %s by %s in %s %d): %d, %llu, not %llu", i,
		      (const char *[]){ "sum", "mean", "max" }[t[i].fold], t[i].cells,
		      scope_names[t[i].scope], scope_names[t[i].view], t[i].row, ok, got,
		      t[i].want);
		free(iv.value);
		free(iv.valid);
	}
}

/* The TSC beside a counter is that of its unit's leader; of one that has come, the mean of all. */
static void test_tsc_of_unit(void)
{
	struct counter c = { .name = "test", .scope = PACKAGE };
	struct reading r = { 0 };
	struct interval iv;
	struct view v = { &iv, PACKAGE, 4 };

	small_machine();
	while (T.ncounters <= CT_TSC)
		add_counter(&c);
	T.counter[CT_TSC].scope = CPU;
	iv = empty_interval();
	for (int row = 0; row < 8; row++) {
		iv.value[row * T.ncounters + CT_TSC] = 10 * (u64)row;
		iv.valid[row * T.ncounters + CT_TSC] = 1;
	}
	iv.value[4 * T.ncounters + 1] = 3;
	iv.valid[4 * T.ncounters + 1] = 1;
	CHECK(gather_reading(&v, 1, CT_TSC, &r) && r.value == 3 && r.tsc == 40, "%llu in %llu",
	      r.value, r.tsc);
	iv.valid[4 * T.ncounters + CT_TSC] = 0;
	CHECK(gather_reading(&v, 1, CT_TSC, &r) && r.value == 3 && r.tsc == 60, "%llu in %llu",
	      r.value, r.tsc);
	free(iv.value);
	free(iv.valid);
}

/* Puts a value into a cell of an interval. */
static void set_cell(struct interval *iv, int row, int k, u64 v)
{
	iv->value[row * T.ncounters + k] = v;
	iv->valid[row * T.ncounters + k] = 1;
}

/* C1 is what the other states leave. */
static void test_derive_c1(void)
{
	static const struct {
		u64 tsc, mperf, c3, c6, c7;
		bool has_c3, has_c7;
		double tweak;
		u64 want;
	} t[] = {
		{ 1000, 300, 100, 200, 50, true, true, 1, 350 },
		{ 1000, 300, 100, 200, 50, false, false, 1, 500 },
		{ 1000, 300, 100, 200, 50, true, false, 1, 400 },
		{ 1000, 900, 100, 200, 0, true, false, 1, 0 },
		{ 1000, 1000, 0, 0, 0, true, true, 1, 0 },
		{ 0, 0, 0, 0, 0, true, true, 1, 0 },
		{ 1000, 300, 0, 0, 0, true, true, 1.5, 1200 },
		{ 1000, 270, 0, 0, 0, true, true, 0.25, 0 },
	};

	small_machine();
	tables_init();
	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		struct interval iv = empty_interval();
		size_t cell = (size_t)(5 * T.ncounters + CT_C1);

		M.tsc_tweak = t[i].tweak;
		T.counter[CT_MPERF].chosen = T.counter[CT_MPERF].way;
		T.counter[CT_TSC].chosen = T.counter[CT_TSC].way;
		T.counter[CT_C1].chosen = T.counter[CT_C1].way;
		T.counter[CT_CC6].chosen = T.counter[CT_CC6].way;
		T.counter[CT_CC3].chosen = t[i].has_c3 ? T.counter[CT_CC3].way : NULL;
		T.counter[CT_CC7].chosen = t[i].has_c7 ? T.counter[CT_CC7].way : NULL;
		set_cell(&iv, 5, CT_TSC,
			 t[i].tsc); /* the second thread of the core that row 4 leads */
		set_cell(&iv, 5, CT_MPERF, t[i].mperf);
		set_cell(&iv, 4, CT_CC3, t[i].c3);
		set_cell(&iv, 4, CT_CC6, t[i].c6);
		set_cell(&iv, 4, CT_CC7, t[i].c7);
		derive_c1(&iv, 5);
		CHECK(iv.valid[cell] && iv.value[cell] == t[i].want, "case %zu: %d, %llu, not %llu",
		      i, iv.valid[cell], iv.value[cell], t[i].want);
		iv.valid[4 * T.ncounters + CT_CC6] = 0;
		derive_c1(&iv, 5);
		CHECK(!iv.valid[cell], "case %zu: valid without C6", i);
		iv.valid[4 * T.ncounters + CT_CC6] = 1;
		iv.valid[5 * T.ncounters + CT_TSC] = 0;
		derive_c1(&iv, 5);
		CHECK(!iv.valid[cell], "case %zu: valid without the TSC", i);
		iv.valid[5 * T.ncounters + CT_TSC] = 1;
		T.counter[CT_CC6].chosen = NULL;
		derive_c1(&iv, 5);
		CHECK(iv.valid[cell], "case %zu: unknown where there is no C6", i);
		T.counter[CT_CC6].was_whole = true;
		derive_c1(&iv, 5);
		CHECK(!iv.valid[cell], "case %zu: valid where C6 has lost its source", i);
		T.counter[CT_CC6].was_whole = false;
		free(iv.value);
		free(iv.valid);
	}
}

/* Cycles that are more than those of the TSC, of the CPU where they were counted. */
static void test_exceeds_tsc(void)
{
	static const struct { u64 tsc; bool known; double tweak; u64 cycles; bool want; } t[] = {
		{ 1000, true, 1, 1000, false }, { 1000, true, 1, 1100, false },
		{ 1000, true, 1, 1101, true }, { 1000, true, 2, 2200, false },
		{ 1000, true, 2, 2201, true },
		{ 1000, true, 0.5, 551, true }, { 1000, false, 1, 5000, false },
		{ 0, true, 1, 5000, false }, { 1000, true, 1, ~0ull, true },
	};
	struct interval iv;

	small_machine();
	tables_init();
	iv = empty_interval();
	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		M.tsc_tweak = t[i].tweak;
		set_cell(&iv, 3, CT_TSC, t[i].tsc);
		iv.valid[3 * T.ncounters + CT_TSC] = t[i].known;
		set_cell(&iv, 3, CT_MPERF, t[i].cycles);
		drop_impossible(&iv, CT_MPERF);
		CHECK(!iv.valid[3 * T.ncounters + CT_MPERF] == t[i].want, "case %zu", i);
	}
}

/* What a counter cannot have counted: then it was reset. */
static void test_resets(void)
{
	enum { J = 1 << 16 };	/* it wraps at 65536 J */
	static const struct {
		const char *what;
		enum counter_id k;
		u64 old, new;
		int unread;
		bool suspended, want;
	} t[] = {
		/* 2000 W for 10 s */
		{ "a package's most", CT_PKG_ENERGY, 7, 7 + 20000ull * J, 0, false, false },
		{ "more than that", CT_PKG_ENERGY, 7, 8 + 20000ull * J, 0, false, true },
		{ "the most of two", CT_PSYS_ENERGY, 7, 7 + 40000ull * J, 0, false, false },
		{ "more than two take", CT_PSYS_ENERGY, 7, 8 + 40000ull * J, 0, false, true },
		{ "a wrap", CT_PKG_ENERGY, 0xffffffff, 1ull << 32, 0, false, false },
		{ "a fall in a suspend", CT_PKG_ENERGY, 0xffffffff, 1ull << 32, 0, true, true },
		{ "a suspend", CT_PKG_ENERGY, 7, 8, 0, true, false },
		{ "not read in time", CT_PKG_ENERGY, 7, 8, 33, false, true },
		{ "read in time", CT_PKG_ENERGY, 7, 8, 32, false, false },
		{ "half the range of SMIs", CT_SMI, 7, 7 + (1ull << 31), 33, true, false },
		{ "more than half of it", CT_SMI, 7, 8 + (1ull << 31), 0, false, true },
		{ "many interrupts", CT_IRQ, 7, 8 + (1ull << 31), 33, true, false },
	};
	struct interval iv = { .m = &M, .t = &T, .seconds = 10 };

	small_machine();
	tables_init();
	M.most_watts = 2000;
	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		struct counter *c = &T.counter[t[i].k];

		c->bits = 32;
		c->scale = 1.0 / J;
		c->wrap_joules = c->rapl_unit != PLAIN ? 0x1p32 / J : 0;
		iv.unread = t[i].unread;
		iv.suspended = t[i].suspended;
		CHECK(was_reset(&iv, c, t[i].old, t[i].new) == t[i].want, "%s: %d", t[i].what,
		      !t[i].want);
	}
}

/*
 * A difference is known if its end is, and its beginning is or begins; a level if its end is.  None
 * is known of a counter that fell.
 */
static void test_compute_counter(void)
{
	static const struct {
		enum kind_of_counter kind;
		enum validity was, is;
		u64 before, after;
		bool known;
	} t[] = {
		{ COUNT, VALID, VALID, 5, 9, true },   { COUNT, BEGINS, VALID, 5, 9, true },
		{ COUNT, UNKNOWN, VALID, 5, 9, false }, { COUNT, VALID, BEGINS, 5, 9, false },
		{ COUNT, VALID, UNKNOWN, 5, 9, false }, { COUNT, VALID, VALID, 9, 5, false },
		{ GAUGE, UNKNOWN, VALID, 5, 9, true },  { GAUGE, VALID, VALID, 9, 5, true },
		{ GAUGE, VALID, UNKNOWN, 5, 9, false },
	};

	small_machine();
	add_counter(&(struct counter){ .name = "test", .scope = PACKAGE, .bits = 64 });
	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		struct interval iv = empty_interval();
		u64 values[2][8] = { { [4] = t[i].before }, { [4] = t[i].after } };
		u8 valid[2][8] = { { [4] = (u8)t[i].was }, { [4] = (u8)t[i].is } };
		struct sample old = { .value = values[0], .valid = valid[0] };
		struct sample new = { .value = values[1], .valid = valid[1] };
		u64 want = t[i].kind == COUNT ? t[i].after - t[i].before : t[i].after;

		T.counter[0].kind = t[i].kind;
		iv.old = &old;
		iv.new = &new;
		compute_counter(&iv, 0);
		CHECK(iv.valid[4] == t[i].known && (!t[i].known || iv.value[4] == want),
		      "case %zu: known %d, %llu", i, iv.valid[4], iv.value[4]);
	}
}

/* Cycles by the kernel's accounting, of a CPU whose own interval was half a second. */
static void test_derive_cycles(void)
{
	static const struct { u64 ticks; int lacks; bool mperf, aperf; } t[] = {
		{ 400, NONE, true, true },	     { 400, CT_TICKS, false, false },
		{ 400, CT_BUSY_TICKS, false, false }, { 400, CT_TSC, false, true },
		{ 400, CT_CPU_KHZ, true, false },    { 0, NONE, false, false },
	};
	struct interval iv;

	small_machine();
	tables_init();
	M.tsc_tweak = 2;
	iv = empty_interval();
	iv.seconds = 9;
	iv.row_seconds[3] = 0.5;
	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		const u64 *value = iv.value + 3 * T.ncounters;
		const u8 *valid = iv.valid + 3 * T.ncounters;

		set_cell(&iv, 3, CT_TICKS, t[i].ticks);
		set_cell(&iv, 3, CT_BUSY_TICKS, 100);
		set_cell(&iv, 3, CT_TSC, 1000);
		set_cell(&iv, 3, CT_CPU_KHZ, 2000000);
		if (t[i].lacks != NONE)
			iv.valid[3 * T.ncounters + t[i].lacks] = 0;
		derive_cycles(&iv, 3);
		CHECK(valid[CT_MPERF] == t[i].mperf && (!t[i].mperf || value[CT_MPERF] == 500),
		      "case %zu: MPERF %d, %llu", i, valid[CT_MPERF], value[CT_MPERF]);
		CHECK(valid[CT_APERF] == t[i].aperf &&
			      (!t[i].aperf || value[CT_APERF] == 250000000),
		      "case %zu: APERF %d, %llu", i, valid[CT_APERF], value[CT_APERF]);
	}
}

/* A clock that no turbo reaches, by a quarter more than the highest one that is known. */
static void test_overclocked(void)
{
	static const struct { double turbo; u64 aperf; int lacks, want; } t[] = {
		/* MPERF is 1000, at 2 GHz */
		{ 4e9, 2600, NONE, -1 },     { 4e9, 2601, NONE, 3 }, { 0, 2601, NONE, -1 },
		{ 4e9, 2601, CT_APERF, -1 }, { 4e9, 2601, CT_MPERF, -1 },
	};
	struct interval iv;

	small_machine();
	tables_init();
	M.base_hz = 2e9;
	iv = empty_interval();
	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		M.turbo_hz = t[i].turbo;
		set_cell(&iv, 3, CT_APERF, t[i].aperf);
		set_cell(&iv, 3, CT_MPERF, 1000);
		if (t[i].lacks != NONE)
			iv.valid[3 * T.ncounters + t[i].lacks] = 0;
		CHECK(find_overclocked(&iv) == t[i].want, "case %zu: %d", i,
		      find_overclocked(&iv));
	}
}

/* The total of three intervals, after the sample before them; '-' is not known. */
static void test_add_interval(void)
{
	static const struct {
		enum kind_of_counter kind;
		enum fold fold;
		const char *values, *want;
	} t[] = {
		{ COUNT, SUM, "9345", "c" }, { COUNT, MAX, "9345", "c" },
		{ COUNT, SUM, "93-5", "-" }, { COUNT, SUM, "9-45", "-" },
		{ COUNT, SUM, "934-", "-" }, { COUNT, SUM, "-345", "c" },
		{ GAUGE, MAX, "9375", "9" }, { GAUGE, MAX, "2375", "7" },
		{ GAUGE, MAX, "-375", "7" }, { GAUGE, MAX, "-3-5", "5" },
		{ GAUGE, MAX, "-7--", "7" }, { GAUGE, MAX, "----", "-" },
		{ GAUGE, MAX, "--36", "6" }, { GAUGE, MEAN, "9375", "5" },
		{ GAUGE, MEAN, "93-5", "5" }, { GAUGE, MEAN, "937-", "-" },
		{ GAUGE, SUM, "9375", "5" },
	};

	small_machine();
	add_counter(&(struct counter){ .name = "test", .scope = PACKAGE });
	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		struct interval total = empty_interval();
		u64 value[8] = { 0 };
		u8 valid[8] = { 0 };
		struct sample before = { .value = value, .valid = valid };
		char got;

		T.counter[0].kind = t[i].kind;
		T.counter[0].fold = t[i].fold;
		for (int k = 0; k < 4; k++) {
			struct interval iv = empty_interval();

			iv.old = iv.new = &before;
			iv.seconds = k;
			iv.suspended = k == 2;
			iv.row_seconds[6] = 10 * k;
			iv.value[4] = (u64)(t[i].values[k] - '0');
			iv.valid[4] = t[i].values[k] != '-';
			if (k)
				add_interval(&total, &iv);
			value[4] = iv.value[4];
			valid[4] = iv.valid[4] ? VALID : UNKNOWN;
		}
		got = total.valid[4] ? "0123456789abcdef"[total.value[4] & 15] : '-';
		CHECK(got == *t[i].want, "case %zu: %c, not %c", i, got, *t[i].want);
		CHECK(total.seconds == 6 && total.row_seconds[6] == 60 && total.suspended,
		      "case %zu: %g s, %g s of a row, suspended %d", i, total.seconds,
		      total.row_seconds[6], total.suspended);
	}
}

/* The clock that Bzy_MHz is a multiple of, and of how many CPUs a percentage is a sum. */
static void test_formula_bases(void)
{
	struct column total = { .formula = V_TOTAL_OF_TSC }, own = { .formula = V_PERCENT_OF_TSC };
	struct interval iv;
	struct view all, package, cpu;

	small_machine();
	tables_init();
	iv = empty_interval();
	all = view_unit(&iv, SYSTEM, 0);
	package = view_unit(&iv, PACKAGE, 4);
	cpu = view_unit(&iv, CPU, 6);
	SAME(count_parts(&total, &all), 8);
	SAME(count_parts(&total, &package), 4);
	SAME(count_parts(&total, &cpu), 1);
	SAME(count_parts(&own, &all), 1);
	M.tsc_tweak = 0.5;
	for (int row = 0; row < 8; row++)
		iv.row_seconds[row] = 2;
	CHECK(isnan(base_mhz(&cpu)), "without the TSC: %g MHz", base_mhz(&cpu));
	set_cell(&iv, 6, CT_TSC, 8000000000);
	CHECK(base_mhz(&cpu) == 2000, "by the TSC: %g MHz", base_mhz(&cpu));
	M.base_hz = 2.1e9;
	CHECK(base_mhz(&cpu) == 2100, "known: %g MHz", base_mhz(&cpu));
}

/* C6 of E-cores contains C7. */
static void test_correct_e_core(void)
{
	static const struct {
		u64 c6, c7;
		bool valid6, valid7, has_c7;
		u64 want;
		bool valid;
	} t[] = {
		{ 500, 200, true, true, true, 300, true },
		{ 500, 500, true, true, true, 0, true },
		{ 500, 600, true, true, true, 0, true },
		{ 500, 0, true, true, true, 500, true },
		{ 500, 200, true, true, false, 500, true },
		{ 500, 200, true, false, false, 500, true },
		{ 500, 200, true, false, true, 0, false },
		{ 500, 200, false, true, true, 0, false },
	};

	small_machine();
	tables_init();
	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		struct interval iv = empty_interval();
		size_t cell = (size_t)(2 * T.ncounters + CT_CC6);

		T.counter[CT_CC6].chosen = T.counter[CT_CC6].way;
		T.counter[CT_CC7].chosen = t[i].has_c7 ? T.counter[CT_CC7].way : NULL;
		set_cell(&iv, 2, CT_CC6, t[i].c6);
		set_cell(&iv, 2, CT_CC7, t[i].c7);
		iv.valid[cell] = t[i].valid6;
		iv.valid[2 * T.ncounters + CT_CC7] = t[i].valid7;
		correct_e_core(&iv, 2);
		CHECK(iv.valid[cell] == t[i].valid && (!t[i].valid || iv.value[cell] == t[i].want),
		      "case %zu: %llu, not %llu", i, iv.value[cell], t[i].want);
		free(iv.value);
		free(iv.valid);
	}
}

/* Quotients and percentages that cannot be are no numbers. */
static void test_percent(void)
{
	static const struct { double n, d, limit, want; } p[] = {
		{ 50, 100, 110, 50 }, { 0, 100, 110, 0 }, { 110, 100, 110, 110 },
		{ 110.01, 100, 110, NAN }, { -1, 100, 110, NAN }, { 1, 0, 110, NAN },
		{ 1, -1, 110, NAN },
		{ 0, 0, 110, NAN }, { NAN, 100, 110, NAN }, { 1, NAN, 110, NAN },
		{ 150, 100, 220, 150 }, { 1e300, 1e-300, 110, NAN },
	};
	static const struct { double n, d, want; } q[] = {
		{ 6, 3, 2 }, { 0, 3, 0 }, { 6, 0, NAN }, { 6, -3, NAN }, { 0, 0, NAN },
		{ NAN, 1, NAN }, { 1, NAN, NAN }, { -6, 3, -2 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(p); i++)
		CHECK(same_real(quotient(p[i].n, p[i].d, p[i].limit), p[i].want),
		      "100 * %g / %g: %g", p[i].n, p[i].d,
		      quotient(p[i].n, p[i].d, p[i].limit));
	for (size_t i = 0; i < ARRAY_SIZE(q); i++)
		CHECK(same_real(quotient(q[i].n, q[i].d, 0), q[i].want), "%g / %g: %g",
		      q[i].n, q[i].d, quotient(q[i].n, q[i].d, 0));
	/* microseconds */
	SAME(microseconds(0, 1999), 1);
	SAME(microseconds(1999, 0), 0);
	SAME(microseconds(5, 5), 0);
	SAME(microseconds(0, 9000000000ll * NS_PER_S), 9000000000000000ull);
}

/* Prints a column of the summary, for a counter a, a counter b, seconds. */
static const char *cell_text(struct column *c, struct interval *iv, double seconds)
{
	static char text[CELL_SPACE + 1];
	struct view v = view_unit(iv, SYSTEM, 0);
	struct cell cell;

	for (int row = 0; row < M.n; row++)
		iv->row_seconds[row] = seconds;
	resolve_column(c);
	row_cell(&v, c, &cell);
	*put_cell(text, &cell) = 0;
	return text;
}

/* Every formula over given counters. */
static void test_formulas(void)
{
	static const struct {
		enum formula f;
		enum format format;
		u64 a, b;
		double scale, hz, seconds;
		const char *want;
	} t[] = {
		{ V_PER_MICROSECOND, DECIMALS_0, 5000000000, 0, 1, 0, 2, "2500" },
		{ V_PER_MICROSECOND, DECIMALS_0, 5, 0, 1, 0, 0, "nan" },
		{ V_PER_MICROSECOND, DECIMALS_0, 5, 0, 1, 0, -1, "nan" },
		{ V_PER_MICROSECOND, DECIMALS_0, 3000000, 0, 1, 0, 2, "2" },
		{ V_PERCENT_OF_TSC, DECIMALS_2, 500, 0, 1, 0, 1, "50.00" },
		{ V_PERCENT_OF_TSC, DECIMALS_2, 1101, 0, 1, 0, 1, "nan" },
		{ V_PERCENT_OF_TSC, DECIMALS_2, 1100, 0, 1, 0, 1, "110.00" },
		{ V_PERCENT_OF_TSC, DECIMALS_2, 1, 0, 1, 0, 1, "0.10" },
		{ V_RATIO, DECIMALS_2, 3, 2, 1, 0, 1, "1.50" },
		{ V_RATIO, DECIMALS_2, 3, 0, 1, 0, 1, "nan" },
		{ V_AMOUNT, INTEGER, 12345, 0, 1, 0, 1, "12345" },
		{ V_AMOUNT, INTEGER, 47, 0, 1, 0, 1, "47" },
		{ V_AMOUNT, INTEGER, 2400000, 0, 1e-3, 0, 1, "2400" },
		{ V_AMOUNT, INTEGER, 2399999, 0, 1e-3, 0, 1, "2399" },
		{ V_AMOUNT, INTEGER, 0, 0, 1e-3, 0, 1, "0" },
		{ V_HIT_BY_MISSES, DECIMALS_2, 200, 50, 1, 0, 1, "75.00" },
		{ V_HIT_BY_MISSES, DECIMALS_2, 0, 0, 1, 0, 1, "nan" },
		{ V_HIT_BY_MISSES, DECIMALS_2, 50, 200, 1, 0, 1, "nan" },
		{ V_HIT, DECIMALS_2, 50, 200, 1, 0, 1, "25.00" },
		{ V_HIT, DECIMALS_2, 5, 0, 1, 0, 1, "nan" },
		{ V_PERCENT_OF_TIME, DECIMALS_2, 1000, 0, 1, 1e3, 4, "25.00" },
		{ V_PERCENT_OF_TIME, DECIMALS_2, 1000000, 0, 1, 1e6, 4, "25.00" },
		{ V_PERCENT_OF_TIME, DECIMALS_2, 9000000, 0, 1, 1e6, 4, "nan" },
		{ V_PERCENT_OF_TIME, DECIMALS_2, 9600000, 0, 1, 38.4e6, 1, "25.00" },
		{ V_PERCENT_OF_TIME, DECIMALS_2, 96000000, 0, 1, 38.4e6, 1, "nan" },
		{ V_TOTAL_OF_TIME, DECIMALS_2, 1024, 0, 1.0 / 1024, 0, 2, "50.00" },
		{ V_TOTAL_OF_TIME, DECIMALS_2, 4096, 0, 1.0 / 1024, 0, 2, "200.00" },
		{ V_AMOUNT, DECIMALS_2, 16384, 0, 1.0 / 16384, 0, 5, "1.00" },
		{ V_PER_SECOND, DECIMALS_2, 16384, 0, 1.0 / 16384, 0, 2, "0.50" },
		{ V_PER_SECOND, DECIMALS_2, 1, 0, 1, 0, 0, "nan" },
		{ V_RAW, HEX_8, 5, 0, 1, 0, 1, "0x00000000" },
		{ V_RAW, HEX_16, 5, 0, 1, 0, 1, "0x0000000000000000" },
		{ V_AMOUNT, INTEGER, 11, 0, 0.5, 0, 1, "5" },
		{ V_BZY_MHZ, DECIMALS_0, 3000, 1000, 1, 0, 1, "6300" },
		{ V_BZY_MHZ, DECIMALS_0, 3000, 0, 1, 0, 1, "nan" },
	};
	struct interval iv;

	small_machine();
	tables_init();
	M.base_hz = 2.1e9;
	iv = empty_interval();
	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		struct column c = { .name = "test",
				    .scope = CPU,
				    .formula = t[i].f,
				    .format = t[i].format,
				    .a = CT_INSTRUCTIONS,
				    .b = CT_LLC_REFS };
		const char *got;

		for (int row = 0; row < 8; row++) {
			set_cell(&iv, row, CT_INSTRUCTIONS, t[i].a);
			set_cell(&iv, row, CT_LLC_REFS, t[i].b);
			set_cell(&iv, row, CT_TSC, 1000);
		}
		T.counter[CT_INSTRUCTIONS].scale = t[i].scale;
		T.counter[CT_INSTRUCTIONS].hz = t[i].hz;
		T.counter[CT_LLC_REFS].fold = MEAN;
		got = cell_text(&c, &iv, t[i].seconds);
		CHECK(!strcmp(got, t[i].want), "case %zu: %s, not %s", i, got, t[i].want);
		iv.suspended = true;
		got = cell_text(&c, &iv, t[i].seconds);
		if (t[i].f == V_AMOUNT || t[i].f == V_RAW)
			CHECK(!strcmp(got, t[i].want), "case %zu, across a suspend: %s", i, got);
		else
			CHECK(!strcmp(got, "nan"), "case %zu, across a suspend: %s", i, got);
		iv.suspended = false;
		memset(iv.valid, 0, (size_t)M.n * (size_t)T.ncounters);
		got = cell_text(&c, &iv, t[i].seconds);
		CHECK(t[i].f == V_RAW || !strcmp(got, "nan"), "case %zu, nothing valid: %s", i,
		      got);
	}
}

/* What SMIs take is what APERF has more than perf's cycles; without an SMI it is nothing. */
static void test_lost_to_smis(void)
{
	static const struct { u64 cycles, smis; bool known; const char *want; } t[] = {
		{ 950, 2, true, "5.00" },  { 950, 0, true, "0.00" },  { 950, 2, false, "nan" },
		{ 1050, 2, true, "nan" },  { 1050, 0, true, "0.00" }, { 1000, 2, true, "0.00" },
	};
	struct column c = { .name = "test", .scope = CPU, .formula = V_LOST_TO_SMIS,
			    .format = DECIMALS_2, .a = CT_APERF, .b = CT_CYCLES };
	struct interval iv;

	small_machine();
	tables_init();
	T.counter[CT_APERF].scale = 1;
	iv = empty_interval();
	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		const char *got;

		for (int row = 0; row < 8; row++) {
			set_cell(&iv, row, CT_APERF, 1000);
			set_cell(&iv, row, CT_CYCLES, t[i].cycles);
			set_cell(&iv, row, CT_SMI, t[i].smis);
			iv.valid[row * T.ncounters + CT_SMI] = t[i].known;
		}
		got = cell_text(&c, &iv, 1);
		CHECK(!strcmp(got, t[i].want), "case %zu: %s, not %s", i, got, t[i].want);
	}
}

/* Levels may be negative, also times a factor; counts are not. */
static void test_negative_levels(void)
{
	static const struct { enum kind_of_counter kind; double scale; const char *want; } t[] = {
		{ COUNT, 0.5, "9223372036854775808.00" }, { GAUGE, 0.5, "-1.50" },
		{ GAUGE, 1, "-3.00" },
	};
	struct column c = { .name = "test", .scope = PACKAGE, .formula = V_AMOUNT,
			    .format = DECIMALS_2, .a = CT_INSTRUCTIONS, .b = NONE };
	struct interval iv;

	small_machine();
	tables_init();
	iv = empty_interval();
	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		struct counter *k = &T.counter[CT_INSTRUCTIONS];
		const char *got;

		k->scope = PACKAGE;
		k->fold = MEAN;
		k->bits = 64;
		k->kind = t[i].kind;
		k->scale = t[i].scale;
		set_cell(&iv, 0, CT_INSTRUCTIONS, (u64)-3);
		if (t[i].kind == GAUGE)		/* their mean */
			set_cell(&iv, 4, CT_INSTRUCTIONS, (u64)-3);
		got = cell_text(&c, &iv, 1);
		CHECK(!strcmp(got, t[i].want), "case %zu: %s, not %s", i, got, t[i].want);
	}
}

/* ======================================================================== *
 * 8. PRINT
 * ======================================================================== */

/* Compares put_real with printf. */
static void check_real(double v)
{
	char got[CELL_SPACE + 1], want[CELL_SPACE + 1];

	for (int decimals = 0; decimals < 2; decimals++) {
		*put_real(got, v, decimals) = 0;
		snprintf(want, sizeof(want), decimals ? "%.2f" : "%.0f", v);
		CHECK(!strcmp(got, want), "%a: '%s', not '%s'", v, got, want);
	}
}

/* The double just above or below one that is positive. */
static double neighbour(double v, bool above)
{
	u64 bits;

	memcpy(&bits, &v, sizeof(v));
	bits += above ? 1 : v > 0 ? ~0ull : 0;
	memcpy(&v, &bits, sizeof(v));
	return v;
}

/* Real numbers look as printf prints them. */
static void test_put_real(void)
{
	static const double t[] = {
		0,
		0.5,
		1.5,
		2.5,
		0.005,
		0.015,
		0.025,
		0.125,
		0.375,
		1e9,
		1e9 - 0.005,
		999999999.995,
		1e15,
		1e300,
		0.994999999999,
		0.995,
		99.995,
		9.999,
		0.999,
		1e-300,
		4.9e-324,
		0.00499999999999999,
		0.00500000000000001,
		1.005,
		2.675,
		1234567.125,
		123456789.375,
	};
	u64 seed = 42;

	for (size_t i = 0; i < ARRAY_SIZE(t); i++)
		check_real(t[i]);
	for (int i = 0; i < 100000; i++) {
		u64 r = next_random(&seed);
		double tie = (double)(r % 2000000) / 200;	/* n + 0.5 hundredths */

		check_real((double)(r % 100000000000) / 1000);	/* up to 1e8 with three decimals */
		check_real((double)(r >> 11) / 9007199254740992.0 * 110);	/* percentages */
		check_real(tie);
		check_real(neighbour(tie, r & 1));
		check_real((double)(r >> 40) *
			   pow2((int)(r % 60) - 50)); /* all magnitudes; exact ties */
	}
}

/* A number of JSON and CSV, rounded once more, is what the table has. */
static void test_put_decimal(void)
{
	static const double off[] = { 0, 1e-9, 1e-7, 4e-7, 5e-7, 6e-7, 1e-6, 1.4e-6, 2e-6 };
	char text[CELL_SPACE];

	for (int k = -2000; k < 2000; k++)
		for (size_t i = 0; i < 2 * ARRAY_SIZE(off); i++) {
			double v = k / 200.0 + (i & 1 ? -off[i / 2] : off[i / 2]), got;
			char *want[2] = { textf("%.2f", v), textf("%.0f", v) };

			*put_decimal(text, v) = '\0';
			got = strtod(text, NULL);
			for (int n = 0; n < 2; n++) {
				char *again = textf(n ? "%.0f" : "%.2f", got);

				CHECK(!strcmp(again, want[n]) || !strtod(again, NULL),
				      "%.9f is %s, which is %s", v, text, again);
				free(again);
				free(want[n]);
			}
			CHECK(fabs(got - v) < 6e-7, "%.9f is %s", v, text);
		}
}

/* Integers. */
static void test_put_integers(void)
{
	static const u64 t[] = {
		0, 1, 9, 10, 99, 100, 4294967295, 9223372036854775807, 9223372036854775808ull, ~0ull
	};

	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		const struct column c = { .format = INTEGER };
		struct cell cell = { &c, A_NUMBER, { .u = t[i] } };
		char b[32], s[32];
		char *u = textf("%llu", t[i]), *d = textf("%lld", (i64)t[i]);

		*put_u64(b, t[i]) = 0;
		*put_cell(s, &cell) = 0;
		CHECK(!strcmp(b, u) && !strcmp(s, d), "%s: '%s' and '%s'", u, b, s);
		free(u);
		free(d);
	}
}

/* ======================================================================== *
 * 9. REPORT
 * ======================================================================== */

/* Cells in each format. */
static void test_put_cell(void)
{
	static const struct { enum format f; union number v; const char *want; } t[] = {
		{ INTEGER, { .u = 0 }, "0" }, { INTEGER, { .u = -5ull }, "-5" },
		{ DECIMALS_2, { .f = 1.005 }, "1.00" }, { DECIMALS_2, { .f = 99.999 }, "100.00" },
		{ DECIMALS_0, { .f = 2400.5 }, "2400" }, { DECIMALS_0, { .f = 1999.51 }, "2000" },
		{ HEX_8, { .u = 0xc00 }, "0x00000c00" },
		{ HEX_8, { .u = 0x123456789 }, "0x123456789" },
		{ HEX_16, { .u = 0xc00 }, "0x0000000000000c00" }, { HEX_ID, { .u = 0x1f }, "0x1f" },
		{ TIME_OF_DAY, { .u = 1000000000000001 }, "1000000000.000001" },
		{ LETTER, { .u = 'P' }, "P" }, { LETTER, { .u = 0 }, "-" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		struct column column = { .format = t[i].f };
		struct cell cell = { &column, A_NUMBER, t[i].v };
		char text[CELL_SPACE], *end = put_cell(text, &cell);

		*end = '\0';
		CHECK(!strcmp(text, t[i].want) && (size_t)(end - text) == strlen(t[i].want),
		      "case %zu: '%s', not '%s'", i, text, t[i].want);
		cell.state = i & 1 ? ABSENT : NOT_KNOWN;
		*put_cell(text, &cell) = '\0';
		CHECK(!strcmp(text, i & 1 ? "-" : "nan"), "case %zu: '%s'", i, text);
	}
}

/* A clock that a driver gives in kHz or Hz is told in whole MHz, and is not rounded up. */
static void test_integer_value(void)
{
	static const struct { double scale; u64 each; } units[] = {
		{ 1e-3, 1000 }, { 1e-6, 1000000 },
	};
	u64 got;

	for (u64 mhz = 1; mhz <= 10000; mhz++)
		for (size_t i = 0; i < ARRAY_SIZE(units); i++) {
			struct counter c = { .kind = GAUGE, .scale = units[i].scale };

			CHECK(integer_value(&c, mhz * units[i].each, &got) && got == mhz,
			      "%llu MHz: %llu", mhz, got);
			CHECK(integer_value(&c, (mhz + 1) * units[i].each - 2, &got) &&
				      got == mhz, "below %llu MHz: %llu", mhz + 1, got);
		}
	CHECK(!integer_value(&(struct counter){ .scale = 2 }, ~0ull, &got), "too large: %llu", got);
	CHECK(integer_value(&(struct counter){ .scale = 1 }, ~0ull, &got) && got == ~0ull,
	      "as it is: %llu", got);
}

/* Templates of header lines. */
static void test_template(void)
{
	static const struct { const char *text; u64 v; const char *want; } t[] = {
		{ "plain", 5, "plain" }, { "", 5, "" }, { "#", 0xabc, "0x00000abc" },
		{ "#", 0x123456789abc, "0x123456789abc" },
		{ "a # b # c", 1, "a 0x00000001 b 0x00000001 c" },
		{ "{d 7, 0}", 0x1ff, "255" }, { "{d 63, 0}", ~0ull, "18446744073709551615" },
		{ "{x 15, 8}", 0xabcd, "0xab" }, { "<{d 3, 0}|{d 7, 4}>", 0x21, "<1|2>" },
		{ "{? 0, 0:yes|no}", 1, "yes" }, { "{? 0, 0:yes|no}", 2, "no" },
		{ "{? 0, 0:|UN}locked", 0, "UNlocked" }, { "{? 0, 0:|UN}locked", 1, "locked" },
		{ "{? 1, 1:EN|DIS}abled {? 0, 0:EN|DIS}abled", 2, "ENabled DISabled" },
		{ "{p 14, 0}", 760, "95" }, { "{p 14, 0}", 0xffff8000, "0" },
		{ "{t 54, 48}", 0x2full << 48, ", 40.000000 sec." }, { "{t 54, 48}", 0, "" },
		{ "{c 22, 16}", 0x88320000, "50 C" }, { "{c 22, 16}", 0x887f0000, "-27 C" },
		{ "{i 12, 0}", 0x8000 | 2 << 10 | 76, "77824" },
		{ "{i 12, 0}", 5 << 10 | 1023, "34326183936" }, { "{i 12, 0}", 6 << 10 | 1, "0" },
		{ "{i 12, 0}", 7 << 10 | 1, "0" },
		{ "{i 12, 0}", 9, "9" },
		{ "a" D(PLATFORM_INFO_BASE_RATIO) "b", 0x2a00, "a42b" },
		{ IF(POWER_LIMIT_LOCKED, "", "UN") "locked", 1ull << 31, "locked" },
		{ "{# 31, 0}", 0x123456789, "0x23456789" },
		{ "({o 1, 0:LEVEL=} lock)", 6, "(LEVEL=2  lock)" },
		{ "({o 1, 0:LEVEL=} lock)", 4, "( lock)" },
		{ "r{m 15, 8:base}", 0x2a00, "r\n42 * 100.0 = 4200.0 MHz base" },
		{ "r{m 15, 8:base}", 0x2a, "r" },
	};
	int tjmax[] = { 100 }, lead[] = { 0 };
	struct line_at at = { 0 };

	M.tjmax = tjmax;
	M.lead[PACKAGE] = lead;
	M.power_unit = 0.125;
	M.rapl_unit[TIME_UNIT] = 1.0 / 1024;
	M.bclk = 100;
	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		struct buf b = { 0 };

		at.value = t[i].v;
		buf_add(&b, "", 0);
		print_template(&b, t[i].text, &at);
		if (t[i].text[0] == '{' && t[i].text[1] == 'c')
			buf_puts(&b, " C");
		CHECK(!strcmp(b.p, t[i].want), "'%s' of 0x%llx: '%s', not '%s'", t[i].text, t[i].v,
		      b.p, t[i].want);
		free(b.p);
	}
}

/* Is a template well-formed: every hole of a known kind, with a field, closed? */
static bool is_template(const char *t)
{
	for (; *t; t++) {
		int hi, lo, n = 0;
		char kind;

		if (*t == '}')
			return false;
		if (*t != '{')
			continue;
		if (!t[1] || !strchr("dxpltwci?#om", t[1]) ||
		    sscanf(t + 2, " %d, %d%n", &hi, &lo, &n) != 2 || hi > 63 || lo < 0 || lo > hi)
			return false;
		kind = t[1];
		t += 2 + n;
		if ((*t == ':') != (strchr("?om", kind) != NULL))
			return false;
		if (*t == ':') {
			if (kind == '?' && (!strchr(t, '|') || strcspn(t, "|") > strcspn(t, "}")))
				return false;
			t += strcspn(t, "}");
		}
		if (*t != '}')
			return false;
	}
	return true;
}

/* Every line of the header is well-formed. */
static void test_header_lines(void)
{
	for (size_t s = 0; s < ARRAY_SIZE(header_table); s++) {
		const struct line *l = header_table[s].lines;

		CHECK(l->text, "row %zu has no lines", s);
		for (; l->text; l++) {
			CHECK(*l->text || l->code || l->report, "row %zu has a line of nothing", s);
			CHECK(is_template(l->text), "'%s'", l->text);
			CHECK(l->msr || l->file || !strchr(l->text, '#'),
			      "'%s' has no register", l->text);
		}
	}
}

/*
 * A table on a terminal: the names stand there again when they have scrolled off.  A line as wide
 * as the terminal takes one line of it, a wider one two.
 */
static void test_terminal(void)
{
	static const struct { int lines, columns; bool fixed; const char *want; } t[] = {
		/* texts of a row of 16 bytes and one of 7: what each line begins with */
		{ 4, 16, false, "N12N34N56" }, { 5, 16, false, "N123N456" },
		{ 8, 16, false, "N123456" },   { 5, 15, false, "N1N23N45N6" },
		{ 7, 15, false, "N123N456" }, { 4, 16, true, "N123456" },
	};
	static const char *const texts[] = { "N\tb\n1\tx\n2\n", "3\tx\n4\n", "5\tx\n6\n" };

	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		struct terminal on = {
			.lines = t[i].lines, .columns = t[i].columns, .fixed = t[i].fixed
		};
		struct buf b = { 0 };
		char seen[32] = "";
		size_t n = 0;

		for (size_t k = 0; k < ARRAY_SIZE(texts); k++) {
			align_table(&on, &b, texts[k]);
			SAME(on.rows, 2);
			SAME(on.longest, 16);
		}
		for (const char *s = b.p; *s && n < sizeof(seen) - 1; s = strchr(s, '\n') + 1)
			seen[n++] = s[strspn(s, " ")];
		CHECK(!strcmp(seen, t[i].want), "%d lines of %d: %s, not %s", t[i].lines,
		      t[i].columns, seen, t[i].want);
		free(b.p);
	}
}

/* After an empty line another table begins, with names and widths of its own. */
static void test_terminal_tables(void)
{
	struct terminal on = { .lines = 3, .columns = 80 };
	struct buf b = { 0 };

	align_table(&on, &b, "Column-wide\tb\n1\tx\n");
	align_table(&on, &b, "\nM\tb\n2\tx\n3\n");
	CHECK(!strcmp(b.p, "Column-wide        b\n"
			   "          1        x\n"
			   "\n"
			   "      M        b\n"
			   "      2        x\n"
			   "      M        b\n"
			   "      3\n"),
	      "%s", b.p);
	free(b.p);
}

/* A unit has a row while a CPU of it that was there at both ends is left, its leader or not. */
static void test_unit_rows(void)
{
	static const struct {
		enum scope scope;
		int row;
		bool printed;
		const char *old, *new;	/* of each CPU: was it there? */
		bool want;
	} t[] = {
		{ CORE, 2, true, "11111111", "11111111", true },
		{ CORE, 2, false, "11111111", "11111111", false },
		{ CORE, 2, true, "11011111", "11111111", true },
		{ CORE, 2, true, "11111111", "11011111", true },
		{ CORE, 2, true, "11001111", "11111111", false },
		{ CORE, 2, true, "11011111", "11101111", false },
		{ CORE, 2, true, "11111111", "11001111", false },
		{ PACKAGE, 4, true, "00000001", "00000001", true },
		{ PACKAGE, 4, true, "11110000", "11111111", false },
		{ CPU, 3, true, "00010000", "00010000", true },
		{ CPU, 3, true, "11101111", "11111111", false },
	};

	small_machine();
	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		struct block block = { .scope = t[i].scope };
		struct shown_unit unit = { .row = t[i].row, .printed = t[i].printed };
		struct stay stays[2][8] = { 0 };
		struct sample old = { .stay = stays[0] }, new = { .stay = stays[1] };
		struct interval iv = { .m = &M, .old = &old, .new = &new };

		for (int row = 0; row < 8; row++) {
			stays[0][row].visited = t[i].old[row] == '1';
			stays[1][row].visited = t[i].new[row] == '1';
		}
		CHECK(unit_was_there(&iv, &block, &unit) == t[i].want, "case %zu", i);
	}
}

/* The name of a unit tells it from all others. */
static void test_unit_names(void)
{
	static const struct { enum scope a, b; int row_a, row_b; bool same; } t[] = {
		{ CORE, CORE, 0, 1, true },	  { CORE, CORE, 0, 2, false },
		{ CORE, CORE, 0, 4, false },	  { CORE, CORE, 4, 6, false },
		{ CPU, CPU, 0, 1, false },	  { CPU, CPU, 1, 1, true },
		{ PACKAGE, PACKAGE, 0, 2, true }, { PACKAGE, PACKAGE, 0, 4, false },
		{ DIE, DIE, 0, 2, false },	  { DIE, DIE, 0, 4, false },
		{ DIE, DIE, 4, 7, true },	  { PACKAGE, SYSTEM, 0, 0, false },
		{ SYSTEM, SYSTEM, 0, 7, true },
	};

	small_machine();
	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		struct unit_name a = name_unit(&M, t[i].a, t[i].row_a, telling_ids[t[i].a]);
		struct unit_name b = name_unit(&M, t[i].b, t[i].row_b, telling_ids[t[i].b]);

		CHECK(is_same_unit(&a, &b) == t[i].same, "%s of row %d, %s of row %d",
		      scope_names[t[i].a], t[i].row_a, scope_names[t[i].b], t[i].row_b);
	}
}

/* Totals stay with their unit when the rows are others; printed are those that are now. */
static void test_place_totals(void)
{
	static const u8 first[8] = { 1, 0, 0, 0, 0, 0, 0, 0 }, then[8] = { 0, 1, 0, 0, 0, 0, 0, 0 };
	struct series series = { .scope = CPU };
	struct totals totals = { .series = &series, .n = 1 };
	struct layout l = { .generation = 1 };
	struct interval iv = { .m = &M };

	small_machine();
	l.printed = (void *)(uintptr_t)first;
	place_totals(&totals, &l, &iv);
	SAME(series.n, 8);
	series.total[series.of_row[1]].value = 7;
	SAME(series.total[series.of_row[0]].printed, true);
	SAME(series.total[series.of_row[1]].printed, false);
	l.printed = (void *)(uintptr_t)then;
	place_totals(&totals, &l, &iv);
	SAME(series.total[series.of_row[0]].printed, true);	/* the rows are the same */
	l.generation = 2;
	place_totals(&totals, &l, &iv);
	SAME(series.n, 8);
	SAME(series.total[series.of_row[0]].printed, false);
	SAME(series.total[series.of_row[1]].printed, true);
	SAME(series.total[series.of_row[1]].value, 7);
	/* a unit of which one CPU is printed, the first one */
	series.scope = CORE;
	l.printed = (void *)(uintptr_t)first;
	l.generation = 3;
	place_totals(&totals, &l, &iv);
	SAME(series.total[series.of_row[0]].printed, true);
	SAME(series.total[series.of_row[2]].printed, false);
}

/* What is read in words: the file that was found; of a CPU's own file none is named for all. */
static void test_reading_words(void)
{
	static const struct { struct way way; bool is_read; const char *want; } t[] = {
		{ { .kind = BY_FILE, .path = "x", .find = find_ccd }, true, "/sys/found" },
		{ { .kind = BY_FILE, .path = "/in/hwmon", .find = find_ccd }, false, "/in/hwmon" },
		{ { .kind = BY_FILE, .path = "x" }, true, SYS_CPU "cpuN/x" },
		{ { .kind = BY_MSR, .msr = 0x611 }, true, "MSR 0x611" },
	};
	char found[] = "/sys/found";
	struct op op = { .kind = BY_FILE, .path = found };

	P.op = &op;
	P.nops = 1;
	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		struct buf b = { 0 };

		op.cell = t[i].is_read ? 0 : NO_CELL;
		op.way = &t[i].way;
		print_reading(&b, &t[i].way);
		CHECK(same_text(b.p, t[i].want), "case %zu: %s, not %s", i, b.p, t[i].want);
		free(b.p);
	}
}

/* Values where there is no table: hex and letters are texts, all else are numbers. */
static void test_print_value(void)
{
	static const struct { enum format format; union number v; const char *want; } t[] = {
		{ INTEGER, { .u = 5 }, "5" },	      { INTEGER, { .u = (u64)-5 }, "-5" },
		{ DECIMALS_2, { .f = 1.23456 }, "1.23456" },
		{ DECIMALS_0, { .f = 1.23456 }, "1.23456" },
		{ HEX_8, { .u = 10 }, "'0x0000000a'" },
		{ HEX_16, { .u = 10 }, "'0x000000000000000a'" },
		{ HEX_ID, { .u = 10 }, "'0xa'" },     { LETTER, { .u = 'P' }, "'P'" },
		{ TIME_OF_DAY, { .u = 1700000000000012 }, "1700000000.000012" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		struct column c = { .format = t[i].format };
		struct cell cell = { .column = &c, .value = t[i].v };
		struct buf b = { 0 };

		print_value(&b, &cell, "'");
		buf_add(&b, "", 1);
		CHECK(same_text(b.p, t[i].want), "case %zu: %s, not %s", i, b.p, t[i].want);
		free(b.p);
	}
}

/* Texts in CSV: in quotes where a reader would take them for something else. */
static void test_csv_text(void)
{
	static const char *const t[][2] = {
		{ "", "" }, { "plain text", "plain text" }, { "a,b", "\"a,b\"" },
		{ "\"", "\"\"\"\"" }, { "a\"b\"", "\"a\"\"b\"\"\"" }, { "a\nb", "\"a\nb\"" },
		{ "a\rb", "\"a\rb\"" }, { "a;b\tc'", "a;b\tc'" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		struct buf b = { 0 };

		csv_text(&b, t[i][0]);
		CHECK(same_text(b.p, t[i][1]), "%zu: %s", i, b.p);
		free(b.p);
	}
}

/* Xeon Phi's turbo ratios are coded as differences. */
static void test_turbo_delta(void)
{
	struct line_at at = { 0, 0, 0x30141028061004ull };
	struct buf b = { 0 };

	M.bclk = 100;
	print_delta_ratios(&at, &b);
	CHECK(!strcmp(b.p,
		      "\n14 * 100.0 = 1400.0 MHz max turbo 68 active cores"
		      "\n15 * 100.0 = 1500.0 MHz max turbo 52 active cores"
		      "\n16 * 100.0 = 1600.0 MHz max turbo 8 active cores"),
	      "%s", b.p);
}

/* ======================================================================== *
 * 10. OPTIONS
 * ======================================================================== */

/* Where one token of an --add ends. */
static void test_token_length(void)
{
	static const struct { const char *text; size_t want; } t[] = {
		{ "", 0 }, { ",", 0 }, { "msr0x10", 7 }, { "msr0x10,u32", 7 }, { "perf/a/b", 8 },
		{ "perf/a/b,cpu", 8 }, { "perf/a/b,c/", 11 }, { "perf/a/b=1,c=2/", 15 },
		{ "perf/a/b=1,c=2/,cpu", 15 }, { "perf/a/b=1,c=2/x", 10 }, { "perf/a,cpu", 6 },
		{ "perf/", 5 }, { "perf/a", 6 }, { "perf//", 6 }, { "/sys/a,b", 6 },
		{ "perf/a/b/", 9 }, { "perf/a/b/,x", 9 }, { "perf/a/b,/sys/c", 8 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(t); i++)
		CHECK(token_length(t[i].text) == t[i].want, "'%s': %zu, not %zu", t[i].text,
		      token_length(t[i].text), t[i].want);
}

/* What an addition says, in words. */
static char *addition_text(const struct addition *a)
{
	static const char *const formats[] = { "delta", "raw", "average", "rate", "percent" };
	struct buf b = { 0 };

	switch (a->way.kind) {
	case BY_MSR: buf_printf(&b, "msr 0x%x", a->way.msr); break;
	case BY_FILE: buf_printf(&b, "file %s", a->way.path); break;
	case BY_PERF: buf_printf(&b, "perf %s %s", a->way.pmu, a->way.event); break;
	case BY_PMT:
		buf_printf(&b, "pmt %s0x%x seq %u unit %d offset %u bits %d:%d type %d",
			   a->way.path ? a->way.path : "", a->way.guid, a->seq, a->unit,
			   a->way.offset, a->way.msb, a->way.lsb, a->type);
		break;
	default: buf_puts(&b, "nothing");
	}
	buf_printf(&b, " %s %s u%d %s %g", a->name, scope_names[a->scope], a->bits,
		   formats[a->format], a->hz);
	return b.p;
}

/* Parses an --add. */
static void add_spec(const void *spec)
{
	take_addition(NULL, spec);
}

#define FORMS_TEXT ": msrDDD or msr0xHHH, of 32 bits"

/* The grammar of --add. */
static void test_add(void)
{
	static const struct { const char *spec, *want;
	} t[] = {
		{ "msr0x199", "msr 0x199 M0X199 system u64 delta 0" },
		{ "msr409", "msr 0x199 M0X199 system u64 delta 0" },
		{ "msr0x199,u32,raw,PRF_CTRL", "msr 0x199 PRF_CTRL system u32 raw 0" },
		{ "u32,raw,PRF_CTRL,msr0x199", "msr 0x199 PRF_CTRL system u32 raw 0" },
		{ "msr0x10,u32", "msr 0x10 M0x10 system u32 delta 0" },
		{ "msr0x10,percent", "msr 0x10 M0X10% system u64 percent 0" },
		{ "msr0x10,rate,scale=0.5", "msr 0x10 M0X10 system u64 rate 0" },
		{ "msr0xc0010299,package,average,unit",
		  "msr 0xc0010299 unit package u64 average 0" },
		{ "msr0xffffffff", "msr 0xffffffff M0Xffffffff system u64 delta 0" },
		{ "msr0", "msr 0x0 M0X0 system u64 delta 0" },
		{ "msr0x10,percent,usec", "msr 0x10 M0X10% system u64 percent 1e+06" },
		{ "msr0x10,cycles,core,seconds", "msr 0x10 M0X10 core u64 delta 1" },
		{ "msr0x10,,u32,", "msr 0x10 M0x10 system u32 delta 0" },
		{ "msr0x10,a b", "msr 0x10 a_b system u64 delta 0" },
		{ "msr0x10,a,b", "msr 0x10 b system u64 delta 0" },
		{ "msr0x10,core_temp", "msr 0x10 core_temp system u64 delta 0" },
		{ "msr0x10,u16", "msr 0x10 u16 system u64 delta 0" },
		{ "msr0x10,msr", "msr 0x10 msr system u64 delta 0" },
		{ "msr0x10,cpu%c9", "msr 0x10 cpu%c9 system u64 delta 0" },
		{ "/sys/devices/x/y", "file /sys/devices/x/y y system u64 delta 0" },
		{ "/sys/x,percent", "file /sys/x x% system u64 percent 0" },
		{ "/sys/x,Name,core", "file /sys/x Name core u64 delta 0" },
		{ "perf/cstate_pkg/c2-residency,package,delta,percent,pc2",
		  "perf cstate_pkg c2-residency pc2 package u64 percent 0" },
		{ "perf/msr/aperf", "perf msr aperf perf/aperf system u64 delta 0" },
		{ "perf/cpu/event=0x3c,umask=1/,core,X",
		  "perf cpu event=0x3c,umask=1 X core u64 delta 0" },
		{ "perf/cpu/event=0x3c,umask=1/",
		  "perf cpu event=0x3c,umask=1 perf/event=0x3c_umask=1 system u64 delta 0" },
		{ "perf/cpu/inst/", "perf cpu inst perf/inst system u64 delta 0" },
		{ "perf/cpu/event=1,name=Y/", "perf cpu event=1,name=Y Y system u64 delta 0" },
		{ "X,perf/cpu/event=1,name=Y/", "perf cpu event=1,name=Y X system u64 delta 0" },
		{ "u32,msr0x10[31:0],X", "msr 0x10 X system u32 delta 0" },
		{ "msr0x10[31:0],u32,X", "msr 0x10 X system u32 delta 0" },
		{ "pmt,name=XTAL,type=raw,format=raw,domain=package0,offset=0,lsb=0,msb=63,"
		  "guid=0x1a067102",
		  "pmt 0x1a067102 seq 0 unit 0 offset 0 bits 63:0 type 0 XTAL package u64 raw 0" },
		{ "pmt,name=a b,domain=cpu12,offset=0x10,lsb=4,msb=4,guid=ff,seq=1f,"
		  "type=txtal_time",
		  "pmt 0xff seq 31 unit 12 offset 16 bits 4:4 type 1 a_b cpu u1 percent 0" },
		{ "pmt,name=a,domain=core3,offset=8,lsb=0,msb=31,path=/x/telem0,format=average,"
		  "what=ever,junk",
		  "pmt /x/telem00x0 seq 0 unit 3 offset 8 bits 31:0 type 0 a core u32 delta 0" },
	};
	static const struct { const char *spec, *message; } bad[] = {
		{ "", "--add : a location is required: msrDDD, msr0xHHH, /path, perf/PMU/EVENT, "
		  "perf/PMU/TERMS/ or pmt,KEY=VALUE,..." },
		{ "u32,raw",
		  "--add u32,raw: a location is required: msrDDD, msr0xHHH, /path, "
		  "perf/PMU/EVENT, perf/PMU/TERMS/ or pmt,KEY=VALUE,..." },
		{ "msr0x10,msr0x11", "--add msr0x10,msr0x11: more than one location" },
		{ "msr0x10,/a", "--add msr0x10,/a: more than one location" },
		{ "msr0x", "--add msr0x: 'msr0x' is not an MSR" FORMS_TEXT },
		{ "msr1x", "--add msr1x: 'msr1x' is not an MSR" FORMS_TEXT },
		{ "msr0x100000000",
		  "--add msr0x100000000: 'msr0x100000000' is not an MSR" FORMS_TEXT },
		{ "msr0x1g", "--add msr0x1g: 'msr0x1g' is not an MSR" FORMS_TEXT },
		{ "msr99999999999999999999",
		  "--add msr99999999999999999999: 'msr99999999999999999999' is not an MSR"
		  FORMS_TEXT },
		{ "perf/a", "--add perf/a: expected perf/PMU/EVENT or perf/PMU/TERMS/" },
		{ "perf//b", "--add perf//b: expected perf/PMU/EVENT or perf/PMU/TERMS/" },
		{ "perf/a/", "--add perf/a/: expected perf/PMU/EVENT or perf/PMU/TERMS/" },
		{ "perf/a//", "--add perf/a//: expected perf/PMU/EVENT or perf/PMU/TERMS/" },
		{ "perf/a/b/c", "--add perf/a/b/c: expected perf/PMU/EVENT or perf/PMU/TERMS/" },
		{ "perf/../b", "--add perf/../b: expected perf/PMU/EVENT or perf/PMU/TERMS/" },
		{ "pmt,", "--add pmt: name= is missing" },
		{ "pmt,name=", "--add pmt: name= is missing" },
		{ "pmt,name=a,domain=cpu", "--add pmt: domain=cpu is not cpuN, coreN or packageN" },
		{ "pmt,name=a,domain=die0",
		  "--add pmt: domain=die0 is not cpuN, coreN or packageN" },
		{ "pmt,name=a,domain=cpu0,lsb=64", "--add pmt: lsb=64 is not a number up to 63" },
		{ "pmt,name=a,domain=cpu0,offset=0,lsb=0,msb=0",
		  "--add pmt: guid= or path= is missing" },
		{ "pmt,name=a,domain=cpu0,offset=0,lsb=0,msb=0,guid=1,path=/x",
		  "--add pmt: guid= and path= exclude each other" },
		{ "pmt,name=a,domain=cpu0,offset=0,lsb=5,msb=4,guid=1",
		  "--add pmt: lsb=5 is above msb=4" },
		{ "pmt,type=foo", "--add pmt: type=foo is none of raw, txtal_time, tcore_clock" },
		{ "pmt,format=percent",
		  "--add pmt: format=percent is none of delta, raw, average, rate" },
		{ "pmt,offset=99999999999",
		  "--add pmt: offset=99999999999 is not a number up to 16777216" },
		{ "pmt,guid=xyz",
		  "--add pmt: guid=xyz is not a hexadecimal number up to ffffffff" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		char *got;

		take_addition(NULL, t[i].spec);
		got = addition_text(&O.addition[O.nadditions - 1]);
		CHECK(!strcmp(got, t[i].want), "'%s': '%s', not '%s'", t[i].spec, got, t[i].want);
		free(got);
	}
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++)
		dies(bad[i].spec, add_spec, bad[i].spec, bad[i].message);
}

/* A column header may not contain what separates columns, wherever it comes from. */
static void test_add_names(void)
{
	static const char *const t[] = { "/tmp/a b",
					 "/tmp/a\tb",
					 "/tmp/a\nb",
					 "/tmp/",
					 "/",
					 "msr0x10,a\tb",
					 "perf/p/a b",
					 "perf/p/a\nb/",
					 "pmt,name=a\tb,domain=cpu0,offset=0,lsb=0,msb=1,guid=1" };
	static const struct { const char *spec, *name; } registers[] = {
		{ "msr16", "M0X10" }, { "msr0x10,u64", "M0X10" }, { "msr0x10,u32", "M0x10" },
		{ "msr0x611[31:16]", "M0X611" }, { "msr0xe7,u32,percent", "M0xe7%" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		const char *name;

		take_addition(NULL, t[i]);
		name = O.addition[O.nadditions - 1].name;
		CHECK(*name && !strpbrk(name, " \t\n,"), "'%s' becomes the column '%s'", t[i],
		      name);
	}
	/* a register's name tells its size, of which a field is a part */
	for (size_t i = 0; i < ARRAY_SIZE(registers); i++) {
		const char *name;

		take_addition(NULL, registers[i].spec);
		name = O.addition[O.nadditions - 1].name;
		CHECK(same_text(name, registers[i].name), "'%s' becomes the column '%s'",
		      registers[i].spec, name);
	}
}

/* The 22 options whose abbreviations are a contract, each with a value where one is needed. */
static const struct { const char *name, *value; } contract[] = {
	{ "add", "msr0x10" }, { "cpu", "0" }, { "debug", NULL }, { "Dump", NULL },
	{ "enable", "all" }, { "force", NULL }, { "header_iterations", "3" }, { "help", NULL },
	{ "hide", "IPC" }, { "interval", "7" }, { "Joules", NULL }, { "list", NULL },
	{ "no-msr", NULL }, { "no-perf", NULL }, { "num_iterations", "4" }, { "out", "/dev/null" },
	{ "quiet", NULL }, { "show", "SMI" }, { "Summary", NULL }, { "TCC", "90" },
	{ "version", NULL },
};

/* Parses argv and prints everything that it has changed to standard error. */
static void show_options(const void *arg)
{
	char *const *given = arg;
	char *argv[8] = { NULL };
	int argc = 0, asked;
	struct buf b = { 0 };

	for (; given[argc]; argc++)
		argv[argc] = textf("%s", given[argc]);
	asked = parse_options(argc, argv);
	buf_printf(
		&b,
		"asked %d optind %d quiet %d joules %d summary %d dump %d list %d explain %d "
		"debug %d interval %g n %llu N %llu tcc %llu out %s record %s replay %s msr %d "
		"perf %d cpus %d %d %d",
		asked, optind, O.quiet, O.joules, O.summary, O.dump, O.list, O.explain, O.debug,
		O.interval, O.iterations, O.header_every, O.tcc, O.out ? O.out : "-",
		O.record ? O.record : "-", O.replay ? O.replay : "-", O.no_msr, O.no_perf,
		O.cpu_list, !!O.first_of, set_count(&O.cpus));
	for (size_t i = 0; i < O.nselectors; i++)
		buf_printf(&b, " %d %s", O.selector[i].verb, O.selector[i].word);
	for (size_t i = 0; i < O.nadditions; i++)
		buf_printf(&b, " %s", O.addition[i].name);
	fputs(b.p, stderr);
}

/* The outcome of one option with one or two dashes. */
static struct outcome option_outcome(const char *dashes, const char *name, size_t n,
				     const char *value)
{
	char *option = textf("%s%.*s", dashes, (int)n, name);
	const char *argv[] = { "turbostat", option, value, NULL };
	struct outcome o = in_child(show_options, argv);

	free(option);
	return o;
}

/* How many of the contract's options begin with these letters. */
static int candidates(const char *name, size_t n)
{
	int found = 0;

	for (size_t i = 0; i < ARRAY_SIZE(contract); i++)
		found += !strncmp(contract[i].name, name, n);
	return found;
}

/* Every abbreviation that is unambiguous among the contract's options keeps its meaning. */
static void test_abbreviations(void)
{
	for (size_t i = 0; i < ARRAY_SIZE(contract); i++) {
		const char *name = contract[i].name, *value = contract[i].value;
		struct outcome full = option_outcome("--", name, strlen(name), value);

		CHECK(full.status == 0, "--%s: %s", name, full.err);
		for (size_t n = 1; n <= strlen(name); n++)
			for (int dashes = 1; dashes <= 2; dashes++) {
				struct outcome o;

				if (candidates(name, n) != 1)
					continue;
				if (dashes == 1 && n == 1)
					continue; /* a letter of its own may mean another option */
				o = option_outcome(&"--"[2 - dashes], name, n, value);
				CHECK(o.status == 0 && !strcmp(o.err, full.err),
				      "%.*s%.*s is not --%s: %s", dashes, "--", (int)n, name, name,
				      o.err);
				free(o.err);
			}
		free(full.err);
	}
}

/* Single letters, as they are documented. */
static void test_letters(void)
{
	static const struct { const char *letter, *name, *value; } t[] = {
		{ "c", "cpu", "0" }, { "d", "debug", NULL }, { "D", "Dump", NULL },
		{ "e", "enable", "all" }, { "H", "hide", "IPC" }, { "i", "interval", "7" },
		{ "J", "Joules", NULL }, { "M", "no-msr", NULL }, { "n", "num_iterations", "4" },
		{ "N", "header_iterations", "3" }, { "o", "out", "/dev/null" },
		{ "P", "no-perf", NULL }, { "q", "quiet", NULL }, { "S", "Summary", NULL },
		{ "T", "TCC", "90" }, { "h", "help", NULL }, { "v", "version", NULL },
		{ "a", "add", "msr0x10" }, { "s", "show", "SMI" }, { "l", "list", NULL },
		{ "f", "force", NULL },
	};

	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		struct outcome letter = option_outcome("-", t[i].letter, 1, t[i].value),
			       name = option_outcome("--", t[i].name, strlen(t[i].name),
						     t[i].value);

		CHECK(letter.status == 0 && !strcmp(letter.err, name.err), "-%s is not --%s: %s",
		      t[i].letter, t[i].name, letter.err);
		free(letter.err);
		free(name.err);
	}
}

#define LIST_TEXT " or a list of CPUs from 0 to 8191 such as 0,2,4-7"

/* Option values that are refused. */
static void test_option_values(void)
{
	static const struct { const char *argv[6], *message;
	} t[] = {
		{ { "t", "-i", "0" },
		  "--interval: '0' is not a number of seconds from 0.001 to 100000000" },
		{ { "t", "-i", "x" },
		  "--interval: 'x' is not a number of seconds from 0.001 to 100000000" },
		{ { "t", "-i", "5s" },
		  "--interval: '5s' is not a number of seconds from 0.001 to 100000000" },
		{ { "t", "-n", "0" },
		  "--num_iterations: '0' is not a number from 1 to 4294967295" },
		{ { "t", "-n", "-1" },
		  "--num_iterations: '-1' is not a number from 1 to 4294967295" },
		{ { "t", "-N", "4294967296" },
		  "--header_iterations: '4294967296' is not a number from 0 to 4294967295" },
		{ { "t", "-T", "256" }, "--TCC: '256' is not a number from 0 to 255" },
		{ { "t", "-c", "3-1" },
		  "--cpu: '3-1' is not core, package, die, l3, node" LIST_TEXT },
		{ { "t", "-c", "" }, "option '--cpu' needs a value: CPU-SET, not ''" },
		{ { "t", "-c", "cores" },
		  "--cpu: 'cores' is not core, package, die, l3, node" LIST_TEXT
		  ", did you mean core?" },
		{ { "t", "--per", "packge" },
		  "--per: 'packge' is not package, die, l3, node, module, core or type, "
		  "did you mean package?" },
		{ { "t", "-c", "1\n" },
		  "--cpu: '1\n' is not core, package, die, l3, node" LIST_TEXT },
		{ { "t", "-c", "1", "-c", "core" },
		  "--cpu: a list and core, package, die, l3 or node exclude each other" },
		{ { "t", "-c", "package", "-c", "1" },
		  "--cpu: a list and core, package, die, l3 or node exclude each other" },
		{ { "t", "--replay", "x", "sleep" }, "--replay and a command exclude each other" },
		{ { "t", "--add", "msr0x10", "--no-msr" },
		  "--add msr0x10: MSRs cannot be read with --no-msr" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		struct outcome o = in_child(show_options, t[i].argv);
		char *want = textf("turbostat: %s\n", t[i].message);

		CHECK(o.status == 1 && !strcmp(o.err, want), "%s %s: %d, '%s'", t[i].argv[1],
		      t[i].argv[2], o.status, o.err);
		free(want);
	}
}

/* A client of model 5eh: PMUs of registers and of core states, the energy of the package. */
static const char energy_file_text[] = FIRST_LINE
	"cpuid * 0 0 16 756e6547 6c65746e 49656e69\ncpuid * 1 0 506e3 0 0 0\n"
	"cpuid * 6 0 0 0 1 0\n"
	"file /sys/devices/system/cpu/online \"0\\n\"\n"
	"file /sys/bus/event_source/devices/msr/type \"8\\n\"\n"
	"file /sys/bus/event_source/devices/msr/format/event \"config:0-63\\n\"\n"
	"file /sys/bus/event_source/devices/msr/events/mperf \"event=0x02\\n\"\n"
	"file /sys/bus/event_source/devices/msr/events/smi \"event=0x04\\n\"\n"
	"perf 0 msr 2 0\nperf 0 msr 4 0\n"
	"file /sys/bus/event_source/devices/cstate_core/type \"9\\n\"\n"
	"file /sys/bus/event_source/devices/cstate_core/format/event \"config:0-63\\n\"\n"
	"file /sys/bus/event_source/devices/cstate_core/events/c3-residency \"event=0x01\\n\"\n"
	"file /sys/bus/event_source/devices/cstate_core/events/c6-residency \"event=0x02\\n\"\n"
	"file /sys/bus/event_source/devices/cstate_core/events/c7-residency \"event=0x03\\n\"\n"
	"perf 0 cstate_core 1 0\nperf 0 cstate_core 2 0\nperf 0 cstate_core 3 0\n"
	"file /sys/class/powercap/intel-rapl:0/name \"package-0\\n\"\n"
	"file /sys/class/powercap/intel-rapl:0/energy_uj \"1\\n\"\nend\n";

/* The msr driver is loaded only for what has registers here, and no other source. */
static void test_wants_registers(void)
{
	static const struct { const char *list; bool wants; struct options o; u64 has; } t[] = {
		{ "IRQ", false, { .quiet = true } }, { "IRQ", true, { .quiet = false } },
		{ "IRQ", true, { .quiet = true, .explain = true } },
		{ "IRQ", true, { .quiet = true, .dump = true } },
		{ "IRQ", false, { .format = CSV } }, { "IRQ", true, { .format = JSON } },
		{ "PKG_%", true, { .quiet = true } }, { "IRQ,Totl%C0", true, { .quiet = true } },
		/* the register is another model's */
		{ "Mod%c6", false, { .quiet = true } },
		/* a PMU */
		{ "SMI,Busy%", false, { .quiet = true } },
		{ "SMI", true, { .quiet = true, .no_perf = true } },
		{ "CPU%c6", false, { .quiet = true } }, { "Pkg%pc6", true, { .quiet = true } },
		{ "CPU%c6", true, { .quiet = true }, F(CC6_KNL) },
		/* what is left of MPERF, that has a PMU, and of the core's states */
		{ "CPU%c1", false, { .quiet = true } },
		{ "CPU%c1", true, { .quiet = true, .no_perf = true } },
		/* a file, of the one domain */
		{ "PkgWatt", false, { .quiet = true } }, { "CorWatt", true, { .quiet = true } },
		{ "PkgWatt,CorWatt", true, { .quiet = true } },
	};
	const struct option_row show = { .name = "show", .value = SHOW };
	u64 here;

	replay_text_of(energy_file_text);
	machine_init();
	here = M.has;
	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		struct options was = O;

		O = t[i].o;
		T = (struct tables){ 0 };
		M.has = here | t[i].has;
		take_columns(&show, t[i].list);
		tables_init();
		tables_fill();
		find_needed();
		CHECK(wants_registers() == t[i].wants, "case %zu: %s", i, t[i].list);
		O = was;
	}
}

/* The table of options itself. */
static void test_option_table(void)
{
	for (size_t i = 0; i < ARRAY_SIZE(option_rows); i++) {
		const struct option_row *o = &option_rows[i];

		CHECK(o->name && *o->name && !strpbrk(o->name, " \t="), "option %zu has a bad name",
		      i);
		CHECK(o->help && *o->help, "--%s has no help", o->name);
		CHECK(!o->letter || isalpha(o->letter), "--%s: letter %d", o->name, o->letter);
		for (size_t k = 0; k < i; k++) {
			CHECK(strcmp(option_rows[k].name, o->name), "--%s stands twice", o->name);
			CHECK(!o->letter || option_rows[k].letter != o->letter,
			      "--%s and --%s have one letter", option_rows[k].name, o->name);
		}
	}
	for (size_t i = 0; i < ARRAY_SIZE(contract); i++) {
		bool found = false;

		for (size_t k = 0; k < ARRAY_SIZE(option_rows); k++)
			found |= !strcmp(option_rows[k].name, contract[i].name) &&
				 !option_rows[k].argument == !contract[i].value;
		CHECK(found, "--%s is not in the table, or differs in having a value",
		      contract[i].name);
	}
	for (size_t i = 0; i < ARRAY_SIZE(exclusions); i++)
		for (const char *const *name = exclusions[i]; *name; name++) {
			bool found = !strcmp(*name, "command");

			for (size_t k = 0; k < ARRAY_SIZE(option_rows); k++)
				found |= !strcmp(option_rows[k].name, *name);
			CHECK(found, "an exclusion of --%s, which is no option", *name);
		}
}

/* ======================================================================== *
 * The list of tests
 * ======================================================================== */

/*
 * What fails while a sample is taken, the first one too, is written down: a replay would take
 * the last value for the present one.
 */
static void test_record_failures(void)
{
	static const struct event event = { "msr", 9, { 1, 0, 2 } };
	int dir = open("/proc/self", O_RDONLY | O_CLOEXEC);
	struct sample_times t;
	struct buf b = { 0 };
	struct names l;
	u64 v;

	record_open(text_file("", 0), "REC", OLD_FORMAT);
	record_flush(&S.record);
	src()->keep("/no/such/file", false);
	src()->text(-1, "/no/such/file", &b);
	S.msr_name = (struct msr_name){ "/no/such/device", "" };
	src()->msr(0, 0x10, &v);
	CHECK(!S.record.len, "before the first sample: %s", S.record.p);
	/* why a file, a folder or a device that is there cannot be read is said then, too */
	src()->text(-1, "/proc/self", &b);
	src()->keep("/dev/null/x", false);
	src()->keep("/dev/null/y", true);
	src_dir("/dev/null", &l);
	S.msr_name = (struct msr_name){ "/dev/null/", "" };
	src()->find_msr(5, false);
	CHECK(same_text(S.record.p, "file /proc/self !EISDIR\nfile /dev/null/x !ENOTDIR\n"
				    "file /dev/null/y !ENOTDIR\nmsr 5 * !ENOTDIR\n"),
	      "before the first sample: %s", S.record.p);
	S.msr_name = (struct msr_name){ "/no/such/device", "" };
	buf_clear(&S.record);
	src_begin(&t, false);
	src()->keep("/no/such/file", false);
	immovable = 8;
	CHECK(!src_try(3), "a move that is refused");	/* what is tried is not written down */
	src()->go(3);
	src()->msr(0, 0x10, &v);
	CHECK(same_text(S.record.p, "file /no/such/file !ENOENT\n"
				    "cpu 3 ok\ncpu 3 !EINVAL\n"	/* it was there */
				    "msr 0 10 !ENOENT\n"), "recorded: %s", S.record.p);
	buf_clear(&S.record);
	src()->go(3);		/* it is still away */
	CHECK(same_text(S.record.p, "cpu 3 !EINVAL\n"), "refused again: %s", S.record.p);
	buf_clear(&S.record);
	/* one that was open could be read before, one that was not could not */
	src()->text(dir, "/proc/self", &b);
	src()->text(-1, "/proc/self", &b);
	CHECK(same_text(S.record.p, "file /proc/self \"\"\nfile /proc/self !EISDIR\n"
				    "file /proc/self !EISDIR\n"), "files: %s", S.record.p);
	buf_clear(&S.record);
	src()->word(dir, "/proc/self", 8, &v);
	src()->word(-EMFILE, "/proc/self", 8, &v);
	CHECK(same_text(S.record.p, "file /proc/self \"\"\nfile /proc/self !EISDIR\n"
				    "file /proc/self !EISDIR\n"), "words: %s", S.record.p);
	buf_clear(&S.record);
	src_end(&t, true);
	src()->text(dir, "/proc/self", &b);
	immovable = 24;
	src()->go(4);		/* nor did it answer when all was laid out after the collection */
	CHECK(same_text(S.record.p, "file /proc/self !EISDIR\ncpu 4 !EINVAL\n"),
	      "after the collection: %s", S.record.p);
	buf_clear(&S.record);
	immovable = 8;
	src()->go(4);
	src()->go(4);
	CHECK(same_text(S.record.p, "cpu 4 ok\n"), "it is back: %s", S.record.p);
	buf_clear(&S.record);
	src_stay();
	src()->go(3);
	CHECK(same_text(S.record.p, "cpu 3 ok\n"), "where nobody moves: %s", S.record.p);
	buf_clear(&S.record);
	deaf = true;
	S.most_descriptors = 1;	/* a file that cannot be kept open can be read */
	SAME(src()->keep("/dev/null", false), -EMFILE);
	CHECK(!S.record.len, "too few descriptors: %s", S.record.p);
	grants_events = true;	/* an event cannot be read then */
	SAME(src()->perf_open(3, &event, -1), -EMFILE);
	CHECK(same_text(S.record.p, "perf 3 msr 1,0,2 !EMFILE\n"), "an event: %s", S.record.p);
}

/* The times of a sample, and of the CPUs in it: each in its place. */
static void test_record_times(void)
{
	struct sample_times t = { 0 }, again = { 0 };
	struct times cpu;
	char *text;
	int fd = text_file("", 0);

	record_open(fd, "REC", OLD_FORMAT);
	fd = dup(fd);
	still = 100 * NS_PER_S;
	src_begin(&t, false);
	still += 1;
	src()->cpu_clock(2, true, false);
	still += 20;
	src()->cpu_clock(2, false, false);
	still += 300;
	src_end(&t, false);
	src()->text(-1, "/dev/null", &(struct buf){ 0 });	/* belongs to the next part */
	src_begin(&again, false);
	src_end(&again, false);
	record_close(NULL, 0);
	text = file_text(fd);
	CHECK(strstr(text, "\nsample 0 1700000100.000000321 100.000000321 100.000000000 "
			   "107.000000321\nclock 2 1700000100.000000001 1700000100.000000021 "
			   "100.000000001 100.000000021\n"
			   "sample 1 1700000100.000000321 100.000000321 100.000000321 "
			   "107.000000321\nfile /dev/null \"\"\nend\n"), "recorded: %s", text);
	replay_text_of(text);
	SAME(next_part(), K_SAMPLE);
	src_begin(&again, false);
	src_end(&again, false);
	CHECK(!memcmp(&t, &again, sizeof(t)), "the clocks of the sample");
	cpu = src()->cpu_clock(2, true, true);
	SAME(cpu.real, (REAL_AHEAD + 100) * NS_PER_S + 1);
	SAME(cpu.mono, 100 * NS_PER_S + 1);
	cpu = src()->cpu_clock(2, false, true);
	SAME(cpu.real, (REAL_AHEAD + 100) * NS_PER_S + 21);
	SAME(cpu.mono, 100 * NS_PER_S + 21);
	cpu = src()->cpu_clock(1, true, true);	/* of it none is recorded: the end of the sample */
	SAME(cpu.real, t.end.real);
	SAME(cpu.mono, t.end.mono);
	replay_text_of(FIRST_LINE "sample 0 5.000000000 4.000000000\n"
				  "clock 2 1.000000001 2.000000002\n"
				  "sample 1 7.000000000 6.000000000\nend\n");
	next_part();
	cpu = src()->cpu_clock(2, false, true);	/* the real time alone is recorded */
	SAME(cpu.real, 2 * NS_PER_S + 2);
	SAME(cpu.mono, 4 * NS_PER_S);
	src_end(&again, false);
	SAME(again.begin, 4 * NS_PER_S);
	SAME(again.boot, 4 * NS_PER_S);
	next_part();
	cpu = src()->cpu_clock(2, false, true);	/* it is not read in this one */
	SAME(cpu.real, 7 * NS_PER_S);
	SAME(cpu.mono, 6 * NS_PER_S);
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
	SAME(open_as_user("/no/such/file", O_RDONLY), -1);
	SAME(errno, ENOENT);
	SAME(ncapabilities, 5);
	SAME(capabilities[4], 0x21);
	ncapabilities = 0;	/* root keeps what it has */
	fd = open_as_user("/dev/null", O_RDONLY);
	CHECK(fd >= 0, "%s", strerror(errno));
	SAME(fcntl(fd, F_GETFD), FD_CLOEXEC);
	close(fd);
}

/* Of the user's files those are kept open that can be read again: no devices, no fifos. */
static void test_user_files(void)
{
	char name[] = "build/fifo.XXXXXX";
	int fd = mkstemp(name);

	if (fd < 0)
		die("%s: %s", name, strerror(errno));
	CHECK(live_keep(name, true) >= 0, "a file");
	CHECK(live_keep("/proc/self", true) >= 0, "a folder, that says so when it is read");
	SAME(live_keep("/dev/null", true), -ESPIPE);
	SAME(live_keep("/no/such/file", true), -ENOENT);
	CHECK(live_keep("/dev/null", false) >= 0, "a device that the program asks for itself");
	if (unlink(name) || mkfifo(name, 0600))
		die("%s: %s", name, strerror(errno));
	SAME(live_keep(name, true), -ESPIPE);
	unlink(name);
}

/* Of a file asked for one line, that line is written down; of a folder, if it is empty. */
static void test_record_least(void)
{
	static const char text[] = "1:cpu:/private\n0::/own\n2:x:/private\n";
	static const char *const files[] = { "c1", ".x", "a", "d", "b", "c" };
	int fd = text_file(text, strlen(text));
	char *path = textf("/proc/self/fd/%d", fd), *want, dir[] = "/tmp/turbostat-unit.XXXXXX";
	struct names l;

	record_open(text_file("", 0), "REC", OLD_FORMAT);
	record_flush(&S.record);
	CHECK(same_text(src_line_after(path, "0::"), "/own"), "the line");
	want = textf("file %s \"0::/own\"\n", path);
	CHECK(same_text(S.record.p, want), "recorded: %s", S.record.p);
	buf_clear(&S.record);
	SAME(src_dir("/proc/self", &l), 0);
	CHECK(l.n, "a folder with files");
	CHECK(!S.record.len, "recorded of it: %s", S.record.p);
	names_free(&l);
	if (!mkdtemp(dir))
		die("%s: %s", dir, strerror(errno));
	/* an empty folder */
	SAME(src_dir(dir, &l), 0);
	SAME(l.n, 0);
	want = textf("dir %s\n", dir);
	CHECK(same_text(S.record.p, want), "recorded: %s", S.record.p);
	buf_clear(&S.record);
	/* of the kernel's statistics, the lines of CPUs; whole ones */
	SAME(src()->text(-1, "/proc/stat", &(struct buf){ 0 }), 0);
	CHECK(text_after(S.record.p, "file /proc/stat \"cpu ") && !strstr(S.record.p, "intr") &&
		      S.record.len > 4 && !strcmp(S.record.p + S.record.len - 4, "\\n\"\n"),
	      "recorded: %s", S.record.p);
	buf_clear(&S.record);
	record_remark("a title", "\tb \xc3\xa4 ~\x7f");
	record_remark("none", "");
	CHECK(same_text(S.record.p, "# a title: ?b ?? ~?\n# none:\n"), "remarks: %s", S.record.p);
	/* names are sorted, and those that begin with a dot left out */
	for (size_t i = 0; i < ARRAY_SIZE(files); i++)
		close(open(pathf("%s/%s", dir, files[i]), O_CREAT | O_WRONLY | O_CLOEXEC, 0600));
	want = dir_text(dir);
	for (size_t i = 0; i < ARRAY_SIZE(files); i++)
		unlink(pathf("%s/%s", dir, files[i]));
	rmdir(dir);
	CHECK(same_text(want, "a b c c1 d"), "its files: %s", want);
}

/* The word of a region whose driver is gone. */
static int fake_word(int fd, const char *path, u32 offset, u64 *v)
{
	(void)fd;
	(void)path;
	(void)offset;
	(void)v;
	return -ENODEV;
}

/* A telemetry region that goes away is an error, not a signal. */
static void test_telemetry(void)
{
	static struct backend answers;
	static const u64 words[] = { 11, 22, 33 };
	int fd = text_file((const char *)words, sizeof(words));
	struct telemetry region[] = {
		{ 7, 8, (char *)"/no/such/region", false, 0 },
		{ 7, sizeof(words), textf("/proc/self/fd/%d", fd), false, 0 },
	};
	u64 v = 0;
	int own;

	M.dev = (struct devices){ .telemetry = region,
				  .ntelemetry = ARRAY_SIZE(region),
				  .listed = TELEMETRY };
	/* regions that are not there */
	SAME(find_region(NULL, 8, 0), -ENOENT);
	SAME(find_region(NULL, 7, 0), 1);
	SAME(find_region(NULL, 7, 1), -ENOENT);
	CHECK(region[1].is_open, "a region beside one that is not there");
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
	answers = live;
	answers.word = fake_word;
	S.ask = &answers;
	region[1].fd = own = dup(fd);
	SAME(read_region(1, 8, &v), -ENODEV);
	CHECK(fcntl(own, F_GETFD) < 0, "it stays open");
	S.ask = &live;
	SAME(ftruncate(fd, sizeof(words)), 0);
	SAME(read_region(1, 8, &v), 0);
	free(region[1].path);
	M.dev = (struct devices){ .nresolved = 0 };
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
	src()->perf_read(0, dir, 3, none, 50, all, failed);
	CHECK(failed[0] == -EISDIR && failed[2] == -EISDIR, "a folder: %d", failed[0]);
	close(dir);
	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		struct perf_value v[3] = { { 0 } };
		int err[3], fd = text_file((const char *)t[i].raw, t[i].words * 8);

		src()->perf_read(0, fd, 3, none, 50, v, err);
		CHECK(err[0] == t[i].err && err[2] == t[i].err, "%zu: %d", i, err[0]);
		CHECK(err[0] || (v[2].count == 30 && v[0].enabled == t[i].raw[1] &&
				 v[0].running == t[i].raw[2]),
		      "%zu: its values", i);
		close(fd);
	}
	/* what an event was enabled for at least */
	SAME(least_enabled(-5), 0);
	SAME(least_enabled(9000000), 0);
	SAME(least_enabled(6400000000), 6190000000);
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
		src()->perf_read(0, fd[1], 1, none, 50, &v, &err);
		CHECK(err == t[i].err && (err || (v.count == 20 && v.enabled == t[i].then)),
		      "%zu: %d", i, err);
		close(fd[0]);
		close(fd[1]);
	}
}

/* CPUs that cannot be moved to are left out, and tried again in turn; unless all refuse. */
static void test_refused_cpus(void)
{
	for (int cpu = 0; cpu < 6; cpu++)
		set_add(&M.allowed, cpu);
	immovable = 0x15;
	leave_out_refused();
	CHECK(M.allowed.w[0] == 0x2a, "allowed: %llx", M.allowed.w[0]);
	CHECK(!has_relented(), "2 has not relented");
	CHECK(!has_relented(), "4 has not relented");
	immovable = 0x14;
	CHECK(has_relented(), "0 has relented");
	immovable = 0;
	M.allowed.w[0] = 0x3f;
	leave_out_refused();
	CHECK(M.allowed.w[0] == 0x3f, "where none refuses, allowed: %llx", M.allowed.w[0]);
	CHECK(!has_relented(), "one is tried where none refuses");
	immovable = ~0ull;
	M.allowed.w[0] = 0x3f;
	S.cpu = -1;
	leave_out_refused();
	CHECK(M.allowed.w[0] == 0x3f, "where all refuse, allowed: %llx", M.allowed.w[0]);
	CHECK(!has_relented(), "none is tried where all refuse");
	CHECK(!src()->go(5), "it stays where it is");
}

/* After a rebuild nothing is left of the old intervals: a counter that is read no more is nan. */
static void test_samples_anew(void)
{
	M.n = 2;
	T.ncounters = 3;
	P.ncells = 6;
	R.interval.tsc_hz = 2e9;
	for (int i = 0; i < 2; i++) {
		samples_alloc();
		SAME(R.interval.tsc_hz, 2e9);	/* that of the machine */
		for (int cell = 0; cell < 6; cell++) {
			CHECK(!R.interval.valid[cell], "cell %d of the interval is valid", cell);
			R.interval.valid[cell] = 1;
			for (int k = 0; k < 2; k++) {
				CHECK(!R.sample[k].valid[cell], "cell %d of sample %d is valid",
				      cell, k);
				R.sample[k].valid[cell] = 1;
			}
		}
	}
}

/*
 * After a rebuild the newest sample says of each CPU what it said before; one that has come was
 * not visited, and has the time of its end.
 */
static void test_sample_moved(void)
{
	struct machine old;
	u32 was[8];

	small_machine();
	add_counter(&(struct counter){ .name = "first", .scope = CPU });
	P.ncells = 8;
	R.now = 1;
	samples_alloc();
	for (int row = 0; row < 8; row++) {
		R.sample[1].stay[row].visited = row != 2;
		R.sample[1].stay[row].begin.mono = 100 + row;
		R.sample[1].stay[row].end.mono = 200 + row;
		R.sample[1].value[row] = 300 + (u64)row;
		R.sample[1].valid[row] = row == 4 ? BEGINS : VALID;
		R.last[row].value = 400 + (u64)row;
	}
	R.sample[1].t = (struct sample_times){ .end.mono = 999, .tsc = 55 };
	old = M;
	old.row = zeroed(MAX_CPU, sizeof(*old.row));
	for (int cpu = 0; cpu < 8; cpu++) {
		old.row[cpu] = cpu == 0 ? -1 : 8 - cpu;		/* CPU 0 has come */
		was[cpu] = cpu == 0 ? NO_CELL : (u32)(8 - cpu);
	}
	R.interval.tsc_hz = 2e9;
	migrate_samples(&old, was);
	SAME(R.interval.tsc_hz, 2e9);
	SAME(R.sample[1].t.end.mono, 999);
	SAME(R.sample[1].t.tsc, 55);
	SAME(R.sample[1].stay[0].visited, 0);
	SAME(R.sample[1].stay[0].begin.mono, 999);
	SAME(R.sample[1].stay[0].end.mono, 999);
	SAME(R.sample[1].valid[0], UNKNOWN);
	for (int cpu = 1; cpu < 8; cpu++) {
		int row = 8 - cpu;

		SAME(R.sample[1].stay[cpu].visited, row != 2);
		SAME(R.sample[1].stay[cpu].begin.mono, 100 + row);
		SAME(R.sample[1].stay[cpu].end.mono, 200 + row);
		SAME(R.sample[1].value[cpu], 300 + row);
		SAME(R.sample[1].valid[cpu], row == 4 ? BEGINS : VALID);
		SAME(R.last[cpu].value, 400 + row);
	}
}

/* What a total has of a counter that is read no more after a rebuild is a part, which is nan. */
static void test_total_anew(void)
{
	struct sample before;
	struct machine old;
	u8 old_source[8] = { 1, 0, 0, 0, 1 };

	small_machine();
	old = M;
	old.row = zeroed(MAX_CPU, sizeof(*old.row));
	for (int cpu = 0; cpu < 8; cpu++)
		old.row[cpu] = M.row[cpu];
	add_counter(&(struct counter){ .name = "first", .scope = PACKAGE });
	P.ncells = 8;
	samples_alloc();
	interval_clear(&R.total);
	R.total.new = &before;
	R.total.value[0] = R.total.value[4] = 55;
	R.total.valid[0] = R.total.valid[4] = 1;
	R.total.seconds = 17;
	R.total.suspended = true;
	for (int row = 0; row < 8; row++)
		R.total.row_seconds[row] = row;
	old.row[5] = 2;
	old.row[6] = -1;
	P.source = zeroed(8, 1);
	P.source[4] = 1;
	P.old_source = old_source;
	migrate_total(&R.total, &old, find_old_cells(&old));
	SAME(R.total.seconds, 17);
	SAME(R.total.suspended, true);
	SAME(R.total.row_seconds[4], 4);
	SAME(R.total.row_seconds[5], 2);
	SAME(R.total.row_seconds[6], 17);
	CHECK(!R.total.valid[0], "a part is taken for the whole");
	CHECK(R.total.valid[4] && R.total.value[4] == 55, "the other package's: %llu",
	      R.total.value[4]);
}

/*
 * When the CPU that leads a unit goes, what is the unit's goes on at the next one; what is of that
 * CPU alone does not, nor what comes from another source now.
 */
static void test_new_leader(void)
{
	static const struct way of_unit = { .kind = BY_MSR }, of_cpu = FILE_AT("cpuidle/x");
	struct machine old;
	const u32 *was;

	small_machine();
	T.ncounters = 0;
	add_counter(&(struct counter){ .name = "a", .scope = PACKAGE, .way = { of_unit } });
	add_counter(&(struct counter){ .name = "b", .scope = PACKAGE, .way = { of_cpu } });
	add_counter(&(struct counter){ .name = "c", .scope = PACKAGE, .way = { of_unit } });
	for (int k = 0; k < 3; k++)
		T.counter[k].chosen = T.counter[k].way;
	P.ncells = 24;
	P.source = zeroed(24, 1);
	P.old_source = zeroed(24, 1);
	memset(P.source, 1, 24);
	memset(P.old_source, 1, 24);
	P.source[2] = 2;
	old = M;
	old.row = zeroed(MAX_CPU, sizeof(*old.row));
	memcpy(old.row, M.row, MAX_CPU * sizeof(*old.row));
	old.cpu = zeroed(8, sizeof(*old.cpu));
	for (int row = 0; row < 8; row++)
		old.cpu[row] = row;
	/* CPU 8 stands in the row where CPU 0 was */
	M.row[0] = -1;
	M.row[8] = 0;
	M.cpu[0] = 8;
	old.row[8] = -1;
	was = find_old_cells(&old);
	SAME(was[cell_of(0, 0)], cell_of(0, 0));
	SAME(was[cell_of(1, 0)], NO_CELL);
	SAME(was[cell_of(2, 0)], NO_CELL);
	for (int k = 0; k < 3; k++)
		SAME(was[cell_of(k, 4)], cell_of(k, 4));	/* the other package */
}

/* Of a user's register, as of a file of each CPU, a unit shows that of its leader. */
static void test_of_one_cpu(void)
{
	static const struct way msr = { .kind = BY_MSR, .msr = 0x10 };

	tables_init();
	T.counter[CT_PKG_ENERGY].way[0] = msr;
	T.counter[CT_PKG_ENERGY].chosen = T.counter[CT_PKG_ENERGY].way;
	CHECK(!is_of_one_cpu(CT_PKG_ENERGY), "a register of the package is a CPU's");
	add_counter(&(struct counter){ .name = "user", .scope = PACKAGE, .way = { msr } });
	T.counter[NCOUNTERS].chosen = T.counter[NCOUNTERS].way;
	CHECK(is_of_one_cpu(NCOUNTERS), "a register of the user's is a package's");
}

/* A tick reads the counters that wrap: no levels, nor what has 64 bits. */
static void test_due_in_tick(void)
{
	static const struct op count = { .kind = BY_MSR, .modulus = 1ull << 32 },
			       level = { .kind = BY_MSR, .modulus = 1ull << 32, .gauge = true },
			       wide = { .kind = BY_MSR };

	SAME(is_due(NULL, &count, 0, DUE_WRAPPING), true);
	SAME(is_due(NULL, &level, 0, DUE_WRAPPING), false);
	SAME(is_due(NULL, &wide, 0, DUE_WRAPPING), false);
}

/* A new total has nothing of the interval before it. */
static void test_new_total(void)
{
	small_machine();
	P.ncells = 8;
	samples_alloc();
	R.interval.suspended = true;
	R.interval.seconds = 5;
	R.interval.new = &R.sample[0];
	memset(R.interval.valid, 1, 8);
	interval_clear(&R.total);
	SAME(R.total.suspended, false);
	SAME(R.total.seconds, 0);
	CHECK(!R.total.new, "it is of samples");
	for (int cell = 0; cell < 8; cell++)
		SAME(R.total.valid[cell], 0);
}

/* Where something has gone a new plan is due after 1, 2, 4, 8 intervals, then at each 16th. */
static void test_due(void)
{
	struct buf b = { 0 };

	P.lost = true;
	for (int i = 1; i < 50; i++)
		if (plan_is_due())
			buf_printf(&b, " %d", i);
	CHECK(same_text(b.p, " 1 3 7 15 31 47"), "at intervals%s", b.p);
	P.lost = false;
	CHECK(!plan_is_due(), "nothing has gone");
	P.lost = true;
	CHECK(plan_is_due(), "not at once");
}

/*
 * The way that serves a unit is the first that does, also where a later one completes the
 * counter; what that reads is brought to the unit of the chosen one.
 */
static void test_kept_ways(void)
{
	static const struct way microjoules = { .kind = BY_FILE, .scale = 1e-6 };
	struct counter energy = { .name = "energy",
				  .scope = PACKAGE,
				  .rapl_unit = ENERGY_UNIT,
				  .way = { { .kind = BY_MSR }, microjoules } };
	struct search s = { .covered = zeroed(8, 1) };

	small_machine();
	add_counter(&energy);
	M.rapl_unit[ENERGY_UNIT] = 0x1p-10;
	P.source = zeroed(8, 1);
	for (int i = 0; i < 2; i++) {
		s.way = &T.counter[0].way[i];
		add_op(4 * i, (u32)(4 * i), s.way->kind, 0, 0);
		s.covered[4 * i] = COVERED;
		keep_way(&s, (u32)i);
	}
	CHECK(T.counter[0].chosen == T.counter[0].way, "the first way is not the chosen one");
	CHECK(same_real(T.counter[0].scale, 0x1p-10), "the scale is %g", T.counter[0].scale);
	SAME(P.source[0], 1);
	SAME(P.source[4], 2);
	SAME(P.source[2], 0);
	CHECK(same_real(P.op[0].factor, 1), "the first one's factor is %g", P.op[0].factor);
	CHECK(same_real(P.op[1].factor, 1e-6 * 0x1p10), "the second one's factor is %g",
	      P.op[1].factor);
}

/* --- perf groups, of events that are made up --- */

static struct {
	int refuse;		/* what opening answers, 0 = a descriptor */
	bool alone;		/* no event fits into a group with another */
	int opened;		/* events so far */
	u64 count, enabled;	/* what every event answers, by the group's first descriptor too */
	bool gone;		/* until the events are opened anew */
	u64 least;		/* for how long they must have been enabled, at the last reading */
} fake;

static int fake_open(int cpu, const struct event *e, int leader)
{
	(void)cpu;
	(void)e;
	if (fake.refuse || (fake.alone && leader >= 0))
		return fake.refuse ? fake.refuse : -EINVAL;
	fake.opened++;
	fake.gone = false;
	return dup(STDIN_FILENO);
}

static void fake_read(int cpu, int fd, int n, const struct event *const *e, u64 least,
		      struct perf_value *v, int *err)
{
	(void)cpu;
	(void)e;
	fake.least = least;
	for (int i = 0; i < n; i++) {
		v[i] = (struct perf_value){ fake.count, fake.enabled, fake.enabled };
		err[i] = fake.gone || fcntl(fd, F_GETFD) < 0 ? -ENODEV : 0;
	}
}

/* Clears the plan, as for a new one. */
static void begin_rebuild(void)
{
	plan_clear();
	P.again = true;
	memset(P.first_group, -1, MAX_CPU * sizeof(*P.first_group));
}

/* The small machine, on which the PMU "box" counts; its events are those of the fake. */
static void small_machine_with_events(struct pmu *pmu, const char *mask)
{
	static struct backend answers;

	small_machine();
	add_counter(&(struct counter){ .name = "first", .scope = PACKAGE, .fold = SUM });
	add_counter(&(struct counter){ .name = "second", .scope = PACKAGE, .fold = SUM });
	T.counter[0].chosen = T.counter[0].way;
	T.counter[1].chosen = T.counter[1].way;
	M.allowed.w[0] = 0xff;
	answers = live;
	answers.perf_open = fake_open;
	answers.perf_read = fake_read;
	S.source = &live;
	S.ask = &answers;
	*pmu = (struct pmu){ .name = "box", .is_known = true, .masked = mask != NULL };
	if (mask)
		parse_cpulist(mask, &pmu->mask);
	P.first_group = resize(NULL, MAX_CPU, sizeof(*P.first_group));
	memset(P.first_group, -1, MAX_CPU * sizeof(*P.first_group));
	P.first_extra = P.ncells = 16;
	memset(&fake, 0, sizeof(fake));
}

static struct resolved box[] = {
	{ .pmu = (char *)(uintptr_t)"box", .event = { "box", 20, { 1 } } },
	{ .pmu = (char *)(uintptr_t)"box", .event = { "box", 20, { 2 } } },
	{ .pmu = (char *)(uintptr_t)"box", .event = { "box", 20, { 3 } } },
};

/* Opens event 1 or 2 of the PMU for a counter of a row. */
static int open_one(struct pmu *pmu, int row, int cpu, int event)
{
	struct search s = { .counter = event - 1 };

	return open_event(&s, row, cpu, pmu, &box[event - 1]);
}

/* Opens both for two counters of a row. */
static int open_two(struct pmu *pmu, int row, int cpu)
{
	int err = open_one(pmu, row, cpu, 1);

	return err ? err : open_one(pmu, row, cpu, 2);
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
	CHECK(!open_two(&pmu, 0, 0) && P.ngroups == 1 && P.group[0].n == 2, "%u groups", P.ngroups);
	CHECK(!open_two(&pmu, 0, 0) && fake.opened == 2 && P.ntaps == 4,
	      "%d events opened, %u taps", fake.opened, P.ntaps);
	small_machine_with_events(&pmu, NULL);
	plan_clear();
	close_old_groups();
	memset(P.first_group, -1, MAX_CPU * sizeof(*P.first_group));
	fake.alone = true;
	CHECK(!open_two(&pmu, 0, 0) && P.ngroups == 2 && P.group[0].n == 1 && P.group[1].n == 1,
	      "%u groups of events that do not fit together", P.ngroups);
	fake.refuse = -EBUSY;
	/* at the start what is busy is as good as absent: there are other ways */
	SAME(open_two(&pmu, 4, 4), -EBUSY);
	fake.refuse = -EACCES;
	CHECK(open_two(&pmu, 4, 4) == -EACCES && P.ngroups == 2 && P.nops == 2,
	      "a refused event leaves a group: %u, %u readings", P.ngroups, P.nops);
	small_machine_with_events(&pmu, NULL);
	plan_clear();
	close_old_groups();
	memset(P.first_group, -1, MAX_CPU * sizeof(*P.first_group));
	for (int i = 0; i < MAX_GROUP + 1; i++) {
		struct resolved *r = zeroed(1, sizeof(*r));
		struct search s = { .counter = 0 };

		*r = (struct resolved){ .pmu = (char *)(uintptr_t)"box",
					.event = { "box", 20, { (u64)i } } };
		CHECK(!open_event(&s, 0, 0, &pmu, r), "event %d is refused", i);
	}
	CHECK(P.ngroups == 2, "%u groups", P.ngroups);
	CHECK(P.group[0].n == MAX_GROUP, "%d events in the first one", P.group[0].n);
	CHECK(P.group[1].n == 1, "%d events in the second one", P.group[1].n);
}

/* Of events of two PMUs on one CPU, asked for by turns and again, each is opened once. */
static void test_groups_of_two(void)
{
	static const struct resolved crate = { .pmu = (char *)(uintptr_t)"crate",
					       .event = { "crate", 21, { 1 } } };
	struct search s = { .counter = 0 };
	struct pmu pmu;

	small_machine_with_events(&pmu, NULL);
	for (int i = 0; i < 2; i++) {
		SAME(open_one(&pmu, 0, 0, 1), 0);
		SAME(open_event(&s, 0, 0, &pmu, &crate), 0);
		SAME(open_one(&pmu, 0, 0, 2), 0);
		SAME(open_one(&pmu, 1, 1, 2), 0);
	}
	SAME(P.ngroups, 3);
	SAME(fake.opened, 4);
	SAME(P.ntaps, 8);
}

/*
 * What several events of a unit come to: each is an instance; without one of them there is no
 * sum.
 */
static void test_instances(void)
{
	struct pmu pmu;
	struct interval iv;
	struct reading r;
	struct view v = { &iv, SYSTEM, 0 };

	small_machine_with_events(&pmu, "0,2,4");
	/* events are refused */
	SAME(open_two(&pmu, 0, 0), 0);
	SAME(open_two(&pmu, 0, 2), 0);
	SAME(open_two(&pmu, 4, 4), 0);
	P.ntaps = 0;
	for (int i = 0; i < 3; i++)
		add_tap((struct tap){ .row = i < 2 ? 0 : 4, .counter = 0, .group = i }, false);
	CHECK(P.tap[0].cell == 0 && P.tap[1].cell >= 16 && P.tap[2].cell == 8, "cells %u %u %u",
	      P.tap[0].cell, P.tap[1].cell, P.tap[2].cell);
	list_instances();
	iv = (struct interval){ .m = &M,
				.t = &T,
				.instance = P.instance,
				.first_instance = P.first_instance,
				.value = zeroed(P.ncells, sizeof(u64)),
				.valid = zeroed(P.ncells, 1),
				.row_seconds = zeroed(8, sizeof(double)),
				.seconds = 1 };
	for (int i = 0; i < 3; i++) {
		iv.value[P.tap[i].cell] = 1ull << i;
		iv.valid[P.tap[i].cell] = 1;
	}
	CHECK(gather_reading(&v, 0, 0, &r) && r.value == 7, "the sum of all: %llu", r.value);
	v.scope = PACKAGE;
	CHECK(gather_reading(&v, 0, 0, &r) && r.value == 3, "the sum of a package: %llu", r.value);
	iv.valid[P.tap[1].cell] = 0;
	CHECK(!gather_reading(&v, 0, 0, &r), "a part is a sum");
	v.row = 4;
	CHECK(gather_reading(&v, 0, 0, &r) && r.value == 4, "the other package: %llu", r.value);
	v.scope = SYSTEM;
	T.counter[1].rapl_unit = ENERGY_UNIT;
	iv.value[1] = 5;
	iv.valid[1] = 1;
	CHECK(!gather_reading(&v, 1, 1, &r), "the energy of one package is that of the machine");
	iv.value[9] = 6;
	iv.valid[9] = 1;
	CHECK(gather_reading(&v, 1, 1, &r) && r.value == 11, "the energy of two packages: %llu",
	      r.value);
	/* a mean is that of the units' sums, also below 0; their time that of all readings */
	T.counter[0].fold = MEAN;
	T.counter[0].bits = 64;
	for (int i = 0; i < 3; i++) {
		iv.value[P.tap[i].cell] = (u64)-(i + 1) * 4;
		iv.valid[P.tap[i].cell] = 1;
	}
	iv.row_seconds[0] = iv.row_seconds[4] = 2;
	for (enum kind_of_counter kind = COUNT; kind <= GAUGE; kind++) {
		T.counter[0].kind = kind;
		CHECK(gather_reading(&v, 0, 0, &r) && r.seconds == 2 &&
		      (kind == COUNT || (i64)r.value == -12), "the mean of several: %lld, %g s",
		      (i64)r.value, r.seconds);
	}
}

/*
 * The events of a CPU of a cpumask go on when it goes: the group of the unit takes them over,
 * with what they have counted.
 */
static void test_takeover(void)
{
	struct pmu pmu;
	int fd;

	small_machine_with_events(&pmu, "0,4");
	/* events are refused */
	SAME(open_two(&pmu, 0, 0), 0);
	SAME(open_two(&pmu, 4, 4), 0);
	SAME(open_one(&pmu, 1, 1, 2), 0);
	P.group[0].member[0].sum = 77;
	P.group[0].read_at = 99;
	fd = P.group[0].member[0].fd;
	begin_rebuild();
	parse_cpulist("1,4", &pmu.mask);
	/* events are refused the second time */
	SAME(open_two(&pmu, 4, 4), 0);
	SAME(open_two(&pmu, 0, 1), 0);
	close_old_groups();
	CHECK(fake.opened == 5, "%d events are opened", fake.opened);
	CHECK(P.group[1].cpu == 1, "of CPU %d", P.group[1].cpu);
	CHECK(P.group[1].member[0].fd == fd, "not taken over");
	CHECK(P.group[1].member[0].sum == 77, "its count is %llu", P.group[1].member[0].sum);
	CHECK(P.group[1].read_at == 99, "last read at %lld", P.group[1].read_at);
	CHECK(fcntl(fd, F_GETFD) >= 0, "the event that was taken over is closed");
	begin_rebuild();
	parse_cpulist("0,1,4", &pmu.mask);
	CHECK(!open_two(&pmu, 0, 0), "events are refused");
	CHECK(fake.opened == 7, "the events of a CPU that is in the mask are taken over");
	CHECK(!open_two(&pmu, 0, 1), "events are refused");
	CHECK(P.group[1].member[0].fd == fd, "its own events are not taken over");
	close_old_groups();
	begin_rebuild();
	pmu.masked = false;
	CHECK(!open_two(&pmu, 2, 2), "events are refused");
	CHECK(fake.opened == 9, "the events of another CPU are taken over without a cpumask");
	close_old_groups();
	CHECK(fcntl(fd, F_GETFD) < 0, "what nobody takes over stays open");
}

/* Of the events of two CPUs that are gone each go on, as those of another CPU. */
static void test_takeover_two(void)
{
	struct pmu pmu;
	int fd[2];

	small_machine_with_events(&pmu, "0,1");
	SAME(open_one(&pmu, 0, 0, 1), 0);
	SAME(open_one(&pmu, 1, 1, 1), 0);
	fd[0] = P.group[0].member[0].fd;
	fd[1] = P.group[1].member[0].fd;
	begin_rebuild();
	parse_cpulist("2,3", &pmu.mask);
	SAME(open_one(&pmu, 2, 2, 1), 0);
	SAME(open_one(&pmu, 3, 3, 1), 0);
	close_old_groups();
	SAME(fake.opened, 2);
	for (int i = 0; i < 2; i++)
		CHECK(fcntl(fd[i], F_GETFD) >= 0, "the events of CPU %d are closed", i);
	/* events that count no more do not go on */
	P.group[0].dead = true;
	begin_rebuild();
	SAME(open_one(&pmu, 2, 2, 1), 0);
	SAME(open_one(&pmu, 3, 3, 1), 0);
	SAME(fake.opened, 3);
}

/* A CPU's own events go on, also where those of a CPU of its unit that has gone are found, too. */
static void test_takeover_own(void)
{
	struct pmu pmu;

	for (int own = 0; own < 2; own++) {
		int fd;

		small_machine_with_events(&pmu, "0,1");
		P.ngroups = P.nops = 0;
		SAME(open_one(&pmu, 0, own ? 1 : 0, 1), 0);
		SAME(open_one(&pmu, 0, own ? 0 : 1, 1), 0);
		fd = P.group[!own].member[0].fd;
		begin_rebuild();
		parse_cpulist("1", &pmu.mask);
		SAME(open_one(&pmu, 0, 1, 1), 0);
		SAME(fake.opened, 2);
		SAME(P.group[0].member[0].fd, fd);
		close_old_groups();
		plan_clear();
		close_old_groups();
	}
}

/*
 * The event of a package that its dies share goes on at a CPU of another die; that of a die, which
 * has its own, does not.
 */
static void test_takeover_shared(void)
{
	struct pmu pmu;

	for (int shared = 0; shared < 2; shared++) {
		small_machine_with_events(&pmu, "0,4");
		T.counter[0].scope = DIE;
		SAME(open_one(&pmu, 0, 0, 1), 0);
		begin_rebuild();
		parse_cpulist("2,4", &pmu.mask);
		SAME(open_one(&pmu, shared ? 0 : 2, 2, 1), 0);
		SAME(fake.opened, shared ? 1 : 2);
		close_old_groups();
		plan_clear();
		close_old_groups();
	}
}

/* Another unit's events, which have moved too, are not taken over when a unit comes back. */
static void test_takeover_unit(void)
{
	struct pmu pmu;

	small_machine_with_events(&pmu, "0,1");
	T.counter[0].scope = T.counter[1].scope = CORE;
	for (int row = 0; row < 4; row++)
		M.id[ID_CORE][row] = row / 2;
	CHECK(!open_two(&pmu, 2, 2), "events are refused");
	begin_rebuild();
	CHECK(!open_two(&pmu, 0, 0) && fake.opened == 4, "a core has the events of another one");
	parse_cpulist("0,3", &pmu.mask);
	CHECK(!open_two(&pmu, 2, 3) && fake.opened == 4, "a core has not its own events");
	close_old_groups();
}

/* Of several groups of a CPU each is taken over by one. */
static void test_takeover_alone(void)
{
	struct pmu pmu;

	small_machine_with_events(&pmu, NULL);
	fake.alone = true;
	CHECK(!open_two(&pmu, 0, 0), "events are refused");
	for (int i = 0; i < 2; i++) {
		begin_rebuild();
		CHECK(!open_two(&pmu, 0, 0), "events are refused");
		close_old_groups();
		CHECK(P.ngroups == 2, "%u groups", P.ngroups);
		CHECK(fake.opened == 2, "%d events were opened", fake.opened);
	}
}

/* A group of which the first event is a new one is new as a whole. */
static void test_takeover_leader(void)
{
	struct search first = { .counter = 0 }, second = { .counter = 1 };
	struct pmu pmu;

	small_machine_with_events(&pmu, NULL);
	CHECK(!open_two(&pmu, 0, 0), "events are refused");
	begin_rebuild();
	CHECK(!open_event(&first, 0, 0, &pmu, &box[2]), "the first event is refused");
	CHECK(!open_event(&second, 0, 0, &pmu, &box[1]), "the second event is refused");
	CHECK(fake.opened == 4, "%d events were opened", fake.opened);
}

/*
 * Events that are lost are opened anew and read at once: one interval is lost. What is busy is
 * tried again.
 */
static void test_lost_events(void)
{
	struct pmu pmu;
	int other[2];
	u64 v;

	small_machine_with_events(&pmu, NULL);
	CHECK(!open_two(&pmu, 0, 0), "events are refused");
	fake.count = 1000;
	fake.enabled = 100;
	read_group(&P.group[0], 0);
	CHECK(tap_value(&P.tap[1], &v) == VALID && v == 1000, "the first reading: %llu", v);
	P.first = (u32[]){ 0, P.nops };
	pass_by(0);
	CHECK(tap_value(&P.tap[1], &v) == UNKNOWN, "what was not read has a value");
	/* what is opened anew begins now, however long the events were enabled before */
	P.group[0].read_at = 1;
	fake.gone = true;
	fake.count = 3;
	fake.enabled = 1;
	read_group(&P.group[0], 10 * NS_PER_S);
	SAME(fake.least, 0);
	P.group[0].read_at = 0;
	CHECK(tap_value(&P.tap[1], &v) == BEGINS && fake.opened == 4,
	      "after a blink: %d, %d opened", tap_value(&P.tap[1], &v), fake.opened);
	fake.count = 53;
	fake.enabled = 51;
	read_group(&P.group[0], 0);
	CHECK(tap_value(&P.tap[1], &v) == VALID && v == 1050, "the interval after it: %llu", v);
	/* they must be enabled for about as long as it is between two readings */
	read_group(&P.group[0], 20 * NS_PER_S);
	SAME(fake.least, 0);
	read_group(&P.group[0], 30 * NS_PER_S);
	SAME(fake.least, 51 + least_enabled(10 * NS_PER_S));
	fake.gone = true;
	fake.refuse = -EBUSY;
	read_group(&P.group[0], 0);
	SAME(tap_value(&P.tap[1], &v), UNKNOWN);
	CHECK(P.group[0].dead, "busy events have a value");
	fake.refuse = 0;
	/* their descriptors are somebody else's now */
	for (int i = 0; i < 2; i++)
		other[i] = text_file("text", 4);
	read_group(&P.group[0], 0);
	for (int i = 0; i < 2; i++)
		CHECK(same_text(file_text(other[i]), "text"), "what is closed is closed again");
	/* busy events are not tried again */
	SAME(tap_value(&P.tap[1], &v), BEGINS);
	SAME(P.group[0].dead, 0);
	begin_rebuild();
	fake.refuse = -EBUSY;
	SAME(open_two(&pmu, 2, 2), 0);
	SAME(P.group[0].n, 2);
	CHECK(P.group[0].dead, "events that are busy at a rebuild are given up");
}

/* Of a unit for which one PMU refuses nothing is left: neither instances nor open events. */
static void test_dropped_taps(void)
{
	struct pmu pmu;
	int fd;

	small_machine_with_events(&pmu, "0,2,4");
	CHECK(!open_two(&pmu, 0, 0), "events are refused");
	CHECK(!open_two(&pmu, 0, 2), "events are refused");
	fd = P.group[1].member[0].fd;
	drop_taps(2);
	CHECK(P.ntaps == 2 && P.ngroups == 1 && P.nops == 1 && P.first_group[2] < 0,
	      "%u taps, %u groups, %u readings", P.ntaps, P.ngroups, P.nops);
	CHECK(fcntl(fd, F_GETFD) < 0, "an event without a use stays open");
	CHECK(P.group[0].n == 2, "an event with a use is closed");
	/* what is read for the recording only has no cell to give back */
	SAME(P.ncells, 16);
	add_tap((struct tap){ .row = 0, .counter = 0, .group = 0, .member = 1 }, false);
	SAME(P.ncells, 16);
	add_tap((struct tap){ .row = 0, .counter = 0, .group = 0, .member = 1 }, false);
	SAME(P.ncells, 17);
	add_tap((struct tap){ .row = 0, .counter = 0, .group = 0, .member = 1 }, true);
	SAME(P.ncells, 17);
	drop_taps(3);
	SAME(P.ncells, 16);
	/* an event that an earlier one than the last of the others has stays open */
	add_tap((struct tap){ .row = 0, .counter = 1, .group = 0, .member = 0 }, false);
	add_tap((struct tap){ .row = 0, .counter = 1, .group = 0, .member = 1 }, false);
	drop_taps(4);
	SAME(P.group[0].n, 2);
}

/*
 * Cells of the usual width, runs of zeros, and cells that are too wide: the sums are those of the
 * numbers.
 */
static void test_interrupt_cells(void)
{
	enum { CPUS = 21, LINES = 40 };
	static const char *const names[] = { "  0", "NMI", "TRM", "4000" };
	u64 want[NSUMS][CPUS] = { { 0 } }, x = 1;
	struct buf b = { 0 };

	rows_of_cpus(CPUS);
	for (int cpu = 0; cpu < CPUS; cpu++)
		buf_printf(&b, "       CPU%d", cpu);
	for (int line = 0; line < LINES; line++) {
		buf_printf(&b, "\n%4s:", names[line % 4]);
		for (int cpu = 0; cpu < CPUS; cpu++) {
			u64 v;

			x = x * 6364136223846793005ull + 1442695040888963407ull;
			v = line % 5 == 4   ? 0
			    : line % 5 == 3 ? x >> 28
			    : (x >> 60) < 9 ? 0
					    : (x >> 32) >> (x >> 59);
			buf_printf(&b, line % 7 == 6 ? " %llu" : " %10llu", v);
			want[ALL_INTERRUPTS][cpu] += v;
			if (line % 4 == 1 || line % 4 == 2)
				want[line % 4][cpu] += v;
		}
		buf_puts(&b, line % 3 ? "   IO-APIC   2-edge      timer" : "");
	}
	buf_puts(&b, "\n ERR:          7\n");
	want[ALL_INTERRUPTS][0] += 7;
	sum_interrupts(b.p, b.len);
	for (int i = 0; i < NSUMS; i++)
		for (int cpu = 0; cpu < CPUS; cpu++)
			CHECK(R.irq[i][cpu] == want[i][cpu], "sum %d, CPU %d: %llu, not %llu", i,
			      cpu, R.irq[i][cpu], want[i][cpu]);
	CHECK(R.has_thermal, "the line TRM is not seen");
}

/*
 * The throttle count of a core is read when one of its CPUs has had a thermal interrupt, and now
 * and then.
 */
static void test_throttled(void)
{
	struct op op = { .counter = CT_CORE_THROTTLE, .cell = 2 };

	small_machine();
	T.ncounters = 1;
	P.ncells = 8;
	P.interrupts = true;
	S.source = S.ask = &live;
	samples_alloc();
	memset(R.irq_valid, 1, 8);
	memset(R.irq[THERMAL_INTERRUPTS], 0, 8 * sizeof(u64));
	R.has_thermal = true;
	find_throttled();
	CHECK(R.throttled[2], "not read at the start");
	SAME(keep_value(&R.sample[1], &op, 2), 0);
	find_throttled();
	R.sample[0].value[2] = 57;
	R.sample[0].valid[2] = VALID;
	CHECK(keep_value(&R.sample[1], &op, 2), "read again");
	SAME(R.sample[1].value[2], 57);
	SAME(R.sample[1].valid[2], VALID);
	R.irq[THERMAL_INTERRUPTS][3] = 1;	/* the second thread of the core that row 2 leads */
	find_throttled();
	CHECK(!keep_value(&R.sample[0], &op, 2), "not read after an interrupt");
	CHECK(!R.throttled[4], "a core without an interrupt is read");
	R.sample[0].valid[2] = UNKNOWN;
	find_throttled();
	CHECK(keep_value(&R.sample[1], &op, 2), "read again");
	SAME(R.sample[1].valid[2], UNKNOWN);
	R.irq_valid[3] = 0;	/* the file does not list its CPU: who knows */
	find_throttled();
	CHECK(R.throttled[2], "not read where its interrupts are not known");
	R.irq_valid[3] = 1;
	for (int pass = 5; pass <= 10; pass++)
		find_throttled();
	CHECK(R.throttled[2], "not read at the tenth pass");
	CHECK(R.throttled[4], "not read at the tenth pass");
	S.ask = &recorder;
	find_throttled();
	CHECK(R.throttled[4], "not read for a recording");
	S.ask = &live;
	find_throttled();
	CHECK(!R.throttled[4], "read at the twelfth pass");
	R.has_thermal = false;
	find_throttled();
	CHECK(R.throttled[4], "not read where the kernel does not count the interrupts");
	R.has_thermal = true;
	samples_alloc();
	find_throttled();
	CHECK(R.throttled[4], "not read where no earlier value is known");
}

/* The TSC of the CPU that we are on, of a machine that is made up. */
static int fake_tsc(int cpu, u64 *v)
{
	static u64 tsc;

	(void)cpu;
	*v = tsc += 1000;
	return 0;
}

/* The time stamp of a sample is of that sample, whether or not the main CPU was read in it. */
static void test_sample_tsc(void)
{
	static struct backend answers;
	struct way by_tsc = { .kind = BY_TSC };
	struct op tsc = { .kind = BY_TSC, .cell = CT_TSC, .counter = CT_TSC, .way = &by_tsc };
	struct op tscs[] = { tsc, tsc, tsc };
	u32 first[] = { 0, 1, 2, 3 };

	rows_of_cpus(3);
	tables_init();
	P.ncells = 3 * NCOUNTERS;
	for (u32 row = 0; row < 3; row++)
		tscs[row].cell += row * NCOUNTERS;
	P.op = tscs;
	P.first = first;
	P.moves = zeroed(3, 1);
	M.main_cpu = 1;
	P.source = zeroed(P.ncells, 1);
	answers = live;
	answers.tsc = fake_tsc;
	S.source = S.ask = &answers;
	samples_alloc();
	take_sample(&R.sample[0]);
	SAME(R.sample[0].t.tsc, 2000);	/* of CPU 1, which is read before CPU 2 */
	M.main_cpu = 0;
	M.n = 1;
	/* the CPU cannot be moved to, and what is read is that of where we are */
	P.moves[0] = TO_READ;
	immovable = 1;
	take_sample(&R.sample[0]);
	SAME(R.sample[0].stay[0].visited, 0);
	SAME(R.sample[0].t.tsc, 4000);
	/* a CPU that was offline in between has thrown us out: each sample moves */
	immovable = moves = 0;
	take_sample(&R.sample[0]);
	take_sample(&R.sample[0]);
	SAME(moves, 2);
}

/* Where perf counts the TSC, that of a sample is the main CPU's, or not known; never another. */
static void test_sample_tsc_by_perf(void)
{
	static struct backend answers;
	struct sample *s = &R.sample[0];

	small_machine();
	tables_init();
	P.ncells = 8 * NCOUNTERS;
	P.source = zeroed(P.ncells, 1);
	samples_alloc();
	for (int row = 0; row < 8; row++) {
		u32 cell = cell_of(CT_TSC, row);

		P.source[cell] = 1;
		s->value[cell] = 70 + (u64)row;
		s->valid[cell] = VALID;
	}
	answers = live;
	answers.tsc = fake_tsc;
	S.source = S.ask = &answers;
	M.main_cpu = 5;
	SAME(main_tsc(s), 75);
	s->valid[cell_of(CT_TSC, 5)] = BEGINS;
	SAME(main_tsc(s), 75);
	s->valid[cell_of(CT_TSC, 5)] = UNKNOWN;
	SAME(main_tsc(s), 0);
	P.source[cell_of(CT_TSC, 5)] = 2;
	SAME(main_tsc(s), 1000);
}

/* A file that cannot be opened: only whose rights were meant is kept. */
static bool rights_of_user;

static int refuse_to_keep(const char *path, bool of_user)
{
	(void)path;
	rights_of_user = of_user;
	return -EACCES;
}

/* A file that the user names is opened with the user's rights, no other. */
static void test_rights_of_files(void)
{
	static struct backend answers;
	static struct counter counter;

	small_machine();
	T.counter = &counter;
	answers = live;
	answers.keep = refuse_to_keep;
	S.source = S.ask = &answers;
	for (int of_user = 0; of_user < 2; of_user++) {
		const struct way w = { .kind = BY_FILE, .path = "/sys/x", .of_user = of_user };
		struct search s = { .way = &w };

		SAME(use_file(&s, 0), -EACCES);
		SAME(rights_of_user, of_user);
	}
}

static u64 fake_register;	/* what each register of a machine that is made up holds */

static int fake_msr(int cpu, u32 addr, u64 *v)
{
	(void)cpu;
	(void)addr;
	*v = fake_register;
	return 0;
}

/*
 * A tick continues the counters that wrap: on CPUs that must be moved to only if they can be.  It
 * stores no sample.  Of a register the bits of the counter tell whether it has counted.
 */
static void test_tick_moves(void)
{
	static struct backend answers;
	struct counter energy = { .name = "energy", .scope = CPU, .bits = 32, .wrap_joules = 1 };
	struct way reg = REG(0, 0);
	struct op op = { .kind = BY_MSR, .way = &reg, .factor = 1, .modulus = 1ull << 32 };
	u32 first[] = { 0, 1 };
	u64 v;

	rows_of_cpus(1);
	P.ncells = 1;
	add_counter(&energy);
	P.op = &op;
	P.first = first;
	P.moves = zeroed(1, 1);
	answers = live;
	answers.msr = fake_msr;
	S.source = S.ask = &answers;
	samples_alloc();
	fake_register = 5;
	take_tick();
	SAME(moves, 0);
	SAME(R.last[0].value, 5);
	P.moves[0] = TO_READ;
	fake_register = 3;
	take_tick();
	SAME(moves, 1);
	SAME(R.last[0].value, (1ull << 32) + 3);
	immovable = 1;
	S.cpu = -1;
	fake_register = 9;
	take_tick();
	SAME(R.last[0].value, (1ull << 32) + 3);
	SAME(R.sample[R.now].valid[0], UNKNOWN);
	/* the fifth time that it is read no more: it begins anew, but in a sample */
	for (int i = 0; i < 3; i++)
		take_tick();
	store_value(&R.sample[0], &op, 0, 9);
	SAME(R.sample[0].valid[0], VALID);
	for (int i = 0; i < 5; i++)
		take_tick();
	immovable = 0;
	take_tick();
	store_value(&R.sample[0], &op, 0, 9);
	SAME(R.sample[0].valid[0], BEGINS);
	take_tick();
	store_value(&R.sample[0], &op, 0, 9);
	SAME(R.sample[0].valid[0], VALID);
	/* what is no energy, such as SMIs, goes on: nobody is told of energy */
	T.counter[0].wrap_joules = 0;
	R.pass += 9;
	store_value(&R.sample[0], &op, 0, 9);
	SAME(R.sample[0].valid[0], VALID);
	fake_register = 7ull << 32;
	CHECK(peek_value(&energy, &(struct way){ .kind = BY_MSR }, 0, &v) && !v,
	      "bits above the counter's: %llx", v);
	M.msr_error = EACCES;
	CHECK(!peek_value(&energy, &(struct way){ .kind = BY_MSR }, 0, &v), "it is not refused");
}

/* A file of procfs on a machine that is made up; NULL: none. */
static const char *stat_text;
static bool stat_breaks;	/* it cannot be read to its end */

static int fake_text(int fd, const char *path, struct buf *b)
{
	(void)fd;
	(void)path;
	if (!stat_text)
		return -EACCES;
	buf_puts(b, stat_text);
	return stat_breaks ? -EIO : 0;
}

/* What of /proc/interrupts could be read before an error says nothing of any CPU. */
static void test_broken_interrupts(void)
{
	static struct backend answers;

	answers = live;
	answers.text = fake_text;
	S.source = S.ask = &answers;
	stat_text = "           CPU0       CPU1\n  0:          7          8\n";
	small_machine();
	read_interrupts();
	SAME(R.irq_valid[1], 1);
	SAME(R.irq[ALL_INTERRUPTS][1], 8);
	stat_breaks = true;
	read_interrupts();
	SAME(R.irq_valid[0], 0);
	SAME(R.irq_valid[1], 0);
	stat_text = "cpu  9 9\ncpu0 1 2 4 8 16 32 64 128\n";
	M.allowed.w[0] = 3;
	read_accounting();
	SAME(R.accounting[0].there, 0);	/* nor does that of /proc/stat */
	stat_breaks = false;
	read_accounting();
	SAME(R.accounting[0].there, 1);
}

/* Ticks never fall; a CPU that /proc/stat does not list has none. */
static void test_accounting(void)
{
	static const struct {
		const char *text;
		struct { int err; u64 all, busy; } cpu[2];
	} t[] = {
		{ "cpu  9 9\ncpu0 1 2 4 8 16 32 64 128\ncpu1 3 0 0 5\nintr 1\n",
		  { { 0, 255, 103 }, { 0, 8, 3 } } },
		{ "cpu  9 9\ncpu0 2 2 4 7 16 32 64 128\nintr 1\n",
		  { { 0, 256, 104 }, { -ENOENT, 0, 0 } } },
		{ NULL, { { -ENOENT, 0, 0 }, { -ENOENT, 0, 0 } } },
		{ "cpu0 2 2 4 9 16 32 64 128\ncpu1 4 0 0 5\n", { { 0, 258, 104 }, { 0, 9, 4 } } },
	};
	static struct backend answers;

	answers = live;
	answers.text = fake_text;
	S.source = S.ask = &answers;
	M.allowed.w[0] = 3;
	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		stat_text = t[i].text;
		read_accounting();
		for (int cpu = 0; cpu < 2; cpu++) {
			u64 all, busy;

			SAME(read_ticks(CT_TICKS, cpu, &all), t[i].cpu[cpu].err);
			SAME(read_ticks(CT_BUSY_TICKS, cpu, &busy), t[i].cpu[cpu].err);
			CHECK(t[i].cpu[cpu].err ||
				      (all == t[i].cpu[cpu].all && busy == t[i].cpu[cpu].busy),
			      "text %zu, CPU %d: %llu, busy %llu", i, cpu, all, busy);
		}
	}
}

/* APERF and MPERF of Xeon Phi count in units of 1024 cycles; what stands in for them does not. */
static void test_kilocycles(void)
{
	static const enum counter_id ids[] = { CT_APERF, CT_MPERF };
	u32 first[NCOUNTERS + 1] = { 0 };
	struct instance in = { .cell = 0 };
	u64 none = 0, three = 3, value;
	u8 is_valid = VALID, valid;
	struct sample old = { .value = &none, .valid = &is_valid };
	struct sample new = { .value = &three, .valid = &is_valid };

	tables_init();
	for (size_t i = 0; i < ARRAY_SIZE(ids); i++) {
		enum counter_id k = ids[i];

		for (int way = NONE; way < MAX_WAYS; way++)
			for (int phi = 0; phi < 2; phi++) {
				struct interval iv = { .t = &T, .old = &old, .new = &new,
						       .value = &value, .valid = &valid,
						       .instance = &in, .first_instance = first };

				first[k + 1] = 1;
				T.counter[k].chosen = way < 0 ? NULL : &T.counter[k].way[way];
				M.has = F(APERF) | (phi ? F(KILO) : 0);
				compute_counter(&iv, k);
				CHECK(value == (phi && (way == 0 || way == 1) ? 3072 : 3),
				      "%s, way %d: %llu", T.counter[k].name, way, value);
				first[k + 1] = 0;
			}
	}
}

/* A file that is read in the pieces of the last time is whole, also when it has changed. */
static void test_read_lines(void)
{
	static const char *const texts[] = {
		"one\ntwo\nthree\n", "one\ntwo\nthree\n", "one\ntwenty-two\nthree\n", "1\n", "",
		"one\ntwo\n",        "one\ntwo\n"
	};
	struct pieces p = { 0 };
	char name[] = "build/lines.XXXXXX";
	int fd = mkstemp(name);

	if (fd < 0)
		die("%s: %s", name, strerror(errno));
	unlink(name);
	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		struct buf b = { 0 };

		if (ftruncate(fd, 0) || pwrite(fd, texts[i], strlen(texts[i]), 0) < 0)
			die("%s: %s", name, strerror(errno));
		buf_puts(&b, "> ");	/* behind which it goes */
		CHECK(!live_read_lines(fd, &b, &p), "text %zu cannot be read", i);
		CHECK(same_text(b.p + 2, texts[i]), "text %zu: '%s'", i, b.p);
		free(b.p);
	}
	CHECK(p.n == 1 && p.size[0] == strlen(texts[6]), "%zu pieces", p.n);
	close(fd);
}

/*
 * A file is read to its end, behind what stands in the buffer: at the ends of pages, too.  Of
 * sysfs, which gives a page at a time, that is tested with tests/sim.
 */
static void test_read_all(void)
{
	static const size_t sizes[] = { 0, 1, 4095, 4096, 4097, 8192, 65535, 65536, 200001 };

	for (size_t i = 0; i < ARRAY_SIZE(sizes); i++)
		for (int sysfs = 0; sysfs <= (sizes[i] < 4096); sysfs++) {
			struct buf b = { 0 };
			char *text = zeroed(sizes[i] + 1, 1);
			struct pieces p = { 0 };
			int fd;

			for (size_t k = 0; k < sizes[i]; k++)
				text[k] = (char)('!' + k % 89);
			fd = text_file(text, sizes[i]);
			buf_puts(&b, "> ");
			SAME(sysfs ? live_read_attribute(fd, &b) : live_read_lines(fd, &b, &p), 0);
			SAME(b.len, sizes[i] + 2);
			CHECK(same_text(b.p + 2, text), "%zu bytes, sysfs %d", sizes[i], sysfs);
			close(fd);
			free(b.p);
			free(text);
		}
}

/* Of procfs a read gives whole lines, fewer than it could: a file that is kept open is read on. */
static void test_read_procfs(void)
{
	static const char path[] = "/proc/self/smaps";
	struct buf kept = { 0 }, opened = { 0 };
	int fd = live_open(path);

	SAME(live_text(fd, path, &kept), 0);
	SAME(live_text(-1, path, &opened), 0);
	CHECK(strstr(kept.p, "[stack]"), "%zu bytes of a file that is kept", kept.len);
	CHECK(strstr(opened.p, "[stack]"), "%zu bytes of a file that is opened", opened.len);
	close(fd);
	free(kept.p);
	free(opened.p);
}

/*
 * Which CPUs are moved to: not for one or two registers, nor for what perf reads; for a recording
 * only if it can be.
 */
static void test_moves(void)
{
	M.n = 5;
	tables_init();
	T.ncounters = 1;
	add_op(0, 0, BY_MSR, 0, 0x10);
	add_op(0, 0, BY_MSR, 0, 0x11);
	add_op(0, 0, BY_MSR, 0, 0x12);
	add_op(0, NO_CELL, BY_TSC, 0, 0);
	add_op(1, 1, BY_PERF, 0, 0);
	add_op(1, NO_CELL, BY_MSR, 0, 0x10);
	add_op(2, 2, BY_FILE, 0, 0);
	add_op(3, 3, BY_MSR, 0, 0x10);
	add_op(3, 3, BY_MSR, 0, 0x11);
	add_op(4, 4, BY_TSC, 0, 0);
	find_moves();
	CHECK(P.moves[0] & TO_READ, "row 0 need not be moved to");
	CHECK(P.moves[1] == FOR_RECORDING, "row 1: %d", P.moves[1]);
	CHECK(!P.moves[2] && !P.moves[3], "rows 2 and 3: %d %d", P.moves[2], P.moves[3]);
	CHECK(P.moves[4] == TO_READ, "row 4: %d", P.moves[4]);
	P.nops = 0;
	find_moves();
	for (int row = 0; row < M.n; row++)
		SAME(P.moves[row], 0);	/* nothing is read there any more */
}

/*
 * The order of a row's readings: what wakes its CPU, then the files of idle states, then all
 * else.
 */
static void test_reading_order(void)
{
	static const char *const pmus[] = { "cstate_core", "msr", "power", "msr" };
	static const u32 want[] = {
		1, 100, 0, 2, 3, 200
	}; /* groups by number; counters of files and registers */

	small_machine();
	tables_init();
	P.moves = zeroed(8, 1);
	P.group = zeroed(4, sizeof(*P.group));
	for (u32 i = 0; i < 4; i++)
		P.group[i] = (struct event_group){ .pmu = pmus[i], .cpu = i == 3 ? 5 : 1 };
	T.counter[100 % NCOUNTERS].way[0] = (struct way)FILE_AT("cpuidle/state1/time");
	for (u32 i = 0; i < 4; i++)
		add_op(1, NO_CELL, BY_PERF, 0, i);
	add_op(1, 0, BY_MSR, 0, 200);
	add_op(1, 0, BY_FILE, 100 % NCOUNTERS, 0);
	add_op(0, 0, BY_MSR, 0, 300);
	sort_ops();
	CHECK(P.first[0] == 0 && P.first[1] == 1 && P.first[2] == 7 && P.first[8] == 7,
	      "rows: %u %u %u", P.first[0], P.first[1], P.first[2]);
	for (u32 i = 0; i < 6; i++) {
		const struct op *op = &P.op[1 + i];
		u32 got = op->kind == BY_FILE ? 100 : op->arg;

		CHECK(got == want[i], "reading %u: %u, not %u", i, got, want[i]);
	}
}

/* A CPU of which idle states are read is woken: without an event for that it is moved to. */
static void test_woken(void)
{
	static const struct { const char *pmu; int cpu; bool want; } t[] = {
		{ "msr", 3, true },	   { "hw", 3, true },	    { "cpu", 3, true },
		{ "cpu_atom", 3, true },   { "msr", 2, false },	    { "cpu_core", 2, false },
		{ "power", 3, false },	   { "cstate_core", 3, false },
	};

	small_machine();
	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		struct event_group g = { .pmu = t[i].pmu, .cpu = t[i].cpu };
		struct op op = { .kind = BY_PERF, .row = 3 };

		P.group = &g;
		CHECK(is_waking(&op) == t[i].want, "%s on CPU %d", t[i].pmu, t[i].cpu);
	}
	P.group = NULL;
	tables_init();
	P.moves = zeroed(8, 1);
	T.counter[100 % NCOUNTERS].way[0] = (struct way)FILE_AT("cpuidle/state1/time");
	T.counter[101 % NCOUNTERS].way[0] = (struct way)FILE_AT("cpufreq/scaling_cur_freq");
	add_op(1, 0, BY_FILE, 101 % NCOUNTERS, 0);
	add_op(1, 0, BY_FILE, 100 % NCOUNTERS, 0);
	add_op(1, 0, BY_FILE, 101 % NCOUNTERS, 0);
	add_op(2, 0, BY_FILE, 100 % NCOUNTERS, 0);
	add_op(3, 0, BY_FILE, 101 % NCOUNTERS, 0);
	P.moves[2] = FOR_RECORDING;
	O.no_perf = true;
	wake_idle_rows();
	SAME(P.moves[0], 0);
	SAME(P.moves[1], TO_READ);	/* other files between and after those of its states */
	SAME(P.moves[3], 0);		/* other files alone */
	CHECK(P.moves[2] & TO_READ, "a CPU that a recording alone needs is not woken");
}

/* How long an interval was, and whether the machine was suspended in it. */
static void test_interval_seconds(void)
{
	enum { S_TO_MS = 1000, MS = 1000000 };
	static const struct {
		const char *what;
		i64 mono, boot;		/* differences in ms */
		u64 old_tsc, tsc;	/* the latter a difference in ms of 1 GHz */
		double hz, want;
		bool suspended;
	} t[] = {
		{ "awake", 5000, 5000, 1, 5000, 1e9, 5, false },
		{ "clocks that are not read at one instant", 5000, 5010, 1, 9999, 1e9, 5, false },
		{ "just a sleep", 5000, 5011, 1, 5005, 1e9, 5.005, false },
		{ "suspend-to-idle", 500, 16000, 1, 15500, 1e9, 15.5, false },
		{ "the RTC was a second ahead", 500, 11000, 1, 9001, 1e9, 9.001, false },
		{ "the TSC stood still too long", 500, 11000, 1, 8999, 1e9, 11, true },
		{ "S3", 5000, 3605000, 1, 5000, 1e9, 3605, true },
		{ "a TSC that began anew", 500, 16000, 1ull << 60, 0, 1e9, 16, true },
		{ "no rate", 500, 16000, 1, 15500, 0, 16, true },
		{ "no TSC", 500, 16000, 0, 15500, 1e9, 16, true },
	};

	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		struct sample_times old = { .end.mono = 7 * MS,
					    .boot = 9 * MS,
					    .tsc = t[i].old_tsc };
		struct sample_times new = { .end.mono = old.end.mono + t[i].mono * MS,
					    .boot = old.boot + t[i].boot * MS,
					    .tsc = t[i].tsc ? old.tsc + t[i].tsc * MS : 1 };
		bool suspended;
		double s = interval_seconds(&old, &new, t[i].hz, &suspended);

		CHECK(fabs(s - t[i].want) < 1e-9, "%s: %.9f s", t[i].what, s);
		CHECK(suspended == t[i].suspended, "%s: suspended %d", t[i].what, suspended);
	}
}

/*
 * The rate of a TSC of which nothing says how fast it is: that of the last interval without a
 * sleep.  By it the length of one with a sleep is told.
 */
static void test_tsc_rate(void)
{
	static const struct { i64 mono, boot; u64 tsc; double want; } t[] = {
		/* at the end of each sample: s, s, cycles of 2 GHz */
		{ 10, 10, 20000000000, 0 },	{ 20, 20, 40000000000, 10 },
		{ 21, 40, 80500000000, 20.25 },	{ 22, 60, 120500000000, 20 },
		{ 23, 61, 122500000000, 1 },	{ 24, 80, 160500000000, 19 },
	};
	struct sample s[2] = { { 0 } };
	u32 first[NCOUNTERS + 1] = { 0 };
	const struct instance none[1] = { { 0 } };
	struct interval iv = { .m = &M, .t = &T, .instance = none, .first_instance = first };

	tables_init();
	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		struct sample *new = &s[i & 1];

		new->t = (struct sample_times){ .end.mono = t[i].mono * NS_PER_S,
						.boot = t[i].boot * NS_PER_S,
						.tsc = t[i].tsc };
		if (!i)
			continue;
		compute_interval(&iv, &s[!(i & 1)], new);
		CHECK(fabs(iv.seconds - t[i].want) < 1e-6, "interval %zu: %.6f s", i, iv.seconds);
		CHECK(!iv.suspended, "interval %zu: suspended", i);
	}
}

/*
 * Energy counters that wrap are read in time, and not believed where they may have wrapped
 * unseen.
 */
static void test_energy_wraps(void)
{
	static const struct { double joules, watts; i64 tick; } ticks[] = {
		{ 262144, 15, 10000000000 }, { 262144, 1000000, 65536000 }, { 0, 15, 0 },
	};
	static const struct {
		i64 awake, slept;
		bool want;
	} sleeps[] = {
		/* 262144 J at 2000 W: 131 s */
		{ 1000, 0, false }, { 86400, 0, false },  { 1, 129, false },
		{ 1, 131, true },   { 3600, 120, false }, { 3600, 122, true },
	};
	const struct counter c = { .wrap_joules = 262144 };
	struct interval iv = { 0 };

	T.counter = zeroed(NCOUNTERS, sizeof(*T.counter));
	M.n = 1;
	for (size_t i = 0; i < ARRAY_SIZE(ticks); i++) {
		T.counter[CT_PKG_ENERGY] = (struct counter){
			.rapl_unit = ENERGY_UNIT,
			.scale = ticks[i].joules / 0x1p32,
		};
		P.nops = 0;
		add_op(0, 0, BY_MSR, CT_PKG_ENERGY, 0x611);
		P.op[0].modulus = 1ull << 32;
		P.op[0].factor = 1;
		M.tdp = ticks[i].watts;
		find_tick();
		CHECK(P.tick == ticks[i].tick, "%g J at %g W: a tick of %lld ns", ticks[i].joules,
		      ticks[i].watts, P.tick);
	}
	/* of two the one that wraps first, whatever their order: 1 Joule a count, a half */
	T.counter[CT_PKG_ENERGY].scale = 1;
	M.tdp = 0x1p32;
	add_op(0, 0, BY_MSR, CT_PKG_ENERGY, 0x611);
	for (int i = 0; i < 2; i++) {
		P.op[i].modulus = 1ull << 32;
		P.op[i].factor = 0.5;
		P.op[!i].modulus = 1ull << 32;
		P.op[!i].factor = 1;
		find_tick();
		SAME(P.tick, NS_PER_S / 8);
		SAME(T.counter[CT_PKG_ENERGY].wrap_joules, 0x1p31);
	}
	/* what is read for a recording only needs no tick, and hides no other */
	P.op[1].cell = NO_CELL;
	T.counter[CT_PKG_ENERGY].wrap_joules = 0;
	find_tick();
	SAME(T.counter[CT_PKG_ENERGY].wrap_joules, 0x1p32);
	P.op[0].cell = NO_CELL;
	T.counter[CT_PKG_ENERGY].scale = 1;
	find_tick();
	SAME(P.tick, 0);
	for (size_t i = 0; i < ARRAY_SIZE(sleeps); i++) {
		struct sample_times old = { 0 }, new = { .end.mono = sleeps[i].awake * NS_PER_S };

		new.boot = new.end.mono + sleeps[i].slept * NS_PER_S;
		iv.unread = seconds_unread(&old, &new, 10 * NS_PER_S);
		CHECK(may_have_wrapped(&iv, &c) == sleeps[i].want, "%lld s awake, %lld s asleep",
		      sleeps[i].awake, sleeps[i].slept);
	}
}

/* A statistic of values that end with -1. */
static struct statistic of_values(const double *v)
{
	struct statistic s = { 0 };

	for (; *v >= 0 || *v != *v; v++)
		add_value(&s, *v);
	return s;
}

/* A pair of which one value is not known counts for neither side, nor for the difference. */
static void test_pairs(void)
{
	static const double now[][2] = { { 1, 2 }, { NaN, 50 }, { 3, 5 }, { 40, NaN } };
	struct quantity q = { 0 };
	struct runs r = { .of = PAIRS, .quantity = &q, .n = 1 };

	for (size_t i = 0; i < ARRAY_SIZE(now); i++) {
		memcpy(q.now, now[i], sizeof(now[i]));
		count_values(&r);
	}
	SAME(q.side[0].n, 2);
	SAME(q.side[1].n, 2);
	SAME(q.difference.n, 2);
	CHECK(q.side[0].mean == 2 && q.side[1].mean == 3.5 && q.difference.mean == 1.5,
	      "means %g, %g, %g", q.side[0].mean, q.side[1].mean, q.difference.mean);
	/* without a comparison there is nothing but A */
	q = (struct quantity){ .now = { 7, NaN } };
	r.of = ALONE;
	count_values(&r);
	SAME(q.side[0].n, 1);
	SAME(q.side[1].n, 0);
	SAME(q.difference.n, 0);
}

/* Mean, deviation, interval of 95 %, correlation of neighbours: worked out by hand. */
static void test_statistics(void)
{
	static const struct { double v[12], n, mean, sd, half, worth; } t[] = {
		{ { 1, 3, -1 }, 2, 2, 1.414214, 12.7062, 2 },
		{ { 1, 2, 3, -1 }, 3, 2, 1, 2.484136, 2 },
		{ { 2, 4, 4, 4, 6, -1 }, 5, 4, 1.414214, 1.755981, 2 },
		{ { 2, __builtin_nan(""), 4, 4, __builtin_nan(""), 4, 6, -1 }, 5, 4, 1.414214,
		  1.755981, 2 },
		{ { 7, 7, 7, -1 }, 3, 7, 0, 0, 3 },
		{ { 1, 2, 1, 2, 1, 2, 1, 2, -1 }, 8, 1.5, 0.534522, 0.446871, 8 },
		{ { 1, 1, 2, 2, 1, 1, 2, 2, -1 }, 8, 1.5, 0.534522, 0.446871, 4.190476 },
		{ { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, -1 }, 10, 5.5, 3.027650, 2.165850, 2 },
	};
	static const struct { double df, want; } q[] = {
		{ 1, 12.7062 }, { 2, 4.30265 }, { 2.5, 3.63053 }, { 30, 2.04227 }, { 60, 2 },
		{ 240, 1.97 },
	};
	/* by Student's distribution itself; below 3.3 degrees of freedom wider, never narrower */
	static const struct { double a[6], b[6], exact, most; } w[] = {
		{ { 1, 2, 3, -1 }, { 2, 4, 6, -1 }, 4.155400, 1.01 },
		{ { 1, 3, -1 }, { 2, 4, 4, 4, 6, -1 }, 5.401641, 1.1 },
		{ { 5, 6, 8, 5, 6, -1 }, { 2, 4, 4, 4, 6, -1 }, 1.936217, 1.004 },
		{ { 2, 4, 4, 4, 6, -1 }, { 7, 7, 7, -1 }, 1.755978, 1.004 },
		{ { 2, 4, 4, 4, 6, -1 }, { -1 }, 3.514289, 1.004 },	/* 1 to 30 */
	};
	struct statistic s = { 0 }, a = of_values(t[1].v),
			 b = of_values((const double[]){ 2, 4, 6, -1 });

	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		struct statistic x = of_values(t[i].v);

		CHECK((double)x.n == t[i].n && fabs(x.mean - t[i].mean) < 1e-6,
		      "%zu: n %llu, mean %g", i, x.n, x.mean);
		CHECK(fabs(deviation(&x) - t[i].sd) < 1e-5, "%zu: deviation %.6f", i,
		      deviation(&x));
		CHECK(fabs(half_width(&x) - t[i].half) < 1e-4, "%zu: half-width %.6f", i,
		      half_width(&x));
		if (i != 2 && i != 3)
			CHECK(fabs(effective_count(&x) - t[i].worth) < 1e-5, "%zu: worth %.6f", i,
			      effective_count(&x));
	}
	for (size_t i = 0; i < ARRAY_SIZE(q); i++)
		CHECK(fabs(t95(q[i].df) - q[i].want) < 1e-5, "t(%g) = %.6f", q[i].df, t95(q[i].df));
	for (int i = 1; i <= 30; i++)
		add_value(&s, i);
	CHECK(fabs(deviation(&s) - 8.803408) < 1e-5 && fabs(half_width(&s) - 3.287258) < 1e-4,
	      "1 to 30: %.6f, %.6f", deviation(&s), half_width(&s));
	CHECK(s.min == 1 && s.max == 30, "1 to 30: from %g to %g", s.min, s.max);
	CHECK(fabs(welch(&a, &b, false) - 4.166371) < 1e-4, "Welch: %.6f", welch(&a, &b, false));
	for (size_t i = 0; i < ARRAY_SIZE(w); i++) {
		double half;

		a = of_values(w[i].a);
		b = w[i].b[0] < 0 ? s : of_values(w[i].b);
		half = welch(&a, &b, false);
		CHECK(half > 0.996 * w[i].exact && half < w[i].most * w[i].exact,
		      "Welch %zu: %.6f for %.6f", i, half, w[i].exact);
		CHECK(fabs(welch(&b, &a, false) - half) < 1e-9, "Welch %zu: A and B", i);
	}
	for (int i = 31; i <= 1000; i++)
		add_value(&s, i);
	CHECK(fabs(effective_count(&s) - 1000 * 0.01 / 1.99) < 1e-9,
	      "1 to 1000, whose correlation counts as 0.99: worth %.6f", effective_count(&s));
	s = of_values((const double[]){ 5, -1 });
	CHECK(half_width(&s) != half_width(&s), "one value has an interval");
	CHECK(deviation(&s) != deviation(&s), "one value has an interval");
	CHECK(fabs(square_root(2) - 1.41421356237) < 1e-10 &&
	      fabs(square_root(1e-12) - 1e-6) < 1e-15 && square_root(0) == 0, "roots");
}

/* How many decimals show two digits of a half-width; those of the column where there is none. */
static void test_decimals(void)
{
	static const struct { double half; int want; } t[] = {
		{ 0, 3 }, { NaN, 3 }, { 120, 0 }, { 10, 0 }, { 9.9, 1 }, { 1, 1 }, { 0.99, 2 },
		{ 0.05, 3 }, { 1e-5, 6 }, { 1e-9, 6 },
	};
	struct quantity q = { .decimals = 3 };

	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		int n = decimals_for(&q, t[i].half);

		CHECK(n == t[i].want, "half-width %g: %d decimals", t[i].half, n);
	}
}

/* The area below Student's density, up to u of x = u / (1 - u), but for a factor. */
static double student_area(int df, double u)
{
	enum { STEPS = 4000 };
	double sum = 0;

	for (int i = 0; i < STEPS; i++) {
		double part = u * (i + 0.5) / STEPS, x = part / (1 - part), power = 1;

		for (int k = 0; k <= df; k++)
			power /= 1 + x * x / df;
		sum += square_root(power) / ((1 - part) * (1 - part));
	}
	return sum * u / STEPS;
}

/* Each number of the table leaves 5 % of Student's distribution outside, and nearly so beyond. */
static void test_student(void)
{
	for (int df = 1; df <= 60; df++) {
		double t = t95(df), inside = student_area(df, t / (1 + t)) / student_area(df, 1);

		CHECK(fabs(inside - 0.95) < (df > 30 ? 3e-4 : 1e-5),
		      "%d degrees of freedom: %.6f inside", df, inside);
	}
}

/* A signal ends the waiting for a reader, and means afterwards what it did before. */
static void test_reader(void)
{
	char name[] = "build/fifo.XXXXXX";
	struct sigaction now;
	pid_t reader;
	int fd = mkstemp(name);

	if (fd < 0 || unlink(name) || mkfifo(name, 0600))
		die("%s: %s", name, strerror(errno));
	dup2(text_file("", 0), STDERR_FILENO);
	signal(SIGINT, SIG_DFL);
	reader = fork();
	if (!reader) {
		fd = open(name, O_RDONLY | O_CLOEXEC);
		_exit(fd < 0);
	}
	CHECK(await_reader(name, O_WRONLY) >= 0, "a reader that has come");
	CHECK(waitpid(reader, NULL, 0) == reader, "no reader");
	sigaction(SIGINT, NULL, &now);
	CHECK(now.sa_handler == SIG_DFL, "SIGINT stays caught");
	unlink(name);
}

/* On a terminal the runs that are done are counted, and the time that is left is told. */
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
		die("a terminal: %s", strerror(errno));
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
			show_status(NULL);	/* it goes, once */
		dup2(own, STDERR_FILENO);
		SAME(write(screen, "$", 1), 1);	/* it takes its time */
		for (char *end = text; end == text || end[-1] != '$'; end++)
			if (end == text + sizeof(text) - 1 || read(terminal, end, 1) != 1)
				die("the terminal says '%s'", text);
		text[strcspn(text, "$")] = '\0';
		CHECK(same_text(text, t[i].want), "%zu: '%s'", i, text);
	}
}

/* What the kernel says of a command's time. */
static void test_command_time(void)
{
	SAME(ns_of((struct timeval){ 0, 1 }), 1000);
	SAME(ns_of((struct timeval){ 5000000, 999999 }), 5000000999999000);
}

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
		u32 first[2] = { 0, 0 };
		int fd = text_file("", 0), ticks = 0;

		still = 1000ll * MS;
		waits = 0;
		record_open(fd, "a file", OLD_FORMAT);
		P.first = first;
		P.tick = t[i].tick * MS;
		R.read_at = still;
		u.deadline = still + t[i].until * MS;
		sigprocmask(SIG_SETMASK, NULL, &R.let_in);
		CHECK(wait_live(&u) == INTERVAL_OVER, "%zu: the interval is not over", i);
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
	static char *command[] = { (char *)(uintptr_t)"sleep", (char *)(uintptr_t)"0.05", NULL };
	struct until u = { .phase = MEASURING };
	u32 first[2] = { 0, 0 };
	int fd = text_file("", 0);

	record_open(fd, "a file", OLD_FORMAT);
	P.first = first;
	P.tick = 1000000;
	R.read_at = live_clock(CLOCK_MONOTONIC);
	remember_left();
	catch_signals();
	u.child = start_command(command);
	finish_child(&u);
	SAME(u.child, 0);
	SAME(u.run.status, 0);
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
		wait_live(&u);
		CHECK(R.unread == t[i].unread, "read %lld ns late", t[i].late);
		R.read_at = still;
		wait_live(&u);
		CHECK(R.unread == t[i].unread, "then in time, %lld ns late before", t[i].late);
	}
}

/* What was not read in time is of that interval alone. */
static void test_unread_once(void)
{
	rows_of_cpus(1);
	tables_init();
	P.ncells = NCOUNTERS;
	P.instance = zeroed(1, sizeof(*P.instance));
	P.first_instance = zeroed(NCOUNTERS + 1, sizeof(u32));
	samples_alloc();
	P.tick = 100;
	R.unread = true;
	compute_newest();
	CHECK(R.interval.unread, "it is forgotten");
	compute_newest();
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

/* A line ends the interval, "q" all of it; the end of input is no reason to look at it again. */
static void test_input(void)
{
	int fds[2];

	if (pipe(fds) || dup2(fds[0], STDIN_FILENO) < 0)
		die("pipe: %s", strerror(errno));
	R.watch_stdin = true;
	SAME(write(fds[1], "x\n", 2), 2);
	SAME(read_input(POLLIN), INTERVAL_OVER);
	SAME(write(fds[1], "q\n", 2), 2);
	SAME(read_input(POLLIN), ALL_OVER);
	fcntl(STDIN_FILENO, F_SETFL, O_NONBLOCK);
	SAME(read_input(POLLIN), NOTHING);
	CHECK(R.watch_stdin, "watched no longer, as there was no line");
	close(fds[1]);
	SAME(read_input(POLLIN), NOTHING);
	CHECK(!R.watch_stdin, "watched after its end");
	R.watch_stdin = true;
	close(STDIN_FILENO);
	SAME(read_input(POLLNVAL), NOTHING);
	CHECK(!R.watch_stdin, "watched where there is none");
}

/* What is typed wakes us, but in the background: there it waits for the end of the interval. */
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
	/* with the next interval it is looked at again */
	u.phase = BEFORE;
	P.first_instance = zeroed(NCOUNTERS + 1, sizeof(u32));
	end_interval(&u, false, true);
	sleep_for(&u, 0);
	SAME(u.input, POLLIN);
}

/* Lines of --control come in pieces; one that is too long is answered and forgotten at once. */
static void test_control_text(void)
{
	char line[LONGEST_LINE + 2];
	int ctl[2], ack[2];

	if (pipe2(ctl, O_NONBLOCK) || pipe2(ack, O_NONBLOCK))
		die("pipe: %s", strerror(errno));
	R.control.ctl = ctl[0];
	R.control.ack = ack[1];
	memset(line, 'x', sizeof(line));
	SAME(read_control(), false);
	SAME(write(ctl[1], "begin", 5), 5);
	SAME(read_control(), false);
	SAME(write(ctl[1], " a\nend", 6), 6);
	SAME(read_control(), true);
	CHECK(same_text(R.control.text.p, "begin a\nend"), "text: '%s'", R.control.text.p);
	buf_clear(&R.control.text);
	SAME(write(ctl[1], line, LONGEST_LINE), LONGEST_LINE);
	SAME(read_control(), false);
	SAME(R.control.text.len, LONGEST_LINE);
	SAME(read(ack[0], line, 64), -1);
	SAME(write(ctl[1], "x", 1), 1);
	SAME(read_control(), false);
	SAME(R.control.text.len, 0);
	CHECK(read(ack[0], line, 64) > 0 && text_after(line, "error the line is too long\n"),
	      "what is too long is not answered");
}

/* Regions are short by the time of one call; the call that they are in is one.  Said once. */
static void test_short_regions(void)
{
	static const struct { u64 calls; bool running; double seconds; } t[] = {
		{ 0, false, 0 }, { 3, false, 0.031 }, { 1, false, 0.019 }, { 1, true, 0.019 },
	};

	static struct column power = { .formula = V_PER_SECOND, .a = CT_PKG_ENERGY };

	tables_init();
	P.shown = zeroed(1, sizeof(*P.shown));
	P.shown[0] = &power;
	P.nshown = 1;
	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		struct code_region g = { .calls = t[i].calls, .running = t[i].running,
					 .total.seconds = t[i].seconds };
		int fd = text_file("", 0);

		g.name = textf("x");
		dup2(fd, STDERR_FILENO);
		close_region(&g);
		CHECK(!strstr(file_text(fd), "regions this short") == !t[i].running,
		      "%llu calls in %g s: '%s'", t[i].calls, t[i].seconds, file_text(fd));
		SAME(g.calls, t[i].calls + t[i].running);
	}
}

/* What lines of --control say, one after another: what is answered, and what it means. */
static void test_control_lines(void)
{
	static const struct { const char *line, *why; enum news news; } t[] = {
		{ "begin a", NULL, NOTHING },
		{ "begin a", "the region runs already", NOTHING },
		{ "begin b 1", "expected: begin [NAME]", NOTHING },
		{ "enable", NULL, NOTHING },
		{ "end b", "the region does not run", NOTHING },
		{ "end a 1x", "the work is not a number", NOTHING },
		{ "end a 2.5", NULL, NOTHING },
		{ "end a", "the region does not run", NOTHING },
		{ "begin a", NULL, NOTHING },
		{ "end a 1", NULL, NOTHING },
		{ "begin a", NULL, NOTHING },
		{ "end a", NULL, NOTHING },
		{ "disable", NULL, NOTHING },
		{ "begin a\tb", "bad name", NOTHING },
		{ "end \177", "bad name", NOTHING },
		{ "begin a b c d", "expected: WORD [NAME] [WORK]", NOTHING },
		{ "", "expected: WORD [NAME] [WORK]", NOTHING },
		{ "start a", "expected: begin, end, sample or stop", NOTHING },
		{ "stop a", "expected: begin, end, sample or stop", NOTHING },
		{ "sample a b", "expected: begin, end, sample or stop", NOTHING },
		{ "sample", NULL, INTERVAL_OVER },
		{ "sample a", NULL, INTERVAL_OVER },
		{ "stop", NULL, ALL_OVER },
	};
	char longest[80], line[100];
	enum news news;

	rows_of_cpus(1);
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
	SAME(R.control.region[0].calls, 3);
	CHECK(R.control.region[0].work > 3.49 && R.control.region[0].work < 3.51, "its work");
	CHECK(R.control.region[0].has_work && !R.control.region[1].has_work, "who has worked");
	/* of two lines that end the interval at once, the first one names it */
	free(R.control.label);
	news = NOTHING;
	CHECK(!obey_line(strcpy(line, "sample x"), &news), "the first");
	CHECK(!obey_line(strcpy(line, "sample y"), &news), "the second");
	CHECK(same_text(R.control.label, "x"), "named %s", R.control.label);
	/* the longest name, and the most of them */
	memset(longest, 'n', 65);
	longest[65] = '\0';
	snprintf(line, sizeof(line), "begin %s", longest);
	CHECK(same_text(obey_line(line, &news), "bad name"), "a name of 65 bytes");
	snprintf(line, sizeof(line), "begin %s", longest + 1);
	CHECK(!obey_line(line, &news), "a name of 64 bytes");
	for (int i = R.control.n; i < 64; i++) {
		snprintf(line, sizeof(line), "begin r%d", i);
		CHECK(!obey_line(line, &news), "region %d", i);
	}
	CHECK(same_text(obey_line(strcpy(line, "begin z"), &news), "there are 64 regions already"),
	      "the 65th");
	CHECK(!obey_line(strcpy(line, "begin a"), &news), "one of the 64");
}

/* When the end is asked for, a reader that reads no more is not waited for but for a while. */
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

/* Of signals that come together each is taken for itself, once. */
static void test_signals_together(void)
{
	R.arrived = 1 << SIGUSR1 | 1 << SIGTERM;
	CHECK(!take_signal(SIGINT), "none");
	CHECK(take_signal(SIGUSR1) && !take_signal(SIGUSR1), "the first one");
	CHECK(take_signal(SIGTERM) && !take_signal(SIGTERM), "the second one");
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
	src_wait_signal(-5, &set);
	SAME(handled, 0);
	raise(SIGUSR1);
	src_wait_signal(9 * NS_PER_S, &set);
	SAME(handled, SIGUSR1);
	handled = 0;
	raise(SIGUSR1);
	SAME(src_wait(NULL, 0, 0, NULL), 0);
	SAME(handled, 0);
	SAME(src_wait(NULL, 0, 9 * NS_PER_S, &none), -1);
	SAME(errno, EINTR);
	SAME(handled, SIGUSR1);
}

/* The signal that ends comes once more. */
static void handle_again(UNUSED int sig)
{
	on_signal(SIGINT);
}

/* A second signal ends a write that waits for its reader, at once; what finds room is written. */
static void test_insists(void)
{
	static char text[65536];
	int fds[2];
	i64 begin;

	if (pipe(fds))
		die("pipe: %s", strerror(errno));
	R.arrived = 1 << SIGINT;
	SAME(write_table(fds[1], "text", 4), 0);
	on_signal(SIGINT);
	CHECK(R.insists, "the second one does not insist");
	SAME(write_table(fds[1], "text", 4), 0);
	R.insists = 0;
	signal(SIGALRM, handle_again);
	ualarm(10000, 0);
	begin = src_now();
	SAME(write_table(fds[1], text, sizeof(text)), -EINTR);
	CHECK(src_now() - begin < 4 * NS_PER_S, "it was waited for");
	R.insists = 0;
	on_signal(SIGTERM);
	CHECK(!R.insists, "another signal insists");
	R.insists = R.arrived = 0;
	on_signal(SIGUSR1);
	on_signal(SIGUSR1);
	CHECK(!R.insists, "a signal that ends nothing insists");
}

/* A process that may not run everywhere, or could not move once, has to try its CPUs. */
static void test_doubts(void)
{
	struct cpuset all = { { 0xff } };

	S.home = (struct cpuset){ { 0x7f } };
	CHECK(src_doubts_moves(&all), "it may not run on CPU 7");
	S.home = (struct cpuset){ { 0xfff } };
	CHECK(!src_doubts_moves(&all), "it may run on all of them");
	immovable = 2;
	CHECK(src()->go(1) == -EINVAL, "CPU 1 can be moved to");
	CHECK(!src()->go(2), "CPU 2 cannot be moved to");
	CHECK(src_doubts_moves(&all), "a move has failed");
}

/* Whatever number a CPU has, it is the one that is moved to. */
static void test_go(void)
{
	static const int cpus[] = { 5, 63, 64, 127, 128, 8191, 0 };

	for (size_t i = 0; i < ARRAY_SIZE(cpus); i++) {
		SAME(src()->go(cpus[i]), 0);
		SAME(moved_to, cpus[i]);
	}
	moves = 0;
	SAME(src()->go(0), 0);
	SAME(moves, 0);
	src_go_home();		/* where that is nobody knows */
	SAME(moves, 0);
}

/* What the machine, a recorder and a recording are asked differently. */
static void test_door(void)
{
	struct cpuset all = { { 0xff } };

	S.home = all;
	/* the machine */
	SAME(src_wants_all(), false);
	SAME(src_doubts_moves(&all), false);
	SAME(src_is_live(), true);
	/* the machine, recorded: all is read, of each CPU is said whether it can be moved to */
	record_open(text_file("", 0), "REC", OLD_FORMAT);
	SAME(src_wants_all(), true);
	SAME(src_doubts_moves(&all), true);
	SAME(src_is_live(), false);
	record_close(NULL, 0);
	SAME(src_wants_all(), false);
	/* a recording */
	CHECK(strstr(src_own_path(), "/unit"), "our own path is %s", src_own_path());
	replay_text_of(FIRST_LINE "end\n");
	SAME(src_wants_all(), false);
	SAME(src_doubts_moves(&all), true);
	SAME(src_is_live(), false);
}

/* A CPU's MSR device that there is, but cannot be opened, is not looked for elsewhere. */
static void test_msr_device(void)
{
	S.msr_name = (struct msr_name){ "/dev/null/", "/msr" };
	SAME(src()->find_msr(0, false), -ENOTDIR);
	CHECK(same_text(S.msr_name.before, "/dev/null/"), "it is %s now", S.msr_name.before);
	S.msr_name = (struct msr_name){ "/no/such/folder/", "/msr" };
	SAME(src()->find_msr(0, false), -ENOENT);
	CHECK(same_text(S.msr_name.before, "/no/such/folder/"), "it is %s now",
	      S.msr_name.before);
}

/* How many descriptors are open. */
static int open_descriptors(void)
{
	int n = 0;

	for (int fd = 0; fd < 256; fd++)
		n += fcntl(fd, F_GETFD) >= 0;
	return n;
}

/* What is read once is closed, whether it can be read or not. */
static void test_closed(void)
{
	static char *command[] = { (char *)(uintptr_t)"true", NULL };
	static const struct cpuset none;
	char name[] = "build/closed.XXXXXX";
	struct buf b = { 0 }, online = { 0 };
	struct names l = { 0 };
	int before, own = mkstemp(name), online_error = live_text(-1, SYS_CPU "online", &online);
	u64 v;

	if (own < 0 || write(own, "CPU\n1234\n", 9) != 9)
		die("%s: %s", name, strerror(errno));
	close(own);
	remember_left();
	before = open_descriptors();
	SAME(live_text(-1, "/proc/self/status", &b), 0);
	SAME(live_text(-1, "/proc/self", &b), -EISDIR);
	SAME(live_text(-1, name, &b), 0);
	SAME(live_word(-1, name, 1, &v), 0);
	SAME(live_word(-1, name, 8, &v), -EIO);
	SAME(live_word(-1, "/no/such/file", 0, &v), -ENOENT);
	SAME(live_dir("/proc/self", &l), 0);
	names_free(&l);
	SAME(live_dir("/no/such/directory", &l), -ENOENT);
	O.out = name;
	O.append = true;
	O.format = CSV;
	buf_puts(&R.output, "CPU\n");
	skip_names();
	CHECK(!R.output.len, "the first line is not that of the file");
	SAME(open_descriptors(), before);
	CHECK(waitpid(start_command(command), NULL, 0) > 0, "no command");
	SAME(open_descriptors(), before);
	/* where descriptors are too few, one device of a CPU is open at a time */
	deaf = true;
	S.most_descriptors = 1;
	S.msr_name = (struct msr_name){ "/proc/self/fd/", "" };
	for (int cpu = 0; cpu < 3; cpu++)
		SAME(live_msr_device(cpu) >= 0, true);
	SAME(open_descriptors(), before + 1);
	src_keep_msrs(&none);
	SAME(open_descriptors(), before);
	SAME(live_msr_device(1) >= 0, true);
	S.most_descriptors = 256;
	for (int cpu = 2; cpu >= 0; cpu--)
		SAME(live_msr_device(cpu) >= 0, true);
	SAME(open_descriptors(), before + 3);
	src_keep_msrs(&none);
	S.most_descriptors = 1;
	SAME(live_keep(name, false), -EMFILE);
	SAME(live_keep(name, false), -EMFILE);
	CHECK(open_descriptors() <= before + 1, "%d files stay open", open_descriptors() - before);
	/* files below the folder that is open now say what they did */
	b.len = 0;
	SAME(live_text(-1, SYS_CPU "online", &b), online_error);
	CHECK(same_text(b.p, online.p), "CPUs '%s', were '%s'", b.p, online.p);
	SAME(live_text(-1, name, &b), 0);
	unlink(name);
}

/* A limit that is said to have been raised and has not been is as good as none: no endless loop. */
static void test_descriptor_limit(void)
{
	static const struct event event = { "msr", 9, { 1 } };
	struct rlimit lim;

	deaf = true;
	CHECK(!raise_descriptor_limit(), "raised a limit that stays");
	deaf = false;
	if (setrlimit(RLIMIT_NOFILE, &(struct rlimit){ 48, 64 }))
		die("setrlimit: %s", strerror(errno));
	S.most_descriptors = 0;
	CHECK(!is_too_many(39), "39 of 48 is too many");
	getrlimit(RLIMIT_NOFILE, &lim);
	CHECK(lim.rlim_cur == 48, "the limit was raised without need");
	CHECK(!is_too_many(40), "40 of 64 is too many");
	getrlimit(RLIMIT_NOFILE, &lim);
	CHECK(lim.rlim_cur == 64, "the limit is %llu", (u64)lim.rlim_cur);
	if (setrlimit(RLIMIT_NOFILE, &(struct rlimit){ 48, 64 }))
		die("setrlimit: %s", strerror(errno));
	CHECK(raise_descriptor_limit(), "from 48 to 64, the hard limit");
	getrlimit(RLIMIT_NOFILE, &lim);
	CHECK(lim.rlim_cur == 64, "the limit is %llu", (u64)lim.rlim_cur);
	CHECK(!raise_descriptor_limit(), "raised above the hard limit");
	if (setrlimit(RLIMIT_NOFILE, &(struct rlimit){ 3, 64 }))
		die("setrlimit: %s", strerror(errno));
	CHECK(live_open("/dev/null") >= 0, "no file can be opened below the hard limit");
	if (setrlimit(RLIMIT_NOFILE, &(struct rlimit){ 3, 64 }))
		die("setrlimit: %s", strerror(errno));
	grants_events = true;
	CHECK(live_perf_open(0, &event, -1) >= 0, "no event can be opened below the hard limit");
	while (raise_descriptor_limit())
		;
	deaf = true;
	alarm(5);
	CHECK(!is_too_many(64 - SPARE_DESCRIPTORS - 1), "55 of 64 is too many");
	CHECK(is_too_many(64 - SPARE_DESCRIPTORS), "56 of 64 is not too many");
	/* root goes beyond the hard limit, to a million */
	deaf = false;
	roots = (struct rlimit){ 48, 64 };
	CHECK(raise_descriptor_limit(), "root gets no more");
	SAME(roots.rlim_cur, 96);
	SAME(roots.rlim_max, 96);
	roots = (struct rlimit){ 48, 4096 };
	CHECK(raise_descriptor_limit(), "root gets no more below the hard limit");
	SAME(roots.rlim_cur, 96);
	SAME(roots.rlim_max, 4096);
	roots = (struct rlimit){ 1 << 20, 1 << 20 };
	CHECK(!raise_descriptor_limit(), "a million is not enough");
	SAME(roots.rlim_cur, 1 << 20);
	roots = (struct rlimit){ RLIM_INFINITY, RLIM_INFINITY };
	S.most_descriptors = 0;
	CHECK(!is_too_many(1 << 20), "a million of any number is too many");
}

static const struct test {
	const char *name;
	void (*run)(void);
} tests[] = {
	{ "field", test_field }, { "buf", test_buf }, { "resize", test_resize },
	{ "notes", test_notes }, { "sets", test_sets }, { "cpulist", test_cpulist },
	{ "reading-order", test_reading_order }, { "interrupt-cells", test_interrupt_cells },
	{ "throttled", test_throttled }, { "sample-tsc", test_sample_tsc },
	{ "read-lines", test_read_lines }, { "read-all", test_read_all },
	{ "read-procfs", test_read_procfs }, { "kilocycles", test_kilocycles },
	{ "signals-together", test_signals_together },
	{ "event-cpus", test_event_cpus },
	{ "groups", test_groups }, { "instances", test_instances },
	{ "takeover", test_takeover }, { "takeover-alone", test_takeover_alone },
	{ "takeover-two", test_takeover_two }, { "takeover-unit", test_takeover_unit },
	{ "takeover-leader", test_takeover_leader }, { "takeover-own", test_takeover_own },
	{ "takeover-shared", test_takeover_shared }, { "lost-events", test_lost_events },
	{ "dropped-taps", test_dropped_taps },
	{ "descriptor-limit", test_descriptor_limit }, { "samples-anew", test_samples_anew },
	{ "total-anew", test_total_anew },
	{ "moves", test_moves }, { "refused-cpus", test_refused_cpus },
	{ "record-failures", test_record_failures }, { "record-least", test_record_least },
	{ "record-times", test_record_times }, { "like-paths", test_like_paths },
	{ "user-rights", test_user_rights }, { "user-files", test_user_files },
	{ "new-paths", test_new_paths }, { "perf-read", test_perf_read },
	{ "perf-late", test_perf_late },
	{ "telemetry", test_telemetry }, { "numbers", test_numbers }, { "texts", test_texts },
	{ "utf8", test_utf8 },
	{ "record", test_record }, { "malformed-record", test_malformed_record },
	{ "malformed-recording", test_malformed_recording },
	{ "unclosed-recording", test_unclosed_recording },
	{ "runs-and-marks", test_runs_and_marks }, { "crlf", test_crlf }, { "replay", test_replay },
	{ "word-without-cpu", test_word_without_cpu }, { "layouts", test_layouts },
	{ "replayed-moves", test_replayed_moves }, { "replayed-driver", test_replayed_driver },
	{ "quote-text", test_quote_text }, { "replayed-failures", test_replayed_failures },
	{ "replay-dir", test_replay_dir },
	{ "replay-dir-grows", test_replay_dir_grows }, { "quotes", test_quotes },
	{ "platform-unlisted", test_platform_unlisted }, { "platform-table", test_platform_table },
	{ "limit-codes", test_limit_codes },
	{ "limit-allows", test_limit_allows }, { "rapl-units", test_rapl_units },
	{ "identity", test_identity }, { "x2apic", test_x2apic },
	{ "l2-events", test_l2_events }, { "online", test_online },
	{ "repeated", test_repeated },
	{ "column-table", test_column_table }, { "counter-table", test_counter_table },
	{ "other-tables", test_other_tables },
	{ "idle-name", test_idle_name }, { "word-distance", test_word_distance },
	{ "by-name", test_by_name }, { "fill-bits", test_fill_bits },
	{ "parse-terms", test_parse_terms }, { "pmu-matches", test_pmu_matches },
	{ "extend", test_extend }, { "decode", test_decode },
	{ "continue-count", test_continue_count }, { "interrupts", test_interrupts },
	{ "many-interrupts", test_many_interrupts },
	{ "difference", test_difference }, { "units", test_units },
	{ "topology", test_topology },
	{ "topology-files", test_topology_files }, { "list-numbered", test_list_numbered },
	{ "shown-ids", test_shown_ids }, { "sensors", test_sensors },
	{ "most-watts", test_most_watts }, { "amd-pstates", test_amd_pstates },
	{ "marks-first", test_marks_first },
	{ "finders", test_finders }, { "telemetry-devices", test_telemetry_devices },
	{ "gather", test_gather }, { "exceeds-tsc", test_exceeds_tsc },
	{ "resets", test_resets }, { "compute-counter", test_compute_counter },
	{ "derive-cycles", test_derive_cycles },
	{ "overclocked", test_overclocked }, { "add-interval", test_add_interval },
	{ "formula-bases", test_formula_bases },
	{ "derive-c1", test_derive_c1 }, { "correct-e-core", test_correct_e_core },
	{ "percent", test_percent }, { "formulas", test_formulas },
	{ "lost-to-smis", test_lost_to_smis }, { "negative-levels", test_negative_levels },
	{ "put-real", test_put_real },
	{ "put-integers", test_put_integers }, { "put-cell", test_put_cell },
	{ "put-decimal", test_put_decimal },
	{ "integer-value", test_integer_value },
	{ "template", test_template }, { "header-lines", test_header_lines },
	{ "turbo-delta", test_turbo_delta }, { "csv-text", test_csv_text },
	{ "reading-words", test_reading_words }, { "print-value", test_print_value },
	{ "place-totals", test_place_totals },
	{ "terminal", test_terminal }, { "tsc-of-unit", test_tsc_of_unit },
	{ "terminal-tables", test_terminal_tables }, { "unit-rows", test_unit_rows },
	{ "unit-names", test_unit_names },
	{ "token-length", test_token_length }, { "add", test_add }, { "add-names", test_add_names },
	{ "abbreviations", test_abbreviations },
	{ "interval-seconds", test_interval_seconds }, { "next-deadline", test_next_deadline },
	{ "command-time", test_command_time }, { "progress", test_progress },
	{ "reader", test_reader },
	{ "tsc-rate", test_tsc_rate }, { "typed", test_typed },
	{ "control-text", test_control_text }, { "control-lines", test_control_lines },
	{ "closed", test_closed }, { "rights", test_rights }, { "new-total", test_new_total },
	{ "of-one-cpu", test_of_one_cpu },
	{ "due", test_due }, { "due-in-tick", test_due_in_tick },
	{ "groups-of-two", test_groups_of_two },
	{ "sample-moved", test_sample_moved }, { "new-leader", test_new_leader },
	{ "sample-tsc-by-perf", test_sample_tsc_by_perf },
	{ "rights-of-files", test_rights_of_files }, { "tick-moves", test_tick_moves },
	{ "broken-interrupts", test_broken_interrupts }, { "kept-ways", test_kept_ways },
	{ "unread-once", test_unread_once },
	{ "finish", test_finish }, { "woken", test_woken }, { "accounting", test_accounting },
	{ "highest-turbo", test_highest_turbo },
	{ "pairs", test_pairs }, { "statistics", test_statistics },
	{ "decimals", test_decimals }, { "student", test_student },
	{ "short-regions", test_short_regions },
	{ "energy-wraps", test_energy_wraps }, { "ticks", test_ticks },
	{ "past", test_past }, { "unread", test_unread }, { "insists", test_insists },
	{ "patience", test_patience },
	{ "interactive", test_interactive }, { "input", test_input }, { "doubts", test_doubts },
	{ "go", test_go },
	{ "door", test_door }, { "msr-device", test_msr_device },
	{ "letters", test_letters }, { "option-values", test_option_values },
	{ "option-table", test_option_table }, { "wants-registers", test_wants_registers },
};

/* Runs a test in a process of its own; prints how it went.  False: it failed. */
static bool run_test(const struct test *t)
{
	int status, out = text_file("", 0);
	const char *text;
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (pid == 0) {
		dup2(out, STDOUT_FILENO);
		dup2(out, STDERR_FILENO);
		alarm(60);	/* one that does not end fails */
		t->run();
		fflush(stdout);
		_exit(failures ? 2 : 0);
	}
	if (pid < 0 || waitpid(pid, &status, 0) < 0)
		die("fork: %s", strerror(errno));
	text = file_text(out);
	close(out);
	if (WIFEXITED(status) && !WEXITSTATUS(status)) {
		printf("ok unit/%s\n", t->name);
		return true;
	}
	if (WIFEXITED(status))
		printf("FAIL unit/%s: exit status %d\n", t->name, WEXITSTATUS(status));
	else
		printf("FAIL unit/%s: %s\n", t->name, strsignal(WTERMSIG(status)));
	while (*text) {
		size_t n = strcspn(text, "\n");

		printf("    %.*s\n", (int)n, text);
		text += n + (text[n] == '\n');
	}
	return false;
}

/* Runs all tests, or those named. */
int main(int argc, char **argv)
{
	bool good = true;

	setlinebuf(stdout);
	for (size_t i = 0; i < ARRAY_SIZE(tests); i++) {
		bool wanted = argc < 2;

		for (int k = 1; k < argc; k++)
			wanted |= !strcmp(argv[k], tests[i].name);
		if (wanted)
			good &= run_test(&tests[i]);
	}
	return !good;
}
