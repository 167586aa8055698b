/* The axes and parameters of a variant as tables, made from the lists in <clscan/variant.h>, and which of them a variant
 * uses. */
#ifndef CLSCAN_CONFIG_FILE_AXES_H
#define CLSCAN_CONFIG_FILE_AXES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <clscan/variant.h>

/* Positions in clscan__axes: CLSCAN__AXIS_BODY, ... */
#define X(field, list) CLSCAN__AXIS_##list,
typedef enum clscan__axis_id { CLSCAN_AXIS_LIST(X) CLSCAN__AXIS_COUNT } clscan__axis_id;
#undef X

typedef struct clscan__axis {
    const char *name;          /* field, JSON key and tool name */
    const char *const *values; /* names of the enum's values */
    uint32_t value_count;
    size_t offset_bytes; /* of the field in clscan_variant */
} clscan__axis;

/* Which variants use a parameter. */
typedef enum clscan__need {
    CLSCAN__NEED_ALWAYS,
    CLSCAN__NEED_ON_CHIP_BODY,    /* bodies that keep a tile in registers and local memory */
    CLSCAN__NEED_CACHED_BODY,     /* bodies that leave it in a cache */
    CLSCAN__NEED_TRANSPOSED_BODY, /* bodies that transpose pieces through local memory */
    CLSCAN__NEED_BOUNDED_LAUNCH,  /* carries and orders with a number of work-groups that does not grow */
    CLSCAN__NEED_CHAINED_CARRY,   /* carries in which each range waits for the one before it */
    CLSCAN__NEED_LANDING_BODY,    /* bodies and carries that can load the next tile ahead */
    CLSCAN__NEED_ORDERED_CARRY    /* carries that take tiles in an order, and wait */
} clscan__need;

typedef struct clscan__param {
    const char *name;
    const char *meaning;
    uint32_t min;
    uint32_t max;
    clscan_steps steps;
    clscan__need needed_by;
    size_t offset_bytes; /* of the field in clscan_variant */
} clscan__param;

extern const clscan__axis clscan__axes[CLSCAN__AXIS_COUNT];
extern const clscan__param clscan__params[CLSCAN_PARAM_COUNT]; /* by clscan_param */

uint32_t clscan__axis_get(const clscan__axis *axis, const clscan_variant *variant);
void clscan__axis_set(const clscan__axis *axis, clscan_variant *variant, uint32_t value);
/* Name of a value of an axis; "unknown" for other numbers. Static. */
const char *clscan__axis_value_name(const clscan__axis *axis, uint32_t value);
/* Value of that name, which need not be terminated. */
bool clscan__axis_value_from_name(const clscan__axis *axis, const char *name, size_t name_bytes, uint32_t *value);

uint32_t clscan__param_get(const clscan__param *param, const clscan_variant *variant);
void clscan__param_set(const clscan__param *param, clscan_variant *variant, uint32_t value);
/* Does the body or the carry of `variant` use `param`? */
bool clscan__param_needed(const clscan_variant *variant, const clscan__param *param);

/* Do they agree in all axes and parameters? */
bool clscan__variant_equal(const clscan_variant *left, const clscan_variant *right);

/* Does the body move pieces through local memory, so that neighbours load neighbouring elements? */
bool clscan__variant_is_transposed(const clscan_variant *variant);
/* Does the body leave its tile in a cache, not in registers and local memory? */
bool clscan__variant_is_cached(const clscan_variant *variant);
/* Does the carry launch a number of work-groups that does not grow with the count? */
bool clscan__variant_is_bounded(const clscan_variant *variant);
/* Does the carry take tiles in an order? */
bool clscan__variant_has_order(const clscan_variant *variant);
/* Does the carry give one value, and no outputs? */
bool clscan__variant_reduces(const clscan_variant *variant);
/* Do work-groups draw tickets from the word that they share, or may they? */
bool clscan__variant_draws(const clscan_variant *variant);
/* The axis on which it is a baseline; NULL if it is none. Baselines reproduce what papers compare with, or measure what
 * a choice costs. They serve plain problems only. The tuner tries them where it is asked to, and never chooses them. */
const clscan__axis *clscan__variant_baseline(const clscan_variant *variant);
/* Does the order launch a number of work-groups that does not grow with the count, each of which goes from range to
 * range? */
bool clscan__variant_is_persistent(const clscan_variant *variant);

#endif
