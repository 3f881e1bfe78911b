// SPDX-License-Identifier: GPL-2.0-only
/*
 * msrfs - MSR devices out of a text file, for tests.
 *
 *   msrfs DIRECTORY FILE
 *
 * mounts on DIRECTORY (/dev/cpu, in a mount namespace of one's own) a file
 * system that has a file CPU/msr for every CPU below 8192. Reading 8 bytes at
 * an offset gives the register of that number, as FILE says it:
 *
 *   reg ADDR CPU BASE RATE [BITS]   BASE + RATE x seconds, modulo 2^BITS (64)
 *   fail ADDR CPU ERRNO             reading fails; ADDR `open`: opening fails
 *
 * ADDR, BASE are hex, the others decimal; `*` for ADDR or CPU is every one. The
 * last line that fits wins; without one the read fails with EIO, as that of a
 * register that the processor does not have. Seconds count from the start;
 * SIGHUP reads FILE again. It speaks the kernel's FUSE protocol itself:
 * include/uapi/linux/fuse.h.
 */
#define _GNU_SOURCE
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>
#include <linux/fuse.h>

#define ANY	UINT64_MAX
#define OPEN	(UINT64_MAX - 1)

struct rule {
	uint64_t addr, cpu, base, rate, mask;
	int error;
};

static struct rule rules[256];
static int nr_rules;
static uint64_t start_us;
static volatile sig_atomic_t reload;

/* The monotonic clock in microseconds. */
static uint64_t now_us(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000ull + t.tv_nsec / 1000;
}

/* Notes that the rules are to be read again. */
static void on_sighup(int sig)
{
	(void)sig;
	reload = 1;
}

/* An address, a CPU, `*` or `open`. */
static uint64_t parse_key(const char *word, int radix)
{
	if (!strcmp(word, "*"))
		return ANY;
	if (!strcmp(word, "open"))
		return OPEN;
	return strtoull(word, NULL, radix);
}

/* Reads the rules; a line that is none is ignored. */
static void read_rules(const char *path)
{
	char line[256], addr[32], cpu[32];
	FILE *f = fopen(path, "r");

	if (!f)
		err(1, "%s", path);
	nr_rules = 0;
	while (nr_rules < 256 && fgets(line, sizeof(line), f)) {
		struct rule r = { 0 };
		unsigned long long base, rate;
		unsigned int bits = 64;

		if (sscanf(line, "reg %31s %31s %llx %llu %u", addr, cpu, &base, &rate, &bits) >=
		    4) {
			r.base = base;
			r.rate = rate;
			r.mask = bits < 64 ? (1ull << bits) - 1 : UINT64_MAX;
		} else if (sscanf(line, "fail %31s %31s %d", addr, cpu, &r.error) != 3) {
			continue;
		}
		r.addr = parse_key(addr, 16);
		r.cpu = parse_key(cpu, 10);
		rules[nr_rules++] = r;
	}
	fclose(f);
}

/* A register's value, or the negative errno of the rule that fits last. */
static int look_up(uint64_t addr, uint64_t cpu, uint64_t *value)
{
	for (int i = nr_rules - 1; i >= 0; i--) {
		const struct rule *r = &rules[i];

		if (r->cpu != ANY && r->cpu != cpu)
			continue;
		if (r->addr != addr && (r->addr != ANY || addr == OPEN))
			continue;
		*value = (r->base + r->rate * (now_us() - start_us) / 1000000) & r->mask;
		return -r->error;
	}
	return addr == OPEN ? 0 : -EIO;
}

/*
 * Node 1 is the root, 2 + 2 x CPU a CPU's directory, and the odd number above
 * it the CPU's register file.
 */
static struct fuse_attr attr_of(uint64_t node)
{
	struct fuse_attr a = { .ino = node, .nlink = 1, .blksize = 4096 };

	a.mode = node > 1 && node & 1 ? S_IFREG | 0600 : S_IFDIR | 0755;
	return a;
}

