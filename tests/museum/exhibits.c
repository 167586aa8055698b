#include "exhibits.h"

#include <math.h>

/* Few problems, since each takes programs of its own. */
static const museum_problem int_sum = {.type = CLSCAN_INT32, .op = CLSCAN_ADD};
static const museum_problem int_sum_before = {.type = CLSCAN_INT32, .op = CLSCAN_ADD, .form = CLSCAN_EXCLUSIVE};
static const museum_problem int_sum_behind = {
    .type = CLSCAN_INT32, .op = CLSCAN_ADD, .form = CLSCAN_EXCLUSIVE, .direction = CLSCAN_REVERSE};
static const museum_problem int_product = {.type = CLSCAN_INT32, .op = CLSCAN_MUL};
static const museum_problem int_max = {.type = CLSCAN_INT32, .op = CLSCAN_MAX};
static const museum_problem uint_min_before = {.type = CLSCAN_UINT32, .op = CLSCAN_MIN, .form = CLSCAN_EXCLUSIVE};
static const museum_problem byte_sum = {.type = CLSCAN_UINT8, .op = CLSCAN_ADD};
static const museum_problem long_sum_before = {.type = CLSCAN_INT64, .op = CLSCAN_ADD, .form = CLSCAN_EXCLUSIVE};
static const museum_problem half_sum = {.type = CLSCAN_HALF, .op = CLSCAN_ADD};
static const museum_problem float_sum = {.type = CLSCAN_FLOAT, .op = CLSCAN_ADD};
static const museum_problem float_sum_back = {.type = CLSCAN_FLOAT, .op = CLSCAN_ADD, .direction = CLSCAN_REVERSE};
static const museum_problem float_max = {.type = CLSCAN_FLOAT, .op = CLSCAN_MAX};
static const museum_problem affine = {.type = CLSCAN_UINT32, .op = CLSCAN_CUSTOM, .sample = CLSCAN_SAMPLE_AFFINE};
static const museum_problem last = {.type = CLSCAN_INT32, .op = CLSCAN_CUSTOM, .sample = CLSCAN_SAMPLE_KEEP_LAST};
static const museum_problem first = {.type = CLSCAN_INT32, .op = CLSCAN_CUSTOM, .sample = CLSCAN_SAMPLE_TAKE_LEFT};

/* An element of the affine sample: x -> a x + b. */
#define MAP(a, b) ((a) + 65536.0 * (b))

#define NUMBERS(...) \
    .pattern = (const double[]){__VA_ARGS__}, .pattern_count = sizeof((double[]){__VA_ARGS__}) / sizeof(double)
#define INITIAL(number) .initial = CLSCAN_CASE_HOST_INITIAL, .initial_value = (number)
#define INITIAL_ON_DEVICE(number) .initial = CLSCAN_CASE_DEVICE_INITIAL, .initial_value = (number)
#define SHOWS(name) MISTAKE_##name, NULL
#define SHOWS_ADAPTED(name, from) MISTAKE_##name, from

