// What leaves a tile of body `subgroup_rows` where the sums of segments are all that is wanted (operation reduce). The
// first element of a segment finds the sum of the one before it, which ends there. A part gathers these in local
// memory, one behind the other, and they leave from there in lines.
#if !CLSCAN_DISCARDS || CLSCAN_REVERSE
#error "sums of segments leave alone in forward scans without an output"
#endif

// Does the part in which the first `valid` elements of a tile end have the last element of all?
CLSCAN_FUNCTION bool clscan_ends_all(clscan_sink out, uint valid)
{
    return clscan_sub_group() + 1 == clscan_parts(valid) && CLSCAN_AT(out, valid) == clscan_segments_end(out.arguments);
}

/// Scan the tile onto `prefix`, which precedes the part, and store what it knows of segments.
CLSCAN_FUNCTION void clscan_rows_store(bool whole, const clscan_tile *tile, __local clscan_zone *zone, clscan_sink out,
                                       uint valid, clscan_prefix prefix)
{
    const uint first = clscan_sub_group() * CLSCAN_PART;
    __local clscan_value *sums = zone->sums + clscan_sub_group() * CLSCAN_PART_ENDS;
    __local ushort *ends = zone->ends + clscan_sub_group() * CLSCAN_PART_ENDS;
    const clscan_begun begun = prefix.present ? prefix.value.begins : 0;
    // The first element of all ends no segment.
    const uint none = begun == 0;
    const bool present = clscan_sub_group() < clscan_parts(valid);
    uint count = present ? (uint)tile->part.begins - none : 0;
    // Stores begin with a line of the sums, as far as that is known.
    const uint skipped = (uint)(begun + none - 1) % CLSCAN_SUB_GROUP_SIZE;

    clscan_sub_group_meet();
#pragma unroll
    for (uint row = 0; row < CLSCAN_ROWS; ++row) {
        const uint place = clscan_row_place(row) - first;
        clscan_lane_row v = tile->rows[row];
        uint slot = (uint)tile->begun[row] - none;

        if (prefix.present && tile->begun[row] == 0)
            clscan_lane_finish(&v, place == 0, prefix.value.value);
        v.marks = clscan_bits_again(v.marks);
        if (none && place == 0) {
            v.marks &= ~1u;
            ++slot;
        }
#pragma unroll
        for (uint c = 0; c < CLSCAN_VECTOR_LENGTH; ++c)
            if (CLSCAN_IS_FIRST(v, c)) {
                sums[slot] = v.elements[c];
                ends[slot++] = (ushort)(place + c);
            }
    }
    if (present && clscan_ends_all(out, valid)) {
        if (clscan_lane() == 0) {
            sums[count] = tile->part.begins == 0 && prefix.present
                              ? clscan_values_join(prefix.value.value, tile->part.value)
                              : tile->part.value;
            ends[count] = (ushort)(valid - first);
        }
        ++count;
    }
    clscan_sub_group_meet();
    for (uint i = clscan_lane(); i < skipped + count; i += CLSCAN_SUB_GROUP_SIZE)
        if (i >= skipped) {
            const uint slot = i - skipped;
            clscan_give_sum(sums[slot], (ulong)begun + none + slot, CLSCAN_AT(out, first + ends[slot]) - 1,
                            out.arguments);
        }
}
