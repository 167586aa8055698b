/* OpenMM's neighbour offsets and bucket positions: n counts become n + 1 offsets, and sizes become the ends of buckets,
 * both in place. */
#include "../programs/program.h"

enum { COUNT = 50001 };

/* `counts` has room for one number more, which is then the number of all neighbours. */
static void neighbour_offsets(const session *s, cl_mem counts, uint64_t n)
{
    const clscan_problem problem = {sizeof problem, .type = CLSCAN_INT32, .form = CLSCAN_EXCLUSIVE, .max_count = n};

    run_once(s, &problem,
             &(clscan_run_args){sizeof(clscan_run_args), .in.buffer = counts, .out.buffer = counts, .count = n,
                                .total = {.buffer = counts, .offset = n}});
}

/* Of as many buckets as the device knows, n at most. */
static void bucket_positions(const session *s, cl_mem sizes, uint64_t n, cl_mem number)
{
    const clscan_problem problem = {sizeof problem, .type = CLSCAN_UINT32, .max_count = n, .count_bytes = 4};

    run_once(s, &problem,
             &(clscan_run_args){sizeof(clscan_run_args), .in.buffer = sizes, .out.buffer = sizes, .count = n,
                                .device_count.buffer = number});
}

int main(void)
{
    static cl_int data[COUNT + 1];
    const session s = open_session();
    cl_uint buckets = COUNT / 2;
    int expected = 0, wrong = 0;

    for (int i = 0; i <= COUNT; ++i)
        data[i] = i * 13 % 40;
    const cl_mem counts = open_buffer(s.context, sizeof data, data), sizes = open_buffer(s.context, sizeof data, data),
                 number = open_buffer(s.context, 4, &buckets);
    neighbour_offsets(&s, counts, COUNT);
    bucket_positions(&s, sizes, COUNT, number);
    cl_int *offsets = read_buffer(&s, counts, sizeof data), *ends = read_buffer(&s, sizes, sizeof data);
    for (int i = 0; i <= COUNT; ++i) {
        wrong += offsets[i] != expected;
        expected += data[i];
        wrong += ends[i] != (i < COUNT / 2 ? expected : data[i]); /* what lies behind the count stays */
    }
    printf("%d offsets and %u buckets: %d mistakes\n", COUNT + 1, buckets, wrong);
    free(offsets);
    free(ends);
    close_session(&s);
    return wrong != 0;
}
