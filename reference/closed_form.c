#include "closed_form.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "guarded.h"

/* Of no symmetry, so that a swapped or lost element shows. Every number fits int8. */
static const int8_t pattern[] = {1, 3, 0, 7, 2, 100, 5, 11};
enum { PERIOD = CLSCAN_CLOSED_FORM_PERIOD };

clscan_value clscan_closed_form_input(clscan_type type, uint64_t index)
{
    return clscan_value_from_int(type, pattern[index % PERIOD]);
}

/* Sum of the first n elements, modulo 2^64. */
static uint64_t sum_below(uint64_t n)
{
    uint64_t whole = 0;
    uint64_t part = 0;
    for (uint64_t i = 0; i < PERIOD; ++i) {
        whole += (uint64_t)pattern[i];
        if (i < n % PERIOD)
            part += (uint64_t)pattern[i];
    }
    return n / PERIOD * whole + part;
}

clscan_value clscan_closed_form_value(clscan_type type, clscan_form form, clscan_direction direction, uint64_t count,
                                      uint64_t index)
{
    const uint64_t own = form == CLSCAN_INCLUSIVE ? 1 : 0;
    const uint64_t sum =
        direction == CLSCAN_FORWARD ? sum_below(index + own) : sum_below(count) - sum_below(index + 1 - own);
    return clscan_value_from_int(type, (int64_t)sum);
}

static clscan_case_result fail(const clscan_case_fixture *fixture, uint64_t count, int in_place,
                               clscan_case_result result, char *text, size_t text_bytes, const char *what)
{
    const clscan_case test = {.count = count, .in_place = in_place};
    const int used = clscan_case_format(fixture, &test, text, text_bytes);
    if (used >= 0 && (size_t)used < text_bytes)
        snprintf(text + used, text_bytes - (size_t)used, " (closed form): %s", what);
    return result;
}

/* Write `bytes` bytes at `at`, repeating the block `chunk`. Not clEnqueueFillBuffer, which leaves the end of a buffer
 * of more than 4 GiB as it was (NVIDIA, driver 580.159). */
static cl_int write_repeated(const clscan_case_fixture *fixture, cl_mem buffer, uint64_t at, uint64_t bytes,
                             const unsigned char *chunk, size_t chunk_bytes)
{
    cl_int code = CL_SUCCESS;

    for (uint64_t done = 0; code == CL_SUCCESS && done < bytes; done += chunk_bytes) {
        const uint64_t here = bytes - done < chunk_bytes ? bytes - done : chunk_bytes;
        code = clEnqueueWriteBuffer(fixture->queue, buffer, CL_TRUE, (size_t)(at + done), (size_t)here, chunk, 0, NULL,
                                    NULL);
    }
    return code;
}

/* Fill guard, elements and guard of `buffer`; the guards, and without `elements` the rest too, with one canary byte.
 * The chunk is a multiple of the pattern. */
static cl_int fill(const clscan_case_fixture *fixture, cl_mem buffer, uint64_t count, int elements,
                   unsigned char *chunk, size_t chunk_bytes)
{
    const clscan_type type = fixture->problem->type;
    const size_t size = clscan_type_size_bytes(type);
    const uint64_t element_bytes = count * size;
    cl_int code;

    memset(chunk, clscan_guarded_canary(0), chunk_bytes);
    code = write_repeated(fixture, buffer, 0, CLSCAN_GUARD_BYTES, chunk, chunk_bytes);
    if (code == CL_SUCCESS)
        code =
            write_repeated(fixture, buffer, CLSCAN_GUARD_BYTES + element_bytes, CLSCAN_GUARD_BYTES, chunk, chunk_bytes);
    for (uint64_t i = 0; elements && i < chunk_bytes / size; ++i)
        clscan_value_store(type, clscan_closed_form_input(type, i), chunk + i * size);
    if (code == CL_SUCCESS)
        code = write_repeated(fixture, buffer, CLSCAN_GUARD_BYTES, element_bytes, chunk, chunk_bytes);
    return code;
}

/* Read `bytes` bytes at `at` into `chunk` and expect canaries. */
static cl_int guard_is_alive(const clscan_case_fixture *fixture, cl_mem buffer, uint64_t at, unsigned char *chunk,
                             int *alive)
{
    const cl_int code =
        clEnqueueReadBuffer(fixture->queue, buffer, CL_TRUE, (size_t)at, CLSCAN_GUARD_BYTES, chunk, 0, NULL, NULL);
    *alive = 1;
    for (size_t i = 0; code == CL_SUCCESS && i < CLSCAN_GUARD_BYTES; ++i)
        if (chunk[i] != clscan_guarded_canary(0))
            *alive = 0;
    return code;
}

static uint64_t row_count(const clscan_problem *problem)
{
    return problem->rows != NULL ? problem->rows->count : 1;
}

