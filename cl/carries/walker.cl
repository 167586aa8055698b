// What the kernels of `lookahead` hold, and what they do where a total is missing.
//
// Required of the host:
//   CLSCAN_REGISTER_BOUND  not 0 if the compiler is told how many registers a work-item may have, which NVIDIA's obeys
//                          only where no work-group size is required
//   CLSCAN_LOOKS           totals that a work-item looks for before it waits for any, since they come from far away
#if !defined(CLSCAN_REGISTER_BOUND) || !defined(CLSCAN_LOOKS)
#error "CLSCAN_REGISTER_BOUND and CLSCAN_LOOKS must be defined"
#endif

// May code that passes barriers be skipped? Compilers for CPUs copy whatever follows a barrier under a condition, so
// where shuffles pass barriers too, such code is always run, on no elements or on one.
#define CLSCAN_MUST_RUN(condition) (CLSCAN_EXCHANGE > 0 || (condition))

#if CLSCAN_REGISTER_BOUND == 0
#define CLSCAN_KERNEL __kernel __attribute__((reqd_work_group_size(CLSCAN_WORK_GROUP_SIZE, 1, 1)))
#else
#define CLSCAN_KERNEL __kernel
#endif

#ifndef CLSCAN_JOINS_ROWS
#define CLSCAN_JOINS_ROWS 0 // 1: rows/joined_tiles.cl
#endif

// What work-items tell each other, each across a barrier.
typedef struct clscan_notice {
    clscan_sum value; // of the tile that is being recomputed
    clscan_word tag;
    uint drawn; // the tile after the next one
    uint spent; // 1: some wait was
    uint missing;
} clscan_notice;

// Sums that all lanes of a sub-group have, kept until they need them again. The widest wait in local memory: in the
// registers of all lanes they are what does not fit any more. For sums of 32 bytes that was slower.
#define CLSCAN_PARKS (CLSCAN_SHARES_SUMS && CLSCAN_A_BYTES > 32)
#if CLSCAN_PARKS
#define CLSCAN_PARKED_TOTAL 0
#define CLSCAN_PARKED_KNOWN 1
#define CLSCAN_PARKED_LEFT 2
#define CLSCAN_PARKED_NEXT_LEFT 3
#define CLSCAN_PARKED_NEXT_TOTAL 4
#define CLSCAN_PARKED_SUMS 5
typedef __local clscan_sum *clscan_parked;
#define clscan_parked_begin(place, board, number) ((place) = &(board)->parked[number][clscan_sub_group()])
#define clscan_parked_sum(place) (*(place))
CLSCAN_FUNCTION void clscan_park(clscan_parked place, clscan_sum sum)
{
    clscan_sub_group_meet();
    if (clscan_lane() == 0)
        *place = sum;
    clscan_sub_group_meet();
}
#else
typedef clscan_sum clscan_parked;
#define clscan_parked_begin(place, board, number)
#define clscan_parked_sum(place) (place)
#define clscan_park(place, sum) ((place) = (sum))
#endif

// A work-group's local memory, besides the zone.
typedef struct clscan_board {
    clscan_notice notice;
#if CLSCAN_PARKS
    clscan_sum parked[CLSCAN_PARKED_SUMS][CLSCAN_SUB_GROUPS];
#endif
#if CLSCAN_REPRODUCIBLE
    clscan_stack stack;
    clscan_window window;
    clscan_sum passed; // total of the last tile that was scanned
#else
    clscan_sum window[CLSCAN_SCRATCH];
#endif
} clscan_board;

// A work-group on its way through the tiles.
typedef struct clscan_walker {
    clscan_chain chain;
    __local clscan_board *board;
    __local clscan_zone *zone;
    __global clscan_word *draw_word;
    clscan_source in; // behind the head, as is `out`
    clscan_sink out;
    ulong count; // behind the head
    uint head;
    uint whole; // tiles, of which the last one may be missing
    uint shift; // of the output's vectors against the input's, in elements
    clscan_word tag;
    clscan_word drawn;   // item 0: by the draw that has begun
    // What precedes the tile `from`; with its head, if that is the first one. In the reproducible order it is known
    // where a scan or a row ends.
#if CLSCAN_PARKS
    clscan_parked known_sum;
    bool knows;
#else
    clscan_prefix known;
#endif
    clscan_parked total; // of the tile `own`
    uint from, own, next;
#if CLSCAN_REPRODUCIBLE
    ulong before; // tiles of the whole scan before the first of the input, or of the row
    uint stands;  // the tile at which the stack does
#endif
#if CLSCAN_JOINS_ROWS
    clscan_joined_rows joined;
#endif
} clscan_walker;

