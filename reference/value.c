#include "value.h"

#include <inttypes.h>
#include <stdio.h>

float clscan_half_to_float(uint16_t half)
{
    const uint32_t sign = (uint32_t)(half & 0x8000u) << 16;
    const uint32_t exponent = (half >> 10) & 0x1fu;
    const uint32_t fraction = half & 0x3ffu;
    uint32_t bits;
    float value;

    if (exponent == 0x1fu) {
        const uint32_t quiet = fraction != 0 ? 0x400000u : 0;
        bits = sign | 0x7f800000u | quiet | fraction << 13;
    } else if (exponent == 0) {
        /* Subnormal or zero: fraction units of 2^-24, exact in float. */
        value = (float)fraction * 0x1p-24f;
        memcpy(&bits, &value, sizeof bits);
        bits |= sign;
    } else {
        bits = sign | (exponent + 112u) << 23 | fraction << 13;
    }
    memcpy(&value, &bits, sizeof value);
    return value;
}

uint16_t clscan_half_from_float(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    const uint32_t sign = (bits >> 16) & 0x8000u;
    const uint32_t magnitude = bits & 0x7fffffffu;
    uint32_t half;

    if (magnitude > 0x7f800000u) { /* NaN, made quiet */
        half = 0x7e00u | ((magnitude >> 13) & 0x3ffu);
    } else if (magnitude >= 0x477ff000u) { /* 65520 and more round to infinity */
        half = 0x7c00u;
    } else if (magnitude >= 0x38800000u) { /* 2^-14: normal; a carry into the exponent is right */
        const uint32_t odd = (magnitude >> 13) & 1u;
        half = (magnitude - (112u << 23) + 0xfffu + odd) >> 13;
    } else if (magnitude <= 0x33000000u) { /* 2^-25 is the tie between 0 and the first subnormal */
        half = 0;
    } else {
        const uint32_t significand = (magnitude & 0x7fffffu) | 0x800000u;
        const uint32_t shift = 126u - (magnitude >> 23);
        const uint32_t rest = significand & ((1u << shift) - 1u);
        const uint32_t tie = 1u << (shift - 1u);
        half = significand >> shift;
        if (rest > tie || (rest == tie && (half & 1u) != 0))
            ++half;
    }
    return (uint16_t)(sign | half);
}

clscan_value clscan_value_load(clscan_type type, const void *element)
{
    return load(type, clscan_type_size_bytes(type), element);
}

void clscan_value_store(clscan_type type, clscan_value value, void *element)
{
    store(type, clscan_type_size_bytes(type), value, element);
}

double clscan_value_as_double(clscan_type type, clscan_value value)
{
    return clscan_type_accumulator(type) == CLSCAN_FLOAT ? (double)value.float32 : value.float64;
}

clscan_value clscan_value_from_int(clscan_type type, int64_t number)
{
    clscan_value value = {.bits = 0};
    switch (clscan_type_accumulator(type)) {
#define X(member, name, cl_type)           \
    case CLSCAN_##name:                    \
        value.member = (member##_t)number; \
        break;
        INTEGER_TYPES(X)
#undef X
    case CLSCAN_FLOAT:
        value.float32 = (float)number;
        break;
    case CLSCAN_DOUBLE:
        value.float64 = (double)number;
        break;
    case CLSCAN_HALF:
    case CLSCAN_TYPE_COUNT:
    default:
        break;
    }
    return value;
}

int clscan_value_format(clscan_type type, clscan_value value, char *text, size_t size_bytes)
{
    switch (clscan_type_accumulator(type)) {
#define X(member, name, cl_type) \
    case CLSCAN_##name:          \
        return snprintf(text, size_bytes, "%" PRId64 " (0x%" PRIx64 ")", (int64_t)value.member, value.bits);
        SIGNED_TYPES(X)
#undef X
#define X(member, name, cl_type) \
    case CLSCAN_##name:          \
        return snprintf(text, size_bytes, "%" PRIu64 " (0x%" PRIx64 ")", (uint64_t)value.member, value.bits);
        UNSIGNED_TYPES(X)
#undef X
    case CLSCAN_FLOAT:
        return snprintf(text, size_bytes, "%.9g (0x%08" PRIx64 ")", (double)value.float32, value.bits);
    case CLSCAN_DOUBLE:
        return snprintf(text, size_bytes, "%.17g (0x%016" PRIx64 ")", value.float64, value.bits);
    case CLSCAN_HALF:
    case CLSCAN_TYPE_COUNT:
    default:
        return snprintf(text, size_bytes, "?");
    }
}
