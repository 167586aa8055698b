/* Rows of a table whose columns are arrays of their own: one run keeps those with a price of 90 and more, in all three
 * columns, and says which rows they were. */
#include "example.h"

#include <string.h>

enum { COUNT = 100000 };

int main(void)
{
    static float price[COUNT], dear_price[COUNT];
    static unsigned short day[COUNT], dear_day[COUNT];
    static char name[COUNT][12], dear_name[COUNT][12];
    static unsigned row[COUNT], kept;
    cl_device_id device;
    unsigned wrong = 0, at = 0;
    const cl_context context = open_context(&device);
    const cl_command_queue queue = open_queue(context, device, 0);

    for (unsigned i = 0; i < COUNT; ++i) {
        price[i] = (float)(i * 7 % 100);
        day[i] = (unsigned short)(i / 300);
        snprintf(name[i], sizeof name[i], "item %u", i % 5000);
    }
    const cl_mem prices = open_buffer(context, sizeof price, price), days = open_buffer(context, sizeof day, day),
                 names = open_buffer(context, sizeof name, name),
                 kept_prices = open_buffer(context, sizeof price, NULL),
                 kept_days = open_buffer(context, sizeof day, NULL),
                 kept_names = open_buffer(context, sizeof name, NULL), rows = open_buffer(context, sizeof row, NULL),
                 number = open_buffer(context, sizeof kept, NULL);

    const clscan_map dear = {.struct_size = sizeof dear, .expression = "element >= 90"};
    const uint32_t bytes[] = {sizeof *day, sizeof *name};
    const clscan_select select = {sizeof select, .index_bytes = 4, .column_bytes = bytes, .column_count = 2};
    const clscan_problem problem = {sizeof problem,     CLSCAN_SELECT, .type = CLSCAN_FLOAT,
                                    .max_count = COUNT, .load = &dear, .select = &select};

    const clscan_column columns[] = {{{.buffer = days}, {.buffer = kept_days}},
                                     {{.buffer = names}, {.buffer = kept_names}}};
    const clscan_selection selection = {sizeof selection, .columns = columns, .indices.buffer = rows};
    const clscan_run_args args = {sizeof args,    .in.buffer = prices,    .out.buffer = kept_prices,
                                  .count = COUNT, .total.buffer = number, .selection = &selection};
    plan_and_run(context, device, queue, &problem, &args);
    read_back(queue, number, sizeof kept, &kept);
    read_back(queue, kept_prices, sizeof price, dear_price);
    read_back(queue, kept_days, sizeof day, dear_day);
    read_back(queue, kept_names, sizeof name, dear_name);
    read_back(queue, rows, sizeof row, row);

    for (unsigned i = 0; i < COUNT; ++i)
        if (price[i] >= 90) {
            wrong += row[at] != i || (int)dear_price[at] != (int)price[i] || dear_day[at] != day[i];
            wrong += strcmp(dear_name[at++], name[i]) != 0;
        }
    printf("%u rows of %d, %u mistakes\n", kept, COUNT, wrong);
    const cl_mem buffers[] = {prices, days, names, kept_prices, kept_days, kept_names, rows, number};
    close_all(context, queue, sizeof buffers / sizeof buffers[0], buffers);
    return kept != at || wrong != 0;
}
