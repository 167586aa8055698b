#include "program/blob.h"

#include <string.h>

#include "base/log.h"
#include "program/cache_settings.h"

#define MAGIC "clscanBL"
#define FORMAT 1u

enum { FORMAT_AT = 8, COUNT_AT = 12 };

static void put(unsigned char *target, uint32_t value)
{
    for (size_t i = 0; i < 4; ++i)
        target[i] = (unsigned char)(value >> 8 * i);
}

static uint32_t get(const unsigned char *source)
{
    return source[0] | (uint32_t)source[1] << 8 | (uint32_t)source[2] << 16 | (uint32_t)source[3] << 24;
}

void clscan__blob_begin(clscan__text *blob, size_t record_count)
{
    unsigned char header[CLSCAN__BLOB_HEADER_BYTES] = {0};

    memcpy(header, MAGIC, strlen(MAGIC));
    put(header + FORMAT_AT, FORMAT);
    put(header + COUNT_AT, (uint32_t)record_count);
    clscan__text_append_bytes(blob, (const char *)header, sizeof header);
}

void clscan__blob_append(clscan__text *blob, const clscan__key *key, const unsigned char *binary, size_t binary_bytes)
{
    unsigned char header[CLSCAN__RECORD_HEADER_BYTES];

    clscan__record_header(key->text, key->length_bytes, binary, binary_bytes, header);
    clscan__text_append_bytes(blob, (const char *)header, sizeof header);
    clscan__text_append_bytes(blob, key->text, key->length_bytes);
    clscan__text_append_bytes(blob, (const char *)binary, binary_bytes);
}

static const char *check_header(const unsigned char *bytes, size_t blob_bytes)
{
    if (blob_bytes < CLSCAN__BLOB_HEADER_BYTES)
        return "it ends inside its header";
    if (memcmp(bytes, MAGIC, strlen(MAGIC)) != 0)
        return "clscan_plan_save() did not make it";
    return get(bytes + FORMAT_AT) != FORMAT ? "it has another format version" : NULL;
}

/* NULL when it is decided whether the key is there. */
static const char *search(const unsigned char *bytes, size_t blob_bytes, const clscan__key *key, bool *found,
                          clscan__record *record)
{
    const char *why = check_header(bytes, blob_bytes);
    size_t at = CLSCAN__BLOB_HEADER_BYTES;

    for (uint32_t left = why == NULL ? get(bytes + COUNT_AT) : 0; left > 0; --left) {
        why = clscan__record_decode(bytes + at, blob_bytes - at, record);
        if (why != NULL)
            return why;
        *found = record->key_bytes == key->length_bytes && memcmp(record->key, key->text, key->length_bytes) == 0;
        if (*found)
            return NULL;
        at += record->size_bytes;
    }
    return why;
}

bool clscan__blob_find(const void *blob, size_t blob_bytes, const clscan__key *key, clscan__record *record)
{
    bool found = false;
    const char *why = search(blob, blob_bytes, key, &found, record);

    if (why != NULL) {
        clscan__cache_count(CLSCAN__COUNTER_rejected);
        clscan__log(CLSCAN_LOG_WARNING, "a plan's blob is not used: %s", why);
    } else if (!found) {
        clscan__log(CLSCAN_LOG_INFO, "a plan's blob lacks one of its programs, or is of another device or driver");
    }
    return found;
}
