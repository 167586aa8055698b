/* Host memory over a group: rounds of as many elements as the group's parts may have, one after another.
 *
 * Two sets of buffers take turns: while the devices scan one round, the next one is uploaded and the one before
 * downloaded. The total of a round is the initial value of the next. */
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <stdlib.h>
#include <string.h>

#include "base/checked.h"
#include "base/structs.h"
#include "devices/group.h"
#include "devices/told.h"

enum { SETS = 2 };

typedef struct host_lane {
    cl_command_queue upload, download;
    cl_mem ins[SETS], outs[SETS]; /* an output is NULL where it is the input */
    cl_event uploaded, scanned, downloaded[SETS];
} host_lane;

typedef struct host_run {
    clscan_devices *group;
    const clscan_host_args *args;
    const double *weights; /* NULL: all alike */
    double measured[CLSCAN_MOST_DEVICES];
    host_lane lanes[CLSCAN_MOST_DEVICES];
    uint64_t most;                        /* elements of a round */
    uint64_t shares[CLSCAN_MOST_DEVICES]; /* of each lane */
    cl_mem total;                         /* of a round, where its scan ends */
    void *value;                          /* the same here */
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

/* A round of `count` elements. */
static clscan_status deal(host_run *run, uint64_t count, bool *fits, clscan_error *error)
{
    clscan_status status;

    CLSCAN__TRY(clscan_devices_deal(count, run->weights, run->group->count, run->shares, error));
    *fits = true;
    for (size_t i = 0; i < run->group->count; ++i)
        *fits = *fits && run->shares[i] <= run->group->max_count;

cleanup:
    return status;
}

/* As many that no share exceeds what a part may have. */
static clscan_status size_rounds(host_run *run, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    uint64_t high;
    bool fits;

    if (!clscan__mul_u64(run->group->max_count, run->group->count, &high))
        high = UINT64_MAX;
    high = clscan__min_u64(high, run->args->count);
    while (run->most < high) {
        const uint64_t middle = high - (high - run->most) / 2;

        CLSCAN__TRY(deal(run, middle, &fits, error));
        if (fits)
            run->most = middle;
        else
            high = middle - 1;
    }
    CLSCAN__TRY(deal(run, run->most, &fits, error));

cleanup:
    return status;
}

static clscan_status create_buffer(cl_context context, uint64_t size_bytes, cl_mem *made, clscan_error *error)
{
    cl_int code = CL_INVALID_BUFFER_SIZE;

    *made = size_bytes <= SIZE_MAX ? clCreateBuffer(context, CL_MEM_READ_WRITE, (size_t)size_bytes, NULL, &code) : NULL;
    return code == CL_SUCCESS ? CLSCAN_OK : clscan__error_opencl(error, "clCreateBuffer", code);
}

static clscan_status create_queue(const clscan__lane *lane, cl_command_queue *made, clscan_error *error)
{
    cl_int code;

    *made = clCreateCommandQueue(lane->context, lane->device, 0, &code);
    if (code == CL_SUCCESS)
        return CLSCAN_OK;
    *made = NULL;
    return clscan__error_opencl(error, "clCreateCommandQueue", code);
}

/* For `count` elements of a round. */
static clscan_status create_lane(const clscan_devices *group, const clscan__lane *lane, uint64_t count, bool two_sets,
                                 host_lane *made, clscan_error *error)
{
    clscan_status status;

    CLSCAN__TRY(create_queue(lane, &made->upload, error));
    CLSCAN__TRY(create_queue(lane, &made->download, error));
    for (size_t set = 0; set < (two_sets ? SETS : 1) && count > 0; ++set) {
        CLSCAN__TRY(create_buffer(lane->context, count * group->in_bytes, &made->ins[set], error));
        if (group->in_bytes != group->out_bytes)
            CLSCAN__TRY(create_buffer(lane->context, count * group->out_bytes, &made->outs[set], error));
    }

cleanup:
    return status;
}

static clscan_status create_lanes(host_run *run, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const clscan_devices *group = run->group;

    for (size_t i = 0; i < group->count; ++i) {
        char name[CLSCAN__TOLD_BYTES];

        clscan__told_name(name, "members", i);
        CLSCAN__TRY(clscan__told(
            name,
            create_lane(group, &group->lanes[i], run->shares[i], run->args->count > run->most, &run->lanes[i], error),
            error));
    }
    CLSCAN__TRY(create_buffer(group->lanes[end_of(group)].context, group->sum_bytes, &run->total, error));
    run->value = calloc(1, group->sum_bytes);
    CLSCAN__REQUIRE(run->value != NULL, CLSCAN_ERROR_OUT_OF_MEMORY, "no memory for a total");

cleanup:
    return status;
}

/* A call that fails for want of something may succeed the next time. */
static void finish(cl_command_queue queue)
{
    if (queue != NULL && clFinish(queue) != CL_SUCCESS)
        clFinish(queue);
}

/* Host memory is the caller's again when nothing uses it any more. */
static void destroy_lanes(host_run *run)
{
    for (size_t i = 0; i < run->group->count; ++i) {
        host_lane *lane = &run->lanes[i];

        finish(lane->upload);
        if (lane->scanned != NULL)
            clWaitForEvents(1, &lane->scanned);
        finish(lane->download);
        forget(&lane->uploaded);
        forget(&lane->scanned);
        for (size_t set = 0; set < SETS; ++set) {
            forget(&lane->downloaded[set]);
            if (lane->ins[set] != NULL)
                clReleaseMemObject(lane->ins[set]);
            if (lane->outs[set] != NULL)
                clReleaseMemObject(lane->outs[set]);
        }
        if (lane->upload != NULL)
            clReleaseCommandQueue(lane->upload);
        if (lane->download != NULL)
            clReleaseCommandQueue(lane->download);
    }
    if (run->total != NULL)
        clReleaseMemObject(run->total);
    free(run->value);
}

/* What a lane has of a round, and where in it; the last round may be shorter. */
static uint64_t part_of(const host_run *run, size_t index, uint64_t round_count, uint64_t *offset)
{
    uint64_t before = 0;

    for (size_t i = 0; i < index; ++i)
        before += run->shares[i];
    *offset = clscan__min_u64(before, round_count);
    return clscan__min_u64(run->shares[index], round_count - *offset);
}

static clscan_status upload(host_run *run, uint64_t first, uint64_t count, size_t set, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const size_t bytes = run->group->in_bytes;
    const unsigned char *in = run->args->in;

    for (size_t i = 0; i < run->group->count; ++i) {
        host_lane *lane = &run->lanes[i];
        uint64_t offset;
        const uint64_t part = part_of(run, i, count, &offset);

        forget(&lane->uploaded);
        if (part == 0)
            continue;
        /* The set's last round must have left. */
        CLSCAN__TRY_CL(clEnqueueWriteBuffer,
                       (lane->upload, lane->ins[set], CL_FALSE, 0, (size_t)part * bytes, in + (first + offset) * bytes,
                        lane->downloaded[set] != NULL, lane->downloaded[set] != NULL ? &lane->downloaded[set] : NULL,
                        &lane->uploaded));
        CLSCAN__TRY_CL(clFlush, (lane->upload));
    }

cleanup:
    return status;
}

static cl_mem out_of(const host_lane *lane, size_t set)
{
    return lane->outs[set] != NULL ? lane->outs[set] : lane->ins[set];
}

static clscan_status scan(host_run *run, bool is_first, uint64_t count, size_t set, bool want_total,
                          clscan_error *error)
{
    clscan_status status;
    clscan_part parts[CLSCAN_MOST_DEVICES];
    cl_event events[CLSCAN_MOST_DEVICES];
    const void *initial = is_first ? run->args->initial : run->value;
    clscan_devices_args args = {.struct_size = sizeof args, .parts = parts, .part_count = run->group->count};

    if (initial != NULL)
        args.initial = (clscan_memory){.kind = CLSCAN_MEMORY_HOST, .pointer = initial};
    if (want_total)
        args.total.buffer = run->total;
    for (size_t i = 0; i < run->group->count; ++i) {
        const host_lane *lane = &run->lanes[i];
        uint64_t offset;

        parts[i] = (clscan_part){.struct_size = sizeof parts[i], .count = part_of(run, i, count, &offset)};
        if (parts[i].count == 0)
            continue;
        parts[i].in.buffer = lane->ins[set];
        parts[i].out.buffer = out_of(lane, set);
        parts[i].wait_count = 1;
        parts[i].wait_list = &lane->uploaded;
    }
    CLSCAN__TRY(clscan_devices_run(run->group, &args, events, error));
    for (size_t i = 0; i < run->group->count; ++i) {
        forget(&run->lanes[i].scanned);
        run->lanes[i].scanned = events[i];
    }

cleanup:
    return status;
}

static clscan_status download(host_run *run, uint64_t first, uint64_t count, size_t set, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const size_t bytes = run->group->out_bytes;

    for (size_t i = 0; i < run->group->count; ++i) {
        host_lane *lane = &run->lanes[i];
        uint64_t offset;
        const uint64_t part = part_of(run, i, count, &offset);

        forget(&lane->downloaded[set]);
        if (part == 0)
            continue;
        CLSCAN__TRY_CL(clEnqueueReadBuffer, (lane->download, out_of(lane, set), CL_FALSE, 0, (size_t)part * bytes,
                                             (unsigned char *)run->args->out + (first + offset) * bytes, 1,
                                             &lane->scanned, &lane->downloaded[set]));
        CLSCAN__TRY_CL(clFlush, (lane->download));
    }

cleanup:
    return status;
}

static clscan_status take_total(host_run *run, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const host_lane *lane = &run->lanes[end_of(run->group)];

    /* On the other queue the download of the round would come first. */
    CLSCAN__TRY_CL(clEnqueueReadBuffer,
                   (lane->upload, run->total, CL_TRUE, 0, run->group->sum_bytes, run->value, 1, &lane->scanned, NULL));

cleanup:
    return status;
}

/* Round r is uploaded before the total of round r - 1 is waited for. */
static clscan_status run_rounds(host_run *run, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const uint64_t all = run->args->count;
    const uint64_t rounds = run->most > 0 ? clscan__divide_up(all, run->most) : 1;

    for (uint64_t r = 0; r < rounds; ++r) {
        const uint64_t done = r * run->most, count = clscan__min_u64(run->most, all - done);
        const uint64_t first = run->group->reverse ? all - done - count : done;
        const size_t set = r % SETS;
        const bool want_total = r + 1 < rounds || run->args->total != NULL;

        CLSCAN__TRY(upload(run, first, count, set, error));
        if (r > 0)
            CLSCAN__TRY(take_total(run, error));
        CLSCAN__TRY(scan(run, r == 0, count, set, want_total, error));
        CLSCAN__TRY(download(run, first, count, set, error));
    }
    if (run->args->total != NULL) {
        CLSCAN__TRY(take_total(run, error));
        memcpy(run->args->total, run->value, run->group->sum_bytes);
    }
    for (size_t i = 0; i < run->group->count; ++i)
        for (size_t set = 0; set < SETS; ++set)
            if (run->lanes[i].downloaded[set] != NULL)
                CLSCAN__TRY_CL(clWaitForEvents, (1, &run->lanes[i].downloaded[set]));

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
                    "the group's problem %s; host memory is scanned as one array that is there",
                    group->scan_reads ? "has rows" : "generates its elements");
    CLSCAN__REQUIRE(!group->is_ordered, CLSCAN_ERROR_UNSUPPORTED_TYPE,
                    "problem->reproducible of the group is set; rounds of host memory pass on totals, which group "
                    "operands in another way");
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

clscan_status clscan_devices_scan_host(clscan_devices *group, const clscan_host_args *args, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    clscan_host_args room;
    host_run *run = NULL;

    CLSCAN__REQUIRE(group != NULL, CLSCAN_ERROR_NULL_ARGUMENT, "group is NULL");
    CLSCAN__REQUIRE(args != NULL, CLSCAN_ERROR_NULL_ARGUMENT, "args is NULL");
    CLSCAN__TAKE(args, room);
    CLSCAN__TRY(check(group, args, error));
    run = calloc(1, sizeof *run);
    CLSCAN__REQUIRE(run != NULL, CLSCAN_ERROR_OUT_OF_MEMORY, "no memory for a run");
    run->group = group;
    run->args = args;
    find_weights(run);
    CLSCAN__TRY(size_rounds(run, error));
    CLSCAN__TRY(create_lanes(run, error));
    CLSCAN__TRY(run_rounds(run, error));

cleanup:
    if (run != NULL)
        destroy_lanes(run);
    free(run);
    return status;
}
