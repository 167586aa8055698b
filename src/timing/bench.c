/* clCreateCommandQueueWithProperties() is missing before OpenCL 2.0. */
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include "timing/bench.h"

#include <stdlib.h>
#include <string.h>

#include "base/checked.h"
#include "common/clock.h"
#include "element/types.h"
#include "ops/scan.h"

/* Of an input. Beyond it nothing changes but how long it takes. */
#define MOST_BYTES (UINT64_C(1) << 28)
/* Input and output, beside what others use. */
#define SHARE_OF_MEMORY 6

/* So many scans at once that the clock, and a queue that falls asleep, count little. */
#define LEAST_NS 200000.0
#define MOST_RUNS 64u

/* Another variant must be so much faster than the ordinary one, or chance may have made it so; the second, where fewer
 * rounds were timed in turn. */
#define AHEAD_RATIO 1.02
#define FAR_AHEAD_RATIO 1.2

/* What is run first, so that nobody waits long for a variant that was made for other counts. */
#define FIRST_PART 32u
#define HOPELESS_RATIO 4.0
/* Scans for somebody who wins: two at first, the ordinary one's beside them, and both outputs. */
#define LEAST_SCANS 5.0

/* ---- Data ---- */

static uint32_t next(uint32_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    return *state;
}

/* 1 or -1: their sums and products are exact in any order, in half too as its accumulator is float. */
static void put_sign(clscan_type type, void *at, bool negative)
{
    const uint16_t half = negative ? 0xbc00 : 0x3c00;
    const float single = negative ? -1.0f : 1.0f;
    const double wide = negative ? -1.0 : 1.0;

    if (type == CLSCAN_HALF)
        memcpy(at, &half, sizeof half);
    else if (type == CLSCAN_FLOAT)
        memcpy(at, &single, sizeof single);
    else
        memcpy(at, &wide, sizeof wide);
}

static void fill(clscan_type type, unsigned char *data, size_t size_bytes)
{
    const bool is_floating = clscan__type_is_floating(type);
    const size_t step = is_floating ? clscan_type_size_bytes(type) : sizeof(uint32_t);
    uint32_t state = 1;

    for (size_t at = 0; at < size_bytes; at += step) {
        const uint32_t number = next(&state);

        if (is_floating)
            put_sign(type, data + at, (number >> 16 & 1) != 0);
        else
            memcpy(data + at, &number, size_bytes - at < step ? size_bytes - at : step);
    }
}

clscan_status clscan__bench_open(clscan__bench *bench, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const uint64_t element_bytes = clscan_type_size_bytes(bench->problem->type);
    const uint64_t room_bytes =
        clscan__min_u64(bench->info->max_allocation_bytes, bench->info->global_memory_bytes / SHARE_OF_MEMORY);
    size_t size_bytes;
    unsigned char *data = NULL;
    cl_int code = CL_SUCCESS;

    bench->count = clscan__min_u64(bench->problem->max_count, clscan__min_u64(MOST_BYTES, room_bytes) / element_bytes);
    CLSCAN__REQUIRE(bench->count > 0, CLSCAN_ERROR_DEVICE_LIMIT, "too little memory");
    size_bytes = (size_t)(bench->count * element_bytes);
    data = malloc(size_bytes);
    CLSCAN__REQUIRE(data != NULL, CLSCAN_ERROR_OUT_OF_MEMORY, "no memory for %zu bytes of elements", size_bytes);
    fill(bench->problem->type, data, size_bytes);
    bench->queue = clCreateCommandQueue(bench->context, bench->device, 0, &code);
    if (code == CL_SUCCESS)
        bench->in = clCreateBuffer(bench->context, CL_MEM_READ_ONLY, size_bytes, NULL, &code);
    if (code == CL_SUCCESS)
        bench->out = clCreateBuffer(bench->context, CL_MEM_READ_WRITE, size_bytes, NULL, &code);
    if (code == CL_SUCCESS)
        code = clEnqueueWriteBuffer(bench->queue, bench->in, CL_TRUE, 0, size_bytes, data, 0, NULL, NULL);
    if (code != CL_SUCCESS)
        status = clscan__error_opencl(error, "making buffers", code);

cleanup:
    free(data);
    return status;
}

void clscan__bench_close(clscan__bench *bench)
{
    if (bench->queue != NULL)
        clFinish(bench->queue);
    if (bench->in != NULL)
        clReleaseMemObject(bench->in);
    if (bench->out != NULL)
        clReleaseMemObject(bench->out);
    if (bench->queue != NULL)
        clReleaseCommandQueue(bench->queue);
}

/* ---- Contenders ---- */

clscan_status clscan__contender_open(const clscan__bench *bench, clscan__contender *contender, clscan_error *error)
{
    clscan_status status;
    clscan_plan_options options = bench->options;
    clscan_problem problem = *bench->problem;

    options.variant = &contender->variant;
    problem.max_count = bench->count;
    CLSCAN__TRY(clscan__plan_choose(bench->context, bench->device, bench->info, &problem, &options,
                                    CLSCAN__PLAN_FOR_TIMING, &contender->plan, error));
    CLSCAN__TRY(clscan__plan_finish(contender->plan, &options, error));
    CLSCAN__TRY(clscan__workspace_create(contender->plan, &contender->workspace, error));

cleanup:
    return status;
}

