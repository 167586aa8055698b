#include "work/repeat.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "common/clock.h"
#include "config_file/axes.h"
#include "measure/case.h"
#include "measure/check.h"
#include "measure/contenders.h"
#include "measure/device.h"
#include "measure/statistics.h"
#include "measure/timing.h"
#include "trial/trial.h"

#define NS_PER_MS UINT64_C(1000000)

/* Runs are repeated until the median is known to a half percent, or until the time is up. */
#define MOST_RUNS 101u
#define LEAST_RUNS 7u      /* of a scan of ordinary length */
#define LEAST_SLOW_RUNS 3u /* of one that takes so long that more of them would pass the limit */
#define TARGET_ERROR 0.005
#define ENOUGH_NS (300 * NS_PER_MS)

/* The host's clock sees so much work at once, so that what the host adds does not count. */
#define BATCH_NS (2 * NS_PER_MS)
#define MOST_IN_BATCH 64u
#define BATCHES 3u

/* A run of a candidate, with all that it needs. */
typedef struct session {
    tune_candidate *candidate;
    tune_load *load;
    measure_case c; /* the prefix of trial->count elements */
    tune_trial *trial;
    uint64_t end_ns; /* of clscan__now_ns() */
    measure_contender scan;
} session;

static bool failed(session *s, const char *what)
{
    return tune_conclude(s->trial, TUNE_OUTCOME_RUNTIME, "%s", what);
}

/* A plan for counts that a carry cannot number uses another one in its place. */
static bool is_itself(session *s)
{
    clscan_choice choice = {.struct_size = sizeof choice};
    clscan_error error = {0};

    if (clscan_plan_explain(s->candidate->timed.plan, s->trial->count, 0, &choice, &error) != CLSCAN_OK)
        return failed(s, error.message);
    if (!clscan__variant_equal(&choice.variant, &s->trial->variant))
        return tune_conclude(s->trial, TUNE_OUTCOME_CONSTRAINTS, "%s", choice.reason);
    return true;
}

static bool open_session(session *s, tune_candidate *candidate, tune_load *load, uint32_t limit_ms, tune_trial *trial)
{
    *s = (session){.candidate = candidate,
                   .load = load,
                   .trial = trial,
                   .end_ns = clscan__now_ns() + limit_ms * NS_PER_MS,
                   .scan = {.kind = &tune_candidate_kind, .state = candidate}};
    if (!candidate->compiled)
        return failed(s, "nothing is compiled");
    if (!tune_load_has(load, &trial->target, trial->count))
        return failed(s, "the count is not loaded");
    s->c = tune_load_case(load, trial->count);
    measure_prepare(&s->c, &s->scan);
    return is_itself(s);
}

static bool enqueue_check(session *s, measure_note *note)
{
    return measure_check_outputs(&s->c, s->load->expected, note);
}

/* Is the target right? The device compares; where it sees a difference, the host looks for the place. */
static bool check(session *s)
{
    measure_note note = {""};
    bool same = false;

    if (!enqueue_check(s, &note) || !measure_check_read(s->c.device, &same, &note))
        return failed(s, note.text);
    if (!same && !measure_case_compare(&s->c, &same, &note))
        return failed(s, note.text);
    if (same && !tune_candidate_counted(&s->c, &same, &note))
        return failed(s, note.text);
    if (!same)
        return tune_conclude(s->trial, TUNE_OUTCOME_CORRECTNESS, "%" PRIu64 " elements: %s", s->trial->count,
                             note.text);
    return true;
}

/* What work-groups say of themselves. */
static bool check_report(session *s)
{
    clscan_report report = {.struct_size = sizeof report};
    clscan_error error = {0};

    if (clscan_workspace_report(s->candidate->timed.workspace, s->c.device->queue, &report, &error) != CLSCAN_OK)
        return failed(s, error.message);
    if (report.failures != 0)
        return tune_conclude(s->trial, TUNE_OUTCOME_CORRECTNESS, "%" PRIu32 " work-groups could not finish",
                             report.failures);
    return true;
}

static bool time_scan(session *s, uint64_t *nanoseconds)
{
    return measure_time(&s->c, &s->scan, nanoseconds) || failed(s, s->scan.note.text);
}

/* ---- Timing ---- */

/* Has the median settled? Half the width of its notch, as box plots draw it, estimates its error. */
static bool is_settled(const uint64_t *times, size_t count, bool timed_out, uint64_t spent_ns)
{
    uint64_t sorted[MOST_RUNS];
    measure_statistics s;
    double error;

    if (count < (timed_out ? LEAST_SLOW_RUNS : LEAST_RUNS))
        return false;
    if (timed_out || spent_ns > ENOUGH_NS || count == MOST_RUNS)
        return true;
    memcpy(sorted, times, count * sizeof *times);
    s = measure_summarise(sorted, count);
    error = 1.58 * (s.upper_quartile - s.lower_quartile) / sqrt((double)count);
    return error <= TARGET_ERROR * s.median;
}

