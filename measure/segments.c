#include "segments.h"

#include <stdlib.h>

#include <generate.h>
#include <segments.h>

#define SEED 2u

/* The flags; returns how many are set. */
static uint64_t choose(const measure_problem *problem, unsigned char *heads)
{
    uint64_t segments = 0;

    for (uint64_t i = 0; i < problem->count; ++i)
        heads[i] = 0;
    for (uint64_t begin = 0; begin < problem->count; ++segments) {
        heads[begin] = 1;
        begin += 1 + clscan_generate_bits(SEED, segments) % (2 * problem->segment_length - 1);
    }
    return segments;
}

/* What says where they begin, as the problem wants it. */
static void say(const measure_problem *problem, const unsigned char *heads, unsigned char *said)
{
    const size_t unit_bytes = clscan_type_size_bytes(problem->segments.type);
    int64_t segment = -1;

    for (uint64_t i = 0; i < problem->count; ++i) {
        segment += heads[i];
        if (problem->segments.by == CLSCAN_BY_FLAGS)
            said[i] = heads[i];
        else if (problem->segments.by == CLSCAN_BY_BITS)
            said[i / 8] = (unsigned char)((i % 8 > 0 ? said[i / 8] : 0) | heads[i] << i % 8);
        else if (problem->segments.by == CLSCAN_BY_KEYS)
            clscan_value_store(problem->segments.type, clscan_value_from_int(problem->segments.type, segment),
                               said + i * unit_bytes);
        else if (heads[i])
            clscan_value_store(problem->segments.type, clscan_value_from_int(problem->segments.type, (int64_t)i),
                               said + (uint64_t)segment * unit_bytes);
    }
}

bool measure_segments_fill(measure_case *c, const clscan_reference *what, measure_note *note)
{
    const measure_problem *problem = &c->problem;
    const size_t unit_bytes = clscan_type_size_bytes(problem->segments.type);
    unsigned char *heads = malloc(problem->count), *said = NULL;
    clscan_status status = CLSCAN_ERROR_OUT_OF_MEMORY;
    cl_int code = CL_SUCCESS;
    uint64_t segments;

    if (heads == NULL)
        goto cleanup;
    segments = choose(problem, heads);
    c->offset_count = problem->segments.by == CLSCAN_BY_OFFSETS ? segments : 0;
    c->segment_bytes = problem->segments.by == CLSCAN_BY_OFFSETS ? segments * unit_bytes
                       : problem->segments.by == CLSCAN_BY_BITS  ? (problem->count + 7) / 8
                                                                 : problem->count * unit_bytes;
    said = malloc(c->segment_bytes);
    if (said == NULL)
        goto cleanup;
    say(problem, heads, said);
    c->segments =
        clCreateBuffer(c->device->context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, c->segment_bytes, said, &code);
    status = clscan_reference_scan_segments(what, c->expected, problem->count, heads, NULL, c->expected, NULL);

cleanup:
    free(heads);
    free(said);
    if (code != CL_SUCCESS)
        return measure_fail_opencl(note, "clCreateBuffer", code);
    return status == CLSCAN_OK || measure_fail(note, "%s", clscan_status_message(status));
}
