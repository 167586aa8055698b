// Tile body `cached_rows` where nothing but the sums of segments by offsets is asked for, in the place of
// bodies/cached_rows.cl: one work-item goes from offset to offset, as a loop over all segments would. It needs no marks
// of where they begin; what a tile has of the offsets is searched for. What it hands on is the sum of its last segment,
// so each element is read once.
//
// Offsets that are not in order leave sums unspecified, but nothing is read or written outside, and a segment whose
// end does not lie behind its begin is empty wherever it stands. So those are looked for apart from the walk: by tiles,
// each of which has its share of all offsets, or before (segments/marks.cl).
//
// Required of the host: what bodies/cached_runs.cl requires, and
//   CLSCAN_LOOKS_AT_OFFSETS  1 if tiles give empty segments their sums
//   CLSCAN_WIDE_OFFSET, clscan_offsets(), clscan_offset_count_of(), clscan_is_empty(), clscan_give_sum_of(),
//   clscan_give_empty()       src/program/segment_sums.c
#if !defined(CLSCAN_WIDE_OFFSET) || !defined(CLSCAN_LOOKS_AT_OFFSETS)
#error "cached offsets are for reductions by offsets"
#endif

typedef struct clscan_tile {
    clscan_source in;  // cursor at the tile's first element
    ulong first, last; // so many offsets do not lie behind its first element, and its last one
    uint known;        // where its last segment begins, or the tile
    clscan_sum total;  // from there on
} clscan_tile;

