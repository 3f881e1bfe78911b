// SPDX-License-Identifier: GPL-2.0-only
/*
 * /sys/class/powercap/intel-rapl:N of the imagined machine: a zone for each die with "core" and
 * "dram" in it, and "psys" (Documentation/power/powercap).
 *
 *   soon=J   so many Joules after it was loaded each zone's counter wraps
 */
#include <linux/module.h>
#include <linux/powercap.h>
#include <linux/slab.h>
#include "machine.h"

static uint soon = 50;
module_param(soon, uint, 0444);

enum { MOST_ZONES = 3 * 16 + 1 };

static const u64 range = 262143328850;	/* microjoules, the hardware's 32 bits of 2^-14 J */
static struct powercap_control_type *type;

static struct machine_zone {
	struct powercap_zone zone;
	int cpu;
	enum counter counter;
} *zones[MOST_ZONES];
static int n_zones;

static int read_energy(struct powercap_zone *zone, u64 *uj)
{
	struct machine_zone *z = container_of(zone, struct machine_zone, zone);

	*uj = (range - soon * USEC_PER_SEC + counter_read(z->counter, z->cpu)) % range;
	return 0;
}

static int read_range(struct powercap_zone *zone, u64 *uj)
{
	*uj = range;
	return 0;
}

static int release(struct powercap_zone *zone)
{
	kfree(container_of(zone, struct machine_zone, zone));
	return 0;
}

static const struct powercap_zone_ops zone_ops = {
	.get_energy_uj = read_energy, .get_max_energy_range_uj = read_range, .release = release,
};

static int read_limit(struct powercap_zone *zone, int id, u64 *uw)
{
	*uw = id ? 125000000 : 100000000;
	return 0;
}

static int read_window(struct powercap_zone *zone, int id, u64 *us)
{
	*us = id ? 2440 : 27983872;
	return 0;
}

static int write_nothing(struct powercap_zone *zone, int id, u64 value)
{
	return -EPERM;
}

static const char *limit_name(struct powercap_zone *zone, int id)
{
	return id ? "short_term" : "long_term";
}

static const struct powercap_zone_constraint_ops limit_ops = {
	.get_power_limit_uw = read_limit, .set_power_limit_uw = write_nothing,
	.get_time_window_us = read_window, .set_time_window_us = write_nothing,
	.get_max_power_uw = read_limit, .get_name = limit_name,
};

/* Adds a zone, below another or not. */
static struct powercap_zone *add_zone(int cpu, enum counter counter, const char *name,
				      struct powercap_zone *parent)
{
	struct machine_zone *z = kzalloc(sizeof(*z), GFP_KERNEL);

	z->cpu = cpu;
	z->counter = counter;
	zones[n_zones++] = z;
	return powercap_register_zone(&z->zone, type, name, parent, &zone_ops, 2, &limit_ops);
}

static int __init start(void)
{
	int cpu;

	machine_began = ktime_get_ns();
	type = powercap_register_control_type(NULL, "intel-rapl", NULL);
	if (IS_ERR(type))
		return PTR_ERR(type);
	for_each_online_cpu(cpu)
		if (cpumask_first(topology_die_cpumask(cpu)) == cpu && n_zones < MOST_ZONES - 3) {
			struct powercap_zone *die;
			char name[30];

			snprintf(name, sizeof(name), "package-%d-die-%d",
				 topology_physical_package_id(cpu), topology_die_id(cpu));
			die = add_zone(cpu, J_PACKAGE, name, NULL);
			add_zone(cpu, J_CORES, "core", die);
			add_zone(cpu, J_RAM, "dram", die);
		}
	add_zone(0, J_PSYS, "psys", NULL);
	return 0;
}

static void __exit stop(void)
{
	while (n_zones)
		powercap_unregister_zone(type, &zones[--n_zones]->zone);
	powercap_unregister_control_type(type);
}

module_init(start);
module_exit(stop);
MODULE_LICENSE("GPL v2");
MODULE_DESCRIPTION("powercap zones of an imagined machine");
