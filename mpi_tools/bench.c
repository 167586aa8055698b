/* How long one scan over all ranks takes, beside the parts alone. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <clscan/mpi.h>

#include "command.h"
#include "command_line/failure.h"
#include "command_line/options.h"
#include "command_line/values.h"
#include "common/clock.h"
#include "measure/statistics.h"
#include "mpi/agree.h"
#include "tools/target.h"

#define MOST_COUNTS 32
#define MOST_RUNS 10001
/* Of each kind, in front of those that are timed. */
#define WARM_RUNS 3

typedef struct bench_options {
    uint64_t counts[MOST_COUNTS]; /* elements of each rank */
    size_t count_count;
    uint64_t runs;
    clscan_type type;
    const char *device;
    const char *config;
} bench_options;

typedef struct bench_job {
    const bench_options *wanted;
    const ranks *r;
    target where;
    uint64_t count; /* of the case */
    size_t element_bytes;
    cl_mem in, out;
    clscan_mpi *mpi;
    clscan_plan *plan; /* of the part alone */
    clscan_workspace *workspace;
    uint64_t *times_ns; /* of the runs; on the first rank */
} bench_job;

/* 1, and then only 0: the last output of a rank is how many ranks there are up to it, in any type. */
static clscan_status fill(bench_job *job, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const uint64_t bytes = job->count * job->element_bytes;
    unsigned char one[8];
    void *data = calloc(1, (size_t)bytes);
    cl_int code;

    REQUIRE(data != NULL, CLSCAN_ERROR_OUT_OF_MEMORY, "no host memory for %" PRIu64 " elements", job->count);
    TRY(parse_value("1", job->wanted->type, one, error));
    memcpy(data, one, job->element_bytes);
    TRY(target_buffer(&job->where, bytes, &job->in, error));
    TRY(target_buffer(&job->where, bytes, &job->out, error));
    code = clEnqueueWriteBuffer(job->where.queue, job->in, CL_TRUE, 0, (size_t)bytes, data, 0, NULL, NULL);
    if (code != CL_SUCCESS)
        status = fail_opencl(error, "clEnqueueWriteBuffer", code);

cleanup:
    free(data);
    return status;
}

static clscan_problem problem_of(const bench_job *job)
{
    return (clscan_problem){.struct_size = sizeof(clscan_problem), .type = job->wanted->type, .max_count = job->count};
}

/* What a rank needs by itself. */
static clscan_status prepare(bench_job *job, clscan_error *error)
{
    clscan_status status;
    const clscan_problem problem = problem_of(job);
    const clscan_plan_options options = {.struct_size = sizeof options, .config = job->where.config};

    TRY(fill(job, error));
    TRY(clscan_plan_create(job->where.context, job->where.device, &problem, &options, &job->plan, error));
    TRY(clscan_workspace_create(job->plan, &job->workspace, error));
    TRY(clscan_workspace_bind(job->workspace, job->where.queue, NULL, error));

cleanup:
    return status;
}

static clscan_status run_once(bench_job *job, bool together, clscan_error *error)
{
    clscan_status status;
    const clscan_run_args args = {
        .struct_size = sizeof args, .in.buffer = job->in, .out.buffer = job->out, .count = job->count};
    cl_int code;

    if (together)
        TRY(clscan_mpi_run(job->mpi, job->where.queue, &args, 0, NULL, NULL, error));
    else
        TRY(clscan_run(job->plan, job->workspace, job->where.queue, &args, 0, NULL, NULL, error));
    code = clFinish(job->where.queue);
    if (code != CL_SUCCESS)
        status = fail_opencl(error, "clFinish", code);

cleanup:
    return status;
}

