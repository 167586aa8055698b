/* The cache on disk as people see it; the contracts are those of clscan/cache.h. `path` may be NULL: no folder is
 * known. */
#ifndef CLSCAN_PROGRAM_INVENTORY_H
#define CLSCAN_PROGRAM_INVENTORY_H

#include <clscan/cache.h>

#include "base/error.h"

clscan_status clscan__inventory_list(const char *path, clscan_cache_visitor *visit, void *user, clscan_error *error);
clscan_status clscan__inventory_clear(const char *path, uint64_t *removed, clscan_error *error);

/* Fill folder, problem, size_bytes and entry_count of a zeroed `info`. */
void clscan__inventory_describe(const char *path, clscan_cache_info *info);

#endif
