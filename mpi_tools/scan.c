#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <clscan/mpi.h>

#include "command.h"
#include "command_line/failure.h"
#include "command_line/options.h"
#include "command_line/values.h"
#include "common/clock.h"
#include "mpi/agree.h"
#include "shared_file.h"
#include "tools/input_file.h"
#include "tools/result_file.h"
#include "tools/target.h"

#define MOST_PATH_BYTES 4096

typedef struct scan_options {
    clscan_type type;   /* CLSCAN_TYPE_COUNT: not given */
    clscan_operator op; /* CLSCAN_OPERATOR_COUNT: not given */
    bool exclusive;
    bool reverse;
    bool flatten;
    bool reproducible;
    const char *initial;
    const char *device;
    const char *config;
    bool stats;
    const char *in;
    const char *out;
} scan_options;

/* Seconds of the slowest rank. */
typedef enum stage { STAGE_READ, STAGE_SCAN, STAGE_WRITE, STAGE_COUNT } stage;

typedef struct scan_job {
    const scan_options *wanted;
    const ranks *r;
    input_file in;   /* open on the first rank only; the others know what it has found */
    result_file out; /* on the first rank */
    share part;      /* of this rank */
    target where;
    cl_mem buffer; /* the part, which is scanned in place; NULL: there is none */
    unsigned char initial[8];
    double seconds[STAGE_COUNT];
} scan_job;

static clscan_status check_options(const scan_options *wanted, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;

    REQUIRE(wanted->in[0] != '\0' && wanted->out[0] != '\0', CLSCAN_ERROR_INVALID_VALUE, "%s is an empty name",
            wanted->in[0] == '\0' ? "IN" : "OUT");
    REQUIRE(wanted->op != CLSCAN_CUSTOM, CLSCAN_ERROR_INVALID_VALUE,
            "--op custom needs the library: there is no source here");
    TRY(input_file_check_type(wanted->in, wanted->type, false, error));

cleanup:
    return status;
}

/* On the first rank. */
static clscan_status look_at_input(scan_job *job, clscan_error *error)
{
    clscan_status status;
    const scan_options *wanted = job->wanted;
    input_file *in = &job->in;

    TRY(input_file_open(in, wanted->in, wanted->type, NULL, error));
    REQUIRE(!in->is_stream, CLSCAN_ERROR_FILE, "%s is no regular file, of which ranks could read their parts",
            in->name);
    REQUIRE(wanted->flatten || in->dimensions < 2, CLSCAN_ERROR_INVALID_VALUE,
            "%s has %u dimensions, but ranks scan one row: add --flatten", in->name, in->dimensions);
    REQUIRE(!output_overwrites(wanted->out, &in->about), CLSCAN_ERROR_FILE,
            "%s and %s are the same file; choose another output", in->name, wanted->out);

cleanup:
    return status;
}

/* Collective: all ranks know what the first one has found. */
static clscan_status open_input(scan_job *job, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const ranks *r = job->r;

    if (r->rank == 0)
        status = look_at_input(job, error);
    TRY(ranks_agree(r, status, error));
    if (r->rank == 0)
        input_file_close(&job->in);
    CLSCAN__TRY_MPI(MPI_Bcast, (&job->in, (int)sizeof job->in, MPI_BYTE, 0, r->all));
    job->in.name = job->wanted->in;
    job->in.type_name = clscan_type_name(job->in.type);
    job->in.descriptor = -1;

cleanup:
    return status;
}

static uint64_t bytes_of(const scan_job *job, uint64_t count)
{
    return count * job->in.element_bytes;
}

/* What a rank needs before it can read. */
static clscan_status prepare(scan_job *job, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const scan_options *wanted = job->wanted;
    const uint64_t bytes = bytes_of(job, job->part.count);

    TRY(ranks_target(job->r, wanted->device, wanted->config, &job->where, error));
    REQUIRE(bytes <= job->where.info.max_allocation_bytes, CLSCAN_ERROR_DEVICE_LIMIT,
            "a part of %s has %" PRIu64 " bytes, but one buffer of %s has %" PRIu64 " at most: start more ranks",
            wanted->in, bytes, job->where.info.name, job->where.info.max_allocation_bytes);
    if (bytes == 0)
        return status;
    TRY(target_buffer(&job->where, bytes, &job->buffer, error));

cleanup:
    return status;
}

/* Collective. */
static clscan_status read_parts(scan_job *job, clscan_error *error)
{
    clscan_status status;
    const double begun = clscan__now_seconds();
    shared_file file = {.file = MPI_FILE_NULL};
    clscan_error close_error;
    clscan_status closed;

    TRY(shared_file_open(&file, job->r, job->wanted->in, job->wanted->in, false, error));
    status = shared_file_read(&file, job->in.offset_bytes + bytes_of(job, job->part.first),
                              bytes_of(job, job->part.count), job->where.queue, job->buffer, error);
    TRY(ranks_agree(job->r, status, error));

cleanup:
    closed = shared_file_close(&file, job->r, &close_error);
    if (status == CLSCAN_OK && closed != CLSCAN_OK)
        *error = close_error;
    job->seconds[STAGE_READ] = clscan__now_seconds() - begun;
    return status != CLSCAN_OK ? status : closed;
}

