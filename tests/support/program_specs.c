#include "program_specs.h"
#include "problem_of.h"

#include <stdio.h>

#include "cmocka_all.h"
#include "config/variant.h"
#include "device/raw.h"
#include "device_fixture.h"

const carry_and_order carries_with_orders[CARRIES_WITH_ORDERS] = {
    {CLSCAN_CARRY_SINGLE, CLSCAN_ORDER_NONE},          {CLSCAN_CARRY_ADJACENT, CLSCAN_ORDER_DYNAMIC},
    {CLSCAN_CARRY_ADJACENT, CLSCAN_ORDER_STATIC},      {CLSCAN_CARRY_REDUCE_THEN_SCAN, CLSCAN_ORDER_NONE},
    {CLSCAN_CARRY_SCAN_THEN_ADD, CLSCAN_ORDER_NONE},   {CLSCAN_CARRY_ADJACENT, CLSCAN_ORDER_PERSISTENT},
    {CLSCAN_CARRY_LOOKAHEAD, CLSCAN_ORDER_PERSISTENT}, {CLSCAN_CARRY_ADJACENT, CLSCAN_ORDER_CYCLIC},
    {CLSCAN_CARRY_LOOKBACK, CLSCAN_ORDER_DYNAMIC},     {CLSCAN_CARRY_LOOKBACK, CLSCAN_ORDER_PERSISTENT},
    {CLSCAN_CARRY_ALL_TOTALS, CLSCAN_ORDER_DYNAMIC},   {CLSCAN_CARRY_REDUCE_THEN_COMBINE, CLSCAN_ORDER_NONE},
    {CLSCAN_CARRY_LAST_COMBINES, CLSCAN_ORDER_NONE},
};

clscan_device_info recorded_device(const char *name)
{
    clscan__device_raw raw;
    clscan_device_info info = {.struct_size = sizeof info};
    char path[512];

    snprintf(path, sizeof path, "%s/devices/%s.json", CLSCAN_FIXTURES, name);
    if (!device_fixture_load(path, &raw))
        fail_msg("cannot load %s", path);
    clscan__device_derive(&raw, &info);
    return info;
}

clscan_variant small_variant(clscan_body body, clscan_group_scan group_scan, clscan_carry carry, clscan_order order)
{
    clscan_variant variant = {.body = body,
                              .group_scan = group_scan,
                              .carry = carry,
                              .order = order,
                              .work_group_size = 64,
                              .vector_length = 4};

    if (clscan__variant_is_cached(&variant))
        variant.work_group_size = 1, variant.cached_pieces = 2, variant.interleaved_rows = 4;
    else
        variant.register_pieces = 2, variant.local_pieces = body == CLSCAN_BODY_SUBGROUP_ROWS ? 0 : 1;
    if (clscan__variant_is_transposed(&variant))
        variant.thread_group_size = 16;
    if (clscan_variant_needs(&variant, CLSCAN_PARAM_work_groups_per_unit))
        variant.work_groups_per_unit = 4;
    if (clscan_variant_needs(&variant, CLSCAN_PARAM_tiles_per_work_group))
        variant.tiles_per_work_group = 2;
    return variant;
}

bool is_legal_structure(const clscan_variant *variant)
{
    clscan_problem problem = *PROBLEM_OF(CLSCAN_INT32, CLSCAN_ADD);

    problem.operation = clscan__variant_reduces(variant) ? CLSCAN_REDUCE : CLSCAN_SCAN;
    return clscan_variant_check(variant, &problem, 0, NULL, NULL) == CLSCAN_OK;
}

clscan__program_spec small_spec(const clscan_device_info *device, clscan_variant variant)
{
    return (clscan__program_spec){.device = device,
                                  .type = CLSCAN_INT32,
                                  .op = CLSCAN_ADD,
                                  .form = CLSCAN_INCLUSIVE,
                                  .direction = CLSCAN_FORWARD,
                                  .variant = variant,
                                  .poll_limit = 1u << 18};
}

char *composed(const clscan__program_spec *spec)
{
    char *source = NULL;
    clscan_error error = {0};

    if (clscan__program_compose(spec, &source, &error) != CLSCAN_OK)
        fail_msg("%s", error.message);
    return source;
}