/* The node of a name in a directory, or 0. */
static uint64_t look_up_name(uint64_t dir, const char *name)
{
	char *end;
	unsigned long cpu = strtoul(name, &end, 10);

	if (dir == 1 && *name && !*end && cpu < 8192)
		return 2 + 2 * cpu;
	if (dir > 1 && !(dir & 1) && !strcmp(name, "msr"))
		return dir + 1;
	return 0;
}

/* Answers one request: the size of the answer in out, or a negative errno. */
static int answer(const struct fuse_in_header *in, const void *arg, void *out)
{
	uint64_t cpu = (in->nodeid - 2) / 2, value = 0;
	const struct fuse_read_in *read_in = arg;
	int error;

	switch (in->opcode) {
	case FUSE_INIT:
		*(struct fuse_init_out *)out = (struct fuse_init_out){
			.major = FUSE_KERNEL_VERSION, .minor = FUSE_KERNEL_MINOR_VERSION,
			.max_readahead = 4096, .max_write = 4096,
		};
		return sizeof(struct fuse_init_out);
	case FUSE_LOOKUP:
		*(struct fuse_entry_out *)out = (struct fuse_entry_out){
			.nodeid = look_up_name(in->nodeid, arg),
			.entry_valid = 60,
			.attr_valid = 60,
		};
		((struct fuse_entry_out *)out)->attr = attr_of(
			((struct fuse_entry_out *)out)->nodeid);
		return ((struct fuse_entry_out *)out)->nodeid ? (int)sizeof(struct fuse_entry_out)
							      : -ENOENT;
	case FUSE_GETATTR:
		*(struct fuse_attr_out *)out =
			(struct fuse_attr_out){ .attr_valid = 60, .attr = attr_of(in->nodeid) };
		return sizeof(struct fuse_attr_out);
	case FUSE_OPEN:
		*(struct fuse_open_out *)out =
			(struct fuse_open_out){ .open_flags = FOPEN_DIRECT_IO };
		error = look_up(OPEN, cpu, &value);
		return error ? error : (int)sizeof(struct fuse_open_out);
	case FUSE_READ:
		error = look_up(read_in->offset, cpu, &value);
		memcpy(out, &value, sizeof(value));
		return error ? error : read_in->size < 8 ? -EINVAL : (int)sizeof(value);
	case FUSE_RELEASE:
	case FUSE_FLUSH:
		return 0;
	default:
		return -ENOSYS;
	}
}

int main(int argc, char **argv)
{
	static char request[FUSE_MIN_READ_BUFFER * 2], reply[4096];
	const struct fuse_in_header *in = (void *)request;
	struct sigaction hup = { .sa_handler = on_sighup };
	char options[96];
	int fd;

	if (argc != 3)
		errx(2, "usage: msrfs DIRECTORY FILE");
	read_rules(argv[2]);
	start_us = now_us();
	sigaction(SIGHUP, &hup, NULL);
	fd = open("/dev/fuse", O_RDWR | O_CLOEXEC);
	if (fd < 0)
		err(1, "/dev/fuse");
	snprintf(options, sizeof(options), "fd=%d,rootmode=40000,user_id=0,group_id=0,allow_other",
		 fd);
	if (mount("msrfs", argv[1], "fuse", MS_NODEV | MS_NOSUID, options))
		err(1, "mount on %s", argv[1]);
	for (;;) {
		struct fuse_out_header out = { .len = sizeof(out) };
		struct iovec iov[2] = { { &out, sizeof(out) }, { reply, 0 } };
		int size = read(fd, request, sizeof(request)), error = errno;

		if (reload) {
			reload = 0;
			read_rules(argv[2]);
		}
		if (size < 0 && (error == EINTR || error == EAGAIN || error == ENOENT))
			continue;
		if (size < 0)
			return error != ENODEV;
		if (in->opcode == FUSE_FORGET || in->opcode == FUSE_BATCH_FORGET ||
		    in->opcode == FUSE_INTERRUPT)
			continue;
		size = answer(in, request + sizeof(*in), reply);
		out.unique = in->unique;
		out.error = size < 0 ? size : 0;
		iov[1].iov_len = size < 0 ? 0 : size;
		out.len += iov[1].iov_len;
		if (writev(fd, iov, 2) < 0 && errno != ENOENT)
			err(1, "reply");
	}
}
