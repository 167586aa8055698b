// Sums of runs of elements, for tiles of body `cached_rows` of which nothing but the sums of segments is asked for: one
// work-item goes from one segment to the next, as a loop over all elements would (bodies/cached_offsets.cl,
// bodies/cached_heads.cl).
//
// Required of the host: what bodies/cached_tiles.cl requires, of whose rows only the tile's size depends here, and
//   CLSCAN_SEGMENT_SUM_LANES  1 if whole vectors are summed up at once, then also what elements/lane_moves.cl requires
//                             and CLSCAN_SEGMENT_NEUTRAL, which leaves every value as it is; else 0: one element after
//                             the other
#if !CLSCAN_SEGMENTED || !CLSCAN_DISCARDS || CLSCAN_REVERSE || CLSCAN_REPRODUCIBLE || !defined(CLSCAN_SEGMENT_SUM_LANES)
#error "cached runs are for forward reductions by segments"
#endif

CLSCAN_FUNCTION clscan_value clscan_value_at(clscan_source in, uint k)
{
    return clscan_lift(CLSCAN_ITEM_AT(in, CLSCAN_AT(in, k), 0)).value;
}

// The sum of these elements, of which there are some, whatever segments they are of.
#if CLSCAN_SEGMENT_SUM_LANES
CLSCAN_FUNCTION clscan_lanes clscan_lanes_at(clscan_source in, uint k)
{
    return *(__global const clscan_loose_lanes *)(clscan_stored(in, const clscan_value) + CLSCAN_AT(in, k));
}

CLSCAN_FUNCTION clscan_value clscan_run_sum(clscan_source in, uint begin, uint end)
{
    const clscan_lanes neutral = (clscan_lanes)(CLSCAN_SEGMENT_NEUTRAL);
    clscan_lanes sum = neutral;
    clscan_value value;
    uint k = begin;

    for (; end - k >= CLSCAN_VECTOR_LENGTH; k += CLSCAN_VECTOR_LENGTH)
        sum = clscan_lanes_join(sum, clscan_lanes_at(in, k));
    // What lies behind `end` is loaded as well, but nothing behind the input.
    if (CLSCAN_AT(in, k) + CLSCAN_VECTOR_LENGTH <= clscan_segments_end(in.arguments)) {
        const clscan_lanes rest = select(neutral, clscan_lanes_at(in, k), CLSCAN_LANES_BELOW(end - k));

        sum = clscan_lanes_join(sum, rest);
        return clscan_lanes_total(sum);
    }
    value = clscan_lanes_total(sum);
    for (; k < end; ++k)
        value = clscan_values_join(value, clscan_value_at(in, k));
    return value;
}
#else
CLSCAN_FUNCTION clscan_value clscan_run_sum(clscan_source in, uint begin, uint end)
{
    clscan_value value = clscan_value_at(in, begin);

    for (uint k = begin + 1; k < end; ++k)
        value = clscan_values_join(value, clscan_value_at(in, k));
    return value;
}
#endif

// The same of a segment's first elements.
CLSCAN_FUNCTION clscan_value clscan_first_sum(clscan_source in, uint begin, uint end)
{
    const clscan_value value = clscan_run_sum(in, begin, end);

    return clscan_has_initial(in.arguments) ? clscan_first_value(value, in.arguments) : value;
}
