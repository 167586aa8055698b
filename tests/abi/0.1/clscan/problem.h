/** \file problem.h
 * What to scan: the one struct that every function takes which asks about a scan.
 */
#ifndef CLSCAN_PROBLEM_H
#define CLSCAN_PROBLEM_H

#include <stddef.h>
#include <stdint.h>

#include <clscan/element.h>
#include <clscan/map.h>
#include <clscan/rows.h>
#include <clscan/segments.h>
#include <clscan/select.h>
#include <clscan/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What to scan. Set struct_size to sizeof(clscan_problem), zero what is not used: zero means the ordinary thing.
 *
 * Input, accumulator and output may be of different types: counts of uint8 that are summed up and written as uint64,
 * floats that are summed up in double and written as float, or, by maps, structs of the caller's that are made of
 * numbers. An element becomes an accumulator before it is combined, and a sum an output when it is written; initial
 * value and total have the accumulator's type. Where there is no map, scalars are converted as OpenCL C does it, and
 * other types are the same on both sides; then the accumulator is no narrower than the input of its kind, and a
 * floating-point number becomes no integer. The accumulator is never half. A plan of different types, or with maps, is
 * not measured at first use, and not reproducible where its sums depend on their grouping. In place, input and output
 * have the same size. Operation reduce has neither output nor store map: its value is an accumulator, of rows
 * one for each. Operations select and repeat count in uint32, or uint64 if that is the accumulator or max_count needs
 * it.
 *
 * Offsets from counts are an exclusive scan and its total. They wrap around silently where they pass what the
 * accumulator holds, and only then an offset of unsigned numbers is smaller than the one before. An accumulator of
 * uint64 makes that impossible in practice; with an output of uint32 the total, which has the accumulator's type, then
 * says whether all offsets are right: they are if it is below 2^32.
 *
 * Functions that only ask (clscan_config_explain(), clscan_variant_check(), ...) do so before there is a plan: there
 * max_count and custom may be missing. */
typedef struct clscan_problem {
    size_t struct_size;         /**< sizeof(clscan_problem) */
    clscan_operation operation; /**< 0 is CLSCAN_SCAN */
    clscan_type type;           /**< of elements, if \p element is NULL; else not looked at */
    clscan_operator op;         /**< an associative operator */
    clscan_form form;           /**< inclusive or exclusive; operation reduce has neither: 0 */
    clscan_direction direction; /**< forward or reverse */
    int reproducible; /**< 1: floating-point results have the same bits whatever runs them, see clscan_run(); else 0 */
    const clscan_custom_operator *custom; /**< with op == CLSCAN_CUSTOM; else NULL. Copied by the plan. */
    uint64_t max_count;                   /**< largest count that a run may have, of each row; at least 1 */
    const clscan_element *element; /**< elements that are no scalars; NULL: `type` says it. Copied by the plan. */
    const clscan_rows *rows; /**< many scans in one run, the most rows of one; NULL: one scan. Copied by the plan. */
    const clscan_element *accumulator; /**< what is combined, see above; NULL: the output's type, float for half.
                                            Copied. */
    const clscan_element *output;      /**< what is written; NULL: the type of the input. Copied. */
    const clscan_map *load;            /**< makes an accumulator of an element; NULL: a conversion. Copied. */
    const clscan_map *store;           /**< makes an output of a sum; NULL: a conversion. Copied. */
    uint64_t count_bytes; /**< 4 or 8: each run finds its count in device memory, an unsigned integer of so many bytes
                               (clscan_run_args.device_count), of rows that of each of them; 0: the host gives it */
    const clscan_segments *segments; /**< where scans or reductions begin anew; NULL: one. Copied by the plan. */
    const clscan_select *select;     /**< of operations select and repeat: flags, lengths; NULL: neither. Copied by the
                                          plan. */
} clscan_problem;

/** Class of the operator of \p problem on its elements; CLSCAN_OPERATOR_CLASS_COUNT if there is none: \p problem is
 * NULL, has no struct_size, or its type or operator is no valid number. Pure; thread-safe. */
CLSCAN_API clscan_operator_class clscan_operator_class_of(const clscan_problem *problem);

#ifdef __cplusplus
}
#endif
#endif
