#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "command_line/failure.h"
#include "command_line/options.h"
#include "command_line/values.h"
#include "input_file.h"
#include "json_output.h"
#include "measure/host_memory.h"
#include "record.h"
#include "result_file.h"
#include "scan_maps.h"
#include "table_columns.h"
#include "target.h"
#include "used_files.h"

typedef struct select_options {
    clscan_type type;  /* CLSCAN_TYPE_COUNT: not given */
    const char *flags; /* file; NULL: none */
    bool bits;         /* of the flags */
    const char *where;
    bool unique;
    bool rejected;
    bool indices;
    const char *rest;   /* file; NULL: what is not kept is dropped */
    const char *middle; /* file; NULL: the rest is one part */
    bool long_runs;
    column_names columns;
    uint64_t chunk_bytes; /* 0: not given */
    const char *device;
    const char *config;
    bool json;
    const char *in;
    const char *out;
} select_options;

/* One selection, a chunk after the other. Zeroed before the first use. */
typedef struct selection {
    const target *where;
    input_file *in;
    input_file *flags; /* NULL: none */
    bool bits;         /* each element of `flags` has those of 8 elements */
    result_file *out;
    result_file *rest;   /* what is not kept; NULL: it is dropped */
    result_file *middle; /* one of three parts, which stand in one output on the device; NULL: there are not three */
    size_t out_bytes;    /* of an element of any of these */
    table_columns *columns;

    char *source, keeps[256]; /* of the load map */
    clscan_map load, store;
    clscan_select select;
    clscan_element output;
    clscan_element moved; /* the element, where it is no number */
    char moved_source[OPAQUE_SOURCE_BYTES];
    clscan_map_argument arguments[2]; /* of the load map */
    bool sees_before;                 /* the load map has the element in front of a chunk */
    uint64_t argument_count;          /* of both maps */

    clscan_plan *plan;
    clscan_workspace *workspace;
    uint64_t chunk_count; /* elements of a chunk */
    void *host;           /* for a chunk of any of the four */
    cl_mem elements, flag_buffer, kept, not_kept, number;
    bool reads_none; /* indices by flags: a run has no input */
    cl_mem last;     /* the last element of the chunk before */
    uint64_t count;  /* elements so far */
    uint64_t kept_count, middle_count;

    /* Of runs of two and more elements, a run goes on from chunk to chunk. */
    clscan_plan *first_plan; /* of one element: does it begin a run? */
    clscan_workspace *first_workspace;
    uint64_t *begins, *lengths;                    /* of the long runs of a chunk, as if it stood alone */
    uint64_t open_length;                          /* of the last run so far; 0: there is none */
    unsigned char open[CLSCAN_MOST_ELEMENT_BYTES]; /* what is written of it, if it is long */
} selection;

/* Expressions count in the file, a run in its chunk. */
static const clscan_map_argument first = {.struct_size = sizeof first, .name = "index_of_first", .type = CLSCAN_UINT64};

static clscan_status check_options(const select_options *wanted, clscan_error *error)
{
    if (wanted->in[0] == '\0' || wanted->out[0] == '\0')
        return fail(error, CLSCAN_ERROR_INVALID_VALUE, "%s is an empty name", wanted->in[0] == '\0' ? "IN" : "OUT");
    if (input_file_check_type(wanted->in, wanted->type, false, error) != CLSCAN_OK)
        return CLSCAN_ERROR_INVALID_VALUE;
    if (wanted->json && strcmp(wanted->out, "-") == 0)
        return fail(error, CLSCAN_ERROR_INVALID_VALUE, "--json and OUT both write to standard output");
    if (wanted->flags != NULL && strcmp(wanted->flags, "-") == 0 && strcmp(wanted->in, "-") == 0)
        return fail(error, CLSCAN_ERROR_INVALID_VALUE, "--flags and IN are both standard input");
    if (wanted->bits && wanted->flags == NULL)
        return fail(error, CLSCAN_ERROR_INVALID_VALUE, "--bits says what the flags are: say in which file, by --flags");
    if (wanted->unique && wanted->where != NULL)
        return fail(error, CLSCAN_ERROR_INVALID_VALUE,
                    "--unique is --where 'index == 0 || element != before': say both in --where");
    if (wanted->rest != NULL &&
        (wanted->columns.count > 0 || wanted->columns.indices != NULL || wanted->columns.lengths != NULL))
        return fail(error, CLSCAN_ERROR_INVALID_VALUE, "--%s cannot be given with --rest",
                    wanted->columns.count > 0         ? "column"
                    : wanted->columns.indices != NULL ? "out-indices"
                                                      : "lengths");
    if (wanted->rest != NULL && wanted->long_runs)
        return fail(error, CLSCAN_ERROR_INVALID_VALUE, "--long-runs cannot be given with --rest");
    if (wanted->rest != NULL && is_stream_name(wanted->rest))
        return fail(error, CLSCAN_ERROR_INVALID_VALUE, "--rest '%s' names no file", wanted->rest);
    if (wanted->middle != NULL && (wanted->where == NULL || wanted->rest == NULL))
        return fail(
            error, CLSCAN_ERROR_INVALID_VALUE,
            "--middle needs --where and --rest: --where says to which of three parts an element belongs, and --rest "
            "takes the last part");
    if (wanted->middle != NULL && (wanted->flags != NULL || wanted->rejected))
        return fail(error, CLSCAN_ERROR_INVALID_VALUE,
                    "--%s cannot be given with --middle: --where says to which part an element belongs",
                    wanted->flags != NULL ? "flags" : "rejected");
    if (wanted->middle != NULL && is_stream_name(wanted->middle))
        return fail(error, CLSCAN_ERROR_INVALID_VALUE, "--middle '%s' names no file", wanted->middle);
    return CLSCAN_OK;
}

