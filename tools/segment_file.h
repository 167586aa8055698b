/* The file that says where segments begin: flags, bits or keys, one for each element, or offsets. It stays on the
 * device as a whole. */
#ifndef CLSCAN_TOOLS_SEGMENT_FILE_H
#define CLSCAN_TOOLS_SEGMENT_FILE_H

#include <stdbool.h>
#include <stdint.h>

#include <clscan/clscan.h>

#include "input_file.h"
#include "target.h"
#include "used_files.h"

/* Begin with .in.descriptor = -1, and release always. */
typedef struct segment_file {
    input_file in; /* not open: there are no segments */
    clscan_segments segments;
    clscan_map equal;      /* of keys, if the segments have it */
    bool has_equal;        /* the user's, which the host does not know */
    clscan_element key;    /* of structs */
    cl_mem buffer;         /* NULL: not loaded, or the file is empty */
    uint64_t offset_count; /* 0: not by offsets */

    const input_file *elements; /* whose segments they are */
    bool in_order;              /* offsets bound segments; else they only cut, and stand in any order */
    uint64_t offsets_checked, latest_offset;
} segment_file;

/* The files that options name, by what they say; NULL: not given. Is one given at most, and not standard input while
 * `in` is, and an equality with keys only? */
clscan_status segment_names_check(const char *const names[CLSCAN_SEGMENTS_BY_COUNT], const char *equal, const char *in,
                                  clscan_error *error);

/* The given one; CLSCAN_SEGMENTS_BY_COUNT: none. */
clscan_segments_by segment_names_find(const char *const names[CLSCAN_SEGMENTS_BY_COUNT]);

/* For messages. */
#define SEGMENT_OPTION_NAMES "--segment-flags, --segment-bits, --segment-offsets and --keys"

#define SEGMENT_OPTIONS(names, equal)                                                                                  \
    {"segment-flags", "FILE", "begin anew at each element whose flag is not 0: a .npy file of integers, or raw bytes", \
     read_text, &(names)[CLSCAN_BY_FLAGS]},                                                                            \
        {"segment-bits", "FILE", "begin anew at each element whose bit is 1: a .npy file of integers, or raw bytes",   \
         read_text, &(names)[CLSCAN_BY_BITS]},                                                                         \
        {"segment-offsets", "FILE", "begin anew at these positions: a .npy file of integers of 4 or 8 bytes",          \
         read_text, &(names)[CLSCAN_BY_OFFSETS]},                                                                      \
        {"keys", "FILE", "begin anew where the key differs from the one before: a .npy file, a key for each element",  \
         read_text, &(names)[CLSCAN_BY_KEYS]},                                                                         \
    {                                                                                                                  \
        "equal", "EXPR", "keys are equal where this is not 0: OpenCL C of left and right, as left/10==right/10",       \
            read_text, &(equal)                                                                                        \
    }

/* Open a .npy file; flags and bits may be raw bytes, and keys structs or complex numbers. `equal` says when keys are
 * equal; NULL: nothing does. `file` stays where it is. */
clscan_status segment_file_open(segment_file *file, clscan_segments_by by, const char *name, const char *equal,
                                clscan_error *error);

/* What the file of keys that were found says of those that are no numbers; NULL: it says a type. */
const char *segment_file_key_descr(const segment_file *file);

/* Add it to what is read. */
void segment_file_use(const segment_file *file, used_files *files);

/* Does it fit the elements, whose number must be known? Offsets are to be looked at when they are read: are they
 * `in_order`, and of these elements? `elements` stays where it is. */
clscan_status segment_file_check(segment_file *file, const input_file *elements, bool in_order, clscan_error *error);

/* The next `count` offsets. Fails with the first one that is negative, or beyond the elements, or below the one before
 * where they are to be in order. */
clscan_status segment_file_check_offsets(segment_file *file, const void *offsets, uint64_t count, clscan_error *error);

/* One of them; a negative one becomes a large one. */
uint64_t segment_file_offset(const segment_file *file, const void *offsets, uint64_t i);

/* How many segments its offsets bound, once it is loaded. */
uint64_t segment_file_bounded(const segment_file *file);

/* All elements of an open file of known length, to the begin of a buffer; the file ends there. */
clscan_status input_file_upload(input_file *in, const target *where, cl_mem buffer, clscan_error *error);

/* Put it on the device. */
clscan_status segment_file_load(segment_file *file, const target *where, clscan_error *error);

void segment_file_release(segment_file *file);

#endif
