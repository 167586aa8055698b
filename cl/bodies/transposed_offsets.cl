// Tile body `coalesced` where nothing but the sums of segments by offsets is asked for, in place of
// bodies/transposed.cl: a tile lies in local memory, and each work-item goes along its row of it. Where a segment
// begins, the sum of the one before takes the place of the element; offsets say which of these places hold sums that
// are asked for. So each element is read once, and no marks are made. What a tile hands on is the sum of its last
// segment, which does not depend on what stands in front of that; so a range of tiles is reduced from there on.
//
// Offsets that are not in order leave sums unspecified, but nothing is read or written outside. Segments whose end does
// not lie behind their begin are empty wherever they stand, so they are looked for apart from that, as in
// bodies/cached_offsets.cl.
//
// Required of the host: what bodies/cached_offsets.cl requires of offsets, and
//   CLSCAN_REGISTER_PIECES, CLSCAN_LOCAL_PIECES, CLSCAN_THREAD_GROUP_SIZE  as bodies/transposed.cl; all pieces lie in
//                                                                          local memory
#if !CLSCAN_SEGMENTED || !CLSCAN_DISCARDS || CLSCAN_REVERSE || CLSCAN_REPRODUCIBLE
#error "transposed offsets are for forward reductions by offsets"
#endif
#define CLSCAN_ROW ((CLSCAN_REGISTER_PIECES + CLSCAN_LOCAL_PIECES) * CLSCAN_THREAD_GROUP_SIZE)
#define CLSCAN_TILE ((uint)CLSCAN_WORK_GROUP_SIZE * CLSCAN_ROW)
// One more, or a word more: neighbouring rows then spread over the banks.
#define CLSCAN_PITCH (CLSCAN_ROW + 1)
#define CLSCAN_HEAD_WORDS ((CLSCAN_ROW + 31) / 32)
#define CLSCAN_HEAD_PITCH (CLSCAN_HEAD_WORDS | 1)
#define CLSCAN_TURNS (CLSCAN_ROW / CLSCAN_VECTOR_LENGTH)
// This body has clscan_tile_total_behind() and clscan_tiles_skip().
#define CLSCAN_TILE_FOLLOWS 1
// Elements in registers at a time.
#define CLSCAN_AHEAD_MOST ((uint)(sizeof(clscan_value) < 64 ? 64 / sizeof(clscan_value) : 1))
#define CLSCAN_AHEAD (CLSCAN_AHEAD_MOST < CLSCAN_ROW ? CLSCAN_AHEAD_MOST : CLSCAN_ROW)
// Offsets of a work-item in the first turn, and in each that follows. Most tiles have no more than the first ones.
#define CLSCAN_FIRST_OFFSETS 2
#define CLSCAN_MORE_OFFSETS 8

typedef struct clscan_zone {
    clscan_sum scratch[CLSCAN_SCRATCH];
    clscan_value values[CLSCAN_WORK_GROUP_SIZE * CLSCAN_PITCH];
    uint heads[CLSCAN_WORK_GROUP_SIZE * CLSCAN_HEAD_PITCH]; // a bit for each element: does a segment begin there?
    uint counted[1];
} clscan_zone;

// An offset and the one in front of it, which stands for itself where there is none.
typedef struct clscan_bounds {
    clscan_offset begin, end;
} clscan_bounds;

typedef struct clscan_tile {
    clscan_source in;  // cursor at the tile's first element
    ulong first, last; // offsets below its first element, and below the one behind it
    clscan_bounds bounds[CLSCAN_FIRST_OFFSETS]; // that end with offsets of these which this work-item has
    uint heads[CLSCAN_HEAD_WORDS]; // of this work-item's row
    clscan_sum left;   // all rows before this one; present for every item but the first
    clscan_sum total;
} clscan_tile;

