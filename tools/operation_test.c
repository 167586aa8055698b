#include "operation_test.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command_line/failure.h"
#include "reference/generate.h"
#include "reference/reference.h"
#include "reference/segments.h"

#define MARGIN 3u /* elements around what a run writes, which stay */
#define CANARY 0x5a
#define SEED UINT64_C(20261125)

typedef enum operation { ROWS, ROWS_REDUCED, BY_FLAGS, BY_OFFSETS, BY_KEYS, SELECTION, LONG_RUNS } operation;

/* What a run is, of how many elements. */
typedef struct trial {
    uint64_t rows, count, gap; /* of operations on rows; else rows is 1 */
} trial;

/* A plan for several trials, the first of which is the largest. */
typedef struct operation_of {
    operation kind;
    const char *name;
    trial trials[3];
} operation_of;

static const operation_of operations[] = {
    {ROWS, "short rows", {{1000, 33, 0}, {501, 33, 5}, {999, 1, 2}}},
    {ROWS, "long rows", {{40, 5000, 0}, {17, 4099, 3}, {40, 301, 1}}},
    {ROWS, "few long rows", {{2, 100003, 0}, {1, 100003, 1}, {2, 70001, 3}}},
    {ROWS_REDUCED, "rows, reduced", {{300, 600, 0}, {299, 33, 5}, {2, 600, 1}}},
    {BY_FLAGS, "segments by flags", {{1, 200003, 0}, {1, 1000, 0}, {1, 1, 0}}},
    {BY_OFFSETS, "segments by offsets", {{1, 200003, 0}, {1, 1000, 0}, {1, 1, 0}}},
    {BY_KEYS, "segments by keys", {{1, 200003, 0}, {1, 1000, 0}, {1, 1, 0}}},
    {SELECTION, "selection by flags", {{1, 200003, 0}, {1, 1000, 0}, {1, 1, 0}}},
    {LONG_RUNS, "long runs by flags", {{1, 200003, 0}, {1, 1000, 0}, {1, 1, 0}}},
};
#define OPERATIONS (sizeof operations / sizeof operations[0])
#define TRIALS (sizeof operations[0].trials / sizeof operations[0].trials[0])
#define MOST_ELEMENTS 210000u
#define MOST_ROWS 1001u

/* What trials of a type share. `said` are flags, offsets or keys. */
typedef struct rig {
    const target *t;
    clscan_type type;
    size_t element_bytes, sum_bytes;
    unsigned char *input, *expected, *got, *heads;
    clscan_value *totals;
    unsigned char *got_totals;
    uint32_t *said, *lengths, *got_lengths; /* of long runs */
    cl_mem in, out, total, saying, lengths_out;
} rig;

static size_t all_bytes(const rig *r)
{
    return (MOST_ELEMENTS + 2 * (size_t)MARGIN) * r->element_bytes;
}

static clscan_status create(rig *r, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;

    r->element_bytes = clscan_type_size_bytes(r->type);
    r->sum_bytes = clscan_type_size_bytes(clscan_type_accumulator(r->type));
    r->input = malloc(all_bytes(r));
    r->expected = malloc(all_bytes(r));
    r->got = malloc(all_bytes(r));
    r->heads = malloc(MOST_ELEMENTS);
    r->totals = malloc(MOST_ROWS * sizeof *r->totals);
    r->got_totals = malloc(MOST_ROWS * sizeof *r->totals);
    r->said = malloc(MOST_ELEMENTS * sizeof *r->said);
    r->lengths = malloc(MOST_ELEMENTS * sizeof *r->lengths);
    r->got_lengths = malloc(MOST_ELEMENTS * sizeof *r->lengths);
    REQUIRE(r->input != NULL && r->expected != NULL && r->got != NULL && r->heads != NULL && r->totals != NULL &&
                r->got_totals != NULL && r->said != NULL && r->lengths != NULL && r->got_lengths != NULL,
            CLSCAN_ERROR_OUT_OF_MEMORY, "no host memory for the tests of operations");
    TRY(target_buffer(r->t, all_bytes(r), &r->in, error));
    TRY(target_buffer(r->t, all_bytes(r), &r->out, error));
    TRY(target_buffer(r->t, MOST_ROWS * sizeof *r->totals, &r->total, error));
    TRY(target_buffer(r->t, MOST_ELEMENTS * sizeof *r->said, &r->saying, error));
    TRY(target_buffer(r->t, MOST_ELEMENTS * sizeof *r->lengths, &r->lengths_out, error));
    clscan_generate(clscan_generator_for(r->type, CLSCAN_ADD, CLSCAN_FORWARD), r->type, SEED, 0,
                    MOST_ELEMENTS + 2 * MARGIN, r->input);
    TRY_CL(clEnqueueWriteBuffer, (r->t->queue, r->in, CL_TRUE, 0, all_bytes(r), r->input, 0, NULL, NULL));

cleanup:
    return status;
}

