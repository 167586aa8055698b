#include "case.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "guarded.h"

/* Elements of the small buffers that hold initial value and total, and which one of them is used.
 */
enum { SMALL_BUFFER_COUNT = 3, SMALL_BUFFER_INDEX = 1 };

clscan_status clscan_case_prepare(clscan_case_fixture *fixture, const clscan_problem *problem,
                                  const clscan_sample_operator *sample, const clscan_plan_options *options,
                                  clscan_error *error)
{
    clscan_plan *plan = NULL;
    clscan_workspace *workspace = NULL;
    clscan_status status;

    status = clscan_plan_create(fixture->context, fixture->device, problem, options, &plan, error);
    if (status != CLSCAN_OK)
        goto cleanup;
    status = clscan_workspace_create(plan, &workspace, error);
    if (status != CLSCAN_OK)
        goto cleanup;
    status = clscan_workspace_bind(workspace, fixture->queue, NULL, error);
    if (status != CLSCAN_OK)
        goto cleanup;

    fixture->problem = problem;
    fixture->sample = sample;
    fixture->variant = options != NULL ? options->variant : NULL;
    fixture->plan = plan;
    fixture->workspace = workspace;
    plan = NULL; /* now the fixture's */
    workspace = NULL;

cleanup:
    clscan_workspace_destroy(workspace);
    clscan_plan_destroy(plan);
    return status;
}

void clscan_case_release(clscan_case_fixture *fixture)
{
    clscan_workspace_destroy(fixture->workspace);
    clscan_plan_destroy(fixture->plan);
    fixture->workspace = NULL;
    fixture->plan = NULL;
}

static bool reduces(const clscan_case_fixture *fixture)
{
    return fixture->problem->operation == CLSCAN_REDUCE;
}

static void describe_variant(const clscan_case_fixture *fixture, const clscan_case *test, char *text, size_t text_bytes)
{
    clscan_choice choice = {.struct_size = sizeof choice};

    if (fixture->variant != NULL)
        clscan_variant_format(fixture->variant, text, text_bytes);
    else if (fixture->plan != NULL &&
             clscan_plan_explain(fixture->plan, test->count, test->in_place, &choice, NULL) == CLSCAN_OK)
        clscan_variant_format(&choice.variant, text, text_bytes);
    else
        snprintf(text, text_bytes, "unknown");
}

int clscan_case_format(const clscan_case_fixture *fixture, const clscan_case *test, char *text, size_t text_bytes)
{
    static const char *const initials[] = {"none", "host", "device"};
    const clscan_problem *problem = fixture->problem;
    char device[128] = "?";
    char variant[256];

    clGetDeviceInfo(fixture->device, CL_DEVICE_NAME, sizeof device, device, NULL);
    describe_variant(fixture, test, variant, sizeof variant);
    return snprintf(text, text_bytes,
                    "device=\"%s\" variant=\"%s\" problem=\"%s%s %s%s%s %s %s%s\" max_count=%" PRIu64 " count=%" PRIu64
                    " in_offset=%" PRIu64 " out_offset=%" PRIu64 " in_place=%d initial=%s total=%d part_count=%" PRIu64
                    " generator=%s seed=%" PRIu64,
                    device, variant, reduces(fixture) ? "reduce " : "", clscan_type_name(problem->type),
                    clscan_operator_name(problem->op), problem->custom != NULL ? ":" : "",
                    problem->custom != NULL ? problem->custom->function : "",
                    problem->form == CLSCAN_EXCLUSIVE ? "exclusive" : "inclusive",
                    problem->direction == CLSCAN_REVERSE ? "reverse" : "forward",
                    problem->reproducible ? " reproducible" : "", problem->max_count, test->count, test->in_offset,
                    test->out_offset, test->in_place, initials[test->initial], test->total, test->part_count,
                    test->elements != NULL ? "none, elements are given" : clscan_generator_name(test->generator),
                    test->seed);
}

/* Fill `text` with the case and what went wrong; gives back `result`. */
static clscan_case_result report(clscan_case_result result, const clscan_case_fixture *fixture, const clscan_case *test,
                                 char *text, size_t text_bytes, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 6, 7)))
#endif
    ;

