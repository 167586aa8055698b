// Operation repeat: fills the outputs with elements, each as many times as its length says. An element's place, the sum
// of the lengths before it, stands in `places` already.
//
// The outputs are shared out evenly, whatever the lengths are. A work-group finds the element of its first output by a
// search, and walks on from there. On GPUs it takes a tile of outputs at a time: each element that begins there marks
// its place in local memory, the last mark up to an output gives it its element, and neighbouring work-items store
// neighbouring outputs. Elements of length 0 mark nothing, so that each mark has one writer.
//
// Memory does not decide yet, nor do instructions or barriers alone (docs/performance.md). Work-items take their marks
// into registers, and find the last one before theirs by bits that say which work-items have any; and elements are
// counted from the one before the tile.
//
// Required of the host (src/program/repetition.c):
//   CLSCAN_EXPAND_WORK_GROUP_SIZE  1 on CPUs, else a power of two of at least 16
//   CLSCAN_EXPAND_RUN              unsigned type of the number of an element
//   CLSCAN_EXPAND_PARAMETERS       columns: where they are, and where they go
//   CLSCAN_EXPAND_LOAD(run, i)     loads element `run` + i of all columns into variables
//   CLSCAN_EXPAND_STORE(place, i)  stores these variables at `place` + i
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
// Outputs of a work-item that are loaded before the first of them is stored.
#define CLSCAN_EXPAND_TOGETHER 4
#define CLSCAN_EXPAND_TILE (CLSCAN_EXPAND_WORK_GROUP_SIZE * CLSCAN_EXPAND_ITEMS)
// Work-items whose bits stand in one word.
#define CLSCAN_EXPAND_GROUP 16u
#define CLSCAN_EXPAND_GROUPS (CLSCAN_EXPAND_WORK_GROUP_SIZE / CLSCAN_EXPAND_GROUP)

typedef CLSCAN_PASTE(CLSCAN_EXPAND_RUN, 8) clscan_expand_marks;

