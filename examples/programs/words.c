/* words [FILE]: at each character of a text, how long its word is so far and how long the longest one of its line is so
 * far; and the longest word of each line.
 *
 * Three scans: the last position that is no letter is a running maximum, whose distance is the length of the word; the
 * number of newlines so far is the key of a line; maxima by this key are those of each line. */
#include "program.h"

static int is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

int main(int argc, char **argv)
{
    size_t size;
    char *text = read_text(argc > 1 ? argv[1] : NULL, &size);
    const session s = open_session();
    const cl_mem characters = open_buffer(s.context, size, text), lengths = open_buffer(s.context, size * 4, NULL),
                 lines = open_buffer(s.context, size * 4, NULL), maxima = open_buffer(s.context, size * 4, NULL),
                 longest = open_buffer(s.context, size * 4, NULL), number = open_buffer(s.context, 4, NULL);

    const clscan_element wide = {.struct_size = sizeof wide, .type = CLSCAN_UINT32};
    const clscan_map last_gap = {.struct_size = sizeof last_gap,
                                 .expression = "is_letter(element) ? 0 : index + 1",
                                 .source = "int is_letter(char c)\n"
                                           "{ return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }\n"};
    const clscan_map distance = {.struct_size = sizeof distance, .expression = "index + 1 - sum"};
    const clscan_problem measure = {sizeof measure,    .type = CLSCAN_INT8, .op = CLSCAN_MAX,  .output = &wide,
                                    .max_count = size, .load = &last_gap,   .store = &distance};
    run_once(
        &s, &measure,
        &(clscan_run_args){sizeof(clscan_run_args), .in.buffer = characters, .out.buffer = lengths, .count = size});

    const clscan_map newline = {.struct_size = sizeof newline, .expression = "element == '\\n'"};
    const clscan_problem count = {sizeof count,    .type = CLSCAN_INT8, .form = CLSCAN_EXCLUSIVE,
                                  .output = &wide, .max_count = size,   .load = &newline};
    run_once(&s, &count,
             &(clscan_run_args){sizeof(clscan_run_args), .in.buffer = characters, .out.buffer = lines, .count = size});

    const clscan_segments by_line = {sizeof by_line, CLSCAN_BY_KEYS, .type = CLSCAN_UINT32, .sums = 1};
    const clscan_problem most = {sizeof most, .type = CLSCAN_UINT32, .op = CLSCAN_MAX, .max_count = size,
                                 .segments = &by_line};
    const clscan_segment_sums sums = {sizeof sums, .sums.buffer = longest, .number.buffer = number};
    run_once(&s, &most,
             &(clscan_run_args){sizeof(clscan_run_args), .in.buffer = lengths, .out.buffer = maxima, .count = size,
                                .segments.buffer = lines, .segment_sums = &sums});

    cl_uint *length = read_buffer(&s, lengths, size * 4), *maximum = read_buffer(&s, maxima, size * 4),
            *line_longest = read_buffer(&s, longest, size * 4);
    const cl_uint line_count = read_number(&s, number);
    cl_uint line = 0, in_word = 0, in_line = 0, in_text = 0, wrong = 0;
    for (size_t i = 0; i < size; ++i) {
        in_word = is_letter(text[i]) ? in_word + 1 : 0;
        in_line = in_word > in_line ? in_word : in_line;
        in_text = in_line > in_text ? in_line : in_text;
        wrong += length[i] != in_word || maximum[i] != in_line;
        if (text[i] == '\n' || i + 1 == size) {
            wrong += line >= line_count || line_longest[line] != in_line;
            in_line = 0;
            ++line;
        }
    }
    wrong += line != line_count;
    printf("%u lines, the longest word has %u letters; %u mistakes\n", line_count, in_text, wrong);
    free(length);
    free(maximum);
    free(line_longest);
    free(text);
    close_session(&s);
    return wrong != 0;
}
