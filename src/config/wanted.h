/* What is asked of configs for a problem: whose entries, and of what size. */
#ifndef CLSCAN_CONFIG_WANTED_H
#define CLSCAN_CONFIG_WANTED_H

#include <stdbool.h>
#include <stdint.h>

#include <clscan/problem.h>

#include "config_file/document.h"
#include "element/problem.h"

/* Entries of one operation that may serve a problem. */
typedef struct clscan__wanted {
    clscan__config_operation operation;
    bool own;            /* it is the problem's own, or nearly: entries were measured on what the problem does */
    uint32_t size_bytes; /* what stands for element_size_bytes */
    uint32_t kept_bytes; /* in tiles, of each element: clscan__key_kept_bytes() of such an entry */
} clscan__wanted;

/* Entries for the rows of a problem. Their counts are the elements of a row. */
clscan__wanted clscan__wanted_rows(clscan__shape shape);

#define CLSCAN__MOST_WANTED 3u

/* Whose entries serve a taken problem, the nearest first, leaving those for rows aside; returns how many. Selections
 * and segments are scans as well; they are asked for as such alone where body subgroup_rows keeps more of an element
 * than it and a mark. */
uint32_t clscan__wanted_of(const clscan_problem *problem, clscan__shape shape,
                           clscan__wanted wanted[CLSCAN__MOST_WANTED]);

/* Is a key for elements of just so many bytes? */
bool clscan__key_covers(const clscan__config_key *key, uint32_t size_bytes);

/* Bytes that a tile was measured to keep of each element. A selection whose outputs do not ask for elements keeps none,
 * and then sum_size_bytes may be less than element_size_bytes. */
uint32_t clscan__key_kept_bytes(const clscan__config_key *key);

#endif
