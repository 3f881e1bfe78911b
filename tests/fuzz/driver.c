// SPDX-License-Identifier: GPL-2.0-only
/*
 * driver.c - all fuzz targets, for compilers without libFuzzer
 *
 *   driver TARGET CRASH COUNT SECONDS FILE...
 *
 * Feeds the target with the files, and with random changes of them: COUNT inputs, always
 * the same ones, or as many as the SECONDS allow if COUNT is 0.  CRASH is a file that
 * holds the input that runs, after its length in eight bytes: whatever ends the program
 * leaves it there.  An input may take five seconds.
 */
int fuzz_recording(const unsigned char *data, unsigned long n);
int fuzz_add(const unsigned char *data, unsigned long n);
int fuzz_cpulist(const unsigned char *data, unsigned long n);
int fuzz_interrupts(const unsigned char *data, unsigned long n);
int fuzz_formats(const unsigned char *data, unsigned long n);
#define LLVMFuzzerTestOneInput fuzz_recording
#include "recording.c"
#undef LLVMFuzzerTestOneInput
#define LLVMFuzzerTestOneInput fuzz_add
#include "add.c"
#undef LLVMFuzzerTestOneInput
#define LLVMFuzzerTestOneInput fuzz_cpulist
#include "cpulist.c"
#undef LLVMFuzzerTestOneInput
#define LLVMFuzzerTestOneInput fuzz_interrupts
#include "interrupts.c"
#undef LLVMFuzzerTestOneInput
#define LLVMFuzzerTestOneInput fuzz_formats
#include "formats.c"
#undef stderr
#undef STDERR_FILENO
#define STDERR_FILENO 2

enum { INPUT_SPACE = 16384, MAX_SEEDS = 256, SECONDS_EACH = 5 };

static const struct target {
	const char *name;
	int (*run)(const uint8_t *data, size_t n);
	const char *words;	/* that mean something to it, each followed by a newline */
} targets[] = {
	{ "recording", fuzz_recording,
	  "!ENOENT\n!EIO\n*\n0-8191\n8191\n18446744073709551615\nffffffffffffffff\n"
	  "9000000000.000000000\n0.000000000\ntick\nend\nsample 0 \nsample 1 \nmsr 0 \nfile \n"
	  "dir \n"
	  "link \ncpu 0 ok\ncpu 0 !ENXIO\n\"\n\\n\n\\x00\n\\\n1-\n-1\n" },
	{ "add", fuzz_add,
	  "msr0x10\nmsr16\nperf/p/e\nperf/p/event=1,edge/\n/f\nu32\nu64\nraw\ndelta\naverage\n"
	  "percent\ncpu\ncore\npackage\nusec\npmt,\nname=x,\ndomain=package0,\ndomain=cpu1,\n"
	  "offset=8,\nlsb=0,\nmsb=63,\nguid=1,\nseq=0,\npath=/sys/class/intel_pmt/telem0,\n"
	  "type=txtal_time,\n,\n/\n=\n" },
	{ "cpulist", fuzz_cpulist,
	  "0-3\n,\n-\n..\n8191\n8192\n0x\n1e9\n.\n99999999999999999999\n" },
	{ "interrupts", fuzz_interrupts,
	  "CPU0\nCPU3\nCPU8191\nCPU99999999999\n:\nNMI:\nERR: 5\n18446744073709551615\n  0:\n"
	  " 1 2 3 4\n" },
	{ "formats", fuzz_formats,
	  "config:\nconfig3:\n0-63\n,32-35\n63\na=1\nb=0xffffffffffffffff\ne\na\n,\n=\n"
	  "config=0x10\n"
	  "config1=\nname=x\n0.5\nJoules\n1e400\n" },
};

struct input {
	size_t n;
	uint8_t p[INPUT_SPACE];
};
static struct input seeds[MAX_SEEDS], *input;	/* input: in the CRASH file */
static size_t nseeds;
static uint64_t state = 88172645463325252ull;

/* A number below n; always the same sequence. */
static size_t draw(size_t n)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return n ? (size_t)(state * 0x2545f4914f6cdd1dull >> 20) % n : 0;
}

/* Puts bytes in the place of others, if there is room. */
static void replace(size_t at, size_t gone, const void *p, size_t n)
{
	if (at > input->n || gone > input->n - at || input->n - gone + n > INPUT_SPACE)
		return;
	memmove(input->p + at + n, input->p + at + gone, input->n - at - gone);
	if (n)
		memcpy(input->p + at, p, n);
	input->n += n - gone;
}

/* Where a line begins that contains the offset. */
static size_t line_begin(const struct input *in, size_t at)
{
	while (at && in->p[at - 1] != '\n')
		at--;
	return at;
}

