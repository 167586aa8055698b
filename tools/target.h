/* The device that a command works on, with what it needs to run something there. */
#ifndef CLSCAN_TOOLS_TARGET_H
#define CLSCAN_TOOLS_TARGET_H

#include <stddef.h>
#include <stdint.h>

#include <clscan/clscan.h>

typedef struct target {
    cl_device_id device;
    clscan_device_info info; /* less what the start-up probe forbids */
    clscan_config *config;   /* of --config, else NULL */
    cl_context context;      /* NULL until target_start() */
    cl_command_queue queue;  /* in order, with profiling */
} target;

/* Find and describe the device, and load the config file; `selector` and `config_path` may be NULL. */
clscan_status target_find(target *t, const char *selector, const char *config_path, clscan_error *error);

/* Create context and queue. */
clscan_status target_start(target *t, clscan_error *error);

/* Make a plan by the target's config, and a workspace that is bound to its queue. Destroy both, even after a
 * failure. */
clscan_status target_plan(const target *t, const clscan_problem *problem, clscan_plan **plan,
                          clscan_workspace **workspace, clscan_error *error);

/* Create a buffer in the target's context, for the device to read and write. */
clscan_status target_buffer(const target *t, uint64_t size_bytes, cl_mem *buffer, clscan_error *error);

/* The same for `count` units of so many bytes, and for one where there are none. Fails if no buffer holds as many. */
clscan_status target_units(const target *t, uint64_t count, size_t unit_bytes, cl_mem *buffer, clscan_error *error);

/* Release everything; also after a failed target_find(). */
void target_release(target *t);

#define HELP_DEVICE                                                                                       \
    "device: its number in 'clscan devices', or a part of its name, platform or key (default: the first " \
    "GPU, "                                                                                               \
    "else the first device)"
#define HELP_CONFIG "config file that comes before all others"
#define HELP_RAW_TYPE "element type of a raw IN: int8, uint8, ... int64, uint64, half, float, double"
#define HELP_CHUNK_BYTES "largest chunk, as 100000, 2^20, 64M, 64MiB (default: 256M, 32M for raw pipes, or what fits)"

#endif
