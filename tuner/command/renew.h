/* --renew-revisions: entries keep what was measured, and get the revisions of the kernels as they are now. For a change
 * of kernel text that alters nothing that was measured. */
#ifndef CLSCAN_TUNER_RENEW_H
#define CLSCAN_TUNER_RENEW_H

#include <stddef.h>

#include "command/settings.h"

/* Renew every file of the settings, and say how many revisions of each were stale. A file that cannot be renewed stays
 * as it is, its reason goes to stderr, and *failed counts it. Other errors concern the device. */
clscan_status tune_renew(const tune_settings *settings, size_t *failed, clscan_error *error);

#endif
