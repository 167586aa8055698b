/* How much memory the host can still give. */
#ifndef CLSCAN_MEASURE_HOST_MEMORY_H
#define CLSCAN_MEASURE_HOST_MEMORY_H

#include "measure.h"

/* Bytes that can be had without swapping, by the kernel's estimate and the limit of the control group; UINT64_MAX where
 * neither is known. */
uint64_t measure_host_memory_bytes(void);

/* A sentence why a host with so much memory cannot serve `problem`, or NULL. In `note`. A host that promises memory
 * which it does not have ends the program later, without a word. */
const char *measure_host_obstacle(const clscan_device_info *info, const measure_problem *problem,
                                  uint64_t available_bytes, measure_note *note);

#endif
