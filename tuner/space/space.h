/* The points that a search may try: which values each axis and each parameter takes.
 *
 * The axes and parameters are those of <clscan/variant.h>, whatever they are; what may be combined is asked of
 * clscan_variant_check(). Points have numbers and are never listed: a space may have many millions. */
#ifndef CLSCAN_TUNER_SPACE_H
#define CLSCAN_TUNER_SPACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <clscan/clscan.h>

#include "config_file/axes.h"
#include "space/values.h"
#include "trial/trial.h"

/* Named spaces.
 *   name        text        meaning */
/* clang-format off */
#define TUNE_SPACE_LIST(X)                                                                                        \
    X(DEFAULT,    default,    "all axes except baselines, and for each parameter the values that <clscan/variant.h> gives to searches") \
    X(STREAMSCAN, streamscan, "StreamScan's table 2 to the letter: both kernels, all sizes, carry adjacent")
/* clang-format on */

typedef enum tune_space_name {
#define X(name, text, meaning) TUNE_SPACE_##name,
    TUNE_SPACE_LIST(X)
#undef X
        TUNE_SPACE_COUNT /* number of spaces; not one of them */
} tune_space_name;

/* "default", ...; "unknown" for other numbers. Static. */
const char *tune_space_name_text(tune_space_name name);
/* One line for the help. Static. */
const char *tune_space_meaning(tune_space_name name);
/* Returns true and writes *name if there is a space called that. */
bool tune_space_name_from_text(const char *text, tune_space_name *name);

/* The points with one choice on each axis. */
typedef struct tune_space_block {
    clscan_variant axes;                    /* its parameters are 0 */
    tune_values values[CLSCAN_PARAM_COUNT]; /* of each parameter that the axes need */
    uint64_t first;                         /* number of its first point */
    uint64_t points;
} tune_space_block;

/* Sizes in bytes, both ends included. */
typedef struct tune_bounds {
    uint64_t min, max;
} tune_bounds;

typedef struct tune_space {
    tune_target target; /* of numbers, their sum */
    clscan_device_info device;
    uint64_t axis_values[CLSCAN__AXIS_COUNT]; /* bit v: value v of the axis may be taken */
    tune_values params[CLSCAN_PARAM_COUNT];   /* wanted values, of which a block takes those that its axes allow */
    tune_bounds local_bytes;                  /* StreamScan's LMS: elements in local memory, per work-group */
    tune_bounds register_bytes;               /* StreamScan's RS */
    uint64_t points;                          /* legal or not; their numbers are 0 .. points - 1 */
    tune_space_block *blocks;
    size_t block_count;
} tune_space;

/* Make a space for the target's elements on `device`, of reproducible plans or others. Release it with
 * tune_space_free(), also after a failure.
 * only: restrictions (only.h), or NULL.
 * CLSCAN_ERROR_INVALID_VALUE names the part of `only` that is wrong, or says that no point is left. */
clscan_status tune_space_create(tune_space *space, tune_space_name name, const char *only, const tune_target *target,
                                const clscan_device_info *device, clscan_error *error);
void tune_space_free(tune_space *space);

/* Point `number` of the space, legal or not. */
void tune_space_point(const tune_space *space, uint64_t number, clscan_variant *variant);
/* The inverse. Returns false if the variant is not in the space. */
bool tune_space_number(const tune_space *space, const clscan_variant *variant, uint64_t *number);

/* The block of the variant's axes; NULL if the space has none. */
const tune_space_block *tune_space_block_of(const tune_space *space, const clscan_variant *variant);

/* What the library says of a variant in this space, on its device. */
clscan_status tune_space_check(const tune_space *space, const clscan_variant *variant, int in_place,
                               clscan_error *error);

/* Is the variant inside the bounds of the space, and may it run on the device? The error, which may be NULL, says
 * why not; its message begins with the name of a predicate. */
bool tune_space_legal(const tune_space *space, const clscan_variant *variant, clscan_error *error);

/* StreamScan's LMS: bytes of elements that a work-group keeps in local memory, without scratch and padding. */
uint64_t tune_local_element_bytes(const clscan_variant *variant, const tune_target *target);

/* The numbers 0 .. points - 1 in a random order that the seed picks, each once. position: 0 .. points - 1. */
uint64_t tune_shuffled(uint64_t points, uint64_t seed, uint64_t position);
/* The same of the points of one block; the numbers are those of the space. position: 0 .. block->points - 1. */
uint64_t tune_block_shuffled(const tune_space_block *block, uint64_t seed, uint64_t position);

/* Ways from one point to others, as bits. */
enum {
    TUNE_STEPS = 1,        /* a parameter one value up or down, or by about half as much again */
    TUNE_AXIS_CHANGES = 2, /* one axis has another value */
    TUNE_EXCHANGES = 4     /* one parameter up while another goes down */
};

/* Legal points that are one such way off. Writes at most `capacity`, each once; returns how many. */
size_t tune_space_neighbours(const tune_space *space, const clscan_variant *variant, int ways,
                             clscan_variant *neighbours, size_t capacity);

/* Points that one predicate forbids. */
typedef struct tune_tally {
    char predicate[40];
    uint64_t points;
} tune_tally;

/* How many points are legal, and which predicate forbids how many of the others: the first one that a point breaks. */
#define TUNE_MAX_PREDICATES 40
typedef struct tune_census {
    bool exact; /* every point was asked; else a random sample, scaled */
    uint64_t points, legal;
    tune_tally illegal[TUNE_MAX_PREDICATES]; /* most frequent first; 0 points end the list */
} tune_census;

void tune_space_census(const tune_space *space, tune_census *census);

#endif
