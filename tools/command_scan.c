#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fcntl.h>
#include <unistd.h>

#include "command.h"
#include "command_line/failure.h"
#include "command_line/options.h"
#include "command_line/values.h"
#include "group_scan.h"
#include "initials_file.h"
#include "input_file.h"
#include "output_file.h"
#include "progress.h"
#include "record.h"
#include "result_file.h"
#include "scan_job.h"
#include "segment_file.h"
#include "target.h"
#include "used_files.h"

typedef enum file_format { FORMAT_BY_NAME, FORMAT_NPY, FORMAT_RAW } file_format;

typedef struct scan_options {
    clscan_type type;     /* CLSCAN_TYPE_COUNT: not given */
    clscan_operator op;   /* CLSCAN_OPERATOR_COUNT: not given */
    record record;        /* no type: not given */
    clscan_type out_type; /* CLSCAN_TYPE_COUNT: not given */
    const char *load;
    const char *store;
    bool offsets;
    const char *segments[CLSCAN_SEGMENTS_BY_COUNT]; /* files; NULL: none */
    const char *equal;                              /* OpenCL C, of keys; NULL: none */
    bool exclusive;
    bool reverse;
    bool flatten;
    const char *axis; /* NULL: the last one */
    bool reproducible;
    uint64_t measure_ms; /* 0: as the environment says */
    const char *initial;
    const char *initials; /* file; NULL: none */
    const char *sums;     /* file; NULL: not wanted */
    bool in_place;
    uint64_t chunk_bytes; /* 0: not given */
    file_format out_format;
    const char *device;
    const char *devices; /* NULL: one device */
    const char *shares;
    const char *config;
    bool check;
    bool stats;
    progress_mode progress;
    bool quiet;
    const char *in;
    const char *out;
} scan_options;

static clscan_status read_format(const char *text, void *value, clscan_error *error)
{
    file_format *format = value;

    if (strcmp(text, "npy") == 0)
        *format = FORMAT_NPY;
    else if (strcmp(text, "raw") == 0)
        *format = FORMAT_RAW;
    else
        return fail(error, CLSCAN_ERROR_INVALID_VALUE, "'%s' is no format; there are npy and raw", text);
    return CLSCAN_OK;
}

static bool has_segments(const scan_options *wanted)
{
    return segment_names_find(wanted->segments) != CLSCAN_SEGMENTS_BY_COUNT;
}

static clscan_status check_segments(const scan_options *wanted, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const bool none = !has_segments(wanted);

    TRY(segment_names_check(wanted->segments, wanted->equal, wanted->in, error));
    REQUIRE(none || !wanted->offsets, CLSCAN_ERROR_INVALID_VALUE,
            "--offsets are those of rows, without " SEGMENT_OPTION_NAMES);
    REQUIRE(none || !wanted->check, CLSCAN_ERROR_INVALID_VALUE,
            "--check has no serial reference for " SEGMENT_OPTION_NAMES);
    REQUIRE(none || !wanted->reproducible, CLSCAN_ERROR_INVALID_VALUE,
            "--reproducible has no order for " SEGMENT_OPTION_NAMES);
    REQUIRE(none || wanted->axis == NULL, CLSCAN_ERROR_INVALID_VALUE,
            "--axis scans rows, without " SEGMENT_OPTION_NAMES);

cleanup:
    return status;
}

/* What several devices do not do. */
static clscan_status check_devices(const scan_options *wanted, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;

    REQUIRE(wanted->shares == NULL || wanted->devices != NULL, CLSCAN_ERROR_INVALID_VALUE,
            "--shares are those of --devices, which is not given");
    if (wanted->devices == NULL)
        return status;
    REQUIRE(wanted->device == NULL, CLSCAN_ERROR_INVALID_VALUE, "give one of --device and --devices");
    REQUIRE(!has_segments(wanted) && !wanted->offsets && wanted->load == NULL && wanted->store == NULL,
            CLSCAN_ERROR_INVALID_VALUE,
            "--devices scan one row, without --load, --store, --offsets, " SEGMENT_OPTION_NAMES);
    REQUIRE(wanted->sums == NULL && wanted->initials == NULL, CLSCAN_ERROR_INVALID_VALUE,
            "--devices scan one row, without --initials and --sums");
    REQUIRE(!wanted->in_place, CLSCAN_ERROR_INVALID_VALUE,
            "--devices choose their buffers themselves: leave out --in-place");

cleanup:
    return status;
}

