// Scan of one value per work-item across the work-group: each sub-group scans its values by shuffles, and then all
// scan the sub-groups' totals; one barrier (LightScan, algorithm 3).

// The sub-group's lanes that are among the first `items` work-items.
CLSCAN_FUNCTION uint clscan_lanes_of(uint items)
{
    const uint first = clscan_sub_group() * CLSCAN_SUB_GROUP_SIZE;
    return items > first ? min(items - first, (uint)CLSCAN_SUB_GROUP_SIZE) : 0;
}

CLSCAN_FUNCTION uint clscan_sub_groups_of(uint items)
{
    return (items + CLSCAN_SUB_GROUP_SIZE - 1) / CLSCAN_SUB_GROUP_SIZE;
}

/// As in group_scans/kogge_stone.cl.
CLSCAN_FUNCTION clscan_sum clscan_group_scan(__local clscan_sum *scratch, clscan_sum value, uint items,
                                             clscan_sum *left)
{
    const uint lanes = clscan_lanes_of(items);
    const clscan_scanned scanned = clscan_sub_group_sums(scratch, value, lanes);
    const clscan_sum below = clscan_sums_below(scratch, scanned);
    const clscan_sum last = clscan_sums_end(scratch, scanned, lanes);
    clscan_sum before, total;

    clscan_sub_group_put(clscan_sub_group_values(scratch), last, clscan_end_lane(lanes));
    barrier(CLK_LOCAL_MEM_FENCE);
    total = clscan_sub_groups_scan(scratch, clscan_sub_group_values(scratch), clscan_sub_groups_of(items), &before);

    if (clscan_sub_group() == 0)
        *left = below;
    else if (clscan_lane() == 0)
        *left = before;
    else if (clscan_lane() < lanes)
        *left = clscan_join(before, below);
    return total;
}

/// As in group_scans/kogge_stone.cl.
CLSCAN_FUNCTION clscan_sum clscan_group_total(__local clscan_sum *scratch, clscan_sum value, uint items)
{
    const uint lanes = clscan_lanes_of(items);
    const clscan_sum part = clscan_sub_group_end(scratch, value, lanes);

    clscan_sub_group_put(clscan_sub_group_values(scratch), part, clscan_end_lane(lanes));
    barrier(CLK_LOCAL_MEM_FENCE);
    return clscan_sub_groups_total(scratch, clscan_sub_group_values(scratch), clscan_sub_groups_of(items));
}
