/* The fuzz targets: each reads bytes as one of clscan's parsers does, and checks that what was read survives being
 * written and read again. One list; a target is a file target_NAME.c. */
#ifndef CLSCAN_TESTS_FUZZ_TARGETS_H
#define CLSCAN_TESTS_FUZZ_TARGETS_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/*    name       what is read */
/* clang-format off */
#define FUZZ_TARGET_LIST(X)                                                \
    X(config,    "config files")                                           \
    X(element,   "files that describe elements")                           \
    X(group,     "configs of groups of devices")                           \
    X(journal,   "the tuner's journals")                                   \
    X(key,       "keys of the program cache")                              \
    X(npy,       ".npy headers")                                           \
    X(operator,  "custom operators: name, identity, source")               \
    X(options,   "values of options")                                      \
    X(protocol,  "requests to the tuner's workers and their answers")      \
    X(record,    "records of the program cache, and blobs of plans")       \
    X(replay,    "journals whose searches are run again")                  \
    X(t4,        "results in the format T4")                               \
    X(variant,   "variants as text")
/* clang-format on */

/* The bytes end where the memory does, so that a sanitizer sees what is read beyond them. */
typedef void fuzz_run(const uint8_t *data, size_t size_bytes);

#define X(name, what) fuzz_run fuzz_##name;
FUZZ_TARGET_LIST(X)
#undef X

/* Change mutated bytes such that a checksum does not keep them out. Gives back the new size. */
size_t fuzz_record_mend(uint8_t *data, size_t size_bytes, size_t capacity_bytes, unsigned seed);

typedef struct fuzz_target {
    const char *name;
    fuzz_run *run;
} fuzz_target;

/* The target of that name; NULL: there is none. */
const fuzz_target *fuzz_target_find(const char *name);

/* What must hold for every input. */
#define FUZZ_CHECK(condition)                                                              \
    do {                                                                                   \
        if (!(condition)) {                                                                \
            fprintf(stderr, "%s:%d: does not hold: %s\n", __FILE__, __LINE__, #condition); \
            abort();                                                                       \
        }                                                                                  \
    } while (0)

/* A copy with a terminator, for what reads texts. */
char *fuzz_text(const uint8_t *data, size_t size_bytes);

#endif
