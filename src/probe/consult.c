#include "probe/consult.h"

#include <stdio.h>

#include "base/log.h"
#include "config/variant.h"
#include "probe/judge.h"
#include "probe/probe.h"
#include "probe/settings.h"

/* The same error, as one of a plan: what failed is not the caller's program. */
static clscan_status could_not_run(const clscan_error *why, clscan_error *error)
{
    const clscan_status status = why->status == CLSCAN_ERROR_OPERATOR_SOURCE ? CLSCAN_ERROR_BUILD : why->status;

    if (error != NULL) {
        *error = *why;
        error->status = status;
        snprintf(error->message, sizeof error->message,
                 "the variant waits, and the start-up probe (CLSCAN_PROBE) could not run: %.400s", why->message);
    }
    return status;
}

clscan_status clscan__probe_consult(cl_context context, cl_device_id device, const clscan_plan_options *options,
                                    clscan_device_info *info, bool *forbids, clscan_error *error)
{
    static const clscan_plan_options no_options = {.struct_size = sizeof no_options};
    const clscan_plan_options *asked = options != NULL ? options : &no_options;
    const clscan_probe_mode mode = clscan__probe_mode(asked->probe);
    clscan_device_info probed = *info;
    clscan_probe_finding finding;
    clscan_error why = {.status = CLSCAN_OK};

    *forbids = false;
    if (mode == CLSCAN_PROBE_OFF)
        return CLSCAN_OK;
    if (asked->mechanism != CLSCAN_MECHANISM_NONE)
        probed.mechanism = asked->mechanism;
    if (clscan__probe_get(context, device, &probed, mode, &finding, &why) != CLSCAN_OK) {
        if (asked->variant != NULL && clscan__variant_has_order(asked->variant))
            return could_not_run(&why, error);
        clscan__log(CLSCAN_LOG_WARNING,
                    "the start-up probe of %s could not run, so this plan uses carries that do not wait: %s",
                    info->name, why.message);
        finding = (clscan_probe_finding){.result = CLSCAN_PROBE_RESULT_FORBIDS};
        snprintf(finding.reason, sizeof finding.reason, "start-up probe: it could not run");
    }
    *forbids = finding.result == CLSCAN_PROBE_RESULT_FORBIDS;
    clscan__probe_apply(&finding, info);
    return CLSCAN_OK;
}
