/* Entries that were measured with other kernels than those of today may no longer be the best ones. */
#ifndef CLSCAN_ENGINE_STALE_H
#define CLSCAN_ENGINE_STALE_H

#include "engine/plan.h"

/* Log each entry of a finished plan whose kernels have changed since it was measured: a warning where their text has, a
 * note where only a switch or the plan's options change them. */
void clscan__plan_report_stale_entries(const clscan_plan *plan);

#endif