/* What there is one of for each row or segment. */
static clscan_status check_rows(const scan_options *wanted, clscan_error *error)
{
    clscan_status status;

    TRY(initials_name_check(wanted->initials, wanted->initial, wanted->in, wanted->segments, error));
    REQUIRE(wanted->sums == NULL || (wanted->sums[0] != '\0' && strcmp(wanted->sums, "-") != 0),
            CLSCAN_ERROR_INVALID_VALUE, "--sums go to a file with a name");
    REQUIRE(wanted->sums == NULL || !wanted->offsets, CLSCAN_ERROR_INVALID_VALUE,
            "--offsets end with the total: leave out --sums");

cleanup:
    return status;
}

/* What the file's element type has to say to the options. */
static clscan_status check_options(const scan_options *wanted, clscan_error *error)
{
    const bool is_record = wanted->record.type != NULL;

    if (wanted->in[0] == '\0' || wanted->out[0] == '\0')
        return fail(error, CLSCAN_ERROR_INVALID_VALUE, "%s is an empty name", wanted->in[0] == '\0' ? "IN" : "OUT");
    if (input_file_check_type(wanted->in, wanted->type, is_record, error) != CLSCAN_OK)
        return CLSCAN_ERROR_INVALID_VALUE;
    if (is_record && wanted->type != CLSCAN_TYPE_COUNT)
        return fail(error, CLSCAN_ERROR_INVALID_VALUE, "--struct says the element type: leave out --type");
    if (is_record && wanted->op != CLSCAN_OPERATOR_COUNT && !record_is_vector(&wanted->record))
        return fail(error, CLSCAN_ERROR_INVALID_VALUE, "--struct says how elements are combined: leave out --op");
    if (is_record && wanted->reproducible)
        return fail(error, CLSCAN_ERROR_INVALID_VALUE, "elements of --struct have no reproducible order");
    if (is_record && wanted->out_type != CLSCAN_TYPE_COUNT)
        return fail(error, CLSCAN_ERROR_INVALID_VALUE,
                    "--struct says the type of OUT, too: leave out --output-type, which is for numbers");
    if (is_record && wanted->offsets)
        return fail(error, CLSCAN_ERROR_INVALID_VALUE, "--offsets are numbers, which elements of --struct are not");
    if (is_record && wanted->check && (wanted->load != NULL || wanted->store != NULL))
        return fail(error, CLSCAN_ERROR_INVALID_VALUE,
                    "--check knows no expressions of structs: leave out %s or --check",
                    wanted->load != NULL ? "--load" : "--store");
    if (check_segments(wanted, error) != CLSCAN_OK || check_devices(wanted, error) != CLSCAN_OK ||
        check_rows(wanted, error) != CLSCAN_OK)
        return CLSCAN_ERROR_INVALID_VALUE;
    if (wanted->offsets && wanted->reverse)
        return fail(error, CLSCAN_ERROR_INVALID_VALUE, "--offsets are those of a forward scan: leave out --reverse");
    if (wanted->offsets && wanted->store != NULL)
        return fail(error, CLSCAN_ERROR_INVALID_VALUE, "--offsets end with the total, which --store does not pass");
    if (wanted->offsets && wanted->reproducible)
        return fail(error, CLSCAN_ERROR_INVALID_VALUE,
                    "--offsets have no reproducible order: leave out --reproducible");
    if (wanted->flatten && wanted->axis != NULL)
        return fail(error, CLSCAN_ERROR_INVALID_VALUE, "--flatten leaves no axis to choose: leave out --axis");
    if (wanted->measure_ms > 0 && wanted->config != NULL)
        return fail(error, CLSCAN_ERROR_INVALID_VALUE, "--measure finds what --config says; give one of them");
    return CLSCAN_OK;
}

