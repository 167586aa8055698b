// Operation repeat: fills the outputs with elements, each as many times as its length says. Where the outputs of each
// block of elements begin, the sum of the lengths before it, stands in `places` already.
//
// The outputs are shared out evenly, whatever the lengths are. A team of work-items finds the block of its first output
// by a search, and from there sums up lengths on its way. On CPUs a team is one work-item. On GPUs it is a sub-group
// where lanes can vote, else a work-group, and takes a tile of outputs at a time: each element that begins there marks
// its place in local memory, and the last mark up to an output gives it its element. Elements of length 0 mark nothing,
// so that each mark has one writer.
//
// A tile is rows, of a vector of neighbouring outputs for each work-item, so that marks are read and outputs are stored
// as vectors, side by side. What decides is how many outputs are under way, since each round of a team waits for memory
// once: for the lengths of the next tile and the values of this one together. So the lengths of a tile are loaded while
// the tile before is stored, and all values of some rows before the first of them is stored.
//
// Required of the host (src/program/repetition.c):
//   CLSCAN_EXPAND_WORK_GROUP_SIZE  1 on CPUs, else a power of two of at least 16
//   CLSCAN_EXPAND_VECTOR           outputs of a vector: 1, 2 or 4
//   CLSCAN_EXPAND_ROWS             rows of a tile
//   CLSCAN_EXPAND_TOGETHER         rows of which values are loaded before they are stored; divides the rows
//   CLSCAN_EXPAND_BATCH            vectors of four lengths that a work-item has of a tile before it marks them
//   CLSCAN_EXPAND_RUN              unsigned type of the number of an element
//   CLSCAN_EXPAND_PARAMETERS       columns: where they are, and where they go
//   CLSCAN_EXPAND_HOLD(n)          variables for n elements of all columns
//   CLSCAN_EXPAND_LOAD(c, run, i)  loads element `run` + i into those of number c
//   CLSCAN_EXPAND_STORE(c, place, i)         stores these at `place` + i
//   CLSCAN_EXPAND_STORE_VECTOR(c, place, i)  the same of a vector, from number c on, where vectors are aligned
//   CLSCAN_EXPAND_MISALIGNED(place)  by how many outputs `place` lies behind a vector's alignment
//   CLSCAN_EXPAND_IS_ALIGNED(place)  whether all outputs at `place` have a vector's alignment
//   CLSCAN_EXPAND_AHEAD            outputs that a CPU stores at once, whether an element has so many or not
#if !defined(CLSCAN_EXPAND_WORK_GROUP_SIZE) || !defined(CLSCAN_EXPAND_VECTOR) || !defined(CLSCAN_EXPAND_ROWS) || \
    !defined(CLSCAN_EXPAND_TOGETHER) || !defined(CLSCAN_EXPAND_BATCH) || !defined(CLSCAN_EXPAND_RUN) || \
    !defined(CLSCAN_EXPAND_PARAMETERS) || !defined(CLSCAN_EXPAND_HOLD) || !defined(CLSCAN_EXPAND_LOAD) || \
    !defined(CLSCAN_EXPAND_STORE) || !defined(CLSCAN_EXPAND_STORE_VECTOR) || !defined(CLSCAN_EXPAND_MISALIGNED) || \
    !defined(CLSCAN_EXPAND_IS_ALIGNED) || !defined(CLSCAN_EXPAND_AHEAD)
#error "CLSCAN_EXPAND_* must be defined"
#endif

// What a team is given. Blocks have CLSCAN_REPEAT_BLOCK elements.
typedef struct clscan_expand_runs {
    __global const clscan_length *lengths;
    __global const CLSCAN_A *places; // of blocks
    CLSCAN_EXPAND_RUN count;
} clscan_expand_runs;

#if CLSCAN_EXPAND_WORK_GROUP_SIZE == 1

#define CLSCAN_EXPAND_TEAM 1
#define CLSCAN_EXPAND_TEAMS 1
// Outputs of a work-item are a multiple of these, so that no two share a line of a cache.
#define CLSCAN_EXPAND_TILE 64u

