/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The imagined machine: what its counters read now.  Each is a share of the TSC, or a rate by
 * CLOCK_MONOTONIC, so that whoever reads it twice knows what must come out; the drills know it
 * (truth.awk), and README.md says it in the words of the columns.
 */
#ifndef MACHINE_H
#define MACHINE_H
#include <linux/cpumask.h>
#include <linux/kernel.h>
#include <linux/ktime.h>
#include <linux/math64.h>
#include <linux/sched.h>
#include <linux/smp.h>
#include <linux/spinlock.h>
#include <linux/string.h>
#include <linux/tick.h>
#include <linux/topology.h>
#include <linux/tracepoint.h>
#include <linux/version.h>
#include <asm/tsc.h>

enum counter {
	TICKS, NANOSECONDS, MPERF, APERF, PPERF, INSTRUCTIONS, REFERENCES, MISSES, SMI,
	C1, C3, C6, C7, PC2, PC3, PC6, PC7, PC8, PC9, PC10, ANY_C0, TOTAL_C0, GFX_C0, CPUGFX,
	/* microjoules */
	J_PACKAGE, J_CORES, J_RAM, J_GPU, J_PSYS, J_CORE,
};

static u64 machine_began;	/* ns: time starts here; a module may set it when it is loaded */

static uint machine_busy;	/* MPERF of all CPUs in per cent of the TSC; 0: as in counter_read() */

/* What a counter's rate goes by: a number of the CPU's unit. */
enum unit { ALIKE, BY_CPU, BY_CORE, BY_DIE, BY_PACKAGE };

/*
 * The first CPU of a CPU's core.  It stays that when it goes offline, as a core has one counter
 * for all its CPUs: it is remembered when one of them is first asked for.
 */
static inline int core_first(int cpu)
{
	static u16 first[NR_CPUS];	/* 1 + the number, 0 = not known yet */
	int sibling;

	if (!first[cpu])
		for_each_cpu(sibling, topology_sibling_cpumask(cpu))
			first[sibling] = 1 + cpumask_first(topology_sibling_cpumask(cpu));
	return first[cpu] - 1;
}

/* A unit's number; dies are numbered throughout the system, packages have two. */
static inline u64 unit_number(enum unit unit, int cpu)
{
	switch (unit) {
	case BY_CPU: return cpu % 8;
	case BY_CORE: return core_first(cpu) % 8;
	case BY_DIE: return topology_physical_package_id(cpu) * 2 + topology_die_id(cpu) % 2;
	case BY_PACKAGE: return topology_physical_package_id(cpu);
	case ALIKE: break;
	}
	return 0;
}

/* ---- a machine whose counters follow what runs (follow=1) ---- */

static bool machine_follows;

/*
 * The ticks in which no CPU of a core or package ran a task, and the TSC up to which they are
 * counted.  Whoever reads it or changes it holds the lock.
 */
static struct asleep { u64 ticks, upto; } asleep_core[NR_CPUS], asleep_package[NR_CPUS];
static struct cpumask machine_running;	/* CPUs that run a task */
static DEFINE_RAW_SPINLOCK(machine_lock);

/* Counts up to now, by what the unit's CPUs have run since; returns the ticks. */
static inline u64 settle(struct asleep *a, const struct cpumask *cpus)
{
	u64 now = rdtsc();

	if (!cpumask_intersects(&machine_running, cpus))
		a->ticks += now - a->upto;
	a->upto = now;
	return a->ticks;
}

static inline u64 settle_core(int cpu)
{
	return settle(&asleep_core[core_first(cpu)], topology_sibling_cpumask(cpu));
}

static inline u64 settle_package(int cpu)
{
	return settle(&asleep_package[topology_physical_package_id(cpu)],
		      topology_core_cpumask(cpu));
}

/* The ticks in which this CPU's core, or package, was idle. */
static inline u64 asleep_ticks(bool of_package, int cpu)
{
	unsigned long flags;
	u64 ticks;

	raw_spin_lock_irqsave(&machine_lock, flags);
	ticks = of_package ? settle_package(cpu) : settle_core(cpu);
	raw_spin_unlock_irqrestore(&machine_lock, flags);
	return ticks;
}

/* Notes whether the CPU that it is called on runs a task from now on. */
static inline void note_task(const struct task_struct *task)
{
	int cpu = smp_processor_id();
	unsigned long flags;

	raw_spin_lock_irqsave(&machine_lock, flags);
	settle_core(cpu);
	settle_package(cpu);
	if (is_idle_task(task))
		cpumask_clear_cpu(cpu, &machine_running);
	else
		cpumask_set_cpu(cpu, &machine_running);
	raw_spin_unlock_irqrestore(&machine_lock, flags);
}

/* For a CPU that stays idle, and so does not switch, when the machine begins to follow. */
static inline void note_current(void *unused)
{
	note_task(current);
}

/* The probe of the kernel's tracepoint sched_switch. */
static inline void on_switch(void *data, bool preempt, struct task_struct *from,
			     struct task_struct *to, unsigned int state)
{
	if (is_idle_task(from) != is_idle_task(to))
		note_task(to);
}