static bool writes_npy(const scan_options *wanted)
{
    if (wanted->out_format != FORMAT_BY_NAME)
        return wanted->out_format == FORMAT_NPY;
    if (is_npy_name(wanted->out))
        return true;
    return is_stream_name(wanted->out) && wanted->type == CLSCAN_TYPE_COUNT;
}

static clscan_type output_type(const scan_options *wanted, const input_file *in)
{
    return wanted->out_type != CLSCAN_TYPE_COUNT ? wanted->out_type : in->type;
}

/* What the input's type and shape have to say to the options. */
static clscan_status check_input(const scan_options *wanted, const input_file *in, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;

    if (wanted->flatten || wanted->devices != NULL || has_segments(wanted))
        TRY(input_file_check_order(in, error));
    REQUIRE(!wanted->offsets || !wanted->in_place || wanted->flatten || in->dimensions < 2, CLSCAN_ERROR_INVALID_VALUE,
            "%s has %u dimensions, and --offsets of rows are more than elements: leave out --in-place", in->name,
            in->dimensions);
    REQUIRE(!has_segments(wanted) || wanted->flatten || in->dimensions < 2, CLSCAN_ERROR_INVALID_VALUE,
            "%s has %u dimensions, but segments are those of one row: add --flatten", in->name, in->dimensions);
    REQUIRE(wanted->devices == NULL || wanted->flatten || in->dimensions < 2, CLSCAN_ERROR_INVALID_VALUE,
            "%s has %u dimensions, but --devices scan one row: add --flatten", in->name, in->dimensions);
    REQUIRE(!wanted->in_place || in->record != NULL ||
                clscan_type_size_bytes(output_type(wanted, in)) == in->element_bytes,
            CLSCAN_ERROR_INVALID_VALUE, "--in-place needs outputs of as many bytes as elements, %s is no %s",
            clscan_type_name(output_type(wanted, in)), in->type_name);
    REQUIRE(!wanted->offsets || output_type(wanted, in) != CLSCAN_HALF, CLSCAN_ERROR_INVALID_VALUE,
            "--offsets end with a total, which is no half: say --output-type float");

cleanup:
    return status;
}

/* The output has the input's shape, unless it is to be flat, and of offsets one more along the axis. As with NumPy, the
 * scan of a scalar has one dimension. */
static result_file describe_result(const scan_options *wanted, const input_file *in, unsigned axis)
{
    result_file out = {.name = wanted->out,
                       .is_npy = writes_npy(wanted),
                       .type = output_type(wanted, in),
                       .descr = input_file_record_descr(in),
                       .dimensions = in->dimensions,
                       .fortran = in->fortran,
                       .file = OUTPUT_FILE_CLOSED};

    memcpy(out.shape, in->shape, sizeof out.shape);
    if (wanted->flatten || in->dimensions < 2) {
        out.dimensions = 1;
        out.shape[0] = in->count;
    }
    if (wanted->offsets && in->count != COUNT_UNKNOWN)
        ++out.shape[out.dimensions > 1 ? axis : 0];
    return out;
}

/* One of each row, in the array's shape without the axis, or of each segment. */
static result_file describe_sums(const scan_options *wanted, const input_file *in, unsigned axis)
{
    result_file sums = {.name = wanted->sums,
                        .is_npy = is_npy_name(wanted->sums),
                        .type = clscan_type_accumulator(output_type(wanted, in)),
                        .descr = input_file_record_descr(in),
                        .fortran = in->fortran,
                        .file = OUTPUT_FILE_CLOSED};

    if (has_segments(wanted))
        sums.shape[sums.dimensions++] = COUNT_UNKNOWN;
    else if (!wanted->flatten)
        sums.dimensions = input_file_rows_shape(in, axis, sums.shape);
    return sums;
}