static void release(rig *r)
{
    const cl_mem buffers[] = {r->in, r->out, r->total, r->saying, r->lengths_out};

    for (size_t i = 0; i < sizeof buffers / sizeof buffers[0]; ++i)
        if (buffers[i] != NULL)
            clReleaseMemObject(buffers[i]);
    free(r->input);
    free(r->expected);
    free(r->got);
    free(r->heads);
    free(r->totals);
    free(r->got_totals);
    free(r->said);
    free(r->lengths);
    free(r->got_lengths);
}

static bool selects(operation kind)
{
    return kind >= SELECTION;
}

/* Where segments begin, or what is kept, in the words of the operation. Returns how many are said. */
static uint64_t say(const rig *r, operation kind, uint64_t count)
{
    uint64_t offsets = 0;

    for (uint64_t i = 0; i < count; ++i) {
        const uint64_t bits = clscan_generate_bits(SEED, i);

        /* Long segments between short ones. */
        r->heads[i] = (!selects(kind) && i == 0) || bits % (i / 5000 % 2 == 0 ? 5 : 1999) == 0;
        if (kind == BY_OFFSETS && r->heads[i])
            r->said[offsets++] = (uint32_t)i;
        else if (kind == BY_KEYS)
            r->said[i] = (i > 0 ? r->said[i - 1] : 0) + r->heads[i];
    }
    if (kind == BY_FLAGS || selects(kind))
        memcpy(r->said, r->heads, (size_t)count);
    return offsets;
}

static clscan_status expect(const rig *r, const operation_of *of, const trial *w, uint64_t *kept, clscan_error *error)
{
    const clscan_reference what = {.type = r->type, .op = CLSCAN_ADD};
    const unsigned char *in = r->input + MARGIN * r->element_bytes;
    unsigned char *out = r->expected + MARGIN * r->element_bytes;
    clscan_status status = CLSCAN_OK;

    memset(r->expected, CANARY, all_bytes(r));
    *kept = 0;
    for (uint64_t row = 0; of->kind <= ROWS_REDUCED && row < w->rows && status == CLSCAN_OK; ++row) {
        const size_t at = (size_t)(row * (w->count + w->gap)) * r->element_bytes;

        status = clscan_reference_scan(&what, in + at, w->count, NULL, out + at, &r->totals[row]);
    }
    if (of->kind == ROWS_REDUCED)
        memset(r->expected, CANARY, all_bytes(r));
    if (of->kind >= BY_FLAGS && of->kind <= BY_KEYS)
        status = clscan_reference_scan_segments(&what, in, w->count, r->heads, NULL, out, NULL);
    for (uint64_t i = 0, end; selects(of->kind) && i < w->count; i = end) {
        for (end = i + 1; of->kind == LONG_RUNS && end < w->count && r->heads[end] == 0;)
            ++end;
        if (of->kind == LONG_RUNS ? end - i < 2 : r->heads[i] == 0)
            continue;
        r->lengths[*kept] = (uint32_t)(end - i);
        memcpy(out + (size_t)(*kept)++ * r->element_bytes, in + i * r->element_bytes, r->element_bytes);
    }
    return status == CLSCAN_OK ? status : fail(error, status, "the serial scan of %s failed", of->name);
}

