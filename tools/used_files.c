#include "used_files.h"

#include <stdlib.h>
#include <string.h>

#include "command_line/failure.h"
#include "output_file.h"

static void identify(used_file *file, const struct stat *about)
{
    /* What two write to a terminal or to /dev/null destroys nothing. */
    file->is_known = S_ISREG(about->st_mode) || S_ISBLK(about->st_mode) || S_ISFIFO(about->st_mode);
    file->device = about->st_dev;
    file->inode = about->st_ino;
}

/* A file that is not there yet is what its folder will have under that name. */
static void identify_new(used_file *file)
{
    const char *slash = strrchr(file->name, '/');
    char *folder = slash != NULL ? strdup(file->name) : strdup("./");
    struct stat about;

    if (folder == NULL)
        return; /* no memory for a name: the next allocation says so */
    if (slash != NULL)
        folder[slash - file->name + 1] = '\0';
    if (stat(folder, &about) == 0) {
        file->is_known = true;
        file->device = about.st_dev;
        file->inode = about.st_ino;
        file->new_name = slash != NULL ? slash + 1 : file->name;
    }
    free(folder);
}

static void add(used_files *all, const used_file *file)
{
    if (all->count < USED_FILES_MOST)
        all->files[all->count] = *file;
    ++all->count;
}

void used_files_read(used_files *all, const char *role, const struct stat *about)
{
    used_file file = {.role = role};

    identify(&file, about);
    add(all, &file);
}

void used_files_read_name(used_files *all, const char *role, const char *name)
{
    struct stat about;

    if (name != NULL && stat(name, &about) == 0)
        used_files_read(all, role, &about);
}

void used_files_write(used_files *all, const char *role, const char *name)
{
    used_file file = {.role = role, .name = name, .is_output = true};
    struct stat about;

    if (name == NULL)
        return;
    if (output_stat(name, &about))
        identify(&file, &about);
    else
        identify_new(&file);
    add(all, &file);
}

static bool is_same(const used_file *a, const used_file *b)
{
    if (!a->is_known || !b->is_known || a->device != b->device || a->inode != b->inode)
        return false;
    return a->new_name == NULL || b->new_name == NULL ? a->new_name == b->new_name
                                                      : strcmp(a->new_name, b->new_name) == 0;
}

clscan_status used_files_check(const used_files *all, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;

    REQUIRE(all->count <= USED_FILES_MOST, CLSCAN_ERROR_INVALID_VALUE, "there are more than %u files", USED_FILES_MOST);
    for (unsigned i = 0; i < all->count; ++i) {
        const used_file *output = &all->files[i];

        for (unsigned j = 0; output->is_output && j < all->count; ++j) {
            const used_file *other = &all->files[j];

            REQUIRE(j == i || !is_same(output, other), CLSCAN_ERROR_FILE,
                    "%s: %s and %s are the same file; choose another output",
                    strcmp(output->name, "-") == 0 ? "standard output" : output->name, other->role, output->role);
        }
    }
    for (unsigned i = 0; i < all->count; ++i)
        if (all->files[i].is_output)
            TRY(output_file_probe(all->files[i].name, error));

cleanup:
    return status;
}