static clscan_map map_of(const char *expression, const clscan_map_argument *arguments, uint64_t count)
{
    return (clscan_map){
        .struct_size = sizeof(clscan_map), .expression = expression, .arguments = arguments, .argument_count = count};
}

/* What --where or --unique says. The element in front of a chunk is the last one of the chunk before. */
static clscan_status describe_predicate(selection *s, const select_options *wanted, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const bool rows = s->in->type == CLSCAN_TYPE_COUNT;
    const char *where = !wanted->unique ? wanted->where
                        : rows          ? "index == 0 || npy_rows_differ(element, before)"
                                        : "index == 0 || element != before";
    const char *type = rows ? "npy_row" : map_type_name(s->in->type, NULL),
               *verdict = s->middle != NULL ? "long" : "bool";
    char head[128];

    s->sees_before = strstr(where, "before") != NULL;
    s->arguments[0] = first;
    s->arguments[1] = (clscan_map_argument){
        .struct_size = sizeof s->arguments[1], .name = "last", .type = s->in->type, .is_buffer = 1, .count = 1};
    if (rows) {
        s->arguments[1].type = CLSCAN_UINT8;
        s->arguments[1].count = s->in->element_bytes;
    }
    if (s->sees_before) {
        snprintf(head, sizeof head, "%s npy_kept(%s element, %s before, ulong index)", verdict, type, type);
        snprintf(s->keeps, sizeof s->keeps,
                 "npy_kept(element, index > 0 ? before : index_of_first > 0 ? %s : element, index + index_of_first)",
                 rows                         ? "*(__global const npy_row *)last"
                 : s->in->type == CLSCAN_HALF ? "vload_half(0, last)"
                                              : "last[0]");
    } else {
        snprintf(head, sizeof head, "%s npy_kept(%s element, ulong index)", verdict, type);
        snprintf(s->keeps, sizeof s->keeps, "npy_kept(element, index + index_of_first)");
    }
    if (!wanted->unique)
        TRY(map_check(where, "--where", error));
    TRY(map_source(where, wanted->unique ? "--unique" : "--where", head, &s->source, error));
    s->load = map_of(s->keeps, s->arguments, s->sees_before ? 2 : 1);
    s->load.source = s->source;

cleanup:
    return status;
}

