// Exchange by local memory, for devices without shuffles or whose sub-groups are unknown. The host chooses the size
// of a sub-group here, which is none of the device's; so these functions pass barriers, and all work-items of the
// work-group come to them together.
#define CLSCAN_EXCHANGE CLSCAN_WORK_GROUP_SIZE

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

/// As in subgroups/shuffles.cl. One after the other, since barriers cost more than the few operands of a sub-group.
#if !CLSCAN_REPRODUCIBLE
CLSCAN_FUNCTION clscan_sum clscan_sub_group_scan(__local clscan_sum *scratch, clscan_sum value, uint lanes)
{
    const uint lid = (uint)get_local_id(0), lane = clscan_lane();
    clscan_sum sum;

    scratch[lid] = value;
    barrier(CLK_LOCAL_MEM_FENCE);
    sum = scratch[lid - lane];
    for (uint i = 1; i <= lane && i < lanes; ++i)
        sum = clscan_join(sum, scratch[lid - lane + i]);
    barrier(CLK_LOCAL_MEM_FENCE);
    return sum;
}
#else
// The values of neighbouring lanes as a tree. Not in a loop over a stack, for which registers would not do.
#define CLSCAN_TREE(lanes, half)                                                                     \
    CLSCAN_FUNCTION clscan_sum clscan_tree_##lanes(__local const clscan_sum *values)                     \
    {                                                                                                \
        return clscan_join(clscan_tree_##half(values), clscan_tree_##half(values + (half)));      \
    }
#define clscan_tree_1(values) (*(values))
CLSCAN_TREE(2, 1)
CLSCAN_TREE(4, 2)
CLSCAN_TREE(8, 4)
CLSCAN_TREE(16, 8)
CLSCAN_TREE(32, 16)

// Extend `sum` by the next `lanes` values, if that is a digit of `operands`.
#define CLSCAN_TREE_EXTEND(lanes)                              \
    if (operands & (lanes)) {                                  \
        sum = clscan_extend(sum, clscan_tree_##lanes(values)); \
        values += (lanes);                                     \
    }

/// The same, grouped as by shuffles, of 32 lanes: as trees of 2^k lanes, the smallest first, one for every 1 digit of
/// the number of lanes up to this one.
CLSCAN_FUNCTION clscan_sum clscan_sub_group_scan(__local clscan_sum *scratch, clscan_sum value, uint lanes)
{
    const uint lane = clscan_lane(), operands = lane < lanes ? lane + 1 : 0;
    __local const clscan_sum *values = scratch + (get_local_id(0) - lane);
    clscan_prefix sum = clscan_nothing();

    scratch[get_local_id(0)] = value;
    barrier(CLK_LOCAL_MEM_FENCE);
    CLSCAN_TREE_EXTEND(1)
    CLSCAN_TREE_EXTEND(2)
    CLSCAN_TREE_EXTEND(4)
    CLSCAN_TREE_EXTEND(8)
    CLSCAN_TREE_EXTEND(16)
    CLSCAN_TREE_EXTEND(32)
    barrier(CLK_LOCAL_MEM_FENCE);
    return sum.value;
}
#endif

/// As in subgroups/shuffles.cl.
CLSCAN_FUNCTION clscan_sum clscan_sub_group_total(__local clscan_sum *scratch, clscan_sum value, uint lanes)
{
    return clscan_shuffle(scratch, clscan_sub_group_scan(scratch, value, lanes), max(lanes, 1u) - 1);
}

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
