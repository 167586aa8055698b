#include "device/promises.h"

#include <stdio.h>
#include <string.h>

#include "device/words.h"

typedef struct named_bit {
    uint64_t bit;
    const char *name;
} named_bit;

static const named_bit orders[] = {
    {CL_DEVICE_ATOMIC_ORDER_RELAXED, "relaxed"},
    {CL_DEVICE_ATOMIC_ORDER_ACQ_REL, "acq_rel"},
    {CL_DEVICE_ATOMIC_ORDER_SEQ_CST, "seq_cst"},
    {0, NULL},
};

static const named_bit scopes[] = {
    {CL_DEVICE_ATOMIC_SCOPE_WORK_ITEM, "work_item"},
    {CL_DEVICE_ATOMIC_SCOPE_WORK_GROUP, "work_group"},
    {CL_DEVICE_ATOMIC_SCOPE_DEVICE, "device"},
    {CL_DEVICE_ATOMIC_SCOPE_ALL_DEVICES, "all_devices"},
    {0, NULL},
};

/* Those that decide something in this folder, give a type, or let work-items of a sub-group talk. */
static const char *const extensions[] = {
    "cl_khr_fp64",
    "cl_khr_fp16",
    "cl_khr_int64_base_atomics",
    "cl_khr_int64_extended_atomics",
    "cl_khr_global_int32_base_atomics",
    "cl_khr_global_int32_extended_atomics",
    "cl_khr_subgroups",
    "cl_khr_subgroup_shuffle",
    "cl_khr_subgroup_shuffle_relative",
    "cl_khr_subgroup_non_uniform_arithmetic",
    "cl_intel_subgroups",
    "cl_intel_required_subgroup_size",
    "cl_nv_device_attribute_query",
    "cl_amd_device_attribute_query",
    NULL,
};

static const char *const features[] = {
    "__opencl_c_fp64",
    "__opencl_c_int64",
    "__opencl_c_atomic_order_acq_rel",
    "__opencl_c_atomic_order_seq_cst",
    "__opencl_c_atomic_scope_device",
    "__opencl_c_atomic_scope_all_devices",
    "__opencl_c_generic_address_space",
    "__opencl_c_subgroups",
    "__opencl_c_work_group_collective_functions",
    NULL,
};

static void append_word(char *words, size_t words_bytes, const char *word)
{
    const size_t length = strlen(words);

    snprintf(words + length, words_bytes - length, "%s%s", length > 0 ? " " : "", word);
}

static void list_bits(const named_bit *names, uint64_t bits, char *words, size_t words_bytes)
{
    for (; names->name != NULL; ++names)
        if (bits & names->bit)
            append_word(words, words_bytes, names->name);
}

static void list_known(const char *const *known, const char *listed, char *words, size_t words_bytes)
{
    for (; *known != NULL; ++known)
        if (clscan__has_word(listed, *known))
            append_word(words, words_bytes, *known);
}

void clscan__promises_list(const clscan__device_raw *raw, clscan_device_info *info)
{
    list_bits(orders, raw->atomic_memory_capabilities, info->atomic_orders, sizeof info->atomic_orders);
    list_bits(scopes, raw->atomic_memory_capabilities, info->atomic_scopes, sizeof info->atomic_scopes);
    list_known(extensions, raw->extensions, info->extensions, sizeof info->extensions);
    list_known(features, raw->c_features, info->features, sizeof info->features);
}
