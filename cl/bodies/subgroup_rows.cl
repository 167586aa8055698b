// Tile body `subgroup_rows`: a tile is cut into one part per sub-group, a part into rows of one vector per lane, so
// that neighbouring lanes access neighbouring vectors; the elements stay in registers and are scanned across the
// lanes by shuffles, without a transpose (LightScan, algorithms 2 and 3; Dieguez et al., figure 4).
// Of selections, bodies/kept_rows.cl and bodies/kept_marks.cl say what a lane holds of a row.

// Load a whole tile, or none, where callers go on without one; elsewhere they do not. `in` has elements in any case.
CLSCAN_FUNCTION void clscan_rows_load_if(bool present, clscan_lane_row *rows, clscan_source in)
{
    if (CLSCAN_EXCHANGE == 0 || present)
        clscan_rows_load(true, rows, in, CLSCAN_TILE);
    else
        clscan_rows_load(false, rows, in, 0);
}

// Scan the rows of a whole tile, or of none, after clscan_rows_load_if().
CLSCAN_FUNCTION clscan_sum clscan_rows_scan_if(bool present, clscan_tile *tile, __local clscan_zone *zone)
{
    present = CLSCAN_EXCHANGE == 0 || present;
    return clscan_rows_scan(present, tile, zone, present ? CLSCAN_TILE : 0);
}

// The elements of a whole tile whose parts are combined; where there is no tile, so few that nothing is combined.
CLSCAN_FUNCTION uint clscan_tile_or_none(bool present)
{
    return CLSCAN_TAKES_ANYTHING || present ? CLSCAN_TILE : 1;
}

#if CLSCAN_REPRODUCIBLE
/// Combine the parts' totals, which sub-groups have put into `parts`. Returns the tile's total, if it is full, to every
/// work-item; `left` receives the node of the block that has this lane's number or, if that is cut, its total.
CLSCAN_FUNCTION clscan_sum clscan_parts_scan(__local clscan_sum *scratch, __local const clscan_sum *parts, uint valid,
                                             clscan_sum *left)
{
    *left = clscan_lanes_sweep(scratch, clscan_sub_groups_gather(parts), CLSCAN_TILE_BLOCKS, 0, valid / CLSCAN_BLOCK);
    return clscan_shuffle(scratch, *left, CLSCAN_TILE_BLOCKS - 1);
}

/// What precedes this sub-group's part; `prefix` precedes the tile.
CLSCAN_FUNCTION clscan_prefix clscan_part_prefix(__local clscan_sum *scratch, clscan_sum left, uint valid,
                                                 clscan_prefix prefix)
{
    return clscan_lanes_before(scratch, left, CLSCAN_TILE_BLOCKS, min(clscan_sub_group(), valid / CLSCAN_BLOCK),
                               prefix);
}

/// What follows a tile that is not full.
CLSCAN_FUNCTION clscan_prefix clscan_cut_tile_end(__local clscan_sum *scratch, clscan_sum left, uint valid,
                                                  clscan_prefix prefix)
{
    const uint whole = valid / CLSCAN_BLOCK;
    const clscan_sum cut = clscan_shuffle(scratch, left, whole % CLSCAN_TILE_BLOCKS);

    prefix = clscan_lanes_before(scratch, left, CLSCAN_TILE_BLOCKS, whole % CLSCAN_TILE_BLOCKS, prefix);
    return valid % CLSCAN_BLOCK > 0 ? clscan_extend(prefix, cut) : prefix;
}
#else
/// Combine the parts' totals, which sub-groups have put into `parts`. Returns the tile's total to every work-item;
/// `left` receives the parts before this one, and is there for all but the first.
CLSCAN_FUNCTION clscan_sum clscan_parts_scan(__local clscan_sum *scratch, __local const clscan_sum *parts, uint valid,
                                             clscan_sum *left)
{
    return clscan_sub_groups_scan(scratch, parts, clscan_parts(valid), left);
}

