#include "element.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <generate.h>
#include <ready.h>
#include <reference.h>

#include "command_line/failure.h"
#include "data.h"

#define SEED 1u

/* ---- Which there are ---- */

static bool find_vector(const char *name, measure_element *found)
{
    for (int i = 0; i < CLSCAN_TYPE_COUNT; ++i)
        for (uint32_t count = 2; count <= 16; count *= 2) {
            const clscan_type type = (clscan_type)i;

            snprintf(found->name, sizeof found->name, "%s%u", element_cl_name(type), (unsigned)count);
            found->element = (clscan_element){.struct_size = sizeof found->element, .type = type, .lanes = count};
            found->size_bytes = clscan_element_size_bytes(&found->element);
            if (strcmp(found->name, name) == 0)
                return type != CLSCAN_HALF && found->size_bytes > 0 && found->size_bytes <= CLSCAN_MOST_ELEMENT_BYTES;
        }
    return false;
}

bool measure_element_find(const char *name, measure_element *found)
{
    clscan_ready ready;

    *found = (measure_element){.described = NULL};
    if (!clscan_ready_from_name(name, &ready))
        return find_vector(name, found);
    *found = measure_element_of(element_describe_ready(ready));
    return measure_element_is_on_host(found);
}

measure_element measure_element_of(const element_description *described)
{
    measure_element element = {.element = described->element,
                               .custom = described->custom,
                               .described = described,
                               .size_bytes = described->size_bytes};

    snprintf(element.name, sizeof element.name, "%s", described->name);
    return element;
}

clscan_status measure_element_read(const char *text, measure_element *found, clscan_error *error)
{
    const element_description *described;

    if (element_is_file_name(text)) {
        if (element_describe(text, &described, error) != CLSCAN_OK)
            return error->status;
        *found = measure_element_of(described);
        return CLSCAN_OK;
    }
    if (measure_element_find(text, found))
        return CLSCAN_OK;
    return fail(error, CLSCAN_ERROR_INVALID_VALUE,
                "'%s' is no vector, no ready-made element whose right answer the host knows, and no file, whose name "
                "ends in .json",
                text);
}

bool measure_element_has_doubles(const measure_element *element)
{
    return element->described != NULL ? element_has_doubles(element->described)
                                      : element->element.type == CLSCAN_DOUBLE;
}

static bool is_vector(const measure_problem *problem)
{
    return problem->element->described == NULL;
}

/* A ready-made element as the host combines it; NULL for others. */
static const clscan_ready_reals *reals_of(const measure_element *element)
{
    const clscan_ready ready = element->described != NULL ? element->described->ready : CLSCAN_READY_COUNT;

    return ready < CLSCAN_READY_COUNT ? clscan_ready_reals_of(ready) : NULL;
}

bool measure_element_is_on_host(const measure_element *element)
{
    return element->described == NULL || reals_of(element) != NULL;
}

/* ---- Inputs of ready-made elements ---- */

typedef void fill_fields(double *fields, uint64_t index, uint32_t random);

/* Factors of 1 and -1 and steps of -1 to 1: a walk at random. */
static void fill_affine(double *fields, uint64_t index, uint32_t random)
{
    (void)index;
    fields[0] = (random & 1) != 0 ? 1 : -1;
    fields[1] = (int)(random >> 8) % 3 - 1;
}

/* One of 1, i, ... */
static void fill_unit(double *fields, uint32_t random, unsigned units)
{
    for (unsigned i = 0; i < units; ++i)
        fields[i] = 0;
    fields[(random >> 8) % units] = (random & 1) != 0 ? 1 : -1;
}

static void fill_complex(double *fields, uint64_t index, uint32_t random)
{
    (void)index;
    fill_unit(fields, random, 2);
}

static void fill_quaternion(double *fields, uint64_t index, uint32_t random)
{
    (void)index;
    fill_unit(fields, random, 4);
}

/* Turns and mirrors. */
static void fill_matrix2(double *fields, uint64_t index, uint32_t random)
{
    const unsigned at = (random >> 8) % 2;

    (void)index;
    fields[at] = (random & 1) != 0 ? 1 : -1;
    fields[1 - at] = 0;
    fields[2 + at] = 0;
    fields[3 - at] = (random & 2) != 0 ? 1 : -1;
}

/* Extremes that move all the time, and slowly enough for a float. */
static void fill_min_max(double *fields, uint64_t index, uint32_t random)
{
    const double way = (double)(index >> 8);

    fields[0] = (double)(random >> 8 & 0xff) - way;
    fields[1] = (double)(random >> 16 & 0xff) + way;
}

static void fill_arg_min(double *fields, uint64_t index, uint32_t random)
{
    fields[0] = (double)(random >> 8 & 0xff) - (double)(index >> 8);
    fields[1] = (double)index;
}

