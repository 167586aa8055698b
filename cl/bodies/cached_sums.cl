// Steps of bodies/cached_rows.cl where sums are scalars whose operands may be reordered, and elements are of another
// type, or pass maps, on their way in or out: elements one by one, which compilers put together again, sums as whole
// vectors. Half is one of these types, also where it is stored as it was loaded.
//
// Required of the host: CLSCAN_SUM_LANES, and what elements/lane_moves.cl requires.
#if !CLSCAN_SUM_LANES
#error "cached sums are for scans of lanes"
#endif
#if CLSCAN_PLAIN
#define CLSCAN_LOADED_HALF 1
#define CLSCAN_STORED_HALF 1
#define CLSCAN_STORED_BYTES CLSCAN_T_BYTES
#define CLSCAN_KEEPS_ELEMENT 0
#define CLSCAN_KEEPS_PREVIOUS 0
#else
#define CLSCAN_LOADED_HALF (!CLSCAN_GENERATES && CLSCAN_IN_HALF)
#define CLSCAN_STORED_HALF CLSCAN_OUT_HALF
#define CLSCAN_STORED_BYTES CLSCAN_OUT_BYTES
#endif

// Halves and floats as vectors: the conversions of OpenCL C go through a function for each element.
#if CLSCAN_LOADED_HALF || CLSCAN_STORED_HALF
typedef CLSCAN_PASTE(ushort, CLSCAN_VECTOR_LENGTH) clscan_halves;
typedef clscan_halves clscan_loose_halves __attribute__((aligned(2)));
typedef CLSCAN_PASTE(uint, CLSCAN_VECTOR_LENGTH) clscan_float_bits;
typedef CLSCAN_PASTE(float, CLSCAN_VECTOR_LENGTH) clscan_floats;
#define CLSCAN_AS_FLOATS CLSCAN_PASTE(as_float, CLSCAN_VECTOR_LENGTH)
#define CLSCAN_AS_FLOAT_BITS CLSCAN_PASTE(as_uint, CLSCAN_VECTOR_LENGTH)
#define CLSCAN_EACH(bits) ((clscan_float_bits)(bits))
#define CLSCAN_WHERE(condition) CLSCAN_AS_FLOAT_BITS(condition)

// Processors have instructions for them, eight at a time.
#define CLSCAN_CONVERTS_HALVES 0
#ifdef __has_builtin
#if defined(__F16C__) && __has_builtin(__builtin_ia32_vcvtph2ps256) && __has_builtin(__builtin_ia32_vcvtps2ph256)
#undef CLSCAN_CONVERTS_HALVES
#define CLSCAN_CONVERTS_HALVES (CLSCAN_VECTOR_LENGTH >= 8)
#endif
#endif
#if CLSCAN_CONVERTS_HALVES
#define CLSCAN_FLOATS_OF_8(halves) __builtin_ia32_vcvtph2ps256(as_short8(halves))
#define CLSCAN_HALVES_OF_8(floats) as_ushort8(__builtin_ia32_vcvtps2ph256((floats), 0)) // to the nearest
#endif

// Exact. A NaN keeps its sign and payload, and becomes quiet.
CLSCAN_FUNCTION clscan_floats clscan_halves_to_floats(clscan_halves halves)
{
#if CLSCAN_CONVERTS_HALVES && CLSCAN_VECTOR_LENGTH == 8
    return CLSCAN_FLOATS_OF_8(halves);
#elif CLSCAN_CONVERTS_HALVES
    return (clscan_floats)(CLSCAN_FLOATS_OF_8(halves.lo), CLSCAN_FLOATS_OF_8(halves.hi));
#else
    const clscan_float_bits bits = CLSCAN_PASTE(convert_uint, CLSCAN_VECTOR_LENGTH)(halves);
    const clscan_float_bits fraction = bits & CLSCAN_EACH(0x3ff);
    const clscan_float_bits magnitude = (bits & CLSCAN_EACH(0x7fff)) << CLSCAN_EACH(13);
    // The exponent's bias is 127 instead of 15; a half without exponent counts units of 2^-24.
    const clscan_float_bits normal = magnitude + CLSCAN_EACH(112 << 23);
    const clscan_float_bits small = CLSCAN_AS_FLOAT_BITS(
        CLSCAN_PASTE(convert_float, CLSCAN_VECTOR_LENGTH)(fraction) * (clscan_floats)(0x1p-24f));
    const clscan_float_bits quiet =
        select(CLSCAN_EACH(0), CLSCAN_EACH(0x400000), CLSCAN_WHERE(fraction != CLSCAN_EACH(0)));
    clscan_float_bits result = select(normal, small, CLSCAN_WHERE(magnitude < CLSCAN_EACH(1 << 23)));

    result = select(result, magnitude | CLSCAN_EACH(0x7f800000) | quiet,
                    CLSCAN_WHERE(magnitude >= CLSCAN_EACH(31 << 23)));
    return CLSCAN_AS_FLOATS(result | (bits & CLSCAN_EACH(0x8000)) << CLSCAN_EACH(16));
#endif
}

