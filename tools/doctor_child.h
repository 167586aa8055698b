/* Something that may kill its process, or never end, tried in a child. */
#ifndef CLSCAN_TOOLS_DOCTOR_CHILD_H
#define CLSCAN_TOOLS_DOCTOR_CHILD_H

#include <clscan/clscan.h>

/* clang-format off */
#define VERDICT_LIST(X)                                                   \
    X(WORKS,     "works")                                                 \
    X(NOT_USED,  "not used") /* the device, a table or a switch says no */ \
    X(FAILS,     "FAILS")    /* a call returned an error */               \
    X(WRONG,     "WRONG")    /* a result is not right */                  \
    X(CRASHES,   "CRASHES")  /* the child was ended by a signal */        \
    X(HANGS,     "HANGS")    /* the child did not end in time */
/* clang-format on */

#define X(name, text) VERDICT_##name,
typedef enum verdict { VERDICT_LIST(X) VERDICT_COUNT } verdict;
#undef X

/* What a child says of its attempt. A plain value. */
typedef struct attempt {
    verdict verdict;
    char text[1024]; /* one line */
    size_t number;   /* the function's own */
} attempt;

/* Runs in the child; the result is set to WORKS and "" before. */
typedef void attempt_function(const void *argument, attempt *result);

/* "works"; static. */
const char *verdict_text(verdict which);

/* Run `function` in a child of at most `limit_s` seconds. The child is a copy of this process, which must therefore
 * not have called OpenCL. What the driver prints goes nowhere. */
attempt attempt_in_child(attempt_function *function, const void *argument, unsigned limit_s);

#endif
