#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <clscan/mpi.h>

#include "command.h"
#include "command_line/failure.h"
#include "command_line/options.h"
#include "command_line/values.h"
#include "common/clock.h"
#include "mpi/agree.h"
#include "own_rows.h"
#include "reference/reference.h"
#include "tools/chunks.h"
#include "tools/device_stage.h"
#include "tools/file_check.h"
#include "tools/input_file.h"
#include "tools/pipeline.h"
#include "tools/result_file.h"
#include "tools/target.h"
#include "tools/used_files.h"

#define MOST_PATH_BYTES 4096

/* Chunks of a rank in memory: one is read, one is on the device, one is written. */
#define SLOTS 3u

typedef struct scan_options {
    clscan_type type;   /* CLSCAN_TYPE_COUNT: not given */
    clscan_operator op; /* not given: add */
    bool exclusive;
    bool reverse;
    bool flatten;
    bool reproducible;
    const char *initial;
    uint64_t chunk_bytes; /* 0: not given */
    const char *device;
    const char *config;
    bool check;
    bool stats;
    const char *in;
    const char *out;
} scan_options;

/* The file is scanned in rounds. In each, every rank has a chunk, of one size but for the last round. While one is on
 * the device, another thread reads the chunk of the next round, and a third one writes that of the round before. MPI
 * is called by the main thread only: calls of MPI's I/O that do not block would save the threads, but with Open MPI
 * 4.1.4 the wait for a read behind the end of a file never ends, and a full disk crashes the process. */
typedef struct scan_job {
    const scan_options *wanted;
    const ranks *r;
    input_file in;   /* each rank's own; what it is the first rank has found */
    result_file out; /* the first rank's, which the others join */
    target where;
    uint64_t row_count;   /* elements of a scan: of a row, or all */
    uint64_t step;        /* chunks are multiples of it, but for the last one */
    uint64_t chunk_count; /* elements of a chunk, on all ranks; 0: there is nothing to scan */
    uint64_t rounds;
    uint64_t done;      /* elements of the rounds that were scanned */
    device_stage stage; /* chunks of this rank, which are scanned in place */
    cl_mem total;       /* of a round */
    clscan_mpi *mpi;    /* of one scan; NULL: each rank scans rows of its own */
    own_rows rows;
    unsigned char initial[8];
    unsigned char
        carry[8]; /* the initial value, or the total of the rounds before, which replaces it without a state */
    bool has_carry;
    unsigned char *state; /* after the rounds before; NULL: totals serve */
    pipeline_times times;
    double seconds; /* from the first read until OUT has its name, with the check */
} scan_job;

static clscan_operator operator_of(const scan_options *wanted)
{
    return wanted->op != CLSCAN_OPERATOR_COUNT ? wanted->op : CLSCAN_ADD;
}

static clscan_status check_options(const scan_options *wanted, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;

    REQUIRE(wanted->in[0] != '\0' && wanted->out[0] != '\0', CLSCAN_ERROR_INVALID_VALUE, "%s is an empty name",
            wanted->in[0] == '\0' ? "IN" : "OUT");
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
    used_files files = {.count = 0};

    TRY(input_file_open(in, wanted->in, wanted->type, NULL, error));
    TRY(input_file_check_order(in, error));
    REQUIRE(!in->is_stream, CLSCAN_ERROR_FILE, "%s is no regular file, of which ranks could read their parts",
            in->name);
    used_files_read(&files, "IN", &in->about);
    used_files_read_name(&files, "--config", wanted->config);
    used_files_write(&files, "OUT", wanted->out);
    TRY(used_files_check(&files, error));

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
    CLSCAN__TRY_MPI(MPI_Bcast, (&job->in, (int)sizeof job->in, MPI_BYTE, 0, r->all));
    if (r->rank != 0) {
        job->in.name = job->wanted->in;
        job->in.type_name = clscan_type_name(job->in.type);
        job->in.descriptor = open(job->in.name, O_RDONLY | O_CLOEXEC);
        if (job->in.descriptor < 0)
            status = fail(error, CLSCAN_ERROR_FILE, "%s: %s", job->in.name, strerror(errno));
    }
    status = ranks_agree(r, status, error);

cleanup:
    return status;
}

