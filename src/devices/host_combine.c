#include "devices/host_combine.h"

#include <stdint.h>

#include "element/problem.h"

/* `left` stands before `right` in memory. As clscan_operate() in cl/elements/operators.cl: integers wrap around, and of
 * what is no number the leftmost wins. */
#define OPERATE_INTEGER(type)                                             \
    static type operate_##type(clscan_operator op, type left, type right) \
    {                                                                     \
        switch (op) {                                                     \
        case CLSCAN_ADD:                                                  \
            return (type)((uint64_t)left + (uint64_t)right);              \
        case CLSCAN_MUL:                                                  \
            return (type)((uint64_t)left * (uint64_t)right);              \
        case CLSCAN_MIN:                                                  \
            return left <= right ? left : right;                          \
        case CLSCAN_MAX:                                                  \
            return left >= right ? left : right;                          \
        case CLSCAN_AND:                                                  \
            return left & right;                                          \
        case CLSCAN_OR:                                                   \
            return left | right;                                          \
        default:                                                          \
            return left ^ right;                                          \
        }                                                                 \
    }

#define OPERATE_FLOATING(type)                                            \
    static type operate_##type(clscan_operator op, type left, type right) \
    {                                                                     \
        switch (op) {                                                     \
        case CLSCAN_ADD:                                                  \
            return left + right;                                          \
        case CLSCAN_MUL:                                                  \
            return left * right;                                          \
        case CLSCAN_MIN:                                                  \
            return left != left || left <= right ? left : right;          \
        default:                                                          \
            return left != left || left >= right ? left : right;          \
        }                                                                 \
    }

/* Lanes of neighbouring sums, from the first in the order of the scan on. */
#define SCAN(type)                                                                                               \
    static void scan_##type(clscan_operator op, bool reverse, type *sums, size_t count, size_t scalars)          \
    {                                                                                                            \
        for (size_t i = 1; i < count; ++i) {                                                                     \
            type *after = sums + (reverse ? count - 1 - i : i) * scalars;                                        \
            const type *before = reverse ? after + scalars : after - scalars;                                    \
                                                                                                                 \
            for (size_t k = 0; k < scalars; ++k)                                                                 \
                after[k] =                                                                                       \
                    reverse ? operate_##type(op, after[k], before[k]) : operate_##type(op, before[k], after[k]); \
        }                                                                                                        \
    }

#define INTEGER(type)     \
    OPERATE_INTEGER(type) \
    SCAN(type)
#define FLOATING(type)     \
    OPERATE_FLOATING(type) \
    SCAN(type)

INTEGER(int8_t)
INTEGER(uint8_t)
INTEGER(int16_t)
INTEGER(uint16_t)
INTEGER(int32_t)
INTEGER(uint32_t)
INTEGER(int64_t)
INTEGER(uint64_t)
FLOATING(float)
FLOATING(double)

bool clscan__host_combines(const clscan_problem *problem)
{
    return problem->op != CLSCAN_CUSTOM && clscan__problem_sum(problem).name == NULL;
}

void clscan__host_combine(clscan_type type, clscan_operator op, bool reverse, void *sums, size_t count, size_t scalars)
{
    switch (type) {
#define CASE(name, type)                                \
    case name:                                          \
        scan_##type(op, reverse, sums, count, scalars); \
        break;
        CASE(CLSCAN_INT8, int8_t)
        CASE(CLSCAN_UINT8, uint8_t)
        CASE(CLSCAN_INT16, int16_t)
        CASE(CLSCAN_UINT16, uint16_t)
        CASE(CLSCAN_INT32, int32_t)
        CASE(CLSCAN_UINT32, uint32_t)
        CASE(CLSCAN_INT64, int64_t)
        CASE(CLSCAN_UINT64, uint64_t)
        CASE(CLSCAN_FLOAT, float)
        CASE(CLSCAN_DOUBLE, double)
#undef CASE
    default: /* sums are no half */
        break;
    }
}
