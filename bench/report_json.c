#include "report_json.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "command_line/json_values.h"
#include "config_file/json.h"
#include "measure/case.h"

#define DATE_BYTES 32

/* Both take `value` over, which is NULL if there was no memory for it. */
static void put(bench_json *json, json_t *object, const char *key, json_t *value)
{
    json->good = json_object_set_new(object, key, value) == 0 && json->good;
}

static void append(bench_json *json, const char *list, json_t *value)
{
    json->good = json_array_append_new(json_object_get(json->root, list), value) == 0 && json->good;
}

static json_t *date_now(void)
{
    const time_t now = time(NULL);
    char date[DATE_BYTES];
    struct tm parts;

    if (gmtime_r(&now, &parts) == NULL || strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", &parts) == 0)
        return json_null();
    return json_string(date);
}

static json_t *of_value(const bench_value *value)
{
    switch (value->kind) {
    case BENCH_VALUE_TEXT:
    case BENCH_VALUE_WORD:
        return clscan__json_valid_text(value->text);
    case BENCH_VALUE_COUNT:
        return json_count(value->count);
    case BENCH_VALUE_TRUTH:
        return json_boolean(value->count != 0);
    case BENCH_VALUE_REAL:
        return json_real(value->real);
    default:
        return json_null();
    }
}

bool bench_json_open(const char *path, int argc, char **argv, bench_json *json, measure_note *note)
{
    *json = (bench_json){.path = path, .good = true};
    if (path == NULL)
        return true;
    json->root = json_object();
    put(json, json->root, "format", json_integer(BENCH_JSON_FORMAT));
    put(json, json->root, "clscan", json_string(clscan_version()));
    put(json, json->root, "date", date_now());
    put(json, json->root, "command", json_array());
    for (int i = 0; i < argc; ++i)
        append(json, "command", clscan__json_valid_text(argv[i]));
    put(json, json->root, "device", json_null());
    put(json, json->root, "rows", json_array());
    put(json, json->root, "skipped", json_array());
    return bench_json_write(json, note);
}

void bench_json_device(bench_json *json, const measure_device *device)
{
    const clscan_device_info *info = &device->info;
    json_t *object;

    if (json->path == NULL)
        return;
    object = json_object();
    put(json, object, "name", clscan__json_valid_text(info->name));
    put(json, object, "platform", clscan__json_valid_text(info->platform_name));
    put(json, object, "vendor", clscan__json_valid_text(info->vendor));
    put(json, object, "version", clscan__json_valid_text(info->device_version));
    put(json, object, "driver", clscan__json_valid_text(info->driver_version));
    put(json, object, "key", clscan__json_valid_text(info->key));
    put(json, object, "class", clscan__json_valid_text(clscan_device_class_name(info->device_class)));
    put(json, object, "mechanism", clscan__json_valid_text(clscan_mechanism_name(info->mechanism)));
    put(json, object, "compute_units", json_count(info->compute_units));
    put(json, object, "cache_bytes", json_count(device->cache_bytes));
    put(json, object, "global_memory_bytes", json_count(info->global_memory_bytes));
    put(json, json->root, "device", object);
}

void bench_json_row(bench_json *json, const bench_row *row)
{
    json_t *object;

    if (json->path == NULL)
        return;
    object = json_object();
    for (const bench_column *column = bench_columns; column->name != NULL; ++column) {
        const bench_value value = column->value(row);

        if (!column->of_run)
            put(json, object, column->name, of_value(&value));
    }
    append(json, "rows", object);
}

void bench_json_skipped(bench_json *json, const measure_problem *problem, const char *reason)
{
    json_t *object;

    if (json->path == NULL)
        return;
    object = json_object();
    put(json, object, "type", clscan__json_valid_text(measure_type_name(problem)));
    put(json, object, "op", clscan__json_valid_text(measure_operator_name(problem)));
    put(json, object, "count", json_count(problem->count));
    put(json, object, "reason", clscan__json_valid_text(reason));
    append(json, "skipped", object);
}

bool bench_json_write(const bench_json *json, measure_note *note)
{
    char *part;
    FILE *file = NULL;
    bool written = false;

    if (json->path == NULL)
        return true;
    if (!json->good)
        return measure_fail(note, "no memory for the JSON file");
    part = malloc(strlen(json->path) + sizeof ".part");
    if (part == NULL)
        return measure_fail(note, "no memory for the JSON file");
    strcat(strcpy(part, json->path), ".part");
    errno = 0;
    file = fopen(part, "w");
    if (file != NULL) {
        written = json_dumpf(json->root, file, JSON_INDENT(1) | JSON_REAL_PRECISION(12)) == 0;
        written = putc('\n', file) != EOF && written;
        written = fclose(file) == 0 && written;
        written = written && rename(part, json->path) == 0;
    }
    if (!written)
        measure_fail(note, "%.500s cannot be written: %s", json->path, strerror(errno != 0 ? errno : EIO));
    if (!written && file != NULL)
        remove(part);
    free(part);
    return written;
}

void bench_json_close(bench_json *json)
{
    json_decref(json->root);
    *json = (bench_json){0};
}