// To the nearest, of two as near to the even one. A NaN as above.
CLSCAN_FUNCTION clscan_halves clscan_floats_to_halves(clscan_floats floats)
{
#if CLSCAN_CONVERTS_HALVES && CLSCAN_VECTOR_LENGTH == 8
    return CLSCAN_HALVES_OF_8(floats);
#elif CLSCAN_CONVERTS_HALVES
    return (clscan_halves)(CLSCAN_HALVES_OF_8(floats.lo), CLSCAN_HALVES_OF_8(floats.hi));
#else
    const clscan_float_bits bits = CLSCAN_AS_FLOAT_BITS(floats), magnitude = bits & CLSCAN_EACH(0x7fffffff);
    const clscan_float_bits odd = magnitude >> CLSCAN_EACH(13) & CLSCAN_EACH(1);
    // Too large ones become infinity. Those below 2^-14 are rounded by an addition: units of 0.5 are those of halves.
    const clscan_float_bits normal =
        min((magnitude - CLSCAN_EACH(112 << 23) + CLSCAN_EACH(0xfff) + odd) >> CLSCAN_EACH(13), CLSCAN_EACH(0x7c00));
    const clscan_float_bits small =
        CLSCAN_AS_FLOAT_BITS(CLSCAN_AS_FLOATS(magnitude) + (clscan_floats)(0.5f)) - CLSCAN_EACH(0x3f000000);
    const clscan_float_bits nan = CLSCAN_EACH(0x7e00) | (magnitude >> CLSCAN_EACH(13) & CLSCAN_EACH(0x3ff));
    clscan_float_bits result = select(normal, small, CLSCAN_WHERE(magnitude < CLSCAN_EACH(113 << 23)));

    result = select(result, nan, CLSCAN_WHERE(magnitude > CLSCAN_EACH(0x7f800000)));
    return CLSCAN_PASTE(convert_ushort, CLSCAN_VECTOR_LENGTH)(result | (bits >> CLSCAN_EACH(16) & CLSCAN_EACH(0x8000)));
#endif
}
#endif

// Component c of a vector, a constant. Not of an array that the vector is stored to and loaded from: compilers keep one
// that is long in memory, and do not make vectors of what is done to it.
#ifdef __clang__
#define CLSCAN_COMPONENT(type, vector, c) (vector)[c]
#else
#define CLSCAN_COMPONENT(type, vector, c) ((type *)&(vector))[c]
#endif

// Scalars that are converted and no more, all of a vector at once. Not by OpenCL C's conversions of vectors, which are
// functions for each element in some implementations.
#define CLSCAN_CONVERTS_VECTORS 0
#ifdef __has_builtin
#if __has_builtin(__builtin_convertvector)
#undef CLSCAN_CONVERTS_VECTORS
#define CLSCAN_CONVERTS_VECTORS 1
#endif
#endif

