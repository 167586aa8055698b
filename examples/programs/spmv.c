/* spmv [FILE.mtx]: y = A x of a sparse matrix, in one run.
 *
 * The rows of A are segments of its entries, whose offsets the matrix has anyway. A map multiplies each entry by the
 * element of x in its column; the sum of each segment is an element of y, of an empty row 0. */
#include "matrix_market.h"

int main(int argc, char **argv)
{
    const sparse a = read_matrix(argc > 1 ? argv[1] : NULL);
    cl_float *x = allocate(a.columns * sizeof *x);
    const session s = open_session();

    for (cl_uint i = 0; i < a.columns; ++i)
        x[i] = 1 + (cl_float)(i % 10) / 8;
    const cl_mem values = open_buffer(s.context, a.entries * sizeof *a.value, a.value),
                 columns = open_buffer(s.context, a.entries * sizeof *a.column, a.column),
                 offsets = open_buffer(s.context, (a.rows + 1) * sizeof *a.offset, a.offset),
                 factors = open_buffer(s.context, a.columns * sizeof *x, x),
                 products = open_buffer(s.context, a.rows * sizeof *x, NULL);

    const clscan_map_argument arguments[2] = {
        {sizeof arguments[0], "column", .type = CLSCAN_UINT32, .is_buffer = 1, .count = a.entries},
        {sizeof arguments[0], "x", .type = CLSCAN_FLOAT, .is_buffer = 1, .count = a.columns}};
    const clscan_map multiply = {.struct_size = sizeof multiply,
                                 .expression = "element * x[column[index]]",
                                 .arguments = arguments,
                                 .argument_count = 2};
    const clscan_segments rows = {.struct_size = sizeof rows, .by = CLSCAN_BY_OFFSETS, .type = CLSCAN_UINT32};
    const clscan_problem problem = {sizeof problem,         CLSCAN_REDUCE,     .type = CLSCAN_FLOAT,
                                    .max_count = a.entries, .load = &multiply, .segments = &rows};
    const clscan_segment_sums sums = {sizeof sums, .sums.buffer = products};
    run_once(&s, &problem,
             &(clscan_run_args){sizeof(clscan_run_args), .in.buffer = values, .count = a.entries,
                                .map_arguments = (clscan_memory[]){{.buffer = columns}, {.buffer = factors}},
                                .map_argument_count = 2, .segments.buffer = offsets, .offset_count = a.rows + 1,
                                .segment_sums = &sums});

    cl_float *y = read_buffer(&s, products, a.rows * sizeof *y);
    cl_uint wrong = 0;
    for (cl_uint row = 0; row < a.rows; ++row) {
        double expected = 0, size = 0; /* rounding errors grow with the sum of the absolute values */
        for (cl_uint i = a.offset[row]; i < a.offset[row + 1]; ++i) {
            const double product = (double)a.value[i] * x[a.column[i]];
            expected += product;
            size += product < 0 ? -product : product;
        }
        const double bound = size * (a.offset[row + 1] - a.offset[row]) * 0x1p-24, difference = y[row] - expected;
        wrong += !(difference <= bound && -difference <= bound);
    }
    printf("%u rows with %u entries: %u elements of y are wrong\n", a.rows, a.entries, wrong);
    free(x);
    free(y);
    free_matrix(&a);
    close_session(&s);
    return wrong != 0;
}
