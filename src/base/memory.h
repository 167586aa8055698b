/* What a clscan_memory says, whoever uses it. */
#ifndef CLSCAN_BASE_MEMORY_H
#define CLSCAN_BASE_MEMORY_H

#include <stdbool.h>

#include <clscan/memory.h>

/* Is there a handle of its kind? Memory of a number that is no kind is given, and wrong. */
bool clscan__memory_is_given(const clscan_memory *memory);

#endif
