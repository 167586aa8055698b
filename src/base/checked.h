/* Size arithmetic that cannot wrap unnoticed, and small integer helpers. */
#ifndef CLSCAN_BASE_CHECKED_H
#define CLSCAN_BASE_CHECKED_H

#include <stdbool.h>
#include <stdint.h>

/* Each writes *result and returns true, or returns false where the true result does not fit. */
static inline bool clscan__add_u64(uint64_t a, uint64_t b, uint64_t *result)
{
    *result = a + b;
    return *result >= a;
}

static inline bool clscan__mul_u64(uint64_t a, uint64_t b, uint64_t *result)
{
    *result = a * b;
    return a == 0 || *result / a == b;
}

static inline uint64_t clscan__divide_up(uint64_t a, uint64_t b)
{
    return a / b + (a % b != 0);
}

static inline uint64_t clscan__min_u64(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static inline bool clscan__is_power_of_two(uint64_t value)
{
    return value != 0 && (value & (value - 1)) == 0;
}

/* Smallest multiple of a power of two that is not below `value`, which must be far from 2^64. */
static inline uint64_t clscan__align_up(uint64_t value, uint64_t alignment)
{
    return (value + alignment - 1) & ~(alignment - 1);
}

#endif
