// SPDX-License-Identifier: GPL-2.0-only
/*
 * /sys/class/hwmon/hwmonP, "coretemp" of package P: temp1 is the package's, temp2 and so on are
 * its cores', as Documentation/hwmon/coretemp.rst has it. Debian's kernels for virtual machines
 * have no class hwmon; others do, and get a device of theirs.
 */
#include <linux/device.h>
#include <linux/hwmon.h>
#include <linux/module.h>
#include <linux/slab.h>
#include "machine.h"

enum { MOST_PACKAGES = 4, MOST_CORES = 64 };

static struct device *device[MOST_PACKAGES];

/* A file temp*_label or temp*_input; of a core there is a CPU. */
struct temp_file {
	struct device_attribute attr;
	int package, cpu;
	bool is_core;
};

static ssize_t label_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	struct temp_file *t = container_of(attr, struct temp_file, attr);

	if (t->is_core)
		return sysfs_emit(buf, "Core %d\n", topology_core_id(t->cpu));
	return sysfs_emit(buf, "Package id %d\n", t->package);
}

/* Fails for a CPU that is not there, as the driver's rdmsr would. */
static ssize_t input_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	struct temp_file *t = container_of(attr, struct temp_file, attr);

	if (t->is_core && !cpu_online(t->cpu))
		return -EIO;
	return sysfs_emit(buf, "%d\n",
			  1000 * (t->is_core ? core_celsius(t->cpu) : package_celsius(t->cpu)));
}

#if !IS_ENABLED(CONFIG_HWMON)
static struct class hwmon_class = { .name = "hwmon" };

static ssize_t name_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "coretemp\n");
}

static DEVICE_ATTR_RO(name);
#endif

/* Adds temp<n>_label and temp<n>_input; never freed, as long as there is memory for a drill. */
static void add_sensor(struct attribute_group *group, int n, int package, int cpu, bool is_core)
{
	for (int i = 0; i < 2; i++) {
		struct temp_file *t = kzalloc(sizeof(*t), GFP_KERNEL);
		int end = 0;

		sysfs_attr_init(&t->attr.attr);
		t->attr.attr.name = kasprintf(GFP_KERNEL, "temp%d_%s", n, i ? "input" : "label");
		t->attr.attr.mode = 0444;
		t->attr.show = i ? input_show : label_show;
		t->package = package;
		t->cpu = cpu;
		t->is_core = is_core;
		while (group->attrs[end])
			end++;
		group->attrs[end] = &t->attr.attr;
	}
}

/* The device of the package that this CPU, its first, is in. */
static struct device *new_device(int first)
{
	const struct attribute_group **groups = kcalloc(2, sizeof(*groups), GFP_KERNEL);
	struct attribute_group *group = kzalloc(sizeof(*group), GFP_KERNEL);
	int package = topology_physical_package_id(first), n = 1, cpu;

	groups[0] = group;
	group->attrs = kcalloc(2 * MOST_CORES + 4, sizeof(*group->attrs), GFP_KERNEL);
	add_sensor(group, n++, package, first, false);
	for_each_cpu(cpu, topology_core_cpumask(first))
		if (cpumask_first(topology_sibling_cpumask(cpu)) == cpu && n <= MOST_CORES)
			add_sensor(group, n++, package, cpu, true);
#if IS_ENABLED(CONFIG_HWMON)
	return hwmon_device_register_with_groups(NULL, "coretemp", NULL, groups);
#else
	group->attrs[2 * n - 2] = &dev_attr_name.attr;
	return device_create_with_groups(&hwmon_class, NULL, 0, NULL, groups, "hwmon%d", package);
#endif
}

static int __init start(void)
{
	int cpu;

#if !IS_ENABLED(CONFIG_HWMON)
	int error = class_register(&hwmon_class);

	if (error)
		return error;
#endif
	for_each_online_cpu(cpu) if (cpumask_first(topology_core_cpumask(cpu)) == cpu &&
				     topology_physical_package_id(cpu) < MOST_PACKAGES)
		device[topology_physical_package_id(cpu)] = new_device(cpu);
	return 0;
}

static void __exit stop(void)
{
	for (int i = 0; i < MOST_PACKAGES; i++)
		if (!IS_ERR_OR_NULL(device[i]))
#if IS_ENABLED(CONFIG_HWMON)
			hwmon_device_unregister(device[i]);
#else
			device_unregister(device[i]);
	class_unregister(&hwmon_class);
#endif
}

module_init(start);
module_exit(stop);
MODULE_LICENSE("GPL v2");
MODULE_DESCRIPTION("temperatures of an imagined machine");
