#include "group_rig.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmocka_all.h"

enum { GUARD = 3 }; /* elements in front of a part */

/* The sub-devices are never released. In PoCL, up to 7.0 at least, a context does not retain them, and its threads
 * still ask events for their device when everything else of a run is released. */
static bool split(group_rig *rig, const test_live *live, size_t count)
{
    const cl_device_partition_property properties[] = {CL_DEVICE_PARTITION_EQUALLY, 1, 0};
    cl_device_id found[64];
    cl_uint found_count = 0, most = 0;

    /* Drivers that have no sub-devices may lack the function, too. */
    if (clGetDeviceInfo(live->device, CL_DEVICE_PARTITION_MAX_SUB_DEVICES, sizeof most, &most, NULL) != CL_SUCCESS ||
        most < 2 || live->info.compute_units > 64 || live->info.compute_units < 1 ||
        clCreateSubDevices(live->device, properties, 64, found, &found_count) != CL_SUCCESS)
        return false;
    /* As many as there are; a device may be in a group twice. */
    for (size_t i = 0; i < count; ++i)
        rig->members[i].device = found[i % found_count];
    return true;
}

bool group_rig_open(group_rig *rig, const test_live *live, group_kind kind, size_t count, bool out_of_order)
{
    cl_int code;

    memset(rig, 0, sizeof *rig);
    rig->count = count;
    for (size_t i = 0; i < count; ++i)
        rig->members[i] = (clscan_member){.struct_size = sizeof rig->members[i], .device = live->device};
    if (kind == GROUP_OF_PARTS && !split(rig, live, count))
        return false;
    for (size_t i = 0; i < count; ++i) {
        clscan_member *member = &rig->members[i];

        if (kind == GROUP_OF_QUEUES) {
            assert_cl(clRetainContext(live->context));
            member->context = live->context;
        } else {
            member->context = clCreateContext(NULL, 1, &member->device, NULL, NULL, &code);
            assert_cl(code);
        }
        member->queue = clCreateCommandQueue(member->context, member->device,
                                             out_of_order ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : 0, &code);
        if (out_of_order && code == CL_INVALID_QUEUE_PROPERTIES)
            member->queue = clCreateCommandQueue(member->context, member->device, 0, &code);
        assert_cl(code);
    }
    return true;
}

void group_rig_close(group_rig *rig)
{
    for (size_t i = 0; i < rig->count; ++i) {
        if (rig->members[i].queue != NULL) {
            clFinish(rig->members[i].queue);
            clReleaseCommandQueue(rig->members[i].queue);
        }
        if (rig->members[i].context != NULL)
            clReleaseContext(rig->members[i].context);
    }
}

group_case group_ordered_case(const group_rig *rig, const clscan_problem *problem, size_t which, size_t turn)
{
    enum { STEP = CLSCAN_REPRODUCIBLE_STEP };
    static const uint64_t steps[GROUP_ORDERED_CASES][GROUP_ROOM] = {
        {1, 2, 0, 3, 1, 0, 2, 1}, {3, 1, 1, 0, 0, 0, 1, 0}, {0, 4, 3, 0, 1, 1, 0, 0}, {1, 0, 0, 0, 0, 0, 0, 0}};
    static const uint64_t rests[] = {0, 1, 1023, STEP - 1, 5 * 1024 + 77};
    group_case test = {.in_place = (turn + which) % 2 == 1,
                       .total = (turn + which) % 4 != 3,
                       .blocking = turn / 2 % 2 == 1,
                       .initial = (clscan_case_initial)((turn + which) % 3),
                       .seed = 1 + turn + which};
    size_t last = rig->count; /* none */

    for (size_t i = 0; i < rig->count; ++i) {
        test.counts[i] = steps[which][i] * STEP;
        if (test.counts[i] > 0 && (last == rig->count || problem->direction == CLSCAN_FORWARD))
            last = i;
    }
    if (last < rig->count)
        test.counts[last] += rests[(turn + which) % (sizeof rests / sizeof rests[0])];
    return test;
}

static cl_mem make(cl_context context, size_t bytes, size_t offset_bytes, const void *data, size_t data_bytes)
{
    unsigned char *all = malloc(bytes);
    cl_int code;
    cl_mem made;

    memset(all, 0xa5, bytes);
    if (data_bytes > 0)
        memcpy(all + offset_bytes, data, data_bytes);
    made = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, bytes, all, &code);
    free(all);
    assert_cl(code);
    return made;
}

