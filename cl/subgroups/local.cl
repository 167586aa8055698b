// Exchange by local memory, for devices without shuffles or whose sub-groups are unknown. The host chooses the size
// of a sub-group here, which is none of the device's; so these functions pass barriers, and all work-items of the
// work-group come to them together.
#define CLSCAN_EXCHANGE CLSCAN_WORK_GROUP_SIZE
#define CLSCAN_SHARES_SUMS 0

// What other lanes have done with local memory, this one sees.
CLSCAN_FUNCTION void clscan_sub_group_meet(void)
{
    barrier(CLK_LOCAL_MEM_FENCE);
}

CLSCAN_FUNCTION clscan_sum clscan_exchange(__local clscan_sum *scratch, clscan_sum value, uint from)
{
    clscan_sum result;

    scratch[get_local_id(0)] = value;
    barrier(CLK_LOCAL_MEM_FENCE);
    result = scratch[from];
    // The next exchange overwrites what slower work-items still read.
    barrier(CLK_LOCAL_MEM_FENCE);
    return result;
}

CLSCAN_FUNCTION clscan_sum clscan_shuffle_up(__local clscan_sum *scratch, clscan_sum value, uint distance)
{
    const uint lid = (uint)get_local_id(0);
    return clscan_exchange(scratch, value, lid >= distance ? lid - distance : lid);
}

CLSCAN_FUNCTION clscan_sum clscan_shuffle(__local clscan_sum *scratch, clscan_sum value, uint lane)
{
    const uint lid = (uint)get_local_id(0);
    return clscan_exchange(scratch, value, lid - lid % CLSCAN_SUB_GROUP_SIZE + lane);
}

// What lanes have of a scan: all that callers ask for, since asking later would take two barriers each time. PoCL makes
// a loop over the work-items of what stands between two barriers, and compiles each of them.
typedef struct clscan_scanned {
    clscan_sum own, below, all;
} clscan_scanned;

#define clscan_sums_own(scanned) ((scanned).own)
#define clscan_sums_below(scratch, scanned) ((scanned).below)
#define clscan_sums_all(scratch, scanned, lanes) ((scanned).all)

#if !CLSCAN_REPRODUCIBLE
/// As in subgroups/shuffles.cl. One after the other, since barriers cost more than the few operands of a sub-group.
CLSCAN_FUNCTION clscan_scanned clscan_sub_group_sums(__local clscan_sum *scratch, clscan_sum value, uint lanes)
{
    const uint lane = clscan_lane();
    __local const clscan_sum *values = scratch + (get_local_id(0) - lane);
    clscan_scanned scanned;
    clscan_sum sum;

    scratch[get_local_id(0)] = value;
    barrier(CLK_LOCAL_MEM_FENCE);
    sum = values[0];
    scanned.own = sum;
    scanned.below = sum;
    for (uint i = 1; i < lanes; ++i) {
        if (i == lane)
            scanned.below = sum;
        sum = clscan_join(sum, values[i]);
        if (i == lane)
            scanned.own = sum;
    }
    scanned.all = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    return scanned;
}
#else
/// The same, grouped as by shuffles (Kogge-Stone). In a loop, which is little code: where each lane joined the trees of
/// its operands, PoCL took twice as long to compile reproducible `lookahead` without optimization.
CLSCAN_FUNCTION clscan_scanned clscan_sub_group_sums(__local clscan_sum *scratch, clscan_sum value, uint lanes)
{
    const uint lane = clscan_lane();
    __local clscan_sum *sums = scratch + (get_local_id(0) - lane);
    clscan_scanned scanned;

    sums[lane] = value;
    barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll 1
    for (uint distance = 1; distance < CLSCAN_SUB_GROUP_SIZE; distance *= 2) {
        const bool joins = lane >= distance && lane < lanes;
        const clscan_sum below = sums[joins ? lane - distance : lane];

        barrier(CLK_LOCAL_MEM_FENCE);
        if (joins)
            sums[lane] = clscan_join(below, sums[lane]);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    scanned.own = sums[lane];
    scanned.below = sums[max(lane, 1u) - 1];
    scanned.all = sums[max(lanes, 1u) - 1];
    barrier(CLK_LOCAL_MEM_FENCE);
    return scanned;
}
#endif

/// As in subgroups/shuffles.cl.
CLSCAN_FUNCTION clscan_sum clscan_sub_group_total(__local clscan_sum *scratch, clscan_sum value, uint lanes)
{
    return clscan_sub_group_sums(scratch, value, lanes).all;
}

#define clscan_sub_group_end clscan_sub_group_total
#define clscan_sums_end clscan_sums_all
#define clscan_end_lane(lanes) 0

/// As in subgroups/shuffles.cl.
CLSCAN_FUNCTION clscan_sum clscan_sub_groups_scan(__local clscan_sum *scratch, __local const clscan_sum *values,
                                                  uint groups, clscan_sum *left)
{
    clscan_sum sum = values[0];

    *left = sum;
    for (uint i = 1; i < groups; ++i) {
        if (i == clscan_sub_group())
            *left = sum;
        sum = clscan_join(sum, values[i]);
    }
    return sum;
}

/// As in subgroups/shuffles.cl.
CLSCAN_FUNCTION clscan_sum clscan_sub_groups_total(__local clscan_sum *scratch, __local const clscan_sum *values,
                                                   uint groups)
{
    clscan_sum left;
    return clscan_sub_groups_scan(scratch, values, groups, &left);
}
