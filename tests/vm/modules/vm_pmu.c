// SPDX-License-Identifier: GPL-2.0-only
/*
 * PMUs with the names and events of the hardware's, which count for the imagined machine. (The
 * kernel's own "msr" is kept away by initcall_blacklist=msr_init.)
 *
 *   list=NAME,...   those that there are
 *   counters=N      of a core PMU; what does not fit is multiplexed (may be written)
 *   all_cpus=1      "power" lists all CPUs in its cpumask
 *   atoms=N         CPUs from N on have cpu_atom, those before cpu_core
 *   migrate=0       events of a CPU that goes are lost (may be written)
 *   follow=1        counters follow what runs
 *
 * To be written while it runs:
 *
 *   refuse=PMU:CONFIG:ERRNO[:CPU]   that event does not open (CONFIG -1: none does)
 *   back=PMU back_cpu=CPU           counts (of that CPU, -1: of all) run backwards
 *   move=PMU:FROM:TO                another CPU of the unit stands in the cpumask
 */
#include <linux/cpuhotplug.h>
#include <linux/device.h>
#include <linux/module.h>
#include <linux/perf_event.h>
#include <linux/slab.h>
#include "machine.h"

static char *list = "power,cstate_core,cstate_pkg,msr,cpu", refuse[64], back[32];
static int counters = 4, all_cpus, atoms, migrate = 1, back_cpu = -1;
module_param_named(busy, machine_busy, uint, 0444);
module_param_named(follow, machine_follows, bool, 0444);
module_param(list, charp, 0444);
module_param_string(refuse, refuse, sizeof(refuse), 0644);
module_param_string(back, back, sizeof(back), 0644);
module_param(back_cpu, int, 0644);
module_param(counters, int, 0644);
module_param(all_cpus, int, 0444);
module_param(atoms, int, 0444);
module_param(migrate, int, 0644);

/* Whose events a CPU's event stands for; only a core PMU multiplexes. */
enum scope { PER_CPU, PER_CORE, PER_DIE, PER_PACKAGE, CORE_PMU };

enum { MOST_EVENTS = 7, JOULE_BITS = 32, ECHO = -1, LEVEL = -2 };

struct event_row {
	const char *name;
	u64 config;
	int counter;		/* enum counter; ECHO, LEVEL */
	const char *unit, *scale;
};

struct vm_pmu {
	struct pmu pmu;		/* the first: see pmu_of */
	const char *name;
	enum scope scope;
	const char *format;	/* NAME=VALUE NAME=VALUE ... */
	struct event_row event[MOST_EVENTS];
	bool masked, registered;
	struct cpumask mask;	/* where it is to be opened; of a hybrid core PMU its CPUs */
};

/* clang-format off */
#define JOULES "Joules", "2.3283064365386962890625e-10"
#define EVENT_FORMAT "event=config:0-7"
#define UNCORE_FORMAT EVENT_FORMAT " umask=config:8-15 edge=config:18 inv=config:23 threshold=config:24-31"
#define CPU_FORMAT EVENT_FORMAT " umask=config:8-15 edge=config:18 any=config:21 inv=config:23 cmask=config:24-31"
#define CPU_EVENTS { \
	{ "cpu-cycles", 0x3c, APERF }, { "instructions", 0xc0, INSTRUCTIONS }, { "ref-cycles", 0x300, MPERF }, \
	{ "cache-references", 0x4f2e, REFERENCES }, { "cache-misses", 0x412e, MISSES }, }

