/* Elements that files describe, on the device: serial scans of them, and how their outputs are compared. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmocka_all.h"
#include "command_line/element_file.h"
#include "measure/case.h"
#include "measure/check.h"
#include "measure/device.h"
#include "measure/element.h"
#include "measure/serial.h"

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

#define MUST(expression)               \
    do {                               \
        if (!(expression))             \
            fail_msg("%s", note.text); \
    } while (0)

/* ---- Serial scans ---- */

/* fixtures/elements/drift.json */
typedef struct drift {
    uint32_t factor, step;
    int32_t last;
} drift;

static drift combine(drift left, drift right)
{
    const drift sum = {right.factor * left.factor, right.factor * left.step + right.step,
                       right.last != 0 ? right.last : left.last};

    return sum;
}

/* What a loop makes of it, in place. */
static void scan_on_host(drift *elements, size_t count, clscan_form form, bool reverse, const drift *initial)
{
    static const drift identity = {1, 0, 0};
    drift before = initial != NULL ? *initial : identity;

    for (size_t k = 0; k < count; ++k) {
        drift *at = &elements[reverse ? count - 1 - k : k];
        const drift after = reverse ? combine(*at, before) : combine(before, *at);

        *at = form == CLSCAN_INCLUSIVE ? after : before;
        before = after;
    }
}

static void scan_in_pieces(measure_serial *serial, const drift *elements, size_t count, size_t piece_count,
                           drift *scanned)
{
    enum { OFFSET = 3 };
    const size_t bytes = (piece_count + OFFSET + 1) * sizeof(drift);
    const bool reverse = serial->direction == CLSCAN_REVERSE;
    drift canary;
    cl_int codes[2];
    cl_mem in = clCreateBuffer(device.context, CL_MEM_READ_WRITE, bytes, NULL, &codes[0]);
    cl_mem out = clCreateBuffer(device.context, CL_MEM_READ_WRITE, bytes, NULL, &codes[1]);

    assert_true(codes[0] == CL_SUCCESS && codes[1] == CL_SUCCESS);
    for (size_t done = 0; done < count;) {
        const size_t piece = count - done < piece_count ? count - done : piece_count;
        const size_t first = reverse ? count - done - piece : done, piece_bytes = piece * sizeof(drift);

        MUST(measure_device_fill(&device, out, 0xa5, bytes, &note));
        assert_int_equal(clEnqueueWriteBuffer(device.queue, in, CL_TRUE, OFFSET * sizeof(drift), piece_bytes,
                                              elements + first, 0, NULL, NULL),
                         CL_SUCCESS);
        MUST(measure_serial_next(serial, in, OFFSET, piece, out, &note));
        assert_int_equal(
            clEnqueueReadBuffer(device.queue, out, CL_TRUE, 0, piece_bytes, scanned + first, 0, NULL, NULL),
            CL_SUCCESS);
        assert_int_equal(
            clEnqueueReadBuffer(device.queue, out, CL_TRUE, piece_bytes, sizeof canary, &canary, 0, NULL, NULL),
            CL_SUCCESS);
        assert_true(canary.factor == 0xa5a5a5a5u && canary.step == 0xa5a5a5a5u);
        done += piece;
    }
    clReleaseMemObject(in);
    clReleaseMemObject(out);
}

static void serial_scans_are_those_of_a_loop(void **state)
{
    static const size_t counts[] = {1, 2, 1023, 1024, 1025, 5 * 1024 + 7, 70001};
    static const drift initials[] = {{3, 4, -5}};
    const size_t most = 70001;
    drift *elements = test_malloc(most * sizeof *elements), *expected = test_malloc(most * sizeof *expected);
    drift *scanned = test_malloc(most * sizeof *scanned);
    const element_description *described;

    (void)state;
    assert_int_equal(element_describe(CLSCAN_FIXTURES "/elements/drift.json", &described, NULL), CLSCAN_OK);
    for (size_t i = 0; i < most; ++i)
        elements[i] = (drift){1 + (uint32_t)(i * 7 % 5), (uint32_t)(i * 3 % 10), i % 3 == 0 ? (int32_t)(i % 7) - 3 : 0};
    for (int form = 0; form < 2; ++form)
        for (int reverse = 0; reverse < 2; ++reverse) {
            measure_serial serial = {.context = device.context,
                                     .device = device.id,
                                     .queue = device.queue,
                                     .element = &described->element,
                                     .custom = &described->custom,
                                     .form = form == 0 ? CLSCAN_INCLUSIVE : CLSCAN_EXCLUSIVE,
                                     .direction = reverse ? CLSCAN_REVERSE : CLSCAN_FORWARD};

            MUST(measure_serial_prepare(&serial, &note));
            for (size_t i = 0; i < 2 * sizeof counts / sizeof counts[0]; ++i) {
                const size_t count = counts[i / 2];
                const drift *initial = i % 2 == 0 ? NULL : initials;

                memcpy(expected, elements, count * sizeof *expected);
                scan_on_host(expected, count, serial.form, reverse, initial);
                for (size_t piece = count; piece > 0; piece = piece > 20000 ? 2500 : 0) {
                    memset(scanned, 0, count * sizeof *scanned);
                    MUST(measure_serial_begin(&serial, initial, &note));
                    scan_in_pieces(&serial, elements, count, piece, scanned);
                    if (memcmp(scanned, expected, count * sizeof *scanned) != 0)
                        fail_msg("form %d, reverse %d, %zu elements in pieces of %zu", form, reverse, count, piece);
                }
            }
            measure_serial_release(&serial);
        }
    test_free(scanned);
    test_free(expected);
    test_free(elements);
}

