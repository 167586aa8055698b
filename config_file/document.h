/* A config file as a value, and its one reader and writer. The format: docs/config-format.md. */
#ifndef CLSCAN_CONFIG_FILE_DOCUMENT_H
#define CLSCAN_CONFIG_FILE_DOCUMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <clscan/problem.h>
#include <clscan/status.h>
#include <clscan/types.h>
#include <clscan/variant.h>

#define CLSCAN__SCHEMA_VERSION 1

/* clang-format off */
#define CLSCAN__ORIGIN_LIST(X)                            \
    X(HAND_SET, "hand-set") /* chosen by a person */      \
    X(TUNED,    "tuned")    /* measured by the tuner */   \
    X(MEASURED, "measured") /* at the first use of a plan */
/* clang-format on */

#define X(name, text) CLSCAN__ORIGIN_##name,
typedef enum clscan__origin { CLSCAN__ORIGIN_LIST(X) CLSCAN__ORIGIN_COUNT } clscan__origin;
#undef X

/* Static; never NULL. */
const char *clscan__origin_name(clscan__origin origin);

/* What entries are for: the operations of problems, and those that begin anew at segments.
 *
 *    name              text                meaning */
/* clang-format off */
#define CLSCAN__CONFIG_OPERATION_LIST(X)                                                                            \
    X(SCAN,             "scan",             "a scan; what serves every operation but reduce that has nothing nearer") \
    X(REDUCE,           "reduce",           "a reduction")                                                          \
    X(SELECT,           "select",           "a selection; in want of unique, of equal neighbours too")              \
    X(UNIQUE,           "unique",           "a selection that asks for the element in front of each, and copies it") \
    X(SEGMENTED_SCAN,   "segmented_scan",   "a scan of segments; in want of scan_by_key, of those by keys too")     \
    X(SEGMENTED_REDUCE, "segmented_reduce", "the sums of segments; in want of reduce_by_..., of those by keys or offsets") \
    X(SCAN_BY_KEY,      "scan_by_key",      "a scan of segments that are told by keys")                             \
    X(REDUCE_BY_KEY,    "reduce_by_key",    "the sums of segments that are told by keys")                           \
    X(REDUCE_BY_OFFSETS, "reduce_by_offsets", "the sums of segments that are told by offsets")                      \
    X(SCAN_ROWS,        "scan_rows",        "rows; its counts are the elements of one row")
/* clang-format on */

#define X(name, text, meaning) CLSCAN__CONFIG_##name,
typedef enum clscan__config_operation {
    CLSCAN__CONFIG_OPERATION_LIST(X) CLSCAN__CONFIG_OPERATION_COUNT
} clscan__config_operation;
#undef X

/* Static; never NULL. */
const char *clscan__config_operation_name(clscan__config_operation operation);

/* Returns true and writes *operation if there is one of that name. */
bool clscan__config_operation_from_name(const char *name, clscan__config_operation *operation);

/* Do entries of this operation serve problems that begin anew at segments? Then their elements are sums. */
bool clscan__config_operation_is_segmented(clscan__config_operation operation);

/* Does it give those elements that are kept? */
bool clscan__config_operation_selects(clscan__config_operation operation);

/* Does it give sums instead of an output for each element? */
bool clscan__config_operation_reduces(clscan__config_operation operation);

/* Are its counts the elements of one row? */
bool clscan__config_operation_has_rows(clscan__config_operation operation);

/* Rows of the problem that stands for SCAN_ROWS. */
#define CLSCAN__CONFIG_ROW_COUNT 1024u

/* Make of a scan the problem that stands for an operation. A selection's flags are bytes, and its neighbours those that
 * differ; keys are uint32; segments are told by bits, beside which most variants are legal. */
void clscan__config_operation_apply(clscan__config_operation operation, clscan_problem *problem);

/* What an entry is for, apart from the count. */
typedef struct clscan__config_key {
    clscan__config_operation operation;
    uint32_t element_size_bytes;
    clscan_operator_class operator_class;
    bool reproducible;
    uint32_t sum_size_bytes; /* of what travels between work-items; 0: as large as an element */
    uint32_t least_size_bytes; /* elements that are no plain scalars, from so many bytes on; 0: of element_size_bytes */
} clscan__config_key;

bool clscan__config_key_equal(const clscan__config_key *left, const clscan__config_key *right);
/* The order of keys in a file: by operation, operator class, element sizes, sum size, reproducible. As memcmp()
 * answers. */
int clscan__config_key_compare(const clscan__config_key *left, const clscan__config_key *right);

/* Elements and sums have no more bytes. */
#define CLSCAN__MOST_KEY_BYTES 64u

/* The first type of that size, which is an integer; CLSCAN_TYPE_COUNT if there is none. */
clscan_type clscan__type_of_size(uint64_t size_bytes);

/* One measured point. */
typedef struct clscan__config_entry {
    clscan__config_key key;
    uint64_t smallest_count; /* 0: where the entry before it ends */
    uint64_t largest_count;  /* UINT64_MAX: no limit */
    uint64_t unfinished_ms;  /* measured for so long, and not done; 0: done */
    clscan_variant variant;
    char revision[24]; /* "": unknown */
    const char *note;  /* NULL: none */
} clscan__config_entry;

/* Where the entries of a file come from. Texts may be NULL, and numbers 0: unknown. */
typedef struct clscan__provenance {
    clscan__origin origin;
    char date[12]; /* YYYY-MM-DD */
    const char *device, *driver, *platform;
    const char *clscan_version;
    double copy_gb_per_s; /* of the largest count measured: bytes read plus bytes written */
    double noise_percent; /* between repeated measurements of one thing */
    const char *journal;  /* name of the journal, without its folder */
    const char *note;
} clscan__provenance;

/* Zero it to begin. It owns its entries, and the texts that it was told to keep. */
typedef struct clscan__document {
    char match[64]; /* a device key, architecture, family or generic class */
    clscan__provenance provenance;
    clscan__config_entry *entries;
    size_t entry_count;
    char **texts;
    size_t text_count;
} clscan__document;

void clscan__document_free(clscan__document *document);

/* The document's own copy of a text, as long as the document lives, into *kept; of NULL, NULL.
 * CLSCAN_ERROR_OUT_OF_MEMORY. */
clscan_status clscan__document_keep(clscan__document *document, const char *text, const char **kept,
                                    clscan_error *error);

/* Add an entry; it and its note are copied. CLSCAN_ERROR_OUT_OF_MEMORY. */
clscan_status clscan__document_add(clscan__document *document, const clscan__config_entry *entry, clscan_error *error);

/* By key, then by largest count. */
void clscan__document_sort(clscan__document *document);

/* Read a config. `source` is its name for messages. Of one key, the entries ascend by largest_count, and the last is
 * without limit, unless the origin is measured. Whether a variant is legal is not asked: clscan_config_parse() does.
 * CLSCAN_ERROR_CONFIG_SYNTAX, _SCHEMA and _VERSION with source and place; CLSCAN_ERROR_OUT_OF_MEMORY. */
clscan_status clscan__document_read(const char *text, size_t text_bytes, const char *source, clscan__document *document,
                                    clscan_error *error);

/* The text of a config file, which the caller frees: reading and writing gives the same bytes. NULL if memory ran
 * out. */
char *clscan__document_write(const clscan__document *document, size_t *size_bytes);

#endif