CLSCAN_FUNCTION clscan_prefix clscan_known(const clscan_walker *walker)
{
#if CLSCAN_PARKS
    clscan_prefix known;

    known.value = *walker->known_sum;
    known.present = walker->knows;
    return known;
#else
    return walker->known;
#endif
}

CLSCAN_FUNCTION void clscan_know(clscan_walker *walker, clscan_prefix prefix)
{
#if CLSCAN_PARKS
    clscan_park(walker->known_sum, prefix.value);
    walker->knows = prefix.present;
#else
    walker->known = prefix;
#endif
}

// For places of operands that hold none: the total of the tile `own`, which every operator takes whose operands may be
// anything, or nothing where what is no operand is never combined.
CLSCAN_FUNCTION clscan_sum clscan_stand_in(const clscan_walker *walker)
{
#if CLSCAN_PARKS
    return CLSCAN_NO_SUM;
#else
    return walker->total;
#endif
}

CLSCAN_FUNCTION bool clscan_leads(void)
{
    return get_local_id(0) == 0;
}

// Where the row of the tile `own` starts; what happens before such a tile is scanned, and behind clscan_pass().
#if CLSCAN_JOINS_ROWS
#define CLSCAN_ROW_START(walker) (walker)->joined.start
#if CLSCAN_REPRODUCIBLE
#define clscan_enter_row(walker)                                                                                       \
    clscan_row_enter(&(walker)->joined, (walker)->own, &(walker)->stands, &(walker)->chain.initial)
#else
#define clscan_enter_row(walker) clscan_row_enter(&(walker)->joined, (walker)->own, &(walker)->from, &(walker)->known)
#endif

CLSCAN_FUNCTION void clscan_leave_row(const clscan_walker *walker)
{
    if (clscan_leads())
        clscan_row_leave(&walker->joined, walker->from, walker->known);
}
#else
#define CLSCAN_ROW_START(walker) 0
#define clscan_enter_row(walker)
#define clscan_leave_row(walker)
#endif

// Between publishing a tile's total and the first store to the tile, barriers on both sides: in place, nobody may see
// it overwritten and still find it unpublished. By the last item, which has the least to do; the later, the less
// there is to wait for.
CLSCAN_FUNCTION void clscan_guard_published(const clscan_chain *chain)
{
    if ((chain->flags & CLSCAN_FLAG_IN_PLACE) && get_local_id(0) == CLSCAN_WORK_GROUP_SIZE - 1)
        clscan_device_fence();
}

/// The total of a tile as published or, if it is not, from the input, to every work-item. Passes barriers.
CLSCAN_FUNCTION clscan_sum clscan_total_anyway(const clscan_walker *walker, uint tile)
{
    __local clscan_notice *notice = &walker->board->notice;
    bool missing;

    barrier(CLK_LOCAL_MEM_FENCE);
    if (clscan_leads()) {
        clscan_sum value;
        notice->missing = !clscan_published(walker->chain.words, tile, walker->tag, &value);
        notice->value = value;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    missing = notice->missing != 0;
    if (CLSCAN_MUST_RUN(missing)) {
        clscan_sum value = clscan_tile_reduce(
            walker->zone, CLSCAN_CURSOR(walker->in, walker->count, (ulong)tile * CLSCAN_TILE),
            missing ? clscan_valid(walker->count, tile) : 1);
        if (missing && tile == 0 && walker->head > 0)
            value = clscan_with_head(CLSCAN_CURSOR(walker->in, walker->count, 0), walker->head, value);
        clscan_device_fence();
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
        if (clscan_leads() && missing)
            notice->value = clscan_look_again(&walker->chain, tile, walker->tag, value);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    return notice->value;
}

// All tiles are there: no wait counts as spent any more.
CLSCAN_FUNCTION void clscan_forgive(__local clscan_notice *notice)
{
    barrier(CLK_LOCAL_MEM_FENCE);
    if (clscan_leads())
        notice->spent = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
}
