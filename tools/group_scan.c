#include "group_scan.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "chunks.h"
#include "command_line/failure.h"
#include "common/clock.h"
#include "record.h"
#include "target.h"

/* Parts of one device that a block has: the devices work while the next part is on its way. */
#define PARTS_OF_BLOCK 4u

typedef struct group_work {
    group_scan *wanted;
    target targets[CLSCAN_MOST_DEVICES];
    uint64_t target_count;
    double shares[CLSCAN_MOST_DEVICES]; /* if the caller wants them */
    bool found;                         /* all of them */
    clscan_devices *group;
    row_layout rows;
    size_t in_bytes, out_bytes; /* of an element */
    uint64_t block_count;       /* elements of a block */
    unsigned char *in, *out;    /* a block */
    bool has_carry;             /* what the blocks before this one come to, or the initial value */
    unsigned char carry[CLSCAN_MOST_ELEMENT_BYTES], total[CLSCAN_MOST_ELEMENT_BYTES];
    checker checker;
    uint64_t done_count;
    double device_seconds;
} group_work;

static clscan_status add_target(group_work *work, const char *selector, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;

    REQUIRE(work->target_count < CLSCAN_MOST_DEVICES, CLSCAN_ERROR_INVALID_VALUE,
            "--devices names more than %u devices", CLSCAN_MOST_DEVICES);
    TRY(target_find(&work->targets[work->target_count++], selector, work->wanted->config, error));
    TRY(target_start(&work->targets[work->target_count - 1], error));

cleanup:
    return status;
}

static clscan_status add_all(group_work *work, clscan_error *error)
{
    clscan_status status;
    size_t count;
    char selector[24];

    TRY(clscan_device_list(NULL, 0, &count, error));
    for (size_t i = 0; i < count; ++i) {
        snprintf(selector, sizeof selector, "%zu", i);
        TRY(add_target(work, selector, error));
    }

cleanup:
    return status;
}

static clscan_status find_targets(group_work *work, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const char *at = work->wanted->devices;
    char selector[256];

    if (strcmp(at, "all") == 0)
        return add_all(work, error);
    for (bool more = true; more; at += more) {
        const size_t length = strcspn(at, ",");

        REQUIRE(length > 0, CLSCAN_ERROR_INVALID_VALUE, "'%s' names no device before or after a comma",
                work->wanted->devices);
        REQUIRE(length < sizeof selector, CLSCAN_ERROR_INVALID_VALUE, "--devices has a name that is too long");
        memcpy(selector, at, length);
        selector[length] = '\0';
        TRY(add_target(work, selector, error));
        at += length;
        more = *at == ',';
    }

cleanup:
    return status;
}

/* One number for each device. */
static clscan_status read_shares(group_work *work, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const char *at = work->wanted->shares;

    for (uint64_t i = 0; at != NULL && i < work->target_count; ++i) {
        const bool last = i + 1 == work->target_count;
        char *end;

        work->shares[i] = strtod(at, &end);
        REQUIRE(end != at && isfinite(work->shares[i]) && work->shares[i] > 0 && (*end == ',' || *end == '\0'),
                CLSCAN_ERROR_INVALID_VALUE, "--shares: '%s' does not begin with a positive number", at);
        REQUIRE((*end == '\0') == last, CLSCAN_ERROR_INVALID_VALUE,
                "--shares %s has not as many numbers as --devices has devices, %" PRIu64, work->wanted->shares,
                work->target_count);
        at = end + 1;
    }

cleanup:
    return status;
}

/* Elements of a part, which the smallest device can hold. Blocks have several parts of each device: by default, small
 * ones. */
