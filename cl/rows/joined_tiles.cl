// Rows that follow each other without a gap, each of whole tiles, are one input: work-groups of the carry `lookahead`
// walk its tiles (carries/lookahead.cl). What precedes a tile begins where its row does.
#define CLSCAN_JOINS_ROWS 1

// All but `start` are arguments of the kernel: what follows from them is looked up where it is needed, and takes no
// registers meanwhile.
typedef struct clscan_joined_rows {
    const clscan_run *run; // run->tiles_per_range tiles of each row
    const clscan_rows *rows;
    __global const CLSCAN_A *initial_at;
    __global CLSCAN_A *total_at;
    uint start; // the first tile of the row that is walked
} clscan_joined_rows;

// The number of that row. In reverse the first tiles are those of the last row.
CLSCAN_FUNCTION uint clscan_joined_row(const clscan_joined_rows *joined)
{
    const uint row = joined->start / (uint)joined->run->tiles_per_range;
    return CLSCAN_REVERSE ? (uint)joined->rows->count - 1 - row : row;
}

/// Go on to the row of tile `own`. If no tile of it was scanned yet, the one from which on totals are taken up, `from`,
/// becomes the row's first, and `known` what precedes that.
CLSCAN_FUNCTION void clscan_row_enter(clscan_joined_rows *joined, uint own, uint *from, clscan_prefix *known)
{
    joined->start = own - own % (uint)joined->run->tiles_per_range;
    if (*from <= joined->start) {
        *from = joined->start;
        *known = clscan_initial_of(
            clscan_initials_take(joined->run, joined->initial_at, joined->rows->initial_pitch),
            clscan_joined_row(joined));
    }
}

/// Does the row end before the tile `from`?
CLSCAN_FUNCTION bool clscan_row_ends(const clscan_joined_rows *joined, uint from)
{
    return from == joined->start + (uint)joined->run->tiles_per_range;
}

/// If its last tile was scanned, leave its total: `known` precedes the tile `from`.
CLSCAN_FUNCTION void clscan_row_leave(const clscan_joined_rows *joined, uint from, clscan_prefix known)
{
    if (clscan_row_ends(joined, from))
        clscan_store_row_total(joined->run->flags,
                               clscan_row_totals_take(joined->run, joined->total_at, joined->rows->total_pitch),
                               clscan_joined_row(joined), known);
}
