#include "trial/fields.h"

#include <string.h>

#define VALUE_NAME(name, text, meaning) #text,
#define X(field, list) static const char *const field##_names[] = {CLSCAN_##list##_LIST(VALUE_NAME)};
CLSCAN_AXIS_LIST(X)
#undef X

const tune_axis tune_axes[TUNE_AXIS_COUNT] = {
#define X(field, list) {#field, field##_names, CLSCAN_##list##_COUNT, offsetof(clscan_variant, field)},
    CLSCAN_AXIS_LIST(X)
#undef X
};

const tune_param tune_params[CLSCAN_PARAM_COUNT] = {
#define X(name, min, max, steps, needed_by, meaning) \
    {#name, min, max, CLSCAN_STEPS_##steps, offsetof(clscan_variant, name)},
    CLSCAN_PARAM_LIST(X)
#undef X
};

uint32_t tune_field_get(const clscan_variant *variant, size_t offset_bytes)
{
    uint32_t value;

    memcpy(&value, (const char *)variant + offset_bytes, sizeof value);
    return value;
}

void tune_field_set(clscan_variant *variant, size_t offset_bytes, uint32_t value)
{
    memcpy((char *)variant + offset_bytes, &value, sizeof value);
}

bool tune_same_variant(const clscan_variant *a, const clscan_variant *b)
{
    return memcmp(a, b, sizeof *a) == 0;
}

bool tune_goes_ahead(const clscan_variant *variant)
{
    return variant->carry == CLSCAN_CARRY_LOOKAHEAD && variant->order == CLSCAN_ORDER_PERSISTENT;
}
