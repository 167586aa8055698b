#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "axis_sums.h"
#include "chunk_buffers.h"
#include "command.h"
#include "command_line/failure.h"
#include "command_line/options.h"
#include "command_line/values.h"
#include "initials_file.h"
#include "input_file.h"
#include "json_output.h"
#include "output_file.h"
#include "record.h"
#include "reference/reference.h"
#include "scan_maps.h"
#include "segment_sums.h"
#include "target.h"
#include "used_files.h"

typedef struct reduce_options {
    clscan_type type;     /* CLSCAN_TYPE_COUNT: not given */
    clscan_operator op;   /* CLSCAN_OPERATOR_COUNT: not given */
    record record;        /* no type: not given */
    clscan_type out_type; /* CLSCAN_TYPE_COUNT: not given */
    const char *load;     /* OpenCL C; NULL: none */
    const char *store;
    const char *initial;
    const char *initials;                           /* file; NULL: none */
    const char *segments[CLSCAN_SEGMENTS_BY_COUNT]; /* files; NULL: none */
    const char *equal;                              /* OpenCL C, of keys; NULL: none */
    const char *axis;                               /* NULL: all elements are one row */
    const char *sums, *out_keys, *out_offsets;      /* files of what each row or segment gives; NULL: not wanted */
    bool reproducible;
    uint64_t chunk_bytes; /* 0: not given */
    const char *device;
    const char *config;
    bool json;
    const char *in;
} reduce_options;

/* One reduction, a chunk after the other. Zeroed before the first use. */
typedef struct reduction {
    const target *where;
    input_file *in;
    scan_maps maps;
    clscan_plan *plan;
    clscan_workspace *workspace;
    uint64_t chunk_count; /* elements of a chunk */
    void *host;
    cl_mem elements;
    cl_mem values[2]; /* before a chunk and behind it, by turns */
    uint64_t chunks;  /* so far */
} reduction;

/* One value, or one of each row or segment? */
static clscan_status check_segments(const reduce_options *wanted, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const clscan_segments_by by = segment_names_find(wanted->segments);
    const bool some = by != CLSCAN_SEGMENTS_BY_COUNT,
               results = wanted->sums != NULL || wanted->out_keys != NULL || wanted->out_offsets != NULL;
    const char *const names[] = {wanted->sums, wanted->out_keys, wanted->out_offsets};

    TRY(segment_names_check(wanted->segments, wanted->equal, wanted->in, error));
    REQUIRE(!some || wanted->axis == NULL, CLSCAN_ERROR_INVALID_VALUE,
            "--axis reduces rows, without " SEGMENT_OPTION_NAMES);
    REQUIRE(wanted->axis == NULL || wanted->sums != NULL, CLSCAN_ERROR_INVALID_VALUE,
            "say by --sums where the values along --axis go");
    REQUIRE(wanted->axis == NULL || wanted->store == NULL, CLSCAN_ERROR_INVALID_VALUE,
            "rows are reduced without --store");
    REQUIRE(some || (wanted->out_keys == NULL && wanted->out_offsets == NULL && (!results || wanted->axis != NULL)),
            CLSCAN_ERROR_INVALID_VALUE,
            "--sums, --out-keys and --out-offsets need one of " SEGMENT_OPTION_NAMES ", or --sums --axis");
    REQUIRE(!some || results, CLSCAN_ERROR_INVALID_VALUE,
            "say by --sums, --out-keys or --out-offsets where results of segments go");
    REQUIRE(!some || (wanted->store == NULL && !wanted->reproducible), CLSCAN_ERROR_INVALID_VALUE,
            "segments are reduced without --store and --reproducible");
    REQUIRE(wanted->out_keys == NULL || by == CLSCAN_BY_KEYS, CLSCAN_ERROR_INVALID_VALUE, "--out-keys needs --keys");
    REQUIRE(wanted->out_offsets == NULL || by != CLSCAN_BY_OFFSETS, CLSCAN_ERROR_INVALID_VALUE,
            "--out-offsets has no use beside --segment-offsets");
    TRY(initials_name_check(wanted->initials, wanted->initial, wanted->in, wanted->segments, error));
    REQUIRE(wanted->initials == NULL || some || wanted->axis != NULL, CLSCAN_ERROR_INVALID_VALUE,
            "--initials are those of rows or segments, and there is one value: say it by --init");
    for (size_t i = 0; i < 3; ++i)
        REQUIRE(names[i] == NULL || (names[i][0] != '\0' && strcmp(names[i], "-") != 0), CLSCAN_ERROR_INVALID_VALUE,
                "results of segments and rows go to files with names");

cleanup:
    return status;
}

