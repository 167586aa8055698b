// Scan of one value per work-item across the work-group: Kogge and Stone's network, double-buffered so that one
// barrier per step is enough (PMPP chapter 11; Kogge and Stone, IEEE Trans. Computers, 1973).

#define CLSCAN_SCRATCH (2 * CLSCAN_WORK_GROUP_SIZE)

/// Combine the values of the first `items` work-items; those of the others are never used as operands.
///
/// scratch  CLSCAN_SCRATCH accumulators of local memory. Callers pass a barrier between two uses.
/// left     receives the combination of all items before this one; unspecified for item 0 and beyond `items`
/// returns  the combination of all, to every item
CLSCAN_FUNCTION clscan_sum clscan_group_scan(__local clscan_sum *scratch, clscan_sum value, uint items,
                                             clscan_sum *left)
{
    const uint lid = (uint)get_local_id(0);
    uint from = 0;

    scratch[lid] = value;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint distance = 1; distance < CLSCAN_WORK_GROUP_SIZE; distance *= 2) {
        clscan_sum sum = scratch[from + lid];
        if (lid >= distance && lid < items)
            sum = clscan_join(scratch[from + lid - distance], sum);
        from ^= CLSCAN_WORK_GROUP_SIZE;
        scratch[from + lid] = sum;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    *left = scratch[from + (lid > 0 ? lid - 1 : 0)];
    return scratch[from + items - 1];
}

/// The combination of the values of the first `items` work-items, to every item.
CLSCAN_FUNCTION clscan_sum clscan_group_total(__local clscan_sum *scratch, clscan_sum value, uint items)
{
    clscan_sum left;
    return clscan_group_scan(scratch, value, items, &left);
}
