#include "check_structs.h"

#include <inttypes.h>
#include <stdlib.h>

#include "command_line/failure.h"

/* Elements that are compared at once. */
#define BLOCK_COUNT ((uint64_t)1 << 18)

#define ELEMENT_TEXT_BYTES 160

/* It has a queue of its own: the scan's belongs to another thread. */
static clscan_status prepare(struct_checker *c, clscan_form form, clscan_direction direction, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const size_t bytes = (size_t)BLOCK_COUNT * c->type->size_bytes;
    measure_note note = {""};
    cl_int code;

    if (c->is_ready)
        return status;
    c->serial = (measure_serial){.context = c->context,
                                 .device = c->device,
                                 .element = &c->type->element,
                                 .custom = &c->type->custom,
                                 .form = form,
                                 .direction = direction};
    c->serial.queue = clCreateCommandQueue(c->context, c->device, 0, &code);
    if (code != CL_SUCCESS)
        return fail_opencl(error, "clCreateCommandQueue", code);
    c->in = clCreateBuffer(c->context, CL_MEM_READ_ONLY, bytes, NULL, &code);
    if (code == CL_SUCCESS)
        c->out = clCreateBuffer(c->context, CL_MEM_READ_WRITE, bytes, NULL, &code);
    if (code != CL_SUCCESS)
        return fail_opencl(error, "clCreateBuffer", code);
    c->expected = malloc(bytes);
    REQUIRE(c->expected != NULL, CLSCAN_ERROR_OUT_OF_MEMORY, "no host memory to check the result");
    REQUIRE(measure_serial_prepare(&c->serial, &note), CLSCAN_ERROR_OPENCL, "--check: %s", note.text);
    c->is_ready = true;

cleanup:
    return status;
}

static clscan_status compare(struct_checker *c, const unsigned char *in, const unsigned char *got, uint64_t first,
                             uint64_t count, clscan_error *error)
{
    const size_t bytes = c->type->size_bytes;
    char wanted_text[ELEMENT_TEXT_BYTES], got_text[ELEMENT_TEXT_BYTES];

    for (uint64_t i = 0; i < count; ++i) {
        const uint64_t at = c->serial.direction == CLSCAN_FORWARD ? i : count - 1 - i;
        const unsigned char *wanted = c->expected + at * bytes, *seen = got + at * bytes;

        element_widen(c->type, in + at * bytes, &c->scale);
        element_widen(c->type, wanted, &c->scale);
        if (element_same(c->type, wanted, seen, &c->scale))
            continue;
        element_print(c->type, wanted, wanted_text, sizeof wanted_text);
        element_print(c->type, seen, got_text, sizeof got_text);
        return fail(error, CLSCAN_ERROR_OPENCL,
                    "the result is wrong: element %" PRIu64 " should be %s by the serial scan, and is %s", first + at,
                    wanted_text, got_text);
    }
    return CLSCAN_OK;
}

static clscan_status check_block(struct_checker *c, const unsigned char *in, const unsigned char *got, uint64_t first,
                                 uint64_t count, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const size_t bytes = (size_t)count * c->type->size_bytes;
    const cl_command_queue queue = c->serial.queue;
    measure_note note = {""};

    TRY_CL(clEnqueueWriteBuffer, (queue, c->in, CL_TRUE, 0, bytes, in, 0, NULL, NULL));
    REQUIRE(measure_serial_next(&c->serial, c->in, 0, count, c->out, &note), CLSCAN_ERROR_OPENCL, "--check: %s",
            note.text);
    TRY_CL(clEnqueueReadBuffer, (queue, c->out, CL_TRUE, 0, bytes, c->expected, 0, NULL, NULL));
    TRY(compare(c, in, got, first, count, error));

cleanup:
    return status;
}

clscan_status check_structs(struct_checker *c, clscan_form form, clscan_direction direction, bool begins,
                            const void *initial, const void *in, const void *got, uint64_t first, uint64_t count,
                            clscan_error *error)
{
    clscan_status status;
    measure_note note = {""};

    TRY(prepare(c, form, direction, error));
    if (begins) {
        REQUIRE(measure_serial_begin(&c->serial, initial, &note), CLSCAN_ERROR_OPENCL, "--check: %s", note.text);
        c->scale = (element_scale){{0}};
        if (initial != NULL)
            element_widen(c->type, initial, &c->scale);
    }
    for (uint64_t done = 0; done < count;) {
        const uint64_t block = count - done < BLOCK_COUNT ? count - done : BLOCK_COUNT;
        const uint64_t at = direction == CLSCAN_FORWARD ? done : count - done - block;
        const size_t at_bytes = (size_t)at * c->type->size_bytes;

        TRY(check_block(c, (const unsigned char *)in + at_bytes, (const unsigned char *)got + at_bytes, first + at,
                        block, error));
        done += block;
    }

cleanup:
    return status;
}

void check_structs_release(struct_checker *c)
{
    measure_serial_release(&c->serial);
    if (c->in != NULL)
        clReleaseMemObject(c->in);
    if (c->out != NULL)
        clReleaseMemObject(c->out);
    if (c->serial.queue != NULL)
        clReleaseCommandQueue(c->serial.queue);
    free(c->expected);
    *c = (struct_checker){0};
}
