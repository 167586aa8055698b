#include "element/elementwise.h"

#include <stdbool.h>
#include <stdio.h>

#include "element/operators.h"
#include "element/types.h"

/* V: the vectors; U: unsigned integers of their size, in which sums and products wrap. Of floating-point numbers min
 * and max take the right operand where it is before the left one, or the only NaN. */
static const char *body_of(clscan_operator op, bool floating)
{
    switch (op) {
    case CLSCAN_ADD:
        return floating ? "l + r" : "AS_V(AS_U(l) + AS_U(r))";
    case CLSCAN_MUL:
        return floating ? "l * r" : "AS_V(AS_U(l) * AS_U(r))";
    case CLSCAN_MIN:
        return floating ? "select(l, r, isless(r, l) | (isnan(r) & ~isnan(l)))" : "min(l, r)";
    case CLSCAN_MAX:
        return floating ? "select(l, r, isgreater(r, l) | (isnan(r) & ~isnan(l)))" : "max(l, r)";
    case CLSCAN_AND:
        return "l & r";
    case CLSCAN_OR:
        return "l | r";
    case CLSCAN_XOR:
        return "l ^ r";
    case CLSCAN_CUSTOM:
    case CLSCAN_OPERATOR_COUNT:
        break;
    }
    return "";
}

/* T: the type; W: as wide as int at least, where sums and products wrap. */
static const char *scalar_body_of(clscan_operator op, bool floating)
{
    switch (op) {
    case CLSCAN_ADD:
        return floating ? "l + r" : "(T)((W)l + (W)r)";
    case CLSCAN_MUL:
        return floating ? "l * r" : "(T)((W)l * (W)r)";
    case CLSCAN_MIN:
        return floating ? "l != l || l <= r ? l : r" : "l <= r ? l : r";
    case CLSCAN_MAX:
        return floating ? "l != l || l >= r ? l : r" : "l >= r ? l : r";
    default:
        return body_of(op, floating);
    }
}

static void write_scalar(clscan__elementwise *text, const char *function, clscan_operator op, clscan_type type)
{
    const char *name = clscan__type_cl_name(type);
    const bool floating = clscan__type_is_floating(type);

    snprintf(text->source, sizeof text->source,
             "#define T %s\n#define W %s\nT %s(T l, T r) { return %s; }\n#undef T\n#undef W\n", name,
             clscan_type_size_bytes(type) > 4 ? "ulong" : "uint", function, scalar_body_of(op, floating));
    snprintf(text->identity, sizeof text->identity, "(%s)(%s)", name, clscan__operator_identity(op, type));
}

clscan_custom_operator clscan__elementwise_write(clscan__elementwise *text, const char *function, clscan_operator op,
                                                 clscan_type type, uint32_t lanes)
{
    const char *lane = clscan__type_cl_name(type), *bits = clscan__unsigned_cl_name(clscan_type_size_bytes(type));
    const unsigned count = lanes;

    if (lanes <= 1) {
        write_scalar(text, function, op, type);
        return (clscan_custom_operator){.struct_size = sizeof(clscan_custom_operator),
                                        .source = text->source,
                                        .function = function,
                                        .identity = text->identity};
    }
    snprintf(text->source, sizeof text->source,
             "#define AS_V as_%s%u\n#define AS_U as_%s%u\n"
             "%s%u %s(%s%u l, %s%u r) { return %s; }\n"
             "#undef AS_V\n#undef AS_U\n",
             lane, count, bits, count, lane, count, function, lane, count, lane, count,
             body_of(op, clscan__type_is_floating(type)));
    snprintf(text->identity, sizeof text->identity, "(%s%u)(%s)", lane, count, clscan__operator_identity(op, type));
    return (clscan_custom_operator){.struct_size = sizeof(clscan_custom_operator),
                                    .source = text->source,
                                    .function = function,
                                    .identity = text->identity};
}