/* The last axis, as for clscan scan. */
static uint64_t row_count_of(const scan_job *job)
{
    const input_file *in = &job->in;

    return in->dimensions < 2 || job->wanted->flatten ? in->count : in->shape[in->dimensions - 1];
}

static bool has_rows(const scan_job *job)
{
    return job->row_count < job->in.count;
}

static uint64_t bytes_of(const scan_job *job, uint64_t count)
{
    return count * job->in.element_bytes;
}

static uint64_t in_steps(const scan_job *job, uint64_t count)
{
    return (count / job->step + (count % job->step != 0)) * job->step;
}

/* Small ones, so that files have several rounds, which overlap; but whole rows. */
static uint64_t wanted_bytes(const scan_job *job)
{
    const uint64_t row_bytes = bytes_of(job, has_rows(job) ? job->row_count : 0);

    if (job->wanted->chunk_bytes > 0)
        return job->wanted->chunk_bytes;
    return row_bytes > CHUNK_PIPE_BYTES ? row_bytes : CHUNK_PIPE_BYTES;
}

/* How many elements of a round this rank's device has room for, beside those of other ranks. */
static clscan_status size_chunk(scan_job *job, uint64_t *chunk_count, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const clscan_device_info *info = &job->where.info;
    const uint64_t parts = (uint64_t)job->r->count, each = job->in.count / parts + (job->in.count % parts != 0);
    const uint64_t count = has_rows(job) ? in_steps(job, each) : each;
    const chunk_limits limits = {.element_bytes = job->in.element_bytes,
                                 .count = count > 0 ? count : 1,
                                 .wanted_bytes = wanted_bytes(job),
                                 .max_allocation_bytes = info->max_allocation_bytes,
                                 .device_bytes = info->global_memory_bytes / (uint64_t)job->r->local_count,
                                 .host_bytes = UINT64_MAX,
                                 .unified = true, /* one chunk is read, one is on the device, one is written */
                                 .in_place = true};

    *chunk_count = chunks_plan(&limits).chunk_count;
    if (*chunk_count >= count) { /* one round, whose parts may end up to a step later */
        *chunk_count = in_steps(job, count);
        return status;
    }
    REQUIRE(*chunk_count >= job->step, CLSCAN_ERROR_INVALID_VALUE,
            "chunks of %" PRIu64 " elements on %s are too small for %s, which %s %" PRIu64
            "; try a larger --chunk-bytes",
            *chunk_count, info->name, has_rows(job) ? "rows" : "--reproducible", has_rows(job) ? "have" : "needs",
            job->step);
    *chunk_count -= *chunk_count % job->step;

cleanup:
    return status;
}

/* As many chunks under way as there are rounds, up to three. */
static clscan_status prepare_stage(scan_job *job, clscan_error *error)
{
    const uint64_t most = job->chunk_count * (uint64_t)job->r->count;

    job->rounds = job->in.count / most + (job->in.count % most != 0);
    job->stage = (device_stage){.where = &job->where,
                                .rows = {.count = job->in.count, .row_count = job->in.count},
                                .cut = {.chunk_count = job->chunk_count,
                                        .slot_count = job->rounds < SLOTS ? (unsigned)job->rounds : SLOTS,
                                        .in_place = true},
                                .element_bytes = job->in.element_bytes,
                                .output_bytes = job->in.element_bytes,
                                .unified = device_is_unified(job->where.device)};
    return device_stage_prepare_slots(&job->stage, error);
}

/* Collective. What ranks need before they can read. */
static clscan_status prepare(scan_job *job, clscan_error *error)
{
    clscan_status status;
    const scan_options *wanted = job->wanted;
    uint64_t own = 0;

    job->row_count = row_count_of(job);
    if (has_rows(job))
        job->step = job->row_count;
    else
        job->step = wanted->reproducible && clscan_reference_depends_on_grouping(job->in.type, operator_of(wanted))
                        ? CLSCAN_REPRODUCIBLE_STEP
                        : 1;
    status = ranks_target(job->r, wanted->device, wanted->config, &job->where, error);
    if (status == CLSCAN_OK)
        status = size_chunk(job, &own, error);
    TRY(ranks_agree(job->r, status, error));
    CLSCAN__TRY_MPI(MPI_Allreduce, (&own, &job->chunk_count, 1, MPI_UINT64_T, MPI_MIN, job->r->all));
    if (job->chunk_count > 0)
        status = prepare_stage(job, error);
    if (status == CLSCAN_OK)
        status = target_buffer(&job->where, sizeof job->carry, &job->total, error);
    status = ranks_agree(job->r, status, error);

cleanup:
    return status;
}