// The last block whose outputs begin at or before `at`. The first one does.
CLSCAN_FUNCTION ulong clscan_block_at(const clscan_expand_runs *runs, ulong at)
{
    ulong low = 0, high = clscan_repeat_blocks(runs->count);

    while (high - low > 1) {
        const ulong middle = low + (high - low) / 2;

        if (runs->places[middle] <= at)
            low = middle;
        else
            high = middle;
    }
    return low;
}

// The element that is at `at`, of that block; *next receives where the one behind it begins.
CLSCAN_FUNCTION ulong clscan_element_at(const clscan_expand_runs *runs, ulong block, ulong at, CLSCAN_A *next)
{
    ulong element = block * CLSCAN_REPEAT_BLOCK;

    *next = add_sat(runs->places[block], clscan_length_at(runs->lengths, element));
    while (*next <= at && element + 1 < runs->count)
        *next = add_sat(*next, clscan_length_at(runs->lengths, ++element));
    return element;
}

// The element behind one that ends at `end`, or one further on if those between are empty: blocks are passed over.
CLSCAN_FUNCTION ulong clscan_next_element(const clscan_expand_runs *runs, ulong element, CLSCAN_A end)
{
    ++element;
    while (element % CLSCAN_REPEAT_BLOCK == 0 && element + CLSCAN_REPEAT_BLOCK < runs->count &&
           runs->places[element / CLSCAN_REPEAT_BLOCK + 1] <= end)
        element += CLSCAN_REPEAT_BLOCK;
    return element;
}

#else

// A sub-group of 32 that votes, with nobody else to wait for; or a work-group.
#if defined(CLSCAN_BALLOT) && CLSCAN_EXPAND_WORK_GROUP_SIZE % 32 == 0
#define CLSCAN_EXPAND_VOTES 1
#define CLSCAN_EXPAND_TEAM 32u
#define clscan_team_meet() clscan_sub_group_meet()
// 1 if a batch serves several tiles, and is summed up as far as it must be. Not where that takes barriers: PoCL's
// compiler takes minutes for some that stand under conditions.
#define CLSCAN_EXPAND_KEEPS 1
#else
#define CLSCAN_EXPAND_VOTES 0
#define CLSCAN_EXPAND_TEAM ((uint)CLSCAN_EXPAND_WORK_GROUP_SIZE)
#define clscan_team_meet() barrier(CLK_LOCAL_MEM_FENCE)
#define CLSCAN_EXPAND_KEEPS 0
// Work-items whose bits stand in one word.
#define CLSCAN_EXPAND_GROUP 16u
#define CLSCAN_EXPAND_GROUPS (CLSCAN_EXPAND_TEAM / CLSCAN_EXPAND_GROUP)
#endif
#define CLSCAN_EXPAND_TEAMS (CLSCAN_EXPAND_WORK_GROUP_SIZE / CLSCAN_EXPAND_TEAM)
#define CLSCAN_EXPAND_ROW (CLSCAN_EXPAND_TEAM * CLSCAN_EXPAND_VECTOR)
#define CLSCAN_EXPAND_TILE (CLSCAN_EXPAND_ROW * CLSCAN_EXPAND_ROWS)

#if CLSCAN_EXPAND_VECTOR == 1
typedef CLSCAN_EXPAND_RUN clscan_expand_marks;
#define clscan_marks_unpack(marks, own) ((own)[0] = (marks))
#else
typedef CLSCAN_PASTE(CLSCAN_EXPAND_RUN, CLSCAN_EXPAND_VECTOR) clscan_expand_marks;
#define clscan_marks_unpack(marks, own) CLSCAN_PASTE(vstore, CLSCAN_EXPAND_VECTOR)((marks), 0, (own))
#endif

typedef struct clscan_expand_zone {
    clscan_expand_marks marks[CLSCAN_EXPAND_ROWS * CLSCAN_EXPAND_TEAM]; // of the outputs, in turn
#if !CLSCAN_EXPAND_VOTES
    CLSCAN_EXPAND_RUN lasts[CLSCAN_EXPAND_ROWS * CLSCAN_EXPAND_TEAM]; // the last mark of each vector that has one
    uint have[2][CLSCAN_EXPAND_ROWS * CLSCAN_EXPAND_GROUPS];         // which do, a bit for each; tiles take turns
    CLSCAN_A sums[CLSCAN_EXPAND_TEAM], totals[CLSCAN_EXPAND_GROUPS];
    uint found;
#endif
} clscan_expand_zone;