static clscan_status describe(selection *s, const select_options *wanted, clscan_problem *problem, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;

    *problem = (clscan_problem){
        .struct_size = sizeof *problem, .operation = CLSCAN_SELECT, .type = s->in->type, .max_count = s->chunk_count};
    if (s->in->type == CLSCAN_TYPE_COUNT) {
        const bool looks = wanted->where != NULL || wanted->unique;
        const row_declaration *rows = &s->in->rows;

        REQUIRE(looks || s->flags != NULL, CLSCAN_ERROR_INVALID_VALUE,
                "%s: its elements are %s: give --flags%s to say which are kept", s->in->name, s->in->kind,
                rows->source[0] != '\0' ? ", --where or --unique" : "");
        REQUIRE(!looks || rows->source[0] != '\0', CLSCAN_ERROR_UNSUPPORTED_TYPE,
                "%s: its elements are %s%s, and --%s looks at numbers, bool, complex numbers, and structs of numbers "
                "other than float16: give --flags to say which are kept",
                s->in->name, s->in->kind, rows->field_count > 0 ? " with float16" : "",
                wanted->unique ? "unique" : "where");
        s->moved = looks ? record_row(rows) : record_opaque(s->in->element_bytes, s->moved_source);
        problem->type = (clscan_type)0;
        problem->element = &s->moved;
    }
    s->select = (clscan_select){.struct_size = sizeof s->select, .rejected = wanted->rejected};
    if (s->rest != NULL)
        s->select.rest = s->middle != NULL ? CLSCAN_REST_THREE_WAY : CLSCAN_REST_APART;
    if (s->flags != NULL) {
        s->select.flag_bytes = s->bits ? 0 : (uint32_t)s->flags->element_bytes;
        s->select.flag_bits = s->bits;
    }
    table_columns_describe(s->columns, &s->select);
    problem->select = &s->select;
    if (wanted->where != NULL || wanted->unique) {
        TRY(describe_predicate(s, wanted, error));
        problem->load = &s->load;
        s->argument_count += s->load.argument_count;
    }
    s->reads_none = wanted->indices && problem->load == NULL && s->flags != NULL;
    if (wanted->indices) {
        s->store = map_of("index + index_of_first", &first, 1);
        s->output = (clscan_element){.struct_size = sizeof s->output, .type = CLSCAN_UINT64};
        problem->store = &s->store;
        problem->output = &s->output;
        ++s->argument_count;
    }

cleanup:
    return status;
}

/* Does what is not kept go to a buffer of its own? */
static bool goes_apart(const selection *s)
{
    return s->rest != NULL && s->middle == NULL;
}

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

/* How many elements of the file of flags `count` elements have. */
static uint64_t flags_of(bool bits, uint64_t count)
{
    return bits ? count / 8 + (count % 8 != 0) : count;
}

/* What a plan needs that tells whether the first element of a chunk begins a run. */
static clscan_status prepare_runs(selection *s, const clscan_problem *problem, clscan_error *error)
{
    clscan_status status;
    const uint64_t most = s->chunk_count / 2 + 1;
    clscan_select select = s->select;
    clscan_problem one = *problem;

    select.long_runs = select.column_count = select.index_bytes = select.length_bytes = 0;
    select.column_bytes = NULL;
    one.select = &select;
    one.store = NULL;
    one.output = NULL;
    one.max_count = 1;
    TRY(target_plan(s->where, &one, &s->first_plan, &s->first_workspace, error));
    s->begins = malloc((size_t)most * sizeof *s->begins);
    s->lengths = malloc((size_t)most * sizeof *s->lengths);
    REQUIRE(s->begins != NULL && s->lengths != NULL, CLSCAN_ERROR_OUT_OF_MEMORY,
            "no memory for the runs of a chunk of %" PRIu64 " elements", s->chunk_count);

cleanup:
    return status;
}

