#include "exhibits.h"

#include <math.h>

/* An element of the affine sample: x -> a x + b. */
#define AFFINE(a, b) ((a) + 65536.0 * (b))

#define PATTERN(...) .pattern = {__VA_ARGS__}, .pattern_count = sizeof((double[]){__VA_ARGS__}) / sizeof(double)

const museum_exhibit museum_exhibits[] = {
    {
        .name = "initial value for each partition",
        .origin = "TheHPXProject/hpx#1390",
        .mistake = MISTAKE_initial_in_every_tile,
        .type = CLSCAN_INT32,
        .tiles = 1,
        .more = 1,
        PATTERN(1, 2, 3, 4, 5, 6),
        .initial = CLSCAN_CASE_HOST_INITIAL,
        .initial_value = 100,
    },
    {
        .name = "initial value over the first input",
        .origin = "TheHPXProject/hpx#1413",
        .mistake = MISTAKE_initial_written_first,
        .type = CLSCAN_INT32,
        .form = CLSCAN_EXCLUSIVE,
        .more = 2,
        PATTERN(3, 1, 4, 1, 5, 9, 2, 6),
        .initial = CLSCAN_CASE_HOST_INITIAL,
        .initial_value = 10,
        .in_place = 1,
    },
    {
        .name = "end of the block before, in place",
        .origin = "uxlfoundation/oneDPL#637",
        .mistake = MISTAKE_neighbour_read_late,
        .type = CLSCAN_INT32,
        .form = CLSCAN_EXCLUSIVE,
        .tiles = 1,
        .more = 1,
        PATTERN(1),
        .in_place = 1,
    },
    {
        .name = "sums broadcast one element early",
        .origin = "arrayfire/arrayfire#2366",
        .mistake = MISTAKE_prefix_one_early,
        .type = CLSCAN_INT32,
        .form = CLSCAN_EXCLUSIVE,
        .tiles = 1,
        .more = 1,
        PATTERN(1),
    },
    {
        .name = "last element of the first block",
        .origin = "JuliaGPU/AcceleratedKernels.jl#127",
        .mistake = MISTAKE_tile_end_dropped,
        .type = CLSCAN_INT32,
        .form = CLSCAN_EXCLUSIVE,
        .tiles = 1,
        .more = 1,
        PATTERN(1),
    },
    {
        .name = "accumulator on the wrong side",
        .origin = "TheHPXProject/hpx#1958",
        .mistake = MISTAKE_operands_swapped,
        .type = CLSCAN_UINT32,
        .op = CLSCAN_CUSTOM,
        .sample = CLSCAN_SAMPLE_AFFINE,
        .more = 2,
        PATTERN(AFFINE(3, 1), AFFINE(5, 1)),
    },
    {
        .name = "last write wins, but not across tiles",
        .origin = "NVIDIA/cccl#8242",
        .mistake = MISTAKE_prefix_swapped,
        .type = CLSCAN_INT32,
        .op = CLSCAN_CUSTOM,
        .sample = CLSCAN_SAMPLE_KEEP_LAST,
        .tiles = 1,
        .more = 1,
        PATTERN(7, 8, 9),
    },
    {
        .name = "aggregate of an inclusive scan",
        .origin = "NVIDIA/cccl#3383",
        .mistake = MISTAKE_total_without_initial,
        .type = CLSCAN_INT32,
        .more = 2,
        PATTERN(1, -1),
        .initial = CLSCAN_CASE_HOST_INITIAL,
        .initial_value = 1,
    },
};

const size_t museum_exhibit_count = sizeof museum_exhibits / sizeof museum_exhibits[0];

uint64_t museum_count(const museum_exhibit *exhibit, uint64_t tile)
{
    return exhibit->tiles * tile + exhibit->more;
}

/* Integers of 64 bits wrap; patterns stay within 53 of them. */
static clscan_value value_from(clscan_type type, double number)
{
    clscan_value value = {.bits = 0};
    switch (clscan_type_accumulator(type)) {
    case CLSCAN_FLOAT:
        value.float32 = (float)number;
        return value;
    case CLSCAN_DOUBLE:
        value.float64 = number;
        return value;
    default:
        return clscan_value_from_int(type, (int64_t)number);
    }
}

void museum_fill(const museum_exhibit *exhibit, uint64_t count, void *elements)
{
    const size_t size = clscan_type_size_bytes(exhibit->type);
    for (uint64_t i = 0; i < count; ++i)
        clscan_value_store(exhibit->type, value_from(exhibit->type, exhibit->pattern[i % exhibit->pattern_count]),
                           (unsigned char *)elements + i * size);
}

clscan_value museum_initial(const museum_exhibit *exhibit)
{
    return value_from(exhibit->type, exhibit->initial_value);
}

const clscan_sample_operator *museum_sample(const museum_exhibit *exhibit)
{
    return exhibit->op == CLSCAN_CUSTOM ? clscan_sample_find(exhibit->sample, exhibit->type) : NULL;
}

clscan_reference museum_reference(const museum_exhibit *exhibit)
{
    const clscan_sample_operator *sample = museum_sample(exhibit);
    return (clscan_reference){
        .type = exhibit->type,
        .op = exhibit->op,
        .form = exhibit->form,
        .direction = exhibit->direction,
        .combine = sample != NULL ? sample->combine : NULL,
        .identity = sample != NULL ? sample->identity : NULL,
    };
}