CLSCAN_FUNCTION uint clscan_team_item(void)
{
    return (uint)get_local_id(0) % CLSCAN_EXPAND_TEAM;
}

// The sum of what the team's work-items have, of at most `most` each.
#if CLSCAN_EXPAND_VOTES
CLSCAN_FUNCTION uint clscan_team_sum(uint own, uint most, __local clscan_expand_zone *zone)
{
    uint sum = 0;

#pragma unroll
    for (uint bit = 1; bit <= most; bit *= 2)
        sum += popcount(CLSCAN_BALLOT((own & bit) != 0)) * bit;
    return sum;
}
#else
CLSCAN_FUNCTION uint clscan_team_sum(uint own, uint most, __local clscan_expand_zone *zone)
{
    uint sum;

    if (clscan_team_item() == 0)
        zone->found = 0;
    clscan_team_meet();
    if (own > 0)
        (void)atomic_add(&zone->found, own);
    clscan_team_meet();
    sum = zone->found;
    clscan_team_meet(); // before it is set anew
    return sum;
}
#endif

// The last block whose outputs begin at or before `at`. The first one does. Every work-item probes one place, behind
// those that the work-items before it probe: so how many find such a block says which one is the last.
CLSCAN_FUNCTION ulong clscan_block_at(const clscan_expand_runs *runs, ulong at, __local clscan_expand_zone *zone)
{
    ulong low = 0, high = clscan_repeat_blocks(runs->count);

    while (high - low > 1) {
        const ulong step = (high - low - 1) / CLSCAN_EXPAND_TEAM + 1, probe = low + clscan_team_item() * step;
        const bool found = probe < high && runs->places[probe] <= at;

        low += (clscan_team_sum(found, 1, zone) - 1) * step;
        high = min(low + step, high);
    }
    return low;
}

// Elements that a team looks at together, in vectors of four for each work-item.
#define CLSCAN_EXPAND_VECTOR_RUNS (4 * CLSCAN_EXPAND_TEAM)
#define CLSCAN_EXPAND_BATCH_RUNS (CLSCAN_EXPAND_BATCH * CLSCAN_EXPAND_VECTOR_RUNS)

// Elements from `first` on: lengths at first, and places once they are settled, vector by vector.
typedef struct clscan_expand_batch {
    CLSCAN_EXPAND_RUN first;
    CLSCAN_A own[CLSCAN_EXPAND_BATCH][5]; // where four elements begin, and the one behind them
    CLSCAN_A ends[CLSCAN_EXPAND_BATCH];   // where that behind the vectors of the whole team begins
    CLSCAN_A begin;                       // where the first one begins
    uint settled;                         // vectors of each work-item
} clscan_expand_batch;

#if CLSCAN_EXPAND_VOTES
CLSCAN_FUNCTION ulong clscan_bits_of_lane(ulong bits, uint lane, bool wide)
{
    const ulong high = wide ? clscan_shuffle_bits((uint)(bits >> 32), lane) : 0;

    return high << 32 | clscan_shuffle_bits((uint)bits, lane);
}

CLSCAN_FUNCTION ulong clscan_bits_of_lane_below(ulong bits, uint distance, bool wide)
{
    const ulong high = wide ? clscan_shuffle_up_bits((uint)(bits >> 32), distance) : 0;

    return high << 32 | clscan_shuffle_up_bits((uint)bits, distance);
}
#define clscan_of_lane(value, lane, type) ((type)clscan_bits_of_lane((value), (lane), sizeof(type) > 4))
#define clscan_of_lane_below(value, distance, type) \
    ((type)clscan_bits_of_lane_below((value), (distance), sizeof(type) > 4))

CLSCAN_FUNCTION CLSCAN_A clscan_of_item(CLSCAN_A value, uint item, __local clscan_expand_zone *zone)
{
    return clscan_of_lane(value, item, CLSCAN_A);
}

