// Operation repeat: fills the outputs with elements, each as many times as its length says. An element's place, the sum
// of the lengths before it, stands in `places` already.
//
// The outputs are shared out evenly, whatever the lengths are. A work-group finds the element of its first output by a
// search, and walks on from there. On GPUs it takes a tile of outputs at a time: each element that begins there marks
// its place in local memory, a running maximum of the marks gives every output its element, and neighbouring work-items
// store neighbouring outputs. Elements of length 0 mark nothing, so that each mark has one writer.
//
// Required of the host (src/program/repetition.c):
//   CLSCAN_EXPAND_WORK_GROUP_SIZE  1 on CPUs, else a power of two of at least 16
//   CLSCAN_EXPAND_RUN              unsigned type of the number of an element
//   CLSCAN_EXPAND_PARAMETERS       columns: where they are, and where they go
//   CLSCAN_EXPAND_LOAD(run)        loads element `run` of all columns into variables
//   CLSCAN_EXPAND_STORE(place)     stores these variables
//   CLSCAN_EXPAND_AHEAD            outputs that one work-item stores at once, whether an element has so many or not
#if !defined(CLSCAN_EXPAND_WORK_GROUP_SIZE) || !defined(CLSCAN_EXPAND_RUN) || !defined(CLSCAN_EXPAND_PARAMETERS) || \
    !defined(CLSCAN_EXPAND_LOAD) || !defined(CLSCAN_EXPAND_STORE) || !defined(CLSCAN_EXPAND_AHEAD)
#error "CLSCAN_EXPAND_* must be defined"
#endif

// Where the outputs of element `run` begin: `end` or more if they have no room, or there is no such element.
CLSCAN_FUNCTION ulong clscan_place_of(__global const CLSCAN_A *places, ulong run, ulong count, ulong end)
{
    return run < count ? places[run] : end;
}

#if CLSCAN_EXPAND_WORK_GROUP_SIZE == 1

// Outputs of a work-item are a multiple of these, so that no two share a line of a cache.
#define CLSCAN_EXPAND_TILE 64u
typedef uint clscan_expand_zone;

// The last element whose outputs begin at or before `at`: the one that is there. The first one does.
CLSCAN_FUNCTION ulong clscan_element_at(__global const CLSCAN_A *places, ulong count, ulong at,
                                        __local clscan_expand_zone *zone)
{
    ulong low = 0, high = count;

    while (high - low > 1) {
        const ulong middle = low + (high - low) / 2;

        if (places[middle] <= at)
            low = middle;
        else
            high = middle;
    }
    return low;
}

#else

// Work-groups of the scan may have one work-item (elements/types.cl), those of this kernel have more.
#undef barrier

#define CLSCAN_EXPAND_ITEMS 8u
#define CLSCAN_EXPAND_TILE (CLSCAN_EXPAND_WORK_GROUP_SIZE * CLSCAN_EXPAND_ITEMS)
// Maxima of work-items are combined in groups of so many.
#define CLSCAN_EXPAND_GROUP 16u
// A gap behind every 32 marks, so that work-items that each walk their own are not held up by the same bank.
#define CLSCAN_EXPAND_AT(i) ((i) + (i) / 32u)

typedef struct clscan_expand_zone {
    CLSCAN_EXPAND_RUN marks[CLSCAN_EXPAND_AT(CLSCAN_EXPAND_TILE)];
    CLSCAN_EXPAND_RUN lasts[CLSCAN_EXPAND_WORK_GROUP_SIZE];
    CLSCAN_EXPAND_RUN groups[CLSCAN_EXPAND_WORK_GROUP_SIZE / CLSCAN_EXPAND_GROUP];
    uint found;
} clscan_expand_zone;

// The last element whose outputs begin at or before `at`: the one that is there. The first one does. Every work-item
// probes one place, and all get the same answer, so that they leave the loop in the same turn.
CLSCAN_FUNCTION ulong clscan_element_at(__global const CLSCAN_A *places, ulong count, ulong at,
                                        __local clscan_expand_zone *zone)
{
    const uint item = (uint)get_local_id(0);
    ulong low = 0, high = count;

    while (high - low > 1) {
        const ulong step = (high - low - 1) / CLSCAN_EXPAND_WORK_GROUP_SIZE + 1, probe = low + item * step;

        if (item == 0)
            zone->found = 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (probe < high && places[probe] <= at)
            (void)atomic_max(&zone->found, item);
        barrier(CLK_LOCAL_MEM_FENCE);
        low += zone->found * step;
        high = min(low + step, high);
        barrier(CLK_LOCAL_MEM_FENCE); // before it is set anew
    }
    return low;
}

