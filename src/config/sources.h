/* The configs that no application names: of CLSCAN_CONFIG, the user's folder, and the built-in ones.
 *
 * They are parsed once for the process, and again when the environment or a file has changed. A change of a file is
 * seen a millisecond later at most. */
#ifndef CLSCAN_CONFIG_SOURCES_H
#define CLSCAN_CONFIG_SOURCES_H

#include <clscan/config.h>

/* Where a config came from; earlier groups are asked first. */
typedef enum clscan__config_group {
    CLSCAN__CONFIG_GROUP_EXPLICIT,
    CLSCAN__CONFIG_GROUP_ENVIRONMENT,
    CLSCAN__CONFIG_GROUP_USER,
    CLSCAN__CONFIG_GROUP_BUILT_IN,
    CLSCAN__CONFIG_GROUP_COUNT
} clscan__config_group;

typedef struct clscan__config_source {
    clscan__config_group from;
    const clscan_config *config;
} clscan__config_source;

/* Immutable and counted. */
typedef struct clscan__config_sources clscan__config_sources;

/* All sources as they are now; the caller releases *sources. The errors of clscan_config_load() for CLSCAN_CONFIG. */
clscan_status clscan__config_sources_get(clscan__config_sources **sources, clscan_error *error);
void clscan__config_sources_release(clscan__config_sources *sources); /* NULL does nothing */

/* What is asked for from now on is read anew: the caller has changed a file, or what no file keeps (unkept.h). */
void clscan__config_sources_changed(void);

/* In the order of asking. */
const clscan__config_source *clscan__config_sources_list(const clscan__config_sources *sources, size_t *count);

#endif