// Elements as maps see them.
#if !CLSCAN_PLAIN && !CLSCAN_GENERATES
#if CLSCAN_IN_HALF
typedef clscan_floats clscan_loaded;
#elif CLSCAN_IN_SCALAR
typedef CLSCAN_PASTE(CLSCAN_IN, CLSCAN_VECTOR_LENGTH) clscan_loaded;
typedef clscan_loaded clscan_loose_loaded __attribute__((aligned(CLSCAN_IN_ALIGN_BYTES)));
#else
typedef struct clscan_loaded {
    CLSCAN_IN_VALUE at[CLSCAN_VECTOR_LENGTH];
} clscan_loaded;
#endif
#if CLSCAN_IN_HALF || CLSCAN_IN_SCALAR
#define CLSCAN_LOADED_ELEMENT(elements, c) CLSCAN_COMPONENT(CLSCAN_IN_VALUE, elements, c)
#else
#define CLSCAN_LOADED_ELEMENT(elements, c) (elements).at[c]
#endif
#endif

// What a step holds of a vector. Sums are in the order of the scan, elements as they lie in memory.
typedef struct clscan_summed {
    clscan_lanes sums;
#if CLSCAN_KEEPS_ELEMENT
    clscan_loaded elements;
#endif
} clscan_summed;

#if CLSCAN_PLAIN
CLSCAN_FUNCTION clscan_summed clscan_summed_load(clscan_source in, uint k)
{
    clscan_summed v;

    v.sums = CLSCAN_TURNED_IN_REVERSE(
        clscan_halves_to_floats(*(__global const clscan_loose_halves *)CLSCAN_VECTOR_AT(in, k)));
    return v;
}

#define CLSCAN_STORED_AT(out, k) CLSCAN_VECTOR_AT(out, k)
#else
CLSCAN_FUNCTION clscan_summed clscan_summed_load(clscan_source in, uint k)
{
    const ulong first = CLSCAN_VECTOR_AT(in, k);
    clscan_lanes sums;
    clscan_summed v;
#if CLSCAN_GENERATES
#pragma unroll
    for (uint c = 0; c < CLSCAN_VECTOR_LENGTH; ++c)
        CLSCAN_COMPONENT(CLSCAN_LANE, sums, c) = clscan_map_load(first + c, in.arguments);
#else
    __global const CLSCAN_IN *from = clscan_stored(in, const CLSCAN_IN) + first;
#if CLSCAN_IN_HALF
    const clscan_floats elements = clscan_halves_to_floats(*(__global const clscan_loose_halves *)from);
#elif CLSCAN_IN_SCALAR
    const clscan_loaded elements = *(__global const clscan_loose_loaded *)from;
#else
    clscan_loaded elements;
#pragma unroll
    for (uint c = 0; c < CLSCAN_VECTOR_LENGTH; ++c)
        elements.at[c] = from[c];
#endif
#if CLSCAN_CONVERTS_VECTORS && CLSCAN_LOAD_CONVERTS
    sums = __builtin_convertvector(elements, clscan_lanes);
#else
#pragma unroll
    for (uint c = 0; c < CLSCAN_VECTOR_LENGTH; ++c)
        CLSCAN_COMPONENT(CLSCAN_LANE, sums, c) =
            clscan_map_load(CLSCAN_LOADED_ELEMENT(elements, c), first + c, in.arguments);
#endif
#if CLSCAN_KEEPS_ELEMENT
    v.elements = elements;
#endif
#endif
    v.sums = CLSCAN_TURNED_IN_REVERSE(sums);
    return v;
}

#define CLSCAN_STORED_AT(out, k) (clscan_stored((out), CLSCAN_OUT) + CLSCAN_VECTOR_AT((out), (k)))
#endif

// Vectors as they leave.
#if CLSCAN_STORED_HALF
typedef clscan_halves clscan_leaving;
#elif CLSCAN_OUT_SCALAR
typedef CLSCAN_PASTE(CLSCAN_OUT, CLSCAN_VECTOR_LENGTH) clscan_leaving;
#endif
#if CLSCAN_PLAIN || CLSCAN_OUT_SCALAR
typedef clscan_leaving clscan_loose_leaving __attribute__((aligned(CLSCAN_STORED_BYTES)));

CLSCAN_FUNCTION void clscan_leave(clscan_sink out, uint k, clscan_leaving v, bool stream)
{
    CLSCAN_STREAM_OR_STORE(clscan_leaving, clscan_loose_leaving, CLSCAN_STORED_AT(out, k), v, stream);
}
#endif

