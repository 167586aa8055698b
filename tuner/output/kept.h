/* Counts that a run does not measure keep the variants that serve them now. */
#ifndef CLSCAN_TUNER_KEPT_H
#define CLSCAN_TUNER_KEPT_H

#include "output/config.h"
#include "record/header.h"

/* From where to where a target's measurements speak. A ladder that begins or ends where the one of a run without
 * --sizes does speaks for all smaller or larger counts; else until the middle between its end and the next count of
 * that one. */
typedef struct tune_reach {
    uint64_t first; /* 1: there is nothing to keep below */
    uint64_t last;  /* UINT64_MAX: there is nothing to keep above */
} tune_reach;

tune_reach tune_reach_of(const clscan_device_info *device, const tune_header_target *target);

/* Which config the variants come from that are kept; "": nothing is kept there. */
typedef struct tune_kept {
    tune_reach reach;
    char below[256], above[256];
} tune_kept;

/* Restrict the entries of a target, `made`, which are sorted and not empty, to the counts that measurements speak for,
 * and add what serves the others now. An entry takes a count only from a variant that it replaces at a measured count
 * beside it, too. Between measured counts it reaches to half and twice such a count, or from one to the next if it was
 * chosen for both. So where nothing was faster all stays as it is, also between measured counts. Entries without a
 * variant take nothing.
 * `old` is the config that the entries will replace, or NULL; where it has none, what the library chooses without it is
 * kept. beaten: the default at the largest count, if what was chosen is clearly ahead of it there; else NULL. As far as
 * that default also serves larger counts, what was chosen does from now on, if the largest count is large enough to
 * tell. Errors are those of clscan_config_explain(). */
clscan_status tune_keep(clscan__document *made, const clscan_config *old, const clscan_device_info *device,
                        const tune_header_target *target, const clscan_variant *beaten, tune_kept *kept,
                        clscan_error *error);

#endif
