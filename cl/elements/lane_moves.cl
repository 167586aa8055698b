// Vectors of values as lanes, for body cached_rows where problems are not plain: bodies/cached_segments.cl and
// bodies/cached_sums.cl. Plain ones have elements/lanes.cl.
//
// Required of the host: CLSCAN_LANE, the type of a value, CLSCAN_LANE_BYTES, and clscan_lanes_join(), the operator of
// CLSCAN_VECTOR_LENGTH values at once, whose operands may be reordered.
#if !defined(CLSCAN_LANE) || !defined(CLSCAN_LANE_BYTES) || CLSCAN_VECTOR_LENGTH < CLSCAN_LEAST_LANES
#error "lanes must be defined, and vectors long enough"
#endif
typedef CLSCAN_PASTE(CLSCAN_LANE, CLSCAN_VECTOR_LENGTH) clscan_lanes;
// At any alignment: on a CPU, a vector that is aligned all the same costs no more to load or store this way.
typedef clscan_lanes clscan_loose_lanes __attribute__((aligned(CLSCAN_LANE_BYTES)));

// Lanes of a vector of `type` moved up by 1, 2, 4, 8; those that have nothing to their left are `fill`.
#define CLSCAN_LANES_OF(type, n) CLSCAN_PASTE(type, n)
#define CLSCAN_FILLED(type, n, fill) ((CLSCAN_LANES_OF(type, n))(fill))
#if CLSCAN_VECTOR_LENGTH == 4
#define CLSCAN_ABOVE_1(type, fill, v) ((CLSCAN_LANES_OF(type, 4))((fill), (v).s01, (v).s2))
#define CLSCAN_ABOVE_2(type, fill, v) ((CLSCAN_LANES_OF(type, 4))(CLSCAN_FILLED(type, 2, fill), (v).s01))
#define CLSCAN_LAST_LANE(v) ((v).s3)
#define CLSCAN_TURNED(v) ((v).wzyx)
#elif CLSCAN_VECTOR_LENGTH == 8
#define CLSCAN_ABOVE_1(type, fill, v) ((CLSCAN_LANES_OF(type, 8))((fill), (v).s0123, (v).s45, (v).s6))
#define CLSCAN_ABOVE_2(type, fill, v) ((CLSCAN_LANES_OF(type, 8))(CLSCAN_FILLED(type, 2, fill), (v).s0123, (v).s45))
#define CLSCAN_ABOVE_4(type, fill, v) ((CLSCAN_LANES_OF(type, 8))(CLSCAN_FILLED(type, 4, fill), (v).s0123))
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
#define CLSCAN_LAST_LANE(v) ((v).sf)
#define CLSCAN_TURNED(v) ((v).sfedcba9876543210)
#endif
#if CLSCAN_REVERSE
#define CLSCAN_TURNED_IN_REVERSE(v) CLSCAN_TURNED(v)
#else
#define CLSCAN_TURNED_IN_REVERSE(v) (v)
#endif
