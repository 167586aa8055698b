// What NVIDIA PTX has for packed elements, which cells.cl does in several steps elsewhere.

// A value of which the compiler does not know that it is its argument.
#define CLSCAN_OPAQUE(bits) clscan_opaque(bits)
CLSCAN_FUNCTION uint clscan_opaque(uint bits)
{
    uint same;
    __asm__ volatile("mov.b32 %0, %1;" : "=r"(same) : "r"(bits));
    return same;
}

// The sum of the four bytes of `cell`, and `sum`.
#define CLSCAN_ADD_BYTES(cell, sum) clscan_add_bytes((cell), (sum))
CLSCAN_FUNCTION uint clscan_add_bytes(uint cell, uint sum)
{
    uint result;
    __asm__("dp4a.u32.u32 %0, %1, %2, %3;" : "=r"(result) : "r"(cell), "r"(0x01010101u), "r"(sum));
    return result;
}

// Four of the eight bytes of `low` and `high`, which are counted from the lowest one on.
#define CLSCAN_BYTES(low, high, selector) clscan_bytes((low), (high), (selector))
CLSCAN_FUNCTION uint clscan_bytes(uint low, uint high, uint selector)
{
    uint result;
    __asm__("prmt.b32 %0, %1, %2, %3;" : "=r"(result) : "r"(low), "r"(high), "r"(selector));
    return result;
}
