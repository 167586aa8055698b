// Tile body `cached_rows` in scans by segments, in the place of bodies/cached_rows.cl: one work-item scans a tile as
// one row. What a tile hands on is the sum of its last segment, so its total is looked for from behind and mostly
// found soon; the whole tile is walked only once, to be scanned.
//
// Where operands may be reordered and nothing but values is loaded and stored (CLSCAN_SEGMENT_LANES), whole vectors are
// scanned at once. Where nothing but sums of segments is asked for (CLSCAN_SEGMENT_SUM_LANES), they are summed at once;
// by offsets that is the work of bodies/cached_offsets.cl. All else goes element by element.
//
// Required of the host: what bodies/cached_tiles.cl requires, of whose rows only the tile's size depends here, and
//   CLSCAN_SEGMENT_LANES     1 or 0; if 1: CLSCAN_LANE, the type of a value, CLSCAN_LANE_BITS, the unsigned integer of
//                            its size, CLSCAN_LANE_BYTES, and clscan_lanes_join(), the operator of
//                            CLSCAN_VECTOR_LENGTH values at once
//   CLSCAN_SEGMENT_SUM_LANES
//                            1 or 0; if 1: the same, CLSCAN_SEGMENT_NEUTRAL, which leaves every value as it is, and
//                            clscan_give_sums() (src/program/segment_sums.c)
//   CLSCAN_COMPARES_LANES    with CLSCAN_SEGMENT_LANES, 1 or 0; if 1: clscan_lanes_compared(), which of a vector's
//                            elements begin a segment, signed lanes of 0 or -1, but not of the very first vector
//                            (both in src/program/segments.c)
#if !CLSCAN_SEGMENTED || CLSCAN_REPRODUCIBLE || !defined(CLSCAN_SEGMENT_LANES) || !defined(CLSCAN_SEGMENT_SUM_LANES)
#error "cached segments are for scans by segments"
#endif

typedef struct clscan_tile {
    clscan_source in; // cursor at the tile's first element
#if CLSCAN_SEGMENT_SUM_LANES
    clscan_sum total; // its total
    uint known;       // the first element behind which that is all there is to know, up to the tile's last one
#endif
} clscan_tile;

// One item, from its own sum to what is stored. *value and *begun precede it, and afterwards the next one; a segment
// begins at the first element of all, so nothing precedes that.
//
// Values and marks go apart from element to element. As pairs they would be packed into one register by the compilers
// of CPUs, and taken apart again, on the way from each sum to the next.
CLSCAN_FUNCTION clscan_item clscan_segment_step(clscan_value *value, clscan_begun *begun, clscan_item item)
{
    const clscan_sum own = clscan_lift(item), before = clscan_pair_of(*value, *begun);

    *value = own.begins != 0 ? own.value : clscan_values_join(*value, own.value);
    *begun = CLSCAN_COUNTS_SEGMENTS ? *begun + own.begins : 1;
#if CLSCAN_KEEPS_PREVIOUS
    item.previous = before;
#endif
    clscan_lift(item) = CLSCAN_INCLUSIVE ? clscan_pair_of(*value, *begun) : before;
    return item;
}

// The total of elements `begin` to `end`, not included, and of `behind`, which follows them: looked for from behind.
CLSCAN_FUNCTION clscan_prefix clscan_elements_total(clscan_source in, uint begin, uint end, clscan_prefix behind)
{
    clscan_value value = behind.value.value;
    clscan_begun begun = behind.present ? behind.value.begins : 0;
    bool present = behind.present;

    // Where segments are numbered, marks count also in front of the last segment.
    for (uint k = end; k > begin && (CLSCAN_COUNTS_SEGMENTS || begun == 0); --k) {
        const clscan_sum own = clscan_lift(clscan_read(in, k - 1));

        if (begun == 0)
            value = present ? clscan_values_join(own.value, value) : own.value;
        begun += own.begins;
        present = true;
    }
    behind.value = clscan_pair_of(value, begun);
    behind.present = present;
    return behind;
}