typedef struct clscan_expand_zone {
    clscan_expand_marks marks[CLSCAN_EXPAND_WORK_GROUP_SIZE]; // of the outputs, in turn
    CLSCAN_EXPAND_RUN lasts[CLSCAN_EXPAND_WORK_GROUP_SIZE];   // the last mark of each work-item that has one
    uint have[2][CLSCAN_EXPAND_GROUPS];                       // which do, a bit for each; tiles take turns
    CLSCAN_EXPAND_RUN last;                                   // the mark of the last output, if it has one
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

// Elements that a work-group looks at together, some for each work-item. Loads take long, so those of a tile's first
// ones are under way while the tile before is stored. All in 32 bits: registers decide how many work-groups there are.
#define CLSCAN_EXPAND_BATCH 2u

typedef struct clscan_expand_batch {
    uint own[CLSCAN_EXPAND_BATCH], next[CLSCAN_EXPAND_BATCH]; // where they begin in a tile, and those behind them
    uint end;                                                 // where the element behind all of the batch begins
} clscan_expand_batch;

// Where the outputs of element `run` begin in `tile`, which begins no later, or any place behind the tile.
CLSCAN_FUNCTION uint clscan_place_in(__global const CLSCAN_A *places, ulong run, ulong count, ulong end, ulong tile)
{
    return (uint)min(clscan_place_of(places, run, count, end) - tile, (ulong)CLSCAN_EXPAND_TILE);
}

// The elements from `first` on.
CLSCAN_FUNCTION clscan_expand_batch clscan_load_batch(__global const CLSCAN_A *places, ulong first, ulong count,
                                                      ulong end, ulong tile)
{
    clscan_expand_batch batch;

#pragma unroll
    for (uint i = 0; i < CLSCAN_EXPAND_BATCH; ++i) {
        const ulong run = first + i * CLSCAN_EXPAND_WORK_GROUP_SIZE + get_local_id(0);

        batch.own[i] = clscan_place_in(places, run, count, end, tile);
        batch.next[i] = clscan_place_in(places, run + 1, count, end, tile);
    }
    batch.end =
        clscan_place_in(places, first + CLSCAN_EXPAND_BATCH * CLSCAN_EXPAND_WORK_GROUP_SIZE, count, end, tile);
    return batch;
}

// Marks the elements of a batch that begin in the `size` outputs of a tile, by how far they stand behind the one that
// is there when the tile begins; the first is `behind` it.
CLSCAN_FUNCTION void clscan_mark_batch(const clscan_expand_batch *batch, CLSCAN_EXPAND_RUN behind, uint size,
                                       __local clscan_expand_zone *zone)
{
    __local CLSCAN_EXPAND_RUN *marks = (__local CLSCAN_EXPAND_RUN *)zone->marks;

#pragma unroll
    for (uint i = 0; i < CLSCAN_EXPAND_BATCH; ++i) {
        const uint own = batch->own[i], next = batch->next[i];
        const CLSCAN_EXPAND_RUN mark = behind + i * CLSCAN_EXPAND_WORK_GROUP_SIZE + (uint)get_local_id(0);

        if (own < size && own < next)
            marks[own] = mark;
        if (own < size && next >= size)
            zone->last = mark;
    }
}

// The last mark of the work-items before this one; 0: they have none.
CLSCAN_FUNCTION CLSCAN_EXPAND_RUN clscan_mark_before(const __local clscan_expand_zone *zone, uint turn)
{
    const uint item = (uint)get_local_id(0);
    uint group = item / CLSCAN_EXPAND_GROUP;
    uint have = zone->have[turn][group] & ((1u << item % CLSCAN_EXPAND_GROUP) - 1);

    while (have == 0 && group > 0)
        have = zone->have[turn][--group];
    return have != 0 ? zone->lasts[group * CLSCAN_EXPAND_GROUP + 31 - clz(have)] : 0;
}

// Let every mark be the last one up to there. All marks are there when it begins, and all are done when it returns.
CLSCAN_FUNCTION void clscan_fill_marks(__local clscan_expand_zone *zone, uint turn)
{
    const uint item = (uint)get_local_id(0);
    CLSCAN_EXPAND_RUN own[8];

    vstore8(zone->marks[item], 0, own);
#pragma unroll
    for (uint i = 1; i < CLSCAN_EXPAND_ITEMS; ++i)
        own[i] = own[i] != 0 ? own[i] : own[i - 1];
    if (own[CLSCAN_EXPAND_ITEMS - 1] != 0) {
        zone->lasts[item] = own[CLSCAN_EXPAND_ITEMS - 1];
        (void)atomic_or(&zone->have[turn][item / CLSCAN_EXPAND_GROUP], 1u << item % CLSCAN_EXPAND_GROUP);
    }
    if (item < CLSCAN_EXPAND_GROUPS)
        zone->have[1 - turn][item] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    const CLSCAN_EXPAND_RUN before = clscan_mark_before(zone, turn);
#pragma unroll
    for (uint i = 0; i < CLSCAN_EXPAND_ITEMS; ++i)
        own[i] = own[i] != 0 ? own[i] : before;
    zone->marks[item] = vload8(0, own);
    barrier(CLK_LOCAL_MEM_FENCE);
}
#endif

/// The run is that which made places: they are its output, and its total is where the last element's outputs end.
__kernel __attribute__((reqd_work_group_size(CLSCAN_EXPAND_WORK_GROUP_SIZE, 1, 1)))
void clscan_expand(CLSCAN_RUN_PARAMETERS CLSCAN_EXPAND_PARAMETERS)
{
    __local clscan_expand_zone zone;
    __global const CLSCAN_A *places = (__global const CLSCAN_A *)out + run.out_offset;
    const ulong total = total_at[run.total_offset], end = min(total, run.capacity);
    const ulong count = CLSCAN_TAKE_COUNT(run.count);

    if (total > run.capacity && get_global_id(0) == 0)
        (void)atomic_inc(CLSCAN_COUNTER(CLSCAN_EVENT_OVERFLOW));
    // What follows is the same for all work-items of a work-group.
    if (count > 0 && places[0] < end) {
        const ulong begin = places[0], tiles = (end - begin - 1) / CLSCAN_EXPAND_TILE + 1;
        const ulong share = ((tiles - 1) / get_num_groups(0) + 1) * CLSCAN_EXPAND_TILE;
        const ulong own = begin + get_group_id(0) * share;

        if (own < end) {
            const ulong stop = min(own + share, end);
            ulong element = clscan_element_at(places, count, own, &zone);

#if CLSCAN_EXPAND_WORK_GROUP_SIZE == 1
            for (ulong at = own; at < stop; ++element) {
                const ulong next = min(clscan_place_of(places, element + 1, count, end), stop);
                CLSCAN_EXPAND_LOAD(element, 0)

                // Short runs are not told apart: what is stored too far, the next elements store again.
                if (CLSCAN_EXPAND_AHEAD > 1 && stop - at >= CLSCAN_EXPAND_AHEAD) {
#pragma unroll
                    for (uint i = 0; i < CLSCAN_EXPAND_AHEAD; ++i) {
                        CLSCAN_EXPAND_STORE(at, i)
                    }
                    at += CLSCAN_EXPAND_AHEAD;
                }
                for (; at < next; ++at) {
                    CLSCAN_EXPAND_STORE(at, 0)
                }
                at = next;
            }
#else
            const uint item = (uint)get_local_id(0);
            clscan_expand_batch batch = clscan_load_batch(places, element + 1, count, end, own);
            uint turn = 0;

            zone.marks[item] = 0;
            if (item < CLSCAN_EXPAND_GROUPS)
                zone.have[turn][item] = 0;
            if (item == 0)
                zone.last = 0;
            barrier(CLK_LOCAL_MEM_FENCE);
            for (ulong tile = own; tile < stop; tile += CLSCAN_EXPAND_TILE, turn = 1 - turn) {
                __local CLSCAN_EXPAND_RUN *marks = (__local CLSCAN_EXPAND_RUN *)zone.marks;
                const uint size = (uint)min((ulong)CLSCAN_EXPAND_TILE, stop - tile);
                CLSCAN_EXPAND_RUN behind = 1, last;

                clscan_mark_batch(&batch, behind, size, &zone);
                while (batch.end < size) { // the same for all work-items
                    behind += CLSCAN_EXPAND_BATCH * CLSCAN_EXPAND_WORK_GROUP_SIZE;
                    batch = clscan_load_batch(places, element + behind, count, end, tile);
                    clscan_mark_batch(&batch, behind, size, &zone);
                }
                barrier(CLK_LOCAL_MEM_FENCE);
                last = zone.last;
                batch = clscan_load_batch(places, element + last + 1, count, end, tile + CLSCAN_EXPAND_TILE);
                clscan_fill_marks(&zone, turn);
#pragma unroll CLSCAN_EXPAND_TOGETHER
                for (uint i = 0; i < CLSCAN_EXPAND_ITEMS; ++i) {
                    const uint at = i * CLSCAN_EXPAND_WORK_GROUP_SIZE + item;

                    if (at < size) {
                        CLSCAN_EXPAND_LOAD(element, marks[at])
                        CLSCAN_EXPAND_STORE(tile, at)
                    }
                    marks[at] = 0;
                }
                element += last;
                if (item == 0)
                    zone.last = 0;
                barrier(CLK_LOCAL_MEM_FENCE);
            }
#endif
        }
    }
}
