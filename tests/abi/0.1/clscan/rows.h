/** \file rows.h
 * Many scans in one run: each row of a matrix, each of many arrays of the same length, or a tensor along an axis.
 *
 * \code
 * clscan_rows rows = {sizeof rows, .count = 1000};                 // 1000 rows, one after another
 * clscan_problem problem = {sizeof problem, .type = CLSCAN_FLOAT, .max_count = 300, .rows = &rows};
 * ...
 * args.count = 300;                                                // elements of each row
 * \endcode
 *
 * The columns of a matrix of 1000 rows of 300 elements, which is the axis 0 of two:
 *
 * \code
 * clscan_rows rows = {sizeof rows, .dimensions = 2, .axis = 0, .extents = {1000, 300}};
 * clscan_problem problem = {sizeof problem, .type = CLSCAN_FLOAT, .max_count = 1000, .rows = &rows};
 * ...
 * args.count = 1000;
 * \endcode
 *
 * 301 offsets for each of 1000 rows of 300 lengths, by an exclusive scan whose type is the accumulator's:
 *
 * \code
 * clscan_rows rows = {sizeof rows, .count = 1000, .out_pitch = 301, .total_pitch = 301};
 * ...
 * args.out = (clscan_memory){.buffer = offsets};
 * args.total = (clscan_memory){.buffer = offsets, .offset = 300};
 * \endcode
 */
#ifndef CLSCAN_ROWS_H
#define CLSCAN_ROWS_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Dimensions that a tensor may have. */
#define CLSCAN_MOST_DIMENSIONS 5

/** Rows of a run, and how they lie in memory. Set struct_size to sizeof(clscan_rows), zero what is not used.
 *
 * With `dimensions` they are those of a tensor along `axis`; then pitches are 0, and count may be. Without, `axis`,
 * `extents` and all strides are 0.
 * The extent of the axis is the count of a run, and the largest count of a problem. The scans are
 * numbered by the other indices, the last one of them the fastest; that is the order of initial values, and of totals
 * unless total_strides say otherwise.
 * Strides that are all 0 are those of a tensor without gaps whose last index is the fastest.
 *
 * Totals may stand in gaps of the output, or of the input. So an exclusive scan whose outputs have room for one more in
 * each row writes n + 1 offsets for rows of n elements: out_pitch and total_pitch are n + 1, and the first total stands
 * right behind the first row. In reverse it stands in front of it. */
typedef struct clscan_rows {
    size_t struct_size;  /**< sizeof(clscan_rows) */
    uint64_t count;      /**< rows; of a problem the most that a run may have, at least 1; of a run 0 is valid */
    uint64_t in_pitch;   /**< elements from the start of a row of the input to that of the next, at least those of a
                             row; 0: rows follow each other without a gap */
    uint64_t out_pitch;  /**< the same of the output; what lies between rows is not written */
    uint32_t dimensions; /**< of a tensor, 1 to CLSCAN_MOST_DIMENSIONS; 0: rows as above */
    uint32_t axis;       /**< along which it is scanned, from 0 for the first on */
    uint64_t extents[CLSCAN_MOST_DIMENSIONS];     /**< elements along each dimension */
    uint64_t in_strides[CLSCAN_MOST_DIMENSIONS];  /**< elements from one index to the next in the input; may be 0 or
                                                       overlap, if not in place */
    uint64_t out_strides[CLSCAN_MOST_DIMENSIONS]; /**< the same in the output, where no two elements may meet */
    uint64_t initial_pitch; /**< of a run with an initial value in a buffer: values from that of a row to that of the
                                 next, in the order of totals; 0: one serves all rows */
    uint64_t count_bytes; /**< of a problem, 4 or 8: each run finds the number of its rows in device memory, an unsigned
                               integer of so many bytes at clscan_run_args.device_row_count, and `count` is the most
                               that it may have; not with dimensions. 0: `count` is the number. Not looked at in a
                               run's rows */
    uint64_t total_pitch; /**< of a run with a total: values from that of a row to that of the next; 0: they stand side
                               by side; not with dimensions */
    uint64_t total_strides[CLSCAN_MOST_DIMENSIONS]; /**< the same of a tensor: values from one index to the next; the
                                                         axis has none, and what stands there is not looked at. All
                                                         0: totals stand side by side */
} clscan_rows;

#ifdef __cplusplus
}
#endif
#endif
