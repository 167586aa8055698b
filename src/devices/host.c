/* Host memory over a group: rounds of as many elements as the group's parts may have, one after another.
 *
 * While the devices scan one round, the next one is uploaded and the one before downloaded. The total of a round is the
 * initial value of the next; of an ordered group, a round leaves the state with which the next one goes on
 * (docs/decisions/0013-reproducible-order.md). */
#include "devices/host.h"

#include <stdlib.h>
#include <string.h>

#include "base/checked.h"
#include "base/structs.h"
#include "devices/told.h"

/* Bytes of input or output that a part of a round has at most. So arrays of some hundred MiB have several rounds, and
 * go up while results come down. A round costs the host some hundred us, a tenth of what a link takes for it. */
#define ROUND_BYTES ((uint64_t)64 << 20)

/* Bytes of input from which on they go through pinned memory, where nothing is known. */
#define LEAST_STAGED_BYTES ((uint64_t)16 << 20)

typedef struct host_run {
    clscan_devices *group;
    const clscan_host_args *args;
    clscan__host_room *room;
    const double *weights; /* NULL: all alike */
    double measured[CLSCAN_MOST_DEVICES];
    uint64_t unit;                        /* parts are multiples of that, but for the last one of the scan */
    uint64_t most;                        /* elements of a round */
    uint64_t shares[CLSCAN_MOST_DEVICES]; /* of each lane */
    void *passed;                         /* from round to round: a total, or a state */
} host_run;

static size_t end_of(const clscan_devices *group)
{
    return group->reverse ? 0 : group->count - 1;
}

static void forget(cl_event *event)
{
    if (*event != NULL)
        clReleaseEvent(*event);
    *event = NULL;
}

/* Elements that a part of a round may have. */
static uint64_t most_of_part(const clscan_devices *group)
{
    const uint64_t element_bytes = group->in_bytes > group->out_bytes ? group->in_bytes : group->out_bytes;

    return clscan__min_u64(group->max_count, ROUND_BYTES / element_bytes);
}

/* Elements of so many units of the array, the last of which may not be whole. */
static uint64_t of_units(const host_run *run, uint64_t units)
{
    uint64_t count;

    return clscan__mul_u64(units, run->unit, &count) ? clscan__min_u64(count, run->args->count) : run->args->count;
}

/* A round of so many units. */
static clscan_status deal(host_run *run, uint64_t units, bool *fits, clscan_error *error)
{
    clscan_status status;

    CLSCAN__TRY(clscan_devices_deal(units, run->weights, run->group->count, run->shares, error));
    *fits = true;
    for (size_t i = 0; i < run->group->count; ++i) {
        run->shares[i] = of_units(run, run->shares[i]);
        *fits = *fits && run->shares[i] <= most_of_part(run->group);
    }

cleanup:
    return status;
}

/* As many that no share exceeds what a part may have. */
static clscan_status size_rounds(host_run *run, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    uint64_t low = 0, high;
    bool fits;

    if (!clscan__mul_u64(most_of_part(run->group), run->group->count, &high))
        high = UINT64_MAX;
    high = clscan__divide_up(clscan__min_u64(high, run->args->count), run->unit);
    while (low < high) {
        const uint64_t middle = high - (high - low) / 2;

        CLSCAN__TRY(deal(run, middle, &fits, error));
        if (fits)
            low = middle;
        else
            high = middle - 1;
    }
    CLSCAN__TRY(deal(run, low, &fits, error));
    run->most = of_units(run, low);
    CLSCAN__REQUIRE(run->most > 0 || run->args->count == 0, CLSCAN_ERROR_INVALID_VALUE,
                    "problem->max_count of the group is %llu, but parts of a reproducible scan of more are multiples "
                    "of %llu elements",
                    (unsigned long long)run->group->max_count, (unsigned long long)run->unit);

cleanup:
    return status;
}

/* The lane that has such a turn in the order of the scan, and the other way around. */
static size_t lane_of(const clscan_devices *group, size_t turn)
{
    return group->reverse ? group->count - 1 - turn : turn;
}