static clscan_status prepare(selection *s, const select_options *wanted, clscan_error *error)
{
    clscan_status status;
    const size_t flag_bytes = s->flags != NULL ? s->flags->element_bytes : 0;
    const size_t widest =
        larger(larger(larger(s->in->element_bytes, s->out_bytes), flag_bytes), table_columns_widest_bytes(s->columns));
    const size_t more_bytes = table_columns_sum_bytes(s->columns) + (goes_apart(s) ? s->out_bytes : 0);
    /* Two buffers of so many bytes for each element are as large as all that there are. */
    const size_t half_of_all =
        more_bytes > 0 ? (more_bytes + s->in->element_bytes + s->out_bytes + flag_bytes + 1) / 2 : 0;
    const chunk_limits limits = {
        .element_bytes = larger(widest, half_of_all),
        .count = s->in->count,
        .wanted_bytes = wanted->chunk_bytes,
        .max_allocation_bytes = s->where->info.max_allocation_bytes,
        .device_bytes = s->where->info.global_memory_bytes,
        .host_bytes = measure_host_memory_bytes(),
        .unified = true,
        .apart = true,
    };
    clscan_problem problem;

    s->chunk_count = chunks_plan(&limits).chunk_count;
    if (s->chunk_count > UINT32_MAX)
        s->chunk_count = UINT32_MAX; /* numbers kept are read as uint32 */
    if (s->bits)
        s->chunk_count = larger(s->chunk_count / 8, 1) * 8; /* chunks begin with a byte */
    TRY(describe(s, wanted, &problem, error));
    TRY(map_failure(target_plan(s->where, &problem, &s->plan, &s->workspace, error),
                    &(plan_culprits){.load = wanted->unique ? "--unique" : "--where", .in = s->in->name}, error));
    s->host = malloc((size_t)s->chunk_count * widest);
    REQUIRE(s->host != NULL, CLSCAN_ERROR_OUT_OF_MEMORY, "no memory for a chunk of %" PRIu64 " elements",
            s->chunk_count);
    TRY(target_buffer(s->where, s->chunk_count * s->in->element_bytes, &s->elements, error));
    TRY(target_buffer(s->where, s->chunk_count * s->out_bytes, &s->kept, error));
    if (goes_apart(s))
        TRY(target_buffer(s->where, s->chunk_count * s->out_bytes, &s->not_kept, error));
    if (s->flags != NULL)
        TRY(target_buffer(s->where, s->chunk_count * flag_bytes, &s->flag_buffer, error));
    if (s->sees_before)
        TRY(target_buffer(s->where, s->in->element_bytes, &s->last, error));
    TRY(table_columns_create(s->columns, s->where, s->chunk_count, error));
    if (wanted->long_runs)
        TRY(prepare_runs(s, &problem, error));
    TRY(target_buffer(s->where, 2 * sizeof(uint32_t), &s->number, error));

cleanup:
    return status;
}

/* The elements of a file from `first` on, to the device. */
static clscan_status pass(const selection *s, input_file *file, uint64_t first_element, cl_mem buffer, uint64_t wanted,
                          uint64_t *count, clscan_error *error)
{
    clscan_status status;
    size_t read_bytes = 0;

    TRY(input_file_read(file, first_element * file->element_bytes, s->host, (size_t)(wanted * file->element_bytes),
                        &read_bytes, error));
    *count = read_bytes / file->element_bytes;
    if (*count > 0)
        TRY_CL(clEnqueueWriteBuffer,
               (s->where->queue, buffer, CL_TRUE, 0, (size_t)(*count * file->element_bytes), s->host, 0, NULL, NULL));

cleanup:
    return status;
}

/* As far as they are known. */
static clscan_status check_counts(const input_file *in, const input_file *flags, bool bits, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;

    REQUIRE(flags->count == COUNT_UNKNOWN || in->count == COUNT_UNKNOWN || flags->count == flags_of(bits, in->count),
            CLSCAN_ERROR_FILE, "%s has %" PRIu64 " %s, %s has %" PRIu64 " elements%s", flags->name, flags->count,
            bits ? "bytes of flags" : "flags", in->name, in->count, bits ? ", 8 to a byte" : "");

cleanup:
    return status;
}

/* Write `number` elements that are on the device, `from` on, behind the first `before` of the file. */
static clscan_status store(const selection *s, result_file *out, cl_mem buffer, uint64_t from, uint64_t before,
                           uint64_t number, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const size_t bytes = (size_t)number * s->out_bytes;

    if (number > 0)
        TRY_CL(clEnqueueReadBuffer,
               (s->where->queue, buffer, CL_TRUE, (size_t)from * s->out_bytes, bytes, s->host, 0, NULL, NULL));
    TRY(result_file_write(out, before * s->out_bytes, s->host, bytes, error));

cleanup:
    return status;
}

/* What is kept of a chunk, of which the first `count` elements are there, and the other parts. */
static clscan_status store_parts(const selection *s, uint64_t count, uint64_t kept, uint64_t middle,
                                 clscan_error *error)
{
    clscan_status status;
    const uint64_t rest_count = s->count - s->kept_count - s->middle_count, rest = count - kept - middle;

    TRY(store(s, s->out, s->kept, 0, s->kept_count, kept, error));
    if (s->middle != NULL) {
        TRY(store(s, s->middle, s->kept, kept, s->middle_count, middle, error));
        TRY(store(s, s->rest, s->kept, kept + middle, rest_count, rest, error));
    } else if (s->rest != NULL) {
        TRY(store(s, s->rest, s->not_kept, 0, rest_count, rest, error));
    }

cleanup:
    return status;
}

