#include "case.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <generate.h>
#include <reference.h>

#include "check.h"
#include "common/clock.h"
#include "data.h"
#include "device.h"
#include "difference.h"
#include "element.h"
#include "maps.h"
#include "rows.h"
#include "segments.h"
#include "serial.h"

#define FLAGS_SEED 7u
#define ELEMENT_TEXT_BYTES 160
#define READ_CHUNK_BYTES (UINT64_C(16) << 20)

static uint64_t bytes_before(const measure_problem *problem, uint64_t offset)
{
    return offset * measure_element_bytes(problem);
}

static uint64_t bytes_before_output(const measure_problem *problem)
{
    return problem->out_offset * measure_output_element_bytes(problem);
}

/* What is written may be wider than what is read, or longer. */
static uint64_t expected_bytes(const measure_problem *problem)
{
    const uint64_t bytes = problem->maps != NULL ? measure_output_bytes(problem) : 0;
    const uint64_t input_bytes = measure_input_span_bytes(problem);

    return bytes > input_bytes ? bytes : input_bytes;
}

uint64_t measure_buffer_bytes(const measure_problem *problem)
{
    const uint64_t in_bytes = measure_input_span_bytes(problem) + bytes_before(problem, problem->in_offset);
    const uint64_t out_bytes = expected_bytes(problem) + bytes_before_output(problem);

    return in_bytes > out_bytes ? in_bytes : out_bytes;
}

static bool looks_at_bits(const measure_problem *problem)
{
    return problem->selects == MEASURE_SELECTS_BY_PREDICATE || problem->selects == MEASURE_DIVIDES;
}

const char *measure_case_obstacle(const clscan_device_info *info, const measure_problem *problem, unsigned more_buffers,
                                  measure_note *note)
{
    const bool is_cpu = info->device_class == CLSCAN_DEVICE_CLASS_CPU;
    uint64_t buffer_bytes, needed;

    if (looks_at_bits(problem) && (problem->element != NULL || clscan_reference_is_floating(problem->type)))
        return "the predicate looks at the lowest bits of integers";
    if ((problem->selects == MEASURE_SELECTS_WHERE || problem->selects == MEASURE_FINDS_RUNS) &&
        (problem->element != NULL || clscan_reference_is_floating(problem->type) ||
         clscan_type_size_bytes(problem->type) != sizeof(cl_uint)))
        return "indices are integers of 4 bytes";
    if (problem->count > UINT64_MAX / 32 || problem->bytes > SIZE_MAX / 4 ||
        (problem->rows.count > 0 && problem->rows.in_pitch > SIZE_MAX / 32 / problem->rows.count))
        return "too large for any memory";
    /* Source and target, and an eighth for the workspace; a CPU's memory also holds the expected output. */
    buffer_bytes = measure_buffer_bytes(problem);
    needed = buffer_bytes * ((is_cpu ? 3 : 2) + more_buffers) + buffer_bytes / 8 + measure_flag_bytes(problem);
    if (buffer_bytes > info->max_allocation_bytes) {
        measure_fail(note, "a buffer of %" PRIu64 " MiB exceeds the device's largest, %" PRIu64 " MiB",
                     buffer_bytes >> 20, info->max_allocation_bytes >> 20);
        return note->text;
    }
    if (needed > info->global_memory_bytes) {
        measure_fail(note, "needs %" PRIu64 " MiB, the device has %" PRIu64 " MiB", needed >> 20,
                     info->global_memory_bytes >> 20);
        return note->text;
    }
    return NULL;
}

const char *measure_operator_name(const measure_problem *problem)
{
    if (problem->sample != NULL)
        return problem->sample->custom.function;
    return problem->element != NULL && problem->op == CLSCAN_CUSTOM ? problem->element->custom.function
                                                                    : clscan_operator_name(problem->op);
}

/* Nobody can guess it. */
static bool is_chosen(const measure_problem *problem, uint64_t index)
{
    return clscan_generate_bits(FLAGS_SEED, problem->cluster > 0 ? index / problem->cluster : index) % 1000 <
           problem->per_mille;
}

