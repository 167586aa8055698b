// Scans and reductions of rows. No way is the best at every length, so there are several.
#include <cstdint>
#include <string>

#include <cub/cub.cuh>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/permutation_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include "peer_cub.cuh"
#include "peer_cub_operators.cuh"

namespace {

// A call of its own for each row takes some microseconds, whatever the row.
constexpr int most_calls = 1024;
// Longer rows keep one work-group busy while all others have nothing to do, and shorter ones keep it idle.
constexpr int most_of_block = 1 << 22, least_of_block = 32;

struct row_of {
    int row;
    __host__ __device__ int operator()(int index) const
    {
        return index / row;
    }
};

struct place_of {
    int row;
    long long pitch;
    __host__ __device__ long long operator()(int index) const
    {
        return index / row * pitch + index % row;
    }
};

struct border_of {
    long long pitch, offset;
    __host__ __device__ long long operator()(long long index) const
    {
        return index * pitch + offset;
    }
};

// Where each row begins, or ends.
auto borders(const operands &o, long long offset)
{
    return thrust::make_transform_iterator(thrust::counting_iterator<long long>(0), border_of{o.pitch, offset});
}

template <class T, class Operator, bool exclusive>
cudaError_t scan_each(void *scratch, std::size_t &scratch_bytes, const operands &o)
{
    cudaError_t code = cudaSuccess;

    for (int i = 0; i < o.count / o.row && code == cudaSuccess; ++i) {
        const T *from = static_cast<const T *>(o.in) + i * o.pitch;
        T *to = static_cast<T *>(o.out) + i * o.pitch;

        if constexpr (exclusive)
            code = cub::DeviceScan::ExclusiveScan(scratch, scratch_bytes, from, to, Operator(),
                                                  Operator::template identity<T>(), o.row);
        else
            code = cub::DeviceScan::InclusiveScan(scratch, scratch_bytes, from, to, Operator(), o.row);
        if (scratch == nullptr)
            break;
    }
    return code;
}

#if HAS_SEGMENTED_SCAN
template <class T, class Operator, bool exclusive>
cudaError_t scan_segments(void *scratch, std::size_t &scratch_bytes, const operands &o)
{
    const T *from = static_cast<const T *>(o.in);
    T *to = static_cast<T *>(o.out);

    if constexpr (exclusive)
        return cub::DeviceSegmentedScan::ExclusiveSegmentedScan(scratch, scratch_bytes, from, to, borders(o, 0),
                                                                borders(o, o.row), o.count / o.row, Operator(),
                                                                Operator::template identity<T>());
    else
        return cub::DeviceSegmentedScan::InclusiveSegmentedScan(scratch, scratch_bytes, from, to, borders(o, 0),
                                                                borders(o, o.row), o.count / o.row, Operator());
}
#endif

template <class Operator, bool exclusive, class From, class To, class T>
cudaError_t scan_keys(void *scratch, std::size_t &scratch_bytes, const operands &o, From from, To to, T identity)
{
    const auto keys = thrust::make_transform_iterator(thrust::counting_iterator<int>(0), row_of{o.row});

    if constexpr (exclusive)
        return cub::DeviceScan::ExclusiveScanByKey(scratch, scratch_bytes, keys, from, to, Operator(), identity,
                                                   o.count);
    else
        return cub::DeviceScan::InclusiveScanByKey(scratch, scratch_bytes, keys, from, to, Operator(), o.count);
}

// Keys are numbers of rows, which cost no bytes.
template <class T, class Operator, bool exclusive>
cudaError_t scan_by_key(void *scratch, std::size_t &scratch_bytes, const operands &o)
{
    const T *from = static_cast<const T *>(o.in);
    T *to = static_cast<T *>(o.out);
    const T identity = Operator::template identity<T>();
    const auto places =
        thrust::make_transform_iterator(thrust::counting_iterator<int>(0), place_of{o.row, o.pitch});

    if (o.pitch == o.row)
        return scan_keys<Operator, exclusive>(scratch, scratch_bytes, o, from, to, identity);
    return scan_keys<Operator, exclusive>(scratch, scratch_bytes, o, thrust::make_permutation_iterator(from, places),
                                          thrust::make_permutation_iterator(to, places), identity);
}

// What precedes a tile of a row; CUB asks the first warp for it.
template <class T, class Operator> struct running {
    T before;
    __device__ T operator()(T total)
    {
        const T result = before;

        before = Operator()(before, total);
        return result;
    }
};

constexpr int block_size = 256;

template <class T, class Operator, bool exclusive>
__global__ void __launch_bounds__(block_size)
    scan_row(const T *in, T *out, int row, long long pitch, T identity)
{
    constexpr int items = sizeof(T) <= 4 ? 16 : 8, tile = block_size * items;
    using loader = cub::BlockLoad<T, block_size, items, cub::BLOCK_LOAD_WARP_TRANSPOSE>;
    using storer = cub::BlockStore<T, block_size, items, cub::BLOCK_STORE_WARP_TRANSPOSE>;
    using scanner = cub::BlockScan<T, block_size>;
    __shared__ union {
        typename loader::TempStorage load;
        typename storer::TempStorage store;
        typename scanner::TempStorage scan;
    } shared;
    const T *from = in + blockIdx.x * pitch;
    T *to = out + blockIdx.x * pitch;
    running<T, Operator> prefix = {identity};

    for (int at = 0; at < row; at += tile) {
        const int valid = row - at < tile ? row - at : tile;
        T elements[items];

        loader(shared.load).Load(from + at, elements, valid, identity);
        __syncthreads();
        if constexpr (exclusive)
            scanner(shared.scan).ExclusiveScan(elements, elements, Operator(), prefix);
        else
            scanner(shared.scan).InclusiveScan(elements, elements, Operator(), prefix);
        __syncthreads();
        storer(shared.store).Store(to + at, elements, valid);
        __syncthreads();
    }
}

template <class T, class Operator, bool exclusive>
cudaError_t scan_by_block(void *scratch, std::size_t &scratch_bytes, const operands &o)
{
    if (scratch == nullptr) {
        scratch_bytes = 1;
        return cudaSuccess;
    }
    scan_row<T, Operator, exclusive><<<o.count / o.row, block_size>>>(
        static_cast<const T *>(o.in), static_cast<T *>(o.out), o.row, o.pitch, Operator::template identity<T>());
    return cudaGetLastError();
}

template <class T, class Operator>
cudaError_t reduce_segments(void *scratch, std::size_t &scratch_bytes, const operands &o)
{
    return cub::DeviceSegmentedReduce::Reduce(scratch, scratch_bytes, static_cast<const T *>(o.in),
                                              static_cast<T *>(o.out), o.count / o.row, borders(o, 0),
                                              borders(o, o.row), Operator(), Operator::template identity<T>());
}

template <class T, class Operator, bool exclusive> std::vector<way> scans(int row, int rows)
{
    std::vector<way> all = {{"by key", scan_by_key<T, Operator, exclusive>}};

    if (rows <= most_calls)
        all.push_back({"a call for each row", scan_each<T, Operator, exclusive>});
    if (row > most_of_block)
        return all;
    if (row >= least_of_block)
        all.push_back({"a block for each row", scan_by_block<T, Operator, exclusive>});
#if HAS_SEGMENTED_SCAN
    all.push_back({"by segments", scan_segments<T, Operator, exclusive>});
#endif
    return all;
}

template <class T, class Operator> std::vector<way> find_ways(const std::string &form, int row, int rows)
{
    if (form == "reduce")
        return {{"by segments", reduce_segments<T, Operator>}};
    return form == "exclusive" ? scans<T, Operator, true>(row, rows) : scans<T, Operator, false>(row, rows);
}

template <class T>
std::vector<way> find_operator(const std::string &op, const std::string &form, int row, int rows)
{
    if (op == "add")
        return find_ways<typename sum_type<T>::type, sum>(form, row, rows);
    if (op == "min")
        return find_ways<T, smaller>(form, row, rows);
    return op == "max" ? find_ways<T, larger>(form, row, rows) : std::vector<way>();
}

} // namespace

std::vector<way> find_rows(const std::string &type, const std::string &op, const std::string &form, int row, int rows)
{
    if (type == "int8")
        return find_operator<std::int8_t>(op, form, row, rows);
    if (type == "uint8")
        return find_operator<std::uint8_t>(op, form, row, rows);
    if (type == "int16")
        return find_operator<std::int16_t>(op, form, row, rows);
    if (type == "uint16")
        return find_operator<std::uint16_t>(op, form, row, rows);
    if (type == "int32")
        return find_operator<std::int32_t>(op, form, row, rows);
    if (type == "uint32")
        return find_operator<std::uint32_t>(op, form, row, rows);
    if (type == "int64")
        return find_operator<std::int64_t>(op, form, row, rows);
    if (type == "uint64")
        return find_operator<std::uint64_t>(op, form, row, rows);
    if (type == "float")
        return find_operator<float>(op, form, row, rows);
    return type == "double" ? find_operator<double>(op, form, row, rows) : std::vector<way>();
}
