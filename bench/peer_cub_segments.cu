// Sums of segments: scans and reductions, by flags, keys or offsets.
#include <cstdint>
#include <string>

#include <cub/cub.cuh>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/discard_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include "peer_cub.cuh"

namespace {

using offset = std::uint32_t;

// A flag of a byte as a key: CUB compares the key in front with each, and only the second says whether a segment
// begins there.
struct head_flag {
    std::uint8_t is_head;
    friend __host__ __device__ bool operator==(const head_flag &, const head_flag &second)
    {
        return second.is_head == 0;
    }
};

struct same_segment {
    template <class Key> __host__ __device__ bool operator()(const Key &first, const Key &second) const
    {
        return first == second;
    }
};

template <class T, class Key> cudaError_t inclusive_sums(void *scratch, std::size_t &scratch_bytes, const operands &o)
{
    return cub::DeviceScan::InclusiveSumByKey(scratch, scratch_bytes, static_cast<const Key *>(o.marks),
                                              static_cast<const T *>(o.in), static_cast<T *>(o.out), o.count,
                                              same_segment());
}

template <class T, class Key> cudaError_t exclusive_sums(void *scratch, std::size_t &scratch_bytes, const operands &o)
{
    return cub::DeviceScan::ExclusiveSumByKey(scratch, scratch_bytes, static_cast<const Key *>(o.marks),
                                              static_cast<const T *>(o.in), static_cast<T *>(o.out), o.count,
                                              same_segment());
}

struct plus {
    template <class T> __host__ __device__ T operator()(T a, T b) const
    {
        return a + b;
    }
};

template <class T, class Key, class KeysOut>
cudaError_t reduce_to(KeysOut keys, void *scratch, std::size_t &scratch_bytes, const operands &o)
{
    return cub::DeviceReduce::ReduceByKey(scratch, scratch_bytes, static_cast<const Key *>(o.marks), keys,
                                          static_cast<const T *>(o.in), static_cast<T *>(o.out), o.number, plus(),
                                          o.count);
}

template <class T> cudaError_t reduce_by_keys(void *scratch, std::size_t &scratch_bytes, const operands &o)
{
    return reduce_to<T, std::int32_t>(static_cast<std::int32_t *>(o.keys), scratch, scratch_bytes, o);
}

template <class T> cudaError_t reduce_by_flags(void *scratch, std::size_t &scratch_bytes, const operands &o)
{
    return reduce_to<T, head_flag>(thrust::make_discard_iterator(), scratch, scratch_bytes, o);
}

template <class T> cudaError_t reduce_by_offsets(void *scratch, std::size_t &scratch_bytes, const operands &o)
{
    const offset *const begins = static_cast<const offset *>(o.marks);

    return cub::DeviceSegmentedReduce::Sum(scratch, scratch_bytes, static_cast<const T *>(o.in),
                                           static_cast<T *>(o.out), o.segment_count, begins, begins + 1);
}

#if HAS_SEGMENTED_SCAN
// The last segment ends where the elements do.
struct end_of {
    const offset *begins;
    int segment_count, count;
    __host__ __device__ offset operator()(int segment) const
    {
        return segment + 1 < segment_count ? begins[segment + 1] : static_cast<offset>(count);
    }
};

template <class T, bool exclusive>
cudaError_t scan_by_offsets(void *scratch, std::size_t &scratch_bytes, const operands &o)
{
    const T *from = static_cast<const T *>(o.in);
    T *to = static_cast<T *>(o.out);
    const offset *const begins = static_cast<const offset *>(o.marks);
    const auto ends =
        thrust::make_transform_iterator(thrust::counting_iterator<int>(0), end_of{begins, o.segment_count, o.count});

    if constexpr (exclusive)
        return cub::DeviceSegmentedScan::ExclusiveSegmentedScan(scratch, scratch_bytes, from, to, begins, ends,
                                                                o.segment_count, plus(), T(0));
    else
        return cub::DeviceSegmentedScan::InclusiveSegmentedScan(scratch, scratch_bytes, from, to, begins, ends,
                                                                o.segment_count, plus());
}
#endif

template <class T> launch find_offsets(const std::string &form)
{
    if (form == "reduce")
        return reduce_by_offsets<T>;
#if HAS_SEGMENTED_SCAN
    return form == "exclusive" ? scan_by_offsets<T, true> : scan_by_offsets<T, false>;
#else
    return nullptr;
#endif
}

template <class T> launch find_marks(const std::string &form, const std::string &by)
{
    if (by == "flags")
        return form == "reduce"      ? reduce_by_flags<T>
               : form == "exclusive" ? exclusive_sums<T, head_flag>
                                     : inclusive_sums<T, head_flag>;
    if (by == "keys")
        return form == "reduce"      ? reduce_by_keys<T>
               : form == "exclusive" ? exclusive_sums<T, std::int32_t>
                                     : inclusive_sums<T, std::int32_t>;
    return by == "offsets" ? find_offsets<T>(form) : nullptr;
}

} // namespace

// Sums of unsigned integers are those of signed ones, bit for bit.
launch find_segments(const std::string &type, const std::string &form, const std::string &by)
{
    if (type == "int8" || type == "uint8")
        return find_marks<std::int8_t>(form, by);
    if (type == "int16" || type == "uint16")
        return find_marks<std::int16_t>(form, by);
    if (type == "int32" || type == "uint32")
        return find_marks<std::int32_t>(form, by);
    if (type == "int64" || type == "uint64")
        return find_marks<std::int64_t>(form, by);
    if (type == "float")
        return find_marks<float>(form, by);
    return type == "double" ? find_marks<double>(form, by) : nullptr;
}
