/* Programs of a plan as one block of bytes that the caller keeps: "clscanBL", format version and number of records
 * with 4 bytes each, little-endian, and the records (record.h). */
#ifndef CLSCAN_PROGRAM_BLOB_H
#define CLSCAN_PROGRAM_BLOB_H

#include <stdbool.h>

#include "base/text.h"
#include "program/key.h"
#include "program/record.h"

#define CLSCAN__BLOB_HEADER_BYTES 16u

/* Begin a blob of so many records, then append each. A failed allocation sticks to the text. */
void clscan__blob_begin(clscan__text *blob, size_t record_count);
void clscan__blob_append(clscan__text *blob, const clscan__key *key, const unsigned char *binary, size_t binary_bytes);

/* Find the record of a key. False if there is none, or if the blob is damaged before it, which is logged. */
bool clscan__blob_find(const void *blob, size_t blob_bytes, const clscan__key *key, clscan__record *record);

#endif