/* The ranks where the scan begins and ends. */
static int begin_rank(const scan_job *job)
{
    return job->wanted->reverse ? job->r->count - 1 : 0;
}

static int end_rank(const scan_job *job)
{
    return job->r->count - 1 - begin_rank(job);
}

/* Of one scan, in parts. Collective. */
static clscan_status create_shared(scan_job *job, const clscan_problem *problem, clscan_error *error)
{
    clscan_status status;
    const clscan_plan_options options = {.struct_size = sizeof options, .config = job->where.config};

    TRY(clscan_mpi_create(job->r->all, job->where.context, job->where.device, problem, &options, &job->mpi, error));
    if (clscan_mpi_state_bytes(job->mpi) > 0) {
        job->state = calloc(1, (size_t)clscan_mpi_state_bytes(job->mpi));
        if (job->state == NULL)
            status = fail(error, CLSCAN_ERROR_OUT_OF_MEMORY, "no memory for the state of a scan");
        status = ranks_agree(job->r, status, error);
    }

cleanup:
    return status;
}

/* Collective. */
static clscan_status create_scan(scan_job *job, clscan_error *error)
{
    const scan_options *wanted = job->wanted;
    const uint64_t most = job->chunk_count > 0 ? job->chunk_count : 1;
    const clscan_problem problem = {.struct_size = sizeof problem,
                                    .type = job->in.type,
                                    .op = operator_of(wanted),
                                    .form = wanted->exclusive ? CLSCAN_EXCLUSIVE : CLSCAN_INCLUSIVE,
                                    .direction = wanted->reverse ? CLSCAN_REVERSE : CLSCAN_FORWARD,
                                    .reproducible = wanted->reproducible,
                                    .max_count = has_rows(job) ? job->row_count : most};

    if (!has_rows(job))
        return create_shared(job, &problem, error);
    return ranks_agree(job->r,
                       own_rows_create(&job->rows, &job->where, &problem, most / job->row_count,
                                       wanted->initial != NULL ? job->initial : NULL, error),
                       error);
}

/* A pipeline_together's. */
static bool place_chunk(void *user, uint64_t round, uint64_t *first, uint64_t *count)
{
    const scan_job *job = user;
    const uint64_t most = job->chunk_count * (uint64_t)job->r->count;
    uint64_t before, left, all;
    share part;

    if (round >= job->rounds)
        return false;
    before = round * most;
    left = job->in.count - before;
    all = left < most ? left : most;
    part = ranks_share(job->r, all, job->step, job->wanted->reverse);
    *first = part.first + (job->wanted->reverse ? left - all : before);
    *count = part.count;
    return true;
}

/* A pipeline_together's. Collective. */
static clscan_status agree(void *user, clscan_status status, clscan_error *error)
{
    const scan_job *job = user;

    return ranks_agree(job->r, status, error);
}

/* Collective. What the next round needs: the last rank has it, since all chunks of this one are whole. */
static clscan_status pass_on(scan_job *job, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;

    if (job->state != NULL) {
        CLSCAN__TRY_MPI(MPI_Bcast,
                        (job->state, (int)clscan_mpi_state_bytes(job->mpi), MPI_BYTE, end_rank(job), job->r->all));
    } else {
        CLSCAN__TRY_MPI(MPI_Bcast, (job->carry, (int)sizeof job->carry, MPI_BYTE, end_rank(job), job->r->all));
        job->has_carry = true;
    }

cleanup:
    return status;
}

