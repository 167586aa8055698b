// Tile order `persistent`: a bounded number of work-groups, each of which draws a ticket for every range that it takes,
// until its ticket is beyond the last range. A range's predecessors belong to work-groups that have started, as in the
// order `dynamic`.
//
// Each work-group draws one ticket in vain, so a launch draws ranges + work-groups of them. Who draws the last one sets
// the draw word to the next epoch and ticket 0: by then nobody draws any more.

/// Called by one work-item of each work-group, until *range is not below `ranges`.
CLSCAN_FUNCTION void clscan_draw(__global clscan_word *draw_word, uint epoch_argument, uint ranges, uint *range,
                                 uint *epoch)
{
    const clscan_word tickets = (clscan_word)ranges + get_num_groups(0);
    const clscan_word drawn = clscan_word_add(draw_word, 1);

    *range = (uint)(drawn & ((((clscan_word)1) << CLSCAN_TICKET_BITS) - 1));
    *epoch = (uint)(drawn >> CLSCAN_TICKET_BITS);
    if (*range == tickets - 1)
        clscan_word_add(draw_word, (((clscan_word)1) << CLSCAN_TICKET_BITS) - tickets);
}

/// The range after *range; `ranges` or more if there is none.
///
/// stride  of the order `cyclic`; not used here
CLSCAN_FUNCTION void clscan_draw_next(__global clscan_word *draw_word, uint ranges, uint *range, uint *stride)
{
    uint epoch;

    clscan_draw(draw_word, 0, ranges, range, &epoch);
}
