/* What the two parts of a probe share: a plan of tiny tiles, and a queue of the probe's own. */
#ifndef CLSCAN_PROBE_RIG_H
#define CLSCAN_PROBE_RIG_H

#include <clscan/probe.h>

#include "engine/plan.h"

typedef struct clscan__probe_rig {
    cl_command_queue queue; /* in order */
    clscan_plan *plan;      /* of clscan__probe_operate(), inclusive, up to `groups` tiles */
    uint32_t groups;        /* more work-groups than the device can have running */
} clscan__probe_rig;

/* Combine two maps x -> a * x + b modulo 2^16, `left` first: b stands above a. Does not commute. */
static inline uint32_t clscan__probe_operate(uint32_t left, uint32_t right)
{
    const uint32_t factor = right & 0xffffu;
    return ((left >> 16) * factor + (right >> 16)) << 16 | ((left * factor) & 0xffffu);
}

/* The program of a probe. `info`, which the result points to, has the mechanism to be probed; `hold_interval` is as in
 * clscan_plan_options. */
clscan__program_spec clscan__probe_spec(const clscan_device_info *info, uint32_t hold_interval);

/* The caller closes, also after an error. Sets the time of compiling. */
clscan_status clscan__probe_rig_open(clscan__probe_rig *rig, cl_context context, cl_device_id device,
                                     const clscan__program_spec *spec, clscan_probe_finding *finding,
                                     clscan_error *error);
void clscan__probe_rig_close(clscan__probe_rig *rig);

/* Launches in which work-groups pass messages; adds to the counts, and sets their time. An error is one of OpenCL or of
 * memory. */
clscan_status clscan__probe_messages(const clscan__probe_rig *rig, clscan_probe_finding *finding, clscan_error *error);

/* Small scans, checked; adds to the counts, and sets their time. */
clscan_status clscan__probe_scans(const clscan__probe_rig *rig, clscan_probe_finding *finding, clscan_error *error);

#endif
