#include "config_file/keys.h"

#include "config_file/document.h"

#define COUNT_OF(array) (sizeof(array) / sizeof(array)[0])

#define X(name, text, meaning) text,
const char *const clscan__operation_names[] = {CLSCAN__CONFIG_OPERATION_LIST(X)};
#undef X

#define X(name, text) text,
const char *const clscan__origin_names[] = {CLSCAN__ORIGIN_LIST(X)};
#undef X

#define X(name, text, meaning) #text,
const char *const clscan__operator_class_names[] = {CLSCAN_OPERATOR_CLASS_LIST(X)};
#undef X

/* clang-format off */
/* Which of them are required depends on the variant. */
static const clscan__json_key variant_keys[] = {
    /* name  kind                  required  begins a line */
#define X(field, list) \
    {#field, CLSCAN__JSON_STRING,  false,    false, NULL},
    CLSCAN_AXIS_LIST(X)
#undef X
#define X(name, min, max, steps, needed_by, meaning) \
    {#name,  CLSCAN__JSON_INTEGER, false,    CLSCAN_PARAM_##name == 0, NULL},
    CLSCAN_PARAM_LIST(X)
#undef X
};
const clscan__json_keys clscan__variant_keys = {variant_keys, COUNT_OF(variant_keys)};

static const clscan__json_key entry_keys[] = {
    /* name                         kind                          required  begins a line */
    {"operation",                   CLSCAN__JSON_STRING,          true,     true,  NULL},
    {"element_size_bytes",          CLSCAN__JSON_INTEGER,         true,     false, NULL},
    {"smallest_element_size_bytes", CLSCAN__JSON_INTEGER,         false,    false, NULL},
    {"sum_size_bytes",              CLSCAN__JSON_INTEGER,         false,    false, NULL},
    {"operator_class",              CLSCAN__JSON_STRING,          true,     false, NULL},
    {"largest_count",               CLSCAN__JSON_INTEGER_OR_NULL, true,     true,  NULL},
    {"smallest_count",              CLSCAN__JSON_INTEGER,         false,    false, NULL},
    {"unfinished_ms",               CLSCAN__JSON_INTEGER,         false,    false, NULL},
    {"reproducible",                CLSCAN__JSON_BOOLEAN,         true,     false, NULL},
    {"variant",                     CLSCAN__JSON_OBJECT,          true,     true,  &clscan__variant_keys},
    {"revision",                    CLSCAN__JSON_STRING,          false,    true,  NULL},
    {"note",                        CLSCAN__JSON_STRING,          false,    true,  NULL},
};
const clscan__json_keys clscan__entry_keys = {entry_keys, COUNT_OF(entry_keys)};

static const clscan__json_key provenance_keys[] = {
    /* name            kind                 required  begins a line */
    {"origin",         CLSCAN__JSON_STRING, true,     true, NULL},
    {"date",           CLSCAN__JSON_STRING, true,     true, NULL},
    {"device",         CLSCAN__JSON_STRING, false,    true, NULL},
    {"driver",         CLSCAN__JSON_STRING, false,    true, NULL},
    {"platform",       CLSCAN__JSON_STRING, false,    true, NULL},
    {"clscan_version", CLSCAN__JSON_STRING, false,    true, NULL},
    {"copy_gb_per_s",  CLSCAN__JSON_NUMBER, false,    true, NULL},
    {"noise_percent",  CLSCAN__JSON_NUMBER, false,    true, NULL},
    {"journal",        CLSCAN__JSON_STRING, false,    true, NULL},
    {"note",           CLSCAN__JSON_STRING, false,    true, NULL},
};
const clscan__json_keys clscan__provenance_keys = {provenance_keys, COUNT_OF(provenance_keys)};

static const clscan__json_key document_keys[] = {
    /* name            kind                  required  begins a line */
    {"schema_version", CLSCAN__JSON_INTEGER, true,     true, NULL},
    {"match",          CLSCAN__JSON_STRING,  true,     true, NULL},
    {"provenance",     CLSCAN__JSON_OBJECT,  true,     true, &clscan__provenance_keys},
    {"entries",        CLSCAN__JSON_ARRAY,   true,     true, &clscan__entry_keys},
};
const clscan__json_keys clscan__document_keys = {document_keys, COUNT_OF(document_keys)};
/* clang-format on */