/* Collective. */
static clscan_status scan_parts(scan_job *job, clscan_error *error)
{
    clscan_status status;
    const scan_options *wanted = job->wanted;
    const bool begins = job->r->rank == (wanted->reverse ? job->r->count - 1 : 0);
    const clscan_problem problem = {.struct_size = sizeof problem,
                                    .type = job->in.type,
                                    .op = wanted->op != CLSCAN_OPERATOR_COUNT ? wanted->op : CLSCAN_ADD,
                                    .form = wanted->exclusive ? CLSCAN_EXCLUSIVE : CLSCAN_INCLUSIVE,
                                    .direction = wanted->reverse ? CLSCAN_REVERSE : CLSCAN_FORWARD,
                                    .reproducible = wanted->reproducible,
                                    .max_count = job->part.count > 0 ? job->part.count : 1};
    const clscan_plan_options options = {.struct_size = sizeof options, .config = job->where.config};
    clscan_run_args args = {
        .struct_size = sizeof args, .in.buffer = job->buffer, .out.buffer = job->buffer, .count = job->part.count};
    clscan_mpi *mpi = NULL;
    double begun;
    cl_int code;

    TRY(clscan_mpi_create(job->r->all, job->where.context, job->where.device, &problem, &options, &mpi, error));
    if (wanted->initial != NULL && begins)
        args.initial = (clscan_memory){.kind = CLSCAN_MEMORY_HOST, .pointer = job->initial};
    begun = clscan__now_seconds();
    TRY(clscan_mpi_run(mpi, job->where.queue, &args, 0, NULL, NULL, error));
    code = clFinish(job->where.queue);
    if (code != CL_SUCCESS)
        status = fail_opencl(error, "clFinish", code);
    status = ranks_agree(job->r, status, error);
    job->seconds[STAGE_SCAN] = clscan__now_seconds() - begun;

cleanup:
    clscan_mpi_destroy(mpi);
    return status;
}

/* On the first rank: make the temporary file, with its header. */
static clscan_status open_output(scan_job *job, char path[MOST_PATH_BYTES], clscan_error *error)
{
    clscan_status status;
    result_file *out = &job->out;

    *out = (result_file){.name = job->wanted->out,
                         .is_npy = is_npy_name(job->wanted->out),
                         .type = job->in.type,
                         .dimensions = 1,
                         .shape = {job->in.count},
                         .file = {.descriptor = -1, .copy = {.descriptor = -1}}};
    TRY(result_file_open(out, false, error));
    REQUIRE(out->file.temporary.path != NULL, CLSCAN_ERROR_FILE,
            "%s is no regular file, of which ranks could write their parts", out->name);
    REQUIRE(strlen(out->file.temporary.path) < MOST_PATH_BYTES, CLSCAN_ERROR_FILE, "%s: its name is too long",
            out->name);
    strcpy(path, out->file.temporary.path);

cleanup:
    return status;
}

/* Collective: all write into one temporary file, which becomes the output at last. */
static clscan_status write_parts(scan_job *job, clscan_error *error)
{
    clscan_status status = CLSCAN_OK, closed;
    const ranks *r = job->r;
    const double begun = clscan__now_seconds();
    struct {
        char path[MOST_PATH_BYTES];
        uint64_t header_bytes;
    } told = {.header_bytes = 0};
    shared_file file = {.file = MPI_FILE_NULL};
    clscan_error close_error;

    if (r->rank == 0)
        status = open_output(job, told.path, error);
    TRY(ranks_agree(r, status, error));
    told.header_bytes = job->out.header_bytes;
    CLSCAN__TRY_MPI(MPI_Bcast, (&told, (int)sizeof told, MPI_BYTE, 0, r->all));
    TRY(shared_file_open(&file, r, told.path, job->wanted->out, true, error));
    status = shared_file_write(&file, told.header_bytes + bytes_of(job, job->part.first),
                               bytes_of(job, job->part.count), job->where.queue, job->buffer, error);
    TRY(ranks_agree(r, status, error));

cleanup:
    closed = shared_file_close(&file, r, &close_error);
    if (status == CLSCAN_OK && (status = closed) != CLSCAN_OK)
        *error = close_error;
    if (status != CLSCAN_OK) {
        if (r->rank == 0)
            output_file_discard(&job->out.file);
        return status;
    }
    if (r->rank == 0)
        status = result_file_commit(&job->out, job->in.count, error);
    job->seconds[STAGE_WRITE] = clscan__now_seconds() - begun;
    return ranks_agree(r, status, error);
}

