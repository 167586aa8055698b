// Scalars and flags of 1 or 2 bytes in problems that are not plain, where a vector of them fills words of 4 bytes.
// Compilers load vectors of bytes one by one, and give each byte a register of its own; words of them they do not.
#if CLSCAN_IN_SCALAR && !CLSCAN_GENERATES && CLSCAN_IN_BYTES < 4
#define CLSCAN_IN_WORD_BYTES (CLSCAN_IN_BYTES * CLSCAN_VECTOR_LENGTH)
#if CLSCAN_IN_BYTES == 1
#define CLSCAN_IN_BITS uchar
#else
#define CLSCAN_IN_BITS ushort
#endif
#else
#define CLSCAN_IN_WORD_BYTES 0
#endif
#if CLSCAN_IN_WORD_BYTES == 4
#define CLSCAN_IN_WORDS 1
#elif CLSCAN_IN_WORD_BYTES == 8
#define CLSCAN_IN_WORDS 2
#elif CLSCAN_IN_WORD_BYTES == 16
#define CLSCAN_IN_WORDS 4
#elif CLSCAN_IN_WORD_BYTES == 32
#define CLSCAN_IN_WORDS 8
#else
#define CLSCAN_IN_WORDS 0
#endif

// `count`, a number of 1, 2, 4 or 8, of aligned words.
#define CLSCAN_LOAD_WORDS(count, from, words) \
    CLSCAN_PASTE(clscan_load_words_, count)((__global const uint *)(from), (words))

CLSCAN_FUNCTION void clscan_load_words_1(__global const uint *from, uint *words)
{
    words[0] = *from;
}

CLSCAN_FUNCTION void clscan_load_words_2(__global const uint *from, uint *words)
{
    vstore2(*(__global const uint2 *)from, 0, words);
}

CLSCAN_FUNCTION void clscan_load_words_4(__global const uint *from, uint *words)
{
    vstore4(*(__global const uint4 *)from, 0, words);
}

CLSCAN_FUNCTION void clscan_load_words_8(__global const uint *from, uint *words)
{
    vstore8(*(__global const uint8 *)from, 0, words);
}

#if CLSCAN_IN_WORDS > 0
#define CLSCAN_PER_IN_WORD (4 / CLSCAN_IN_BYTES)
CLSCAN_FUNCTION CLSCAN_IN clscan_word_get(const uint *words, uint c)
{
    const uint shift = c % CLSCAN_PER_IN_WORD * 8 * CLSCAN_IN_BYTES;
    return CLSCAN_PASTE(as_, CLSCAN_IN)((CLSCAN_IN_BITS)(words[c / CLSCAN_PER_IN_WORD] >> shift));
}

CLSCAN_FUNCTION void clscan_words_set(uint *words, const CLSCAN_IN *elements)
{
#pragma unroll
    for (uint i = 0; i < CLSCAN_IN_WORDS; ++i) {
        words[i] = 0;
#pragma unroll
        for (uint c = 0; c < CLSCAN_PER_IN_WORD; ++c)
            words[i] |= (uint)CLSCAN_PASTE(as_, CLSCAN_IN_BITS)(elements[i * CLSCAN_PER_IN_WORD + c])
                        << c * 8 * CLSCAN_IN_BYTES;
    }
}
#endif

// Bit i is set where byte i of the word is not 0.
CLSCAN_FUNCTION uint clscan_bytes_set(uint word)
{
    const uint highest = (((word & 0x7f7f7f7fu) + 0x7f7f7f7fu) | word) & 0x80808080u;
    return highest * 0x00204081u >> 28;
}

// Bit i is set where answer i, which is 0 or -1, is not 0. Processors have an instruction that compilers do not find.
#define CLSCAN_HAS_BYTE_MASKS 0
#ifdef __has_builtin
#if defined(__SSE2__) && __has_builtin(__builtin_ia32_pmovmskb128)
#undef CLSCAN_HAS_BYTE_MASKS
#define CLSCAN_HAS_BYTE_MASKS 1
#endif
#endif
CLSCAN_FUNCTION uint clscan_answer_bits(char16 answers)
{
#if CLSCAN_HAS_BYTE_MASKS
    return (uint)__builtin_ia32_pmovmskb128(answers);
#else
    const ulong2 bits = (as_ulong2(answers) & (ulong2)(0x0101010101010101ul)) * (ulong2)(0x0102040810204080ul) >> 56;

    return (uint)(bits.x | bits.y << 8);
#endif
}
