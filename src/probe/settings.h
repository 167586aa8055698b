/* Whether and how the start-up probe runs. */
#ifndef CLSCAN_PROBE_SETTINGS_H
#define CLSCAN_PROBE_SETTINGS_H

#include <clscan/probe.h>

/* The mode in force for a plan whose options say `asked`: that of the environment unless they say something. A user's
 * CLSCAN_PROBE=off stays in force whatever they say. */
clscan_probe_mode clscan__probe_mode(clscan_probe_mode asked);

#endif
