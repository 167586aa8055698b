/* A search on a device that is a formula, and all that it borrows. */
#ifndef CLSCAN_TESTS_RIG_H
#define CLSCAN_TESTS_RIG_H

#include "search/search.h"
#include "synthetic.h"

#define RIG_COUNTS 5
extern const uint64_t rig_counts[RIG_COUNTS];

/* A space of some thousand points, small enough to exhaust. */
extern const char rig_reduced_space[];
/* A space of some dozen points. */
extern const char rig_tiny_space[];

typedef struct rig {
    synthetic_run run;
    tune_evaluator evaluator;
    tune_space space;
    clscan_variant defaults[RIG_COUNTS];
    volatile sig_atomic_t interrupted;
    tune_search_setup setup; /* may be changed before rig_run() */
    tune_search *search;
} rig;

/* Prepare a search in the default space restricted by `only`. The defaults are those of the built-in configs. */
void rig_prepare(rig *r, const synthetic_machine *machine, const char *only, clscan_type type, uint64_t seed);
/* The same for any target, and counts of it that ascend. */
void rig_prepare_target(rig *r, const synthetic_machine *machine, const char *only, const tune_target *target,
                        const uint64_t counts[RIG_COUNTS], uint64_t seed);
/* What a journal of this search begins with. */
tune_header rig_header(const rig *r, const char *only, const char *strategy);
void rig_run(rig *r, const char *strategy);
void rig_finish(rig *r);

#endif
