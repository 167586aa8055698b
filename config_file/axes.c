#include "config_file/axes.h"

#include <string.h>

#define VALUE_NAME(name, text, meaning) #text,
#define X(field, list) static const char *const field##_names[] = {CLSCAN_##list##_LIST(VALUE_NAME)};
CLSCAN_AXIS_LIST(X)
#undef X

const clscan__axis clscan__axes[CLSCAN__AXIS_COUNT] = {
#define X(field, list) {#field, field##_names, CLSCAN_##list##_COUNT, offsetof(clscan_variant, field)},
    CLSCAN_AXIS_LIST(X)
#undef X
};

const clscan__param clscan__params[CLSCAN_PARAM_COUNT] = {
#define X(name, min, max, steps, needed_by, meaning) \
    {#name, meaning, min, max, CLSCAN_STEPS_##steps, CLSCAN__NEED_##needed_by, offsetof(clscan_variant, name)},
    CLSCAN_PARAM_LIST(X)
#undef X
};

static uint32_t get_field(const clscan_variant *variant, size_t offset_bytes)
{
    uint32_t value;

    memcpy(&value, (const char *)variant + offset_bytes, sizeof value);
    return value;
}

static void set_field(clscan_variant *variant, size_t offset_bytes, uint32_t value)
{
    memcpy((char *)variant + offset_bytes, &value, sizeof value);
}

uint32_t clscan__axis_get(const clscan__axis *axis, const clscan_variant *variant)
{
    return get_field(variant, axis->offset_bytes);
}

void clscan__axis_set(const clscan__axis *axis, clscan_variant *variant, uint32_t value)
{
    set_field(variant, axis->offset_bytes, value);
}

const char *clscan__axis_value_name(const clscan__axis *axis, uint32_t value)
{
    return value < axis->value_count ? axis->values[value] : "unknown";
}

bool clscan__axis_value_from_name(const clscan__axis *axis, const char *name, size_t name_bytes, uint32_t *value)
{
    for (uint32_t i = 0; i < axis->value_count; ++i)
        if (strlen(axis->values[i]) == name_bytes && memcmp(axis->values[i], name, name_bytes) == 0) {
            *value = i;
            return true;
        }
    return false;
}

uint32_t clscan__param_get(const clscan__param *param, const clscan_variant *variant)
{
    return get_field(variant, param->offset_bytes);
}

void clscan__param_set(const clscan__param *param, clscan_variant *variant, uint32_t value)
{
    set_field(variant, param->offset_bytes, value);
}

bool clscan__variant_is_transposed(const clscan_variant *variant)
{
    return variant->body == CLSCAN_BODY_COALESCED || variant->body == CLSCAN_BODY_MATRIX;
}

bool clscan__variant_is_cached(const clscan_variant *variant)
{
    return variant->body == CLSCAN_BODY_CACHED_ROWS;
}

bool clscan__variant_is_bounded(const clscan_variant *variant)
{
    return variant->carry == CLSCAN_CARRY_REDUCE_THEN_SCAN || variant->carry == CLSCAN_CARRY_SCAN_THEN_ADD ||
           clscan__variant_reduces(variant);
}

bool clscan__variant_reduces(const clscan_variant *variant)
{
    return variant->carry == CLSCAN_CARRY_REDUCE_THEN_COMBINE || variant->carry == CLSCAN_CARRY_LAST_COMBINES;
}

bool clscan__variant_draws(const clscan_variant *variant)
{
    return clscan__variant_has_order(variant) || variant->carry == CLSCAN_CARRY_LAST_COMBINES;
}

bool clscan__variant_has_order(const clscan_variant *variant)
{
    return variant->carry == CLSCAN_CARRY_ADJACENT || variant->carry == CLSCAN_CARRY_LOOKBACK ||
           variant->carry == CLSCAN_CARRY_LOOKAHEAD || variant->carry == CLSCAN_CARRY_ALL_TOTALS;
}

const clscan__axis *clscan__variant_baseline(const clscan_variant *variant)
{
    if (variant->body == CLSCAN_BODY_MATRIX)
        return &clscan__axes[CLSCAN__AXIS_BODY];
    if (variant->carry == CLSCAN_CARRY_SCAN_THEN_ADD)
        return &clscan__axes[CLSCAN__AXIS_CARRY];
    return variant->order == CLSCAN_ORDER_STATIC ? &clscan__axes[CLSCAN__AXIS_ORDER] : NULL;
}

bool clscan__variant_is_persistent(const clscan_variant *variant)
{
    return variant->order == CLSCAN_ORDER_PERSISTENT || variant->order == CLSCAN_ORDER_CYCLIC;
}

bool clscan__variant_equal(const clscan_variant *left, const clscan_variant *right)
{
    return memcmp(left, right, sizeof *left) == 0;
}

bool clscan__param_needed(const clscan_variant *variant, const clscan__param *param)
{
    switch (param->needed_by) {
    case CLSCAN__NEED_ALWAYS:
        return true;
    case CLSCAN__NEED_ON_CHIP_BODY:
        return !clscan__variant_is_cached(variant);
    case CLSCAN__NEED_CACHED_BODY:
        return clscan__variant_is_cached(variant);
    case CLSCAN__NEED_TRANSPOSED_BODY:
        return clscan__variant_is_transposed(variant);
    case CLSCAN__NEED_BOUNDED_LAUNCH:
        return clscan__variant_is_bounded(variant) || clscan__variant_is_persistent(variant);
    case CLSCAN__NEED_CHAINED_CARRY:
        return variant->carry == CLSCAN_CARRY_ADJACENT;
    case CLSCAN__NEED_LANDING_BODY:
        return variant->body == CLSCAN_BODY_SUBGROUP_ROWS && variant->carry == CLSCAN_CARRY_LOOKAHEAD;
    case CLSCAN__NEED_ORDERED_CARRY:
        return clscan__variant_has_order(variant);
    }
    return false;
}
