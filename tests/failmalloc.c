// SPDX-License-Identifier: GPL-2.0-only
/*
 * failmalloc.c - an allocator that fails on request; for LD_PRELOAD
 *
 *   FAIL_AT=N	the N-th allocation and all later ones fail; 1 is the first one
 *   FAIL_ONCE=N	only the N-th one fails
 *   FAIL_COUNT=FILE	at the exit the number of allocations is written to FILE, and how many
 *			of them have not been freed
 *   FAIL_ALARM=N	a signal ends the program after N seconds
 *
 * What counts is malloc, calloc and realloc, of the program and of libc alike, from the
 * time when the libraries are ready.  Freeing always works.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void *(*next_malloc)(size_t), *(*next_calloc)(size_t, size_t);
static void *(*next_realloc)(void *, size_t);
static void (*next_free)(void *);

/* Memory that dlsym() allocates before the next allocator is known; never freed. */
static _Alignas(max_align_t) char early[16384];
static size_t early_used;

static bool counting;
static unsigned long count, fail_at, fail_once;
static long left;		/* allocated and not freed */

/* Finds the allocator behind this one. */
static void find_next(void)
{
	static bool searching;

	if (searching)
		return;
	searching = true;
	*(void **)&next_malloc = dlsym(RTLD_NEXT, "malloc");
	*(void **)&next_calloc = dlsym(RTLD_NEXT, "calloc");
	*(void **)&next_realloc = dlsym(RTLD_NEXT, "realloc");
	*(void **)&next_free = dlsym(RTLD_NEXT, "free");
}

/* Memory from the array of early allocations, which is zeroed. */
static void *take_early(size_t n)
{
	size_t rounded = (n + sizeof(max_align_t) - 1) / sizeof(max_align_t) * sizeof(max_align_t);
	void *p = early + early_used;

	if (rounded > sizeof(early) - early_used)
		return NULL;
	early_used += rounded;
	return p;
}

/* Was it taken from the array of early allocations? */
static bool is_early(const void *p)
{
	return (const char *)p >= early && (const char *)p < early + sizeof(early);
}

/* Counts an allocation; true if it shall fail. */
static bool refused(void)
{
	if (!counting)
		return false;
	count++;
	if ((!fail_at || count < fail_at) && count != fail_once)
		return false;
	errno = ENOMEM;
	return true;
}

/* malloc(3) */
void *malloc(size_t n)
{
	if (refused())
		return NULL;
	if (!next_malloc)
		find_next();
	left++;
	return next_malloc ? next_malloc(n) : take_early(n);
}

/* calloc(3) */
void *calloc(size_t n, size_t size)
{
	size_t bytes;

	if (refused() || __builtin_mul_overflow(n, size, &bytes))
		return NULL;
	if (!next_calloc)
		find_next();
	left++;
	return next_calloc ? next_calloc(n, size) : take_early(bytes);
}

/* realloc(3) */
void *realloc(void *p, size_t n)
{
	size_t room = is_early(p) ? (size_t)(early + sizeof(early) - (char *)p) : 0;
	void *q;

	if (refused())
		return NULL;
	if (!next_realloc)
		find_next();
	left += !p;
	if (next_realloc && !room)
		return next_realloc(p, n);
	q = next_malloc ? next_malloc(n) : take_early(n);
	if (q && p)
		memcpy(q, p, n < room ? n : room);
	return q;
}

/* free(3) */
void free(void *p)
{
	if (!p || is_early(p))
		return;
	if (!next_free)
		find_next();
	left--;
	if (next_free)
		next_free(p);
}

/* A number in the environment; 0 if there is none. */
static unsigned long number(const char *name)
{
	const char *s = getenv(name);

	return s ? strtoul(s, NULL, 10) : 0;
}

/* Begins to count, before main(). */
static __attribute__((constructor)) void begin(void)
{
	unsigned long seconds = number("FAIL_ALARM");

	find_next();
	fail_at = number("FAIL_AT");
	fail_once = number("FAIL_ONCE");
	if (seconds)
		alarm((unsigned)seconds);
	counting = true;
}

/* Writes a number and a character at the end of a text; where it begins. */
static char *put_number(char *p, unsigned long n, char after)
{
	*--p = after;
	do {
		*--p = (char)('0' + n % 10);
	} while (n /= 10);
	return p;
}

/* Writes down the number of allocations and of those that are left, after main(). */
static __attribute__((destructor)) void end(void)
{
	const char *path = getenv("FAIL_COUNT");
	char digits[48], *end = digits + sizeof(digits), *p;
	int fd;

	counting = false;
	if (!path)
		return;
	p = put_number(end, left > 0 ? (unsigned long)left : 0, '\n');
	p = put_number(p, count, ' ');
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
	if (fd >= 0) {
		if (write(fd, p, (size_t)(end - p)) < 0)
			_exit(125);
		close(fd);
	}
}
