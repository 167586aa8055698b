/** \file config.h
 * Configs: which variant a device uses, as JSON, and why.
 *
 * Where entries come from, first to last:
 *  1. a config that the application loads and names in clscan_plan_options;
 *  2. the file that the environment variable CLSCAN_CONFIG names;
 *  3. the *.json files of the user's folder, $XDG_CONFIG_HOME/clscan or ~/.config/clscan, by name, those
 *     last that were measured on another device or with another driver;
 *  4. the configs that are built into the library (tuned-configs/).
 * Within each, entries for the exact device come before its architecture, its vendor and class, and its
 * generic class. Entries that the live device cannot run are skipped, with the reason in the log. The last
 * resort is a reduce-then-scan with one work-item per work-group, which every device runs, so the chain
 * always ends. An explicit config (1 or 2) that cannot be read is an error; a bad file in the user's folder
 * is skipped and logged. Files are parsed again when they, the user's folder or the environment have changed.
 */
#ifndef CLSCAN_CONFIG_H
#define CLSCAN_CONFIG_H

#include <clscan/device.h>
#include <clscan/export.h>
#include <clscan/problem.h>
#include <clscan/status.h>
#include <clscan/types.h>
#include <clscan/variant.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A parsed config file. Immutable; may be shared between threads. */
typedef struct clscan_config clscan_config;

/** Largest config file that is read, in bytes. Real ones hold a few KiB. */
#define CLSCAN_CONFIG_MAX_BYTES (4u * 1024u * 1024u)

/** Parse a config.
 *
 * \param text        JSON in UTF-8, no terminator needed. Not kept.
 * \param text_bytes  Length of \p text, at most CLSCAN_CONFIG_MAX_BYTES.
 * \param source      Name for messages and explanations, such as a path. Copied.
 * \param config      Receives the config; destroy it with clscan_config_destroy().
 * \return CLSCAN_OK; CLSCAN_ERROR_CONFIG_SYNTAX with source, line and column; CLSCAN_ERROR_CONFIG_SCHEMA or
 *         CLSCAN_ERROR_CONFIG_VERSION with source and JSON pointer; CLSCAN_ERROR_ILLEGAL_VARIANT with source
 *         and JSON pointer; CLSCAN_ERROR_CONFIG_SIZE; CLSCAN_ERROR_NULL_ARGUMENT; CLSCAN_ERROR_OUT_OF_MEMORY.
 *
 * Thread-safe. */
CLSCAN_API clscan_status clscan_config_parse(const char *text, size_t text_bytes, const char *source,
                                             clscan_config **config, clscan_error *error);

/** Read and parse a config file.
 *
 * \param path    A regular file of at most CLSCAN_CONFIG_MAX_BYTES. Its name stands in messages and explanations.
 * \param config  Receives the config; destroy it with clscan_config_destroy().
 * \return as clscan_config_parse(), or CLSCAN_ERROR_FILE with the path and the system's reason.
 *
 * Thread-safe. */
CLSCAN_API clscan_status clscan_config_load(const char *path, clscan_config **config, clscan_error *error);

/** Release a config. NULL does nothing. Plans do not keep configs. */
CLSCAN_API void clscan_config_destroy(clscan_config *config);

/** Which entry serves a count, from which file, and why. */
typedef struct clscan_choice {
    size_t struct_size;     /**< sizeof(clscan_choice) */
    clscan_variant variant; /**< what would run */
    uint64_t largest_count; /**< this choice serves counts up to here; UINT64_MAX: no limit */
    char source[256];       /**< file (or "built-in NAME", "last resort", "plan options", "measured now") of an entry */
    char entry[64];         /**< JSON pointer of the entry in the file; "" if there is none */
    char matched[64];       /**< the device key, architecture, family or generic class that matched */
    char reason[512];  /**< one sentence: how the entry was found, what was skipped before it; of a plan that was to
                                 measure, also what that came to for its max_count */
    char revision[24]; /**< revision of the kernels that the entry was measured with here; "" if unknown */
} clscan_choice;

/** Which variant would serve \p count in a plan for \p problem? The same code as plans use, without compiling anything.
 *
 * \param config    Explicit config or NULL.
 * \param device    The device to choose for. Its arithmetic may not permit reproducible plans; that is not checked.
 * \param problem   Only the computation and the elements matter; custom may be missing, and so may max_count: then the
 *                  plan is one for \p count elements. From some max_count on, flags and keys of segments are turned
 *                  into marks, beside which other entries serve.
 * \param count     Number of elements, also above problem->max_count.
 * \param in_place  1 for runs whose output is their input.
 * \param choice    Receives the answer; its struct_size is set.
 * \return CLSCAN_OK; CLSCAN_ERROR_NULL_ARGUMENT; CLSCAN_ERROR_STRUCT_SIZE; CLSCAN_ERROR_INVALID_VALUE for an unknown
 *         operation, type or operator; CLSCAN_ERROR_INVALID_VALUE and CLSCAN_ERROR_UNSUPPORTED_TYPE for an element
 *         (clscan_plan_create()); errors of clscan_config_load() for CLSCAN_CONFIG.
 *
 * Selections, segments and rows are served by entries of their own, or of scans where there are none. The count of
 * rows is the elements of one, and largest_count is the longest row for which the answer is the same. Elements that
 * are no scalars are served by the entries for their size, or of the next smaller one that a config has, with tiles of
 * as many bytes. The reason says so.
 *
 * Reads files; thread-safe. */
CLSCAN_API clscan_status clscan_config_explain(const clscan_config *config, const clscan_device_info *device,
                                               const clscan_problem *problem, uint64_t count, int in_place,
                                               clscan_choice *choice, clscan_error *error);

#ifdef __cplusplus
}
#endif
#endif