/* Elements that are not chosen repeat the one in front. Chosen ones that happen to equal it, as a type may have few
 * values, are those of the run before that. */
static void make_runs(const measure_problem *problem, unsigned char *elements)
{
    const uint64_t size = measure_element_bytes(problem);
    const unsigned char *other = elements;

    for (uint64_t i = 1; i < problem->count; ++i) {
        unsigned char *element = elements + i * size;
        const unsigned char *front = element - size;

        if (!is_chosen(problem, i))
            memcpy(element, front, (size_t)size);
        else if (memcmp(element, front, (size_t)size) == 0)
            memcpy(element, other, (size_t)size);
        if (memcmp(element, front, (size_t)size) != 0)
            other = front;
    }
}

/* The first of each run becomes the expected output. What is written lies at or before what is still read. */
static void keep_unique(measure_case *c)
{
    measure_problem *problem = &c->problem;
    const uint64_t size = measure_element_bytes(problem);
    unsigned char *elements = c->expected;

    problem->kept_count = 1;
    for (uint64_t i = 1; i < problem->count; ++i) {
        const unsigned char *last = elements + (problem->kept_count - 1) * size;

        if (memcmp(elements + i * size, last, (size_t)size) != 0)
            memmove(elements + problem->kept_count++ * size, elements + i * size, (size_t)size);
    }
}

/* Where runs of two and more begin becomes the expected output, of which each is written behind what is read next. */
static void find_long_runs(measure_case *c)
{
    measure_problem *problem = &c->problem;
    const uint64_t size = measure_element_bytes(problem);
    unsigned char *elements = c->expected;

    for (uint64_t i = 0, end; i < problem->count; i = end) {
        const cl_uint index = (cl_uint)i;

        for (end = i + 1;
             end < problem->count && memcmp(elements + i * size, elements + end * size, (size_t)size) == 0;)
            ++end;
        if (end - i > 1)
            memcpy(elements + problem->kept_count++ * size, &index, sizeof index);
    }
}

/* The expected output is what runs are decoded to: its runs become the input. */
static bool fill_runs(measure_case *c, measure_note *note)
{
    measure_problem *problem = &c->problem;
    const uint64_t size = measure_element_bytes(problem);
    const unsigned char *elements = c->expected;
    unsigned char *firsts = malloc((size_t)problem->bytes);
    uint32_t *lengths = malloc((size_t)problem->count * sizeof *lengths);
    cl_int code = CL_SUCCESS;

    for (uint64_t i = 0; firsts != NULL && lengths != NULL && i < problem->count; ++i) {
        if (i == 0 || memcmp(elements + i * size, elements + (i - 1) * size, (size_t)size) != 0) {
            memcpy(firsts + problem->kept_count * size, elements + i * size, (size_t)size);
            lengths[problem->kept_count++] = 0;
        }
        ++lengths[problem->kept_count - 1];
    }
    if (problem->kept_count > 0)
        c->flags = clCreateBuffer(c->device->context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR,
                                  (size_t)problem->kept_count * sizeof *lengths, lengths, &code);
    if (problem->kept_count > 0 && code == CL_SUCCESS)
        code = clEnqueueWriteBuffer(c->device->queue, c->source, CL_TRUE, 0, (size_t)(problem->kept_count * size),
                                    firsts, 0, NULL, NULL);
    free(firsts);
    free(lengths);
    if (code != CL_SUCCESS)
        return measure_fail_opencl(note, "clCreateBuffer", code);
    return problem->kept_count > 0 || measure_fail(note, "no host memory for runs");
}

/* Where the lowest byte of an integer stands. */
static uint64_t lowest_byte(uint64_t size)
{
    const unsigned one = 1;

    return *(const unsigned char *)&one == 1 ? 0 : size - 1;
}

/* Those that are chosen become odd, the others even. */
static void make_odd(const measure_problem *problem, unsigned char *elements)
{
    const uint64_t size = measure_element_bytes(problem);

    for (uint64_t i = 0; i < problem->count; ++i) {
        unsigned char *byte = elements + i * size + lowest_byte(size);

        *byte = (unsigned char)((*byte & ~1u) | is_chosen(problem, i));
    }
}

