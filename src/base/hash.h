/* FNV-1a with 64 bits: finds damage and spreads names, and withstands no adversary. */
#ifndef CLSCAN_BASE_HASH_H
#define CLSCAN_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

#define CLSCAN__HASH_START UINT64_C(0xcbf29ce484222325)

/* Continue `hash` with more bytes. Any change of one byte changes the result. */
static inline uint64_t clscan__hash(uint64_t hash, const void *data, size_t data_bytes)
{
    const unsigned char *bytes = data;

    for (size_t i = 0; i < data_bytes; ++i)
        hash = (hash ^ bytes[i]) * UINT64_C(0x100000001b3);
    return hash;
}

#endif
