/* Which kernel files a program consists of: one table, in the order in which the files build on each other. */
#ifndef CLSCAN_PROGRAM_COMPOSITION_H
#define CLSCAN_PROGRAM_COMPOSITION_H

#include "program/compose.h"

/* X(file, when, gives, meaning): the file of cl/ is part of a program when `when` holds, an expression of the facts in
 * composition.c; `gives` and `meaning` say in words what it gives, and when. The table of cl/README.md is this one. */
/* clang-format off */
#define CLSCAN__KERNEL_FILE_LIST(X)                                                                                    \
    X("elements/types.cl", true,                                                                                       \
      "element, accumulator, item and vector types; half as stored bits", "always")                                    \
    X("elements/operators.cl", true,                                                                                   \
      "`clscan_operate()` in memory order, `clscan_combine()` in the order of the scan", "always")                     \
    X("elements/narrow.cl", !plain,                                                                                    \
      "vectors of narrow scalars and flags, in words", "problems that are not plain")                                  \
    X("elements/cursors.cl", true,                                                                                     \
      "sources and sinks, whatever the direction; elements and vectors of them in and out, through maps", "always")    \
    X("elements/sums.cl", true,                                                                                        \
      "`clscan_sum` and its words, `clscan_join()`, `clscan_prefix`, `clscan_step()`, the total", "always")            \
    X("elements/arguments.cl", true,                                                                                   \
      "what kernels are given: `clscan_run`, `CLSCAN_RUN_PARAMETERS`; the initial value", "always")                    \
    X("subgroups/required_size.cl", requires_size,                                                                     \
      "makes kernels require the size of sub-groups",                                                                  \
      "shuffles by OpenCL's extensions and `sub_group_barrier`, where the compiler would choose the size")             \
    X("subgroups/subgroup.cl", shuffles,                                                                               \
      "what a sub-group is", "body `subgroup_rows` or group scan `subgroup`")                                          \
    X("subgroups/ptx.cl", shuffles && by == CLSCAN__SHUFFLES_PTX,                                                      \
      "shuffles by PTX, and what it has for packed elements", "the same, NVIDIA from compute capability 7.0 on")       \
    X("subgroups/khr.cl", shuffles && by == CLSCAN__SHUFFLES_KHR,                                                      \
      "shuffles by OpenCL's extensions", "the same, where they are and sub-groups have a known size")                  \
    X("subgroups/shuffles.cl", shuffles && by != CLSCAN__SHUFFLES_LOCAL,                                               \
      "scans inside sub-groups and across them", "behind these two")                                                   \
    X("subgroups/local.cl", shuffles && by == CLSCAN__SHUFFLES_LOCAL,                                                  \
      "exchange and the same scans by local memory", "the same, on all other devices")                                 \
    X("group_scans/kogge_stone.cl", group_scan == CLSCAN_GROUP_SCAN_KOGGE_STONE,                                       \
      "`clscan_group_scan()`, `CLSCAN_SCRATCH`", "group scan `kogge_stone`")                                           \
    X("group_scans/brent_kung.cl", group_scan == CLSCAN_GROUP_SCAN_BRENT_KUNG,                                         \
      "the same", "group scan `brent_kung`")                                                                           \
    X("group_scans/subgroup.cl", group_scan == CLSCAN_GROUP_SCAN_SUBGROUP,                                             \
      "the same", "group scan `subgroup`")                                                                             \
    X("elements/lanes.cl", true,                                                                                       \
      "whole vectors at once, where `CLSCAN_LANES` is 1", "always")                                                    \
    X("elements/cells.cl", body == CLSCAN_BODY_SUBGROUP_ROWS || (rows && !ordered),                                    \
      "vectors of narrow elements, packed in registers", "body `subgroup_rows`, and plans for rows")                   \
    X("reproducible/nodes.cl", reproducible,                                                                           \
      "the blocks of the reproducible order, nodes, and stacks of them: what precedes a tile", "reproducible plans")   \
    X("reproducible/subgroup_nodes.cl", reproducible && body == CLSCAN_BODY_SUBGROUP_ROWS,                             \
      "nodes across the lanes of a sub-group", "the same, body `subgroup_rows`")                                       \
    X("reproducible/cached_rows.cl", reproducible && body == CLSCAN_BODY_CACHED_ROWS,                                  \
      "`clscan_tile_total()`, `clscan_tile_finish()` of blocks", "the same, body `cached_rows`")                       \
    X("bodies/cached_tiles.cl", !reproducible && body == CLSCAN_BODY_CACHED_ROWS,                                      \
      "the size of a tile, and what lies in local memory", "the same body, all other problems")                        \
    X("elements/lane_moves.cl", sums_lanes || segment_lanes,                                                           \
      "vectors of values as lanes", "behind the next ones, where lanes are scanned or summed at once")                 \
    X("bodies/cached_segments.cl", segmented && !walks_segments && body == CLSCAN_BODY_CACHED_ROWS,                    \
      "`clscan_tile_total()`, `clscan_tile_finish()` of tiles whose last segment is all that they hand on",            \
      "the same body, scans by segments")                                                                              \
    X("bodies/cached_runs.cl", walks_segments && cached,                                                                         \
      "sums of runs of elements", "the next two")                                                                      \
    X("bodies/cached_offsets.cl", walks_segments && cached && by_offsets,                                              \
      "`clscan_tile_total()`, `clscan_tile_finish()` of tiles that go from offset to offset",                          \
      "the same body, sums of segments by offsets alone")                                                              \
    X("bodies/cached_heads.cl", walks_segments && cached && !by_offsets,                                               \
      "the same, of tiles that go from head to head", "the same body, sums of segments by flags, bits or keys alone")  \
    X("bodies/cached_turns.cl", segmented && body == CLSCAN_BODY_CACHED_ROWS,                                          \
      "what carries ask for besides", "behind the last three")                                                         \
    X("bodies/cached_sums.cl", sums_lanes,                                                                             \
      "steps of whole vectors of sums", "the next one, scalars that are converted or pass maps, on CPUs")              \
    X("bodies/cached_abreast.cl", abreast,                                                                             \
      "rows of structs, each in a lane of vectors of their members", "the next one, lanewise operators, on CPUs")      \
    X("bodies/cached_packing.cl", !reproducible && selects && body == CLSCAN_BODY_CACHED_ROWS,                         \
      "bits of bytes, and outputs that are brought together, by instructions of processors",                           \
      "the next one, selections")                                                                                      \
    X("bodies/cached_rows.cl", !reproducible && !segmented && body == CLSCAN_BODY_CACHED_ROWS,                         \
      "`clscan_tile_total()`, `clscan_tile_finish()`", "the same body, all other problems")                            \
    X("bodies/strided.cl", body == CLSCAN_BODY_STRIDED,                                                                \
      "the same", "body `strided`")                                                                                    \
    X("bodies/transposed_offsets.cl", walks_segments && !cached,                                                       \
      "the same, of tiles in local memory", "body `coalesced`, sums of segments by offsets alone")                     \
    X("bodies/transposed.cl", transposed && !walks_segments,                                                           \
      "`clscan_tile_total()`, `clscan_tile_finish()`", "bodies `coalesced` and `matrix`")                              \
    X("bodies/subgroup_parts.cl", body == CLSCAN_BODY_SUBGROUP_ROWS,                                                   \
      "how a tile is cut into parts of sub-groups, and these into rows", "body `subgroup_rows`")                       \
    X("bodies/shifts.cl", body == CLSCAN_BODY_SUBGROUP_ROWS,                                                           \
      "lanes that pass elements on, where vectors are not aligned", "body `subgroup_rows`")                            \
    X("bodies/marked_rows.cl", marked,                                                                                 \
      "rows in registers: elements and a bit for each, loaded", "the same, selections and most scans by segments")     \
    X("bodies/kept_parts.cl", marked && selects,                                                                       \
      "what leaves a part: numbers, room, columns", "the same, selections")                                            \
    X("bodies/kept_words.cl", marked && selects && !only_marks && bytes && by == CLSCAN__SHUFFLES_PTX,                 \
      "bytes gathered in local memory, four at a time", "the same, selections from bytes to bytes, by PTX")             \
    X("bodies/kept_rows.cl", marked && selects && !only_marks,                                                         \
      "rows counted, outputs gathered in local memory, stored", "the same, selections that hold elements")             \
    X("bodies/kept_marks.cl", marked && only_marks,                                                                    \
      "rows counted, places gathered in local memory, outputs and lengths stored", "the same, all other selections")   \
    X("bodies/segmented_rows.cl", marked && !selects,                                                                  \
      "the same: scanned, stored", "the same, most scans by segments")                                                 \
    X("bodies/segment_sums.cl", marked && discards,                                                                    \
      "the same: gathered in local memory, stored", "the same, reductions by segments")                                \
    X("bodies/held_rows.cl", body == CLSCAN_BODY_SUBGROUP_ROWS && !marked,                                             \
      "rows in registers: loaded, scanned, stored", "the same, all other problems")                                    \
    X("bodies/subgroup_rows.cl", body == CLSCAN_BODY_SUBGROUP_ROWS,                                                    \
      "`clscan_tile_total()`, `clscan_tile_finish()`", "body `subgroup_rows`")                                         \
    X("carries/walk.cl", true,                                                                                         \
      "one work-group walks neighbouring tiles; totals of ranges are combined", "always")                              \
    X("carries/count.cl", true,                                                                                        \
      "the count from device memory, and what it makes of a launch for more", "always")                                \
    X("rows/arguments.cl", rows,                                                                                       \
      "what kernels for rows are given besides: `clscan_rows`, `CLSCAN_ROWS_PARAMETERS`", "plans for rows")            \
    X("rows/initials.cl", rows,                                                                                        \
      "the initial values of rows", "the same")                                                                        \
    X("rows/row_totals.cl", rows,                                                                                      \
      "where the totals of rows go", "the same")                                                                       \
    X("rows/count.cl", rows,                                                                                           \
      "the number of rows from device memory", "the same")                                                             \
    X("comm/ptx.cl", draws && mechanism == CLSCAN_MECHANISM_PTX,                                                       \
      "`clscan_word`, its accesses, the device fence", "carries that share a word, mechanism `ptx`")                   \
    X("comm/c11.cl", draws && mechanism == CLSCAN_MECHANISM_C11,                                                       \
      "the same", "carries that share a word, mechanism `c11`")                                                        \
    X("comm/atomic64.cl", draws && mechanism == CLSCAN_MECHANISM_ATOMIC64,                                             \
      "the same", "carries that share a word, mechanism `atomic64`")                                                   \
    X("comm/atomic32.cl", draws && mechanism == CLSCAN_MECHANISM_ATOMIC32,                                             \
      "the same", "carries that share a word, mechanism `atomic32`")                                                   \
    X("comm/publish.cl", draws,                                                                                        \
      "values as self-validating words", "carries that share a word")                                                  \
    X("orders/dynamic.cl", order == CLSCAN_ORDER_DYNAMIC || carry == CLSCAN_CARRY_LAST_COMBINES,                       \
      "`clscan_draw()`", "order `dynamic`, and carry `last_combines`")                                                 \
    X("orders/static.cl", ordered && order == CLSCAN_ORDER_STATIC,                                                     \
      "the same", "order `static`")                                                                                    \
    X("orders/persistent.cl", ordered && order == CLSCAN_ORDER_PERSISTENT,                                             \
      "the same, and `clscan_draw_next()`", "order `persistent`")                                                      \
    X("orders/cyclic.cl", ordered && order == CLSCAN_ORDER_CYCLIC,                                                     \
      "the same, and `clscan_draw_next()`", "order `cyclic`")                                                          \
    X("carries/chain.cl", ordered,                                                                                     \
      "bounded waits and their counters", "carries that wait")                                                         \
    X("reproducible/windows.cl", reproducible,                                                                         \
      "stacks extended by many totals", "reproducible plans")                                                          \
    X("bodies/landing.cl", landing,                                                                                    \
      "the next tile, on its way into local memory", "`landing_zones` of 1")                                           \
    X("bodies/landed.cl", landing && stays,                                                                            \
      "its total, and its way into the registers", "the same, elements that stay as they are in memory")               \
    X("bodies/landed_marks.cl", landing && segmented,                                                                  \
      "where segments begin in it", "the same, scans by segments")                                                     \
    X("bodies/landed_inputs.cl", landing && !stays,                                                                    \
      "the same", "the same, scalars that are converted or pass a map")                                                \
    X("carries/ranges.cl", ranges,                                                                                     \
      "ranges of tiles: drawn, reduced, scanned", "carries that wait, except `lookahead`")                             \
    X("carries/totals.cl", ahead || carry == CLSCAN_CARRY_ALL_TOTALS,                                                  \
      "totals that tiles publish", "carries `lookahead` and `all_totals`")                                             \
    X("bodies/fetch.cl", ahead && !plain && !(landing && widens) && by == CLSCAN__SHUFFLES_PTX,                        \
      "tiles on their way into the level-2 cache",                                                                     \
      "carry `lookahead` by PTX, problems that are not plain, unless they land and their outputs are wider")           \
    X("bodies/edges.cl", ahead,                                                                                        \
      "heads of inputs, and tiles that leave shifted", "carry `lookahead`")                                            \
    X("rows/joined_tiles.cl", ahead && rows,                                                                           \
      "rows that are walked as one input", "the same, for rows")                                                       \
    X("carries/walker.cl", ahead,                                                                                      \
      "a work-group on its way through the tiles, and what it does where a total is missing", "the same")              \
    X("carries/settle_prefix.cl", ahead && !reproducible,                                                              \
      "`clscan_look_ahead()`, `clscan_recompute()`: what precedes a tile, as one value",                               \
      "the same, for all but reproducible plans")                                                                      \
    X("reproducible/settle_nodes.cl", ahead && reproducible,                                                           \
      "the same, as a stack of nodes", "the same, reproducible plans")                                                 \
    X("carries/lookahead.cl", ahead,                                                                                   \
      "how work-groups walk the tiles", "carry `lookahead`")                                                           \
    X("carries/lookahead_kernels.cl", ahead && !rows,                                                                  \
      "the kernels", "the same, but for rows")                                                                         \
    X("carries/all_totals.cl", carry == CLSCAN_CARRY_ALL_TOTALS,                                                       \
      "the kernel", "carry `all_totals`")                                                                              \
    X("carries/adjacent.cl", carry == CLSCAN_CARRY_ADJACENT,                                                           \
      "`clscan_settle()`: what precedes a range, and its publication", "carry `adjacent`")                             \
    X("carries/lookback.cl", carry == CLSCAN_CARRY_LOOKBACK,                                                           \
      "the same", "carry `lookback`")                                                                                  \
    X("carries/chained.cl", chained && !rows,                                                                          \
      "their kernel", "carries `adjacent` and `lookback`")                                                             \
    X("carries/single.cl", carry == CLSCAN_CARRY_SINGLE,                                                               \
      "the kernel", "carry `single`")                                                                                  \
    X("carries/scan_then_add.cl", carry == CLSCAN_CARRY_SCAN_THEN_ADD,                                                 \
      "the kernels", "carry `scan_then_add`")                                                                          \
    X("carries/reduce_then_scan.cl", carry == CLSCAN_CARRY_REDUCE_THEN_SCAN && !reproducible && !rows,                 \
      "the kernels", "carry `reduce_then_scan`")                                                                       \
    X("reproducible/reduce_then_scan.cl", carry == CLSCAN_CARRY_REDUCE_THEN_SCAN && reproducible && !rows,             \
      "the kernels", "the same, reproducible plans")                                                                   \
    X("bodies/row_shares.cl", reduces && !reproducible && body == CLSCAN_BODY_SUBGROUP_ROWS,                           \
      "`clscan_tile_share()`: what a work-item has of a tile", "reductions, body `subgroup_rows`")                     \
    X("carries/reduce_ranges.cl", reduces && !reproducible,                                                            \
      "totals of ranges, and their combination", "reductions")                                                         \
    X("reproducible/reduce_ranges.cl", reduces && reproducible,                                                        \
      "nodes of ranges, and their combination", "reductions, reproducible plans")                                      \
    X("carries/reduce_then_combine.cl", carry == CLSCAN_CARRY_REDUCE_THEN_COMBINE,                                     \
      "the kernels", "carry `reduce_then_combine`")                                                                    \
    X("carries/last_combines.cl", carry == CLSCAN_CARRY_LAST_COMBINES,                                                 \
      "the kernel", "carry `last_combines`")                                                                           \
    X("rows/staged.cl", rows && !ordered,                                                                              \
      "rows that share a work-group, in local memory", "plans for rows")                                               \
    X("rows/strips.cl", rows && !ordered && !reproducible,                                                             \
      "the same, scanned", "the same, but for reproducible plans")                                                     \
    X("reproducible/short_rows.cl", rows && !ordered && reproducible,                                                  \
      "the same", "reproducible plans for rows")                                                                       \
    X("reproducible/short_lines.cl", rows && !ordered && reproducible && shuffles && by != CLSCAN__SHUFFLES_LOCAL,     \
      "the same, by shuffles", "the same, where there are some")                                                       \
    X("rows/short.cl", rows && !ordered,                                                                               \
      "their kernel", "plans for rows")                                                                                \
    X("rows/heads.cl", spec->loose_rows,                                                                               \
      "rows that begin where vectors do not", "the same, rows of scalars whose pitch is no multiple of a vector")      \
    X("rows/long.cl", rows && !ordered && !reproducible,                                                               \
      "the kernels for longer rows", "the same, but for reproducible plans")                                           \
    X("rows/totals.cl", rows && !ordered && !reproducible,                                                             \
      "the kernel for totals of rows alone", "the same")                                                               \
    X("reproducible/long_rows.cl", rows && !ordered && reproducible,                                                   \
      "the kernels for longer rows, and for totals alone", "reproducible plans for rows")                              \
    X("rows/column_cursors.cl", rows && !ordered,                                                                      \
      "elements of columns", "plans for rows")                                                                         \
    X("rows/column_blocks.cl", rows && !ordered && !reproducible,                                                      \
      "neighbouring columns, scanned", "the same, but for reproducible plans")                                         \
    X("reproducible/columns.cl", rows && !ordered && reproducible,                                                     \
      "the same", "reproducible plans for rows")                                                                       \
    X("rows/columns.cl", rows && !ordered,                                                                             \
      "the kernel for columns, and for tensors along any axis", "plans for rows")                                      \
    X("rows/joined.cl", rows && ahead,                                                                                 \
      "the kernel for long rows of whole tiles", "plans for rows, where work-groups may wait")                         \
    X("rows/chained.cl", rows && chained,                                                                              \
      "the kernel for few long rows", "the same")                                                                      \
    X("comm/probe.cl", probes,                                                                                         \
      "the kernel of the start-up probe", "in its program")                                                            \
    X("carries/empty.cl", true,                                                                                        \
      "the kernel for a count of 0", "always")                                                                         \
    X("selection/kept.cl", lengths || in_place,                                                                        \
      "where what is kept stands; no part of a variant", "selections with lengths, or in place")                       \
    X("selection/lengths.cl", lengths,                                                                                 \
      "the kernels that complete lengths; no part of a variant", "selections with lengths")                            \
    X("selection/rest.cl", rest,                                                                                       \
      "the kernels that say where the rest begins; no part of a variant", "partitions")                                \
    X("selection/in_place.cl", in_place,                                                                               \
      "the kernel that moves what is kept to the input; no part of a variant", "selections in place")                  \
    X("repetition/lengths.cl", repeats,                                                                                \
      "the kernel that sums up lengths; no part of a variant", "operation repeat")                                     \
    X("repetition/expand.cl", repeats,                                                                                 \
      "the kernel that fills the outputs; no part of a variant", "operation repeat")                                   \
    X("segments/marks.cl", marks_offsets,                                                                              \
      "the kernels that turn offsets into marks; no part of a variant", "segments by offsets")                         \
    X("segments/mark_heads.cl", marks_heads,                                                                           \
      "the kernel that turns flags or keys into marks; no part of a variant", "on GPUs, large segments by flags or keys")
/* clang-format on */

enum {
#define X(file, when, gives, meaning) +1
    CLSCAN__KERNEL_FILE_COUNT = CLSCAN__KERNEL_FILE_LIST(X),
#undef X
    CLSCAN__VARIANT_FILE_COUNT = CLSCAN__KERNEL_FILE_COUNT - 8 /* those before it make a variant, and its revision */
};

/* The names, in order. */
extern const char *const clscan__kernel_files[CLSCAN__KERNEL_FILE_COUNT];

/* Which of them the program of `spec` consists of. */
void clscan__composition(const clscan__program_spec *spec, bool parts[CLSCAN__KERNEL_FILE_COUNT]);

#endif
