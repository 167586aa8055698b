#include <clscan/plan.h>

#include "api/check.h"
#include "base/structs.h"

clscan_status clscan_workspace_create(const clscan_plan *plan, clscan_workspace **workspace, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;

    CLSCAN__REQUIRE(plan != NULL, CLSCAN_ERROR_NULL_ARGUMENT, "plan is NULL");
    CLSCAN__REQUIRE(workspace != NULL, CLSCAN_ERROR_NULL_ARGUMENT, "workspace is NULL");
    CLSCAN__TRY(clscan__workspace_create(plan, workspace, error));

cleanup:
    return status;
}

clscan_status clscan_workspace_bind(clscan_workspace *workspace, cl_command_queue queue, const clscan_memory *memory,
                                    clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    bool claimed = false;

    CLSCAN__REQUIRE(workspace != NULL, CLSCAN_ERROR_NULL_ARGUMENT, "workspace is NULL");
    CLSCAN__REQUIRE(queue != NULL, CLSCAN_ERROR_NULL_ARGUMENT, "queue is NULL");
    CLSCAN__TRY(clscan__workspace_claim(workspace, error));
    claimed = true;
    clscan__workspace_unbind(workspace);
    CLSCAN__TRY(clscan__check_queue(workspace->plan, queue, error));
    if (memory != NULL)
        CLSCAN__TRY(clscan__check_workspace_memory(workspace->plan, memory, error));
    CLSCAN__TRY(clscan__workspace_bind(workspace, queue, memory != NULL ? memory->buffer : NULL,
                                       memory != NULL ? memory->offset : 0, error));

cleanup:
    if (claimed)
        clscan__workspace_disclaim(workspace);
    return status;
}

clscan_status clscan_workspace_unbind(clscan_workspace *workspace, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;

    CLSCAN__REQUIRE(workspace != NULL, CLSCAN_ERROR_NULL_ARGUMENT, "workspace is NULL");
    CLSCAN__TRY(clscan__workspace_claim(workspace, error));
    clscan__workspace_unbind(workspace);
    clscan__workspace_disclaim(workspace);

cleanup:
    return status;
}

void clscan_workspace_destroy(clscan_workspace *workspace)
{
    clscan__workspace_destroy(workspace);
}

clscan_status clscan_workspace_report(clscan_workspace *workspace, cl_command_queue queue, clscan_report *report,
                                      clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    bool claimed = false;
    clscan_report found;

    CLSCAN__REQUIRE(workspace != NULL, CLSCAN_ERROR_NULL_ARGUMENT, "workspace is NULL");
    CLSCAN__REQUIRE(queue != NULL, CLSCAN_ERROR_NULL_ARGUMENT, "queue is NULL");
    CLSCAN__REQUIRE(report != NULL, CLSCAN_ERROR_NULL_ARGUMENT, "report is NULL");
    CLSCAN__TRY(clscan__struct_check(report, "report", error));
    CLSCAN__TRY(clscan__workspace_claim(workspace, error));
    claimed = true;
    CLSCAN__REQUIRE(workspace->buffer != NULL, CLSCAN_ERROR_WORKSPACE_UNBOUND, "the workspace has no buffer");
    CLSCAN__TRY(clscan__check_queue(workspace->plan, queue, error));
    CLSCAN__TRY(clscan__workspace_report(workspace, queue, &found, error));
    clscan__struct_give(report, &found, sizeof found);

cleanup:
    if (claimed)
        clscan__workspace_disclaim(workspace);
    return status;
}
