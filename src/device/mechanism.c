#include "device/mechanism.h"

#include "device/identity.h"
#include "device/words.h"

/* What a row asks of a device. */
enum {
    NEEDS_CAPABILITY_70 = 1 << 0, /* NVIDIA's memory model of PTX 6.0: ld.relaxed.gpu, st.relaxed.gpu */
    NEEDS_VERSION_1 = 1 << 1,     /* OpenCL C 1.x, whose atomics have no scope */
    NEEDS_DEVICE_SCOPE = 1 << 2,  /* C11 atomics at device scope: compiled and promised */
    NEEDS_NO_SCOPE = 1 << 3,      /* an OpenCL 3.0 driver that says it has no device scope */
    NEEDS_INT64 = 1 << 4,         /* both int64 atomics extensions; atomic_ulong wants both */
    NEEDS_INT32 = 1 << 5,         /* 32-bit atomics in global memory */
    NEEDS_PROGRESS = 1 << 6,      /* a device that is known well enough to be in the progress table */
};

typedef struct mechanism_row {
    const char *device; /* pattern: see clscan__identity_matches() */
    unsigned needs;
    clscan_mechanism mechanism;
    const char *reason;
} mechanism_row;

/* First row that matches and whose needs the device has.
 *
 * NVIDIA comes before what OpenCL 3.0 drivers say, because its driver reports work-group scope only
 * and compiles no device-scope atomics, while the hardware has them in PTX. Below compute
 * capability 7.0 PTX has no relaxed accesses at device scope; read-modify-write atomics are made by
 * the L2 cache on every GPU.
 *
 * An OpenCL C 1.x atomic promises nothing across work-groups by the letter of OpenCL 2.0; that it
 * works on hardware whose atomics are made in a shared cache is trusted only of devices that are
 * known. */
/* clang-format off */
static const mechanism_row rows[] = {
    {"nvidia-gpu", NEEDS_CAPABILITY_70, CLSCAN_MECHANISM_PTX,
        "NVIDIA GPU of compute capability 7.0 or newer: relaxed accesses at GPU scope in PTX"},
    {"nvidia-gpu", NEEDS_INT64,         CLSCAN_MECHANISM_ATOMIC64,
        "NVIDIA GPU not known to have compute capability 7.0: 64-bit atomics are made in its L2 cache"},
    {"nvidia-gpu", NEEDS_INT32,         CLSCAN_MECHANISM_ATOMIC32,
        "NVIDIA GPU not known to have compute capability 7.0: 32-bit atomics are made in its L2 cache"},
    {"*", NEEDS_NO_SCOPE,                     CLSCAN_MECHANISM_NONE,
        "the OpenCL 3.0 driver promises atomics only within a work-group"},
    {"*", NEEDS_DEVICE_SCOPE | NEEDS_INT64,   CLSCAN_MECHANISM_C11,
        "the driver promises 64-bit C11 atomics at device scope"},
    {"*", NEEDS_DEVICE_SCOPE,                 CLSCAN_MECHANISM_NONE,
        "the driver has C11 atomics at device scope but not 64-bit ones"},
    {"*", NEEDS_VERSION_1 | NEEDS_PROGRESS | NEEDS_INT64, CLSCAN_MECHANISM_ATOMIC64,
        "OpenCL C 1.x with 64-bit atomics, on a device known to make them device-wide"},
    {"*", NEEDS_VERSION_1 | NEEDS_PROGRESS | NEEDS_INT32, CLSCAN_MECHANISM_ATOMIC32,
        "OpenCL C 1.x with 32-bit atomics, on a device known to make them device-wide"},
    {"*", NEEDS_VERSION_1,                    CLSCAN_MECHANISM_NONE,
        "OpenCL C 1.x promises nothing between work-groups, and nothing is known of this device"},
    {"*", 0,                                  CLSCAN_MECHANISM_NONE,
        "the driver reports no C11 atomics at device scope"},
};
/* clang-format on */

/* Device scope is mandatory in OpenCL C 2.x. In 3.0 it is optional: the feature macro says that it
 * compiles, the capabilities say that it is promised; both are asked for. */
static bool has_device_scope(const clscan__device_raw *raw, const clscan_device_info *info)
{
    const bool promised = (raw->atomic_memory_capabilities & CL_DEVICE_ATOMIC_SCOPE_DEVICE) != 0;
    if (info->version >= 300 && !promised)
        return false;
    if (info->c_version >= 300)
        return clscan__has_word(raw->c_features, "__opencl_c_atomic_scope_device");
    return info->c_version >= 200;
}

/* OpenCL C 1.1 has 32-bit atomics in its core, 1.0 as extensions. */
static bool has_int32_atomics(const clscan__device_raw *raw, const clscan_device_info *info)
{
    return info->c_version >= 110 || (clscan__has_word(raw->extensions, "cl_khr_global_int32_base_atomics") &&
                                      clscan__has_word(raw->extensions, "cl_khr_global_int32_extended_atomics"));
}

static unsigned what_it_has(const clscan__device_raw *raw, const clscan_device_info *info)
{
    unsigned has = 0;
    if (raw->nv_compute_capability >= 70)
        has |= NEEDS_CAPABILITY_70;
    if (info->c_version >= 100 && info->c_version < 200)
        has |= NEEDS_VERSION_1;
    if (info->has_device_scope)
        has |= NEEDS_DEVICE_SCOPE;
    if (raw->atomic_memory_capabilities != 0 && (raw->atomic_memory_capabilities & CL_DEVICE_ATOMIC_SCOPE_DEVICE) == 0)
        has |= NEEDS_NO_SCOPE;
    if (info->has_int64_atomics)
        has |= NEEDS_INT64;
    if (has_int32_atomics(raw, info))
        has |= NEEDS_INT32;
    if (info->progress == CLSCAN_PROGRESS_OCCUPANCY)
        has |= NEEDS_PROGRESS;
    return has;
}

void clscan__mechanism_decide(const clscan__device_raw *raw, clscan_device_info *info)
{
    info->has_device_scope = has_device_scope(raw, info);
    const unsigned has = what_it_has(raw, info);
    const mechanism_row *row = rows;
    while (!clscan__identity_matches(info, row->device) || (row->needs & ~has) != 0)
        ++row; /* the last row matches and needs nothing */
    info->mechanism = row->mechanism;
    clscan__copy_text(info->mechanism_reason, sizeof info->mechanism_reason, row->reason);
}

/* PTX 8.3 promises that an access of 16 bytes is one; it comes with CUDA 12.3 and its drivers from 545 on. A sum of 4
 * bytes is half of a word of 8. Those of 8 bytes take two of these: wide ones are four registers in a row, and scans of
 * affine floats were slower for it (docs/decisions/0011-lookahead.md). */
bool clscan__words_are_wide(const clscan_device_info *info, uint64_t sum_bytes)
{
    return info->mechanism == CLSCAN_MECHANISM_PTX && sum_bytes > 8 && clscan__identity_driver(info) >= 545;
}
