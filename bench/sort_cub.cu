// clscan-sort-cub: how many random keys cub::DeviceRadixSort sorts in a second, as examples/programs/sort.c says it of
// its own sort: the same options, keys, runs and line. scripts/compare-sorts runs both in turn.
//
//   clscan-sort-cub --count COUNT [--type uint32|uint64] [--values] [--descending]
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

#include <cub/cub.cuh>

namespace {

struct options {
    std::size_t count = 0;
    bool wide = false, values = false, descending = false;
};

void check(cudaError_t code, const char *call)
{
    if (code != cudaSuccess)
        throw std::runtime_error(std::string(call) + ": " + cudaGetErrorString(code));
}

// Device memory of `count` elements.
template <class T> class memory {
  public:
    explicit memory(std::size_t count)
    {
        check(cudaMalloc(&at_, std::max<std::size_t>(count * sizeof(T), 1)), "cudaMalloc");
    }
    ~memory()
    {
        cudaFree(at_);
    }
    memory(const memory &) = delete;
    memory &operator=(const memory &) = delete;
    T *get() const
    {
        return static_cast<T *>(at_);
    }

  private:
    void *at_ = nullptr;
};

class event {
  public:
    event()
    {
        check(cudaEventCreate(&event_), "cudaEventCreate");
    }
    ~event()
    {
        cudaEventDestroy(event_);
    }
    event(const event &) = delete;
    event &operator=(const event &) = delete;
    void record()
    {
        check(cudaEventRecord(event_), "cudaEventRecord");
    }
    float since(const event &begin) const
    {
        float milliseconds = 0;

        check(cudaEventElapsedTime(&milliseconds, begin.event_, event_), "cudaEventElapsedTime");
        return milliseconds;
    }

  private:
    cudaEvent_t event_ = nullptr;
};

template <class T>
cudaError_t sort(const options &o, void *scratch, std::size_t &scratch_bytes, cub::DoubleBuffer<T> &keys,
                 cub::DoubleBuffer<std::uint32_t> &values)
{
    if (o.values)
        return o.descending ? cub::DeviceRadixSort::SortPairsDescending(scratch, scratch_bytes, keys, values, o.count)
                            : cub::DeviceRadixSort::SortPairs(scratch, scratch_bytes, keys, values, o.count);
    return o.descending ? cub::DeviceRadixSort::SortKeysDescending(scratch, scratch_bytes, keys, o.count)
                        : cub::DeviceRadixSort::SortKeys(scratch, scratch_bytes, keys, o.count);
}

// Returns how many keys are out of order.
template <class T> std::size_t measure(const options &o, const char *type)
{
    enum { RUNS = 7 };
    const std::size_t value_count = o.values ? o.count : 0;
    std::vector<T> numbers(o.count);
    const memory<T> made(o.count), first(o.count), second(o.count);
    const memory<std::uint32_t> first_value(value_count), second_value(value_count);
    cub::DoubleBuffer<T> keys(first.get(), second.get());
    cub::DoubleBuffer<std::uint32_t> values(first_value.get(), second_value.get());
    std::size_t scratch_bytes = 0, wrong = 0;
    std::uint64_t random = 88172645463325252;
    float fastest = 0;
    event begin, end;

    for (std::size_t i = 0; i < o.count * sizeof(T); ++i) {
        random = random * 6364136223846793005 + 1442695040888963407;
        reinterpret_cast<unsigned char *>(numbers.data())[i] = static_cast<unsigned char>(random >> 56);
    }
    check(cudaMemcpy(made.get(), numbers.data(), o.count * sizeof(T), cudaMemcpyHostToDevice), "cudaMemcpy");
    check(sort(o, nullptr, scratch_bytes, keys, values), "cub::DeviceRadixSort");
    const memory<char> scratch(scratch_bytes);
    for (int run = 0; run < RUNS; ++run) {
        check(cudaMemcpyAsync(keys.Current(), made.get(), o.count * sizeof(T), cudaMemcpyDeviceToDevice),
              "cudaMemcpyAsync");
        begin.record();
        check(sort(o, scratch.get(), scratch_bytes, keys, values), "cub::DeviceRadixSort");
        end.record();
        check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
        fastest = run == 0 ? end.since(begin) : std::min(fastest, end.since(begin));
    }
    check(cudaMemcpy(numbers.data(), keys.Current(), o.count * sizeof(T), cudaMemcpyDeviceToHost), "cudaMemcpy");
    for (std::size_t i = 1; i < o.count; ++i)
        wrong += o.descending ? numbers[i - 1] < numbers[i] : numbers[i - 1] > numbers[i];
    std::printf("%zu keys of %s in %.3f ms: %.3e keys/s; ", o.count, type, fastest, o.count / (fastest * 1e-3));
    return wrong;
}

// A number, or 2^27 and the like.
std::size_t read_count(const std::string &text)
{
    std::size_t end = 0, power_end = 0;
    const unsigned long long number = std::stoull(text, &end);

    if (number == 2 && text.size() > end + 1 && text[end] == '^') {
        const int power = std::stoi(text.substr(end + 1), &power_end);

        if (end + 1 + power_end == text.size() && power >= 0 && power < 32)
            return std::size_t{1} << power;
    }
    if (end != text.size() || number == 0 || number > 0xffffffffu)
        throw std::invalid_argument(text + " is no count from 1 to 2^32 - 1");
    return number;
}

options read_options(int argc, char **argv)
{
    options o;

    for (int i = 1; i < argc; ++i) {
        const std::string word = argv[i], next = i + 1 < argc ? argv[i + 1] : "";

        if (word == "--count")
            o.count = read_count(next), ++i;
        else if (word == "--type" && (next == "uint32" || next == "uint64"))
            o.wide = next == "uint64", ++i;
        else if (word == "--values")
            o.values = true;
        else if (word == "--descending")
            o.descending = true;
        else
            throw std::invalid_argument(word + " is no option, or has no such value");
    }
    if (o.count == 0)
        throw std::invalid_argument("--count is missing");
    return o;
}

} // namespace

int main(int argc, char **argv)
{
    try {
        const options o = read_options(argc, argv);
        const std::size_t wrong = o.wide ? measure<std::uint64_t>(o, "uint64") : measure<std::uint32_t>(o, "uint32");

        std::printf("%zu mistakes\n", wrong);
        return wrong != 0;
    } catch (const std::exception &failure) {
        std::fprintf(stderr, "clscan-sort-cub: %s\n", failure.what());
        return 2;
    }
}
