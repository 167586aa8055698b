#include "explanation.h"

#include <inttypes.h>
#include <stdio.h>

#include "failure.h"
#include "json_output.h"

/* ---- The axes and parameters of a variant, in the order of their lists ---- */

/* Names of an axis' values. */
#define X(name, text, meaning) #text,
static const char *const body_names[] = {CLSCAN_BODY_LIST(X)};
static const char *const group_scan_names[] = {CLSCAN_GROUP_SCAN_LIST(X)};
static const char *const carry_names[] = {CLSCAN_CARRY_LIST(X)};
static const char *const order_names[] = {CLSCAN_ORDER_LIST(X)};
#undef X

typedef struct axis {
    const char *key;
    const char *const *names;
    size_t offset; /* in clscan_variant */
} axis;

static const axis axes[] = {
#define X(field, list) {#field, field##_names, offsetof(clscan_variant, field)},
    CLSCAN_AXIS_LIST(X)
#undef X
};
#define AXIS_COUNT (sizeof axes / sizeof axes[0])

typedef struct parameter {
    const char *key;
    uint32_t min;  /* below it the variant has no use for the parameter */
    size_t offset; /* in clscan_variant */
} parameter;

static const parameter parameters[] = {
#define X(name, min, max, steps, needed_by, meaning) {#name, min, offsetof(clscan_variant, name)},
    CLSCAN_PARAM_LIST(X)
#undef X
};
#define PARAMETER_COUNT (sizeof parameters / sizeof parameters[0])

static uint32_t field_of(const clscan_variant *variant, size_t offset)
{
    return *(const uint32_t *)((const char *)variant + offset);
}

static bool is_used(const parameter *of, const clscan_variant *variant)
{
    return field_of(variant, of->offset) >= of->min;
}

/* ---- What follows from a variant ---- */

typedef uint64_t size_function(const clscan_variant *variant, clscan_type type);

static uint64_t tile_count(const clscan_variant *variant, clscan_type type)
{
    (void)type;
    return clscan_variant_tile_count(variant);
}

static const struct {
    const char *key;
    size_function *of;
} sizes[] = {
    {"tile_count", tile_count},
    {"local_memory_bytes", clscan_variant_local_bytes},
    {"register_bytes", clscan_variant_register_bytes},
};
#define SIZE_COUNT (sizeof sizes / sizeof sizes[0])

/* ---- For people ---- */

static const char *form_name(clscan_form form)
{
    return form == CLSCAN_EXCLUSIVE ? "exclusive" : "inclusive";
}

static const char *direction_name(clscan_direction direction)
{
    return direction == CLSCAN_REVERSE ? "reverse" : "forward";
}

static void print_heading(const clscan_device_info *device, const explained_problem *problem)
{
    printf("%s (%s)\n", device->name, device->key);
    printf("  %-12s%s %s, %s, %s%s\n", "problem", clscan_type_name(problem->type), clscan_operator_name(problem->op),
           form_name(problem->form), direction_name(problem->direction), problem->in_place ? ", in place" : "");
}

static void print_variant(const clscan_variant *variant)
{
    char text[512];

    clscan_variant_format(variant, text, sizeof text);
    printf("  %-12s%s\n", "variant", text);
}

static void print_origin(const clscan_choice *choice)
{
    printf("  %-12s%s%s%s\n", "entry", choice->source, choice->entry[0] != '\0' ? "#" : "", choice->entry);
    printf("  %-12s%s\n", "matched", choice->matched[0] != '\0' ? choice->matched : "-");
    printf("  %-12s%s\n", "why", choice->reason);
}

void explanation_print_count(const clscan_device_info *device, const explained_problem *problem, uint64_t count,
                             const size_class *serves)
{
    const clscan_variant *variant = &serves->choice.variant;

    print_heading(device, problem);
    printf("  %-12s%" PRIu64 "\n", "count", count);
    print_variant(variant);
    printf("  %-12s%" PRIu64 " elements, %" PRIu64 " bytes of local memory, %" PRIu64 " of registers\n", "tile",
           clscan_variant_tile_count(variant), clscan_variant_local_bytes(variant, problem->type),
           clscan_variant_register_bytes(variant, problem->type));
    if (serves->last == UINT64_MAX)
        printf("  %-12scounts from %" PRIu64 "\n", "serves", serves->first);
    else
        printf("  %-12scounts from %" PRIu64 " to %" PRIu64 "\n", "serves", serves->first, serves->last);
    print_origin(&serves->choice);
    if (serves->choice.revision[0] != '\0')
        printf("  %-12s%s\n", "revision", serves->choice.revision);
}

#define LABEL_WIDTH 22
#define COLUMN_WIDTH 20
#define COLUMNS_PER_TABLE 4

static void print_label(const char *key)
{
    char label[LABEL_WIDTH];

    snprintf(label, sizeof label, "%s", key);
    for (char *at = label; *at != '\0'; ++at)
        *at = *at == '_' ? ' ' : *at;
    printf("  %-*s", LABEL_WIDTH, label);
}

/* Blanks before a cell rather than behind it leave none at the end of a line. */
static void print_cell(size_t column, const char *text)
{
    printf("%s%*s", column == 0 ? "" : "  ", COLUMN_WIDTH, text);
}

static void print_number(size_t column, uint64_t number)
{
    char text[24];

    snprintf(text, sizeof text, "%" PRIu64, number);
    print_cell(column, text);
}

static void print_limits(const size_class *classes, size_t count)
{
    print_label("first count");
    for (size_t i = 0; i < count; ++i)
        print_number(i, classes[i].first);
    putchar('\n');
    print_label("last count");
    for (size_t i = 0; i < count; ++i) {
        if (classes[i].last == UINT64_MAX)
            print_cell(i, "no limit");
        else
            print_number(i, classes[i].last);
    }
    putchar('\n');
}