// How many offsets lie below `index`, to every work-item, if they are in order; in any order, some number of them. All
// work-items look at once, and leave one of as many parts and one more. Passes barriers.
CLSCAN_FUNCTION ulong clscan_offsets_below(__local uint *counted, clscan_arguments arguments, ulong index)
{
    __global const clscan_offset *offsets = clscan_offsets(arguments);
    const ulong lid = get_local_id(0);
    ulong low = 0, high = clscan_offset_count_of(arguments);

    while (CLSCAN_TOGETHER(low < high)) {
        const ulong size = high - low, middle = low + size * (lid + 1) / (CLSCAN_WORK_GROUP_SIZE + 1);
        ulong below;

        barrier(CLK_LOCAL_MEM_FENCE);
        if (lid == 0)
            counted[0] = 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        if ((CLSCAN_WIDE_OFFSET)offsets[middle] < (CLSCAN_WIDE_OFFSET)index)
            (void)atomic_inc(counted);
        barrier(CLK_LOCAL_MEM_FENCE);
        below = counted[0];
        high = below < CLSCAN_WORK_GROUP_SIZE ? low + size * (below + 1) / (CLSCAN_WORK_GROUP_SIZE + 1) : high;
        low = below > 0 ? low + size * below / (CLSCAN_WORK_GROUP_SIZE + 1) + 1 : low;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    return low;
}

#if CLSCAN_LOOKS_AT_OFFSETS
// Empty segments get their sums: those that fall to the tile, as many to each, wherever they lie.
CLSCAN_FUNCTION void clscan_give_empty_ones(clscan_arguments arguments, ulong first)
{
    const ulong count = clscan_segments_end(arguments), offset_count = clscan_offset_count_of(arguments);
    const ulong tiles = (count - 1) / CLSCAN_TILE + 1;

    for (ulong place = first / CLSCAN_TILE * CLSCAN_WORK_GROUP_SIZE + get_local_id(0); place + 1 < offset_count;
         place += tiles * CLSCAN_WORK_GROUP_SIZE)
        if (clscan_is_empty(clscan_offsets(arguments), place, count))
            clscan_give_empty(place, arguments);
}
#endif

// Where an element of the tile lies, and the word that has its head.
CLSCAN_FUNCTION uint clscan_value_place(uint k)
{
    return k / CLSCAN_ROW * CLSCAN_PITCH + k % CLSCAN_ROW;
}

CLSCAN_FUNCTION uint clscan_head_place(uint k)
{
    return k / CLSCAN_ROW * CLSCAN_HEAD_PITCH + k % CLSCAN_ROW / 32;
}

/// Of the tiles first .. end - 1, the first one on whose elements their total depends. Passes barriers.
CLSCAN_FUNCTION ulong clscan_tiles_skip(__local clscan_zone *zone, clscan_source in, ulong count, ulong first,
                                        ulong end)
{
    const ulong known = clscan_offsets_below(zone->counted, in.arguments, min(end * CLSCAN_TILE, count));
    const ulong begin = known > 0 ? (ulong)clscan_offsets(in.arguments)[known - 1] : 0;

    return known > 0 && begin < end * CLSCAN_TILE ? max(first, begin / CLSCAN_TILE) : first;
}

CLSCAN_FUNCTION clscan_value clscan_value_at(clscan_source in, uint k)
{
    return clscan_lift(CLSCAN_ITEM_AT(in, CLSCAN_AT(in, k), 0)).value;
}

// The elements of a tile, to where they lie.
CLSCAN_FUNCTION void clscan_values_load(__local clscan_value *values, clscan_source in, uint valid)
{
    const uint lid = (uint)get_local_id(0);

#if CLSCAN_VECTOR_LENGTH > 1 && !CLSCAN_GENERATES
    if (valid == CLSCAN_TILE && clscan_source_aligned(in)) {
        clscan_in_vector stored[CLSCAN_TURNS];

#pragma unroll
        for (uint turn = 0; turn < CLSCAN_TURNS; ++turn)
            stored[turn] = clscan_load_elements(
                in, CLSCAN_AT(in, (turn * CLSCAN_WORK_GROUP_SIZE + lid) * CLSCAN_VECTOR_LENGTH), true);
#pragma unroll
        for (uint turn = 0; turn < CLSCAN_TURNS; ++turn) {
            const uint k = (turn * CLSCAN_WORK_GROUP_SIZE + lid) * CLSCAN_VECTOR_LENGTH;
            const clscan_vector items = clscan_items_of(in, 0, stored[turn], CLSCAN_AT(in, k));
            __local clscan_value *to = values + clscan_value_place(k);

#pragma unroll
            for (uint c = 0; c < CLSCAN_VECTOR_LENGTH; ++c)
                to[c] = clscan_lift(items.at[c]).value;
        }
        return;
    }
#endif
    for (uint k = lid; k < valid; k += CLSCAN_WORK_GROUP_SIZE)
        values[clscan_value_place(k)] = clscan_value_at(in, k);
}

// So many offsets stand behind the first `first`, as far as anybody counts.
CLSCAN_FUNCTION uint clscan_offsets_left(clscan_arguments arguments, ulong first)
{
    return (uint)min(clscan_offset_count_of(arguments) - first, (ulong)UINT_MAX);
}

// The bounds that end with offset `own` behind the first `first`, if there is one.
CLSCAN_FUNCTION clscan_bounds clscan_bounds_at(clscan_arguments arguments, ulong first, uint own, uint left)
{
    __global const clscan_offset *end = clscan_offsets(arguments) + first + own;
    clscan_bounds bounds = {0, 0};

    if (own < left) {
        bounds.begin = end[first > 0 || own > 0 ? -1 : 0];
        bounds.end = *end;
    }
    return bounds;
}

// Does a segment begin in the tile where these bounds end?
CLSCAN_FUNCTION bool clscan_begins_in(clscan_source in, clscan_bounds bounds, uint own, uint left, uint valid)
{
    return own < left && (ulong)bounds.end - CLSCAN_AT(in, 0) < valid;
}

// If not: the first offset that lies behind the tile knows how many of a turn do not, `own`, or all that are left.
CLSCAN_FUNCTION void clscan_offsets_end(__local clscan_zone *zone, clscan_source in, clscan_bounds bounds, uint own,
                                        uint left, uint valid)
{
    const ulong behind = CLSCAN_AT(in, 0) + valid;

    if (own <= left && (own == 0 || (CLSCAN_WIDE_OFFSET)bounds.begin < (CLSCAN_WIDE_OFFSET)behind))
        (void)atomic_min(zone->counted, own);
}

CLSCAN_FUNCTION void clscan_heads_put(__local clscan_zone *zone, uint place, uint heads)
{
    if (heads != 0)
        (void)atomic_or(zone->heads + place, heads);
}

// Mark that segments begin where neighbouring bounds end, CLSCAN_MORE_OFFSETS for each work-item, as far as that is in
// the tile. What goes into one word goes there at once.
CLSCAN_FUNCTION void clscan_heads_mark_more(__local clscan_zone *zone, clscan_source in, ulong first, uint left,
                                            uint valid)
{
    const uint begin = (uint)get_local_id(0) * CLSCAN_MORE_OFFSETS;
    uint place = 0, heads = 0;

#pragma unroll 1
    for (uint own = begin; own < begin + CLSCAN_MORE_OFFSETS; ++own) {
        const clscan_bounds bounds = clscan_bounds_at(in.arguments, first, own, left);

        if (clscan_begins_in(in, bounds, own, left, valid)) {
            const uint k = (uint)((ulong)bounds.end - CLSCAN_AT(in, 0)), head_place = clscan_head_place(k);

            if (head_place != place) {
                clscan_heads_put(zone, place, heads);
                heads = 0;
            }
            place = head_place;
            heads |= 1u << k % CLSCAN_ROW % 32;
        } else {
            clscan_offsets_end(zone, in, bounds, own, left, valid);
        }
    }
    clscan_heads_put(zone, place, heads);
}

// Mark where segments begin in the tile. Returns, to every work-item, how many offsets lie below the element behind it;
// so many as `first` lie below its own first one. Behind that stand `bounds`. Passes barriers.
CLSCAN_FUNCTION ulong clscan_heads_mark(__local clscan_zone *zone, clscan_source in, const clscan_bounds *bounds,
                                        ulong first, uint left, uint valid)
{
    const uint lid = (uint)get_local_id(0);
    uint counted, turn = CLSCAN_FIRST_OFFSETS * CLSCAN_WORK_GROUP_SIZE;

#pragma unroll
    for (uint i = 0; i < CLSCAN_FIRST_OFFSETS; ++i) {
        const uint own = i * CLSCAN_WORK_GROUP_SIZE + lid, k = (uint)((ulong)bounds[i].end - CLSCAN_AT(in, 0));

        if (clscan_begins_in(in, bounds[i], own, left, valid))
            clscan_heads_put(zone, clscan_head_place(k), 1u << k % CLSCAN_ROW % 32);
        else
            clscan_offsets_end(zone, in, bounds[i], own, left, valid);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    counted = zone->counted[0];
    first += counted;
    while (CLSCAN_TOGETHER(counted == turn)) {
        turn = CLSCAN_MORE_OFFSETS * CLSCAN_WORK_GROUP_SIZE;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (lid == 0)
            zone->counted[0] = turn;
        barrier(CLK_LOCAL_MEM_FENCE);
        clscan_heads_mark_more(zone, in, first, clscan_offsets_left(in.arguments, first), valid);
        barrier(CLK_LOCAL_MEM_FENCE);
        counted = zone->counted[0];
        first += counted;
    }
    return first;
}

#define CLSCAN_HEAD(words, c) (((words)[(c) / 32] & 1u << (c) % 32) != 0)

// The first elements of segments in a row have the initial value in them.
CLSCAN_FUNCTION void clscan_row_begin(__local clscan_value *own, __local const uint *heads, uint valid,
                                      clscan_arguments arguments)
{
    if (!clscan_has_initial(arguments))
        return;
#pragma unroll 1
    for (uint c = 0; c < valid; ++c)
        if (CLSCAN_HEAD(heads, c))
            own[c] = clscan_first_value(own[c], arguments);
}

// Go along a row that is whole. Returns the sum of its last segment, and whether one begins in the row. Some elements
// at a time are loaded ahead of what is stored in their place.
CLSCAN_FUNCTION clscan_sum clscan_row_walk(__local clscan_value *own, const uint *heads)
{
    clscan_value value = own[0];
    uint begun = 0;

#pragma unroll
    for (uint at = 0; at < CLSCAN_ROW; at += CLSCAN_AHEAD) {
        clscan_value elements[CLSCAN_AHEAD];

#pragma unroll
        for (uint c = 0; c < CLSCAN_AHEAD && at + c < CLSCAN_ROW; ++c)
            elements[c] = own[at + c];
#pragma unroll
        for (uint c = 0; c < CLSCAN_AHEAD && at + c < CLSCAN_ROW; ++c) {
            const bool first = CLSCAN_HEAD(heads, at + c);
            const clscan_value joined = at + c > 0 ? clscan_values_join(value, elements[c]) : elements[c];

            // Of the first one that begins in the row, only what is in the row.
            if (first)
                own[at + c] = value;
            value = first ? elements[c] : joined;
        }
    }
#pragma unroll
    for (uint w = 0; w < CLSCAN_HEAD_WORDS; ++w)
        begun |= heads[w];
    return clscan_pair_of(value, begun != 0);
}

// The same of the first `valid` elements of a row, at least one.
CLSCAN_FUNCTION clscan_sum clscan_row_walk_first(__local clscan_value *own, __local const uint *heads, uint valid)
{
    clscan_sum sum = clscan_pair_of(own[0], CLSCAN_HEAD(heads, 0));

#pragma unroll 1
    for (uint c = 1; c < valid; ++c) {
        const clscan_value element = own[c];

        if (CLSCAN_HEAD(heads, c)) {
            own[c] = sum.value;
            sum = clscan_pair_of(element, true);
        } else {
            sum.value = clscan_values_join(sum.value, element);
        }
    }
    return sum;
}

/// The total of a tile: the sum of its last segment. Parameters as in bodies/strided.cl.
///
/// follows  whether *tile is still the tile in front
CLSCAN_FUNCTION clscan_sum clscan_tile_total_behind(bool follows, clscan_tile *tile, __local clscan_zone *zone,
                                                    clscan_source in, uint valid)
{
    const uint lid = (uint)get_local_id(0), row_valid = clscan_row_valid(CLSCAN_ROW, valid);
    const ulong begin = CLSCAN_AT(in, 0);
    uint left;
    __local clscan_value *own = zone->values + lid * CLSCAN_PITCH;
    __local uint *heads = zone->heads + lid * CLSCAN_HEAD_PITCH;
    clscan_sum sum = CLSCAN_NO_SUM;

    tile->first = follows ? tile->last : clscan_offsets_below(zone->counted, in.arguments, begin);
    tile->in = in;
    left = clscan_offsets_left(in.arguments, tile->first);
#pragma unroll
    for (uint i = 0; i < CLSCAN_FIRST_OFFSETS; ++i)
        tile->bounds[i] = clscan_bounds_at(in.arguments, tile->first, i * CLSCAN_WORK_GROUP_SIZE + lid, left);
    if (lid == 0)
        zone->counted[0] = CLSCAN_FIRST_OFFSETS * CLSCAN_WORK_GROUP_SIZE;
#pragma unroll
    for (uint w = 0; w < CLSCAN_HEAD_WORDS; ++w)
        heads[w] = 0;
    clscan_values_load(zone->values, in, valid);
    barrier(CLK_LOCAL_MEM_FENCE);
    tile->last = clscan_heads_mark(zone, in, tile->bounds, tile->first, left, valid);
#pragma unroll
    for (uint w = 0; w < CLSCAN_HEAD_WORDS; ++w)
        tile->heads[w] = heads[w];
    clscan_row_begin(own, heads, row_valid, in.arguments);
    if (row_valid == CLSCAN_ROW)
        sum = clscan_row_walk(own, tile->heads);
    else if (row_valid > 0)
        sum = clscan_row_walk_first(own, heads, row_valid);
    tile->total = clscan_group_scan(zone->scratch, sum, (valid + CLSCAN_ROW - 1) / CLSCAN_ROW, &tile->left);
    return tile->total;
}

CLSCAN_FUNCTION clscan_sum clscan_tile_total(clscan_tile *tile, __local clscan_zone *zone, clscan_source in, uint valid)
{
    return clscan_tile_total_behind(false, tile, zone, in, valid);
}

// What precedes the first segment that begins in this work-item's row ends there.
CLSCAN_FUNCTION void clscan_row_end(__local clscan_value *own, const uint *heads, clscan_prefix before)
{
    uint word = heads[0], c = 0;

#pragma unroll
    for (uint w = 1; w < CLSCAN_HEAD_WORDS; ++w)
        if (word == 0) {
            word = heads[w];
            c = 32 * w;
        }
    if (word == 0 || !before.present)
        return;
    c += 31 - clz(word & (0u - word));
    own[c] = c > 0 ? clscan_values_join(before.value.value, own[c]) : before.value.value;
}

// Where a segment begins in the tile, the one before it ends: offset `i` ends these bounds.
CLSCAN_FUNCTION void clscan_give_ended(__local const clscan_zone *zone, clscan_source in, clscan_bounds bounds, ulong i,
                                       uint valid)
{
    const ulong at = (ulong)bounds.end - CLSCAN_AT(in, 0);

    // Not in front of all segments, nor behind an empty one.
    if (at < valid && bounds.begin < bounds.end && (ulong)bounds.begin < clscan_segments_end(in.arguments))
        clscan_give_sum_of(zone->values[clscan_value_place((uint)at)], i - 1, in.arguments);
}

/// Give the sums of all segments that end in the tile, onto `prefix`. Parameters as in bodies/strided.cl.
CLSCAN_FUNCTION void clscan_tile_finish(clscan_tile *tile, __local clscan_zone *zone, clscan_sink out, uint valid,
                                        clscan_prefix prefix, bool stream)
{
    const clscan_arguments arguments = tile->in.arguments;
    const ulong begin = CLSCAN_AT(tile->in, 0), count = clscan_segments_end(arguments);
    const uint lid = (uint)get_local_id(0);
    __global const clscan_offset *offsets = clscan_offsets(arguments);
    clscan_prefix before = prefix;
    ulong i = tile->first + lid;

    if (lid > 0 && clscan_row_valid(CLSCAN_ROW, valid) > 0)
        before = clscan_extend(prefix, tile->left);
    clscan_row_end(zone->values + lid * CLSCAN_PITCH, tile->heads, before);
    barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
    for (uint turn = 0; turn < CLSCAN_FIRST_OFFSETS; ++turn, i += CLSCAN_WORK_GROUP_SIZE)
        if (i < tile->last)
            clscan_give_ended(zone, tile->in, tile->bounds[turn], i, valid);
    for (; i < tile->last; i += CLSCAN_WORK_GROUP_SIZE)
        clscan_give_ended(zone, tile->in, clscan_bounds_at(arguments, i, 0, 1), i, valid);
    // The last one of all ends with the input.
    if (lid == 0 && begin + valid == count && tile->last > 0 && tile->last < clscan_offset_count_of(arguments) &&
        !clscan_is_empty(offsets, tile->last - 1, count))
        clscan_give_sum_of(clscan_extend(prefix, tile->total).value.value, tile->last - 1, arguments);
#if CLSCAN_LOOKS_AT_OFFSETS
    clscan_give_empty_ones(arguments, begin);
#endif
}
