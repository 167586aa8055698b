/* Elements of several fields with their operators, as the programs take them: the library's ready-made ones by name
 * (clscan/ready.h), and those of users from a file (element_file.h). */
#ifndef CLSCAN_COMMAND_LINE_DESCRIPTION_H
#define CLSCAN_COMMAND_LINE_DESCRIPTION_H

#include <stdbool.h>
#include <stddef.h>

#include <jansson.h>

#include <clscan/clscan.h>

#define ELEMENT_MOST_FIELDS 16u
#define ELEMENT_NAME_BYTES 32u /* of a type or a field, with its terminator */

typedef struct element_field {
    char name[ELEMENT_NAME_BYTES]; /* "": the element is a scalar, which has no fields */
    clscan_type type;
    size_t offset_bytes;
    double least, greatest; /* of sample inputs; both 0 for ready-made elements, whose samples are their own */
    double tolerance;       /* of floating-point fields, see element_same() */
} element_field;

/* Lives as long as the process: copies of `element` and `custom` point to its strings. */
typedef struct element_description {
    char name[ELEMENT_NAME_BYTES];
    clscan_ready ready; /* CLSCAN_READY_COUNT: it is from a file */
    clscan_element element;
    clscan_custom_operator custom;
    element_field fields[ELEMENT_MOST_FIELDS]; /* in the order of memory */
    unsigned field_count;
    size_t size_bytes;
    json_t *document; /* what the file says; NULL for ready-made elements */
} element_description;

/* The element that `text` names: a file if it has a '/' or ends in ".json", else a ready-made one. Not thread-safe, nor
 * are the two below. */
clscan_status element_describe(const char *text, const element_description **found, clscan_error *error);

/* Does such a text name a file? */
bool element_is_file_name(const char *text);

/* The description of a ready-made element. */
const element_description *element_describe_ready(clscan_ready ready);

/* What OpenCL C calls a scalar type, "int". Static. */
const char *element_cl_name(clscan_type type);

/* Append a field behind the others, where the layout of C puts it, and let the size follow. There must be room. */
void element_add_field(element_description *description, const char *name, clscan_type type);

/* Has a field doubles? */
bool element_has_doubles(const element_description *description);

/* Read the fields' values, "1,0.5", to an element; its padding becomes 0. */
clscan_status element_parse(const element_description *description, const char *text, void *element,
                            clscan_error *error);

/* Largest magnitudes of the fields, as far as they are floating-point numbers. */
typedef struct element_scale {
    double fields[ELEMENT_MOST_FIELDS];
} element_scale;

/* Make a scale include the fields of `element`. NaNs do not count. */
void element_widen(const element_description *description, const void *element, element_scale *scale);

/* Do two elements agree? Integers must be equal, and a NaN agrees with any other. Other floating-point numbers may
 * differ by the field's tolerance times its scale, since their last bits depend on how operands are grouped. Padding is
 * not looked at. */
bool element_same(const element_description *description, const void *expected, const void *got,
                  const element_scale *scale);

/* "-5". */
void element_print_integer(clscan_type type, const void *value, char *text, size_t size_bytes);

/* "{a: 1, b: 0.5}" for messages, as far as there is room. */
void element_print(const element_description *description, const void *element, char *text, size_t size_bytes);

#endif
