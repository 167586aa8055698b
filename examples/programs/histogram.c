/* histogram [FILE.pgm]: how many pixels of a grey picture have each value.
 *
 * Sorted pixels have equal ones side by side. Run-length encoding gives each value that occurs and the length of its
 * run, which is how many pixels have it. */
#include "picture.h"
#include "sort.h"

enum { VALUES = 256 };

int main(int argc, char **argv)
{
    const picture p = read_picture(argc > 1 ? argv[1] : NULL);
    cl_uint size = p.width * p.height;
    const session s = open_session();
    cl_mem pixels[] = {open_buffer(s.context, size, p.pixel), open_buffer(s.context, size, NULL)};
    const cl_mem count = open_buffer(s.context, sizeof size, &size), values = open_buffer(s.context, VALUES, NULL),
                 numbers = open_buffer(s.context, VALUES * sizeof(cl_uint), NULL),
                 runs = open_buffer(s.context, sizeof(cl_uint), NULL);

    const sorter sort = open_sorter(&s, &(sort_options){CLSCAN_UINT8, .capacity = size});
    run_sorter(&s, &sort, count, pixels, (cl_mem[]){NULL, NULL});
    close_sorter(&sort);

    const clscan_map first = {.struct_size = sizeof first, .expression = "index == 0 || element != before"};
    const clscan_select encode = {.struct_size = sizeof encode, .length_bytes = sizeof(cl_uint)};
    const clscan_problem occur = {sizeof occur,      CLSCAN_SELECT,  .type = CLSCAN_UINT8,
                                  .max_count = size, .load = &first, .select = &encode};
    const clscan_selection selection = {.struct_size = sizeof selection, .lengths.buffer = numbers, .capacity = VALUES};
    run_once(&s, &occur,
             &(clscan_run_args){sizeof(clscan_run_args), .in.buffer = pixels[0], .out.buffer = values, .count = size,
                                .total.buffer = runs, .selection = &selection});

    const cl_uint occurring = read_number(&s, runs);
    unsigned char *value = read_buffer(&s, values, VALUES);
    cl_uint *number = read_buffer(&s, numbers, VALUES * sizeof *number);
    cl_uint expected[VALUES] = {0}, most = 0, run = 0, wrong = 0;
    for (cl_uint i = 0; i < size; ++i)
        ++expected[p.pixel[i]];
    for (cl_uint i = 0; i < VALUES; ++i) {
        if (expected[i] > 0) {
            wrong += run >= occurring || value[run] != i || number[run] != expected[i];
            ++run;
        }
        most = expected[i] > expected[most] ? i : most;
    }
    wrong += run != occurring;
    printf("%u x %u pixels have %u values, most often %u; %u mistakes\n", p.width, p.height, occurring, most, wrong);
    free(value);
    free(number);
    free(p.pixel);
    close_session(&s);
    return wrong != 0;
}
