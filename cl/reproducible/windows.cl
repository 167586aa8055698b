// Stacks of nodes (reproducible/nodes.cl), extended by many totals.
#if CLSCAN_WORK_GROUP_SIZE == 1
// By one work-item, one after the other.
typedef struct clscan_window {
    clscan_sum unused;
} clscan_window;

/// Go from `from` to `to`. Parameters as below.
CLSCAN_FUNCTION void clscan_stack_advance(__local clscan_stack *stack, __local clscan_window *window,
                                          __local clscan_sum *scratch, clscan_prefix initial, ulong from, ulong to,
                                          __global const clscan_sum *totals)
{
    for (ulong at = from; at < to; ++at)
        clscan_stack_push(stack, initial, at, totals[at - from]);
}
#else
// By all work-items, many totals at once. A window of CLSCAN_WINDOW things begins at a multiple of its size, so the
// nodes inside are those of the tree, wherever the stack stands. The things of a window form chunks: a sub-group makes
// nodes of a chunk, of which each lane has a thing, and then of the chunks, of which each lane has one.
#define CLSCAN_CHUNK CLSCAN_SUB_GROUP_SIZE
#define CLSCAN_WINDOW (CLSCAN_CHUNK * CLSCAN_CHUNK)
#define CLSCAN_CHUNK_DIGITS 5
#if CLSCAN_CHUNK != 1 << CLSCAN_CHUNK_DIGITS
#error "CLSCAN_CHUNK must be 1 << CLSCAN_CHUNK_DIGITS"
#endif

// What sub-groups hand each other.
typedef struct clscan_window {
    clscan_sum chunks[CLSCAN_CHUNK];      // nodes of whole chunks
    clscan_sum rest[CLSCAN_CHUNK_DIGITS]; // nodes of the things behind the last whole chunk, the largest first
} clscan_window;

// Where a stack stands in a window, and how far it will go.
typedef struct clscan_piece {
    ulong begin;  // of the window
    uint first;   // the stack stands there, counted from the window's begin
    uint end;     // and goes there
    clscan_sum own; // node of the chunk with this lane's number, if it is on the stack
    clscan_prefix prefix; // what precedes the window
} clscan_piece;

// Of the nodes that precede `index`, does one end with thing end - 1?
CLSCAN_FUNCTION bool clscan_is_node(uint end, uint index)
{
    return end > 0 && (index & ~((end & (0u - end)) - 1)) == end;
}

/// Begin to go from the thing `index` on, at most to the end of its window, and by `things` at most.
CLSCAN_FUNCTION void clscan_piece_begin(clscan_piece *piece, __local const clscan_stack *stack, clscan_prefix initial,
                                        ulong index, uint things)
{
    const uint chunks_end = clscan_lane() + 1;

    piece->first = (uint)index % CLSCAN_WINDOW;
    piece->begin = index - piece->first;
    piece->end = piece->first + min(things, CLSCAN_WINDOW - piece->first);
    piece->prefix = clscan_stack_prefix(stack, initial, piece->begin);
    piece->own = CLSCAN_NO_SUM;
    if (clscan_is_node(chunks_end, piece->first / CLSCAN_CHUNK))
        piece->own = stack->nodes[popcount(piece->begin + chunks_end * CLSCAN_CHUNK) - 1];
}

/// Make a piece of which nothing is combined.
CLSCAN_FUNCTION void clscan_piece_empty(clscan_piece *piece)
{
    piece->first = 0;
    piece->end = 0;
}

/// All lanes of a sub-group: combine a chunk, some of whose things are in the piece.
///
/// total  of this lane's thing, if it is in the piece
CLSCAN_FUNCTION void clscan_chunk_combine(__local clscan_window *window, __local clscan_sum *scratch,
                                          __local const clscan_stack *stack, const clscan_piece *piece, uint chunk,
                                          clscan_sum total)
{
    const uint begin = chunk * CLSCAN_CHUNK, end = begin + clscan_lane() + 1;

    if (end <= piece->first && clscan_is_node(end, piece->first))
        total = stack->nodes[popcount(piece->begin + end) - 1];
    total = clscan_lanes_sweep(scratch, total, CLSCAN_CHUNK, max(piece->first, begin) - begin,
                               max(piece->end, begin) - begin);
    if (end <= piece->end && end == begin + CLSCAN_CHUNK)
        window->chunks[chunk] = total;
    else if (piece->end < begin + CLSCAN_CHUNK && end <= piece->end && clscan_is_node(end, piece->end))
        window->rest[popcount(end - begin) - 1] = total;
}

