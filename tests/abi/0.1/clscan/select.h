/** \file select.h
 * Operation select: some of the elements, one after another, in their order (stream compaction).
 *
 * Kept are elements whose flag is not zero:
 *
 * \code
 * clscan_select select = {sizeof select, .flag_bytes = 1};
 * clscan_problem problem = {sizeof problem, CLSCAN_SELECT, CLSCAN_FLOAT, .max_count = 1000, .select = &select};
 * ...
 * clscan_selection selection = {sizeof selection, .flags = {.buffer = flags}};
 * clscan_run_args args = {sizeof args, .in.buffer = in, .out.buffer = out, .count = 1000, .total.buffer = kept,
 *                         .selection = &selection};
 * \endcode
 *
 * or those for which an expression is true:
 *
 * \code
 * clscan_map positive = {sizeof positive, .expression = "element > 0"};
 * clscan_problem problem = {sizeof problem, CLSCAN_SELECT, CLSCAN_FLOAT, .max_count = 1000, .load = &positive};
 * \endcode
 *
 * docs/select.md says more.
 */
#ifndef CLSCAN_SELECT_H
#define CLSCAN_SELECT_H

#include <stddef.h>
#include <stdint.h>

#include <clscan/memory.h>

#ifdef __cplusplus
extern "C" {
#endif

/** How a problem with operation select keeps elements, besides its maps. Set struct_size to sizeof(clscan_select), zero
 * what is not used.
 *
 * clscan_problem.load is the predicate: an element is kept where the expression is not 0. Without one, it is kept where
 * its flag is not 0, or if there are no flags, where the element itself is not. With both, both must hold. The
 * predicate may name `before`, the element in front in memory (the first element has itself): with
 * `index == 0 || element != before` the first of each run of equal elements is kept.
 * clscan_problem.store is what is written of a kept element: without one the element; `index` gives its position (then
 * clscan_problem.output is uint32 or uint64). The `sum` and the `previous` of the store map are the place to which it
 * is written.
 *
 * With `rejected` flags and predicate mean the opposite. Two selections make a partition: one of what is kept, and one
 * of the rest, whose initial value is the total of the first, so that it goes behind. */
typedef struct clscan_select {
    size_t struct_size;  /**< sizeof(clscan_select) */
    uint32_t flag_bytes; /**< of each flag in clscan_selection.flags, an integer: 1, 2, 4 or 8; 0: there are none */
    uint32_t flag_bits;  /**< 1: flags are bits, the lowest of a byte first, and flag_bytes is 0; else 0 */
    uint32_t rejected;   /**< 1: select what would be rejected, all the others; 0: what is kept */
    uint32_t long_runs;  /**< operation select: 1: what is kept begins runs, and only those of two and more elements
                              count; else 0 */
} clscan_select;

/** What a run with operation select has besides. Set struct_size to sizeof(clscan_selection), zero what is not used. */
typedef struct clscan_selection {
    size_t struct_size;  /**< sizeof(clscan_selection) */
    clscan_memory flags; /**< `count` integers of clscan_select.flag_bytes each, in the order of the elements, or as
                              many bits, whose offset counts bytes; they may be the input, or overlap it */
    uint64_t capacity;   /**< elements that clscan_run_args.out has room for; 0: clscan_run_args.count */
} clscan_selection;

#ifdef __cplusplus
}
#endif
#endif