static clscan_status check_options(const reduce_options *wanted, clscan_error *error)
{
    clscan_status status;
    const bool is_record = wanted->record.type != NULL;

    TRY(check_segments(wanted, error));
    TRY(input_file_check_type(wanted->in, wanted->type, is_record, error));
    REQUIRE(!is_record || wanted->type == CLSCAN_TYPE_COUNT, CLSCAN_ERROR_INVALID_VALUE,
            "--struct says the element type: leave out --type");
    REQUIRE(!is_record || wanted->op == CLSCAN_OPERATOR_COUNT || record_is_vector(&wanted->record),
            CLSCAN_ERROR_INVALID_VALUE, "--struct says how elements are combined: leave out --op");
    REQUIRE(!is_record || !wanted->reproducible, CLSCAN_ERROR_INVALID_VALUE,
            "elements of --struct have no reproducible order");
    REQUIRE(!is_record || wanted->out_type == CLSCAN_TYPE_COUNT, CLSCAN_ERROR_INVALID_VALUE,
            "--struct says the type of the value, too: leave out --output-type, which is for numbers");

cleanup:
    return status;
}

/* Of numbers. */
static clscan_operator operator_of(const reduce_options *wanted)
{
    return wanted->op != CLSCAN_OPERATOR_COUNT ? wanted->op : CLSCAN_ADD;
}

static clscan_type result_type(const reduce_options *wanted, const input_file *in)
{
    return wanted->out_type != CLSCAN_TYPE_COUNT ? wanted->out_type : in->type;
}

/* As many elements as the user, the device and the file want in a chunk; at least one. */
static clscan_status choose_chunk(reduction *r, const reduce_options *wanted, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const input_file *in = r->in;
    const chunk_limits limits = chunk_limits_alone(r->where, in->element_bytes, in->count, wanted->chunk_bytes);
    const bool ordered = wanted->reproducible && clscan_reference_depends_on_grouping(r->maps.out, operator_of(wanted));

    r->chunk_count = chunks_plan(&limits).chunk_count;
    if (!ordered)
        return status;
    REQUIRE(in->count != COUNT_UNKNOWN, CLSCAN_ERROR_INVALID_VALUE,
            "--reproducible needs one chunk, and nothing tells how long %s is", in->name);
    REQUIRE(in->count * in->element_bytes <= r->where->info.max_allocation_bytes, CLSCAN_ERROR_DEVICE_LIMIT,
            "--reproducible needs one chunk of %" PRIu64 " bytes; %s allocates at most %" PRIu64,
            in->count * in->element_bytes, r->where->info.name, r->where->info.max_allocation_bytes);
    r->chunk_count = in->count > 0 ? in->count : 1;

cleanup:
    return status;
}

/* In which type elements are combined, and the value is. */
static clscan_type value_type(const reduction *r)
{
    return clscan_type_accumulator(r->maps.out);
}

