// DeviceScan and DeviceReduce of CUB in a process of its own, for clscan-bench. docs/benchmarking.md says what is
// spoken over the pipes.
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include <cub/cub.cuh>
#include <cuda_runtime.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#if __has_include(<cub/device/device_segmented_scan.cuh>)
#include <cub/device/device_segmented_scan.cuh>
#define HAS_SEGMENTED_SCAN 1
#else
#define HAS_SEGMENTED_SCAN 0
#endif

namespace {

constexpr std::size_t chunk_bytes = std::size_t(16) << 20;
constexpr std::size_t step_align_bytes = 4096; // pairs begin on pages
constexpr long long hold_ns = 100000;

// What cannot be done for this case, as opposed to what fails.
struct unavailable : std::runtime_error {
    using std::runtime_error::runtime_error;
};

void check(cudaError_t code, const char *call)
{
    if (code == cudaErrorMemoryAllocation)
        throw unavailable("not enough memory of its own on the device");
    if (code != cudaSuccess)
        throw std::runtime_error(std::string(call) + ": " + cudaGetErrorString(code));
}

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

// Scans `count` elements, each `row` of them on their own; with no scratch memory it only tells how much is needed.
using scan = cudaError_t (*)(void *scratch, std::size_t &scratch_bytes, const void *in, void *out, int count, int row);

template <class T>
cudaError_t inclusive_sum(void *scratch, std::size_t &scratch_bytes, const void *in, void *out, int count, int)
{
    return cub::DeviceScan::InclusiveSum(scratch, scratch_bytes, static_cast<const T *>(in), static_cast<T *>(out),
                                         count);
}

template <class T>
cudaError_t exclusive_sum(void *scratch, std::size_t &scratch_bytes, const void *in, void *out, int count, int)
{
    return cub::DeviceScan::ExclusiveSum(scratch, scratch_bytes, static_cast<const T *>(in), static_cast<T *>(out),
                                         count);
}

template <class T, class Operator>
cudaError_t inclusive_scan(void *scratch, std::size_t &scratch_bytes, const void *in, void *out, int count, int)
{
    return cub::DeviceScan::InclusiveScan(scratch, scratch_bytes, static_cast<const T *>(in), static_cast<T *>(out),
                                          Operator(), count);
}

template <class T, class Operator>
cudaError_t exclusive_scan(void *scratch, std::size_t &scratch_bytes, const void *in, void *out, int count, int)
{
    return cub::DeviceScan::ExclusiveScan(scratch, scratch_bytes, static_cast<const T *>(in), static_cast<T *>(out),
                                          Operator(), Operator::template identity<T>(), count);
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
cudaError_t scan_rows(void *scratch, std::size_t &scratch_bytes, const void *in, void *out, int count, int row)
{
    const T *from = static_cast<const T *>(in);
    T *to = static_cast<T *>(out);
#if HAS_SEGMENTED_SCAN
    if (row <= most_of_segment) {
        const auto begins = thrust::make_transform_iterator(thrust::counting_iterator<long long>(0), begin_of{row});

        if constexpr (exclusive)
            return cub::DeviceSegmentedScan::ExclusiveSegmentedScan(scratch, scratch_bytes, from, to, begins,
                                                                    begins + 1, count / row, Operator(),
                                                                    Operator::template identity<T>());
        else
            return cub::DeviceSegmentedScan::InclusiveSegmentedScan(scratch, scratch_bytes, from, to, begins,
                                                                    begins + 1, count / row, Operator());
    }
#endif
    const auto keys = thrust::make_transform_iterator(thrust::counting_iterator<int>(0), row_of{row});

    if constexpr (exclusive)
        return cub::DeviceScan::ExclusiveScanByKey(scratch, scratch_bytes, keys, from, to, Operator(),
                                                   Operator::template identity<T>(), count);
    else
        return cub::DeviceScan::InclusiveScanByKey(scratch, scratch_bytes, keys, from, to, Operator(), count);
}

template <class T, class Operator> scan rows_of(bool exclusive)
{
    return exclusive ? scan_rows<T, Operator, true> : scan_rows<T, Operator, false>;
}

template <class T, class Operator>
cudaError_t reduce(void *scratch, std::size_t &scratch_bytes, const void *in, void *out, int count, int)
{
    return cub::DeviceReduce::Reduce(scratch, scratch_bytes, static_cast<const T *>(in), static_cast<T *>(out), count,
                                     Operator(), Operator::template identity<T>());
}

template <class T>
cudaError_t reduce_sum(void *scratch, std::size_t &scratch_bytes, const void *in, void *out, int count, int)
{
    return cub::DeviceReduce::Sum(scratch, scratch_bytes, static_cast<const T *>(in), static_cast<T *>(out), count);
}

// Sums of unsigned integers are those of signed ones, bit for bit.
template <class T, bool = std::is_integral<T>::value> struct sum_type {
    using type = typename std::make_signed<T>::type;
};
template <class T> struct sum_type<T, false> {
    using type = T;
};

template <class T> scan find_operator(const std::string &op, const std::string &form, bool rows)
{
    using S = typename sum_type<T>::type;
    const bool exclusive = form == "exclusive";

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

scan find_scan(const std::string &type, const std::string &op, const std::string &form, bool rows)
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

// Keeps the device busy, so that what is timed is enqueued before it begins.
__global__ void hold(long long duration_ns)
{
    long long begin, now;

    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(begin));
    do {
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    } while (now - begin < duration_ns);
}

class memory {
  public:
    explicit memory(std::size_t bytes)
    {
        check(cudaMalloc(&place_, bytes > 0 ? bytes : 1), "cudaMalloc");
    }
    ~memory()
    {
        (void)cudaFree(place_);
    }
    memory(const memory &) = delete;
    memory &operator=(const memory &) = delete;
    char *at(std::size_t offset) const
    {
        return static_cast<char *>(place_) + offset;
    }

  private:
    void *place_ = nullptr;
};

class timer {
  public:
    timer()
    {
        check(cudaEventCreate(&begin_), "cudaEventCreate");
        check(cudaEventCreate(&end_), "cudaEventCreate");
    }
    template <class Run> long long by_events(Run run)
    {
        float elapsed_ms = 0;

        hold<<<1, 1>>>(hold_ns);
        check(cudaEventRecord(begin_), "cudaEventRecord");
        run();
        check(cudaEventRecord(end_), "cudaEventRecord");
        check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
        check(cudaEventElapsedTime(&elapsed_ms, begin_, end_), "cudaEventElapsedTime");
        return static_cast<long long>(elapsed_ms * 1e6);
    }
    template <class Run> long long by_host(Run run)
    {
        using clock = std::chrono::steady_clock;
        check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
        const auto begin = clock::now();
        run();
        check(cudaStreamSynchronize(nullptr), "cudaStreamSynchronize");
        return std::chrono::duration_cast<std::chrono::nanoseconds>(clock::now() - begin).count();
    }

  private:
    cudaEvent_t begin_ = nullptr, end_ = nullptr;
};

// One case: as many pairs of an input and an output as caches are to be cold, else one.
class problem {
  public:
    problem(scan run, int count, int row, std::size_t bytes, std::size_t written_bytes, std::size_t pairs,
            bool in_place)
        : run_(run), count_(count), row_(row), bytes_(bytes), written_bytes_(written_bytes),
          step_((bytes + step_align_bytes - 1) / step_align_bytes * step_align_bytes), pairs_(pairs),
          in_place_(in_place), inputs_(step_ * pairs), outputs_(step_ * pairs), scratch_(scratch_bytes_needed())
    {
    }
    std::size_t bytes() const
    {
        return bytes_;
    }
    std::size_t written_bytes() const
    {
        return written_bytes_;
    }
    void take(std::size_t offset, const char *from, std::size_t bytes)
    {
        check(cudaMemcpy(inputs_.at(offset), from, bytes, cudaMemcpyHostToDevice), "cudaMemcpy");
    }
    // The first input is complete: it becomes all others, and what is scanned in place.
    void spread()
    {
        for (std::size_t pair = 0; pair < pairs_; ++pair) {
            if (pair > 0)
                check(cudaMemcpyAsync(inputs_.at(pair * step_), inputs_.at(0), bytes_, cudaMemcpyDeviceToDevice),
                      "cudaMemcpyAsync");
            check(cudaMemcpyAsync(outputs_.at(pair * step_), inputs_.at(0), bytes_, cudaMemcpyDeviceToDevice),
                  "cudaMemcpyAsync");
        }
        check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
    }
    // What was scanned last gets its input back, if it is to be scanned again; then it is the next one's turn.
    void turn()
    {
        if (in_place_)
            check(cudaMemcpy(outputs_.at(pair_ * step_), inputs_.at(pair_ * step_), bytes_, cudaMemcpyDeviceToDevice),
                  "cudaMemcpy");
        pair_ = (pair_ + 1) % pairs_;
        check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
    }
    void scan_once()
    {
        char *const in = (in_place_ ? outputs_ : inputs_).at(pair_ * step_);

        check(run_(scratch_.at(0), scratch_bytes_, in, outputs_.at(pair_ * step_), count_, row_), "cub::DeviceScan");
    }
    void copy_once()
    {
        check(cudaMemcpyAsync(outputs_.at(pair_ * step_), inputs_.at(pair_ * step_), bytes_, cudaMemcpyDeviceToDevice),
              "cudaMemcpyAsync");
    }
    void give(std::size_t offset, char *to, std::size_t bytes) const
    {
        check(cudaMemcpy(to, outputs_.at(pair_ * step_ + offset), bytes, cudaMemcpyDeviceToHost), "cudaMemcpy");
    }

  private:
    std::size_t scratch_bytes_needed()
    {
        check(run_(nullptr, scratch_bytes_, nullptr, nullptr, count_, row_), "cub::DeviceScan");
        return scratch_bytes_;
    }

    scan run_;
    int count_, row_;
    std::size_t bytes_, written_bytes_, step_, pairs_;
    bool in_place_;
    std::size_t pair_ = 0;
    std::size_t scratch_bytes_ = 0;
    memory inputs_, outputs_, scratch_;
};

void answer(const char *word, const std::string &text)
{
    std::printf("%s%s%s\n", word, text.empty() ? "" : " ", text.c_str());
    std::fflush(stdout);
}

problem *open_case(const char *line)
{
    char type[16], op[16], form[16], direction[16];
    int in_place = 0;
    unsigned long long count = 0, bytes = 0, pairs = 0, row = 0;

    if (std::sscanf(line, "case %15s %15s %15s %15s %d %llu %llu %llu %llu", type, op, form, direction, &in_place,
                    &count, &bytes, &pairs, &row) != 9 ||
        row == 0)
        throw std::runtime_error("a case that cannot be read");
    const scan run = find_scan(type, op, form, row < count);
    if (run == nullptr || std::strcmp(direction, "forward") != 0)
        throw unavailable("is set up for add, min and max, forward, not half");
    if (count > static_cast<unsigned long long>(std::numeric_limits<int>::max()))
        throw unavailable("is set up for counts below 2^31");
    return new problem(run, static_cast<int>(count), static_cast<int>(row), bytes,
                       std::strcmp(form, "reduce") == 0 ? bytes / count : bytes, pairs, in_place != 0);
}

void read_input(problem &p)
{
    std::vector<char> chunk(chunk_bytes);

    for (std::size_t at = 0; at < p.bytes(); at += chunk_bytes) {
        const std::size_t bytes = p.bytes() - at < chunk_bytes ? p.bytes() - at : chunk_bytes;

        if (std::fread(chunk.data(), 1, bytes, stdin) != bytes)
            std::exit(EXIT_FAILURE);
        p.take(at, chunk.data(), bytes);
    }
    p.spread();
}

void write_output(const problem &p)
{
    std::vector<char> chunk(chunk_bytes);

    answer("output", std::to_string(p.written_bytes()));
    for (std::size_t at = 0; at < p.written_bytes(); at += chunk_bytes) {
        const std::size_t left = p.written_bytes() - at, bytes = left < chunk_bytes ? left : chunk_bytes;

        p.give(at, chunk.data(), bytes);
        std::fwrite(chunk.data(), 1, bytes, stdout);
    }
    std::fflush(stdout);
}

class session {
  public:
    void obey(const std::string &line)
    {
        if (line.compare(0, 5, "case ") == 0) {
            problem_.reset();
            problem_.reset(open_case(line.c_str()));
            answer("ready", "");
        } else if (line == "end") {
            problem_.reset();
            answer("ready", "");
        } else if (problem_ == nullptr) {
            throw std::runtime_error("no case is open");
        } else if (line == "input") {
            read_input(*problem_);
            answer("ready", "");
        } else if (line == "output") {
            write_output(*problem_);
        } else {
            time(line);
        }
    }

  private:
    void time(const std::string &line)
    {
        problem &p = *problem_;
        const bool is_copy = line.compare(0, 5, "copy ") == 0;
        const bool by_host = line == "copy host" || line == "run host";
        const auto run = [&p, is_copy] { is_copy ? p.copy_once() : p.scan_once(); };

        if (!is_copy && line.compare(0, 4, "run ") != 0)
            throw std::runtime_error("the command '" + line + "' is unknown");
        p.turn();
        answer("time", std::to_string(by_host ? timer_.by_host(run) : timer_.by_events(run)));
    }

    timer timer_;
    std::unique_ptr<problem> problem_;
};

std::string hexadecimal(const cudaUUID_t &uuid)
{
    char text[33];

    for (int i = 0; i < 16; ++i)
        std::snprintf(text + 2 * i, 3, "%02x", static_cast<unsigned char>(uuid.bytes[i]));
    return text;
}

// Arguments are positions in OpenCL's lists, the UUID and the name. Where the UUID is not known, the name must do.
std::string open_device(const std::string &uuid, const std::string &name)
{
    int count = 0, chosen = -1, same_name = 0, runtime = 0;
    cudaDeviceProp properties;

    check(cudaGetDeviceCount(&count), "cudaGetDeviceCount");
    for (int i = 0; i < count; ++i) {
        check(cudaGetDeviceProperties(&properties, i), "cudaGetDeviceProperties");
        if (hexadecimal(properties.uuid) == uuid) {
            chosen = i;
            same_name = 1;
            break;
        }
        if (name == properties.name) {
            chosen = i;
            ++same_name;
        }
    }
    if (same_name != 1)
        throw unavailable("CUDA has no device that is surely " + name);
    check(cudaSetDevice(chosen), "cudaSetDevice");
    check(cudaGetDeviceProperties(&properties, chosen), "cudaGetDeviceProperties");
    check(cudaRuntimeGetVersion(&runtime), "cudaRuntimeGetVersion");
    return "CUB " + std::to_string(CUB_MAJOR_VERSION) + "." + std::to_string(CUB_MINOR_VERSION) + "." +
           std::to_string(CUB_SUBMINOR_VERSION) + ", CUDA " + std::to_string(runtime / 1000) + "." +
           std::to_string(runtime % 1000 / 10);
}

bool read_line(std::string &line)
{
    line.clear();
    for (int c = std::getchar(); c != EOF; c = std::getchar()) {
        if (c == '\n')
            return true;
        line += static_cast<char>(c);
    }
    return false;
}

// Run, and answer with what went wrong.
template <class Work> bool attempt(Work work)
{
    try {
        work();
        return true;
    } catch (const unavailable &e) {
        answer("unavailable", e.what());
    } catch (const std::exception &e) {
        answer("failed", e.what());
    }
    (void)cudaGetLastError(); // so that the next call does not report it again
    return false;
}

} // namespace

int main(int argc, char **argv)
{
    std::string line;

    if (argc != 5) {
        std::fprintf(stderr, "clscan-peer-cub is started by clscan-bench\n");
        return 2;
    }
    if (!attempt([&] { answer("peer", open_device(argv[3], argv[4])); }))
        return EXIT_FAILURE;
    session s;
    while (read_line(line))
        attempt([&] { s.obey(line); });
    return EXIT_SUCCESS;
}
