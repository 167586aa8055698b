// Scans, scans of rows, and reductions.
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>

#include <cub/cub.cuh>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include "peer_cub.cuh"

namespace {

struct sum {
    template <class T> __host__ __device__ T operator()(T a, T b) const
    {
        return a + b;
    }
    template <class T> static T identity()
    {
        return T(0);
    }
};

struct smaller {
    template <class T> __host__ __device__ T operator()(T a, T b) const
    {
        return b < a ? b : a;
    }
    template <class T> static T identity()
    {
        using limits = std::numeric_limits<T>;
        return limits::has_infinity ? limits::infinity() : limits::max();
    }
};

struct larger {
    template <class T> __host__ __device__ T operator()(T a, T b) const
    {
        return a < b ? b : a;
    }
    template <class T> static T identity()
    {
        using limits = std::numeric_limits<T>;
        return limits::has_infinity ? -limits::infinity() : limits::lowest();
    }
};

template <class T> cudaError_t inclusive_sum(void *scratch, std::size_t &scratch_bytes, const operands &o)
{
    return cub::DeviceScan::InclusiveSum(scratch, scratch_bytes, static_cast<const T *>(o.in), static_cast<T *>(o.out),
                                         o.count);
}

template <class T> cudaError_t exclusive_sum(void *scratch, std::size_t &scratch_bytes, const operands &o)
{
    return cub::DeviceScan::ExclusiveSum(scratch, scratch_bytes, static_cast<const T *>(o.in), static_cast<T *>(o.out),
                                         o.count);
}

template <class T, class Operator>
cudaError_t inclusive_scan(void *scratch, std::size_t &scratch_bytes, const operands &o)
{
    return cub::DeviceScan::InclusiveScan(scratch, scratch_bytes, static_cast<const T *>(o.in), static_cast<T *>(o.out),
                                          Operator(), o.count);
}

template <class T, class Operator>
cudaError_t exclusive_scan(void *scratch, std::size_t &scratch_bytes, const operands &o)
{
    return cub::DeviceScan::ExclusiveScan(scratch, scratch_bytes, static_cast<const T *>(o.in), static_cast<T *>(o.out),
                                          Operator(), Operator::template identity<T>(), o.count);
}

// CUB has two ways for rows: a scan by keys that are numbers of rows and cost no bytes, which is as fast for every
// length, and from 3.2 on a scan of segments, by a work-group each, which is faster in the middle.
constexpr int most_of_segment = 1 << 18;

struct row_of {
    int row;
    __host__ __device__ int operator()(int index) const
    {
        return index / row;
    }
};

struct begin_of {
    long long row;
    __host__ __device__ long long operator()(long long index) const
    {
        return index * row;
    }
};

template <class T, class Operator, bool exclusive>
cudaError_t scan_rows(void *scratch, std::size_t &scratch_bytes, const operands &o)
{
    const T *from = static_cast<const T *>(o.in);
    T *to = static_cast<T *>(o.out);
#if HAS_SEGMENTED_SCAN
    if (o.row <= most_of_segment) {
        const auto begins = thrust::make_transform_iterator(thrust::counting_iterator<long long>(0), begin_of{o.row});

        if constexpr (exclusive)
            return cub::DeviceSegmentedScan::ExclusiveSegmentedScan(scratch, scratch_bytes, from, to, begins,
                                                                    begins + 1, o.count / o.row, Operator(),
                                                                    Operator::template identity<T>());
        else
            return cub::DeviceSegmentedScan::InclusiveSegmentedScan(scratch, scratch_bytes, from, to, begins,
                                                                    begins + 1, o.count / o.row, Operator());
    }
#endif
    const auto keys = thrust::make_transform_iterator(thrust::counting_iterator<int>(0), row_of{o.row});

    if constexpr (exclusive)
        return cub::DeviceScan::ExclusiveScanByKey(scratch, scratch_bytes, keys, from, to, Operator(),
                                                   Operator::template identity<T>(), o.count);
    else
        return cub::DeviceScan::InclusiveScanByKey(scratch, scratch_bytes, keys, from, to, Operator(), o.count);
}

template <class T, class Operator> launch rows_of(bool exclusive)
{
    return exclusive ? scan_rows<T, Operator, true> : scan_rows<T, Operator, false>;
}

template <class T, class Operator> cudaError_t reduce(void *scratch, std::size_t &scratch_bytes, const operands &o)
{
    return cub::DeviceReduce::Reduce(scratch, scratch_bytes, static_cast<const T *>(o.in), static_cast<T *>(o.out),
                                     o.count, Operator(), Operator::template identity<T>());
}

template <class T, class Operator>
cudaError_t reduce_rows(void *scratch, std::size_t &scratch_bytes, const operands &o)
{
    const auto begins = thrust::make_transform_iterator(thrust::counting_iterator<long long>(0), begin_of{o.row});

    return cub::DeviceSegmentedReduce::Reduce(scratch, scratch_bytes, static_cast<const T *>(o.in),
                                              static_cast<T *>(o.out), o.count / o.row, begins, begins + 1, Operator(),
                                              Operator::template identity<T>());
}

template <class T> cudaError_t reduce_sum(void *scratch, std::size_t &scratch_bytes, const operands &o)
{
    return cub::DeviceReduce::Sum(scratch, scratch_bytes, static_cast<const T *>(o.in), static_cast<T *>(o.out),
                                  o.count);
}

// Sums of unsigned integers are those of signed ones, bit for bit.
template <class T, bool = std::is_integral<T>::value> struct sum_type {
    using type = typename std::make_signed<T>::type;
};
template <class T> struct sum_type<T, false> {
    using type = T;
};

template <class T> launch find_operator(const std::string &op, const std::string &form, bool rows)
{
    using S = typename sum_type<T>::type;
    const bool exclusive = form == "exclusive";

    if (form == "reduce" && rows)
        return op == "add"   ? reduce_rows<S, sum>
               : op == "min" ? reduce_rows<T, smaller>
               : op == "max" ? reduce_rows<T, larger>
                             : nullptr;
    if (form == "reduce")
        return op == "add"   ? reduce_sum<S>
               : op == "min" ? reduce<T, smaller>
               : op == "max" ? reduce<T, larger>
                             : nullptr;
    if (rows)
        return op == "add"   ? rows_of<S, sum>(exclusive)
               : op == "min" ? rows_of<T, smaller>(exclusive)
               : op == "max" ? rows_of<T, larger>(exclusive)
                             : nullptr;
    if (op == "add")
        return exclusive ? exclusive_sum<S> : inclusive_sum<S>;
    if (op == "min")
        return exclusive ? exclusive_scan<T, smaller> : inclusive_scan<T, smaller>;
    if (op == "max")
        return exclusive ? exclusive_scan<T, larger> : inclusive_scan<T, larger>;
    return nullptr;
}

} // namespace

launch find_scan(const std::string &type, const std::string &op, const std::string &form, bool rows)
{
    if (type == "int8")
        return find_operator<std::int8_t>(op, form, rows);
    if (type == "uint8")
        return find_operator<std::uint8_t>(op, form, rows);
    if (type == "int16")
        return find_operator<std::int16_t>(op, form, rows);
    if (type == "uint16")
        return find_operator<std::uint16_t>(op, form, rows);
    if (type == "int32")
        return find_operator<std::int32_t>(op, form, rows);
    if (type == "uint32")
        return find_operator<std::uint32_t>(op, form, rows);
    if (type == "int64")
        return find_operator<std::int64_t>(op, form, rows);
    if (type == "uint64")
        return find_operator<std::uint64_t>(op, form, rows);
    if (type == "float")
        return find_operator<float>(op, form, rows);
    if (type == "double")
        return find_operator<double>(op, form, rows);
    return nullptr;
}
