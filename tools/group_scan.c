#include "group_scan.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "command_line/failure.h"
#include "command_line/values.h"
#include "common/clock.h"
#include "measure/host_memory.h"
#include "pipeline.h"
#include "record.h"
#include "target.h"

/* Parts of one device that a block has: the devices work while the next part is on its way. */
#define PARTS_OF_BLOCK 4u
/* Blocks in memory: one is read, one scanned, one written. */
#define SLOTS 3u

typedef struct group_work {
    group_scan *wanted;
    target targets[CLSCAN_MOST_DEVICES];
    uint64_t target_count;
    double shares[CLSCAN_MOST_DEVICES];
    clscan_devices *group;
    device_stage stage;                   /* host memory of blocks, and how they follow each other */
    uint64_t counts[CLSCAN_MOST_DEVICES]; /* of elements that each device has scanned */
    progress *shown;
    bool has_carry; /* what the blocks before this one come to, or the initial value, which it stays with a state */
    unsigned char carry[CLSCAN_MOST_ELEMENT_BYTES], total[CLSCAN_MOST_ELEMENT_BYTES];
    unsigned char *state; /* of a reproducible scan whose bits depend on grouping; else NULL */
    checker checker;
    uint64_t done_count;
} group_work;

/* Put the device in front of the message of a failed call. Returns `status`. */
static clscan_status name_target(const char *selector, clscan_status status, clscan_error *error)
{
    char message[CLSCAN_ERROR_MESSAGE_BYTES];

    if (status == CLSCAN_OK)
        return status;
    memcpy(message, error->message, sizeof message);
    snprintf(error->message, sizeof error->message, "'%.60s' of --devices: %.*s", selector, (int)(sizeof message - 80),
             message);
    return status;
}

static clscan_status open_target(const group_scan *wanted, target *opened, const char *selector, clscan_error *error)
{
    clscan_status status;

    TRY(target_find(opened, selector, wanted->config, error));
    TRY(target_start(opened, error));

cleanup:
    return status;
}

static clscan_status add_target(group_work *work, const char *selector, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;

    REQUIRE(work->target_count < CLSCAN_MOST_DEVICES, CLSCAN_ERROR_INVALID_VALUE,
            "--devices names more than %u devices", CLSCAN_MOST_DEVICES);
    TRY(name_target(selector, open_target(work->wanted, &work->targets[work->target_count++], selector, error), error));

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
    while (at != NULL) {
        const size_t length = next_word(&at, selector, sizeof selector);

        REQUIRE(length > 0, CLSCAN_ERROR_INVALID_VALUE, "--devices '%s' names no device before or after a comma",
                work->wanted->devices);
        REQUIRE(length < sizeof selector, CLSCAN_ERROR_INVALID_VALUE, "--devices has a name that is too long");
        TRY(add_target(work, selector, error));
    }

cleanup:
    return status;
}

