// Bytes that a part keeps, gathered a word of four at a time, by what NVIDIA's GPUs have for it: a step for each byte
// would take them longer than memory takes. Of each word, those that are kept move together; two words are then put
// behind what stands in front of them in local memory, which is zero so far.
#define CLSCAN_CAN_GATHER_WORDS (CLSCAN_HOLDS_WORDS && CLSCAN_SELECT_COPIES)

#if CLSCAN_CAN_GATHER_WORDS
// Which bytes of a word, and of zeros behind it, to take where the marks of its bytes are the lowest bits of the lane's
// number; from bit 16 on, how many bits they have. Lanes get what they need from one another: a table.
CLSCAN_FUNCTION uint clscan_lane_picks(void)
{
    uint picks = 0, bits = 0;

#pragma unroll
    for (uint c = 0; c < 4; ++c)
        if (clscan_lane() >> c & 1) {
            picks |= c << bits / 2;
            bits += 8;
        }
    return picks | (0x4444u << bits / 2 & 0xffffu) | bits << 16;
}

// Put the bytes of `words` that are marked at byte `place` of `room`; two words behind that of the last place are
// touched, too. Shuffles of PTX look at the lowest five bits of a lane, of which the fifth makes no difference here; so
// higher marks may stay.
CLSCAN_FUNCTION void clscan_words_gather(const uint *words, uint marks, uint lane_picks, __local uint *room, uint place)
{
    uint bits = place * 8;

#pragma unroll
    for (uint i = 0; i < CLSCAN_IN_WORDS; i += 2) {
        const uint picks = clscan_shuffle_bits(lane_picks, marks >> 4 * i);
        const uint low = CLSCAN_BYTES(words[i], 0, picks);
        __local uint *to = room + bits / 32;
#if CLSCAN_IN_WORDS > 1
        const uint more = clscan_shuffle_bits(lane_picks, marks >> 4 * (i + 1));
        const ulong pair = low | (ulong)CLSCAN_BYTES(words[i + 1], 0, more) << (picks >> 16);
        const uint first = (uint)pair, second = (uint)(pair >> 32);

        (void)atomic_or(to, CLSCAN_FUNNEL(0, first, bits));
        (void)atomic_or(to + 1, CLSCAN_FUNNEL(first, second, bits));
        (void)atomic_or(to + 2, CLSCAN_FUNNEL(second, 0, bits));
        bits += (picks >> 16) + (more >> 16);
#else
        (void)atomic_or(to, CLSCAN_FUNNEL(0, low, bits));
        (void)atomic_or(to + 1, CLSCAN_FUNNEL(low, 0, bits));
#endif
    }
}
#endif