static clscan_case_result report(clscan_case_result result, const clscan_case_fixture *fixture, const clscan_case *test,
                                 char *text, size_t text_bytes, const char *format, ...)
{
    const int used = clscan_case_format(fixture, test, text, text_bytes);
    if (used >= 0 && (size_t)used + 2 < text_bytes) {
        const size_t at = (size_t)used;
        va_list arguments;
        text[at] = ':';
        text[at + 1] = ' ';
        va_start(arguments, format);
        vsnprintf(text + at + 2, text_bytes - at - 2, format, arguments);
        va_end(arguments);
    }
    return result;
}

static clscan_type output_type(const clscan_case_fixture *fixture)
{
    return fixture->maps != NULL ? fixture->maps->output : fixture->problem->type;
}

/* Of sums, initial value and total. */
static clscan_type accumulator_type(const clscan_case_fixture *fixture)
{
    return clscan_type_accumulator(output_type(fixture));
}

static clscan_reference reference_of(const clscan_case_fixture *fixture)
{
    clscan_reference what = clscan_reference_of(fixture->problem, fixture->sample);

    if (fixture->maps != NULL)
        what.type = accumulator_type(fixture);
    return what;
}

clscan_value clscan_case_initial_value(clscan_type accumulator, const clscan_case *test)
{
    unsigned char element[sizeof(clscan_value)] = {0};

    if (test->initial_value != NULL)
        return *test->initial_value;
    switch (test->generator) {
    case CLSCAN_GENERATE_ONE_HOLE:
        return clscan_value_from_int(accumulator, ~4);
    case CLSCAN_GENERATE_FALLING:
        return clscan_value_from_int(accumulator, 90);
    case CLSCAN_GENERATE_MOSTLY_ZERO:
    case CLSCAN_GENERATE_RISING:
    case CLSCAN_GENERATE_ONE_BIT:
    case CLSCAN_GENERATE_ONES:
        return clscan_value_from_int(accumulator, 4);
    default:
        clscan_generate(test->generator, accumulator, test->seed ^ 0x1217, 0, 1, element);
        return clscan_value_load(accumulator, element);
    }
}

/* What a case holds while it runs. */
typedef struct run_state {
    clscan_guarded in; /* in place: input and output */
    clscan_guarded out;
    clscan_guarded initial;
    clscan_guarded total;
    cl_mem state;            /* that leads from part to part; NULL: one run */
    unsigned char *input;    /* payload of `in`: poison up to in_offset, then the elements */
    unsigned char *expected; /* payload of the output */
    unsigned char *got;
    clscan_value initial_value;
    clscan_value expected_total;
    clscan_status expected_status;
    cl_event event;
} run_state;

static void free_state(run_state *state)
{
    if (state->event != NULL)
        clReleaseEvent(state->event);
    if (state->state != NULL)
        clReleaseMemObject(state->state);
    clscan_guarded_destroy(&state->in);
    clscan_guarded_destroy(&state->out);
    clscan_guarded_destroy(&state->initial);
    clscan_guarded_destroy(&state->total);
    free(state->input);
    free(state->expected);
    free(state->got);
}

/* Payload of a buffer whose elements begin at `offset`: poison before them. */
static unsigned char *poisoned(uint64_t offset, uint64_t count, size_t size)
{
    const uint64_t bytes = (offset + count) * size;
    unsigned char *payload = malloc((size_t)bytes + 1);
    for (uint64_t i = 0; payload != NULL && i < bytes; ++i)
        payload[i] = clscan_guarded_canary(CLSCAN_GUARD_BYTES + i);
    return payload;
}