static struct vm_pmu pmus[] = {
	{ .name = "power", .scope = PER_DIE, .masked = true, .format = EVENT_FORMAT, .event = {
		{ "energy-cores", 1, J_CORES, JOULES }, { "energy-pkg", 2, J_PACKAGE, JOULES },
		{ "energy-ram", 3, J_RAM, JOULES }, { "energy-gpu", 4, J_GPU, JOULES },
		{ "energy-psys", 5, J_PSYS, JOULES }, } },
	{ .name = "power_core", .scope = PER_CORE, .masked = true, .format = EVENT_FORMAT, .event = {
		{ "energy-core", 1, J_CORE, JOULES }, } },
	{ .name = "cstate_core", .scope = PER_CORE, .masked = true, .format = "event=config:0-63", .event = {
		{ "c1-residency", 0, C1 }, { "c3-residency", 1, C3 }, { "c6-residency", 2, C6 }, { "c7-residency", 3, C7 }, } },
	{ .name = "cstate_pkg", .scope = PER_PACKAGE, .masked = true, .format = "event=config:0-63", .event = {
		{ "c2-residency", 0, PC2 }, { "c3-residency", 1, PC3 }, { "c6-residency", 2, PC6 }, { "c7-residency", 3, PC7 },
		{ "c8-residency", 4, PC8 }, { "c9-residency", 5, PC9 }, { "c10-residency", 6, PC10 }, } },
	{ .name = "msr", .scope = PER_CPU, .format = "event=config:0-63", .event = {
		{ "tsc", 0, TICKS }, { "aperf", 1, APERF }, { "mperf", 2, MPERF }, { "pperf", 3, PPERF }, { "smi", 4, SMI }, } },
	{ .name = "cpu", .scope = CORE_PMU, .format = CPU_FORMAT, .event = CPU_EVENTS },
	{ .name = "cpu_core", .scope = CORE_PMU, .format = CPU_FORMAT, .event = CPU_EVENTS },
	{ .name = "cpu_atom", .scope = CORE_PMU, .format = CPU_FORMAT, .event = CPU_EVENTS },
	{ .name = "uncore_cbox_0", .scope = PER_PACKAGE, .masked = true, .format = UNCORE_FORMAT, .event = {
		{ "clockticks", 0xff, NANOSECONDS }, { "llc_lookup", 0x1134, REFERENCES, "Lookups", "2.0" }, } },
	{ .name = "uncore_cbox_1", .scope = PER_PACKAGE, .masked = true, .format = UNCORE_FORMAT, .event = {
		{ "clockticks", 0xff, NANOSECONDS }, { "llc_lookup", 0x1134, REFERENCES, "Lookups", "2.0" }, } },
	{ .name = "vm_echo", .scope = PER_PACKAGE, .masked = true,
	  .format = "low=config:0-15 split=config:16-19,32-35 bit=config:63 one=config1:0-31 one_hi=config1:32-63 two=config2:0-63", .event = {
		{ "plain", 100, ECHO }, { "scaled", 100, ECHO, "MiB", "0.5" }, { "level", 0xfff, LEVEL, "C", "1" }, } },
};
/* clang-format on */

static struct vm_pmu *pmu_of(struct pmu *pmu)
{
	return (struct vm_pmu *)pmu;
}

static bool is_atom(const struct vm_pmu *p)
{
	return !strcmp(p->name, "cpu_atom");
}

/* A core PMU of some CPUs only. */
static bool is_hybrid(const struct vm_pmu *p)
{
	return p->scope == CORE_PMU && p->name[3];
}

/* The CPUs that share what an event of this CPU counts. */
static const struct cpumask *unit_of(const struct vm_pmu *p, int cpu)
{
	switch (p->scope) {
	case PER_CORE: return topology_sibling_cpumask(cpu);
	case PER_DIE: return topology_die_cpumask(cpu);
	case PER_PACKAGE: return topology_core_cpumask(cpu);
	case PER_CPU: case CORE_PMU: break;
	}
	return cpumask_of(cpu);
}

/* ---- counting ---- */

static DEFINE_PER_CPU(int, counters_used);

/* A rate per second that says which configuration arrived. */
static u64 echo_rate(const struct perf_event_attr *attr)
{
	u64 split = (attr->config >> 16 & 15) | (attr->config >> 32 & 15) << 4;

	return (attr->config & 0xffff) + 1000 * split + 1000000 * (attr->config >> 63) +
	       10000000 * (attr->config1 & 0xffffffff) + 3 * (attr->config1 >> 32) +
	       7 * attr->config2;
}

/* C1 is what the other states leave where counters follow what runs, and no event counts it. */
static bool is_missing(const struct event_row *e)
{
	return machine_follows && e->counter == C1;
}

