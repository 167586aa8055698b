/** \file cache.h
 * The program cache: compiled kernels are shared in memory and kept on disk.
 *
 * A plan needs one compiled program for each of its variants. It takes it from the first of these that has it:
 *  1. another living plan of the same context, in memory;
 *  2. the blob in clscan_plan_options, which clscan_plan_save() made;
 *  3. a file of an earlier process, in the cache's folder;
 *  4. the OpenCL compiler; the result is then kept for others.
 * A program is only taken if all that it was compiled from is the same, as docs/program-cache.md lists. What is
 * damaged, foreign, out of date or refused by the driver is compiled again, never used, and never an error: no
 * trouble with the cache makes clscan_plan_create() fail, and the cache changes no result.
 *
 * The environment variable CLSCAN_CACHE is one of `auto` (default), `off`, `memory`, `on`, or the absolute path of
 * a folder; see #CLSCAN_CACHE_MODE_LIST. CLSCAN_CACHE_MAX_BYTES bounds the size on disk. The folder is
 * $XDG_CACHE_HOME/clscan or ~/.cache/clscan. It must belong to the user that the process runs as, and nobody else
 * may be able to write to it; another folder is not used.
 *
 * All functions are thread-safe, and safe while other processes use the same folder.
 */
#ifndef CLSCAN_CACHE_H
#define CLSCAN_CACHE_H

#include <stddef.h>
#include <stdint.h>

#include <clscan/device.h>
#include <clscan/export.h>
#include <clscan/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/* clang-format off */
#define CLSCAN_CACHE_MODE_LIST(X)                                                        \
    X(AUTO,   auto,   "in memory, and on disk for devices where that is faster")         \
    X(OFF,    off,    "neither: every plan compiles its programs, unless a blob has them") \
    X(MEMORY, memory, "in memory only: no file is read or written")                      \
    X(ON,     on,     "in memory, and on disk for every device")

/* What happened to programs since the process began. */
#define CLSCAN_CACHE_COUNTER_LIST(X)                                                   \
    X(compiled,        "programs compiled from source")                                \
    X(memory_hits,     "programs shared with a living plan")                           \
    X(blob_hits,       "programs taken from a blob")                                   \
    X(disk_hits,       "programs read from disk")                                      \
    X(disk_misses,     "programs looked for on disk without success")                  \
    X(rejected,        "entries of disk or blob that were damaged, foreign or refused by the driver") \
    X(stored,          "programs written to disk")                                     \
    X(store_failures,  "programs that could not be written to disk")                   \
    X(evicted,         "entries removed from disk to stay below the bound")
/* clang-format on */

/** Where programs are kept. */
typedef enum clscan_cache_mode {
#define X(name, text, meaning) CLSCAN_CACHE_##name,
    CLSCAN_CACHE_MODE_LIST(X)
#undef X
        CLSCAN_CACHE_MODE_COUNT
} clscan_cache_mode;

/** Bound on the size of all files, unless something else is set: 256 MiB. */
#define CLSCAN_CACHE_DEFAULT_MAX_BYTES (UINT64_C(256) << 20)

/** Settings of the process. Set struct_size to sizeof(clscan_cache_options), zero what is not used. */
typedef struct clscan_cache_options {
    size_t struct_size;     /**< sizeof(clscan_cache_options) */
    clscan_cache_mode mode; /**< where programs are kept */
    uint32_t reserved;      /**< 0 */
    const char *folder;     /**< absolute path, made when needed; NULL: the user's. Copied. */
    uint64_t max_bytes;     /**< bound on the size of all files; 0: CLSCAN_CACHE_DEFAULT_MAX_BYTES */
} clscan_cache_options;

/** Replace the settings of this process, for plans that are created from now on.
 *
 * \param options  NULL: back to those of the environment, which are in force until the first call. A user's
 *                 CLSCAN_CACHE=off stays in force whatever is set here.
 * \return CLSCAN_OK; CLSCAN_ERROR_STRUCT_SIZE; CLSCAN_ERROR_INVALID_VALUE (unknown mode, folder that is not an
 *         absolute path); CLSCAN_ERROR_OUT_OF_MEMORY. After an error the old settings are in force. */