static void prepare_part(group_work *work, size_t i, uint64_t first)
{
    const cl_context context = work->rig->members[i].context;
    const size_t bytes = clscan_type_size_bytes(work->problem->type);
    const uint64_t count = work->test->counts[i];

    work->parts[i] = (clscan_part){.struct_size = sizeof work->parts[i], .count = count};
    if (count == 0)
        return;
    work->ins[i] = make(context, (size_t)(count + 2 * GUARD) * bytes, GUARD * bytes, work->in + first * bytes,
                        (size_t)count * bytes);
    work->parts[i].in = (clscan_memory){.buffer = work->ins[i], .offset = GUARD};
    work->parts[i].out = work->parts[i].in;
    if (work->test->in_place)
        return;
    work->outs[i] = make(context, (size_t)(count + 2 * GUARD) * bytes, 0, NULL, 0);
    work->parts[i].out.buffer = work->outs[i];
}

/* Reproducible sums are to differ in each grouping but the right one. */
clscan_generator group_generator(const clscan_problem *problem)
{
    if (!problem->reproducible || problem->op == CLSCAN_CUSTOM)
        return clscan_generator_for(problem->type, problem->op, problem->direction);
    return problem->op == CLSCAN_MUL ? CLSCAN_GENERATE_NEAR_ONE : CLSCAN_GENERATE_WIDE;
}

static void prepare_buffers(group_work *work)
{
    const group_rig *rig = work->rig;
    const group_case *test = work->test;
    const bool reverse = work->problem->direction == CLSCAN_REVERSE;
    const size_t last = rig->count - 1;
    uint64_t first = 0;

    for (size_t i = 0; i < rig->count; first += test->counts[i++])
        prepare_part(work, i, first);
    work->args =
        (clscan_devices_args){.struct_size = sizeof work->args, .parts = work->parts, .part_count = rig->count};
    work->args.blocking = test->blocking;
    if (test->initial == CLSCAN_CASE_HOST_INITIAL)
        work->args.initial = (clscan_memory){.kind = CLSCAN_MEMORY_HOST, .pointer = &work->initial};
    if (test->initial == CLSCAN_CASE_DEVICE_INITIAL) {
        work->initial_buffer = make(rig->members[reverse ? last : 0].context, 2 * sizeof work->initial, 0,
                                    &work->initial, sizeof work->initial);
        work->args.initial = (clscan_memory){.buffer = work->initial_buffer};
    }
    if (test->total) {
        work->total_buffer = make(rig->members[reverse ? 0 : last].context, 4 * sizeof work->initial, 0, NULL, 0);
        work->args.total = (clscan_memory){.buffer = work->total_buffer, .offset = 1};
    }
}

static void release(cl_mem *buffer)
{
    if (*buffer != NULL)
        clReleaseMemObject(*buffer);
    *buffer = NULL;
}

static void release_buffers(group_work *work)
{
    for (size_t i = 0; i < GROUP_ROOM; ++i) {
        release(&work->ins[i]);
        release(&work->outs[i]);
    }
    release(&work->initial_buffer);
    release(&work->total_buffer);
}

bool group_work_prepare(group_work *work, const group_rig *rig, const clscan_problem *problem,
                        const clscan_sample_operator *sample, const group_case *test)
{
    const size_t bytes = clscan_type_size_bytes(problem->type);
    const clscan_type accumulator = clscan_type_accumulator(problem->type);
    const clscan_case as_case = {.generator = group_generator(problem), .seed = test->seed};
    clscan_reference what;

    memset(work, 0, sizeof *work);
    *work = (group_work){.rig = rig, .problem = problem, .sample = sample, .test = test};
    for (size_t i = 0; i < rig->count; ++i)
        work->count += test->counts[i];
    work->in = malloc((size_t)(work->count + 1) * bytes);
    work->out = malloc((size_t)(work->count + 1) * bytes);
    clscan_generate(as_case.generator, problem->type, test->seed, 0, work->count, work->in);
    work->initial = clscan_case_initial_value(accumulator, &as_case);
    what = clscan_reference_of(work->problem, work->sample);
    if (clscan_reference_scan(&what, work->in, work->count,
                              test->initial != CLSCAN_CASE_NO_INITIAL ? &work->initial : NULL, work->out,
                              test->total ? &work->expected_total : NULL) != CLSCAN_OK)
        return false;
    prepare_buffers(work);
    return true;
}

