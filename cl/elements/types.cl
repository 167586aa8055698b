// Element type, accumulator type and vectors of elements.
//
// A problem is "plain" if its elements are scalars of OpenCL C that are stored, accumulated and written as they are,
// half with its accumulator float included. Code that rests on more than that a sum has a size and an operator stands
// behind CLSCAN_PLAIN.
//
// Required of the host (src/program/compose.c):
//   CLSCAN_PLAIN          1 for plain problems; 0: see below
//   CLSCAN_T              what bodies hold. Plain problems: the element type in memory, ushort (the bits) for half;
//                         else clscan_item
//   CLSCAN_A              type of sums; float for half, else CLSCAN_T, if the problem is plain
//   CLSCAN_A_SCALAR       1 if it is a scalar of OpenCL C
//   CLSCAN_T_BYTES        size of CLSCAN_T, or of CLSCAN_IN if the problem is not plain
//   CLSCAN_BITS           unsigned type of CLSCAN_A's size; uint if the problem is not plain
//   CLSCAN_WIDE           unsigned type in which integers are computed, so that they wrap: uint or ulong
//   CLSCAN_HALF           1 if elements are half
//   CLSCAN_FLOATING       1 if CLSCAN_A is a floating-point type
//   CLSCAN_VECTOR_LENGTH  elements per global load: 1, 2, 4, 8 or 16
//   CLSCAN_REPRODUCIBLE   1 if every device must give the same bits
//   CLSCAN_COPIES_TAILS   1 for compilers of CPUs: see CLSCAN_TOGETHER()
// If the problem is not plain, where NAME is IN for what is loaded, OUT for what is stored, and A for sums:
//   CLSCAN_NAME           the type in memory; IN and OUT: ushort (the bits) for half
//   CLSCAN_NAME_BYTES, CLSCAN_NAME_ALIGN_BYTES  its size and its alignment
//   CLSCAN_NAME_VALUE     IN and OUT: the type that maps see; float for half
//   CLSCAN_NAME_SCALAR    IN and OUT: 1 if OpenCL C has vectors of it
//   CLSCAN_NAME_HALF      IN and OUT: 1 for half
//   CLSCAN_A_LANES        of a sum that is known to be a vector of OpenCL C; else 0
//   CLSCAN_STAYS          1 if input, sum and output are one type of the caller's, without maps: what bodies hold is,
//                         bit by bit, what memory has
//   CLSCAN_GENERATES      1 if there is no input: the load map has the index alone
//   CLSCAN_KEEPS_PREVIOUS, CLSCAN_KEEPS_ELEMENT  1 if the store map asks for the sum before the element's, or for the
//                         element
//   CLSCAN_GIVES_ELEMENT  1 if the store map is nothing but the element
//   CLSCAN_LOAD_CONVERTS, CLSCAN_STORE_CONVERTS  1 if the map is nothing but a conversion
//   CLSCAN_SEES_BEFORE    1 if the load map asks for the element in front of its own
//   CLSCAN_SELECT_COPIES  1 if a selection gives elements or their indices, so that its store map may run for all
//   CLSCAN_SELECT_COLUMNS  of a selection: 1 if clscan_move_columns() moves more of what is kept (src/program/maps.c)
//   CLSCAN_SELECT_LENGTHS  the same: 1 if it says how far it is from what is kept to what is kept next; then also
//   CLSCAN_SELECT_LENGTH, clscan_lengths(), clscan_length_marks()  the type of that, where it goes, and memory by which
//                         selection/lengths.cl completes it
//   CLSCAN_SELECT_RELOADS  the same: 1 if body `subgroup_rows` loads what leaves again, where it stands in the input
//   CLSCAN_GATHERED_MOST  the same, where bodies/kept_marks.cl serves it: for how many elements of a work-item it has
//                         room, a multiple of 32
//   CLSCAN_SELECT_LONG    the same: 1 if it keeps runs of two and more elements (elements/cursors.cl); then also
//   clscan_run_count()    the number of elements of the input
//   CLSCAN_SELECT_REST    the same: 1 if what is not kept is written as well; then also
//   clscan_rest_out(), clscan_rest_capacity(), clscan_rest_is_counted(), clscan_rest_counted()  where that goes, how
//                         many have room there, and whether the first place stands in device memory, else it is 0
//   CLSCAN_SELECT_MIDDLE  of one with the rest: 1 if that has two parts. Then a sum is two numbers of elements, those
//                         that are kept in its lower half, those of the middle in its upper one
//   CLSCAN_SEGMENTED      1 if maps want to know where segments begin; then also:
//   CLSCAN_LOADS_NEXT_HEAD, CLSCAN_STORES_NEXT_HEAD  1 if the map asks for that of the next element
//   clscan_heads(), clscan_heads_at(), clscan_heads_aligned()  src/program/segment_heads.c
//   CLSCAN_COUNTS_SEGMENTS  1 if flags of pairs count them
//   CLSCAN_MARKS          1 if rows hold elements and marks in place of items (bodies/marked_rows.cl)
//   CLSCAN_DISCARDS       1 if there is no output but what the store map itself writes
//   clscan_map_load(), clscan_map_store(), clscan_arguments, CLSCAN_MAP_PARAMETERS, CLSCAN_MAP_ARGUMENTS  the maps,
//                         and what they have besides: elements/cursors.cl
#if !defined(CLSCAN_T) || !defined(CLSCAN_A) || !defined(CLSCAN_BITS) || !defined(CLSCAN_WIDE)
#error "CLSCAN_T, CLSCAN_A, CLSCAN_BITS and CLSCAN_WIDE must be defined"
#endif
#if !defined(CLSCAN_PLAIN) || !defined(CLSCAN_A_SCALAR) || !defined(CLSCAN_T_BYTES)
#error "CLSCAN_PLAIN, CLSCAN_A_SCALAR and CLSCAN_T_BYTES must be defined"
#endif
#if !defined(CLSCAN_HALF) || !defined(CLSCAN_FLOATING) || !defined(CLSCAN_VECTOR_LENGTH) || \
    !defined(CLSCAN_REPRODUCIBLE) || !defined(CLSCAN_COPIES_TAILS)