// Scan these elements onto `prefix` and store them; returns what precedes the next one.
CLSCAN_FUNCTION clscan_prefix clscan_elements_scan(clscan_source in, clscan_sink out, uint begin, uint end,
                                                   clscan_prefix prefix)
{
    clscan_value value = prefix.value.value;
    clscan_begun begun = prefix.present ? prefix.value.begins : 0;

    for (uint k = begin; k < end; ++k)
        clscan_write(out, k, clscan_segment_step(&value, &begun, clscan_read(in, k)));
    prefix.value = clscan_pair_of(value, begun);
    prefix.present = true;
    return prefix;
}

// At a tile's first element: does what says where segments begin lie aligned for each of its vectors? Lanes have a loop
// for either answer; elsewhere a loop is long, and stands once.
CLSCAN_FUNCTION bool clscan_marks_aligned(clscan_source in)
{
    return clscan_heads_aligned(in.arguments, CLSCAN_VECTOR_AT(in, 0));
}

#if CLSCAN_SEGMENT_LANES || CLSCAN_SEGMENT_SUM_LANES
// A vector in the order of the scan.
CLSCAN_FUNCTION clscan_lanes clscan_lanes_load(clscan_source in, uint k)
{
    return CLSCAN_TURNED_IN_REVERSE(
        *(__global const clscan_loose_lanes *)(clscan_stored(in, const clscan_value) + CLSCAN_VECTOR_AT(in, k)));
}

// The lanes of these elements, in the order of the scan: all their bits are set.
CLSCAN_FUNCTION clscan_lane_bits clscan_marked(uint marks)
{
#if CLSCAN_LANE_BYTES == 1 && CLSCAN_VECTOR_LENGTH == 16
    const ushort16 bits = (ushort16)((ushort)marks) >> (ushort16)(CLSCAN_LANE_NUMBERS) & (ushort16)(1);
    return CLSCAN_TURNED_IN_REVERSE((clscan_lane_bits)(0) - convert_uchar16(bits));
#else
    const clscan_lane_bits bits = (clscan_lane_bits)((CLSCAN_LANE_BITS)marks);
    return CLSCAN_TURNED_IN_REVERSE((clscan_lane_bits)(0) -
                                    (bits >> (clscan_lane_bits)(CLSCAN_LANE_NUMBERS) & (clscan_lane_bits)(1)));
#endif
}

// Inclusive scan of the lanes of each segment by itself (Kogge-Stone). Of the lanes in *own, each the first of its
// segment, it makes those whose segment begins in the vector.
CLSCAN_FUNCTION clscan_lanes clscan_lanes_scan_own(clscan_lanes v, clscan_lane_bits *own)
{
    clscan_lane_bits begun = *own;

    v = select(clscan_lanes_join(CLSCAN_ABOVE_1(CLSCAN_LANE, 0, v), v), v, begun | CLSCAN_LANES_BELOW(1));
    begun |= CLSCAN_ABOVE_1(CLSCAN_LANE_BITS, 0, begun);
    v = select(clscan_lanes_join(CLSCAN_ABOVE_2(CLSCAN_LANE, 0, v), v), v, begun | CLSCAN_LANES_BELOW(2));
    begun |= CLSCAN_ABOVE_2(CLSCAN_LANE_BITS, 0, begun);
#if CLSCAN_VECTOR_LENGTH >= 8
    v = select(clscan_lanes_join(CLSCAN_ABOVE_4(CLSCAN_LANE, 0, v), v), v, begun | CLSCAN_LANES_BELOW(4));
    begun |= CLSCAN_ABOVE_4(CLSCAN_LANE_BITS, 0, begun);
#endif
#if CLSCAN_VECTOR_LENGTH >= 16
    v = select(clscan_lanes_join(CLSCAN_ABOVE_8(CLSCAN_LANE, 0, v), v), v, begun | CLSCAN_LANES_BELOW(8));
    begun |= CLSCAN_ABOVE_8(CLSCAN_LANE_BITS, 0, begun);
#endif
    *own = begun;
    return v;
}
#endif

#if !CLSCAN_SEGMENT_LANES
#if CLSCAN_SEGMENT_SUM_LANES
// What a segment begins with.
CLSCAN_FUNCTION clscan_lanes clscan_lanes_fresh(clscan_arguments arguments)
{
    clscan_lanes fresh = (clscan_lanes)(CLSCAN_SEGMENT_NEUTRAL);

    if (clscan_has_initial(arguments))
        fresh.s0 = clscan_first_value(CLSCAN_SEGMENT_NEUTRAL, arguments);
    return fresh;
}

