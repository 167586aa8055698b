#include "rows.h"

#include <stdlib.h>
#include <string.h>

/* Columns that are gathered together: a line of a cache has several of them. */
#define COLUMNS 64

/* Elements that one and the same index along the axis has side by side; 1: elements of a row lie so. */
static uint64_t columns_of(const clscan_rows *rows)
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

/* Neighbouring columns between memory where they stand side by side, `step` elements from one index to the next, and
 * memory where each is a row. */
static void gather(uint64_t size, uint64_t length, uint64_t step, uint64_t columns, const unsigned char *from,
                   unsigned char *rows)
{
    for (uint64_t i = 0; i < length; ++i)
        for (uint64_t j = 0; j < columns; ++j)
            memcpy(rows + (j * length + i) * size, from + (i * step + j) * size, (size_t)size);
}

static void scatter(uint64_t size, uint64_t length, uint64_t step, uint64_t columns, const unsigned char *rows,
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
    unsigned char *rows = malloc((size_t)(COLUMNS * length * size));
    clscan_status status = rows != NULL ? CLSCAN_OK : CLSCAN_ERROR_OUT_OF_MEMORY;

    for (uint64_t outer = 0; outer < problem->rows.count / all; ++outer)
        for (uint64_t first = 0; first < all && status == CLSCAN_OK; first += COLUMNS) {
            const uint64_t columns = all - first < COLUMNS ? all - first : COLUMNS;
            unsigned char *place = elements + (outer * length * all + first) * size;

            gather(size, length, all, columns, place, rows);
            for (uint64_t j = 0; j < columns && status == CLSCAN_OK; ++j) {
                unsigned char *one = rows + j * length * size;

                status = clscan_reference_scan(what, one, length, NULL, one, NULL);
            }
            scatter(size, length, all, columns, rows, place);
        }
    free(rows);
    return status;
}

bool measure_has_columns(const measure_problem *problem)
{
    return columns_of(&problem->rows) > 1;
}

bool measure_rows_scan(const measure_problem *problem, const clscan_reference *what, void *elements, measure_note *note)
{
    const uint64_t columns = columns_of(&problem->rows);
    const clscan_status status =
        columns > 1 ? scan_columns(problem, what, columns, elements) : scan_rows(problem, what, elements);

    return status == CLSCAN_OK || measure_fail(note, "%s", clscan_status_message(status));
}
