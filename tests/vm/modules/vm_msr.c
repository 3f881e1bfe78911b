// SPDX-License-Identifier: GPL-2.0-only
/*
 * /dev/cpu/N/msr of the imagined machine, in the place of the msr driver (major 202) and as
 * strict: CAP_SYS_RAWIO, ENXIO for a CPU that is offline, EIO for a register that is not there.
 *
 *   deny=REGISTER   gives EIO as well (0: none; 1: all); may be written at any time
 *   soon=J          so many Joules after it was loaded each energy counter wraps
 *   follow=1        counters follow what runs, and the base clock is the TSC's
 */
#include <linux/capability.h>
#include <linux/cpu.h>
#include <linux/device.h>
#include <linux/fs.h>
#include <linux/module.h>
#include <linux/uaccess.h>
#include "machine.h"

static uint deny, soon = 50;
module_param_named(busy, machine_busy, uint, 0444);
module_param_named(follow, machine_follows, bool, 0444);
module_param(deny, uint, 0644);
module_param(soon, uint, 0444);

enum { MSR_DEVICES = 202, MOST_CPUS = 512, ENERGY_BITS = 14 };

/* Registers that count: the counter, and whether it is one of energy, 32 bits of 2^-14 J. */
static const struct { u32 reg; enum counter counter; bool energy; } counts[] = {
	{ 0x10, TICKS }, { 0x34, SMI }, { 0xe7, MPERF }, { 0xe8, APERF },
	{ 0x3f8, PC3 }, { 0x3f9, PC6 }, { 0x3fa, PC7 }, { 0x3fc, C3 }, { 0x3fd, C6 }, { 0x3fe, C7 },
	{ 0x60d, PC2 }, { 0x630, PC8 }, { 0x631, PC9 }, { 0x632, PC10 }, { 0x660, C1 },
	{ 0x658, TOTAL_C0 }, { 0x659, ANY_C0 }, { 0x65a, GFX_C0 }, { 0x65b, CPUGFX },
	{ 0x611, J_PACKAGE, true }, { 0x619, J_RAM, true }, { 0x639, J_CORES, true },
	{ 0x641, J_GPU, true }, { 0x64d, J_PSYS, true },
};

/* Registers that stand still (SDM volume 4). */
static const struct { u32 reg; u64 value; } constants[] = {
	{ 0x17, 0 }, { 0x3a, 0 }, { 0x8b, 0xf0ull << 32 }, { 0x13c, 0 },
	{ 0x35, 4 << 16 | 4 },			/* cores and threads */
	{ 0xce, 0x0008083df3011400 },		/* ratios 8 and 20; 2 configurable TDPs */
	{ 0xe2, 0x1e008008 }, { 0x19b, 0 },
	{ 0x198, 0x2000ull << 32 | 32 << 8 },	/* 1.0 V, ratio 32 */
	{ 0x199, 0x2000 }, { 0x1a0, 0x850089 }, { 0x1a4, 0 }, { 0x1aa, 0 },
	{ 0x1a2, 100 << 16 },			/* TjMax 100 C */
	{ 0x1ad, 0x2020222224242626 },		/* turbo ratios 38 to 32 */
	{ 0x1b0, 6 }, { 0x1b2, 0 }, { 0x1fc, 0x4005f },
	{ 0x606, 0xa0003 | ENERGY_BITS << 8 },	/* 2^-14 J, 2^-10 s, 1/8 W */
	{ 0x610, 0x00428320001a8320 },		/* 100 W */
	{ 0x614, 100 * 8 },			/* TDP 100 W */
	{ 0x60a, 0 }, { 0x60b, 0 }, { 0x60c, 0 }, { 0x613, 0 }, { 0x615, 0 }, { 0x618, 0 },
	{ 0x61b, 0 }, { 0x61c, 0 }, { 0x633, 0 }, { 0x634, 0 }, { 0x635, 0 }, { 0x638, 0 },
	{ 0x63a, 0 }, { 0x640, 0 }, { 0x642, 0 }, { 0x648, 20 }, { 0x649, 0 }, { 0x64a, 0 },
	{ 0x64b, 0 }, { 0x64c, 19 }, { 0x64e, 0 }, { 0x64f, 0 }, { 0x65c, 0 }, { 0x690, 0 },
	{ 0x6b0, 0 }, { 0x6b1, 0 },
};

