/* Names in what a caller writes: which are free, and which are ours. */
#ifndef CLSCAN_ELEMENT_NAMES_H
#define CLSCAN_ELEMENT_NAMES_H

#include <stdbool.h>

#include "base/error.h"

/* Is it a name in OpenCL C, and none of ours or of the language's, unless it may be a type of that? `culprit` says in
 * messages what it is. */
clscan_status clscan__check_identifier(const char *culprit, const char *name, bool may_be_type, clscan_error *error);

/* Are there no names of ours in this source, comments and strings aside? */
clscan_status clscan__check_reserved(const char *culprit, const char *source, clscan_error *error);

/* Is it one expression, which is not empty and has no names of ours? */
clscan_status clscan__check_expression(const char *culprit, const char *expression, clscan_error *error);

/* The first word or type of the language that this source gives to something, as a field: one that a ';', ',' or '['
 * follows outside of round brackets, preprocessing directives aside. NULL: none. */
const char *clscan__misused_name(const char *source, size_t *length_bytes);

/* The first macro that this source defines and does not undefine behind that. NULL: none. */
const char *clscan__macro_left(const char *source, size_t *length_bytes);

/* Does this source use that name for anything but a member? Comments and strings aside. */
bool clscan__names(const char *source, const char *name);

#endif