static clscan_status prepare(reduction *r, const reduce_options *wanted, clscan_error *error)
{
    clscan_status status;
    clscan_problem problem = {
        .struct_size = sizeof problem,
        .operation = CLSCAN_REDUCE,
        .type = r->in->type,
        .op = operator_of(wanted),
        .reproducible = wanted->reproducible,
    };

    if (r->in->record != NULL)
        record_ask(r->in->record, &problem);
    TRY(choose_chunk(r, wanted, error));
    problem.max_count = r->chunk_count;
    TRY(scan_maps_prepare(&r->maps, &problem, error));
    TRY(map_failure(target_plan(r->where, &problem, &r->plan, &r->workspace, error), &(plan_culprits){0}, error));
    r->host = malloc((size_t)(r->chunk_count * r->in->element_bytes));
    REQUIRE(r->host != NULL, CLSCAN_ERROR_OUT_OF_MEMORY, "no memory for a chunk of %" PRIu64 " elements",
            r->chunk_count);
    TRY(target_buffer(r->where, r->chunk_count * r->in->element_bytes, &r->elements, error));
    for (size_t i = 0; i < 2; ++i)
        TRY(target_buffer(r->where, CLSCAN_MOST_ELEMENT_BYTES, &r->values[i], error));

cleanup:
    return status;
}

/* Reduce the next `count` elements, which may be none and begin at `index` in the file, onto the value so far. */
static clscan_status run_chunk(reduction *r, uint64_t index, uint64_t count, const void *initial, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    clscan_memory arguments[SCAN_MAPS_ARGUMENTS];
    clscan_run_args args = {.struct_size = sizeof args,
                            .in = {.buffer = r->elements},
                            .count = count,
                            .total = {.buffer = r->values[(r->chunks + 1) % 2]},
                            .map_arguments = arguments,
                            .map_argument_count = scan_maps_arguments(&r->maps, &index, arguments)};

    if (r->chunks > 0)
        args.initial.buffer = r->values[r->chunks % 2];
    else
        args.initial = (clscan_memory){CLSCAN_MEMORY_HOST, .pointer = initial};
    if (count > 0)
        TRY_CL(clEnqueueWriteBuffer, (r->where->queue, r->elements, CL_TRUE, 0, (size_t)(count * r->in->element_bytes),
                                      r->host, 0, NULL, NULL));
    TRY(clscan_run(r->plan, r->workspace, r->where->queue, &args, 0, NULL, NULL, error));
    ++r->chunks;

cleanup:
    return status;
}

/* From the first element to the last; *count receives how many there were. */
static clscan_status reduce_all(reduction *r, const void *initial, uint64_t *count, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    input_file *in = r->in;

    *count = 0;
    while (r->chunks == 0 || *count < in->count) {
        const uint64_t left = in->count - *count; /* of a stream of unknown length more than any chunk */
        const uint64_t wanted = left < r->chunk_count ? left : r->chunk_count;
        size_t read_bytes = 0;

        TRY(input_file_read(in, *count * in->element_bytes, r->host, (size_t)(wanted * in->element_bytes), &read_bytes,
                            error));
        TRY(run_chunk(r, *count, read_bytes / in->element_bytes, initial, error));
        *count += read_bytes / in->element_bytes;
    }
    TRY(input_file_expect_end(in, error));

cleanup:
    return status;
}

