/* Random plans and runs. Each is a function of the device and of numbers: the seed, the plan's number, the run's. */
#ifndef CLSCAN_TESTS_SOAK_DRAW_H
#define CLSCAN_TESTS_SOAK_DRAW_H

#include <stddef.h>
#include <stdint.h>

#include <clscan/clscan.h>

#include "case.h"
#include "common/test_knobs.h"

enum {
    SOAK_LANES_MAX = 3, /* threads that share a plan, each with a workspace and two queues of its own */
    SOAK_RELATIVES = 4  /* plans with neighbouring numbers that have the same programs: compiling takes the most time */
};

/* A plan, and how it is used. Points into itself: do not copy it. */
typedef struct soak_plan {
    clscan_problem problem;
    const clscan_sample_operator *sample; /* of a custom operator, else NULL */
    clscan_plan_options options;
    struct clscan__test_knobs test_knobs; /* options.test_knobs points here */
    clscan_variant variant;               /* options.variant points here, or configs choose */
    clscan_rows rows;                     /* problem.rows points here, or it is NULL */
    clscan_generator generator;
    uint64_t seed;
    uint64_t tile; /* elements; counts stand at its edges */
    unsigned lanes;
    int two_queues;   /* runs take turns between them */
    int out_of_order; /* the second one is, where the device can */
    int one_buffer;   /* inputs lie between the outputs */
} soak_plan;

/* One run of a plan. */
typedef struct soak_run {
    clscan_case test; /* its count is that of all rows */
    uint64_t rows;    /* 1 where the plan has none */
    unsigned queue;
    int wants_event;
    int waits;   /* for an earlier run's event */
    int follows; /* its input is the output of the run before */
} soak_run;

/* Draw plan `number`. */
void soak_draw_plan(const clscan_device_info *info, uint64_t seed, uint64_t number, soak_plan *plan);

/* Draw a run; `previous` is the one before it, NULL for the first. */
soak_run soak_draw_run(const soak_plan *plan, unsigned lane, uint64_t number, const soak_run *previous);

/* Elements that a run may have, of all rows. */
uint64_t soak_most_elements(const soak_plan *plan);

/* How many runs each lane has. */
uint64_t soak_runs(const soak_plan *plan, uint64_t runs_per_plan);

/* May an implementation without that mechanism refuse this plan? */
int soak_may_be_refused(const soak_plan *plan, clscan_status status);

#endif
