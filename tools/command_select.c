#include <string.h>

#include "command.h"
#include "command_line/failure.h"
#include "command_line/options.h"
#include "command_line/values.h"
#include "index_type.h"
#include "input_file.h"
#include "json_output.h"
#include "reference/reference.h"
#include "result_file.h"
#include "selection.h"
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
    bool coordinates;
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
    if (wanted->indices && wanted->coordinates)
        return fail(error, CLSCAN_ERROR_INVALID_VALUE,
                    "--indices and --coordinates both say what OUT has instead of elements: --out-indices writes "
                    "indices to a file of their own");
    if (wanted->columns.index_type != CLSCAN_TYPE_COUNT && !wanted->indices && !wanted->coordinates &&
        wanted->columns.indices == NULL)
        return fail(error, CLSCAN_ERROR_INVALID_VALUE,
                    "--index-type says the type of indices: ask for them by --indices, --coordinates or --out-indices");
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
static clscan_status check_files(const selection *s, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const input_file *flags = s->flags;

    if (flags == NULL)
        return CLSCAN_OK;
    REQUIRE(!clscan_reference_is_floating(flags->type), CLSCAN_ERROR_INVALID_VALUE,
            "%s: its elements are %s; flags are integers", flags->name, flags->type_name);
    REQUIRE(!s->bits || flags->type == CLSCAN_UINT8, CLSCAN_ERROR_INVALID_VALUE,
            "%s: its elements are %s; bits come in bytes, of type uint8", flags->name, flags->type_name);
    TRY(selection_check_counts(s, error));

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

static void describe_output(result_file *out, const select_options *wanted, const selection *s)
{
    const bool elements = !s->indices && !s->coordinates;

    out->is_npy = is_npy_name(out->name) || (is_stream_name(out->name) && wanted->type == CLSCAN_TYPE_COUNT);
    out->type = elements ? s->in->type : s->columns->index_type;
    out->descr = elements ? input_file_descr(s->in) : NULL;
    out->dimensions = s->coordinates ? 2 : 1;
    out->shape[0] = COUNT_UNKNOWN;
    out->shape[1] = s->in->dimensions;
}

static clscan_status run(const select_options *wanted, clscan_error *error)
{
    clscan_status status;
    target where = {0};
    input_file in = {.descriptor = -1}, flags = {.descriptor = -1};
    result_file out = {.name = wanted->out, .file = OUTPUT_FILE_CLOSED},
                rest = {.name = wanted->rest, .file = OUTPUT_FILE_CLOSED},
                middle = {.name = wanted->middle, .file = OUTPUT_FILE_CLOSED};
    table_columns columns = table_columns_none();
    selection s = {.where = &where,
                   .in = &in,
                   .out = &out,
                   .rest = wanted->rest != NULL ? &rest : NULL,
                   .middle = wanted->middle != NULL ? &middle : NULL,
                   .columns = &columns,
                   .bits = wanted->bits,
                   .expression = wanted->where,
                   .unique = wanted->unique,
                   .rejected = wanted->rejected,
                   .indices = wanted->indices,
                   .coordinates = wanted->coordinates,
                   .long_runs = wanted->long_runs,
                   .chunk_bytes = wanted->chunk_bytes};

    TRY(input_file_open_moved(&in, wanted->in, wanted->type, error));
    if (wanted->flags != NULL) {
        TRY(input_file_open_marks(&flags, wanted->flags, is_npy_name(wanted->flags) ? CLSCAN_TYPE_COUNT : CLSCAN_UINT8,
                                  error));
        s.flags = &flags;
    }
    TRY(check_files(&s, error));
    columns.has_runs = wanted->long_runs;
    TRY(table_columns_open(&columns, &wanted->columns, &in, error));
    if (in.count != COUNT_UNKNOWN)
        TRY(selection_check_indices(&s, in.count, error));
    TRY(check_used_files(&s, wanted, error));
    describe_output(&out, wanted, &s);
    if (s.rest != NULL)
        describe_output(&rest, wanted, &s);
    if (s.middle != NULL)
        describe_output(&middle, wanted, &s);
    s.out_bytes = out.type == CLSCAN_TYPE_COUNT ? in.element_bytes : clscan_type_size_bytes(out.type);
    if (s.coordinates)
        s.out_bytes *= in.dimensions;
    TRY(target_find(&where, wanted->device, wanted->config, error));
    TRY(target_start(&where, error));
    TRY(selection_prepare(&s, error));
    TRY(selection_run(&s, error));
    if (wanted->json)
        TRY(print_json(&s, error));

cleanup:
    selection_release(&s);
    target_release(&where);
    input_file_close(&in);
    input_file_close(&flags);
    return status;
}

int command_select(int argc, char **argv)
{
    select_options wanted = {.type = CLSCAN_TYPE_COUNT, .columns.index_type = CLSCAN_TYPE_COUNT};
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
        {"indices", NULL, "write the index of each kept element instead of the element", NULL, &wanted.indices},
        {"coordinates", NULL,
         "write the coordinates of each kept element instead of the element, a row for each, as numpy.argwhere does",
         NULL, &wanted.coordinates},
        {"rest", "FILE", "write what is not kept to FILE", read_text, &wanted.rest},
        {"middle", "FILE",
         "divide in three: what EXPR is 1 for goes to OUT, 2 to this FILE, and anything else to that of --rest",
         read_text, &wanted.middle},
        {"long-runs", NULL, "what would be kept begins runs: keep those of two and more elements alone", NULL,
         &wanted.long_runs},
        {"column", "FILE:OUT",
         "write what is kept of FILE, a .npy file as long as IN, to OUT; may be given up to 8 times", read_column,
         &wanted.columns},
        {"out-indices", "FILE", "also write the index of each kept element", read_text, &wanted.columns.indices},
        {"lengths", "FILE", "also write how many elements there are from each kept one to the next, a uint64",
         read_text, &wanted.columns.lengths},
        {"index-type", "T", HELP_INDEX_TYPE, read_index_type, &wanted.columns.index_type},
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
                    "  clscan select in.npy places.npy --where 'element != 0' --coordinates --index-type int64\n"
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