// How many of the offsets, which are in order, do not lie behind element `index`. In any order, some number n so that
// offset n - 1 does not, and offset n does.
CLSCAN_FUNCTION ulong clscan_offsets_until(clscan_arguments arguments, ulong index)
{
    __global const clscan_offset *offsets = clscan_offsets(arguments);
    ulong low = 0, high = clscan_offset_count_of(arguments);

    while (low < high) {
        const ulong middle = low + (high - low) / 2;

        if ((CLSCAN_WIDE_OFFSET)offsets[middle] <= (CLSCAN_WIDE_OFFSET)index)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/// The total of a tile. Parameters as in bodies/strided.cl.
CLSCAN_FUNCTION clscan_sum clscan_tile_total(clscan_tile *tile, __local clscan_zone *zone, clscan_source in, uint valid)
{
    const ulong begin = CLSCAN_AT(in, 0);
    __global const clscan_offset *offsets = clscan_offsets(in.arguments);

    tile->in = in;
    tile->first = clscan_offsets_until(in.arguments, begin);
    tile->last = clscan_offsets_until(in.arguments, begin + valid - 1);
    tile->known = 0;
    if (tile->last > 0 && (CLSCAN_WIDE_OFFSET)offsets[tile->last - 1] >= (CLSCAN_WIDE_OFFSET)begin) {
        tile->known = (uint)((ulong)offsets[tile->last - 1] - begin);
        tile->total = clscan_pair_of(clscan_first_sum(in, tile->known, valid), 1);
    } else {
        tile->total = clscan_pair_of(clscan_run_sum(in, 0, valid), 0);
    }
    return tile->total;
}

// Does a segment begin at this offset, and not before the input?
CLSCAN_FUNCTION bool clscan_offset_begins(clscan_offset offset)
{
    return (CLSCAN_WIDE_OFFSET)offset >= 0;
}

#if CLSCAN_SEGMENT_SUM_LANES
// Is each element from `begin` on, at which a segment begins, one by itself, as far as a vector goes? Offsets from
// `ends` on say so.
CLSCAN_FUNCTION bool clscan_are_alone(__global const clscan_offset *ends, ulong begin)
{
    ulong wrong = 0;

    if ((ulong)ends[CLSCAN_VECTOR_LENGTH - 1] != begin + CLSCAN_VECTOR_LENGTH)
        return false;
#pragma unroll
    for (uint k = 0; k + 1 < CLSCAN_VECTOR_LENGTH; ++k)
        wrong |= (ulong)ends[k] ^ (begin + 1 + k);
    return wrong == 0;
}

// Then these are their sums, of places from `place` on.
CLSCAN_FUNCTION void clscan_give_alone(clscan_source in, uint begin, ulong place)
{
    clscan_lanes v = clscan_lanes_at(in, begin);
    clscan_value values[CLSCAN_VECTOR_LENGTH];

    if (clscan_has_initial(in.arguments))
        v = clscan_lanes_join((clscan_lanes)(clscan_first_value(CLSCAN_SEGMENT_NEUTRAL, in.arguments)), v);
    CLSCAN_PASTE(vstore, CLSCAN_VECTOR_LENGTH)(v, 0, values);
#pragma unroll
    for (uint k = 0; k < CLSCAN_VECTOR_LENGTH; ++k)
        clscan_give_sum_of(values[k], place + k, in.arguments);
}
#endif

#if CLSCAN_LOOKS_AT_OFFSETS
#define CLSCAN_LOOKED_AT 16 // offsets at once, since most bound no empty segment

// Empty segments get their sums: those among the tile's share of all segments, wherever these lie.
CLSCAN_FUNCTION void clscan_give_empty_ones(clscan_arguments arguments, ulong first)
{
    const ulong count = clscan_segments_end(arguments), offset_count = clscan_offset_count_of(arguments);
    const ulong segments = offset_count > 0 ? offset_count - 1 : 0;
    const ulong share = segments / ((count - 1) / CLSCAN_TILE + 1) + 1;
    const ulong begin = min(first / CLSCAN_TILE * share, segments), end = min(begin + share, segments);
    __global const clscan_offset *offsets = clscan_offsets(arguments);

    for (ulong place = begin; place < end; place += CLSCAN_LOOKED_AT) {
        const uint given = (uint)min(end - place, (ulong)CLSCAN_LOOKED_AT);
        uint empty = given < CLSCAN_LOOKED_AT;

#pragma unroll
        for (uint k = 0; k < CLSCAN_LOOKED_AT && given == CLSCAN_LOOKED_AT; ++k)
            empty |= clscan_is_empty(offsets, place + k, count);
        for (uint k = 0; k < given && empty; ++k)
            if (clscan_is_empty(offsets, place + k, count))
                clscan_give_empty(place + k, arguments);
    }
}
#endif

/// Give the sums of all segments that end in the tile, onto `prefix`. Parameters as in bodies/strided.cl.
CLSCAN_FUNCTION void clscan_tile_finish(clscan_tile *tile, __local clscan_zone *zone, clscan_sink out, uint valid,
                                        clscan_prefix prefix, bool stream)
{
    const clscan_source in = tile->in;
    const ulong first = CLSCAN_AT(in, 0), behind = first + valid, last = tile->last;
    __global const clscan_offset *offsets = clscan_offsets(in.arguments);
    const bool bounded = tile->first > 0 && clscan_offset_begins(offsets[tile->first - 1]); // not in front of them all
    ulong i = tile->first;
    uint begin = 0;

    // A segment that has begun before the tile.
    if (i < last && (ulong)offsets[i] - first < valid && !(bounded && (ulong)offsets[i - 1] == first)) {
        begin = (uint)((ulong)offsets[i] - first);
        if (bounded)
            clscan_give_sum_of(clscan_values_join(prefix.value.value, clscan_run_sum(in, 0, begin)), i - 1,
                               in.arguments);
        ++i;
    }
    for (; i < last; ++i) {
        const ulong end = (ulong)offsets[i] - first;

        if (end < begin || end >= valid)
            break; // not in order
        if (end == begin)
            continue; // an empty segment
#if CLSCAN_SEGMENT_SUM_LANES
        if (last - i >= CLSCAN_VECTOR_LENGTH && valid - begin > CLSCAN_VECTOR_LENGTH &&
            clscan_are_alone(offsets + i, first + begin)) {
            clscan_give_alone(in, begin, i - 1);
            i += CLSCAN_VECTOR_LENGTH - 1;
            begin += CLSCAN_VECTOR_LENGTH;
            continue;
        }
#endif
        clscan_give_sum_of(clscan_first_sum(in, begin, (uint)end), i - 1, in.arguments);
        begin = (uint)end;
    }
    // The last one has a sum already, and ends with the tile if at all.
    if (last > 0 && last < clscan_offset_count_of(in.arguments) && clscan_offset_begins(offsets[last - 1]) &&
        ((ulong)offsets[last] == behind || behind == clscan_segments_end(in.arguments)))
        clscan_give_sum_of(clscan_extend(prefix, tile->total).value.value, last - 1, in.arguments);
#if CLSCAN_LOOKS_AT_OFFSETS
    clscan_give_empty_ones(in.arguments, first);
#endif
}
