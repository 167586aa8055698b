#include "fault_control.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cmocka_all.h"

/* ISO C has no cast from a data pointer to a function pointer. */
static int find(void *handle, const char *name, void *function)
{
    void *found = dlsym(handle, name);

    memcpy(function, &found, sizeof found);
    return found != NULL;
}

int fault_control_open(fault_control *control)
{
    const char *path = getenv("OPENCL_LAYERS");
    void *handle = path != NULL ? dlopen(path, RTLD_NOW) : NULL;

    if (handle != NULL && find(handle, TEST_FAULT_ARM_NAME, &control->arm) &&
        find(handle, TEST_FAULT_DISARM_NAME, &control->disarm) && find(handle, TEST_FAULT_LIVE_NAME, &control->live) &&
        find(handle, TEST_FAULT_LOSE_NAME, &control->lose) && find(handle, TEST_FAULT_BLOCK_NAME, &control->block) &&
        find(handle, TEST_FAULT_CALLS_NAME, &control->calls) &&
        find(handle, TEST_FAULT_STRUCK_NAME, &control->struck) &&
        find(handle, TEST_FAULT_STRUCK_CONTEXT_NAME, &control->struck_context))
        return 0;
    fprintf(stderr, "OPENCL_LAYERS must name clscan_fault_layer\n");
    return -1;
}

const char *fault_call_name(test_fault_call call)
{
    static const char *const names[TEST_FAULT_CALL_COUNT] = {
#define X(name) #name,
        TEST_FAULT_CALL_LIST(X)
#undef X
    };

    return names[call];
}

fault_balance fault_balance_take(const fault_control *control)
{
    fault_balance now;

    for (int i = 0; i < TEST_FAULT_OBJECT_COUNT; ++i)
        now.live[i] = control->live((test_fault_object)i);
    return now;
}

unsigned fault_balance_compare(const fault_control *control, const fault_balance *before, const char *when)
{
    static const char *const names[TEST_FAULT_OBJECT_COUNT] = {
#define X(name) #name,
        TEST_FAULT_OBJECT_LIST(X)
#undef X
    };
    fault_balance now = fault_balance_take(control);
    unsigned failures = 0;

    /* What callbacks of events hold, a thread of the driver's releases, perhaps behind the end of all commands. */
    for (int turn = 0; turn < 200 && memcmp(&now, before, sizeof now) != 0; ++turn) {
        nanosleep(&(struct timespec){.tv_nsec = 10 * 1000 * 1000}, NULL);
        now = fault_balance_take(control);
    }
    for (int i = 0; i < TEST_FAULT_OBJECT_COUNT; ++i) {
        if (now.live[i] != before->live[i]) {
            print_error("%s: %+ld references to %s objects\n", when, now.live[i] - before->live[i], names[i]);
            ++failures;
        }
    }
    return failures;
}
