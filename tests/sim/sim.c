// SPDX-License-Identifier: GPL-2.0-only
/*
 * sim.c - a simulated kernel: the program's live code, run on the machine of a recording
 *
 *   SIM=RECORDING build/sim ARGUMENTS...
 *
 * The program is linked with this file, and its calls of the C library that ask the machine
 * end here (ld --wrap, see the Makefile); CPUID and RDTSC by cpu.h.  What the kernel would
 * answer is taken from the recording: a file of sysfs or procfs, a register of a CPU's MSR
 * device, a perf event and its group, the affinity, the clocks.  The time of the simulated
 * machine stands still until the program waits; then it is that of the next sample.  So what
 * is printed should be what a replay of the recording prints.
 *
 * How the kernel behaves, other than what it answers, is written here by its documents and
 * its sources' rules: perf groups of two PMUs are refused, a CPU that goes takes its events
 * with it, a device of a CPU that is gone cannot be read.  The recording can ask for more by
 * lines that a replay ignores:
 *
 *   x-short msr CPU ADDR	from here on the read of that register gives 4 bytes
 *   x-eintr N			every N-th read and write is interrupted at first, writes are short
 *   x-group N			events beyond the N-th of a perf group are refused
 *   x-blink CPU		the CPU has been away since the part before: its events are dead,
 *			the program is on another one
 *   x-migrate A B PMU [N]	the events of this PMU on CPU A, or N groups of them, are those of
 *			CPU B from now on
 *   x-pass LINE		holds from when /proc/interrupts is read in this part: a pass began
 *   x-late			who waits, wakes up when the next part begins, however late that is
 *   x-child			the next read of a file takes until the command has ended
 *   x-paranoid			events that count a task, and the kernel for it, are refused
 *   x-say TEXT			a line for --control comes, by the fifo that SIM_SAY names
 *   x-android			MSR devices are where Android has them, /dev/msrN
 *   x-modprobe			there are none until root has loaded the driver; all are root
 *   x-setuid			by a binary that is setuid root, which somebody else has started
 *
 * SIM_CALLS, SIM_WAKES and SIM_TOUCHED in the environment: it says how many calls the program made;
 * in each pass how many readings from afar interrupted a CPU and how often the program moved; which
 * CPUs it has touched: moved to, executed CPUID or RDTSC on, opened or read events or registers of.
 *
 * sim.c says on standard error what the program does wrong: a descriptor closed twice, a file
 * that was kept open and not read, a file that the command would inherit or that may keep the
 * program waiting when it is opened, a path with an empty part.
 */
#define _GNU_SOURCE
#define _FILE_OFFSET_BITS 64
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <linux/perf_event.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "cpu.h"

typedef unsigned long long u64;

enum { MAX_FD = 65536, BUCKETS = 1024 };

struct answer {			/* the newest one of a key */
	struct answer *next;	/* in its bucket */
	char *key;		/* as recorded: "msr 3 3fd", "file /proc/stat" */
	const char *value;	/* the rest of the line */
};

enum what { NOTHING, A_FILE, A_MSR, AN_EVENT, A_TASK };

struct object {			/* what a descriptor stands for */
	enum what what;
	int cpu;
	char *key;		/* of the answer; of an MSR device its path, for messages */
	char pmu[32];		/* of an event */
	int leader;		/* of an event: its group's first one, which may be itself */
	int next;		/* of an event: the one that joined the group after it; 0 = none */
	bool dead;		/* an event's CPU has been offline since, or a file's driver away */
	u64 lost[3];		/* what an event had counted by then, the ns of that time, twice */
	u64 before[3];		/* and by when it was opened, in mid-run */
	unsigned used;		/* the part in which it was last read */
	unsigned read_in;	/* of an event: 1 + this part; 0 = not read yet */
};

struct directory {		/* what opendir() gives */
	struct dirent entry;
	char **name;
	size_t n, at;
};

struct region {			/* a mapped file */
	char *path;
	unsigned char *p;
	size_t size;
};

static struct {
	char **line;
	size_t lines, next;	/* the line that begins the next part */
	size_t part_line;	/* and this one, until its pass begins */
	unsigned part;		/* counts samples and ticks */
	bool sampled;		/* the first sample has begun */
	struct answer *bucket[BUCKETS];
	struct object object[MAX_FD];
	int fds;		/* those that are objects are below this one */
	struct region region[64];
	size_t regions;
	long long real, mono, boot;	/* ns */
	long long mono_before;		/* of the part before */
	int cpu;		/* that the program has moved to */
	unsigned most;		/* events in a perf group; 0 = any number */
	unsigned eintr, calls;	/* every eintr-th call is interrupted; since the last one */
	unsigned asked;		/* calls of the simulated kernel, see SIM_CALLS */
	unsigned afar, moves, home;	/* since the program waited last, see SIM_WAKES */
	bool touched[8192];	/* by CPU, see SIM_TOUCHED */
	bool interrupted;	/* the last call was */
	bool late, awaits_child;	/* see x-late, x-child */
	bool paranoid;		/* see x-paranoid */
	FILE *say;		/* see x-say */
	bool has_msr;
	bool android;		/* where the MSR devices are */
	bool no_driver;		/* for them, until modprobe has run */
	bool setuid;		/* see x-setuid */
} K;

/* --- what the recording says --- */

/* Ends the program: the test is at fault. */
static __attribute__((noreturn, format(printf, 1, 2))) void stop(const char *fmt, ...)
{
	va_list ap;

	fputs("sim: ", stderr);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fputc('\n', stderr);
	_exit(99);
}

/* The place of a key in the store. */
static struct answer **find(const char *key)
{
	unsigned h = 5381;
	struct answer **a;

	for (const char *s = key; *s; s++)
		h = h * 33 + (unsigned char)*s;
	for (a = &K.bucket[h % BUCKETS]; *a && strcmp((*a)->key, key); a = &(*a)->next)
		;
	return a;
}