// The sum of the values of the team's work-items before this one; *total receives that of all.
CLSCAN_FUNCTION CLSCAN_A clscan_team_scan(CLSCAN_A value, CLSCAN_A *total, __local clscan_expand_zone *zone)
{
    CLSCAN_A below;

#pragma unroll
    for (uint distance = 1; distance < CLSCAN_EXPAND_TEAM; distance *= 2) {
        below = clscan_of_lane_below(value, distance, CLSCAN_A);
        value = add_sat(value, clscan_team_item() >= distance ? below : 0);
    }
    *total = clscan_of_lane(value, CLSCAN_EXPAND_TEAM - 1, CLSCAN_A);
    below = clscan_of_lane_below(value, 1, CLSCAN_A);
    return clscan_team_item() > 0 ? below : 0;
}
#else
CLSCAN_FUNCTION CLSCAN_A clscan_of_item(CLSCAN_A value, uint item, __local clscan_expand_zone *zone)
{
    CLSCAN_A taken;

    zone->sums[clscan_team_item()] = value;
    clscan_team_meet();
    taken = zone->sums[item];
    clscan_team_meet();
    return taken;
}

// By groups, since barriers cost more than a few sums.
CLSCAN_FUNCTION CLSCAN_A clscan_team_scan(CLSCAN_A value, CLSCAN_A *total, __local clscan_expand_zone *zone)
{
    const uint item = clscan_team_item(), group = item / CLSCAN_EXPAND_GROUP;
    CLSCAN_A before = 0, all = 0;

    zone->sums[item] = value;
    clscan_team_meet();
    for (uint i = group * CLSCAN_EXPAND_GROUP; i < item; ++i)
        before = add_sat(before, zone->sums[i]);
    if (item % CLSCAN_EXPAND_GROUP == CLSCAN_EXPAND_GROUP - 1)
        zone->totals[group] = add_sat(before, value);
    clscan_team_meet();
    for (uint i = 0; i < CLSCAN_EXPAND_GROUPS; ++i) {
        before = i == group ? add_sat(before, all) : before;
        all = add_sat(all, zone->totals[i]);
    }
    *total = all;
    clscan_team_meet();
    return before;
}
#endif

// Begins to load the lengths from `first` on, which begins at `begin`.
CLSCAN_FUNCTION clscan_expand_batch clscan_load_batch(const clscan_expand_runs *runs, CLSCAN_EXPAND_RUN first,
                                                      CLSCAN_A begin)
{
    __global const clscan_length *at = runs->lengths + first;
    const CLSCAN_EXPAND_RUN left = runs->count - first; // there are some: the last one ends where outputs do, or behind
    const bool aligned = clscan_lengths_are_aligned(at);
    clscan_expand_batch batch;

    batch.first = first;
    batch.begin = begin;
    batch.settled = 0;
#pragma unroll
    for (uint i = 0; i < CLSCAN_EXPAND_BATCH; ++i) {
        const uint own = i * CLSCAN_EXPAND_VECTOR_RUNS + 4 * clscan_team_item();

        if (left >= CLSCAN_EXPAND_BATCH_RUNS)
            clscan_load_lengths(at + own, aligned, batch.own[i]);
        else
            clscan_load_some_lengths(at + own, left > own ? left - own : 0, batch.own[i]);
    }
    return batch;
}

// From lengths to places, of one vector of each work-item, unless they are already. Those before it are.
CLSCAN_FUNCTION void clscan_settle_vector(clscan_expand_batch *batch, uint i, __local clscan_expand_zone *zone)
{
    if (CLSCAN_EXPAND_KEEPS && i < batch->settled)
        return;
    const CLSCAN_A begin = i > 0 ? batch->ends[i - 1] : batch->begin;
    const CLSCAN_A second = add_sat(batch->own[i][0], batch->own[i][1]),
                   third = add_sat(second, batch->own[i][2]), all = add_sat(third, batch->own[i][3]);
    CLSCAN_A total;
    const CLSCAN_A own = add_sat(begin, clscan_team_scan(all, &total, zone));

    batch->settled = i + 1;
    batch->own[i][4] = add_sat(own, all);
    batch->own[i][3] = add_sat(own, third);
    batch->own[i][2] = add_sat(own, second);
    batch->own[i][1] = add_sat(own, batch->own[i][0]);
    batch->own[i][0] = own;
    batch->ends[i] = add_sat(begin, total);
}

