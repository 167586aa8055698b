/* The points that a search may try: which values each axis and each parameter takes.
 *
 * The axes and parameters are those of <clscan/variant.h>, whatever they are; what may be combined is asked of
 * clscan_variant_check(). Points are numbered without being listed: a space may have many millions. */
#ifndef CLSCAN_TUNER_SPACE_H
#define CLSCAN_TUNER_SPACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <clscan/clscan.h>

/* Named spaces.
 *   name        text        meaning */
/* clang-format off */
#define TUNE_SPACE_LIST(X)                                                                                       \
    X(DEFAULT,    default,    "all axes, and of each parameter the values that variant.h lists for searches")    \
    X(STREAMSCAN, streamscan, "StreamScan's table 2: its sizes, the strided and the coalesced kernel, adjacent")
/* clang-format on */

typedef enum tune_space_name {
#define X(name, text, meaning) TUNE_SPACE_##name,
    TUNE_SPACE_LIST(X)
#undef X
        TUNE_SPACE_COUNT
} tune_space_name;

const char *tune_space_name_text(tune_space_name name);
bool tune_space_name_from_text(const char *text, tune_space_name *name);

#define X(field, list) TUNE_AXIS_##field,
typedef enum tune_axis { CLSCAN_AXIS_LIST(X) TUNE_AXIS_COUNT } tune_axis;
#undef X

/* Values of one parameter, ascending. */
typedef struct tune_values {
    uint32_t *items;
    size_t count;
} tune_values;

typedef struct tune_space {
    clscan_type type;
    clscan_device_info device;
    uint64_t axis_values[TUNE_AXIS_COUNT]; /* bit v: value v of the axis may be taken */
    tune_values params[CLSCAN_PARAM_COUNT];
    uint64_t max_local_bytes, min_local_bytes;       /* bounds of clscan_variant_local_bytes() less the scratch */
    uint64_t max_register_bytes, min_register_bytes; /* bounds of clscan_variant_register_bytes() */
    uint64_t points;                                 /* legal or not; numbers of points are 0 .. points - 1 */
    struct tune_space_block *blocks;                 /* one per combination of axis values */
    size_t block_count;
} tune_space;

/* Make a space for elements of `type` on `device`.
 * only: restrictions as `--only` takes them (only.h), or NULL.
 * CLSCAN_ERROR_INVALID_VALUE names the part of `only` that is wrong, or says that nothing is left. */
clscan_status tune_space_create(tune_space *space, tune_space_name name, const char *only, clscan_type type,
                                const clscan_device_info *device, clscan_error *error);
void tune_space_free(tune_space *space);

/* Point `number` of the space, legal or not. */
void tune_space_point(const tune_space *space, uint64_t number, clscan_variant *variant);
/* The inverse. Returns false if the variant is not in the space. */
bool tune_space_number(const tune_space *space, const clscan_variant *variant, uint64_t *number);
/* Is the variant inside the bounds of the space, and may it run on the device? The error, which may be NULL, says
 * why not; its message begins with the predicate's name. */
bool tune_space_legal(const tune_space *space, const clscan_variant *variant, clscan_error *error);

/* All points in a random order, each once: a permutation that the seed picks. */
uint64_t tune_space_shuffled(const tune_space *space, uint64_t seed, uint64_t position);

/* Legal points one step away: a parameter one value up or down, an axis changed, and, with `exchanges`, one
 * parameter up while another goes down. Writes at most `capacity` and returns how many. */
size_t tune_space_neighbours(const tune_space *space, const clscan_variant *variant, bool exchanges,
                             clscan_variant *neighbours, size_t capacity);

/* How many points are legal, and which predicate forbids how many of the others. */
#define TUNE_MAX_PREDICATES 32
typedef struct tune_census {
    bool exact; /* every point was asked; else a random sample, scaled */
    uint64_t points, legal;
    struct {
        char name[40];
        uint64_t points;
    } illegal[TUNE_MAX_PREDICATES]; /* most frequent first; ends with an empty name */
} tune_census;

void tune_space_census(const tune_space *space, tune_census *census);

#endif