/* The newest answer of a key that is made as by printf, or NULL. */
static __attribute__((format(printf, 1, 2))) const char *answer(const char *fmt, ...)
{
	char key[PATH_MAX + 64];
	struct answer *a;
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(key, sizeof(key), fmt, ap);
	va_end(ap);
	a = *find(key);
	return a ? a->value : NULL;
}

/* The errno of an answer "!ENAME"; 0 if it is a value. */
static int error_of(const char *value)
{
	static const struct { const char *name; int err; } names[] = {
		{ "EPERM", EPERM }, { "ENOENT", ENOENT }, { "EIO", EIO }, { "ENXIO", ENXIO },
		{ "EACCES", EACCES }, { "EBUSY", EBUSY }, { "ENODEV", ENODEV },
		{ "EINVAL", EINVAL }, { "E2BIG", E2BIG },
		{ "ENODATA", ENODATA }, { "EOPNOTSUPP", EOPNOTSUPP }, { "ENOSPC", ENOSPC },
		{ "EAGAIN", EAGAIN }, { "ETIMEDOUT", ETIMEDOUT },
	};

	if (*value != '!')
		return 0;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!strcmp(names[i].name, value + 1))
			return names[i].err;
	stop("no errno '%s'", value);
}

/* Where the key of a line ends; 0 if the line is none with an answer. */
static size_t key_length(const char *line)
{
	static const struct { const char *word; int words; } kinds[] = {
		{ "cpuid ", 4 }, { "file ", 2 }, { "word ", 3 }, { "link ", 2 }, { "dir ", 2 },
		{ "msr ", 3 }, { "perf ", 4 }, { "tsc ", 2 }, { "cpu ", 2 }, { "x-short msr ", 4 },
	};

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		const char *s = line;

		if (strncmp(line, kinds[i].word, strlen(kinds[i].word)))
			continue;
		for (int n = 0; n < kinds[i].words && *s; n++)
			s += strcspn(s + 1, " ") + 1;
		return (size_t)(s - line);
	}
	return 0;
}

/* An answer about an event: its count, and the ns during which it was enabled and running. */
static void parse_event(const char *value, u64 v[3])
{
	char *s;

	v[0] = strtoull(value, &s, 10);
	v[1] = *s ? strtoull(s, &s, 10) : (u64)K.mono;
	v[2] = *s ? strtoull(s, NULL, 10) : v[1];
}

/* Returns the count of an event since it was opened, a microsecond before it can be read. */
static void count_event(const struct object *o, const char *value, u64 v[3])
{
	parse_event(value, v);
	for (int i = 0; i < 3; i++)
		v[i] += (i && o->before[i] ? 1000 : 0) - o->before[i];
}

/* The events of a CPU are lost: they keep what they counted up to the part before this one. */
static void kill_events(int cpu)
{
	for (int fd = 0; fd < K.fds; fd++) {
		struct object *o = &K.object[fd];
		const char *value;

		if (o->what != AN_EVENT || o->cpu != cpu || o->dead)
			continue;
		value = answer("%s", o->key);
		o->dead = true;
		if (value)
			count_event(o, value, o->lost);
		o->lost[1] = o->lost[2] = (u64)K.mono_before - o->before[1];
	}
}

/* Moves events of a PMU, in at most GROUPS groups, to another CPU: "FROM TO PMU [GROUPS]". */
static void migrate_events(const char *text)
{
	char pmu[64], *config;
	int from, to, groups = MAX_FD;

	if (sscanf(text, "%d %d %63s %d", &from, &to, pmu, &groups) < 3)
		stop("x-migrate %s", text);
	for (int leader = 0; leader < K.fds; leader++) {
		const struct object *l = &K.object[leader];

		if (l->what != AN_EVENT || l->leader != leader || l->cpu != from || l->dead ||
		    strcmp(l->pmu, pmu) || groups-- <= 0)
			continue;
		for (int fd = leader; fd; fd = K.object[fd].next) {
			config = strdup(strrchr(K.object[fd].key, ' '));
			free(K.object[fd].key);
			if (asprintf(&K.object[fd].key, "perf %d %s%s", to, pmu, config) < 0)
				stop("no memory");
			free(config);
			K.object[fd].cpu = to;
		}
	}
}

/* Is a CPU in a list such as "0-3,5"? */
static bool is_listed(const char *list, int cpu)
{
	while (*list >= '0' && *list <= '9') {
		long a = strtol(list, (char **)&list, 10), b = a;

		if (*list == '-')
			b = strtol(list + 1, (char **)&list, 10);
		if (cpu >= a && cpu <= b)
			return true;
		list += *list == ',';
	}
	return false;
}

/* Does the recording call a CPU offline?  A move out of the cpuset fails with EINVAL. */
static bool is_offline(int cpu)
{
	const char *moves = answer("cpu %d", cpu);
	const char *online = answer("file /sys/devices/system/cpu/online");

	return (moves && error_of(moves) && error_of(moves) != EINVAL) ||
	       (online && *online == '"' && !is_listed(online + 1, cpu));
}

/* Who runs on a CPU that goes runs on another one from then on. */
static void leave_cpu(int cpu)
{
	enum { MAX_CPU = 8192 };

	for (int i = 0; i < MAX_CPU && K.cpu == cpu; i++)
		if (i != cpu && !is_offline(i))
			K.cpu = i;
}

/* Writes a line for --control. */
static void say(const char *text)
{
	if (!K.say || fprintf(K.say, "%s\n", text) < 0 || fflush(K.say))
		stop("x-say %s: SIM_SAY names no fifo", text);
}