/* Write the run that was open, if it is long. */
static clscan_status close_run(selection *s, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;

    if (s->open_length < 2)
        return status;
    TRY(result_file_write(s->out, s->kept_count * s->out_bytes, s->open, s->out_bytes, error));
    TRY(table_columns_put(s->columns, s->kept_count, s->open_length, error));
    ++s->kept_count;

cleanup:
    return status;
}

/* The run that begins at `at` of this chunk reaches its end. */
static clscan_status open_run(selection *s, uint64_t at, uint64_t length, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const uint64_t index = s->count + at;

    s->open_length = length;
    if (s->store.expression != NULL) /* indices */
        memcpy(s->open, &index, sizeof index);
    else
        TRY_CL(clEnqueueReadBuffer, (s->where->queue, s->elements, CL_TRUE, (size_t)at * s->in->element_bytes,
                                     s->in->element_bytes, s->open, 0, NULL, NULL));
    TRY(table_columns_take(s->columns, s->where, s->count, at, error));

cleanup:
    return status;
}

/* Does the first element of the chunk begin a run? */
static clscan_status begins_run(const selection *s, const clscan_run_args *of_chunk, bool *begins, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const clscan_selection with = {.struct_size = sizeof with, .flags = of_chunk->selection->flags};
    clscan_run_args args = *of_chunk;
    uint32_t number = 1;

    args.in.buffer = s->elements;
    args.count = 1;
    args.selection = &with;
    args.map_argument_count = s->load.expression != NULL ? s->load.argument_count : 0;
    if (s->count > 0) {
        TRY(clscan_run(s->first_plan, s->first_workspace, s->where->queue, &args, 0, NULL, NULL, error));
        TRY_CL(clEnqueueReadBuffer, (s->where->queue, s->number, CL_TRUE, 0, sizeof number, &number, 0, NULL, NULL));
    }
    *begins = number != 0;

cleanup:
    return status;
}

/* What is kept of a chunk of `count` elements, of whose runs `number` are long if it stands alone. Its first run may go
 * on from the chunk before, and its last one into the next. */
static clscan_status store_runs(selection *s, uint64_t count, uint64_t number, bool begins, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const size_t bytes = (size_t)number * sizeof *s->begins;
    const table_columns *columns = s->columns;
    uint64_t from = 0, to = number, first_length = 1, last = count - 1;

    if (number > 0) {
        TRY_CL(clEnqueueReadBuffer,
               (s->where->queue, columns->kept_indices, CL_TRUE, 0, bytes, s->begins, 0, NULL, NULL));
        TRY_CL(clEnqueueReadBuffer,
               (s->where->queue, columns->kept_lengths, CL_TRUE, 0, bytes, s->lengths, 0, NULL, NULL));
        if (s->begins[0] == 0)
            first_length = s->lengths[0];
        if (s->begins[number - 1] + s->lengths[number - 1] == count)
            last = s->begins[--to];
    }
    if (!begins) {
        s->open_length += first_length;
        if (first_length == count)
            return status;
        from = first_length > 1;
    }
    TRY(close_run(s, error));
    TRY(store(s, s->out, s->kept, from, s->kept_count, to - from, error));
    TRY(table_columns_store_rows(s->columns, s->where, s->count, from, s->kept_count, to - from, s->host, error));
    TRY(table_columns_put_lengths(s->columns, s->kept_count, s->lengths + from, to - from, error));
    s->kept_count += to - from;
    TRY(open_run(s, last, count - last, error));

cleanup:
    return status;
}

