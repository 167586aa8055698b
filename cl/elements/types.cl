// Element type, accumulator type and vectors of elements.
//
// A problem is "plain" if its elements are scalars of OpenCL C that are stored, accumulated and written as they are,
// half with its accumulator float included. Code that rests on more than that a sum has a size and an operator stands
// behind CLSCAN_PLAIN.
//
// Required of the host (src/program/compose.c):
//   CLSCAN_PLAIN          1 for plain problems; 0: elements are of a type of the caller's, whose source comes first
//   CLSCAN_T              element type in memory; ushort (the bits) for half
//   CLSCAN_A              accumulator type; float for half, else CLSCAN_T
//   CLSCAN_T_BYTES        size of CLSCAN_T; with CLSCAN_T_ALIGN_BYTES, its alignment, if the problem is not plain
//   CLSCAN_BITS           unsigned type of CLSCAN_A's size; uint if the problem is not plain
//   CLSCAN_WIDE           unsigned type in which integers are computed, so that they wrap: uint or ulong
//   CLSCAN_HALF           1 if elements are half
//   CLSCAN_FLOATING       1 if CLSCAN_A is a floating-point type
//   CLSCAN_VECTOR_LENGTH  elements per global load: 1, 2, 4, 8 or 16
//   CLSCAN_REPRODUCIBLE   1 if every device must give the same bits
#if !defined(CLSCAN_T) || !defined(CLSCAN_A) || !defined(CLSCAN_BITS) || !defined(CLSCAN_WIDE)
#error "CLSCAN_T, CLSCAN_A, CLSCAN_BITS and CLSCAN_WIDE must be defined"
#endif
#if !defined(CLSCAN_PLAIN) || !defined(CLSCAN_T_BYTES)
#error "CLSCAN_PLAIN and CLSCAN_T_BYTES must be defined"
#endif
#if !defined(CLSCAN_HALF) || !defined(CLSCAN_FLOATING) || !defined(CLSCAN_VECTOR_LENGTH) || \
    !defined(CLSCAN_REPRODUCIBLE)
#error "CLSCAN_HALF, CLSCAN_FLOATING, CLSCAN_VECTOR_LENGTH and CLSCAN_REPRODUCIBLE must be defined"
#endif
#if !CLSCAN_PLAIN && (!defined(CLSCAN_T_ALIGN_BYTES) || CLSCAN_T_BYTES > 64 || CLSCAN_REPRODUCIBLE)
#error "a type of the caller's has an alignment, at most 64 bytes, and no reproducible order"
#endif

// A fused multiply-add in one variant and not in another would give other bits.
#pragma OPENCL FP_CONTRACT OFF

#define CLSCAN_PASTE_(a, b) a##b
#define CLSCAN_PASTE(a, b) CLSCAN_PASTE_(a, b)
// Inlined always: tiles live in registers only if no call stands between, and PoCL 3.1 (LLVM 15) crashes when its
// own inliner meets a non-temporal store in a function.
#define CLSCAN_FUNCTION static inline __attribute__((always_inline))

// Elements as they are loaded together, and one by one. No union of the two: compilers turn it into integers as wide
// as the vector, which Oclgrind 21.10 cannot run and Mesa's rusticl 22.3 computed wrongly.
#if CLSCAN_VECTOR_LENGTH == 1
typedef CLSCAN_T clscan_vector;
#define clscan_unpack(vector, elements) ((elements)[0] = (vector))
#define clscan_pack(elements) ((elements)[0])
#elif !CLSCAN_PLAIN
typedef struct clscan_vector {
    CLSCAN_T at[CLSCAN_VECTOR_LENGTH];
} clscan_vector;

CLSCAN_FUNCTION void clscan_unpack(clscan_vector vector, CLSCAN_T *elements)
{
#pragma unroll
    for (uint c = 0; c < CLSCAN_VECTOR_LENGTH; ++c)
        elements[c] = vector.at[c];
}

CLSCAN_FUNCTION clscan_vector clscan_pack(const CLSCAN_T *elements)
{
    clscan_vector vector;
#pragma unroll
    for (uint c = 0; c < CLSCAN_VECTOR_LENGTH; ++c)
        vector.at[c] = elements[c];
    return vector;
}
#else
typedef CLSCAN_PASTE(CLSCAN_T, CLSCAN_VECTOR_LENGTH) clscan_vector;
#define clscan_unpack(vector, elements) CLSCAN_PASTE(vstore, CLSCAN_VECTOR_LENGTH)((vector), 0, (elements))
#define clscan_pack(elements) CLSCAN_PASTE(vload, CLSCAN_VECTOR_LENGTH)(0, (elements))
#endif

#if CLSCAN_HALF
// The conversions of some devices replace a NaN by another one. Where every device must give the same bits, sign and
// payload stay (the NaN becomes quiet); elsewhere that would take as long as the scan (NVIDIA H100 and H200).
CLSCAN_FUNCTION CLSCAN_A clscan_lift(CLSCAN_T stored)
{
#if CLSCAN_REPRODUCIBLE
    const uint bits = stored;
    if ((bits & 0x7fffu) > 0x7c00u)
        return as_float((bits & 0x8000u) << 16 | 0x7fc00000u | (bits & 0x3ffu) << 13);
#endif
    return vload_half(0, (const __private half *)&stored);
}

CLSCAN_FUNCTION CLSCAN_T clscan_lower(CLSCAN_A value)
{
    CLSCAN_T stored;
#if CLSCAN_REPRODUCIBLE
    const uint bits = as_uint(value);
    if (value != value)
        return (CLSCAN_T)((bits >> 16 & 0x8000u) | 0x7e00u | (bits >> 13 & 0x3ffu));
#endif
    vstore_half_rte(value, 0, (__private half *)&stored);
    return stored;
}
#else
#define clscan_lift(stored) (stored)
#define clscan_lower(value) (value)
#endif

#if !CLSCAN_PLAIN
// Host and device agree about the type, or the program does not compile.
typedef char clscan_size_of_the_type[sizeof(CLSCAN_T) == CLSCAN_T_BYTES ? 1 : -1];
typedef struct clscan_alignment {
    char first;
    CLSCAN_T second;
} clscan_alignment;
typedef char clscan_alignment_of_the_type[sizeof(clscan_alignment) - sizeof(CLSCAN_T) == CLSCAN_T_ALIGN_BYTES ? 1 : -1];
#else
// The bits of an accumulator, zero-extended, and back.
#define clscan_to_bits(value) ((ulong)CLSCAN_PASTE(as_, CLSCAN_BITS)(value))
#define clscan_from_bits(bits) CLSCAN_PASTE(as_, CLSCAN_A)((CLSCAN_BITS)(bits))
#endif
