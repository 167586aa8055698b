/* What `clscan doctor` tries on a device, each in a child of its own. */
#ifndef CLSCAN_TOOLS_DOCTOR_CHECKS_H
#define CLSCAN_TOOLS_DOCTOR_CHECKS_H

#include <stdbool.h>

#include "doctor_child.h"

typedef enum check_kind {
    CHECK_RUN,       /* a small scan by the check's variant */
    CHECK_COMPILE,   /* the check's variant, compiled with the check's mechanism */
    CHECK_PROBE,     /* the start-up probe */
    CHECK_CONFIGURED /* what the configs choose for the check's type: what programs need */
} check_kind;

typedef struct check {
    const char *name;
    check_kind kind;
    const char *variant;
    clscan_mechanism mechanism;
    clscan_type type;
    bool custom; /* an operator in OpenCL C source */
} check;

extern const check checks[];
extern const size_t check_count;

/* A check of one device. */
typedef struct check_request {
    const check *what;
    size_t device; /* position in the list of devices */
    bool no_sub_groups;
    bool no_waiting;
} check_request;

/* Of a check_request. */
attempt_function check_run;

/* Of a selector (const char *), which may be NULL: number is how many devices there are, or the position of the one
 * that it selects. */
attempt_function check_find_devices;

/* Of a position (const size_t *): text names the device and its driver. */
attempt_function check_name_device;

#endif
