// SPDX-License-Identifier: GPL-2.0-only
/*
 * remote.c - the least that a pass can cost: for each CPU that is online one read of a perf event
 * that counts there.  remote ROUNDS SECONDS: prints the median of so many rounds in us; between
 * them it waits.  Exit status 77: there is no such event here.
 */

#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* Opens the TSC's event (event 0 of the PMU msr) of a CPU; -1: there is none. */
static int open_tsc(unsigned type, int cpu)
{
	struct perf_event_attr a = { .size = sizeof(a), .type = type };

	return (int)syscall(SYS_perf_event_open, &a, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC);
}

/* For qsort. */
static int by_size(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* CLOCK_MONOTONIC in us. */
static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

int main(int argc, char **argv)
{
	enum { MOST = 1024 };
	static int fd[MOST];
	static double round[MOST];
	FILE *f = fopen("/sys/bus/event_source/devices/msr/type", "r");
	int n = (int)sysconf(_SC_NPROCESSORS_ONLN), rounds = argc > 1 ? atoi(argv[1]) : 30;
	double wait = argc > 2 ? atof(argv[2]) : 0.05;
	unsigned type;

	if (!f || fscanf(f, "%u", &type) != 1 || n > MOST || rounds < 1 || rounds > MOST)
		return 77;
	fclose(f);
	for (int cpu = 0; cpu < n; cpu++)
		if ((fd[cpu] = open_tsc(type, cpu)) < 0)
			return 77;
	for (int i = 0; i < rounds; i++) {
		unsigned long long v;
		double begin;

		usleep((useconds_t)(wait * 1e6));
		begin = now();
		for (int cpu = 0; cpu < n; cpu++)
			if (read(fd[cpu], &v, sizeof(v)) != sizeof(v))
				return 77;
		round[i] = now() - begin;
	}
	qsort(round, (size_t)rounds, sizeof(*round), by_size);
	printf("%.1f\n", round[(rounds - 1) / 2]);
	return 0;
}