/* The odd ones become the expected output; of three parts, the others behind them. */
static bool keep_odd(measure_case *c, measure_note *note)
{
    measure_problem *problem = &c->problem;
    const uint64_t size = measure_element_bytes(problem);
    const bool divides = problem->selects == MEASURE_DIVIDES;
    unsigned char *elements = c->expected, *even = divides ? malloc((size_t)problem->bytes) : NULL;
    uint64_t even_count = 0, at;

    if (divides && even == NULL)
        return measure_fail(note, "no host memory for parts");
    for (uint64_t i = 0; i < problem->count; ++i) {
        if (is_chosen(problem, i))
            memmove(elements + problem->kept_count++ * size, elements + i * size, (size_t)size);
        else if (divides)
            memcpy(even + even_count++ * size, elements + i * size, (size_t)size);
    }
    at = problem->kept_count;
    for (unsigned rest = 0; rest < 2; ++rest)
        for (uint64_t i = 0; i < even_count; ++i)
            if ((even[i * size + lowest_byte(size)] & 2) == (rest ? 0 : 2))
                memcpy(elements + at++ * size, even + i * size, (size_t)size);
    free(even);
    return true;
}

/* What is kept of element i, or of row i of a table. */
static void keep(measure_problem *problem, unsigned char *elements, uint64_t i)
{
    const uint64_t size = measure_element_bytes(problem);
    const cl_uint index = (cl_uint)i;

    for (uint32_t j = 0; j < measure_column_count(problem->selects); ++j) {
        unsigned char *column = elements + j * problem->count * size;

        memmove(column + problem->kept_count * size,
                problem->selects == MEASURE_SELECTS_WHERE ? (const unsigned char *)&index : column + i * size,
                (size_t)size);
    }
    ++problem->kept_count;
}

/* What lies behind what is kept of a column: in place it stays what the input has there. */
static void spoil_ends(const measure_problem *problem, unsigned char *elements)
{
    const uint64_t size = measure_element_bytes(problem), kept = problem->kept_count;
    const uint32_t columns = measure_column_count(problem->selects);

    for (uint32_t j = 0; columns > 1 && !problem->in_place && j < columns; ++j)
        memset(elements + (j * problem->count + kept) * size, MEASURE_SPOILED_BYTE,
               (size_t)((problem->count - kept) * size));
}

/* What flags keep becomes the expected output; of a partition, the rest behind it. */
static bool fill_flags(measure_case *c, measure_note *note)
{
    measure_problem *problem = &c->problem;
    const uint64_t size = measure_element_bytes(problem);
    const bool bits = problem->selects == MEASURE_SELECTS_BY_BITS;
    const size_t flag_bytes = (size_t)measure_flag_bytes(problem);
    const bool partitions = problem->selects == MEASURE_PARTITIONS;
    unsigned char *elements = c->expected, *flags = calloc(flag_bytes, 1),
                  *rest = partitions ? malloc((size_t)problem->bytes) : NULL;
    uint64_t rest_bytes = 0;
    cl_int code;

    if (flags == NULL || (partitions && rest == NULL)) {
        free(flags);
        free(rest);
        return measure_fail(note, "no host memory for flags");
    }
    for (uint64_t i = 0; i < problem->count; ++i) {
        if (!is_chosen(problem, i)) {
            if (partitions)
                memcpy(rest + rest_bytes, elements + i * size, (size_t)size);
            rest_bytes += size;
            continue;
        }
        flags[bits ? i / 8 : i] |= (unsigned char)(1u << (bits ? i % 8 : 0));
        keep(problem, elements, i);
    }
    if (partitions)
        memcpy(elements + problem->kept_count * size, rest, (size_t)rest_bytes);
    spoil_ends(problem, elements);
    code = clEnqueueWriteBuffer(c->device->queue, c->flags, CL_TRUE, 0, flag_bytes, flags, 0, NULL, NULL);
    free(rest);
    free(flags);
    return code == CL_SUCCESS || measure_fail_opencl(note, "clEnqueueWriteBuffer", code);
}

