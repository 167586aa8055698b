// Where the compiler chooses how large sub-groups are, anew for each kernel, but takes a size that a kernel requires:
// cl_intel_required_subgroup_size. Every kernel that uses sub-groups requires its work-group size; the attribute of the
// sub-groups' size joins that one.
//
// Required of the host: CLSCAN_REQUIRED_SUB_GROUP_SIZE.
#if !defined(CLSCAN_REQUIRED_SUB_GROUP_SIZE) || CLSCAN_REQUIRED_SUB_GROUP_SIZE == 0
#error "CLSCAN_REQUIRED_SUB_GROUP_SIZE must be defined"
#endif
#define reqd_work_group_size(x, y, z) \
    reqd_work_group_size(x, y, z), intel_reqd_sub_group_size(CLSCAN_REQUIRED_SUB_GROUP_SIZE)
