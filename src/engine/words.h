/* Widths of published words and of the draw word, as in cl/comm/publish.cl. */
#ifndef CLSCAN_ENGINE_WORDS_H
#define CLSCAN_ENGINE_WORDS_H

#include <stdint.h>

#include <clscan/device.h>

#include "base/shared.h"
#include "device/mechanism.h"

typedef struct clscan__words {
    uint32_t word_bytes;
    uint32_t ticket_bits; /* of the draw word; the epoch stands above */
    uint32_t last_epoch;  /* the tag holds no larger one; 0 is never used */
} clscan__words;

static inline clscan__words clscan__words_of(clscan_mechanism mechanism)
{
    if (mechanism == CLSCAN_MECHANISM_ATOMIC32)
        return (clscan__words){.word_bytes = 4, .ticket_bits = 18, .last_epoch = (1u << 14) - 1};
    return (clscan__words){.word_bytes = 8, .ticket_bits = 32, .last_epoch = (1u << 30) - 1};
}

/* Bytes that the published sums of so many ranges take: each word has a tag, and wide sums stand together. */
static inline uint64_t clscan__published_bytes(const clscan_device_info *device, uint64_t ranges, uint64_t sum_bytes)
{
    const uint64_t narrow_bytes = clscan__words_of(device->mechanism).word_bytes, tag_bytes = narrow_bytes / 2;
    const uint64_t word_bytes = clscan__words_are_wide(device, sum_bytes) ? 2 * narrow_bytes : narrow_bytes;
    const uint64_t payload_bytes = word_bytes - tag_bytes;
    const uint64_t words = (sum_bytes + payload_bytes - 1) / payload_bytes;
    const uint64_t together = sum_bytes >= CLSCAN__WIDE_BYTES ? CLSCAN__TILES_TOGETHER : 1;

    return (ranges + together - 1) / together * together * words * word_bytes;
}

/* Work-groups that one launch in the order cyclic can register: CLSCAN_REGISTER_BITS of cl/orders/cyclic.cl. */
#define CLSCAN__MOST_REGISTERED ((1u << 15) - 1)

/* Tickets that one launch may draw: the last one must still fit below the epoch. */
static inline uint64_t clscan__most_tickets(clscan_mechanism mechanism)
{
    return (UINT64_C(1) << clscan__words_of(mechanism).ticket_bits) - 1;
}

#endif