/* `initials` stay where they are. */
static clscan_status open_initials(const scan_options *wanted, const input_file *in, unsigned axis,
                                   initials_file *initials, scan_job *job, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;

    if (wanted->initials == NULL)
        return status;
    TRY(initials_file_open(initials, wanted->initials, clscan_type_accumulator(output_type(wanted, in)), in->record,
                           error));
    if (!has_segments(wanted))
        TRY(initials_file_check_rows(initials, in, axis, wanted->flatten, error));
    job->initials = initials;

cleanup:
    return status;
}

/* The number of the axis. */
static clscan_status axis_of(const scan_options *wanted, const input_file *in, unsigned *axis, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;

    TRY(input_file_axis(in, wanted->axis, axis, error));
    REQUIRE(!wanted->check || *axis + 1 >= in->dimensions, CLSCAN_ERROR_INVALID_VALUE,
            "--check compares along the axis whose elements are neighbours in the file: the last, in Fortran order the "
            "first");

cleanup:
    return status;
}

/* Elements that belong together: those of a row and, along another axis than the last, of all rows side by side. */
static void lay_rows(const scan_options *wanted, const input_file *in, unsigned axis, scan_job *job)
{
    uint64_t elements = 1;

    job->columns = 1;
    job->row_count = COUNT_UNKNOWN;
    if (wanted->flatten || in->dimensions < 2 || in->count == 0)
        return;
    for (unsigned d = axis; d < in->dimensions; ++d) {
        elements *= in->shape[d];
        job->columns *= d > axis ? in->shape[d] : 1;
    }
    job->row_count = elements;
}

/* The result may go to standard output; then what people should read goes to the other stream. */
static FILE *stream_for_people(const char *out)
{
    struct stat output;
    struct stat standard;

    return fstat(fileno(stdout), &standard) == 0 && output_stat(out, &output) && output.st_dev == standard.st_dev &&
                   output.st_ino == standard.st_ino
               ? stderr
               : stdout;
}

/* What cannot be read from its end is copied to where it can. */
static clscan_status spool_input(input_file *in, progress_mode mode, clscan_error *error)
{
    clscan_status status;
    progress shown;

    progress_begin(&shown, "clscan: temporary copy", mode,
                   in->count == COUNT_UNKNOWN ? COUNT_UNKNOWN : in->count * in->element_bytes);
    status = input_file_spool(in, &shown, error);
    progress_end(&shown, status == CLSCAN_OK);
    return status;
}

static void tell_check(const scan_options *wanted, FILE *stream, uint64_t compared, uint64_t count)
{
    if (wanted->check && !wanted->quiet)
        fprintf(stream, "%-12s%" PRIu64 " of %" PRIu64 " elements compared with %s: right\n", "check", compared, count,
                wanted->record.type != NULL ? "a serial scan on the device" : "the serial reference");
}

/* What --measure came to: the gain, since when it is measured, or why nothing was. */
static clscan_status tell_measurement(const scan_options *wanted, FILE *stream, const scan_job *job,
                                      clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    clscan_choice choice = {.struct_size = sizeof choice};

    if (wanted->measure_ms == 0 || wanted->quiet)
        return status;
    TRY(clscan_plan_explain(job->plan, clscan_plan_max_count(job->plan), job->stage.cut.in_place, &choice, error));
    fprintf(stream, "%-12s%s\n", "measure", choice.reason);

cleanup:
    return status;
}

/* `segments` and `initials` are NULL where there are none. */
static clscan_status check_used_files(const scan_options *wanted, const input_file *in, const segment_file *segments,
                                      const initials_file *initials, clscan_error *error)
{
    used_files files = {.count = 0};

    used_files_read(&files, "IN", &in->about);
    if (segments != NULL)
        segment_file_use(segments, &files);
    if (initials != NULL)
        initials_file_use(initials, &files);
    record_use(&wanted->record, &files);
    used_files_read_name(&files, "--config", wanted->config);
    used_files_write(&files, "OUT", wanted->out);
    used_files_write(&files, "--sums", wanted->sums);
    return used_files_check(&files, error);
}

