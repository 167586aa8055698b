/* The memory of a case: input, output, and the right answer. */
#ifndef CLSCAN_MEASURE_CASE_H
#define CLSCAN_MEASURE_CASE_H

#include "measure.h"

/* A sentence why the device or this machine cannot hold `problem`, or NULL. Static, or in `note`. */
const char *measure_case_obstacle(const measure_device *device, const measure_problem *problem, measure_note *note);

bool measure_case_create(measure_device *device, const measure_problem *problem, measure_case *c, measure_note *note);
void measure_case_destroy(measure_case *c);

/* Enqueue a copy from source to target. */
bool measure_case_reset(const measure_case *c, measure_note *note);

/* Reset or poison the target, run `contender` once, and compare all of the target with what it must be. A
 * wrong answer and a failure are left in its outcome and note. */
void measure_case_validate(const measure_case *c, measure_contender *contender);

/* For contenders on the host: a run on mapped memory, with the host's clock around it. */
bool measure_case_run_on_host(const measure_case *c, measure_contender *contender, uint64_t *nanoseconds);

#endif
