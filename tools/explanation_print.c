#include <stdio.h>
#include <string.h>

#include "explanation.h"

#define LABEL_WIDTH 22
#define COLUMN_WIDTH 20
#define COLUMNS_PER_TABLE 4

/* A value as text, in `number` where it is one; `missing` stands for null. */
static const char *text_of(const json_t *value, char number[24], const char *missing)
{
    if (json_is_string(value))
        return json_string_value(value);
    if (json_is_real(value))
        snprintf(number, 24, "%.0f", json_real_value(value));
    else if (json_is_integer(value))
        snprintf(number, 24, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
    else
        return missing;
    return number;
}

static void print_field(const char *label, const json_t *object, const char *key)
{
    char number[24];

    printf("  %-12s%s\n", label, text_of(json_object_get(object, key), number, "-"));
}

static void print_heading(const json_t *root)
{
    const json_t *problem = json_object_get(root, "problem");
    static const char *const keys[] = {"type", "op", "form", "direction"};
    static const char *const before[] = {"", " ", ", ", ", "};
    const char *operation = json_string_value(json_object_get(problem, "operation"));
    const bool combines = strcmp(operation, "select") != 0 && strcmp(operation, "repeat") != 0;
    const bool converts = !json_equal(json_object_get(problem, "type"), json_object_get(problem, "output_type"));
    char number[24];

    printf("%s (%s)\n  %-12s", text_of(json_object_get(root, "name"), number, "-"),
           text_of(json_object_get(root, "key"), number, "-"), "problem");
    for (size_t i = 0; i < (combines ? sizeof keys / sizeof keys[0] : 1); ++i)
        printf("%s%s", before[i], text_of(json_object_get(problem, keys[i]), number, "-"));
    if (converts)
        printf(", to %s", text_of(json_object_get(problem, "output_type"), number, "-"));
    printf("%s%s", json_is_true(json_object_get(problem, "in_place")) ? ", in place" : "",
           json_is_true(json_object_get(problem, "reproducible")) ? ", reproducible" : "");
    printf("%s%s\n", strcmp(operation, "scan") != 0 ? ", operation " : "",
           strcmp(operation, "scan") != 0 ? operation : "");
}

static void print_serves(const json_t *of_class)
{
    char first[24];
    char last[24];
    const char *end = text_of(json_object_get(of_class, "last_count"), last, "");

    printf("  %-12sfrom %s%s%s\n", "counts", text_of(json_object_get(of_class, "first_count"), first, "-"),
           end[0] != '\0' ? " to " : "", end);
}

static void print_origin(const json_t *of_class)
{
    char number[24];
    const char *entry = text_of(json_object_get(of_class, "entry"), number, "");

    print_field("variant", of_class, "variant_text");
    printf("  %-12s%s%s%s\n", "entry", text_of(json_object_get(of_class, "source"), number, "-"),
           entry[0] != '\0' ? "#" : "", entry);
    print_field("matched", of_class, "matched");
    print_field("why", of_class, "reason");
    if (!json_is_null(json_object_get(of_class, "revision")))
        print_field("revision", of_class, "revision");
}

static void print_one(const json_t *root, const json_t *of_class)
{
    char tile[24];
    char local[24];
    char registers[24];
    const char *operation = json_string_value(json_object_get(json_object_get(root, "problem"), "operation"));

    print_field("count", root, "count");
    print_serves(of_class);
    /* Repetitions scan sums of blocks. */
    printf("  %-12s%s %s, %s bytes of local memory, %s of registers\n", "tile",
           text_of(json_object_get(of_class, "tile_count"), tile, "-"),
           strcmp(operation, "repeat") == 0 ? "sums of lengths" : "elements",
           text_of(json_object_get(of_class, "local_memory_bytes"), local, "-"),
           text_of(json_object_get(of_class, "register_bytes"), registers, "-"));
    print_origin(of_class);
}

/* One row: a value of each of the size classes from `first` on; of their variants if `of_variant`. */
static void print_row(const json_t *classes, size_t first, const char *key, bool of_variant, const char *missing)
{
    char label[LABEL_WIDTH];
    char number[24];

    snprintf(label, sizeof label, "%s", key);
    for (char *at = strchr(label, '_'); at != NULL; at = strchr(at, '_'))
        *at = ' ';
    printf("  %-*s", LABEL_WIDTH, label);
    for (size_t i = first; i < first + COLUMNS_PER_TABLE && i < json_array_size(classes); ++i) {
        const json_t *object = json_array_get(classes, i);

        if (of_variant)
            object = json_object_get(object, "variant");
        printf("%s%*s", i == first ? "" : "  ", COLUMN_WIDTH, text_of(json_object_get(object, key), number, missing));
    }
    putchar('\n');
}

static void print_table(const json_t *classes, size_t first)
{
    json_t *variant = json_object_get(json_array_get(classes, first), "variant");
    const char *key;
    json_t *value;

    putchar('\n');
    print_row(classes, first, "first_count", false, "-");
    print_row(classes, first, "last_count", false, "no limit");
    json_object_foreach(variant, key, value) print_row(classes, first, key, true, "-");
    print_row(classes, first, "tile_count", false, "-");
    print_row(classes, first, "local_memory_bytes", false, "-");
    print_row(classes, first, "register_bytes", false, "-");
    print_row(classes, first, "entry", false, "-");
}

void explanation_print(const json_t *object)
{
    const json_t *classes = json_object_get(object, "size_classes");
    const size_t class_count = json_array_size(classes);

    print_heading(object);
    if (!json_is_null(json_object_get(object, "count"))) {
        print_one(object, json_array_get(classes, 0));
        return;
    }
    for (size_t first = 0; first < class_count; first += COLUMNS_PER_TABLE)
        print_table(classes, first);
    for (size_t i = 0; i < class_count; ++i) {
        putchar('\n');
        print_serves(json_array_get(classes, i));
        print_origin(json_array_get(classes, i));
    }
}
