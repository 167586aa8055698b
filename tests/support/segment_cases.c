#include "segment_cases.h"

#include <string.h>

#include "cmocka_all.h"

bool segment_begins(segment_pattern pattern, uint64_t tile, uint64_t index)
{
    switch (pattern) {
    case EVERYWHERE:
        return true;
    case NOWHERE:
        return false;
    case AT_RANDOM:
        return clscan_generate_bits(5, index) % 30 < (index / 100 % 3 == 0 ? 10 : index / 100 % 3 == 1 ? 1 : 27);
    case AT_TILES:
        return index % tile == 0;
    default:
        return index % tile == tile - 1;
    }
}

void segment_input(const clscan_reference *what, uint64_t count, unsigned char *input)
{
    const size_t element_bytes = clscan_type_size_bytes(what->type);

    if (what->combine != NULL) {
        clscan_generate(what->identity == NULL ? CLSCAN_GENERATE_MOSTLY_ZERO : CLSCAN_GENERATE_FACTORS, what->type, 9,
                        0, count, input);
        return;
    }
    for (uint64_t i = 0; i < count; ++i)
        clscan_value_store(what->type, clscan_value_from_int(what->type, (int64_t)(clscan_generate_bits(3, i) % 9) - 4),
                           input + i * element_bytes);
}

clscan_memory segment_guarded(const test_live *live, const void *payload, uint64_t count, size_t unit_bytes,
                              clscan_guarded *made)
{
    memset(made, 0, sizeof *made);
    assert_int_equal(clscan_guarded_create(live->context, live->queue, CL_MEM_READ_WRITE, (size_t)count * unit_bytes,
                                           payload, made, NULL),
                     CLSCAN_OK);
    return (clscan_memory){.buffer = made->buffer, .offset = clscan_guarded_first(unit_bytes)};
}

clscan_problem segment_ordered_problem(void)
{
    return test_custom_problem(CLSCAN_UINT32, clscan_sample_find(CLSCAN_SAMPLE_AFFINE, CLSCAN_UINT32), CLSCAN_INCLUSIVE,
                               CLSCAN_FORWARD, 1);
}

unsigned segment_spent_waits(const test_live *live, const clscan_plan_options *options, segment_waits_run *run,
                             unsigned *recomputed)
{
    static const segment_way once[] = {{CLSCAN_BY_FLAGS, CLSCAN_UINT8},
                                       {CLSCAN_BY_BITS, 0},
                                       {CLSCAN_BY_KEYS, CLSCAN_INT32},
                                       {CLSCAN_BY_OFFSETS, CLSCAN_UINT32}};
    enum { WAYS = sizeof once / sizeof once[0] };
    const clscan_problem problem = segment_ordered_problem();
    const clscan_sample_operator *sample = clscan_sample_find(CLSCAN_SAMPLE_AFFINE, CLSCAN_UINT32);
    unsigned failures = 0;

    /* Compiling takes longer than all runs of a plan. */
    for (size_t i = 0; i < (test_thorough() ? 2 : 1); ++i)
        failures += run(live, &problem, sample, once[(i + options->variant->carry) % WAYS], options, recomputed);
    return failures;
}
