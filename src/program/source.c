#include "program/source.h"

#include <stdlib.h>
#include <string.h>

#include "base/embedded.h"
#include "base/environment.h"
#include "base/file.h"

#define KERNEL_FILE_MAX_BYTES ((size_t)1 << 20)

static clscan_status append_from_folder(clscan__text *text, const char *folder, const char *name, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    clscan__text joined = {0};
    char *path = NULL, *data = NULL;
    size_t data_bytes = 0;

    clscan__text_append(&joined, "%s/%s", folder, name);
    CLSCAN__TRY(clscan__text_take(&joined, &path, error));
    CLSCAN__TRY(clscan__file_read(path, KERNEL_FILE_MAX_BYTES, CLSCAN_ERROR_FILE, &data, &data_bytes, error));
    clscan__text_append_bytes(text, data, data_bytes);
    if (data_bytes > 0 && data[data_bytes - 1] != '\n')
        clscan__text_append(text, "\n");

cleanup:
    free(path);
    free(data);
    return status;
}

clscan_status clscan__source_append(clscan__text *text, const char *name, clscan_error *error)
{
    const char *folder = clscan__environment("CLSCAN_KERNEL_DIR");

    clscan__text_append(text, "#line 1 \"%s\"\n", name);
    if (folder != NULL && folder[0] != '\0')
        return append_from_folder(text, folder, name, error);
    for (size_t i = 0; i < clscan__embedded_kernel_count; ++i) {
        if (strcmp(clscan__embedded_kernels[i].name, name) == 0) {
            clscan__text_append_bytes(text, clscan__embedded_kernels[i].text, clscan__embedded_kernels[i].text_bytes);
            return CLSCAN_OK;
        }
    }
    return clscan__error_set(error, CLSCAN_ERROR_FILE, "kernel file %s is not built in", name);
}
