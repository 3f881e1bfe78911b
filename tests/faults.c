// SPDX-License-Identifier: GPL-2.0-only
/*
 * faults.c - refuses the reads of recorded machines, one at a time
 *
 *   build/faults [-k STRIDE] PROGRAM NAME...
 *
 * Each tests/golden/NAME/machine.rec is replayed once as it is, once with --explain, and
 * then once for each read that it records (of every STRIDE-th one with -k): an msr, file
 * or perf record of sample 1 or later is replaced by an error, and what was recorded only
 * before sample 1 is refused at the beginning of sample 1.
 *
 * A refusal may change cells to another number or nan where --explain names the read as
 * the column's source, or a column is computed from such a one.  A column of CPU scope
 * changes only in the row of the CPU that was refused, and in the summary.  All else must
 * stay: the exit status, the rows (but for the list of CPUs online, when it changes), the
 * header lines, and every other cell.  A sanitizer must have nothing to say, and no run may
 * take TIME_LIMIT seconds.
 *
 * Prints "ok faults/NAME" or "FAIL faults/NAME" and the details indented.  Exit status 0
 * if nothing failed.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
	TIME_LIMIT = 20,	/* seconds of one run */
	MAX_CELLS = 512,	/* of a row */
	MAX_SHOWN = 10		/* details of one machine */
};

struct text {
	char *p;
	size_t n;
};

struct lines {			/* lines of a text, without their ends */
	char **line;
	size_t n;
};

struct column {			/* a row of --explain */
	char *name, *scope, *source;
	bool uses;		/* the read that is refused now */
	bool only_nan;		/* if it does: a cell of a CPU's row becomes nan or stays */
};

struct read { /* a recorded read: "msr CPU ADDR", "file PATH", "perf CPU PMU CONFIG" */
	char *key;
	size_t line;		/* its record, or the line behind which a refusal is put */
	bool added;		/* the latter */
};

static const char *program, *stem;	/* temporary files are STEM.rec, STEM.out, STEM.err */
static struct lines rec;		/* of this machine */
static struct column *column;
static size_t ncolumns;
static bool closed;			/* the recording has an "end" */
static unsigned failures;		/* of this machine */

/* Says what is wrong and ends the program with status 1. */
static __attribute__((noreturn, format(printf, 1, 2))) void die(const char *fmt, ...)
{
	va_list ap;

	fputs("faults: ", stderr);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fputc('\n', stderr);
	exit(1);
}

/* Resizes memory, or ends the program. */
static void *resize(void *p, size_t bytes)
{
	p = realloc(p, bytes ? bytes : 1);
	if (!p)
		die("out of memory");
	return p;
}

/* Text made by a format. */
static __attribute__((format(printf, 1, 2))) char *textf(const char *fmt, ...)
{
	va_list ap;
	char *s;

	va_start(ap, fmt);
	if (vasprintf(&s, fmt, ap) < 0)
		die("out of memory");
	va_end(ap);
	return s;
}

/* The contents of a file, with a NUL behind them. */
static struct text read_file(const char *path)
{
	int fd = open(path, O_RDONLY);
	struct text t = { NULL, 0 };
	struct stat st;
	ssize_t n;

	if (fd < 0 || fstat(fd, &st))
		die("%s: %s", path, strerror(errno));
	t.p = resize(NULL, (size_t)st.st_size + 1);
	while (t.n < (size_t)st.st_size && (n = read(fd, t.p + t.n, (size_t)st.st_size - t.n)) > 0)
		t.n += (size_t)n;
	t.p[t.n] = '\0';
	close(fd);
	return t;
}

/* Cuts a text into lines; their ends in the text become NUL. */
static struct lines split(char *s)
{
	struct lines l = { NULL, 0 };

	while (*s) {
		char *end = strchr(s, '\n');

		if (!(l.n & (l.n - 1)))
			l.line = resize(l.line, (l.n ? 2 * l.n : 1) * sizeof(*l.line));
		l.line[l.n++] = s;
		if (!end)
			break;
		*end = '\0';
		s = end + 1;
	}
	return l;
}

/* Cuts a row at its tabs, in place; the number of cells. */
static size_t cells_of(char *row, char **cell)
{
	size_t n = 0;

	while (n < MAX_CELLS) {
		cell[n++] = row;
		row = strchr(row, '\t');
		if (!row)
			break;
		*row++ = '\0';
	}
	return n;
}

/*
 * Runs the program on a recording, its output to STEM.out and STEM.err; the wait status.
 * A run that hangs is ended by a signal.
 */
