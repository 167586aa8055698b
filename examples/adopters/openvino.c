/* OpenVINO's CumSum and NonZero: a sum along any axis of a tensor, and the coordinates of what is not zero. */
#include "../programs/program.h"

enum { PLANES = 30, LINES = 41, WIDTH = 52, COUNT = PLANES * LINES * WIDTH };

/* CumSum. A tensor of any rank without gaps is one of three dimensions: those before the axis, it, those behind it. */
static void cum_sum(const session *s, cl_mem in, cl_mem out, const size_t *shape, size_t rank, size_t axis,
                    int exclusive, int reverse)
{
    clscan_rows rows = {sizeof rows, .dimensions = 3, .axis = 1, .extents = {1, shape[axis], 1}};

    for (size_t i = 0; i < rank; ++i)
        if (i != axis)
            rows.extents[i < axis ? 0 : 2] *= shape[i];
    const clscan_problem problem = {sizeof problem,
                                    .type = CLSCAN_FLOAT,
                                    .form = exclusive ? CLSCAN_EXCLUSIVE : CLSCAN_INCLUSIVE,
                                    .direction = reverse ? CLSCAN_REVERSE : CLSCAN_FORWARD,
                                    .max_count = shape[axis],
                                    .rows = &rows};
    run_once(s, &problem,
             &(clscan_run_args){sizeof(clscan_run_args), .in.buffer = in, .out.buffer = out, .count = shape[axis]});
}

/* NonZero: the coordinates of each element that is not 0, as a vector, and how many there are. */
static void non_zero(const session *s, cl_mem in, cl_uint count, const cl_uint shape[4], cl_mem coordinates,
                     cl_mem number)
{
    const clscan_map_argument extents = {sizeof extents, "shape", .type = CLSCAN_UINT32, .lanes = 4};
    const clscan_map place = {sizeof place,
                              "(uint4)(index / (shape.y * shape.z * shape.w), index / (shape.z * shape.w) % shape.y, "
                              "index / shape.w % shape.z, index % shape.w)",
                              .arguments = &extents, .argument_count = 1};
    const clscan_map differs = {.struct_size = sizeof differs, .expression = "element != 0"};
    const clscan_element vector = {.struct_size = sizeof vector, .type = CLSCAN_UINT32, .lanes = 4};
    const clscan_problem problem = {sizeof problem,     CLSCAN_SELECT,    .type = CLSCAN_FLOAT, .output = &vector,
                                    .max_count = count, .load = &differs, .store = &place};
    run_once(s, &problem,
             &(clscan_run_args){sizeof(clscan_run_args), .in.buffer = in, .out.buffer = coordinates, .count = count,
                                .total.buffer = number,
                                .map_arguments = &(clscan_memory){CLSCAN_MEMORY_HOST, .pointer = shape},
                                .map_argument_count = 1});
}

/* What is wrong with the sums along an axis, of which the elements are `stride` apart. The numbers are small integers,
 * so that sums of floats are exact. */
static int check_sums(const float *in, const float *sums, size_t axis, int exclusive, int reverse)
{
    const size_t shape[3] = {PLANES, LINES, WIDTH}, strides[3] = {LINES * WIDTH, WIDTH, 1};
    int wrong = 0;

    for (size_t i = 0; i < COUNT; ++i) {
        const size_t place = i / strides[axis] % shape[axis], first = i - place * strides[axis];
        float expected = 0;
        for (size_t k = 0; k < shape[axis]; ++k)
            if (k == place ? !exclusive : reverse ? k > place : k < place)
                expected += in[first + k * strides[axis]];
        wrong += sums[i] != expected;
    }
    return wrong;
}

static int check_coordinates(const float *in, const cl_uint4 *coordinates, cl_uint number)
{
    cl_uint found = 0;
    int wrong = 0;

    for (cl_uint i = 0; i < COUNT; ++i)
        if (in[i] != 0) {
            const cl_uint expected[4] = {0, i / (LINES * WIDTH), i / WIDTH % LINES, i % WIDTH};
            wrong += found >= number || memcmp(&coordinates[found], expected, sizeof expected) != 0;
            ++found;
        }
    return wrong + (found != number);
}

int main(void)
{
    static float data[COUNT];
    const session s = open_session();
    int wrong = 0;

    for (int i = 0; i < COUNT; ++i)
        data[i] = (float)(i * 7 % 5 * (i % 3 == 0));
    const cl_mem in = open_buffer(s.context, sizeof data, data), out = open_buffer(s.context, sizeof data, NULL),
                 coordinates = open_buffer(s.context, COUNT * sizeof(cl_uint4), NULL),
                 number = open_buffer(s.context, 4, NULL);
    for (int i = 0; i < 12; ++i) {
        const int axis = i / 4, exclusive = i / 2 % 2, reverse = i % 2;
        cum_sum(&s, in, out, (size_t[]){PLANES, LINES, WIDTH}, 3, (size_t)axis, exclusive, reverse);
        float *sums = read_buffer(&s, out, sizeof data);
        wrong += check_sums(data, sums, (size_t)axis, exclusive, reverse);
        free(sums);
    }
    non_zero(&s, in, COUNT, (cl_uint[]){1, PLANES, LINES, WIDTH}, coordinates, number);
    const cl_uint kept = read_number(&s, number);
    cl_uint4 *places = read_buffer(&s, coordinates, kept * sizeof *places);
    wrong += check_coordinates(data, places, kept);
    printf("12 sums along axes, and %u coordinates: %d are wrong\n", kept, wrong);
    free(places);
    close_session(&s);
    return wrong != 0;
}