/* How long the line is, with its newline. */
static size_t line_length(const struct input *in, size_t at)
{
	const uint8_t *nl = memchr(in->p + at, '\n', in->n - at);

	return nl ? (size_t)(nl + 1 - in->p) - at : in->n - at;
}

/* Puts another number in the place of the next one. */
static void change_number(size_t at)
{
	char text[32];
	size_t n = 0;

	while (at < input->n && (input->p[at] < '0' || input->p[at] > '9'))
		at++;
	while (at + n < input->n && input->p[at + n] >= '0' && input->p[at + n] <= '9')
		n++;
	snprintf(text, sizeof(text), "%llu", draw(2) ? (u64)draw(300) : 1ull << draw(64));
	replace(at, n, text, strlen(text));
}

/* Puts a word that means something into the input, perhaps over something else. */
static void insert_word(const struct target *t, size_t at)
{
	const char *word = t->words;

	for (size_t skip = draw(64); skip; skip--) {
		word = strchr(word, '\n') + 1;
		word = *word ? word : t->words;
	}
	replace(at, draw(3) ? 0 : draw(8), word, strcspn(word, "\n"));
}

/* Changes the input once. */
static void mutate(const struct target *t)
{
	static uint8_t copy[INPUT_SPACE];
	size_t at = draw(input->n + 1), line = line_begin(input, draw(input->n + 1)), n;
	const struct input *other = &seeds[draw(nseeds)];
	uint8_t byte = (uint8_t)draw(256);

	switch (draw(10)) {
	case 0:
		if (at < input->n)
			input->p[at] = draw(2) ? byte : (uint8_t)(input->p[at] ^ 1 << draw(8));
		break;
	case 1:
		replace(at, 0, &byte, 1);
		break;
	case 2:
		replace(at, draw(8) + 1, NULL, 0);
		break;
	case 3:		/* a line goes */
		replace(line, line_length(input, line), NULL, 0);
		break;
	case 4:		/* a line stands twice */
		n = line_length(input, line);
		memcpy(copy, input->p + line, n);
		replace(line_begin(input, at), 0, copy, n);
		break;
	case 5:		/* a line of another input, or all from there */
		n = line_begin(other, draw(other->n + 1));
		replace(line, 0, other->p + n, draw(4) ? line_length(other, n) : other->n - n);
		break;
	case 6:
	case 7:
		insert_word(t, at);
		break;
	case 8:
		change_number(at);
		break;
	default:	/* the end is cut off */
		if (!draw(4))
			input->n = at;
	}
}

/* Reads the inputs that are changed; those that are too long are left out. */
static void read_seeds(char **file)
{
	for (; *file && nseeds < MAX_SEEDS; file++) {
		FILE *f = fopen(*file, "r");

		if (!f)
			continue;
		seeds[nseeds].n = fread(seeds[nseeds].p, 1, INPUT_SPACE, f);
		nseeds += seeds[nseeds].n < INPUT_SPACE;
		fclose(f);
	}
}

/* Makes the CRASH file and lets the input live in it. */
static bool map_input(const char *path)
{
	int fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	void *p = MAP_FAILED;

	if (fd >= 0 && !ftruncate(fd, sizeof(*input)))
		p = mmap(NULL, sizeof(*input), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	input = p;
	return p != MAP_FAILED;
}

/* An input has taken too long. */
static __attribute__((noreturn)) void on_alarm(int sig)
{
	static const char text[] = "fuzz: the input takes more than five seconds\n";

	(void)sig;
	_exit(write(STDERR_FILENO, text, sizeof(text) - 1) < 0 ? 2 : 1);
}

/* See the top of the file. */
int main(int argc, char **argv)
{
	const struct target *t = targets, *end = targets + ARRAY_SIZE(targets);
	unsigned long count, i;
	time_t deadline;

	if (argc < 6)
		return 2;
	while (t < end && strcmp(t->name, argv[1]))
		t++;
	read_seeds(argv + 5);
	if (t == end || !nseeds || !map_input(argv[2]))
		return 2;
	count = strtoul(argv[3], NULL, 10);
	deadline = time(NULL) + (time_t)strtoul(argv[4], NULL, 10);
	signal(SIGALRM, on_alarm);
	for (i = 0; count ? i < count : time(NULL) < deadline; i++) {
		*input = seeds[i < nseeds ? i : draw(nseeds)];
		for (size_t changes = i < nseeds ? 0 : 1 + draw(6); changes; changes--)
			mutate(t);
		alarm(SECONDS_EACH);
		t->run(input->p, input->n);
		alarm(0);
	}
	return 0;
}
