/* Columns: how many of them one work-item takes, and how much of each (cl/rows/column_blocks.cl). Pure. */
#ifndef CLSCAN_CONFIG_COLUMNS_H
#define CLSCAN_CONFIG_COLUMNS_H

#include <stdbool.h>
#include <stdint.h>

#include <clscan/variant.h>

/* Columns of a work-item, 1 to 4: more than one for `plain` problems that are not in the reproducible order. */
uint32_t clscan__column_width(const clscan_variant *variant, bool plain, bool ordered, uint32_t held_bytes);

/* Elements of each, of which so many bytes are kept, that a work-item loads before it waits for the first of them. */
uint32_t clscan__column_depth(const clscan_variant *variant, uint32_t width, uint32_t held_bytes);

/* Let a variant fit plans that are told of columns, if it is of a kind that fits. */
void clscan__shape_for_columns(clscan_variant *variant);

#endif
