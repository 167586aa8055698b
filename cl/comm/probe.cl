// The start-up probe's check of messages: each work-group publishes one value per round, and its work-items look for
// those of the work-groups that drew the tickets before its own, as waiting carries do. A program of carry `adjacent`
// and order `dynamic` holds this file in addition.
//
// Required of the host:
//   CLSCAN_HOLD_INTERVAL  test mode: every n-th work-group publishes nothing; 0 otherwise

// Counters behind the draw word, at CLSCAN_REPORT_BYTES; src/probe/rig.c reads them in this order.
#define CLSCAN_PROBE_HEARD 0
#define CLSCAN_PROBE_MISSED 1
#define CLSCAN_PROBE_WRONG 2

// Differs from round to round, from work-group to work-group and from launch to launch.
CLSCAN_FUNCTION clscan_sum clscan_probe_value(uint from, uint round, uint epoch)
{
    return (clscan_sum)((from * 2654435761u) ^ (round * 2246822519u) ^ (epoch * 3266489917u));
}

/// control         the draw word, then the counters
/// words           [work-groups * rounds] values, by work-group and round
/// poll_limit      polls before a value counts as missed, at least 1
/// missed_before   what the counter of missed values held before this launch
__kernel __attribute__((reqd_work_group_size(CLSCAN_WORK_GROUP_SIZE, 1, 1)))
void clscan_probe(__global uchar *control, __global uchar *words_at, uint rounds, uint poll_limit, uint missed_before)
{
    __global clscan_published_word *words = (__global clscan_published_word *)words_at;
    __global uint *counters = (__global uint *)(control + CLSCAN_REPORT_BYTES);
    __local uint drawn[3];
    const uint item = (uint)get_local_id(0);
    uint own, epoch, from, patience;
    uint heard = 0, missed = 0, wrong = 0;
    clscan_word tag;

    if (item == 0) {
        clscan_draw((__global clscan_word *)control, 0, (uint)get_num_groups(0), &own, &epoch);
        drawn[0] = own;
        drawn[1] = epoch;
        // One missed value says it all; once there is one, nobody spends time on more.
        drawn[2] = atomic_add((volatile __global uint *)counters + CLSCAN_PROBE_MISSED, 0u);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    own = drawn[0];
    epoch = drawn[1];
    patience = drawn[2] == missed_before ? poll_limit : 1;
    if (own >= (uint)get_num_groups(0)) {
        // Not even tickets work.
        (void)atomic_inc((volatile __global uint *)counters + CLSCAN_PROBE_WRONG);
        return;
    }
    tag = clscan_tag(epoch);
    from = own - 1 - item; // if there is one
    for (uint round = 0; round < rounds; ++round) {
        clscan_sum value = CLSCAN_NO_SUM;
        bool found = false;

#if CLSCAN_HOLD_INTERVAL > 0
        if (item == 0 && own % CLSCAN_HOLD_INTERVAL != CLSCAN_HOLD_INTERVAL - 1)
#else
        if (item == 0)
#endif
            clscan_publish(words, own * rounds + round, tag, clscan_probe_value(own, round, epoch));
        if (item >= own)
            continue;
        for (uint poll = 0; poll < (missed == 0 ? patience : 1) && !found; ++poll)
            found = clscan_published(words, from * rounds + round, tag, &value);
        if (!found)
            ++missed;
        else if (value == clscan_probe_value(from, round, epoch))
            ++heard;
        else
            ++wrong;
    }
    (void)atomic_add((volatile __global uint *)counters + CLSCAN_PROBE_HEARD, heard);
    (void)atomic_add((volatile __global uint *)counters + CLSCAN_PROBE_MISSED, missed);
    (void)atomic_add((volatile __global uint *)counters + CLSCAN_PROBE_WRONG, wrong);
}
