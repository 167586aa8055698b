/* Elements that stand apart by steps, as rows with gaps do: do two such sets meet? Pure. */
#ifndef CLSCAN_BASE_PLACES_H
#define CLSCAN_BASE_PLACES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CLSCAN__MOST_PLACE_STEPS = 5 };

/* `extent` of what the steps before it make, `bytes` from one to the next. */
typedef struct clscan__place_step {
    uint64_t extent, bytes;
} clscan__place_step;

/* Elements of so many bytes, and the steps between them in any order. Without steps there is one. */
typedef struct clscan__places {
    uint64_t element_bytes;
    size_t count;
    clscan__place_step steps[CLSCAN__MOST_PLACE_STEPS];
} clscan__places;

/* Do they have a byte in common? Each set begins at a byte of one memory, in which all of it lies. The answer may be
 * yes where they do not, if it takes too long to find out: never where the steps of both are the same. */
bool clscan__places_meet(const clscan__places *a, uint64_t a_begin, const clscan__places *b, uint64_t b_begin);

#endif
