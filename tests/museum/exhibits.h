/* The museum: for each published mistake of a scan library the smallest input that shows it. */
#ifndef CLSCAN_TESTS_MUSEUM_EXHIBITS_H
#define CLSCAN_TESTS_MUSEUM_EXHIBITS_H

#include <stddef.h>
#include <stdint.h>

#include <clscan/clscan.h>

#include "case.h"
#include "mistakes.h"

enum { MUSEUM_PATTERN_MAX = 8 };

/** One published mistake. What is 0 is not needed: no offsets, not in place, forward, no initial value. */
typedef struct museum_exhibit {
    const char *name;
    const char *origin; /**< "owner/project#number": a thread of the project's tracker on github.com */
    museum_mistake mistake;

    /* The problem. */
    clscan_type type;
    clscan_operator op;
    clscan_sample sample; /**< with CLSCAN_CUSTOM */
    clscan_form form;
    clscan_direction direction;

    /* The input: `tiles` whole tiles and `more` elements, which repeat the pattern. */
    uint64_t tiles, more;
    size_t pattern_count;
    double pattern[MUSEUM_PATTERN_MAX];
    clscan_case_initial initial;
    double initial_value;
    int in_place;
    uint64_t in_offset, out_offset;
} museum_exhibit;

extern const museum_exhibit museum_exhibits[];
extern const size_t museum_exhibit_count;

/** Elements of an exhibit's input where tiles have `tile` elements. */
uint64_t museum_count(const museum_exhibit *exhibit, uint64_t tile);

/** Write `count` elements of the exhibit's input. */
void museum_fill(const museum_exhibit *exhibit, uint64_t count, void *elements);

/** Its initial value. */
clscan_value museum_initial(const museum_exhibit *exhibit);

/** What a right scan of it is. */
clscan_reference museum_reference(const museum_exhibit *exhibit);

/** The sample operator of an exhibit; NULL if its operator is built in. */
const clscan_sample_operator *museum_sample(const museum_exhibit *exhibit);

#endif