#if !CLSCAN_PLAIN
// Outputs as maps make them.
#if CLSCAN_OUT_HALF
typedef clscan_floats clscan_outputs;
#elif CLSCAN_OUT_SCALAR
typedef clscan_leaving clscan_outputs;
#else
typedef struct clscan_outputs {
    CLSCAN_OUT_VALUE at[CLSCAN_VECTOR_LENGTH];
} clscan_outputs;
#endif
#if CLSCAN_OUT_HALF || CLSCAN_OUT_SCALAR
#define CLSCAN_OUTPUT(outputs, c) CLSCAN_COMPONENT(CLSCAN_OUT_VALUE, outputs, c)
#else
#define CLSCAN_OUTPUT(outputs, c) (outputs).at[c]
#endif
#endif

// Store the outputs of `results`, which `previous` precede one by one.
CLSCAN_FUNCTION void clscan_summed_store(clscan_sink out, uint k, clscan_summed results, clscan_lanes previous,
                                         bool stream)
{
    const clscan_lanes ordered = CLSCAN_TURNED_IN_REVERSE(results.sums);
#if CLSCAN_PLAIN
    clscan_leave(out, k, clscan_floats_to_halves(ordered), stream);
#else
    const ulong first = CLSCAN_VECTOR_AT(out, k);
#if CLSCAN_KEEPS_PREVIOUS
    const clscan_lanes before = CLSCAN_TURNED_IN_REVERSE(previous);
#endif
    clscan_outputs outputs;

#if CLSCAN_CONVERTS_VECTORS && CLSCAN_STORE_CONVERTS
    outputs = __builtin_convertvector(ordered, clscan_outputs);
#else
#pragma unroll
    for (uint c = 0; c < CLSCAN_VECTOR_LENGTH; ++c)
        CLSCAN_OUTPUT(outputs, c) = clscan_map_store(CLSCAN_COMPONENT(CLSCAN_LANE, ordered, c), first + c,
#if CLSCAN_KEEPS_PREVIOUS
                                                     CLSCAN_COMPONENT(CLSCAN_LANE, before, c),
#endif
#if CLSCAN_KEEPS_ELEMENT
                                                     CLSCAN_LOADED_ELEMENT(results.elements, c),
#endif
                                                     out.arguments);
#endif
#if CLSCAN_OUT_HALF
    clscan_leave(out, k, clscan_floats_to_halves(outputs), stream);
#elif CLSCAN_OUT_SCALAR
    clscan_leave(out, k, outputs, stream);
#else
#pragma unroll
    for (uint c = 0; c < CLSCAN_VECTOR_LENGTH; ++c)
        CLSCAN_STORED_AT(out, k)[c] = outputs.at[c];
#endif
#endif
}

// Outputs leave the core in whole lines, as in bodies/cached_rows.cl, if these are not too many vectors.
#define CLSCAN_MOST_STEP_VECTORS 4
#define CLSCAN_LINE_VECTORS (CLSCAN_CACHE_LINE_BYTES / (CLSCAN_VECTOR_LENGTH * CLSCAN_STORED_BYTES))
#if CLSCAN_LINE_VECTORS <= 1
#define CLSCAN_STEP_VECTORS 1
#elif CLSCAN_LINE_VECTORS < CLSCAN_MOST_STEP_VECTORS && CLSCAN_LINE_VECTORS < CLSCAN_CACHED_PIECES
#define CLSCAN_STEP_VECTORS CLSCAN_LINE_VECTORS
#elif CLSCAN_MOST_STEP_VECTORS < CLSCAN_CACHED_PIECES
#define CLSCAN_STEP_VECTORS CLSCAN_MOST_STEP_VECTORS
#else
#define CLSCAN_STEP_VECTORS CLSCAN_CACHED_PIECES
#endif
#define CLSCAN_STEP (CLSCAN_STEP_VECTORS * CLSCAN_VECTOR_LENGTH)

typedef clscan_lanes clscan_unit;
#define clscan_unit_of(value) ((clscan_unit)(value))
#define clscan_unit_value(unit) ((unit).s0)

