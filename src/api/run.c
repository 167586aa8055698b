#include <clscan/plan.h>

#include "api/check.h"
#include "base/structs.h"
#include "ops/scan.h"

clscan_status clscan_run(const clscan_plan *plan, clscan_workspace *workspace, cl_command_queue queue,
                         const clscan_run_args *args, cl_uint wait_count, const cl_event *wait_list, cl_event *event,
                         clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    clscan_run_args room;
    clscan_selection selection_room;
    clscan_segment_sums sums_room;
    clscan__run_rows rows_room;
    const clscan__run_rows *rows = NULL;
    bool claimed = false, in_place = false;

    CLSCAN__REQUIRE(plan != NULL, CLSCAN_ERROR_NULL_ARGUMENT, "plan is NULL");
    CLSCAN__REQUIRE(workspace != NULL, CLSCAN_ERROR_NULL_ARGUMENT, "workspace is NULL");
    CLSCAN__REQUIRE(queue != NULL, CLSCAN_ERROR_NULL_ARGUMENT, "queue is NULL");
    CLSCAN__REQUIRE(args != NULL, CLSCAN_ERROR_NULL_ARGUMENT, "args is NULL");
    CLSCAN__TAKE(args, room);
    CLSCAN__REQUIRE((wait_count == 0) == (wait_list == NULL), CLSCAN_ERROR_INVALID_VALUE,
                    "wait_count is %u, wait_list is %sNULL", (unsigned)wait_count, wait_list == NULL ? "" : "not ");
    CLSCAN__REQUIRE(workspace->plan == plan, CLSCAN_ERROR_INVALID_VALUE, "the workspace was created for another plan");
    CLSCAN__TRY(clscan__check_rows(plan, args, &rows_room, &rows, error));
    CLSCAN__TRY(clscan__check_selection(plan, &args, &room, &selection_room, error));
    CLSCAN__TRY(clscan__check_segment_sums(plan, &args, &room, &sums_room, error));
    CLSCAN__TRY(clscan__workspace_claim(workspace, error));
    claimed = true;
    /* The workspace holds on to its last queue, which was checked before. */
    if (workspace->order.queue != queue)
        CLSCAN__TRY(clscan__check_queue(plan, queue, error));
    CLSCAN__TRY(clscan__check_run_args(workspace, args, rows, &in_place, error));
    CLSCAN__TRY(clscan__scan_enqueue(workspace, queue, args, rows, in_place, wait_count, wait_list, event, error));

cleanup:
    if (claimed)
        clscan__workspace_disclaim(workspace);
    return status;
}
