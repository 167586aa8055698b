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

/// Inclusive scan over the first `lanes` lanes (Kogge-Stone); the values of the others are never operands, and their
/// results unspecified.
CLSCAN_FUNCTION CLSCAN_A clscan_sub_group_scan(__local CLSCAN_A *scratch, CLSCAN_A value, uint lanes)
{
    const uint lane = clscan_lane();

#pragma unroll
    for (uint distance = 1; distance < CLSCAN_SUB_GROUP_SIZE; distance *= 2) {
        const CLSCAN_A below = clscan_shuffle_up(scratch, value, distance);
        if (lane >= distance && lane < lanes)
            value = clscan_combine(below, value);
    }
    return value;
}

/// Scan of one value per sub-group across the work-group; all lanes of a sub-group have its value.
///
/// scratch  callers pass a barrier between two uses
/// groups   sub-groups that have a value, at least 1: the first ones
/// left     receives the combination of the sub-groups before this one; unspecified for the first and beyond `groups`
/// returns  the combination of all, to every work-item
CLSCAN_FUNCTION CLSCAN_A clscan_sub_groups_scan(__local CLSCAN_A *scratch, CLSCAN_A value, uint groups, CLSCAN_A *left)
{
    const uint lane = clscan_lane();
    CLSCAN_A scanned;

    if (lane == 0)
        scratch[clscan_sub_group()] = value;
    barrier(CLK_LOCAL_MEM_FENCE);
    // Each sub-group scans all values for itself: that needs no second barrier.
    scanned = clscan_sub_group_scan(scratch, scratch[min(lane, (uint)CLSCAN_SUB_GROUPS - 1)], groups);
    *left = clscan_shuffle(scratch, scanned, max(clscan_sub_group(), 1u) - 1);
    return clscan_shuffle(scratch, scanned, groups - 1);
}
