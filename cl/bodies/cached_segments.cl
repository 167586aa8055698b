// Tile body `cached_rows` in scans by segments, in the place of bodies/cached_rows.cl: one work-item scans a tile as
// one row. What a tile hands on is the sum of its last segment, so its total is looked for from behind and mostly
// found soon; the whole tile is walked only once, to be scanned.
//
// Where operands may be reordered and nothing but values is loaded and stored (CLSCAN_SEGMENT_LANES), whole vectors are
// scanned at once. All else goes element by element. Where nothing but the sums of segments is asked for, tiles are
// those of bodies/cached_offsets.cl or bodies/cached_heads.cl.
//
// Required of the host: what bodies/cached_tiles.cl requires, of whose rows only the tile's size depends here, and
//   CLSCAN_SEGMENT_LANES     1 or 0; if 1: CLSCAN_LANE, the type of a value, CLSCAN_LANE_BITS, the unsigned integer of
//                            its size, CLSCAN_LANE_BYTES, and clscan_lanes_join(), the operator of
//                            CLSCAN_VECTOR_LENGTH values at once
//   CLSCAN_COMPARES_LANES    with CLSCAN_SEGMENT_LANES, 1 or 0; if 1: clscan_lanes_compared(), which of a vector's
//                            elements begin a segment, signed lanes of 0 or -1, but not of the very first vector
//                            (both in src/program/segments.c)
#if !CLSCAN_SEGMENTED || CLSCAN_DISCARDS || CLSCAN_REPRODUCIBLE || !defined(CLSCAN_SEGMENT_LANES)
#error "cached segments are for scans by segments"
#endif

typedef struct clscan_tile {
    clscan_source in; // cursor at the tile's first element
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

#if !CLSCAN_SEGMENT_LANES
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

#define clscan_lanes_stream(out, stream) false
#else
// A vector in the order of the scan.
CLSCAN_FUNCTION clscan_lanes clscan_lanes_load(clscan_source in, uint k)
{
    return CLSCAN_TURNED_IN_REVERSE(
        *(__global const clscan_loose_lanes *)(clscan_stored(in, const clscan_value) + CLSCAN_VECTOR_AT(in, k)));
}

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

    CLSCAN_STREAM_OR_STORE(clscan_lanes, clscan_loose_lanes, at, CLSCAN_TURNED_IN_REVERSE(v), stream);
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
