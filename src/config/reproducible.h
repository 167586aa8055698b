/* The reproducible order, as in cl/reproducible/nodes.cl (docs/decisions/0013-reproducible-order.md). */
#ifndef CLSCAN_CONFIG_REPRODUCIBLE_H
#define CLSCAN_CONFIG_REPRODUCIBLE_H

#include <stdbool.h>
#include <stdint.h>

#include <clscan/variant.h>

#include "device/shuffles.h"
#include "element/problem.h"

#define CLSCAN__RUN_COUNT 4u  /* CLSCAN_RUN: elements of a run */
#define CLSCAN__ROW_RUNS 32u  /* runs of a row */
#define CLSCAN__BLOCK_ROWS 8u /* rows of a block */
#define CLSCAN__BLOCK_COUNT 1024u
#define CLSCAN__MOST_NODES 54u /* one for each digit of the number of a block */

/* A row is scanned by the shuffles of one sub-group, where they reach so far. */
clscan__shuffles clscan__reproducible_shuffles_of(const clscan_device_info *device);

/* Local memory of a work-group that other plans do not need. */
uint64_t clscan__reproducible_local_bytes(const clscan_variant *variant, clscan__shape shape);

#endif
