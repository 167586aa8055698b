// What one work-group publishes for another: self-validating words. A word's upper half is a tag (epoch and state),
// its lower half a part of the value, and both travel in one access; so nothing rests on the order of two accesses,
// and what an earlier run left behind does not count because its epoch differs. A reader has the value when all its
// words carry the tag that it expects. Where accesses of 16 bytes are one, a word has two more parts below that.
//
// The widths below are repeated in src/engine/words.h, which sizes the workspace and counts epochs.
//
// Required of the host: CLSCAN_WIDE_WORDS (1: words of 16 bytes, by `clscan_wide_load` and `clscan_wide_store`).
#if !defined(CLSCAN_WIDE_WORDS)
#error "CLSCAN_WIDE_WORDS must be defined"
#endif

// The draw word holds the epoch above a ticket of so many bits.
#if CLSCAN_WORD_BITS == 64
#define CLSCAN_TICKET_BITS 32
#else
#define CLSCAN_TICKET_BITS 18
#endif

#if CLSCAN_WORD_BITS == 64
#define CLSCAN_PAYLOAD_BITS 32
#else
#define CLSCAN_PAYLOAD_BITS 16
#endif
#define CLSCAN_PAYLOAD_MASK ((((clscan_word)1) << CLSCAN_PAYLOAD_BITS) - 1)
#if CLSCAN_WIDE_WORDS
#define CLSCAN_PARTS_PER_WORD 3
typedef ulong2 clscan_published_word; // the upper half second
#else
#define CLSCAN_PARTS_PER_WORD 1
typedef clscan_word clscan_published_word;
#endif
#define CLSCAN_PARTS_PER_VALUE ((CLSCAN_A_BYTES * 8 + CLSCAN_PAYLOAD_BITS - 1) / CLSCAN_PAYLOAD_BITS)
#define CLSCAN_WORDS_PER_VALUE ((CLSCAN_PARTS_PER_VALUE + CLSCAN_PARTS_PER_WORD - 1) / CLSCAN_PARTS_PER_WORD)

// Neighbouring work-items look at neighbouring tiles, word by word. So that they read neighbouring words of wide sums,
// those of CLSCAN_TILES_TOGETHER tiles stand together: the first words of all of them, then the second ones, and so on.
#define CLSCAN_WORD_PITCH (CLSCAN_A_BYTES >= CLSCAN_WIDE_BYTES ? (uint)CLSCAN_TILES_TOGETHER : 1u)
#define CLSCAN_WORDS_AT(words, tile) \
    ((words) + (ulong)((tile) / CLSCAN_WORD_PITCH) * (CLSCAN_WORDS_PER_VALUE * CLSCAN_WORD_PITCH) + \
     (tile) % CLSCAN_WORD_PITCH)

// Words that so many tiles take.
#define CLSCAN_WORDS_OF(tiles) \
    ((ulong)((tiles) + CLSCAN_WORD_PITCH - 1) / CLSCAN_WORD_PITCH * CLSCAN_WORD_PITCH * CLSCAN_WORDS_PER_VALUE)

// What is published, the total of a tile or the prefix after a range, is the same in all of a run's words, but for the
// carry `lookback`, which publishes both, one after the other, in the same words. 0 as a whole tag means that nothing
// was ever published.
#define CLSCAN_STATE_TOTAL 1u
#define CLSCAN_STATE_PUBLISHED 2u
#define clscan_tag(epoch) (((clscan_word)(epoch) << 2 | CLSCAN_STATE_PUBLISHED) << CLSCAN_PAYLOAD_BITS)
#define clscan_total_tag(tag) \
    ((tag) - ((clscan_word)(CLSCAN_STATE_PUBLISHED - CLSCAN_STATE_TOTAL) << CLSCAN_PAYLOAD_BITS))

