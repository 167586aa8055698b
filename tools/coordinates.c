#include "coordinates.h"

#include <stdio.h>
#include <string.h>

#include "command_line/failure.h"
#include "index_type.h"
#include "scan_maps.h"

clscan_status coordinates_check(clscan_type type, const input_file *in, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;

    REQUIRE(in->dimensions > 0 && in->dimensions <= CLSCAN_MOST_DIMENSIONS, CLSCAN_ERROR_FILE,
            "%s has %u dimensions; --coordinates are of 1 to %u", in->name, in->dimensions, CLSCAN_MOST_DIMENSIONS);
    if (in->dimensions > 1 && in->count > 0)
        for (unsigned d = 0; d < in->dimensions; ++d)
            TRY(index_type_check_extent(type, in, d, error));

cleanup:
    return status;
}

void coordinates_describe(coordinates *c, clscan_type type, const input_file *in)
{
    const char *name = map_type_name(type, NULL);
    const size_t bytes = clscan_type_size_bytes(type);

    *c = (coordinates){.type = type, .dimensions = in->dimensions};
    for (unsigned d = 1; d < c->dimensions; ++d)
        c->extents[d - 1] = in->shape[d];
    snprintf(c->source, sizeof c->source,
             "typedef struct npy_place { %s at[%u]; } npy_place;\n"
             "npy_place npy_place_of(ulong index, ulong4 extents)\n"
             "{\n"
             "    const ulong along[] = {extents.x, extents.y, extents.z, extents.w};\n"
             "    npy_place place;\n"
             "    for (int d = %u; d > 0; index /= along[--d])\n"
             "        place.at[d] = (%s)(index %% along[d - 1]);\n"
             "    place.at[0] = (%s)index;\n"
             "    return place;\n"
             "}\n",
             name, c->dimensions, c->dimensions - 1, name, name);
    c->place = (clscan_element){.struct_size = sizeof c->place,
                                .name = "npy_place",
                                .source = c->source,
                                .size_bytes = c->dimensions * bytes,
                                .align_bytes = bytes};
    c->arguments[0] =
        (clscan_map_argument){.struct_size = sizeof c->arguments[0], .name = "index_of_first", .type = CLSCAN_UINT64};
    c->arguments[1] = (clscan_map_argument){
        .struct_size = sizeof c->arguments[1], .name = "extents", .type = CLSCAN_UINT64, .lanes = 4};
    c->map = (clscan_map){.struct_size = sizeof c->map,
                          .expression = "npy_place_of(index + index_of_first, extents)",
                          .arguments = c->arguments,
                          .argument_count = 2};
}

void coordinates_write(const coordinates *c, uint64_t index, void *to)
{
    uint64_t place[CLSCAN_MOST_DIMENSIONS];

    for (unsigned d = c->dimensions - 1; d > 0; index /= c->extents[--d])
        place[d] = index % c->extents[d - 1];
    place[0] = index;
    index_type_write(c->type, place, c->dimensions, 0, to);
}