static void a_wrong_operator_is_told_by_the_compiler(void **state)
{
    static const char text[] = "{\"schema_version\": 1, \"name\": \"wrong\", \"fields\": [{\"name\": \"a\", "
                               "\"type\": \"int32\"}], \"combine\": [\"return nobody;\"]}";
    const element_description *described;
    measure_serial serial = {.context = device.context, .device = device.id, .queue = device.queue};

    (void)state;
    assert_int_equal(element_file_parse(text, strlen(text), "text", &described, NULL), CLSCAN_OK);
    serial.element = &described->element;
    serial.custom = &described->custom;
    assert_false(measure_serial_prepare(&serial, &note));
    assert_non_null(strstr(note.text, "the serial scan of wrong"));
    measure_serial_release(&serial);
}

/* ---- Comparing ---- */

typedef struct pair {
    uint8_t kind;
    int64_t number;
    float value;
} pair; /* 24 bytes */

static const char pair_text[] =
    "{\"schema_version\": 1, \"name\": \"pair\", \"fields\": [{\"name\": \"kind\", \"type\": \"uint8\"}, "
    "{\"name\": \"number\", \"type\": \"int64\"}, "
    "{\"name\": \"value\", \"type\": \"float\", \"least\": 1, \"greatest\": 8, \"tolerance\": 0.25}], \"combine\": "
    "[\"return right;\"]}";

/* Does the device see what the host sees, of one element among others? */
static void compare(measure_case *c, cl_mem expected, uint64_t at, pair wanted, pair got, bool same)
{
    bool seen = !same;

    assert_int_equal(
        clEnqueueCopyBuffer(device.queue, c->source, c->target, 0, 0, (size_t)c->problem.bytes, 0, NULL, NULL),
        CL_SUCCESS);
    assert_int_equal(
        clEnqueueCopyBuffer(device.queue, c->source, expected, 0, 0, (size_t)c->problem.bytes, 0, NULL, NULL),
        CL_SUCCESS);
    assert_int_equal(clEnqueueWriteBuffer(device.queue, expected, CL_TRUE, (size_t)at * sizeof wanted, sizeof wanted,
                                          &wanted, 0, NULL, NULL),
                     CL_SUCCESS);
    assert_int_equal(clEnqueueWriteBuffer(device.queue, c->target, CL_TRUE, (size_t)at * sizeof got, sizeof got, &got,
                                          0, NULL, NULL),
                     CL_SUCCESS);
    MUST(measure_check_outputs(c, expected, &note));
    MUST(measure_check_read(&device, &seen, &note));
    if (seen != same || measure_element_same(&c->problem, c->scale, at, &wanted, &got) != same)
        fail_msg("element %u: %u %g %lld and %u %g %lld are%s the same, says the %s", (unsigned)at, wanted.kind,
                 (double)wanted.value, (long long)wanted.number, got.kind, (double)got.value, (long long)got.number,
                 same ? "" : " not", seen != same ? "device" : "host");
}

/* The tolerance is a quarter of 8, or of the expected number if that is larger. */
static void the_device_compares_as_the_host_does(void **state)
{
    static const struct {
        pair wanted, got;
        bool same;
    } rows[] = {
        {{7, 5, 1}, {7, 5, 1}, true},         {{7, 5, 1}, {6, 5, 1}, false},
        {{7, 5, 1}, {7, -5, 1}, false},       {{7, 5, 1}, {7, INT64_C(5) + (INT64_C(1) << 32), 1}, false},
        {{7, 5, 1}, {7, 5, 2.9f}, true},      {{7, 5, 1}, {7, 5, -0.9f}, true},
        {{7, 5, 1}, {7, 5, 3.1f}, false},     {{7, 5, 100}, {7, 5, 124}, true},
        {{7, 5, 100}, {7, 5, 126}, false},    {{7, 5, -100}, {7, 5, -124}, true},
        {{7, 5, -100}, {7, 5, 100}, false},   {{7, 5, NAN}, {7, 5, NAN}, true},
        {{7, 5, NAN}, {7, 5, 1}, false},      {{7, 5, 1}, {7, 5, NAN}, false},
        {{7, 5, 1}, {7, 5, INFINITY}, false}, {{7, 5, INFINITY}, {7, 5, NAN}, true},
    };
    const element_description *described;
    measure_element element;
    measure_problem problem = {.op = CLSCAN_CUSTOM, .count = 5003};
    measure_case c;
    cl_mem expected;
    cl_int code;

    (void)state;
    assert_int_equal(element_file_parse(pair_text, strlen(pair_text), "pair", &described, NULL), CLSCAN_OK);
    assert_int_equal(described->size_bytes, sizeof(pair));
    element = measure_element_of(described);
    problem.element = &element;
    problem.bytes = problem.count * sizeof(pair);
    MUST(measure_case_create(&device, &problem, &c, &note));
    if (!c.device_compares)
        fail_msg("%s", note.text);
    expected = clCreateBuffer(device.context, CL_MEM_READ_WRITE, (size_t)problem.bytes, NULL, &code);
    assert_int_equal(code, CL_SUCCESS);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        const uint64_t places[] = {0, problem.count / 2, problem.count - 1};

        for (size_t j = 0; j < sizeof places / sizeof places[0]; ++j)
            compare(&c, expected, places[j], rows[i].wanted, rows[i].got, rows[i].same);
    }
    clReleaseMemObject(expected);
    measure_case_destroy(&c);
}

