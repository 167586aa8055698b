#include "data.h"

#include <string.h>

#include <generate.h>
#include <reference.h>

#include "element.h"

#define SEED 1u

/* Elements that are made; longer inputs repeat them, since making them takes longer than scanning. A prime, so that
 * what a wrong tile holds is something else. */
#define PERIOD UINT64_C(1000003)

static bool is_unsigned(clscan_type type)
{
    return type == CLSCAN_UINT8 || type == CLSCAN_UINT16 || type == CLSCAN_UINT32 || type == CLSCAN_UINT64;
}

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

/* At one place in 100 a 1 or, of signed types, a -1: what an expression makes of them, such as its square, need not
 * walk at random, and sums of 2^30 of them still stay below 2^24. */
static void generate_few_signs(clscan_type type, uint64_t count, void *elements)
{
    const size_t size = clscan_type_size_bytes(type);
    unsigned char values[3][sizeof(uint64_t)];
    unsigned char *next = elements;

    for (int i = 0; i < 3; ++i)
        clscan_value_store(type, clscan_value_from_int(type, i - 1), values[i]);
    if (is_unsigned(type))
        memcpy(values[0], values[2], size);
    for (uint64_t i = 0; i < count; ++i, next += size) {
        const uint64_t bits = clscan_generate_bits(SEED, i);

        memcpy(next, values[bits % 100 != 0 ? 1 : (bits / 100) % 2 * 2], size);
    }
}

/* A running minimum or maximum would stay the same from the second period on, and so would and and or. */
static bool may_repeat(clscan_operator op)
{
    return op == CLSCAN_ADD || op == CLSCAN_XOR || op == CLSCAN_CUSTOM;
}

/* Is what is combined the value of a user's expression? */
static bool has_expression(const measure_problem *problem)
{
    return measure_load_text(problem)[0] != '\0';
}

static bool has_real_sums(const measure_problem *problem)
{
    return problem->op == CLSCAN_ADD &&
           (clscan_reference_is_floating(problem->type) ||
            (problem->maps != NULL && clscan_reference_is_floating(measure_sum_type(problem))));
}

/* Maps whose factor is 0 would forget what precedes them. */
static clscan_generator generator_of(const measure_problem *problem)
{
    if (problem->sample != NULL && problem->sample == clscan_sample_find(CLSCAN_SAMPLE_AFFINE, problem->type))
        return CLSCAN_GENERATE_FACTORS;
    if (has_expression(problem) && problem->op == CLSCAN_ADD)
        return CLSCAN_GENERATE_SMALL; /* their squares do not overflow */
    return clscan_generator_for(problem->type, problem->op, problem->direction);
}

void measure_data_generate(const measure_problem *problem, void *elements)
{
    const uint64_t made = may_repeat(problem->op) && problem->count > PERIOD ? PERIOD : problem->count;
    const uint64_t size = clscan_type_size_bytes(problem->type);
    unsigned char *bytes = elements;

    if (problem->element != NULL) {
        measure_element_generate(problem, elements);
        return;
    }
    if (!has_real_sums(problem))
        clscan_generate(generator_of(problem), problem->type, SEED, 0, made, elements);
    else if (has_expression(problem) || is_unsigned(problem->type))
        generate_few_signs(problem->type, made, elements);
    else
        generate_signs(problem->type, made, elements);
    for (uint64_t next = made; next < problem->count; next += made)
        memcpy(bytes + next * size, bytes,
               (size_t)((problem->count - next < made ? problem->count - next : made) * size));
}
