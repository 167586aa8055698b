/* The offsets of rows from their lengths: n lengths of 32 bits give n + 1 offsets of 64, in one call. */
#include "example.h"

enum { ROWS = 100000 };

int main(void)
{
    static cl_uint length[ROWS];
    static cl_ulong offset[ROWS + 1];
    cl_device_id device;
    const cl_context context = open_context(&device);
    const cl_command_queue queue = open_queue(context, device, 0);

    for (int i = 0; i < ROWS; ++i)
        length[i] = 1000000u + (cl_uint)i;
    const cl_mem lengths = open_buffer(context, sizeof length, length);
    const cl_mem offsets = open_buffer(context, sizeof offset, NULL);

    const clscan_element wide = {.struct_size = sizeof wide, .type = CLSCAN_UINT64};
    const clscan_problem problem = {.struct_size = sizeof problem,
                                    .type = CLSCAN_UINT32,
                                    .output = &wide,
                                    .form = CLSCAN_EXCLUSIVE,
                                    .max_count = ROWS};
    clscan_run_args args = {.struct_size = sizeof args, .in.buffer = lengths, .out.buffer = offsets, .count = ROWS};
    args.total = (clscan_memory){.buffer = offsets, .offset = ROWS}; /* right behind the last output */

    plan_and_run(context, device, queue, &problem, &args);
    read_back(queue, offsets, sizeof offset, offset);

    cl_ulong expected = 0;
    int wrong = 0;
    for (int i = 0; i < ROWS; ++i) {
        wrong += offset[i] != expected;
        expected += length[i];
    }
    wrong += offset[ROWS] != expected;
    printf("%d rows have %llu elements; %d offsets are wrong\n", ROWS, (unsigned long long)offset[ROWS], wrong);
    close_all(context, queue, 2, (const cl_mem[]){lengths, offsets});
    return wrong == 0 ? 0 : 1;
}
