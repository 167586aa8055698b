/* One thread's runs of a plan: rounds of many runs between two looks at the results. */
#ifndef CLSCAN_TESTS_SOAK_LANE_H
#define CLSCAN_TESTS_SOAK_LANE_H

#include "draw.h"
#include "settings.h"
#include "shared.h"

typedef struct soak_lane {
    const soak_settings *settings;
    soak_shared *shared;
    soak_slot *slot;
    const soak_plan *drawn;
    uint64_t plan_number;
    unsigned number;
    clscan_case_fixture fixture; /* with the shared plan; the workspace and the queue are the lane's */
    uint64_t runs;               /* so many at most */
} soak_lane;

/* Once for each process, before its lanes. Returns 0 if there is no memory. */
int soak_prepare_poison(void);

/* Make the lane's queues, workspace and buffers, do its runs, compare all. Reports and counts what fails. */
void soak_run_lane(soak_lane *lane);

#define SOAK_TEXT_BYTES 2048

/* Write what a lane runs, and which run of it if `run` is not NULL. Gives back the length, less than text_bytes. */
int soak_describe(const soak_lane *lane, const soak_run *run, char *text, size_t text_bytes);

/* Print what failed, and the command that repeats it. `what` begins where it happened. */
void soak_report(const soak_settings *settings, soak_shared *shared, uint64_t plan_number, const char *what);

/* Has the time or the number of runs been reached? */
int soak_is_over(const soak_settings *settings, soak_shared *shared);

#endif
