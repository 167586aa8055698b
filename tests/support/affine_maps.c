#include "affine_maps.h"

clscan_problem test_affine_maps(uint64_t max_count)
{
    static const clscan_map_argument argument = {
        .struct_size = sizeof argument, .name = "factor", .type = CLSCAN_UINT32};
    static const clscan_map load = {.struct_size = sizeof load,
                                    .expression = "((affine){element, factor})",
                                    .arguments = &argument,
                                    .argument_count = 1};
    static const clscan_map store = {.struct_size = sizeof store, .expression = "sum.a ^ sum.b"};
    static const clscan_element affine = {.struct_size = sizeof affine,
                                          .name = "affine",
                                          .source = "typedef struct affine { uint a, b; } affine;",
                                          .size_bytes = 8,
                                          .align_bytes = 4};
    static const clscan_element output = {.struct_size = sizeof output, .type = CLSCAN_UINT32};
    static const clscan_custom_operator then = {
        .struct_size = sizeof then,
        .source = "affine then(affine f, affine g) { affine h = {g.a * f.a, g.a * f.b + g.b}; return h; }",
        .function = "then"};
    return (clscan_problem){.struct_size = sizeof(clscan_problem),
                            .type = CLSCAN_UINT8,
                            .op = CLSCAN_CUSTOM,
                            .custom = &then,
                            .max_count = max_count,
                            .accumulator = &affine,
                            .output = &output,
                            .load = &load,
                            .store = &store};
}
