/* The museum: for each published mistake of a scan library the smallest input that shows it. */
#ifndef CLSCAN_TESTS_MUSEUM_EXHIBITS_H
#define CLSCAN_TESTS_MUSEUM_EXHIBITS_H

#include <stddef.h>
#include <stdint.h>

#include <clscan/clscan.h>

#include "case.h"
#include "mistakes.h"

/** What is scanned. Exhibits of one problem are served by one program for each variant. */
typedef struct museum_problem {
    clscan_type type;
    clscan_operator op;
    clscan_sample sample; /**< with CLSCAN_CUSTOM */
    clscan_form form;
    clscan_direction direction;
} museum_problem;

/** One published mistake. What is 0 is not needed: no offset, no initial value, not in place. */
typedef struct museum_exhibit {
    const char *origin; /**< "owner/project#number": issue or pull request of the project at github.com */
    const museum_problem *problem;
    museum_mistake mistake;
    const char *adapted; /**< what of the original is not here: "by key"; NULL: nothing */

    /* The input repeats the pattern. */
    uint64_t tiles, more; /**< elements: so many whole tiles and so many more */
    unsigned bits;        /**< not 0: so many bits hold an index, and there are 2^bits + more elements */
    size_t pattern_count;
    const double *pattern;
    clscan_case_initial initial;
    double initial_value;
    int in_place;
    uint64_t in_offset;
    unsigned runs; /**< one after the other in one workspace, each beginning at the pattern's next number; 0: 1 */
} museum_exhibit;

extern const museum_exhibit museum_exhibits[];
extern const size_t museum_exhibit_count;

/** Elements of an exhibit's input where tiles have `tile` elements. */
uint64_t museum_count(const museum_exhibit *exhibit, uint64_t tile);

/** Write `count` elements of the input of run number `run`. */
void museum_fill(const museum_exhibit *exhibit, unsigned run, uint64_t count, void *elements);

/** An exhibit's initial value. */
clscan_value museum_initial(const museum_exhibit *exhibit);

/** How often it is run. */
unsigned museum_runs(const museum_exhibit *exhibit);

/** What a right scan of a problem is. */
clscan_reference museum_reference(const museum_problem *problem);

/** The sample operator of a problem; NULL if its operator is built in. */
const clscan_sample_operator *museum_sample(const museum_problem *problem);

#endif