/* What the expression of --store makes of the value, in its place: the map of a scan of that one element. */
static clscan_status store_value(reduction *r, const char *expression, uint64_t count, clscan_error *error)
{
    clscan_status status;
    const char *type = map_type_name(value_type(r), r->in->record);
    const uint64_t last = count - 1;
    const clscan_map_argument argument = {
        .struct_size = sizeof argument, .name = "index_of_last", .type = CLSCAN_UINT64};
    const clscan_memory index = {CLSCAN_MEMORY_HOST, .pointer = &last};
    const clscan_memory value = {.buffer = r->values[r->chunks % 2]};
    clscan_map store = {.struct_size = sizeof store,
                        .expression = "npy_stored(sum, index_of_last)",
                        .arguments = &argument,
                        .argument_count = 1};
    clscan_problem problem = {.struct_size = sizeof problem, .type = value_type(r), .max_count = 1, .store = &store};
    const clscan_run_args args = {.struct_size = sizeof args,
                                  .in = value,
                                  .out = value,
                                  .count = 1,
                                  .map_arguments = &index,
                                  .map_argument_count = 1};
    clscan_plan *plan = NULL;
    clscan_workspace *workspace = NULL;
    char *source = NULL;
    char head[128];

    if (r->in->record != NULL)
        record_ask(r->in->record, &problem);
    REQUIRE(count > 0, CLSCAN_ERROR_INVALID_VALUE, "%s has no elements, and --store the index of the last one",
            r->in->name);
    TRY(map_check(expression, "--store", error));
    snprintf(head, sizeof head, "%s npy_stored(%s sum, ulong index)", type, type);
    TRY(map_source(expression, "--store", head, &source, error));
    store.source = source;
    TRY(map_failure(target_plan(r->where, &problem, &plan, &workspace, error), &(plan_culprits){0}, error));
    TRY(clscan_run(plan, workspace, r->where->queue, &args, 0, NULL, NULL, error));
    TRY_CL(clFinish, (r->where->queue));

cleanup:
    clscan_workspace_destroy(workspace);
    clscan_plan_destroy(plan);
    free(source);
    return status;
}

static clscan_status read_value(reduction *r, void *value, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;

    TRY_CL(clEnqueueReadBuffer, (r->where->queue, r->values[r->chunks % 2], CL_TRUE, 0,
                                 input_file_sum_bytes(r->in, r->maps.out), value, 0, NULL, NULL));

cleanup:
    return status;
}

static void release(reduction *r)
{
    clscan_workspace_destroy(r->workspace);
    clscan_plan_destroy(r->plan);
    if (r->elements != NULL)
        clReleaseMemObject(r->elements);
    for (size_t i = 0; i < 2; ++i)
        if (r->values[i] != NULL)
            clReleaseMemObject(r->values[i]);
    scan_maps_release(&r->maps);
    free(r->host);
}

/* So many digits that reading gives the same value. */
static void format_value(clscan_type type, const clscan_value *value, char text[64])
{
    switch (type) {
    case CLSCAN_FLOAT:
        snprintf(text, 64, "%.9g", (double)value->float32);
        return;
    case CLSCAN_DOUBLE:
        snprintf(text, 64, "%.17g", value->float64);
        return;
    case CLSCAN_UINT64:
        snprintf(text, 64, "%" PRIu64, value->uint64);
        return;
    default:
        snprintf(text, 64, "%" PRId64,
                 type == CLSCAN_INT8     ? (int64_t)value->int8
                 : type == CLSCAN_UINT8  ? (int64_t)value->uint8
                 : type == CLSCAN_INT16  ? (int64_t)value->int16
                 : type == CLSCAN_UINT16 ? (int64_t)value->uint16
                 : type == CLSCAN_INT32  ? (int64_t)value->int32
                 : type == CLSCAN_UINT32 ? (int64_t)value->uint32
                                         : value->int64);
    }
}

/* Field `i` of a struct. */
static void format_field(const element_description *type, unsigned i, const unsigned char *element, char text[64])
{
    const element_field *field = &type->fields[i];
    clscan_value value = {.bits = 0};

    memcpy(&value, element + field->offset_bytes, clscan_type_size_bytes(field->type));
    format_value(field->type, &value, text);
}

/* JSON knows neither infinity nor NaN, and jansson no integer beyond 2^63. */
static json_t *json_of(const char *text)
{
    json_t *number = json_loads(text, JSON_DECODE_ANY, NULL);

    return number != NULL ? number : json_string(text);
}

/* What elements are, as JSON says it. */
static const char *name_of_type(const reduce_options *wanted, clscan_type type)
{
    return wanted->record.type != NULL ? wanted->record.type->name : clscan_type_name(type);
}

