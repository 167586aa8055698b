/* What was measured at first use, as a config of its own in the user's folder: DEVICE.measured.json. */
#ifndef CLSCAN_TIMING_KEPT_H
#define CLSCAN_TIMING_KEPT_H

#include <stdbool.h>

#include <clscan/config.h>

#include "config_file/document.h"

typedef struct clscan__measured_file {
    char *folder; /* the user's; "": none is known */
    char *path;   /* NULL: it cannot be written */
    char *why;    /* then */
    int lock;     /* -1: not held */
} clscan__measured_file;

/* Make the folder, and wait until no other thread has a device's file, however long that is, and no other process this
 * device's, `wait_ns` at most. *mine: it is locked, or cannot be kept at all (path is NULL). What was measured with the
 * present driver, and put aside, is back in its place then. Never fails. The caller closes, if it is mine. */
void clscan__measured_open(clscan__measured_file *file, const clscan_device_info *info, uint64_t wait_ns, bool *mine);
void clscan__measured_close(clscan__measured_file *file);

/* Add an entry to what the file has of this device and driver, and write it. What the entry overlaps makes room.
 * Entries of another device or driver are put aside, beside the file. Where it cannot be written, the process keeps
 * the entry, and the next one that can be written takes it along. *config: the entry alone, as a config of the
 * caller's, whose source says which. CLSCAN_ERROR_OUT_OF_MEMORY. */
clscan_status clscan__measured_keep(const clscan__measured_file *file, const clscan_device_info *info,
                                    const clscan__config_entry *entry, clscan_config **config, clscan_error *error);

#endif