/* Applies a line: stores its answer, unless there is one and keep_old. */
static void apply_line(const char *line, bool keep_old)
{
	size_t n = key_length(line);
	struct answer **place, *a;
	char *key;

	if (!strncmp(line, "x-eintr ", 8))
		K.eintr = (unsigned)atoi(line + 8);
	if (!strncmp(line, "x-group ", 8))
		K.most = (unsigned)atoi(line + 8);
	if (!strncmp(line, "x-blink ", 8) && !keep_old) {
		kill_events(atoi(line + 8));
		leave_cpu(atoi(line + 8));
	}
	if (!strncmp(line, "x-migrate ", 10) && !keep_old)
		migrate_events(line + 10);
	if (!strncmp(line, "x-say ", 6) && !keep_old)
		say(line + 6);
	K.late |= !strcmp(line, "x-late");
	K.awaits_child |= !strcmp(line, "x-child");
	K.paranoid |= !strcmp(line, "x-paranoid");
	K.android |= !strcmp(line, "x-android");
	K.no_driver |= !strcmp(line, "x-modprobe");
	K.setuid |= !strcmp(line, "x-setuid");
	if (!n)
		return;
	key = strndup(line, n);
	place = find(key);
	if (*place && keep_old) {
		free(key);
		return;
	}
	a = *place ? *place : calloc(1, sizeof(*a));
	free(a->key);
	a->key = key;
	a->value = line[n] ? line + n + 1 : "";
	*place = a;
	K.has_msr |= !strncmp(key, "msr ", 4) && *a->value != '!';
}

/* Does a line begin a part?  What is planned before a sample belongs to its part. */
static bool begins_part(const char *line)
{
	return !strncmp(line, "sample ", 7) || !strcmp(line, "tick") || !strcmp(line, "end") ||
	       !strcmp(line, "plan");
}

/* A time in nanoseconds; the text moves on. */
static long long time_of(char **s)
{
	long long seconds = strtoll(*s, s, 10);

	return seconds * 1000000000 + (**s == '.' ? strtoll(*s + 1, s, 10) : 0);
}

/* The clocks of a sample: those of its end. */
static void set_clocks(const char *text)
{
	char *s = (char *)(uintptr_t)text + strcspn(text + 7, " ") + 7;

	K.real = time_of(&s);
	K.mono = K.boot = time_of(&s);
	if (*s)
		time_of(&s);	/* of its begin: the time stands still here */
	if (*s)
		K.boot = time_of(&s);
}

/* Sets the clocks of a tick, which records none: ticks divide the interval equally. */
static void set_tick_clocks(size_t line)
{
	long long real = K.real, mono = K.mono, boot = K.boot, ticks = 1;

	for (; line < K.lines && strncmp(K.line[line], "sample ", 7); line++)
		ticks += !strcmp(K.line[line], "tick");
	if (line == K.lines)
		stop("no sample after a tick");
	set_clocks(K.line[line]);
	K.real = real + (K.real - real) / ticks;
	K.mono = mono + (K.mono - mono) / ticks;
	K.boot = boot + (K.boot - boot) / ticks;
}

/* The line of the sample or tick of a part, which may begin with what is planned before that. */
static size_t sample_of_part(size_t line)
{
	while (line < K.lines && (!strcmp(K.line[line], "plan") || !begins_part(K.line[line])))
		line++;
	return line;
}

/* The clocks are those of the part that begins at a line. */
static void set_part_clocks(size_t line)
{
	line = sample_of_part(line);
	if (line == K.lines || !strcmp(K.line[line], "end"))
		return;
	if (!strncmp(K.line[line], "sample ", 7))
		set_clocks(K.line[line]);
	else
		set_tick_clocks(line);
}

/* Applies the lines up to the next part. */
static void apply_part(bool keep_old)
{
	size_t i = K.next, sample = i;

	K.part_line = i + 1;
	if (i < K.lines && begins_part(K.line[i])) {
		set_part_clocks(i);
		sample = sample_of_part(i++);
	}
	for (; i < K.lines && (i <= sample || !begins_part(K.line[i])); i++)
		apply_line(K.line[i], keep_old);
	if (!keep_old)
		K.next = i;
}

/* The events of the CPUs that are offline are lost. */
static void kill_offline(void)
{
	if (is_offline(K.cpu))
		leave_cpu(K.cpu);
	for (int fd = 0; fd < K.fds; fd++)
		if (K.object[fd].what == AN_EVENT && is_offline(K.object[fd].cpu))
			kill_events(K.object[fd].cpu);
}

/* A pass over the CPUs begins: what the part says of that holds from now on. */
static void begin_pass(void)
{
	for (size_t i = K.part_line; K.sampled && i < K.next; i++)
		if (!strncmp(K.line[i], "x-pass ", 7))
			apply_line(K.line[i] + 7, false);
	K.part_line = K.next;
	kill_offline();
}

/* The bytes of a recorded text, in a buffer of the caller's; how many. */
static size_t text_of(const char *value, char *buf, size_t size)
{
	size_t n = 0;

	for (const char *s = value + 1; *s && *s != '"' && n < size; s++) {
		int c = *s;

		if (c == '\\') {
			c = *++s;
			c = c == 'n' ? '\n' : c == 't' ? '\t' : c == 'r' ? '\r' : c;
			if (c == 'x') {
				c = (int)strtol((char[]){ s[1], s[2], 0 }, NULL, 16);
				s += 2;
			}
		}
		buf[n++] = (char)c;
	}
	return n;
}

/* Fills a piece of a telemetry region with what its words are now; false if it has none. */
static bool fill_words(const char *path, unsigned char *p, size_t size, size_t from)
{
	size_t n = strlen(path);
	bool any = false;

	for (int b = 0; b < BUCKETS; b++)
		for (struct answer *a = K.bucket[b]; a; a = a->next) {
			u64 v, at;

			if (strncmp(a->key, "word ", 5) || strncmp(a->key + 5, path, n) ||
			    a->key[5 + n] != ' ')
				continue;
			any = true;
			v = strtoull(a->value, NULL, 16);
			at = strtoull(a->key + 6 + n, NULL, 10);
			for (size_t i = 0; i < sizeof(v); i++)
				if (at + i >= from && at + i < from + size)
					p[at + i - from] = ((unsigned char *)&v)[i];
		}
	return any;
}

