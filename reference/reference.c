#include "reference.h"

#include <math.h>

#include "value.h"

/* `running` combines everything so far, the initial value included. There is nothing yet before the first element of a
 * scan without an initial value, and then `running` is the identity, but never an operand. */
typedef struct walk {
    clscan_value running;
    int started, reverse, exclusive;
} walk;

typedef clscan_value walker(walk w, const unsigned char *from, unsigned char *to, uint64_t count);

/* Inlined, so that a compiler makes a loop of its own for each type and operator: inputs have up to 2^32 elements. */
static inline __attribute__((always_inline)) clscan_value walk_elements(clscan_type type, size_t size,
                                                                        clscan_reference_combine *combine, walk w,
                                                                        const unsigned char *from, unsigned char *to,
                                                                        uint64_t count)
{
    for (uint64_t step = 0; step < count; ++step) {
        const uint64_t i = w.reverse ? count - 1 - step : step;
        const clscan_value before = w.running;
        const clscan_value x = load(type, size, from + i * size);

        if (!w.started)
            w.running = x;
        else
            w.running = w.reverse ? combine(x, w.running) : combine(w.running, x);
        w.started = 1;
        store(type, size, w.exclusive ? before : w.running, to + i * size);
    }
    return w.running;
}

/* Operators on accumulator values, and their loops. Integer sums and products are computed in 64 unsigned bits, so they
 * wrap as the type does and nothing overflows. */
