// Exchange inside a sub-group by NVIDIA PTX, compute capability 7.0 and newer: a warp of 32 work-items. NVIDIA's OpenCL
// has no sub-group extension.
CLSCAN_FUNCTION uint clscan_shuffle_up_bits(uint bits, uint distance)
{
    uint result;
    __asm__ volatile("shfl.sync.up.b32 %0, %1, %2, 0, 0xffffffff;" : "=r"(result) : "r"(bits), "r"(distance));
    return result;
}

CLSCAN_FUNCTION uint clscan_shuffle_bits(uint bits, uint lane)
{
    uint result;
    __asm__ volatile("shfl.sync.idx.b32 %0, %1, %2, 0x1f, 0xffffffff;" : "=r"(result) : "r"(bits), "r"(lane));
    return result;
}
