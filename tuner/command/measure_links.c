#include "command/measure_links.h"

#include <stdlib.h>
#include <string.h>

#include "command_line/failure.h"
#include "common/clock.h"
#include "measure/statistics.h"
#include "output/group_links.h"

typedef struct upload {
    cl_command_queue queue;
    cl_mem to;
    cl_mem pinned;
    void *from; /* mapped */
    size_t size_bytes;
} upload;

static clscan_status open_upload(upload *one, const clscan_member *member, cl_mem to, const void *from,
                                 size_t size_bytes, size_t index, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    cl_int code;

    *one = (upload){.queue = member->queue, .to = to, .size_bytes = size_bytes};
    one->pinned = clCreateBuffer(member->context, CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR, size_bytes, NULL, &code);
    if (code == CL_SUCCESS)
        one->from =
            clEnqueueMapBuffer(one->queue, one->pinned, CL_TRUE, CL_MAP_WRITE, 0, size_bytes, 0, NULL, NULL, &code);
    REQUIRE(code == CL_SUCCESS, CLSCAN_ERROR_OPENCL, "device %zu: no pinned memory: %s", index,
            clscan_cl_error_name(code));
    memcpy(one->from, from, size_bytes);

cleanup:
    return status;
}

static void close_upload(upload *one)
{
    if (one->from != NULL && clEnqueueUnmapMemObject(one->queue, one->pinned, one->from, 0, NULL, NULL) == CL_SUCCESS)
        clFinish(one->queue);
    if (one->pinned != NULL)
        clReleaseMemObject(one->pinned);
}

static cl_int run_once(const upload *const *uploads, size_t count)
{
    cl_int code = CL_SUCCESS;

    for (size_t i = 0; i < count && code == CL_SUCCESS; ++i) {
        code = clEnqueueWriteBuffer(uploads[i]->queue, uploads[i]->to, CL_FALSE, 0, uploads[i]->size_bytes,
                                    uploads[i]->from, 0, NULL, NULL);
        if (code == CL_SUCCESS)
            code = clFlush(uploads[i]->queue);
    }
    for (size_t i = 0; i < count; ++i) {
        const cl_int finished = clFinish(uploads[i]->queue);

        code = code == CL_SUCCESS ? finished : code;
    }
    return code;
}

/* The first run warms up. */
static clscan_status time_uploads(const upload *const *uploads, size_t count, size_t runs, double *seconds,
                                  clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    uint64_t times[TUNE_MOST_LINK_RUNS];

    for (size_t i = 0; i <= runs; ++i) {
        const uint64_t begin = clscan__now_ns();
        const cl_int code = run_once(uploads, count);

        REQUIRE(code == CL_SUCCESS, CLSCAN_ERROR_OPENCL, "an upload that shows links failed: %s",
                clscan_cl_error_name(code));
        times[i > 0 ? i - 1 : 0] = clscan__now_ns() - begin;
    }
    *seconds = 1e-9 * measure_summarise(times, runs).median;

cleanup:
    return status;
}

clscan_status tune_measure_links(const clscan_member *members, const cl_mem *to, size_t count, const void *from,
                                 size_t size_bytes, size_t runs, uint32_t *links, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    upload *uploads = calloc(count, sizeof *uploads);
    double *together = calloc(count * count, sizeof *together), alone[CLSCAN_MOST_DEVICES];

    REQUIRE(uploads != NULL && together != NULL, CLSCAN_ERROR_OUT_OF_MEMORY, "no memory for links");
    for (size_t i = 0; i < count; ++i)
        TRY(open_upload(&uploads[i], &members[i], to[i], from, size_bytes, i, error));
    for (size_t i = 0; i < count; ++i)
        TRY(time_uploads((const upload *const[]){&uploads[i]}, 1, runs, &alone[i], error));
    for (size_t i = 0; i < count; ++i)
        for (size_t j = i + 1; j < count; ++j)
            TRY(time_uploads((const upload *const[]){&uploads[i], &uploads[j]}, 2, runs, &together[i * count + j],
                             error));
    tune_group_links(count, alone, together, links);

cleanup:
    for (size_t i = 0; uploads != NULL && i < count; ++i)
        close_upload(&uploads[i]);
    free(uploads);
    free(together);
    return status;
}
