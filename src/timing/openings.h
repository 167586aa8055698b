/* Contenders that are compiled at once: compiling takes most of the time, and drivers can do it in several threads. */
#ifndef CLSCAN_TIMING_OPENINGS_H
#define CLSCAN_TIMING_OPENINGS_H

#include "timing/bench.h"

#define CLSCAN__MOST_OPENINGS 4

typedef struct clscan__opening {
    const clscan__bench *bench;
    clscan__contender contender; /* its variant is set; the caller closes it, also after an error */
    clscan_status status;
    clscan_error why;
} clscan__opening;

/* How many to open at once on this machine: 1 to CLSCAN__MOST_OPENINGS. */
size_t clscan__openings_at_once(void);

/* Compile the variants of so many, at most CLSCAN__MOST_OPENINGS, and return when all are done. */
void clscan__openings_go(clscan__opening *openings, size_t count);

#endif
