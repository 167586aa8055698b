/* From times of groups of devices to the steps of their config. */
#include <clscan/devices.h>

#include "cmocka_all.h"
#include "output/group_steps.h"

/* Two GPUs of 3000 GB/s each: what one scan over both takes beside one of them, in us. */
#define TIMES(count_, one, two)                                                                              \
    {                                                                                                        \
        .work = CLSCAN_DEVICES_SCAN, .count = UINT64_C(1) << (count_), .number_count = 2, .numbers = {1, 2}, \
        .seconds = {                                                                                         \
            1e-6 * (one),                                                                                    \
            1e-6 * (two)                                                                                     \
        }                                                                                                    \
    }

static clscan__group_document document;

static int set_up(void **state)
{
    (void)state;
    document = (clscan__group_document){.device_count = 2};
    for (size_t i = 0; i < 2; ++i) {
        document.devices[i].device_gb_per_s = 3000;
        document.devices[i].host_gb_per_s = 60;
    }
    return 0;
}

static void expect(size_t step, uint32_t devices, uint64_t largest_count)
{
    assert_true(step < document.step_count);
    assert_int_equal(document.steps[step].devices, devices);
    assert_int_equal(document.steps[step].largest_count, largest_count);
}

static void more_devices_have_to_be_faster(void **state)
{
    tune_group_times times = TIMES(20, 100, 98);

    (void)state;
    assert_int_equal(tune_group_fastest(&times), 1);
    times.seconds[1] = 96e-6;
    assert_int_equal(tune_group_fastest(&times), 2);
}

static void a_class_ends_between_sizes(void **state)
{
    const tune_group_times times[] = {TIMES(24, 72, 137), TIMES(26, 206, 247), TIMES(28, 745, 659)};

    (void)state;
    tune_group_add_steps(&document, times, 3);
    assert_int_equal(document.step_count, 2);
    expect(0, 1, UINT64_C(1) << 27);
    expect(1, 2, UINT64_MAX);
}

/* One device is ahead at all sizes that were measured, but two catch up. */
static void beyond_the_sizes_times_go_on(void **state)
{
    const tune_group_times times[] = {TIMES(24, 72, 137), TIMES(26, 206, 247)};

    (void)state;
    tune_group_add_steps(&document, times, 2);
    assert_int_equal(document.step_count, 2);
    assert_int_equal(document.steps[0].devices, 1);
    assert_true(document.steps[0].largest_count > UINT64_C(1) << 26);
    assert_true(document.steps[0].largest_count < UINT64_C(1) << 28);
    expect(1, 2, UINT64_MAX);
}

/* As where both share what bounds them. */
static void devices_that_never_pay_stay_out(void **state)
{
    const tune_group_times times[] = {TIMES(24, 72, 80), TIMES(26, 206, 230)};

    (void)state;
    tune_group_add_steps(&document, times, 2);
    assert_int_equal(document.step_count, 1);
    expect(0, 1, UINT64_MAX);
}

static void works_stay_apart(void **state)
{
    tune_group_times rows[] = {TIMES(20, 50, 30)};
    const tune_group_times scans[] = {TIMES(20, 30, 130)};

    (void)state;
    rows[0].work = CLSCAN_DEVICES_ROWS;
    tune_group_add_steps(&document, rows, 1);
    tune_group_add_steps(&document, scans, 1);
    expect(0, 2, UINT64_MAX);
    assert_int_equal(document.steps[0].work, CLSCAN_DEVICES_ROWS);
    assert_int_equal(document.steps[1].work, CLSCAN_DEVICES_SCAN);
    expect(1, 1, UINT64_MAX);
}

/* Four devices of 3000 GB/s: two rows are dealt while they are short, then two devices share each. */
static void numbers_of_shared_rows_stay_apart(void **state)
{
    static const tune_group_times two[] = {{.work = CLSCAN__WORK_SHARED,
                                            .rows = 2,
                                            .count = 1 << 20,
                                            .number_count = 3,
                                            .numbers = {1, 2, 4},
                                            .seconds = {10e-6, 60e-6, 80e-6}},
                                           {.work = CLSCAN__WORK_SHARED,
                                            .rows = 2,
                                            .count = 1 << 24,
                                            .number_count = 3,
                                            .numbers = {1, 2, 4},
                                            .seconds = {150e-6, 140e-6, 170e-6}}};
    tune_group_times three = two[1];

    (void)state;
    document.device_count = 4;
    three.rows = 3;
    tune_group_add_steps(&document, two, 2);
    tune_group_add_steps(&document, &three, 1);
    assert_int_equal(document.step_count, 3);
    expect(0, 1, UINT64_C(1) << 22);
    expect(1, 2, UINT64_MAX);
    assert_int_equal(document.steps[1].rows, 2);
    assert_int_equal(document.steps[1].work, CLSCAN__WORK_SHARED);
    expect(2, 2, UINT64_MAX);
    assert_int_equal(document.steps[2].rows, 3);
}

/* What has no room is not there: then all devices count as the fastest. */
static void too_many_steps_are_left_out(void **state)
{
    tune_group_times times[] = {TIMES(20, 30, 130)};

    (void)state;
    for (uint32_t rows = 0; rows < CLSCAN__GROUP_MOST_STEPS + 2; ++rows) {
        times[0].rows = rows;
        tune_group_add_steps(&document, times, 1);
    }
    assert_int_equal(document.step_count, CLSCAN__GROUP_MOST_STEPS);
    expect(CLSCAN__GROUP_MOST_STEPS - 1, 1, UINT64_MAX);
    assert_int_equal(document.steps[CLSCAN__GROUP_MOST_STEPS - 1].rows, CLSCAN__GROUP_MOST_STEPS - 1);
}

/* Two devices of 3000 GB/s have a row each; or move 12 bytes of each element of both. */
static void the_model_of_shared_rows(void **state)
{
    (void)state;
    assert_float_equal(tune_group_shared_seconds(&document, 1, 2, 3000), 8e-9, 1e-15);
    assert_float_equal(tune_group_shared_seconds(&document, 2, 2, 3000), 12e-9, 1e-15);
    assert_float_equal(tune_group_shared_seconds(&document, 1, 3, 3000), 16e-9, 1e-15);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(more_devices_have_to_be_faster, set_up),
        cmocka_unit_test_setup(a_class_ends_between_sizes, set_up),
        cmocka_unit_test_setup(beyond_the_sizes_times_go_on, set_up),
        cmocka_unit_test_setup(devices_that_never_pay_stay_out, set_up),
        cmocka_unit_test_setup(works_stay_apart, set_up),
        cmocka_unit_test_setup(numbers_of_shared_rows_stay_apart, set_up),
        cmocka_unit_test_setup(too_many_steps_are_left_out, set_up),
        cmocka_unit_test_setup(the_model_of_shared_rows, set_up),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
