#include "group_parts.h"

#include <stdlib.h>
#include <string.h>

#include "measure/case.h"

#define CHUNK_BYTES ((size_t)16 << 20)
/* Bytes behind the output of a part that a scan must leave alone. */
#define CANARY_BYTES 64
#define CANARY_BYTE 0xA5

/* Rows in the memory of a device, of which some bytes are moved. */
typedef struct image {
    cl_command_queue queue;
    cl_mem buffer;
    uint64_t first_row, first_byte, pitch_bytes;
} image;

static uint64_t smaller(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* A block of rows, or a piece of one, of which `chunk` has or gets the bytes without gaps. Rows are told by the number
 * of the first one, and a single one is no rectangle: NVIDIA's driver 580.159.04 writes to a wrong place where the
 * first coordinate of a rectangle is 2^32 and more. */
static cl_int move_block(const image *at, bool to_chunk, uint64_t row, uint64_t first, uint64_t width, uint64_t height,
                         char *chunk)
{
    const size_t zero[3] = {0, 0, 0}, region[3] = {(size_t)width, (size_t)height, 1};
    const size_t start[3] = {(size_t)(at->first_byte + first), (size_t)(at->first_row + row), 0};
    const size_t pitch = (size_t)at->pitch_bytes, offset = start[1] * pitch + start[0];

    if (height == 1)
        return to_chunk ? clEnqueueReadBuffer(at->queue, at->buffer, CL_TRUE, offset, region[0], chunk, 0, NULL, NULL)
                        : clEnqueueWriteBuffer(at->queue, at->buffer, CL_TRUE, offset, region[0], chunk, 0, NULL, NULL);
    return to_chunk ? clEnqueueReadBufferRect(at->queue, at->buffer, CL_TRUE, start, zero, region, pitch, 0, 0, 0,
                                              chunk, 0, NULL, NULL)
                    : clEnqueueWriteBufferRect(at->queue, at->buffer, CL_TRUE, start, zero, region, pitch, 0, 0, 0,
                                               chunk, 0, NULL, NULL);
}

static image as_one_row(const image *rows, uint64_t width)
{
    return (image){rows->queue, rows->buffer, 0, rows->first_row * rows->pitch_bytes + rows->first_byte, width};
}

/* From the memory of one device to that of another one, through the host. */
static bool move(const image *from, const image *to, uint64_t width, uint64_t height, measure_note *note)
{
    char *chunk = malloc(CHUNK_BYTES);
    const bool whole = from->pitch_bytes == width && to->pitch_bytes == width;
    cl_int code = CL_SUCCESS;
    uint64_t columns, rows;

    if (chunk == NULL)
        return measure_fail(note, "no host memory");
    if (whole) { /* rows without gaps are one long row, which takes fewer calls */
        width *= height;
        height = 1;
    }
    columns = smaller(width, CHUNK_BYTES);
    rows = columns > 0 ? CHUNK_BYTES / columns : 1;
    for (uint64_t row = 0; row < height; row += rows) {
        const image ends[2] = {whole ? as_one_row(from, width) : *from, whole ? as_one_row(to, width) : *to};

        for (uint64_t first = 0; first < width && code == CL_SUCCESS; first += columns)
            for (size_t end = 0; end < 2 && code == CL_SUCCESS; ++end)
                code = move_block(&ends[end], end == 0, row, first, smaller(columns, width - first),
                                  smaller(rows, height - row), chunk);
    }
    free(chunk);
    return code == CL_SUCCESS || measure_fail_opencl(note, "a transfer between devices", code);
}

/* Where a part is in a buffer of the case, and in one of its own. */
static image image_of_case(const measure_case *c, cl_mem buffer, const bench_place *place)
{
    const uint64_t element_bytes = measure_element_bytes(&c->problem);
    const uint64_t pitch_bytes = measure_scan_count(&c->problem) * element_bytes;

    return (image){c->device->queue, buffer, place->first_row, place->first * element_bytes, pitch_bytes};
}

static image image_of_part(const bench_parts *parts, const measure_case *c, size_t index, cl_mem buffer)
{
    return (image){parts->members.all[index].queue, buffer, 0, 0,
                   parts->places[index].count * measure_element_bytes(&c->problem)};
}

static uint64_t bytes_of(const bench_parts *parts, const measure_case *c, size_t index)
{
    const bench_place *place = &parts->places[index];

    return place->row_count * place->count * measure_element_bytes(&c->problem);
}

/* Give a part its memory, with what it has of the source. */
static bool open_part(bench_parts *parts, const measure_case *c, size_t index, measure_note *note)
{
    const clscan_member *member = &parts->members.all[index];
    const bench_place *place = &parts->places[index];
    clscan_part *part = &parts->parts[index];
    const uint64_t bytes = bytes_of(parts, c, index);
    const image from = image_of_case(c, c->source, place);
    unsigned char canary[CANARY_BYTES];
    image to;
    cl_int code;

    *part = (clscan_part){.struct_size = sizeof *part, .count = place->count};
    if (c->problem.rows.count > 0) {
        parts->rows[index] = (clscan_rows){.struct_size = sizeof parts->rows[index], .count = place->row_count};
        part->rows = &parts->rows[index];
    }
    if (bytes == 0)
        return true;
    memset(canary, CANARY_BYTE, sizeof canary);
    part->in.buffer = clCreateBuffer(member->context, CL_MEM_READ_WRITE, bytes, NULL, &code);
    if (code == CL_SUCCESS)
        part->out.buffer = clCreateBuffer(member->context, CL_MEM_READ_WRITE, bytes + CANARY_BYTES, NULL, &code);
    if (code != CL_SUCCESS)
        return measure_fail_opencl(note, "clCreateBuffer", code);
    MEASURE_TRY(note, clEnqueueWriteBuffer,
                (member->queue, part->out.buffer, CL_TRUE, bytes, sizeof canary, canary, 0, NULL, NULL));
    to = image_of_part(parts, c, index, part->in.buffer);
    return move(&from, &to, to.pitch_bytes, place->row_count, note);
}

/* As alike as can be. */
static bool deal(uint64_t count, size_t share_count, uint64_t *shares, measure_note *note)
{
    clscan_error error;

    return clscan_devices_deal(count, NULL, share_count, shares, &error) == CLSCAN_OK ||
           measure_fail(note, "%s", error.message);
}

static bool cut(bench_parts *parts, const measure_case *c, measure_note *note)
{
    const uint64_t row_count = c->problem.rows.count > 0 ? c->problem.rows.count : 1;
    uint64_t rows[CLSCAN_MOST_DEVICES], counts[CLSCAN_MOST_DEVICES], first_row = 0, first = 0;

    if (!deal(row_count, parts->members.count / parts->sharing, rows, note) ||
        !deal(measure_scan_count(&c->problem), parts->sharing, counts, note))
        return false;
    for (size_t i = 0; i < parts->members.count; ++i) {
        const size_t group = i / parts->sharing, of_group = i % parts->sharing;

        first = of_group == 0 ? 0 : first;
        parts->places[i] = (bench_place){first_row, rows[group], first, counts[of_group]};
        first += counts[of_group];
        if (of_group + 1 == parts->sharing)
            first_row += rows[group];
        if (rows[group] > parts->largest.row_count)
            parts->largest.row_count = rows[group];
        if (counts[of_group] > parts->largest.count)
            parts->largest.count = counts[of_group];
    }
    return true;
}

bool bench_parts_open(bench_parts *parts, const measure_case *c, const char *request, size_t sharing,
                      measure_note *note)
{
    parts->sharing = sharing;
    if (!bench_members_open(&parts->members, c->device, request, note) || !cut(parts, c, note))
        return false;
    for (size_t i = 0; i < parts->members.count; ++i) {
        if (!open_part(parts, c, i, note))
            return false;
    }
    return true;
}

measure_problem bench_parts_problem(const bench_parts *parts, const measure_case *c, size_t index)
{
    const bench_place *place = index < parts->members.count ? &parts->places[index] : &parts->largest;
    measure_problem problem = c->problem;

    problem.count = place->row_count * place->count;
    problem.bytes = problem.count * measure_element_bytes(&problem);
    if (problem.rows.count > 0)
        problem.rows.count = place->row_count;
    return problem;
}

static bool check_canary(const bench_parts *parts, const measure_case *c, size_t index, measure_note *note)
{
    unsigned char canary[CANARY_BYTES];

    MEASURE_TRY(note, clEnqueueReadBuffer,
                (parts->members.all[index].queue, parts->parts[index].out.buffer, CL_TRUE, bytes_of(parts, c, index),
                 sizeof canary, canary, 0, NULL, NULL));
    for (size_t i = 0; i < sizeof canary; ++i) {
        if (canary[i] != CANARY_BYTE)
            return measure_fail(note, "byte %zu behind part %zu is not what it was", i, index);
    }
    return true;
}

bool bench_parts_gather(const bench_parts *parts, const measure_case *c, measure_note *note)
{
    for (size_t i = 0; i < parts->members.count; ++i) {
        const image from = image_of_part(parts, c, i, parts->parts[i].out.buffer);
        const image to = image_of_case(c, c->target, &parts->places[i]);

        if (bytes_of(parts, c, i) > 0 &&
            (!move(&from, &to, from.pitch_bytes, parts->places[i].row_count, note) || !check_canary(parts, c, i, note)))
            return false;
    }
    return true;
}

void bench_parts_release(bench_parts *parts)
{
    for (size_t i = 0; i < parts->members.count; ++i) {
        if (parts->parts[i].in.buffer != NULL)
            clReleaseMemObject(parts->parts[i].in.buffer);
        if (parts->parts[i].out.buffer != NULL)
            clReleaseMemObject(parts->parts[i].out.buffer);
    }
}