// Inclusive scan of the lanes of one vector (Kogge-Stone).
CLSCAN_FUNCTION clscan_lanes clscan_sums_inclusive(clscan_lanes v)
{
    v = clscan_lanes_join(v, CLSCAN_ABOVE_1(CLSCAN_LANE, CLSCAN_NEUTRAL, v));
    v = clscan_lanes_join(v, CLSCAN_ABOVE_2(CLSCAN_LANE, CLSCAN_NEUTRAL, v));
#if CLSCAN_VECTOR_LENGTH >= 8
    v = clscan_lanes_join(v, CLSCAN_ABOVE_4(CLSCAN_LANE, CLSCAN_NEUTRAL, v));
#endif
#if CLSCAN_VECTOR_LENGTH >= 16
    v = clscan_lanes_join(v, CLSCAN_ABOVE_8(CLSCAN_LANE, CLSCAN_NEUTRAL, v));
#endif
    return v;
}

CLSCAN_FUNCTION clscan_sum clscan_unit_total(clscan_unit sum)
{
    return CLSCAN_LAST_LANE(clscan_sums_inclusive(sum));
}

// Add the step at `k` to a row's sum; `first`: it is the first one.
CLSCAN_FUNCTION clscan_unit clscan_step_reduce(bool first, clscan_unit sum, clscan_source in, uint k)
{
#pragma unroll
    for (uint i = 0; i < CLSCAN_STEP_VECTORS; ++i) {
        const clscan_lanes v = clscan_summed_load(in, k + i * CLSCAN_VECTOR_LENGTH).sums;
        sum = first && i == 0 ? v : clscan_lanes_join(sum, v);
    }
    return sum;
}

// Scan a step onto what stands in all lanes of `before`, and store it; returns what precedes the next one. With `first`
// it is the first one of all, and nothing precedes it: `before` has neutral operands.
CLSCAN_FUNCTION clscan_unit clscan_steps_scan(bool first, clscan_source in, clscan_sink out, uint k, clscan_unit before,
                                              bool stream)
{
    clscan_summed v[CLSCAN_STEP_VECTORS];
    clscan_lanes previous[CLSCAN_STEP_VECTORS];

#pragma unroll
    for (uint i = 0; i < CLSCAN_STEP_VECTORS; ++i)
        v[i] = clscan_summed_load(in, k + i * CLSCAN_VECTOR_LENGTH);
#pragma unroll
    for (uint i = 0; i < CLSCAN_STEP_VECTORS; ++i) {
        const clscan_lanes own = v[i].sums, scanned = clscan_sums_inclusive(own);
        const clscan_lanes result = clscan_lanes_join(scanned, before);

        previous[i] = CLSCAN_ABOVE_1(CLSCAN_LANE, first && i == 0 ? CLSCAN_IDENTITY_VALUE : before.s0, result);
        v[i].sums = CLSCAN_INCLUSIVE ? result : previous[i];
        if (CLSCAN_INCLUSIVE && first && i == 0)
            v[i].sums.s0 = own.s0;
        before = clscan_lanes_join(before, (clscan_lanes)(CLSCAN_LAST_LANE(scanned)));
    }
#pragma unroll
    for (uint i = 0; i < CLSCAN_STEP_VECTORS; ++i)
        clscan_summed_store(out, k + i * CLSCAN_VECTOR_LENGTH, v[i], previous[i], stream);
    return before;
}

CLSCAN_FUNCTION clscan_unit clscan_step_scan(clscan_source in, clscan_sink out, uint k, clscan_unit before, bool stream)
{
    return clscan_steps_scan(false, in, out, k, before, stream);
}

CLSCAN_FUNCTION clscan_unit clscan_first_step_scan(clscan_source in, clscan_sink out, clscan_prefix prefix, bool stream)
{
    clscan_unit before;

    if (prefix.present)
        return clscan_steps_scan(false, in, out, 0, clscan_unit_of(prefix.value), stream);
#if CLSCAN_PLAIN && CLSCAN_INCLUSIVE
    // The very first output is the input itself, also where a conversion would change a NaN.
    const CLSCAN_T stored = clscan_read(in, 0);
#endif
    before = clscan_steps_scan(true, in, out, 0, clscan_unit_of(CLSCAN_NEUTRAL), stream);
#if CLSCAN_PLAIN && CLSCAN_INCLUSIVE
    clscan_write(out, 0, stored);
#endif
    return before;
}
