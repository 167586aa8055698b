// Exchange inside a sub-group by NVIDIA PTX, compute capability 7.0 and newer: a warp of 32 work-items. NVIDIA's OpenCL
// has no sub-group extension.
//
// Required of the host:
//   CLSCAN_PTX_REDUX  1 if the device reduces across a warp by itself (compute capability 8.0 and newer)
//   CLSCAN_PTX_PAIRS  1 if it compares two integers of 16 bits with two others at once (9.0 and newer)
//   CLSCAN_SIGNED     1 if the element type is a signed integer
#if !defined(CLSCAN_PTX_REDUX) || !defined(CLSCAN_PTX_PAIRS) || !defined(CLSCAN_SIGNED)
#error "CLSCAN_PTX_REDUX, CLSCAN_PTX_PAIRS and CLSCAN_SIGNED must be defined"
#endif

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

// Bit i of the result: what lane i says.
#define CLSCAN_BALLOT(said) clscan_ballot(said)
CLSCAN_FUNCTION uint clscan_ballot(bool said)
{
    uint result;
    __asm__ volatile("{ .reg .pred p; setp.ne.u32 p, %1, 0; vote.sync.ballot.b32 %0, p, 0xffffffff; }"
                     : "=r"(result)
                     : "r"((uint)said));
    return result;
}

// Have the line at an address brought into the level-2 cache. Harmless behind the end of a buffer.
#define CLSCAN_FETCH_LINE(address) __asm__ volatile("prefetch.global.L2 [%0];" ::"l"(address))

// A sleep of no time, across which NVIDIA's assembler moves no load.
#define CLSCAN_BEGIN_LOADS() __asm__ volatile("nanosleep.u32 0;" ::: "memory")

// What other lanes have done with local memory, this one sees.
CLSCAN_FUNCTION void clscan_sub_group_meet(void)
{
    __asm__ volatile("bar.warp.sync 0xffffffff;" ::: "memory");
}

// The operators of redux.sync, for integers of up to 32 bits; wider ones are added up in pieces.
#if CLSCAN_PTX_REDUX && CLSCAN_A_SCALAR && !CLSCAN_FLOATING && \
    (CLSCAN_A_BYTES <= 4 || CLSCAN_OPERATOR == CLSCAN_OPERATOR_ADD)
#if CLSCAN_OPERATOR == CLSCAN_OPERATOR_ADD
#define CLSCAN_REDUX "add.u32"
#elif CLSCAN_OPERATOR == CLSCAN_OPERATOR_MIN && CLSCAN_SIGNED
#define CLSCAN_REDUX "min.s32"
#elif CLSCAN_OPERATOR == CLSCAN_OPERATOR_MIN
#define CLSCAN_REDUX "min.u32"
#elif CLSCAN_OPERATOR == CLSCAN_OPERATOR_MAX && CLSCAN_SIGNED
#define CLSCAN_REDUX "max.s32"
#elif CLSCAN_OPERATOR == CLSCAN_OPERATOR_MAX
#define CLSCAN_REDUX "max.u32"
#elif CLSCAN_OPERATOR == CLSCAN_OPERATOR_AND
#define CLSCAN_REDUX "and.b32"
#elif CLSCAN_OPERATOR == CLSCAN_OPERATOR_OR
#define CLSCAN_REDUX "or.b32"
#elif CLSCAN_OPERATOR == CLSCAN_OPERATOR_XOR
#define CLSCAN_REDUX "xor.b32"
#endif
#endif

#ifdef CLSCAN_REDUX
CLSCAN_FUNCTION uint clscan_redux_bits(uint value)
{
    uint result;
    __asm__ volatile("redux.sync." CLSCAN_REDUX " %0, %1, 0xffffffff;" : "=r"(result) : "r"(value));
    return result;
}

CLSCAN_FUNCTION clscan_sum clscan_redux(clscan_sum value)
{
#if CLSCAN_A_BYTES == 8
    // Of 27 bits, those of 32 lanes have 32.
    const uint piece = (1u << 27) - 1;
    const ulong bits = (ulong)value, low = clscan_redux_bits((uint)bits & piece),
                middle = clscan_redux_bits((uint)(bits >> 27) & piece), high = clscan_redux_bits((uint)(bits >> 54));

    return (clscan_sum)(low + (middle << 27) + (high << 54));
#else
    return (clscan_sum)clscan_redux_bits((uint)value);
#endif
}
#endif

// What NVIDIA's GPUs have for packed elements, which elements/cells.cl does in several steps elsewhere.

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

// Of `low` with `high` above it, shifted to the left by the lowest five bits of `bits`, the upper half.
#define CLSCAN_FUNNEL(low, high, bits) clscan_funnel((low), (high), (bits))
CLSCAN_FUNCTION uint clscan_funnel(uint low, uint high, uint bits)
{
    uint result;
    __asm__("shf.l.wrap.b32 %0, %1, %2, %3;" : "=r"(result) : "r"(low), "r"(high), "r"(bits));
    return result;
}

// Of `low` with `high` above it, shifted to the right by up to 32 `bits`, the lower half.
#define CLSCAN_FUNNEL_DOWN(low, high, bits) clscan_funnel_down((low), (high), (bits))
CLSCAN_FUNCTION uint clscan_funnel_down(uint low, uint high, uint bits)
{
    uint result;
    __asm__("shf.r.clamp.b32 %0, %1, %2, %3;" : "=r"(result) : "r"(low), "r"(high), "r"(bits));
    return result;
}

// Set the bits of three words in local memory, beside whatever other lanes do there.
#define CLSCAN_LOCAL_OR(to, first, second, third) clscan_local_or((to), (first), (second), (third))
CLSCAN_FUNCTION void clscan_local_or(__local uint *to, uint first, uint second, uint third)
{
    __asm__ volatile("red.shared.or.b32 [%0], %1; red.shared.or.b32 [%0+4], %2; red.shared.or.b32 [%0+8], %3;" ::"r"(
                         (uint)(ulong)to),
                     "r"(first), "r"(second), "r"(third)
                     : "memory");
}

// The lesser, and the greater, of each half of two registers.
#if CLSCAN_PTX_PAIRS && CLSCAN_SIGNED
#define CLSCAN_PAIRS_OF "s16x2"
#elif CLSCAN_PTX_PAIRS
#define CLSCAN_PAIRS_OF "u16x2"
#endif

#if CLSCAN_PTX_PAIRS
#define CLSCAN_LESSER_PAIRS(a, b) clscan_lesser_pairs((a), (b))
CLSCAN_FUNCTION uint clscan_lesser_pairs(uint a, uint b)
{
    uint result;
    __asm__("min." CLSCAN_PAIRS_OF " %0, %1, %2;" : "=r"(result) : "r"(a), "r"(b));
    return result;
}

#define CLSCAN_GREATER_PAIRS(a, b) clscan_greater_pairs((a), (b))
CLSCAN_FUNCTION uint clscan_greater_pairs(uint a, uint b)
{
    uint result;
    __asm__("max." CLSCAN_PAIRS_OF " %0, %1, %2;" : "=r"(result) : "r"(a), "r"(b));
    return result;
}
#endif