/* One number for each device. */
static clscan_status read_shares(group_work *work, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const char *at = work->wanted->shares;

    for (uint64_t i = 0; i < work->target_count; ++i) {
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

/* What the user says, or else what was measured, for a file of that size. */
static clscan_status find_shares(group_work *work, clscan_error *error)
{
    cl_device_id devices[CLSCAN_MOST_DEVICES];

    if (work->wanted->shares != NULL)
        return read_shares(work, error);
    for (uint64_t i = 0; i < work->target_count; ++i)
        devices[i] = work->targets[i].device;
    return clscan_devices_weights(devices, work->target_count, CLSCAN_DEVICES_HOST, work->stage.rows.count,
                                  work->shares, NULL, error);
}

/* Elements of a part, which the smallest device can hold. Blocks have several parts of each device: by default, small
 * ones. */
static uint64_t part_count(const group_work *work)
{
    const size_t element_bytes =
        work->stage.element_bytes > work->stage.output_bytes ? work->stage.element_bytes : work->stage.output_bytes;
    uint64_t most = UINT64_MAX;

    for (uint64_t i = 0; i < work->target_count; ++i) {
        const clscan_device_info *info = &work->targets[i].info;
        const chunk_limits limits = {
            .element_bytes = element_bytes,
            .apart = work->stage.element_bytes != work->stage.output_bytes,
            .count = work->stage.rows.count,
            .wanted_bytes = work->wanted->chunk_bytes,
            .usual_bytes = CHUNK_PIPE_BYTES,
            .max_allocation_bytes = info->max_allocation_bytes,
            .device_bytes = info->global_memory_bytes / work->target_count, /* all may be the same one */
            .host_bytes = measure_host_memory_bytes(),
            .host_chunks = 2 * PARTS_OF_BLOCK * work->target_count, /* inputs and outputs of a block */
            .in_place = true,
        };
        const chunking cut = chunks_plan(&limits);

        most = cut.chunk_count < most ? cut.chunk_count : most;
    }
    return most;
}

/* Several parts of each device, and at steps where a state leads from block to block. */
static clscan_status cut_blocks(group_work *work, uint64_t most_of_part, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const size_t state_bytes = (size_t)clscan_devices_state_bytes(work->group);
    chunking *cut = &work->stage.cut;
    const uint64_t count = work->stage.rows.count;

    cut->chunk_count = most_of_part * work->target_count * PARTS_OF_BLOCK;
    if (state_bytes > 0) {
        REQUIRE(most_of_part >= CLSCAN_REPRODUCIBLE_STEP || most_of_part >= count, CLSCAN_ERROR_INVALID_VALUE,
                "parts of %" PRIu64
                " elements are too small for --reproducible, which needs %u; try a larger --chunk-bytes",
                most_of_part, CLSCAN_REPRODUCIBLE_STEP);
        work->state = calloc(1, state_bytes);
        REQUIRE(work->state != NULL, CLSCAN_ERROR_OUT_OF_MEMORY, "no memory for the state of a scan");
        if (cut->chunk_count < count)
            cut->chunk_count -= cut->chunk_count % CLSCAN_REPRODUCIBLE_STEP;
    }
    if (cut->chunk_count > count)
        cut->chunk_count = count > 0 ? count : 1;

cleanup:
    return status;
}

/* Which entries serve the parts, after a measurement. */
static clscan_status tell_measurement(const group_work *work, const clscan_problem *problem, FILE *stream,
                                      clscan_error *error)
{
    clscan_status status = CLSCAN_OK;

    for (uint64_t i = 0; i < work->target_count; ++i) {
        clscan_choice choice = {.struct_size = sizeof choice};

        TRY(clscan_config_explain(NULL, &work->targets[i].info, problem, problem->max_count, 0, &choice, error));
        fprintf(stream, "%-12s%" PRIu64 ": %s\n", i == 0 ? "measure" : "", i, choice.reason);
    }

cleanup:
    return status;
}

static clscan_status create_group(group_work *work, clscan_error *error)
{
    clscan_status status;
    const group_scan *wanted = work->wanted;
    const clscan_plan_options options = {
        .struct_size = sizeof options, .config = work->targets[0].config, .measure_ms = (int64_t)wanted->measure_ms};
    clscan_problem problem = {.struct_size = sizeof problem,
                              .type = wanted->in->type,
                              .op = wanted->op,
                              .form = wanted->form,
                              .direction = wanted->direction,
                              .reproducible = wanted->reproducible,
                              .max_count = part_count(work)};
    clscan_member members[CLSCAN_MOST_DEVICES];

    if (wanted->in->record != NULL)
        record_ask(wanted->in->record, &problem);
    TRY(scan_maps_prepare(&work->wanted->maps, &problem, error));
    for (uint64_t i = 0; i < work->target_count; ++i)
        members[i] = (clscan_member){.struct_size = sizeof members[i],
                                     .context = work->targets[i].context,
                                     .device = work->targets[i].device,
                                     .queue = work->targets[i].queue};
    TRY(clscan_devices_create(members, work->target_count, &problem, &options, &work->group, error));
    if (wanted->measured != NULL)
        TRY(tell_measurement(work, &problem, wanted->measured, error));
    TRY(cut_blocks(work, problem.max_count, error));

cleanup:
    return status;
}

/* No more slots than there are blocks. */
static clscan_status allocate(group_work *work, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    device_stage *stage = &work->stage;
    const uint64_t blocks = stage->rows.count / stage->cut.chunk_count + 1;

    stage->cut.slot_count = blocks < SLOTS ? (unsigned)blocks : SLOTS;
    for (unsigned i = 0; i < stage->cut.slot_count; ++i) {
        stage->slots[i].host_in = calloc((size_t)stage->cut.chunk_count, stage->element_bytes);
        stage->slots[i].host_out = calloc((size_t)stage->cut.chunk_count, stage->output_bytes);
        REQUIRE(stage->slots[i].host_in != NULL && stage->slots[i].host_out != NULL, CLSCAN_ERROR_OUT_OF_MEMORY,
                "no host memory for %u blocks of %" PRIu64 " elements; try a smaller --chunk-bytes",
                stage->cut.slot_count, stage->cut.chunk_count);
    }

cleanup:
    return status;
}

/* How much each device has done. */
static clscan_status show_devices(group_work *work, uint64_t count, clscan_error *error)
{
    clscan_status status;
    uint64_t parts[CLSCAN_MOST_DEVICES];
    double bytes[CLSCAN_MOST_DEVICES];

    TRY(clscan_devices_deal(count, work->shares, work->target_count, parts, error));
    for (uint64_t i = 0; i < work->target_count; ++i) {
        work->counts[i] += parts[i];
        bytes[i] = (double)work->counts[i] * (double)work->stage.element_bytes;
    }
    progress_devices(work->shown, bytes, (size_t)work->target_count);

cleanup:
    return status;
}

/* The library deals a block round by round, which comes to the same but for a few elements. */
static clscan_status scan_block(void *user, slot *s, clscan_error *error)
{
    clscan_status status;
    group_work *work = user;
    const clscan_host_args args = {.struct_size = sizeof args,
                                   .in = s->host_in,
                                   .out = s->host_out,
                                   .count = s->count,
                                   .weights = work->shares,
                                   .initial = work->has_carry ? work->carry : NULL,
                                   .total = work->total,
                                   .first = work->state != NULL ? work->done_count : 0,
                                   .state = work->state};
    const double begin = clscan__now_seconds();

    TRY(clscan_devices_scan_host(work->group, &args, error));
    work->stage.busy_seconds += clscan__now_seconds() - begin;
    if (work->state == NULL) {
        memcpy(work->carry, work->total, sizeof work->carry);
        work->has_carry = true;
    }
    work->done_count += s->count;
    TRY(show_devices(work, s->count, error));

cleanup:
    return status;
}

static clscan_status scan_blocks(group_work *work, clscan_error *error)
{
    clscan_status status;
    const pipeline_parts parts = {.in = work->wanted->in,
                                  .stage = &work->stage,
                                  .scan = scan_block,
                                  .user = work,
                                  .out = work->wanted->out,
                                  .check = work->wanted->check ? &work->checker : NULL,
                                  .progress = work->shown};
    pipeline_times times;

    TRY(pipeline_run(&parts, &times, error));
    TRY(result_file_commit(work->wanted->out, work->done_count, error));
    work->wanted->in->count = work->done_count;
    work->wanted->compared = work->checker.compared;

cleanup:
    return status;
}

static void tell(const group_work *work, FILE *stream)
{
    for (uint64_t i = 0; i < work->target_count; ++i)
        fprintf(stream, "%-12s%" PRIu64 ": %s\n%-12s   %" PRIu64 " elements\n", i == 0 ? "devices" : "", i,
                work->targets[i].info.name, "", work->counts[i]);
    fprintf(stream, "%-12s%" PRIu64 ", %.6f s from host memory to host memory\n", "elements", work->done_count,
            work->stage.busy_seconds);
}

/* The library counts the devices; people know them by name. */
static void name_culprits(const group_work *work, const clscan_error *error)
{
    for (uint64_t i = 0; i < work->target_count; ++i) {
        char member[40], part[40];

        snprintf(member, sizeof member, "members[%" PRIu64 "]", i);
        snprintf(part, sizeof part, "args->parts[%" PRIu64 "]", i);
        if (strstr(error->message, member) != NULL || strstr(error->message, part) != NULL)
            complain("%s and %s are those of %s", member, part, work->targets[i].info.name);
    }
}

clscan_status group_scan_run(group_scan *wanted, FILE *stream, clscan_error *error)
{
    clscan_status status;
    progress shown;
    input_file *in = wanted->in;
    group_work work = {.wanted = wanted,
                       .shown = &shown,
                       .stage.rows = {.count = in->count,
                                      .row_count = in->count > 0 ? in->count : 1,
                                      .reverse = wanted->direction == CLSCAN_REVERSE},
                       .stage.element_bytes = in->element_bytes,
                       .stage.output_bytes =
                           in->record != NULL ? in->element_bytes : clscan_type_size_bytes(wanted->out->type),
                       .has_carry = wanted->initial != NULL,
                       .checker = {.type = in->record != NULL ? in->type : wanted->out->type,
                                   .op = wanted->op,
                                   .form = wanted->form,
                                   .initial = wanted->initial,
                                   .structs.type = in->record != NULL ? in->record->type : NULL,
                                   .maps.maps = scan_maps_are_needed(&wanted->maps) ? &wanted->maps : NULL}};

    work.checker.rows = work.stage.rows;
    if (wanted->initial != NULL)
        memcpy(work.carry, wanted->initial, sizeof work.carry);
    progress_begin(&shown, "clscan", wanted->progress,
                   in->count == COUNT_UNKNOWN ? COUNT_UNKNOWN : in->count * in->element_bytes);
    TRY(find_targets(&work, error));
    work.checker.structs.context = work.checker.maps.context = work.targets[0].context;
    work.checker.structs.device = work.checker.maps.device = work.targets[0].device;
    TRY(find_shares(&work, error));
    TRY(create_group(&work, error));
    TRY(allocate(&work, error));
    TRY(scan_blocks(&work, error));
    if (stream != NULL)
        tell(&work, stream);

cleanup:
    progress_end(&shown, status == CLSCAN_OK);
    if (status != CLSCAN_OK)
        name_culprits(&work, error);
    output_file_discard(&wanted->out->file);
    for (unsigned i = 0; i < SLOTS; ++i) {
        free(work.stage.slots[i].host_in);
        free(work.stage.slots[i].host_out);
    }
    free(work.state);
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