/* The next part begins: the program waits no longer.  After the last one it is interrupted. */
static void next_part(void)
{
	if (K.next >= K.lines || !strcmp(K.line[K.next], "end")) {
		raise(SIGINT);
		return;
	}
	K.mono_before = K.mono;
	apply_part(false);
	K.part++;
	kill_offline();
	for (size_t i = 0; i < K.regions; i++)
		fill_words(K.region[i].path, K.region[i].p, K.region[i].size, 0);
}

/* How long it is to the next part, in ns. */
static long long time_left(void)
{
	long long real = K.real, mono = K.mono, boot = K.boot, left;

	set_part_clocks(K.next);
	left = K.mono - mono;
	K.real = real;
	K.mono = mono;
	K.boot = boot;
	return left;
}

/*
 * Lets the program wait for at most this many ns.  If the next part begins earlier, the wait ends
 * there; if it begins later, only the clocks move.
 */
static void wait_for(long long ns)
{
	if (K.next == K.lines || !strcmp(K.line[K.next], "end") || K.late || ns < 0 ||
	    time_left() <= ns) {
		next_part();
		return;
	}
	K.real += ns;
	K.mono += ns;
	K.boot += ns;
}

/* Reads the recording, before main(). */
static __attribute__((constructor)) void begin(void)
{
	const char *name = getenv("SIM"), *fifo = getenv("SIM_SAY");
	FILE *f = name ? fopen(name, "re") : NULL;
	char *line = NULL;
	size_t size = 0, room = 0;
	ssize_t n;

	if (!f)
		stop("SIM=%s: %s", name ? name : "", name ? strerror(errno) : "name a recording");
	while ((n = getline(&line, &size, f)) > 0) {
		line[strcspn(line, "\n")] = '\0';
		if (K.lines == room)
			K.line = realloc(K.line, (room = 2 * room + 64) * sizeof(*K.line));
		K.line[K.lines++] = strdup(line);
	}
	free(line);
	fclose(f);
	K.say = fifo ? fopen(fifo, "r+e") : NULL;
	apply_part(false);	/* the static part */
	apply_part(true);	/* sample 0 says what that does not */
}

/* With SIM_WAKES: says how often the program interrupted another CPU since it waited last. */
static void tell_wakes(void)
{
	if (getenv("SIM_WAKES"))
		fprintf(stderr, "sim: %u from afar, %u moves, %u home\n", K.afar, K.moves, K.home);
	K.afar = K.moves = K.home = 0;
}

/* Notes that the program has disturbed a CPU. */
static void touch(int cpu)
{
	if (cpu >= 0 && cpu < (int)(sizeof(K.touched) / sizeof(*K.touched)))
		K.touched[cpu] = true;
}

/* Says which CPUs the program has touched. */
static void tell_touched(void)
{
	fprintf(stderr, "sim: touched");
	for (size_t cpu = 0; cpu < sizeof(K.touched) / sizeof(*K.touched); cpu++)
		if (K.touched[cpu])
			fprintf(stderr, " %zu", cpu);
	fprintf(stderr, "\n");
}

/* Says what the program has left undone; with SIM_CALLS how many calls it made. */
static __attribute__((destructor)) void end(void)
{
	const char *strict = getenv("SIM_STRICT");

	if (getenv("SIM_CALLS"))
		fprintf(stderr, "sim: %u calls\n", K.asked);
	if (getenv("SIM_TOUCHED"))
		tell_touched();
	for (int fd = 0; fd < K.fds && strict; fd++) {
		const struct object *o = &K.object[fd];
		unsigned used = o->what == AN_EVENT ? K.object[o->leader].used : o->used;

		if (o->what && o->what != A_MSR && used != K.part)
			fprintf(stderr, "sim: kept open and not read: %s\n", o->key);
	}
}

/* --- descriptors --- */

int __real_open(const char *path, int flags, ...);
int __real_close(int fd);
ssize_t __real_read(int fd, void *buf, size_t n);
ssize_t __real_pread(int fd, void *buf, size_t n, off_t at);
ssize_t __real_write(int fd, const void *buf, size_t n);
void *__real_mmap(void *p, size_t size, int prot, int flags, int fd, off_t at);
long __real_syscall(long number, ...);
int __real_sched_getaffinity(pid_t pid, size_t size, cpu_set_t *set);
int __real_clock_gettime(clockid_t id, struct timespec *t);
int __real_ppoll(struct pollfd *fds, nfds_t n, const struct timespec *t, const sigset_t *mask);
uid_t __real_getuid(void);
uid_t __real_geteuid(void);
pid_t __real_waitpid(pid_t pid, int *status, int options);
pid_t __real_wait4(pid_t pid, int *status, int options, struct rusage *usage);

int __wrap_open(const char *path, int flags, ...);
int __wrap_close(int fd);
ssize_t __wrap_read(int fd, void *buf, size_t n);
ssize_t __wrap_pread(int fd, void *buf, size_t n, off_t at);
ssize_t __wrap_write(int fd, const void *buf, size_t n);
void *__wrap_mmap(void *p, size_t size, int prot, int flags, int fd, off_t at);
long __wrap_syscall(long number, ...);
int __wrap_sched_getaffinity(pid_t pid, size_t size, cpu_set_t *set);
int __wrap_sched_setaffinity(pid_t pid, size_t size, const cpu_set_t *set);
int __wrap_clock_gettime(clockid_t id, struct timespec *t);
int __wrap_ppoll(struct pollfd *fds, nfds_t n, const struct timespec *t, const sigset_t *mask);
pid_t __wrap_waitpid(pid_t pid, int *status, int options);
pid_t __wrap_wait4(pid_t pid, int *status, int options, struct rusage *usage);
int __wrap_execle(const char *path, const char *arg, ...);
uid_t __wrap_getuid(void);
uid_t __wrap_geteuid(void);
int __real_setrlimit(int what, const struct rlimit *limit);
int __wrap_setrlimit(int what, const struct rlimit *limit);
DIR *__wrap_opendir(const char *path);
struct dirent *__wrap_readdir(DIR *d);
int __wrap_closedir(DIR *d);

/* Sets errno; for returns of -1. */
static int refuse(int err)
{
	errno = err;
	return -1;
}

