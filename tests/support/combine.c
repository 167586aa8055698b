#include "combine.h"

#include <stdint.h>
#include <string.h>

void combine_affine(const void *left, const void *right, void *result)
{
    uint32_t l[2], r[2];

    memcpy(l, left, sizeof l);
    memcpy(r, right, sizeof r);
    const uint32_t both[2] = {l[0] * r[0], r[0] * l[1] + r[1]};
    memcpy(result, both, sizeof both);
}

void combine_bytes(const void *left, const void *right, void *result)
{
    const unsigned char *l = left, *r = right;
    const unsigned char both[3] = {(unsigned char)(l[0] * r[0]), (unsigned char)(r[0] * l[1] + r[1]),
                                   (unsigned char)(l[2] + r[2])};
    memcpy(result, both, sizeof both);
}

void combine_maps(const void *left, const void *right, void *result)
{
    uint32_t l[16], r[16], both[16];

    memcpy(l, left, sizeof l);
    memcpy(r, right, sizeof r);
    for (size_t i = 0; i < 8; ++i) {
        both[i] = l[i] * r[i];
        both[8 + i] = r[i] * l[8 + i] + r[8 + i];
    }
    memcpy(result, both, sizeof both);
}
