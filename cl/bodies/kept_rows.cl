// The rows of tile body `subgroup_rows` in selections, in the place of bodies/held_rows.cl, with a mark for each
// element that is kept (bodies/marked_rows.cl). Lanes count these, several rows at once, in place of scanning sums.
// What is kept of a part is gathered in local memory, one behind the other, and leaves from there in lines.
#if !CLSCAN_SELECTS
#error "kept rows are for selections"
#endif

typedef struct clscan_zone {
    CLSCAN_OUT gathered[CLSCAN_TILE];
#if CLSCAN_SELECT_COLUMNS
    ushort origins[CLSCAN_TILE]; // where each was in its part
#endif
    clscan_sum scratch[CLSCAN_SCRATCH];
} clscan_zone;

// Numbers of a part's elements take 16 bits, and stand side by side in sums.
#define CLSCAN_PER_SUM (CLSCAN_A_BYTES / 2)
#define CLSCAN_PACKED_SUMS ((CLSCAN_ROWS + CLSCAN_PER_SUM - 1) / CLSCAN_PER_SUM)
#define CLSCAN_PACKED(number, row) ((clscan_sum)(number) << (row) % CLSCAN_PER_SUM * 16)
#define CLSCAN_UNPACKED(sums, row) ((uint)((sums)[(row) / CLSCAN_PER_SUM] >> (row) % CLSCAN_PER_SUM * 16) & 0xffffu)

typedef struct clscan_tile {
    clscan_lane_row rows[CLSCAN_ROWS];
    clscan_sum places[CLSCAN_PACKED_SUMS]; // for each row, what the part keeps in front of this lane's vector
    uint kept;                             // of the part
    clscan_sum left;                       // for clscan_part_prefix()
} clscan_tile;

/// Count what is kept, and return the number of the part to all its lanes.
CLSCAN_FUNCTION clscan_sum clscan_rows_scan(bool whole, clscan_tile *tile, __local clscan_zone *zone, uint valid)
{
    tile->kept = 0;
#pragma unroll
    for (uint i = 0; i < CLSCAN_PACKED_SUMS; ++i) {
        clscan_sum own = 0, scanned, ends, starts = 0;

#pragma unroll
        for (uint row = i * CLSCAN_PER_SUM; row < min((i + 1) * CLSCAN_PER_SUM, (uint)CLSCAN_ROWS); ++row)
            own |= CLSCAN_PACKED(popcount(tile->rows[row].marks), row);
        scanned = clscan_sub_group_scan(zone->scratch, own, CLSCAN_SUB_GROUP_SIZE);
        ends = clscan_shuffle(zone->scratch, scanned, CLSCAN_SUB_GROUP_SIZE - 1);
#pragma unroll
        for (uint row = i * CLSCAN_PER_SUM; row < min((i + 1) * CLSCAN_PER_SUM, (uint)CLSCAN_ROWS); ++row) {
            starts |= CLSCAN_PACKED(tile->kept, row);
            tile->kept += CLSCAN_UNPACKED(&ends, row % CLSCAN_PER_SUM);
        }
        tile->places[i] = starts + scanned - own;
    }
    return tile->kept;
}

/// Gather what is kept, and store it behind `prefix`, which precedes the part; as far as there is room. The part in
/// which the room ends while there is more reports that.
CLSCAN_FUNCTION void clscan_rows_store(bool whole, const clscan_tile *tile, __local clscan_zone *zone, clscan_sink out,
                                       uint valid, clscan_prefix prefix)
{
    const uint part = clscan_sub_group() * CLSCAN_PART;
    __local CLSCAN_OUT *gathered = zone->gathered + part;
#if CLSCAN_SELECT_COLUMNS
    __local ushort *origins = zone->origins + part;
#endif
    const ulong first = prefix.present ? prefix.value : 0, capacity = clscan_capacity(out.arguments);
    const uint room = first < capacity ? (uint)min(capacity - first, (ulong)tile->kept) : 0;
    // Stores begin with a line of the output, as far as that is known.
    const uint skipped = (uint)first % CLSCAN_SUB_GROUP_SIZE;

    clscan_sub_group_meet();
#pragma unroll
    for (uint row = 0; row < CLSCAN_ROWS; ++row) {
        uint place = CLSCAN_UNPACKED(tile->places, row);

#pragma unroll
        for (uint c = 0; c < CLSCAN_VECTOR_LENGTH; ++c)
            if (tile->rows[row].marks >> c & 1) {
                clscan_item item = clscan_no_item();
                clscan_lift(item) = (clscan_sum)(first + place);
#if CLSCAN_KEEPS_PREVIOUS
                item.previous = clscan_lift(item);
#endif
#if CLSCAN_KEEPS_ELEMENT
                item.element = tile->rows[row].elements[c];
#endif
#if CLSCAN_SELECT_COLUMNS
                origins[place] = (ushort)(clscan_row_place(row) + c - part);
#endif
                gathered[place++] = clscan_output_of(item, 0, CLSCAN_AT(CLSCAN_ROW_CURSOR(out, row), c), out.arguments);
            }
    }
    clscan_sub_group_meet();
    for (uint i = clscan_lane(); i < skipped + room; i += CLSCAN_SUB_GROUP_SIZE)
        if (i >= skipped) {
            clscan_stored(out, CLSCAN_OUT)[first + i - skipped] = gathered[i - skipped];
#if CLSCAN_SELECT_COLUMNS
            clscan_move_columns(out.arguments, CLSCAN_AT(out, part + origins[i - skipped]), first + i - skipped);
#endif
        }
    if (clscan_lane() == 0 && first <= capacity && first + tile->kept > capacity)
        (void)atomic_inc(clscan_overflows(out.arguments));
}

/// The number that the part keeps, to all its lanes: row by row and without keeping them, in few registers.
CLSCAN_FUNCTION clscan_sum clscan_rows_reduce(__local clscan_zone *zone, clscan_source in, uint valid)
{
    uint kept = 0;

#pragma unroll 1
    for (uint row = 0; row < CLSCAN_ROWS; ++row) {
        const uint exist = clscan_lane_elements(clscan_row_elements(row, valid));
        kept += popcount(clscan_part_of_row(CLSCAN_ROW_CURSOR(in, row), 0, exist).marks);
    }
    return clscan_sub_group_total(zone->scratch, kept, CLSCAN_SUB_GROUP_SIZE);
}