#error "CLSCAN_HALF, CLSCAN_FLOATING, CLSCAN_VECTOR_LENGTH, _REPRODUCIBLE and _COPIES_TAILS must be defined"
#endif
#if CLSCAN_WORK_GROUP_SIZE == 1
// A work-group of one waits for nobody. PoCL's compilers go wrong where barriers stand in loops or behind returns: 3.1
// makes wrong code, 5.0 ends the process.
#define barrier(flags)
#endif
// A condition, the same for all work-items, of a loop whose passes have barriers. PoCL copies whatever follows a
// barrier that some ways through a kernel leave out: behind a loop that may end before its first barrier all code is
// there twice, and loops in loops do so again. A barrier in the test leaves one way. PoCL 3.1 then took a third of the
// time to compile sums by `lookahead`, `lookback` or `adjacent` in work-groups of 8 (2026-11-28).
// For the same reason code with barriers is run there ANYWAY where it does no harm if its condition does not hold. Even
// a short tail that is copied has PoCL look through the whole kernel again for each of its blocks.
#if CLSCAN_COPIES_TAILS && CLSCAN_WORK_GROUP_SIZE > 1
#define CLSCAN_TOGETHER(condition) (barrier(CLK_LOCAL_MEM_FENCE), (condition))
#define CLSCAN_ANYWAY(condition) 1
#else
#define CLSCAN_TOGETHER(condition) (condition)
#define CLSCAN_ANYWAY(condition) (condition)
#endif
#if CLSCAN_PLAIN
#define CLSCAN_MAP_PARAMETERS
typedef CLSCAN_T clscan_in;
typedef CLSCAN_T clscan_out;
#else
#if !defined(CLSCAN_IN) || !defined(CLSCAN_IN_BYTES) || !defined(CLSCAN_IN_ALIGN_BYTES) || \
    !defined(CLSCAN_IN_VALUE) || !defined(CLSCAN_IN_SCALAR) || !defined(CLSCAN_IN_HALF) || \
    !defined(CLSCAN_OUT) || !defined(CLSCAN_OUT_BYTES) || !defined(CLSCAN_OUT_ALIGN_BYTES) || \
    !defined(CLSCAN_OUT_VALUE) || !defined(CLSCAN_OUT_SCALAR) || !defined(CLSCAN_OUT_HALF) || \
    !defined(CLSCAN_A_BYTES) || !defined(CLSCAN_A_ALIGN_BYTES)
