#include "scan_sums.h"

#include <stdlib.h>

#include "command_line/failure.h"

#define WRITTEN_BYTES (UINT64_C(16) << 20) /* at once */

clscan_status scan_sums_prepare_rows(scan_sums *s, uint64_t count, clscan_error *error)
{
    s->count = count;
    return target_units(s->where, count, s->sum_bytes, &s->values, error);
}

clscan_status scan_sums_prepare_segments(scan_sums *s, const segment_file *segments, uint64_t elements,
                                         clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    uint64_t most = elements;

    if (segments->segments.by == CLSCAN_BY_OFFSETS) {
        s->count = most = segment_file_bounded(segments);
    } else {
        s->number_bytes = elements > UINT32_MAX ? sizeof(uint64_t) : sizeof(uint32_t);
        TRY(target_units(s->where, 1, s->number_bytes, &s->number, error));
    }
    if (s->file != NULL)
        TRY(target_units(s->where, most, s->sum_bytes, &s->values, error));
    s->of_segments = (clscan_segment_sums){
        .struct_size = sizeof s->of_segments, .sums.buffer = s->values, .number.buffer = s->number};

cleanup:
    return status;
}

clscan_status scan_sums_count(scan_sums *s, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    uint32_t narrow = 0;
    const bool is_wide = s->number_bytes == sizeof s->count;

    if (s->number == NULL)
        return status;
    TRY_CL(clEnqueueReadBuffer, (s->where->queue, s->number, CL_TRUE, 0, s->number_bytes,
                                 is_wide ? (void *)&s->count : &narrow, 0, NULL, NULL));
    if (!is_wide)
        s->count = narrow;

cleanup:
    return status;
}

clscan_status scan_sums_write(scan_sums *s, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;

    if (s->file == NULL)
        return status;
    TRY(result_file_open(s->file, true, error));
    TRY(result_file_download(s->file, s->where, s->values, s->count * s->sum_bytes, error));

cleanup:
    return status;
}

void scan_sums_release(scan_sums *s)
{
    if (s->values != NULL)
        clReleaseMemObject(s->values);
    if (s->number != NULL)
        clReleaseMemObject(s->number);
    *s = (scan_sums){0};
}

clscan_status result_file_download(result_file *out, const target *where, cl_mem from, uint64_t size_bytes,
                                   clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    unsigned char *chunk = malloc((size_t)WRITTEN_BYTES);

    REQUIRE(chunk != NULL, CLSCAN_ERROR_OUT_OF_MEMORY, "no memory to write %s", out->name);
    for (uint64_t at = 0; at < size_bytes; at += WRITTEN_BYTES) {
        const uint64_t left = size_bytes - at;
        const size_t bytes = (size_t)(left < WRITTEN_BYTES ? left : WRITTEN_BYTES);

        TRY_CL(clEnqueueReadBuffer, (where->queue, from, CL_TRUE, (size_t)at, bytes, chunk, 0, NULL, NULL));
        TRY(result_file_write(out, at, chunk, bytes, error));
    }

cleanup:
    free(chunk);
    return status;
}
