// SPDX-License-Identifier: GPL-2.0-only
/*
 * refuse.c - runs a program without a system call, as a sandbox does
 *
 *   refuse CALL [UID] PROGRAM ARGUMENTS...
 *
 * CALL, fcntl, setresuid or setresgid, fails with EPERM.  With UID the real user and group are
 * that, the others stay, as in a setuid binary.  Status 125: it cannot be refused here.
 */
#define _GNU_SOURCE
#include <ctype.h>
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#define REFUSE(number) \
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 1), \
	BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM)

/* Installs a filter that refuses a call under both of its numbers.  False: it cannot. */
static int refuse(unsigned number, unsigned other)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		REFUSE(number), REFUSE(other), BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog filter = { sizeof(code) / sizeof(*code), code };

	return !prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) &&
	       !prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter);
}

int main(int argc, char **argv)
{
	char **program = argv + 2;
	int done;

	if (argc < 3)
		return 125;
	if (isdigit((unsigned char)**program)) {
		id_t id = (id_t)atoi(*program++);

		if (setresgid(id, -1, -1) || setresuid(id, -1, -1))
			return 125;
	}
#ifdef SYS_fcntl64
	done = !strcmp(argv[1], "fcntl")       ? refuse(SYS_fcntl, SYS_fcntl64)
	       : !strcmp(argv[1], "setresuid") ? refuse(SYS_setresuid, SYS_setresuid32)
					       : refuse(SYS_setresgid, SYS_setresgid32);
#else
	done = !strcmp(argv[1], "fcntl")       ? refuse(SYS_fcntl, SYS_fcntl)
	       : !strcmp(argv[1], "setresuid") ? refuse(SYS_setresuid, SYS_setresuid)
					       : refuse(SYS_setresgid, SYS_setresgid);
#endif
	if (!done || !*program)
		return 125;
	execv(*program, program);
	perror(*program);
	return 125;
}