/* What a lane has of a round, and where in it; the last round may be shorter, at the end of the scan. */
static uint64_t part_of(const host_run *run, size_t index, uint64_t round_count, uint64_t *offset)
{
    uint64_t before = 0, count;

    for (size_t turn = 0; turn < lane_of(run->group, index); ++turn)
        before += run->shares[lane_of(run->group, turn)];
    before = clscan__min_u64(before, round_count);
    count = clscan__min_u64(run->shares[index], round_count - before);
    *offset = run->group->reverse ? round_count - before - count : before;
    return count;
}

/* Where nobody has measured: CPUs share the memory of the host, and a few elements are there before threads wake up. */
static bool stages_unmeasured(const host_run *run)
{
    bool has_cpu = false;

    for (size_t i = 0; i < run->group->count; ++i)
        has_cpu = has_cpu || run->group->lanes[i].is_cpu;
    return !has_cpu && run->args->count >= LEAST_STAGED_BYTES / run->group->in_bytes;
}

static bool stages(const host_run *run)
{
    const clscan__group_document *measured = run->group->measured;

    return run->args->staging != 0 ? run->args->staging == 1
           : measured != NULL      ? measured->host_staging
                                   : stages_unmeasured(run);
}

/* The set's last round must have left. */
static clscan_status upload_part(host_run *run, size_t index, uint64_t first, uint64_t count, size_t set,
                                 clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    clscan__host_lane *lane = &run->room->lanes[index];
    const size_t bytes = run->group->in_bytes;
    const unsigned char *from = (const unsigned char *)run->args->in + first * bytes;
    cl_event *last = &lane->downloaded[set];

    forget(&lane->uploaded[set]);
    lane->has_up[set] = false;
    if (count == 0)
        return status;
    if (stages(run)) {
        lane->up[set] = (clscan__copy){.from = from,
                                       .buffer = lane->ins[set],
                                       .size_bytes = (size_t)count * bytes,
                                       .after = lane->has_down[set] ? &lane->down[set] : NULL};
        clscan__copier_post(lane->uploader, &lane->up[set]);
        lane->has_up[set] = true;
        return status;
    }
    CLSCAN__TRY_CL(clEnqueueWriteBuffer, (lane->upload, lane->ins[set], CL_FALSE, 0, (size_t)count * bytes, from,
                                          *last != NULL, *last != NULL ? last : NULL, &lane->uploaded[set]));
    CLSCAN__TRY_CL(clFlush, (lane->upload));

cleanup:
    return status;
}

static cl_mem out_of(const clscan__host_lane *lane, size_t set)
{
    return lane->outs[set] != NULL ? lane->outs[set] : lane->ins[set];
}

static clscan_status download_part(host_run *run, size_t index, uint64_t first, uint64_t count, size_t set,
                                   clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    clscan__host_lane *lane = &run->room->lanes[index];
    const size_t bytes = run->group->out_bytes;
    unsigned char *to = (unsigned char *)run->args->out + first * bytes;

    forget(&lane->downloaded[set]);
    if (count == 0)
        return status;
    if (stages(run)) {
        lane->down[set] = (clscan__copy){
            .to = to, .buffer = out_of(lane, set), .size_bytes = (size_t)count * bytes, .wait = lane->scanned[set]};
        clscan__copier_post(lane->downloader, &lane->down[set]);
        lane->has_down[set] = true;
        return status;
    }
    CLSCAN__TRY_CL(clEnqueueReadBuffer, (lane->download, out_of(lane, set), CL_FALSE, 0, (size_t)count * bytes, to, 1,
                                         &lane->scanned[set], &lane->downloaded[set]));
    CLSCAN__TRY_CL(clFlush, (lane->download));

cleanup:
    return status;
}

/* Where a round begins in memory, and how many elements of the array come before it in the scan. */
typedef struct host_round {
    uint64_t first, count, done;
    size_t set;
} host_round;

static uint64_t rounds_of(const host_run *run)
{
    return run->most > 0 ? clscan__divide_up(run->args->count, run->most) : 1;
}

static host_round round_at(const host_run *run, uint64_t index)
{
    const uint64_t all = run->args->count, done = index * run->most;
    const uint64_t count = clscan__min_u64(run->most, all - done);

    return (host_round){.first = run->group->reverse ? all - done - count : done,
                        .count = count,
                        .done = done,
                        .set = index % CLSCAN__HOST_SETS};
}

