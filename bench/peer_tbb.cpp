// tbb::parallel_scan, with as many threads as the device has compute units.
#include <limits>
#include <memory>
#include <type_traits>

#include <tbb/blocked_range.h>
#include <tbb/global_control.h>
#include <tbb/parallel_scan.h>

#include "peers.h"

namespace {

using loop = void (*)(const measure_problem &problem, const void *in, void *out);

// Unsigned and at least as wide as int, so that sums wrap; floating-point types themselves.
template <class T, bool = std::is_integral<T>::value> struct wide {
    using type = typename std::conditional<sizeof(T) == 8, std::uint64_t, std::uint32_t>::type;
};
template <class T> struct wide<T, false> {
    using type = T;
};

template <class T> struct add {
    static T identity()
    {
        return 0;
    }
    static T combine(T left, T right)
    {
        using W = typename wide<T>::type;
        return static_cast<T>(static_cast<W>(left) + static_cast<W>(right));
    }
};

template <class T> struct min {
    static T identity()
    {
        using limits = std::numeric_limits<T>;
        return limits::has_infinity ? limits::infinity() : limits::max();
    }
    static T combine(T left, T right)
    {
        return right < left ? right : left;
    }
};

template <class T> struct max {
    static T identity()
    {
        using limits = std::numeric_limits<T>;
        return limits::has_infinity ? -limits::infinity() : limits::lowest();
    }
    static T combine(T left, T right)
    {
        return right > left ? right : left;
    }
};

template <class T, class Operator> void scan(const measure_problem &problem, const void *in, void *out)
{
    const T *x = static_cast<const T *>(in);
    T *y = static_cast<T *>(out);
    const bool exclusive = problem.form == CLSCAN_EXCLUSIVE;
    using range = tbb::blocked_range<std::uint64_t>;

    tbb::parallel_scan(
        range(0, problem.count), Operator::identity(),
        [=](const range &r, T sum, bool is_final) {
            if (!is_final) {
                for (std::uint64_t i = r.begin(); i < r.end(); ++i)
                    sum = Operator::combine(sum, x[i]);
            } else if (!exclusive) {
                for (std::uint64_t i = r.begin(); i < r.end(); ++i)
                    y[i] = sum = Operator::combine(sum, x[i]);
            } else {
                for (std::uint64_t i = r.begin(); i < r.end(); ++i) {
                    const T next = x[i]; // before y[i], which may be the same place
                    y[i] = sum;
                    sum = Operator::combine(sum, next);
                }
            }
            return sum;
        },
        Operator::combine);
}

template <class T> loop loop_of(clscan_operator op)
{
    switch (op) {
    case CLSCAN_ADD:
        return scan<T, add<T>>;
    case CLSCAN_MIN:
        return scan<T, min<T>>;
    case CLSCAN_MAX:
        return scan<T, max<T>>;
    default:
        return nullptr;
    }
}

loop find_loop(const measure_problem &problem)
{
    switch (problem.type) {
    case CLSCAN_INT8:
        return loop_of<std::int8_t>(problem.op);
    case CLSCAN_UINT8:
        return loop_of<std::uint8_t>(problem.op);
    case CLSCAN_INT16:
        return loop_of<std::int16_t>(problem.op);
    case CLSCAN_UINT16:
        return loop_of<std::uint16_t>(problem.op);
    case CLSCAN_INT32:
        return loop_of<std::int32_t>(problem.op);
    case CLSCAN_UINT32:
        return loop_of<std::uint32_t>(problem.op);
    case CLSCAN_INT64:
        return loop_of<std::int64_t>(problem.op);
    case CLSCAN_UINT64:
        return loop_of<std::uint64_t>(problem.op);
    case CLSCAN_FLOAT:
        return loop_of<float>(problem.op);
    case CLSCAN_DOUBLE:
        return loop_of<double>(problem.op);
    default:
        return nullptr;
    }
}

struct state {
    loop run;
    tbb::global_control threads;
};

measure_outcome prepare(measure_contender *contender, const measure_case *c)
{
    const loop run = find_loop(c->problem);

    if (c->device->threads == nullptr)
        measure_fail(&contender->note, "runs on the host, and the device is none");
    else if (run == nullptr || c->problem.direction == CLSCAN_REVERSE)
        measure_fail(&contender->note, "is set up for add, min and max, forward, not half");
    else {
        try {
            contender->state =
                new state{run, tbb::global_control(tbb::global_control::max_allowed_parallelism,
                                                   c->device->thread_count)};
            return MEASURE_OK;
        } catch (const std::exception &e) {
            measure_fail(&contender->note, "%s", e.what());
            return MEASURE_FAILED;
        }
    }
    return MEASURE_UNAVAILABLE;
}

bool run(measure_contender *contender, const measure_case *c, const void *in, void *out)
{
    try {
        static_cast<state *>(contender->state)->run(c->problem, in, out);
        return true;
    } catch (const std::exception &e) {
        return measure_fail(&contender->note, "%s", e.what());
    }
}

void release(measure_contender *contender)
{
    delete static_cast<state *>(contender->state);
}

measure_kind describe()
{
    measure_kind kind = {};

    kind.name = "tbb";
    kind.scans = true;
    kind.on_host = true;
    kind.prepare = prepare;
    kind.run = run;
    kind.release = release;
    return kind;
}

} // namespace

extern "C" {
extern const measure_kind bench_peer_tbb;
const measure_kind bench_peer_tbb = describe();
}
