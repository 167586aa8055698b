#include "work/timer.h"

#include "trial/trial.h"

/* A scan reads and writes what a copy does, so it cannot be much faster than the best one; a reduction has no output to
 * speak of. */
#define FASTER_THAN_COPY 1.5
#define REDUCES_FASTER_THAN_COPY 3.0
#define COPY_SLACK_NS 5000.0

/* The host sees a run from outside, so its time is the longer one; by less than this, for it averages over many runs
 * that were enqueued together. */
#define HOST_FACTOR 3.0
#define HOST_SLACK_NS 200000.0
/* What two clocks may differ the other way round. */
#define CLOCK_FACTOR 1.25
#define CLOCK_SLACK_NS 20000.0

bool tune_timer_check(tune_trial *trial)
{
    const double time_ns = trial->time_ns;
    const double host_ns = trial->host_time_ns;
    const double copy_ns = trial->copy_ns;
    const double faster =
        clscan__config_operation_reduces(trial->target.operation) ? REDUCES_FASTER_THAN_COPY : FASTER_THAN_COPY;

    if (!(time_ns > 0.0))
        return tune_conclude(trial, TUNE_OUTCOME_RUNTIME, "timer: a time of 0");
    if (!(copy_ns > 0.0) || !(host_ns > 0.0))
        return tune_conclude(trial, TUNE_OUTCOME_RUNTIME, "timer: nothing to compare %.0f ns with", time_ns);
    if (time_ns == host_ns)
        return true; /* taken by the host's clock, which does not lie; a copy may have been disturbed */
    if (time_ns * faster + COPY_SLACK_NS < copy_ns)
        return tune_conclude(trial, TUNE_OUTCOME_RUNTIME,
                             "timer: %.0f ns, but the fastest copy of these bytes takes %.0f ns", time_ns, copy_ns);
    if (time_ns * HOST_FACTOR + HOST_SLACK_NS < host_ns)
        return tune_conclude(trial, TUNE_OUTCOME_RUNTIME, "timer: %.0f ns, but %.0f ns by the host's clock", time_ns,
                             host_ns);
    if (time_ns > host_ns * CLOCK_FACTOR + CLOCK_SLACK_NS)
        return tune_conclude(trial, TUNE_OUTCOME_RUNTIME, "timer: %.0f ns, but only %.0f ns by the host's clock",
                             time_ns, host_ns);
    return true;
}
