// Tile order `persistent`: a bounded number of work-groups, each of which draws a ticket for every range that it takes,
// until its ticket is beyond the last range. A range's predecessors belong to work-groups that have started, as in the
// order `dynamic`.
//
// Each work-group that takes part draws CLSCAN_VAIN_DRAWS tickets in vain, so a launch draws ranges +
// CLSCAN_VAIN_DRAWS * work-groups of them; but only one for each work-group where there is one for every range. Who
// draws the last one sets the draw word to the next epoch and ticket 0: by then nobody draws any more.
//
// Required of the host: CLSCAN_VAIN_DRAWS.
#if !defined(CLSCAN_VAIN_DRAWS)
#error "CLSCAN_VAIN_DRAWS must be defined"
#endif

// Work-groups go from range to range.
#define CLSCAN_DRAWS_NEXT 1

// Is there a work-group for every range? Then none takes a second one, and none waits for what it would draw.
#define CLSCAN_DRAWS_ONCE(ranges) (CLSCAN_WORKERS(ranges) >= (ranges))

/// Begin to draw: called by one work-item of each work-group, until it has CLSCAN_VAIN_DRAWS ranges that are not below
/// `ranges`. What it returns comes from far away; who can, waits for it later.
CLSCAN_FUNCTION clscan_word clscan_draw_begin(__global clscan_word *draw_word)
{
    return clscan_word_add(draw_word, 1);
}

/// The range that was drawn; every draw is ended once.
CLSCAN_FUNCTION uint clscan_draw_end(__global clscan_word *draw_word, clscan_word drawn, uint ranges)
{
    const clscan_word workers = CLSCAN_WORKERS(ranges);
    const clscan_word tickets = CLSCAN_DRAWS_ONCE(ranges) ? workers : ranges + CLSCAN_VAIN_DRAWS * workers;
    const uint range = (uint)(drawn & ((((clscan_word)1) << CLSCAN_TICKET_BITS) - 1));

    if (range == tickets - 1)
        clscan_word_add(draw_word, (((clscan_word)1) << CLSCAN_TICKET_BITS) - tickets);
    return range;
}

/// The same for each draw behind a work-group's first.
CLSCAN_FUNCTION clscan_word clscan_draw_again_begin(__global clscan_word *draw_word, uint ranges)
{
    return CLSCAN_DRAWS_ONCE(ranges) ? 0 : clscan_draw_begin(draw_word);
}

CLSCAN_FUNCTION uint clscan_draw_again_end(__global clscan_word *draw_word, clscan_word drawn, uint ranges)
{
    return CLSCAN_DRAWS_ONCE(ranges) ? ranges : clscan_draw_end(draw_word, drawn, ranges);
}

/// Both at once.
CLSCAN_FUNCTION void clscan_draw(__global clscan_word *draw_word, uint epoch_argument, uint ranges, uint *range,
                                 uint *epoch)
{
    const clscan_word drawn = clscan_draw_begin(draw_word);

    *epoch = (uint)(drawn >> CLSCAN_TICKET_BITS);
    *range = clscan_draw_end(draw_word, drawn, ranges);
}

/// The range after *range; `ranges` or more if there is none.
///
/// stride  of the order `cyclic`; not used here
CLSCAN_FUNCTION void clscan_draw_next(__global clscan_word *draw_word, uint ranges, uint *range, uint *stride)
{
    *range = clscan_draw_again_end(draw_word, clscan_draw_again_begin(draw_word, ranges), ranges);
}
