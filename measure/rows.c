#include "rows.h"

#include <string.h>

/* What lies between rows: in place it stays what the input has there. */
static void spoil_gaps(const measure_problem *problem, uint64_t pitch, uint64_t size, unsigned char *elements)
{
    const uint64_t length = measure_scan_count(problem);

    if (problem->in_place || problem->reduces || pitch == length)
        return;
    for (uint64_t row = 0; row + 1 < problem->rows.count; ++row)
        memset(elements + (row * pitch + length) * size, MEASURE_SPOILED_BYTE, (size_t)((pitch - length) * size));
}

bool measure_rows_scan(const measure_problem *problem, const clscan_reference *what, void *elements, measure_note *note)
{
    const uint64_t size = measure_element_bytes(problem), length = measure_scan_count(problem);
    const uint64_t pitch = measure_pitch(problem);
    unsigned char *all = elements;

    for (uint64_t row = 0; row < problem->rows.count; ++row) {
        unsigned char *one = all + row * pitch * size;
        const clscan_status status = clscan_reference_scan(what, one, length, NULL, one, NULL);

        if (status != CLSCAN_OK)
            return measure_fail(note, "%s", clscan_status_message(status));
        if (problem->reduces)
            memmove(all + row * size, one + (length - 1) * size, (size_t)size);
    }
    spoil_gaps(problem, pitch, size, all);
    return true;
}
