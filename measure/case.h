/* The memory of a case: input, output, and the right answer. */
#ifndef CLSCAN_MEASURE_CASE_H
#define CLSCAN_MEASURE_CASE_H

#include "measure.h"

/* "add", or the name of a sample operator's function. Static. */
const char *measure_operator_name(const measure_problem *problem);

/* Of the source, and of the target: the elements, and those before them. */
uint64_t measure_buffer_bytes(const measure_problem *problem);

/* A sentence why the device cannot hold `problem` and `more_buffers` of its size, or NULL. Static, or in `note`. */
const char *measure_case_obstacle(const clscan_device_info *info, const measure_problem *problem, unsigned more_buffers,
                                  measure_note *note);

/* Where the device cannot compare (c->device_compares), `note` says why, and the host does it. */
bool measure_case_create(measure_device *device, const measure_problem *problem, measure_case *c, measure_note *note);
void measure_case_destroy(measure_case *c);

/* The first `count` elements of a case as a case of its own, on the same memory; not to be destroyed. The prefix of a
 * forward scan is the scan of the prefix. */
measure_case measure_case_prefix(const measure_case *c, uint64_t count);

/* Enqueue a copy from source to target. */
bool measure_case_reset(const measure_case *c, measure_note *note);

/* Reset or poison the target, run `contender` once, and compare all of the target with what it must be: the expected
 * output on the host, the source of a copy on the device. A wrong answer and a failure are left in its outcome and
 * note. */
void measure_case_validate(const measure_case *c, measure_contender *contender);

/* Compare all of the target with the expected output, on the host. False if it could not be read; *right is false,
 * and the first difference in `note`, if it is wrong. */
bool measure_case_compare(const measure_case *c, bool *right, measure_note *note);

/* For contenders on the host: a run on mapped memory, with the host's clock around it. */
bool measure_case_run_on_host(const measure_case *c, measure_contender *contender, uint64_t *nanoseconds);

#endif
