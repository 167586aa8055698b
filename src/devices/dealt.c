#include "devices/dealt.h"

#include <string.h>

#include "api/check.h"
#include "base/memory.h"
#include "devices/told.h"
#include "ops/scan.h"

static clscan_run_args args_of(const clscan_devices_args *args, const clscan_part *part)
{
    return (clscan_run_args){.struct_size = sizeof(clscan_run_args),
                             .in = part->in,
                             .out = part->out,
                             .count = part->count,
                             .initial = args->initial,
                             .total = part->total,
                             .rows = part->rows,
                             .map_arguments = part->map_arguments,
                             .map_argument_count = part->map_argument_count};
}

/* A part that was checked, and need not be again: so the first device gets its work sooner. */
typedef struct dealt_part {
    clscan_run_args args;
    clscan__run_rows room;
    const clscan__run_rows *rows;
    uint32_t in_place;
} dealt_part;

/* Without rows no buffers are needed. */
static clscan_status check_part(const clscan__lane *lane, const clscan_devices_args *args, const clscan_part *part,
                                dealt_part *made, clscan_error *error)
{
    clscan_status status;

    made->args = args_of(args, part);
    CLSCAN__TRY(clscan__check_rows(lane->scan.plan, &made->args, &made->room, &made->rows, error));
    if (made->rows->rows.count > 0)
        CLSCAN__TRY(clscan__check_run_args(lane->scan.workspace, &made->args, made->rows, &made->in_place, error));

cleanup:
    return status;
}

static clscan_status run_part(const clscan__lane *lane, const dealt_part *part, const clscan_part *given,
                              cl_event *event, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;

    if (part->rows->rows.count > 0)
        CLSCAN__TRY(clscan__scan_enqueue(lane->scan.workspace, lane->queue, &part->args, part->rows, part->in_place,
                                         given->wait_count, given->wait_list, event, error));
    else if (event != NULL)
        CLSCAN__TRY_CL(clEnqueueMarkerWithWaitList, (lane->queue, given->wait_count, given->wait_list, event));
    CLSCAN__TRY_CL(clFlush, (lane->queue));

cleanup:
    return status;
}

clscan_status clscan__run_dealt(clscan_devices *group, const clscan_devices_args *args, const clscan_part *parts,
                                cl_event *events, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    dealt_part checked[CLSCAN_MOST_DEVICES];
    cl_event made[CLSCAN_MOST_DEVICES] = {NULL};
    char name[CLSCAN__TOLD_BYTES];

    CLSCAN__REQUIRE(!clscan__memory_is_given(&args->total), CLSCAN_ERROR_INVALID_VALUE,
                    "args->total is set; where the problem has rows, each part has a total of its own");
    CLSCAN__REQUIRE(!clscan__memory_is_given(&args->initial) || args->initial.kind == CLSCAN_MEMORY_HOST,
                    CLSCAN_ERROR_INVALID_VALUE,
                    "args->initial is not of kind host; where the problem has rows, all devices read it");
    for (size_t i = 0; i < group->count; ++i) {
        clscan__told_name(name, "args->parts", i);
        CLSCAN__TRY(clscan__told(name, check_part(&group->lanes[i], args, &parts[i], &checked[i], error), error));
    }
    for (size_t i = 0; i < group->count; ++i) {
        clscan__told_name(name, "args->parts", i);
        CLSCAN__TRY(clscan__told(
            name, run_part(&group->lanes[i], &checked[i], &parts[i], events != NULL ? &made[i] : NULL, error), error));
    }
    if (events != NULL) {
        memcpy(events, made, group->count * sizeof *events);
        memset(made, 0, sizeof made);
    }

cleanup:
    for (size_t i = 0; i < group->count; ++i)
        if (made[i] != NULL)
            clReleaseEvent(made[i]);
    return status;
}
