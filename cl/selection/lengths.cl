// Operation select with lengths: how far it is from each kept element to the next one, or to the end of the input.
//
// Whoever stores a kept element knows where it stands, but not always where the next one does: another work-group may
// store that. So what a selection leaves are positions in the place of lengths. These kernels make lengths of them, in
// place, in units that do not wait for each other. A unit makes the lengths of its elements except the last one, and
// leaves the place of its first element and where that stands: by these the last length of the unit before is mended
// after all units are done. They stand in `marks`, two words for each unit behind two others. The first of the others
// says where the first element stands for which there is no room.
//
// Tile body `subgroup_rows` makes the lengths of a part itself (bodies/kept_parts.cl), so its units are parts of the
// input. Others leave nothing but positions, and units are stretches of the output, which clscan_walk_lengths() walks.
//
// Of runs of two and more elements, each length ends behind the last element of its run, not at the next kept one. A
// part leaves where the run ends in which it begins, if it does there. Others leave where each run ends, in the place
// of marks, and nothing needs to be mended.
//
// Lengths are differences modulo the range of their type, so that positions may be larger.

/// \param lengths, first_length  where lengths are, and where that of place 0 stands
/// \param marks, first_mark      what units leave, and where that stands
/// \param unit        places of a unit
/// \param by_parts    not looked at here
__kernel void clscan_walk_lengths(CLSCAN_RUN_PARAMETERS, __global CLSCAN_SELECT_LENGTH *lengths, ulong first_length,
                                  __global ulong *marks, ulong first_mark, ulong unit, uint by_parts)
{
    const clscan_kept kept = clscan_kept_of(&run, initial_at, total_at);
    const ulong units = kept.end > kept.start ? clscan_units(kept.end - kept.start, unit) : 0;

    lengths += first_length;
    marks += first_mark;
    for (ulong i = get_global_id(0); i < units; i += get_global_size(0)) {
        const ulong begin = kept.start + i * unit, end = min(begin + unit, kept.end);
#if CLSCAN_SELECT_LONG
        for (ulong place = begin; place < end; ++place)
            lengths[place] = ((__global const CLSCAN_SELECT_LENGTH *)marks)[place] - lengths[place];
#else
        CLSCAN_SELECT_LENGTH next = lengths[begin];

        marks[2 + 2 * i] = begin;
        marks[3 + 2 * i] = next;
        for (ulong place = begin; place + 1 < end; ++place) {
            const CLSCAN_SELECT_LENGTH own = next;

            next = lengths[place + 1];
            lengths[place] = next - own;
        }
        if (end == kept.end && end < kept.total)
            lengths[end - 1] = (CLSCAN_SELECT_LENGTH)marks[0] - next;
#endif
    }
}

/// The same, except:
/// \param unit      elements of a unit: of the input if `by_parts` is 1, else of the output
__kernel void clscan_mend_lengths(CLSCAN_RUN_PARAMETERS, __global CLSCAN_SELECT_LENGTH *lengths, ulong first_length,
                                  __global ulong *marks, ulong first_mark, ulong unit, uint by_parts)
{
    const clscan_kept kept = clscan_kept_of(&run, initial_at, total_at);
    const ulong count = CLSCAN_TAKE_COUNT(run.count);

    lengths += first_length;
    marks += first_mark;
    if (kept.end > kept.start) {
        const ulong units = clscan_units(by_parts ? count : kept.end - kept.start, unit);

        // A part that keeps nothing leaves a place behind every end.
        for (ulong i = get_global_id(0); i < units; i += get_global_size(0)) {
            const ulong first = marks[2 + 2 * i];

            if (first > kept.start && first <= kept.end)
                lengths[first - 1] = (CLSCAN_SELECT_LENGTH)marks[3 + 2 * i] - lengths[first - 1];
        }
#if !CLSCAN_SELECT_LONG
        if (get_global_id(0) == 0 && kept.end == kept.total)
            lengths[kept.end - 1] = (CLSCAN_SELECT_LENGTH)count - lengths[kept.end - 1];
#endif
    }
}