/* What a round does with the part of a device: `first` is that of the array. */
typedef clscan_status part_step(host_run *run, size_t index, uint64_t first, uint64_t count, size_t set,
                                clscan_error *error);

/* Do so for each device, in errors by its name. */
static clscan_status each_part(host_run *run, const host_round *round, part_step *step, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    char name[CLSCAN__TOLD_BYTES];

    for (size_t i = 0; i < run->group->count; ++i) {
        uint64_t offset;
        const uint64_t part = part_of(run, i, round->count, &offset);

        clscan__told_name(name, "members", i);
        CLSCAN__TRY(clscan__told(name, step(run, i, round->first + offset, part, round->set, error), error));
    }

cleanup:
    return status;
}

/* What goes through staging is there when its job is done, before the scan is enqueued; for the rest the scan waits. */
static clscan_status take_uploads(host_run *run, size_t set, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;

    for (size_t i = 0; i < run->group->count; ++i) {
        clscan__host_lane *lane = &run->room->lanes[i];
        char name[CLSCAN__TOLD_BYTES];

        if (!lane->has_up[set])
            continue;
        clscan__told_name(name, "members", i);
        CLSCAN__TRY(clscan__told(name, clscan__copier_take(&run->room->desk, &lane->up[set], error), error));
        lane->has_up[set] = false;
    }

cleanup:
    return status;
}

static clscan_status scan(host_run *run, const host_round *round, bool is_last, clscan_error *error)
{
    clscan_status status;
    clscan_part parts[CLSCAN_MOST_DEVICES];
    cl_event events[CLSCAN_MOST_DEVICES];
    const bool is_ordered = run->group->is_ordered;
    const clscan__run_start start = {.first = run->args->first + round->done, .state = run->passed};
    const void *initial = is_ordered || round->done == 0 ? run->args->initial : run->passed;
    clscan_devices_args args = {
        .struct_size = sizeof args, .parts = parts, .part_count = run->group->count, .blocking = 1};

    CLSCAN__TRY(take_uploads(run, round->set, error));
    if (initial != NULL)
        args.initial = (clscan_memory){.kind = CLSCAN_MEMORY_HOST, .pointer = initial};
    if (is_last ? run->args->total != NULL : !is_ordered)
        args.total.buffer = run->room->total;
    for (size_t i = 0; i < run->group->count; ++i) {
        const clscan__host_lane *lane = &run->room->lanes[i];
        const cl_event *uploaded = &lane->uploaded[round->set];
        uint64_t offset;

        parts[i] = (clscan_part){.struct_size = sizeof parts[i], .count = part_of(run, i, round->count, &offset)};
        if (parts[i].count == 0)
            continue;
        parts[i].in.buffer = lane->ins[round->set];
        parts[i].out.buffer = out_of(lane, round->set);
        parts[i].wait_count = *uploaded != NULL;
        parts[i].wait_list = *uploaded != NULL ? uploaded : NULL;
    }
    CLSCAN__TRY(clscan__devices_run_from(run->group, &args, is_ordered ? &start : NULL, events, error));
    for (size_t i = 0; i < run->group->count; ++i) {
        forget(&run->room->lanes[i].scanned[round->set]);
        run->room->lanes[i].scanned[round->set] = events[i];
    }

cleanup:
    return status;
}

/* Where the last elements of a round are scanned. */
static size_t last_lane(const host_run *run, const host_round *round)
{
    size_t last = 0;
    uint64_t offset;

    for (size_t turn = 0; turn < run->group->count; ++turn)
        if (part_of(run, lane_of(run->group, turn), round->count, &offset) > 0)
            last = lane_of(run->group, turn);
    return last;
}

static clscan_status take_state(host_run *run, const host_round *round, clscan_error *error)
{
    const size_t index = last_lane(run, round);
    char name[CLSCAN__TOLD_BYTES];

    clscan__told_name(name, "members", index);
    return clscan__told(name,
                        clscan__devices_take_state(run->group, index, run->room->lanes[index].scanned[round->set],
                                                   run->args->first + round->done + round->count, run->passed, error),
                        error);
}

