/* A folder for the files of one test. */
#ifndef CLSCAN_TESTS_TEMPORARY_FOLDER_H
#define CLSCAN_TESTS_TEMPORARY_FOLDER_H

#include <stddef.h>

/* Make an empty folder; give it to temporary_folder_remove(). Fails the running test if that is impossible. */
char *temporary_folder_create(void);

/* "FOLDER/NAME" on the heap. */
char *temporary_folder_path(const char *folder, const char *name);

/* Write a file into it; its name may begin with folders, which are made. */
void temporary_folder_write(const char *folder, const char *name, const void *data, size_t data_bytes);

/* Remove the folder with all that is in it, and free its name. NULL does nothing. */
void temporary_folder_remove(char *folder);

/* For a test of one file: its path, in a folder that is empty at first. temporary_file_test() of cmocka's table makes
 * both for each test. */
typedef struct temporary_file_place {
    char *folder;
    char *path;
} temporary_file_place;
extern temporary_file_place temporary_file;

int temporary_file_setup(void **name);
int temporary_file_teardown(void **name);
#define temporary_file_test(function, name) \
    cmocka_unit_test_prestate_setup_teardown(function, temporary_file_setup, temporary_file_teardown, name)

#endif
