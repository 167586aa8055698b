/* pipeline [FILE [LENGTH]]: the lines of a text that have more than LENGTH characters (40), one behind the other.
 *
 * Select, select, scan, gather: where lines end, which of them are long, where each of these goes, and the copy. Every
 * number that a step finds is the count of the next one, and stays on the device: the host reads the end's alone. */
#include "program.h"

static const char source[] =
    "kernel void gather(global const char *in, global const uint *ends, global const uint *lines,\n"
    "                   global const uint *places, global const uint *count, global char *out)\n"
    "{\n"
    "    for (uint i = get_global_id(0); i < *count; i += get_global_size(0)) {\n"
    "        const uint line = lines[i], begin = line > 0 ? ends[line - 1] + 1 : 0;\n"
    "        for (uint k = begin; k <= ends[line]; ++k)\n"
    "            out[places[i] + k - begin] = in[k];\n"
    "    }\n"
    "}\n";

/* What plain C makes of the text: the packed lines; returns how many bytes. */
static size_t pack(const char *text, size_t size, size_t limit, char *out)
{
    size_t begin = 0, packed = 0;

    for (size_t i = 0; i < size; ++i)
        if (text[i] == '\n') {
            if (i - begin > limit) {
                memcpy(out + packed, text + begin, i + 1 - begin);
                packed += i + 1 - begin;
            }
            begin = i + 1;
        }
    return packed;
}

int main(int argc, char **argv)
{
    size_t size;
    char *text = read_text(argc > 1 ? argv[1] : NULL, &size);
    const cl_uint limit = argc > 2 ? (cl_uint)strtoul(argv[2], NULL, 10) : 40;
    const session s = open_session();
    const cl_mem in = open_buffer(s.context, size, text), out = open_buffer(s.context, size, NULL),
                 ends = open_buffer(s.context, size * 4, NULL), lines = open_buffer(s.context, size * 4, NULL),
                 places = open_buffer(s.context, size * 4, NULL), line_count = open_buffer(s.context, 4, NULL),
                 kept = open_buffer(s.context, 4, NULL), bytes = open_buffer(s.context, 4, NULL);

    const clscan_element number = {.struct_size = sizeof number, .type = CLSCAN_UINT32};
    const clscan_map newline = {.struct_size = sizeof newline, .expression = "element == '\\n'"};
    const clscan_map index = {.struct_size = sizeof index, .expression = "index"};
    const clscan_problem find = {sizeof find,       CLSCAN_SELECT,    .type = CLSCAN_INT8, .max_count = size,
                                 .output = &number, .load = &newline, .store = &index};
    run_once(&s, &find,
             &(clscan_run_args){sizeof(clscan_run_args), .in.buffer = in, .out.buffer = ends, .count = size,
                                .total.buffer = line_count});

    const clscan_map_argument least = {sizeof least, "limit", .type = CLSCAN_UINT32};
    const clscan_map is_long = {sizeof is_long, "(index == 0 ? element : element - before - 1) > limit",
                                .arguments = &least, .argument_count = 1};
    const clscan_problem keep = {sizeof keep,      CLSCAN_SELECT,   .type = CLSCAN_UINT32, .max_count = size,
                                 .load = &is_long, .store = &index, .count_bytes = 4};
    run_once(&s, &keep,
             &(clscan_run_args){sizeof(clscan_run_args), .in.buffer = ends, .out.buffer = lines, .count = size,
                                .device_count.buffer = line_count, .total.buffer = kept,
                                .map_arguments = &(clscan_memory){CLSCAN_MEMORY_HOST, .pointer = &limit},
                                .map_argument_count = 1});

    const clscan_map_argument end = {sizeof end, "end", CLSCAN_UINT32, .is_buffer = 1, .count = size};
    const clscan_map length = {sizeof length, "end[element] + 1 - (element == 0 ? 0 : end[element - 1] + 1)",
                               .arguments = &end, .argument_count = 1};
    const clscan_problem place = {sizeof place,      .type = CLSCAN_UINT32, .form = CLSCAN_EXCLUSIVE,
                                  .max_count = size, .load = &length,       .count_bytes = 4};
    run_once(&s, &place,
             &(clscan_run_args){sizeof(clscan_run_args), .in.buffer = lines, .out.buffer = places, .count = size,
                                .device_count.buffer = kept, .total.buffer = bytes,
                                .map_arguments = &(clscan_memory){.buffer = ends}, .map_argument_count = 1});

    const cl_kernel gather = open_kernel(&s, source, "gather");
    run_kernel(&s, gather, 6, (cl_mem[]){in, ends, lines, places, kept, out});
    clReleaseKernel(gather);

    const cl_uint packed_bytes = read_number(&s, bytes);
    char *packed = read_buffer(&s, out, packed_bytes), *expected = allocate(size);
    const int right = pack(text, size, limit, expected) == packed_bytes && memcmp(packed, expected, packed_bytes) == 0;
    printf("%u bytes of lines of more than %u characters: %s\n", packed_bytes, limit, right ? "right" : "wrong");
    free(packed);
    free(expected);
    free(text);
    close_session(&s);
    return !right;
}
