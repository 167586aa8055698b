#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "command_line/failure.h"
#include "command_line/options.h"
#include "command_line/values.h"
#include "input_file.h"
#include "npy.h"
#include "output_file.h"
#include "scan_job.h"
#include "target.h"

typedef struct scan_options {
    clscan_type type; /* CLSCAN_TYPE_COUNT: not given */
    clscan_operator op;
    bool exclusive;
    bool reverse;
    const char *initial;
    bool in_place;
    const char *device;
    const char *config;
    bool check;
    bool stats;
    const char *in;
    const char *out;
} scan_options;

/* What the file's element type has to say to the options. */
static clscan_status check_options(const scan_options *wanted, clscan_error *error)
{
    if (wanted->op == CLSCAN_CUSTOM)
        return fail(error, CLSCAN_ERROR_INVALID_VALUE, "--op custom needs the library: there is no source here");
    if (is_npy_name(wanted->in) && wanted->type != CLSCAN_TYPE_COUNT)
        return fail(error, CLSCAN_ERROR_INVALID_VALUE, "%s carries its element type: leave out --type", wanted->in);
    if (!is_npy_name(wanted->in) && wanted->type == CLSCAN_TYPE_COUNT)
        return fail(error, CLSCAN_ERROR_INVALID_VALUE, "%s is no .npy file: say its element type by --type",
                    wanted->in);
    return CLSCAN_OK;
}

static clscan_status write_header(const input_file *in, output_file *out, clscan_error *error)
{
    char header[NPY_RENDERED_BYTES];

    if (!is_npy_name(out->name))
        return CLSCAN_OK;
    return output_file_write(out, header, npy_render(in->type, in->count, header), error);
}

/* The result may go to standard output; then what people should read goes to the other stream. */
static FILE *stream_for_people(const char *out)
{
    struct stat about;

    return fstat(fileno(stdout), &about) == 0 && output_is_file(out, &about) ? stderr : stdout;
}

static clscan_status check_and_tell(const scan_job *job, FILE *stream, clscan_error *error)
{
    uint64_t compared;
    const clscan_status status = scan_job_check(job, &compared, error);

    if (status != CLSCAN_OK)
        return status;
    fprintf(stream, "%-12s%" PRIu64 " of %" PRIu64 " elements compared with the serial reference: right\n", "check",
            compared, job->in->count);
    return CLSCAN_OK;
}

static clscan_status scan(const scan_options *wanted, const input_file *in, const void *initial, clscan_error *error)
{
    clscan_status status;
    FILE *stream = stream_for_people(wanted->out);
    target where = {0};
    output_file out = {.descriptor = -1};
    scan_job job = {
        .where = &where,
        .in = in,
        .op = wanted->op,
        .form = wanted->exclusive ? CLSCAN_EXCLUSIVE : CLSCAN_INCLUSIVE,
        .direction = wanted->reverse ? CLSCAN_REVERSE : CLSCAN_FORWARD,
        .initial = initial,
        .in_place = wanted->in_place,
        .keep = wanted->check,
    };

    REQUIRE(!output_is_file(wanted->out, &in->about), CLSCAN_ERROR_FILE,
            "%s and %s are the same file; choose another output", wanted->in, wanted->out);
    TRY(target_find(&where, wanted->device, wanted->config, error));
    TRY(output_file_probe(wanted->out, error));
    TRY(target_start(&where, error));
    TRY(scan_job_prepare(&job, error));
    TRY(scan_job_run(&job, error));
    /* Only now: an OpenCL compiler that crashes should not leave a file. */
    TRY(output_file_open(&out, wanted->out, error));
    TRY(write_header(in, &out, error));
    TRY(scan_job_write(&job, &out, error));
    if (wanted->check)
        TRY(check_and_tell(&job, stream, error));
    TRY(output_file_commit(&out, error));
    if (wanted->stats)
        TRY(scan_job_measure(&job, stream, error));

cleanup:
    output_file_discard(&out);
    scan_job_release(&job);
    target_release(&where);
    return status;
}

/* The input's element type is known only when it is open, and with it what --init may be. */
static int open_and_scan(const command_line *line, const scan_options *wanted)
{
    input_file in;
    clscan_error error;
    unsigned char initial[8];
    int exit_code = EXIT_CODE_OK;

    if (check_options(wanted, &error) != CLSCAN_OK)
        return options_wrong(line, &error);
    if (input_file_open(&in, wanted->in, wanted->type, &error) != CLSCAN_OK) {
        print_failure(&error);
        return EXIT_CODE_FAILURE;
    }
    if (wanted->initial != NULL &&
        parse_value(wanted->initial, clscan_type_accumulator(in.type), initial, &error) != CLSCAN_OK) {
        complain("%s: option '--init': %s", line->name, error.message);
        exit_code = EXIT_CODE_USAGE;
    } else if (scan(wanted, &in, wanted->initial != NULL ? initial : NULL, &error) != CLSCAN_OK) {
        print_failure(&error);
        exit_code = EXIT_CODE_FAILURE;
    }
    input_file_close(&in);
    return exit_code;
}

static const char description[] =
    "Scan the elements of IN and write as many elements of the same type to OUT.\n"
    "\n"
    "A name that ends in .npy is a NumPy file: one-dimensional, little-endian, of int8 to int64, uint8 to\n"
    "uint64, float16, float32 or float64. Any other IN is raw elements of the type that --type says, and "
    "any\n"
    "other OUT gets raw elements. Integers wrap around; float16 is summed as float32. OUT appears under its\n"
    "name when it is complete; an OUT that exists and is no regular file is written directly.";

int command_scan(int argc, char **argv)
{
    scan_options wanted = {.type = CLSCAN_TYPE_COUNT, .op = CLSCAN_ADD};
    static const char *const operand_names[] = {"IN", "OUT"};
    const char *operands[2];
    const option options[] = {
        {"type", "T", "element type of a raw IN: int8, uint8, ... int64, uint64, half, float, double", read_type,
         &wanted.type},
        {"op", "O", "add (default), mul, min, max, and, or, xor", read_operator, &wanted.op},
        {"exclusive", NULL, "element i of OUT does not include element i of IN", NULL, &wanted.exclusive},
        {"reverse", NULL, "scan from the last element to the first", NULL, &wanted.reverse},
        {"init", "VALUE", "initial value; for float16 a float32", read_text, &wanted.initial},
        {"in-place", NULL, "use one buffer on the device, for files that fit only once", NULL, &wanted.in_place},
        {"device", "D", HELP_DEVICE, read_text, &wanted.device},
        {"config", "FILE", HELP_CONFIG, read_text, &wanted.config},
        {"check", NULL, "compare the result with the serial reference before OUT appears", NULL, &wanted.check},
        {"stats", NULL, "measure: device, chosen entry, time, GB/s, and the fraction of a device copy", NULL,
         &wanted.stats},
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
                    "  clscan scan heights.raw highest.raw --type float --op max --reverse\n",
    };
    int exit_code;

    if (!options_parse(&line, argc, argv, operands, &exit_code))
        return exit_code;
    wanted.in = operands[0];
    wanted.out = operands[1];
    return open_and_scan(&line, &wanted);
}
