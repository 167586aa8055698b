// Exchange and scans by shuffles, which the file before this one gives for 32 bits of every work-item:
// clscan_shuffle_up_bits() and clscan_shuffle_bits().
#define CLSCAN_EXCHANGE 0

#if CLSCAN_A_BYTES > 4
#define CLSCAN_SHUFFLED(shuffle, value, by)                                                     \
    clscan_from_bits((ulong)shuffle((uint)clscan_to_bits(value), (by)) |                         \
                     (ulong)shuffle((uint)(clscan_to_bits(value) >> 32), (by)) << 32)
#else
#define CLSCAN_SHUFFLED(shuffle, value, by) clscan_from_bits(shuffle((uint)clscan_to_bits(value), (by)))
#endif

/// The value of the work-item `distance` lanes below; unspecified in lanes that have none.
CLSCAN_FUNCTION CLSCAN_A clscan_shuffle_up(__local CLSCAN_A *scratch, CLSCAN_A value, uint distance)
{
    return CLSCAN_SHUFFLED(clscan_shuffle_up_bits, value, distance);
}

/// The value of one lane, in all of them.
CLSCAN_FUNCTION CLSCAN_A clscan_shuffle(__local CLSCAN_A *scratch, CLSCAN_A value, uint lane)
{
    return CLSCAN_SHUFFLED(clscan_shuffle_bits, value, lane);
}

// Inclusive scan over the first `lanes` of each `width` lanes, a power of two (Kogge-Stone).
CLSCAN_FUNCTION CLSCAN_A clscan_segment_scan(__local CLSCAN_A *scratch, CLSCAN_A value, uint lanes, uint width)
{
    const uint lane = clscan_lane() % width;

#pragma unroll
    for (uint distance = 1; distance < width; distance *= 2) {
        const CLSCAN_A below = clscan_shuffle_up(scratch, value, distance);
        if (lane >= distance && lane < lanes)
            value = clscan_combine(below, value);
    }
    return value;
}

// The combination of the first `lanes` of each `width` lanes, to all of them.
CLSCAN_FUNCTION CLSCAN_A clscan_segment_total(__local CLSCAN_A *scratch, CLSCAN_A value, uint lanes, uint width)
{
#if CLSCAN_COMMUTATIVE && !CLSCAN_REPRODUCIBLE
    if (clscan_lane() % width >= lanes)
        value = CLSCAN_NEUTRAL;
#pragma unroll
    for (uint distance = 1; distance < width; distance *= 2)
        value = clscan_combine(value, clscan_shuffle(scratch, value, clscan_lane() ^ distance));
    return value;
#else
    return clscan_shuffle(scratch, clscan_segment_scan(scratch, value, lanes, width), max(lanes, 1u) - 1);
#endif
}

/// Inclusive scan over the first `lanes` lanes; the values of the others are never operands, and their results
/// unspecified.
CLSCAN_FUNCTION CLSCAN_A clscan_sub_group_scan(__local CLSCAN_A *scratch, CLSCAN_A value, uint lanes)
{
    return clscan_segment_scan(scratch, value, lanes, CLSCAN_SUB_GROUP_SIZE);
}

/// The combination of the first `lanes` lanes' values, in all lanes; unspecified if `lanes` is 0.
CLSCAN_FUNCTION CLSCAN_A clscan_sub_group_total(__local CLSCAN_A *scratch, CLSCAN_A value, uint lanes)
{
#ifdef CLSCAN_REDUX
    return clscan_redux(clscan_lane() < lanes ? value : (CLSCAN_A)(CLSCAN_IDENTITY));
#else
    return clscan_segment_total(scratch, value, lanes, CLSCAN_SUB_GROUP_SIZE);
#endif
}

/// The combination of the sub-groups' values, to every work-item.
///
/// groups  sub-groups that have a value, at least 1: the first ones
CLSCAN_FUNCTION CLSCAN_A clscan_sub_groups_total(__local CLSCAN_A *scratch, __local const CLSCAN_A *values, uint groups)
{
    const CLSCAN_A value = clscan_sub_groups_gather(values);
#ifdef CLSCAN_REDUX
    return clscan_sub_group_total(scratch, value, groups);
#else
    return clscan_segment_total(scratch, value, groups, CLSCAN_GATHER_LANES);
#endif
}

/// The same, and *left receives the combination of the sub-groups before this one; unspecified for the first and beyond
/// `groups`.
CLSCAN_FUNCTION CLSCAN_A clscan_sub_groups_scan(__local CLSCAN_A *scratch, __local const CLSCAN_A *values, uint groups,
                                                CLSCAN_A *left)
{
    // Each sub-group combines all values for itself: that needs no second barrier.
    CLSCAN_A value = clscan_sub_groups_gather(values), total;

#ifdef CLSCAN_REDUX
    total = clscan_sub_group_total(scratch, value, groups);
    *left = clscan_sub_group_total(scratch, value, clscan_sub_group());
#else
    value = clscan_segment_scan(scratch, value, groups, CLSCAN_GATHER_LANES);
    total = clscan_shuffle(scratch, value, groups - 1);
    *left = clscan_shuffle(scratch, value, max(clscan_sub_group(), 1u) - 1);
#endif
    return total;
}
