/* Partition: first the orders that were paid, then the others, each in the order in which they came: a selection by
 * flags, with the rest behind what is kept. */
#include "example.h"

enum { ORDERS = 100000 };

int main(void)
{
    static unsigned order[ORDERS], sorted[ORDERS], number, paid_count;
    static unsigned char paid[ORDERS];
    cl_device_id device;
    int wrong = 0;

    for (unsigned i = 0; i < ORDERS; ++i) {
        order[i] = 7000000 + i;
        paid_count += paid[i] = i * 37 % 11 < 4;
    }
    const cl_context context = open_context(&device);
    const cl_command_queue queue = open_queue(context, device, 0);
    const cl_mem in = open_buffer(context, sizeof order, order), out = open_buffer(context, sizeof sorted, NULL),
                 flags = open_buffer(context, sizeof paid, paid), total = open_buffer(context, sizeof number, NULL);

    const clscan_select select = {.struct_size = sizeof select, .flag_bytes = 1, .rest = CLSCAN_REST_BEHIND};
    const clscan_problem problem = {sizeof problem, CLSCAN_SELECT, .type = CLSCAN_UINT32, .max_count = ORDERS,
                                    .select = &select};

    const clscan_selection selection = {sizeof selection, .flags.buffer = flags};
    const clscan_run_args args = {sizeof args,     .in.buffer = in,       .out.buffer = out,
                                  .count = ORDERS, .total.buffer = total, .selection = &selection};
    plan_and_run(context, device, queue, &problem, &args);
    read_back(queue, out, sizeof sorted, sorted);
    read_back(queue, total, sizeof number, &number);

    for (unsigned i = 0; i < ORDERS; ++i) {
        wrong += paid[sorted[i] - order[0]] != (i < paid_count);
        wrong += i > 0 && i != paid_count && sorted[i] <= sorted[i - 1];
    }
    wrong += number != paid_count;
    printf("%d orders, %u of them paid, %d mistakes\n", ORDERS, number, wrong);
    close_all(context, queue, 4, (const cl_mem[]){in, out, flags, total});
    return wrong != 0;
}
