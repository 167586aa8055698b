// Tile bodies `coalesced` and `matrix`: rows are loaded across, so that neighbouring work-items read neighbouring
// addresses, and transposed through local memory.
//
// Work-item i owns row i of the tile. A row is cut into pieces of CLSCAN_THREAD_GROUP_SIZE columns: first the
// CLSCAN_REGISTER_PIECES that end in registers, each passing through local piece 0, the transmit buffer; then
// the CLSCAN_LOCAL_PIECES that stay in local memory. The work-items that load a piece of certain rows together
// are a "transpose group":
// - `coalesced`: CLSCAN_THREAD_GROUP_SIZE work-items, so that nobody outside the thread group takes part in the
// exchange
//   (the 3D matrix of StreamScan, figures 6 and 8). The paper relies on the lock-step of a warp where this file
//   synchronises; there is none on today's GPUs.
// - `matrix`: the whole work-group, with a work-group barrier between producing and consuming (the 2D matrix that
//   StreamScan compares itself with: figure 3; Dotsenko et al., ICS 2008).
//
// Required of the host:
//   CLSCAN_TRANSPOSE_ITEMS  work-items, and rows, of a transpose group
//   CLSCAN_SUB_GROUP_SYNC   CLSCAN_SYNC_PTX or CLSCAN_SYNC_SUB_GROUP where the host knows that a transpose group lies
//                           inside one sub-group, else CLSCAN_SYNC_WORK_GROUP
#if !defined(CLSCAN_TRANSPOSE_ITEMS) || !defined(CLSCAN_SUB_GROUP_SYNC)
#error "CLSCAN_TRANSPOSE_ITEMS and CLSCAN_SUB_GROUP_SYNC must be defined"
#endif
#if CLSCAN_SUB_GROUP_SYNC == CLSCAN_SYNC_PTX
#define CLSCAN_TRANSPOSE_SYNC() __asm__ volatile("bar.warp.sync 0xffffffff;" ::: "memory")
#elif CLSCAN_SUB_GROUP_SYNC == CLSCAN_SYNC_SUB_GROUP
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
#define CLSCAN_TRANSPOSE_SYNC() sub_group_barrier(CLK_LOCAL_MEM_FENCE)
#else
#define CLSCAN_TRANSPOSE_SYNC() barrier(CLK_LOCAL_MEM_FENCE)
#endif
#define CLSCAN_COLUMNS CLSCAN_THREAD_GROUP_SIZE
#define CLSCAN_ROW ((CLSCAN_REGISTER_PIECES + CLSCAN_LOCAL_PIECES) * CLSCAN_COLUMNS)
#define CLSCAN_TILE ((uint)CLSCAN_WORK_GROUP_SIZE * CLSCAN_ROW)
// One padding column: a column access of neighbouring rows then spreads over the banks.
#define CLSCAN_PITCH (CLSCAN_LOCAL_PIECES * CLSCAN_COLUMNS + 1)
#define CLSCAN_SEGMENTS (CLSCAN_COLUMNS / CLSCAN_VECTOR_LENGTH)

typedef struct clscan_zone {
    clscan_sum scratch[CLSCAN_SCRATCH];
    CLSCAN_T matrix[CLSCAN_WORK_GROUP_SIZE * CLSCAN_PITCH];
} clscan_zone;

typedef struct clscan_tile {
#if CLSCAN_REGISTER_PIECES > 0
    CLSCAN_T registers[CLSCAN_REGISTER_PIECES * CLSCAN_COLUMNS];
#endif
    clscan_sum left; // all rows before this one; present for every item but the first
} clscan_tile;

// The vector that this work-item moves in turn `turn` of a piece: its row in the tile and its first column.
CLSCAN_FUNCTION uint clscan_segment_row(uint turn)
{
    const uint lid = (uint)get_local_id(0);
    const uint vector = turn * CLSCAN_TRANSPOSE_ITEMS + lid % CLSCAN_TRANSPOSE_ITEMS;
    return lid / CLSCAN_TRANSPOSE_ITEMS * CLSCAN_TRANSPOSE_ITEMS + vector / CLSCAN_SEGMENTS;
}

CLSCAN_FUNCTION uint clscan_segment_column(uint turn)
{
    const uint vector = turn * CLSCAN_TRANSPOSE_ITEMS + (uint)get_local_id(0) % CLSCAN_TRANSPOSE_ITEMS;
    return vector % CLSCAN_SEGMENTS * CLSCAN_VECTOR_LENGTH;
}

