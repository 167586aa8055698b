#include "live.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmocka_all.h"

int test_live_setup(void **state)
{
    test_live *live = calloc(1, sizeof *live);
    clscan_error error = {0};
    cl_int code;

    *state = NULL;
    if (live == NULL)
        return -1;
    live->info.struct_size = sizeof live->info;
    if (clscan_device_find(getenv("CLSCAN_TEST_DEVICE"), &live->device, &error) != CLSCAN_OK ||
        clscan_device_describe(live->device, &live->info, &error) != CLSCAN_OK) {
        fprintf(stderr, "no device to test on: %s\n", error.message);
        goto failed;
    }
    live->context = clCreateContext(NULL, 1, &live->device, NULL, NULL, &code);
    if (code != CL_SUCCESS)
        goto failed;
    live->queue = clCreateCommandQueue(live->context, live->device, 0, &code);
    if (code != CL_SUCCESS)
        goto failed;
    printf("device: %s (%s), %u units, mechanism %s, progress %s\n", live->info.name, live->info.platform_name,
           live->info.compute_units, clscan_mechanism_name(live->info.mechanism),
           clscan_progress_name(live->info.progress));
    fflush(stdout);
    *state = live;
    return 0;

failed:
    if (live->context != NULL)
        clReleaseContext(live->context);
    free(live);
    return -1;
}

int test_live_teardown(void **state)
{
    test_live *live = *state;
    if (live != NULL) {
        clReleaseCommandQueue(live->queue);
        clReleaseContext(live->context);
        free(live);
    }
    return 0;
}

cl_command_queue test_out_of_order_queue(const test_live *live)
{
    cl_command_queue_properties properties = 0;
    cl_command_queue queue;
    cl_int code;

    assert_cl(clGetDeviceInfo(live->device, CL_DEVICE_QUEUE_PROPERTIES, sizeof properties, &properties, NULL));
    queue =
        clCreateCommandQueue(live->context, live->device, properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, &code);
    assert_cl(code);
    return queue;
}

clscan_status test_try_prepare(const test_live *live, const clscan_problem *problem,
                               const clscan_sample_operator *sample, const clscan_plan_options *options,
                               clscan_case_fixture *fixture)
{
    clscan_error error = {0};
    clscan_status status;

    *fixture = (clscan_case_fixture){.context = live->context, .device = live->device, .queue = live->queue};
    status = clscan_case_prepare(fixture, problem, sample, options, &error);
    if (status != CLSCAN_OK) {
        char variant[256] = "chosen by configs";
        if (options != NULL && options->variant != NULL)
            clscan_variant_format(options->variant, variant, sizeof variant);
        print_error("preparing %s %s (%s): %s: %s\n%s\n", clscan_type_name(problem->type),
                    clscan_operator_name(problem->op), variant, clscan_status_name(status), error.message,
                    error.build_log);
    }
    return status;
}

cl_mem test_count(const test_live *live, uint64_t count, uint64_t bytes)
{
    const uint64_t wide[3] = {1, count, 1};
    const uint32_t narrow[3] = {1, (uint32_t)count, 1};

    return test_buffer(live, CL_MEM_READ_WRITE, 3 * (size_t)bytes, bytes == 8 ? (const void *)wide : narrow);
}

void test_plan_create(const test_live *live, const clscan_problem *problem, const clscan_plan_options *options,
                      clscan_plan **plan, clscan_workspace **workspace)
{
    clscan_case_fixture made;

    test_prepare(live, problem, NULL, options, &made);
    *plan = made.plan;
    *workspace = made.workspace;
}

void test_prepare(const test_live *live, const clscan_problem *problem, const clscan_sample_operator *sample,
                  const clscan_plan_options *options, clscan_case_fixture *fixture)
{
    assert_int_equal(test_try_prepare(live, problem, sample, options, fixture), CLSCAN_OK);
}

unsigned test_case(const clscan_case_fixture *fixture, const clscan_case *test)
{
    char text[CLSCAN_CASE_TEXT_BYTES];

    if (clscan_case_run(fixture, test, text, sizeof text) == CLSCAN_CASE_RIGHT)
        return 0;
    print_error("%s\n", text);
    return 1;
}

clscan_problem test_problem(clscan_type type, clscan_operator op, clscan_form form, clscan_direction direction,
                            uint64_t max_count)
{
    return (clscan_problem){.struct_size = sizeof(clscan_problem),
                            .type = type,
                            .op = op,
                            .form = form,
                            .direction = direction,
                            .max_count = max_count};
}

clscan_problem test_custom_problem(clscan_type type, const clscan_sample_operator *sample, clscan_form form,
                                   clscan_direction direction, uint64_t max_count)
{
    clscan_problem problem = test_problem(type, CLSCAN_CUSTOM, form, direction, max_count);
    assert_non_null(sample);
    problem.custom = &sample->custom;
    return problem;
}

