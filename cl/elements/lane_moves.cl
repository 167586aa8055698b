// Vectors of values as lanes, for body cached_rows where problems are not plain: bodies/cached_segments.cl,
// bodies/cached_runs.cl and what stands behind that, and bodies/cached_sums.cl. Plain ones have elements/lanes.cl.
//
// Required of the host: CLSCAN_LANE, the type of a value, CLSCAN_LANE_BITS, the unsigned integer of its size,
// CLSCAN_LANE_BYTES, and clscan_lanes_join(), the operator of CLSCAN_VECTOR_LENGTH values at once, whose operands may
// be reordered.
#if !defined(CLSCAN_LANE) || !defined(CLSCAN_LANE_BITS) || !defined(CLSCAN_LANE_BYTES) || \
    CLSCAN_VECTOR_LENGTH < CLSCAN_LEAST_LANES
#error "lanes must be defined, and vectors long enough"
#endif
typedef CLSCAN_PASTE(CLSCAN_LANE, CLSCAN_VECTOR_LENGTH) clscan_lanes;
// At any alignment: on a CPU, a vector that is aligned all the same costs no more to load or store this way.
typedef clscan_lanes clscan_loose_lanes __attribute__((aligned(CLSCAN_LANE_BYTES)));

// Lanes of a vector of `type` moved up by 1, 2, 4, 8; those that have nothing to their left are `fill`. And so many of
// the lowest ones moved down by as many, where it does not matter what the others are.
#define CLSCAN_LANES_OF(type, n) CLSCAN_PASTE(type, n)
#define CLSCAN_FILLED(type, n, fill) ((CLSCAN_LANES_OF(type, n))(fill))
#if CLSCAN_VECTOR_LENGTH == 4
#define CLSCAN_ABOVE_1(type, fill, v) ((CLSCAN_LANES_OF(type, 4))((fill), (v).s01, (v).s2))
#define CLSCAN_ABOVE_2(type, fill, v) ((CLSCAN_LANES_OF(type, 4))(CLSCAN_FILLED(type, 2, fill), (v).s01))
#define CLSCAN_BELOW_1(v) ((v).s1111)
#define CLSCAN_BELOW_2(v) ((v).s2323)
#define CLSCAN_LAST_LANE(v) ((v).s3)
#define CLSCAN_TURNED(v) ((v).wzyx)
#elif CLSCAN_VECTOR_LENGTH == 8
#define CLSCAN_ABOVE_1(type, fill, v) ((CLSCAN_LANES_OF(type, 8))((fill), (v).s0123, (v).s45, (v).s6))
#define CLSCAN_ABOVE_2(type, fill, v) ((CLSCAN_LANES_OF(type, 8))(CLSCAN_FILLED(type, 2, fill), (v).s0123, (v).s45))
#define CLSCAN_ABOVE_4(type, fill, v) ((CLSCAN_LANES_OF(type, 8))(CLSCAN_FILLED(type, 4, fill), (v).s0123))
#define CLSCAN_BELOW_1(v) ((v).s11111111)
#define CLSCAN_BELOW_2(v) ((v).s23232323)
#define CLSCAN_BELOW_4(v) ((v).s45674567)
#define CLSCAN_LAST_LANE(v) ((v).s7)
#define CLSCAN_TURNED(v) ((v).s76543210)
#else
#define CLSCAN_ABOVE_1(type, fill, v) \
    ((CLSCAN_LANES_OF(type, 16))((fill), (v).s01234567, (v).s89ab, (v).scd, (v).se))
#define CLSCAN_ABOVE_2(type, fill, v) \
    ((CLSCAN_LANES_OF(type, 16))(CLSCAN_FILLED(type, 2, fill), (v).s01234567, (v).s89ab, (v).scd))
#define CLSCAN_ABOVE_4(type, fill, v) \
    ((CLSCAN_LANES_OF(type, 16))(CLSCAN_FILLED(type, 4, fill), (v).s01234567, (v).s89ab))
#define CLSCAN_ABOVE_8(type, fill, v) ((CLSCAN_LANES_OF(type, 16))(CLSCAN_FILLED(type, 8, fill), (v).s01234567))
#define CLSCAN_BELOW_1(v) ((v).s1111111111111111)
#define CLSCAN_BELOW_2(v) ((v).s2323232323232323)
#define CLSCAN_BELOW_4(v) ((v).s4567456745674567)
#define CLSCAN_BELOW_8(v) ((v).s89abcdef89abcdef)
#define CLSCAN_LAST_LANE(v) ((v).sf)
#define CLSCAN_TURNED(v) ((v).sfedcba9876543210)
#endif
#if CLSCAN_REVERSE
#define CLSCAN_TURNED_IN_REVERSE(v) CLSCAN_TURNED(v)
#else
#define CLSCAN_TURNED_IN_REVERSE(v) (v)
#endif

// Lanes of which all bits are set or none.
typedef CLSCAN_PASTE(CLSCAN_LANE_BITS, CLSCAN_VECTOR_LENGTH) clscan_lane_bits;
#define CLSCAN_AS_LANE_BITS CLSCAN_PASTE(as_, CLSCAN_PASTE(CLSCAN_LANE_BITS, CLSCAN_VECTOR_LENGTH))

#if CLSCAN_VECTOR_LENGTH == 4
#define CLSCAN_LANE_NUMBERS 0, 1, 2, 3
#elif CLSCAN_VECTOR_LENGTH == 8
#define CLSCAN_LANE_NUMBERS 0, 1, 2, 3, 4, 5, 6, 7
#else
#define CLSCAN_LANE_NUMBERS 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
#endif
#define CLSCAN_LANES_BELOW(n) CLSCAN_AS_LANE_BITS((clscan_lane_bits)(CLSCAN_LANE_NUMBERS) < (clscan_lane_bits)(n))

// All lanes combined. The widest step is the first one, unlike in a scan: half of the lanes are done with after each.
CLSCAN_FUNCTION CLSCAN_LANE clscan_lanes_total(clscan_lanes v)
{
#if CLSCAN_VECTOR_LENGTH >= 16
    v = clscan_lanes_join(v, CLSCAN_BELOW_8(v));
#endif
#if CLSCAN_VECTOR_LENGTH >= 8
    v = clscan_lanes_join(v, CLSCAN_BELOW_4(v));
#endif
    v = clscan_lanes_join(v, CLSCAN_BELOW_2(v));
    v = clscan_lanes_join(v, CLSCAN_BELOW_1(v));
    return v.s0;
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
