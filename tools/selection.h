/* Some of the elements of a file, one after another, chunk by chunk: what `clscan select` does. */
#ifndef CLSCAN_TOOLS_SELECTION_H
#define CLSCAN_TOOLS_SELECTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <clscan/clscan.h>

#include "coordinates.h"
#include "input_file.h"
#include "record.h"
#include "result_file.h"
#include "table_columns.h"
#include "target.h"

/* One selection. Set the first part, zero the rest; release always. */
typedef struct selection {
    const target *where;
    input_file *in;
    input_file *flags;      /* NULL: none */
    bool bits;              /* each element of `flags` has those of 8 elements */
    const char *expression; /* of --where; NULL: none */
    bool unique;
    bool rejected;
    bool indices;     /* are written, in place of elements */
    bool coordinates; /* the same */
    bool long_runs;
    result_file *out;
    result_file *rest;   /* what is not kept; NULL: it is dropped */
    result_file *middle; /* one of three parts, which stand in one output on the device; NULL: there are not three */
    size_t out_bytes;    /* of an element of any of these */
    table_columns *columns;
    uint64_t chunk_bytes; /* 0: not given */

    char *source, keeps[256]; /* of the load map */
    clscan_map load, store;
    clscan_select select;
    clscan_element output;
    clscan_element moved; /* the element, where it is no number */
    char moved_source[OPAQUE_SOURCE_BYTES];
    clscan_map_argument arguments[2]; /* of the load map */
    bool sees_before;                 /* the load map has the element in front of a chunk */
    coordinates places;

    clscan_plan *plan;
    clscan_workspace *workspace;
    uint64_t chunk_count; /* elements of a chunk */
    void *host;           /* for a chunk of any file */
    cl_mem elements, flag_buffer, kept, not_kept, number;
    bool reads_none; /* places by flags alone: a run needs no elements */
    cl_mem last;     /* the last element of the chunk before */
    uint64_t count;  /* elements so far */
    uint64_t kept_count, middle_count;

    /* Of runs of two and more elements, a run goes on from chunk to chunk. */
    clscan_plan *first_plan; /* of one element: does it begin a run? */
    clscan_workspace *first_workspace;
    uint64_t *begins, *lengths;                    /* of the long runs of a chunk, as if it stood alone */
    uint64_t open_length;                          /* of the last run so far; 0: there is none */
    unsigned char open[CLSCAN_MOST_ELEMENT_BYTES]; /* what is written of it, if it is long */
} selection;

/* Has each element a flag, as far as the counts are known? */
clscan_status selection_check_counts(const selection *s, clscan_error *error);

/* Does the type of indices hold those of `count` elements, and their coordinates? */
clscan_status selection_check_indices(const selection *s, uint64_t count, clscan_error *error);

/* Make plans and buffers. */
clscan_status selection_prepare(selection *s, clscan_error *error);

/* Read, select and write all; the outputs are complete then. */
clscan_status selection_run(selection *s, clscan_error *error);

void selection_release(selection *s);

#endif
