// Tile body `coalesced`: the 3D matrix of StreamScan (figures 6 and 8). Thread groups of
// CLSCAN_THREAD_GROUP_SIZE work-items transpose blocks of their own, so that nobody outside the thread group takes
// part in the exchange. The rest is tile_transposed.cl.
//
// The paper relies on the lock-step of a warp where this file synchronises; there is none on today's GPUs.
//   CLSCAN_SUB_GROUP_SYNC  CLSCAN_SYNC_PTX or CLSCAN_SYNC_SUB_GROUP where the host knows that a thread group lies
//                          inside one sub-group, else CLSCAN_SYNC_WORK_GROUP
#if !defined(CLSCAN_SUB_GROUP_SYNC)
#error "CLSCAN_SUB_GROUP_SYNC must be defined"
#endif
#define CLSCAN_TRANSPOSE_ITEMS CLSCAN_THREAD_GROUP_SIZE
#if CLSCAN_SUB_GROUP_SYNC == CLSCAN_SYNC_PTX
#define CLSCAN_TRANSPOSE_SYNC() __asm__ volatile("bar.warp.sync 0xffffffff;" ::: "memory")
#elif CLSCAN_SUB_GROUP_SYNC == CLSCAN_SYNC_SUB_GROUP
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
#define CLSCAN_TRANSPOSE_SYNC() sub_group_barrier(CLK_LOCAL_MEM_FENCE)
#else
#define CLSCAN_TRANSPOSE_SYNC() barrier(CLK_LOCAL_MEM_FENCE)
#endif