/* Wait for the scan of this rank's chunk, and take it and the total to the host. */
static clscan_status take_results(scan_job *job, slot *s, bool total, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;

    TRY_CL(clFinish, (job->where.queue));
    if (total)
        TRY_CL(clEnqueueReadBuffer,
               (job->where.queue, job->total, CL_TRUE, 0, sizeof job->carry, job->carry, 0, NULL, NULL));
    if (s->count > 0)
        TRY(device_stage_store(&job->stage, s, error));

cleanup:
    return status;
}

/* Collective. */
static clscan_status scan_shared(scan_job *job, slot *s, clscan_error *error)
{
    clscan_status status;
    const uint64_t most = job->chunk_count * (uint64_t)job->r->count;
    const bool is_last = job->in.count - job->done <= most;
    const bool has_total = job->state == NULL && job->r->rank == end_rank(job);
    clscan_run_args args = {.struct_size = sizeof args, .in.buffer = s->in, .out.buffer = s->out, .count = s->count};

    if (job->has_carry && job->r->rank == begin_rank(job))
        args.initial = (clscan_memory){.kind = CLSCAN_MEMORY_HOST, .pointer = job->carry};
    if (job->state != NULL) {
        args.first = job->done;
        args.state = (clscan_memory){.kind = CLSCAN_MEMORY_HOST, .pointer = job->state};
    }
    if (has_total)
        args.total.buffer = job->total;
    TRY(clscan_mpi_run(job->mpi, job->where.queue, &args, 0, NULL, NULL, error));
    status = take_results(job, s, has_total && !is_last, error);
    TRY(ranks_agree(job->r, status, error));
    if (!is_last)
        TRY(pass_on(job, error));

cleanup:
    return status;
}

/* Collective. */
static clscan_status scan_own_rows(scan_job *job, slot *s, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;

    if (s->count > 0)
        status = own_rows_run(&job->rows, s, error);
    if (status == CLSCAN_OK)
        status = take_results(job, s, false, error);
    return ranks_agree(job->r, status, error);
}

/* A pipeline_scan. Collective. */
static clscan_status scan_chunk(void *user, slot *s, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    scan_job *job = user;
    const double begun = clscan__now_seconds();

    if (s->count > 0)
        status = device_stage_load(&job->stage, s, error);
    TRY(ranks_agree(job->r, status, error));
    TRY(has_rows(job) ? scan_own_rows(job, s, error) : scan_shared(job, s, error));
    job->done += job->chunk_count * (uint64_t)job->r->count;
    job->stage.busy_seconds += clscan__now_seconds() - begun;

cleanup:
    return status;
}

/* Collective. */
static clscan_status scan_rounds(scan_job *job, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    progress unseen;
    const pipeline_together together = {.place = place_chunk, .agree = agree};
    const pipeline_parts parts = {.in = &job->in,
                                  .stage = &job->stage,
                                  .scan = scan_chunk,
                                  .together = &together,
                                  .user = job,
                                  .out = &job->out,
                                  .progress = &unseen};

    if (job->rounds == 0)
        return status;
    progress_begin(&unseen, "clscan-mpi", PROGRESS_NONE, bytes_of(job, job->in.count));
    status = pipeline_run(&parts, &job->times, error);
    progress_end(&unseen, status == CLSCAN_OK);
    return status;
}

/* On the first rank: make the temporary file, with its header. */
static clscan_status create_output(scan_job *job, char path[MOST_PATH_BYTES], clscan_error *error)
{
    clscan_status status;
    result_file *out = &job->out;

    TRY(result_file_open(out, false, error));
    REQUIRE(out->file.temporary.path != NULL, CLSCAN_ERROR_FILE,
            "%s is no regular file, of which ranks could write their parts", out->name);
    REQUIRE(strlen(out->file.temporary.path) < MOST_PATH_BYTES, CLSCAN_ERROR_FILE, "%s: its name is too long",
            out->name);
    /* Before others open it: a page that a machine takes for one behind the end it may write as a whole, with zeros
     * where another one's elements are (Linux, NFS). */
    REQUIRE(ftruncate(out->file.temporary.descriptor, (off_t)(out->header_bytes + bytes_of(job, job->in.count))) == 0,
            CLSCAN_ERROR_FILE, "%s: %s", out->name, strerror(errno));
    strcpy(path, out->file.temporary.path);

cleanup:
    return status;
}

