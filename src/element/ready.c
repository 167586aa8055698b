#include <clscan/ready.h>

#include <string.h>

#include "base/structs.h"

typedef struct ready_made {
    clscan_element element;
    clscan_custom_operator custom;
    const char *load, *store; /* from numbers and back; NULL: there are no maps */
} ready_made;

/* A struct NAME, declared by `fields`, of so many bytes. */
#define STRUCT(type_name, fields, size, align)                                                         \
    {                                                                                                  \
        .struct_size = sizeof(clscan_element), .name = type_name,                                      \
        .source = "typedef struct " type_name " { " fields "; } " type_name ";", .size_bytes = (size), \
        .align_bytes = (align)                                                                         \
    }

/* The function NAME_join of a struct NAME, whose body makes `s` of `l` and `r`, also where numbers are vectors. */
#define JOIN(type_name, body, unit)                                                                    \
    {                                                                                                  \
        .struct_size = sizeof(clscan_custom_operator),                                                 \
        .source = type_name " " type_name "_join(" type_name " l, " type_name " r)\n{\n    " type_name \
                            " s;\n    " body "\n    return s;\n}",                                     \
        .function = type_name "_join", .identity = "((" type_name "){" unit "})", .lanewise = 1        \
    }

#define AFFINE(name, real, bytes) \
    STRUCT(name, real " a, b", 2 * (bytes), bytes), JOIN(name, "s.a = r.a * l.a;\n    s.b = r.a * l.b + r.b;", "1, 0")

#define COMPLEX(name, real, bytes)                    \
    STRUCT(name, real " re, im", 2 * (bytes), bytes), \
        JOIN(name, "s.re = l.re * r.re - l.im * r.im;\n    s.im = l.re * r.im + l.im * r.re;", "1, 0")

/* fmin() and fmax() prefer what is a number. */
#define MIN_MAX(name, real, bytes, least, greatest, lowest, highest)                                                 \
    STRUCT(name, real " least, greatest", 2 * (bytes), bytes),                                                       \
        JOIN(name, "s.least = " least "(l.least, r.least);\n    s.greatest = " greatest "(l.greatest, r.greatest);", \
             highest ", " lowest)

/* By value, then by index: an order of all elements, so that every grouping finds the same. The right one is taken
 * if its value is better, or as good and its index smaller; of NaNs, only before another one.
 * Without || and &&, which compilers for GPUs make branches of: every join would part the lanes. */
#define ARG(name, real, index, bytes, before, last)                                                                   \
    STRUCT(name, real " value; " index " index", 2 * (bytes), bytes),                                                 \
        JOIN(name,                                                                                                    \
             "const " index " first = r.index < l.index;\n"                                                           \
             "    const " index " right = (!(l.value " before "= r.value) | (first & !(l.value " before " r.value)))" \
             " & (!isnan(r.value) | (first & isnan(l.value)));\n"                                                     \
             "    s.value = right ? r.value : l.value;\n    s.index = right ? r.index : l.index;",                    \
             "NAN, " last)

#define MATRIX2(name, real, bytes)                                                 \
    STRUCT(name, real " a, b, c, d", 4 * (bytes), bytes),                          \
        JOIN(name,                                                                 \
             "s.a = l.a * r.a + l.b * r.c;\n    s.b = l.a * r.b + l.b * r.d;\n"    \
             "    s.c = l.c * r.a + l.d * r.c;\n    s.d = l.c * r.b + l.d * r.d;", \
             "1, 0, 0, 1")

/* Two of -INFINITY have no difference. */
#define LOG_SUM_EXP(name, real, bytes)                                                \
    STRUCT(name, real " most, sum", 2 * (bytes), bytes),                              \
        JOIN(name,                                                                    \
             "s.most = fmax(l.most, r.most);\n"                                       \
             "    s.sum = l.most == r.most  ? l.sum + r.sum\n"                        \
             "            : l.most > r.most ? l.sum + r.sum * exp(r.most - l.most)\n" \
             "                              : l.sum * exp(l.most - r.most) + r.sum;", \
             "-INFINITY, 0")

