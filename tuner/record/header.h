/* What a run is: the first line of its journal. */
#ifndef CLSCAN_TUNER_HEADER_H
#define CLSCAN_TUNER_HEADER_H

#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

#include "trial/trial.h"

#define TUNE_JOURNAL_VERSION 1

/* One target of the run: its ladder, and what the runtime chose for each count of it when the run began. */
typedef struct tune_header_target {
    tune_target target;
    uint64_t *counts; /* ascending */
    clscan_variant *defaults;
    size_t count_count;
} tune_header_target;

/* Zero it to begin. */
typedef struct tune_header {
    clscan_device_info device;
    char clscan_version[24];
    char space[24];
    char only[512];
    char strategy[24];
    uint64_t seed;
    tune_header_target *targets;
    size_t target_count;
} tune_header;

/* Add a target; the lists are copied. */
clscan_status tune_header_add(tune_header *header, const tune_target *target, const uint64_t *counts,
                              const clscan_variant *defaults, size_t count_count, clscan_error *error);
clscan_status tune_header_copy(tune_header *to, const tune_header *from, clscan_error *error);
void tune_header_free(tune_header *header);

/* May a run that is described by `now` go on with what a run described by `then` recorded? Device, driver, clscan's
 * version and the arguments must be the same; the defaults need not. CLSCAN_ERROR_INVALID_VALUE names what differs,
 * and both values. */
clscan_status tune_header_matches(const tune_header *then, const tune_header *now, clscan_error *error);

/* NULL if memory ran out. */
json_t *tune_header_to_json(const tune_header *header);
/* CLSCAN_ERROR_CONFIG_SCHEMA or _VERSION names the key. Release *header also after a failure. */
clscan_status tune_header_from_json(const json_t *object, tune_header *header, clscan_error *error);

#endif