#if CLSCAN_HEAD_BITS == 1
// How many segments begin in the whole vectors up to `end`. Where bits say so, they are counted 32 at once.
CLSCAN_FUNCTION clscan_begun clscan_bits_counted(bool aligned, clscan_source in, uint end)
{
    const ulong first = CLSCAN_VECTOR_AT(in, 0);
    __global const uchar *bytes = clscan_heads_from(in.arguments, first);
    clscan_begun begun = 0;
    uint k = 0;

    if (first > 0 && first % 8 == 0)
        for (; k + 32 <= end; k += 32)
            begun += popcount(as_uint(vload4(k / 32, bytes)));
    for (; k < end; k += CLSCAN_VECTOR_LENGTH)
        begun += popcount(clscan_heads(in.arguments, CLSCAN_VECTOR_AT(in, k), aligned, false));
    return begun;
}
#endif

// As clscan_elements_total(), of the whole vectors up to `end`. Where the last segment begins is looked for first, and
// all are counted; *known is behind that vector.
CLSCAN_FUNCTION clscan_prefix clscan_vectors_total(bool aligned, clscan_source in, uint end, clscan_prefix behind,
                                                   uint *known)
{
    const clscan_lanes neutral = (clscan_lanes)(CLSCAN_SEGMENT_NEUTRAL);
    const clscan_begun begun_behind = behind.present ? behind.value.begins : 0;
    clscan_begun begun = begun_behind;
    clscan_lanes sum = neutral;
    uint last = 0, firsts = 0;

    *known = end;
    if (end == 0)
        return behind;
#if CLSCAN_HEAD_BITS == 1
    begun += clscan_bits_counted(aligned, in, end);
    for (uint k = end; k > 0 && firsts == 0; k -= CLSCAN_VECTOR_LENGTH) {
        last = k - CLSCAN_VECTOR_LENGTH;
        firsts = clscan_heads(in.arguments, CLSCAN_VECTOR_AT(in, last), aligned, false);
    }
    last = firsts != 0 ? last : 0;
#else
    for (uint k = 0; k < end; k += CLSCAN_VECTOR_LENGTH) {
        const uint heads = clscan_heads(in.arguments, CLSCAN_VECTOR_AT(in, k), aligned, false);

        begun += popcount(heads);
        last = heads != 0 ? k : last;
        firsts = heads != 0 ? heads : firsts;
    }
#endif
    behind.value.begins = begun;
    if (begun_behind != 0)
        return behind;
    if (firsts != 0) {
        const clscan_lanes v = select(clscan_lanes_load(in, last), neutral, CLSCAN_LANES_BELOW(31 - clz(firsts)));

        sum = clscan_lanes_join(clscan_lanes_fresh(in.arguments), v);
        last += CLSCAN_VECTOR_LENGTH;
    }
    *known = last;
    for (; last < end; last += CLSCAN_VECTOR_LENGTH)
        sum = clscan_lanes_join(sum, clscan_lanes_load(in, last));
    behind.value.value = behind.present ? clscan_values_join(clscan_lanes_total(sum), behind.value.value)
                                        : clscan_lanes_total(sum);
    behind.present = true;
    return behind;
}

// Ends in a vector from which on all its sums are found at once: for each by itself the lanes are added up.
#define CLSCAN_MANY_ENDS 3