static void fill_arg_max(double *fields, uint64_t index, uint32_t random)
{
    fields[0] = (double)(random >> 8 & 0xff) + (double)(index >> 8);
    fields[1] = (double)index;
}

static void fill_log_sum_exp(double *fields, uint64_t index, uint32_t random)
{
    (void)index;
    fields[0] = 0;
    fields[1] = (int)(random >> 8) % 3 - 1;
}

static fill_fields *const fills[CLSCAN_READY_COUNT] = {
    [CLSCAN_READY_AFFINE_FLOAT] = fill_affine,
    [CLSCAN_READY_AFFINE_DOUBLE] = fill_affine,
    [CLSCAN_READY_COMPLEX_FLOAT] = fill_complex,
    [CLSCAN_READY_COMPLEX_DOUBLE] = fill_complex,
    [CLSCAN_READY_MIN_MAX_INT32] = fill_min_max,
    [CLSCAN_READY_MIN_MAX_FLOAT] = fill_min_max,
    [CLSCAN_READY_MIN_MAX_DOUBLE] = fill_min_max,
    [CLSCAN_READY_ARG_MIN_FLOAT] = fill_arg_min,
    [CLSCAN_READY_ARG_MAX_FLOAT] = fill_arg_max,
    [CLSCAN_READY_ARG_MIN_DOUBLE] = fill_arg_min,
    [CLSCAN_READY_ARG_MAX_DOUBLE] = fill_arg_max,
    [CLSCAN_READY_MATRIX2_FLOAT] = fill_matrix2,
    [CLSCAN_READY_MATRIX2_DOUBLE] = fill_matrix2,
    [CLSCAN_READY_LOG_SUM_EXP_FLOAT] = fill_log_sum_exp,
    [CLSCAN_READY_LOG_SUM_EXP_DOUBLE] = fill_log_sum_exp,
    [CLSCAN_READY_QUATERNION_FLOAT] = fill_quaternion,
    [CLSCAN_READY_QUATERNION_DOUBLE] = fill_quaternion,
};

/* ---- Inputs of elements from files ---- */

/* From 0 to less than 1. */
static double fraction_of(uint64_t bits)
{
    return (double)(bits >> 11) * 0x1p-53;
}

/* A number of the field's range. Where both ends are whole, so are all. */
static double sample_of(const element_field *field, uint64_t bits)
{
    const double fraction = fraction_of(bits);

    if (field->least == floor(field->least) && field->greatest == floor(field->greatest))
        return field->least + floor(fraction * (field->greatest - field->least + 1));
    return field->least + fraction * (field->greatest - field->least);
}

static void fill_described(const element_description *described, unsigned char *element, uint64_t index)
{
    memset(element, 0, described->size_bytes);
    for (unsigned i = 0; i < described->field_count; ++i) {
        const element_field *field = &described->fields[i];
        const double sample = sample_of(field, clscan_generate_bits(SEED + i, index));
        clscan_value value = {.bits = 0};

        if (field->type == CLSCAN_FLOAT)
            value.float32 = (float)sample;
        else if (field->type == CLSCAN_DOUBLE)
            value.float64 = sample;
        else
            value = clscan_value_from_int(field->type, (int64_t)sample);
        clscan_value_store(field->type, value, element + field->offset_bytes);
    }
}

/* ---- Inputs ---- */

/* Vectors are filled as their lanes one after the other. */
static measure_problem lanes_of(const measure_problem *problem)
{
    measure_problem lanes = *problem;

    lanes.element = NULL;
    lanes.type = problem->element->element.type;
    lanes.count = problem->count * problem->element->element.lanes;
    return lanes;
}

void measure_element_generate(const measure_problem *problem, void *elements)
{
    const element_description *described = problem->element->described;
    const size_t size = problem->element->size_bytes;
    unsigned char *at = elements;
    double fields[CLSCAN_READY_MOST_FIELDS];

    if (is_vector(problem)) {
        const measure_problem lanes = lanes_of(problem);

        measure_data_generate(&lanes, elements);
        return;
    }
    if (described->ready == CLSCAN_READY_COUNT) {
        for (uint64_t i = 0; i < problem->count; ++i, at += size)
            fill_described(described, at, i);
        return;
    }
    for (uint64_t i = 0; i < problem->count; ++i, at += size) {
        fills[described->ready](fields, i, (uint32_t)clscan_generate_bits(SEED, i));
        clscan_ready_store(reals_of(problem->element), at, fields);
    }
}

/* ---- Outputs ---- */

/* A sum, as the host combines it. */
typedef union sum {
    double fields[CLSCAN_READY_MOST_FIELDS];
    clscan_value lanes[16];
} sum;

