#include "engine/in_place.h"

#include "base/checked.h"

/* As many elements of any size are whole vectors of 16 bytes. */
enum { STEP = 16 };

uint32_t clscan__in_place_element_bytes(const clscan_problem *problem, uint32_t output)
{
    const clscan__shape shape = clscan__problem_shape(problem);

    if (!clscan__problem_selects_in_place(problem) || output > clscan__problem_column_count(problem))
        return 0;
    if (output > 0)
        return problem->select->column_bytes[output - 1];
    return !clscan__problem_generates(problem) && shape.element_bytes == shape.output_bytes ? shape.output_bytes : 0;
}

/* With a step to begin at one, and another one to lie as the input does. Else UINT64_MAX. */
static uint64_t bytes_of(const clscan_problem *problem, uint32_t output)
{
    const uint64_t most = UINT64_MAX / 2 / (1 + CLSCAN_MOST_COLUMNS);
    uint64_t elements, bytes;

    return clscan__add_u64(problem->max_count, 2 * STEP, &elements) &&
                   clscan__mul_u64(elements, clscan__in_place_element_bytes(problem, output), &bytes) && bytes <= most
               ? bytes
               : UINT64_MAX;
}

uint64_t clscan__in_place_first(const clscan_problem *problem, uint32_t output, uint64_t scratch_bytes, uint64_t like)
{
    const uint64_t element_bytes = clscan__in_place_element_bytes(problem, output);

    for (uint32_t i = 0; i < output; ++i)
        scratch_bytes += bytes_of(problem, i);
    return clscan__align_up(clscan__divide_up(scratch_bytes, element_bytes), STEP) + like % STEP;
}

uint64_t clscan__in_place_bytes(const clscan_problem *problem)
{
    uint64_t sum = 0;

    for (uint32_t i = 0; i <= clscan__problem_column_count(problem); ++i) {
        const uint64_t bytes = bytes_of(problem, i);

        if (bytes == UINT64_MAX)
            return bytes;
        sum += bytes;
    }
    return sum;
}
