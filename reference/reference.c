#include "reference.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/*    member   enum    OpenCL C  bits of half a word, for the packed sample operator */
/* clang-format off */
#define SIGNED_TYPES(X)   X(int8, INT8, "char") X(int16, INT16, "short") X(int32, INT32, "int") \
                          X(int64, INT64, "long")
#define UNSIGNED_TYPES(X) X(uint8, UINT8, "uchar") X(uint16, UINT16, "ushort") \
                          X(uint32, UINT32, "uint") X(uint64, UINT64, "ulong")
#define INTEGER_TYPES(X)  SIGNED_TYPES(X) UNSIGNED_TYPES(X)
#define FLOATING_TYPES(X) X(float32, FLOAT, "float") X(float64, DOUBLE, "double")
/* clang-format on */

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
    clscan_value value = {.bits = 0};
    if (type == CLSCAN_HALF) {
        uint16_t half;
        memcpy(&half, element, sizeof half);
        value.float32 = clscan_half_to_float(half);
    } else {
        /* Every member of the union starts at its first byte. */
        memcpy(&value, element, clscan_type_size_bytes(type));
    }
    return value;
}

void clscan_value_store(clscan_type type, clscan_value value, void *element)
{
    if (type == CLSCAN_HALF) {
        const uint16_t half = clscan_half_from_float(value.float32);
        memcpy(element, &half, sizeof half);
    } else {
        memcpy(element, &value, clscan_type_size_bytes(type));
    }
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

/* Operators on accumulator values. Integer sums and products are computed in 64 unsigned bits, so they
 * wrap as the type does and nothing overflows. */
#define DEFINE(type, op, expression)                                       \
    static clscan_value type##_##op(clscan_value left, clscan_value right) \
    {                                                                      \
        clscan_value result = {.bits = 0};                                 \
        result.type = expression;                                          \
        return result;                                                     \
    }

#define X(type, name, cl_type)                                                \
    DEFINE(type, add, (type##_t)((uint64_t)left.type + (uint64_t)right.type)) \
    DEFINE(type, mul, (type##_t)((uint64_t)left.type * (uint64_t)right.type)) \
    DEFINE(type, min, right.type < left.type ? right.type : left.type)        \
    DEFINE(type, max, left.type < right.type ? right.type : left.type)        \
    DEFINE(type, and, (type##_t)(left.type & right.type))                     \
    DEFINE(type, or, (type##_t)(left.type | right.type))                      \
    DEFINE(type, xor, (type##_t)(left.type ^ right.type))
INTEGER_TYPES(X)
#undef X

/* min and max pick an operand whole, by its bits: the leftmost NaN, the left one of equals. */
#define DEFINE_PICK(type, op, take_right)                                  \
    static clscan_value type##_##op(clscan_value left, clscan_value right) \
    {                                                                      \
        if (isnan(left.type))                                              \
            return left;                                                   \
        return isnan(right.type) || (take_right) ? right : left;           \
    }

#define X(type, name, cl_type)                     \
    DEFINE(type, add, left.type + right.type)      \
    DEFINE(type, mul, left.type *right.type)       \
    DEFINE_PICK(type, min, right.type < left.type) \
    DEFINE_PICK(type, max, left.type < right.type)
FLOATING_TYPES(X)
#undef X

static clscan_reference_combine *const combine_table[CLSCAN_TYPE_COUNT][CLSCAN_OPERATOR_COUNT] = {
#define X(type, name, cl_type)                                                                                      \
    [CLSCAN_##name] = {                                                                                             \
        [CLSCAN_ADD] = type##_add, [CLSCAN_MUL] = type##_mul, [CLSCAN_MIN] = type##_min, [CLSCAN_MAX] = type##_max, \
        [CLSCAN_AND] = type##_and, [CLSCAN_OR] = type##_or,   [CLSCAN_XOR] = type##_xor,                            \
    },
    INTEGER_TYPES(X)
#undef X
#define X(type, name, cl_type)     \
    [CLSCAN_##name] = {            \
        [CLSCAN_ADD] = type##_add, \
        [CLSCAN_MUL] = type##_mul, \
        [CLSCAN_MIN] = type##_min, \
        [CLSCAN_MAX] = type##_max, \
    },
        FLOATING_TYPES(X)
#undef X
};

clscan_reference_combine *clscan_reference_operator(const clscan_reference *what)
{
    if (what->op == CLSCAN_CUSTOM)
        return what->combine;
    return combine_table[clscan_type_accumulator(what->type)][what->op];
}

/* The ends of a type's range; infinities for floating-point numbers. */
static clscan_value extreme(clscan_type type, int largest)
{
    clscan_value value = {.bits = 0};
    switch (clscan_type_accumulator(type)) {
#define X(member, name, cl_type)                               \
    case CLSCAN_##name:                                        \
        value.member = (member##_t)(largest ? UINT64_MAX : 0); \
        break;
        UNSIGNED_TYPES(X)
#undef X
    case CLSCAN_INT8:
        value.int8 = largest ? INT8_MAX : INT8_MIN;
        break;
    case CLSCAN_INT16:
        value.int16 = largest ? INT16_MAX : INT16_MIN;
        break;
    case CLSCAN_INT32:
        value.int32 = largest ? INT32_MAX : INT32_MIN;
        break;
    case CLSCAN_INT64:
        value.int64 = largest ? INT64_MAX : INT64_MIN;
        break;
    case CLSCAN_FLOAT:
        value.float32 = largest ? INFINITY : -INFINITY;
        break;
    case CLSCAN_DOUBLE:
        value.float64 = largest ? (double)INFINITY : -(double)INFINITY;
        break;
    case CLSCAN_HALF:
    case CLSCAN_TYPE_COUNT:
    default:
        break;
    }
    return value;
}

int clscan_reference_identity(const clscan_reference *what, clscan_value *identity)
{
    switch (what->op) {
    case CLSCAN_ADD:
    case CLSCAN_OR:
    case CLSCAN_XOR:
        *identity = clscan_value_from_int(what->type, 0);
        return 1;
    case CLSCAN_MUL:
        *identity = clscan_value_from_int(what->type, 1);
        return 1;
    case CLSCAN_MIN:
        *identity = extreme(what->type, 1);
        return 1;
    case CLSCAN_MAX:
        *identity = extreme(what->type, 0);
        return 1;
    case CLSCAN_AND:
        *identity = clscan_value_from_int(what->type, -1);
        return 1;
    case CLSCAN_CUSTOM:
        if (what->identity == NULL)
            return 0;
        *identity = *what->identity;
        return 1;
    case CLSCAN_OPERATOR_COUNT:
    default:
        return 0;
    }
}

int clscan_reference_is_floating(clscan_type type)
{
    return type == CLSCAN_HALF || type == CLSCAN_FLOAT || type == CLSCAN_DOUBLE;
}

int clscan_reference_depends_on_grouping(clscan_type type, clscan_operator op)
{
    return clscan_reference_is_floating(type) && op != CLSCAN_MIN && op != CLSCAN_MAX;
}

clscan_status clscan_reference_scan(const clscan_reference *what, const void *in, uint64_t count,
                                    const clscan_value *initial, void *out, clscan_value *total)
{
    clscan_reference_combine *const combine = clscan_reference_operator(what);
    const size_t size = clscan_type_size_bytes(what->type);
    const int reverse = what->direction == CLSCAN_REVERSE;
    const unsigned char *const from = in;
    unsigned char *const to = out;
    clscan_value identity;

    if (combine == NULL)
        return CLSCAN_ERROR_UNSUPPORTED_TYPE;
    const int has_identity = clscan_reference_identity(what, &identity);
    const int needs_one = (what->form == CLSCAN_EXCLUSIVE && count > 0) || (total != NULL && count == 0);
    if (initial == NULL && !has_identity && needs_one)
        return CLSCAN_ERROR_NO_IDENTITY;
    if (what->reproducible && clscan_reference_depends_on_grouping(what->type, what->op))
        return clscan_reference_scan_reproducible(what, in, count, initial, out, total);

    /* `running` combines everything so far, the initial value included; there is nothing yet before
     * the first element of a scan without an initial value, and then `running` is the identity but
     * never an operand. */
    clscan_value running = {.bits = 0};
    int started = 0;
    if (initial != NULL) {
        running = *initial;
        started = 1;
    } else if (has_identity) {
        running = identity;
    }
    for (uint64_t step = 0; step < count; ++step) {
        const uint64_t i = reverse ? count - 1 - step : step;
        const clscan_value before = running;
        const clscan_value x = clscan_value_load(what->type, from + i * size);

        if (!started)
            running = x;
        else
            running = reverse ? combine(x, running) : combine(running, x);
        started = 1;
        clscan_value_store(what->type, what->form == CLSCAN_EXCLUSIVE ? before : running, to + i * size);
    }
    if (total != NULL)
        *total = running;
    return CLSCAN_OK;
}

static int is_nan(clscan_type type, clscan_value value)
{
    switch (clscan_type_accumulator(type)) {
    case CLSCAN_FLOAT:
        return isnan(value.float32);
    case CLSCAN_DOUBLE:
        return isnan(value.float64);
    default:
        return 0;
    }
}

int clscan_reference_same(clscan_type type, clscan_operator op, const void *expected, const void *got)
{
    if (memcmp(expected, got, clscan_type_size_bytes(type)) == 0)
        return 1;
    return (op == CLSCAN_ADD || op == CLSCAN_MUL || type == CLSCAN_HALF) &&
           is_nan(type, clscan_value_load(type, expected)) && is_nan(type, clscan_value_load(type, got));
}

/* The sample operators: OpenCL C and, beside it, the same in C. */

#define KEEP_LAST_SOURCE(cl_type)                               \
    cl_type " keep_last(" cl_type " left, " cl_type " right)\n" \
            "{\n"                                               \
            "    return right != 0 ? right : left;\n"           \
            "}\n"

#define TAKE_LEFT_SOURCE(cl_type)                               \
    cl_type " take_left(" cl_type " left, " cl_type " right)\n" \
            "{\n"                                               \
            "    return left;\n"                                \
            "}\n"

static const clscan_value zero_value = {.bits = 0};

static clscan_value any_take_left(clscan_value left, clscan_value right)
{
    (void)right;
    return left;
}

#define X(type, name, cl_type)                                                  \
    static clscan_value type##_keep_last(clscan_value left, clscan_value right) \
    {                                                                           \
        return right.type != 0 ? right : left;                                  \
    }
INTEGER_TYPES(X)
FLOATING_TYPES(X)
#undef X

static const clscan_sample_operator keep_last_table[CLSCAN_TYPE_COUNT] = {
#define X(type, name, cl_type) \
    [CLSCAN_##name] = {{KEEP_LAST_SOURCE(cl_type), "keep_last", "0"}, type##_keep_last, &zero_value},
    INTEGER_TYPES(X) FLOATING_TYPES(X)
#undef X
};

static const clscan_sample_operator take_left_table[CLSCAN_TYPE_COUNT] = {
#define X(type, name, cl_type) [CLSCAN_##name] = {{TAKE_LEFT_SOURCE(cl_type), "take_left", NULL}, any_take_left, NULL},
    INTEGER_TYPES(X) FLOATING_TYPES(X)
#undef X
};

/* First left, then right: x -> ar (al x + bl) + br. The low half of a word is a, the high half is b; in
 * 64 bits nothing is lost before the halves are cut out again. */
#define AFFINE_SOURCE(cl_type, half_bits)                                            \
    cl_type " affine(" cl_type " left, " cl_type " right)\n"                         \
            "{\n"                                                                    \
            "    const ulong mask = (1UL << " #half_bits ") - 1;\n"                  \
            "    const ulong a = (left & mask) * (right & mask);\n"                  \
            "    const ulong b = (right & mask) * ((ulong)left >> " #half_bits ")\n" \
            "                    + ((ulong)right >> " #half_bits ");\n"              \
            "    return (" cl_type ")((b & mask) << " #half_bits " | (a & mask));\n" \
            "}\n"

#define DEFINE_AFFINE(type, half_bits)                                                                          \
    static clscan_value type##_affine(clscan_value left, clscan_value right)                                    \
    {                                                                                                           \
        const uint64_t mask = (UINT64_C(1) << (half_bits)) - 1;                                                 \
        const uint64_t a = (left.type & mask) * (right.type & mask);                                            \
        const uint64_t b =                                                                                      \
            (right.type & mask) * ((uint64_t)left.type >> (half_bits)) + ((uint64_t)right.type >> (half_bits)); \
        clscan_value result = {.bits = 0};                                                                      \
        result.type = (type##_t)((b & mask) << (half_bits) | (a & mask));                                       \
        return result;                                                                                          \
    }
DEFINE_AFFINE(uint16, 8)
DEFINE_AFFINE(uint32, 16)
DEFINE_AFFINE(uint64, 32)

static const clscan_value one_uint16 = {.uint16 = 1};
static const clscan_value one_uint32 = {.uint32 = 1};
static const clscan_value one_uint64 = {.uint64 = 1};

static const clscan_sample_operator affine_table[CLSCAN_TYPE_COUNT] = {
    [CLSCAN_UINT16] = {{AFFINE_SOURCE("ushort", 8), "affine", "1"}, uint16_affine, &one_uint16},
    [CLSCAN_UINT32] = {{AFFINE_SOURCE("uint", 16), "affine", "1"}, uint32_affine, &one_uint32},
    [CLSCAN_UINT64] = {{AFFINE_SOURCE("ulong", 32), "affine", "1"}, uint64_affine, &one_uint64},
};

const clscan_sample_operator *clscan_sample_find(clscan_sample sample, clscan_type type)
{
    static const clscan_sample_operator *const tables[CLSCAN_SAMPLE_COUNT] = {
        [CLSCAN_SAMPLE_KEEP_LAST] = keep_last_table,
        [CLSCAN_SAMPLE_TAKE_LEFT] = take_left_table,
        [CLSCAN_SAMPLE_AFFINE] = affine_table,
    };
    const clscan_type accumulator = clscan_type_accumulator(type);

    if ((unsigned)sample >= CLSCAN_SAMPLE_COUNT || (unsigned)accumulator >= CLSCAN_TYPE_COUNT)
        return NULL;
    const clscan_sample_operator *found = &tables[sample][accumulator];
    return found->combine != NULL ? found : NULL;
}
