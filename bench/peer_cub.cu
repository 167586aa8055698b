// CUB in a process of its own, for clscan-bench. docs/benchmarking.md says what is spoken over the pipes.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include <cub/version.cuh>
#include <cuda_runtime.h>

#include "peer_cub.cuh"

namespace {

constexpr std::size_t chunk_bytes = std::size_t(16) << 20;
constexpr std::size_t step_align_bytes = 4096; // pairs begin on pages
constexpr long long hold_ns = 100000;
constexpr int gap_byte = 0xa5;
constexpr int tries = 4; // runs of each of several ways

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

// What a line says of a case.
struct description {
    char type[32], op[32], form[32], direction[32], segments[32];
    int in_place;
    unsigned long long count, bytes, pairs, row, pitch, mark_bytes;

    bool selects() const
    {
        return std::strncmp(form, "select", 6) == 0 || partitions() || divides() || gives_lengths() ||
               std::strcmp(form, "repeat") == 0;
    }
    bool partitions() const
    {
        return std::strcmp(form, "partition") == 0;
    }
    bool divides() const
    {
        return std::strcmp(form, "three_way") == 0;
    }
    bool gives_lengths() const
    {
        return std::strcmp(form, "encode") == 0 || std::strcmp(form, "long_runs") == 0;
    }
    // What a run writes beside its output.
    unsigned long long key_bytes() const
    {
        if (divides())
            return 2 * bytes;
        return gives_lengths() || (reduces() && tells_number()) ? count * sizeof(std::int32_t) : 0;
    }
    bool reduces() const
    {
        return std::strcmp(form, "reduce") == 0;
    }
    bool has_segments() const
    {
        return std::strcmp(segments, "none") != 0;
    }
    // A run tells how many elements it has written.
    bool tells_number() const
    {
        return selects() || (reduces() && has_segments() && !has_offsets());
    }
    bool has_offsets() const
    {
        return std::strcmp(segments, "offsets") == 0;
    }
    // Reductions have one offset more than segments.
    unsigned long long segment_count() const
    {
        return has_offsets() ? mark_bytes / sizeof(std::uint32_t) - reduces() : 0;
    }
    unsigned long long element_bytes() const
    {
        return bytes / count;
    }
    unsigned long long rows() const
    {
        return count / row;
    }
    bool has_gaps() const
    {
        return pitch > row;
    }
    // From the first element to behind the last one.
    unsigned long long span_bytes() const
    {
        return bytes + (rows() - 1) * (pitch - row) * element_bytes();
    }
};

// One case: as many pairs of an input and an output as caches are to be cold, else one.
class problem {
  public:
    problem(const description &about, const std::vector<way> &ways)
        : about_(about), ways_(ways), taken_(ways.front()),
          step_((about.span_bytes() + step_align_bytes - 1) / step_align_bytes * step_align_bytes),
          inputs_(step_ * about.pairs), outputs_(step_ * about.pairs), marks_(about.mark_bytes),
          keys_(about.key_bytes()), number_(2 * sizeof(long long)), scratch_(scratch_bytes_needed())
    {
    }
    // Try all ways, keep the fastest, and tell its name.
    std::string choose(timer &clock)
    {
        long long best_ns = std::numeric_limits<long long>::max();
        way best = taken_;

        for (const way &candidate : ways_) {
            taken_ = candidate;
            for (int run = 0; ways_.size() > 1 && run < tries; ++run) {
                const long long taken_ns = clock.by_events([this] { run_once(); });

                if (run > 0 && taken_ns < best_ns) { // the first one warms up
                    best_ns = taken_ns;
                    best = candidate;
                }
            }
        }
        taken_ = best;
        return best.name;
    }
    std::size_t bytes() const
    {
        return about_.span_bytes();
    }
    std::size_t mark_bytes() const
    {
        return about_.mark_bytes;
    }
    // Of the last run. A partition writes all elements, and tells how many stand in front.
    std::size_t written_bytes() const
    {
        return about_.partitions() || about_.divides() ? about_.bytes
               : about_.has_gaps() && !about_.reduces() ? bytes() : told_bytes();
    }
    // What CUB has put behind the others from the end on stands in its order then, and parts behind each other.
    void put_in_order()
    {
        const std::size_t size = about_.element_bytes();
        std::vector<char> rest;

        if (about_.divides())
            put_parts_together();
        if (!about_.partitions())
            return;
        const std::size_t kept = told_bytes();
        rest.resize(about_.bytes - kept);
        give(kept, rest.data(), rest.size());
        for (std::size_t i = 0, j = rest.size() / size; i + 1 < j; ++i, --j)
            std::swap_ranges(&rest[i * size], &rest[i * size] + size, &rest[(j - 1) * size]);
        check(cudaMemcpy(outputs_.at(pair_ * step_ + kept), rest.data(), rest.size(), cudaMemcpyHostToDevice),
              "cudaMemcpy");
    }
    void put_parts_together()
    {
        long long numbers[2];

        check(cudaMemcpy(numbers, number_.at(0), sizeof numbers, cudaMemcpyDeviceToHost), "cudaMemcpy");
        const unsigned long long first = numbers[0], second = numbers[1];
        if (first > about_.count || second > about_.count - first)
            throw std::runtime_error("CUB tells parts of " + std::to_string(numbers[0]) + " and " +
                                     std::to_string(numbers[1]) + " elements");
        const std::size_t first_bytes = first * about_.element_bytes(), second_bytes = second * about_.element_bytes();
        char *const behind = static_cast<char *>(outputs_.at(pair_ * step_ + first_bytes));
        check(cudaMemcpy(behind, keys_.at(0), second_bytes, cudaMemcpyDeviceToDevice), "cudaMemcpy");
        check(cudaMemcpy(behind + second_bytes, keys_.at(about_.bytes), about_.bytes - first_bytes - second_bytes,
                         cudaMemcpyDeviceToDevice),
              "cudaMemcpy");
    }
    std::size_t told_bytes() const
    {
        long long number =
            static_cast<long long>(about_.has_offsets() ? about_.segment_count() : about_.rows());

        if (about_.tells_number())
            check(cudaMemcpy(&number, number_.at(0), sizeof number, cudaMemcpyDeviceToHost), "cudaMemcpy");
        else if (!about_.reduces())
            number = static_cast<long long>(about_.count);
        if (number < 0 || static_cast<unsigned long long>(number) > about_.count)
            throw std::runtime_error("CUB tells a number of " + std::to_string(number) + " elements");
        return static_cast<std::size_t>(number) * about_.element_bytes();
    }
    void take(std::size_t offset, const char *from, std::size_t bytes)
    {
        check(cudaMemcpy(inputs_.at(offset), from, bytes, cudaMemcpyHostToDevice), "cudaMemcpy");
    }
    void take_marks(std::size_t offset, const char *from, std::size_t bytes)
    {
        check(cudaMemcpy(marks_.at(offset), from, bytes, cudaMemcpyHostToDevice), "cudaMemcpy");
    }
    // The first input is complete: it becomes all others, and what is scanned in place. Gaps of other outputs have the
    // bytes that clscan-bench looks for.
    void spread()
    {
        for (std::size_t pair = 0; pair < about_.pairs; ++pair) {
            if (pair > 0)
                check(cudaMemcpyAsync(inputs_.at(pair * step_), inputs_.at(0), bytes(), cudaMemcpyDeviceToDevice),
                      "cudaMemcpyAsync");
            if (about_.has_gaps() && about_.in_place == 0)
                fill_gaps(pair);
            else
                check(cudaMemcpyAsync(outputs_.at(pair * step_), inputs_.at(0), bytes(), cudaMemcpyDeviceToDevice),
                      "cudaMemcpyAsync");
        }
        check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
    }
    // What was scanned last gets its input back, if it is to be scanned again. A copy has filled gaps, which become
    // what they were. Then it is the next one's turn.
    void turn()
    {
        if (copied_ && about_.has_gaps() && about_.in_place == 0)
            fill_gaps(pair_);
        copied_ = false;
        if (about_.in_place != 0)
            check(cudaMemcpy(outputs_.at(pair_ * step_), inputs_.at(pair_ * step_), bytes(), cudaMemcpyDeviceToDevice),
                  "cudaMemcpy");
        pair_ = (pair_ + 1) % about_.pairs;
        check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
    }
    void run_once()
    {
        check(taken_.run(scratch_.at(0), scratch_bytes_, operands_of_turn()), "CUB");
    }
    void copy_once()
    {
        copied_ = true;
        check(cudaMemcpyAsync(outputs_.at(pair_ * step_), inputs_.at(pair_ * step_), about_.bytes,
                              cudaMemcpyDeviceToDevice),
              "cudaMemcpyAsync");
    }
    void give(std::size_t offset, char *to, std::size_t bytes) const
    {
        check(cudaMemcpy(to, outputs_.at(pair_ * step_ + offset), bytes, cudaMemcpyDeviceToHost), "cudaMemcpy");
    }

