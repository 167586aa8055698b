/* One variant, tested on a device: against a serial scan, at counts around the edges of its tiles. */
#ifndef CLSCAN_TOOLS_VARIANT_TEST_H
#define CLSCAN_TOOLS_VARIANT_TEST_H

#include <stdbool.h>

#include <clscan/clscan.h>

#include "reference/case.h"
#include "target.h"

/* A variant that the configs choose for some counts of a problem. */
typedef struct variant_use {
    clscan_choice choice; /* of the first size class that uses it */
    uint64_t first;       /* of that class */
    bool apart;           /* used with separate input and output */
    bool in_place;
} variant_use;

typedef enum variant_verdict {
    VARIANT_RIGHT,
    VARIANT_WRONG,  /* or it does not run */
    VARIANT_SKIPPED /* the device has no such plans */
} variant_verdict;

/* Counts at the edges of its tiles, and a large one; none above `limit`. Returns how many. */
#define VARIANT_MOST_COUNTS 12
size_t variant_counts(const clscan_variant *variant, uint64_t limit, bool quick, uint64_t counts[VARIANT_MOST_COUNTS]);

/* A line about what was tested with elements of the type that is called so. */
void variant_print(const char *verdict, const char *type, const clscan_problem *problem, const variant_use *use,
                   unsigned cases);

/* Build the variant for `problem`, which lacks max_count and custom, and whose maps are `maps` (NULL: none), run its
 * cases, print one line, and what is wrong to stderr. Adds to *cases those that ran. Sums and products of reproducible
 * plans must have the bits of the serial model, also where they are run in parts. */
variant_verdict variant_test(const target *t, const clscan_problem *problem, const clscan_case_maps *maps,
                             const variant_use *use, bool quick, unsigned *cases);

#endif
