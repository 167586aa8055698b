/* Unique by key, with values: of neighbouring measurements at the same place only the first is kept, with its value.
 * The predicate says which places are the same: those less than a tolerance apart in both directions. */
#include "example.h"

#include <math.h>
#include <string.h>

enum { COUNT = 100000 };

typedef struct place {
    float x, y;
} place;

int main(void)
{
    static place where[COUNT], kept_where[COUNT];
    static double value[COUNT], kept_value[COUNT];
    unsigned number, at = 0, wrong = 0;
    cl_device_id device;

    for (int i = 0; i < COUNT; ++i) {
        where[i] = (place){(float)(i / 7 % 50), (float)(i / 11) + 0.01f * (float)(i % 3)};
        value[i] = 0.5 * i;
    }
    const cl_context context = open_context(&device);
    const cl_command_queue queue = open_queue(context, device, 0);
    const cl_mem places = open_buffer(context, sizeof where, where), values = open_buffer(context, sizeof value, value);
    const cl_mem kept_places = open_buffer(context, sizeof where, NULL), kept = open_buffer(context, sizeof at, NULL);
    const cl_mem kept_values = open_buffer(context, sizeof value, NULL);

    const clscan_element of_place = {sizeof of_place, .name = "place", .size_bytes = sizeof(place), .align_bytes = 4,
                                     .source = "typedef struct place { float x, y; } place;"};
    const clscan_map moved = {
        .struct_size = sizeof moved,
        .source = "bool same(place a, place b) { return fabs(a.x - b.x) < 0.1f && fabs(a.y - b.y) < 0.1f; }",
        .expression = "index == 0 || !same(before, element)"};
    const uint32_t bytes = sizeof *value;
    const clscan_select select = {sizeof select, .column_bytes = &bytes, .column_count = 1};
    const clscan_problem problem = {sizeof problem,     CLSCAN_SELECT,  .element = &of_place,
                                    .max_count = COUNT, .load = &moved, .select = &select};

    const clscan_column column = {.in.buffer = values, .out.buffer = kept_values};
    const clscan_selection selection = {.struct_size = sizeof selection, .columns = &column};
    const clscan_run_args args = {sizeof args,    .in.buffer = places,  .out.buffer = kept_places,
                                  .count = COUNT, .total.buffer = kept, .selection = &selection};
    plan_and_run(context, device, queue, &problem, &args);
    read_back(queue, kept, sizeof number, &number);
    read_back(queue, kept_places, sizeof where, kept_where);
    read_back(queue, kept_values, sizeof value, kept_value);
    for (unsigned i = 0; i < COUNT; ++i) {
        if (i > 0 && fabsf(where[i - 1].x - where[i].x) < 0.1f && fabsf(where[i - 1].y - where[i].y) < 0.1f)
            continue;
        wrong += at >= number || kept_value[at] != value[i];
        wrong += memcmp(&kept_where[at++], &where[i], sizeof where[i]) != 0;
    }
    wrong += at != number;
    printf("%u of %d measurements begin at another place, %u mistakes\n", number, COUNT, wrong);
    close_all(context, queue, 5, (cl_mem[]){places, values, kept_places, kept_values, kept});
    return wrong != 0;
}
