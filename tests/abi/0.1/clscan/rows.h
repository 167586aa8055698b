/** \file rows.h
 * Many scans in one run: each row of a matrix, or each of many arrays of the same length, is a scan of its own.
 *
 * \code
 * clscan_rows rows = {sizeof rows, .count = 1000};                 // 1000 rows, one behind the other
 * clscan_problem problem = {sizeof problem, .type = CLSCAN_FLOAT, .max_count = 300, .rows = &rows};
 * ...
 * args.count = 300;                                                // elements of each row
 * \endcode
 */
#ifndef CLSCAN_ROWS_H
#define CLSCAN_ROWS_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Rows of a run, and how they lie in memory. Set struct_size to sizeof(clscan_rows), zero what is not used. */
typedef struct clscan_rows {
    size_t struct_size; /**< sizeof(clscan_rows) */
    uint64_t count;     /**< rows; of a problem the most that a run may have, at least 1; of a run 0 is valid */
    uint64_t in_pitch;  /**< elements from the begin of a row of the input to that of the next, at least those of a
                             row; 0: rows follow each other without a gap */
    uint64_t out_pitch; /**< the same of the output; what lies between rows is not written */
} clscan_rows;

#ifdef __cplusplus
}
#endif
#endif
