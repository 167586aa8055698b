/* The start-up probe: what is known of a device, or found now. */
#ifndef CLSCAN_PROBE_PROBE_H
#define CLSCAN_PROBE_PROBE_H

#include <CL/cl.h>

#include <clscan/probe.h>

/* Get the finding for the device as `info` describes it, with the mechanism to be probed; probe if there is none, or if
 * the mode says so. `mode` is in force and not OFF. An error means that the probe could not run, and is not kept.
 * Thread-safe; one probe at a time. */
clscan_status clscan__probe_get(cl_context context, cl_device_id device, const clscan_device_info *info,
                                clscan_probe_mode mode, clscan_probe_finding *finding, clscan_error *error);

/* The same without probing, in any mode: result NONE, with the reason, if nothing is known or asked for. */
void clscan__probe_known(cl_device_id device, const clscan_device_info *info, clscan_probe_mode mode,
                         clscan_probe_finding *finding);

#endif
