// Whole tiles that come into the level-2 cache before they are loaded or land, in carry `lookahead`: memory has
// something to do while a work-group waits for what precedes its tile. A landing zone is filled only when the tile in
// it has left. Where outputs are wider than what lands, fetching was slower (docs/results/nvidia-h200-2026-11-22.md).
#define CLSCAN_FETCHES 1
#define CLSCAN_FETCH_BYTES 128u

// `bytes` from an address on, a line each work-item.
CLSCAN_FUNCTION void clscan_fetch(__global const uchar *from, uint bytes)
{
#pragma unroll
    for (uint at = 0; at < bytes; at += CLSCAN_WORK_GROUP_SIZE * CLSCAN_FETCH_BYTES) {
        const uint line = at + (uint)get_local_id(0) * CLSCAN_FETCH_BYTES;

        if (line < bytes)
            CLSCAN_FETCH_LINE(from + line);
    }
}

/// Fetch a whole tile: its elements, and what stands beside them.
CLSCAN_FUNCTION void clscan_tile_fetch(clscan_source in)
{
#if CLSCAN_POINTERS
    clscan_fetch((__global const uchar *)(CLSCAN_REVERSE ? in - CLSCAN_TILE : in),
                 CLSCAN_TILE * (uint)sizeof(clscan_in));
#else
    const ulong first = CLSCAN_REVERSE ? in.index - CLSCAN_TILE : in.index;

#if !CLSCAN_GENERATES
    clscan_fetch(in.base + first * CLSCAN_IN_BYTES, CLSCAN_TILE * CLSCAN_IN_BYTES);
#endif
#if CLSCAN_SEGMENTED
    clscan_fetch(clscan_heads_from(in.arguments, first), CLSCAN_TILE * CLSCAN_HEAD_BITS / 8);
#elif CLSCAN_SELECTS && CLSCAN_SELECT_FLAG_BITS > 0
    clscan_fetch((__global const uchar *)clscan_flags(in.arguments) + first * CLSCAN_SELECT_FLAG_BITS / 8,
                 CLSCAN_TILE * CLSCAN_SELECT_FLAG_BITS / 8);
#endif
#endif
}
