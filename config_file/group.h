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

/* Few rows, of which several devices share each: a work beside those of clscan_devices_work, for which there are no
 * weights but a number of devices. */
enum { CLSCAN__WORK_SHARED = 3 };

/* By clscan_devices_work, then by the one above. */
extern const char *const clscan__work_names[];
extern const size_t clscan__work_count;

typedef struct clscan__group_device {
    char key[64];
    char pci_address[48]; /* "": unknown */
    double device_gb_per_s; /* of a scan of data in its memory; bytes read plus bytes written */
    double host_gb_per_s;   /* the same of host memory, with the ways there and back */
    bool has_link;
    uint32_t link; /* the same number for those that share a link to the host */
} clscan__group_device;

/* Up to how many elements that number of devices is the fastest: those of the highest speed; of shared rows, up to how
 * many elements of a row so many devices share each. */
typedef struct clscan__group_step {
    uint32_t work;
    uint32_t devices;
    uint32_t rows;          /* that are shared; of other works 0 */
    uint64_t largest_count; /* UINT64_MAX: no limit */
} clscan__group_step;

typedef struct clscan__group_document {
    clscan__origin origin;
    char date[12]; /* YYYY-MM-DD */
    char clscan_version[32]; /* "": unknown */
    bool host_staging; /* elements of host memory take the way through pinned memory */
    size_t device_count, step_count;
    clscan__group_device devices[CLSCAN__GROUP_MOST_DEVICES];
    clscan__group_step steps[CLSCAN__GROUP_MOST_STEPS]; /* by work, rows, and largest count */
} clscan__group_document;

/* As clscan__document_read(). Each work that has steps, and each number of shared rows, has one without limit, which is
 * its last. All devices have links, or none. */
clscan_status clscan__group_read(const char *text, size_t text_bytes, const char *source,
                                 clscan__group_document *document, clscan_error *error);

/* As clscan__document_write(). */
char *clscan__group_write(const clscan__group_document *document, size_t *size_bytes);

/* What each device is to get of `count` elements: its speed, or 0 where fewer devices are faster. `weights` has room
 * for all devices. */
void clscan__group_weights(const clscan__group_document *document, uint32_t work, uint64_t count, double *weights);

/* How many devices are to share each of `rows` rows of `count` elements. NULL: as many as keep all of `device_count`
 * busy. */
size_t clscan__group_per_row(const clscan__group_document *document, size_t device_count, uint64_t rows,
                             uint64_t count);

#endif