/* Reads what came of it; *place receives what is wrong, or NULL. */
static clscan_status compare(const rig *r, const operation_of *of, const trial *w, uint64_t kept, const char **wrong,
                             uint64_t *place, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;

    *wrong = NULL;
    TRY_CL(clEnqueueReadBuffer, (r->t->queue, r->out, CL_TRUE, 0, all_bytes(r), r->got, 0, NULL, NULL));
    TRY_CL(clEnqueueReadBuffer,
           (r->t->queue, r->total, CL_TRUE, 0, MOST_ROWS * r->sum_bytes, r->got_totals, 0, NULL, NULL));
    for (uint64_t i = 0; *wrong == NULL && i < MOST_ELEMENTS + 2 * MARGIN; ++i)
        if (!clscan_reference_same(r->type, CLSCAN_ADD, r->expected + i * r->element_bytes,
                                   r->got + i * r->element_bytes))
            *wrong = "output", *place = i - MARGIN;
    for (uint64_t row = 0; *wrong == NULL && of->kind <= ROWS_REDUCED && row < w->rows; ++row)
        if (!clscan_reference_same_total(r->type, CLSCAN_ADD, &r->totals[row], r->got_totals + row * r->sum_bytes))
            *wrong = "total", *place = row;
    if (*wrong == NULL && selects(of->kind)) {
        uint32_t number;

        memcpy(&number, r->got_totals, sizeof number);
        if (number != kept)
            *wrong = "number of kept elements", *place = number;
    }
    if (*wrong == NULL && of->kind == LONG_RUNS && kept > 0) {
        TRY_CL(clEnqueueReadBuffer, (r->t->queue, r->lengths_out, CL_TRUE, 0, (size_t)kept * sizeof *r->lengths,
                                     r->got_lengths, 0, NULL, NULL));
        for (uint64_t i = 0; *wrong == NULL && i < kept; ++i)
            if (r->got_lengths[i] != r->lengths[i])
                *wrong = "length", *place = i;
    }

cleanup:
    return status;
}

static clscan_status run_trial(const rig *r, const operation_of *of, const clscan_plan *plan,
                               clscan_workspace *workspace, const trial *w, bool *right, clscan_error *error)
{
    clscan_status status;
    const clscan_rows rows = {
        .struct_size = sizeof rows, .count = w->rows, .in_pitch = w->count + w->gap, .out_pitch = w->count + w->gap};
    const clscan_selection selection = {.struct_size = sizeof selection,
                                        .flags.buffer = r->saying,
                                        .lengths.buffer = of->kind == LONG_RUNS ? r->lengths_out : NULL,
                                        .capacity = w->count};
    clscan_run_args args = {.struct_size = sizeof args,
                            .in = {.buffer = r->in, .offset = MARGIN},
                            .out = {.buffer = r->out, .offset = MARGIN},
                            .count = w->count};
    const uint64_t offsets = say(r, of->kind, w->count);
    const char *wrong;
    uint64_t kept, place = 0;

    TRY(expect(r, of, w, &kept, error));
    memset(r->got, CANARY, all_bytes(r));
    TRY_CL(clEnqueueWriteBuffer, (r->t->queue, r->out, CL_TRUE, 0, all_bytes(r), r->got, 0, NULL, NULL));
    TRY_CL(clEnqueueWriteBuffer,
           (r->t->queue, r->saying, CL_TRUE, 0, MOST_ELEMENTS * sizeof *r->said, r->said, 0, NULL, NULL));
    if (of->kind <= ROWS_REDUCED)
        args.rows = &rows;
    if (of->kind <= ROWS_REDUCED || selects(of->kind))
        args.total.buffer = r->total;
    if (of->kind == ROWS_REDUCED)
        args.out.buffer = NULL;
    if (of->kind >= BY_FLAGS && of->kind <= BY_KEYS)
        args.segments.buffer = r->saying;
    if (of->kind == BY_OFFSETS)
        args.offset_count = offsets;
    if (selects(of->kind))
        args.selection = &selection;
    TRY(clscan_run(plan, workspace, r->t->queue, &args, 0, NULL, NULL, error));
    TRY(compare(r, of, w, kept, &wrong, &place, error));
    *right = wrong == NULL;
    if (!*right)
        complain("%s of %s, %" PRIu64 " x %" PRIu64 ", %" PRIu64 " between: %s %" PRId64 " is wrong", of->name,
                 clscan_type_name(r->type), w->rows, w->count, w->gap, wrong, (int64_t)place);

cleanup:
    return status;
}