/* Copy and scan in turn, so that what disturbs one disturbs both. The last run is a scan. */
static bool time_rounds(session *s, measure_contender *copy, uint64_t *scans, uint64_t *copies, size_t *count)
{
    const uint64_t begin = clscan__now_ns();

    for (*count = 0; *count < MOST_RUNS;) {
        if (!measure_time(&s->c, copy, &copies[*count]))
            return failed(s, copy->note.text);
        if (!time_scan(s, &scans[*count]))
            return false;
        ++*count;
        if (is_settled(scans, *count, clscan__now_ns() >= s->end_ns, clscan__now_ns() - begin))
            break;
    }
    return true;
}

static bool summarise(session *s, uint64_t *scans, uint64_t *copies, size_t count)
{
    const measure_statistics statistics = measure_summarise(scans, count);

    s->trial->time_ns = statistics.median;
    s->trial->spread_ns = statistics.upper_quartile - statistics.lower_quartile;
    s->trial->copy_ns = measure_summarise(copies, count).median;
    s->trial->runs = (unsigned)count;
    return true;
}

static bool time_with_copy(session *s, const measure_kind *kind)
{
    measure_contender copy = {.kind = kind};
    uint64_t scans[MOST_RUNS], copies[MOST_RUNS], warm_up;
    size_t count;
    bool done;

    measure_prepare(&s->c, &copy);
    done = copy.outcome == MEASURE_OK && measure_time(&s->c, &copy, &warm_up);
    if (!done)
        done = failed(s, copy.note.text);
    else
        done = time_rounds(s, &copy, scans, copies, &count) && summarise(s, scans, copies, count);
    measure_release(&copy, 1);
    return done;
}

/* Time of a run by the host's clock, out of many that are enqueued together. */
static bool time_by_host(session *s)
{
    uint64_t times[BATCHES];
    uint64_t in_batch = s->trial->time_ns > 0 ? (uint64_t)((double)BATCH_NS / s->trial->time_ns) : MOST_IN_BATCH;

    if (s->scan.clock == MEASURE_CLOCK_HOST) {
        s->trial->host_time_ns = s->trial->time_ns;
        return true;
    }
    in_batch = in_batch < 1 ? 1 : in_batch > MOST_IN_BATCH ? MOST_IN_BATCH : in_batch;
    for (unsigned batch = 0; batch < BATCHES; ++batch) {
        const uint64_t begin = clscan__now_ns();

        for (uint64_t i = 0; i < in_batch; ++i)
            if (!s->scan.kind->enqueue(&s->scan, &s->c, NULL))
                return failed(s, s->scan.note.text);
        if (clFinish(s->c.device->queue) != CL_SUCCESS)
            return failed(s, "clFinish failed");
        times[batch] = (clscan__now_ns() - begin) / in_batch;
    }
    s->trial->host_time_ns = measure_summarise(times, BATCHES).median;
    return true;
}

void tune_measure(tune_candidate *candidate, tune_load *load, uint32_t limit_ms, tune_trial *trial)
{
    const measure_kind *copy;
    measure_note note = {""};
    uint64_t warm_up;
    session s;

    if (!open_session(&s, candidate, load, limit_ms, trial))
        return;
    copy = tune_load_copy(load, &s.c, &note);
    if (copy == NULL) {
        (void)failed(&s, note.text);
        return;
    }
    if (!measure_case_reset(&s.c, &note)) {
        (void)failed(&s, note.text);
        return;
    }
    if (time_scan(&s, &warm_up) && check(&s) && time_with_copy(&s, copy) && check(&s) && time_by_host(&s) &&
        check(&s) && check_report(&s))
        trial->outcome = TUNE_OUTCOME_CORRECT;
}

/* ---- Soaking ---- */

/* Between the runs the target is spoilt, but not always: a wait that sees the words of the run before is a mistake
 * that shows where runs follow each other. */
static bool soak_some(session *s, unsigned runs)
{
    measure_note note = {""};

    for (unsigned i = 0; i < runs; ++i) {
        if (i % 4 == 0 &&
            !measure_device_fill(s->c.device, s->c.target, 0xa5, measure_buffer_bytes(&s->c.problem), &note))
            return failed(s, note.text);
        if (!s->scan.kind->enqueue(&s->scan, &s->c, NULL))
            return failed(s, s->scan.note.text);
        if (!enqueue_check(s, &note))
            return failed(s, note.text);
    }
    return true;
}

void tune_soak(tune_candidate *candidate, tune_load *load, unsigned runs, uint32_t limit_ms, tune_trial *trial)
{
    session s;
    unsigned batch = 1;

    if (!open_session(&s, candidate, load, limit_ms, trial))
        return;
    for (trial->runs = 0; trial->runs < runs && (trial->runs == 0 || clscan__now_ns() < s.end_ns);) {
        const uint64_t begin = clscan__now_ns();
        const unsigned next = runs - trial->runs < batch ? runs - trial->runs : batch;

        if (!soak_some(&s, next) || !check(&s))
            return;
        trial->runs += next;
        if (clscan__now_ns() - begin < 50 * NS_PER_MS && batch < 64)
            batch *= 2;
    }
    if (check_report(&s))
        trial->outcome = TUNE_OUTCOME_CORRECT;
}
