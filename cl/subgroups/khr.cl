// Exchange inside a sub-group by OpenCL's extensions. The compiler may choose larger sub-groups than
// CLSCAN_SUB_GROUP_SIZE, of which each then holds several of ours. Extensions that only add
// functions need no pragma, and clang knows none for the shuffles.
#pragma OPENCL EXTENSION cl_khr_subgroups : enable

CLSCAN_FUNCTION uint clscan_shuffle_up_bits(uint bits, uint distance)
{
    return sub_group_shuffle_up(bits, distance);
}

CLSCAN_FUNCTION uint clscan_shuffle_bits(uint bits, uint lane)
{
    const uint own = get_sub_group_local_id();
    return sub_group_shuffle(bits, own - own % CLSCAN_SUB_GROUP_SIZE + lane);
}

// What other lanes have done with local memory, this one sees.
CLSCAN_FUNCTION void clscan_sub_group_meet(void)
{
    sub_group_barrier(CLK_LOCAL_MEM_FENCE);
}
