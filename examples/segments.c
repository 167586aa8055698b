/* Running totals of each customer's payments, in a list that is sorted by customer: a scan that begins anew where the
 * key changes. */
#include "example.h"

enum { PAYMENTS = 100000 };

int main(void)
{
    static int customer[PAYMENTS], cents[PAYMENTS], balance[PAYMENTS];
    cl_device_id device;
    int wrong = 0;

    for (int i = 0; i < PAYMENTS; ++i) {
        customer[i] = i > 0 ? customer[i - 1] + (i * 37 % 11 == 0) : 1000;
        cents[i] = i * 53 % 997;
    }
    const cl_context context = open_context(&device);
    const cl_command_queue queue = open_queue(context, device, 0);
    const cl_mem customers = open_buffer(context, sizeof customer, customer),
                 payments = open_buffer(context, sizeof cents, cents),
                 balances = open_buffer(context, sizeof balance, NULL);

    const clscan_segments segments = {.struct_size = sizeof segments, .by = CLSCAN_BY_KEYS, .type = CLSCAN_INT32};
    const clscan_problem problem = {
        .struct_size = sizeof problem, .type = CLSCAN_INT32, .max_count = PAYMENTS, .segments = &segments};

    const clscan_run_args args = {.struct_size = sizeof args,
                                  .in.buffer = payments,
                                  .out.buffer = balances,
                                  .count = PAYMENTS,
                                  .segments.buffer = customers};
    plan_and_run(context, device, queue, &problem, &args);
    read_back(queue, balances, sizeof balance, balance);

    for (int i = 0; i < PAYMENTS; ++i) {
        const int before = i > 0 && customer[i] == customer[i - 1] ? balance[i - 1] : 0;
        wrong += balance[i] != before + cents[i];
    }
    printf("%d payments of %d customers, %d balances are wrong\n", PAYMENTS, customer[PAYMENTS - 1] - 999, wrong);
    close_all(context, queue, 3, (const cl_mem[]){customers, payments, balances});
    return wrong != 0;
}
