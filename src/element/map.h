/* Maps of the caller's. */
#ifndef CLSCAN_ELEMENT_MAP_H
#define CLSCAN_ELEMENT_MAP_H

#include <stdbool.h>

#include <clscan/problem.h>

#include "base/error.h"

/* A caller's map as the library takes it. */
typedef struct clscan__map_room {
    clscan_map map;
    clscan_map_argument arguments[CLSCAN_MOST_MAP_ARGUMENTS];
} clscan__map_room;

/* Check a map, which is not NULL, and let *map point to a copy in `room`. `what` names it in messages: "problem->load".
 * `names` are those that its expression has from us, NULL behind the last. */
clscan_status clscan__map_take(const clscan_map **map, clscan__map_room *room, const char *what,
                               const char *const *names, clscan_error *error);

/* Is `name`, of what `what` says in messages, none of the names that `map` has from us? */
clscan_status clscan__map_lacks(const char *map, const char *const *names, const char *what, const char *name,
                                clscan_error *error);

/* Everything below is about a taken problem (element/problem.h). */

/* Does its store map name `previous`? */
bool clscan__problem_keeps_previous(const clscan_problem *problem);
/* Does the predicate of its selection name `before`? */
bool clscan__problem_sees_before(const clscan_problem *problem);

/* Does its store map name `element`? */
bool clscan__problem_keeps_element(const clscan_problem *problem);

/* Is its store map nothing but `element`, or `index`? */
bool clscan__problem_gives_element(const clscan_problem *problem);
bool clscan__problem_gives_index(const clscan_problem *problem);

/* Does its load map make elements of `index` alone, so that there is no input? */
bool clscan__problem_generates(const clscan_problem *problem);

/* Arguments of both maps, those of the load map first. */
uint64_t clscan__problem_argument_count(const clscan_problem *problem);
const clscan_map_argument *clscan__problem_argument(const clscan_problem *problem, uint64_t index);
size_t clscan__map_argument_bytes(const clscan_map_argument *argument); /* of a value, or of a buffer's element */

#endif
