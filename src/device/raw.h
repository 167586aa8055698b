/* A device as its driver describes it, before clscan decides anything.
 *
 * Filled from a live device (query.c) or from a recorded one (recorded.c); clscan__device_derive() turns either into
 * a clscan_device_info, so that decisions can be tested without the hardware. */
#ifndef CLSCAN_DEVICE_RAW_H
#define CLSCAN_DEVICE_RAW_H

#include <stdint.h>

#include <clscan/device.h>

typedef struct clscan__device_raw {
    char platform_name[128];
    char name[128];
    char vendor[128];
    char device_version[128]; /* "OpenCL 3.0 CUDA" */
    char driver_version[128];
    char c_version[128];   /* newest OpenCL C version, "OpenCL C 1.2 ..." or "3.0" */
    char extensions[8192]; /* separated by spaces */
    char c_features[4096]; /* OpenCL C 3.0 feature macros, separated by spaces; "" if unknown */
    uint64_t type;         /* cl_device_type bits */
    uint32_t vendor_id;
    uint32_t compute_units;
    uint32_t max_work_group_size;
    uint32_t base_align_bits;
    uint64_t global_memory_bytes;
    uint64_t max_allocation_bytes;
    uint64_t local_memory_bytes;
    uint64_t double_fp_config;           /* 0: no double */
    uint64_t atomic_memory_capabilities; /* CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES; 0 if the query is unknown */
    uint32_t nv_compute_capability;      /* 10 * major + minor; 0 if not NVIDIA's */
    uint32_t clock_mhz;
    uint32_t local_memory_type;  /* cl_device_local_mem_type; 0 if unknown */
    uint32_t local_memory_banks; /* of AMD's query; 0 if there is none */
    uint32_t sub_group_size;     /* of NVIDIA's query for warps or AMD's for wavefronts; 0 if there is none */
} clscan__device_raw;

/* Ask a live device. */
clscan_status clscan__device_query(cl_device_id device, clscan__device_raw *raw, clscan_error *error);

/* Read what scripts/record-device wrote: an object with every field of clscan__device_raw and a "source", nothing else.
 * CLSCAN_ERROR_FILE names the file and what is wrong. */
clscan_status clscan__device_raw_load(const char *path, clscan__device_raw *raw, clscan_error *error);

/* Decide. Pure. */
void clscan__device_derive(const clscan__device_raw *raw, clscan_device_info *info);

#endif
