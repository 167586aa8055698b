/* Restrictions of a search space, as the option --only takes them:
 *
 *     body=coalesced|strided,carry=adjacent,work_group_size=64:256,register_pieces=0|1|5
 *
 * A name is that of an axis or a parameter, or local_bytes or register_bytes (StreamScan's LMS and RS, which bound
 * the pieces of both kinds). Values are separated by '|'; a:b are the searched values from a to b; a single number
 * may be one that searches do not look at by themselves. */
#ifndef CLSCAN_TUNER_ONLY_H
#define CLSCAN_TUNER_ONLY_H

#include "space/space.h"

/* Restrict the axis values, parameters and bounds of `space`, whose points are not counted yet.
 * CLSCAN_ERROR_INVALID_VALUE names the part that is wrong and what it may be. */
clscan_status tune_only_apply(tune_space *space, const char *only, clscan_error *error);

#endif
