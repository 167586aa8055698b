// Selections by tile body `subgroup_rows`: what leaves a part, in the place of what bodies/held_rows.cl has for other
// problems. How a part gathers it is in bodies/kept_rows.cl or, where outputs do not ask for elements, in
// bodies/kept_marks.cl.
#if !CLSCAN_SELECTS
#error "kept parts are for selections"
#endif

// Of runs of two and more elements, a part counts first and last ones in turn. `inside` is 1 if it begins inside such a
// run, so that a last one comes first; else, and in other selections, 0. Numbers of what it counts, and of what leaves.
#if CLSCAN_SELECT_LONG
#define CLSCAN_INSIDE(number) ((uint)(number) & 1)
#define CLSCAN_LEAVES(keep, number, inside) ((keep) && CLSCAN_INSIDE(number) == (inside))
#define CLSCAN_KEPT_NUMBER(place, inside) (2 * (place) + (inside))
#define CLSCAN_KEPT_OF(count, inside) (((count) + 1 - (inside)) >> 1)
#else
#define CLSCAN_INSIDE(number) 0u
#define CLSCAN_LEAVES(keep, number, inside) (keep)
#define CLSCAN_KEPT_NUMBER(place, inside) (place)
#define CLSCAN_KEPT_OF(count, inside) (count)
#endif

#if CLSCAN_SELECT_LENGTHS
/// Store how far it is from each kept element to the next one, for the first `room` of the `kept` of a part, which
/// begins at `begin` of the input and goes to place `first` of the output. The last one is not known here: where it
/// stands is stored instead, and where the part's first one stands is left for selection/lengths.cl, which mends that.
///
/// Of runs of two and more elements, it is how far it is from each first one behind the last one next to it.
CLSCAN_FUNCTION void clscan_lengths_store(__local const ushort *origins, clscan_arguments arguments, ulong begin,
                                          ulong first, uint kept, uint inside, uint room)
{
    __global CLSCAN_SELECT_LENGTH *to = clscan_lengths(arguments) + first;
    const uint idle = (uint)first % CLSCAN_SUB_GROUP_SIZE;

    for (uint i = clscan_lane(); i < idle + room; i += CLSCAN_SUB_GROUP_SIZE) {
        const uint own = CLSCAN_KEPT_NUMBER(i - idle, inside);

        if (i >= idle)
            to[i - idle] = own + 1 < kept
                               ? (CLSCAN_SELECT_LENGTH)(origins[own + 1] - origins[own] + CLSCAN_SELECT_LONG)
                               : (CLSCAN_SELECT_LENGTH)(begin + origins[own]);
    }
    if (clscan_lane() == 0) {
        __global ulong *mark = clscan_length_marks(arguments) + 2 + 2 * (begin / CLSCAN_PART);
        const bool mends = kept > 0 && inside == CLSCAN_SELECT_LONG;

        mark[0] = mends ? first : ~0ul;
        mark[1] = mends ? begin + origins[0] + CLSCAN_SELECT_LONG : 0;
    }
}
#endif

// Of `count` outputs of a part, of which the first goes to place `first`, those that have room. The part in which the
// room ends while there is more reports that.
CLSCAN_FUNCTION uint clscan_fitting(ulong first, uint count, ulong capacity, clscan_arguments arguments)
{
    if (clscan_lane() == 0 && first <= capacity && first + count > capacity)
        (void)atomic_inc(clscan_overflows(arguments));
    return first < capacity ? (uint)min(capacity - first, (ulong)count) : 0;
}

// The item that goes to `place`, without its element.
CLSCAN_FUNCTION clscan_item clscan_kept_item(ulong place)
{
    clscan_item item = clscan_no_item();

    clscan_lift(item) = (clscan_sum)place;
#if CLSCAN_KEEPS_PREVIOUS
    item.previous = clscan_lift(item);
#endif
    return item;
}

#if CLSCAN_SELECT_COLUMNS
// Move the columns of the first `room` elements of a part, which begins at `begin` of the input, to places from `first`
// on.
CLSCAN_FUNCTION void clscan_columns_store(__local const ushort *origins, clscan_arguments arguments, ulong begin,
                                          ulong first, uint inside, uint room)
{
    for (uint i = clscan_lane(); i < room; i += CLSCAN_SUB_GROUP_SIZE)
        clscan_move_columns(arguments, begin + origins[CLSCAN_KEPT_NUMBER(i, inside)], first + i);
}
#endif

// Store what leaves a part beside its `room` outputs, whose first one goes to place `first`: columns and lengths.
//
// origins  where each of the `kept` elements stands in the part; not looked at without columns
CLSCAN_FUNCTION void clscan_beside_store(__local const ushort *origins, clscan_sink out, ulong first, uint kept,
                                         uint inside, uint room)
{
#if CLSCAN_SELECT_COLUMNS || CLSCAN_SELECT_LENGTHS
    const ulong begin = CLSCAN_AT(out, clscan_sub_group() * CLSCAN_PART);
#endif

#if CLSCAN_SELECT_COLUMNS
    clscan_columns_store(origins, out.arguments, begin, first, inside, room);
#endif
#if CLSCAN_SELECT_LENGTHS
    clscan_lengths_store(origins, out.arguments, begin, first, kept, inside, room);
#endif
}

// What this lane keeps of a part: row by row and without keeping the rows, in few registers.
CLSCAN_FUNCTION clscan_sum clscan_lane_kept(clscan_source in, uint valid)
{
#if CLSCAN_SELECT_MIDDLE
    clscan_sum kept = 0;
#else
    uint kept = 0;
#endif

#pragma unroll 1
    for (uint row = 0; row < CLSCAN_ROWS; ++row) {
        const uint exist = clscan_lane_elements(clscan_row_elements(row, valid));
        const clscan_lane_row own = clscan_part_of_row(CLSCAN_ROW_CURSOR(in, row), 0, exist);

        kept += popcount(own.marks);
#if CLSCAN_SELECT_MIDDLE
        kept += popcount(own.middle) * CLSCAN_IN_MIDDLE;
#endif
    }
    return kept;
}

/// The number that the part keeps, to all its lanes. The zone's type comes later.
#define clscan_rows_reduce(zone, in, valid) \
    clscan_sub_group_total((zone)->scratch, clscan_lane_kept((in), (valid)), CLSCAN_SUB_GROUP_SIZE)
