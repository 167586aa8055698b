// Nodes of the reproducible order (reproducible/nodes.cl) across the lanes of a sub-group: lane i has the largest node
// that ends with thing i.

/// Make nodes of things. Of each `things` lanes, a power of two, the lanes first .. end - 1 have a thing each, and
/// those before have nodes already.
CLSCAN_FUNCTION clscan_sum clscan_lanes_sweep(__local clscan_sum *scratch, clscan_sum node, uint things, uint first,
                                              uint end)
{
    const uint lane = clscan_lane() % things;

#pragma unroll
    for (uint distance = 1; distance < things; distance *= 2) {
        const clscan_sum below = clscan_shuffle_up(scratch, node, distance);
        // Apart from the other conditions, behind which compilers lose count of the loop's turns.
        const bool completes = (lane + 1) % (2 * distance) == 0;
        if (completes && lane >= first && lane < end)
            node = clscan_join(below, node);
    }
    return node;
}

/// Extend `prefix` by the things 0 .. index - 1 of `things` lanes, the largest node first; `index` is less than that.
CLSCAN_FUNCTION clscan_prefix clscan_lanes_before(__local clscan_sum *scratch, clscan_sum nodes, uint things,
                                                  uint index, clscan_prefix prefix)
{
#pragma unroll
    for (uint digit = things / 2; digit > 0; digit /= 2) {
        const clscan_sum node = clscan_shuffle(scratch, nodes, max(index & ~(digit - 1), 1u) - 1);
        // Not in a branch: Intel's compiler would have no registers left.
        prefix.value = (index & digit) == 0 ? prefix.value : prefix.present ? clscan_join(prefix.value, node) : node;
        prefix.present = prefix.present || (index & digit) != 0;
    }
    return prefix;
}

// This lane's value and that of the lane whose number differs by `distance`, a power of two.
CLSCAN_FUNCTION clscan_sum clscan_lanes_pair(__local clscan_sum *scratch, clscan_sum keep, clscan_sum give,
                                             uint distance)
{
    const clscan_sum got = clscan_shuffle(scratch, give, clscan_lane() ^ distance);

    // Sums and products have the same bits in both orders.
    return !CLSCAN_COMMUTATIVE && (clscan_lane() & distance) ? clscan_join(got, keep) : clscan_join(keep, got);
}

/// The total of a block, to all lanes of its sub-group: runs[r] is what this lane's run of row r combines to. The lanes
/// share the rows out among them, so that this takes 17 shuffles instead of 48. (Compilers unroll a loop inside another
/// only where its turns are constant.)
CLSCAN_FUNCTION clscan_sum clscan_runs_total(__local clscan_sum *scratch, clscan_sum *runs)
{
    clscan_sum row, total;

#pragma unroll
    for (uint rows = CLSCAN_BLOCK_ROWS / 2; rows > 0; rows /= 2) {
        const uint distance = CLSCAN_BLOCK_ROWS / 2 / rows;
        const bool upper = (clscan_lane() & distance) != 0;
#pragma unroll
        for (uint r = 0; r < CLSCAN_BLOCK_ROWS / 2; ++r)
            if (r < rows)
                runs[r] = clscan_lanes_pair(scratch, upper ? runs[r + rows] : runs[r],
                                            upper ? runs[r] : runs[r + rows], distance);
    }
    row = runs[0];
#pragma unroll
    for (uint distance = CLSCAN_BLOCK_ROWS; distance < CLSCAN_ROW_RUNS; distance *= 2)
        row = clscan_lanes_pair(scratch, row, row, distance);
    total = clscan_shuffle(scratch, row, 0);
    // Row r is with the lanes whose last three digits are those of r, the other way round.
#pragma unroll
    for (uint r = 1; r < CLSCAN_BLOCK_ROWS; ++r)
        total = clscan_join(total, clscan_shuffle(scratch, row, (r & 1) << 2 | (r & 2) | r >> 2));
    return total;
}
