/* Running sums along every line of an image whose lines are padded: one run, whatever the number of lines. */
#include "example.h"

enum { LINES = 480, WIDTH = 641, PITCH = 704 };

static float image[LINES * PITCH], sums[LINES * PITCH], line_totals[LINES];

int main(void)
{
    const clscan_rows rows = {sizeof rows, .count = LINES, .in_pitch = PITCH, .out_pitch = PITCH};
    const clscan_problem problem = {sizeof problem, .type = CLSCAN_FLOAT, .op = CLSCAN_ADD, .max_count = WIDTH,
                                    .rows = &rows};
    clscan_run_args args = {sizeof args, .count = WIDTH};
    cl_device_id device;
    const cl_context context = open_context(&device);
    const cl_command_queue queue = open_queue(context, device, 0);
    int wrong = 0;

    for (int i = 0; i < LINES * PITCH; ++i)
        image[i] = i % PITCH < WIDTH ? (float)(i % 7) : -1000; /* the padding is neither read nor written */
    const cl_mem pixels = open_buffer(context, sizeof image, image);
    const cl_mem totals = open_buffer(context, sizeof line_totals, line_totals);

    args.in.buffer = args.out.buffer = pixels;
    args.total.buffer = totals; /* one of each line */
    plan_and_run(context, device, queue, &problem, &args);

    read_back(queue, pixels, sizeof sums, sums);
    read_back(queue, totals, sizeof line_totals, line_totals);
    for (int line = 0; line < LINES; ++line) {
        float sum = 0;
        for (int x = 0; x < PITCH; ++x) {
            const int at = line * PITCH + x;
            sum += x < WIDTH ? image[at] : 0;
            wrong += sums[at] != (x < WIDTH ? sum : image[at]);
        }
        wrong += line_totals[line] != sum;
    }
    printf("%d lines of %d pixels: %d wrong; the first line sums up to %.0f\n", LINES, WIDTH, wrong, line_totals[0]);
    close_all(context, queue, 2, (const cl_mem[]){pixels, totals});
    return wrong != 0;
}
