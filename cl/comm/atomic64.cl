// Communication between work-groups by 64-bit read-modify-write atomics of OpenCL C 1.x, which hardware executes in
// the cache that all compute units share. There is no fence at device scope.
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
typedef ulong clscan_word;
#define CLSCAN_WORD_BITS 64

CLSCAN_FUNCTION clscan_word clscan_word_add(__global clscan_word *at, clscan_word increment)
{
    return atom_add((volatile __global ulong *)at, increment);
}

CLSCAN_FUNCTION clscan_word clscan_word_load(__global clscan_word *at)
{
    return clscan_word_add(at, 0);
}

CLSCAN_FUNCTION void clscan_word_store(__global clscan_word *at, clscan_word word)
{
    atom_xchg((volatile __global ulong *)at, word);
}

/// Put `word` in the place of `expected`, if that stands there. Returns what stood there.
CLSCAN_FUNCTION clscan_word clscan_word_replace(__global clscan_word *at, clscan_word expected, clscan_word word)
{
    return atom_cmpxchg((volatile __global ulong *)at, expected, word);
}

#define CLSCAN_HAS_DEVICE_FENCE 0
#define clscan_device_fence()
