/* Of a chunk that is worked at alone: what memory allows, and what its buffers have for each element. */
#ifndef CLSCAN_TOOLS_CHUNK_BUFFERS_H
#define CLSCAN_TOOLS_CHUNK_BUFFERS_H

#include <stddef.h>
#include <stdint.h>

#include "chunks.h"
#include "target.h"

/* What the memory of the device and of the host allows a chunk that has one buffer. `wanted_bytes`: the largest that
 * the user wants; 0: no wish. */
chunk_limits chunk_limits_alone(const target *where, size_t element_bytes, uint64_t count, uint64_t wanted_bytes);

/* Begin with zeros. */
typedef struct chunk_buffers {
    size_t widest_bytes; /* of an element of any of them */
    size_t sum_bytes;    /* and of all */
} chunk_buffers;

/* One more, with so many bytes for each element. */
void chunk_buffers_add(chunk_buffers *buffers, size_t element_bytes);

/* The largest chunk whose buffers they allow, of `count` elements or COUNT_UNKNOWN; `wanted_bytes` is that of the
 * largest buffer. */
uint64_t chunk_buffers_plan(const chunk_buffers *buffers, const target *where, uint64_t count, uint64_t wanted_bytes);

#endif
