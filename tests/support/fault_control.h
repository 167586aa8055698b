/* The controls of the fault layer (fault_layer.h), for programs that run with OPENCL_LAYERS naming it. */
#ifndef CLSCAN_TESTS_FAULT_CONTROL_H
#define CLSCAN_TESTS_FAULT_CONTROL_H

#include "fault_layer.h"

typedef struct fault_control {
    test_fault_arm_function *arm;
    test_fault_disarm_function *disarm;
    test_fault_block_function *block;
    test_fault_lose_function *lose;
    test_fault_live_function *live;
    test_fault_calls_function *calls;
    test_fault_struck_function *struck;
    test_fault_struck_context_function *struck_context;
} fault_control;

/* Find them. Returns 0, or -1 after saying what is missing. */
int fault_control_open(fault_control *control);

/* "clCreateBuffer". */
const char *fault_call_name(test_fault_call call);

/* References to objects of each kind. */
typedef struct fault_balance {
    long live[TEST_FAULT_OBJECT_COUNT];
} fault_balance;

fault_balance fault_balance_take(const fault_control *control);

/* How many kinds have other numbers now; prints them after `when`. */
unsigned fault_balance_compare(const fault_control *control, const fault_balance *before, const char *when);

#endif