void group_work_renew(group_work *work)
{
    release_buffers(work);
    prepare_buffers(work);
}

void group_work_free(group_work *work)
{
    release_buffers(work);
    free(work->in);
    free(work->out);
}

static unsigned complain(const group_work *work, const char *what, uint64_t where)
{
    const group_case *test = work->test;

    print_error("%s %s %s %s, parts of %llu, %llu, %llu, %llu of %zu, %s, initial %d, seed %llu: %s at %llu\n",
                clscan_type_name(work->problem->type), clscan_operator_name(work->problem->op),
                work->problem->form == CLSCAN_EXCLUSIVE ? "exclusive" : "inclusive",
                work->problem->direction == CLSCAN_REVERSE ? "reverse" : "forward", (unsigned long long)test->counts[0],
                (unsigned long long)test->counts[1], (unsigned long long)test->counts[2],
                (unsigned long long)test->counts[3], work->rig->count, test->in_place ? "in place" : "out of place",
                (int)test->initial, (unsigned long long)test->seed, what, (unsigned long long)where);
    return 1;
}

static bool is_guard(const unsigned char *bytes, size_t count)
{
    while (count > 0 && bytes[count - 1] == 0xa5)
        --count;
    return count == 0;
}

static unsigned compare_outputs(const group_work *work, size_t i)
{
    const size_t bytes = clscan_type_size_bytes(work->problem->type);
    const size_t count = (size_t)work->test->counts[i], all = (count + 2 * GUARD) * bytes;
    uint64_t first = 0;
    unsigned char *got;
    unsigned wrong = 0;

    if (count == 0)
        return 0;
    for (size_t before = 0; before < i; ++before)
        first += work->test->counts[before];
    got = malloc(all);
    assert_cl(clEnqueueReadBuffer(work->rig->members[i].queue, work->parts[i].out.buffer, CL_TRUE, 0, all, got, 0, NULL,
                                  NULL));
    for (size_t j = 0; j < count && wrong == 0; ++j)
        if (work->problem->reproducible
                ? memcmp(work->out + (first + j) * bytes, got + (GUARD + j) * bytes, bytes) != 0
                : !clscan_reference_same(work->problem->type, work->problem->op, work->out + (first + j) * bytes,
                                         got + (GUARD + j) * bytes))
            wrong = complain(work, "wrong", first + j);
    if (!is_guard(got, GUARD * bytes) || !is_guard(got + (GUARD + count) * bytes, GUARD * bytes))
        wrong = complain(work, "written outside", first);
    free(got);
    return wrong;
}

static unsigned compare_total(const group_work *work, size_t i)
{
    const size_t bytes = clscan_type_size_bytes(clscan_type_accumulator(work->problem->type));
    clscan_value total = {.bits = 0};

    assert_cl(clEnqueueReadBuffer(work->rig->members[i].queue, work->total_buffer, CL_TRUE, bytes, bytes, &total, 0,
                                  NULL, NULL));
    if (work->problem->reproducible
            ? memcmp(&work->expected_total, &total, bytes) == 0
            : clscan_reference_same_total(work->problem->type, work->problem->op, &work->expected_total, &total))
        return 0;
    return complain(work, "total wrong", 0);
}

unsigned group_work_compare_part(const group_work *work, size_t i)
{
    const size_t end = work->problem->direction == CLSCAN_REVERSE ? 0 : work->rig->count - 1;

    return compare_outputs(work, i) + (work->test->total && i == end ? compare_total(work, i) : 0);
}

unsigned group_work_compare(const group_work *work)
{
    unsigned wrong = 0;

    for (size_t i = 0; i < work->rig->count; ++i)
        wrong += group_work_compare_part(work, i);
    return wrong;
}

unsigned group_run_case(clscan_devices *group, const group_rig *rig, const clscan_problem *problem,
                        const clscan_sample_operator *sample, const group_case *test)
{
    group_work work;
    clscan_error error = {0};
    cl_event events[GROUP_ROOM];
    unsigned wrong = 0;

    if (group_work_prepare(&work, rig, problem, sample, test)) {
        assert_status(CLSCAN_OK, clscan_devices_run(group, &work.args, events, &error), &error);
        for (size_t i = 0; i < rig->count; ++i) {
            assert_cl(clWaitForEvents(1, &events[i]));
            clReleaseEvent(events[i]);
        }
        wrong = group_work_compare(&work);
    }
    group_work_free(&work);
    return wrong;
}