static clscan_status scan_on_devices(const scan_options *wanted, input_file *in, const void *initial,
                                     clscan_error *error)
{
    clscan_status status;
    FILE *stream = stream_for_people(wanted->out);
    result_file out;
    group_scan job = {
        .devices = wanted->devices,
        .shares = wanted->shares,
        .config = wanted->config,
        .in = in,
        .out = &out,
        .op = wanted->op != CLSCAN_OPERATOR_COUNT ? wanted->op : CLSCAN_ADD,
        .form = wanted->exclusive ? CLSCAN_EXCLUSIVE : CLSCAN_INCLUSIVE,
        .direction = wanted->reverse ? CLSCAN_REVERSE : CLSCAN_FORWARD,
        .initial = initial,
        .chunk_bytes = wanted->chunk_bytes,
        .measure_ms = wanted->measure_ms,
        .measured = wanted->measure_ms > 0 && !wanted->quiet ? stream : NULL,
        .reproducible = wanted->reproducible,
        .check = wanted->check,
        .progress = wanted->quiet ? PROGRESS_NONE : wanted->progress,
        .maps = {.in = in->type, .out = output_type(wanted, in)},
    };

    TRY(check_input(wanted, in, error));
    TRY(check_used_files(wanted, in, NULL, NULL, error));
    if (wanted->reverse && in->is_stream)
        TRY(spool_input(in, job.progress, error));
    out = describe_result(wanted, in, 0);
    TRY(group_scan_run(&job, wanted->stats ? stream : NULL, error));
    tell_check(wanted, stream, job.compared, in->count);

cleanup:
    return status;
}

static clscan_status scan(const scan_options *wanted, input_file *in, const void *initial, unsigned axis,
                          clscan_error *error)
{
    clscan_status status;
    FILE *stream = stream_for_people(wanted->out);
    const clscan_segments_by by = segment_names_find(wanted->segments);
    segment_file segments = {.in = {.descriptor = -1}};
    initials_file initials = {.in = {.descriptor = -1}};
    target where = {0};
    result_file out, sums;
    scan_job job = {
        .where = &where,
        .in = in,
        .out = &out,
        .op = wanted->op != CLSCAN_OPERATOR_COUNT ? wanted->op : CLSCAN_ADD,
        .maps = {.in = in->type,
                 .out = output_type(wanted, in),
                 .record = in->record,
                 .load = wanted->load,
                 .store = wanted->store},
        .offsets = wanted->offsets,
        .form = wanted->exclusive || wanted->offsets ? CLSCAN_EXCLUSIVE : CLSCAN_INCLUSIVE,
        .direction = wanted->reverse ? CLSCAN_REVERSE : CLSCAN_FORWARD,
        .initial = initial,
        .chunk_bytes = wanted->chunk_bytes,
        .reproducible = wanted->reproducible,
        .measure_ms = wanted->measure_ms,
        .in_place = wanted->in_place,
        .check = wanted->check,
        .progress = wanted->quiet ? PROGRESS_NONE : wanted->progress,
    };

    lay_rows(wanted, in, axis, &job);
    TRY(check_input(wanted, in, error));
    if (has_segments(wanted)) {
        TRY(segment_file_open(&segments, by, wanted->segments[by], wanted->equal, error));
        job.segments = &segments;
    }
    TRY(open_initials(wanted, in, axis, &initials, &job, error));
    TRY(check_used_files(wanted, in, job.segments, job.initials, error));
    TRY(target_find(&where, wanted->device, wanted->config, error));
    if (wanted->reverse && in->is_stream)
        TRY(spool_input(in, job.progress, error));
    if (wanted->sums != NULL) {
        sums = describe_sums(wanted, in, axis);
        job.sums = &sums;
    }
    if (job.segments != NULL)
        TRY(segment_file_check(&segments, in, job.sums != NULL || job.initials != NULL, error));
    out = describe_result(wanted, in, axis);
    TRY(target_start(&where, error));
    TRY(scan_job_prepare(&job, error));
    TRY(tell_measurement(wanted, stream, &job, error));
    TRY(scan_job_run(&job, error));
    tell_check(wanted, stream, job.checker.compared, in->count);
    if (wanted->stats)
        TRY(scan_job_report(&job, stream, error));

cleanup:
    scan_job_release(&job);
    segment_file_release(&segments);
    initials_file_release(&initials);
    target_release(&where);
    return status;
}

