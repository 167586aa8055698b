// Operation select with the rest: where the rest begins. An element that is not kept goes to a place that follows from
// its index and from the place of the next one that is kept: in front of it in the rest are all elements in front of it
// that are not kept. Where the first of them goes is one number for the whole run. Behind what is kept, that must be
// counted first; apart it is 0, or what an initial value makes of it. These kernels leave the number in device memory,
// in front of the launches that store. With a middle they count that too, in the upper halves of sums, and leave where
// it begins as a second number.

// Vectors that a work-item loads at once: of flags alone, these are a few bytes.
#define CLSCAN_COUNTED_VECTORS (CLSCAN_VECTOR_LENGTH < 8 ? 8 : 4)

// What a work-item counts, and how many numbers are left.
#if CLSCAN_SELECT_MIDDLE
typedef ulong clscan_counted;
#define CLSCAN_REST_NUMBERS 2
#else
typedef uint clscan_counted;
#define CLSCAN_REST_NUMBERS 1
#endif

CLSCAN_FUNCTION clscan_counted clscan_kept_of_vector(clscan_source in, ulong vector, bool aligned)
{
    const clscan_source cursor = CLSCAN_ADVANCE(in, vector * CLSCAN_VECTOR_LENGTH);
#if CLSCAN_MARKS
    return clscan_row_kept(clscan_row_marks_at(cursor, aligned));
#else
    clscan_item items[CLSCAN_VECTOR_LENGTH];
    clscan_counted kept = 0;

    clscan_unpack(clscan_load_vector(cursor, 0, aligned), items);
#pragma unroll
    for (uint c = 0; c < CLSCAN_VECTOR_LENGTH; ++c)
        kept += (clscan_counted)clscan_lift(items[c]);
    return kept;
#endif
}

/// What this work-item has of the vectors `first` .. `end` - 1 that its work-group counts.
CLSCAN_FUNCTION clscan_counted clscan_kept_of_vectors(clscan_source in, ulong first, ulong end)
{
    clscan_counted kept = 0;
#if CLSCAN_WORK_GROUP_SIZE == 1
    // Of a loop over counts of one bit, compilers for processors make vectors of their own.
    for (ulong i = first * CLSCAN_VECTOR_LENGTH; i < end * CLSCAN_VECTOR_LENGTH; ++i)
        kept += (clscan_counted)clscan_lift(clscan_read(CLSCAN_ADVANCE(in, i), 0));
#else
    const bool aligned = clscan_source_aligned(in);
    ulong i = first + get_local_id(0);

    for (; i + (CLSCAN_COUNTED_VECTORS - 1) * CLSCAN_WORK_GROUP_SIZE < end;
         i += CLSCAN_COUNTED_VECTORS * CLSCAN_WORK_GROUP_SIZE)
#pragma unroll
        for (uint v = 0; v < CLSCAN_COUNTED_VECTORS; ++v)
            kept += clscan_kept_of_vector(in, i + v * CLSCAN_WORK_GROUP_SIZE, aligned);
    for (; i < end; i += CLSCAN_WORK_GROUP_SIZE)
        kept += clscan_kept_of_vector(in, i, aligned);
#endif
    return kept;
}

/// Leave where the rest's first element goes, seen from index 0 and place 0 of what is kept: clscan_place_of().
CLSCAN_FUNCTION void clscan_rest_begin(__global ulong *numbers, clscan_prefix initial, uint behind, clscan_sum kept)
{
#if CLSCAN_SELECT_MIDDLE
    // It is always behind, and without an initial value.
    numbers[0] = CLSCAN_FIRST_NUMBER(kept) + CLSCAN_MIDDLE_NUMBER(kept);
    numbers[1] = CLSCAN_FIRST_NUMBER(kept);
#else
    const ulong start = initial.present ? initial.value : 0;

    numbers[0] = start + (behind ? start + kept : 0);
#endif
}

/// Count what the flags and the predicate keep, each work-group in a range of vectors. One work-group alone says where
/// the rest begins; several leave their numbers for clscan_place_rest().
///
/// \param first     where the workspace has numbers: the first receives where the rest begins, with a middle the second
///                  where that begins, those behind them what work-groups have counted
/// \param groups    how many of these there are
/// \param behind    1: the rest goes behind what is kept; 0: apart, and nothing is counted
__kernel __attribute__((reqd_work_group_size(CLSCAN_WORK_GROUP_SIZE, 1, 1)))
void clscan_count_kept(CLSCAN_RUN_PARAMETERS, ulong first, uint groups, uint behind CLSCAN_MAP_PARAMETERS)
{
    __local clscan_sum scratch[CLSCAN_SCRATCH];
    __global ulong *numbers = (__global ulong *)workspace + first;
    __global clscan_sum *counted = (__global clscan_sum *)(numbers + CLSCAN_REST_NUMBERS);
    const ulong count = CLSCAN_TAKE_COUNT(run.count);
    const clscan_source from = CLSCAN_SOURCE(in, run.in_offset);
    const ulong vectors = count / CLSCAN_VECTOR_LENGTH, share = vectors / groups + (vectors % groups != 0);
    const ulong begin = min(get_group_id(0) * share, vectors), tail = vectors * CLSCAN_VECTOR_LENGTH;
    clscan_sum kept = clscan_kept_of_vectors(from, begin, min(begin + share, vectors));

    // What fills no vector: work-groups may have fewer work-items.
    if (get_group_id(0) == 0)
        for (ulong i = tail + get_local_id(0); i < count; i += CLSCAN_WORK_GROUP_SIZE)
            kept += clscan_lift(clscan_read(CLSCAN_ADVANCE(from, i), 0));
    kept = clscan_group_total(scratch, kept, CLSCAN_WORK_GROUP_SIZE);
    if (get_local_id(0) == 0) {
        if (groups > 1)
            counted[get_group_id(0)] = kept;
        else
            clscan_rest_begin(numbers, clscan_initial_prefix(&run, initial_at), behind, kept);
    }
}

/// One work-group, the same arguments: without `groups`, there are none.
__kernel __attribute__((reqd_work_group_size(CLSCAN_WORK_GROUP_SIZE, 1, 1)))
void clscan_place_rest(CLSCAN_RUN_PARAMETERS, ulong first, uint groups, uint behind CLSCAN_MAP_PARAMETERS)
{
    __local clscan_sum scratch[CLSCAN_SCRATCH];
    __global ulong *numbers = (__global ulong *)workspace + first;
    __global const clscan_sum *counted = (__global const clscan_sum *)(numbers + CLSCAN_REST_NUMBERS);
    clscan_sum kept = 0;

    for (uint i = get_local_id(0); i < groups; i += CLSCAN_WORK_GROUP_SIZE)
        kept += counted[i];
    kept = clscan_group_total(scratch, kept, CLSCAN_WORK_GROUP_SIZE);
    if (get_local_id(0) == 0)
        clscan_rest_begin(numbers, clscan_initial_prefix(&run, initial_at), behind, kept);
}
