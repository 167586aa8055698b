/* The axes and parameters of a variant as tables, made from the lists in <clscan/variant.h>. */
#ifndef CLSCAN_TUNER_FIELDS_H
#define CLSCAN_TUNER_FIELDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <clscan/variant.h>

#define X(field, list) TUNE_AXIS_##field,
typedef enum tune_axis_id { CLSCAN_AXIS_LIST(X) TUNE_AXIS_COUNT } tune_axis_id;
#undef X

typedef struct tune_axis {
    const char *name;
    const char *const *values; /* names */
    uint32_t value_count;
    size_t offset_bytes; /* in clscan_variant */
} tune_axis;

typedef struct tune_param {
    const char *name;
    uint32_t min, max;
    clscan_steps steps;
    size_t offset_bytes; /* in clscan_variant */
} tune_param;

extern const tune_axis tune_axes[TUNE_AXIS_COUNT];
extern const tune_param tune_params[CLSCAN_PARAM_COUNT]; /* by clscan_param */

/* The field of an axis or a parameter, by its offset. */
uint32_t tune_field_get(const clscan_variant *variant, size_t offset_bytes);
void tune_field_set(clscan_variant *variant, size_t offset_bytes, uint32_t value);

/* Do they agree in all of them? */
bool tune_same_variant(const clscan_variant *a, const clscan_variant *b);

/* Lookahead whose work-groups stay to load the next tile while they wait for what precedes this one? */
bool tune_goes_ahead(const clscan_variant *variant);

#endif