static clscan_status parse_initial(const scan_options *wanted, const input_file *in, void *initial, clscan_error *error)
{
    const char *text = wanted->initial;

    return in->record != NULL ? element_parse(in->record->type, text, initial, error)
                              : parse_value(text, clscan_type_accumulator(output_type(wanted, in)), initial, error);
}

static clscan_status run(const scan_options *wanted, input_file *in, const void *initial, unsigned axis,
                         clscan_error *error)
{
    return wanted->devices != NULL ? scan_on_devices(wanted, in, initial, error)
                                   : scan(wanted, in, initial, axis, error);
}

/* The input's element type is known only when it is open, and with it what --init may be. */
static int open_and_scan(const command_line *line, scan_options *wanted)
{
    input_file in;
    clscan_error error;
    unsigned char initial[CLSCAN_MOST_ELEMENT_BYTES];
    const record *of = wanted->record.type != NULL ? &wanted->record : NULL;
    unsigned axis;
    int exit_code = EXIT_CODE_OK;

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
    } else if (axis_of(wanted, &in, &axis, &error) != CLSCAN_OK) {
        complain("%s: option '--axis': %s", line->name, error.message);
        exit_code = EXIT_CODE_USAGE;
    } else if (run(wanted, &in, wanted->initial != NULL ? initial : NULL, axis, &error) != CLSCAN_OK) {
        print_failure(&error);
        exit_code = EXIT_CODE_FAILURE;
    }
    input_file_close(&in);
    return exit_code;
}

static const char description[] =
    "Scan the elements of IN and write as many elements of the same type to OUT; --output-type chooses another type.\n"
    "\n"
    "IN is a .npy file, little-endian, of int8 to int64, uint8 to uint64, float16, float32 or float64, or raw\n"
    "elements of the type that --type says. With --struct its elements are structs, in a .npy file of a\n"
    "structured type with fields of the same types, or raw. An array of several dimensions is scanned along\n"
    "its last axis or that of --axis, or as one row with --flatten, which refuses an array in Fortran order;\n"
    "otherwise OUT is in that order, too. Integers wrap around; float16 is summed as float32.\n"
    "\n"
    "An OUT whose name ends in .npy gets a .npy file, any other raw elements. '-' is standard input or output:\n"
    "a .npy file, or with --type raw elements; so are names in /dev and pipes. OUT appears under its name when\n"
    "it is complete; an OUT that exists and is no regular file is written directly.\n"
    "\n"
    "Files of any size pass through the device in chunks. Reverse scans copy what comes from a pipe, or goes there\n"
    "in more than one chunk, to a temporary file in $TMPDIR or /tmp.";

/* A closed standard stream must not become another file's descriptor. Its place is taken by what cannot be used the
 * way the stream would be. */
static void hold_standard_streams(void)
{
    for (int i = STDIN_FILENO; i <= STDERR_FILENO; ++i) {
        if (fcntl(i, F_GETFD) < 0)
            open("/dev/null", i == STDIN_FILENO ? O_WRONLY : O_RDONLY);
    }
}