/// What precedes this sub-group's part; `prefix` precedes the tile.
CLSCAN_FUNCTION clscan_prefix clscan_part_prefix(__local clscan_sum *scratch, clscan_sum left, uint valid,
                                                 clscan_prefix prefix)
{
    return clscan_sub_group() > 0 && clscan_sub_group() < clscan_parts(valid) ? clscan_extend(prefix, left) : prefix;
}
#endif

/// The same, of the part's total, which the lane clscan_end_lane(CLSCAN_SUB_GROUP_SIZE) has.
CLSCAN_FUNCTION clscan_sum clscan_parts_combine(__local clscan_sum *scratch, clscan_sum part, uint valid,
                                                clscan_sum *left)
{
    clscan_sub_group_put(clscan_sub_group_values(scratch), part, clscan_end_lane(CLSCAN_SUB_GROUP_SIZE));
    barrier(CLK_LOCAL_MEM_FENCE);
    return clscan_parts_scan(scratch, clscan_sub_group_values(scratch), valid, left);
}

#if CLSCAN_REREADS
/// As below.
CLSCAN_FUNCTION clscan_sum clscan_any_tile_total(clscan_tile *tile, __local clscan_zone *zone, clscan_source in,
                                                 uint valid)
{
    tile->in = in;
    return clscan_parts_combine(zone->scratch, clscan_rows_reduce(zone, in, valid), valid, &tile->left);
}

// Scan the first `exist` elements of a row's vector onto `prefix`, and store them.
CLSCAN_FUNCTION void clscan_part_store(clscan_sink out, uint row, clscan_held held, uint exist, clscan_prefix prefix)
{
#if CLSCAN_PLAIN
    const uint k = clscan_row_place(row);
    const clscan_vector v = clscan_release(held);

    if (exist > 0)
        clscan_write(out, k, clscan_step(&prefix, v.s0));
    if (exist > 1)
        clscan_write(out, k + 1, clscan_step(&prefix, v.s1));
    if (exist > 2)
        clscan_write(out, k + 2, clscan_step(&prefix, v.s2));
    if (exist > 3)
        clscan_write(out, k + 3, clscan_step(&prefix, v.s3));
#else
    clscan_row_store(false, out, clscan_vector_step(false, held, exist, prefix, 0), row, exist);
#endif
}

CLSCAN_FUNCTION void clscan_any_tile_finish(const clscan_tile *tile, __local clscan_zone *zone, clscan_sink out,
                                            uint valid, clscan_prefix prefix)
{
    clscan_prefix rows = clscan_nothing();

    prefix = clscan_part_prefix(zone->scratch, tile->left, valid, prefix);
#pragma unroll 1
    for (uint row = 0; row < CLSCAN_ROWS; ++row) {
        const uint lanes = clscan_row_lanes(false, row, valid);
        const clscan_held v = clscan_row_load(false, tile->in, row, valid);
        const clscan_scanned scanned = clscan_row_scan(false, zone, v, row, valid);
        const clscan_sum below = clscan_sums_below(zone->scratch, scanned);
        const clscan_sum last = clscan_sums_all(zone->scratch, scanned, lanes);

        if (clscan_lane() < lanes) {
            const clscan_sum base = clscan_lane() == 0 ? rows.value : clscan_extend(rows, below).value;
            clscan_part_store(out, row, v, clscan_lane_elements(clscan_row_elements(row, valid)),
                              clscan_row_prefix(row, base, prefix));
        }
        if (lanes > 0)
            rows = clscan_extend(rows, last);
    }
}
#else
/// clscan_tile_total() for tiles that need not be whole.
CLSCAN_FUNCTION clscan_sum clscan_any_tile_total(clscan_tile *tile, __local clscan_zone *zone, clscan_source in,
                                                 uint valid)
{
    clscan_rows_load_first(tile->rows, in, valid);
    return clscan_parts_combine(zone->scratch, clscan_rows_scan(false, tile, zone, valid), valid, &tile->left);
}

