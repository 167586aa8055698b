/* Which elements tests of selections mark, by a flag or for a predicate. */
#ifndef CLSCAN_TESTS_KEEP_PATTERNS_H
#define CLSCAN_TESTS_KEEP_PATTERNS_H

#include <stdbool.h>
#include <stdint.h>

typedef enum keep_pattern {
    SOME,
    MANY,
    FEW, /* less than one in a tile */
    ALL,
    NONE,
    LAST,
    FIRST,
    HEADS, /* the second one, and the first of each tile */
    FRONT, /* the front half */
    PATTERNS
} keep_pattern;

/* 32 bits that nobody can guess. */
static inline uint64_t mixed(uint64_t x)
{
    x = (x ^ x >> 31) * UINT64_C(0x9e3779b97f4a7c15);
    return (x ^ x >> 29) * UINT64_C(0xbf58476d1ce4e5b9) >> 32;
}

/* Does it mark element `index` of so many? */
static inline bool pattern_marks(keep_pattern pattern, uint64_t index, uint64_t count, uint64_t tile)
{
    switch (pattern) {
    case SOME:
        return mixed(index * 3 + 11) % 2 == 0;
    case MANY:
        return mixed(index * 3 + 11) % 16 != 0;
    case FEW:
        return mixed(index * 3 + 11) % (tile + tile / 2) == 0;
    case ALL:
        return true;
    case LAST:
        return index + 1 == count;
    case FIRST:
        return index == 0;
    case HEADS:
        return index == 1 || index % tile == 0;
    case FRONT:
        return index < count / 2;
    default:
        return false;
    }
}

#endif
