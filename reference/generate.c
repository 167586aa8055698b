#include "generate.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reference.h"

const char *clscan_generator_name(clscan_generator generator)
{
    static const char *const names[CLSCAN_GENERATOR_COUNT] = {
#define X(name, text, meaning) #text,
        CLSCAN_GENERATOR_LIST(X)
#undef X
    };
    return (unsigned)generator < CLSCAN_GENERATOR_COUNT ? names[generator] : "unknown";
}

uint64_t clscan_generate_bits(uint64_t seed, uint64_t index)
{
    uint64_t bits = (index + 1) * UINT64_C(0x9e3779b97f4a7c15) + seed * UINT64_C(0xd1342543de82ef95);
    bits = (bits ^ (bits >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    bits = (bits ^ (bits >> 27)) * UINT64_C(0x94d049bb133111eb);
    return bits ^ (bits >> 31);
}

clscan_generator clscan_generator_for(clscan_type type, clscan_operator op, clscan_direction direction)
{
    const int forward = direction == CLSCAN_FORWARD;
    switch (op) {
    case CLSCAN_ADD:
        return clscan_reference_is_floating(type) ? CLSCAN_GENERATE_SMALL : CLSCAN_GENERATE_UNIFORM;
    case CLSCAN_MUL:
        return CLSCAN_GENERATE_FACTORS;
    case CLSCAN_MIN:
        return forward ? CLSCAN_GENERATE_FALLING : CLSCAN_GENERATE_RISING;
    case CLSCAN_MAX:
        return forward ? CLSCAN_GENERATE_RISING : CLSCAN_GENERATE_FALLING;
    case CLSCAN_AND:
        return CLSCAN_GENERATE_ONE_HOLE;
    case CLSCAN_OR:
        return CLSCAN_GENERATE_ONE_BIT;
    case CLSCAN_CUSTOM:
        return CLSCAN_GENERATE_MOSTLY_ZERO;
    case CLSCAN_XOR:
    case CLSCAN_OPERATOR_COUNT:
    default:
        return CLSCAN_GENERATE_UNIFORM;
    }
}

/* A floating-point number as a value of type's accumulator type; only for floating-point types. */
static clscan_value from_double(clscan_type type, double number)
{
    clscan_value value = {.bits = 0};
    if (type == CLSCAN_DOUBLE)
        value.float64 = number;
    else
        value.float32 = (float)number;
    return value;
}

/* Exponent of the running product after element `index`; so the product of elements first .. last
 * is 2^(exponent(last) - exponent(first - 1)), whatever their number. */
static int running_exponent(uint64_t seed, uint64_t index)
{
    return (int)(clscan_generate_bits(seed ^ 0x5eed, index) % 5);
}

static clscan_value factor(clscan_type type, uint64_t seed, uint64_t index)
{
    const uint64_t bits = clscan_generate_bits(seed, index);
    if (!clscan_reference_is_floating(type))
        return clscan_value_from_int(type, (int64_t)(bits | 1));
    const int before = index == 0 ? 0 : running_exponent(seed, index - 1);
    const int exponent = running_exponent(seed, index) - before;
    return from_double(type, (bits & 1 ? -1.0 : 1.0) * ldexp(1.0, exponent));
}

/* A ramp with noise: a step every few elements, up to a height that every type holds exactly. */
enum { RAMP_NOISE = 8 };

static int64_t ramp_height(clscan_type type)
{
    const size_t size = clscan_type_size_bytes(type);
    return size == 1 ? 100 : (size == 2 ? 2000 : 8000000);
}

static int64_t ramp(clscan_type type, uint64_t seed, uint64_t index)
{
    const uint64_t step = index / (clscan_type_size_bytes(type) == 1 ? 64 : 8);
    const uint64_t height = (uint64_t)ramp_height(type);
    const uint64_t noise = clscan_generate_bits(seed, index) % RAMP_NOISE;
    return (int64_t)((step < height ? step : height) + noise);
}

/* By their bits: the patterns every implementation must move unharmed. */
static void special(clscan_type type, uint64_t bits, void *element)
{
    static const uint16_t halves[] = {0x0000, 0x8000, 0x7c00, 0xfc00, 0x7e01, 0xfe55,
                                      0x0001, 0x83ff, 0x7bff, 0xfbff, 0x3c00, 0xc000};
    static const uint32_t floats[] = {0x00000000, 0x80000000, 0x7f800000, 0xff800000, 0x7fc01234, 0xffc54321,
                                      0x00800000, 0x80800001, 0x7f7fffff, 0xff7fffff, 0x3f800000, 0xc0000000};
    static const uint64_t doubles[] = {
        UINT64_C(0x0000000000000000), UINT64_C(0x8000000000000000), UINT64_C(0x7ff0000000000000),
        UINT64_C(0xfff0000000000000), UINT64_C(0x7ff8000000001234), UINT64_C(0xfff8765432100001),
        UINT64_C(0x0000000000000001), UINT64_C(0x800fffffffffffff), UINT64_C(0x7fefffffffffffff),
        UINT64_C(0xffefffffffffffff), UINT64_C(0x3ff0000000000000), UINT64_C(0xc000000000000000)};
    enum { NAN_FIRST = 4, NAN_LAST = 5, SPECIALS = 12 };

    size_t which = (size_t)(bits % SPECIALS);
    /* NaNs end a running minimum for good, so most of them are put off. */
    if (which >= NAN_FIRST && which <= NAN_LAST && (bits >> 32) % 64 != 0)
        which = SPECIALS - 1;
    if (type == CLSCAN_HALF)
        memcpy(element, &halves[which], sizeof halves[which]);
    else if (type == CLSCAN_FLOAT)
        memcpy(element, &floats[which], sizeof floats[which]);
    else
        memcpy(element, &doubles[which], sizeof doubles[which]);
}

static clscan_value make(clscan_generator generator, clscan_type type, uint64_t seed, uint64_t index)
{
    const uint64_t bits = clscan_generate_bits(seed, index);
    const unsigned width = 8u * (unsigned)clscan_type_size_bytes(type);

    switch (generator) {
    case CLSCAN_GENERATE_UNIFORM:
        if (clscan_reference_is_floating(type))
            return from_double(type, ((double)(bits % 2049) - 1024.0) / 1024.0);
        return clscan_value_from_int(type, (int64_t)bits);
    case CLSCAN_GENERATE_SMALL:
        return clscan_value_from_int(type, (int64_t)(bits % 17) - 8);
    case CLSCAN_GENERATE_FACTORS:
        return factor(type, seed, index);
    case CLSCAN_GENERATE_MOSTLY_ZERO:
        /* 1 .. 100 fits every type; neighbours differ, so a wrong one is seen. */
        return clscan_value_from_int(type, bits % 37 == 0 ? 1 + (int64_t)(index % 100) : 0);
    case CLSCAN_GENERATE_RISING:
        return clscan_value_from_int(type, ramp(type, seed, index));
    case CLSCAN_GENERATE_FALLING:
        return clscan_value_from_int(type, ramp_height(type) + RAMP_NOISE - ramp(type, seed, index));
    case CLSCAN_GENERATE_ONE_BIT:
    case CLSCAN_GENERATE_ONE_HOLE: {
        const uint64_t one =
            (bits >> 32) % 41 == 0 ? UINT64_C(1) << (bits % (clscan_reference_is_floating(type) ? 8u : width)) : 0;
        return clscan_value_from_int(type, (int64_t)(generator == CLSCAN_GENERATE_ONE_HOLE ? ~one : one));
    }
    case CLSCAN_GENERATE_ONES:
        return clscan_value_from_int(type, 1);
    case CLSCAN_GENERATE_WIDE:
        if (!clscan_reference_is_floating(type))
            return clscan_value_from_int(type, (int64_t)bits);
        return from_double(type, ldexp((double)(int64_t)bits, (int)((seed ^ bits >> 3) % 25) - 12 - 63));
    case CLSCAN_GENERATE_NEAR_ONE:
        if (!clscan_reference_is_floating(type))
            return clscan_value_from_int(type, (int64_t)(bits | 1));
        return from_double(type, (bits & 1 ? -1.0 : 1.0) * (1.0 + ldexp((double)(int64_t)bits, -63 - 9)));
    case CLSCAN_GENERATE_SPECIAL: /* floating-point types go by their bits, in clscan_generate() */
        return clscan_value_from_int(type, (int64_t)bits);
    case CLSCAN_GENERATOR_COUNT:
    default:
        return clscan_value_from_int(type, 0);
    }
}

void clscan_generate(clscan_generator generator, clscan_type type, uint64_t seed, uint64_t first, uint64_t count,
                     void *out)
{
    const size_t size = clscan_type_size_bytes(type);
    unsigned char *const to = out;

    for (uint64_t i = 0; i < count; ++i) {
        if (generator == CLSCAN_GENERATE_SPECIAL && clscan_reference_is_floating(type))
            special(type, clscan_generate_bits(seed, first + i), to + i * size);
        else
            clscan_value_store(type, make(generator, type, seed, first + i), to + i * size);
    }
}

uint64_t clscan_seed_from_environment(const char *name, uint64_t fallback)
{
    const char *text = getenv(name);
    uint64_t value = fallback;

    if (text != NULL && *text != '\0') {
        char *end;
        const unsigned long long parsed = strtoull(text, &end, 0);
        if (*end == '\0')
            value = parsed;
    }
    printf("%s=%" PRIu64 "\n", name, value);
    fflush(stdout);
    return value;
}
