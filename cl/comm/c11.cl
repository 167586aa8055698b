// Communication between work-groups by OpenCL C 2.0 / 3.0 atomics: relaxed order, device scope.
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable
typedef ulong clscan_word;
#define CLSCAN_WORD_BITS 64

CLSCAN_FUNCTION clscan_word clscan_word_load(__global clscan_word *at)
{
    return atomic_load_explicit((volatile __global atomic_ulong *)at, memory_order_relaxed, memory_scope_device);
}

CLSCAN_FUNCTION void clscan_word_store(__global clscan_word *at, clscan_word word)
{
    atomic_store_explicit((volatile __global atomic_ulong *)at, word, memory_order_relaxed, memory_scope_device);
}

CLSCAN_FUNCTION clscan_word clscan_word_add(__global clscan_word *at, clscan_word increment)
{
    return atomic_fetch_add_explicit((volatile __global atomic_ulong *)at, increment, memory_order_relaxed,
                                     memory_scope_device);
}

/// Put `word` in the place of `expected`, if that stands there. Returns what stood there.
CLSCAN_FUNCTION clscan_word clscan_word_replace(__global clscan_word *at, clscan_word expected, clscan_word word)
{
    atomic_compare_exchange_strong_explicit((volatile __global atomic_ulong *)at, &expected, word,
                                            memory_order_relaxed, memory_order_relaxed, memory_scope_device);
    return expected;
}

#define CLSCAN_HAS_DEVICE_FENCE 1
#define clscan_device_fence() atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_acq_rel, memory_scope_device)