/* Compare `count` elements of each row of `buffer` with the output (or, with `input`, with the input). */
static clscan_case_result check(const clscan_case_fixture *fixture, cl_mem buffer, uint64_t count, int in_place,
                                int input, unsigned char *chunk, size_t chunk_bytes, char *text, size_t text_bytes)
{
    const clscan_problem *problem = fixture->problem;
    const size_t size = clscan_type_size_bytes(problem->type);
    const uint64_t chunk_count = chunk_bytes / size, all = count * row_count(problem);
    char what[256];

    for (uint64_t first = 0; first < all; first += chunk_count) {
        const uint64_t here = all - first < chunk_count ? all - first : chunk_count;
        const cl_int code =
            clEnqueueReadBuffer(fixture->queue, buffer, CL_TRUE, (size_t)(CLSCAN_GUARD_BYTES + first * size),
                                (size_t)(here * size), chunk, 0, NULL, NULL);
        if (code != CL_SUCCESS)
            return fail(fixture, count, in_place, CLSCAN_CASE_FAILED, text, text_bytes, clscan_cl_error_name(code));
        uint64_t in_row = first % count;
        for (uint64_t i = 0; i < here; ++i, in_row = in_row + 1 < count ? in_row + 1 : 0) {
            const clscan_value expected =
                input ? clscan_closed_form_input(problem->type, first + i)
                      : clscan_closed_form_value(problem->type, problem->form, problem->direction, count, in_row);
            if (memcmp(&expected, chunk + i * size, size) != 0) {
                char expected_text[64];
                char got_text[64];
                clscan_value_format(problem->type, expected, expected_text, sizeof expected_text);
                clscan_value_format(problem->type, clscan_value_load(problem->type, chunk + i * size), got_text,
                                    sizeof got_text);
                snprintf(what, sizeof what, "%s[%" PRIu64 "] expected %s got %s", input ? "input" : "out", first + i,
                         expected_text, got_text);
                return fail(fixture, count, in_place, CLSCAN_CASE_WRONG, text, text_bytes, what);
            }
        }
    }
    return CLSCAN_CASE_RIGHT;
}

clscan_case_result clscan_closed_form_run(const clscan_case_fixture *fixture, uint64_t count, int in_place,
                                          size_t chunk_bytes, char *text, size_t text_bytes)
{
    const clscan_problem *problem = fixture->problem;
    const size_t size = clscan_type_size_bytes(problem->type);
    const uint64_t all = count * row_count(problem), whole_bytes = 2u * CLSCAN_GUARD_BYTES + all * size;
    clscan_case_result result = CLSCAN_CASE_FAILED;
    clscan_run_args args = {.struct_size = sizeof args};
    clscan_error error = {0};
    unsigned char *chunk = NULL;
    cl_mem in = NULL;
    cl_mem out = NULL;
    cl_int code;

    text[0] = '\0';
    if (chunk_bytes == 0)
        chunk_bytes = (size_t)64 << 20;
    if (chunk_bytes < CLSCAN_GUARD_BYTES)
        chunk_bytes = CLSCAN_GUARD_BYTES;
    chunk_bytes -= chunk_bytes % (PERIOD * size);
    chunk = malloc(chunk_bytes);
    if (chunk == NULL) {
        result = fail(fixture, count, in_place, CLSCAN_CASE_FAILED, text, text_bytes, "host memory ran out");
        goto cleanup;
    }

    in = clCreateBuffer(fixture->context, CL_MEM_READ_WRITE, (size_t)whole_bytes, NULL, &code);
    if (code == CL_SUCCESS)
        code = fill(fixture, in, all, 1, chunk, chunk_bytes);
    if (code == CL_SUCCESS && !in_place) {
        out = clCreateBuffer(fixture->context, CL_MEM_READ_WRITE, (size_t)whole_bytes, NULL, &code);
        if (code == CL_SUCCESS)
            code = fill(fixture, out, all, 0, chunk, chunk_bytes);
    }
    if (code == CL_SUCCESS)
        code = clFinish(fixture->queue); /* the queue may be out-of-order */
    if (code != CL_SUCCESS) {
        result = fail(fixture, count, in_place, CLSCAN_CASE_FAILED, text, text_bytes, clscan_cl_error_name(code));
        goto cleanup;
    }

    args.in.buffer = in;
    args.in.offset = clscan_guarded_first(size);
    args.out.buffer = in_place ? in : out;
    args.out.offset = args.in.offset;
    args.count = count;
    if (clscan_run(fixture->plan, fixture->workspace, fixture->queue, &args, 0, NULL, NULL, &error) != CLSCAN_OK) {
        result = fail(fixture, count, in_place, CLSCAN_CASE_FAILED, text, text_bytes, error.message);
        goto cleanup;
    }
    code = clFinish(fixture->queue);

    const uint64_t guards[] = {0, CLSCAN_GUARD_BYTES + all * size};
    for (size_t i = 0; code == CL_SUCCESS && i < sizeof guards / sizeof guards[0]; ++i) {
        int alive;
        code = guard_is_alive(fixture, args.out.buffer, guards[i], chunk, &alive);
        if (code == CL_SUCCESS && !alive) {
            result = fail(fixture, count, in_place, CLSCAN_CASE_WRONG, text, text_bytes,
                          i == 0 ? "canary before the output overwritten" : "canary after the output overwritten");
            goto cleanup;
        }
    }
    if (code != CL_SUCCESS) {
        result = fail(fixture, count, in_place, CLSCAN_CASE_FAILED, text, text_bytes, clscan_cl_error_name(code));
        goto cleanup;
    }
    result = check(fixture, args.out.buffer, count, in_place, 0, chunk, chunk_bytes, text, text_bytes);
    if (result == CLSCAN_CASE_RIGHT && !in_place)
        result = check(fixture, in, count, in_place, 1, chunk, chunk_bytes, text, text_bytes);

cleanup:
    if (out != NULL)
        clReleaseMemObject(out);
    if (in != NULL)
        clReleaseMemObject(in);
    free(chunk);
    return result;
}
