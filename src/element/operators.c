#include "element/operators.h"

#include <string.h>

#include "element/types.h"

static const char *const operator_names[] = {
#define X(name, text, meaning) #text,
    CLSCAN_OPERATOR_LIST(X)
#undef X
};

/* Smallest and largest value of each type, which are the identities of max and min. */
typedef struct type_range {
    const char *smallest;
    const char *largest;
} type_range;

static const type_range ranges[] = {
    [CLSCAN_INT8] = {"CHAR_MIN", "CHAR_MAX"},    [CLSCAN_UINT8] = {"0", "UCHAR_MAX"},
    [CLSCAN_INT16] = {"SHRT_MIN", "SHRT_MAX"},   [CLSCAN_UINT16] = {"0", "USHRT_MAX"},
    [CLSCAN_INT32] = {"INT_MIN", "INT_MAX"},     [CLSCAN_UINT32] = {"0", "UINT_MAX"},
    [CLSCAN_INT64] = {"LONG_MIN", "LONG_MAX"},   [CLSCAN_UINT64] = {"0", "ULONG_MAX"},
    [CLSCAN_HALF] = {"-INFINITY", "INFINITY"},   [CLSCAN_FLOAT] = {"-INFINITY", "INFINITY"},
    [CLSCAN_DOUBLE] = {"-INFINITY", "INFINITY"},
};

bool clscan__operator_is_valid(clscan_operator op)
{
    return (unsigned)op < CLSCAN_OPERATOR_COUNT;
}

const char *clscan_operator_name(clscan_operator op)
{
    return clscan__operator_is_valid(op) ? operator_names[op] : "unknown";
}

int clscan_operator_from_name(const char *name, clscan_operator *op)
{
    for (int i = 0; name != NULL && i < CLSCAN_OPERATOR_COUNT; ++i) {
        if (strcmp(name, operator_names[i]) == 0) {
            *op = (clscan_operator)i;
            return 1;
        }
    }
    return 0;
}

static const char *const operator_class_names[CLSCAN_OPERATOR_CLASS_COUNT] = {
#define X(name, text, meaning) #text,
    CLSCAN_OPERATOR_CLASS_LIST(X)
#undef X
};

const char *clscan_operator_class_name(clscan_operator_class operator_class)
{
    return operator_class < CLSCAN_OPERATOR_CLASS_COUNT ? operator_class_names[operator_class] : "unknown";
}

int clscan_operator_class_from_name(const char *name, clscan_operator_class *operator_class)
{
    for (int i = 0; name != NULL && i < CLSCAN_OPERATOR_CLASS_COUNT; ++i) {
        if (strcmp(name, operator_class_names[i]) == 0) {
            *operator_class = (clscan_operator_class)i;
            return 1;
        }
    }
    return 0;
}

bool clscan__operator_supports(clscan_operator op, clscan_type type)
{
    const bool bitwise = op == CLSCAN_AND || op == CLSCAN_OR || op == CLSCAN_XOR;
    return !bitwise || !clscan__type_is_floating(type);
}

const char *clscan__operator_identity(clscan_operator op, clscan_type type)
{
    switch (op) {
    case CLSCAN_ADD:
    case CLSCAN_OR:
    case CLSCAN_XOR:
        return "0";
    case CLSCAN_MUL:
        return "1";
    case CLSCAN_MIN:
        return ranges[type].largest;
    case CLSCAN_MAX:
        return ranges[type].smallest;
    case CLSCAN_AND:
        return "~0";
    case CLSCAN_CUSTOM:
    case CLSCAN_OPERATOR_COUNT:
        break;
    }
    return NULL;
}

bool clscan__operator_is_commutative(clscan_operator op, clscan_type type)
{
    if (op == CLSCAN_CUSTOM)
        return false;
    return !((op == CLSCAN_MIN || op == CLSCAN_MAX) && clscan__type_is_floating(type));
}

bool clscan__operator_is_exact(clscan_operator op, clscan_type type)
{
    return !clscan__type_is_floating(type) || op == CLSCAN_MIN || op == CLSCAN_MAX;
}
