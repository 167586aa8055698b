/* Sets of variants for tests: representatives, all pairs of parameter values, random points. */
#ifndef CLSCAN_TESTS_VARIANT_SETS_H
#define CLSCAN_TESTS_VARIANT_SETS_H

#include <stddef.h>

#include <clscan/clscan.h>

/** A list of variants on the heap; free(list.items). */
typedef struct test_variants {
    clscan_variant *items;
    size_t count;
} test_variants;

/** Every legal (body, group scan, carry), each with one small tile, for sizes at tile edges. Orders take turns.
 * \param work_group_size  8 or more.
 * \param device           NULL: legal everywhere. */
test_variants test_representatives(clscan_type type, uint32_t work_group_size, uint32_t vector_length,
                                   const clscan_device_info *device);

/** What all pairs are taken from: the axes' values and some values of each parameter. */
size_t test_pair_factor_count(void);

/** Variants such that every two values of two different factors that occur together in any variant
 * that clscan_variant_check() accepts occur together in one of these. Greedy, by new pairs for the cost of
 * compiling; deterministic.
 *
 * \param pair_count  Receives the number of such pairs; may be NULL.
 * \param largest_tile  Skip variants with larger tiles (0: no limit). */
test_variants test_all_pairs(clscan_type type, const clscan_device_info *device, uint64_t largest_tile,
                             size_t *pair_count);

/** Number of pairs of factor values that occur in `variants`. */
size_t test_pairs_covered(const test_variants *variants);

/** `count` random variants that clscan_variant_check() accepts. */
test_variants test_random_variants(clscan_type type, const clscan_device_info *device, uint64_t seed, size_t count,
                                   uint64_t largest_tile);

#endif
