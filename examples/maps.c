/* A running average of sold * price, in one pass: the product is a map on load, the division one on store. */
#include "example.h"

enum { SALES = 100000 };

int main(void)
{
    static cl_uint sold[SALES];
    static cl_float price[SALES], average[SALES];
    cl_device_id device;
    const cl_context context = open_context(&device);
    const cl_command_queue queue = open_queue(context, device, 0);

    for (int i = 0; i < SALES; ++i) {
        sold[i] = (cl_uint)(i % 7);
        price[i] = 0.25f * (cl_float)(i % 3 + 1);
    }
    const cl_mem amounts = open_buffer(context, sizeof sold, sold);
    const cl_mem prices = open_buffer(context, sizeof price, price);
    const cl_mem averages = open_buffer(context, sizeof average, NULL);

    const clscan_element number = {.struct_size = sizeof number, .type = CLSCAN_FLOAT};
    const clscan_map_argument list = {
        .struct_size = sizeof list, .name = "price", .type = CLSCAN_FLOAT, .is_buffer = 1, .count = SALES};
    const clscan_map load = {
        .struct_size = sizeof load, .expression = "element * price[index]", .arguments = &list, .argument_count = 1};
    const clscan_map store = {.struct_size = sizeof store, .expression = "sum / (index + 1)"};
    const clscan_problem problem = {.struct_size = sizeof problem,
                                    .type = CLSCAN_UINT32,
                                    .output = &number, /* and the accumulator */
                                    .max_count = SALES,
                                    .load = &load,
                                    .store = &store};
    const clscan_memory argument = {.buffer = prices};
    clscan_run_args args = {.struct_size = sizeof args, .in.buffer = amounts, .out.buffer = averages, .count = SALES};
    args.map_arguments = &argument;
    args.map_argument_count = 1;

    plan_and_run(context, device, queue, &problem, &args);
    read_back(queue, averages, sizeof average, average);

    double sum = 0, worst = 0;
    for (int i = 0; i < SALES; ++i) {
        sum += (double)sold[i] * price[i];
        const double difference = average[i] - sum / (i + 1);
        worst = difference > worst ? difference : -difference > worst ? -difference : worst;
    }
    printf("average of %d sales: %g; off by at most %g\n", SALES, average[SALES - 1], worst);
    return worst < 1e-5 ? 0 : 1; /* the end of the process releases the OpenCL objects */
}