/* With the maps. */
#define LOGARITHMS(name, real, bytes) \
    LOG_SUM_EXP(name, real, bytes), "((" name "){element, 1})", "sum.most + log(sum.sum)"

/* What the sum of two numbers loses is a number itself, and found without a comparison. Of infinities it is none. */
#define COMPENSATED(name, real, bytes)                                              \
    STRUCT(name, real " sum, error", 2 * (bytes), bytes),                           \
        JOIN(name,                                                                  \
             real " right;\n"                                                       \
                  "    s.sum = l.sum + r.sum;\n"                                    \
                  "    right = s.sum - l.sum;\n"                                    \
                  "    s.error = ((l.sum - (s.sum - right)) + (r.sum - right)) +\n" \
                  "              (l.error + r.error);",                             \
             "0, 0"),                                                               \
        "((" name "){element, 0})", "isfinite(sum.sum) ? sum.sum + sum.error : sum.sum"

#define QUATERNION(name, real, bytes)                                     \
    STRUCT(name, real " w, x, y, z", 4 * (bytes), bytes),                 \
        JOIN(name,                                                        \
             "s.w = l.w * r.w - l.x * r.x - l.y * r.y - l.z * r.z;\n"     \
             "    s.x = l.w * r.x + l.x * r.w + l.y * r.z - l.z * r.y;\n" \
             "    s.y = l.w * r.y - l.x * r.z + l.y * r.w + l.z * r.x;\n" \
             "    s.z = l.w * r.z + l.x * r.y - l.y * r.x + l.z * r.w;",  \
             "1, 0, 0, 0")

#define WIDE                                    \
    STRUCT("int128", "ulong low, high", 16, 8), \
        JOIN("int128",                          \
             "s.low = l.low + r.low;\n    s.high = l.high + r.high + (s.low < l.low ? (ulong)1 : (ulong)0);", "0, 0")

