/* Comparing a result with the serial reference: what is an error, and what only another grouping. */
#include <string.h>
#include <unistd.h>

#include "check.h"
#include "cmocka_all.h"
#include "file_check.h"
#include "temporary_folder.h"

#define COUNT 1000

static uint64_t compared;
static clscan_error last_error;

/* Check all at once. */
static clscan_status check_all(checker *c, const void *in, const void *got, uint64_t count)
{
    clscan_status status;

    c->compared = 0;
    c->rows.count = c->rows.row_count = count;
    status = check_chunk(c, in, got, 0, count, &last_error);
    compared = c->compared;
    check_release(c);
    return status;
}

static clscan_status check_floats(clscan_operator op, const float *in, const float *got, uint64_t count)
{
    checker c = {.type = CLSCAN_FLOAT, .op = op, .form = CLSCAN_INCLUSIVE};

    return check_all(&c, in, got, count);
}

static void integers_agree_exactly(void **state)
{
    const int32_t in[] = {1, 2, 3, 4};
    int32_t got[] = {1, 3, 6, 10};
    checker c = {.type = CLSCAN_INT32, .op = CLSCAN_ADD};

    (void)state;
    assert_int_equal(check_all(&c, in, got, 4), CLSCAN_OK);
    assert_int_equal(compared, 4);
    got[2] = 7;
    assert_int_not_equal(check_all(&c, in, got, 4), CLSCAN_OK);
    assert_non_null(strstr(last_error.message, "element 2 should be 6"));
    assert_non_null(strstr(last_error.message, "is 7"));
}

static void initial_value_and_direction_count(void **state)
{
    const uint8_t in[] = {1, 2, 3};
    const uint8_t got[] = {15, 13, 10};
    const uint8_t initial = 10;
    checker c = {
        .type = CLSCAN_UINT8, .op = CLSCAN_ADD, .form = CLSCAN_EXCLUSIVE, .rows.reverse = true, .initial = &initial};

    (void)state;
    assert_int_equal(check_all(&c, in, got, 3), CLSCAN_OK);
}

static void another_grouping_is_right(void **state)
{
    float in[COUNT], got[COUNT];
    double sum = 0.0;

    (void)state;
    for (size_t i = 0; i < COUNT; ++i) {
        in[i] = 0.1f * (float)(i % 17) - 0.7f;
        sum += (double)in[i]; /* rounded once at the end, unlike the reference */
        got[i] = (float)sum;
    }
    assert_int_equal(check_floats(CLSCAN_ADD, in, got, COUNT), CLSCAN_OK);
    assert_int_equal(compared, COUNT);
    got[500] += 1.0f;
    assert_int_not_equal(check_floats(CLSCAN_ADD, in, got, COUNT), CLSCAN_OK);
    assert_non_null(strstr(last_error.message, "element 500"));
}

/* (x . y) . z may overflow where x . (y . z) does not: then neither is wrong. */
static void overflow_ends_the_comparison(void **state)
{
    const float in[] = {1e30f, 1e30f, 1e-30f, 2.0f};
    const float got[] = {1e30f, 12345.0f, 1e30f, 2e30f};

    (void)state;
    assert_int_equal(check_floats(CLSCAN_MUL, in, got, 4), CLSCAN_OK);
    assert_int_equal(compared, 1);
}

/* max has no rounding, and its result does not depend on the grouping. */
static void comparisons_agree_exactly(void **state)
{
    const float in[] = {1.0f, 3.0f, 2.0f};
    float got[] = {1.0f, 3.0f, 3.0f};

    (void)state;
    assert_int_equal(check_floats(CLSCAN_MAX, in, got, 3), CLSCAN_OK);
    got[2] = 3.0000002f;
    assert_int_not_equal(check_floats(CLSCAN_MAX, in, got, 3), CLSCAN_OK);
}

static void halves_may_differ_by_a_rounding(void **state)
{
    const uint16_t in[] = {0x3c00, 0x3c00, 0x7bff}; /* 1, 1, 65504 */
    uint16_t got[] = {0x3c00, 0x4001, 0x7c00};      /* 1, 2 and a bit, infinity */
    checker c = {.type = CLSCAN_HALF, .op = CLSCAN_ADD};

    (void)state;
    assert_int_equal(check_all(&c, in, got, 3), CLSCAN_OK);
    got[1] = 0x4010;
    assert_int_not_equal(check_all(&c, in, got, 3), CLSCAN_OK);
}