// The vectors of a piece between global memory and registers. `aligned` is a constant here: one branch for all loads
// keeps them in flight together, one branch for each does not.
CLSCAN_FUNCTION void clscan_segments_load(clscan_vector *segments, clscan_source in, uint piece, bool aligned)
{
#pragma unroll
    for (uint turn = 0; turn < CLSCAN_SEGMENTS; ++turn)
        segments[turn] = clscan_load_vector(
            in, clscan_segment_row(turn) * CLSCAN_ROW + piece * CLSCAN_COLUMNS + clscan_segment_column(turn), aligned);
}

// Where the vector of this turn stands in the local piece `slot`.
CLSCAN_FUNCTION uint clscan_segment_place(uint turn, uint slot)
{
    return clscan_segment_row(turn) * CLSCAN_PITCH + slot * CLSCAN_COLUMNS + clscan_segment_column(turn);
}

// Global to local: piece `piece` of the rows, into the local piece `slot`.
CLSCAN_FUNCTION void clscan_piece_load(__local CLSCAN_T *matrix, clscan_source in, uint piece, uint slot, uint valid,
                                       bool aligned)
{
    clscan_vector segments[CLSCAN_SEGMENTS];

    if (valid == CLSCAN_TILE) {
        if (aligned)
            clscan_segments_load(segments, in, piece, true);
        else
            clscan_segments_load(segments, in, piece, false);
#pragma unroll
        for (uint turn = 0; turn < CLSCAN_SEGMENTS; ++turn) {
            // Element by element: with a vstore, NVIDIA's compiler keeps fewer loads in flight (4 % of an int32 scan).
            CLSCAN_T elements[CLSCAN_VECTOR_LENGTH];
            clscan_unpack(segments[turn], elements);
#pragma unroll
            for (uint c = 0; c < CLSCAN_VECTOR_LENGTH; ++c)
                matrix[clscan_segment_place(turn, slot) + c] = elements[c];
        }
        return;
    }
    for (uint turn = 0; turn < CLSCAN_SEGMENTS; ++turn) {
        const uint k =
            clscan_segment_row(turn) * CLSCAN_ROW + piece * CLSCAN_COLUMNS + clscan_segment_column(turn);
        __local CLSCAN_T *to = matrix + clscan_segment_place(turn, slot);
        // Beyond the end there is something to copy, though nobody uses it.
        for (uint c = 0; c < CLSCAN_VECTOR_LENGTH; ++c)
            to[c] = k + c < valid ? clscan_read(in, k + c) : CLSCAN_NO_ELEMENT;
    }
}

// Local to global, the other way round.
CLSCAN_FUNCTION void clscan_piece_store(__local const CLSCAN_T *matrix, clscan_sink out, uint piece, uint slot,
                                        uint valid, bool aligned)
{
    for (uint turn = 0; turn < CLSCAN_SEGMENTS; ++turn) {
        const uint k =
            clscan_segment_row(turn) * CLSCAN_ROW + piece * CLSCAN_COLUMNS + clscan_segment_column(turn);
        __local const CLSCAN_T *from = matrix + clscan_segment_place(turn, slot);
        if (valid == CLSCAN_TILE) {
            CLSCAN_T elements[CLSCAN_VECTOR_LENGTH];
#pragma unroll
            for (uint c = 0; c < CLSCAN_VECTOR_LENGTH; ++c)
                elements[c] = from[c];
            clscan_store_vector(out, k, clscan_pack(elements), aligned);
        } else {
            for (uint c = 0; c < CLSCAN_VECTOR_LENGTH; ++c)
                if (k + c < valid)
                    clscan_write(out, k + c, from[c]);
        }
    }
}

#define CLSCAN_IN_REGISTERS (CLSCAN_REGISTER_PIECES * CLSCAN_COLUMNS)
#define CLSCAN_IN_LOCAL (CLSCAN_LOCAL_PIECES * CLSCAN_COLUMNS)

// The functions below come in pairs from one text: with `full` a constant true the compiler drops every test
// against `valid`, the number of elements of the row that exist.

CLSCAN_FUNCTION clscan_prefix clscan_row_total(bool full, clscan_tile *tile, __local const CLSCAN_T *own, uint valid)
{
    clscan_prefix sum;
    sum.value = CLSCAN_NO_SUM;
    sum.present = false;
#if CLSCAN_REGISTER_PIECES > 0
#pragma unroll
    for (uint c = 0; c < CLSCAN_IN_REGISTERS; ++c)
        if (full || c < valid)
            sum = clscan_extend(sum, clscan_lift(tile->registers[c]));
#else
    // The first element on its own: from then on the compiler knows that there is a sum.
    if (full || valid > 0)
        sum = clscan_extend(sum, clscan_lift(own[0]));
#endif
    for (uint c = CLSCAN_REGISTER_PIECES == 0; c < CLSCAN_IN_LOCAL; ++c)
        if (full || CLSCAN_IN_REGISTERS + c < valid)
            sum = clscan_extend(sum, clscan_lift(own[c]));
    return sum;
}