static const char *name_of_operator(const reduce_options *wanted)
{
    const record *of = &wanted->record;

    return clscan_operator_name(of->type == NULL ? operator_of(wanted) : record_is_vector(of) ? of->op : CLSCAN_CUSTOM);
}

/* A number, or an array with one for each field of a struct. */
static json_t *json_of_value(const reduce_options *wanted, clscan_type type, const unsigned char *value)
{
    const element_description *fields = wanted->record.type;
    clscan_value number = {.bits = 0};
    json_t *array = NULL;
    char text[64];

    if (fields == NULL) {
        memcpy(&number, value, clscan_type_size_bytes(type));
        format_value(type, &number, text);
        return json_of(text);
    }
    array = json_array();
    for (unsigned i = 0; i < fields->field_count; ++i) {
        format_field(fields, i, value, text);
        if (json_array_append_new(array, json_of(text)) != 0) {
            json_decref(array);
            return NULL;
        }
    }
    return array;
}

/* As --init has it. */
static void print_value(const reduce_options *wanted, clscan_type type, const unsigned char *value)
{
    const element_description *fields = wanted->record.type;
    clscan_value number = {.bits = 0};
    char text[64];

    if (fields == NULL) {
        memcpy(&number, value, clscan_type_size_bytes(type));
        format_value(type, &number, text);
        puts(text);
        return;
    }
    for (unsigned i = 0; i < fields->field_count; ++i) {
        format_field(fields, i, value, text);
        printf("%s%s", i > 0 ? "," : "", text);
    }
    putchar('\n');
}

static clscan_status print_json(const reduce_options *wanted, clscan_type type, const unsigned char *value,
                                uint64_t count, clscan_error *error)
{
    clscan_status status;
    json_t *object = json_object();

    TRY(json_put(object, "format", json_integer(JSON_FORMAT), error));
    TRY(json_put(object, "clscan", json_string(clscan_version()), error));
    TRY(json_put(object, "value", json_of_value(wanted, type, value), error));
    TRY(json_put(object, "type", json_string(name_of_type(wanted, type)), error));
    TRY(json_put(object, "op", json_string(name_of_operator(wanted)), error));
    TRY(json_put(object, "count", json_count(count), error));
    /* Not by json_print(), which leaves out the last digits of a double. */
    REQUIRE(json_dumpf(object, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(17)) == 0 || ferror(stdout) != 0,
            CLSCAN_ERROR_OUT_OF_MEMORY, "no memory for the JSON output");
    putchar('\n');

cleanup:
    json_decref(object);
    return status;
}

static clscan_status reduce(const reduce_options *wanted, input_file *in, const void *initial, clscan_error *error)
{
    clscan_status status;
    target where = {0};
    reduction r = {
        .where = &where,
        .in = in,
        .maps = {.in = in->type, .out = result_type(wanted, in), .record = in->record, .load = wanted->load}};
    unsigned char value[CLSCAN_MOST_ELEMENT_BYTES];
    uint64_t count;

    TRY(target_find(&where, wanted->device, wanted->config, error));
    TRY(target_start(&where, error));
    TRY(prepare(&r, wanted, error));
    TRY(reduce_all(&r, initial, &count, error));
    if (wanted->store != NULL)
        TRY(store_value(&r, wanted->store, count, error));
    TRY(read_value(&r, value, error));
    if (wanted->json)
        TRY(print_json(wanted, value_type(&r), value, count, error));
    else
        print_value(wanted, value_type(&r), value);

cleanup:
    release(&r);
    target_release(&where);
    return status;
}

