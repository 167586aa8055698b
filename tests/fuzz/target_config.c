/* What is written of a config that the library accepts is accepted again, with the same entries. */
#include <string.h>

#include <clscan/clscan.h>

#include "config_file/document.h"
#include "targets.h"

static char *write_again(const char *text, size_t size_bytes, size_t *written_bytes, size_t *entry_count)
{
    clscan__document document;

    FUZZ_CHECK(clscan__document_read(text, size_bytes, "again", &document, NULL) == CLSCAN_OK);
    char *written = clscan__document_write(&document, written_bytes);
    FUZZ_CHECK(written != NULL);
    *entry_count = document.entry_count;
    clscan__document_free(&document);
    return written;
}

static void check_accepted(const char *text, size_t size_bytes)
{
    clscan_config *config = NULL;
    clscan_error error = {0};

    const clscan_status status = clscan_config_parse(text, size_bytes, "written", &config, &error);
    if (status != CLSCAN_OK)
        fprintf(stderr, "%s\n%s\n", error.message, text);
    FUZZ_CHECK(status == CLSCAN_OK);
    clscan_config_destroy(config);
}

void fuzz_config(const uint8_t *data, size_t size_bytes)
{
    clscan_config *config = NULL;
    clscan_error error = {0};
    size_t bytes[3], entries[3];

    if (clscan_config_parse((const char *)data, size_bytes, "fuzzed", &config, &error) != CLSCAN_OK)
        return;
    clscan_config_destroy(config);
    /* Numbers may lose digits when they are written first. */
    char *first = write_again((const char *)data, size_bytes, &bytes[0], &entries[0]);
    check_accepted(first, bytes[0]);
    char *second = write_again(first, bytes[0], &bytes[1], &entries[1]);
    char *third = write_again(second, bytes[1], &bytes[2], &entries[2]);
    FUZZ_CHECK(entries[0] == entries[1]);
    FUZZ_CHECK(bytes[1] == bytes[2] && memcmp(second, third, bytes[1]) == 0);
    free(first);
    free(second);
    free(third);
}
