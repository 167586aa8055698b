#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "command_line/failure.h"
#include "command_line/options.h"
#include "command_line/values.h"
#include "index_type.h"
#include "input_file.h"
#include "json_output.h"
#include "length_file.h"
#include "record.h"
#include "reference/reference.h"
#include "result_file.h"
#include "table_columns.h"
#include "target.h"
#include "used_files.h"

typedef struct repeat_options {
    clscan_type type;    /* CLSCAN_TYPE_COUNT: not given */
    const char *lengths; /* file; NULL: there are offsets */
    const char *offsets; /* file; NULL: there are lengths */
    column_names columns;
    uint64_t chunk_bytes; /* 0: not given */
    const char *device;
    const char *config;
    bool json;
    const char *in;
    const char *out;
} repeat_options;

/* One run-length decoding. The host sees the lengths on their way, so it cuts both sides: no run of the library has
 * more than `capacity` elements or outputs. Zeroed before the first use. */
typedef struct repetition {
    const target *where;
    input_file *in;
    length_file *lengths;
    result_file *out;
    table_columns *columns;
    clscan_plan *plan;
    clscan_workspace *workspace;
    uint64_t capacity;
    void *host;         /* elements or outputs, of any column */
    uint64_t *left;     /* of each element of a chunk, how often it is still to be written */
    uint32_t *of_piece; /* the part of that which one run writes */
    cl_mem elements, piece, outputs, number;
    uint64_t count;   /* elements so far */
    uint64_t needed;  /* outputs of the lengths that were read so far */
    uint64_t written; /* outputs so far */
} repetition;

static clscan_status check_options(const repeat_options *wanted, clscan_error *error)
{
    if (wanted->in[0] == '\0' || wanted->out[0] == '\0')
        return fail(error, CLSCAN_ERROR_INVALID_VALUE, "%s is an empty name", wanted->in[0] == '\0' ? "IN" : "OUT");
    if ((wanted->lengths == NULL) == (wanted->offsets == NULL))
        return fail(error, CLSCAN_ERROR_INVALID_VALUE,
                    "say how often each element is written, by one of --lengths and --offsets");
    if (input_file_check_type(wanted->in, wanted->type, false, error) != CLSCAN_OK)
        return CLSCAN_ERROR_INVALID_VALUE;
    if (wanted->json && strcmp(wanted->out, "-") == 0)
        return fail(error, CLSCAN_ERROR_INVALID_VALUE, "--json and OUT both write to standard output");
    if (strcmp(wanted->lengths != NULL ? wanted->lengths : wanted->offsets, "-") == 0 && strcmp(wanted->in, "-") == 0)
        return fail(error, CLSCAN_ERROR_INVALID_VALUE, "--%s and IN are both standard input",
                    wanted->lengths != NULL ? "lengths" : "offsets");
    if (wanted->columns.index_type != CLSCAN_TYPE_COUNT && wanted->columns.indices == NULL)
        return fail(error, CLSCAN_ERROR_INVALID_VALUE,
                    "--index-type says the type of indices: say by --out-indices where they go");
    return CLSCAN_OK;
}

static clscan_status prepare(repetition *s, uint64_t chunk_bytes, clscan_error *error)
{
    clscan_status status;
    const size_t element_bytes = s->in->element_bytes;
    chunk_buffers buffers = {0};
    clscan_select select = {.struct_size = sizeof select, .length_bytes = sizeof s->of_piece[0]};
    char source[OPAQUE_SOURCE_BYTES];
    const clscan_element moved = record_opaque(element_bytes, source);
    const bool is_number = s->in->type != CLSCAN_TYPE_COUNT;
    clscan_problem problem = {.struct_size = sizeof problem,
                              .operation = CLSCAN_REPEAT,
                              .type = is_number ? s->in->type : (clscan_type)0,
                              .element = is_number ? NULL : &moved,
                              .select = &select};

    chunk_buffers_add(&buffers, element_bytes);
    chunk_buffers_add(&buffers, element_bytes);
    chunk_buffers_add(&buffers, sizeof(uint64_t)); /* a length as a file has it */
    table_columns_count_buffers(s->columns, &buffers);
    s->capacity = chunk_buffers_plan(&buffers, s->where, COUNT_UNKNOWN, chunk_bytes); /* of outputs */
    if (s->capacity > UINT32_MAX - 1)
        s->capacity = UINT32_MAX - 1; /* outputs are counted in uint32 */
    problem.max_count = s->capacity;
    table_columns_describe(s->columns, &select);
    TRY(target_plan(s->where, &problem, &s->plan, &s->workspace, error));
    s->host = malloc((size_t)s->capacity * buffers.widest_bytes);
    s->left = malloc((size_t)s->capacity * sizeof *s->left);
    s->of_piece = malloc((size_t)s->capacity * sizeof *s->of_piece);
    REQUIRE(s->host != NULL && s->left != NULL && s->of_piece != NULL, CLSCAN_ERROR_OUT_OF_MEMORY,
            "no memory for a chunk of %" PRIu64 " elements", s->capacity);
    TRY(target_buffer(s->where, s->capacity * element_bytes, &s->elements, error));
    TRY(target_buffer(s->where, s->capacity * element_bytes, &s->outputs, error));
    TRY(target_buffer(s->where, s->capacity * sizeof *s->of_piece, &s->piece, error));
    TRY(target_buffer(s->where, sizeof(uint32_t), &s->number, error));
    TRY(table_columns_create(s->columns, s->where, s->capacity, error));

cleanup:
    return status;
}

