#include "rotation.h"

#include <stdlib.h>

#include "case.h"

/* Pairs begin on pages. */
#define STEP_ALIGN_BYTES UINT64_C(4096)

struct measure_rotation {
    cl_command_queue queue;
    measure_problem problem;
    uint64_t step_bytes; /* from one input to the next, and from one output to the next */
    uint64_t pairs;
    uint64_t next;
    cl_mem inputs;
    cl_mem outputs;
    cl_mem source; /* of the pair in use; NULL before the first */
    cl_mem target;
};

static uint64_t aligned(const measure_device *device, uint64_t bytes)
{
    const uint64_t wanted = device->info.base_align_bytes;
    const uint64_t align = wanted > STEP_ALIGN_BYTES ? wanted : STEP_ALIGN_BYTES;

    return (bytes + align - 1) / align * align;
}

static uint64_t step_bytes(const measure_device *device, const measure_problem *problem)
{
    return aligned(device, measure_buffer_bytes(problem));
}

/* Copies move the elements of the input, where outputs are wider than they. Two pairs at least: a run must not find the
 * end of what the run before it has read or written. */
uint64_t measure_rotation_pairs(const measure_device *device, const measure_problem *problem)
{
    const uint64_t pair_bytes = 2 * aligned(device, problem->bytes);
    const uint64_t pairs = MEASURE_ROTATION_CACHES * device->cache_bytes / pair_bytes + 1;

    return pairs < 2 ? 2 : pairs;
}

uint64_t measure_rotation_bytes(const measure_device *device, const measure_problem *problem)
{
    return 2 * measure_rotation_pairs(device, problem) * step_bytes(device, problem);
}

/* Put `from` at each step of `to`: once, and then what is there behind itself. */
static bool fill(const measure_rotation *rotation, cl_mem from, cl_mem to, measure_note *note)
{
    const uint64_t end = rotation->pairs * rotation->step_bytes;

    MEASURE_TRY(note, clEnqueueCopyBuffer,
                (rotation->queue, from, to, 0, 0, measure_buffer_bytes(&rotation->problem), 0, NULL, NULL));
    for (uint64_t done = rotation->step_bytes; done < end; done *= 2) {
        const uint64_t left = end - done;

        MEASURE_TRY(note, clEnqueueCopyBuffer,
                    (rotation->queue, to, to, 0, done, done < left ? done : left, 0, NULL, NULL));
    }
    MEASURE_TRY(note, clFinish, (rotation->queue));
    return true;
}

measure_rotation *measure_rotation_create(const measure_case *c, measure_note *note)
{
    measure_rotation *rotation = calloc(1, sizeof *rotation);
    cl_int code;

    if (rotation == NULL) {
        measure_fail(note, "no host memory");
        return NULL;
    }
    rotation->queue = c->device->queue;
    rotation->problem = c->problem;
    rotation->step_bytes = step_bytes(c->device, &c->problem);
    rotation->pairs = measure_rotation_pairs(c->device, &c->problem);
    rotation->inputs =
        clCreateBuffer(c->device->context, CL_MEM_READ_WRITE, rotation->pairs * rotation->step_bytes, NULL, &code);
    if (code == CL_SUCCESS)
        rotation->outputs =
            clCreateBuffer(c->device->context, CL_MEM_READ_WRITE, rotation->pairs * rotation->step_bytes, NULL, &code);
    if (code != CL_SUCCESS) {
        measure_fail_opencl(note, "clCreateBuffer", code);
        goto failed;
    }
    /* Also where outputs are only written: memory that was never touched costs its first writer more. */
    if (!fill(rotation, c->source, rotation->outputs, note) || !fill(rotation, c->source, rotation->inputs, note))
        goto failed;
    return rotation;

failed:
    measure_rotation_destroy(rotation);
    return NULL;
}

static void release_pair(measure_rotation *rotation)
{
    if (rotation->source != NULL)
        clReleaseMemObject(rotation->source);
    if (rotation->target != NULL)
        clReleaseMemObject(rotation->target);
    rotation->source = rotation->target = NULL;
}

void measure_rotation_destroy(measure_rotation *rotation)
{
    if (rotation == NULL)
        return;
    release_pair(rotation);
    if (rotation->inputs != NULL)
        clReleaseMemObject(rotation->inputs);
    if (rotation->outputs != NULL)
        clReleaseMemObject(rotation->outputs);
    free(rotation);
}

/* The pair of the last run gets its input back now: when its turn comes again, it is out of the caches. */
static bool restore(const measure_rotation *rotation, measure_note *note)
{
    if (rotation->target == NULL || !rotation->problem.in_place)
        return true;
    MEASURE_TRY(note, clEnqueueCopyBuffer,
                (rotation->queue, rotation->source, rotation->target, 0, 0, measure_buffer_bytes(&rotation->problem), 0,
                 NULL, NULL));
    MEASURE_TRY(note, clFinish, (rotation->queue));
    return true;
}

bool measure_rotation_next(measure_rotation *rotation, measure_case *c, measure_note *note)
{
    const cl_buffer_region region = {.origin = rotation->next * rotation->step_bytes,
                                     .size = measure_buffer_bytes(&rotation->problem)};
    cl_int code;

    if (!restore(rotation, note))
        return false;
    release_pair(rotation);
    rotation->next = (rotation->next + 1) % rotation->pairs;
    rotation->source =
        clCreateSubBuffer(rotation->inputs, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &region, &code);
    if (code == CL_SUCCESS)
        rotation->target =
            clCreateSubBuffer(rotation->outputs, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &region, &code);
    if (code != CL_SUCCESS)
        return measure_fail_opencl(note, "clCreateSubBuffer", code);
    c->source = rotation->source;
    c->target = rotation->target;
    c->in = c->problem.in_place ? c->target : c->source;
    return true;
}
