/* What tests of segments have in common: where segments begin, how that is said, and what is scanned. */
#ifndef CLSCAN_TESTS_SEGMENT_CASES_H
#define CLSCAN_TESTS_SEGMENT_CASES_H

#include <stdbool.h>
#include <stdint.h>

#include "generate.h"
#include "guarded.h"
#include "live.h"
#include "reference.h"

typedef enum segment_pattern {
    EVERYWHERE,
    NOWHERE,
    AT_RANDOM, /* a third of one stretch of elements, few of the next, and most of the one behind */
    AT_TILES,
    BEFORE_TILES, /* at the last element of each tile */
    PATTERN_COUNT
} segment_pattern;

bool segment_begins(segment_pattern pattern, uint64_t tile, uint64_t index);

/* How that is said. */
typedef struct segment_way {
    clscan_segments_by by;
    clscan_type type;
} segment_way;

/* Elements by which operands out of order show, or small integers, so that sums of floating-point numbers are exact. */
void segment_input(const clscan_reference *what, uint64_t count, unsigned char *input);

/* A buffer of so many units between guards; no payload: what it holds is in made->image. */
clscan_memory segment_guarded(const test_live *live, const void *payload, uint64_t count, size_t unit_bytes,
                              clscan_guarded *made);

/* What tests of spent waits scan: an operator that does not commute. */
clscan_problem segment_ordered_problem(void);

/* Run that problem with segments that are said so. Adds the tiles that were recomputed, and returns how much was
 * wrong. */
typedef unsigned segment_waits_run(const test_live *live, const clscan_problem *problem,
                                   const clscan_sample_operator *sample, segment_way how,
                                   const clscan_plan_options *options, unsigned *recomputed);

/* For test_spent_waits(): ways to say it by turns, two for each carry, or one where tests are not thorough. */
unsigned segment_spent_waits(const test_live *live, const clscan_plan_options *options, segment_waits_run *run,
                             unsigned *recomputed);

#endif