/* Has a file room for as many outputs as the lengths of `in` are together? */
static clscan_status check_room(const char *out, size_t element_bytes, uint64_t sum, const input_file *in,
                                clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const uint64_t room_bytes = output_file_room_bytes(out);

    REQUIRE(room_bytes == UINT64_MAX || sum <= room_bytes / element_bytes, CLSCAN_ERROR_FILE,
            "%s: there is room for %" PRIu64 " bytes, and %" PRIu64 " elements of %zu bytes, the sum of the lengths of "
            "%s, need more",
            out, room_bytes, sum, element_bytes, in->name);
    REQUIRE(sum <= UINT64_MAX / element_bytes, CLSCAN_ERROR_FILE,
            "%s: %" PRIu64 " elements of %zu bytes, the sum of the lengths of %s, have more bytes than 64 bits count",
            out, sum, element_bytes, in->name);

cleanup:
    return status;
}

/* How many outputs there will be, of lengths that can be read twice. */
static clscan_status count_outputs(repetition *s, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const char *name;
    size_t element_bytes;
    uint64_t sum;

    if (s->lengths->in.is_stream)
        return status;
    TRY(length_file_sum(s->lengths, &sum, error));
    TRY(check_room(s->out->name, s->in->element_bytes, sum, &s->lengths->in, error));
    for (uint32_t i = 0; (name = table_columns_output(s->columns, i, &element_bytes)) != NULL; ++i)
        TRY(check_room(name, element_bytes, sum, &s->lengths->in, error));
    s->out->shape[0] = sum;

cleanup:
    return status;
}

/* The lengths of the next `count` elements, to s->left. */
static clscan_status read_lengths(repetition *s, uint64_t count, clscan_error *error)
{
    clscan_status status;

    TRY(length_file_check_counts(s->lengths, s->in, s->count + count, error));
    TRY(length_file_take(s->lengths, s->count, count, s->host, &s->needed, s->left, error));

cleanup:
    return status;
}

/* As many elements of a chunk, from number *at on, as there is room for, the last one perhaps in part. */
static clscan_status write_piece(repetition *s, uint64_t *at, uint64_t count, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const uint64_t first = *at;
    clscan_column columns[CLSCAN_MOST_COLUMNS];
    clscan_selection selection = {.struct_size = sizeof selection, .lengths.buffer = s->piece, .capacity = s->capacity};
    clscan_run_args args = {.struct_size = sizeof args,
                            .in = {.buffer = s->elements, .offset = first},
                            .out.buffer = s->outputs,
                            .total.buffer = s->number,
                            .selection = &selection};
    const size_t element_bytes = s->in->element_bytes;
    uint64_t room = s->capacity;
    uint32_t number = 0;

    table_columns_bind(s->columns, first, columns, &selection);
    for (; *at < count && room > 0; ++*at) {
        const uint64_t taken = s->left[*at] < room ? s->left[*at] : room;

        s->of_piece[args.count++] = (uint32_t)taken;
        s->left[*at] -= taken;
        room -= taken;
        if (s->left[*at] > 0)
            break;
    }
    TRY_CL(clEnqueueWriteBuffer, (s->where->queue, s->piece, CL_TRUE, 0, (size_t)args.count * sizeof *s->of_piece,
                                  s->of_piece, 0, NULL, NULL));
    TRY(clscan_run(s->plan, s->workspace, s->where->queue, &args, 0, NULL, NULL, error));
    TRY_CL(clEnqueueReadBuffer, (s->where->queue, s->number, CL_TRUE, 0, sizeof number, &number, 0, NULL, NULL));
    if (number > 0)
        TRY_CL(clEnqueueReadBuffer,
               (s->where->queue, s->outputs, CL_TRUE, 0, number * element_bytes, s->host, 0, NULL, NULL));
    TRY(result_file_write(s->out, s->written * element_bytes, s->host, number * element_bytes, error));
    TRY(table_columns_store_rows(s->columns, s->where, s->count + first, 0, s->written, number, s->host, error));
    s->written += number;

cleanup:
    return status;
}