static bool has_runs(const measure_problem *problem)
{
    return problem->selects == MEASURE_SELECTS_UNIQUE || measure_gives_lengths(problem->selects) ||
           problem->selects == MEASURE_REPEATS;
}

/* Where the lengths of runs go. */
static bool create_lengths(measure_case *c, measure_note *note)
{
    const uint64_t bytes = measure_key_bytes(&c->problem);
    cl_int code;

    c->keys =
        clCreateBuffer(c->device->context, CL_MEM_READ_WRITE, bytes > 0 ? (size_t)bytes : sizeof(cl_uint), NULL, &code);
    return code == CL_SUCCESS || measure_fail_opencl(note, "clCreateBuffer", code);
}

/* Elements that the host cannot combine are scanned from source to target. */
static bool scan_elements(measure_case *c, measure_note *note)
{
    const measure_problem *problem = &c->problem;
    measure_serial serial = {.context = c->device->context,
                             .device = c->device->id,
                             .queue = c->device->queue,
                             .element = &problem->element->element,
                             .custom = &problem->element->custom,
                             .form = problem->form,
                             .direction = problem->direction};
    cl_int code = CL_SUCCESS;
    bool done;

    if (measure_element_is_on_host(problem->element)) {
        measure_element_scan(problem, c->expected);
        return true;
    }
    done = measure_serial_prepare(&serial, note) && measure_serial_begin(&serial, NULL, note) &&
           measure_serial_next(&serial, c->source, problem->in_offset, problem->count, c->target, note);
    if (done)
        code = clEnqueueReadBuffer(c->device->queue, c->target, CL_TRUE, 0, problem->bytes, c->expected, 0, NULL, NULL);
    measure_serial_release(&serial);
    return done && (code == CL_SUCCESS || measure_fail_opencl(note, "clEnqueueReadBuffer", code));
}

static bool upload(const measure_case *c, const void *elements, measure_note *note)
{
    const measure_problem *problem = &c->problem;

    if (!measure_device_fill(c->device, c->source, 0, measure_buffer_bytes(problem), note))
        return false;
    MEASURE_TRY(note, clEnqueueWriteBuffer,
                (c->device->queue, c->source, CL_TRUE, bytes_before(problem, problem->in_offset),
                 measure_input_span_bytes(problem), elements, 0, NULL, NULL));
    return true;
}

/* The output may be wider than the input, which then does not become it in its place. */
static bool fill_mapped(measure_case *c, measure_note *note)
{
    void *elements = malloc((size_t)c->problem.bytes);
    bool done = false;

    if (elements == NULL)
        return measure_fail(note, "no host memory for the input, %" PRIu64 " bytes", c->problem.bytes);
    measure_data_generate(&c->problem, elements);
    done = upload(c, elements, note) && measure_maps_scan(c, elements, note);
    free(elements);
    return done;
}

/* The elements of the input, and what lies between its rows. */
static void generate(const measure_problem *problem, void *elements)
{
    measure_problem all = *problem;

    all.bytes = measure_input_span_bytes(problem);
    all.count = all.bytes / measure_element_bytes(problem);
    measure_data_generate(&all, elements);
}