static clscan_status select_chunk(selection *s, uint64_t wanted, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    uint64_t count = 0, flag_count = 0;
    bool begins = true;
    uint32_t numbers[2] = {0}; /* of what is kept, and of the middle */
    const size_t number_bytes = (s->middle != NULL ? 2 : 1) * sizeof numbers[0];
    const clscan_memory index = {CLSCAN_MEMORY_HOST, .pointer = &s->count}, last = {.buffer = s->last};
    const clscan_memory arguments[] = {index, s->sees_before ? last : index, index};
    clscan_column columns[CLSCAN_MOST_COLUMNS];
    clscan_selection with = {
        .struct_size = sizeof with, .flags = {.buffer = s->flag_buffer}, .rest = {.buffer = s->not_kept}};
    clscan_run_args args = {.struct_size = sizeof args,
                            .in = {.buffer = s->reads_none ? NULL : s->elements},
                            .out = {.buffer = s->kept},
                            .total = {.buffer = s->number},
                            .map_arguments = arguments,
                            .map_argument_count = s->argument_count,
                            .selection = &with};

    TRY(pass(s, s->in, s->count, s->elements, wanted, &count, error));
    if (s->flags != NULL) {
        const uint64_t first_flags = flags_of(s->bits, s->count);

        TRY(pass(s, s->flags, first_flags, s->flag_buffer, flags_of(s->bits, count), &flag_count, error));
        REQUIRE(flag_count == flags_of(s->bits, count), CLSCAN_ERROR_FILE,
                "%s has %" PRIu64 " %s, %s has more elements%s", s->flags->name, first_flags + flag_count,
                s->bits ? "bytes of flags" : "flags", s->in->name, s->bits ? ", 8 to a byte" : "");
    }
    TRY(table_columns_load(s->columns, s->where, s->count, count, s->host, columns, &with, error));
    args.count = count;
    if (s->first_plan != NULL && count > 0)
        TRY(begins_run(s, &args, &begins, error));
    TRY(clscan_run(s->plan, s->workspace, s->where->queue, &args, 0, NULL, NULL, error));
    TRY_CL(clEnqueueReadBuffer, (s->where->queue, s->number, CL_TRUE, 0, number_bytes, numbers, 0, NULL, NULL));
    if (s->sees_before && count > 0)
        TRY_CL(clEnqueueCopyBuffer, (s->where->queue, s->elements, s->last, (size_t)(count - 1) * s->in->element_bytes,
                                     0, s->in->element_bytes, 0, NULL, NULL));
    if (s->first_plan != NULL) {
        if (count > 0)
            TRY(store_runs(s, count, numbers[0], begins, error));
    } else {
        TRY(store_parts(s, count, numbers[0], numbers[1], error));
        TRY(table_columns_store(s->columns, s->where, s->count, count, s->kept_count, numbers[0], s->host, error));
        s->kept_count += numbers[0];
        s->middle_count += numbers[1];
    }
    s->count += count;
    if (count < wanted)
        s->in->count = s->count; /* the end of a stream of unknown length */

cleanup:
    return status;
}

static clscan_status select_all(selection *s, clscan_error *error)
{
    clscan_status status;

    TRY(result_file_open(s->out, true, error));
    if (s->rest != NULL)
        TRY(result_file_open(s->rest, true, error));
    if (s->middle != NULL)
        TRY(result_file_open(s->middle, true, error));
    TRY(table_columns_open_outputs(s->columns, error));
    while (s->count < s->in->count) {
        const uint64_t left = s->in->count - s->count; /* of a stream of unknown length more than any chunk */

        TRY(select_chunk(s, left < s->chunk_count ? left : s->chunk_count, error));
    }
    TRY(input_file_expect_end(s->in, error));
    if (s->flags != NULL) {
        TRY(check_counts(s->in, s->flags, s->bits, error));
        TRY(input_file_expect_end(s->flags, error));
    }
    TRY(table_columns_expect_end(s->columns, s->in->name, s->count, error));
    TRY(close_run(s, error));
    TRY(result_file_commit(s->out, s->kept_count, error));
    if (s->rest != NULL)
        TRY(result_file_commit(s->rest, s->count - s->kept_count - s->middle_count, error));
    if (s->middle != NULL)
        TRY(result_file_commit(s->middle, s->middle_count, error));
    TRY(table_columns_commit(s->columns, s->kept_count, error));

cleanup:
    return status;
}

static void release(selection *s)
{
    const cl_mem buffers[] = {s->elements, s->flag_buffer, s->kept, s->not_kept, s->number, s->last};

    clscan_workspace_destroy(s->workspace);
    clscan_plan_destroy(s->plan);
    clscan_workspace_destroy(s->first_workspace);
    clscan_plan_destroy(s->first_plan);
    for (size_t i = 0; i < sizeof buffers / sizeof buffers[0]; ++i)
        if (buffers[i] != NULL)
            clReleaseMemObject(buffers[i]);
    free(s->host);
    free(s->begins);
    free(s->lengths);
    free(s->source);
    output_file_discard(&s->out->file);
    if (s->rest != NULL)
        output_file_discard(&s->rest->file);
    if (s->middle != NULL)
        output_file_discard(&s->middle->file);
    table_columns_release(s->columns);
}