  private:
    void fill_gaps(std::size_t pair)
    {
        check(cudaMemsetAsync(outputs_.at(pair * step_), gap_byte, bytes()), "cudaMemsetAsync");
    }
    operands operands_of_turn() const
    {
        return {(about_.in_place != 0 ? outputs_ : inputs_).at(pair_ * step_),
                outputs_.at(pair_ * step_),
                marks_.at(0),
                keys_.at(0),
                reinterpret_cast<long long *>(number_.at(0)),
                static_cast<int>(about_.count),
                static_cast<int>(about_.row),
                static_cast<long long>(about_.pitch),
                static_cast<int>(about_.segment_count())};
    }
    std::size_t scratch_bytes_needed()
    {
        for (const way &one : ways_) {
            std::size_t needed = 0;

            check(one.run(nullptr, needed, operands_of_turn()), "CUB");
            scratch_bytes_ = std::max(scratch_bytes_, needed);
        }
        return scratch_bytes_;
    }

    description about_;
    std::vector<way> ways_;
    way taken_; // one of them
    std::size_t step_;
    std::size_t pair_ = 0;
    bool copied_ = false;
    std::size_t scratch_bytes_ = 0;
    memory inputs_, outputs_, marks_, keys_, number_, scratch_;
};

void answer(const char *word, const std::string &text)
{
    std::printf("%s%s%s\n", word, text.empty() ? "" : " ", text.c_str());
    std::fflush(stdout);
}

launch find_one(const description &about)
{
    if (about.selects())
        return find_selection(about.form, about.element_bytes(), about.in_place != 0);
    if (!about.has_segments())
        return find_scan(about.type, about.op, about.form);
    return std::strcmp(about.op, "add") == 0 ? find_segments(about.type, about.form, about.segments) : nullptr;
}

std::vector<way> find(const description &about)
{
    launch one = nullptr;

    if (std::strcmp(about.direction, "forward") != 0)
        return {};
    if (about.row < about.count)
        return find_rows(about.type, about.op, about.form, static_cast<int>(about.row), static_cast<int>(about.rows()));
    one = find_one(about);
    return one != nullptr ? std::vector<way>{{"", one}} : std::vector<way>();
}

problem *open_case(const char *line)
{
    description about = {};

    if (std::sscanf(line, "case %31s %31s %31s %31s %d %llu %llu %llu %llu %llu %31s %llu", about.type, about.op,
                    about.form, about.direction, &about.in_place, &about.count, &about.bytes, &about.pairs, &about.row,
                    &about.pitch, about.segments, &about.mark_bytes) != 12 ||
        about.row == 0 || about.count == 0)
        throw std::runtime_error("a case that cannot be read");
    if (about.count > static_cast<unsigned long long>(std::numeric_limits<int>::max()))
        throw unavailable("is set up for counts below 2^31");
    const std::vector<way> ways = find(about);
    if (ways.empty())
        throw unavailable(about.selects() ? (about.in_place != 0 ? "selects in place by flags and predicates alone"
                                                                 : "is set up for selections of one array, and has "
                                                                   "no decoding of runs for a whole device")
                          : about.has_segments()
                              ? "is set up for forward sums of segments by flags and keys, not half, and by offsets "
                                "where CUB has them"
                              : "is set up for add, min and max, forward, not half");
    return new problem(about, ways);
}

// Give what comes to `take`, in chunks with their offsets.
template <class Take> void read_bytes(std::size_t all, Take take)
{
    std::vector<char> chunk(chunk_bytes);

    for (std::size_t at = 0; at < all; at += chunk_bytes) {
        const std::size_t bytes = all - at < chunk_bytes ? all - at : chunk_bytes;

        if (std::fread(chunk.data(), 1, bytes, stdin) != bytes)
            std::exit(EXIT_FAILURE);
        take(at, chunk.data(), bytes);
    }
}

void read_input(problem &p)
{
    read_bytes(p.bytes(), [&p](std::size_t at, const char *from, std::size_t bytes) { p.take(at, from, bytes); });
    p.spread();
}

void read_marks(problem &p)
{
    read_bytes(p.mark_bytes(),
               [&p](std::size_t at, const char *from, std::size_t bytes) { p.take_marks(at, from, bytes); });
}

void write_output(problem &p)
{
    p.put_in_order();
    const std::size_t all = p.written_bytes();
    std::vector<char> chunk(chunk_bytes);

    answer("output", std::to_string(all));
    for (std::size_t at = 0; at < all; at += chunk_bytes) {
        const std::size_t left = all - at, bytes = left < chunk_bytes ? left : chunk_bytes;

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
            answer("ready", problem_->choose(timer_));
        } else if (line == "end") {
            problem_.reset();
            answer("ready", "");
        } else if (problem_ == nullptr) {
            throw std::runtime_error("no case is open");
        } else if (line == "input") {
            read_input(*problem_);
            answer("ready", "");
        } else if (line == "marks") {
            read_marks(*problem_);
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
        const auto run = [&p, is_copy] { is_copy ? p.copy_once() : p.run_once(); };

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
