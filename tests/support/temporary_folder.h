/* A folder for the files of one test. */
#ifndef CLSCAN_TESTS_TEMPORARY_FOLDER_H
#define CLSCAN_TESTS_TEMPORARY_FOLDER_H

#include <stddef.h>

/* Make an empty folder; give it to temporary_folder_remove(). Fails the running test if that is impossible. */
char *temporary_folder_create(void);

/* "FOLDER/NAME" on the heap. */
char *temporary_folder_path(const char *folder, const char *name);

/* Write a file into it. */
void temporary_folder_write(const char *folder, const char *name, const void *data, size_t data_bytes);

/* Remove the folder with its files and empty folders, and free its name. NULL does nothing. */
void temporary_folder_remove(char *folder);

#endif
