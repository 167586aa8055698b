/* Where segments begin in tests. */
#ifndef CLSCAN_TESTS_SEGMENT_PATTERNS_H
#define CLSCAN_TESTS_SEGMENT_PATTERNS_H

#include <stdbool.h>
#include <stdint.h>

#include "generate.h"

typedef enum segment_pattern {
    EVERYWHERE,
    NOWHERE,
    AT_RANDOM,
    AT_TILES,
    BEFORE_TILES, /* at the last element of each tile */
    PATTERN_COUNT
} segment_pattern;

static inline bool segment_begins(segment_pattern pattern, uint64_t tile, uint64_t index)
{
    switch (pattern) {
    case EVERYWHERE:
        return true;
    case NOWHERE:
        return false;
    case AT_RANDOM:
        return clscan_generate_bits(5, index) % 4 == 0;
    case AT_TILES:
        return index % tile == 0;
    default:
        return index % tile == tile - 1;
    }
}

#endif
