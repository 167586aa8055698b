#include "base/file.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/environment.h"
#include "base/text.h"

clscan_status clscan__file_read(const char *path, size_t max_bytes, clscan_status too_large, char **data,
                                size_t *data_bytes, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    struct stat about;
    char *buffer = NULL;
    FILE *file = NULL;

    /* Before it is opened: that would wait for the other end of a FIFO. */
    CLSCAN__REQUIRE(stat(path, &about) == 0, CLSCAN_ERROR_FILE, "%s: %s", path, strerror(errno));
    CLSCAN__REQUIRE(S_ISREG(about.st_mode), CLSCAN_ERROR_FILE, "%s: not a regular file", path);
    file = fopen(path, "rb");
    CLSCAN__REQUIRE(file != NULL, CLSCAN_ERROR_FILE, "%s: %s", path, strerror(errno));
    CLSCAN__REQUIRE((unsigned long long)about.st_size <= max_bytes, too_large, "%s: %lld bytes; at most %zu are read",
                    path, (long long)about.st_size, max_bytes);
    buffer = malloc((size_t)about.st_size + 1);
    CLSCAN__REQUIRE(buffer != NULL, CLSCAN_ERROR_OUT_OF_MEMORY, "%s: no memory for its %lld bytes", path,
                    (long long)about.st_size);
    *data_bytes = fread(buffer, 1, (size_t)about.st_size, file);
    CLSCAN__REQUIRE(ferror(file) == 0, CLSCAN_ERROR_FILE, "%s: %s", path, strerror(errno));
    buffer[*data_bytes] = '\0';
    *data = buffer;
    buffer = NULL;

cleanup:
    free(buffer);
    if (file != NULL)
        fclose(file);
    return status;
}

static int by_text(const void *left, const void *right)
{
    return strcmp(*(char *const *)left, *(char *const *)right);
}

static void free_paths(char **paths, size_t count)
{
    for (size_t i = 0; i < count; ++i)
        free(paths[i]);
    free(paths);
}

clscan_status clscan__folder_list(const char *folder, const char *suffix, char ***paths, size_t *count,
                                  clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const size_t suffix_bytes = strlen(suffix);
    char **found = NULL;
    size_t found_count = 0;
    DIR *directory = opendir(folder);
    struct dirent *item;

    *paths = NULL;
    *count = 0;
    if (directory == NULL && (errno == ENOENT || errno == ENOTDIR))
        return CLSCAN_OK;
    CLSCAN__REQUIRE(directory != NULL, CLSCAN_ERROR_FILE, "%s: %s", folder, strerror(errno));
    while ((item = readdir(directory)) != NULL) {
        const size_t name_bytes = strlen(item->d_name);
        clscan__text path = {0};
        char **grown;

        if (name_bytes < suffix_bytes || strcmp(item->d_name + name_bytes - suffix_bytes, suffix) != 0)
            continue;
        grown = realloc(found, (found_count + 1) * sizeof *found);
        CLSCAN__REQUIRE(grown != NULL, CLSCAN_ERROR_OUT_OF_MEMORY, "%s: no memory to list it", folder);
        found = grown;
        clscan__text_append(&path, "%s/%s", folder, item->d_name);
        CLSCAN__TRY(clscan__text_take(&path, &found[found_count], error));
        ++found_count;
    }
    if (found_count > 0)
        qsort(found, found_count, sizeof *found, by_text);
    *paths = found;
    *count = found_count;
    found = NULL;
    found_count = 0;

cleanup:
    free_paths(found, found_count);
    if (directory != NULL)
        closedir(directory);
    return status;
}

/* "$VARIABLE/clscan" or "$HOME/BELOW_HOME/clscan", the first whose variable is an absolute path. */
static clscan_status user_folder(const char *variable, const char *below_home, char **folder, clscan_error *error)
{
    const char *base = clscan__environment(variable);
    const char *home = clscan__environment("HOME");
    clscan__text path = {0};

    *folder = NULL;
    if (base != NULL && base[0] == '/')
        clscan__text_append(&path, "%s/clscan", base);
    else if (home != NULL && home[0] == '/')
        clscan__text_append(&path, "%s/%s/clscan", home, below_home);
    else
        return CLSCAN_OK;
    return clscan__text_take(&path, folder, error);
}

clscan_status clscan__user_config_folder(char **folder, clscan_error *error)
{
    return user_folder("XDG_CONFIG_HOME", ".config", folder, error);
}

clscan_status clscan__user_cache_folder(char **folder, clscan_error *error)
{
    return user_folder("XDG_CACHE_HOME", ".cache", folder, error);
}
