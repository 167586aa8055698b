#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "device_facts.h"

#define LABEL_WIDTH 30
#define LINE_WIDTH 120

static bool stands_in_heading(const char *key)
{
    return strcmp(key, "index") == 0 || strcmp(key, "default") == 0 || strcmp(key, "name") == 0;
}

static void print_label(const char *key)
{
    char label[LABEL_WIDTH + 1];

    snprintf(label, sizeof label, "%s", key);
    for (char *at = strchr(label, '_'); at != NULL; at = strchr(at, '_'))
        *at = ' ';
    printf("    %-*s", LABEL_WIDTH, label);
}

static void print_bytes(uint64_t bytes)
{
    static const char *const units[] = {"bytes", "KiB", "MiB", "GiB", "TiB"};
    double scaled = (double)bytes;
    size_t unit = 0;

    for (; scaled >= 1024.0 && unit + 1 < sizeof units / sizeof units[0]; ++unit)
        scaled /= 1024.0;
    printf("%" PRIu64, bytes);
    if (unit > 0)
        printf(" (%.4g %s)", scaled, units[unit]);
}

/* Words after each other, in as many lines as it takes. */
static void print_words(const json_t *words)
{
    size_t column = 4 + LABEL_WIDTH;

    for (size_t i = 0; i < json_array_size(words); ++i) {
        const char *word = json_string_value(json_array_get(words, i));

        if (i > 0 && column + 1 + strlen(word) > LINE_WIDTH) {
            printf("\n%*s", 4 + LABEL_WIDTH, "");
            column = 4 + LABEL_WIDTH;
        } else if (i > 0) {
            putchar(' ');
            ++column;
        }
        fputs(word, stdout);
        column += strlen(word);
    }
    if (json_array_size(words) == 0)
        fputs("none", stdout);
}

static void print_value(const char *key, const json_t *value)
{
    const char *unit = strrchr(key, '_');

    if (json_is_integer(value) && unit != NULL && strcmp(unit, "_bytes") == 0)
        print_bytes((uint64_t)json_integer_value(value));
    else if (json_is_integer(value))
        printf("%" JSON_INTEGER_FORMAT, json_integer_value(value));
    else if (json_is_boolean(value))
        fputs(json_is_true(value) ? "yes" : "no", stdout);
    else if (json_is_string(value))
        fputs(json_string_value(value), stdout);
    else if (json_is_array(value))
        print_words(value);
    else
        fputs("unknown", stdout);
    putchar('\n');
}

/* One line for each config. */
static void print_configs(const char *key, const json_t *configs)
{
    for (size_t i = 0; i < json_array_size(configs); ++i) {
        const json_t *config = json_array_get(configs, i);
        const char *matched = json_string_value(json_object_get(config, "matched"));

        print_label(i == 0 ? key : "");
        printf("%s%s%s%s\n", json_string_value(json_object_get(config, "source")), matched != NULL ? " (" : "",
               matched != NULL ? matched : "", matched != NULL ? ")" : "");
    }
}

void device_facts_print(json_t *object)
{
    const char *key;
    json_t *value;

    json_object_foreach(object, key, value)
    {
        if (stands_in_heading(key))
            continue;
        if (strcmp(key, "configs") == 0) {
            print_configs(key, value);
            continue;
        }
        print_label(key);
        print_value(key, value);
    }
}
