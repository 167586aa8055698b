// Tiles of body `cached_rows`, whatever a work-item does with them: bodies/cached_rows.cl, or in its place
// bodies/cached_segments.cl, bodies/cached_offsets.cl or bodies/cached_heads.cl. The reproducible order has its own.
//
// Required of the host:
//   CLSCAN_WORK_GROUP_SIZE   1
//   CLSCAN_CACHED_PIECES     vectors of a row, a power of two
//   CLSCAN_INTERLEAVED_ROWS  rows of a tile, a power of two
#if CLSCAN_WORK_GROUP_SIZE != 1
#error "CLSCAN_WORK_GROUP_SIZE must be 1"
#endif
#define CLSCAN_ROW ((uint)CLSCAN_CACHED_PIECES * CLSCAN_VECTOR_LENGTH)
#define CLSCAN_TILE (CLSCAN_INTERLEAVED_ROWS * CLSCAN_ROW)
// This body has clscan_tile_finish_and_total() and clscan_tile_pass().
#define CLSCAN_TILE_LOOKS_AHEAD 1

typedef struct clscan_zone {
    clscan_sum scratch[CLSCAN_SCRATCH];
} clscan_zone;
