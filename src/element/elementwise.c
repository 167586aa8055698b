#include "element/elementwise.h"

#include <stdbool.h>
#include <stdio.h>

#include "element/operators.h"
#include "element/types.h"

#define FUNCTION "clscan_elementwise"

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

clscan_custom_operator clscan__elementwise_write(clscan__elementwise *text, clscan_operator op, clscan_type type,
                                                 uint32_t lanes)
{
    const char *lane = clscan__type_cl_name(type), *bits = clscan__unsigned_cl_name(clscan_type_size_bytes(type));
    const unsigned count = lanes;

    snprintf(text->source, sizeof text->source,
             "#define AS_V as_%s%u\n#define AS_U as_%s%u\n"
             "%s%u " FUNCTION "(%s%u l, %s%u r) { return %s; }\n"
             "#undef AS_V\n#undef AS_U\n",
             lane, count, bits, count, lane, count, lane, count, lane, count,
             body_of(op, clscan__type_is_floating(type)));
    snprintf(text->identity, sizeof text->identity, "(%s%u)(%s)", lane, count, clscan__operator_identity(op, type));
    return (clscan_custom_operator){sizeof(clscan_custom_operator), text->source, FUNCTION, text->identity};
}