/* Collective: from a barrier on until the slowest rank is done, run by run. *found is of the first rank. */
static clscan_status time_runs(bench_job *job, bool together, measure_statistics *found, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const uint64_t runs = job->wanted->runs + WARM_RUNS;

    for (uint64_t run = 0; run < runs; ++run) {
        uint64_t own_ns, slowest_ns = 0, begun_ns;

        CLSCAN__TRY_MPI(MPI_Barrier, (job->r->all));
        begun_ns = clscan__now_ns();
        status = run_once(job, together, error);
        own_ns = clscan__now_ns() - begun_ns;
        TRY(ranks_agree(job->r, status, error));
        CLSCAN__TRY_MPI(MPI_Reduce, (&own_ns, &slowest_ns, 1, MPI_UINT64_T, MPI_MAX, 0, job->r->all));
        if (run >= WARM_RUNS)
            job->times_ns[run - WARM_RUNS] = slowest_ns;
    }
    *found = measure_summarise(job->times_ns, (size_t)job->wanted->runs);

cleanup:
    return status;
}

/* The last output, of a run over all ranks. */
static clscan_status check(const bench_job *job, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    char ranks_so_far[16];
    unsigned char expected[8], got[8];
    cl_int code;

    snprintf(ranks_so_far, sizeof ranks_so_far, "%d", job->r->rank + 1);
    TRY(parse_value(ranks_so_far, job->wanted->type, expected, error));
    code = clEnqueueReadBuffer(job->where.queue, job->out, CL_TRUE, (size_t)(job->count - 1) * job->element_bytes,
                               job->element_bytes, got, 0, NULL, NULL);
    if (code != CL_SUCCESS)
        return fail_opencl(error, "clEnqueueReadBuffer", code);
    REQUIRE(memcmp(got, expected, job->element_bytes) == 0, CLSCAN_ERROR_OPENCL,
            "the last of %" PRIu64 " sums is wrong", job->count);

cleanup:
    return status;
}

static void tell(const bench_job *job, const measure_statistics *together, const measure_statistics *alone)
{
    const double bytes = 2.0 * (double)job->count * (double)job->element_bytes * job->r->count;

    printf("%12" PRIu64 "%10.1f%11.1f%11.1f%10.2f%10.1f\n", job->count, 1e-3 * together->median,
           1e-3 * together->lower_quartile, 1e-3 * together->upper_quartile, bytes / together->median,
           1e-3 * alone->median);
    fflush(stdout);
}

/* Collective. */
static clscan_status measure(bench_job *job, clscan_error *error)
{
    clscan_status status;
    const clscan_problem problem = problem_of(job);
    const clscan_plan_options options = {.struct_size = sizeof options, .config = job->where.config};
    measure_statistics together, alone;

    TRY(ranks_agree(job->r, prepare(job, error), error));
    TRY(clscan_mpi_create(job->r->all, job->where.context, job->where.device, &problem, &options, &job->mpi, error));
    TRY(time_runs(job, true, &together, error));
    TRY(ranks_agree(job->r, check(job, error), error));
    TRY(time_runs(job, false, &alone, error));
    if (job->r->rank == 0)
        tell(job, &together, &alone);

cleanup:
    clscan_mpi_destroy(job->mpi);
    clscan_workspace_destroy(job->workspace);
    clscan_plan_destroy(job->plan);
    if (job->in != NULL)
        clReleaseMemObject(job->in);
    if (job->out != NULL)
        clReleaseMemObject(job->out);
    job->mpi = NULL;
    job->workspace = NULL;
    job->plan = NULL;
    job->in = job->out = NULL;
    return status;
}

static clscan_status find_device(bench_job *job, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;

    TRY(ranks_target(job->r, job->wanted->device, job->wanted->config, &job->where, error));
    for (size_t i = 0; i < job->wanted->count_count; ++i)
        REQUIRE(job->wanted->counts[i] <= job->where.info.max_allocation_bytes / job->element_bytes,
                CLSCAN_ERROR_DEVICE_LIMIT, "%" PRIu64 " elements are more than a buffer of %s has",
                job->wanted->counts[i], job->where.info.name);
    job->times_ns = malloc((size_t)job->wanted->runs * sizeof job->times_ns[0]);
    REQUIRE(job->times_ns != NULL, CLSCAN_ERROR_OUT_OF_MEMORY, "no host memory for %" PRIu64 " times",
            job->wanted->runs);

cleanup:
    return status;
}

