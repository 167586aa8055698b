/* Which entries of which configs a device uses: the size classes of problems. */
#ifndef CLSCAN_TOOLS_CONFIG_USE_H
#define CLSCAN_TOOLS_CONFIG_USE_H

#include <stdbool.h>

#include <clscan/clscan.h>

typedef struct size_class {
    uint64_t first;
    uint64_t last; /* UINT64_MAX: no limit */
    clscan_choice choice;
} size_class;

/* All size classes of a problem, whatever its max_count, from the smallest, without gaps; the caller frees *classes. */
clscan_status config_classes(const clscan_config *config, const clscan_device_info *device,
                             const clscan_problem *problem, bool in_place, size_class **classes, size_t *count,
                             clscan_error *error);

/* A config that serves some problem. */
typedef struct config_source {
    char source[256]; /* as in clscan_choice */
    char matched[64];
} config_source;

#define MAX_CONFIG_SOURCES 32

/* The configs whose entries serve the device, over all classes of problems, also reproducible ones; the first
 * MAX_CONFIG_SOURCES of them. */
clscan_status config_sources(const clscan_config *config, const clscan_device_info *device,
                             config_source sources[MAX_CONFIG_SOURCES], size_t *count, clscan_error *error);

#endif
