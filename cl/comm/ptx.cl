// Communication between work-groups by NVIDIA PTX, compute capability 7.0 and newer: relaxed accesses at GPU scope.
// NVIDIA's OpenCL offers no device-scope atomics, and its mem_fence orders inside the work-group only.
typedef ulong clscan_word;
#define CLSCAN_WORD_BITS 64

CLSCAN_FUNCTION clscan_word clscan_word_load(__global clscan_word *at)
{
    clscan_word word;
    __asm__ volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(word) : "l"(at) : "memory");
    return word;
}

CLSCAN_FUNCTION void clscan_word_store(__global clscan_word *at, clscan_word word)
{
    __asm__ volatile("st.relaxed.gpu.global.u64 [%0], %1;" ::"l"(at), "l"(word) : "memory");
}

#if CLSCAN_WIDE_WORDS
// One access each, in PTX 8.3 and newer.
CLSCAN_FUNCTION ulong2 clscan_wide_load(__global ulong2 *at)
{
    ulong2 word;
    __asm__ volatile("{.reg .b128 w; ld.relaxed.gpu.global.b128 w, [%2]; mov.b128 {%0, %1}, w;}"
                     : "=l"(word.x), "=l"(word.y)
                     : "l"(at)
                     : "memory");
    return word;
}

CLSCAN_FUNCTION void clscan_wide_store(__global ulong2 *at, ulong2 word)
{
    __asm__ volatile("{.reg .b128 w; mov.b128 w, {%1, %2}; st.relaxed.gpu.global.b128 [%0], w;}" ::"l"(at),
                     "l"(word.x), "l"(word.y)
                     : "memory");
}
#endif

CLSCAN_FUNCTION clscan_word clscan_word_add(__global clscan_word *at, clscan_word increment)
{
    clscan_word word;
    __asm__ volatile("atom.relaxed.gpu.global.add.u64 %0, [%1], %2;" : "=l"(word) : "l"(at), "l"(increment) : "memory");
    return word;
}

/// Put `word` in the place of `expected`, if that stands there. Returns what stood there.
CLSCAN_FUNCTION clscan_word clscan_word_replace(__global clscan_word *at, clscan_word expected, clscan_word word)
{
    clscan_word found;
    __asm__ volatile("atom.relaxed.gpu.global.cas.b64 %0, [%1], %2, %3;"
                     : "=l"(found)
                     : "l"(at), "l"(expected), "l"(word)
                     : "memory");
    return found;
}

#define CLSCAN_HAS_DEVICE_FENCE 1
#define clscan_device_fence() __asm__ volatile("fence.acq_rel.gpu;" ::: "memory")
