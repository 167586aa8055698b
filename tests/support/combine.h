/* Operators of struct elements on the host: exact, associative, not commutative. Their types in OpenCL C have the same
 * members in the same order. */
#ifndef CLSCAN_TESTS_COMBINE_H
#define CLSCAN_TESTS_COMBINE_H

/** x -> a x + b modulo 2^32, first left, then right: {uint a, b}. `result` may be either operand. */
void combine_affine(const void *left, const void *right, void *result);

/** The same modulo 256, and how many there are: {uchar a, b, count}. */
void combine_bytes(const void *left, const void *right, void *result);

/** Eight maps x -> a x + b side by side: {uint8 a, b}. */
void combine_maps(const void *left, const void *right, void *result);

#endif
