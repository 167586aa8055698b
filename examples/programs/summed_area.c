/* summed_area [IN.pgm [BLURRED.pgm [TABLE.pgm]]]: the summed-area table of a grey picture, and the picture blurred by
 * it. TABLE.pgm shows the table, whose largest sum is white.
 *
 * The table has at each pixel the sum of all pixels up to it, above and to the left: running sums along the lines,
 * then, in place, along the columns. Four numbers of it give the sum of a box, however large that is. */
#include "picture.h"

enum { RADIUS = 3 };

static void write_picture(const char *name, const picture *p)
{
    FILE *file = open_file(name, "wb");

    fprintf(file, "P5\n%u %u\n255\n", p->width, p->height);
    if (fwrite(p->pixel, p->width, p->height, file) != p->height || fclose(file) != 0)
        refuse(name, "cannot be written");
}

/* The table on the device. Sums are modulo 2^32, which leaves those of boxes right. */
static cl_uint *make_table(const picture *p)
{
    const session s = open_session();
    const size_t pixels = (size_t)p->width * p->height;
    const cl_mem in = open_buffer(s.context, pixels, p->pixel), out = open_buffer(s.context, pixels * 4, NULL);

    const clscan_element wide = {.struct_size = sizeof wide, .type = CLSCAN_UINT32};
    const clscan_rows lines = {.struct_size = sizeof lines, .count = p->height};
    const clscan_problem across = {sizeof across, .type = CLSCAN_UINT8, .output = &wide, .max_count = p->width,
                                   .rows = &lines};
    run_once(&s, &across,
             &(clscan_run_args){sizeof(clscan_run_args), .in.buffer = in, .out.buffer = out, .count = p->width});

    const clscan_rows columns = {
        .struct_size = sizeof columns, .dimensions = 2, .axis = 0, .extents = {p->height, p->width}};
    const clscan_problem down = {sizeof down, .type = CLSCAN_UINT32, .max_count = p->height, .rows = &columns};
    run_once(&s, &down,
             &(clscan_run_args){sizeof(clscan_run_args), .in.buffer = out, .out.buffer = out, .count = p->height});
    cl_uint *table = read_buffer(&s, out, pixels * sizeof *table);
    close_session(&s);
    return table;
}

/* As a picture, in which the sum of all pixels is white. */
static void write_table(const char *name, const picture *p, const cl_uint *table)
{
    const size_t pixels = (size_t)p->width * p->height;
    const cl_uint all = table[pixels - 1];

    for (size_t i = 0; i < pixels; ++i)
        p->pixel[i] = (unsigned char)(all > 0 ? (cl_ulong)table[i] * 255 / all : 0);
    write_picture(name, p);
}

/* The sum of the pixels above and to the left of (x, y), which it leaves out. */
static cl_uint corner(const cl_uint *table, cl_uint width, cl_uint x, cl_uint y)
{
    return x == 0 || y == 0 ? 0 : table[(size_t)(y - 1) * width + x - 1];
}

int main(int argc, char **argv)
{
    const picture p = read_picture(argc > 1 ? argv[1] : NULL);
    picture blurred = {p.width, p.height, allocate((size_t)p.width * p.height)};
    cl_uint *table = make_table(&p), wrong = 0;

    for (cl_uint y = 0; y < p.height; ++y)
        for (cl_uint x = 0; x < p.width; ++x) {
            const cl_uint left = x < RADIUS ? 0 : x - RADIUS, top = y < RADIUS ? 0 : y - RADIUS,
                          right = x + RADIUS < p.width ? x + RADIUS + 1 : p.width,
                          bottom = y + RADIUS < p.height ? y + RADIUS + 1 : p.height;
            const cl_uint sum = corner(table, p.width, right, bottom) - corner(table, p.width, left, bottom) -
                                corner(table, p.width, right, top) + corner(table, p.width, left, top);
            cl_uint expected = 0;
            for (cl_uint v = top; v < bottom; ++v)
                for (cl_uint u = left; u < right; ++u)
                    expected += p.pixel[(size_t)v * p.width + u];
            wrong += sum != expected;
            blurred.pixel[(size_t)y * p.width + x] = (unsigned char)(sum / ((right - left) * (bottom - top)));
        }
    if (argc > 2)
        write_picture(argv[2], &blurred);
    if (argc > 3)
        write_table(argv[3], &blurred, table);
    printf("%u x %u pixels: the sums of %u boxes are wrong\n", p.width, p.height, wrong);
    free(table);
    free(p.pixel);
    free(blurred.pixel);
    return wrong != 0;
}
