/* What makes a variant legal: named predicates, shared by configs, plans and tools. */
#ifndef CLSCAN_CONFIG_CONSTRAINTS_H
#define CLSCAN_CONFIG_CONSTRAINTS_H

#include <stdbool.h>

#include <clscan/variant.h>

/* Largest tile, so that indices inside a tile are small whatever the body does with them. */
#define CLSCAN__MAX_TILE_COUNT (UINT64_C(1) << 24)

/* Registers for elements that one work-item may ask for; more cannot be unrolled anywhere. */
#define CLSCAN__MAX_REGISTER_BYTES 4096u

/* A broken predicate. */
typedef struct clscan__violation {
    clscan_predicate predicate;
    const char *name;  /* of the predicate; static */
    const char *field; /* axis or parameter to blame, "" for the variant as a whole; static */
    bool device_limit; /* other devices may allow it */
    char reason[160];  /* one clause with the actual numbers */
} clscan__violation;

/* Does every predicate hold? If not, describe the first that does not. `problem` is checked; `device` may be NULL,
 * which leaves out the device's limits. */
bool clscan__variant_is_legal(const clscan_variant *variant, const clscan_problem *problem, int in_place,
                              const clscan_device_info *device, clscan__violation *violation);

/* clscan_variant_check() of checked arguments. */
clscan_status clscan__variant_check(const clscan_variant *variant, const clscan_problem *problem, int in_place,
                                    const clscan_device_info *device, clscan_error *error);

#endif
