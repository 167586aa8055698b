#include "program/key.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/text.h"

/* "TITLE LENGTH: VALUE": lengths keep the end of one part from being taken for the beginning of the next. */
static void append_part(clscan__text *text, const char *title, const char *value)
{
    clscan__text_append(text, "%s %zu: ", title, strlen(value));
    clscan__text_append_bytes(text, value, strlen(value));
    clscan__text_append(text, "\n");
}

clscan_status clscan__key_create(const clscan__key_parts *parts, clscan__key **key, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    clscan__text text = {0};
    clscan__key *made = calloc(1, sizeof *made);

    CLSCAN__REQUIRE(made != NULL, CLSCAN_ERROR_OUT_OF_MEMORY, "no memory for the key of a program");
    atomic_init(&made->references, 1);
#define X(name, title) append_part(&text, title, parts->name);
    CLSCAN__KEY_PART_LIST(X)
#undef X
    made->length_bytes = text.length_bytes;
    CLSCAN__TRY(clscan__text_take(&text, &made->text, error));
    made->hash = clscan__hash(CLSCAN__HASH_START, made->text, made->length_bytes);
    *key = made;
    made = NULL;

cleanup:
    clscan__key_release(made);
    return status;
}

clscan__key *clscan__key_retain(clscan__key *key)
{
    atomic_fetch_add(&key->references, 1);
    return key;
}

void clscan__key_release(clscan__key *key)
{
    if (key == NULL || atomic_fetch_sub(&key->references, 1) > 1)
        return;
    free(key->text);
    free(key);
}

bool clscan__key_equal(const clscan__key *left, const clscan__key *right)
{
    return left->hash == right->hash && left->length_bytes == right->length_bytes &&
           memcmp(left->text, right->text, left->length_bytes) == 0;
}

/* The value of a line that is "TITLE LENGTH: VALUE" with this title; NULL if it is another line. Titles may begin with
 * other titles. */
static const char *value_in_line(const char *line, const char *line_end, const char *title)
{
    const size_t title_bytes = strlen(title);
    const char *at;

    if ((size_t)(line_end - line) <= title_bytes || memcmp(line, title, title_bytes) != 0 || line[title_bytes] != ' ')
        return NULL;
    at = line + title_bytes + 1;
    while (at < line_end && *at >= '0' && *at <= '9')
        ++at;
    return line_end - at >= 2 && at[0] == ':' && at[1] == ' ' ? at + 2 : NULL;
}

void clscan__key_part(const char *text, size_t length_bytes, const char *title, char *value, size_t value_bytes)
{
    const char *end = text + length_bytes;

    value[0] = '\0';
    for (const char *line = text; line < end;) {
        const char *newline = memchr(line, '\n', (size_t)(end - line));
        const char *line_end = newline != NULL ? newline : end;
        const char *found = value_in_line(line, line_end, title);

        if (found != NULL) {
            snprintf(value, value_bytes, "%.*s", (int)(line_end - found), found);
            return;
        }
        line = line_end + 1;
    }
}

static clscan_status device_text(cl_device_id device, cl_device_info what, char **text, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    size_t size_bytes = 0;

    CLSCAN__TRY_CL(clGetDeviceInfo, (device, what, 0, NULL, &size_bytes));
    *text = calloc(1, size_bytes + 1);
    CLSCAN__REQUIRE(*text != NULL, CLSCAN_ERROR_OUT_OF_MEMORY, "no memory for a device's names");
    CLSCAN__TRY_CL(clGetDeviceInfo, (device, what, size_bytes, *text, NULL));

cleanup:
    return status;
}

static clscan_status platform_text(cl_platform_id platform, cl_platform_info what, char **text, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    size_t size_bytes = 0;

    CLSCAN__TRY_CL(clGetPlatformInfo, (platform, what, 0, NULL, &size_bytes));
    *text = calloc(1, size_bytes + 1);
    CLSCAN__REQUIRE(*text != NULL, CLSCAN_ERROR_OUT_OF_MEMORY, "no memory for a platform's names");
    CLSCAN__TRY_CL(clGetPlatformInfo, (platform, what, size_bytes, *text, NULL));

cleanup:
    return status;
}

clscan_status clscan__device_names_query(cl_device_id device, clscan__device_names *names, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    cl_platform_id platform = NULL;

    *names = (clscan__device_names){0};
    CLSCAN__TRY_CL(clGetDeviceInfo, (device, CL_DEVICE_PLATFORM, sizeof platform, &platform, NULL));
    CLSCAN__TRY(platform_text(platform, CL_PLATFORM_NAME, &names->platform_name, error));
    CLSCAN__TRY(platform_text(platform, CL_PLATFORM_VERSION, &names->platform_version, error));
    CLSCAN__TRY(device_text(device, CL_DEVICE_NAME, &names->device_name, error));
    CLSCAN__TRY(device_text(device, CL_DEVICE_VENDOR, &names->vendor, error));
    CLSCAN__TRY(device_text(device, CL_DEVICE_VERSION, &names->device_version, error));
    CLSCAN__TRY(device_text(device, CL_DRIVER_VERSION, &names->driver_version, error));

cleanup:
    return status;
}

void clscan__device_names_free(clscan__device_names *names)
{
    free(names->platform_name);
    free(names->platform_version);
    free(names->device_name);
    free(names->vendor);
    free(names->device_version);
    free(names->driver_version);
    *names = (clscan__device_names){0};
}
