/* A parsed config file. The format: docs/config-format.md. */
#ifndef CLSCAN_CONFIG_CONFIG_H
#define CLSCAN_CONFIG_CONFIG_H

#include <stdbool.h>

#include <clscan/config.h>

#define CLSCAN__SCHEMA_VERSION 1

/* clang-format off */
#define CLSCAN__OPERATION_LIST(X) \
    X(SCAN, scan)

#define CLSCAN__ORIGIN_LIST(X)                            \
    X(HAND_SET, "hand-set") /* chosen by a person */      \
    X(TUNED,    "tuned")    /* measured by the tuner */
/* clang-format on */

#define X(name, text) CLSCAN__OPERATION_##name,
typedef enum clscan__operation { CLSCAN__OPERATION_LIST(X) CLSCAN__OPERATION_COUNT } clscan__operation;
#undef X

#define X(name, text) CLSCAN__ORIGIN_##name,
typedef enum clscan__origin { CLSCAN__ORIGIN_LIST(X) CLSCAN__ORIGIN_COUNT } clscan__origin;
#undef X

/* What an entry is for, apart from the count. */
typedef struct clscan__config_key {
    clscan__operation operation;
    uint32_t element_size_bytes;
    clscan_operator_class operator_class;
    bool reproducible;
} clscan__config_key;

/* One measured point. */
typedef struct clscan__config_entry {
    clscan__config_key key;
    uint64_t largest_count; /* UINT64_MAX: no limit */
    clscan_variant variant; /* legal for integers of the key's size, on some device */
    char revision[24];      /* "" if the file has none */
} clscan__config_entry;

struct clscan_config {
    char *source;
    char match[64];     /* a device key, architecture, family or generic class */
    size_t match_bytes; /* length of it */
    clscan__origin origin;
    char date[12];
    char device[128], driver[128]; /* as the driver spelled them where it was measured; "" if the file does not say */
    clscan__config_entry *entries; /* of one key: ascending by largest_count, the last without limit */
    size_t entry_count;
};

bool clscan__config_key_equal(const clscan__config_key *left, const clscan__config_key *right);
/* Static; never NULL. */
const char *clscan__origin_name(clscan__origin origin);

#endif
