/** \file generate.h
 * Inputs from a seed. Element i depends on the seed and on i only, so any part of an input can be
 * made again without the rest.
 */
#ifndef CLSCAN_GENERATE_H
#define CLSCAN_GENERATE_H

#include <stddef.h>
#include <stdint.h>

#include <clscan/clscan.h>

#ifdef __cplusplus
extern "C" {
#endif

/* clang-format off */
#define CLSCAN_GENERATOR_LIST(X)                                                                   \
    X(UNIFORM,     uniform,     "any bit pattern; floating point: -1 .. 1 in steps of 2^-10")      \
    X(SMALL,       small,       "whole numbers -8 .. 8: sums of 2^20 of them are exact in float")  \
    X(FACTORS,     factors,     "any product of neighbours is exact; integers are odd")            \
    X(MOSTLY_ZERO, mostly_zero, "at one place in 37 a number that tells its position")             \
    X(RISING,      rising,      "grows slowly with noise: a running maximum keeps changing")       \
    X(FALLING,     falling,     "the same downwards, for a running minimum")                       \
    X(ONE_BIT,     one_bit,     "zeros and, rarely, a single bit: a running or keeps changing")    \
    X(ONE_HOLE,    one_hole,    "the complement of one_bit, for and")                              \
    X(SPECIAL,     special,     "floating point: signed zeros, infinities, NaNs with payload, extremes") \
    X(ONES,        ones,        "1 everywhere")                                                  \
    X(WIDE,        wide,        "floating point: any significand, exponents from -12 to 12: each grouping rounds in another way") \
    X(NEAR_ONE,    near_one,    "floating point: 1 and a little: products round and stay finite")
/* clang-format on */

typedef enum clscan_generator {
#define X(name, text, meaning) CLSCAN_GENERATE_##name,
    CLSCAN_GENERATOR_LIST(X)
#undef X
        CLSCAN_GENERATOR_COUNT
} clscan_generator;

/** Name of a generator, "mostly_zero"; "unknown" for other numbers. Static. */
const char *clscan_generator_name(clscan_generator generator);

/** The generator that finds most mistakes for a problem while every result stays exact, so that any
 * grouping of the operands gives the same bits. Floating-point sums stay exact up to 2^20 elements.
 */
clscan_generator clscan_generator_for(clscan_type type, clscan_operator op, clscan_direction direction);

/** Make elements first .. first + count - 1 of an input.
 * \param out  Receives \p count elements of \p type. */
void clscan_generate(clscan_generator generator, clscan_type type, uint64_t seed, uint64_t first, uint64_t count,
                     void *out);

/** One number out of (seed, index), well mixed: SplitMix64's finaliser over both. */
uint64_t clscan_generate_bits(uint64_t seed, uint64_t index);

/** Number from an environment variable, else \p fallback. Prints "NAME=value" to stdout either way,
 * so that a failing run can be repeated. */
uint64_t clscan_seed_from_environment(const char *name, uint64_t fallback);

#ifdef __cplusplus
}
#endif
#endif