/* The number of `what`, segments or rows, is what is printed; the rest goes to files. */
static clscan_status print_number(const reduce_options *wanted, const char *what, uint64_t number, clscan_type type,
                                  uint64_t count, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    json_t *object = NULL;

    if (!wanted->json) {
        printf("%" PRIu64 "\n", number);
        return status;
    }
    object = json_object();
    TRY(json_put(object, "format", json_integer(JSON_FORMAT), error));
    TRY(json_put(object, "clscan", json_string(clscan_version()), error));
    TRY(json_put(object, what, json_count(number), error));
    TRY(json_put(object, "type", json_string(name_of_type(wanted, type)), error));
    TRY(json_put(object, "op", json_string(name_of_operator(wanted)), error));
    TRY(json_put(object, "count", json_count(count), error));
    TRY(json_print(object, error));

cleanup:
    json_decref(object);
    return status;
}

static clscan_status check_used_files(const segment_sums *job, const record *of, const char *config,
                                      clscan_error *error)
{
    used_files files = {.count = 0};

    used_files_read(&files, "IN", &job->in->about);
    segment_file_use(job->segments, &files);
    record_use(of, &files);
    if (job->initials != NULL)
        initials_file_use(job->initials, &files);
    used_files_read_name(&files, "--config", config);
    used_files_write(&files, "--sums", job->sums);
    used_files_write(&files, "--out-keys", job->keys);
    used_files_write(&files, "--out-offsets", job->offsets);
    return used_files_check(&files, error);
}

/* Does nothing where none are wanted; else *opened points to `initials`, which stay where they are. */
static clscan_status open_initials(const reduce_options *wanted, const input_file *in, initials_file *initials,
                                   initials_file **opened, clscan_error *error)
{
    if (wanted->initials == NULL)
        return CLSCAN_OK;
    *opened = initials;
    return initials_file_open(initials, wanted->initials, clscan_type_accumulator(result_type(wanted, in)), in->record,
                              error);
}

static clscan_status reduce_segments(const reduce_options *wanted, input_file *in, const void *initial,
                                     clscan_error *error)
{
    clscan_status status;
    const clscan_segments_by by = segment_names_find(wanted->segments);
    target where = {0};
    segment_file segments = {.in = {.descriptor = -1}};
    initials_file initials = {.in = {.descriptor = -1}};
    scan_maps maps = {.in = in->type, .out = result_type(wanted, in), .record = in->record, .load = wanted->load};
    segment_sums job = {.where = &where,
                        .in = in,
                        .segments = &segments,
                        .maps = &maps,
                        .op = operator_of(wanted),
                        .initial = initial,
                        .chunk_bytes = wanted->chunk_bytes,
                        .sums = wanted->sums,
                        .keys = wanted->out_keys,
                        .offsets = wanted->out_offsets};

    TRY(segment_file_open(&segments, by, wanted->segments[by], wanted->equal, error));
    TRY(open_initials(wanted, in, &initials, &job.initials, error));
    TRY(check_used_files(&job, &wanted->record, wanted->config, error));
    TRY(target_find(&where, wanted->device, wanted->config, error));
    TRY(target_start(&where, error));
    TRY(segment_sums_run(&job, error));
    TRY(print_number(wanted, "segments", job.number, clscan_type_accumulator(maps.out), in->count, error));

cleanup:
    scan_maps_release(&maps);
    segment_file_release(&segments);
    initials_file_release(&initials);
    target_release(&where);
    return status;
}

