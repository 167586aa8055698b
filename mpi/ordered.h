/* What a rank does on its own device where its problem is ordered: reproducible, and not the same in every grouping.
 * Not a sum of its part travels, but the values of the part's nodes (devices/nodes.h), and the initial value. */
#ifndef CLSCAN_MPI_ORDERED_H
#define CLSCAN_MPI_ORDERED_H

#include "rank.h"

clscan_status clscan__ordered_open(clscan__rank *rank, cl_device_id device, const clscan_problem *problem,
                                   const clscan_plan_options *options, clscan_error *error);
void clscan__ordered_close(clscan__rank *rank);

/* As clscan__rank_sum(), of a part that begins there. `values` has CLSCAN__PART_VALUES. */
clscan_status clscan__ordered_sum(const clscan__rank *rank, clscan__held *held, uint64_t first, void *values,
                                  cl_event *came, clscan_error *error);

/* The values of a rank. */
typedef const unsigned char *clscan__values_of(const void *context, size_t rank);

/* What all ranks tell each other of their runs. */
typedef struct clscan__place {
    uint64_t first; /* elements of the whole scan before those of all ranks */
    uint64_t count; /* of the rank's part */
} clscan__place;

/* Enqueue what makes the state, or the total alone, of all that comes before this rank's part, at the beginning of
 * `room`, which holds as many values as all ranks have, and a state. `places` are those of all ranks; `initial` is a
 * value on the host, NULL: there is none. *came as of clscan__rank_combine(). */
clscan_status clscan__ordered_combine(clscan__rank *rank, const clscan__held *held, const clscan__place *places,
                                      clscan__values_of *values_of, const void *context, const void *initial,
                                      unsigned char *room, cl_event *came, clscan_error *error);

/* As clscan__rank_scan(), of a part that begins at `first`, behind what has come to `room`. `is_last`: the last part
 * with elements, which leaves the state that the caller may want. */
clscan_status clscan__ordered_scan(clscan__rank *rank, const clscan__held *held, uint64_t first, const void *initial,
                                   const unsigned char *room, bool is_last, cl_event *event, clscan_error *error);

#endif