CLSCAN_FUNCTION clscan_expand_batch clscan_load_next(const clscan_expand_runs *runs, const clscan_expand_batch *batch)
{
    return clscan_load_batch(runs, batch->first + CLSCAN_EXPAND_BATCH_RUNS, batch->ends[CLSCAN_EXPAND_BATCH - 1]);
}

// The elements from `element` on and a few before it. It stands in the batch, or before it if all of the batch's
// elements up to the tile are empty.
CLSCAN_FUNCTION clscan_expand_batch clscan_load_from(const clscan_expand_runs *runs, const clscan_expand_batch *batch,
                                                     CLSCAN_EXPAND_RUN element, __local clscan_expand_zone *zone)
{
    const uint vector = element > batch->first ? (uint)(element - batch->first) / 4 : 0;
    CLSCAN_A begin = batch->own[0][0];

#pragma unroll
    for (uint i = 1; i < CLSCAN_EXPAND_BATCH; ++i)
        begin = vector >= i * CLSCAN_EXPAND_TEAM ? batch->own[i][0] : begin;
    begin = clscan_of_item(begin, vector % CLSCAN_EXPAND_TEAM, zone);
    return clscan_load_batch(runs, batch->first + 4 * vector, begin);
}

// The last element of a block that begins at or before `at`, and a batch that begins with it: it is the one there.
CLSCAN_FUNCTION CLSCAN_EXPAND_RUN clscan_element_at(const clscan_expand_runs *runs, CLSCAN_EXPAND_RUN block,
                                                    CLSCAN_A at, clscan_expand_batch *batch,
                                                    __local clscan_expand_zone *zone)
{
    CLSCAN_EXPAND_RUN element;
    bool more;

    *batch = clscan_load_batch(runs, block * CLSCAN_REPEAT_BLOCK, runs->places[block]);
    do {
        uint found = 0;

#pragma unroll
        for (uint i = 0; i < CLSCAN_EXPAND_BATCH; ++i) {
            clscan_settle_vector(batch, i, zone);
#pragma unroll
            for (uint c = 0; c < 4; ++c)
                found += batch->own[i][c] <= at;
        }
        element = batch->first + clscan_team_sum(found, 4 * CLSCAN_EXPAND_BATCH, zone) - 1;
        more = batch->ends[CLSCAN_EXPAND_BATCH - 1] <= at;
        *batch = more ? clscan_load_next(runs, batch) : clscan_load_from(runs, batch, element, zone);
    } while (more);
    return element;
}

// Marks the elements of a batch that begin in the `size` outputs from `tile` on, by how far they stand behind the one
// that is there when the tile begins. Returns whether more may begin in the tile.
CLSCAN_FUNCTION bool clscan_mark_batch(clscan_expand_batch *batch, CLSCAN_EXPAND_RUN element, CLSCAN_A tile, uint size,
                                       __local CLSCAN_EXPAND_RUN *marks, __local clscan_expand_zone *zone)
{
    const CLSCAN_EXPAND_RUN behind = batch->first - element + 4 * clscan_team_item();
    bool more = true;

#pragma unroll
    for (uint i = 0; i < CLSCAN_EXPAND_BATCH; ++i) {
        if (more || !CLSCAN_EXPAND_KEEPS) {
            clscan_settle_vector(batch, i, zone);
#pragma unroll
            for (uint c = 0; c < 4; ++c) {
                const CLSCAN_A place = batch->own[i][c], own = place - tile;

                if (place >= tile && own < size && place != batch->own[i][c + 1])
                    marks[(uint)own] = behind + (i * CLSCAN_EXPAND_VECTOR_RUNS + c);
            }
            more = more && batch->ends[i] < tile + size;
        }
    }
    return more;
}

// Whether a batch has all elements that begin in the next `size` outputs from `tile` on, where it ends no earlier, or
// some of which that is not known yet.
CLSCAN_FUNCTION bool clscan_batch_reaches(const clscan_expand_batch *batch, CLSCAN_A tile, uint size)
{
    if (batch->settled < CLSCAN_EXPAND_BATCH)
        return true;
    return batch->ends[CLSCAN_EXPAND_BATCH - 1] - tile >= size;
}

