/* The file that is scanned: a .npy file, or raw elements. */
#ifndef CLSCAN_TOOLS_INPUT_FILE_H
#define CLSCAN_TOOLS_INPUT_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <sys/stat.h>

#include <clscan/clscan.h>

typedef struct input_file {
    const char *name;
    int descriptor; /* -1: not open */
    struct stat about;
    clscan_type type;
    uint64_t count;        /* elements */
    uint64_t data_bytes;   /* count times the element size */
    uint64_t offset_bytes; /* where the elements begin */
} input_file;

/* Does the name end in .npy? */
bool is_npy_name(const char *name);

/* Open `name`, learn what it holds and check that its length agrees.
 * `raw_type` is the element type of a raw file; CLSCAN_TYPE_COUNT for a .npy file. */
clscan_status input_file_open(input_file *file, const char *name, clscan_type raw_type, clscan_error *error);

/* Read `size_bytes` of the elements, beginning `at_bytes` after the first. */
clscan_status input_file_read(const input_file *file, uint64_t at_bytes, void *data, size_t size_bytes,
                              clscan_error *error);

void input_file_close(input_file *file);

#endif