static clscan_status print_json(const selection *s, clscan_error *error)
{
    clscan_status status;
    json_t *object = json_object();

    TRY(json_put(object, "format", json_integer(JSON_FORMAT), error));
    TRY(json_put(object, "clscan", json_string(clscan_version()), error));
    TRY(json_put(object, "kept", json_count(s->kept_count), error));
    if (s->middle != NULL)
        TRY(json_put(object, "middle", json_count(s->middle_count), error));
    TRY(json_put(object, "type", json_string(s->out->descr != NULL ? s->in->type_name : clscan_type_name(s->out->type)),
                 error));
    TRY(json_put(object, "count", json_count(s->count), error));
    TRY(json_print(object, error));

cleanup:
    json_decref(object);
    return status;
}

/* What the files have to say to each other, before anything is written. */
static clscan_status check_files(const input_file *in, const input_file *flags, bool bits, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;

    if (flags == NULL)
        return CLSCAN_OK;
    REQUIRE(flags->type != CLSCAN_HALF && flags->type != CLSCAN_FLOAT && flags->type != CLSCAN_DOUBLE,
            CLSCAN_ERROR_INVALID_VALUE, "%s: its elements are %s; flags are integers", flags->name, flags->type_name);
    REQUIRE(!bits || flags->type == CLSCAN_UINT8, CLSCAN_ERROR_INVALID_VALUE,
            "%s: its elements are %s; bits come in bytes, of type uint8", flags->name, flags->type_name);
    TRY(check_counts(in, flags, bits, error));

cleanup:
    return status;
}

/* Nothing is written over another file of this selection. */
static clscan_status check_used_files(const selection *s, const select_options *wanted, clscan_error *error)
{
    used_files files = {.count = 0};

    used_files_read(&files, "IN", &s->in->about);
    if (s->flags != NULL)
        used_files_read(&files, "--flags", &s->flags->about);
    used_files_read_name(&files, "--config", wanted->config);
    used_files_write(&files, "OUT", wanted->out);
    used_files_write(&files, "--rest", wanted->rest);
    used_files_write(&files, "--middle", wanted->middle);
    table_columns_use(s->columns, &files);
    return used_files_check(&files, error);
}

static void describe_output(result_file *out, const select_options *wanted, const input_file *in)
{
    out->is_npy = is_npy_name(out->name) || (is_stream_name(out->name) && wanted->type == CLSCAN_TYPE_COUNT);
    out->type = wanted->indices ? CLSCAN_UINT64 : in->type;
    out->descr = wanted->indices ? NULL : input_file_descr(in);
    out->dimensions = 1;
    out->shape[0] = COUNT_UNKNOWN;
}

static clscan_status run(const select_options *wanted, clscan_error *error)
{
    clscan_status status;
    target where = {0};
    input_file in = {.descriptor = -1}, flags = {.descriptor = -1};
    result_file out = {.name = wanted->out, .file = {.descriptor = -1, .copy = {.descriptor = -1}}},
                rest = {.name = wanted->rest, .file = {.descriptor = -1, .copy = {.descriptor = -1}}},
                middle = {.name = wanted->middle, .file = {.descriptor = -1, .copy = {.descriptor = -1}}};
    table_columns columns = table_columns_none();
    selection s = {.where = &where,
                   .in = &in,
                   .out = &out,
                   .rest = wanted->rest != NULL ? &rest : NULL,
                   .middle = wanted->middle != NULL ? &middle : NULL,
                   .columns = &columns,
                   .bits = wanted->bits};

    TRY(input_file_open_moved(&in, wanted->in, wanted->type, error));
    if (wanted->flags != NULL) {
        TRY(input_file_open_marks(&flags, wanted->flags, is_npy_name(wanted->flags) ? CLSCAN_TYPE_COUNT : CLSCAN_UINT8,
                                  error));
        s.flags = &flags;
    }
    TRY(check_files(&in, s.flags, s.bits, error));
    columns.has_runs = wanted->long_runs;
    TRY(table_columns_open(&columns, &wanted->columns, &in, error));
    TRY(check_used_files(&s, wanted, error));
    describe_output(&out, wanted, &in);
    if (s.rest != NULL)
        describe_output(&rest, wanted, &in);
    if (s.middle != NULL)
        describe_output(&middle, wanted, &in);
    s.out_bytes = out.type == CLSCAN_TYPE_COUNT ? in.element_bytes : clscan_type_size_bytes(out.type);
    TRY(target_find(&where, wanted->device, wanted->config, error));
    TRY(target_start(&where, error));
    TRY(prepare(&s, wanted, error));
    TRY(select_all(&s, error));
    if (wanted->json)
        TRY(print_json(&s, error));

cleanup:
    release(&s);
    target_release(&where);
    input_file_close(&in);
    input_file_close(&flags);
    return status;
}

