/* What the command line says. */
#ifndef CLSCAN_TESTS_SOAK_SETTINGS_H
#define CLSCAN_TESTS_SOAK_SETTINGS_H

#include <stdint.h>

typedef struct soak_settings {
    const char *device; /* as for clscan_device_find(); NULL: the first one */
    uint64_t seed;
    uint64_t seconds; /* 0: no end by time */
    uint64_t runs;    /* 0: no end by number */
    uint64_t jobs;    /* worker processes */
    uint64_t runs_per_plan;
    uint64_t plan; /* the only one, if only_plan */
    int only_plan;
    uint64_t patience_s;    /* without a beat for so long, a worker hangs */
    uint64_t most_failures; /* ends then */
    uint64_t deadline_ns;   /* of clscan__now_ns(); 0: none */
} soak_settings;

#endif
