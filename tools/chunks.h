/* How the elements of a file are cut: pure functions on numbers.
 *
 * A row is a scan of its own. A chunk is what passes through the device at once. A piece is what a row and a chunk
 * have in common: one run. Positions count elements in the order of the scan, so the last element of a reverse scan
 * has position 0. */
#ifndef CLSCAN_TOOLS_CHUNKS_H
#define CLSCAN_TOOLS_CHUNKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The number of elements, or of bytes, of a pipe. */
#define COUNT_UNKNOWN UINT64_MAX

/* Largest chunk unless the user says otherwise. A pipe may hold little, or be slow: less memory, and results
 * earlier. */
#define CHUNK_DEFAULT_BYTES (UINT64_C(256) << 20)
#define CHUNK_PIPE_BYTES (UINT64_C(32) << 20)

/* A host with hardly any memory left makes chunks no smaller: that would save nothing that counts, and each costs a
 * run. */
#define CHUNK_LEAST_BYTES (UINT64_C(1) << 20)

/* Most chunks that are under way at once. */
#define CHUNK_MAX_SLOTS 5u

typedef struct chunk_limits {
    size_t element_bytes;  /* the larger of input and output */
    uint64_t count;        /* elements of the file, or COUNT_UNKNOWN */
    uint64_t wanted_bytes; /* largest chunk that the user wants; 0: no wish */
    uint64_t usual_bytes;  /* the same without a wish; 0: CHUNK_DEFAULT_BYTES, of a pipe CHUNK_PIPE_BYTES */
    uint64_t max_allocation_bytes;
    uint64_t device_bytes;
    uint64_t host_bytes;  /* that it can still give */
    uint64_t host_chunks; /* that host memory holds for each one under way; 0: one */
    bool unified;         /* the device's memory is the host's */
    bool in_place;        /* the user wants one buffer for input and output */
    bool apart;           /* no buffer serves both */
} chunk_limits;

typedef struct chunking {
    uint64_t chunk_count; /* elements of a chunk; at least 1 */
    unsigned slot_count;  /* chunks under way at once */
    bool in_place;
} chunking;

/* Choose the largest chunk that the limits allow. */
chunking chunks_plan(const chunk_limits *limits);

typedef struct row_layout {
    uint64_t count;     /* all elements, or COUNT_UNKNOWN if there is one row and it is scanned forward */
    uint64_t row_count; /* elements of a row; at least 1 */
    bool reverse;
} row_layout;

typedef struct piece {
    uint64_t offset; /* elements from the begin of the chunk, in memory */
    uint64_t count;
    bool begins_row; /* in the order of the scan */
    bool ends_row;
    uint64_t in_row; /* elements of the row before it, in the order of the scan */
} piece;

/* Index in the file of the first element, in memory, of the chunk with the positions begin .. end - 1. */
uint64_t chunk_first_element(const row_layout *rows, uint64_t begin, uint64_t end);

/* The piece of that chunk which begins at `position`. */
piece piece_at(const row_layout *rows, uint64_t begin, uint64_t end, uint64_t position);

/* A part of a chunk of one row with segments: whole segments, or one of them, which may have begun in the chunk before,
 * in the order of the scan, or go on in the next one. Such a segment is the row that the piece tells of. */
typedef struct segment_piece {
    piece part;
    bool whole;
} segment_piece;

#define SEGMENT_PIECES 3u

/* The pieces of that chunk in the order of the scan. `begins` says for each of its elements, in memory, whether a
 * segment begins there, and `begins_behind` whether one does at the element behind the chunk, in memory, or all end
 * there: in a reverse scan, since a forward one need not know what begins in the next chunk. Returns how many. */
unsigned segment_pieces(const row_layout *rows, uint64_t begin, uint64_t end, const unsigned char *begins,
                        bool begins_behind, segment_piece pieces[SEGMENT_PIECES]);

#endif