void clscan__contender_close(clscan__contender *contender)
{
    clscan__workspace_destroy(contender->workspace);
    clscan__plan_release(contender->plan);
    contender->workspace = NULL;
    contender->plan = NULL;
}

/* Nanoseconds of one scan of so many elements, when there are `runs` of them. */
static clscan_status run(const clscan__bench *bench, const clscan__contender *contender, uint64_t count, unsigned runs,
                         double *time_ns, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const clscan_run_args args = {
        .struct_size = sizeof args, .in.buffer = bench->in, .out.buffer = bench->out, .count = count};
    uint64_t begin_ns;

    CLSCAN__TRY_CL(clFinish, (bench->queue));
    begin_ns = clscan__now_ns();
    for (unsigned i = 0; i < runs; ++i)
        CLSCAN__TRY(clscan__scan_enqueue(contender->workspace, bench->queue, &args, NULL, false, 0, NULL, NULL, error));
    CLSCAN__TRY_CL(clFinish, (bench->queue));
    *time_ns = (double)(clscan__now_ns() - begin_ns) / runs;

cleanup:
    return status;
}

clscan_status clscan__contender_time(const clscan__bench *bench, clscan__contender *contender, clscan_error *error)
{
    clscan_status status;
    const double wanted = LEAST_NS / contender->time_ns;
    const unsigned runs = wanted >= MOST_RUNS ? MOST_RUNS : wanted > 1 ? (unsigned)wanted : 1;
    double time_ns = 0;

    CLSCAN__TRY(run(bench, contender, bench->count, runs, &time_ns, error));
    contender->last_ns = time_ns;
    contender->time_ns = time_ns < contender->time_ns ? time_ns : contender->time_ns;

cleanup:
    return status;
}

void clscan__contender_count_round(clscan__contender *contender, const clscan__contender *ordinary)
{
    ++contender->rounds;
    contender->faster += contender->last_ns < ordinary->last_ns;
}

bool clscan__contender_is_ahead(const clscan__contender *contender, const clscan__contender *ordinary)
{
    const double ratio = contender->rounds < CLSCAN__FEW_ROUNDS ? FAR_AHEAD_RATIO : AHEAD_RATIO;

    return contender->rounds > 0 && contender->time_ns * ratio <= ordinary->time_ns &&
           4 * contender->faster >= 3 * contender->rounds;
}

clscan_status clscan__contender_try(const clscan__bench *bench, clscan__contender *contender, double best_ns,
                                    uint64_t end_ns, clscan__prospect *prospect, clscan_error *error)
{
    clscan_status status;
    const uint64_t part = bench->count / FIRST_PART + 1;
    double time_ns = 0;

    *prospect = CLSCAN__TOO_LATE;
    CLSCAN__TRY(clscan__workspace_bind(contender->workspace, bench->queue, NULL, 0, error));
    CLSCAN__TRY(run(bench, contender, part, 1, &time_ns, error)); /* drivers finish compiling at the first launch */
    if (clscan__now_ns() >= end_ns)
        goto cleanup;
    CLSCAN__TRY(run(bench, contender, part, 1, &time_ns, error));
    contender->time_ns = time_ns * (double)bench->count / (double)part;
    /* What is slow to start is so at any count. */
    if (time_ns > LEAST_NS && contender->time_ns > HOPELESS_RATIO * best_ns) {
        *prospect = CLSCAN__HOPELESS;
        goto cleanup;
    }
    if (time_ns > LEAST_NS && (double)clscan__now_ns() + LEAST_SCANS * contender->time_ns > (double)end_ns)
        goto cleanup;
    *prospect = CLSCAN__PROMISING;
    CLSCAN__TRY(run(bench, contender, bench->count, 1, &contender->time_ns, error));
    CLSCAN__TRY(clscan__contender_time(bench, contender, error));

cleanup:
    return status;
}

static clscan_status read_output(const clscan__bench *bench, const clscan__contender *contender, unsigned char *output,
                                 size_t size_bytes, clscan_error *error)
{
    clscan_status status;
    const unsigned char nothing = 0xa5;
    double unused;

    /* What the other one left must not pass for what this one did. */
    CLSCAN__TRY_CL(clEnqueueFillBuffer,
                   (bench->queue, bench->out, &nothing, sizeof nothing, 0, size_bytes, 0, NULL, NULL));
    CLSCAN__TRY(run(bench, contender, bench->count, 1, &unused, error));
    CLSCAN__TRY_CL(clEnqueueReadBuffer, (bench->queue, bench->out, CL_TRUE, 0, size_bytes, output, 0, NULL, NULL));

cleanup:
    return status;
}

clscan_status clscan__contender_compare(const clscan__bench *bench, const clscan__contender *left,
                                        const clscan__contender *right, bool *same, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const size_t size_bytes = (size_t)(bench->count * clscan_type_size_bytes(bench->problem->type));
    unsigned char *outputs[2] = {malloc(size_bytes), malloc(size_bytes)};

    CLSCAN__REQUIRE(outputs[0] != NULL && outputs[1] != NULL, CLSCAN_ERROR_OUT_OF_MEMORY,
                    "no memory for %zu bytes of elements", size_bytes);
    CLSCAN__TRY(read_output(bench, left, outputs[0], size_bytes, error));
    CLSCAN__TRY(read_output(bench, right, outputs[1], size_bytes, error));
    *same = memcmp(outputs[0], outputs[1], size_bytes) == 0;

cleanup:
    free(outputs[0]);
    free(outputs[1]);
    return status;
}