#error "CLSCAN_IN, CLSCAN_OUT and CLSCAN_A must be described unless the problem is plain"
#endif
#if !defined(CLSCAN_A_LANES) || !defined(CLSCAN_STAYS) || !defined(CLSCAN_GENERATES) || \
    !defined(CLSCAN_KEEPS_PREVIOUS) || !defined(CLSCAN_KEEPS_ELEMENT) || !defined(CLSCAN_GIVES_ELEMENT) || \
    !defined(CLSCAN_LOAD_CONVERTS) || !defined(CLSCAN_STORE_CONVERTS) || \
    !defined(CLSCAN_MAP_PARAMETERS) || !defined(CLSCAN_MAP_ARGUMENTS) || !defined(CLSCAN_SELECTS) || \
    !defined(CLSCAN_SEES_BEFORE) || !defined(CLSCAN_SELECT_COPIES) || !defined(CLSCAN_DISCARDS) || \
    !defined(CLSCAN_SEGMENTED) || !defined(CLSCAN_MARKS)
#error "a problem that is not plain has CLSCAN_A_LANES, _STAYS, _GENERATES, _KEEPS_*, _GIVES_*, _SEES_*, _MAP_*, ..."
#endif
#if CLSCAN_IN_BYTES > 64 || CLSCAN_OUT_BYTES > 64 || CLSCAN_A_BYTES > 64 || CLSCAN_REPRODUCIBLE
#error "a problem that is not plain has types of at most 64 bytes, and no reproducible order"
#endif
typedef CLSCAN_IN clscan_in; // what is stored on either side
typedef CLSCAN_OUT clscan_out;
#endif

// 1 if elements are read and written as they are, so that a cursor is a pointer.
#if CLSCAN_PLAIN
#define CLSCAN_POINTERS 1
#else
#define CLSCAN_POINTERS CLSCAN_STAYS
#endif

// A fused multiply-add in one variant and not in another would give other bits.
#pragma OPENCL FP_CONTRACT OFF

#define CLSCAN_PASTE_(a, b) a##b
#define CLSCAN_PASTE(a, b) CLSCAN_PASTE_(a, b)
// Inlined always: tiles live in registers only if no call stands between, and PoCL 3.1 (LLVM 15) crashes when its
// own inliner meets a non-temporal store in a function.
#define CLSCAN_FUNCTION static inline __attribute__((always_inline))

#if !CLSCAN_PLAIN
// What bodies hold between loading and storing: the load map has been applied, the store map has not. So bodies move
// and scan one type only, whatever is stored on either side. What a store map asks for besides the sum goes along.
#if CLSCAN_KEEPS_PREVIOUS || CLSCAN_KEEPS_ELEMENT
typedef struct clscan_item {
    CLSCAN_A sum;
#if CLSCAN_KEEPS_PREVIOUS
    CLSCAN_A previous;
#endif
#if CLSCAN_KEEPS_ELEMENT
    CLSCAN_IN element; // as it is stored
#endif
} clscan_item;
#define clscan_lift(item) ((item).sum)
#else
typedef CLSCAN_A clscan_item;
#define clscan_lift(item) (item)
#endif
#endif

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