/* A descriptor that stands for an object, which is freed if there is none. */
static int new_object(struct object o)
{
	int fd = __real_open("/dev/null", O_RDONLY | O_CLOEXEC);

	if (fd < 0) {
		int err = errno;

		free(o.key);
		return refuse(err);
	}
	if (fd >= MAX_FD)
		stop("too many descriptors");
	if (o.what == AN_EVENT && o.leader < 0)
		o.leader = fd;
	if (fd >= K.fds)
		K.fds = fd + 1;
	o.used = K.part;
	K.object[fd] = o;
	return fd;
}

/* Does the path belong to the simulated machine? */
static bool is_simulated(const char *path)
{
	return !strncmp(path, "/sys/", 5) || !strncmp(path, "/proc/", 6) ||
	       !strncmp(path, "/dev/cpu", 8) || !strncmp(path, "/dev/msr", 8);
}

/* Opens a CPU's MSR device. */
static int open_msr(const char *path, int cpu)
{
	const char *refused = answer("msr %d *", cpu);

	touch(cpu);
	K.asked++;
	if (!refused)
		refused = answer("msr * *");
	if ((!refused && !K.has_msr) || K.no_driver)
		return refuse(ENOENT);
	if (refused && error_of(refused))
		return refuse(error_of(refused));
	if (is_offline(cpu))
		return refuse(ENXIO);
	return new_object((struct object){ .what = A_MSR, .cpu = cpu, .key = strdup(path) });
}

/* open(2); a file that cannot be read fails here if that is a matter of rights or existence. */
int __wrap_open(const char *path, int flags, ...)
{
	struct object o = { .what = A_FILE };
	const char *value;
	va_list ap;
	mode_t mode;
	int cpu, err;

	va_start(ap, flags);
	mode = flags & O_CREAT ? va_arg(ap, mode_t) : 0;
	va_end(ap);
	if (!(flags & O_CLOEXEC))
		fprintf(stderr, "sim: opened without O_CLOEXEC: %s\n", path);
	if (!is_simulated(path))
		return __real_open(path, flags, mode);
	if (~flags & (O_NONBLOCK | O_NOCTTY))
		fprintf(stderr, "sim: opened without O_NONBLOCK or O_NOCTTY: %s\n", path);
	if (strstr(path, "//"))
		fprintf(stderr, "sim: a path with an empty part: %s\n", path);
	if (sscanf(path, K.android ? "/dev/msr%d" : "/dev/cpu/%d/msr", &cpu) == 1)
		return open_msr(path, cpu);
	K.asked++;
	value = answer("file %s", path);
	err = value ? error_of(value) : fill_words(path, NULL, 0, 0) ? 0 : ENOENT;
	if (err == ENOENT || err == EACCES || err == EPERM)
		return refuse(err);
	if (asprintf(&o.key, "file %s", path) < 0)
		stop("no memory");
	return new_object(o);
}

/* close(2) */
int __wrap_close(int fd)
{
	if (fd >= 0 && fd < MAX_FD && K.object[fd].what) {
		for (int i = 0; i < K.fds; i++)
			if (K.object[i].next == fd)
				K.object[i].next = K.object[fd].next;
		free(K.object[fd].key);
		K.object[fd] = (struct object){ .what = NOTHING };
		K.asked++;
	}
	if (__real_close(fd)) {
		fprintf(stderr, "sim: descriptor %d is closed twice\n", fd);
		return -1;
	}
	return 0;
}

/* Returns the object behind a descriptor, or NULL if it is the host's. */
static struct object *object_of(int fd)
{
	return fd >= 0 && fd < MAX_FD && K.object[fd].what ? &K.object[fd] : NULL;
}

/* Shall this read or write be interrupted? */
static bool is_interrupted(void)
{
	K.interrupted = !K.interrupted && K.eintr && ++K.calls % K.eintr == 0;
	return K.interrupted;
}

/* Reads a file: a page at most at a time, as procfs does, and sysfs of a long list of CPUs. */
static ssize_t read_file(struct object *o, char *buf, size_t n, off_t at)
{
	static char text[1 << 20];
	const char *value = answer("%s", o->key);
	size_t size;

	if (!strcmp(o->key, "file /proc/interrupts") && !at)
		begin_pass();
	if (!value) {
		memset(buf, 0, n);
		if (!fill_words(o->key + 5, (unsigned char *)buf, n, (size_t)at))
			return refuse(ENODEV);
		return (ssize_t)n;
	}
	o->dead |= error_of(value) == ENODEV;
	if (o->dead || error_of(value))
		return refuse(o->dead ? ENODEV : error_of(value));
	size = text_of(value, text, sizeof(text));
	if ((size_t)at >= size)
		return 0;
	size -= (size_t)at;
	if (size > 4096)
		size = 4096;
	size = size < n ? size : n;
	memcpy(buf, text + at, size);
	return (ssize_t)size;
}

/* Reads a register of a CPU. */
static ssize_t read_msr(const struct object *o, void *buf, size_t n, off_t at)
{
	const char *value = answer("msr %d %llx", o->cpu, (u64)at);
	u64 v;

	touch(o->cpu);
	K.afar += o->cpu != K.cpu;
	if (is_offline(o->cpu))
		return refuse(ENXIO);
	if (!value || error_of(value))
		return refuse(value ? error_of(value) : EIO);
	if (n != sizeof(v))
		return refuse(EINVAL);
	v = strtoull(value, NULL, 16);
	n = answer("x-short msr %d %llx", o->cpu, (u64)at) ? 4 : n;
	memcpy(buf, &v, n);
	return (ssize_t)n;
}

/* pread(2) */
ssize_t __wrap_pread(int fd, void *buf, size_t n, off_t at)
{
	struct object *o = object_of(fd);
	siginfo_t info;

	if (!o)
		return __real_pread(fd, buf, n, at);
	if (o->what == A_FILE && is_interrupted())
		return refuse(EINTR);
	if (K.awaits_child)
		waitid(P_ALL, 0, &info, WEXITED | WNOWAIT);
	K.awaits_child = false;
	K.asked++;
	o->used = K.part;
	return o->what == A_MSR ? read_msr(o, buf, n, at) : read_file(o, buf, n, at);
}

