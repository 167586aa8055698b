/* Runs of two and more equal elements: where they begin and how long they are. One call makes runs of the elements, and
 * a second one selects the long ones among them: lengths decide, offsets follow as a column. How many runs there are
 * stays on the device, as the count of the second call. */
#include "example.h"

enum { COUNT = 100000 };

int main(void)
{
    static unsigned char pixel[COUNT];
    static unsigned length[COUNT], begin[COUNT], kept, at;
    clscan_error error = {0};
    cl_device_id device;
    int wrong = 0;

    for (unsigned i = 0; i < COUNT; ++i)
        pixel[i] = (unsigned char)(i % 97 * i % 3);
    const cl_context context = open_context(&device);
    const cl_command_queue queue = open_queue(context, device, 0);
    const cl_mem pixels = open_buffer(context, sizeof pixel, pixel),
                 lengths = open_buffer(context, sizeof length, NULL),
                 begins = open_buffer(context, sizeof begin + sizeof *begin, NULL),
                 long_lengths = open_buffer(context, sizeof length, NULL),
                 long_begins = open_buffer(context, sizeof begin, NULL),
                 numbers = open_buffer(context, 2 * sizeof kept, NULL);

    const clscan_map one = {.struct_size = sizeof one, .expression = "1"},
                     is_long = {.struct_size = sizeof is_long, .expression = "element > 1"};
    const clscan_segments equal = {.struct_size = sizeof equal, .by = CLSCAN_BY_KEYS, .type = CLSCAN_UINT8};
    const uint32_t bytes = sizeof *begin;
    const clscan_select select = {.struct_size = sizeof select, .column_bytes = &bytes, .column_count = 1};
    const clscan_problem problems[2] = {{sizeof problems[0], CLSCAN_REDUCE, .type = CLSCAN_UINT32, .max_count = COUNT,
                                         .load = &one, .segments = &equal},
                                        {sizeof problems[0], CLSCAN_SELECT, .type = CLSCAN_UINT32, .max_count = COUNT,
                                         .load = &is_long, .select = &select, .count_bytes = 4}};
    const clscan_segment_sums sums = {sizeof sums, .sums.buffer = lengths, .offsets.buffer = begins,
                                      .number.buffer = numbers};
    const clscan_column column = {.in.buffer = begins, .out.buffer = long_begins};
    const clscan_selection selection = {.struct_size = sizeof selection, .columns = &column};
    const clscan_run_args args[2] = {{sizeof args[0], .count = COUNT, .segments.buffer = pixels, .segment_sums = &sums},
                                     {sizeof args[0], .in.buffer = lengths, .out.buffer = long_lengths, .count = COUNT,
                                      .device_count.buffer = numbers, .total = {.buffer = numbers, .offset = 1},
                                      .selection = &selection}};

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

    for (unsigned i = 0, end; i < COUNT; i = end) {
        for (end = i + 1; end < COUNT && pixel[end] == pixel[i];)
            ++end;
        if (end - i > 1 && at < COUNT) {
            wrong += begin[at] != i || length[at] != end - i;
            ++at;
        }
    }
    wrong += kept != at;
    printf("%u runs of two and more, %d mistakes\n", kept, wrong);
    const cl_mem buffers[] = {pixels, lengths, begins, long_lengths, long_begins, numbers};
    for (unsigned i = 0; i < sizeof buffers / sizeof buffers[0]; ++i)
        clReleaseMemObject(buffers[i]);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
    return wrong != 0 || kept == 0;
}
