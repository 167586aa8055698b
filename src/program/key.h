/* What a compiled program depends on, as one text. Two programs are interchangeable if their keys are equal. */
#ifndef CLSCAN_PROGRAM_KEY_H
#define CLSCAN_PROGRAM_KEY_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

/* In the order of the text; what is listed first is what `clscan cache list` shows of an entry. */
#define CLSCAN__KEY_PART_LIST(X)                                \
    X(device_name, "device")                                    \
    X(driver_version, "driver")                                 \
    X(program, "program") /* the problem and the variant */     \
    X(platform_name, "platform")                                \
    X(platform_version, "platform version")                     \
    X(vendor, "vendor")                                         \
    X(device_version, "device version")                         \
    X(library, "clscan")  /* version of the library */          \
    X(host, "host")       /* what the process is compiled as */ \
    X(options, "options") /* of the compiler */                 \
    X(source, "source")   /* rendered defines and kernel files */

typedef struct clscan__key_parts {
#define X(name, title) const char *name;
    CLSCAN__KEY_PART_LIST(X)
#undef X
} clscan__key_parts;

/* Immutable and counted: plans and the programs shared between them hold the same one. */
typedef struct clscan__key {
    atomic_uint references;
    uint64_t hash;
    size_t length_bytes;
    char *text;
} clscan__key;

/* No part may be NULL. The caller releases *key. */
clscan_status clscan__key_create(const clscan__key_parts *parts, clscan__key **key, clscan_error *error);
clscan__key *clscan__key_retain(clscan__key *key);
void clscan__key_release(clscan__key *key); /* NULL does nothing */
bool clscan__key_equal(const clscan__key *left, const clscan__key *right);

/* Copy one part, cut at `value_bytes`, from a key that may be anything; "" if it is not there. */
void clscan__key_part(const char *text, size_t length_bytes, const char *title, char *value, size_t value_bytes);

/* The parts of a key that one device gives to all its programs. */
typedef struct clscan__device_names {
    char *platform_name, *platform_version, *device_name, *vendor, *device_version, *driver_version;
} clscan__device_names;

/* Ask the driver, in full length. The caller frees with clscan__device_names_free(), also after a failure. */
clscan_status clscan__device_names_query(cl_device_id device, clscan__device_names *names, clscan_error *error);
void clscan__device_names_free(clscan__device_names *names);

#endif