/* Sums that come near 0 keep the errors of larger ones, but not of infinite ones. */
static void the_scale_is_that_of_the_largest_result(void **state)
{
    const pair results[] = {{1, 1000, 20}, {1, 1, -40}, {1, 1, INFINITY}, {1, 1, NAN}, {1, 1, 0.01f}};
    const element_description *described;
    measure_element element;
    element_scale scale;

    (void)state;
    assert_int_equal(element_file_parse(pair_text, strlen(pair_text), "pair", &described, NULL), CLSCAN_OK);
    element = measure_element_of(described);
    measure_element_scale(&element, results, 5, &scale);
    assert_true(scale.fields[2] == 40);
    measure_element_scale(&element, results + 4, 1, &scale);
    assert_true(scale.fields[2] == 8);
}

/* What is read of an output at once ends within an element. Outputs that are not the same bit for bit are looked at
 * element by element, also there. */
static void outputs_are_read_in_whole_elements(void **state)
{
    const uint64_t count = 1500000, at = (UINT64_C(16) << 20) / sizeof(pair);
    const element_description *described;
    measure_element element;
    measure_problem problem = {.element = &element, .op = CLSCAN_CUSTOM, .count = count, .bytes = count * sizeof(pair)};
    measure_case c;
    pair *outputs = test_malloc(count * sizeof *outputs);
    bool right = false;

    (void)state;
    assert_int_equal(element_file_parse(pair_text, strlen(pair_text), "pair", &described, NULL), CLSCAN_OK);
    element = measure_element_of(described);
    MUST(measure_case_create(&device, &problem, &c, &note));
    memcpy(outputs, c.expected, (size_t)problem.bytes);
    for (uint64_t i = 0; i < count; ++i)
        outputs[i].value *= 1.0625f;
    for (int wrong = 0; wrong < 2; ++wrong) {
        outputs[at].number += wrong;
        assert_int_equal(
            clEnqueueWriteBuffer(device.queue, c.target, CL_TRUE, 0, (size_t)problem.bytes, outputs, 0, NULL, NULL),
            CL_SUCCESS);
        MUST(measure_case_compare(&c, &right, &note));
        assert_int_equal(right, !wrong);
    }
    assert_memory_equal(note.text, "element 699050 is {kind: ", strlen("element 699050 is {kind: "));
    measure_case_destroy(&c);
    test_free(outputs);
}

/* Samples lie in their ranges, reach both ends of small ones, and are the same each time. */
static void samples_are_of_their_ranges(void **state)
{
    enum { COUNT = 2000 };
    static drift elements[COUNT], again[COUNT];
    unsigned factors = 0, steps = 0, lasts = 0;
    measure_element element;
    measure_problem problem = {.element = &element, .op = CLSCAN_CUSTOM, .count = COUNT, .bytes = sizeof elements};

    (void)state;
    assert_int_equal(measure_element_read(CLSCAN_FIXTURES "/elements/drift.json", &element, NULL), CLSCAN_OK);
    measure_element_generate(&problem, elements);
    measure_element_generate(&problem, again);
    assert_memory_equal(elements, again, sizeof elements);
    for (size_t i = 0; i < COUNT; ++i) {
        assert_in_range(elements[i].factor, 1, 5);
        assert_in_range(elements[i].step, 0, 9);
        assert_in_range(elements[i].last + 1, 0, 2);
        factors |= 1u << elements[i].factor;
        steps |= 1u << elements[i].step;
        lasts |= 1u << (elements[i].last + 1);
    }
    assert_int_equal(factors, 0x3e);
    assert_int_equal(steps, 0x3ff);
    assert_int_equal(lasts, 7);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(serial_scans_are_those_of_a_loop),
        cmocka_unit_test(a_wrong_operator_is_told_by_the_compiler),
        cmocka_unit_test(the_device_compares_as_the_host_does),
        cmocka_unit_test(the_scale_is_that_of_the_largest_result),
        cmocka_unit_test(outputs_are_read_in_whole_elements),
        cmocka_unit_test(samples_are_of_their_ranges),
    };

    return cmocka_run_group_tests(tests, open_device, close_device);
}
