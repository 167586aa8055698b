/* A recurrence in parallel: y[i] = a[i] * y[i-1] + b[i], an exponential moving average. Each step is a map
 * x -> a x + b; maps one after the other are again a map, so a scan of them has every prefix of the recurrence. */
#include "example.h"

enum { COUNT = 1 << 20 };

typedef struct affine {
    float a, b;
} affine;

static affine steps[COUNT];

int main(void)
{
    clscan_element element = {.struct_size = sizeof element};
    clscan_custom_operator then = {.struct_size = sizeof then};
    clscan_problem problem = {sizeof problem, .op = CLSCAN_CUSTOM, .custom = &then, .max_count = COUNT,
                              .element = &element};
    clscan_run_args args = {sizeof args, .count = COUNT};
    cl_device_id device;
    const cl_context context = open_context(&device);
    const cl_command_queue queue = open_queue(context, device, 0);

    for (int i = 0; i < COUNT; ++i)
        steps[i] = (affine){0.875f, 0.125f * (float)(i % 100)};
    const cl_mem buffer = open_buffer(context, sizeof steps, steps);

    clscan_ready_get(CLSCAN_READY_AFFINE_FLOAT, &element, &then);
    args.in.buffer = args.out.buffer = buffer;
    plan_and_run(context, device, queue, &problem, &args);

    static affine prefixes[COUNT];
    read_back(queue, buffer, sizeof prefixes, prefixes);
    float y = 10, worst = 0; /* y before the first step; what follows it is prefix(y) */
    for (int i = 0; i < COUNT; ++i) {
        y = steps[i].a * y + steps[i].b;
        const float parallel = prefixes[i].a * 10 + prefixes[i].b;
        const float difference = parallel > y ? parallel - y : y - parallel;
        worst = difference > worst ? difference : worst;
    }
    printf("y[%d] is %.4f, and no value is off by more than 0.001: %s\n", COUNT - 1, y, worst < 0.001f ? "yes" : "no");
    close_all(context, queue, 1, (const cl_mem[]){buffer});
    return worst < 0.001f ? 0 : 1;
}
