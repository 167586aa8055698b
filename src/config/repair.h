/* A variant in the place of one that cannot serve: whose carry serves no such count, or that was measured on smaller
 * elements. */
#ifndef CLSCAN_CONFIG_REPAIR_H
#define CLSCAN_CONFIG_REPAIR_H

#include <clscan/config.h>

#include "config/constraints.h"
#include "config/select.h"
#include "config/wanted.h"

/* Let reduce_then_scan take the carry's place, which waits for nobody and has no tickets that could run out. The other
 * axes and sizes stay as far as they are legal with it; if they are not, the last resort of selection serves. Legal in
 * any case. */
clscan_variant clscan__variant_without_waiting(const clscan_variant *variant, const clscan_problem *problem,
                                               int in_place, const clscan_device_info *device);

/* Make a variant, whose entry has the key `measured`, one for the elements of `problem`, for which such entries are
 * `wanted`: they may be no scalars, for which tiles take as many bytes as they did, or fewer if the device has no room
 * for them. False, and what it breaks as it is, if it is not legal then. */
bool clscan__variant_fit(clscan_variant *variant, const clscan__config_key *measured, const clscan__wanted *wanted,
                         const clscan_problem *problem, int in_place, const clscan_device_info *device,
                         clscan__violation *violation);

#endif