// Compilers copy a struct member by member. What stays as it is in memory is moved in chunks of 16, 8 or 4 bytes,
// whatever its members are. A type whose alignment is that of a chunk has vectors, which compilers move as such.
#if !CLSCAN_PLAIN
#define CLSCAN_VECTOR_BYTES (CLSCAN_IN_BYTES * CLSCAN_VECTOR_LENGTH)
#if CLSCAN_STAYS && CLSCAN_IN_ALIGN_BYTES < 16 && CLSCAN_VECTOR_BYTES % 16 == 0
#define CLSCAN_CHUNK_WORDS 4
typedef uint4 clscan_chunk;
#elif CLSCAN_STAYS && CLSCAN_IN_ALIGN_BYTES < 8 && CLSCAN_VECTOR_BYTES % 8 == 0
#define CLSCAN_CHUNK_WORDS 2
typedef uint2 clscan_chunk;
#elif CLSCAN_STAYS && CLSCAN_IN_ALIGN_BYTES < 4 && CLSCAN_VECTOR_BYTES % 4 == 0
#define CLSCAN_CHUNK_WORDS 1
typedef uint clscan_chunk;
#else
#define CLSCAN_CHUNK_WORDS 0
#endif

#if CLSCAN_CHUNK_WORDS > 0
#define CLSCAN_CHUNKS (CLSCAN_VECTOR_BYTES / 4 / CLSCAN_CHUNK_WORDS)
typedef union clscan_chunks {
    uint words[CLSCAN_VECTOR_BYTES / 4];
    clscan_vector vector;
} clscan_chunks;

CLSCAN_FUNCTION void clscan_chunk_put(clscan_chunks *chunks, uint i, clscan_chunk chunk)
{
#if CLSCAN_CHUNK_WORDS == 4
    chunks->words[4 * i] = chunk.x;
    chunks->words[4 * i + 1] = chunk.y;
    chunks->words[4 * i + 2] = chunk.z;
    chunks->words[4 * i + 3] = chunk.w;
#elif CLSCAN_CHUNK_WORDS == 2
    chunks->words[2 * i] = chunk.x;
    chunks->words[2 * i + 1] = chunk.y;
#else
    chunks->words[i] = chunk;
#endif
}

CLSCAN_FUNCTION clscan_chunk clscan_chunk_get(const clscan_chunks *chunks, uint i)
{
#if CLSCAN_CHUNK_WORDS == 4
    return (clscan_chunk)(chunks->words[4 * i], chunks->words[4 * i + 1], chunks->words[4 * i + 2],
                          chunks->words[4 * i + 3]);
#elif CLSCAN_CHUNK_WORDS == 2
    return (clscan_chunk)(chunks->words[2 * i], chunks->words[2 * i + 1]);
#else
    return chunks->words[i];
#endif
}
#endif
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
#elif CLSCAN_PLAIN
#define clscan_lift(stored) (stored)
#define clscan_lower(value) (value)
#endif

#if !CLSCAN_PLAIN
// Host and device agree about the types, or the program does not compile.
#define CLSCAN_AGREE(type, size_bytes, align_bytes, name)                                          \
    typedef char clscan_size_of_##name[sizeof(type) == size_bytes ? 1 : -1];                       \
    typedef struct clscan_alignment_##name {                                                       \
        char first;                                                                                \
        type second;                                                                               \
    } clscan_alignment_##name;                                                                     \
    typedef char clscan_alignment_of_##name[sizeof(clscan_alignment_##name) - sizeof(type) == align_bytes ? 1 : -1];
CLSCAN_AGREE(CLSCAN_IN, CLSCAN_IN_BYTES, CLSCAN_IN_ALIGN_BYTES, inputs)
CLSCAN_AGREE(CLSCAN_A, CLSCAN_A_BYTES, CLSCAN_A_ALIGN_BYTES, sums)
CLSCAN_AGREE(CLSCAN_OUT, CLSCAN_OUT_BYTES, CLSCAN_OUT_ALIGN_BYTES, outputs)
#else
// The bits of an accumulator, zero-extended, and back.
#define clscan_to_bits(value) ((ulong)CLSCAN_PASTE(as_, CLSCAN_BITS)(value))
#define clscan_from_bits(bits) CLSCAN_PASTE(as_, CLSCAN_A)((CLSCAN_BITS)(bits))
#endif