/* From the end, beyond the block size of the reference: the carry and the index go on. */
static void chunks_go_on(void **state)
{
    enum { CHUNK = 70000, COUNT_OF_ALL = 3 * CHUNK };
    uint32_t *in = test_malloc(COUNT_OF_ALL * sizeof *in);
    uint32_t *got = test_malloc(COUNT_OF_ALL * sizeof *got);
    checker c = {.type = CLSCAN_UINT32, .op = CLSCAN_ADD, .rows = {COUNT_OF_ALL, COUNT_OF_ALL, true}};
    clscan_status status = CLSCAN_OK;
    uint32_t sum = 0;

    (void)state;
    for (uint32_t i = COUNT_OF_ALL; i-- > 0;) {
        in[i] = i % 1000 + 1;
        sum += in[i];
        got[i] = sum;
    }
    ++got[3];
    for (unsigned begin = 0; begin < COUNT_OF_ALL; begin += CHUNK) {
        const unsigned first = COUNT_OF_ALL - CHUNK - begin;

        assert_int_equal(status, CLSCAN_OK);
        status = check_chunk(&c, in + first, got + first, begin, CHUNK, &last_error);
    }
    assert_int_not_equal(status, CLSCAN_OK);
    assert_non_null(strstr(last_error.message, "element 3 should be"));
    assert_int_equal(c.compared, COUNT_OF_ALL - 4);
    check_release(&c);
    test_free(in);
    test_free(got);
}

/* A row begins anew: what was summed, and what could go wrong, is forgotten. */
static void rows_begin_anew(void **state)
{
    const float in[] = {1e30f, 1e30f, 2.0f, 3.0f};
    const float got[] = {1e30f, 1.0f, 2.0f, 6.0f};
    checker c = {.type = CLSCAN_FLOAT, .op = CLSCAN_MUL, .rows = {4, 2, false}};

    (void)state;
    assert_int_equal(check_chunk(&c, in, got, 0, 4, &last_error), CLSCAN_OK);
    assert_int_equal(c.compared, 3);
    check_release(&c);
}

/* Behind the outputs of each row, which begins with an initial value of its own; a row may end in the next chunk. */
static void totals_of_rows_are_compared(void **state)
{
    const uint32_t in[] = {1, 2, 3, 4, 5, 6};
    uint32_t got[] = {10, 11, 13, 16, 20, 24, 29, 35}, starts[] = {10, 20};
    const initials_file initials = {.values = (unsigned char *)starts, .in.element_bytes = sizeof starts[0]};

    (void)state;
    for (uint64_t chunk = 1; chunk <= 6; ++chunk)
        for (size_t wrong = 0; wrong <= 8; ++wrong) {
            checker c = {.type = CLSCAN_UINT32,
                         .op = CLSCAN_ADD,
                         .form = CLSCAN_EXCLUSIVE,
                         .rows = {6, 3, false},
                         .totals = true,
                         .initials = &initials};
            clscan_status status = CLSCAN_OK;

            got[wrong % 8] += wrong < 8;
            for (uint64_t begin = 0; begin < 6 && status == CLSCAN_OK; begin += chunk)
                status = check_chunk(&c, in + begin, got + begin + begin / 3, begin,
                                     6 - begin < chunk ? 6 - begin : chunk, &last_error);
            assert_int_equal(status == CLSCAN_OK, wrong == 8);
            if (wrong == 7)
                assert_non_null(strstr(last_error.message, "the total of row 1 should be 35"));
            got[wrong % 8] -= wrong < 8;
            check_release(&c);
        }
}

