#include "guarded.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static clscan_status fail(clscan_error *error, clscan_status status, int cl_code, const char *what)
{
    if (error != NULL) {
        memset(error, 0, sizeof *error);
        error->status = status;
        error->cl_code = cl_code;
        if (cl_code != CL_SUCCESS)
            snprintf(error->message, sizeof error->message, "guarded buffer: %s: %s", what,
                     clscan_cl_error_name(cl_code));
        else
            snprintf(error->message, sizeof error->message, "guarded buffer: %s", what);
    }
    return status;
}

unsigned char clscan_guarded_canary(uint64_t position)
{
    /* Never 0, of no short period, and not a plausible element of a small test. */
    return (unsigned char)(0xa1u + (position * 29u) % 79u);
}

static void fill_canaries(unsigned char *bytes, uint64_t first, uint64_t count)
{
    for (uint64_t i = 0; i < count; ++i)
        bytes[i] = clscan_guarded_canary(first + i);
}

clscan_status clscan_guarded_create(cl_context context, cl_command_queue queue, cl_mem_flags flags,
                                    uint64_t payload_bytes, const void *payload, clscan_guarded *guarded,
                                    clscan_error *error)
{
    const uint64_t whole_bytes = payload_bytes + 2u * CLSCAN_GUARD_BYTES;
    clscan_guarded made = {0};
    unsigned char *whole = NULL;
    clscan_status status = CLSCAN_OK;
    cl_int code = CL_SUCCESS;

    whole = malloc((size_t)whole_bytes);
    made.image = malloc((size_t)payload_bytes + 1); /* never of size 0 */
    made.payload_bytes = payload_bytes;
    if (whole == NULL || made.image == NULL) {
        status = fail(error, CLSCAN_ERROR_OUT_OF_MEMORY, CL_SUCCESS, "host memory ran out");
        goto cleanup;
    }
    fill_canaries(whole, 0, whole_bytes);
    if (payload != NULL && payload_bytes > 0)
        memcpy(whole + CLSCAN_GUARD_BYTES, payload, (size_t)payload_bytes);
    memcpy(made.image, whole + CLSCAN_GUARD_BYTES, (size_t)payload_bytes);

    made.buffer = clCreateBuffer(context, flags, (size_t)whole_bytes, NULL, &code);
    if (code != CL_SUCCESS) {
        made.buffer = NULL;
        status = fail(error, CLSCAN_ERROR_OPENCL, code, "clCreateBuffer");
        goto cleanup;
    }
    code = clEnqueueWriteBuffer(queue, made.buffer, CL_TRUE, 0, (size_t)whole_bytes, whole, 0, NULL, NULL);
    if (code != CL_SUCCESS) {
        status = fail(error, CLSCAN_ERROR_OPENCL, code, "clEnqueueWriteBuffer");
        goto cleanup;
    }
    *guarded = made;
    made = (clscan_guarded){0}; /* now the caller's */

cleanup:
    clscan_guarded_destroy(&made);
    free(whole);
    return status;
}

uint64_t clscan_guarded_first(size_t element_bytes)
{
    return CLSCAN_GUARD_BYTES / element_bytes;
}

clscan_status clscan_guarded_read(const clscan_guarded *guarded, cl_command_queue queue, void *payload,
                                  uint64_t *damaged, clscan_error *error)
{
    const uint64_t whole_bytes = guarded->payload_bytes + 2u * CLSCAN_GUARD_BYTES;
    const uint64_t back = CLSCAN_GUARD_BYTES + guarded->payload_bytes;
    clscan_status status = CLSCAN_OK;
    unsigned char *whole = malloc((size_t)whole_bytes);

    if (whole == NULL)
        return fail(error, CLSCAN_ERROR_OUT_OF_MEMORY, CL_SUCCESS, "host memory ran out");
    const cl_int code =
        clEnqueueReadBuffer(queue, guarded->buffer, CL_TRUE, 0, (size_t)whole_bytes, whole, 0, NULL, NULL);
    if (code != CL_SUCCESS) {
        status = fail(error, CLSCAN_ERROR_OPENCL, code, "clEnqueueReadBuffer");
        goto cleanup;
    }
    *damaged = UINT64_MAX;
    for (uint64_t i = 0; i < whole_bytes; ++i) {
        if (i == CLSCAN_GUARD_BYTES)
            i = back;
        if (whole[i] != clscan_guarded_canary(i)) {
            *damaged = i;
            break;
        }
    }
    if (payload != NULL)
        memcpy(payload, whole + CLSCAN_GUARD_BYTES, (size_t)guarded->payload_bytes);

cleanup:
    free(whole);
    return status;
}

clscan_status clscan_guarded_unchanged(const clscan_guarded *guarded, cl_command_queue queue, uint64_t *changed,
                                       clscan_error *error)
{
    unsigned char *payload = malloc((size_t)guarded->payload_bytes + 1);
    clscan_status status;

    if (payload == NULL)
        return fail(error, CLSCAN_ERROR_OUT_OF_MEMORY, CL_SUCCESS, "host memory ran out");
    status = clscan_guarded_read(guarded, queue, payload, changed, error);
    for (uint64_t i = 0; status == CLSCAN_OK && *changed == UINT64_MAX && i < guarded->payload_bytes; ++i)
        if (payload[i] != guarded->image[i])
            *changed = CLSCAN_GUARD_BYTES + i;
    free(payload);
    return status;
}

void clscan_guarded_destroy(clscan_guarded *guarded)
{
    if (guarded->buffer != NULL)
        clReleaseMemObject(guarded->buffer);
    free(guarded->image);
    *guarded = (clscan_guarded){0};
}