static clscan_status reduce_rows(const reduce_options *wanted, input_file *in, const void *initial, unsigned axis,
                                 clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    target where = {0};
    used_files files = {.count = 0};
    initials_file initials = {.in = {.descriptor = -1}};
    scan_maps maps = {.in = in->type, .out = result_type(wanted, in), .record = in->record, .load = wanted->load};
    axis_sums job = {.where = &where,
                     .in = in,
                     .maps = &maps,
                     .op = operator_of(wanted),
                     .reproducible = wanted->reproducible,
                     .initial = initial,
                     .axis = axis,
                     .chunk_bytes = wanted->chunk_bytes,
                     .sums = wanted->sums};

    REQUIRE(in->count != COUNT_UNKNOWN, CLSCAN_ERROR_INVALID_VALUE,
            "--axis needs to know how long rows are, and nothing tells how long %s is", in->name);
    used_files_read(&files, "IN", &in->about);
    record_use(&wanted->record, &files);
    TRY(open_initials(wanted, in, &initials, &job.initials, error));
    if (job.initials != NULL) {
        TRY(initials_file_check_rows(job.initials, in, job.axis, false, error));
        initials_file_use(job.initials, &files);
    }
    used_files_read_name(&files, "--config", wanted->config);
    used_files_write(&files, "--sums", wanted->sums);
    TRY(used_files_check(&files, error));
    TRY(target_find(&where, wanted->device, wanted->config, error));
    TRY(target_start(&where, error));
    TRY(axis_sums_run(&job, error));
    TRY(print_number(wanted, "rows", job.number, clscan_type_accumulator(maps.out), in->count, error));

cleanup:
    initials_file_release(&initials);
    scan_maps_release(&maps);
    target_release(&where);
    return status;
}

/* Of all elements, does it matter which comes first? */
static bool depends_on_order(const reduce_options *wanted)
{
    return wanted->record.type != NULL || wanted->load != NULL || wanted->reproducible ||
           segment_names_find(wanted->segments) != CLSCAN_SEGMENTS_BY_COUNT;
}

static clscan_status run(const reduce_options *wanted, input_file *in, const void *initial, unsigned axis,
                         clscan_error *error)
{
    if (wanted->axis != NULL)
        return reduce_rows(wanted, in, initial, axis, error);
    if (depends_on_order(wanted) && input_file_check_order(in, error) != CLSCAN_OK)
        return error->status;
    return segment_names_find(wanted->segments) != CLSCAN_SEGMENTS_BY_COUNT
               ? reduce_segments(wanted, in, initial, error)
               : reduce(wanted, in, initial, error);
}

static clscan_status parse_initial(const reduce_options *wanted, const input_file *in, void *initial,
                                   clscan_error *error)
{
    const char *text = wanted->initial;

    return in->record != NULL ? element_parse(in->record->type, text, initial, error)
                              : parse_value(text, clscan_type_accumulator(result_type(wanted, in)), initial, error);
}

/* The input's element type is known only when it is open, and with it what --init may be. */
static int open_and_reduce(const command_line *line, reduce_options *wanted)
{
    input_file in;
    clscan_error error;
    unsigned char initial[CLSCAN_MOST_ELEMENT_BYTES];
    const record *of = wanted->record.type != NULL ? &wanted->record : NULL;
    int exit_code = EXIT_CODE_OK;
    unsigned axis;

    if (check_options(wanted, &error) != CLSCAN_OK ||
        (record_is_vector(&wanted->record) && wanted->op != CLSCAN_OPERATOR_COUNT &&
         record_set_operator(&wanted->record, wanted->op, &error) != CLSCAN_OK))
        return options_wrong(line, &error);
    if (input_file_open(&in, wanted->in, wanted->type, of, &error) != CLSCAN_OK) {
        print_failure(&error);
        return EXIT_CODE_FAILURE;
    }
    if (wanted->initial != NULL && parse_initial(wanted, &in, initial, &error) != CLSCAN_OK) {
        complain("%s: option '--init': %s", line->name, error.message);
        exit_code = EXIT_CODE_USAGE;
    } else if (input_file_axis(&in, wanted->axis, &axis, &error) != CLSCAN_OK) {
        complain("%s: option '--axis': %s", line->name, error.message);
        exit_code = EXIT_CODE_USAGE;
    } else if (run(wanted, &in, wanted->initial != NULL ? initial : NULL, axis, &error) != CLSCAN_OK) {
        print_failure(&error);
        exit_code = EXIT_CODE_FAILURE;
    }
    input_file_close(&in);
    return exit_code;
}

