// Parts of a tile whose vectors begin in memory where those of its lanes do not: each lane passes the end of its
// elements on to the next one, so that whole vectors are loaded and stored all the same. Where lanes reach their
// neighbours' elements without a barrier.
#define CLSCAN_SHIFTS (CLSCAN_PLAIN && CLSCAN_EXCHANGE == 0)

#if CLSCAN_SHIFTS
// Rotate cells down by as many as `by` says.
CLSCAN_FUNCTION void clscan_cells_rotate(clscan_cell *cells, uint by)
{
#pragma unroll
    for (uint step = 1; step < CLSCAN_CELLS; step *= 2) {
        clscan_cell rotated[CLSCAN_CELLS];
#pragma unroll
        for (uint i = 0; i < CLSCAN_CELLS; ++i) {
            // Both first: of a choice of places compilers make memory.
            const clscan_cell here = cells[i], above = cells[(i + step) % CLSCAN_CELLS];
            rotated[i] = by & step ? above : here;
        }
#pragma unroll
        for (uint i = 0; i < CLSCAN_CELLS; ++i)
            cells[i] = rotated[i];
    }
}

/// A row's vectors, each of all but the first `drop` elements of the lane below and the first `drop` of this lane's
/// own; 0 < drop < CLSCAN_VECTOR_LENGTH. Lane 0 of the first row has no lane below.
///
/// wrapped  handed from each row to the next: lane 0 takes the last lane's elements in the row before
CLSCAN_FUNCTION clscan_held clscan_row_shifted(__local clscan_sum *scratch, uint row, uint drop,
                                               const clscan_cell *own, clscan_cell *wrapped)
{
    const uint lane = clscan_lane(), cells = drop / CLSCAN_PER_CELL;
    clscan_cell rotated[CLSCAN_CELLS], shifted[CLSCAN_CELLS + 1];

#pragma unroll
    for (uint i = 0; i < CLSCAN_CELLS; ++i)
        rotated[i] = own[i];
    clscan_cells_rotate(rotated, cells);
#pragma unroll
    for (uint i = 0; i < CLSCAN_CELLS; ++i) {
        const clscan_cell below =
            clscan_cell_shuffle(scratch, rotated[i], (lane + CLSCAN_SUB_GROUP_SIZE - 1) % CLSCAN_SUB_GROUP_SIZE);
        shifted[i] = rotated[i];
        if (i + cells < CLSCAN_CELLS)
            shifted[i] = lane > 0 || row == 0 ? below : wrapped[i];
        wrapped[i] = below;
    }
    shifted[CLSCAN_CELLS] = rotated[0];
    clscan_cells_join(shifted, drop % CLSCAN_PER_CELL);
    return clscan_cells_held(shifted);
}

/// Store a row of a whole tile, of which each lane has a vector, and whose output's vectors begin `shift` elements
/// behind the tile's; 0 < shift < CLSCAN_VECTOR_LENGTH. `wrapped` as above.
CLSCAN_FUNCTION void clscan_row_store_shifted(__local clscan_sum *scratch, clscan_sink out, uint row, uint shift,
                                              clscan_held held, clscan_cell *wrapped)
{
    // The cursor whose vectors end where the output's do.
    const clscan_sink before = CLSCAN_ADVANCE(out, (int)shift - CLSCAN_VECTOR_LENGTH);
    const uint lane = clscan_lane();
    clscan_cell own[CLSCAN_CELLS];
    clscan_held shifted;

    clscan_held_cells(held, own);
    shifted = clscan_row_shifted(scratch, row, shift, own, wrapped);
    if (row > 0 || lane > 0)
        clscan_store_held(CLSCAN_ROW_CURSOR(before, row), shifted);
    // The ends of the part, whose vectors are shared with other parts.
#pragma unroll
    for (uint c = 0; c < CLSCAN_VECTOR_LENGTH; ++c)
        if ((row == 0 && lane == 0 && c < shift) ||
            (row == CLSCAN_ROWS - 1 && lane == CLSCAN_SUB_GROUP_SIZE - 1 && c >= shift))
            clscan_write(CLSCAN_ROW_CURSOR(out, row), c, clscan_cell_get(own, c));
}
#endif
