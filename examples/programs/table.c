/* table [FILE.csv COLUMN LOW HIGH]: the rows of a table whose number in COLUMN (1) is at least LOW and below HIGH.
 *
 * The condition is looked at once, for one column: a selection keeps the numbers of the rows. Then each column is
 * gathered by them, with the number kept on the device. */
#include "program.h"

static const char source[] = "kernel void gather(global const float *column, global const uint *rows,\n"
                             "                   global const uint *count, global float *out)\n"
                             "{\n"
                             "    for (uint i = get_global_id(0); i < *count; i += get_global_size(0))\n"
                             "        out[i] = column[rows[i]];\n"
                             "}\n";

enum { MOST_COLUMNS = 64 };

typedef struct table {
    cl_uint columns, rows;
    cl_float *column[MOST_COLUMNS];
} table;

/* A CSV file with one line of names and then numbers; without a file a table of this function's own. */
static table read_table(const char *name)
{
    enum { OWN_COLUMNS = 3, OWN_ROWS = 200000 };
    table t = {OWN_COLUMNS, OWN_ROWS, {NULL}};
    char *text = NULL, *at = NULL;

    if (name != NULL) {
        size_t size;
        text = at = read_text(name, &size);
        t.columns = 1;
        t.rows = (cl_uint)-1; /* the names are none */
        for (; *at != '\n' && *at != '\0'; ++at)
            t.columns += *at == ',';
        for (size_t i = 0; i < size; ++i)
            t.rows += text[i] == '\n';
        if (t.columns > MOST_COLUMNS || t.rows == 0 || text[size - 1] != '\n')
            refuse(name, "has more than 64 columns or no rows, or does not end with a line");
    }
    for (cl_uint c = 0; c < t.columns; ++c)
        t.column[c] = allocate(t.rows * sizeof(cl_float));
    for (cl_uint row = 0; row < t.rows; ++row)
        for (cl_uint c = 0; c < t.columns; ++c) {
            char *end = at;
            t.column[c][row] = name == NULL ? (cl_float)((row * (c + 17)) % 1009) / 4 : strtof(at + 1, &end);
            if (name != NULL && (end == at + 1 || *end != (c + 1 < t.columns ? ',' : '\n')))
                refuse(name, "has something other than a number");
            at = end;
        }
    free(text);
    return t;
}

/* The numbers of the rows to keep, and how many. */
static void keep_rows(const session *s, cl_mem column, cl_uint rows, const cl_float bounds[2], cl_mem kept,
                      cl_mem number)
{
    const clscan_map_argument arguments[2] = {{sizeof arguments[0], "low", .type = CLSCAN_FLOAT},
                                              {sizeof arguments[0], "high", .type = CLSCAN_FLOAT}};
    const clscan_map between = {.struct_size = sizeof between,
                                .expression = "element >= low && element < high",
                                .arguments = arguments,
                                .argument_count = 2};
    const clscan_map index = {.struct_size = sizeof index, .expression = "index"};
    const clscan_element position = {.struct_size = sizeof position, .type = CLSCAN_UINT32};
    const clscan_problem problem = {sizeof problem,    CLSCAN_SELECT,    .type = CLSCAN_FLOAT, .output = &position,
                                    .max_count = rows, .load = &between, .store = &index};
    const clscan_memory values[2] = {{CLSCAN_MEMORY_HOST, .pointer = &bounds[0]},
                                     {CLSCAN_MEMORY_HOST, .pointer = &bounds[1]}};

    run_once(s, &problem,
             &(clscan_run_args){sizeof(clscan_run_args), .in.buffer = column, .out.buffer = kept, .count = rows,
                                .total.buffer = number, .map_arguments = values, .map_argument_count = 2});
}

int main(int argc, char **argv)
{
    const table t = read_table(argc > 1 ? argv[1] : NULL);
    const cl_uint by = argc > 2 ? (cl_uint)strtoul(argv[2], NULL, 10) - 1 : 0;
    const cl_float bounds[2] = {argc > 3 ? strtof(argv[3], NULL) : 50, argc > 4 ? strtof(argv[4], NULL) : 60};
    const session s = open_session();
    const cl_mem kept = open_buffer(s.context, t.rows * 4, NULL), number = open_buffer(s.context, 4, NULL);
    const cl_kernel gather = open_kernel(&s, source, "gather");
    cl_mem columns[MOST_COLUMNS];
    cl_uint count = 0, wrong = 0;

    if (by >= t.columns)
        refuse(argv[2], "is no column");
    for (cl_uint c = 0; c < t.columns; ++c)
        columns[c] = open_buffer(s.context, t.rows * 4, t.column[c]);
    keep_rows(&s, columns[by], t.rows, bounds, kept, number);
    for (cl_uint c = 0; c < t.columns; ++c) {
        const cl_mem out = open_buffer(s.context, t.rows * 4, NULL);
        run_kernel(&s, gather, 4, (cl_mem[]){columns[c], kept, number, out});
        cl_float *result = read_buffer(&s, out, t.rows * 4);
        count = 0;
        for (cl_uint row = 0; row < t.rows; ++row)
            if (t.column[by][row] >= bounds[0] && t.column[by][row] < bounds[1])
                wrong += result[count++] != t.column[c][row];
        free(result);
    }
    wrong += count != read_number(&s, number);
    printf("%u of %u rows kept, of %u columns; %u mistakes\n", count, t.rows, t.columns, wrong);
    for (cl_uint c = 0; c < t.columns; ++c)
        free(t.column[c]);
    clReleaseKernel(gather);
    close_session(&s);
    return wrong != 0;
}
