#include "program/record.h"

#include <string.h>

#include "base/hash.h"

#define MAGIC "clscanPB"

enum { FORMAT_AT = 8, KEY_BYTES_AT = 16, BINARY_BYTES_AT = 24, CHECKSUM_AT = 32 };

static void put(unsigned char *target, uint64_t value, size_t bytes)
{
    for (size_t i = 0; i < bytes; ++i)
        target[i] = (unsigned char)(value >> 8 * i);
}

static uint64_t get(const unsigned char *source, size_t bytes)
{
    uint64_t value = 0;

    for (size_t i = 0; i < bytes; ++i)
        value |= (uint64_t)source[i] << 8 * i;
    return value;
}

static uint64_t checksum(const unsigned char *header, const char *key, size_t key_bytes, const unsigned char *binary,
                         size_t binary_bytes)
{
    const uint64_t hash = clscan__hash(clscan__hash(CLSCAN__HASH_START, header, CHECKSUM_AT), key, key_bytes);

    return clscan__hash(hash, binary, binary_bytes);
}

size_t clscan__record_size(size_t key_bytes, size_t binary_bytes)
{
    return CLSCAN__RECORD_HEADER_BYTES + key_bytes + binary_bytes;
}

void clscan__record_header(const char *key, size_t key_bytes, const unsigned char *binary, size_t binary_bytes,
                           unsigned char header[CLSCAN__RECORD_HEADER_BYTES])
{
    memset(header, 0, CLSCAN__RECORD_HEADER_BYTES);
    memcpy(header, MAGIC, CLSCAN__RECORD_MAGIC_BYTES);
    put(header + FORMAT_AT, CLSCAN__RECORD_FORMAT, 4);
    put(header + KEY_BYTES_AT, key_bytes, 8);
    put(header + BINARY_BYTES_AT, binary_bytes, 8);
    put(header + CHECKSUM_AT, checksum(header, key, key_bytes, binary, binary_bytes), 8);
}

bool clscan__record_begins(const unsigned char *bytes, size_t available_bytes)
{
    const size_t compared_bytes =
        available_bytes < CLSCAN__RECORD_MAGIC_BYTES ? available_bytes : CLSCAN__RECORD_MAGIC_BYTES;

    return memcmp(bytes, MAGIC, compared_bytes) == 0;
}

const char *clscan__record_decode(const unsigned char *bytes, size_t available_bytes, clscan__record *record)
{
    uint64_t key_bytes, binary_bytes;

    if (available_bytes < CLSCAN__RECORD_HEADER_BYTES)
        return "it ends inside its header";
    if (!clscan__record_begins(bytes, available_bytes))
        return "it is no compiled program of clscan";
    if (get(bytes + FORMAT_AT, 4) != CLSCAN__RECORD_FORMAT)
        return "it has another format version";
    key_bytes = get(bytes + KEY_BYTES_AT, 8);
    binary_bytes = get(bytes + BINARY_BYTES_AT, 8);
    available_bytes -= CLSCAN__RECORD_HEADER_BYTES;
    if (key_bytes > available_bytes || binary_bytes > available_bytes - key_bytes)
        return "it is truncated";
    record->key = (const char *)bytes + CLSCAN__RECORD_HEADER_BYTES;
    record->key_bytes = (size_t)key_bytes;
    record->binary = bytes + CLSCAN__RECORD_HEADER_BYTES + key_bytes;
    record->binary_bytes = (size_t)binary_bytes;
    record->size_bytes = clscan__record_size(record->key_bytes, record->binary_bytes);
    if (get(bytes + CHECKSUM_AT, 8) !=
        checksum(bytes, record->key, record->key_bytes, record->binary, record->binary_bytes))
        return "its checksum is wrong";
    return NULL;
}
