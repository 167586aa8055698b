/* A reduction of each segment of a file that passes in several chunks. */
#ifndef CLSCAN_TOOLS_SEGMENT_CHUNKS_H
#define CLSCAN_TOOLS_SEGMENT_CHUNKS_H

#include "segment_sums.h"

/* What segment_sums_run() does, in chunks of so many elements, of keys without an equality of their own. */
clscan_status segment_chunks_run(segment_sums *job, uint64_t chunk_count, clscan_error *error);

#endif
