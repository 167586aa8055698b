/* A worker: a process with a context of its own, which takes plan after plan. */
#ifndef CLSCAN_TESTS_SOAK_WORKER_H
#define CLSCAN_TESTS_SOAK_WORKER_H

#include "settings.h"
#include "shared.h"

/* Work until the end of settings. \return exit status: 0, also where something failed and was counted, or 2 if there is
 * no device. */
int soak_work(const soak_settings *settings, soak_shared *shared, soak_slot *slot);

#endif
