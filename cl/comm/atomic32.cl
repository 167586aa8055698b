// Communication between work-groups by 32-bit read-modify-write atomics of OpenCL C 1.x, for devices without 64-bit
// ones: values travel in halves of 16 bits. There is no fence at device scope.
typedef uint clscan_word;
#define CLSCAN_WORD_BITS 32

CLSCAN_FUNCTION clscan_word clscan_word_add(__global clscan_word *at, clscan_word increment)
{
    return atomic_add((volatile __global uint *)at, increment);
}

CLSCAN_FUNCTION clscan_word clscan_word_load(__global clscan_word *at)
{
    return clscan_word_add(at, 0);
}

CLSCAN_FUNCTION void clscan_word_store(__global clscan_word *at, clscan_word word)
{
    atomic_xchg((volatile __global uint *)at, word);
}

/// Put `word` in the place of `expected`, if that stands there. Returns what stood there.
CLSCAN_FUNCTION clscan_word clscan_word_replace(__global clscan_word *at, clscan_word expected, clscan_word word)
{
    return atomic_cmpxchg((volatile __global uint *)at, expected, word);
}

#define CLSCAN_HAS_DEVICE_FENCE 0
#define clscan_device_fence()
