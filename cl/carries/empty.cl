// A scan of nothing: its total is the initial value, or the identity.

/// Arguments as for clscan_single(); one work-item.
__kernel void clscan_empty(uint flags, clscan_initial initial, __global const CLSCAN_A *initial_at,
                           ulong initial_offset, __global CLSCAN_A *total_at, ulong total_offset)
{
    clscan_store_total(flags, total_at + total_offset,
                       clscan_initial_prefix(flags, initial, initial_at + initial_offset));
}