// The vector `v` at `first`, in which many segments end. `sum` is of the first one so far, in all lanes, and `fresh`
// what others begin with; as many have begun as `begun` says. Returns the sum of the last one.
CLSCAN_FUNCTION clscan_lanes clscan_many_ends(clscan_sink out, ulong first, uint heads, clscan_lanes v,
                                              clscan_lanes sum, clscan_lanes fresh, clscan_begun begun)
{
    clscan_lanes rest = (clscan_lanes)(CLSCAN_SEGMENT_NEUTRAL);
    clscan_lane_bits own = clscan_marked(heads & ((1u << CLSCAN_VECTOR_LENGTH) - 1) & ~1u);
    clscan_value sums[CLSCAN_VECTOR_LENGTH];

    if (clscan_has_initial(out.arguments))
        v = select(v, clscan_lanes_join((clscan_lanes)(fresh.s0), v), own);
    v.s0 = clscan_values_join(clscan_lanes_total(sum), v.s0);
    v = clscan_lanes_scan_own(v, &own);
    CLSCAN_PASTE(vstore, CLSCAN_VECTOR_LENGTH)(v, 0, sums);
    clscan_give_sums(sums, heads >> 1, begun, first, out.arguments);
    rest.s0 = CLSCAN_LAST_LANE(v);
    return rest;
}

// As clscan_elements_scan(), of the whole vectors up to `end`. A segment's sum is added up in all lanes, and told from
// its neighbours' where it ends.
CLSCAN_FUNCTION clscan_prefix clscan_vectors_scan(bool aligned, clscan_source in, clscan_sink out, uint end,
                                                  clscan_prefix prefix, bool stream)
{
    const clscan_lanes neutral = (clscan_lanes)(CLSCAN_SEGMENT_NEUTRAL);
    const clscan_lanes fresh = clscan_lanes_fresh(in.arguments);
    clscan_begun begun = prefix.present ? prefix.value.begins : 0;
    clscan_lanes sum = neutral;
    uint coming;

    if (end == 0)
        return prefix;
    // Else a segment begins at the first element, which asks for no sum before it.
    if (prefix.present)
        sum.s0 = prefix.value.value;
    coming = clscan_heads(in.arguments, CLSCAN_VECTOR_AT(in, 0), aligned, false);
    for (uint k = 0; k < end; k += CLSCAN_VECTOR_LENGTH) {
        const ulong first = CLSCAN_VECTOR_AT(in, k), next = first + CLSCAN_VECTOR_LENGTH;
        const uint firsts = coming;
        clscan_lanes v = clscan_lanes_load(in, k);
        uint heads;

        // What begins behind a vector is asked for once, with the next one.
        coming = k + CLSCAN_VECTOR_LENGTH < end ? clscan_heads(in.arguments, next, aligned, false)
                                                : clscan_heads_at(in.arguments, next - 1, true) >> 1;
        heads = firsts | (coming & 1) << CLSCAN_VECTOR_LENGTH;

        if ((heads & 1) != 0) {
            sum = fresh;
            ++begun;
        }
        if (popcount(heads >> 1) >= CLSCAN_MANY_ENDS) {
            sum = clscan_many_ends(out, first, heads, v, sum, fresh, begun);
            begun += popcount(firsts & ~1u);
            continue;
        }
        for (uint ends = heads >> 1; ends != 0; ends &= ends - 1) {
            const uint behind = 32 - clz(ends & -ends);
            const clscan_lane_bits own = CLSCAN_LANES_BELOW(behind);
            const clscan_lanes whole = clscan_lanes_join(sum, select(neutral, v, own));
            clscan_item item = clscan_no_item();

            clscan_lift(item) = clscan_pair_of(clscan_lanes_total(whole), begun);
            clscan_put(out, heads >> (behind - 1), first + behind - 1, item);
            v = select(v, neutral, own);
            sum = fresh;
            begun += behind < CLSCAN_VECTOR_LENGTH;
        }
        sum = clscan_lanes_join(sum, v);
    }
    prefix.value = clscan_pair_of(clscan_lanes_total(sum), begun);
    prefix.present = true;
    return prefix;
}
#else
// Where segments begin is read for a vector at once, also what the store map asks for.
#define CLSCAN_VECTOR_HEADS(cursor, k, aligned)                                        \
    clscan_heads((cursor).arguments, CLSCAN_VECTOR_AT((cursor), (k)), (aligned),         \
                 CLSCAN_LOADS_NEXT_HEAD || CLSCAN_STORES_NEXT_HEAD)

