// The count of a run: run.count, or what an earlier command left in device memory. Then run.count is the largest that
// the run may have, for which it was launched, and work-groups without a tile leave at once.
//
// Required of the host:
//   CLSCAN_COUNT_BYTES  of the unsigned integer in memory that is the count, 4 or 8; 0 if run.count is
#if !defined(CLSCAN_COUNT_BYTES)
#error "CLSCAN_COUNT_BYTES must be defined"
#endif

// One that is larger than it may be is refused: there is nothing to scan.
CLSCAN_FUNCTION ulong clscan_take_count(ulong most, ulong count)
{
    return count <= most ? count : 0;
}

// The count is read once, before anything that only some work-items do: only then does NVIDIA's compiler see that all
// have the same one. Read again behind the report, it cost `lookahead` 388 bytes of spills instead of 36.
CLSCAN_FUNCTION ulong clscan_take_and_report_count(ulong most, ulong count, volatile __global uint *refused)
{
    if (count > most && get_global_id(0) == 0)
        (void)atomic_inc(refused);
    return clscan_take_count(most, count);
}

#if CLSCAN_COUNT_BYTES == 0
#define CLSCAN_COUNT_PARAMETERS
#define CLSCAN_TAKE_COUNT(most) (most)
#define CLSCAN_TAKE_AND_REPORT_COUNT(most) (most)
// Is there so little that the first work-group need not tell others of it?
#define CLSCAN_IS_ALONE(ranges) false
// Ranges of a launch with a work-group for each.
#define CLSCAN_LAUNCHED_RANGES(count) (uint)get_num_groups(0)
// Work-groups that take part where each may take several ranges.
#define CLSCAN_WORKERS(ranges) ((uint)get_num_groups(0))
// Tiles of every range but the last where so many work-groups share all tiles.
#define CLSCAN_TILES_PER_RANGE(count, ranges) run.tiles_per_range
// Of the ranges of a reduction, those that have elements.
#define CLSCAN_FILLED_RANGES(ranges) ranges
#else
#if CLSCAN_COUNT_BYTES == 4
typedef uint clscan_count;
#else
typedef ulong clscan_count;
#endif
// count_at  [run.count_offset] the count
#define CLSCAN_COUNT_PARAMETERS , __global const clscan_count *count_at
#define CLSCAN_LAUNCHED_RANGES(count) clscan_ranges(count)
// Then nobody draws or publishes, and the next run has this one's epoch.
#define CLSCAN_IS_ALONE(ranges) ((ranges) <= 1)
// The first ones; of no ranges one. The others leave without a word: what each draws delays those that work.
#define CLSCAN_WORKERS(ranges) min((uint)get_num_groups(0), max(ranges, 1u))
#define CLSCAN_TILES_PER_RANGE(count, ranges) clscan_share_tiles(count, ranges)
#if CLSCAN_REPRODUCIBLE
#define CLSCAN_FILLED_RANGES(ranges) max(clscan_shared_ranges(count, tiles_per_range), 1u)
#else
#define CLSCAN_FILLED_RANGES(ranges) clscan_shared_ranges(count, tiles_per_range)
#endif
// The count, in every kernel of a run, of run.count; in one of them a refused one is reported. That one has a variable
// `count` before, since the arguments of maps may hold it.
#define CLSCAN_TAKE_COUNT(most) clscan_take_count(most, count_at[run.count_offset])
// What is written of no elements, besides the total: by maps of the library's (src/program/segment_sums.c).
#ifdef CLSCAN_GIVES_NOTHING
#define CLSCAN_TAKE_AND_REPORT_COUNT(most)                                                                            \
    clscan_report_nothing(CLSCAN_TAKE_AND_REPORT_ANY_COUNT(most), CLSCAN_MAP_ARGUMENTS)
#else
#define CLSCAN_TAKE_AND_REPORT_COUNT(most) CLSCAN_TAKE_AND_REPORT_ANY_COUNT(most)
#endif
#define CLSCAN_TAKE_AND_REPORT_ANY_COUNT(most)                                                                        \
    clscan_take_and_report_count(most, count_at[run.count_offset], CLSCAN_COUNTER(CLSCAN_EVENT_REFUSED_COUNT))

#ifdef CLSCAN_GIVES_NOTHING
CLSCAN_FUNCTION ulong clscan_report_nothing(ulong count, clscan_arguments arguments)
{
    if (count == 0 && get_global_id(0) == 0)
        clscan_give_nothing(arguments);
    return count;
}
#endif

/// Tiles of a range where `ranges` work-groups share all tiles, as in src/engine/geometry.c; at least 1. In the
/// reproducible order a power of two.
CLSCAN_FUNCTION ulong clscan_share_tiles(ulong count, ulong ranges)
{
    const ulong tiles = clscan_tiles(count), share = tiles / ranges + (tiles % ranges != 0);

#if CLSCAN_REPRODUCIBLE
    return share <= 1 ? 1 : 1ul << (64 - clz(share - 1));
#else
    return max(share, 1ul);
#endif
}

/// Ranges of so many tiles.
CLSCAN_FUNCTION uint clscan_shared_ranges(ulong count, ulong tiles_per_range)
{
    const ulong tiles = clscan_tiles(count);

    return (uint)(tiles / tiles_per_range + (tiles % tiles_per_range != 0));
}
#endif
