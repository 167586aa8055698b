/* A generator of the tests' own, so that a failure comes again on any machine. */
#ifndef CLSCAN_TESTS_RANDOM_H
#define CLSCAN_TESTS_RANDOM_H

#include <stdint.h>

/* The next state, which is the number, too. Its low bits repeat soon: take it from the top (`>> 24`, `>> 8`). */
static inline uint32_t next_random(uint32_t *state)
{
    return *state = *state * 1664525u + 1013904223u;
}

#endif