// As clscan_elements_total(), of the vector at `k`, in which no segment begins: long ones mostly have such.
CLSCAN_FUNCTION clscan_prefix clscan_inner_total(clscan_source in, uint k, clscan_prefix behind)
{
    const ulong first = CLSCAN_VECTOR_AT(in, k);
    const clscan_item begin = CLSCAN_ITEM_AT(in, first + (CLSCAN_REVERSE ? CLSCAN_VECTOR_LENGTH - 1 : 0), 0);
    clscan_value value = clscan_lift(begin).value;

#pragma unroll
    for (uint i = 1; i < CLSCAN_VECTOR_LENGTH; ++i) {
        const uint c = CLSCAN_REVERSE ? CLSCAN_VECTOR_LENGTH - 1 - i : i;

        value = clscan_values_join(value, clscan_lift(CLSCAN_ITEM_AT(in, first + c, 0)).value);
    }
    behind.value = clscan_pair_of(behind.present ? clscan_values_join(value, behind.value.value) : value, 0);
    behind.present = true;
    return behind;
}

// As clscan_elements_total(), of the whole vectors up to `end`.
CLSCAN_FUNCTION clscan_prefix clscan_vectors_total(bool aligned, clscan_source in, uint end, clscan_prefix behind)
{
    uint k = end;
    clscan_begun begun;

    for (; k > 0 && !(behind.present && behind.value.begins != 0); k -= CLSCAN_VECTOR_LENGTH)
        if (CLSCAN_VECTOR_HEADS(in, k - CLSCAN_VECTOR_LENGTH, aligned) == 0)
            behind = clscan_inner_total(in, k - CLSCAN_VECTOR_LENGTH, behind);
        else
            behind = clscan_elements_total(in, k - CLSCAN_VECTOR_LENGTH, k, behind);
    if (!CLSCAN_COUNTS_SEGMENTS)
        return behind;
    begun = behind.value.begins;
    for (; k > 0; k -= CLSCAN_VECTOR_LENGTH)
        begun += popcount(CLSCAN_VECTOR_HEADS(in, k - CLSCAN_VECTOR_LENGTH, aligned) >> CLSCAN_LOADS_NEXT_HEAD &
                          ((1u << CLSCAN_VECTOR_LENGTH) - 1));
    behind.value.begins = begun;
    return behind;
}

// As clscan_elements_scan(), of the whole vectors up to `end`.
CLSCAN_FUNCTION clscan_prefix clscan_vectors_scan(bool aligned, clscan_source in, clscan_sink out, uint end,
                                                  clscan_prefix prefix, bool stream)
{
    clscan_value value = prefix.value.value;
    clscan_begun begun = prefix.present ? prefix.value.begins : 0;

    if (end == 0)
        return prefix;
    for (uint k = 0; k < end; k += CLSCAN_VECTOR_LENGTH) {
        const ulong first = CLSCAN_VECTOR_AT(in, k);
        const uint heads = CLSCAN_VECTOR_HEADS(in, k, aligned);

#if CLSCAN_DISCARDS && !CLSCAN_REVERSE
        // Nothing but sums of segments is asked for, and none ends here.
        if (heads >> 1 == 0) {
            (void)clscan_segment_step(&value, &begun, CLSCAN_ITEM_AT(in, first, heads));
#pragma unroll
            for (uint c = 1; c < CLSCAN_VECTOR_LENGTH; ++c)
                value = clscan_values_join(value, clscan_lift(CLSCAN_ITEM_AT(in, first + c, 0)).value);
            continue;
        }
#if CLSCAN_INCLUSIVE && !CLSCAN_KEEPS_PREVIOUS
        // From one end to the next, so that no element asks whether it is one.
        for (uint c = 0, ends = heads >> 1; c < CLSCAN_VECTOR_LENGTH; ends &= ends - 1) {
            const uint behind = ends != 0 ? 32 - clz(ends & -ends) : CLSCAN_VECTOR_LENGTH;

            (void)clscan_segment_step(&value, &begun, CLSCAN_ITEM_AT(in, first + c, heads >> c));
#pragma unroll 1
            for (++c; c < behind; ++c)
                value = clscan_values_join(value, clscan_lift(CLSCAN_ITEM_AT(in, first + c, 0)).value);
            if (ends != 0) {
                clscan_item item = CLSCAN_ITEM_AT(in, first + behind - 1, heads >> (behind - 1));

                clscan_lift(item) = clscan_pair_of(value, begun);
                clscan_put(out, heads >> (behind - 1), first + behind - 1, item);
            }
        }
        continue;
#endif
#endif
#pragma unroll 1
        for (uint i = 0; i < CLSCAN_VECTOR_LENGTH; ++i) {
            const uint c = CLSCAN_REVERSE ? CLSCAN_VECTOR_LENGTH - 1 - i : i;
            clscan_item item = CLSCAN_ITEM_AT(in, first + c, heads >> c);

            item = clscan_segment_step(&value, &begun, item);
            clscan_put(out, heads >> c, first + c, item);
        }
    }
    prefix.value = clscan_pair_of(value, begun);
    prefix.present = true;
    return prefix;
}
#endif