static uint64_t part_count(const group_work *work)
{
    const size_t element_bytes = work->in_bytes > work->out_bytes ? work->in_bytes : work->out_bytes;
    uint64_t most = UINT64_MAX;

    for (uint64_t i = 0; i < work->target_count; ++i) {
        const clscan_device_info *info = &work->targets[i].info;
        const chunk_limits limits = {
            .element_bytes = element_bytes,
            .apart = work->in_bytes != work->out_bytes,
            .count = work->rows.count,
            .wanted_bytes = work->wanted->chunk_bytes > 0 ? work->wanted->chunk_bytes : CHUNK_PIPE_BYTES,
            .max_allocation_bytes = info->max_allocation_bytes,
            .device_bytes = info->global_memory_bytes / work->target_count, /* all may be the same one */
            .host_bytes = UINT64_MAX,
            .in_place = true,
        };
        const chunking cut = chunks_plan(&limits);

        most = cut.chunk_count < most ? cut.chunk_count : most;
    }
    return most;
}

static clscan_status create_group(group_work *work, clscan_error *error)
{
    clscan_status status;
    const group_scan *wanted = work->wanted;
    const clscan_plan_options options = {
        .struct_size = sizeof options, .config = work->targets[0].config, .measure_ms = (int64_t)wanted->measure_ms};
    clscan_element element = {.struct_size = sizeof element};
    clscan_custom_operator combine = {.struct_size = sizeof combine};
    clscan_problem problem = {.struct_size = sizeof problem,
                              .type = wanted->in->type,
                              .op = wanted->op,
                              .form = wanted->form,
                              .direction = wanted->direction,
                              .reproducible = wanted->reproducible,
                              .max_count = part_count(work)};
    clscan_member members[CLSCAN_MOST_DEVICES];

    if (wanted->in->record != NULL) {
        clscan_ready_get(wanted->in->record->ready, &element, &combine);
        problem.type = (clscan_type)0;
        problem.op = CLSCAN_CUSTOM;
        problem.element = &element;
        problem.custom = &combine;
    }
    TRY(scan_maps_prepare(&work->wanted->maps, &problem, error));
    for (uint64_t i = 0; i < work->target_count; ++i)
        members[i] = (clscan_member){.struct_size = sizeof members[i],
                                     .context = work->targets[i].context,
                                     .device = work->targets[i].device,
                                     .queue = work->targets[i].queue};
    TRY(clscan_devices_create(members, work->target_count, &problem, &options, &work->group, error));
    work->block_count = problem.max_count * work->target_count * PARTS_OF_BLOCK;
    if (work->block_count > work->rows.count)
        work->block_count = work->rows.count > 0 ? work->rows.count : 1;

cleanup:
    return status;
}

static clscan_status allocate(group_work *work, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;

    work->in = calloc((size_t)work->block_count, work->in_bytes);
    work->out = calloc((size_t)work->block_count, work->out_bytes);
    REQUIRE(work->in != NULL && work->out != NULL, CLSCAN_ERROR_OUT_OF_MEMORY,
            "no host memory for blocks of %" PRIu64 " elements; try a smaller --chunk-bytes", work->block_count);

cleanup:
    return status;
}

static clscan_status read_block(group_work *work, uint64_t first, uint64_t *count, progress *shown, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    size_t read_bytes;

    TRY(input_file_read(work->wanted->in, first * work->in_bytes, work->in, (size_t)*count * work->in_bytes,
                        &read_bytes, error));
    *count = read_bytes / work->in_bytes;
    progress_add(shown, read_bytes, 0);

cleanup:
    return status;
}

/* The elements that begin at `first` of the file. */
static clscan_status scan_block(group_work *work, uint64_t first, uint64_t count, progress *shown, clscan_error *error)
{
    clscan_status status;
    const clscan_host_args args = {.struct_size = sizeof args,
                                   .in = work->in,
                                   .out = work->out,
                                   .count = count,
                                   .weights = work->wanted->shares != NULL ? work->shares : NULL,
                                   .initial = work->has_carry ? work->carry : NULL,
                                   .total = work->total};
    const double begin = clscan__now_seconds();

    TRY(clscan_devices_scan_host(work->group, &args, error));
    work->device_seconds += clscan__now_seconds() - begin;
    memcpy(work->carry, work->total, sizeof work->carry);
    work->has_carry = true;
    /* Not before: an OpenCL compiler that crashes should not leave a file. */
    if (work->done_count == 0)
        TRY(result_file_open(work->wanted->out, !work->rows.reverse || count == work->rows.count, error));
    if (work->wanted->check)
        TRY(check_piece(&work->checker, work->in, work->out, first, count, error));
    TRY(result_file_write(work->wanted->out, first * work->out_bytes, work->out, (size_t)count * work->out_bytes,
                          error));
    progress_add(shown, 0, count * work->out_bytes);
    work->done_count += count;

cleanup:
    return status;
}

