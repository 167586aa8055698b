/* What the model says of lookahead on a large GPU, where measurements have shown which shapes are fast. */
#include "cmocka_all.h"
#include "parsed_variant.h"
#include "search/model.h"
#include "space/space.h"
#include "synthetic.h"

static clscan_error last_error;

/* As many units, and as much memory and bandwidth, as in the measurements. */
static tune_model model_of(const clscan_device_info *device, clscan_type type)
{
    const tune_target target = tune_target_of(type, CLSCAN_ADD);
    tune_model model;

    tune_model_init(&model, device, &target);
    tune_model_calibrate(&model, 4800, 507000, 2.0 * (1 << 30));
    return model;
}

static clscan_device_info large_gpu(void)
{
    clscan_device_info device = synthetic_gpu.info;

    device.compute_units = 132;
    device.nv_compute_capability = 90;
    device.mechanism = CLSCAN_MECHANISM_PTX;
    device.register_file_bytes = 262144;
    return device;
}

#define LOOKAHEAD(ws, vl, pieces, groups, zones)                                             \
    "subgroup_rows+subgroup+lookahead+persistent work_group_size=" #ws " vector_length=" #vl \
    " register_pieces=" #pieces " local_pieces=0 work_groups_per_unit=" #groups " poll_delay=0 landing_zones=" #zones

/* A shape's time over the least one of all lookahead, and how many are better. */
#define ONE_TILE(ws, vl, rp)                                                                                       \
    "subgroup_rows+subgroup+all_totals+dynamic work_group_size=" #ws " vector_length=" #vl " register_pieces=" #rp \
    " local_pieces=0 poll_delay=0"

typedef struct standing {
    double ratio;
    uint64_t better, legal;
} standing;

static standing standing_of(clscan_type type, const char *text, uint64_t count)
{
    const clscan_device_info device = large_gpu();
    const tune_model model = model_of(&device, type);
    const clscan_variant shape = parsed_variant(text);
    const double time_ns = tune_model_time_ns(&model, &shape, count);
    double least_ns = time_ns;
    standing result = {1, 0, 0};
    tune_space space;

    assert_int_equal(tune_space_create(&space, TUNE_SPACE_DEFAULT, "carry=lookahead,poll_delay=0",
                                       &(tune_target){.type = type}, &device, &last_error),
                     CLSCAN_OK);
    for (uint64_t i = 0; i < space.points; ++i) {
        clscan_variant other;
        double other_ns;

        tune_space_point(&space, i, &other);
        if (!tune_space_legal(&space, &other, NULL))
            continue;
        other_ns = tune_model_time_ns(&model, &other, count);
        ++result.legal;
        result.better += other_ns < time_ns;
        least_ns = other_ns < least_ns ? other_ns : least_ns;
    }
    tune_space_free(&space);
    result.ratio = time_ns / least_ns;
    return result;
}

static void measured_winners_rank_high(void **state)
{
    static const struct {
        clscan_type type;
        const char *shape;
        uint64_t count;
        double ratio;
        size_t share; /* one in so many shapes may be better */
    } winners[] = {
        {CLSCAN_INT32, LOOKAHEAD(384, 4, 7, 2, 1), UINT64_C(1) << 28, 1.02, 500},
        {CLSCAN_INT64, LOOKAHEAD(320, 2, 9, 2, 1), UINT64_C(1) << 27, 1.01, 500},
        {CLSCAN_INT32, ONE_TILE(512, 4, 2), UINT64_C(1) << 20, 1.05, 100}, /* many differ by less than its latency */
        {CLSCAN_INT32, LOOKAHEAD(256, 4, 8, 2, 0), UINT64_C(1) << 24, 1.07, 500}, /* the first without a landing zone */
    };

    (void)state;
    for (size_t i = 0; i < sizeof winners / sizeof winners[0]; ++i) {
        const standing s = standing_of(winners[i].type, winners[i].shape, winners[i].count);

        assert_true(s.legal > 10000);
        if (s.ratio > winners[i].ratio || s.better > s.legal / winners[i].share)
            fail_msg("%s: %.3f of the best, %d of %d are better", winners[i].shape, s.ratio, (int)s.better,
                     (int)s.legal);
    }
}

static double time_of(clscan_type type, const char *shape)
{
    const clscan_device_info device = large_gpu();
    const tune_model model = model_of(&device, type);
    const clscan_variant variant = parsed_variant(shape);

    return tune_model_time_ns(&model, &variant, UINT64_C(1) << 28);
}

