/* Partition in three: first the numbers below a pivot, then those that equal it, then those above, each in their order:
 * a step of a quicksort. One run; an expression says to which part a number belongs, and how many there are in the
 * first two is left on the device. */
#include "example.h"

enum { COUNT = 100000, PIVOT = 40 };

int main(void)
{
    static int value[COUNT], sorted[COUNT], expected[COUNT];
    const int pivot = PIVOT;
    unsigned number[2], at = 0, end[3];
    cl_device_id device;
    int wrong = 0;

    for (int i = 0; i < COUNT; ++i)
        value[i] = (int)((unsigned)i * 2654435761u >> 7) % 101;
    for (int part = 0; part < 3; ++part) {
        for (int i = 0; i < COUNT; ++i)
            if ((value[i] > PIVOT) - (value[i] < PIVOT) == part - 1)
                expected[at++] = value[i];
        end[part] = at;
    }
    const cl_context context = open_context(&device);
    const cl_command_queue queue = open_queue(context, device, 0);
    const cl_mem in = open_buffer(context, sizeof value, value), out = open_buffer(context, sizeof sorted, NULL),
                 numbers = open_buffer(context, sizeof number, NULL);

    const clscan_map_argument argument = {sizeof argument, "pivot", .type = CLSCAN_INT32};
    const clscan_map part = {.struct_size = sizeof part,
                             .expression = "element < pivot ? 1 : element == pivot ? 2 : 3",
                             .arguments = &argument,
                             .argument_count = 1};
    const clscan_select select = {.struct_size = sizeof select, .rest = CLSCAN_REST_THREE_WAY};
    const clscan_problem problem = {sizeof problem,     CLSCAN_SELECT, .type = CLSCAN_INT32,
                                    .max_count = COUNT, .load = &part, .select = &select};
    const clscan_memory of_pivot = {.kind = CLSCAN_MEMORY_HOST, .pointer = (void *)&pivot};
    const clscan_run_args args = {sizeof args,
                                  .in.buffer = in,
                                  .out.buffer = out,
                                  .count = COUNT,
                                  .total.buffer = numbers,
                                  .map_arguments = &of_pivot,
                                  .map_argument_count = 1};

    plan_and_run(context, device, queue, &problem, &args);
    read_back(queue, out, sizeof sorted, sorted);
    read_back(queue, numbers, sizeof number, number);

    for (int i = 0; i < COUNT; ++i)
        wrong += sorted[i] != expected[i];
    wrong += number[0] != end[0];
    wrong += number[0] + number[1] != end[1];
    printf("%u below %d, %u equal, %u above, %d mistakes\n", number[0], PIVOT, number[1], COUNT - number[0] - number[1],
           wrong);
    close_all(context, queue, 3, (const cl_mem[]){in, out, numbers});
    return wrong != 0;
}