/// clscan_tile_finish() for such tiles.
CLSCAN_FUNCTION void clscan_any_tile_finish(const clscan_tile *tile, __local clscan_zone *zone, clscan_sink out,
                                            uint valid, clscan_prefix prefix)
{
    clscan_rows_store(false, tile, zone, out, valid,
                      clscan_part_prefix(zone->scratch, tile->left, valid, prefix));
}
#endif

// Are whole tiles kept from clscan_tile_total() to clscan_tile_finish()?
#define CLSCAN_KEEPS_TILES (!CLSCAN_REPRODUCIBLE || CLSCAN_EXCHANGE == 0)
// Do they leave in another way than tiles that need not be whole?
#define CLSCAN_STORES_WHOLE (CLSCAN_KEEPS_TILES && CLSCAN_GATHERS == 0)

// Are tiles shifted whose vectors are not aligned? In the reproducible order they begin with the input, or with a row
// of it. Others begin where vectors do, if that goes (bodies/edges.cl, rows/heads.cl).
#define CLSCAN_SHIFTS_TILES (CLSCAN_SHIFTS && CLSCAN_REPRODUCIBLE)

// Behind the loads of a tile, so that all are on their way before anything waits for one. With sums of 8 bytes and more
// NVIDIA's assembler moves half of them behind the scans of others, which saves it registers: rows of int64 then reach
// 0.72 of a copy's speed on an H200, and 0.96 without. Loads of narrower sums stay where they are.
#if !defined(CLSCAN_BEGIN_LOADS) || CLSCAN_A_BYTES < 8
#undef CLSCAN_BEGIN_LOADS
#define CLSCAN_BEGIN_LOADS() (void)0
#endif

/// Load a tile and return its total to every work-item. Parameters as in bodies/strided.cl.
CLSCAN_FUNCTION clscan_sum clscan_tile_total(clscan_tile *tile, __local clscan_zone *zone, clscan_source in, uint valid)
{
#if CLSCAN_KEEPS_TILES && CLSCAN_EXCHANGE > 0
    // Exchanges pass barriers here, so they stand outside the test: of barriers in both of its arms PoCL 3.1 makes
    // wrong code for work-groups of 2 work-items.
    const bool whole = clscan_tile_is_whole(in, valid);

    if (whole)
        clscan_rows_load(true, tile->rows, in, valid);
    else
        clscan_rows_load_first(tile->rows, in, valid);
    return clscan_parts_combine(zone->scratch, clscan_rows_scan(whole, tile, zone, valid), valid, &tile->left);
#else
    if (!CLSCAN_KEEPS_TILES || !(CLSCAN_SHIFTS_TILES ? valid == CLSCAN_TILE : clscan_tile_is_whole(in, valid)))
        return clscan_any_tile_total(tile, zone, in, valid);
#if CLSCAN_SHIFTS_TILES
    if (!clscan_source_aligned(in))
        clscan_rows_load_shifted(tile->rows, zone->scratch, in, clscan_to_multiple(in, sizeof(clscan_vector)));
    else
#endif
        clscan_rows_load(true, tile->rows, in, valid);
    CLSCAN_BEGIN_LOADS();
    return clscan_parts_combine(zone->scratch, clscan_rows_scan(true, tile, zone, valid), valid, &tile->left);
#endif
}

// 1 if the body has functions for whole tiles, in which the total comes before the scan of the rows: for work-groups
// that have one tile, whose total others wait for. Where the order of operands counts, and without shuffles, it takes
// as long as that scan. Selections only count before they are stored.
#define CLSCAN_TILE_HAS_WHOLE \
    (CLSCAN_COMMUTATIVE && !CLSCAN_REPRODUCIBLE && !CLSCAN_SELECTS && CLSCAN_EXCHANGE == 0)

