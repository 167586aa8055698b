/* lines [FILE]: where the lines of a text end, and how long the longest one is.
 *
 * A selection keeps the positions of the newlines, which are the index of the lines. Lengths are differences of
 * positions: a map makes them of the index for a reduction, whose count is the number that the selection found. */
#include "program.h"

int main(int argc, char **argv)
{
    size_t size;
    char *text = read_text(argc > 1 ? argv[1] : NULL, &size);
    const session s = open_session();
    const cl_mem characters = open_buffer(s.context, size, text), ends = open_buffer(s.context, size * 4, NULL),
                 number = open_buffer(s.context, 4, NULL), longest = open_buffer(s.context, 4, NULL);

    const clscan_element position = {.struct_size = sizeof position, .type = CLSCAN_UINT32};
    const clscan_map is_newline = {.struct_size = sizeof is_newline, .expression = "element == '\\n'"};
    const clscan_map index = {.struct_size = sizeof index, .expression = "index"};
    const clscan_problem select = {sizeof select,       CLSCAN_SELECT,       .type = CLSCAN_INT8, .max_count = size,
                                   .output = &position, .load = &is_newline, .store = &index};
    run_once(&s, &select,
             &(clscan_run_args){sizeof(clscan_run_args), .in.buffer = characters, .out.buffer = ends, .count = size,
                                .total.buffer = number});

    const clscan_map_argument end = {sizeof end, "end", CLSCAN_UINT32, .is_buffer = 1, .count = size};
    const clscan_map length = {.struct_size = sizeof length,
                               .expression = "index == 0 ? end[0] : end[index] - end[index - 1] - 1",
                               .arguments = &end,
                               .argument_count = 1};
    const clscan_problem most = {sizeof most,       CLSCAN_REDUCE,   .type = CLSCAN_UINT32, .op = CLSCAN_MAX,
                                 .max_count = size, .load = &length, .count_bytes = 4};
    run_once(&s, &most,
             &(clscan_run_args){sizeof(clscan_run_args), .count = size, .device_count.buffer = number,
                                .map_arguments = &(clscan_memory){.buffer = ends}, .map_argument_count = 1,
                                .total.buffer = longest});

    const cl_uint lines = read_number(&s, number), most_characters = read_number(&s, longest);
    cl_uint *line_end = read_buffer(&s, ends, lines * sizeof *line_end);
    cl_uint line = 0, begin = 0, expected = 0, wrong = 0;
    for (cl_uint i = 0; i < size; ++i)
        if (text[i] == '\n') {
            wrong += line >= lines || line_end[line] != i;
            expected = i - begin > expected ? i - begin : expected;
            begin = i + 1;
            ++line;
        }
    wrong += line != lines || expected != most_characters;
    printf("%u lines, the longest has %u characters; %u mistakes\n", lines, most_characters, wrong);
    free(line_end);
    free(text);
    close_session(&s);
    return wrong != 0;
}
