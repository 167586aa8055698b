// Tile order `static`: a work-group's range of tiles is its id. OpenCL promises nothing about the order in which
// work-groups start, so a wait may be spent for nothing; this order exists to measure what tickets cost. The epoch
// comes as an argument, and the last range's work-group moves the draw word on for later dynamic runs.

CLSCAN_FUNCTION void clscan_draw(__global clscan_word *draw_word, uint epoch_argument, uint ranges, uint *range,
                                 uint *epoch)
{
    *range = (uint)get_group_id(0);
    *epoch = epoch_argument;
    if (*range == ranges - 1)
        clscan_word_store(draw_word, (clscan_word)(epoch_argument + 1) << CLSCAN_TICKET_BITS);
}
