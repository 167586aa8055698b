/** \file variant.h
 * A variant: one way to do a scan, as a tile body, a group scan, a carry, a tile order and their sizes.
 *
 * A parameter changes speed, never results (for float, double and half the grouping of the operands, and
 * with it the last bits, may differ between variants). These lists are the only place where the choices
 * and parameters are named: structs, JSON, kernel macros, checks, tools and docs come from them.
 */
#ifndef CLSCAN_VARIANT_H
#define CLSCAN_VARIANT_H

#include <stdint.h>

#include <clscan/device.h>
#include <clscan/export.h>
#include <clscan/problem.h>
#include <clscan/status.h>
#include <clscan/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/* clang-format off */
#define CLSCAN_BODY_LIST(X)                                                                                  \
    X(STRIDED,   strided,   "each work-item loads and scans its own row (StreamScan, figure 7)")             \
    X(COALESCED, coalesced, "3D matrix: thread groups transpose pieces through local memory (StreamScan, figure 8)") \
    X(MATRIX,    matrix,    "2D matrix: the whole work-group transposes, with work-group barriers (StreamScan, figure 3)") \
    X(SUBGROUP_ROWS, subgroup_rows, "rows of vectors in registers, scanned across sub-groups by shuffles (LightScan, algorithms 2 and 3)") \
    X(CACHED_ROWS, cached_rows, "CPUs: one work-item walks interleaved rows of a tile that stays in its core's cache")

#define CLSCAN_GROUP_SCAN_LIST(X)                                                                            \
    X(KOGGE_STONE, kogge_stone, "log2(n) steps, n log2(n) operations, double-buffered")                      \
    X(BRENT_KUNG,  brent_kung,  "2 log2(n) steps, 2n operations")                                             \
    X(SUBGROUP,    subgroup,    "shuffles inside sub-groups, then the sub-groups' totals; one barrier")

#define CLSCAN_CARRY_LIST(X)                                                                                 \
    X(SINGLE,           single,           "one work-group walks all tiles; one launch")                      \
    X(ADJACENT,         adjacent,         "each tile waits for its predecessor's prefix; 2N traffic, one launch (StreamScan, figure 5)") \
    X(REDUCE_THEN_SCAN, reduce_then_scan, "totals of ranges, then scans; 3N traffic, no waiting between work-groups") \
    X(SCAN_THEN_ADD,    scan_then_add,    "scans of ranges, then adds; 4N traffic, the textbook baseline")      \
    X(LOOKAHEAD,        lookahead,        "each work-group publishes its next tile's total, and combines all since its previous tile; 2N traffic, one launch") \
    X(LOOKBACK,         lookback,         "totals and prefixes of the ranges before are combined, back to the nearest prefix; 2N traffic, one launch (Merrill and Garland)") \
    X(REDUCE_THEN_COMBINE, reduce_then_combine, "of a reduction: totals of ranges, then one work-group combines them; N traffic, two launches") \
    X(LAST_COMBINES,    last_combines,    "of a reduction: totals of ranges, which the work-group that ends last combines; N traffic, one launch, no waiting") \
    X(ALL_TOTALS,       all_totals,       "each work-group publishes its tile's total, and combines all before it; for small counts; 2N traffic, one launch")

#define CLSCAN_ORDER_LIST(X)                                                                                 \
    X(NONE,    none,    "the carry has no order")                                                            \
    X(DYNAMIC, dynamic, "a ticket per work-group (StreamScan, figure 9)")                                    \
    X(STATIC,  static,  "the work-group's id is its tile; for measuring what tickets cost")                 \
    X(PERSISTENT, persistent, "a bounded number of work-groups; a new ticket for every range of tiles") \
    X(CYCLIC,  cyclic,  "of the G work-groups that can run at once, g takes the ranges g, g + G, ... (LightScan, algorithm 1)")

/* The axes of a variant:  field, JSON key and tool name   list */
#define CLSCAN_AXIS_LIST(X)         \
    X(body,       BODY)             \
    X(group_scan, GROUP_SCAN)       \
    X(carry,      CARRY)            \
    X(order,      ORDER)

