// SPDX-License-Identifier: GPL-2.0-only
/*
 * pty.c - runs a program on a terminal of its own, and types
 *
 *   pty [-b | -w] TEXT PROGRAM ARGUMENTS...
 *
 * Standard input, output and error of the program are the terminal; -b: it is not in the
 * foreground there.  TEXT is typed as soon as the program has written something or, in the
 * foreground and without -w, catches SIGTERM: -w is for a command that says when it is ready.
 * What it writes goes to standard output.  Ends with its
 * status, as a shell says it; a program that is stopped by a signal is killed: status 200
 * and the signal.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

/* Ends the helper, not the program under test. */
static void fail(const char *what)
{
	perror(what);
	exit(125);
}

/* The status of a process that has changed its state, as a shell says it. */
static int status_of(pid_t pid)
{
	int status;

	if (waitpid(pid, &status, WUNTRACED) < 0)
		fail("waitpid");
	if (WIFSTOPPED(status)) {
		kill(pid, SIGKILL);
		waitpid(pid, NULL, 0);
		return 200 + WSTOPSIG(status);
	}
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* Leads a session on the terminal and runs the program there; does not return. */
static void lead(const char *terminal, int background, char **argv)
{
	struct termios t;
	pid_t pid;
	int fd;

	setsid();
	fd = open(terminal, O_RDWR);
	if (fd < 0 || tcgetattr(fd, &t))
		fail(terminal);
	t.c_oflag &= ~(tcflag_t)OPOST;
	t.c_lflag &= ~(tcflag_t)ECHO;
	tcsetattr(fd, TCSANOW, &t);
	pid = fork();
	if (pid == 0) {
		setpgid(0, 0);
		signal(SIGTTOU, SIG_IGN);
		if (!background)
			tcsetpgrp(fd, getpid());
		signal(SIGTTOU, SIG_DFL);
		signal(SIGINT, SIG_DFL);	/* a shell ignores them in the background */
		signal(SIGQUIT, SIG_DFL);
		for (int i = 0; i < 3; i++)
			dup2(fd, i);
		execvp(argv[0], argv);
		fail(argv[0]);
	}
	exit(pid < 0 ? 125 : status_of(pid));
}

/* Does the process in the foreground of the terminal catch SIGTERM? */
static int is_ready(int master)
{
	char path[64], line[256];
	unsigned long long caught = 0;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/status", (int)tcgetpgrp(master));
	f = fopen(path, "re");
	while (f && fgets(line, sizeof(line), f))
		sscanf(line, "SigCgt: %llx", &caught);
	if (f)
		fclose(f);
	return caught >> (SIGTERM - 1) & 1;
}

int main(int argc, char **argv)
{
	int background = argc > 1 && !strcmp(argv[1], "-b"), master;
	int waits = argc > 1 && !strcmp(argv[1], "-w"), words = background || waits;
	const char *text = argv[1 + words];
	struct pollfd out;
	char part[4096];
	ssize_t n;
	pid_t pid;

	if (argc < 3 + words) {
		fprintf(stderr, "usage: pty [-b | -w] TEXT PROGRAM ARGUMENTS...\n");
		return 125;
	}
	master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
	if (master < 0 || grantpt(master) || unlockpt(master))
		fail("a terminal");
	pid = fork();
	if (pid == 0)
		lead(ptsname(master), background, argv + 2 + words);
	/* what is typed too early for one in the background waits for it */
	out = (struct pollfd){ master, POLLIN, 0 };
	for (int n = background ? 57 : 0; *text && n < 600 - 540 * background; n++) {
		if ((!waits && is_ready(master)) ||
		    (poll(&out, 1, 100) > 0 && out.revents & POLLIN))
			break;
	}
	if (write(master, text, strlen(text)) < 0)
		fail("typing");
	while ((n = read(master, part, sizeof(part))) > 0 || !waitpid(pid, NULL, WNOHANG | WNOWAIT))
		if (n > 0 && write(STDOUT_FILENO, part, (size_t)n) != n)
			fail("writing");
		else if (n <= 0)
			usleep(1000);	/* the session has not opened the terminal yet */
	return status_of(pid);
}
