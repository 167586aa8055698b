// Scan of one value per work-item across the work-group: Brent and Kung's tree, up and down in place (PMPP
// chapter 11; Brent and Kung, IEEE Trans. Computers, 1982).

#define CLSCAN_SCRATCH CLSCAN_WORK_GROUP_SIZE

/// Combine the values of the first `items` work-items; those of the others are never used as operands: a node
/// covers items up to its own index, so a node below `items` has only operands below it.
///
/// scratch  CLSCAN_SCRATCH accumulators of local memory. Callers pass a barrier between two uses.
/// left     receives the combination of all items before this one; unspecified for item 0 and beyond `items`
/// returns  the combination of all, to every item
CLSCAN_FUNCTION clscan_sum clscan_group_scan(__local clscan_sum *scratch, clscan_sum value, uint items,
                                             clscan_sum *left)
{
    const uint lid = (uint)get_local_id(0);

    scratch[lid] = value;
    for (uint distance = 1; distance < CLSCAN_WORK_GROUP_SIZE; distance *= 2) {
        const uint node = (lid + 1) * 2 * distance - 1;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (node < items)
            scratch[node] = clscan_join(scratch[node - distance], scratch[node]);
    }
    for (uint distance = CLSCAN_WORK_GROUP_SIZE / 4; distance > 0; distance /= 2) {
        const uint node = (lid + 1) * 2 * distance - 1;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (node + distance < items)
            scratch[node + distance] = clscan_join(scratch[node], scratch[node + distance]);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    *left = scratch[lid > 0 ? lid - 1 : 0];
    return scratch[items - 1];
}

/// The combination of the values of the first `items` work-items, to every item.
CLSCAN_FUNCTION clscan_sum clscan_group_total(__local clscan_sum *scratch, clscan_sum value, uint items)
{
    clscan_sum left;
    return clscan_group_scan(scratch, value, items, &left);
}