/* On the caller's queue: those of the transfers are busy with other rounds. */
static clscan_status take_total(host_run *run, size_t set, void *total, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const size_t end = end_of(run->group);
    char name[CLSCAN__TOLD_BYTES];

    CLSCAN__TRY_CL(clEnqueueReadBuffer, (run->group->lanes[end].queue, run->room->total, CL_TRUE, 0,
                                         run->group->sum_bytes, total, 1, &run->room->lanes[end].scanned[set], NULL));

cleanup:
    clscan__told_name(name, "members", end);
    return clscan__told(name, status, error);
}

static clscan_status take_download(host_run *run, size_t index, size_t set, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    clscan__host_lane *lane = &run->room->lanes[index];

    if (lane->has_down[set]) {
        lane->has_down[set] = false;
        CLSCAN__TRY(clscan__copier_take(&run->room->desk, &lane->down[set], error));
    }
    if (lane->downloaded[set] != NULL)
        CLSCAN__TRY_CL(clWaitForEvents, (1, &lane->downloaded[set]));

cleanup:
    return status;
}

/* The download of a set's last round, whose memory the next one's takes. */
static clscan_status take_downloads(host_run *run, size_t set, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;

    for (size_t i = 0; i < run->group->count; ++i) {
        char name[CLSCAN__TOLD_BYTES];

        clscan__told_name(name, "members", i);
        CLSCAN__TRY(clscan__told(name, take_download(run, i, set, error), error));
    }

cleanup:
    return status;
}

/* What the next round needs of this one. */
static clscan_status pass_on(host_run *run, const host_round *round, clscan_error *error)
{
    return run->group->is_ordered ? take_state(run, round, error) : take_total(run, round->set, run->passed, error);
}

/* What the caller wants to know besides the outputs. */
static clscan_status take_rest(host_run *run, const host_round *last, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;

    if (run->args->state != NULL && last->count > 0)
        CLSCAN__TRY(take_state(run, last, error));
    if (run->args->total != NULL)
        CLSCAN__TRY(take_total(run, last->set, run->args->total, error));

cleanup:
    return status;
}

/* A round is uploaded while the one before is scanned. */
static clscan_status run_rounds(host_run *run, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const uint64_t rounds = rounds_of(run);
    host_round next = round_at(run, 0);

    CLSCAN__TRY(each_part(run, &next, upload_part, error));
    for (uint64_t r = 0; r < rounds; ++r) {
        const host_round round = next;
        const bool is_last = r + 1 == rounds;

        if (!is_last) {
            next = round_at(run, r + 1);
            CLSCAN__TRY(each_part(run, &next, upload_part, error));
        }
        if (r > 0) {
            const host_round before = round_at(run, r - 1);

            CLSCAN__TRY(pass_on(run, &before, error));
        }
        if (stages(run)) /* those of the set's last round, which wait for its scans' events */
            CLSCAN__TRY(take_downloads(run, round.set, error));
        CLSCAN__TRY(scan(run, &round, is_last, error));
        CLSCAN__TRY(each_part(run, &round, download_part, error));
    }
    next = round_at(run, rounds - 1);
    CLSCAN__TRY(take_rest(run, &next, error));
    for (size_t set = 0; set < CLSCAN__HOST_SETS; ++set)
        CLSCAN__TRY(take_downloads(run, set, error));

cleanup:
    return status;
}

/* What the caller says, or else what was measured. */
static void find_weights(host_run *run)
{
    run->weights = run->args->weights;
    if (run->weights != NULL || run->group->measured == NULL)
        return;
    clscan__group_weights(run->group->measured, CLSCAN_DEVICES_HOST, run->args->count, run->measured);
    run->weights = run->measured;
}

