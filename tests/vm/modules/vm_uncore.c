// SPDX-License-Identifier: GPL-2.0-only
/*
 * Files below /sys/devices/system/cpu: thermal_throttle of each CPU (the core's count rises by one
 * a second, the package's stands still), and intel_uncore_frequency/package_PP_die_DD.
 */
#include <linux/cpu.h>
#include <linux/device.h>
#include <linux/kobject.h>
#include <linux/module.h>
#include "machine.h"

enum { MOST_DIES = 16 };

static ssize_t core_throttle_count_show(struct device *dev, struct device_attribute *attr,
					char *buf)
{
	return sysfs_emit(buf, "%llu\n", ktime_get_ns() / NSEC_PER_SEC);
}

static ssize_t package_throttle_count_show(struct device *dev, struct device_attribute *attr,
					   char *buf)
{
	return sysfs_emit(buf, "%d\n", 3);
}

static DEVICE_ATTR_RO(core_throttle_count);
static DEVICE_ATTR_RO(package_throttle_count);
static struct attribute *throttle_files[] = {
	&dev_attr_core_throttle_count.attr, &dev_attr_package_throttle_count.attr, NULL
};
static const struct attribute_group throttle = { .name = "thermal_throttle",
						 .attrs = throttle_files };

static struct kobject *uncore, *die[MOST_DIES];

/* kHz: 1600 MHz and 200 more for each die now, 800 to 2400 allowed. */
static ssize_t frequency_show(struct kobject *kobj, struct kobj_attribute *attr, char *buf)
{
	int i = 0;

	if (strcmp(attr->attr.name, "current_freq_khz"))
		return sysfs_emit(buf, "%d\n", strstr(attr->attr.name, "min") ? 800000 : 2400000);
	while (i < MOST_DIES - 1 && die[i] != kobj)
		i++;
	return sysfs_emit(buf, "%d\n", 1600000 + 200000 * i);
}

#define FREQUENCY(name) \
	static struct kobj_attribute name = __ATTR(name##_khz, 0444, frequency_show, NULL)
FREQUENCY(current_freq);
FREQUENCY(min_freq);
FREQUENCY(max_freq);
FREQUENCY(initial_min_freq);
FREQUENCY(initial_max_freq);
static const struct attribute *uncore_files[] = {
	&current_freq.attr, &min_freq.attr, &max_freq.attr,
	&initial_min_freq.attr, &initial_max_freq.attr, NULL
};

/* The directory of all CPUs in sysfs. */
static struct kobject *cpu_root(void)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 4, 0)
	return &bus_get_dev_root(&cpu_subsys)->kobj;
#else
	return &cpu_subsys.dev_root->kobj;
#endif
}

static int __init start(void)
{
	int cpu, n = 0, error = 0;

	for_each_possible_cpu(cpu)
		if (get_cpu_device(cpu) && !error)
			error = sysfs_create_group(&get_cpu_device(cpu)->kobj, &throttle);
	uncore = kobject_create_and_add("intel_uncore_frequency", cpu_root());
	for_each_online_cpu(cpu)
		if (cpumask_first(topology_die_cpumask(cpu)) == cpu && n < MOST_DIES && !error) {
			char name[40];

			snprintf(name, sizeof(name), "package_%02d_die_%02d",
				 topology_physical_package_id(cpu), topology_die_id(cpu));
			die[n] = kobject_create_and_add(name, uncore);
			error = sysfs_create_files(die[n++], uncore_files);
		}
	return error;
}

static void __exit stop(void)
{
	int cpu;

	for_each_possible_cpu(cpu)
		if (get_cpu_device(cpu))
			sysfs_remove_group(&get_cpu_device(cpu)->kobj, &throttle);
	for (int i = 0; i < MOST_DIES; i++)
		kobject_put(die[i]);
	kobject_put(uncore);
}

module_init(start);
module_exit(stop);
MODULE_LICENSE("GPL v2");
MODULE_DESCRIPTION("throttle counts and uncore clocks of an imagined machine");
