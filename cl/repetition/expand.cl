// Operation repeat: fills the outputs with elements, each as many times as its length says. An element's place, the sum
// of the lengths before it, stands in `places` already.
//
// The outputs are shared out evenly, whatever the lengths are. A team of work-items finds the element of its first
// output by a search, and walks on from there. On CPUs a team is one work-item. On GPUs it is a sub-group where lanes
// can vote, else a work-group, and takes a tile of outputs at a time: each element that begins there marks its place in
// local memory, and the last mark up to an output gives it its element. Elements of length 0 mark nothing, so that each
// mark has one writer.
//
// A tile is rows, of a vector of neighbouring outputs for each work-item, so that marks are read and outputs are stored
// as vectors, side by side. What decides is how many outputs are under way, since each round of a team waits for
// memory once: for the places of the next tile and the values of this one together. So the places of a tile are loaded
// while the tile before is stored, and all values of some rows before the first of them is stored.
//
// Required of the host (src/program/repetition.c):
//   CLSCAN_EXPAND_WORK_GROUP_SIZE  1 on CPUs, else a power of two of at least 16
//   CLSCAN_EXPAND_VECTOR           outputs of a vector: 1, 2 or 4
//   CLSCAN_EXPAND_ROWS             rows of a tile
//   CLSCAN_EXPAND_TOGETHER         rows of which values are loaded before they are stored; divides the rows
//   CLSCAN_EXPAND_BATCH            vectors of four places that a work-item has of a tile before it marks them
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

// Where the outputs of element `run` begin: `end` or more if they have no room, or there is no such element.
CLSCAN_FUNCTION ulong clscan_place_of(__global const CLSCAN_A *places, ulong run, ulong count, ulong end)
{
    return run < count ? places[run] : end;
}

#if CLSCAN_EXPAND_WORK_GROUP_SIZE == 1

#define CLSCAN_EXPAND_TEAM 1
#define CLSCAN_EXPAND_TEAMS 1
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

// A sub-group of 32 that votes, with nobody else to wait for; or a work-group.
#if defined(CLSCAN_BALLOT) && CLSCAN_EXPAND_WORK_GROUP_SIZE % 32 == 0
#define CLSCAN_EXPAND_VOTES 1
#define CLSCAN_EXPAND_TEAM 32u
#define clscan_team_meet() clscan_sub_group_meet()
#else
#define CLSCAN_EXPAND_VOTES 0
#define CLSCAN_EXPAND_TEAM ((uint)CLSCAN_EXPAND_WORK_GROUP_SIZE)
#define clscan_team_meet() barrier(CLK_LOCAL_MEM_FENCE)
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
#endif
    uint found;
} clscan_expand_zone;

CLSCAN_FUNCTION uint clscan_team_item(void)
{
    return (uint)get_local_id(0) % CLSCAN_EXPAND_TEAM;
}

// The last element whose outputs begin at or before `at`: the one that is there. The first one does. Every work-item
// probes one place, and all get the same answer, so that they leave the loop in the same turn.
CLSCAN_FUNCTION ulong clscan_element_at(__global const CLSCAN_A *places, ulong count, ulong at,
                                        __local clscan_expand_zone *zone)
{
    const uint item = clscan_team_item();
    ulong low = 0, high = count;

    while (high - low > 1) {
        const ulong step = (high - low - 1) / CLSCAN_EXPAND_TEAM + 1, probe = low + item * step;

        if (item == 0)
            zone->found = 0;
        clscan_team_meet();
        if (probe < high && places[probe] <= at)
            (void)atomic_max(&zone->found, item);
        clscan_team_meet();
        low += zone->found * step;
        high = min(low + step, high);
        clscan_team_meet(); // before it is set anew
    }
    return low;
}

// Elements that a team looks at together, in vectors of four for each work-item.
#define CLSCAN_EXPAND_VECTOR_RUNS (4 * CLSCAN_EXPAND_TEAM)
#define CLSCAN_EXPAND_BATCH_RUNS (CLSCAN_EXPAND_BATCH * CLSCAN_EXPAND_VECTOR_RUNS)

typedef struct clscan_expand_batch {
    CLSCAN_A own[CLSCAN_EXPAND_BATCH][5]; // where four elements begin, and the one behind them
    CLSCAN_A ends[CLSCAN_EXPAND_BATCH];   // where that behind the vectors of the whole team begins
} clscan_expand_batch;

