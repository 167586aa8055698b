/* Variants whose carry cannot number all tiles of a count get another carry, and are legal then. */
#include <stdlib.h>
#include <string.h>

#include <clscan/clscan.h>

#include "cmocka_all.h"
#include "config/constraints.h"
#include "config/repair.h"
#include "parsed_variant.h"
#include "problem_of.h"
#include "program_specs.h"

static void expect_legal(const clscan_variant *variant, const clscan_problem *problem, int in_place,
                         const clscan_device_info *device)
{
    const clscan_variant repaired = clscan__variant_without_waiting(variant, problem, in_place, device);
    clscan__violation why = {.name = "none"};
    char before[512], after[512];

    clscan_variant_format(variant, before, sizeof before);
    clscan_variant_format(&repaired, after, sizeof after);
    if (repaired.carry != CLSCAN_CARRY_REDUCE_THEN_SCAN ||
        !clscan__variant_is_legal(&repaired, problem, in_place, device, &why))
        fail_msg("%s, %s: %s became %s (%s: %s)", device->key, clscan_type_name(problem->type), before, after, why.name,
                 why.reason);
}

/* What any config knows, on devices of all kinds, where the next tile lands in local memory too. */
static void every_shipped_entry_is_repaired(void **state)
{
    (void)state;
    enum { MOST = 512 };
    static const char *const devices[] = {"nvidia-h200", "nvidia-a100", "pocl-5.0-cpu", "amd-gfx90a"};
    static clscan_known_variant list[MOST];
    size_t repaired = 0, landing = 0;

    for (size_t d = 0; d < sizeof devices / sizeof devices[0]; ++d) {
        const clscan_device_info device = recorded_device(devices[d]);

        for (int type = 0; type < CLSCAN_TYPE_COUNT; ++type)
            for (int reproducible = 0; reproducible < 2; ++reproducible) {
                const clscan_problem problem = {
                    .struct_size = sizeof problem, .type = (clscan_type)type, .reproducible = reproducible};
                size_t count;

                assert_int_equal(clscan_config_list(NULL, &device, &problem, list, sizeof list[0], MOST, &count, NULL),
                                 CLSCAN_OK);
                for (size_t i = 0; i < count && i < MOST; ++i) {
                    expect_legal(&list[i].variant, &problem, 0, &device);
                    expect_legal(&list[i].variant, &problem, 1, &device);
                    landing += list[i].variant.landing_zones > 0;
                    ++repaired;
                }
            }
    }
    assert_true(repaired > 100);
    assert_true(landing > 0);
}

static void what_the_new_carry_does_not_use_goes(void **state)
{
    (void)state;
    const clscan_device_info device = recorded_device("nvidia-h200");
    const clscan_variant ahead = parsed_variant("subgroup_rows+subgroup+lookahead+persistent work_group_size=256 "
                                                "vector_length=4 register_pieces=8 local_pieces=0 "
                                                "work_groups_per_unit=2 poll_delay=16 landing_zones=1");
    const clscan_variant expected = parsed_variant("subgroup_rows+subgroup+reduce_then_scan work_group_size=256 "
                                                   "vector_length=4 register_pieces=8 local_pieces=0 "
                                                   "work_groups_per_unit=4");
    const clscan_variant repaired =
        clscan__variant_without_waiting(&ahead, PROBLEM_OF(CLSCAN_INT32, CLSCAN_ADD), 0, &device);

    assert_memory_equal(&repaired, &expected, sizeof expected);
}

/* Not on this device, whatever it was chosen for: then nothing of it stays. */
static void what_cannot_be_repaired_is_replaced(void **state)
{
    (void)state;
    clscan_device_info device = recorded_device("nvidia-h200");
    const clscan_variant wide = parsed_variant("strided+kogge_stone+adjacent+dynamic work_group_size=1024 "
                                               "vector_length=4 register_pieces=1 local_pieces=0 "
                                               "tiles_per_work_group=1 poll_delay=0");

    device.max_work_group_size = 256;
    expect_legal(&wide, PROBLEM_OF(CLSCAN_INT32, CLSCAN_ADD), 0, &device);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_shipped_entry_is_repaired),
        cmocka_unit_test(what_the_new_carry_does_not_use_goes),
        cmocka_unit_test(what_cannot_be_repaired_is_replaced),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
