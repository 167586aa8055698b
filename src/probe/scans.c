/* Small scans with a carry that waits, each compared with what the host computes. */
#include <stdlib.h>

#include "common/clock.h"
#include "ops/scan.h"
#include "probe/rig.h"

enum { LEAST_SCANS = 4, MOST_SCANS = 32, LARGE_EVERY = 4 };

/* After the least number of scans, no other begins beyond this time. */
#define ENOUGH_NS UINT64_C(25000000)

typedef struct desk {
    clscan_workspace *workspace;
    cl_mem in, out;
    uint32_t *input, *output; /* max_count elements */
    clscan_report before;
} desk;

static void fill(uint32_t *input, uint64_t count)
{
    uint32_t state = 1;

    for (uint64_t i = 0; i < count; ++i) {
        state = state * 1664525u + 1013904223u;
        input[i] = state | 1u; /* an even factor would soon make every product 0 */
    }
}

static clscan_status open_desk(const clscan__probe_rig *rig, desk *d, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const size_t size_bytes = (size_t)rig->plan->problem.max_count * sizeof *d->input;
    cl_int code;

    d->input = malloc(size_bytes);
    d->output = malloc(size_bytes);
    CLSCAN__REQUIRE(d->input != NULL && d->output != NULL, CLSCAN_ERROR_OUT_OF_MEMORY,
                    "no memory for %zu bytes of elements", size_bytes);
    fill(d->input, rig->plan->problem.max_count);
    d->in = clCreateBuffer(rig->plan->context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, size_bytes, d->input, &code);
    if (d->in != NULL)
        d->out = clCreateBuffer(rig->plan->context, CL_MEM_READ_WRITE, size_bytes, NULL, &code);
    if (d->out == NULL)
        return clscan__error_opencl(error, "clCreateBuffer", code);
    CLSCAN__TRY(clscan__workspace_create(rig->plan, &d->workspace, error));
    CLSCAN__TRY(clscan__workspace_bind(d->workspace, rig->queue, NULL, 0, error));

cleanup:
    return status;
}

static void close_desk(desk *d)
{
    clscan__workspace_destroy(d->workspace);
    if (d->in != NULL)
        clReleaseMemObject(d->in);
    if (d->out != NULL)
        clReleaseMemObject(d->out);
    free(d->input);
    free(d->output);
}

static bool is_right(const desk *d, uint32_t initial, uint64_t count)
{
    uint32_t expected = initial;

    for (uint64_t i = 0; i < count; ++i) {
        expected = clscan__probe_operate(expected, d->input[i]);
        if (d->output[i] != expected)
            return false;
    }
    return true;
}

/* Each scan has another initial value, so that whatever an earlier one left behind is wrong for it. */
static clscan_status scan(const clscan__probe_rig *rig, desk *d, uint64_t count, clscan_probe_finding *finding,
                          clscan_error *error)
{
    clscan_status status;
    const uint32_t initial = finding->scans * 0x10002u + 0x30001u;
    const clscan_run_args args = {.struct_size = sizeof args,
                                  .in.buffer = d->in,
                                  .out.buffer = d->out,
                                  .count = count,
                                  .initial = {CLSCAN_MEMORY_HOST, .pointer = &initial}};
    clscan_report report;

    CLSCAN__TRY(clscan__scan_enqueue(d->workspace, rig->queue, &args, NULL, false, 0, NULL, NULL, error));
    CLSCAN__TRY_CL(clEnqueueReadBuffer,
                   (rig->queue, d->out, CL_TRUE, 0, (size_t)count * sizeof *d->output, d->output, 0, NULL, NULL));
    CLSCAN__TRY(clscan__workspace_report(d->workspace, rig->queue, &report, error));
    ++finding->scans;
    /* Each processor may be taken away once. */
    finding->spent_scans += report.recomputed - d->before.recomputed > rig->plan->info.compute_units;
    finding->wrong_scans += report.failures != d->before.failures || !is_right(d, initial, count);
    d->before = report;

cleanup:
    return status;
}

clscan_status clscan__probe_scans(const clscan__probe_rig *rig, clscan_probe_finding *finding, clscan_error *error)
{
    clscan_status status;
    uint64_t begin_ns = 0;
    const uint64_t large = rig->plan->problem.max_count, small = large / 8;
    desk d = {0};

    CLSCAN__TRY(open_desk(rig, &d, error));
    for (uint32_t i = 0; i < MOST_SCANS && finding->wrong_scans == 0; ++i) {
        if (i >= LEAST_SCANS && clscan__now_ns() - begin_ns > ENOUGH_NS)
            break;
        /* The last tile is not whole in most of them. */
        CLSCAN__TRY(scan(rig, &d, (i % LARGE_EVERY == 0 ? large : small) - i % 7, finding, error));
        if (i == 0)
            begin_ns = clscan__now_ns(); /* drivers finish compiling at the first launch */
    }
    finding->scans_ns = clscan__now_ns() - begin_ns;

cleanup:
    close_desk(&d);
    return status;
}
