#include "cache_rig.h"

#include "cmocka_all.h"
#include "temporary_folder.h"

const clscan_variant test_small = {
    .body = CLSCAN_BODY_STRIDED,
    .group_scan = CLSCAN_GROUP_SCAN_KOGGE_STONE,
    .carry = CLSCAN_CARRY_REDUCE_THEN_SCAN,
    .order = CLSCAN_ORDER_NONE,
    .work_group_size = 16,
    .vector_length = 2,
    .register_pieces = 1,
    .work_groups_per_unit = 4,
};
const clscan_plan_options test_plain = {.struct_size = sizeof test_plain, .variant = &test_small};
const clscan_problem test_sum = {
    .struct_size = sizeof test_sum, .type = CLSCAN_UINT32, .op = CLSCAN_ADD, .max_count = TEST_SUM_COUNT};

char *test_cache_folder;
static clscan_cache_counters before = {.struct_size = sizeof before};

void test_cache_set_mode(clscan_cache_mode mode)
{
    const clscan_cache_options options = {.struct_size = sizeof options, .mode = mode, .folder = test_cache_folder};

    assert_int_equal(clscan_cache_set(&options, NULL), CLSCAN_OK);
}

int test_cache_setup(void **state)
{
    (void)state;
    test_cache_folder = temporary_folder_create();
    test_cache_set_mode(CLSCAN_CACHE_ON);
    return clscan_cache_statistics(&before, NULL) != CLSCAN_OK;
}

int test_cache_teardown(void **state)
{
    (void)state;
    temporary_folder_remove(test_cache_folder);
    return clscan_cache_set(NULL, NULL) != CLSCAN_OK;
}

clscan_cache_counters test_cache_happened(void)
{
    clscan_cache_counters now = {.struct_size = sizeof now}, change = {.struct_size = sizeof change};

    assert_int_equal(clscan_cache_statistics(&now, NULL), CLSCAN_OK);
#define X(name, meaning) change.name = now.name - before.name;
    CLSCAN_CACHE_COUNTER_LIST(X)
#undef X
    before = now;
    return change;
}