/*    name                  min   max   steps   needed by        meaning */
#define CLSCAN_PARAM_LIST(X)                                                                                 \
    X(work_group_size,        1, 1024,  FINE,   ALWAYS,          "work-items per work-group; a power of two, or sub-groups with group scan subgroup") \
    X(vector_length,          1,   16,  POWERS, ALWAYS,          "elements per global load; a power of two")  \
    X(register_pieces,        0,  256,  FINE,   ON_CHIP_BODY,    "StreamScan's R: pieces of a row kept in registers") \
    X(local_pieces,           0, 8192,  DENSE,  ON_CHIP_BODY,    "StreamScan's L: pieces of a row kept in local memory") \
    X(thread_group_size,      8,   64,  POWERS, TRANSPOSED_BODY, "StreamScan's GS: work-items that load one row segment together") \
    X(cached_pieces,          1, 8192,  POWERS, CACHED_BODY,     "pieces of a row, all kept in a core's cache; a power of two") \
    X(interleaved_rows,       1,    8,  POWERS, CACHED_BODY,     "rows of a tile that are walked side by side; a power of two") \
    X(streaming_stores,       0,    1,  DENSE,  CACHED_BODY,     "1: outputs of a scan that is not in place go past the cache") \
    X(work_groups_per_unit,   1,   64,  DENSE,  BOUNDED_LAUNCH,  "work-groups launched per compute unit")     \
    X(tiles_per_work_group,   1,   64,  POWERS, CHAINED_CARRY,   "neighbouring tiles that a work-group takes at once; a power of two") \
    X(poll_delay,             0, 1024,  SPARSE, ORDERED_CARRY,   "steps of an idle loop between two polls of a waiting work-group") \
    X(landing_zones,          0,    1,  DENSE,  LANDING_BODY,    "tiles that are copied into local memory while another one is scanned")

/* Which values of a parameter a search looks at, of those from min to max. Of POWERS, no others are legal.
 *    name    values */
#define CLSCAN_STEPS_LIST(X)                                                                                 \
    X(POWERS, "2^k")                                                                                         \
    X(DENSE,  "min, 2^k and 3 2^k")                                                                          \
    X(FINE,   "min, and m 2^k with m from 1 to 15")                                                          \
    X(SPARSE, "min and 4^k")

/* What a legal variant keeps, in the order of asking: each may rely on those above it. A number never changes its
 * meaning; a device limit is what other devices may allow.
 *    name                  number  device limit  meaning */
