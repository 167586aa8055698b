// What processors have for selections of body `cached_rows`, and compilers do not find in loops: bits of bytes
// (elements/narrow.cl), and bytes that move to places that a register names. Elsewhere both are left to them.
#define CLSCAN_PACKS 0
#ifdef __has_builtin
#if CLSCAN_SELECT_COPIES && !CLSCAN_SELECT_REST && CLSCAN_OUT_SCALAR && CLSCAN_OUT_BYTES <= 4 && \
    CLSCAN_CACHED_PIECES * CLSCAN_VECTOR_LENGTH % 4 == 0 && CLSCAN_HAS_BYTE_MASKS && defined(__SSSE3__) && \
    __has_builtin(__builtin_ia32_pshufb128)
#undef CLSCAN_PACKS
#define CLSCAN_PACKS 1
#endif
#endif

#if CLSCAN_HAS_BYTE_MASKS
// Sixteen answers, 0 or 0xff.
typedef union clscan_answers {
    uchar bytes[16];
    char16 vector;
} clscan_answers;
#endif

#if CLSCAN_PACKS
// Outputs as bits, and four of them at any place.
#if CLSCAN_OUT_BYTES == 4
typedef uint clscan_bits;
typedef uint4 clscan_four __attribute__((aligned(4)));
#define CLSCAN_BYTES_OF(c) (0x03020100 + 0x04040404 * (c))
#define CLSCAN_FOUR_WIDEN(four) as_char16(four)
#define CLSCAN_FOUR_NARROW(bytes) as_uint4(bytes)
#elif CLSCAN_OUT_BYTES == 2
typedef ushort clscan_bits;
typedef ulong clscan_four __attribute__((aligned(2)));
#define CLSCAN_BYTES_OF(c) (0x0100 + 0x0202 * (c))
#define CLSCAN_FOUR_WIDEN(four) as_char16((ulong2)((four), 0))
#define CLSCAN_FOUR_NARROW(bytes) as_ulong2(bytes).s0
#else
typedef uchar clscan_bits;
typedef uint clscan_four __attribute__((aligned(1)));
#define CLSCAN_BYTES_OF(c) (c)
#define CLSCAN_FOUR_WIDEN(four) as_char16((uint4)((four), 0, 0, 0))
#define CLSCAN_FOUR_NARROW(bytes) as_uint4(bytes).s0
#endif

// For each way of keeping some of four outputs: where the bytes come from that stand side by side then.
#define CLSCAN_PACKING(a, b, c, d) {CLSCAN_BYTES_OF(a), CLSCAN_BYTES_OF(b), CLSCAN_BYTES_OF(c), CLSCAN_BYTES_OF(d)}
__constant clscan_bits clscan_packings[16][4] __attribute__((aligned(16))) = {
    CLSCAN_PACKING(0, 0, 0, 0), CLSCAN_PACKING(0, 0, 0, 0), CLSCAN_PACKING(1, 0, 0, 0), CLSCAN_PACKING(0, 1, 0, 0),
    CLSCAN_PACKING(2, 0, 0, 0), CLSCAN_PACKING(0, 2, 0, 0), CLSCAN_PACKING(1, 2, 0, 0), CLSCAN_PACKING(0, 1, 2, 0),
    CLSCAN_PACKING(3, 0, 0, 0), CLSCAN_PACKING(0, 3, 0, 0), CLSCAN_PACKING(1, 3, 0, 0), CLSCAN_PACKING(0, 1, 3, 0),
    CLSCAN_PACKING(2, 3, 0, 0), CLSCAN_PACKING(0, 2, 3, 0), CLSCAN_PACKING(1, 2, 3, 0), CLSCAN_PACKING(0, 1, 2, 3)};

/// Store the outputs of those of `count` elements, a multiple of four, whose bits are set, from place `number` on, and
/// return the number behind them. All `count` places may be overwritten.
CLSCAN_FUNCTION clscan_sum clscan_packed_store(clscan_source in, clscan_sink out, uint count, uint bits,
                                               clscan_sum number)
{
    const ulong first = CLSCAN_AT(in, 0);
    __global clscan_bits *to = clscan_stored(out, clscan_bits);

#pragma unroll
    for (uint c = 0; c < count; c += 4) {
        const uint own = bits >> c & 15;
        const char16 packing = CLSCAN_FOUR_WIDEN(*(__constant clscan_four *)clscan_packings[own]);
        union {
            CLSCAN_OUT at[4];
            clscan_four four;
        } outputs;

#pragma unroll
        for (uint i = 0; i < 4; ++i)
            outputs.at[i] = clscan_output_of(clscan_item_at(in, first + c + i), 0, first + c + i, out.arguments);
        *(__global clscan_four *)(to + number) =
            CLSCAN_FOUR_NARROW(__builtin_ia32_pshufb128(CLSCAN_FOUR_WIDEN(outputs.four), packing));
        number += popcount(own);
    }
    return number;
}
#endif
