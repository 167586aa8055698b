/* How buffers are filled, and how copies are judged: on the device, and a wrong one by its first wrong element. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmocka_all.h"
#include "measure/case.h"
#include "measure/device.h"
#include "measure/yardsticks.h"

static measure_device device;
static measure_note note;

static int open_device(void **state)
{
    (void)state;
    if (measure_device_open(getenv("CLSCAN_TEST_DEVICE"), MEASURE_CLOCK_BY_HOST, &device, &note))
        return 0;
    print_error("%s\n", note.text);
    return 1;
}

static int close_device(void **state)
{
    (void)state;
    measure_device_close(&device);
    return 0;
}

static measure_case make_case(clscan_type type, uint64_t count)
{
    const measure_problem problem = {
        .type = type, .op = CLSCAN_ADD, .count = count, .bytes = count * clscan_type_size_bytes(type)};
    measure_case c;

    if (!measure_case_create(&device, &problem, &c, &note))
        fail_msg("%s", note.text);
    if (!c.device_compares)
        fail_msg("%s", note.text);
    return c;
}

/* Copies all but one element; contender->state points to its index. */
static bool copy_but_one(measure_contender *contender, const measure_case *c, cl_event *event)
{
    const uint64_t *left_out = contender->state;
    const size_t size = clscan_type_size_bytes(c->problem.type);
    const size_t first = (size_t)*left_out * size;
    const size_t rest = (size_t)c->problem.bytes - first - size;

    (void)event;
    if (first > 0)
        MEASURE_TRY(&contender->note, clEnqueueCopyBuffer,
                    (c->device->queue, c->source, c->target, 0, 0, first, 0, NULL, NULL));
    if (rest > 0)
        MEASURE_TRY(&contender->note, clEnqueueCopyBuffer,
                    (c->device->queue, c->source, c->target, first + size, first + size, rest, 0, NULL, NULL));
    return true;
}

static const measure_kind wrong_copy = {.name = "all but one element", .copies = true, .enqueue = copy_but_one};

static void a_wrong_copy_is_told_by_its_first_wrong_element(void **state)
{
    const uint64_t counts[] = {1, 5, 1000, 1000003};
    char text[64];

    (void)state;
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; ++i) {
        const uint64_t places[] = {0, counts[i] / 2, counts[i] - 1};
        measure_case c = make_case(CLSCAN_INT32, counts[i]);

        for (size_t j = 0; j < sizeof places / sizeof places[0]; ++j) {
            uint64_t left_out = places[j];
            measure_contender contender = {.kind = &wrong_copy, .state = &left_out};

            measure_case_validate(&c, &contender);
            assert_int_equal(contender.outcome, MEASURE_WRONG);
            snprintf(text, sizeof text, "element %llu is ", (unsigned long long)left_out);
            assert_memory_equal(contender.note.text, text, strlen(text));
        }
        measure_case_destroy(&c);
    }
}

static void right_copies_are_right(void **state)
{
    const measure_kind *kinds[MEASURE_MAX_YARDSTICKS];
    const size_t count = measure_yardsticks(&device, false, kinds);
    measure_case all = make_case(CLSCAN_INT8, 100003);

    (void)state;
    for (uint64_t prefix = 1; prefix <= all.problem.count; prefix = prefix * 10 + 3) {
        const measure_case c = measure_case_prefix(&all, prefix);

        for (size_t i = 0; i < count; ++i) {
            measure_contender contender = {.kind = kinds[i]};

            if (kinds[i]->prepare != NULL)
                contender.outcome = kinds[i]->prepare(&contender, &c);
            if (contender.outcome == MEASURE_OK)
                measure_case_validate(&c, &contender);
            if (contender.outcome != MEASURE_OK && contender.outcome != MEASURE_UNAVAILABLE)
                fail_msg("%s: %s", kinds[i]->name, contender.note.text);
            if (kinds[i]->release != NULL)
                kinds[i]->release(&contender);
        }
    }
    measure_case_destroy(&all);
}

/* Where the device cannot compare, the host does it all. */
static void a_host_alone_comes_to_the_same(void **state)
{
    uint64_t left_out = 999;
    measure_contender contender = {.kind = &wrong_copy, .state = &left_out};
    measure_case c = make_case(CLSCAN_INT32, 1000);

    (void)state;
    c.device_compares = false;
    measure_case_validate(&c, &contender);
    assert_int_equal(contender.outcome, MEASURE_WRONG);
    assert_memory_equal(contender.note.text, "element 999 is ", strlen("element 999 is "));
    measure_case_destroy(&c);
}

static void fills_end_where_they_should(void **state)
{
    enum { ROOM = 5000 };
    const uint64_t sizes[] = {1, 15, 16, 17, 31, 4096, 4999};
    unsigned char bytes[ROOM];
    cl_int code;
    cl_mem buffer = clCreateBuffer(device.context, CL_MEM_READ_WRITE, ROOM, NULL, &code);

    (void)state;
    assert_int_equal(code, CL_SUCCESS);
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; ++i) {
        if (!measure_device_fill(&device, buffer, 0x11, ROOM, &note) ||
            !measure_device_fill(&device, buffer, 0xc4, sizes[i], &note))
            fail_msg("%s", note.text);
        assert_int_equal(clEnqueueReadBuffer(device.queue, buffer, CL_TRUE, 0, ROOM, bytes, 0, NULL, NULL), CL_SUCCESS);
        for (uint64_t at = 0; at < ROOM; ++at)
            assert_int_equal(bytes[at], at < sizes[i] ? 0xc4 : 0x11);
    }
    clReleaseMemObject(buffer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_wrong_copy_is_told_by_its_first_wrong_element),
        cmocka_unit_test(right_copies_are_right),
        cmocka_unit_test(a_host_alone_comes_to_the_same),
        cmocka_unit_test(fills_end_where_they_should),
    };

    return cmocka_run_group_tests(tests, open_device, close_device);
}
