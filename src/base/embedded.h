/* Text files that the build embeds (cmake/EmbedFiles.cmake). */
#ifndef CLSCAN_BASE_EMBEDDED_H
#define CLSCAN_BASE_EMBEDDED_H

#include <stddef.h>

typedef struct clscan__embedded_file {
    const char *name; /* path inside its folder, "bodies/strided.cl", "nvidia/gpu.json" */
    const char *text; /* terminated by a zero that text_bytes does not count */
    size_t text_bytes;
} clscan__embedded_file;

extern const clscan__embedded_file clscan__embedded_kernels[];
extern const size_t clscan__embedded_kernel_count;

extern const clscan__embedded_file clscan__embedded_configs[];
extern const size_t clscan__embedded_config_count;

#endif