/* The event's row; NULL for a configuration that has none. */
static const struct event_row *find_row(const struct vm_pmu *p, u64 config)
{
	for (int i = 0; i < MOST_EVENTS && p->event[i].name; i++)
		if (p->event[i].config == config && !is_missing(&p->event[i]))
			return &p->event[i];
	return NULL;
}

/*
 * What the counter reads; of a core event without a row it is its number in millions a second.  An
 * event of a task is where the task is.
 */
static u64 event_value(struct perf_event *e)
{
	struct vm_pmu *p = pmu_of(e->pmu);
	int cpu = e->cpu < 0 ? smp_processor_id() : e->cpu;
	const struct event_row *row = find_row(p, e->hw.config);
	int counter = row ? row->counter : ECHO;

	if (counter == LEVEL)
		return 42;
	if (counter == ECHO)
		return mul_u64_u64_div_u64(counter_read(NANOSECONDS, cpu), p->scope == CORE_PMU ?
			1000000 * (e->hw.config & 0xff) : echo_rate(&e->attr), NSEC_PER_SEC);
	return counter >= J_PACKAGE ? energy_read(counter, cpu, JOULE_BITS)
				    : counter_read(counter, cpu);
}

/* Adds what has been counted since the last time, or takes it away (back=). */
static void event_update(struct perf_event *e)
{
	u64 now = event_value(e), gain = now - local64_xchg(&e->hw.prev_count, now);
	const struct event_row *row = find_row(pmu_of(e->pmu), e->hw.config);
	bool runs_back = !strcmp(back, pmu_of(e->pmu)->name) &&
			 (back_cpu < 0 || back_cpu == e->cpu);

	if (e->hw.state & PERF_HES_STOPPED)
		return;
	if (row && row->counter == LEVEL)
		local64_set(&e->count, now);
	else
		local64_add(runs_back ? -gain : gain, &e->count);
}

static void event_start(struct perf_event *e, int flags)
{
	local64_set(&e->hw.prev_count, event_value(e));
	e->hw.state = 0;
}

static void event_stop(struct perf_event *e, int flags)
{
	event_update(e);
	e->hw.state |= PERF_HES_STOPPED;
}

static int event_add(struct perf_event *e, int flags)
{
	if (pmu_of(e->pmu)->scope == CORE_PMU) {
		if (__this_cpu_read(counters_used) >= counters)
			return -EAGAIN;
		__this_cpu_inc(counters_used);
	}
	e->hw.state = PERF_HES_STOPPED;
	if (flags & PERF_EF_START)
		event_start(e, flags);
	return 0;
}

static void event_del(struct perf_event *e, int flags)
{
	event_stop(e, flags);
	if (pmu_of(e->pmu)->scope == CORE_PMU)
		__this_cpu_dec(counters_used);
}

/* The error that `refuse` has for the event, 0 for none. */
static int event_refused(struct perf_event *e)
{
	char name[32];
	long long config;
	int error, cpu, n = sscanf(refuse, "%31[^:]:%lli:%d:%d", name, &config, &error, &cpu);

	if (n < 3 || strcmp(name, pmu_of(e->pmu)->name) ||
	    (config >= 0 && config != e->attr.config) || (n == 4 && cpu != e->cpu))
		return 0;
	return -error;
}

/* Would the core events of the group ever be on the counters together? */
static bool group_fits(struct perf_event *e)
{
	struct perf_event *s;
	int n = 1;

	if (e->group_leader == e)
		return true;
	n += e->group_leader->pmu == e->pmu;
	for_each_sibling_event(s, e->group_leader)
		n += s->pmu == e->pmu;
	return n <= counters;
}

