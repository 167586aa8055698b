/* The folder of the program cache: whether it is trusted, and what is in it. Entries are named by the hash of their
 * key, files that are being written "clscan-unfinished-...".
 *
 * The folder may be one that the user has other files in. Only regular files of such names that begin as records do are
 * listed or removed. */
#ifndef CLSCAN_PROGRAM_CACHE_FOLDER_H
#define CLSCAN_PROGRAM_CACHE_FOLDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

/* Open the folder, which may be NULL for none, and return its descriptor, which the caller closes; with `make`, create
 * it where it is missing. -1: `problem` says why it cannot be used, until the next call; NULL if it is only not
 * there. */
int clscan__cache_folder_open(const char *path, bool make, const char **problem);

typedef struct clscan__cache_item {
    char name[32];
    uint64_t size_bytes;
    struct timespec used; /* time of modification, which a use renews */
} clscan__cache_item;

/* The entries, the one used last first; the caller frees *items. False if there is no memory or no access. */
bool clscan__cache_folder_items(int folder, clscan__cache_item **items, size_t *count);

#define CLSCAN__UNFINISHED_NAME_BYTES 64u

/* Create the file that becomes an entry when it is complete, under a name that no other thread or process has. Return
 * its descriptor, which the caller closes; -1 with errno. */
int clscan__cache_unfinished_create(int folder, char name[CLSCAN__UNFINISHED_NAME_BYTES]);

/* Remove files that ended processes left unfinished. */
void clscan__cache_folder_tidy(int folder);

/* The same, and remove the entries that were not used for longest, until all together have at most `max_bytes`. The
 * entry named `fresh` stays: times of use are too coarse to tell that it is the last. */
void clscan__cache_folder_evict(int folder, const char *fresh, uint64_t max_bytes);

/* Open an entry for reading; -1 if it cannot be, with errno. Never waits, follows no link. */
int clscan__cache_entry_open(int folder, const char *name);

/* Read all of an entry that is open. NULL: `why` says what is wrong with it (static). The caller frees the result. */
unsigned char *clscan__cache_entry_read(int entry, size_t *size_bytes, const char **why);

/* Write all bytes. False with errno. */
bool clscan__write_all(int file, const void *data, size_t data_bytes);

#endif