CLSCAN_FUNCTION void clscan_row_scan(bool full, clscan_tile *tile, __local CLSCAN_T *own, uint valid,
                                     clscan_prefix prefix)
{
#if CLSCAN_REGISTER_PIECES > 0
#pragma unroll
    for (uint c = 0; c < CLSCAN_IN_REGISTERS; ++c)
        if (full || c < valid)
            tile->registers[c] = clscan_step(&prefix, tile->registers[c]);
#else
    if (full || valid > 0)
        own[0] = clscan_step(&prefix, own[0]);
#endif
    for (uint c = CLSCAN_REGISTER_PIECES == 0; c < CLSCAN_IN_LOCAL; ++c)
        if (full || CLSCAN_IN_REGISTERS + c < valid)
            own[c] = clscan_step(&prefix, own[c]);
}

/// Load a tile and return its total to every work-item. Parameters as in bodies/strided.cl.
CLSCAN_FUNCTION clscan_sum clscan_tile_total(clscan_tile *tile, __local clscan_zone *zone, clscan_source in, uint valid)
{
    const uint row_valid = clscan_row_valid(CLSCAN_ROW, valid);
    const bool aligned = clscan_source_aligned(in);
    __local CLSCAN_T *own = zone->matrix + (uint)get_local_id(0) * CLSCAN_PITCH;
    clscan_prefix sum;

#if CLSCAN_REGISTER_PIECES > 0
#pragma unroll
    for (uint piece = 0; piece < CLSCAN_REGISTER_PIECES; ++piece) {
        clscan_piece_load(zone->matrix, in, piece, 0, valid, aligned);
        CLSCAN_TRANSPOSE_SYNC();
#pragma unroll
        for (uint c = 0; c < CLSCAN_COLUMNS; ++c)
            tile->registers[piece * CLSCAN_COLUMNS + c] = own[c];
        // The transmit buffer is filled again only when everybody has read its row.
        CLSCAN_TRANSPOSE_SYNC();
    }
#endif
    for (uint slot = 0; slot < CLSCAN_LOCAL_PIECES; ++slot)
        clscan_piece_load(zone->matrix, in, CLSCAN_REGISTER_PIECES + slot, slot, valid, aligned);
    CLSCAN_TRANSPOSE_SYNC();
    if (row_valid == CLSCAN_ROW)
        sum = clscan_row_total(true, tile, own, CLSCAN_ROW);
    else
        sum = clscan_row_total(false, tile, own, row_valid);
    return clscan_group_scan(zone->scratch, sum.value, (valid + CLSCAN_ROW - 1) / CLSCAN_ROW, &tile->left);
}

/// Scan the tile onto `prefix` and store it. Parameters as in bodies/strided.cl.
CLSCAN_FUNCTION void clscan_tile_finish(clscan_tile *tile, __local clscan_zone *zone, clscan_sink out, uint valid,
                                        clscan_prefix prefix, bool stream)
{
    const uint lid = (uint)get_local_id(0);
    const uint row_valid = clscan_row_valid(CLSCAN_ROW, valid);
    const bool aligned = clscan_sink_aligned(out);
    __local CLSCAN_T *own = zone->matrix + lid * CLSCAN_PITCH;

    if (lid > 0 && row_valid > 0)
        prefix = clscan_extend(prefix, tile->left);
    if (row_valid == CLSCAN_ROW)
        clscan_row_scan(true, tile, own, CLSCAN_ROW, prefix);
    else
        clscan_row_scan(false, tile, own, row_valid, prefix);
    CLSCAN_TRANSPOSE_SYNC();
    for (uint slot = 0; slot < CLSCAN_LOCAL_PIECES; ++slot)
        clscan_piece_store(zone->matrix, out, CLSCAN_REGISTER_PIECES + slot, slot, valid, aligned);
#if CLSCAN_REGISTER_PIECES > 0
#pragma unroll
    for (uint piece = 0; piece < CLSCAN_REGISTER_PIECES; ++piece) {
        // Everybody has stored the buffer's last content before a row of it is overwritten.
        CLSCAN_TRANSPOSE_SYNC();
#pragma unroll
        for (uint c = 0; c < CLSCAN_COLUMNS; ++c)
            own[c] = tile->registers[piece * CLSCAN_COLUMNS + c];
        CLSCAN_TRANSPOSE_SYNC();
        clscan_piece_store(zone->matrix, out, piece, 0, valid, aligned);
    }
#endif
}
