// Sub-groups: CLSCAN_SUB_GROUP_SIZE work-items with neighbouring ids, a power of two. A work-group is a whole number of
// them, and of no more than a sub-group has work-items.
//
// The file behind this one gives exchange and scans inside a sub-group and across sub-groups. All of a sub-group's
// work-items come to these functions together; with subgroups/local.cl, all of the work-group's. Their `scratch` is
// CLSCAN_SCRATCH accumulators of local memory, of which the first CLSCAN_EXCHANGE may be used again at once. The others
// are for one value of each sub-group, which all read behind a barrier.
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

#define clscan_sub_group_values(scratch) ((scratch) + CLSCAN_EXCHANGE)

/// Before that barrier. `lane` has the sub-group's value.
CLSCAN_FUNCTION void clscan_sub_group_put(__local clscan_sum *values, clscan_sum value, uint lane)
{
    if (clscan_lane() == lane)
        values[clscan_sub_group()] = value;
}

// Lanes that hold one value per sub-group: the next power of two.
#if CLSCAN_SUB_GROUPS <= 1
#define CLSCAN_GATHER_LANES 1
#elif CLSCAN_SUB_GROUPS <= 2
#define CLSCAN_GATHER_LANES 2
#elif CLSCAN_SUB_GROUPS <= 4
#define CLSCAN_GATHER_LANES 4
#elif CLSCAN_SUB_GROUPS <= 8
#define CLSCAN_GATHER_LANES 8
#elif CLSCAN_SUB_GROUPS <= 16
#define CLSCAN_GATHER_LANES 16
#elif CLSCAN_SUB_GROUPS <= 32
#define CLSCAN_GATHER_LANES 32
#else
#define CLSCAN_GATHER_LANES CLSCAN_SUB_GROUP_SIZE
#endif

// The values of sub-groups, to the first CLSCAN_SUB_GROUPS of each CLSCAN_GATHER_LANES lanes.
CLSCAN_FUNCTION clscan_sum clscan_sub_groups_gather(__local const clscan_sum *values)
{
    return values[min(clscan_lane() % CLSCAN_GATHER_LANES, (uint)CLSCAN_SUB_GROUPS - 1)];
}
