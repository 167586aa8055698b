/* What the workers and the process that watches them share: memory that all of them have mapped. */
#ifndef CLSCAN_TESTS_SOAK_SHARED_H
#define CLSCAN_TESTS_SOAK_SHARED_H

#include <stdatomic.h>
#include <stdint.h>

/* What a worker is doing, and what it has done. */
typedef struct soak_slot {
    atomic_uint_fast64_t beats; /* grows whenever something has ended in time */
    atomic_uint_fast64_t plan;  /* number of the present one */
    atomic_int compiling;       /* it has not run yet; no hang */
} soak_slot;

#define SOAK_SUM_LIST(X) \
    X(plans)             \
    X(refused)           \
    X(abandoned)         \
    X(runs)              \
    X(elements)          \
    X(waits)             \
    X(recomputed)        \
    X(discarded)         \
    X(failures)

typedef struct soak_shared {
    atomic_uint_fast64_t next_program; /* its number is its first plan's over SOAK_RELATIVES */
#define X(name) atomic_uint_fast64_t name;
    SOAK_SUM_LIST(X)
#undef X
    soak_slot slots[];
} soak_shared;

#endif