#define SATURATING(name, number, integer)                                                           \
    {.struct_size = sizeof(clscan_element), .type = CLSCAN_##number},                               \
    {                                                                                               \
        .struct_size = sizeof(clscan_custom_operator),                                              \
        .source = integer " " name "_join(" integer " l, " integer " r) { return add_sat(l, r); }", \
        .function = name "_join", .identity = "0"                                                   \
    }

#define NO_MAPS NULL, NULL

#define X(name, text, fields, meaning) #text,
static const char *const names[] = {CLSCAN_READY_LIST(X)};
#undef X

static const ready_made all[CLSCAN_READY_COUNT] = {
    [CLSCAN_READY_AFFINE_FLOAT] = {AFFINE("affine_float", "float", 4), NO_MAPS},
    [CLSCAN_READY_AFFINE_DOUBLE] = {AFFINE("affine_double", "double", 8), NO_MAPS},
    [CLSCAN_READY_COMPLEX_FLOAT] = {COMPLEX("complex_float", "float", 4), NO_MAPS},
    [CLSCAN_READY_COMPLEX_DOUBLE] = {COMPLEX("complex_double", "double", 8), NO_MAPS},
    [CLSCAN_READY_MIN_MAX_INT32] = {MIN_MAX("min_max_int32", "int", 4, "min", "max", "INT_MIN", "INT_MAX"), NO_MAPS},
    [CLSCAN_READY_MIN_MAX_FLOAT] = {MIN_MAX("min_max_float", "float", 4, "fmin", "fmax", "-INFINITY", "INFINITY"),
                                    NO_MAPS},
    [CLSCAN_READY_MIN_MAX_DOUBLE] = {MIN_MAX("min_max_double", "double", 8, "fmin", "fmax", "-INFINITY", "INFINITY"),
                                     NO_MAPS},
    [CLSCAN_READY_ARG_MIN_FLOAT] = {ARG("arg_min_float", "float", "int", 4, "<", "INT_MAX"), NO_MAPS},
    [CLSCAN_READY_ARG_MAX_FLOAT] = {ARG("arg_max_float", "float", "int", 4, ">", "INT_MAX"), NO_MAPS},
    [CLSCAN_READY_ARG_MIN_DOUBLE] = {ARG("arg_min_double", "double", "long", 8, "<", "LONG_MAX"), NO_MAPS},
    [CLSCAN_READY_ARG_MAX_DOUBLE] = {ARG("arg_max_double", "double", "long", 8, ">", "LONG_MAX"), NO_MAPS},
    [CLSCAN_READY_MATRIX2_FLOAT] = {MATRIX2("matrix2_float", "float", 4), NO_MAPS},
    [CLSCAN_READY_MATRIX2_DOUBLE] = {MATRIX2("matrix2_double", "double", 8), NO_MAPS},
    [CLSCAN_READY_LOG_SUM_EXP_FLOAT] = {LOGARITHMS("log_sum_exp_float", "float", 4)},
    [CLSCAN_READY_LOG_SUM_EXP_DOUBLE] = {LOGARITHMS("log_sum_exp_double", "double", 8)},
    [CLSCAN_READY_QUATERNION_FLOAT] = {QUATERNION("quaternion_float", "float", 4), NO_MAPS},
    [CLSCAN_READY_QUATERNION_DOUBLE] = {QUATERNION("quaternion_double", "double", 8), NO_MAPS},
    [CLSCAN_READY_INT128] = {WIDE, NO_MAPS},
    [CLSCAN_READY_SATURATING_UINT8] = {SATURATING("saturating_uint8", UINT8, "uchar"), NO_MAPS},
    [CLSCAN_READY_SATURATING_UINT16] = {SATURATING("saturating_uint16", UINT16, "ushort"), NO_MAPS},
    [CLSCAN_READY_SATURATING_UINT32] = {SATURATING("saturating_uint32", UINT32, "uint"), NO_MAPS},
    [CLSCAN_READY_SATURATING_UINT64] = {SATURATING("saturating_uint64", UINT64, "ulong"), NO_MAPS},
    [CLSCAN_READY_COMPENSATED_FLOAT] = {COMPENSATED("compensated_float", "float", 4)},
    [CLSCAN_READY_COMPENSATED_DOUBLE] = {COMPENSATED("compensated_double", "double", 8)},
};

const char *clscan_ready_name(clscan_ready ready)
{
    return (unsigned)ready < CLSCAN_READY_COUNT ? names[ready] : "unknown";
}

int clscan_ready_from_name(const char *name, clscan_ready *ready)
{
    for (int i = 0; name != NULL && i < CLSCAN_READY_COUNT; ++i) {
        if (strcmp(name, names[i]) == 0) {
            *ready = (clscan_ready)i;
            return 1;
        }
    }
    return 0;
}

int clscan_ready_get(clscan_ready ready, clscan_element *element, clscan_custom_operator *custom)
{
    if ((unsigned)ready >= CLSCAN_READY_COUNT || element == NULL || custom == NULL ||
        clscan__struct_check(element, "element", NULL) != CLSCAN_OK ||
        clscan__struct_check(custom, "custom", NULL) != CLSCAN_OK)
        return 0;
    clscan__struct_give(element, &all[ready].element, sizeof all[ready].element);
    clscan__struct_give(custom, &all[ready].custom, sizeof all[ready].custom);
    return 1;
}

int clscan_ready_maps(clscan_ready ready, clscan_map *load, clscan_map *store)
{
    if ((unsigned)ready >= CLSCAN_READY_COUNT || all[ready].load == NULL || load == NULL || store == NULL ||
        clscan__struct_check(load, "load", NULL) != CLSCAN_OK ||
        clscan__struct_check(store, "store", NULL) != CLSCAN_OK)
        return 0;
    clscan__struct_give(load, &(clscan_map){.expression = all[ready].load}, sizeof *load);
    clscan__struct_give(store, &(clscan_map){.expression = all[ready].store}, sizeof *store);
    return 1;
}
