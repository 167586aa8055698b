// Boost.Compute's scans, on the case's own device, queue and buffers.
#define BOOST_COMPUTE_MAX_CL_VERSION 102
#include <boost/compute/algorithm/exclusive_scan.hpp>
#include <boost/compute/algorithm/inclusive_scan.hpp>
#include <boost/compute/command_queue.hpp>
#include <boost/compute/functional/operator.hpp>
#include <boost/compute/iterator/buffer_iterator.hpp>

#include "peers.h"

namespace {

namespace bc = boost::compute;

using loop = void (*)(const measure_case &c);

template <class T> void scan(const measure_case &c)
{
    bc::command_queue queue(c.device->queue);
    const bc::buffer in(c.in);
    const bc::buffer out(c.target);
    const auto first = bc::make_buffer_iterator<T>(in, 0);
    const auto last = bc::make_buffer_iterator<T>(in, c.problem.count);
    const auto result = bc::make_buffer_iterator<T>(out, 0);

    if (c.problem.form == CLSCAN_INCLUSIVE)
        bc::inclusive_scan(first, last, result, bc::plus<T>(), queue);
    else
        bc::exclusive_scan(first, last, result, T(0), bc::plus<T>(), queue);
}

loop find_loop(clscan_type type)
{
    switch (type) {
    case CLSCAN_INT8:
        return scan<bc::char_>;
    case CLSCAN_UINT8:
        return scan<bc::uchar_>;
    case CLSCAN_INT16:
        return scan<bc::short_>;
    case CLSCAN_UINT16:
        return scan<bc::ushort_>;
    case CLSCAN_INT32:
        return scan<bc::int_>;
    case CLSCAN_UINT32:
        return scan<bc::uint_>;
    case CLSCAN_INT64:
        return scan<bc::long_>;
    case CLSCAN_UINT64:
        return scan<bc::ulong_>;
    case CLSCAN_FLOAT:
        return scan<bc::float_>;
    case CLSCAN_DOUBLE:
        return scan<bc::double_>;
    default:
        return nullptr;
    }
}

measure_outcome prepare(measure_contender *contender, const measure_case *c)
{
    if (c->problem.op == CLSCAN_ADD && c->problem.direction == CLSCAN_FORWARD &&
        find_loop(c->problem.type) != nullptr)
        return MEASURE_OK;
    measure_fail(&contender->note, "is set up for add, forward, not half");
    return MEASURE_UNAVAILABLE;
}

bool enqueue(measure_contender *contender, const measure_case *c, cl_event *)
{
    try {
        find_loop(c->problem.type)(*c);
        return true;
    } catch (const std::exception &e) {
        return measure_fail(&contender->note, "%s", e.what());
    }
}

measure_kind describe()
{
    measure_kind kind = {};

    kind.name = "boost";
    kind.scans = true;
    kind.may_block = true;
    kind.prepare = prepare;
    kind.enqueue = enqueue;
    return kind;
}

} // namespace

extern "C" {
extern const measure_kind bench_peer_boost;
const measure_kind bench_peer_boost = describe();
}
