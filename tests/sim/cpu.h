/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * cpu.h - the instructions that sim.c answers; included before the program by -include
 */
#ifndef SIM_CPU_H
#define SIM_CPU_H

#include <cpuid.h>

void sim_cpuid(unsigned leaf, unsigned subleaf, unsigned r[4]);
unsigned long long sim_tsc(void);

#undef __cpuid_count
#define __cpuid_count(leaf, subleaf, a, b, c, d)	\
	do {						\
		unsigned sim_r[4];			\
							\
		sim_cpuid(leaf, subleaf, sim_r);	\
		(a) = sim_r[0];				\
		(b) = sim_r[1];				\
		(c) = sim_r[2];				\
		(d) = sim_r[3];				\
	} while (0)
#define __builtin_ia32_rdtsc	sim_tsc

#endif