static void load(const measure_problem *problem, const unsigned char *element, sum *loaded)
{
    const measure_element *of = problem->element;

    if (!is_vector(problem)) {
        clscan_ready_load(reals_of(of), element, loaded->fields);
        return;
    }
    for (uint32_t i = 0; i < of->element.lanes; ++i)
        loaded->lanes[i] = clscan_value_load(of->element.type, element + i * clscan_type_size_bytes(of->element.type));
}

static void store(const measure_problem *problem, const sum *of_what, unsigned char *element)
{
    const measure_element *of = problem->element;

    if (!is_vector(problem)) {
        clscan_ready_store(reals_of(of), element, of_what->fields);
        return;
    }
    for (uint32_t i = 0; i < of->element.lanes; ++i)
        clscan_value_store(of->element.type, of_what->lanes[i], element + i * clscan_type_size_bytes(of->element.type));
}

static sum combine(const measure_problem *problem, const sum *left, const sum *right)
{
    const clscan_reference what = {.type = problem->element->element.type, .op = problem->op};
    sum both;

    if (!is_vector(problem)) {
        reals_of(problem->element)->combine(left->fields, right->fields, both.fields);
        return both;
    }
    for (uint32_t i = 0; i < problem->element->element.lanes; ++i)
        both.lanes[i] = clscan_reference_operator(&what)(left->lanes[i], right->lanes[i]);
    return both;
}

/* What an exclusive scan has first; of ready-made elements nothing that is looked at. */
static sum first_of(const measure_problem *problem)
{
    const clscan_reference what = {.type = problem->element->element.type, .op = problem->op};
    clscan_value identity;
    sum first = {{0}};

    if (is_vector(problem) && clscan_reference_identity(&what, &identity))
        for (uint32_t i = 0; i < problem->element->element.lanes; ++i)
            first.lanes[i] = identity;
    return first;
}

static uint64_t in_memory(const measure_problem *problem, uint64_t k)
{
    return problem->direction == CLSCAN_FORWARD ? k : problem->count - 1 - k;
}

void measure_element_scan(const measure_problem *problem, void *data)
{
    const size_t size = problem->element->size_bytes;
    const bool forward = problem->direction == CLSCAN_FORWARD;
    const sum first = first_of(problem);
    unsigned char *elements = data;
    sum before = {{0}}, element, after;

    for (uint64_t k = 0; k < problem->count; ++k) {
        unsigned char *at = elements + in_memory(problem, k) * size;

        load(problem, at, &element);
        after = k == 0 ? element : forward ? combine(problem, &before, &element) : combine(problem, &element, &before);
        store(problem, problem->form == CLSCAN_INCLUSIVE ? &after : k == 0 ? &first : &before, at);
        before = after;
    }
}

void measure_element_scale(const measure_element *element, const void *results, uint64_t count, element_scale *scale)
{
    const element_description *described = element->described;

    *scale = (element_scale){{0}};
    for (unsigned i = 0; i < described->field_count; ++i)
        scale->fields[i] = fmax(fabs(described->fields[i].least), fabs(described->fields[i].greatest));
    for (uint64_t i = 0; i < count; ++i) {
        element_scale one = {{0}};

        element_widen(described, (const unsigned char *)results + i * element->size_bytes, &one);
        for (unsigned j = 0; j < described->field_count; ++j)
            if (isfinite(one.fields[j]))
                scale->fields[j] = fmax(scale->fields[j], one.fields[j]);
    }
}

bool measure_element_same(const measure_problem *problem, const element_scale *scale, uint64_t index,
                          const void *expected, const void *got)
{
    const measure_element *of = problem->element;
    const size_t lane_bytes = is_vector(problem) ? clscan_type_size_bytes(of->element.type) : 0;
    double wanted[CLSCAN_READY_MOST_FIELDS] = {0}, seen[CLSCAN_READY_MOST_FIELDS] = {0};
    bool same = true;

    if (!measure_element_is_on_host(of)) {
        element_scale widened = *scale;

        element_widen(of->described, expected, &widened);
        return (problem->form == CLSCAN_EXCLUSIVE && index == in_memory(problem, 0)) ||
               element_same(of->described, expected, got, &widened);
    }
    if (!is_vector(problem)) {
        if (problem->form == CLSCAN_EXCLUSIVE && index == in_memory(problem, 0))
            return true;
        clscan_ready_load(reals_of(of), expected, wanted);
        clscan_ready_load(reals_of(of), got, seen);
        for (size_t i = 0; i < CLSCAN_READY_MOST_FIELDS; ++i)
            same = same && !(wanted[i] < seen[i]) && !(wanted[i] > seen[i]) && !isnan(seen[i]);
        return same;
    }
    for (uint32_t i = 0; i < of->element.lanes; ++i)
        same = same &&
               clscan_reference_same(of->element.type, problem->op, (const unsigned char *)expected + i * lane_bytes,
                                     (const unsigned char *)got + i * lane_bytes);
    return same;
}