int command_reduce(int argc, char **argv)
{
    reduce_options wanted = {.type = CLSCAN_TYPE_COUNT, .op = CLSCAN_OPERATOR_COUNT, .out_type = CLSCAN_TYPE_COUNT};
    static const char *const operand_names[] = {"IN"};
    const char *operands[1];
    const option options[] = {
        {"type", "T", HELP_RAW_TYPE, read_type, &wanted.type},
        {"op", "O", "add (default), mul, min, max, and, or, xor", read_operator, &wanted.op},
        {"struct", "NAME",
         "elements are structs, ready-made as affine_float or of a FILE.json (see the manual), or vectors, as int4",
         read_record, &wanted.record},
        {"output-type", "T", "type of the value, in which elements are combined (default: that of IN)", read_type,
         &wanted.out_type},
        {"load", "EXPR", HELP_LOAD, read_text, &wanted.load},
        {"store", "EXPR", "print this instead of the value: OpenCL C of sum, and index, that of the last element",
         read_text, &wanted.store},
        {"init", "VALUE", "initial value; for float16 a float32, for --struct 1,0.5,...", read_text, &wanted.initial},
        {"initials", "FILE", HELP_INITIALS, read_text, &wanted.initials},
        SEGMENT_OPTIONS(wanted.segments, wanted.equal),
        {"axis", "N", "a value for each row along this axis; 0 is the first one, -1 the last", read_text, &wanted.axis},
        {"sums", "FILE", "write the value of each segment or row, in place of one of all", read_text, &wanted.sums},
        {"out-keys", "FILE", "write the key of each segment", read_text, &wanted.out_keys},
        {"out-offsets", "FILE", "write where each segment begins, and where the last one ends", read_text,
         &wanted.out_offsets},
        {"reproducible", NULL,
         "sums and products of floating-point numbers have the same bits on every device; IN must fit into one chunk",
         NULL, &wanted.reproducible},
        {"chunk-bytes", "N", HELP_CHUNK_BYTES, read_bytes, &wanted.chunk_bytes},
        {"device", "D", HELP_DEVICE, read_text, &wanted.device},
        {"config", "FILE", HELP_CONFIG, read_text, &wanted.config},
        {"json", NULL, "print JSON; clscan(1) documents the keys", NULL, &wanted.json},
    };
    const command_line line = {
        .name = "reduce",
        .synopsis = "reduce IN [options]",
        .description =
            "Combine all elements of IN and print the value.\n"
            "\n"
            "IN is a .npy file or raw elements, as for 'clscan scan'; an array of several dimensions is one\n"
            "row. '-' is standard input. Integers wrap around; the value of float16 is a float32. That of --struct\n"
            "is a number for each field. Files of any size pass through the device in chunks.\n"
            "\n"
            "With --segment-flags, --segment-bits, --segment-offsets or --keys each segment has a value of its own,\n"
            "and their number is printed. n + 1 offsets bound n segments. With --axis each row has a value of its\n"
            "own.",
        .options = options,
        .option_count = sizeof options / sizeof options[0],
        .operands = operand_names,
        .operand_count = 1,
        .examples = "  clscan reduce in.npy\n"
                    "  clscan reduce heights.raw --type float --op max --json\n"
                    "  clscan reduce in.npy --load 'element * element' --store 'sqrt(sum / (index + 1))'\n"
                    "  clscan reduce cents.npy --keys customers.npy --sums totals.npy --out-keys names.npy\n"
                    "  clscan reduce image.npy --axis -1 --sums rows.npy\n"
                    "  clscan reduce steps.npy --struct affine_float\n"
                    "  clscan reduce in.npy --keys in.npy --load 1 --output-type uint32 --sums lengths.npy\n",
    };
    int exit_code;

    if (!options_parse(&line, argc, argv, operands, &exit_code))
        return exit_code;
    wanted.in = operands[0];
    return open_and_reduce(&line, &wanted);
}
