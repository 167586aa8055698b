/* The thread of a group that serves the exchanges of its runs, one after the other.
 *
 * It waits for events. Callbacks would need no thread, but are not called for commands that fail: PoCL 3.1 and
 * rusticl (Mesa 22.3) do so, and the devices that need a failed one's sum would wait for ever. */
#ifndef CLSCAN_DEVICES_COURIER_H
#define CLSCAN_DEVICES_COURIER_H

#include "devices/exchange.h"

typedef struct clscan__courier clscan__courier;

clscan_status clscan__courier_create(clscan__courier **made, clscan_error *error);

/* It ends when it has served what it has; waits for that only if it has nothing. NULL does nothing. */
void clscan__courier_dismiss(clscan__courier *courier);

/* Hand over an exchange. */
void clscan__courier_send(clscan__courier *courier, clscan__exchange *exchange);

#endif