static clscan_status create_buffers(const clscan_case_fixture *fixture, const clscan_case *test, run_state *state,
                                    clscan_error *error)
{
    const clscan_type accumulator = accumulator_type(fixture);
    const size_t in_size = clscan_type_size_bytes(fixture->problem->type);
    const size_t small_size = clscan_type_size_bytes(accumulator);
    const uint64_t out_bytes = (test->out_offset + test->count) * clscan_type_size_bytes(output_type(fixture));
    clscan_status status;

    status =
        clscan_guarded_create(fixture->context, fixture->queue, test->in_place ? CL_MEM_READ_WRITE : CL_MEM_READ_ONLY,
                              (test->in_offset + test->count) * in_size, state->input, &state->in, error);
    if (status == CLSCAN_OK && !test->in_place && !reduces(fixture))
        status = clscan_guarded_create(fixture->context, fixture->queue, CL_MEM_READ_WRITE, out_bytes, NULL,
                                       &state->out, error);
    if (status == CLSCAN_OK && test->total)
        status = clscan_guarded_create(fixture->context, fixture->queue, CL_MEM_READ_WRITE,
                                       SMALL_BUFFER_COUNT * small_size, NULL, &state->total, error);
    if (status == CLSCAN_OK && test->initial == CLSCAN_CASE_DEVICE_INITIAL) {
        unsigned char payload[SMALL_BUFFER_COUNT * sizeof(clscan_value)];
        memset(payload, 0xb7, sizeof payload);
        clscan_value_store(accumulator, state->initial_value, payload + SMALL_BUFFER_INDEX * small_size);
        status = clscan_guarded_create(fixture->context, fixture->queue, CL_MEM_READ_ONLY,
                                       SMALL_BUFFER_COUNT * small_size, payload, &state->initial, error);
    }
    if (status == CLSCAN_OK && test->part_count > 0) {
        const size_t bytes = (size_t)clscan_plan_state_bytes(fixture->plan) + small_size;
        cl_int code;
        state->state = clCreateBuffer(fixture->context, CL_MEM_READ_WRITE, bytes, NULL, &code);
        status = state->state != NULL ? CLSCAN_OK : CLSCAN_ERROR_OPENCL;
    }
    return status;
}

/* Runs of test->part_count elements, in the order of the scan; the last one leaves the event. */
static clscan_status enqueue_parts(const clscan_case_fixture *fixture, const clscan_case *test, run_state *state,
                                   const clscan_run_args *whole, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;

    for (uint64_t first = 0; status == CLSCAN_OK && first < test->count; first += test->part_count) {
        const uint64_t left = test->count - first;
        const bool last = left <= test->part_count;
        clscan_run_args args = *whole;
        uint64_t skipped;

        args.first = first;
        args.count = last ? left : test->part_count;
        args.state.buffer = state->state;
        args.state.offset = 1;
        skipped = fixture->problem->direction == CLSCAN_REVERSE ? left - args.count : first;
        args.in.offset += skipped;
        args.out.offset += skipped;
        status = clscan_run(fixture->plan, fixture->workspace, fixture->queue, &args, 0, NULL,
                            last ? &state->event : NULL, error);
    }
    return status;
}

static clscan_status enqueue(const clscan_case_fixture *fixture, const clscan_case *test, run_state *state,
                             clscan_error *error)
{
    const uint64_t small_first = clscan_guarded_first(clscan_type_size_bytes(accumulator_type(fixture)));
    clscan_run_args args = {.struct_size = sizeof args};

    args.in.buffer = state->in.buffer;
    args.in.offset = clscan_guarded_first(clscan_type_size_bytes(fixture->problem->type)) + test->in_offset;
    if (!reduces(fixture)) {
        args.out.buffer = test->in_place ? state->in.buffer : state->out.buffer;
        args.out.offset = clscan_guarded_first(clscan_type_size_bytes(output_type(fixture))) + test->out_offset;
    }
    if (fixture->maps != NULL) {
        args.map_arguments = fixture->maps->arguments;
        args.map_argument_count = fixture->maps->argument_count;
    }
    args.count = test->count;
    if (test->initial == CLSCAN_CASE_HOST_INITIAL)
        args.initial = (clscan_memory){CLSCAN_MEMORY_HOST, .pointer = &state->initial_value};
    if (test->initial == CLSCAN_CASE_DEVICE_INITIAL) {
        args.initial.buffer = state->initial.buffer;
        args.initial.offset = small_first + SMALL_BUFFER_INDEX;
    }
    if (test->total) {
        args.total.buffer = state->total.buffer;
        args.total.offset = small_first + SMALL_BUFFER_INDEX;
    }
    if (state->state != NULL)
        return enqueue_parts(fixture, test, state, &args, error);
    return clscan_run(fixture->plan, fixture->workspace, fixture->queue, &args, 0, NULL, &state->event, error);
}

static bool same(const clscan_case_fixture *fixture, const void *expected, const void *got)
{
    const clscan_problem *problem = fixture->problem;

    if (problem->reproducible)
        return memcmp(expected, got, clscan_type_size_bytes(problem->type)) == 0;
    /* What a map computes may be a NaN of any bits, whatever the operator is. */
    return clscan_reference_same(output_type(fixture), fixture->maps != NULL ? CLSCAN_ADD : problem->op, expected,
                                 got) != 0;
}

