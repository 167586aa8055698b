/* Config files as the tuner reads and writes them. The format is docs/config-format.md's. */
#ifndef CLSCAN_TUNER_ENTRIES_H
#define CLSCAN_TUNER_ENTRIES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

#include <clscan/clscan.h>

typedef struct tune_entry {
    clscan_operator_class operator_class;
    uint32_t element_size_bytes;
    uint64_t largest_count; /* UINT64_MAX: no limit */
    bool reproducible;
    bool kept; /* of a decision: these counts keep what serves them now, which is put here by tune_keep() */
    clscan_variant variant;
    char revision[CLSCAN_REVISION_BYTES]; /* "": unknown */
    char note[160];                       /* "": none */
} tune_entry;

/* Where the entries of a file come from. Texts that are "" and numbers that are 0 are left out of the file. */
typedef struct tune_provenance {
    char origin[16]; /* "tuned" or "hand-set" */
    char date[16];   /* YYYY-MM-DD */
    char device[128];
    char driver[128];
    char platform[128];
    char clscan_version[24];
    double copy_gb_per_s; /* of the largest count measured: bytes read plus bytes written */
    double noise_percent; /* between repeated measurements of one thing */
    char journal[256];    /* name of the journal, without its folder */
    char note[512];
} tune_provenance;

/* A config file. Zero it to begin. */
typedef struct tune_entries {
    char match[64];
    tune_provenance provenance;
    tune_entry *items;
    size_t count;
} tune_entries;

/* Read a document that the library accepts as a config. CLSCAN_ERROR_OUT_OF_MEMORY. */
clscan_status tune_entries_from_json(const json_t *document, tune_entries *entries, clscan_error *error);

/* Sort, and make the text of a config file, which the caller frees; NULL if memory ran out. */
char *tune_entries_to_text(tune_entries *entries, size_t *size_bytes);

/* Read a config file that the library accepts. Errors are clscan_config_load()'s. */
clscan_status tune_entries_read(const char *path, tune_entries *entries, clscan_error *error);

/* Sort, and write through a temporary file in the same folder, which the library must accept before it takes the
 * place of `path`. Folders that are missing are made. On failure `path` is as it was: CLSCAN_ERROR_FILE with the
 * reason (read-only, full, a folder), or what clscan_config_load() says. */
clscan_status tune_entries_write(const char *path, tune_entries *entries, clscan_error *error);

/* Whether the library accepts the file: a tune_save_check. */
clscan_status tune_config_check(const char *path, clscan_error *error);

/* Add an entry; it is copied. */
clscan_status tune_entries_add(tune_entries *entries, const tune_entry *entry, clscan_error *error);

/* Take over from `old` the entries whose operator class, element size and reproducible flag `entries` has none
 * of. The provenance stays that of `entries`. */
clscan_status tune_entries_merge(tune_entries *entries, const tune_entries *old, clscan_error *error);

/* By operator class, element size, reproducible, largest count. */
void tune_entries_sort(tune_entries *entries);

void tune_entries_free(tune_entries *entries);

#endif