/* Upload the input, then turn it into the expected output where it stands. */
static bool fill(measure_case *c, measure_note *note)
{
    const measure_problem *problem = &c->problem;
    const clscan_reference what = {.type = problem->type,
                                   .op = problem->op,
                                   .form = problem->form,
                                   .direction = problem->direction,
                                   .combine = problem->sample != NULL ? problem->sample->combine : NULL,
                                   .identity = problem->sample != NULL ? problem->sample->identity : NULL};
    clscan_status status = CLSCAN_OK;

    if (problem->maps != NULL)
        return fill_mapped(c, note);
    generate(problem, c->expected);
    if (has_runs(problem))
        make_runs(problem, c->expected);
    if (looks_at_bits(problem))
        make_odd(problem, c->expected);
    if (!upload(c, c->expected, note))
        return false;
    if (problem->segment_length > 0)
        return measure_segments_fill(c, &what, note);
    if (problem->selects == MEASURE_REPEATS)
        return fill_runs(c, note);
    if (has_runs(problem)) {
        if (problem->selects == MEASURE_FINDS_RUNS)
            find_long_runs(c);
        else
            keep_unique(c);
        return !measure_gives_lengths(problem->selects) || create_lengths(c, note);
    }
    if (looks_at_bits(problem))
        return keep_odd(c, note);
    if (problem->selects)
        return fill_flags(c, note);
    if (problem->rows.count > 0)
        return measure_rows_scan(problem, &what, c->expected, note);
    if (problem->element != NULL && !scan_elements(c, note))
        return false;
    if (problem->element == NULL)
        status = clscan_reference_scan(&what, c->expected, problem->count, NULL, c->expected, NULL);
    if (status != CLSCAN_OK)
        return measure_fail(note, "%s", clscan_status_message(status));
    if (problem->reduces) /* the last of an inclusive scan */
        memmove(c->expected, (unsigned char *)c->expected + problem->bytes - measure_output_bytes(problem),
                measure_output_bytes(problem));
    return true;
}

/* Results that the device made for the host have a tolerance. */
static bool compare_by_fields(measure_case *c, measure_note *note)
{
    const measure_problem *problem = &c->problem;

    if (problem->element == NULL || measure_element_is_on_host(problem->element))
        return true;
    c->scale = malloc(sizeof *c->scale);
    if (c->scale == NULL)
        return measure_fail(note, "no host memory");
    measure_element_scale(problem->element, c->expected, problem->count, c->scale);
    return measure_difference_create(c->device, problem->element, c->scale, &c->differ_elements, note);
}

bool measure_case_create(measure_device *device, const measure_problem *problem, measure_case *c, measure_note *note)
{
    const uint64_t buffer_bytes = measure_buffer_bytes(problem);
    cl_int code;

    *c = (measure_case){.device = device, .problem = *problem, .exact_count = UINT64_MAX};
    c->expected = malloc((size_t)expected_bytes(problem));
    if (c->expected == NULL) {
        measure_fail(note, "no host memory for the expected output, %" PRIu64 " bytes", expected_bytes(problem));
        goto failed;
    }
    c->source = clCreateBuffer(device->context, CL_MEM_READ_WRITE, buffer_bytes, NULL, &code);
    if (code == CL_SUCCESS)
        c->target = clCreateBuffer(device->context, CL_MEM_READ_WRITE, buffer_bytes, NULL, &code);
    if (code == CL_SUCCESS && measure_flag_bytes(problem) > 0)
        c->flags = clCreateBuffer(device->context, CL_MEM_READ_ONLY, (size_t)measure_flag_bytes(problem), NULL, &code);
    if (code == CL_SUCCESS && problem->selects)
        c->number = clCreateBuffer(device->context, CL_MEM_READ_WRITE, sizeof(uint64_t), NULL, &code);
    if (code != CL_SUCCESS) {
        measure_fail_opencl(note, "clCreateBuffer", code);
        goto failed;
    }
    c->in = problem->in_place ? c->target : c->source;
    if (!fill(c, note) || !compare_by_fields(c, note) || !measure_check_prove(c, &c->device_compares, note))
        goto failed;
    return true;

failed:
    measure_case_destroy(c);
    return false;
}

void measure_case_destroy(measure_case *c)
{
    if (c->source != NULL)
        clReleaseMemObject(c->source);
    if (c->target != NULL)
        clReleaseMemObject(c->target);
    if (c->segments != NULL)
        clReleaseMemObject(c->segments);
    if (c->flags != NULL)
        clReleaseMemObject(c->flags);
    if (c->number != NULL)
        clReleaseMemObject(c->number);
    if (c->keys != NULL)
        clReleaseMemObject(c->keys);
    if (c->differ_elements != NULL)
        clReleaseKernel(c->differ_elements);
    free(c->scale);
    free(c->expected);
    *c = (measure_case){0};
}

