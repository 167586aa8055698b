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

/* Choose for many rows in one run (problem->rows) of at most `count` elements each: what was measured on rows of that
 * length, or what the function below says. choice->largest_count is the longest row for which the answer is the same; a
 * plan has one for all rows. */
void clscan__choose_for_rows(const clscan__selector *selector, const clscan_device_info *device,
                             const clscan_problem *problem, uint64_t count, int in_place, clscan_choice *choice);

/* The same of entries for scans alone: the tile body of what is known to be fast for as many elements in all, with the
 * carry reduce_then_scan. */
void clscan__choose_by_elements(const clscan__selector *selector, const clscan_device_info *device,
                                const clscan_problem *problem, uint64_t count, int in_place, clscan_choice *choice);

/* Make a variant, whose entry has the key `measured`, one for the elements of `problem`, for which such entries are
 * `wanted`: they may be no scalars, for which tiles take as many bytes as they did, or fewer if the device has no room
 * for them. False, and what it breaks as it is, if it is not legal then. */
bool clscan__variant_fit(clscan_variant *variant, const clscan__config_key *measured, const clscan__wanted *wanted,
                         const clscan_problem *problem, int in_place, const clscan_device_info *device,
                         clscan__violation *violation);

#endif
