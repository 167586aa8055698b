/* Log lines; see include/clscan/log.h for where they go. */
#ifndef CLSCAN_BASE_LOG_H
#define CLSCAN_BASE_LOG_H

#include <clscan/log.h>

#include "base/error.h"

/* Write one line, without a newline in `format`. Costs nothing but a comparison when the level is off. */
void clscan__log(clscan_log_level level, const char *format, ...) CLSCAN__PRINTF(2, 3);

/* Would a line of this level be written? For lines whose making costs something. */
int clscan__log_enabled(clscan_log_level level);

#endif