// The elements from `first` on, a multiple of 4. Those before `wanted` are made empty: they are less than four.
CLSCAN_FUNCTION clscan_expand_batch clscan_load_batch(__global const CLSCAN_A *places, ulong first, ulong wanted,
                                                      ulong count, ulong end)
{
    const uint unwanted = clscan_team_item() == 0 && wanted > first ? (uint)(wanted - first) : 0;
    clscan_expand_batch batch;

    if (first + CLSCAN_EXPAND_BATCH_RUNS < count) {
        __global const CLSCAN_A *at = places + first;

#pragma unroll
        for (uint i = 0; i < CLSCAN_EXPAND_BATCH; ++i) {
            const uint own = i * CLSCAN_EXPAND_VECTOR_RUNS + 4 * clscan_team_item();
            const CLSCAN_PASTE(CLSCAN_A, 4) four = *(__global const CLSCAN_PASTE(CLSCAN_A, 4) *)(at + own);

            batch.own[i][0] = four.x;
            batch.own[i][1] = four.y;
            batch.own[i][2] = four.z;
            batch.own[i][3] = four.w;
            batch.own[i][4] = at[own + 4];
            batch.ends[i] = at[(i + 1) * CLSCAN_EXPAND_VECTOR_RUNS];
        }
    } else {
#pragma unroll
        for (uint i = 0; i < CLSCAN_EXPAND_BATCH; ++i) {
            const ulong own = first + i * CLSCAN_EXPAND_VECTOR_RUNS + 4 * clscan_team_item();

#pragma unroll
            for (uint c = 0; c < 5; ++c)
                batch.own[i][c] = (CLSCAN_A)clscan_place_of(places, own + c, count, end);
            batch.ends[i] =
                (CLSCAN_A)clscan_place_of(places, first + (i + 1) * CLSCAN_EXPAND_VECTOR_RUNS, count, end);
        }
    }
#pragma unroll
    for (uint c = 3; c > 0; --c) {
        const CLSCAN_A own = batch.own[0][c - 1], next = batch.own[0][c];

        batch.own[0][c - 1] = c <= unwanted ? next : own;
    }
    return batch;
}

// Marks the elements of a batch that begin in the `size` outputs from `tile` on, by how far they stand behind the one
// that is there when the tile begins. The batch's first one is `behind` it. Returns whether more may begin in the tile.
CLSCAN_FUNCTION bool clscan_mark_batch(const clscan_expand_batch *batch, CLSCAN_EXPAND_RUN behind, CLSCAN_A tile,
                                       uint size, __local CLSCAN_EXPAND_RUN *marks)
{
    bool more = true;

    behind += 4 * clscan_team_item();
#pragma unroll
    for (uint i = 0; i < CLSCAN_EXPAND_BATCH; ++i) {
        if (more) {
#pragma unroll
            for (uint c = 0; c < 4; ++c) {
                const CLSCAN_A own = batch->own[i][c] - tile;

                if (own < size && batch->own[i][c] != batch->own[i][c + 1])
                    marks[(uint)own] = behind + (i * CLSCAN_EXPAND_VECTOR_RUNS + c);
            }
        }
        more = more && batch->ends[i] < tile + size;
    }
    return more;
}

typedef struct clscan_expand_rows {
    CLSCAN_EXPAND_RUN runs[CLSCAN_EXPAND_ROWS][CLSCAN_EXPAND_VECTOR];
} clscan_expand_rows;

#if CLSCAN_EXPAND_VOTES
CLSCAN_FUNCTION CLSCAN_EXPAND_RUN clscan_run_of_lane(CLSCAN_EXPAND_RUN run, uint lane)
{
    const uint low = clscan_shuffle_bits((uint)run, lane);

    if (sizeof run == 4)
        return low;
    return (CLSCAN_EXPAND_RUN)((ulong)clscan_shuffle_bits((uint)((ulong)run >> 32), lane) << 32 | low);
}

