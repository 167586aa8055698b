// Tile order `dynamic`: a work-group's range of tiles is the ticket that it draws (StreamScan, figure 9), so a tile's
// predecessors belong to work-groups that have started, and waiting for them is legal wherever a started
// work-group keeps running.
//
// The draw word holds the epoch above the ticket, so that one access yields both. The last work-group to draw sets
// it to the next epoch and ticket 0: a run needs no clearing launch, and a recorded launch can be replayed.

/// Called by one work-item of each work-group, once.
CLSCAN_FUNCTION void clscan_draw(__global clscan_word *draw_word, uint epoch_argument, uint ranges, uint *range,
                                 uint *epoch)
{
    const clscan_word drawn = clscan_word_add(draw_word, 1);

    *range = (uint)(drawn & ((((clscan_word)1) << CLSCAN_TICKET_BITS) - 1));
    *epoch = (uint)(drawn >> CLSCAN_TICKET_BITS);
    if (*range == ranges - 1)
        clscan_word_add(draw_word, (((clscan_word)1) << CLSCAN_TICKET_BITS) - ranges);
}