static void print_line(const char *verdict, const rig *r, const operation_of *of, const clscan_plan *plan,
                       unsigned cases)
{
    clscan_choice choice = {.struct_size = sizeof choice};
    char text[512] = "no plan";

    if (plan != NULL && clscan_plan_explain(plan, of->trials[0].count, 0, &choice, NULL) == CLSCAN_OK)
        clscan_variant_format(&choice.variant, text, sizeof text);
    printf("%-7s %-6s %-6s %s, %s, %u cases\n", verdict, clscan_type_name(r->type),
           selects(of->kind) ? "select" : "add", text, of->name, cases);
    fflush(stdout);
}

static void test_one(rig *r, const operation_of *of, operation_tally *sum)
{
    const trial *most = &of->trials[0];
    const clscan_rows rows = {.struct_size = sizeof rows, .count = most->rows};
    const clscan_segments segments = {.struct_size = sizeof segments,
                                      .by = of->kind == BY_FLAGS     ? CLSCAN_BY_FLAGS
                                            : of->kind == BY_OFFSETS ? CLSCAN_BY_OFFSETS
                                                                     : CLSCAN_BY_KEYS,
                                      .type = of->kind == BY_FLAGS ? CLSCAN_UINT8 : CLSCAN_UINT32};
    const bool long_runs = of->kind == LONG_RUNS;
    const clscan_select select = {.struct_size = sizeof select,
                                  .flag_bytes = 1,
                                  .length_bytes = long_runs ? sizeof *r->lengths : 0,
                                  .long_runs = long_runs};
    clscan_problem problem = {
        .struct_size = sizeof problem, .type = r->type, .op = CLSCAN_ADD, .max_count = most->count};
    clscan_plan *plan = NULL;
    clscan_workspace *workspace = NULL;
    clscan_error error;
    unsigned cases = 0;
    bool right = true;

    if (of->kind <= ROWS_REDUCED)
        problem.rows = &rows;
    else if (!selects(of->kind))
        problem.segments = &segments;
    if (of->kind == ROWS_REDUCED)
        problem.operation = CLSCAN_REDUCE;
    if (selects(of->kind))
        problem.operation = CLSCAN_SELECT, problem.select = &select;
    if (target_plan(r->t, &problem, &plan, &workspace, &error) != CLSCAN_OK) {
        const bool none = error.status == CLSCAN_ERROR_UNSUPPORTED_TYPE || error.status == CLSCAN_ERROR_DEVICE_LIMIT;

        print_line(none ? "skipped" : "FAILED", r, of, NULL, 0);
        print_failure(&error);
        *(none ? &sum->skipped : &sum->failed) += 1;
        sum->plans += !none;
        return;
    }
    for (size_t i = 0; right && i < TRIALS; ++i, ++cases)
        if (run_trial(r, of, plan, workspace, &of->trials[i], &right, &error) != CLSCAN_OK) {
            right = false;
            print_failure(&error);
        }
    print_line(right ? "ok" : "FAILED", r, of, plan, cases);
    clscan_workspace_destroy(workspace);
    clscan_plan_destroy(plan);
    ++sum->plans;
    sum->failed += !right;
    sum->cases += cases;
}

clscan_status operation_test(const target *t, clscan_type type, operation_tally *sum, clscan_error *error)
{
    clscan_status status;
    rig r = {.t = t, .type = type};

    TRY(create(&r, error));
    for (size_t i = 0; i < OPERATIONS; ++i)
        test_one(&r, &operations[i], sum);

cleanup:
    release(&r);
    return status;
}