#define clscan_lanes_stream(out, stream) false
#else
#if CLSCAN_VECTOR_LENGTH == 4
#define CLSCAN_ANY_LANE(v) CLSCAN_ANY_OF_4(v)
#elif CLSCAN_VECTOR_LENGTH == 8
#define CLSCAN_ANY_LANE(v) CLSCAN_ANY_OF_4((v).lo | (v).hi)
#else
#define CLSCAN_ANY_LANE(v) CLSCAN_ANY_OF_4(((v).lo | (v).hi).lo | ((v).lo | (v).hi).hi)
#endif
// OpenCL's any() becomes branches, which processors guess wrong.
#define CLSCAN_ANY_OF_4(v) (((v).s0 | (v).s1 | (v).s2 | (v).s3) != 0)

// Which elements of a vector are the first of their segment in the order of the scan: a bit each, as they lie in
// memory.
CLSCAN_FUNCTION uint clscan_marks(clscan_source in, uint k, bool aligned)
{
    const uint heads = clscan_heads(in.arguments, CLSCAN_VECTOR_AT(in, k), aligned, CLSCAN_LOADS_NEXT_HEAD);

    return heads >> CLSCAN_LOADS_NEXT_HEAD & ((1u << CLSCAN_VECTOR_LENGTH) - 1);
}

// Does a segment begin in a vector? *own are the lanes that are the first of theirs. Where one instruction compares all
// that says so, that is quicker than bits; but at the first vector something may be missing.
CLSCAN_FUNCTION bool clscan_lanes_begin(clscan_source in, uint k, bool aligned, clscan_lane_bits *own)
{
    uint marks;

#if CLSCAN_COMPARES_LANES
    if (CLSCAN_VECTOR_AT(in, k) > 0) {
        *own = CLSCAN_AS_LANE_BITS(clscan_lanes_compared(in.arguments, CLSCAN_VECTOR_AT(in, k)));
        return CLSCAN_ANY_LANE(*own);
    }
#endif
    marks = clscan_marks(in, k, aligned);
    *own = clscan_marked(marks);
    return marks != 0;
}

CLSCAN_FUNCTION void clscan_lanes_store(clscan_sink out, uint k, clscan_lanes v, bool stream)
{
    __global clscan_value *at = clscan_stored(out, clscan_value) + CLSCAN_VECTOR_AT(out, k);

    v = CLSCAN_TURNED_IN_REVERSE(v);
#if CLSCAN_CAN_STREAM
    if (stream) {
        __builtin_nontemporal_store(v, (__global clscan_lanes *)at);
        return;
    }
#endif
    *(__global clscan_loose_lanes *)at = v;
}

// May whole vectors go past the cache? Of a part of a line the rest would be read before it is written.
CLSCAN_FUNCTION bool clscan_lanes_stream(clscan_sink out, bool stream)
{
    return stream && sizeof(clscan_lanes) >= 64 &&
           (ulong)(clscan_stored(out, clscan_value) + CLSCAN_VECTOR_AT(out, 0)) % sizeof(clscan_lanes) == 0;
}