// A word's part of a sum.
#if CLSCAN_PLAIN
#define clscan_parts_get(words, i) ((clscan_word)((words) >> ((i)*CLSCAN_PAYLOAD_BITS)) & CLSCAN_PAYLOAD_MASK)
#define clscan_parts_put(words, i, part) ((words) |= (ulong)(part) << ((i)*CLSCAN_PAYLOAD_BITS))
#elif CLSCAN_PAYLOAD_BITS == 32
#define clscan_parts_get(words, i) ((clscan_word)(words).at[i])
#define clscan_parts_put(words, i, part) ((words).at[i] = (uint)(part))
#else
#define clscan_parts_get(words, i) ((words).at[(i) / 2] >> 16 * ((i) % 2) & CLSCAN_PAYLOAD_MASK)
#define clscan_parts_put(words, i, part) ((words).at[(i) / 2] |= (part) << 16 * ((i) % 2))
#endif

// The same, where the last words have parts that the sum has not.
#define clscan_part_of(parts, i) ((i) < CLSCAN_PARTS_PER_VALUE ? clscan_parts_get(parts, i) : 0)
#define clscan_part_take(parts, i, part) \
    do { \
        if ((i) < CLSCAN_PARTS_PER_VALUE) \
            clscan_parts_put(parts, i, part); \
    } while (0)

// Word `i` of a value, with its tag.
CLSCAN_FUNCTION void clscan_word_publish(__global clscan_published_word *at, clscan_word tag, clscan_words parts,
                                         uint i)
{
#if CLSCAN_WIDE_WORDS
    const uint first = CLSCAN_PARTS_PER_WORD * i;
    const ulong below = clscan_part_of(parts, first + 1) | clscan_part_of(parts, first + 2) << CLSCAN_PAYLOAD_BITS;

    clscan_wide_store(at, (ulong2)(below, tag | clscan_parts_get(parts, first)));
#else
    clscan_word_store(at, tag | clscan_parts_get(parts, i));
#endif
}

// Put the parts of word `i`, as it is now, in their places. Returns the word's tag.
CLSCAN_FUNCTION clscan_word clscan_word_read(__global clscan_published_word *at, clscan_words *parts, uint i)
{
#if CLSCAN_WIDE_WORDS
    const uint first = CLSCAN_PARTS_PER_WORD * i;
    const ulong2 wide = clscan_wide_load(at);
    const clscan_word word = wide.y;

    clscan_parts_put(*parts, first, word & CLSCAN_PAYLOAD_MASK);
    clscan_part_take(*parts, first + 1, wide.x & CLSCAN_PAYLOAD_MASK);
    clscan_part_take(*parts, first + 2, wide.x >> CLSCAN_PAYLOAD_BITS);
#else
    const clscan_word word = clscan_word_load(at);

    clscan_parts_put(*parts, i, word & CLSCAN_PAYLOAD_MASK);
#endif
    return word & ~CLSCAN_PAYLOAD_MASK;
}

CLSCAN_FUNCTION void clscan_publish(__global clscan_published_word *words, uint tile, clscan_word tag,
                                    clscan_sum value)
{
    __global clscan_published_word *at = CLSCAN_WORDS_AT(words, tile);
    const clscan_words parts = clscan_words_of(value);
#pragma unroll
    for (uint i = 0; i < CLSCAN_WORDS_PER_VALUE; ++i)
        clscan_word_publish(at + i * CLSCAN_WORD_PITCH, tag, parts, i);
}

// One look: the tag under which the tile has published, and *value as published; 0 while its words do not agree.
CLSCAN_FUNCTION clscan_word clscan_look(__global clscan_published_word *words, uint tile, clscan_sum *value)
{
    __global clscan_published_word *at = CLSCAN_WORDS_AT(words, tile);
    clscan_words parts = CLSCAN_NO_WORDS;
    clscan_word tag = 0;
    bool complete = true;
#pragma unroll
    for (uint i = 0; i < CLSCAN_WORDS_PER_VALUE; ++i) {
        const clscan_word found = clscan_word_read(at + i * CLSCAN_WORD_PITCH, &parts, i);
        complete = complete && (i == 0 || found == tag);
        tag = found;
    }
    *value = clscan_sum_of(parts);
    return complete ? tag : 0;
}

// Has the tile published under this tag?
CLSCAN_FUNCTION bool clscan_published(__global clscan_published_word *words, uint tile, clscan_word tag,
                                      clscan_sum *value)
{
    return clscan_look(words, tile, value) == tag;
}
