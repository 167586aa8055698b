#include <clscan/plan.h>

#include "api/check.h"
#include "base/structs.h"
#include "ops/scan.h"

/* What a call takes, with what the library knows of its structs. */
typedef struct run_room {
    clscan_run_args args;
    clscan_selection selection;
    clscan_segment_sums sums;
    clscan__run_rows rows;
} run_room;

/* All that needs no workspace of one's own; *args and *rows become what the library knows of them. */
static clscan_status take(const clscan_plan *plan, const clscan_workspace *workspace, cl_command_queue queue,
                          const clscan_run_args **taken, cl_uint wait_count, const cl_event *wait_list, run_room *room,
                          const clscan__run_rows **rows, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const clscan_run_args *args = *taken;

    CLSCAN__REQUIRE(plan != NULL, CLSCAN_ERROR_NULL_ARGUMENT, "plan is NULL");
    CLSCAN__REQUIRE(workspace != NULL, CLSCAN_ERROR_NULL_ARGUMENT, "workspace is NULL");
    CLSCAN__REQUIRE(queue != NULL, CLSCAN_ERROR_NULL_ARGUMENT, "queue is NULL");
    CLSCAN__REQUIRE(args != NULL, CLSCAN_ERROR_NULL_ARGUMENT, "args is NULL");
    CLSCAN__TAKE(args, room->args);
    CLSCAN__REQUIRE((wait_count == 0) == (wait_list == NULL), CLSCAN_ERROR_INVALID_VALUE,
                    "wait_count is %u, wait_list is %sNULL", (unsigned)wait_count, wait_list == NULL ? "" : "not ");
    CLSCAN__REQUIRE(workspace->plan == plan, CLSCAN_ERROR_INVALID_VALUE, "the workspace was created for another plan");
    CLSCAN__TRY(clscan__check_rows(plan, args, &room->rows, rows, error));
    CLSCAN__TRY(clscan__check_selection(plan, &args, &room->args, &room->selection, error));
    CLSCAN__TRY(clscan__check_segment_sums(plan, &args, &room->args, &room->sums, error));
    *taken = args;

cleanup:
    return status;
}

/* The rest, of a workspace that is claimed. */
static clscan_status check(const clscan_workspace *workspace, cl_command_queue queue, const clscan_run_args *args,
                           const clscan__run_rows *rows, uint32_t *in_place, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;

    /* The workspace holds on to its last queue, which was checked before. */
    if (workspace->order.queue != queue)
        CLSCAN__TRY(clscan__check_queue(workspace->plan, queue, error));
    CLSCAN__TRY(clscan__check_run_args(workspace, args, rows, in_place, error));

cleanup:
    return status;
}

clscan_status clscan_run(const clscan_plan *plan, clscan_workspace *workspace, cl_command_queue queue,
                         const clscan_run_args *args, cl_uint wait_count, const cl_event *wait_list, cl_event *event,
                         clscan_error *error)
{
    clscan_status status;
    run_room room;
    const clscan__run_rows *rows = NULL;
    bool claimed = false;
    uint32_t in_place = 0;

    CLSCAN__TRY(take(plan, workspace, queue, &args, wait_count, wait_list, &room, &rows, error));
    CLSCAN__TRY(clscan__workspace_claim(workspace, error));
    claimed = true;
    CLSCAN__TRY(check(workspace, queue, args, rows, &in_place, error));
    CLSCAN__TRY(clscan__scan_enqueue(workspace, queue, args, rows, in_place, wait_count, wait_list, event, error));

cleanup:
    if (claimed)
        clscan__workspace_disclaim(workspace);
    return status;
}

clscan_status clscan_run_check(const clscan_plan *plan, clscan_workspace *workspace, cl_command_queue queue,
                               const clscan_run_args *args, clscan_error *error)
{
    clscan_status status;
    run_room room;
    const clscan__run_rows *rows = NULL;
    bool claimed = false;
    uint32_t in_place = 0;

    CLSCAN__TRY(take(plan, workspace, queue, &args, 0, NULL, &room, &rows, error));
    CLSCAN__TRY(clscan__workspace_claim(workspace, error));
    claimed = true;
    CLSCAN__TRY(check(workspace, queue, args, rows, &in_place, error));

cleanup:
    if (claimed)
        clscan__workspace_disclaim(workspace);
    return status;
}