// Inclusive scan of the lanes of a vector in which no segment begins (Kogge-Stone).
CLSCAN_FUNCTION clscan_lanes clscan_lanes_scan(clscan_lanes v)
{
    v = select(clscan_lanes_join(CLSCAN_ABOVE_1(CLSCAN_LANE, 0, v), v), v, CLSCAN_LANES_BELOW(1));
    v = select(clscan_lanes_join(CLSCAN_ABOVE_2(CLSCAN_LANE, 0, v), v), v, CLSCAN_LANES_BELOW(2));
#if CLSCAN_VECTOR_LENGTH >= 8
    v = select(clscan_lanes_join(CLSCAN_ABOVE_4(CLSCAN_LANE, 0, v), v), v, CLSCAN_LANES_BELOW(4));
#endif
#if CLSCAN_VECTOR_LENGTH >= 16
    v = select(clscan_lanes_join(CLSCAN_ABOVE_8(CLSCAN_LANE, 0, v), v), v, CLSCAN_LANES_BELOW(8));
#endif
    return v;
}

// The same of each segment by itself, as clscan_lanes_scan_own(). A first element has the initial value in it.
CLSCAN_FUNCTION clscan_lanes clscan_lanes_scan_firsts(clscan_lanes v, clscan_lane_bits *own, clscan_arguments arguments)
{
    if (clscan_has_initial(arguments))
        v = select(v, clscan_lanes_join((clscan_lanes)(clscan_before_first(arguments)), v), *own);
    return clscan_lanes_scan_own(v, own);
}

// As clscan_elements_total(), of the whole vectors up to `end`.
CLSCAN_FUNCTION clscan_prefix clscan_vectors_total(bool aligned, clscan_source in, uint end, clscan_prefix behind)
{
    clscan_lanes sum = (clscan_lanes)(0); // of vectors in which no segment begins
    clscan_prefix total = clscan_nothing();
    uint k = end;

    if (end == 0 || (behind.present && behind.value.begins != 0))
        return behind;
    for (; k > 0; k -= CLSCAN_VECTOR_LENGTH) {
        clscan_lanes v = clscan_lanes_load(in, k - CLSCAN_VECTOR_LENGTH);
        clscan_lane_bits own;

        if (clscan_lanes_begin(in, k - CLSCAN_VECTOR_LENGTH, aligned, &own)) {
            v = clscan_lanes_scan_firsts(v, &own, in.arguments);
            total = clscan_extend(total, clscan_pair_of(CLSCAN_LAST_LANE(v), 1));
            break;
        }
        sum = k < end ? clscan_lanes_join(v, sum) : v;
    }
    if (k < end) {
        sum = clscan_lanes_scan(sum);
        total = clscan_extend(total, clscan_pair_of(CLSCAN_LAST_LANE(sum), 0));
    }
    return behind.present ? clscan_extend(total, behind.value) : total;
}

// As clscan_elements_scan(), of the whole vectors up to `end`.
CLSCAN_FUNCTION clscan_prefix clscan_vectors_scan(bool aligned, clscan_source in, clscan_sink out, uint end,
                                                  clscan_prefix prefix, bool stream)
{
    clscan_lanes before = (clscan_lanes)(prefix.value.value);
#if !CLSCAN_INCLUSIVE
    const clscan_lanes none = (clscan_lanes)(clscan_before_first(in.arguments));
#endif

    if (end == 0)
        return prefix;
    for (uint k = 0; k < end; k += CLSCAN_VECTOR_LENGTH) {
        clscan_lane_bits own;
        const bool begins = clscan_lanes_begin(in, k, aligned, &own);
        clscan_lanes v = clscan_lanes_load(in, k);
#if !CLSCAN_INCLUSIVE
        const clscan_lane_bits firsts = own;
#endif

        if (begins) {
            v = clscan_lanes_scan_firsts(v, &own, in.arguments);
            v = select(clscan_lanes_join(before, v), v, own);
        } else {
            v = clscan_lanes_join(before, clscan_lanes_scan(v));
        }
#if CLSCAN_INCLUSIVE
        clscan_lanes_store(out, k, v, stream);
#else
        clscan_lanes_store(out, k, select(CLSCAN_ABOVE_1(CLSCAN_LANE, before.s0, v), none, firsts), stream);
#endif
        before = (clscan_lanes)(CLSCAN_LAST_LANE(v));
    }
    prefix.value = clscan_pair_of(before.s0, 1);
    prefix.present = true;
    return prefix;
}
#endif

