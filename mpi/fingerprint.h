/* What must be the same on all ranks, as one number for each field of a problem. */
#ifndef CLSCAN_MPI_FINGERPRINT_H
#define CLSCAN_MPI_FINGERPRINT_H

#include <stdint.h>

#include <clscan/problem.h>

/* clang-format off */
/*    name         what messages call it */
#define CLSCAN__FINGERPRINT_LIST(X)            \
    X(ELEMENT,     "problem->type or element") \
    X(ACCUMULATOR, "problem->accumulator")     \
    X(OUTPUT,      "problem->output")          \
    X(OPERATOR,    "problem->op")              \
    X(CUSTOM,      "problem->custom")          \
    X(FORM,        "problem->form")            \
    X(DIRECTION,   "problem->direction")       \
    X(ORDERED,     "problem->reproducible")    \
    X(LOAD,        "problem->load")            \
    X(STORE,       "problem->store")
/* clang-format on */

enum {
#define X(name, text) CLSCAN__FINGERPRINT_##name,
    CLSCAN__FINGERPRINT_LIST(X)
#undef X
        CLSCAN__FINGERPRINT_COUNT
};

typedef struct clscan__fingerprint {
    uint64_t fields[CLSCAN__FINGERPRINT_COUNT];
} clscan__fingerprint;

/* Of a taken problem (element/problem.h). */
clscan__fingerprint clscan__fingerprint_of(const clscan_problem *problem);

/* The first field that differs, as messages call it; NULL: none. Static. */
const char *clscan__fingerprint_difference(const clscan__fingerprint *one, const clscan__fingerprint *other);

#endif
