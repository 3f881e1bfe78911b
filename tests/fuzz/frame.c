// SPDX-License-Identifier: GPL-2.0-only
/*
 * frame.c - what the fuzz targets share; each of them includes it, and it turbostat.c
 *
 * An input runs between fuzz_begin() and fuzz_end().  exit() comes back to the target.
 * Memory is counted and, when the input is done, freed, whatever was forgotten; and S, M,
 * O, T, P and R are what they were, so that inputs do not depend on each other.
 */
#ifndef FUZZ_FRAME
#define FUZZ_FRAME

#define _GNU_SOURCE
#define _FILE_OFFSET_BITS 64
#include <fcntl.h>
#include <malloc.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* ======================================================================== *
 * Memory and the end of the program, as turbostat.c sees them
 * ======================================================================== */

enum { FUZZ_BASE = 64 << 20, FUZZ_FACTOR = 100 };	/* bytes that an input may hold */

static struct {
	jmp_buf end;
	bool running;
	void **block;		/* hash table of the blocks that are held */
	size_t size, used;	/* of the table; slots that are not NULL */
	size_t held, limit;	/* bytes */
} fuzz;

static char fuzz_gone;		/* marks a slot of the table whose block was freed */

/* Ends the target's input, as exit() ends the program. */
static __attribute__((noreturn)) void fuzz_exit(int status)
{
	(void)status;
	longjmp(fuzz.end, 1);
}

/* Says what is wrong and ends the fuzzer, in a way that it notices. */
static __attribute__((noreturn)) void fuzz_fail(const char *what)
{
	fprintf(stderr, "fuzz: %s\n", what);
	abort();
}

/* The slot of a block, or the one where it would be put. */
static size_t fuzz_slot(const void *p)
{
	size_t i = ((uintptr_t)p >> 4) * 0x9e3779b97f4a7c15ull >> 20;

	for (i %= fuzz.size; fuzz.block[i] && fuzz.block[i] != p; i = (i + 1) % fuzz.size)
		;
	return i;
}

/* Puts a new block into the table, which grows when it is half full. */
static void *fuzz_hold(void *p)
{
	if (!p || !fuzz.running)
		return p;
	if (2 * fuzz.used >= fuzz.size) {
		void **old = fuzz.block;
		size_t n = fuzz.size;

		fuzz.size = n ? 2 * n : 1024;
		fuzz.used = 0;
		fuzz.block = calloc(fuzz.size, sizeof(*fuzz.block));
		if (!fuzz.block)
			fuzz_fail("out of memory");
		for (size_t i = 0; i < n; i++)
			if (old[i] && old[i] != &fuzz_gone) {
				fuzz.block[fuzz_slot(old[i])] = old[i];
				fuzz.used++;
			}
		free(old);
	}
	fuzz.block[fuzz_slot(p)] = p;
	fuzz.used++;
	fuzz.held += malloc_usable_size(p);
	if (fuzz.held > fuzz.limit)
		fuzz_fail("the input needs too much memory");
	return p;
}

/* Takes a block out of the table; false if it was not made while an input ran. */
static bool fuzz_drop(void *p)
{
	size_t i;

	if (!p || !fuzz.size || fuzz.block[i = fuzz_slot(p)] != p)
		return false;
	fuzz.block[i] = &fuzz_gone;
	fuzz.held -= malloc_usable_size(p);
	return true;
}

/* calloc() */
static void *fuzz_calloc(size_t n, size_t size)
{
	if (fuzz.running && size && n > (fuzz.limit - fuzz.held) / size)
		fuzz_fail("the input needs too much memory");
	return fuzz_hold(calloc(n, size));
}

/* realloc(): what was made before the inputs, or grew out of that, lives on after them. */
static void *fuzz_realloc(void *p, size_t n)
{
	bool ours = fuzz_drop(p) || !p;

	if (fuzz.running && n > fuzz.limit)
		fuzz_fail("the input needs too much memory");
	p = realloc(p, n);
	return ours ? fuzz_hold(p) : p;
}

/* vasprintf() */
static __attribute__((format(printf, 2, 0)))
int fuzz_vasprintf(char **s, const char *fmt, va_list ap)
{
	int n = vasprintf(s, fmt, ap);

	if (n >= 0)
		fuzz_hold(*s);
	return n;
}

/* free() */
static void fuzz_free(void *p)
{
	fuzz_drop(p);
	free(p);
}

