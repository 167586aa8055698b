/* Elements that ready-made operators of the library combine (clscan/ready.h), as files hold them. */
#ifndef CLSCAN_TOOLS_RECORD_H
#define CLSCAN_TOOLS_RECORD_H

#include <stdbool.h>
#include <stddef.h>

#include <clscan/clscan.h>

#include "npy.h"

#define RECORD_MOST_FIELDS 4

typedef struct record {
    clscan_ready ready;
    clscan_type fields[RECORD_MOST_FIELDS]; /* one after the other, without padding */
    unsigned field_count;
    size_t size_bytes;
    char descr[NPY_DESCR_BYTES]; /* as .npy headers write its type */
} record;

/* The record that --struct calls `text`: a record *value. */
clscan_status read_record(const char *text, void *value, clscan_error *error);

/* Has an array of this type the record's fields? Their names do not matter, nor whether integers have a sign. */
bool record_has(const record *r, const npy_header *header);

/* Read the fields' values, "1,0.5". `value` has CLSCAN_MOST_ELEMENT_BYTES. */
clscan_status record_parse_value(const record *r, const char *text, void *value, clscan_error *error);

#endif
