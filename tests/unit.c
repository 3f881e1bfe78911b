// SPDX-License-Identifier: GPL-2.0-only
/*
 * unit.c - tests of the functions and tables of turbostat.c, which is included
 *
 *   build/unit [NAME...]	all tests, or these; a NAME is a test's or a section's
 *
 * The tests of each section of turbostat.c are in a file of its name, tests/unit/SECTION.c.
 * Each test runs in a process of its own, so that none sees what another has left
 * behind.  Prints "ok unit/NAME", or "FAIL unit/NAME: ..." and the details indented.
 * "skip unit/NAME: reason" where it cannot be run.  Exit status 0 if nothing failed.
 */
#include "tests/unit/frame.h"
#include "tests/unit/base.c"
#include "tests/unit/live.c"
#include "tests/unit/recording.c"
#include "tests/unit/sources.c"
#include "tests/unit/platforms.c"
#include "tests/unit/machine.c"
#include "tests/unit/devices.c"
#include "tests/unit/facts.c"
#include "tests/unit/tables.c"
#include "tests/unit/rows.c"
#include "tests/unit/search.c"
#include "tests/unit/events.c"
#include "tests/unit/choice.c"
#include "tests/unit/plan.c"
#include "tests/unit/sample.c"
#include "tests/unit/math.c"
#include "tests/unit/print.c"
#include "tests/unit/formats.c"
#include "tests/unit/registers.c"
#include "tests/unit/report.c"
#include "tests/unit/explain.c"
#include "tests/unit/energy.c"
#include "tests/unit/options.c"
#include "tests/unit/runs.c"
#include "tests/unit/run.c"
#include "tests/unit/repeat.c"

static const struct section {
	const char *name;
	const struct test *tests;
} sections[] = {
	{ "base", base_tests },
	{ "live", live_tests },
	{ "recording", recording_tests },
	{ "sources", sources_tests },
	{ "platforms", platforms_tests },
	{ "machine", machine_tests },
	{ "devices", devices_tests },
	{ "facts", facts_tests },
	{ "tables", tables_tests },
	{ "rows", rows_tests },
	{ "search", search_tests },
	{ "events", events_tests },
	{ "choice", choice_tests },
	{ "plan", plan_tests },
	{ "sample", sample_tests },
	{ "math", math_tests },
	{ "print", print_tests },
	{ "formats", formats_tests },
	{ "registers", registers_tests },
	{ "report", report_tests },
	{ "explain", explain_tests },
	{ "energy", energy_tests },
	{ "options", options_tests },
	{ "runs", runs_tests },
	{ "run", run_tests },
	{ "repeat", repeat_tests },
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
	if (WIFEXITED(status) && WEXITSTATUS(status) == SKIPPED) {
		printf("skip unit/%s: %s", t->name, text);
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
	for (size_t i = 0; i < ARRAY_SIZE(sections); i++) {
		for (const struct test *t = sections[i].tests; t->name; t++) {
			bool wanted = argc < 2;

			for (int k = 1; k < argc; k++)
				wanted |= !strcmp(argv[k], t->name) ||
					  !strcmp(argv[k], sections[i].name);
			if (wanted)
				good &= run_test(t);
		}
	}
	return !good;
}
