#include "fault_control.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
        find(handle, TEST_FAULT_CALLS_NAME, &control->calls))
        return 0;
    fprintf(stderr, "OPENCL_LAYERS must name clscan_fault_layer\n");
    return -1;
}
