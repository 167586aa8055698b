#include "output/config.h"

#include <stdio.h>
#include <stdlib.h>

#include "command_line/failure.h"
#include "command_line/named_file.h"
#include "files/save.h"

clscan_status tune_config_merge(clscan__document *config, const clscan__document *old, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const size_t own_count = config->entry_count;
    char note[128];

    for (size_t i = 0; i < old->entry_count; ++i) {
        bool replaced = false;

        for (size_t j = 0; j < own_count; ++j)
            replaced = replaced || clscan__config_key_equal(&config->entries[j].key, &old->entries[i].key);
        if (!replaced)
            TRY(clscan__document_add(config, &old->entries[i], error));
    }
    if (config->entry_count > own_count && config->provenance.note == NULL) {
        snprintf(note, sizeof note, "Entries of keys that this run did not measure are older: %s, %s.",
                 clscan__origin_name(old->provenance.origin), old->provenance.date);
        TRY(clscan__document_keep(config, note, &config->provenance.note, error));
    }

cleanup:
    return status;
}

clscan_status tune_config_read(const char *path, clscan__document *config, clscan_error *error)
{
    clscan_status status;
    clscan_config *accepted = NULL;
    char *text = NULL;
    size_t size_bytes;

    TRY(clscan_config_load(path, &accepted, error));
    TRY(named_file_text(path, CLSCAN_CONFIG_MAX_BYTES, &text, &size_bytes, error));
    TRY(clscan__document_read(text, size_bytes, path, config, error));

cleanup:
    free(text);
    clscan_config_destroy(accepted);
    return status;
}

clscan_status tune_config_check(const char *path, clscan_error *error)
{
    clscan_config *config = NULL;
    const clscan_status status = clscan_config_load(path, &config, error);

    clscan_config_destroy(config);
    return status;
}

clscan_status tune_config_write(const char *path, const clscan__document *config, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    size_t size_bytes = 0;
    char *text = clscan__document_write(config, &size_bytes);
    REQUIRE(text != NULL, CLSCAN_ERROR_OUT_OF_MEMORY, "%s: no memory to write it", path);
    TRY(tune_save(path, text, size_bytes, tune_config_check, error));

cleanup:
    free(text);
    return status;
}
