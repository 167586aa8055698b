#include "rows.h"

#include <stdlib.h>
#include <string.h>

uint64_t measure_rows_columns(const clscan_rows *rows)
{
    uint64_t columns = 1;

    for (uint32_t i = rows->axis + 1; i < rows->dimensions; ++i)
        columns *= rows->extents[i];
    return columns;
}

/* What lies between rows: in place it stays what the input has there. */
static void spoil_gaps(const measure_problem *problem, uint64_t pitch, uint64_t size, unsigned char *elements)
{
    const uint64_t length = measure_scan_count(problem);

    if (problem->in_place || problem->reduces || pitch == length)
        return;
    for (uint64_t row = 0; row + 1 < problem->rows.count; ++row)
        memset(elements + (row * pitch + length) * size, MEASURE_SPOILED_BYTE, (size_t)((pitch - length) * size));
}

static clscan_status scan_rows(const measure_problem *problem, const clscan_reference *what, unsigned char *elements)
{
    const uint64_t size = measure_element_bytes(problem), length = measure_scan_count(problem);
    const uint64_t pitch = measure_pitch(problem);

    for (uint64_t row = 0; row < problem->rows.count; ++row) {
        unsigned char *one = elements + row * pitch * size;
        const clscan_status status = clscan_reference_scan(what, one, length, NULL, one, NULL);

        if (status != CLSCAN_OK)
            return status;
        if (problem->reduces)
            memmove(elements + row * size, one + (length - 1) * size, (size_t)size);
    }
    spoil_gaps(problem, pitch, size, elements);
    return CLSCAN_OK;
}

void measure_rows_gather(uint64_t size, uint64_t length, uint64_t step, uint64_t columns, const unsigned char *from,
                         unsigned char *rows)
{
    for (uint64_t i = 0; i < length; ++i)
        for (uint64_t j = 0; j < columns; ++j)
            memcpy(rows + (j * length + i) * size, from + (i * step + j) * size, (size_t)size);
}

void measure_rows_scatter(uint64_t size, uint64_t length, uint64_t step, uint64_t columns, const unsigned char *rows,
                          unsigned char *to)
{
    for (uint64_t i = 0; i < length; ++i)
        for (uint64_t j = 0; j < columns; ++j)
            memcpy(to + (i * step + j) * size, rows + (j * length + i) * size, (size_t)size);
}

static clscan_status scan_columns(const measure_problem *problem, const clscan_reference *what, uint64_t all,
                                  unsigned char *elements)
{
    const uint64_t size = measure_element_bytes(problem), length = measure_scan_count(problem);
    unsigned char *rows = malloc((size_t)(MEASURE_GATHERED_COLUMNS * length * size));
    clscan_status status = rows != NULL ? CLSCAN_OK : CLSCAN_ERROR_OUT_OF_MEMORY;

    for (uint64_t outer = 0; outer < problem->rows.count / all; ++outer)
        for (uint64_t first = 0; first < all && status == CLSCAN_OK; first += MEASURE_GATHERED_COLUMNS) {
            const uint64_t left = all - first;
            const uint64_t columns = left < MEASURE_GATHERED_COLUMNS ? left : MEASURE_GATHERED_COLUMNS;
            unsigned char *place = elements + (outer * length * all + first) * size;

            measure_rows_gather(size, length, all, columns, place, rows);
            for (uint64_t j = 0; j < columns && status == CLSCAN_OK; ++j) {
                unsigned char *one = rows + j * length * size;

                status = clscan_reference_scan(what, one, length, NULL, one, NULL);
            }
            measure_rows_scatter(size, length, all, columns, rows, place);
        }
    free(rows);
    return status;
}

bool measure_has_columns(const measure_problem *problem)
{
    return measure_rows_columns(&problem->rows) > 1;
}

void measure_rows_place_offsets(clscan_rows *rows, uint64_t length)
{
    uint64_t stride = 1;

    if (rows->dimensions == 0)
        rows->out_pitch = rows->total_pitch = length + 1;
    for (uint32_t d = rows->dimensions; d-- > 0;) {
        rows->out_strides[d] = rows->total_strides[d] = stride;
        stride *= d == rows->axis ? length + 1 : rows->extents[d];
    }
}

uint64_t measure_rows_total_offset(const clscan_rows *rows, uint64_t length)
{
    return length * measure_rows_columns(rows);
}

bool measure_rows_scan(const measure_problem *problem, const clscan_reference *what, void *elements, measure_note *note)
{
    const uint64_t columns = measure_rows_columns(&problem->rows);
    const clscan_status status =
        columns > 1 ? scan_columns(problem, what, columns, elements) : scan_rows(problem, what, elements);

    return status == CLSCAN_OK || measure_fail(note, "%s", clscan_status_message(status));
}
