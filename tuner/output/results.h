/* The config that a run makes: where it goes, what is in it so far, and writing it. */
#ifndef CLSCAN_TUNER_RESULTS_H
#define CLSCAN_TUNER_RESULTS_H

#include "output/config.h"
#include "output/kept.h"
#include "output/places.h"
#include "record/header.h"
#include "search/decide.h"

/* Zero it to begin. */
typedef struct tune_results {
    char path[TUNE_PATH_BYTES];
    clscan__document made; /* by this run; the file may have entries of other problems beside them */
} tune_results;

/* Decide where the config for a device goes: to `output`, or, if that is NULL, to the user's folder. Writes nothing.
 * CLSCAN_ERROR_FILE, or an error of clscan_config_load(): what stands there is no config, or one for another device, or
 * the folder cannot be written to. */
clscan_status tune_results_open(tune_results *results, const char *output, const clscan_device_info *device,
                                clscan_error *error);

/* Say where the entries come from. CLSCAN_ERROR_OUT_OF_MEMORY. */
clscan_status tune_results_describe(tune_results *results, const tune_header *header, const char *journal_path,
                                    clscan_error *error);

/* Add the entries of a decision, and of what is kept where nothing was measured. */
clscan_status tune_results_add(tune_results *results, const tune_decision *decision, const clscan_device_info *device,
                               const tune_header_target *target, tune_kept *kept, clscan_error *error);

/* Write what was added, beside what the file has on other problems; without entries, nothing. Errors are those of
 * tune_config_write(). */
clscan_status tune_results_write(const tune_results *results, clscan_error *error);

void tune_results_free(tune_results *results);

#endif
