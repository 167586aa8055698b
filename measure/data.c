#include "data.h"

#include <string.h>

#include <generate.h>
#include <reference.h>

#define SEED 1u

/* Sums of 2^28 of these stay far below 2^24 (they walk at random), and so are exact in float. The reference's
 * own generators promise that up to 2^20 elements only. */
static void generate_signs(clscan_type type, uint64_t count, void *elements)
{
    const size_t size = clscan_type_size_bytes(type);
    unsigned char values[3][sizeof(uint64_t)];
    unsigned char *next = elements;

    for (int i = 0; i < 3; ++i)
        clscan_value_store(type, clscan_value_from_int(type, i - 1), values[i]);
    for (uint64_t i = 0; i < count; ++i, next += size)
        memcpy(next, values[clscan_generate_bits(SEED, i) % 3], size);
}

void measure_data_generate(const measure_problem *problem, void *elements)
{
    const bool is_floating =
        problem->type == CLSCAN_HALF || problem->type == CLSCAN_FLOAT || problem->type == CLSCAN_DOUBLE;

    if (is_floating && problem->op == CLSCAN_ADD)
        generate_signs(problem->type, problem->count, elements);
    else
        clscan_generate(clscan_generator_for(problem->type, problem->op, problem->direction), problem->type, SEED, 0,
                        problem->count, elements);
}