#define DEFINE_WALK(type, op, name)                                                                          \
    static clscan_value type##_##op##_walk(walk w, const unsigned char *from, unsigned char *to, uint64_t n) \
    {                                                                                                        \
        return walk_elements(CLSCAN_##name, sizeof((clscan_value *)0)->type, type##_##op, w, from, to, n);   \
    }

#define DEFINE(type, op, name, expression)                                 \
    static clscan_value type##_##op(clscan_value left, clscan_value right) \
    {                                                                      \
        clscan_value result = {.bits = 0};                                 \
        result.type = expression;                                          \
        return result;                                                     \
    }                                                                      \
    DEFINE_WALK(type, op, name)

#define X(type, name, cl_type)                                                      \
    DEFINE(type, add, name, (type##_t)((uint64_t)left.type + (uint64_t)right.type)) \
    DEFINE(type, mul, name, (type##_t)((uint64_t)left.type * (uint64_t)right.type)) \
    DEFINE(type, min, name, right.type < left.type ? right.type : left.type)        \
    DEFINE(type, max, name, left.type < right.type ? right.type : left.type)        \
    DEFINE(type, and, name, (type##_t)(left.type & right.type))                     \
    DEFINE(type, or, name, (type##_t)(left.type | right.type))                      \
    DEFINE(type, xor, name, (type##_t)(left.type ^ right.type))
INTEGER_TYPES(X)
#undef X

/* min and max pick an operand whole, by its bits: the leftmost NaN, the left one of equals. */
#define DEFINE_PICK(type, op, name, take_right)                            \
    static clscan_value type##_##op(clscan_value left, clscan_value right) \
    {                                                                      \
        if (isnan(left.type))                                              \
            return left;                                                   \
        return isnan(right.type) || (take_right) ? right : left;           \
    }                                                                      \
    DEFINE_WALK(type, op, name)

#define X(type, name, cl_type)                           \
    DEFINE(type, add, name, left.type + right.type)      \
    DEFINE(type, mul, name, left.type *right.type)       \
    DEFINE_PICK(type, min, name, right.type < left.type) \
    DEFINE_PICK(type, max, name, left.type < right.type)
FLOATING_TYPES(X)
#undef X

#define ENTRY(type, name, op) [CLSCAN_##name] = {type##_##op, type##_##op##_walk}

static const struct {
    clscan_reference_combine *combine;
    walker *walk;
} operators[CLSCAN_TYPE_COUNT][CLSCAN_OPERATOR_COUNT] = {
#define X(type, name, cl_type)                                                                                     \
    [CLSCAN_##name] = {ENTRY(type, ADD, add), ENTRY(type, MUL, mul), ENTRY(type, MIN, min), ENTRY(type, MAX, max), \
                       ENTRY(type, AND, and), ENTRY(type, OR, or),   ENTRY(type, XOR, xor)},
    INTEGER_TYPES(X)
#undef X
#define X(type, name, cl_type) \
    [CLSCAN_##name] = {ENTRY(type, ADD, add), ENTRY(type, MUL, mul), ENTRY(type, MIN, min), ENTRY(type, MAX, max)},
        FLOATING_TYPES(X)
#undef X
};

clscan_reference clscan_reference_of(const clscan_problem *problem, const clscan_sample_operator *sample)
{
    return (clscan_reference){
        .type = problem->type,
        .op = problem->op,
        .form = problem->form,
        .direction = problem->direction,
        .combine = sample != NULL ? sample->combine : NULL,
        .identity = sample != NULL ? sample->identity : NULL,
        .reproducible = problem->reproducible,
    };
}

clscan_reference_combine *clscan_reference_operator(const clscan_reference *what)
{
    if (what->op == CLSCAN_CUSTOM)
        return what->combine;
    return operators[clscan_type_accumulator(what->type)][what->op].combine;
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
    clscan_value identity;

    if (combine == NULL)
        return CLSCAN_ERROR_UNSUPPORTED_TYPE;
    const int has_identity = clscan_reference_identity(what, &identity);
    const int needs_one = (what->form == CLSCAN_EXCLUSIVE && count > 0) || (total != NULL && count == 0);
    if (initial == NULL && !has_identity && needs_one)
        return CLSCAN_ERROR_NO_IDENTITY;
    if (what->reproducible && clscan_reference_depends_on_grouping(what->type, what->op))
        return clscan_reference_scan_reproducible(what, in, count, initial, out, total);

    walk w = {.reverse = what->direction == CLSCAN_REVERSE, .exclusive = what->form == CLSCAN_EXCLUSIVE};
    clscan_value running;
    if (initial != NULL) {
        w.running = *initial;
        w.started = 1;
    } else if (has_identity) {
        w.running = identity;
    }
    if (what->op == CLSCAN_CUSTOM || what->type == CLSCAN_HALF)
        running = walk_elements(what->type, clscan_type_size_bytes(what->type), combine, w, in, out, count);
    else
        running = operators[what->type][what->op].walk(w, in, out, count);
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

/* Where sums and products are computed, and where elements were converted, a NaN may be any NaN. */
static int same_or_nan(clscan_type type, int any_nan, const void *expected, const void *got)
{
    return memcmp(expected, got, clscan_type_size_bytes(type)) == 0 ||
           (any_nan && is_nan(type, clscan_value_load(type, expected)) && is_nan(type, clscan_value_load(type, got)));
}

int clscan_reference_same(clscan_type type, clscan_operator op, const void *expected, const void *got)
{
    return same_or_nan(type, op == CLSCAN_ADD || op == CLSCAN_MUL || type == CLSCAN_HALF, expected, got);
}

int clscan_reference_same_total(clscan_type type, clscan_operator op, const void *expected, const void *got)
{
    return same_or_nan(clscan_type_accumulator(type), op == CLSCAN_ADD || op == CLSCAN_MUL || type == CLSCAN_HALF,
                       expected, got);
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
#define X(type, name, cl_type)                                                                              \
    [CLSCAN_##name] = {{sizeof(clscan_custom_operator), KEEP_LAST_SOURCE(cl_type), "keep_last", "0", 0, 0}, \
                       type##_keep_last,                                                                    \
                       &zero_value},
    INTEGER_TYPES(X) FLOATING_TYPES(X)
#undef X
};

static const clscan_sample_operator take_left_table[CLSCAN_TYPE_COUNT] = {
#define X(type, name, cl_type) \
    [CLSCAN_##name] = {        \
        {sizeof(clscan_custom_operator), TAKE_LEFT_SOURCE(cl_type), "take_left", NULL, 0, 0}, any_take_left, NULL},
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
    [CLSCAN_UINT16] = {{sizeof(clscan_custom_operator), AFFINE_SOURCE("ushort", 8), "affine", "1", 0, 0},
                       uint16_affine,
                       &one_uint16},
    [CLSCAN_UINT32] = {{sizeof(clscan_custom_operator), AFFINE_SOURCE("uint", 16), "affine", "1", 0, 0},
                       uint32_affine,
                       &one_uint32},
    [CLSCAN_UINT64] = {{sizeof(clscan_custom_operator), AFFINE_SOURCE("ulong", 32), "affine", "1", 0, 0},
                       uint64_affine,
                       &one_uint64},
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