static void print_columns(const explained_problem *problem, const size_class *classes, size_t count)
{
    putchar('\n');
    print_limits(classes, count);
    for (size_t k = 0; k < AXIS_COUNT; ++k) {
        print_label(axes[k].key);
        for (size_t i = 0; i < count; ++i)
            print_cell(i, axes[k].names[field_of(&classes[i].choice.variant, axes[k].offset)]);
        putchar('\n');
    }
    for (size_t k = 0; k < PARAMETER_COUNT; ++k) {
        print_label(parameters[k].key);
        for (size_t i = 0; i < count; ++i) {
            const clscan_variant *variant = &classes[i].choice.variant;

            if (is_used(&parameters[k], variant))
                print_number(i, field_of(variant, parameters[k].offset));
            else
                print_cell(i, "-");
        }
        putchar('\n');
    }
    for (size_t k = 0; k < SIZE_COUNT; ++k) {
        print_label(sizes[k].key);
        for (size_t i = 0; i < count; ++i)
            print_number(i, sizes[k].of(&classes[i].choice.variant, problem->type));
        putchar('\n');
    }
    print_label("entry");
    for (size_t i = 0; i < count; ++i)
        print_cell(i, classes[i].choice.entry[0] != '\0' ? classes[i].choice.entry : "-");
    putchar('\n');
}

void explanation_print_table(const clscan_device_info *device, const explained_problem *problem,
                             const size_class *classes, size_t class_count)
{
    print_heading(device, problem);
    for (size_t i = 0; i < class_count; i += COLUMNS_PER_TABLE) {
        const size_t left = class_count - i;

        print_columns(problem, &classes[i], left < COLUMNS_PER_TABLE ? left : COLUMNS_PER_TABLE);
    }
    for (size_t i = 0; i < class_count; ++i) {
        printf("\n  %-12sfrom %" PRIu64 "\n", "counts", classes[i].first);
        print_variant(&classes[i].choice.variant);
        print_origin(&classes[i].choice);
    }
}

/* ---- For programs ---- */

static clscan_status put_variant(json_t *into, const clscan_variant *variant, clscan_error *error)
{
    clscan_status status;
    json_t *object = json_object();

    TRY(json_put(into, "variant", object, error)); /* the other object's from here on */
    for (size_t i = 0; i < AXIS_COUNT; ++i)
        TRY(json_put(object, axes[i].key, json_text(axes[i].names[field_of(variant, axes[i].offset)]), error));
    for (size_t i = 0; i < PARAMETER_COUNT; ++i) {
        const parameter *p = &parameters[i];

        TRY(json_put(object, p->key, is_used(p, variant) ? json_integer(field_of(variant, p->offset)) : json_null(),
                     error));
    }

cleanup:
    return status;
}

static clscan_status add_class(json_t *array, const explained_problem *problem, const size_class *added,
                               clscan_error *error)
{
    clscan_status status;
    const clscan_choice *choice = &added->choice;
    json_t *object = json_object();

    TRY(json_add(array, object, error)); /* the array's from here on */
    TRY(json_put(object, "first_count", json_number(added->first, 0), error));
    TRY(json_put(object, "last_count", json_number(added->last, UINT64_MAX), error));
    TRY(put_variant(object, &choice->variant, error));
    for (size_t i = 0; i < SIZE_COUNT; ++i)
        TRY(json_put(object, sizes[i].key, json_integer((json_int_t)sizes[i].of(&choice->variant, problem->type)),
                     error));
    TRY(json_put(object, "source", json_text(choice->source), error));
    TRY(json_put(object, "entry", json_text(choice->entry), error));
    TRY(json_put(object, "matched", json_text(choice->matched), error));
    TRY(json_put(object, "reason", json_text(choice->reason), error));
    TRY(json_put(object, "revision", json_text(choice->revision), error));

cleanup:
    return status;
}

static clscan_status put_problem(json_t *root, const explained_problem *problem, clscan_error *error)
{
    clscan_status status;
    json_t *object = json_object();

    TRY(json_put(root, "problem", object, error)); /* the root's from here on */
    TRY(json_put(object, "type", json_text(clscan_type_name(problem->type)), error));
    TRY(json_put(object, "op", json_text(clscan_operator_name(problem->op)), error));
    TRY(json_put(object, "form", json_text(form_name(problem->form)), error));
    TRY(json_put(object, "direction", json_text(direction_name(problem->direction)), error));
    TRY(json_put(object, "in_place", json_boolean(problem->in_place), error));

cleanup:
    return status;
}

clscan_status explanation_print_json(const clscan_device_info *device, const explained_problem *problem,
                                     const uint64_t *count, const size_class *classes, size_t class_count,
                                     clscan_error *error)
{
    clscan_status status;
    json_t *root = json_object();
    json_t *array = json_array();

    TRY(json_put(root, "format", json_integer(JSON_FORMAT), error));
    TRY(json_put(root, "clscan", json_text(clscan_version()), error));
    TRY(json_put(root, "name", json_text(device->name), error));
    TRY(json_put(root, "key", json_text(device->key), error));
    TRY(put_problem(root, problem, error));
    TRY(json_put(root, "count", count != NULL ? json_number(*count, UINT64_MAX) : json_null(), error));
    for (size_t i = 0; i < class_count; ++i)
        TRY(add_class(array, problem, &classes[i], error));
    TRY(json_put(root, "size_classes", json_incref(array), error));
    TRY(json_print(root, error));

cleanup:
    json_decref(array);
    json_decref(root);
    return status;
}
