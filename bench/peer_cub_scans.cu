// Scans and reductions.
#include <cstdint>
#include <string>

#include <cub/cub.cuh>

#include "peer_cub.cuh"
#include "peer_cub_operators.cuh"

namespace {

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

template <class T, class Operator> cudaError_t reduce(void *scratch, std::size_t &scratch_bytes, const operands &o)
{
    return cub::DeviceReduce::Reduce(scratch, scratch_bytes, static_cast<const T *>(o.in), static_cast<T *>(o.out),
                                     o.count, Operator(), Operator::template identity<T>());
}

template <class T> cudaError_t reduce_sum(void *scratch, std::size_t &scratch_bytes, const operands &o)
{
    return cub::DeviceReduce::Sum(scratch, scratch_bytes, static_cast<const T *>(o.in), static_cast<T *>(o.out),
                                  o.count);
}

template <class T> launch find_operator(const std::string &op, const std::string &form)
{
    using S = typename sum_type<T>::type;
    const bool exclusive = form == "exclusive";

    if (form == "reduce")
        return op == "add"   ? reduce_sum<S>
               : op == "min" ? reduce<T, smaller>
               : op == "max" ? reduce<T, larger>
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

launch find_scan(const std::string &type, const std::string &op, const std::string &form)
{
    if (type == "int8")
        return find_operator<std::int8_t>(op, form);
    if (type == "uint8")
        return find_operator<std::uint8_t>(op, form);
    if (type == "int16")
        return find_operator<std::int16_t>(op, form);
    if (type == "uint16")
        return find_operator<std::uint16_t>(op, form);
    if (type == "int32")
        return find_operator<std::int32_t>(op, form);
    if (type == "uint32")
        return find_operator<std::uint32_t>(op, form);
    if (type == "int64")
        return find_operator<std::int64_t>(op, form);
    if (type == "uint64")
        return find_operator<std::uint64_t>(op, form);
    if (type == "float")
        return find_operator<float>(op, form);
    if (type == "double")
        return find_operator<double>(op, form);
    return nullptr;
}
