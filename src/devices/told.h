/* Messages about one of an array: "parts[2]: args->in is not a buffer". */
#ifndef CLSCAN_DEVICES_TOLD_H
#define CLSCAN_DEVICES_TOLD_H

#include <stddef.h>

#include "base/error.h"

#define CLSCAN__TOLD_BYTES 64

/* The culprit where the first device does something with the sums of all parts. */
#define CLSCAN__TOLD_SUMS "members[0], sums of the parts"

/* "parts[2]". */
void clscan__told_name(char name[CLSCAN__TOLD_BYTES], const char *array, size_t index);

/* Put the name of the culprit in front of the message of a failed call. Returns `status`. */
clscan_status clscan__told(const char *name, clscan_status status, clscan_error *error);

#endif
