/* Is a text one expression of OpenCL C, as far as brackets tell? */
#ifndef CLSCAN_COMMON_EXPRESSION_H
#define CLSCAN_COMMON_EXPRESSION_H

/* What makes it more, or less, than an expression that brackets can be put around: "has a ')' that closes nothing".
 * NULL: nothing. Static. What stands in strings, characters and comments does not count. */
const char *clscan__expression_fault(const char *text);

#endif
