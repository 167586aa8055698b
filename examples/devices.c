/* One scan over two devices, each with a part in its own memory. Where there is one device, it is both. */
#include "example.h"

enum { COUNT = 100000, PARTS = 2 };

int main(void)
{
    static const unsigned counts[PARTS] = {60000, 40000};
    static unsigned data[COUNT];
    cl_device_id devices[PARTS];
    size_t found = 0;
    clscan_error error = {0};
    clscan_member members[PARTS];
    clscan_part parts[PARTS];
    clscan_devices *group = NULL;
    const clscan_problem problem = {.struct_size = sizeof problem, .type = CLSCAN_UINT32, .max_count = COUNT};
    const clscan_devices_args args = {.struct_size = sizeof args, .parts = parts, .part_count = PARTS};
    cl_int code;
    int right = 1;

    must(clscan_device_list(devices, PARTS, &found, &error), &error);
    for (unsigned i = 0; i < COUNT; ++i)
        data[i] = 1;
    for (size_t i = 0, first = 0; i < PARTS; first += counts[i++]) {
        const cl_device_id device = devices[i < found ? i : 0];
        const cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);

        must_cl(code, "clCreateContext");
        members[i] = (clscan_member){.struct_size = sizeof members[i],
                                     .context = context,
                                     .device = device,
                                     .queue = open_queue(context, device, 0)};
        parts[i] = (clscan_part){.struct_size = sizeof parts[i], .count = counts[i]};
        parts[i].in.buffer = open_buffer(context, counts[i] * sizeof *data, data + first);
        parts[i].out = parts[i].in; /* in place */
    }
    must(clscan_devices_create(members, PARTS, &problem, NULL, &group, &error), &error);
    must(clscan_devices_run(group, &args, NULL, &error), &error);
    for (size_t i = 0, first = 0; i < PARTS; first += counts[i++])
        must_cl(clEnqueueReadBuffer(members[i].queue, parts[i].out.buffer, CL_TRUE, 0, counts[i] * sizeof *data,
                                    data + first, 0, NULL, NULL),
                "clEnqueueReadBuffer");
    for (unsigned i = 0; i < COUNT; ++i)
        right = right && data[i] == i + 1;
    printf("%u ... %u\n", data[0], data[COUNT - 1]);
    clscan_devices_destroy(group);
    for (size_t i = 0; i < PARTS; ++i) {
        clReleaseMemObject(parts[i].in.buffer);
        clReleaseCommandQueue(members[i].queue);
        clReleaseContext(members[i].context);
    }
    return right ? 0 : 1;
}
