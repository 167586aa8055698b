#include "devices/pinned.h"

#include <stdatomic.h>
#include <stdlib.h>

struct clscan__pinned {
    cl_command_queue queue;
    cl_mem memory;
    unsigned char *bytes; /* NULL: not mapped */
    atomic_bool is_lent;
    atomic_uint holders;
};

clscan_status clscan__pinned_create(cl_context context, cl_command_queue queue, size_t size_bytes,
                                    clscan__pinned **made, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    clscan__pinned *pinned = calloc(1, sizeof *pinned);
    cl_int code;

    CLSCAN__REQUIRE(pinned != NULL, CLSCAN_ERROR_OUT_OF_MEMORY, "no memory for pinned memory");
    atomic_init(&pinned->is_lent, false);
    atomic_init(&pinned->holders, 1);
    CLSCAN__TRY_CL(clRetainCommandQueue, (queue));
    pinned->queue = queue;
    pinned->memory = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR, size_bytes, NULL, &code);
    if (code != CL_SUCCESS) {
        pinned->memory = NULL;
        status = clscan__error_opencl(error, "clCreateBuffer", code);
        goto cleanup;
    }
    pinned->bytes = clEnqueueMapBuffer(queue, pinned->memory, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0, size_bytes, 0,
                                       NULL, NULL, &code);
    if (code != CL_SUCCESS) {
        pinned->bytes = NULL;
        status = clscan__error_opencl(error, "clEnqueueMapBuffer", code);
        goto cleanup;
    }
    *made = pinned;
    pinned = NULL;

cleanup:
    clscan__pinned_release(pinned);
    return status;
}

/* A driver may keep a buffer that is mapped, and its context, for ever. A call that fails for want of something may
 * succeed the next time. */
static void unmap(clscan__pinned *pinned)
{
    if (clEnqueueUnmapMemObject(pinned->queue, pinned->memory, pinned->bytes, 0, NULL, NULL) != CL_SUCCESS)
        clEnqueueUnmapMemObject(pinned->queue, pinned->memory, pinned->bytes, 0, NULL, NULL);
    if (clFinish(pinned->queue) != CL_SUCCESS)
        clFinish(pinned->queue);
}

void clscan__pinned_release(clscan__pinned *pinned)
{
    if (pinned == NULL || atomic_fetch_sub(&pinned->holders, 1) > 1)
        return;
    if (pinned->bytes != NULL)
        unmap(pinned);
    if (pinned->memory != NULL)
        clReleaseMemObject(pinned->memory);
    if (pinned->queue != NULL)
        clReleaseCommandQueue(pinned->queue);
    free(pinned);
}

unsigned char *clscan__pinned_bytes(const clscan__pinned *pinned)
{
    return pinned->bytes;
}

bool clscan__pinned_borrow(clscan__pinned *pinned)
{
    if (pinned == NULL || atomic_exchange(&pinned->is_lent, true))
        return false;
    atomic_fetch_add(&pinned->holders, 1);
    return true;
}

void clscan__pinned_give_back(clscan__pinned *pinned)
{
    atomic_store(&pinned->is_lent, false);
    clscan__pinned_release(pinned);
}
