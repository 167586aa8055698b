/* Programs for one device: from memory, a blob, disk, or the compiler. */
#ifndef CLSCAN_PROGRAM_BUILD_H
#define CLSCAN_PROGRAM_BUILD_H

#include "program/cache_settings.h"
#include "program/compose.h"
#include "program/key.h"
#include "program/pool.h"

/* Where the programs of one plan come from. */
typedef struct clscan__supply {
    cl_context context;
    cl_device_id device;
    clscan__pool *pool; /* NULL: no sharing in memory */
    const void *blob;   /* NULL: none */
    size_t blob_bytes;
    clscan__cache_settings settings;
    bool disk; /* is this device served from disk? */
    clscan__device_names names;
} clscan__supply;

/* `supply` has context, device and blob set; `info` is that of the device. The caller frees with
 * clscan__supply_free(), also after a failure. */
clscan_status clscan__supply_prepare(clscan__supply *supply, const clscan_device_info *info, clscan__pool *pool,
                                     clscan_error *error);
void clscan__supply_free(clscan__supply *supply);

/* One program of a plan. */
typedef struct clscan__program {
    cl_program program;
    clscan__key *key;
    char revision[17]; /* of its variant */
    bool from_cache;   /* not compiled for this plan */
    uint64_t build_time_ns;
} clscan__program;

/* Compose and get; the caller frees with clscan__program_free(). Success means that all kernels are there.
 * CLSCAN_ERROR_OPERATOR_SOURCE when the custom operator does not compile by itself, CLSCAN_ERROR_BUILD otherwise,
 * both with the tail of the build log. */
clscan_status clscan__program_get(const clscan__supply *supply, const clscan__program_spec *spec,
                                  clscan__program *program, clscan_error *error);
void clscan__program_free(clscan__program *program);

#endif