/* Several blocks, behind a header; a wrong element in the second one, in either direction. */
static void files_are_compared(void **state)
{
    enum { MANY = (1 << 20) + 1000, HEADER = 7, WRONG = MANY - 500 };
    const file_elements in = {.path = "in.raw", .name = "IN"};
    file_elements out = {.path = "out.raw", .name = "OUT", .offset_bytes = HEADER};
    static unsigned char ones[MANY], sums[HEADER + MANY + 1];
    char *folder = temporary_folder_create();

    (void)state;
    assert_int_equal(chdir(folder), 0);
    memset(ones, 1, sizeof ones);
    temporary_folder_write(folder, "in.raw", ones, sizeof ones);
    for (int direction = 0; direction < 2; ++direction) {
        checker c = {.type = CLSCAN_UINT8, .op = CLSCAN_ADD, .rows = {MANY, MANY, direction == 1}};

        for (size_t i = 0; i < MANY; ++i)
            sums[HEADER + i] = (unsigned char)(direction == 0 ? i + 1 : MANY - i);
        temporary_folder_write(folder, "out.raw", sums, HEADER + MANY);
        assert_int_equal(file_check(&c, &in, &out, &last_error), CLSCAN_OK);
        assert_int_equal(c.compared, MANY);
        c.rows.count = 0;
        assert_int_equal(file_check(&c, &in, &out, &last_error), CLSCAN_OK);
        c.rows.count = c.rows.row_count = MANY + 1;
        assert_int_not_equal(file_check(&c, &in, &out, &last_error), CLSCAN_OK);
        assert_non_null(strstr(last_error.message, "IN: it became shorter"));
        c.rows.count = c.rows.row_count = MANY;
        ++sums[HEADER + WRONG];
        temporary_folder_write(folder, "out.raw", sums, HEADER + MANY);
        assert_int_not_equal(file_check(&c, &in, &out, &last_error), CLSCAN_OK);
        assert_non_null(strstr(last_error.message, "element 1049076 should be"));
        check_release(&c);
    }
    out.path = "missing.raw";
    assert_int_not_equal(file_check(&(checker){.type = CLSCAN_UINT8, .rows = {1, 1, false}}, &in, &out, &last_error),
                         CLSCAN_OK);
    assert_non_null(strstr(last_error.message, "OUT: "));
    assert_int_equal(chdir("/"), 0);
    temporary_folder_remove(folder);
}

/* Rows longer and shorter than what is read at once; each begins anew, in either direction. */
static void rows_of_files_are_compared(void **state)
{
    enum { MANY = 3 << 20 };
    static const uint64_t lengths[] = {1, 3, 3 << 10, MANY / 2, MANY};
    const file_elements in = {.path = "in.raw", .name = "IN"}, out = {.path = "out.raw", .name = "OUT"};
    static unsigned char ones[MANY], sums[MANY];
    char *folder = temporary_folder_create();

    (void)state;
    assert_int_equal(chdir(folder), 0);
    memset(ones, 1, sizeof ones);
    temporary_folder_write(folder, "in.raw", ones, sizeof ones);
    for (size_t i = 0; i < 2 * (sizeof lengths / sizeof lengths[0]); ++i) {
        const uint64_t length = lengths[i / 2], other = length == 3 ? MANY : 3;
        checker c = {.type = CLSCAN_UINT8, .op = CLSCAN_ADD, .rows = {MANY, length, i % 2 == 1}};

        for (uint64_t k = 0; k < MANY; ++k)
            sums[k] = (unsigned char)(i % 2 == 0 ? k % length + 1 : length - k % length);
        temporary_folder_write(folder, "out.raw", sums, sizeof sums);
        assert_int_equal(file_check(&c, &in, &out, &last_error), CLSCAN_OK);
        assert_int_equal(c.compared, MANY);
        c.rows.row_count = other;
        assert_int_not_equal(file_check(&c, &in, &out, &last_error), CLSCAN_OK);
        check_release(&c);
    }
    assert_int_equal(chdir("/"), 0);
    temporary_folder_remove(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(integers_agree_exactly),
        cmocka_unit_test(initial_value_and_direction_count),
        cmocka_unit_test(another_grouping_is_right),
        cmocka_unit_test(overflow_ends_the_comparison),
        cmocka_unit_test(comparisons_agree_exactly),
        cmocka_unit_test(halves_may_differ_by_a_rounding),
        cmocka_unit_test(chunks_go_on),
        cmocka_unit_test(rows_begin_anew),
        cmocka_unit_test(totals_of_rows_are_compared),
        cmocka_unit_test(files_are_compared),
        cmocka_unit_test(rows_of_files_are_compared),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
