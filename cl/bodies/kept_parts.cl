// Selections by tile body `subgroup_rows`: what leaves a part, in the place of what bodies/held_rows.cl has for other
// problems. How a part gathers it is in bodies/kept_rows.cl or, where it holds no elements, in
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

// Numbers of a part's elements take 16 bits, and stand side by side in sums.
#define CLSCAN_PER_SUM (CLSCAN_A_BYTES / 2)
#define CLSCAN_PACKED(number, i) ((clscan_sum)(number) << (i) % CLSCAN_PER_SUM * 16)
#define CLSCAN_UNPACKED(sums, i) ((uint)((sums)[(i) / CLSCAN_PER_SUM] >> (i) % CLSCAN_PER_SUM * 16) & 0xffffu)

// Lanes have `own[i]` elements of each i below `count`, a constant. Leave in `places` what the part has in front of
// these, in `starts` what it has in front of those of all lanes, and return what it has.
CLSCAN_FUNCTION uint clscan_numbers_scan(const uint *own, uint count, clscan_sum *places, clscan_sum *starts,
                                         __local clscan_sum *scratch)
{
    uint number = 0;

#pragma unroll
    for (uint first = 0; first < count; first += CLSCAN_PER_SUM) {
        const uint end = min(first + CLSCAN_PER_SUM, count), s = first / CLSCAN_PER_SUM;
        clscan_sum packed = 0, all;
        clscan_scanned scanned;

#pragma unroll
        for (uint i = first; i < end; ++i)
            packed |= CLSCAN_PACKED(own[i], i);
        scanned = clscan_sub_group_sums(scratch, packed, CLSCAN_SUB_GROUP_SIZE);
        all = clscan_sums_all(scratch, scanned, CLSCAN_SUB_GROUP_SIZE);
        starts[s] = 0;
#pragma unroll
        for (uint i = first; i < end; ++i) {
            starts[s] |= CLSCAN_PACKED(number, i);
            number += CLSCAN_UNPACKED(&all, i % CLSCAN_PER_SUM);
        }
        places[s] = starts[s] + clscan_sums_own(scanned) - packed;
    }
    return number;
}

// Outputs `from` .. `end` - 1 of a part, with where their elements stand in the part: `origins` begins with that of the
// one that the part counts as number `number`.
typedef struct clscan_stretch {
    __local const ushort *origins;
    uint number;
    uint from;
    uint end;
} clscan_stretch;

// All that is stored of a part.
CLSCAN_FUNCTION clscan_stretch clscan_stretch_of(__local const ushort *origins, uint room)
{
    clscan_stretch stretch;

    stretch.origins = origins;
    stretch.number = 0;
    stretch.from = 0;
    stretch.end = room;
    return stretch;
}

CLSCAN_FUNCTION uint clscan_origin(clscan_stretch stretch, uint number)
{
    return stretch.origins[number - stretch.number];
}

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
// Move the columns of a stretch of a part, which begins at `begin` of the input, to places from `first` on.
CLSCAN_FUNCTION void clscan_columns_store(clscan_stretch stretch, clscan_arguments arguments, ulong begin, ulong first,
                                          uint inside)
{
    for (uint i = stretch.from + clscan_lane(); i < stretch.end; i += CLSCAN_SUB_GROUP_SIZE)
        clscan_move_columns(arguments, begin + clscan_origin(stretch, CLSCAN_KEPT_NUMBER(i, inside)), first + i);
}
#endif

#if CLSCAN_SELECT_MIDDLE
typedef clscan_sum clscan_kept_number;
#else
typedef uint clscan_kept_number;
#endif

CLSCAN_FUNCTION clscan_kept_number clscan_row_kept(clscan_lane_row row)
{
#if CLSCAN_SELECT_MIDDLE
    return popcount(row.marks) + popcount(row.middle) * CLSCAN_IN_MIDDLE;
#else
    return popcount(row.marks);
#endif
}

// What this lane keeps of a part: row by row and without keeping the rows, in few registers.
CLSCAN_FUNCTION clscan_sum clscan_lane_kept(clscan_source in, uint valid)
{
    clscan_kept_number kept = 0;

#pragma unroll 1
    for (uint row = 0; row < CLSCAN_ROWS; ++row) {
        const uint exist = clscan_lane_elements(clscan_row_elements(row, valid));

        kept += clscan_row_kept(clscan_part_of_row(CLSCAN_ROW_CURSOR(in, row), 0, exist));
    }
    return kept;
}

/// The number that the part keeps, to all its lanes. The zone's type comes later.
#define clscan_rows_reduce(zone, in, valid) \
    clscan_sub_group_total((zone)->scratch, clscan_lane_kept((in), (valid)), CLSCAN_SUB_GROUP_SIZE)
