// A scan of nothing: its total is the initial value, or the identity.

/// One work-item.
__kernel void clscan_empty(CLSCAN_RUN_PARAMETERS)
{
    clscan_store_total(run.flags, total_at + run.total_offset, clscan_initial_prefix(&run, initial_at));
}
