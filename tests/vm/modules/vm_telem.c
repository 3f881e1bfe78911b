// SPDX-License-Identifier: GPL-2.0-only
/*
 * /sys/class/intel_pmt/telem0 and telem1, guid 0x0badcafe, of words of 64 bits: at 0 a count of
 * 1e6 (2e6) a second in bits 0-31 and 0xabcd in bits 32-47, at 8 9.6e6 a second, at 16 a constant.
 */
#include <linux/device.h>
#include <linux/hrtimer.h>
#include <linux/io.h>
#include <linux/mm.h>
#include <linux/module.h>
#include "machine.h"

enum { REGIONS = 2 };

static struct class pmt_class = { .name = "intel_pmt" };
static struct device *device[REGIONS];
static u64 *words[REGIONS];
static struct hrtimer timer;

/* Brings the counts up to date, each millisecond. */
static enum hrtimer_restart tick(struct hrtimer *t)
{
	u64 ns = ktime_get_ns();

	for (int i = 0; i < REGIONS; i++) {
		WRITE_ONCE(words[i][0], (u32)(ns / 1000 * (i + 1)) | 0xabcdull << 32);
		WRITE_ONCE(words[i][1], mul_u64_u64_div_u64(ns, 9600000, NSEC_PER_SEC));
		WRITE_ONCE(words[i][2], 0x1122334455667788);
	}
	hrtimer_forward_now(t, ms_to_ktime(1));
	return HRTIMER_RESTART;
}

static ssize_t guid_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "0x0badcafe\n");
}

static ssize_t size_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "%lu\n", PAGE_SIZE);
}

static ssize_t offset_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "0\n");
}

static DEVICE_ATTR_RO(guid);
static DEVICE_ATTR_RO(size);
static DEVICE_ATTR_RO(offset);
static struct attribute *region_attrs[] = { &dev_attr_guid.attr, &dev_attr_size.attr,
					    &dev_attr_offset.attr, NULL };
ATTRIBUTE_GROUPS(region);

static u64 *words_of(struct kobject *kobj)
{
	return words[kobj_to_dev(kobj)->id];
}

static ssize_t telem_read(struct file *f, struct kobject *kobj, struct bin_attribute *attr,
			  char *buf, loff_t at, size_t n)
{
	return memory_read_from_buffer(buf, n, &at, words_of(kobj), PAGE_SIZE);
}

static int telem_mmap(struct file *f, struct kobject *kobj, struct bin_attribute *attr,
		      struct vm_area_struct *area)
{
	if (area->vm_flags & VM_WRITE)
		return -EROFS;
	return remap_pfn_range(area, area->vm_start, virt_to_phys(words_of(kobj)) >> PAGE_SHIFT,
			       PAGE_SIZE, area->vm_page_prot);
}

static struct bin_attribute telem = {
	.attr = { .name = "telem", .mode = 0440 },
	.size = PAGE_SIZE,
	.read = telem_read,
	.mmap = telem_mmap,
};

static int __init start(void)
{
	int error = class_register(&pmt_class);

	for (int i = 0; !error && i < REGIONS; i++) {
		words[i] = (u64 *)get_zeroed_page(GFP_KERNEL);
		device[i] = device_create_with_groups(&pmt_class, NULL, 0, NULL, region_groups,
						      "telem%d", i);
		device[i]->id = i;
		error = sysfs_create_bin_file(&device[i]->kobj, &telem);
	}
	if (error)
		return error;
	hrtimer_init(&timer, CLOCK_MONOTONIC, HRTIMER_MODE_REL);
	timer.function = tick;
	hrtimer_start(&timer, ms_to_ktime(1), HRTIMER_MODE_REL);
	return 0;
}

static void __exit stop(void)
{
	hrtimer_cancel(&timer);
	for (int i = 0; i < REGIONS; i++) {
		sysfs_remove_bin_file(&device[i]->kobj, &telem);
		device_unregister(device[i]);
		free_page((unsigned long)words[i]);
	}
	class_unregister(&pmt_class);
}

module_init(start);
module_exit(stop);
MODULE_LICENSE("GPL v2");
MODULE_DESCRIPTION("telemetry of an imagined machine");