/* A new event: 0, or why it cannot be. */
static int event_init(struct perf_event *e)
{
	static const u64 generic[] = { 0x3c, 0xc0, 0x4f2e,
				       0x412e, [PERF_COUNT_HW_REF_CPU_CYCLES] = 0x300 };
	struct vm_pmu *p = pmu_of(e->pmu);
	int error;

	e->hw.config = e->attr.config;
	if (e->attr.type == PERF_TYPE_HARDWARE && p->scope == CORE_PMU) {
		if (e->attr.config >= ARRAY_SIZE(generic) || !generic[e->attr.config])
			return -ENOENT;
		e->hw.config = generic[e->attr.config];
	} else if (e->attr.type != p->pmu.type) {
		return -ENOENT;
	}
	if (is_sampling_event(e) || (e->cpu < 0 && (p->scope != CORE_PMU || is_hybrid(p))))
		return -EINVAL;
	error = event_refused(e);
	if (error)
		return error;
	if (is_hybrid(p) && !cpumask_test_cpu(e->cpu, &p->mask))
		return -ENOENT;
	if (p->scope != CORE_PMU && p->event[0].counter != ECHO && !find_row(p, e->hw.config))
		return -EINVAL;
	if (p->scope == CORE_PMU && !group_fits(e))
		return -EINVAL;
	if (p->masked && !(all_cpus && p == pmus)) {
		e->cpu = cpumask_any_and(&p->mask, unit_of(p, e->cpu));
		if (e->cpu >= nr_cpu_ids)
			return -ENODEV;
	}
	return 0;
}

/* ---- sysfs ---- */

static ssize_t mask_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	return cpumap_print_to_pagebuf(true, buf, &pmu_of(dev_get_drvdata(dev))->mask);
}

static ssize_t text_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "%s\n",
			  (char *)container_of(attr, struct dev_ext_attribute, attr)->var);
}

/* Adds a file to a group; never freed, as long as there is memory for a drill. */
static void add_file(struct attribute_group *group, const char *name, const char *text)
{
	struct dev_ext_attribute *file = kzalloc(sizeof(*file), GFP_KERNEL);
	int n = 0;

	sysfs_attr_init(&file->attr.attr);
	file->attr.attr.name = name;
	file->attr.attr.mode = 0444;
	file->attr.show = text ? text_show : mask_show;
	file->var = (void *)text;
	while (group->attrs[n])
		n++;
	group->attrs[n] = &file->attr.attr;
}

static struct attribute_group *new_group(const char *name)
{
	struct attribute_group *group = kzalloc(sizeof(*group), GFP_KERNEL);

	group->name = name;
	group->attrs = kcalloc(4 * MOST_EVENTS, sizeof(*group->attrs), GFP_KERNEL);
	return group;
}

/* The files events/NAME, events/NAME.unit, events/NAME.scale, and .snapshot of a level. */
static struct attribute_group *event_files(const struct vm_pmu *p)
{
	struct attribute_group *group = new_group("events");

	for (const struct event_row *e = p->event; e < p->event + MOST_EVENTS && e->name; e++) {
		const char *term = p->scope == CORE_PMU || strstr(p->format, "umask")
					   ? kasprintf(GFP_KERNEL, "event=0x%02llx,umask=0x%02llx",
						       e->config & 0xff, e->config >> 8)
					   : kasprintf(GFP_KERNEL, "%s=0x%02llx",
						       strstr(p->format, "event=") ? "event"
										   : "config",
						       e->config);

		if (is_missing(e))
			continue;
		add_file(group, e->name, term);
		if (e->unit) {
			add_file(group, kasprintf(GFP_KERNEL, "%s.unit", e->name), e->unit);
			add_file(group, kasprintf(GFP_KERNEL, "%s.scale", e->name), e->scale);
		}
		if (e->counter == LEVEL)
			add_file(group, kasprintf(GFP_KERNEL, "%s.snapshot", e->name), "1");
	}
	return group;
}

/* The files format/NAME. */
static struct attribute_group *format_files(const struct vm_pmu *p)
{
	struct attribute_group *group = new_group("format");
	char *words = kstrdup(p->format, GFP_KERNEL), *word;

	while ((word = strsep(&words, " "))) {
		char *name = strsep(&word, "=");

		add_file(group, name, word);
	}
	return group;
}

