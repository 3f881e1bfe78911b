// SPDX-License-Identifier: GPL-2.0-only
/*
 * turbostat - report processor frequency, idle states, temperature and power on x86 Linux
 *
 * Read the file from top to bottom: everything is defined before it is used.  A section calls
 * those above it.  If its comment says "Calls ...", it calls functions of these sections only.
 *
 *	 1  BASE	integers, text, CPU sets, parsers, messages
 *	 2  LIVE	reads the machine
 *	 3  RECORDING	replays a recording
 *	 4  SOURCES	records; the sections below ask the machine only by functions src_*()
 *	 5  PLATFORMS	the platform table
 *	 6  MACHINE	CPUID, topology, clocks, units
 *	 7  DEVICES	finds devices in sysfs
 *	 8  FACTS	what the machine says about itself: one function for each fact
 *	 9  TABLES	counters and columns
 *	10  ROWS	the tables of this run, and the selection of columns
 *	11  SEARCH	the parts of a plan; sources other than perf events
 *	12  EVENTS	perf events: by name, in groups
 *	13  CHOICE	chooses the source of each counter
 *	14  PLAN	what to read on each CPU, which columns to show
 *	15  SAMPLE	one pass over the CPUs
 *	16  MATH	differences, folds, formulas
 *	17  PRINT	cells and rows to text: the table
 *	18  FORMATS	JSON, CSV, Prometheus
 *	19  REGISTERS	lines of the header about registers: templates and code
 *	20  REPORT	the system-configuration header: the table of its lines
 *	21  EXPLAIN	the sources of columns, and why others are absent
 *	22  ENERGY	the ways to one energy, and what contradicts
 *	23  ANSWERS	why the clock is low, why the machine does not sleep
 *	24  OPTIONS	the command line, the grammar of --add
 *	25  RUNS	statistics of several measurements, their tables
 *	26  PICTURE	--html: charts and tables as one page
 *	27  INTERVALS	CPUs that come and go, an interval and where it is printed
 *	28  RUN		signals, keys, the forked command, regions, waiting, measuring
 *	29  REPEAT	runs of a command, comparisons, what is printed once
 *	30  main
 *
 * Terms: a source is a file, a register or an event; a counter is what we read from sources; a
 * sample is one reading of all counters; a column is what we print.  Six structs hold the
 * state: S (sources), M (machine), O (options), T (tables), P (plan), R (run); "messages" has those
 * of stderr.  A few functions keep a buffer, or what was said last, in a static variable.
 *
 * How CPU%c6 gets from its register to the screen:
 *	msr.h		MSR_CORE_C6_RESIDENCY is 0x3fd
 *	counter_table	CT_CC6: of a core, counts at TSC rate; perf first, else that register
 *	use_unit	adds a source per core: the register, on the core's first CPU
 *	read_source	reads it; store_value() keeps the value in the source
 *	compute_source	stores the difference of two samples under counter and core
 *	column_table	"CPU%c6" is V_PERCENT_OF_TSC of CT_CC6
 *	column_value	calls real_value(), which applies the formula; put_number() prints it
 * If perf has the counter, use_perf() opens its event in a group, read_group() reads the group,
 * and read_source() takes the count from there.  add_user_counter() makes both rows of --add.
 * Read this upwards to find the register of any column; `turbostat --explain COLUMN` prints it too.
 *
 * To add				edit
 *	a model like an older one	its number in platforms[], and in l2_intel[] if its
 *					events are those; UPDATE=1 tests/models.sh
 *	a column over a counter		1 row of column_table[]
 *	a counter over a new register	its #define in msr.h, a word of enum counter_id, a row of
 *					counter_table[], a row of column_table[]; for Prometheus
 *					a row of metrics[]
 *	a field of a register		like a counter, with REG_BITS(); or --add msr0x198[47:32]
 *	generated columns		a word of enum generated, a row of generated_table[], in
 *					ROWS a function that fills it in, its call in
 *					tables_fill(); the word that selects them all in
 *					other_names[]; a row of metrics[]
 *	a fact about the machine	a function in FACTS that reads it; for JSON a row of
 *					fact_keys[] in FORMATS
 *	a line of the header		its fields in msr.h, a row in header_table[] of REPORT
 *	a cause of --explain TOPIC	a row of questions[] in ANSWERS: what is read, when it
 *					holds, what to do; a function judge_*() if holds, allows
 *					and with cannot say it; a case of tests/answers.sh
 *	a register of turbo ratios	its #define in msr.h, a row of turbo_registers[] in FACTS,
 *					above those of fewer cores; for a new layout a bit
 *					TURBO_..., in its models' rows
 *	a formula			a word of enum formula, a FORMULA(), a row of
 *					formula_table[]
 *	a kind of source		a word of enum way_kind, a row of way_kinds[], a case of
 *					read_source(); perhaps a case of print_way()
 *	data of a new kind		a function src_* in SOURCES that asks the machine or the
 *					recording; a row of keywords[], turbostat(8)
 *	an output format		a word of enum output, a row of outputs[] below it, a row
 *					of writers[] in PICTURE, a row of option_rows[]
 *	an option			a member of struct options, a row of option_rows[], its
 *					needs in check_options()
 * Document what a user sees in turbostat.8, and test it, mostly with a recording below
 * tests/golden: UPDATE=1 tests/golden.sh NAME.
 *
 * A failed read is data: a counter that nobody can read at the start has no column; a cell that
 * cannot be read later, or is impossible, is "nan"; the program continues.
 * turbostat(8) lists the intended differences to older programs of this name.
 */
#define _GNU_SOURCE
#define _FILE_OFFSET_BITS 64

#include <ctype.h>
#include <cpuid.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <getopt.h>
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
#include <termios.h>
#include <time.h>
#include <unistd.h>
#include <linux/capability.h>
#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <sys/wait.h>

#include "msr.h"

/* ======================================================================== *
 * 1. BASE
 *
 * Integers, memory, growable text, CPU sets, number and list parsers, messages.
 * Owns the messages that are held back.  Calls libc only.
 * ======================================================================== */

#define VERSION "2026.11.23"

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef unsigned long long u64;
typedef long long i64;

#define NONE	(-1)
#define ARRAY_SIZE(a)	(sizeof(a) / sizeof((a)[0]))
#define PRINTF(f, a)	__attribute__((format(printf, f, a)))
#define UNUSED		__attribute__((unused))	/* required by the callback's type */
#define STRING_(...)	#__VA_ARGS__
#define STRING(...)	STRING_(__VA_ARGS__)

/* FIELD(v, HIGH_AND_LOW): the bits high:low of v, shifted down; msr.h names the pairs. */
#define FIELD_(v, hi, lo)	(((u64)(v) >> (lo)) & (~0ull >> (63 - ((hi) - (lo)))))
#define FIELD(v, ...)		FIELD_(v, __VA_ARGS__)

enum { MAX_CPU = 8192 };		/* more than Linux supports on x86 */
static const double NaN = __builtin_nan("");

/* Shows a status line on stderr.  NULL erases it before output to fd, if that is a terminal. */
static void show_status(const char *text, int fd)
{
	static bool shown;

	if (shown && !isatty(fd))
		return;
	fprintf(stderr, "%s%s", shown ? "\r\033[K" : "", text ?: "");
	shown = text != NULL;
}

/* Returns the size of a terminal's window; 80 x 24 if the terminal does not know it. */
static struct winsize window_of(int fd)
{
	struct winsize size = { 0 };

	ioctl(fd, TIOCGWINSZ, &size);
	size.ws_row = size.ws_row ?: 24;
	size.ws_col = size.ws_col ?: 80;
	return size;
}

/* say() prints a message on stderr, die() exits with status 1, too. */
#define say(...)	print_message(false, textf(__VA_ARGS__))
#define die(...)	do { say(__VA_ARGS__); exit(1); } while (0)
static PRINTF(1, 2) char *textf(const char *fmt, ...);
static void print_message(bool hold, char *text);

/* Resizes an array to n members of the given size; exits when memory runs out. */
static void *resize(void *p, size_t n, size_t size)
{
	p = reallocarray(p, n ? n : 1, size);
	if (!p)
		die("out of memory");
	return p;
}

/* Allocates n members that are 0; exits when memory runs out. */
static void *zeroed(size_t n, size_t size)
{
	void *p = calloc(n ? n : 1, size);

	if (!p)
		die("out of memory");
	return p;
}

/* Makes room for one more member of an array, which grows by powers of two, from 8. */
static void *room(void *p, size_t n, size_t size)
{
	if (!n)
		return resize(p, 8, size);
	if (n < 8 || n & (n - 1))
		return p;
	return resize(p, 2 * n, size);
}

/* Adds a member to a growing array p of n. */
#define append(p, n)	((p) = room(p, n, sizeof(*(p))), &(p)[(n)++])

/* Points behind the first n members of a growing array, which is NULL while it has none. */
#define PAST(p, n)	((n) ? (p) + (n) : (p))

struct buf {			/* growing text, always NUL-terminated once written to */
	char *p;
	size_t len, cap;
};

/* Makes room for n more bytes and a NUL. */
static void buf_reserve(struct buf *b, size_t n)
{
	if (b->cap - b->len > n)
		return;
	b->cap = 2 * b->cap > b->len + n ? 2 * b->cap : b->len + n + 1;
	b->p = resize(b->p, b->cap, 1);
}

static void buf_add(struct buf *b, const char *s, size_t n)
{
	buf_reserve(b, n);
	memcpy(b->p + b->len, s, n);
	b->len += n;
	b->p[b->len] = '\0';
}

static void buf_puts(struct buf *b, const char *s)
{
	buf_add(b, s, strlen(s));
}

static PRINTF(2, 3) void buf_printf(struct buf *b, const char *fmt, ...)
{
	va_list ap;
	int n = 128;

	do {
		buf_reserve(b, (size_t)n);
		va_start(ap, fmt);
		n = vsnprintf(b->p + b->len, b->cap - b->len, fmt, ap);
		va_end(ap);
	} while (n > 0 && (size_t)n >= b->cap - b->len);
	b->len += n > 0 ? (size_t)n : 0;
}

/* Appends the title before the first item of a list, the separator before the others. */
static void buf_item(struct buf *b, size_t begin, const char *title, const char *separator)
{
	buf_puts(b, b->len > begin ? separator : title);
}

/* Ends the line that began at this length, unless it is empty. */
static void buf_end_line(struct buf *b, size_t begin)
{
	if (b->len > begin)
		buf_add(b, "\n", 1);
}

/* SCOPED(TYPE), after the name of a variable: frees what it owns at the end of its block. */
#define SCOPED(type)	__attribute__((cleanup(free_##type)))

static void free_buf(struct buf *b)
{
	free(b->p);
}

/* For pointers of any type. */
static void free_ptr(void *pointer)
{
	void *p;

	memcpy(&p, pointer, sizeof(p));
	free(p);
}

static void buf_clear(struct buf *b)
{
	b->len = 0;
	if (b->p)
		b->p[0] = '\0';
}

/* The number of bytes of a UTF-8 character, by its first one; 0: it cannot be the first. */
static size_t utf8_length(u8 first)
{
	if (first < 0x80)
		return 1;
	if (first < 0xc0)
		return 0;
	if (first < 0xe0)
		return 2;
	if (first < 0xf0)
		return 3;
	return first < 0xf8 ? 4 : 0;
}

/* Decodes a UTF-8 character.  Returns the number of its bytes, or 0: invalid (RFC 3629). */
static size_t utf8_decode(const char *text, u32 *code)
{
	static const u32 least[] = { 0, 0, 0x80, 0x800, 0x10000 };	/* by number of bytes */
	const u8 *s = (const u8 *)text;
	size_t n = utf8_length(*s);

	*code = n == 1 ? *s : *s & (0x7fu >> n);
	for (size_t i = 1; i < n; i++) {
		if ((s[i] & 0xc0) != 0x80)
			return 0;
		*code = *code << 6 | (s[i] & 0x3f);
	}
	return *code < least[n] || *code > 0x10ffff || *code >> 11 == 0x1b ? 0 : n;
}

/*
 * C0 and C1 controls, and what changes lines or the direction of text (Unicode, UAX #9): it would
 * let a name show as another, and hide what follows it.
 */
static bool is_control(u32 code)
{
	return code < 0x20 || (code >= 0x7f && code < 0xa0) || code == 0x200e || code == 0x200f ||
	       (code >= 0x2028 && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
}

/* Output is a name, lines of text, XML, a label of Prometheus or a string of JSON. */
enum purpose { A_NAME, A_TEXT, A_PAGE, A_LABEL, A_STRING };

/* Appends n bytes without control characters; invalid UTF-8 becomes U+FFFD. */
static void buf_clean(struct buf *b, const char *s, size_t n, enum purpose purpose)
{
	const char *end = n ? s + n : s;	/* NULL may have no bytes */

	while (s < end) {
		u32 code;
		size_t length = utf8_decode(s, &code);

		if (!length)
			buf_puts(b, "\xef\xbf\xbd");
		else if ((purpose == A_LABEL || purpose == A_STRING) && (*s == '"' || *s == '\\'))
			buf_printf(b, "\\%c", *s);
		else if (purpose == A_LABEL && *s == '\n')
			buf_puts(b, "\\n");
		else if (purpose == A_PAGE && strchr("<>&\"", *s))
			buf_printf(b, "&#%d;", *s);
		else if (purpose == A_PAGE && (code | 1) == 0xffff)	/* not in XML */
			buf_puts(b, "?");
		else if ((purpose == A_TEXT || purpose == A_PAGE) && (*s == '\t' || *s == '\n'))
			buf_add(b, s, 1);
		else if (is_control(code))
			buf_printf(b, purpose == A_STRING ? "\\u%04x" : "?", code);
		else
			buf_add(b, s, length);
		s += length ? length : 1;
	}
	buf_puts(b, "");
}

/* Returns a copy without control characters, which the caller frees. */
static char *printable(const char *s)
{
	struct buf b = { 0 };

	buf_clean(&b, s, strlen(s), A_NAME);
	return b.p;
}

/* Replaces the control characters, except TABs and newlines. */
static void make_printable(struct buf *b)
{
	struct buf raw SCOPED(buf) = *b;

	*b = (struct buf){ 0 };
	buf_clean(b, raw.p, raw.len, A_TEXT);
}

static struct {
	const char *recording;	/* that --compare replays, else "" */
	bool holds;		/* notes wait until the result of a command is printed */
	struct buf held;	/* these notes */
} messages = { "" };

/* Prints "turbostat: TEXT" on stderr or appends it to the notes that are held back; frees it. */
static void print_message(bool hold, char *text)
{
	const char *name = messages.recording;
	size_t n = strlen(name);	/* the text may name it, too */
	const char *of = !strncmp(text, name, n) && text[n] == ':' ? "" : name;
	char *line SCOPED(ptr) = textf("turbostat: %s%s%s\n", of, *of ? ": " : "", text);
	struct buf shown SCOPED(buf) = { 0 }, *b = hold ? &messages.held : &shown;

	buf_clean(b, line, strlen(line), A_TEXT);
	free(text);
	if (!hold) {
		show_status(NULL, STDERR_FILENO);
		fputs(shown.p, stderr);
	}
}

/* Appends n bytes quoted for JSON or as a Prometheus label. */
static void quote_text(struct buf *b, const char *s, size_t n, bool json)
{
	buf_puts(b, "\"");
	buf_clean(b, s, n, json ? A_STRING : A_LABEL);
	buf_puts(b, "\"");
}

/* Formats a new string, which the caller frees. */
static PRINTF(1, 2) char *textf(const char *fmt, ...)
{
	va_list ap;
	char *s;

	va_start(ap, fmt);
	if (vasprintf(&s, fmt, ap) < 0) {	/* die() calls this function */
		fputs("turbostat: out of memory\n", stderr);
		exit(1);
	}
	va_end(ap);
	return s;
}

/* Copies a string, which the caller frees.  Unlike glibc's vasprintf(3) it leaves no gap behind. */
static char *copy_text(const char *s)
{
	size_t size = strlen(s) + 1;

	return memcpy(resize(NULL, size, 1), s, size);
}

/* Formats a path in a buffer that the next call overwrites. */
static PRINTF(1, 2) const char *pathf(const char *fmt, ...)
{
	static char path[PATH_MAX];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(path, sizeof(path), fmt, ap);
	va_end(ap);
	return path;
}

/* Prints the notes that were held back, and all later notes at once. */
static void release_notes(void)
{
	messages.holds = false;
	if (messages.held.len) {
		show_status(NULL, STDERR_FILENO);
		fputs(messages.held.p, stderr);
		buf_clear(&messages.held);
	}
}

/* FNV-1a, 64 bits, for tables and for the ids of notes.  h: the hash of what comes before, or 0. */
static u64 hash_bytes(const char *s, size_t n, u64 h)
{
	if (!h)
		h = 0xcbf29ce484222325ull;
	for (size_t i = 0; i < n; i++)
		h = (h ^ (u8)s[i]) * 0x100000001b3ull;
	return h;
}

static u64 hash_text(const char *s)
{
	return hash_bytes(s, strlen(s), 0);
}

/* Prints a message once per format, id and recording; the caller chooses the id (a column, 0). */
#define note(id, fmt, ...)	\
	(remember_cause(id, fmt) ? print_message(messages.holds, textf(fmt, ##__VA_ARGS__)) \
				 : (void)0)

/* Returns whether a cause is new. */
static bool remember_cause(u64 id, const char *fmt)
{
	static struct cause { const char *fmt; u64 id; } *cause;
	static size_t n;

	id ^= hash_text(messages.recording);
	for (size_t i = 0; i < n; i++)
		if (cause[i].fmt == fmt && cause[i].id == id)
			return false;
	*append(cause, n) = (struct cause){ fmt, id };
	return true;
}

/* Truncates a number.  Returns false if it is negative or does not fit. */
static bool to_u64(double v, u64 *u)
{
	if (!(v >= 0 && v < 0x1p64))
		return false;
	*u = (u64)v;
	return true;
}

struct cpuset {
	union {
		u64 __attribute__((may_alias)) w[MAX_CPU / 64];
		cpu_set_t set[MAX_CPU / CPU_SETSIZE];
	};
};

/* Sets for CPU_SET(3), which ignores numbers out of range. */
#define set_add(s, cpu)		CPU_SET_S(cpu, sizeof((s)->set), (s)->set)
#define set_remove(s, cpu)	CPU_CLR_S(cpu, sizeof((s)->set), (s)->set)
#define set_has(s, cpu)		(CPU_ISSET_S(cpu, sizeof((s)->set), (s)->set) != 0)
#define set_count(s)		CPU_COUNT_S(sizeof((s)->set), (s)->set)

/* Returns the lowest member >= cpu, or -1. */
static int set_next(const struct cpuset *s, int cpu)
{
	for (int i = cpu / 64; cpu >= 0 && i < MAX_CPU / 64; i++) {
		u64 w = s->w[i] & (i == cpu / 64 ? ~0ull << cpu % 64 : ~0ull);

		if (w)
			return i * 64 + __builtin_ctzll(w);
	}
	return -1;
}

static void set_minus(struct cpuset *s, const struct cpuset *other)
{
	for (int i = 0; i < MAX_CPU / 64; i++)
		s->w[i] &= ~other->w[i];
}

static void set_join(struct cpuset *s, const struct cpuset *other)
{
	for (int i = 0; i < MAX_CPU / 64; i++)
		s->w[i] |= other->w[i];
}

#define for_each_cpu(cpu, set) \
	for (int cpu = set_next(set, 0); cpu >= 0; cpu = set_next(set, cpu + 1))

/* Returns the set as a kernel list, "0-3,8"; the next call overwrites it. */
static const char *set_text(const struct cpuset *s)
{
	static char text[5 * MAX_CPU];	/* four digits and a comma for each */
	char *p = text;

	*p = '\0';
	for (int a = set_next(s, 0), z; a >= 0; a = set_next(s, z + 1)) {
		for (z = a; set_has(s, z + 1); z++)
			;
		p += sprintf(p, z > a ? "%s%d-%d" : "%s%d", p > text ? "," : "", a, z);
	}
	return text;
}

/* Appends "cpu6" or "cpus 2-3,7". */
static void buf_cpus(struct buf *b, const struct cpuset *s)
{
	buf_printf(b, set_count(s) > 1 ? "cpus %s" : "cpu%s", set_text(s));
}

/* The value of a digit in a base up to 16, or -1. */
static inline int digit_value(char ch, unsigned base)
{
	unsigned d = (unsigned)ch - '0';

	if (d > 9)
		d = ((unsigned)ch | 0x20) - 'a' < 6 ? ((unsigned)ch | 0x20) - 'a' + 10 : 99;
	return d < base ? (int)d : -1;
}

/* Parses a number and skips it; end may be NULL.  Returns false for no digit or more than max. */
static inline bool scan_number(const char **s, const char *end, unsigned base, u64 max, u64 *v)
{
	const char *p = *s;
	u64 n = 0;
	int d;

	for (; p != end && (d = digit_value(*p, base)) >= 0; p++)
		if (__builtin_mul_overflow(n, (u64)base, &n) ||
		    __builtin_add_overflow(n, (u64)d, &n))
			return false;
	if (p == *s || n > max)
		return false;
	*s = p;
	*v = n;
	return true;
}

/* Parses a decimal number below limit and skips it.  Returns -1 if there is none. */
static int parse_small(const char **s, int limit)
{
	u64 v;

	return scan_number(s, NULL, 10, (u64)limit - 1, &v) ? (int)v : -1;
}

/* Parses a CPU list, "1,3-5,7..9\n" or "".  Returns 0 or -EINVAL. */
static int parse_cpulist(const char *s, struct cpuset *set)
{
	memset(set, 0, sizeof(*set));
	if (!*s || *s == '\n')
		return 0;
	for (;; s++) {
		int a = parse_small(&s, MAX_CPU), z = a;

		if (a >= 0 && (*s == '-' || (s[0] == '.' && s[1] == '.'))) {
			s += *s == '-' ? 1 : 2;
			z = parse_small(&s, MAX_CPU);
		}
		if (a < 0 || z < a)
			return -EINVAL;
		for (; a <= z; a++)
			set_add(set, a);
		if (*s != ',')
			return !*s || (*s == '\n' && !s[1]) ? 0 : -EINVAL;
	}
}

/* Parses a whole string in base 10, in base 16 with or without "0x", or (0) as in C. */
static bool parse_u64(const char *s, unsigned base, u64 *v)
{
	bool hex = base != 10 && s[0] == '0' && (s[1] == 'x' || s[1] == 'X');

	if (!base)
		base = hex ? 16 : *s == '0' ? 8 : 10;
	s += hex ? 2 : 0;
	return scan_number(&s, NULL, base, UINT64_MAX, v) && !*s;
}

/* Parses a whole string as a number from 0 to below 1e15. */
static bool parse_double(const char *s, double *v)
{
	char *end;

	if (!isdigit((u8)*s) && *s != '.')
		return false;
	*v = strtod(s, &end);
	return end != s && !*end && *v >= 0 && *v < 1e15;
}

/* Returns the text after the prefix, or NULL if it does not begin with the prefix. */
static const char *text_after(const char *s, const char *prefix)
{
	size_t n = strlen(prefix);

	return strncmp(s, prefix, n) ? NULL : s + n;
}

static bool is_word(const char *s, size_t n, const char *word)
{
	return strlen(word) == n && !memcmp(s, word, n);
}

/* The index of a word in a list of n words, or -1. */
static int find_word(const char *word, const char *const *words, int n)
{
	while (--n >= 0 && strcmp(words[n], word))
		;
	return n;
}

/* Truncates the text, if any, at its first newline. */
static char *first_line(char *s)
{
	if (s)
		s[strcspn(s, "\n")] = '\0';
	return s;
}

/* ======================================================================== *
 * 2. LIVE
 *
 * Opens and reads files and MSR devices, drops rights, replaces files, waits, reads clocks.
 * Owns the struct S, with sections 3 and 4.  Only these call functions named live_*.  Functions
 * that return an int return 0 or -errno, unless their comment says otherwise.
 * Invariant: every descriptor is close-on-exec.
 * ======================================================================== */

#define NS_PER_S	1000000000ll
#define SYS_CPU		"/sys/devices/system/cpu/"
#define PERF_DEVICES	"/sys/bus/event_source/devices/"

enum mode { ALL_MODES, USER_MODE, KERNEL_MODE };	/* the modes that an event counts */

struct event {			/* one perf event, after its format was decoded */
	const char *pmu;	/* name below event_source/devices, or one of perf_types[] */
	u32 type;		/* perf_event_attr.type */
	u64 config[4];		/* config, config1, config2, config3 */
	enum mode mode;
};

enum { MAX_GROUP = 12, USUAL_GROUP = 4 };	/* events in one perf group */

struct times { i64 real, mono; };	/* ns: CLOCK_REALTIME and CLOCK_MONOTONIC */

struct sample_times {		/* the clocks of one sample, in nanoseconds */
	i64 begin;		/* CLOCK_MONOTONIC at the start of the collection */
	struct times end;	/* at its end */
	i64 boot;		/* CLOCK_BOOTTIME at its end: a suspend shows in it */
};

struct perf_value { u64 count, enabled, running; };

struct names {			/* entries of a directory, sorted */
	char **name;
	size_t n;
};

/* Kinds of lines of a recording, and what replay_next() has read. */
enum kind {
	K_DONE,			/* ends a part */
	K_ANSWER,
	K_STATIC, K_PLAN, K_SAMPLE, K_TICK,	/* begins a part; the whole part was read */
	K_MARK, K_RUN, K_END,
	K_BEGIN,		/* the first line of a sample was read */
	K_NOTHING,
};

struct answer {			/* the newest answer to a question */
	u64 question;		/* a hash; 0 = none */
	u64 line : 47;
	u64 listed : 1;		/* this file's directory has its name */
	u64 err : 16;		/* an errno, or 0 and the text */
	struct buf text;	/* texts without their quotes, each with a NUL */
};

struct command_run {
	unsigned number;	/* 1, 2, ...; 0 = its times and memory are not known */
	int status;		/* as an exit code */
	i64 user, sys;		/* CPU time, ns */
	u64 maxrss;		/* KiB, 0 = not known */
	bool in_part;		/* it was measured for a part of its time */
};

struct cursor {			/* what is left of a line, or of an answer */
	const char *p, *end;
	u64 line;
	int err;		/* 0, or the answer as -errno */
};

struct replay {
	const char *name;	/* of the file, for messages; NULL: nothing is replayed */
	int fd;
	struct buf text;	/* bytes that were read; those before "at" are parsed */
	size_t at, searched;	/* where parsing goes on; bytes from there without a newline */
	bool is_over;		/* the end of the file was read */
	u64 bytes, line;	/* read; parsed */
	enum kind part, last;	/* the current part, K_DONE: between parts; the newest one */
	unsigned parts_read;		/* a bit for each kind of part or of line between parts */
	u32 samples, runs;
	struct answer *answer;	/* a hash table */
	u32 n, mask;		/* its answers; its places - 1 */
	u64 seed;		/* of the hashes: secret, so that nobody can prepare collisions */
	u64 begin;		/* the line of the newest sample, or of the plan before it */
	struct sample_times now;	/* its clocks */
	i64 earliest;		/* CLOCK_MONOTONIC: no CPU was read before */
	struct cursor mark;	/* the newest mark, until more is read */
	struct command_run run;	/* the newest run */
	u64 laid_out;		/* CPUs, in all new layouts */
	bool has_events;	/* some perf event was read */
};

static struct sources {
	bool replays, records;	/* a recording answers; answers are recorded, shown or not */
	struct replay r;
	struct buf scratch;		/* the text that src_whole returns */
	/* live */
	int cpu;			/* the CPU that we run on, -1 = any */
	bool stays;			/* src_go() does not move */
	struct cpuset refused;		/* CPUs whose newest recorded move was refused */
	struct cpuset asked;		/* to move there, in the part that is recorded */
	struct cpuset home;		/* our affinity before the first move */
	rlim_t most_descriptors;	/* the soft limit; 0 = none */
	struct sigaction file_limit;	/* the user's action for SIGXFSZ */
	struct { int first, n; } batch;	/* consecutive descriptors to close; n = -1: no batch */
	int msr_fd[MAX_CPU];		/* by CPU: the descriptor + 1, 0 = not open */
	/* the recorder */
	int record_fd;
	const char *record_name;	/* NULL: none is open */
	struct buf record, parts; /* not written yet: records; complete parts before them */
	unsigned samples, runs;		/* taken so far; recorded so far */
} S = { .cpu = -1, .batch.n = -1 };

/* Names of errors, as recordings write them; the others become EIO. */
#define ERROR(name)	[name] = #name
static const char *const errnames[] = {
	ERROR(EPERM), ERROR(ENOENT), ERROR(ESRCH), ERROR(EINTR), ERROR(EIO), ERROR(ENXIO),
	ERROR(E2BIG), ERROR(EBADF), ERROR(EAGAIN), ERROR(ENOMEM), ERROR(EACCES), ERROR(EFAULT),
	ERROR(EBUSY), ERROR(EEXIST), ERROR(EXDEV), ERROR(ENODEV), ERROR(ENOTDIR), ERROR(EISDIR),
	ERROR(EINVAL), ERROR(ENFILE), ERROR(EMFILE), ERROR(ENOTTY), ERROR(EFBIG), ERROR(ENOSPC),
	ERROR(ESPIPE), ERROR(EROFS), ERROR(EPIPE), ERROR(EDOM), ERROR(ERANGE), ERROR(EDEADLK),
	ERROR(ENAMETOOLONG), ERROR(ENOSYS), ERROR(ELOOP), ERROR(ENODATA), ERROR(ETIME),
	ERROR(EPROTO), ERROR(EBADMSG), ERROR(EOVERFLOW), ERROR(EOPNOTSUPP), ERROR(ESHUTDOWN),
	ERROR(ETIMEDOUT), ERROR(ESTALE), ERROR(EREMOTEIO), ERROR(ENOMEDIUM), ERROR(ECANCELED),
};

/* --- live: files --- */

/* Raises the soft limit of descriptors to the hard one; as root, both to fs.nr_open's default. */
static void src_raise_limit(void)
{
	struct rlimit lim, most = { 1 << 20, 1 << 20 };

	if (getrlimit(RLIMIT_NOFILE, &lim))
		return;
	if (lim.rlim_max >= most.rlim_max || setrlimit(RLIMIT_NOFILE, &most)) {
		lim.rlim_cur = lim.rlim_max;
		setrlimit(RLIMIT_NOFILE, &lim);
	}
	S.most_descriptors = getrlimit(RLIMIT_NOFILE, &lim) ? 0 : lim.rlim_cur;
}

/* Returns a descriptor to keep.  The last ones stay free for files that we read once: -EMFILE. */
static int keep_descriptor(int fd)
{
	enum { SPARE = 8 };

	if (fd < 0 || !S.most_descriptors || (rlim_t)fd + SPARE < S.most_descriptors)
		return fd;
	close(fd);
	return -EMFILE;
}

/* Closes the batch with one call (Linux 5.9); false: it was empty.  on: begins another batch. */
static bool src_batch(bool on)
{
	int first = S.batch.first, n = S.batch.n;

	S.batch.n = on ? 0 : -1;
	if (n > 0 && syscall(SYS_close_range, first, first + n - 1, 0))
		for (int fd = first; fd < first + n; fd++)
			close(fd);
	return n > 0;
}

/* Closes a file, or adds it to the batch. */
static void close_read(int fd)
{
	if (S.batch.n == 32 || (S.batch.n > 0 && fd != S.batch.first + S.batch.n))
		src_batch(true);
	if (S.batch.n < 0)
		close(fd);
	else if (!S.batch.n++)
		S.batch.first = fd;
}

/* Returns a descriptor, or -errno. */
static int live_open(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);

	if (fd < 0 && errno == EMFILE && src_batch(S.batch.n >= 0))
		return live_open(path);
	return fd < 0 ? -errno : fd;
}

/* If fd 0, 1 or 2 is closed, open /dev/null there so that no later file gets that number. */
static void guard_standard_descriptors(void)
{
	for (int fd = 0; fd < 3; fd++) {
		if (fcntl(fd, F_GETFD) >= 0)
			continue;
		if (errno != EBADF)
			die("fcntl: %s", strerror(errno));
		if (open("/dev/null", O_RDONLY | O_CLOEXEC) < 0)
			die("/dev/null: %s", strerror(errno));
	}
}

/* Makes a write beyond the limit of file sizes (ulimit -f) fail with EFBIG, as a full disk does. */
static void ignore_file_limit(void)
{
	struct sigaction ignore = { .sa_handler = SIG_IGN };

	sigaction(SIGXFSZ, &ignore, &S.file_limit);
}

/* Gives a child the user's action: what is ignored stays so through exec. */
static void restore_file_limit(void)
{
	sigaction(SIGXFSZ, &S.file_limit, NULL);
}

/* Do the real, the effective and the saved id differ? */
static bool ids_differ(const id_t id[3])
{
	return id[0] != id[1] || id[1] != id[2];
}

/* Reads the real, effective and saved ids. */
static void own_ids(uid_t uid[3], gid_t gid[3])
{
	if (getresuid(&uid[0], &uid[1], &uid[2]))
		die("getresuid: %s", strerror(errno));
	if (getresgid(&gid[0], &gid[1], &gid[2]))
		die("getresgid: %s", strerror(errno));
}

/*
 * Drops to the rights of the user who runs the program, or restores those of its start.  In a user
 * namespace without an id map the kernel refuses to set ids, even to what they are.
 */
static void use_rights(bool of_user)
{
	struct __user_cap_header_struct head = { _LINUX_CAPABILITY_VERSION_3, 0 };
	struct __user_cap_data_struct caps[2];
	uid_t uid[3];		/* real, effective, saved */
	gid_t gid[3];

	own_ids(uid, gid);
	if (ids_differ(gid) && setegid(gid[of_user ? 0 : 2]))
		die("cannot change the effective group: setegid: %s", strerror(errno));
	if (ids_differ(uid) && seteuid(uid[of_user ? 0 : 2]))
		die("cannot change the effective user: seteuid: %s", strerror(errno));
	if (!getuid() || syscall(SYS_capget, &head, caps))
		return;
	for (int i = 0; i < 2; i++)
		caps[i].effective = of_user ? 0 : caps[i].permitted;
	syscall(SYS_capset, &head, caps);
}

/* Gives up the rights of a setuid or setgid binary for good.  Returns the call that failed. */
static const char *give_up_rights(void)
{
	uid_t uid[3];
	gid_t gid[3];

	own_ids(uid, gid);
	if (ids_differ(gid) && setresgid(gid[0], gid[0], gid[0]))
		return "setresgid";
	if (ids_differ(uid) && setresuid(uid[0], uid[0], uid[0]))
		return "setresuid";
	return NULL;
}

/* Opens or creates a file with no more rights than the user has.  A descriptor, or -errno. */
static int open_as_user(const char *path, int flags)
{
	int fd;

	use_rights(true);
	fd = open(path, flags | O_CLOEXEC | O_NOCTTY, 0666);
	if (fd < 0)
		fd = -errno;
	use_rights(false);
	return fd;
}

/* Writes n bytes, and waits where the descriptor does not block.  Returns 0 or -errno. */
static int write_all(int fd, const char *s, size_t n)
{
	struct pollfd out = { .fd = fd, .events = POLLOUT };

	while (n) {
		ssize_t k = write(fd, s, n);

		if (k < 0 && errno == EAGAIN)
			ppoll(&out, 1, NULL, NULL);
		else if (k < 0 && errno != EINTR)
			return -errno;
		s += k > 0 ? k : 0;
		n -= k > 0 ? (size_t)k : 0;
	}
	return 0;
}

/*
 * Replaces a file atomically by a new one with a random name next to it, so that we never open an
 * existing file.  A file of the user's keeps its mode and group, unless it has a second link:
 * anybody can link a file that anybody may write.  rename(2) replaces a symbolic link.
 */
static int src_replace(const char *path, const char *text, size_t n)
{
	const char *slash = strrchr(path, '/');
	char *name SCOPED(ptr) = textf("%.*s.turbostat-XXXXXX",
				       slash ? (int)(slash + 1 - path) : 0, path);
	mode_t mask = umask(0), mode = 0666 & ~mask;
	struct stat old;
	int fd, err;

	umask(mask);
	use_rights(true);
	fd = mkostemp(name, O_CLOEXEC);
	err = fd < 0 ? -errno : write_all(fd, text, n);
	if (!lstat(path, &old) && S_ISREG(old.st_mode) && old.st_uid == getuid() &&
	    old.st_nlink == 1) {
		mode = old.st_mode & 0777;
		if (fchown(fd, (uid_t)-1, old.st_gid))
			mode &= ~070u | (mode & 7) << 3;	/* of another group */
	}
	if (!err && fchmod(fd, mode))
		err = -errno;
	if (fd >= 0 && close(fd) && !err)
		err = -errno;
	if (!err && rename(name, path))
		err = -errno;
	if (err && fd >= 0)
		unlink(name);
	use_rights(false);
	return err;
}

static size_t smaller(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* Reads once, at an offset; -1: at the file's own.  Returns the number of bytes or -errno. */
static ssize_t src_read(int fd, void *p, size_t n, off_t offset)
{
	ssize_t got;

	do {
		got = offset < 0 ? read(fd, p, n) : pread(fd, p, n, offset);
	} while (got < 0 && errno == EINTR);
	return got < 0 ? -errno : got;
}

/* Reads 64 bits.  Returns 0 or -errno; -EIO: there are fewer. */
static int live_read_u64(int fd, u32 offset, u64 *v)
{
	ssize_t n = fd < 0 ? fd : src_read(fd, v, sizeof(*v), offset);

	return n == sizeof(*v) ? 0 : n < 0 ? (int)n : -EIO;
}

/* Appends at most this many bytes of a file; returns what src_read() returns. */
static ssize_t src_append(int fd, struct buf *b, size_t most, off_t offset)
{
	ssize_t n;

	buf_reserve(b, most);
	n = src_read(fd, b->p + b->len, most, offset);
	b->len += n > 0 ? (size_t)n : 0;
	b->p[b->len] = '\0';
	return n;
}

static void free_names(struct names *l)
{
	while (l->n)
		free(l->name[--l->n]);
	free(l->name);
	l->name = NULL;
}

/* For qsort; digits compare as numbers: hwmon2 < hwmon10. */
static int by_name(const void *a, const void *b)
{
	return strverscmp(*(char *const *)a, *(char *const *)b);
}

/* --- live: MSR devices, processes, clocks --- */

/* Opens a CPU's MSR device, at Linux's path or Android's, and keeps it open. */
static int src_open_msr(int cpu)
{
	int fd = S.msr_fd[cpu] - 1;

	if (fd >= 0)
		return fd;
	fd = live_open(pathf("/dev/cpu/%d/msr", cpu));
	if (fd == -ENOENT)
		fd = live_open(pathf("/dev/msr%d", cpu));
	fd = keep_descriptor(fd);
	if (fd >= 0)
		S.msr_fd[cpu] = fd + 1;
	return fd;
}

/* Runs modprobe.  The next attempt to open a device shows whether it worked. */
static void load_msr_driver(void)
{
	static char *const environment[] = { NULL };	/* MODPROBE_OPTIONS is the caller's */
	pid_t pid = fork();

	if (pid == 0) {
		int null = open("/dev/null", O_RDWR | O_CLOEXEC);

		dup2(null, 1);
		dup2(null, 2);
		restore_file_limit();
		execle("/sbin/modprobe", "modprobe", "msr", (char *)NULL, environment);
		_exit(127);
	}
	while (pid > 0 && waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
}

/* Returns the program's own path, quoted for a shell if necessary. */
static const char *src_own_path(void)
{
	static const char plain[] = "/._-+:@%,=0123456789abcdefghijklmnopqrstuvwxyz"
				    "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
	static char quoted[PATH_MAX + 3];
	char path[PATH_MAX] = "";

	if (readlink("/proc/self/exe", path, sizeof(path) - 1) <= 0 || strchr(path, '\''))
		return "turbostat";
	snprintf(quoted, sizeof(quoted), path[strspn(path, plain)] ? "'%s'" : "%s", path);
	return quoted;
}

/* Returns a descriptor that is readable when the process has ended, or -errno. */
static int src_process(int pid)
{
	int fd = (int)syscall(SYS_pidfd_open, pid, 0);

	return fd < 0 ? -errno : fd;
}

/* Adds the threads of a process that are not in the list yet. */
static void src_threads(u64 pid, int **list, size_t *n)
{
	DIR *d = opendir(pathf("/proc/%llu/task", pid));
	size_t old = *n;

	for (struct dirent *e; d && (e = readdir(d));) {
		int tid = atoi(e->d_name);
		bool is_new = tid > 0;

		for (size_t i = 0; i < old; i++)
			if ((*list)[i] == tid)
				is_new = false;
		if (is_new)
			*append(*list, *n) = tid;
	}
	if (d)
		closedir(d);
}

/* Returns a clock in nanoseconds. */
static i64 live_clock(clockid_t id)
{
	struct timespec t = { 0, 0 };

	clock_gettime(id, &t);
	return (i64)t.tv_sec * NS_PER_S + t.tv_nsec;
}

/* Calls ppoll(2) with a timeout in ns; a negative one is 0.  let_in: its signal mask, or NULL. */
static int src_wait(struct pollfd *fds, nfds_t n, i64 ns, const sigset_t *let_in)
{
	struct timespec t = { (time_t)(ns / NS_PER_S), (long)(ns % NS_PER_S) }, now = { 0, 0 };

	return ppoll(fds, n, ns > 0 ? &t : &now, let_in);
}

/* ======================================================================== *
 * 3. RECORDING
 *
 * Replays a recording; turbostat(8) describes the format, SOURCES writes it.  A replay is a stream:
 * memory holds the newest answer to each question under the hash of the question.  A line's
 * keyword, quotes and place are checked when it is read, numbers when somebody asks for them.
 * Invariant: no answer is trusted beyond its syntax.
 * ======================================================================== */

/* --- replay: fields, the store --- */

#define MAGIC	"turbostat-recording "	/* the first line, before the version */
enum { RECORDING_FORMAT = 3, LONGEST_RECORD = 1 << 28 };	/* of the format; bytes of a line */
/*
 * The most answers, including one per directory: 20 times what 8192 CPUs need.  They may not
 * outnumber the bytes read / 8, with some to spare, as an answer takes 120 to 160 bytes of memory,
 * and no line is shorter than 8 bytes.
 */
enum { MOST_ANSWERS = 1 << 24, BYTES_OF_ANSWER = 8, SPARE_ANSWERS = 4096 };

static const struct keyword {
	const char *word;
	enum kind kind;
	int fields;		/* of the question, after the keyword */
	enum { VALUES, TEXT, TEXTS } answer;	/* numbers, a text in quotes, or several */
} keywords[] = {
	{ "msr", K_ANSWER, 2 }, { "file", K_ANSWER, 1, TEXT }, { "perf", K_ANSWER, 3 },
	{ "clock", K_ANSWER, 1 }, { "tsc", K_ANSWER, 1 }, { "cpuid", K_ANSWER, 3 },
	{ "dir", K_ANSWER, 1, TEXTS }, { "word", K_ANSWER, 2 }, { "cpu", K_ANSWER, 1 },
	{ "command", K_ANSWER, 0, TEXTS }, { "control", K_ANSWER }, { "repeat", K_ANSWER },
	{ "idle", K_ANSWER }, { "step", K_ANSWER, 1 },
	{ "done", K_DONE }, { "sample", K_SAMPLE }, { "plan", K_PLAN }, { "tick", K_TICK },
	{ "mark", K_MARK }, { "run", K_RUN }, { "static", K_STATIC }, { "end", K_END },
};

/* Exits with status 1: a line of the recording is wrong. */
static __attribute__((noreturn)) void bad_record(const struct cursor *c, const char *what)
{
	die("%s:%llu: %s", S.r.name, c->line, what);
}

/* Returns the next field of a line; one blank separates fields. */
static const char *next_field(struct cursor *c, size_t *n, const char *what)
{
	const char *s = c->p, *blank = memchr(s, ' ', (size_t)(c->end - s));

	*n = (size_t)((blank ? blank : c->end) - s);
	if (!*n || (blank && blank + 1 == c->end))
		bad_record(c, what);
	c->p = blank ? blank + 1 : c->end;
	return s;
}

/* Parses a field: a number in base 10 or 16, at most max. */
static u64 number_field(struct cursor *c, unsigned base, u64 max, const char *what)
{
	size_t n;
	const char *s = next_field(c, &n, what), *end = s + n;
	u64 v;

	if (!scan_number(&s, end, base, max, &v) || s != end)
		bad_record(c, what);
	return v;
}

/* Parses a time in seconds with 6 or 9 decimals; returns nanoseconds. */
static i64 time_field(struct cursor *c, int decimals)
{
	size_t n;
	const char *s = next_field(c, &n, "a time is missing"), *end = s + n;
	u64 sec, ns;

	if (!scan_number(&s, end, 10, 9000000000, &sec) || end - s != decimals + 1 ||
	    *s++ != '.' || !scan_number(&s, end, 10, 999999999, &ns) || s != end)
		bad_record(c, decimals == 6 ? "bad time, expected SECONDS.MICROSECONDS"
					    : "bad time, expected SECONDS.NANOSECONDS");
	return (i64)sec * NS_PER_S + (i64)ns * (decimals == 6 ? 1000 : 1);
}

/* Ends the program unless the line ends here. */
static void end_of_line(const struct cursor *c)
{
	if (c->p < c->end)
		bad_record(c, "something follows the record");
}

/* Appends the contents of a text in quotes, and a NUL. */
static void quoted_field(struct cursor *c, struct buf *b)
{
	static const char letters[] = "ntr\\\"", bytes[] = "\n\t\r\\\"";
	const char *s = c->p;

	if (c->p == c->end || *s++ != '"')
		bad_record(c, "expected a quoted text");
	buf_reserve(b, (size_t)(c->end - s));
	for (; s < c->end && *s != '"'; s++) {
		const char *letter = *s == '\\' && s + 1 < c->end ? memchr(letters, s[1], 5) : NULL;
		char ch = letter ? bytes[letter - letters] : *s;

		if (letter) {
			s++;
		} else if (ch == '\\') {
			if (c->end - s < 4 || s[1] != 'x' || digit_value(s[2], 16) < 0 ||
			    digit_value(s[3], 16) < 0)
				bad_record(c, "bad escape in a text");
			ch = (char)(digit_value(s[2], 16) * 16 + digit_value(s[3], 16));
			s += 3;
		}
		b->p[b->len++] = ch;
	}
	if (s == c->end)
		bad_record(c, "the text has no closing quote");
	b->p[b->len++] = '\0';
	c->p = s + 1;
}

/* Returns the place of the answer to the question with this hash. */
static struct answer *place_of(u64 question)
{
	u32 i = (u32)(question * 0x9e3779b97f4a7c15ull >> 32) & S.r.mask;

	while (S.r.answer[i].question && S.r.answer[i].question != question)
		i = (i + 1) & S.r.mask;
	return &S.r.answer[i];
}

/* Returns the answer to a question, a new and empty one if there was none. */
static struct answer *open_answer(u64 question, const struct cursor *c)
{
	struct replay *r = &S.r;
	struct answer *a = place_of(question), *old = r->answer;

	if (!a->question && r->n >= r->bytes / BYTES_OF_ANSWER + SPARE_ANSWERS)
		bad_record(c, "too many directories");
	if (!a->question && ++r->n > r->mask / 4 * 3) {
		r->mask = 2 * r->mask + 1;
		r->answer = zeroed(r->mask + 1, sizeof(*a));
		for (u32 i = 0; i <= r->mask / 2; i++)
			*place_of(old[i].question) = old[i];
		free(old);
		a = place_of(question);
	}
	if (r->n > MOST_ANSWERS)
		bad_record(c, "the recording has too many answers");
	a->question = question;
	a->line = c->line;
	buf_reserve(&a->text, 1);
	return a;
}

/* Adds a path's name to the entries of its directory; new directories are added likewise. */
static void list_path(const char *path, const char *end, const struct cursor *c)
{
	u64 dir = hash_bytes("dir ", 4, S.r.seed);

	for (const char *s = path, *next; s < end; s = next) {
		u64 below;

		next = memchr(s + 1, '/', (size_t)(end - s - 1)) ?: end;
		below = hash_bytes(s, (size_t)(next - s), dir);
		if (next == end || !place_of(below)->question) {
			struct answer *a = open_answer(dir, c);

			a->err = 0;
			buf_add(&a->text, s + 1, (size_t)(next - s - 1));
			buf_add(&a->text, "", 1);
		}
		dir = below;
	}
}

/* --- replay: parts --- */

/* Ends the program if the first line is not that of a recording of our version. */
static void check_first_line(const struct cursor *c)
{
	const char *digits = text_after(c->p, MAGIC);
	u64 version;

	if (text_after(c->p, "\x1f\x8b"))
		die("%s: this is gzip: zcat FILE | turbostat --replay -", S.r.name);
	if (!digits || *digits == '0' ||
	    !scan_number(&digits, c->end, 10, UINT32_MAX, &version) || digits != c->end)
		bad_record(c, "not a recording: the first line must be '" MAGIC "3'");
	if (version < RECORDING_FORMAT)
		die("%s:1: a recording of version %llu; convert it to version 3 with "
		    "tests/convert.sh OLD > NEW from the source of turbostat",
		    S.r.name, version);
	if (version > RECORDING_FORMAT)
		bad_record(c, "this recording was made by a newer version of the program");
}

/* Ends the program if a line of this kind must not stand here. */
static void check_order(enum kind kind, const struct cursor *c)
{
	bool within = kind == K_ANSWER || kind == K_DONE, planned = S.r.parts_read >> K_PLAN & 1;

	if (within != (S.r.part != K_DONE))
		bad_record(c, within ? "this line is in no part"
				     : "the part before this line has no 'done'");
	if (within)
		return;
	if ((kind == K_STATIC) != !S.r.parts_read || (kind == K_TICK && !S.r.samples) ||
	    (!planned && kind != K_STATIC && kind != K_PLAN && kind != K_END))
		bad_record(c, "the order of parts is static, plan, sample 0");
	if (kind == K_PLAN ? S.r.samples > 0 : kind == K_SAMPLE && S.r.last != K_PLAN)
		S.r.begin = c->line;
	S.r.last = kind;
	S.r.parts_read |= 1u << kind;
}

/* KEYWORD QUESTION... ANSWER: stores the answer under the hash of the question. */
static void store_answer(const struct keyword *k, const char *line, size_t n, struct cursor c)
{
	const char *end = line + n, *path = text_after(line, "file ");
	bool has_path = path || text_after(line, "dir ") || text_after(line, "word ");
	struct answer *a;

	for (int i = 0; i < k->fields; i++) {
		end = next_field(&c, &n, "the question is not complete") + n;
		if (has_path && n >= PATH_MAX)
			bad_record(&c, "a path is too long");
	}
	if (c.p == c.end && strcmp(k->word, "control") && strcmp(k->word, "dir"))
		bad_record(&c, "the answer is missing");
	a = open_answer(hash_bytes(line, (size_t)(end - line), S.r.seed), &c);
	a->err = 0;
	buf_clear(&a->text);
	if (c.p < c.end && *c.p == '!') {
		n = (size_t)(c.end - ++c.p);
		for (u64 err = 0; err < ARRAY_SIZE(errnames); err++)
			if (errnames[err] && is_word(c.p, n, errnames[err]))
				a->err = err;
		if (!a->err)
			bad_record(&c, "unknown error name");
	} else if (k->answer == VALUES) {
		buf_add(&a->text, c.p, (size_t)(c.end - c.p));
		S.r.has_events |= text_after(line, "perf ") != NULL;
	} else {
		for (; c.p < c.end; c.p++) {
			quoted_field(&c, &a->text);
			if (c.p < c.end && (*c.p != ' ' || k->answer == TEXT))
				bad_record(&c, "something follows the text");
		}
	}
	if (path && !a->listed && a->err != ENOENT) {
		a->listed = true;
		list_path(path, end, &c);
	}
}

/* sample N WALL MONO [BEGIN [BOOT]] */
static void parse_sample_line(struct cursor *c)
{
	struct sample_times *t = &S.r.now;
	i64 last = t->end.mono;

	if (number_field(c, 10, UINT32_MAX, "bad sample number") != S.r.samples++)
		bad_record(c, "samples are not numbered 0, 1, 2, ...");
	t->end.real = time_field(c, 9);
	t->end.mono = time_field(c, 9);
	t->begin = t->end.mono;
	S.r.earliest = last;
	if (c->p < c->end)
		t->begin = S.r.earliest = time_field(c, 9);
	if (t->begin < last || t->begin > t->end.mono)	/* the wall clock may be set back */
		bad_record(c, "the time goes back");
	t->boot = c->p == c->end ? t->end.mono : time_field(c, 9);
}

/* run K STATUS [USER SYS MAXRSS [part]] */
static void parse_run_line(struct cursor *c)
{
	u64 number = number_field(c, 10, UINT32_MAX, "bad number of a run");
	struct command_run run = { .number = number ? ++S.r.runs : 0 };	/* 0: of --idle */

	if (number != run.number)
		bad_record(c, "runs are not numbered 1, 2, 3, ...");
	run.status = (int)number_field(c, 10, 255, "bad exit status");
	if (c->p == c->end) {
		run.number = 0;	/* what it used is not known */
	} else {
		run.user = time_field(c, 6);
		run.sys = time_field(c, 6);
		run.maxrss = number_field(c, 10, UINT64_MAX, "bad size");
		run.in_part = is_word(c->p, (size_t)(c->end - c->p), "part");
		if (run.in_part)
			c->p = c->end;
	}
	S.r.run = run;
}

/* Parses a line.  Returns what is complete now, or K_NOTHING. */
static enum kind parse_line(struct cursor c)
{
	struct replay *r = &S.r;
	const struct keyword *k = keywords, *last = keywords + ARRAY_SIZE(keywords);
	enum kind part = r->part;
	const char *line;
	size_t n;

	if (c.p == c.end || *c.p == '#' || text_after(c.p, "x-"))
		return K_NOTHING;
	line = next_field(&c, &n, "expected a keyword");
	while (k < last && !is_word(line, n, k->word))
		k++;
	if (k == last)
		die("%s:%llu: unknown keyword '%.*s'", r->name, c.line, n > 40 ? 40 : (int)n, line);
	check_order(k->kind, &c);
	if (k->kind == K_ANSWER) {
		store_answer(k, line, n, c);
		return K_NOTHING;
	}
	if (k->kind == K_MARK) {
		r->mark = c;
		return K_MARK;
	}
	if (k->kind == K_SAMPLE)
		parse_sample_line(&c);
	if (k->kind == K_RUN)
		parse_run_line(&c);
	end_of_line(&c);
	if (k->kind == K_RUN || k->kind == K_END)
		return k->kind;
	r->part = k->kind;
	return k->kind == K_DONE ? part : k->kind == K_SAMPLE ? K_BEGIN : K_NOTHING;
}

/* Reads more of the recording. */
static void replay_read(void)
{
	struct replay *r = &S.r;
	ssize_t n;

	r->text.len -= r->at;
	memmove(r->text.p, r->text.p + r->at, r->text.len);
	r->at = 0;
	n = src_append(r->fd, &r->text, 1 << 16, -1);
	if (n < 0 && n != -EAGAIN)
		die("%s: %s", r->name, strerror((int)-n));
	r->is_over = !n;
	r->bytes += n > 0 ? (u64)n : 0;
	if (r->is_over && !r->bytes)
		die("%s:1: the recording is empty", r->name);
}

/* Parses up to what the caller must know of (enum kind).  K_NOTHING: it must read more first. */
static enum kind replay_next(void)
{
	struct replay *r = &S.r;
	enum kind kind = K_NOTHING;

	while (kind == K_NOTHING && !(r->parts_read >> K_END & 1)) {
		const char *s = r->text.p + r->at, *end = r->text.p + r->text.len;
		const char *nl = memchr(s + r->searched, '\n', (size_t)(end - s) - r->searched);
		struct cursor c = { s, nl ? nl : end, r->line + 1, 0 };

		if (nl && nl > s && nl[-1] == '\r')
			c.end--;
		if (!r->line && (nl || r->is_over || (size_t)(end - s) > sizeof(MAGIC) + 8))
			check_first_line(&c);
		r->searched = nl ? 0 : (size_t)(end - s);
		if (r->searched >= LONGEST_RECORD)
			bad_record(&c, "the line is too long");
		if (!nl && !(r->is_over && is_word(s, r->searched, "end")))
			break;		/* not complete */
		r->at = nl ? (size_t)(nl + 1 - r->text.p) : r->text.len;
		if (r->line++)
			kind = parse_line(c);
	}
	if (kind != K_NOTHING)
		return kind;
	if (r->is_over && r->parts_read >> K_SAMPLE & 1 && !(r->parts_read >> K_END & 1))
		note(0, "%s: the recording was not closed; its complete samples are used", r->name);
	return r->is_over || r->parts_read >> K_END & 1 ? K_END : K_NOTHING;
}

/* --- replay: answering --- */

/* Formats a question for a recording; the next call overwrites it.  Without a recording: "". */
static PRINTF(1, 2) const char *question(const char *fmt, ...)
{
	static char text[PATH_MAX + 32];
	va_list ap;

	if (!S.replays && !S.records)
		return "";
	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	return text;
}

/* Returns the newest answer to a question, or an error: absent if there is no answer. */
static struct cursor find_answer(int absent, const char *text)
{
	const struct answer *a = place_of(hash_bytes(text, strlen(text), S.r.seed));

	if (!a->question)
		return (struct cursor){ .err = -absent };
	return (struct cursor){ a->text.p, a->text.p + a->text.len, a->line, -(int)a->err };
}

/* Returns 0, or the -errno with which moving to a CPU failed when this was recorded. */
static int replay_go(int cpu)
{
	return S.stays ? 0 : find_answer(0, question("cpu %d", cpu)).err;
}

/* Likewise; -ENXIO if the answer is of an earlier part and this CPU (or NONE) now refuses us. */
static struct cursor find_cpu_answer(int cpu, int absent, const char *text)
{
	struct cursor c = find_answer(absent, text);

	if (c.line < S.r.begin && replay_go(cpu))
		c.err = -ENXIO;
	return c;
}

/* Reads the number that answers a question.  Returns 0 or -errno: -absent without an answer. */
static int replay_number(int cpu, int absent, const char *text, unsigned base, u64 *v)
{
	struct cursor c = find_cpu_answer(cpu, absent, text);

	*v = c.err ? 0 : number_field(&c, base, UINT64_MAX, "bad value");
	if (!c.err)
		end_of_line(&c);
	return c.err;
}

/* Returns the texts of an answer, with NULL behind them. */
static struct names replay_words(const char *text, int *err)
{
	struct cursor c = find_answer(ENOENT, text);
	struct names l = { 0 };

	for (; c.p < c.end; c.p += strlen(c.p) + 1)
		*append(l.name, l.n) = textf("%s", c.p);
	l.name = room(l.name, l.n, sizeof(*l.name));
	l.name[l.n] = NULL;
	*err = c.err;
	return l;
}

/* Formats the question for an event of a CPU or (NONE) a task, without configs at its end of 0. */
static const char *perf_question(int cpu, const struct event *e)
{
	static const char *const modes[] = { "", ":u", ":k" };
	char config[4 * 17];
	int n = sprintf(config, "%llx,%llx,%llx,%llx", e->config[0], e->config[1], e->config[2],
			e->config[3]);

	while (n > 2 && !strcmp(&config[n - 2], ",0"))
		config[n -= 2] = '\0';
	if (cpu == NONE)
		return question("perf task %s%s %s", e->pmu, modes[e->mode], config);
	return question("perf %d %s%s %s", cpu, e->pmu, modes[e->mode], config);
}

/*
 * Answers with the value of a perf event.  The live program may have read it late, but it opened a
 * dead event anew, in the sample that is replayed.  So if the enabled time does not grow over `was`
 * ns, its value at the last reading, or is below NEW, the event was dead: -ENODEV.  Nothing is
 * judged if checks is false.
 */
static int replay_perf(int cpu, const struct event *e, u64 was, bool checks, struct perf_value *v)
{
	enum { NEW = 1000000 };		/* ns */
	struct cursor c = find_answer(ENOENT, perf_question(cpu, e));

	if (c.err)
		return c.err;
	*v = (struct perf_value){ .count = number_field(&c, 10, UINT64_MAX, "bad perf value") };
	if (c.p == c.end)
		return 0;
	v->enabled = number_field(&c, 10, UINT64_MAX, "bad perf time");
	v->running = number_field(&c, 10, UINT64_MAX, "bad perf time");
	end_of_line(&c);
	return checks && v->enabled && (v->enabled <= was || v->enabled < NEW) ? -ENODEV : 0;
}

/* Opens a recording, and reads it up to its first sample. */
static void replay_open(int fd, const char *name)
{
	struct pollfd come = { .fd = fd, .events = POLLIN };
	enum kind kind;

	S.r = (struct replay){ name, fd, .mask = 63, .answer = zeroed(64, sizeof(*S.r.answer)) };
	S.r.seed = (u64)live_clock(CLOCK_REALTIME) * 0x9e3779b97f4a7c15ull;
	S.replays = true;
	buf_reserve(&S.r.text, 1);
	while ((kind = replay_next()) != K_PLAN && kind != K_END)
		if (kind == K_NOTHING && poll(&come, 1, -1))
			replay_read();
}

/*
 * Counts the CPUs of new layouts, which cost 5 us for each CPU.  Ends the program if the CPUs of a
 * recording come and go too often for its size: an honest sample has 50 bytes and more for each.
 */
static void src_lay_out(int n)
{
	S.r.laid_out += (u64)n;
	if (S.replays && S.r.laid_out > (1 << 19) + S.r.bytes / 8)
		die("%s:%llu: CPUs come and go too often for %llu bytes of a recording", S.r.name,
		    S.r.line, S.r.bytes);
}

/* Does the recording that is replayed have this line: command, control, repeat or idle? */
static bool src_recorded(const char *word)
{
	return S.replays && !find_answer(ENOENT, word).err;
}

/* ======================================================================== *
 * 4. SOURCES
 *
 * Later sections ask the machine only by functions named src_*; some of these are in sections 2 and
 * 3.  They ask the machine, or the recording with --replay; with --record they record the answer.
 * Those that return an int return 0 or -errno.  Later sections also call some functions named
 * replay_* and record_*: marks, runs and commands exist only in recordings.  They may read S, but
 * the compiler refuses them the system calls that read, open, wait and move.
 * ======================================================================== */

/* --- writing a recording --- */

/* Writes complete parts to the file.  If its reader has gone, only the recording ends. */
static void record_flush(void)
{
	struct sigaction ignore = { .sa_handler = SIG_IGN }, was;
	int err;

	sigaction(SIGPIPE, &ignore, &was);
	err = write_all(S.record_fd, S.parts.p, S.parts.len);
	sigaction(SIGPIPE, &was, NULL);
	if (err && err != -EPIPE)
		die("%s: %s", S.record_name, strerror(-err));
	buf_clear(&S.parts);
	S.records = !err;
}

/* Makes a part of the records; begin is its first line, or "" if that is written already. */
static void record_part(const char *begin)
{
	buf_puts(&S.parts, begin);
	buf_add(&S.parts, S.record.p, S.record.len);
	buf_puts(&S.parts, "done\n");
	buf_clear(&S.record);
	S.asked = (struct cpuset){ .w = { 0 } };
}

/* Makes a part of the records since the last sample, if there are any. */
static void record_plan(void)
{
	if (S.record.len)
		record_part("plan\n");
	S.asked = (struct cpuset){ .w = { 0 } };
}

/* Records a question, and its answer if that is an error; else returns true: the caller does. */
static bool record_question(int err, const char *text)
{
	const char *name = (size_t)-err < ARRAY_SIZE(errnames) ? errnames[-err] : NULL;

	if (!S.records)
		return false;
	buf_puts(&S.record, text);
	if (err)
		buf_printf(&S.record, " !%s\n", name ?: "EIO");
	return !err;
}

/* Appends n bytes in quotes, after a blank. */
static void record_quoted(const char *s, size_t n)
{
	buf_puts(&S.record, " \"");
	for (size_t i = 0; i < n; i++) {
		const char *esc = strchr("\n\t\r\\\"", s[i]);

		if (s[i] && esc)
			buf_printf(&S.record, "\\%c", "ntr\\\""[esc - "\n\t\r\\\""]);
		else if ((u8)s[i] < 32 || (u8)s[i] > 126)
			buf_printf(&S.record, "\\x%02x", (u8)s[i]);
		else
			buf_add(&S.record, s + i, 1);
	}
	buf_puts(&S.record, "\"");
}

/* Appends at most n texts in quotes, to the first NULL, and ends the line. */
static void record_words(char *const *word, size_t n)
{
	for (size_t i = 0; i < n && word[i]; i++)
		record_quoted(word[i], strlen(word[i]));
	buf_puts(&S.record, "\n");
}

/* Appends four times in seconds, and ends the line. */
static void record_times(struct buf *b, const i64 ns[4])
{
	for (int i = 0; i < 4; i++)
		buf_printf(b, " %lld.%09lld", ns[i] / NS_PER_S, ns[i] % NS_PER_S);
	buf_puts(b, "\n");
}

/* Records the text of a file or an error; before the first sample, ENOENT is not recorded. */
static void record_text(const char *path, const char *text, size_t n, int err)
{
	if (!S.records || (err == -ENOENT && !S.samples))
		return;
	if (strpbrk(path, " \n"))
		note(hash_text(path), "%s: a recording cannot hold a path with white space", path);
	else if (record_question(err, question("file %s", path))) {
		record_quoted(text, n);
		buf_puts(&S.record, "\n");
	}
}

/* --- questions --- */

/* Appends at most this many bytes of a file, which is not open if fd < 0. */
static int src_part(int fd, const char *path, struct buf *b, size_t most)
{
	size_t from = b->len;
	ssize_t n;
	int own;

	if (S.replays) {
		struct cursor c = find_answer(ENOENT, question("file %s", path));

		if (!c.err)
			buf_add(b, c.p, smaller((size_t)(c.end - c.p) - 1, most));
		return c.err;
	}
	own = fd < 0 ? fd = live_open(path) : -1;
	n = fd < 0 ? fd : 1;
	while (n > 0) {
		buf_reserve(b, 4096);
		n = src_append(fd, b, smaller(b->cap - b->len - 1, most - (b->len - from)),
			       (off_t)(b->len - from));
		if (text_after(path, "/sys/") && (b->len - from) % 4096)
			break;		/* an attribute, or its last page */
		if (b->len - from == most)
			break;
	}
	if (own >= 0)
		close_read(own);
	if (n > 0)		/* no error */
		n = 0;
	record_text(path, n ? NULL : b->p + from, b->len - from, (int)n);
	return (int)n;
}

/* Appends the text of a file, which is not open if fd < 0. */
static int src_text(int fd, const char *path, struct buf *b)
{
	return src_part(fd, path, b, SIZE_MAX);
}

/*
 * Appends the text of a file as the part that is being recorded has it: a second line would take
 * the place of the first in a replay.  False: there is none.
 */
static bool src_recorded_text(const char *path, struct buf *b)
{
	const char *line = pathf("\nfile %s \"", path);
	const char *found = NULL;
	struct cursor c;

	if (S.records && S.record.len)
		found = memmem(S.record.p, S.record.len, line, strlen(line));
	if (!found)
		return false;
	c = (struct cursor){ .p = found + strlen(line) - 1, .end = S.record.p + S.record.len };
	quoted_field(&c, b);
	b->len--;	/* its NUL */
	return true;
}

/* Returns the text of a file in S.scratch, which later calls overwrite; NULL: it is unreadable. */
static char *src_whole(int fd, const char *path)
{
	buf_clear(&S.scratch);
	return src_text(fd, path, &S.scratch) ? NULL : S.scratch.p;
}

enum { MOST_OF_NUMBER = 4096 };	/* bytes read of a file with a number, which may be the user's */

/* Reads the beginning of a file into S.scratch; a number that reaches its end may be cut. */
static int src_beginning(int fd, const char *path)
{
	buf_clear(&S.scratch);
	return src_part(fd, path, &S.scratch, MOST_OF_NUMBER);
}

/* Lists a directory: names that do not begin with a dot, sorted, each once. */
static int src_dir(const char *path, struct names *l)
{
	DIR *d = S.replays ? NULL : opendir(path);
	int err = d ? 0 : -errno;
	size_t n = 0;

	*l = S.replays ? replay_words(question("dir %s", path), &err) : (struct names){ 0 };
	for (struct dirent *e; d && (e = readdir(d));)
		if (e->d_name[0] != '.')
			*append(l->name, l->n) = textf("%s", e->d_name);
	if (d)
		closedir(d);
	if (l->n)
		qsort(l->name, l->n, sizeof(*l->name), by_name);
	for (size_t i = 0; i < l->n; i++)
		if (n && !strcmp(l->name[n - 1], l->name[i]))
			free(l->name[i]);
		else
			l->name[n++] = l->name[i];
	l->n = n;
	if ((err != -ENOENT || S.samples) && record_question(err, question("dir %s", path)))
		record_words(l->name, l->n);
	return err;
}

/* Files to keep open: of sysfs or procfs, all or if there is room; the user's; telemetry. */
enum keep { OF_KERNEL, IF_ROOM, OF_USER, REGION };

/*
 * Opens a file and returns a descriptor; -EMFILE: open it for each read.  Its text is recorded to
 * show that it can be opened; only the words that we read of a region are.
 */
static int src_keep(const char *path, enum keep keep)
{
	size_t most = keep == OF_USER ? MOST_OF_NUMBER : SIZE_MAX;
	struct stat st;
	int fd;

	if (S.replays)
		return find_answer(keep == REGION ? 0 : ENOENT, question("file %s", path)).err;
	if (keep != OF_USER)
		fd = keep_descriptor(live_open(path));
	else if (!stat(path, &st) && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode))
		fd = -ESPIPE;		/* opening a FIFO would unblock its writer */
	else
		fd = open_as_user(path, O_RDONLY | O_NONBLOCK);
	if (fd < 0 && (fd != -EMFILE || keep == IF_ROOM)) {
		record_text(path, NULL, 0, fd);
		return fd;
	}
	buf_clear(&S.scratch);
	if (S.records && keep != REGION && src_part(fd, path, &S.scratch, most))
		record_text(path, "", 0, 0);
	return fd;
}

/* Reads 64 bits of a telemetry region.  A mapping would fault when the driver is unloaded. */
static int src_word(int fd, const char *path, u32 offset, u64 *v)
{
	const char *text = question("word %s %u", path, offset);
	int own, err;

	if (S.replays)
		return replay_number(NONE, ENOENT, text, 16, v);
	own = fd < 0 ? fd = live_open(path) : -1;
	err = live_read_u64(fd, offset, v);
	if (own >= 0)
		close(own);
	if (record_question(err, text))
		buf_printf(&S.record, " %llx\n", *v);
	return err;
}

/* Moves this process to a CPU; the first move notes where it may run.  Returns 0 or -errno. */
static int move_to(int cpu)
{
	struct cpuset set;
	size_t bytes = ((size_t)cpu / 64 + 1) * 8;	/* the words of the mask up to this CPU */
	int err;

	if (set_next(&S.home, 0) < 0)
		sched_getaffinity(0, sizeof(S.home), S.home.set);
	memset(&set, 0, bytes);
	set_add(&set, cpu);
	err = sched_setaffinity(0, bytes, set.set) ? -errno : 0;
	S.cpu = err ? -1 : cpu;
	return err;
}

/* Moves this process to a CPU. */
static int src_go(int cpu)
{
	int err;

	if (S.cpu == cpu || S.stays)
		return 0;
	if (S.replays)
		return replay_go(cpu);
	err = move_to(cpu);
	if (S.records && set_has(&S.asked, cpu))	/* a part has one answer, the first */
		return err;
	set_add(&S.asked, cpu);
	if ((err || set_has(&S.refused, cpu)) && record_question(err, question("cpu %d", cpu)))
		buf_puts(&S.record, " ok\n");
	if (err)
		set_add(&S.refused, cpu);
	else
		set_remove(&S.refused, cpu);
	return err;
}

/* Is a CPU not to be touched?  For a replay it is one that can be reached no more: ECANCELED. */
static bool src_leave(int cpu, bool leave)
{
	const char *text = question("cpu %d", cpu);

	if (S.replays && find_answer(0, text).err == -ECANCELED)
		return true;
	if (leave)
		record_question(-ECANCELED, text);
	return leave;
}

/* Executes CPUID; all zeros: the CPU does not have that leaf. */
static void src_cpuid(int cpu, u32 leaf, u32 subleaf, u32 r[4])
{
	if (S.replays) {
		struct cursor c = find_answer(ENOENT,
					      question("cpuid %d %x %x", cpu, leaf, subleaf));

		if (c.err)
			c = find_answer(ENOENT, question("cpuid * %x %x", leaf, subleaf));
		memset(r, 0, 16);
		if (c.err || replay_go(cpu))
			return;
		for (int i = 0; i < 4; i++)
			r[i] = (u32)number_field(&c, 16, UINT32_MAX, "bad CPUID value");
		end_of_line(&c);
		return;
	}
	__cpuid_count(leaf, subleaf, r[0], r[1], r[2], r[3]);
	if (record_question(0, question("cpuid %d %x %x", cpu, leaf, subleaf)))
		buf_printf(&S.record, " %08x %08x %08x %08x\n", r[0], r[1], r[2], r[3]);
}

/* Reads the time-stamp counter of the CPU that we run on. */
static int src_tsc(int cpu, u64 *v)
{
	if (S.replays)
		return replay_number(cpu, EIO, question("tsc %d", cpu), 10, v);
	*v = __builtin_ia32_rdtsc();
	if (record_question(0, question("tsc %d", cpu)))
		buf_printf(&S.record, " %llu\n", *v);
	return 0;
}

/* Can a CPU's MSR device be opened?  Root loads the driver: the program changes nothing else. */
static int src_find_msr(int cpu, bool may_load)
{
	int fd;

	if (S.replays) {
		int err = find_answer(ENOMSG, question("msr %d *", cpu)).err;

		return err == -ENOMSG ? find_answer(ENOENT, "msr * *").err : err;
	}
	fd = src_open_msr(cpu);
	if (fd == -ENOENT && may_load && !getuid() && !geteuid()) {
		load_msr_driver();
		fd = src_open_msr(cpu);
	}
	if (record_question(fd < 0 ? fd : 0, question("msr %d *", cpu)))
		buf_puts(&S.record, " ok\n");
	return fd < 0 ? fd : 0;
}

/* Reads a register.  Returns 0 or -errno; -EIO: this CPU lacks it. */
static int src_msr(int cpu, u32 addr, u64 *v)
{
	const char *text = question("msr %d %x", cpu, addr);
	int err;

	if (S.replays) {
		err = replay_number(cpu, ENOMSG, text, 16, v);
		/* the CPU does not have it, or no register can be read */
		return err == -ENOMSG ? src_find_msr(cpu, false) ?: -EIO : err;
	}
	err = live_read_u64(src_open_msr(cpu), addr, v);
	if (record_question(err, text))
		buf_printf(&S.record, " %016llx\n", *v);
	return err;
}

/* The attributes of an event; version 8 added config3, at byte 128. */
union event_attr {
	struct perf_event_attr attr;
	u64 word[17];
};

static union event_attr attributes_of(const struct event *e)
{
	union event_attr a = { .word[16] = e->config[3] };

	a.attr.size = e->config[3] ? sizeof(a.word) : 112;	/* 112: version 5, Linux 4.1 */
	a.attr.type = e->type;
	a.attr.config = e->config[0];
	a.attr.config1 = e->config[1];
	a.attr.config2 = e->config[2];
	a.attr.exclude_kernel = e->mode == USER_MODE;
	a.attr.exclude_user = e->mode == KERNEL_MODE;
	a.attr.exclude_hv = e->mode != ALL_MODES;
	a.attr.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
	return a;
}

/* Opens a perf event, in the leader's group if leader >= 0.  Returns a descriptor or -errno. */
static int src_perf_open(int cpu, const struct event *e, int leader)
{
	union event_attr a;
	struct perf_value v;
	int fd;

	if (S.replays)
		return replay_perf(cpu, e, 0, false, &v);
	a = attributes_of(e);
	a.attr.read_format |= PERF_FORMAT_GROUP;
	fd = (int)syscall(SYS_perf_event_open, &a, -1, cpu, leader, PERF_FLAG_FD_CLOEXEC);
	fd = keep_descriptor(fd < 0 ? -errno : fd);
	if (S.records && record_question(fd < 0 ? fd : 0, perf_question(cpu, e)))
		buf_puts(&S.record, " 0\n");	/* it may never be read */
	return fd;
}

/*
 * Reads a group of n events, with an error for each; live, it fails as a whole.  It was enabled for
 * `was` ns at the last reading.  If it was enabled for fewer than least now (0: nothing is known),
 * it is read once more: the first read may have been late.  -ENODEV: the CPU was offline, so the
 * kernel has detached the group's events, or their time stands still.
 */
static void src_perf_read(int cpu, int fd, int n, const struct event *const *e, u64 was, u64 least,
			  struct perf_value *v, int *err)
{
	u64 raw[3 + MAX_GROUP] = { 0 };		/* events, ns enabled, ns running, counts */
	ssize_t size = (3 + n) * 8;
	int all = 0;

	for (u64 before = UINT64_MAX; !S.replays && !all; before = raw[1]) {
		ssize_t got = read(fd, raw, (size_t)size);

		if (got != size || raw[0] != (u64)n || raw[1] == before)
			all = got < 0 ? -errno : -ENODEV;
		else if (raw[1] >= least || before != UINT64_MAX)
			break;
	}
	for (int i = 0; i < n; i++) {
		v[i] = (struct perf_value){ raw[3 + i], raw[1], raw[2] };
		err[i] = S.replays ? replay_perf(cpu, e[i], was, least > 0, &v[i]) : all;
		if (S.records && record_question(err[i], perf_question(cpu, e[i])))
			buf_printf(&S.record, " %llu %llu %llu\n", v[i].count, v[i].enabled,
				   v[i].running);
	}
}

/*
 * Opens an event that counts a thread (0: this one) and what it will start, from its next exec or
 * from now on.  Each event is alone: older kernels refuse inherit with PERF_FORMAT_GROUP
 * (perf_event_open(2)).  Returns a descriptor or -errno.
 */
static int src_task_open(const struct event *e, int tid, bool at_exec, bool user_only)
{
	union event_attr a = attributes_of(e);
	int fd;

	a.attr.inherit = 1;
	a.attr.disabled = a.attr.enable_on_exec = at_exec;
	if (user_only)
		a.attr.exclude_kernel = a.attr.exclude_hv = 1;
	fd = (int)syscall(SYS_perf_event_open, &a, tid, -1, -1, PERF_FLAG_FD_CLOEXEC);
	return keep_descriptor(fd < 0 ? -errno : fd);
}

/*
 * May an event count tasks?  A clock counts the same, the kernel's time too, if the event excludes
 * the kernel (kernel/events/core.c), which takes no right: user_only says that it must.
 */
static int src_try_task(const struct event *e, bool *user_only)
{
	bool is_clock = e->type == PERF_TYPE_SOFTWARE &&
			(e->config[0] == PERF_COUNT_SW_CPU_CLOCK ||
			 e->config[0] == PERF_COUNT_SW_TASK_CLOCK);
	int fd;

	if (S.replays)
		return find_answer(ENOENT, perf_question(NONE, e)).err;
	fd = src_task_open(e, 0, true, false);
	if ((fd == -EACCES || fd == -EPERM) && is_clock) {
		*user_only = true;
		fd = src_task_open(e, 0, true, true);
	}
	if (record_question(fd < 0 ? fd : 0, perf_question(NONE, e)))
		buf_puts(&S.record, " 0\n");
	if (fd >= 0)
		close(fd);
	return fd < 0 ? fd : 0;
}

/* Adds up what an event has counted in n threads; err: why it could not be opened, or 0. */
static int src_task_read(const struct event *e, const int *fd, size_t n, int err,
			 struct perf_value *v)
{
	*v = (struct perf_value){ 0 };
	if (S.replays)
		return replay_perf(NONE, e, 0, false, v);
	for (size_t i = 0; i < n && !err; i++) {
		u64 raw[3];		/* count, ns enabled, ns running */
		ssize_t got = src_read(fd[i], raw, sizeof(raw), -1);

		if (got != sizeof(raw)) {
			err = got < 0 ? (int)got : -ENODEV;
			break;
		}
		v->count += raw[0];
		v->enabled += raw[1];
		v->running += raw[2];
	}
	if (record_question(err, perf_question(NONE, e)))
		buf_printf(&S.record, " %llu %llu %llu\n", v->count, v->enabled, v->running);
	return err;
}

/* Returns this machine's monotonic clock in ns, in a replay too. */
static i64 src_now(void)
{
	return live_clock(CLOCK_MONOTONIC);
}

/*
 * Returns the clocks before a CPU is read (begin is NULL) or after it, which records both.  The
 * real time is 0 unless real is set.  In a replay, missing clocks are those of the sample's end.
 */
static struct times src_cpu_clock(int cpu, const struct times *begin, bool real)
{
	struct times t;

	if (S.replays) {
		struct cursor c = find_answer(ENOENT, question("clock %d", cpu));
		struct times end = S.r.now.end, at[2] = { end, end };

		if (c.err || c.line < S.r.begin)
			return end;
		for (int i = 0; i < 2; i++)
			at[i].real = time_field(&c, 9);
		for (int i = 0; i < 2 && c.p < c.end; i++) {
			at[i].mono = time_field(&c, 9);
			if (at[i].mono < (i ? at[0].mono : S.r.earliest) || at[i].mono > end.mono)
				bad_record(&c, "the time goes back");
		}
		end_of_line(&c);
		return at[begin != NULL];
	}
	t = (struct times){ real ? live_clock(CLOCK_REALTIME) : 0, src_now() };
	if (begin && record_question(0, question("clock %d", cpu)))
		record_times(&S.record, (i64[]){ begin->real, t.real, begin->mono, t.mono });
	return t;
}

/* In a replay, the number of the last line read, where the lines of a sample end. */
static u64 src_line_number(void)
{
	return S.replays ? S.r.line : 0;
}

/* In a replay: does the answer to a question stand behind this line?  Live every answer is new. */
static bool src_is_newer(const char *text, u64 line)
{
	return !S.replays || find_answer(0, text).line > line;
}

/* Begins a sample or a tick. */
static void src_begin(struct sample_times *t, bool tick)
{
	S.cpu = -1;		/* a CPU that went offline has thrown us out */
	record_plan();
	if (S.records && !S.samples)
		record_flush();		/* a live replay shows the header now */
	S.samples += !tick;
	t->begin = src_now();
}

/* Reads the clocks at the end of the readings of a sample or a tick. */
static void src_stop(struct sample_times *t)
{
	if (S.replays) {
		*t = S.r.now;
		return;
	}
	t->end = (struct times){ live_clock(CLOCK_REALTIME), src_now() };
	t->boot = live_clock(CLOCK_BOOTTIME);
}

/* Ends the part of a sample or a tick in the recording. */
static void src_end(const struct sample_times *t, bool tick)
{
	if (!S.records)
		return;
	if (!tick) {
		buf_printf(&S.parts, "sample %u", S.samples - 1);
		record_times(&S.parts, (i64[]){ t->end.real, t->end.mono, t->begin, t->boot });
	}
	record_part(tick ? "tick\n" : "");
	record_flush();
}

/* How many bytes of the part that is being recorded there are: none between samples. */
static size_t src_recorded_bytes(void)
{
	return S.record.len;
}

/*
 * Records the ns between two moves of a counter, not the readings that found them, which stand
 * behind this many bytes; replays them.  It belongs to the sample, if one is being recorded.
 */
static u64 src_step(const char *counter, u64 ns, size_t recorded)
{
	if (S.replays)
		replay_number(NONE, ENOENT, question("step %s", counter), 10, &ns);
	S.record.len = recorded;
	if (ns && S.records && recorded)
		buf_printf(&S.record, "step %s %llu\n", counter, ns);
	else if (ns && S.records)
		buf_printf(&S.parts, "plan\nstep %s %llu\ndone\n", counter, ns);
	return ns;
}

/* Returns the first line of a file, valid until the next is read; NULL: it cannot be read. */
static const char *src_line(const char *path)
{
	return first_line(src_whole(-1, path));
}

/* Reads an integer between blanks as two's complement. */
static int src_counter(int fd, const char *path, u64 *v)
{
	const char *s;
	bool negative;
	int err;
	u64 n;

	err = src_beginning(fd, path);
	if (err)
		return err;
	s = S.scratch.p + strspn(S.scratch.p, " \t");
	negative = *s == '-';
	s += negative;
	if (!scan_number(&s, NULL, 10, UINT64_MAX, &n) || !strchr(" \t\n", *s) ||
	    s == S.scratch.p + MOST_OF_NUMBER)
		return -EINVAL;
	*v = negative ? -n : n;
	return 0;
}

/* Reads the integer in a file.  Returns 0 or -errno. */
static int src_number(const char *path, u64 *v)
{
	return src_counter(-1, path, v);
}

/* Can an integer be read from a file?  It counts as one while descriptors are too few. */
static bool src_has_number(const char *path)
{
	int err = src_number(path, &(u64){ 0 });

	return !err || err == -EMFILE;
}

/* Closes a descriptor of src_keep or src_perf_open. */
static void src_close(int fd)
{
	if (!S.replays && fd >= 0)
		close(fd);
}

/*
 * Removes the CPUs that we cannot move to: a container may have a cpuset that no file shows.  They
 * are tried one by one if one move fails or our affinity lacks a CPU.  Those that are measured
 * already are kept: they lose only what we would move for.  If all refuse, a sandbox forbids it:
 * src_go() does nothing from now on, so that all CPUs are read from this one.
 */
static void src_skip_refused(struct cpuset *cpus, const struct cpuset *kept)
{
	struct cpuset refused = { .w = { 0 } }, rest = *cpus;
	int last = 0;

	src_go(set_next(cpus, 0));
	set_minus(&rest, &S.home);	/* a replay has no home, so it asks for every CPU */
	if (!S.records && !set_count(&S.refused) && !set_count(&rest))
		return;
	for_each_cpu(cpu, cpus) {
		int err = set_has(kept, cpu) ? 0 : src_go(cpu);

		if (err) {
			set_add(&refused, cpu);
			last = err;
		}
	}
	if (last && set_count(&refused) == set_count(cpus)) {
		S.stays = true;
		note(0, "cannot run on other CPUs (%s): using the TSC of the current CPU",
		     strerror(-last));
	} else if (last) {
		set_minus(cpus, &refused);
		note(0, "cannot run on CPUs %s (%s): skipped", set_text(&refused), strerror(-last));
	}
}

/*
 * Moves to a CPU that can also be read from afar.  Returns whether it did: a refusal costs nothing,
 * and a recording holds nothing about it.
 */
static bool src_visit(int cpu)
{
	if (S.stays || S.replays)
		return false;
	return S.cpu == cpu || !move_to(cpu);
}

/* Restores the affinity of this process, for a command or for a sleep. */
static void src_go_home(void)
{
	if (!set_count(&S.home))
		return;
	sched_setaffinity(0, sizeof(S.home), S.home.set);
	S.cpu = -1;
}

enum { PROCESSOR_NAME = 49 };	/* bytes, with the NUL */

/* Reads the brand string (SDM 2A, CPUID), trimmed.  Returns the last extended leaf, or 0. */
static u32 src_processor_name(int cpu, char *name)
{
	u32 last[4], r[13] = { 0 };	/* the last one for the NUL */
	const char *s = (const char *)r;
	size_t n;

	src_cpuid(cpu, 0x80000000, 0, last);
	if (last[0] < 0x80000000 || last[0] > 0x8000ffff)
		last[0] = 0;
	for (u32 i = 0; i < 3 && last[0] >= 0x80000004; i++)
		src_cpuid(cpu, 0x80000002 + i, 0, &r[4 * i]);
	s += strspn(s, " ");
	for (n = strlen(s); n && s[n - 1] == ' '; n--)
		;
	snprintf(name, PROCESSOR_NAME, "%.*s", (int)n, s);
	return last[0];
}

/* --- beginning and ending a recording --- */

static void record_remark(const char *title, const char *text)
{
	buf_printf(&S.record, "# %s: ", title);
	buf_clean(&S.record, text, strlen(text), A_NAME);
	buf_puts(&S.record, "\n");
}

/* Begins to record, with facts about the run.  command may be NULL; runs, idle (s): 0 = none. */
static void record_open(int fd, const char *name, char *const *command, bool control, u64 runs,
			double idle)
{
	struct utsname system;
	char processor[PROCESSOR_NAME];

	S.record_fd = fd;
	S.record_name = name;
	src_processor_name(0, processor);
	S.records = true;
	record_remark("processor", processor);
	record_remark("kernel", uname(&system) ? "" : system.release);
	if (command && *command) {
		buf_puts(&S.record, "command");
		record_words(command, SIZE_MAX);
	}
	if (control)
		buf_puts(&S.record, "control\n");
	if (runs)
		buf_printf(&S.record, "repeat %llu\n", runs);
	if (idle > 0)
		buf_printf(&S.record, "idle %g\n", idle);
}

/* Records a line of --control that causes a sample. */
static void record_mark(const char *text)
{
	if (!S.records)
		return;
	buf_puts(&S.parts, *text && *text != '\n' ? "mark " : "mark");
	for (; *text && *text != '\n'; text++)
		buf_add(&S.parts, (u8)*text < 32 ? "\x7f" : text, 1);	/* refused, too */
	buf_puts(&S.parts, "\n");
}

/* Records a run of the command, after its samples; a run without samples was not measured. */
static void record_run(const struct command_run *r)
{
	if (!S.records)
		return;
	record_plan();
	buf_printf(&S.parts, "run %u %d %lld.%06lld %lld.%06lld %llu%s\n",
		   r->number ? ++S.runs : 0, r->status, r->user / NS_PER_S,
		   r->user % NS_PER_S / 1000, r->sys / NS_PER_S, r->sys % NS_PER_S / 1000,
		   r->maxrss, r->in_part ? " part" : "");
	record_flush();
}

static void record_close(void)
{
	if (!S.records)
		return;
	record_plan();
	buf_puts(&S.parts, "end\n");
	record_flush();
	if (close(S.record_fd))
		die("%s: %s", S.record_name, strerror(errno));
	S.records = false;
	S.record_name = NULL;
}

/* Later sections must not ask the machine themselves; unit tests, which include this file, may. */
#ifndef TURBOSTAT_UNIT_TEST
#pragma GCC poison open openat fopen opendir readdir readlink
#pragma GCC poison read pread mmap syscall clock_gettime nanosleep poll ppoll
#pragma GCC poison sched_setaffinity sched_getaffinity
#pragma GCC poison live_clock
#endif

/* ======================================================================== *
 * 5. PLATFORMS
 *
 * Data: features, turbo registers, limits, bus clock and quirks of each processor model.
 * ======================================================================== */

/* Features by CPUID, then by platform; counters and header lines name the ones that they need. */
enum feature {
	INTEL, AMD, NOT_AMD,		/* vendor; Hygon counts as AMD */
	GUEST,				/* of a hypervisor: leaf 1 */
	APERF, TURBO, DTS, PTM, HWP, HWP_NOTIFY, HWP_PKG, EPB,	/* leaf 6 */
	SGX, HYBRID,			/* leaf 7 */
	AMD_RAPL,			/* leaf 0x80000007 EDX[14]: MSRs 0xc0010299 to 29b */
	TOPOLOGY_EXT,			/* leaf 0x80000001 ECX[22]: leaf 0x8000001e */
	PLATFORM_INFO,			/* MSRs 0xce, 0x1a2, 0x34, 0xe2, 0x1fc: all listed models */
	C1_MSR, C1_SOFT,		/* core C1: MSR 0x660, or the remaining time */
	CC3, CC6, CC6_KNL, CC7, MC6,	/* core and module C-state counters */
	PC2, PC3, PC6, PC6_ATOM, PC7, PC8, PC9, PC10,
	NO_PC3,				/* although older kernels list it */
	WEIGHTED_C0,			/* MSRs 0x658 to 0x65b */
	/* header lines */
	IRTL, CONFIG_TDP, PWR_MGMT, PREFETCH, PREWAKE, AUTO_CONVERSION, C6_DEMOTION,
	/* reasons of low clocks: MSR 0x690 of clients, of servers; 0x6b0, 0x6b1 */
	LIMIT_CORE, LIMIT_EP, LIMIT_GFX, LIMIT_RING,
	LIMIT_SKL, LIMIT_SKL_GT,	/* the same since Skylake: MSR 0x64f; 0x6b0 and 0x6b1 */
	TSC_SCALE,	/* the TSC does not run at the base frequency: see tsc_tweak */
	KILO,				/* APERF and MPERF count in units of 1024 cycles */
	RAPL_AWAKE,	/* set at run time: the main package's energy counter is not 0 */
	RAPL_PKG, RAPL_PKG_PERF, RAPL_PKG_INFO, RAPL_DRAM, RAPL_DRAM_PERF, RAPL_DRAM_INFO,
	RAPL_PP0, RAPL_PP0_LIMIT, RAPL_PP0_POLICY, RAPL_PP1, RAPL_PSYS,
	PP1_WRONG,		/* PP1 counts more energy than the package it is in */
	NFEATURES
};
_Static_assert(NFEATURES <= 64, "features are bits of a u64");
#define F(bit)	(1ull << (bit))

/* Deviating encodings (SDM 4, the models' tables; Linux, events/rapl.c, intel_rapl_*.c). */
enum quirk {
	ENERGY_UJ,	/* energy unit 2^n uJ, not 2^-n J; limits' windows are whole seconds */
	POWER_MW,			/* power unit 2^n mW, not 2^-n W */
	PL2_BARE,	/* 0x610[63:32] is a second limit, although 0x610 has only one window */
	DRAM_15UJ, PSYS_1J,		/* fixed units */
	PL4_WATTS,			/* 0x601 is PL4 in RAPL power units, not a current */
	PL4_DUMMY,			/* 0x601 means nothing */
	CORE_READOUT_8, PKG_READOUT_8	/* temperatures are 23:16 of 0x19c, 0x1b1, not 22:16 */
};
#define Q(bit)	(1u << (bit))

/* Turbo ratio registers; see the turbo lines of the header. */
enum {
	TURBO_18 = 1, TURBO_16 = 2, TURBO_8 = 4, TURBO_ATOM = 16, TURBO_DELTA = 32,
	/* MSR 0x1ae has the core counts of 0x1ad: always; if it is readable */
	TURBO_GROUPS = 8, TURBO_COUNTS = 64,
	TURBO_E = 128, TURBO_L = 256	/* MSR 0x650: of the E-cores, of low-power cores */
};

/* No limit (two words), then package C-state limits by depth.  We use no deeper counters. */
enum pkg_limit {
	L_RESERVED, L_UNKNOWN, L_PC0, L_PC1, L_PC2, L_PC3, L_PC4, L_PC6, L_PC6N, L_PC6R, L_PC7,
	L_PC7S, L_PC8, L_PC9, L_PC10, L_UNLIMITED
};
static const char *const pkg_limit_names[] = {
	"reserved", "unknown", "pc0", "pc1", "pc2", "pc3", "pc4", "pc6", "pc6n", "pc6r", "pc7",
	"pc7s", "pc8", "pc9", "pc10", "unlimited"
};

/* MSR_PKG_CST_CONFIG_CONTROL[3:0]: a mask; the state for each value, or L_RESERVED (SDM 4). */
/* clang-format off */
static const struct pkg_limits { u8 mask, state[16]; }
	nehalem_limits = { 15, { L_PC0, L_PC1, L_PC3, L_PC6, L_PC7, [7] = L_UNLIMITED } },
	snb_limits = { 15, { L_PC0, L_PC2, L_PC6N, L_PC6R, L_PC7, L_PC7S, [7] = L_UNLIMITED } },
	hsw_limits = { 15, { L_PC0, L_PC2, L_PC3, L_PC6, L_PC7, L_PC7S, L_PC8, L_PC9, L_UNLIMITED } },
	/* servers since Haswell-EP (Ice Lake-SP: likely); C6N is non-retention, C6R retention */
	skx_limits = { 7, { L_PC0, L_PC2, L_PC6N, L_PC6R, [7] = L_UNLIMITED } },
	slm_limits = { 15, { L_PC0, L_PC1, [4] = L_PC4, [6] = L_PC6, L_PC7, [14] = L_PC6, L_PC7 } },
	amt_limits = { 15, { L_UNLIMITED, L_PC1, L_PC2, [6] = L_PC6, L_PC7 } },
	gmt_limits = { 15, { L_UNLIMITED, L_PC1, L_PC3, L_PC6, L_PC7, L_PC7S, L_PC8, L_PC9, L_PC10 } };

/* Intel models that are alike; families and models as in Linux' intel-family.h. */
enum { MOST_MODELS = 9 };
struct platform {
	u16 models[MOST_MODELS];	/* family << 8 | model; unused ones are 0 */
	u64 has;		/* features */
	u16 turbo;		/* registers: TURBO_18, ... */
	const struct pkg_limits *limits;
	double bclk;		/* MHz; 0 = see MSR_FSB_FREQ */
	u32 crystal_hz;		/* if CPUID 0x15 lacks it (Linux, arch/x86/kernel/tsc.c) */
	u16 tdp;		/* Watts; 0 = see MSR_PKG_POWER_INFO */
	u8 fsb_codes;		/* how many codes of MSR_FSB_FREQ are defined */
	u16 quirks;		/* bits of enum quirk */
	u8 tcc_bits;		/* size of the TjMax offset in 0x1a2, from bit 24 on; 0 = none */
};

/* Shared sets (SDM 4, each model; Linux, arch/x86/events: intel/cstate.c, rapl.c). */
#define PC_2_6		(F(PC2) | F(PC3) | F(PC6))
#define PC_2_7		(PC_2_6 | F(PC7))
#define PC_2_10		(PC_2_7 | F(PC8) | F(PC9) | F(PC10))
#define PC_SERVER	(F(PC2) | F(PC6))
#define RAPL_PP0_ALL	(F(RAPL_PP0) | F(RAPL_PP0_LIMIT) | F(RAPL_PP0_POLICY))
#define RAPL_CLIENT	(F(RAPL_PKG) | F(RAPL_PKG_INFO) | RAPL_PP0_ALL | F(RAPL_PP1))
#define RAPL_CLIENT_DRAM (RAPL_CLIENT | F(RAPL_PKG_PERF) | F(RAPL_DRAM) | F(RAPL_DRAM_PERF))
#define RAPL_SERVER	(F(RAPL_PKG) | F(RAPL_PKG_PERF) | F(RAPL_PKG_INFO) | F(RAPL_DRAM) | F(RAPL_DRAM_PERF) | F(RAPL_DRAM_INFO))
#define RAPL_SNB_EP	(RAPL_SERVER | RAPL_PP0_ALL)
#define RAPL_ATOM	(F(RAPL_PKG) | F(RAPL_PP0) | F(RAPL_PP0_LIMIT))
#define RAPL_ALL	(RAPL_SNB_EP | RAPL_CLIENT | F(RAPL_PSYS) | F(AMD_RAPL) | F(RAPL_AWAKE))
#define SNB_LINES	(F(IRTL) | F(PWR_MGMT) | F(PREFETCH))
#define HSW_LINES	(SNB_LINES | F(CONFIG_TDP))

/* Sets of features that platforms share: some are those of a whole platform, others its beginning. */
#define SOFT_6		(F(PLATFORM_INFO) | F(C1_SOFT) | F(CC6))
#define SOFT_36		(SOFT_6 | F(CC3))
#define SOFT_367	(SOFT_36 | F(CC7))
#define MSR_6		(F(PLATFORM_INFO) | F(C1_MSR) | F(CC6))
#define NHM		(SOFT_36 | F(PC3) | F(PC6) | F(PWR_MGMT))
#define SNB		(SOFT_367 | PC_2_7 | SNB_LINES)
#define HSW		(SOFT_367 | RAPL_CLIENT | F(RAPL_DRAM) | HSW_LINES | F(LIMIT_CORE) | F(LIMIT_GFX) | F(LIMIT_RING))
#define SKL		(HSW_LINES | RAPL_CLIENT_DRAM | F(RAPL_PSYS) | F(WEIGHTED_C0) | F(TSC_SCALE) | F(LIMIT_SKL) | F(LIMIT_SKL_GT))
#define ICL		(MSR_6 | F(CC7) | SKL)
#define ICX		(MSR_6 | PC_SERVER | RAPL_SERVER | F(RAPL_PSYS) | HSW_LINES | F(PREWAKE))
#define ADL		(ICL | F(MC6) | PC_2_6 | F(PC8) | F(PC10))
#define LNL		(ICL | F(MC6) | PC_SERVER | F(PC10) | F(NO_PC3))
#define SLM		(MSR_6 | F(MC6) | F(PC6_ATOM) | RAPL_ATOM | F(C6_DEMOTION))
#define GLM		(SOFT_367 | PC_2_10 | F(RAPL_PKG) | F(RAPL_PKG_INFO) | F(RAPL_PP0) | F(RAPL_PP1) | F(PP1_WRONG) | F(RAPL_DRAM) | F(IRTL) | F(PWR_MGMT))

/* Sizes of the TjMax offset and the readout: SDM 4; Linux, intel_tcc.c (others: 7 and 8 bits). */
#define READOUT_8	(Q(CORE_READOUT_8) | Q(PKG_READOUT_8))
#define PL4_READOUT_8	(Q(PL4_WATTS) | READOUT_8)
#define ATOM_UNITS	(Q(ENERGY_UJ) | Q(POWER_MW))

static const struct platform unlisted = { .quirks = READOUT_8, .tcc_bits = 7 };
static const struct platform zen = { .tdp = 280 };	/* AMD and Hygon, if CPUID has AMD_RAPL */
static const struct platform platforms[] = {
	/* Nehalem: two clients, EP; Westmere: client, EP */
	{ { 0x61e, 0x61f, 0x61a, 0x625, 0x62c }, NHM, TURBO_8, &nehalem_limits, 133.33 },
	{ { 0x62e, 0x62f }, NHM, 0, &nehalem_limits, 133.33 },	/* Nehalem-EX, Westmere-EX */
	{ { 0x62a }, SNB | RAPL_CLIENT, TURBO_8, &snb_limits, 100 },	/* Sandy Bridge */
	{ { 0x62d }, SNB | RAPL_SNB_EP, TURBO_8, &snb_limits, 100 },	/* Sandy Bridge-E, EN, EP */
	/* Ivy Bridge */
	{ { 0x63a }, SNB | RAPL_CLIENT | F(CONFIG_TDP), TURBO_8, &snb_limits, 100 },
	/* Ivy Bridge-E, EN, EP, EX */
	{ { 0x63e }, SNB | RAPL_SNB_EP, TURBO_16 | TURBO_8, &snb_limits, 100, .tcc_bits = 4 },
	/* Haswell, Haswell with GT3e */
	{ { 0x63c, 0x646 }, HSW | PC_2_7, TURBO_8, &hsw_limits, 100 },
	/* Haswell-E, EP, EX */
	{ { 0x63f }, SOFT_367 | PC_2_7 | RAPL_SERVER | HSW_LINES | F(LIMIT_EP) | F(LIMIT_RING),
	  TURBO_18 | TURBO_16 | TURBO_8, &skx_limits, 100, .quirks = Q(DRAM_15UJ), .tcc_bits = 4 },
	/* Haswell ULT */
	{ { 0x645 }, HSW | PC_2_10, TURBO_8, &hsw_limits, 100 },
	{ { 0x63d }, HSW | PC_2_10, TURBO_8, &hsw_limits, 100, .tcc_bits = 6 },	/* Broadwell U, Y */
	/* Broadwell with GT3e */
	{ { 0x647 }, HSW | PC_2_7, TURBO_8, &hsw_limits, 100, .tcc_bits = 6 },
	/* Broadwell-E, EP, EX; DE */
	{ { 0x64f, 0x656 }, SOFT_36 | PC_2_6 | RAPL_SERVER | HSW_LINES | F(AUTO_CONVERSION) | F(LIMIT_EP),
	  TURBO_18 | TURBO_16 | TURBO_8, &skx_limits, 100, .quirks = Q(DRAM_15UJ), .tcc_bits = 4 },
	/* Skylake: mobile, desktop; Kaby, Coffee, Whiskey, Amber Lake: mobile, desktop; Comet Lake */
	{ { 0x64e, 0x65e, 0x68e, 0x69e, 0x6a5, 0x6a6 }, SOFT_367 | PC_2_10 | SKL, TURBO_8, &hsw_limits, 100, 24000000, .quirks = Q(PL4_WATTS), .tcc_bits = 6 },
	/* Skylake-SP, Cascade Lake, Cooper Lake */
	{ { 0x655 }, SOFT_6 | PC_SERVER | RAPL_SERVER | HSW_LINES | F(AUTO_CONVERSION) | F(LIMIT_SKL),
	  TURBO_8 | TURBO_GROUPS, &skx_limits, 100, .quirks = Q(DRAM_15UJ), .tcc_bits = 4 },
	/* Cannon Lake, Ice Lake, NNP-I, Rocket Lake, Lakefield */
	{ { 0x666, 0x67e, 0x69d, 0x6a7, 0x68a }, ICL | PC_2_10, TURBO_8 | TURBO_E, &hsw_limits, 100, .quirks = Q(PL4_WATTS), .tcc_bits = 6 },
	/* Ice Lake-SP, D */
	{ { 0x66a, 0x66c }, ICX | F(LIMIT_SKL), TURBO_8 | TURBO_GROUPS, &skx_limits, 100, .quirks = Q(DRAM_15UJ), .tcc_bits = 6 },
	/* Tiger Lake: mobile, H */
	{ { 0x68c, 0x68d }, ICL | PC_2_10, TURBO_8, &hsw_limits, 100, .quirks = PL4_READOUT_8, .tcc_bits = 6 },
	/* Sapphire Rapids, Emerald Rapids */
	{ { 0x68f, 0x6cf }, ICX | F(LIMIT_SKL), TURBO_8 | TURBO_GROUPS, &skx_limits, 100, .quirks = Q(PKG_READOUT_8) | Q(PSYS_1J), .tcc_bits = 6 },
	/* Granite Rapids, Granite Rapids-D */
	{ { 0x6ad, 0x6ae }, ICX, TURBO_8 | TURBO_GROUPS, &skx_limits, 100, .quirks = Q(PSYS_1J) | Q(PL4_DUMMY) | READOUT_8, .tcc_bits = 7 },
	/* Diamond Rapids */
	{ { 0x1301 }, MSR_6 | F(MC6) | PC_SERVER | F(PREWAKE) | F(PWR_MGMT) | F(PREFETCH),
	  TURBO_8 | TURBO_GROUPS, &skx_limits, 100, .quirks = READOUT_8, .tcc_bits = 7 },
	/* Alder Lake: desktop, mobile; Raptor Lake: desktop, P, S; Alder Lake-N */
	{ { 0x697, 0x69a, 0x6b7, 0x6ba, 0x6bf, 0x6be }, ADL, TURBO_8 | TURBO_COUNTS | TURBO_E, &hsw_limits, 100, .quirks = PL4_READOUT_8, .tcc_bits = 6 },
	/* Bartlett Lake; Meteor Lake: desktop, mobile; Arrow Lake: H, U, desktop */
	{ { 0x6d7, 0x6ac, 0x6aa, 0x6c5, 0x6b5, 0x6c6 }, ADL, TURBO_8 | TURBO_COUNTS | TURBO_E, &hsw_limits, 100, .quirks = PL4_READOUT_8, .tcc_bits = 7 },
	/* Lunar Lake; Panther Lake: two; Wildcat Lake */
	{ { 0x6bd, 0x6cc, 0x6e5, 0x6d5 }, LNL, TURBO_8 | TURBO_COUNTS | TURBO_L, &hsw_limits, 100, .quirks = PL4_READOUT_8, .tcc_bits = 7 },
	/* Nova Lake: desktop, mobile */
	{ { 0x1201, 0x1203 }, LNL, TURBO_8 | TURBO_COUNTS | TURBO_E, &hsw_limits, 100, .quirks = PL4_READOUT_8, .tcc_bits = 7 },
	/* Silvermont: Bay Trail, Merrifield, Moorefield, SoFIA */
	{ { 0x637, 0x64a, 0x65a, 0x65d }, SLM, TURBO_ATOM, &slm_limits, .tdp = 30, .fsb_codes = 5, .quirks = ATOM_UNITS, .tcc_bits = 6 },
	/* Silvermont server (Avoton, Rangeley) */
	{ { 0x64d }, SOFT_6 | F(PC3) | F(PC6_ATOM) | RAPL_ATOM | F(PWR_MGMT),
	  TURBO_8, &slm_limits, .tdp = 30, .fsb_codes = 5, .quirks = Q(POWER_MW), .tcc_bits = 6 },
	/* Airmont (Cherry Trail, Braswell) */
	{ { 0x64c }, SLM, TURBO_ATOM, &amt_limits, .tdp = 30, .fsb_codes = 9, .quirks = ATOM_UNITS | Q(PL2_BARE), .tcc_bits = 6 },
	/* Goldmont (Apollo Lake) */
	{ { 0x65c }, GLM, TURBO_8 | TURBO_GROUPS, &gmt_limits, 100, 19200000, .tcc_bits = 7 },
	/* Goldmont server (Denverton) */
	{ { 0x65f }, MSR_6 | PC_SERVER | RAPL_SERVER | F(RAPL_PP0) | F(IRTL) | F(PWR_MGMT),
	  TURBO_8 | TURBO_GROUPS, &gmt_limits, 100, 25000000, .tcc_bits = 7 },
	/* Goldmont Plus (Gemini Lake) */
	{ { 0x67a }, GLM, TURBO_8, &gmt_limits, 100, 19200000, .tcc_bits = 7 },
	/* Tremont server (Jacobsville, Snow Ridge) */
	{ { 0x686 }, SOFT_6 | F(RAPL_PKG) | F(RAPL_PKG_PERF) | F(RAPL_PKG_INFO) | F(IRTL) | F(PWR_MGMT),
	  TURBO_8 | TURBO_GROUPS, &gmt_limits, 100, .tcc_bits = 6 },
	/* Tremont: Elkhart Lake, Jasper Lake */
	{ { 0x696, 0x69c }, SOFT_6 | F(CC7) | F(MC6) | PC_2_10 | RAPL_CLIENT_DRAM | F(TSC_SCALE) | F(IRTL) | F(PWR_MGMT),
	  TURBO_8, &gmt_limits, 100, .quirks = Q(PL4_WATTS), .tcc_bits = 6 },
	/* Sierra Forest, Clearwater Forest */
	{ { 0x6af, 0x6dd }, ICX | F(MC6), TURBO_8 | TURBO_GROUPS, &skx_limits, 100, .quirks = Q(PL4_DUMMY) | READOUT_8, .tcc_bits = 7 },
	/* Crestmont microserver (Grand Ridge) */
	{ { 0x6b6 }, (ICX & ~PC_SERVER) | F(MC6), TURBO_8 | TURBO_GROUPS, &skx_limits, 100, .quirks = READOUT_8, .tcc_bits = 7 },
	/* Xeon Phi: Knights Landing, Knights Mill */
	{ { 0x657, 0x685 }, F(PLATFORM_INFO) | F(C1_SOFT) | F(CC6_KNL) | PC_2_6 | RAPL_SERVER | F(CONFIG_TDP) | F(PWR_MGMT) | F(KILO),
	  TURBO_DELTA, &skx_limits, 100, .quirks = Q(DRAM_15UJ), .tcc_bits = 6 },
};

/* Intel: L2_REQUEST.ALL and .HIT (Linux, tools/perf/pmu-events/arch/x86, cache.json). */
enum { L2_REFS, L2_HITS, L2_MISSES };
struct l2_events {
	u16 models[MOST_MODELS];
	u64 code[3][3];		/* [L2_REFS, ...][row of core_pmus[]], 0 = not known */
};
/* AMD 17h to 1Ah (PPR, PMCx060, PMCx064): requests with prefetches, hits and misses without. */
static const struct l2_events l2_zen = { .code = { { 0xff60 }, { 0xf664 }, { 0x0964 } } };
static const struct l2_events l2_intel[] = {
	{ { 0x68f, 0x6cf, 0x6ad, 0x6ae }, { { 0xff24 }, { 0xdf24 } } },
	{ { 0x1301 }, { { 0xff24 }, { 0x5f24 } } },
	{ { 0x6be, 0x6af, 0x6b6 }, { { 0x0024 }, { 0x0224 } } },
	{ { 0x6dd }, { { 0x1000000ff24 }, { 0x1000000bf24 } } },
	{ { 0x697, 0x69a, 0x6b7, 0x6ba, 0x6bf, 0x6ac, 0x6aa, 0x6b5 }, { { 0xff24, 0x0024 }, { 0xdf24, 0x0224 } } },
	{ { 0x6c6, 0x6bd }, { { 0xff24, 0x0724 }, { 0x5f24, 0x0224 } } },
	{ { 0x6c5 }, { { 0xff24, 0x0724, 0x0024 }, { 0x5f24, 0x0224, 0x0224 } } },
	{ { 0x6cc, 0x6e5, 0x1201, 0x1203, 0x6d5 }, { { 0xff24, 0x1000000ff24 }, { 0x5f24, 0x1000000bf24 } } },
};
/* clang-format on */

/* ======================================================================== *
 * 6. MACHINE
 *
 * Facts about the computer: CPUID, topology, clocks, units.  Owns the struct M.  Functions named
 * machine_* fill it at the start, and its topology again when CPUs come or go; otherwise M is
 * constant, except M.dev and M.rights.  Prints only notes.  Invariants:
 *	- A unit keeps its number as long as the program runs, while its CPUs come and go.  Its
 *	  lowest measured CPU leads it; a unit without measured CPUs is offline.
 *	- A row is a CPU that is measured now.  Rows are renumbered when CPUs come or go, so
 *	  nothing that lasts is indexed by row.
 * ======================================================================== */

/*
 * Kinds of units (sets of CPUs); TYPE: all cores of a type.  From MODULE to CPU each is a part of
 * the one before; M.within says how the others nest.
 */
enum scope { SYSTEM, PACKAGE, DIE, L3, NODE, MODULE, CORE, CPU, TYPE, NSCOPES };
static const char *const scope_names[] = { "system", "package", "die", "l3",  "node",
					   "module", "core",	"cpu", "type" };

/* Ids of CPUs, in the order of enum scope; a core type is P, E, L (low-power E), 0 = unknown. */
enum id { ID_PACKAGE, ID_DIE, ID_L3, ID_NODE, ID_MODULE, ID_CORE, ID_CPU, ID_TYPE, NIDS };

/* The ids that together identify a unit, as bits.  Ids of L3s repeat in each package. */
static const unsigned unit_ids[NSCOPES] = {
	[PACKAGE] = 1 << ID_PACKAGE,
	[DIE] = 1 << ID_PACKAGE | 1 << ID_DIE,
	[L3] = 1 << ID_PACKAGE | 1 << ID_L3,
	[NODE] = 1 << ID_NODE,
	[MODULE] = 1 << ID_PACKAGE | 1 << ID_DIE | 1 << ID_MODULE,
	[CORE] = 1 << ID_PACKAGE | 1 << ID_DIE | 1 << ID_CORE,
	[CPU] = 1 << ID_PACKAGE | 1 << ID_DIE | 1 << ID_CORE | 1 << ID_CPU,
	[TYPE] = 1 << ID_TYPE,
};

/* Devices found in sysfs. */
struct devices {
	struct names texts;			/* owns the strings of the lists */
	size_t nzones, ntelemetry, nclusters, nsensors, npmus, nresolved;
	/* powercap; of: the name of the zone that it is in, or its own name */
	struct zone { const char *dir, *name, *of; } *zone;
	/* sorted by device number; removed devices stay in the list */
	struct telemetry { u64 guid, size; char *path; int fd; } *telemetry;
	/* uncore clusters, sorted by number; an unknown id is negative */
	struct cluster { int package, domain, id; const char *dir; } *cluster;
	bool sensors_listed;
	struct sensor {
		enum sensor_kind { OF_CORE, OF_PACKAGE, OF_CONTROL, OF_CCD } kind;
		int package, number;
		const char *input;
	} *sensor;
	const char *amdgpu;	/* path of the clock of AMD's integrated graphics, NULL: none */
	struct pmu {			/* of perf */
		const char *name;
		bool is_known;		/* both sets below have been read */
		bool masked, limited;	/* mask has a file in sysfs; cpus has one */
		struct cpuset mask;	/* one CPU for each unit that counts */
		struct cpuset cpus;	/* the CPUs that have this PMU */
	} *pmu;
	struct resolved {		/* a perf event by name, decoded once */
		char *pmu, *name;
		struct event event;
		double scale;
		bool scaled, snapshot, joules, mebibytes;
		char *bad;		/* the term that caused err */
		int err;
	} **resolved;
};

/* The CPUID leaves in M.leaf, and the registers of each. */
enum leaf { LEAF_1, LEAF_6, LEAF_7, LEAF_15, LEAF_16, LEAF_E1, LEAF_E7, NLEAVES };
static const u32 leaf_numbers[NLEAVES] = { 1, 6, 7, 0x15, 0x16, 0x80000001, 0x80000007 };
enum { EAX, EBX, ECX, EDX };

/* Which RAPL unit a counter counts in: PLAIN: none; TIME_UNIT: seconds; the others: Joules. */
enum rapl_unit { PLAIN, ENERGY_UNIT, DRAM_UNIT, PSYS_UNIT, TIME_UNIT, NRAPL_UNITS };

/* A package, a core, a CPU...: units are only appended and keep their numbers. */
struct unit {
	int lead;		/* row of its lowest measured CPU; NONE = it is offline */
	int cpu;		/* number of that CPU, or of its last leader */
	bool afar;		/* its energy is read on a CPU outside the cpuset: cpu */
	int ids[3];		/* the first of its unit_ids[] */
};

static struct machine {
	/* CPUID, of the main CPU */
	char vendor_name[13], hypervisor[13];
	int family, model, stepping;
	u32 max_leaf, max_ext;
	u32 leaf[NLEAVES][4];
	char brand[PROCESSOR_NAME];	/* "" = none */
	u64 microcode;			/* revision, 0 = unknown */
	/* platform */
	const struct platform *platform;
	u64 has;			/* features */
	u64 refused;			/* features of the platform that do not work here */
	int refused_error;	/* why: an errno; ENODATA = the package's energy is 0 */
	u64 platform_info;		/* MSR 0xce, 0 if it cannot be read */
	enum pkg_limit pkg_limit;	/* by the bits of the model's mask */
	bool pkg_limit_odd;		/* reserved bits are set above it: it excludes no state */
	int msr_error;			/* the errno of reading MSRs, 0 = they can be read */
	/* clocks */
	double bclk;			/* MHz, 0 = unknown */
	double base_hz;			/* the base frequency; 0 = unknown */
	u64 crystal_hz, tsc_hz;		/* from CPUID 0x15, 0 = unknown */
	double tsc_rate;		/* Hz: tsc_hz, else the base frequency; 0 = unknown */
	double tsc_tweak;		/* base frequency / TSC frequency */
	/* RAPL */
	double power_unit;		/* W of one count */
	double rapl_unit[NRAPL_UNITS];	/* J or s of one count */
	double tdp;			/* W, 0 = no RAPL registers */
	bool tdp_guessed;		/* no register gives it */
	double most_watts;		/* upper bound of the power of a package or domain */
	/* CPUs: allowed are those that are measured, rows 0 to n-1 in the order of the table */
	struct cpuset online, allowed;
	struct cpuset only;		/* --cpu only:, none = all; all others count as offline */
	struct cpuset left_out;		/* CPUs that it leaves out, and that are online in truth */
	struct cpuset cpuset;		/* of our control group, else all online CPUs */
	char *cpuset_path;
	int main_cpu;			/* the lowest allowed CPU */
	int n;
	int cpu[MAX_CPU];		/* row -> CPU number */
	int row[MAX_CPU];		/* CPU number -> row, or -1 */
	int core[MAX_CPU];		/* CPU number -> the lowest CPU of its core */
	int package[MAX_CPU];		/* CPU number, also of those left out -> its package id */
	int id[NIDS][MAX_CPU];		/* [id][row], as sysfs says */
	int in[NSCOPES][MAX_CPU];	/* [scope][row] the number of the CPU's unit, or -1 */
	struct unit *unit[NSCOPES];	/* [scope][number] all units ever seen */
	int nunits[NSCOPES];
	int units[NSCOPES];		/* how many of them are online */
	int nafar;	/* rows from n on: dies, or packages, that are read from afar */
	int units_of[MAX_CPU][NSCOPES];	/* [CPU number] 1 + its unit; 0 = not seen yet */
	/* see members_of(): the units in unit u are unit[first[u]] to unit[first[u + 1] - 1] */
	struct members { int *first, *unit; } members[NSCOPES][NSCOPES];
	bool within[NSCOPES][NSCOPES];	/* [a][b]: every unit of a lies within one of b */
	/* [CPU number] decided at the start; NULL = not known, as some CPUs were offline */
	struct place { int l3, l3s, module; } *place;
	bool placed;			/* that was decided */
	int packages;			/* then; 0 = not known */
	bool show_id[NIDS];		/* it has a column: it differs, or is Core or CPU */
	int tjmax[MAX_CPU];		/* [row of a package's leader] degrees C */
	bool tjmax_guessed;		/* neither a register nor the user gave one */
	int tcc;			/* degrees C that the user gave; 0 = none */
	signed char preferred;		/* AMD has preferred cores: 1, -1 = no, 0 = see FACTS */
	u8 main_type;			/* of the main CPU: ATOM_CORE, BIG_CORE, 0 = unknown */
	/* [CPU number] CPUID of each CPU; NULL = not read */
	struct visited { u32 apic, x2apic; u8 type; bool known; } *visited;
	bool unvisited;			/* we could not move to some CPU: retry later */
	unsigned rights;		/* EXPLAIN's own_rights(), and bit 31 once known */
	struct devices dev;		/* DEVICES fills it on demand */
} M;

/* Does the processor have all of these features: F(APERF) | F(HWP)? */
static bool has(u64 features)
{
	return (M.has & features) == features;
}

static bool has_quirk(enum quirk q)
{
	return M.platform->quirks & Q(q);
}

/* Is the processor one of these Intel models? */
/* Is this processor one of these models of Intel's? */
static bool is_model(const u16 models[MOST_MODELS])
{
	if (!has(F(INTEL)))
		return false;
	for (int i = 0; i < MOST_MODELS && models[i]; i++)
		if (models[i] == (M.family << 8 | M.model))
			return true;
	return false;
}

static const struct l2_events *l2_events(void)
{
	for (size_t i = 0; i < ARRAY_SIZE(l2_intel); i++)
		if (is_model(l2_intel[i].models))
			return &l2_intel[i];
	return has(F(AMD)) && M.family >= 0x17 && M.family <= 0x1a ? &l2_zen : NULL;
}

/* The row of the CPU that leads the unit of a row. */
static int lead_of(enum scope scope, int row)
{
	return M.unit[scope][M.in[scope][row]].lead;
}

static bool leads_unit(enum scope scope, int row)
{
	return lead_of(scope, row) == row;
}

/* --- CPUs --- */

/* Is this row a P-core?  Its module C6 register shows the residency of some E-cores. */
static bool is_p_core(int row)
{
	return M.id[ID_TYPE][row] == 'P';
}

/* A path below /sys/devices/system/cpu/cpuN/, in a buffer that the next call overwrites. */
static const char *cpu_path(int cpu, const char *rest)
{
	return pathf(SYS_CPU "cpu%d/%s", cpu, rest);
}

/* Returns the paths that match a pattern, sorted; free them with free_names(). */
static struct names list_matches(const char *pattern)
{
	struct names found = { 0 }, l;
	size_t k;

	*append(found.name, found.n) = textf("%s", pattern);
	/* each path with a '*' is replaced by its matches, which stand behind all of these */
	for (k = 0; k < found.n && strchr(found.name[k], '*'); k++) {
		const char *path = found.name[k], *rest = strchrnul(strchr(path, '*'), '/');
		char *dir SCOPED(ptr) = textf("%.*s", (int)(rest - path), path);
		char *name = strrchr(dir, '/');

		*name++ = '\0';
		src_dir(dir, &l);
		for (size_t i = 0; i < l.n; i++)	/* a '*' in a name is no pattern */
			if (!fnmatch(name, l.name[i], 0) && !strchr(l.name[i], '*'))
				*append(found.name, found.n) =
					textf("%s/%s%s", dir, l.name[i], rest);
		free_names(&l);
	}
	for (size_t i = 0; i < k; i++)
		free(found.name[i]);
	found.n -= k;
	memmove(found.name, found.name + k, found.n * sizeof(*found.name));
	return found;
}

/* Returns the path of the effective cpuset of our control group, or of its nearest ancestor. */
static char *find_cpuset(void)
{
	static const char root[] = "/sys/fs/cgroup";
	char *own = src_whole(-1, "/proc/self/cgroup");
	struct buf path = { 0 };

	own = first_line(own ? strstr(own, "0::/") : NULL);
	buf_printf(&path, "%s%s", root, own && own[4] && !strstr(own, "/..") ? own + 3 : "");
	for (;;) {
		size_t n = path.len;

		buf_puts(&path, "/cpuset.cpus.effective");
		if (n < sizeof(root) || src_whole(-1, path.p))
			return path.p;
		while (path.p[--n] != '/')
			;
		path.len = n;
	}
}

/* Reports CPUs of --cpu that are not online, and ends the program if none is. */
static void check_cpu_list(const struct cpuset *list, const struct cpuset *online)
{
	struct cpuset absent = *list;
	char *text;

	set_minus(&absent, online);
	if (set_next(&absent, 0) < 0)
		return;
	text = textf("%s", set_text(&absent));
	if (set_count(&absent) == set_count(list))
		die("--cpu: no CPU %s (online: %s)", text, set_text(online));
	note(0, "--cpu: skipped CPUs %s: not online", text);
	free(text);
}

/* Takes the CPUs that --cpu only: leaves out, or did in a recording, from those that are online. */
static void leave_out(void)
{
	bool limited = set_count(&M.only);

	memset(&M.left_out, 0, sizeof(M.left_out));
	if (limited && !set_count(&M.allowed))		/* at the start */
		check_cpu_list(&M.only, &M.online);
	if (!limited && !S.replays)
		return;
	for_each_cpu(cpu, &M.online)
		if (src_leave(cpu, limited && !set_has(&M.only, cpu)))
			set_add(&M.left_out, cpu);
	set_minus(&M.online, &M.left_out);
}

/* Finds the CPUs to measure: online, in our cpuset, and not refused. */
static void machine_cpus(void)
{
	struct cpuset measured = M.allowed;	/* a CPU that is loses what we would move for */
	const char *s = src_line(SYS_CPU "online");

	if (!s || parse_cpulist(s, &M.online) || set_next(&M.online, 0) < 0)
		die(SYS_CPU "online %s", s ? "lists no CPU" : "cannot be read: is /sys mounted?");
	leave_out();
	M.allowed = M.online;
	if (!M.cpuset_path)
		M.cpuset_path = find_cpuset();
	s = src_line(M.cpuset_path);
	if (!s || parse_cpulist(s, &M.cpuset) || set_next(&M.cpuset, 0) < 0)
		M.cpuset = M.online;
	for_each_cpu(cpu, &M.allowed)
		if (!set_has(&M.cpuset, cpu))
			set_remove(&M.allowed, cpu);
	if (set_count(&M.allowed) < set_count(&M.online))
		note(0, "the cpuset of this process allows CPUs %s only; "
		     "the others are not measured", s);
	if (set_next(&M.allowed, 0) < 0)
		die("no CPU left to measure");
	src_skip_refused(&M.allowed, &measured);
	M.main_cpu = set_next(&M.allowed, 0);
}

/* --- topology --- */

/* The files of a CPU's ids, and of the lists of the CPUs that share them. */
/* clang-format off */
static const struct level { const char *id, *list, *old_list; } levels[NIDS] = {
	[ID_PACKAGE] = { "topology/physical_package_id", "topology/package_cpus_list", "topology/core_siblings_list" },
	[ID_DIE] = { "topology/die_id", "topology/die_cpus_list", NULL },
	[ID_L3] = { "cache/index3/id", "cache/index3/shared_cpu_list", NULL },
	[ID_MODULE] = { "topology/cluster_id", "topology/cluster_cpus_list", NULL },
	[ID_CORE] = { "topology/core_id", "topology/core_cpus_list", "topology/thread_siblings_list" },
};
/* clang-format on */

/* Reads the number of a CPU's NUMA node, the M of cpuN/nodeM.  0 or -ENOENT: no NUMA. */
static int read_node(int cpu, u64 *v)
{
	struct names l SCOPED(names) = list_matches(cpu_path(cpu, "node*"));
	const char *digits = l.n ? strrchr(l.name[0], '/') + strlen("/node") : "";

	return scan_number(&digits, NULL, 10, INT_MAX / 16, v) ? 0 : -ENOENT;
}

/* The kernel's cluster id of a CPU whose cluster it does not know (x86: BAD_APICID). */
enum { NO_CLUSTER = 0xffff };

/*
 * Reads an id of all CPUs, for each unit from the files of one CPU.  0, a node -1: there is none;
 * -1: the kernel does not know it.
 */
static void read_ids(enum id id, int *ids)
{
	/* find_afar() and find_places() need those outside the cpuset, too */
	bool all = id == ID_PACKAGE || id == ID_DIE || id == ID_MODULE ||
		   (id == ID_L3 && has(F(AMD)));
	struct cpuset left = all ? M.online : M.allowed, set;
	const struct level *l = &levels[id];
	int first = set_next(&M.allowed, 0), missing = id == ID_NODE ? NONE : 0;

	if (id == ID_PACKAGE)		/* a cpumask may list those that are left out */
		set_join(&left, &M.left_out);
	for_each_cpu(cpu, &left)
		ids[cpu] = missing;
	for (int cpu = set_next(&left, 0); cpu >= 0; cpu = set_next(&left, cpu)) {
		const char *list;
		u64 v = (u64)missing;
		int err = id == ID_NODE ? read_node(cpu, &v) : src_number(cpu_path(cpu, l->id), &v);

		if (err == -EINVAL)
			note(hash_text(l->id), "%s: not a number: using 0", cpu_path(cpu, l->id));
		else if (err && cpu == first && id != ID_CORE)
			return;
		/* an older recording has none of CPUs that were not measured */
		if (id == ID_MODULE && (v == NO_CLUSTER || (err && !set_has(&M.allowed, cpu))))
			v = (u64)NONE;
		list = src_line(id == ID_NODE ? pathf(SYS_CPU "cpu%d/node%d/cpulist", cpu, (int)v)
					      : cpu_path(cpu, l->list));
		if (!list && l->old_list)
			list = src_line(cpu_path(cpu, l->old_list));
		if (!list || parse_cpulist(list, &set))
			memset(&set, 0, sizeof(set));
		set_add(&set, cpu);
		for_each_cpu(sharer, &set) {
			if (!set_has(&left, sharer))
				continue;
			ids[sharer] = (int)v;
			if (id == ID_CORE)
				M.core[sharer] = cpu;
			set_remove(&left, sharer);
		}
	}
}

/* RAPL counts dies on Intel, packages on AMD (kernel: rapl_pmu_is_pkg_scope). */
static enum scope energy_scope(void)
{
	return has(F(AMD)) ? PACKAGE : DIE;
}

struct named_cpu { int name[4], cpu; };	/* a CPU and the ids of its unit */

static int by_unit(const void *a, const void *b)
{
	const struct named_cpu *x = a, *y = b;

	for (size_t i = 0; i < ARRAY_SIZE(x->name); i++)
		if (x->name[i] != y->name[i])
			return x->name[i] < y->name[i] ? -1 : 1;
	return (x->cpu > y->cpu) - (x->cpu < y->cpu);
}

/* Returns the measured CPUs with their names in a scope, sorted; those of a unit have one name. */
static struct named_cpu *name_cpus(enum scope scope)
{
	struct named_cpu *c = zeroed((size_t)M.n, sizeof(*c));

	for (int row = 0; row < M.n; row++) {
		int *name = c[row].name;

		c[row].cpu = M.cpu[row];
		for (enum id id = 0; id < NIDS; id++)
			if (unit_ids[scope] & 1 << id)
				*name++ = M.id[id][row];
		if (scope == CORE)	/* ids of cores may repeat */
			*name = M.core[M.cpu[row]];
	}
	qsort(c, (size_t)M.n, sizeof(*c), by_unit);
	return c;
}

/*
 * Returns the unit that n CPUs of one name had before and that nobody leads yet: the one that one
 * of them led, or was in if its leader is offline; else an offline one of that name; else NULL.
 */
static struct unit *former_unit(enum scope scope, const struct named_cpu *c, int n)
{
	for (int i = 0; i < n; i++) {
		int seen = M.units_of[c[i].cpu][scope];
		struct unit *u;

		if (!seen)
			continue;
		u = &M.unit[scope][seen - 1];
		if (u->lead < 0 && (u->cpu == c[i].cpu || M.row[u->cpu] < 0))
			return u;
	}
	for (int i = 0; i < M.nunits[scope] && scope != CPU; i++) {
		struct unit *u = &M.unit[scope][i];

		if (u->lead < 0 && M.row[u->cpu] < 0 && !memcmp(u->ids, c->name, sizeof(u->ids)))
			return u;
	}
	return NULL;
}

/* Assigns the measured CPUs to the units of a scope: those with the same ids share a unit. */
static void find_units(enum scope scope)
{
	struct named_cpu *c SCOPED(ptr) = name_cpus(scope);

	for (int i = 0; i < M.nunits[scope]; i++) {
		M.unit[scope][i].lead = NONE;
		M.unit[scope][i].afar = false;
	}
	M.units[scope] = 0;
	for (int first = 0, end; first < M.n; first = end) {
		struct unit *u;

		end = first + 1;
		while (end < M.n && !memcmp(c[end].name, c[first].name, sizeof(c->name)))
			end++;
		u = former_unit(scope, &c[first], end - first);
		if (!u)
			u = append(M.unit[scope], M.nunits[scope]);
		*u = (struct unit){ .lead = M.row[c[first].cpu], .cpu = c[first].cpu };
		memcpy(u->ids, c[first].name, sizeof(u->ids));
		M.units[scope]++;
		for (int i = first; i < end; i++) {
			M.in[scope][M.row[c[i].cpu]] = (int)(u - M.unit[scope]);
			M.units_of[c[i].cpu][scope] = (int)(u - M.unit[scope]) + 1;
		}
	}
}

/* Returns the units of one scope by the unit of another that their leader is in, from a cache. */
static const struct members *members_of(enum scope of, enum scope in)
{
	struct members *m = &M.members[of][in];
	int *end;

	if (m->first)
		return m;
	m->first = zeroed((size_t)M.nunits[in] + 2, sizeof(int));
	m->unit = zeroed((size_t)(M.units[of] + M.nafar), sizeof(int));
	end = m->first + 1;
	for (int row = 0; row < M.n + M.nafar; row++)	/* -1: before those of unit 0 */
		end[M.in[in][row] + 1] += row < M.n ? leads_unit(of, row) : of == energy_scope();
	for (int u = 0; u < M.nunits[in]; u++)
		end[u + 1] += end[u];
	for (int row = 0; row < M.n + M.nafar; row++)
		if (row < M.n ? leads_unit(of, row) : of == energy_scope())
			m->unit[end[M.in[in][row]]++] = M.in[of][row];
	return m;
}

/* Fills in M.within and M.show_id, and empties the cache of members_of(). */
static void find_nesting(void)
{
	for (enum scope a = 0; a < NSCOPES; a++)
		for (enum scope b = 0; b < NSCOPES; b++) {
			const int *of = M.in[b];
			int row = 0;

			while (row < M.n && of[row] == of[lead_of(a, row)])
				row++;
			M.within[a][b] = row == M.n;
			free(M.members[a][b].first);
			free(M.members[a][b].unit);
			M.members[a][b] = (struct members){ 0 };
		}
	for (enum id id = 0; id < NIDS; id++) {
		M.show_id[id] = id == ID_CORE || id == ID_CPU;
		for (int i = 0; i < M.n; i++)
			M.show_id[id] |= id == ID_MODULE ? M.id[id][i] != M.id[id][0]
							 : M.id[id][i] > 0;
	}
	M.show_id[ID_NODE] = !M.within[PACKAGE][NODE];
	M.show_id[ID_TYPE] = has(F(HYBRID)) || (has(F(AMD)) && M.main_type);
}

/* Adds rows for online dies, on AMD packages, without a measured CPU: sums need their energy. */
static void find_afar(const int *packages, const int *dies)
{
	enum scope scope = energy_scope();

	M.nafar = 0;
	for_each_cpu(cpu, &M.online) {
		int ids[3] = { packages[cpu], scope == DIE ? dies[cpu] : 0 };
		int unit = 0, row = M.n + M.nafar, *in;
		struct unit *u;

		if (M.row[cpu] >= 0)
			continue;
		while (unit < M.nunits[scope] && memcmp(M.unit[scope][unit].ids, ids, sizeof(ids)))
			unit++;
		if (unit == M.nunits[scope])
			*append(M.unit[scope], M.nunits[scope]) =
				(struct unit){ NONE, cpu, false, { ids[0], ids[1] } };
		u = &M.unit[scope][unit];
		if (u->lead >= 0 || u->afar)
			continue;	/* it is read */
		u->afar = true;
		if (!set_has(&M.online, u->cpu) || M.row[u->cpu] >= 0)
			u->cpu = cpu;	/* else its event is open there */
		in = M.units_of[u->cpu];
		for (int i = 0; i < M.nunits[PACKAGE]; i++)
			if (M.unit[PACKAGE][i].ids[0] == packages[cpu])
				in[PACKAGE] = i + 1;
		in[SYSTEM] = 1;
		in[scope] = unit + 1;
		M.nafar++;
		M.cpu[row] = u->cpu;
		for (enum scope s = 0; s < NSCOPES; s++)
			M.in[s][row] = in[s] - 1;
	}
}

/*
 * Finds places that sysfs does not name: which L3 of its package each CPU has, and the lowest
 * module of each package.  CPUs that are online prove nothing while others are offline: this is
 * done once, if all CPUs that are present are online (older recordings do not list them), and kept.
 */
static void find_places(int (*ids)[MAX_CPU])
{
	const char *s = M.placed ? NULL : src_line(SYS_CPU "present");
	size_t n = (size_t)set_count(&M.online), k = 0;
	struct named_cpu *sorted SCOPED(ptr) = zeroed(n, sizeof(*sorted));
	struct cpuset absent;

	if (M.placed)
		return;
	M.placed = true;
	if (s && !parse_cpulist(s, &absent)) {
		set_minus(&absent, &M.online);
		if (set_count(&absent))
			return;
	}
	for_each_cpu(cpu, &M.online)
		sorted[k++] = (struct named_cpu){ { ids[ID_PACKAGE][cpu], ids[ID_L3][cpu] }, cpu };
	qsort(sorted, n, sizeof(*sorted), by_unit);
	M.place = zeroed(MAX_CPU, sizeof(*M.place));
	for (size_t first = 0, end; first < n; first = end) {
		int l3 = 0, lowest = INT_MAX;

		for (end = first; end < n && sorted[end].name[0] == sorted[first].name[0]; end++) {
			int cpu = sorted[end].cpu, module = ids[ID_MODULE][cpu];

			if (end > first && sorted[end].name[1] != sorted[end - 1].name[1])
				l3++;
			M.place[cpu].l3 = l3;
			if (module >= 0 && module < lowest)
				lowest = module;
		}
		for (size_t i = first; i < end; i++) {
			M.place[sorted[i].cpu].l3s = l3 + 1;
			M.place[sorted[i].cpu].module = lowest;
		}
		M.packages++;
	}
}

/* Reads the topology, and assigns the measured CPUs to rows and units. */
static void machine_topology(void)
{
	struct named_cpu *sorted SCOPED(ptr) =
		zeroed((size_t)set_count(&M.allowed), sizeof(*sorted));
	int (*ids)[MAX_CPU] SCOPED(ptr) = zeroed(NIDS, sizeof(*ids));

	for (enum id id = 0; id < ID_CPU; id++)		/* machine_visit() finds types */
		read_ids(id, ids[id]);
	memcpy(M.package, ids[ID_PACKAGE], sizeof(M.package));
	find_places(ids);
	M.n = 0;
	for_each_cpu(cpu, &M.allowed)
		sorted[M.n++] = (struct named_cpu){
			{ ids[ID_PACKAGE][cpu], ids[ID_DIE][cpu], M.core[cpu] }, cpu
		};
	qsort(sorted, (size_t)M.n, sizeof(*sorted), by_unit);
	memset(M.row, -1, sizeof(M.row));
	for (int i = 0; i < M.n; i++) {
		M.cpu[i] = sorted[i].cpu;
		M.row[M.cpu[i]] = i;
	}
	for (enum id id = 0; id < NIDS; id++)
		for (int i = 0; i < M.n; i++)
			M.id[id][i] = id == ID_CPU ? M.cpu[i] : ids[id][M.cpu[i]];
	for (enum scope s = 0; s < NSCOPES; s++)
		if (s != TYPE || !M.visited)	/* else machine_visit() does it */
			find_units(s);
	if (!M.visited)
		find_nesting();
	find_afar(ids[ID_PACKAGE], ids[ID_DIE]);
}

/* Returns how many packages have lower ids than a row's, also those outside the cpuset. */
static int packages_before(int row)
{
	int n = 0;

	for (int i = 0; i < M.nunits[PACKAGE]; i++)
		n += M.unit[PACKAGE][i].ids[0] < M.id[ID_PACKAGE][row];
	return n;
}

/* --- CPUID --- */

/* Bits of CPUID in the order of the header (SDM 2A, CPUID; APM 3, appendix E). */
struct cpuid_bit {
	enum leaf leaf;
	u8 reg, bit;
	const char *name;	/* NULL = not in the header */
	u64 gives, needs;	/* the feature that it announces, if any; that it requires */
};
static const struct cpuid_bit cpuid_bits[] = {
	{ LEAF_1, ECX, 0, "SSE3" }, { LEAF_1, ECX, 3, "MONITOR" }, { LEAF_1, ECX, 6, "SMX" },
	{ LEAF_1, ECX, 7, "EIST" }, { LEAF_1, ECX, 8, "TM2" }, { LEAF_1, ECX, 31, "HV", F(GUEST) },
	{ LEAF_1, EDX, 4, "TSC" }, { LEAF_1, EDX, 5, "MSR" }, { LEAF_1, EDX, 22, "ACPI-TM" },
	{ LEAF_1, EDX, 28, "HT" }, { LEAF_1, EDX, 29, "TM" },
	{ LEAF_6, ECX, 0, "APERF", F(APERF) }, { LEAF_6, EAX, 1, "TURBO", F(TURBO), F(NOT_AMD) },
	{ LEAF_6, EAX, 0, "DTS", F(DTS) }, { LEAF_6, EAX, 6, "PTM", F(PTM) },
	{ LEAF_6, EAX, 7, "HWP", F(HWP) }, { LEAF_6, EAX, 8, "HWPnotify", F(HWP_NOTIFY) },
	{ LEAF_6, EAX, 9, "HWPwindow" }, { LEAF_6, EAX, 10, "HWPepp" },
	{ LEAF_6, EAX, 11, "HWPpkg", F(HWP_PKG) }, { LEAF_6, ECX, 3, "EPB", F(EPB) },
	{ LEAF_7, EBX, 2, "SGX", F(SGX) }, { LEAF_7, EDX, 15, "Hybrid", F(HYBRID) },
	{ LEAF_E1, ECX, 22, NULL, F(TOPOLOGY_EXT), F(AMD) },
	{ LEAF_E7, EDX, 9, NULL, F(TURBO), F(AMD) },	/* core performance boost */
	{ LEAF_E7, EDX, 14, NULL, F(AMD_RAPL), F(AMD) },
};

/* Reads vendor, family, model, stepping (SDM 2A, CPUID: "Version Information") and features. */
static void read_cpuid(int cpu)
{
	u32 r[4];

	src_cpuid(cpu, 0, 0, r);
	M.max_leaf = r[0];
	memcpy(M.vendor_name, (u32[]){ r[1], r[3], r[2] }, 12);
	if (!strcmp(M.vendor_name, "GenuineIntel"))
		M.has |= F(INTEL);
	M.has |= !strcmp(M.vendor_name, "AuthenticAMD") || !strcmp(M.vendor_name, "HygonGenuine")
			 ? F(AMD) : F(NOT_AMD);
	src_cpuid(cpu, 1, 0, M.leaf[LEAF_1]);
	M.stepping = (int)FIELD(M.leaf[LEAF_1][0], 3, 0);
	M.model = (int)FIELD(M.leaf[LEAF_1][0], 7, 4);
	M.family = (int)FIELD(M.leaf[LEAF_1][0], 11, 8);
	if (M.family == 15)
		M.family += (int)FIELD(M.leaf[LEAF_1][0], 27, 20);
	if (M.family >= 6)
		M.model += (int)FIELD(M.leaf[LEAF_1][0], 19, 16) << 4;
	M.max_ext = src_processor_name(cpu, M.brand);
	for (enum leaf i = LEAF_6; i < NLEAVES; i++)
		/* a leaf above the maximum would return the data of another leaf */
		if (leaf_numbers[i] <= (i >= LEAF_E1 ? M.max_ext : M.max_leaf))
			src_cpuid(cpu, leaf_numbers[i], 0, M.leaf[i]);
	for (const struct cpuid_bit *p = cpuid_bits; p < cpuid_bits + ARRAY_SIZE(cpuid_bits); p++)
		if (has(p->needs) && M.leaf[p->leaf][p->reg] >> p->bit & 1)
			M.has |= p->gives;
	if (has(F(GUEST))) {
		src_cpuid(cpu, 0x40000000, 0, r);
		memcpy(M.hypervisor, &r[1], 12);
	}
}

static void find_platform(void)
{
	M.platform = has(F(AMD_RAPL)) ? &zen : &unlisted;
	for (size_t i = 0; i < ARRAY_SIZE(platforms); i++)
		if (is_model(platforms[i].models))
			M.platform = &platforms[i];
	M.has |= M.platform->has;
}

/* --- clocks, units --- */

/* Returns a register of the main CPU; 0 if it cannot be read. */
static u64 main_msr(u32 addr)
{
	u64 v;

	return M.msr_error || src_msr(M.main_cpu, addr, &v) ? 0 : v;
}

/* MSR_FSB_FREQ in MHz: Silvermont has the first five (SDM 4, table 2-6; Linux, tsc_msr.c). */
static const double fsb_mhz[] = { 250 / 3.0, 100, 400 / 3.0, 350 / 3.0, 80,
				  280 / 3.0, 90,  800 / 9.0, 87.5 };

/* Returns the bus clock in MHz, from the platform or MSR_FSB_FREQ; 0 = unknown. */
static double bus_clock(void)
{
	const struct platform *f = M.platform;
	u64 v, code;

	if (f->bclk > 0)
		return f->bclk;
	if (src_msr(M.main_cpu, MSR_FSB_FREQ, &v))
		return 0;
	code = f->fsb_codes > 8 ? FIELD(v, FSB_FREQ_CODE_AIRMONT) : FIELD(v, FSB_FREQ_CODE);
	if (code < f->fsb_codes)
		return fsb_mhz[code];
	note(0, "unknown code %llu in MSR_FSB_FREQ: assuming a bus clock of 116.7 MHz", code);
	return fsb_mhz[3];
}

/* Returns the frequency of an enabled P-state, AMD 17h and later (PPR, PStateDef); 0 = unknown. */
static double amd_pstate_hz(u32 n)
{
	u64 v = has(F(AMD)) && M.family >= 0x17 ? main_msr(MSR_AMD_PSTATE_0 + n) : 0;
	double divisor = (double)FIELD(v, AMD_PSTATE_DID);

	if (n && !FIELD(v, AMD_PSTATE_ENABLED))
		return 0;
	if (M.family >= 0x1a)
		return (double)FIELD(v, AMD_PSTATE_FID_1A) * 5e6;
	return divisor > 0 ? (double)FIELD(v, AMD_PSTATE_FID) / divisor * 200e6 : 0;
}

/* The least value of most_watts(); the TDP where no register gives it. */
enum { USUAL_WATTS = 2000, USUAL_TDP = 135 };

/* Returns an upper bound of a package's Watts: for peaks, four times its TDP, maximum or limits. */
static double most_watts(u64 info, u64 limits)
{
	const u64 says[] = { FIELD(info, POWER_INFO_TDP), FIELD(info, POWER_INFO_MAX),
			     FIELD(limits, POWER_LIMIT_POWER),
			     FIELD(FIELD(limits, POWER_LIMIT_2), POWER_LIMIT_POWER) };
	double most = USUAL_WATTS;

	for (size_t i = 0; i < ARRAY_SIZE(says); i++)
		if (says[i] != POWER_LIMIT_NONE && 4 * (double)says[i] * M.power_unit > most)
			most = 4 * (double)says[i] * M.power_unit;
	return most;
}

/* Reads the RAPL units (SDM 3B, "RAPL Interfaces"; PPR).  Without them, removes RAPL's features. */
static void machine_rapl(void)
{
	bool amd = has(F(AMD_RAPL)), any = amd || has(F(RAPL_PKG));
	u64 unit = 0, status = 0, info;
	double power, energy, time;
	int err = -M.msr_error;

	M.most_watts = USUAL_WATTS;
	if (!err && any)
		err = src_msr(M.main_cpu, amd ? MSR_AMD_RAPL_POWER_UNIT : MSR_RAPL_POWER_UNIT,
			      &unit);
	if (err || !any) {
		M.refused = M.has & RAPL_ALL;
		M.refused_error = -err;
		M.has &= ~M.refused;
		return;
	}
	err = src_msr(M.main_cpu, amd ? MSR_AMD_PKG_ENERGY_STATUS : MSR_PKG_ENERGY_STATUS, &status);
	if (err || !FIELD(status, 31, 0)) {
		M.refused = F(RAPL_AWAKE);	/* in a guest: header lines, throttle counters */
		M.refused_error = err ? -err : ENODATA;
		M.has &= ~M.refused;
	}
	power = (double)(1ull << FIELD(unit, RAPL_UNIT_POWER));
	energy = (double)(1ull << FIELD(unit, RAPL_UNIT_ENERGY));
	time = (double)(1ull << FIELD(unit, RAPL_UNIT_TIME));
	if (time <= 1 && !amd)
		time = 1024;	/* the default */
	M.power_unit = has_quirk(POWER_MW) ? 1e-3 * power : 1 / power;
	M.rapl_unit[ENERGY_UNIT] = has_quirk(ENERGY_UJ) ? 1e-6 * energy : 1 / energy;
	M.rapl_unit[TIME_UNIT] = has_quirk(ENERGY_UJ) ? 1 : 1 / time;
	M.rapl_unit[DRAM_UNIT] = has_quirk(DRAM_15UJ) ? 15.3e-6 : M.rapl_unit[ENERGY_UNIT];
	M.rapl_unit[PSYS_UNIT] = has_quirk(PSYS_1J) ? 1.0 : M.rapl_unit[ENERGY_UNIT];
	info = has(F(RAPL_PKG_INFO)) ? main_msr(MSR_PKG_POWER_INFO) : 0;
	M.most_watts = most_watts(info, amd ? 0 : main_msr(MSR_PKG_POWER_LIMIT));
	M.tdp = (double)FIELD(info, POWER_INFO_TDP) * M.power_unit;
	M.tdp_guessed = M.tdp <= 0;
	if (M.tdp_guessed)	/* the tick allows for four times as much */
		M.tdp = M.platform->tdp ? M.platform->tdp : USUAL_TDP;
}

/* Reads a register of a CPU, else of the main CPU: older recordings hold that one only. */
static int msr_or_main(int cpu, u32 addr, u64 *v)
{
	if (M.msr_error)
		return -M.msr_error;
	return src_msr(cpu, addr, v) ? src_msr(M.main_cpu, addr, v) : 0;
}

/* The register that holds TjMax and its offset; 0 = none. */
static u64 tcc_target(int cpu)
{
	u64 v;

	return has(F(INTEL)) && !msr_or_main(cpu, MSR_IA32_TEMPERATURE_TARGET, &v) ? v : 0;
}

/* Sets the TjMax of each package in degrees C: from --TCC, else the register, else 100. */
static void machine_tjmax(int tcc)
{
	M.tcc = tcc;
	M.tjmax_guessed = !tcc;
	for (int i = 0; i < M.n; i++) {
		u64 v = leads_unit(PACKAGE, i) && !tcc ? tcc_target(M.cpu[i]) : 0;

		M.tjmax[i] = tcc ? tcc : 100;
		if (FIELD(v, TEMPERATURE_TARGET_TJMAX)) {
			M.tjmax[i] = (int)FIELD(v, TEMPERATURE_TARGET_TJMAX);
			M.tjmax_guessed = false;
		}
	}
}

/* Returns degrees C below TjMax, from a thermal status register. */
static int readout(u64 status, bool package)
{
	return (int)(has_quirk(package ? PKG_READOUT_8 : CORE_READOUT_8)
			     ? FIELD(status, THERM_READOUT_8) : FIELD(status, THERM_READOUT));
}

enum { ATOM_CORE = 0x20, BIG_CORE = 0x40 };	/* SDM 2A, CPUID 0x1a EAX[31:24] */

/* Returns the type of the core that we run on (SDM 2A, CPUID 0x1a; APM 3, CPUID 0x80000026). */
static u8 read_core_type(int cpu)
{
	u32 r[4] = { 0 };

	if (has(F(AMD)) && M.max_ext >= 0x80000026) {
		src_cpuid(cpu, 0x80000026, 0, r);	/* are there several?  1 = efficiency */
		return !FIELD(r[0], 30, 30) ? 0 : FIELD(r[1], 31, 28) == 1 ? ATOM_CORE : BIG_CORE;
	}
	if (has(F(INTEL)) && M.max_leaf >= 0x1a)
		src_cpuid(cpu, 0x1a, 0, r);
	return (u8)(r[0] >> 24);
}

/* The PMUs of a hybrid's core types. */
static const struct core_pmu { const char *name; char letter; } core_pmus[] = {
	{ "cpu_core", 'P' }, { "cpu_atom", 'E' }, { "cpu_lowpower", 'L' },
};

/* Reads a set of CPUs from a file of a PMU.  False: there is no such file. */
static bool read_pmu_cpus(const char *pmu, const char *file, struct cpuset *set)
{
	const char *s = src_line(pathf(PERF_DEVICES "%s/%s", pmu, file));

	return s && !parse_cpulist(s, set);
}

/* Reads the APIC ids and core type of each CPU (SDM 2A, CPUID 1, 0xb; APM 3, 0x8000001e). */
static void machine_visit(void)
{
	bool l3 = has(F(HYBRID)) && src_has_number(cpu_path(M.main_cpu, levels[ID_L3].id));
	bool intel = has(F(INTEL));

	if (!M.visited)
		M.visited = zeroed(MAX_CPU, sizeof(*M.visited));
	M.unvisited = false;
	for (int i = 0; i < M.n; i++) {
		struct visited *v = &M.visited[M.cpu[i]];
		int cpu = M.cpu[i];
		u32 r[4];

		if (S.stays || src_go(cpu)) {	/* what is known of it stays true */
			M.unvisited |= !S.stays && !v->known;
		} else {
			*v = (struct visited){ .known = true };
			src_cpuid(cpu, 1, 0, r);
			v->apic = r[1] >> 24;
			if (intel ? M.max_leaf >= 0xb : has(F(TOPOLOGY_EXT))) {
				src_cpuid(cpu, intel ? 0xb : 0x8000001e, 0, r);
				v->x2apic = intel ? r[3] : r[0];
			}
			v->type = read_core_type(cpu);
		}
		if (v->type == BIG_CORE)
			M.id[ID_TYPE][i] = 'P';
		else if (v->type == ATOM_CORE)	/* a hybrid's low-power cores have no L3 */
			M.id[ID_TYPE][i] = l3 && !src_has_number(cpu_path(cpu, levels[ID_L3].id))
						   ? 'L' : 'E';
	}
	for (size_t k = 0; k < ARRAY_SIZE(core_pmus) && has(F(HYBRID)); k++) {
		char letter = core_pmus[k].letter;
		struct cpuset set;

		if (!read_pmu_cpus(core_pmus[k].name, "cpus", &set))
			continue;
		for (int i = 0; i < M.n; i++)	/* CPUID comes first, but does not tell L */
			if (set_has(&set, M.cpu[i]) && (!M.id[ID_TYPE][i] || letter == 'L'))
				M.id[ID_TYPE][i] = letter;
	}
	find_units(TYPE);
	find_nesting();
}

/* Reads CPUID and the topology.  only: the set of --cpu only:, or an empty one. */
static void machine_init(const struct cpuset *only)
{
	M.only = *only;
	machine_cpus();
	src_go(M.main_cpu);
	read_cpuid(M.main_cpu);
	find_platform();
	M.crystal_hz = M.leaf[LEAF_15][2] ? M.leaf[LEAF_15][2] : M.platform->crystal_hz;
	M.has |= F(RAPL_AWAKE);		/* machine_rapl() may remove it */
	M.main_type = read_core_type(M.main_cpu);
	src_batch(true);
	machine_topology();
	src_batch(false);
}

/* The deepest package state by a code of MSR_PKG_CST_CONFIG_CONTROL, without reserved bits. */
static enum pkg_limit pkg_limit_of(u64 code)
{
	return M.platform->limits->state[code & M.platform->limits->mask];
}

/* Reads clocks (SDM 3B, "Time-Stamp Counter"; CPUID 0x15, 0x16) and limits.  tcc: TjMax or 0. */
static void machine_registers(int tcc, bool no_msr, bool may_load)
{
	u64 ratio, limit, code;

	M.msr_error = no_msr ? ECANCELED : -src_find_msr(M.main_cpu, may_load);
	M.microcode = main_msr(MSR_IA32_UCODE_REV);
	M.microcode = has(F(AMD)) ? FIELD(M.microcode, UCODE_REV_AMD)
				  : FIELD(M.microcode, UCODE_REV_INTEL);
	M.pkg_limit = L_UNKNOWN;
	M.pkg_limit_odd = false;
	M.bclk = M.leaf[LEAF_16][2] & 0xffff;
	M.base_hz = (M.leaf[LEAF_16][0] & 0xffff) * 1e6;
	if (M.leaf[LEAF_15][0] && M.leaf[LEAF_15][1])
		M.tsc_hz = M.crystal_hz * M.leaf[LEAF_15][1] / M.leaf[LEAF_15][0];
	M.platform_info = has(F(INTEL)) ? main_msr(MSR_PLATFORM_INFO) : 0;
	if (has(F(PLATFORM_INFO)) && !M.msr_error) {
		M.bclk = bus_clock();
		ratio = FIELD(M.platform_info, PLATFORM_INFO_BASE_RATIO);
		if (ratio && M.bclk > 0)
			M.base_hz = (double)ratio * M.bclk * 1e6;
		if (!src_msr(M.main_cpu, MSR_PKG_CST_CONFIG_CONTROL, &limit)) {
			code = FIELD(limit, PKG_CST_LIMIT);
			M.pkg_limit = pkg_limit_of(code);
			M.pkg_limit_odd = code & ~(u64)M.platform->limits->mask;
		}
	}
	M.tsc_rate = M.tsc_hz ? (double)M.tsc_hz : M.base_hz > 0 ? M.base_hz : amd_pstate_hz(0);
	M.tsc_tweak = has(F(TSC_SCALE)) && M.base_hz > 0 && M.tsc_hz
			      ? M.base_hz / (double)M.tsc_hz : 1;
	machine_rapl();
	machine_tjmax(tcc);
}

/* ======================================================================== *
 * 7. DEVICES
 *
 * Finds devices in sysfs: powercap zones, temperatures, graphics, uncore clocks, telemetry regions,
 * PMUs of perf.  list_devices() lists all but temperatures, graphics and batteries: these only when
 * a counter needs them, as temperatures have a file for each core.  Owns M.dev.
 * ======================================================================== */

/* Where devices are looked for; --explain prints it. */
#define IN_HWMON	"/sys/class/hwmon"
#define IN_DRM		"/sys/class/drm"
#define IN_AMDGPU	"/sys/class/hwmon, amdgpu"
#define IN_POWERCAP	"/sys/class/powercap"
#define IN_UNCORE	SYS_CPU "intel_uncore_frequency"
#define IN_PLATFORM	"/sys/devices/platform"
#define IN_HSMP		IN_PLATFORM ", HSMP"

/* Keeps a string until the devices are listed again. */
static const char *keep_text(char *text)
{
	return *append(M.dev.texts.name, M.dev.texts.n) = text;
}

/* Returns the number in a file of a directory, or a default. */
static i64 number_in(const char *dir, const char *file, i64 otherwise)
{
	u64 v;

	return src_number(pathf("%s/%s", dir, file), &v) ? otherwise : (i64)v;
}

/* --- powercap (Documentation/power/powercap/powercap.rst) --- */

/* Lists the zones "intel-rapl:P" and, in each, "intel-rapl:P:S"; -mmio is for the header. */
static void list_zones(const char *in, const char *of)
{
	enum { MOST_ZONES = 128 };	/* the largest machines have 32 packages with 3 each */
	struct names zones SCOPED(names) = list_matches(pathf("%s/intel-rapl*:*", in));

	for (size_t i = 0; i < zones.n && M.dev.nzones < MOST_ZONES; i++) {
		const char *dir = zones.name[i];
		bool link = !of && strchr(dir, ':') != strrchr(dir, ':');
		const char *name = link ? NULL : src_line(pathf("%s/name", dir));

		if (!name)
			continue;
		name = keep_text(textf("%s", name));
		*append(M.dev.zone, M.dev.nzones) =
			(struct zone){ keep_text(textf("%s", dir)), name, of ? of : name };
		if (!of)
			list_zones(dir, name);
	}
}

/* Is this path a zone's, or that of a file or a zone within it? */
static bool is_in_zone(const char *path, const struct zone *z)
{
	const char *rest = text_after(path, z->dir);

	return rest && strchr(":/", *rest);
}

/*
 * Would powercap read a register on a CPU that is left out, for a file of this path?  Its driver
 * reads those of a package or die on one CPU, mostly the first; those of "psys" on the first of
 * all; those of intel-rapl-mmio on none.
 */
static bool is_read_outside(const char *path)
{
	int package, die, ids, first = MAX_CPU;
	size_t i = 0;

	if (!set_count(&M.left_out))
		return false;
	while (i < M.dev.nzones && !is_in_zone(path, &M.dev.zone[i]))
		i++;
	if (i == M.dev.nzones || text_after(path, IN_POWERCAP "/intel-rapl-"))
		return false;
	ids = sscanf(M.dev.zone[i].of, "package-%d-die-%d", &package, &die);
	for (int row = 0; row < M.n; row++)
		if ((ids < 1 || M.id[ID_PACKAGE][row] == package) &&
		    (ids < 2 || M.id[ID_DIE][row] == die) && M.cpu[row] < first)
			first = M.cpu[row];
	for_each_cpu(cpu, &M.left_out)
		if (cpu < first && (ids < 1 || M.package[cpu] == package))
			return true;
	return false;
}

/* Returns the energy file of a powercap domain: "psys", or one of this row's package or die. */
static char *find_powercap(const char *what, int row, u64 *modulus)
{
	const char *die = pathf("package-%d-die-%d", M.id[ID_PACKAGE][row], M.id[ID_DIE][row]);

	for (size_t i = 0; i < M.dev.nzones; i++) {
		const struct zone *z = &M.dev.zone[i];
		const char *domain = text_after(z->name, "package-") ? "package" : z->name;
		const char *rest = text_after(die, z->of);	/* "", "-die-0"; not "0-die-0" */

		/* the zones of intel-rapl-mmio count the same energy */
		if (strcmp(domain, what) || !text_after(z->dir, IN_POWERCAP "/intel-rapl:") ||
		    (strcmp(what, "psys") && (!rest || isdigit((u8)*rest))))
			continue;
		*modulus = (u64)number_in(z->dir, "max_energy_range_uj", -1) + 1;
		return textf("%s/energy_uj", z->dir);
	}
	return NULL;
}

/* --- temperatures (Documentation/hwmon/coretemp, k10temp) --- */

/* Adds the temperatures of package n, or of the package that the first label of coretemp names. */
static void add_sensors(const char *dir, int n, bool coretemp)
{
	static const struct { const char *label; enum sensor_kind kind; } labels[] = {
		{ "Core ", OF_CORE }, { "Package id ", OF_PACKAGE }, { "Physical id ", OF_PACKAGE },
		{ "Tccd", OF_CCD }, { "Tdie", OF_PACKAGE },
		{ "Tctl", OF_CONTROL },		/* has an offset on some parts */
	};
	struct names files SCOPED(names) = list_matches(pathf("%s/temp*_label", dir));

	for (size_t i = 0; i < files.n; i++) {
		int stem = (int)(strlen(files.name[i]) - strlen("label")), number;
		const char *label = src_line(files.name[i]), *rest = NULL;
		size_t k = ARRAY_SIZE(labels);

		while (label && !rest && k-- > 0)
			rest = text_after(label, labels[k].label);
		if (!rest)
			continue;
		number = parse_small(&rest, INT_MAX / 16);
		if (coretemp && labels[k].kind == OF_PACKAGE && number >= 0)
			n = number;
		*append(M.dev.sensor, M.dev.nsensors) = (struct sensor){
			labels[k].kind, n, labels[k].kind == OF_CORE ? number : 0,
			keep_text(textf("%.*sinput", stem, files.name[i]))
		};
	}
	if (!files.n && !coretemp)	/* before family 17h */
		*append(M.dev.sensor, M.dev.nsensors) = (struct sensor){
			OF_CONTROL, n, 0, keep_text(textf("%s/temp1_input", dir))
		};
}

/* Lists temperatures of processors, and AMD's graphics (Documentation/gpu/amdgpu/thermal). */
static void list_sensors(void)
{
	static const char *const drivers[] = { "coretemp", "k10temp", "zenpower" };
	struct names devices SCOPED(names) = { 0 };
	int n[2] = { 0 }, each;		/* of coretemp, of others */

	if (M.dev.sensors_listed)
		return;
	M.dev.sensors_listed = true;
	devices = list_matches(IN_HWMON "/hwmon*");
	for (size_t i = 0; i < devices.n; i++) {
		const char *dir = devices.name[i], *name = src_line(pathf("%s/name", dir));
		int driver = name ? find_word(name, drivers, ARRAY_SIZE(drivers)) : -1;

		if (driver >= 0)
			add_sensors(dir, n[driver > 0]++, driver == 0);
		else if (name && !M.dev.amdgpu && !strcmp(name, "amdgpu") &&
			 !src_has_number(pathf("%s/freq2_input", dir)) &&	/* not discrete */
			 src_has_number(pathf("%s/freq1_input", dir)))
			M.dev.amdgpu = keep_text(textf("%s/freq1_input", dir));
	}
	/* k10temp has a device for each node; the first is of package 0 in any case */
	each = M.packages ? n[1] / M.packages : 1;
	for (size_t i = 0; i < M.dev.nsensors; i++)
		if (M.packages || n[1] <= M.nunits[PACKAGE])
			M.dev.sensor[i].package /= each > 1 ? each : 1;
		else if (M.dev.sensor[i].package > 0)
			M.dev.sensor[i].package = NONE;
}

/* Returns the path of "NAME/FILE" of the first chip of that name; "NAME.2/FILE": of the second. */
static char *find_hwmon_file(const char *what, UNUSED int row, UNUSED u64 *modulus)
{
	size_t n = strcspn(what, "/"), short_n = strcspn(what, "./");
	struct names devices SCOPED(names) = list_matches(IN_HWMON "/hwmon*");
	int left = what[short_n] == '.' ? atoi(what + short_n + 1) : 1;

	for (size_t i = 0; i < devices.n; i++) {
		const char *name = src_line(pathf("%s/name", devices.name[i]));

		if (name && (is_word(what, n, name) || (is_word(what, short_n, name) && !--left)))
			return textf("%s%s", devices.name[i], what + n);
	}
	return NULL;
}

/* Returns the file of a temperature, or NULL. */
static const char *find_sensor(enum sensor_kind kind, int package, int number)
{
	for (size_t i = 0; i < M.dev.nsensors; i++) {
		const struct sensor *s = &M.dev.sensor[i];

		if (s->kind == kind && s->package == package && s->number == number)
			return s->input;
	}
	return NULL;
}

/* Returns the file of a core's or package's temperature, or of the clock of AMD's graphics. */
static char *find_hwmon(const char *what, int row, UNUSED u64 *modulus)
{
	int package = M.id[ID_PACKAGE][row];
	const char *input;

	list_sensors();
	if (!strcmp(what, "graphics"))
		input = M.dev.amdgpu;
	else if (!strcmp(what, "core"))
		input = find_sensor(OF_CORE, package, M.id[ID_CORE][row]);
	else if (!(input = find_sensor(OF_PACKAGE, package, 0)) || !src_has_number(input))
		input = find_sensor(OF_CONTROL, package, 0);
	return input ? textf("%s", input) : NULL;
}

/*
 * Returns the temperature file of an L3's AMD CCD.  A CCD has one L3; up to Zen 2 it has two.
 * Which L3s there are was decided at the start.
 */
static char *find_ccd(UNUSED const char *what, int row, UNUSED u64 *modulus)
{
	const struct place *place = M.place ? &M.place[M.cpu[row]] : NULL;
	int package = M.id[ID_PACKAGE][row], ccds = 0;
	const char **ccd SCOPED(ptr) = NULL;

	list_sensors();
	ccd = zeroed(M.dev.nsensors, sizeof(*ccd));
	for (size_t i = 0; i < M.dev.nsensors; i++)
		if (M.dev.sensor[i].kind == OF_CCD && M.dev.sensor[i].package == package)
			ccd[ccds++] = M.dev.sensor[i].input;
	if (!place || !ccds || (place->l3s != ccds && place->l3s != 2 * ccds))
		return NULL;
	return textf("%s", ccd[place->l3 / (place->l3s / ccds)]);
}

/* Are there sensors of chiplets whose package is not known? */
static bool lacks_places(void)
{
	for (size_t i = 0; i < M.dev.nsensors; i++)
		if (M.dev.sensor[i].kind == OF_CCD)
			return !M.place;
	return false;
}

/* --- graphics --- */

/* Files of a card of xe, i915, and i915 of older kernels (drivers/gpu/drm); '#' is its GT. */
/* clang-format off */
static const struct drm_files { const char *event, *file[3]; } drm_files[] = {
	{ "rc6", { "device/tile0/gt#/gtidle/idle_residency_ms", "gt/gt#/rc6_residency_ms", "power/rc6_residency_ms" } },
	{ "cur", { "device/tile0/gt#/freq0/cur_freq", "gt/gt#/rps_cur_freq_mhz", "gt_cur_freq_mhz" } },
	{ "act", { "device/tile0/gt#/freq0/act_freq", "gt/gt#/rps_act_freq_mhz", "gt_act_freq_mhz" } },
};
/* clang-format on */

/* Returns the file of a card for an event of its graphics or media GT, or NULL. */
static char *find_card_file(const char *card, const struct drm_files *f, bool media)
{
	const char *name = src_line(pathf("%s/device/tile0/gt0/gtidle/name", card));
	/* media is GT 1; on some xe cards it is GT 0 */
	int gt = media != (name && text_after(name, "gt0-mc"));

	for (size_t i = 0; i < ARRAY_SIZE(f->file); i++) {
		char *path = textf("%s/%s", card, f->file[i]), *number = strchr(path, '#');

		if (number)
			*number = gt ? '1' : '0';
		if ((number || !media) && src_has_number(path))
			return path;
		free(path);
	}
	return NULL;
}

/* Returns the file of an event, "rc6" or "media-rc6", of the first integrated Intel GPU. */
static char *find_drm(const char *what, UNUSED int row, UNUSED u64 *modulus)
{
	enum { MOST_CARDS = 256 };	/* with their connectors; a recording may have more */
	const char *media = text_after(what, "media-"), *event = media ? media : what;
	struct names cards SCOPED(names) = list_matches(IN_DRM "/card*");
	const struct drm_files *f = drm_files;
	char *path = NULL;

	while (strcmp(f->event, event))
		f++;
	for (size_t i = 0; i < cards.n && i < MOST_CARDS && !path; i++) {
		struct names hwmon SCOPED(names) =
			list_matches(pathf("%s/device/hwmon/hwmon*", cards.name[i]));

		/* a discrete card has a hwmon device; card0-DP-1 is a connector */
		if (!hwmon.n && !strchr(cards.name[i], '-'))
			path = find_card_file(cards.name[i], f, media);
	}
	return path;
}

/* --- sleep, batteries --- */

/* Microseconds in the lowest power state while suspended (Linux 6.4). */
#define HW_SLEEP	"/sys/power/suspend_stats/total_hw_sleep"
#define SUBSTATES	"/sys/kernel/debug/pmc_core/substate_residencies"

/* Parses the next S0ix substate, "NAME MICROSECONDS", perhaps after the line "pmcN" of its PMC. */
static bool next_substate(char **text, int *pmc, char name[16], u64 *v)
{
	char *s;

	while (*text && (s = strsep(text, "\n"))) {
		sscanf(s, "pmc%d", pmc);
		if (sscanf(s, " %15[S0-9i.] %llu", name, v) == 2)
			return true;
	}
	return false;
}

/* Reads the microseconds in an S0ix substate, "PMC NAME". */
static int read_substate(UNUSED int fd, const char *what, const char *path, u64 *v)
{
	char *text = src_whole(-1, path), name[16];
	int pmc = 0;

	while (next_substate(&text, &pmc, name, v))
		if (!strcmp(pathf("%d %s", pmc, name), what))
			return 0;
	return -ENOENT;
}

/* Returns a battery's power in uW, which some drivers report as negative. */
static double battery_power(const char *dir)
{
	u64 power, amps, volts;

	if (!src_number(pathf("%s/power_now", dir), &power))
		return __builtin_fabs((double)(i64)power);
	if (src_number(pathf("%s/current_now", dir), &amps) ||
	    src_number(pathf("%s/voltage_now", dir), &volts))
		return NaN;
	return __builtin_fabs((double)(i64)amps / 1e6 * (double)(i64)volts);
}

/* Is it a battery of the machine?  Those of mice and headsets have the scope Device. */
static bool is_battery(const char *dir)
{
	const char *type = src_line(pathf("%s/type", dir)), *scope;

	if (!type || strcmp(type, "Battery"))
		return false;
	scope = src_line(pathf("%s/scope", dir));
	return !scope || strcmp(scope, "Device");
}

/* Reads the power of all batteries in uW (ABI/testing/sysfs-class-power); -ENODATA: one charges. */
static int read_batteries(UNUSED int fd, UNUSED const char *what, const char *path, u64 *v)
{
	struct names all SCOPED(names) = list_matches(pathf("%s/*", path));
	bool found = false, giving = false;
	double sum = 0;

	for (size_t i = 0; i < all.n; i++) {
		const char *dir = all.name[i], *status;

		if (!is_battery(dir))
			continue;
		found = true;
		status = src_line(pathf("%s/status", dir));
		if (status && !strcmp(status, "Discharging")) {
			giving = true;
			sum += battery_power(dir);
		} else if (!status || !strcmp(status, "Charging")) {
			sum = NaN;
		}
	}
	if (!found)
		return -ENOENT;
	return giving && to_u64(sum, v) ? 0 : -ENODATA;
}

/* --- uncore clocks (Documentation/admin-guide/pm/intel_uncore_frequency_scaling) --- */

/* Returns the clock (kHz) of "DOMAIN.CLUSTER" in this row's package; NULL: of its die, if any. */
static char *find_uncore(const char *which, int row, UNUSED u64 *modulus)
{
	int package = M.id[ID_PACKAGE][row];

	if (!which && !M.dev.nclusters)
		return textf(IN_UNCORE "/package_%02d_die_%02d/current_freq_khz", package,
			     M.id[ID_DIE][row]);
	for (size_t i = 0; i < M.dev.nclusters; i++) {
		const struct cluster *c = &M.dev.cluster[i];

		if (which && c->package == package &&
		    !strcmp(pathf("%d.%d", c->domain, c->id), which))
			return textf("%s/current_freq_khz", c->dir);
	}
	return NULL;
}

/* --- clocks by AMD's HSMP (Documentation/arch/x86/amd_hsmp.rst) --- */

/*
 * Returns the file of a row's package, "fclk_input" or "mclk_input" (MHz).  The directories of the
 * driver hsmp_acpi, or of amd_hsmp, are the packages in the order of their numbers; if they are not
 * as many, nobody knows whose they are.
 */
static char *find_hsmp(const char *what, int row, UNUSED u64 *modulus)
{
	static const char *const drivers[] = { IN_PLATFORM "/AMDI0097:*",
					       IN_PLATFORM "/amd_hsmp/socket*" };
	int number = packages_before(row);

	for (size_t i = 0; i < ARRAY_SIZE(drivers); i++) {
		struct names dirs SCOPED(names) = list_matches(drivers[i]);
		char *path;

		if (dirs.n != (size_t)M.nunits[PACKAGE])
			continue;
		path = textf("%s/%s", dirs.name[number], what);
		if (src_has_number(path))
			return path;
		free(path);
	}
	return NULL;
}

/* --- telemetry: Intel PMT (Documentation/ABI/testing/sysfs-class-intel_pmt) --- */

/* Lists the telemetry devices with valid files that are not listed yet. */
static void list_telemetry(void)
{
	struct names l SCOPED(names) = list_matches("/sys/class/intel_pmt/telem*");

	for (size_t i = 0; i < l.n; i++) {
		const char *dir = l.name[i], *s = src_line(pathf("%s/guid", dir));
		u64 guid, size, offset;
		bool fits = s && parse_u64(s, 16, &guid) &&
			    !src_number(pathf("%s/size", dir), &size) &&
			    size >= 8 && size <= 1 << 24 &&
			    (src_number(pathf("%s/offset", dir), &offset) || !offset);

		s = pathf("%s/telem", dir);
		/* begin with the place that it had the last time, or else this is quadratic */
		for (size_t k = 0, n = M.dev.ntelemetry; k < n && fits; k++)
			fits = strcmp(M.dev.telemetry[(i + k) % n].path, s);
		if (fits)
			*append(M.dev.telemetry, M.dev.ntelemetry) = (struct telemetry){
				guid, size, textf("%s", s), -ENOENT
			};
	}
}

/* Opens the region of a telemN directory, or the seq-th of a guid.  Its number, or -errno. */
static int find_region(const char *dir, u32 guid, unsigned seq)
{
	int err = -ENOENT;	/* or the error of opening a region */

	for (size_t i = 0; i < M.dev.ntelemetry; i++) {
		struct telemetry *t = &M.dev.telemetry[i];
		const char *file = dir ? text_after(t->path, dir) : NULL;

		if (dir ? !file || strcmp(file, "/telem") : t->guid != guid)
			continue;
		if (t->fd < 0 && t->fd != -EMFILE)
			t->fd = src_keep(t->path, REGION);
		if (t->fd < 0 && t->fd != -EMFILE)
			err = t->fd;
		else if (dir || !seq--)
			return (int)i;
	}
	return err;
}

/* Reads 64 bits of a region.  After -ENODEV, opens it for each read: the driver may return. */
static int read_region(int region, u32 offset, u64 *v)
{
	struct telemetry *t = &M.dev.telemetry[region];
	int err = offset + sizeof(*v) > t->size ? -EINVAL : src_word(t->fd, t->path, offset, v);

	if (err == -ENODEV) {
		src_close(t->fd);
		t->fd = -EMFILE;
	}
	return err;
}

/* --- the PMUs of perf --- */

/* Reads the CPUs that a PMU counts on, once per plan. */
static void load_pmu_cpus(struct pmu *p)
{
	if (p->is_known)
		return;
	p->is_known = true;
	p->masked = read_pmu_cpus(p->name, "cpumask", &p->mask);
	p->limited = read_pmu_cpus(p->name, "cpus", &p->cpus);
}

/* Types of events that need no PMU in sysfs: their place is their perf_event_attr.type. */
static const char *const perf_types[] = { "hw", "software", "tracepoint" };

/* The PMU of a name, or NULL.  "hw", and "cpu" of a hybrid, need the PMU of a core. */
static struct pmu *find_pmu(const char *name)
{
	static struct pmu generic[] = { { .name = "hw", .is_known = true },	/* not in sysfs */
					{ .name = "cpu", .is_known = true } };
	bool hw = !strcmp(name, "hw"), core = hw || !strcmp(name, "cpu"), there = false;

	for (size_t i = 0; i < M.dev.npmus; i++) {
		const char *p = M.dev.pmu[i].name;

		if (!strcmp(p, name))
			return &M.dev.pmu[i];
		there |= !strcmp(p, "cpu") || !strcmp(p, core_pmus[0].name);
	}
	return core && there ? &generic[!hw] : NULL;
}

/* The CPUs of a row's core. */
static struct cpuset core_cpus(int row)
{
	const struct level *l = &levels[ID_CORE];
	const char *s = src_line(cpu_path(M.cpu[row], l->list));
	struct cpuset set;

	if (!s)
		s = src_line(cpu_path(M.cpu[row], l->old_list));
	if (!s || parse_cpulist(s, &set))
		memset(&set, 0, sizeof(set));
	return set;
}

/*
 * Returns the CPU that is left out on which a PMU counts for a row, or NONE.  The kernel would open
 * an event of another CPU there, of the same core or else package.
 */
static int left_out_for(enum scope scope, struct pmu *pmu, int row)
{
	bool of_core = scope == CORE || scope == CPU;
	struct cpuset core = { .w = { 0 } };

	if (!set_count(&M.left_out) || !pmu)
		return NONE;
	load_pmu_cpus(pmu);
	if (of_core)
		core = core_cpus(row);
	for_each_cpu(cpu, &pmu->mask)	/* it is empty without a cpumask */
		if (set_has(&M.left_out, cpu) &&
		    (of_core ? set_has(&core, cpu)
			     : scope == SYSTEM || M.package[cpu] == M.package[M.cpu[row]]))
			return cpu;
	return NONE;
}

/* Does the name equal want, match its '*', or add a number (uncore_cha, uncore_cha_3)? */
static bool pmu_matches(const char *name, const char *want)
{
	const char *rest = text_after(name, want);

	if (strchr(want, '*'))
		return !fnmatch(want, name, 0);
	if (!rest || (*rest && *rest++ != '_'))
		return false;
	return !*rest || !rest[strspn(rest, "0123456789abcdef")];
}

/* Lists the devices, at the start and again when CPUs or drivers may have come or gone. */
static void list_devices(void)
{
	struct names l SCOPED(names) = { 0 };

	free_names(&M.dev.texts);
	M.dev.amdgpu = NULL;
	M.dev.sensors_listed = false;
	M.dev.nzones = M.dev.nsensors = M.dev.npmus = M.dev.nclusters = 0;
	list_zones(IN_POWERCAP, NULL);
	/* "uncore00", "uncore01", ... up to the first gap */
	while (M.dev.nclusters < 100 &&
	       src_has_number(pathf(IN_UNCORE "/uncore%02zu/current_freq_khz", M.dev.nclusters))) {
		const char *dir = keep_text(textf(IN_UNCORE "/uncore%02zu", M.dev.nclusters));

		*append(M.dev.cluster, M.dev.nclusters) = (struct cluster){
			(int)number_in(dir, "package_id", -1), (int)number_in(dir, "domain_id", -1),
			(int)number_in(dir, "fabric_cluster_id", -1), dir
		};
	}
	list_telemetry();
	src_dir("/sys/bus/event_source/devices", &l);
	for (size_t i = 0; i < l.n; i++)
		*append(M.dev.pmu, M.dev.npmus) =
			(struct pmu){ .name = keep_text(textf("%s", l.name[i])) };
}

/* ======================================================================== *
 * 8. FACTS
 *
 * What the machine says about itself, and what does not depend on an interval: one function for
 * each fact.  Header, JSON, answers and the page print and judge facts by these functions only.  A
 * fact is true, or it is unknown (NaN, an empty list).  A decoder (..._of) is pure; a reader reads
 * and decodes, for a row: the fact is that of the row's package, type or core.  A fact is read
 * when somebody prints it, never in a sample.  A judge compares two readings, so it calls the
 * decoder on each, and names what was read among the places of its question, for recordings.
 * Calls BASE, SOURCES, MACHINE and DEVICES.
 * ======================================================================== */

/* --- temperatures --- */

/* Degrees C between TjMax and where the processor throttles; 0 where the model has no offset. */
static int tcc_offset(u64 target)
{
	return (int)(target >> 24 & ((1ull << M.platform->tcc_bits) - 1));
}

/* Can firmware and kernel set the offset? */
static bool has_tcc_offset(void)
{
	return M.platform->tcc_bits && FIELD(M.platform_info, PLATFORM_INFO_TCC_PROGRAMMABLE);
}

/*
 * Degrees C at which a processor throttles, by MSR_IA32_TEMPERATURE_TARGET: TjMax less its offset.
 * With --TCC the user's word.  SDM and kernel disagree on the sign of Silvermont's offset: ignored.
 */
static double throttle_of(u64 target)
{
	int tjmax = (int)FIELD(target, TEMPERATURE_TARGET_TJMAX);

	if (M.tcc)
		return M.tcc;
	if (!tjmax)
		return NaN;
	return has_tcc_offset() && !M.platform->fsb_codes ? tjmax - tcc_offset(target) : tjmax;
}

/* Degrees C at which the package of a row throttles; NaN: not known. */
static double throttle_celsius(int row)
{
	return throttle_of(tcc_target(M.cpu[lead_of(PACKAGE, row)]));
}

/* --- the highest clock --- */

/* The highest ratio while this many cores of a type are busy. */
struct turbo_limit { u64 cores, ratio; };

struct turbo_limits {
	u64 value, counts;	/* the register; that of its core counts, 0 = it has none */
	int n;
	struct turbo_limit limit[8];	/* by number of cores */
};

/* A register of turbo ratios. */
struct turbo_register {
	unsigned layout;	/* of the platforms that have it: TURBO_18, ... */
	u32 msr;
	const char *name;
	void (*decode)(const struct turbo_register *r, struct turbo_limits *l);
	u8 ratios, base;	/* a byte for each; the first is for base + 1 cores */
	unsigned counting;	/* platforms where another register counts the cores */
	u32 counts;
	const char *counts_name;
	char type;		/* letter of its cores; 0 = of all, of a hybrid the P-cores */
	bool atom;		/* 6 bits for each, in the lower half; printed if it is 0 */
};

/*
 * Finds how many cores each ratio is for; a ratio of 0 is none.  With core counts (SDM 4,
 * MSR_TURBO_RATIO_LIMIT_CORES; not 0 or all ones), each group must raise the count.
 */
static void decode_ratios(const struct turbo_register *r, struct turbo_limits *l)
{
	u64 most = 0;

	for (u64 i = 0; i < r->ratios; i++) {
		u64 ratio = l->value >> 8 * i & (r->atom ? 0x3f : 0xff);
		u64 cores = l->counts ? l->counts >> 8 * i & 0xff : r->base + i + 1;

		if (!ratio || cores <= most)
			continue;
		l->limit[l->n++] = (struct turbo_limit){ cores, ratio };
		most = cores;
	}
}

/* Xeon Phi (SDM 4, table 2-56): group 1, then 5 bits of more cores and 3 bits of less ratio. */
static void decode_deltas(UNUSED const struct turbo_register *r, struct turbo_limits *l)
{
	u64 cores = FIELD(l->value, KNL_TURBO_CORES), ratio = FIELD(l->value, KNL_TURBO_RATIO);

	for (int i = 1; i <= 7; i++) {
		u64 group = i < 7 ? l->value >> (8 + 8 * i) & 0xff : 0;
		u64 less = FIELD(group, 7, 5);

		/* the largest number of cores that has a ratio */
		if ((i == 7 || less) && ratio & 0xff)
			l->limit[l->n++] = (struct turbo_limit){ cores, ratio & 0xff };
		cores += FIELD(group, 4, 0);
		ratio -= less;
	}
}

/* clang-format off */
#define NAMED(msr)	msr, #msr
/* in the order of the header: more cores first */
static const struct turbo_register turbo_registers[] = {
	{ TURBO_18, NAMED(MSR_TURBO_RATIO_LIMIT2), decode_ratios, 2, 16 },
	{ TURBO_16, NAMED(MSR_TURBO_RATIO_LIMIT1), decode_ratios, 8, 8 },
	{ TURBO_8, NAMED(MSR_TURBO_RATIO_LIMIT), decode_ratios, 8, 0, TURBO_GROUPS | TURBO_COUNTS, NAMED(MSR_TURBO_RATIO_LIMIT1) },
	{ TURBO_E, NAMED(MSR_SECONDARY_TURBO_RATIO_LIMIT), decode_ratios, 8, 0, TURBO_E, NAMED(MSR_SECONDARY_TURBO_RATIO_LIMIT_CORES), 'E' },
	{ TURBO_L, NAMED(MSR_SECONDARY_TURBO_RATIO_LIMIT), decode_ratios, 8, 0, TURBO_L, NAMED(MSR_SECONDARY_TURBO_RATIO_LIMIT_CORES), 'L' },
	{ TURBO_ATOM, NAMED(MSR_ATOM_CORE_TURBO_RATIOS), decode_ratios, 4, 0, .atom = true },
	{ TURBO_DELTA, NAMED(MSR_TURBO_RATIO_LIMIT), decode_deltas },
};
/* clang-format on */

/* Is a core of this type measured? */
static bool has_cores(char type)
{
	for (const struct unit *u = M.unit[TYPE]; u < M.unit[TYPE] + M.nunits[TYPE]; u++)
		if (u->lead >= 0 && M.id[ID_TYPE][u->lead] == type)
			return true;
	return false;
}

/* Is this row an E-core or a low-power core of a hybrid? */
static bool is_atom(int row)
{
	return has(F(HYBRID)) && (M.id[ID_TYPE][row] == 'E' || M.id[ID_TYPE][row] == 'L');
}

/* Are a register's ratios those of a row's core?  One kind of Atom core has those of any letter. */
static bool is_turbo_of(const struct turbo_register *r, int row)
{
	int type = M.id[ID_TYPE][row];

	if (!has(F(HYBRID)))
		return true;
	if (!is_atom(row))
		return type == 'P' && !r->type;
	return r->type == type || (r->type && !(has_cores('E') && has_cores('L')));
}

/* The measured cores that a register's ratios are of. */
static u64 cores_of_turbo(const struct turbo_register *r)
{
	u64 n = 0;

	for (int row = 0; row < M.n; row++)
		if (leads_unit(CORE, row) && is_turbo_of(r, row))
			n++;
	return n;
}

/* Reads a turbo register for the package of a CPU.  False: there is nothing to print. */
static bool read_turbo(const struct turbo_register *r, int cpu, struct turbo_limits *l)
{
	*l = (struct turbo_limits){ 0 };
	if (!has(F(TURBO)) || !(r->layout & M.platform->turbo))
		return false;
	if (r->type && !(has(F(HYBRID)) && (has_cores('E') || has_cores('L'))))
		return false;
	if (msr_or_main(cpu, r->msr, &l->value))
		return false;
	if (!l->value && (!r->atom || has(F(GUEST))))
		return false;
	if (r->atom)
		l->value = FIELD(l->value, 31, 0);
	/* with TURBO_GROUPS the ratios mean nothing without their counts */
	if (r->counting & M.platform->turbo && msr_or_main(cpu, r->counts, &l->counts) &&
	    r->counting & M.platform->turbo & TURBO_GROUPS)
		return true;
	if (l->counts == UINT64_MAX)
		l->counts = 0;
	r->decode(r, l);
	if (r->type && !l->counts && l->n == 1)	/* a single ratio holds for all of them */
		l->limit[0].cores = cores_of_turbo(r) ?: l->limit[0].cores;
	return true;
}

/* The first row of a core that a register's ratios are for; NONE: no such core is measured. */
static int turbo_row(const struct turbo_register *r)
{
	for (int row = 0; row < M.n; row++)
		if (is_turbo_of(r, row))
			return row;
	return NONE;
}

/* MHz of a row's core while N cores of its type are busy, by the turbo registers; 0 = unknown. */
static double turbo_mhz(int row, u64 cores)
{
	struct turbo_limit best = { 0, 0 };

	for (size_t i = 0; i < ARRAY_SIZE(turbo_registers); i++) {
		const struct turbo_register *r = &turbo_registers[i];
		struct turbo_limits l;

		if (!is_turbo_of(r, row) || !read_turbo(r, M.cpu[lead_of(PACKAGE, row)], &l))
			continue;
		/* the smallest count that is at least N; above the last one its ratio holds */
		for (const struct turbo_limit *t = l.limit; t < l.limit + l.n; t++)
			if (best.cores < cores ? t->cores > best.cores
					       : t->cores >= cores && t->cores < best.cores)
				best = *t;
	}
	return (double)best.ratio * M.bclk;
}

/* Is turbo switched off by the firmware, so that CPUID does not show it? */
static bool hides_turbo(void)
{
	return has(F(INTEL)) && FIELD(main_msr(MSR_IA32_MISC_ENABLE), MISC_ENABLE_TURBO_DISABLE);
}

/* Is this an Intel processor without turbo?  False if nobody can know, as in a guest. */
static bool lacks_turbo(void)
{
	u64 v;

	return has(F(INTEL)) && !has(F(GUEST)) && !has(F(TURBO)) && !M.msr_error &&
	       !src_msr(M.main_cpu, MSR_IA32_MISC_ENABLE, &v) &&
	       !FIELD(v, MISC_ENABLE_TURBO_DISABLE);
}

/* MHz of an Atom core's highest HWP level, 100 each (Linux, intel_pstate.c); 0 = unknown. */
static double hwp_mhz(int row)
{
	u64 v;

	if (!is_atom(row) || !has(F(HWP)) || M.msr_error)
		return 0;
	if (src_msr(M.cpu[row], MSR_HWP_CAPABILITIES, &v) &&
	    src_msr(M.cpu[lead_of(TYPE, row)], MSR_HWP_CAPABILITIES, &v))
		return 0;
	return (double)FIELD(v, HWP_CAP_HIGHEST) * 100;
}

/* The number in a file of a CPU; 0 = unknown. */
static double cpu_number(int cpu, const char *file)
{
	u64 v;

	return src_number(cpu_path(cpu, file), &v) ? 0 : (double)v;
}

/* A level of AMD's CPPC, by the bits of MSR_AMD_CPPC_CAP1, else by a file; 0 = unknown. */
static double cppc_level(int cpu, int high, int low, const char *file)
{
	u64 v = 0;

	if (M.msr_error || src_msr(cpu, MSR_AMD_CPPC_CAP1, &v))
		v = 0;
	return FIELD_(v, high, low) ?: cpu_number(cpu, file);
}

static double highest_level(int cpu)
{
	return cppc_level(cpu, CPPC_CAP_HIGHEST, "acpi_cppc/highest_perf");
}

/* Do CPUs differ in the highest level?  Then it ranks cores: some are preferred. */
static bool has_preferred_cores(void)
{
	double main;

	if (M.preferred)
		return M.preferred > 0;
	M.preferred = -1;
	main = highest_level(M.main_cpu);
	for_each_cpu(cpu, &M.online) {
		double level = main > 0 ? highest_level(cpu) : 0;

		if (level > 0 && (level > main || level < main))
			M.preferred = 1;
	}
	return M.preferred > 0;
}

static bool is_zen5(void)
{
	return M.family == 0x1a && (M.model < 0x30 || M.model >> 4 == 4 || M.model >> 4 == 6 ||
				    M.model >> 4 == 7);
}

/* The level of a row's boost clock (Linux, arch/x86/kernel/acpi/cppc.c); 0 = unknown. */
static double boost_level(int row)
{
	bool several = M.main_type;	/* types of cores */

	if (!has_preferred_cores())
		return highest_level(M.cpu[row]);
	if (M.family == 0x19 && M.model >> 4 == 7)
		return 196;
	if (!several)
		return 166;
	return is_zen5() && M.id[ID_TYPE][row] == 'P' ? 196 : highest_level(M.cpu[row]);
}

/* MHz of CPPC's nominal level, AMD's base clock; 0 = unknown. */
static double amd_base_mhz(int cpu)
{
	double hz = amd_pstate_hz(0);

	return hz > 0 ? hz / 1e6 : cpu_number(cpu, "acpi_cppc/nominal_freq");
}

/* MHz of one of CPPC's levels, which are proportional to clocks; 0 = unknown. */
static double cppc_mhz(int cpu, double level)
{
	double nominal = cppc_level(cpu, CPPC_CAP_NOMINAL, "acpi_cppc/nominal_perf");

	return nominal > 0 ? amd_base_mhz(cpu) / nominal * level : 0;
}

/* MHz of the boost of AMD's core; 0 = unknown. */
static double boost_mhz(int row)
{
	double khz = cpu_number(M.cpu[row], "cpufreq/amd_pstate_max_freq");

	return khz > 0 ? khz / 1e3 : cppc_mhz(M.cpu[row], boost_level(row));
}

/*
 * Is a highest clock that of a processor without its turbo?  With acpi-cpufreq, or while turbo is
 * switched off, cpuinfo_max_freq is the base clock.
 */
static bool lacks_its_turbo(double mhz, double base)
{
	return (has(F(TURBO)) || hides_turbo()) && mhz >= 0.99 * base && mhz <= 1.01 * base;
}

/* MHz of a single core by cpufreq; 0 = unknown. */
static double cpufreq_mhz(int row)
{
	double mhz = cpu_number(M.cpu[row], "cpufreq/cpuinfo_max_freq") / 1e3;

	if (mhz <= 0)
		return has(F(AMD)) ? boost_mhz(row) : 0;
	return lacks_its_turbo(mhz, M.tsc_rate / 1e6) ? 0 : mhz;
}

/* A clock, and for how many busy cores of a package and type it holds. */
struct highest {
	double mhz;		/* NaN = unknown */
	enum holds { FOR_ONE, FOR_N, FOR_ANY } holds;
};

/* The highest clock of a row's core while N cores of its package and type are busy. */
static struct highest highest_mhz(int row, u64 cores)
{
	double mhz = turbo_mhz(row, cores);

	if (mhz > 0)
		return (struct highest){ mhz, FOR_N };
	mhz = lacks_turbo() ? (M.base_hz > 0 ? M.base_hz : M.tsc_rate) / 1e6 : 0;
	if (mhz > 0)
		return (struct highest){ mhz, FOR_ANY };
	mhz = hwp_mhz(row);
	if (mhz > 0)
		return (struct highest){ mhz, FOR_ANY };
	mhz = cpufreq_mhz(row);
	if (mhz > 0)
		return (struct highest){ mhz, FOR_ONE };
	mhz = has(F(HYBRID)) ? 0 : M.leaf[LEAF_16][EBX] & 0xffff;	/* there of P-cores */
	return (struct highest){ mhz > 0 ? mhz : NaN, FOR_ONE };
}

/* --- idle states --- */

/* The package C-state limit; NULL: none that is known, or a guest's 0. */
static const char *pkg_limit_word(UNUSED int row)
{
	if (M.pkg_limit <= L_UNKNOWN || (has(F(GUEST)) && !main_msr(MSR_PKG_CST_CONFIG_CONTROL)))
		return NULL;
	return pkg_limit_names[M.pkg_limit];
}

enum { ANY_LATENCY = 2000000000 };	/* us; if no program asks for a latency */
#define DMA_LATENCY	"/dev/cpu_dma_latency"

/* The microseconds in what DMA_LATENCY holds, a 32-bit integer; NONE: it holds something else. */
static int latency_of(const char *bytes, size_t n)
{
	int32_t usec;

	if (n != sizeof(usec))
		return NONE;
	memcpy(&usec, bytes, sizeof(usec));
	return usec;
}

/* The latency in us that programs ask of the idle governor, ANY_LATENCY if none does; NONE. */
static int dma_latency(void)
{
	struct buf b SCOPED(buf) = { 0 };

	return src_text(-1, DMA_LATENCY, &b) ? NONE : latency_of(b.p, b.len);
}

/* The same as a number; NaN: unknown, or no program asks. */
static double asked_latency(UNUSED int row)
{
	int usec = dma_latency();

	return usec == NONE || usec == ANY_LATENCY ? NaN : usec;
}

/* --- power limits --- */

/* Does a power field mean no limit: all ones, or firmware's 4095 W? */
static bool is_no_limit(u64 limit)
{
	return limit == POWER_LIMIT_NONE || (double)limit * M.power_unit >= 4095;
}

/* Watts of a limit in half of MSR_PKG_POWER_LIMIT; NaN: disabled, or none. */
static double limit_of(u64 half)
{
	u64 limit = FIELD(half, POWER_LIMIT_POWER);

	if (!FIELD(half, POWER_LIMIT_ENABLE) || !limit || is_no_limit(limit))
		return NaN;
	return (double)limit * M.power_unit;
}

/* Watts of a constraint of powercap; NaN: its zone is disabled, or none. */
static double constraint_of(double microwatts, bool enabled)
{
	return enabled && microwatts > 0 && microwatts < 4095e6 ? microwatts / 1e6 : NaN;
}

/* Is this the name of a zone of the package: "package-0", "package-0-die-1"? */
static bool is_zone_of(const char *name, int package)
{
	const char *rest = text_after(name, pathf("package-%d", package));

	return rest && !isdigit((u8)*rest);
}

enum limit { PL1, PL2 };

/* The number of a zone's constraint: by its name, which older recordings lack; NONE: no such. */
static int find_constraint(const char *dir, enum limit which)
{
	static const char *const names[] = { "long_term", "short_term" };

	for (int k = PL1; k <= PL2; k++) {
		const char *name = src_line(pathf("%s/constraint_%d_name", dir, k));

		if (name ? !strcmp(name, names[which]) : k == (int)which)
			return k;
	}
	return NONE;
}

/* Lowers Watts to the limit of a package's zones.  False: no zone can be read. */
static bool read_zones(int package, enum limit which, double *least)
{
	bool any = false;

	for (const struct zone *z = M.dev.zone; z < PAST(M.dev.zone, M.dev.nzones); z++) {
		bool mine = is_zone_of(z->name, package) && !is_read_outside(z->dir);
		int k = mine ? find_constraint(z->dir, which) : NONE;
		double watts;
		u64 uw;

		if (mine && number_in(z->dir, "constraint_0_power_limit_uw", NONE) != NONE)
			any = true;
		if (k == NONE ||
		    src_number(pathf("%s/constraint_%d_power_limit_uw", z->dir, k), &uw))
			continue;
		watts = constraint_of((double)uw, number_in(z->dir, "enabled", 1) != 0);
		if (watts == watts && !(watts >= *least))
			*least = watts;
	}
	return any;
}

/* Does MSR_PKG_POWER_LIMIT hold the limit?  Silvermont's has PL1 only (SDM 4). */
static bool has_limit_in_register(enum limit which)
{
	return which == PL1 || !has_quirk(ENERGY_UJ) || has_quirk(PL2_BARE);
}

/* PL1 or PL2 of a row's package in Watts: the lowest that is enabled; NaN: none, or unknown. */
static double power_limit(int row, enum limit which)
{
	double least = NaN;
	u64 v;

	if (read_zones(M.id[ID_PACKAGE][row], which, &least))
		return least;
	if (!has(F(RAPL_PKG) | F(RAPL_AWAKE)))
		return least;
	if (!has_limit_in_register(which))
		return least;
	if (msr_or_main(M.cpu[lead_of(PACKAGE, row)], MSR_PKG_POWER_LIMIT, &v))
		return least;
	return limit_of(which == PL2 ? FIELD(v, POWER_LIMIT_2) : v);
}

static double pl1_watts(int row)
{
	return power_limit(row, PL1);
}

static double pl2_watts(int row)
{
	return power_limit(row, PL2);
}

/* --- the bias between performance and power --- */

/* The energy-performance bias of a CPU, by sysfs, else by the register; NONE, as a guest's 0. */
static int performance_bias(int cpu)
{
	u64 v;

	if (src_number(cpu_path(cpu, "power/energy_perf_bias"), &v)) {
		if (!has(F(EPB)) || M.msr_error || src_msr(cpu, MSR_IA32_ENERGY_PERF_BIAS, &v))
			return NONE;
		v = FIELD(v, ENERGY_PERF_BIAS);
	}
	return v || !has(F(GUEST)) ? (int)v : NONE;
}

/* The same as a number; NaN: unknown. */
static double bias_of_row(int row)
{
	int v = performance_bias(M.cpu[row]);

	return v == NONE ? NaN : v;
}

/* --- limits of the clock --- */

/* Names of active bits; logged bits are 16 higher.  Bits without a name are numbers, or omitted. */
struct reasons {
	bool old, falling;	/* omits bits without a name; from the highest bit down */
	const char *name[16];
	u16 causes;		/* the bits that can be the cause of a low clock */
};
/* clang-format off */
/* SDM 4, table 2-29 (Haswell), MSR_*_PERF_LIMIT_REASONS; Broadwell's values have the same bits */
static const struct reasons core_reasons = { true, true, {
	"PROCHOT", "ThermStatus", "bit2", NULL, "Graphics", "Auto-HWP", "VR-Therm", NULL, "Amps", "CorePwr", "PkgPwrL1", "PkgPwrL2",
	"MultiCoreTurbo", "Transitions", "bit14", "bit15",
}, 0x0f53 };
/* Haswell-E, EP, Broadwell-E, EP, DE (SDM 4, Xeon E5 v3).  Busy machines set bits 13 to 15. */
static const struct reasons server_reasons = { true, true, {
	"PROCHOT", "ThermStatus", "PowerBudget", "PlatformConfig", "bit4", "AutonomousFreq", "VR-Therm", "bit7", "EDP", "bit9",
	"MultiCoreTurbo", "bit11", "bit12", "CoreFreqP1", "MaxNCoreTurbo", "CoreFreqLimited",
}, 0x014f };
static const struct reasons gfx_reasons = { true, false, {
	"PROCHOT", "ThermStatus", [4] = "Graphics", [6] = "VR-Therm", [8] = "Amps", "GFXPwr", "PkgPwrL1", "PkgPwrL2",
} };
static const struct reasons ring_reasons = { true, false, {
	"PROCHOT", "ThermStatus", [6] = "VR-Therm", [8] = "Amps", [10] = "PkgPwrL1", "PkgPwrL2",
} };
/* Since Skylake (SDM 4, table 2-39): 0x64f, on clients 0x6b0, 0x6b1.  12 and 13 are normal. */
#define SKL_NAMES [0] = "PROCHOT", "Thermal", [5] = "Running Average Thermal Limit", "VR Therm Alert", "VR TDC", "Other", [10] = "PL1", "PL2/PL3"
static const struct reasons skl_core_reasons = { .name = { SKL_NAMES, "Max Turbo", "Turbo Transition Attenuation", [4] = "Residency State Regulation" }, .causes = 0x0df3 };
static const struct reasons skl_gfx_reasons = { .name = { SKL_NAMES, "Inefficient Operation" } };
static const struct reasons skl_ring_reasons = { .name = { SKL_NAMES } };
/* clang-format on */

/* The name of a bit of a limit register, logged bits by their own number; NULL: it is omitted. */
static const char *reason_name(const struct reasons *r, int bit, bool logged)
{
	const char *name = r->name[bit];

	if (name && !text_after(name, "bit"))
		return name;
	return r->old && !name ? NULL : pathf("bit%d", bit + (logged ? 16 : 0));
}

/*
 * Does MSR_IA32_POWER_CTL have a bit for PROCHOT from outside?  Bit 0 is reserved on servers, which
 * have no graphics, and on Goldmont; it is undocumented on Tremont.
 */
static bool has_bd_prochot(void)
{
	static const u16 atoms[MOST_MODELS] = { 0x65c, 0x65f, 0x67a, 0x686, 0x696, 0x69c };

	return has(F(RAPL_PP1)) && !is_model(atoms);
}

/*
 * MSR_IA32_THERM_STATUS and that of the package have a status bit and its log in turns (EDK2,
 * ArchitecturalMsr.h): pair 0 is the thermal monitor, 1 PROCHOT, 5 the power limit, 6 the current
 * limit, 7 graphics.  The last two are of cores only.
 */
static const struct reasons therm_reasons = { .name = {
	"throttling", "PROCHOT", [5] = "power limit", "current limit", "cross-domain limit",
}, .causes = 0x00e3 };

/* The pairs that a register has: 5 needs CPUID 6 EAX[4], 6 and 7 need EAX[7]. */
static u64 therm_pairs(bool of_package)
{
	u64 pairs = 1 << 0 | 1 << 1, leaf = M.leaf[LEAF_6][EAX];

	pairs |= FIELD(leaf, 4, 4) << 5;
	if (!of_package)
		pairs |= FIELD(leaf, 7, 7) << 6 | FIELD(leaf, 7, 7) << 7;
	return pairs;
}

/* The pairs in the layout of a limit register: status bits, and logs 16 higher. */
static u64 therm_limits(u64 status)
{
	u64 v = 0;

	for (int i = 0; i < 8; i++)
		v |= (status >> 2 * i & 1) << i | (status >> (2 * i + 1) & 1) << (16 + i);
	return v;
}

/* The bits of a limit register that can be a cause, by its readings at both ends of an interval. */
struct limited_by {
	u64 is, was;		/* in force at both ends; at one end, or logged since the start */
	u64 came;		/* of those: only logged since the start */
	u64 logged;		/* of the others: logged before */
};

static struct limited_by limited_by(u64 causes, u64 first, u64 last)
{
	u64 came = FIELD(last & ~first, LIMIT_LOGGED);
	u64 active = FIELD(first | last, LIMIT_ACTIVE) | came;

	return (struct limited_by){
		.is = first & last & causes,
		.was = active & ~(first & last) & causes,
		.came = came & ~last & causes,
		.logged = FIELD(last, LIMIT_LOGGED) & ~last & ~active & causes,
	};
}

/* A line of TPMI's reasons (Linux 6.11, intel_plr_tpmi.c): "cpus REASON...", "cpuN REASON...". */
struct tpmi_line {
	int cpu;		/* NONE: of the whole domain */
	const char *words;
};

/* Parses the next line of a text, which it cuts.  False: there are no more. */
static bool next_tpmi_line(char **text, struct tpmi_line *line)
{
	char *s = *text ? strsep(text, "\n") : NULL;
	unsigned cpu;

	if (!s)
		return false;
	line->cpu = sscanf(s, "cpu%u", &cpu) == 1 && cpu < MAX_CPU ? (int)cpu : NONE;
	line->words = s + strcspn(s, ": ");
	line->words += strspn(line->words, ": ");
	return true;
}

/* Has a line this word of n bytes? */
static bool has_word(const char *words, const char *word, size_t n)
{
	for (size_t k; *words; words += k + strspn(words + k, " ")) {
		k = strcspn(words, " ");
		if (k == n && !memcmp(words, word, n))
			return true;
	}
	return false;
}

/* ======================================================================== *
 * 9. TABLES
 *
 * Data: counters (sampled), columns (printed), templates of generated columns, the words that
 * select columns, and the options (struct O).
 * ======================================================================== */

enum fold { SUM, MEAN, MAX, SAME };	/* combines the values of several units */
enum kind_of_counter { COUNT, GAUGE };	/* shown as the difference of two samples, or as read */
enum decode { AS_IS, THERMAL, MILLI };	/* of a register or file */

enum way_kind {
	NO_WAY, BY_PERF, BY_TASK,	/* BY_TASK: a source only; its way is BY_PERF */
	BY_MSR, BY_FILE, BY_TSC, BY_INTERRUPTS, BY_PMT, BY_ACCOUNTING,
	BY_REMAINDER, BY_ESTIMATE	/* computed from other counters */
};

struct way {
	enum way_kind kind;
	u64 needs, unless;	/* features that it requires; that exclude it */
	u32 msr;
	/* event: pmu/events/EVENT or terms, NULL: config is of a type, or indexes the L2 table */
	const char *pmu, *event;
	u64 config;
	enum mode mode;
	bool by_mode;		/* the event can count user mode or the kernel alone */
	bool task;		/* it counts a command or process */
	const char *path;	/* a file: absolute, or below /sys/devices/system/cpu/cpuN/ */
	/* finds the path for a row, and perhaps its modulus; .path is then where it looks */
	char *(*find)(const char *what, int row, u64 *modulus);
	/* reads a file that is not one integer; -ENODATA: it has no value now */
	int (*parse)(int fd, const char *what, const char *path, u64 *v);
	bool of_user;		/* the user named the file */
	bool raw;		/* and wants its value unchanged */
	bool in_suspend;	/* counts during suspend: divide by the time with it */
	enum decode decode;
	double scale;		/* 0 = the machine's unit of the counter */
	double factor;		/* CHOICE: from its unit to that of the chosen way; 0 = the same */
	bool mebibytes;		/* the event's unit must be MiB */
	u32 guid;		/* of built-in telemetry */
	bool of_module;		/* locate_module() finds its region and offset */
	u32 offset;		/* of its word in the first region with that guid */
	u8 lsb, msb;		/* bits of the word or register */
};

enum { MAX_WAYS = 4 };

struct counter {
	const char *name;
	enum scope scope;
	enum fold fold;
	enum kind_of_counter kind;
	u8 bits;		/* its size: it wraps unless it has 64 */
	enum rapl_unit rapl_unit;
	u8 group_number;	/* perf events of one PMU and one number are an event_group */
	struct way way[MAX_WAYS];
	double hz;		/* counts per second of a counter of time; else 0 */
	bool part_of_tsc;	/* cannot exceed the TSC's cycles */
	/* ROWS, SEARCH, CHOICE, PLAN and SAMPLE fill these in */
	bool needed;
	const struct way *chosen;	/* NULL = none */
	/*
	 * errno of each way: ENOTSUP = not on this platform; ENODATA = what it needs is absent, or
	 * it has never counted; ERANGE = excluded by the package C-state limit; EDOM = counts at an
	 * unknown frequency; EXDEV = nobody knows whose it is, or it counts on a CPU left out
	 */
	int err[MAX_WAYS];
	enum { NOT_JUDGED, COUNTS, SILENT } judged;	/* has it ever counted? */
	double scale;		/* of the chosen way */
	bool several;		/* a unit has several sources */
	int most_served;	/* the most units that ever had a source */
	double wrap_joules;	/* where an energy counter wraps */
	i64 step;		/* ns between its moves; 0 = not looked for, -1 = not found */
	bool kind_open;		/* --add without a format: the PMU decides on kind */
	const char *no_number;	/* --add: first line of a file without a number */
	/* added telemetry, by unit */
	struct telemetry_word { int number, region; u32 offset; } *word;
	int nwords;
};

#define PERF(p, e, ...)	{ .kind = BY_PERF, .pmu = p, .event = e, __VA_ARGS__ }
#define HW(c, ...)	{ .kind = BY_PERF, .pmu = "hw", .config = c, __VA_ARGS__ }
#define REG_BITS_(a, n, name, hi, lo, ...) { .kind = BY_MSR, .msr = a, .event = name, .needs = n, \
	.msb = hi, .lsb = lo, __VA_ARGS__ }
#define REG_BITS(a, n, ...)	REG_BITS_(a, n, #a, __VA_ARGS__)	/* a field of msr.h first */
#define REG(a, n, ...)	REG_BITS_(a, n, #a, 63, 0, __VA_ARGS__)
#define IMC(p, e)	PERF(p, e, .mebibytes = true, .scale = 1.048576)	/* in 10^6 bytes */
#define FILE_AT(p, ...)	{ .kind = BY_FILE, .path = p, __VA_ARGS__ }
#define WORD(g, ...)	{ .kind = BY_PMT, .guid = g, .msb = 63, __VA_ARGS__ }
#define FOUND(f, p, ...)	{ .kind = BY_FILE, .find = f, .path = p, __VA_ARGS__ }

/* perf's own names of events (linux/perf_event.h); modes: they count user or kernel alone, too. */
static const struct perf_name { const char *name, *type; u64 config; bool modes; } perf_names[] = {
	/* clang-format off */
	{ "cycles", "hw", 0, true }, { "cpu-cycles", "hw", 0, true },
	{ "instructions", "hw", 1, true },
	{ "cache-references", "hw", 2, true }, { "cache-misses", "hw", 3, true },
	{ "branches", "hw", 4, true }, { "branch-instructions", "hw", 4, true },
	{ "branch-misses", "hw", 5, true }, { "bus-cycles", "hw", 6, true },
	{ "stalled-cycles-frontend", "hw", 7, true }, { "idle-cycles-frontend", "hw", 7, true },
	{ "stalled-cycles-backend", "hw", 8, true }, { "idle-cycles-backend", "hw", 8, true },
	{ "ref-cycles", "hw", 9, true },
	{ "cpu-clock", "software", 0 }, { "task-clock", "software", 1 },	/* ns */
	{ "page-faults", "software", 2, true }, { "faults", "software", 2, true },
	{ "context-switches", "software", 3 }, { "cs", "software", 3 },
	{ "cpu-migrations", "software", 4 }, { "migrations", "software", 4 },
	{ "minor-faults", "software", 5, true }, { "major-faults", "software", 6, true },
	{ "alignment-faults", "software", 7, true }, { "emulation-faults", "software", 8, true },
	{ "cgroup-switches", "software", 11 },
	/* clang-format on */
};

/* Returns the row of a name, or NULL. */
static const struct perf_name *find_perf_name(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(perf_names); i++)
		if (!strcmp(perf_names[i].name, name))
			return &perf_names[i];
	return NULL;
}

/* --- counters --- */

enum counter_id {
	CT_APERF, CT_MPERF, CT_TSC, CT_SMI, CT_INSTRUCTIONS, CT_IRQ, CT_NMI, CT_LLC_REFS,
	CT_LLC_MISSES, CT_L2_REFS, CT_L2_HITS, CT_L2_CORE_HITS, CT_L2_CORE_MISSES,
	CT_CC7, CT_CC6, CT_CC3, CT_C1, CT_MC6, CT_CORE_TEMP, CT_CORE_THROTTLE,
	CT_CORE_ENERGY, CT_CCD_TEMP, CT_PKG_TEMP, CT_RC6, CT_GFX_MHZ,
	CT_GFX_ACT_MHZ, CT_SAM_MC6, CT_SAM_MHZ, CT_SAM_ACT_MHZ, CT_C0_WEIGHTED, CT_C0_ANY,
	CT_C0_GFX, CT_C0_BOTH, CT_PC2, CT_PC3, CT_PC6, CT_PC7, CT_PC8, CT_PC9, CT_PC10,
	CT_CPU_LPI, CT_SYS_LPI, CT_PKG_ENERGY, CT_PP0_ENERGY, CT_PP1_ENERGY, CT_DRAM_ENERGY,
	CT_PKG_THROTTLE, CT_DRAM_THROTTLE, CT_UNCORE_KHZ, CT_PSYS_ENERGY,
	CT_TICKS, CT_BUSY_TICKS, CT_STEAL_TICKS, CT_CPU_KHZ,
	CT_SLOTS, CT_RETIRING, CT_BAD_SPECULATION, CT_FRONT_END, CT_BACK_END,
	CT_MEMORY_READ, CT_MEMORY_WRITTEN, CT_CYCLES, CT_BATTERY_POWER, CT_FABRIC_MHZ,
	CT_MEMORY_MHZ,
	NCOUNTERS
};

/* "..." holds for every way of the counter, or is its ways */
#define CYCLES(n, sc, ...)	{ n, sc, MEAN, COUNT, 64, PLAIN, 0, { __VA_ARGS__ } }
#define TSC_RATE(n, sc, ...)	{ n, sc, MEAN, COUNT, 64, PLAIN, 0, { __VA_ARGS__ }, \
				  .part_of_tsc = true }
#define SUMMED(n, sc, bits, ...) { n, sc, SUM, COUNT, bits, PLAIN, 0, { __VA_ARGS__ } }
#define GROUPED(n, group, ...)	{ n, CPU, SUM, COUNT, 64, PLAIN, group, { __VA_ARGS__ } }
#define LEVEL(n, sc, fold, ...)	{ n, sc, fold, GAUGE, 64, PLAIN, 0, { __VA_ARGS__ } }
#define TIME(n, sc, hz, ...)	{ n, sc, MEAN, COUNT, 64, PLAIN, 0, { __VA_ARGS__ }, hz }
#define ENERGY(n, sc, u, ...)	{ n, sc, SUM, COUNT, 32, u, 0, { __VA_ARGS__ } }
#define RAPL(n, sc, u, e, msr, needs, zone, ...)                \
	ENERGY(n, sc, u, PERF("power", e, __VA_ARGS__),         \
	       REG_BITS_(msr, needs, #msr, 63, 0, __VA_ARGS__), \
	       FOUND(find_powercap, IN_POWERCAP, .event = zone, .scale = 1e-6, __VA_ARGS__))
#define PACKAGE_STATE(n, e, msr, needs, ...) TSC_RATE(n, DIE, PERF("cstate_pkg", e, __VA_ARGS__), \
	PERF("cstate_die", e, __VA_ARGS__), REG_BITS_(msr, needs, #msr, 63, 0, __VA_ARGS__))
#define TOPDOWN(n, e)	GROUPED(n, 3, PERF("cpu", e))
#define CYCLES_BY(e, msr, hw)	PERF("msr", e, .needs = F(APERF)), \
	REG_BITS_(msr, F(APERF), #msr, 63, 0), HW(hw), { .kind = BY_ESTIMATE }
#define DEGREES(msr, needs, what)	REG_BITS_(msr, needs, #msr, 63, 0, .decode = THERMAL), \
	FOUND(find_hwmon, IN_HWMON, .event = what, .decode = MILLI)
/*
 * Events of memory controllers: servers; clients up to Comet Lake; clients since Ice Lake; AMD
 * since Zen 4, which counts CAS commands of 64 bytes (arch/x86/events/amd/uncore.c, event 0x0a,
 * umc_cas_cmd in tools/perf/pmu-events/arch/x86/amdzen4; rdwrmask in bits 8-9: 1 = reads,
 * 2 = writes).
 */
#define MEMORY(server, client, new, amd) IMC("uncore_imc", server), IMC("uncore_imc", client), \
	IMC("uncore_imc_free_running", new), PERF("amd_umc", amd, .scale = 64e-6)

/* clang-format off */
/*
 * The counters.  They are chosen and read in the order of the enum: a choice may depend on those
 * before it.
 * Sources: the kernel's Documentation/ABI and arch/x86/events; registers: msr.h.
 */
static const struct counter counter_table[NCOUNTERS] = {
	[CT_APERF] = CYCLES("aperf", CPU, CYCLES_BY("aperf", MSR_IA32_APERF, 0)),
	[CT_MPERF] = TSC_RATE("mperf", CPU, CYCLES_BY("mperf", MSR_IA32_MPERF, 9)),
	[CT_TSC] = CYCLES("TSC", CPU, PERF("msr", "tsc"), { .kind = BY_TSC }),
	[CT_SMI] = SUMMED("SMI", CPU, 32, PERF("msr", "smi"), REG(MSR_SMI_COUNT, F(PLATFORM_INFO))),
	[CT_INSTRUCTIONS] = CYCLES("instructions", CPU, HW(1)),
	[CT_IRQ] = SUMMED("IRQ", CPU, 32, { .kind = BY_INTERRUPTS }),
	[CT_NMI] = SUMMED("NMI", CPU, 32, { .kind = BY_INTERRUPTS }),
	/* AMD's generic events count L2 references with prefetches, and misses without */
	[CT_LLC_REFS] = GROUPED("LLC refs", 1, HW(2, .needs = F(NOT_AMD))),
	[CT_LLC_MISSES] = GROUPED("LLC misses", 1, HW(3, .needs = F(NOT_AMD))),
	[CT_L2_REFS] = GROUPED("L2 refs", 2, PERF("cpu", NULL, .config = L2_REFS)),
	[CT_L2_HITS] = GROUPED("L2 hits", 2, PERF("cpu", NULL, .config = L2_HITS, .needs = F(NOT_AMD))),
	[CT_L2_CORE_HITS] = GROUPED("L2 hits of the core", 2, PERF("cpu", NULL, .config = L2_HITS)),
	[CT_L2_CORE_MISSES] = GROUPED("L2 misses of the core", 2, PERF("cpu", NULL, .config = L2_MISSES)),
	[CT_CC7] = TSC_RATE("c7", CORE, PERF("cstate_core", "c7-residency"), REG(MSR_CORE_C7_RESIDENCY, F(CC7))),
	/* on Xeon Phi, the kernel reports core C6 (0x3ff) as package C6 */
	[CT_CC6] = TSC_RATE("c6", CORE, PERF("cstate_core", "c6-residency", .unless = F(CC6_KNL)),
		REG(MSR_CORE_C6_RESIDENCY, F(CC6)),
		REG(MSR_KNL_CORE_C6_RESIDENCY, F(CC6_KNL))),
	[CT_CC3] = TSC_RATE("c3", CORE, PERF("cstate_core", "c3-residency"), REG(MSR_CORE_C3_RESIDENCY, F(CC3))),
	[CT_C1] = TSC_RATE("c1", CPU,
		{ .kind = BY_REMAINDER, .needs = F(C1_SOFT) },
		PERF("cstate_core", "c1-residency"),
		REG(MSR_CORE_C1_RES, F(C1_MSR))),
	[CT_MC6] = TSC_RATE("mc6", MODULE, PERF("cstate_module", "c6-residency"), REG(MSR_MODULE_C6_RES, F(MC6))),
	[CT_CORE_TEMP] = LEVEL("DTS", CORE, MAX, DEGREES(MSR_IA32_THERM_STATUS, F(DTS), "core")),
	[CT_CORE_THROTTLE] = SUMMED("cpu_throt_count", CORE, 64, FILE_AT("thermal_throttle/core_throttle_count")),
	[CT_CORE_ENERGY] = ENERGY("Joules CORE", CORE, ENERGY_UNIT,
		PERF("power_core", "energy-core"),
		REG(MSR_AMD_CORE_ENERGY_STATUS, F(AMD_RAPL))),
	[CT_CCD_TEMP] = LEVEL("CCD", L3, MAX, FOUND(find_ccd, IN_HWMON, .needs = F(AMD), .decode = MILLI)),
	[CT_PKG_TEMP] = LEVEL("PTM", PACKAGE, MAX, DEGREES(MSR_IA32_PACKAGE_THERM_STATUS, F(PTM), "package")),
	[CT_RC6] = TIME("rc6_ms", SYSTEM, 1e3, FOUND(find_drm, IN_DRM, .event = "rc6")),
	[CT_GFX_MHZ] = LEVEL("gfx_mhz", SYSTEM, MEAN, FOUND(find_drm, IN_DRM, .event = "cur")),
	[CT_GFX_ACT_MHZ] = LEVEL("gfx_act_mhz", SYSTEM, MEAN,
		FOUND(find_drm, IN_DRM, .event = "act"),
		FOUND(find_hwmon, IN_AMDGPU, .event = "graphics", .scale = 1e-6)),
	[CT_SAM_MC6] = TIME("sam_mc6_ms", SYSTEM, 1e3, FOUND(find_drm, IN_DRM, .event = "media-rc6")),
	[CT_SAM_MHZ] = LEVEL("sam_mhz", SYSTEM, MEAN, FOUND(find_drm, IN_DRM, .event = "media-cur")),
	[CT_SAM_ACT_MHZ] = LEVEL("sam_act_mhz", SYSTEM, MEAN, FOUND(find_drm, IN_DRM, .event = "media-act")),
	[CT_C0_WEIGHTED] = CYCLES("Weighted cores", PACKAGE, REG(MSR_PKG_WEIGHTED_CORE_C0_RES, F(WEIGHTED_C0))),
	[CT_C0_ANY] = TSC_RATE("Any cores", PACKAGE, REG(MSR_PKG_ANY_CORE_C0_RES, F(WEIGHTED_C0))),
	[CT_C0_GFX] = TSC_RATE("Any GFX", PACKAGE, REG(MSR_PKG_ANY_GFXE_C0_RES, F(WEIGHTED_C0))),
	[CT_C0_BOTH] = TSC_RATE("CPU + GFX", PACKAGE, REG(MSR_PKG_BOTH_CORE_GFXE_C0_RES, F(WEIGHTED_C0))),
	[CT_PC2] = PACKAGE_STATE("pc2", "c2-residency", MSR_PKG_C2_RESIDENCY, F(PC2)),
	[CT_PC3] = PACKAGE_STATE("pc3", "c3-residency", MSR_PKG_C3_RESIDENCY, F(PC3), .unless = F(NO_PC3)),
	[CT_PC6] = TSC_RATE("pc6", DIE, PERF("cstate_pkg", "c6-residency", .unless = F(CC6_KNL)),
		PERF("cstate_die", "c6-residency"),
		REG(MSR_PKG_C6_RESIDENCY, F(PC6)),
		REG(MSR_ATOM_PKG_C6_RESIDENCY, F(PC6_ATOM))),
	[CT_PC7] = PACKAGE_STATE("pc7", "c7-residency", MSR_PKG_C7_RESIDENCY, F(PC7)),
	[CT_PC8] = PACKAGE_STATE("pc8", "c8-residency", MSR_PKG_C8_RESIDENCY, F(PC8)),
	[CT_PC9] = PACKAGE_STATE("pc9", "c9-residency", MSR_PKG_C9_RESIDENCY, F(PC9)),
	[CT_PC10] = PACKAGE_STATE("pc10", "c10-residency", MSR_PKG_C10_RESIDENCY, F(PC10)),
	[CT_CPU_LPI] = TIME("cpu_lpi", SYSTEM, 1e6, FILE_AT(SYS_CPU "cpuidle/low_power_idle_cpu_residency_us")),
	[CT_SYS_LPI] = TIME("sys_lpi", SYSTEM, 1e6,
		FILE_AT(SYS_CPU "cpuidle/low_power_idle_system_residency_us"),
		FILE_AT("/sys/kernel/debug/pmc_core/slp_s0_residency_usec"),
		FILE_AT(HW_SLEEP, .in_suspend = true)),
	[CT_BATTERY_POWER] = LEVEL("battery_uw", SYSTEM, SUM,
		FILE_AT("/sys/class/power_supply", .parse = read_batteries, .scale = 1e-6)),
	[CT_PKG_ENERGY] = ENERGY("Joules PKG", DIE, ENERGY_UNIT,
		PERF("power", "energy-pkg"),
		REG(MSR_PKG_ENERGY_STATUS, F(RAPL_PKG)),
		REG(MSR_AMD_PKG_ENERGY_STATUS, F(AMD_RAPL)),
		FOUND(find_powercap, IN_POWERCAP, .event = "package", .scale = 1e-6)),
	[CT_PP0_ENERGY] = RAPL("Joules COR", DIE, ENERGY_UNIT, "energy-cores", MSR_PP0_ENERGY_STATUS, F(RAPL_PP0), "core"),
	[CT_PP1_ENERGY] = RAPL("Joules GFX", DIE, ENERGY_UNIT, "energy-gpu", MSR_PP1_ENERGY_STATUS, F(RAPL_PP1), "uncore",
		.unless = F(PP1_WRONG)),
	[CT_DRAM_ENERGY] = RAPL("Joules RAM", DIE, DRAM_UNIT, "energy-ram", MSR_DRAM_ENERGY_STATUS, F(RAPL_DRAM), "dram"),
	[CT_PKG_THROTTLE] = ENERGY("Throttle PKG", DIE, TIME_UNIT,
		REG(MSR_PKG_PERF_STATUS, F(RAPL_PKG_PERF) | F(RAPL_AWAKE))),
	[CT_DRAM_THROTTLE] = ENERGY("Throttle RAM", DIE, TIME_UNIT,
		REG(MSR_DRAM_PERF_STATUS, F(RAPL_DRAM_PERF) | F(RAPL_AWAKE))),
	[CT_UNCORE_KHZ] = LEVEL("uncore_khz", DIE, MEAN,
		FOUND(find_uncore, IN_UNCORE, .needs = F(INTEL), .scale = 1e-3)),
	/* each reading is a message to the firmware */
	[CT_FABRIC_MHZ] = LEVEL("fabric_mhz", PACKAGE, MEAN, FOUND(find_hsmp, IN_HSMP, .event = "fclk_input", .needs = F(AMD))),
	[CT_MEMORY_MHZ] = LEVEL("memory_mhz", PACKAGE, MEAN, FOUND(find_hsmp, IN_HSMP, .event = "mclk_input", .needs = F(AMD))),
	[CT_PSYS_ENERGY] = RAPL("Joules PSYS", SYSTEM, PSYS_UNIT, "energy-psys", MSR_PLATFORM_ENERGY_STATUS, F(RAPL_PSYS), "psys"),
	/* the kernel's accounting (proc(5), /proc/stat), and the clock from cpufreq */
	[CT_TICKS] = SUMMED("ticks", CPU, 64, { .kind = BY_ACCOUNTING }),
	[CT_BUSY_TICKS] = SUMMED("busy ticks", CPU, 64, { .kind = BY_ACCOUNTING }),
	[CT_STEAL_TICKS] = SUMMED("steal ticks", CPU, 64, { .kind = BY_ACCOUNTING }),
	[CT_CPU_KHZ] = LEVEL("cpu_khz", CPU, MEAN,
		FILE_AT("cpufreq/cpuinfo_avg_freq"),
		FILE_AT("cpufreq/scaling_cur_freq")),
	/* the kernel requires slots as the group's leader; the others come from PERF_METRICS */
	[CT_SLOTS] = TOPDOWN("slots", "slots"),
	[CT_RETIRING] = TOPDOWN("slots retiring", "topdown-retiring"),
	[CT_BAD_SPECULATION] = TOPDOWN("slots of bad speculation", "topdown-bad-spec"),
	[CT_FRONT_END] = TOPDOWN("slots lost by the front end", "topdown-fe-bound"),
	[CT_BACK_END] = TOPDOWN("slots lost by the back end", "topdown-be-bound"),
	/* does not count in SMIs if freeze_on_smi is set */
	[CT_CYCLES] = CYCLES("cycles", CPU, HW(0)),
	[CT_MEMORY_READ] = SUMMED("memory read", PACKAGE, 64, MEMORY("cas_count_read", "data_reads", "data_read", "config=0x10a")),
	[CT_MEMORY_WRITTEN] = SUMMED("memory written", PACKAGE, 64, MEMORY("cas_count_write", "data_writes", "data_write", "config=0x20a")),
};

/* --- columns --- */

enum {
	G_TOPOLOGY = 1, G_POWER = 2, G_FREQUENCY = 4, G_HWIDLE = 8, G_SWIDLE = 16, G_IDLE = 32,
	G_CACHE = 64, G_OTHER = 128, G_ALL = 256, G_TOPDOWN = 512, G_MEM = 1024, G_SYSFS = 2048
};
static const struct group_name { const char *name; unsigned groups; } group_names[] = {
	{ "all", G_ALL }, { "topology", G_TOPOLOGY }, { "power", G_POWER },
	{ "frequency", G_FREQUENCY }, { "idle", G_HWIDLE | G_IDLE }, { "hwidle", G_HWIDLE },
	{ "swidle", G_SWIDLE }, { "sysfs", G_SYSFS }, { "cache", G_CACHE }, { "llc", G_CACHE },
	{ "other", G_OTHER }, { "topdown", G_TOPDOWN }, { "mem", G_MEM },
};

enum formula {
	V_ID, V_APIC, V_X2APIC, V_USEC, V_TIME_OF_DAY, V_AMOUNT, V_RAW, V_PER_SECOND,
	V_PER_MICROSECOND, V_AVG_MHZ, V_BZY_MHZ, V_RATIO, V_HIT, V_HIT_BY_MISSES, V_HIT_OF_BOTH,
	V_PERCENT_OF_TSC, V_TOTAL_OF_TSC, V_PERCENT_OF_TIME, V_TOTAL_OF_TIME, V_LOST_TO_SMIS
};

enum { MOST_PERCENT = 110 };	/* above 100: counters are not all read at the same time */
enum { MOST_MHZ = 10000 };	/* of a core: overclocked ones have passed 9 GHz */

/* The operands of a formula; 0 if the column does not have them. */
struct operands {
	double a;		/* the column's first counter, times its scale */
	double b;		/* its second counter */
	double c;		/* the rate per second of a third counter */
	double seconds;		/* NaN if not above 0 */
	double tsc;		/* cycles of the TSC at the base frequency */
};

#define FORMULA(name, value)	static double name(const struct operands *t) { return value; }
FORMULA(amount, t->a)
FORMULA(per_second, t->a / t->seconds)
FORMULA(per_microsecond, t->a / (t->seconds * 1e6))
FORMULA(base_times_ratio, t->a * (t->c / 1e6) / t->b)
FORMULA(ratio, t->a / t->b)
FORMULA(percent_of_b, 100 * t->a / t->b)
FORMULA(percent_less_b, 100 * (t->a - t->b) / t->a)
FORMULA(percent_of_both, 100 * t->a / (t->a + t->b))
FORMULA(percent_of_tsc, 100 * t->a / t->tsc)
FORMULA(percent_of_time, 100 * t->a / t->seconds)
FORMULA(percent_if_c, t->c > 0 ? 100 * (t->a - t->b) / t->a : 0)

/* Rates and shares are invalid across a suspend; ids have no value in a summary. */
struct formula_row {
	const char *words;	/* $a, $b, $t: the sources of a, b and the TSC */
	double (*value)(const struct operands *t);	/* NULL: it is not about counters */
	int most;		/* largest valid percentage or clock; 0 = no limit */
	int third;		/* counter c; 0 = none */
};
static const struct formula_row formula_table[] = {
	[V_ID] = { "topology" },
	[V_APIC] = { "CPUID" },
	[V_X2APIC] = { "CPUID" },
	[V_USEC] = { "clock" },
	[V_TIME_OF_DAY] = { "clock" },
	[V_AMOUNT] = { "$a", amount },
	[V_RAW] = { "$a, as it is", amount },
	[V_PER_SECOND] = { "$a / seconds", per_second },
	[V_PER_MICROSECOND] = { "$a / microseconds", per_microsecond },
	[V_AVG_MHZ] = { "$a / microseconds", per_microsecond, MOST_MHZ },
	/* if the base frequency is unknown, the rate of the TSC replaces it */
	[V_BZY_MHZ] = { "base MHz * $a / $b", base_times_ratio, MOST_MHZ, CT_TSC },
	[V_RATIO] = { "$a / $b", ratio },
	[V_HIT] = { "100 $a / $b", percent_of_b, MOST_PERCENT },
	[V_HIT_BY_MISSES] = { "100 ($a - $b) / $a", percent_less_b, MOST_PERCENT },
	[V_HIT_OF_BOTH] = { "100 $a / ($a + $b)", percent_of_both, MOST_PERCENT },
	[V_PERCENT_OF_TSC] = { "100 $a / $t", percent_of_tsc, MOST_PERCENT },
	/* a sum over CPUs: most is multiplied by their number */
	[V_TOTAL_OF_TSC] = { "100 $a / $t", percent_of_tsc, MOST_PERCENT },
	[V_PERCENT_OF_TIME] = { "100 $a / seconds", percent_of_time, MOST_PERCENT },
	/* a sum over packages: no limit */
	[V_TOTAL_OF_TIME] = { "100 $a / seconds", percent_of_time, INT_MAX },
	[V_LOST_TO_SMIS] = { "100 ($a - $b) / $a, 0 without an SMI", percent_if_c, MOST_PERCENT, CT_SMI },
};

enum format { DECIMALS_2, DECIMALS_0, INTEGER, UNSIGNED, HEX_8, HEX_16, HEX_ID, TIME_OF_DAY, LETTER };

/*
 * When a column is shown.  NAMED_ONLY: "all" and --debug do not select it.  CACHE_ID: not by
 * default, as parsers before 2025 expect Core there.
 */
enum column_flag {
	BY_DEFAULT, IF_ASKED = 1, WATTS = 2, JOULES = 4, ADDED = 8, NAMED_ONLY = 16, CACHE_ID = 32
};

/*
 * The row of generated_table that a column is copied from; or the kind of a column of --add.  An idle
 * state of the kernel has IDLE_ABOVE to IDLE_TIME, or to S2IDLE_TIME; telemetry IDLE_C1E to DIE_C6.
 */
enum generated {
	NOT_GENERATED, IDLE_ABOVE, IDLE_COUNT, IDLE_BELOW, IDLE_TIME, S2IDLE_COUNT, S2IDLE_TIME,
	IDLE_C1E, DIE_C6, CLUSTER, SUBSTATE, ADDED_COUNT, ADDED_SHARE, ADDED_LEVEL
};
_Static_assert(IDLE_TIME == IDLE_ABOVE + 3 && S2IDLE_TIME == IDLE_TIME + 2 &&
	       DIE_C6 == IDLE_C1E + 1, "the order of columns of idle states and telemetry");

struct column {
	const char *name;
	enum scope scope;	/* whose rows have it: CPU, CORE...; SYSTEM = only the summary */
	enum formula formula;
	enum format format;
	int a, b;		/* counters, b may be NONE; V_ID: a is an id */
	unsigned groups, flags;
	const char *symbol, *help;
	/* ROWS and PLAN fill these in */
	const char *key;	/* its unique name in JSON and CSV */
	struct buf json_key;	/* ,"KEY": */
	enum generated generated;
	const char *family;	/* another name that selects it, or NULL */
	unsigned order;		/* place in the table */
	bool selected, present;
	int other;		/* the divisor of a: b or the TSC; a if there is none */
	int third;		/* the counter c of its formula, or NONE: c is base_hz */
	double base_hz;		/* the factor of Bzy_MHz; with ticks, the one that gives MHz */
	bool direct;		/* its counter has the scope of its rows: no fold */
	bool by_ticks;		/* b counts ticks, a does not */
	int place;		/* index among the shown columns */
	enum scope rows;	/* that show it, besides the summary; SYSTEM = none */
};

#define ID_(n, id, o, help)		{ n, CPU, V_ID, INTEGER, id, NONE, G_TOPOLOGY, o, "", help }
#define AMOUNT_(n, sc, c, g, unit, help) { n, sc, V_AMOUNT, INTEGER, c, NONE, g, 0, unit, help }
#define RATE_(n, c, g, unit, help)	{ n, CPU, V_PER_MICROSECOND, DECIMALS_0, c, NONE, g, 0, unit, help }
/* two columns: power in W, energy in J */
#define POWER_(w, j, sc, c, of)		{ w, sc, V_PER_SECOND, DECIMALS_2, c, NONE, G_POWER, WATTS, "W", "power of the " of }, \
					{ j, sc, V_AMOUNT, DECIMALS_2, c, NONE, G_POWER, JOULES, "J", "energy of the " of }
#define PERCENT_(n, sc, f, a, b, g, o, help) { n, sc, f, DECIMALS_2, a, b, g, o, "%", help }
#define IDLE_(n, sc, c, help)		PERCENT_(n, sc, V_PERCENT_OF_TSC, c, NONE, G_HWIDLE, 0, help)
#define IDLE_TIME_(n, c, help)		PERCENT_(n, PACKAGE, V_PERCENT_OF_TIME, c, NONE, G_HWIDLE, 0, help)
#define TOPDOWN_(n, c, help)		PERCENT_(n, CPU, V_HIT, c, CT_SLOTS, G_TOPDOWN, NAMED_ONLY, help)

/* The columns in printing order: by scope from CPU to system, so that rows can end early. */
static const struct column column_table[] = {
	{ "usec", CPU, V_USEC, INTEGER, NONE, NONE, 0, IF_ASKED, "us", "microseconds spent reading this CPU (summary: all CPUs)" },
	{ "Time_Of_Day_Seconds", CPU, V_TIME_OF_DAY, TIME_OF_DAY, NONE, NONE, 0, IF_ASKED, "s", "when this CPU was read, seconds since 1970" },
	ID_("Package", ID_PACKAGE, 0, "physical package id"),
	ID_("Die", ID_DIE, 0, "die id"),
	ID_("L3", ID_L3, CACHE_ID, "level 3 cache id"),
	ID_("Node", ID_NODE, 0, "NUMA node"),
	ID_("Module", ID_MODULE, CACHE_ID, "cluster id: cores that share an L2 cache"),
	ID_("Core", ID_CORE, 0, "core id"),
	ID_("CPU", ID_CPU, 0, "Linux CPU number"),
	{ "Type", CPU, V_ID, LETTER, ID_TYPE, NONE, 0, NAMED_ONLY, "", "core type of a hybrid processor: P, E, or L (low-power E-core)" },
	{ "APIC", CPU, V_APIC, HEX_ID, NONE, NONE, 0, IF_ASKED, "", "initial APIC id (8 bits)" },
	{ "X2APIC", CPU, V_X2APIC, HEX_ID, NONE, NONE, 0, IF_ASKED, "", "x2APIC id" },
	{ "Avg_MHz", CPU, V_AVG_MHZ, DECIMALS_0, CT_APERF, NONE, G_FREQUENCY, 0, "MHz", "mean clock with idle time counted as 0 MHz" },
	PERCENT_("Busy%", CPU, V_PERCENT_OF_TSC, CT_MPERF, NONE, G_FREQUENCY | G_HWIDLE | G_SWIDLE, 0, "share of time the CPU was not idle"),
	{ "Bzy_MHz", CPU, V_BZY_MHZ, DECIMALS_0, CT_APERF, CT_MPERF, G_FREQUENCY, 0, "MHz", "clock while not idle" },
	RATE_("TSC_MHz", CT_TSC, G_FREQUENCY, "MHz", "rate of the time-stamp counter; it is constant"),
	PERCENT_("Steal%", CPU, V_HIT, CT_STEAL_TICKS, CT_TICKS, 0, NAMED_ONLY, "time the hypervisor ran other guests"),
	{ "IPC", CPU, V_RATIO, DECIMALS_2, CT_INSTRUCTIONS, CT_APERF, G_OTHER, 0, "", "instructions retired per cycle" },
	AMOUNT_("IRQ", CPU, CT_IRQ, G_OTHER, "count", "interrupts serviced"),
	AMOUNT_("NMI", CPU, CT_NMI, G_OTHER, "count", "non-maskable interrupts"),
	AMOUNT_("SMI", CPU, CT_SMI, G_OTHER, "count", "system-management interrupts"),
	PERCENT_("SMI%", CPU, V_LOST_TO_SMIS, CT_APERF, CT_CYCLES, 0, NAMED_ONLY, "cycles lost to system-management interrupts"),
	RATE_("LLCMRPS", CT_LLC_REFS, G_CACHE, "M/s", "last-level cache references"),
	PERCENT_("LLC%hit", CPU, V_HIT_BY_MISSES, CT_LLC_REFS, CT_LLC_MISSES, G_CACHE, 0, "last-level cache hits"),
	RATE_("L2MRPS", CT_L2_REFS, G_CACHE, "M/s", "level 2 cache references"),
	PERCENT_("L2%hit", CPU, V_HIT, CT_L2_HITS, CT_L2_REFS, G_CACHE, 0, "level 2 cache hits"),
	PERCENT_("L2%hit", CPU, V_HIT_OF_BOTH, CT_L2_CORE_HITS, CT_L2_CORE_MISSES, G_CACHE, 0, "level 2 cache hits"),
	TOPDOWN_("TD%ret", CT_RETIRING, "pipeline slots whose work retired"),
	TOPDOWN_("TD%bad", CT_BAD_SPECULATION, "pipeline slots lost by bad speculation"),
	TOPDOWN_("TD%fe", CT_FRONT_END, "pipeline slots lost by the front end"),
	TOPDOWN_("TD%be", CT_BACK_END, "pipeline slots lost by the back end"),
	IDLE_("CPU%c1", CPU, CT_C1, "share of time the core was in C1"),
	IDLE_("CPU%c3", CORE, CT_CC3, "share of time the core was in C3; a higher number is a deeper state"),
	IDLE_("CPU%c6", CORE, CT_CC6, "share of time the core was in C6; a higher number is a deeper state"),
	IDLE_("CPU%c7", CORE, CT_CC7, "share of time the core was in C7; a higher number is a deeper state"),
	IDLE_("Mod%c6", MODULE, CT_MC6, "share of time the module was in C6"),
	AMOUNT_("CoreTmp", CORE, CT_CORE_TEMP, G_POWER | G_OTHER, "C", "temperature of the core"),
	AMOUNT_("CoreThr", CORE, CT_CORE_THROTTLE, 0, "count", "times the core was throttled for its temperature"),
	POWER_("CorWatt", "Cor_J", CORE, CT_CORE_ENERGY, "core"),
	AMOUNT_("CcdTmp", L3, CT_CCD_TEMP, G_POWER, "C", "temperature of the chiplet (CCD) that the L3 is on"),
	AMOUNT_("PkgTmp", PACKAGE, CT_PKG_TEMP, G_POWER, "C", "temperature of the package"),
	IDLE_TIME_("GFX%rc6", CT_RC6, "time the graphics was in render C6"),
	AMOUNT_("GFXMHz", PACKAGE, CT_GFX_MHZ, G_FREQUENCY, "MHz", "requested graphics clock"),
	AMOUNT_("GFXAMHz", PACKAGE, CT_GFX_ACT_MHZ, G_FREQUENCY, "MHz", "actual graphics clock"),
	IDLE_TIME_("SAM%mc6", CT_SAM_MC6, "time the media engine was in C6"),
	AMOUNT_("SAMMHz", PACKAGE, CT_SAM_MHZ, G_FREQUENCY, "MHz", "requested media clock"),
	AMOUNT_("SAMAMHz", PACKAGE, CT_SAM_ACT_MHZ, G_FREQUENCY, "MHz", "actual media clock"),
	PERCENT_("Totl%C0", PACKAGE, V_TOTAL_OF_TSC, CT_C0_WEIGHTED, NONE, G_HWIDLE, 0, "busy time of all cores added up: 400 is four busy cores"),
	IDLE_("Any%C0", PACKAGE, CT_C0_ANY, "share of time at least one core was busy"),
	IDLE_("GFX%C0", PACKAGE, CT_C0_GFX, "share of time graphics was busy"),
	IDLE_("CPUGFX%", PACKAGE, CT_C0_BOTH, "share of time graphics was busy while a core was busy, too"),
	IDLE_("Pkg%pc2", PACKAGE, CT_PC2, "share of time the whole package was in C2; all its cores must sleep"),
	IDLE_("Pkg%pc3", PACKAGE, CT_PC3, "share of time the whole package was in C3; all its cores must sleep"),
	IDLE_("Pkg%pc6", PACKAGE, CT_PC6, "share of time the whole package was in C6; all its cores must sleep"),
	IDLE_("Pkg%pc7", PACKAGE, CT_PC7, "share of time the whole package was in C7; all its cores must sleep"),
	IDLE_("Pkg%pc8", PACKAGE, CT_PC8, "share of time the whole package was in C8; all its cores must sleep"),
	IDLE_("Pkg%pc9", PACKAGE, CT_PC9, "share of time the whole package was in C9; all its cores must sleep"),
	IDLE_("Pk%pc10", PACKAGE, CT_PC10, "share of time the whole package was in C10; all its cores must sleep"),
	IDLE_TIME_("CPU%LPI", CT_CPU_LPI, "time in the CPU's low-power idle state"),
	IDLE_TIME_("SYS%LPI", CT_SYS_LPI, "time in the system's low-power idle state"),
	{ "PkgWatt", PACKAGE, V_PER_SECOND, DECIMALS_2, CT_PKG_ENERGY, NONE, G_POWER, WATTS, "W", "power of the package; contains CorWatt and GFXWatt, not RAMWatt" },
	{ "Pkg_J", PACKAGE, V_AMOUNT, DECIMALS_2, CT_PKG_ENERGY, NONE, G_POWER, JOULES, "J", "energy of the package; contains Cor_J and GFX_J, not RAM_J" },
	POWER_("CorWatt", "Cor_J", PACKAGE, CT_PP0_ENERGY, "cores (PP0)"),
	POWER_("GFXWatt", "GFX_J", PACKAGE, CT_PP1_ENERGY, "graphics (PP1)"),
	POWER_("RAMWatt", "RAM_J", PACKAGE, CT_DRAM_ENERGY, "DRAM"),
	PERCENT_("PKG_%", PACKAGE, V_TOTAL_OF_TIME, CT_PKG_THROTTLE, NONE, G_POWER, 0, "time RAPL throttled the package"),
	PERCENT_("RAM_%", PACKAGE, V_TOTAL_OF_TIME, CT_DRAM_THROTTLE, NONE, G_POWER, 0, "time RAPL throttled the DRAM"),
	AMOUNT_("UncMHz", PACKAGE, CT_UNCORE_KHZ, G_FREQUENCY, "MHz", "clock of the uncore: L3 cache, interconnect, memory controllers"),
	{ "FabMHz", PACKAGE, V_AMOUNT, INTEGER, CT_FABRIC_MHZ, NONE, 0, NAMED_ONLY, "MHz", "clock of the fabric between chiplets and memory controllers (AMD)" },
	{ "MemMHz", PACKAGE, V_AMOUNT, INTEGER, CT_MEMORY_MHZ, NONE, 0, NAMED_ONLY, "MHz", "clock of the memory (AMD)" },
	{ "MemRdMBs", PACKAGE, V_PER_SECOND, DECIMALS_2, CT_MEMORY_READ, NONE, G_MEM, NAMED_ONLY, "MB/s", "read from memory" },
	{ "MemWrMBs", PACKAGE, V_PER_SECOND, DECIMALS_2, CT_MEMORY_WRITTEN, NONE, G_MEM, NAMED_ONLY, "MB/s", "written to memory" },
	POWER_("SysWatt", "Sys_J", SYSTEM, CT_PSYS_ENERGY, "platform (psys)"),
	{ "BatWatt", SYSTEM, V_AMOUNT, DECIMALS_2, CT_BATTERY_POWER, NONE, 0, NAMED_ONLY, "W", "power drawn from the batteries" },
};

enum { NFAMILIES = 2 };
/* Further words of --show and --hide: families, then names of older versions. */
static const char *const other_names[] = { "cpuidle", "pct_idle", "Die%c6",  "CPU%c1e", "s2idle",
					   "S0ix",    "ThreadC",  "CoreCnt", "PkgCnt" };

/*
 * Templates of columns whose number depends on the machine.  Idle states: the column's name is a
 * suffix of the state's name, the path a file in the state's directory.
 */
struct generated_row {
	const char *after;		/* the column before it */
	unsigned sub;			/* sorts columns behind the same one */
	const char *family;
	struct counter counter;
	struct column column;		/* shows this counter */
};
#define IDLE_FILE(file, mark, ...) { "L2%hit", 1, "cpuidle", \
	SUMMED(NULL, CPU, 64, FILE_AT(file)), \
	{ mark, CPU, V_AMOUNT, INTEGER, NONE, NONE, G_SWIDLE | G_SYSFS, IF_ASKED, "count", __VA_ARGS__ } }
static const struct generated_row generated_table[] = {
	[IDLE_ABOVE] = IDLE_FILE("above", "-", "times a shallower state would have been right"),
	[IDLE_COUNT] = IDLE_FILE("usage", "", "times the kernel requested this idle state"),
	[IDLE_BELOW] = IDLE_FILE("below", "+", "times a deeper state would have been right"),
	[IDLE_TIME] = { "L2%hit", 2, "pct_idle", TIME(NULL, CPU, 1e6, FILE_AT("time")),
		PERCENT_("%", CPU, V_PERCENT_OF_TIME, NONE, NONE, G_SWIDLE | G_SYSFS | G_IDLE, 0, "share of time in this idle state, as the kernel requested it") },
	/* the idle state of a CPU during suspend-to-idle */
	[S2IDLE_COUNT] = { "L2%hit", 7, "s2idle", SUMMED(NULL, CPU, 64, FILE_AT("s2idle/usage", .in_suspend = true)),
		{ ".s2i", CPU, V_AMOUNT, INTEGER, NONE, NONE, 0, NAMED_ONLY, "count", "times this idle state was entered for suspend-to-idle" } },
	[S2IDLE_TIME] = { "L2%hit", 7, "s2idle", TIME(NULL, CPU, 1e6, FILE_AT("s2idle/time", .in_suspend = true)),
		PERCENT_(".s2i%", CPU, V_PERCENT_OF_TIME, NONE, NONE, 0, NAMED_ONLY, "time in this idle state, suspended to idle") },
	[SUBSTATE] = { "SYS%LPI", 1, "S0ix", TIME(NULL, SYSTEM, 1e6, FILE_AT(SUBSTATES, .parse = read_substate)),
		PERCENT_(NULL, SYSTEM, V_PERCENT_OF_TIME, NONE, NONE, 0, NAMED_ONLY, "time in this substate of S0ix") },
	[CLUSTER] = { "UncMHz", 1, "UncMHz", LEVEL(NULL, PACKAGE, MEAN, FOUND(find_uncore, IN_UNCORE, .scale = 1e-3)),
		AMOUNT_(NULL, PACKAGE, NONE, G_FREQUENCY, "MHz", "clock of this uncore domain and cluster") },
	/* telemetry of Meteor Lake, and of Clearwater Forest (Intel-PMT, by guid) */
	[DIE_C6] = { "UncMHz", 5, NULL, TIME("die_c6", PACKAGE, 0, WORD(0x1a067102, .offset = 120)),
		PERCENT_("Die%c6", PACKAGE, V_PERCENT_OF_TIME, NONE, NONE, G_HWIDLE, 0, "time the die was in C6") },
	[IDLE_C1E] = { "L2%hit", 5, NULL, TIME("c1e", CPU, 800e6, WORD(0x14421519, .of_module = true)),
		PERCENT_("CPU%c1e", CPU, V_PERCENT_OF_TIME, NONE, NONE, 0, 0, "time in core C1E") },
};
/* clang-format on */

/* The columns that those of --add follow. */
static const char *const added_after[NSCOPES] = {
	[SYSTEM] = "Sys_J", [CPU] = "L2%hit", [CORE] = "Cor_J", [PACKAGE] = "UncMHz",
};

/* --- options; filled in by OPTIONS --- */

enum verb { HIDE, ENABLE, SHOW, EXPLAIN };	/* --explain takes words of the last two */
enum add_format { ADD_DELTA, ADD_RAW, ADD_AVERAGE, ADD_RATE, ADD_PERCENT };

struct addition {		/* one --add */
	const char *spec;	/* as the user wrote it */
	char *words;		/* its copy, which is cut into words */
	struct way way;
	char *name;
	enum scope scope;	/* SYSTEM = not given */
	bool format_given;
	u8 bits;		/* 0 = not known yet */
	enum add_format format;
	double hz;		/* of percent: 0 = relative to the TSC */
	/* pmt,... */
	int unit;		/* the CPU, core or package */
	u32 seq;		/* which region with that guid, from 0 */
	enum { PMT_RAW, PMT_CRYSTAL, PMT_CORE_CLOCK } type;
};

enum output { TABLE, JSON, CSV, PROMETHEUS, HTML };

/* The properties of each format; writers[] has its functions. */
static const struct output_row {
	const char *option;	/* its name in messages */
	/* where the system configuration goes: nowhere, to standard error, into the output */
	enum { NO_HEADER, ON_STDERR, WITHIN } header;
	bool text;		/* for people: drawn on a terminal, among lines of words */
	bool per_cpu;		/* a row has all values of a CPU; else each unit has a row */
	bool named_once;	/* the first line names the fields of all others */
	bool totals;		/* a state that replaces its file: no regions, no runs */
	/* one of the whole time, with its intervals, replaces its file; statistics() writes it */
	bool document;
} outputs[] = {
	[TABLE] = { "view", ON_STDERR, .text = true, .per_cpu = true },
	[JSON] = { "json", WITHIN },
	[CSV] = { "csv", .named_once = true },
	[PROMETHEUS] = { "prometheus", .totals = true },
	[HTML] = { "html", WITHIN, .per_cpu = true, .document = true },
};

enum topic { NO_TOPIC, CLOCK, SLEEP, ENERGIES };	/* of --explain */
static const struct topic_row {
	const char *name;
	const char *words[8];	/* of its verdicts, for JSON and --fail */
} topics[] = {
	[NO_TOPIC] = { "", { NULL } },
	[CLOCK] = { "clock", { "high", "limited", "low", "unknown", "idle", "unmeasured" } },
	[SLEEP] = { "sleep", { "deep", "part", "hardly", "none", "shallow", "awake", "unknown" } },
	/* in the order of enum trust */
	[ENERGIES] = { "energy", { "right", "single", "doubtful", "unknown" } },
};
enum look { NO_LOOK, FIT, LIVE, WIDE };	/* of the table on a terminal; 0 = --view was not given */
static const char *const look_names[] = { "fit", "live", "wide" };

static struct options {
	enum output format;
	enum look look;
	enum topic topic;
	bool append, quiet, joules, summary, dump, list, explain, debug, total, stats, compare;
	bool no_msr, no_perf;
	bool lists;			/* a list is printed instead of intervals */
	double interval;		/* seconds */
	u64 iterations, header_every;	/* 0 = no limit; 0 = before every interval */
	u64 tcc;			/* degrees C, 0 = from the hardware */
	const char *out, *record, *replay;
	/* --show, --hide, --enable in their order */
	struct selector { enum verb verb; char *word; } *selector;
	size_t nselectors;
	unsigned first_of;		/* bits of enum scope: show the first CPU of each unit */
	enum scope per;			/* a row for each unit; SYSTEM = --per was not given */
	struct cpuset cpus;		/* --cpu; none = all */
	struct cpuset only;		/* --cpu only:; none = all */
	struct addition *addition;	/* --add */
	size_t nadditions;
	char **command;			/* NULL = interval mode */
	u64 pid;			/* a process to measure like a command, 0 = none */
	double delay, timeout, idle;	/* seconds; 0 = none */
	char **other;			/* the second command of --compare */
	const char *replay_other;	/* or recording */
	bool is_baseline;		/* side A of --compare is being replayed */
	u64 repeat, warmup;		/* runs of the command; 0 = one, without statistics */
	const char *control;
	const char *pre, *post;		/* shell commands before and after each run */
	struct gate {			/* --fail */
		const char *text;
		char *name;		/* of a column */
		char sign;		/* < or > */
		double limit;
		bool percent;
	} *gate;
	size_t ngates;
	const char **verdict;		/* --fail with a topic: words of its verdicts */
	size_t nverdicts;
	u64 given;			/* a bit for each row of option_rows[] */
} O = { .interval = 5 };

/* ======================================================================== *
 * 10. ROWS
 *
 * The tables of this run: copies of those of TABLES, with rows appended for idle states, uncore
 * clusters, telemetry and --add; and which columns are selected.  Owns the struct T;
 * CHOICE notes in its counters the sources it chose, PLAN in its columns how to show them.
 * ======================================================================== */

static struct tables {
	struct counter *counter;	/* counter_table, then generated rows */
	int ncounters;
	struct column *column;		/* column_table and generated rows, in printing order */
	int ncolumns;
	bool unknown_word;		/* --show, --hide or --enable has a word without meaning */
} T;

/* --- the tables --- */

/* Returns the value at which a counter wraps; 0 = it has 64 bits. */
static u64 counter_modulus(const struct counter *c)
{
	return c->bits < 64 ? 1ull << c->bits : 0;
}

static int add_counter(const struct counter *c)
{
	*append(T.counter, T.ncounters) = *c;
	return T.ncounters - 1;
}

/* Returns the first column of a name, or NULL. */
static const struct column *find_column(const char *name)
{
	for (int i = 0; i < T.ncolumns; i++)
		if (!strcmp(T.column[i].name, name))
			return &T.column[i];
	return NULL;
}

/* Columns that other sections compute with.  --add may give their names to others. */
enum built_in {
	COL_BUSY, COL_CLOCK, COL_IRQ, COL_PKG_TEMP, COL_RC6, COL_PC10, COL_SYS_LPI, COL_PKG_WATTS,
	COL_PKG_JOULES, COL_C3, COL_C6, COL_C7
};
static const char *const built_in_names[] = {
	[COL_BUSY] = "Busy%", [COL_CLOCK] = "Bzy_MHz", [COL_IRQ] = "IRQ", [COL_PKG_TEMP] = "PkgTmp",
	[COL_RC6] = "GFX%rc6", [COL_PC10] = "Pk%pc10", [COL_SYS_LPI] = "SYS%LPI",
	[COL_PKG_WATTS] = "PkgWatt", [COL_PKG_JOULES] = "Pkg_J",
	[COL_C3] = "CPU%c3", [COL_C6] = "CPU%c6", [COL_C7] = "CPU%c7"
};

static const struct column *built_in(enum built_in id);

/* The topic of --explain; for runs of a command it is the clock. */
static enum topic asked_topic(void)
{
	bool of_runs = O.repeat || O.compare || src_recorded("repeat");

	if (O.topic)
		return O.topic;
	return of_runs && !O.lists ? CLOCK : NO_TOPIC;
}

/* Do runs of a command need a column to judge the clock? */
static bool is_for_runs(const struct column *c)
{
	static const enum built_in ids[] = { COL_BUSY, COL_CLOCK, COL_PKG_TEMP, COL_PKG_WATTS,
					     COL_C3, COL_C6, COL_C7 };

	for (size_t i = 0; i < ARRAY_SIZE(ids) && asked_topic() && !O.topic; i++)
		if (built_in(ids[i]) == c)
			return true;
	return false;
}

static const struct column *built_in(enum built_in id)
{
	const struct column *c = T.column;

	while (c->flags & ADDED || strcmp(c->name, built_in_names[id]))
		c++;
	return c;
}

/* Inserts a column behind those of its place; one of --add before those with the same sub. */
static void add_column(struct column *c, const char *after, unsigned sub)
{
	unsigned first = c->flags & ADDED ? 1 : 0;
	int k = T.ncolumns;

	c->order = find_column(after)->order + sub;
	append(T.column, T.ncolumns);
	for (; k && T.column[k - 1].order + first > c->order; k--)
		T.column[k] = T.column[k - 1];
	T.column[k] = *c;
}

static void tables_init(void)
{
	for (int i = 0; i < NCOUNTERS; i++)
		add_counter(&counter_table[i]);
	for (unsigned i = 0; i < ARRAY_SIZE(column_table); i++) {
		struct column *c = append(T.column, T.ncolumns);

		*c = column_table[i];
		c->order = 8 * i;	/* leaves room for sub */
		if (c->a == CT_STEAL_TICKS && has(F(GUEST)))
			c->flags = BY_DEFAULT;
	}
}

/* --- generated rows --- */

static void add_generated(enum generated id, struct generated_row *g)
{
	g->column.generated = id;
	g->column.family = g->family;
	g->column.a = add_counter(&g->counter);
	add_column(&g->column, g->after, g->sub);
}

enum { MAX_STATES = 16 };

/* Reads the column names of a CPU's idle states: for "C1-HSW" C1, for "C1_ACPI" C1ACPI. */
static int read_idle_names(int cpu, char names[MAX_STATES][64])
{
	enum { LONGEST = 59 };		/* add_idle_states() may add a number */
	int n = 0;

	for (; n < MAX_STATES; n++) {
		const char *s = src_line(pathf(SYS_CPU "cpu%d/cpuidle/state%d/name", cpu, n));
		char *p = names[n];

		if (!s)
			break;
		for (; *s && *s != '-' && p < names[n] + LONGEST; s++)
			if (*s != '_')
				*p++ = strchr(" \t,", *s) ? '_' : *s;
		*p = '\0';
	}
	return n;
}

/* Returns the help of an idle state's time with the driver's words, such as "MWAIT 0x20". */
static const char *describe_state(int state, const char *help)
{
	struct buf text = { 0 };
	const char *words;

	if (!O.explain && outputs[O.format].header != WITHIN)
		return help;		/* nobody prints it */
	words = src_line(pathf(SYS_CPU "cpu%d/cpuidle/state%d/desc", M.main_cpu, state));
	if (!words)
		return help;
	buf_printf(&text, "%s: %s", help, words);
	make_printable(&text);
	return text.p;
}

/* Adds the columns of idle states: no "above" for the shallowest, no "below" for the deepest. */
static void add_idle_states(void)
{
	char names[MAX_STATES][64];
	bool s2idle;
	int n = 0;

	for_each_cpu(cpu, &M.allowed)	/* take those of the first CPU that has any */
		if (!n)
			n = read_idle_names(cpu, names);
	for (int i = 0; i < n; i++) {
		if (!*names[i])
			continue;
		for (int k = 0; k < i; k++) {	/* add the number if two have the same name */
			size_t length = strlen(names[i]);

			if (!strcmp(names[i], names[k]))
				snprintf(names[i] + length, sizeof(names[i]) - length, ".%d", i);
		}
		s2idle = src_has_number(pathf(SYS_CPU "cpu%d/cpuidle/state%d/s2idle/usage",
					      M.main_cpu, i));
		for (enum generated id = i ? IDLE_ABOVE : IDLE_COUNT;
		     id <= (s2idle ? S2IDLE_TIME : IDLE_TIME); id++) {
			struct generated_row g = generated_table[id];
			const char *file = g.counter.way[0].path;

			if (id == IDLE_BELOW && i == n - 1)
				continue;
			g.counter.name = textf("state%d %s", i, file);
			g.counter.way[0].path = textf("cpuidle/state%d/%s", i, file);
			g.column.name = printable(pathf("%s%s", names[i], g.column.name));
			if (id == IDLE_TIME)
				g.column.help = describe_state(i, g.column.help);
			add_generated(id, &g);
		}
	}
}

/* Adds columns of devices.  Uncore clusters of other packages have the same name. */
static void add_device_columns(void)
{
	char *text, name[16];
	int pmc = 0;
	u64 v;

	for (size_t i = 0; i < M.dev.nclusters; i++) {
		struct generated_row g = generated_table[CLUSTER];
		const struct cluster *c = &M.dev.cluster[i];

		if (c->domain < 0 || c->id < 0)
			continue;
		g.column.name = g.counter.name = textf("UMHz%d.%d", c->domain, c->id);
		g.counter.way[0].event = text_after(g.counter.name, "UMHz");
		add_generated(CLUSTER, &g);
	}
	text = src_whole(-1, SUBSTATES);
	while (next_substate(&text, &pmc, name, &v)) {
		struct generated_row g = generated_table[SUBSTATE];

		g.counter.name = g.counter.way[0].event = textf("%d %s", pmc, name);
		g.column.name = pmc ? textf("%s.%d%%", name, pmc) : textf("%s%%", name);
		add_generated(SUBSTATE, &g);
	}
	for (enum generated id = IDLE_C1E; id <= DIE_C6; id++) {
		struct generated_row g = generated_table[id];

		if (id == DIE_C6)	/* counts ticks of the crystal, whose rate must be known */
			g.counter.hz = (double)M.crystal_hz;
		if (find_region(NULL, g.counter.way[0].guid, 0) >= 0 && g.counter.hz > 0)
			add_generated(id, &g);
	}
}

/* --- counters that the user adds --- */

/* Adds a telemetry word to the counter of its name and scope.  True if that is the new one. */
static bool find_telemetry(const struct addition *a, struct counter *new, enum format format)
{
	int region = find_region(a->way.path, a->way.guid, a->seq);
	struct counter *to = new;
	const char *why = NULL;

	if (region < 0)
		why = a->way.path ? pathf("%s is not a telemetry region", a->way.path)
		      : pathf("no telemetry region %x has guid %x", a->seq, a->way.guid);
	else if (a->way.offset + sizeof(u64) > M.dev.telemetry[region].size)
		why = "the offset is outside of the telemetry region";
	else if (a->type == PMT_CRYSTAL && !M.crystal_hz)
		why = "the crystal's frequency is not known";
	if (why) {
		note(hash_text(a->name), "--add %s: %s", a->name, why);
		return false;
	}
	for (const struct column *col = T.column; col < T.column + T.ncolumns; col++) {
		struct counter *c;

		if (!(col->flags & ADDED) || strcmp(col->name, a->name))
			continue;
		c = &T.counter[col->a];		/* an added column has one */
		if (c->way[0].kind != BY_PMT || c->scope != a->scope)
			continue;
		if (c->way[0].lsb != a->way.lsb || c->way[0].msb != a->way.msb ||
		    col->format != format)
			die("--add: conflicting parameters for the telemetry counter %s", a->name);
		to = c;
	}
	*append(to->word, to->nwords) = (struct telemetry_word){ a->unit, region, a->way.offset };
	return to == new;
}

/* The scope of an added counter: by default CPU, or a larger one if its PMU has a cpumask. */
static enum scope added_scope(const struct addition *a)
{
	static const char *const of_cores[] = { "cstate_core", "cstate_module", "power_core" };

	if (a->scope != SYSTEM || a->way.find || a->way.task)
		return a->scope;
	if (a->way.pmu && find_word(a->way.pmu, of_cores, ARRAY_SIZE(of_cores)) >= 0)
		return CORE;
	for (size_t i = 0; i < M.dev.npmus && a->way.pmu; i++) {
		if (!pmu_matches(M.dev.pmu[i].name, a->way.pmu))
			continue;
		load_pmu_cpus(&M.dev.pmu[i]);
		if (M.dev.pmu[i].masked)
			return PACKAGE;
	}
	return CPU;
}

static void add_user_counter(const struct addition *a, int rank)
{
	static const struct nature {
		enum formula formula; enum format format; enum fold fold; enum kind_of_counter kind;
		const char *symbol; enum generated generated;
	} natures[] = {
		/* find_shown() replaces INTEGER, see format_of() */
		[ADD_DELTA] = { V_AMOUNT, INTEGER, SUM, COUNT, "", ADDED_COUNT },
		[ADD_RAW] = { V_RAW, HEX_16, SAME, GAUGE, "", NOT_GENERATED },
		[ADD_AVERAGE] = { V_AMOUNT, INTEGER, MEAN, GAUGE, "", ADDED_LEVEL },
		[ADD_RATE] = { V_PER_SECOND, DECIMALS_2, SUM, COUNT, "", ADDED_COUNT },
		[ADD_PERCENT] = { V_PERCENT_OF_TSC, DECIMALS_2, MEAN, COUNT, "%", ADDED_SHARE },
	};
	const struct nature *nature = &natures[a->format];
	enum way_kind kind = a->way.kind;
	enum scope scope = added_scope(a);
	/* no counter of the table has a group number of 16 or more */
	struct counter c = { a->name, scope, nature->fold, nature->kind, a->bits, PLAIN,
			     (u8)(16 + rank % 200), { a->way },
			     .kind_open = kind == BY_PERF && !a->format_given };
	struct column col = { a->name, scope, nature->formula, nature->format, NONE, NONE, 0,
			      ADDED, nature->symbol, "added by the user",
			      .generated = nature->generated };

	c.way[0].raw = a->format == ADD_RAW;
	if (col.format == HEX_16 || (kind == BY_PMT && col.format == INTEGER))
		col.format = a->bits <= 32 ? HEX_8 : HEX_16;
	if (kind == BY_PMT && !find_telemetry(a, &c, col.format))
		return;
	if (a->format == ADD_PERCENT)
		c.hz = a->type == PMT_RAW ? a->hz
		       : a->type == PMT_CRYSTAL ? (double)M.crystal_hz : 800e6;
	if (c.hz > 0)
		col.formula = V_PERCENT_OF_TIME;
	c.part_of_tsc = col.formula == V_PERCENT_OF_TSC;
	col.a = add_counter(&c);
	add_column(&col, added_after[a->way.task ? CPU : scope],
		   kind == BY_PMT ? 6 : kind == BY_PERF ? 4 : 3);
}

/* Does a column count a command or process?  It stands among those of CPUs, in the summary only. */
static bool is_of_task(const struct column *c)
{
	return c->flags & ADDED && T.counter[c->a].way[0].task;
}

/* --- selection --- */

static unsigned groups_of(const char *word)
{
	for (size_t i = 0; i < ARRAY_SIZE(group_names); i++)
		if (!strcmp(group_names[i].name, word))
			return group_names[i].groups;
	return 0;
}

/* Does a word of --show, --hide or --enable select this column? */
static bool word_means(const char *word, const struct column *c)
{
	unsigned groups = groups_of(word);

	return !strcmp(word, c->name) || (c->family && !strcmp(word, c->family)) ||
	       (groups & c->groups) || ((groups & G_ALL) && !(c->flags & (ADDED | NAMED_ONLY)));
}

static bool knows_idle(void)
{
	return O.idle > 0 || src_recorded("idle");
}

/* The last word about a column wins; the first --show hides the others except those of --add. */
static bool is_selected(const struct column *c)
{
	bool on = !(c->flags & (IF_ASKED | NAMED_ONLY | CACHE_ID));
	bool shown = false, named = false;
	/* if a program is measured, columns that are named show both Watts and Joules */
	bool of_program = O.repeat || O.compare || O.control || src_recorded("repeat") ||
			  src_recorded("control");

	for (size_t i = 0; i < O.nselectors; i++) {
		const struct selector *s = &O.selector[i];

		/* "all" does not select L3 and Module */
		bool passes = c->flags & CACHE_ID && groups_of(s->word) & G_ALL && s->verb != HIDE;

		named |= !strcmp(s->word, c->name);
		if (s->verb == SHOW && !shown)
			on = c->flags & ADDED;
		shown |= s->verb == SHOW;
		if (s->verb != EXPLAIN && word_means(s->word, c) && !passes)
			on = s->verb != HIDE;
	}
	if ((O.debug || O.list) && (c->flags & IF_ASKED) && !c->family)
		on = true;
	if (knows_idle() && (!strcmp(c->name, "Busy%") || !strcmp(c->name, "Pkg_J")))
		return true;	/* Net_J and Own_J are computed from these */
	for (size_t i = 0; i < O.ngates; i++)
		if (!strcmp(O.gate[i].name, c->name))
			return true;
	return on && (!(c->flags & (O.joules ? WATTS : JOULES)) || (named && of_program));
}

/* Does the word name a column, group or family, or look like an idle state: POLL, C1...? */
static bool is_known(const char *word)
{
	return groups_of(word) || find_column(word) ||
	       find_word(word, other_names, ARRAY_SIZE(other_names)) >= 0 ||
	       text_after(word, "POLL") || (word[0] == 'C' && isdigit((u8)word[1]));
}

/* Does a formula give an id of the CPU or unit?  A summary has none. */
static bool is_id(enum formula f)
{
	return f == V_ID || f == V_APIC || f == V_X2APIC;
}

/* Does the column show an id or a time instead of counters? */
static bool is_plain(const struct column *c)
{
	return !formula_table[c->formula].value;
}

/* Returns the name of the first selected column that shows a counter, or NULL. */
static const char *shown_as(int k)
{
	for (const struct column *c = T.column; c < T.column + T.ncolumns; c++)
		if (c->selected && (c->a == k || c->b == k) && !is_plain(c))
			return c->name;
	return NULL;
}

/* The name most similar to a mistyped word; consider() compares one name after the other. */
struct guess { const char *word, *name; int distance; };

/* Names are similar that contain the word, or differ by two letters in one place; case aside. */
static void consider(struct guess *g, const char *name)
{
	int length = (int)strlen(g->word), n = (int)strlen(name), begin = 0, end = 0;
	int least = n < length ? n : length, most = n + length - least, distance;

	while (begin < least && !strncasecmp(g->word, name, (size_t)begin + 1))
		begin++;
	while (begin + end < least && !strcasecmp(g->word + length - 1 - end, name + n - 1 - end))
		end++;
	distance = most - begin - end;
	if (length > 2 && distance > 1 && strcasestr(name, g->word))
		distance = 1;
	if (distance > 2 || distance >= least || (g->name && distance >= g->distance))
		return;
	g->name = name;
	g->distance = distance;
}

/* Returns the guess as a part of a message, or "". */
static const char *guess_text(const struct guess *g, const char *prefix)
{
	static const struct { const char *word, *prefix, *meant; } typed[] = {
		{ "watts", "", "PkgWatt" }, { "energy", "", "Pkg_J" }, { "load", "", "Busy%" },
		{ "temp", "", "CoreTmp or PkgTmp" }, { "freq", "", "Bzy_MHz" },
		{ "gpu", "", "GFX%rc6, GFXMHz or GFXWatt" }, { "socket", "", "package" },
		{ "count", "--", "num_iterations" }, { "period", "--", "interval" },
		{ "output", "--", "out" },
	};
	const char *name = g->name;

	for (size_t i = 0; i < ARRAY_SIZE(typed); i++)
		if (!strcasecmp(typed[i].word, g->word) && !strcmp(typed[i].prefix, prefix))
			name = typed[i].meant;
	return name ? keep_text(textf(", did you mean %s%s?", prefix, name)) : "";
}

static void note_unknown_words(void)
{
	for (size_t i = 0; i < O.nselectors; i++) {
		const char *word = O.selector[i].word;
		struct guess g = { .word = word };
		const char *guess;

		if (!*word || is_known(word))
			continue;
		T.unknown_word = true;
		for (int k = 0; k < T.ncolumns; k++)
			consider(&g, T.column[k].name);
		for (size_t k = 0; k < ARRAY_SIZE(group_names); k++)
			consider(&g, group_names[k].name);
		for (int k = 0; k < NFAMILIES; k++)
			consider(&g, other_names[k]);
		for (size_t k = 1; k < ARRAY_SIZE(topics) && O.explain; k++)
			consider(&g, topics[k].name);
		guess = strchr(word, ' ') ? ": write lists without blanks" : guess_text(&g, "");
		if (O.explain)
			note(hash_text(word), "unknown column '%s'%s (columns: --list; topics: "
			     "clock, sleep, energy)", word, guess);
		else
			note(hash_text(word), "unknown column '%s'%s", word,
			     *guess ? guess : " (see --list)");
	}
}

static void tables_fill(void)
{
	list_devices();
	add_idle_states();
	add_device_columns();
	for (size_t i = 0; i < O.nadditions; i++)
		add_user_counter(&O.addition[i], (int)i);
	for (int k = 0; k < T.ncounters; k++)
		if (T.counter[k].scope == DIE)
			T.counter[k].scope = energy_scope();
	/* without cluster ids, read the state of a module on each of its cores */
	for (int i = 0; i < T.ncolumns && !M.show_id[ID_MODULE]; i++)
		if (T.column[i].scope == MODULE)
			T.counter[T.column[i].a].scope = T.column[i].scope = CORE;
	for (int i = 0; i < T.ncolumns; i++)
		T.column[i].selected = is_selected(&T.column[i]);
	note_unknown_words();
}

/* ======================================================================== *
 * 11. SEARCH
 *
 * Defines the plan, the struct P, which sections 10 to 13 fill.  Searches for sources: registers,
 * files, telemetry, the sums of the kernel.  Invariants:
 *	- A cell is a counter of a unit.  If it has several sources, its value is their sum.
 *	- A difference exists only between two readings of one epoch.  An epoch begins when a
 *	  source is found or opened again, when its count or its enabled time falls, and when it
 *	  was not read for so long that it may have wrapped.  Epochs never repeat.
 *	- A source is read on the CPU that leads its unit, an event on its own CPU.  When that CPU
 *	  goes, the next one reads a unit's source in the same epoch; a source of that CPU alone is
 *	  closed and searched again.
 * ======================================================================== */

/* Sums of /proc/interrupts: of all lines, and of two. */
enum { ALL_INTERRUPTS, NMIS, THERMAL_INTERRUPTS, NSUMS };

/* BEGINS: the cell was read at the end of the interval, but not at its beginning. */
enum validity { UNKNOWN, BEGINS, VALID };

struct source {			/* of a cell, perhaps one of several */
	int counter, unit;	/* the cell */
	u16 cpu;		/* where it is read */
	u8 kind;		/* enum way_kind; NO_WAY: no PMU counts there, which is 0 */
	bool further : 1;	/* not the first source of its cell */
	bool gone : 1;		/* its driver has gone: search again */
	union {
		int handle;	/* BY_FILE: descriptor, negative = opened when read */
		u32 arg;	/* register, sum of interrupts, offset in a region, member, task */
	};
	struct source *next;	/* on its CPU */
	const struct way *way;	/* of the counter */
	union {
		char *path;		/* BY_FILE */
		struct event_group *group;	/* BY_PERF */
		int region;		/* BY_PMT */
	};
	u64 modulus;		/* at which a count wraps; 0 = at 2^64, or a level */
	u32 epoch;
	u32 pass;		/* of its last reading */
	u64 last;		/* value then; counts that wrap are extended to 64 bits */
	u64 value[2];		/* in the two newest samples */
	u32 valid[2];		/* the epoch of each value; 0 = unknown */
};

struct event_count {		/* what an event has counted, scaled interval by interval */
	struct perf_value last;	/* of the newest reading */
	u64 sum;
	u32 epoch;		/* another one begins when the event starts anew */
};

struct member {			/* a perf event of a group */
	const struct event *event;
	int counter;		/* that it was opened for; NONE = only to wake the CPU */
	int fd;
	bool level;		/* not a count */
	u32 pass;		/* of its last value */
	struct event_count count;
	u64 enabled[2];		/* ns, in the two newest samples; 0 = not known */
};

/*
 * Perf events of one PMU that are read with one call.  If the PMU has a cpumask and a CPU goes, the
 * kernel moves its events to another CPU of the unit, where they go on counting.
 */
struct event_group {
	int cpu, n;
	struct event_group *next;	/* of the same CPU */
	bool dead;		/* its events count no more: the CPU was offline */
	bool gone;		/* its CPU is no longer measured */
	u8 number;		/* counter.group_number */
	i64 read_at;		/* CLOCK_MONOTONIC, 0 = not yet */
	const char *pmu;
	struct member *member;	/* room for USUAL_GROUP, or for MAX_GROUP */
};

struct task {			/* an event that counts the threads of a command or process */
	const struct event *event;
	int counter;
	bool user_only;		/* see src_try_task() */
	bool whole;		/* never scaled: the others count while it waits */
	int *fd;		/* one for each thread that it was opened for */
	size_t n;
	int err;		/* why it could not be opened, or 0 */
	u32 pass;		/* of its last value */
	struct event_count count;	/* its epoch begins with each run of a command */
};

struct unit_row {		/* a unit that has a row of its own */
	enum scope scope;
	int row;		/* of the leader */
	int id[NIDS];		/* that name it; NONE = not known, or not the same for its CPUs */
};

static struct plan {
	/* what is printed */
	struct column **shown;		/* columns, in their order */
	int nshown;
	bool has_share_fields;			/* CSV has fields for a command's time and memory */
	u8 *printed;			/* [row] --cpu selects it */
	u16 *printed_units;	/* [row] scopes as bits: the unit that this row leads was printed */
	/* rows of --per; without it those of machine-readable formats, by scope */
	struct unit_row *unit;
	int nunits;
	const struct column *id[NIDS];	/* columns that a table with --per begins with */
	int nids;
	/* what is read */
	struct source *source;		/* in the order of the search */
	u32 nsources;
	struct task *task;
	u32 ntasks;
	bool **covered;		/* [counter][unit] the cell has a source */
	struct visit {			/* [CPU number] what is read on a CPU */
		struct event_group *groups;
		struct source *sources;	/* all others */
		bool moves;		/* read on that CPU only */
		int interrupts;		/* that reading from afar takes: groups, registers */
		int tick_interrupts;	/* the same in a tick */
	} *on;
	unsigned tsc_scopes;		/* of the columns that need the TSC, as bits */
	u32 epoch;			/* the newest */
	int known[NSCOPES];	/* units that all arrays have room for; 0 in the first plan */
	bool incomplete;		/* a source is missing: search again */
	int waited;		/* intervals since then */
	int interrupts_fd, stat_fd, online_fd, cpuset_fd;	/* see is_kept() */
	bool ticks_stand;	/* /proc/stat counted nothing at the start */
	i64 tick;		/* ns between readings of energy counters that wrap; 0 = none do */
} P = { .interrupts_fd = -1, .stat_fd = -1, .online_fd = -1, .cpuset_fd = -1 };

static bool is_energy(const struct counter *c)
{
	return c->rapl_unit != PLAIN && c->rapl_unit != TIME_UNIT;
}

/* Is a counter read in units without a measured CPU, too?  Their RAPL counters are part of sums. */
static bool is_read_afar(const struct counter *c)
{
	return c->rapl_unit != PLAIN && c->scope == energy_scope();
}

/* Marks the cell of a source; the source is a part if the cell has one already. */
static void cover_cell(struct source *s)
{
	bool *covered = &P.covered[s->counter][s->unit];

	s->further = *covered;
	T.counter[s->counter].several |= s->further;
	*covered = true;
}

struct search {			/* for sources of a counter, by one of its ways */
	int counter;
	const struct way *way;
	struct pmu *pmu;	/* by perf: npmus PMUs; those that match are used */
	size_t npmus;
	double scale;		/* by perf: that of the events; else 1 */
	bool grows;		/* units that have sources may get more */
};

/*
 * Is the TSC of a row's CPU needed?  It is on the main CPU, for suspends, and where a unit is read
 * that a column shows as a percentage: of a package, on its leader.
 */
static bool needs_tsc(int row)
{
	if (row >= M.n || P.tsc_scopes >> CPU & 1 || row == M.row[M.main_cpu])
		return true;
	for (enum scope s = 0; s < CPU; s++)
		if (P.tsc_scopes >> s & 1 && leads_unit(s, row))
			return true;
	return false;
}

/* Does the unit of a row have a source? */
static bool *cover_of(int counter, int row)
{
	return &P.covered[counter][M.in[T.counter[counter].scope][row]];
}

/* Does the unit of a row lack a source of a counter that it should have? */
static bool wants_source(int counter, int row)
{
	const struct counter *c = &T.counter[counter];

	if (counter == CT_TSC && !needs_tsc(row))
		return false;
	return (row < M.n ? leads_unit(c->scope, row) : is_read_afar(c)) &&
	       !*cover_of(counter, row) && !(counter == CT_MC6 && is_p_core(row));
}

/* Adds a source of the counter that is searched, for the unit of a row; arg: see struct source. */
static struct source *add_source(const struct search *s, int row, u32 arg)
{
	const struct counter *c = &T.counter[s->counter];
	enum way_kind kind = s->way->kind;
	bool wraps = c->kind == COUNT && (kind == BY_MSR || kind == BY_PMT || kind == BY_FILE);
	struct source *new = append(P.source, P.nsources);

	*new = (struct source){ s->counter, M.in[c->scope][row], (u16)M.cpu[row], (u8)kind,
				.arg = arg, .way = s->way, .epoch = ++P.epoch,
				.modulus = wraps ? counter_modulus(c) : 0 };
	cover_cell(new);
	return new;
}

/* Can a counter move under the package C-state limit?  One that is not known excludes nothing. */
static bool limit_allows(u64 needs)
{
	static const enum pkg_limit least[] = { L_PC2, L_PC3, L_PC6, L_PC6,
						L_PC7, L_PC8, L_PC9, L_PC10 };

	if (M.pkg_limit <= L_UNKNOWN || M.pkg_limit_odd)	/* as code 8 of Haswell-EP */
		return true;
	for (int f = PC2; f <= PC10; f++)
		if (needs & F(f))
			return M.pkg_limit >= least[f - PC2];
	return true;
}

/* A register is read on all leaders if it can be read on one. */
static int begin_msr(struct search *s)
{
	int err = -ENOENT;
	u64 v;

	if (M.msr_error)
		return -M.msr_error;
	if (!limit_allows(s->way->needs))
		return -ERANGE;
	for (int row = 0; row < M.n + M.nafar && err; row++)
		if (wants_source(s->counter, row))
			err = src_msr(M.cpu[row], s->way->msr, &v);
	return err;
}

static bool is_idle_file(const struct way *w)
{
	return w->kind == BY_FILE && text_after(w->path, "cpuidle/");
}

/* Is the counter left out if descriptors are too few for its files? */
static bool is_dispensable(const struct way *w)
{
	return w->kind == BY_FILE && (text_after(w->path, IN_HWMON) || is_idle_file(w) ||
				      text_after(w->path, "thermal_throttle/"));
}

static int read_file(const struct way *w, int fd, const char *path, u64 *v)
{
	return w->parse ? w->parse(fd, w->event, path, v) : src_counter(fd, path, v);
}

/* Reads a decimal number in a file, as millionths. */
static int read_decimal(int fd, UNUSED const char *what, const char *path, u64 *v)
{
	int err = src_beginning(fd, path);
	const char *s = err ? "" : first_line(S.scratch.p);
	char *end;
	double number = strtod(s, &end);

	if (end == s || end[strspn(end, " \t")] || strlen(s) == MOST_OF_NUMBER ||
	    !(__builtin_fabs(number) < 9e12))
		return -EINVAL;
	*v = (u64)(i64)(number * 1e6 + (number < 0 ? -0.5 : 0.5));
	return 0;
}

/* Returns the path of a row's file, or NULL if it has none; its count may wrap at a modulus. */
static char *path_of(const struct way *w, int row, u64 *modulus)
{
	if (w->find)
		return w->find(w->event, row, modulus);
	return copy_text(*w->path == '/' ? w->path : cpu_path(M.cpu[row], w->path));
}

/*
 * Opens a file of --add, once: later it could be another.  Its first line must be a number, which
 * may be a fraction.  Returns the descriptor or -errno: it may be a directory, or without a number.
 */
static int open_user_file(struct counter *c, struct way *w, const char *path)
{
	int fd = src_keep(path, OF_USER), err;
	u64 v;

	if (fd < 0)
		return fd;
	err = read_file(w, fd, path, &v);
	if (!err)
		return fd;
	if (err == -EINVAL && !w->parse && !w->raw && !read_decimal(fd, NULL, path, &v)) {
		w->parse = read_decimal;
		w->scale = (w->scale > 0 ? w->scale : 1) * 1e-6;
		return fd;
	}
	if (err == -EINVAL) {
		const char *line = src_beginning(fd, path) ? "" : first_line(S.scratch.p);

		c->no_number = keep_text(textf("%.40s", line));
	}
	src_close(fd);
	return err;
}

/*
 * Tries a file of the kernel, and keeps it open; fd is negative if each reading opens it: it is
 * parsed, or descriptors are too few.  Returns 0 or -errno; ENODATA: it has no value just now.
 */
static int open_kernel_file(const struct way *w, const char *path, int *fd)
{
	bool dispensable = is_dispensable(w);
	u64 v;

	*fd = -EMFILE;
	if (w->parse)
		return read_file(w, *fd, path, &v);
	*fd = src_keep(path, dispensable ? IF_ROOM : OF_KERNEL);
	if (*fd >= 0 || (*fd == -EMFILE && !dispensable))
		return 0;
	return *fd;
}

/* Adds a source for a row's file.  Returns 1, 0 if it has none, or -errno. */
static int use_file(struct search *s, int row)
{
	struct counter *c = &T.counter[s->counter];
	struct way *w = &c->way[s->way - c->way];
	u64 modulus = 0;
	char *path = path_of(w, row, &modulus);
	struct source *found;
	int fd, err;

	if (!path)
		return w->find == find_ccd && lacks_places() ? -EXDEV : 0;
	if (w->find == find_powercap && left_out_for(c->scope, find_pmu("power"), row) != NONE) {
		free(path);		/* its driver would read a register on that CPU */
		return -EXDEV;
	}
	if (w->of_user) {
		fd = open_user_file(c, w, path);
		err = fd < 0 ? fd : 0;
	} else {
		err = open_kernel_file(w, path, &fd);
		if (err == -ENODATA)
			err = 0;
	}
	if (err) {
		free(path);
		return err;
	}
	found = add_source(s, row, 0);
	found->path = path;
	found->handle = fd;
	if (c->rapl_unit != PLAIN)
		found->modulus = modulus;
	return 1;
}

/*
 * Returns the number of the region that has CPU%c1e of a row's module, and the offset there.
 * Intel-PMT, Clearwater Forest: a region holds 12 modules of 24 bytes, and all packages have
 * equally many regions.  The module is the cluster id, counted from the lowest of the package;
 * without cluster ids four CPUs make a module.
 */
static unsigned locate_module(u32 guid, int row, u32 *offset)
{
	enum { PER_REGION = 12, FIRST = 20936, STRIDE = 24 };
	unsigned module = (unsigned)M.cpu[row] / 4, before = 0, regions = 0;

	if (M.show_id[ID_MODULE]) {
		for (size_t i = 0; i < M.dev.ntelemetry; i++)
			regions += M.dev.telemetry[i].guid == guid;
		module = (unsigned)(M.id[ID_MODULE][row] - M.place[M.cpu[row]].module);
		before = (unsigned)M.id[ID_PACKAGE][row] * (regions / (unsigned)M.packages);
	}
	*offset = FIRST + STRIDE * (module % PER_REGION);
	return before + module / PER_REGION;
}

/* Uses the word that the user gave for a unit, or the built-in one. */
static int use_telemetry(struct search *s, int row)
{
	const struct counter *c = &T.counter[s->counter];
	enum id id = c->scope == CORE ? ID_CORE : ID_PACKAGE;
	int unit = c->scope == CPU ? M.cpu[row] : M.id[id][row];
	u32 offset = s->way->offset;
	unsigned seq;
	int region;

	if (s->way->of_module && M.show_id[ID_MODULE] && !M.place)
		return -EXDEV;
	seq = s->way->of_module ? locate_module(s->way->guid, row, &offset) : 0;
	region = c->nwords ? -ENOENT : find_region(NULL, s->way->guid, seq);

	for (int i = 0; i < c->nwords; i++)
		if (c->word[i].number == unit) {
			region = c->word[i].region;
			offset = c->word[i].offset;
		}
	if (region < 0)
		return region;
	add_source(s, row, offset)->region = region;
	return 1;
}

/* Uses a register, or what every CPU has: a TSC, interrupts, ticks. */
static int use_unit(struct search *s, int row)
{
	u64 v;

	/* energies are few: try each leader */
	if (T.counter[s->counter].rapl_unit != PLAIN && src_msr(M.cpu[row], s->way->msr, &v))
		return 0;
	add_source(s, row, s->counter == CT_NMI ? NMIS : s->way->msr);
	return 1;
}

/* Is a file read in each sample?  If descriptors are too few, it is opened each time. */
static bool is_kept(int fd)
{
	return fd >= 0 || fd == -EMFILE;
}

/*
 * Does /proc/stat count?  In sandboxes such as gVisor all its numbers are 0, for every CPU.  Called
 * at the start only: a machine that counts nothing then has no such source.
 */
static bool counts_ticks(void)
{
	const char *s = src_whole(P.stat_fd, "/proc/stat");
	bool listed = false;

	for (; s; s = strchr(s, '\n')) {
		s += *s == '\n';
		if (!text_after(s, "cpu") || !isdigit((u8)s[strlen("cpu")]))
			continue;
		listed = true;
		s += strcspn(s, " \n");
		if (s[strspn(s, " 0")] != '\n' && s[strspn(s, " 0")])
			return true;
	}
	return !listed;		/* then a reading says what is wrong */
}

/*
 * Opens a file that is read as a whole in each sample; too few descriptors are no error.  The
 * kernel's ticks also estimate MPERF by their busy part, and APERF by cpufreq's clock in that part:
 * on all CPUs or on none.
 */
static int begin_whole_file(struct search *s)
{
	bool interrupts = s->way->kind == BY_INTERRUPTS;
	int *fd = interrupts ? &P.interrupts_fd : &P.stat_fd;

	if (*fd == -1)
		*fd = src_keep(interrupts ? "/proc/interrupts" : "/proc/stat", OF_KERNEL);
	if (!is_kept(*fd))
		return *fd;
	if (!interrupts && !P.known[SYSTEM])
		P.ticks_stand = !counts_ticks();
	if (!interrupts && P.ticks_stand)
		return -ENODATA;
	if (s->way->kind != BY_ESTIMATE)
		return 0;
	T.counter[CT_TICKS].needed = T.counter[CT_BUSY_TICKS].needed = true;
	T.counter[CT_TSC].needed = true;
	if (s->counter == CT_APERF)	/* which needs an estimated MPERF */
		T.counter[CT_CPU_KHZ].needed = T.counter[CT_MPERF].needed = true;
	return 0;
}

/* Is this the kernel's accounting?  NULL is not. */
static bool is_accounting(const struct way *w)
{
	return w && (w->kind == BY_ACCOUNTING || w->kind == BY_ESTIMATE);
}

/* C1 is the rest of the time if these are counted; of the deeper states, those that there are. */
static const struct { u64 needs; int counter; } remainder_needs[] = {
	{ 0, CT_MPERF }, { 0, CT_TSC }, { F(CC3), CT_CC3 }, { F(CC6), CT_CC6 },
	{ F(CC6_KNL), CT_CC6 }, { F(CC7), CT_CC7 },
};

/* Returns the first that is not counted, or NULL.  A guest can do without the deeper states. */
static const struct counter *lacks_for_remainder(void)
{
	for (size_t i = 0; i < ARRAY_SIZE(remainder_needs); i++) {
		const struct counter *c = &T.counter[remainder_needs[i].counter];
		u64 needs = remainder_needs[i].needs;

		if ((!c->chosen || is_accounting(c->chosen)) && has(needs) &&
		    !(needs && has(F(GUEST))))
			return c;
	}
	return NULL;
}

static int begin_remainder(UNUSED struct search *s)
{
	return lacks_for_remainder() ? -ENODATA : 0;
}

/* ======================================================================== *
 * 12. EVENTS
 *
 * perf events: decodes their names by the terms, formats and attributes of the PMU in sysfs; opens
 * them in groups, for the rows that they count for.
 * ======================================================================== */

/* --- perf events by name (Documentation/ABI/testing/sysfs-bus-event_source-devices-*) --- */

/* Puts a term's value into the bits that the PMU's format file lists: "config1:0-7,32-35". */
static int fill_bits(const char *format, u64 value, u64 config[4])
{
	const char *s = text_after(format, "config") ?: "";
	int word = *s >= '1' && *s <= '3' ? *s++ - '0' : 0;
	struct cpuset bits;

	if (*s++ != ':' || parse_cpulist(s, &bits) || set_next(&bits, 0) < 0 ||
	    set_next(&bits, 64) >= 0)
		return -EINVAL;
	for_each_cpu(bit, &bits) {
		config[word] |= (value & 1) << bit;
		value >>= 1;
	}
	return value ? -ERANGE : 0;
}

/* The first line of an attribute of an event, such as ".scale"; NULL if there is none. */
static const char *event_attribute(const char *pmu, const char *event, const char *attribute)
{
	return src_line(pathf(PERF_DEVICES "%s/events/%s%s", pmu, event, attribute));
}

/* Reads scale, unit and kind of a named event; returns 0 or -errno. */
static int read_attributes(struct resolved *r, const char *event)
{
	const char *s = event_attribute(r->pmu, event, ".scale");

	r->scaled = s != NULL;
	r->scale = s ? strtod(s, NULL) : 1;
	if (!(r->scale > 0 && r->scale < 1e30))
		return -EINVAL;
	s = event_attribute(r->pmu, event, ".unit");
	r->joules = s && !strcmp(s, "Joules");
	r->mebibytes = s && !strcmp(s, "MiB");
	s = event_attribute(r->pmu, event, ".snapshot");
	r->snapshot = s && *s == '1';
	return 0;
}

/* Decodes "a=1,b,c=0x2"; the name of an event in front stands for its own terms. */
static int parse_terms(struct resolved *r, const char *terms)
{
	static const char *const words[] = { "config", "config1", "config2", "config3" };
	size_t n = strcspn(terms, ",=");
	char *event SCOPED(ptr) = textf("%.*s", (int)n, terms), *save = NULL;
	const char *own = terms[n] == '=' ? NULL : event_attribute(r->pmu, event, "");
	char *copy SCOPED(ptr) = own ? textf("%s%s", own, terms + n) : textf("%s", terms);
	int err = !*copy ? -EINVAL : own ? read_attributes(r, event) : 0;

	for (char *t = strtok_r(copy, ",\n", &save); t && !err; t = strtok_r(NULL, ",\n", &save)) {
		char *value = strchr(t, '=');
		const char *format;
		u64 v = 1;

		if (value)
			*value++ = '\0';
		if (!strcmp(t, "name"))
			continue;
		format = find_word(t, words, ARRAY_SIZE(words)) >= 0
			? pathf("%s:0-63", t)
			: src_line(pathf(PERF_DEVICES "%s/format/%s", r->pmu, t));
		err = value && !parse_u64(value, 0, &v) ? -EINVAL
		      : format ? fill_bits(format, v, r->event.config) : -ENOENT;
		if (err)
			r->bad = err == -ENOENT || !value ? textf("%s", t)
							  : textf("%s=%s", t, value);
	}
	return err;
}

/* Does a way name a tracepoint, "SYSTEM:EVENT"? */
static bool is_tracepoint(const struct way *w)
{
	return !strcmp(w->pmu, "tracepoint") && w->event && strchr(w->event, ':');
}

/* Reads the number of the tracepoint "SYSTEM:EVENT"; r->bad is the file that refuses it. */
static int read_tracepoint(struct resolved *r)
{
	static const char *const places[] = { "/sys/kernel/tracing", "/sys/kernel/debug/tracing" };
	int system = (int)strcspn(r->name, ":"), err = -ENOENT;

	for (size_t i = 0; i < ARRAY_SIZE(places) && err == -ENOENT; i++) {
		const char *path = pathf("%s/events/%.*s/%s/id", places[i], system, r->name,
					 r->name + system + 1);

		err = src_number(path, &r->event.config[0]);
		if (err && err != -ENOENT)
			r->bad = textf("%s", path);
	}
	return err;
}

/* Finds an event by its name or terms; the first call decodes them. */
static struct resolved *find_event(const char *pmu, const char *name, enum mode mode)
{
	int generic = find_word(pmu, perf_types, ARRAY_SIZE(perf_types));
	struct resolved *r;
	u64 type = (u64)generic;

	for (size_t i = 0; i < M.dev.nresolved; i++) {
		r = M.dev.resolved[i];
		if (!strcmp(r->pmu, pmu) && !strcmp(r->name, name) && r->event.mode == mode)
			return r;
	}
	r = zeroed(1, sizeof(*r));
	*r = (struct resolved){ .pmu = textf("%s", pmu), .name = textf("%s", name), .scale = 1 };
	*append(M.dev.resolved, M.dev.nresolved) = r;
	if (generic < 0)
		r->err = src_number(pathf(PERF_DEVICES "%s/type", r->pmu), &type);
	r->event = (struct event){ .pmu = r->pmu, .type = (u32)type, .mode = mode };
	if (is_tracepoint(&(struct way){ .pmu = pmu, .event = name }))
		r->err = read_tracepoint(r);
	else if (!r->err)
		r->err = parse_terms(r, r->name);
	return r;
}

/* Returns the number of a CPU's core PMU: 0 if all are alike, -1 if it is not known. */
static int core_pmu(int cpu)
{
	if (!has(F(HYBRID)))
		return 0;
	for (size_t i = 0; i < ARRAY_SIZE(core_pmus); i++) {
		struct cpuset set;

		if (read_pmu_cpus(core_pmus[i].name, "cpus", &set) && set_has(&set, cpu))
			return i;
	}
	return -1;
}

/*
 * Finds the event of a way for a CPU.  On hybrids "cpu" is the PMU of the CPU's core, and generic
 * hardware events carry the PMU's type in bits 63:32 (perf_event_open(2)).
 */
static struct resolved *event_of(const struct way *w, const char *pmu, int cpu)
{
	bool hardware = !strcmp(pmu, "hw"), of_core = hardware || !strcmp(pmu, "cpu");
	bool generic = find_word(pmu, perf_types, ARRAY_SIZE(perf_types)) >= 0;
	int core = of_core ? core_pmu(cpu) : 0;
	u64 config = w->config, type = 0;

	if (core < 0)
		return NULL;
	if (!generic && !w->event) {	/* of the level 2 cache */
		const struct l2_events *l2 = l2_events();

		config = l2 ? l2->code[w->config][core] : 0;
		if (!config)
			return NULL;
	}
	if (hardware && has(F(HYBRID)))
		src_number(pathf(PERF_DEVICES "%s/type", core_pmus[core].name), &type);
	else if (of_core && has(F(HYBRID)))
		pmu = core_pmus[core].name;
	return find_event(pmu, w->event ?: pathf("config=0x%llx", config | type << 32), w->mode);
}

/* Returns an event of a way that could not be decoded, or NULL. */
static const struct resolved *bad_event(const struct way *w)
{
	for (size_t i = 0; i < M.dev.nresolved; i++)
		if (M.dev.resolved[i]->err && w->event &&
		    !strcmp(M.dev.resolved[i]->name, w->event) &&
		    pmu_matches(M.dev.resolved[i]->pmu, w->pmu))
			return M.dev.resolved[i];
	return NULL;
}

/* --- groups of events --- */

static void unlink_group(const struct event_group *g)
{
	struct event_group **link = &P.on[g->cpu].groups;

	while (*link != g)
		link = &(*link)->next;
	*link = g->next;
}

static void drop_group(struct event_group *g)
{
	unlink_group(g);
	while (g->n)
		src_close(g->member[--g->n].fd);
	free(g->member);
	free(g);
}

/* Finds the group and the member that count an event on a CPU already; NULL: none does. */
static struct event_group *find_member(int cpu, const struct event *e, u32 *member)
{
	for (struct event_group *g = P.on[cpu].groups; g; g = g->next)
		for (*member = 0; *member < (u32)g->n; ++*member)
			if (g->member[*member].event == e)
				return g;
	return NULL;
}

/* Adds an event to a group.  After the first plan a busy one is added, and opened by a sample. */
static int open_member(struct event_group *g, const struct resolved *r, int counter)
{
	int fd = g->dead ? -EBUSY : src_perf_open(g->cpu, &r->event, g->n ? g->member[0].fd : -1);

	g->dead |= fd == -EBUSY && P.known[SYSTEM];
	if (fd < 0 && !g->dead)
		return fd;
	if (!g->n || g->n == USUAL_GROUP)
		g->member = resize(g->member, g->n ? MAX_GROUP : USUAL_GROUP, sizeof(*g->member));
	g->member[g->n++] = (struct member){ .event = &r->event, .counter = counter, .fd = fd,
					     .level = r->snapshot, .count.epoch = ++P.epoch };
	return 0;
}

/* Opens an event in the first group of a CPU that has room; if it does not fit, in a new one. */
static int open_in_group(int cpu, int counter, const struct resolved *r)
{
	u8 number = counter == NONE ? 0 : T.counter[counter].group_number;
	struct event_group **end = &P.on[cpu].groups, *g = *end;
	int err;

	while (g && (g->number != number || strcmp(g->pmu, r->event.pmu) || g->n == MAX_GROUP))
		g = g->next;
	err = g ? open_member(g, r, counter) : -EINVAL;
	if (err != -EINVAL)
		return err;
	while (*end)
		end = &(*end)->next;
	*end = g = zeroed(1, sizeof(*g));
	*g = (struct event_group){ .cpu = cpu, .pmu = r->event.pmu, .number = number };
	err = open_member(g, r, counter);
	if (err)
		drop_group(g);
	return err;
}

/* Makes an event of a CPU a source of a row, and opens it if no group counts it yet. */
static int open_event(struct search *s, int row, int cpu, const struct resolved *r)
{
	u32 member = 0;
	struct event_group *g = find_member(cpu, &r->event, &member);
	int unit = M.in[T.counter[s->counter].scope][row];
	int err = g ? 0 : open_in_group(cpu, s->counter, r);

	for (u32 i = 0; i < P.nsources && g && *cover_of(s->counter, row); i++)
		if (P.source[i].counter == s->counter && P.source[i].unit == unit &&
		    P.source[i].group == g && P.source[i].arg == member)
			return 0;
	if (err)
		return err;
	g = g ?: find_member(cpu, &r->event, &member);
	add_source(s, row, member)->group = g;
	return 0;
}

static void close_file(const struct source *s)
{
	if (s->kind != BY_FILE)
		return;
	src_close(s->handle);
	free(s->path);
}

/* Removes the sources from the mark on, and closes what only they use. */
static void drop_found(u32 mark)
{
	while (P.nsources > mark) {
		struct source t = P.source[--P.nsources];
		bool is_used = t.kind != BY_PERF;

		P.covered[t.counter][t.unit] = t.further;
		close_file(&t);
		for (u32 i = 0; i < P.nsources && !is_used; i++)
			is_used = P.source[i].group == t.group && P.source[i].arg == t.arg;
		if (is_used)
			continue;
		src_close(t.group->member[--t.group->n].fd);
		if (!t.group->n)
			drop_group(t.group);
	}
}

/* --- what PMUs count for a row --- */

/* Adds the lowest CPU of a mask for each unit of a scope within a row's unit; false: none. */
static bool add_masked(struct cpuset *cpus, const struct cpuset *mask, enum scope scope, int row,
		       enum scope each)
{
	const int *in = M.in[scope == SYSTEM ? SYSTEM : PACKAGE];
	int last = NONE;

	for (int r = lead_of(scope, row);
	     r < M.n && in[r] == in[row] && (last == NONE || each != scope); r++)
		if (M.in[scope][r] == M.in[scope][row] && set_has(mask, M.cpu[r]) &&
		    M.in[each][r] != last) {
			set_add(cpus, M.cpu[r]);
			last = M.in[each][r];
		}
	return last != NONE;
}

/*
 * Finds the CPUs on which a PMU's event is opened for a row: without a cpumask its own.  A cpumask
 * lists one CPU of each unit that counts, such as a level 3 cache, and a package sums up its units.
 * The cpumask of "power" may list all CPUs: its units are dies, or on AMD packages.  Dies share the
 * event of a cpumask of packages: if a CPU with several groups goes, Linux 6.12 moves only one
 * where the driver keeps the cpumask (__perf_pmu_remove in kernel/events/core.c); where the kernel
 * keeps it by the PMU's scope, all.
 */
static void event_cpus(const struct counter *c, int row, const struct pmu *pmu, struct cpuset *cpus)
{
	bool power = !strcmp(pmu->name, "power");
	bool sums = c->scope == PACKAGE && c->fold == SUM && !(power && has(F(AMD)));
	enum scope each = !sums ? c->scope : power ? DIE : CPU;

	memset(cpus, 0, sizeof(*cpus));
	if (row < M.n && pmu->masked &&
	    (add_masked(cpus, &pmu->mask, c->scope, row, each) ||
	     (c->scope == DIE && c->fold != SUM &&
	      add_masked(cpus, &pmu->mask, PACKAGE, row, PACKAGE))))
		return;
	set_add(cpus, M.cpu[row]);
}

/*
 * Does a PMU count in packages other than the row's only?  Each memory controller of AMD is a PMU,
 * and has CPUs of its own package only.  A package that the mask of "power" lacks has energy too,
 * which other sources tell.
 */
static bool is_elsewhere(const struct counter *c, const struct pmu *pmu, int row)
{
	bool other = false;

	if (c->scope != PACKAGE || !pmu->masked || !strcmp(pmu->name, "power"))
		return false;
	for_each_cpu(cpu, &pmu->mask) {
		if (!set_has(&M.online, cpu) && !set_has(&M.left_out, cpu))
			continue;
		if (M.package[cpu] == M.package[M.cpu[row]])
			return false;
		other = true;
	}
	return other;
}

/* Opens the events of a PMU for a row, if it counts there; returns 0 or -errno. */
static int open_pmu(struct search *s, struct pmu *pmu, int row)
{
	struct counter *c = &T.counter[s->counter];
	const struct resolved *r;
	struct cpuset there;
	int cpu, err = 0;
	bool added, left_out;

	load_pmu_cpus(pmu);
	if (is_elsewhere(c, pmu, row))
		return 0;
	event_cpus(c, row, pmu, &there);
	cpu = set_next(&there, 0);
	added = s->counter >= NCOUNTERS;
	left_out = !set_has(&pmu->mask, cpu) && !(added && c->scope == CPU) &&
		   left_out_for(c->scope, pmu, row) != NONE;
	if (pmu->limited && !set_has(&pmu->cpus, cpu))
		return 0;
	/* a built-in counter of a core may be opened on any CPU: the kernel reads its core's */
	if (pmu->masked && added && M.within[c->scope][CORE] && !set_has(&pmu->mask, cpu) &&
	    !left_out)
		return 0;
	r = event_of(s->way, pmu->name, cpu);
	if (!r)
		return -ENOENT;
	if (r->err)
		return r->err;
	if (c->rapl_unit != PLAIN && !(r->joules && r->scaled))
		return -ENOENT;
	if (s->way->mebibytes && !(r->mebibytes && r->scaled))
		return -ENOENT;
	if (left_out)
		return -EXDEV;
	for (; cpu >= 0 && !err; cpu = set_next(&there, cpu + 1))
		err = open_event(s, row, cpu, r);
	if (err == -EMFILE)
		note(0, "perf events: %s: using other sources; ulimit -n 65536", strerror(EMFILE));
	if (err)
		return err;
	s->scale = r->scale;
	if (c->kind_open && r->snapshot) {	/* a level, not a count */
		c->kind = GAUGE;
		c->fold = MEAN;
	}
	return 0;
}

/* Is it the PMU of a core, which counts user mode and the kernel apart? */
static bool is_core_pmu(const char *name)
{
	bool is_core = !strcmp(name, "cpu") || !strcmp(name, "hw");

	for (size_t i = 0; i < ARRAY_SIZE(core_pmus); i++)
		if (!strcmp(name, core_pmus[i].name))
			is_core = true;
	return is_core;
}

/* Makes an event that counts tasks a source.  Returns 0 or -errno. */
static int add_task(struct search *s, int row, const struct resolved *r)
{
	struct task t = { .event = &r->event, .counter = s->counter, .count.epoch = ++P.epoch,
			  .whole = has(F(HYBRID)) && is_core_pmu(r->pmu) };
	int err = r->err ? r->err : src_try_task(&r->event, &t.user_only);

	if (err)
		return err;
	*append(P.task, P.ntasks) = t;
	add_source(s, row, P.ntasks - 1)->kind = BY_TASK;
	s->scale = r->scale;
	return 0;
}

/*
 * Makes the events of a way that count tasks sources of the system.  On hybrids an event of a core
 * has one for each type of core.  Returns their number, or -errno if one is refused.
 */
static int use_tasks(struct search *s, int row)
{
	const struct way *w = s->way;
	bool each_core = has(F(HYBRID)) && (!strcmp(w->pmu, "hw") || !strcmp(w->pmu, "cpu"));
	u32 mark = P.nsources, first = P.ntasks;
	int err = 0;

	for (size_t i = 0; i < ARRAY_SIZE(core_pmus) && each_core && !err; i++) {
		struct cpuset cpus;
		int cpu = read_pmu_cpus(core_pmus[i].name, "cpus", &cpus) ? set_next(&cpus, 0) : -1;
		const struct resolved *r = cpu < 0 ? NULL : event_of(w, w->pmu, cpu);

		if (r)
			err = add_task(s, row, r);
	}
	for (struct pmu *p = s->pmu; p < PAST(s->pmu, s->npmus) && !each_core && !err; p++)
		if (pmu_matches(p->name, w->pmu))
			err = add_task(s, row, event_of(w, p->name, M.main_cpu));
	if (!err)
		return (int)(P.nsources - mark);
	drop_found(mark);
	P.ntasks = first;
	return err;
}

/* Opens the events of all PMUs for a row, or of none.  A unit that no PMU counts for has 0. */
static int use_perf(struct search *s, int row)
{
	u32 mark = P.nsources;
	int err = 0;
	bool found;

	if (s->way->task)
		return use_tasks(s, row);
	for (struct pmu *p = s->pmu; p < PAST(s->pmu, s->npmus) && !err; p++)
		if (pmu_matches(p->name, s->way->pmu))
			err = open_pmu(s, p, row);
	found = P.nsources > mark;
	if (err && found) {
		if (shown_as(s->counter))
			note((u64)s->counter, "'%s': cpu%d: a PMU of %s is refused: no sum there",
			     shown_as(s->counter), M.cpu[row], s->way->pmu);
		drop_found(mark);
	}
	if (!err && !found && !*cover_of(s->counter, row))
		add_source(s, row, 0)->kind = NO_WAY;
	return err ? err : found;
}

static int begin_perf(struct search *s)
{
	static struct pmu generic[ARRAY_SIZE(perf_types)];
	int type = find_word(s->way->pmu, perf_types, ARRAY_SIZE(perf_types));
	struct pmu *named = find_pmu(s->way->pmu);

	if (!named && type >= 0 && s->way->of_user) {	/* the kernel decides what it counts */
		generic[type] = (struct pmu){ .name = perf_types[type], .is_known = true };
		named = &generic[type];
	}
	s->pmu = named ? named : M.dev.pmu;
	s->npmus = named ? 1 : M.dev.npmus;
	for (size_t i = 0; i < s->npmus && !O.no_perf; i++)
		if (pmu_matches(s->pmu[i].name, s->way->pmu))
			return 0;
	return O.no_perf ? -ECANCELED : -ENOENT;
}

/* ======================================================================== *
 * 13. CHOICE
 *
 * Chooses the source of each counter.  find_sources() tries the ways in the counter's row of the
 * table, in their order, for the units without a source.  The first that serves a unit is chosen;
 * later ones serve the units that it left out, if they can.
 * ======================================================================== */

/* How to find sources of each kind of way, and their name. */
struct way_kind_row {
	int (*begin)(struct search *s);	/* returns 0, or why no unit has a source; may be NULL */
	/* adds the sources of a row's unit; returns how many, or -errno; NULL: they are computed */
	int (*use)(struct search *s, int row);
	const char *words;	/* for --explain; NULL: print_way() describes each way */
};
static const struct way_kind_row way_kinds[] = {
	[BY_PERF] = { begin_perf, use_perf },
	[BY_MSR] = { begin_msr, use_unit },
	[BY_FILE] = { NULL, use_file },
	[BY_TSC] = { NULL, use_unit, .words = "TSC" },
	[BY_INTERRUPTS] = { begin_whole_file, use_unit, .words = "/proc/interrupts" },
	[BY_REMAINDER] = { begin_remainder, .words = "(TSC - MPERF - deeper states)" },
	[BY_PMT] = { NULL, use_telemetry },
	[BY_ACCOUNTING] = { begin_whole_file, use_unit, .words = "/proc/stat, in ticks" },
	[BY_ESTIMATE] = { begin_whole_file, .words = "/proc/stat, in ticks" },
};

/* Returns the third counter of a column's formula, or NONE.  Ticks need none. */
static int third_counter(const struct column *c)
{
	int third = formula_table[c->formula].third;
	bool needs = third && !is_accounting(T.counter[c->a].chosen);

	return !needs || (third == CT_TSC && M.base_hz > 0) ? NONE : third;
}

static bool uses_tsc(const struct column *c)
{
	return third_counter(c) == CT_TSC || (formula_table[c->formula].value == percent_of_tsc &&
					      !is_accounting(T.counter[c->a].chosen));
}

/* Does --show or --enable name a column of the counter?  A group does not; Watts name Joules. */
static bool is_named(int counter)
{
	if (O.topic == ENERGIES && counter == CT_PKG_ENERGY)
		return true;		/* that it stands still is the answer */
	for (size_t i = 0; i < O.nselectors && !O.explain; i++)
		for (int k = 0; k < T.ncolumns && O.selector[i].verb != HIDE; k++)
			if (T.column[k].a == counter && !is_plain(&T.column[k]) &&
			    !strcmp(T.column[k].name, O.selector[i].word))
				return true;
	return false;
}

/*
 * Can a way tell whether a counter has ever counted?  An event begins at 0, which proves nothing;
 * but perf has no event for a domain that does not count, except psys and a guest's SMI.
 */
static bool can_judge(int k, const struct way *w)
{
	bool smi_of_guest = k == CT_SMI && has(F(GUEST));

	if (!is_energy(&T.counter[k]) && !smi_of_guest)
		return false;
	if (!has(w->needs))
		return false;
	if (w->kind != BY_PERF)
		return true;
	return (smi_of_guest || k == CT_PSYS_ENERGY) && find_pmu(w->pmu);
}

/* Reads the file or register of a row's unit once.  Returns 0 or an error. */
static int read_way(const struct way *w, int row, u64 *v)
{
	char *path SCOPED(ptr) = NULL;
	u64 modulus;

	if (w->find)
		path = w->find(w->event, row, &modulus);
	if (path)
		return src_number(path, v);
	if (w->kind != BY_MSR)
		return -ENOENT;
	if (M.msr_error)
		return M.msr_error;
	return src_msr(M.cpu[row], w->msr, v);
}

/*
 * Decides whether a counter has never counted.  An energy that is 0 on every unit has not: the
 * domain is not wired, RAPL is off, or this is a guest; nor has a guest's SMI.  In place of an
 * event its register decides, and a guest that lacks the register is not believed.  Decides once,
 * so that CPUs which come change nothing.
 */
static bool judge_silence(int k, const struct way *w)
{
	struct counter *c = &T.counter[k];
	bool perf = w->kind == BY_PERF, answered = false, counts = false;

	if (c->judged != NOT_JUDGED)
		return c->judged == SILENT;
	if (!can_judge(k, w))
		return false;
	if (perf)
		w++;		/* the register is the next way */
	for (int row = 0; row < M.n && !counts; row++) {
		u64 v = 0;

		if (!leads_unit(c->scope, row) || read_way(w, row, &v))
			continue;
		answered = true;
		counts = v & (counter_modulus(c) - 1);
	}
	if (!answered && !(perf && has(F(GUEST))))
		return false;		/* this way cannot read it */
	c->judged = counts || is_named(k) ? COUNTS : SILENT;
	return c->judged == SILENT;
}

/* Begins the search of a way.  Returns 0, or why it can serve no unit: -errno. */
static int begin_way(struct search *s)
{
	const struct way *w = s->way, *mperf = T.counter[CT_MPERF].chosen;
	int (*begin)(struct search *) = way_kinds[w->kind].begin;

	if (judge_silence(s->counter, w))
		return -ENODATA;
	if (M.has & w->unless)
		return -ENOTSUP;
	/* the TSC is read where MPERF is read */
	if (s->counter == CT_TSC && w->kind == BY_PERF && mperf && mperf->kind == BY_MSR)
		return -ENOTSUP;
	if (w->needs & ~M.has & ~M.refused)
		return -ENOTSUP;
	if (!has(w->needs))
		return -M.refused_error;
	/* cycles at a base frequency that nobody knows are no share of the TSC's */
	if (s->counter == CT_MPERF && w->kind != BY_ESTIMATE && has(F(TSC_SCALE)) && M.base_hz <= 0)
		return -EDOM;
	return begin ? begin(s) : 0;
}

/*
 * Adds the sources of a way for the units without one.  Returns the number of units that it serves,
 * and the last error, -ENOENT if there was none.
 */
static int use_rows(struct search *s, int *err)
{
	enum { ENOUGH = 4 };	/* give up after this many EPERM without a success */
	const struct way_kind_row *kind = &way_kinds[s->way->kind];
	bool afar = s->way->kind == BY_MSR || s->way->kind == BY_PERF;
	int rows = afar ? M.n + M.nafar : M.n, served = 0, forbidden = 0;

	*err = -ENOENT;
	for (int row = 0; row < rows && *err != -EMFILE; row++) {
		bool may_come = s->grows && row < M.n && leads_unit(PACKAGE, row);
		int some = 1;

		if (!served && forbidden == ENOUGH)
			break;
		if (!wants_source(s->counter, row) && !may_come)
			continue;
		if (kind->use)
			some = kind->use(s, row);
		else
			*cover_of(s->counter, row) = true;
		if (some > 0)
			served++;
		if (some < 0)
			*err = some;
		if (some == -EACCES || some == -EPERM)
			forbidden++;
	}
	return served;
}

/* Returns the amount of one count of a way.  perf does not count in units of RAPL. */
static double scale_of(const struct search *s)
{
	enum rapl_unit unit = T.counter[s->counter].rapl_unit;

	if (s->way->scale > 0)
		return s->scale * s->way->scale;
	if (s->way->kind == BY_PERF || unit == PLAIN)
		return s->scale;
	return s->scale * M.rapl_unit[unit];
}

/* Tries a way for the units without a source; returns 0, or -errno if none gets one. */
static int use_way(struct search *s)
{
	struct counter *c = &T.counter[s->counter];
	int err = begin_way(s), served;
	u32 mark = P.nsources;
	double scale;

	if (err)
		return err;
	served = use_rows(s, &err);
	if (err == -EMFILE || (!served && c->chosen != s->way))
		drop_found(mark);
	if (err == -EMFILE || !served)
		return err;
	scale = scale_of(s);
	if (!c->chosen) {
		c->chosen = s->way;
		c->scale = scale;
	}
	c->way[s->way - c->way].factor =
		c->rapl_unit == PLAIN || scale == c->scale ? 0 : scale / c->scale;
	return 0;
}

/* Does a way of APERF or MPERF count in units of 1024 cycles, as on Xeon Phi? */
static bool counts_kilocycles(const struct way *w)
{
	return has(F(KILO)) && w->needs & F(APERF);
}

/*
 * Can a way serve units that the chosen one left out, as its event was refused there?  Energies
 * have factors; other counters must count in the same unit, and must not be computed.
 */
static bool may_complete(const struct counter *c, const struct way *w)
{
	if (w == c->chosen || c->rapl_unit != PLAIN)
		return true;
	switch (w->kind) {
	case BY_FILE:
	case BY_ACCOUNTING:
	case BY_REMAINDER:
	case BY_ESTIMATE: return false;
	default: return counts_kilocycles(w) == counts_kilocycles(c->chosen);
	}
}

/* Counts the units that have a source of a counter, and those that lack one. */
static int count_served(int k, int *lacking)
{
	int n = 0;

	*lacking = 0;
	for (int row = 0; row < M.n + M.nafar; row++) {
		*lacking += wants_source(k, row);
		n += row < M.n && leads_unit(T.counter[k].scope, row) && *cover_of(k, row);
	}
	return n;
}

/* Finds sources of a counter for the units that lack one, by dispensable ways or by others. */
static void find_sources(int k, bool dispensable)
{
	struct counter *c = &T.counter[k];
	int lacking, served = count_served(k, &lacking);

	for (int i = 0; i < MAX_WAYS && c->way[i].kind != NO_WAY; i++) {
		struct search s = { .counter = k, .way = &c->way[i], .scale = 1 };

		/* after a change of their cpumask PMUs may count on more CPUs of a package */
		s.grows = P.known[SYSTEM] && s.way == c->chosen && s.way->kind == BY_PERF &&
			  c->scope == PACKAGE && c->fold == SUM;
		if (!served && !lacking)	/* all modules are P-cores */
			c->err[i] = ENOTSUP;
		if (!(lacking || s.grows) || (c->chosen && !may_complete(c, s.way)) ||
		    is_dispensable(s.way) != dispensable)
			continue;
		c->err[i] = -use_way(&s);
		served = count_served(k, &lacking);
	}
	if (!dispensable)
		return;
	P.incomplete |= lacking &&
			(served < c->most_served || (c->chosen && is_idle_file(c->chosen)));
	if (served > c->most_served)
		c->most_served = served;
}

/* ======================================================================== *
 * 14. PLAN
 *
 * Plans the readings of each CPU, their order and the moves that they take; lays out the columns.
 * An unselected column costs nothing.
 * ======================================================================== */

static bool is_asked(enum formula f)
{
	for (int i = 0; i < T.ncolumns; i++)
		if (T.column[i].selected && T.column[i].formula == f)
			return true;
	return false;
}

/* Marks the counters that the selected columns need, directly or not; plan_init() adds the TSC. */
static void find_needed(void)
{
	for (const struct column *c = T.column; c < T.column + T.ncolumns; c++) {
		if (is_plain(c) ||
		    !(c->selected || O.explain || S.records || is_for_runs(c)))
			continue;
		T.counter[c->a].needed = true;
		if (c->b != NONE)
			T.counter[c->b].needed = true;
		if (c->formula == V_LOST_TO_SMIS)
			T.counter[CT_SMI].needed = true;
	}
	if (T.counter[CT_C1].needed && has(F(C1_SOFT)))
		for (size_t i = 0; i < ARRAY_SIZE(remainder_needs); i++)
			T.counter[remainder_needs[i].counter].needed = true;
	/* the C6 of E-cores contains their C7 */
	if (T.counter[CT_CC6].needed && (has(F(HYBRID)) || M.main_type == ATOM_CORE))
		T.counter[CT_CC7].needed = true;
}

/* Does APERF count during an SMI?  perf's cycles may not. */
static bool aperf_is_own(void)
{
	const struct way *w = T.counter[CT_APERF].chosen;

	return w && (w->kind != BY_PERF || !strcmp(w->pmu, "msr"));
}

/* If the user writes 1 here, perf counts no cycles during SMIs (IA32_DEBUGCTL[14], SDM 3). */
static const char *freeze_file(void)
{
	return pathf(PERF_DEVICES "%s/freeze_on_smi", has(F(HYBRID)) ? core_pmus[0].name : "cpu");
}

static bool is_present(const struct column *c)
{
	u64 on;

	if (c->formula == V_ID)
		return !O.summary && M.show_id[c->a];
	if (is_plain(c))
		return true;
	if (c->a == CT_INSTRUCTIONS && is_accounting(T.counter[c->b].chosen))
		return false;		/* no cycles to be divided by */
	if (c->formula == V_LOST_TO_SMIS && (!T.counter[CT_SMI].chosen || !aperf_is_own() ||
					     src_number(freeze_file(), &on) || on != 1))
		return false;
	return T.counter[c->a].chosen && (c->b == NONE || T.counter[c->b].chosen);
}

/* Returns a scale that is a whole number, else 0. */
static u64 whole_scale(double scale)
{
	u64 whole;

	return to_u64(scale, &whole) && (double)whole == scale ? whole : 0;
}

/* Levels of files and events are signed; counts, registers and telemetry are not. */
static bool is_signed(const struct counter *c)
{
	const struct way *w = c->chosen;

	return c->kind == GAUGE &&
	       !(w && w->of_user && (w->kind == BY_MSR || w->kind == BY_PMT));
}

static bool is_higher(const struct counter *c, u64 a, u64 b)
{
	return is_signed(c) ? (i64)a > (i64)b : a > b;
}

/* The format of an added amount: a fraction as scale, as of Joules, needs decimals. */
static enum format format_of(const struct counter *c)
{
	if (!whole_scale(c->scale))
		return DECIMALS_2;
	return is_signed(c) ? INTEGER : UNSIGNED;
}

/* Decides which columns are printed; if two have one name (CorWatt), the first that is present. */
static void find_shown(void)
{
	P.shown = resize(P.shown, (size_t)T.ncolumns, sizeof(*P.shown));
	P.nshown = 0;
	for (int i = 0; i < T.ncolumns; i++) {
		struct column *c = &T.column[i];

		c->present = is_present(c);
		if (c->flags & ADDED && c->present && c->format == INTEGER &&
		    c->formula == V_AMOUNT)
			c->format = format_of(&T.counter[c->a]);
		for (int k = 0; k < i; k++)
			if (T.column[k].present && !(T.column[k].flags & ADDED) &&
			    !strcmp(T.column[k].name, c->name))
				c->present = c->present && (c->flags & ADDED);
		if (c->selected && c->present)
			P.shown[P.nshown++] = c;
	}
}

static const struct unit_row the_system = { .id = { [0 ... NIDS - 1] = NONE } };

/* Names the unit that a row is in by some ids, given as bits. */
static struct unit_row name_unit(enum scope scope, int row, unsigned ids)
{
	struct unit_row u = { .scope = scope, .row = row };

	for (enum id id = 0; id < NIDS; id++)
		u.id[id] = ids & 1 << id ? M.id[id][row] : NONE;
	return u;
}

/*
 * Lists the units of a scope that have a CPU to be printed.  A unit keeps the ids that are known
 * and that its CPUs share.  Returns the ids that all units of the scope keep, as bits.
 */
static unsigned list_units(enum scope scope)
{
	const struct members *m = members_of(CPU, scope);
	unsigned kept = ~0u;

	for (int lead = 0; lead < M.n; lead++) {
		int unit = M.in[scope][lead];
		unsigned ids = M.show_id[ID_TYPE] ? ~0u : ~(1u << ID_TYPE);
		bool printed = false;

		if (!leads_unit(scope, lead) ||
		    (O.per == SYSTEM && scope == MODULE && is_p_core(lead)))
			continue;
		for (int i = m->first[unit]; i < m->first[unit + 1]; i++) {
			int row = M.unit[CPU][m->unit[i]].lead;

			printed |= P.printed[row];
			for (enum id id = 0; id < NIDS; id++)
				if (M.id[id][row] < 0 || M.id[id][row] != M.id[id][lead] ||
				    (id == ID_CPU && scope != CPU))
					ids &= ~(1u << id);
		}
		kept &= ids;
		if (!printed)
			continue;
		*append(P.unit, P.nunits) = name_unit(scope, lead, ids);
	}
	return kept;
}

/*
 * Gives each shown column a key for JSON, CSV and statistics: its name, with _2, _3, ... if that is
 * the name of an earlier column, a key of every row, or a row of --repeat.
 */
static void name_columns(void)
{
	static const char *const fixed[] = { "cputype", "time", "iso", "seconds", "name",
					     "scope",	"cpus", "n",   "status" };
	static const char *const of_runs[] = { "user",	 "sys",	  "maxrss",    "maxrss_kib", "EDP",
					       "others", "Net_J", "Own_J_low", "Own_J_high" };

	for (int i = 0; i < P.nshown; i++) {
		struct column *c = P.shown[i];
		bool taken = true;

		c->key = c->name;
		for (int n = 1; taken; n++) {
			if (n > 1)
				c->key = textf("%s_%d", c->name, n);
			taken = find_word(c->key, fixed, ARRAY_SIZE(fixed)) >= 0 ||
				find_word(c->key, scope_names, NSCOPES) > SYSTEM ||
				(P.has_share_fields &&
				 find_word(c->key, of_runs, ARRAY_SIZE(of_runs)) >= 0);
			for (int k = 0; k < i; k++)
				taken |= !strcmp(P.shown[k]->key, c->key);
		}
		if (c->key != c->name)
			note(0, "a second column or key '%s' is called '%s'", c->name, c->key);
		buf_puts(&c->json_key, ",");
		quote_text(&c->json_key, c->key, strlen(c->key), true);
		buf_puts(&c->json_key, ":");
	}
}

enum { TICK_PARTS = 1 << 20 };		/* of a tick, so that the mean of ticks is exact enough */

/*
 * Returns the scope whose rows show a column besides the summary; SYSTEM: none.  With --per: the
 * units, unless a counter spans several units.  In a table: its own scope; of a module, the cores.
 * In other formats: its own scope, unless it is an id or the system has only one instance.
 */
static enum scope rows_of(const struct column *c)
{
	const struct counter *a = is_plain(c) ? NULL : &T.counter[c->a];

	if (O.per != SYSTEM) {
		if (!a || a->scope == SYSTEM || !M.within[a->scope][O.per])
			return SYSTEM;
		if (c->b != NONE && !M.within[T.counter[c->b].scope][O.per])
			return SYSTEM;
		return O.per;
	}
	if (O.summary)
		return SYSTEM;
	if (!outputs[O.format].per_cpu && (c->formula == V_ID || (a && a->scope == SYSTEM)))
		return SYSTEM;
	if (outputs[O.format].per_cpu && c->scope == MODULE)
		return CORE;
	return c->scope;
}

/* Resolves which counters a column reads, whether its own rows need no fold, and its rows. */
static void resolve_column(struct column *c, int place)
{
	const struct counter *a, *b;

	c->place = place;
	c->rows = rows_of(c);
	c->third = third_counter(c);
	c->other = c->a;
	c->base_hz = M.base_hz;
	c->by_ticks = c->direct = false;
	if (is_plain(c))
		return;
	a = b = &T.counter[c->a];
	if (uses_tsc(c))
		c->other = CT_TSC;
	if (c->b != NONE) {
		c->other = c->b;
		b = &T.counter[c->b];
	}
	if (is_accounting(a->chosen))
		c->base_hz = TICK_PARTS * 1e3;
	else
		c->by_ticks = is_accounting(b->chosen);
	c->direct = c->scope == a->scope && c->scope == b->scope && c->formula != V_RAW &&
		 !c->by_ticks && c->third == NONE;
}

/* Lays out the rows and columns to be printed. */
static void plan_layout(void)
{
	unsigned scopes = 0, kept;
	bool all = !set_count(&O.cpus);

	/* answers also need what is not shown */
	for (int i = 0; i < T.ncolumns && asked_topic(); i++)
		if (T.column[i].present)
			resolve_column(&T.column[i], 0);
	for (int i = 0; i < P.nshown; i++) {
		resolve_column(P.shown[i], i);
		scopes |= 1u << P.shown[i]->rows;
	}
	P.printed = resize(P.printed, (size_t)M.n, 1);
	P.printed_units = resize(P.printed_units, (size_t)M.n, sizeof(*P.printed_units));
	for (int row = 0; row < M.n; row++) {	/* --cpu limits what is printed, not measured */
		P.printed[row] = all || set_has(&O.cpus, M.cpu[row]);
		for (enum scope s = 0; s < NSCOPES; s++)
			if (O.first_of >> s & 1 && !leads_unit(s, row))
				P.printed[row] = false;
	}
	P.unit = room(P.unit, 0, sizeof(*P.unit));	/* not NULL, for loops over no rows */
	P.nunits = P.nids = 0;
	if (O.per != SYSTEM) {
		kept = list_units(O.per);
		/* the last id of the unit, and ids that all units keep and the machine shows */
		for (struct column *c = T.column; c < T.column + T.ncolumns; c++)
			if (outputs[O.format].text && c->formula == V_ID &&
			    (unit_ids[O.per] >> c->a == 1 ||
			     (kept >> c->a & 1 && M.show_id[c->a] &&
			      (c->selected || !(c->flags & CACHE_ID))))) {
				c->rows = O.per;
				P.id[P.nids++] = c;
			}
	} else if (!outputs[O.format].per_cpu) {
		for (enum scope scope = PACKAGE; scope <= CPU; scope++)
			if (scopes >> scope & 1)
				list_units(scope);
	}
}

/*
 * Opens an event whose reading wakes a CPU before its other sources are read, if no event of it
 * does so.  Returns whether there is one.  The kernel accounts an idle state when the CPU leaves it
 * (drivers/cpuidle/cpuidle.c).
 */
static bool open_wake_event(int cpu)
{
	const struct resolved *tsc;

	for (const struct event_group *g = P.on[cpu].groups; g; g = g->next)
		if (!strcmp(g->pmu, "msr") || !strcmp(g->pmu, "hw") || text_after(g->pmu, "cpu"))
			return true;	/* the kernel reads these on their CPU */
	tsc = find_pmu("msr") && !O.no_perf ? find_event("msr", "tsc", ALL_MODES) : NULL;
	return tsc && !tsc->err && !open_in_group(cpu, NONE, tsc);
}

/*
 * Lists the sources of each CPU, and decides whether to move there: for its TSC, for more than
 * FROM_AFAR registers, as each costs an interrupt, or for idle states if no event wakes the CPU.
 * A move waits in the run queue of a busy CPU.
 */
static void order_sources(void)
{
	enum { FROM_AFAR = 2 };

	for (int row = 0; row < M.n + M.nafar; row++)
		P.on[M.cpu[row]] = (struct visit){ .groups = P.on[M.cpu[row]].groups };
	for (struct source *s = PAST(P.source, P.nsources); s-- > P.source;) {
		if (s->kind == BY_PERF || s->kind == BY_TASK || s->kind == NO_WAY)
			continue;
		s->next = P.on[s->cpu].sources;
		P.on[s->cpu].sources = s;
	}
	for (int row = 0; row < M.n; row++) {
		struct visit *v = &P.on[M.cpu[row]];
		bool asleep = false;
		int registers = 0;

		for (const struct source *s = v->sources; s; s = s->next) {
			if (s->kind == BY_MSR)
				registers++;
			if (s->kind == BY_MSR && s->modulus)
				v->tick_interrupts++;
			v->moves |= s->kind == BY_TSC || registers > FROM_AFAR;
			asleep |= is_idle_file(s->way);
		}
		if (!v->moves && asleep && !open_wake_event(M.cpu[row]))
			v->moves = true;
		v->interrupts = registers;
		for (const struct event_group *g = v->groups; g; g = g->next)
			v->interrupts++;
	}
}

/*
 * Finds the energy counters that wrap, and how often to read them.  At TDP, the first one wraps
 * after four ticks, because the board of a laptop can draw four times as much.  A tick has 10 s at
 * most, and 0 if none wraps.  Throttle counters, at 2^-10 s, take weeks.
 */
static void find_tick(void)
{
	double watts = M.tdp > 0 ? M.tdp : USUAL_TDP, least = 0;

	for (const struct source *s = P.source; s < PAST(P.source, P.nsources); s++) {
		struct counter *c = &T.counter[s->counter];
		double range = (double)s->modulus * c->scale;

		if (range <= 0 || !is_energy(c))
			continue;
		if (s->way->factor > 0)
			range *= s->way->factor;
		if (c->wrap_joules <= 0 || range < c->wrap_joules)
			c->wrap_joules = range;
		if (least <= 0 || range < least)
			least = range;
	}
	P.tick = least / watts / 4 < 10 ? (i64)(least / watts / 4 * 1e9) : 10 * NS_PER_S;
}

/* Grows an array by units, of this many bytes each; new ones are zeros. */
static void *grow_cells(void *p, int had, int n, size_t bytes)
{
	if (!p)
		had = 0;
	if (p && n == had)
		return p;
	p = resize(p, (size_t)n, bytes);
	memset((u8 *)p + (size_t)had * bytes, 0, (size_t)(n - had) * bytes);
	return p;
}

/* Is energy read on this CPU from afar? */
static bool is_afar(int cpu)
{
	int row = M.n;

	while (row < M.n + M.nafar && M.cpu[row] != cpu)
		row++;
	return row < M.n + M.nafar;
}

/*
 * Follows a group whose CPU has gone or has left the cpumask.  Most likely the kernel has moved its
 * events to the CPU of the mask, in the same package, that shares the most units with the old one
 * and counts no such event yet.  If all count one, the group is gone.
 */
static void follow_group(struct event_group *g)
{
	struct pmu *pmu = find_pmu(g->pmu);
	bool power = !strcmp(g->pmu, "power");
	int best = NONE, most = 0;
	u32 member;

	if (power && is_afar(g->cpu))
		return;
	g->gone = M.row[g->cpu] < 0;
	if (pmu)
		load_pmu_cpus(pmu);
	if (!pmu || !pmu->masked || set_has(&pmu->mask, g->cpu))
		return;
	for_each_cpu(cpu, &pmu->mask) {
		const int *a = M.units_of[cpu], *b = M.units_of[g->cpu];
		int shared = 0;

		while ((M.row[cpu] >= 0 || (power && is_afar(cpu))) && PACKAGE + shared <= CORE &&
		       a[PACKAGE + shared] == b[PACKAGE + shared])
			shared++;
		g->gone |= shared > 0;
		if (shared > most && !find_member(cpu, g->member[0].event, &member)) {
			most = shared;
			best = cpu;
		}
	}
	if (best == NONE) {
		g->gone |= set_count(&M.left_out) > 0;	/* it may count on one of these now */
		return;
	}
	for (int i = 0; i < g->n; i++)	/* it did not count on the way: use the clocks once */
		memset(g->member[i].enabled, 0, sizeof(g->member[i].enabled));
	unlink_group(g);
	g->cpu = best;
	g->next = P.on[best].groups;
	P.on[best].groups = g;
	g->gone = false;
}

/* Has a source ended that was on its unit's leader, which is this CPU now?  NONE: it is offline. */
static bool has_ended(const struct source *s, int leader)
{
	if (s->gone || leader == NONE)
		return true;
	if (T.counter[s->counter].kind == GAUGE && s->way->find)
		return true;		/* its file is searched again */
	if (s->kind == BY_PERF)
		return s->group->gone;
	if (leader == s->cpu)
		return false;
	if (s->kind == BY_FILE && !s->way->find && *s->way->path != '/')
		return true;		/* it is below cpuN */
	return s->kind == BY_MSR && s->counter >= NCOUNTERS;	/* --add */
}

/*
 * Closes sources that have gone, and moves the others to the CPUs that lead their units now.  Also
 * closes those of levels that depend on all devices of their kind: they are searched again.
 */
static void follow_units(void)
{
	struct event_group *next;
	u32 n = 0;

	for (int cpu = 0; cpu < MAX_CPU; cpu++)
		for (struct event_group *g = P.on[cpu].groups; g; g = next) {
			next = g->next;
			follow_group(g);
		}
	for (u32 i = 0; i < P.nsources; i++) {
		struct source s = P.source[i];
		const struct unit *u = &M.unit[T.counter[s.counter].scope][s.unit];
		bool afar = u->afar && is_read_afar(&T.counter[s.counter]);
		int cpu = u->lead >= 0 ? M.cpu[u->lead] : afar ? u->cpu : NONE;

		if (has_ended(&s, cpu)) {
			close_file(&s);
			P.covered[s.counter][s.unit] = 0;
			continue;
		}
		s.cpu = (u16)cpu;
		P.source[n++] = s;
	}
	P.nsources = n;
	for (int cpu = 0; cpu < MAX_CPU; cpu++)
		for (struct event_group *g = P.on[cpu].groups; g; g = next) {
			next = g->next;
			if (g->gone)
				drop_group(g);
		}
	/* a sum that has lost a part cannot go on: the first of the others begins it anew */
	for (struct source *s = P.source; s < P.source + n; s++)
		if (!P.covered[s->counter][s->unit]) {
			s->valid[0] = s->valid[1] = 0;
			cover_cell(s);
		}
}

/* Is it about an idle state of the kernel? */
static bool counts_idle_state(int k)
{
	return is_idle_file(&T.counter[k].way[0]);
}

/* Orders sources by counter, as in the table, then by unit. */
static int compare_sources(const void *a, const void *b)
{
	const struct source *s = a, *t = b;

	if (s->counter != t->counter)
		return s->counter < t->counter ? -1 : 1;
	return (s->unit > t->unit) - (s->unit < t->unit);
}

/*
 * Finds sources for the cells that lack one, of every counter that is needed.  Dispensable ones
 * come last: hwmon, throttle counts, then idle states, the deepest first: if descriptors are too
 * few, it is the last to go.
 */
static void plan_sources(void)
{
	u32 first;

	P.incomplete = false;
	for (int k = 0; k < T.ncounters; k++) {
		enum scope scope = T.counter[k].scope;

		if (!T.counter[k].needed)
			continue;
		P.covered[k] = grow_cells(P.covered[k], P.known[scope], M.nunits[scope], 1);
		find_sources(k, false);
	}
	/* before other files take the descriptors */
	for (const struct source *s = P.source; s < PAST(P.source, P.nsources) && !O.replay; s++)
		if (s->kind == BY_MSR)
			src_open_msr(s->cpu);
	for (int k = 0; k < T.ncounters; k++)
		if (T.counter[k].needed && !counts_idle_state(k))
			find_sources(k, true);
	first = P.nsources;
	for (int k = T.ncounters; k-- > 0;)
		if (T.counter[k].needed && counts_idle_state(k))
			find_sources(k, true);
	qsort(P.source + first, P.nsources - first, sizeof(*P.source), compare_sources);
	if (is_accounting(T.counter[CT_APERF].chosen) &&
	    !(is_accounting(T.counter[CT_MPERF].chosen) && T.counter[CT_CPU_KHZ].chosen))
		T.counter[CT_APERF].chosen = NULL;	/* nothing to derive it from */
	order_sources();
	find_tick();
}

/* Is the header printed? */
static bool prints_header(void)
{
	return !O.quiet && O.look != LIVE && outputs[O.format].header != NO_HEADER;
}

/* Does the user want anything that is read from registers?  Then their driver is worth loading. */
static bool wants_registers(void)
{
	bool wants = prints_header() || O.dump || S.records;

	for (int k = 0; k < T.ncounters; k++)
		for (int i = 0; i < MAX_WAYS; i++) {
			const struct way *w = &T.counter[k].way[i];

			wants |= T.counter[k].needed && w->kind == BY_MSR && has(w->needs) &&
				 !(M.has & w->unless);
		}
	return wants;
}

/* Finds whose TSC is needed: Bzy_MHz needs it if no register has the clock. */
static void find_tsc_scopes(void)
{
	bool all = T.counter[CT_TSC].needed || T.counter[CT_C1].needed || O.explain || S.records;

	for (int i = 0; i < T.ncolumns; i++)
		if ((T.column[i].selected || O.topic || is_for_runs(&T.column[i])) &&
		    uses_tsc(&T.column[i])) {
			T.counter[CT_TSC].needed = true;
			P.tsc_scopes |= 1u << T.counter[T.column[i].a].scope;
		}
	if (all)
		P.tsc_scopes = 1u << CPU;
}

/* Does the kernel know the module of any CPU? */
static bool knows_a_module(void)
{
	for (int row = 0; row < M.n; row++)
		if (M.id[ID_MODULE][row] >= 0)
			return true;
	return false;
}

static void plan_init(void)
{
	P.source = room(P.source, 0, sizeof(*P.source));	/* NULL + 0 is undefined */
	P.task = room(P.task, 0, sizeof(*P.task));
	tables_fill();
	P.covered = zeroed((size_t)T.ncounters, sizeof(*P.covered));
	P.on = zeroed(MAX_CPU, sizeof(*P.on));
	find_needed();
	machine_registers((int)O.tcc, O.no_msr, wants_registers());
	T.counter[CT_TSC].needed |= O.replay && find_pmu("msr");	/* perf counted it */
	find_tsc_scopes();
	if (S.records || M.show_id[ID_TYPE] || is_asked(V_APIC) || is_asked(V_X2APIC))
		machine_visit();
	plan_sources();
	find_shown();
	if (O.per == TYPE && !M.show_id[ID_TYPE])
		die("--per type: all cores of this processor are of one type");
	if (O.per == NODE && M.id[ID_NODE][0] < 0)
		die("--per node: this kernel knows of no NUMA nodes");
	if (O.per == MODULE && !knows_a_module())
		die("--per module: this kernel knows of no modules");
	P.has_share_fields = knows_idle() || O.repeat || O.compare || src_recorded("repeat");
	if (!outputs[O.format].text || O.stats || P.has_share_fields)
		name_columns();
	plan_layout();
	check_cpu_list(&O.cpus, &M.allowed);
	P.online_fd = src_keep(SYS_CPU "online", OF_KERNEL);
	P.cpuset_fd = src_keep(M.cpuset_path, OF_KERNEL);
}

/* ======================================================================== *
 * 15. SAMPLE
 *
 * Takes a sample: goes to each CPU that needs it or sleeps, reads its sources and stores the
 * values.
 * Invariant: after the first sample none allocates memory or opens a file, unless it records,
 * descriptors are too few, or the files are those of BatWatt and of the columns of S0ix.
 * ======================================================================== */

struct sample {
	int slot;		/* its index in the values of sources */
	/* [unit of a CPU] when it was read */
	struct stay { struct times begin, end; bool visited; } *stay;
	struct sample_times t;
	u64 tsc;		/* of the main CPU; 0 = not known */
	u32 tsc_epoch;		/* 0 = no source has read it */
};

/* The time between two readings of a unit. */
struct span {
	double seconds;
	u64 tsc;		/* TSC cycles of the CPU that it was read on */
	double tsc_seconds;	/* own seconds of that TSC */
	bool known;		/* tsc is */
	bool gone;		/* the unit was read at the beginning only */
	bool moved;		/* it was read on another CPU at the beginning */
	int cpu;		/* 1 + the CPU, as a unit, that it was read on; 0 = none */
};

/*
 * A reading of a counter in a unit, over an interval or several.  If it is folded over smaller
 * units, value / seconds is the sum of their rates, or the mean: each has its own seconds.  So it
 * is with value / tsc, the cycles of the TSC in the same seconds.
 */
struct reading {
	u64 value;
	double seconds, tsc;
	double weight;		/* the part of the time that it covers: 1 in one interval */
};

/* The operands of a column: its counters, and a third that some formulas need. */
struct readings {
	struct reading a, b, c;
};

/*
 * The operands of a column added up over intervals: a counter's amounts and its own seconds, by the
 * counter's units.  Rows and the summary are folded from these, and divided last.
 */
struct sum {
	struct operand_sum {
		struct sum_unit {
			u64 value;	/* of levels the newest, or the largest */
			double seconds, tsc;
			double present;	/* seconds of the intervals that it is of */
			int in;		/* 1 + the unit of the rows that it was in; 0 = none */
			bool known;
		} *unit;
		int units;	/* that there is room for */
	} operand[3];
	/* whether the summary and the units of its rows were known all the time */
	enum sum_state { NO_SUM, KNOWN_SUM, BROKEN_SUM } all;
	u8 *row;		/* enum sum_state */
	int rows;
};

/* An interval between two samples; or the sum of several, which has sums in place of cells. */
struct interval {
	const struct sample *old, *new;
	/* [counter][unit] differences, or the newer levels; NULL: the counter is not read */
	u64 **value;
	u8 **valid;
	double **own_seconds;	/* [counter][unit], see own_seconds(); NULL, 0: of the span */
	struct span *span[NSCOPES];	/* [scope][unit] */
	struct sum *sum;	/* [column shown] of several intervals; NULL: it is one */
	bool added;		/* to these, an interval */
	double seconds;		/* with sleep */
	bool gone[NSCOPES];	/* a unit of this scope has gone */
	bool slept;		/* the machine did, so that events have no own seconds */
	bool suspended;		/* the TSC stood still, so that rates mean nothing */
	double unread;		/* seconds while energy counters may have wrapped unseen */
	double tsc_hz;		/* rate of the TSC in the last interval without a sleep */
};

/* Of --control: what the program under test does between begin and end. */
struct code_region {
	char *name;
	bool running, has_work;
	u64 calls;		/* with the one that it is in */
	double work;
	struct interval total;
	struct sample end;	/* its last sample, if it is closed; owns its stay */
	struct buf text[2];	/* if CPUs changed after its end: without and with work */
};

enum { NSIGNALS = 9 };		/* signals that are handled */

_Static_assert(CT_BUSY_TICKS == CT_TICKS + 1 && CT_STEAL_TICKS == CT_TICKS + 2,
	       "the order of accounting.sum");

static struct run {
	struct sample sample[2];
	int now;		/* index of the newest */
	struct interval interval;	/* between them */
	struct interval total;	/* of all so far; sum = NULL: not wanted; new = NULL: none yet */
	struct interval since;	/* since the last output, likewise; only with --control */
	struct control {
		bool has_work;		/* a region has */
		int ctl, ack;	/* descriptors of lines and replies; -1 = none */
		struct buf text;	/* lines that are not obeyed yet */
		size_t complete;	/* bytes of them that end with a newline */
		bool drops;		/* the rest of a line that is too long */
		char *label;		/* of the interval that `sample` ends; NULL = none */
		struct code_region *region;
		int n;
	} control;
	u32 pass;		/* counts samples and ticks */
	/* [source] its newest value, and the pass that read it; NULL without --explain TOPIC */
	struct held { u64 value; u32 pass; } *held;
	struct cpuset asleep;	/* CPUs that slept for most of the last interval */
	bool visits;		/* this pass has moved to one of them, and must go home */
	struct kernel {		/* files that a sample reads as a whole; SAMPLE owns this */
		struct interrupts {	/* of a CPU, since boot */
			u64 sum[NSUMS];
			u64 thermal;	/* thermal interrupts in the sample before */
			bool there;	/* the file lists the CPU */
		} *interrupts, **column; /* [CPU number], [column of /proc/interrupts] */
		int columns;
		bool has_thermal;	/* the kernel counts thermal interrupts */
		struct accounting { /* [CPU number] ticks since boot; sums, which never fall */
			u64 field[8], sum[3];	/* all, busy ones, stolen ones: enum counter_id */
			u32 pass;	/* of its last reading */
		} *accounting;
		struct buf text;	/* of /proc/stat, while it is being read */
		struct buf interrupts_text;	/* the newest of /proc/interrupts */
		u32 interrupts_pass;	/* then */
	} kernel;
	volatile sig_atomic_t arrived;	/* signals, a bit each */
	struct out {		/* the table; INTERVALS owns this, main says where it goes */
		int out;	/* a descriptor */
		bool is_old;	/* the file has not been written yet */
		off_t size;	/* of a regular file, after the last write; -1 = none */
		bool replaced;	/* --out is replaced as a whole each time */
		bool begun;	/* what comes before the first interval is printed */
		u64 printed;	/* intervals */
		struct buf text;	/* that is not written yet */
		volatile sig_atomic_t echoed;	/* ^C on the terminal, and nothing below it yet */
	} output;
	struct asked *asked;	/* the questions of --explain TOPIC; ANSWERS owns this */
	size_t nasked;
	struct energy *energy;	/* of --explain energy; ENERGY owns this */
	size_t nenergies;
	/* before the first run of a command; NULL = not known; ANSWERS owns this */
	struct settings { char *governor, *driver, *epp, *turbo, *profile; } settings;
	unsigned begun;		/* measurements whose evidence was read at their begin */
	u64 evidence_until;	/* in a replay, the last line that evidence was read from */
	u64 evidence_from;	/* the same of the first sample */
	bool failed, unjudged;	/* --fail: a verdict is one of its words; it is not known */
	bool answered;		/* there was an interval to judge */
	struct screen *screen;	/* NULL = the table does not go to a terminal */
	struct totals *totals;	/* --prometheus: since the start */
	struct picture *picture;	/* --html: all so far */
	struct runs *course;	/* statistics of the intervals or runs; NULL = not wanted */
	struct runs *baseline;	/* a recording that a command is compared with; NULL = none */
	struct statistic *idle;	/* power of the idle machine in W; NULL = not measured */
	struct buf header; /* the system-configuration header, for formats that contain it */
	bool watch_stdin;
	enum { LINE_EMPTY, LINE_Q, LINE_OTHER } typed;	/* the line on standard input so far */
	bool keys, frozen;	/* --view live reads keys; the user has frozen the screen */
	bool input_waits; /* we are in the background: ignore input until the interval ends */
	struct left {		/* settings of the user, restored for the command */
		struct sigaction action[NSIGNALS];
		sigset_t mask;
		struct rlimit descriptors;
		struct termios terminal;	/* standard input's, if keys are read */
	} left;
	char **command;		/* words of the command that is measured; NULL = intervals */
	int process;		/* --pid: a descriptor, readable after the end; -1 = none */
	sigset_t let_in;	/* the mask while waiting and writing */
	struct failure {	/* to read a counter; one note per CPU */
		int counter;
		int err;	/* 0: its CPU was offline for a moment, and lost an event */
		bool to_move;	/* we could not run on its CPU */
		/* ns: an event counted for this part of the interval, most of all CPUs; 0 = no */
		i64 counted, passed;
		char *source;	/* a register, a file, a PMU: of the first CPU */
		bool several;	/* sources */
		struct cpuset cpus, told;	/* where it has failed; those with a note */
	} *failure;
	size_t nfailures;
	struct cpuset away;	/* CPUs that were offline for a moment; one note for each */
	bool unread;	/* we were stopped for so long that counters may have wrapped unseen */
	i64 read_at;	/* CLOCK_MONOTONIC when the counters that wrap were last read; 0 = never */
	bool measured;		/* there has been an interval */
} R = { .sample[1].slot = 1, .output.out = STDOUT_FILENO, .process = -1,
	.control.ctl = -1, .control.ack = -1 };

/* Can a counter's seconds differ from those of the clocks?  C1 as the remainder has the TSC's. */
static bool has_own_seconds(int k)
{
	const struct way *w = T.counter[k].chosen;

	return w &&
	       (w->kind == BY_PERF || (w->kind == BY_REMAINDER && R.interval.own_seconds[CT_TSC]));
}

/* Makes room for all units; new ones are unknown. */
static void samples_grow(void)
{
	struct interval *iv = &R.interval;

	if (!iv->value) {
		iv->value = zeroed((size_t)T.ncounters, sizeof(*iv->value));
		iv->valid = zeroed((size_t)T.ncounters, sizeof(*iv->valid));
		iv->own_seconds = zeroed((size_t)T.ncounters, sizeof(*iv->own_seconds));
	}
	for (int k = 0; k < T.ncounters; k++) {
		enum scope s = T.counter[k].scope;

		if (!T.counter[k].needed)
			continue;
		iv->value[k] = grow_cells(iv->value[k], P.known[s], M.nunits[s], sizeof(u64));
		iv->valid[k] = grow_cells(iv->valid[k], P.known[s], M.nunits[s], 1);
		if (has_own_seconds(k))
			iv->own_seconds[k] = grow_cells(iv->own_seconds[k], P.known[s], M.nunits[s],
						sizeof(double));
	}
	for (enum scope s = 0; s < NSCOPES; s++)
		iv->span[s] = grow_cells(iv->span[s], P.known[s], M.nunits[s], sizeof(struct span));
	for (struct sample *s = R.sample; s < R.sample + 2; s++)
		s->stay = grow_cells(s->stay, P.known[CPU], M.nunits[CPU], sizeof(*s->stay));
	R.failure = room(R.failure, R.nfailures, sizeof(*R.failure));	/* NULL + 0 is undefined */
	if (O.topic || S.records) {
		R.held = resize(R.held, P.nsources + 1, sizeof(*R.held));
		memset(R.held, 0, (P.nsources + 1) * sizeof(*R.held));
	}
	memcpy(P.known, M.nunits, sizeof(P.known));
}

static void free_sums(struct interval *total)
{
	for (int i = 0; i < P.nshown && total->sum; i++) {
		for (int k = 0; k < 3; k++)
			free(total->sum[i].operand[k].unit);
		free(total->sum[i].row);
	}
	free(total->sum);
}

/* Begins the sums over several intervals anew. */
static void clear_sums(struct interval *total)
{
	free_sums(total);
	*total = (struct interval){ .sum = zeroed((size_t)P.nshown, sizeof(struct sum)) };
}

/* --- /proc/interrupts --- */

enum { CELL = 11, ZEROS = 8 };	/* bytes of a cell, " %10u"; cells that are compared at once */

/*
 * Parses a cell of the usual width: blanks, then at most eight digits.  Returns false if it is not
 * one.  Takes eight characters as one number, the first as its lowest byte; joins pairs of digits
 * to numbers below 100, pairs of those to numbers below 10000.
 */
static bool interrupt_cell(const char *s, u64 *v)
{
	const u64 each = 0x0101010101010101;
	u64 x;

	if (memcmp(s, "   ", 3))
		return false;
	memcpy(&x, s + CELL - 8, sizeof(x));
	x ^= ' ' * each;	/* a blank becomes 0, a digit 0x10 and its value */
	if (!x || isdigit((u8)s[CELL]))
		return false;
	x ^= 0x10 * each << (__builtin_ctzll(x) & ~7);	/* from the first digit on */
	if ((x | (x + 0x76 * each)) & 0x80 * each)	/* a byte above 9 */
		return false;
	x = (x * (1 + (10 << 8)) >> 8) & 0x00ff00ff00ff00ff;
	x = (x * (1 + (100 << 16)) >> 16) & 0x0000ffff0000ffff;
	*v = x * (1 + (10000ull << 32)) >> 32;
	return true;
}

/* A line "LABEL: NUMBER... WORDS" of a text that ends in a NUL. */
struct interrupt_line {
	const char *label;
	int label_length;
	int kind;		/* of its numbers; ALL_INTERRUPTS: no other kind */
	const char *words, *next;	/* behind the numbers, the line below */
};

/* Is a line's label this word? */
static bool has_label(const struct interrupt_line *l, const char *word)
{
	return is_word(l->label, (size_t)l->label_length, word);
}

/* Parses a line: adds its numbers, at most n, to the sums of as many columns. */
static struct interrupt_line interrupt_line(const char *s, const char *end,
					    struct interrupts *const *column, int n)
{
	static const char zeros[] = "          0          0          0          0"
				    "          0          0          0          0";
	struct interrupt_line l = { .label = s + strspn(s, " ") };

	s = l.label + strcspn(l.label, ":\n");
	l.label_length = (int)(s - l.label);
	l.kind = has_label(&l, "NMI") ? NMIS
		 : has_label(&l, "TRM") ? THERMAL_INTERRUPTS : ALL_INTERRUPTS;
	s += *s == ':';
	for (int i = 0; i < n; i++) {
		u64 v;

		if (end - s > CELL && interrupt_cell(s, &v)) {
			s += CELL;
		} else {
			s += strspn(s, " ");
			if (!scan_number(&s, end, 10, UINT64_MAX, &v))
				break;
		}
		column[i]->sum[l.kind] += v;
		while (!v && n - i > ZEROS && end - s > ZEROS * CELL &&
		       !memcmp(s, zeros, ZEROS * CELL) && !isdigit((u8)s[ZEROS * CELL])) {
			s += ZEROS * CELL;
			i += ZEROS;
		}
	}
	l.words = s;
	s = memchr(s, '\n', (size_t)(end - s));
	l.next = s ? s + 1 : end;
	return l;
}

/* Finds the next column of the first line: its CPU, MAX_CPU if that is none, NONE at the end. */
static int next_column(const char **s, const char *eol)
{
	int cpu;

	*s = memchr(*s, 'U', (size_t)(eol - *s));	/* of "CPU0" */
	if (!*s)
		return NONE;
	++*s;
	cpu = parse_small(s, MAX_CPU);
	return cpu < 0 ? MAX_CPU : cpu;
}

/* Sums /proc/interrupts by CPU.  A line with one number (ERR, MIS) counts for the first CPU. */
static void sum_interrupts(const char *s, size_t len)
{
	const char *end = s + len, *eol = memchr(s, '\n', len) ?: end;

	if (!R.kernel.interrupts) {	/* the last one is of columns that are no CPU */
		R.kernel.interrupts = zeroed(MAX_CPU + 1, sizeof(*R.kernel.interrupts));
		R.kernel.column = zeroed(MAX_CPU, sizeof(struct interrupts *));
	}
	for (int i = 0; i < R.kernel.columns; i++) {
		u64 thermal = R.kernel.column[i]->sum[THERMAL_INTERRUPTS];

		*R.kernel.column[i] = (struct interrupts){ .thermal = thermal };
	}
	R.kernel.columns = 0;
	for (int cpu = next_column(&s, eol); cpu != NONE && R.kernel.columns < MAX_CPU;) {
		R.kernel.column[R.kernel.columns] = &R.kernel.interrupts[cpu];
		R.kernel.column[R.kernel.columns++]->there = true;
		cpu = next_column(&s, eol);
	}
	for (s = eol + 1; s < end;) {
		struct interrupt_line l = interrupt_line(s, end, R.kernel.column, R.kernel.columns);

		R.kernel.has_thermal |= l.kind == THERMAL_INTERRUPTS;
		s = l.next;
	}
	for (int row = 0; row < M.n; row++) {
		u64 *sum = R.kernel.interrupts[M.cpu[row]].sum;

		sum[ALL_INTERRUPTS] += sum[NMIS] + sum[THERMAL_INTERRUPTS];
	}
}

/* The lines of a text of /proc/interrupts, with what each has counted. */
struct interrupt_counts {
	struct interrupt_count {
		struct interrupt_line line;
		u64 n;
	} *of;
	size_t n;
};

static void free_interrupt_counts(struct interrupt_counts *c)
{
	free(c->of);
}

/* Counts what interrupted a CPU, or (NONE) all, by line; no lines: the text does not list it. */
static struct interrupt_counts count_interrupts(const char *text, int cpu)
{
	const char *s = text, *end = s + strlen(s), *eol = strchrnul(s, '\n');
	struct interrupts counted = { .there = false }, others = { .there = false };
	struct interrupts **column SCOPED(ptr) = NULL;
	struct interrupt_counts c = { 0 };
	bool listed = cpu == NONE;
	size_t n = 0;

	for (int of = next_column(&s, eol); of != NONE && n < MAX_CPU; of = next_column(&s, eol)) {
		*append(column, n) = cpu == NONE || of == cpu ? &counted : &others;
		if (of == cpu)
			listed = true;
	}
	for (s = eol < end ? eol + 1 : end; listed && s < end;) {
		struct interrupt_count *count = append(c.of, c.n);

		counted = (struct interrupts){ .there = true };
		count->line = interrupt_line(s, end, column, (int)n);
		count->n = counted.sum[count->line.kind];
		s = count->line.next;
	}
	return c;
}

/* Returns the line with a label; NULL: none. */
static const struct interrupt_count *find_interrupt(const struct interrupt_counts *c,
						    const char *label)
{
	for (size_t i = 0; i < c->n; i++)
		if (has_label(&c->of[i].line, label))
			return &c->of[i];
	return NULL;
}

/* The last of a line's words if its label is a number, else its label; overwritten as by pathf. */
static const char *interrupt_name(const struct interrupt_line *l)
{
	const char *end = l->next;
	const char *s;

	while (end > l->words && strchr(" \r\n", end[-1]))
		end--;
	s = end;
	while (s > l->words && s[-1] != ' ')
		s--;
	if (s == end || !isdigit((u8)*l->label)) {
		s = l->label;
		end = s + l->label_length;
	}
	return pathf("%.*s", (int)(end - s), s);
}

static void read_interrupts(void)
{
	int err;
	struct buf *b = &R.kernel.interrupts_text;

	buf_clear(b);
	err = src_text(P.interrupts_fd, "/proc/interrupts", b);
	if (err)
		note(0, "/proc/interrupts: %s", strerror(-err));
	R.kernel.interrupts_pass = err || !b->len ? 0 : R.pass;
	sum_interrupts(b->p ? b->p : "", err ? 0 : b->len);
}

/* --- /proc/stat --- */

enum { IDLE = 3, IOWAIT, STEAL = 7, NTICKS };		/* fields of /proc/stat, proc(5) */

/* Adds a CPU's ticks since the last reading, "USER NICE ..."; a field that falls adds nothing. */
static void add_ticks(struct accounting *a, const char *s)
{
	for (int i = 0; i < NTICKS; i++) {
		u64 v = 0, d = 0;

		if (*s == ' ')
			s++;
		scan_number(&s, NULL, 10, UINT64_MAX, &v);
		if (v > a->field[i])
			d = v - a->field[i];
		a->field[i] = v;
		a->sum[0] += d;
		if (i == STEAL)
			a->sum[2] += d;
		else if (i != IDLE && i != IOWAIT)
			a->sum[1] += d;
	}
	a->pass = R.pass;
}

/* Reads the lines "cpuN USER NICE ..." of /proc/stat. */
static void read_accounting(void)
{
	const char *s, *end;
	int err;

	if (!R.kernel.accounting)
		R.kernel.accounting = zeroed(MAX_CPU, sizeof(*R.kernel.accounting));
	buf_clear(&R.kernel.text);
	err = src_text(P.stat_fd, "/proc/stat", &R.kernel.text);
	if (err)
		note(0, "/proc/stat: %s", strerror(-err));
	for (s = err ? NULL : R.kernel.text.p; s && (s = text_after(s, "cpu"));
	     s = end ? end + 1 : NULL) {
		int cpu = parse_small(&s, MAX_CPU);
		struct accounting *a = cpu >= 0 ? &R.kernel.accounting[cpu] : NULL;

		end = strchr(s, '\n');
		if (a)
			add_ticks(a, s);
	}
}

/* --- readings --- */

enum { COLDEST = -60, HOTTEST = 150 };		/* degrees C */

/*
 * Decodes a register or file.  Returns false if its value is invalid or impossible; only
 * temperatures and files of the user may be negative.
 */
static bool decode_value(const struct source *s, u64 *v)
{
	switch (s->way->decode) {
	case THERMAL: /* SDM 3B, "Digital Thermal Sensor": degrees below TjMax, if it is valid */
		if (!FIELD(*v, THERM_VALID))
			return false;
		*v = (u64)(i64)(M.tjmax[lead_of(PACKAGE, M.row[s->cpu])] -
				readout(*v, s->counter == CT_PKG_TEMP));
		break;
	case MILLI:
		if ((i64)*v < 1000 * COLDEST)
			return false;
		*v = (u64)((i64)*v / 1000);
		break;
	default: return s->kind != BY_FILE || (i64)*v >= 0 || s->way->of_user;
	}
	return (i64)*v >= COLDEST && (i64)*v <= HOTTEST;
}

static void note_unread(void)
{
	note(0, "energy counters were not read for so long that they may have wrapped unseen");
}

enum { MOST_UNREAD = 4 };		/* ticks that counters which wrap may go unread */

/* Stores a value in a sample; a tick (slot NONE) only extends counts that wrap to 64 bits. */
static void store_value(struct source *s, int slot, u64 v)
{
	const struct counter *c = &T.counter[s->counter];

	if (!decode_value(s, &v))
		return;
	if (s->modulus && c->wrap_joules > 0 && s->pass && R.pass - s->pass > MOST_UNREAD) {
		s->epoch = ++P.epoch;
		if (s->valid[slot < 0 ? R.now : !slot])
			note_unread();
	}
	if (s->modulus)
		v = s->last + (v % s->modulus + s->modulus - s->last % s->modulus) % s->modulus;
	else if (c->kind == GAUGE)
		v &= counter_modulus(c) - 1;
	s->last = v;
	s->pass = R.pass;
	if (slot < 0 || (s->way->factor > 0 && !to_u64((double)v * s->way->factor, &v)))
		return;
	s->value[slot] = v;
	s->valid[slot] = s->epoch;
}

/* Scales the count of an event that shared its hardware counter; 0 if 64 bits do not hold it. */
static u64 scale_count(u64 counted, u64 enabled, u64 running)
{
	u64 scaled;

	if (!to_u64((double)counted * ((double)enabled / (double)running), &scaled))
		return 0;
	return scaled;
}

/* Adds what an event has counted since the last reading; anew: it has begun at 0 since then. */
static void add_count(struct event_count *c, const struct perf_value *v, bool anew, bool shared)
{
	u64 counted = v->count - c->last.count;

	if (shared)
		counted = scale_count(counted, v->enabled - c->last.enabled,
				      v->running - c->last.running);
	c->last = *v;
	if (anew)
		c->epoch = ++P.epoch;
	else
		c->sum += counted;
}

/*
 * Adds the count of an event.  It has begun anew if it was opened anew, or if the count or a time
 * fell, as it is another one or was reset.  Returns false if the event has not run; shared: it
 * shared its hardware counter.
 */
static bool continue_count(struct member *m, const struct perf_value *v, bool anew, bool *shared)
{
	const struct perf_value *last = &m->count.last;
	u64 enabled = v->enabled - last->enabled, running = v->running - last->running;
	bool first = !last->enabled;

	if ((v->count < last->count && !m->level) || v->enabled < last->enabled)
		anew = true;
	*shared = v->running && running < enabled && !anew;
	if (!anew && enabled && !running && !first)
		return false;
	add_count(&m->count, v, anew, *shared);
	return true;
}

/*
 * Reads a group of perf events that must have been enabled for `least` ns by now.  The kernel
 * detaches events when their CPU goes offline: they are opened again, and their sums go on; if that
 * fails, the next sample tries again.  Returns whether they were opened again.
 */
static bool read_events(struct event_group *g, u64 least, struct perf_value v[], int err[])
{
	const struct event *events[MAX_GROUP];
	int fd = 0;

	for (int i = 0; i < g->n; i++)
		events[i] = g->member[i].event;
	err[0] = -ENODEV;
	if (!g->dead)
		src_perf_read(g->cpu, g->member[0].fd, g->n, events,
			      g->member[0].count.last.enabled, least, v, err);
	if (err[0] != -ENODEV)
		return false;
	for (int i = 0; i < g->n; i++) {
		src_close(g->member[i].fd);
		if (fd >= 0)
			fd = src_perf_open(g->cpu, events[i], i ? g->member[0].fd : -1);
		g->member[i].fd = fd;
	}
	g->dead = fd < 0;
	if (!g->dead)
		src_perf_read(g->cpu, g->member[0].fd, g->n, events, 0, 0, v, err);
	for (int i = 0; i < g->n && g->dead; i++)
		err[i] = fd;
	return true;
}

static bool is_e_core(int row)
{
	return (M.visited ? M.visited[M.cpu[row]].type : M.main_type) == ATOM_CORE;
}

/* Does a column depend on a counter of a CPU, directly or through another counter? */
static bool takes_counter(const struct column *c, int k, int cpu)
{
	bool own_tsc = uses_tsc(c) && M.units[c->scope] == M.n;	/* else another CPU's can do */
	const int parts[] = { c->a, c->b, own_tsc ? CT_TSC : NONE, c->third };

	for (size_t i = 0; i < ARRAY_SIZE(parts) && !is_plain(c); i++) {
		int part = parts[i];
		const struct way *way = part != NONE ? T.counter[part].chosen : NULL;

		if (part == k || (part == CT_CC6 && k == CT_CC7 && is_e_core(M.row[cpu])) ||
		    (part == CT_APERF && k == CT_CPU_KHZ && is_accounting(way)))
			return true;
		for (size_t n = 0; n < ARRAY_SIZE(remainder_needs); n++)
			if (way && way->kind == BY_REMAINDER && remainder_needs[n].counter == k)
				return true;
	}
	return false;
}

/*
 * Remembers that a counter could not be read on a CPU, perhaps as we could not move there; or, if
 * err is 0, that its event was lost for a moment.
 */
static void add_failure(int cpu, int counter, const char *source, int err, bool to_move)
{
	struct failure *f = R.failure, *end = PAST(R.failure, R.nfailures);

	while (f < end && (f->counter != counter || f->err != err || f->to_move != to_move ||
			   f->passed))
		f++;
	if (f == end) {
		f = append(R.failure, R.nfailures);
		*f = (struct failure){ counter, err, to_move, .source = textf("%s", source) };
	}
	if (strcmp(f->source, source))
		f->several = true;
	set_add(&f->cpus, cpu);
}

/* Remembers that an event counted for less of an interval than late readings explain. */
static void add_brief(int cpu, int counter, i64 counted, i64 passed)
{
	struct failure *f = R.failure, *end = PAST(R.failure, R.nfailures);

	while (f < end && (f->counter != counter || !f->passed))
		f++;
	if (f == end) {
		f = append(R.failure, R.nfailures);
		*f = (struct failure){ .counter = counter, .source = textf("perf") };
	}
	f->counted = counted > f->counted ? counted : f->counted;
	f->passed = passed;
	set_add(&f->cpus, cpu);
}

/*
 * Reads a group; now: CLOCK_MONOTONIC.  Its events must have been enabled since the last reading,
 * by clocks that differ by less than a 32nd; else their CPU was offline, and their count lacks a
 * part.  One that has just followed a cpumask has no time yet: its former CPU has gone.
 */
static void read_group(struct event_group *g, i64 now)
{
	enum { LATEST = 250000000 };	/* ns; a reading is not later than that */
	struct perf_value v[MAX_GROUP];
	int err[MAX_GROUP];
	i64 passed = g->read_at ? now - g->read_at : 0, on = passed - passed / 32 - 10000000;
	u64 was = g->member[0].count.last.enabled, least = on > 0 ? was + (u64)on : 0;
	bool was_dead = g->dead, reopened = read_events(g, least, v, err);
	i64 counted = was && !reopened && !err[0] ? (i64)(v[0].enabled - was) : passed;

	g->read_at = now;
	for (int i = 0; i < g->n; i++) {
		struct member *m = &g->member[i];
		bool shared = false;

		if (!err[i] && continue_count(m, &v[i], reopened, &shared))
			m->pass = R.pass;
		if (m->counter == NONE)
			continue;
		if (err[i])
			add_failure(g->cpu, m->counter, pathf("perf %s", g->pmu), err[i], false);
		else if (reopened && !was_dead && (m->enabled[0] || m->enabled[1]))
			add_failure(g->cpu, m->counter, g->pmu, 0, false);
		else if (counted < passed / 32 && passed - counted > LATEST)
			add_brief(g->cpu, m->counter, counted, passed);
		if (shared && shown_as(m->counter))
			note(hash_text(shown_as(m->counter)),
			     "'%s': the event shares a hardware counter; its count is scaled",
			     shown_as(m->counter));
	}
}

/* --- the events of a command or process --- */

/*
 * Adds the count of a task's event, as continue_count() does.  The kernel counts both times
 * while the task runs: if they stand still, it slept.  Returns false if the task ran and the event
 * did not.
 */
static bool continue_task(struct task *t, const struct perf_value *v, bool *shared)
{
	const struct perf_value *last = &t->count.last;
	u64 enabled = v->enabled - last->enabled, running = v->running - last->running;
	bool anew = v->count < last->count || v->enabled < last->enabled ||
		    v->running < last->running;

	*shared = !anew && !t->whole && running < enabled;
	if (*shared && !running)
		return false;
	add_count(&t->count, v, anew, *shared);
	return true;
}

static void read_tasks(void)
{
	for (struct task *t = P.task; t < PAST(P.task, P.ntasks); t++) {
		const char *name = shown_as(t->counter);
		struct perf_value v;
		bool shared = false;
		int err = src_task_read(t->event, t->fd, t->n, t->err, &v);

		if (err)
			add_failure(M.main_cpu, t->counter, "the command's event", err, false);
		else if (continue_task(t, &v, &shared))
			t->pass = R.pass;
		if (shared && name)
			note(hash_text(name),
			     "'%s': the event shares a hardware counter; its count is scaled",
			     name);
	}
}

static void close_task(struct task *t)
{
	while (t->n)
		src_close(t->fd[--t->n]);
}

/* Begins the counts of another run at 0, which is their value until they are opened. */
static void reset_tasks(void)
{
	for (struct task *t = P.task; t < PAST(P.task, P.ntasks); t++) {
		close_task(t);
		t->err = 0;
		t->count = (struct event_count){ .epoch = ++P.epoch };
	}
}

/* Opens all events for a thread; one that has ended counts nothing more. */
static void count_thread(int tid, bool at_exec)
{
	for (struct task *t = P.task; t < PAST(P.task, P.ntasks); t++) {
		int fd = t->err ? -ESRCH : src_task_open(t->event, tid, at_exec, t->user_only);

		if (fd >= 0) {
			*append(t->fd, t->n) = fd;
		} else if (fd != -ESRCH) {
			close_task(t);
			t->err = fd;
		}
	}
}

/* Opens the events for all threads of a process, which may start others at the same time. */
static void count_process(u64 pid)
{
	enum { MOST = 10 };		/* readings of the list */
	int *tid SCOPED(ptr) = NULL;
	size_t n = 0, opened = 0;

	for (int i = 0; i < MOST && P.ntasks; i++) {
		src_threads(pid, &tid, &n);
		if (n == opened)
			break;
		for (; opened < n; opened++)
			count_thread(tid[opened], false);
	}
}

/* --- sources --- */

/* The place of a source in a note; NULL: it is not of this CPU alone. */
static const char *place_of_source(const struct source *s)
{
	switch (s->kind) {
	case BY_MSR: return pathf("MSR 0x%x", s->arg);
	case BY_PMT: return "telemetry";
	case BY_FILE: return *s->way->path == '/' ? s->path : s->way->path;
	default: return NULL;
	}
}

static void note_failed(struct source *s, int err)
{
	const char *name = place_of_source(s);

	if (name)
		add_failure(s->cpu, s->counter, name, err, false);
	else if (s->kind == BY_INTERRUPTS && R.kernel.columns)
		note(0, "cpu%d: /proc/interrupts does not list it", s->cpu);
	s->gone = s->kind == BY_FILE && err == -ENODEV;		/* its driver has gone */
	P.incomplete |= s->gone;
}

/* Keeps what a register or file held, for answers. */
static void keep_raw(const struct source *s, int err, u64 v)
{
	if (err || !R.held)
		return;
	R.held[s - P.source] = (struct held){ v, R.pass };
}

/* The source of each sample that is this register (msr) or file (path) on a CPU; NULL: none. */
static const struct source *find_sampled(int cpu, u32 msr, const char *path)
{
	const struct source *s = P.on[cpu].sources;

	while (s && !(msr ? s->kind == BY_MSR && s->arg == msr
			  : s->kind == BY_FILE && !s->way->parse && !strcmp(s->path, path)))
		s = s->next;
	return s;
}

/* Has this pass read a register or a file on a CPU?  Then gives what it held. */
static bool has_sampled(int cpu, u32 msr, const char *path, u64 *v)
{
	const struct source *s = find_sampled(cpu, msr, path);

	if (!s || !R.held || R.held[s - P.source].pass != R.pass)
		return false;
	*v = R.held[s - P.source].value;
	return true;
}

/* Has this pass read this file as a whole?  Its text is in R.kernel.interrupts_text. */
static bool has_sampled_text(const char *path)
{
	return R.kernel.interrupts_pass == R.pass && !strcmp(path, "/proc/interrupts");
}

/* Reads a source, for a sample or (slot NONE) a tick; an event after its group. */
static void read_source(struct source *s, int slot)
{
	const struct accounting *a;
	struct member *m;
	const struct task *t;
	int err = 0;
	u64 v = 0;

	switch ((enum way_kind)s->kind) {
	case BY_PERF:
		m = &s->group->member[s->arg];
		v = m->count.sum;
		s->epoch = m->count.epoch;
		if (m->pass != R.pass || (m->level && (i64)v < 0))
			return;		/* below 0: the level is unknown */
		if (slot >= 0)
			m->enabled[slot] = m->count.last.enabled;
		break;
	case BY_TASK:
		t = &P.task[s->arg];
		v = t->count.sum;
		s->epoch = t->count.epoch;
		if (t->pass != R.pass)
			return;
		break;
	case BY_MSR:
		err = src_msr(s->cpu, s->arg, &v);
		keep_raw(s, err, v);
		v = FIELD_(v, s->way->msb, s->way->lsb);
		break;
	case BY_FILE:
		err = read_file(s->way, s->handle, s->path, &v);
		if (err == -ENODATA && s->way->parse)
			return;		/* no value at this time is no failure */
		keep_raw(s, s->way->parse ? -EINVAL : err, v);
		break;
	case BY_TSC: err = src_tsc(s->cpu, &v); break;
	case BY_INTERRUPTS:
		v = R.kernel.interrupts[s->cpu].sum[s->arg];
		err = R.kernel.interrupts[s->cpu].there ? 0 : -ENOENT;
		break;
	case BY_ACCOUNTING:
		a = &R.kernel.accounting[s->cpu];
		v = a->sum[s->counter - CT_TICKS];
		err = a->pass == R.pass ? 0 : -ENOENT;
		break;
	case BY_PMT:
		err = read_region(s->region, s->arg, &v);
		v = FIELD_(v, s->way->msb, s->way->lsb);
		break;
	default: return;
	}
	if (err)
		note_failed(s, err);
	else
		store_value(s, slot, v);
}

/*
 * Keeps the value of a throttle count that cannot have moved: the kernel counts in its handler of
 * the thermal interrupt (drivers/thermal/intel/therm_throt.c), as the line TRM does.  Returns false
 * if the count must be read.
 */
static bool keep_value(struct source *s, int slot)
{
	enum { MOST_KEPT = 9 };		/* passes; then it is read all the same */
	const struct members *cpus;

	if (s->counter != CT_CORE_THROTTLE || !is_kept(P.interrupts_fd) || !R.kernel.has_thermal ||
	    O.replay || S.records || !s->valid[!slot] || R.pass - s->pass > MOST_KEPT)
		return false;
	cpus = members_of(CPU, CORE);
	for (int i = cpus->first[s->unit]; i < cpus->first[s->unit + 1]; i++) {
		const struct interrupts *p = &R.kernel.interrupts[M.unit[CPU][cpus->unit[i]].cpu];

		if (!p->there || p->sum[THERMAL_INTERRUPTS] != p->thermal)
			return false;
	}
	s->value[slot] = s->value[!slot];
	s->valid[slot] = s->valid[!slot];
	return true;
}

/*
 * Goes to a CPU that must be read there, or that sleeps and would be woken more than once: each
 * reading from afar interrupts a CPU, and between two of them it goes back to sleep.  A busy CPU is
 * read from afar, as a move waits in its run queue.  Returns 0 or the -errno of a needed move.
 */
static int approach_cpu(int cpu, int interrupts)
{
	if (P.on[cpu].moves)
		return src_go(cpu);
	if (interrupts > 1 && set_has(&R.asleep, cpu) && src_visit(cpu))
		R.visits = true;
	return 0;
}

/* Ends a pass: leaves the CPU that was visited last, so that it can sleep. */
static void leave_cpus(void)
{
	if (R.visits)
		src_go_home();
	R.visits = false;
}

/*
 * Is a source lost where we cannot run?  Registers and the TSC by its instruction are what we move
 * for; events, files and interrupts are read from anywhere.
 */
static bool needs_move(const struct source *s)
{
	return s->kind == BY_MSR || s->kind == BY_TSC;
}

/* Goes to the CPU of a row and reads it; with need_end, its clocks after the readings, too. */
static void visit_cpu(struct sample *s, int row, bool need_end)
{
	const int cpu = M.cpu[row], slot = s->slot;
	const struct visit *v = &P.on[cpu];
	struct stay afar = { 0 }, *stay = row < M.n ? &s->stay[M.in[CPU][row]] : &afar;
	int err = approach_cpu(cpu, v->interrupts);

	stay->visited = true;
	if (!(v->sources || v->groups || need_end))
		return;
	stay->begin = src_cpu_clock(cpu, NULL, need_end);
	for (struct event_group *g = v->groups; g; g = g->next)
		read_group(g, stay->begin.mono);
	for (struct source *of = v->sources; of; of = of->next) {
		if (err && needs_move(of)) {
			add_failure(cpu, of->counter, "", err, true);
			continue;
		}
		if (!keep_value(of, slot))
			read_source(of, slot);
	}
	if (need_end)
		stay->end = src_cpu_clock(cpu, &stay->begin, true);
}

/* Reads all counters, and the clocks behind them; src_end() ends the sample in the recording. */
static void take_sample(struct sample *s)
{
	bool need_end = S.records || is_asked(V_USEC) || is_asked(V_TIME_OF_DAY);
	struct source *tsc = P.source, *end = PAST(P.source, P.nsources);

	for (struct source *of = P.source; of < end; of++)
		of->valid[s->slot] = of->kind == NO_WAY ? of->epoch : 0;
	memset(s->stay, 0, (size_t)M.nunits[CPU] * sizeof(*s->stay));
	R.pass++;
	src_begin(&s->t, false);
	R.read_at = s->t.begin;
	if (is_kept(P.interrupts_fd))
		read_interrupts();
	if (is_kept(P.stat_fd))
		read_accounting();
	read_tasks();
	for (int row = 0; row < M.n + M.nafar; row++)
		visit_cpu(s, row, need_end && row < M.n);
	for (struct source *of = P.source; of < end; of++)
		if (of->kind == BY_PERF || of->kind == BY_TASK)
			read_source(of, s->slot);
	/* the TSC of the main CPU as this pass has read it, else of the CPU that we run on */
	while (tsc < end && (tsc->counter != CT_TSC || tsc->cpu != M.main_cpu))
		tsc++;
	s->tsc_epoch = tsc < end ? tsc->valid[s->slot] : 0;
	s->tsc = s->tsc_epoch ? tsc->value[s->slot] : 0;
	if (!s->tsc_epoch && (tsc == end || tsc->kind != BY_PERF))
		src_tsc(M.main_cpu, &s->tsc);	/* an event does not begin where the TSC does */
	leave_cpus();
	src_stop(&s->t);
	for (int u = 0; u < M.nunits[CPU]; u++)
		if (!s->stay[u].begin.mono)	/* nothing was read there */
			s->stay[u].begin = s->stay[u].end = s->t.end;
}

/* Reads the counters that wrap, before they wrap unseen. */
static void take_tick(void)
{
	struct sample_times t;

	src_begin(&t, true);
	R.read_at = t.begin;
	R.pass++;
	for (int row = 0; row < M.n + M.nafar; row++) {
		struct visit *v = &P.on[M.cpu[row]];

		for (struct source *s = v->sources; s; s = s->next)
			if (s->modulus && !approach_cpu(s->cpu, v->tick_interrupts))
				read_source(s, NONE);
	}
	leave_cpus();
	src_stop(&t);
	src_end(&t, true);
}

/*
 * Finds how often energy counters move, if a result is short: 5 moves of one unit, or 50 ms.  In a
 * sample: for its answer, however long the result is.
 */
static void find_steps(bool in_sample)
{
	enum { MOVES = 5, READINGS = 5000 };		/* at most */
	enum { PAUSE = 20000, LONGEST = 50000000 };	/* ns */

	if (!in_sample && !R.control.n && !(R.total.new && R.total.seconds * 1e9 < 100.0 * LONGEST))
		return;
	for (struct source *s = P.source; s < PAST(P.source, P.nsources); s++) {
		u64 before = 0;
		i64 begin = src_now(), now = begin, at[MOVES] = { 0 };
		struct counter *c = &T.counter[s->counter];
		size_t recorded = in_sample ? src_recorded_bytes() : 0;
		int n = O.replay ? MOVES : 0;		/* moves seen */

		if (!is_energy(c) || c->step || s->kind == NO_WAY)
			continue;
		for (int i = 0; i < READINGS && n < MOVES && now - begin < LONGEST; i++) {
			if (s->kind == BY_PERF)
				read_group(s->group, now);
			read_source(s, NONE);
			if (s->last != before && i)	/* the first one follows the sample */
				at[n++] = now;
			before = s->last;
			src_wait(NULL, 0, PAUSE, NULL);
			now = src_now();
		}
		now = n > 1 ? (at[n - 1] - at[0]) / (n - 1) : n * (now - begin);
		if (in_sample && !n)	/* at least: to allow less would make doubts */
			now = LONGEST;
		c->step = (i64)src_step(text_after(c->name, "Joules "), (u64)now, recorded) ?: -1;
	}
}

/* ======================================================================== *
 * 16. MATH
 *
 * Computes differences of two samples, derived counters, folds, formulas, sums of intervals.
 * Changes nothing but the interval.  An interval has a cell for each counter and unit; a sum of
 * intervals has the operands of each column, added up by the units of their counters.
 *
 * Under load a perf event is read long after the clocks, so each counter has own seconds.  Those
 * of an event are the difference of its enabled times, which one read returns with the count.
 * Those of registers and files are between the clocks of their unit's CPU, as are those of an event
 * without times, or across a sleep, or that the kernel has moved to another CPU.  A rate is a count
 * divided by its own seconds; a sum or a mean over units is one of rates.  A percentage of the TSC
 * is of the cycles that the TSC has in these seconds, by its rate in the same interval: exactly
 * those that were counted if the TSC is an event of the same group.
 *
 * In a sum of intervals a rate is the sum of a unit's amounts divided by the sum of its own
 * seconds.  A unit that was absent in some of them counts for its part of the time in a sum or a
 * mean of rates.  Its own row is unknown in columns whose summary is a sum, such as energy: a part
 * would look like the whole.  The summary includes what was seen of it, but lacks energy.
 *
 * Invariants: samples and their differences are integers, results of formulas are doubles; a part
 * is never shown as the whole; an impossible value is unknown, and printed as "nan".  These
 * functions reject values, the first one first:
 *
 *	continue_count()	an event that did not run, or whose count or time fell
 *	read_source()		an event's level below 0
 *	decode_value()		an invalid thermal status, a temperature outside -60 to 150 C, a
 *				clock below 0
 *	store_value()		energy that could not be read for MOST_UNREAD ticks
 *	find_difference()	a count that fell, unless a part of a sum has wrapped; energy above
 *				M.most_watts, or that may have wrapped unseen, or fell in a suspend;
 *				SMIs of more than half a counter's range
 *	drop_impossible()	cycles above MOST_PERCENT of the TSC's
 *	fold_counter()		a sum that lacks a part, or is above 2^64 - 1; raw values of units
 *				that differ
 *	real_value()		a division by 0; a percentage or a clock below 0 or above
 *				formula_row.most
 *	column_value()		a rate while the TSC stood still
 *	to_u64()		anywhere: what 64 bits do not hold
 * ======================================================================== */

struct view {			/* a unit in an interval */
	const struct interval *iv;
	enum scope scope;	/* SYSTEM: the summary */
	int row;		/* of the unit's leader */
	int unit;
	const struct operand_sum *sum;	/* the operand that is read of a sum; NULL: see iv */
};

union number {			/* a cell's value: by its format */
	double f;
	u64 u;
};

/* Returns the view of the unit that a row is in. */
static struct view view_unit(const struct interval *iv, enum scope scope, int row)
{
	return (struct view){ iv, scope, row, M.in[scope][row], NULL };
}

/* Returns the view of the summary. */
static struct view view_all(const struct interval *iv)
{
	return view_unit(iv, SYSTEM, M.row[M.main_cpu]);
}

static bool is_known_in(const struct interval *iv, int k, int unit)
{
	return iv->valid[k] && iv->valid[k][unit] == VALID;
}

/* Returns the seconds over which a counter's cell counted. */
static inline double own_seconds(const struct interval *iv, int k, int unit)
{
	double own = iv->own_seconds[k] ? iv->own_seconds[k][unit] : 0;

	return own > 0 ? own : iv->span[T.counter[k].scope][unit].seconds;
}

/* Returns the cycles of the TSC in a counter's own seconds. */
static inline double own_cycles(const struct interval *iv, int k, int unit)
{
	const struct span *span = &iv->span[T.counter[k].scope][unit];
	double own = own_seconds(iv, k, unit);

	return own == span->tsc_seconds || !(span->tsc_seconds > 0)
		       ? (double)span->tsc : (double)span->tsc * (own / span->tsc_seconds);
}

/* --- impossible values --- */

static bool may_have_wrapped(const struct interval *iv, const struct counter *c)
{
	return c->wrap_joules > 0 && iv->unread * USUAL_WATTS > c->wrap_joules;
}

/*
 * Finds the difference of two counts over some seconds.  Returns false if it is impossible: the
 * counter fell, was reset, or began anew in a suspend.
 */
static bool find_difference(const struct interval *iv, const struct counter *c, double seconds,
			    u64 old, u64 new, u64 *d)
{
	u64 modulus = counter_modulus(c);
	int packages = c->rapl_unit == PSYS_UNIT ? M.units[PACKAGE] : 1;

	*d = new - old;
	if ((i64)*d < 0) {	/* a part of a sum of interrupts may wrap */
		*d &= modulus - 1;
		return c->chosen && c->chosen->kind == BY_INTERRUPTS && *d < modulus / 2;
	}
	if (c->wrap_joules > 0)
		return !may_have_wrapped(iv, c) &&
		       !(iv->suspended && modulus && new % modulus < old % modulus) &&
		       (double)*d * c->scale <= M.most_watts * packages * seconds;
	return c != &T.counter[CT_SMI] || *d <= modulus / 2;
}

/* --- an interval --- */

/*
 * Computes C1 without a register: the share of the TSC that the other states leave, each in its own
 * seconds; never below 0.
 */
static void derive_c1(struct interval *iv, int row)
{
	static const int others[] = { CT_MPERF, CT_CC3, CT_CC6, CT_CC7 };
	int cpu = M.in[CPU][row];
	bool valid = is_known_in(iv, CT_TSC, cpu);
	double tsc = valid ? (double)iv->value[CT_TSC][cpu] : 0, rest = tsc * M.tsc_tweak;

	for (size_t i = 0; i < ARRAY_SIZE(others); i++) {
		const struct counter *c = &T.counter[others[i]];
		int unit = M.in[c->scope][row];
		double of;

		if (!c->chosen)
			continue;
		valid = valid && is_known_in(iv, others[i], unit);
		of = valid ? own_cycles(iv, others[i], unit) : 0;
		if (of > 0)
			rest -= (double)iv->value[others[i]][unit] * (tsc / of);
	}
	if (iv->own_seconds[CT_C1])
		iv->own_seconds[CT_C1][cpu] = iv->span[CPU][cpu].tsc_seconds;
	valid = to_u64(rest > 0 ? rest : 0, &iv->value[CT_C1][cpu]) && valid;
	iv->valid[CT_C1][cpu] = valid ? VALID : UNKNOWN;
}

/*
 * Estimates MPERF and APERF of a CPU: its busy ticks in parts, and times cpufreq's clock in kHz.
 * unit_reading() returns the ticks that these are divided by.
 */
static void derive_cycles(struct interval *iv, int row)
{
	int cpu = M.in[CPU][row];
	u64 busy;

	if (!is_known_in(iv, CT_TICKS, cpu) || !is_known_in(iv, CT_BUSY_TICKS, cpu))
		return;
	busy = iv->value[CT_BUSY_TICKS][cpu];
	iv->value[CT_MPERF][cpu] = busy * TICK_PARTS;
	iv->valid[CT_MPERF][cpu] = VALID;
	if (!is_accounting(T.counter[CT_APERF].chosen) || !is_known_in(iv, CT_CPU_KHZ, cpu))
		return;
	iv->value[CT_APERF][cpu] = busy * iv->value[CT_CPU_KHZ][cpu];
	iv->valid[CT_APERF][cpu] = VALID;
}

/* Subtracts C7 from C6, which contains it on E-cores (SDM 4, MSR_CORE_C6_RESIDENCY of Atoms). */
static void correct_e_core(struct interval *iv, int row)
{
	int core = M.in[CORE][row];
	u64 *c6 = iv->value[CT_CC6] ? &iv->value[CT_CC6][core] : NULL, c7;
	double c6_seconds, c7_seconds;

	if (!c6 || !T.counter[CT_CC7].chosen || !leads_unit(CORE, row))
		return;
	c7 = iv->value[CT_CC7][core];
	c6_seconds = own_seconds(iv, CT_CC6, core);
	c7_seconds = own_seconds(iv, CT_CC7, core);
	if (c6_seconds != c7_seconds && c7_seconds > 0)
		to_u64((double)c7 * (c6_seconds / c7_seconds), &c7);
	if (!is_known_in(iv, CT_CC7, core))
		iv->valid[CT_CC6][core] = UNKNOWN;
	*c6 -= c7 < *c6 ? c7 : *c6;
}

/*
 * Computes the seconds between the two samples; returns how many of them the machine slept.  During
 * sleep CLOCK_BOOTTIME runs ahead of CLOCK_MONOTONIC, but x86 takes it from the RTC, to the second.
 * In suspend-to-idle the TSC goes on, and gives the exact time.  If the TSC stopped (S3,
 * hibernation), the machine was suspended.
 */
static double compute_seconds(struct interval *iv)
{
	const struct sample *old = iv->old, *new = iv->new;
	double awake = (double)(new->t.end.mono - old->t.end.mono) / 1e9;
	double boot = (double)(new->t.boot - old->t.boot) / 1e9, tick = (double)P.tick / 1e9;
	double hz = M.tsc_rate > 0 ? M.tsc_rate : iv->tsc_hz;
	bool slept = boot - awake > 0.01;
	bool has_tsc = old->tsc_epoch == new->tsc_epoch && old->tsc && new->tsc > old->tsc;
	double cycles = has_tsc ? (double)(new->tsc - old->tsc) : 0;
	double by_tsc = hz > 0 ? cycles / hz : 0;	/* 0 = not known */

	iv->slept = slept;
	iv->suspended = slept && (by_tsc <= 0 || by_tsc < 0.9 * (boot - 1));
	iv->seconds = awake;
	if (slept)
		iv->seconds = iv->suspended ? boot : by_tsc;
	if (!slept && awake > 0 && has_tsc)
		iv->tsc_hz = cycles / awake;
	iv->unread = 0;
	if (R.unread)
		iv->unread = __builtin_inf();
	else if (slept)
		iv->unread = boot - awake + (awake < tick ? awake : tick);
	return iv->seconds - awake;
}

/* Returns the difference of an event's enabled times in seconds; 0: use the clocks. */
static double enabled_seconds(const struct interval *iv, const struct source *s)
{
	u64 old, new;

	if (s->kind != BY_PERF || iv->slept)
		return 0;
	old = s->group->member[s->arg].enabled[iv->old->slot];
	new = s->group->member[s->arg].enabled[iv->new->slot];
	return old && new > old ? (double)(new - old) / 1e9 : 0;
}

/* Returns the seconds after which (a + b) / seconds is the sum of both rates. */
static double joint_seconds(double a, double a_seconds, double b, double b_seconds)
{
	double rate = a / a_seconds + b / b_seconds;

	return a_seconds == b_seconds || !(rate > 0) ? a_seconds : (a + b) / rate;
}

/* Adds the difference or level of a source, and its seconds, to its cell. */
static void compute_source(struct interval *iv, const struct source *s)
{
	const struct counter *c = &T.counter[s->counter];
	int old = iv->old->slot, new = iv->new->slot;
	u64 value = s->value[new], *cell = &iv->value[s->counter][s->unit];
	u8 *valid = &iv->valid[s->counter][s->unit];
	double *own = iv->own_seconds[s->counter], seconds = enabled_seconds(iv, s);
	bool known = s->valid[new];
	u8 is;

	if (c->kind == COUNT && known)
		known = s->valid[old] == s->valid[new] &&
			find_difference(iv, c, seconds > 0 ? seconds : iv->seconds,
					s->value[old], s->value[new], &value);
	if (counts_kilocycles(s->way))
		value *= 1024;
	if (own && s->further) {
		double before = own_seconds(iv, s->counter, s->unit);

		seconds = seconds > 0 ? seconds : iv->span[c->scope][s->unit].seconds;
		seconds = joint_seconds((double)*cell, before, (double)value, seconds);
	}
	if (own)
		own[s->unit] = seconds;
	if (s->further && __builtin_add_overflow(*cell, value, &value) && c->kind == COUNT)
		known = false;
	*cell = value;
	is = known ? VALID : s->valid[new] ? BEGINS : UNKNOWN;
	*valid = s->further && *valid < is ? *valid : is;
}

/*
 * Computes the seconds between the readings of each unit of a scope.  If the unit was read on
 * another CPU before, TSC cycles can be known only if perf counts them on all CPUs all the time,
 * and those of the new CPU cover about the same time.
 */
static void compute_spans(struct interval *iv, enum scope scope, double slept)
{
	const struct way *tsc = T.counter[CT_TSC].chosen;
	const struct stay *old = iv->old->stay, *new = iv->new->stay;

	iv->gone[scope] = false;
	for (int u = 0; u < M.nunits[scope]; u++) {
		struct span *span = &iv->span[scope][u];
		const struct unit *unit = &M.unit[scope][u];
		int lead = unit->afar ? M.row[M.main_cpu] : unit->lead;
		int cpu = lead < 0 ? NONE : M.in[CPU][lead];
		int before = iv->old == iv->new ? cpu : span->cpu - 1;
		i64 begin = before < 0 ? iv->old->t.end.mono : old[before].begin.mono;
		double own;

		*span = (struct span){ .cpu = cpu + 1, .gone = cpu < 0 && before >= 0 };
		iv->gone[scope] |= span->gone;
		if (cpu < 0)
			continue;
		span->seconds = (double)(new[cpu].begin.mono - begin) / 1e9 + slept;
		own = (double)(new[cpu].begin.mono - old[cpu].begin.mono) / 1e9 + slept;
		span->moved = before >= 0 && before != cpu;
		span->tsc_seconds = span->seconds;
		span->known = !span->moved ||
			      (tsc && tsc->kind == BY_PERF &&
			       __builtin_fabs(own - span->seconds) <= 0.001 * own);
	}
}

/* Finds the TSC cycles of each unit of a scope: those of its leader, else of another CPU in it. */
static void find_cycles(struct interval *iv, enum scope scope)
{
	const struct members *cpus = members_of(CPU, scope);

	for (int u = 0; u < M.nunits[scope]; u++) {
		struct span *span = &iv->span[scope][u];
		int cpu = span->cpu - 1, i = cpus->first[u];

		if (!span->known)
			continue;
		while (i < cpus->first[u + 1] && !is_known_in(iv, CT_TSC, cpu))
			cpu = cpus->unit[i++];
		span->known = is_known_in(iv, CT_TSC, cpu);
		span->tsc = span->known ? iv->value[CT_TSC][cpu] : 0;
		/* if the reader has changed, both times are those of the clocks */
		if (!span->moved)
			span->tsc_seconds = own_seconds(iv, CT_TSC, cpu);
	}
}

/* Drops cycles that exceed those of the TSC. */
static void drop_impossible(struct interval *iv, int k)
{
	for (int u = 0; u < M.nunits[T.counter[k].scope]; u++) {
		double most = own_cycles(iv, k, u) * M.tsc_tweak * MOST_PERCENT;

		if (most > 0 && (double)iv->value[k][u] * 100 > most && iv->valid[k][u])
			iv->valid[k][u] = BEGINS;
	}
}

static void compute_interval(struct interval *iv, const struct sample *old,
			     const struct sample *new)
{
	const struct way *c1 = T.counter[CT_C1].chosen, *mperf = T.counter[CT_MPERF].chosen;
	double slept;

	iv->old = old;
	iv->new = new;
	slept = compute_seconds(iv);
	for (int k = 0; k < T.ncounters; k++)
		if (iv->valid[k])
			memset(iv->valid[k], 0, (size_t)M.nunits[T.counter[k].scope]);
	for (enum scope scope = 0; scope < NSCOPES; scope++)
		compute_spans(iv, scope, slept);
	for (u32 i = 0; i < P.nsources; i++)
		compute_source(iv, &P.source[i]);
	for (enum scope scope = 0; scope < NSCOPES; scope++)
		find_cycles(iv, scope);
	for (int k = 0; k < T.ncounters; k++)
		if (T.counter[k].part_of_tsc && iv->valid[k])
			drop_impossible(iv, k);
	for (int row = 0; row < M.n; row++) {
		if (is_e_core(row))
			correct_e_core(iv, row);
		if (c1 && c1->kind == BY_REMAINDER)
			derive_c1(iv, row);
		if (is_accounting(mperf))
			derive_cycles(iv, row);
	}
}

/* Does an unknown part make a sum unknown?  It does for energies and for several PMUs. */
static bool is_whole_sum(const struct counter *c)
{
	return c->several || (c->fold == SUM && c->rapl_unit != PLAIN);
}

/*
 * Reads a counter in one of its own units; other is the counter that divides it, CT_TSC or itself.
 * For estimates ticks replace the TSC and the time, which turns a clock in kHz into MHz.  Returns
 * false if one of the two counters is unknown.
 */
static inline bool unit_reading(const struct interval *iv, int k, int other, int unit,
				struct reading *r)
{
	const struct span *span = &iv->span[T.counter[k].scope][unit];

	*r = (struct reading){ iv->value[k][unit], own_seconds(iv, k, unit),
			       own_cycles(iv, k, unit), 1 };
	if ((k == CT_APERF || k == CT_MPERF) && is_accounting(T.counter[k].chosen)) {
		double ticks = (double)iv->value[CT_TICKS][unit];

		r->tsc = ticks * TICK_PARTS / M.tsc_tweak;
		r->seconds = ticks / 1e3;
	}
	return iv->valid[k][unit] == VALID &&
	       (other == CT_TSC && k != CT_TSC ? span->known : is_known_in(iv, other, unit));
}

/* Returns the mean of n numbers whose sum is high * 2^64 + low, cut towards 0. */
static u64 mean_of(i64 high, u64 low, u64 n)
{
	bool negative = high < 0;
	u64 rest, upper, lower;

	if (!high)
		return low / n;
	if (negative) {
		high = -high - (low != 0);
		low = -low;
	}
	/* long division with digits of 32 bits; the mean has two of them */
	rest = (u64)high << 32 | low >> 32;
	upper = rest / n;
	rest = rest % n << 32 | (u32)low;
	lower = rest / n;
	rest = upper << 32 | lower;
	return negative ? -rest : rest;
}

/* Reads a counter in one of its own units, in the interval or the sum of a view. */
static inline bool cell_reading(const struct view *v, int k, int other, int unit,
				struct reading *r)
{
	const struct sum_unit *u;

	if (!v->sum)
		return unit_reading(v->iv, k, other, unit, r);
	if (unit >= v->sum->units || !v->sum->unit[unit].known)
		return false;
	u = &v->sum->unit[unit];
	*r = (struct reading){ u->value, u->seconds, u->tsc,
			       u->present > 0 ? u->present / v->iv->seconds : 1 };
	return true;
}

struct fold_state {		/* of a counter over units */
	u64 n, value, most;	/* how many; sums, but most */
	i64 high;		/* of the sum of values, above its 64 bits */
	double seconds, tsc, rate, share;	/* share: by the TSC */
	double weight, longest;	/* the sum and the largest of the weights */
	struct reading first;
	bool differ;		/* not all were there all the time, over the same time */
};

static inline void fold_reading(struct fold_state *f, const struct counter *c,
				const struct reading *at, bool has_sign)
{
	if (!f->n)
		f->first = *at;
	f->n++;
	f->differ |= at->seconds != f->first.seconds || at->tsc != f->first.tsc || at->weight != 1;
	if (__builtin_add_overflow(f->value, at->value, &f->value))
		f->high++;
	if (has_sign && (i64)at->value < 0)
		f->high--;
	if (f->n == 1 || is_higher(c, at->value, f->most))
		f->most = at->value;
	f->seconds += at->seconds;
	f->tsc += at->tsc;
	f->rate += at->weight * (double)at->value / at->seconds;
	f->share += at->weight * (double)at->value / at->tsc;
	f->weight += at->weight;
	f->longest = at->weight > f->longest ? at->weight : f->longest;
}

/* Returns a value with the seconds that give the sum of the rates, or their mean. */
static struct reading folded_reading(const struct fold_state *f, const struct counter *c)
{
	double n = (double)f->n, units = c->fold == MEAN ? f->weight : 1;
	bool has_rate = c->fold == SUM || c->fold == MEAN;
	struct reading r = { f->most, f->first.seconds, f->first.tsc, f->longest };

	if (c->fold == MEAN)
		r.value = mean_of(f->high, f->value, f->n);
	else if (c->fold == SUM)
		r.value = f->value;
	/* absent units: the mean of those that were there, for the whole time */
	if (c->fold == MEAN && f->weight < n)
		to_u64((double)r.value * (n / f->weight), &r.value);
	if (!f->differ)
		return r;
	r.seconds = has_rate && f->rate > 0 ? (double)r.value / f->rate * units : f->seconds / n;
	r.tsc = has_rate && f->share > 0 ? (double)r.value / f->share * units : f->tsc / n;
	return r;
}

/* Was a unit that is offline now in the unit of a view? */
static bool was_in(const struct view *v, enum scope scope, int unit)
{
	const struct unit *u = &M.unit[scope][unit];

	return u->lead < 0 && !u->afar && M.units_of[u->cpu][v->scope] == v->unit + 1;
}

/*
 * Folds the known units of a counter within the view's unit; of a sum those that are offline now,
 * too.  If by is another scope than the counter's, it is a mean of means.
 */
static bool fold_counter(const struct view *v, int k, int other, enum scope by, struct reading *r)
{
	const struct counter *c = &T.counter[k];
	const struct members *m = members_of(by, v->scope);
	int first = m->first[v->unit], online = m->first[v->unit + 1] - first;
	int offline = v->sum && M.units[by] < M.nunits[by] ? M.nunits[by] : 0;
	struct fold_state f = { 0 };
	bool whole = is_whole_sum(c) && !v->sum, has_sign = is_signed(c);

	for (int i = 0; i < online + offline; i++) {
		int unit = i < online ? m->unit[first + i] : i - online;
		struct view part = { v->iv, by, M.unit[by][unit].lead, unit, v->sum };
		struct reading at;

		if (i >= online && !was_in(v, by, unit))
			continue;
		if (!(by == c->scope ? cell_reading(v, k, other, unit, &at)
				     : fold_counter(&part, k, other, c->scope, &at))) {
			if (whole && (is_read_afar(c) || !M.unit[by][unit].afar))
				return false;
			continue;
		}
		if (c->fold == SAME && f.n && at.value != f.most)
			return false;
		fold_reading(&f, c, &at, has_sign);
	}
	if (!f.n || (c->fold == SUM && c->kind == COUNT && f.high))
		return false;
	*r = folded_reading(&f, c);
	return true;
}

/* Does a sum of a counter in the view's unit lack a unit that has gone? */
static bool lacks_part(const struct view *v, int k)
{
	enum scope scope = T.counter[k].scope;

	for (int u = 0; u < M.nunits[scope] && v->iv->gone[scope]; u++)
		if (v->iv->span[scope][u].gone &&
		    M.units_of[M.unit[scope][u].cpu][v->scope] == v->unit + 1)
			return true;
	return false;
}

/*
 * Reads a counter for a view.  Folds units that are smaller than the view's if their other counter
 * is known, too; a mean by the units that the column has rows of.
 */
static bool gather_reading(const struct view *v, int k, int other, enum scope by, struct reading *r)
{
	const struct counter *c = &T.counter[k];
	enum scope scope = c->scope;
	bool folds = M.within[scope][v->scope];

	if (v->sum) {
		folds = folds && scope != v->scope;
	} else {
		if (!v->iv->valid[k] || (is_whole_sum(c) && lacks_part(v, k)))
			return false;
		folds = folds && (M.units[scope] != M.units[v->scope] ||
				  (M.nafar && scope == energy_scope()));
	}
	if (folds) {
		if (c->fold != MEAN || !M.within[scope][by] || !M.within[by][v->scope])
			by = scope;
		return fold_counter(v, k, other, by, r);
	}
	return cell_reading(v, k, other == CT_TSC ? other : k, M.in[scope][v->row], r);
}

/* Returns the value of a column that is not about counters. */
static u64 plain_value(const struct column *c, const struct view *v)
{
	const struct sample *s = v->iv->new;
	const struct stay *stay = &s->stay[M.in[CPU][v->row]];
	bool all = v->scope == SYSTEM;
	i64 took;

	switch (c->formula) {
	case V_ID: return (u64)(i64)M.id[c->a][v->row];
	case V_APIC: return M.visited[M.cpu[v->row]].apic;
	case V_X2APIC: return M.visited[M.cpu[v->row]].x2apic;
	case V_USEC:		/* how long reading took */
		took = all ? s->t.end.mono - s->t.begin : stay->end.mono - stay->begin.mono;
		return took > 0 ? (u64)took / 1000 : 0;
	default:		/* the time of day when that was done */
		return (u64)(all ? s->t.end.real : stay->end.real) / 1000;
	}
}

static inline double reading_number(const struct counter *c, u64 value)
{
	return is_signed(c) ? (double)(i64)value : (double)value;
}

/* Multiplies the value of an integer column by its scale.  Returns false if that does not fit. */
static bool scale_integer(const struct counter *c, u64 *v)
{
	u64 whole = whole_scale(c->scale), most = is_signed(c) ? INT64_MAX : UINT64_MAX;
	bool negative = is_signed(c) && (i64)*v < 0;
	u64 positive = negative ? -*v : *v;

	if (!whole)	/* a clock in whole MHz, as the kernel rounds down */
		return to_u64((double)*v * c->scale, v);
	if (positive > most / whole)
		return false;
	*v = negative ? -(positive * whole) : positive * whole;
	return true;
}

/* Applies a column's formula to its operands; returns NaN if the value is impossible. */
static inline double real_value(const struct column *c, const struct view *v,
				const struct readings *r)
{
	const struct formula_row *f = &formula_table[c->formula];
	const struct counter *a = &T.counter[c->a];
	double seconds = a->hz > 0 ? a->hz * r->a.seconds : r->a.seconds;
	struct operands t = {
		.a = reading_number(a, r->a.value) * a->scale,
		.b = (double)r->b.value,
		.c = c->third == NONE ? c->base_hz : (double)r->c.value / r->c.seconds,
		.seconds = seconds > 0 ? seconds : NaN,
		.tsc = r->a.tsc * M.tsc_tweak,
	};
	double value, most = f->most;

	if (c->by_ticks)	/* divide by the busy share of the cycles */
		t.b *= r->a.tsc / r->b.tsc;
	else if (c->b != NONE && r->b.seconds != r->a.seconds && r->b.seconds > 0)
		t.b *= r->a.seconds / r->b.seconds;	/* a ratio of rates */
	value = f->value(&t);
	if (c->formula == V_TOTAL_OF_TSC)
		most *= members_of(CPU, v->scope)->first[v->unit + 1] -
			members_of(CPU, v->scope)->first[v->unit];
	return most > 0 && !(value >= 0 && value <= most) ? NaN : value;
}

static bool is_integer(enum format f)
{
	return f != DECIMALS_2 && f != DECIMALS_0;
}

/* The number in a cell of this format. */
static double number_of(enum format f, union number x)
{
	if (!is_integer(f))
		return x.f;
	return f == UNSIGNED ? (double)x.u : (double)(i64)x.u;
}

/* Reads the operands of a column for a view of a sum. */
static bool read_sum(const struct column *c, const struct view *v, struct readings *r)
{
	const struct sum *sum = &v->iv->sum[c->place];
	struct view of[3] = { *v, *v, *v };

	for (int i = 0; i < 3; i++)
		of[i].sum = &sum->operand[i];
	r->b.value = 0;
	return gather_reading(&of[0], c->a, c->other, c->scope, &r->a) &&
	       (c->b == NONE || gather_reading(&of[1], c->b, c->a, c->scope, &r->b)) &&
	       (c->third == NONE || gather_reading(&of[2], c->third, c->third, c->scope, &r->c));
}

/* Reads the operands of a column for a view of one interval.  Returns false if one is unknown. */
static inline bool read_column(const struct column *c, const struct view *v, struct readings *r)
{
	r->b.value = 0;
	if (c->direct && c->scope == v->scope) {	/* most columns need no fold */
		if (c->b != NONE)
			unit_reading(v->iv, c->b, c->b, v->unit, &r->b);
		return unit_reading(v->iv, c->a, c->other, v->unit, &r->a);
	}
	return gather_reading(v, c->a, c->other, c->scope, &r->a) &&
	       (c->b == NONE || gather_reading(v, c->b, c->a, c->scope, &r->b)) &&
	       (c->third == NONE || gather_reading(v, c->third, c->third, c->scope, &r->c));
}

/* Returns the scope whose units have rows of a column in a sum. */
static enum scope sum_rows(const struct column *c)
{
	return O.per != SYSTEM ? O.per : c->scope;
}

static void break_row(struct sum *s, int unit)
{
	if (unit >= 0 && unit < s->rows)
		s->row[unit] = BROKEN_SUM;
}

/* Adds an amount to the sum of a unit, which is in this unit of the rows, or NONE. */
static void add_amount(struct sum *s, struct sum_unit *to, const struct reading *r, int in,
		       double seconds)
{
	if (to->in && to->in != in + 1) {	/* the rows of both lack a part */
		break_row(s, to->in - 1);
		break_row(s, in);
	}
	to->in = in + 1;
	if (__builtin_add_overflow(to->value, r->value, &to->value)) {
		s->all = BROKEN_SUM;
		break_row(s, in);
	}
	to->seconds += r->seconds;
	to->tsc += r->tsc;
	to->present += seconds;
	to->known = true;
}

/* Adds an operand of a column to its sums; keeps the largest of levels, or the newest. */
static void add_operand(struct sum *s, const struct column *c, int i, const struct interval *iv)
{
	const int ids[3] = { c->a, c->b, c->third }, others[3] = { c->other, c->a, c->third };
	const struct counter *of = &T.counter[ids[i]];
	struct operand_sum *sum = &s->operand[i];
	int other = others[i];

	if (!iv->valid[ids[i]])
		return;
	if (other != CT_TSC && T.counter[other].scope != of->scope)
		other = ids[i];		/* the other one has no cell in these units */
	sum->unit = grow_cells(sum->unit, sum->units, M.nunits[of->scope], sizeof(*sum->unit));
	sum->units = M.nunits[of->scope];
	for (int u = 0; u < sum->units; u++) {
		struct sum_unit *to = &sum->unit[u];
		int lead = M.unit[of->scope][u].lead;
		struct reading r;
		bool known = unit_reading(iv, ids[i], other, u, &r);

		if (of->kind == COUNT && known)
			add_amount(s, to, &r, lead < 0 ? NONE : M.in[sum_rows(c)][lead],
				   iv->seconds);
		else if (of->kind == GAUGE &&
			 (of->fold != MAX ||
			  (known && (!to->known || is_higher(of, r.value, to->value)))))
			*to = (struct sum_unit){ .value = r.value, .known = known };
	}
}

/* Returns what is known of a sum after another interval.  A maximum needs one. */
static enum sum_state next_state(enum sum_state was, const struct column *c, bool known)
{
	const struct counter *a = &T.counter[c->a];

	if (a->kind == COUNT)
		return known && was != BROKEN_SUM ? KNOWN_SUM : BROKEN_SUM;
	return known || (a->fold == MAX && was == KNOWN_SUM) ? KNOWN_SUM : BROKEN_SUM;
}

/* Is a column's summary the sum of its rows, so that a part of the time is a part of the sum? */
static bool is_added_up(const struct column *c)
{
	double (*value)(const struct operands *t) = formula_table[c->formula].value;
	const struct counter *a = &T.counter[c->a];

	return a->kind == COUNT && a->fold == SUM &&
	       (value == amount || value == per_second || value == per_microsecond ||
		value == percent_of_time);
}

/* Was a CPU of the unit that a row leads read at both ends of an interval? */
static bool unit_was_there(const struct interval *iv, enum scope scope, int row)
{
	const struct members *cpus = members_of(CPU, scope);
	int unit = M.in[scope][row];

	for (int i = cpus->first[unit]; i < cpus->first[unit + 1]; i++)
		if (iv->old->stay[cpus->unit[i]].visited && iv->new->stay[cpus->unit[i]].visited)
			return true;
	return false;
}

/*
 * Counts the CPUs of a unit that gave a value in the newest interval: in a column that is shown, of
 * those with the smallest units.  Without such columns, all CPUs.
 */
static int count_giving(enum scope scope, int row)
{
	const struct members *cpus = members_of(CPU, scope);
	enum scope least = SYSTEM;
	int unit = M.in[scope][row], n = 0;

	for (int i = 0; i < P.nshown; i++)
		if (!is_plain(P.shown[i]) && P.shown[i]->scope > least)
			least = P.shown[i]->scope;
	for (int i = cpus->first[unit]; i < cpus->first[unit + 1]; i++) {
		int cpu = M.unit[CPU][cpus->unit[i]].lead;
		struct view v = view_unit(&R.interval, least, lead_of(least, cpu));
		bool gives = least == SYSTEM;
		struct readings r;

		for (int k = 0; k < P.nshown && !gives; k++)
			gives = !is_plain(P.shown[k]) && P.shown[k]->scope == least &&
				read_column(P.shown[k], &v, &r);
		if (gives)
			n++;
	}
	return n;
}

/* Judges the rows of a column in a sum; one that was absent lacks a part of what is added up. */
static void judge_rows(struct sum *s, const struct column *c, const struct interval *iv, bool late)
{
	enum scope scope = sum_rows(c);
	bool adds_up = is_added_up(c);
	int had = s->rows;

	s->rows = M.nunits[scope];
	s->row = grow_cells(s->row, had, s->rows, 1);
	for (int u = 0; u < s->rows; u++) {
		int lead = M.unit[scope][u].lead;
		bool there = lead >= 0 && unit_was_there(iv, scope, lead);
		struct view v = { iv, scope, lead, u, NULL };
		struct readings r;

		if (there && !(adds_up && late && u >= had))
			s->row[u] = (u8)next_state(s->row[u], c, read_column(c, &v, &r));
		else if (adds_up)
			s->row[u] = BROKEN_SUM;
	}
}

/* Adds an interval to a total; when that begins, adds only levels whose maximum it keeps. */
static void add_interval(struct interval *total, const struct interval *iv, bool begins)
{
	struct view all = view_all(iv);
	struct readings r;

	for (int i = 0; i < P.nshown; i++) {
		const struct column *c = P.shown[i];
		struct sum *s = &total->sum[c->place];

		if (is_plain(c) ||
		    (begins && (T.counter[c->a].fold != MAX || T.counter[c->a].kind != GAUGE)))
			continue;
		s->all = next_state(s->all, c, read_column(c, &all, &r));
		if (!O.summary && (O.per != SYSTEM || c->scope != SYSTEM))
			judge_rows(s, c, iv, total->added);
		add_operand(s, c, 0, iv);
		if (c->b != NONE)
			add_operand(s, c, 1, iv);
		if (c->third != NONE)
			add_operand(s, c, 2, iv);
	}
	if (begins)
		return;
	total->added = true;
	total->seconds += iv->seconds;
	total->suspended |= iv->suspended;
	total->old = iv->old;
	total->new = iv->new;
}

/* Is the sum of a column known in a view? */
static bool is_sum_known(const struct sum *s, const struct column *c, const struct view *v)
{
	/* a core's row shows the module's column, whose rows are those of modules */
	bool of_module = c->scope == MODULE && v->scope == CORE && O.per == SYSTEM;
	int unit = of_module ? M.in[MODULE][v->row] : v->unit;

	return v->scope == SYSTEM ? s->all == KNOWN_SUM
				  : unit < s->rows && s->row[unit] == KNOWN_SUM;
}

/* Computes the value of a column for a view.  Returns false if it is unknown. */
static bool column_value(const struct column *c, const struct view *v, union number *out)
{
	const struct interval *iv = v->iv;
	const struct counter *a;
	const struct sum *sum = iv->sum ? &iv->sum[c->place] : NULL;
	struct readings r;

	out->u = 0;
	if (is_plain(c)) {
		out->u = plain_value(c, v);
		return true;
	}
	a = &T.counter[c->a];
	/* Intel's driver counts a suspend modulo 2^32 microseconds (Linux, intel/pmc/core.c) */
	if (iv->suspended && formula_table[c->formula].value != amount &&
	    (!a->chosen->in_suspend ||
	     (c->a == CT_SYS_LPI && has(F(INTEL)) && iv->seconds >= 4294)))
		return false;
	/* the summary of a table has 0, which older programs print there */
	if (c->formula == V_RAW && v->scope == SYSTEM && outputs[O.format].per_cpu)
		return true;
	if (sum ? !is_sum_known(sum, c, v) || !read_sum(c, v, &r) : !read_column(c, v, &r))
		return false;
	if (is_integer(c->format)) {
		out->u = r.a.value;
		return a->scale == 1 || scale_integer(a, &out->u);
	}
	out->f = real_value(c, v, &r);
	return __builtin_isfinite(out->f);
}

/* ======================================================================== *
 * 17. PRINT
 *
 * Prints intervals as text, into a buffer.  Calls BASE, MACHINE, ROWS and MATH.  A format is a
 * struct writer, and prints the cells that find_cell() finds.  Up to RUNS
 * put_u64(), put_real() and put_number() write into memory of sufficient size and return the end;
 * print_*() appends to a buffer (from INTERVALS on it may write it out, too); draw_*() lays out the
 * text of the table for a terminal.
 *
 * On a terminal an interval has parts, from the most to the least asked: the sentence, values of
 * packages and the system, the main block of the CPU table, its other blocks, the names of columns
 * that are 0.  --view fit draws all of them upwards, live downwards while they fit.  -S,
 * regions and --view wide have no parts: their columns stand as they come, in a stack of blocks.
 * ======================================================================== */

enum { CELL_SPACE = 400 };	/* bytes for one cell: printf("%.2f") of the largest double */

static char *put_u64(char *p, u64 v)
{
	u64 most = 10;
	char *end;

	for (end = p + 1; end < p + 20 && v >= most; most *= 10)
		end++;
	for (p = end; v >= 10; v /= 10)
		*--p = (char)('0' + v % 10);
	p[-1] = (char)('0' + v);
	return end;
}

/*
 * Writes v with 0 or 2 decimals, as printf("%.0f") and printf("%.2f") would but faster: exactly,
 * since a long double of x86 holds the 60 bits of 100 v, and ties to even.
 */
static char *put_real(char *p, double v, bool decimals)
{
	long double exact = (long double)v * (decimals ? 100 : 1), rest;
	u64 n;

	if (!(v >= 0 && v < 1e9))
		return p + sprintf(p, decimals ? "%.2f" : "%.0f", v);
	n = (u64)(i64)exact;
	rest = exact - n;
	n += rest > 0.5L || (rest == 0.5L && n & 1);
	if (!decimals)
		return put_u64(p, n);
	p = put_u64(p, n / 100);
	*p++ = '.';
	*p++ = (char)('0' + n / 10 % 10);
	*p++ = (char)('0' + n % 10);
	return p;
}

/* Where a row and a column meet, there may be no cell. */
enum cell { NUMBER, NO_CELL, NOT_KNOWN };

/* Finds the cell of a column in the row of a unit.  The summary has all columns but the ids. */
static inline enum cell find_cell(const struct view *v, const struct column *c, union number *value)
{
	if (v->scope == SYSTEM ? is_id(c->formula)
			       : v->scope != c->rows ||
				 (c->scope == MODULE && v->scope >= MODULE && is_p_core(v->row)))
		return NO_CELL;
	if (c->formula == V_ID && M.id[c->a][v->row] < 0)
		return NO_CELL;		/* the kernel does not know it */
	return column_value(c, v, value) ? NUMBER : NOT_KNOWN;
}

/* Returns the number in the cell of a column, or NaN. */
static double cell_number(const struct view *v, const struct column *c)
{
	union number x;

	return find_cell(v, c, &x) == NUMBER ? number_of(c->format, x) : NaN;
}

/* Writes at most CELL_SPACE bytes. */
static inline char *put_number(char *p, enum format format, union number x)
{
	switch (format) {
	case INTEGER:
		if ((i64)x.u < 0)
			*p++ = '-';
		return put_u64(p, (i64)x.u < 0 ? -x.u : x.u);
	case UNSIGNED: return put_u64(p, x.u);
	case DECIMALS_2:
	case DECIMALS_0: return put_real(p, x.f, format == DECIMALS_2);
	case HEX_8: return p + sprintf(p, "0x%08llx", x.u);
	case HEX_16: return p + sprintf(p, "0x%016llx", x.u);
	case LETTER: *p++ = x.u ? (char)x.u : '-'; break;
	case HEX_ID: return p + sprintf(p, "0x%llx", x.u);
	case TIME_OF_DAY: return p + sprintf(p, "%llu.%06llu", x.u / 1000000, x.u % 1000000);
	}
	return p;
}

/* How much of a measurement a command caused; JSON has all of them, CSV those before NSHARES. */
enum share {
	OTHERS,
	NET_J,
	OWN_J_LOW,
	OWN_J_HIGH,
	NSHARES,
	IDLE_W = NSHARES,
	IDLE_W_ERROR,
	SHARE_KEYS
};
static const char *const share_names[] = { "others", "Net_J", "Own_J_low", "Own_J_high",
					 "idle_w", "idle_w_error" };

struct result {			/* what an interval measures */
	bool total;		/* the whole time */
	bool names;		/* print the line of column names */
	bool once;		/* a module's values stand once, in the row of its first CPU */
	u64 n;			/* number of the interval, from 1 */
	char **command;		/* words of a command or of --pid's process; NULL = of none */
	bool of_run;		/* one of several runs: its number is in run */
	const char *name;	/* a label; NULL = none */
	const struct code_region *region;	/* NULL = not a region */
	bool work;		/* a region has work: add columns for it */
	struct command_run run;	/* of the command; number 0 = only its status is known */
	double share[SHARE_KEYS];	/* of the command; NaN = not known */
	double idle_seconds;	/* the time whose idle energy Net_J lacks */
};

struct runs;

struct inquiry;

struct writer {			/* a format; each function appends to the buffer */
	/* once, after the first sample */
	void (*begin)(struct buf *b, const struct interval *iv);
	void (*interval)(struct buf *b, const struct interval *iv, const struct result *r);
	/* of several runs or intervals; NULL: no --stats, --repeat and --compare in this format */
	void (*statistics)(struct buf *b, const struct runs *r);
	/* adds to a printed region what is known at the end, from its mean call; NULL = nothing */
	void (*complete)(struct buf *b, double seconds);
	/* of --explain TOPIC; NULL: no answers in this format */
	void (*answer)(struct buf *b, struct inquiry *a, const struct result *r);
};

/* --- the table --- */

/* Appends the cell of a column and a TAB.  Is there a cell? */
static inline bool print_cell(struct buf *b, const struct view *v, const struct column *c)
{
	union number x;
	enum cell cell = find_cell(v, c, &x);
	char *p;

	buf_reserve(b, CELL_SPACE);
	p = b->p + b->len;
	p = cell == NUMBER ? put_number(p, c->format, x) : stpcpy(p, cell == NO_CELL ? "-" : "nan");
	*p++ = '\t';
	b->len = (size_t)(p - b->p);
	return cell != NO_CELL;
}

/* Returns the energy of a column per unit of work as text, or a word if that is unknown. */
static const char *per_work(const struct view *v, const struct column *c, double work,
			    const char *unknown)
{
	double value = cell_number(v, c) / work;	/* infinite or NaN without work */

	return __builtin_isfinite(value) ? pathf("%.6g", value) : unknown;
}

/* Is a shown column printed in the table?  With --per, other ids take the place of those shown. */
static bool is_printed(const struct column *c)
{
	return O.per == SYSTEM || !is_id(c->formula);
}

/* Appends the line of names: the order is that of print_row(). */
static void print_names(struct buf *b, const struct result *r)
{
	size_t begin = b->len;

	if (r->region)
		buf_puts(b, "Region\t");
	for (int i = 0; i < P.nids; i++)
		buf_printf(b, "%s\t", P.id[i]->name);
	if (P.nids)
		buf_puts(b, "CPUs\t");
	if (r->region)
		buf_puts(b, r->work ? "Calls\tSeconds\tWork\t" : "Calls\tSeconds\t");
	for (int i = 0; i < P.nshown && r->region && r->work; i++)
		if (P.shown[i]->flags & JOULES)
			buf_printf(b, "%s/work\t", P.shown[i]->name);
	for (int i = 0; i < P.nshown; i++)
		if (is_printed(P.shown[i]))
			buf_printf(b, "%s\t", P.shown[i]->name);
	if (b->len > begin)
		b->len--;		/* the last TAB */
	buf_end_line(b, begin);
}

/* Appends what only a region has: calls, seconds, its work and the energy per unit of it. */
static void print_region_cells(struct buf *b, const struct view *v, const struct result *r)
{
	const struct code_region *g = r->region;

	buf_printf(b, "%llu\t%.6f\t", g->calls, g->total.seconds);
	if (!r->work)
		return;
	buf_printf(b, "%.15g\t", g->has_work ? g->work : NaN);
	for (int i = 0; i < P.nshown; i++) {
		const struct column *c = P.shown[i];
		bool has = v->scope == SYSTEM || v->scope == c->rows;

		if (c->flags & JOULES)
			buf_printf(b, "%s\t", per_work(v, c, g->work, has ? "nan" : "-"));
	}
}

/* Marks the module of a row as printed.  False: it was printed before. */
static bool mark_module(int row)
{
	u16 *printed = &P.printed_units[lead_of(MODULE, row)];
	bool begins = !(*printed >> MODULE & 1);

	*printed |= 1 << MODULE;
	return begins;
}

/*
 * Appends the row of a unit or the summary.  The first CPU of a unit also has the unit's cells; as
 * the columns of larger units come last, other rows end before them.
 */
static void print_row(struct buf *b, const struct view *v, int cpus, const struct result *r)
{
	size_t begin = b->len, end;
	struct view of = *v;

	if (r->region)
		buf_printf(b, "%s\t", r->region->name);
	for (int i = 0; i < P.nids; i++)
		print_cell(b, v, P.id[i]);
	if (P.nids)
		buf_printf(b, "%d\t", cpus);
	if (r->region)
		print_region_cells(b, v, r);
	end = b->len;
	for (int i = 0; i < P.nshown; i++) {
		const struct column *c = P.shown[i];
		bool of_task = is_of_task(c);

		if (!is_printed(c))
			continue;
		if (O.per == SYSTEM && of.scope != SYSTEM && of.scope != c->rows && !of_task) {
			int leader = lead_of(c->rows, v->row);

			if (c->rows == SYSTEM || P.printed_units[leader] & 1 << c->rows)
				break;
			P.printed_units[leader] |= (u16)(1 << c->rows);
			of = view_unit(v->iv, c->rows, leader);
		}
		if (r->once && c->scope == MODULE && of.scope == CORE && !mark_module(v->row)) {
			buf_puts(b, "\t");
			continue;
		}
		if (print_cell(b, &of, c) || (O.per == SYSTEM && !of_task) || of.scope == SYSTEM)
			end = b->len;
	}
	b->len = end - (end > begin);		/* without the last TAB */
	buf_end_line(b, begin);
}

/* Appends rows of CPUs in this order, n of them; NULL = all as in the table. */
static void print_cpus(struct buf *b, const struct interval *iv, const struct result *r,
		       const int *order, int n)
{
	memset(P.printed_units, 0, (size_t)M.n * sizeof(*P.printed_units));
	for (int i = 0; i < n; i++) {
		int row = order ? order[i] : i;
		struct view v = view_unit(iv, CPU, row);

		if (P.printed[row] && unit_was_there(iv, CPU, row))
			print_row(b, &v, 1, r);
	}
}

/* Appends the length of a command, the names, the summary, the rows. */
static void print_table(struct buf *b, const struct interval *iv, const struct result *r)
{
	struct view v = view_all(iv);

	if (r->command || r->total)
		buf_printf(b, "%s%.6f sec\n", r->total ? "total " : "", iv->seconds);
	if (r->names)
		print_names(b, r);
	print_row(b, &v, O.per != SYSTEM ? count_giving(SYSTEM, v.row) : M.n, r);
	for (const struct unit_row *u = P.unit; u < PAST(P.unit, P.nunits); u++) {
		v = view_unit(iv, u->scope, u->row);
		if (unit_was_there(iv, u->scope, u->row))
			print_row(b, &v, count_giving(u->scope, u->row), r);
	}
	if (O.summary || O.per != SYSTEM || r->region)
		return;
	print_cpus(b, iv, r, NULL, M.n);
}

/* Appends the names, the summary and the rows of some CPUs in this order. */
static void print_chosen(struct buf *b, const struct interval *iv, const int *order, int n)
{
	const struct result once = { .once = true };
	struct view all = view_all(iv);

	print_names(b, &once);
	print_row(b, &all, M.n, &once);
	print_cpus(b, iv, &once, order, n);
}

/* --- the answer: an interval in one sentence, on a terminal --- */

enum { MOST_PIECES = 7 };	/* the time, energy, power, temperature, throttling, load, CPUs */

struct sentence {
	struct piece {
		struct buf text;
		size_t brief;	/* its length without the values of each package */
		bool alarm;	/* hot, or throttled */
	} piece[MOST_PIECES];
	int n;			/* 0 = there is no sentence */
	double throttles;	/* degrees C, the lowest of all packages; NaN = not known */
	double *load;		/* [row] Busy% of CPUs, or one of the words below */
	int cpus;		/* that the table has; 0 with --per */
};
enum { NOT_THERE = -2, UNKNOWN_LOAD = -1 };	/* not in the table; nan */
enum { NEARLY_HOT = 5 };	/* degrees C below throttling */

/* Begins a piece of the sentence. */
static struct buf *next_piece(struct sentence *a)
{
	struct piece *p = &a->piece[a->n++];

	buf_clear(&p->text);
	p->brief = 0;
	p->alarm = false;
	return &p->text;
}

/* Returns the shown column of this name, not one of --add; NULL = there is none. */
static const struct column *shown_column(const char *name)
{
	for (int i = 0; i < P.nshown; i++)
		if (!(P.shown[i]->flags & ADDED) && !strcmp(P.shown[i]->name, name))
			return P.shown[i];
	return NULL;
}

/* Returns the summary's value of a shown column; NaN = it has none. */
static double summary_of(const struct interval *iv, const char *name)
{
	const struct column *c = shown_column(name);
	struct view all = view_all(iv);

	return c ? cell_number(&all, c) : NaN;
}

/* Adds Watts or Joules of all packages, and of each if there are 2 to 4. */
static void say_energy(struct sentence *a, const struct interval *iv, const struct column *c,
		       const char *unit)
{
	struct view v = view_all(iv);
	double all = cell_number(&v, c);
	struct piece *p = &a->piece[a->n];
	int packages = 0;
	struct buf *b;

	if (all != all)
		return;
	b = next_piece(a);
	buf_printf(b, "%.1f %s", all, unit);
	p->brief = b->len;
	for (int row = 0; row < M.n; row++) {
		double watts;

		if (!leads_unit(PACKAGE, row))
			continue;
		v = view_unit(iv, PACKAGE, row);
		watts = cell_number(&v, c);
		packages += watts == watts;
		buf_printf(b, "%s%.1f", b->len > p->brief ? " + " : " (", watts);
	}
	buf_puts(b, ")");
	if (packages < 2 || packages > 4 || packages != M.units[PACKAGE])
		b->p[b->len = p->brief] = '\0';
}

/* Adds the energy of a command and of a total, and the power. */
static void say_power(struct sentence *a, const struct interval *iv, bool whole)
{
	const struct column *c = shown_column("PkgWatt");
	struct column joules;

	if (!c)
		c = shown_column("Pkg_J");
	if (!c)
		return;
	joules = *c;
	joules.formula = V_AMOUNT;
	if (whole || c->flags & JOULES)
		say_energy(a, iv, &joules, "J");
	if (!(c->flags & JOULES))
		say_energy(a, iv, c, "W");
}

/* Is a temperature near the one at which the processor throttles?  Not if that is not known. */
static bool is_nearly_hot(const struct sentence *a, double celsius)
{
	return celsius >= a->throttles - NEARLY_HOT;
}

/* Adds temperature and throttling. */
static void say_heat(struct sentence *a, const struct interval *iv)
{
	double celsius = summary_of(iv, "PkgTmp"), times = summary_of(iv, "CoreThr");

	if (celsius != celsius)
		celsius = summary_of(iv, "CoreTmp");
	if (celsius == celsius) {
		struct buf *b = next_piece(a);

		buf_printf(b, "%.0f", celsius);
		if (a->throttles == a->throttles)
			buf_printf(b, " of %.0f", a->throttles);
		buf_puts(b, " C");
		a->piece[a->n - 1].alarm = is_nearly_hot(a, celsius);
	}
	if (times > 0) {
		buf_puts(next_piece(a), times == 1 ? "throttled once"
						   : pathf("throttled %.0f times", times));
		a->piece[a->n - 1].alarm = true;
	}
}

/* Finds Busy% of the CPUs in the table. */
static void find_loads(struct sentence *a, const struct interval *iv)
{
	const struct column *busy = shown_column("Busy%");

	a->load = resize(a->load, (size_t)M.n, sizeof(*a->load));
	a->cpus = 0;
	for (int row = 0; row < M.n; row++) {
		struct view v = view_unit(iv, CPU, row);
		double load = NaN;

		a->load[row] = NOT_THERE;
		if (O.per != SYSTEM || !P.printed[row] || !unit_was_there(iv, CPU, row))
			continue;
		if (busy)
			load = cell_number(&v, busy);
		a->load[row] = load >= 0 ? load : UNKNOWN_LOAD;
		a->cpus++;
	}
}

/* Adds which CPUs are busy, if the table has several. */
static void say_cpus(struct sentence *a)
{
	enum { BUSY = 50 };	/* percent */
	struct cpuset busy = { .w = { 0 } };
	int busiest = NONE, n;

	for (int row = 0; row < M.n; row++) {
		if (a->load[row] > BUSY)
			set_add(&busy, M.cpu[row]);
		if (a->load[row] >= 0 && (busiest == NONE || a->load[row] > a->load[busiest]))
			busiest = row;
	}
	if (busiest == NONE || a->cpus < 2)
		return;
	n = set_count(&busy);
	if (n < 2)
		buf_printf(next_piece(a), "busiest CPU %d (%.1f %%)", M.cpu[busiest],
			   a->load[busiest]);
	else if (n < a->cpus)
		buf_printf(next_piece(a), "%d of %d CPUs above %d %%: %s", n, a->cpus, BUSY,
			   set_text(&busy));
	else
		buf_printf(next_piece(a), "every CPU above %d %%", BUSY);
}

/* Makes the sentence about an interval; of a command and of a total with seconds and energy. */
static void find_sentence(struct sentence *a, const struct interval *iv, bool whole)
{
	time_t end = (time_t)(iv->new->t.end.real / NS_PER_S);
	double busy = summary_of(iv, "Busy%"), mhz = summary_of(iv, "Bzy_MHz");
	struct tm at = { 0 };

	a->n = 0;
	localtime_r(&end, &at);
	if (whole)
		buf_printf(next_piece(a), "%.3f s", iv->seconds);
	else
		buf_printf(next_piece(a), "%02d:%02d:%02d", at.tm_hour, at.tm_min, at.tm_sec);
	say_power(a, iv, whole);
	say_heat(a, iv);
	if (busy == busy) {
		struct buf *b = next_piece(a);

		buf_printf(b, "%.1f %% busy", busy);
		if (mhz == mhz)
			buf_printf(b, " at %.0f MHz", mhz);
	}
	find_loads(a, iv);
	say_cpus(a);
}

/* --- the table on a terminal --- */

/* Where a field is drawn: first in each block, with packages, as a pair, with CPUs, named. */
enum area { P_ID, P_PACKAGES, P_GRID, P_UNITS, P_ZEROS };
enum { MOST_IDS = 16 };		/* most columns that are not of T: of --per and regions */
enum style { NORMAL, BOLD, REVERSE };
enum { LEAST_BAR = 8, MOST_BAR = 32, BAR_GAP = 2 };	/* characters */

struct screen {
	enum look look;		/* s->look, or the one that suits the terminal */
	int lines, columns;	/* of the window */
	int width;		/* of a line at most */
	bool bold;		/* the terminal has bold characters */
	bool due;		/* the names are drawn with the next table */
	int named;		/* the end of the block whose names were drawn last; -1 = none */
	int since;		/* lines since these names */
	int drawn;		/* lines in all */
	int room;		/* characters left in the line that is being drawn */
	bool in_bold;		/* that line is bold */
	bool has_keys;		/* the window's last line has the keys */
	struct sentence sentence;	/* of the interval that is being drawn */
	struct buf zeros;	/* the names that were drawn last as 0 in every row */
	/* the newest table: row 0 has the names, row 1 the summary; "" = no cell */
	const char **cell;	/* [row * nfields + field] */
	int rows, nfields;
	bool stacks;	/* its columns are stacked as they come: of -S, a region, --view wide */
	struct field {
		const struct column *column;	/* NULL = of --per or a region */
		enum area area;
		int place;		/* of its column within the area, from 0 */
		const char **cell;	/* [row * nfields] */
		int widest;	/* width of the widest cell so far */
		int width;	/* of the name and the widest cell */
		bool drawn;	/* some cell was not 0, or --show names it */
	} *field;		/* of the columns of T, then of --per and regions */
	struct field **order;	/* those of the newest table */
	struct field **list;	/* those of the area being drawn */
	int listed, ids;	/* how many, and how many of them begin each block */
	int indent;		/* width of the ids and the blanks behind them */
};

/* Is the cell 0 or empty? */
static bool is_zero(const char *cell)
{
	return !cell[strspn(cell, "0.x-")];
}

/* Returns where to draw a field, by its column's scope; with --per, if any unit has a value. */
static enum area area_of(const struct screen *s, const struct field *f)
{
	static const char *const of_regions[] = { "Calls", "Seconds", "Work" };
	const char *name = *f->cell;
	const struct column *c = f->column;

	if (s->look == WIDE)
		return P_UNITS;
	if (c ? c->formula == V_ID
	      : find_word(name, of_regions, ARRAY_SIZE(of_regions)) < 0 && !strchr(name, '/'))
		return P_ID;
	if (!c || s->stacks)
		return P_UNITS;
	for (int row = 2; row < s->rows && O.per != SYSTEM; row++)
		if (!strchr("-", *f->cell[row * s->nfields]))
			return P_UNITS;
	if (O.per != SYSTEM || c->scope == SYSTEM ||
	    (!is_plain(c) && T.counter[c->a].scope == SYSTEM))
		return P_GRID;
	return c->scope != PACKAGE ? P_UNITS : M.units[PACKAGE] > 1 ? P_PACKAGES : P_GRID;
}

/* Groups of columns of the CPU table, in their order. */
enum cpu_group { LOADS, HEATS, INTERRUPTS, HARDWARE_IDLE, KERNEL_IDLE, OTHERS_LAST };

static enum cpu_group place_of_unit(const struct column *c)
{
	bool counts = !is_plain(c);

	if (c->generated >= ADDED_COUNT)
		return LOADS;
	if (c->generated >= IDLE_ABOVE && c->generated <= S2IDLE_TIME)
		return KERNEL_IDLE;
	if (counts && (c->a == CT_STEAL_TICKS || c->a == CT_INSTRUCTIONS))
		return LOADS;
	if (counts && c->scope == CPU && c->a >= CT_SMI && c->a <= CT_NMI && c->b == NONE)
		return INTERRUPTS;
	if (c->groups & G_POWER || (counts && c->a == CT_CORE_THROTTLE))
		return HEATS;
	if (c->groups & G_FREQUENCY)
		return LOADS;
	return c->groups & G_HWIDLE || c->generated == IDLE_C1E ? HARDWARE_IDLE : OTHERS_LAST;
}

/* Is it the time in a package state: Pkg%pc2 to Pk%pc10? */
static bool is_package_state(const struct column *c)
{
	_Static_assert(CT_PC10 == CT_PC2 + 6, "the order of package states: by depth");

	return !is_plain(c) && c->a >= CT_PC2 && c->a <= CT_PC10;
}

/* Returns the place of a column among the values of packages and of the system. */
static int place_of_value(const struct column *c)
{
	static const char *const first[] = {
		"PkgWatt", "Pkg_J",   "PkgTmp",  "CorWatt", "Cor_J",   "GFXWatt", "GFX_J",
		"RAMWatt", "RAM_J",   "SysWatt", "Sys_J",   "BatWatt", "",        "UncMHz",
		"GFXMHz",  "GFXAMHz", "GFX%rc6", "Die%c6",  "CPU%LPI", "SYS%LPI", "Totl%C0",
		"Any%C0",  "GFX%C0",  "CPUGFX%", "PKG_%",   "RAM_%",
	};
	enum { ADDED_ONES = 12, UNCORE, GRAPHICS_C6 = 16, STATES, SYSTEM_LPI = 19 };
	int place;

	if (c->generated >= ADDED_COUNT)
		return ADDED_ONES;
	if (c->generated == CLUSTER)
		return UNCORE;
	if (c->generated == SUBSTATE)
		return SYSTEM_LPI;
	if (is_package_state(c))
		return STATES;
	place = find_word(c->name, first, ARRAY_SIZE(first));
	return place < 0 ? (int)ARRAY_SIZE(first) : place;
}

/* Is a column drawn even if it is 0: the deepest state of packages, or that of the system? */
static bool is_news(const struct column *c)
{
	if (is_plain(c) || c->flags & ADDED)
		return false;
	if (!is_package_state(c))
		return c->a == CT_SYS_LPI;
	for (int i = 0; i < P.nshown; i++)
		if (is_package_state(P.shown[i]) && P.shown[i]->a > c->a)
			return false;
	return true;
}

/* Splits a table into cells, up to an empty line; returns where that is. */
static char *cut_table(struct screen *s, char *text)
{
	size_t cells = 0;

	for (s->rows = 0; *text && *text != '\n'; s->rows++) {
		char *line = strsep(&text, "\n");

		while (line)
			*append(s->cell, cells) = strsep(&line, "\t");
		if (!s->rows)
			s->nfields = (int)cells;
		while (cells < (size_t)((s->rows + 1) * s->nfields))
			*append(s->cell, cells) = "";
	}
	return text;
}

/* How many of a table's fields come before its columns: those of --per and of a region. */
static int count_leading(int fields)
{
	for (int i = 0; i < P.nshown; i++)
		fields -= is_printed(P.shown[i]);
	return fields;
}

/*
 * Finds a shown column by its name, behind that of the last call: names may occur twice.  leads:
 * of a field that comes before the columns, which may be an id.
 */
static const struct column *next_shown(const char *name, bool leads, int *next)
{
	for (int i = *next; i < *next + P.nshown; i++) {
		const struct column *c = P.shown[i % P.nshown];

		if (!strcmp(name, c->name) && (!leads || is_id(c->formula))) {
			*next = i % P.nshown + 1;
			return c;
		}
	}
	return NULL;
}

/* Finds where a field is drawn, and among which others. */
static void find_place(struct screen *s, struct field *f)
{
	const struct column *c = f->column;

	f->area = area_of(s, f);
	f->drawn |= !c || f->area == P_ID || s->look == WIDE || (!s->stacks && is_news(c));
	f->place = 0;
	if (!s->stacks && c && f->area == P_UNITS)
		f->place = place_of_unit(c);
	else if (!s->stacks && c)
		f->place = place_of_value(c);
}

/* Splits a table, and finds the column, area and width of each field.  Returns its end. */
static char *read_table(struct screen *s, char *text)
{
	int next = 0;	/* of P.shown: the same order, but with --per ids come first */
	int leading;

	text = cut_table(s, text);
	leading = count_leading(s->nfields);
	s->stacks = s->look == WIDE || O.summary || !strcmp(*s->cell, "Region");
	s->order = resize(s->order, (size_t)s->nfields, sizeof(*s->order));
	for (int place = 0; place < s->nfields; place++) {
		int least = (int)strlen(s->cell[place]);
		const struct column *c = next_shown(s->cell[place], place < leading, &next);
		struct field *f = &s->field[c ? c - T.column : T.ncolumns + place];

		f->column = c;
		s->order[place] = f;
		f->cell = s->cell + place;
		find_place(s, f);
		for (int row = 1; row < s->rows; row++) {
			int n = (int)strlen(f->cell[row * s->nfields]);

			f->widest = n > f->widest ? n : f->widest;
			f->drawn |= !is_zero(f->cell[row * s->nfields]);
		}
		if (!f->drawn)
			f->area = P_ZEROS;
		least = s->look == WIDE && least < 7 ? 7 : least;
		f->width = f->widest > least ? f->widest : least;
	}
	return text;
}

/* Moves the newest field of the list before those whose place is behind its own. */
static void sort_field(struct screen *s)
{
	struct field *f = s->list[s->listed - 1];
	int at = s->listed - 1;

	for (; at > s->ids && s->list[at - 1]->place > f->place; at--)
		s->list[at] = s->list[at - 1];
	s->list[at] = f;
}

/* Lists the ids of a area's rows, then its columns.  Drops ids if a column does not fit. */
static void list_fields(struct screen *s, enum area area)
{
	int widest = 0;

	s->listed = s->indent = 0;
	for (struct field **f = s->order; f < PAST(s->order, s->nfields); f++)
		if ((*f)->area == P_ID && (area == P_UNITS || (area == P_PACKAGES && (*f)->column &&
							       (*f)->column->a == ID_PACKAGE))) {
			*append(s->list, s->listed) = *f;
			s->indent += (*f)->width + 1;
		}
	s->ids = s->listed;
	for (struct field **f = s->order; f < PAST(s->order, s->nfields); f++)
		if ((*f)->area == area) {
			*append(s->list, s->listed) = *f;
			if (area != P_ZEROS)
				sort_field(s);
			widest = (*f)->width > widest ? (*f)->width : widest;
		}
	for (; s->ids && widest && s->indent + widest > s->width; s->ids--) {
		s->indent -= (*s->list)->width + 1;
		memmove(s->list, s->list + 1, (size_t)--s->listed * sizeof(*s->list));
	}
}

/* Returns how many blocks the columns from here on need.  The second begins at *next, or NULL. */
static int count_blocks(const struct screen *s, int first, int *next)
{
	int blocks = 0, left = 0;

	for (int i = first; i < s->listed; i++) {
		left -= 1 + s->list[i]->width;
		if (i > first && left >= 0)
			continue;
		if (++blocks == 2 && next)
			*next = i;
		left = s->width - s->indent - s->list[i]->width;
	}
	return blocks;
}

/* The groups of a stack: load and clocks; the kernel's idle states; the hardware's. */
static int group_of(const struct column *c)
{
	if (!c)
		return 0;
	if (c->generated >= IDLE_ABOVE && c->generated <= IDLE_TIME)
		return 1;
	return c->scope != CPU || (c->groups & (G_HWIDLE | G_FREQUENCY)) == G_HWIDLE ? 2 : 0;
}

/* Does a group begin at a field of the list? */
static bool begins_group(const struct screen *s, int at)
{
	const struct field *f = s->list[at], *before = s->list[at - 1];

	if (!s->stacks)
		return f->area == P_UNITS && f->place != before->place;
	return group_of(f->column) != group_of(before->column);
}

/* Returns where a block ends: between groups, unless that takes one more block. */
static int end_block(const struct screen *s, int first)
{
	int end = s->listed, blocks = count_blocks(s, first, &end);

	for (int at = end; at > first && blocks > 1; at--)
		if (begins_group(s, at) && count_blocks(s, at, NULL) < blocks)
			return at;
	return end;
}

/* Appends blanks and n bytes of a text to the line; cuts what does not fit. */
static void put_bytes(struct screen *s, struct buf *b, int blanks, const char *text, int n,
		      enum style style)
{
	static const char *const on[] = { "", "\033[1m", "\033[7m" };

	blanks = blanks < s->room ? blanks : s->room;
	n = n < s->room - blanks ? n : s->room - blanks;
	s->room -= blanks + n;
	if (style != REVERSE && s->in_bold)
		style = NORMAL;
	if (!s->bold || style == NORMAL)
		buf_printf(b, "%*s%.*s", blanks, "", n, text);
	else
		buf_printf(b, "%*s%s%.*s\033[0m%s", blanks, "", on[style], n, text,
			   s->in_bold ? on[BOLD] : "");
}

/* Appends blanks and a text, up to its first newline. */
static void put_text(struct screen *s, struct buf *b, int blanks, const char *text,
		     enum style style)
{
	put_bytes(s, b, blanks, text, (int)strcspn(text, "\n"), style);
}

/* Begins or ends what is bold in a line. */
static void put_bold(struct screen *s, struct buf *b, bool on)
{
	if (s->bold && s->in_bold != on)
		buf_puts(b, on ? "\033[1m" : "\033[0m");
	s->in_bold = on;
}

/* Ends the line, which may take several of the window. */
static void end_line(struct screen *s, struct buf *b)
{
	buf_puts(b, s->look == LIVE && s->room ? "\033[K\n" : "\n");
	s->since += (s->width - s->room + s->columns - 1) / s->columns ?: 1;
	s->drawn++;
	s->room = s->width;
}

/* How a cell of a stack stands out: unknown, hot, or of a throttled core. */
static enum style style_in_stack(const struct column *c, const char *cell)
{
	bool hot;

	if (!strcmp(cell, "nan"))
		return BOLD;
	if (!c || is_plain(c))
		return NORMAL;
	hot = (c->a == CT_CORE_TEMP || c->a == CT_PKG_TEMP) &&
	      atoi(cell) >= M.tjmax[lead_of(PACKAGE, M.row[M.main_cpu])] - NEARLY_HOT;
	return hot || (c->a == CT_CORE_THROTTLE && !is_zero(cell)) ? BOLD : NORMAL;
}

/* How a cell stands out: unknown, nearly always busy, hot, or of a throttled core. */
static enum style style_of(const struct screen *s, const struct column *c, const char *cell)
{
	enum { VERY_BUSY = 90 };

	if (s->stacks)
		return style_in_stack(c, cell);
	if (!strcmp(cell, "nan"))
		return BOLD;
	if (!c || is_plain(c) || c->flags & ADDED)
		return NORMAL;
	if (c->a == CT_CORE_TEMP || c->a == CT_PKG_TEMP)
		return is_nearly_hot(&s->sentence, atof(cell)) ? REVERSE : NORMAL;
	if (c->a == CT_CORE_THROTTLE)
		return is_zero(cell) ? NORMAL : REVERSE;
	return c->a == CT_MPERF && atof(cell) >= VERY_BUSY ? BOLD : NORMAL;
}

/* Draws a bar of a row's Busy% behind the block; most: its length for 100 %. */
static void draw_bar(struct screen *s, struct buf *b, int row, int blanks, int most)
{
	static const char full[] = "################################";
	_Static_assert(sizeof(full) == MOST_BAR + 1, "a bar of 100 %");

	for (int i = s->ids; i < s->listed; i++) {
		const struct column *c = s->list[i]->column;
		double busy = atof(s->list[i]->cell[row * s->nfields]);

		if (!c || is_plain(c) || c->flags & ADDED || c->a != CT_MPERF)
			continue;
		busy = busy < 100 ? busy : 100;
		if (busy * most >= 100)	/* not of nan */
			put_bytes(s, b, blanks, full, (int)(busy * most / 100), NORMAL);
	}
}

/* Draws a row of the block from first to end, and a bar.  Row 0 is the names. */
static void draw_row(struct screen *s, struct buf *b, int row, int first, int end, int bar)
{
	int blanks = 0;

	if (!row)
		s->since = 0;
	put_bold(s, b, !row || (row == 1 && !s->stacks));
	for (int i = s->ids ? 0 : first; i < end; i = i + 1 == s->ids ? first : i + 1) {
		const struct field *f = s->list[i];
		const char *cell = f->cell[row * s->nfields];

		blanks += f->width - (int)strlen(cell);
		if (*cell) {
			put_text(s, b, blanks, cell, row ? style_of(s, f->column, cell) : NORMAL);
			blanks = 0;
		}
		blanks += s->look == WIDE ? 2 : 1;
	}
	if (row > 1 && bar)
		draw_bar(s, b, row, blanks - 1 + BAR_GAP, bar);
	put_bold(s, b, false);
	end_line(s, b);
}

/* Has a row cells in the block from first to end? */
static bool has_cells(const struct screen *s, int row, int first, int end)
{
	int i = first;

	while (i < end && !*s->list[i]->cell[row * s->nfields])
		i++;
	return i < end || first == end;
}

/* Draws the rows that have cells in a block; its names if they are due or have scrolled off. */
static void draw_block(struct screen *s, struct buf *b, int first, int end)
{
	bool repeats = (s->look == WIDE || !s->due) && !O.header_every;
	bool same = !s->due && s->named == end;

	s->named = end;
	for (int row = same; row < s->rows; row++) {
		if (!has_cells(s, row, first, end))
			continue;
		if (row && repeats && s->since >= s->lines - 1)
			draw_row(s, b, 0, first, end, 0);
		draw_row(s, b, row, first, end, 0);
	}
}

/* Draws a block: a line of names, and its rows with bars; at most `most` lines. */
static void draw_lines(struct screen *s, struct buf *b, int first, int end, int most, int bar)
{
	for (int row = 0; row < s->rows && most > 0; row++)
		if (has_cells(s, row, first, end)) {
			draw_row(s, b, row, first, end, bar);
			most--;
		}
}

/* Returns the lines of a block with its names. */
static int count_lines(const struct screen *s, int first, int end)
{
	int n = 0;

	for (int row = 0; row < s->rows; row++)
		n += has_cells(s, row, first, end);
	return n;
}

enum { GRID_GAP = 3 };		/* blanks between pairs */

struct grid {
	int name, value;	/* widths */
	int across, lines;
};

/* Lays out the first n pairs of the list. */
static struct grid lay_grid(const struct screen *s, int n)
{
	struct grid g = { 0 };

	for (int i = 0; i < n; i++) {
		int name = (int)strlen(*s->list[i]->cell);

		g.name = name > g.name ? name : g.name;
		g.value = s->list[i]->widest > g.value ? s->list[i]->widest : g.value;
	}
	g.across = (s->columns + GRID_GAP) / (g.name + 1 + g.value + GRID_GAP) ?: 1;
	g.lines = (n + g.across - 1) / g.across;
	return g;
}

/* Draws values as pairs of name and value, filled column by column; what fits into most lines. */
static void draw_grid(struct screen *s, struct buf *b, int most)
{
	int n = s->listed;
	struct grid g = lay_grid(s, n);

	while (n && g.lines > most)
		g = lay_grid(s, --n);
	for (int line = 0; line < g.lines; line++) {
		for (int i = line; i < n; i += g.lines) {
			const struct field *f = s->list[i];
			const char *title = *f->cell;
			/* raw values are in the package's row, not in the summary */
			bool raw = f->column->formula == V_RAW && s->rows > 2;
			const char *cell = f->cell[(raw ? 2 : 1) * s->nfields];
			int blanks = g.name - (int)strlen(title) + 1 + g.value - (int)strlen(cell);

			put_text(s, b, i < g.lines ? 0 : GRID_GAP, title, BOLD);
			put_text(s, b, blanks, cell, style_of(s, f->column, cell));
		}
		end_line(s, b);
	}
}

/* Draws the values of packages and the system, at most `most` lines; live, one block of a table. */
static void draw_values(struct screen *s, struct buf *b, int most)
{
	int before = s->drawn, i;

	list_fields(s, P_PACKAGES);
	for (i = s->ids; i < s->listed; i = s->look == LIVE ? s->listed : end_block(s, i))
		draw_lines(s, b, i, end_block(s, i), most, 0);
	list_fields(s, P_GRID);
	draw_grid(s, b, most - (s->drawn - before));
}

/* Names the columns whose cells were all 0. */
static void draw_zeros(struct screen *s, struct buf *b)
{
	put_text(s, b, 0, "0 in every row:", NORMAL);
	for (int i = 0; i < s->listed; i++) {
		const char *name = *s->list[i]->cell;

		if (i && s->room <= (int)strlen(name))
			end_line(s, b);
		put_text(s, b, 1, name, NORMAL);
	}
	end_line(s, b);
}

/* Lists the columns that are 0 in every row; have their names changed since the last time? */
static bool list_zeros(struct screen *s)
{
	struct buf was SCOPED(buf) = s->zeros;

	s->zeros = (struct buf){ 0 };
	list_fields(s, P_ZEROS);
	for (int i = 0; i < s->listed; i++)
		buf_printf(&s->zeros, "%s ", *s->list[i]->cell);
	return strcmp(was.p ?: "", s->zeros.p ?: "");
}

static int piece_length(const struct piece *p, bool brief)
{
	return (int)(brief && p->brief ? p->brief : p->text.len);
}

/* Returns the first piece that does not fit into a line which begins with another one. */
static int end_of_pieces(const struct screen *s, int first, bool brief)
{
	const struct sentence *a = &s->sentence;
	int used = (int)a->piece[0].text.len + 1, i;	/* the time, or as many blanks */

	for (i = first; i < a->n; i++) {
		used += 1 + piece_length(&a->piece[i], brief);
		if (i > first && used + (i < a->n - 1) > s->width)
			break;
		used++;			/* a comma */
	}
	return i;
}

/* Draws a line of the sentence, from the first or another piece; cuts it with "...". */
static void draw_pieces(struct screen *s, struct buf *b, int first, int end, int blanks, bool brief)
{
	const struct sentence *a = &s->sentence;
	int needed = blanks - 1 + (first == 1 ? (int)a->piece[0].text.len : 0), dots = 0;

	for (int i = first; i < end; i++)
		needed += 1 + piece_length(&a->piece[i], brief) + (i < a->n - 1);
	if (needed > s->room)
		dots = s->room < 3 ? s->room : 3;
	s->room -= dots;
	put_bold(s, b, true);
	put_text(s, b, 0, first == 1 ? a->piece[0].text.p : "", BOLD);
	for (int i = first; i < end; i++) {
		const struct piece *p = &a->piece[i];

		put_bytes(s, b, i > first ? 1 : blanks, p->text.p, piece_length(p, brief),
			  p->alarm ? REVERSE : BOLD);
		put_text(s, b, 0, i < a->n - 1 ? "," : "", BOLD);
	}
	s->room += dots;
	put_bytes(s, b, 0, "...", dots, BOLD);
	put_bold(s, b, false);
	end_line(s, b);
}

/* Draws the sentence on one or two lines, without the values of each package if it is too long. */
static void draw_sentence(struct screen *s, struct buf *b)
{
	const struct sentence *a = &s->sentence;
	int end = end_of_pieces(s, 1, false);
	bool brief = end_of_pieces(s, end, false) < a->n;

	if (!a->n)
		return;
	end = end_of_pieces(s, 1, brief);
	draw_pieces(s, b, 1, end, 2, brief);
	if (end < a->n)
		draw_pieces(s, b, end, a->n, (int)a->piece[0].text.len + 2, brief);
}

/* Is there a table of CPUs: columns, or ids and nothing else at all? */
static bool has_units(const struct screen *s)
{
	return s->listed > s->ids || s->listed == s->nfields;
}

/* Draws the blocks of the CPU table, the last one first; below: how many lines follow the first. */
static void draw_upwards(struct screen *s, struct buf *b, int first, int below)
{
	int end = end_block(s, first);

	if (end < s->listed)
		draw_upwards(s, b, end, 0);
	if (!s->named)
		end_line(s, b);
	draw_lines(s, b, first, end, INT_MAX, 0);
	if (count_lines(s, first, end) + below > s->lines - 1)
		draw_row(s, b, 0, first, end, 0);
	s->named = 0;
}

/* Draws a table in parts: zeros, CPUs, values, the answer; this stands next to the prompt. */
static void draw_fit(struct screen *s, struct buf *b)
{
	struct buf values SCOPED(buf) = { 0 };
	int before = s->drawn, lines, below;

	draw_values(s, &values, INT_MAX);
	lines = s->drawn - before;
	draw_sentence(s, &values);
	below = s->drawn - before;
	s->drawn = before;
	if (list_zeros(s) && s->listed) {
		if (!s->named)
			end_line(s, b);
		draw_zeros(s, b);
		s->named = 0;
	}
	list_fields(s, P_UNITS);
	if (has_units(s))
		draw_upwards(s, b, s->ids, below + (lines > 0));
	if (!s->named && below && (lines || s->drawn == before))
		end_line(s, b);
	if (below)
		buf_puts(b, values.p);
	s->drawn += below;
}

/* Draws the columns of a summary or a region in blocks, then the names of those that are 0. */
static void draw_stacked(struct screen *s, struct buf *b)
{
	list_fields(s, P_UNITS);
	if (s->listed > s->ids) {
		if (s->named >= 0)	/* below another table */
			end_line(s, b);
		for (int i = s->ids; i < s->listed; i = s->named)
			draw_block(s, b, i, end_block(s, i));
		s->named = 0;
	}
	list_fields(s, P_ZEROS);
	if (s->listed)
		draw_zeros(s, b);
}

/* Draws a table as one block below that of the last interval, or in parts.  Returns its end. */
static char *draw_table(struct screen *s, struct buf *b, char *text)
{
	char *rest = read_table(s, text);

	list_fields(s, P_UNITS);
	if (s->listed == s->nfields && count_blocks(s, s->ids, NULL) <= 1 && !s->sentence.n) {
		draw_block(s, b, s->ids, s->listed);
		return rest;
	}
	s->due = true;
	if (s->stacks)
		draw_stacked(s, b);
	else
		draw_fit(s, b);
	s->named = 0;
	return rest;
}

/* Draws text of print_table(): lines of words, and a table. */
static void draw_text(struct screen *s, struct buf *b, char *text)
{
	s->room = s->width;
	while (*text) {
		size_t n = strcspn(text, "\n");

		if (n && !memchr(text, ' ', n)) {	/* no cell has a blank */
			text = draw_table(s, b, text);
			continue;
		}
		if (n && !s->named && s->look != LIVE)	/* below parts */
			end_line(s, b);
		put_text(s, b, 0, text, NORMAL);
		end_line(s, b);
		s->named = -1;
		text += n + 1;
	}
	s->due = true;
}

/* --- the table that is redrawn in place --- */

/* Does the user want any column by --show?  Then none is left out for a bar. */
static bool has_shown(void)
{
	bool any = false;

	for (size_t i = 0; i < O.nselectors; i++)
		any |= O.selector[i].verb == SHOW;
	return any;
}

/* Returns where the main block ends: if a bar then fits, behind the third group. */
static int end_main(const struct screen *s, int *bar)
{
	bool has_busy = shown_column("Busy%") && s->sentence.cpus;
	int end = end_block(s, s->ids), width = s->indent, three = s->ids, left;

	for (; three < s->listed && s->list[three]->place <= INTERRUPTS; three++)
		width += s->list[three]->width + 1;
	left = s->width - (width - 1) - BAR_GAP;
	if (has_busy && !has_shown() && three > s->ids && left >= LEAST_BAR)
		end = three;
	width = s->indent;
	for (int i = s->ids; i < end; i++)
		width += s->list[i]->width + 1;
	left = s->width - (width - 1) - BAR_GAP;
	left = left < MOST_BAR ? left : MOST_BAR;
	*bar = has_busy && left >= LEAST_BAR ? left : 0;
	return end;
}

/* Chooses the n busiest CPUs, of equals the first; returns how many of them there are. */
static int choose_cpus(const struct sentence *a, int n, bool *chosen)
{
	int found = 0;

	for (; found < n && found < a->cpus; found++) {
		int best = NONE;

		for (int row = 0; row < M.n; row++)
			if (!chosen[row] && a->load[row] != NOT_THERE &&
			    (best == NONE || a->load[row] > a->load[best]))
				best = row;
		chosen[best] = true;
	}
	return found;
}

/* Sorts chosen CPUs by steps of 10 % from 90 down to 0 and nan; within a step as in the table. */
static void sort_cpus(const struct sentence *a, const bool *chosen, int *order)
{
	enum { STEPS = 10, LAST = -1 };
	int n = 0;

	for (int step = STEPS - 1; step >= LAST; step--)
		for (int row = 0; row < M.n; row++) {
			int at = a->load[row] < 0 ? LAST : (int)(a->load[row] / STEPS);

			if (chosen[row] && (at < STEPS ? at : STEPS - 1) == step)
				order[n++] = row;
		}
}

/* Draws as many of the busiest CPUs as fit, below a line that says so. */
static void draw_busiest(struct screen *s, struct buf *b, const struct interval *iv, int most)
{
	enum { ABOVE = 3 };	/* this line, the names, the summary */
	bool *chosen SCOPED(ptr) = zeroed((size_t)M.n, sizeof(*chosen));
	int *order SCOPED(ptr) = zeroed((size_t)M.n, sizeof(*order));
	int n = most - s->drawn - ABOVE, end, bar;
	struct buf text SCOPED(buf) = { 0 };

	n = choose_cpus(&s->sentence, n > 1 ? n : 1, chosen);
	sort_cpus(&s->sentence, chosen, order);
	print_chosen(&text, iv, order, n);
	put_text(s, b, 0,
		 pathf("%d of %d CPUs%s (all: --view fit)", n, s->sentence.cpus,
		       shown_column("Busy%") ? ", by load" : ""), NORMAL);
	end_line(s, b);
	read_table(s, text.p);
	end = end_main(s, &bar);
	draw_lines(s, b, s->ids, end, INT_MAX, bar);
}

/* Draws the other blocks and the zeros, each if it fits as a whole. */
static void draw_others(struct screen *s, struct buf *b, int first, int most)
{
	int drawn;
	size_t kept;

	for (int i = first; i < s->listed; i = end_block(s, i)) {
		int end = end_block(s, i);

		if (s->drawn + 1 + count_lines(s, i, end) > most)
			continue;
		end_line(s, b);
		draw_lines(s, b, i, end, INT_MAX, 0);
	}
	drawn = s->drawn;
	kept = b->len;
	list_fields(s, P_ZEROS);
	if (!s->listed)
		return;
	end_line(s, b);
	draw_zeros(s, b);
	if (s->drawn <= most)
		return;
	s->drawn = drawn;
	b->len = kept;
}

/*
 * Draws an interval downwards: the answer, values, CPUs, and what else fits into most lines.  If
 * not all CPUs fit, the busiest, unless the user has chosen the rows.
 */
static void draw_live(struct screen *s, struct buf *b, const struct interval *iv, int most)
{
	bool chooses = O.per == SYSTEM && !set_count(&O.cpus) && !O.first_of;
	struct buf text SCOPED(buf) = { 0 };
	int end, bar, lines, fits;

	print_table(&text, iv, &(struct result){ .names = true, .once = true });
	s->room = s->width;
	read_table(s, text.p);
	draw_sentence(s, b);
	list_fields(s, P_PACKAGES);
	lines = s->lines / (s->listed > s->ids ? 3 : 4);
	draw_values(s, b, lines > 2 ? lines : 2);
	list_fields(s, P_UNITS);
	if (!has_units(s)) {
		draw_others(s, b, s->listed, most);
		return;
	}
	end = end_main(s, &bar);
	fits = s->drawn + 1 + count_lines(s, s->ids, end) <= most;
	if (!fits && chooses && s->sentence.cpus) {
		draw_busiest(s, b, iv, most);
		return;
	}
	end_line(s, b);
	draw_lines(s, b, s->ids, end, INT_MAX, bar);
	if (fits)
		draw_others(s, b, end, most);
}

/* ======================================================================== *
 * 18. FORMATS
 *
 * Prints intervals as JSON and CSV, and totals for Prometheus.  Calls BASE, MACHINE, FACTS, ROWS,
 * SEARCH, PLAN (for names), MATH and PRINT.  Owns R.totals.  Prints a value once, in a row of its
 * scope.
 * ======================================================================== */

static const char *result_type(const struct result *r)
{
	if (r->region)
		return "region";
	if (r->of_run)
		return "run";
	if (r->command)
		return "command";
	return r->total ? "total" : "interval";
}

/*
 * Appends a number with at most 6 decimals and no trailing zeros; NaN is null.  It has 17 digits
 * from 1e9 on, and if the 6 decimals, rounded again to 2 or none, might not give what v gives.
 */
static void print_decimal(struct buf *b, double v)
{
	double positive = v < 0 ? -v : v;
	u64 n = positive < 1e9 ? (u64)(positive * 1e6 + 0.5) : 0, six = n % 1000000;
	char *p;

	if (!(positive < 1e9) || (six % 10000 >= 4999 && six % 10000 <= 5001) ||
	    (six >= 499999 && six <= 500001)) {
		buf_printf(b, v == v ? "%.17g" : "null", v);
		return;
	}
	buf_reserve(b, CELL_SPACE);
	p = b->p + b->len;
	if (v < 0 && n)
		*p++ = '-';
	p = put_u64(p, n / 1000000);
	if (six)
		*p++ = '.';
	for (u64 digit = 100000; six; six %= digit, digit /= 10)
		*p++ = (char)('0' + six / digit);
	*p = '\0';
	b->len = (size_t)(p - b->p);
}

/* Appends a value.  Hexadecimal numbers and letters are put between the quotes. */
static void print_value(struct buf *b, enum format f, union number x, const char *quotes)
{
	if (!is_integer(f)) {
		print_decimal(b, x.f);
		return;
	}
	if (f == INTEGER || f == UNSIGNED || f == TIME_OF_DAY)
		quotes = "";
	buf_puts(b, quotes);
	buf_reserve(b, CELL_SPACE);
	b->len = (size_t)(put_number(b->p + b->len, f, x) - b->p);
	buf_puts(b, quotes);
}

/* Appends an id of a unit between quotes: a number, or the letter of its core type. */
static void print_id(struct buf *b, const struct unit_row *u, int key, const char *quotes)
{
	buf_puts(b, quotes);
	if (key != ID_TYPE)
		print_decimal(b, u->id[key]);
	else if (u->id[key])
		buf_add(b, (char[]){ (char)u->id[key] }, 1);
	buf_puts(b, quotes);
}

/* Appends a time in seconds since 1970. */
static void print_time(struct buf *b, i64 ns)
{
	buf_printf(b, "%lld.%06lld", ns / NS_PER_S, ns % NS_PER_S / 1000);
}

/* Appends a time in ISO 8601, UTC. */
static void print_iso(struct buf *b, i64 ns)
{
	time_t seconds = (time_t)(ns / NS_PER_S);
	char text[32];

	strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%S", gmtime(&seconds));
	buf_printf(b, "%s.%06lldZ", text, ns % NS_PER_S / 1000);
}

/* --- JSON --- */

/* Appends a comma before all but the first member of an object or list. */
static void json_next(struct buf *b)
{
	if (!strchr("{[", b->p[b->len - 1]))
		buf_add(b, ",", 1);
}

static void json_key(struct buf *b, const char *key)
{
	json_next(b);
	buf_add(b, "\"", 1);
	buf_puts(b, key);
	buf_add(b, "\":", 2);
}

/* Appends a string, or null. */
static void json_named_text(struct buf *b, const char *key, const char *s)
{
	json_key(b, key);
	if (s)
		quote_text(b, s, strlen(s), true);
	else
		buf_puts(b, "null");
}

static void json_named_number(struct buf *b, const char *key, double v)
{
	json_key(b, key);
	print_decimal(b, v);
}

static void json_type(struct buf *b, const char *type)
{
	buf_printf(b, "{\"type\":\"%s\",\"schema\":1", type);
}

/* Appends both forms of a time, which is in ns since 1970. */
static void json_time(struct buf *b, i64 ns)
{
	json_key(b, "time");
	print_time(b, ns);
	buf_puts(b, ",\"iso\":\"");
	print_iso(b, ns);
	buf_puts(b, "\"");
}

/* Appends the cells of a row or the summary, and the end of its object. */
static void json_cells(struct buf *b, const struct view *v)
{
	for (int i = 0; i < P.nshown; i++) {
		const struct column *c = P.shown[i];
		union number x;
		enum cell cell = find_cell(v, c, &x);

		if (cell == NO_CELL)
			continue;
		buf_add(b, c->json_key.p, c->json_key.len);
		if (cell == NUMBER)
			print_value(b, c->format, x, "\"");
		else
			buf_add(b, "null", 4);
	}
	buf_add(b, "}", 1);
}

static void json_unit(struct buf *b, const struct unit_row *u)
{
	json_next(b);
	buf_puts(b, "{");
	json_named_text(b, "scope", scope_names[u->scope]);
	for (int k = 0; k < NIDS; k++)
		if (u->id[k] >= 0) {
			json_key(b, k == ID_TYPE ? "cputype" : scope_names[k + 1]);
			print_id(b, u, k, k == ID_TYPE ? "\"" : "");
		} else if (k == ID_CPU) {
			json_named_number(b, "cpus", count_giving(u->scope, u->row));
		} else if (k == ID_MODULE && u->scope >= MODULE && u->scope <= CPU &&
			   M.id[k][u->row] < 0) {
			json_named_number(b, "module", NaN);	/* the kernel does not know it */
		}
}

static void json_words(struct buf *b, char *const *words)
{
	json_key(b, "command");
	buf_puts(b, "[");
	for (; *words; words++) {
		json_next(b);
		quote_text(b, *words, strlen(*words), true);
	}
	buf_puts(b, "]");
}

/* The error of an energy in per cent: at either end it can be old by a step of its counter. */
static double step_error(const struct column *c, double seconds)
{
	return is_plain(c) || !(seconds > 0) ? 0 : (double)T.counter[c->a].step / 1e7 / seconds;
}

/* Adds the errors above 1 % to the object that has been printed. */
static void json_errors(struct buf *b, double seconds)
{
	size_t end = b->len -= strlen("}\n");

	for (int i = 0; i < P.nshown; i++)
		if (step_error(P.shown[i], seconds) > 1) {
			buf_item(b, end, ",\"error\":{", ",");
			buf_printf(b, "\"%s\":%.0f", P.shown[i]->key,
				   step_error(P.shown[i], seconds));
		}
	buf_puts(b, b->len > end ? "}}\n" : "}\n");
}

static void json_interval(struct buf *b, const struct interval *iv, const struct result *r)
{
	struct view v = view_all(iv);

	json_type(b, result_type(r));
	if (r->of_run)
		buf_printf(b, ",\"run\":%u,\"counted\":%s", r->run.number,
			   r->run.status ? "false" : "true");
	else if (!r->command && !r->region)
		buf_printf(b, ",\"n\":%llu", r->n);
	json_time(b, iv->new->t.end.real);
	json_named_number(b, "seconds", iv->seconds);
	buf_puts(b, iv->suspended ? ",\"suspended\":true" : ",\"suspended\":false");
	json_named_text(b, "name", r->name);
	if (r->region) {
		json_named_number(b, "calls", (double)r->region->calls);
		json_named_number(b, "work", r->region->has_work ? r->region->work : NaN);
		buf_puts(b, r->region->running ? ",\"open\":true" : ",\"open\":false");
	}
	if (r->command) {
		bool known = r->run.number;

		json_words(b, r->command);
		json_named_number(b, "status", r->run.status);
		json_named_number(b, "user", known ? (double)r->run.user / 1e9 : NaN);
		json_named_number(b, "sys", known ? (double)r->run.sys / 1e9 : NaN);
		json_named_number(b, "maxrss_kib", r->run.maxrss ? (double)r->run.maxrss : NaN);
		for (enum share k = OTHERS; k < (knows_idle() ? SHARE_KEYS : NET_J); k++)
			json_named_number(b, share_names[k], r->share[k]);
	}
	buf_puts(b, ",\"system\":{");
	json_named_number(b, "cpus", count_giving(SYSTEM, v.row));
	for (int i = 0; i < P.nshown && r->region && r->work; i++)
		if (P.shown[i]->flags & JOULES)
			buf_printf(b, ",\"%s/work\":%s", P.shown[i]->key,
				   per_work(&v, P.shown[i], r->region->work, "null"));
	json_cells(b, &v);
	buf_puts(b, O.summary ? "" : ",\"rows\":[");
	for (const struct unit_row *u = P.unit; u < PAST(P.unit, P.nunits); u++) {
		v = view_unit(iv, u->scope, u->row);
		if (unit_was_there(iv, u->scope, u->row)) {
			json_unit(b, u);
			json_cells(b, &v);
		}
	}
	buf_puts(b, O.summary ? "}\n" : "]}\n");
	json_errors(b, r->region ? 0 : iv->seconds);		/* of these not yet known */
}

/* Facts of the first CPU's package: a number or, if there is none, a word; NaN, NULL: unknown. */
static const struct fact_key {
	const char *key;
	double (*number)(int row);
	const char *(*word)(int row);
} fact_keys[] = {
	{ "throttle_c", throttle_celsius },
	{ "pl1_w", pl1_watts },
	{ "pl2_w", pl2_watts },
	{ "pkg_cstate_limit", .word = pkg_limit_word },
	{ "epb", bias_of_row },
	{ "dma_latency_us", asked_latency },
};

/* Appends the turbo limits of the registers for this type of core, fewest cores first. */
static void json_turbo(struct buf *b, char type)
{
	for (size_t i = ARRAY_SIZE(turbo_registers); i-- > 0;) {
		const struct turbo_register *r = &turbo_registers[i];
		int row = r->type == type ? turbo_row(r) : NONE;
		struct turbo_limits l;

		if (row == NONE || M.bclk <= 0 || !read_turbo(r, M.main_cpu, &l))
			continue;
		for (int k = 0; k < l.n; k++) {
			char letter[] = { (char)M.id[ID_TYPE][row], '\0' };

			json_next(b);
			buf_puts(b, "{");
			json_named_text(b, "cputype", M.units[TYPE] > 1 ? letter : NULL);
			json_named_number(b, "cores", (double)l.limit[k].cores);
			json_named_number(b, "mhz", (double)l.limit[k].ratio * M.bclk);
			buf_puts(b, "}");
		}
	}
}

static void json_facts(struct buf *b)
{
	int row = M.row[M.main_cpu];

	for (const struct fact_key *k = fact_keys; k < fact_keys + ARRAY_SIZE(fact_keys); k++)
		if (k->number)
			json_named_number(b, k->key, k->number(row));
		else
			json_named_text(b, k->key, k->word(row));
	buf_puts(b, ",\"turbo\":[");
	json_turbo(b, 0);
	json_turbo(b, 'E');
	json_turbo(b, 'L');
	buf_puts(b, "]");
}

static void json_begin(struct buf *b, const struct interval *iv)
{
	if (!R.header.p)
		return;		/* --quiet */
	json_type(b, "system");
	json_time(b, iv->new->t.end.real);
	buf_puts(b, ",\"version\":\"" VERSION "\",\"cpu\":{");
	json_named_text(b, "vendor", M.vendor_name);
	buf_printf(b, ",\"family\":%d,\"model\":%d,\"stepping\":%d", M.family, M.model, M.stepping);
	buf_printf(b, M.microcode ? ",\"microcode\":\"0x%llx\"" : ",\"microcode\":null",
		   M.microcode);
	json_named_text(b, "name", *M.brand ? M.brand : NULL);
	buf_printf(b, "},\"topology\":{\"packages\":%d,\"dies\":%d,\"nodes\":%d,\"cores\":%d,"
		      "\"cpus\":%d,\"measured\":\"%s\"}",
		   M.units[PACKAGE], M.units[DIE], M.units[NODE], M.units[CORE], M.n,
		   set_text(&M.allowed));
	json_named_number(b, "base_mhz", M.base_hz > 0 ? M.base_hz / 1e6 : NaN);
	json_named_number(b, "tsc_mhz", M.tsc_hz ? (double)M.tsc_hz / 1e6 : NaN);
	json_named_number(b, "tdp_w", M.tdp > 0 && !M.tdp_guessed ? M.tdp : NaN);
	json_named_number(b, "tjmax_c", M.tjmax_guessed ? NaN
				       : M.tjmax[lead_of(PACKAGE, M.row[M.main_cpu])]);
	json_facts(b);
	buf_puts(b, ",\"columns\":[");
	for (int i = 0; i < P.nshown; i++) {
		const struct column *c = P.shown[i];

		if (c->formula == V_ID)
			continue;
		json_next(b);
		buf_puts(b, "{");
		json_named_text(b, "name", c->key);
		json_named_text(b, "unit", c->symbol);
		json_named_text(b, "scope", scope_names[c->rows]);
		json_named_text(b, "help", c->help);
		buf_puts(b, "}");
	}
	buf_puts(b, "],\"header\":[");
	for (const char *s = R.header.p, *end; *s; s = end + (*end == '\n')) {
		end = strchrnul(s, '\n');
		json_next(b);
		quote_text(b, s, (size_t)(end - s), true);
	}
	buf_puts(b, "]}\n");
}

/* --- CSV (RFC 4180, but lines end in LF) --- */

static void csv_text(struct buf *b, const char *s)
{
	const char *quotes = strpbrk(s, ",\"\r\n") ? "\"" : "";

	buf_puts(b, quotes);
	for (; *s; s++)
		buf_add(b, *s == '"' ? "\"\"" : s, *s == '"' ? 2 : 1);
	buf_puts(b, quotes);
}

/* Appends a field; a number that is not known is empty. */
static void csv_number(struct buf *b, double v)
{
	buf_add(b, ",", 1);
	if (v == v)
		print_decimal(b, v);
}

/* Appends the time of a sample, in ns since 1970, and its length. */
static void csv_time(struct buf *b, i64 ns, double seconds)
{
	print_time(b, ns);
	buf_add(b, ",", 1);
	print_iso(b, ns);
	csv_number(b, seconds);
}

static void csv_unit(struct buf *b, const struct unit_row *u)
{
	buf_add(b, ",", 1);
	buf_puts(b, scope_names[u->scope]);
	for (int k = 0; k < NIDS; k++) {
		buf_add(b, ",", 1);
		if (u->id[k] >= 0)
			print_id(b, u, k, "");
	}
}

/* Appends the values of a row, or the names; own: how much a command caused, or NULL. */
static void csv_values(struct buf *b, const struct view *v, const double *own)
{
	union number x;

	for (int i = 0; i < P.nshown; i++) {
		const struct column *c = P.shown[i];

		if (c->formula == V_ID)
			continue;
		buf_add(b, ",", 1);
		if (!v)
			csv_text(b, c->key);
		else if (find_cell(v, c, &x) == NUMBER)
			print_value(b, c->format, x, "");
	}
	for (enum share k = 0; k < NSHARES && P.has_share_fields; k++)
		if (v)
			csv_number(b, own ? own[k] : NaN);
		else
			buf_printf(b, ",%s", share_names[k]);
	buf_add(b, "\n", 1);
}

static void csv_begin(struct buf *b, UNUSED const struct interval *iv)
{
	buf_puts(b, "type,name,n,status,time,iso,seconds,scope,"
		    "package,die,l3,node,module,core,cpu,cputype");
	csv_values(b, NULL, NULL);
}

static void csv_interval(struct buf *b, const struct interval *iv, const struct result *r)
{
	u64 n = r->of_run ? r->run.number : r->region ? r->region->calls : r->n;
	struct buf head SCOPED(buf) = { 0 };

	buf_printf(&head, "%s,", result_type(r));
	csv_text(&head, r->name ? r->name : "");
	buf_puts(&head, ",");
	buf_printf(&head, r->of_run || !r->command ? "%llu," : ",", n);
	buf_printf(&head, r->command ? "%d," : ",", r->run.status);
	csv_time(&head, iv->new->t.end.real, iv->seconds);
	for (int i = -1; i < P.nunits; i++) {
		const struct unit_row *u = i < 0 ? &the_system : &P.unit[i];
		struct view v = i < 0 ? view_all(iv) : view_unit(iv, u->scope, u->row);

		if (i >= 0 && !unit_was_there(iv, u->scope, u->row))
			continue;
		buf_add(b, head.p, head.len);
		csv_unit(b, u);
		csv_values(b, &v, i < 0 && r->command ? r->share : NULL);
	}
}

/* --- Prometheus: text exposition, format 0.0.4 --- */

struct metric {			/* a family, or another label of the family above */
	int counter;
	const char *label;	/* in addition to those of the unit */
	const char *family;	/* after "turbostat_"; NULL = the one above */
	const char *help;
	enum generated by;	/* of the columns that give the counter; 0 = it is given here */
	int plus;		/* a counter that is added to the first; 0 = none */
};

static const struct metric metrics[] = {
	/* clang-format off */
	{ CT_APERF, NULL, "cycles_total", "Cycles that the CPU executed." },
	{ CT_MPERF, NULL, "busy_seconds_total", "Time in C0." },
	{ CT_INSTRUCTIONS, NULL, "instructions_total", "Instructions retired." },
	{ CT_IRQ, NULL, "interrupts_total", "Interrupts serviced." },
	{ CT_NMI, NULL, "nmis_total", "Non-maskable interrupts." },
	{ CT_SMI, NULL, "smis_total", "System-management interrupts." },
	{ CT_LLC_REFS, NULL, "llc_references_total", "Last-level cache references." },
	{ CT_LLC_MISSES, NULL, "llc_misses_total", "Last-level cache misses." },
	{ CT_L2_REFS, NULL, "l2_references_total", "Level 2 cache references." },
	{ CT_L2_CORE_HITS, .plus = CT_L2_CORE_MISSES },
	{ CT_L2_HITS, NULL, "l2_hits_total", "Level 2 cache hits." },
	{ CT_L2_CORE_HITS },
	{ NONE, "state", "cpuidle_seconds_total", "Time in an idle state, as the kernel requested it.", IDLE_TIME },
	{ NONE, "state", "cpuidle_entries_total", "Times the kernel requested an idle state.", IDLE_COUNT },
	{ NONE, "state", "cpuidle_above_total", "Times a shallower state would have been right.", IDLE_ABOVE },
	{ NONE, "state", "cpuidle_below_total", "Times a deeper state would have been right.", IDLE_BELOW },
	{ CT_C1, "state=\"c1\"", "cpu_cstate_seconds_total", "Time in a hardware idle state of the CPU." },
	{ NONE, "state=\"c1e\"", .by = IDLE_C1E },
	{ CT_CC3, "state=\"c3\"", "core_cstate_seconds_total", "Time in a hardware idle state of the core." },
	{ CT_CC6, "state=\"c6\"" }, { CT_CC7, "state=\"c7\"" },
	{ CT_PC2, "state=\"pc2\"", "package_cstate_seconds_total", "Time in a hardware idle state of the package." },
	{ CT_PC3, "state=\"pc3\"" }, { CT_PC6, "state=\"pc6\"" }, { CT_PC7, "state=\"pc7\"" },
	{ CT_PC8, "state=\"pc8\"" }, { CT_PC9, "state=\"pc9\"" }, { CT_PC10, "state=\"pc10\"" },
	{ NONE, "state=\"die_c6\"", .by = DIE_C6 },
	{ CT_C0_WEIGHTED, "part=\"cores\"", "package_c0_seconds_total", "Time in C0 of parts of the package." },
	{ CT_C0_ANY, "part=\"any_core\"" }, { CT_C0_GFX, "part=\"graphics\"" },
	{ CT_C0_BOTH, "part=\"core_and_graphics\"" },
	{ CT_CPU_LPI, "part=\"cpu\"", "low_power_idle_seconds_total", "Time in low-power idle." },
	{ CT_SYS_LPI, "part=\"system\"" },
	{ CT_RC6, NULL, "graphics_rc6_seconds_total", "Time the graphics was in render C6." },
	{ CT_SAM_MC6, NULL, "media_mc6_seconds_total", "Time the media engine was in C6." },
	{ CT_PKG_ENERGY, NULL, "package_joules_total", "Energy of the package." },
	{ CT_PP0_ENERGY, NULL, "cores_joules_total", "Energy of the cores of a package." },
	{ CT_PP1_ENERGY, NULL, "graphics_joules_total", "Energy of the graphics." },
	{ CT_DRAM_ENERGY, NULL, "dram_joules_total", "Energy of the DRAM." },
	{ CT_CORE_ENERGY, NULL, "core_joules_total", "Energy of the core." },
	{ CT_PSYS_ENERGY, NULL, "platform_joules_total", "Energy of the platform." },
	{ CT_PKG_THROTTLE, NULL, "package_throttled_seconds_total", "Time RAPL throttled the package." },
	{ CT_DRAM_THROTTLE, NULL, "dram_throttled_seconds_total", "Time RAPL throttled the DRAM." },
	{ CT_CORE_THROTTLE, NULL, "core_throttles_total", "Times the core was throttled for its temperature." },
	{ CT_CORE_TEMP, NULL, "core_temperature_celsius", "Temperature of the core." },
	{ CT_PKG_TEMP, NULL, "package_temperature_celsius", "Temperature of the package." },
	{ CT_UNCORE_KHZ, NULL, "uncore_frequency_hertz", "Clock of the uncore." },
	{ NONE, "domain", "uncore_cluster_frequency_hertz", "Clock of an uncore domain and cluster.", CLUSTER },
	{ CT_FABRIC_MHZ, NULL, "fabric_frequency_hertz", "Clock of the fabric." },
	{ CT_MEMORY_MHZ, NULL, "memory_frequency_hertz", "Clock of the memory." },
	{ CT_GFX_ACT_MHZ, NULL, "graphics_frequency_hertz", "Actual clock of the graphics." },
	{ CT_GFX_MHZ, NULL, "graphics_requested_frequency_hertz", "Requested clock of the graphics." },
	{ CT_SAM_ACT_MHZ, NULL, "media_frequency_hertz", "Actual clock of the media engine." },
	{ CT_SAM_MHZ, NULL, "media_requested_frequency_hertz", "Requested clock of the media engine." },
	{ NONE, "state", "s2idle_seconds_total", "Time in an idle state, suspended to idle.", S2IDLE_TIME },
	{ NONE, "state", "s2idle_entries_total", "Times an idle state was entered for suspend-to-idle.", S2IDLE_COUNT },
	{ NONE, "substate", "s0ix_seconds_total", "Time in a substate of S0ix.", SUBSTATE },
	{ CT_BATTERY_POWER, NULL, "battery_watts", "Power drawn from the batteries." },
	{ NONE, "name", "added_total", "Counts of counters that the user added.", ADDED_COUNT },
	{ NONE, "name", "added_seconds_total", "Time by counters that the user added.", ADDED_SHARE },
	{ NONE, "name", "added", "Levels that the user added.", ADDED_LEVEL },
	{ CT_MC6, "state=\"mc6\"", "module_cstate_seconds_total", "Time in a hardware idle state of the module." },
	{ CT_CCD_TEMP, NULL, "l3_temperature_celsius", "Temperature of the chiplet of a level 3 cache." },
	/* clang-format on */
};

struct series {			/* the lines of a family with one label */
	const struct metric *m, *first;	/* its row, and the first one of its family */
	const char *family;	/* of that row; added counters have their own */
	int counter;
	const char *label;	/* in addition to those of the unit; NULL = none */
	enum scope scope;	/* of the lines */
	int room;		/* size of total */
	struct total {		/* [unit] */
		double value;	/* since the start; of a gauge the newest */
		u64 level;	/* likewise, of a series that is exact */
		bool known;	/* in the newest sample */
		bool printed;	/* --cpu leaves a CPU of it */
	} *total;
};

struct totals {
	struct series *series;
	size_t n;
	u64 unreadable;		/* number of values missing in the newest sample */
	double elapsed;		/* seconds */
	i64 start;		/* CLOCK_REALTIME of the first sample */
};

/* Returns the labels beside the unit's: the metric's, or a column's state, cluster or name. */
static const char *series_label(const struct metric *m, const struct column *c)
{
	size_t n = strlen(c->key);
	const char *domain = text_after(c->key, "UMHz");
	struct buf b = { 0 };

	if (!m->label || strchr(m->label, '='))
		return m->label;
	if (m->by == CLUSTER)
		return textf("domain=\"%.*s\",cluster=\"%s\"", (int)strcspn(domain, "."), domain,
			     strchr(domain, '.') + 1);
	n -= m->by != IDLE_COUNT && strchr("%-+", c->key[n - 1]);
	buf_printf(&b, "%s=", m->label);
	quote_text(&b, c->key, n, false);
	return b.p;
}

/* Returns a unique family for an added counter: its name, with "_" for invalid characters. */
static char *added_family(const struct totals *t, const struct metric *m, const struct column *c)
{
	struct buf b = { 0 };

	buf_printf(&b, "added_%s%s", c->key, text_after(m->family, "added"));
	for (char *p = b.p; *p; p++)
		if (!isalnum((u8)*p))
			*p = '_';
	for (size_t i = 0; i < t->n; i++)
		if (!strcmp(t->series[i].family, b.p)) {
			buf_puts(&b, "_");
			i = (size_t)-1;		/* compare with all again */
		}
	return b.p;
}

/* Returns a counter's increase in the unit of the family: seconds, Joules, events. */
static double increment(const struct interval *iv, const struct metric *m, int k, int unit)
{
	const struct counter *c = &T.counter[k];
	double seconds = iv->span[c->scope][unit].seconds, v, tsc;
	struct reading r;

	unit_reading(iv, k, k, unit, &r);
	v = (double)r.value;
	tsc = r.tsc * M.tsc_tweak;
	if (is_accounting(c->chosen) && k == CT_APERF)
		return r.seconds > 0 ? v / r.seconds * seconds : 0;

	if (!strstr(m->family, "seconds") || c->rapl_unit == TIME_UNIT)
		return v * c->scale;
	if (iv->suspended)
		return 0;
	if (c->hz > 0)
		return v / c->hz;
	if (tsc > 0)	/* the percentage times own seconds; those of ticks are the clocks' */
		return v * c->scale / tsc * (is_accounting(c->chosen) ? seconds : r.seconds);
	return iv->tsc_hz > 0 ? v * c->scale / iv->tsc_hz / M.tsc_tweak : 0;
}

/* Is a series of integers that a double may not hold? */
static bool is_exact(const struct series *s)
{
	return s->m->by == ADDED_LEVEL && format_of(&T.counter[s->counter]) != DECIMALS_2;
}

/* Adds a counter's increase to totals, or sets them to a gauge's value, folded as in the table. */
static void update_series(struct totals *t, struct series *s, int k, const struct interval *iv)
{
	const struct counter *c = &T.counter[k];
	const double to_hertz = strstr(s->first->family, "hertz") ? 1e6 : 1;
	const bool gauge = !strstr(s->first->family, "_total");
	const enum scope scope = gauge ? s->scope : c->scope;

	for (int row = 0; row < M.n && (gauge || c->chosen); row++) {
		struct total *total = &s->total[M.in[s->scope][row]];
		struct view v = view_unit(iv, scope, row);
		struct reading r;
		bool known;

		if (!leads_unit(scope, row))
			continue;
		if (gauge) {
			known = gather_reading(&v, k, k, c->scope, &r);
			total->level = known ? r.value : 0;
			if (is_exact(s))
				known = scale_integer(c, &total->level) && known;
			total->value = known ? reading_number(c, r.value) * c->scale * to_hertz : 0;
		} else {
			known = iv->valid[k][v.unit] != UNKNOWN;
			if (iv->valid[k][v.unit] == VALID)
				total->value += increment(iv, s->first, k, v.unit);
		}
		total->known |= known && total->printed;
		t->unreadable += !known && total->printed;
	}
}

static void grow_totals(struct totals *t, const struct interval *iv)
{
	t->elapsed += iv->seconds;
	t->unreadable = 0;
	for (struct series *s = t->series; s < PAST(t->series, t->n); s++) {
		s->total = grow_cells(s->total, s->room, M.nunits[s->scope], sizeof(*s->total));
		s->room = M.nunits[s->scope];
		for (int u = 0; u < s->room; u++)
			s->total[u].known = s->total[u].printed = false;
		for (int row = 0; row < M.n; row++)
			s->total[M.in[s->scope][row]].printed |= P.printed[row];
		update_series(t, s, s->counter, iv);
		if (s->m->plus)
			update_series(t, s, s->m->plus, iv);
	}
}

static void prom_head(struct buf *b, const char *family, bool gauge, const char *help)
{
	buf_printf(b, "# HELP turbostat_%s %s\n# TYPE turbostat_%s %s\n", family, help, family,
		   gauge ? "gauge" : "counter");
}

/* Appends the beginning of a line: a family, the labels of a unit, other labels or NULL. */
static void prom_labels(struct buf *b, const char *family, const struct unit_row *u,
			const char *label)
{
	size_t begin;

	buf_puts(b, "turbostat_");
	buf_puts(b, family);
	begin = b->len;
	for (int k = 0; k < NIDS; k++)
		if (u->id[k] >= 0) {
			buf_item(b, begin, "{", ",");
			buf_puts(b, scope_names[k + 1]);
			buf_puts(b, "=");
			print_id(b, u, k, "\"");
		}
	if (label) {
		buf_item(b, begin, "{", ",");
		buf_puts(b, label);
	}
	buf_puts(b, b->len > begin ? "} " : " ");
}

/* Appends a line with a value. */
static void prom_line(struct buf *b, const char *family, const struct unit_row *u,
		      const char *label, double v)
{
	prom_labels(b, family, u, label);
	print_decimal(b, v);
	buf_puts(b, "\n");
}

static void prom_time(struct buf *b, const char *family, const char *help, i64 ns)
{
	prom_head(b, family, true, help);
	buf_printf(b, "turbostat_%s ", family);
	print_time(b, ns);
	buf_add(b, "\n", 1);
}

/* Appends the program, the processor and, if CPUs have series, their topology. */
static void prom_info(struct buf *b, const struct totals *t)
{
	unsigned ids = M.show_id[ID_TYPE] ? ~0u : ~(1u << ID_TYPE);
	struct buf labels SCOPED(buf) = { 0 };
	bool of_cpus = false;

	for (size_t i = 0; i < t->n; i++)
		of_cpus |= t->series[i].scope == CPU;
	buf_puts(&labels, "version=\"" VERSION "\",vendor=");
	quote_text(&labels, M.vendor_name, strlen(M.vendor_name), false);
	buf_printf(&labels, ",family=\"%d\",model=\"%d\",stepping=\"%d\"", M.family, M.model,
		   M.stepping);
	if (M.microcode)
		buf_printf(&labels, ",microcode=\"0x%llx\"", M.microcode);
	prom_head(b, "info", true, "The program and the processor.");
	prom_line(b, "info", &the_system, labels.p, 1);
	if (of_cpus)
		prom_head(b, "cpu_info", true, "Topology of a CPU.");
	for (int row = 0; row < M.n && of_cpus; row++) {
		struct unit_row cpu = name_unit(CPU, row, ids);

		if (P.printed[row])
			prom_line(b, "cpu_info", &cpu, NULL, 1);
	}
}

static void prom_interval(struct buf *b, const struct interval *iv, UNUSED const struct result *r)
{
	const struct totals *t = R.totals;
	const char *family = "";
	struct unit_row name;

	if (!R.output.replaced && R.output.printed)
		buf_puts(b, "\n");	/* between expositions */
	for (const struct series *s = t->series; s < PAST(t->series, t->n); s++)
		for (int u = 0; u < s->room; u++) {
			if (!s->total[u].known)
				continue;
			if (strcmp(family, s->family))
				prom_head(b, s->family, !strstr(s->first->family, "_total"),
					  s->first->help);
			family = s->family;
			name = name_unit(s->scope, M.unit[s->scope][u].lead, unit_ids[s->scope]);
			prom_labels(b, family, &name, s->label);
			if (is_exact(s))
				print_value(b, format_of(&T.counter[s->counter]),
					    (union number){ .u = s->total[u].level }, "");
			else
				print_decimal(b, s->total[u].value);
			buf_puts(b, "\n");
		}
	prom_info(b, t);
	prom_time(b, "start_time_seconds", "Start of the totals, seconds since 1970.", t->start);
	prom_time(b, "sample_time_seconds", "Time of the newest sample, seconds since 1970.",
		  iv->new->t.end.real);
	prom_head(b, "unreadable_values", true, "Values missing from the newest sample.");
	prom_line(b, "unreadable_values", &the_system, NULL, (double)t->unreadable);
	prom_head(b, "elapsed_seconds_total", false, "Seconds covered by the totals.");
	prom_line(b, "elapsed_seconds_total", &the_system, NULL, t->elapsed);
	if (!O.summary && O.per == SYSTEM)
		return;
	prom_head(b, "cpus", true, "Number of CPUs in the totals.");
	if (O.summary)
		prom_line(b, "cpus", &the_system, NULL, count_giving(SYSTEM, 0));
	for (const struct unit_row *u = P.unit; u < PAST(P.unit, P.nunits); u++) {
		name = name_unit(u->scope, u->row, unit_ids[u->scope]);
		prom_line(b, "cpus", &name, NULL, count_giving(u->scope, u->row));
	}
}

/*
 * Lists the series of the shown columns, in the order of the families, and begins their totals.
 * A file has them from the start.
 */
static void prom_begin(struct buf *b, const struct interval *iv)
{
	struct totals *t = R.totals = zeroed(1, sizeof(*t));
	const struct metric *first = metrics;

	t->start = iv->new->t.end.real;
	t->series = room(t->series, 0, sizeof(*t->series));	/* an array, also of none */
	for (const struct metric *m = metrics; m < metrics + ARRAY_SIZE(metrics); m++) {
		if (m->family)
			first = m;
		for (int i = 0; i < P.nshown; i++) {
			const struct column *c = P.shown[i];
			const struct series *last = t->n ? &t->series[t->n - 1] : NULL;
			bool given = last && last->first == first && last->m->label == m->label;
			bool asks = m->by ? c->generated == m->by
					  : !given && (c->a == m->counter || c->b == m->counter);
			int counter = m->by ? c->a : m->counter;
			const char *family;
			enum scope own;

			if (!asks || is_plain(c))
				continue;
			family = c->flags & ADDED ? added_family(t, m, c) : first->family;
			own = T.counter[counter].scope;
			if (O.per != SYSTEM && own != SYSTEM && M.within[own][O.per])
				own = O.per;
			*append(t->series, t->n) = (struct series){
				m, first, family, counter, series_label(m, c),
				O.summary ? SYSTEM : own,
			};
		}
	}
	grow_totals(t, iv);
	if (R.output.replaced && !R.total.sum)		/* until the first interval ends */
		prom_interval(b, iv, NULL);
}

/* ======================================================================== *
 * 19. REGISTERS
 *
 * Formats registers in the system-configuration header, by templates and by code: frequencies,
 * performance requests, idle states, uncore.  Invariant: a register that cannot be read removes
 * only its own line and those that depend on it.
 * ======================================================================== */

/*
 * In a line's text, # is the register as 0x%08llx or the file's text, {# F} a field like it,
 * {i F} an interrupt response time limit in ns, {t} the core's type.  Other fields of msr.h:
 */
#define D(...)		"{d " STRING(__VA_ARGS__) "}"		/* in decimal */
#define X(...)		"{x " STRING(__VA_ARGS__) "}"		/* in hex */
#define IF(f, yes, no)	"{? " STRING(f) ":" yes "|" no "}"	/* a word: not 0, or 0 */
#define ON(f, word)	"{? " STRING(f) ":" word "|}"		/* a word if it is not 0 */
#define OFF(f, word)	"{? " STRING(f) ":|" word "}"		/* if it is 0 */
#define UNLESS_0(f, word) "{o " STRING(f) ":" word "}"	/* not 0: word, decimal, blank */
#define MHZ(f, what)	"{m " STRING(f) ":" what "}"	/* a line: "RATIO * BUS = MHZ MHz what" */
#define WATTS(...)	"{w " STRING(__VA_ARGS__) "}"	/* ", WATTS Watts" if the unit is known */

struct line_at {		/* the context of a line */
	int cpu, row;
	u64 value;		/* of the register */
	const char *text;	/* of the file, or NULL */
	const struct line *line;	/* of the table */
};

struct line {
	u32 msr;		/* 0 = none */
	u64 needs;
	const char *text;	/* a template; NULL ends a block */
	/* appends what a template cannot express; if text is "", whole lines */
	void (*code)(const struct line_at *at, struct buf *b);
	const void *arg;	/* of code */
	bool unless_zero;	/* not if the register is 0, as always in a guest */
	unsigned turbo;		/* only with one of these layouts of turbo ratios; 0 = any */
	const char *file;	/* must exist; # is its first line; relative: below cpuN/ */
	bool opens;		/* if it is 0 or unreadable, the rest of the block is skipped */
	bool bare;		/* without "cpuN: ", as lines about files of the machine are */
};

/* --- templates --- */

/* RAPL's time window in seconds: 2^bits 4:0 (1 + bits 6:5 / 4) time units (SDM 3B). */
static double window_seconds(u64 v)
{
	return __builtin_ldexp(1 + (double)(v >> 5) / 4, (int)(v & 31)) * M.rapl_unit[TIME_UNIT];
}

/* Appends a newline and "ratio * bus clock = MHz WHAT", if both are known. */
static void print_ratio(struct buf *b, u64 ratio, const char *what)
{
	if (M.bclk > 0 && ratio)
		buf_printf(b, "\n%llu * %.1f = %.1f MHz %s", ratio, M.bclk,
			   (double)ratio * M.bclk, what);
}

/* Appends one "{...}" of a template; returns its end. */
static const char *print_hole(struct buf *b, const char *t, const struct line_at *at)
{
	const char *end = strchr(t, '}'), *word = t + strcspn(t, ":}") + 1;
	int n = (int)(end - word), hi = 0, lo = 0;
	u64 f, unit;

	sscanf(t + 3, "%d, %d", &hi, &lo);
	f = FIELD_(at->value, hi, lo);
	switch (t[1]) {
	case 'o':
		if (f)
			buf_printf(b, "%.*s%llu ", n, word, f);
		break;
	case 'm': print_ratio(b, f, pathf("%.*s", n, word)); break;
	case 't': buf_printf(b, "%c", M.id[ID_TYPE][at->row]); break;
	case 'w':
		if (M.power_unit > 0)
			buf_printf(b, ", %.3f Watts", (double)f * M.power_unit);
		break;
	case 'i':	/* 1 ns << 5 unit; units 6 and 7 are reserved */
		unit = FIELD(at->value, IRTL_UNIT);
		buf_printf(b, "%llu", unit < 6 ? FIELD(at->value, IRTL_VALUE) << 5 * unit : 0);
		break;
	case '?':
		if (!f)
			word = strchr(word, '|') + 1;
		buf_add(b, word, strcspn(word, "|}"));
		break;
	default: buf_printf(b, t[1] == 'd' ? "%llu" : t[1] == 'x' ? "0x%llx" : "0x%08llx", f);
	}
	return end;
}

static void print_template(struct buf *b, const char *t, const struct line_at *at)
{
	for (; *t; t++)
		if (*t == '{')
			t = print_hole(b, t, at);
		else if (*t == '#')
			buf_puts(b, at->text ? at->text : pathf("0x%08llx", at->value));
		else
			buf_add(b, t, 1);
}

/* Reads a line's register and file.  False: nothing to print; guests read 0 for what they lack. */
static bool read_line(const struct line *line, struct line_at *at)
{
	const char *file = line->file;

	if (!has(line->needs) || (line->turbo && !(line->turbo & M.platform->turbo)))
		return false;
	if (line->needs & F(HYBRID) && M.units[TYPE] < 2)
		return false;
	if (line->msr && (M.msr_error || src_msr(at->cpu, line->msr, &at->value)))
		return false;
	if (line->msr && !at->value && (line->unless_zero || has(F(GUEST))))
		return false;
	if (!file)
		return true;
	at->text = src_line(*file == '/' ? file : cpu_path(at->cpu, file));
	return at->text;
}

static void print_lines(struct buf *b, const struct line *line, int row)
{
	for (; line->text; line++) {
		struct line_at at = { .cpu = M.cpu[row], .row = row, .line = line };

		if (read_line(line, &at)) {
			if (*line->text && !line->bare && (!line->file || *line->file != '/'))
				buf_printf(b, "cpu%d: ", at.cpu);
			print_template(b, line->text, &at);
			if (line->code)
				line->code(&at, b);
			if (*line->text)
				buf_add(b, "\n", 1);
		}
		if (line->opens && !at.value)
			return;
	}
}

/* --- CPUID --- */

/* Appends the names of a leaf's bits, after "No-" if they are 0 or features that M.has lacks. */
static void print_cpuid_bits(struct buf *b, enum leaf leaf, const char *separator)
{
	const char *before = " ";

	buf_printf(b, "CPUID(%u):", leaf_numbers[leaf]);
	for (const struct cpuid_bit *p = cpuid_bits; p < cpuid_bits + ARRAY_SIZE(cpuid_bits); p++) {
		bool on = p->gives ? has(p->gives) : M.leaf[leaf][p->reg] >> p->bit & 1;

		if (p->leaf != leaf)
			continue;
		buf_printf(b, "%s%s%s", before, on ? "" : "No-", p->name);
		before = separator;
	}
	buf_add(b, "\n", 1);
}

static void report_identity(UNUSED const struct line_at *at, struct buf *b)
{
	const char *release = src_line("/proc/sys/kernel/osrelease");

	if (*M.brand)
		buf_printf(b, "Processor: %s\n", M.brand);
	if (release)
		buf_printf(b, "Kernel: %s\n", release);
	buf_printf(b, "CPUID(0): %s 0x%x CPUID levels\n", M.vendor_name, M.max_leaf);
	buf_printf(b, "CPUID(1): family:model:stepping 0x%x:%x:%x (%d:%d:%d)", M.family, M.model,
		   M.stepping, M.family, M.model, M.stepping);
	if (M.microcode)
		buf_printf(b, " microcode 0x%llx", M.microcode);
	buf_printf(b, "\nCPUID(0x80000000): max_extended_levels: 0x%x\n", M.max_ext);
	print_cpuid_bits(b, LEAF_1, " ");
	if (*M.hypervisor)
		buf_printf(b, "Hypervisor: %s\n", M.hypervisor);
	print_cpuid_bits(b, LEAF_6, ", ");
}

static void report_leaf7(UNUSED const struct line_at *at, struct buf *b)
{
	if (M.max_leaf >= 7)
		print_cpuid_bits(b, LEAF_7, " ");
}

static void report_clocks(UNUSED const struct line_at *at, struct buf *b)
{
	const u32 *r = M.leaf[LEAF_15];

	if (r[1])
		buf_printf(b, "CPUID(0x15): eax_crystal: %u ebx_tsc: %u ecx_crystal_hz: %u\n", r[0],
			   r[1], r[2]);
	if (r[1] && M.tsc_hz)
		buf_printf(b, "TSC: %llu MHz (%llu Hz * %u / %u / 1000000)\n", M.tsc_hz / 1000000,
			   M.crystal_hz, r[1], r[0]);
	r = M.leaf[LEAF_16];
	if (r[0] || r[1] || r[2])
		buf_printf(b, "CPUID(0x16): base_mhz: %u max_mhz: %u bus_mhz: %u\n", r[0], r[1],
			   r[2]);
	if (M.platform->fsb_codes && M.bclk > 0)
		buf_printf(b, "SLM BCLK: %.1f Mhz\n", M.bclk);
}

/* --- frequencies --- */

/* Whether turbo is on, if there is one. */
static void print_turbo_switch(const struct line_at *at, struct buf *b)
{
	if (!lacks_turbo())
		buf_puts(b, FIELD(at->value, MISC_ENABLE_TURBO_DISABLE) ? " No-TURBO" : " TURBO");
	buf_puts(b, ")");
}

/* The turbo registers, their core counts, and the ratios by active cores, most cores first. */
static void report_turbo(const struct line_at *at, struct buf *b)
{
	for (size_t k = 0; k < ARRAY_SIZE(turbo_registers); k++) {
		const struct turbo_register *r = &turbo_registers[k];
		struct turbo_limits l;

		if (!read_turbo(r, at->cpu, &l))
			continue;
		buf_printf(b, "cpu%d: %s: 0x%08llx", at->cpu, r->name, l.value);
		if (r->type)
			buf_printf(b, " (%c-cores)", r->type);
		if (l.counts)
			buf_printf(b, "\ncpu%d: %s: 0x%08llx", at->cpu, r->counts_name, l.counts);
		for (int i = l.n - 1; i >= 0; i--) {
			u64 cores = l.limit[i].cores;

			print_ratio(b, l.limit[i].ratio,
				    pathf("max turbo %llu active core%s", cores,
					  r->atom && cores == 1 ? "" : "s"));
		}
		buf_puts(b, "\n");
	}
}

/* Appends the known frequencies: "TITLE: NAME MHZ MHz, ...". */
static void print_mhz(struct buf *b, const char *title, const char *const names[],
		      const double mhz[], size_t n)
{
	size_t begin = b->len;

	for (size_t i = 0; i < n; i++)
		if (mhz[i] > 0) {
			buf_item(b, begin, title, ", ");
			buf_printf(b, "%s %.0f MHz", names[i], mhz[i]);
		}
	buf_end_line(b, begin);
}

/* AMD: P-states; frequencies by cpufreq, or by CPPC's levels, which are proportional to them. */
static void report_amd_clocks(UNUSED const struct line_at *at, struct buf *b)
{
	static const char *const pstates[] = { "P0", "P1", "P2", "P3", "P4", "P5", "P6", "P7" };
	static const char *const names[] = { "base", "boost", "lowest non-linear" };
	int cpu = M.main_cpu;
	double linear = cppc_level(cpu, CPPC_CAP_LOW_NONLINEAR, "acpi_cppc/lowest_nonlinear_perf");
	double mhz[8];

	for (u32 i = 0; i < 8; i++)
		mhz[i] = amd_pstate_hz(i) / 1e6;
	print_mhz(b, "P-states: ", pstates, mhz, 8);
	mhz[0] = amd_base_mhz(cpu);
	mhz[1] = boost_mhz(M.row[cpu]);
	mhz[2] = cpu_number(cpu, "cpufreq/amd_pstate_lowest_nonlinear_freq") / 1e3
		 ?: cppc_mhz(cpu, linear);
	print_mhz(b, "Frequencies: ", names, mhz, ARRAY_SIZE(names));
}

/* Frequencies from cpufreq, if no register has them. */
static void report_policy_clocks(UNUSED const struct line_at *at, struct buf *b)
{
	static const char *const names[] = { "base", "max", "min" };
	const double mhz[] = { cpu_number(M.main_cpu, "cpufreq/base_frequency") / 1e3,
			       cpu_number(M.main_cpu, "cpufreq/cpuinfo_max_freq") / 1e3,
			       cpu_number(M.main_cpu, "cpufreq/cpuinfo_min_freq") / 1e3 };

	if (!M.platform_info && amd_pstate_hz(0) <= 0)
		print_mhz(b, "cpufreq: ", names, mhz, ARRAY_SIZE(names));
}

/* --- performance requests --- */

static void print_epb(const struct line_at *at, struct buf *b)
{
	static const char *const names[16] = {
		[0] = "performance", [6] = "balanced", [15] = "powersave"
	};
	int v = performance_bias(at->cpu);

	if (v != NONE)
		buf_printf(b, "cpu%d: EPB: %d (%s)\n", at->cpu, v,
			   v >= 0 && v < 16 && names[v] ? names[v] : "custom");
}

/* Appends the names of the set bits; in the old form, ", " ends each name. */
static void print_reasons(struct buf *b, const struct reasons *r, u64 bits, bool logged)
{
	size_t begin = b->len;

	for (int i = 0; i < 16; i++) {
		int bit = r->falling ? 15 - i : i;
		const char *name = reason_name(r, bit, logged);

		if (!(bits >> bit & 1) || !name)
			continue;
		if (!r->old)
			buf_item(b, begin, "", ", ");
		buf_printf(b, "%s%s", name, r->old ? ", " : "");
	}
}

static void print_limit_reasons(const struct line_at *at, struct buf *b)
{
	buf_puts(b, "(Active: ");
	print_reasons(b, at->line->arg, FIELD(at->value, LIMIT_ACTIVE), false);
	buf_puts(b, ") (Logged: ");
	print_reasons(b, at->line->arg, FIELD(at->value, LIMIT_LOGGED), true);
	buf_puts(b, ")");
}

/* Does the processor obey a PROCHOT from outside? */
static void print_bd_prochot(const struct line_at *at, struct buf *b)
{
	if (has_bd_prochot())
		buf_printf(b, "BD PROCHOT: %sabled\n",
			   FIELD(at->value, POWER_CTL_BD_PROCHOT) ? "EN" : "DIS");
}

/* --- idle states --- */

/* The package C-state limit and automatic conversion. */
static void print_cst_limit(const struct line_at *at, struct buf *b)
{
	u64 code = FIELD(at->value, PKG_CST_LIMIT) & M.platform->limits->mask;

	buf_printf(b, "%llu (%s)", code, pkg_limit_names[pkg_limit_of(code)]);
	if (has(F(AUTO_CONVERSION)))
		buf_printf(b, ", automatic c-state conversion=%s",
			   FIELD(at->value, PKG_CST_AUTO_CONVERSION) ? "on" : "off");
	buf_puts(b, ")");
}

static void report_dma_latency(UNUSED const struct line_at *at, struct buf *b)
{
	int usec = dma_latency();

	if (usec != NONE)
		buf_printf(b, DMA_LATENCY ": %d usec (%s)\n", usec,
			   usec == ANY_LATENCY ? "default" : "constrained");
}

/* Appends ", NAME NUMBER us" from a file of an idle state of the main CPU, if it can be read. */
static void report_state_time(struct buf *b, int state, const char *name)
{
	u64 usec;

	if (!src_number(pathf(SYS_CPU "cpu%d/cpuidle/state%d/%s", M.main_cpu, state, name), &usec))
		buf_printf(b, ", %s %llu us", name, usec);
}

static void report_idle_states(UNUSED const struct line_at *at, struct buf *b)
{
	char states[MAX_STATES][64];
	u64 disabled;

	if (!src_line(SYS_CPU "cpuidle/current_driver"))
		buf_puts(b, "cpuidle not loaded\n");
	for (int i = 0, n = read_idle_names(M.main_cpu, states); i < n; i++) {
		const char *path = pathf(SYS_CPU "cpu%d/cpuidle/state%d/desc", M.main_cpu, i);
		const char *s = *states[i] ? src_line(path) : NULL;

		if (!s)
			continue;
		buf_printf(b, "cpu%d: %s: %s", M.main_cpu, states[i], s);
		report_state_time(b, i, "latency");
		report_state_time(b, i, "residency");
		path = pathf(SYS_CPU "cpu%d/cpuidle/state%d/disable", M.main_cpu, i);
		if (!src_number(path, &disabled) && disabled)
			buf_puts(b, ", disabled");
		buf_puts(b, "\n");
	}
}

/* Uncore clocks by cluster, highest number first, or by die: limits, those at boot, clock. */
static void report_uncore(UNUSED const struct line_at *at, struct buf *b)
{
	size_t n = M.dev.nclusters;
	struct names l SCOPED(names) = { 0 };

	if (!n)
		l = list_matches(IN_UNCORE "/package_*_die_*");
	for (size_t i = 0; i < n + l.n; i++) {
		const struct cluster *c = n ? &M.dev.cluster[n - 1 - i] : NULL;
		const char *dir = n ? c->dir : l.name[i];
		int package, die;

		if (n)
			buf_printf(b, "Uncore Frequency package%d domain%d cluster%d", c->package,
				   c->domain, c->id);
		else if (sscanf(dir, IN_UNCORE "/package_%d_die_%d", &package, &die) == 2 &&
			 src_has_number(pathf("%s/current_freq_khz", dir)))
			buf_printf(b, "Uncore Frequency package%d die%d", package, die);
		else
			continue;
		buf_printf(b, ": %lld - %lld MHz (%lld - %lld MHz) %lld MHz\n",
			   number_in(dir, "min_freq_khz", 0) / 1000,
			   number_in(dir, "max_freq_khz", 0) / 1000,
			   number_in(dir, "initial_min_freq_khz", 0) / 1000,
			   number_in(dir, "initial_max_freq_khz", 0) / 1000,
			   number_in(dir, "current_freq_khz", 0) / 1000);
	}
}

/* ======================================================================== *
 * 20. REPORT
 *
 * The header as a whole: power, temperatures, facts without a register, and the table of all lines.
 * ======================================================================== */

/* --- RAPL --- */

/* Appends microseconds in the greatest unit that they exceed. */
static void print_window(struct buf *b, u64 usec)
{
	if (usec > 1000000)
		buf_printf(b, " %0.1fs", (double)usec / 1e6);
	else if (usec > 1000)
		buf_printf(b, " %0.1fms", (double)usec / 1e3);
	else
		buf_printf(b, " %0.1fus", (double)usec);
}

/* How soon the energy counter wraps at TDP (AMD documents none); powercap zones, their limits. */
static void report_powercap(UNUSED const struct line_at *at, struct buf *b)
{
	static const char file[] = "%s/constraint_%d_%s";
	u64 v, watts;

	if (has(F(RAPL_AWAKE)) && !(has(F(AMD)) && M.tdp_guessed))
		buf_printf(b, "RAPL: %.0f sec. Joule Counter Range, at %s%.0f Watts\n",
			   4294967295.0 * M.rapl_unit[ENERGY_UNIT] / M.tdp,
			   M.tdp_guessed ? "a guessed " : "", M.tdp);
	for (size_t i = 0; i < M.dev.nzones; i++) {
		const struct zone *z = &M.dev.zone[i];
		bool disabled;

		if (is_read_outside(z->dir))
			continue;
		disabled = !src_number(pathf("%s/enabled", z->dir), &v) && !v;
		buf_printf(b, "%s: %s%s", z->dir + sizeof(IN_POWERCAP), z->name,
			   disabled ? " disabled" : "");
		for (int k = 0; !disabled; k++) {
			if (src_number(pathf(file, z->dir, k, "time_window_us"), &v))
				break;
			print_window(b, v);
			if (!src_number(pathf(file, z->dir, k, "power_limit_uw"), &watts) && watts)
				buf_printf(b, ":%lluW", watts / 1000000);
			if (!src_number(pathf(file, z->dir, k, "max_power_uw"), &watts) && watts)
				buf_printf(b, ",max:%lluW", watts / 1000000);
		}
		buf_add(b, "\n", 1);
	}
}

/* TDP, the range of limits and their longest window; fields of 0 are absent. */
static void print_power_info(const struct line_at *at, struct buf *b)
{
	u64 tdp = FIELD(at->value, POWER_INFO_TDP), least = FIELD(at->value, POWER_INFO_MIN),
	    most = FIELD(at->value, POWER_INFO_MAX), window = FIELD(at->value, POWER_INFO_WINDOW);
	size_t begin = b->len;

	if (tdp)
		buf_printf(b, " (%.0f W TDP", (double)tdp * M.power_unit);
	if (least || most)
		buf_item(b, begin, " (RAPL ", ", RAPL ");
	if (least)
		buf_printf(b, most ? "%.0f - " : "at least %.0f W", (double)least * M.power_unit);
	if (is_no_limit(most))
		buf_puts(b, "no limit");
	else if (most)
		buf_printf(b, least ? "%.0f W" : "at most %.0f W", (double)most * M.power_unit);
	if (window) {		/* encoded like the windows of limits */
		buf_item(b, begin, " (", ", ");
		buf_printf(b, "%f sec.", window_seconds(window));
	}
	buf_puts(b, b->len > begin ? ")" : "");
}

static void print_rapl_units(UNUSED const struct line_at *at, struct buf *b)
{
	buf_printf(b, " (%f Watts, %f Joules, %f sec.)", M.power_unit, M.rapl_unit[ENERGY_UNIT],
		   M.rapl_unit[TIME_UNIT]);
}

/*
 * The limit of a domain, or both of the package.  Windows are as in SDM 3B; on Silvermont seconds,
 * of cores up to 10 fives of them (SDM 4, bits 23:17; 0 is 1 s), and PL2 has none.
 */
static void print_limits(const struct line_at *at, struct buf *b)
{
	bool package = at->line->msr == MSR_PKG_POWER_LIMIT, seconds = has_quirk(ENERGY_UJ);
	int limits = package && has_limit_in_register(PL2) ? 2 : 1;

	for (int i = 0; i < limits; i++) {
		const char *name = i ? "PKG Limit #2" : at->line->arg;
		u64 v = i ? FIELD(at->value, POWER_LIMIT_2) : at->value;
		u64 limit = FIELD(v, POWER_LIMIT_POWER), code = FIELD(v, POWER_LIMIT_WINDOW);
		double window = seconds ? 0 : window_seconds(code);
		bool enabled = FIELD(v, POWER_LIMIT_ENABLE);

		if (seconds && !i && (package || code <= 10))
			window = code ? (double)code * (package ? 1 : 5) : 1;
		buf_printf(b, "\ncpu%d: %s: %sabled (", at->cpu, name, enabled ? "EN" : "DIS");
		if (enabled && is_no_limit(limit))
			buf_puts(b, "no limit, ");
		else if (enabled)
			buf_printf(b, "%0.3f Watts, ", (double)limit * M.power_unit);
		if (enabled && window > 0)
			buf_printf(b, "%f%s sec, ", window, i ? "*" : "");
		buf_printf(b, "clamp %sabled)", FIELD(v, POWER_LIMIT_CLAMP) ? "EN" : "DIS");
	}
}

/* PL4 (SDM 4, table 2-39): Watts on clients since Skylake, as firmware sets it; else 0.125 A. */
static void print_pl4(const struct line_at *at, struct buf *b)
{
	double limit = (double)FIELD(at->value, VR_CURRENT_LIMIT);
	const char *text = limit < 1 ? "not set"
			   : limit >= VR_CURRENT_NONE ? "no limit"
			   : has_quirk(PL4_WATTS) ? pathf("%f Watts", limit * M.power_unit)
						  : pathf("%f Amps", limit * 0.125);

	if (!has_quirk(PL4_DUMMY))
		buf_printf(b, "cpu%d: MSR_VR_CURRENT_CONFIG: 0x%08llx\n"
			   "cpu%d: PKG Limit #4: %s (%slocked)\n", at->cpu, at->value, at->cpu,
			   text, FIELD(at->value, VR_CURRENT_LOCKED) ? "" : "UN");
}

/* --- temperatures --- */

/* Is a counter a temperature relative to TjMax? */
static bool is_temperature(int k)
{
	const struct way *w = T.counter[k].chosen;

	return (k == CT_CORE_TEMP || k == CT_PKG_TEMP) && w && w->kind == BY_MSR;
}

/* Notes that temperatures are relative to a guess. */
static void note_tjmax(void)
{
	if (M.tjmax_guessed && M.has & (F(DTS) | F(PTM)) &&
	    (is_temperature(CT_CORE_TEMP) || is_temperature(CT_PKG_TEMP)))
		note(0, "cannot read TjMax: assuming 100 C (set it with --TCC)");
}

/* TjMax of a package, and where it throttles.  Readouts are relative to TjMax. */
static void print_tcc_target(const struct line_at *at, struct buf *b)
{
	u64 v = O.tcc ? 0 : tcc_target(at->cpu), target = FIELD(v, TEMPERATURE_TARGET_TJMAX);

	if (!(M.has & (F(DTS) | F(PTM))))
		return;
	if (O.tcc)
		buf_printf(b, "cpu%d: Using cmdline TCC Target (%llu C)\n", at->cpu, O.tcc);
	if (!target)
		return;
	buf_printf(b, "cpu%d: MSR_IA32_TEMPERATURE_TARGET: 0x%08llx (%.0f C)", at->cpu, v,
		   throttle_of(v));
	if (M.platform->fsb_codes && tcc_offset(v))
		buf_printf(b, " (offset %d)", tcc_offset(v));
	else if (has_tcc_offset())
		buf_printf(b, " (%llu default - %d offset)", target, tcc_offset(v));
	buf_puts(b, "\n");
}

/* The temperature of a package, or of a core with its resolution, if it is valid. */
static void print_readout(const struct line_at *at, struct buf *b)
{
	bool package = at->line->msr == MSR_IA32_PACKAGE_THERM_STATUS;
	int celsius = M.tjmax[lead_of(PACKAGE, at->row)] - readout(at->value, package);

	if (FIELD(at->value, THERM_VALID))
		buf_printf(b, package ? " (%d C)" : " (%d C +/- %llu)", celsius,
			   FIELD(at->value, THERM_RESOLUTION));
}

/* The temperatures that raise an interrupt, second threshold first. */
static void print_thresholds(const struct line_at *at, struct buf *b)
{
	int tjmax = M.tjmax[lead_of(PACKAGE, at->row)];
	u64 on[] = { FIELD(at->value, THERM_INT_ENABLE2), FIELD(at->value, THERM_INT_ENABLE1) };
	u64 below[] = { FIELD(at->value, THERM_INT_THRESHOLD2),
			FIELD(at->value, THERM_INT_THRESHOLD1) };

	if (!on[0] && !on[1])
		buf_puts(b, " (thresholds off");
	for (int i = 0; i < 2 && (on[0] || on[1]); i++)
		buf_printf(b, on[i] ? "%s%d C" : "%soff", i ? ", " : " (", tjmax - (int)below[i]);
	buf_puts(b, ")");
}

/* Appends "TITLE: TEXT (cpus SET), ..." of the CPUs that have a text, and frees the texts. */
static void print_texts(struct buf *b, const char *title, char *text[MAX_CPU])
{
	size_t begin = b->len;

	for (int cpu = 0; cpu < MAX_CPU; cpu++) {
		struct cpuset same = { .w = { 0 } };

		if (!text[cpu])
			continue;
		for (int other = cpu; other < MAX_CPU; other++)
			if (text[other] && !strcmp(text[other], text[cpu]))
				set_add(&same, other);
		buf_item(b, begin, title, ", ");
		buf_printf(b, "%s (cpus %s)", text[cpu], set_text(&same));
		for_each_cpu(other, &same) {
			free(text[other]);
			text[other] = NULL;
		}
	}
	buf_end_line(b, begin);
}

/* The CPUs of each core type and of each NUMA node, if there are several. */
static void report_groups(UNUSED const struct line_at *at, struct buf *b)
{
	char *type[MAX_CPU] = { 0 }, *node[MAX_CPU] = { 0 };

	for (int row = 0; row < M.n; row++) {
		if (M.show_id[ID_TYPE])
			type[M.cpu[row]] = textf("%c", M.id[ID_TYPE][row]);
		if (M.units[NODE] > 1)
			node[M.cpu[row]] = textf("node%d", M.id[ID_NODE][row]);
	}
	print_texts(b, "Core types: ", type);
	print_texts(b, "NUMA: ", node);
}

/* The values of a cpufreq file, each with its CPUs. */
static void print_policies(const struct line_at *at, struct buf *b)
{
	char *value[MAX_CPU] = { 0 };

	for_each_cpu(cpu, &M.allowed) {
		const char *s = src_line(cpu_path(cpu, at->line->file));

		value[cpu] = s ? textf("%s", s) : NULL;
	}
	print_texts(b, at->line->arg, value);
}

/* Words of log bits: therm_pairs() of a package and its cores; pair 2: critical temperature. */
static const char *const log_words[] = { "thermal", "PROCHOT", "critical temperature", NULL, NULL,
					 "power limit", "current limit", "cross-domain limit" };

enum { CRITICAL = 1 << 2 };	/* the pair that is no cause of a low clock */

/* Notes the CPUs of a package whose cores logged each pair.  Returns those of the package. */
static u64 find_logged(int lead, struct cpuset cpus[ARRAY_SIZE(log_words)])
{
	const struct members *of = members_of(CPU, CORE);
	u64 of_package = 0, logged, v;

	if (has(F(PTM)) && !src_msr(M.cpu[lead], MSR_IA32_PACKAGE_THERM_STATUS, &v))
		of_package = FIELD(therm_limits(v), LIMIT_LOGGED) & (therm_pairs(true) | CRITICAL);
	for (int row = 0; row < M.n; row++) {
		if (!leads_unit(CORE, row) || lead_of(PACKAGE, row) != lead || !has(F(DTS)) ||
		    src_msr(M.cpu[row], MSR_IA32_THERM_STATUS, &v))
			continue;
		logged = FIELD(therm_limits(v), LIMIT_LOGGED) & (therm_pairs(false) | CRITICAL);
		for (int k = of->first[M.in[CORE][row]]; k < of->first[M.in[CORE][row] + 1]; k++)
			for (size_t i = 0; i < ARRAY_SIZE(log_words); i++)
				if (logged >> i & 1)
					set_add(&cpus[i], M.unit[CPU][of->unit[k]].cpu);
	}
	return of_package;
}

/* Appends the words that a package, or some of its cores, have logged. */
static void print_logged(struct buf *b, u64 of_package, const struct cpuset *cpus)
{
	size_t begin = b->len;

	for (size_t i = 0; i < ARRAY_SIZE(log_words); i++) {
		bool whole = of_package >> i & 1;

		if (!log_words[i] || !(whole || set_count(&cpus[i])))
			continue;
		buf_item(b, begin, "", ", ");
		buf_puts(b, log_words[i]);
		if (!whole)
			buf_printf(b, " (cpus %s)", set_text(&cpus[i]));
	}
}

/* Log bits by package (SDM 4): set until reset, even across kexec, or until they are cleared. */
static void report_limit_log(UNUSED const struct line_at *at, struct buf *b)
{
	size_t begin = b->len;

	for (int row = 0; row < M.n; row++) {
		struct cpuset cpus[ARRAY_SIZE(log_words)] = { { .w = { 0 } } };
		struct buf words SCOPED(buf) = { 0 };

		if (!leads_unit(PACKAGE, row) || !has(F(INTEL)))
			continue;
		print_logged(&words, find_logged(row, cpus), cpus);
		if (!words.len)
			continue;
		buf_item(b, begin, "Limits logged (since reset or last cleared): ", "; ");
		buf_printf(b, "package %d: %s", M.id[ID_PACKAGE][row], words.p);
	}
	buf_end_line(b, begin);
}

/* Appends how often and how long a package or all cores were too hot, and the worst core. */
static void print_throttled(struct buf *b, size_t begin, enum scope scope, int row, int end)
{
	static const char file[] = SYS_CPU "cpu%d/thermal_throttle/%s_throttle_%s";
	u64 events = 0, total = 0, most = 0, n, ms;
	int package = M.id[ID_PACKAGE][row], cpu = 0;

	for (; row < end; row++) {
		if (!leads_unit(scope, row) ||
		    src_number(pathf(file, M.cpu[row], scope_names[scope], "count"), &n) || !n)
			continue;
		events += n;
		if (!src_number(pathf(file, M.cpu[row], scope_names[scope], "total_time_ms"), &ms))
			total += ms;
		if (n > most) {
			most = n;
			cpu = M.cpu[row];
		}
	}
	if (!events)
		return;
	buf_item(b, begin, "Throttled since boot: ", "; ");
	buf_printf(b, scope == CORE ? "cores" : "package %d", package);
	buf_printf(b, ": %llu event%s", events, events == 1 ? "" : "s");
	if (total)
		buf_printf(b, ", %llu ms", total);
	if (scope == CORE)
		buf_printf(b, " (cpu%d: %llu)", cpu, most);
}

static void report_throttling(UNUSED const struct line_at *at, struct buf *b)
{
	struct interrupt_counts counts SCOPED(interrupt_counts) =
		count_interrupts(src_whole(-1, "/proc/interrupts") ?: "", NONE);
	const struct interrupt_count *thermal = find_interrupt(&counts, "TRM");
	size_t begin = b->len;

	if (thermal && !thermal->n)
		return;		/* without thermal interrupts, all these files contain 0 */
	for (int row = 0; row < M.n; row++)
		print_throttled(b, begin, PACKAGE, row, row + 1);
	print_throttled(b, begin, CORE, 0, M.n);
	buf_end_line(b, begin);
}

/* TPMI's reasons by domain, and those that only some of its CPUs have. */
static void report_tpmi_limits(UNUSED const struct line_at *at, struct buf *b)
{
	struct names files SCOPED(names) =
		list_matches("/sys/kernel/debug/tpmi-*/plr/domain*/status");

	for (size_t i = 0; i < files.n; i++) {
		const char *where = files.name[i] + strlen("/sys/kernel/debug/");
		char *text = src_whole(-1, files.name[i]), *reasons[MAX_CPU] = { 0 };
		struct tpmi_line line;

		while (next_tpmi_line(&text, &line))
			if (*line.words && line.cpu != NONE && !reasons[line.cpu])
				reasons[line.cpu] = textf("%s", line.words);
			else if (*line.words)
				buf_printf(b, "%s: logged: %s\n", where, line.words);
		print_texts(b, pathf("%s: logged: ", where), reasons);
	}
}

/* Returns perf's first name of an event. */
static const char *perf_name_of(const struct way *w)
{
	const struct perf_name *p = perf_names;

	while (strcmp(p->type, w->pmu) || p->config != w->config)
		p++;
	return p->name;
}

static const char *const l2_words[] = { "references", "hits", "misses" };	/* L2_REFS, ... */

static void print_way(struct buf *b, const struct way *w)
{
	static const char *const modes[] = { "", ", user", ", kernel" };

	switch (w->kind) {
	case BY_PERF:
		if (w->event && is_tracepoint(w))
			buf_printf(b, "perf %s", w->event);
		else if (w->event)
			buf_printf(b, "perf %s/%s/", w->pmu, w->event);
		else if (find_word(w->pmu, perf_types, ARRAY_SIZE(perf_types)) >= 0)
			buf_printf(b, "perf %s", perf_name_of(w));
		else
			buf_printf(b, "perf %s, this model's L2 %s", w->pmu, l2_words[w->config]);
		buf_puts(b, modes[w->mode]);
		buf_puts(b, w->task ? ", task" : "");
		break;
	case BY_MSR: buf_printf(b, "MSR 0x%x", w->msr); break;
	case BY_FILE: buf_printf(b, "%s%s", *w->path == '/' ? "" : SYS_CPU "cpuN/", w->path); break;
	case BY_PMT:
		buf_printf(b, "telemetry, offset %u, bits %u:%u", w->offset, w->msb, w->lsb);
		break;
	default: buf_puts(b, way_kinds[w->kind].words);
	}
}

/* Describes the source of a counter; if files were searched, the first one that was found. */
static void print_source(struct buf *b, const struct counter *c, bool named)
{
	const struct way *w = c->chosen;
	u32 i = 0;

	while (i < P.nsources && P.source[i].way != w)
		i++;
	if (w && w->find && i < P.nsources)
		buf_puts(b, P.source[i].path);
	else if (w && named && w->kind == BY_MSR && w->event)
		buf_printf(b, "%s (MSR 0x%x)", text_after(w->event, "MSR_"), w->msr);
	else if (w)
		print_way(b, w);
}

static void report_energy_sources(UNUSED const struct line_at *at, struct buf *b)
{
	static const struct { enum counter_id k; const char *name;
	} domains[] = {
		{ CT_PKG_ENERGY, "package" }, { CT_CORE_ENERGY, "core" },
		{ CT_PP0_ENERGY, "cores" },   { CT_PP1_ENERGY, "graphics" },
		{ CT_DRAM_ENERGY, "dram" },   { CT_PSYS_ENERGY, "psys" },
	};
	size_t begin = b->len;

	for (size_t i = 0; i < ARRAY_SIZE(domains); i++) {
		const struct counter *c = &T.counter[domains[i].k];

		if (!c->chosen)
			continue;
		buf_item(b, begin, "Energy: ", ", ");
		buf_printf(b, "%s from ", domains[i].name);
		print_source(b, c, false);
	}
	buf_end_line(b, begin);
}

/* --- the header --- */

static void report_topology(struct buf *b)
{
	buf_printf(b, "online cpus: %s\n", set_text(&M.online));
	buf_printf(b, "measured cpus: %s\n", set_text(&M.allowed));
	for (int row = 0; row < M.n; row++)
		buf_printf(b, "cpu %d pkg %d die %d l3 %d node %d module %d core %d leads%s%s%s\n",
			   M.cpu[row], M.id[ID_PACKAGE][row], M.id[ID_DIE][row], M.id[ID_L3][row],
			   M.id[ID_NODE][row], M.id[ID_MODULE][row], M.id[ID_CORE][row],
			   leads_unit(PACKAGE, row) ? " package" : "",
			   leads_unit(DIE, row) ? " die" : "",
			   leads_unit(CORE, row) ? " core" : "");
}

struct header_row {
	enum scope each;	/* TYPE: types that no package begins with; CORE: for --debug */
	const struct line *lines;	/* ended by { 0 } */
};
#define LINES(each, ...)	{ each, (const struct line[]){ __VA_ARGS__, { 0 } } }
#define CODE(needs, f)		{ 0, needs, "", f }
#define REGISTER(msr, needs, text, ...)	{ msr, needs, #msr ": #" text, __VA_ARGS__ }

/* Texts and arguments that several lines share. */
#define CONFIG_TDP_TEXT(l) " (PKG_MIN_PWR_LVL" l "=" D(CONFIG_TDP_LEVEL_MIN) \
	" PKG_MAX_PWR_LVL" l "=" D(CONFIG_TDP_LEVEL_MAX) " LVL" l "_RATIO=" \
	D(CONFIG_TDP_LEVEL_RATIO) " PKG_TDP_LVL" l "=" D(CONFIG_TDP_LEVEL_TDP) \
	WATTS(CONFIG_TDP_LEVEL_TDP) ")"
#define HWP_CAPABILITIES_TEXT " (high " D(HWP_CAP_HIGHEST) " guar " D(HWP_CAP_GUARANTEED) \
	" eff " D(HWP_CAP_EFFICIENT) " low " D(HWP_CAP_LOWEST) ")"
#define HWP_REQUEST_TEXT " (min " D(HWP_REQ_MIN) " max " D(HWP_REQ_MAX) \
	" des " D(HWP_REQ_DESIRED) " epp " X(HWP_REQ_EPP) " window " X(HWP_REQ_WINDOW)
#define REASONS(name, table)	"MSR_" name "_PERF_LIMIT_REASONS, # ", print_limit_reasons, &(table)
#define IRTL_TEXT	" ({? " STRING(IRTL_VALID) ":|NOT}valid, {i 12, 0} ns)"
#define LOCKED_TEXT	" ({? " STRING(POWER_LIMIT_LOCKED) ":|UN}locked)"
#define AWAKE(f)	(F(RAPL_AWAKE) | F(f))
#define TDP_LEVELS	(F(CONFIG_TDP) | F(TURBO))

/* The header.  To find a line, search for its words. */
static const struct header_row header_table[] = {
	/* clang-format off */
	LINES(SYSTEM,
		{ 0, 0, "Kernel command line: #", .file = "/proc/cmdline" },
		CODE(0, report_identity),
		REGISTER(MSR_IA32_MISC_ENABLE, F(INTEL), " (" OFF(MISC_ENABLE_TCC, "No-") "TCC " OFF(MISC_ENABLE_EIST, "No-") "EIST "
		  OFF(MISC_ENABLE_MWAIT, "No-") "MWAIT " ON(MISC_ENABLE_PREFETCH_DISABLE, "No-") "PREFETCH", print_turbo_switch),
		CODE(0, report_leaf7),
		{ MSR_IA32_FEAT_CTL, F(SGX), "MSR_IA32_FEATURE_CONTROL: # (" OFF(FEAT_CTL_LOCKED, "UN-") "Locked " ON(FEAT_CTL_SGX_ENABLED, "SGX") ")" },
		CODE(0, report_clocks),
		REGISTER(MSR_PLATFORM_INFO, F(PLATFORM_INFO), MHZ(PLATFORM_INFO_MIN_RATIO, "max efficiency frequency")
		  MHZ(PLATFORM_INFO_BASE_RATIO, "base frequency"), .unless_zero = true),
		/* Silvermont uses the lower half */
		{ MSR_ATOM_CORE_RATIOS, 0, "MSR_ATOM_CORE_RATIOS: {# 31, 0}" MHZ(ATOM_RATIO_MIN, "minimum operating frequency")
		  MHZ(ATOM_RATIO_LFM, "low frequency mode (LFM)") MHZ(ATOM_RATIO_BASE, "base frequency"), .turbo = TURBO_ATOM },
		CODE(0, report_turbo),
		REGISTER(MSR_CONFIG_TDP_NOMINAL, TDP_LEVELS, " (base_ratio=" D(CONFIG_TDP_BASE_RATIO) ")", .unless_zero = true),
		REGISTER(MSR_CONFIG_TDP_LEVEL_1, TDP_LEVELS, CONFIG_TDP_TEXT("1"), .unless_zero = true),
		REGISTER(MSR_CONFIG_TDP_LEVEL_2, TDP_LEVELS, CONFIG_TDP_TEXT("2"), .unless_zero = true),
		REGISTER(MSR_CONFIG_TDP_CONTROL, TDP_LEVELS, " (" UNLESS_0(CONFIG_TDP_CONTROL_LEVEL, "TDP_LEVEL=") " lock=" D(CONFIG_TDP_CONTROL_LOCKED) ")"),
		REGISTER(MSR_TURBO_ACTIVATION_RATIO, TDP_LEVELS, " (MAX_NON_TURBO_RATIO=" D(TURBO_ACTIVATION_MAX) " lock=" D(TURBO_ACTIVATION_LOCKED) ")"),
		{ 0, 0, "cpufreq driver: #", .file = "cpufreq/scaling_driver" },
		{ 0, 0, "cpufreq governor: #", .file = "cpufreq/scaling_governor" },
		{ 0, 0, "cpufreq boost: #", .file = SYS_CPU "cpufreq/boost" },
		{ 0, 0, "cpufreq intel_pstate no_turbo: #", .file = SYS_CPU "intel_pstate/no_turbo" },
		CODE(0, report_policy_clocks),
		CODE(F(AMD), report_amd_clocks),
		{ 0, F(AMD), "amd_pstate: #", .file = SYS_CPU "amd_pstate/status" },
		REGISTER(MSR_AMD_CPPC_CAP1, F(AMD), " (high " D(CPPC_CAP_HIGHEST) " nominal " D(CPPC_CAP_NOMINAL)
		  " low-nonlinear " D(CPPC_CAP_LOW_NONLINEAR) " low " D(CPPC_CAP_LOWEST) ")", .unless_zero = true),
		REGISTER(MSR_AMD_CPPC_REQ, F(AMD), " (min " D(CPPC_REQ_MIN) " max " D(CPPC_REQ_MAX) " des " D(CPPC_REQ_DESIRED)
		  " epp " X(CPPC_REQ_EPP) ")", .unless_zero = true),
		REGISTER(MSR_MISC_PWR_MGMT, F(PWR_MGMT), " (" IF(PWR_MGMT_EIST_COORD_DISABLE, "DIS", "EN") "able-EIST_Coordination "
		  IF(PWR_MGMT_EPB_ENABLE, "EN", "DIS") "able-EPB " IF(PWR_MGMT_OOB, "EN", "DIS") "able-OOB)")),
	LINES(PACKAGE,
		REGISTER(MSR_PM_ENABLE, F(HWP), " (" OFF(PM_ENABLE_HWP, "No-") "HWP)", .opens = true),
		REGISTER(MSR_HWP_CAPABILITIES, F(HWP), HWP_CAPABILITIES_TEXT),
		REGISTER(MSR_HWP_REQUEST, F(HWP), HWP_REQUEST_TEXT " pkg " X(HWP_REQ_PKG_CONTROL) ")"),
		REGISTER(MSR_HWP_REQUEST_PKG, F(HWP) | F(HWP_PKG), HWP_REQUEST_TEXT ")"),
		REGISTER(MSR_HWP_INTERRUPT, F(HWP) | F(HWP_NOTIFY), " (" IF(HWP_INT_GUARANTEED, "EN", "Dis") "_Guaranteed_Perf_Change, "
		  IF(HWP_INT_EXCURSION, "EN", "Dis") "_Excursion_Min" ON(HWP_INT_HIGHEST, ", EN_Highest_Perf_Change") ON(HWP_INT_PECI, ", EN_PECI_Override") ")"),
		REGISTER(MSR_HWP_STATUS, F(HWP), " (" OFF(HWP_STATUS_GUARANTEED, "No-") "Guaranteed_Perf_Change, " OFF(HWP_STATUS_EXCURSION, "No-") "Excursion_Min)")),
	LINES(TYPE,
		{ MSR_PM_ENABLE, F(HWP), "", .opens = true },
		REGISTER(MSR_HWP_CAPABILITIES, F(HWP), HWP_CAPABILITIES_TEXT " ({t}-core)")),
	LINES(PACKAGE, { 0, F(EPB), "", print_epb }),
	LINES(PACKAGE,
		{ MSR_CORE_PERF_LIMIT_REASONS, F(LIMIT_CORE), REASONS("CORE", core_reasons) },
		{ MSR_CORE_PERF_LIMIT_REASONS, F(LIMIT_EP), REASONS("CORE", server_reasons) },
		{ MSR_GFX_PERF_LIMIT_REASONS, F(LIMIT_GFX), REASONS("GFX", gfx_reasons) },
		{ MSR_RING_PERF_LIMIT_REASONS, F(LIMIT_RING), REASONS("RING", ring_reasons) },
		{ MSR_SKL_CORE_PERF_LIMIT_REASONS, F(LIMIT_SKL), REASONS("CORE", skl_core_reasons) },
		{ MSR_GFX_PERF_LIMIT_REASONS, F(LIMIT_SKL_GT), REASONS("GFX", skl_gfx_reasons) },
		{ MSR_RING_PERF_LIMIT_REASONS, F(LIMIT_SKL_GT), REASONS("RING", skl_ring_reasons) }),
	LINES(SYSTEM,
		REGISTER(MSR_IA32_POWER_CTL, F(PLATFORM_INFO), " (C1E auto-promotion: " IF(POWER_CTL_C1E_PROMOTION, "EN", "DIS") "abled)"),
		{ MSR_IA32_POWER_CTL, F(PLATFORM_INFO), "", print_bd_prochot },
		{ MSR_IA32_POWER_CTL, F(PLATFORM_INFO) | F(PREWAKE), "C-state Pre-wake: " IF(POWER_CTL_PREWAKE_DISABLE, "DIS", "EN") "abled", .bare = true },
		REGISTER(MSR_PKG_CST_CONFIG_CONTROL, F(PLATFORM_INFO), " (" ON(PKG_CST_UNDEMOTE_C3, "UNdemote-C3, ") ON(PKG_CST_UNDEMOTE_C1, "UNdemote-C1, ")
		  ON(PKG_CST_DEMOTE_C3, "demote-C3, ") ON(PKG_CST_DEMOTE_C1, "demote-C1, ") OFF(PKG_CST_LOCKED, "UN") "locked, pkg-cstate-limit=", print_cst_limit),
		REGISTER(MSR_CC6_DEMOTION_POLICY_CONFIG, F(C6_DEMOTION), " (" IF(DEMOTION_ENABLED, "EN", "DIS") "able-CC6-Demotion)"),
		REGISTER(MSR_MC6_DEMOTION_POLICY_CONFIG, F(C6_DEMOTION), " (" IF(DEMOTION_ENABLED, "EN", "DIS") "able-MC6-Demotion)"),
		CODE(0, report_dma_latency),
		{ 0, 0, "current_driver: #", .file = SYS_CPU "cpuidle/current_driver" },
		{ 0, 0, "current_governor: #", .file = SYS_CPU "cpuidle/current_governor" },
		{ 0, 0, "current_governor_ro: #", .file = SYS_CPU "cpuidle/current_governor_ro" },
		CODE(0, report_idle_states),
		REGISTER(MSR_PKGC3_IRTL, F(IRTL) | F(PC3), IRTL_TEXT),
		REGISTER(MSR_PKGC6_IRTL, F(IRTL) | F(PC6), IRTL_TEXT),
		REGISTER(MSR_PKGC7_IRTL, F(IRTL) | F(PC7), IRTL_TEXT),
		REGISTER(MSR_PKGC8_IRTL, F(IRTL) | F(PC8), IRTL_TEXT),
		REGISTER(MSR_PKGC9_IRTL, F(IRTL) | F(PC9), IRTL_TEXT),
		REGISTER(MSR_PKGC10_IRTL, F(IRTL) | F(PC10), IRTL_TEXT),
		CODE(F(INTEL), report_uncore),
		CODE(0, report_powercap)),
	LINES(PACKAGE,
		REGISTER(MSR_RAPL_POWER_UNIT, F(INTEL) | AWAKE(RAPL_PKG), "", print_rapl_units),
		{ MSR_AMD_RAPL_POWER_UNIT, AWAKE(AMD_RAPL), "MSR_RAPL_PWR_UNIT: #", print_rapl_units },
		REGISTER(MSR_PKG_POWER_INFO, AWAKE(RAPL_PKG_INFO), "", print_power_info, .unless_zero = true),
		REGISTER(MSR_PKG_POWER_LIMIT, AWAKE(RAPL_PKG), " (" OFF(PKG_POWER_LIMIT_LOCKED, "UN") "locked)", print_limits, "PKG Limit #1"),
		{ MSR_VR_CURRENT_CONFIG, AWAKE(RAPL_PKG), "", print_pl4 },
		REGISTER(MSR_DRAM_POWER_INFO, AWAKE(RAPL_DRAM_INFO), "", print_power_info, .unless_zero = true),
		REGISTER(MSR_DRAM_POWER_LIMIT, AWAKE(RAPL_DRAM), LOCKED_TEXT, print_limits, "DRAM Limit"),
		{ MSR_PP0_POLICY, AWAKE(RAPL_PP0_POLICY), "MSR_PP0_POLICY: " D(RAPL_POLICY) },
		REGISTER(MSR_PP0_POWER_LIMIT, AWAKE(RAPL_PP0_LIMIT), LOCKED_TEXT, print_limits, "Cores Limit"),
		{ MSR_PP1_POLICY, AWAKE(RAPL_PP1), "MSR_PP1_POLICY: " D(RAPL_POLICY) },
		REGISTER(MSR_PP1_POWER_LIMIT, AWAKE(RAPL_PP1), LOCKED_TEXT, print_limits, "GFX Limit")),
	LINES(PACKAGE, { 0, 0, "", print_tcc_target }),
	LINES(PACKAGE,
		REGISTER(MSR_IA32_PACKAGE_THERM_STATUS, F(PTM), "", print_readout),
		REGISTER(MSR_IA32_PACKAGE_THERM_INTERRUPT, F(PTM), "", print_thresholds)),
	LINES(CORE,
		REGISTER(MSR_IA32_THERM_STATUS, F(DTS), "", print_readout),
		REGISTER(MSR_IA32_THERM_INTERRUPT, F(DTS), "", print_thresholds)),
	LINES(SYSTEM,
		REGISTER(MSR_MISC_FEATURE_CONTROL, F(PREFETCH), " (" ON(PREFETCH_L2_DISABLE, "No-") "L2-Prefetch " ON(PREFETCH_L2_PAIR_DISABLE, "No-") "L2-Prefetch-pair "
		  ON(PREFETCH_L1_DISABLE, "No-") "L1-Prefetch " ON(PREFETCH_L1_IP_DISABLE, "No-") "L1-IP-Prefetch)"),
		CODE(0, report_groups),
		{ 0, 0, "", print_policies, "EPP: ", .file = "cpufreq/energy_performance_preference" },
		/* the cores with the highest boost, by amd_pstate's ranking */
		{ 0, F(AMD), "", print_policies, "Preferred cores: ", .file = "cpufreq/amd_pstate_prefcore_ranking" },
		CODE(F(INTEL), report_limit_log),
		CODE(F(INTEL), report_throttling),
		CODE(F(INTEL), report_tpmi_limits),
		CODE(0, report_energy_sources)),
	/* clang-format on */
};

static void report_header(struct buf *b)
{
	for (size_t i = 0; i < ARRAY_SIZE(header_table); i++)
		for_each_cpu(cpu, &M.allowed) {
			enum scope each = header_table[i].each;
			int row = M.row[cpu];

			if (leads_unit(each, row) && (each != CORE || O.debug) &&
			    (each != TYPE || !leads_unit(PACKAGE, row)))
				print_lines(b, header_table[i].lines, row);
		}
}

/* ======================================================================== *
 * 21. EXPLAIN
 *
 * Where columns come from, why others are absent, and how to get those: for --explain and for
 * notes.  Invariant: a remedy is named only where it helps.
 * ======================================================================== */

#define OWN_STATUS	"/proc/self/status"	/* the user, capabilities, the seccomp mode */

enum { PERFMON = 38 };	/* CAP_PERFMON, which headers before Linux 5.8 do not name */

/* --- causes --- */

/* Facts that select a row of cause_table[]: about this process, and about one way to a counter. */
enum {
	IF_REPLAY	= 1 << 0,
	IF_ROOT		= 1 << 1,	/* by the effective user */
	IF_PERFMON	= 1 << 2,	/* has the capability that perf events need */
	IF_RAWIO	= 1 << 3,	/* has CAP_SYS_RAWIO */
	IF_OLD		= 1 << 4,	/* before Linux 5.8: CAP_SYS_ADMIN, not CAP_PERFMON */
	IF_STRICT	= 1 << 5,	/* a perf_event_paranoid at which no capability counts */
	IF_ADDED	= 1 << 6,	/* by the user */
	IF_GUEST	= 1 << 7,	/* the hypervisor decides */
	IF_AMD		= 1 << 8,
	IF_PMU		= 1 << 9,	/* the event's PMU is here */
	IF_CORE_PMU	= 1 << 10,	/* the event is of a core or a memory controller */
	IF_STATES	= 1 << 11,	/* some PMU counts idle states */
	IF_SENSORS	= 1 << 12,
	IF_CLUSTERS	= 1 << 13,
	IF_FILTER	= 1 << 14,	/* a seccomp filter refuses system calls */
	IF_TASK		= 1 << 15,	/* the event counts a command */
	IF_BY_MODE	= 1 << 16,	/* and could count its user mode alone, but does not */
	IF_MEMORY	= 1 << 17,	/* some PMU is of memory controllers */
	IF_UNRECORDED	= 1 << 18,	/* the recording that is replayed has no answer */
};

/*
 * Why a column is absent.  If several causes apply, the lowest rank is reported.  Below NO_DRIVER a
 * right, an option or a driver helps.
 */
enum rank { PRESENT, LEFT_OUT, PERF_RIGHT, MSR_RIGHT, NO_REGISTER, OPTION, MSR_DRIVER, DRIVER,
	    NO_DRIVER, FACT, OF_GUEST, NOWHERE };
struct verdict {
	enum rank rank;
	const char *text;	/* "CAUSE", or "CAUSE; COMMAND" if a command is a remedy */
};
#define VERDICT(...)	((struct verdict){ __VA_ARGS__ })

/* The first row that fits says why a way was not taken.  fill_words() replaces $x. */
#define NEEDS_RIGHT		"needs CAP_$N"
#define PERF_REFUSED(is, ...)	{ BY_PERF, NULL, EPERM, is, 0, { __VA_ARGS__ } }
#define NO_MSRS(is, not, ...)	{ BY_MSR, NULL, ENODEV, is, not, { __VA_ARGS__ } }
#define MSRS_REFUSED(is, not, ...) { BY_MSR, NULL, EPERM, is, not, { __VA_ARGS__ } }
#define EVENTS(place, is, not, ...)	{ BY_PERF, place, 0, is, not, { __VA_ARGS__ } }
#define FILES(place, is, not, ...)	{ BY_FILE, place, 0, is, not, { __VA_ARGS__ } }
#define NO_MEMORY_PMU	\
	"no memory controller PMU (Intel: uncore_imc; AMD: amd_umc, Zen 4 and Linux 6.7)"
#define OF_USER(kind, err, is, ...) { kind, NULL, err, IF_ADDED | (is), 0, { FACT, __VA_ARGS__ } }
static const struct cause_row {
	enum way_kind kind;	/* NO_WAY = any */
	const char *place;	/* its PMU or file begins with this; NULL = any */
	int err;		/* 0 = any */
	unsigned is, not;	/* facts that must hold, and must not */
	struct verdict verdict;
} cause_table[] = {
	/* clang-format off */
	/* not on this platform, or not announced to this guest */
	{ 0, NULL, ENOTSUP, IF_GUEST, 0, { OF_GUEST, "the hypervisor does not provide it" } },
	{ 0, NULL, ENOTSUP, 0, IF_ADDED, { NOWHERE } },

	{ BY_PERF, NULL, EXDEV, 0, 0, { LEFT_OUT, "its PMU counts on $M, which --cpu only: leaves out" } },
	{ 0, NULL, EXDEV, 0, IF_ADDED, { FACT, "some CPUs are offline" } },
	{ 0, NULL, EDOM, 0, IF_ADDED, { FACT, "the base frequency is not known" } },
	{ BY_PERF, NULL, ECANCELED, 0, 0, { OPTION, "--no-perf excludes it" } },
	PERF_REFUSED(IF_REPLAY, PERF_RIGHT, "perf events were refused when this was recorded$F"),
	PERF_REFUSED(IF_ROOT | IF_PERFMON, FACT, "perf events are refused even to root$F"),
	PERF_REFUSED(IF_ROOT, PERF_RIGHT, "root may not use perf events in this container$F; --cap-add $N for the container"),
	PERF_REFUSED(IF_PERFMON | IF_STRICT, PERF_RIGHT, "perf events are refused despite the capability$F; sudo sysctl kernel.perf_event_paranoid=2"),
	PERF_REFUSED(IF_PERFMON, PERF_RIGHT, "perf events are refused despite the capability$F"),
	PERF_REFUSED(IF_STRICT, PERF_RIGHT, "perf events need CAP_$N$F; sudo sysctl kernel.perf_event_paranoid=2, then sudo setcap $Ccap_$n=ep $S; or run it as root"),
	{ BY_PERF, NULL, EPERM, IF_TASK | IF_BY_MODE, IF_FILTER, { PERF_RIGHT, NEEDS_RIGHT "; with the word user it needs no rights" } },
	{ BY_PERF, NULL, EPERM, IF_TASK, IF_FILTER, { PERF_RIGHT, NEEDS_RIGHT } },
	PERF_REFUSED(0, PERF_RIGHT, "perf events need CAP_$N$F; sudo setcap $Ccap_$n=ep $S"),

	{ BY_MSR, NULL, ECANCELED, 0, 0, { OPTION, "--no-msr excludes it" } },
	{ BY_PERF, NULL, EBUSY, 0, 0, { FACT, "$E" } },
	{ BY_PERF, NULL, ENOSPC, 0, 0, { FACT, "$E" } },
	{ 0, NULL, EMFILE, 0, 0, { MSR_RIGHT, "too few file descriptors; ulimit -n 65536" } },
	{ BY_FILE, NULL, EACCES, 0, IF_ADDED | IF_ROOT | IF_REPLAY, { MSR_RIGHT, "only root can read its file; sudo $S" } },
	{ BY_ACCOUNTING, NULL, ENODATA, 0, 0, { NO_DRIVER, "/proc/stat counts nothing here" } },
	{ 0, NULL, ENODATA, 0, IF_ADDED, { NO_REGISTER, "the counter is 0: not connected, never used, or a guest" } },
	{ 0, NULL, 0, IF_GUEST, 0, { OF_GUEST, "the hypervisor does not provide it" } },

	{ BY_MSR, NULL, ERANGE, 0, 0, { NO_REGISTER, "the package C-state limit excludes it" } },
	NO_MSRS(IF_REPLAY, 0, MSR_DRIVER, "the msr driver was not loaded; sudo modprobe msr"),
	MSRS_REFUSED(IF_REPLAY, 0, MSR_RIGHT, "registers were refused when this was recorded"),
	NO_MSRS(IF_ROOT, IF_RAWIO, MSR_RIGHT, "root may not read registers in this container; --privileged for the container"),
	MSRS_REFUSED(IF_ROOT, IF_RAWIO, MSR_RIGHT, "root may not read registers in this container; --cap-add SYS_RAWIO for the container"),
	NO_MSRS(IF_ROOT, 0, NO_DRIVER, "this kernel has no msr driver (--no-msr hides this note)"),
	MSRS_REFUSED(IF_ROOT, 0, FACT, "registers are refused even to root"),
	NO_MSRS(0, IF_RAWIO, MSR_RIGHT, "the msr driver is not loaded (turbostat loads it as root); sudo $S"),
	MSRS_REFUSED(0, IF_RAWIO, MSR_RIGHT, "only root can read registers; sudo $S"),
	NO_MSRS(0, 0, MSR_RIGHT, "the msr driver is not loaded; sudo modprobe msr"),
	MSRS_REFUSED(0, 0, MSR_RIGHT, "/dev/cpu/*/msr is not readable; sudo chmod o+r /dev/cpu/*/msr"),

	OF_USER(0, ESPIPE, 0, "only regular files are read"),
	OF_USER(0, ENOENT, IF_UNRECORDED, "not in the recording"),
	OF_USER(0, EIO, IF_UNRECORDED, "not in the recording"),
	OF_USER(BY_MSR, EIO, 0, "the processor refuses it"),
	OF_USER(BY_PERF, E2BIG, 0, "this kernel does not support config3"),
	OF_USER(BY_PERF, ENOENT, IF_CORE_PMU, "perf does not count it here"),
	{ BY_PERF, NULL, EINVAL, IF_ADDED | IF_TASK, IF_CORE_PMU, { FACT, "its PMU counts no tasks" } },
	OF_USER(0, 0, 0, "$E"),

	{ BY_MSR, NULL, 0, 0, 0, { NO_REGISTER, "the processor refuses the register" } },

	EVENTS("cstate_", 0, IF_STATES, DRIVER, "no idle state driver is loaded; sudo modprobe intel_cstate"),
	EVENTS("power", 0, IF_PMU, DRIVER, "no energy driver is loaded; sudo modprobe rapl"),
	EVENTS("uncore_imc", 0, IF_MEMORY, FACT, NO_MEMORY_PMU),
	EVENTS("amd_umc", 0, IF_MEMORY, FACT, NO_MEMORY_PMU),
	EVENTS(NULL, IF_CORE_PMU | IF_REPLAY, 0, FACT, "not in the recording"),
	EVENTS(NULL, IF_CORE_PMU, 0, FACT, "perf does not count it here"),
	EVENTS(NULL, IF_PMU, 0, NOWHERE, "the kernel's $P has no such event"),
	EVENTS(NULL, 0, 0, NOWHERE),

	FILES(IN_AMDGPU, 0, 0, FACT, "no integrated graphics with the amdgpu driver"),
	FILES(IN_HWMON, IF_SENSORS, 0, FACT, "no sensor reports it"),
	FILES(IN_HWMON, IF_AMD, 0, DRIVER, "no temperature driver is loaded; sudo modprobe k10temp"),
	FILES(IN_HWMON, 0, 0, DRIVER, "no temperature driver is loaded; sudo modprobe coretemp"),
	FILES(IN_UNCORE, IF_CLUSTERS, 0, FACT, "each uncore cluster has its own clock column"),
	FILES(IN_UNCORE, 0, 0, FACT, "neither intel_uncore_frequency nor intel_uncore_frequency_tpmi reports it"),
	FILES(IN_HSMP, 0, 0, FACT, "no driver of HSMP (hsmp_acpi, amd_hsmp) reports it for each package"),
	FILES(IN_POWERCAP, 0, 0, NOWHERE),	/* the PMU "power" has the same domains */
	FILES(HW_SLEEP, 0, 0, FACT, "the firmware has no low-power S0 idle, or the kernel is older than 6.4"),
	FILES("/sys/class/power_supply", 0, 0, FACT, "this machine has no battery"),
	FILES(IN_DRM, 0, 0, FACT, "no i915, xe or amdgpu graphics, or no such engine"),
	FILES(SYS_CPU "cpuidle/", 0, IF_AMD, FACT, "the firmware has no such idle state"),
	FILES(NULL, 0, 0, FACT, "the kernel does not count it"),

	{ BY_INTERRUPTS, NULL, 0, 0, 0, { FACT, "/proc/interrupts: $E" } },
	{ BY_ACCOUNTING, NULL, 0, 0, 0, { FACT, "/proc/stat: $E" } },
	{ 0, NULL, 0, 0, 0, { FACT, "$E" } },
	/* clang-format on */
};

/* The rights of this process; if they are unknown, all capabilities, but not root. */
static unsigned own_rights(void)
{
	const char *status = src_whole(-1, OWN_STATUS) ?: "";
	u64 effective = ~0ull, newest, level;
	unsigned user = 1, seccomp = 0, rights = 0;

	/* the first number is the real user */
	sscanf(strstr(status, "\nUid:") ?: "", "%*s %*u %u", &user);
	sscanf(strstr(status, "\nCapEff:") ?: "", "%*s %llx", &effective);
	sscanf(strstr(status, "\nSeccomp:") ?: "", "%*s %u", &seccomp);
	if (seccomp == 2)	/* proc(5): SECCOMP_MODE_FILTER */
		rights |= IF_FILTER;
	if (!src_number("/proc/sys/kernel/cap_last_cap", &newest) && newest < PERFMON)
		rights |= IF_OLD;
	if (!src_number("/proc/sys/kernel/perf_event_paranoid", &level) && (i64)level > 2)
		rights |= IF_STRICT;
	if (effective >> (rights & IF_OLD ? CAP_SYS_ADMIN : PERFMON) & 1)
		rights |= IF_PERFMON;
	return rights | (effective >> CAP_SYS_RAWIO & 1 ? IF_RAWIO : 0) | (user ? 0 : IF_ROOT);
}

static bool is_core_event(const struct way *w)
{
	return w->kind == BY_PERF && (!strcmp(w->pmu, "hw") || !strcmp(w->pmu, "cpu"));
}

static bool is_memory_pmu(const char *name)
{
	return text_after(name, "uncore_imc") || text_after(name, "amd_umc");
}

/* Has the machine PMUs of memory controllers? */
static bool has_memory_pmu(void)
{
	size_t i = 0;

	while (i < M.dev.npmus && !is_memory_pmu(M.dev.pmu[i].name))
		i++;
	return i < M.dev.npmus;
}

/*
 * Would a guest's host have to provide what a way that failed with this error needs?  Not if CPUID
 * announces it: then rights or a driver may be missing.
 */
static bool is_of_host(const struct way *w, int err)
{
	const u64 announced = F(APERF) | F(DTS) | F(PTM);

	if (err == ENOTSUP)
		return w->needs & F(APERF);
	switch (w->kind) {
	case BY_PERF: return !is_core_event(w) || !find_pmu(w->pmu);
	case BY_MSR: return !M.msr_error || !(w->needs & announced);
	case BY_FILE:
		return *w->path != '/' || !strcmp(w->path, IN_HWMON) ||
		       !strcmp(w->path, IN_UNCORE) || !strcmp(w->path, IN_POWERCAP) ||
		       !strcmp(w->path, IN_HSMP);
	default: return false;
	}
}

/* In a replay: was a register, a file or an event of no PMU in sysfs asked for when recording? */
static bool is_recorded(const struct way *w)
{
	const struct resolved *r;

	switch (w->kind) {
	case BY_MSR: return src_is_newer(question("msr %d %x", M.main_cpu, w->msr), 0);
	case BY_FILE: return *w->path == '/' && src_is_newer(question("file %s", w->path), 0);
	case BY_PERF:
		if (find_word(w->pmu, perf_types, ARRAY_SIZE(perf_types)) < 0)
			return false;
		r = event_of(w, w->pmu, M.main_cpu);
		return r && !r->err &&
		       src_is_newer(perf_question(w->task ? NONE : M.main_cpu, &r->event), 0);
	default: return false;
	}
}

/* The facts about a way that failed with this error of cause_table[]. */
static unsigned facts_of(const struct way *w, int err)
{
	bool perf = w->kind == BY_PERF, pmu = perf && find_pmu(w->pmu);
	bool states = perf && (find_pmu("cstate_core") || find_pmu("cstate_pkg") ||
			       find_pmu("cstate_die"));
	const struct { bool holds; unsigned fact; } rows[] = {
		{ O.replay, IF_REPLAY },
		{ w->of_user, IF_ADDED },
		{ O.replay && w->of_user && !is_recorded(w), IF_UNRECORDED },
		{ has(F(GUEST)) && !w->of_user && is_of_host(w, err), IF_GUEST },
		{ has(F(AMD)), IF_AMD },
		{ M.dev.nclusters > 0, IF_CLUSTERS },
		{ pmu, IF_PMU },
		{ is_core_event(w) || (perf && is_memory_pmu(w->pmu)), IF_CORE_PMU },
		{ has_memory_pmu(), IF_MEMORY },
		{ states, IF_STATES },
		/* chiplets have no sensor before Zen 2, nor on APUs: no driver would help */
		{ M.dev.nsensors || w->find == find_ccd, IF_SENSORS },
		{ w->task, IF_TASK },
		{ w->by_mode && w->mode == ALL_MODES, IF_BY_MODE },
	};
	unsigned facts = 0;

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		if (rows[i].holds)
			facts |= rows[i].fact;
	if (err != EPERM && err != EACCES && err != ENODEV)
		return facts;
	if (!M.rights)
		M.rights = own_rights() | 1u << 31;
	if (O.replay)	/* who replays has other rights than who recorded */
		return facts | (M.rights & IF_FILTER);
	return facts | M.rights;
}

/* The CPU that is left out on which a PMU of a way counts; rather one of a measured package. */
static int left_out_cpu(const struct way *w)
{
	int found = NONE;

	for (size_t i = 0; i < M.dev.npmus; i++) {
		struct pmu *p = &M.dev.pmu[i];

		if (!pmu_matches(p->name, w->pmu))
			continue;
		load_pmu_cpus(p);
		for_each_cpu(cpu, &p->mask) {
			if (!set_has(&M.left_out, cpu))
				continue;
			if (found == NONE)
				found = cpu;
			for (int row = 0; row < M.n; row++)
				if (M.id[ID_PACKAGE][row] == M.package[cpu])
					return cpu;
		}
	}
	return found;
}

/* Replaces $x in a text of cause_table[]. */
static const char *fill_words(const char *s, const struct way *w, int err, unsigned facts)
{
	struct buf b = { 0 };

	if (!s || !strchr(s, '$'))
		return s;
	for (; *s; s++)
		switch (*s == '$' ? *++s : 0) {
		case 'C': buf_puts(&b, facts & IF_RAWIO ? "cap_sys_rawio," : ""); break;
		case 'n': buf_puts(&b, facts & IF_OLD ? "sys_admin" : "perfmon"); break;
		case 'E': buf_puts(&b, strerror(err)); break;
		case 'F':
			buf_puts(&b, facts & IF_FILTER ? " (a seccomp filter refuses them)" : "");
			break;
		case 'M': buf_printf(&b, "cpu%d", left_out_cpu(w)); break;
		case 'N': buf_puts(&b, facts & IF_OLD ? "SYS_ADMIN" : "PERFMON"); break;
		case 'P': buf_puts(&b, w->pmu); break;
		case 'S': buf_puts(&b, src_own_path()); break;
		default: buf_add(&b, s, 1);
		}
	return keep_text(b.p);
}

/* Does a row of the table say why a way failed with this error, under these conditions (IF_*)? */
static bool is_cause_of(const struct cause_row *r, const struct way *w, int err,
			unsigned conditions)
{
	const char *place = w->kind == BY_PERF ? w->pmu : w->kind == BY_FILE ? w->path : "";

	if (r->kind != NO_WAY && r->kind != w->kind)
		return false;
	if (r->err && r->err != err)
		return false;
	if (r->is & ~conditions || r->not & conditions)
		return false;
	return !r->place || text_after(place, r->place);
}

/* Why a way to a counter was not taken; err is its error. */
static struct verdict judge_way(const struct way *w, int err)
{
	const struct cause_row *r = cause_table;
	unsigned facts;

	/* reduce the errors of registers to ENODEV (no msr driver) and EPERM (refused) */
	if (w->kind == BY_MSR && err == M.msr_error && err && err != ECANCELED && err != EMFILE)
		err = err == ENOENT || err == ENXIO || err == ENODEV ? ENODEV : EPERM;
	if (w->kind == BY_PERF && err == EACCES)
		err = EPERM;
	facts = facts_of(w, err);
	while (!is_cause_of(r, w, err, facts))
		r++;
	return VERDICT(r->verdict.rank, fill_words(r->verdict.text, w, err, facts));
}

/* The remedy of a verdict with "; " before it, or "". */
static const char *remedy_of(const struct verdict *v)
{
	return strstr(v->text, "; ") ?: strchr(v->text, '\0');
}

/* --- counters and columns --- */

/* Why a counter is absent, or why its better sources do not work. */
static struct verdict judge_counter(const struct counter *c)
{
	const struct counter *lacks = lacks_for_remainder();
	struct verdict best = { NOWHERE };
	u64 none = 0;		/* features that exclude it */
	/* may a driver provide it?  Not if only other models have its register, k10temp aside */
	bool here = has(F(GUEST)) || (c == &T.counter[CT_PKG_TEMP] && has(F(AMD)));
	bool registers = false;

	for (int i = 0; i < MAX_WAYS && c->way[i].kind != NO_WAY; i++) {
		none |= c->way[i].unless & M.has;
		registers |= c->way[i].kind == BY_MSR;
		here |= c->err[i] == EACCES || c->err[i] == EPERM ||
			(c->way[i].kind == BY_MSR && c->err[i] != ENOTSUP);
	}
	for (int i = 0; i < MAX_WAYS && c->way[i].kind != NO_WAY; i++) {
		const struct way *w = &c->way[i];
		struct verdict v = { NOWHERE };

		if (w->kind == BY_REMAINDER && c->err[i] != ENOTSUP) {
			if (lacks)
				v = judge_counter(lacks);
			if (v.rank == FACT || v.rank == NOWHERE)
				v = VERDICT(FACT, "needs MPERF and all deeper idle states, and one "
						  "is not available");
		} else if (!i || !is_accounting(w)) {
			v = judge_way(w, c->err[i]);
		}
		if ((v.rank != DRIVER || here || !registers) && (v.rank < best.rank || !best.text))
			best = v;
	}
	if (best.rank == NOWHERE && none)
		best.text = "this processor has none";
	else if (!best.text)
		best.text = "no known source on this processor";
	return best;
}

/* Why a tracepoint has no number. */
static void judge_tracepoint(struct buf *b, const struct way *w, const struct resolved *r)
{
	const struct way file = { .kind = BY_FILE, .path = r->bad };
	struct verdict v;

	if (r->bad) {
		v = judge_way(&file, -r->err);
		if (v.rank == MSR_RIGHT)
			buf_printf(b, "%s: only root can read it%s", r->bad, remedy_of(&v));
		else
			buf_printf(b, "%s: %s", r->bad, strerror(-r->err));
	} else if (O.replay) {
		buf_printf(b, "perf %s: not in the recording", w->event);
	} else {
		buf_printf(b, "no tracepoint %s here (see /sys/kernel/tracing/events)", w->event);
	}
}

/* Why a counter of --add is absent, with its location. */
static struct verdict judge_added(const struct counter *c)
{
	const struct way *w = &c->way[0];
	const struct resolved *bad = w->kind == BY_PERF && !O.no_perf ? bad_event(w) : NULL;
	struct verdict v = judge_way(w, c->err[0]);
	struct search s = { .way = w };
	struct guess g = { .word = w->pmu };
	struct buf b = { 0 };

	if (w->kind == BY_PERF && begin_perf(&s) == -ENOENT) {
		for (size_t i = 0; i < M.dev.npmus; i++)
			consider(&g, M.dev.pmu[i].name);
		buf_printf(&b, "no PMU %s here%s (see " PERF_DEVICES ")", w->pmu,
			   guess_text(&g, ""));
	} else if (bad && is_tracepoint(w)) {
		judge_tracepoint(&b, w, bad);
	} else if (bad && bad->err == -ENOENT && v.rank != PERF_RIGHT) {
		buf_printf(&b, "the PMU %s has no term or event %s (see " PERF_DEVICES "%s/)",
			   bad->pmu, bad->bad ? bad->bad : bad->name, bad->pmu);
		if (find_perf_name(w->event))
			buf_printf(&b, "; write perf/%s", w->event);
	} else if (bad && v.rank != PERF_RIGHT) {
		buf_printf(&b, "%s of the PMU %s: %s", bad->bad ? bad->bad : bad->name, bad->pmu,
			   bad->err == -ERANGE ? "the value is too large" : "malformed");
	} else if (w->find == find_hwmon_file && c->err[0] == ENOENT) {
		buf_printf(&b, "no hwmon device here has %s (see " IN_HWMON "/*/name)", w->event);
	} else if (text_after(v.text, "needs CAP_")) {
		return v;
	} else {
		print_way(&b, w);
		if (c->no_number)
			buf_printf(&b, *c->no_number ? " holds no %s: %s" : " is empty",
				   w->raw ? "integer" : "number", c->no_number);
		else
			buf_printf(&b, ": %s", v.text);
	}
	v.text = keep_text(b.p);
	return v;
}

/* Why /proc/stat does not tell how busy a CPU is. */
static struct verdict ticks_verdict(void)
{
	return judge_way(&T.counter[CT_TICKS].way[0], ENODATA);
}

/* Why a column is absent: the cause of its worst counter (no remedy, then the highest rank). */
static struct verdict judge_column(const struct column *c)
{
	const int needs[] = { c->a, c->b, third_counter(c) };
	struct verdict worst = { 0 };

	if (is_plain(c))
		return VERDICT(FACT, O.summary		? "the summary has no topology"
				     : c->a == ID_TYPE	? "not a hybrid processor"
				     : c->a == ID_NODE	? "one node per package"
							: "the same on every CPU");
	if (c->flags & ADDED)
		return judge_added(&T.counter[c->a]);
	for (size_t i = 0; i < ARRAY_SIZE(needs); i++) {
		const struct counter *k = needs[i] == NONE ? NULL : &T.counter[needs[i]];
		struct verdict v;

		if (!k || (k->chosen && !is_accounting(k->chosen)))
			continue;
		v = judge_counter(k);
		if (P.ticks_stand && c->a == CT_MPERF && (v.rank == OPTION || v.rank > NO_DRIVER))
			v = ticks_verdict();	/* it would come from there */
		if (!worst.text || (!*remedy_of(&v) && (*remedy_of(&worst) || v.rank > worst.rank)))
			worst = v;
	}
	if (worst.text)
		return worst;
	/* all its counters are there */
	if (c->formula == V_LOST_TO_SMIS && aperf_is_own() && src_has_number(freeze_file()))
		return VERDICT(OPTION, keep_text(textf("perf counters are not frozen during SMIs; "
						       "echo 1 | sudo tee %s", freeze_file())));
	return VERDICT(FACT, c->formula != V_LOST_TO_SMIS ? "the base frequency is not known"
		       : aperf_is_own() ? "this kernel cannot freeze perf counters during SMIs"
		       : "APERF comes from perf, as do the cycles it is compared with");
}

/* --- lists of absent columns --- */

struct absence {		/* an absent column, or a word that selects none */
	const char *name;	/* NULL = an empty place of the list */
	const struct column *column;
	struct verdict verdict;
	bool untold;
	bool typed;		/* --show or --enable has this name, not only its group */
};

static bool is_added(const struct absence *a)
{
	return a->column && a->column->flags & ADDED;
}

/* Does the column of a command's counter lack a right?  Its note is about the column. */
static bool needs_right(const struct absence *a)
{
	return is_added(a) && text_after(a->verdict.text, "needs CAP_");
}

/* Why a known word selects nothing although it names no absent column; NULL: it selects one. */
static const char *word_lacks(const struct selector *s)
{
	const struct column *c = find_column(s->word);
	bool means = c || s->verb == HIDE || !is_known(s->word);

	for (int i = 0; i < T.ncolumns && !means; i++)
		means = word_means(s->word, &T.column[i]);
	if (!means)
		return "this machine has none";
	if (s->verb == HIDE || !c || c->selected || !(c->flags & (O.joules ? WATTS : JOULES)))
		return NULL;
	return O.joules ? "--Joules shows energy instead" : "--Joules shows it";
}

/* Does --show or --enable have this name itself? */
static bool is_typed(const char *name)
{
	for (size_t i = 0; i < O.nselectors; i++)
		if ((O.selector[i].verb == SHOW || O.selector[i].verb == ENABLE) &&
		    !strcmp(O.selector[i].word, name))
			return true;
	return false;
}

/*
 * Lists absent columns, all or the selected, each in the place of the first column of its name: of
 * those that share a name, one that is present.  Behind them, the words that select none.
 */
static struct absence *list_absences(bool all)
{
	struct absence *list = zeroed((size_t)T.ncolumns + O.nselectors, sizeof(*list));

	for (const struct column *c = T.column; c < T.column + T.ncolumns; c++) {
		struct absence *a = &list[find_column(c->name) - T.column];
		struct verdict v;

		if (!all && !c->selected)
			continue;
		v = c->present ? VERDICT(PRESENT) : judge_column(c);
		if (!a->name || v.rank < a->verdict.rank)
			*a = (struct absence){ c->name, c, v, !c->present };
	}
	for (size_t i = 0; i < O.nselectors; i++) {
		const char *word = O.selector[i].word, *lacks = word_lacks(&O.selector[i]);
		bool repeated = false;

		for (size_t k = 0; k < i; k++)
			repeated |= !strcmp(O.selector[k].word, word);
		if (lacks && !repeated)
			list[(size_t)T.ncolumns + i] =
				(struct absence){ word, NULL, VERDICT(NOWHERE, lacks), true };
	}
	for (struct absence *a = list; a < list + T.ncolumns + O.nselectors; a++)
		a->typed = a->name && is_typed(a->name) && !groups_of(a->name);
	return list;
}

/*
 * Returns the next absence by rank, or NULL, and the names of all with its verdict.  brief: the
 * names of five, or of all that were typed.
 */
static const struct absence *next_absence(struct absence *list, struct buf *names, bool brief)
{
	const struct absence *end = list + T.ncolumns + O.nselectors, *next = NULL;
	bool quoted;
	int found = 0, most;

	buf_clear(names);
	for (const struct absence *a = list; a < end; a++)
		if (a->untold && (!next || a->verdict.rank < next->verdict.rank))
			next = a;
	if (!next)
		return NULL;
	most = brief && !next->typed ? 5 : INT_MAX;
	quoted = brief && (!is_added(next) || needs_right(next));
	for (struct absence *a = list; a < end; a++) {
		if (!a->untold || a->verdict.rank != next->verdict.rank ||
		    (brief && a->typed != next->typed) ||
		    strcmp(a->verdict.text, next->verdict.text))
			continue;
		a->untold = false;
		if (++found > most)
			continue;
		if (found > 1)
			buf_puts(names, quoted ? ", " : " ");
		buf_printf(names, quoted ? "'%s'" : "%s", a->name);
	}
	if (found > most)
		buf_printf(names, " and %d more", found - most);
	return next;
}

/* Was an absence not expected, or can it be remedied? */
static bool is_surprising(const struct absence *a)
{
	switch (a->verdict.rank) {
	case LEFT_OUT: case PERF_RIGHT: case MSR_RIGHT: case MSR_DRIVER: case NO_DRIVER:
		return true;
	case DRIVER: return !O.replay;		/* a recording need not hold all files */
	case OF_GUEST: return !O.quiet;
	default: return false;
	}
}

/* Does an absence deserve a note at the start?  Every name that was typed does. */
static bool is_noted(const struct absence *a)
{
	if (O.list || O.dump)
		return is_added(a);
	return is_added(a) || a->typed || is_surprising(a);
}

/* Prints a note above the header for each cause of absent columns that were selected. */
static void note_losses(void)
{
	struct absence *list SCOPED(ptr) = list_absences(false);
	const struct absence *a;
	struct buf names SCOPED(buf) = { 0 };
	bool busy = is_accounting(T.counter[CT_MPERF].chosen) && built_in(COL_BUSY)->selected;
	bool clock = is_accounting(T.counter[CT_APERF].chosen) && is_asked(V_BZY_MHZ);
	bool ticks = P.ticks_stand && find_column("Busy%")->selected &&
		     judge_column(find_column("Busy%")).rank < NO_DRIVER;
	bool lost = false;

	if (prints_header() && !has(F(PLATFORM_INFO)) && !has(F(AMD)))
		note(0, "family %d model %d of %s is not in the platform table; "
		     "showing what CPUID, perf and sysfs announce", M.family, M.model,
		     has(F(INTEL)) ? M.vendor_name : "an unknown vendor");
	while ((a = next_absence(list, &names, true))) {
		const char *text = a->verdict.text, *remedy = remedy_of(&a->verdict);

		if (!is_noted(a))
			continue;
		lost |= !is_added(a) && is_surprising(a);
		if (needs_right(a))
			note(hash_text(text), "%s: %s", names.p, text);
		else if (is_added(a))
			note(hash_text(text), "--add %s: %s", names.p, text);
		else if (a->verdict.rank == OF_GUEST && strstr(names.p, " more"))
			note(0, "the hypervisor does not provide all counters (see --explain)");
		else
			note(hash_text(text), "%.*s: no %s%s", (int)(remedy - text), text, names.p,
			     remedy);
	}
	if (lost && ticks)	/* the other notes name a better source */
		note(0, "%s: no 'Busy%%' from there, either", ticks_verdict().text);
	if (lost && (busy || clock))
		note(0, "%s%s%s", busy ? "'Busy%' comes from /proc/stat, in ticks" : "",
		     busy && clock ? "; " : "", clock ? "'Bzy_MHz' is cpufreq's clock" : "");
}

/* --- --explain --- */

/* Appends a formula, with the sources in place of its counters. */
static void print_formula(struct buf *b, const char *words, int first, int second)
{
	for (const char *s = words; *s; s++)
		if (*s != '$')
			buf_add(b, s, 1);
		else
			print_source(b, &T.counter[*++s == 'a' ? first
						   : *s == 'b' ? second : CT_TSC], true);
}

/* Appends the formula of a column; that of C6 for E-cores, too: see correct_e_core(). */
static void print_column_source(struct buf *b, const struct column *c)
{
	bool accounting = !is_plain(c) && is_accounting(T.counter[c->a].chosen);
	int also = accounting && c->a == CT_APERF ? CT_CPU_KHZ : third_counter(c);
	int e_cores = 0;

	if (c->a == CT_CC6 && T.counter[CT_CC7].chosen)
		for (int row = 0; row < M.n; row++)
			e_cores += is_e_core(row);
	if (e_cores < M.n)
		print_formula(b, accounting ? "$a" : formula_table[c->formula].words, c->a, c->b);
	if (e_cores && e_cores < M.n)
		buf_puts(b, "; E-cores: ");
	if (e_cores)
		print_formula(b, "100 ($a - $b) / $t", c->a, CT_CC7);
	if (also == CT_TSC || also == CT_CPU_KHZ) {
		buf_puts(b, ", ");
		print_source(b, &T.counter[also], true);
	}
}

enum { EXPLAIN_INDENT = 12 };	/* blanks on a terminal: above them stand the names of columns */

/* Appends names below each other, as many to a line as the terminal has room for. */
static void print_names_below(struct buf *b, char *names)
{
	int columns = window_of(R.output.out).ws_col, room = 0;
	bool begun = false;

	for (char *name; (name = strsep(&names, " "));) {
		int needed = 1 + (int)strlen(name);

		if (!begun || needed > room) {
			buf_printf(b, "%s%*s%s", begun ? "\n" : "", EXPLAIN_INDENT, "", name);
			room = columns - EXPLAIN_INDENT + 1;
		} else {
			buf_printf(b, " %s", name);
		}
		room -= needed;
		begun = true;
	}
	buf_add(b, "\n", 1);
}

/* Does a word of --explain, or of --show beside it, mean this column? */
static bool is_to_explain(const struct column *c)
{
	for (size_t k = 0; k < O.nselectors; k++)
		if (O.selector[k].verb >= SHOW && word_means(O.selector[k].word, c))
			return true;
	return false;
}

/* --explain: the named columns, or those present (on a terminal: shown); then the absent ones. */
static void explain_columns(struct buf *b)
{
	struct absence *list SCOPED(ptr) = list_absences(true);
	const struct absence *a;
	struct buf names SCOPED(buf) = { 0 };
	bool named = false, brief;
	int hidden = 0;

	for (size_t k = 0; k < O.nselectors; k++)
		if (O.selector[k].verb >= SHOW)
			named = true;
	brief = !named && isatty(R.output.out);
	for (const struct column *c = T.column; c < T.column + T.ncolumns; c++) {
		a = &list[find_column(c->name) - T.column];
		if (c->present && !c->selected)
			hidden++;
		if (named && !is_to_explain(c))
			continue;
		if (c->present && brief && !c->selected)
			continue;
		/* absent columns: below, or each name once */
		if (!c->present && (!named || a->column != c))
			continue;
		if (brief)
			buf_printf(b, *c->symbol ? "%-10s  %s (%s)\n%*s" : "%-10s  %s%s\n%*s",
				   c->name, c->help, c->symbol, EXPLAIN_INDENT, "");
		else
			buf_printf(b, "%s\t%s\t%s\t%s\t%s\n\t", c->name,
				   !c->present ? "absent" : c->selected ? "shown" : "hidden",
				   scope_names[c->scope], *c->symbol ? c->symbol : "-", c->help);
		if (c->present)
			print_column_source(b, c);
		else
			buf_puts(b, a->verdict.text);
		buf_add(b, "\n", 1);
	}
	if (brief)
		buf_printf(b, "%d hidden columns: --explain all\n", hidden);
	for (a = list + T.ncolumns; named && a < list + T.ncolumns + O.nselectors; a++)
		if (a->name && !find_column(a->name))
			buf_printf(b, "%s\tabsent\n\t%s\n", a->name, a->verdict.text);
	while (!named && (a = next_absence(list, &names, false))) {
		buf_printf(b, "absent: %s\n", a->verdict.text);
		if (brief)
			print_names_below(b, names.p);
		else
			buf_printf(b, "\t%s\n", names.p);
	}
}

/* Marks the columns shown that depend on a counter of one of the CPUs. */
static void mark_columns(bool *taken, int counter, const struct cpuset *cpus)
{
	for_each_cpu(cpu, cpus)
		for (int i = 0; i < P.nshown; i++)
			taken[i] |= takes_counter(P.shown[i], counter, cpu);
}

/* Appends the names of the marked columns, at most five.  Returns whether there are any. */
static bool print_marked(struct buf *b, const bool *taken)
{
	enum { MOST = 5 };
	int found = 0;

	for (int i = 0; i < P.nshown; i++)
		if (taken[i] && found++ < MOST)
			buf_printf(b, found > 1 ? ", '%s'" : "'%s'", P.shown[i]->name);
	if (found > MOST)
		buf_printf(b, " and %d more", found - MOST);
	return found > 0;
}

/* The CPUs whose units lack a source of a counter, and those that are left out and have it. */
struct missing { struct cpuset cpus, on; };

/* Finds the units of a counter without a source because a PMU counts on a CPU that is left out. */
static struct missing find_missing(int counter)
{
	const struct counter *c = &T.counter[counter];
	struct missing m = { .cpus = { .w = { 0 } } };

	for (int i = 0; i < MAX_WAYS && c->chosen && c->way[i].kind != NO_WAY; i++)
		for (struct pmu *p = M.dev.pmu; p < PAST(M.dev.pmu, M.dev.npmus); p++) {
			if (c->way[i].kind != BY_PERF || !pmu_matches(p->name, c->way[i].pmu))
				continue;
			for (int row = 0; row < M.n; row++) {
				int on = wants_source(counter, row)
					? left_out_for(c->scope, p, row) : NONE;

				if (on == NONE)
					continue;
				set_add(&m.cpus, M.cpu[row]);
				set_add(&m.on, on);
			}
		}
	return m;
}

/* Says which columns have no value on some CPUs because of --cpu only:, in one note for a cause. */
static void note_left_out(void)
{
	struct missing *missing SCOPED(ptr) = NULL;

	if (!set_count(&M.left_out))
		return;
	missing = zeroed((size_t)T.ncounters, sizeof(*missing));
	for (int k = 0; k < T.ncounters; k++)
		missing[k] = find_missing(k);
	for (int k = 0; k < T.ncounters; k++) {
		struct missing m = missing[k];
		bool *taken SCOPED(ptr) = zeroed((size_t)P.nshown, sizeof(*taken));
		struct buf text SCOPED(buf) = { 0 };

		if (!set_count(&m.cpus))
			continue;
		for (int i = k; i < T.ncounters; i++) {
			if (memcmp(&missing[i], &m, sizeof(m)))
				continue;
			mark_columns(taken, i, &m.cpus);
			missing[i].cpus = (struct cpuset){ .w = { 0 } };	/* it is told */
		}
		buf_cpus(&text, &m.cpus);
		buf_puts(&text, ": nan in ");
		if (!print_marked(&text, taken))
			continue;
		buf_puts(&text, ": its PMU counts on ");
		buf_cpus(&text, &m.on);
		note(hash_text(text.p), "%s, which --cpu only: leaves out", text.p);
	}
}

/* Was the CPU offline for a moment, so that an event has lost a part? */
static bool is_absence(const struct failure *f)
{
	return !f->err && !f->passed;
}

/* The CPUs of a failure that no note has named yet. */
static struct cpuset untold(const struct failure *f)
{
	struct cpuset set = f->cpus;

	set_minus(&set, is_absence(f) ? &R.away : &f->told);
	return set;
}

/* Is a counter read on one of the CPUs? */
static bool is_read_on(int counter, const struct cpuset *cpus)
{
	for (const struct source *s = P.source; s < PAST(P.source, P.nsources); s++)
		if (s->counter == counter &&
		    set_has(cpus, s->kind == BY_PERF ? s->group->cpu : s->cpu))
			return true;
	return false;
}

/* Has a counter failed like this wherever it is read on these CPUs, and nowhere else? */
static bool has_failed_there(const struct failure *f, const struct cpuset *cpus)
{
	struct cpuset failed = untold(f), rest = *cpus, more = failed;

	set_minus(&more, cpus);
	set_minus(&rest, &failed);
	return set_count(&failed) && !set_count(&more) && !is_read_on(f->counter, &rest);
}

/* Appends a time in ns: "1 us", "20 ms", "5 s". */
static void print_span(struct buf *b, i64 ns)
{
	double us = (double)ns / 1e3;

	if (us < 1e3)
		buf_printf(b, "%.3g us", us);
	else if (us < 1e6)
		buf_printf(b, "%.3g ms", us / 1e3);
	else
		buf_printf(b, "%.3g s", us / 1e6);
}

/* Says on which CPUs a counter failed, and which columns lack it and what failed like it there. */
static void note_failure(const struct failure *first, const struct cpuset *cpus)
{
	bool *taken SCOPED(ptr) = zeroed((size_t)P.nshown, sizeof(*taken)), several = false;
	const struct way *way = T.counter[first->counter].chosen;
	const char *why = strerror(-first->err);
	struct buf text SCOPED(buf) = { 0 };

	if (!way || !way->task) {
		buf_cpus(&text, cpus);
		buf_puts(&text, ": ");
	}
	if (first->to_move)
		buf_printf(&text, "cannot run there (%s): ", why);
	if (first->passed) {
		buf_puts(&text, "counted for ");
		print_span(&text, first->counted);
		buf_puts(&text, " of ");
		print_span(&text, first->passed);
		buf_puts(&text, ": ");
	} else {
		buf_puts(&text, "nan in ");
	}
	for (struct failure *f = R.failure; f < PAST(R.failure, R.nfailures); f++) {
		struct cpuset failed = untold(f);

		if (f->err != first->err || f->to_move != first->to_move ||
		    !f->passed != !first->passed || !has_failed_there(f, cpus))
			continue;
		set_join(&f->told, &failed);
		several |= f->several || strcmp(f->source, first->source);
		mark_columns(taken, f->counter, &failed);
	}
	if (!print_marked(&text, taken))
		return;
	if (way && way->kind == BY_PERF &&
	    (first->err == -EACCES || first->err == -EPERM || first->err == -EMFILE))
		why = judge_way(way, -first->err).text;
	if (!first->to_move && !first->passed)
		buf_printf(&text, ": %s%s: %s", first->source, several ? " and others" : "", why);
	note(hash_text(text.p), "%s", text.p);
}

/* Is this an event of a PMU with a cpumask?  Another CPU may have counted on for its unit. */
static bool is_of_mask(const struct failure *f)
{
	const struct pmu *pmu = is_absence(f) ? find_pmu(f->source) : NULL;

	return pmu && pmu->masked;
}

/* Leaves those CPUs of a failure whose units have no value in this interval. */
static void drop_counted(struct failure *f)
{
	struct cpuset lost = { .w = { 0 } };
	int scope = T.counter[f->counter].scope;

	for_each_cpu(cpu, &f->cpus)
		if (M.row[cpu] >= 0 &&
		    !is_known_in(&R.interval, f->counter, M.in[scope][M.row[cpu]]))
			set_add(&lost, cpu);
	f->cpus = lost;
}

/* Has the CPU lost a value?  That of a cpumask's PMU is lost for all CPUs of its unit. */
static bool has_lost(const struct failure *f, int cpu)
{
	const int *unit = M.in[T.counter[f->counter].scope];

	if (!is_of_mask(f) || M.row[cpu] < 0)
		return set_has(&f->cpus, cpu);
	for_each_cpu(other, &f->cpus)
		if (unit[M.row[other]] == unit[M.row[cpu]])
			return true;
	return false;
}

/* Marks the columns that have no value, as their CPU was offline for a moment. */
static void mark_absent(bool *taken, int cpu)
{
	struct cpuset one = { .w = { 0 } };

	set_add(&one, cpu);
	memset(taken, 0, (size_t)P.nshown * sizeof(*taken));
	for (const struct failure *f = R.failure; f < PAST(R.failure, R.nfailures); f++)
		if (is_absence(f) && has_lost(f, cpu))
			mark_columns(taken, f->counter, &one);
}

/* Says which CPUs were offline for a moment: a note for those that lost the same columns. */
static void note_absent(struct cpuset cpus)
{
	bool *lost SCOPED(ptr) = zeroed((size_t)P.nshown, sizeof(*lost));
	bool *other SCOPED(ptr) = zeroed((size_t)P.nshown, sizeof(*other));

	set_join(&R.away, &cpus);
	for (int first; (first = set_next(&cpus, 0)) >= 0;) {
		struct cpuset same = { .w = { 0 } };
		struct buf text SCOPED(buf) = { 0 };

		mark_absent(lost, first);
		for_each_cpu(cpu, &cpus) {
			mark_absent(other, cpu);
			if (!memcmp(lost, other, (size_t)P.nshown * sizeof(*lost)))
				set_add(&same, cpu);
		}
		set_minus(&cpus, &same);
		buf_cpus(&text, &same);
		buf_printf(&text, " %s offline for a moment: no values in this interval for ",
			   set_count(&same) > 1 ? "were" : "was");
		if (print_marked(&text, lost))
			note(hash_text(text.p), "%s", text.p);
	}
}

/* Reports which CPUs were away in the newest interval. */
static void note_absences(void)
{
	struct cpuset away = { .w = { 0 } };

	for (struct failure *f = R.failure; f < PAST(R.failure, R.nfailures); f++) {
		if (is_of_mask(f))
			drop_counted(f);
		if (is_absence(f)) {
			struct cpuset failed = untold(f);

			set_join(&away, &failed);
		}
	}
	note_absent(away);
	for (struct failure *f = R.failure; f < PAST(R.failure, R.nfailures); f++)
		if (is_absence(f))
			f->cpus = (struct cpuset){ .w = { 0 } };
}

/* Reports what has failed since the last report: the cause that most CPUs share comes first. */
static void note_failures(void)
{
	for (;;) {
		const struct failure *first = NULL;
		struct cpuset most = { .w = { 0 } };

		for (const struct failure *f = R.failure; f < PAST(R.failure, R.nfailures); f++) {
			struct cpuset failed = untold(f);

			if (!is_absence(f) && set_count(&failed) > set_count(&most)) {
				first = f;
				most = failed;
			}
		}
		if (!first)
			break;
		note_failure(first, &most);
	}
	for (struct failure *f = R.failure; f < PAST(R.failure, R.nfailures); f++)
		if (!is_absence(f))
			f->cpus = (struct cpuset){ .w = { 0 } };
}

/* ======================================================================== *
 * 22. ENERGY
 *
 * --explain energy: all ways to one energy side by side, and what contradicts.  The way of a column
 * is in the interval already.  The other ways of its counter's row, and hwmon, are read next to
 * the counters: last of all before the first sample, first of all after the counters of the last
 * one.  perf is never another way: where it works, it is the column's.  Nothing is guessed: no
 * limit, no load and no other part of the machine says how much is too much.
 * Owns R.energy.
 * ======================================================================== */

enum energy_kind { VIA_PERF, VIA_MSR, VIA_POWERCAP, VIA_HWMON, VIA_KINDS };
static const char *const energy_kinds[] = { "perf", "msr", "powercap", "hwmon" };

/* The verdicts in the order of their words in topics[]. */
enum trust { RIGHT, SINGLE, DOUBTFUL, UNTOLD };

/* Energies that are judged: of a package or die, of its memory, of the system. */
static const struct energy_row {
	enum counter_id counter;
	const char *of;		/* before the name of its package; "": that is all */
} energy_rows[] = {
	{ CT_PKG_ENERGY, "" },
	{ CT_DRAM_ENERGY, "memory of " },
	{ CT_PSYS_ENERGY, "system" },
};

struct energy_reading { u64 value; bool known; };

struct energy_way {		/* another way to an energy than the column's */
	enum energy_kind kind;
	int cpu;		/* of a register */
	u32 msr;
	char *path;		/* of a file */
	double joules;		/* of one count */
	u64 modulus;		/* at which it wraps; 0 = never */
	struct energy_reading was, now;		/* before the interval, at its end */
	bool both;		/* now is from its end */
};

struct energy {
	const struct energy_row *row;
	int unit;		/* of the counter's scope */
	struct energy_way way[VIA_KINDS];
	int nways;
	bool ended;		/* the column's counter was read at the end of the interval */
};

/* The judgement of an energy in an interval. */
struct energy_check {
	const struct energy *of;
	enum trust trust;
	double watts;			/* of the column; NaN = unknown */
	double by[VIA_KINDS];		/* of each way; NaN = there is none */
	char *name[VIA_KINDS];
	enum energy_kind first;		/* the column's way */
	struct buf why;			/* contradictions, or why it is unknown; a line each */
};

/* --- judging: pure functions --- */

/* The Joules between two readings of a counter, which has wrapped at most once; NaN: it fell. */
static double joules_between(u64 was, u64 now, u64 modulus, double joules)
{
	if (now >= was)
		return (double)(now - was) * joules;
	if (!modulus || was >= modulus)
		return NaN;
	return (double)(modulus - was + now) * joules;
}

/*
 * The greatest share by which two right ways can differ, as one is read after the other.  In
 * seconds: the interval; the time between two steps of the counter; the longer of both samples.
 */
static double most_difference(double seconds, double step, double collect)
{
	const double share = 0.02, apart = 0.02;

	return share + 2 * (step + collect + apart) / seconds;
}

/* Do two ways agree within a share of the greater one and one unit, in Watts? */
static bool powers_agree(double a, double b, double share, double unit)
{
	double more = a > b ? a : b, less = a > b ? b : a;

	return more - less <= share * more + unit;
}

/* Is this power printed as 0.00 W?  False if it is not known. */
static bool stands_still(double watts)
{
	return watts < 0.005;
}

/* Are the parts more than the whole?  NaN: that part is not known. */
static bool parts_exceed(double cores, double graphics, double package)
{
	double parts = (cores == cores ? cores : 0) + (graphics == graphics ? graphics : 0);

	return parts > 1.05 * package;
}

/* The verdict on all: a doubt counts wherever it is, the rest only of packages. */
static enum trust whole_trust(const struct energy_check *c, size_t n)
{
	size_t packages = 0, right = 0, single = 0;

	for (size_t i = 0; i < n; i++) {
		if (c[i].trust == DOUBTFUL)
			return DOUBTFUL;
		if (c[i].of->row->counter != CT_PKG_ENERGY)
			continue;
		packages++;
		right += c[i].trust == RIGHT;
		single += c[i].trust == SINGLE;
	}
	if (!packages || right + single < packages)
		return UNTOLD;
	return right == packages ? RIGHT : SINGLE;
}

/* --- the other ways --- */

/* The row of a CPU in a unit, or outside the cpuset the row that stands for it; NONE: offline. */
static int row_of_unit(enum scope scope, int unit)
{
	for (int row = 0; row < M.n + M.nafar; row++)
		if (M.in[scope][row] == unit && (row >= M.n || leads_unit(scope, row)))
			return row;
	return NONE;
}

/* The source of a counter in a unit, or NULL. */
static const struct source *source_of(int counter, int unit)
{
	for (const struct source *s = P.source; s < PAST(P.source, P.nsources); s++)
		if (s->counter == counter && s->unit == unit && s->kind != NO_WAY)
			return s;
	return NULL;
}

/* Reads a way.  sampled: if the sample has just read it, that is the reading.  False: unknown. */
static bool read_way_now(const struct energy_way *w, bool sampled, u64 *v)
{
	if (!(sampled && has_sampled(w->cpu, w->msr, w->path, v)) &&
	    (w->path ? src_number(w->path, v) : src_msr(w->cpu, w->msr, v)))
		return false;
	if (w->msr)		/* its upper half is reserved */
		*v &= w->modulus - 1;
	return true;
}

/* In a replay: has the recording an answer behind what was read before? */
static bool is_way_newer(const struct energy_way *w)
{
	return src_is_newer(w->msr ? question("msr %d %x", w->cpu, w->msr)
				   : question("file %s", w->path), R.evidence_until);
}

/* Adds a way that can be read now. */
static void add_energy_way(struct energy *e, const struct energy_way *w)
{
	u64 v;

	if (!(w->path && is_read_outside(w->path)) && read_way_now(w, false, &v))
		e->way[e->nways++] = *w;
	else
		free(w->path);
}

/* Finds the energy of a package by hwmon's driver amd_energy: "Esocket0", in microjoules. */
static void find_amd_energy(struct energy *e, int row)
{
	struct names labels SCOPED(names) = list_matches(IN_HWMON "/hwmon*/energy*_label");

	for (size_t i = 0; i < labels.n; i++) {
		int dir = (int)(strrchr(labels.name[i], '/') - labels.name[i]);
		int stem = (int)(strlen(labels.name[i]) - strlen("label"));
		const char *driver = src_line(pathf("%.*s/name", dir, labels.name[i]));
		const char *socket;

		if (!driver || strcmp(driver, "amd_energy"))
			continue;
		socket = text_after(src_line(labels.name[i]) ?: "", "Esocket");
		if (!socket)
			continue;
		socket += strspn(socket, " ");
		if (parse_small(&socket, INT_MAX / 16) != M.id[ID_PACKAGE][row])
			continue;
		add_energy_way(e, &(struct energy_way){
			.kind = VIA_HWMON, .cpu = M.cpu[row], .joules = 1e-6,
			.path = textf("%.*sinput", stem, labels.name[i]) });
		return;
	}
}

/* Finds the ways of an energy beside the column's. */
static void find_energy_ways(struct energy *e, int row)
{
	const struct counter *c = &T.counter[e->row->counter];
	const struct source *chosen = source_of(e->row->counter, e->unit);
	bool has_msr = chosen && chosen->kind == BY_MSR;

	for (const struct way *w = c->way; w < c->way + MAX_WAYS && w->kind != NO_WAY; w++) {
		struct energy_way new = { .cpu = M.cpu[row] };

		if (!has(w->needs) || M.has & w->unless || (chosen && chosen->kind == w->kind))
			continue;
		if (w->kind == BY_MSR && !M.msr_error && !has_msr) {
			new.kind = VIA_MSR;
			new.msr = w->msr;
			new.joules = M.rapl_unit[c->rapl_unit];
			new.modulus = counter_modulus(c);
			has_msr = true;
		} else if (w->kind == BY_FILE) {
			new.kind = VIA_POWERCAP;
			new.path = w->find(w->event, row, &new.modulus);
			new.joules = w->scale;
		}
		if (new.msr || new.path)
			add_energy_way(e, &new);
	}
	if (e->row->counter == CT_PKG_ENERGY && has(F(AMD)))
		find_amd_energy(e, row);
}

/* Lists the energies of all packages, then of their memory, then of the system. */
static void find_energies(void)
{
	for (size_t i = 0; i < ARRAY_SIZE(energy_rows); i++) {
		const struct energy_row *r = &energy_rows[i];
		enum scope scope = T.counter[r->counter].scope;

		for (int unit = 0; unit < M.nunits[scope]; unit++) {
			struct energy *e;
			int row = row_of_unit(scope, unit);

			/* a recording has also counters without a column, as they began at 0 */
			if (row == NONE || !(source_of(r->counter, unit) || S.records))
				continue;
			e = append(R.energy, R.nenergies);
			*e = (struct energy){ .row = r, .unit = unit };
			find_energy_ways(e, row);
		}
	}
}

/* When facts are read: before the first sample; after its counters; at the end of an interval. */
enum moment { BEFORE_SAMPLES, IN_FIRST_SAMPLE, IN_LAST_SAMPLE };

/*
 * Was the column's register read at the end of the interval?  A recording of a counter that was 0
 * at the start has it in the first interval only; one that never has it repeats what it had.
 */
static bool has_end(const struct energy *e)
{
	const struct source *s = source_of(e->row->counter, e->unit);
	const char *q;

	if (!O.replay || !s || s->kind != BY_MSR)
		return true;
	q = question("msr %d %x", s->cpu, s->arg);
	return src_is_newer(q, R.evidence_until) || !src_is_newer(q, R.evidence_from);
}

/* Reads the other ways.  In a replay, what the recording has of this moment. */
static void read_energies(enum moment when)
{
	bool sampled = when != BEFORE_SAMPLES && !O.replay;

	for (size_t i = 0; i < R.nenergies; i++) {
		if (when == IN_LAST_SAMPLE)
			R.energy[i].ended = has_end(&R.energy[i]);
		for (int k = 0; k < R.energy[i].nways; k++) {
			struct energy_way *w = &R.energy[i].way[k];
			struct energy_reading now = { 0 };

			/* from the first sample take only what it has read itself */
			if (when == IN_FIRST_SAMPLE &&
			    !(O.replay ? is_way_newer(w)
				       : has_sampled(w->cpu, w->msr, w->path, &now.value)))
				continue;
			if (when == IN_LAST_SAMPLE)
				w->both = is_way_newer(w);
			if (when == IN_LAST_SAMPLE && !w->both)
				continue;
			now.known = read_way_now(w, sampled, &now.value);
			if (when == IN_LAST_SAMPLE)
				w->was = w->now;
			w->now = now;
		}
	}
}

/* --- judging an interval --- */

/* The Joules and own seconds of a counter in a unit; false: unknown. */
static bool read_energy(const struct interval *iv, int k, enum scope scope, int row,
			struct reading *r)
{
	struct view v = view_unit(iv, scope, row);
	struct readings all;

	if (!iv->sum)
		return iv->valid[k] && T.counter[k].chosen &&
		       gather_reading(&v, k, k, T.counter[k].scope, r);
	for (int i = 0; i < P.nshown; i++) {
		const struct column *c = P.shown[i];
		int lead = row < M.n ? lead_of(c->scope, row) : row;
		struct view package = view_unit(iv, c->scope, lead);

		if (is_plain(c) || c->a != k || c->flags & ADDED)
			continue;
		if (!is_sum_known(&iv->sum[c->place], c, &package) || !read_sum(c, &v, &all))
			return false;
		*r = all.a;
		return true;
	}
	return false;
}

/* The power of a counter in the unit of a row, which is of energy_scope(); NaN: unknown. */
static double power_of(const struct interval *iv, int k, enum scope scope, int row)
{
	struct reading r;

	if (!read_energy(iv, k, scope, row, &r) || !(r.seconds > 0))
		return NaN;
	return (double)r.value * T.counter[k].scale / r.seconds;
}

/* Adds a line to the reasons of a check, and the doubt. */
static PRINTF(2, 3) void add_doubt(struct energy_check *c, const char *fmt, ...)
{
	char text[256];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	buf_printf(&c->why, c->why.len ? "\n%s" : "%s", text);
	c->trust = DOUBTFUL;
}

/* The name of a way: "perf", "MSR 0x611", a zone, a driver. */
static char *name_of_way(enum energy_kind kind, u32 msr, const char *path)
{
	const char *end = path ? strrchr(path, '/') : NULL, *begin = end;

	if (kind == VIA_PERF)
		return textf("perf");
	if (kind == VIA_MSR)
		return textf("MSR 0x%x", msr);
	if (kind == VIA_HWMON || !end)
		return textf("amd_energy");
	while (begin > path && begin[-1] != '/')
		begin--;
	return textf("%.*s", (int)(end - begin), begin);
}

/* Notes the way of the column and its power. */
static void note_column(struct energy_check *c, const struct source *s)
{
	static const enum energy_kind kinds[] = {
		[BY_PERF] = VIA_PERF, [BY_MSR] = VIA_MSR, [BY_FILE] = VIA_POWERCAP
	};

	c->first = kinds[s->kind];
	c->by[c->first] = c->watts;
	c->name[c->first] = name_of_way(c->first, s->arg, s->kind == BY_FILE ? s->path : NULL);
}

/* Compares the column with the other ways.  Returns how many agree. */
static int compare_ways(const struct interval *iv, struct energy_check *c)
{
	const struct energy *e = c->of;
	const struct counter *of = &T.counter[e->row->counter];
	const struct sample_times *old = &iv->old->t, *new = &iv->new->t;
	i64 first = old->end.mono - old->begin, last = new->end.mono - new->begin;
	double collect = (double)(first > last ? first : last) / 1e9;
	double step = of->step > 0 ? (double)of->step / 1e9 : 0;	/* else not known */
	double share = most_difference(iv->seconds, step, collect);
	int agree = 0;

	for (int k = 0; k < e->nways; k++) {
		const struct energy_way *w = &e->way[k];
		double joules = w->both && w->was.known && w->now.known
				? joules_between(w->was.value, w->now.value, w->modulus, w->joules)
				: NaN;
		double range = w->modulus ? (double)w->modulus * w->joules : __builtin_inf();
		double unit = w->joules > of->scale ? w->joules : of->scale;

		/* it may have wrapped more than once */
		if (joules != joules || c->watts * iv->seconds > 0.9 * range)
			continue;
		c->by[w->kind] = joules / iv->seconds;
		c->name[w->kind] = name_of_way(w->kind, w->msr, w->path);
		if (powers_agree(c->by[w->kind], c->watts, share, unit / iv->seconds))
			agree++;
		else
			add_doubt(c, "%s (%.2f W) contradicts %s (%.2f W): they differ by more "
				     "than %.1f %%", c->name[w->kind], c->by[w->kind],
				  c->name[c->first], c->watts, 100 * share);
	}
	return agree;
}

/* How many CPUs of the unit of a row were busy? */
static int busy_cpus(const struct interval *iv, enum scope scope, int row)
{
	int n = 0;

	for (int other = 0; other < M.n; other++) {
		struct view v = view_unit(iv, CPU, other);
		const struct column *busy = built_in(COL_BUSY);
		union number x;

		n += M.in[scope][other] == M.in[scope][row] && busy->present &&
		     column_value(busy, &v, &x) && x.f >= 5;
	}
	return n;
}

/* Finds what contradicts within a package. */
static void check_parts(const struct interval *iv, struct energy_check *c, int row)
{
	enum scope scope = energy_scope();
	int k = T.counter[CT_CORE_ENERGY].chosen ? CT_CORE_ENERGY : CT_PP0_ENERGY;
	double cores = power_of(iv, k, scope, row), graphics;
	int busy = busy_cpus(iv, scope, row);

	graphics = power_of(iv, CT_PP1_ENERGY, scope, row);
	if (stands_still(c->watts))
		add_doubt(c, "the package draws 0.00 W");
	if (stands_still(cores) && busy)
		add_doubt(c, "cores 0.00 W while %d CPU%s busy", busy,
			  busy == 1 ? " was" : "s were");
	if (stands_still(c->watts) || !parts_exceed(cores, graphics, c->watts))
		return;
	if (graphics > 0)
		add_doubt(c, "cores (%.2f W) and graphics (%.2f W) are more than the package "
			     "(%.2f W)", cores == cores ? cores : 0, graphics, c->watts);
	else
		add_doubt(c, "cores (%.2f W) are more than the package (%.2f W)", cores, c->watts);
}

/* Judges an energy.  False: it has gone with its CPUs. */
static bool check_energy(const struct interval *iv, const struct energy *e, struct energy_check *c)
{
	int k = e->row->counter, row = row_of_unit(T.counter[k].scope, e->unit), agree;
	const struct source *s = source_of(k, e->unit);

	*c = (struct energy_check){ .of = e, .trust = UNTOLD, .watts = NaN,
				    .by = { NaN, NaN, NaN, NaN } };
	if (row == NONE || !s)
		return false;
	c->watts = power_of(iv, k, T.counter[k].scope, row);
	note_column(c, s);
	if (c->watts != c->watts) {
		buf_puts(&c->why, may_have_wrapped(iv, &T.counter[k]) || iv->sum
				  ? "the counter may have wrapped unread"
				  : "the counter could not be read, or began anew");
		return true;
	}
	if (stands_still(c->watts) && has(F(GUEST))) {
		buf_puts(&c->why, "the hypervisor answers 0");
		return true;
	}
	if (!e->ended) {
		buf_puts(&c->why, "the counter was not recorded in this interval");
		c->watts = NaN;
		return true;
	}
	c->trust = SINGLE;
	agree = compare_ways(iv, c);
	if (k == CT_PKG_ENERGY)
		check_parts(iv, c, row);
	if (agree && c->trust == SINGLE)
		c->trust = RIGHT;
	return true;
}

/* Judges all energies.  Returns how many checks there are. */
static size_t check_energies(const struct interval *iv, struct energy_check **checks)
{
	size_t n = 0;

	*checks = zeroed(R.nenergies, sizeof(**checks));
	for (size_t i = 0; i < R.nenergies; i++)
		n += check_energy(iv, &R.energy[i], &(*checks)[n]);
	return n;
}

static void free_checks(struct energy_check *c, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		for (int k = 0; k < VIA_KINDS; k++)
			free(c[i].name[k]);
		free(c[i].why.p);
	}
	free(c);
}

/* The name of an energy: "package 0", "memory of die 1 of package 0", "system". */
static const char *name_of_energy(const struct energy *e)
{
	enum scope scope = T.counter[e->row->counter].scope;
	int row = row_of_unit(scope, e->unit);

	if (scope == SYSTEM || row == NONE)
		return e->row->of;
	if (scope == DIE && M.show_id[ID_DIE])
		return pathf("%sdie %d of package %d", e->row->of, M.id[ID_DIE][row],
			     M.id[ID_PACKAGE][row]);
	return pathf("%spackage %d", e->row->of, M.id[ID_PACKAGE][row]);
}

/* Appends the lines of an energy: its verdict and every way, the column's first; then why. */
static void print_check(struct buf *b, const struct energy_check *c, const char *verdict)
{
	char *lines SCOPED(ptr) = textf("%s", c->why.p ?: ""), *rest = lines, *line;
	bool known = c->trust != UNTOLD;

	buf_printf(b, "%s: %s: ", verdict, name_of_energy(c->of));
	if (!known) {
		buf_printf(b, "%s\n", c->why.p);
		return;
	}
	buf_printf(b, "%s %.2f W", c->name[c->first], c->watts);
	for (enum energy_kind k = VIA_PERF; k < VIA_KINDS; k++)
		if (k != c->first && c->name[k])
			buf_printf(b, ", %s %.2f W", c->name[k], c->by[k]);
	buf_puts(b, "\n");
	while (c->why.len && (line = strsep(&rest, "\n")))
		buf_printf(b, "%*s%s\n", (int)strlen("doubtful: "), "", line);
}

/* Appends why the energy of the packages is not known. */
static void print_ignorance(struct buf *b, const struct energy_check *c, size_t n)
{
	const struct counter *package = &T.counter[CT_PKG_ENERGY];
	const char *why = package->chosen ? "the counter could not be read" : NULL;

	for (size_t i = n; i-- > 0;)
		if (c[i].of->row->counter == CT_PKG_ENERGY && c[i].trust == UNTOLD)
			why = c[i].why.p;
	if (why)
		buf_puts(b, why);
	else
		buf_printf(b, "no energy of packages here: %s", judge_counter(package).text);
}

/* A power as it is printed in the text. */
static double rounded_watts(double watts)
{
	return strtod(pathf("%.2f", watts), NULL);
}

/* Appends an energy as a JSON object. */
static void json_check(struct buf *b, const struct energy_check *c, const char *verdict)
{
	struct buf why SCOPED(buf) = { 0 };

	for (const char *s = c->why.p ?: ""; *s; s++)
		buf_printf(&why, *s == '\n' ? "; " : "%c", *s);
	json_next(b);
	buf_puts(b, "{");
	json_named_text(b, "of", name_of_energy(c->of));
	json_named_text(b, "verdict", verdict);
	json_named_number(b, "watts", rounded_watts(c->watts));
	json_key(b, "ways");
	buf_puts(b, "{");
	for (enum energy_kind k = VIA_PERF; k < VIA_KINDS; k++)
		if (c->name[k])
			json_named_number(b, energy_kinds[k], rounded_watts(c->by[k]));
	buf_puts(b, "}");
	json_named_text(b, "text", c->why.len ? why.p : NULL);
	buf_puts(b, "}");
}

/* ======================================================================== *
 * 23. ANSWERS
 *
 * --explain clock and --explain sleep: why the clock is low, what keeps the machine awake.  The
 * places of each question are read before the first sample, and right after the counters of the
 * last sample of each interval that is judged, so that no interval contains it.  What the sample
 * has read itself is not read again.  Then each reading is judged on its values: this gives
 * findings, findings give a verdict, and the verdict says which findings are causes.  An answer is
 * data; text, JSON and metrics print it.  Invariants: a cause is named only with the values that
 * were read; a single reading excludes nothing; a name is in one list; no decision depends on a
 * printed text; nothing is ever written.
 * Calls BASE, RECORDING, SOURCES, MACHINE, DEVICES, FACTS, ROWS, SEARCH, PLAN, SAMPLE, MATH,
 * FORMATS, EXPLAIN and ENERGY.  Owns R.asked.
 * ======================================================================== */

enum { MOST_READ = 4, BUSY = 5 };	/* places of a question; Busy% of a busy CPU */

#define NEXT_LINE	"\n         "	/* as wide as "because: " */
#define NO_TURBO_FILE	SYS_CPU "intel_pstate/no_turbo"
#define BOOST_FILE	SYS_CPU "cpufreq/boost"
#define EPP_FILE	"cpufreq/energy_performance_preference"
#define EPB_FILE	"power/energy_perf_bias"
#define HSMP_DIR	"/sys/devices/platform/AMDI0097:*/"
#define OLD_HSMP_DIR	"/sys/devices/platform/amd_hsmp/socket*/"

/* The kinds of evidence.  STATUS, COUNTED and LEVEL are effects, the others are settings. */
enum kind_of_evidence {
	STATUS,		/* in force now: two readings */
	COUNTED,		/* of events: two readings */
	LEVEL,		/* a value against its limit */
	BINDING,	/* a setting that allows a clock */
	SWITCH,		/* a setting that holds or not */
	SETTING,	/* the same; its value is printed if it does not hold */
	READ_ONLY,	/* others need it */
};

/*
 * What a reading shows.  For a setting that differs between types of cores, the greatest counts.
 * From HOLDS on it can be a cause.  IS_MISSING (there is no reading) and IS_OPEN to IS_ONCE keep
 * other CPUs of a question from excluding what it asks for.
 */
enum shown { NOTHING_FOUND, IS_MISSING, POSSIBLE,
	       IS_OPEN, IS_LOGGED, IS_UNREAD, IS_BROKEN, IS_ONCE, IS_EXCLUDED,
	       HOLDS,	/* an effect or a setting without a clock */
	       IS_FIRM,	/* an effect at both ends, or one that appeared in the interval */
	       BINDS };	/* a setting: it is a cause whatever the verdict would be */

/* The lists of an answer.  A name is printed in the first list that has it. */
enum list { BECAUSE, EXCLUDED, ONCE, UNREAD, LOGGED, MAYBE, NLISTS };

struct content {		/* of a place */
	const char *text;	/* without the last newline; "": it was not read */
	i64 n;			/* the number that it begins with, or 0 */
	int err;
	bool ended;		/* the text of a file had a last newline */
};

struct evidence {		/* the readings of a question on a CPU */
	const struct asked *in;
	const struct question *of;
	int cpu;
	char *path;
	struct content was[MOST_READ], now[MOST_READ];
	bool both;		/* was is from before the interval, and now is from its end */
	bool fails;		/* at the end it could no longer be read */
	bool deeper_disabled;	/* an idle state: all deeper ones are disabled */
	bool appeared;		/* its files were not there before the interval */
};

/* A question of this answer: its evidence in the order of CPUs, and its registers. */
struct asked {
	const struct question *question;
	struct evidence *of;
	size_t n;
	u32 msr[MOST_READ];	/* 0 = a file */
	int high[MOST_READ], low[MOST_READ];
};

struct finding {
	enum shown outcome;
	const struct question *of;
	char *name;
	struct buf text, more;	/* the values that were read; a line below it */
	int package;		/* id; NONE = it is not of a package */
	struct cpuset cpus;
	const char *path;	/* the first place that was read; NULL = none */
	bool harmless;		/* it holds, but for a core that is not slow */
};

/* A type of core that was busy.  Highest clocks are means of its CPUs; NaN = unknown. */
struct clock {
	char type;		/* letter; 0 = all cores are alike */
	double base;		/* clock without turbo; NaN = unknown, as that of Atom cores */
	double mhz, busy;	/* mean clock, sum of Busy% */
	double fastest;		/* of a CPU */
	int fewest, most;	/* cores of a package that were busy at once */
	double of_fewest, of_most, of_one;	/* highest clocks; NaN = unknown */
	bool high, nearly, below, low;	/* see judge_types() */
};

/* An answer, and what it is made of. */
struct inquiry {
	const struct interval *iv;
	struct cpuset busy;
	bool is_counted;	/* how busy each CPU was is known */
	struct cpuset units[NSCOPES];	/* leaders of the units of busy CPUs */
	int cores;			/* busy ones */
	struct cpuset counted;		/* leaders of packages whose throttle counts are judged */
	double load;			/* mean Busy% of the busy CPUs */
	bool eager;		/* the governor of a busy CPU always asks for the highest clock */
	struct clock *clock;
	size_t nclocks;
	bool is_high, is_nearly, is_below, is_low, is_partly;
	int sockets, sockets_at_maximum;	/* of HSMP that were busy; that no limit holds */
	double asleep;		/* seconds of a suspend in the interval */
	double hw_sleep;	/* of these in the lowest power state; NaN = not known */
	double drained;		/* mWh from the batteries meanwhile; NaN = not known */
	bool shallow;		/* a package state that is counted was not reached */
	struct finding *finding;
	size_t nfindings, first;	/* first: of the question that is judged */
	/* the answer */
	const char *word;	/* of the topic's words */
	struct buf sentence;	/* the first line, behind "clock: " */
	struct buf lines;	/* further lines, before the lists */
	struct buf members;	/* of the JSON object, in place of the clocks: {"key":value... */
	struct finding **list[NLISTS];
	size_t n[NLISTS];
};

struct question {
	enum topic topic;
	enum kind_of_evidence kind;
	const char *name;	/* of the cause, and of what is excluded; NULL: only read */
	const char *because;	/* the cause if it holds; NULL: what the judge appends */
	u64 needs;
	enum scope scope;
	/* BITS_OF() registers, or files: a pattern or below cpuN/; then absolute or beside it */
	const char *place[MOST_READ];
	bool (*holds)(const struct evidence *e);	/* NULL: the judge knows */
	/* appends the evidence, or adds findings itself and returns NOTHING_FOUND */
	enum shown (*judge)(struct inquiry *a, const struct evidence *e, struct buf *b);
	const void *with;	/* for the judge; beside holds: the text of evidence that counts */
	/* of BINDING: the clock in MHz that it allows; NaN: not known */
	double (*allows)(const struct evidence *e, const struct clock *c);
	const char *advice;	/* what to do; @ is the path that was read */
	bool of_runs;		/* read before the runs of a command only */
	bool after_suspend;	/* read only at the end of an interval with a suspend */
	bool comes;		/* its files may come in the interval, as counts from 0 */
};

/* --- evidence --- */

/* The question whose first place this is; NULL: it is not asked here. */
static const struct asked *asked_about(const char *place)
{
	for (const struct asked *k = R.asked; k < PAST(R.asked, R.nasked); k++)
		if (!strcmp(k->question->place[0], place))
			return k;
	return NULL;
}

/* The first evidence of a question on a CPU, or NULL. */
static const struct evidence *evidence_on(const struct asked *k, int cpu)
{
	size_t low = 0, high = k ? k->n : 0;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (k->of[middle].cpu < cpu)
			low = middle + 1;
		else
			high = middle;
	}
	return k && low < k->n && k->of[low].cpu == cpu ? &k->of[low] : NULL;
}

/* The newest reading of a place on a CPU, of the first match; one without text if there is none. */
static const struct content *reading_of(const char *place, int cpu)
{
	static const struct content none = { .text = "" };
	const struct evidence *e = evidence_on(asked_about(place), cpu);

	return e ? &e->now[0] : &none;
}

/* The same of a place of the system: of its first match. */
static const struct content *system_reading(const char *place, bool old)
{
	static const struct content none = { .text = "" };
	const struct asked *k = asked_about(place);

	if (!k || !k->n)
		return &none;
	return old ? &k->of[0].was[0] : &k->of[0].now[0];
}

/* Registers of the CPU whose evidence is being read: each is read once. */
struct known_registers {
	bool sampled;		/* a sample was just taken, which may have read some */
	bool first;		/* nothing was read before: all is new */
	struct known_register {
		u32 msr;
		int err;
		u64 value;
	} of[16];	/* all registers of the questions are fewer */
	int n;
};

/* Reads a register, unless the sample or an earlier question has just read it. */
static int read_register(int cpu, u32 msr, struct known_registers *known, u64 *v)
{
	struct known_register *r = known->of;

	while (r < known->of + known->n && r->msr != msr)
		r++;
	if (r == known->of + known->n) {
		known->n++;
		*r = (struct known_register){ .msr = msr };
		if (!known->sampled || !has_sampled(cpu, msr, NULL, &r->value))
			r->err = src_msr(cpu, msr, &r->value);
	}
	*v = r->value;
	return r->err;
}

/* The path of a place: absolute, or beside the first place. */
static const char *place_path(const struct evidence *e, int k)
{
	const char *file = e->of->place[k];

	if (!k)
		return e->path;
	if (strchr("/M", *file))
		return file;
	return pathf("%.*s%s", (int)(strrchr(e->path, '/') + 1 - e->path), e->path, file);
}

/* Reads a file; cpu_dma_latency, a binary integer, becomes decimal. */
static void read_text(const struct evidence *e, const char *path, bool sampled, struct content *r)
{
	struct buf b SCOPED(buf) = { 0 };
	int usec;
	u64 v;

	if (sampled && has_sampled(e->cpu, 0, path, &v))
		buf_printf(&b, "%llu\n", v);
	else if (sampled && has_sampled_text(path))
		buf_puts(&b, R.kernel.interrupts_text.p);
	else if (!sampled || !text_after(path, "/sys/class/power_supply/") ||
		 !src_recorded_text(path, &b))	/* the sample reads batteries, if asked for */
		r->err = src_text(-1, path, &b);
	usec = strcmp(path, DMA_LATENCY) ? NONE : latency_of(b.p, b.len);
	if (usec != NONE) {
		buf_clear(&b);
		buf_printf(&b, "%d", usec);
	}
	r->ended = b.len && b.p[b.len - 1] == '\n';
	while (b.len && strchr(" \n", b.p[b.len - 1]))
		b.p[--b.len] = '\0';
	if (r->err || !b.len)
		return;
	r->n = strtoll(b.p, NULL, 10);
	r->text = textf("%s", b.p);
}

/* Reads a place.  In a replay: false if the answer is not newer than what was read before. */
static bool read_place(const struct evidence *e, int k, struct known_registers *known,
		       struct content *r)
{
	const struct asked *of = e->in;
	const char *path;
	bool newer;
	u64 v = 0;

	*r = (struct content){ .text = "" };
	if (!of->msr[k]) {
		path = place_path(e, k);
		newer = known->first || src_is_newer(question("file %s", path), R.evidence_until);
		if (newer)
			read_text(e, path, known->sampled, r);
		return newer;
	}
	/* a guest without registers is no news */
	r->err = !M.msr_error ? 0 : has(F(GUEST)) || O.no_msr ? -ENOENT : -EPERM;
	newer = r->err || known->first ||
		src_is_newer(question("msr %d %x", e->cpu, of->msr[k]), R.evidence_until);
	if (r->err || !newer)
		return newer;
	r->err = read_register(e->cpu, of->msr[k], known, &v);
	if (r->err)
		return newer;
	r->n = (i64)FIELD_(v, of->high[k], of->low[k]);
	r->text = textf("%llu", (u64)r->n);
	return newer;
}

static void forget_reading(struct content *r)
{
	if (*r->text)
		free((char *)r->text);
	*r = (struct content){ .text = "" };
}

/* Is this question asked again at the end of an interval that is only recorded? */
static bool compares(const struct question *q)
{
	return q->kind == STATUS || q->kind == COUNTED || q->after_suspend;
}

/* Seconds that the machine slept between two samples. */
static double slept_between(const struct sample_times *old, const struct sample_times *new)
{
	return (double)(new->boot - old->boot - (new->end.mono - old->end.mono)) / 1e9;
}

/* Is the evidence of a question read at this moment? */
static bool is_read_at(const struct question *q, enum moment when)
{
	if (when == IN_LAST_SAMPLE && !O.topic && !compares(q))
		return false;
	/* settings of single CPUs once for all runs of a command */
	if (when != IN_LAST_SAMPLE && R.begun > 1 && !compares(q) && q->scope != SYSTEM)
		return false;
	if (!q->after_suspend)
		return true;
	return when == IN_LAST_SAMPLE &&
	       slept_between(&R.sample[!R.now].t, &R.sample[R.now].t) >= 1;
}

/* Does each sample read this place itself? */
static bool is_sampled(const struct evidence *e, int k)
{
	const char *path = place_path(e, k);

	return find_sampled(e->cpu, e->in->msr[k], path) ||
	       (is_kept(P.interrupts_fd) && !strcmp(path, "/proc/interrupts"));
}

/* Reads all places of a question on a CPU. */
static void read_evidence_of(struct evidence *e, enum moment when, struct known_registers *known)
{
	bool again = when == IN_LAST_SAMPLE;
	/* a replay reads what comes before a later run together with that run's first sample */
	bool comes_late = O.replay && R.begun > 1;

	if (!is_read_at(e->of, when) || (comes_late && when == BEFORE_SAMPLES))
		return;
	for (int k = 0; k < MOST_READ && e->of->place[k]; k++) {
		struct content now;
		bool newer;

		/* what the first sample reads is not read before it; nothing else is read there */
		if (when != IN_LAST_SAMPLE && !comes_late &&
		    is_sampled(e, k) != (when == IN_FIRST_SAMPLE))
			continue;
		newer = read_place(e, k, known, &now);
		if (!k && again)
			e->both = newer && *e->now[0].text && *now.text;
		if (!newer)
			continue;
		/* one that fails at the end was read once; the next interval has no reading */
		if (!k && again && e->of->topic == CLOCK) {
			bool keeps = now.err == -EIO && *e->now[0].text && !e->fails;

			e->fails = now.err == -EIO;
			if (keeps)
				continue;
		}
		if (again) {
			forget_reading(&e->was[k]);
			e->was[k] = e->now[k];
		} else {
			forget_reading(&e->now[k]);
		}
		e->now[k] = now;
	}
}

/* Lists the places of a question that were not there before. */
static void find_newcomers(struct asked *of)
{
	struct names l = list_matches(of->question->place[0]);
	size_t old = of->n;

	for (size_t k = 0; k < l.n; k++) {
		struct evidence *e;
		size_t i = 0;

		while (i < old && strcmp(of->of[i].path, l.name[k]))
			i++;
		if (i < old) {
			free(l.name[k]);
			continue;
		}
		e = append(of->of, of->n);
		*e = (struct evidence){ .in = of, .of = of->question, .cpu = M.main_cpu,
					.path = l.name[k], .appeared = true };
		for (i = 0; i < MOST_READ; i++)
			e->was[i] = e->now[i] = (struct content){ .text = "" };
	}
	free(l.name);
}

/* Reads the evidence of this moment, CPU by CPU.  In a replay, what the recording has of it. */
static void read_evidence(enum moment when)
{
	size_t *next SCOPED(ptr) = zeroed(R.nasked, sizeof(*next));

	if (when != BEFORE_SAMPLES)	/* next to the counters */
		read_energies(when);
	for (struct asked *k = R.asked; k < PAST(R.asked, R.nasked) && when == IN_LAST_SAMPLE; k++)
		if (k->question->comes && is_read_at(k->question, when))
			find_newcomers(k);
	for_each_cpu(cpu, &M.allowed) {
		struct known_registers known = {
			.sampled = when != BEFORE_SAMPLES && !O.replay,
			.first = when == BEFORE_SAMPLES,
		};

		for (size_t i = 0; i < R.nasked; i++) {
			struct asked *k = &R.asked[i];

			while (next[i] < k->n && k->of[next[i]].cpu < cpu)
				k->of[next[i]++].both = false;	/* it is offline */
			for (; next[i] < k->n && k->of[next[i]].cpu == cpu; next[i]++)
				read_evidence_of(&k->of[next[i]], when, &known);
		}
	}
	if (when == BEFORE_SAMPLES)
		read_energies(when);
	else
		R.evidence_until = src_line_number();
	if (when == IN_FIRST_SAMPLE)
		R.evidence_from = R.evidence_until;
	if (when == IN_LAST_SAMPLE && O.topic == ENERGIES)
		find_steps(true);
}

/* A column's value in the unit of a row, or (NONE) of the system; NaN: unknown. */
static double number_of_column(const struct interval *iv, const struct column *c, int row)
{
	struct view view = row == NONE ? view_all(iv)
				       : view_unit(iv, c->scope, lead_of(c->scope, row));
	union number n;

	if (!c->present || !column_value(c, &view, &n))
		return NaN;
	return number_of(c->format, n);
}

/* The same of a built-in column. */
static double column_number(const struct interval *iv, enum built_in id, int row)
{
	return number_of_column(iv, built_in(id), row);
}

/* --- findings --- */

/* Adds what a reading shows.  Readings of a question that show the same become one. */
static void add_finding(struct inquiry *a, const struct evidence *e, enum shown outcome,
			bool harmless, const char *name, const struct buf *text, const char *more)
{
	enum scope scope = e->of->scope;
	struct finding *f = PAST(a->finding, a->first), *end = PAST(a->finding, a->nfindings);
	bool folds = outcome == IS_MISSING || scope == CPU || scope == CORE;

	while (f < end && !(folds && f->outcome == outcome && f->harmless == harmless &&
			    !strcmp(f->name, name)))
		f++;
	if (f == end) {
		f = append(a->finding, a->nfindings);
		*f = (struct finding){ .outcome = outcome, .of = e->of, .harmless = harmless };
		f->name = textf("%s", name);
		f->package = scope == PACKAGE ? M.id[ID_PACKAGE][M.row[e->cpu]] : NONE;
		f->path = e->path;
		if (more)
			buf_puts(&f->more, more);
	}
	set_add(&f->cpus, e->cpu);
	/* of values that exclude a cause, the first */
	if (!f->text.len && text->len)
		buf_add(&f->text, text->p, text->len);
}

/* Appends a comma-separated name. */
static void add_name(struct buf *b, const char *name)
{
	buf_printf(b, b->len ? ", %s" : "%s", name);
}

/* --- measuring the clock --- */

/* The busy cores of a package and type, and how many were busy at once at least and at most. */
struct group {
	int cores;
	double busy, awake;	/* sums of shares: of busy cores; of others, not in C3 or deeper */
	int fewest, most;
	struct highest of_one, of_fewest, of_most;	/* of a turbo table; others: each CPU's */
};

/* A core's share of the interval outside C3 and deeper states; unknown: its busy share. */
static double awake_share(const struct interval *iv, int row, double busy)
{
	static const enum built_in states[] = { COL_C3, COL_C6, COL_C7 };
	double deep = 0;
	bool known = false;

	for (size_t i = 0; i < ARRAY_SIZE(states); i++) {
		double v = column_number(iv, states[i], row);

		if (!built_in(states[i])->present)
			continue;
		if (v != v)
			return busy;
		deep += v;
		known = true;
	}
	if (!known)
		return busy;
	return deep < 100 ? 100 - deep : 0;
}

/* The group of a row: packages and types are numbered. */
static size_t number_of_group(int row)
{
	return (size_t)M.in[PACKAGE][row] * (size_t)M.nunits[TYPE] + (size_t)M.in[TYPE][row];
}

/* Counts the busy CPUs, and the busy cores of each group. */
static void count_busy(struct inquiry *a, struct group *group)
{
	double *share SCOPED(ptr) = zeroed((size_t)M.nunits[CORE] + 1, sizeof(*share));

	a->is_counted = true;
	for (int row = 0; row < M.n; row++) {
		double busy = column_number(a->iv, COL_BUSY, row), *core = &share[M.in[CORE][row]];

		a->is_counted &= busy == busy;
		if (busy > *core)
			*core = busy < 100 ? busy : 100;
		if (!(busy >= BUSY))
			continue;
		set_add(&a->busy, M.cpu[row]);
		a->load += busy;
		for (enum scope s = SYSTEM; s < NSCOPES; s++)
			set_add(&a->units[s], M.cpu[lead_of(s, row)]);
	}
	for (int row = 0; row < M.n; row++) {
		double busy = share[M.in[CORE][row]];
		struct group *g = &group[number_of_group(row)];

		if (!leads_unit(CORE, row))
			continue;
		if (busy >= BUSY) {
			g->cores++;
			g->busy += busy / 100;
		} else {
			g->awake += awake_share(a->iv, row, busy) / 100;
		}
	}
	a->load /= set_count(&a->busy);
	a->cores = set_count(&a->units[CORE]);
}

/* A sum of shares, rounded up; it is exact but for the last bits of a double. */
static int cores_of(double shares)
{
	int n = (int)shares;

	return shares - n > 1e-9 ? n + 1 : n;
}

/* The highest clock for N cores of a group, of a CPU whose highest for one core is known. */
static double highest_for(const struct highest *of_group, double one, int cores)
{
	if (of_group->holds == FOR_N)
		return of_group->mhz;
	return of_group->holds == FOR_ANY || cores == 1 ? one : NaN;
}

/* The base clock in MHz, which is the TSC's rate; NaN: unknown. */
static double base_mhz(void)
{
	double hz = M.tsc_rate > 0 ? M.tsc_rate : R.interval.tsc_hz;

	return hz > 0 ? hz / 1e6 : NaN;
}

/* The highest clock of a row, also if the base clock is known from the interval only. */
static struct highest highest_now(int row, u64 cores)
{
	struct highest h = highest_mhz(row, cores);

	if (M.tsc_rate <= 0 && h.holds == FOR_ONE && lacks_its_turbo(h.mhz, base_mhz()))
		h.mhz = NaN;
	return h;
}

/* The clock of a type of core; a new one has none yet. */
static struct clock *clock_of(struct inquiry *a, int row)
{
	char type = M.nunits[TYPE] > 1 ? (char)M.id[ID_TYPE][row] : '\0';
	struct clock *c = a->clock;

	while (c < PAST(a->clock, a->nclocks) && c->type != type)
		c++;
	if (c == PAST(a->clock, a->nclocks)) {
		c = append(a->clock, a->nclocks);
		*c = (struct clock){ .type = type };
		/* that of Atom cores is another */
		c->base = type == 'E' || type == 'L' ? NaN : base_mhz();
	}
	return c;
}

/* Adds a busy CPU to the clock of its type, weighted by Busy%. */
static void add_clock(struct inquiry *a, int row, const struct group *g)
{
	double busy = column_number(a->iv, COL_BUSY, row);
	double mhz = column_number(a->iv, COL_CLOCK, row);
	struct clock *c = clock_of(a, row);
	double one;

	if (mhz != mhz || !(mhz > 0))
		return;
	c->fewest = c->busy > 0 && c->fewest < g->fewest ? c->fewest : g->fewest;
	c->most = c->most > g->most ? c->most : g->most;
	c->fastest = mhz > c->fastest ? mhz : c->fastest;
	c->busy += busy;
	c->mhz += mhz * busy;
	one = g->of_one.holds == FOR_N ? g->of_one.mhz : highest_now(row, 1).mhz;
	c->of_one += one * busy;
	c->of_fewest += highest_for(&g->of_fewest, one, g->fewest) * busy;
	c->of_most += highest_for(&g->of_most, one, g->most) * busy;
}

/* Measures the clock of each type of core, and finds its highest for the fewest and most cores. */
static void measure_clock(struct inquiry *a)
{
	size_t n = (size_t)M.nunits[PACKAGE] * (size_t)M.nunits[TYPE], kept = 0;
	struct group *group SCOPED(ptr) = zeroed(n, sizeof(*group));

	count_busy(a, group);
	for_each_cpu(cpu, &a->busy) {
		struct group *g = &group[number_of_group(M.row[cpu])];

		if (!g->fewest) {
			g->fewest = cores_of(g->busy);
			g->most = g->cores + cores_of(g->awake);
			g->of_one = highest_now(M.row[cpu], 1);
			g->of_fewest = highest_now(M.row[cpu], (u64)g->fewest);
			g->of_most = highest_now(M.row[cpu], (u64)g->most);
		}
		add_clock(a, M.row[cpu], g);
		a->eager |= !strcmp(reading_of("cpufreq/scaling_governor", cpu)->text,
				    "performance");
	}
	for (size_t i = 0; i < a->nclocks; i++) {
		struct clock *c = &a->clock[i];

		if (!(c->busy > 0))
			continue;	/* no busy CPU has a clock */
		c->mhz /= c->busy;
		c->of_one /= c->busy;
		c->of_fewest /= c->busy;
		c->of_most /= c->busy;
		a->clock[kept++] = *c;
	}
	a->nclocks = kept;
}

/* Does a clock reach a highest, but for a step: the BCLK or 1 % of it, at most 5 %? */
static bool reaches(double mhz, double highest)
{
	double step = M.bclk > 0 ? M.bclk : 100;

	step = step > highest / 100 ? step : highest / 100;
	step = step < highest / 20 ? step : highest / 20;
	return mhz >= highest - step;
}

/* Is a clock below the highest for the most cores?  Where that is not known: below the base. */
static bool is_below(const struct clock *c, double mhz)
{
	return c->of_most > 0 ? !reaches(mhz, c->of_most) : mhz < 0.95 * c->base;
}

/*
 * Compares each type with its highest clocks: high if it reaches that for the fewest cores, or for
 * one: what reaches that cannot be higher.  Between the limits nothing is claimed.
 */
static void judge_types(struct inquiry *a)
{
	int known = 0, high = 0, nearly = 0;

	for (struct clock *c = a->clock; c < PAST(a->clock, a->nclocks); c++) {
		c->high = reaches(c->mhz, c->of_fewest) || reaches(c->mhz, c->of_one);
		c->nearly = c->mhz >= 0.95 * c->of_fewest || c->mhz >= 0.95 * c->of_one;
		c->below = is_below(c, c->mhz);
		c->low = c->of_most > 0 ? c->mhz < 0.95 * c->of_most : c->below;
		a->is_below |= c->below;
		a->is_low |= c->low;
		if (!(c->of_fewest > 0 || c->of_one > 0))
			continue;
		known++;
		high += c->high;
		nearly += c->nearly;
	}
	a->is_high = known && high == known;
	a->is_nearly = known && nearly == known;
	a->is_partly = a->load < 50 && !a->eager;
}

/* --- judging effects on the clock --- */

#define BITS_OF_(address, high, low) "MSR " #address "[" #high ":" #low "]"
#define BITS_OF(...)	BITS_OF_(__VA_ARGS__)

/* The clock of a CPU's type, or NULL if that was not busy or has no clock. */
static const struct clock *clock_at(const struct inquiry *a, int cpu)
{
	char type = M.nunits[TYPE] > 1 ? (char)M.id[ID_TYPE][M.row[cpu]] : '\0';

	for (const struct clock *c = a->clock; c < PAST(a->clock, a->nclocks); c++)
		if (c->type == type)
			return c;
	return NULL;
}

/* The highest clock of the busy CPUs in a CPU's unit that are of a type; 0: none has a clock. */
static double fastest_in(const struct inquiry *a, enum scope scope, int cpu, const struct clock *c)
{
	double fastest = 0;

	if (scope == SYSTEM)
		return c->fastest;
	if (scope == CPU)
		return set_has(&a->busy, cpu) ? column_number(a->iv, COL_CLOCK, M.row[cpu]) : 0;
	for_each_cpu(other, &a->busy) {
		double mhz;

		if (lead_of(scope, M.row[other]) != lead_of(scope, M.row[cpu]) ||
		    clock_at(a, other) != c)
			continue;
		mhz = column_number(a->iv, COL_CLOCK, M.row[other]);
		fastest = mhz > fastest ? mhz : fastest;
	}
	return fastest;
}

/* Is a core's clock below its highest for the most cores?  Of other units: is any type's? */
static bool is_slow(const struct inquiry *a, const struct evidence *e)
{
	const struct clock *c = clock_at(a, e->cpu);
	double fastest = 0;
	int core = M.in[CORE][M.row[e->cpu]];
	const struct members *cpus;

	if (e->of->scope != CPU && e->of->scope != CORE)
		return a->is_below;
	cpus = members_of(CPU, CORE);
	for (int i = cpus->first[core]; c && i < cpus->first[core + 1]; i++) {
		int row = M.unit[CPU][cpus->unit[i]].lead;
		double mhz = row >= 0 ? column_number(a->iv, COL_CLOCK, row) : NaN;

		fastest = mhz > fastest ? mhz : fastest;
	}
	return c && fastest > 0 && is_below(c, fastest);
}

/* Does the processor obey a PROCHOT from outside: 1, 0; NONE: not known. */
static int reads_bd_prochot(void)
{
	const struct content *r = reading_of(BITS_OF(MSR_IA32_POWER_CTL, POWER_CTL_BD_PROCHOT),
					     M.main_cpu);

	if (!has_bd_prochot() || !*r->text)
		return NONE;
	return r->n != 0;
}

/* The line below an asserted PROCHOT: who asserts it; NULL if that is not known. */
static const char *prochot_line(void)
{
	if (reads_bd_prochot() != 1)
		return NULL;
	return "usually the charger, the battery or the embedded controller; BD PROCHOT is "
	       "enabled (MSR_POWER_CTL bit 0)";
}

/* Status and log bits at both ends, or of the only reading. */
struct bits {
	const struct reasons *names;
	u64 causes;		/* bits that the register has, and that can be a cause */
	u64 was, now;
	bool of_limits;		/* of a limit register: PROCHOT comes from outside */
	const char *title;	/* of the register */
	u64 old_value, value;	/* of the register, before the interval and at its end */
};

/* Adds a bit that is in force, or was in the interval. */
static void add_bit(struct inquiry *a, const struct evidence *e, const struct bits *r, int bit,
		    const struct limited_by *by)
{
	struct buf b SCOPED(buf) = { 0 };
	double celsius = column_number(a->iv, COL_PKG_TEMP, M.row[e->cpu]);
	bool is = by->is >> bit & 1, came = by->came >> bit & 1;
	bool outside = r->of_limits && !bit, off = outside && reads_bd_prochot() == 0;
	bool at_end = (r->now | r->now >> 16) >> bit & 1;	/* or its log, which stays */

	buf_printf(&b, "%s %s asserted%s%s%s (%s 0x%08llx)", r->names->name[bit], is ? "is" : "was",
		   outside ? " from outside the processor" : "",
		   off ? ", although BD PROCHOT is off (MSR_POWER_CTL bit 0)" : "",
		   came ? " in this interval" : "", r->title, at_end ? r->value : r->old_value);
	if (outside && celsius == celsius)
		buf_printf(&b, "; it is %.0f C", celsius);
	add_finding(a, e, is || came ? IS_FIRM : HOLDS, !is_slow(a, e), r->names->name[bit], &b,
		    outside ? prochot_line() : NULL);
}

/*
 * Judges bits of limits: in force, logged, or (each: by its own name) excluded if it was 0 at both
 * ends, its log, too.  Bit 8, "Other", comes last.
 */
static void judge_bits(struct inquiry *a, const struct evidence *e, const struct bits *r, bool each)
{
	struct limited_by by = limited_by(r->causes, e->both ? r->was : r->now, r->now);
	u64 set = r->was | r->now;
	const struct buf none = { 0 };

	if (!e->both) {
		by.was |= by.is;
		by.is = by.came = 0;
	}
	for (int i = 0; i < 16; i++) {
		int bit = i < 8 ? i : i < 15 ? i + 1 : 8;

		if (!(r->causes >> bit & 1))
			continue;
		if (by.logged >> bit & 1)
			add_finding(a, e, IS_LOGGED, false, r->names->name[bit], &none, NULL);
		if ((by.is | by.was) >> bit & 1)
			add_bit(a, e, r, bit, &by);
		else if (each && !e->both)
			add_finding(a, e, IS_ONCE, false, r->names->name[bit], &none, NULL);
		else if (each)
			add_finding(a, e, (set | set >> 16) >> bit & 1 ? IS_OPEN : IS_EXCLUDED,
				    false, r->names->name[bit], &none, NULL);
	}
}

/* The limit register; it is excluded as a whole, if all bits that can be a cause are 0. */
static enum shown judge_reasons(struct inquiry *a, const struct evidence *e, UNUSED struct buf *b)
{
	const struct reasons *names = e->of->with;
	struct bits r = { names, names->causes, (u64)e->was[0].n, (u64)e->now[0].n, true,
			  "MSR_CORE_PERF_LIMIT_REASONS", (u64)e->was[0].n, (u64)e->now[0].n };
	u64 set = r.was | r.now;

	judge_bits(a, e, &r, false);
	if (!e->both)
		return r.now & names->causes ? IS_OPEN : IS_ONCE;
	return (set | set >> 16) & names->causes ? IS_OPEN : IS_EXCLUDED;
}

/* MSR_IA32_THERM_STATUS of a core, or that of a package. */
static enum shown judge_therm(struct inquiry *a, const struct evidence *e, UNUSED struct buf *b)
{
	bool of_package = e->of->scope == PACKAGE;
	struct bits r = { &therm_reasons, therm_reasons.causes & therm_pairs(of_package), 0,
			  therm_limits((u64)e->now[0].n), false,
			  of_package ? "MSR_IA32_PACKAGE_THERM_STATUS" : "MSR_IA32_THERM_STATUS",
			  (u64)e->was[0].n, (u64)e->now[0].n };

	if (e->both)
		r.was = therm_limits((u64)e->was[0].n);
	judge_bits(a, e, &r, true);
	return NOTHING_FOUND;
}

/* Is this word a limit of TPMI that is never a cause: turbo's own? */
static bool is_usual_word(const char *w)
{
	static const char *const usual[] = { "none", "FREQUENCY", "FREQUENCY_CDYN0",
					     "FREQUENCY_FCT", "FREQUENCY_PCS_TRL" };

	return find_word(w, usual, ARRAY_SIZE(usual)) >= 0;
}

/* Is this one of TPMI's coarse words (Linux, intel_plr_tpmi.c)?  Fine ones begin with them. */
static bool is_coarse_word(const char *w)
{
	static const char *const words[] = { "FREQUENCY", "CURRENT", "POWER", "THERMAL", "PLATFORM",
					     "MCP", "RAS", "MISC", "QOS", "DFC" };

	return find_word(w, words, ARRAY_SIZE(words)) >= 0;
}

/* Has a file of TPMI complete lines "cpus WORD..." and "cpuN WORD..."? */
static bool is_tpmi_text(const struct content *r)
{
	const char *s = r->text;

	if (!r->ended || strlen(s) > 1 << 19)
		return false;
	for (; *s; s += *s == '\n') {
		const char *word = text_after(s, "cpu");
		size_t n = word ? strcspn(word, ": \n") : 0;

		if (!n || !(*word == 's' ? n == 1 : strspn(word, "0123456789") == n))
			return false;
		s = strchrnul(word + n, '\n');
	}
	return true;
}

/* Words of TPMI, each once: that came and count, that came on any line, that stood before. */
struct tpmi_words {
	struct buf came, came_anywhere, stood;
	bool unusual;		/* there was or is one that can be a cause */
};

static void free_tpmi_words(struct tpmi_words *w)
{
	free(w->came.p);
	free(w->came_anywhere.p);
	free(w->stood.p);
}

static void add_word(struct buf *words, const char *w)
{
	if (!has_word(words->p ?: "", w, strlen(w)))
		buf_printf(words, words->len ? " %s" : "%s", w);
}

/* Sorts the words of a line; was: those of the same line before, NULL = there was none. */
static void sort_words(const char *line, const char *was, bool counts, struct tpmi_words *to)
{
	char *text SCOPED(ptr) = textf("%s", line), *rest = text, *w;

	while ((w = strsep(&rest, " "))) {
		if (!*w || is_usual_word(w))
			continue;
		to->unusual = true;
		if (!was || has_word(was, w, strlen(w))) {
			add_word(&to->stood, w);
			continue;
		}
		add_word(&to->came_anywhere, w);
		if (counts)
			add_word(&to->came, w);
	}
}

/* Does a finer word of a list begin with this coarse one? */
static bool has_finer(const char *words, const char *coarse)
{
	size_t n = strlen(coarse);

	for (; *words; words += strcspn(words, " "), words += strspn(words, " "))
		if (!strncmp(words, coarse, n) && words[n] == '_')
			return true;
	return false;
}

/* Adds the words that came as causes, but for coarse words where a finer one came. */
static void add_words(struct inquiry *a, const struct evidence *e, const struct tpmi_words *words)
{
	char *text SCOPED(ptr) = textf("%s", words->came.p ?: ""), *rest = text, *w;

	while ((w = strsep(&rest, " "))) {
		struct buf b SCOPED(buf) = { 0 };

		if (!*w || (is_coarse_word(w) && has_finer(words->came_anywhere.p, w)))
			continue;
		if (text_after(w, "FREQUENCY_CDYN"))
			buf_printf(&b, "wide vector or matrix instructions lower the turbo (%s), ",
				   w);
		else
			buf_printf(&b, "%s ", w);
		buf_printf(&b, "was asserted in this interval (%s)", e->path);
		add_finding(a, e, IS_FIRM, false, w, &b, NULL);
	}
}

/* TPMI logs reasons until they are cleared: those that a line has now, and had not before. */
static enum shown judge_tpmi(struct inquiry *a, const struct evidence *e, UNUSED struct buf *b)
{
	/* [1 + CPU], [0] of the domain */
	const char **was SCOPED(ptr) = zeroed(MAX_CPU + 1, sizeof(*was));
	char *old SCOPED(ptr) = textf("%s", e->both ? e->was[0].text : ""), *rest = old;
	char *now SCOPED(ptr) = textf("%s", e->now[0].text), *w;
	struct tpmi_words words SCOPED(tpmi_words) = { .unusual = false };
	struct tpmi_words before SCOPED(tpmi_words) = { .unusual = false };
	const struct buf none = { 0 };
	struct tpmi_line line;

	if (!is_tpmi_text(&e->now[0]) || (e->both && !is_tpmi_text(&e->was[0])))
		return IS_BROKEN;
	while (e->both && next_tpmi_line(&rest, &line)) {
		was[line.cpu + 1] = line.words;
		sort_words(line.words, NULL, false, &before);
	}
	for (rest = now; next_tpmi_line(&rest, &line);)
		sort_words(line.words, was[line.cpu + 1],
			   line.cpu == NONE || set_has(&a->busy, line.cpu), &words);
	add_words(a, e, &words);
	for (rest = words.stood.p; (w = strsep(&rest, " "));)
		if (!has_word(words.came.p ?: "", w, strlen(w)))
			add_finding(a, e, IS_LOGGED, false, w, &none, NULL);
	if (words.unusual || before.unusual)
		return IS_OPEN;
	return e->both ? IS_EXCLUDED : IS_ONCE;
}

/*
 * The k-th directory of HSMP is the socket of the k-th package.  NONE: no CPU of the package is
 * measured, or there are more or fewer directories than packages.
 */
static int socket_lead(const struct evidence *e)
{
	if (e->in->n != (size_t)M.nunits[PACKAGE])
		return NONE;
	for (int row = 0; row < M.n; row++)
		if (leads_unit(PACKAGE, row) && packages_before(row) == e - e->in->of)
			return M.cpu[row];
	return NONE;
}

/* Sorts HSMP's words: the limits in force but the processor's own maximum.  False: a bad file. */
static bool read_hsmp(const struct content *r, char *limit[8], int *n)
{
	static const char *const words[] = { "cHTC-Active", "PROCHOT", "TDC limit", "PPT Limit",
					     "OPN Max", "Reliability Limit", "APML Agent",
					     "HSMP Agent" };
	char *text SCOPED(ptr) = textf("%.*s", 1 << 12, r->text), *rest = text, *w;

	*n = 0;
	while ((w = strsep(&rest, "\n"))) {
		int k = find_word(w, words, ARRAY_SIZE(words));

		if (k < 0 || *n == 8)
			return false;
		if (strcmp(w, "OPN Max"))
			limit[(*n)++] = (char *)words[k];
	}
	return true;
}

/* HSMP names limits of a socket, which bind as settings do; "OPN Max" is the maximum itself. */
static enum shown judge_hsmp(struct inquiry *a, const struct evidence *e, struct buf *b)
{
	int n, before, cpu = socket_lead(e);
	double allowed = (double)e->now[1].n, fastest = 0;
	char *limit[8], *old[8];

	if (!read_hsmp(&e->now[0], limit, &n) || allowed <= 0 ||
	    (e->both && !read_hsmp(&e->was[0], old, &before)))
		return IS_BROKEN;
	if (cpu == NONE || !set_has(&a->units[PACKAGE], cpu) || !clock_at(a, cpu))
		return NOTHING_FOUND;
	fastest = fastest_in(a, PACKAGE, cpu, clock_at(a, cpu));
	a->sockets++;
	if (!n)
		a->sockets_at_maximum += reaches(clock_at(a, cpu)->mhz, allowed);
	for (int i = 0; i < n && fastest >= 0.95 * allowed && fastest <= 1.1 * allowed; i++) {
		struct buf text SCOPED(buf) = { 0 };

		buf_printf(&text, "%s: the socket allows %.0f MHz (%s)", limit[i], allowed,
			   e->path);
		add_finding(a, e, BINDS, false, limit[i], &text, NULL);
	}
	if (n && fastest >= 0.95 * allowed && fastest <= 1.1 * allowed)
		return IS_OPEN;
	if (n) {
		buf_printf(b, "allows %.0f MHz", allowed);
		return IS_EXCLUDED;
	}
	if (!e->both)
		return IS_ONCE;
	return before ? IS_OPEN : IS_EXCLUDED;
}

/* The other directory of HSMP is the older driver's; without it there is no more to find. */
static enum shown judge_old_hsmp(struct inquiry *a, const struct evidence *e, struct buf *b)
{
	const struct asked *k = asked_about(HSMP_DIR "pwr_current_active_freq_limit_source");

	return k && k->n ? NOTHING_FOUND : judge_hsmp(a, e, b);
}

/* Is a package's power within 3 % of a limit?  More is no cause: PL1 limits an average. */
static enum shown compare_power(const struct inquiry *a, int row, double limit, const char *place,
				  struct buf *b)
{
	double watts = column_number(a->iv, COL_PKG_WATTS, row);
	bool at = watts >= 0.97 * limit && watts <= 1.03 * limit;

	if (watts != watts)	/* no rights, or nan */
		return built_in(COL_PKG_WATTS)->present ? IS_MISSING : IS_UNREAD;
	buf_printf(b, "%.1f W of %.1f W%s%s", watts, limit, at ? ", " : "", at ? place : "");
	return at ? IS_FIRM : IS_EXCLUDED;
}

/* The limit that powercap sets in evidence of a question LIMIT(); NaN: none. */
static double limit_of_evidence(const struct evidence *e)
{
	bool enabled = strcmp(e->now[3].text, "0");

	return strcmp(e->now[1].text, e->of->with) ? NaN
						    : constraint_of((double)e->now[0].n, enabled);
}

/* Is power at the lowest limit of a package's zones? */
static enum shown judge_power(struct inquiry *a, const struct evidence *e, struct buf *b)
{
	const struct evidence *lowest = NULL;
	int row = NONE;

	for_each_cpu(cpu, &a->units[PACKAGE])
		if (is_zone_of(e->now[2].text, M.id[ID_PACKAGE][M.row[cpu]]))
			row = M.row[cpu];
	for (const struct evidence *o = e->in->of; row != NONE && o < PAST(e->in->of, e->in->n);
	     o++)
		if (is_zone_of(o->now[2].text, M.id[ID_PACKAGE][row]) &&
		    limit_of_evidence(o) > 0 && (!lowest || o->now[0].n < lowest->now[0].n))
			lowest = o;
	if (lowest != e)
		return NOTHING_FOUND;
	return compare_power(a, row, limit_of_evidence(e), e->path, b);
}

/* The same by a half of MSR_PKG_POWER_LIMIT, if no zone of the package can be read. */
static enum shown judge_power_msr(struct inquiry *a, const struct evidence *e, struct buf *b)
{
	double limit = limit_of((u64)e->now[0].n);
	int row = M.row[e->cpu];

	if (!has_limit_in_register(e->in->low[0] ? PL2 : PL1))
		return NOTHING_FOUND;
	for (const struct asked *k = R.asked; k < PAST(R.asked, R.nasked); k++)
		for (size_t i = 0; k->question->judge == judge_power && i < k->n; i++)
			if (*k->of[i].now[0].text &&
			    is_zone_of(k->of[i].now[2].text, M.id[ID_PACKAGE][row]))
				return NOTHING_FOUND;
	return limit > 0 ? compare_power(a, row, limit, e->path, b) : NOTHING_FOUND;
}

/* Is a socket's power within 3 % of its cap (microwatts)? */
static enum shown judge_cap(UNUSED struct inquiry *a, const struct evidence *e, struct buf *b)
{
	double watts = (double)e->now[1].n / 1e6, cap = (double)e->now[2].n / 1e6;

	if (strcmp(e->now[0].text, e->of->with) || !(cap > 0) || !*e->now[1].text)
		return NOTHING_FOUND;
	buf_printf(b, "%.1f W of %.1f W", watts, cap);
	return watts >= 0.97 * cap && watts <= 1.03 * cap ? IS_FIRM : IS_EXCLUDED;
}

/* Is a package within 2 degrees of the temperature at which it throttles? */
static enum shown judge_heat(struct inquiry *a, const struct evidence *e, struct buf *b)
{
	double celsius = column_number(a->iv, COL_PKG_TEMP, M.row[e->cpu]);
	double most = throttle_of((u64)e->now[0].n);

	if (most != most || celsius != celsius)
		return IS_MISSING;
	buf_printf(b, "%.0f C of %.0f C", celsius, most);
	return celsius >= most - 2 ? IS_FIRM : IS_EXCLUDED;
}

/* Did a count grow?  A core that is throttled all the time counts no new event: never excluded. */
static enum shown compare_counts(const struct evidence *e, struct buf *b)
{
	i64 was = e->was[0].n, now = e->now[0].n;

	if (!isdigit((u8)*e->now[0].text) || (e->both && now < was))
		return IS_BROKEN;
	if (!e->both)
		return IS_ONCE;
	if (now == was)
		return NOTHING_FOUND;
	buf_printf(b, "%s was %lld, is %lld", e->path, was, now);
	return IS_FIRM;
}

/* The count of a core: a cause only if this core is slow. */
static enum shown judge_core_count(struct inquiry *a, const struct evidence *e, struct buf *b)
{
	enum shown found = compare_counts(e, b);

	if (found != IS_FIRM || is_slow(a, e))
		return found;
	add_finding(a, e, found, true, e->of->name, b, NULL);
	return NOTHING_FOUND;
}

/* The same of a package, whose events each CPU counts that takes the interrupt. */
static enum shown judge_package_count(struct inquiry *a, const struct evidence *e, struct buf *b)
{
	int row = M.row[e->cpu], package = M.in[PACKAGE][row], lead = M.cpu[lead_of(PACKAGE, row)];
	const struct members *cpus = members_of(CPU, PACKAGE);
	const struct evidence *grew = e;
	enum shown found;

	if (set_has(&a->counted, lead))
		return NOTHING_FOUND;
	set_add(&a->counted, lead);
	for (int i = cpus->first[package]; i < cpus->first[package + 1]; i++) {
		const struct evidence *o = evidence_on(e->in, M.unit[CPU][cpus->unit[i]].cpu);

		if (o && o->both && o->now[0].n > o->was[0].n)
			grew = o;
	}
	found = compare_counts(grew, b);
	if (found != IS_FIRM)
		return found;
	add_finding(a, grew, found, false, e->of->name, b, NULL);
	return NOTHING_FOUND;
}

/* --- the conditions of settings --- */

/* Microseconds to leave the main CPU's deepest idle state: what a program must ask to avoid it. */
static i64 deepest_latency(void)
{
	const struct asked *k = asked_about("cpuidle/state*/latency");
	i64 most = 0;

	for (size_t i = 0; k && i < k->n; i++)
		if (k->of[i].now[0].n > most)
			most = k->of[i].now[0].n;
	return most ?: ANY_LATENCY;
}

/* v: the newest readings */
#define CONDITION(name, test)	\
	static bool name(const struct evidence *e) \
	{ UNUSED const struct content *v = e->now; return test; }
CONDITION(is_1, v->n == 1)
CONDITION(is_0, v->n == 0)
CONDITION(is_disabled, e->deeper_disabled && v->n == 1)
CONDITION(is_below_100, v->n < 100)
CONDITION(is_below_other, v->n > 0 && (v->n < v[1].n || !*v[1].text))
CONDITION(is_lower_level, v->n > 0 && v->n < 3 && v[v->n + 1].n < v[1].n)
CONDITION(lacks_level, v->n > 0 && v->n < 3 && (!*v[1].text || !*v[v->n + 1].text))
CONDITION(is_requested, v->n < deepest_latency())
/* 0 is no limit, and n/a is a limit of 0 */
CONDITION(is_limited, (v->n > 0 || !strcmp(v->text, "n/a")) && v->n < deepest_latency())
CONDITION(is_performance, strstr(v->text, "[performance]") != NULL)
CONDITION(saves_power, !strcmp(v->text, "low-power") || !strcmp(v->text, "quiet"))
CONDITION(prefers_power, !strcmp(v->text, "power") || !strcmp(v->text, "balance_power"))
/* with these drivers powersave is the normal governor: the processor chooses */
CONDITION(is_fixed, !strcmp(v->text, "userspace") || (!strcmp(v->text, "powersave") &&
	  strcmp(v[1].text, "intel_pstate") && strcmp(v[1].text, "amd-pstate-epp")))
/* -1 is an idle intel_powerclamp */
CONDITION(cools, v[1].n > 0)

/* Is the package's level in force: it controls HWP_REQUEST, and no own level is valid? */
static bool is_of_package(const struct evidence *e)
{
	u64 control = (u64)e->now[2].n;		/* bits 62 to 42 of HWP_REQUEST (SDM 3B) */

	return FIELD(control, 0, 0) && !FIELD(control, 20, 20);
}

/* The level that HWP_REQUEST allows, or that of the package. */
static i64 hwp_level(const struct evidence *e)
{
	return e->now[is_of_package(e) ? 3 : 0].n;
}

CONDITION(is_below_highest, hwp_level(e) > 0 && hwp_level(e) < v[1].n)

/*
 * The clocks in MHz that settings allow for a type of core; NaN: not known.  Levels are shares of
 * the highest clock of one core, and allow no more than the highest for the fewest.
 */
static double allows_share(double share, const struct clock *c)
{
	double mhz = share * c->of_one;

	return mhz > c->of_fewest ? c->of_fewest : mhz;
}

static double allows_base(UNUSED const struct evidence *e, const struct clock *c)
{
	return c->base;
}

static double allows_khz(const struct evidence *e, UNUSED const struct clock *c)
{
	return (double)e->now[0].n / 1e3;
}

static double allows_percent(const struct evidence *e, const struct clock *c)
{
	return allows_share((double)e->now[0].n / 100, c);
}

static double allows_level(const struct evidence *e, const struct clock *c)
{
	return allows_share((double)hwp_level(e) / (double)e->now[1].n, c);
}

static double allows_ratio(const struct evidence *e, UNUSED const struct clock *c)
{
	return M.bclk > 0 ? (double)e->now[e->now[0].n + 1].n * M.bclk : NaN;
}

/* The highest clock that a setting is compared with, where none is known: what it says itself. */
static double own_highest(const struct evidence *e, double allowed)
{
	if (e->of->allows == allows_base)
		return 2 * allowed;	/* it binds at that clock */
	return e->of->allows == allows_khz ? (double)e->now[1].n / 1e3 : NaN;
}

/* Does a setting that allows a clock hold it for a type?  HOLDS: only if the fewest were busy. */
static enum shown does_bind(const struct inquiry *a, const struct evidence *e,
			    const struct clock *c, double *allowed)
{
	double mhz = e->of->allows(e, c), fastest = fastest_in(a, e->of->scope, e->cpu, c);
	double highest = c->of_most > 0 ? c->of_most : c->of_one;

	if (!(fastest > 0))
		return NOTHING_FOUND;
	if (mhz != mhz)
		return IS_OPEN;
	*allowed = mhz;
	if (!(highest > 0))
		highest = own_highest(e, mhz);
	if (fastest < 0.95 * mhz || fastest > 1.1 * mhz)
		return IS_EXCLUDED;
	if (!(highest > 0))
		return IS_OPEN;
	if (mhz < 0.95 * highest)
		return BINDS;
	return mhz < 0.95 * c->of_fewest ? HOLDS : IS_EXCLUDED;
}

/* Appends the places that were read, and their values. */
static void print_places(const struct evidence *e, struct buf *b)
{
	for (int k = 0; k < MOST_READ && *e->now[k].text; k++) {
		buf_printf(b, "%s%s ", k ? ", " : "", k ? e->of->place[k] : e->path);
		if (!k && compares(e->of) && e->both)
			buf_printf(b, "was %s, ", e->was[0].text);
		buf_printf(b, "is %s", e->now[k].text);
	}
}

/* A setting that allows a clock: of several types, the one that it holds most. */
static enum shown judge_binding(struct inquiry *a, const struct evidence *e, struct buf *b)
{
	enum shown found = NOTHING_FOUND;
	bool unknown = false;
	double allowed = 0;

	for (const struct clock *c = a->clock; c < PAST(a->clock, a->nclocks); c++) {
		enum shown now;
		double mhz = 0;

		if ((e->of->scope == CPU || e->of->scope == CORE) && c != clock_at(a, e->cpu))
			continue;
		now = does_bind(a, e, c, &mhz);
		unknown |= now == IS_OPEN;
		if (now > found) {
			found = now;
			allowed = mhz;
		}
	}
	if (found == IS_EXCLUDED && unknown)
		return IS_OPEN;
	if (found >= HOLDS)
		print_places(e, b);
	else if (found == IS_EXCLUDED)
		buf_printf(b, "allows %.0f MHz", allowed);
	return found;
}

/* The HWP request, or that of the package. */
static enum shown judge_hwp(struct inquiry *a, const struct evidence *e, struct buf *b)
{
	bool own = hwp_level(e) == e->now[0].n;
	enum shown found;

	if (!*e->now[1].text || (is_of_package(e) && !*e->now[3].text))
		return IS_MISSING;
	if (!is_below_highest(e)) {
		buf_printf(b, "%lld", hwp_level(e));
		return IS_EXCLUDED;
	}
	found = judge_binding(a, e, b);
	if (found < HOLDS)
		return found;
	buf_clear(b);
	buf_printf(b, "%s is %lld, %s is %s", own ? e->path : e->of->place[3], hwp_level(e),
		   e->of->place[1], e->now[1].text);
	return found;
}

/*
 * The energy-performance bias saves power from 8 on, but if HWP is on and has a preference.  If it
 * is off, its registers fail (SDM 3B, "HWP Capabilities").
 */
static enum shown judge_bias(UNUSED struct inquiry *a, const struct evidence *e, struct buf *b)
{
	const struct content *epp = reading_of(BITS_OF(MSR_HWP_REQUEST, HWP_REQ_EPP), e->cpu);
	bool has_epp = M.leaf[LEAF_6][EAX] >> 10 & 1;

	if (e->in->msr[0] && *reading_of(EPB_FILE, e->cpu)->text)
		return NOTHING_FOUND;	/* the file was judged */
	if (e->now[0].n < 8 || (has_epp && *epp->text)) {
		buf_puts(b, e->now[0].text);
		return IS_EXCLUDED;
	}
	if (has_epp && epp->err && epp->err != -EIO)
		return IS_OPEN;		/* nobody knows whether HWP is on */
	print_places(e, b);
	return HOLDS;
}

/* The energy-performance preference of a CPU, or of its package, as with the HWP request. */
static enum shown judge_preference(UNUSED struct inquiry *a, const struct evidence *e,
				   struct buf *b)
{
	u64 control = (u64)e->now[1].n;	/* bits 62 to 42 of HWP_REQUEST; 60: its own counts */
	int k = FIELD(control, 0, 0) && !FIELD(control, 18, 18) ? 2 : 0;

	if (!*e->now[k].text)
		return IS_MISSING;
	if (e->now[k].n < 192) {
		buf_puts(b, e->now[k].text);
		return IS_EXCLUDED;
	}
	buf_printf(b, "%s is %s", k ? e->of->place[k] : e->path, e->now[k].text);
	return HOLDS;
}

/* The TDP level, whose ratio must be known. */
static enum shown judge_tdp_level(struct inquiry *a, const struct evidence *e, struct buf *b)
{
	if (lacks_level(e))
		return IS_MISSING;
	if (is_lower_level(e))
		return judge_binding(a, e, b);
	buf_puts(b, e->now[0].text);
	return IS_EXCLUDED;
}

/* Is one of these files readable, or refused?  False: there is none (EAGAIN: another driver). */
static bool exists_on(const char *place, int cpu, bool of_cpu)
{
	const struct asked *k = asked_about(place);
	const struct evidence *e = of_cpu ? evidence_on(k, cpu) : k && k->n ? k->of : NULL;

	return e && (*e->now[0].text || (e->now[0].err != -ENOENT && e->now[0].err != -EAGAIN));
}

/* MISC_ENABLE: no processor without a turbo table has this bit; no_turbo has more to say. */
static enum shown judge_misc_enable(struct inquiry *a, const struct evidence *e, struct buf *b)
{
	if (!M.platform->turbo)
		return NOTHING_FOUND;
	if (e->now[0].n)
		return judge_binding(a, e, b);
	return exists_on(NO_TURBO_FILE, e->cpu, false) || exists_on(BOOST_FILE, e->cpu, false) ||
	       exists_on("cpufreq/boost", e->cpu, true) ? NOTHING_FOUND : IS_EXCLUDED;
}

/* --- judging sleep --- */

/* The number after the name of a field in a line; 0: none. */
static u64 number_after(const char *line, const char *name)
{
	const char *s = line;

	while ((s = strstr(s, name)) && s > line && !isblank((u8)s[-1]))
		s++;
	return s ? strtoull(s + strlen(name), NULL, 10) : 0;
}

/*
 * Latencies that devices request (ltr_show): "[N] NAME LTR: RAW: ... Non-Snoop(ns): NS Snoop(ns):
 * NS [LTR_IGNORE: N]".  Less than a millisecond keeps the package awake.
 */
static enum shown judge_ltr(struct inquiry *a, const struct evidence *e, struct buf *b)
{
	char *text SCOPED(ptr) = textf("%s", e->now[0].text), *rest = text, *s;

	if (a->asleep > 0.01 && *e->now[1].text == 'Y')
		rest = NULL;	/* the kernel ignored all of them in the suspend */
	while ((s = strsep(&rest, "\n"))) {
		u64 x = number_after(s, "Non-Snoop(ns):"), y = number_after(s, "Snoop(ns):");

		s += strspn(s, " \t0123456789");
		if (!x || (y && y <= x))	/* the shorter one that is given */
			x = y;
		if (x && x < 1000000 && !number_after(s, "LTR_IGNORE:") &&
		    !strstr(s, "CURRENT_PLATFORM") && !strstr(s, "AGGREGATED_SYSTEM"))
			buf_printf(b, "%s%.*s asks for a latency of %llu ns (LTR)",
				   b->len ? NEXT_LINE : "", (int)strcspn(s, " \t"), s, x);
	}
	return b->len ? IS_FIRM : IS_EXCLUDED;
}

/* The nth cell of a row "A | B | ...", without blanks around it, overwritten by the next call. */
static const char *table_cell(const char *row, int n)
{
	int len;

	while (n > 0 && *row && *row != '\n')
		n -= *row++ == '|';
	row += strspn(row, " \t");
	for (len = n ? 0 : (int)strcspn(row, "|\n"); len && isblank((u8)row[len - 1]); len--)
		;
	return pathf("%.*s", len, row);
}

/*
 * substate_requirements: rows "[pmcN:] NAME | Required | ... | Status |".  A requirement of the
 * deepest substate is unmet if Status, latched at the last PC10, is blank, or if its Value grew.
 */
static enum shown judge_requirements(struct inquiry *a, const struct evidence *e, struct buf *b)
{
	const char *row = e->now[0].text, *old = e->was[0].text, *cell;
	bool pc10 = column_number(a->iv, COL_PC10, NONE) > 0;
	int deepest = 0, status = 0, value = 0;

	for (int k = 1; *(cell = table_cell(row, k)); k++) {
		if (text_after(cell, "S0i"))
			deepest = k;
		else if (!strcmp(cell, "Status"))
			status = k;
		else if (!strcmp(cell, "Value"))
			value = k;
	}
	while ((row = strchr(row, '\n')) && *++row) {
		old = strchr(old, '\n') ? strchr(old, '\n') + 1 : "";
		if (strcmp(table_cell(row, deepest), "Required") ||
		    (value ? strtoull(table_cell(row, value), NULL, 0) <=
				     strtoull(table_cell(old, value), NULL, 0)
			   : !status || !pc10 || *table_cell(row, status)))
			continue;
		cell = table_cell(row, 0);
		buf_printf(b, "%s%s has not met what the deepest S0ix substate requires "
			   "(substate_requirements)", b->len ? NEXT_LINE : "",
			   strrchr(cell, ' ') ? strrchr(cell, ' ') + 1 : cell);
	}
	return b->len ? IS_FIRM : IS_EXCLUDED;
}

#define WAKEUP_NAME	"/sys/class/wakeup/*/name"
#define BATTERY_TYPE	"/sys/class/power_supply/*/type"
#define BATTERY_ENERGY	"/sys/class/power_supply/*/energy_now"
#define BATTERY_CHARGE	"/sys/class/power_supply/*/charge_now"
#define AMD_PMC		"/sys/kernel/debug/amd_pmc/smu_fw_info"

/* What AMD's firmware says of the last suspend.  Blocks: how long each one prevented S0i3. */
struct amd_sleep {
	double seconds;		/* in S0i3; NaN = unknown */
	int n;
	struct { char name[24]; double seconds; } block[32];	/* the longest first */
};

/*
 * Parses smu_fw_info: "Last S0i3 Status: Success", "Time (in us) in S0i3: N", and "NAME : N" behind
 * "=== Active time (in us) ===".  The time of a suspend that failed does not count.
 */
static struct amd_sleep amd_sleep_of(const char *text)
{
	enum { STATUS_LINE, TIME_LINE };
	struct amd_sleep s = { .seconds = NaN };
	char *copy SCOPED(ptr) = textf("%s", text), *rest = copy, *line, word[24];
	bool active = false, success = false;
	unsigned seen = 0;
	u64 us, slept = 0;
	int i;

	while ((line = strsep(&rest, "\n"))) {
		if (sscanf(line, " Last S0i3 Status: %23s", word) == 1) {
			success = !strcmp(word, "Success");
			seen |= 1 << STATUS_LINE;
		} else if (sscanf(line, " Time (in us) in S0i3: %llu", &slept) == 1) {
			seen |= 1 << TIME_LINE;
		} else if (strstr(line, "Active time (in us)")) {
			active = true;
		} else if (active && s.n < (int)ARRAY_SIZE(s.block) &&
			   sscanf(line, " %23[^: \t] : %llu", word, &us) == 2) {
			for (i = s.n++; i > 0 && s.block[i - 1].seconds < (double)us / 1e6; i--)
				s.block[i] = s.block[i - 1];
			strcpy(s.block[i].name, word);
			s.block[i].seconds = (double)us / 1e6;
		}
	}
	if (seen & 1 << STATUS_LINE && !success)
		s.seconds = 0;
	else if (seen == (1 << STATUS_LINE | 1 << TIME_LINE))
		s.seconds = (double)slept / 1e6;
	return s;
}

/* Parses s0ix_stats: "Residency Time: N", in microseconds.  NaN: there is none. */
static double amd_residency_of(const char *text)
{
	const char *line = strstr(text, "Residency Time:");
	u64 us;

	return line && sscanf(line, "Residency Time: %llu", &us) == 1 ? (double)us / 1e6 : NaN;
}

/* Blocks that prevented S0i3 for more than 10 % of a suspend, if it was not slept well. */
static enum shown judge_amd_pmc(struct inquiry *a, const struct evidence *e, UNUSED struct buf *b)
{
	struct amd_sleep s = amd_sleep_of(e->now[0].text);

	if (s.seconds != s.seconds && !s.n)
		return IS_BROKEN;
	for (int i = 0; i < s.n && a->hw_sleep < 0.9 * a->asleep; i++) {
		struct buf text SCOPED(buf) = { 0 };

		if (s.block[i].seconds <= 0.1 * a->asleep)
			break;
		buf_printf(&text, "%s was active for %.1f of %.0f s (smu_fw_info)", s.block[i].name,
			   s.block[i].seconds, a->asleep);
		add_finding(a, e, IS_FIRM, false, s.block[i].name, &text, NULL);
	}
	return NOTHING_FOUND;
}

/* Does the firmware exclude package states of the processor, and were all others reached? */
static enum shown judge_pkg_limit(struct inquiry *a, UNUSED const struct evidence *e, struct buf *b)
{
	bool cut = false;

	for (enum feature state = PC2; state <= PC10; state++)
		cut |= !a->shallow && M.platform->has & F(state) && !limit_allows(F(state));
	buf_puts(b, pkg_limit_names[M.pkg_limit]);
	if (M.pkg_limit <= L_UNKNOWN || M.pkg_limit_odd)
		return NOTHING_FOUND;
	return cut ? IS_FIRM : IS_EXCLUDED;
}

/* A PCI device with a driver that is active and never suspends may keep the machine awake. */
static enum shown judge_device(UNUSED struct inquiry *a, const struct evidence *e, struct buf *b)
{
	const char *driver = strstr(e->now[0].text, "DRIVER=");
	const char *name = e->path + strlen("/sys/bus/pci/devices/");

	if (!driver || strcmp(e->now[1].text, "on") || strcmp(e->now[2].text, "active"))
		return NOTHING_FOUND;
	buf_printf(b, "%.*s %.*s", (int)strcspn(name, "/"), name,
		   (int)strcspn(driver + 7, "\n"), driver + 7);
	return POSSIBLE;
}

/* clang-format off */
#define LIMIT_REG(f, address, names) CLOCK, STATUS, "limit reasons", NULL, F(f), PACKAGE, { BITS_OF(address, 31, 0) }, .judge = judge_reasons, .with = &(names)
#define LIMIT(n, word)	SYSTEM, { "/sys/class/powercap/intel-rapl*:*/constraint_" n "_power_limit_uw", "constraint_" n "_name", "name", "enabled" }, .judge = judge_power, .with = word
#define LIMIT_MSR(high, low)	F(RAPL_PKG) | F(RAPL_AWAKE), PACKAGE, { BITS_OF(MSR_PKG_POWER_LIMIT, high, low) }, .judge = judge_power_msr
#define TURBO_OFF	CLOCK, BINDING, "turbo switched off", "turbo is switched off"
#define HSMP_WORDS(dir)	F(AMD), SYSTEM, { dir "pwr_current_active_freq_limit_source", "pwr_current_active_freq_limit" }
#define OF_FIRMWARE	.advice = "the firmware or a daemon sets this limit; better cooling does not lift it"
#define OF_HEAT		.advice = "clean or improve the cooling"
#define OF_PROCHOT	.advice = "check charger, battery and firmware: they hold the clock down"
#define RAISE		.advice = "raise @ (sudo tee), and look for the daemon that set it (tuned, TLP, power-profiles-daemon, thermald)"
#define SET(value)	.advice = "echo " value " | sudo tee @"

/*
 * In the order of their weight.  A new cause is a row.  Sources: of limit registers SDM 4, tables
 * 2-39 (Skylake) and 2-29 (Haswell), and that of Xeon E5 v3.
 */
static const struct question questions[] = {
	{ LIMIT_REG(LIMIT_SKL, MSR_SKL_CORE_PERF_LIMIT_REASONS, skl_core_reasons) },
	{ LIMIT_REG(LIMIT_CORE, MSR_CORE_PERF_LIMIT_REASONS, core_reasons) },
	{ LIMIT_REG(LIMIT_EP, MSR_CORE_PERF_LIMIT_REASONS, server_reasons) },
	/* EDK2, ArchitecturalMsr.h */
	{ CLOCK, STATUS, "throttling", NULL, F(INTEL) | F(DTS), CORE, { BITS_OF(MSR_IA32_THERM_STATUS, 31, 0) }, .judge = judge_therm, OF_HEAT },
	{ CLOCK, STATUS, "throttling", NULL, F(INTEL) | F(PTM), PACKAGE, { BITS_OF(MSR_IA32_PACKAGE_THERM_STATUS, 31, 0) }, .judge = judge_therm, OF_HEAT },
	/* Linux, intel_plr_tpmi.c */
	{ CLOCK, STATUS, "TPMI limit reasons", NULL, F(INTEL), SYSTEM, { "/sys/kernel/debug/tpmi-*/plr/domain*/status" }, .judge = judge_tpmi },
	/* Documentation/arch/x86/amd_hsmp.rst */
	{ CLOCK, STATUS, "HSMP", NULL, HSMP_WORDS(HSMP_DIR), .judge = judge_hsmp },
	{ CLOCK, STATUS, "HSMP", NULL, HSMP_WORDS(OLD_HSMP_DIR), .judge = judge_old_hsmp },
	{ CLOCK, STATUS, "PROCHOT", "PROCHOT is asserted", F(AMD), SYSTEM, { HSMP_DIR "prochot_status" }, .holds = is_1, OF_PROCHOT },
	{ CLOCK, STATUS, "PROCHOT", "PROCHOT is asserted", F(AMD), SYSTEM, { OLD_HSMP_DIR "prochot_status" }, .holds = is_1, OF_PROCHOT },
	{ CLOCK, LEVEL, "power cap", "the socket's power is at its cap", F(AMD), SYSTEM, { "/sys/class/hwmon/hwmon*/name", "power1_input", "power1_cap" }, .judge = judge_cap, .with = "amd_hsmp_hwmon" },
	/* Documentation/admin-guide/pm/intel_pstate.rst, cpufreq.rst, amd-pstate.rst; SDM 4, table 2-2 */
	{ TURBO_OFF, 0, SYSTEM, { NO_TURBO_FILE }, .holds = is_1, .allows = allows_base, SET("0") },
	{ TURBO_OFF, 0, SYSTEM, { BOOST_FILE }, .holds = is_0, .allows = allows_base, SET("1") },
	{ TURBO_OFF, 0, CPU, { "cpufreq/boost" }, .holds = is_0, .allows = allows_base, SET("1") },
	{ TURBO_OFF, F(INTEL), PACKAGE, { BITS_OF(MSR_IA32_MISC_ENABLE, MISC_ENABLE_TURBO_DISABLE) }, .judge = judge_misc_enable, .allows = allows_base, .advice = "allow turbo in the firmware setup" },
	{ CLOCK, BINDING, "cpufreq limits", "cpufreq limits the clock", 0, CPU, { "cpufreq/scaling_max_freq", "cpuinfo_max_freq" }, .holds = is_below_other, .allows = allows_khz, RAISE },
	{ CLOCK, BINDING, "max_perf_pct", "intel_pstate limits the clock", 0, SYSTEM, { SYS_CPU "intel_pstate/max_perf_pct" }, .holds = is_below_100, .allows = allows_percent, RAISE },
	{ CLOCK, BINDING, "firmware limit", "the firmware limits the clock", 0, CPU, { "cpufreq/bios_limit", "cpuinfo_max_freq" }, .holds = is_below_other, .allows = allows_khz, OF_FIRMWARE },
	{ CLOCK, BINDING, "HWP request", "the HWP request is below the highest level", F(HWP), CPU, { BITS_OF(MSR_HWP_REQUEST, HWP_REQ_MAX), BITS_OF(MSR_HWP_CAPABILITIES, HWP_CAP_HIGHEST), BITS_OF(MSR_HWP_REQUEST, 62, 42), BITS_OF(MSR_HWP_REQUEST_PKG, HWP_REQ_MAX) }, .judge = judge_hwp, .allows = allows_level },
	{ CLOCK, SETTING, "governor", "the governor sets a fixed clock", 0, CPU, { "cpufreq/scaling_governor", "scaling_driver" }, .holds = is_fixed, SET("performance") },
	/* Documentation/driver-api/thermal/sysfs-api.rst; Documentation/ABI/testing/sysfs-platform_profile */
	{ CLOCK, SETTING, "cooling devices", "a cooling device lowers the clock", 0, SYSTEM, { "/sys/class/thermal/cooling_device*/type", "cur_state" }, .holds = cools, .with = "Processor" },
	{ CLOCK, SETTING, "cooling devices", "forced idle slows the processor", 0, SYSTEM, { "/sys/class/thermal/cooling_device*/type", "cur_state" }, .holds = cools, .with = "intel_powerclamp" },
	{ CLOCK, SETTING, "platform profile", "the platform profile saves power", 0, SYSTEM, { "/sys/firmware/acpi/platform_profile" }, .holds = saves_power, SET("performance") },
	/* Documentation/power/powercap/powercap.rst; SDM 4 (MSR_PKG_POWER_LIMIT) */
	{ CLOCK, LEVEL, "PL1", "the package's power is at PL1", 0, LIMIT("0", "long_term"), OF_FIRMWARE },
	{ CLOCK, LEVEL, "PL1", "the package's power is at PL1", LIMIT_MSR(31, 0), OF_FIRMWARE },
	{ CLOCK, LEVEL, "PL2", "the package's power is at PL2", 0, LIMIT("1", "short_term"), OF_FIRMWARE },
	{ CLOCK, LEVEL, "PL2", "the package's power is at PL2", LIMIT_MSR(62, 32), OF_FIRMWARE },
	/* SDM 4, table 2-2; Documentation/ABI/testing/sysfs-devices-system-cpu */
	{ CLOCK, LEVEL, "heat", "the package is at its temperature limit", F(INTEL) | F(PTM), PACKAGE, { BITS_OF(MSR_IA32_TEMPERATURE_TARGET, 31, 0) }, .judge = judge_heat, OF_HEAT },
	{ CLOCK, COUNTED, "throttling", "the core throttled in this interval", 0, CPU, { "thermal_throttle/core_throttle_count" }, .judge = judge_core_count, OF_HEAT },
	{ CLOCK, COUNTED, "throttling", "the package throttled in this interval", 0, CPU, { "thermal_throttle/package_throttle_count" }, .judge = judge_package_count, OF_HEAT },
	/* SDM 4, table 2-25 (Ivy Bridge) */
	{ CLOCK, BINDING, "TDP level", "the TDP level in force has a lower ratio", F(CONFIG_TDP), PACKAGE, { BITS_OF(MSR_CONFIG_TDP_CONTROL, CONFIG_TDP_CONTROL_LEVEL), BITS_OF(MSR_CONFIG_TDP_NOMINAL, CONFIG_TDP_BASE_RATIO), BITS_OF(MSR_CONFIG_TDP_LEVEL_1, CONFIG_TDP_LEVEL_RATIO), BITS_OF(MSR_CONFIG_TDP_LEVEL_2, CONFIG_TDP_LEVEL_RATIO) }, .judge = judge_tdp_level, .allows = allows_ratio, OF_FIRMWARE },
	{ CLOCK, SETTING, "EPB", "the energy-performance bias saves power", 0, CPU, { EPB_FILE }, .judge = judge_bias, SET("6") },
	{ CLOCK, SETTING, "EPB", "the energy-performance bias saves power", F(EPB), CPU, { BITS_OF(MSR_IA32_ENERGY_PERF_BIAS, ENERGY_PERF_BIAS) }, .judge = judge_bias, .advice = "set the energy-performance bias to 6 (performance) in the firmware setup" },
	{ CLOCK, SETTING, "EPP", "the energy-performance preference saves power", F(HWP), CPU, { BITS_OF(MSR_HWP_REQUEST, HWP_REQ_EPP), BITS_OF(MSR_HWP_REQUEST, 62, 42), BITS_OF(MSR_HWP_REQUEST_PKG, HWP_REQ_EPP) }, .judge = judge_preference, .advice = "echo performance | sudo tee " SYS_CPU "cpu*/cpufreq/energy_performance_preference" },
	{ CLOCK, SETTING, "EPP", "the energy-performance preference saves power", F(AMD), CPU, { EPP_FILE }, .holds = prefers_power, SET("performance") },
	{ CLOCK, READ_ONLY, NULL, NULL, 0, SYSTEM, { BITS_OF(MSR_IA32_POWER_CTL, POWER_CTL_BD_PROCHOT) } },
	{ CLOCK, READ_ONLY, NULL, NULL, 0, CPU, { "cpufreq/cpuinfo_max_freq" } },
	{ CLOCK, READ_ONLY, NULL, NULL, F(INTEL), CPU, { EPP_FILE }, .of_runs = true },
	/* Linux, intel/pmc/core.c */
	{ SLEEP, COUNTED, "LTR", NULL, F(INTEL), SYSTEM, { "/sys/kernel/debug/pmc_core/ltr_show", "/sys/module/intel_pmc_core/parameters/ltr_ignore_all_suspend" }, .judge = judge_ltr },
	{ SLEEP, COUNTED, "S0ix requirements", NULL, F(INTEL), SYSTEM, { "/sys/kernel/debug/pmc_core/substate_requirements" }, .judge = judge_requirements },
	/* Linux, drivers/platform/x86/amd/pmc/pmc.c */
	{ SLEEP, LEVEL, "/sys/kernel/debug/amd_pmc", NULL, F(AMD), SYSTEM, { AMD_PMC, "s0ix_stats" }, .judge = judge_amd_pmc, .after_suspend = true },
	/* Documentation/admin-guide/pm/cpuidle.rst; Documentation/power/pm_qos_interface.rst; SDM 4 */
	{ SLEEP, LEVEL, "package C-state limit", "the firmware limits package C-states", F(PLATFORM_INFO), PACKAGE, { BITS_OF(MSR_PKG_CST_CONFIG_CONTROL, PKG_CST_LIMIT) }, .judge = judge_pkg_limit },
	{ SLEEP, SETTING, "cpu_dma_latency", "a program asks for a latency, in microseconds", 0, SYSTEM, { DMA_LATENCY }, .holds = is_requested },
	/* Documentation/ABI/testing/sysfs-devices-power */
	{ SLEEP, SWITCH, "pm_qos_resume_latency_us", "the latency of a CPU is limited, in microseconds; n/a: to 0", 0, CPU, { "power/pm_qos_resume_latency_us" }, .holds = is_limited },
	{ SLEEP, SWITCH, "disabled idle states", "an idle state is disabled", 0, CPU, { "cpuidle/state*/disable", "name" }, .holds = is_disabled },
	{ SLEEP, SETTING, "ASPM policy", "ASPM is off", 0, SYSTEM, { "/sys/module/pcie_aspm/parameters/policy" }, .holds = is_performance },
	/* Documentation/power/runtime_pm.rst */
	{ SLEEP, LEVEL, "PCI devices", NULL, 0, SYSTEM, { "/sys/bus/pci/devices/*/uevent", "power/control", "power/runtime_status" }, .judge = judge_device },
	{ SLEEP, READ_ONLY, NULL, NULL, 0, SYSTEM, { "cpuidle/state*/latency" } },
	{ SLEEP, COUNTED, NULL, NULL, 0, SYSTEM, { "/proc/interrupts" } },
	/* Documentation/ABI/testing/sysfs-class-wakeup, sysfs-class-power */
	{ SLEEP, COUNTED, NULL, NULL, 0, SYSTEM, { WAKEUP_NAME, "active_count", "wakeup_count" }, .comes = true },
	{ SLEEP, COUNTED, NULL, NULL, 0, SYSTEM, { BATTERY_TYPE, "scope", "status", "voltage_now" } },
	{ SLEEP, COUNTED, NULL, NULL, 0, SYSTEM, { BATTERY_ENERGY, "energy_full" } },
	{ SLEEP, COUNTED, NULL, NULL, 0, SYSTEM, { BATTERY_CHARGE, "charge_full" } },
	{ SLEEP, COUNTED, NULL, NULL, 0, SYSTEM, { "/sys/power/suspend_stats/last_hw_sleep" } },
	{ SLEEP, COUNTED, NULL, NULL, 0, SYSTEM, { "/sys/power/pm_wakeup_irq" } },
};
/* clang-format on */

/* --- finding and reading the evidence --- */

#define LOCKDOWN	"/sys/kernel/security/lockdown"	/* "none [integrity] confidentiality" */

/* Who may read a file that was refused: root, unless it was refused to root. */
static const char *refusal_text(void)
{
	const char *level;

	if (!(own_rights() & IF_ROOT))
		return "needs root";
	level = strchr(src_whole(-1, LOCKDOWN) ?: "", '[');
	if (!level || text_after(level, "[none]"))
		return "refused to root";
	level++;
	return pathf("refused to root (kernel lockdown: %.*s)", (int)strcspn(level, "]\n"), level);
}

/* Lists the places of a question on a CPU. */
static void find_evidence(struct asked *of, int cpu)
{
	const char *file = of->question->place[0];
	struct names l = list_matches(strchr("/M", *file) ? file : cpu_path(cpu, file));

	/* a closed debugfs lists nothing: reading the pattern gives its error */
	if (!l.n && text_after(file, "/sys/kernel/debug/"))
		*append(l.name, l.n) = textf("%s", file);
	for (size_t k = 0; k < l.n; k++) {
		struct evidence *e;

		if (is_read_outside(l.name[k])) {
			free(l.name[k]);
			continue;
		}
		e = append(of->of, of->n);
		*e = (struct evidence){ .of = of->question, .cpu = cpu, .path = l.name[k] };
		for (int i = 0; i < MOST_READ; i++)
			e->was[i] = e->now[i] = (struct content){ .text = "" };
	}
	free(l.name);
}

/* Lists the questions of the topic, for a recording those of all, and their places. */
static void find_questions(void)
{
	for (const struct question *q = questions; q < questions + ARRAY_SIZE(questions); q++) {
		struct asked *k;

		if (!has(q->needs) || (asked_topic() != q->topic && !S.records))
			continue;
		if (q->of_runs && (O.topic || !asked_topic()))
			continue;
		k = append(R.asked, R.nasked);
		*k = (struct asked){ .question = q };
		for (int i = 0; i < MOST_READ && q->place[i]; i++)
			if (sscanf(q->place[i], "MSR %x[%d:%d]", &k->msr[i], &k->high[i],
				   &k->low[i]) < 3)
				k->msr[i] = 0;
		for_each_cpu(cpu, &M.allowed)
			if (leads_unit(q->scope, M.row[cpu]))
				find_evidence(k, cpu);
	}
	for (struct asked *k = R.asked; k < PAST(R.asked, R.nasked); k++)
		for (size_t i = 0; i < k->n; i++)
			k->of[i].in = k;
}

/* --- the settings of the runs of a command --- */

/* The readings of a place on all CPUs, those that differ joined by '/'; NULL: none. */
static char *joined_readings(const char *place, int k)
{
	const struct asked *of = asked_about(place);
	struct names l = { 0 };
	struct buf b = { 0 };

	for (const struct evidence *e = of ? of->of : NULL; of && e < PAST(of->of, of->n); e++) {
		size_t i = 0;

		while (i < l.n && strcmp(l.name[i], e->now[k].text))
			i++;
		if (!*e->now[k].text || i < l.n)
			continue;
		*append(l.name, l.n) = (char *)e->now[k].text;
		buf_printf(&b, b.len ? "/%s" : "%s", e->now[k].text);
	}
	free(l.name);
	return b.p;
}

/* Keeps the settings as they were before the first run. */
static void keep_settings(void)
{
	const struct content *off = system_reading(NO_TURBO_FILE, false);
	const struct content *boost = system_reading(BOOST_FILE, false);
	struct settings *s = &R.settings;

	s->governor = joined_readings("cpufreq/scaling_governor", 0);
	s->driver = joined_readings("cpufreq/scaling_governor", 1);
	s->epp = joined_readings(EPP_FILE, 0);
	s->profile = joined_readings("/sys/firmware/acpi/platform_profile", 0);
	if (*off->text)
		s->turbo = textf("%s", off->n ? "off" : "on");
	else if (*boost->text)
		s->turbo = textf("%s", boost->n ? "on" : "off");
}

/* Appends the line of settings; nothing if none is known. */
static void print_settings(struct buf *b)
{
	const struct settings *s = &R.settings;
	const struct { const char *title, *text; } rows[] = {
		{ "EPP", s->epp }, { "turbo", s->turbo }, { "platform profile", s->profile },
	};
	size_t begin = b->len;

	if (s->governor) {
		buf_printf(b, "settings: governor %s", s->governor);
		if (s->driver)
			buf_printf(b, " (%s)", s->driver);
	}
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		if (!rows[i].text)
			continue;
		buf_item(b, begin, "settings: ", ", ");
		buf_printf(b, "%s %s", rows[i].title, rows[i].text);
	}
	buf_end_line(b, begin);
}

static void json_settings(struct buf *b)
{
	const struct settings *s = &R.settings;

	json_key(b, "settings");
	buf_puts(b, "{");
	json_named_text(b, "governor", s->governor);
	json_named_text(b, "driver", s->driver);
	json_named_text(b, "epp", s->epp);
	json_named_text(b, "turbo", s->turbo);
	json_named_text(b, "platform_profile", s->profile);
	buf_puts(b, "}");
}

/* --- the walk, from its begin --- */

/* Finds and reads the evidence before the first sample; a recording has that of all topics. */
static void begin_answers(void)
{
	if (!(asked_topic() || S.records))
		return;
	R.begun++;
	if (!R.asked)
		find_questions();
	if (!R.energy && (O.topic == ENERGIES || S.records))
		find_energies();
	/* the registers of the highest clock are no places of a question */
	for (int row = 0; row < M.n && S.records; row++)
		if (leads_unit(PACKAGE, row) || leads_unit(TYPE, row))
			highest_mhz(row, 1);
	if (S.records) {	/* for refusal_text() */
		src_whole(-1, OWN_STATUS);
		src_whole(-1, LOCKDOWN);
	}
	read_evidence(BEFORE_SAMPLES);
	if (R.begun == 1 && !O.topic && asked_topic())
		keep_settings();
}

/* --- the walk --- */

/* Names that stand for the same as a question's name, or for a part of it. */
static const char *kin_of(const char *name)
{
	static const struct { const char *begin, *kin; } kin[] = {
		{ "PkgPwrL1", "PL1" }, { "PkgPwrL2", "PL2" }, { "PL2/PL3", "PL2" },
		{ "Thermal", "throttling" }, { "ThermStatus", "throttling" },
		{ "THERMAL", "throttling" }, { "VR TDC", "current limit" },
		{ "Amps", "current limit" }, { "EDP", "current limit" },
		{ "CURRENT", "current limit" }, { "POWER", "power limit" },
		{ "CorePwr", "power limit" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(kin); i++)
		if (text_after(name, kin[i].begin))
			return kin[i].kin;
	return name;
}

/* A bit that is a file of its own: in force at both ends, at one, or at none. */
static enum shown judge_status(const struct evidence *e, struct buf *b)
{
	bool is = e->of->holds(e), was = e->both && strcmp(e->was[0].text, "0");

	if (is || was)
		print_places(e, b);
	if (is && was)
		return IS_FIRM;
	if (is || was)
		return HOLDS;
	return e->both ? IS_EXCLUDED : IS_ONCE;
}

/* Judges a reading of a question that has no judge: by its condition. */
static enum shown judge_condition(struct inquiry *a, const struct evidence *e, struct buf *b)
{
	const struct question *q = e->of;

	if (q->with && strcmp(e->now[0].text, q->with))
		return NOTHING_FOUND;
	if (q->kind == STATUS)
		return judge_status(e, b);
	if (q->kind == SETTING && q->place[1] && !*e->now[1].text)
		return IS_MISSING;	/* half of it */
	if (q->kind == BINDING && q->holds(e))
		return judge_binding(a, e, b);
	if (q->holds(e)) {
		print_places(e, b);
		return HOLDS;
	}
	if (q->kind == SETTING || (q->kind == BINDING && q->allows != allows_base))
		buf_puts(b, e->now[0].n == ANY_LATENCY ? "not set" : e->now[0].text);
	return IS_EXCLUDED;
}

/* Does a question ask for a setting, and not for an effect?  All effects on sleep are in files. */
static bool is_setting(const struct question *q)
{
	if (q->topic == SLEEP)
		return true;
	return q->kind == BINDING || q->kind == SWITCH || q->kind == SETTING;
}

/* Judges the evidence of a question on a CPU, and appends what was read. */
static enum shown judge_evidence(struct inquiry *a, const struct evidence *e, struct buf *b)
{
	int err = e->now[0].err;

	if (!*e->now[0].text && (err == -EACCES || err == -EPERM))
		return IS_UNREAD;
	if (!*e->now[0].text && !err && text_after(e->path, "/sys/kernel/debug/"))
		return IS_BROKEN;	/* it is empty */
	/* what is no file limits no sleep */
	if (!*e->now[0].text && e->of->topic == SLEEP && !e->in->msr[0])
		return NOTHING_FOUND;
	/* a setting that this CPU lacks, or that no one recorded, limits nothing */
	if (!*e->now[0].text && is_setting(e->of) && err == (e->in->msr[0] ? -EIO : -ENOENT))
		return NOTHING_FOUND;
	if (!*e->now[0].text)
		return e->of->scope == SYSTEM ? NOTHING_FOUND : IS_MISSING;
	return e->of->judge ? e->of->judge(a, e, b) : judge_condition(a, e, b);
}

/*
 * Is the CPU of evidence online, and for the clock: is a CPU of its unit busy?  If the firmware's
 * report on the last suspend is asked for: was there one?
 */
static bool is_relevant(const struct inquiry *a, const struct evidence *e)
{
	int row = M.row[e->cpu];

	if (row < 0 && e->of->scope != SYSTEM)
		return false;
	if (e->of->after_suspend && a->asleep < 1)
		return false;		/* not read, or after an earlier one */
	if (e->of->topic == SLEEP || e->of->scope == SYSTEM)
		return true;
	return set_has(&a->units[e->of->scope], M.cpu[lead_of(e->of->scope, row)]);
}

/* From the deepest idle state of a CPU upwards: are all deeper ones disabled? */
static void find_disabled(void)
{
	for (struct asked *k = R.asked; k < PAST(R.asked, R.nasked); k++)
		for (size_t i = k->question->holds == is_disabled ? k->n : 0; i-- > 0;) {
			struct evidence *e = &k->of[i];
			bool last = i + 1 == k->n || e[1].cpu != e->cpu;

			e->deeper_disabled = last || is_disabled(e + 1);
		}
}

/*
 * Drops what a question excludes on some CPUs only: on others it was set, was read once, or could
 * not be read at all.
 */
static void keep_common_exclusions(struct inquiry *a)
{
	struct finding *first = PAST(a->finding, a->first), *end = PAST(a->finding, a->nfindings);
	bool missing = false;

	for (struct finding *f = first; f < end; f++) {
		missing |= f->outcome == IS_MISSING || f->outcome == IS_UNREAD;
		for (struct finding *o = first; f->outcome == IS_EXCLUDED && o < end; o++)
			if (o->outcome >= IS_OPEN && o->outcome <= IS_ONCE &&
			    !strcmp(o->name, f->name))
				f->outcome = NOTHING_FOUND;
	}
	for (struct finding *f = first; missing && f < end; f++)
		if (f->outcome == IS_EXCLUDED)
			f->outcome = IS_BROKEN;
}

/* Is this one question with that before it: of a file's other words, of the package's register? */
static bool goes_on(const struct asked *k)
{
	const struct question *q = k->question, *before = k > R.asked ? k[-1].question : NULL;

	if (!before)
		return false;
	return !strcmp(q->place[0], before->place[0]) ||
	       (q->judge == judge_therm && before->judge == judge_therm);
}

/* Judges all evidence of the topic. */
static void find_causes(struct inquiry *a)
{
	struct buf text SCOPED(buf) = { 0 };

	find_disabled();
	for (const struct asked *k = R.asked; k < PAST(R.asked, R.nasked); k++) {
		if (k->question->topic != asked_topic() || !k->question->name)
			continue;
		if (!goes_on(k))
			a->first = a->nfindings;
		for (const struct evidence *e = k->of; e < PAST(k->of, k->n); e++) {
			enum shown found;

			if (!is_relevant(a, e))
				continue;
			buf_clear(&text);
			found = judge_evidence(a, e, &text);
			if (found != NOTHING_FOUND)
				add_finding(a, e, found, false, k->question->name, &text, NULL);
		}
		keep_common_exclusions(a);
	}
}

/* Does a finding hold, of this name or (kin) one that stands for it? */
static bool name_holds(const struct inquiry *a, const char *name)
{
	for (const struct finding *f = a->finding; f < PAST(a->finding, a->nfindings); f++) {
		if (f->outcome < HOLDS)
			continue;
		if (!strcmp(f->name, name) || !strcmp(kin_of(f->name), name))
			return true;
	}
	return false;
}

/* Is a finding said by another one: a power or current limit beside one that has a name? */
static bool is_said(const struct inquiry *a, const struct finding *f)
{
	bool power = !strcmp(f->name, "power limit"), current = !strcmp(f->name, "current limit");

	if (!power && !current)
		return false;
	for (const struct finding *o = a->finding; o < PAST(a->finding, a->nfindings); o++) {
		const char *kin = kin_of(o->name);

		if (o->outcome < HOLDS || !strcmp(o->name, f->name))
			continue;
		if (!strcmp(kin, f->name))
			return true;
		if (power && (!strcmp(kin, "PL1") || !strcmp(kin, "PL2")))
			return true;
	}
	return false;
}

/* Is a finding a cause of a low clock, or of a machine awake? */
static bool is_cause(const struct inquiry *a, const struct finding *f)
{
	if (f->outcome == BINDS)
		return true;
	if (f->outcome < HOLDS || f->harmless || is_said(a, f))
		return false;
	switch (f->of->kind) {
	case STATUS:
	case COUNTED:
	case LEVEL: return a->is_below;
	case SWITCH:
	case SETTING: return a->is_low && !a->is_partly;
	default: return false;
	}
}

static bool has_causes(const struct inquiry *a)
{
	for (const struct finding *f = a->finding; f < PAST(a->finding, a->nfindings); f++)
		if (is_cause(a, f))
			return true;
	return false;
}

static void list_finding(struct inquiry *a, enum list list, struct finding *f)
{
	*append(a->list[list], a->n[list]) = f;
}

/* Is a name in a list already, or above it in none? */
static bool is_listed(const struct inquiry *a, enum list list, const char *name)
{
	for (size_t i = 0; i < a->n[list]; i++)
		if (!strcmp(a->list[list][i]->name, name))
			return true;
	return false;
}

/* May a name be excluded, and be in no list above this one? */
static bool may_be_listed(const struct inquiry *a, enum list list, const char *name)
{
	if (name_holds(a, name) || (!strcmp(name, "heat") && name_holds(a, "throttling")))
		return false;
	for (enum list l = BECAUSE; l <= list; l++)
		if (is_listed(a, l, name))
			return false;
	return true;
}

/* Lists the names that an outcome gives: each in one list only, with its values. */
static void list_names(struct inquiry *a, enum list list, enum shown outcome)
{
	for (struct finding *f = a->finding; f < PAST(a->finding, a->nfindings); f++) {
		size_t i = 0;

		if (f->outcome != outcome)
			continue;
		while (i < a->n[list] && strcmp(a->list[list][i]->name, f->name))
			i++;
		if (i < a->n[list] && f->text.len && !a->list[list][i]->text.len)
			a->list[list][i] = f;
		else if (may_be_listed(a, list, f->name))
			list_finding(a, list, f);
	}
}

/* Sorts the findings into lists.  causes: those alone; else all that hold, if firm: surely. */
static void sort_findings(struct inquiry *a, bool causes, bool firm)
{
	for (struct finding *f = a->finding; f < PAST(a->finding, a->nfindings); f++) {
		bool effect = f->of->kind == STATUS || f->of->kind == COUNTED;
		bool fits = causes ? is_cause(a, f)
			    : firm ? f->outcome == IS_FIRM && effect
				   : f->outcome >= HOLDS && !is_said(a, f);

		if (fits)
			list_finding(a, BECAUSE, f);
		if (f->outcome == POSSIBLE)
			list_finding(a, MAYBE, f);
	}
	if (firm)
		return;
	list_names(a, EXCLUDED, IS_EXCLUDED);
	list_names(a, ONCE, IS_ONCE);
	list_names(a, UNREAD, IS_BROKEN);
	list_names(a, UNREAD, IS_UNREAD);
	for (struct finding *f = a->finding; f < PAST(a->finding, a->nfindings); f++) {
		if (f->outcome != IS_LOGGED || name_holds(a, f->name))
			continue;
		if (!is_listed(a, LOGGED, f->name))
			list_finding(a, LOGGED, f);
	}
}

/* --- the verdict on the clock --- */

static int round_mhz(double mhz)
{
	return (int)(mhz + 0.5);
}


/* Appends "3400 to 3100" or, if both are the same when printed, "3100". */
static void print_highest(struct buf *b, const struct clock *c)
{
	if (c->of_most != c->of_most && c->of_fewest != c->of_fewest)
		buf_printf(b, "%.0f", c->of_one);
	else if (c->of_most != c->of_most)
		buf_printf(b, "%.0f", c->of_fewest);
	else if (c->of_fewest > 0 && round_mhz(c->of_fewest) != round_mhz(c->of_most))
		buf_printf(b, "%.0f to %.0f", c->of_fewest, c->of_most);
	else
		buf_printf(b, "%.0f", c->of_most);
}

/* Are the highest clocks for the fewest and for the most cores two numbers? */
static bool is_range(const struct clock *c)
{
	return c->of_fewest > 0 && c->of_most > 0 &&
	       round_mhz(c->of_fewest) != round_mhz(c->of_most);
}

/* Appends "4", "7 to 28", with several packages "up to 28". */
static void print_cores_of(struct buf *b, const struct clock *c)
{
	if (is_range(c))
		buf_printf(b, "%d to %d", c->fewest, c->most);
	else
		buf_printf(b, M.nunits[PACKAGE] > 1 ? "up to %d" : "%d", c->most);
}

/* The clocks of several types: "P 2900 of 4300 MHz, E 2700 of 2800 MHz". */
static void print_types(struct inquiry *a, bool high)
{
	struct buf *b = &a->sentence;

	for (const struct clock *c = a->clock; c < PAST(a->clock, a->nclocks); c++) {
		char letter = c->type ?: '?';

		buf_printf(b, "%s%c %.0f", c == a->clock ? "" : ", ", letter, c->mhz);
		if (!(c->of_one > 0 || c->of_fewest > 0)) {
			buf_puts(b, " MHz (highest not known)");
		} else if (high) {
			buf_puts(b, " MHz");
		} else {
			buf_puts(b, " of ");
			print_highest(b, c);
			buf_puts(b, " MHz");
		}
	}
}

/* Is there more than one type of core? */
static bool has_types(const struct inquiry *a)
{
	return a->nclocks && a->clock->type;
}

/* The sentence about a high clock. */
static void say_high(struct inquiry *a, const char *about)
{
	struct buf *b = &a->sentence;
	const struct clock *c = a->clock;

	a->word = "high";
	if (has_types(a)) {
		print_types(a, true);
		buf_printf(b, ", %sas high as it gets", about);
		return;
	}
	buf_printf(b, "%.0f MHz, %sas high as it gets with ", c->mhz, about);
	print_cores_of(b, c);
	buf_printf(b, " busy core%s%s", c->most == 1 && !is_range(c) ? "" : "s",
		   M.nunits[PACKAGE] > 1 ? " of a package" : "");
}

/* "1200 MHz while busy (8 of 8 CPUs busy); highest for 4 cores 4100 MHz" */
static void say_clock(struct inquiry *a)
{
	struct buf *b = &a->sentence;
	const struct clock *c = a->clock;
	const char *of_package = M.nunits[PACKAGE] > 1 ? " of a package" : "";
	int busy = set_count(&a->busy);

	if (has_types(a)) {
		print_types(a, false);
		buf_printf(b, " (%d of %d CPUs busy)", busy, M.n);
		return;
	}
	buf_printf(b, "%.0f MHz while busy (%d of %d CPUs busy)", c->mhz, busy, M.n);
	if (c->of_most > 0) {
		buf_puts(b, "; highest for ");
		print_cores_of(b, c);
		buf_printf(b, " core%s%s ", c->most == 1 ? "" : "s", of_package);
		print_highest(b, c);
		buf_puts(b, " MHz");
		return;
	}
	if (c->of_one > 0)
		buf_printf(b, "; highest for 1 core %.0f MHz", c->of_one);
	buf_printf(b, "; the highest for %d core%s%s is not known", c->most,
		   c->most == 1 ? "" : "s", of_package);
}

/* Why a low clock can be what the processor is made for: AVX-512 or AMX, and how to count that. */
static void say_wide(struct inquiry *a)
{
	bool avx512 = M.leaf[LEAF_7][EBX] >> 16 & 1, amx = M.leaf[LEAF_7][EDX] >> 24 & 1;

	if (!avx512 && !amx)
		return;
	buf_puts(&a->sentence, "; wide vector or matrix instructions may lower the turbo below "
			       "this table");
	if (M.family == 6 && M.model == 0x55)	/* Intel's event list of Skylake-SP */
		buf_puts(&a->sentence, "; count the cycles: --add "
				       "perf/cpu/event=0x28,umask=0x18/,LVL1 and umask=0x20,LVL2");
}

/* Does HSMP name no limit on any busy socket, and do all reach the clock that it allows? */
static bool is_at_maximum(const struct inquiry *a)
{
	return a->sockets && a->sockets == a->sockets_at_maximum;
}

/* Names the causes, each once. */
static void name_causes(struct inquiry *a, struct buf *b)
{
	size_t begin = b->len;

	for (size_t i = 0; i < a->n[BECAUSE]; i++) {
		bool first = true;

		for (size_t k = 0; k < i; k++)
			first &= strcmp(a->list[BECAUSE][k]->name, a->list[BECAUSE][i]->name) != 0;
		if (!first)
			continue;
		buf_item(b, begin, "", ", ");
		buf_puts(b, a->list[BECAUSE][i]->name);
	}
}

/* The verdict on a clock that was measured: the first row that fits. */
static void judge_clock(struct inquiry *a)
{
	struct buf *b = &a->sentence;

	judge_types(a);
	find_causes(a);
	if (a->is_high || is_at_maximum(a)) {
		say_high(a, "");
		sort_findings(a, false, true);
	} else if (has_causes(a)) {
		a->word = "limited";
		sort_findings(a, true, false);
		buf_puts(b, "limited by ");
		name_causes(a, b);
		buf_puts(b, ": ");
		say_clock(a);
	} else if (a->is_nearly) {
		say_high(a, "about ");
		sort_findings(a, false, true);
	} else if (a->is_partly || !a->is_low) {
		a->word = "unknown";
		sort_findings(a, false, false);
		say_clock(a);
		if (a->is_partly)
			buf_printf(b, "; CPUs that are %.0f %% busy may not ask for a higher clock",
				   a->load);
	} else {
		a->word = "low";
		sort_findings(a, true, false);
		buf_puts(b, "low, no cause was found: ");
		say_clock(a);
		say_wide(a);
	}
}

/* The clock of the first busy CPU that is above all that a core can have; 0: there is none. */
static double impossible_clock(const struct inquiry *a)
{
	double base = M.base_hz > 0 ? M.base_hz : M.tsc_rate;
	const struct interval *iv = &R.interval;	/* a sum has no counts */

	for_each_cpu(cpu, &a->busy) {
		int u = M.in[CPU][M.row[cpu]];
		bool known = iv->valid[CT_APERF] && iv->valid[CT_APERF][u] &&
			     is_known_in(iv, CT_MPERF, u) && iv->value[CT_MPERF][u];
		double mhz = known ? base / 1e6 * (double)iv->value[CT_APERF][u] /
					     (double)iv->value[CT_MPERF][u] : 0;

		if (mhz > MOST_MHZ)
			return mhz;
	}
	return 0;
}

/* Measures and judges the clock. */
static void answer_clock(struct inquiry *a)
{
	struct buf *b = &a->sentence;

	measure_clock(a);
	if (!set_count(&a->busy) && column_number(a->iv, COL_BUSY, NONE) >= 0 && !a->is_counted) {
		a->word = "unmeasured";
		buf_puts(b, "cannot be measured here: how busy some CPUs were is not known");
	} else if (!set_count(&a->busy) && a->is_counted) {
		a->word = "idle";
		buf_puts(b, "no CPU was busy (Busy% 5 or more), and the clock of an idle machine "
			    "says little; try --explain clock COMMAND");
	} else if (!a->nclocks && impossible_clock(a) > 0) {
		a->word = "unmeasured";
		buf_printf(b, "cannot be measured here: %.0f MHz is no clock", impossible_clock(a));
	} else if (!a->nclocks) {
		a->word = "unmeasured";
		buf_printf(b, "cannot be measured here: %s",
			   aperf_is_own() ? "no cycles were counted in this interval"
					  : judge_counter(&T.counter[CT_APERF]).text);
	} else {
		judge_clock(a);
	}
}

/* --- sleep --- */

/* By label, for qsort and bsearch: those of one text differ. */
static int by_label(const void *a, const void *b)
{
	const struct interrupt_line *x = &((const struct interrupt_count *)a)->line;
	const struct interrupt_line *y = &((const struct interrupt_count *)b)->line;
	int longer = x->label_length - y->label_length;

	return longer ? longer : memcmp(x->label, y->label, (size_t)x->label_length);
}

/* Appends the three lines of /proc/interrupts that interrupted a CPU most, if once a second. */
static void print_interrupts(struct buf *b, const struct interval *iv, int cpu)
{
	const char *const file = "/proc/interrupts";
	struct interrupt_counts old SCOPED(interrupt_counts) =
		count_interrupts(system_reading(file, true)->text, cpu);
	struct interrupt_counts new SCOPED(interrupt_counts) =
		count_interrupts(system_reading(file, false)->text, cpu);
	struct { u64 n; const struct interrupt_line *line; } top[4] = { { 0 } };
	int i;

	if (!old.n)
		return;
	qsort(old.of, old.n, sizeof(*old.of), by_label);
	for (const struct interrupt_count *now = new.of; now < PAST(new.of, new.n); now++) {
		const struct interrupt_count *was =
			bsearch(now, old.of, old.n, sizeof(*now), by_label);
		u64 n;

		if (!find_difference(iv, &T.counter[CT_IRQ], iv->seconds, was ? was->n : 0, now->n,
				     &n))
			continue;
		for (i = 3; i > 0 && n > top[i - 1].n; i--)
			top[i] = top[i - 1];
		top[i].n = n;
		top[i].line = &now->line;
	}
	for (i = 0; i < 3 && top[i].line && (double)top[i].n > iv->seconds; i++)
		buf_printf(b, "%s%s %.0f", i ? ", " : ": ", interrupt_name(top[i].line),
			   (double)top[i].n / iv->seconds);
}

/* The causes that columns show on a machine awake. */
static const struct question about_cpus = { SLEEP, LEVEL, "busy CPU", NULL, 0, SYSTEM, { NULL } };
static const struct question about_graphics = {
	SLEEP, LEVEL, "graphics", NULL, 0, SYSTEM, { NULL }
};

/* Adds a finding of no place. */
static void add_condition(struct inquiry *a, const struct question *of, enum shown outcome,
			  const char *text)
{
	struct evidence e = { .of = of, .cpu = M.main_cpu };
	struct buf b SCOPED(buf) = { 0 };

	buf_puts(&b, text);
	add_finding(a, &e, outcome, false, of->name, &b, NULL);
}

/* Appends the core state that prevailed, and what kept the busiest CPU busy; returns its Busy%. */
static double print_cores(struct inquiry *a)
{
	struct buf *b = &a->lines;
	const struct interval *iv = a->iv;
	double most = -1, busy = -1, interrupts, rc6;
	const char *state = NULL;
	size_t begin = b->len;
	int busiest = 0;

	for (const struct column *c = T.column; c < T.column + T.ncolumns; c++)
		if (!(c->flags & ADDED) && text_after(c->name, "CPU%c")) {
			double v = number_of_column(iv, c, NONE);

			if (v > most) {
				most = v;
				state = c->name + strlen("CPU%c");
			}
		}
	if (state)
		buf_printf(b, "cores: %.1f %% in C%s", most, state);
	for (int row = 0; row < M.n; row++) {
		double v = column_number(iv, COL_BUSY, row);

		if (v > busy) {
			busy = v;
			busiest = row;
		}
	}
	interrupts = column_number(iv, COL_IRQ, busiest) / iv->seconds;
	if (busy >= 0 && __builtin_isfinite(interrupts)) {
		buf_item(b, begin, "cores: ", "; ");
		buf_printf(b, "busiest: cpu%d, %.1f %% busy, %.0f interrupts/s", M.cpu[busiest],
			   busy, interrupts);
		print_interrupts(b, iv, M.cpu[busiest]);
	}
	/* a package sleeps only while all of its CPUs and its graphics do */
	if (a->is_low && busy >= 50)
		add_condition(a, &about_cpus, IS_FIRM, pathf("cpu%d was %.1f %% busy",
							  M.cpu[busiest], busy));
	rc6 = a->is_low ? column_number(iv, COL_RC6, NONE) : NaN;
	if (rc6 < 50)
		add_condition(a, &about_graphics, IS_FIRM, pathf("graphics (%.1f %% in RC6)", rc6));
	else if (rc6 == rc6)
		add_condition(a, &about_graphics, IS_EXCLUDED, pathf("%.1f %% in RC6", rc6));
	buf_end_line(b, begin);
	return busy;
}

/*
 * The seconds of a suspend in the lowest power state: last_hw_sleep (Linux 6.4) if it changed, as
 * what another suspend left behind says nothing of one to RAM; else what AMD's firmware says.
 * Intel's driver keeps the lower 32 bits of the microseconds (Linux, intel/pmc/core.c).
 */
static double hw_sleep_of(double asleep)
{
	const char *const file = "/sys/power/suspend_stats/last_hw_sleep";
	const struct content *hw = system_reading(file, false);
	const struct asked *amd = asked_about(AMD_PMC);
	bool fresh = strcmp(hw->text, system_reading(file, true)->text) || !strcmp(hw->text, "0");
	double seconds;

	if (isdigit((u8)*hw->text) && fresh)
		return has(F(INTEL)) && hw->n > 0 && asleep > 4294 ? NaN : (double)hw->n / 1e6;
	if (!amd || !amd->n)
		return NaN;
	seconds = amd_sleep_of(amd->of[0].now[0].text).seconds;
	return seconds == seconds ? seconds : amd_residency_of(amd->of[0].now[1].text);
}

/* How often a wakeup source woke the machine (place 2), or was active (place 1). */
static u64 wakeups_of(const struct evidence *e, int place)
{
	i64 was = e->appeared ? 0 : e->was[place].n, now = e->now[place].n;

	return (e->both || e->appeared) && now > was ? (u64)(now - was) : 0;
}

/*
 * Appends to the sentence which interrupt ended a suspend; and a line with the wakeup sources that
 * counted (Linux 5.4), if there are some.
 */
static void print_wakeups(struct inquiry *a)
{
	enum { MOST = 5 };
	const char *irq = system_reading("/sys/power/pm_wakeup_irq", false)->text;
	struct interrupt_counts counts SCOPED(interrupt_counts) =
		count_interrupts(system_reading("/proc/interrupts", false)->text, NONE);
	const struct interrupt_count *woke = find_interrupt(&counts, irq);
	const struct asked *k = asked_about(WAKEUP_NAME);
	struct { const struct evidence *of; u64 n; } top[MOST + 1] = { { 0 } };
	struct buf by SCOPED(buf) = { 0 };
	size_t begin;
	int i;

	if (*irq) {
		buf_printf(&by, "IRQ %s%s%s", irq, woke ? " " : "",
			   woke ? interrupt_name(&woke->line) : "");
		buf_printf(&a->sentence, "; woken by %s", by.p);
	}
	for (int place = 2; k && place > 0 && !top[0].n; place--)
		for (const struct evidence *e = k->of; e < PAST(k->of, k->n); e++) {
			u64 n = wakeups_of(e, place);

			for (i = MOST; i > 0 && n > top[i - 1].n; i--)
				top[i] = top[i - 1];
			top[i].of = e;
			top[i].n = n;
		}
	if (!top[0].n)
		return;
	buf_printf(&a->lines, "woken by: %s%swakeup sources", by.p ?: "", *irq ? "; " : "");
	begin = a->lines.len;
	for (i = 0; i < MOST && top[i].n; i++) {
		buf_item(&a->lines, begin, " ", ", ");
		buf_printf(&a->lines, "%s %llu", top[i].of->now[0].text, top[i].n);
	}
	buf_puts(&a->lines, "\n");
}

/* The newest or older reading of a file beside a battery's type; NULL: none. */
static const struct content *battery_reading(const char *place, int k, const struct evidence *type,
					     bool old)
{
	const struct asked *all = asked_about(place);
	size_t dir = (size_t)(strrchr(type->path, '/') - type->path);

	for (size_t i = 0; all && i < all->n; i++) {
		const struct evidence *e = &all->of[i];

		if (e->both && !strncmp(e->path, type->path, dir + 1) &&
		    !strchr(e->path + dir + 1, '/'))
			return old ? &e->was[k] : &e->now[k];
	}
	return NULL;
}

/* Adds the mWh that a battery lost, and what it holds when full.  False: unknown. */
static bool add_battery(const struct evidence *type, double *drained, double *full)
{
	bool has_energy = battery_reading(BATTERY_ENERGY, 0, type, false);
	const char *place = has_energy ? BATTERY_ENERGY : BATTERY_CHARGE;
	const struct content *was = battery_reading(place, 0, type, true);
	const struct content *now = battery_reading(place, 0, type, false);
	const struct content *whole = battery_reading(place, 1, type, false);
	/* of charge: both ends at the newest voltage, which falls with the load */
	double scale = has_energy ? 1 : (double)type->now[3].n / 1e6;

	if (!was || !now || !isdigit((u8)*was->text) || !isdigit((u8)*now->text) ||
	    whole->n <= 0 || !(scale > 0))
		return false;
	*drained += (double)(was->n - now->n) * scale / 1e3;
	*full += (double)whole->n * scale / 1e3;
	return true;
}

/* Appends what the batteries lost in an interval with a suspend, if they supplied the machine. */
static void print_battery(struct inquiry *a, struct buf *b)
{
	const struct asked *k = asked_about(BATTERY_TYPE);
	double drained = 0, full = 0, hours = a->iv->seconds / 3600;
	bool supplies = false;

	for (const struct evidence *e = k ? k->of : NULL; k && e < PAST(k->of, k->n); e++) {
		const char *was = e->was[2].text, *now = e->now[2].text;

		/* mice and headsets have the scope Device */
		if (strcmp(e->now[0].text, "Battery") || !strcmp(e->now[1].text, "Device"))
			continue;
		if (!e->both || !strcmp(was, "Charging") || !strcmp(now, "Charging") ||
		    !add_battery(e, &drained, &full))
			return;
		supplies |= !strcmp(was, "Discharging") && !strcmp(now, "Discharging");
	}
	if (!supplies || drained < 0)
		return;
	a->drained = drained;
	buf_printf(b, "battery: %.0f mWh of %.1f Wh in %.2f h: %.2f %% per hour, %.0f mW%s\n",
		   drained, full / 1e3, hours, 100 * drained / full / hours, drained / hours,
		   a->iv->seconds < 600 ? "; too short to be exact" : "");
}

/* Says how deep a suspend was, and what ended it. */
static void print_suspend(struct inquiry *a)
{
	struct buf *b = &a->sentence;
	static const struct { double least; const char *word, *text; } rows[] = {
		{ 0.9, "deep", "slept well" },
		{ 0.1, "part", "slept in part" },
		{ 0, "hardly", "hardly slept" },
	};
	size_t i = 0;

	if (a->hw_sleep != a->hw_sleep) {
		a->word = "unknown";
		buf_printf(b, "suspended for %.0f s; how deep is not known", a->asleep);
	} else if (!(a->hw_sleep > 0)) {
		a->word = "none";
		buf_printf(b, "did not sleep: 0.0 of %.0f s in the lowest power state", a->asleep);
	} else {
		while (a->hw_sleep < rows[i].least * a->asleep)
			i++;
		a->word = rows[i].word;
		buf_printf(b, "%s: %.1f of %.0f s in the lowest power state", rows[i].text,
			   a->hw_sleep, a->asleep);
	}
	print_wakeups(a);
}

/* Adds the members of the JSON object. */
static void sleep_members(struct inquiry *a, const char *deepest, double percent)
{
	struct buf *b = &a->members;

	buf_puts(b, "{");
	json_named_text(b, "deepest", deepest);
	json_named_number(b, "percent", deepest ? percent : NaN);
	json_named_number(b, "asleep_s", a->asleep);
	json_named_number(b, "hw_sleep_s", a->asleep >= 1 ? a->hw_sleep : NaN);
	json_named_number(b, "battery_mwh", a->drained);
}

/* Names the limit that keeps package states of the processor out, although it slept well. */
static void name_pkg_limit(struct inquiry *a)
{
	static const struct question of = { SLEEP, LEVEL, "package C-state limit", NULL, 0, SYSTEM,
					    { NULL } };
	static const struct { enum feature state; const char *name; } states[] = {
		{ PC10, "pc10 and S0ix are" }, { PC9, "pc9 is" }, { PC8, "pc8 is" },
		{ PC7, "pc7 is" }, { PC6, "pc6 is" }, { PC3, "pc3 is" }, { PC2, "pc2 is" },
	};
	size_t i = 0;

	while (i < ARRAY_SIZE(states) && !(M.platform->has & F(states[i].state)))
		i++;
	if (M.pkg_limit <= L_UNKNOWN || M.pkg_limit_odd || i == ARRAY_SIZE(states) ||
	    limit_allows(F(states[i].state)))
		return;
	a->first = a->nfindings;
	add_condition(a, &of, IS_FIRM,
		      pathf("the firmware allows %s at most (MSR 0xe2); %s excluded",
			    pkg_limit_names[M.pkg_limit], states[i].name));
	list_finding(a, BECAUSE, &a->finding[a->first]);
}

/* Package states in an interval: the deepest that was reached, and those below it. */
struct package_states {
	const char *deepest;	/* such as pc6; "" = none */
	double most;		/* its percentage, 0 = none */
	int nzeros;		/* deeper ones, which were not reached */
};

/* Finds the package states of an interval, and says them. */
static struct package_states say_package_states(const struct inquiry *a, struct buf *b)
{
	struct buf zeros SCOPED(buf) = { 0 };
	struct package_states p = { .deepest = "" };

	for (const struct column *c = T.column; c < T.column + T.ncolumns; c++) {
		const char *pc = strstr(c->name, "%pc") ?: "";	/* Pkg%pc8, Pk%pc10 */
		double v = *pc && !(c->flags & ADDED) ? number_of_column(a->iv, c, NONE) : NaN;

		if (v > 0) {
			p.deepest = pc + 1;
			p.most = v;
			buf_clear(&zeros);
			p.nzeros = 0;
		} else if (v <= 0) {
			add_name(&zeros, pc + 1);
			p.nzeros++;
		}
	}
	if (p.most > 0)
		buf_printf(b, "the deepest package state was %s (%.2f %%)", p.deepest, p.most);
	else if (p.nzeros)
		buf_puts(b, "no package state was reached");
	else
		buf_printf(b, "no package states here: %s",
			   a->iv->suspended ? "their counters stood still in the suspend"
					    : judge_counter(&T.counter[CT_PC6]).text);
	if (p.nzeros)
		buf_printf(b, "; %s %s 0", zeros.p, p.nzeros > 1 ? "were" : "was");
	return p;
}

/* Says how deeply the machine slept, and judges what kept it awake. */
static void answer_sleep(struct inquiry *a)
{
	struct buf states SCOPED(buf) = { 0 };
	struct package_states p;
	double lpi = column_number(a->iv, COL_SYS_LPI, NONE);
	bool slept;
	double busy;

	a->asleep = slept_between(&a->iv->old->t, &a->iv->new->t);
	a->hw_sleep = a->asleep >= 1 ? hw_sleep_of(a->asleep) : NaN;
	a->drained = NaN;
	slept = a->asleep >= 1;
	p = say_package_states(a, &states);
	if (lpi == lpi)
		buf_printf(&states, "; the lowest system state %.2f %% (SYS%%LPI)", lpi);
	a->shallow = p.nzeros;
	/* SYS%LPI decides: also in a suspend, or without package states; and pc10 is not S0ix */
	a->is_low = !(lpi >= 50) && (!a->iv->suspended || lpi == lpi) &&
		    (a->shallow || p.most < 50 || lpi <= 0);
	if (slept && a->hw_sleep == a->hw_sleep)
		a->is_low = a->hw_sleep < 0.9 * a->asleep;
	a->is_below = a->is_low;
	if (slept) {
		print_suspend(a);
		buf_printf(&a->lines, "packages: %s\n", states.p);
	}
	busy = print_cores(a);
	if (!slept) {
		const char *depth = !a->is_low ? "deep" : busy >= 50 ? "awake" : "shallow";

		a->word = p.most > 0 || p.nzeros ? depth : "unknown";
		if (p.most > 0 || p.nzeros)
			buf_printf(&a->sentence, "%s: ", a->word);
		buf_puts(&a->sentence, states.p);
	} else {
		print_battery(a, &a->lines);
	}
	sleep_members(a, p.most > 0 ? p.deepest : NULL, p.most);
	if (!a->is_low) {
		name_pkg_limit(a);
		if (!slept || a->hw_sleep == a->hw_sleep)
			return;
		find_causes(a);		/* why nothing is known of the suspend */
		list_names(a, UNREAD, IS_BROKEN);
		list_names(a, UNREAD, IS_UNREAD);
		return;
	}
	find_causes(a);
	sort_findings(a, true, false);
}

/* --- energy --- */

/* Says whether the energy counters are right, and lists all ways to each energy. */
static void answer_energy(struct inquiry *a)
{
	const char *const *words = topics[ENERGIES].words;
	bool is_short = a->iv->seconds < 1;
	struct energy_check *checks = NULL;
	size_t n = is_short ? 0 : check_energies(a->iv, &checks);
	enum trust whole = is_short ? UNTOLD : whole_trust(checks, n);
	double watts = is_short ? NaN : column_number(a->iv, COL_PKG_WATTS, NONE);
	struct buf *b = &a->sentence;

	a->word = words[whole];
	buf_printf(b, "%s: ", a->word);
	if (is_short)
		buf_puts(b, "the interval is shorter than 1 s");
	else if (whole != UNTOLD && watts == watts)
		buf_printf(b, "%.2f W for the package%s", watts,
			   M.units[energy_scope()] == 1 ? "" : "s");
	else
		print_ignorance(b, checks, n);
	buf_puts(&a->members, "{");
	json_named_number(&a->members, "watts", rounded_watts(watts));
	json_key(&a->members, "checks");
	buf_puts(&a->members, "[");
	for (size_t i = 0; i < n; i++) {
		print_check(&a->lines, &checks[i], words[checks[i].trust]);
		json_check(&a->members, &checks[i], words[checks[i].trust]);
	}
	buf_puts(&a->members, "]");
	free_checks(checks, n);
}

/* --- an answer in each format --- */

/* Appends a finding as a sentence: the cause, and what was read. */
static void print_finding(struct buf *b, const struct finding *f)
{
	const char *because = f->of->because;
	bool of_cpus = f->of->scope == CPU || f->of->scope == CORE;
	bool values = f->text.len > 0;

	if (because && (values || of_cpus))
		buf_printf(b, "%s (", because);
	else if (because)
		buf_puts(b, because);
	if (values)
		buf_puts(b, f->text.p);
	if (of_cpus)
		buf_printf(b, "%scpus %s", values ? "; " : "", set_text(&f->cpus));
	if (because && (values || of_cpus))
		buf_puts(b, ")");
}

/* Appends the causes, a line each. */
static void print_causes(struct buf *b, const struct inquiry *a, const char *title)
{
	size_t begin = b->len;

	for (size_t i = 0; i < a->n[BECAUSE]; i++) {
		const struct finding *f = a->list[BECAUSE][i];

		buf_item(b, begin, title, NEXT_LINE);
		if (f->package != NONE && M.nunits[PACKAGE] > 1)
			buf_printf(b, "package %d: ", f->package);
		print_finding(b, f);
		if (f->more.len)
			buf_printf(b, NEXT_LINE "%s", f->more.p);
	}
	buf_end_line(b, begin);
}

/* Appends a list of names, with the values that were read. */
static void print_list(struct buf *b, const struct inquiry *a, enum list list, const char *title)
{
	size_t begin = b->len;

	for (size_t i = 0; i < a->n[list]; i++) {
		const struct finding *f = a->list[list][i];

		buf_item(b, begin, title, ", ");
		if (list == MAYBE) {
			buf_puts(b, f->text.p);
			continue;
		}
		buf_puts(b, f->name);
		if (list == EXCLUDED && f->text.len)
			buf_printf(b, " (%s)", f->text.p);
	}
	buf_end_line(b, begin);
}

/* Appends what could not be read: files that hold something else, then those that were refused. */
static void print_unread(struct buf *b, const struct inquiry *a)
{
	size_t begin = b->len;
	bool refused = false;

	for (size_t i = 0; i < a->n[UNREAD]; i++) {
		const struct finding *f = a->list[UNREAD][i];
		bool starts = f->outcome == IS_UNREAD && !refused;

		buf_item(b, begin, "could not be read: ", starts ? "; " : ", ");
		buf_puts(b, f->name);
		refused |= starts;
	}
	if (refused)
		buf_printf(b, " (%s)", !M.msr_error || has(F(GUEST)) || O.no_msr ? refusal_text()
			   : judge_way(&(struct way){ .kind = BY_MSR }, M.msr_error).text);
	buf_end_line(b, begin);
}

/* Advice about a cause, or NULL.  @ becomes the path that was read; for several CPUs a pattern. */
static const char *advice_for(const struct finding *f)
{
	const char *kin = !strcmp(kin_of(f->name), "power limit") ? "PL1" : kin_of(f->name);
	const char *text = strcmp(f->of->name, f->name) ? NULL : f->of->advice, *at, *cpu, *end;

	/* a bit or word has the advice of the question that is called so */
	for (size_t i = 0; !text && i < ARRAY_SIZE(questions); i++) {
		const struct question *q = &questions[i];

		if (q->name && !strcmp(q->name, kin))
			text = q->advice;
	}
	at = text ? strchr(text, '@') : NULL;
	if (!at)
		return text;
	cpu = NULL;
	if (set_count(&f->cpus) > 1 && f->of->scope != SYSTEM)
		cpu = text_after(f->path, SYS_CPU "cpu");
	end = cpu ? strchr(cpu, '/') : NULL;
	if (!end)
		return pathf("%.*s%s%s", (int)(at - text), text, f->path, at + 1);
	return pathf("%.*s" SYS_CPU "cpu*%s%s", (int)(at - text), text, end, at + 1);
}

/* Appends what the user can do about the causes, each once. */
static void print_advice(struct buf *b, const struct inquiry *a)
{
	struct buf said SCOPED(buf) = { 0 };	/* each with a newline before and behind it */
	size_t begin = b->len;

	buf_puts(&said, "\n");
	for (size_t i = 0; i < a->n[BECAUSE]; i++) {
		const char *text = advice_for(a->list[BECAUSE][i]);
		char *line SCOPED(ptr) = text ? textf("\n%s\n", text) : NULL;

		if (!line || strstr(said.p, line))
			continue;
		buf_puts(&said, line + 1);
		buf_item(b, begin, "do: ", NEXT_LINE);
		buf_printf(b, "%.*s", (int)strlen(line) - 2, line + 1);
	}
	buf_end_line(b, begin);
}

/* Appends the answer for people. */
static void print_answer(struct buf *b, struct inquiry *a, UNUSED const struct result *r)
{
	bool sleeps = O.topic == SLEEP, claims = sleeps || !strcmp(a->word, "limited") ||
						 !strcmp(a->word, "low");

	buf_printf(b, "%s%s: %s\n%s", R.output.printed ? "\n" : "", topics[O.topic].name,
		   a->sentence.p, a->lines.p ?: "");
	if (sleeps && a->is_low)
		print_causes(b, a, "keeps it awake: ");
	else
		print_causes(b, a, claims && !sleeps ? "because: " : "limits: ");
	print_list(b, a, MAYBE, "may keep it awake: active devices that never suspend "
				"(power/control is 'on'): ");
	print_list(b, a, EXCLUDED, claims ? "not because of: " : "not limited by: ");
	print_list(b, a, ONCE, "read only once: ");
	print_unread(b, a);
	print_list(b, a, LOGGED, "logged since the log was last cleared: ");
	if (claims)
		print_advice(b, a);
	make_printable(b);
}

/* The clocks of an answer as members of its object. */
static void json_clocks(struct buf *b, const struct inquiry *a)
{
	json_named_number(b, "cpus", M.n);
	json_named_number(b, "busy_cpus", set_count(&a->busy));
	json_key(b, "clocks");
	buf_puts(b, "[");
	for (const struct clock *c = a->clock; c < PAST(a->clock, a->nclocks); c++) {
		char letter[] = { c->type, '\0' };

		json_next(b);
		buf_puts(b, "{");
		json_named_text(b, "cputype", c->type ? letter : NULL);
		json_named_number(b, "cores_min", c->fewest);
		json_named_number(b, "cores_max", c->most);
		json_named_number(b, "mhz", c->mhz);
		json_named_number(b, "highest_min_mhz", c->of_most);
		json_named_number(b, "highest_max_mhz", c->of_fewest);
		json_named_number(b, "highest_one_mhz", c->of_one);
		buf_puts(b, "}");
	}
	buf_puts(b, "]");
}

/* Causes, or what may be one. */
static void json_causes(struct buf *b, const struct inquiry *a, enum list list, const char *key)
{
	json_key(b, key);
	buf_puts(b, "[");
	for (size_t i = 0; i < a->n[list]; i++) {
		const struct finding *f = a->list[list][i];
		bool of_cpus = f->of->scope == CPU || f->of->scope == CORE;
		struct buf text SCOPED(buf) = { 0 };

		print_finding(&text, f);
		if (f->more.len)
			buf_printf(&text, "; %s", f->more.p);
		json_next(b);
		buf_puts(b, "{");
		json_named_text(b, "cause", f->name);
		json_named_text(b, "text", text.p);
		json_named_number(b, "package", f->package == NONE ? NaN : f->package);
		json_named_text(b, "cpus", of_cpus ? set_text(&f->cpus) : NULL);
		json_named_text(b, "do", advice_for(f));
		buf_puts(b, "}");
	}
	buf_puts(b, "]");
}

/* A list of names; with their values, of objects. */
static void json_names(struct buf *b, const struct inquiry *a, enum list list, const char *key,
		       bool values)
{
	json_key(b, key);
	buf_puts(b, "[");
	for (size_t i = 0; i < a->n[list]; i++) {
		const struct finding *f = a->list[list][i];

		json_next(b);
		if (!values) {
			quote_text(b, f->name, strlen(f->name), true);
			continue;
		}
		buf_puts(b, "{");
		json_named_text(b, "cause", f->name);
		json_named_text(b, "text", f->text.len ? f->text.p : NULL);
		buf_puts(b, "}");
	}
	buf_puts(b, "]");
}

/* Appends the answer as an object. */
static void json_answer(struct buf *b, struct inquiry *a, UNUSED const struct result *r)
{
	json_type(b, "answer");
	json_named_number(b, "n", (double)R.output.printed + 1);
	json_time(b, a->iv->new->t.end.real);
	json_named_number(b, "seconds", a->iv->seconds);
	json_named_text(b, "topic", topics[O.topic].name);
	json_named_text(b, "verdict", a->word);
	json_named_text(b, "text", a->sentence.p);
	if (a->members.len)
		buf_printf(b, ",%s", a->members.p + 1);
	else
		json_clocks(b, a);
	json_causes(b, a, BECAUSE, "because");
	if (O.topic == SLEEP)
		json_causes(b, a, MAYBE, "maybe");
	json_names(b, a, EXCLUDED, "not", true);
	json_names(b, a, UNREAD, "unread", false);
	json_names(b, a, ONCE, "once", false);
	json_names(b, a, LOGGED, "logged", false);
	buf_puts(b, "}\n");
}

/* Appends the exposition and the verdict: 1, the other words 0; causes 1, what is excluded 0. */
static void prom_answer(struct buf *b, struct inquiry *a, const struct result *r)
{
	const char *family = pathf("%s_verdict", topics[O.topic].name);
	bool limited = !strcmp(a->word, "limited");
	struct buf names SCOPED(buf) = { 0 };

	prom_interval(b, a->iv, r);
	prom_head(b, family, true, "The verdict on the newest interval: 1, others 0.");
	for (const char *const *word = topics[O.topic].words; *word; word++)
		buf_printf(b, "turbostat_%s_verdict{verdict=\"%s\"} %d\n", topics[O.topic].name,
			   *word, !strcmp(*word, a->word));
	if (O.topic != CLOCK || !(a->n[EXCLUDED] || (limited && a->n[BECAUSE])))
		return;
	prom_head(b, "limited", true, "Does this limit the clock in the newest interval?");
	for (size_t i = 0; i < a->n[BECAUSE] && limited; i++) {
		const char *name = a->list[BECAUSE][i]->name;
		const char *label = pathf("{%s}", name);

		if (strstr(names.p ?: "", label))
			continue;
		buf_puts(&names, label);
		buf_printf(b, "turbostat_limited{cause=\"%s\"} 1\n", name);
	}
	for (size_t i = 0; i < a->n[EXCLUDED]; i++)
		buf_printf(b, "turbostat_limited{cause=\"%s\"} 0\n", a->list[EXCLUDED][i]->name);
}

static void free_inquiry(struct inquiry *a)
{
	for (size_t i = 0; i < a->nfindings; i++) {
		free(a->finding[i].name);
		free(a->finding[i].text.p);
		free(a->finding[i].more.p);
	}
	for (enum list l = BECAUSE; l < NLISTS; l++)
		free(a->list[l]);
	free(a->finding);
	free(a->clock);
	free(a->sentence.p);
	free(a->lines.p);
	free(a->members.p);
}

/* Compares the verdict with the words of --fail.  If it is unknown, the gate fails. */
static void judge_words(const struct inquiry *a)
{
	bool unknown = !strcmp(a->word, "unknown") || !strcmp(a->word, "unmeasured");

	R.answered = true;
	if (!O.nverdicts)
		return;
	for (size_t i = 0; i < O.nverdicts; i++)
		if (!strcmp(O.verdict[i], a->word)) {
			R.failed = true;
			return;
		}
	if (!unknown)
		return;
	say("--fail: cannot be judged: %s", a->word);
	R.unjudged = true;
}

/* Judges an interval, and appends the answer in the format of the output. */
static void answer_interval(struct buf *b, const struct interval *iv, const struct result *r,
			    const struct writer *w)
{
	struct inquiry a SCOPED(inquiry) = { .iv = iv };

	if (O.topic == CLOCK)
		answer_clock(&a);
	else if (O.topic == SLEEP)
		answer_sleep(&a);
	else
		answer_energy(&a);
	judge_words(&a);
	w->answer(b, &a, r);
}

/* The exit status by --fail: 1 if an answer could not be judged, 3 if it is one of its words. */
static int answer_status(void)
{
	if (O.topic && O.nverdicts && !R.answered) {
		say("--fail: cannot be judged: there is no interval");
		return 1;
	}
	return R.unjudged ? 1 : R.failed ? 3 : 0;
}

/* ======================================================================== *
 * 24. OPTIONS
 *
 * Parses the command line into O by one table, and --add; prints the usage text.  Owns O: no other
 * section changes it.  Calls BASE, DEVICES (for hwmon), TABLES, ROWS and EVENTS (for core PMUs).
 * ======================================================================== */

#ifndef ADDRESS
#define ADDRESS ""
#endif

/* --- values --- */

/* An option, as --help lists it.  Its value goes where a pointer says, or to parse(). */
struct option_row {
	const char *name;
	char letter;		/* 0 = none */
	const char *argument, *help;	/* NULL = no argument; print_rare() names it */
	bool *flag;
	const char **text;
	u64 *number;		/* from least to most */
	double *seconds, least, most;	/* likewise */
	void (*parse)(const struct option_row *o, const char *arg);
	int value;		/* for parse() */
	enum output format;
	bool question;		/* apply_option() prints a text and exits */
	const char *alias[2];	/* abbreviations that later options would make ambiguous */
	const char *excludes[11];	/* options, ended by NULL */
	const char *group;	/* the heading above it */
	bool rare;		/* --help only names it */
};

/* Parses a number from least to most: a count, in any base of C, or seconds (--delay: or -1). */
static void set_number(const struct option_row *o, const char *arg)
{
	u64 count = 0;
	double v = -1;
	bool valid = o->number ? parse_u64(arg, 0, &count)
		     : parse_double(arg, &v) || (o->least < 0 && !strcmp(arg, "-1"));

	if (o->number)
		v = (double)count;
	if (valid && o->number == &O.iterations && !count)
		v = o->least;		/* until a signal; only --explain TOPIC takes it */
	if (!valid || v < o->least || v > o->most)
		die("--%s: '%s' is not a %s from %g to %.0f", o->name, arg,
		    o->number ? "whole number" : "number of seconds", o->least, o->most);
	if (o->number)
		*o->number = count;
	else
		*o->seconds = v;
}

/* Adds the columns of --show, --hide or --enable; an empty list selects nothing. */
static void parse_columns(const struct option_row *o, const char *list)
{
	char *rest = printable(list);

	for (char *w; (w = strsep(&rest, ","));) {
		if (*w == '-')
			die("--%s needs a list of columns, not '%s'", o->name, w);
		*append(O.selector, O.nselectors) = (struct selector){ (enum verb)o->value, w };
	}
}

/* Parses the subject of --explain, a topic or columns, which follows = or is a later word. */
static void parse_subject(const struct option_row *o, const char *word)
{
	O.topic = NO_TOPIC;
	for (size_t i = 1; i < ARRAY_SIZE(topics); i++)
		if (!strcmp(word, topics[i].name))
			O.topic = (enum topic)i;
	if (O.topic)
		return;
	parse_columns(o, word);
	for (size_t i = 0; i < O.nselectors; i++)
		for (size_t k = 1; k < ARRAY_SIZE(topics); k++)
			if (O.selector[i].verb == EXPLAIN &&
			    !strcmp(O.selector[i].word, topics[k].name))
				die("--explain %s: a topic stands alone", word);
}

/* Returns the index of a word in a list, or dies; more: what else the option accepts. */
static int parse_word(const char *option, const char *word, const char *const *words, int n,
		      const char *more)
{
	int found = find_word(word, words, n);
	struct guess g = { .word = word };
	struct buf list = { 0 };

	if (found >= 0)
		return found;
	for (int i = 0; i < n; i++) {
		buf_printf(&list, i ? ", %s" : "%s", words[i]);
		consider(&g, words[i]);
	}
	die("--%s: '%s' is not one of %s%s%s", option, word, list.p, more, guess_text(&g, ""));
}

/* Parses --cpu: a CPU list, one after "only:", or a unit. */
static void parse_cpus(const struct option_row *o, const char *arg)
{
	static const char *const units[] = { "core", "package", "die", "l3", "node" };
	const char *only = text_after(arg, "only:"), *list = only ?: arg;
	struct cpuset set;

	if (!strchr(list, '\n') && !parse_cpulist(list, &set) && (!only || set_count(&set))) {
		*(only ? &O.only : &O.cpus) = set;
	} else if (only) {
		die("--%s: '%s' is not a list of CPUs from 0 to %d such as 0,2,4-7", o->name, list,
		    MAX_CPU - 1);
	} else {
		parse_word(o->name, arg, units, ARRAY_SIZE(units),
			   pathf(" or a list of CPUs from 0 to %d such as 0,2,4-7", MAX_CPU - 1));
		O.first_of |= 1u << find_word(arg, scope_names, NSCOPES);
	}
}

static void parse_per(const struct option_row *o, const char *arg)
{
	static const char *const units[] = { "package", "die",	"l3",  "node",
					     "module",	"core", "type" };

	parse_word(o->name, arg, units, ARRAY_SIZE(units), "");
	O.per = (enum scope)find_word(arg, scope_names, NSCOPES);
}

static void parse_view(const struct option_row *o, const char *arg)
{
	O.look = FIT + (enum look)parse_word(o->name, arg, look_names, ARRAY_SIZE(look_names), "");
}

/* Parses --replay; a second one is for --compare. */
static void parse_replay(const struct option_row *o, const char *arg)
{
	if (O.replay_other)
		die("--%s: %s is one too many: at most two recordings", o->name, arg);
	*(O.replay ? &O.replay_other : &O.replay) = arg;
}

/* Adds the words of --fail WORD,... . */
static void parse_verdicts(const char *arg)
{
	char *rest = textf("%s", arg);

	while (rest)
		*append(O.verdict, O.nverdicts) = strsep(&rest, ",");
}

/* Parses --fail ROW>LIMIT; the name of the row may contain < and >.  Without them it is a word. */
static void parse_gate(const struct option_row *o, const char *arg)
{
	const char *sign = arg + strlen(arg), *name = arg + strspn(arg, " ");
	struct gate g = { .text = arg };
	char *end;

	if (!strpbrk(arg, "<>")) {
		parse_verdicts(arg);
		return;
	}
	while (sign > name && *sign != '<' && *sign != '>')
		sign--;
	g.sign = *sign;
	g.limit = strtod(sign + 1, &end);
	g.percent = *end == '%';
	if (sign <= name || end == sign + 1 || g.limit - g.limit != 0 || end[g.percent])
		die("--%s: '%s' is not ROW>LIMIT or ROW<LIMIT, such as Pkg_J>2%%", o->name, arg);
	while (sign > name && sign[-1] == ' ')
		sign--;
	g.name = textf("%.*s", (int)(sign - name), name);
	*append(O.gate, O.ngates) = g;
}

/* --- --add --- */

/* Returns a column name: the text without characters that separate columns. */
static char *clean_header(const char *text)
{
	char *header = printable(text);

	for (char *p = header; *p; p++)
		if (*p == ' ' || *p == ',')
			*p = '_';
	return header;
}

#define BLANKS		" \t"
#define NO_NAME		"name= needs a name"
#define NOT_BY_MODE	"this event is not counted by mode"
#define PERF_MODES	":ukhpPHGSDWeIbR"	/* perf's own modifiers, behind a colon or not */

/* Returns the length of the next word: up to a comma; perf/PMU/TERMS/ up to one after its slash. */
static size_t token_length(const char *s)
{
	const char *event = text_after(s, "perf/") ? strchr(s + 5, '/') : NULL;
	const char *close = event ? strchr(event + 1, '/') : NULL;

	if (close) {
		close++;
		close += strspn(close, PERF_MODES);	/* which refuse_perf_form() refuses */
		close += strspn(close, BLANKS);
		if (!*close || *close == ',')
			return (size_t)(close - s);
	}
	return strcspn(s, ",");
}

/* The sorts of words in an --add, and their names in messages.  One word of a sort is allowed. */
enum sort { A_SCOPE, A_SIZE, A_FORMAT, A_TYPE, A_MODE, A_TASK, A_SCALE, A_LOCATION, NSORTS };
static const char *const sort_names[] = { "scopes", "sizes", "formats", "types",
					  "modes",  "tasks", "scales",	"locations" };

struct spec {			/* an --add that is being parsed */
	struct addition a;
	const char *given[NSORTS];	/* the word of each sort; NULL = none yet */
	char *location;		/* as it was typed, for given[]; freed with the spec */
	bool renamed;		/* it has two names */
	const char *mode_name;	/* a mode that is the column's name; NULL = none */
};

/* The keywords.  A mistyped word is compared with them in this order. */
static const struct add_keyword { const char *word; enum sort sort; int value; } add_keywords[] = {
	{ "cpu", A_SCOPE, CPU }, { "core", A_SCOPE, CORE }, { "package", A_SCOPE, PACKAGE },
	{ "u32", A_SIZE, 32 }, { "u64", A_SIZE, 64 },
	{ "delta", A_FORMAT, ADD_DELTA }, { "rate", A_FORMAT, ADD_RATE },
	{ "percent", A_FORMAT, ADD_PERCENT }, { "average", A_FORMAT, ADD_AVERAGE },
	{ "raw", A_FORMAT, ADD_RAW },
	{ "cycles", A_TYPE, 0 }, { "seconds", A_TYPE, 1 }, { "usec", A_TYPE, 1000000 },
	{ "user", A_MODE, USER_MODE }, { "kernel", A_MODE, KERNEL_MODE }, { "task", A_TASK, 0 },
};

/*
 * Is a word one edit away from a name: a letter inserted or left out, two neighbours exchanged or,
 * in a name of five letters or more, one replaced?
 */
static bool is_one_edit(const char *word, const char *name)
{
	bool is_long = strlen(name) >= 5;

	while (*word && *word == *name) {
		word++;
		name++;
	}
	if (!*word)
		return *name && !name[1];
	if (!strcmp(word + 1, name))
		return true;
	if (!*name)
		return false;
	if (!strcmp(word, name + 1) || (is_long && !strcmp(word + 1, name + 1)))
		return true;
	return word[1] && word[0] == name[1] && word[1] == name[0] && !strcmp(word + 2, name + 2);
}

/* Returns the keyword that a column's name is so close to that it may be meant; NULL: none. */
static const char *close_keyword(const char *word)
{
	static const struct { const char *word, *meant; } others[] = {
		{ "avg", "average" }, { "mean", "average" }, { "hex", "raw" },
		{ "pct", "percent" }, { "perc", "percent" }, { "pkg", "package" },
		{ "socket", "package" }, { "thread", "cpu" }, { "sec", "seconds" },
		{ "secs", "seconds" }, { "us", "usec" },
	};
	const char *digits = word + (*word == 'u'), *end = digits + strspn(digits, "0123456789");
	size_t lower = strspn(word, "abcdefghijklmnopqrstuvwxyz");

	for (size_t i = 0; i < ARRAY_SIZE(add_keywords); i++)
		if (!strcasecmp(word, add_keywords[i].word))
			return add_keywords[i].word;
	for (size_t i = 0; i < ARRAY_SIZE(others); i++)
		if (!strcmp(word, others[i].word))
			return others[i].meant;
	if (end > digits && (!*end || !strcmp(end, "bit")))
		return "u32 or u64";
	if (lower < 3 || word[lower])
		return NULL;
	for (size_t i = 0; i < ARRAY_SIZE(add_keywords); i++)
		if (*word == *add_keywords[i].word && is_one_edit(word, add_keywords[i].word))
			return add_keywords[i].word;
	return NULL;
}

/* Names the column; the last name counts. */
static void name_column(struct spec *s, const char *text)
{
	char *name = clean_header(text);

	if (s->a.name && strcmp(s->a.name, name))
		s->renamed = true;
	free(s->a.name);
	s->a.name = name;
}

/* Takes a word without another meaning as the column's name; a note if it looks mistyped. */
static void parse_name(struct spec *s, const char *word)
{
	const char *meant = close_keyword(word), *spec = s->a.spec;

	name_column(s, word);
	if (meant)
		note(hash_text(spec) ^ hash_text(word), "--add %s: '%s' is taken as the column's "
		     "name; did you mean %s? (name=%s says so)", spec, word, meant, word);
}

/* Dies because of a word KEY=VALUE whose key is not known. */
static void refuse_key(const struct spec *s, const char *word)
{
	const char *key = pathf("%.*s", (int)strcspn(word, "="), word);
	const char *location = s->given[A_LOCATION], *spec = s->a.spec;

	if (is_one_edit(key, "scale") || is_one_edit(key, "name"))
		die("--add %s: unknown word '%s', did you mean %s=?", spec, word,
		    is_one_edit(key, "scale") ? "scale" : "name");
	if (s->a.way.event && s->a.way.kind == BY_PERF && location[strlen(location) - 1] != '/')
		die("--add %s: the terms of a perf event end with /", spec);
	die("--add %s: unknown word '%s'", spec, word);
}

/* Is a text of n bytes a raw code of perf: r and hexadecimal digits? */
static bool is_raw_code(const char *text, size_t n)
{
	return n > 1 && *text == 'r' && strspn(text + 1, "0123456789abcdefABCDEF") >= n - 1;
}

/*
 * Cuts off perf's own modes, NAME:u or PMU/TERMS/u.  Returns our words for them, or NULL; dies if
 * we have none.
 */
static const char *cut_modes(const struct spec *s, char *text)
{
	char *modes = text + strlen(text), *slash = strchr(text, '/');
	bool user, kernel, other;

	while (modes > text && strchr(&PERF_MODES[1], modes[-1]))
		modes--;
	if (!*modes || modes == text)
		return NULL;
	user = strchr(modes, 'u');
	kernel = strchr(modes, 'k');
	other = modes[strspn(modes, "uk")];
	if (modes[-1] == ':') {
		*--modes = '\0';
		if (!slash && !find_perf_name(text) && !is_raw_code(text, strlen(text))) {
			*modes = ':';		/* of a tracepoint */
			return NULL;
		}
	} else if (modes[-1] != '/' || slash == modes - 1) {
		return NULL;
	}
	if (other)
		die("--add %s: of perf's modifiers turbostat has only u and k, as the words user "
		    "and kernel", s->a.spec);
	*modes = '\0';
	if (user && kernel)
		return "";
	return user ? ",user" : ",kernel";
}

/* Dies if an event is written as perf writes it, but turbostat does not. */
static void refuse_perf_form(const struct spec *s, char *text)
{
	const char *modes = cut_modes(s, text), *slash = strchr(text, '/');
	const char *event = slash ? slash + 1 : text;
	char *pmu SCOPED(ptr) = slash ? textf("%.*s", (int)(slash - text), text) : textf("cpu");
	const struct perf_name *known = find_perf_name(text);
	size_t n = strcspn(event, "/");

	if (*text == '{')
		die("--add %s: turbostat forms groups itself", s->a.spec);
	/* an uncore event may be called "read" */
	if (is_raw_code(event, n) && (is_core_pmu(pmu) || strcspn(event, "0123456789") < n))
		die("--add %s: write perf/%s/config=0x%.*s/%s", s->a.spec, pmu, (int)n - 1,
		    event + 1, modes ?: "");
	if (modes && *modes && !(known ? known->modes : is_core_pmu(pmu)))
		die("--add %s: " NOT_BY_MODE, s->a.spec);
	if (modes)
		die("--add %s: write perf/%s%s", s->a.spec, text, modes);
}

#define NO_PERF_EVENT	"--add %s: expected perf/PMU/EVENT or perf/PMU/TERMS/"

/* Parses perf's own name of an event, or SYSTEM:EVENT. */
static void parse_perf_name(struct spec *s, char *name)
{
	const struct perf_name *known = find_perf_name(name);
	const char *colon = strchr(name, ':');
	struct way *w = &s->a.way;

	w->kind = BY_PERF;
	if (known) {
		w->pmu = known->type;
		w->config = known->config;
		w->by_mode = known->modes;
		return;
	}
	for (size_t i = 0; i < ARRAY_SIZE(perf_names); i++)
		if (is_one_edit(name, perf_names[i].name))
			die("--add %s: no such event, did you mean %s?", s->a.spec,
			    perf_names[i].name);
	if (!colon || colon == name || !colon[1] || strchr(colon + 1, ':') ||
	    name[strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-:")])
		die(NO_PERF_EVENT, s->a.spec);
	w->pmu = "tracepoint";
	w->event = name;
}

/* Parses "NAME", "PMU/EVENT" or "PMU/TERMS/"; a term name= names the column. */
static void parse_perf_location(struct spec *s, char *pmu)
{
	struct way *w = &s->a.way;
	const char *name;
	char *event;

	refuse_perf_form(s, pmu);
	event = strchr(pmu, '/');
	if (!event) {
		parse_perf_name(s, pmu);
		return;
	}
	*event++ = '\0';
	if (*event && event[strlen(event) - 1] == '/')
		event[strlen(event) - 1] = '\0';
	if (!*event && find_perf_name(pmu))
		die("--add %s: write perf/%s", s->a.spec, pmu);
	if (!*pmu || !*event || strchr(event, '/') || strstr(pmu, ".."))
		die(NO_PERF_EVENT, s->a.spec);
	w->kind = BY_PERF;
	w->pmu = pmu;
	w->event = event;
	w->by_mode = is_core_pmu(pmu);
	name = text_after(event, "name=");
	if (!name && (name = strstr(event, ",name=")))
		name += strlen(",name=");
	if (name && strchr(",", *name))
		die("--add %s: " NO_NAME, s->a.spec);
	if (name)
		name_column(s, pathf("%.*s", (int)strcspn(name, ","), name));
}

/* Parses a register or a field of it: "0x199", "409[31:16]". */
static void parse_register(struct addition *a, const char *text)
{
	bool hex = text_after(text, "0x");
	const char *s = text + (hex ? 2 : 0), *field;
	int msb, lsb;
	u64 address;

	if (!scan_number(&s, NULL, hex ? 16 : 10, UINT32_MAX, &address) || (*s && *s != '['))
		die("--add %s: 'msr%.*s' is not an MSR: msrDDD or msr0xHHH, of 32 bits", a->spec,
		    (int)strcspn(text, "["), text);
	a->way.kind = BY_MSR;
	a->way.msr = (u32)address;
	if (!*s)
		return;
	field = s++;
	msb = lsb = parse_small(&s, 64);
	if (*s == ':') {
		s++;
		lsb = parse_small(&s, 64);
	}
	if (msb < 0 || lsb < 0 || lsb > msb || strcmp(s, "]"))
		die("--add %s: '%s' is not a field: [HIGH:LOW], of 63 to 0", a->spec, field);
	a->way.msb = (u8)msb;
	a->way.lsb = (u8)lsb;
}

/* Are two texts the same, or both NULL? */
static bool is_same_text(const char *a, const char *b)
{
	return a && b ? !strcmp(a, b) : a == b;
}

static bool is_same_location(const struct way *a, const struct way *b)
{
	return a->kind == b->kind && a->msr == b->msr && a->msb == b->msb && a->lsb == b->lsb &&
	       a->config == b->config && is_same_text(a->pmu, b->pmu) &&
	       is_same_text(a->event, b->event) && is_same_text(a->path, b->path);
}

/* Parses a location.  Returns false if the word is not a location. */
static bool parse_location(struct spec *s, char *word)
{
	const char *pmu = text_after(word, "perf/"), *msr = text_after(word, "msr");
	const char *hwmon = text_after(word, "hwmon/"), *file = hwmon ? strchr(hwmon, '/') : NULL;
	struct addition *a = &s->a;
	struct way was = a->way;
	char *text;

	if (msr && !isdigit((u8)*msr))
		msr = NULL;
	if (!msr && !pmu && !hwmon && *word != '/')
		return false;
	if (hwmon && (!file || file == hwmon || !file[1] || strchr(file + 1, '/') ||
		      strstr(hwmon, "..")))
		die("--add %s: expected hwmon/NAME/FILE", a->spec);
	a->way = (struct way){ .of_user = true, .msb = 63 };
	text = textf("%s", word);
	if (msr) {
		parse_register(a, msr);
	} else if (pmu) {
		parse_perf_location(s, word + strlen("perf/"));
	} else {
		a->way.kind = BY_FILE;
		a->way.path = hwmon ? textf(IN_HWMON "/%s", hwmon) : textf("%s", word);
		a->way.event = hwmon ? a->way.path + sizeof(IN_HWMON) : NULL;
		a->way.find = hwmon ? find_hwmon_file : NULL;
	}
	if (was.kind != NO_WAY && !is_same_location(&was, &a->way))
		die("--add %s: two locations, %s and %s", a->spec, s->given[A_LOCATION], text);
	free(s->location);
	s->given[A_LOCATION] = s->location = text;
	return true;
}

/* Returns the scope of a counter that a word names, or SYSTEM. */
static enum scope parse_scope(const char *word)
{
	int scope = find_word(word, scope_names, NSCOPES);

	return scope == CPU || scope == CORE || scope == PACKAGE ? (enum scope)scope : SYSTEM;
}

static const char *const add_formats[] = { "delta", "raw", "average", "rate", "percent" };

/* Remembers a word; dies if another one of its sort was given. */
static void give_word(struct spec *s, enum sort sort, const char *word)
{
	if (s->given[sort] && strcmp(s->given[sort], word))
		die("--add %s: two %s, %s and %s", s->a.spec, sort_names[sort], s->given[sort],
		    word);
	s->given[sort] = word;
}

/* Applies a keyword.  With rate and percent, delta says nothing new; a mode can be a name. */
static void parse_keyword(struct spec *s, const struct add_keyword *k)
{
	struct addition *a = &s->a;
	const char *other = s->given[k->sort];

	if ((k->sort == A_MODE || k->sort == A_TASK) && a->way.kind != BY_PERF) {
		name_column(s, k->word);
		s->mode_name = k->word;
		return;
	}

	if (k->sort == A_FORMAT && other) {
		bool shares = a->format == ADD_RATE || a->format == ADD_PERCENT;

		if (k->value == ADD_DELTA && shares)
			return;
		if (a->format == ADD_DELTA && (k->value == ADD_RATE || k->value == ADD_PERCENT))
			s->given[A_FORMAT] = NULL;
	}
	give_word(s, k->sort, k->word);
	switch (k->sort) {
	case A_SCOPE: a->scope = (enum scope)k->value; break;
	case A_SIZE: a->bits = (u8)k->value; break;
	case A_FORMAT:
		a->format = (enum add_format)k->value;
		a->format_given = true;
		break;
	case A_MODE:
		a->way.mode = (enum mode)k->value;
		if (!a->way.by_mode)
			die("--add %s: " NOT_BY_MODE, a->spec);
		break;
	case A_TASK: a->way.task = true; break;
	default: a->hz = k->value; break;
	}
}

static void parse_scale(struct spec *s, const char *text)
{
	double scale;

	if (!parse_double(text, &scale) || scale <= 0)
		die("--add %s: '%s' is not a number above 0", s->a.spec, text);
	if (!s->given[A_SCALE] || scale != s->a.way.scale)	/* 1.0 is 1 */
		give_word(s, A_SCALE, text);
	s->a.way.scale = scale;
}

/* Parses a word other than a location. */
static void parse_add_word(struct spec *s, char *word)
{
	const char *scale = text_after(word, "scale="), *name = text_after(word, "name=");

	for (size_t i = 0; i < ARRAY_SIZE(add_keywords); i++)
		if (!strcmp(word, add_keywords[i].word)) {
			parse_keyword(s, &add_keywords[i]);
			return;
		}
	if (name && !*name)
		die("--add %s: " NO_NAME, s->a.spec);
	if (scale)
		parse_scale(s, scale);
	else if (name)
		name_column(s, name);
	else if (strchr(word, '='))
		refuse_key(s, word);
	else
		parse_name(s, word);
}

/* Sets the defaults of an MSR, a file or a perf event. */
static void finish_counter(struct spec *s)
{
	struct addition *a = &s->a;
	const char *percent = a->format == ADD_PERCENT ? "%" : "", *path = a->way.path;
	const char *perf = text_after(s->given[A_LOCATION], "perf/");
	int width = a->way.msb - a->way.lsb + 1;	/* of a field; else 64 */

	if (!a->bits || width < 64)
		a->bits = (u8)width;
	if (a->way.find && !a->format_given && !strstr(path, "/energy"))
		a->format = ADD_AVERAGE;	/* other files of hwmon are levels */
	if (path && *(strrchr(path, '/') + 1))
		path = strrchr(path, '/') + 1;
	if (a->name)
		return;
	if (a->way.kind == BY_MSR)
		a->name = textf("M0%c%x%s", a->bits == 32 ? 'x' : 'X', a->way.msr, percent);
	else if (path)
		a->name = clean_header(pathf("%s%s", path, percent));
	else	/* perf's own name, or the event of a PMU */
		a->name = clean_header(!strchr(perf, '/') ? perf : pathf("perf/%s", a->way.event));
}

/* The keys of --add pmt; those before GUID are required. */
enum pmt_key { NAME, DOMAIN, OFFSET, LSB, MSB, GUID, SEQ, PATH, KIND, FORMATTED, NKEYS };
static const char *const pmt_keys[] = { "name", "domain", "offset", "lsb",  "msb",
					"guid", "seq",	  "path",   "type", "format" };

static void parse_pmt_words(char *words, const char *text[NKEYS], u64 number[NKEYS])
{
	static const u64 most[NKEYS] = { [OFFSET] = 1 << 24, 63, 63, UINT32_MAX, UINT32_MAX };
	char *save = NULL;

	for (char *w = strtok_r(words, ",", &save); w; w = strtok_r(NULL, ",", &save)) {
		char *value = w + strcspn(w, "=");
		unsigned base;
		int key;

		if (*value)
			*value++ = '\0';
		key = find_word(w, pmt_keys, NKEYS);
		base = key == GUID || key == SEQ ? 16 : 0;
		if (key < 0)	/* the established tool ignores it, too */
			note(hash_text(w), "--add pmt: ignored '%s'", w);
		if (key < 0 || !*value)
			continue;
		text[key] = value;
		if (most[key] && (!parse_u64(value, base, &number[key]) || number[key] > most[key]))
			die("--add pmt: %s=%s is not a%s number up to %#llx", w, value,
			    base ? " hexadecimal" : "", most[key]);
	}
}

static void parse_pmt(struct addition *a, char *words)
{
	static const char *const types[] = { "raw", "txtal_time", "tcore_clock" };
	const char *text[NKEYS] = { [KIND] = "raw", [FORMATTED] = "raw" };
	u64 number[NKEYS] = { 0 }, unit;
	size_t n;

	parse_pmt_words(words, text, number);
	a->type = parse_word("add pmt", text[KIND], types, ARRAY_SIZE(types), "");
	a->format = (enum add_format)parse_word("add pmt", text[FORMATTED], add_formats,
						ADD_PERCENT, "");
	for (int key = 0; key < GUID; key++)
		if (!text[key])
			die("--add pmt: %s= is missing", pmt_keys[key]);
	n = strcspn(text[DOMAIN], "0123456789");
	a->scope = parse_scope(pathf("%.*s", (int)n, text[DOMAIN]));
	if (a->scope == SYSTEM || !parse_u64(text[DOMAIN] + n, 10, &unit) || unit > INT_MAX)
		die("--add pmt: domain=%s is not cpuN, coreN or packageN", text[DOMAIN]);
	if (!text[GUID] == !text[PATH])
		die("--add pmt: guid= %s", text[GUID] ? "and path= exclude each other"
						      : "or path= is missing");
	if (number[LSB] > number[MSB])
		die("--add pmt: lsb=%llu is above msb=%llu", number[LSB], number[MSB]);
	a->way = (struct way){ .kind = BY_PMT, .of_user = true, .path = text[PATH],
			       .guid = (u32)number[GUID], .offset = (u32)number[OFFSET],
			       .msb = (u8)number[MSB], .lsb = (u8)number[LSB] };
	a->name = clean_header(text[NAME]);
	a->unit = (int)unit;
	a->seq = (u32)number[SEQ];
	a->bits = (u8)(number[MSB] - number[LSB] + 1);
	if (a->type != PMT_RAW)
		a->format = ADD_PERCENT;
	else if (a->format == ADD_AVERAGE)
		a->format = ADD_DELTA;
}

/* Parses the words of --add: the location first, as it decides what others mean. */
static void parse_words(struct spec *s)
{
	const char *spec = s->a.spec;
	char *word = s->a.words, *next, **rest SCOPED(ptr) = NULL;
	size_t n = 0;

	for (; *word; word = next) {
		size_t length;

		word += strspn(word, BLANKS);
		length = token_length(word);
		next = word + length + (word[length] == ',');
		while (length && strchr(BLANKS, word[length - 1]))
			length--;
		word[length] = '\0';
		if (length && !parse_location(s, word))
			*append(rest, n) = word;
	}
	if (s->a.way.kind == NO_WAY)
		die("--add %s: a location is required: msrDDD, msr0xHHH, /path, hwmon/NAME/FILE, "
		    "perf/PMU/EVENT, perf/PMU/TERMS/ or pmt,KEY=VALUE,...", spec);
	for (size_t i = 0; i < n; i++)
		parse_add_word(s, rest[i]);
	if (s->a.way.task && s->given[A_SCOPE])
		die("--add %s: a task has no scope", spec);
	if (s->a.way.task && s->a.format != ADD_DELTA && s->a.format != ADD_RATE)
		die("--add %s: a task is counted as delta or rate", spec);
	if (s->renamed)
		note(hash_text(spec), "--add %s: two names; %s is the column's name", spec,
		     s->a.name);
	else if (s->mode_name)
		note(hash_text(spec), "--add %s: '%s' is taken as the column's name; it is a mode "
		     "of perf events only", spec, s->mode_name);
}

static void parse_addition(UNUSED const struct option_row *o, const char *spec)
{
	struct spec s = { .a = { .spec = spec, .words = textf("%s", spec),
				 .way = { .of_user = true, .msb = 63 } } };

	if (text_after(spec, "pmt,")) {
		parse_pmt(&s.a, s.a.words + strlen("pmt,"));
	} else {
		parse_words(&s);
		finish_counter(&s);
	}
	*append(O.addition, O.nadditions) = s.a;
	free(s.location);
}

/* --- the table --- */

static const struct option_row option_rows[] = {
	/* clang-format off */
	{ "interval", 'i', "SEC", "seconds between intervals (default 5)", .seconds = &O.interval, .least = 0.001, .most = 1e8, .alias = { "i" }, .group = "To watch a machine" },
	{ "num_iterations", 'n', "NUM", "stop after NUM intervals", .number = &O.iterations, .least = 1, .most = UINT32_MAX },
	{ "Summary", 'S', NULL, "print only the summary, one line per interval", .flag = &O.summary, .excludes = { "per" } },
	{ "view", 0, "HOW", "on a terminal: fit (default), live or wide", .parse = parse_view },
	{ "quiet", 'q', NULL, "do not print the system configuration", .flag = &O.quiet },
	{ "delay", 0, "SEC", "wait SEC seconds before measuring", .seconds = &O.delay, .least = -1, .most = 1e8 },
	{ "timeout", 0, "SEC", "stop measuring after SEC seconds", .seconds = &O.timeout, .least = 0.001, .most = 1e8 },
	{ "list", 0, NULL, "list the columns of this machine", .flag = &O.list, .group = "To choose columns and rows" },
	{ "show", 0, "COLUMN", "show only these columns", .parse = parse_columns, .value = SHOW, .alias = { "s" } },
	{ "hide", 'H', "COLUMN", "hide these columns", .parse = parse_columns, .value = HIDE },
	{ "enable", 'e', "COLUMN", "show columns that are hidden by default, or all", .parse = parse_columns, .value = ENABLE, .alias = { "e" } },
	{ "Joules", 'J', NULL, "energy in Joules instead of power in Watts", .flag = &O.joules },
	{ "add", 0, "COUNTER", "add an MSR, perf event, file or telemetry word", .parse = parse_addition, .alias = { "a" } },
	{ "cpu", 'c', "CPU-SET", "rows of core, package... 0,2; only:0-3: no other", .parse = parse_cpus, .alias = { "c" } },
	{ "per", 0, "UNIT", "one row per package, die, l3, node, core, type...", .parse = parse_per },
	{ "total", 0, NULL, "also print a total; with COMMAND, intervals too", .flag = &O.total, .group = "To measure a command or a process" },
	{ "repeat", 0, "NUM", "run COMMAND NUM times; means with 95 % intervals", .number = &O.repeat, .least = 1, .most = 1000000,
	  .excludes = { "total", "timeout", "delay", "pid", "per", "explain" } },
	{ "compare", 0, NULL, "compare commands, -- A -- B, or two recordings", .flag = &O.compare,
	  .excludes = { "record", "total", "timeout", "delay", "pid", "list", "explain", "Dump", "per" } },
	{ "idle", 0, "SEC", "first measure idle power, for Net_J and Own_J", .seconds = &O.idle, .least = 1, .most = 1e8, .excludes = { "pid" } },
	{ "fail", 0, "GATE", "status 3 if e.g. 'Pkg_J>2%', or if 'limited,low'", .parse = parse_gate },
	{ "pid", 0, "PID", "measure until process PID ends", .number = &O.pid, .least = 1, .most = INT_MAX, .excludes = { "replay" } },
	{ "control", 0, "SPEC", "let COMMAND mark regions: pipe, fd: or fifo:", .text = &O.control, .excludes = { "replay", "compare", "repeat", "explain" } },
	{ "out", 'o', "FILE", "write to FILE; - is standard output", .text = &O.out, .group = "To keep or pass on what was measured" },
	{ "append", 0, NULL, "with --out: append to FILE", .flag = &O.append },
	{ "record", 0, "FILE", "record everything that is read, for --replay", .text = &O.record },
	{ "replay", 0, "FILE", "show a recording instead of this machine", .parse = parse_replay, .excludes = { "record" } },
	{ "stats", 0, NULL, "also print mean, sd, min, p95 and max", .flag = &O.stats, .excludes = { "repeat", "compare" } },
	{ "csv", 0, NULL, "print CSV, one line per row", .format = CSV },
	{ "json", 0, NULL, "print JSON, one object per line", .format = JSON },
	{ "html", 0, NULL, "draw charts: a page for a browser", .format = HTML, .excludes = { "per", "list", "explain", "Dump" } },
	{ "prometheus", 0, NULL, "print totals for Prometheus", .format = PROMETHEUS },
	{ "explain", 0, NULL, "explain columns; or answer: clock, sleep, energy", .flag = &O.explain, .parse = parse_subject, .value = EXPLAIN, .group = "When a number is missing or looks wrong" },
	{ "debug", 'd', NULL, "more columns and messages, for troubleshooting", .flag = &O.debug, .alias = { "d", "de" } },
	{ "no-msr", 'M', NULL, "do not use the MSR driver", .flag = &O.no_msr },
	{ "no-perf", 'P', NULL, "do not use perf events", .flag = &O.no_perf },
	{ "TCC", 'T', "DEGREES", "temperature at which the CPU throttles (TjMax)", .number = &O.tcc, .least = 0, .most = 255 },
	{ "completion", 0, "SHELL", "print the completion script for bash", .question = true, .rare = true },
	{ "Dump", 'D', NULL, "print the raw counters once", .flag = &O.dump, .rare = true },
	{ "force", 0, NULL, "ignored, for compatibility", .alias = { "f" }, .rare = true },
	{ "header_iterations", 'N', "NUM", "print column names every NUM intervals; 0: once", .number = &O.header_every, .least = 0, .most = UINT32_MAX, .rare = true },
	{ "post", 0, "CMD", "run CMD after each run", .text = &O.post, .rare = true },
	{ "pre", 0, "CMD", "run CMD before each run", .text = &O.pre, .rare = true },
	{ "warmup", 0, "NUM", "discard NUM warm-up runs first", .number = &O.warmup, .least = 1, .most = 1000000, .rare = true },
	{ "help", 'h', .question = true },
	{ "version", 'v', .question = true, .alias = { "v" } },
	/* clang-format on */
};
_Static_assert(ARRAY_SIZE(option_rows) <= 64, "O.given has a bit for each option");

/* Did the command line have the option?  name: that of a row of option_rows[]. */
static bool is_given(const char *name)
{
	size_t i = 0;

	while (strcmp(option_rows[i].name, name))
		i++;
	return O.given >> i & 1;
}

/* --- --help and --completion --- */

/* Appends the groups, each with the columns that this machine has. */
static void print_groups(struct buf *b)
{
	for (size_t g = 0; g < ARRAY_SIZE(group_names); g++) {
		size_t begin = b->len;

		for (const struct column *c = T.column; c < T.column + T.ncolumns; c++)
			if (c->groups & group_names[g].groups && c->present &&
			    !(group_names[g].groups & G_ALL)) {
				buf_item(b, begin, pathf("  %s\n\t\t", group_names[g].name), ",");
				buf_puts(b, c->name);
			}
		buf_end_line(b, begin);
	}
}

/* Appends the names of options that few need, in lines of at most 79 columns. */
static void print_rare(struct buf *b)
{
	size_t line = b->len, begin;

	buf_puts(b, "\nRarely needed (see the manual): ");
	begin = b->len;
	for (const struct option_row *o = option_rows; o < option_rows + ARRAY_SIZE(option_rows);
	     o++) {
		if (!o->rare)
			continue;
		if (b->len > begin)
			buf_puts(b, ",");
		if (b->len - line + strlen(o->name) > 76) {
			buf_puts(b, "\n");
			line = b->len;
		} else if (b->len > begin) {
			buf_puts(b, " ");
		}
		buf_printf(b, "--%s", o->name);
	}
	buf_puts(b, ".    -h, --help; -v, --version.\nManual: man turbostat\n");
}

static void print_usage(struct buf *b)
{
	buf_puts(b, "Usage: turbostat [OPTION]... [COMMAND [ARGUMENT]...]\n\n"
		    "  sudo turbostat                how busy, fast and hot, every 5 seconds\n"
		    "  turbostat make -j8            what a command costs\n"
		    "  turbostat --view live         watch the machine; q quits\n"
		    "  turbostat --explain PkgWatt   where a number comes from,"
		    " or why it is missing\n");
	for (const struct option_row *o = option_rows; o < option_rows + ARRAY_SIZE(option_rows);
	     o++) {
		const char *name = pathf("%s %s", o->name, o->argument ? o->argument : "");

		if (o->group)
			buf_printf(b, "\n%s:\n", o->group);
		if (o->rare || !o->help)
			continue;
		buf_printf(b, o->letter ? "  -%c, " : "  ", o->letter);
		buf_printf(b, "--%-*s%s\n", o->letter ? 22 : 26, name, o->help);
	}
	print_rare(b);
}

/* Appends the completion script: options of the table, columns of --list. */
static void print_completion(struct buf *b)
{
	buf_puts(b, "# turbostat: completion for bash; zsh reads it by bashcompinit\n"
		    "_turbostat()\n{\n"
		    "\tlocal cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} words\n"
		    "\tlocal program=${COMP_WORDS[0]} home\n"
		    "\t[[ $cur != = ]] || cur=\n"
		    "\t[[ $prev != = ]] || prev=${COMP_WORDS[COMP_CWORD-2]}\n"
		    "\t[[ $cur != -* ]] || prev=\n"
		    "\tcase $prev in\n"
		    "\t-n|-N|-i|-T|--num*|--header*|--interval|--TCC) ;;\n"
		    "\t--pid|--fail|--control|--completion) ;;\n"
		    "\t-o|--out|--replay|--record)\n"
		    "\t\tcompopt -o filenames 2>/dev/null\n"
		    "\t\tCOMPREPLY=($(compgen -f -- \"$cur\"))\n\t\treturn ;;\n"
		    "\t--add) words='msr0x perf/ hwmon/ pmt' ;;\n"
		    "\t-c|--cpu) words='core package die l3 node' ;;\n"
		    "\t--per) words='package die l3 node module core type' ;;\n"
		    "\t--view) words='fit live wide' ;;\n"
		    "\t-H|-e|--show|--hide|--enable|--explain)\n"
		    "\t\thome=${program%%/*}\n"
		    "\t\tif [[ $home =~ ^~[A-Za-z0-9_-]*$ ]]; then eval \"home=$home\"; fi\n"
		    "\t\tprogram=$home${program#\"${program%%/*}\"}\n"
		    "\t\ttype \"$program\" &>/dev/null ||\n"
		    "\t\t\tIFS= read program <<<\"${program//[\\'\\\"]/}\"\n"
		    "\t\twords=$(\"$program\" --list --enable all 2>/dev/null | tr , ' ')\n"
		    "\t\t[[ $prev != --explain ]] || words+=' clock sleep energy'\n\t\twords+='");
	for (size_t g = 0; g < ARRAY_SIZE(group_names); g++)
		buf_printf(b, " %s", group_names[g].name);
	buf_puts(b, "' ;;\n\t*)\tcompopt -o filenames 2>/dev/null\n"
		    "\t\tCOMPREPLY=($(compgen -c -f -W '");
	for (size_t i = 0; i < ARRAY_SIZE(option_rows); i++)
		buf_printf(b, "--%s ", option_rows[i].name);
	buf_puts(b, "' -- \"$cur\"))\n\t\treturn ;;\n\tesac\n"
		    "\tcompopt -o nospace 2>/dev/null\n"
		    "\tCOMPREPLY=($(compgen -P \"${cur%\"${cur##*,}\"}\" -W \"$words\" -- "
		    "\"${cur##*,}\"))\n}\ncomplete -F _turbostat turbostat\n");
}

/* Appends the version line; the Makefile sets ADDRESS. */
static void print_version(struct buf *b)
{
	buf_printf(b, "turbostat version " VERSION " - independent implementation%s%s\n",
		   *ADDRESS ? ", " : "", ADDRESS);
}

/* --- the command line --- */

/* Refuses two formats at once. */
static void check_formats(void)
{
	const struct option_row *first = NULL;

	for (size_t i = 0; i < ARRAY_SIZE(option_rows); i++) {
		const struct option_row *o = &option_rows[i];

		if (!o->format || !is_given(o->name))
			continue;
		if (first)
			die("--%s and --%s exclude each other", o->name, first->name);
		first = o;
	}
}

/* Is it a verdict on runs, which --fail takes without a topic? */
static bool is_verdict_on_runs(const char *word)
{
	return (O.repeat || O.compare || O.replay) &&
	       (!strcmp(word, "limited") || !strcmp(word, "low"));
}

/* Checks the words of --fail: those of the topic's verdicts. */
static void check_verdicts(void)
{
	int n = 0;

	if (O.topic && O.ngates)
		die("--fail '%s' compares two sides, which --explain %s does not have",
		    O.gate[0].text, topics[O.topic].name);
	for (size_t i = 0; i < O.nverdicts && !O.topic; i++)
		if (!is_verdict_on_runs(O.verdict[i]))
			die("--fail: '%s' is not ROW>LIMIT or ROW<LIMIT, such as Pkg_J>2%%",
			    O.verdict[i]);
	if (!O.topic)
		return;
	while (topics[O.topic].words[n])
		n++;
	for (size_t i = 0; i < O.nverdicts; i++)
		parse_word("fail", O.verdict[i], topics[O.topic].words, n, "");
}

/* Checks for options that exclude or need each other, or have no effect. */
static void check_options(void)
{
	bool to_file = O.out && strcmp(O.out, "-"), live = O.look == LIVE;
	bool process = O.command || O.pid, runs = O.command && (O.compare || O.repeat);
	char **w = O.command;
	const struct { bool wrong; const char *message; } rules[] = {
		/* clang-format off */
		{ is_given("num_iterations") && !O.iterations && !O.topic, "--num_iterations: '0' is not a whole number from 1 to 4294967295" },
		{ live && (!outputs[O.format].text || O.repeat || O.compare), "--view live is for the table only, and not for --repeat or --compare" },
		{ live && process && !O.total, "--view live with a command or --pid needs --total" },
		{ O.stats && process && !O.total && !outputs[O.format].document, "--stats with a command or --pid needs --total: it is about intervals" },
		{ set_count(&O.cpus) && O.first_of, "--cpu: a list and core, package, die, l3 or node exclude each other" },
		{ O.pid && O.command, "--pid and a command exclude each other" },
		{ O.per != SYSTEM && O.first_of, "--per and --cpu of a unit exclude each other" },
		{ O.replay_other && !O.compare, "two --replay need --compare" },
		{ O.replay && O.command && (O.replay_other || !O.compare), "--replay and a command exclude each other" },
		{ O.compare && O.replay && !O.replay_other && !O.command, "--compare with a single --replay needs a command" },
		{ O.ngates && !O.compare, "--fail needs --compare" },
		{ O.repeat && !O.command, "--repeat needs a command" },
		{ O.idle > 0 && !O.command, "--idle needs a command" },
		{ (O.warmup || O.pre || O.post) && !runs, "--warmup, --pre and --post need --repeat or --compare with commands" },
		{ O.delay < 0 && !O.control && !O.replay, "--delay -1 needs --control" },
		{ O.control && !strcmp(O.control, "pipe") && !O.command, "--control pipe needs a command" },
		{ O.record && !strcmp(O.record, "-") && !to_file, "--record - needs --out FILE for the table" },
		{ O.append && !to_file, "--append needs --out FILE" },
		/* clang-format on */
	};

	if (O.command && is_given("interval") && !O.total && !O.quiet &&
	    !outputs[O.format].document)
		note(0, "--interval has no effect with a command unless --total is given");
	check_formats();
	check_verdicts();
	for (size_t i = 0; i < ARRAY_SIZE(option_rows); i++)
		for (const char *const *s = option_rows[i].excludes; *s; s++)
			if (O.given >> i & 1 && is_given(*s))
				die("--%s and --%s exclude each other", option_rows[i].name, *s);
	for (size_t i = 0; i < ARRAY_SIZE(rules); i++)
		if (rules[i].wrong)
			die("%s", rules[i].message);
	if (O.compare && !O.replay) {
		while (w && *w && strcmp(*w, "--"))
			w++;
		if (!w || !*w || w == O.command || !w[1])
			die("--compare needs two commands, or two --replay: --compare -- A -- B");
		*w = NULL;
		O.other = w + 1;
		if (!O.repeat)
			O.repeat = 10;
	}
	if (O.compare && O.repeat && O.repeat < 3)
		die("--compare needs at least 3 runs, not --repeat %llu", O.repeat);
	for (size_t i = 0; i < O.nadditions; i++)
		if (O.addition[i].way.kind == BY_MSR && O.no_msr)
			die("--add %s: MSRs cannot be read with --no-msr", O.addition[i].spec);
}

/* Returns the option of getopt's id, a letter or 256 + its row, or NULL. */
static const struct option_row *find_option(int id)
{
	for (size_t i = 0; i < ARRAY_SIZE(option_rows); i++)
		if (id == 256 + (int)i || (id && id == option_rows[i].letter))
			return &option_rows[i];
	return NULL;
}

/* Dies as an option has no argument, and the word behind it is none. */
static void refuse_argument(const char *option, const char *word)
{
	if (word && *word != '-')
		die("--%s takes no argument: '%s'", option, word);
}

/*
 * Dies with a message about the option in word that getopt refused: '?', or ':' without value;
 * next is the word behind it, or NULL.
 */
static __attribute__((noreturn)) void refuse_option(int refusal, const char *word, const char *next)
{
	const struct option_row *o = find_option(optopt);
	const char *given = optopt ? pathf("-%c", optopt) : word;
	const char *begin = given + strspn(given, "-");
	char *name = textf("%.*s", (int)strcspn(begin, "="), begin);
	struct guess g = { .word = name };
	struct buf several = { 0 };

	if (o && refusal == ':')
		die("option '--%s' needs a value: %s", o->name, o->argument);
	if (o)
		die("option '--%s' takes no value: '%s'", o->name, word);
	for (size_t i = 0; i < ARRAY_SIZE(option_rows); i++) {
		if (text_after(option_rows[i].name, name))
			buf_printf(&several, several.len ? ", --%s" : "--%s", option_rows[i].name);
		consider(&g, option_rows[i].name);
	}
	if (several.len && *name && begin - given < 3)
		die("option '%s' is ambiguous: %s%s", given, several.p,
		    !strcmp(name, "p") && next && isdigit((u8)*next)
			    ? pathf(" (for a process: --pid %s)", next) : "");
	die("unknown option '%s'%s (try --help)", given, guess_text(&g, "--"));
}

/* Applies an option.  next, the word behind it, may be the rest of a list with a blank. */
static void apply_option(const struct option_row *o, const char *arg, const char *next)
{
	struct buf b = { 0 };

	O.given |= 1ull << (o - option_rows);
	if (arg && !*arg)
		die("option '--%s' needs a value: %s, not ''", o->name, o->argument ?: "COLUMN");
	if (o->parse && arg && next && (arg[strlen(arg) - 1] == ',' || *next == ','))
		die("'%s %s': write lists without blanks", arg, next);
	if (o->flag)
		*o->flag = true;
	if (o->text)
		*o->text = arg;
	if (o->number || o->seconds)
		set_number(o, arg);
	if (o->format)
		O.format = o->format;
	if (o->parse && arg)
		o->parse(o, arg);
	if (!o->question)
		return;
	if (*o->name == 'h')
		refuse_argument(o->name, next);
	if (arg && strcmp(arg, "bash"))
		die("no completion for %s; bash, and zsh with bashcompinit", arg);
	(*o->name == 'h' ? print_usage : *o->name == 'c' ? print_completion : print_version)(&b);
	/* scripts expect the version on standard error */
	if (fputs(b.p, *o->name == 'v' ? stderr : stdout) < 0 || fflush(NULL))
		die("standard output: %s", strerror(errno));
	exit(0);
}

/* The rows of option_rows[] in the form that getopt_long_only(3) needs. */
struct option_lists {
	struct option names[(1 + ARRAY_SIZE(option_rows->alias)) * ARRAY_SIZE(option_rows) + 1];
	char letters[2 * ARRAY_SIZE(option_rows) + 3];
};

static void list_options(struct option_lists *l)
{
	struct option *name = l->names;
	char *letter = l->letters + sprintf(l->letters, "+:");

	for (size_t i = 0; i < ARRAY_SIZE(option_rows); i++) {
		const struct option_row *o = &option_rows[i];
		int has_argument = o->parse ? optional_argument : no_argument;
		int id = 256 + (int)i;

		if (o->argument)
			has_argument = required_argument;
		*name++ = (struct option){ o->name, has_argument, NULL, id };
		for (size_t k = 0; k < ARRAY_SIZE(o->alias) && o->alias[k]; k++)
			*name++ = (struct option){ o->alias[k], has_argument, NULL, id };
		if (o->letter)
			letter += sprintf(letter, o->argument ? "%c:" : "%c", o->letter);
	}
	*name = (struct option){ 0 };
}

/* Sets what follows from the options that were given. */
static void derive_options(void)
{
	bool page_of_run = outputs[O.format].document && (O.command || O.pid);

	if (O.topic) {
		if (!is_given("num_iterations"))
			O.iterations = 1;
		O.total = false;
	}
	if (((O.topic && O.topic != ENERGIES) || page_of_run) && !is_given("interval"))
		O.interval = 1;
	O.lists = O.list || (O.explain && !O.topic) || O.dump;
	if (O.list || O.dump)
		O.quiet = true;
	/* objects of answers follow that of the system, as others do */
	if (O.explain && !(O.topic && outputs[O.format].header == WITHIN))
		O.quiet = true;
	if (O.dump)
		O.no_perf = true;
	if (is_given("header_iterations") && !O.header_every)
		O.header_every = UINT64_MAX;	/* once */
}

static void parse_options(int argc, char **argv)
{
	const struct option_row *explain = option_rows;
	struct option_lists lists = { 0 };
	int id;

	while (explain->flag != &O.explain)
		explain++;
	list_options(&lists);
	opterr = 0;
	while (optind < argc) {
		while ((id = getopt_long_only(argc, argv, lists.letters, lists.names, NULL)) >= 0) {
			if (id == '?' || id == ':')
				refuse_option(id, argv[optind - 1], argv[optind]);
			apply_option(find_option(id), optarg, argv[optind]);
		}
		if (optind == argc || !O.explain || O.topic)
			break;
		parse_subject(explain, argv[optind++]);
	}
	O.command = optind < argc ? argv + optind : NULL;
	if (O.list)
		refuse_argument("list", argv[optind]);
	derive_options();
	check_options();
}

/* Sets the options for the replay of A of --compare, without what is for B alone. */
static void begin_baseline(void)
{
	O.is_baseline = O.quiet = true;
	O.command = NULL;
	O.out = O.pre = O.post = NULL;
	O.idle = 0;
	O.replay_other = O.replay;
}

/* Sets the options for B, from those of the command line; runs: how many A has. */
static void end_baseline(const struct options *given, u64 runs)
{
	O = *given;
	O.quiet |= !O.command;
	O.replay = O.replay_other;
	if (!O.repeat && !O.replay)
		O.repeat = runs;
}

/* ======================================================================== *
 * 25. RUNS
 *
 * Statistics of several runs or intervals, what the clock was limited by, and how they are printed.
 * Calls BASE, ROWS, MATH, PRINT, FORMATS, ANSWERS and OPTIONS.
 * ======================================================================== */

/* --- statistics --- */

struct statistic {		/* of known values */
	u64 n;
	double mean, squares;	/* the sum of squared distances from the mean (Welford) */
	double min, max;
};

static void add_value(struct statistic *s, double v)
{
	double from_mean = v - s->mean;

	if (v != v)
		return;
	if (!s->n++)
		s->min = s->max = v;
	s->mean += from_mean / (double)s->n;
	s->squares += from_mean * (v - s->mean);
	s->min = v < s->min ? v : s->min;
	s->max = v > s->max ? v : s->max;
}

enum { EARLY = 100 };		/* up to this many values, the percentile is exact */

struct percentile {		/* the 95th */
	double early[EARLY];	/* the first values, sorted */
	u32 *bin;		/* [upper 17 bits of a float, in order] values near it */
};

/* Adds value number n. */
static void add_to_percentile(struct percentile *p, u64 n, double v)
{
	union { float f; u32 bits; } x = { (float)v };
	u32 order = x.bits >> 31 ? -x.bits : x.bits | 1u << 31;	/* as the values are ordered */
	u64 k = n - 1;

	if (!p->bin)
		p->bin = zeroed(1 << 17, sizeof(*p->bin));
	p->bin[(order + (1 << 14)) >> 15]++;
	if (n > EARLY)
		return;
	for (; k > 0 && p->early[k - 1] > v; k--)
		p->early[k] = p->early[k - 1];
	p->early[k] = v;
}

/* Returns the 95th percentile of n values by nearest rank; above EARLY rounded to 0.2 %. */
static double find_percentile(const struct percentile *p, u64 n)
{
	u64 rank = (n * 95 + 99) / 100, seen = 0;
	union { u32 bits; float f; } x;
	u32 order = 0;

	if (n <= EARLY)
		return n ? p->early[rank - 1] : NaN;
	while ((seen += p->bin[order >> 15]) < rank)
		order += 1 << 15;
	x.bits = order >> 31 ? order ^ 1u << 31 : -order;
	return (double)x.f;
}

/* Returns the square root of v >= 0, or NaN; there is no libm. */
static double square_root(double v)
{
	__asm__("fsqrt" : "+t"(v));
	return v;
}

/* Returns Student's t for 95 %; between whole degrees of freedom linear in 1/df. */
static double t95(double df)
{
	static const double t[] = {
		12.7062, 4.30265, 3.18245, 2.77645, 2.57058, 2.44691, 2.36462, 2.30600,
		2.26216, 2.22814, 2.20099, 2.17881, 2.16037, 2.14479, 2.13145, 2.11991,
		2.10982, 2.10092, 2.09302, 2.08596, 2.07961, 2.07387, 2.06866, 2.06390,
		2.05954, 2.05553, 2.05183, 2.04841, 2.04523, 2.04227, 2.03951
	};
	int whole = (int)df;

	if (df > 30)
		return 1.96 + 2.4 / df;
	if (df <= 1)
		return t[0];
	return t[whole - 1] + (t[whole] - t[whole - 1]) * (df - whole) * (whole + 1) / df;
}

/* Returns the error of the mean, scaled by a factor. */
static struct error { double variance, freedom; } error_of(const struct statistic *s, double factor)
{
	double n = (double)s->n;

	return (struct error){ s->n < 2 ? NaN : factor * factor * s->squares / (n - 1) / n, n - 1 };
}

/* Returns the standard error of the mean; NaN for fewer than two values. */
static double standard_error(const struct statistic *s)
{
	return square_root(error_of(s, 1).variance);
}

/* Returns half the 95 % interval of a sum of independent errors (Welch-Satterthwaite), or NaN. */
static double half_width(const struct error *e, int n)
{
	double variance = 0, parts = 0;

	for (int i = 0; i < n; i++) {
		variance += e[i].variance;
		if (e[i].variance > 0)
			parts += e[i].variance * e[i].variance / e[i].freedom;
	}
	return variance > 0 ? t95(variance * variance / parts) * square_root(variance) : variance;
}

/* --- quantities --- */

struct quantity {		/* a row of the tables below */
	enum { TIMES, COLUMN, SHARE, PRODUCT } of;	/* SHARE: by enum share; PRODUCT: EDP */
	const char *name, *symbol, *key;	/* key: in JSON and CSV */
	const struct column *column;	/* NULL = not a column */
	bool blank;		/* not printed: it has no mean */
	int decimals;		/* if the standard error is not known */
	struct statistic side[2];	/* A and B; without --compare A only */
	struct percentile p95;	/* for --stats */
	struct statistic difference;	/* B - A of pairs */
	double now[2];		/* newest values; NaN = not known */
	double idle_now[2], idle[2]; /* seconds of idle energy subtracted: newest, mean */
};

struct runs {
	enum { ALONE, PAIRS, RECORDINGS, INTERVALS } of;	/* ALONE: not compared */
	/* seconds, user, sys, maxrss; columns; OWN; EDP if Pkg_J is shown */
	struct quantity *quantity;
	int n;
	bool brief;		/* on a terminal: only is_usual() quantities */
	int first_share;		/* index of the first SHARE quantity */
	struct side {		/* A and B; without --compare A only */
		char **command;		/* NULL = a recording */
		const char *recording;	/* its name, or NULL */
		unsigned counted, failed;
		struct statistic idle;	/* idle power, W */
		struct clock_tally {	/* how the clock was judged, in runs */
			unsigned runs, judged, limited, low, unknown, unmeasured;
			struct tallied { char *name; unsigned n; } *cause;
			size_t ncauses;
		} clock;
	} side[2];
	int cpus;		/* measured in the newest run */
	i64 end;		/* of the newest values, CLOCK_REALTIME in ns */
	int status;		/* of the first failed run */
	u64 processor;		/* vendor, number of CPUs, family and model */
};
enum { Q_SECONDS, Q_USER, Q_SYS, Q_MAXRSS };

static struct quantity *add_quantity(struct runs *r, int of, const char *name, const char *unit,
				     int decimals)
{
	struct quantity *q = append(r->quantity, r->n);

	*q = (struct quantity){ of, name, unit, name, .decimals = decimals, .now = { NaN, NaN },
				.blank = r->of == INTERVALS && r->n > 1 };
	return q;
}

static const struct quantity *find_quantity(const struct runs *r, const char *name)
{
	for (const struct quantity *q = r->quantity; q < PAST(r->quantity, r->n); q++)
		if (!q->blank && !strcmp(q->name, name))
			return q;
	return NULL;
}

static void list_quantities(struct runs *r)
{
	add_quantity(r, TIMES, "seconds", "s", 3);
	add_quantity(r, TIMES, "user", "s", 3);
	add_quantity(r, TIMES, "sys", "s", 3);
	add_quantity(r, TIMES, "maxrss", "KiB", 0)->key = "maxrss_kib";
	for (int i = 0; i < P.nshown; i++) {
		const struct column *c = P.shown[i];
		struct quantity *q;

		if (c->formula == V_ID)
			continue;
		q = add_quantity(r, COLUMN, c->key, c->symbol, c->format == DECIMALS_2 ? 2 : 0);
		q->column = c;
		q->blank = is_plain(c) || (is_integer(c->format) && c->format != INTEGER &&
					   c->format != UNSIGNED);
	}
	r->first_share = r->n;
	for (enum share k = 0; k < NSHARES && P.has_share_fields; k++)
		add_quantity(r, SHARE, share_names[k], k == OTHERS ? "%" : "J", k == OTHERS ? 0 : 2)
			->blank |= k != OTHERS && !knows_idle();
	if (find_quantity(r, "Pkg_J") && r->of != INTERVALS)
		add_quantity(r, PRODUCT, "EDP", "J s", 3);
}

/* Stores the values of a run's or interval's summary as newest. */
static void collect_values(struct runs *r, int side, const struct interval *iv)
{
	const struct quantity *joules = find_quantity(r, "Pkg_J");
	struct view all = view_all(iv);

	r->end = iv->new->t.end.real;
	for (struct quantity *q = r->quantity; q < PAST(r->quantity, r->n); q++)
		q->now[side] = q->of == PRODUCT		  ? joules->now[side] * iv->seconds
			       : q->column && !q->blank ? cell_number(&all, q->column) : NaN;
	r->quantity[Q_SECONDS].now[side] = iv->seconds;
}

/* Adds the newest values to the statistics; of pairs only values that both sides have. */
static void count_values(struct runs *r)
{
	r->side[0].counted += r->of == INTERVALS;
	for (struct quantity *q = r->quantity; q < PAST(r->quantity, r->n); q++) {
		double difference = q->now[1] - q->now[0];

		if (r->of == PAIRS && difference != difference)
			continue;
		add_value(&q->side[0], q->now[0]);
		add_value(&q->side[1], q->now[1]);
		add_value(&q->difference, difference);
		for (int i = 0; i < 2; i++)
			if (q->now[i] == q->now[i])
				q->idle[i] += (q->idle_now[i] - q->idle[i]) / (double)q->side[i].n;
		if (r->of == INTERVALS && q->now[0] == q->now[0])
			add_to_percentile(&q->p95, q->side[0].n, q->now[0]);
	}
}

/* --- numbers about a quantity --- */

enum measure {
	M_MEAN, M_CI95, M_SD, M_MIN, M_P95, M_MAX,
	M_A, M_B, M_DIFF, M_DIFF_LOW, M_DIFF_HIGH, NMEASURES
};
enum { OF_RUNS = 1 << ALONE, OF_INTERVALS = 1 << INTERVALS, OF_EITHER = OF_RUNS | OF_INTERVALS,
       COMPARED = 1 << PAIRS | 1 << RECORDINGS };

/* Title in the table, type and name of the CSV line, key in JSON. */
static const struct { unsigned of; const char *title, *line, *name, *key; } measures[] = {
	[M_MEAN] = { OF_EITHER, "mean", "mean", "", "mean" },
	[M_CI95] = { OF_RUNS, "+-95% ", "ci95", "", "ci95" },
	[M_SD] = { OF_EITHER, "sd", "sd", "", "sd" },
	[M_MIN] = { OF_EITHER, "min", "min", "", "min" },
	[M_P95] = { OF_INTERVALS, "p95", "p95", "", "p95" },
	[M_MAX] = { OF_EITHER, "max", "max", "", "max" },
	[M_A] = { COMPARED, "A", "mean", "A", "a" },
	[M_B] = { COMPARED, "B", "mean", "B", "b" },
	[M_DIFF] = { COMPARED, "B-A", "diff", "", "diff" },
	[M_DIFF_LOW] = { COMPARED, "95 % interval", "diff_low", "", NULL },
	[M_DIFF_HIGH] = { COMPARED, NULL, "diff_high", "", NULL },
};

/* Is a measure one of these statistics: of runs, of intervals, of a comparison? */
static bool has_measure(const struct runs *r, enum measure m)
{
	return measures[m].of >> r->of & 1;
}

/* Computes all measures of a quantity; NaN = not known. */
static void find_measures(const struct runs *r, const struct quantity *q, double v[NMEASURES])
{
	const struct statistic *a = &q->side[0], *b = &q->side[1];
	bool pairs = r->of == PAIRS;
	struct error e[4] = { error_of(pairs ? &q->difference : a, 1) };
	double half;

	if (r->of == RECORDINGS)
		e[1] = error_of(b, 1);
	for (int i = 0; i < 2; i++)	/* pairs share one idle power */
		if (q->idle[i] > 0)
			e[2 + i] = error_of(&r->side[i].idle, !pairs ? q->idle[i]
						     : i ? 0 : q->idle[1] - q->idle[0]);
	if (r->of == ALONE && a->n == 1 && q->idle[0] > 0)	/* no other error is known */
		e[0] = e[1];
	half = half_width(e, 4);

	v[M_MEAN] = v[M_A] = a->n ? a->mean : NaN;
	v[M_B] = b->n ? b->mean : NaN;
	v[M_SD] = standard_error(a) * square_root((double)a->n);
	v[M_CI95] = half;
	v[M_MIN] = a->n ? a->min : NaN;
	v[M_P95] = r->of == INTERVALS ? find_percentile(&q->p95, a->n) : NaN;
	v[M_MAX] = a->n ? a->max : NaN;
	v[M_P95] = v[M_P95] > v[M_MAX] ? v[M_MAX] : v[M_P95] < v[M_MIN] ? v[M_MIN] : v[M_P95];
	v[M_DIFF] = v[M_B] - v[M_A];
	v[M_DIFF_LOW] = v[M_DIFF] - half;
	v[M_DIFF_HIGH] = v[M_DIFF] + half;
}

/* Differences of percentages and temperatures are in points, not in per cent. */
static bool has_points(const struct quantity *q)
{
	return !strcmp(q->symbol, "%") || !strcmp(q->symbol, "C");
}

/* Returns the factor that makes per cent of A's mean; NaN for points. */
static double percent_scale(const struct quantity *q)
{
	double mean = q->side[0].mean;

	return has_points(q) || mean == 0 ? NaN : 100 / (mean < 0 ? -mean : mean);
}

/* Returns the number of values, of two sides the smaller one. */
static u64 count_of(const struct runs *r, const struct quantity *q)
{
	u64 a = q->side[0].n, b = q->side[1].n;

	return !has_measure(r, M_B) || a < b ? a : b;
}

/* Is it time, load, clock, temperature, power, energy, or named by the user? */
static bool is_usual(const struct quantity *q)
{
	static const char *const usual[] = { "Busy%", "Bzy_MHz", "PkgTmp" };

	for (size_t i = 0; i < O.nselectors; i++)
		if (O.selector[i].verb == SHOW || !strcmp(O.selector[i].word, q->name))
			return true;
	return q->of == TIMES || *q->symbol == 'W' || *q->symbol == 'J' ||
	       (q->column && q->column->flags & ADDED) ||
	       find_word(q->name, usual, ARRAY_SIZE(usual)) >= 0;
}

/* Does the table have a row for this quantity? */
static bool is_told(const struct runs *r, const struct quantity *q)
{
	return !q->blank && (!r->brief || is_usual(q)) &&
	       (!(has_measure(r, M_B) || q->of == SHARE) || count_of(r, q));
}

/* B - A of a gate's row in the unit of its limit, 95 % interval; known: it can be judged. */
struct gate_result {
	double low, high;
	bool known, failed;
};

static struct gate_result judge_gate(const struct runs *r, const struct gate *g)
{
	const struct quantity *q = find_quantity(r, g->name);
	double v[NMEASURES], scale = g->percent ? percent_scale(q) : 1;
	struct gate_result o;

	find_measures(r, q, v);
	o.low = v[M_DIFF_LOW] * scale;
	o.high = v[M_DIFF_HIGH] * scale;
	o.known = o.low == o.low;
	if (g->sign == '>')
		o.failed = o.low > g->limit;
	else
		o.failed = o.high < g->limit;
	return o;
}

/* Dies as a gate's row does not exist. */
static __attribute__((noreturn)) void refuse_gate(const struct runs *r, const struct gate *g)
{
	struct guess guess = { .word = g->name };

	for (const struct quantity *q = r->quantity; q < PAST(r->quantity, r->n); q++)
		if (!q->blank)
			consider(&guess, q->name);
	die("--fail '%s': no row '%s' in %s%s", g->text, g->name,
	    r->side[0].recording ?: "what is measured",
	    guess.name ? pathf(" (did you mean %s?)", guess.name) : "");
}

/* Checks --fail, and at the end judges it: returns 3 if a gate failed, 1 if one is unknown. */
static int judge_gates(const struct runs *r, bool over)
{
	int status = 0;

	for (size_t i = 0; i < O.ngates; i++) {
		const struct gate *g = &O.gate[i];
		const struct quantity *q = find_quantity(r, g->name);
		struct gate_result o;

		if (!q)
			refuse_gate(r, g);
		if (has_points(q) == g->percent)
			die("--fail '%s': the limit of '%s' %s", g->text, g->name,
			    g->percent ? "must be without %" : "needs a %");
		if (!over)
			continue;
		o = judge_gate(r, g);
		if (!o.known) {
			say("--fail '%s' cannot be judged: %s", g->text,
			    g->percent && q->side[0].mean == 0 ? "A is 0"
							       : "the difference is not known");
			status = 1;
		} else if (o.failed) {
			say("--fail '%s': B-A is %+.2f ... %+.2f %s", g->text, o.low, o.high,
			    g->percent ? "%" : q->symbol);
			if (!status)
				status = 3;
		}
	}
	return status;
}

/* --- tables --- */

/* Returns the decimals of a mean down to its standard error, at most two more than its column's. */
static int decimals_for(const struct quantity *q, double error)
{
	int n = 0;

	if (!(error > 0))
		return q->decimals;
	for (; error < 1 && n < q->decimals + 2; n++)
		error *= 10;
	return n;
}

/* Appends a row; "-" is unknown, "~" means that the interval of B-A contains 0. */
static void print_quantity(struct buf *b, const struct runs *r, const struct quantity *q)
{
	double error[2] = { r->of == INTERVALS ? NaN : standard_error(&q->side[0]),
			    standard_error(&q->side[1]) };
	double v[NMEASURES], scale = percent_scale(q);
	const char *sign = scale == scale ? "%" : "";
	int shown = *sign ? 1 : decimals_for(q, error[error[1] > error[0]]);

	find_measures(r, q, v);
	scale = *sign ? scale : 1;
	buf_puts(b, q->name);
	for (enum measure m = 0; m < NMEASURES; m++) {
		int decimals = decimals_for(q, error[m == M_B]);

		if (!has_measure(r, m) || !measures[m].title)
			continue;
		if (v[m] != v[m] || (m == M_DIFF && v[M_DIFF_LOW] != v[M_DIFF_LOW]))
			buf_puts(b, "\t-");
		else if (m == M_CI95)
			buf_printf(b, "\t%.*f%s", *sign ? 2 : decimals, v[m] * scale,
				   *sign ? sign : " ");
		else if (m == M_DIFF && !(v[M_DIFF_LOW] > 0) && !(v[M_DIFF_HIGH] < 0))
			buf_puts(b, "\t~");
		else if (m == M_DIFF)
			buf_printf(b, "\t%+.*f%s", shown, v[m] * scale, sign);
		else if (m == M_DIFF_LOW)
			buf_printf(b, "\t%+.*f%s ... %+.*f%s", shown, v[m] * scale, sign, shown,
				   v[M_DIFF_HIGH] * scale, sign);
		else
			buf_printf(b, "\t%.*f", decimals, v[m]);
	}
	buf_printf(b, "\t%s", q->symbol);
}

/* Appends the title: number of runs or (0: as counted) intervals, commands or recordings. */
static void print_sides(struct buf *b, const struct runs *r, u64 drawn)
{
	static const char *const kinds[] = { "run", "pair", "run", "interval" };
	bool compares = has_measure(r, M_B);

	for (int i = 0; i < (r->of == RECORDINGS ? 2 : 1); i++) {
		u64 n = r->of == PAIRS ? count_of(r, r->quantity) : r->side[i].counted;

		if (drawn)
			n = drawn;

		buf_printf(b, "%s%llu %s%s", i ? " and " : "turbostat: ", n, kinds[r->of],
			   n == 1 ? "" : "s");
	}
	for (const struct side *side = r->side; side <= r->side + compares; side++) {
		if (compares)
			buf_puts(b, side > r->side ? "  B:" : "\n  A:");
		else if (side->command && *side->command)
			buf_puts(b, " of");
		for (char *const *w = side->command; w && *w; w++)
			buf_printf(b, " %s", *w);
		if (side->recording)
			buf_printf(b, " %s", side->recording);
		buf_printf(b, side->failed ? ", %u failed\n" : "\n", side->failed);
	}
}

/* --- how the clock was judged --- */

/* Counts a name once more. */
static void tally_cause(struct clock_tally *t, const char *name, unsigned n)
{
	size_t i = 0;

	while (i < t->ncauses && strcmp(t->cause[i].name, name))
		i++;
	if (i == t->ncauses)
		*append(t->cause, t->ncauses) = (struct tallied){ textf("%s", name), 0 };
	t->cause[i].n += n;
}

/* Judges the clock of a run. */
static void tally_clock(struct clock_tally *t, const struct interval *iv)
{
	struct inquiry a SCOPED(inquiry) = { .iv = iv };

	answer_clock(&a);
	t->runs++;
	t->limited += !strcmp(a.word, "limited");
	t->low += !strcmp(a.word, "low");
	t->unknown += !strcmp(a.word, "unknown");
	t->unmeasured += !strcmp(a.word, "unmeasured");
	t->judged += !strcmp(a.word, "limited") || !strcmp(a.word, "low") ||
		     !strcmp(a.word, "high");
	if (strcmp(a.word, "limited"))
		return;
	for (size_t i = 0; i < a.n[BECAUSE]; i++) {
		size_t first = 0;	/* a name can hold in several packages */

		while (strcmp(a.list[BECAUSE][first]->name, a.list[BECAUSE][i]->name))
			first++;
		if (first == i)
			tally_cause(t, a.list[BECAUSE][i]->name, 1);
	}
}

/* Appends "3 of 10 runs", or of two sides "0 of 10 runs of A, 3 of 10 of B". */
static void print_tally(struct buf *b, const struct runs *r, size_t member)
{
	bool compares = has_measure(r, M_B);

	for (const struct side *s = r->side; s <= r->side + compares; s++) {
		unsigned n = *(const unsigned *)(const void *)((const char *)&s->clock + member);

		buf_printf(b, s > r->side ? ", %u of %u of B" : "%u of %u runs", n, s->clock.runs);
		if (compares && s == r->side)
			buf_puts(b, " of A");
	}
}

/* Appends in how many runs the clock was limited, and by what; then the settings. */
static void print_clocks(struct buf *b, const struct runs *r)
{
	const struct clock_tally *x = &r->side[0].clock, *y = &r->side[1].clock;
	bool compares = has_measure(r, M_B);
	unsigned runs = x->runs + (compares ? y->runs : 0);
	unsigned judged = x->judged + (compares ? y->judged : 0);
	unsigned limited = x->limited + (compares ? y->limited : 0);
	unsigned low = x->low + (compares ? y->low : 0);
	unsigned unmeasured = x->unmeasured + (compares ? y->unmeasured : 0);
	struct clock_tally both = { 0 };

	if (!runs || is_given("quiet") || r->of == INTERVALS)
		return;
	buf_puts(b, "clock: ");
	if (unmeasured == runs) {
		buf_puts(b, "judged in ");
		print_tally(b, r, offsetof(struct clock_tally, judged));
		buf_puts(b, ": the clock cannot be measured here\n");
		print_settings(b);
		return;
	}
	buf_puts(b, limited ? "limited in " : "limited in no run");
	if (limited)
		print_tally(b, r, offsetof(struct clock_tally, limited));
	for (const struct side *s = r->side; s <= r->side + compares; s++)
		for (size_t i = 0; i < s->clock.ncauses; i++)
			tally_cause(&both, s->clock.cause[i].name, s->clock.cause[i].n);
	for (size_t i = 0; i < both.ncauses; i++) {
		buf_printf(b, "%s%s in %u", i ? ", " : ": ", both.cause[i].name, both.cause[i].n);
		free(both.cause[i].name);
	}
	free(both.cause);
	if (low) {
		buf_puts(b, "; low in ");
		print_tally(b, r, offsetof(struct clock_tally, low));
		buf_puts(b, ", no cause was found");
	}
	if (judged < runs) {
		buf_puts(b, "; judged in ");
		print_tally(b, r, offsetof(struct clock_tally, judged));
	}
	buf_puts(b, "\n");
	print_settings(b);
}

static void json_clock_tally(struct buf *b, const struct clock_tally *t)
{
	json_key(b, "clock");
	buf_puts(b, "{");
	json_named_number(b, "runs", t->runs);
	json_named_number(b, "judged", t->judged);
	json_named_number(b, "limited", t->limited);
	json_named_number(b, "low", t->low);
	json_key(b, "causes");
	buf_puts(b, "{");
	for (size_t i = 0; i < t->ncauses; i++)
		json_named_number(b, t->cause[i].name, t->cause[i].n);
	buf_puts(b, "}}");
}

/* How many runs of a side have a verdict that --fail names. */
static unsigned count_verdict(const struct side *s, const char *word)
{
	return !strcmp(word, "limited") ? s->clock.limited : s->clock.low;
}

/* Has a gate of a word failed?  Unless one has: is it not known, as some runs are not judged? */
static bool word_fails(const struct runs *r, const char *word)
{
	return count_verdict(&r->side[0], word) ||
	       (has_measure(r, M_B) && count_verdict(&r->side[1], word));
}

static unsigned count_unjudged(const struct runs *r, unsigned *runs)
{
	unsigned n = 0;

	*runs = 0;
	for (const struct side *s = r->side; s <= r->side + has_measure(r, M_B); s++) {
		n += s->clock.unknown + s->clock.unmeasured;
		*runs += s->clock.runs;
	}
	return n;
}

/* The status by the words of --fail: 3 if a run has such a verdict; 1 if one cannot be judged. */
static int judge_run_words(const struct runs *r)
{
	unsigned runs, unjudged = count_unjudged(r, &runs);

	for (size_t i = 0; i < O.nverdicts; i++) {
		if (!word_fails(r, O.verdict[i]))
			continue;
		say("--fail %s: the clock was %s in %u of %u runs", O.verdict[i], O.verdict[i],
		    count_verdict(&r->side[0], O.verdict[i]) +
		    (has_measure(r, M_B) ? count_verdict(&r->side[1], O.verdict[i]) : 0), runs);
		return 3;
	}
	if (!O.nverdicts || (runs && !unjudged))
		return 0;
	say("--fail: cannot be judged: unknown in %u of %u runs", unjudged, runs);
	return 1;
}

/* Appends the table of --repeat, --compare or --stats, with TABs between cells. */
static void list_statistics(struct buf *text, const struct runs *r)
{
	bool counted = false;

	for (const struct quantity *q = r->quantity; q < PAST(r->quantity, r->n); q++)
		counted |= is_told(r, q) && count_of(r, q) &&
			   count_of(r, q) != count_of(r, r->quantity);
	for (enum measure m = 0; m < NMEASURES; m++)
		if (has_measure(r, m) && measures[m].title)
			buf_printf(text, "\t%s", measures[m].title);
	buf_puts(text, counted ? "\tunit\tn\n" : "\tunit\n");
	for (const struct quantity *q = r->quantity; q < PAST(r->quantity, r->n); q++) {
		if (!is_told(r, q))
			continue;
		print_quantity(text, r, q);
		if (counted)
			buf_printf(text, "\t%llu", count_of(r, q));
		buf_puts(text, "\n");
	}
}

/* Appends title and table; numbers are right-aligned. */
static void print_statistics(struct buf *b, const struct runs *r)
{
	int widest[NMEASURES + 3] = { 0 };
	struct screen t = { 0 };
	struct buf text SCOPED(buf) = { 0 };

	print_sides(b, r, 0);
	list_statistics(&text, r);
	cut_table(&t, text.p);
	for (int i = 0; i < t.rows * t.nfields; i++)
		if ((int)strlen(t.cell[i]) > widest[i % t.nfields])
			widest[i % t.nfields] = (int)strlen(t.cell[i]);
	for (int i = 0; i < t.rows * t.nfields; i++) {
		int f = i % t.nfields, width = widest[f];
		bool last = f == t.nfields - 1;

		if (!f || !strcmp(t.cell[f], "unit"))
			width = last ? 0 : -width;
		buf_printf(b, "%s%*s%s", f ? "  " : "", width, t.cell[i], last ? "\n" : "");
	}
	if (has_measure(r, M_B) && count_of(r, r->quantity))
		buf_puts(b, "at this confidence, about one line in 20 differs by chance\n");
	print_clocks(b, r);
	free(t.cell);
}

/* --- objects and lines --- */

/* Appends a key and [low,high], or null. */
static void json_range(struct buf *b, const char *key, double low, double high)
{
	json_key(b, key);
	if (low == low) {
		buf_puts(b, "[");
		print_decimal(b, low);
		buf_puts(b, ",");
		print_decimal(b, high);
	}
	buf_puts(b, low == low ? "]" : "null");
}

/* Appends an object for each quantity of a kind. */
static void json_quantities(struct buf *b, const struct runs *r, int kind)
{
	for (const struct quantity *q = r->quantity; q < PAST(r->quantity, r->n); q++) {
		double v[NMEASURES], scale = percent_scale(q);

		if ((int)q->of != kind || q->blank)
			continue;
		find_measures(r, q, v);
		json_next(b);
		quote_text(b, q->key, strlen(q->key), true);
		buf_puts(b, ":{");
		json_named_number(b, "n", (double)count_of(r, q));
		for (enum measure m = 0; m < NMEASURES; m++)
			if (has_measure(r, m) && measures[m].key)
				json_named_number(b, measures[m].key, v[m]);
		if (has_measure(r, M_DIFF)) {
			json_range(b, "ci95", v[M_DIFF_LOW], v[M_DIFF_HIGH]);
			json_named_number(b, "percent", v[M_DIFF] * scale);
			json_range(b, "percent_ci95", v[M_DIFF_LOW] * scale,
				   v[M_DIFF_HIGH] * scale);
		}
		buf_puts(b, "}");
	}
}

/* Appends what became of --fail, in the order given. */
static void json_gates(struct buf *b, const struct runs *r)
{
	/* what gates of words do not have */
	static const char *const unused[] = { "row", "limit", "percent", "low", "high" };

	buf_puts(b, ",\"gates\":[");
	for (size_t i = 0; i < O.ngates; i++) {
		const struct gate *g = &O.gate[i];
		struct gate_result o = judge_gate(r, g);

		json_next(b);
		buf_puts(b, "{");
		json_named_text(b, "gate", g->text);
		json_named_text(b, "row", g->name);
		json_named_number(b, "limit", g->limit);
		buf_puts(b, g->percent ? ",\"percent\":true" : ",\"percent\":false");
		json_named_number(b, "low", o.low);
		json_named_number(b, "high", o.high);
		json_key(b, "failed");
		if (o.known)
			buf_puts(b, o.failed ? "true" : "false");
		else
			buf_puts(b, "null");
		buf_puts(b, "}");
	}
	for (size_t i = 0; i < O.nverdicts; i++) {
		unsigned runs, unjudged = count_unjudged(r, &runs);
		bool fails = word_fails(r, O.verdict[i]);

		json_next(b);
		buf_puts(b, "{");
		json_named_text(b, "gate", O.verdict[i]);
		for (size_t k = 0; k < ARRAY_SIZE(unused); k++)
			json_named_text(b, unused[k], NULL);
		json_key(b, "failed");
		if (fails)
			buf_puts(b, "true}");
		else
			buf_puts(b, unjudged || !runs ? "null}" : "false}");
	}
	buf_puts(b, "]");
}

static void json_statistics(struct buf *b, const struct runs *r)
{
	json_type(b, r->of == ALONE ? "repeat" : r->of == INTERVALS ? "stats" : "compare");
	json_time(b, r->end);
	if (has_measure(r, M_B))
		buf_puts(b, r->of == PAIRS ? ",\"paired\":true" : ",\"paired\":false");
	for (const struct side *s = r->side; s <= r->side + has_measure(r, M_B); s++) {
		if (has_measure(r, M_B))
			buf_puts(b, s == r->side ? ",\"a\":{" : ",\"b\":{");
		if (s->command)
			json_words(b, s->command);
		else if (s->recording)
			json_named_text(b, "recording", s->recording);
		json_named_number(b, r->of == ALONE ? "runs" : "n",
				  s->counted + (r->of == ALONE ? s->failed : 0));
		if (r->of != INTERVALS)
			json_named_number(b, "failed", s->failed);
		if (r->of != INTERVALS)
			json_clock_tally(b, &s->clock);
		buf_puts(b, has_measure(r, M_B) ? "}" : "");
	}
	if (r->of != INTERVALS)
		json_settings(b);
	buf_puts(b, ",\"stats\":{");
	json_quantities(b, r, TIMES);
	json_quantities(b, r, SHARE);
	buf_puts(b, ",\"system\":{");
	json_quantities(b, r, COLUMN);
	buf_puts(b, r->of == INTERVALS ? "}}" : "},\"rows\":[]}");
	if (r->of != INTERVALS)
		json_gates(b, r);
	buf_puts(b, "}\n");
}

static void csv_statistics(struct buf *b, const struct runs *r)
{
	double v[NMEASURES];

	for (enum measure m = 0; m < NMEASURES; m++) {
		if (!has_measure(r, m))
			continue;
		find_measures(r, &r->quantity[Q_SECONDS], v);
		buf_printf(b, "%s,%s,%llu,,", measures[m].line, measures[m].name,
			   count_of(r, &r->quantity[Q_SECONDS]));
		csv_time(b, r->end, v[m]);
		csv_unit(b, &the_system);
		for (const struct quantity *q = r->quantity; q < PAST(r->quantity, r->n); q++) {
			find_measures(r, q, v);
			if (q->of == COLUMN || q->of == SHARE)
				csv_number(b, v[m]);
		}
		buf_puts(b, "\n");
	}
}

/* ======================================================================== *
 * 26. PICTURE
 *
 * --html: answers, charts and tables on one page, without scripts or other files.  Calls BASE,
 * SOURCES, MACHINE, FACTS, MATH, PRINT, FORMATS, EXPLAIN (for the sources of columns), ANSWERS and
 * RUNS.
 * Owns R.picture.  Invariant: its memory does not grow with the run.
 *
 * A plot is SVG and is stretched to its place: its x axis has 1000 units, and on its y axis a unit
 * is a pixel.  All text is HTML beside it, so that it has the same size in any window.  The
 * numbers on top are those of the statistics below; energy and clock are of the whole time.
 * ======================================================================== */

/* Most points of a curve, rows of the heat map, marks; packages that have curves of their own. */
enum { POINTS = 400, HEAT_ROWS = 256, MARKS = 100, MOST_CURVES = 8, MOST_PACKAGES = 8 };
/* The plot, in units of SVG; between names at the ends of curves, in pixels; colours. */
enum { WIDTH = 1000, HEIGHT = 150, APART = 15, COLORS = 8 };

#define SUSPENDED "suspended"	/* the name of its mark */

static const struct chart {
	const char *title, *unit;
	/* RATE: per second; BAND: from the slowest CPU to the fastest; HEAT: a map of the CPUs */
	enum { LINE, RATE, STACK, BAND, HEAT } kind;
	bool by_package;	/* the first quantity of several packages: a curve for each */
	const char *names[MOST_CURVES];	/* of quantities, from top to bottom; ends with NULL */
} charts[] = {
	{ "Duration", "s", LINE, false, { "seconds" } },	/* of runs */
	{ "Power", "W", LINE, true,
	  { "PkgWatt", "CorWatt", "GFXWatt", "RAMWatt", "SysWatt", "BatWatt" } },
	{ "Energy", "J", LINE, true, { "Pkg_J", "Cor_J", "GFX_J", "RAM_J", "Sys_J" } },
	{ "Clock while busy", "MHz", BAND, false, { "Bzy_MHz" } },
	{ "Load", "%", BAND, true, { "Busy%" } },
	{ "Temperature", "C", LINE, true, { "PkgTmp", "CoreTmp", "CcdTmp" } },
	{ "Load of each CPU", "%", HEAT, false, { "Busy%" } },
	{ "Idle states of cores", "%", STACK, false,
	  { "CPU%c7", "CPU%c6", "CPU%c3", "CPU%c1e", "CPU%c1" } },
	{ "Idle states of packages", "%", STACK, false,
	  { "Pk%pc10", "Pkg%pc9", "Pkg%pc8", "Pkg%pc7", "Pkg%pc6", "Pkg%pc3", "Pkg%pc2" } },
	{ "Interrupts", "1/s", RATE, false, { "IRQ", "NMI", "SMI" } },
};

struct picture {
	struct curve {
		const struct chart *chart;	/* NULL = a row of the heat map */
		const char *name;
		const struct quantity *of;	/* NULL = a level */
		int package;			/* its id; NONE = the summary */
		double level;
		int color;			/* a class of the style sheet */
		int side;			/* 1 = B of --compare: square dots */
		double highest;			/* of all intervals; NaN = unknown */
		/* of neighbouring intervals; seconds: the weight of the mean, 0 = unknown */
		struct point { double mean, low, high, seconds; } point[POINTS];
	} *curve;
	int n, heat;		/* heat: how many of the first curves are rows of the map */
	int *place, *package;	/* [CPU number] in the map, or NONE; [place] its package's id */
	int cpus, places;	/* the highest CPU number + 1; of the map */
	int packages;
	const struct quantity *power;	/* PkgWatt, or NULL */
	double most_watts;	/* its highest value that was drawn; NaN = unknown */
	/* point k lasts from at[k] to at[k + 1]: seconds since the first sample, or run +- 0.5 */
	double at[POINTS + 1];
	int points;
	u64 count, each;	/* intervals in all, in a point */
	struct mark { const char *name; double from, to; } mark[MARKS];	/* to < 0: not over */
	int marks;
	bool runs, ended;
	double base, turbo, celsius, watts;	/* levels: MHz, C, W of a package; NaN = unknown */
	const char *kernel;	/* its release, or NULL */
	i64 start, written;	/* CLOCK_REALTIME; CLOCK_MONOTONIC of the newest page */
	struct buf share, whole, regions;	/* parts of the page; own: what is the command's */
};

/* --- data --- */

/* Adds a value, unless it is NaN. */
static void add_to_point(struct point *p, struct point of)
{
	if (!(of.seconds > 0) || of.mean != of.mean)
		return;
	if (!(p->seconds > 0))
		*p = (struct point){ of.mean, of.low, of.high, 0 };
	p->seconds += of.seconds;
	p->mean += (of.mean - p->mean) * of.seconds / p->seconds;
	p->low = of.low < p->low ? of.low : p->low;
	p->high = of.high > p->high ? of.high : p->high;
}

/* Returns the point of the next interval or run; when all are used, merges them in pairs. */
static int next_point(struct picture *p, double end)
{
	bool is_new = !p->runs || !p->points || p->at[p->points] < end;	/* not B of a pair */

	if (p->points == POINTS && is_new && p->count % p->each == 0) {
		p->points /= 2;
		p->each *= 2;
		for (int k = 0; k < POINTS; k++) {
			p->at[k / 2 + 1] = p->at[k + 1];
			for (struct curve *s = p->curve; s < PAST(p->curve, p->n); s++) {
				struct point of = s->point[k];

				s->point[k] = (struct point){ 0 };
				add_to_point(&s->point[k / 2], of);
			}
		}
	}
	p->points += is_new && p->count++ % p->each == 0;
	p->at[p->points] = end;
	return p->points - 1;
}

/* Begins or ends a mark, a named span of time, at this number of seconds after the last point. */
static void add_mark(struct picture *p, const char *name, double seconds, bool begins)
{
	double at = p->at[p->points] + seconds;
	int i = p->marks;

	if (begins && i == MARKS)
		note(0, "--html: only the first %d regions are marked", MARKS);
	else if (begins)
		p->mark[p->marks++] = (struct mark){ textf("%s", name), at, -1 };
	while (!begins && i-- > 0)
		if (p->mark[i].to < 0 && !strcmp(p->mark[i].name, name)) {
			p->mark[i].to = at;	/* an interval may have the name of a region */
			break;
		}
}

/* Finds a quantity by the name of its column; one that --add has called so has another unit. */
static const struct quantity *find_drawn(const char *name)
{
	const struct quantity *q = R.course->quantity, *end = PAST(q, R.course->n);

	while (q < end && (q->blank || (q->column && q->column->flags & ADDED) ||
			   strcmp(q->column ? q->column->name : q->name, name)))
		q++;
	return q < end ? q : NULL;
}

/* The highest clock of one core, of all types and packages; NaN = unknown, or there is no turbo. */
static double highest_turbo(void)
{
	double most = NaN;

	for (int row = 0; row < M.n; row++) {
		double mhz = leads_unit(PACKAGE, row) || leads_unit(TYPE, row)
				     ? highest_mhz(row, 1).mhz : NaN;

		if (mhz > 0 && !(mhz <= most))
			most = mhz;
	}
	return lacks_turbo() ? NaN : most;
}

/* The power limit (pl1_watts, ...) that all packages have, in Watts; NaN: none, or they differ. */
static double common_limit(double (*limit)(int row))
{
	double watts = limit(M.row[M.main_cpu]);

	for (int row = 0; row < M.n; row++)
		if (leads_unit(PACKAGE, row) && limit(row) != watts)
			return NaN;
	return watts;
}

/*
 * Gives each CPU of the table its place in the heat map, in the order of the table, and after them
 * each CPU that is offline and may come, while the map has a row for each.
 */
static void place_cpus(struct picture *p)
{
	int offline;

	for (int row = 0; row < M.n; row++)
		p->cpus = M.cpu[row] < p->cpus ? p->cpus : M.cpu[row] + 1;
	p->place = zeroed((size_t)p->cpus, sizeof(*p->place));
	p->package = zeroed((size_t)p->cpus, sizeof(*p->package));
	for (int cpu = 0; cpu < p->cpus; cpu++)
		p->place[cpu] = NONE;
	for (int row = 0; row < M.n; row++)
		if (P.printed[row]) {
			p->package[p->places] = M.id[ID_PACKAGE][row];
			p->place[M.cpu[row]] = p->places++;
		}
	offline = p->cpus - M.n;
	for (int cpu = 0; cpu < p->cpus && p->places + offline <= HEAT_ROWS; cpu++)
		if (M.row[cpu] < 0) {
			p->place[cpu] = p->places++;
			offline--;
		}
	p->heat = p->places < HEAT_ROWS ? p->places : HEAT_ROWS;
	while (p->n < p->heat)
		*append(p->curve, p->n) = (struct curve){ .package = NONE, .highest = NaN };
}

/* Appends the curve of a summary, of --compare for each side; returns the next colour. */
static int add_summary(struct picture *p, const struct chart *c, const struct quantity *q,
		       int color)
{
	for (int side = 0; side <= (O.other != NULL); side++)
		*append(p->curve, p->n) =
			(struct curve){ c, q->name, q, NONE, 0, color % COLORS, side, NaN };
	return color + 1;
}

/* Appends a curve for each package; returns the next colour. */
static int add_packages(struct picture *p, const struct chart *c, const struct quantity *q)
{
	int color = 0;

	for (int row = 0; row < M.n; row++) {
		int id = M.id[ID_PACKAGE][row];

		if (!leads_unit(PACKAGE, row))
			continue;
		*append(p->curve, p->n) =
			(struct curve){ c, textf("package %d", id), q, id, 0, color % COLORS, 0,
					NaN };
		color++;
	}
	return color;
}

/* Lists the curves of a chart, and the levels to compare them with. */
static void add_chart(struct picture *p, const struct chart *c)
{
	const struct { const char *name, *unit; double at; } level[] = {
		{ "base", "MHz", p->base },
		{ "turbo", "MHz", p->turbo },
		{ "limit", "C", p->celsius },
		{ "limit", "W", p->packages > MOST_PACKAGES ? NaN : p->watts },
	};
	bool each = c->by_package && !p->runs && p->packages > 1 && p->packages <= MOST_PACKAGES;
	int first = p->n, color = 0;

	for (int i = 0; c->names[i]; i++) {
		const struct quantity *q = find_drawn(c->names[i]);

		if (q && each && p->n == first)
			color = add_packages(p, c, q);
		else if (q && !(each && !strcmp(c->unit, "C")))	/* each says more than all */
			color = add_summary(p, c, q, color);
	}
	for (size_t k = 0; k < ARRAY_SIZE(level) && p->n > first && !p->runs; k++)
		if (level[k].at > 0 && !strcmp(level[k].unit, c->unit))
			*append(p->curve, p->n) =
				(struct curve){ c, level[k].name, NULL, NONE, level[k].at };
}

/* Lists the curves: rows of the heat map, quantities, levels. */
static void picture_begin(UNUSED struct buf *b, const struct interval *iv)
{
	struct picture *p = R.picture = zeroed(1, sizeof(*p));
	const char *release = src_line("/proc/sys/kernel/osrelease");

	p->kernel = release ? textf("%s", release) : NULL;
	p->start = iv->new->t.end.real;
	p->each = 1;
	p->runs = R.course->of != INTERVALS;
	p->at[0] = p->runs ? 0.5 : 0;
	p->base = M.base_hz > 0 ? M.base_hz / 1e6 : NaN;
	p->turbo = highest_turbo();
	p->celsius = throttle_celsius(M.row[M.main_cpu]);
	p->watts = common_limit(pl1_watts);
	p->power = find_drawn("PkgWatt");
	p->most_watts = NaN;
	for (int row = 0; row < M.n; row++)
		p->packages += leads_unit(PACKAGE, row);
	if (!O.summary && !p->runs && find_drawn("Busy%"))
		place_cpus(p);
	for (const struct chart *c = charts + !p->runs; c < charts + ARRAY_SIZE(charts); c++)
		if (c->kind != HEAT || p->heat)
			add_chart(p, c);
}

/* A column's number in the unit of a row; NaN = unknown. */
static double unit_number(const struct interval *iv, const struct column *c, enum scope scope,
			  int row)
{
	struct view view = view_unit(iv, scope, row);
	union number n;

	return column_value(c, &view, &n) ? number_of(c->format, n) : NaN;
}

/* The newest value of a curve; NaN = unknown, or its package has gone. */
static double newest_value(const struct curve *s, const struct interval *iv)
{
	if (!s->of)
		return s->level;
	if (s->chart->kind == RATE)
		return iv->suspended ? NaN : s->of->now[s->side] / iv->seconds;
	if (s->package == NONE)
		return s->of->now[s->side];
	for (int row = 0; row < M.n; row++)
		if (leads_unit(PACKAGE, row) && M.id[ID_PACKAGE][row] == s->package)
			return unit_number(iv, s->of->column, PACKAGE, row);
	return NaN;
}

/* Adds the load of a CPU to its row of the heat map. */
static void add_heat(struct picture *p, int k, int row, struct point of)
{
	int cpu = M.cpu[row], place = cpu < p->cpus ? p->place[cpu] : NONE;

	if (place == NONE)
		return;
	p->package[place] = M.id[ID_PACKAGE][row];
	add_to_point(&p->curve[place * p->heat / p->places].point[k], of);
}

/* Adds an interval or run to a point of a curve; clock and load have values of CPUs, too. */
static void add_value_of(struct picture *p, struct curve *s, int k, const struct interval *iv)
{
	bool heat = s->chart->kind == HEAT;
	bool of_cpus = (s->chart->kind == BAND || heat) && s->of && !p->runs && s->package == NONE;
	double v = newest_value(s, iv), low = v, high = v;

	if (v == v && !(v <= s->highest))
		s->highest = v;
	for (int row = 0; row < M.n && of_cpus; row++) {
		double of_cpu;

		if (!P.printed[row] || !unit_was_there(iv, CPU, row))
			continue;
		of_cpu = unit_number(iv, s->of->column, CPU, row);
		low = of_cpu < low ? of_cpu : low;
		high = of_cpu > high ? of_cpu : high;
		if (heat)
			add_heat(p, k, row, (struct point){ of_cpu, of_cpu, of_cpu, iv->seconds });
	}
	add_to_point(&s->point[k], (struct point){ v, low, high, iv->seconds });
}

/* Adds an interval or run to the curves; one with a name is marked. */
static void draw_interval(struct picture *p, const struct interval *iv, const struct result *r)
{
	const char *name = p->runs ? NULL : iv->suspended ? SUSPENDED : r->name;
	int k;

	if (name)
		add_mark(p, name, 0, true);
	if (p->power && !r->run.status && p->power->now[0] == p->power->now[0] &&
	    !(p->power->now[0] <= p->most_watts))
		p->most_watts = p->power->now[0];
	k = next_point(p, p->runs ? r->run.number + 0.5 : p->at[p->points] + iv->seconds);
	for (int i = p->heat; i < p->n && !r->run.status; i++)
		if (p->curve[i].side == (O.other && r->name && *r->name == 'B'))
			add_value_of(p, &p->curve[i], k, iv);
	if (name)
		add_mark(p, name, 0, false);
}

/* Adds an interval or run to the curves; keeps the text of the whole time and of regions. */
static void picture_interval(UNUSED struct buf *b, const struct interval *iv,
			     const struct result *r)
{
	struct picture *p = R.picture;

	if (r->region) {
		print_table(&p->regions, iv, r);
		return;
	}
	if (!r->of_run && (r->command || r->total)) {
		for (enum share i = 0; i < NSHARES && r->command; i++)
			if (r->share[i] == r->share[i])
				buf_printf(&p->share, "; %s %.2f %s", share_names[i], r->share[i],
					   i == OTHERS ? "%" : "J");
		print_table(&p->whole, iv, &(struct result){ .names = true });
		return;
	}
	if (iv != &R.since) {
		draw_interval(p, iv, r);
	} else if (r->name) {	/* next_sample() has drawn its parts */
		add_mark(p, r->name, -iv->seconds, true);
		add_mark(p, r->name, 0, false);
	}
}

/* --- charts --- */

/* Returns a text without markup; the next call overwrites it. */
static const char *page_text(const char *text)
{
	static struct buf b;

	buf_clear(&b);
	buf_clean(&b, text, strlen(text), A_PAGE);
	return b.p ?: "";
}

/* The coordinates of low and high, and the distance of ticks. */
struct axis { double low, high; int from, to; double step; };

struct canvas {			/* a chart that is being drawn; its plot begins at 0, 0 */
	struct buf *b;
	const struct picture *p;
	const struct curve *from, *to;	/* its curves */
	bool by_run;		/* dots in place of lines */
	struct axis x, y;
	double unit;		/* of the x axis, in seconds */
	const char *unit_name;
	/* from the bottom to the top: where curves end, and their last value */
	struct end { double y, value; const struct curve *of; } end[2 * MOST_CURVES + 2];
	int ends;
};

/* Returns the coordinate of a value, within the plot. */
static double place(const struct axis *a, double v)
{
	double share = (v - a->low) / (a->high - a->low);

	share = share > 1 ? 1 : share;
	return a->from + (a->to - a->from) * (share < 0 ? 0 : share);
}

/* Finds the smallest step that gives at most `most` ticks: least times 1, 2, 5, 10, ... */
static void find_step(struct axis *a, double least, int most)
{
	a->step = least;
	for (int i = 0; a->step * most < a->high - a->low; i++)
		a->step *= i % 3 == 1 ? 2.5 : 2;
}

/* Is a curve of a quantity that was 0 all the time, so that it is named but not drawn? */
static bool was_zero(const struct quantity *q)
{
	const struct statistic *a = &q->side[0], *b = &q->side[1];

	return a->n && a->min == 0 && a->max == 0 && (!b->n || (b->min == 0 && b->max == 0));
}

static bool is_drawn(const struct curve *s)
{
	return !s->of || s->of->of != COLUMN || !was_zero(s->of);
}

/* Finds the axes.  Percentages end at 100. */
static void find_axes(struct canvas *c)
{
	const struct picture *p = c->p;
	double span = p->at[p->points] - p->at[0];
	bool stack = c->from->chart->kind == STACK && !c->by_run;

	c->x = (struct axis){ p->at[0], p->at[p->points], 0, WIDTH };
	c->x.high += c->x.high <= c->x.low;
	c->y = (struct axis){ 0, !strcmp(c->from->chart->unit, "%") ? 100 : 0, HEIGHT, 0 };
	for (const struct curve *s = c->from; s < c->to; s++) {
		if (s->level > c->y.high)
			c->y.high = s->level;
		for (const struct point *at = s->point; at < s->point + p->points; at++) {
			c->y.low = c->y.low < at->low ? c->y.low : at->low;
			c->y.high = c->y.high > at->high ? c->y.high : at->high;
		}
	}
	for (int k = 0; k < p->points && stack; k++) {
		double sum = 0;

		for (const struct curve *s = c->from; s < c->to; s++)
			sum += s->point[k].mean;
		c->y.high = c->y.high > sum ? c->y.high : sum;
	}
	c->y.high += c->y.high <= c->y.low;
	c->unit = p->runs || span < 180 ? 1 : span < 3 * 3600 ? 60 : 3600;
	c->unit_name = p->runs ? "run" : c->unit < 60 ? "s" : c->unit < 3600 ? "min" : "h";
	find_step(&c->y, 0.001, 4);
	find_step(&c->x, p->runs || c->unit > 1 ? c->unit : 0.001, 6);
}

/* Writes the labels of the y axis, above 99,999 in thousands, and draws its lines into a buffer. */
static void draw_y_axis(const struct canvas *c, struct buf *lines)
{
	bool large = c->y.high >= 1e5 && c->y.step >= 1e3;
	double v;

	buf_puts(c->b, "<div class='y'>");
	for (int i = (int)(c->y.low / c->y.step); v = i * c->y.step, v <= c->y.high; i++) {
		double y = place(&c->y, v);

		buf_printf(c->b, "<span style='top:%.0fpx'>%.7g%s</span>", y, large ? v / 1e3 : v,
			   large && i ? "k" : "");
		buf_printf(lines, "M0 %.1fH%d", y, WIDTH);
	}
	buf_puts(c->b, "</div>");
}

/* Writes the labels of the x axis, at round times or at runs; the last one has the unit. */
static void draw_x_axis(const struct canvas *c)
{
	double v;

	buf_puts(c->b, "<div class='x'>");
	for (int i = c->p->runs; v = i * c->x.step, v <= c->x.high; i++) {
		bool last = (i + 1) * c->x.step > c->x.high;

		buf_printf(c->b, "<span style='left:%.4g%%'>", place(&c->x, v) * 100 / WIDTH);
		if (c->p->runs)
			buf_printf(c->b, "%s%.7g</span>", i == 1 ? "run " : "", v);
		else
			buf_printf(c->b, "%.7g%s%s</span>", v / c->unit, last ? " " : "",
				   last ? c->unit_name : "");
	}
	buf_puts(c->b, "</div>");
}

/* Draws a span of time, however short, which shows its title under the pointer. */
static void draw_span(const struct canvas *c, double from, double to, const char *title)
{
	double left = place(&c->x, from), width = place(&c->x, to) - left + 0.1;

	buf_printf(c->b, "<rect x='%.1f' width='%.1f'><title>%s</title></rect>", left, width,
		   page_text(title));
}

/* When a mark ends, or is cut as it is not over. */
static double end_of_mark(const struct canvas *c, const struct mark *m)
{
	return m->to < 0 ? c->x.high : m->to;
}

/* A region of more than 90 % of the run is the run, and is not marked; a suspend always is. */
static bool is_marked(const struct canvas *c, const struct mark *m)
{
	return end_of_mark(c, m) - m->from <= 0.9 * (c->x.high - c->x.low) ||
	       !strcmp(m->name, SUSPENDED);
}

/* Draws the marks: regions, suspends, named intervals, with a line where each begins. */
static void draw_marks(const struct canvas *c)
{
	buf_puts(c->b, c->p->marks ? "<g class='m'>" : "");
	for (const struct mark *m = c->p->mark; m < c->p->mark + c->p->marks; m++) {
		double to = end_of_mark(c, m);

		if (!is_marked(c, m))
			continue;
		draw_span(c, m->from, to,
			  pathf("%s: %.3f to %.3f %s", m->name, m->from / c->unit, to / c->unit,
				c->unit_name));
		buf_printf(c->b, "<path class='v' d='M%.1f 0V%d'/>", place(&c->x, m->from), HEIGHT);
	}
	buf_puts(c->b, c->p->marks ? "</g>" : "");
}

/* Writes the names of marks, each in the room that it has before the next one: see the style. */
static void draw_mark_names(const struct canvas *c)
{
	const struct mark *end = c->p->mark + c->p->marks;

	buf_puts(c->b, "<div class='r'>");
	for (const struct mark *m = c->p->mark; m < end; m++) {
		double next = c->x.high, left = place(&c->x, m->from) * 100 / WIDTH;

		for (const struct mark *o = c->p->mark; o < end; o++)
			if (is_marked(c, o) && o->from < next &&
			    (o->from > m->from || (o->from == m->from && o > m)))
				next = o->from;
		if (is_marked(c, m) && next > m->from)
			buf_printf(c->b, "<span style='left:%.4g%%;width:%.4g%%'><i>%s</i></span>",
				   left, place(&c->x, next) * 100 / WIDTH - left,
				   page_text(m->name));
	}
	buf_puts(c->b, "</div>");
}

/* Draws a strip for each point; under the pointer it shows the values of all curves. */
static void draw_strips(const struct canvas *c)
{
	const struct picture *p = c->p;

	buf_puts(c->b, "<g class='h'>");
	for (int k = 0; k < p->points; k++) {
		double end = (p->at[k + 1] - p->at[0]) / c->unit;
		struct buf text SCOPED(buf) = { 0 };

		buf_printf(&text, p->runs ? "run %.0f" : "%.3f %s", end, c->unit_name);
		for (const struct curve *s = c->from; s < c->to; s++) {
			const struct point *at = &s->point[k];
			int n = s->chart->kind == RATE || !s->of ? 2 : s->of->decimals;

			if (!s->of || !is_drawn(s))
				continue;
			if (at->seconds > 0)
				buf_printf(&text, "\n%s%s %.*f %s", s->side ? "B: " : "", s->name,
					   n, at->mean, s->chart->unit);
			if (at->low < at->high && s->package == NONE)	/* else: too long */
				buf_printf(&text, " (%.*f to %.*f)", n, at->low, n, at->high);
		}
		draw_span(c, p->at[k], p->at[k + 1], text.p);
	}
	buf_puts(c->b, "</g>");
}

/* Keeps the end of a curve, or the middle of an area's, for its name. */
static void add_end(struct canvas *c, const struct curve *s, double at_value, double value)
{
	double y = place(&c->y, at_value);
	int at = c->ends;

	if (c->ends == ARRAY_SIZE(c->end))
		return;
	for (c->ends++; at > 0 && c->end[at - 1].y < y; at--)
		c->end[at] = c->end[at - 1];
	c->end[at] = (struct end){ y, value, s };
}

/* How high a point of a stack is: its own value upon those of the curves below it. */
static double height_of(const struct canvas *c, const struct curve *s, int k)
{
	double sum = 0;

	for (; s < c->to; s++)
		sum += s->point[k].mean;
	return sum;
}

/* Returns the first point from k on that is known, or that is not; the number of points: none. */
static int next_known(const struct picture *p, const struct curve *s, int k, bool known)
{
	while (k < p->points && (s->point[k].seconds > 0) != known)
		k++;
	return k;
}

/* The y of a curve, or of an area's upper edge, at a point. */
static double height_at(const struct canvas *c, const struct curve *s, int k)
{
	bool stack = s->chart->kind == STACK;

	return place(&c->y, stack ? height_of(c, s, k) : s->point[k].mean);
}

/* Do two coordinates look alike when they are printed? */
static bool is_level(double a, double b)
{
	return (int)(a * 10 + 0.5) == (int)(b * 10 + 0.5);
}

/* Appends the steps of a curve from a point up to another one; an area begins on the x axis. */
static void print_steps(struct buf *b, const struct canvas *c, const struct curve *s, int k,
			int end)
{
	bool stack = s->chart->kind == STACK;
	double y = height_at(c, s, k);

	buf_printf(b, "M%.1f %.1f", place(&c->x, c->p->at[k]), stack ? HEIGHT : y);
	for (; k < end; k++) {
		double next = k + 1 < end ? height_at(c, s, k + 1) : NaN;

		if (k + 1 == end || !is_level(y, next))
			buf_printf(b, "V%.1fH%.1f", y, place(&c->x, c->p->at[k + 1]));
		y = next;
	}
	if (stack)
		buf_printf(b, "V%d", HEIGHT);
}

/* Appends the outline of a curve's band: forth along the highest values, back along the lowest. */
static void print_band(struct buf *b, const struct canvas *c, const struct curve *s, int k, int end)
{
	const struct point *v = s->point;
	bool any = false;

	for (int i = k; i < end; i++)
		any |= v[i].low < v[i].high;
	if (!any)
		return;
	buf_printf(b, "M%.1f %.1f", place(&c->x, c->p->at[k]), place(&c->y, v[k].low));
	for (int i = k; i < end; i++) {
		double y = place(&c->y, v[i].high);

		if (i + 1 == end || !is_level(y, place(&c->y, v[i + 1].high)))
			buf_printf(b, "V%.1fH%.1f", y, place(&c->x, c->p->at[i + 1]));
	}
	for (int i = end - 1; i >= k; i--) {
		double y = place(&c->y, v[i].low);

		if (i == k || !is_level(y, place(&c->y, v[i - 1].low)))
			buf_printf(b, "V%.1fH%.1f", y, place(&c->x, c->p->at[i]));
	}
	buf_puts(b, "z");
}

/* Draws a curve in its band; what is not known is a gap. */
static void draw_line(struct canvas *c, const struct curve *s)
{
	struct buf line SCOPED(buf) = { 0 }, band SCOPED(buf) = { 0 };
	double last = NaN;

	for (int k = next_known(c->p, s, 0, true), end; k < c->p->points;
	     k = next_known(c->p, s, end, true)) {
		end = next_known(c->p, s, k, false);
		print_steps(&line, c, s, k, end);
		print_band(&band, c, s, k, end);
		last = s->point[end - 1].mean;
	}
	if (band.len)
		buf_printf(c->b, "<path class='b c%d' d='%s'/>", s->color, band.p);
	if (last == last) {
		buf_printf(c->b, "<path class='l c%d' d='%s'/>", s->color, line.p);
		add_end(c, s, last, last);
	}
}

/* Draws a dot for each run, with its range; those of B are square, and beside those of A. */
static void draw_dots(struct canvas *c, const struct curve *s)
{
	const char *shape = s->side ? "d q" : "d";
	double last = NaN, aside = 0;
	struct buf dots SCOPED(buf) = { 0 };

	if (O.other)
		aside = s->side ? 0.12 : -0.12;
	for (int k = 0; k < c->p->points; k++) {
		double middle = (c->p->at[k] + c->p->at[k + 1]) / 2 + aside;

		if (!(s->point[k].seconds > 0))
			continue;
		last = s->point[k].mean;
		buf_printf(&dots, "M%.1f %.1fh0", place(&c->x, middle), place(&c->y, last));
	}
	if (last != last)
		return;
	buf_printf(c->b, "<path class='l %s c%d' d='%s'/>", shape, s->color, dots.p);
	if (!s->side)
		add_end(c, s, last, last);
}

/* The colour of part i of n, of two colours in equal steps. */
static u32 mixed(u32 from, u32 to, int i, int n)
{
	u32 color = 0;

	for (int shift = 0; shift <= 16; shift += 8) {
		int a = from >> shift & 0xff, b = to >> shift & 0xff;

		color |= (u32)(n > 1 ? a + (b - a) * i / (n - 1) : a) << shift;
	}
	return color;
}

/* Draws the area of an idle state and of those below, which are drawn upon it. */
static void draw_area(struct canvas *c, const struct curve *s, u32 light, u32 dark)
{
	struct buf area SCOPED(buf) = { 0 };
	int last = NONE;

	for (int k = next_known(c->p, s, 0, true), end; k < c->p->points;
	     k = next_known(c->p, s, end, true)) {
		end = next_known(c->p, s, k, false);
		print_steps(&area, c, s, k, end);
		last = end - 1;
	}
	if (last == NONE)
		return;
	buf_printf(c->b, "<path class='a' style='--l:#%06x;--d:#%06x' d='%s'/>", light, dark,
		   area.p);
	add_end(c, s, height_of(c, s, last) - s->point[last].mean / 2, s->point[last].mean);
}

/* Draws areas upon each other, from the deepest idle state, which is dark, to the lightest. */
static void draw_stack(struct canvas *c)
{
	int n = 0, i = 0;

	for (const struct curve *s = c->from; s < c->to; s++)
		n += is_drawn(s);
	for (const struct curve *s = c->from; s < c->to; s++) {
		if (!is_drawn(s))
			continue;
		i++;
		draw_area(c, s, mixed(0x5f95c2, 0x041d38, n - i, n),
			  mixed(0x33699a, 0xd6e9fa, n - i, n));
	}
}

/* Draws a level that others are compared with, over the whole width. */
static void draw_level(struct canvas *c, const struct curve *s)
{
	buf_printf(c->b, "<path class='v' d='M0 %.1fH%d'/>", place(&c->y, s->level), WIDTH);
	add_end(c, s, s->level, s->level);
}

/* Decimals of a value beside a curve. */
static int decimals_of_end(const struct curve *s, double v)
{
	const char *unit = s->chart->unit;

	if (!s->of || !strcmp(unit, "MHz") || !strcmp(unit, "C"))
		return 0;
	if (!strcmp(unit, "s"))
		return 3;
	return v < (s->package == NONE ? 100 : 10);
}

/* Appends a curve's name at its end: of what is drawn alone, and of idle states, the short one. */
static void print_end_name(struct buf *b, const struct curve *s)
{
	const char *percent = strchr(s->name, '%');

	if (s->of && s->chart->kind == BAND && s->package == NONE)
		buf_puts(b, "mean");
	else if (s->chart->kind == STACK && percent)
		buf_puts(b, percent + 1);
	else
		buf_puts(b, page_text(s->name));
}

/* Has a curve one of the colours?  Levels and areas have not. */
static bool has_color(const struct curve *s)
{
	return s->of && s->chart->kind != STACK;
}

/* Writes the names of curves beside their ends, in the order of these, and lines to them. */
static void draw_names(const struct canvas *c)
{
	double at[ARRAY_SIZE(c->end)];

	for (int i = 0; i < c->ends; i++) {	/* upwards, with room for each */
		at[i] = c->end[i].y;
		if (i && at[i] > at[i - 1] - APART)
			at[i] = at[i - 1] - APART;
	}
	for (int i = c->ends - 1; i >= 0; i--) {	/* down again, below the top */
		double least = i < c->ends - 1 ? at[i + 1] + APART : 0;

		at[i] = at[i] > least ? at[i] : least;
	}
	buf_printf(c->b, "<div class='w'><svg aria-hidden='true' width='12' height='%d' "
			 "xmlns='http://www.w3.org/2000/svg'>", HEIGHT);
	for (int i = 0; i < c->ends; i++)
		buf_printf(c->b, "<path class='l%s%d' d='M0 %.1fL11 %.1f'/>",
			   has_color(c->end[i].of) ? " c" : " n",
			   has_color(c->end[i].of) ? c->end[i].of->color : 0, c->end[i].y, at[i]);
	buf_puts(c->b, "</svg>");
	for (int i = 0; i < c->ends; i++) {
		const struct end *e = &c->end[i];

		buf_printf(c->b, "<span style='top:%.1fpx'>", at[i]);
		print_end_name(c->b, e->of);
		buf_printf(c->b, " %.*f</span>", decimals_of_end(e->of, e->value), e->value);
	}
	buf_puts(c->b, "</div>");
}

/* The colours of the heat map: from idle, which is like paper, to busy. */
static const u32 heat_colors[] = {
	0xf4f1ea, 0xf6ead1, 0xf8e3b9, 0xfadca0, 0xf7cb84, 0xf5b968, 0xf2a84c, 0xe7933c,
	0xdb7f2c, 0xd06a1c, 0xb95b16, 0xa14b10, 0x8a3c0a, 0x703008, 0x562406, 0x3c1804,
};

/* Is a row of the heat map drawn?  The places of CPUs that never came are left out. */
static bool is_heat_row(const struct picture *p, int row)
{
	for (int k = 0; k < p->points; k++)
		if (p->curve[row].point[k].seconds > 0)
			return true;
	return p->places > HEAT_ROWS;
}

/* Writes the heat map: a bitmap (BMP), its bottom row first; each pixel is a letter. */
static void draw_bitmap(struct buf *b, const struct picture *p, int rows)
{
	enum { NOT_READ = 'A', LEAST = 'B', STEPS = ARRAY_SIZE(heat_colors), END = LEAST + STEPS };
	u32 colors[END] = { [NOT_READ] = 0x808080 };
	enum { BEFORE = 54 + sizeof(colors) };	/* the pixels */
	u32 h = (u32)rows;
	const u32 head[] = {		/* behind "BM" */
		BEFORE + POINTS * h, 0, BEFORE, 40, POINTS, h, 1 | 8 << 16, 0, 0, 0, 0, END, 0
	};
	double end = p->at[p->points];
	struct buf file SCOPED(buf) = { 0 };

	memcpy(colors + LEAST, heat_colors, sizeof(heat_colors));
	buf_add(&file, (const char *)head, sizeof(head));
	buf_add(&file, (const char *)colors, sizeof(colors));
	buf_puts(b, "data:image/bmp,BM");
	for (size_t i = 0; i < file.len; i++)	/* encoded for a URI */
		buf_printf(b, "%%%02x", (u8)file.p[i]);
	for (const struct curve *s = p->curve + p->heat - 1; s >= p->curve; s--) {
		if (!is_heat_row(p, (int)(s - p->curve)))
			continue;
		for (int x = 0, k = 0; x < POINTS; x++) {
			const struct point *at;
			int step;

			while (k < p->points - 1 && p->at[k + 1] < (x + 0.5) * end / POINTS)
				k++;
			at = &s->point[k];
			step = at->mean < 100 ? (int)(at->mean * STEPS / 100) : STEPS - 1;
			buf_printf(b, "%c", at->seconds > 0 ? LEAST + step : NOT_READ);
		}
	}
}

/* Writes the CPU numbers of a small heat map, in pixels from its top. */
static void draw_cpu_numbers(struct buf *b, const struct picture *p, double row_height)
{
	double y = row_height / 2;

	buf_puts(b, "<div class='y'>");
	for (int place = 0; place < p->places; place++)
		for (int cpu = 0; cpu < p->cpus && is_heat_row(p, place); cpu++)
			if (p->place[cpu] == place) {
				buf_printf(b, "<span style='top:%.1fpx'>%d</span>", y, cpu);
				y += row_height;
			}
	buf_puts(b, "</div>");
}

/* The first place behind that has a CPU of another package; counts the drawn rows up to it. */
static int end_of_package(const struct picture *p, int place, int *rows)
{
	int package = p->package[place];

	for (; place < p->places; place++) {
		bool drawn = p->places > HEAT_ROWS || is_heat_row(p, place);

		if (drawn && p->package[place] != package)
			break;
		*rows += drawn;
	}
	return place;
}

/* Writes gaps between packages upon the map, and the names of packages beside it. */
static void draw_packages(struct buf *gaps, struct buf *names, const struct picture *p,
			  double rows, int height)
{
	int done = 0;

	for (int place = 0; place < p->places && p->packages > 1;) {
		int first = place, n = 0;

		place = end_of_package(p, place, &n);
		if (!n)
			continue;
		if (done)
			buf_printf(gaps, "<i style='top:%.1fpx'></i>", done * height / rows);
		buf_printf(names, "<span style='top:%.1fpx'>package %d</span>",
			   (done + n / 2.0) * height / rows, p->package[first]);
		done += n;
	}
}

/* Appends which CPUs a row of the map stands for. */
static void print_row_cpus(struct buf *b, const struct picture *p, int row)
{
	struct cpuset cpus = { .w = { 0 } };

	for (int cpu = 0; cpu < p->cpus; cpu++)
		if (p->place[cpu] != NONE && p->place[cpu] * p->heat / p->places == row)
			set_add(&cpus, cpu);
	buf_printf(b, "%s %s", set_count(&cpus) > 1 ? "CPUs" : "CPU", set_text(&cpus));
}

/* Writes over each row of the map whose it is and its mean load, for the pointer. */
static void draw_row_titles(struct buf *b, const struct picture *p)
{
	buf_puts(b, "<div class='o'>");
	for (int row = 0; row < p->heat; row++) {
		struct point all = { .seconds = 0 };

		if (!is_heat_row(p, row))
			continue;
		for (int k = 0; k < p->points; k++)
			add_to_point(&all, p->curve[row].point[k]);
		buf_puts(b, "<b title='");
		print_row_cpus(b, p, row);
		if (all.seconds > 0)
			buf_printf(b, ": mean %.1f %%", all.mean);
		buf_puts(b, "'></b>");
	}
	buf_puts(b, "</div>");
}

/* Draws the load of each CPU: a row for each, in the order of the table. */
static void draw_heat(struct buf *b, const struct picture *p, const struct canvas *c)
{
	bool averaged = p->places > HEAT_ROWS;
	int rows = 0, height, each = 4;
	struct buf names SCOPED(buf) = { 0 }, gaps SCOPED(buf) = { 0 };

	for (int i = 0; i < p->heat; i++)
		rows += is_heat_row(p, i);
	if (!rows)
		return;
	if (rows <= 32)
		each = rows <= 16 ? 14 : 8;
	height = rows * each;
	height = height < 110 ? 110 : height;
	height = height > 512 ? 512 : height;
	draw_packages(&gaps, &names, p, averaged ? p->places : rows, height);
	buf_printf(b, "<figure%s><h2>%s <small>0 <i class='bar'></i> 100 %%%s</small></h2>"
		      "<div class='f'>",
		   rows > 32 ? " class='wide'" : "", c->from->chart->title,
		   averaged ? pathf(", %d CPUs in %d rows", p->places, p->heat) : "");
	if (rows <= 16)
		draw_cpu_numbers(b, p, (double)height / rows);
	buf_printf(b, "<div class='p'><img alt='Load of each CPU over time: a row for each of %d "
		      "CPUs, dark is busy' height='%d' src='", p->places, height);
	draw_bitmap(b, p, rows);
	buf_printf(b, "'/>%s", gaps.p ?: "");
	draw_row_titles(b, p);
	buf_printf(b, "</div><div class='w'>%s</div>", names.p ?: "");
	draw_x_axis(c);
	buf_puts(b, "</div></figure>\n");
}

/* The mean of a curve: of a summary that of the table, else by the length of its intervals. */
static double curve_mean(const struct picture *p, const struct curve *s)
{
	double sum = 0, seconds = 0;

	if (s->package == NONE && s->chart->kind != RATE)
		return s->of->side[s->side].n ? s->of->side[s->side].mean : NaN;
	for (int k = 0; k < p->points; k++) {
		sum += s->point[k].mean * s->point[k].seconds;
		seconds += s->point[k].seconds;
	}
	return seconds > 0 ? sum / seconds : NaN;
}

/* Appends what a plot shows, for those who cannot see it. */
static void print_plot_text(struct buf *b, const struct canvas *c)
{
	const char *unit = c->from->chart->unit;
	size_t begin = b->len;

	for (const struct curve *s = c->from; s < c->to; s++) {
		double mean;
		int n;

		if (!s->of || s->highest != s->highest || !is_drawn(s))
			continue;
		mean = curve_mean(c->p, s);
		n = decimals_of_end(s, mean);
		buf_item(b, begin, ": ", "; ");
		buf_printf(b, "%s%s mean %.*f %s, highest %.*f %s", s->side ? "B: " : "",
			   page_text(s->name), n, mean, unit, n, s->highest, unit);
	}
}

/* Writes the title of a chart with its unit, and what its marks mean. */
static void draw_title(const struct canvas *c)
{
	const struct chart *chart = c->from->chart;
	bool band = false;

	for (int k = 0; k < c->p->points; k++)
		band |= c->from->point[k].low < c->from->point[k].high;
	buf_printf(c->b, "<figure><h2>%s <small>%s", chart->title, chart->unit);
	if (chart->kind == STACK && !c->by_run)
		buf_puts(c->b, ", deepest on top");
	if (chart->kind == BAND && band && c->from->package == NONE)
		buf_puts(c->b, ", band of all CPUs");
	if (c->by_run && O.other)
		buf_puts(c->b, "; A: round, B: square");
	buf_puts(c->b, "</small></h2><div class='f'>");
}

/* Draws the plot of a chart. */
static void draw_plot(struct canvas *c, const struct buf *lines)
{
	buf_puts(c->b, "<svg role='img' aria-label='");
	buf_puts(c->b, c->from->chart->title);
	print_plot_text(c->b, c);
	buf_printf(c->b, "' viewBox='0 0 %d %d' preserveAspectRatio='none' "
			 "xmlns='http://www.w3.org/2000/svg'><path class='g' d='%s'/>",
		   WIDTH, HEIGHT, lines->p ?: "");
	draw_marks(c);
	if (c->from->chart->kind == STACK && !c->by_run)
		draw_stack(c);
	for (const struct curve *s = c->to - 1; s >= c->from; s--) {
		if (!s->of)
			draw_level(c, s);
		else if (!is_drawn(s))
			continue;
		else if (c->by_run)
			draw_dots(c, s);
		else if (s->chart->kind != STACK)
			draw_line(c, s);
	}
	draw_strips(c);
	buf_puts(c->b, "</svg>");
}

/* Draws the chart of a curve and those after it, if known.  Returns the first one of the next. */
static int draw_chart(struct buf *b, const struct picture *p, int i)
{
	const struct chart *chart = p->curve[i].chart;
	struct canvas c = { b, p, &p->curve[i], .by_run = p->runs };
	struct buf lines SCOPED(buf) = { 0 };
	bool known = false;

	for (; i < p->n && p->curve[i].chart == chart; c.to = &p->curve[++i])
		for (int k = 0; k < p->points; k++)	/* a level alone says nothing */
			known |= p->curve[i].of && is_drawn(&p->curve[i]) &&
				 p->curve[i].point[k].seconds > 0;
	if (!known)
		return i;
	find_axes(&c);
	if (chart->kind == HEAT) {
		draw_heat(b, p, &c);
		return i;
	}
	draw_title(&c);
	draw_mark_names(&c);
	draw_y_axis(&c, &lines);
	draw_plot(&c, &lines);
	draw_names(&c);
	draw_x_axis(&c);
	buf_puts(b, "</div></figure>\n");
	return i;
}

/* Names what was 0 all the time, and is in no chart. */
static void name_zeros(struct buf *b, const struct runs *r)
{
	size_t begin = b->len;

	for (const struct quantity *q = r->quantity; q < PAST(r->quantity, r->n); q++)
		if (q->of == COLUMN && !q->blank && was_zero(q)) {
			buf_item(b, begin, "<p class='note'>0 all the time: ", " ");
			buf_puts(b, page_text(q->name));
		}
	buf_puts(b, b->len > begin ? "</p>\n" : "");
}

/* --- the comparison --- */

enum judgement { NOT_KNOWN_YET, NO_DIFFERENCE, LESS, MORE };	/* from LESS on: it differs */

/* Compares a quantity that the table gives in per cent: the scale of v[], and what is sure. */
static enum judgement compare(const struct runs *r, const struct quantity *q, double v[NMEASURES])
{
	double scale = q ? percent_scale(q) : NaN;

	if (!q || !is_told(r, q) || scale != scale)
		return NOT_KNOWN_YET;
	find_measures(r, q, v);
	if (v[M_DIFF_LOW] != v[M_DIFF_LOW])
		return NOT_KNOWN_YET;
	for (enum measure m = M_DIFF; m <= M_DIFF_HIGH; m++)
		v[m] *= scale;
	if (v[M_DIFF_LOW] > 0)
		return MORE;
	return v[M_DIFF_HIGH] < 0 ? LESS : NO_DIFFERENCE;
}

/* Appends "8.0 % less time". */
static void print_need(struct buf *b, enum judgement judgement, double percent, const char *of)
{
	buf_printf(b, "%.1f %% %s %s", percent < 0 ? -percent : percent,
		   judgement == LESS ? "less" : "more", of);
}

/* Appends the answer of --compare: time and, if it was measured, energy. */
static void print_verdict(struct buf *b, const struct runs *r)
{
	double t[NMEASURES], e[NMEASURES];
	enum judgement time = compare(r, &r->quantity[Q_SECONDS], t);
	enum judgement energy = compare(r, find_quantity(r, "Pkg_J"), e);
	bool time_differs = time >= LESS, energy_differs = energy >= LESS;

	if (!time_differs && !energy_differs) {
		if (time == NOT_KNOWN_YET)
			buf_puts(b, "Too few runs to compare B with A");
		else
			buf_printf(b, "No significant difference in time%s",
				   energy == NO_DIFFERENCE ? " and energy" : "");
		return;
	}
	buf_puts(b, "B needs ");
	if (time_differs)
		print_need(b, time, t[M_DIFF], "time");
	if (time_differs && energy_differs)
		buf_puts(b, " and ");
	if (energy_differs)
		print_need(b, energy, e[M_DIFF], "energy");
	buf_puts(b, " than A");
	if (energy == NO_DIFFERENCE)
		buf_puts(b, "; no significant difference in energy");
	if (time == NO_DIFFERENCE)
		buf_puts(b, "; no significant difference in time");
}

/* Is less of a quantity better? */
static bool is_cost(const struct quantity *q)
{
	return q->of == TIMES || q->of == PRODUCT || !strcmp(q->symbol, "J");
}

/* The span of differences and their intervals; those that are not sure count up to 100 %. */
static struct axis span_of_differences(const struct runs *r)
{
	struct axis x = { 0, 0, 0, WIDTH, 0 };

	for (const struct quantity *q = r->quantity; q < PAST(r->quantity, r->n); q++) {
		double v[NMEASURES];
		enum judgement judgement = compare(r, q, v);

		if (judgement == NOT_KNOWN_YET)
			continue;
		if (judgement == NO_DIFFERENCE) {
			v[M_DIFF_LOW] = v[M_DIFF_LOW] > -100 ? v[M_DIFF_LOW] : -100;
			v[M_DIFF_HIGH] = v[M_DIFF_HIGH] < 100 ? v[M_DIFF_HIGH] : 100;
		}
		for (enum measure m = M_DIFF; m <= M_DIFF_HIGH; m++) {
			x.low = v[m] < x.low ? v[m] : x.low;
			x.high = v[m] > x.high ? v[m] : x.high;
		}
	}
	x.low -= 0.03 * (x.high - x.low) + 0.1;
	x.high += 0.03 * (x.high - x.low) + 0.1;
	find_step(&x, 0.001, 5);
	return x;
}

/* Draws a row: the name, the difference with its interval, the result in words. */
static void draw_difference(struct buf *b, const struct quantity *q, const struct axis *x,
			    enum judgement judgement, const double v[NMEASURES])
{
	const char *word = judgement == NO_DIFFERENCE ? "" : "differs", *class = "note";
	double low = place(x, v[M_DIFF_LOW]), high = place(x, v[M_DIFF_HIGH]);

	if (judgement >= LESS && is_cost(q)) {
		word = judgement == LESS ? "better" : "worse";
		class = judgement == LESS ? "good" : "bad";
	}
	buf_printf(b, "<span>%s</span>", page_text(q->name));
	buf_printf(b, "<svg class='%s' role='img' aria-label='B - A %+.1f %%, 95 %% interval %+.1f "
		      "to %+.1f %%' viewBox='0 0 %d 22' preserveAspectRatio='none' "
		      "xmlns='http://www.w3.org/2000/svg'><path class='g' d='",
		   class, v[M_DIFF], v[M_DIFF_LOW], v[M_DIFF_HIGH], WIDTH);
	for (int i = (int)(x->low / x->step); i * x->step <= x->high; i++)
		buf_printf(b, "M%.1f 0V22", place(x, i * x->step));
	buf_printf(b, "'/><path class='v' d='M%.1f 0V22'/><path class='l' d='M%.1f 11H%.1f'/>"
		      "<path class='l d' d='M%.1f 11h0'/><g class='h'><rect width='%d'>"
		      "<title>%s: B - A %+.1f %% (%+.1f to %+.1f %%)</title></rect></g></svg>",
		   place(x, 0), low, high, place(x, v[M_DIFF]), WIDTH, page_text(q->name),
		   v[M_DIFF], v[M_DIFF_LOW], v[M_DIFF_HIGH]);
	if (judgement == NO_DIFFERENCE)
		buf_puts(b, "<span class='note'>~</span>\n");
	else
		buf_printf(b, "<span class='%s'>%+.1f %% %s</span>\n", class, v[M_DIFF], word);
}

/* Draws the differences of --compare that are in per cent, so that they share an axis. */
static void draw_differences(struct buf *b, const struct runs *r)
{
	struct axis x = span_of_differences(r);
	size_t begin = b->len;

	for (const struct quantity *q = r->quantity; q < PAST(r->quantity, r->n); q++) {
		double v[NMEASURES];
		enum judgement judgement = compare(r, q, v);

		if (judgement == NOT_KNOWN_YET)
			continue;
		if (b->len == begin)
			buf_puts(b, "<figure class='wide'><h2>B against A <small>%, with 95 % "
				    "intervals</small></h2><div class='f k'>\n");
		draw_difference(b, q, &x, judgement, v);
	}
	if (b->len == begin)
		return;
	buf_puts(b, "<div class='x'>");
	for (int i = (int)(x.low / x.step); i * x.step <= x.high; i++)
		buf_printf(b, "<span style='left:%.4g%%'>%.7g</span>",
			   place(&x, i * x.step) * 100 / WIDTH, i * x.step);
	buf_puts(b, "</div></div></figure>\n");
}

/* --- the answers --- */

/* Appends a value: with one decimal below 100. */
static void print_short(struct buf *b, double v, const char *unit)
{
	buf_printf(b, "%.*f %s", v < 99.95, v, unit);
}

/* Appends "120 s", "5 minutes", "26 hours". */
static void print_duration(struct buf *b, double seconds)
{
	if (seconds < 180)
		buf_printf(b, "%.3g s", seconds);
	else if (seconds < 3 * 3600)
		buf_printf(b, "%.3g minutes", seconds / 60);
	else
		buf_printf(b, "%.4g hours", seconds / 3600);
}

/* Appends Joules, from 10,000 in kJ, from 10 million in MJ. */
static void print_energy(struct buf *b, double joules)
{
	const char *unit = "J";

	if (joules >= 1e7) {
		joules /= 1e6;
		unit = "MJ";
	} else if (joules >= 1e4) {
		joules /= 1e3;
		unit = "kJ";
	}
	buf_printf(b, "%.*f %s", joules < 99.95, joules, unit);
}

/* Appends an answer. */
static void add_answer(struct buf *b, const char *title, bool bad, const char *value,
		       const char *about)
{
	buf_printf(b, "<div><dt>%s</dt><dd%s>%s</dd>", title, bad ? " class='bad'" : "", value);
	if (about && *about)
		buf_printf(b, "<dd>%s</dd>", about);
	buf_puts(b, "</div>\n");
}

/* The value of a column over the whole time, of runs its mean; NaN = unknown. */
static double whole_value(const struct quantity *q, const struct column *c)
{
	struct view all;
	union number n;

	if (R.course->of != INTERVALS)
		return q->side[0].n ? q->side[0].mean : NaN;
	if (!R.total.new)
		return NaN;
	all = view_all(&R.total);
	return column_value(c, &all, &n) ? number_of(c->format, n) : NaN;
}

/* Appends the mean of each package, if there are two to four. */
static void list_packages(struct buf *b, const struct picture *p, const struct quantity *q,
			  const char *separator)
{
	for (const struct curve *s = p->curve; s < PAST(p->curve, p->n) && p->packages <= 4; s++)
		if (s->of == q && s->package != NONE && s->highest == s->highest) {
			buf_printf(b, "%s%s: ", separator, s->name);
			print_short(b, curve_mean(p, s), q->symbol);
			separator = ", ";
		}
}

static void top_power(struct buf *b, const struct picture *p)
{
	const struct quantity *q = p->power;
	struct buf value SCOPED(buf) = { 0 }, about SCOPED(buf) = { 0 };

	if (!q || !q->side[0].n)
		return;
	print_short(&value, q->side[0].mean, "W");
	buf_puts(&about, "mean");
	list_packages(&about, p, q, "; ");
	buf_puts(&about, "; highest ");
	print_short(&about, p->most_watts, "W");
	if (p->watts > 0)
		buf_printf(&about, "; limit %.4g W%s", p->watts, p->packages > 1 ? " each" : "");
	add_answer(b, "Power", false, value.p, about.p);
}

static void top_energy(struct buf *b, const struct picture *p, double seconds)
{
	const struct quantity *q = find_drawn("Pkg_J");
	bool runs = R.course->of != INTERVALS;
	struct buf value SCOPED(buf) = { 0 }, about SCOPED(buf) = { 0 };
	struct column joules;
	double v;

	if (!q && !runs)
		q = find_drawn("PkgWatt");
	if (!q)
		return;
	joules = *q->column;
	joules.formula = V_AMOUNT;
	v = whole_value(q, &joules);
	if (v != v)
		return;
	print_energy(&value, v);
	if (p->packages > 1)
		buf_printf(&about, "%d packages", p->packages);
	else
		buf_puts(&about, "package");
	if (runs) {
		buf_puts(&about, ", mean of a run");
	} else {
		buf_puts(&about, ", in ");
		print_duration(&about, seconds);
	}
	add_answer(b, "Energy", false, value.p, about.p);
}

static void top_clock(struct buf *b, const struct picture *p)
{
	const struct quantity *q = find_drawn("Bzy_MHz");
	double v = q ? whole_value(q, q->column) : NaN;
	struct buf about SCOPED(buf) = { 0 };
	char *value SCOPED(ptr) = textf("%.0f MHz", v);

	if (v != v)
		return;
	if (p->base > 0)
		buf_printf(&about, "base %.0f%s", p->base, p->turbo > 0 ? ", " : " MHz");
	if (p->turbo > 0)
		buf_printf(&about, "turbo %.0f MHz", p->turbo);
	add_answer(b, "Clock while busy", false, value, about.p);
}

/* The curve with the highest value of a quantity, of a package or the summary; NULL = unknown. */
static const struct curve *highest_curve(const struct picture *p, const struct quantity *q)
{
	const struct curve *highest = NULL;

	for (const struct curve *s = p->curve; s < PAST(p->curve, p->n); s++)
		if (q && s->of == q && s->highest == s->highest &&
		    (!highest || s->highest > highest->highest))
			highest = s;
	return highest;
}

static void top_temperature(struct buf *b, const struct picture *p)
{
	const struct curve *hottest = highest_curve(p, find_drawn("PkgTmp"));
	struct buf value SCOPED(buf) = { 0 }, about SCOPED(buf) = { 0 };

	if (!hottest)
		hottest = highest_curve(p, find_drawn("CoreTmp"));
	if (!hottest)
		return;
	buf_printf(&value, "%.0f C", hottest->highest);
	buf_puts(&about, "highest");
	if (hottest->package != NONE)
		buf_printf(&about, ", %s", hottest->name);
	if (p->celsius > 0)
		buf_printf(&about, "; limit %.0f C", p->celsius);
	add_answer(b, "Temperature", false, value.p, about.p);
}

/* Appends the CPU of the table that was busy most, if there are several. */
static void print_busiest(struct buf *b, const struct column *busy)
{
	int busiest = NONE;
	double most = NaN;

	for (int row = 0; row < M.n && M.n > 1 && R.total.new; row++) {
		double v = P.printed[row] ? unit_number(&R.total, busy, CPU, row) : NaN;

		if (v == v && !(v <= most)) {
			busiest = row;
			most = v;
		}
	}
	if (busiest != NONE)
		buf_printf(b, "; busiest: CPU %d at %.1f %%", M.cpu[busiest], most);
}

static void top_load(struct buf *b, const struct picture *p)
{
	const struct quantity *q = find_drawn("Busy%");
	struct buf value SCOPED(buf) = { 0 }, about SCOPED(buf) = { 0 };
	size_t cpus;

	if (!q || !q->side[0].n)
		return;
	print_short(&value, q->side[0].mean, "%");
	buf_printf(&about, "%d CPU%s", M.n, M.n == 1 ? "" : "s");
	cpus = about.len;
	list_packages(&about, p, q, "; ");
	if (about.len == cpus && R.course->of == INTERVALS)
		print_busiest(&about, q->column);
	add_answer(b, "Busy", false, value.p, about.p);
}

static void top_throttled(struct buf *b)
{
	const struct quantity *q = find_drawn("CoreThr");
	double times = q ? whole_value(q, q->column) : NaN;
	char *value SCOPED(ptr) = textf("%.0f times", times);

	if (R.course->of != INTERVALS)
		times *= q ? (double)q->side[0].n : NaN;
	if (times != times)
		return;
	if (times < 0.5)
		add_answer(b, "Throttled", false, "no", NULL);
	else
		add_answer(b, "Throttled", true, times < 1.5 ? "once" : value,
			   "see --explain clock");
}

/* Appends the answers to the most common questions. */
static void draw_answers(struct buf *b, const struct picture *p, double seconds)
{
	struct buf answers SCOPED(buf) = { 0 };

	top_power(&answers, p);
	top_energy(&answers, p, seconds);
	top_clock(&answers, p);
	top_temperature(&answers, p);
	top_load(&answers, p);
	top_throttled(&answers);
	if (answers.len)
		buf_printf(b, "<dl>\n%s</dl>\n", answers.p);
}

/* --- the page --- */

#define DARK_COLORS									\
	"--t:#e6e6e6;--p:#121212;--n:#a8a8a8;--bad:#ff8a80;--good:#5fd1b8;--c0:#55b0ea;"	\
	"--c1:#ff9153;--c2:#3cc79b;--c3:#e493d6;--c4:#d9b13b;--c5:#7fd0e6;--c6:#d8a27f;"	\
	"--c7:#b3b3e6"

/*
 * The name of a region is in a box as wide as its room and one line high: a name that does not fit
 * wraps to the second line, which is hidden.  Folded text stands after its <details>, not in it, so
 * that it is printed on paper.  There each row of a very wide table takes several lines.
 */
static const char page_style[] =
	":root{color-scheme:light dark;--t:#1a1a1a;--p:#fff;--n:#595959;--bad:#b3261e;"
	"--good:#00695c;--c0:#0072b2;--c1:#c44601;--c2:#00795a;--c3:#9c4290;--c4:#7d6400;"
	"--c5:#22788f;--c6:#7a4a2b;--c7:#5c5c8a;--w:#0003}"
	"@media screen and (prefers-color-scheme:dark){:root{" DARK_COLORS ";--w:#fff5}"
	"img,.bar{filter:invert(1) hue-rotate(180deg)}.a{fill:var(--d)!important}}"
	"html{font:15px/1.4 sans-serif;color:var(--t);background:var(--p);"
	"-webkit-text-size-adjust:100%;print-color-adjust:exact;-webkit-print-color-adjust:exact}"
	"body{margin:1em auto;max-width:1240px;padding:0 12px}"
	"h1{font-size:21px;line-height:1.25;margin:0}h1,p,pre,dd{overflow-wrap:anywhere}"
	"h2{font-size:15px;margin:0}p{margin:2px 0;white-space:pre-line}"
	"small{font-size:13px;font-weight:400}small,.note,dt,dd{color:var(--n)}"
	".c+.note{font-size:13px}"
	".good{color:var(--good)}.bad{color:var(--bad)}dl{border:solid #8886;border-width:1px 0}"
	"dl{display:grid;grid-template-columns:repeat(6,minmax(0,1fr));gap:12px 16px;"
	"margin:14px 0;padding:12px 0;font-size:13px}dd{margin:0;text-wrap:pretty}"
	"dt+dd{font-size:21px;font-weight:600;line-height:1.25}dt+dd:not(.bad){color:var(--t)}"
	".c{display:grid;grid-template-columns:repeat(2,minmax(0,1fr));gap:18px 24px;"
	"margin:14px 0}.wide{grid-column:1/-1}figure{margin:0;break-inside:avoid;min-width:0}"
	".f{display:grid;grid-template-columns:38px minmax(0,1fr) 104px;font-size:12.5px;"
	"line-height:16px}.f>div{position:relative}"
	".f>div span{position:absolute;white-space:nowrap}"
	".f svg,.p img{display:block;overflow:visible}.f>svg{grid-area:2/2;width:100%;height:150px}"
	".y{grid-area:2/1;color:var(--n)}.y span{right:6px;transform:translateY(-50%)}"
	".w{grid-area:2/3}.w span{left:14px;transform:translateY(-50%)}"
	".x{grid-area:3/2;height:20px;color:var(--n);container-type:inline-size}"
	".x span{top:3px;transform:translateX(-50%)}"
	"@container (max-width:260px){.f:not(.k) .x span:nth-last-child(even){display:none}}"
	".r{grid-area:1/2;height:17px;color:var(--n)}.r:empty{height:8px}"
	".f>.r span{display:flex;flex-wrap:wrap;height:17px;overflow:hidden}"
	".r span:before{content:'';width:.1px;height:17px}i{font-style:normal}"
	".p{grid-area:2/2}.p img{width:100%;image-rendering:pixelated}"
	".p i{position:absolute;left:0;right:0;height:2px;margin-top:-1px;background:var(--p)}"
	".o{position:absolute;inset:0;display:grid;grid-auto-rows:1fr}.o b:hover{background:#8884}"
	".bar{display:inline-block;width:96px;height:9px;margin:0 3px}"
	"path{vector-effect:non-scaling-stroke;fill:none;stroke-width:1.6}"
	".l{stroke:currentColor}.g{stroke:#8885;stroke-width:1}.n0,.v{stroke:var(--n);"
	"stroke-width:1.3}.v{stroke-dasharray:5 3}.m rect{fill:#8883}"
	".b{fill:currentColor;stroke:none;opacity:.3}"
	".a{fill:var(--l);stroke:var(--p);stroke-width:1}"
	".d{stroke-width:8;stroke-linecap:round}.q{stroke-linecap:square;stroke-width:6.5}"
	".h rect{fill:none;pointer-events:all}.h rect:hover{fill:#8884}rect{height:150px}"
	".c0{color:var(--c0)}.c1{color:var(--c1)}.c2{color:var(--c2)}.c3{color:var(--c3)}"
	".c4{color:var(--c4)}.c5{color:var(--c5)}.c6{color:var(--c6)}.c7{color:var(--c7)}"
	".k{grid-template-columns:fit-content(30%) minmax(0,1fr) max-content;gap:0 12px;"
	"margin-top:6px;line-height:22px}.k>svg{grid-area:auto;height:22px}.k rect{height:22px}"
	".k .x{grid-area:auto/2}.k>span{overflow-wrap:anywhere}.k svg+span{text-align:right}"
	"details{margin-top:14px}summary{cursor:pointer}summary h2{display:inline}"
	".t{overflow-x:auto;background:linear-gradient(90deg,var(--p) 50%,#0000) 0/40px 100%,"
	"linear-gradient(270deg,var(--p) 50%,#0000) 100%/40px 100%,"
	"linear-gradient(90deg,var(--w),#0000) 0/12px 100%,"
	"linear-gradient(270deg,var(--w),#0000) 100%/12px 100%;background-repeat:no-repeat;"
	"background-attachment:local,local,scroll,scroll}"
	"table{border-collapse:collapse;position:relative}"
	"caption{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}"
	"td,th{padding:2px 9px;text-align:right;white-space:pre;border-bottom:1px solid #8886}"
	"tr>:first-child{text-align:left;padding-left:0}tbody th{font-weight:400}"
	"pre{font-size:13px;white-space:pre-wrap;margin:4px 0}"
	"@media screen{details:not([open])+div{display:none}}"
	"@media screen and (max-width:1000px){dl{grid-template-columns:repeat(3,minmax(0,1fr))}}"
	"@media screen and (max-width:700px){.c{grid-template-columns:minmax(0,1fr)}}"
	"@media screen and (max-width:560px){dl{grid-template-columns:repeat(2,minmax(0,1fr))}}"
	"@media print{:root{color-scheme:light}html,.f,dl,small,h2,td,th,.c+.note"
	"{font-size:11px}"
	"dt+dd,h1{font-size:16px}pre{font-size:9px}.t{overflow:visible;background:none}"
	"td,th{white-space:pre-wrap;overflow-wrap:anywhere}"
	".many td,.many th{font-size:6px;padding:1px 2px}"
	".most tr{display:flex;flex-wrap:wrap;border-bottom:1px solid #8886;break-inside:avoid}"
	".most td,.most th{font-size:8px;padding:1px 2px;width:46px;border:0}"
	"summary{list-style:none}}";

/* Appends the colours of the heat map as the background of its scale. */
static void print_scale_style(struct buf *b)
{
	const double n = ARRAY_SIZE(heat_colors);

	buf_puts(b, ".bar{background:linear-gradient(90deg");
	for (size_t i = 0; i < ARRAY_SIZE(heat_colors); i++)
		buf_printf(b, ",#%06x %.4g%% %.4g%%", heat_colors[i], (double)i * 100 / n,
			   (double)(i + 1) * 100 / n);
	buf_puts(b, ")}");
}

/* Which cells of a table name columns: those of its first line; the first of each line. */
enum naming { FIRST_LINE, FIRST_CELLS };

/* Returns the shown column whose key is this one, or NULL. */
static const struct column *find_key(const char *key)
{
	for (int i = 0; i < P.nshown; i++)
		if (!strcmp(P.shown[i]->key, key))
			return P.shown[i];
	return NULL;
}

/* Appends a heading; a column's has a tooltip with its meaning and source. */
static void add_heading(struct buf *b, const char *scope, const char *cell, const struct column *c)
{
	struct buf tip SCOPED(buf) = { 0 };

	buf_printf(b, "<th scope=\"%s\"", scope);
	if (c) {
		buf_printf(&tip, "%s: ", c->help);
		print_column_source(&tip, c);
		buf_printf(b, " title=\"%s\"", page_text(tip.p));
	}
	buf_printf(b, ">%s</th>", page_text(*cell ? cell : "column"));
}

/* Begins a part of the page, after the heading that opens and closes it; columns: of its table. */
static void add_fold(struct buf *b, bool is_open, const char *title, int columns)
{
	enum { WIDE_TABLE = 13, TOO_WIDE = 27 };	/* on paper: in small type; not even so */
	const char *width = columns >= TOO_WIDE ? " most" : columns >= WIDE_TABLE ? " many" : "";

	buf_printf(b, "<details%s><summary><h2>%s</h2></summary></details>"
		      "<div class=\"t%s\" role=\"region\" aria-label=\"%s\" tabindex=\"0\">",
		   is_open ? " open=\"open\"" : "", title, width, title);
}

/* Appends lines of cells as a table: its first line, and the first cell of each, are headings. */
static void add_table(struct buf *b, bool is_open, const char *title, const struct buf *text,
		      enum naming naming)
{
	bool first_line = true, first_cell = true;
	int next = 0, cells = 1, leading;

	if (!text->len)
		return;
	for (const char *s = text->p; *s && *s != '\n'; s++)
		cells += *s == '\t';
	leading = count_leading(cells);
	add_fold(b, is_open, title, cells);
	buf_printf(b, "<table><caption>%s</caption><thead><tr>", title);
	for (const char *s = text->p; *s; s += *s != '\0') {
		char *cell SCOPED(ptr) = textf("%.*s", (int)strcspn(s, "\t\n"), s);

		if (first_line && naming == FIRST_LINE)
			add_heading(b, "col", cell, next_shown(cell, leading-- > 0, &next));
		else if (first_line)
			add_heading(b, "col", cell, NULL);
		else if (first_cell)
			add_heading(b, "row", cell, naming == FIRST_CELLS ? find_key(cell) : NULL);
		else
			buf_printf(b, "<td>%s</td>", page_text(cell));
		s += strlen(cell);
		first_cell = *s == '\n';
		if (first_cell && first_line)
			buf_puts(b, "</tr></thead><tbody>\n<tr>");
		else if (first_cell && s[1])
			buf_puts(b, "</tr>\n<tr>");
		first_line &= !first_cell;
	}
	buf_puts(b, "</tr></tbody></table></div>\n");
}

/* Appends the words of a command, or the name of a recording. */
static void print_side(struct buf *b, const struct side *side)
{
	const char *blank = "";

	if (!side->command && side->recording)
		buf_puts(b, side->recording);
	for (char *const *w = side->command; w && *w; w++) {
		buf_printf(b, "%s%s", blank, *w);
		blank = " ";
	}
}

/* Appends "120 intervals of 1 s"; if they differ, as with a suspend, "3 intervals in 2 hours". */
static void print_intervals(struct buf *b, const struct runs *r, u64 n, double seconds)
{
	const struct quantity *q = &r->quantity[Q_SECONDS];
	double usual = q->side[0].n ? find_percentile(&q->p95, q->side[0].n) : O.interval;
	double mean = n ? seconds / (double)n : usual;

	buf_printf(b, "%llu interval%s ", n, n == 1 ? "" : "s");
	if (mean > 0.8 * usual && mean < 1.25 * usual) {
		buf_printf(b, usual < 1000 ? "of %.3g s" : "of %.0f s", usual);
	} else {
		buf_puts(b, "in ");
		print_duration(b, seconds);
	}
}

/* Appends the heading: the answer of a comparison, or what was measured. */
static void print_page_title(struct buf *b, const struct runs *r, u64 intervals, double seconds)
{
	const struct side *side = &r->side[0];

	if (has_measure(r, M_DIFF)) {
		print_verdict(b, r);
		return;
	}
	if (r->of == ALONE)
		buf_printf(b, "%u run%s of ", side->counted, side->counted == 1 ? "" : "s");
	else if (!side->command || !*side->command)
		print_intervals(b, r, intervals, seconds);
	print_side(b, side);
	if (side->failed)
		buf_printf(b, ", %u failed", side->failed);
}

/* Appends what is compared. */
static void print_compared(struct buf *b, const struct runs *r)
{
	for (int i = 0; i < 2; i++) {
		const struct side *side = &r->side[i];
		u64 n = r->of == PAIRS ? count_of(r, r->quantity) : side->counted;

		buf_puts(b, i ? "\nB: " : "A: ");
		print_side(b, side);
		buf_printf(b, " (%llu run%s", n, n == 1 ? "" : "s");
		if (side->failed)
			buf_printf(b, ", %u failed", side->failed);
		buf_puts(b, ")");
	}
}

/* Appends the machine, when it was measured and for how long. */
static void print_measured(struct buf *b, const struct runs *r, const struct picture *p,
			   double seconds)
{
	time_t start = (time_t)(p->start / NS_PER_S);
	char at[32];

	strftime(at, sizeof(at), "%Y-%m-%d %H:%M:%S UTC", gmtime(&start));
	buf_puts(b, *M.brand ? M.brand : M.vendor_name);
	if (p->packages > 1)
		buf_printf(b, ", %d packages", p->packages);
	if (M.units[CORE] > 0)
		buf_printf(b, ", %d core%s", M.units[CORE], M.units[CORE] == 1 ? "" : "s");
	buf_printf(b, ", %d CPU%s", M.n, M.n == 1 ? "" : "s");
	if (p->kernel)
		buf_printf(b, "; Linux %s", p->kernel);
	buf_printf(b, "; %s; %.*f s", at, seconds < 10 ? 3 : 1, seconds);
	if (r->of == INTERVALS && r->side[0].command)
		buf_printf(b, " in %llu interval%s", p->count, p->count == 1 ? "" : "s");
	buf_puts(b, p->share.p ?: "");
}

/* Appends the part of the page above the charts. */
static void draw_top(struct buf *b, const struct runs *r, const struct picture *p)
{
	const struct statistic *t = r->quantity[Q_SECONDS].side;
	struct buf title SCOPED(buf) = { 0 }, text SCOPED(buf) = { 0 };
	/* those measured now: not of a baseline */
	double seconds = (r->of == RECORDINGS ? 0 : t[0].mean * (double)t[0].n) +
			 t[1].mean * (double)t[1].n;

	print_page_title(&title, r, p->count, seconds);
	buf_printf(b, "<!DOCTYPE html>\n<html xmlns=\"http://www.w3.org/1999/xhtml\" lang=\"en\">"
		      "<head><meta charset=\"utf-8\"/><title>turbostat: %s</title>",
		   page_text(title.p));
	buf_printf(b, "<meta name=\"viewport\" content=\"width=device-width\"/><style>%s",
		   page_style);
	print_scale_style(b);
	buf_puts(b, "</style>");
	if (!p->ended)
		buf_printf(b, "<meta http-equiv=\"refresh\" content=\"%.0f\"/>",
			   O.interval > 1 ? O.interval : 1);
	buf_printf(b, "</head><body>\n<main>\n<h1>%s</h1>\n", page_text(title.p));
	if (has_measure(r, M_DIFF)) {
		print_compared(&text, r);
		buf_printf(b, "<p class='note'>%s</p>\n", page_text(text.p));
		buf_clear(&text);
	}
	if (R.picture) {
		print_measured(&text, r, p, seconds);
		buf_printf(b, "<p class='note'>%s</p>\n", page_text(text.p));
	}
	if (R.picture && !has_measure(r, M_DIFF))
		draw_answers(b, p, seconds);
}

/* Appends the page of what has been measured so far. */
static void picture_page(struct buf *b, const struct runs *r)
{
	static const struct picture none = { .ended = true };	/* two recordings are compared */
	const struct picture *p = R.picture ?: &none;
	bool is_alone = R.picture && !p->runs && p->count == 1;
	bool compares = has_measure(r, M_DIFF);
	struct buf text SCOPED(buf) = { 0 };

	draw_top(b, r, p);
	buf_puts(b, "<div class='c'>\n");
	if (compares)
		draw_differences(b, r);
	for (int i = p->heat; i < p->n && !is_alone;)
		i = draw_chart(b, p, i);
	buf_puts(b, "</div>\n");
	if (is_alone && p->ended)
		buf_printf(b, "<p>One interval: nothing to draw over time.%s</p>\n",
			   r->side[0].command ? " To have more, record the command with --total."
					      : "");
	if (R.picture && !p->runs && !is_alone)
		name_zeros(b, r);
	list_statistics(&text, r);
	add_table(b, true, compares ? "All rows" : "Statistics", &text, FIRST_CELLS);
	add_table(b, true, "Regions", &p->regions, FIRST_LINE);
	add_table(b, false, "The whole time, CPU by CPU", &p->whole, FIRST_LINE);
	if (R.header.len) {
		add_fold(b, false, "System configuration", 0);
		buf_printf(b, "<pre>%s</pre></div>\n", page_text(R.header.p));
	}
	buf_puts(b, "</main>\n</body></html>\n");
}

/* The formats, by enum output. */
static const struct writer writers[] = {
	[TABLE] = { NULL, print_table, print_statistics, NULL, print_answer },
	[JSON] = { json_begin, json_interval, json_statistics, json_errors, json_answer },
	[CSV] = { csv_begin, csv_interval, csv_statistics },
	[PROMETHEUS] = { prom_begin, prom_interval, NULL, NULL, prom_answer },
	[HTML] = { picture_begin, picture_interval, picture_page },
};

/* ======================================================================== *
 * 27. INTERVALS
 *
 * Writes output, redraws the terminal, follows CPU hotplug, computes and prints intervals.
 * Owns R.output.
 * ======================================================================== */

/* --- output --- */

/* Has a signal, or the reader of --record closing its pipe, asked for the end? */
static bool is_ending(void)
{
	return R.arrived & (1 << SIGINT | 1 << SIGQUIT | 1 << SIGTERM | 1 << SIGHUP) ||
	       (S.record_name && !S.records);	/* nobody reads the recording any more */
}

/* Writes with signals unblocked.  After a signal to end, waits PATIENCE for a stalled reader. */
static int write_table(int fd, const char *s, size_t n)
{
	static const i64 PATIENCE = 5 * NS_PER_S;
	bool wait = false;	/* the last write would have blocked */
	sigset_t blocked;
	int err = 0;

	sigprocmask(SIG_SETMASK, &R.let_in, &blocked);
	while (n && !err) {
		struct pollfd out = { .fd = fd, .events = POLLOUT };
		bool ending = is_ending();
		size_t piece = ending && n > PIPE_BUF ? PIPE_BUF : n;
		int ready = ending || wait
			    ? src_wait(&out, 1, ending ? PATIENCE : NS_PER_S, NULL) : 1;
		ssize_t k = ready > 0 ? write(fd, s, piece) : 0;

		wait = k <= 0;
		if (ending && !ready)
			err = -EINTR;
		else if (k < 0 && errno != EAGAIN && errno != EINTR)
			err = -errno;
		s += k > 0 ? k : 0;
		n -= k > 0 ? (size_t)k : 0;
	}
	sigprocmask(SIG_SETMASK, &blocked, NULL);
	return err;
}

/* Returns the length of a field of CSV, with its quotes. */
static size_t field_length(const char *s)
{
	bool quoted = false;
	size_t n = 0;

	for (; s[n] && (quoted || s[n] != ','); n++)
		quoted ^= s[n] == '"';
	return n;
}

/* Appends the fields of a line of CSV that another line lacks. */
static void list_lacking(struct buf *b, const char *title, const char *line, const char *other)
{
	size_t begin = b->len, n, k;

	for (const char *s = line; *s; s += n + (s[n] == ',')) {
		const char *o = other;

		n = field_length(s);
		for (; (k = field_length(o)) != n || memcmp(o, s, n); o += k + (o[k] == ','))
			if (!o[k])
				break;
		if (k == n && !memcmp(o, s, n))
			continue;
		buf_item(b, begin, title, ", ");
		buf_printf(b, "'%.*s'", (int)n, s);
	}
}

/* Dies unless a file begins with these names of columns; both are lines without their newline. */
static void check_names(const char *was, const char *names)
{
	struct buf b SCOPED(buf) = { 0 };
	size_t two = field_length(names);	/* "type,name" */

	if (!strcmp(was, names))
		return;
	if (names[two])
		two += 1 + field_length(names + two + 1);
	if (strncmp(was, names, two) || (was[two] && was[two] != ','))
		die("--append: %s does not begin with the names of columns", O.out);
	list_lacking(&b, ": it has ", was, names);
	list_lacking(&b, b.len ? ", and lacks " : ": it lacks ", names, was);
	die("--append: %s was written with other columns%s", O.out,
	    b.len ? b.p : ": it has them in another order");
}

/* Completes the last line of the file of --out, which is open for reading, too, unless fd < 0. */
static void complete_last_line(int fd)
{
	char last = '\n';

	if (fd >= 0 && lseek(fd, -1, SEEK_END) >= 0)
		src_read(fd, &last, 1, -1);
	if (last != '\n')
		write_table(R.output.out, "\n", 1);
}

/*
 * Truncates the file of --out.  With --append, completes its last line, and returns the length of
 * the CSV header, which it then has; dies if it has another one.
 */
static size_t begin_file(const char *text)
{
	enum { MOST_NAMES_LINE = 1 << 20 };
	int fd = O.append ? open_as_user(O.out, O_RDONLY | O_NONBLOCK) : -1;
	size_t length = strcspn(text, "\n") + 1;
	struct buf was SCOPED(buf) = { 0 };
	ssize_t n = fd < 0 ? 0 : src_append(fd, &was, MOST_NAMES_LINE, -1);
	bool named = outputs[O.format].named_once && n > 0;
	struct stat st;

	R.output.is_old = false;
	if (!O.append && ftruncate(R.output.out, 0) && errno != EINVAL)	/* not a regular file */
		die("%s: %s", O.out, strerror(errno));
	if (named) {
		char *names SCOPED(ptr) = textf("%.*s", (int)length - 1, text);
		bool complete = strchr(was.p, '\n');

		check_names(complete ? first_line(was.p) : "", names);
	}
	complete_last_line(fd);
	if (fd >= 0)
		close(fd);
	R.output.size = !fstat(R.output.out, &st) && S_ISREG(st.st_mode) ? st.st_size : -1;
	return named ? length : 0;
}

/*
 * Was the file of --out emptied since we wrote to it, as logrotate's copytruncate does?  If it was
 * cut within a line, completes this line.
 */
static bool out_was_emptied(void)
{
	struct stat st, named;
	bool emptied;
	int fd;

	if (R.output.size < 0 || fstat(R.output.out, &st))
		return false;
	emptied = st.st_size < R.output.size;
	if (emptied && st.st_size && !stat(O.out, &named) && named.st_ino == st.st_ino &&
	    named.st_dev == st.st_dev && (fd = open_as_user(O.out, O_RDONLY | O_NONBLOCK)) >= 0) {
		complete_last_line(fd);
		fstat(R.output.out, &st);
		close(fd);
	}
	R.output.size = st.st_size;
	return emptied;
}

/* Returns the destination of the table for messages. */
static const char *table_name(void)
{
	return R.output.replaced		? O.out
	       : R.output.out == STDOUT_FILENO ? "standard output"
	       : R.output.out == STDERR_FILENO ? "standard error" : O.out;
}

/* Writes to the table's destination, or dies. */
static void emit_text(const struct buf *b)
{
	struct buf named SCOPED(buf) = { 0 };
	size_t done;
	int err;

	if (!b->len)
		return;
	show_status(NULL, R.output.out);
	done = R.output.is_old ? begin_file(b->p) : 0;
	if (R.output.begun && !done && out_was_emptied() && outputs[O.format].named_once) {
		writers[O.format].begin(&named, &R.interval);
		buf_add(&named, b->p, b->len);
		b = &named;
	}
	err = R.output.replaced ? src_replace(O.out, b->p, b->len)
			 : write_table(R.output.out, b->p + done, b->len - done);
	if (R.output.size >= 0)
		R.output.size += (off_t)(b->len - done);
	if (err == -EINTR && R.output.out == STDERR_FILENO)
		exit(1);		/* a message would not be read, either */
	if (err)
		die("%s: %s", table_name(),
		    err == -EINTR ? "nobody reads it: the last interval is cut" : strerror(-err));
}

/* --- CPUs that come and go --- */

/* Returns whether a CPU list has changed; costs one pread. */
static bool list_changed(int fd, const char *path, const struct cpuset *was)
{
	const char *now = is_kept(fd) ? src_whole(fd, path) : NULL;
	struct cpuset set;

	return now && !parse_cpulist(now, &set) && memcmp(&set, was, sizeof(set));
}

/* Appends "cpu6 has gone" or "cpus 2-3 have come" for the CPUs that only one of the sets has. */
static void print_change(struct buf *b, const struct cpuset *was, const struct cpuset *is)
{
	for (int come = 0; come < 2; come++) {
		struct cpuset set = come ? *is : *was;
		int n;

		set_minus(&set, come ? was : is);
		n = set_count(&set);
		if (n)
			buf_printf(b, "%scpu%s%s %s %s", b->len ? ", " : "", n > 1 ? "s " : "",
				   set_text(&set), n > 1 ? "have" : "has", come ? "come" : "gone");
	}
}

/* Prints a region; with work its columns are due, as some region has work. */
static void print_region(struct buf *b, const struct code_region *g, bool work)
{
	writers[O.format].interval(b, &g->total,
				   &(struct result){ .region = g, .name = g->name, .work = work,
						     .names = outputs[O.format].text ||
							      g == R.control.region });
}

/* Keeps what is printed of closed regions before CPUs change; a page has only their summary. */
static void keep_regions(void)
{
	if (outputs[O.format].totals || outputs[O.format].document)
		return;
	for (int i = 0; i < 2 * R.control.n; i++) {
		struct code_region *g = &R.control.region[i / 2];

		if (!g->running && !g->text[i % 2].len)
			print_region(&g->text[i % 2], g, i % 2);
	}
}

/* Is energy of a unit part of a sum: is some CPU of it online? */
static bool is_counted(const struct unit *u)
{
	return u->lead >= 0 || u->afar;
}

/* Does a column show energy that is counted by dies, or by packages? */
static bool shows_energy(void)
{
	for (int i = 0; i < P.nshown; i++)
		if (!is_plain(P.shown[i]) && is_energy(&T.counter[P.shown[i]->a]) &&
		    is_read_afar(&T.counter[P.shown[i]->a]))
			return true;
	return false;
}

/* Is some unit of a scope in a package counted? */
static bool counts_package(enum scope scope, int package)
{
	for (int i = 0; i < M.nunits[scope]; i++)
		if (M.unit[scope][i].ids[0] == package && is_counted(&M.unit[scope][i]))
			return true;
	return false;
}

/*
 * Names the dies whose energy is no longer in the sums; a package if all of its dies are offline.
 * was: those that were counted before, of as many units as n.
 */
static void note_offline(const bool *was, int n)
{
	enum scope scope = energy_scope();
	const struct unit *unit = M.unit[scope];

	for (int i = 0; i < n && shows_energy(); i++) {
		int package = unit[i].ids[0], first = 0;

		if (!was[i] || is_counted(&unit[i]))
			continue;
		if (scope == DIE && counts_package(scope, package)) {
			note(hash_bytes((const char *)&i, sizeof(i), R.pass),
			     "die %d of package %d is offline: its energy is not included",
			     unit[i].ids[1], package);
			continue;
		}
		while (unit[first].ids[0] != package || !was[first])
			first++;
		if (first == i)		/* once for all its dies that have gone now */
			note(hash_bytes((const char *)&i, sizeof(i), R.pass),
			     "package %d is offline: its energy is not included", package);
	}
}

/* Checks for CPU hotplug and cpuset changes, and plans anew.  Columns never change. */
static void follow_cpus(void)
{
	struct cpuset before = M.allowed, were_online = M.online, online_before = M.online;
	enum { EVERY = 16 };	/* intervals */
	bool looks, changed;
	struct buf b SCOPED(buf) = { 0 };
	int online, were, lacking, units = M.nunits[energy_scope()];
	bool *counted SCOPED(ptr) = NULL;

	P.waited = P.incomplete ? P.waited + 1 : 0;
	looks = P.waited % EVERY == 1;	/* for what has gone: at once, then seldom: it costs much */
	set_join(&online_before, &M.left_out);
	if (!looks && !M.unvisited &&
	    !list_changed(P.online_fd, SYS_CPU "online", &online_before) &&
	    !list_changed(P.cpuset_fd, M.cpuset_path, &M.cpuset))
		return;
	counted = zeroed((size_t)units, sizeof(*counted));
	for (int i = 0; i < units; i++)
		counted[i] = is_counted(&M.unit[energy_scope()][i]);
	machine_cpus();
	changed = memcmp(&before, &M.allowed, sizeof(before)) ||
		  ((M.nafar || memcmp(&M.allowed, &M.online, sizeof(before))) &&
		   memcmp(&were_online, &M.online, sizeof(before)));
	if (changed || M.unvisited) {
		keep_regions();
		src_lay_out(M.n);
		machine_topology();
		machine_tjmax((int)O.tcc);
		if (M.visited)
			machine_visit();
	} else if (!looks) {
		return;
	}
	if (changed || looks)
		list_devices();
	follow_units();
	plan_sources();
	plan_layout();
	samples_grow();
	if (!changed)
		return;
	print_change(&b, &before, &M.allowed);
	if (!b.len)		/* they are not measured, but energy may be read on them */
		print_change(&b, &were_online, &M.online);
	online = set_count(&M.online);
	were = set_count(&before);
	/* without CPUs whose load cannot be read */
	note(R.pass, "%s: measuring %d of %d CPUs", b.p,
	     T.counter[CT_MPERF].chosen ? count_served(CT_MPERF, &lacking) : M.n,
	     online > were ? online : were);
	note_offline(counted, units);
}

/* --- intervals --- */

/* Chooses the layout if the table goes to a terminal. */
static void choose_look(void)
{
	const char *kind = getenv("TERM"), *plain = getenv("NO_COLOR");
	bool dumb = kind && !strcmp(kind, "dumb");
	struct screen *s;

	if (O.look == LIVE && !isatty(R.output.out))
		die("--view live needs a terminal: %s is not one", table_name());
	if (!outputs[O.format].text || O.topic || !isatty(R.output.out))
		return;
	s = R.screen = zeroed(1, sizeof(*s));
	if (O.look == FIT || !(O.look || dumb))
		s->look = FIT;
	else
		s->look = dumb ? WIDE : O.look;
	messages.holds |= s->look == LIVE;
	s->bold = kind && !dumb && !(plain && *plain);
	s->named = -1;
	R.arrived |= 1 << SIGWINCH;	/* its size is not known yet */
	s->sentence.throttles = NaN;
	for (int row = 0; row < M.n; row++) {
		double celsius = leads_unit(PACKAGE, row) ? throttle_celsius(row) : NaN;

		if (celsius == celsius && !(celsius >= s->sentence.throttles))
			s->sentence.throttles = celsius;
	}
	tzset();		/* for localtime_r() */
	/* after those of T: ids, energy per work, and --add columns with such a name */
	s->field = zeroed(3 * (size_t)T.ncolumns + MOST_IDS, sizeof(*s->field));
	for (int i = 0; i < T.ncolumns; i++)
		for (size_t k = 0; k < O.nselectors; k++)
			s->field[i].drawn |= O.selector[k].verb == SHOW &&
					     !strcmp(O.selector[k].word, T.column[i].name);
}

/* Is the table redrawn in place? */
static bool is_live(void)
{
	return R.screen && R.screen->look == LIVE;
}

/* Returns whether a signal has arrived, and forgets it. */
static bool take_signal(int sig)
{
	bool has_arrived = R.arrived >> sig & 1;

	R.arrived &= ~(1 << sig);
	return has_arrived;
}

/* Gets the size of the window if it may have changed. */
static void measure_window(struct screen *s)
{
	struct winsize size;

	if (!take_signal(SIGWINCH))
		return;
	size = window_of(R.output.out);
	s->lines = size.ws_row;
	s->columns = size.ws_col;
	s->width = s->look == WIDE ? INT_MAX : s->columns;
}

/* Draws the newest notes, as many as the window has lines left. */
static void draw_notes(struct screen *s, struct buf *b)
{
	const struct buf *notes = &messages.held;
	size_t at = notes->len;

	for (int n = s->drawn; at && n < s->lines - 1; n++)
		do
			at--;
		while (at && notes->p[at - 1] != '\n');
	if (notes->len)
		draw_text(s, b, notes->p + at);
}

/* Draws the tables of --view live: the parts, or the summary alone as a stack. */
static void draw_frame(struct screen *s, struct buf *b, const struct interval *iv, int most)
{
	struct buf text SCOPED(buf) = { 0 };

	s->named = -1;
	s->drawn = 0;
	if (!O.summary) {
		find_sentence(&s->sentence, iv, false);
		draw_live(s, b, iv, most);
		s->sentence.n = 0;
		return;
	}
	print_table(&text, iv, &(struct result){ .names = true });
	draw_text(s, b, text.p);
}

/* Cuts the frame after most lines; a last line says so if the user has chosen the rows. */
static void cut_frame(struct screen *s, struct buf *b, int most)
{
	bool chosen = O.per != SYSTEM || set_count(&O.cpus) || O.first_of || O.summary;
	int lines = s->drawn;
	size_t kept = 0;

	if (lines <= most)
		return;
	for (s->drawn = 0; s->drawn < most - chosen; s->drawn++)
		kept += strcspn(b->p + kept, "\n") + 1;
	b->len = kept;
	if (!chosen)
		return;
	put_text(s, b, 0, pathf("%d more lines: --view fit shows all", lines - most + 1), NORMAL);
	end_line(s, b);
}

/* Draws the window's last line: the keys, if any are read; the cursor stands there. */
static void draw_keys(struct screen *s, struct buf *b)
{
	enum { LEAST_LINES = 5 };
	const char *text = "q quit   space freeze   Enter now";

	s->has_keys = R.keys && !O.summary && s->lines >= LEAST_LINES;
	if (s->has_keys)
		for (int i = s->drawn; i < s->lines - 1; i++)
			buf_puts(b, "\n");
	if (R.frozen)
		text = s->has_keys ? "frozen   space go on   q quit"
				   : "frozen: press space to go on";
	if (s->has_keys)
		put_text(s, b, 0, text, NORMAL);
	else if (R.frozen && O.summary)
		buf_printf(b, "%.*s", s->columns - 1, text);
	buf_puts(b, "\r");
}

/*
 * Redraws the screen: the table, the notes, the keys.  The newest note is always shown, older ones
 * if there is room.  The table gets the remaining lines.
 */
static void redraw(const struct interval *iv)
{
	struct buf frame SCOPED(buf) = { 0 }, b SCOPED(buf) = { 0 };
	struct screen *s = R.screen;
	int most;

	measure_window(s);
	most = s->lines - 1 - (messages.held.len > 0);	/* the cursor has one */
	most = most > 1 ? most : 1;
	draw_frame(s, &frame, iv, most);
	cut_frame(s, &frame, most);
	draw_notes(s, &frame);
	if (s->drawn >= s->lines && frame.len)	/* no line is left for the cursor */
		frame.len--;
	for (int i = 0; i < s->lines && !R.output.printed; i++)
		buf_puts(&b, "\n");	/* scroll the old content away */
	buf_printf(&b, "\033[H%.*s\033[J", (int)frame.len, frame.p ?: "");
	draw_keys(s, &b);
	emit_text(&b);
}

/* Writes the text, on a terminal after a ^C in a new line; --html FILE at most once a second. */
static void flush_output(void)
{
	struct buf drawn SCOPED(buf) = { 0 };

	if (R.picture && R.output.replaced && src_now() - R.picture->written >= NS_PER_S) {
		writers[O.format].statistics(&R.output.text, R.course);
		R.picture->written = src_now();
	}
	if (!R.output.text.len)
		return;
	if (R.screen) {
		measure_window(R.screen);
		buf_puts(&drawn, R.screen->has_keys ? "\r\033[K" : "");
		R.screen->has_keys = false;
		buf_puts(&drawn, R.output.echoed ? "\n" : "");
		R.output.echoed = false;
		draw_text(R.screen, &drawn, R.output.text.p);
	}
	emit_text(R.screen ? &drawn : &R.output.text);
	buf_clear(&R.output.text);
}

/* Prints what a format has before the first interval. */
static void begin_output(void)
{
	if (!writers[O.format].begin || R.output.begun)
		return;
	R.output.begun = true;
	if (O.is_baseline || (O.replay_other && !outputs[O.format].named_once))
		return;
	writers[O.format].begin(&R.output.text, &R.interval);
	flush_output();
}

/* Prints an interval to the terminal: with the answer, unless --show has chosen the columns. */
static void print_on_screen(const struct interval *iv, const struct result *r)
{
	struct result once = *r;

	once.once = R.screen->look != WIDE;
	if (once.once && !O.summary && !has_shown())
		find_sentence(&R.screen->sentence, iv, r->command || r->total);
	print_table(&R.output.text, iv, &once);
	flush_output();
	R.screen->sentence.n = 0;
}

/* Prints an interval or a sum of intervals; nothing with --delay -1, which is for regions. */
static void print_result(const struct interval *iv, const struct result *r)
{
	if (O.topic) {
		answer_interval(&R.output.text, iv, r, &writers[O.format]);
	} else if (is_live() && !r->total && !r->command && O.delay >= 0) {
		if (!R.frozen)
			redraw(iv);
	} else if (R.screen && O.delay >= 0) {
		print_on_screen(iv, r);
	} else if (O.delay >= 0) {
		writers[O.format].interval(&R.output.text, iv, r);
	}
	flush_output();
	R.output.printed++;
}

/* Prints the newest interval, with column names if they are due. */
static void print_newest(void)
{
	u64 printed = R.output.printed;
	bool due = O.header_every ? printed % O.header_every == 0 : !O.summary || !printed;

	due |= outputs[O.format].text && out_was_emptied();
	if (R.screen)
		R.screen->due = due;
	if (R.course) {
		collect_values(R.course, 0, R.since.sum ? &R.since : &R.interval);
		count_values(R.course);
	}
	print_result(R.since.sum ? &R.since : &R.interval,
		     &(struct result){ .names = due || R.screen,
				       .n = printed + 1,
				       .name = R.control.label });
	free(R.control.label);
	R.control.label = NULL;
	if (!R.since.sum)
		return;
	clear_sums(&R.since);
	add_interval(&R.since, &R.interval, true);
}

/* Was a CPU busy for less than a quarter of the interval?  False if that was not read. */
static bool was_idle(const struct interval *iv, int row)
{
	enum { PART = 4 };
	int cpu = M.in[CPU][row];
	bool by_clocks = T.counter[CT_MPERF].scope == CPU && is_known_in(iv, CT_MPERF, cpu) &&
			 is_known_in(iv, CT_TSC, cpu) && !is_accounting(T.counter[CT_MPERF].chosen);

	if (by_clocks)
		return (double)iv->value[CT_MPERF][cpu] * PART <
		       (double)iv->value[CT_TSC][cpu] * M.tsc_tweak;
	return is_known_in(iv, CT_TICKS, cpu) && is_known_in(iv, CT_BUSY_TICKS, cpu) &&
	       iv->value[CT_BUSY_TICKS][cpu] * PART < iv->value[CT_TICKS][cpu];
}

/* Notes which CPUs sleep: the next pass visits them. */
static void find_asleep(const struct interval *iv)
{
	R.asleep = (struct cpuset){ .w = { 0 } };
	for (int row = 0; row < M.n; row++)
		if (was_idle(iv, row))
			set_add(&R.asleep, M.cpu[row]);
}

/* A sample begins or ends what is judged; others, as those of --control, only add to sums. */
enum sampling { FIRST_SAMPLE, INNER_SAMPLE, LAST_SAMPLE };

/* Takes a sample, computes the interval and adds it to all sums; of the first only levels. */
static void next_sample(enum sampling which)
{
	bool first = which == FIRST_SAMPLE;

	if (R.pass && !O.replay)
		follow_cpus();
	R.now = !R.now;
	take_sample(&R.sample[R.now]);
	if (which != INNER_SAMPLE && (R.asked || R.energy))
		read_evidence(first ? IN_FIRST_SAMPLE : IN_LAST_SAMPLE);
	src_end(&R.sample[R.now].t, false);
	note_failures();
	compute_interval(&R.interval, &R.sample[first ? R.now : !R.now], &R.sample[R.now]);
	note_absences();
	if (!first && !O.replay)
		find_asleep(&R.interval);
	R.unread = false;
	for (int k = 0; k < T.ncounters; k++)
		if (may_have_wrapped(&R.interval, &T.counter[k]))
			note_unread();
	R.measured |= !first;
	if (R.totals)
		grow_totals(R.totals, &R.interval);
	if (R.total.sum)
		add_interval(&R.total, &R.interval, first);
	if (R.since.sum)
		add_interval(&R.since, &R.interval, first);
	if (R.since.sum && R.picture && !first && O.delay >= 0) {
		collect_values(R.course, 0, &R.interval);
		draw_interval(R.picture, &R.interval, &(struct result){ .n = 0 });
	}
	for (int i = 0; i < R.control.n; i++)
		if (R.control.region[i].running)
			add_interval(&R.control.region[i].total, &R.interval, false);
}

/* ======================================================================== *
 * 28. RUN
 *
 * Waits for signals, keys, the command, lines of --control or a recording, and measures.
 * ======================================================================== */

/* --- signals --- */

/* If the user ignores SIGHUP or a later one, so do we; the last three are for a screen. */
static const int signals[NSIGNALS] = { SIGINT, SIGQUIT,  SIGTERM, SIGUSR1, SIGCHLD,
				       SIGHUP, SIGWINCH, SIGCONT, SIGTSTP };
enum { MAY_BE_IGNORED = 5, FOR_SCREEN };

/* The size of the window may have changed before SIGCONT. */
static void on_signal(int sig)
{
	R.arrived |= 1 << (sig == SIGCONT ? SIGWINCH : sig);
	R.output.echoed |= sig == SIGINT;
}

/* Installs the handlers; signals are blocked except while waiting and writing. */
static void catch_signals(void)
{
	struct sigaction handler = { .sa_handler = on_signal };
	sigset_t caught;

	sigprocmask(SIG_SETMASK, NULL, &R.left.mask);
	R.let_in = R.left.mask;
	sigemptyset(&caught);
	for (int i = 0; i < NSIGNALS; i++) {
		sigaction(signals[i], NULL, &R.left.action[i]);
		if ((i >= MAY_BE_IGNORED && R.left.action[i].sa_handler == SIG_IGN) ||
		    (i >= FOR_SCREEN && !R.screen) || (signals[i] == SIGTSTP && !R.keys))
			continue;
		sigaction(signals[i], &handler, NULL);
		sigaddset(&caught, signals[i]);
		sigdelset(&R.let_in, signals[i]);
	}
	sigprocmask(SIG_BLOCK, &caught, NULL);
}

/* --- events --- */

struct until {			/* what ends a measurement, and how it ended */
	enum phase { BEFORE, MEASURING, OVER } phase;	/* first and last sample */
	i64 deadline, end; /* of the interval, of all: CLOCK_MONOTONIC in ns, NOW or NEVER */
	pid_t child;		/* the command, while it runs */
	struct command_run run;	/* of the ended command; number: of --repeat */
	bool stop;		/* a signal asks for no more runs */
	short input, control;	/* revents of standard input and --control */
	bool gone;		/* the command or the process of --pid has ended */
};
static const i64 NOW = 0, NEVER = INT64_MAX;

enum news {			/* in the order of precedence; the last two end a measurement */
	NOTHING,
	CONTROL,		/* lines of --control, live or recorded */
	/* deadline, a line on standard input, SIGUSR1, the next recorded sample */
	INTERVAL_OVER,
	ALL_OVER,		/* end of the command or of --timeout, a signal, 'q' */
	NO_MORE,		/* end of the recording or of a recorded run */
	NNEWS
};
_Static_assert(INTERVAL_OVER == CONTROL + 1 && ALL_OVER == INTERVAL_OVER + 1 &&
	       NO_MORE == ALL_OVER + 1 && NNEWS == NO_MORE + 1, "the order of precedence");

/* --- standard input --- */

/* Is standard input a terminal, a pipe or a socket? */
static bool is_interactive(void)
{
	struct stat st;

	return !fstat(STDIN_FILENO, &st) &&
	       (S_ISFIFO(st.st_mode) || S_ISSOCK(st.st_mode) || isatty(STDIN_FILENO));
}

/* Is standard input a terminal where another job is in the foreground? */
static bool is_in_background(void)
{
	return isatty(STDIN_FILENO) && tcgetpgrp(STDIN_FILENO) != getpgrp();
}

/* Makes keys of --view live readable at once. */
static void take_keys(void)
{
	struct termios t;

	if (!R.keys || is_in_background() || tcgetattr(STDIN_FILENO, &t) || !(t.c_lflag & ICANON))
		return;
	R.left.terminal = t;
	t.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
	t.c_cc[VMIN] = 1;
	t.c_cc[VTIME] = 0;
	tcsetattr(STDIN_FILENO, TCSANOW, &t);
}

static void release_keys(void)
{
	if (!R.keys || is_in_background())
		return;
	if (R.left.terminal.c_lflag & ICANON)
		tcsetattr(STDIN_FILENO, TCSANOW, &R.left.terminal);
	if (R.frozen || (R.screen && R.screen->has_keys))
		dprintf(R.output.out, "\033[K");
}

/* Gives the terminal back as it was; the signal then ends the program, as its handler is gone. */
static void on_fatal_signal(int sig)
{
	release_keys();
	raise(sig);
}

/* If keys are read, catches whatever else ends the program by default. */
static void catch_fatal_signals(void)
{
	static const int others[] = {
		SIGCHLD, SIGCONT, SIGURG, SIGWINCH, SIGTSTP, SIGTTIN, SIGTTOU
	};
	struct sigaction fatal = { .sa_handler = on_fatal_signal, .sa_flags = SA_RESETHAND }, was;

	for (int sig = 1; R.keys && sig <= SIGRTMAX; sig++) {
		bool ends = sigaction(sig, NULL, &was) == 0 && was.sa_handler == SIG_DFL;

		for (size_t i = 0; i < ARRAY_SIZE(others); i++)
			ends &= sig != others[i];
		if (ends)
			sigaction(sig, &fatal, NULL);	/* not SIGKILL, SIGSTOP: EINVAL */
	}
}

/* Stops until SIGCONT, as SIGTSTP does by default: not where nobody could send that. */
static void stop(void)
{
	release_keys();
	signal(SIGTSTP, SIG_DFL);
	raise(SIGTSTP);
	src_wait(NULL, 0, 0, &R.let_in);
	signal(SIGTSTP, on_signal);
	take_keys();
}

/*
 * Reads what another program writes, which may be meant for others: byte by byte, nothing behind
 * the newline that ends the interval, or the line "q" that ends the program.  End of file ends a
 * line "q", too.  Nobody types a newline in the first 10 ms of an interval: it is ignored.
 */
static enum news read_lines(void)
{
	enum { AT_ONCE = 4096, TOO_SOON = 10000000 };	/* bytes; ns */
	struct pollfd in = { .fd = STDIN_FILENO, .events = POLLIN };

	for (int i = 0; i < AT_ONCE && (!i || src_wait(&in, 1, 0, NULL) > 0); i++) {
		char ch = '\n';
		ssize_t n = src_read(STDIN_FILENO, &ch, 1, -1);
		bool quits = ch == '\n' && R.typed == LINE_Q;

		R.watch_stdin = n > 0 || n == -EAGAIN;
		if (n < 0)
			return NOTHING;
		if (ch == '\n')
			R.typed = LINE_EMPTY;
		else
			R.typed = ch == 'q' && R.typed == LINE_EMPTY ? LINE_Q : LINE_OTHER;
		if (quits)
			return ALL_OVER;
		if (!n)
			return NOTHING;
		if (ch == '\n' && src_now() - R.sample[R.now].t.end.mono >= TOO_SOON)
			return INTERVAL_OVER;
	}
	return NOTHING;
}

/* Reads standard input: 'q' ends the program, a line the interval, end of file the watching. */
static enum news read_input(short events)
{
	char text[256];
	ssize_t n;

	if (!R.watch_stdin || !events)
		return NOTHING;
	if (!isatty(STDIN_FILENO))
		return read_lines();
	if (is_in_background()) {
		R.input_waits = true;	/* reading in the background: SIGTTIN */
		return NOTHING;
	}
	n = src_read(STDIN_FILENO, text, sizeof(text), -1);
	R.watch_stdin = n > 0 || n == -EAGAIN;
	for (ssize_t i = 0; i < n && R.keys && R.output.printed; i++)
		if (text[i] == ' ') {
			R.frozen = !R.frozen;
			redraw(&R.interval);
		}
	if (n <= 0 || memchr(text, 'q', (size_t)n))
		return n > 0 ? ALL_OVER : NOTHING;
	return !R.keys || memchr(text, '\n', (size_t)n) ? INTERVAL_OVER : NOTHING;
}

/* --- the command --- */

/* Is it a word that only a shell knows: one of its commands, or NAME=VALUE? */
static bool is_of_shell(const char *word)
{
	static const char *const commands[] = { "cd", "export", "source", "alias", "ulimit" };
	size_t name = strspn(word,
			     "ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz0123456789");

	return find_word(word, commands, ARRAY_SIZE(commands)) >= 0 ||
	       (name && !isdigit((u8)*word) && word[name] == '=');
}

/* Returns what a user probably meant by a command that does not exist, or NULL. */
static const char *guess_command(const char *word)
{
	double seconds;

	if (is_known(word))
		return "write lists of columns with commas, without blanks";
	if (parse_double(word, &seconds))
		return pathf("for the interval, use -i %s", word);
	if (is_of_shell(word))
		return pathf("a word of the shell: sh -c '%s ...'", word);
	if (text_after(word, "\u2014") || text_after(word, "\u2013"))
		return pathf("'%.3s' is not '--'", word);
	if (strchr(word, ' '))
		return pathf("without quotes, or: sh -c '%s'", word);
	if (!strcmp(word, "help"))
		return "did you mean --help?";
	if (O.format && strchr(word, '.'))
		return pathf("to write a file: --out %s", word);
	return NULL;
}

/* Does a file begin as a recording? */
static bool is_recording(const char *path)
{
	int fd = open_as_user(path, O_RDONLY | O_NONBLOCK);
	char text[sizeof(MAGIC)] = { 0 };
	bool is = fd >= 0 && src_read(fd, text, sizeof(text) - 1, -1) > 0 && !strcmp(text, MAGIC);

	if (fd >= 0)
		close(fd);
	return is;
}

/* Says why a command cannot be run, and exits with 126 or 127, as a shell does. */
static __attribute__((noreturn)) void refuse_command(const char *word, int err)
{
	const char *guess;

	if (is_recording(word))
		say("%s is a recording: use --replay %s", word, word);
	else if (!*word)
		say("'': command not found");
	else if (err != ENOENT || (strchr(word, '/') && access(word, F_OK)))
		say("%s: %s", word, strerror(err));
	else if (strchr(word, '/'))
		say("%s: its interpreter was not found", word);
	else if ((guess = guess_command(word)))
		say("%s: command not found (%s)", word, guess);
	else
		say("%s: command not found", word);
	exit(err == ENOENT ? 127 : 126);
}

/* Looks for a command as execvp() will, so that it is refused before anything is printed. */
static void look_up_command(const char *word)
{
	const char *path = getenv("PATH") ?: "/bin:/usr/bin";
	struct stat st;

	if (strchr(word, '/')) {
		if (access(word, X_OK))
			refuse_command(word, errno);
		if (!stat(word, &st) && S_ISDIR(st.st_mode))
			refuse_command(word, EACCES);
		return;
	}
	for (const char *end; *word; path = end + 1) {
		const char *file;

		end = strchrnul(path, ':');
		file = pathf("%.*s%s%s", (int)(end - path), path, end > path ? "/" : "", word);
		if (!access(file, X_OK) && !stat(file, &st) && S_ISREG(st.st_mode))
			return;
		if (!*end)
			break;
	}
	refuse_command(word, ENOENT);
}

/*
 * Starts the command, with all that it inherits as the user left it and with the user's rights, and
 * returns its process; else exits with 126 or 127, as a shell does.  If its events are counted, it
 * waits for a byte until they are open.
 */
static pid_t start_command(char **command, bool counts)
{
	struct { const char *call; int err; } failed = { 0 };	/* call: of ours, not the exec */
	int fds[2], go[2] = { -1, -1 };
	char byte = 0;
	pid_t pid;

	counts = counts && P.ntasks;
	if (pipe2(fds, O_CLOEXEC) || (counts && pipe2(go, O_CLOEXEC)))
		die("pipe: %s", strerror(errno));
	pid = fork();
	if (pid < 0)
		die("fork: %s", strerror(errno));
	if (pid == 0) {
		if (counts)
			close(go[1]);
		if (counts && src_read(go[0], &byte, 1, -1) != 1)
			_exit(126);	/* turbostat has ended */
		if (O.repeat)		/* the same input for all runs */
			dup2(open_as_user("/dev/null", O_RDWR), STDIN_FILENO);
		for (int i = 0; i < NSIGNALS; i++)
			sigaction(signals[i], &R.left.action[i], NULL);
		restore_file_limit();
		src_go_home();
		setrlimit(RLIMIT_NOFILE, &R.left.descriptors);
		sigprocmask(SIG_SETMASK, &R.left.mask, NULL);
		failed.call = give_up_rights();
		if (!failed.call)
			execvp(command[0], command);
		failed.err = errno;
		if (failed.err == EACCES && !failed.call && !strchr(command[0], '/'))
			failed.err = ENOENT;	/* a directory of PATH is unreadable */
		_exit(write(fds[1], &failed, sizeof(failed)) < 0 ? 126 : 127);
	}
	close(fds[1]);
	if (counts) {
		count_thread(pid, true);
		if (write(go[1], &byte, 1) < 0)		/* go[0] is open: never */
			kill(pid, SIGKILL);
		close(go[0]);
		close(go[1]);
	}
	src_read(fds[0], &failed, sizeof(failed), -1);	/* the text is in both processes */
	close(fds[0]);
	if (failed.call)
		die("the command was not started: %s: %s", failed.call, strerror(failed.err));
	if (failed.err)
		refuse_command(command[0], failed.err);
	return pid;
}

/* If the command has ended, stores its status and usage. */
static void look_for_child(struct until *u)
{
	struct rusage usage, own;
	int status;
	pid_t pid = take_signal(SIGCHLD) && u->child
		    ? wait4(u->child, &status, WNOHANG, &usage) : 0;

	if (pid < 0)
		die("waiting for the command: %s", strerror(errno));
	if (!pid)
		return;
	u->child = 0;
	u->gone = true;
	u->run.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
	u->run.user = usage.ru_utime.tv_sec * NS_PER_S + usage.ru_utime.tv_usec * 1000;
	u->run.sys = usage.ru_stime.tv_sec * NS_PER_S + usage.ru_stime.tv_usec * 1000;
	/* the memory of the forked child, before it executes the command, is in it */
	getrusage(RUSAGE_SELF, &own);
	u->run.maxrss = usage.ru_maxrss > own.ru_maxrss ? (u64)usage.ru_maxrss : 0;
}

/* Handles signals.  While a command runs, passes on SIGTERM and SIGHUP; none runs after it. */
static enum news look_for_signals(struct until *u)
{
	static const int ends[] = { SIGTERM, SIGHUP, SIGINT, SIGQUIT };
	bool sooner = take_signal(SIGUSR1);

	if (!u->child)
		return is_ending() ? ALL_OVER : sooner ? INTERVAL_OVER : NOTHING;
	u->stop |= is_ending();
	for (size_t i = 0; i < ARRAY_SIZE(ends); i++)
		if (take_signal(ends[i]) && (ends[i] == SIGTERM || ends[i] == SIGHUP)) {
			kill(u->child, ends[i]);
			kill(u->child, SIGCONT);	/* in case it is stopped */
		}
	return NOTHING;
}

/* --- regions --- */

#define LONGEST_NAME	64	/* bytes of the name of a region */
#define MOST_NAMES	64	/* of regions */

/* Begins a region, or ends it after an amount of work.  NULL, or what is wrong. */
static const char *switch_region(const char *name, bool on, const char *work)
{
	struct control *c = &R.control;
	struct code_region *g = NULL;
	char *clean SCOPED(ptr) = printable(name), *work_end = NULL;
	double done = work ? strtod(work, &work_end) : 0;
	bool bad = work && (*work_end || done - done != 0);	/* infinite, nan */
	struct stay *stay;

	if (on && strlen(name) > LONGEST_NAME)
		return "the name has more than " STRING(LONGEST_NAME) " bytes";
	for (int i = 0; i < c->n; i++)
		if (!strcmp(c->region[i].name, clean))
			g = &c->region[i];
	if (!g && on && c->n < MOST_NAMES) {
		if (!c->region)		/* once: total points to end */
			c->region = zeroed(MOST_NAMES, sizeof(*c->region));
		g = &c->region[c->n++];
		g->name = printable(name);
		clear_sums(&g->total);
	}
	if (!g && on)
		return "there are " STRING(MOST_NAMES) " regions already";
	if (!g || g->running == on)
		return on ? "the region is open already" : "the region is not open";
	if (on)
		add_interval(&g->total, &R.interval, true);
	g->running = on;
	if (R.picture)
		add_mark(R.picture, g->name, 0, on);
	if (on)
		g->calls++;
	if (work && !bad) {
		g->has_work = true;
		c->has_work = true;
		g->work += done;
	}
	buf_clear(&g->text[0]);
	buf_clear(&g->text[1]);
	stay = resize(g->end.stay, (size_t)M.nunits[CPU], sizeof(*stay));
	memcpy(stay, R.interval.new->stay, (size_t)M.nunits[CPU] * sizeof(*stay));
	g->end = *R.interval.new;	/* its place is needed for a later sample */
	g->end.stay = stay;
	g->total.new = &g->end;
	if (!g->total.old)	/* no interval yet */
		g->total.old = &g->end;
	return bad ? "the work is not a number: the region has ended without it" : NULL;
}

/* Words of --control.  perf's clients read 5 bytes, "ack\n\0" (Linux, tools/perf/util/evlist.c). */
static const struct control_word {
	const char *word;
	enum { BEGIN, END, SAMPLE, STOP, ANSWER } does;
	int most;		/* words after it */
	bool of_perf;
} control_words[] = {
	{ "begin", BEGIN, 1 }, { "enable", BEGIN, 1, true },
	{ "end", END, 2 }, { "disable", END, 2, true },
	{ "sample", SAMPLE, 1 }, { "stop", STOP, 0, true },
	{ "ping", ANSWER, 2, true }, { "evlist", ANSWER, 2, true },
};

/* Returns the row of a line's first word, or NULL. */
static const struct control_word *find_control_word(const char *line)
{
	for (size_t i = 0; i < ARRAY_SIZE(control_words); i++)
		if (is_word(line, strcspn(line, " \n"), control_words[i].word))
			return &control_words[i];
	return NULL;
}

/* Obeys a line after its sample, and updates news.  Returns the error, or NULL. */
static const char *obey_line(char *line, enum news *news)
{
	const struct control_word *verb = find_control_word(line);
	char *save = NULL, *word[4];
	int n = 0;

	for (char *s = line; n < 4 && (word[n] = strtok_r(s, " ", &save)); s = NULL)
		n++;
	if (!verb || n - 1 > verb->most)
		return "expected: begin [NAME], end [NAME] [WORK], sample [NAME] or stop";
	if (verb->does == BEGIN || verb->does == END)
		return switch_region(n > 1 ? word[1] : "-", verb->does == BEGIN,
				     n > 2 ? word[2] : NULL);
	if (verb->does == SAMPLE && *news < INTERVAL_OVER) {
		*news = INTERVAL_OVER;
		R.control.label = n > 1 ? printable(word[1]) : NULL;
	}
	if (verb->does == STOP)
		*news = ALL_OVER;
	return NULL;
}

enum { MOST_LINE = 4096 };	/* bytes of a line of --control */

/*
 * Splits the bytes of --control from here on into lines, in place, and records these.  A NUL ends a
 * line, too.  A line that is too long keeps MOST_LINE + 1 bytes, so that answer_lines() rejects it.
 */
static void split_lines(size_t from)
{
	struct control *c = &R.control;
	char *begin = c->text.p + c->complete, *to = c->text.p + from;

	for (size_t i = from; i < c->text.len; i++) {
		char ch = c->text.p[i];
		bool ends = !ch || ch == '\n', dropped = c->drops;

		c->drops &= !ends;
		if (dropped)
			continue;
		if (!ends && to - begin <= MOST_LINE) {
			*to++ = ch;
			continue;
		}
		c->drops = !ends;
		*to++ = '\n';
		if (*begin != '\n')
			record_mark(begin);
		begin = to;
	}
	*to = '\0';
	c->text.len = (size_t)(to - c->text.p);
	c->complete = (size_t)(begin - c->text.p);
}

/* Reads --control.  Returns whether there is a line. */
static bool read_control(void)
{
	struct pollfd ctl = { .fd = R.control.ctl, .events = POLLIN };
	size_t from = R.control.text.len;

	if (ctl.fd >= 0 && src_wait(&ctl, 1, 0, NULL) > 0) {
		if (!src_append(ctl.fd, &R.control.text, 65536, -1))
			R.control.ctl = -1;	/* all writers have closed it */
		split_lines(from);
	}
	return R.control.complete > 0;
}

/* Adds a recorded line.  A NUL ends it, as it did live. */
static void add_control_line(const struct cursor *line)
{
	size_t from = R.control.text.len;
	size_t n = strnlen(line->p, (size_t)(line->end - line->p));

	buf_add(&R.control.text, line->p, n < MOST_LINE + 1 ? n : MOST_LINE + 1);
	buf_puts(&R.control.text, "\n");
	split_lines(from);
}

/* Answers a line.  A full pipe takes no more, and we do not wait for its reader. */
static void answer_line(const char *text, size_t n)
{
	struct pollfd ack = { .fd = R.control.ack, .events = POLLOUT };
	bool done;

	if (ack.fd < 0)
		return;
	do {
		errno = 0;		/* nothing sets it when the pipe is full */
		done = src_wait(&ack, 1, 0, NULL) > 0 && write(ack.fd, text, n) >= 0;
	} while (!done && errno == EINTR);
	if (!done)
		note(0, "--control: replies are not being read: some were dropped");
}

/* Prints one note for each reason why lines are refused; it has the beginning of the first line. */
static void note_line(const char *line, const char *why)
{
	enum { QUOTED = 40 };
	size_t n = strlen(line), most = n;

	if (most > QUOTED)
		for (most = QUOTED; (line[most] & 0xc0) == 0x80 && most > QUOTED - 4; most--)
			;
	char *text SCOPED(ptr) = textf("%.*s", (int)most, line);
	char *clean SCOPED(ptr) = printable(text);

	note(hash_text(why), "--control: '%s'%s: %s", clean, most < n ? "..." : "", why);
}

/*
 * Obeys and answers lines after their sample; refuses them after ALL_OVER.  A second `sample` ends
 * another interval: it and what follows wait for the next sample.  Returns the news.
 */
static enum news answer_lines(enum news news)
{
	struct control *c = &R.control;
	size_t next = 0;

	while (next < c->complete) {
		char *s = c->text.p + next, *end = strchr(s, '\n');
		const struct control_word *verb = find_control_word(s);
		bool of_perf = verb && verb->of_perf, is_long = end - s > MOST_LINE;
		const char *why = NULL, *text;

		if (verb && verb->does == SAMPLE && news == INTERVAL_OVER && !is_long)
			break;
		next = (size_t)(end + 1 - c->text.p);
		*end = '\0';
		if (!*s)
			continue;
		if (is_long) {
			why = "the line is too long";
			note_line(s, why);
		} else if (news == ALL_OVER) {
			why = "the measurement is over";
		} else {
			char *line SCOPED(ptr) = textf("%s", s);

			why = obey_line(s, &news);
			if (why)
				note_line(line, why);
		}
		text = why && (!of_perf || is_long) ? pathf("error %s\n", why) : "ack\n";
		answer_line(text, strlen(text) + (of_perf && !is_long));
	}
	c->complete -= next;
	c->text.len -= next;
	if (next)
		memmove(c->text.p, c->text.p + next, c->text.len + 1);
	return news;
}

/* Says which energies of a result can be off by more than 1 %. */
static void note_errors(const char *of, double seconds)
{
	for (struct column **c = P.shown; c < PAST(P.shown, P.nshown); c++)
		if (step_error(*c, seconds) > 1)
			note(hash_text(of) + (u64)(*c)->a,
			     "%s%s +-%.0f %%: the counter moves once per %.1f ms", of, (*c)->name,
			     step_error(*c, seconds), (double)T.counter[(*c)->a].step / 1e6);
}

/* Prints all regions at the end, in a table of their own. */
static void print_regions(void)
{
	double shortest = __builtin_inf();	/* mean call */
	const char *name = "", *names = "";

	for (int i = 0; i < R.control.n && !outputs[O.format].totals; i++) {
		struct code_region *g = &R.control.region[i];
		struct buf *text = &g->text[R.control.has_work];
		double seconds = g->total.seconds / (double)g->calls ?: __builtin_inf();
		size_t skip = 0;

		if (g->running)
			note(hash_text(g->name), "region '%s' was running at the end", g->name);
		buf_puts(text, "");
		if (!text->len)
			print_region(text, g, R.control.has_work);
		if (writers[O.format].complete)
			writers[O.format].complete(text, seconds);
		if (outputs[O.format].text)
			skip = strcspn(text->p, "\n") + 1;
		if (skip && strncmp(names, text->p, skip)) {	/* CPUs changed, and their ids */
			buf_puts(&R.output.text, i || O.delay >= 0 ? "\n" : "");
			names = text->p;
			skip = 0;
		}
		buf_puts(&R.output.text, text->p + skip);
		if (seconds < shortest) {
			name = g->name;
			shortest = seconds;
		}
	}
	flush_output();
	note_errors(pathf("region '%s': ", name), shortest);
}

/* --- waiting --- */

/* Sleeps for some ns, or until an event.  Returns whether there is more of a recording to read. */
static bool sleep_for(struct until *u, i64 ns)
{
	struct pollfd fds[] = {
		{ .fd = R.watch_stdin && !R.input_waits ? STDIN_FILENO : -1, .events = POLLIN },
		{ .fd = R.process, .events = POLLIN },
		{ .fd = u->phase == BEFORE ? -1 : R.control.ctl, .events = POLLIN },
		{ .fd = S.replays ? S.r.fd : -1, .events = POLLIN },
	};

	/* after a signal, revents are 0; if one is ready at once, no signal is let in */
	if (src_wait(fds, ARRAY_SIZE(fds), ns, &R.let_in) > 0)
		src_wait(NULL, 0, 0, &R.let_in);
	if (take_signal(SIGTSTP)) {
		stop();
		fds[0].revents = 0;	/* the shell may have read what was typed */
	}
	u->input = fds[0].revents;
	u->gone |= fds[1].revents != 0;
	u->control = fds[2].revents;
	if (is_live() && R.arrived >> SIGWINCH & 1 && R.output.printed)
		redraw(&R.interval);
	return fds[3].revents;
}

/* Waits for what comes next in a recording that may still be written, or for a signal. */
static enum news wait_recorded(struct until *u)
{
	bool counted = u->run.number;

	for (;;)
		switch (replay_next()) {
		case K_NOTHING:
			if (sleep_for(u, is_ending() ? 0 : NEVER) && !is_ending())
				replay_read();
			if (!is_ending())
				break;
			__attribute__((fallthrough));
		case K_END: u->stop = true; return NO_MORE;
		case K_BEGIN:
			if (R.pass && u->phase != OVER)
				follow_cpus();	/* from the plan part before it */
			break;
		case K_SAMPLE: return R.control.text.len ? CONTROL : INTERVAL_OVER;
		case K_TICK:
			take_tick();
			note_failures();
			break;
		case K_MARK:
			add_control_line(&S.r.mark);
			break;
		case K_RUN:
			u->run = S.r.run;
			if (counted)
				return NO_MORE;
			break;
		default: break;
		}
}

/* Looks for what a sleep until now has brought, and reads it; what comes first counts. */
static enum news look_around(struct until *u, i64 now)
{
	enum news signaled = look_for_signals(u), input;

	look_for_child(u);	/* after the signals: Ctrl-C ends a command, too */
	if (u->gone)		/* the lines that the command has left come first */
		return read_control() ? CONTROL : ALL_OVER;
	if (signaled)
		return signaled;
	input = read_input(u->input);
	if (input)
		return input;
	if (u->control && read_control())
		return CONTROL;
	if (now >= u->end)
		return ALL_OVER;
	return now >= u->deadline ? INTERVAL_OVER : NOTHING;
}

/* Waits, and reads counters that wrap.  Reads pending input even if the time is over. */
static enum news wait_for(struct until *u)
{
	enum news e = NOTHING;

	if (O.replay)
		return wait_recorded(u);
	R.input_waits = false;
	take_keys();		/* we may have come to the foreground */
	if (u->deadline == NOW)
		return INTERVAL_OVER;
	if (R.control.complete > 0)
		return CONTROL;
	if (u->gone)
		return ALL_OVER;
	while (!e) {
		i64 tick = P.tick && u->phase == MEASURING ? R.read_at + P.tick : NEVER;
		i64 next = u->end < u->deadline ? u->end : u->deadline, now;

		if (tick < next)
			next = tick;
		if (R.arrived & ~(1 << SIGWINCH))	/* that came while output was written */
			next = NOW;
		sleep_for(u, next - src_now());
		now = src_now();
		if (tick != NEVER && now - R.read_at > MOST_UNREAD * P.tick)
			R.unread = true;
		e = look_around(u, now);
		if (!e && now >= tick) {
			take_tick();
			note_failures();
		}
	}
	return e;
}

/* Returns the next deadline: an early end starts a new beat, a late one keeps the beat. */
static i64 next_deadline(i64 deadline, i64 now, i64 interval)
{
	if (now < deadline)
		return now + interval;
	return deadline + ((now - deadline) / interval + 1) * interval;
}

/* --- measuring --- */

/* Returns the command line of the process of --pid; its number if it has none. */
static char **process_words(void)
{
	struct buf b = { 0 };
	char **words = NULL;
	size_t n = 0;

	if (src_text(-1, pathf("/proc/%llu/cmdline", O.pid), &b) || !b.len)
		buf_printf(&b, "%llu", O.pid);
	for (char *w = b.p; w < PAST(b.p, b.len); w += strlen(w) + 1)
		*append(words, n) = w;
	*append(words, n) = NULL;
	return words;
}

/* Adds the times of --pid's process and the children that it waited for, with a sign (proc(5)). */
static void read_usage(struct command_run *run, int sign)
{
	const char *line = src_line(pathf("/proc/%llu/stat", O.pid));
	const char *rest = line ? strrchr(line, ')') : NULL;	/* its name may contain ')' */
	u64 t[4];

	if (!rest || sscanf(rest,
			    ") %*c %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %llu %llu %llu %llu",
			    &t[0], &t[1], &t[2], &t[3]) != 4)
		return;
	run->number = sign > 0;		/* known */
	run->user += sign * (i64)(t[0] + t[2]) * (NS_PER_S / sysconf(_SC_CLK_TCK));
	run->sys += sign * (i64)(t[1] + t[3]) * (NS_PER_S / sysconf(_SC_CLK_TCK));
}

/* Waits for the end of a command after its measurement; refuses its lines. */
static void finish_child(struct until *u)
{
	u->phase = OVER;
	u->gone = false;
	u->deadline = u->end = NEVER;
	do
		answer_lines(ALL_OVER);
	while ((u->child || O.replay) && wait_for(u) != NO_MORE);
}

static void print_runs(struct runs *r)
{
	struct buf *b = &R.output.text;

	if (R.picture)
		R.picture->ended = true;
	r->brief = outputs[O.format].text && r->of != INTERVALS && isatty(R.output.out);
	if (R.output.begun || !writers[O.format].begin)
		writers[O.format].statistics(b, r);
	make_printable(b);
	emit_text(b);
	buf_clear(b);
}

/* Returns the power of all packages over an interval or a sum of several, or NaN. */
static double package_watts(const struct interval *iv)
{
	struct column watts = *built_in(COL_PKG_JOULES);	/* PkgWatt may not be shown */
	struct view all = view_all(iv);

	watts.formula = V_PER_SECOND;
	return watts.present ? cell_number(&all, &watts) : NaN;
}

/*
 * Measures the idle power before the first run, or replays it: the mean over all parts that know
 * it.  Its error is that of the parts' power.
 */
static void measure_idle(void)
{
	enum { PARTS = 10 };
	struct until u = { .phase = MEASURING, .deadline = NOW, .end = NEVER, .run.number = 1 };
	struct interval whole = { 0 };
	i64 begin = src_now();

	if (R.idle || !knows_idle())
		return;
	R.idle = zeroed(1, sizeof(*R.idle));
	clear_sums(&whole);
	for (int i = 0; (O.replay || i <= PARTS) && wait_for(&u) == INTERVAL_OVER; i++) {
		double watts;

		u.deadline = begin + (i64)(O.idle * 1e9 / PARTS * (i + 1));
		next_sample(i ? INNER_SAMPLE : FIRST_SAMPLE);
		watts = i ? package_watts(&R.interval) : NaN;
		add_value(R.idle, watts);
		if (watts == watts)
			add_interval(&whole, &R.interval, false);
	}
	if (!O.replay && is_ending())
		die("--idle was interrupted: the command was not started");
	record_run(&(struct command_run){ .number = 0 });
	if (R.idle->n)
		R.idle->mean = package_watts(&whole);
	free_sums(&whole);
	if (!R.idle->n)
		note(0, "--idle: no package energy on this machine: no Net_J, Own_J");
}

/* Were as many intervals printed as -n says?  It counts those of a command only with --total. */
static bool is_counted_out(void)
{
	return O.iterations && R.output.printed >= O.iterations && (!R.command || O.total);
}

/* Is a command measured for a part of its time?  A recording of it ends with that part. */
static bool is_cut_short(void)
{
	return is_counted_out() || (!O.replay && (O.timeout > 0 || O.delay > 0));
}

/* Computes a command's own share of an interval from its user and system time. */
static void find_own(struct result *r, const struct interval *iv)
{
	double used = (double)r->run.user / 1e9 + (double)r->run.sys / 1e9, share = NaN;
	double busy = built_in(COL_BUSY)->selected ? column_number(iv, COL_BUSY, NONE) : NaN;
	double least = is_accounting(T.counter[CT_MPERF].chosen) ? 0.2 : 0;	/* 20 ticks */
	bool knows = R.idle && R.idle->n;
	double idle = knows ? R.idle->mean : NaN;
	double joules = knows ? column_number(iv, COL_PKG_JOULES, NONE) : NaN;
	double watts = knows ? package_watts(iv) : NaN;

	/* the energy was read over its own seconds */
	r->idle_seconds = watts > 0 ? joules / watts : iv->seconds;
	if (set_count(&O.only) || set_count(&M.left_out))	/* it may run on others */
		busy = NaN;
	busy *= M.n * iv->seconds / 100;
	if (r->run.number && !r->run.in_part && busy > least)
		share = used < busy ? used / busy : 1;	/* rounding of ticks */
	r->share[OTHERS] = 100 * (1 - share);
	r->share[NET_J] = joules - idle * r->idle_seconds;
	r->share[OWN_J_LOW] = share * r->share[NET_J];
	r->share[OWN_J_HIGH] = share * joules;
	r->share[IDLE_W] = idle;
	r->share[IDLE_W_ERROR] = knows ? standard_error(R.idle) : NaN;
}

/* Prints --stats, the result of the command or --total, and the regions. */
static void print_end(struct result *r)
{
	const struct output_row *format = &outputs[O.format];
	const double *own = r->share;

	r->n = R.output.printed;
	if (R.course && R.output.printed && O.delay >= 0 && !format->document) {
		buf_puts(&R.output.text, format->text ? "\n" : "");
		print_runs(R.course);
	}
	if (R.total.new) {
		find_own(r, &R.total);
		print_result(&R.total, r);
		if (own[IDLE_W] == own[IDLE_W] && format->text) {
			struct error e = error_of(R.idle, r->idle_seconds);

			buf_printf(&R.output.text, "Net_J %.2f +-%.2f J (idle power %.2f W)\n",
				   own[NET_J], half_width(&e, 1), own[IDLE_W]);
			if (own[OWN_J_LOW] == own[OWN_J_LOW])
				buf_printf(&R.output.text, "Own_J %.2f..%.2f J\n", own[OWN_J_LOW],
					   own[OWN_J_HIGH]);
			flush_output();
		}
		if (own[OTHERS] > 5 && !O.quiet)
			note(0, "%.0f %% of the busy time was not the command's", own[OTHERS]);
		note_errors("", O.delay < 0 || O.topic ? 0 : R.total.seconds);
	}
	print_regions();
	if (format->document)
		print_runs(R.course);
}

/* Starts the command, and takes the first sample after --delay.  Returns whether there is one. */
static bool begin_intervals(struct until *u, char **command, bool course)
{
	u->gone = false;
	u->deadline = O.delay > 0 ? src_now() + (i64)(O.delay * 1e9) : NOW;
	u->end = NEVER;
	reset_tasks();
	if (command && O.delay > 0)
		u->child = start_command(command, true);
	if (O.replay)		/* waiting reads the first sample */
		begin_answers();
	if (wait_for(u) != INTERVAL_OVER)
		return false;
	if (!O.replay)
		begin_answers();
	if (O.pid)
		count_process(O.pid);
	next_sample(FIRST_SAMPLE);
	if (O.replay && O.no_perf && !O.quiet && S.r.has_events)
		note(0, "%s was recorded with perf events: --no-perf leaves out their values",
		     S.r.name);
	begin_output();
	if (command && !u->child)
		u->child = start_command(command, true);
	u->phase = MEASURING;
	u->deadline = course ? src_now() + (i64)(O.interval * 1e9) : NEVER;
	u->end = O.timeout > 0 ? src_now() + (i64)(O.timeout * 1e9) : NEVER;
	if (O.pid)
		read_usage(&u->run, -1);
	return true;
}

/* The effects of end_interval(), when an interval or the measurement is over. */
struct step {
	bool usage, beat, answers, sample, finish, print;
};

/* Does a sample read the evidence, too?  Of a whole command the last one does. */
static bool wants_evidence(bool over, bool course)
{
	if (!R.nasked && !R.nenergies)
		return false;
	/* a recording says only behind a command's last sample that it was the last */
	if (R.command || !course)
		return over || O.replay;
	return O.topic || !R.measured;	/* --record: the first interval */
}

/* Decides on a step.  shared: several lines of --control came together and share a sample. */
static struct step decide_step(enum news e, bool shared, bool course)
{
	bool over = e == ALL_OVER;

	return (struct step){
		.usage = O.pid && over,
		.beat = course,
		.answers = !shared && wants_evidence(over, course),
		.sample = !shared,
		.finish = over,
		.print = course || (shared && e == INTERVAL_OVER),
	};
}

/*
 * Ends an interval.  The order of its effects:
 *
 *	1. the usage of --pid's process, while it is a zombie
 *	2. the next deadline, before anything that takes long
 *	3. the sample, and in it the evidence for --explain TOPIC
 *	4. the end of the command, which may go on after --timeout: its lines are refused
 *	5. the interval is printed, when nothing is measured any more
 */
static void end_interval(struct until *u, const struct step *s)
{
	if (s->usage)
		read_usage(&u->run, 1);
	if (s->beat)
		u->deadline = next_deadline(u->deadline, src_now(), (i64)(O.interval * 1e9));
	if (s->sample)
		next_sample(s->answers ? LAST_SAMPLE : INNER_SAMPLE);
	if (s->finish)
		finish_child(u);
	if (s->print)
		print_newest();
}

/* Starts the command, and measures from --delay to its end; with course prints intervals. */
static void measure_intervals(struct until *u, char **command, bool course)
{
	enum news e = INTERVAL_OVER;

	if (!begin_intervals(u, command, course))
		return;
	while (e < ALL_OVER && (u->child || u->gone || !is_ending()) && !is_counted_out()) {
		struct step step;
		bool shared;

		e = wait_for(u);
		shared = e == CONTROL;
		if (shared) {		/* lines that come together share a sample */
			next_sample(INNER_SAMPLE);
			e = answer_lines(NOTHING);
		}
		if (e == NOTHING || e == NO_MORE)
			continue;
		step = decide_step(e, shared, course);
		end_interval(u, &step);
	}
	if (e < ALL_OVER && R.command && is_counted_out()) {
		if (O.pid)
			read_usage(&u->run, 1);
		finish_child(u);
	}
}

/* Measures intervals; a command, process or recording of one as a whole.  Returns the status. */
static int measure(void)
{
	bool whole = R.command, page = outputs[O.format].document;
	struct result r = { .total = O.total || page, .names = true, .command = R.command };
	struct until u = { 0 };
	int status;

	if (O.stats || page) {
		R.course = zeroed(1, sizeof(*R.course));
		R.course->of = INTERVALS;
		list_quantities(R.course);
		R.course->side[0].command = page ? r.command : NULL;
	}
	R.keys = is_live() && !O.command && !O.replay && isatty(STDIN_FILENO);
	catch_signals();
	catch_fatal_signals();
	if (!O.command && !O.replay) {		/* standard input is not the command's */
		setpriority(PRIO_PROCESS, 0, -20);	/* to be on time; may be refused */
		R.watch_stdin = is_interactive();
		atexit(release_keys);
	}
	measure_idle();
	if (whole || r.total)
		clear_sums(&R.total);
	if (O.control || src_recorded("control"))
		clear_sums(&R.since);
	measure_intervals(&u, O.command, !whole || r.total);
	if (O.replay && O.iterations && (R.total.sum || R.control.n))
		wait_for(&(struct until){ .phase = OVER });	/* the steps follow the sample */
	find_steps(false);
	u.run.number += O.command != NULL;	/* its times are known */
	u.run.in_part |= is_cut_short();
	r.run = u.run;
	if (u.run.number)
		record_run(&r.run);
	print_end(&r);
	if (u.phase == BEFORE && r.command && (!O.pid || u.gone))
		note(0, "%s ended before the first sample: nothing was measured", r.command[0]);
	else if (O.replay && !R.measured)
		note(0, "%s: no interval: there are fewer than two samples", S.r.name);
	record_close();
	if (r.run.status)
		return r.run.status;
	status = answer_status();
	return status ? status : O.explain && T.unknown_word;
}

/* ======================================================================== *
 * 29. REPEAT
 *
 * Repeats and compares commands and recorded runs; prints lists and the header.
 * ======================================================================== */

/* --- runs --- */

/* Runs --pre or --post, if given.  If it fails, returns false and stops u. */
static bool run_hook(struct runs *r, struct until *u, const char *text, const char *option)
{
	char *words[] = { (char *)"/bin/sh", (char *)"-c", (char *)text, NULL };

	if (!text)
		return true;
	u->child = start_command(words, false);
	finish_child(u);
	if (!u->run.status)
		return true;
	say("%s '%s': exit status %d", option, text, u->run.status);
	record_run(&(struct command_run){ .status = 1 });
	r->status = 1;
	u->stop = true;
	return false;
}

/* On a terminal, overwrites the status line: run k of n begins. */
static void show_progress(const struct runs *r, u64 k, u64 n)
{
	const struct statistic *seconds = r->quantity[Q_SECONDS].side;
	double each = seconds[0].mean + seconds[1].mean;

	if (O.replay || !isatty(STDERR_FILENO))
		return;
	show_status(seconds[0].n ? pathf("run %llu/%llu, %.1f s each, %.0f s left", k, n, each,
					 each * (double)(n - k + 1))
				 : pathf("run %llu/%llu", k, n), STDERR_FILENO);
}

/* The side of a run that is measured; NULL: there is one side only, or it is a replay. */
static const char *name_of_side(const struct runs *r, int side)
{
	if (O.replay)
		return NULL;
	if (R.baseline || side)
		return "B";
	return r->of == PAIRS ? "A" : NULL;
}

/* Measures or replays run k.  Returns false if it failed or, with u stopped, there is none. */
static bool measure_run(struct runs *r, struct until *u, u64 k, int side)
{
	const char *name = name_of_side(r, side);
	struct result result = { .of_run = true, .name = name, .command = r->side[side].command };
	struct quantity *q = r->quantity, *own = q + r->first_share;

	u->run = (struct command_run){ .number = (unsigned)k };
	measure_idle();
	clear_sums(&R.total);
	measure_intervals(u, O.replay ? NULL : r->side[side].command, false);
	if (!R.total.new || (O.replay && is_ending()))
		u->stop = true;
	if (!r->status)
		r->status = u->run.status;
	if (!R.total.new || (O.replay && u->stop))
		return false;
	find_steps(false);
	record_run(&u->run);
	result.run = u->run;
	find_own(&result, &R.total);
	collect_values(r, side, &R.total);
	tally_clock(&r->side[side].clock, &R.interval);
	if (!outputs[O.format].text && !O.replay_other)
		print_result(&R.total, &result);
	for (enum share i = 0; i < NSHARES; i++)
		own[i].now[side] = result.share[i];
	own[NET_J].idle_now[side] = result.idle_seconds;
	own[OWN_J_LOW].idle_now[side] =
		(result.share[OWN_J_HIGH] - result.share[OWN_J_LOW]) / result.share[IDLE_W];
	q[Q_MAXRSS].now[side] = u->run.maxrss ? (double)u->run.maxrss : NaN;
	q[Q_USER].now[side] = (double)u->run.user / 1e9;
	q[Q_SYS].now[side] = (double)u->run.sys / 1e9;
	name = pathf("run %u%s%s", u->run.number, name ? " of " : "", name ? name : "");
	if (r->cpus && M.n != r->cpus)		/* not comparable */
		note(u->run.number, "%s: measured %d CPUs, the run before %d", name, M.n, r->cpus);
	r->cpus = M.n;
	if (u->run.status)
		say("%s: exit status %d", name, u->run.status);
	r->side[side].counted += !u->run.status;
	r->side[side].failed += u->run.status != 0;
	return !u->run.status;
}

/* Measures all runs, those of --compare in turns (A B, B A, A B ...), or replays them. */
static void measure_runs(struct runs *r)
{
	struct until u = { 0 };
	u64 n = O.replay ? UINT64_MAX : O.repeat;	/* all that are recorded */
	int sides = r->of == PAIRS ? 2 : 1;

	r->processor = (hash_text(M.vendor_name) + (u64)M.n) << 32 | (u32)M.family << 16 |
		       (u32)M.model;
	for (u64 k = 0; k < O.warmup; k++)
		for (char **const *c = (char **const[]){ O.command, O.other, NULL }; *c; c++)
			if (!u.stop && run_hook(r, &u, O.pre, "--pre")) {
				u.child = start_command(*c, false);
				finish_child(&u);
				run_hook(r, &u, O.post, "--post");
			}
	for (u64 k = 1; k <= n && !u.stop; k++) {
		int first = sides == 2 && !(k & 1), good = 0;

		show_progress(r, k, n);
		for (int i = 0; i < sides && !u.stop && run_hook(r, &u, O.pre, "--pre"); i++) {
			good += measure_run(r, &u, k, i ^ first);
			run_hook(r, &u, O.post, "--post");
		}
		if (good == sides)
			count_values(r);
	}
	show_status(NULL, STDERR_FILENO);
	for (int i = 0; i < sides && R.idle; i++)
		r->side[i].idle = *R.idle;
}

/* Adds A's statistics to those of B; notes columns that only one of them has. */
static void match_runs(const struct runs *a, struct runs *b)
{
	bool command = b->side[0].command;
	struct buf others SCOPED(buf) = { 0 };

	for (const struct quantity *q = a->quantity; q < PAST(a->quantity, a->n); q++)
		if (!q->blank && !find_quantity(b, q->name))
			buf_printf(&others, others.len ? ", '%s'" : "'%s'", q->name);
	for (struct quantity *q = b->quantity; q < PAST(b->quantity, b->n); q++) {
		const struct quantity *other = find_quantity(a, q->name);

		if (!q->blank && !other)
			buf_printf(&others, others.len ? ", '%s'" : "'%s'", q->name);
		q->side[1] = q->side[0];
		q->side[0] = other ? other->side[0] : (struct statistic){ 0 };
		q->idle[1] = q->idle[0];
		q->idle[0] = other ? other->idle[0] : 0;
	}
	b->of = RECORDINGS;
	b->side[1] = b->side[0];
	b->side[0] = a->side[0];
	b->end = a->end > b->end ? a->end : b->end;
	if (!b->status)
		b->status = a->status;
	if (a->processor != b->processor)
		note(0, "the %s of different processor models or numbers of CPUs",
		     command ? "recording and the command are" : "recordings are");
	if (others.len)
		note(0, "only one of the %s has %s", command ? "two" : "recordings", others.p);
}

/* Measures the runs of --repeat, --compare or a recording.  Returns the exit status. */
static int measure_repeatedly(void)
{
	struct runs *r = R.course = zeroed(1, sizeof(*r));
	const struct statistic *t;	/* seconds of A and B */
	int failed, words;

	r->of = O.other ? PAIRS : ALONE;
	r->side[0].recording = O.replay_other ? O.replay : NULL;
	r->side[0].command = O.replay_other ? NULL : R.command;
	r->side[1].command = O.other;
	list_quantities(r);
	if (!O.is_baseline) {
		judge_gates(r, false);
		catch_signals();
	}
	measure_runs(r);
	t = r->quantity[Q_SECONDS].side;
	note_errors("", t[t[1].n && t[1].mean < t[0].mean].mean);
	if (O.is_baseline)
		return 0;
	if (R.baseline) {
		messages.recording = "";
		match_runs(R.baseline, r);
	}
	print_runs(r);
	failed = O.compare ? judge_gates(r, true) : 0;
	words = judge_run_words(r);
	if (failed != 1 && words)
		failed = words;
	record_close();
	return r->status ? r->status : failed;
}

/* --- lists and the header --- */

/* Appends what is read on each CPU, for --debug. */
static void report_plan(struct buf *b)
{
	for (int row = 0; row < M.n; row++) {
		buf_printf(b, "cpu%d reads:", M.cpu[row]);
		for (struct event_group *g = P.on[M.cpu[row]].groups; g; g = g->next) {
			buf_printf(b, " [perf on cpu%d:", g->cpu);
			for (int m = 0; m < g->n; m++)
				buf_printf(b, " %s:0x%llx", g->pmu, g->member[m].event->config[0]);
			buf_puts(b, "]");
		}
		for (const struct source *s = P.on[M.cpu[row]].sources; s; s = s->next)
			buf_printf(b, " %s", T.counter[s->counter].name);
		buf_add(b, "\n", 1);
	}
}

/* Notes that no column is left to show, and exits, except with a command and a known column. */
static void die_without_columns(void)
{
	bool command = O.command || src_recorded("command"), known = !O.nselectors;
	struct absence *list SCOPED(ptr) = NULL;
	const struct absence *a;
	struct buf names SCOPED(buf) = { 0 }, why SCOPED(buf) = { 0 };

	for (size_t i = 0; i < O.nselectors; i++)
		known |= is_known(O.selector[i].word);
	if (!known && T.unknown_word)	/* there is a better note */
		exit(1);
	list = list_absences(false);
	while ((a = next_absence(list, &names, true)))
		buf_printf(&why, "%s%s: %s", why.len ? "; " : ": ", names.p, a->verdict.text);
	note(0, "no columns left to show%s", why.len ? why.p : "");
	if (!known || !command || O.dump)
		exit(1);
}

/* Appends "N THINGS" to a list of them. */
static void print_number_of(struct buf *b, int n, const char *things)
{
	buf_printf(b, "%s%d %s%s", b->len ? ", " : "", n, things, n == 1 ? "" : "s");
}

/* Appends "15 W, 44 W", the limits of power that all packages have in common. */
static void print_power_limits(struct buf *b)
{
	double (*const limit[])(int row) = { pl1_watts, pl2_watts };
	struct buf list SCOPED(buf) = { 0 };
	int n = 0;

	for (size_t i = 0; i < ARRAY_SIZE(limit); i++) {
		double watts = common_limit(limit[i]);

		if (watts != watts)
			continue;
		buf_printf(&list, "%s%.0f W", n ? ", " : "", watts);
		n++;
	}
	if (n)
		buf_printf(b, "%spower limit%s %s", b->len ? "; " : "", n > 1 ? "s" : "", list.p);
}

/* Appends what everybody understands of the machine: the processor, its clocks and limits. */
static void print_machine(struct buf *first, struct buf *second)
{
	const char *release = src_line("/proc/sys/kernel/osrelease");
	double base = M.base_hz > 0 ? M.base_hz / 1e6 : NaN, turbo = highest_turbo();
	double throttles = R.screen->sentence.throttles;
	struct buf units SCOPED(buf) = { 0 };

	if (M.units[PACKAGE] > 1)
		print_number_of(&units, M.units[PACKAGE], "package");
	print_number_of(&units, M.units[CORE], "core");
	print_number_of(&units, M.n, "CPU");
	buf_printf(first, "%s%s%s", M.brand, *M.brand ? ": " : "", units.p);
	if (release && *release)
		buf_printf(first, "; Linux %s", release);
	if (base == base)
		buf_printf(second, "%.0f MHz base", base);
	if (turbo > 0 && !(turbo <= base))
		buf_printf(second, "%s%.0f MHz turbo", second->len ? ", " : "", turbo);
	if (throttles == throttles)
		buf_printf(second, "%sthrottles at %.0f C", second->len ? "; " : "", throttles);
	print_power_limits(second);
}

/* On a terminal, ends the system configuration with two lines, each cut at the window. */
static void print_last_lines(void)
{
	struct buf first SCOPED(buf) = { 0 }, second SCOPED(buf) = { 0 }, b SCOPED(buf) = { 0 };
	struct screen *s = R.screen;

	print_machine(&first, &second);
	make_printable(&first);
	measure_window(s);
	s->room = s->width;
	end_line(s, &b);
	put_text(s, &b, 0, first.p, NORMAL);
	end_line(s, &b);
	if (second.len) {
		put_text(s, &b, 0, second.p, NORMAL);
		end_line(s, &b);
	}
	end_line(s, &b);
	if (O.out)
		emit_text(&b);
	else
		write_all(STDERR_FILENO, b.p, b.len);
}

/* Prints the system configuration to --out or standard error, and what --debug adds. */
static void print_configuration(void)
{
	bool shown = prints_header();
	struct buf b SCOPED(buf) = { 0 };

	print_version(&b);
	if (shown || S.records)
		report_header(&b);
	if (!O.quiet && (O.look != LIVE || S.records))
		note_tjmax();
	if (!shown)
		buf_clear(&b);
	make_printable(&b);
	if (outputs[O.format].header == WITHIN && b.len)
		buf_puts(&R.header, b.p);
	else if (O.out)
		emit_text(&b);
	else if (b.len && write_all(STDERR_FILENO, b.p, b.len) == -ENOSPC)
		die("standard error: %s", strerror(ENOSPC));
	buf_clear(&b);
	if (O.debug) {
		report_topology(&b);
		report_plan(&b);
		make_printable(&b);
		fputs(b.p, stderr);
	}
	if (shown && R.screen && R.screen->look == FIT && !O.summary &&
	    (O.out || isatty(STDERR_FILENO)))
		print_last_lines();
}

/* Prints --list, --explain or --Dump.  Returns the exit status. */
static int print_lists(void)
{
	struct buf b SCOPED(buf) = { 0 };

	if (O.dump || S.records) {
		wait_for(&(struct until){ .deadline = NOW, .end = NEVER });
		begin_answers();
		next_sample(FIRST_SAMPLE);
	}
	for (int row = 0; row < M.n && O.dump; row++) {
		buf_printf(&b, "CPU: %d\ncore: %d\npackage: %d\n", M.cpu[row],
			   M.id[ID_CORE][row], M.id[ID_PACKAGE][row]);
		for (const struct source *s = P.on[M.cpu[row]].sources; s; s = s->next)
			if (s->valid[R.now])
				buf_printf(&b, is_temperature(s->counter) ? "%s: %lldC\n"
					   : "%s: %016llX\n", T.counter[s->counter].name,
					   s->value[R.now]);
		buf_puts(&b, "\n");
	}
	if (O.explain && !O.dump) {
		explain_columns(&b);
	} else if (!O.dump) {
		print_names(&b, &(struct result){ 0 });
		for (char *tab = b.p; (tab = strchr(tab, '\t'));)
			*tab = ',';
		if (isatty(R.output.out)) {	/* for people; programs want the one line */
			buf_puts(&b, "\nGroups:\n");
			print_groups(&b);
		}
	}
	make_printable(&b);
	emit_text(&b);
	record_close();
	return O.explain && T.unknown_word;
}

/* ======================================================================== *
 * 30. main
 * ======================================================================== */

/* Opens a file for writing, not truncated, as it may be one of our other files; or dies. */
static int open_output(const char *path, int flags)
{
	int fd = open_as_user(path, O_WRONLY | O_CREAT | O_NONBLOCK | flags);

	if (fd >= 0) {
		fcntl(fd, F_SETFL, flags);	/* only the open must not block */
	} else if (fd == -ENXIO) {
		say("%s: waiting for a reader", path);
		fd = open_as_user(path, O_WRONLY | flags);
	}
	if (fd < 0)
		die("%s: %s", path, strerror(-fd));
	return fd;
}

/* Dies if a recording and the table are the same regular file. */
static void refuse_same_file(const char *option, const char *path, int standard)
{
	struct stat x = { 0 }, y = { 0 };
	int err = R.output.replaced ? lstat(O.out, &x) : fstat(R.output.out, &x);

	err |= strcmp(path, "-") ? stat(path, &y) : fstat(standard, &y);
	if (!err && S_ISREG(x.st_mode) && x.st_dev == y.st_dev && x.st_ino == y.st_ino)
		die("%s and %s name the same file", option, O.out ? "--out" : table_name());
}

/* Can a file be replaced?  Not below /dev and /proc, where a link may be a device. */
static bool can_be_replaced(const char *path)
{
	const char *slash = strrchr(path, '/');
	const char *folder = slash ? pathf("%.*s", (int)(slash + 1 - path), path) : ".";
	char real[PATH_MAX];
	struct stat st;

	if (!lstat(path, &st) && !S_ISREG(st.st_mode) && !S_ISLNK(st.st_mode))
		return false;
	folder = pathf("%s/", realpath(folder, real) ? real : "");
	return !text_after(folder, "/dev/") && !text_after(folder, "/proc/");
}

/*
 * Opens --out with O_APPEND, for logrotate's copytruncate; begin_file() truncates it.  Opens
 * --record, and writes version and command line to it.
 */
static void open_outputs(char *const *words)
{
	const char *baseline = R.baseline ? R.baseline->side[0].recording : NULL;
	bool is_file = O.out && strcmp(O.out, "-"), out = O.record && !strcmp(O.record, "-");
	const struct output_row *format = &outputs[O.format];
	struct buf b SCOPED(buf) = { 0 };

	R.output.replaced = is_file && (format->totals || format->document) &&
			    can_be_replaced(O.out);
	if (format->totals && is_file && !R.output.replaced)
		die("--%s: %s cannot be replaced: it is not a regular file, or below /dev or /proc "
		    "(--out - is standard output)", format->option, O.out);
	R.output.size = -1;
	if (is_file && !R.output.replaced) {
		R.output.out = open_output(O.out, O_APPEND);
		R.output.is_old = true;
	}
	if (is_file && O.replay)
		refuse_same_file("--replay", O.replay, STDIN_FILENO);
	if (is_file && baseline)
		refuse_same_file("--replay", baseline, STDIN_FILENO);
	if (format->document && !O.is_baseline && isatty(R.output.out) && !R.output.replaced)
		die("--%s needs --out FILE, or a pipe: %s is a terminal", format->option,
		    table_name());
	if (!O.record)
		return;
	refuse_same_file("--record", O.record, STDOUT_FILENO);
	if (set_count(&O.only))		/* the recorder executes CPUID */
		src_go(set_next(&O.only, 0));
	record_open(out ? STDOUT_FILENO : open_output(O.record, O_TRUNC),
		    out ? "standard output" : O.record, R.command, O.control, O.repeat, O.idle);
	for (buf_puts(&b, VERSION); *words; words++)
		buf_printf(&b, " %s", *words);
	record_remark("turbostat", b.p);
}

/* Opens a FIFO of --control as the user, or checks an inherited descriptor; or dies. */
static int open_control_end(const char *word, bool inherited, bool ack)
{
	int fd, flags;
	struct stat st;
	u64 number;

	if (!*word || (inherited && (!parse_u64(word, 10, &number) || number > INT_MAX)))
		die("--control: '%s' is neither pipe nor fd:CTL[,ACK] nor fifo:CTL[,ACK]",
		    O.control);
	if (inherited) {	/* others may share it: keep its flags */
		fd = (int)number;
		flags = fcntl(fd, F_GETFL);
		if (flags < 0 && errno != EBADF)
			die("--control: fcntl: %s", strerror(errno));
		if (flags < 0)
			die("--control: descriptor %d is not open", fd);
		if ((flags & O_ACCMODE) == (ack ? O_RDONLY : O_WRONLY))
			die("--control: descriptor %d is not %s", fd,
			    ack ? "writable" : "readable");
		return fd;
	}
	fd = open_as_user(word, O_RDWR | O_NONBLOCK);
	if (fd < 0 || fstat(fd, &st) || !S_ISFIFO(st.st_mode))
		die("--control: %s: %s", word, fd < 0 ? strerror(-fd) : "it is not a fifo");
	return fd;
}

/* Opens --control early: descriptors of a pipe must be below 10 for POSIX shells. */
static void open_control(void)
{
	const char *fds = text_after(O.control, "fd:");
	const char *list = fds ? fds : text_after(O.control, "fifo:");
	const char *comma = list ? strchr(list, ',') : NULL;
	int ctl[2], ack[2];

	if (strcmp(O.control, "pipe")) {
		list = !list ? "" : comma ? pathf("%.*s", (int)(comma - list), list) : list;
		R.control.ctl = open_control_end(list, fds, false);
		R.control.ack = comma ? open_control_end(comma + 1, fds, true) : -1;
		return;
	}
	if (pipe(ctl) || pipe(ack))	/* the command inherits its ends */
		die("pipe: %s", strerror(errno));
	R.control.ctl = ctl[0];
	R.control.ack = ack[1];
	fcntl(ctl[0], F_SETFD, FD_CLOEXEC);
	fcntl(ack[1], F_SETFD, FD_CLOEXEC);
	if (setenv("TURBOSTAT_CTL", pathf("%d", ctl[1]), 1) ||
	    setenv("TURBOSTAT_ACK", pathf("%d", ack[0]), 1))
		die("out of memory");
}

/* Refuses what the format cannot do.  Call it after replay_open(), which finds recorded runs. */
static void check_format(void)
{
	const struct output_row *format = &outputs[O.format];
	bool counts = writers[O.format].statistics, replaces = format->totals || format->document;
	const char *name = format->option;
	const struct { bool wrong; const char *one, *other; } rules[] = {
		{ O.stats && !counts, "stats", name },
		{ O.compare && !counts, "compare", name },
		{ O.repeat && !counts, "repeat", name },
		{ O.idle > 0 && format->totals, "idle", name },
		{ O.control && format->totals, "control", name },
		{ O.append && replaces, name, "append" },
		{ O.total && format->totals, name, "total" },
		{ O.topic && !writers[O.format].answer, pathf("explain %s", topics[O.topic].name),
		  name },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rules); i++)
		if (rules[i].wrong)
			die("--%s and --%s exclude each other", rules[i].one, rules[i].other);
	if (!counts && src_recorded("repeat"))
		die("--%s: the recording holds runs", name);
}

/* Opens the recording of --replay and reads it up to its first sample; or dies. */
static void open_replay(void)
{
	bool standard = !strcmp(O.replay, "-");
	int fd = standard ? STDIN_FILENO : open_as_user(O.replay, O_RDONLY);

	if (fd < 0)
		die("%s: %s", O.replay, strerror(-fd));
	replay_open(fd, standard ? "standard input" : O.replay);
	if (S.r.part != K_DONE || !(S.r.parts_read >> K_PLAN & 1))
		die("%s: the recording was cut off before its first sample", S.r.name);
}

/* Refuses a recording that holds runs, or none, where the options ask for the other kind. */
static void check_runs(void)
{
	if (!src_recorded("repeat")) {
		if (O.replay_other)
			die("%s holds no runs: record it with --repeat", S.r.name);
		return;
	}
	if (O.per != SYSTEM)
		die("--per and a recording of several runs exclude each other");
	if (O.stats)
		die("--stats and a recording of several runs exclude each other");
}

/* Returns the words of the command or of --pid's process, live or recorded; NULL = intervals. */
static char **measured_command(void)
{
	int err;

	if (O.pid)
		return process_words();
	if (src_recorded("command"))
		return replay_words("command", &err).name;
	return O.command;
}

/* Dies if a counter is of a task, and there is no command. */
static void refuse_tasks(void)
{
	for (size_t i = 0; i < O.nadditions; i++)
		if (O.addition[i].way.task)
			die("--add %s: task needs a COMMAND or --pid", O.addition[i].spec);
}

/* Opens what the options name, and decides where the table goes; or dies. */
static void open_files(char *const *words)
{
	bool owned;

	if (O.replay)
		open_replay();
	check_format();
	check_runs();
	R.command = measured_command();
	if (!R.command && !O.lists)
		refuse_tasks();
	/* a command owns standard output; in a replay only the table stays where the run had it */
	owned = R.command && (!O.replay || outputs[O.format].text);
	if (owned && !O.lists && !O.out && !O.replay_other)
		R.output.out = STDERR_FILENO;
	if (O.pid)
		R.process = src_process((int)O.pid);
	if (O.pid && R.process < 0)
		die("--pid %llu: %s", O.pid,
		    R.process == -ENOSYS ? "this needs Linux 5.3" : strerror(-R.process));
	if (O.control)
		open_control();
	open_outputs(words);
	if (O.replay_other)
		messages.recording = S.r.name;
}

/* Measures, replays or prints what the options ask for.  Returns the exit status. */
static int run(char *const *words)
{
	bool repeats;

	open_files(words);
	if (!R.command || O.lists)		/* a command's result precedes them */
		release_notes();
	if (!O.replay)
		src_raise_limit();
	machine_init(&O.only);
	if (S.records)
		record_part(MAGIC "3\nstatic\n");
	tables_init();
	plan_init();
	if (O.command)
		look_up_command(O.command[0]);
	if (O.other)
		look_up_command(O.other[0]);
	if (!O.explain)
		(P.nshown ? note_losses : die_without_columns)();
	if (!O.explain && !O.no_perf)
		note_left_out();
	samples_grow();
	repeats = O.compare || O.repeat || (src_recorded("repeat") && !O.topic);
	if (!O.lists && !repeats)
		choose_look();
	print_configuration();
	if (O.lists)
		return print_lists();
	if (repeats)
		return measure_repeatedly();
	if (O.nverdicts && !O.topic)
		die("--fail %s needs runs: --repeat, --compare or a recording of them; or "
		    "--explain clock", O.verdict[0]);
	return measure();
}

/* Replays A of --compare and keeps its runs; then resets all state for B. */
static void replay_baseline(char *const *words)
{
	static struct state {
		struct sources s;
		struct machine m;
		struct options o;
		struct tables t;
		struct plan p;
		struct run r;
	} start, end;		/* end holds what the runs point to */

	start = (struct state){ S, M, O, T, P, R };
	begin_baseline();
	run(words);
	end = (struct state){ S, M, O, T, P, R };
	S = start.s;
	M = start.m;
	T = start.t;
	P = start.p;
	R = start.r;
	R.baseline = end.r.course;
	end_baseline(&start.o, R.baseline->side[0].counted + R.baseline->side[0].failed);
	messages.recording = "";
	judge_gates(R.baseline, false);
}

#ifndef TURBOSTAT_UNIT_TEST
int main(int argc, char **argv)
{
	guard_standard_descriptors();
	ignore_file_limit();
	messages.holds = true;
	atexit(release_notes);
	getrlimit(RLIMIT_NOFILE, &R.left.descriptors);
	parse_options(argc, argv);
	if (O.compare && O.replay)
		replay_baseline(argv + 1);
	return run(argv + 1);
}
#endif
