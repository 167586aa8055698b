/* A run as a sequence of phases. Each ends with something that was begun and is waited for or asked about: work of the
 * device, or a collective call that does not block. Whatever a rank finds wrong, it takes part in all of them. */
#include <string.h>

#include <clscan/mpi.h>

#include "base/memory.h"
#include "object.h"

static unsigned char *record_of(const clscan_mpi *mpi, size_t rank)
{
    return mpi->records + rank * mpi->record_bytes;
}

/* MPI has failed: this rank's run is over, whatever the others do. */
static void give_up(clscan__active *active, const char *call, int code)
{
    active->status = clscan__error_mpi(&active->error, call, code);
    active->phase = CLSCAN__PHASE_OVER;
}

#define BEGIN_CALL(active, function, arguments)  \
    do {                                         \
        const int code_ = function arguments;    \
        if (code_ != MPI_SUCCESS)                \
            give_up((active), #function, code_); \
    } while (0)

/* Release the event of what has come from the device, after all that the device writes has come. */
static void settle(clscan__active *active, cl_command_queue queue)
{
    if (active->came == NULL)
        return;
    if (clWaitForEvents(1, &active->came) != CL_SUCCESS)
        clFinish(queue);
    clReleaseEvent(active->came);
    active->came = NULL;
}

/* Whether what the device was asked for has come, or never will; then `status` says so, unless it says something
 * already. */
static bool device_is_ready(clscan__active *active, cl_command_queue queue, bool wait, const char *what)
{
    cl_int state = CL_COMPLETE, waited = CL_SUCCESS, code;

    if (active->came == NULL)
        return true;
    if (wait && (waited = clWaitForEvents(1, &active->came)) != CL_SUCCESS)
        clFinish(queue); /* if it was the call that failed, and not what it waits for */
    code = clGetEventInfo(active->came, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof state, &state, NULL);
    if (code == CL_SUCCESS && state > CL_COMPLETE && !wait)
        return false;
    settle(active, queue);
    if (active->status != CLSCAN_OK)
        return true;
    if (code != CL_SUCCESS)
        active->status = clscan__error_opencl(&active->error, "clGetEventInfo", code);
    else if (state < CL_COMPLETE)
        active->status = clscan__error_opencl(&active->error, what, state);
    else if (state > CL_COMPLETE)
        active->status = clscan__error_opencl(&active->error, "clWaitForEvents", waited);
    return true;
}

static bool others_are_ready(clscan__active *active, bool wait)
{
    int ready = 1;

    if (wait)
        BEGIN_CALL(active, MPI_Wait, (&active->request, MPI_STATUS_IGNORE));
    else
        BEGIN_CALL(active, MPI_Test, (&active->request, &ready, MPI_STATUS_IGNORE));
    return ready != 0;
}

/* Is what the phase waits for there? Waits for it if it shall. */
static bool is_ready(clscan_mpi *mpi, bool wait)
{
    clscan__active *active = &mpi->active;

    switch (active->phase) {
    case CLSCAN__PHASE_SUM:
        return device_is_ready(active, active->held.queue, wait, "the reduction of this rank's part");
    case CLSCAN__PHASE_COMBINATION:
        return device_is_ready(active, mpi->rank.queue, wait, "the combination of sums");
    default:
        return others_are_ready(active, wait);
    }
}

/* Is what all ranks say of their counts a scan in parts? A part behind which others stand ends where a state can be
 * taken up; all ranks find the same one that does not. */
static clscan_status check_places(clscan_mpi *mpi, bool *right, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const clscan__rank *rank = &mpi->rank;
    const clscan__place *places = mpi->places;
    size_t ragged = rank->count; /* none */
    uint64_t first = places[0].first;

    *right = true;
    for (size_t i = 0; i < rank->count; ++i)
        *right = *right && places[i].count != CLSCAN__COUNT_FAILED;
    for (size_t i = 0; i < rank->count && *right; ++i) {
        *right = places[i].first == first;
        CLSCAN__REQUIRE(*right || i != rank->index, CLSCAN_ERROR_INVALID_VALUE,
                        "args->first is %llu, but %llu on rank 0", (unsigned long long)places[i].first,
                        (unsigned long long)first);
    }
    for (size_t i = 0; i < rank->count && *right; ++i) {
        const size_t next = rank->reverse ? rank->count - 1 - i : i;

        if (next == rank->index)
            mpi->active.part_first = first;
        *right = places[next].count == 0 || ragged == rank->count;
        if (*right && places[next].count % CLSCAN_REPRODUCIBLE_STEP != 0)
            ragged = next;
        first += places[next].count;
    }
    CLSCAN__REQUIRE(*right || ragged != rank->index, CLSCAN_ERROR_INVALID_VALUE,
                    "args->count is %llu, no multiple of %u, which parts of a reproducible scan are but for the last",
                    (unsigned long long)places[ragged].count, CLSCAN_REPRODUCIBLE_STEP);

cleanup:
    return status;
}

static void tell_place(clscan_mpi *mpi)
{
    clscan__active *active = &mpi->active;

    mpi->places[mpi->rank.index] =
        (clscan__place){.first = active->held.first,
                        .count = active->status == CLSCAN_OK ? active->held.args.count : CLSCAN__COUNT_FAILED};
    active->phase = CLSCAN__PHASE_PLACES;
    BEGIN_CALL(active, MPI_Iallgather,
               (MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, mpi->places, (int)sizeof *mpi->places, MPI_BYTE, mpi->communicator,
                &active->request));
}

/* Does this rank have the last elements, in the order of the scan? */
static bool is_last(const clscan_mpi *mpi)
{
    const clscan__rank *rank = &mpi->rank;
    bool last = mpi->places[rank->index].count > 0;

    for (size_t i = 0; i < rank->count; ++i)
        last = last && (i == rank->index || clscan__rank_follows(rank, i) || mpi->places[i].count == 0);
    return last;
}

/* Let the device make this rank's sum. What it writes to host memory is waited for also after a failure, but not here:
 * the caller may be about to complete an event that it waits for. */
static void sum(clscan_mpi *mpi)
{
    clscan__active *active = &mpi->active;
    unsigned char *record = record_of(mpi, mpi->rank.index);
    const bool initial = mpi->rank.is_ordered && clscan__memory_is_given(&active->held.args.initial);
    bool right = true;

    active->phase = CLSCAN__PHASE_SUM;
    if (active->status == CLSCAN_OK && mpi->rank.is_ordered)
        active->status = check_places(mpi, &right, &active->error);
    if (active->status == CLSCAN_OK && right && mpi->rank.is_ordered)
        active->status = clscan__ordered_sum(&mpi->rank, &active->held, active->part_first, record + 1, &active->came,
                                             &active->error);
    else if (active->status == CLSCAN_OK && right)
        active->status = clscan__rank_sum(&mpi->rank, &active->held, record + 1, &active->came, &active->error);
    record[0] = (unsigned char)((active->came != NULL ? CLSCAN__RECORD_SUM : 0) |
                                (active->misses ? CLSCAN__RECORD_MISSES : 0) | (initial ? CLSCAN__RECORD_INITIAL : 0));
}

/* The sum of this rank is there, if it has one. */
static void tell_record(clscan_mpi *mpi)
{
    clscan__active *active = &mpi->active;

    if (active->status != CLSCAN_OK)
        record_of(mpi, mpi->rank.index)[0] = CLSCAN__RECORD_FAILED;
    active->phase = CLSCAN__PHASE_RECORDS;
    BEGIN_CALL(active, MPI_Iallgather,
               (MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, mpi->records, (int)mpi->record_bytes, MPI_BYTE, mpi->communicator,
                &active->request));
}

/* Has a rank failed, or misses what begins the scan an identity? All ranks come to the same answer. */
static bool some_rank_fails(clscan_mpi *mpi)
{
    const clscan__rank *rank = &mpi->rank;
    bool begun = mpi->active.held.first > 0, fails = false;

    for (size_t i = 0; i < rank->count; ++i)
        if (record_of(mpi, i)[0] & CLSCAN__RECORD_FAILED)
            return true;
    for (size_t i = 0; i < rank->count && !begun && !fails; ++i) {
        const size_t next = rank->reverse ? rank->count - 1 - i : i;
        const unsigned char told = record_of(mpi, next)[0];

        fails = (told & CLSCAN__RECORD_MISSES) != 0;
        begun = (told & CLSCAN__RECORD_SUM) != 0;
        if (fails && next == rank->index)
            mpi->active.status = mpi->active.error.status;
    }
    return fails;
}

/* Put the sums that come before this rank's part side by side, in memory order. */
static size_t gather_before(const clscan_mpi *mpi)
{
    const clscan__rank *rank = &mpi->rank;
    size_t count = 0;

    for (size_t i = 0; i < rank->count; ++i)
        if ((record_of(mpi, i)[0] & CLSCAN__RECORD_SUM) != 0 && clscan__rank_follows(rank, i))
            memcpy(mpi->before + count++ * rank->sum_bytes, record_of(mpi, i) + 1, rank->sum_bytes);
    return count;
}

static void ask_outcome(clscan_mpi *mpi)
{
    clscan__active *active = &mpi->active;

    active->mine = (int)(active->status == CLSCAN_OK ? mpi->rank.count : mpi->rank.index);
    active->phase = CLSCAN__PHASE_OUTCOME;
    BEGIN_CALL(active, MPI_Iallreduce,
               (&active->mine, &active->first, 1, MPI_INT, MPI_MIN, mpi->communicator, &active->request));
}

static const unsigned char *values_of(const void *mpi, size_t rank)
{
    return record_of(mpi, rank) + 1;
}

/* The initial value of an ordered scan, on ranks behind the one that has it; NULL: there is none. */
static const unsigned char *initial_of(const clscan_mpi *mpi)
{
    const size_t begin = clscan__rank_begin(&mpi->rank);

    return begin != mpi->rank.index && (record_of(mpi, begin)[0] & CLSCAN__RECORD_INITIAL) != 0 ? values_of(mpi, begin)
                                                                                                : NULL;
}

/* The records of all ranks are there. */
static void combine(clscan_mpi *mpi)
{
    clscan__active *active = &mpi->active;

    if (some_rank_fails(mpi)) {
        ask_outcome(mpi);
        return;
    }
    active->phase = CLSCAN__PHASE_COMBINATION;
    if (mpi->rank.is_ordered) {
        active->status = clscan__ordered_combine(&mpi->rank, &active->held, mpi->places, values_of, mpi,
                                                 initial_of(mpi), mpi->before, &active->came, &active->error);
    } else {
        active->before_count = gather_before(mpi);
        active->status =
            clscan__rank_combine(&mpi->rank, mpi->before, active->before_count, &active->came, &active->error);
    }
    if (active->status != CLSCAN_OK)
        settle(active, mpi->rank.queue);
}

static void scan(clscan_mpi *mpi)
{
    clscan__active *active = &mpi->active;

    if (active->status == CLSCAN_OK && mpi->rank.is_ordered)
        active->status = clscan__ordered_scan(&mpi->rank, &active->held, active->part_first, initial_of(mpi),
                                              mpi->before, is_last(mpi), &active->scanned, &active->error);
    else if (active->status == CLSCAN_OK)
        active->status = clscan__rank_scan(&mpi->rank, &active->held, active->before_count > 0 ? mpi->before : NULL,
                                           &active->scanned, &active->error);
    ask_outcome(mpi);
}

static void ask_error(clscan_mpi *mpi)
{
    clscan__active *active = &mpi->active;

    if (active->first == (int)mpi->rank.count) {
        active->phase = CLSCAN__PHASE_OVER;
        return;
    }
    active->phase = CLSCAN__PHASE_ERROR;
    BEGIN_CALL(
        active, MPI_Ibcast,
        (&active->error, (int)sizeof active->error, MPI_BYTE, active->first, mpi->communicator, &active->request));
}

static void take_error(clscan__active *active)
{
    active->status = clscan__mpi_told(active->first, &active->error);
    active->phase = CLSCAN__PHASE_OVER;
}

/* From phase to phase, as far as it goes. */
static void advance(clscan_mpi *mpi, bool wait)
{
    clscan__active *active = &mpi->active;

    while (active->phase != CLSCAN__PHASE_OVER && is_ready(mpi, wait)) {
        switch (active->phase) {
        case CLSCAN__PHASE_PLACES:
            sum(mpi);
            break;
        case CLSCAN__PHASE_SUM:
            tell_record(mpi);
            break;
        case CLSCAN__PHASE_RECORDS:
            combine(mpi);
            break;
        case CLSCAN__PHASE_COMBINATION:
            scan(mpi);
            break;
        case CLSCAN__PHASE_OUTCOME:
            ask_error(mpi);
            break;
        case CLSCAN__PHASE_ERROR:
            take_error(active);
            break;
        default: /* MPI has failed meanwhile */
            break;
        }
    }
}

/* The run is over: hand out what came of it. */
static clscan_status end(clscan__active *active, cl_event *event, clscan_error *error)
{
    const clscan_status status = active->status;

    if (status == CLSCAN_OK && event != NULL) {
        *event = active->scanned;
        active->scanned = NULL;
    }
    if (status != CLSCAN_OK && error != NULL)
        *error = active->error;
    if (active->scanned != NULL)
        clReleaseEvent(active->scanned);
    active->scanned = NULL;
    clscan__drop(&active->held);
    active->phase = CLSCAN__PHASE_NONE;
    return status;
}

void clscan__run_end(clscan_mpi *mpi, bool others)
{
    clscan__active *active = &mpi->active;

    if (active->phase == CLSCAN__PHASE_NONE)
        return;
    if (others)
        advance(mpi, true);
    settle(active, active->phase == CLSCAN__PHASE_SUM ? active->held.queue : mpi->rank.queue);
    end(active, NULL, NULL);
}

static clscan_status check_active(const clscan_mpi *mpi, bool active, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;

    CLSCAN__REQUIRE(mpi != NULL, CLSCAN_ERROR_NULL_ARGUMENT, "mpi is NULL");
    CLSCAN__REQUIRE(active || mpi->active.phase == CLSCAN__PHASE_NONE, CLSCAN_ERROR_WORKSPACE_BUSY,
                    "a run is active: wait for it before the next one begins");
    CLSCAN__REQUIRE(!active || mpi->active.phase != CLSCAN__PHASE_NONE, CLSCAN_ERROR_INVALID_VALUE,
                    "no run is active; clscan_mpi_start() begins one");

cleanup:
    return status;
}

clscan_status clscan_mpi_start(clscan_mpi *mpi, cl_command_queue queue, const clscan_run_args *args, cl_uint wait_count,
                               const cl_event *wait_list, clscan_error *error)
{
    clscan_status status;
    const clscan__rank_run run = {.queue = queue, .args = args, .wait_count = wait_count, .wait_list = wait_list};
    clscan__active *active;

    CLSCAN__TRY(check_active(mpi, false, error));
    active = &mpi->active;
    active->request = MPI_REQUEST_NULL;
    active->misses = false;
    active->status = clscan__rank_take(&mpi->rank, &run, &active->held, &active->misses, &active->error);
    if (mpi->rank.is_ordered)
        tell_place(mpi);
    else
        sum(mpi);
    advance(mpi, false);

cleanup:
    return status;
}

clscan_status clscan_mpi_test(clscan_mpi *mpi, int *done, cl_event *event, clscan_error *error)
{
    clscan_status status;

    CLSCAN__TRY(check_active(mpi, true, error));
    CLSCAN__REQUIRE(done != NULL, CLSCAN_ERROR_NULL_ARGUMENT, "done is NULL");
    advance(mpi, false);
    *done = mpi->active.phase == CLSCAN__PHASE_OVER;
    if (*done)
        status = end(&mpi->active, event, error);

cleanup:
    return status;
}

clscan_status clscan_mpi_wait(clscan_mpi *mpi, cl_event *event, clscan_error *error)
{
    clscan_status status;

    CLSCAN__TRY(check_active(mpi, true, error));
    advance(mpi, true);
    status = end(&mpi->active, event, error);

cleanup:
    return status;
}

clscan_status clscan_mpi_run(clscan_mpi *mpi, cl_command_queue queue, const clscan_run_args *args, cl_uint wait_count,
                             const cl_event *wait_list, cl_event *event, clscan_error *error)
{
    const clscan_status status = clscan_mpi_start(mpi, queue, args, wait_count, wait_list, error);

    return status == CLSCAN_OK ? clscan_mpi_wait(mpi, event, error) : status;
}
