// SPDX-License-Identifier: GPL-2.0-only
/*
 * limit.c - runs the program under test for a limited time
 *
 *   TURBOSTAT=PROGRAM [LIMIT=SECONDS] [ALONE=1] limit ARGUMENTS...
 *
 * After 60 seconds, unless LIMIT says otherwise, SIGALRM ends the program: status 142 for a
 * shell.  The alarm survives the exec, so that there is one process, and signals reach it.
 * With ALONE the program inherits no descriptor above 2, so that it is known how many it has.
 */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	char *program = getenv("TURBOSTAT");
	const char *limit = getenv("LIMIT");
	int seconds = limit ? atoi(limit) : 60;

	if (argc < 1 || !program || seconds <= 0) {
		fprintf(stderr, "usage: TURBOSTAT=PROGRAM [LIMIT=SECONDS] limit ARGUMENTS...\n");
		return 125;
	}
	for (int fd = 3; getenv("ALONE") && fd < 1024; fd++)
		close(fd);
	alarm((unsigned)seconds);
	argv[0] = program;
	execv(program, argv);
	perror(program);
	return 127;
}