static clscan_status repeat_chunk(repetition *s, uint64_t wanted, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const size_t element_bytes = s->in->element_bytes;
    size_t read_bytes = 0;
    uint64_t count, at = 0;

    TRY(input_file_read(s->in, s->count * element_bytes, s->host, (size_t)(wanted * element_bytes), &read_bytes,
                        error));
    count = read_bytes / element_bytes;
    if (count < wanted)
        s->in->count = s->count + count; /* the end of a stream of unknown length */
    if (count > 0)
        TRY_CL(clEnqueueWriteBuffer,
               (s->where->queue, s->elements, CL_TRUE, 0, (size_t)count * element_bytes, s->host, 0, NULL, NULL));
    TRY(index_type_check(s->columns->index_type, s->in, s->count + count, error));
    TRY(table_columns_load(s->columns, s->where, s->count, count, s->host, error));
    TRY(read_lengths(s, count, error));
    while (at < count)
        TRY(write_piece(s, &at, count, error));
    s->count += count;

cleanup:
    return status;
}

static clscan_status repeat_all(repetition *s, clscan_error *error)
{
    clscan_status status;

    TRY(result_file_open(s->out, true, error));
    TRY(table_columns_open_outputs(s->columns, error));
    TRY(length_file_begin(s->lengths, error));
    while (s->count < s->in->count) {
        const uint64_t left = s->in->count - s->count; /* of a stream of unknown length more than any chunk */

        TRY(repeat_chunk(s, left < s->capacity ? left : s->capacity, error));
    }
    TRY(input_file_expect_end(s->in, error));
    TRY(input_file_expect_end(&s->lengths->in, error));
    REQUIRE(s->out->shape[0] == COUNT_UNKNOWN || s->out->shape[0] == s->written, CLSCAN_ERROR_FILE,
            "%s: it changed while it was read", s->lengths->in.name);
    TRY(table_columns_expect_end(s->columns, s->in->name, s->count, error));
    TRY(result_file_commit(s->out, s->written, error));
    TRY(table_columns_commit(s->columns, s->written, error));

cleanup:
    return status;
}

static void release(repetition *s)
{
    const cl_mem buffers[] = {s->elements, s->piece, s->outputs, s->number};

    clscan_workspace_destroy(s->workspace);
    clscan_plan_destroy(s->plan);
    for (size_t i = 0; i < sizeof buffers / sizeof buffers[0]; ++i)
        if (buffers[i] != NULL)
            clReleaseMemObject(buffers[i]);
    free(s->host);
    free(s->left);
    free(s->of_piece);
    output_file_discard(&s->out->file);
    table_columns_release(s->columns);
}

static clscan_status print_json(const repetition *s, clscan_error *error)
{
    clscan_status status;
    json_t *object = json_object();

    TRY(json_put(object, "format", json_integer(JSON_FORMAT), error));
    TRY(json_put(object, "clscan", json_string(clscan_version()), error));
    TRY(json_put(object, "written", json_count(s->written), error));
    TRY(json_put(object, "type", json_string(s->in->type_name), error));
    TRY(json_put(object, "count", json_count(s->count), error));
    TRY(json_print(object, error));

cleanup:
    json_decref(object);
    return status;
}

