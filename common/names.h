/* Whose is a name in OpenCL C? */
#ifndef CLSCAN_COMMON_NAMES_H
#define CLSCAN_COMMON_NAMES_H

#include <stddef.h>

typedef enum clscan__name {
    CLSCAN__NAME_FREE,
    CLSCAN__NAME_NONE, /* no name at all */
    CLSCAN__NAME_OURS, /* begins with clscan or CLSCAN */
    CLSCAN__NAME_WORD, /* a word of the language: "kernel", "__local", "return" */
    CLSCAN__NAME_TYPE  /* one of its types: "int", "float4" */
} clscan__name;

/* Of the first `length_bytes` of a text. */
clscan__name clscan__name_of(const char *text, size_t length_bytes);

/* Bytes from here on that a name may have. */
size_t clscan__name_length(const char *text);

#endif
