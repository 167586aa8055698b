/* Variants of one problem, timed in turn: scratch buffers, a queue of its own, and plans for one variant each. */
#ifndef CLSCAN_TIMING_BENCH_H
#define CLSCAN_TIMING_BENCH_H

#include "engine/workspace.h"

/* With fewer rounds than these, a contender must be far ahead. */
#define CLSCAN__FEW_ROUNDS 4u

/* A variant, ready to run. */
typedef struct clscan__contender {
    clscan_variant variant;
    clscan_plan *plan;
    clscan_workspace *workspace;
    double time_ns;          /* of one scan: the least that was seen */
    double last_ns;          /* that of the last time */
    unsigned rounds, faster; /* in turn with the ordinary one: how many there were, and in how many it was faster */
} clscan__contender;

typedef struct clscan__bench {
    cl_context context;
    cl_device_id device;
    const clscan_device_info *info;
    const clscan_problem *problem;
    clscan_plan_options options; /* of the plans, except the variant */
    uint64_t count;              /* elements of a scan: the problem's largest count, or as many as there is room for */
    cl_command_queue queue;      /* in order */
    cl_mem in, out;
} clscan__bench;

/* Make buffers and queue. The other members are set. The caller closes, also after an error. */
clscan_status clscan__bench_open(clscan__bench *bench, clscan_error *error);
void clscan__bench_close(clscan__bench *bench);

/* Compile the contender's variant. Other threads may do that with others of the bench. */
clscan_status clscan__contender_open(const clscan__bench *bench, clscan__contender *contender, clscan_error *error);
void clscan__contender_close(clscan__contender *contender);

/* Time it once more, and keep the time if it is the least. */
clscan_status clscan__contender_time(const clscan__bench *bench, clscan__contender *contender, clscan_error *error);

/* One round more: both have just been timed in turn. */
void clscan__contender_count_round(clscan__contender *contender, const clscan__contender *ordinary);

/* Is it faster than the ordinary one, and not by chance? On a busy machine the least time of a few is often one of
 * luck: so it must be ahead in most rounds, too, and far ahead where these were few. */
bool clscan__contender_is_ahead(const clscan__contender *contender, const clscan__contender *ordinary);

/* What a first look says of a contender. */
typedef enum clscan__prospect {
    CLSCAN__PROMISING,
    CLSCAN__HOPELESS, /* far slower than the best: its time is an estimate, by a part of the count */
    CLSCAN__TOO_LATE  /* it cannot be compared in the time that is left; so is its time, or 0 */
} clscan__prospect;

/* Time it for the first time, at a part of the count before all of it, beside the best, which takes `best_ns`. What
 * could not be compared until `end_ns` is not run with all of it. */
clscan_status clscan__contender_try(const clscan__bench *bench, clscan__contender *contender, double best_ns,
                                    uint64_t end_ns, clscan__prospect *prospect, clscan_error *error);

/* Run both, and compare what they leave in the output, byte by byte. The input is such that the order in which operands
 * are grouped makes no difference, except for custom operators on floating-point types. */
clscan_status clscan__contender_compare(const clscan__bench *bench, const clscan__contender *left,
                                        const clscan__contender *right, bool *same, clscan_error *error);

#endif
