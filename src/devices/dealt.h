/* Runs of groups whose problem has rows: each device scans rows of its own, and nothing travels. */
#ifndef CLSCAN_DEVICES_DEALT_H
#define CLSCAN_DEVICES_DEALT_H

#include "devices/group.h"

/* `parts` are taken, one for each device, with events of their contexts. */
clscan_status clscan__run_dealt(clscan_devices *group, const clscan_devices_args *args, const clscan_part *parts,
                                cl_event *events, clscan_error *error);

#endif
