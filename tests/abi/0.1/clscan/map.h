/** \file map.h
 * Maps: what happens to elements when they are loaded, and to sums when they are stored, without a pass of its own.
 *
 * \code
 * clscan_map square = {sizeof square, .expression = "element * element"};
 * clscan_problem problem = {sizeof problem, .type = CLSCAN_FLOAT, .max_count = 1000, .load = &square};
 * \endcode
 *
 * docs/maps.md shows what they are good for.
 */
#ifndef CLSCAN_MAP_H
#define CLSCAN_MAP_H

#include <stddef.h>
#include <stdint.h>

#include <clscan/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Most further arguments of a problem, of both of its maps together. */
#define CLSCAN_MOST_MAP_ARGUMENTS 4u

/** Something of the caller's that a map uses besides the element: a number, a vector of OpenCL C, or a buffer of
 * either, which is read. Its value stands in clscan_run_args.map_arguments. Set struct_size to
 * sizeof(clscan_map_argument), zero what is not used. */
typedef struct clscan_map_argument {
    size_t struct_size; /**< sizeof(clscan_map_argument) */
    const char *name;   /**< by which the map calls it; none of the map's other names */
    clscan_type type;   /**< of the number, of a vector's lanes, or of the elements of the buffer; half only there */
    uint32_t lanes;     /**< of a vector: 2, 4, 8 or 16; 0 or 1: no vector */
    int is_buffer;      /**< 1: \p name is a `__global const` pointer to the elements behind the offset; 0: a value */
    uint32_t reserved;  /**< 0 */
    uint64_t count;     /**< elements that a buffer must have at least behind its offset, and that nothing in the run
                             may write to; 0: any number, and all of them */
} clscan_map_argument;

/** One map, for clscan_problem.load or .store; or what says when keys are equal, with other names (segments.h). Set
 * struct_size to sizeof(clscan_map), zero what is not used.
 *
 * \p expression is OpenCL C 1.2. It has these names, and those of its arguments:
 *
 * | name       | in    | is |
 * |------------|-------|----|
 * | `element`  | both  | the input's element; half is a float |
 * | `index`    | both  | its position in the run, in memory, from 0 on; a ulong; in a row, of the row |
 * | `sum`      | store | what the scan gives without a map, of the accumulator's type |
 * | `previous` | store | the sum before the element: in an exclusive scan the same as `sum` |
 *
 * The `previous` of the first element is the initial value, or else the identity; one of them must be there.
 *
 * The value of a load map becomes the accumulator's type, that of a store map the output's, as `return` in OpenCL C
 * converts it. A load map runs once or twice for an element, in any order. Maps read nothing but what they are given,
 * and write nothing.
 *
 * What a store map does not name, costs nothing: `previous` and `element` are kept beside each sum, in registers and
 * local memory. If no map names `element`, and there is a load map, there is no input at all: the load map generates
 * the elements from `index`, and a run has no clscan_run_args.in.
 *
 * The strings are copied when the plan is created. Names in them are free except those that begin with `clscan` or
 * `CLSCAN`; macros must be undefined at the end of \p source. It is compiled behind the sources of types and operator.
 * Compile errors carry the caller's line numbers, under the file name "load" or "store" for the expression, and "source
 * of load" or "source of store", where the compiler honours line directives. */
typedef struct clscan_map {
    size_t struct_size;                   /**< sizeof(clscan_map) */
    const char *expression;               /**< its value is the sum of an element, or the output of a sum; one
                                               expression, whose brackets are balanced, without a ';' outside of them */
    const char *source;                   /**< functions that it calls; NULL: none */
    const clscan_map_argument *arguments; /**< an array, each with the struct_size of the first; NULL: none */
    uint64_t argument_count;              /**< of \p arguments, at most CLSCAN_MOST_MAP_ARGUMENTS */
} clscan_map;

#ifdef __cplusplus
}
#endif
#endif