// Let every mark be the last one up to there; `lasts` are those of this work-item's vectors. Returns the tile's last.
CLSCAN_FUNCTION CLSCAN_EXPAND_RUN clscan_fill_rows(__local clscan_expand_zone *zone, uint turn,
                                                   const CLSCAN_EXPAND_RUN *lasts, clscan_expand_rows *rows)
{
    const uint lower = (1u << clscan_team_item()) - 1;
    CLSCAN_EXPAND_RUN before = 0;

#pragma unroll
    for (uint r = 0; r < CLSCAN_EXPAND_ROWS; ++r) {
        const uint have = CLSCAN_BALLOT(lasts[r] != 0) & lower;
        const CLSCAN_EXPAND_RUN left = clscan_run_of_lane(lasts[r], 31 - clz(have | 1));

        before = have != 0 ? left : before;
#pragma unroll
        for (uint c = 0; c < CLSCAN_EXPAND_VECTOR; ++c)
            rows->runs[r][c] = max(rows->runs[r][c], before);
        before = clscan_run_of_lane(rows->runs[r][CLSCAN_EXPAND_VECTOR - 1], 31);
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

/// The run is that which made places: they are its output, and its total is where the last element's outputs end.
__kernel __attribute__((reqd_work_group_size(CLSCAN_EXPAND_WORK_GROUP_SIZE, 1, 1)))
void clscan_expand(CLSCAN_RUN_PARAMETERS CLSCAN_EXPAND_PARAMETERS)
{
    __local clscan_expand_zone zones[CLSCAN_EXPAND_TEAMS];
    __local clscan_expand_zone *zone = zones + get_local_id(0) / CLSCAN_EXPAND_TEAM;
    __global const CLSCAN_A *places = (__global const CLSCAN_A *)out + run.out_offset;
    const ulong total = total_at[run.total_offset], end = min(total, run.capacity);
    const ulong count = CLSCAN_TAKE_COUNT(run.count);

    if (total > run.capacity && get_global_id(0) == 0)
        (void)atomic_inc(CLSCAN_COUNTER(CLSCAN_EVENT_OVERFLOW));
    // What follows is the same for all work-items of a team.
    if (count > 0 && places[0] < end) {
        // Tiles begin where vectors do: the first one has outputs that are not there.
        const ulong begin = places[0];
        const uint missing = CLSCAN_EXPAND_MISALIGNED(begin);
        const ulong teams = get_num_groups(0) * CLSCAN_EXPAND_TEAMS, team = get_global_id(0) / CLSCAN_EXPAND_TEAM;
        const ulong tiles = (missing + (end - begin) - 1) / CLSCAN_EXPAND_TILE + 1;
        const ulong share = ((tiles - 1) / teams + 1) * CLSCAN_EXPAND_TILE;
        const ulong own = team == 0 ? begin : begin + team * share - missing;

        if (own < end) {
            const ulong stop = min(begin + (team + 1) * share - missing, end);
            ulong element = clscan_element_at(places, count, own, zone);

#if CLSCAN_EXPAND_WORK_GROUP_SIZE == 1
            for (ulong at = own; at < stop; ++element) {
                const ulong next = min(clscan_place_of(places, element + 1, count, end), stop);
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
            }
#else
            const uint item = clscan_team_item();
            ulong first = (element + 1) / 4 * 4;
            clscan_expand_batch batch = clscan_load_batch(places, first, element + 1, count, end);
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
            for (ulong tile = own; tile < stop; turn = 1 - turn) {
                __local CLSCAN_EXPAND_RUN *marks = (__local CLSCAN_EXPAND_RUN *)zone->marks + shift;
                const uint size = (uint)min((ulong)(CLSCAN_EXPAND_TILE - shift), stop - tile);
                const ulong from = element, to = tile - shift;
                const bool vectors = size == CLSCAN_EXPAND_TILE && aligned;
                clscan_expand_rows rows;

                // The same for all work-items.
                while (clscan_mark_batch(&batch, (CLSCAN_EXPAND_RUN)(first - element), (CLSCAN_A)tile, size, marks)) {
                    first += CLSCAN_EXPAND_BATCH_RUNS;
                    batch = clscan_load_batch(places, first, first, count, end);
                }
                clscan_team_meet();
                element += clscan_take_rows(zone, turn, &rows);
                first = (element + 1) / 4 * 4;
                batch = clscan_load_batch(places, first, element + 1, count, end);
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
                tile += CLSCAN_EXPAND_TILE - shift;
                shift = 0;
            }
#endif
        }
    }
}
