/* Of a chunk that is worked at alone: what its buffers have for each element, and how many elements that allows. */
#ifndef CLSCAN_TOOLS_CHUNK_BUFFERS_H
#define CLSCAN_TOOLS_CHUNK_BUFFERS_H

#include <stddef.h>
#include <stdint.h>

#include "target.h"

/* Begin with zeros. */
typedef struct chunk_buffers {
    size_t widest_bytes; /* of an element of any of them */
    size_t sum_bytes;    /* and of all */
} chunk_buffers;

/* One more, with so many bytes for each element. */
void chunk_buffers_add(chunk_buffers *buffers, size_t element_bytes);

/* The largest chunk that the device and the host allow, of `count` elements or COUNT_UNKNOWN, if the user wants buffers
 * of at most `wanted_bytes`; 0: no wish. */
uint64_t chunk_buffers_plan(const chunk_buffers *buffers, const target *where, uint64_t count, uint64_t wanted_bytes);

#endif
