/* Where segments begin in each chunk of a file, found on the host: a byte for each element. */
#ifndef CLSCAN_TOOLS_SEGMENT_HEADS_H
#define CLSCAN_TOOLS_SEGMENT_HEADS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <clscan/clscan.h>

#include "segment_file.h"

/* Set the first part, zero the rest; release always. */
typedef struct segment_heads {
    segment_file *file; /* open and checked, without an equality of the user's */
    uint64_t count;     /* elements in all */
    bool reverse;       /* chunks are asked for from the last one on; the file is no stream then */

    unsigned char *units; /* flags, keys or bytes of bits of a chunk, behind the one before it */
    uint64_t *offsets;    /* in order, without those that are no elements */
    uint64_t offset_count;
    uint64_t *bounds; /* all offsets, as they stand in the file */
    uint64_t bound_count;
} segment_heads;

/* Allocate memory for chunks of so many elements, and read and check all offsets. */
clscan_status segment_heads_prepare(segment_heads *heads, uint64_t chunk_count, clscan_error *error);

/* Of the `count` elements from `begin` on, the next chunk: bytes that are not 0 where a segment begins. */
clscan_status segment_heads_read(segment_heads *heads, uint64_t begin, uint64_t count, unsigned char *begins,
                                 clscan_error *error);

/* By keys, that of element `i` of that chunk. */
const unsigned char *segment_heads_key(const segment_heads *heads, uint64_t i);

void segment_heads_release(segment_heads *heads);

#endif
