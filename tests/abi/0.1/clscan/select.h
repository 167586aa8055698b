/** \file select.h
 * Operations select and repeat: some of the elements, one after another, in their order (stream compaction); or each of
 * them as many times as a length says (run-length decoding).
 *
 * A selection keeps the elements whose flag is not zero:
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
 * Further columns of a table, each an array of its own, follow the same decision:
 *
 * \code
 * uint32_t bytes[] = {8, 2};
 * clscan_select select = {sizeof select, .flag_bytes = 1, .column_bytes = bytes, .column_count = 2};
 * ...
 * clscan_column columns[] = {{{.buffer = dates}, {.buffer = kept_dates}}, {{.buffer = ages}, {.buffer = kept_ages}}};
 * clscan_selection selection = {sizeof selection, .flags = {.buffer = flags}, .columns = columns};
 * \endcode
 *
 * In a partition, all others go behind what is kept:
 *
 * \code
 * clscan_select select = {sizeof select, .flag_bytes = 1, .rest = CLSCAN_REST_BEHIND};
 * \endcode
 *
 * or, in a partition in three, go behind it in two parts, for which the expression says 2 and anything else:
 *
 * \code
 * clscan_map part = {sizeof part, .expression = "element < 40 ? 1 : element == 40 ? 2 : 3"};
 * clscan_select select = {sizeof select, .rest = CLSCAN_REST_THREE_WAY};
 * \endcode
 *
 * With lengths, the first of each run of equal elements is kept, and how long that is (run-length encoding):
 *
 * \code
 * clscan_map first = {sizeof first, .expression = "index == 0 || element != before"};
 * clscan_select select = {sizeof select, .length_bytes = 4};
 * clscan_problem problem = {sizeof problem, CLSCAN_SELECT, CLSCAN_FLOAT, .max_count = 1000, .load = &first,
 *                           .select = &select};
 * ...
 * clscan_selection selection = {sizeof selection, .lengths = {.buffer = lengths}};
 * \endcode
 *
 * and with long_runs, of runs of two and more elements only (non-trivial runs), with where they begin:
 *
 * \code
 * clscan_select select = {sizeof select, .length_bytes = 4, .index_bytes = 4, .long_runs = 1};
 * \endcode
 *
 * With operation repeat, each element has a length, and is written so many times, one after another:
 *
 * \code
 * clscan_select select = {sizeof select, .length_bytes = 4};
 * clscan_problem problem = {sizeof problem, CLSCAN_REPEAT, CLSCAN_FLOAT, .max_count = 1000, .select = &select};
 * ...
 * clscan_selection selection = {sizeof selection, .lengths = {.buffer = lengths}, .capacity = 4000};
 * clscan_run_args args = {sizeof args, .in.buffer = runs, .out.buffer = out, .count = 1000, .total.buffer = written,
 *                         .selection = &selection};
 * \endcode
 *
 * docs/select.md and docs/repeat.md say more.
 */
#ifndef CLSCAN_SELECT_H
#define CLSCAN_SELECT_H

#include <stddef.h>
#include <stdint.h>

#include <clscan/memory.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What becomes of the elements that a selection does not keep. */
typedef enum clscan_rest {
    CLSCAN_REST_DROPPED,  /**< nothing */
    CLSCAN_REST_APART,    /**< they go to clscan_selection.rest, from its begin on */
    CLSCAN_REST_BEHIND,   /**< they go behind the last one that is kept, in the same output */
    CLSCAN_REST_THREE_WAY /**< the same in two parts: those in the middle, then all others */
} clscan_rest;

/** Most columns of a selection besides its input. */
#define CLSCAN_MOST_COLUMNS 8u

/** How a problem with operation select keeps elements, besides its maps, or one with operation repeat repeats them. Set
 * struct_size to sizeof(clscan_select), zero what is not used.
 *
 * clscan_problem.load is the predicate: an element is kept where the expression is not 0. Without one, it is kept where
 * its flag is not 0, or if there are no flags, where the element itself is not. With both, both must hold. The
 * predicate may name `before`, the element in front in memory (the first element has itself): with
 * `index == 0 || element != before` the first of each run of equal elements is kept.
 * clscan_problem.store is what is written of a kept element: without one the element; `index` gives its position (then
 * clscan_problem.output is uint32 or uint64). The `sum` and the `previous` of the store map are the place to which it
 * is written.
 *
 * With `rejected` flags and predicate mean the opposite.
 *
 * With `rest` a selection is a partition, in one pass: what is not kept is written as well, in its order, through the
 * same store map. Apart, it goes to an output of its own, which the number kept does not move. Behind, it goes to the
 * same output as what is kept, and so do its columns and indices. Then the number kept must be known first: a launch
 * before the others counts it, which reads flags and what else the predicate asks for once more.
 *
 * CLSCAN_REST_THREE_WAY is a partition in three: the predicate is an integer, 1 for elements that are kept, 2 for those
 * that go behind them, in the middle, and any other number for those that go to the end; each in their order.
 * There are no flags (an argument of the predicate may be a buffer with them), nothing is `rejected`, runs have no
 * initial value, and max_count is below 2^32. The accumulator is uint64, and clscan_run_args.total receives two
 * uint32 in the place of one: how many are kept, and behind it how many are in the middle. It costs what a partition
 * with the rest behind does: the count before reads what the predicate asks for once more, and elements are moved once.
 *
 * Columns are further arrays, whose elements are kept where the element of the input is: bytes are moved, and no map
 * sees them. Where nothing is kept, nothing of them is read.
 *
 * Lengths say for each kept element how many elements there are from it, itself included, to the next kept one, or to
 * the end of the input. With `index == 0 || element != before` they are those of runs of equal elements, and operation
 * repeat makes the input again of both. Elements in front of the first one that is kept belong to none. A length of
 * 2^32 or more needs 8 bytes; in 4 it is cut to its lowest 32 bits.
 *
 * With `long_runs` flags and predicate say where runs begin, and the first element of each run of two or more is kept
 * (non-trivial runs). A run also begins at the first element of all, whatever they say. Then lengths are those of these
 * runs, up to where the next run of any length begins: what stands between belongs to shorter ones. Columns, indices
 * and store maps are those of first elements. Runs have no initial value, and `rest` is 0.
 *
 * With `in_place` outputs may be where their inputs are: clscan_run_args.out at the first element of
 * clscan_run_args.in, if both have as many bytes, and each column at its own; each of them for itself. What is kept is
 * written to scratch memory and moved back when all has been read, so the workspace has room for `max_count` elements
 * of each of these outputs, and what is kept is moved twice more. Elements behind the last one written stay what they
 * were.
 *
 * Operation repeat writes each element as many times as its length says, which may be 0: `length_bytes` of unsigned
 * integers in clscan_selection.lengths, or the differences of one offset more than there are elements. An offset that
 * is smaller than the one before makes a length that no output has room for. Elements of every type and columns are
 * moved as bytes, so the device need not know the type. There are neither flags nor a load map; the only store map is
 * `index`, which gives the position of each element (then clscan_problem.output is uint32 or uint64, and there is no
 * input). */
