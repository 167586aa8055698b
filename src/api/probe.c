#include <clscan/probe.h>

#include "api/check.h"
#include "base/structs.h"
#include "probe/judge.h"
#include "probe/probe.h"
#include "probe/settings.h"

clscan_status clscan_probe_look(cl_device_id device, const clscan_device_info *info, clscan_probe_finding *finding,
                                clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const clscan_probe_mode mode = clscan__probe_mode(CLSCAN_PROBE_AUTO);
    clscan_device_info room;
    clscan_probe_finding found;

    CLSCAN__REQUIRE(device != NULL, CLSCAN_ERROR_NULL_ARGUMENT, "device is NULL");
    CLSCAN__REQUIRE(info != NULL, CLSCAN_ERROR_NULL_ARGUMENT, "info is NULL");
    CLSCAN__REQUIRE(finding != NULL, CLSCAN_ERROR_NULL_ARGUMENT, "finding is NULL");
    CLSCAN__TAKE(info, room);
    CLSCAN__TRY(clscan__struct_check(finding, "finding", error));
    clscan__probe_known(device, info, mode, &found);
    clscan__struct_give(finding, &found, sizeof found);

cleanup:
    return status;
}

void clscan_probe_apply(const clscan_probe_finding *finding, clscan_device_info *info)
{
    clscan_probe_finding finding_room;
    clscan_device_info info_room, changed;
    const clscan_device_info *known;

    if (finding == NULL || info == NULL)
        return;
    finding = clscan__struct_take(finding, &finding_room, sizeof finding_room, "finding", NULL);
    known = clscan__struct_take(info, &info_room, sizeof info_room, "info", NULL);
    if (finding == NULL || known == NULL)
        return;
    changed = *known;
    clscan__probe_apply(finding, &changed);
    clscan__struct_give(info, &changed, sizeof changed);
}
