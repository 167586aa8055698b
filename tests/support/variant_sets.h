/* Sets of variants for tests: representatives, all pairs of parameter values, random points. */
#ifndef CLSCAN_TESTS_VARIANT_SETS_H
#define CLSCAN_TESTS_VARIANT_SETS_H

#include <stdbool.h>
#include <stddef.h>

#include <clscan/clscan.h>

/** Work-items of a small work-group, with small tiles. PoCL unrolls loops over 8 work-items whole, and then takes twice
 * as long to compile. */
enum { TEST_SMALL_WORK_GROUP = 16 };

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

/** Do its work-groups wait for each other? */
bool test_variant_waits(const clscan_variant *variant);

/** The next of the list, from *next on and round again, that is legal for the problem, also in place if
 * \p may_be_in_place; NULL if there is none. */
const clscan_variant *test_next_legal(const test_variants *list, size_t *next, const clscan_problem *problem,
                                      int may_be_in_place, const clscan_device_info *device);

/** What all pairs are taken from: the axes' values and some values of each parameter. */
size_t test_pair_factor_count(void);

/** What a covering set of variants has of the factors' values. */
typedef enum test_coverage { TEST_EACH_VALUE, TEST_EACH_PAIR } test_coverage;

/** Variants such that every value of a factor, or every two values of two different factors, that any variant which
 * clscan_variant_check() accepts has, occur in one of these. Greedy, by what is new for the cost of compiling;
 * deterministic.
 *
 * \param largest_tile  Skip variants with larger tiles (0: no limit).
 * \param possible  Receives the number of such values or pairs; may be NULL. */
test_variants test_covering_variants(clscan_type type, const clscan_device_info *device, uint64_t largest_tile,
                                     test_coverage coverage, size_t *possible);

/** Number of values, or pairs of them, that occur in `variants`. */
size_t test_covered(const test_variants *variants, test_coverage coverage);

/** `count` random variants that clscan_variant_check() accepts. */
test_variants test_random_variants(clscan_type type, const clscan_device_info *device, uint64_t seed, size_t count,
                                   uint64_t largest_tile);

/** Keep only the variants with something on their axes that no earlier one has: a body, carry, order or group scan; or
 * a carry with a body, an order with a carry or a body, a group scan with a carry or a body. */
void test_keep_new_axes(test_variants *list, test_coverage coverage);

#endif
