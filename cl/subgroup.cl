// Sub-groups: CLSCAN_SUB_GROUP_SIZE work-items with neighbouring ids, a power of two. A work-group is a whole number of
// them, and of no more than a sub-group has work-items.
//
// The file behind this one gives exchange and scans inside a sub-group and across sub-groups. All of a sub-group's
// work-items come to these functions together; with subgroup_local.cl, all of the work-group's. Their `scratch` is
// CLSCAN_SCRATCH accumulators of local memory, of which the first CLSCAN_EXCHANGE may be used again at once.
//
// Required of the host: CLSCAN_SUB_GROUP_SIZE.
#if !defined(CLSCAN_SUB_GROUP_SIZE) || CLSCAN_SUB_GROUP_SIZE == 0
#error "CLSCAN_SUB_GROUP_SIZE must be defined"
#endif
#define CLSCAN_SUB_GROUPS (CLSCAN_WORK_GROUP_SIZE / CLSCAN_SUB_GROUP_SIZE)
#define CLSCAN_SCRATCH (CLSCAN_EXCHANGE + CLSCAN_SUB_GROUPS)

CLSCAN_FUNCTION uint clscan_lane(void)
{
    return (uint)get_local_id(0) % CLSCAN_SUB_GROUP_SIZE;
}

CLSCAN_FUNCTION uint clscan_sub_group(void)
{
    return (uint)get_local_id(0) / CLSCAN_SUB_GROUP_SIZE;
}
