// Operation repeat: how lengths are read, and the kernel that sums up those of each block, for the scan.
//
// Required of the host (src/program/repetition.c):
//   CLSCAN_EXPAND_WORK_GROUP_SIZE  1 on CPUs, else a power of two of at least 16
//   CLSCAN_REPEAT_LENGTH           unsigned type of lengths, or offsets
//   CLSCAN_REPEAT_BY_OFFSETS       1 if a length is the difference of an offset and the next one
//   CLSCAN_REPEAT_BLOCK            elements of a block, a multiple of 64
//   CLSCAN_REPEAT_GROUP_BLOCKS     blocks of a work-group
#if !defined(CLSCAN_EXPAND_WORK_GROUP_SIZE) || !defined(CLSCAN_REPEAT_LENGTH) || !defined(CLSCAN_REPEAT_BY_OFFSETS) || \
    !defined(CLSCAN_REPEAT_BLOCK) || !defined(CLSCAN_REPEAT_GROUP_BLOCKS)
#error "CLSCAN_EXPAND_WORK_GROUP_SIZE and CLSCAN_REPEAT_* must be defined"
#endif

#if CLSCAN_EXPAND_WORK_GROUP_SIZE > 1
// Work-groups of the scan may have one work-item (elements/types.cl), those of these kernels have more.
#undef barrier
#endif

typedef CLSCAN_REPEAT_LENGTH clscan_length;
typedef CLSCAN_PASTE(CLSCAN_REPEAT_LENGTH, 4) clscan_four_lengths;

CLSCAN_FUNCTION ulong clscan_repeat_blocks(ulong count)
{
    return count / CLSCAN_REPEAT_BLOCK + (count % CLSCAN_REPEAT_BLOCK != 0);
}

// A length as a place, from what memory has of it and of the one behind. Places do not wrap: what is too large for one,
// and what offsets out of order say, is the largest place.
CLSCAN_FUNCTION CLSCAN_A clscan_length_of(clscan_length own, clscan_length next)
{
    const ulong most = (CLSCAN_A)-1;

#if CLSCAN_REPEAT_BY_OFFSETS
    return (CLSCAN_A)(next < own ? most : min((ulong)(next - own), most));
#else
    return (CLSCAN_A)min((ulong)own, most);
#endif
}

CLSCAN_FUNCTION CLSCAN_A clscan_length_at(__global const clscan_length *lengths, ulong i)
{
    return clscan_length_of(lengths[i], CLSCAN_REPEAT_BY_OFFSETS ? lengths[i + 1] : 0);
}

CLSCAN_FUNCTION bool clscan_lengths_are_aligned(__global const clscan_length *at)
{
    return (ulong)at % sizeof(clscan_four_lengths) == 0;
}

// Four lengths from `at` on.
CLSCAN_FUNCTION void clscan_load_lengths(__global const clscan_length *at, bool aligned, CLSCAN_A *own)
{
    clscan_length read[5];

    if (aligned) {
        const clscan_four_lengths four = *(__global const clscan_four_lengths *)at;

        read[0] = four.x;
        read[1] = four.y;
        read[2] = four.z;
        read[3] = four.w;
    } else {
#pragma unroll
        for (uint c = 0; c < 4; ++c)
            read[c] = at[c];
    }
    read[4] = CLSCAN_REPEAT_BY_OFFSETS ? at[4] : 0;
#pragma unroll
    for (uint c = 0; c < 4; ++c)
        own[c] = clscan_length_of(read[c], read[c + 1]);
}

// The same where there may be fewer. Those that there are not are 0.
CLSCAN_FUNCTION void clscan_load_some_lengths(__global const clscan_length *at, ulong exist, CLSCAN_A *own)
{
#pragma unroll
    for (uint c = 0; c < 4; ++c)
        own[c] = c < exist ? clscan_length_at(at, c) : 0;
}

// Of a block's lengths: those of 4 bytes need no care.
CLSCAN_FUNCTION ulong clscan_add_lengths(ulong left, ulong right)
{
    return sizeof(CLSCAN_A) > 4 ? add_sat(left, right) : left + right;
}

