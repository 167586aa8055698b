#include <clscan/probe.h>

#include "api/check.h"
#include "base/error.h"
#include "probe/probe.h"
#include "probe/settings.h"

clscan_status clscan_probe_look(cl_device_id device, const clscan_device_info *info, clscan_probe_finding *finding,
                                clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const clscan_probe_mode mode = clscan__probe_mode(CLSCAN_PROBE_AUTO);

    CLSCAN__REQUIRE(device != NULL, CLSCAN_ERROR_NULL_ARGUMENT, "device is NULL");
    CLSCAN__REQUIRE(info != NULL, CLSCAN_ERROR_NULL_ARGUMENT, "info is NULL");
    CLSCAN__REQUIRE(finding != NULL, CLSCAN_ERROR_NULL_ARGUMENT, "finding is NULL");
    clscan__probe_known(device, info, mode, finding);

cleanup:
    return status;
}
