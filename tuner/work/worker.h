/* The process that touches OpenCL. Answers requests (protocol.h) until its stdin ends. */
#ifndef CLSCAN_TUNER_WORKER_H
#define CLSCAN_TUNER_WORKER_H

/* What `clscan-tune --worker [SELECTOR]` does, the selector as for clscan_device_find(); returns the exit code.
 *
 * Answers leave through what was stdout at the beginning; whatever drivers print goes to stderr from then on. When the
 * other end of stdin is closed the process ends within a second, even if a driver does not return. */
int tune_worker_run(const char *selector);

#endif