static FILE *fuzz_messages;	/* standard error of turbostat.c: /dev/null */
static int fuzz_null;		/* the same as a descriptor */

#undef stderr
#undef STDERR_FILENO
#define stderr			fuzz_messages
#define STDERR_FILENO		fuzz_null
#define exit(status)		fuzz_exit(status)
#define calloc(n, size)		fuzz_calloc(n, size)
#define realloc(p, n)		fuzz_realloc(p, n)
#define reallocarray(p, n, size) fuzz_realloc(p, (n) * (size))
#define vasprintf(s, fmt, ap)	fuzz_vasprintf(s, fmt, ap)
#define free(p)			fuzz_free(p)
#define TURBOSTAT_UNIT_TEST
#include "turbostat.c"
#undef exit
#undef calloc
#undef realloc
#undef reallocarray
#undef vasprintf
#undef free

/* ======================================================================== *
 * An input
 * ======================================================================== */

static struct {
	struct sources s;
	struct machine m;
	struct tables t;
	struct options o;
	struct plan p;
	struct run r;
	int fd;			/* a file in memory, for recordings */
	bool made;
} fuzz_initial;

/* The state of the program before the first input. */
static void fuzz_init(void)
{
	fuzz_null = open("/dev/null", O_WRONLY | O_CLOEXEC);
	fuzz_messages = fuzz_null < 0 ? NULL : fdopen(fuzz_null, "w");
	fuzz_initial.fd = memfd_create("recording", MFD_CLOEXEC);
	if (!fuzz_messages || fuzz_initial.fd < 0)
		abort();
	setvbuf(fuzz_messages, NULL, _IOFBF, 4096);
	note(0, "the memory of the notes is made before the inputs, and stays");
	R.output.out = fuzz_null;
	fuzz_initial.s = S;
	fuzz_initial.m = M;
	fuzz_initial.t = T;
	fuzz_initial.o = O;
	fuzz_initial.p = P;
	fuzz_initial.r = R;
	fuzz_initial.made = true;
}

/* Begins an input of n bytes. */
static void fuzz_begin(size_t n)
{
	if (!fuzz_initial.made)
		fuzz_init();
	S = fuzz_initial.s;
	M = fuzz_initial.m;
	T = fuzz_initial.t;
	O = fuzz_initial.o;
	P = fuzz_initial.p;
	R = fuzz_initial.r;
	fuzz.limit = FUZZ_BASE + FUZZ_FACTOR * n;
	fuzz.running = true;
}

/* Ends an input: frees what it left. */
static void fuzz_end(void)
{
	fuzz.running = false;
	for (size_t i = 0; i < fuzz.size; i++) {
		if (fuzz.block[i] && fuzz.block[i] != &fuzz_gone)
			free(fuzz.block[i]);
		fuzz.block[i] = NULL;
	}
	fuzz.used = fuzz.held = 0;
}

/* Runs statements as an input of n bytes, until their end or until exit() is called. */
#define FUZZ_RUN(n, ...) do { \
	fuzz_begin(n); \
	if (!setjmp(fuzz.end)) { __VA_ARGS__; } \
	fuzz_end(); \
} while (0)

/* The input as a string; ends at its first NUL, as an argument does. */
static char *fuzz_string(const uint8_t *data, size_t n)
{
	return textf("%.*s", (int)n, n ? (const char *)data : "");
}

/* Opens a recording that is in memory. */
static void fuzz_open(const char *text, size_t n)
{
	if (ftruncate(fuzz_initial.fd, 0) || pwrite(fuzz_initial.fd, text, n, 0) != (ssize_t)n ||
	    lseek(fuzz_initial.fd, 0, SEEK_SET))
		fuzz_fail("the recording cannot be written");
	O.replay = "recording";
	replay_open(fuzz_initial.fd, "recording");
}

/* Appends a record with the contents of a file. */
static void fuzz_file(struct buf *b, const char *path, const char *s, size_t n)
{
	buf_printf(b, "file %s \"", path);
	for (size_t i = 0; i < n; i++)
		buf_printf(b, "\\x%02x", (u8)s[i]);
	buf_puts(b, "\"\n");
}

/* Does what main() does with a recording, after its options. */
static void fuzz_replay(const char *text, size_t n)
{
	fuzz_open(text, n);
	machine_init(&O.only);
	tables_init();
	plan_init();
	samples_grow();
	clear_sums(&R.total);
	print_configuration();
	if (O.list || O.explain || O.dump)
		print_lists();
	else
		measure();
}

#endif
