// Selections: by flags of a byte or a bit, by a predicate, and the first of each run of equal elements; indices of
// flags; partitions by flags, and in three; run-length encoding; runs of two and more. CUB decodes runs inside
// work-groups only.
#include <cstdint>
#include <string>

#include <cub/cub.cuh>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include "peer_cub.cuh"

namespace {

struct bit_of {
    const std::uint8_t *bytes;
    __host__ __device__ bool operator()(int index) const
    {
        return (bytes[index / 8] >> index % 8 & 1) != 0;
    }
};

template <class T> cudaError_t select_by_bytes(void *scratch, std::size_t &scratch_bytes, const operands &o)
{
    const auto flags = static_cast<const std::uint8_t *>(o.marks);

    if (o.in_place())
        return cub::DeviceSelect::Flagged(scratch, scratch_bytes, static_cast<T *>(o.out), flags, o.number, o.count);
    return cub::DeviceSelect::Flagged(scratch, scratch_bytes, static_cast<const T *>(o.in), flags,
                                      static_cast<T *>(o.out), o.number, o.count);
}

// CUB reads no bits by itself.
template <class T> cudaError_t select_by_bits(void *scratch, std::size_t &scratch_bytes, const operands &o)
{
    const auto flags = thrust::make_transform_iterator(thrust::counting_iterator<int>(0),
                                                       bit_of{static_cast<const std::uint8_t *>(o.marks)});

    if (o.in_place())
        return cub::DeviceSelect::Flagged(scratch, scratch_bytes, static_cast<T *>(o.out), flags, o.number, o.count);
    return cub::DeviceSelect::Flagged(scratch, scratch_bytes, static_cast<const T *>(o.in), flags,
                                      static_cast<T *>(o.out), o.number, o.count);
}

struct is_odd {
    template <class T> __host__ __device__ bool operator()(T element) const
    {
        return (element & 1) != 0;
    }
};

template <class T> cudaError_t select_by_predicate(void *scratch, std::size_t &scratch_bytes, const operands &o)
{
    if (o.in_place())
        return cub::DeviceSelect::If(scratch, scratch_bytes, static_cast<T *>(o.out), o.number, o.count, is_odd{});
    return cub::DeviceSelect::If(scratch, scratch_bytes, static_cast<const T *>(o.in), static_cast<T *>(o.out),
                                 o.number, o.count, is_odd{});
}

template <class T> cudaError_t select_unique(void *scratch, std::size_t &scratch_bytes, const operands &o)
{
    return cub::DeviceSelect::Unique(scratch, scratch_bytes, static_cast<const T *>(o.in), static_cast<T *>(o.out),
                                     o.number, o.count);
}

cudaError_t select_where(void *scratch, std::size_t &scratch_bytes, const operands &o)
{
    return cub::DeviceSelect::Flagged(scratch, scratch_bytes, thrust::counting_iterator<std::uint32_t>(0),
                                      static_cast<const std::uint8_t *>(o.marks), static_cast<std::uint32_t *>(o.out),
                                      o.number, o.count);
}

// Puts what is not kept behind the rest from the end on.
template <class T> cudaError_t partition(void *scratch, std::size_t &scratch_bytes, const operands &o)
{
    return cub::DevicePartition::Flagged(scratch, scratch_bytes, static_cast<const T *>(o.in),
                                         static_cast<const std::uint8_t *>(o.marks), static_cast<T *>(o.out), o.number,
                                         o.count);
}

struct is_even_only {
    template <class T> __host__ __device__ bool operator()(T element) const
    {
        return (element & 3) == 2;
    }
};

// The second and the third part go to places of their own, each with room for all elements, in their order: CUB's
// documentation says of the last one that it is turned round, its code stores it as it comes.
template <class T> cudaError_t three_way(void *scratch, std::size_t &scratch_bytes, const operands &o)
{
    T *const second = static_cast<T *>(o.keys);

    return cub::DevicePartition::If(scratch, scratch_bytes, static_cast<const T *>(o.in), static_cast<T *>(o.out),
                                    second, second + o.count, o.number, o.count, is_odd{}, is_even_only{});
}

// Offsets and lengths, no values.
template <class T> cudaError_t long_runs(void *scratch, std::size_t &scratch_bytes, const operands &o)
{
    return cub::DeviceRunLengthEncode::NonTrivialRuns(
        scratch, scratch_bytes, static_cast<const T *>(o.in), static_cast<std::uint32_t *>(o.out),
        static_cast<std::int32_t *>(o.keys), o.number, o.count);
}

template <class T> cudaError_t encode(void *scratch, std::size_t &scratch_bytes, const operands &o)
{
    return cub::DeviceRunLengthEncode::Encode(scratch, scratch_bytes, static_cast<const T *>(o.in),
                                              static_cast<T *>(o.out), static_cast<std::int32_t *>(o.keys), o.number,
                                              o.count);
}

template <class T> launch find_form(const std::string &form, bool in_place)
{
    if (in_place && form != "select" && form != "select_bits" && form != "select_predicate")
        return nullptr;
    return form == "select"             ? select_by_bytes<T>
           : form == "select_bits"      ? select_by_bits<T>
           : form == "select_predicate" ? select_by_predicate<T>
           : form == "select_unique"    ? select_unique<T>
           : form == "select_where"     ? select_where
           : form == "partition"        ? partition<T>
           : form == "three_way"        ? three_way<T>
           : form == "encode"           ? encode<T>
           : form == "long_runs"        ? long_runs<T>
                                        : nullptr;
}

} // namespace

// What moves elements needs their size only.
launch find_selection(const std::string &form, std::size_t element_bytes, bool in_place)
{
    switch (element_bytes) {
    case 1:
        return find_form<std::uint8_t>(form, in_place);
    case 2:
        return find_form<std::uint16_t>(form, in_place);
    case 4:
        return find_form<std::uint32_t>(form, in_place);
    case 8:
        return find_form<std::uint64_t>(form, in_place);
    default:
        return nullptr;
    }
}