/*
 * Reads a perf group: its number of events, the times, the counts.  The members of a CPU that
 * was offline are no longer attached to their leader, and nothing counts.
 */
static ssize_t read_event(int fd, u64 *v, size_t size)
{
	struct object *o = &K.object[fd];
	u64 n = 0;

	touch(o->cpu);
	K.afar += o->cpu != K.cpu;
	v[1] = v[2] = 0;
	for (int i = fd; i && (!o->dead || !n); i = K.object[i].next) {
		const char *value = answer("%s", K.object[i].key);
		u64 now[3];

		if (!value || error_of(value))
			return refuse(value ? error_of(value) : EIO);
		if ((4 + n) * sizeof(*v) > size)
			return refuse(ENOSPC);
		count_event(&K.object[i], value, now);
		if (o->dead)
			memcpy(now, o->lost, sizeof(now));
		v[3 + n++] = now[0];
		if (i == fd)
			memcpy(&v[1], &now[1], 2 * sizeof(*v));
	}
	/* who reads it again, as the first reading may have been late, sees its time move */
	if (!o->dead && o->read_in == 1 + K.part) {
		v[1]++;
		v[2]++;
	}
	o->read_in = 1 + K.part;
	v[0] = n;
	return (ssize_t)((3 + n) * sizeof(*v));
}

/* Reads an event of a task: its count, the times. */
static ssize_t read_task(const struct object *o, u64 *v, size_t size)
{
	const char *value = answer("%s", o->key);

	if (!value || error_of(value) || size < 3 * sizeof(*v))
		return refuse(value && error_of(value) ? error_of(value) : EIO);
	parse_event(value, v);
	return 3 * sizeof(*v);
}

/* read(2) */
ssize_t __wrap_read(int fd, void *buf, size_t n)
{
	struct object *o = object_of(fd);

	if (!o)
		return __real_read(fd, buf, n);
	K.asked++;
	o->used = K.part;
	if (o->what == A_TASK)
		return read_task(o, buf, n);
	return o->what == AN_EVENT ? read_event(fd, buf, n) : refuse(EINVAL);
}

/* write(2): of what is written much only a part may be taken */
ssize_t __wrap_write(int fd, const void *buf, size_t n)
{
	if (is_interrupted())
		return refuse(EINTR);
	return __real_write(fd, buf, K.eintr && n > 1000 ? 1000 : n);
}

/* mmap(2) of a telemetry region; its words are renewed with each part. */
void *__wrap_mmap(void *p, size_t size, int prot, int flags, int fd, off_t at)
{
	struct object *o = object_of(fd);
	struct region *g = &K.region[K.regions];

	if (!o)
		return __real_mmap(p, size, prot, flags, fd, at);
	if (K.regions++ == sizeof(K.region) / sizeof(K.region[0]))
		stop("too many regions");
	*g = (struct region){ strdup(o->key + 5), calloc(1, size), size };
	fill_words(g->path, g->p, g->size, 0);
	return g->p;
}

/* --- perf events --- */

/* The name of a PMU type: below event_source/devices, or that of events without a PMU. */
static bool find_pmu(unsigned type, char *name, size_t size)
{
	static const char prefix[] = "file /sys/bus/event_source/devices/";
	static const char *const types[] = { "hw", "software", "tracepoint" };

	if (type <= PERF_TYPE_TRACEPOINT) {
		snprintf(name, size, "%s", types[type]);
		return true;
	}
	for (int b = 0; b < BUCKETS; b++)
		for (struct answer *a = K.bucket[b]; a; a = a->next) {
			const char *s = a->key + sizeof(prefix) - 1, *slash;

			if (strncmp(a->key, prefix, sizeof(prefix) - 1) ||
			    !(slash = strchr(s, '/')) || strcmp(slash, "/type") ||
			    *a->value != '"' || strtoul(a->value + 1, NULL, 10) != type)
				continue;
			snprintf(name, size, "%.*s", (int)(slash - s), s);
			return true;
		}
	return false;
}

/* Has a PMU events that are levels, not counts? */
static bool has_levels(const char *pmu)
{
	char prefix[PATH_MAX];
	int n = snprintf(prefix, sizeof(prefix), "file /sys/bus/event_source/devices/%s/events/",
			 pmu);

	for (int b = 0; b < BUCKETS; b++)
		for (struct answer *a = K.bucket[b]; a; a = a->next)
			if (!strncmp(a->key, prefix, (size_t)n) && strstr(a->key, ".snapshot"))
				return true;
	return false;
}

/*
 * perf_event_open(2).  As in the kernel a group's events are of its leader's PMU, unless that
 * or they are software's, and on its CPU.
 */
