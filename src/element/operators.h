/* Operators as kernels see them. */
#ifndef CLSCAN_ELEMENT_OPERATORS_H
#define CLSCAN_ELEMENT_OPERATORS_H

#include <stdbool.h>

#include <clscan/types.h>

/* Largest element whose operators can be native. */
#define CLSCAN__NATIVE_MAX_BYTES 4u

bool clscan__operator_is_valid(clscan_operator op);

/* Does a built-in operator exist for elements of `type`? Bitwise operators need integers. */
bool clscan__operator_supports(clscan_operator op, clscan_type type);

/* OpenCL C constant expression of the operator's identity for `type`, or NULL for CLSCAN_CUSTOM. */
const char *clscan__operator_identity(clscan_operator op, clscan_type type);

/* May operands be reordered without changing a single bit, rounding of floating-point sums and products aside?
 * min and max of floating-point numbers are not commutative in this sense: the leftmost NaN or zero wins. */
bool clscan__operator_is_commutative(clscan_operator op, clscan_type type);

/* Does every grouping of the operands give the same bits? min and max pick one of them; custom operators are trusted to
 * be associative on integers. */
bool clscan__operator_is_exact(clscan_operator op, clscan_type type);

#endif
