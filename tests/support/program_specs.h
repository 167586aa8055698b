/* Recorded devices, small variants and program specs, for tests that compose programs without a device. */
#ifndef CLSCAN_TESTS_PROGRAM_SPECS_H
#define CLSCAN_TESTS_PROGRAM_SPECS_H

#include "program/compose.h"

#define COUNT_OF(array) (sizeof(array) / sizeof(array)[0])

/* What clscan decides about tests/fixtures/devices/NAME.json. Fails the running test if it cannot be read. */
clscan_device_info recorded_device(const char *name);

/* A variant of these axis values, with a small tile. Legal if the values go together. */
clscan_variant small_variant(clscan_body body, clscan_group_scan group_scan, clscan_carry carry, clscan_order order);

/* Do the axis values of a small_variant() go together? */
bool is_legal_structure(const clscan_variant *variant);

/* Forward inclusive sum of int32, with the poll limit of a GPU. `device` is not copied. */
clscan__program_spec small_spec(const clscan_device_info *device, clscan_variant variant);

/* The composed text; the caller frees it. Fails the running test if there is none. */
char *composed(const clscan__program_spec *spec);

/* Carries with each order that they can have. */
typedef struct carry_and_order {
    clscan_carry carry;
    clscan_order order;
} carry_and_order;

#define CARRIES_WITH_ORDERS 13
extern const carry_and_order carries_with_orders[CARRIES_WITH_ORDERS];

#endif
