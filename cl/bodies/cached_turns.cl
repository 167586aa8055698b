// What carries ask of tiles of body `cached_rows` besides their totals and their sums, in scans by segments: here it is
// no more than both in turn.

#if CLSCAN_DISCARDS
/// Scan a tile that was not loaded onto `prefix`. Parameters as in bodies/cached_rows.cl.
CLSCAN_FUNCTION clscan_prefix clscan_tile_pass(clscan_source in, clscan_sink out, uint valid, clscan_prefix prefix,
                                               bool stream)
{
    clscan_tile tile;

    (void)clscan_tile_total(&tile, 0, in, valid);
    clscan_tile_finish(&tile, 0, out, valid, prefix, stream);
    return clscan_extend(prefix, tile.total);
}
#endif

/// Finish a tile that is full, and find the total of another one. Parameters as in bodies/cached_rows.cl.
CLSCAN_FUNCTION clscan_sum clscan_tile_finish_and_total(clscan_tile *tile, __local clscan_zone *zone, clscan_sink out,
                                                        clscan_prefix prefix, bool stream, clscan_source next,
                                                        uint next_valid)
{
    clscan_tile_finish(tile, zone, out, CLSCAN_TILE, prefix, stream);
    return clscan_tile_total(tile, zone, next, next_valid);
}
