/* One compiled program as bytes, in a file of the cache or in a caller's blob:
 *
 *   0  8 bytes  "clscanPB"
 *   8  4        format version
 *  12  4        0
 *  16  8        length of the key
 *  24  8        length of the binary
 *  32  8        checksum of all other bytes
 *  40           the key, the binary
 *
 * Numbers are little-endian. */
#ifndef CLSCAN_PROGRAM_RECORD_H
#define CLSCAN_PROGRAM_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CLSCAN__RECORD_FORMAT 1u
#define CLSCAN__RECORD_MAGIC_BYTES 8u
#define CLSCAN__RECORD_HEADER_BYTES 40u

/* Points into the bytes that were decoded. */
typedef struct clscan__record {
    const char *key; /* not terminated */
    size_t key_bytes;
    const unsigned char *binary;
    size_t binary_bytes;
    size_t size_bytes; /* all of the record */
} clscan__record;

size_t clscan__record_size(size_t key_bytes, size_t binary_bytes);

/* Write the header of the record of this key and binary, which follow it. */
void clscan__record_header(const char *key, size_t key_bytes, const unsigned char *binary, size_t binary_bytes,
                           unsigned char header[CLSCAN__RECORD_HEADER_BYTES]);

/* Could a record begin with these bytes, however few? */
bool clscan__record_begins(const unsigned char *bytes, size_t available_bytes);

/* Read the record at the beginning of `bytes`. NULL if it is sound, else what is wrong with it (static). */
const char *clscan__record_decode(const unsigned char *bytes, size_t available_bytes, clscan__record *record);

#endif
