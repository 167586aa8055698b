/* The controls of the fault layer (fault_layer.h), for programs that run with OPENCL_LAYERS naming it. */
#ifndef CLSCAN_TESTS_FAULT_CONTROL_H
#define CLSCAN_TESTS_FAULT_CONTROL_H

#include "fault_layer.h"

typedef struct fault_control {
    test_fault_arm_function *arm;
    test_fault_disarm_function *disarm;
    test_fault_live_function *live;
    test_fault_calls_function *calls;
} fault_control;

/* Find them. Returns 0, or -1 after saying what is missing. */
int fault_control_open(fault_control *control);

#endif
