/* A problem whose parts have to pass on more than an element: uint8 becomes the map x -> a x + b modulo 2^32, with the
 * element as a and the argument `factor`, a uint32, as b; what is written is a ^ b of the composition, a uint32. */
#ifndef CLSCAN_TESTS_AFFINE_MAPS_H
#define CLSCAN_TESTS_AFFINE_MAPS_H

#include <stdint.h>

#include <clscan/problem.h>

/* Points to what is never released. */
clscan_problem test_affine_maps(uint64_t max_count);

#endif