static bool same_total(const clscan_case_fixture *fixture, const void *expected, const void *got)
{
    const clscan_problem *problem = fixture->problem;

    if (problem->reproducible)
        return memcmp(expected, got, clscan_type_size_bytes(clscan_type_accumulator(problem->type))) == 0;
    return clscan_reference_same_total(output_type(fixture), fixture->maps != NULL ? CLSCAN_ADD : problem->op, expected,
                                       got) != 0;
}

static clscan_case_result compare_output(const clscan_case_fixture *fixture, const clscan_case *test, run_state *state,
                                         char *text, size_t text_bytes)
{
    const clscan_type type = output_type(fixture);
    const size_t size = clscan_type_size_bytes(type);
    const uint64_t before_bytes = test->out_offset * size;
    const clscan_guarded *out = test->in_place ? &state->in : &state->out;
    clscan_error error;
    uint64_t damaged;

    if (clscan_guarded_read(out, fixture->queue, state->got, &damaged, &error) != CLSCAN_OK)
        return report(CLSCAN_CASE_FAILED, fixture, test, text, text_bytes, "%s", error.message);
    for (uint64_t i = 0; i < test->count; ++i) {
        const unsigned char *expected = state->expected + before_bytes + i * size;
        const unsigned char *got = state->got + before_bytes + i * size;
        if (!same(fixture, expected, got)) {
            char expected_text[64];
            char got_text[64];
            clscan_value_format(type, clscan_value_load(type, expected), expected_text, sizeof expected_text);
            clscan_value_format(type, clscan_value_load(type, got), got_text, sizeof got_text);
            return report(CLSCAN_CASE_WRONG, fixture, test, text, text_bytes, "out[%" PRIu64 "] expected %s got %s", i,
                          expected_text, got_text);
        }
    }
    for (uint64_t i = 0; i < before_bytes; ++i)
        if (state->got[i] != state->expected[i])
            return report(CLSCAN_CASE_WRONG, fixture, test, text, text_bytes,
                          "byte %" PRIu64 " before out[0] was overwritten", before_bytes - i);
    if (damaged != UINT64_MAX)
        return report(CLSCAN_CASE_WRONG, fixture, test, text, text_bytes,
                      "canary of the output overwritten: byte %" PRId64 " counted from out[0]",
                      (int64_t)damaged - (int64_t)(CLSCAN_GUARD_BYTES + before_bytes));
    return CLSCAN_CASE_RIGHT;
}

static clscan_case_result compare_unchanged(const clscan_case_fixture *fixture, const clscan_case *test,
                                            const clscan_guarded *guarded, const char *name, char *text,
                                            size_t text_bytes)
{
    clscan_error error;
    uint64_t changed;

    if (guarded->buffer == NULL)
        return CLSCAN_CASE_RIGHT;
    if (clscan_guarded_unchanged(guarded, fixture->queue, &changed, &error) != CLSCAN_OK)
        return report(CLSCAN_CASE_FAILED, fixture, test, text, text_bytes, "%s", error.message);
    if (changed != UINT64_MAX)
        return report(CLSCAN_CASE_WRONG, fixture, test, text, text_bytes,
                      "%s changed: byte %" PRId64 " counted from the first element", name,
                      (int64_t)changed - (int64_t)CLSCAN_GUARD_BYTES);
    return CLSCAN_CASE_RIGHT;
}

