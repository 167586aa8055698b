#include "temporary_folder.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cmocka_all.h"

char *temporary_folder_path(const char *folder, const char *name)
{
    const size_t path_bytes = strlen(folder) + strlen(name) + 2;
    char *path = malloc(path_bytes);

    assert_non_null(path);
    snprintf(path, path_bytes, "%s/%s", folder, name);
    return path;
}

char *temporary_folder_create(void)
{
    const char *base = getenv("TMPDIR");
    char *folder = temporary_folder_path(base != NULL && base[0] != '\0' ? base : "/tmp", "clscan-test-XXXXXX");

    if (mkdtemp(folder) == NULL)
        fail_msg("cannot make the folder %s", folder);
    return folder;
}

/* Make the folders that a name such as "bodies/strided.cl" goes through. */
static void make_folders(char *path, size_t folder_bytes)
{
    for (char *slash = strchr(path + folder_bytes + 1, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        if (mkdir(path, S_IRWXU) != 0 && errno != EEXIST)
            fail_msg("cannot make the folder %s", path);
        *slash = '/';
    }
}

void temporary_folder_write(const char *folder, const char *name, const void *data, size_t data_bytes)
{
    char *path = temporary_folder_path(folder, name);
    FILE *file;

    make_folders(path, strlen(folder));
    file = fopen(path, "wb");
    if (file == NULL)
        fail_msg("cannot write %s", path);
    assert_int_equal(fwrite(data, 1, data_bytes, file), data_bytes);
    assert_int_equal(fclose(file), 0);
    free(path);
}

static void remove_folder(const char *folder)
{
    DIR *directory = opendir(folder);
    struct dirent *item;

    while (directory != NULL && (item = readdir(directory)) != NULL) {
        char *path;

        if (strcmp(item->d_name, ".") == 0 || strcmp(item->d_name, "..") == 0)
            continue;
        path = temporary_folder_path(folder, item->d_name);
        if (remove(path) != 0)
            remove_folder(path);
        free(path);
    }
    if (directory != NULL) {
        closedir(directory);
        remove(folder);
    }
}

void temporary_folder_remove(char *folder)
{
    if (folder != NULL)
        remove_folder(folder);
    free(folder);
}

temporary_file_place temporary_file;

int temporary_file_setup(void **name)
{
    temporary_file.folder = temporary_folder_create();
    temporary_file.path = temporary_folder_path(temporary_file.folder, *name);
    return 0;
}

int temporary_file_teardown(void **name)
{
    (void)name;
    free(temporary_file.path);
    temporary_folder_remove(temporary_file.folder);
    return 0;
}
