/** \file device.h
 * What clscan knows, and has decided, about an OpenCL device.
 */
#ifndef CLSCAN_DEVICE_H
#define CLSCAN_DEVICE_H

#include <stddef.h>
#include <stdint.h>

#include <clscan/export.h>
#include <clscan/status.h>
#include <clscan/types.h>

#include <CL/cl.h>

#ifdef __cplusplus
extern "C" {
#endif

/* clang-format off */
/* How work-groups of one launch talk to each other. */
#define CLSCAN_MECHANISM_LIST(X)                                                              \
    X(NONE,     none,     "no device-scope communication is known to work")                   \
    X(PTX,      ptx,      "64-bit relaxed loads and stores at GPU scope in inline PTX")        \
    X(C11,      c11,      "64-bit relaxed OpenCL C11 atomics at device scope")                \
    X(ATOMIC64, atomic64, "64-bit read-modify-write atomics of OpenCL C 1.x")                 \
    X(ATOMIC32, atomic32, "32-bit read-modify-write atomics of OpenCL C 1.x, split words")

/* Whether a work-group that waits for another one that has started will see it go on. */
#define CLSCAN_PROGRESS_LIST(X)                                                               \
    X(UNKNOWN,  unknown,  "nothing is known: no work-group ever waits for another")           \
    X(OCCUPANCY, occupancy, "a work-group that has started keeps running")

#define CLSCAN_DEVICE_CLASS_LIST(X) X(OTHER, other) X(CPU, cpu) X(GPU, gpu) X(ACCELERATOR, accelerator)
/* clang-format on */

/** How work-groups of one launch talk to each other. */
#define X(name, text, meaning) CLSCAN_MECHANISM_##name,
typedef enum clscan_mechanism { CLSCAN_MECHANISM_LIST(X) CLSCAN_MECHANISM_COUNT } clscan_mechanism;
#undef X
/** Whether a work-group may wait for another one. */
#define X(name, text, meaning) CLSCAN_PROGRESS_##name,
typedef enum clscan_progress { CLSCAN_PROGRESS_LIST(X) CLSCAN_PROGRESS_COUNT } clscan_progress;
#undef X
/** Kind of a device, from CL_DEVICE_TYPE. */
#define X(name, text) CLSCAN_DEVICE_CLASS_##name,
typedef enum clscan_device_class { CLSCAN_DEVICE_CLASS_LIST(X) CLSCAN_DEVICE_CLASS_COUNT } clscan_device_class;
#undef X

/** A device as clscan sees it. It has no pointers: copy it freely. A number that is not known is 0, a text is "". Lists
 * of words have one space between them. */
typedef struct clscan_device_info {
    size_t struct_size; /**< sizeof(clscan_device_info) */

    /* As the driver says. */
    char platform_name[128];          /**< CL_PLATFORM_NAME */
    char name[128];                   /**< CL_DEVICE_NAME */
    char vendor[128];                 /**< CL_DEVICE_VENDOR */
    char device_version[128];         /**< CL_DEVICE_VERSION */
    char driver_version[128];         /**< CL_DRIVER_VERSION */
    uint32_t vendor_id;               /**< CL_DEVICE_VENDOR_ID */
    uint32_t version;                 /**< OpenCL version, 100 * major + 10 * minor: 120, 200, 300 */
    uint32_t c_version;               /**< newest OpenCL C version, same form */
    clscan_device_class device_class; /**< by CL_DEVICE_TYPE */
    uint32_t compute_units;           /**< CL_DEVICE_MAX_COMPUTE_UNITS */
    uint32_t max_work_group_size;     /**< work-items, CL_DEVICE_MAX_WORK_GROUP_SIZE */
    uint32_t base_align_bytes;        /**< alignment of buffers and sub-buffers */
    uint32_t nv_compute_capability;   /**< 10 * major + minor, 0 if not NVIDIA's */
    uint64_t global_memory_bytes;     /**< CL_DEVICE_GLOBAL_MEM_SIZE */
    uint64_t max_allocation_bytes;    /**< largest buffer, CL_DEVICE_MAX_MEM_ALLOC_SIZE */
    uint64_t local_memory_bytes;      /**< of one work-group, CL_DEVICE_LOCAL_MEM_SIZE */
    int has_double;                   /**< elements of double can be scanned */
    int has_int64_atomics;            /**< cl_khr_int64_base_atomics and _extended_ */
    int has_sub_groups;               /**< cl_khr_subgroups or OpenCL C feature __opencl_c_subgroups */
    int has_device_scope;             /**< C11 atomics at device scope can be compiled and are promised */

    /* As clscan normalised and decided; each from one table in src/device/. */
    char key[64];               /**< this model: "nvidia-h200"; lower case, digits and '-' */
    char architecture[64];      /**< "nvidia-sm-90", "amd-gfx942", "pocl-cpu"; "" if unknown */
    char family[64];            /**< vendor and class: "nvidia-gpu" */
    char generic[32];           /**< end of the selection chain: "generic-gpu" or "generic-cpu" */
    uint32_t sub_group_size;    /**< work-items known to run as one sub-group, or made to; 0 if unknown */
    clscan_mechanism mechanism; /**< how work-groups communicate */
    clscan_progress progress;   /**< whether they may wait for each other, unless the probe forbids it (probe.h) */
    char mechanism_reason[160]; /**< why */
    char progress_reason[160];  /**< why */
    char quirks[256];           /**< names of the known driver bugs that apply, "" if none */
    uint32_t max_loop_turns;    /**< the driver ends loops when a work-item has taken so many turns in all; 0: never */
    char int8_reason[160];      /**< why plans of int8 and uint8 are refused; "" where they are not */

    /* To judge and to report a device by; nothing is decided by these. */
    uint32_t clock_mhz;               /**< highest clock, as the driver says */
    int has_on_chip_local_memory;     /**< local memory is not a part of global memory */
    uint32_t lanes_per_unit;          /**< float operations that a compute unit begins per clock */
    uint32_t local_memory_banks;      /**< of a compute unit, 4 bytes wide */
    uint64_t register_file_bytes;     /**< vector registers of a compute unit */
    uint32_t bandwidth_gb_per_s;      /**< of global memory, in 10^9 bytes, by the maker's data sheet */
    uint32_t reported_sub_group_size; /**< warp or wavefront, where a vendor's query tells */
    char sub_group_reason[128];       /**< how sub_group_size is known, or why it is not */
    char atomic_orders[64];           /**< of CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES: relaxed acq_rel seq_cst */
    char atomic_scopes[64];           /**< of the same: work_item work_group device all_devices */
    char extensions[512];             /**< those that matter to scans, of all that the driver lists */
    char features[512];               /**< the same for OpenCL C 3.0 features */

    char rows_reason[160]; /**< why body subgroup_rows is refused; "" where it is not */
    int no_sub_groups;     /**< sub-group code is switched off (CLSCAN_SUB_GROUPS); see clscan_plan_options */
    uint32_t reserved;     /**< 0 */
} clscan_device_info;

/** Query \p device and decide. Costs some dozen OpenCL queries, no allocation on the device.
 *
 * The environment variables CLSCAN_SUB_GROUPS and CLSCAN_WAITING, if they are "off", take away what the fields of these
 * names in clscan_plan_options do; sub_group_reason and progress_reason say so.
 *
 * \param device  Any device.
 * \param info    Receives the description; its struct_size is set.
 * \return CLSCAN_OK; CLSCAN_ERROR_NULL_ARGUMENT; CLSCAN_ERROR_STRUCT_SIZE; CLSCAN_ERROR_OPENCL if a mandatory query
 *         fails.
 *
 * Thread-safe. */
CLSCAN_API clscan_status clscan_device_describe(cl_device_id device, clscan_device_info *info, clscan_error *error);

/** Describe a device that is not here, by what its driver said elsewhere.
 *
 * \param path  A file that scripts/record-device wrote.
 * \param info  Receives what clscan_device_describe() says of that device; its struct_size is set.
 * \return CLSCAN_OK; CLSCAN_ERROR_NULL_ARGUMENT; CLSCAN_ERROR_STRUCT_SIZE; CLSCAN_ERROR_FILE with the path and what is
 *         wrong.
 *
 * Thread-safe. */
CLSCAN_API clscan_status clscan_device_load(const char *path, clscan_device_info *info, clscan_error *error);

/** Can a device scan elements of this type? What clscan_plan_create() asks, for programs that go through types.
 * \return CLSCAN_OK; CLSCAN_ERROR_UNSUPPORTED_TYPE if the device has no double, or its driver miscompiles elements of
 *         8 bits: the message names the bug; CLSCAN_ERROR_INVALID_VALUE for an unknown type;
 *         CLSCAN_ERROR_NULL_ARGUMENT.
 *
 * Pure; thread-safe. */
CLSCAN_API clscan_status clscan_device_check_type(const clscan_device_info *device, clscan_type type,
                                                  clscan_error *error);

/** Find every OpenCL device of every platform, in the loader's order. Platforms without devices are
 * ordinary and are stepped over.
 *
 * \param devices   Receives up to \p capacity devices; may be NULL if \p capacity is 0.
 * \param capacity  Number of elements of \p devices.
 * \param count     Receives the number of devices there are, which may exceed \p capacity.
 * \return CLSCAN_OK with *\p count >= 1; CLSCAN_ERROR_NO_PLATFORM if the loader finds no platform;
 *         CLSCAN_ERROR_NO_DEVICE if no platform has a device; CLSCAN_ERROR_OPENCL; CLSCAN_ERROR_OUT_OF_MEMORY;
 *         CLSCAN_ERROR_NULL_ARGUMENT.
 *
 * Thread-safe. */
CLSCAN_API clscan_status clscan_device_list(cl_device_id *devices, size_t capacity, size_t *count, clscan_error *error);

/** Pick one device by a user's word.
 *
 * \param selector  NULL or "": the first GPU, else the first accelerator, else the first device. A number:
 *                  that position in clscan_device_list(). Otherwise: the first device whose name, platform
 *                  or key contains it, without regard to case.
 * \param device    Receives the device. It is the platform's: nothing to release.
 * \return CLSCAN_OK; CLSCAN_ERROR_NO_DEVICE naming \p selector; errors of clscan_device_list().
 *
 * Thread-safe. */
CLSCAN_API clscan_status clscan_device_find(const char *selector, cl_device_id *device, clscan_error *error);

/** Name of a mechanism, "c11"; "invalid" for other numbers. Static, never NULL. */
CLSCAN_API const char *clscan_mechanism_name(clscan_mechanism mechanism);
/** Name of a progress class, "occupancy"; "invalid" for other numbers. Static, never NULL. */
CLSCAN_API const char *clscan_progress_name(clscan_progress progress);
/** Name of a device class, "gpu"; "invalid" for other numbers. Static, never NULL. */
CLSCAN_API const char *clscan_device_class_name(clscan_device_class device_class);

#ifdef __cplusplus
}
#endif
#endif
