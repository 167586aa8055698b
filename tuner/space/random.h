/* Numbers from a seed: the same on every machine. */
#ifndef CLSCAN_TUNER_RANDOM_H
#define CLSCAN_TUNER_RANDOM_H

#include <stdint.h>

/* Scramble 64 bits (the finaliser of SplitMix64). */
static inline uint64_t tune_mix(uint64_t x)
{
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

/* The next number of a sequence; *state is the seed at first. */
static inline uint64_t tune_random(uint64_t *state)
{
    return tune_mix((*state)++);
}

/* Uniform in 0 .. bound - 1, bound at least 1; the bias is below 2^-32 for bounds up to 2^32. */
static inline uint64_t tune_random_below(uint64_t *state, uint64_t bound)
{
    return tune_random(state) % bound;
}

#endif
