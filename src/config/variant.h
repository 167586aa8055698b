/* What follows from a variant's axes and parameters, whose tables are config_file/axes.h's. */
#ifndef CLSCAN_CONFIG_VARIANT_H
#define CLSCAN_CONFIG_VARIANT_H

#include <stdbool.h>
#include <stddef.h>

#include <clscan/variant.h>

#include "config_file/axes.h"
#include "element/problem.h"

/* Do work-items of a sub-group exchange values by shuffles? */
bool clscan__variant_shuffles(const clscan_variant *variant);
/* clscan_variant_local_bytes() and clscan_variant_register_bytes(). */
uint64_t clscan__variant_local_bytes(const clscan_variant *variant, clscan__shape shape);
uint64_t clscan__variant_register_bytes(const clscan_variant *variant, clscan__shape shape);
/* What a work-item keeps of each element with the body of the variant. */
uint32_t clscan__variant_held_bytes(const clscan_variant *variant, clscan__shape shape);

/* Local memory that shuffles take in addition to clscan__variant_local_bytes(), where they pass through it. */
uint64_t clscan__variant_exchange_bytes(const clscan_variant *variant, clscan__shape shape);
/* Do work-groups take ranges of tiles, each of which waits for those before it (cl/carries/ranges.cl)? */
bool clscan__variant_has_ranges(const clscan_variant *variant);

/* Tickets that each work-group of a persistent variant draws beyond the last range: one to see the end, and one more
 * where it draws a ticket ahead. */
uint32_t clscan__variant_vain_draws(const clscan_variant *variant);

#endif