/* Stores the tracepoint sched_switch in the pointer behind found. */
static inline void find_switch(struct tracepoint *tp, void *found)
{
	if (!strcmp(tp->name, "sched_switch"))
		*(struct tracepoint **)found = tp;
}

/* Begins to follow the load, if this machine does (a module calls it once), or ends that. */
static inline int machine_follow(bool begin)
{
	struct tracepoint *tp = NULL;
	int error;

	if (!machine_follows)
		return 0;
	for_each_kernel_tracepoint(find_switch, &tp);
	if (!tp)
		return -ENOENT;
	if (!begin) {
		error = tracepoint_probe_unregister(tp, on_switch, NULL);
		tracepoint_synchronize_unregister();
		return error;
	}
	error = tracepoint_probe_register(tp, on_switch, NULL);
	if (!error)
		on_each_cpu(note_current, NULL, 1);
	return error;
}

/* The TSC's ticks in which a CPU was not idle by the kernel's clock. */
static inline u64 busy_ticks(int cpu)
{
	u64 idle = get_cpu_idle_time_us(cpu, NULL) * NSEC_PER_USEC;

	return mul_u64_u64_div_u64(ktime_get_ns() - idle, tsc_khz, USEC_PER_SEC);
}

/* What counters of time read that follow the load; false: c is another counter. */
static inline bool follow_load(enum counter c, int cpu, u64 *ticks)
{
	switch (c) {
	case MPERF: *ticks = busy_ticks(cpu); return true;
	case APERF: *ticks = busy_ticks(cpu) * 5 / 4; return true;
	case C6: *ticks = asleep_ticks(false, cpu) / 2; return true;
	case C1: case C3: case C7: *ticks = 0; return true;
	case PC2: case PC6: *ticks = asleep_ticks(true, cpu) / 4; return true;
	case PC3: case PC7: case PC8: case PC9: case PC10:
		*ticks = asleep_ticks(true, cpu) / 16;
		return true;
	default: return false;
	}
}

/* What counter c of a CPU reads: (base + step * its unit's number) / 1e9 of what it goes by. */
static inline u64 counter_read(enum counter c, int cpu)
{
	static const struct { enum counter of; u64 base, step; enum unit by; } counter[] = {
		[MPERF] = { TICKS, 100000000, 50000000, BY_CPU },
		[APERF] = { MPERF, 1250000000, 250000000, BY_PACKAGE },
		[PPERF] = { APERF, 800000000 },
		[INSTRUCTIONS] = { APERF, 1250000000 },
		[REFERENCES] = { NANOSECONDS, 10000000 },
		[MISSES] = { NANOSECONDS, 2500000 },
		[SMI] = { NANOSECONDS, 2 },
		[C1] = { TICKS, 50000000 },
		[C3] = { TICKS, 30000000 },
		[C6] = { TICKS, 300000000, 10000000, BY_CORE },
		[C7] = { TICKS, 40000000 },
		[PC2] = { TICKS, 30000000, 30000000, BY_PACKAGE },
		[PC3] = { TICKS, 20000000 },
		[PC6] = { TICKS, 100000000, 50000000, BY_PACKAGE },
		[PC7] = { TICKS, 15000000 },
		[PC8] = { TICKS, 12000000 },
		[PC9] = { TICKS, 8000000 },
		[PC10] = { TICKS, 5000000 },
		[ANY_C0] = { TICKS, 600000000 },
		[TOTAL_C0] = { TICKS, 1100000000, 400000000, BY_PACKAGE },
		[GFX_C0] = { TICKS, 70000000 },
		[CPUGFX] = { TICKS, 50000000 },
		[J_PACKAGE] = { NANOSECONDS, 10000000, 10000000, BY_DIE },
		[J_CORES] = { NANOSECONDS, 4000000, 4000000, BY_DIE },
		[J_RAM] = { NANOSECONDS, 2000000, 2000000, BY_DIE },
		[J_GPU] = { NANOSECONDS, 1000000, 1000000, BY_DIE },
		[J_PSYS] = { NANOSECONDS, 150000000 },
		[J_CORE] = { NANOSECONDS, 500000, 100000, BY_CORE },
	};
	u64 rate, followed;

	if (machine_follows && follow_load(c, cpu, &followed))
		return followed;
	if (c == TICKS)
		return rdtsc();
	if (c == NANOSECONDS)
		return ktime_get_ns() - machine_began;
	rate = counter[c].base + counter[c].step * unit_number(counter[c].by, cpu);
	if (c == MPERF && machine_busy)
		rate = machine_busy * (NSEC_PER_SEC / 100);
	return mul_u64_u64_div_u64(counter_read(counter[c].of, cpu), rate, NSEC_PER_SEC);
}

/* An energy in units of 2^-bits J. */
static inline u64 energy_read(enum counter c, int cpu, int bits)
{
	return mul_u64_u64_div_u64(counter_read(c, cpu), 1ull << bits, USEC_PER_SEC);
}

/* Temperatures in degrees C. */
static inline int core_celsius(int cpu) { return 45 + unit_number(BY_CORE, cpu); }
static inline int package_celsius(int cpu) { return 70 + unit_number(BY_PACKAGE, cpu); }
#endif