/// All items, behind a barrier behind the chunks: bring the stack to the end of the piece, and return what precedes
/// that thing, unless it is the next window's first. Pass a barrier before the stack is used again.
///
/// valid  whether totals were; else the stack stays where it stands, and the result is of no use
CLSCAN_FUNCTION clscan_prefix clscan_piece_end(__local const clscan_window *window, __local clscan_sum *scratch,
                                               __local clscan_stack *stack, clscan_prefix initial,
                                               const clscan_piece *piece, bool valid)
{
    const uint chunks = piece->end / CLSCAN_CHUNK, rest = (uint)popcount(piece->end % CLSCAN_CHUNK);
    const bool keep = get_local_id(0) == 0 && valid;
    const uint first = piece->first / CLSCAN_CHUNK;
    const clscan_sum own = clscan_lane() < first ? piece->own : window->chunks[clscan_lane()];
    const clscan_sum nodes = clscan_lanes_sweep(scratch, own, CLSCAN_CHUNK, first, chunks);
    const clscan_sum all = clscan_shuffle(scratch, nodes, CLSCAN_CHUNK - 1);
    uint depth = (uint)popcount(piece->begin);
    clscan_prefix prefix = piece->prefix;

    if (keep && piece->end == CLSCAN_WINDOW)
        clscan_stack_push(stack, initial, piece->begin / CLSCAN_WINDOW, all);
#pragma unroll
    for (uint digit = CLSCAN_CHUNK / 2; digit > 0; digit /= 2) {
        const clscan_sum node = clscan_shuffle(scratch, nodes, max(chunks & ~(digit - 1), 1u) - 1);
        if (chunks & digit) {
            prefix = clscan_extend(prefix, node);
            if (keep) {
                stack->nodes[depth] = node;
                stack->prefixes[depth] = prefix.value;
            }
            ++depth;
        }
    }
#pragma unroll
    for (uint i = 0; i < CLSCAN_CHUNK_DIGITS; ++i) {
        const clscan_sum node = window->rest[i];
        if (i < rest) {
            prefix = clscan_extend(prefix, node);
            if (keep) {
                stack->nodes[depth + i] = node;
                stack->prefixes[depth + i] = prefix.value;
            }
        }
    }
    return prefix;
}

/// All items: go from `from` to `to`. Passes barriers at the begin, and one at the end.
///
/// totals  of the things from `from` on
CLSCAN_FUNCTION void clscan_stack_advance(__local clscan_stack *stack, __local clscan_window *window,
                                          __local clscan_sum *scratch, clscan_prefix initial, ulong from, ulong to,
                                          __global const clscan_sum *totals)
{
    barrier(CLK_LOCAL_MEM_FENCE);
    for (ulong at = from; CLSCAN_TOGETHER(at < to);) {
        clscan_piece piece;

        clscan_piece_begin(&piece, stack, initial, at, (uint)min(to - at, (ulong)CLSCAN_WINDOW));
        for (uint chunk = piece.first / CLSCAN_CHUNK; CLSCAN_TOGETHER(chunk * CLSCAN_CHUNK < piece.end);
             chunk += CLSCAN_SUB_GROUPS) {
            const uint own_chunk = chunk + clscan_sub_group(), thing = own_chunk * CLSCAN_CHUNK + clscan_lane();
            const bool there = thing >= piece.first && thing < piece.end;

            clscan_chunk_combine(window, scratch, stack, &piece, own_chunk,
                                 there ? totals[piece.begin + thing - from] : CLSCAN_NO_SUM);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        (void)clscan_piece_end(window, scratch, stack, initial, &piece, true);
        barrier(CLK_LOCAL_MEM_FENCE);
        at = piece.begin + piece.end;
    }
}
#endif
