/* Non-trivial runs, of two and more equal elements: their values, where they begin and how long they are. One
 * selection encodes all runs, and a second one keeps the long ones: lengths decide, values and offsets follow as
 * columns. How many runs there are stays on the device, as the count of the second call. */
#include "example.h"

enum { COUNT = 100000 };

int main(void)
{
    static unsigned char pixel[COUNT], value[COUNT];
    static unsigned length[COUNT], begin[COUNT], kept, at;
    clscan_error error = {0};
    cl_device_id device;
    int wrong = 0;

    for (unsigned i = 0; i < COUNT; ++i)
        pixel[i] = (unsigned char)(i % 97 * i % 3);
    const cl_context context = open_context(&device);
    const cl_command_queue queue = open_queue(context, device, 0);
    const cl_mem pixels = open_buffer(context, sizeof pixel, pixel),
                 lengths = open_buffer(context, sizeof length, NULL), begins = open_buffer(context, sizeof begin, NULL),
                 values = open_buffer(context, sizeof value, NULL),
                 long_lengths = open_buffer(context, sizeof length, NULL),
                 long_begins = open_buffer(context, sizeof begin, NULL),
                 long_values = open_buffer(context, sizeof value, NULL),
                 numbers = open_buffer(context, 2 * sizeof kept, NULL);

    const clscan_map first = {.struct_size = sizeof first, .expression = "index == 0 || element != before"},
                     is_long = {.struct_size = sizeof is_long, .expression = "element > 1"};
    const uint32_t bytes[] = {sizeof *begin, sizeof *value};
    const clscan_select encode = {.struct_size = sizeof encode, .length_bytes = 4, .index_bytes = 4},
                        keep = {.struct_size = sizeof keep, .column_bytes = bytes, .column_count = 2};
    const clscan_problem problems[2] = {{sizeof problems[0], CLSCAN_SELECT, .type = CLSCAN_UINT8, .max_count = COUNT,
                                         .load = &first, .select = &encode},
                                        {sizeof problems[0], CLSCAN_SELECT, .type = CLSCAN_UINT32, .max_count = COUNT,
                                         .load = &is_long, .select = &keep, .count_bytes = 4}};
    const clscan_column columns[] = {{{.buffer = begins}, {.buffer = long_begins}},
                                     {{.buffer = values}, {.buffer = long_values}}};
    const clscan_selection runs = {.struct_size = sizeof runs, .lengths.buffer = lengths, .indices.buffer = begins};
    const clscan_selection long_ones = {.struct_size = sizeof long_ones, .columns = columns};
    const clscan_run_args args[2] = {{sizeof args[0], .in.buffer = pixels, .out.buffer = values, .count = COUNT,
                                      .total.buffer = numbers, .selection = &runs},
                                     {sizeof args[0], .in.buffer = lengths, .out.buffer = long_lengths, .count = COUNT,
                                      .device_count.buffer = numbers, .total = {.buffer = numbers, .offset = 1},
                                      .selection = &long_ones}};

    for (unsigned i = 0; i < 2; ++i) {
        clscan_plan *plan = NULL;
        clscan_workspace *workspace = NULL;

        must(clscan_plan_create(context, device, &problems[i], NULL, &plan, &error), &error);
        must(clscan_workspace_create(plan, &workspace, &error), &error);
        must(clscan_workspace_bind(workspace, queue, NULL, &error), &error);
        must(clscan_run(plan, workspace, queue, &args[i], 0, NULL, NULL, &error), &error);
        clscan_workspace_destroy(workspace); /* the run goes on */
        clscan_plan_destroy(plan);
    }
    must_cl(clEnqueueReadBuffer(queue, numbers, CL_TRUE, sizeof kept, sizeof kept, &kept, 0, NULL, NULL), "read");
    must_cl(clEnqueueReadBuffer(queue, long_lengths, CL_TRUE, 0, sizeof length, length, 0, NULL, NULL), "read");
    must_cl(clEnqueueReadBuffer(queue, long_begins, CL_TRUE, 0, sizeof begin, begin, 0, NULL, NULL), "read");
    must_cl(clEnqueueReadBuffer(queue, long_values, CL_TRUE, 0, sizeof value, value, 0, NULL, NULL), "read");

    for (unsigned i = 0, end; i < COUNT; i = end) {
        for (end = i + 1; end < COUNT && pixel[end] == pixel[i];)
            ++end;
        if (end - i > 1 && at < COUNT) {
            wrong += begin[at] != i || length[at] != end - i || value[at] != pixel[i];
            ++at;
        }
    }
    wrong += kept != at;
    printf("%u runs of two and more, %d mistakes\n", kept, wrong);
    const cl_mem buffers[] = {pixels, lengths, begins, values, long_lengths, long_begins, long_values, numbers};
    for (unsigned i = 0; i < sizeof buffers / sizeof buffers[0]; ++i)
        clReleaseMemObject(buffers[i]);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
    return wrong != 0 || kept == 0;
}
