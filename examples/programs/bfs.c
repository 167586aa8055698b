/* bfs [FILE.mtx [VERTEX]]: how many edges each vertex of a graph is away from VERTEX (1), by breadth-first search.
 *
 * A level is a scan, a gather and a selection: where the neighbours of each vertex of the frontier go, the neighbours,
 * and those of them that nobody had found before, which are the next frontier. All counts stay on the device. Only it
 * knows when the frontier is empty, so the host asks after every eight levels; those that come too late do nothing. Not
 * to ask at all would need as many levels as a path may have edges, one less than there are vertices: some launches
 * each, millions for a road map, and on most graphs all but a few for nothing. */
#include "matrix_market.h"

static const char source[] =
    "kernel void visit(global const uint *offset, global const uint *column, global const uint *frontier,\n"
    "                  global const uint *places, global const uint *count, global int *level,\n"
    "                  global uint *found, global uchar *is_new)\n"
    "{\n"
    "    for (uint i = get_global_id(0); i < *count; i += get_global_size(0)) {\n"
    "        const uint vertex = frontier[i], begin = offset[vertex];\n"
    "        for (uint k = begin; k < offset[vertex + 1]; ++k) {\n"
    "            const uint place = places[i] + k - begin;\n"
    "            found[place] = column[k];\n"
    "            is_new[place] = atomic_cmpxchg(&level[column[k]], -1, level[vertex] + 1) == -1;\n"
    "        }\n"
    "    }\n"
    "}\n";

/* The levels of all vertices that `start` reaches; -1 for the others. */
static void search(const session *s, const sparse *graph, cl_uint start, cl_int *level)
{
    enum { LEVELS_AT_ONCE = 8 };
    const cl_uint vertices = graph->rows, edges = graph->entries;
    cl_uint one = 1;
    cl_uint *first = allocate(vertices * sizeof *first);

    first[0] = start;
    const cl_mem offsets = open_buffer(s->context, (vertices + 1) * sizeof(cl_uint), graph->offset),
                 columns = open_buffer(s->context, edges * sizeof(cl_uint), graph->column),
                 levels = open_buffer(s->context, vertices * sizeof *level, level),
                 frontier = open_buffer(s->context, vertices * sizeof *first, first),
                 places = open_buffer(s->context, vertices * sizeof(cl_uint), NULL),
                 found = open_buffer(s->context, edges * sizeof(cl_uint), NULL),
                 is_new = open_buffer(s->context, edges, NULL), frontier_count = open_buffer(s->context, 4, &one),
                 found_count = open_buffer(s->context, 4, NULL);
    const cl_kernel visit = open_kernel(s, source, "visit");

    const clscan_map_argument offset = {sizeof offset, "offset", .type = CLSCAN_UINT32, .is_buffer = 1};
    const clscan_map degree = {.struct_size = sizeof degree,
                               .expression = "offset[element + 1] - offset[element]",
                               .arguments = &offset,
                               .argument_count = 1};
    const clscan_problem place = {sizeof place,          .type = CLSCAN_UINT32, .form = CLSCAN_EXCLUSIVE,
                                  .max_count = vertices, .load = &degree,       .count_bytes = 4};
    const clscan_run_args place_args = {sizeof place_args,
                                        .in.buffer = frontier,
                                        .out.buffer = places,
                                        .count = vertices,
                                        .device_count.buffer = frontier_count,
                                        .total.buffer = found_count,
                                        .map_arguments = &(clscan_memory){.buffer = offsets},
                                        .map_argument_count = 1};

    const clscan_select flags = {.struct_size = sizeof flags, .flag_bytes = 1};
    const clscan_problem keep = {sizeof keep,        CLSCAN_SELECT,    .type = CLSCAN_UINT32,
                                 .max_count = edges, .select = &flags, .count_bytes = 4};
    const clscan_selection selection = {sizeof selection, .flags.buffer = is_new, .capacity = vertices};
    const clscan_run_args keep_args = {sizeof keep_args,
                                       .in.buffer = found,
                                       .out.buffer = frontier,
                                       .count = edges,
                                       .device_count.buffer = found_count,
                                       .total.buffer = frontier_count,
                                       .selection = &selection};
    const step placing = open_step(s, &place), keeping = open_step(s, &keep);

    do {
        for (int i = 0; i < LEVELS_AT_ONCE; ++i) {
            run_step(s, &placing, &place_args);
            run_kernel(s, visit, 8,
                       (cl_mem[]){offsets, columns, frontier, places, frontier_count, levels, found, is_new});
            run_step(s, &keeping, &keep_args);
        }
    } while (read_number(s, frontier_count) > 0);
    read_back(s->queue, levels, vertices * sizeof *level, level);
    close_step(&placing);
    close_step(&keeping);
    clReleaseKernel(visit);
    free(first);
}

/* The same in plain C, by a queue; returns how many vertices are reached. */
static cl_uint search_serially(const sparse *graph, cl_uint start, cl_int *level)
{
    cl_uint *queue = allocate(graph->rows * sizeof *queue), reached = 0;

    queue[reached++] = start;
    for (cl_uint i = 0; i < reached; ++i)
        for (cl_uint k = graph->offset[queue[i]]; k < graph->offset[queue[i] + 1]; ++k)
            if (level[graph->column[k]] < 0) {
                level[graph->column[k]] = level[queue[i]] + 1;
                queue[reached++] = graph->column[k];
            }
    free(queue);
    return reached;
}

int main(int argc, char **argv)
{
    const sparse graph = read_matrix(argc > 1 ? argv[1] : NULL);
    const cl_uint start = argc > 2 ? (cl_uint)strtoul(argv[2], NULL, 10) - 1 : 0;

    if (graph.rows != graph.columns || start >= graph.rows)
        refuse(argv[1], "is no square matrix, or has no such vertex");
    cl_int *level = allocate(graph.rows * sizeof *level), *expected = allocate(graph.rows * sizeof *expected);
    for (cl_uint i = 0; i < graph.rows; ++i)
        level[i] = expected[i] = i == start ? 0 : -1;
    const session s = open_session();
    search(&s, &graph, start, level);
    close_session(&s);

    const cl_uint reached = search_serially(&graph, start, expected);
    cl_uint wrong = 0;
    cl_int deepest = 0;
    for (cl_uint i = 0; i < graph.rows; ++i) {
        wrong += level[i] != expected[i];
        deepest = level[i] > deepest ? level[i] : deepest;
    }
    printf("%u of %u vertices reached in %d levels; %u are wrong\n", reached, graph.rows, deepest, wrong);
    free(level);
    free(expected);
    free_matrix(&graph);
    return wrong != 0;
}