/* What a register reads on a CPU; 0, or -EIO. */
static int register_read(int cpu, u32 reg, u64 *value)
{
	if (deny == 1 || (deny && deny == reg))
		return -EIO;
	*value = 0;
	if (reg == 0x19c)	/* degrees below TjMax, valid */
		*value = 1ull << 31 | (100 - core_celsius(cpu)) << 16;
	if (reg == 0x1b1)
		*value = 1ull << 31 | (100 - package_celsius(cpu)) << 16;
	if (reg == 0xce && machine_follows)	/* ratio of 100 MHz */
		*value = (u64)DIV_ROUND_CLOSEST(tsc_khz, 100000) << 8;
	if (*value)
		return 0;
	for (int i = 0; i < ARRAY_SIZE(constants); i++)
		if (constants[i].reg == reg) {
			*value = constants[i].value;
			return 0;
		}
	for (int i = 0; i < ARRAY_SIZE(counts); i++)
		if (counts[i].reg == reg && counts[i].energy) {
			*value = (u32)(energy_read(counts[i].counter, cpu, ENERGY_BITS) -
				       (soon << ENERGY_BITS));
			return 0;
		} else if (counts[i].reg == reg) {
			*value = counter_read(counts[i].counter, cpu);
			return 0;
		}
	return -EIO;
}

struct request {
	int cpu, error;
	u32 reg;
	u64 value;
};

/* Reads a register on its CPU. */
static void request_run(void *p)
{
	struct request *r = p;

	r->error = register_read(r->cpu, r->reg, &r->value);
}

static ssize_t msr_read(struct file *f, char __user *buf, size_t count, loff_t *pos)
{
	struct request r = { .cpu = iminor(file_inode(f)), .reg = *pos };
	int error;

	if (count != sizeof(r.value))
		return -EINVAL;
	error = smp_call_function_single(r.cpu, request_run, &r, true);
	if (error || r.error)
		return error ? error : r.error;
	return copy_to_user(buf, &r.value, sizeof(r.value)) ? -EFAULT : sizeof(r.value);
}

/* Nobody may write; the drills look for this line. */
static ssize_t msr_write(struct file *f, const char __user *buf, size_t count, loff_t *pos)
{
	pr_warn("msr: write to 0x%x\n", (u32)*pos);
	return -EPERM;
}

static int msr_open(struct inode *inode, struct file *f)
{
	if (!capable(CAP_SYS_RAWIO))
		return -EPERM;
	return iminor(inode) < nr_cpu_ids && cpu_online(iminor(inode)) ? 0 : -ENXIO;
}

static const struct file_operations msr_files = {
	.owner = THIS_MODULE, .llseek = no_seek_end_llseek,
	.open = msr_open, .read = msr_read, .write = msr_write,
};

/* The device's place below /dev. */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 2, 0)
static char *msr_place(const struct device *dev, umode_t *mode)
#else
static char *msr_place(struct device *dev, umode_t *mode)
#endif
{
	return kasprintf(GFP_KERNEL, "cpu/%u/msr", MINOR(dev->devt));
}

static struct class msr_class = { .name = "msr", .devnode = msr_place };

static int cpu_comes(unsigned int cpu)
{
	return PTR_ERR_OR_ZERO(
		device_create(&msr_class, NULL, MKDEV(MSR_DEVICES, cpu), NULL, "msr%u", cpu));
}

static int cpu_goes(unsigned int cpu)
{
	device_destroy(&msr_class, MKDEV(MSR_DEVICES, cpu));
	return 0;
}

static int state;

static int __init start(void)
{
	int err = __register_chrdev(MSR_DEVICES, 0, MOST_CPUS, "cpu/msr", &msr_files);

	if (err)
		return err;
	machine_began = ktime_get_ns();
	err = machine_follow(true);
	if (!err)
		err = class_register(&msr_class);
	if (!err)
		err = state = cpuhp_setup_state(CPUHP_AP_ONLINE_DYN, "vm/msr:online", cpu_comes,
						cpu_goes);
	if (err < 0)
		machine_follow(false);
	return err < 0 ? err : 0;
}

static void __exit stop(void)
{
	cpuhp_remove_state(state);
	class_unregister(&msr_class);
	machine_follow(false);
	__unregister_chrdev(MSR_DEVICES, 0, MOST_CPUS, "cpu/msr");
}

module_init(start);
module_exit(stop);
MODULE_LICENSE("GPL v2");
MODULE_DESCRIPTION("MSRs of an imagined machine");
