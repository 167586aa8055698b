/* From what a probe counted to what it means. Pure. */
#ifndef CLSCAN_PROBE_JUDGE_H
#define CLSCAN_PROBE_JUDGE_H

#include <clscan/probe.h>

/* Set result and reason by the counts. NONE if there are no launches, or no scans where those are needed. */
void clscan__probe_judge(clscan_probe_finding *finding);

/* clscan_probe_apply() of structs that this library made. */
void clscan__probe_apply(const clscan_probe_finding *finding, clscan_device_info *info);

#endif