#define CLSCAN_PREDICATE_LIST(X) \
    X(nothing_unknown,       1, 0, "no axis or parameter of a later version") \
    X(axis_value,            2, 0, "each axis has one of its values") \
    X(param_unused,          3, 0, "a parameter that nothing uses is 0") \
    X(param_range,           4, 0, "each parameter is between its least and its largest value") \
    X(power_of_two,          5, 0, "parameters that allow only powers of two have one") \
    X(network_size,          6, 0, "networks of a whole work-group need a power of two of work-items") \
    X(operation_carry,       7, 0, "a carry serves scans or reductions") \
    X(carry_order,           8, 0, "carries that take tiles in an order have one, others none") \
    X(totals_order,          9, 0, "lookahead needs order persistent, all_totals a work-group for each tile") \
    X(lookahead_body,       10, 0, "two tiles at once need body subgroup_rows") \
    X(rows_in_registers,    11, 0, "subgroup_rows has no local pieces, and group scan subgroup") \
    X(landing_vector,       12, 0, "landing zones need vectors of 16 bytes") \
    X(cached_work_group,    13, 0, "cached_rows has one work-item") \
    X(streaming_vector,     14, 0, "streaming stores need vectors of at least 4 elements") \
    X(tile_holds_elements,  15, 0, "a tile is not empty") \
    X(transmit_buffer,      16, 0, "bodies that transpose need a local piece") \
    X(thread_group_fits,    17, 0, "a thread group is no larger than its work-group") \
    X(vector_fits_row,      18, 0, "a vector is no longer than a thread group's row") \
    X(tile_limit,           19, 0, "most elements of a tile") \
    X(register_limit,       20, 0, "most bytes of registers of a work-item") \
    X(half_keeps_precision, 21, 0, "scan_then_add needs outputs that hold a sum") \
    X(plain_elements,       22, 0, "baselines serve scalars without maps; landing zones not every map and segment") \
    X(reproducible_carry,   23, 0, "carries and orders that keep the reproducible order") \
    X(reproducible_body,    24, 0, "bodies and shapes that keep the reproducible order") \
    X(reproducible_tile,    25, 0, "elements of a tile in the reproducible order") \
    X(no_sub_groups,        26, 1, "the device, or its user, has sub-group code switched off") \
    X(rows_compile,         27, 1, "the device's compiler takes body subgroup_rows") \
    X(work_group_limit,     28, 1, "the device has work-groups as large") \
    X(local_memory_limit,   29, 1, "the device has as much local memory") \
    X(sub_groups,           30, 1, "a work-group is a whole number of the device's sub-groups") \
    X(gathered_places,      38, 1, "places of what a sub-group gathers have 16 bits") \
    X(landing_copies,       31, 1, "the device has asynchronous copies") \
    X(streaming_device,     32, 1, "the device has streaming stores") \
    X(loop_turns,           33, 1, "the driver lets loops turn as often") \
    X(adjacent_mechanism,   34, 1, "work-groups of the device can communicate") \
    X(adjacent_progress,    35, 1, "work-groups that have started keep running") \
    X(adjacent_in_place,    36, 1, "a carry that waits has a fence at device scope in place") \
    X(last_combines_fence,  37, 1, "last_combines has a fence at device scope")
/* clang-format on */

/** How a work-group loads, keeps and stores its tile. */
#define X(name, text, meaning) CLSCAN_BODY_##name,
typedef enum clscan_body { CLSCAN_BODY_LIST(X) CLSCAN_BODY_COUNT } clscan_body;
#undef X
/** How row totals are scanned across a work-group. */
#define X(name, text, meaning) CLSCAN_GROUP_SCAN_##name,
typedef enum clscan_group_scan { CLSCAN_GROUP_SCAN_LIST(X) CLSCAN_GROUP_SCAN_COUNT } clscan_group_scan;
#undef X
/** How a tile learns what precedes it. */
#define X(name, text, meaning) CLSCAN_CARRY_##name,
typedef enum clscan_carry { CLSCAN_CARRY_LIST(X) CLSCAN_CARRY_COUNT } clscan_carry;
#undef X
/** Which work-group takes which tile. */
#define X(name, text, meaning) CLSCAN_ORDER_##name,
typedef enum clscan_order { CLSCAN_ORDER_LIST(X) CLSCAN_ORDER_COUNT } clscan_order;
#undef X

/** The parameters, by the names of their fields: CLSCAN_PARAM_work_group_size, ... */
#define X(name, min, max, steps, needed_by, meaning) CLSCAN_PARAM_##name,
typedef enum clscan_param { CLSCAN_PARAM_LIST(X) CLSCAN_PARAM_COUNT } clscan_param;
#undef X
/** Which values of a parameter a search looks at. */
#define X(name, values) CLSCAN_STEPS_##name,
typedef enum clscan_steps { CLSCAN_STEPS_LIST(X) CLSCAN_STEPS_COUNT } clscan_steps;
#undef X

/** What a legal variant keeps, by number: CLSCAN_PREDICATE_network_size, ... Programs go by these, and messages are for
 * people. */
#define X(name, number, device_limit, meaning) CLSCAN_PREDICATE_##name = (number),
typedef enum clscan_predicate {
    CLSCAN_PREDICATE_NONE = 0, /**< nothing is broken */
    CLSCAN_PREDICATE_LIST(X)
#undef X
        CLSCAN_PREDICATE_END /**< greater than every predicate's number */
} clscan_predicate;