CLSCAN_API clscan_status clscan_cache_set(const clscan_cache_options *options, clscan_error *error);

/** How often what happened, in this process. Counts wrap around at 2^64. */
typedef struct clscan_cache_counters {
    size_t struct_size; /**< sizeof(clscan_cache_counters) */
#define X(name, meaning) uint64_t name;
    CLSCAN_CACHE_COUNTER_LIST(X)
#undef X
} clscan_cache_counters;

/** Read the counters.
 *
 * \param counters  Receives them; its struct_size is set. Each is read for itself, while other threads may count on.
 * \return CLSCAN_OK; CLSCAN_ERROR_NULL_ARGUMENT; CLSCAN_ERROR_STRUCT_SIZE. */
CLSCAN_API clscan_status clscan_cache_statistics(clscan_cache_counters *counters, clscan_error *error);

/** The cache as it stands. */
typedef struct clscan_cache_info {
    size_t struct_size;     /**< sizeof(clscan_cache_info) */
    clscan_cache_mode mode; /**< in force */
    uint32_t reserved;      /**< 0 */
    char folder[1024];      /**< "" if none is known */
    char problem[256];      /**< why the folder cannot be used; "" if it can, or can be made */
    uint64_t max_bytes;     /**< bound */
    uint64_t size_bytes;    /**< of all entries */
    uint64_t entry_count;   /**< number of them */
} clscan_cache_info;

/** Describe settings and folder. Reads the folder.
 *
 * \param info  Receives the description; its struct_size is set.
 * \return CLSCAN_OK; CLSCAN_ERROR_NULL_ARGUMENT; CLSCAN_ERROR_STRUCT_SIZE; CLSCAN_ERROR_OUT_OF_MEMORY. */
CLSCAN_API clscan_status clscan_cache_describe(clscan_cache_info *info, clscan_error *error);

/** Are programs of \p device kept on disk in the mode in force?
 *
 * \param device  As clscan_device_describe() fills it.
 * \param reason  Receives one clause in static storage; may be NULL.
 * \return 1 or 0; 0 for a NULL device. A folder that cannot be used is not noticed here. */
CLSCAN_API int clscan_cache_serves(const clscan_device_info *device, const char **reason);

/** One file of the cache; texts are cut where they are too long. */
typedef struct clscan_cache_entry {
    size_t struct_size;  /**< how much of it the library has filled */
    char name[32];       /**< of the file */
    uint64_t size_bytes; /**< of the file */
    int64_t used_time_s; /**< last use, in seconds since 1970 */
    char device[128];    /**< "" if the entry is damaged */
    char driver[128];    /**< version of its driver */
    char program[384];   /**< problem and variant */
    char problem[128];   /**< what is wrong with the entry, "" if it is sound */
} clscan_cache_entry;

/** Receives one entry, which is valid during the call only. */
typedef void clscan_cache_visitor(const clscan_cache_entry *entry, void *user);

/** Go through the entries, the one used last first. Reads all of them.
 *
 * \param visit  Called for each entry, before this function returns.
 * \param user   Passed to \p visit.
 * \return CLSCAN_OK, also when there is no folder yet; CLSCAN_ERROR_NULL_ARGUMENT; CLSCAN_ERROR_FILE if the folder
 *         cannot be used; CLSCAN_ERROR_OUT_OF_MEMORY. */
CLSCAN_API clscan_status clscan_cache_list(clscan_cache_visitor *visit, void *user, clscan_error *error);

/** Remove all entries from disk. Programs in memory, and plans, are not touched.
 *
 * \param removed  Receives the number of entries that were there; may be NULL.
 * \return as clscan_cache_list(); CLSCAN_ERROR_FILE also if an entry cannot be removed. */
CLSCAN_API clscan_status clscan_cache_clear(uint64_t *removed, clscan_error *error);

/** Name of a \p mode, "auto"; "invalid" for other numbers. Static, never NULL. */
CLSCAN_API const char *clscan_cache_mode_name(clscan_cache_mode mode);

#ifdef __cplusplus
}
#endif
#endif