/* clang-format off */
const museum_exhibit museum_exhibits[] = {
    /* The initial value. */
    {"TheHPXProject/hpx#1390", &int_sum, SHOWS(initial_in_every_tile),
     .tiles = 1, .more = 1, NUMBERS(1, 2, 3, 4, 5, 6), INITIAL(100)},
    {"JuliaGPU/CUDA.jl#1227", &int_sum, SHOWS(initial_in_every_tile),
     .tiles = 1, .more = 1, NUMBERS(1), INITIAL_ON_DEVICE(1)},
    {"JuliaGPU/AcceleratedKernels.jl#16", &int_sum, SHOWS_ADAPTED(initial_in_every_tile, "floating-point elements"),
     .tiles = 3, NUMBERS(3, 1), INITIAL(7)},
    {"NVIDIA/cccl#3383", &int_sum, SHOWS(total_without_initial),
     .more = 2, NUMBERS(1, -1), INITIAL(1)},
    {"TheHPXProject/hpx#1413", &int_sum_before, SHOWS(initial_written_first),
     .more = 2, NUMBERS(5, 7), INITIAL(10), .in_place = 1},
    {"uxlfoundation/oneDPL#183", &int_sum_before, SHOWS(initial_written_first),
     .tiles = 1, .more = 1, NUMBERS(1), INITIAL_ON_DEVICE(3), .in_place = 1},
    {"uxlfoundation/oneDPL#514", &int_sum_before, SHOWS(initial_written_first),
     .more = 8, NUMBERS(3, 1, 4, 1, 5, 9, 2, 6), INITIAL(0), .in_place = 1},

    /* The operator's identity, and operators without one. */
    {"kokkos/kokkos#3584", &int_product, SHOWS(begins_with_zero), .more = 2, NUMBERS(1)},
    {"intel/llvm#4336", &int_product, SHOWS(begins_with_zero), .more = 32, NUMBERS(1)},
    {"NVIDIA/cccl#6560", &int_product, SHOWS(tile_begins_with_zero), .tiles = 1, .more = 1, NUMBERS(1)},
    {"ml-explore/mlx#4272", &int_max, SHOWS_ADAPTED(begins_with_zero, "complex numbers, exclusive"),
     .more = 4, NUMBERS(-3, -1, -4, -5)},
    {"chapel-lang/chapel#13337", &int_max, SHOWS(prefix_added), .tiles = 2, .more = 1, NUMBERS(5, 4, 3, 2, 1)},
    {"cudpp/cudpp#33", &uint_min_before, SHOWS(begins_with_signed_limit), .more = 1, NUMBERS(4294967295.0)},
    {"patflick/mxx#24", &uint_min_before, SHOWS(begins_with_zero), .more = 3, NUMBERS(3, 1, 2)},
    {"Devsh-Graphics-Programming/Nabla#91", &uint_min_before, SHOWS(output_shifted_twice), .more = 3, NUMBERS(3, 2, 1)},
    {"kokkos/kokkos#6065", &first, SHOWS(begins_with_zero), .more = 2, NUMBERS(7, 8)},
    {"JuliaLang/julia#18336", &float_sum, SHOWS(begins_with_zero), .more = 1, NUMBERS(-0.0)},

    /* Operators that do not commute. */
    {"TheHPXProject/hpx#1958", &affine, SHOWS(operands_swapped), .more = 2, NUMBERS(MAP(3, 1), MAP(5, 1))},
    {"TheHPXProject/hpx#4787", &affine, SHOWS(operands_swapped),
     .more = 4, NUMBERS(MAP(3, 1), MAP(7, 10), MAP(1, 100))},
    {"ocaml-multicore/domainslib#118", &affine, SHOWS(operands_swapped), .tiles = 2, NUMBERS(MAP(3, 2), MAP(5, 2))},
    {"moderngpu/moderngpu#54", &affine, SHOWS_ADAPTED(prefix_swapped, "segments"),
     .tiles = 1, .more = 1, NUMBERS(MAP(3, 1), MAP(1, 1))},
    {"triton-lang/triton#2359", &affine, SHOWS(prefix_swapped), .tiles = 2, NUMBERS(MAP(1, 3), MAP(9, 1), MAP(1, 2))},
    {"NVIDIA/cccl#8242", &last, SHOWS(prefix_swapped), .tiles = 1, .more = 1, NUMBERS(7, 8, 9)},

    /* Where tiles meet. */
    {"modular/mojo-gpu-puzzles#81", &int_sum, SHOWS(prefix_forgotten), .tiles = 2, .more = 1, NUMBERS(1)},
    {"arrayfire/arrayfire#2366", &int_sum_before, SHOWS(prefix_one_early), .tiles = 1, .more = 1, NUMBERS(1)},
    {"JuliaGPU/AcceleratedKernels.jl#127", &int_sum_before, SHOWS(tile_end_dropped),
     .tiles = 1, .more = 1, NUMBERS(1)},
    {"JuliaGPU/AcceleratedKernels.jl#91", &int_sum_before, SHOWS(tile_end_dropped), .tiles = 3, NUMBERS(2, 3, 5, 7)},
    {"ORNL/HeCBench#177", &int_sum, SHOWS(half_tile_forgotten), .tiles = 1, NUMBERS(1)},
    {"diku-dk/futhark#243", &int_sum, SHOWS(one_buffer), .tiles = 1, NUMBERS(1, 0)},
    {"wykvictor/cs344-cuda-udacity#1", &int_sum, SHOWS(one_buffer), .more = 4, NUMBERS(1)},
    {"pytorch/pytorch#90635", &byte_sum, SHOWS(nothing_combined), .more = 4, NUMBERS(1)},

    /* The last tile. */
    {"NVIDIA/cccl#6645", &int_sum, SHOWS(tail_not_scanned), .tiles = 1, .more = 1, NUMBERS(1)},
    {"victorprad/InfiniTAM#102", &int_sum, SHOWS(tail_total_dropped), .more = 1, NUMBERS(1)},
    {"boostorg/compute#772", &int_sum, SHOWS(tail_reads_on), .tiles = 1, .more = 1, NUMBERS(1)},
    {"arrayfire/arrayfire#2119", &int_sum, SHOWS(tail_reads_on), .more = 5, NUMBERS(1)},
    {"sphexa-org/sphexa#467", &int_sum_before, SHOWS(tail_reads_on), .tiles = 1, .more = 1, NUMBERS(1)},

    /* One element, and none. */
    {"ml-explore/mlx#4139", &int_sum, SHOWS_ADAPTED(one_element_forgotten, "an axis of several"),
     .more = 1, NUMBERS(4)},
    {"microsoft/onnxruntime#13165", &int_sum_behind, SHOWS(first_not_excluded), .more = 1, NUMBERS(1)},
    {"llnl/RAJA#768", &int_sum_before, SHOWS(empty_writes), NUMBERS(1)},
    {"oneapi-src/distributed-ranges#803", &int_sum_before, SHOWS(empty_writes), NUMBERS(1), INITIAL(3)},
    {"kokkos/kokkos#9319", &int_sum, SHOWS(empty_writes_no_total), NUMBERS(1)},
    {"llvm/llvm-project#53344", &int_sum, SHOWS(total_not_written), .more = 100, NUMBERS(1)},

    /* Memory: in place, inputs, offsets. */
    {"uxlfoundation/oneDPL#637", &int_sum_before, SHOWS(neighbour_read_late),
     .tiles = 2, .more = 1, NUMBERS(1, 0, 0, 0, 0), .in_place = 1},
    {"uxlfoundation/oneDPL#1647", &int_sum_before, SHOWS(neighbour_read_late),
     .tiles = 1, .more = 1, NUMBERS(1), .in_place = 1},
    {"kokkos/kokkos#9078", &int_sum_before, SHOWS(neighbour_read_late),
     .tiles = 3, NUMBERS(2, 1), INITIAL(1), .in_place = 1},
    {"AdaptiveCpp/AdaptiveCpp#1908", &int_sum_before, SHOWS(neighbour_read_late),
     .tiles = 5, .more = 3, NUMBERS(0, 1, 7, 4, 9, 1, 6), .in_place = 1},
    {"AdaptiveCpp/AdaptiveCpp#1440", &int_sum_before, SHOWS(shifted_over_itself),
     .more = 3, NUMBERS(1, 2), INITIAL(5), .in_place = 1},
    {"AdaptiveCpp/AdaptiveCpp#1899", &int_sum_before, SHOWS(initial_written_first),
     .more = 2, NUMBERS(7, 0), INITIAL(0), .in_place = 1},
    {"ROCm/AMDMIGraphX#797", &int_sum_before, SHOWS(shifted_over_itself),
     .more = 5, NUMBERS(1, 2, 3, 4, 5), .in_place = 1},
    {"llvm/llvm-project#59810", &int_sum_before, SHOWS(shifted_over_itself),
     .more = 10, NUMBERS(1), INITIAL(0), .in_place = 1},
    {"AMReX-Codes/amrex#2105", &int_sum_before, SHOWS(last_read_late), .more = 2, NUMBERS(1, 2), .in_place = 1},
    {"arrayfire/arrayfire#2680", &int_sum, SHOWS_ADAPTED(input_overwritten, "by key"), .more = 2, NUMBERS(1)},
    {"arrayfire/arrayfire#3664", &int_sum, SHOWS_ADAPTED(offset_ignored, "by key"),
     .more = 2, NUMBERS(1), .in_offset = 3},

    /* Memory: the workspace from run to run. */
    {"JuliaGPU/AcceleratedKernels.jl#98", &int_sum, SHOWS(stale_totals), .tiles = 3, NUMBERS(1, 2, 3), .runs = 3},
    {"JuliaGPU/AcceleratedKernels.jl#41", &int_sum, SHOWS(stale_totals), .tiles = 8, NUMBERS(1), .runs = 3},
    {"kokkos/kokkos#2681", &int_sum, SHOWS(stale_totals), .tiles = 1, .more = 1, NUMBERS(3, 5), .runs = 2},
    {"kokkos/kokkos#9291", &int_sum, SHOWS_ADAPTED(stale_totals, "runs at the same time"),
     .tiles = 5, .more = 1, NUMBERS(2, 9), .runs = 3},

    /* Reversed. */
    {"NVIDIA/TensorRT#4513", &int_sum_behind, SHOWS(direction_ignored), .more = 2, NUMBERS(1)},
    {"apache/tvm#18137", &int_sum_behind, SHOWS(output_not_reversed), .more = 2, NUMBERS(1)},
    {"state-spaces/mamba#327", &int_sum_behind, SHOWS(first_not_excluded), .tiles = 1, NUMBERS(1)},
    {"fla-org/flash-linear-attention#1095", &float_sum_back, SHOWS(by_subtraction),
     .more = 4, NUMBERS(INFINITY, 1, 1, 1)},

    /* Numbers. */
    {"ml-explore/mlx#4044", &float_max, SHOWS(nan_dropped), .more = 5, NUMBERS(1, 3, NAN, 5, 4)},
    {"flagos-ai/FlagGems#790", &float_max, SHOWS(nan_dropped), .tiles = 1, .more = 1, NUMBERS(2, NAN, 1)},
    {"NVIDIA/cudf#17933", &float_sum, SHOWS(saturated), .more = 3, NUMBERS(3e38, 3e38, 1)},
    {"AMReX-Codes/amrex#5732", &float_sum, SHOWS(summed_as_int), .more = 2, NUMBERS(0.5)},
    {"NVIDIA/cccl#836", &long_sum_before, SHOWS(summed_as_int), .more = 3, NUMBERS(4503599627370495.0, 1)},
    {"llvm/llvm-project#61575", &long_sum_before, SHOWS(summed_as_int), .more = 2, NUMBERS(4294967296.0, 0)},
    {"ginkgo-project/ginkgo#593", &long_sum_before, SHOWS(totals_as_unsigned), .tiles = 1, .more = 1, NUMBERS(-1)},
    {"tensorflow/tensorflow#97042", &byte_sum, SHOWS_ADAPTED(saturated, "elements of 16 bits"),
     .more = 3, NUMBERS(100)},
    {"open-mpi/ompi#122", &byte_sum, SHOWS(saturated), .tiles = 1, .more = 256, NUMBERS(2)},
    {"ml-explore/mlx#3907", &half_sum, SHOWS(rounded_each_time), .more = 3, NUMBERS(2048, 1, 1)},
    {"pytorch/pytorch#180150", &half_sum, SHOWS(rounded_each_time), .tiles = 1, .more = 1, NUMBERS(1024, 0.5, 0.5, 0)},

    /* Counts that do not fit. */
    {"NVIDIA/cccl#2171", &byte_sum, SHOWS(index_wraps), .bits = 31, .more = 1},
    {"arrayfire/arrayfire#3731", &byte_sum, SHOWS(index_wraps), .bits = 31, .more = 52516352},
    {"cupy/cupy#9841", &byte_sum, SHOWS_ADAPTED(index_wraps, "elements of 8 bytes"),
     .bits = 32, .more = 1, .in_place = 1},
    {"pytorch/pytorch#167086", &byte_sum, SHOWS_ADAPTED(index_wraps, "rows of floating-point elements"),
     .bits = 32, .more = 775946240},
};
/* clang-format on */