int command_select(int argc, char **argv)
{
    select_options wanted = {.type = CLSCAN_TYPE_COUNT};
    static const char *const operand_names[] = {"IN", "OUT"};
    const char *operands[2];
    const option options[] = {
        {"type", "T", HELP_RAW_TYPE, read_type, &wanted.type},
        {"flags", "FILE",
         "a flag for each element: a .npy file of integers or booleans, or raw bytes, as the first bytes of a pipe "
         "tell; what is not 0 is kept",
         read_text, &wanted.flags},
        {"bits", NULL, "flags are bits, the lowest of a byte first, as numpy.packbits(bitorder='little') makes them",
         NULL, &wanted.bits},
        {"where", "EXPR",
         "keep where this is not 0: OpenCL C of 'element' (of float16 a float), 'index', a ulong, and 'before', the "
         "element in front",
         read_text, &wanted.where},
        {"unique", NULL, "keep elements that differ from the one in front", NULL, &wanted.unique},
        {"rejected", NULL, "write what would not be kept, in place of what is", NULL, &wanted.rejected},
        {"indices", NULL, "write the index of each kept element, a uint64, instead of the element", NULL,
         &wanted.indices},
        {"rest", "FILE", "write what is not kept to FILE", read_text, &wanted.rest},
        {"middle", "FILE",
         "divide in three: what EXPR is 1 for goes to OUT, 2 to this FILE, and anything else to that of --rest",
         read_text, &wanted.middle},
        {"long-runs", NULL, "what would be kept begins runs: keep those of two and more elements alone", NULL,
         &wanted.long_runs},
        TABLE_COLUMN_OPTIONS(wanted.columns),
        {"chunk-bytes", "N", HELP_CHUNK_BYTES, read_bytes, &wanted.chunk_bytes},
        {"device", "D", HELP_DEVICE, read_text, &wanted.device},
        {"config", "FILE", HELP_CONFIG, read_text, &wanted.config},
        {"json", NULL, "print JSON; clscan(1) documents the keys", NULL, &wanted.json},
    };
    const command_line line = {
        .name = "select",
        .synopsis = "select IN OUT [options]",
        .description =
            "Write the elements of IN that are kept to OUT, in their order.\n"
            "\n"
            "IN is a .npy file or raw elements, as for 'clscan scan'; an array of several dimensions is one\n"
            "row. '-' is standard input, or output. An element is kept if it has a flag and EXPR is true for it;\n"
            "without --flags and --where, if it is not 0. With --flags alone, elements of a .npy file may be of\n"
            "any type of up to 64 bytes, as strings and dates. Files of any size pass through the device in chunks.",
        .options = options,
        .option_count = sizeof options / sizeof options[0],
        .operands = operand_names,
        .operand_count = 2,
        .examples = "  clscan select in.npy out.npy --where 'element > 0'\n"
                    "  clscan select in.npy rows.npy --flags keep.npy --indices\n"
                    "  clscan select in.npy small.npy --where 'element < 10' --rest large.npy\n"
                    "  clscan select in.npy below.npy --where 'element < 5 ? 1 : element == 5 ? 2 : 3'"
                    " --middle equal.npy --rest above.npy\n"
                    "  clscan select in.npy values.npy --unique --lengths lengths.npy\n"
                    "  clscan select in.npy values.npy --unique --long-runs --lengths lengths.npy\n"
                    "  clscan select age.npy old.npy --where 'element > 64' --column name.npy:old_name.npy\n",
    };
    clscan_error error;
    int exit_code;

    if (!options_parse(&line, argc, argv, operands, &exit_code))
        return exit_code;
    wanted.in = operands[0];
    wanted.out = operands[1];
    if (check_options(&wanted, &error) != CLSCAN_OK)
        return options_wrong(&line, &error);
    if (run(&wanted, &error) != CLSCAN_OK) {
        print_failure(&error);
        return EXIT_CODE_FAILURE;
    }
    return EXIT_CODE_OK;
}
