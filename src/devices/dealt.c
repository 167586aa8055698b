#include "devices/dealt.h"

#include <string.h>

#include "api/check.h"
#include "base/memory.h"
#include "devices/told.h"

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

/* *is_empty: there are no rows, so no buffers are needed. */
static clscan_status check_part(const clscan__lane *lane, const clscan_run_args *args, bool *is_empty,
                                clscan_error *error)
{
    clscan_status status;
    clscan__run_rows room;
    const clscan__run_rows *rows;
    bool in_place;

    CLSCAN__TRY(clscan__check_rows(lane->scan.plan, args, &room, &rows, error));
    *is_empty = rows->rows.count == 0;
    if (!*is_empty)
        CLSCAN__TRY(clscan__check_run_args(lane->scan.workspace, args, rows, &in_place, error));

cleanup:
    return status;
}

static clscan_status run_part(const clscan__lane *lane, const clscan_devices_args *args, const clscan_part *part,
                              bool is_empty, cl_event *event, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const clscan_run_args run_args = args_of(args, part);

    if (!is_empty)
        CLSCAN__TRY(clscan_run(lane->scan.plan, lane->scan.workspace, lane->queue, &run_args, part->wait_count,
                               part->wait_list, event, error));
    else if (event != NULL)
        CLSCAN__TRY_CL(clEnqueueMarkerWithWaitList, (lane->queue, part->wait_count, part->wait_list, event));
    CLSCAN__TRY_CL(clFlush, (lane->queue));

cleanup:
    return status;
}

clscan_status clscan__run_dealt(clscan_devices *group, const clscan_devices_args *args, const clscan_part *parts,
                                cl_event *events, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    bool is_empty[CLSCAN_MOST_DEVICES];
    cl_event made[CLSCAN_MOST_DEVICES] = {NULL};
    char name[CLSCAN__TOLD_BYTES];

    CLSCAN__REQUIRE(!clscan__memory_is_given(&args->total), CLSCAN_ERROR_INVALID_VALUE,
                    "args->total is set; where the problem has rows, each part has a total of its own");
    CLSCAN__REQUIRE(!clscan__memory_is_given(&args->initial) || args->initial.kind == CLSCAN_MEMORY_HOST,
                    CLSCAN_ERROR_INVALID_VALUE,
                    "args->initial is not of kind host; where the problem has rows, all devices read it");
    for (size_t i = 0; i < group->count; ++i) {
        const clscan_run_args run_args = args_of(args, &parts[i]);

        clscan__told_name(name, "args->parts", i);
        CLSCAN__TRY(clscan__told(name, check_part(&group->lanes[i], &run_args, &is_empty[i], error), error));
    }
    for (size_t i = 0; i < group->count; ++i) {
        clscan__told_name(name, "args->parts", i);
        CLSCAN__TRY(clscan__told(
            name, run_part(&group->lanes[i], args, &parts[i], is_empty[i], events != NULL ? &made[i] : NULL, error),
            error));
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
