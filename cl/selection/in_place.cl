// Operation select in place: elements go to places that other work-groups may not have read yet, or read again. So they
// are stored in the workspace, and when all launches have read what they need, this one moves them to the input, an
// output at a time. It moves bytes, of as many elements as there are, and touches nothing behind them.

// Vectors that a work-item has on their way at once.
#define CLSCAN_MOVED_AT_ONCE 4

CLSCAN_FUNCTION void clscan_move_bytes(__global uchar *to, __global const uchar *from, ulong begin, ulong end)
{
    for (ulong i = begin + get_global_id(0); i < end; i += get_global_size(0))
        to[i] = from[i];
}

// Each work-group has a stretch of its own.
CLSCAN_FUNCTION void clscan_move_vectors(__global uint4 *to, __global const uint4 *from, ulong vectors)
{
    const ulong items = get_local_size(0), turn = CLSCAN_MOVED_AT_ONCE * items;
    const ulong share = clscan_units(clscan_units(vectors, get_num_groups(0)), turn) * turn;
    const ulong begin = min(get_group_id(0) * share, vectors), end = min(begin + share, vectors);
    ulong i = begin + get_local_id(0);

    for (; i + (CLSCAN_MOVED_AT_ONCE - 1) * items < end; i += turn) {
        uint4 moved[CLSCAN_MOVED_AT_ONCE];

#pragma unroll
        for (uint k = 0; k < CLSCAN_MOVED_AT_ONCE; ++k)
            moved[k] = from[i + k * items];
#pragma unroll
        for (uint k = 0; k < CLSCAN_MOVED_AT_ONCE; ++k)
            to[i + k * items] = moved[k];
    }
    for (; i < end; i += items)
        to[i] = from[i];
}

/// \param to, first_to  where the input is, and the byte of it where place 0 stands
/// \param first_from    the byte of the workspace where the output's place 0 stands. The host lets both lie alike to
///                      vectors, unless buffers themselves begin between them; then bytes are moved.
/// \param bytes         of an element
/// \param behind        1: the rest stands behind what is kept, and is moved as well; else 0
__kernel void clscan_move_back(CLSCAN_RUN_PARAMETERS, __global uchar *to, ulong first_to, ulong first_from, uint bytes,
                               uint behind)
{
    const clscan_kept kept = clscan_kept_of(&run, initial_at, total_at);
    const ulong room = run.capacity - min(kept.start, run.capacity);
    const ulong end = behind ? kept.start + min(CLSCAN_TAKE_COUNT(run.count), room) : kept.end;

    if (end > kept.start) {
        const ulong size = (end - kept.start) * bytes;
        __global const uchar *from = workspace + first_from + kept.start * bytes;
        ulong head, vectors;

        to += first_to + kept.start * bytes;
        head = min((16 - (ulong)to % 16) % 16, size);
        vectors = ((ulong)from - (ulong)to) % 16 == 0 ? (size - head) / 16 : 0;
        clscan_move_bytes(to, from, 0, head);
        clscan_move_vectors((__global uint4 *)(to + head), (__global const uint4 *)(from + head), vectors);
        clscan_move_bytes(to, from, head + 16 * vectors, size);
    }
}