#if CLSCAN_TILE_HAS_WHOLE
/// Are they for the tile at these cursors?
CLSCAN_FUNCTION bool clscan_whole_fits(clscan_source in, clscan_sink out, uint valid)
{
    return clscan_tile_is_whole(in, valid) && clscan_sink_aligned(out);
}

/// Load the tile, and return its total to every work-item.
CLSCAN_FUNCTION clscan_sum clscan_whole_total(clscan_tile *tile, __local clscan_zone *zone, clscan_source in)
{
    clscan_sum total = CLSCAN_NO_SUM;

    clscan_rows_load(true, tile->rows, in, CLSCAN_TILE);
#pragma unroll
    for (uint row = 0; row < CLSCAN_ROWS; ++row) {
        const clscan_sum sum = clscan_vector_total(true, tile->rows[row], CLSCAN_VECTOR_LENGTH);
        total = row > 0 ? clscan_join(total, sum) : sum;
    }
    total = clscan_sub_group_total(zone->scratch, total, CLSCAN_SUB_GROUP_SIZE);
    return clscan_parts_combine(zone->scratch, total, CLSCAN_TILE, &tile->left);
}

/// Scan the rows, as far as that goes without a prefix.
CLSCAN_FUNCTION void clscan_whole_scan(clscan_tile *tile, __local clscan_zone *zone)
{
    (void)clscan_rows_scan(true, tile, zone, CLSCAN_TILE);
}

/// Scan the tile onto `prefix` and store it.
CLSCAN_FUNCTION void clscan_whole_finish(const clscan_tile *tile, __local clscan_zone *zone, clscan_sink out,
                                         clscan_prefix prefix)
{
    clscan_rows_store(true, tile, zone, out, CLSCAN_TILE,
                      clscan_part_prefix(zone->scratch, tile->left, CLSCAN_TILE, prefix));
}
#endif

/// Scan the tile onto `prefix` and store it. Parameters as in bodies/strided.cl; stores always go through the cache.
/// What is gathered in local memory leaves whole and other tiles alike, and passes barriers, which must not stand in
/// both arms of the test: see clscan_tile_total().
CLSCAN_FUNCTION void clscan_tile_finish(clscan_tile *tile, __local clscan_zone *zone, clscan_sink out, uint valid,
                                        clscan_prefix prefix, bool stream)
{
#if CLSCAN_SHIFTS_TILES
    if (valid == CLSCAN_TILE && !clscan_sink_aligned(out)) {
        clscan_rows_store_shifted(tile, zone, out, clscan_to_multiple(out, sizeof(clscan_vector)),
                                  clscan_part_prefix(zone->scratch, tile->left, valid, prefix));
        return;
    }
#endif
    if (!CLSCAN_STORES_WHOLE || !clscan_output_is_whole(out, valid))
        clscan_any_tile_finish(tile, zone, out, valid, prefix);
    else
        clscan_rows_store(true, tile, zone, out, valid,
                          clscan_part_prefix(zone->scratch, tile->left, valid, prefix));
}

#if CLSCAN_REPRODUCIBLE
/// What follows a tile that is not full, and has been scanned onto `prefix`; to every work-item.
CLSCAN_FUNCTION clscan_prefix clscan_tile_end(const clscan_tile *tile, __local clscan_zone *zone, uint valid,
                                              clscan_prefix prefix)
{
    return clscan_cut_tile_end(zone->scratch, tile->left, valid, prefix);
}
#endif

/// The total of a tile that is not kept, row by row, in few registers: for use where another tile is waiting.
CLSCAN_FUNCTION clscan_sum clscan_tile_reduce(__local clscan_zone *zone, clscan_source in, uint valid)
{
    clscan_sum left;
    return clscan_parts_combine(zone->scratch, clscan_rows_reduce(zone, in, valid), valid, &left);
}
