/* A variant in the place of one whose carry cannot serve a count. */
#ifndef CLSCAN_CONFIG_REPAIR_H
#define CLSCAN_CONFIG_REPAIR_H

#include <clscan/config.h>

/* Let reduce_then_scan take the carry's place, which waits for nobody and has no tickets that could run out. The other
 * axes and sizes stay as far as they are legal with it; if they are not, the last resort of selection serves. Legal in
 * any case. */
clscan_variant clscan__variant_without_waiting(const clscan_variant *variant, const clscan_problem *problem,
                                               int in_place, const clscan_device_info *device);

#endif