// Work-items that share a block, each of which takes vectors of four lengths, and how many of these at once.
#if CLSCAN_EXPAND_WORK_GROUP_SIZE > 1
#define CLSCAN_REPEAT_ITEMS ((uint)(CLSCAN_EXPAND_WORK_GROUP_SIZE / CLSCAN_REPEAT_GROUP_BLOCKS))
#define CLSCAN_REPEAT_UNROLL 4
#else
#define CLSCAN_REPEAT_ITEMS 1u
#define CLSCAN_REPEAT_UNROLL 1
#endif

// The sum of one work-item's lengths.
CLSCAN_FUNCTION ulong clscan_sum_some_lengths(__global const clscan_length *lengths, ulong count, ulong block,
                                              uint item)
{
    const ulong first = block * CLSCAN_REPEAT_BLOCK;
    __global const clscan_length *at = lengths + first;
    const bool aligned = clscan_lengths_are_aligned(at), whole = count - first >= CLSCAN_REPEAT_BLOCK;
    ulong sum = 0;

#pragma unroll CLSCAN_REPEAT_UNROLL
    for (uint i = 0; i < CLSCAN_REPEAT_BLOCK / 4 / CLSCAN_REPEAT_ITEMS; ++i) {
        const uint from = (i * CLSCAN_REPEAT_ITEMS + item) * 4;
        CLSCAN_A own[4];

        if (whole)
            clscan_load_lengths(at + from, aligned, own);
        else
            clscan_load_some_lengths(at + from, count - first > from ? count - first - from : 0, own);
#pragma unroll
        for (uint c = 0; c < 4; ++c)
            sum = clscan_add_lengths(sum, own[c]);
    }
    return sum;
}

/// The sum of the lengths of each block goes to `sums_bytes` of the workspace, and where device memory says how many
/// elements there are, the number of blocks to `count_bytes`.
__kernel __attribute__((reqd_work_group_size(CLSCAN_EXPAND_WORK_GROUP_SIZE, 1, 1)))
void clscan_sum_lengths(CLSCAN_RUN_PARAMETERS, __global const clscan_length *lengths, ulong offset_lengths,
                        ulong sums_bytes, ulong count_bytes)
{
    const ulong count = CLSCAN_TAKE_AND_REPORT_COUNT(run.count), blocks = clscan_repeat_blocks(count);
    __global CLSCAN_A *sums = (__global CLSCAN_A *)(workspace + sums_bytes);
    const ulong first = get_group_id(0) * (ulong)CLSCAN_REPEAT_GROUP_BLOCKS;

#if CLSCAN_COUNT_BYTES > 0
    if (get_global_id(0) == 0)
        *(__global clscan_count *)(workspace + count_bytes) = (clscan_count)blocks;
#endif
#if CLSCAN_EXPAND_WORK_GROUP_SIZE == 1
    for (ulong block = first; block < min(first + CLSCAN_REPEAT_GROUP_BLOCKS, blocks); ++block)
        sums[block] = (CLSCAN_A)min(clscan_sum_some_lengths(lengths + offset_lengths, count, block, 0),
                                    (ulong)(CLSCAN_A)-1);
#else
    __local ulong shares[CLSCAN_EXPAND_WORK_GROUP_SIZE];
    const uint local_id = get_local_id(0), item = local_id % CLSCAN_REPEAT_ITEMS;
    const ulong block = first + local_id / CLSCAN_REPEAT_ITEMS;

    shares[local_id] =
        block < blocks ? clscan_sum_some_lengths(lengths + offset_lengths, count, block, item) : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (item == 0 && block < blocks) {
        ulong sum = 0;

#pragma unroll
        for (uint i = 0; i < CLSCAN_REPEAT_ITEMS; ++i)
            sum = clscan_add_lengths(sum, shares[local_id + i]);
        sums[block] = (CLSCAN_A)min(sum, (ulong)(CLSCAN_A)-1);
    }
#endif
}
