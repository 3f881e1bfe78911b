// SPDX-License-Identifier: GPL-2.0-only
/*
 * drop - run a command with less than one has.
 *
 *   drop [-c CAP,...] [-u UID] [-n LIMIT] [-a MASK] [-g] COMMAND [ARG ...]
 *   drop -x CAP,... FILE
 *
 *   -c   without these capabilities, for good (bounding set too)
 *   -u   as this user and group, without supplementary groups
 *   -n   with this limit of open files, soft and hard
 *   -a   bound to the CPUs of this hex mask
 *   -g   in a cgroup namespace of its own, mounted on /sys/fs/cgroup
 *   -x   runs nothing, but gives FILE these capabilities, as setcap does
 *
 * Whatever the options, signals have their default action in the command:
 * a shell without job control lets what runs in the background ignore SIGINT.
 */
#define _GNU_SOURCE
#include <err.h>
#include <grp.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <linux/capability.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/xattr.h>

static const struct {
	const char *name;
	int bit;
} caps[] = {
	{ "dac_override", 1 }, { "dac_read_search", 2 }, { "sys_rawio", 17 },
	{ "sys_admin", 21 }, { "sys_nice", 23 }, { "sys_resource", 24 },
	{ "perfmon", 38 },
};

/* Turns "sys_rawio,perfmon" into a mask of capabilities. */
static uint64_t parse_caps(char *list)
{
	uint64_t mask = 0;

	for (char *name = strtok(list, ","); name; name = strtok(NULL, ",")) {
		size_t i = 0;

		while (i < sizeof(caps) / sizeof(caps[0]) && strcmp(name, caps[i].name))
			i++;
		if (i == sizeof(caps) / sizeof(caps[0]))
			errx(2, "%s: unknown capability", name);
		mask |= 1ull << caps[i].bit;
	}
	return mask;
}

/* Takes capabilities away from this process and from all that it starts. */
static void drop_caps(uint64_t mask)
{
	struct __user_cap_header_struct head = { _LINUX_CAPABILITY_VERSION_3, 0 };
	struct __user_cap_data_struct data[2];

	for (int bit = 0; bit < 64; bit++)
		if (mask >> bit & 1 && prctl(PR_CAPBSET_DROP, bit, 0, 0, 0))
			err(2, "bounding set, capability %d", bit);
	if (syscall(SYS_capget, &head, data))
		err(2, "capget");
	for (int i = 0; i < 2; i++) {
		uint32_t keep = ~(uint32_t)(mask >> 32 * i);

		data[i].effective &= keep;
		data[i].permitted &= keep;
		data[i].inheritable &= keep;
	}
	if (syscall(SYS_capset, &head, data))
		err(2, "capset");
}

/* Gives a file capabilities, permitted and effective. */
static void set_file_caps(const char *file, uint64_t mask)
{
	struct vfs_cap_data data = {
		.magic_etc = VFS_CAP_REVISION_2 | VFS_CAP_FLAGS_EFFECTIVE,
	};

	data.data[0].permitted = mask;
	data.data[1].permitted = mask >> 32;
	if (setxattr(file, "security.capability", &data, sizeof(data), 0))
		err(2, "%s: security.capability", file);
}

/* Becomes an ordinary user. */
static void become(unsigned int id)
{
	if (setgroups(0, NULL) || setgid(id) || setuid(id))
		err(2, "uid %u", id);
}

/* Binds the process to the CPUs of a hex mask. */
static void bind_cpus(const char *hex)
{
	unsigned long long mask = strtoull(hex, NULL, 16);
	cpu_set_t set;

	CPU_ZERO(&set);
	for (int cpu = 0; cpu < 64; cpu++)
		if (mask >> cpu & 1)
			CPU_SET(cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set))
		err(2, "affinity %s", hex);
}

/* Makes the current cgroup the root of what can be seen, as a container does. */
static void own_cgroup_view(void)
{
	if (unshare(CLONE_NEWCGROUP | CLONE_NEWNS) ||
	    mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
	    umount2("/sys/fs/cgroup", MNT_DETACH) ||
	    mount("none", "/sys/fs/cgroup", "cgroup2", 0, NULL))
		err(2, "cgroup namespace");
}

int main(int argc, char **argv)
{
	struct rlimit limit;
	uint64_t lose = 0;
	int opt;

	for (int sig = 1; sig < NSIG; sig++)
		signal(sig, SIG_DFL);
	while ((opt = getopt(argc, argv, "+c:u:n:a:gx:")) != -1) {
		switch (opt) {
		case 'c':
			lose = parse_caps(optarg);
			break;
		case 'u':
			become(strtoul(optarg, NULL, 10));
			break;
		case 'n':
			limit.rlim_cur = limit.rlim_max = strtoul(optarg, NULL, 10);
			if (setrlimit(RLIMIT_NOFILE, &limit))
				err(2, "limit %s", optarg);
			break;
		case 'a':
			bind_cpus(optarg);
			break;
		case 'g':
			own_cgroup_view();
			break;
		case 'x':
			set_file_caps(argv[optind], parse_caps(optarg));
			return 0;
		default:
			return 2;
		}
	}
	if (lose)
		drop_caps(lose);
	execvp(argv[optind], argv + optind);
	err(127, "%s", argv[optind]);
}
