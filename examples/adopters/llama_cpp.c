/* llama.cpp's cumsum: the rows of a tensor of floats with four dimensions, the first of which is the fastest, and whose
 * strides are in bytes. */
#include "../programs/program.h"

enum { N0 = 300, N1 = 7, N2 = 5, N3 = 3, PADDED = 320, COUNT = N3 * N2 * N1 * PADDED };

static void cumsum(const session *s, cl_mem src, cl_mem dst, const uint64_t ne[4], const uint64_t nb_src[4],
                   const uint64_t nb_dst[4])
{
    clscan_rows rows = {sizeof rows, .dimensions = 4, .axis = 3};

    for (int i = 0; i < 4; ++i) {
        rows.extents[3 - i] = ne[i];
        rows.in_strides[3 - i] = nb_src[i] / sizeof(cl_float);
        rows.out_strides[3 - i] = nb_dst[i] / sizeof(cl_float);
    }
    const clscan_problem problem = {sizeof problem, .type = CLSCAN_FLOAT, .max_count = ne[0], .rows = &rows};
    run_once(s, &problem,
             &(clscan_run_args){sizeof(clscan_run_args), .in.buffer = src, .out.buffer = dst, .count = ne[0]});
}

int main(void)
{
    /* The input has its dimensions 1 and 2 exchanged in memory, and gaps behind its rows. */
    static const uint64_t ne[4] = {N0, N1, N2, N3}, nb_src[4] = {4, 4 * PADDED * N2, 4 * PADDED, 4 * PADDED * N2 * N1},
                          nb_dst[4] = {4, 4 * N0, 4 * N0 * N1, 4 * N0 * N1 * N2};
    static float data[COUNT];
    const session s = open_session();
    const size_t out_bytes = N3 * nb_dst[3];
    int wrong = 0;

    for (int i = 0; i < COUNT; ++i)
        data[i] = i % PADDED < N0 ? (float)(i % 11) : -1000;
    const cl_mem src = open_buffer(s.context, sizeof data, data), dst = open_buffer(s.context, out_bytes, NULL);
    cumsum(&s, src, dst, ne, nb_src, nb_dst);
    float *sums = read_buffer(&s, dst, out_bytes), expected = 0;
    for (uint64_t i = 0; i < out_bytes / sizeof *sums; ++i) {
        const uint64_t i0 = i % N0, i1 = i / N0 % N1, i2 = i / (N0 * N1) % N2, i3 = i / (N0 * N1 * N2);
        const float element = data[(i0 * nb_src[0] + i1 * nb_src[1] + i2 * nb_src[2] + i3 * nb_src[3]) / 4];
        expected = i0 > 0 ? expected + element : element;
        wrong += sums[i] != expected;
    }
    printf("%d rows of %d: %d sums are wrong\n", N1 * N2 * N3, N0, wrong);
    free(sums);
    close_session(&s);
    return wrong != 0;
}
