/* Elements of several fields (command_line/description.h), or vectors, as .npy files hold them. */
#ifndef CLSCAN_TOOLS_RECORD_H
#define CLSCAN_TOOLS_RECORD_H

#include <stdbool.h>

#include <clscan/clscan.h>

#include "command_line/description.h"
#include "npy.h"
#include "used_files.h"

typedef struct record {
    const element_description *type; /* NULL: none is given */
    const char *text;                /* what names it */
    char descr[NPY_DESCR_BYTES];     /* as .npy headers write its type */
    clscan_element vector;           /* of lanes; not one: lanes is 0 */
    clscan_operator op;              /* of a vector */
} record;

/* The record that --struct calls `text`: a record *value. Vectors, "int4", are records of that many fields. Not
 * thread-safe. */
clscan_status read_record(const char *text, void *value, clscan_error *error);

bool record_is_vector(const record *r);

/* Say how the lanes of a vector are combined; add if nobody does. Not thread-safe. */
clscan_status record_set_operator(record *r, clscan_operator op, clscan_error *error);

/* Has an array of this type the record's fields? Those of a file also have its names. Those of ready-made elements and
 * vectors are free, and so are the signs of their integers. */
bool record_has(const record *r, const npy_header *header);

/* Elements of so many bytes that are only moved; `source` stays as long. */
#define OPAQUE_SOURCE_BYTES 96
clscan_element record_opaque(size_t bytes, char source[OPAQUE_SOURCE_BYTES]);

/* The structs or complex numbers of a .npy file as OpenCL C declares them, for expressions: as type npy_row, and with a
 * function npy_rows_differ() of two of them. Fields have their names, or f0, f1, ... where OpenCL C, clscan or this
 * declaration, npy_*, has them for something else; f0_ where f0 is another field. */
typedef struct row_declaration {
    char source[4096]; /* "": there are no fields, or one is a half, which is in no struct everywhere */
    clscan_type fields[NPY_MAX_FIELDS];
    size_t offset_bytes[NPY_MAX_FIELDS];
    unsigned field_count;
    size_t size_bytes, align_bytes; /* alignment 1: the fields stand where C would not put them */
} row_declaration;
void record_declare_rows(const npy_header *header, row_declaration *rows);

/* As an element, which points into `rows`. */
clscan_element record_row(const row_declaration *rows);

/* Add its file, if it has one, to what is read. */
void record_use(const record *r, used_files *files);

/* A problem of such elements with their operator. Points into the record and its description. */
void record_ask(const record *r, clscan_problem *problem);

#endif