/* Collective. */
static void tell_stats(const scan_job *job)
{
    const uint64_t bytes = bytes_of(job, job->in.count);
    double seconds[STAGE_COUNT] = {0};

    if (MPI_Reduce(job->seconds, seconds, STAGE_COUNT, MPI_DOUBLE, MPI_MAX, 0, job->r->all) != MPI_SUCCESS ||
        job->r->rank != 0)
        return;
    printf("%-12s%d, the first one on %s\n", "ranks", job->r->count, job->where.info.name);
    printf("%-12s%" PRIu64 " %s, %" PRIu64 " bytes\n", "elements", job->in.count, job->in.type_name, bytes);
    printf("%-12sread %.3f s, scan %.3f s, write %.3f s\n", "slowest", seconds[STAGE_READ], seconds[STAGE_SCAN],
           seconds[STAGE_WRITE]);
}

/* Collective; ranks leave each step with one answer. */
static clscan_status scan_file(scan_job *job, clscan_error *error)
{
    clscan_status status;
    const scan_options *wanted = job->wanted;

    job->part =
        ranks_share(job->r, job->in.count, wanted->reproducible ? CLSCAN_REPRODUCIBLE_STEP : 1, wanted->reverse);
    TRY(ranks_agree(job->r, prepare(job, error), error));
    TRY(read_parts(job, error));
    TRY(scan_parts(job, error));
    TRY(write_parts(job, error));
    if (wanted->stats)
        tell_stats(job);

cleanup:
    if (job->buffer != NULL)
        clReleaseMemObject(job->buffer);
    target_release(&job->where);
    return status;
}

static int run(const command_line *line, const scan_options *wanted, const ranks *r)
{
    scan_job job = {.wanted = wanted, .r = r, .in = {.descriptor = -1}};
    clscan_error error;

    if (check_options(wanted, &error) != CLSCAN_OK)
        return options_wrong(line, &error);
    if (open_input(&job, &error) != CLSCAN_OK) {
        print_failure(&error);
        return EXIT_CODE_FAILURE;
    }
    if (wanted->initial != NULL &&
        parse_value(wanted->initial, clscan_type_accumulator(job.in.type), job.initial, &error) != CLSCAN_OK) {
        complain("%s: option '--init': %s", line->name, error.message);
        return EXIT_CODE_USAGE;
    }
    if (scan_file(&job, &error) != CLSCAN_OK) {
        print_failure(&error);
        return EXIT_CODE_FAILURE;
    }
    return EXIT_CODE_OK;
}

static const char description[] =
    "Scan the elements of IN and write as many elements of the same type to OUT. Each rank reads its part of IN, scans "
    "it\n"
    "on its device, and writes its part of OUT.\n"
    "\n"
    "IN is a .npy file in C order, little-endian, of int8 to int64, uint8 to uint64, float16, float32 or\n"
    "float64, or raw elements of the type that --type says; an array of several dimensions needs --flatten. All\n"
    "ranks see IN and OUT under the same names, and both are regular files. An OUT whose name ends in .npy gets a\n"
    ".npy file, any other raw elements. OUT appears under its name when it is complete.\n"
    "\n"
    "A rank's part is in the memory of its device as a whole, in one buffer: for more, start more ranks. What goes\n"
    "wrong on one rank is said once, and all ranks end with the same exit code.";

int mpi_command_scan(int argc, char **argv, ranks *r)
{
    scan_options wanted = {.type = CLSCAN_TYPE_COUNT, .op = CLSCAN_OPERATOR_COUNT};
    static const char *const operand_names[] = {"IN", "OUT"};
    const char *operands[2];
    const option options[] = {
        {"type", "T", HELP_RAW_TYPE, read_type, &wanted.type},
        {"op", "O", "add (default), mul, min, max, and, or, xor", read_operator, &wanted.op},
        {"exclusive", NULL, "element i of OUT does not include element i of IN", NULL, &wanted.exclusive},
        {"reverse", NULL, "scan from the last element to the first", NULL, &wanted.reverse},
        {"flatten", NULL, "scan an array of several dimensions as one row; OUT has one dimension", NULL,
         &wanted.flatten},
        {"init", "VALUE", "initial value; for float16 a float32", read_text, &wanted.initial},
        {"reproducible", NULL,
         "sums and products of floating-point numbers have the same bits on every device, with any number of ranks",
         NULL, &wanted.reproducible},
        {"device", "D", HELP_RANK_DEVICE, read_text, &wanted.device},
        {"config", "FILE", HELP_CONFIG, read_text, &wanted.config},
        {"stats", NULL, "say ranks, elements, and the time of the slowest rank", NULL, &wanted.stats},
    };
    const command_line line = {
        .name = "scan",
        .synopsis = "scan IN OUT [options]",
        .description = description,
        .options = options,
        .option_count = sizeof options / sizeof options[0],
        .operands = operand_names,
        .operand_count = 2,
        .examples = "  mpirun -n 4 clscan-mpi scan in.npy sums.npy\n"
                    "  mpirun -n 8 clscan-mpi scan heights.raw highest.raw --type float --op max --reverse\n"
                    "  mpirun -n 8 clscan-mpi scan in.npy sums.npy --reproducible --stats\n",
    };
    int exit_code;

    if (!options_parse(&line, argc, argv, operands, &exit_code))
        return exit_code;
    wanted.in = operands[0];
    wanted.out = operands[1];
    return run(&line, &wanted, r);
}
