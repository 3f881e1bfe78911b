// SPDX-License-Identifier: GPL-2.0-only
/*
 * CPUID of the imagined machine, for a program whose `cpuid` instructions (0f a2) were made
 * `ud2` (0f 0b): the emulator's answer, and the bits below.
 *
 *   atoms=N   CPUs from N on are E-cores of a hybrid processor (0: not hybrid)
 *   follow=1  the base clock is the TSC's, as where the other counters follow what runs; and CPUs
 *             take turns every 122 us (see take_turns)
 *   clock     to be read: the TSC and CLOCK_MONOTONIC in ns. What the kernel says of the TSC's
 *             rate when it starts is wrong where the host holds the machine up meanwhile.
 */
#include <linux/kdebug.h>
#include <linux/mc146818rtc.h>
#include <linux/ktime.h>
#include <linux/module.h>
#include <linux/ptrace.h>
#include <linux/uaccess.h>
#include <asm/processor.h>
#include <asm/traps.h>
#include <asm/tsc.h>

static int atoms;
module_param(atoms, int, 0444);
static bool follow;
module_param(follow, bool, 0444);

static int clock_get(char *buf, const struct kernel_param *param)
{
	return sprintf(buf, "%llu %llu\n", rdtsc(), ktime_get_ns());
}

static const struct kernel_param_ops clock_ops = { .get = clock_get };
module_param_cb(clock, &clock_ops, NULL, 0444);

enum { EAX, EBX, ECX, EDX };

/* Bits that are set besides the emulator's (SDM volume 2A, CPUID). */
static const struct { u32 leaf, reg, bits; } announced[] = {
	{ 0x06, EAX, 0x47 },		/* DTS, turbo, ARAT, PTM */
	{ 0x06, ECX, 0x09 },		/* APERF and MPERF, EPB */
	{ 0x15, EAX, 3 }, { 0x15, EBX, 250 }, { 0x15, ECX, 24000000 },	/* a crystal of 24 MHz */
	{ 0x16, EAX, 2000 }, { 0x16, EBX, 3800 }, { 0x16, ECX, 100 },	/* MHz */
};

/* A hybrid processor's leaves: which exist, bit "hybrid", the type of the CPU that asks. */
static void answer_hybrid(u32 leaf, u32 sub, u32 v[4])
{
	if (leaf == 0 && v[EAX] < 0x1a)
		v[EAX] = 0x1a;
	if (leaf == 7 && sub == 0)
		v[EDX] |= 1 << 15;
	if (leaf == 0x1a) {
		v[EAX] = (raw_smp_processor_id() >= atoms ? 0x20u : 0x40u) << 24;
		v[EBX] = v[ECX] = v[EDX] = 0;
	}
}

/* The leaves of a base clock that is the TSC's, in whole MHz. */
static void answer_clock(u32 leaf, u32 v[4])
{
	u32 mhz = DIV_ROUND_CLOSEST(tsc_khz, 1000);

	if (leaf == 0 && v[EAX] < 0x16)
		v[EAX] = 0x16;
	if (leaf == 0x15) {
		v[EAX] = 24;
		v[EBX] = mhz;
	}
	if (leaf == 0x16)
		v[EAX] = mhz;
}

/* Answers the trap of an undefined instruction in a user's program, if it is ud2. */
static int answer(struct notifier_block *self, unsigned long why, void *data)
{
	struct die_args *die = data;
	struct pt_regs *regs = die->regs;
	u32 v[4];
	u8 code[2];

	if (why != DIE_TRAP || die->trapnr != X86_TRAP_UD || !user_mode(regs))
		return NOTIFY_DONE;
	if (copy_from_user_nofault(code, (void __user *)regs->ip, 2) || code[0] != 0x0f ||
	    code[1] != 0x0b)
		return NOTIFY_DONE;
	cpuid_count(regs->ax, regs->cx, &v[EAX], &v[EBX], &v[ECX], &v[EDX]);
	for (int i = 0; i < ARRAY_SIZE(announced); i++)
		if (announced[i].leaf == (u32)regs->ax)
			v[announced[i].reg] |= announced[i].bits;
	if (follow)
		answer_clock(regs->ax, v);
	if (atoms)
		answer_hybrid(regs->ax, regs->cx, v);
	regs->ax = v[EAX];
	regs->bx = v[EBX];
	regs->cx = v[ECX];
	regs->dx = v[EDX];
	regs->ip += sizeof(code);
	return NOTIFY_STOP;
}

/*
 * The emulator runs one CPU at a time, each until the machine's next timer is due: where one of
 * them is busy, interrupts of the others would wait for up to 4 ms each.  So the RTC has a period
 * of 122 us (register A), by the machine's clock (-rtc clock=vm); nobody takes its interrupt.
 */
static void take_turns(bool begin)
{
	unsigned long flags;
	u8 control;

	spin_lock_irqsave(&rtc_lock, flags);
	control = CMOS_READ(RTC_CONTROL) & ~RTC_PIE;
	CMOS_WRITE(RTC_REF_CLCK_32KHZ | 3, RTC_FREQ_SELECT);
	CMOS_WRITE(begin ? control | RTC_PIE : control, RTC_CONTROL);
	spin_unlock_irqrestore(&rtc_lock, flags);
}

static struct notifier_block notifier = { .notifier_call = answer, .priority = INT_MAX };

static int __init start(void)
{
	if (follow)
		take_turns(true);
	return register_die_notifier(&notifier);
}

static void __exit stop(void)
{
	if (follow)
		take_turns(false);
	unregister_die_notifier(&notifier);
}

module_init(start);
module_exit(stop);
MODULE_LICENSE("GPL v2");
MODULE_DESCRIPTION("CPUID of an imagined machine");
