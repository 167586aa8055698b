/* A group of devices made of one device, and runs of it that are compared with the reference. */
#ifndef CLSCAN_TESTS_GROUP_RIG_H
#define CLSCAN_TESTS_GROUP_RIG_H

#include <stdbool.h>

#include "live.h"

/* Members of the largest group that is tested, and those that there is room for. */
enum { GROUP_MOST = 4, GROUP_ROOM = 8 };

/* How the members hang together. */
typedef enum group_kind {
    GROUP_OF_QUEUES,   /* one context */
    GROUP_OF_CONTEXTS, /* each its own */
    GROUP_OF_PARTS     /* sub-devices, each with a context of its own */
} group_kind;

typedef struct group_rig {
    size_t count;
    clscan_member members[GROUP_ROOM];
} group_rig;

/* Fill a rig of `count` members; false if the device cannot be parted so. Close it also then. */
bool group_rig_open(group_rig *rig, const test_live *live, group_kind kind, size_t count, bool out_of_order);
void group_rig_close(group_rig *rig);

/* Inputs by which a wrong grouping is seen, where the problem is reproducible. */
clscan_generator group_generator(const clscan_problem *problem);

/* One run. */
typedef struct group_case {
    uint64_t counts[GROUP_ROOM];
    bool in_place, total, blocking;
    clscan_case_initial initial;
    uint64_t seed;
} group_case;

/* Cases of reproducible problems, whose max_count is 5 steps: parts of whole steps, some empty, but for the last one
 * with elements in the order of the scan. `turn` varies the rest. */
enum { GROUP_ORDERED_CASES = 4 };
group_case group_ordered_case(const group_rig *rig, const clscan_problem *problem, size_t which, size_t turn);

/* A run whose buffers are there, while it may still go on. */
typedef struct group_work {
    const group_rig *rig;
    const clscan_problem *problem;
    const clscan_sample_operator *sample; /* of problem->custom, else NULL */
    const group_case *test;
    uint64_t count;          /* of all parts */
    unsigned char *in, *out; /* of the reference */
    clscan_value initial, expected_total;
    cl_mem ins[GROUP_ROOM], outs[GROUP_ROOM], initial_buffer, total_buffer;
    clscan_part parts[GROUP_ROOM];
    clscan_devices_args args;
} group_work;

/* Make inputs and what they give; false where clscan_run() would miss an identity. Free it also then. */
bool group_work_prepare(group_work *work, const group_rig *rig, const clscan_problem *problem,
                        const clscan_sample_operator *sample, const group_case *test);
void group_work_free(group_work *work);

/* For the same run again: new buffers, with the same inputs, of which no reference is made again. */
void group_work_renew(group_work *work);

/* Compare a part when its scan is done, and the total if the scan ends there. 0 if all is right, else how much is not,
 * after printing lines. */
unsigned group_work_compare_part(const group_work *work, size_t i);

/* All parts. */
unsigned group_work_compare(const group_work *work);

/* All of it. 0 if it is right, or refused where it has to be. */
unsigned group_run_case(clscan_devices *group, const group_rig *rig, const clscan_problem *problem,
                        const clscan_sample_operator *sample, const group_case *test);

#endif