static int open_event(const unsigned char *attr, int pid, int cpu, int leader)
{
	u64 config[4];
	const struct perf_event_attr *a = (const void *)attr;
	struct object o = { .what = AN_EVENT, .cpu = cpu, .leader = leader };
	const struct object *l = leader < 0 ? NULL : object_of(leader);
	const bool task = pid != -1;	/* then the event is alone */
	char key[256], place[16];
	size_t n;
	const char *value, *mode = a->exclude_kernel ? ":u" : a->exclude_user ? ":k" : "";
	unsigned members = 0;
	int fd;

	touch(cpu);
	config[0] = a->config;
	config[1] = a->config1;
	config[2] = a->config2;
	config[3] = 0;
	if (a->size >= 136)
		memcpy(&config[3], attr + 128, sizeof(config[3]));
	/* a size that the kernel knows; and read_event() gives both times, as asked for */
	if ((a->size != PERF_ATTR_SIZE_VER5 && a->size != 136) ||
	    a->read_format != ((task ? 0 : PERF_FORMAT_GROUP) | PERF_FORMAT_TOTAL_TIME_ENABLED |
			       PERF_FORMAT_TOTAL_TIME_RUNNING))
		return refuse(E2BIG);
	if (task && (cpu != -1 || leader != -1 || !a->inherit || a->disabled != a->enable_on_exec))
		return refuse(EINVAL);
	if (task && getenv("SIM_TASKS"))
		fprintf(stderr, "sim: %s: type %u config %llx%s%s%s%s\n", pid ? "task" : "self",
			a->type, (u64)a->config, a->disabled ? " from exec" : "",
			a->exclude_kernel ? " no kernel" : "", a->exclude_user ? " no user" : "",
			a->exclude_hv ? " no hypervisor" : "");
	if (!find_pmu(a->type, o.pmu, sizeof(o.pmu)))
		return refuse(ENOENT);
	if ((a->exclude_kernel && a->exclude_user) || a->exclude_hv != !!*mode)
		return refuse(EINVAL);
	if (!task && is_offline(cpu))
		return refuse(ENODEV);
	if (task && K.paranoid && !a->exclude_kernel)
		return refuse(EACCES);
	/* a clock that excludes the kernel counts the same */
	if (a->type == PERF_TYPE_SOFTWARE && a->config <= PERF_COUNT_SW_TASK_CLOCK)
		mode = "";
	snprintf(place, sizeof(place), "%d", cpu);
	n = (size_t)snprintf(key, sizeof(key), "perf %s %s%s %llx", task ? "task" : place, o.pmu,
			     mode, config[0]);
	for (int last = 3, i = 1; i <= last; i++) {
		while (last && !config[last])
			last--;
		if (i <= last)
			n += (size_t)snprintf(key + n, sizeof(key) - n, ",%llx", config[i]);
	}
	value = answer("%s", key);
	if (!value || error_of(value))
		return refuse(value ? error_of(value) : ENOENT);
	if (task) {
		o.what = A_TASK;
		o.key = strdup(key);
		return new_object(o);
	}
	if (leader >= 0 && (!l || l->what != AN_EVENT))
		return refuse(EBADF);
	for (fd = leader; l && fd > 0; fd = K.object[fd].next)
		members++;
	if (l &&
	    (l->cpu != cpu || strcmp(l->pmu, o.pmu) || l->dead || (K.most && members >= K.most)))
		return refuse(EINVAL);
	o.key = strdup(key);
	if (K.sampled && !has_levels(o.pmu))
		parse_event(value, o.before);
	fd = new_object(o);
	if (fd > 0 && l) {
		while (K.object[leader].next)
			leader = K.object[leader].next;
		K.object[leader].next = fd;
	}
	return fd;
}

/* syscall(2): perf_event_open, and what is passed on. */
long __wrap_syscall(long number, ...)
{
	long a[5];
	va_list ap;
	/* capget, capset and pidfd_open have two arguments, close_range three */
	const int n = number == SYS_perf_event_open ? 5 : 3;

	va_start(ap, number);
	for (int i = 0; i < n; i++)
		a[i] = va_arg(ap, long);
	va_end(ap);
	if (number == SYS_perf_event_open) {
		if (a[4] != PERF_FLAG_FD_CLOEXEC)
			fprintf(stderr, "sim: perf_event_open: flags %lx\n", a[4]);
		K.asked++;
		return open_event((const void *)a[0], (int)a[1], (int)a[2], (int)a[3]);
	}
#ifdef SYS_close_range
	if (number == SYS_close_range) {
		if (K.android)		/* with a kernel of its time */
			return refuse(ENOSYS);
		K.asked -= (unsigned)(a[1] - a[0]);
		for (int fd = (int)a[0]; fd <= (int)a[1]; fd++)
			if (!object_of(fd) || __wrap_close(fd))
				stop("a descriptor that is no file of the machine is closed");
		return 0;
	}
#endif
	return __real_syscall(number, a[0], a[1], a[2]);
}

/* --- directories --- */

/* opendir(3): the next components of all recorded paths below it. */
DIR *__wrap_opendir(const char *path)
{
	struct directory *d = calloc(1, sizeof(*d));
	size_t n = strlen(path);
	bool exists = false;

	while (n && path[n - 1] == '/')
		n--;
	for (int b = 0; b < BUCKETS; b++)
		for (struct answer *a = K.bucket[b]; a; a = a->next) {
			const char *s = strchr(a->key, ' ') + 1;
			bool file = !strncmp(a->key, "file ", 5) && strcmp(a->value, "!ENOENT");
			bool dir = !strncmp(a->key, "dir ", 4) && !*a->value;	/* empty */
			size_t m, i;

			if ((!file && !dir && strncmp(a->key, "link ", 5)) || strncmp(s, path, n) ||
			    (s[n] != '/' && s[n]))
				continue;
			exists |= s[n] == '/' || dir;
			if (s[n] != '/')
				continue;
			m = strcspn(s + n + 1, "/");
			for (i = 0; i < d->n; i++)
				if (!strncmp(d->name[i], s + n + 1, m) && !d->name[i][m])
					break;
			if (i < d->n)
				continue;
			d->name = realloc(d->name, (d->n + 1) * sizeof(*d->name));
			d->name[d->n++] = strndup(s + n + 1, m);
		}
	if (exists)
		return (DIR *)d;
	free(d);
	errno = ENOENT;
	return NULL;
}

/* readdir(3) */
struct dirent *__wrap_readdir(DIR *dir)
{
	struct directory *d = (struct directory *)dir;

	if (d->at == d->n)
		return NULL;
	snprintf(d->entry.d_name, sizeof(d->entry.d_name), "%s", d->name[d->at++]);
	return &d->entry;
}

/* closedir(3) */
int __wrap_closedir(DIR *dir)
{
	struct directory *d = (struct directory *)dir;

	while (d->n)
		free(d->name[--d->n]);
	free(d->name);
	free(d);
	return 0;
}

/* --- CPUs and clocks --- */

