/* Records and blobs of any bytes are told apart from sound ones, and what was written is found. */
#include <string.h>

#include "program/blob.h"
#include "program/record.h"
#include "targets.h"

static clscan__key key_of(char *text, size_t size_bytes)
{
    return (clscan__key){.text = text, .length_bytes = size_bytes};
}

static void read_record(const uint8_t *data, size_t size_bytes)
{
    unsigned char header[CLSCAN__RECORD_HEADER_BYTES];
    clscan__record record;

    if (clscan__record_decode(data, size_bytes, &record) != NULL)
        return;
    FUZZ_CHECK(record.size_bytes <= size_bytes && record.key == (const char *)data + sizeof header &&
               record.binary + record.binary_bytes == data + record.size_bytes);
    clscan__record_header(record.key, record.key_bytes, record.binary, record.binary_bytes, header);
    /* Bytes 12 to 15 are 0 when they are written, and what they are when they are read. */
    FUZZ_CHECK(memcmp(header, data, 12) == 0 && memcmp(header + 16, data + 16, 16) == 0);
}

/* Two programs whose keys and binaries are parts of the data. */
static void write_blob(const uint8_t *data, size_t size_bytes)
{
    const size_t key_bytes = size_bytes > 0 ? data[0] % size_bytes : 0;
    char *text = fuzz_text(data, size_bytes);
    char other_text[UINT8_MAX + 1] = {0}; /* longer than any of the others */
    const clscan__key key = key_of(text, key_bytes), other = key_of(other_text, sizeof other_text);
    clscan__text blob = {0};
    clscan__record record;

    clscan__blob_begin(&blob, 2);
    clscan__blob_append(&blob, &other, data, size_bytes);
    clscan__blob_append(&blob, &key, data + key_bytes, size_bytes - key_bytes);
    FUZZ_CHECK(!blob.failed);
    FUZZ_CHECK(clscan__blob_find(blob.data, blob.length_bytes, &key, &record));
    FUZZ_CHECK(record.binary_bytes == size_bytes - key_bytes &&
               memcmp(record.binary, data + key_bytes, record.binary_bytes) == 0);
    /* Any byte that changes is noticed, but for those after the records that are looked for. */
    blob.data[CLSCAN__BLOB_HEADER_BYTES + key_bytes % (blob.length_bytes - CLSCAN__BLOB_HEADER_BYTES)] ^= 1;
    FUZZ_CHECK(!clscan__blob_find(blob.data, blob.length_bytes, &key, &record));
    clscan__text_free(&blob);
    free(text);
}

void fuzz_record(const uint8_t *data, size_t size_bytes)
{
    char name[] = "k";
    const clscan__key key = key_of(name, 1);
    clscan__record record;

    read_record(data, size_bytes);
    if (clscan__blob_find(data, size_bytes, &key, &record))
        FUZZ_CHECK(record.key_bytes == 1 && record.key[0] == 'k');
    write_blob(data, size_bytes);
}

/* A record, or a blob of one, with a right checksum: three of four times. */
size_t fuzz_record_mend(uint8_t *data, size_t size_bytes, size_t capacity_bytes, unsigned seed)
{
    const size_t at = seed % 2 * CLSCAN__BLOB_HEADER_BYTES;
    const size_t begin = at + CLSCAN__RECORD_HEADER_BYTES;

    (void)capacity_bytes;
    if (seed / 2 % 4 == 0 || size_bytes < begin)
        return size_bytes;
    const size_t key_bytes = size_bytes > begin ? seed / 8 % (size_bytes - begin) : 0;
    if (at > 0) {
        clscan__text blob = {0};
        clscan__blob_begin(&blob, 1 + seed / 16 % 2);
        memcpy(data, blob.data, CLSCAN__BLOB_HEADER_BYTES);
        clscan__text_free(&blob);
    }
    clscan__record_header((const char *)data + begin, key_bytes, data + begin + key_bytes,
                          size_bytes - begin - key_bytes, data + at);
    return size_bytes;
}
