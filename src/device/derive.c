#include "device/raw.h"

#include "device/hardware.h"
#include "device/identity.h"
#include "device/mechanism.h"
#include "device/progress.h"
#include "device/promises.h"
#include "device/quirks.h"
#include "device/words.h"

/* The smallest alignment that OpenCL allows a full-profile device to ask for: that of long16. */
#define SMALLEST_BASE_ALIGN_BYTES 128

static void copy_facts(const clscan__device_raw *raw, clscan_device_info *info)
{
    clscan__copy_text(info->platform_name, sizeof info->platform_name, raw->platform_name);
    clscan__copy_text(info->name, sizeof info->name, raw->name);
    clscan__copy_text(info->vendor, sizeof info->vendor, raw->vendor);
    clscan__copy_text(info->device_version, sizeof info->device_version, raw->device_version);
    clscan__copy_text(info->driver_version, sizeof info->driver_version, raw->driver_version);
    info->vendor_id = raw->vendor_id;
    info->compute_units = raw->compute_units;
    info->max_work_group_size = raw->max_work_group_size;
    info->global_memory_bytes = raw->global_memory_bytes;
    info->max_allocation_bytes = raw->max_allocation_bytes;
    info->local_memory_bytes = raw->local_memory_bytes;
    info->nv_compute_capability = raw->nv_compute_capability;
    info->clock_mhz = raw->clock_mhz;
    info->reported_sub_group_size = raw->sub_group_size;
}

static void interpret_facts(const clscan__device_raw *raw, clscan_device_info *info)
{
    info->version = clscan__version_parse(raw->device_version);
    info->c_version = clscan__version_parse(raw->c_version);
    info->base_align_bytes = raw->base_align_bits / 8;
    if (info->base_align_bytes == 0)
        info->base_align_bytes = SMALLEST_BASE_ALIGN_BYTES;
    /* Before OpenCL 1.2 the extension alone says it. */
    info->has_double = raw->double_fp_config != 0 || clscan__has_word(raw->extensions, "cl_khr_fp64");
    info->has_int64_atomics = clscan__has_word(raw->extensions, "cl_khr_int64_base_atomics") &&
                              clscan__has_word(raw->extensions, "cl_khr_int64_extended_atomics");
    info->has_on_chip_local_memory = raw->local_memory_type == CL_LOCAL;
    info->has_sub_groups = clscan__has_word(raw->extensions, "cl_khr_subgroups") ||
                           clscan__has_word(raw->c_features, "__opencl_c_subgroups");
}

void clscan__device_derive(const clscan__device_raw *raw, clscan_device_info *info)
{
    *info = (clscan_device_info){.struct_size = sizeof *info};
    copy_facts(raw, info);
    interpret_facts(raw, info);
    clscan__identity_fill(raw, info);
    clscan__progress_decide(info);
    clscan__mechanism_decide(raw, info); /* trusts some atomics only where progress is known */
    clscan__quirks_apply(info);
    clscan__hardware_fill(raw, info);
    clscan__promises_list(raw, info);
}