/* The total, and the poison on both sides of it. */
static clscan_case_result compare_total(const clscan_case_fixture *fixture, const clscan_case *test,
                                        const run_state *state, char *text, size_t text_bytes)
{
    const clscan_type accumulator = accumulator_type(fixture);
    const size_t size = clscan_type_size_bytes(accumulator);
    unsigned char expected[SMALL_BUFFER_COUNT * sizeof(clscan_value)] = {0};
    unsigned char got[SMALL_BUFFER_COUNT * sizeof(clscan_value)] = {0};
    clscan_error error;
    uint64_t damaged;

    if (!test->total)
        return CLSCAN_CASE_RIGHT;
    if (clscan_guarded_read(&state->total, fixture->queue, got, &damaged, &error) != CLSCAN_OK)
        return report(CLSCAN_CASE_FAILED, fixture, test, text, text_bytes, "%s", error.message);
    memcpy(expected, state->total.image, SMALL_BUFFER_COUNT * size);
    clscan_value_store(accumulator, state->expected_total, expected + SMALL_BUFFER_INDEX * size);
    for (size_t i = 0; i < SMALL_BUFFER_COUNT; ++i) {
        if (!same_total(fixture, expected + i * size, got + i * size)) {
            char expected_text[64];
            char got_text[64];
            clscan_value_format(accumulator, clscan_value_load(accumulator, expected + i * size), expected_text,
                                sizeof expected_text);
            clscan_value_format(accumulator, clscan_value_load(accumulator, got + i * size), got_text, sizeof got_text);
            return report(CLSCAN_CASE_WRONG, fixture, test, text, text_bytes, "%s: expected %s got %s",
                          i == SMALL_BUFFER_INDEX ? "total" : "neighbour of the total", expected_text, got_text);
        }
    }
    if (damaged != UINT64_MAX)
        return report(CLSCAN_CASE_WRONG, fixture, test, text, text_bytes,
                      "canary of the total overwritten: byte %" PRIu64 " of the buffer", damaged);
    return CLSCAN_CASE_RIGHT;
}

/* The run said NO_IDENTITY, as it must: nothing may be written. */
static clscan_case_result compare_refused(const clscan_case_fixture *fixture, const clscan_case *test,
                                          const run_state *state, char *text, size_t text_bytes)
{
    clscan_case_result result = compare_unchanged(fixture, test, &state->in, "input", text, text_bytes);
    if (result == CLSCAN_CASE_RIGHT)
        result = compare_unchanged(fixture, test, &state->out, "output of a refused run", text, text_bytes);
    if (result == CLSCAN_CASE_RIGHT)
        result = compare_unchanged(fixture, test, &state->total, "total of a refused run", text, text_bytes);
    return result;
}

static clscan_case_result wait_and_compare(const clscan_case_fixture *fixture, const clscan_case *test,
                                           run_state *state, char *text, size_t text_bytes)
{
    clscan_case_result result;
    clscan_error error;
    clscan_report counters = {.struct_size = sizeof counters};

    if (state->event == NULL)
        return report(CLSCAN_CASE_WRONG, fixture, test, text, text_bytes, "clscan_run() returned no event");
    const cl_int code = clWaitForEvents(1, &state->event);
    if (code != CL_SUCCESS)
        return report(CLSCAN_CASE_FAILED, fixture, test, text, text_bytes, "clWaitForEvents: %s",
                      clscan_cl_error_name(code));
    result = reduces(fixture) ? CLSCAN_CASE_RIGHT : compare_output(fixture, test, state, text, text_bytes);
    if (result == CLSCAN_CASE_RIGHT && !test->in_place)
        result = compare_unchanged(fixture, test, &state->in, "input", text, text_bytes);
    if (result == CLSCAN_CASE_RIGHT)
        result = compare_unchanged(fixture, test, &state->initial, "initial value", text, text_bytes);
    if (result == CLSCAN_CASE_RIGHT)
        result = compare_total(fixture, test, state, text, text_bytes);
    if (result != CLSCAN_CASE_RIGHT)
        return result;

    if (clscan_workspace_report(fixture->workspace, fixture->queue, &counters, &error) != CLSCAN_OK)
        return report(CLSCAN_CASE_FAILED, fixture, test, text, text_bytes, "%s", error.message);
    if (counters.failures != 0)
        return report(CLSCAN_CASE_WRONG, fixture, test, text, text_bytes,
                      "%" PRIu32 " work-groups reported that they could not finish", counters.failures);
    return CLSCAN_CASE_RIGHT;
}

/* The scan between the maps, from elements to outputs. */
static clscan_status expect_mapped(const clscan_case_fixture *fixture, const clscan_case *test, run_state *state,
                                   const clscan_value *initial, const void *elements, void *outputs,
                                   clscan_error *error)
{
    const clscan_case_maps *maps = fixture->maps;
    const clscan_reference what = reference_of(fixture);
    const size_t sum_size = clscan_type_size_bytes(what.type);
    clscan_reference before = what;
    clscan_status status;
    unsigned char *sums = malloc((size_t)test->count * sum_size + 1);
    unsigned char *previous = malloc((size_t)test->count * sum_size + 1);

    before.form = CLSCAN_EXCLUSIVE;
    status = sums != NULL && previous != NULL ? CLSCAN_OK : CLSCAN_ERROR_OUT_OF_MEMORY;
    if (status == CLSCAN_OK)
        status = maps->load(maps->context, elements, test->count, sums, error);
    if (status == CLSCAN_OK)
        status = clscan_reference_scan(&before, sums, test->count, initial, previous, NULL);
    if (status == CLSCAN_OK)
        status =
            clscan_reference_scan(&what, sums, test->count, initial, sums, test->total ? &state->expected_total : NULL);
    if (status == CLSCAN_OK && !reduces(fixture))
        status = maps->store(maps->context, elements, sums, previous, test->count, outputs, error);
    free(sums);
    free(previous);
    return status;
}