int command_scan(int argc, char **argv)
{
    scan_options wanted = {.type = CLSCAN_TYPE_COUNT, .op = CLSCAN_OPERATOR_COUNT, .out_type = CLSCAN_TYPE_COUNT};
    static const char *const operand_names[] = {"IN", "OUT"};
    const char *operands[2];
    const option options[] = {
        {"type", "T", HELP_RAW_TYPE, read_type, &wanted.type},
        {"op", "O", "add (default), mul, min, max, and, or, xor", read_operator, &wanted.op},
        {"struct", "NAME",
         "elements are structs, ready-made as affine_float or of a FILE.json (see the manual), or vectors, as int4",
         read_record, &wanted.record},
        {"output-type", "T", "element type of OUT, in which elements are combined (default: that of IN)", read_type,
         &wanted.out_type},
        {"load", "EXPR", HELP_LOAD, read_text, &wanted.load},
        {"store", "EXPR", HELP_STORE, read_text, &wanted.store},
        {"offsets", NULL, "exclusive, and one element more: the total, as in offsets of rows from their lengths", NULL,
         &wanted.offsets},
        SEGMENT_OPTIONS(wanted.segments, wanted.equal),
        {"exclusive", NULL, "element i of OUT does not include element i of IN", NULL, &wanted.exclusive},
        {"reverse", NULL, "scan from the last element to the first", NULL, &wanted.reverse},
        {"flatten", NULL, "scan an array of several dimensions as one row; OUT has one dimension", NULL,
         &wanted.flatten},
        {"axis", "N", "scan an array of several dimensions along this axis; 0 is the first one, -1 the last (default)",
         read_text, &wanted.axis},
        {"init", "VALUE", "initial value, of every row; for float16 a float32, for --struct 1,0.5,...", read_text,
         &wanted.initial},
        {"initials", "FILE", HELP_INITIALS, read_text, &wanted.initials},
        {"sums", "FILE", "write the total of each row or segment, too", read_text, &wanted.sums},
        {"reproducible", NULL,
         "sums and products of floating-point numbers have the same bits on every device, with chunks of any size",
         NULL, &wanted.reproducible},
        {"out-format", "F", "npy or raw: format of OUT (default: by its name)", read_format, &wanted.out_format},
        {"chunk-bytes", "N", HELP_CHUNK_BYTES, read_bytes, &wanted.chunk_bytes},
        {"in-place", NULL, "use one buffer on the device for input and output, which needs half the memory", NULL,
         &wanted.in_place},
        {"device", "D", HELP_DEVICE, read_text, &wanted.device},
        {"devices", "LIST",
         "several devices for one row: as 0,1, or all; devices as for --device, one may be there twice", read_text,
         &wanted.devices},
        {"shares", "LIST", "how much each of --devices gets, such as its speed: as 3,1 (default: what was measured)",
         read_text, &wanted.shares},
        {"config", "FILE", HELP_CONFIG, read_text, &wanted.config},
        {"measure", "TIME",
         "if nothing was measured here yet, time known variants for 5s, 500ms, ..., and keep the best",
         read_milliseconds, &wanted.measure_ms},
        {"check", NULL,
         "compare the result before OUT appears: with the serial reference, of structs with a serial scan on the "
         "device",
         NULL, &wanted.check},
        {"stats", NULL, "say device, chosen entry, time, GB/s; for a single chunk also the fraction of a device copy",
         NULL, &wanted.stats},
        {"progress", "P", "auto (default: a bar on a terminal, else lines), bar, lines or none; to stderr",
         read_progress, &wanted.progress},
        {"quiet", NULL, "print errors and --stats only", NULL, &wanted.quiet},
    };
    const command_line line = {
        .name = "scan",
        .synopsis = "scan IN OUT [options]",
        .description = description,
        .options = options,
        .option_count = sizeof options / sizeof options[0],
        .operands = operand_names,
        .operand_count = 2,
        .examples = "  clscan scan in.npy sums.npy\n"
                    "  clscan scan in.npy offsets.npy --exclusive\n"
                    "  clscan scan lengths.npy offsets.npy --offsets --output-type uint64\n"
                    "  clscan scan in.npy rms.npy --load 'element * element' --store 'sqrt(sum / (index + 1))'\n"
                    "  clscan scan values.npy sums.npy --segment-offsets rows.npy\n"
                    "  clscan scan image.npy columns.npy --axis 0 --sums totals.npy\n"
                    "  clscan scan steps.npy states.npy --struct affine_float\n"
                    "  clscan scan heights.raw highest.raw --type float --op max --reverse\n",
    };
    int exit_code;

    hold_standard_streams();
    if (!options_parse(&line, argc, argv, operands, &exit_code))
        return exit_code;
    wanted.in = operands[0];
    wanted.out = operands[1];
    return open_and_scan(&line, &wanted);
}