// Let every mark be the largest one up to there. All marks are there; all are done when it returns.
CLSCAN_FUNCTION void clscan_scan_marks(__local clscan_expand_zone *zone)
{
    const uint item = (uint)get_local_id(0), group = item / CLSCAN_EXPAND_GROUP;
    CLSCAN_EXPAND_RUN own[CLSCAN_EXPAND_ITEMS], before = 0;

#pragma unroll
    for (uint i = 0; i < CLSCAN_EXPAND_ITEMS; ++i) {
        own[i] = zone->marks[CLSCAN_EXPAND_AT(item * CLSCAN_EXPAND_ITEMS + i)];
        own[i] = i > 0 ? max(own[i], own[i - 1]) : own[i];
    }
    zone->lasts[item] = own[CLSCAN_EXPAND_ITEMS - 1];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (item < CLSCAN_EXPAND_WORK_GROUP_SIZE / CLSCAN_EXPAND_GROUP) {
        CLSCAN_EXPAND_RUN most = 0;

        for (uint i = 0; i < CLSCAN_EXPAND_GROUP; ++i)
            most = max(most, zone->lasts[item * CLSCAN_EXPAND_GROUP + i]);
        zone->groups[item] = most;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = 0; i < group; ++i)
        before = max(before, zone->groups[i]);
    for (uint i = group * CLSCAN_EXPAND_GROUP; i < item; ++i)
        before = max(before, zone->lasts[i]);
#pragma unroll
    for (uint i = 0; i < CLSCAN_EXPAND_ITEMS; ++i)
        zone->marks[CLSCAN_EXPAND_AT(item * CLSCAN_EXPAND_ITEMS + i)] = max(before, own[i]);
    barrier(CLK_LOCAL_MEM_FENCE);
}

// Marks the elements behind `run` that begin in the `size` outputs from `tile` on, by how far behind it they stand.
CLSCAN_FUNCTION void clscan_mark_elements(__global const CLSCAN_A *places, ulong count, ulong end, ulong run,
                                          ulong tile, uint size, __local clscan_expand_zone *zone)
{
    const uint item = (uint)get_local_id(0);

    for (uint i = item; i < CLSCAN_EXPAND_TILE; i += CLSCAN_EXPAND_WORK_GROUP_SIZE)
        zone->marks[CLSCAN_EXPAND_AT(i)] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    // The place that ends the loop is the same for all work-items.
    for (ulong first = run + 1; clscan_place_of(places, first, count, end) < tile + size;
         first += CLSCAN_EXPAND_WORK_GROUP_SIZE) {
        const ulong own = clscan_place_of(places, first + item, count, end);

        if (own < tile + size && clscan_place_of(places, first + item + 1, count, end) > own)
            zone->marks[CLSCAN_EXPAND_AT((uint)(own - tile))] = (CLSCAN_EXPAND_RUN)(first + item - run);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
}
#endif

/// \param places, first_place   where the elements' outputs begin, and where that stands
/// \param total_at, total_offset  where the last one's end
/// \param capacity              outputs that there is room for
/// \param overflows, overflow   where the workspace counts runs that had too little
__kernel __attribute__((reqd_work_group_size(CLSCAN_EXPAND_WORK_GROUP_SIZE, 1, 1)))
void clscan_expand(__global const CLSCAN_A *places, ulong first_place, __global const CLSCAN_A *total_at,
                   ulong total_offset, ulong capacity, volatile __global uint *overflows, ulong overflow,
                   ulong count CLSCAN_COUNT_PARAMETERS CLSCAN_EXPAND_PARAMETERS)
{
    __local clscan_expand_zone zone;
    const ulong total = total_at[total_offset], end = min(total, capacity);

#if CLSCAN_COUNT_BYTES > 0
    count = CLSCAN_TAKE_COUNT(count);
#endif
    if (total > capacity && get_global_id(0) == 0)
        (void)atomic_inc(&overflows[overflow]);
    places += first_place;
    // What follows is the same for all work-items of a work-group.
    if (count > 0 && places[0] < end) {
        const ulong begin = places[0], tiles = (end - begin - 1) / CLSCAN_EXPAND_TILE + 1;
        const ulong share = ((tiles - 1) / get_num_groups(0) + 1) * CLSCAN_EXPAND_TILE;
        const ulong own = begin + get_group_id(0) * share;

        if (own < end) {
            const ulong stop = min(own + share, end);
            ulong run = clscan_element_at(places, count, own, &zone);

#if CLSCAN_EXPAND_WORK_GROUP_SIZE == 1
            for (ulong at = own; at < stop; ++run) {
                const ulong next = min(clscan_place_of(places, run + 1, count, end), stop);
                CLSCAN_EXPAND_LOAD(run)

                // Short runs are not told apart: what is stored too far, the next elements store again.
                if (CLSCAN_EXPAND_AHEAD > 1 && stop - at >= CLSCAN_EXPAND_AHEAD) {
#pragma unroll
                    for (uint i = 0; i < CLSCAN_EXPAND_AHEAD; ++i) {
                        CLSCAN_EXPAND_STORE(at + i)
                    }
                    at += CLSCAN_EXPAND_AHEAD;
                }
                for (; at < next; ++at) {
                    CLSCAN_EXPAND_STORE(at)
                }
                at = next;
            }
#else
            for (ulong tile = own; tile < stop; tile += CLSCAN_EXPAND_TILE) {
                const uint size = (uint)min((ulong)CLSCAN_EXPAND_TILE, stop - tile);

                clscan_mark_elements(places, count, end, run, tile, size, &zone);
                clscan_scan_marks(&zone);
                for (uint i = (uint)get_local_id(0); i < size; i += CLSCAN_EXPAND_WORK_GROUP_SIZE) {
                    CLSCAN_EXPAND_LOAD(run + zone.marks[CLSCAN_EXPAND_AT(i)])
                    CLSCAN_EXPAND_STORE(tile + i)
                }
                run += zone.marks[CLSCAN_EXPAND_AT(size - 1)];
                barrier(CLK_LOCAL_MEM_FENCE); // before marks are cleared
            }
#endif
        }
    }
}