typedef struct clscan_select {
    size_t struct_size;  /**< sizeof(clscan_select) */
    uint32_t flag_bytes; /**< of each flag in clscan_selection.flags, an integer: 1, 2, 4 or 8; 0: there are none */
    uint32_t flag_bits;  /**< 1: flags are bits, the lowest of a byte first, and flag_bytes is 0; else 0 */
    uint32_t rejected;   /**< 1: select what would be rejected, all the others; 0: what is kept */
    uint32_t long_runs;  /**< operation select: 1: what is kept begins runs, and only those of two and more elements
                              count; else 0 */
    const uint32_t *column_bytes; /**< of each column's elements: 1 to CLSCAN_MOST_ELEMENT_BYTES; NULL: there are no
                                       columns. Copied by the plan. */
    uint32_t column_count;        /**< of \p column_bytes, at most CLSCAN_MOST_COLUMNS */
    uint32_t index_bytes;  /**< of each index in clscan_selection.indices: 4 or 8; 0: they are not wanted beside what is
                                kept */
    uint32_t length_bytes; /**< of each length in clscan_selection.lengths, an unsigned integer: 1, 2, 4 or 8 with
                                operation repeat, which reads them, 4 or 8 with operation select, which writes them; 0
                                with operation select: they are not wanted */
    uint32_t by_offsets;   /**< operation repeat: 1: there are `count` + 1 offsets, of length_bytes each, and lengths
                                are their differences; else 0 */
    clscan_rest rest;      /**< operation select: what becomes of elements that are not kept; those that go apart have
                                neither columns nor indices, and those that go anywhere no lengths; else 0 */
    uint32_t in_place;     /**< operation select: 1: runs may have outputs where their inputs are, for which the
                                workspace has room; 0: they may not */
} clscan_select;

/** Where a column of a selection is, and where what is kept of it goes. */
typedef struct clscan_column {
    clscan_memory in;  /**< `count` elements, which are read; columns may overlap each other, the input and flags, if
                            they are not in place */
    clscan_memory out; /**< as many as clscan_run_args.out; nothing else of the run overlaps it; with
                            clscan_select.in_place it may be \p in: then nothing else overlaps that either */
} clscan_column;

/** What a run with operation select or repeat has besides. Set struct_size to sizeof(clscan_selection), zero what is
 * not used. */
typedef struct clscan_selection {
    size_t struct_size;  /**< sizeof(clscan_selection) */
    clscan_memory flags; /**< `count` integers of clscan_select.flag_bytes each, in the order of the elements, or as
                              many bits, whose offset counts bytes; they may be the input, or overlap it, if that is
                              not in place */
    uint64_t capacity;   /**< elements that clscan_run_args.out has room for, and every other output but \p rest; 0:
                              clscan_run_args.count, which is the most in place. Operation repeat that counts in uint32
                              takes less than 2^32 - 1. */
    const clscan_column *columns; /**< clscan_select.column_count columns; NULL: there are none */
    clscan_memory indices;  /**< receives the indices of what is kept, each of clscan_select.index_bytes; none: they
                                       are not wanted */
    clscan_memory lengths;  /**< operation repeat: `count` lengths, or `count` + 1 offsets; they may be the input, or
                                overlap it. Operation select: receives the lengths of what is kept, each of
                                clscan_select.length_bytes, from a buffer that kernels may also read; nothing else of
                                the run overlaps it */
    clscan_memory rest;     /**< of a plan with CLSCAN_REST_APART: receives what is not kept, of the type of
                                 clscan_run_args.out; nothing else of the run overlaps it; else none */
    uint64_t rest_capacity; /**< elements that \p rest has room for; 0: clscan_run_args.count; without \p rest 0 */
} clscan_selection;

#ifdef __cplusplus
}
#endif
#endif
