/* Selections in place: an output that is where its input is goes to scratch memory of the workspace first, from which
 * cl/selection/in_place.cl moves it. Outputs are numbered: 0 is that of the elements, 1 + i that of column i. */
#ifndef CLSCAN_ENGINE_IN_PLACE_H
#define CLSCAN_ENGINE_IN_PLACE_H

#include "element/problem.h"

#define CLSCAN__MOVE_BACK_KERNEL "clscan_move_back"

/* Of an element of an output that may be in place; 0: it may not, or there is none. */
uint32_t clscan__in_place_element_bytes(const clscan_problem *problem, uint32_t output);

/* The first element of an output's scratch memory, counted from the begin of a buffer in which that of all outputs
 * begins at byte `scratch_bytes`. It lies to vectors as element `like` of the input does, and there is room for
 * `max_count` elements. */
uint64_t clscan__in_place_first(const clscan_problem *problem, uint32_t output, uint64_t scratch_bytes, uint64_t like);

/* Scratch memory of all outputs; 0: none is in place. UINT64_MAX: more than can be addressed. */
uint64_t clscan__in_place_bytes(const clscan_problem *problem);

#endif