measure_case measure_case_prefix(const measure_case *c, uint64_t count)
{
    measure_case prefix = *c;

    prefix.problem.count = count;
    prefix.problem.bytes = count * measure_element_bytes(&c->problem) * measure_column_count(c->problem.selects);
    return prefix;
}

bool measure_case_reset(const measure_case *c, measure_note *note)
{
    MEASURE_TRY(note, clEnqueueCopyBuffer,
                (c->device->queue, c->source, c->target, 0, 0, measure_buffer_bytes(&c->problem), 0, NULL, NULL));
    return true;
}

static void *map(const measure_case *c, cl_mem buffer, measure_note *note)
{
    cl_int code;
    void *memory = clEnqueueMapBuffer(c->device->queue, buffer, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0,
                                      (size_t)measure_buffer_bytes(&c->problem), 0, NULL, NULL, &code);

    if (code != CL_SUCCESS) {
        measure_fail_opencl(note, "clEnqueueMapBuffer", code);
        return NULL;
    }
    return memory;
}

bool measure_case_run_on_host(const measure_case *c, measure_contender *contender, uint64_t *nanoseconds)
{
    const cl_command_queue queue = c->device->queue;
    const cl_mem in = contender->kind->copies ? c->source : c->in;
    void *from = NULL;
    void *to = map(c, c->target, &contender->note);
    uint64_t begin;
    bool done = false;
    cl_int code;

    if (to == NULL)
        return false;
    from = in == c->target ? to : map(c, in, &contender->note);
    if (from == NULL)
        goto cleanup;
    begin = clscan__now_ns();
    done = contender->kind->run(contender, c, from, to);
    *nanoseconds = clscan__now_ns() - begin;

cleanup:
    if (from != NULL && from != to)
        (void)clEnqueueUnmapMemObject(queue, in, from, 0, NULL, NULL);
    (void)clEnqueueUnmapMemObject(queue, c->target, to, 0, NULL, NULL);
    code = clFinish(queue);
    if (done && code != CL_SUCCESS)
        return measure_fail_opencl(&contender->note, "clFinish", code);
    return done;
}

static bool run_once(const measure_case *c, measure_contender *contender)
{
    cl_event event = NULL;
    uint64_t nanoseconds;
    cl_int code;

    if (contender->kind->time != NULL)
        return contender->kind->time(contender, c, MEASURE_CLOCK_HOST, &nanoseconds) &&
               (contender->kind->fetch == NULL || contender->kind->fetch(contender, c));
    if (contender->kind->on_host)
        return measure_case_run_on_host(c, contender, &nanoseconds);
    if (!contender->kind->enqueue(contender, c, &event))
        return false;
    code = clFinish(c->device->queue);
    if (event != NULL)
        clReleaseEvent(event);
    if (code != CL_SUCCESS)
        return measure_fail_opencl(&contender->note, "clFinish", code);
    return true;
}

/* Something else than the answer: the input for a scan in place, else a byte pattern. */
static bool spoil(const measure_case *c, const measure_contender *contender, measure_note *note)
{
    if (contender->kind->scans && c->problem.in_place)
        return measure_case_reset(c, note);
    return measure_device_fill(c->device, c->target, MEASURE_SPOILED_BYTE, measure_buffer_bytes(&c->problem), note);
}

static void describe_difference(const measure_problem *problem, uint64_t index, const unsigned char *expected,
                                const unsigned char *got, measure_note *note)
{
    const clscan_type type = measure_output_type(problem);
    char wanted[ELEMENT_TEXT_BYTES], seen[ELEMENT_TEXT_BYTES];

    if (problem->element != NULL && problem->element->described == NULL) {
        measure_fail(note, "element %" PRIu64 " is wrong", index);
        return;
    }
    if (problem->element != NULL) {
        element_print(problem->element->described, expected, wanted, sizeof wanted);
        element_print(problem->element->described, got, seen, sizeof seen);
        measure_fail(note, "element %" PRIu64 " is %s, not %s", index, seen, wanted);
        return;
    }
    clscan_value_format(type, clscan_value_load(type, expected), wanted, sizeof wanted);
    clscan_value_format(type, clscan_value_load(type, got), seen, sizeof seen);
    measure_fail(note, "element %" PRIu64 " is %s, not %s", index, seen, wanted);
}

