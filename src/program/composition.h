/* Which kernel files a program consists of: one table, in the order in which the files build on each other. */
#ifndef CLSCAN_PROGRAM_COMPOSITION_H
#define CLSCAN_PROGRAM_COMPOSITION_H

#include "program/compose.h"

/* X(file, when, gives, meaning): the file of cl/ is part of a program when `when` holds, an expression of the facts in
 * composition.c; `gives` and `meaning` say in words what it gives, and when. The table of cl/README.md is this one. */
/* clang-format off */
#define CLSCAN__KERNEL_FILE_LIST(X)                                                                                    \
    X("types.cl", true,                                                                                                \
      "element, accumulator and vector types; half as stored bits", "always")                                          \
    X("operators.cl", true,                                                                                            \
      "`clscan_operate()` in memory order, `clscan_combine()` in the order of the scan", "always")                     \
    X("io.cl", true,                                                                                                   \
      "cursors that hide the direction, vector loads and stores, `clscan_prefix`, `clscan_step()`, the total", "always") \
    X("required_sub_groups.cl", requires_size,                                                                         \
      "makes kernels require the size of sub-groups",                                                                  \
      "shuffles by OpenCL's extensions and `sub_group_barrier`, where the compiler would choose the size")             \
    X("subgroup.cl", shuffles,                                                                                         \
      "what a sub-group is", "body `subgroup_rows` or group scan `subgroup`")                                          \
    X("subgroup_ptx.cl", shuffles && by == CLSCAN__SHUFFLES_PTX,                                                       \
      "shuffles by PTX", "the same, NVIDIA from compute capability 7.0 on")                                            \
    X("subgroup_khr.cl", shuffles && by == CLSCAN__SHUFFLES_KHR,                                                       \
      "shuffles by OpenCL's extensions", "the same, where they are and sub-groups have a known size")                  \
    X("subgroup_shuffles.cl", shuffles && by != CLSCAN__SHUFFLES_LOCAL,                                                \
      "scans inside sub-groups and across them", "behind these two")                                                   \
    X("subgroup_local.cl", shuffles && by == CLSCAN__SHUFFLES_LOCAL,                                                   \
      "exchange and the same scans by local memory", "the same, on all other devices")                                 \
    X("group_scan_kogge_stone.cl", group_scan == CLSCAN_GROUP_SCAN_KOGGE_STONE,                                        \
      "`clscan_group_scan()`, `CLSCAN_SCRATCH`", "group scan `kogge_stone`")                                           \
    X("group_scan_brent_kung.cl", group_scan == CLSCAN_GROUP_SCAN_BRENT_KUNG,                                          \
      "the same", "group scan `brent_kung`")                                                                           \
    X("group_scan_subgroup.cl", group_scan == CLSCAN_GROUP_SCAN_SUBGROUP,                                              \
      "the same", "group scan `subgroup`")                                                                             \
    X("lanes.cl", true,                                                                                                \
      "whole vectors at once, where `CLSCAN_LANES` is 1", "always")                                                    \
    X("cells_ptx.cl", body == CLSCAN_BODY_SUBGROUP_ROWS && by == CLSCAN__SHUFFLES_PTX,                                 \
      "what PTX has for packed elements", "body `subgroup_rows`, shuffles by PTX")                                     \
    X("cells.cl", body == CLSCAN_BODY_SUBGROUP_ROWS,                                                                   \
      "vectors of narrow elements, packed in registers", "body `subgroup_rows`")                                       \
    X("blocks.cl", reproducible,                                                                                       \
      "the blocks of the reproducible order, and what a node is", "reproducible plans")                                \
    X("subgroup_nodes.cl", reproducible && body == CLSCAN_BODY_SUBGROUP_ROWS,                                          \
      "nodes across the lanes of a sub-group", "the same, body `subgroup_rows`")                                       \
    X("lanes_blocks.cl", reproducible && body == CLSCAN_BODY_CACHED_ROWS,                                              \
      "whole blocks by vectors, where lanes are", "the same, body `cached_rows`")                                      \
    X("tile_cached_blocks.cl", reproducible && body == CLSCAN_BODY_CACHED_ROWS,                                        \
      "`clscan_tile_total()`, `clscan_tile_finish()` of blocks", "the same, body `cached_rows`")                       \
    X("tile_cached_rows.cl", !reproducible && body == CLSCAN_BODY_CACHED_ROWS,                                         \
      "`clscan_tile_total()`, `clscan_tile_finish()`", "body `cached_rows` of other plans")                            \
    X("tile_strided.cl", body == CLSCAN_BODY_STRIDED,                                                                  \
      "the same", "body `strided`")                                                                                    \
    X("tile_coalesced.cl", body == CLSCAN_BODY_COALESCED,                                                              \
      "who transposes together", "body `coalesced`")                                                                   \
    X("tile_matrix.cl", body == CLSCAN_BODY_MATRIX,                                                                    \
      "who transposes together", "body `matrix`")                                                                      \
    X("tile_transposed.cl", body == CLSCAN_BODY_COALESCED || body == CLSCAN_BODY_MATRIX,                               \
      "`clscan_tile_total()`, `clscan_tile_finish()`", "behind these two")                                             \
    X("tile_subgroup_rows.cl", body == CLSCAN_BODY_SUBGROUP_ROWS,                                                      \
      "the same", "body `subgroup_rows`")                                                                              \
    X("walk.cl", true,                                                                                                 \
      "one work-group walks neighbouring tiles; totals of ranges are combined", "always")                              \
    X("comm_ptx.cl", ordered && mechanism == CLSCAN_MECHANISM_PTX,                                                     \
      "`clscan_word`, its accesses, the device fence", "carries that wait, mechanism `ptx`")                           \
    X("comm_c11.cl", ordered && mechanism == CLSCAN_MECHANISM_C11,                                                     \
      "the same", "carries that wait, mechanism `c11`")                                                                \
    X("comm_atomic64.cl", ordered && mechanism == CLSCAN_MECHANISM_ATOMIC64,                                           \
      "the same", "carries that wait, mechanism `atomic64`")                                                           \
    X("comm_atomic32.cl", ordered && mechanism == CLSCAN_MECHANISM_ATOMIC32,                                           \
      "the same", "carries that wait, mechanism `atomic32`")                                                           \
    X("publish.cl", ordered,                                                                                           \
      "values as self-validating words", "carries that wait")                                                          \
    X("order_dynamic.cl", ordered && order == CLSCAN_ORDER_DYNAMIC,                                                    \
      "`clscan_draw()`", "order `dynamic`")                                                                            \
    X("order_static.cl", ordered && order == CLSCAN_ORDER_STATIC,                                                      \
      "the same", "order `static`")                                                                                    \
    X("order_persistent.cl", ordered && order == CLSCAN_ORDER_PERSISTENT,                                              \
      "the same, and `clscan_draw_next()`", "order `persistent`")                                                      \
    X("order_cyclic.cl", ordered && order == CLSCAN_ORDER_CYCLIC,                                                      \
      "the same, and `clscan_draw_next()`", "order `cyclic`")                                                          \
    X("chain.cl", ordered,                                                                                             \
      "bounded waits and their counters", "carries that wait")                                                         \
    X("nodes.cl", reproducible,                                                                                        \
      "stacks of nodes: what precedes a tile", "reproducible plans")                                                   \
    X("windows.cl", reproducible && body != CLSCAN_BODY_CACHED_ROWS,                                                   \
      "stacks extended by many totals at once", "the same, body `subgroup_rows`")                                      \
    X("windows_serial.cl", reproducible && body == CLSCAN_BODY_CACHED_ROWS,                                            \
      "or one by one", "the same, body `cached_rows`")                                                                 \
    X("landing.cl", landing,                                                                                           \
      "the next tile, on its way into local memory", "`landing_zones` of 1")                                           \
    X("ranges.cl", ranges,                                                                                             \
      "ranges of tiles: drawn, reduced, scanned", "carries that wait, but for `lookahead` in order `persistent`")      \
    X("totals.cl", carry == CLSCAN_CARRY_LOOKAHEAD,                                                                    \
      "totals that tiles publish", "carry `lookahead`")                                                                \
    X("edges.cl", ahead,                                                                                               \
      "heads of inputs, shifted stores", "carry `lookahead` in order `persistent`")                                    \
    X("walker.cl", ahead,                                                                                              \
      "a work-group on its way through the tiles, and what it does where a total is missing", "the same")              \
    X("settle_prefix.cl", ahead && !reproducible,                                                                      \
      "`clscan_settle()`: what precedes a tile, as one value", "the same, but for reproducible plans")                 \
    X("settle_nodes.cl", ahead && reproducible,                                                                        \
      "`clscan_settle()`: what precedes a tile, as a stack of nodes", "the same, reproducible plans")                  \
    X("carry_lookahead_persistent.cl", ahead,                                                                          \
      "the kernel", "carry `lookahead` in order `persistent`")                                                         \
    X("carry_lookahead.cl", carry == CLSCAN_CARRY_LOOKAHEAD && !ahead,                                                 \
      "the kernel", "carry `lookahead` in order `dynamic`")                                                            \
    X("carry_adjacent.cl", carry == CLSCAN_CARRY_ADJACENT,                                                             \
      "`clscan_settle()`: what precedes a range, and its publication", "carry `adjacent`")                             \
    X("carry_lookback.cl", carry == CLSCAN_CARRY_LOOKBACK,                                                             \
      "the same", "carry `lookback`")                                                                                  \
    X("chained.cl", chained && !many,                                                                                  \
      "the kernel, for one range", "carries `adjacent` and `lookback`, orders `dynamic` and `static`")                 \
    X("chained_persistent.cl", chained && many,                                                                        \
      "the kernel, for many ranges", "carries `adjacent` and `lookback`, orders `persistent` and `cyclic`")            \
    X("carry_single.cl", carry == CLSCAN_CARRY_SINGLE,                                                                 \
      "the kernel", "carry `single`")                                                                                  \
    X("carry_scan_then_add.cl", carry == CLSCAN_CARRY_SCAN_THEN_ADD,                                                   \
      "the kernels", "carry `scan_then_add`")                                                                          \
    X("carry_reduce_then_scan.cl", carry == CLSCAN_CARRY_REDUCE_THEN_SCAN && !reproducible,                            \
      "the kernels", "carry `reduce_then_scan`")                                                                       \
    X("carry_reduce_then_scan_reproducible.cl", carry == CLSCAN_CARRY_REDUCE_THEN_SCAN && reproducible,                \
      "the kernels", "the same, reproducible plans")                                                                   \
    X("probe.cl", probes,                                                                                              \
      "the kernel of the start-up probe", "in its program")                                                            \
    X("empty.cl", true,                                                                                                \
      "the kernel for a count of 0", "always")
/* clang-format on */

enum {
#define X(file, when, gives, meaning) +1
    CLSCAN__KERNEL_FILE_COUNT = CLSCAN__KERNEL_FILE_LIST(X)
#undef X
};

/* The names, in order. */
extern const char *const clscan__kernel_files[CLSCAN__KERNEL_FILE_COUNT];

/* Which of them the program of `spec` consists of. */
void clscan__composition(const clscan__program_spec *spec, bool parts[CLSCAN__KERNEL_FILE_COUNT]);

#endif