static void work_groups_that_do_not_fit_lose_a_quarter(void **state)
{
    /* 256 work-items with two tiles of 8 vectors take 104 registers each: 2 such work-groups fit, 3 do not. */
    const double fits_ns = time_of(CLSCAN_INT32, LOOKAHEAD(256, 4, 8, 2, 0));

    (void)state;
    assert_true(time_of(CLSCAN_INT32, LOOKAHEAD(256, 4, 8, 4, 0)) > 1.25 * fits_ns);
    /* Nor does local memory hold so many landing zones, whatever there is in registers. */
    assert_true(time_of(CLSCAN_INT32, LOOKAHEAD(256, 4, 8, 4, 1)) > time_of(CLSCAN_INT32, LOOKAHEAD(256, 4, 8, 2, 1)));
    /* A work-item has no more than so many registers, even if it has the unit to itself. */
    assert_true(time_of(CLSCAN_INT32, LOOKAHEAD(64, 4, 64, 1, 0)) > 1.25 * fits_ns);
}

static void bytes_in_flight_are_worth_their_registers(void **state)
{
    const double times_ns[] = {
        time_of(CLSCAN_INT32, LOOKAHEAD(256, 4, 4, 2, 0)), time_of(CLSCAN_INT32, LOOKAHEAD(256, 4, 6, 2, 0)),
        time_of(CLSCAN_INT32, LOOKAHEAD(256, 4, 8, 2, 0)), time_of(CLSCAN_INT32, LOOKAHEAD(384, 4, 7, 2, 1))};
    /* What an NVIDIA H200 took for the first and the third. */
    const double few_ns = 700928, many_ns = 545728;

    (void)state;
    for (size_t i = 1; i < sizeof times_ns / sizeof times_ns[0]; ++i)
        assert_true(times_ns[i] < times_ns[i - 1]);
    assert_true(times_ns[0] / few_ns > 0.9 && times_ns[0] / few_ns < 1.1);
    assert_true(times_ns[2] / many_ns > 0.9 && times_ns[2] / many_ns < 1.1);
}

/* Neighbours read neighbouring vectors in subgroup_rows, however many rows there are. */
static void rows_of_sub_groups_are_read_at_full_speed(void **state)
{
    static const char rows[] = "subgroup_rows+subgroup+reduce_then_scan work_group_size=256 vector_length=4 "
                               "register_pieces=4 local_pieces=0 work_groups_per_unit=16";
    static const char own[] = "strided+subgroup+reduce_then_scan work_group_size=256 vector_length=4 "
                              "register_pieces=4 local_pieces=0 work_groups_per_unit=16";

    (void)state;
    assert_true(time_of(CLSCAN_INT32, own) > 1.5 * time_of(CLSCAN_INT32, rows));
}

/* Of short rows, neither tile nor length tells how much is in flight; and a long one that is a little more than a tile
 * takes two. */
static void rows_are_ranked_by_what_work_groups_hold(void **state)
{
    const clscan_device_info device = synthetic_new_gpu.info;
    const clscan_variant small = parsed_variant("subgroup_rows+subgroup+reduce_then_scan work_group_size=128 "
                                                "vector_length=4 register_pieces=4 local_pieces=0 "
                                                "work_groups_per_unit=4");
    tune_target target = tune_target_of_operation(CLSCAN__CONFIG_SCAN_ROWS, CLSCAN_INT32, CLSCAN_ADD);
    clscan_variant other = small;
    tune_model model;

    (void)state;
    tune_target_fill_device(&target, &device);
    tune_model_init(&model, &device, &target);
    assert_true(tune_model_time_ns(&model, &small, 16) < 1.1 * tune_model_time_ns(&model, &small, 1024));
    other.register_pieces = 8;
    assert_true(tune_model_time_ns(&model, &small, 1024) == tune_model_time_ns(&model, &other, 1024));
    assert_true(tune_model_time_ns(&model, &small, 1 << 16) != tune_model_time_ns(&model, &other, 1 << 16));
    /* Of all elements, whatever the length. */
    assert_true(tune_model_time_ns(&model, &small, 1 << 13) < 2 * tune_model_time_ns(&model, &small, 1 << 16));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(measured_winners_rank_high),
        cmocka_unit_test(work_groups_that_do_not_fit_lose_a_quarter),
        cmocka_unit_test(bytes_in_flight_are_worth_their_registers),
        cmocka_unit_test(rows_of_sub_groups_are_read_at_full_speed),
        cmocka_unit_test(rows_are_ranked_by_what_work_groups_hold),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