/* sched_setaffinity(2) of this process: to one CPU, or back to all. */
int __wrap_sched_setaffinity(pid_t pid, size_t size, const cpu_set_t *set)
{
	int n = 0, cpu = 0;
	const char *value;

	(void)pid;
	K.asked++;
	for (size_t i = 0; i < size * 8; i++)
		if (CPU_ISSET_S(i, size, set)) {
			cpu = (int)i;
			n++;
		}
	if (n != 1) {
		K.home++;
		return 0;
	}
	touch(cpu);
	value = answer("cpu %d", cpu);
	if (value && error_of(value))
		return refuse(error_of(value));
	if (is_offline(cpu))
		return refuse(EINVAL);
	K.moves += cpu != K.cpu;
	K.cpu = cpu;
	return 0;
}

/* sched_getaffinity(2): all CPUs but those outside the cpuset, where a move fails with EINVAL. */
int __wrap_sched_getaffinity(pid_t pid, size_t size, cpu_set_t *set)
{
	(void)pid;
	memset(set, 0xff, size);
	for (int b = 0; b < BUCKETS; b++)
		for (struct answer *a = K.bucket[b]; a; a = a->next)
			if (!strncmp(a->key, "cpu ", 4) && error_of(a->value) == EINVAL)
				CPU_CLR_S(strtoul(a->key + 4, NULL, 10), size, set);
	return (int)size;
}

/* CPUID on the CPU that the program has moved to. */
void sim_cpuid(unsigned leaf, unsigned subleaf, unsigned r[4])
{
	const char *value = answer("cpuid %d %x %x", K.cpu, leaf, subleaf);

	touch(K.cpu);
	if (!value)
		value = answer("cpuid * %x %x", leaf, subleaf);
	memset(r, 0, 16);
	if (value && sscanf(value, "%x %x %x %x", &r[0], &r[1], &r[2], &r[3]) != 4)
		stop("cpuid %x: '%s'", leaf, value);
}

/* RDTSC on the CPU that the program has moved to. */
unsigned long long sim_tsc(void)
{
	const char *value = answer("tsc %d", K.cpu);

	touch(K.cpu);
	return value ? strtoull(value, NULL, 10) : 0;
}

/* clock_gettime(2).  The first time of the monotonic clock is the begin of sample 0. */
int __wrap_clock_gettime(clockid_t id, struct timespec *t)
{
	long long ns = id == CLOCK_REALTIME ? K.real : id == CLOCK_BOOTTIME ? K.boot : K.mono;

	if (id != CLOCK_REALTIME && id != CLOCK_BOOTTIME && id != CLOCK_MONOTONIC)
		return __real_clock_gettime(id, t);
	if (id == CLOCK_MONOTONIC && !K.sampled) {
		K.sampled = true;
		next_part();
		ns = K.mono;
	}
	*t = (struct timespec){ ns / 1000000000, ns % 1000000000 };
	return 0;
}

/* Does the next sample, before a time from now in ns, come when the command has ended? */
static bool is_childs(long long ns)
{
	siginfo_t info;

	return !waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) && K.next < K.lines &&
	       !strncmp(K.line[K.next], "sample ", 7) && ns > time_left() + 1000000;
}

/* ppoll(2): what is ready or pending now, else the time goes on; a command takes its time. */
int __wrap_ppoll(struct pollfd *fds, nfds_t n, const struct timespec *t, const sigset_t *mask)
{
	static const struct timespec none;
	long long ns = t ? t->tv_sec * 1000000000 + t->tv_nsec : -1;
	bool waits = is_childs(t ? ns : LLONG_MAX);
	int ready = __real_ppoll(fds, n, waits ? NULL : &none, mask);

	if (ready || waits || !ns)
		return ready;
	tell_wakes();
	wait_for(ns);
	return __real_ppoll(fds, n, &none, mask);
}

/*
 * waitpid(2): of modprobe, which a signal interrupts at first; then there is a driver.
 */
pid_t __wrap_waitpid(pid_t pid, int *status, int options)
{
	static bool interrupted;
	int own;
	pid_t done;

	status = status ? status : &own;
	if (K.no_driver && !interrupted) {
		interrupted = true;
		return refuse(EINTR);
	}
	done = __real_waitpid(pid, status, options);
	if (K.no_driver && done > 0 && !*status) {
		fprintf(stderr, "sim: modprobe has loaded the driver\n");
		K.no_driver = false;
	}
	return done;
}

/* wait4(2): with the end of the command the next part begins. */

pid_t __wrap_wait4(pid_t pid, int *status, int options, struct rusage *usage)
{
	pid_t done = __real_wait4(pid, status, options, usage);

	if (done > 0 && K.sampled)
		next_part();
	return done;
}

/*
 * execle(3), of modprobe, which says something that nobody wants to hear: the simulated kernel
 * has no modules, or one.
 */
int __wrap_execle(const char *path, const char *arg, ...)
{
	const char *const *environment;
	const char *module, *more;
	va_list ap;

	va_start(ap, arg);
	module = va_arg(ap, const char *);
	more = module ? va_arg(ap, const char *) : NULL;
	environment = more ? NULL : va_arg(ap, const char *const *);
	va_end(ap);
	if (!K.no_driver || strcmp(path, "/sbin/modprobe") || strcmp(arg, "modprobe") || !module ||
	    strcmp(module, "msr") || more)
		return refuse(ENOENT);
	puts("modprobe: out");
	fflush(stdout);
	fputs("modprobe: err\n", stderr);
	_exit(*environment != NULL);	/* what modprobe does is not for the caller to say */
}

/* getuid(2), geteuid(2) */
uid_t __wrap_getuid(void)
{
	return K.setuid ? 1000 : K.no_driver ? 0 : __real_getuid();
}

uid_t __wrap_geteuid(void)
{
	return K.no_driver ? 0 : __real_geteuid();
}

/* setrlimit(2), as for a user: nobody gets more than the hard limit. */
int __wrap_setrlimit(int what, const struct rlimit *limit)
{
	struct rlimit now;

	if (getrlimit(what, &now) || limit->rlim_max > now.rlim_max)
		return refuse(EPERM);
	return __real_setrlimit(what, limit);
}