static clscan_case_result run_case(const clscan_case_fixture *fixture, const clscan_case *test, char *text,
                                   size_t text_bytes)
{
    const clscan_reference what = reference_of(fixture);
    const clscan_type in_type = fixture->problem->type;
    const size_t in_size = clscan_type_size_bytes(in_type);
    const size_t out_size = clscan_type_size_bytes(output_type(fixture));
    clscan_case_result result;
    run_state state = {0};
    const clscan_value *initial = test->initial != CLSCAN_CASE_NO_INITIAL ? &state.initial_value : NULL;
    unsigned char *elements, *outputs;
    clscan_error error = {0};
    clscan_status status;

    text[0] = '\0';
    if (test->in_place && test->in_offset != test->out_offset) {
        result = report(CLSCAN_CASE_FAILED, fixture, test, text, text_bytes,
                        "the case itself is wrong: in place, but the offsets differ");
        goto cleanup;
    }
    state.input = poisoned(test->in_offset, test->count, in_size);
    state.expected = poisoned(test->out_offset, test->count, out_size);
    state.got = malloc((size_t)((test->out_offset + test->count) * out_size) + 1);
    if (state.input == NULL || state.expected == NULL || state.got == NULL) {
        result = report(CLSCAN_CASE_FAILED, fixture, test, text, text_bytes, "host memory ran out");
        goto cleanup;
    }
    elements = state.input + test->in_offset * in_size;
    outputs = state.expected + test->out_offset * out_size;
    if (test->elements != NULL)
        memcpy(elements, test->elements, (size_t)test->count * in_size);
    else
        clscan_generate(test->generator, in_type, test->seed, 0, test->count, elements);
    state.initial_value = clscan_case_initial_value(accumulator_type(fixture), test);
    if (fixture->maps != NULL) {
        status = expect_mapped(fixture, test, &state, initial, elements, outputs, &error);
        if (status != CLSCAN_OK) {
            result = report(CLSCAN_CASE_FAILED, fixture, test, text, text_bytes, "the reference: %s: %s",
                            clscan_status_name(status), error.message);
            goto cleanup;
        }
    } else {
        state.expected_status = clscan_reference_scan(&what, elements, test->count, initial, outputs,
                                                      test->total ? &state.expected_total : NULL);
    }

    status = create_buffers(fixture, test, &state, &error);
    if (status == CLSCAN_OK) {
        status = enqueue(fixture, test, &state, &error);
        if (status == CLSCAN_OK && state.expected_status != CLSCAN_OK) {
            result = report(CLSCAN_CASE_WRONG, fixture, test, text, text_bytes, "expected %s, but the run was accepted",
                            clscan_status_name(state.expected_status));
            goto cleanup;
        }
        if (status != CLSCAN_OK && status == state.expected_status) {
            result = compare_refused(fixture, test, &state, text, text_bytes);
            goto cleanup;
        }
    }
    if (status != CLSCAN_OK) {
        result = report(CLSCAN_CASE_FAILED, fixture, test, text, text_bytes, "%s: %s", clscan_status_name(status),
                        error.message);
        goto cleanup;
    }
    result = wait_and_compare(fixture, test, &state, text, text_bytes);

cleanup:
    /* Buffers must not go while a refused answer is still running. */
    if (result != CLSCAN_CASE_RIGHT)
        clFinish(fixture->queue);
    free_state(&state);
    return result;
}

clscan_case_result clscan_case_run(const clscan_case_fixture *fixture, const clscan_case *test, char *text,
                                   size_t text_bytes)
{
    clscan_case reduction = *test;

    if (!reduces(fixture))
        return run_case(fixture, test, text, text_bytes);
    reduction.total = 1;
    reduction.in_place = 0;
    reduction.part_count = 0;
    return run_case(fixture, &reduction, text, text_bytes);
}
