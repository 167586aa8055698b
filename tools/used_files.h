/* The files that a command reads and writes. None may be written that is also read, or written twice, whatever names it
 * has: by links, by another path to its folder, before it exists. */
#ifndef CLSCAN_TOOLS_USED_FILES_H
#define CLSCAN_TOOLS_USED_FILES_H

#include <stdbool.h>

#include <sys/stat.h>

#include <clscan/clscan.h>

#define USED_FILES_MOST 32u

typedef struct used_file {
    const char *role; /* what the command line calls it: "IN", "--rest" */
    const char *name;
    bool is_output;
    bool is_known; /* else it is no file that could be another's: /dev/null, a terminal */
    dev_t device;
    ino_t inode;
    const char *new_name; /* not yet there: its name in the folder that the two above are; NULL: they are its own */
} used_file;

/* Begin with zeros. Roles and names stay as long. */
typedef struct used_files {
    used_file files[USED_FILES_MOST];
    unsigned count;
} used_files;

/* What is open to be read. */
void used_files_read(used_files *all, const char *role, const struct stat *about);

/* What will be opened to be read, if it is a file; NULL: nothing. */
void used_files_read_name(used_files *all, const char *role, const char *name);

/* "-" is standard output; NULL: nothing. */
void used_files_write(used_files *all, const char *role, const char *name);

/* Can all outputs be written, each without harm to the other files? Leaves everything as it was. */
clscan_status used_files_check(const used_files *all, clscan_error *error);

#endif
