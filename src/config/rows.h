/* The variant for many scans in one run. */
#ifndef CLSCAN_CONFIG_ROWS_H
#define CLSCAN_CONFIG_ROWS_H

#include <clscan/config.h>

#include "config/select.h"

/* Choose for many rows in one run (problem->rows) of at most `count` elements each: what was measured on rows of that
 * length, or what the function below says. choice->largest_count is the longest row for which the answer is the same; a
 * plan has one for all rows. */
void clscan__choose_for_rows(const clscan__selector *selector, const clscan_device_info *device,
                             const clscan_problem *problem, uint64_t count, int in_place, clscan_choice *choice);

/* The same of entries for scans alone: the tile body of what is known to be fast for as many elements in all, with the
 * carry reduce_then_scan. */
void clscan__choose_by_elements(const clscan__selector *selector, const clscan_device_info *device,
                                const clscan_problem *problem, uint64_t count, int in_place, clscan_choice *choice);

/* Do rows of up to `count` elements begin where vectors of the variant do not, as those of an odd number of elements?
 * Of scalars that a work-group walks; the kernels have a way for these (cl/rows/heads.cl). */
bool clscan__rows_are_loose(const clscan_variant *variant, const clscan_problem *problem, uint64_t count);

/* Rows that a work-group walks are as long as they are: replace the tile that was chosen by one that a row of `count`
 * elements fills, if that saves much, or for loose rows. Not part of the answers above, which are the same for many
 * lengths. */
void clscan__fill_rows(clscan_choice *choice, const clscan_problem *problem, uint64_t count, int in_place,
                       const clscan_device_info *device);

#endif
