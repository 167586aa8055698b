/* Parts of a reproducible scan that do not know what comes before them (docs/decisions/0013-reproducible-order.md). A
 * part tells the values of its nodes; those of all parts before one become the state with which it goes on. */
#ifndef CLSCAN_DEVICES_NODES_H
#define CLSCAN_DEVICES_NODES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "devices/bound.h"

/* Nodes of one part, its rest that is no whole block among them; and of a state. */
#define CLSCAN__MOST_PART_NODES 109u
#define CLSCAN__MOST_STATE_NODES 54u

/* So many elements, which begin at a multiple of that if they are whole blocks. */
typedef struct clscan__node {
    uint64_t first; /* elements of the whole scan before it */
    uint64_t count; /* of 2^k blocks; the last node of a scan may have fewer than one block */
} clscan__node;

/* Cut a part, which begins at a multiple of CLSCAN_REPRODUCIBLE_STEP, into nodes, in the order of the scan. Returns
 * their number. */
size_t clscan__nodes_of(uint64_t first, uint64_t count, clscan__node nodes[CLSCAN__MOST_PART_NODES]);

/* Values of one part that travel: the initial value, where the scan begins there, and nodes. */
#define CLSCAN__PART_VALUES (1 + CLSCAN__MOST_PART_NODES)

/* Enqueue what fills the values of the part that begins at `first`, in `values` from `index` on. `args` are those of
 * the reduction of the whole part, by the plan `sum`, with what begins the scan; there is one of the two. *summed is an
 * event of all. */
clscan_status clscan__nodes_sum(const clscan__bound_plan *sum, cl_command_queue queue, const clscan_run_args *args,
                                uint64_t first, bool reverse, size_t sum_bytes, cl_mem values, size_t index,
                                cl_uint wait_count, const cl_event *wait_list, cl_event *summed, clscan_error *error);

/* What parts before one come to: nodes of which each is smaller than the one below. */
typedef struct clscan__node_stack {
    uint64_t counts[CLSCAN__MOST_STATE_NODES + 1];
    size_t depth;
} clscan__node_stack;

/* Put the node behind all others on the stack. Returns how often the two at the top become one then. */
size_t clscan__node_stack_push(clscan__node_stack *stack, uint64_t count);

/* Where values of nodes become states: room on one device. */
typedef struct clscan__folder {
    clscan__bound_plan join; /* of two values */
    cl_mem stack;  /* values; in reverse scans from the end on, so that those of the scan are in memory order */
    cl_mem joined; /* one value */
    size_t sum_bytes;
    bool reverse;
} clscan__folder;

/* For a taken problem (element/problem.h) that is ordered. The queue is in-order, and that of all calls below. Destroy
 * it, also after a failure. */
clscan_status clscan__folder_create(cl_context context, cl_device_id device, cl_command_queue queue,
                                    const clscan_problem *problem, const clscan_plan_options *options,
                                    clscan__folder *made, clscan_error *error);
void clscan__folder_destroy(clscan__folder *folder);

/* Enqueue: put the node whose value stands in `values` at that index on the stack, whose values are the folder's. */
clscan_status clscan__folder_push(const clscan__folder *folder, cl_command_queue queue, clscan__node_stack *stack,
                                  uint64_t count, cl_mem values, size_t index, clscan_error *error);

/* Enqueue: write the stack as a state (clscan_run_args.state), from that value of `state` on. */
clscan_status clscan__folder_state(const clscan__folder *folder, cl_command_queue queue,
                                   const clscan__node_stack *stack, cl_mem state, size_t index, clscan_error *error);

/* Enqueue: combine an initial value, which stands in `initial` at that index, if that is not NULL, and the stack, which
 * is not empty, into one value, that of `total` at that index. The stack is used up. */
clscan_status clscan__folder_total(const clscan__folder *folder, cl_command_queue queue, clscan__node_stack *stack,
                                   cl_mem initial, size_t index, cl_mem total, size_t total_index, clscan_error *error);

#endif
