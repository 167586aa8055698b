/* One run of an operation: what it reads, and all that it must write, by serial loops on the host. */
#ifndef CLSCAN_TOOLS_OPERATION_TRIAL_H
#define CLSCAN_TOOLS_OPERATION_TRIAL_H

#include <stdbool.h>
#include <stdint.h>

#include <clscan/clscan.h>

#include "target.h"

/* Elements of an input or output, at most. */
#define OPERATION_MOST_ELEMENTS 210000u

typedef enum operation_kind {
    OPERATION_SCAN, /* of one row */
    OPERATION_ROWS,
    OPERATION_ROWS_REDUCED,
    OPERATION_BY_FLAGS, /* segments */
    OPERATION_BY_BITS,
    OPERATION_BY_OFFSETS,
    OPERATION_BY_KEYS,
    OPERATION_SELECTION, /* by flags or bits */
    OPERATION_THREE_WAY,
    OPERATION_ENCODING, /* of runs of equal elements */
    OPERATION_DECODING
} operation_kind;

/* What a run is, of how many elements. */
typedef struct operation_size {
    uint64_t rows, count; /* of operations on rows; else rows is 1 */
    uint64_t gap;         /* elements behind a row; with its count on the device, the host takes them for more */
} operation_size;

/* An operation, with the plan for it. */
typedef struct operation_of {
    operation_kind kind;
    const char *name;
    clscan_select select;    /* of selections and repetitions */
    uint32_t count_bytes;    /* of a count that stands on the device; 0: the host gives it */
    operation_size sizes[3]; /* of its trials, the first of which is the largest */
} operation_of;

/* Columns of selections that have some: bytes of their elements. */
#define OPERATION_COLUMNS 2
extern const uint32_t operation_column_bytes[OPERATION_COLUMNS];

/* Does it move elements, or combine them? */
bool operation_moves(operation_kind kind);

/* What trials of a type share. Set the first part, zero the rest. */
typedef struct operation_rig {
    const target *t;
    clscan_type type;

    size_t element_bytes, sum_bytes;
    unsigned char *elements, *runs; /* inputs; of the second one, many neighbours are equal */
    unsigned char *table;           /* input of columns */
    unsigned char *scans;           /* of rows that are reduced */
    unsigned char *parts;           /* where segments begin, or the part of each element */
    uint32_t *said;                 /* the same as flags, bits, offsets, keys or lengths */
    uint64_t *sources;
    uint32_t *lengths;
    cl_mem in, runs_in, table_in, saying, counted;
} operation_rig;

clscan_status operation_rig_create(operation_rig *r, clscan_error *error);
void operation_rig_release(operation_rig *r); /* also after a failed creation */

/* The map on load of three-way partitions and of encodings; NULL: none. */
const clscan_map *operation_load(operation_kind kind);

/* Run the plan, and complain about the first thing that is wrong in what it has written. */
clscan_status operation_trial(const operation_rig *r, const operation_of *of, const clscan_plan *plan,
                              clscan_workspace *workspace, const operation_size *size, bool *right,
                              clscan_error *error);

#endif
