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
CLSCAN_FUNCTION CLSCAN_A clscan_group_scan(__local CLSCAN_A *scratch, CLSCAN_A value, uint items, CLSCAN_A *left)
{
    const uint lanes = clscan_lanes_of(items);
    const CLSCAN_A scanned = clscan_sub_group_scan(scratch, value, lanes);
    const CLSCAN_A below = clscan_shuffle_up(scratch, scanned, 1);
    const CLSCAN_A last = clscan_shuffle(scratch, scanned, max(lanes, 1u) - 1);
    CLSCAN_A before, total;

    clscan_sub_group_put(clscan_sub_group_values(scratch), last);
    barrier(CLK_LOCAL_MEM_FENCE);
    total = clscan_sub_groups_scan(scratch, clscan_sub_group_values(scratch), clscan_sub_groups_of(items), &before);

    if (clscan_sub_group() == 0)
        *left = below;
    else if (clscan_lane() == 0)
        *left = before;
    else if (clscan_lane() < lanes)
        *left = clscan_combine(before, below);
    return total;
}

/// As in group_scans/kogge_stone.cl.
CLSCAN_FUNCTION CLSCAN_A clscan_group_total(__local CLSCAN_A *scratch, CLSCAN_A value, uint items)
{
    const CLSCAN_A part = clscan_sub_group_total(scratch, value, clscan_lanes_of(items));

    clscan_sub_group_put(clscan_sub_group_values(scratch), part);
    barrier(CLK_LOCAL_MEM_FENCE);
    return clscan_sub_groups_total(scratch, clscan_sub_group_values(scratch), clscan_sub_groups_of(items));
}