typedef struct clscan_expand_rows {
    CLSCAN_EXPAND_RUN runs[CLSCAN_EXPAND_ROWS][CLSCAN_EXPAND_VECTOR];
} clscan_expand_rows;

#if CLSCAN_EXPAND_VOTES
// Let every mark be the last one up to there; `lasts` are those of this work-item's vectors. Returns the tile's last.
CLSCAN_FUNCTION CLSCAN_EXPAND_RUN clscan_fill_rows(__local clscan_expand_zone *zone, uint turn,
                                                   const CLSCAN_EXPAND_RUN *lasts, clscan_expand_rows *rows)
{
    const uint lower = (1u << clscan_team_item()) - 1;
    CLSCAN_EXPAND_RUN before = 0;

#pragma unroll
    for (uint r = 0; r < CLSCAN_EXPAND_ROWS; ++r) {
        const uint have = CLSCAN_BALLOT(lasts[r] != 0) & lower;
        const CLSCAN_EXPAND_RUN left = clscan_of_lane(lasts[r], 31 - clz(have | 1), CLSCAN_EXPAND_RUN);

        before = have != 0 ? left : before;
#pragma unroll
        for (uint c = 0; c < CLSCAN_EXPAND_VECTOR; ++c)
            rows->runs[r][c] = max(rows->runs[r][c], before);
        before = clscan_of_lane(rows->runs[r][CLSCAN_EXPAND_VECTOR - 1], 31, CLSCAN_EXPAND_RUN);
    }
    clscan_team_meet();
    return before;
}
#else
// The last mark of the vectors before this one; 0: they have none.
CLSCAN_FUNCTION CLSCAN_EXPAND_RUN clscan_mark_before(const __local clscan_expand_zone *zone, uint turn, uint vector)
{
    uint group = vector / CLSCAN_EXPAND_GROUP;
    uint have = group < CLSCAN_EXPAND_ROWS * CLSCAN_EXPAND_GROUPS
                    ? zone->have[turn][group] & ((1u << vector % CLSCAN_EXPAND_GROUP) - 1)
                    : 0;

    while (have == 0 && group > 0)
        have = zone->have[turn][--group];
    return have != 0 ? zone->lasts[group * CLSCAN_EXPAND_GROUP + 31 - clz(have)] : 0;
}

CLSCAN_FUNCTION CLSCAN_EXPAND_RUN clscan_fill_rows(__local clscan_expand_zone *zone, uint turn,
                                                   const CLSCAN_EXPAND_RUN *lasts, clscan_expand_rows *rows)
{
    const uint item = clscan_team_item();

#pragma unroll
    for (uint r = 0; r < CLSCAN_EXPAND_ROWS; ++r)
        if (lasts[r] != 0) {
            zone->lasts[r * CLSCAN_EXPAND_TEAM + item] = lasts[r];
            (void)atomic_or(&zone->have[turn][r * CLSCAN_EXPAND_GROUPS + item / CLSCAN_EXPAND_GROUP],
                            1u << item % CLSCAN_EXPAND_GROUP);
        }
    for (uint i = item; i < CLSCAN_EXPAND_ROWS * CLSCAN_EXPAND_GROUPS; i += CLSCAN_EXPAND_TEAM)
        zone->have[1 - turn][i] = 0;
    clscan_team_meet();
#pragma unroll
    for (uint r = 0; r < CLSCAN_EXPAND_ROWS; ++r) {
        const CLSCAN_EXPAND_RUN before = clscan_mark_before(zone, turn, r * CLSCAN_EXPAND_TEAM + item);

#pragma unroll
        for (uint c = 0; c < CLSCAN_EXPAND_VECTOR; ++c)
            rows->runs[r][c] = max(rows->runs[r][c], before);
    }
    return clscan_mark_before(zone, turn, CLSCAN_EXPAND_ROWS * CLSCAN_EXPAND_TEAM);
}
#endif

