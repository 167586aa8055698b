// Exchange inside a sub-group by OpenCL's extensions.
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
#pragma OPENCL EXTENSION cl_khr_subgroup_shuffle : enable
#pragma OPENCL EXTENSION cl_khr_subgroup_shuffle_relative : enable

CLSCAN_FUNCTION uint clscan_shuffle_up_bits(uint bits, uint distance)
{
    return sub_group_shuffle_up(bits, distance);
}

CLSCAN_FUNCTION uint clscan_shuffle_bits(uint bits, uint lane)
{
    return sub_group_shuffle(bits, lane);
}