static clscan_status run(const repeat_options *wanted, clscan_error *error)
{
    clscan_status status;
    target where = {0};
    input_file in = {.descriptor = -1};
    length_file lengths = {.in = {.descriptor = -1}, .by_offsets = wanted->offsets != NULL};
    const input_file *file = &lengths.in;
    result_file out = {.name = wanted->out, .file = OUTPUT_FILE_CLOSED};
    table_columns columns = table_columns_none();
    repetition s = {.where = &where, .in = &in, .lengths = &lengths, .out = &out, .columns = &columns};
    used_files files = {.count = 0};

    TRY(input_file_open_moved(&in, wanted->in, wanted->type, error));
    TRY(input_file_open_marks(&lengths.in, lengths.by_offsets ? wanted->offsets : wanted->lengths, CLSCAN_TYPE_COUNT,
                              error));
    REQUIRE(!clscan_reference_is_floating(file->type), CLSCAN_ERROR_INVALID_VALUE,
            "%s: its elements are %s; %s are integers", file->name, file->type_name,
            lengths.by_offsets ? "offsets" : "lengths");
    if (in.count != COUNT_UNKNOWN)
        TRY(length_file_check_counts(&lengths, &in, in.count, error));
    TRY(table_columns_open(&columns, &wanted->columns, &in, error));
    if (in.count != COUNT_UNKNOWN)
        TRY(index_type_check(columns.index_type, &in, in.count, error));
    used_files_read(&files, "IN", &in.about);
    used_files_read(&files, lengths.by_offsets ? "--offsets" : "--lengths", &file->about);
    used_files_read_name(&files, "--config", wanted->config);
    used_files_write(&files, "OUT", wanted->out);
    table_columns_use(&columns, &files);
    TRY(used_files_check(&files, error));
    out.is_npy = is_npy_name(wanted->out) || (is_stream_name(wanted->out) && wanted->type == CLSCAN_TYPE_COUNT);
    out.type = in.type;
    out.descr = input_file_descr(&in);
    out.dimensions = 1;
    out.shape[0] = COUNT_UNKNOWN;
    TRY(count_outputs(&s, error));
    TRY(target_find(&where, wanted->device, wanted->config, error));
    TRY(target_start(&where, error));
    TRY(prepare(&s, wanted->chunk_bytes, error));
    TRY(repeat_all(&s, error));
    if (wanted->json)
        TRY(print_json(&s, error));

cleanup:
    release(&s);
    target_release(&where);
    input_file_close(&in);
    input_file_close(&lengths.in);
    return status;
}

int command_repeat(int argc, char **argv)
{
    repeat_options wanted = {.type = CLSCAN_TYPE_COUNT, .columns.index_type = CLSCAN_TYPE_COUNT};
    static const char *const operand_names[] = {"IN", "OUT"};
    const char *operands[2];
    const option options[] = {
        {"lengths", "FILE", "how often each element is written: a .npy file of integers, as many as elements",
         read_text, &wanted.lengths},
        {"offsets", "FILE", "n + 1 offsets for n elements, as of a sparse matrix's rows; lengths are their differences",
         read_text, &wanted.offsets},
        {"column", "FILE:OUT",
         "also write each element of FILE, a .npy file as long as IN, as many times, to OUT; may be given up to 8 "
         "times",
         read_column, &wanted.columns},
        {"out-indices", "FILE", "also write the index in IN of each element that is written", read_text,
         &wanted.columns.indices},
        {"index-type", "T", HELP_INDEX_TYPE, read_index_type, &wanted.columns.index_type},
        {"type", "T", HELP_RAW_TYPE, read_type, &wanted.type},
        {"chunk-bytes", "N", HELP_CHUNK_BYTES, read_bytes, &wanted.chunk_bytes},
        {"device", "D", HELP_DEVICE, read_text, &wanted.device},
        {"config", "FILE", HELP_CONFIG, read_text, &wanted.config},
        {"json", NULL, "print JSON; clscan(1) documents the keys", NULL, &wanted.json},
    };
    const command_line line = {
        .name = "repeat",
        .synopsis = "repeat IN OUT --lengths FILE|--offsets FILE [options]",
        .description =
            "Write each element of IN to OUT as many times as its length says, in their order: decode runs.\n"
            "\n"
            "IN is a .npy file or raw elements, as for 'clscan scan'; an array of several dimensions is one\n"
            "row, and elements of a .npy file may be of any type of up to 64 bytes, as strings and dates. '-' is\n"
            "standard input, or output. Files of any size pass through the device in chunks.",
        .options = options,
        .option_count = sizeof options / sizeof options[0],
        .operands = operand_names,
        .operand_count = 2,
        .examples = "  clscan repeat runs.npy same.npy --lengths lengths.npy\n"
                    "  clscan repeat of_rows.npy of_entries.npy --offsets rows.npy\n"
                    "  clscan repeat name.npy names.npy --lengths lengths.npy --column age.npy:ages.npy\n",
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
