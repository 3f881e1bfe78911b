// SPDX-License-Identifier: GPL-2.0-only
/*
 * A cpuidle driver with the states POLL, C1, C1E and C6: all but the first halt; the kernel
 * counts. It has no owner, so that it may be unloaded while its devices are there.
 */
#include <linux/cpuidle.h>
#include <linux/module.h>
#include <linux/sched/idle.h>
#include <linux/version.h>
#include <asm/irqflags.h>

/* Halts the CPU; from 6.3 on the caller wants interrupts to be off again. */
static __cpuidle int halt_cpu(struct cpuidle_device *dev, struct cpuidle_driver *drv, int index)
{
	if (current_clr_polling_and_test()) {
		if (LINUX_VERSION_CODE < KERNEL_VERSION(6, 3, 0))
			local_irq_enable();
		return index;
	}
	raw_safe_halt();
	if (LINUX_VERSION_CODE >= KERNEL_VERSION(6, 3, 0))
		raw_local_irq_disable();
	return index;
}

static struct cpuidle_driver driver = {
	.name = "intel_idle",
	.states = {
		{ },	/* POLL is the kernel's */
		{ .name = "C1", .desc = "MWAIT 0x00", .enter = halt_cpu,
		  .exit_latency = 2, .target_residency = 2 },
		{ .name = "C1E", .desc = "MWAIT 0x01", .enter = halt_cpu,
		  .exit_latency = 10, .target_residency = 20 },
		{ .name = "C6", .desc = "MWAIT 0x20", .enter = halt_cpu,
		  .exit_latency = 133, .target_residency = 400 },
	},
	.state_count = 4,
};

static int __init start(void)
{
	cpuidle_poll_state_init(&driver);
	return cpuidle_register(&driver, NULL);
}

static void __exit stop(void)
{
	cpuidle_unregister(&driver);
}

module_init(start);
module_exit(stop);
MODULE_LICENSE("GPL v2");
MODULE_DESCRIPTION("idle states of an imagined machine");