clscan_problem test_sample_problem(clscan_type type, clscan_operator op, const clscan_sample_operator *sample,
                                   clscan_form form, clscan_direction direction, uint64_t max_count)
{
    return sample != NULL ? test_custom_problem(type, sample, form, direction, max_count)
                          : test_problem(type, op, form, direction, max_count);
}

int test_type_runs(const test_live *live, clscan_type type)
{
    return clscan_device_check_type(&live->info, type, NULL) == CLSCAN_OK;
}

int test_keeps_subnormals(const test_live *live)
{
    cl_device_fp_config config = 0;

    assert_cl(clGetDeviceInfo(live->device, CL_DEVICE_SINGLE_FP_CONFIG, sizeof config, &config, NULL));
    return (config & CL_FP_DENORM) != 0;
}

int test_mechanism_may_run(const test_live *live, clscan_mechanism mechanism)
{
    switch (mechanism) {
    case CLSCAN_MECHANISM_PTX:
        return live->info.nv_compute_capability >= 70;
    case CLSCAN_MECHANISM_C11:
        return live->info.has_device_scope && live->info.has_int64_atomics;
    case CLSCAN_MECHANISM_ATOMIC64:
        return live->info.has_int64_atomics;
    default:
        return 1;
    }
}

const clscan_variant test_waiting = {
    .body = CLSCAN_BODY_STRIDED,
    .group_scan = CLSCAN_GROUP_SCAN_KOGGE_STONE,
    .carry = CLSCAN_CARRY_ADJACENT,
    .order = CLSCAN_ORDER_DYNAMIC,
    .work_group_size = 16,
    .vector_length = 2,
    .register_pieces = 1,
    .local_pieces = 1,
    .tiles_per_work_group = 1,
};

int test_may_wait(const test_live *live)
{
    return live->info.mechanism != CLSCAN_MECHANISM_NONE && live->info.progress != CLSCAN_PROGRESS_UNKNOWN;
}

unsigned long test_number(const char *name, unsigned long fallback)
{
    const char *text = getenv(name);
    return text != NULL && *text != '\0' ? strtoul(text, NULL, 0) : fallback;
}

int test_thorough(void)
{
    return test_number("CLSCAN_TEST_THOROUGH", 0) != 0;
}

int test_takes(size_t i, size_t of)
{
    return test_thorough() || i % of == 0;
}

size_t test_case_step(const test_live *live, size_t on_cpus, size_t otherwise)
{
    if (!test_thorough())
        return otherwise;
    return live->info.device_class == CLSCAN_DEVICE_CLASS_CPU ? on_cpus : 1;
}

cl_mem test_buffer(const test_live *live, cl_mem_flags flags, size_t bytes, const void *data)
{
    cl_int code;
    cl_mem buffer = clCreateBuffer(live->context, flags, bytes, NULL, &code);
    assert_cl(code);
    if (data != NULL)
        test_write(live, buffer, data, bytes);
    return buffer;
}

void test_write(const test_live *live, cl_mem buffer, const void *data, size_t bytes)
{
    assert_cl(clEnqueueWriteBuffer(live->queue, buffer, CL_TRUE, 0, bytes, data, 0, NULL, NULL));
}

void test_read(const test_live *live, cl_mem buffer, size_t bytes, void *data)
{
    assert_cl(clEnqueueReadBuffer(live->queue, buffer, CL_TRUE, 0, bytes, data, 0, NULL, NULL));
}

void test_arrays_create(const test_live *live, size_t bytes, test_arrays *arrays)
{
    *arrays = (test_arrays){.bytes = bytes,
                            .in = test_buffer(live, CL_MEM_READ_WRITE, bytes, NULL),
                            .out = test_buffer(live, CL_MEM_READ_WRITE, bytes, NULL),
                            .input = calloc(1, bytes),
                            .before = malloc(bytes),
                            .got = malloc(bytes),
                            .expected = malloc(bytes)};
    assert_true(arrays->input != NULL && arrays->before != NULL && arrays->got != NULL && arrays->expected != NULL);
    memset(arrays->before, 0x5a, bytes);
}

void test_arrays_write(const test_live *live, const test_arrays *arrays)
{
    test_write(live, arrays->in, arrays->input, arrays->bytes);
    test_write(live, arrays->out, arrays->before, arrays->bytes);
}

void test_arrays_release(test_arrays *arrays)
{
    clReleaseMemObject(arrays->in);
    clReleaseMemObject(arrays->out);
    free(arrays->input);
    free(arrays->before);
    free(arrays->got);
    free(arrays->expected);
}

void test_assert_status(clscan_status expected, clscan_status got, const char *call, const clscan_error *error,
                        const char *file, int line)
{
    if (got == expected)
        return;
    print_error("%s\n  gave %s, expected %s: %s\n%s\n", call, clscan_status_name(got), clscan_status_name(expected),
                error != NULL ? error->message : "", error != NULL ? error->build_log : "");
    _fail(file, line);
}

void test_assert_cl(cl_int got, const char *call, const char *file, int line)
{
    if (got == CL_SUCCESS)
        return;
    print_error("%s gave %s\n", call, clscan_cl_error_name(got));
    _fail(file, line);
}