static int run(const char *path, const char *option)
{
	char *out = textf("%s.out", stem), *err = textf("%s.err", stem);
	pid_t child = fork();
	int status = -1;

	if (child < 0)
		die("fork: %s", strerror(errno));
	if (!child) {
		int in = open("/dev/null", O_RDONLY),
		    o = open(out, O_WRONLY | O_CREAT | O_TRUNC, 0666),
		    e = open(err, O_WRONLY | O_CREAT | O_TRUNC, 0666);

		if (in < 0 || o < 0 || e < 0 || dup2(in, 0) < 0 || dup2(o, 1) < 0 || dup2(e, 2) < 0)
			_exit(126);
		close(in);
		close(o);
		close(e);
		alarm(TIME_LIMIT);
		execl(program, program, option, "--replay", path, (char *)NULL);
		_exit(127);
	}
	while (waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	free(out);
	free(err);
	return status;
}

/* The file STEM.SUFFIX that the last run has written. */
static struct text output(const char *suffix)
{
	char *path = textf("%s.%s", stem, suffix);
	struct text t = read_file(path);

	free(path);
	return t;
}

/* Counts a failure of this machine and prints the first ones. */
static __attribute__((format(printf, 2, 3))) void fail(const char *name, const char *fmt, ...)
{
	va_list ap;

	if (!failures++)
		printf("FAIL faults/%s\n", name);
	if (failures > MAX_SHOWN)
		return;
	fputs("    ", stdout);
	va_start(ap, fmt);
	vprintf(fmt, ap);
	va_end(ap);
	putchar('\n');
}

/* --- which columns use a read --- */

/* Does the text begin with these words? */
static bool begins(const char *s, const char *with)
{
	return !strncmp(s, with, strlen(with));
}

/*
 * Is it the same path but for the unit?  The numbers of CPUs, devices, packages and dies
 * differ, those of idle states and GTs do not: --explain names the first unit's file, or
 * has "cpuN".
 */
static bool same_path(const char *a, const char *b, size_t nb)
{
	static const char *const units[] = { "/cpu", "/hwmon", "/temp", "package_", "_die_",
					     "intel-rapl:", "/uncore", NULL };
	const char *start_a = a, *end = b + nb;

	while (*a && b < end) {
		if (*a != *b)
			return false;
		a++;
		b++;
		for (size_t i = 0; units[i]; i++) {
			size_t n = strlen(units[i]);

			if ((size_t)(a - start_a) >= n && !memcmp(a - n, units[i], n)) {
				while (*a >= '0' && *a <= '9')
					a++;
				while (b < end && ((*b >= '0' && *b <= '9') || *b == 'N'))
					b++;
			}
		}
	}
	return !*a && b == end;
}

/* The name of an event in the recording: the config is that of its file below events/, or NULL. */
static char *event_name(const char *pmu, unsigned long long config)
{
	char *dir = textf("file /sys/bus/event_source/devices/%s/events/", pmu), *name = NULL;

	for (size_t i = 0; i < rec.n && !name; i++) {
		const char *p = rec.line[i] + strlen(dir), *terms, *t;
		unsigned long long value;

		if (!begins(rec.line[i], dir) || !(terms = strchr(p, ' ')) ||
		    memchr(p, '.', (size_t)(terms - p)) || !(t = strstr(terms, "event=")))
			continue;
		value = strtoull(t + 6, NULL, 0);
		if ((t = strstr(terms, "umask=")))
			value |= strtoull(t + 6, NULL, 0) << 8;
		if (value == config)
			name = textf("%.*s", (int)(terms - p), p);
	}
	free(dir);
	return name;
}

/*
 * How --explain calls the perf event of a key, "perf NAME"; the beginning of it if nothing is
 * known.
 */
static char *perf_source(const char *key)
{
	static const struct {
		unsigned config;
		const char *name;
	} hw[] = { { 0, "cycles" }, { 1, "instructions" }, { 2, "cache-references" },
		   { 3, "cache-misses" }, { 9, "ref-cycles" } };
	unsigned long long config;
	char pmu[64], *event, *source;

	if (sscanf(key, "perf %*d %63s %llx", pmu, &config) != 2)
		die("'%s' is no key", key);
	if (!strcmp(pmu, "hw"))
		for (size_t i = 0; i < sizeof(hw) / sizeof(hw[0]); i++)
			if ((unsigned)config ==
			    hw[i].config) /* the PMU's type stands above bit 32 */
				return textf("perf %s", hw[i].name);
	if (begins(pmu, "cpu"))
		return textf("perf cpu, ");
	event = event_name(pmu, config);
	source = event ? textf("perf %s/%s/", pmu, event) : textf("perf %s/", pmu);
	free(event);
	return source;
}

/* Does one name of a source, n characters, stand for the read of a key? */
static bool names(const char *s, size_t n, const char *key, const char *perf)
{
	if (begins(key, "msr ")) {
		unsigned long addr = strtoul(strrchr(key, ' ') + 1, NULL, 16);

		return begins(s, "MSR 0x") && strtoul(s + 6, NULL, 16) == addr;
	}
	if (perf)
		return n >= strlen(perf) && begins(s, perf);
	if (strstr(key, "intel_pmt") && begins(s, "telemetry"))
		return true;
	if (begins(s, "the kernel's accounting"))
		return !strcmp(key, "file /proc/stat");
	if (n == strlen("topology") && begins(s, "topology")) /* read again when CPUs come or go */
		return strstr(key, "/topology/") || strstr(key, "/cache/") || strstr(key, "/node");
	return same_path(key + 5, s, n);
}

/* Does the source of a column name the read of a key? */
static bool source_names(const char *source, const char *key, const char *perf)
{
	for (const char *s = source; *s; s++) {
		if (s != source && s[-1] != ' ' && s[-1] != '(')
			continue;
		if (names(s, strcspn(s, " ,;)"), key, perf) || (perf && begins(s, perf)))
			return true;
	}
	return false;
}

/*
 * Marks the columns that use the read of a key.  CPU%c1 as a remainder is made of MPERF and
 * the deeper states.  On E-cores the counter of C6 contains C7, which is taken out of CPU%c6:
 * what is left in without it is no number.
 */
static void mark_columns(const char *key)
{
	char *perf = begins(key, "perf ") ? perf_source(key) : NULL;
	bool busy = false, c7 = false;

	for (size_t i = 0; i < ncolumns; i++) {
		struct column *c = &column[i];

		c->uses = source_names(c->source, key, perf);
		c->only_nan = false;
		c7 = c7 || (c->uses && !strcmp(c->name, "CPU%c7"));
		busy = busy || (c->uses && (!strcmp(c->name, "Busy%") || begins(c->name, "CPU%c")));
	}
	for (size_t i = 0; i < ncolumns; i++) {
		struct column *c = &column[i];

		if (c7 && !c->uses && !strcmp(c->name, "CPU%c6"))
			c->uses = c->only_nan = true;
		if (busy && strstr(c->source, "(TSC - MPERF"))
			c->uses = true;
	}
	free(perf);
}

/* Is it what a cell may become: a number or nan? */
static bool is_value(const char *s)
{
	size_t n;

	if (!strcmp(s, "nan"))
		return true;
	s += *s == '-';
	n = strspn(s, "0123456789");
	s += n;
	if (!n)
		return false;
	if (*s == '.') {
		n = strspn(++s, "0123456789");
		s += n;
	}
	return n && !*s;
}

/* May a cell of this column become this, in the row of this CPU ("-" the summary, NULL unknown)? */
static bool may_become(const char *name, const char *new, const char *key, const char *cpu)
{
	const char *digits = strchr(key, ' ') + 1;
	size_t n = strspn(digits, "0123456789");
	bool summary = !cpu || !strcmp(cpu, "-"), of_cpu = !begins(key, "file ");
	bool same_cpu = cpu && strlen(cpu) == n && !memcmp(cpu, digits, n);

	if (!is_value(new))
		return false;
	for (size_t i = 0; i < ncolumns; i++) {
		const struct column *c = &column[i];

		if (!c->uses || strcmp(c->name, name))
			continue;
		if (summary)
			return true;
		if (c->only_nan && strcmp(new, "nan"))
			continue;
		if (!of_cpu || same_cpu || strcmp(c->scope, "cpu") || strstr(c->source, "(TSC - "))
			return true;
	}
	return false;
}

/* --- the recording --- */

/* The key of a record that can be refused, to be freed; NULL of others. */
static char *key_of(const char *line)
{
	unsigned fields = begins(line, "file ")   ? 2
			  : begins(line, "msr ")  ? 3
			  : begins(line, "perf ") ? 4
						  : 0;
	const char *p = line;

	if (!fields)
		return NULL;
	for (unsigned i = 0; i < fields && p; i++) {
		p = strchr(p, ' ');
		p = p ? p + 1 : NULL;
	}
	if (!p || *p == '!' || begins(line, "msr *"))
		return NULL;
	return textf("%.*s", (int)(p - line - 1), line);
}

/* Orders reads by their keys, and those of one key by their places, for qsort. */
static int by_key(const void *a, const void *b)
{
	const struct read *x = a, *y = b;
	int order = strcmp(x->key, y->key);

	return order ? order : (x->line > y->line) - (x->line < y->line);
}

/* Orders reads by their places, for qsort. */
static int by_place(const void *a, const void *b)
{
	const struct read *x = a, *y = b;

	return x->line != y->line ? (x->line > y->line) - (x->line < y->line)
				  : strcmp(x->key, y->key);
}

/*
 * The reads that are refused in turn: every record of sample 1 and later, and one for each
 * key that stands before sample 1 only.
 */
static struct read *list_reads(size_t *count)
{
	struct read *all = resize(NULL, (rec.n + 1) * sizeof(*all));
	size_t n = 0, kept = 0, first = 0;	/* the line of sample 1; 0 = there is none */

	for (size_t i = 0; i < rec.n; i++) {
		char *key = key_of(rec.line[i]);

		if (begins(rec.line[i], "sample 1 "))
			first = i;
		if (key)
			all[n++] = (struct read){ key, i, !first };
	}
	if (!first)
		n = 0;
	if (n)
		qsort(all, n, sizeof(*all), by_key);
	for (size_t i = 0; i < n; i++) {
		/*
		 * of a key's records before sample 1 the last one stands for all, if none follows
		 */
		if (all[i].added && i + 1 < n && !strcmp(all[i].key, all[i + 1].key))
			continue;
		all[kept] = all[i];
		if (all[kept].added)
			all[kept].line = first;
		kept++;
	}
	if (kept)
		qsort(all, kept, sizeof(*all), by_place);
	*count = kept;
	return all;
}

/* Writes the recording with one read refused to STEM.rec. */
static void write_refused(const char *path, const struct read *r, const char *error)
{
	FILE *f = fopen(path, "w");

	if (!f)
		die("%s: %s", path, strerror(errno));
	for (size_t i = 0; i < rec.n; i++) {
		if (i != r->line || r->added) {
			fputs(rec.line[i], f);
			fputc('\n', f);
		}
		if (i == r->line)
			fprintf(f, "%s %s\n", r->key, error);
	}
	if (fclose(f))
		die("%s: %s", path, strerror(errno));
}

/* Reads the table of --explain of the last run. */
static void read_columns(char *s)
{
	struct lines l = split(s);
	char *cell[MAX_CELLS];

	column = resize(column, (l.n + 1) * sizeof(*column));
	ncolumns = 0;
	for (size_t i = 0; i + 1 < l.n; i++)
		if (cells_of(l.line[i], cell) == 5)	/* the source stands below, behind a TAB */
			column[ncolumns++] = (struct column){ cell[0], cell[2], l.line[i + 1] + 1,
							      false, false };
	free(l.line);
}

/* --- the comparison --- */

/* Compares a row with that of the unrefused run, which has the header's columns. */
static void compare_row(const char *name, const char *what, const char *key, const char *header,
			const char *before, const char *after)
{
	char *h = textf("%s", header), *b = textf("%s", before), *a = textf("%s", after);
	char *title[MAX_CELLS], *old[MAX_CELLS], *new[MAX_CELLS];
	const char *cpu = NULL;
	size_t n = cells_of(h, title), m = cells_of(b, old);

	if (!strcmp(header, before)) {
		fail(name, "%s: a header line became '%s'", what, after);
	} else if (cells_of(a, new) != m || m > n) {
		fail(name, "%s: '%s' became '%s'", what, before, after);
	} else {
		for (size_t i = 0; i < m; i++)
			if (!strcmp(title[i], "CPU"))
				cpu = old[i];
		for (size_t i = 0; i < m; i++)
			if (strcmp(old[i], new[i]) && !may_become(title[i], new[i], key, cpu))
				fail(name, "%s: CPU %s, %s: '%s' became '%s'", what,
				     cpu ? cpu : "?", title[i], old[i], new[i]);
	}
	free(h);
	free(b);
	free(a);
}

/* Does the text end with these words? */
static bool ends(const char *s, const char *with)
{
	size_t n = strlen(s), m = strlen(with);

	return n >= m && !strcmp(s + n - m, with);
}

/* Without the list of CPUs nothing is known of those that come and go: the header alone stays. */
static void check_header(const char *name, const char *what, const struct lines *now,
			 const struct lines *base)
{
	if (!now->n != !base->n || (now->n && strcmp(now->line[0], base->line[0])))
		fail(name, "%s: the header line became '%s'", what, now->n ? now->line[0] : "");
}

/*
 * Compares the output of the last run, with a read refused, with the lines of the unrefused
 * run.  Whether the last sample of a recording without "end" is complete is guessed from its
 * length; there may be fewer lines then.
 */
static void compare(const char *name, const char *what, const char *key, const struct lines *base)
{
	struct text out = output("out");
	struct lines now = split(out.p);

	if (ends(key, "/cpu/online"))
		check_header(name, what, &now, base);
	else if (now.n > base->n || (closed && now.n < base->n))
		fail(name, "%s: %zu lines instead of %zu", what, now.n, base->n);
	else
		for (size_t i = 0; i < now.n; i++)
			if (strcmp(base->line[i], now.line[i]))
				compare_row(name, what, key, base->line[0], base->line[i],
					    now.line[i]);
	free(now.line);
	free(out.p);
}

/* Fails if a sanitizer has written to standard error of the last run. */
static void check_stderr(const char *name, const char *what)
{
	struct text err = output("err");

	if (strstr(err.p, "Sanitizer") || strstr(err.p, "runtime error"))
		fail(name, "%s: a report of a sanitizer: %.200s", what, err.p);
	free(err.p);
}

/* Refuses the reads of one machine, every stride-th one; false if something failed. */
static bool machine(const char *name, size_t stride)
{
	static const char *const errors[] = { "!EIO", "!EACCES", "!ENOENT" };
	char *path = textf("tests/golden/%s/machine.rec", name), *refused = textf("%s.rec", stem);
	struct text text = read_file(path), explained, out;
	struct lines base;
	struct read *read;
	size_t nreads;
	int status;

	failures = 0;
	rec = split(text.p);
	closed = rec.n && !strcmp(rec.line[rec.n - 1], "end");
	if (run(path, "--explain"))
		fail(name, "--explain does not end with 0");
	explained = output("out");
	read_columns(explained.p);
	status = run(path, "--quiet");
	check_stderr(name, "as recorded");
	out = output("out");
	base = split(out.p);
	read = list_reads(&nreads);
	for (size_t i = 0; i < nreads; i += stride) {
		const char *error = errors[i / stride % 3];
		char *what = textf("line %zu, %s %s%s", read[i].line + 1, read[i].key, error,
				   read[i].added ? " added" : "");
		int now;

		write_refused(refused, &read[i], error);
		now = run(refused, "--quiet");
		if (WIFSIGNALED(now))
			fail(name, "%s: signal %d", what, WTERMSIG(now));
		else if (now != status)
			fail(name, "%s: exit status %d instead of %d", what, WEXITSTATUS(now),
			     WEXITSTATUS(status));
		check_stderr(name, what);
		mark_columns(read[i].key);
		compare(name, what, read[i].key, &base);
		free(what);
	}
	if (failures > MAX_SHOWN)
		printf("    and %u more\n", failures - MAX_SHOWN);
	if (!failures)
		printf("ok faults/%s\n", name);
	fflush(stdout);
	for (size_t i = 0; i < nreads; i++)
		free(read[i].key);
	free(read);
	free(base.line);
	free(rec.line);
	free(text.p);
	free(out.p);
	free(explained.p);
	free(refused);
	free(path);
	return !failures;
}

/* Understands the arguments and goes through the machines. */
int main(int argc, char **argv)
{
	size_t stride = 1;
	bool good = true;
	int i = 1;

	if (argc > 2 && !strcmp(argv[1], "-k")) {
		stride = strtoul(argv[2], NULL, 10);
		i = 3;
	}
	if (argc < i + 2 || !stride)
		die("usage: faults [-k STRIDE] PROGRAM NAME...");
	program = argv[i++];
	stem = textf("build/faults.%d", (int)getpid());
	setvbuf(stdout, NULL, _IOFBF, 1 << 16);
	for (; i < argc; i++)
		good &= machine(argv[i], stride);
	for (size_t k = 0; k < 3; k++) {
		static const char *const suffix[] = { "rec", "out", "err" };
		char *path = textf("%s.%s", stem, suffix[k]);

		unlink(path);
		free(path);
	}
	return good ? 0 : 1;
}
