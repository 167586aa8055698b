/* Whether the entries of a config give right answers on the live device, and taking out those that do not. */
#ifndef CLSCAN_TUNER_VERIFY_H
#define CLSCAN_TUNER_VERIFY_H

#include <signal.h>

#include "output/config.h"
#include "trial/evaluator.h"

/* Of one entry. `correct`: right for every type that it serves. `constraints`: the device cannot run it, so the library
 * steps over it. Anything else: it fails. */
typedef struct tune_verified {
    tune_outcome outcome;
    char reason[TUNE_REASON_BYTES]; /* begins with the type and the count; "" if correct */
} tune_verified;

typedef struct tune_verify_setup {
    const clscan__document *config; /* sorted */
    const clscan_device_info *device;
    const tune_evaluator *evaluator;
    unsigned runs;                   /* of soaking, for each entry, type and count */
    uint64_t largest_bytes;          /* of an input */
    const measure_element *elements; /* more of them, whose entries are verified with them, too */
    size_t element_count;
    const volatile sig_atomic_t *interrupted; /* not 0: end; may be NULL */
    /* After each entry. May be NULL. */
    void (*progress)(void *user, size_t index, const tune_verified *result);
    void *user;
} tune_verify_setup;

/* Validate and soak every entry at the ends of its size class.
 * \param results  One for each entry.
 * \return CLSCAN_OK, also if entries fail; CLSCAN_ERROR_INVALID_VALUE if the config is not for the device;
 *         CLSCAN_ERROR_NO_DEVICE if the device does not answer any more, or the interrupt came: then nothing can be
 *         said of the entries from there on. */
clscan_status tune_verify(const tune_verify_setup *setup, tune_verified *results, clscan_error *error);

/* The target of a type that an entry serves; false if it serves none of it on the device. */
bool tune_entry_target(const clscan__config_entry *entry, clscan_type type, const clscan_device_info *device,
                       tune_target *target);

bool tune_verified_fails(const tune_verified *result);

/* Take the entries that fail out of the config `path`, which is read as `config`, and keep them in PATH.quarantined,
 * a JSON document to which each time adds, with reason, date and device. The entry before or behind one that is taken
 * out serves its counts from then on; a config without entries is removed. *removed: how many.
 * \return CLSCAN_OK, or CLSCAN_ERROR_FILE and others, and then `path` is as it was. */
clscan_status tune_quarantine(const char *path, const clscan__document *config, const tune_verified *results,
                              const clscan_device_info *device, size_t *removed, clscan_error *error);

#endif
