// Bytes that a part keeps, gathered a word of four at a time, by what NVIDIA's GPUs have for it: a step for each byte
// would take them longer than memory takes. Of each word, those that are kept move together: to the upper end of the
// first of two, to the lower end of the second, so that shifts by the same number of bits join the two. They are then
// put behind what stands in front of them in local memory, which is zero so far.
#define CLSCAN_CAN_GATHER_WORDS (CLSCAN_HOLDS_WORDS && CLSCAN_SELECT_COPIES)

#if CLSCAN_CAN_GATHER_WORDS
// Which bytes of a word, and of zeros, to take where the marks of its bytes are the lowest bits of the lane's number:
// what is kept then stands at the upper end, or at the lower end. From bit 16 on, how many bits are free below it, or
// how many it has. Lanes get what they need from one another: tables.
typedef struct clscan_picks {
    uint upper;
    uint lower;
} clscan_picks;

CLSCAN_FUNCTION clscan_picks clscan_lane_picks(void)
{
    clscan_picks picks;
    uint kept = 0, bits = 0;

#pragma unroll
    for (uint c = 0; c < 4; ++c)
        if (clscan_lane() >> c & 1) {
            kept |= c << bits / 2;
            bits += 8;
        }
    picks.upper = (kept << (32 - bits) / 2 & 0xffffu) | 0x4444u >> bits / 2 | (32 - bits) << 16;
    picks.lower = kept | (0x4444u << bits / 2 & 0xffffu) | bits << 16;
    return picks;
}

// Put the bytes of `words` that are marked at byte `place` of `room`; two words behind that of the last place are
// touched, too. Shuffles of PTX look at the lowest five bits of a lane, of which the fifth makes no difference here; so
// higher marks may stay.
CLSCAN_FUNCTION void clscan_words_gather(const uint *words, uint marks, clscan_picks lane_picks, __local uint *room,
                                         uint place)
{
    int bits = (int)place * 8; // less 32 for each pair of words

#pragma unroll
    for (uint i = 0; i < CLSCAN_IN_WORDS; i += 2) {
#if CLSCAN_IN_WORDS > 1
        const uint picks = clscan_shuffle_bits(lane_picks.upper, marks >> 4 * i), free = picks >> 16;
        const uint more_picks = clscan_shuffle_bits(lane_picks.lower, marks >> 4 * (i + 1));
        const uint low = CLSCAN_BYTES(words[i], 0, picks), more = CLSCAN_BYTES(words[i + 1], 0, more_picks);
        const uint first = CLSCAN_FUNNEL_DOWN(low, more, free), second = CLSCAN_FUNNEL_DOWN(more, 0, free);

        CLSCAN_LOCAL_OR(room + (bits >> 5) + i / 2, CLSCAN_FUNNEL(0, first, bits), CLSCAN_FUNNEL(first, second, bits),
                        CLSCAN_FUNNEL(second, 0, bits));
        bits += (int)(more_picks >> 16) - (int)free;
#else
        const uint low = CLSCAN_BYTES(words[i], 0, clscan_shuffle_bits(lane_picks.lower, marks));

        CLSCAN_LOCAL_OR(room + (bits >> 5), CLSCAN_FUNNEL(0, low, bits), CLSCAN_FUNNEL(low, 0, bits), 0);
#endif
    }
}
#endif
