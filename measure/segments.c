#include "segments.h"

#include <stdlib.h>
#include <string.h>

#include <generate.h>
#include <segments.h>

#define SEED 2u
#define EMPTY_SEED 3u

/* Elements of the next segment. By the power law each decade of lengths has as many elements as any other. */
static uint64_t length_of(const measure_problem *problem, uint64_t segment)
{
    const uint64_t bits = clscan_generate_bits(SEED, segment);

    return problem->power_law ? problem->segment_length / (1 + bits % problem->segment_length)
                              : 1 + bits % (2 * problem->segment_length - 1);
}

/* Does an empty segment stand in front of the one that begins at `i`? At every eighth place, but not behind a segment
 * of one element: sums never outnumber the elements that they are of. */
static bool is_empty_before(const measure_problem *problem, const unsigned char *heads, uint64_t i)
{
    return problem->power_law && problem->segments.by == CLSCAN_BY_OFFSETS && i > 0 && heads[i] && !heads[i - 1] &&
           clscan_generate_bits(EMPTY_SEED, i) % 8 == 0;
}

/* The flags; returns how many segments there are. */
static uint64_t choose(const measure_problem *problem, unsigned char *heads)
{
    uint64_t segments = 0, empty = 0;

    for (uint64_t i = 0; i < problem->count; ++i)
        heads[i] = 0;
    for (uint64_t begin = 0; begin < problem->count; ++segments) {
        heads[begin] = 1;
        empty += is_empty_before(problem, heads, begin);
        begin += length_of(problem, segments);
    }
    return segments + empty;
}

/* What says where they begin, as the problem wants it. */
static void say(const measure_problem *problem, const unsigned char *heads, unsigned char *said)
{
    const size_t unit_bytes = clscan_type_size_bytes(problem->segments.type);
    int64_t segment = -1;

    for (uint64_t i = 0; i < problem->count; ++i) {
        if (is_empty_before(problem, heads, i))
            clscan_value_store(problem->segments.type, clscan_value_from_int(problem->segments.type, (int64_t)i),
                               said + (uint64_t)++segment * unit_bytes);
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

/* A reduction's answer: the last of each segment's sums, and the identity of empty ones. */
static void keep_last(const measure_problem *problem, const clscan_reference *what, const unsigned char *heads,
                      unsigned char *sums)
{
    const size_t bytes = (size_t)measure_element_bytes(problem);
    clscan_value identity = {.bits = 0};
    uint64_t kept = 0;

    (void)clscan_reference_identity(what, &identity);
    for (uint64_t i = 0; i < problem->count; ++i) {
        if (i + 1 < problem->count && !heads[i + 1])
            continue;
        memmove(sums + kept++ * bytes, sums + i * bytes, bytes);
        if (i + 1 < problem->count && is_empty_before(problem, heads, i + 1))
            clscan_value_store(problem->type, identity, sums + kept++ * bytes);
    }
}

static bool create_buffers(measure_case *c, const unsigned char *said, measure_note *note)
{
    const cl_context context = c->device->context;
    const uint64_t key_bytes = measure_key_bytes(&c->problem);
    cl_int code;

    c->segments =
        clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, c->segment_bytes, (void *)said, &code);
    if (code == CL_SUCCESS && c->problem.reduces && c->problem.segments.by != CLSCAN_BY_OFFSETS)
        c->number = clCreateBuffer(context, CL_MEM_READ_WRITE, sizeof(uint64_t), NULL, &code);
    if (code == CL_SUCCESS && key_bytes > 0)
        c->keys = clCreateBuffer(context, CL_MEM_READ_WRITE, (size_t)key_bytes, NULL, &code);
    return code == CL_SUCCESS || measure_fail_opencl(note, "clCreateBuffer", code);
}

bool measure_segments_fill(measure_case *c, const clscan_reference *what, measure_note *note)
{
    measure_problem *problem = &c->problem;
    const size_t unit_bytes = clscan_type_size_bytes(problem->segments.type);
    const bool by_offsets = problem->segments.by == CLSCAN_BY_OFFSETS;
    unsigned char *heads = malloc(problem->count), *said = NULL;
    bool done = false;

    if (heads == NULL)
        goto cleanup;
    problem->segment_count = choose(problem, heads);
    /* n segments that are reduced have n + 1 offsets. */
    c->offset_count = by_offsets ? problem->segment_count + problem->reduces : 0;
    c->segment_bytes = by_offsets                               ? c->offset_count * unit_bytes
                       : problem->segments.by == CLSCAN_BY_BITS ? (problem->count + 7) / 8
                                                                : problem->count * unit_bytes;
    said = malloc(c->segment_bytes);
    if (said == NULL)
        goto cleanup;
    say(problem, heads, said);
    if (by_offsets && problem->reduces)
        clscan_value_store(problem->segments.type,
                           clscan_value_from_int(problem->segments.type, (int64_t)problem->count),
                           said + problem->segment_count * unit_bytes);
    if (!create_buffers(c, said, note))
        goto cleanup;
    done = clscan_reference_scan_segments(what, c->expected, problem->count, heads, NULL, c->expected, NULL) ==
               CLSCAN_OK ||
           measure_fail(note, "the reference has no such scan of segments");
    if (problem->reduces)
        keep_last(problem, what, heads, c->expected);

cleanup:
    if (heads == NULL || said == NULL)
        measure_fail(note, "no host memory for segments");
    free(heads);
    free(said);
    return done;
}