/** Number of axes: 4. */
#define X(field, list) +1
enum { CLSCAN_AXIS_COUNT = 0 CLSCAN_AXIS_LIST(X) };
#undef X

/** One variant. A parameter that the body or the carry does not need is 0. A plain value whose size never changes: it
 * stands in other structs and in arrays. Compare and copy freely after initialising with `= {0}`. Later axes and
 * parameters take the places of reserved ones, and mean what was done before them where they are 0. */
typedef struct clscan_variant {
#define X(field, list) uint32_t field; /**< a value of the axis' enum */
    CLSCAN_AXIS_LIST(X)
#undef X
    uint32_t reserved_axes[8 - CLSCAN_AXIS_COUNT]; /**< 0 */
#define X(name, min, max, steps, needed_by, meaning) uint32_t name;
    CLSCAN_PARAM_LIST(X)
#undef X
    uint32_t reserved_params[24 - CLSCAN_PARAM_COUNT]; /**< 0 */
} clscan_variant;

/** Does the body or the carry of \p variant use \p param? Only the variant's axes matter. A parameter that is not
 * used must be 0. \return 1 or 0; 0 for an unknown parameter. Pure; thread-safe. */
CLSCAN_API int clscan_variant_needs(const clscan_variant *variant, clscan_param param);

/** Elements in one tile of \p variant. */
CLSCAN_API uint64_t clscan_variant_tile_count(const clscan_variant *variant);

/** Local memory of one work-group in bytes, for the elements of \p problem. StreamScan's LMS plus the group scan's
 * scratch, and with carry lookback what it sees of other tiles. On a device without shuffles, group scan subgroup takes
 * one accumulator per work-item more, twice with carry lookahead. 0 if one is NULL or \p problem is not valid. */
CLSCAN_API uint64_t clscan_variant_local_bytes(const clscan_variant *variant, const clscan_problem *problem);

/** Register bytes that hold elements, per work-group, for the elements of \p problem. StreamScan's RS. 0 if one is NULL
 * or \p problem is not valid. */
CLSCAN_API uint64_t clscan_variant_register_bytes(const clscan_variant *variant, const clscan_problem *problem);

/** Is \p variant legal for \p problem on \p device?
 *
 * \param variant   Not changed, not kept.
 * \param problem   Only operation, type, element, op and reproducible matter; max_count and custom may be missing.
 * \param in_place  1 if input and output may be the same memory.
 * \param device    NULL: check only what holds on every device.
 * \return CLSCAN_OK; CLSCAN_ERROR_ILLEGAL_VARIANT with the broken predicate, its name and the reason;
 *         CLSCAN_ERROR_DEVICE_LIMIT when only this device's limits forbid it; CLSCAN_ERROR_NULL_ARGUMENT;
 *         CLSCAN_ERROR_STRUCT_SIZE; CLSCAN_ERROR_INVALID_VALUE for an unknown operation, type or operator; that and
 *         CLSCAN_ERROR_UNSUPPORTED_TYPE for an element (clscan_plan_create()).
 *
 * Pure; thread-safe. */
CLSCAN_API clscan_status clscan_variant_check(const clscan_variant *variant, const clscan_problem *problem,
                                              int in_place, const clscan_device_info *device, clscan_error *error);

/** Write \p variant as one line, "strided+kogge_stone+adjacent+dynamic work_group_size=256 ...".
 * \return length of the whole text without its terminator, as snprintf does; \p text may be NULL if
 * \p size_bytes is 0. */
CLSCAN_API int clscan_variant_format(const clscan_variant *variant, char *text, size_t size_bytes);

/** Read what clscan_variant_format() writes. Axes and parameters that the variant needs must all be there.
 * \return CLSCAN_OK, or CLSCAN_ERROR_INVALID_VALUE naming the word; the rules between parameters are
 * clscan_variant_check()'s. */
CLSCAN_API clscan_status clscan_variant_parse(const char *text, clscan_variant *variant, clscan_error *error);

#ifdef __cplusplus
}
#endif
#endif