/* Collective: all write into one temporary file, which becomes the output at last. */
static clscan_status open_output(scan_job *job, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const ranks *r = job->r;
    struct {
        char path[MOST_PATH_BYTES];
        uint64_t header_bytes;
    } told = {.header_bytes = 0};

    job->out = (result_file){.name = job->wanted->out,
                             .is_npy = is_npy_name(job->wanted->out),
                             .type = job->in.type,
                             .dimensions = 1,
                             .shape = {job->in.count},
                             .file = OUTPUT_FILE_CLOSED};
    if (job->in.dimensions > 1 && !job->wanted->flatten) {
        job->out.dimensions = job->in.dimensions;
        memcpy(job->out.shape, job->in.shape, sizeof job->out.shape);
    }
    if (r->rank == 0)
        status = create_output(job, told.path, error);
    TRY(ranks_agree(r, status, error));
    told.header_bytes = job->out.header_bytes;
    CLSCAN__TRY_MPI(MPI_Bcast, (&told, (int)sizeof told, MPI_BYTE, 0, r->all));
    if (r->rank != 0)
        status = result_file_join(&job->out, told.path, told.header_bytes, error);
    status = ranks_agree(r, status, error);

cleanup:
    return status;
}

/* On the first rank: the temporary file becomes the output, once it is right. */
static clscan_status commit_output(scan_job *job, uint64_t *compared, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const scan_options *wanted = job->wanted;
    checker check = {.type = job->in.type,
                     .op = operator_of(wanted),
                     .form = wanted->exclusive ? CLSCAN_EXCLUSIVE : CLSCAN_INCLUSIVE,
                     .rows = {.count = job->in.count, .row_count = job->row_count, .reverse = wanted->reverse},
                     .initial = wanted->initial != NULL ? job->initial : NULL};
    const file_elements in = {.path = wanted->in, .name = wanted->in, .offset_bytes = job->in.offset_bytes};
    const file_elements out = {
        .path = job->out.file.temporary.path, .name = wanted->out, .offset_bytes = job->out.header_bytes};

    if (wanted->check)
        TRY(file_check(&check, &in, &out, error));
    *compared = check.compared;
    status = result_file_commit(&job->out, job->in.count, error);

cleanup:
    check_release(&check);
    return status;
}

/* Collective. */
static void tell_stats(const scan_job *job)
{
    const uint64_t bytes = bytes_of(job, job->in.count);
    const double own[] = {job->times.read_seconds, job->times.device_seconds, job->times.write_seconds, job->seconds};
    double seconds[sizeof own / sizeof own[0]] = {0};

    if (MPI_Reduce(own, seconds, sizeof own / sizeof own[0], MPI_DOUBLE, MPI_MAX, 0, job->r->all) != MPI_SUCCESS ||
        job->r->rank != 0)
        return;
    printf("%-12s%d, the first one on %s\n", "ranks", job->r->count, job->where.info.name);
    printf("%-12s%" PRIu64 " %s, %" PRIu64 " bytes\n", "elements", job->in.count, job->in.type_name, bytes);
    printf("%-12s%" PRIu64 ", of up to %" PRIu64 " bytes on each device\n", "rounds", job->rounds,
           bytes_of(job, job->chunk_count));
    printf("%-12sread %.3f s, scan %.3f s, write %.3f s\n", "slowest", seconds[0], seconds[1], seconds[2]);
    printf("%-12s%.3f s\n", "together", seconds[3]);
}

static void tell_check(const scan_job *job, uint64_t compared)
{
    if (job->wanted->check && job->r->rank == 0)
        printf("%-12s%" PRIu64 " of %" PRIu64 " elements compared with the serial reference: right\n", "check",
               compared, job->in.count);
}

static void release(scan_job *job)
{
    clscan_mpi_destroy(job->mpi);
    own_rows_release(&job->rows);
    device_stage_release(&job->stage);
    if (job->total != NULL)
        clReleaseMemObject(job->total);
    free(job->state);
    target_release(&job->where);
    input_file_close(&job->in);
    output_file_discard(&job->out.file);
}