static clscan_status scan_blocks(group_work *work, progress *shown, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    input_file *in = work->wanted->in;
    bool more = true;

    check_begin(&work->checker);
    while (more && work->done_count < work->rows.count) {
        const uint64_t left = work->rows.count - work->done_count;
        const uint64_t wanted = left < work->block_count ? left : work->block_count;
        const uint64_t first = chunk_first_element(&work->rows, work->done_count, work->done_count + wanted);
        uint64_t count = wanted;

        TRY(read_block(work, first, &count, shown, error));
        more = count == wanted;
        if (count > 0)
            TRY(scan_block(work, first, count, shown, error));
    }
    if (work->rows.count != COUNT_UNKNOWN)
        TRY(input_file_expect_end(in, error));
    if (work->done_count == 0)
        TRY(result_file_open(work->wanted->out, true, error));
    TRY(result_file_commit(work->wanted->out, work->done_count, error));
    in->count = work->done_count;
    work->wanted->compared = work->checker.compared;

cleanup:
    return status;
}

static void tell(const group_work *work, FILE *stream)
{
    for (uint64_t i = 0; i < work->target_count; ++i)
        fprintf(stream, "%-12s%" PRIu64 ": %s\n", i == 0 ? "devices" : "", i, work->targets[i].info.name);
    fprintf(stream, "%-12s%" PRIu64 ", %.6f s from host memory to host memory\n", "elements", work->done_count,
            work->device_seconds);
}

/* The library counts the devices; people know them by name. */
static void name_devices(const group_work *work)
{
    for (uint64_t i = 0; i < work->target_count; ++i)
        complain("members[%" PRIu64 "] and args->parts[%" PRIu64 "] are those of %s", i, i, work->targets[i].info.name);
}

clscan_status group_scan_run(group_scan *wanted, FILE *stream, clscan_error *error)
{
    clscan_status status;
    progress shown;
    input_file *in = wanted->in;
    group_work work = {.wanted = wanted,
                       .rows = {.count = in->count,
                                .row_count = in->count > 0 ? in->count : 1,
                                .reverse = wanted->direction == CLSCAN_REVERSE},
                       .in_bytes = in->element_bytes,
                       .out_bytes = in->record != NULL ? in->element_bytes : clscan_type_size_bytes(wanted->out->type),
                       .has_carry = wanted->initial != NULL,
                       .checker = {.type = in->type,
                                   .op = wanted->op,
                                   .form = wanted->form,
                                   .direction = wanted->direction,
                                   .initial = wanted->initial}};

    if (wanted->initial != NULL)
        memcpy(work.carry, wanted->initial, sizeof work.carry);
    progress_begin(&shown, "clscan", wanted->progress,
                   in->count == COUNT_UNKNOWN ? COUNT_UNKNOWN : in->count * in->element_bytes);
    TRY(find_targets(&work, error));
    TRY(read_shares(&work, error));
    work.found = true;
    TRY(create_group(&work, error));
    TRY(allocate(&work, error));
    TRY(scan_blocks(&work, &shown, error));
    if (stream != NULL)
        tell(&work, stream);

cleanup:
    progress_end(&shown, status == CLSCAN_OK);
    if (status != CLSCAN_OK && work.found && work.target_count > 1)
        name_devices(&work);
    output_file_discard(&wanted->out->file);
    free(work.in);
    free(work.out);
    check_release(&work.checker);
    clscan_devices_destroy(work.group);
    for (uint64_t i = 0; i < work.target_count; ++i) {
        if (work.targets[i].queue != NULL)
            clFinish(work.targets[i].queue);
        target_release(&work.targets[i]);
    }
    scan_maps_release(&wanted->maps);
    return status;
}
