/* A plan: the problem, every variant that a run may need, compiled, and which one serves which count. */
#ifndef CLSCAN_ENGINE_PLAN_H
#define CLSCAN_ENGINE_PLAN_H

#include <stdatomic.h>

#include <clscan/plan.h>

#include "element/described.h"
#include "element/problem_copy.h"
#include "engine/strategy.h"
#include "program/build.h"

/* A variant as compiled for a plan. */
typedef struct clscan__compiled {
    clscan_variant variant;
    const clscan__strategy *strategy;
    bool rows; /* by the kernels for many rows in one launch */
    clscan__program built;
} clscan__compiled;

/* The counts up to choice.largest_count, from where the class before ends. */
typedef struct clscan__size_class {
    clscan_choice choice;
    size_t compiled; /* index into the plan's variants */
} clscan__size_class;

typedef struct clscan__size_classes {
    clscan__size_class *classes;
    size_t count;
} clscan__size_classes;

/* Who makes a plan. The start-up probe's has no variant for runs in place, has the probe's kernel too, and shares no
 * programs: what it found is kept instead. One that is timed has no variant for runs in place either. */
typedef enum clscan__plan_use {
    CLSCAN__PLAN_FOR_CALLER,
    CLSCAN__PLAN_FOR_PROBE,
    CLSCAN__PLAN_FOR_TIMING
} clscan__plan_use;

/* What a measurement at first use came to, or why there was none; "": neither was asked for, or it is settled. */
#define CLSCAN__OUTCOME_BYTES 192

struct clscan_plan {
    atomic_uint references;
    cl_context context;
    cl_device_id device;
    clscan_device_info info; /* with the mechanism that this plan uses */
    clscan_problem problem;  /* its pointers point to the copy, or are NULL */
    clscan__problem_copy copy;
    clscan__described described; /* types, maps and operator as programs take them */
    clscan__shape shape;
    uint32_t poll_limit;
    uint32_t hold_interval;
    uint32_t first_epoch;
    int count_events;
    clscan__plan_use use;
    bool reproducible;  /* in the reproducible order; not where every order gives the same bits */
    clscan__pool *pool; /* programs that this context's plans share */
    clscan__compiled *compiled;
    size_t compiled_count;
    clscan__size_classes size_classes[2]; /* [0] out of place, [1] in place */
    clscan__size_classes lone_rows[2];    /* of a plan for rows: for those that get a launch each; often none */
    clscan__size_classes chained_rows[2]; /* for few long rows in one launch; often none */
    clscan__size_classes joined_rows[2];  /* for those of whole tiles without gaps; often none */
    clscan__layout layout;
    char measurement[CLSCAN__OUTCOME_BYTES]; /* for the largest count */
};

/* The first half of creating a plan: choose its variants. From checked arguments; `info` describes the device,
 * `options` may be NULL. Nothing but clscan__plan_waits(), _finish() and _release() may be called with the plan yet. */
clscan_status clscan__plan_choose(cl_context context, cl_device_id device, const clscan_device_info *info,
                                  const clscan_problem *problem, const clscan_plan_options *options,
                                  clscan__plan_use use, clscan_plan **plan, clscan_error *error);

/* Do work-groups wait for each other in any of the plan's variants? */
bool clscan__plan_waits(const clscan_plan *plan);

/* The second half: get the programs, with the same options. After an error the plan can only be released. */
clscan_status clscan__plan_finish(clscan_plan *plan, const clscan_plan_options *options, clscan_error *error);

/* How each row of such a run is scanned, if it gets a launch of its own: few long rows do, where work-groups may wait
 * for each other. NULL: all rows share a launch, or there are none. */
const clscan__size_class *clscan__plan_lone_rows(const clscan_plan *plan, uint64_t rows, uint64_t count, bool in_place);

/* The same for rows that are walked as one input in one launch. */
const clscan__size_class *clscan__plan_joined_rows(const clscan_plan *plan, const clscan__run *run, bool in_place);

/* The same for rows that are chains of tiles in one launch. */
const clscan__size_class *clscan__plan_chained_rows(const clscan_plan *plan, uint64_t rows, uint64_t count,
                                                    bool in_place);

/* Plans are shared by workspaces, which may outlive the caller's handle. */
const clscan_plan *clscan__plan_retain(const clscan_plan *plan);
void clscan__plan_release(const clscan_plan *plan); /* NULL does nothing */

/* The class that serves a count of 1 .. problem.max_count of the taken problem. */
const clscan__size_class *clscan__plan_class(const clscan_plan *plan, uint64_t count, bool in_place);

/* Launches and memory for `count` elements behind the first `first` of a scan. */
clscan__geometry clscan__plan_geometry(const clscan_plan *plan, const clscan_variant *variant, uint64_t first,
                                       uint64_t count);

/* Does the problem's operator have an identity? */
bool clscan__plan_has_identity(const clscan_plan *plan);

#endif
