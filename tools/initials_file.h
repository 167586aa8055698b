/* The file of initial values, one for each row or segment. It is in memory, and on the device, as a whole. */
#ifndef CLSCAN_TOOLS_INITIALS_FILE_H
#define CLSCAN_TOOLS_INITIALS_FILE_H

#include <stdbool.h>
#include <stdint.h>

#include <clscan/clscan.h>

#include "input_file.h"
#include "target.h"
#include "used_files.h"

/* Begin with .in.descriptor = -1, and release always. */
typedef struct initials_file {
    input_file in;
    bool has_shape;        /* it is a .npy file */
    unsigned char *values; /* NULL: not loaded */
    cl_mem buffer;
} initials_file;

/* The file that an option names; NULL: not given. Is there no other initial value, and is it not standard input where
 * `in`, or the file of segments, is? */
clscan_status initials_name_check(const char *name, const char *initial, const char *in,
                                  const char *const segments[CLSCAN_SEGMENTS_BY_COUNT], clscan_error *error);

/* Open a .npy file, or raw bytes, of values of this type, or of records where `of` is not NULL. */
clscan_status initials_file_open(initials_file *file, const char *name, clscan_type type, const record *of,
                                 clscan_error *error);

/* Add it to what is read. */
void initials_file_use(const initials_file *file, used_files *files);

/* Has it one for each row of `elements` along the axis? `one_row`: all of them are one. */
clscan_status initials_file_check_rows(const initials_file *file, const input_file *elements, unsigned axis,
                                       bool one_row, clscan_error *error);

/* Has it one for each of so many segments of `elements`? */
clscan_status initials_file_check_segments(const initials_file *file, const input_file *elements, uint64_t segments,
                                           clscan_error *error);

/* Read it, and put it on the device. */
clscan_status initials_file_load(initials_file *file, const target *where, clscan_error *error);

/* As an argument of runs: its values from number `first` on. Where `file` is NULL: the value `initial`, or none if that
 * is NULL, too. */
clscan_memory initials_file_memory(const initials_file *file, uint64_t first, const void *initial);

/* In host memory: its value number `row`. Where `file` is NULL: `initial`, which may be NULL, too. */
const void *initials_file_value(const initials_file *file, uint64_t row, const void *initial);

void initials_file_release(initials_file *file);

#define HELP_INITIALS "an initial value for each row or segment, of the type of the sums: a .npy file, or raw bytes"

#endif
