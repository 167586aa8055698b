/* The file that is scanned: a .npy file, or raw elements; on disk, or a stream that is read once from its begin to
 * its end. */
#ifndef CLSCAN_TOOLS_INPUT_FILE_H
#define CLSCAN_TOOLS_INPUT_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <sys/stat.h>

#include <clscan/clscan.h>

#include "chunks.h"
#include "npy.h"
#include "progress.h"
#include "record.h"

/* What is done with elements: it says of which types those of a .npy file may be. */
typedef enum input_use {
    INPUT_SCANNED,  /* numbers, or with a record its structs */
    INPUT_MARKS,    /* numbers and booleans, which are uint8 */
    INPUT_COMPARED, /* and structs and complex numbers without a record */
    INPUT_MOVED     /* and any type that has a size */
} input_use;

typedef struct input_file {
    const char *name; /* for messages */
    int descriptor;   /* -1: not open */
    struct stat about;
    bool is_stream;       /* cannot be read twice, nor from its end */
    clscan_type type;     /* CLSCAN_TYPE_COUNT with a record */
    const record *record; /* NULL: elements are numbers */
    input_use use;
    const char *type_name;
    size_t element_bytes;
    char descr[NPY_DESCR_BYTES];        /* of what is no number, as .npy headers write it */
    const char *kind;                   /* "structs"; of what is no number, and has no record */
    char code[24];                      /* "<U3", of what is only moved */
    row_declaration rows;               /* of structs without a record */
    unsigned dimensions;                /* of a raw file 1 */
    uint64_t shape[NPY_MAX_DIMENSIONS]; /* in the order of memory, as of npy_header */
    bool fortran;                       /* as of npy_header */
    uint64_t count;                     /* elements; COUNT_UNKNOWN for a raw stream */
    uint64_t offset_bytes;              /* where the elements begin */
    uint64_t taken_bytes;               /* of a stream's elements, so far */
    char ahead[NPY_PREFIX_BYTES];       /* of a stream, what was read to see what it is, and comes next */
    size_t ahead_bytes;
} input_file;

/* Does the name end in .npy? */
bool is_npy_name(const char *name);

/* Standard input or output ("-"), what lies in /dev, or something that exists and is no regular file: names that do
 * not tell the format. */
bool is_stream_name(const char *name);

/* Does `name` need a type of raw elements, and is it given? `has_type` if something else says it. */
clscan_status input_file_check_type(const char *name, clscan_type raw_type, bool has_type, clscan_error *error);

/* Open `name` ("-": standard input), learn what it holds, and check its length where it is known.
 * `raw_type` is the element type of raw elements; CLSCAN_TYPE_COUNT: it is in .npy format, or with a record that is not
 * NULL and a name that says so, raw elements of that, which do not begin as .npy files do. The record stays where it
 * is while the file is open. */
clscan_status input_file_open(input_file *file, const char *name, clscan_type raw_type, const record *of,
                              clscan_error *error);

/* Open what says something of other elements: flags, keys, lengths. Booleans, as NumPy's masks are, are uint8 there.
 * No array of several dimensions in Fortran order. Where neither `raw_type` nor the name tells the format, as that of a
 * pipe does not, the first bytes do: what does not begin as .npy files do is raw. */
clscan_status input_file_open_marks(input_file *file, const char *name, clscan_type raw_type, clscan_error *error);

/* Open what is only moved: elements of a .npy file may be of any type that has a size, which is CLSCAN_TYPE_COUNT if it
 * is none of clscan's, and uint8 if it is bool. No array of several dimensions in Fortran order. */
clscan_status input_file_open_moved(input_file *file, const char *name, clscan_type raw_type, clscan_error *error);

/* Fail if elements of one dimension behind the other, as they lie in memory, are not in NumPy's order. */
clscan_status input_file_check_order(const input_file *file, clscan_error *error);

/* Open keys, which are compared: numbers, booleans, structs and complex numbers, as input_file_open_moved() does. */
clscan_status input_file_open_keys(input_file *file, const char *name, clscan_error *error);

/* Read the number of one of the array's dimensions, to that in the order of memory; as with NumPy, -1 is the last one,
 * and a scalar has one. NULL: the last. */
clscan_status input_file_axis(const input_file *file, const char *text, unsigned *axis, clscan_error *error);

/* Of one sum of its elements: of the accumulator of `out`, or a record as they are. */
size_t input_file_sum_bytes(const input_file *file, clscan_type out);

/* What the file of its sums or outputs says of records; NULL: it says a type. */
const char *input_file_record_descr(const input_file *file);

/* What a file of the same elements says of those that are no numbers; NULL: it says a type. */
const char *input_file_descr(const input_file *file);

/* The shape of what there is one of for each row along the axis. Returns the number of dimensions. */
unsigned input_file_rows_shape(const input_file *file, unsigned axis, uint64_t shape[NPY_MAX_DIMENSIONS]);

/* Copy the rest of a stream to a temporary file without a name, and read that from now on: any place, known count. */
clscan_status input_file_spool(input_file *file, progress *shown, clscan_error *error);

/* Read `size_bytes` of the elements, beginning `at_bytes` after the first; a stream is read in order. Less is read
 * only at the end of a stream of unknown length. */
clscan_status input_file_read(input_file *file, uint64_t at_bytes, void *data, size_t size_bytes, size_t *read_bytes,
                              clscan_error *error);

/* Fail if a stream goes on after its last element. */
clscan_status input_file_expect_end(input_file *file, clscan_error *error);

void input_file_close(input_file *file);

#endif