const size_t museum_exhibit_count = sizeof museum_exhibits / sizeof museum_exhibits[0];

uint64_t museum_count(const museum_exhibit *exhibit, uint64_t tile)
{
    return (exhibit->bits > 0 ? UINT64_C(1) << exhibit->bits : exhibit->tiles * tile) + exhibit->more;
}

unsigned museum_runs(const museum_exhibit *exhibit)
{
    return exhibit->runs > 0 ? exhibit->runs : 1;
}

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

void museum_fill(const museum_exhibit *exhibit, unsigned run, uint64_t count, void *elements)
{
    const clscan_type type = exhibit->problem->type;
    for (uint64_t i = 0; i < count; ++i)
        clscan_value_store(type, value_from(type, exhibit->pattern[(run + i) % exhibit->pattern_count]),
                           (unsigned char *)elements + i * clscan_type_size_bytes(type));
}

clscan_value museum_initial(const museum_exhibit *exhibit)
{
    return value_from(exhibit->problem->type, exhibit->initial_value);
}

const clscan_sample_operator *museum_sample(const museum_problem *problem)
{
    return problem->op == CLSCAN_CUSTOM ? clscan_sample_find(problem->sample, problem->type) : NULL;
}

clscan_reference museum_reference(const museum_problem *problem)
{
    const clscan_sample_operator *sample = museum_sample(problem);
    return (clscan_reference){
        .type = problem->type,
        .op = problem->op,
        .form = problem->form,
        .direction = problem->direction,
        .combine = sample != NULL ? sample->combine : NULL,
        .identity = sample != NULL ? sample->identity : NULL,
    };
}