/* Compare a chunk; `first` is the index of its first element. */
static bool same(const measure_problem *problem, const element_scale *scale, uint64_t first,
                 const unsigned char *expected, const unsigned char *got, size_t bytes, measure_note *note)
{
    const size_t size = (size_t)measure_output_element_bytes(problem);
    const clscan_type type = measure_output_type(problem);

    if (memcmp(expected, got, bytes) == 0)
        return true;
    for (size_t at = 0; at < bytes; at += size) {
        if (problem->element != NULL ? measure_element_same(problem, scale, first + at / size, expected + at, got + at)
                                     : clscan_reference_same(type, problem->op, expected + at, got + at) != 0)
            continue;
        describe_difference(problem, first + at / size, expected + at, got + at, note);
        return false;
    }
    return true;
}

/* Compare the target with the expected output, or with the source after a copy. Sets *right if it could. */
static bool compare(const measure_case *c, bool with_source, bool *right, measure_note *note)
{
    const cl_command_queue queue = c->device->queue;
    measure_problem problem = c->problem;
    uint64_t size, first, all, chunk_bytes;
    unsigned char *chunks = malloc(2 * READ_CHUNK_BYTES);
    cl_int code = CL_SUCCESS;

    if (with_source)
        problem.maps = NULL; /* elements, as they are */
    size = measure_output_element_bytes(&problem);
    first = with_source ? 0 : bytes_before_output(&problem);
    all = with_source ? problem.bytes : measure_output_span_bytes(&problem);
    chunk_bytes = READ_CHUNK_BYTES - READ_CHUNK_BYTES % size; /* whole elements */
    if (chunks == NULL)
        return measure_fail(note, "no host memory to read the output");
    *right = true;
    for (uint64_t at = 0; at < all && *right; at += chunk_bytes) {
        const uint64_t left = all - at;
        const size_t bytes = (size_t)(left < chunk_bytes ? left : chunk_bytes);
        const unsigned char *expected = (const unsigned char *)c->expected + at;

        code = clEnqueueReadBuffer(queue, c->target, CL_TRUE, first + at, bytes, chunks, 0, NULL, NULL);
        if (code == CL_SUCCESS && with_source) {
            expected = chunks + READ_CHUNK_BYTES;
            code = clEnqueueReadBuffer(queue, c->source, CL_TRUE, at, bytes, chunks + READ_CHUNK_BYTES, 0, NULL, NULL);
        }
        if (code != CL_SUCCESS)
            break;
        *right = same(&problem, c->scale, at / size, expected, chunks, bytes, note);
    }
    free(chunks);
    if (code != CL_SUCCESS)
        return measure_fail_opencl(note, "clEnqueueReadBuffer", code);
    return true;
}

bool measure_case_compare(const measure_case *c, bool *right, measure_note *note)
{
    return compare(c, false, right, note);
}

/* Source and target of a copy are both on the device. Where it sees a difference, the host looks for the place. */
static bool compare_copy(const measure_case *c, bool *right, measure_note *note)
{
    bool same = false;

    if (c->device_compares && (!measure_check_enqueue(c->device, c->source, c->target, c->problem.bytes, note) ||
                               !measure_check_read(c->device, &same, note)))
        return false;
    *right = same;
    return same || compare(c, true, right, note);
}

void measure_case_validate(const measure_case *c, measure_contender *contender)
{
    bool right = true;

    if (!contender->kind->scans && !contender->kind->copies) {
        if (!run_once(c, contender))
            contender->outcome = MEASURE_FAILED;
        return;
    }
    if (!spoil(c, contender, &contender->note) || !run_once(c, contender))
        contender->outcome = MEASURE_FAILED;
    else if (!(contender->kind->copies ? compare_copy(c, &right, &contender->note)
                                       : measure_case_compare(c, &right, &contender->note)))
        contender->outcome = MEASURE_FAILED;
    else if (!right)
        contender->outcome = MEASURE_WRONG;
}