static clscan_status check(const clscan_devices *group, const clscan_host_args *args, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    uint64_t in_bytes, out_bytes;

    CLSCAN__REQUIRE(!group->deals && !group->splits && group->scan_reads, CLSCAN_ERROR_UNSUPPORTED_TYPE,
                    "problem->%s; host memory is scanned as one array that is there",
                    group->scan_reads ? "rows of the group is set" : "load of the group generates the elements");
    CLSCAN__REQUIRE(clscan_devices_state_bytes(group) > 0 || (args->first == 0 && args->state == NULL),
                    CLSCAN_ERROR_INVALID_VALUE,
                    "args->%s is set, but the group's scans have no state (clscan_devices_state_bytes() is 0)",
                    args->first > 0 ? "first" : "state");
    CLSCAN__REQUIRE(args->first == 0 || args->state != NULL, CLSCAN_ERROR_INVALID_VALUE,
                    "args->first is %llu, but args->state is NULL", (unsigned long long)args->first);
    CLSCAN__REQUIRE(args->first % CLSCAN_REPRODUCIBLE_STEP == 0, CLSCAN_ERROR_INVALID_VALUE,
                    "args->first is %llu, no multiple of %u", (unsigned long long)args->first,
                    CLSCAN_REPRODUCIBLE_STEP);
    CLSCAN__REQUIRE(args->count == 0 || (args->in != NULL && args->out != NULL), CLSCAN_ERROR_NULL_ARGUMENT,
                    "args->%s is NULL", args->in == NULL ? "in" : "out");
    CLSCAN__REQUIRE(
        clscan__mul_u64(args->count, group->in_bytes, &in_bytes) &&
            clscan__mul_u64(args->count, group->out_bytes, &out_bytes) && in_bytes <= SIZE_MAX && out_bytes <= SIZE_MAX,
        CLSCAN_ERROR_COUNT_TOO_LARGE, "args->count is %llu, which no memory holds", (unsigned long long)args->count);
    CLSCAN__REQUIRE((args->in == args->out && in_bytes == out_bytes) || in_bytes == 0 ||
                        (uintptr_t)args->in >= (uintptr_t)args->out + out_bytes ||
                        (uintptr_t)args->out >= (uintptr_t)args->in + in_bytes,
                    CLSCAN_ERROR_OVERLAP, "args->in and args->out overlap, and are not the same");

cleanup:
    return status;
}

static clscan_status scan_host(host_run *run, clscan_error *error)
{
    clscan_status status;
    clscan_devices *group = run->group;

    CLSCAN__TRY(check(group, run->args, error));
    find_weights(run);
    run->unit = group->is_ordered ? CLSCAN_REPRODUCIBLE_STEP : 1;
    CLSCAN__TRY(size_rounds(run, error));
    CLSCAN__TRY(clscan__host_room_get(group, run->shares, rounds_of(run), stages(run), &run->room, error));
    run->passed = run->args->state != NULL ? run->args->state : run->room->passed;
    status = run_rounds(run, error);
    clscan__host_room_end(group, status == CLSCAN_OK);

cleanup:
    return status;
}

uint64_t clscan_devices_state_bytes(const clscan_devices *group)
{
    return group == NULL || !group->is_ordered ? 0 : CLSCAN__MOST_STATE_NODES * group->sum_bytes;
}

clscan_status clscan_devices_scan_host(clscan_devices *group, const clscan_host_args *args, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    clscan_host_args room;
    host_run run = {.group = group};

    CLSCAN__REQUIRE(group != NULL, CLSCAN_ERROR_NULL_ARGUMENT, "group is NULL");
    CLSCAN__REQUIRE(args != NULL, CLSCAN_ERROR_NULL_ARGUMENT, "args is NULL");
    CLSCAN__TAKE(args, room);
    CLSCAN__REQUIRE(args->staging <= 2, CLSCAN_ERROR_INVALID_VALUE, "args->staging is %u; give 0 to 2",
                    (unsigned)args->staging);
    CLSCAN__REQUIRE(args->reserved == 0, CLSCAN_ERROR_INVALID_VALUE, "args->reserved is %u", (unsigned)args->reserved);
    run.args = args;
    CLSCAN__REQUIRE(!atomic_flag_test_and_set(&group->host_busy), CLSCAN_ERROR_WORKSPACE_BUSY,
                    "another thread scans host memory with this group of devices; give each thread its own");
    status = scan_host(&run, error);
    atomic_flag_clear(&group->host_busy);

cleanup:
    return status;
}
