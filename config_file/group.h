/* The config of a group of devices as a value, and its one reader and writer. The format: docs/config-format.md. */
#ifndef CLSCAN_CONFIG_FILE_GROUP_H
#define CLSCAN_CONFIG_FILE_GROUP_H

#include <stddef.h>
#include <stdint.h>

#include "config_file/document.h"

/* As many devices as a group may have (clscan/devices.h). */
#define CLSCAN__GROUP_MOST_DEVICES 64u
/* Steps are between sizes that were measured, which are few. */
#define CLSCAN__GROUP_MOST_STEPS 64u
#define CLSCAN__GROUP_MOST_BYTES ((size_t)1 << 20)

/* By clscan_devices_work. */
extern const char *const clscan__work_names[];
extern const size_t clscan__work_count;

typedef struct clscan__group_device {
    char key[64];
    char pci_address[48]; /* "": unknown */
    double device_gb_per_s; /* of a scan of data in its memory; bytes read plus bytes written */
    double host_gb_per_s;   /* the same of host memory, with the ways there and back */
} clscan__group_device;

/* Up to how many elements that number of devices is the fastest: those of the highest speed. */
typedef struct clscan__group_step {
    uint32_t work;
    uint32_t devices;
    uint64_t largest_count; /* UINT64_MAX: no limit */
} clscan__group_step;

typedef struct clscan__group_document {
    clscan__origin origin;
    char date[12]; /* YYYY-MM-DD */
    char clscan_version[32]; /* "": unknown */
    bool host_staging; /* elements of host memory take the way through pinned memory */
    size_t device_count, step_count;
    clscan__group_device devices[CLSCAN__GROUP_MOST_DEVICES];
    clscan__group_step steps[CLSCAN__GROUP_MOST_STEPS]; /* by work, then by largest count */
} clscan__group_document;

/* As clscan__document_read(). Each work that has steps has one without limit, which is its last. */
clscan_status clscan__group_read(const char *text, size_t text_bytes, const char *source,
                                 clscan__group_document *document, clscan_error *error);

/* As clscan__document_write(). */
char *clscan__group_write(const clscan__group_document *document, size_t *size_bytes);

/* What each device is to get of `count` elements: its speed, or 0 where fewer devices are faster. `weights` has room
 * for all devices. */
void clscan__group_weights(const clscan__group_document *document, uint32_t work, uint64_t count, double *weights);

#endif