// Take the marks of a tile, which are cleared. All are there when it begins, and all are taken when it returns: by
// numbers that grow, so that the last one up to an output is the greatest. Returns the tile's last one.
CLSCAN_FUNCTION CLSCAN_EXPAND_RUN clscan_take_rows(__local clscan_expand_zone *zone, uint turn,
                                                   clscan_expand_rows *rows)
{
    CLSCAN_EXPAND_RUN lasts[CLSCAN_EXPAND_ROWS];

#pragma unroll
    for (uint r = 0; r < CLSCAN_EXPAND_ROWS; ++r) {
        __local clscan_expand_marks *marks = zone->marks + (r * CLSCAN_EXPAND_TEAM + clscan_team_item());

        clscan_marks_unpack(*marks, rows->runs[r]);
#pragma unroll
        for (uint c = 1; c < CLSCAN_EXPAND_VECTOR; ++c)
            rows->runs[r][c] = max(rows->runs[r][c], rows->runs[r][c - 1]);
        lasts[r] = rows->runs[r][CLSCAN_EXPAND_VECTOR - 1];
        if (lasts[r] != 0)
            *marks = 0;
    }
    return clscan_fill_rows(zone, turn, lasts, rows);
}
#endif

/// The run is that which made the places of blocks, but its input is the lengths of all elements: the places are its
/// output, and its total is where the last element's outputs end.
__kernel __attribute__((reqd_work_group_size(CLSCAN_EXPAND_WORK_GROUP_SIZE, 1, 1)))
void clscan_expand(CLSCAN_RUN_PARAMETERS, __global const clscan_length *lengths, ulong offset_lengths
                   CLSCAN_EXPAND_PARAMETERS)
{
#if CLSCAN_EXPAND_WORK_GROUP_SIZE > 1
    __local clscan_expand_zone zones[CLSCAN_EXPAND_TEAMS];
    __local clscan_expand_zone *zone = zones + get_local_id(0) / CLSCAN_EXPAND_TEAM;
#endif
    const ulong total = total_at[run.total_offset], end = min(total, run.capacity);
    const ulong count = CLSCAN_TAKE_COUNT(run.count);
    clscan_expand_runs runs;

    runs.lengths = lengths + offset_lengths;
    runs.places = (__global const CLSCAN_A *)out + run.out_offset;
    runs.count = (CLSCAN_EXPAND_RUN)count;

    const ulong begin = count > 0 ? runs.places[0] : 0;

    // What begins behind the capacity overflows nothing, as in selections.
    if (count > 0 && begin <= run.capacity && total > run.capacity && get_global_id(0) == 0)
        (void)atomic_inc(CLSCAN_COUNTER(CLSCAN_EVENT_OVERFLOW));
    // What follows is the same for all work-items of a team.
    if (count > 0 && begin < end) {
        // Tiles begin where vectors do: the first one has outputs that are not there.
        const uint missing = CLSCAN_EXPAND_MISALIGNED(begin);
        const ulong teams = get_num_groups(0) * CLSCAN_EXPAND_TEAMS, team = get_global_id(0) / CLSCAN_EXPAND_TEAM;
        const ulong tiles = (missing + (end - begin) - 1) / CLSCAN_EXPAND_TILE + 1;
        const ulong share = ((tiles - 1) / teams + 1) * CLSCAN_EXPAND_TILE;
        const ulong own = team == 0 ? begin : begin + team * share - missing;

        if (own < end) {
            const ulong stop = min(begin + (team + 1) * share - missing, end);

#if CLSCAN_EXPAND_WORK_GROUP_SIZE == 1
            CLSCAN_A behind;
            ulong element = clscan_element_at(&runs, clscan_block_at(&runs, own), own, &behind);

            for (ulong at = own; at < stop && element < count;) {
                const ulong next = min((ulong)behind, stop);
                CLSCAN_EXPAND_HOLD(1)
                CLSCAN_EXPAND_LOAD(0, element, 0)

                // Short runs are not told apart: what is stored too far, the next elements store again.
                if (CLSCAN_EXPAND_AHEAD > 1 && stop - at >= CLSCAN_EXPAND_AHEAD) {
#pragma unroll
                    for (uint i = 0; i < CLSCAN_EXPAND_AHEAD; ++i) {
                        CLSCAN_EXPAND_STORE(0, at, i)
                    }
                    at += CLSCAN_EXPAND_AHEAD;
                }
                for (; at < next; ++at) {
                    CLSCAN_EXPAND_STORE(0, at, 0)
                }
                at = next;
                element = clscan_next_element(&runs, element, behind);
                if (element < count)
                    behind = add_sat(behind, clscan_length_at(runs.lengths, element));
            }
#else
            const uint item = clscan_team_item();
            clscan_expand_batch batch;
            CLSCAN_EXPAND_RUN element;

            element = clscan_element_at(&runs, (CLSCAN_EXPAND_RUN)clscan_block_at(&runs, own, zone), (CLSCAN_A)own,
                                        &batch, zone);

            const bool aligned = CLSCAN_EXPAND_IS_ALIGNED(begin - missing);
            uint turn = 0, shift = team == 0 ? missing : 0;

#pragma unroll
            for (uint r = 0; r < CLSCAN_EXPAND_ROWS; ++r)
                zone->marks[r * CLSCAN_EXPAND_TEAM + item] = 0;
#if !CLSCAN_EXPAND_VOTES
            for (uint i = item; i < CLSCAN_EXPAND_ROWS * CLSCAN_EXPAND_GROUPS; i += CLSCAN_EXPAND_TEAM)
                zone->have[turn][i] = 0;
#endif
            clscan_team_meet();
            // No further than to the end, so that nothing wraps.
            for (CLSCAN_A tile = (CLSCAN_A)own; tile < (CLSCAN_A)stop; turn = 1 - turn) {
                __local CLSCAN_EXPAND_RUN *marks = (__local CLSCAN_EXPAND_RUN *)zone->marks + shift;
                const uint size = (uint)min((CLSCAN_A)(CLSCAN_EXPAND_TILE - shift), (CLSCAN_A)stop - tile);
                const ulong from = element, to = (ulong)tile - shift;
                const bool vectors = size == CLSCAN_EXPAND_TILE && aligned;
                clscan_expand_rows rows;

                // The same for all work-items.
                while (clscan_mark_batch(&batch, element, tile, size, marks, zone))
                    batch = clscan_load_next(&runs, &batch);
                clscan_team_meet();
                element += clscan_take_rows(zone, turn, &rows);
                // The batch serves the next tile, too, or another one comes while this tile is stored.
                if (!CLSCAN_EXPAND_KEEPS || !clscan_batch_reaches(&batch, tile, size + CLSCAN_EXPAND_TILE))
                    batch = clscan_load_from(&runs, &batch, element, zone);
                // There is an element for outputs that are not there, too.
#pragma unroll
                for (uint r = 0; r < CLSCAN_EXPAND_ROWS; r += CLSCAN_EXPAND_TOGETHER) {
                    CLSCAN_EXPAND_HOLD(CLSCAN_EXPAND_TOGETHER * CLSCAN_EXPAND_VECTOR)

#pragma unroll
                    for (uint i = 0; i < CLSCAN_EXPAND_TOGETHER * CLSCAN_EXPAND_VECTOR; ++i) {
                        CLSCAN_EXPAND_LOAD(i, from,
                                           rows.runs[r + i / CLSCAN_EXPAND_VECTOR][i % CLSCAN_EXPAND_VECTOR])
                    }
#pragma unroll
                    for (uint i = 0; i < CLSCAN_EXPAND_TOGETHER; ++i) {
                        const uint at = (r + i) * CLSCAN_EXPAND_ROW + item * CLSCAN_EXPAND_VECTOR;

                        if (vectors) {
                            CLSCAN_EXPAND_STORE_VECTOR(i * CLSCAN_EXPAND_VECTOR, to, at)
                        } else {
#pragma unroll
                            for (uint c = 0; c < CLSCAN_EXPAND_VECTOR; ++c)
                                if (at + c - shift < size) {
                                    CLSCAN_EXPAND_STORE(i * CLSCAN_EXPAND_VECTOR + c, to, at + c)
                                }
                        }
                    }
                }
                tile += size;
                shift = 0;
            }
#endif
        }
    }
}