/* Registers a PMU. */
static int pmu_start(struct vm_pmu *p)
{
	const struct attribute_group **groups = kcalloc(4, sizeof(*groups), GFP_KERNEL);
	struct attribute_group *top = new_group(NULL);
	bool raw = p->scope == CORE_PMU && !is_atom(p);
	int error;

	if (p->masked || is_hybrid(p))
		add_file(top, p->masked ? "cpumask" : "cpus", NULL);
	groups[0] = format_files(p);
	groups[1] = event_files(p);
	groups[2] = top;
	p->pmu = (struct pmu){
		.module = THIS_MODULE,
		.attr_groups = groups,
		.task_ctx_nr = p->scope == CORE_PMU ? perf_hw_context
			       : p->masked          ? perf_invalid_context
						    : perf_sw_context,
		.capabilities = PERF_PMU_CAP_NO_INTERRUPT |
				(p->scope == CORE_PMU ? PERF_PMU_CAP_EXTENDED_HW_TYPE
						      : PERF_PMU_CAP_NO_EXCLUDE),
		.event_init = event_init,
		.add = event_add,
		.del = event_del,
		.start = event_start,
		.stop = event_stop,
		.read = event_update,
	};
	error = perf_pmu_register(&p->pmu, p->name, raw ? PERF_TYPE_RAW : -1);
	p->registered = !error;
	return error;
}

/* ---- CPUs that come and go ---- */

static int cpu_comes(unsigned int cpu)
{
	for (struct vm_pmu *p = pmus; p < pmus + ARRAY_SIZE(pmus); p++)
		if (is_hybrid(p) ? (cpu >= atoms) == is_atom(p)
				 : p->masked && ((all_cpus && p == pmus) ||
						 !cpumask_intersects(&p->mask, unit_of(p, cpu))))
			cpumask_set_cpu(cpu, &p->mask);
	return 0;
}

/* Another CPU of the unit stands in for one that goes, and takes over its events. */
static int cpu_goes(unsigned int cpu)
{
	for (struct vm_pmu *p = pmus; p < pmus + ARRAY_SIZE(pmus); p++) {
		unsigned int to = cpumask_any_but(unit_of(p, cpu), cpu);

		if (!cpumask_test_and_clear_cpu(cpu, &p->mask) || !p->masked || to >= nr_cpu_ids)
			continue;
		cpumask_set_cpu(to, &p->mask);
		if (p->registered && migrate)
			perf_pmu_migrate_context(&p->pmu, cpu, to);
	}
	return 0;
}

/* Is the name of n bytes in the list? */
static bool is_listed(const char *name)
{
	size_t n = strlen(name);

	for (const char *s = list; (s = strstr(s, name)); s += n)
		if ((s == list || s[-1] == ',') && (!s[n] || s[n] == ','))
			return true;
	return false;
}

/* move=PMU:FROM:TO changes a cpumask and leaves the events where they are. */
static int move_set(const char *text, const struct kernel_param *param)
{
	char name[32];
	int from, to;

	if (sscanf(text, "%31[^:]:%d:%d", name, &from, &to) != 3)
		return -EINVAL;
	for (struct vm_pmu *p = pmus; p < pmus + ARRAY_SIZE(pmus); p++)
		if (!strcmp(p->name, name)) {
			cpumask_clear_cpu(from, &p->mask);
			cpumask_set_cpu(to, &p->mask);
		}
	return 0;
}

static const struct kernel_param_ops move_ops = { .set = move_set };
module_param_cb(move, &move_ops, NULL, 0200);

static int state;

/* Unregisters what was registered. */
static void stop_pmus(void)
{
	for (struct vm_pmu *p = pmus; p < pmus + ARRAY_SIZE(pmus); p++)
		if (p->registered)
			perf_pmu_unregister(&p->pmu);
	cpuhp_remove_state_nocalls(state);
}

static int __init start(void)
{
	int error = 0;

	state = cpuhp_setup_state(CPUHP_AP_ONLINE_DYN, "vm/pmu:online", cpu_comes, cpu_goes);
	if (state < 0)
		return state;
	error = machine_follow(true);
	for (struct vm_pmu *p = pmus; !error && p < pmus + ARRAY_SIZE(pmus); p++)
		if (is_listed(p->name))
			error = pmu_start(p);
	if (error) {
		stop_pmus();
		machine_follow(false);
	}
	return error;
}

static void __exit stop(void)
{
	stop_pmus();
	machine_follow(false);
}

module_init(start);
module_exit(stop);
MODULE_LICENSE("GPL v2");
MODULE_DESCRIPTION("PMUs of an imagined machine");