/* Collective; ranks leave each step with one answer. */
static clscan_status scan_file(scan_job *job, clscan_error *error)
{
    clscan_status status;
    uint64_t compared = 0;
    double begun;

    TRY(prepare(job, error));
    TRY(create_scan(job, error));
    TRY(open_output(job, error));
    begun = clscan__now_seconds();
    TRY(scan_rounds(job, error));
    if (job->r->rank != 0)
        status = result_file_commit(&job->out, job->in.count, error);
    TRY(ranks_agree(job->r, status, error));
    if (job->r->rank == 0)
        status = commit_output(job, &compared, error);
    TRY(ranks_agree(job->r, status, error));
    job->seconds = clscan__now_seconds() - begun;
    tell_check(job, compared);
    if (job->wanted->stats)
        tell_stats(job);

cleanup:
    release(job);
    return status;
}

static int run(const command_line *line, const scan_options *wanted, const ranks *r)
{
    scan_job job = {.wanted = wanted,
                    .r = r,
                    .in = {.descriptor = -1},
                    .out.file = OUTPUT_FILE_CLOSED,
                    .has_carry = wanted->initial != NULL};
    clscan_error error;

    if (check_options(wanted, &error) != CLSCAN_OK)
        return options_wrong(line, &error);
    if (open_input(&job, &error) != CLSCAN_OK) {
        input_file_close(&job.in);
        print_failure(&error);
        return EXIT_CODE_FAILURE;
    }
    if (wanted->initial != NULL &&
        parse_value(wanted->initial, clscan_type_accumulator(job.in.type), job.initial, &error) != CLSCAN_OK) {
        input_file_close(&job.in);
        complain("%s: option '--init': %s", line->name, error.message);
        return EXIT_CODE_USAGE;
    }
    memcpy(job.carry, job.initial, sizeof job.carry);
    if (scan_file(&job, &error) != CLSCAN_OK) {
        print_failure(&error);
        return EXIT_CODE_FAILURE;
    }
    return EXIT_CODE_OK;
}

static const char description[] =
    "Scan the elements of IN and write as many elements of the same type to OUT. Each rank reads its parts of IN, "
    "scans\n"
    "them on its device, and writes its parts of OUT.\n"
    "\n"
    "IN is a .npy file in C order, little-endian, of int8 to int64, uint8 to uint64, float16, float32 or\n"
    "float64, or raw elements of the type that --type says. All ranks see IN and OUT under the same names, and both\n"
    "are regular files. An OUT whose name ends in .npy gets a .npy file, any other raw elements. OUT appears under "
    "its\n"
    "name when it is complete. In an array of several dimensions, each row along the last one is a scan. Ranks get\n"
    "whole rows, and nothing travels between them. With --flatten all rows are one scan.\n"
    "\n"
    "The file may be larger than the memory of all devices: it is scanned in rounds, and in each round every rank has\n"
    "one chunk on its device, while it reads that of the next round and writes that of the round before.\n"
    "What goes wrong on one rank is said once, and all ranks end with the same exit code.";

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
        {"chunk-bytes", "N",
         "largest chunk of a rank, as 100000, 2^20, 64M, 64MiB; it has up to three chunks (default: 32M, or what fits)",
         read_bytes, &wanted.chunk_bytes},
        {"device", "D", HELP_RANK_DEVICE, read_text, &wanted.device},
        {"config", "FILE", HELP_CONFIG, read_text, &wanted.config},
        {"check", NULL, "let the first rank compare all of OUT with the serial reference before it appears", NULL,
         &wanted.check},
        {"stats", NULL, "say ranks, elements, rounds, the times of the slowest rank, and that of all", NULL,
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
        .examples = "  mpirun -n 4 clscan-mpi scan in.npy sums.npy\n"
                    "  mpirun -n 8 clscan-mpi scan heights.raw highest.raw --type float --op max --reverse\n"
                    "  mpirun -n 4 clscan-mpi scan matrix.npy sums-of-rows.npy\n"
                    "  mpirun -n 8 clscan-mpi scan in.npy sums.npy --reproducible --stats\n",
    };
    int exit_code;

    if (!options_parse(&line, argc, argv, operands, &exit_code))
        return exit_code;
    wanted.in = operands[0];
    wanted.out = operands[1];
    return run(&line, &wanted, r);
}