/* Collective. */
static clscan_status measure_all(bench_job *job, clscan_error *error)
{
    clscan_status status;

    TRY(ranks_agree(job->r, find_device(job, error), error));
    if (job->r->rank == 0)
        printf("%d rank%s, sums of %s, the first rank on %s\n\n%12s%10s%11s%11s%10s%10s\n", job->r->count,
               job->r->count == 1 ? "" : "s", clscan_type_name(job->wanted->type), job->where.info.name, "elements",
               "median us", "quartile 1", "quartile 3", "GB/s", "alone us");
    for (size_t i = 0; i < job->wanted->count_count; ++i) {
        job->count = job->wanted->counts[i];
        TRY(measure(job, error));
    }

cleanup:
    free(job->times_ns);
    target_release(&job->where);
    return status;
}

static clscan_status read_counts(const char *text, void *receiver, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    bench_options *options = receiver;
    char word[32];

    options->count_count = 0;
    while (text != NULL) {
        const size_t length = next_word(&text, word, sizeof word);
        uint64_t *count = &options->counts[options->count_count];

        REQUIRE(options->count_count < MOST_COUNTS, CLSCAN_ERROR_INVALID_VALUE, "more than %d sizes", MOST_COUNTS);
        REQUIRE(length > 0 && length < sizeof word && read_count(word, count, error) == CLSCAN_OK && *count > 0,
                CLSCAN_ERROR_INVALID_VALUE, "'%s' is no size; write 1000 or 2^20, and commas between", word);
        ++options->count_count;
    }

cleanup:
    return status;
}

static clscan_status read_runs(const char *text, void *receiver, clscan_error *error)
{
    clscan_status status;
    uint64_t *runs = receiver;

    TRY(read_count(text, runs, error));
    REQUIRE(*runs > 0 && *runs <= MOST_RUNS, CLSCAN_ERROR_INVALID_VALUE, "give 1 to %d", MOST_RUNS);

cleanup:
    return status;
}

static const char description[] =
    "Time one scan over all ranks, of data that lies on their devices: from a barrier on until the slowest rank is\n"
    "done. All ranks have the same number of elements. Beside it stands the same for scans of the parts alone,\n"
    "which need no other rank. The difference is the exchange of the sums, and the second reading of all parts\n"
    "but the last.\n"
    "\n"
    "GB/s are the bytes of all inputs and outputs. The last sum of each rank is checked.";

int mpi_command_bench(int argc, char **argv, ranks *r)
{
    bench_options wanted = {
        .counts = {1 << 10, 1 << 14, 1 << 18, 1 << 22, 1 << 26}, .count_count = 5, .runs = 31, .type = CLSCAN_INT32};
    const option options[] = {
        {"sizes", "LIST", "elements of each rank: 1000,2^20 (default: 2^10,2^14,2^18,2^22,2^26)", read_counts, &wanted},
        {"type", "T", "element type (default: int32)", read_type, &wanted.type},
        {"runs", "N", "timed runs of each size (default: 31)", read_runs, &wanted.runs},
        {"device", "D", HELP_RANK_DEVICE, read_text, &wanted.device},
        {"config", "FILE", HELP_CONFIG, read_text, &wanted.config},
    };
    const command_line line = {
        .name = "bench",
        .synopsis = "bench [options]",
        .description = description,
        .options = options,
        .option_count = sizeof options / sizeof options[0],
        .examples = "  mpirun -n 4 clscan-mpi bench\n"
                    "  mpirun -n 2 clscan-mpi bench --sizes 2^20,2^27 --type float --runs 101\n",
    };
    bench_job job = {.wanted = &wanted, .r = r};
    clscan_error error;
    int exit_code;

    if (!options_parse(&line, argc, argv, NULL, &exit_code))
        return exit_code;
    job.element_bytes = clscan_type_size_bytes(wanted.type);
    if (measure_all(&job, &error) != CLSCAN_OK) {
        print_failure(&error);
        return EXIT_CODE_FAILURE;
    }
    return EXIT_CODE_OK;
}
