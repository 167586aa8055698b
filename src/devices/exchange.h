/* What travels between the devices of one run: host memory, and user events that hold those who wait for it.
 *
 * The sums arrive, one of each part but the last. If there are several, the first device combines them; then the
 * carries are written to the devices behind. Each step waits for a user event, and callbacks of the step before set it:
 * contexts share no events of their own. Every user event is set once, whatever fails. */
#ifndef CLSCAN_DEVICES_EXCHANGE_H
#define CLSCAN_DEVICES_EXCHANGE_H

#include <stddef.h>

#include "base/error.h"

typedef struct clscan__exchange clscan__exchange;

/* Of `count` sums, which become as many carries; `contexts` are those of the devices that get them. `combines` is the
 * context where they are combined; NULL: they are the carries as they are. The caller lets it go in the end. */
clscan_status clscan__exchange_create(size_t count, size_t value_bytes, const cl_context *contexts, cl_context combines,
                                      clscan__exchange **made, clscan_error *error);
void clscan__exchange_let_go(clscan__exchange *exchange); /* NULL does nothing */

/* Let all who wait fail, where that is not decided yet. */
void clscan__exchange_abandon(clscan__exchange *exchange);

/* What those wait for who combine, and who take carry `index`. */
cl_event clscan__exchange_sums_are_there(const clscan__exchange *exchange);
cl_event clscan__exchange_carry_is_there(const clscan__exchange *exchange, size_t index);

typedef enum clscan__exchange_step {
    CLSCAN__TAKE_SUM,     /* from a device */
    CLSCAN__GIVE_SUMS,    /* all, to where they are combined */
    CLSCAN__TAKE_CARRIES, /* all, from there */
    CLSCAN__GIVE_CARRY    /* to a device */
} clscan__exchange_step;

/* Enqueue the transfer of a step between `buffer`, from that byte on, and value `index`, or all.
 * *event is set whenever a command was enqueued, also if what comes behind that failed. */
clscan_status clscan__exchange_transfer(clscan__exchange *exchange, clscan__exchange_step step, size_t index,
                                        cl_command_queue queue, cl_mem buffer, size_t offset_bytes, cl_uint wait_count,
                                        const cl_event *wait_list, cl_event *event, clscan_error *error);

#endif