/// Scan a tile that was not loaded onto `prefix` and store it, in one go. Parameters as in bodies/cached_rows.cl.
CLSCAN_FUNCTION clscan_prefix clscan_tile_pass(clscan_source in, clscan_sink out, uint valid, clscan_prefix prefix,
                                               bool stream)
{
    const uint whole = valid - valid % CLSCAN_VECTOR_LENGTH;

    stream = clscan_lanes_stream(out, stream);
    if (CLSCAN_SEGMENT_LANES && clscan_marks_aligned(in))
        prefix = clscan_vectors_scan(true, in, out, whole, prefix, stream);
    else
        prefix = clscan_vectors_scan(!CLSCAN_SEGMENT_LANES && clscan_marks_aligned(in), in, out, whole, prefix, stream);
    return whole < valid ? clscan_elements_scan(in, out, whole, valid, prefix) : prefix;
}

#if CLSCAN_SEGMENT_SUM_LANES
/// The total of a tile. Parameters as in bodies/strided.cl.
CLSCAN_FUNCTION clscan_sum clscan_tile_total(clscan_tile *tile, __local clscan_zone *zone, clscan_source in, uint valid)
{
    const uint whole = valid - valid % CLSCAN_VECTOR_LENGTH;
    const clscan_prefix behind = clscan_elements_total(in, whole, valid, clscan_nothing());

    tile->in = in;
    tile->total = clscan_vectors_total(clscan_marks_aligned(in), in, whole, behind, &tile->known).value;
    return tile->total;
}

/// Scan the tile onto `prefix` and store it. Parameters as in bodies/strided.cl. Behind the vector in which the last
/// segment begins, the tile's last element is the only one that may end one: so each element is read once.
CLSCAN_FUNCTION void clscan_tile_finish(clscan_tile *tile, __local clscan_zone *zone, clscan_sink out, uint valid,
                                        clscan_prefix prefix, bool stream)
{
    if (valid % CLSCAN_VECTOR_LENGTH > 0) {
        (void)clscan_tile_pass(tile->in, out, valid, prefix, stream);
        return;
    }
    (void)clscan_vectors_scan(clscan_marks_aligned(tile->in), tile->in, out, tile->known, prefix, stream);
    if (tile->known < valid) {
        const uint heads = clscan_heads_at(tile->in.arguments, CLSCAN_AT(tile->in, valid - 1), true);
        clscan_item item = clscan_no_item();

        clscan_lift(item) = clscan_extend(prefix, tile->total).value;
        if (heads >> 1 != 0)
            clscan_put(out, heads, CLSCAN_AT(out, valid - 1), item);
    }
}
#else
/// The total of a tile. Parameters as in bodies/strided.cl.
CLSCAN_FUNCTION clscan_sum clscan_tile_total(clscan_tile *tile, __local clscan_zone *zone, clscan_source in, uint valid)
{
    const uint whole = valid - valid % CLSCAN_VECTOR_LENGTH;
    const clscan_prefix behind = clscan_elements_total(in, whole, valid, clscan_nothing());

    tile->in = in;
    if (CLSCAN_SEGMENT_LANES && clscan_marks_aligned(in))
        return clscan_vectors_total(true, in, whole, behind).value;
    return clscan_vectors_total(!CLSCAN_SEGMENT_LANES && clscan_marks_aligned(in), in, whole, behind).value;
}

/// Scan the tile onto `prefix` and store it. Parameters as in bodies/strided.cl.
CLSCAN_FUNCTION void clscan_tile_finish(clscan_tile *tile, __local clscan_zone *zone, clscan_sink out, uint valid,
                                        clscan_prefix prefix, bool stream)
{
    (void)clscan_tile_pass(tile->in, out, valid, prefix, stream);
}
#endif

/// Finish a tile that is full, and find the total of another one. Parameters as in bodies/cached_rows.cl.
CLSCAN_FUNCTION clscan_sum clscan_tile_finish_and_total(clscan_tile *tile, __local clscan_zone *zone, clscan_sink out,
                                                        clscan_prefix prefix, bool stream, clscan_source next,
                                                        uint next_valid)
{
    clscan_tile_finish(tile, zone, out, CLSCAN_TILE, prefix, stream);
    return clscan_tile_total(tile, zone, next, next_valid);
}
