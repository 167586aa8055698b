// A program in the terms of clogs: it includes <clogs/clogs.h> and knows nothing of clscan.
#define CL_HPP_MINIMUM_OPENCL_VERSION 120
#define CL_HPP_TARGET_OPENCL_VERSION 120
#define CL_HPP_ENABLE_EXCEPTIONS
#include <clogs/clogs.h>

#include <cstdio>
#include <vector>

// Out of place, elements of four lanes, with a wait list, an event and an initial value of the host's.
static int scan_vectors(const cl::Context &context, const cl::Device &device, const cl::CommandQueue &queue)
{
    std::vector<cl_int4> values(30000), sums(values.size());
    const cl_int4 initial = {{5, -5, 0, 1}};
    int wrong = 0;
    for (std::size_t i = 0; i < values.size(); ++i)
        for (int lane = 0; lane < 4; ++lane)
            values[i].s[lane] = static_cast<int>(i * 7 % 100) - lane * 20;
    const std::size_t bytes = values.size() * sizeof values[0];
    const cl::Buffer in(context, CL_MEM_READ_WRITE, bytes), out(context, CL_MEM_READ_WRITE, bytes);
    std::vector<cl::Event> written(1);
    cl::Event scanned;

    clogs::ScanProblem problem;
    problem.setType(clogs::Type(clogs::TYPE_INT, 4));
    clogs::Scan scan(context, device, problem);
    queue.enqueueWriteBuffer(in, CL_FALSE, 0, bytes, values.data(), nullptr, &written[0]);
    scan.enqueue(queue, in, out, values.size(), &initial, &written, &scanned);
    const std::vector<cl::Event> done(1, scanned);
    queue.enqueueReadBuffer(out, CL_TRUE, 0, bytes, sums.data(), &done);

    cl_int4 expected = initial;
    for (std::size_t i = 0; i < values.size(); ++i)
        for (int lane = 0; lane < 4; ++lane) {
            wrong += sums[i].s[lane] != expected.s[lane];
            expected.s[lane] += values[i].s[lane];
        }
    return wrong;
}

// In place, more elements from call to call, the initial value on the device.
static int scan_in_place(const cl::Context &context, const cl::Device &device, const cl::CommandQueue &queue)
{
    clogs::Scan scan(context, device, clogs::Type(clogs::TYPE_UINT));
    cl_uint offsets[2] = {0, 1000};
    const cl::Buffer offset(context, CL_MEM_COPY_HOST_PTR, sizeof offsets, offsets);
    int wrong = 0;

    for (std::size_t count = 1; count < 3000000; count = count * 5 + 1) {
        std::vector<cl_uint> values(count), sums(count);
        for (std::size_t i = 0; i < count; ++i)
            values[i] = static_cast<cl_uint>(i % 9);
        const std::size_t bytes = count * sizeof values[0];
        const cl::Buffer buffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, bytes, values.data());
        scan.enqueue(queue, buffer, count, offset, 1);
        queue.enqueueReadBuffer(buffer, CL_TRUE, 0, bytes, sums.data());
        cl_uint expected = offsets[1];
        for (std::size_t i = 0; i < count; ++i) {
            wrong += sums[i] != expected;
            expected += values[i];
        }
    }
    return wrong;
}

static void CL_CALLBACK count_event(const cl::Event &event, void *count)
{
    event.getInfo<CL_EVENT_COMMAND_TYPE>();
    ++*static_cast<int *>(count);
}

static void CL_CALLBACK count_handle(cl_event, void *count)
{
    ++*static_cast<int *>(count);
}

static void CL_CALLBACK end_count(void *count)
{
    *static_cast<int *>(count) += 100;
}

// Handles of the C interface, events that a callback sees, and what is thrown.
static int scan_by_handles(const cl::Context &context, const cl::Device &device, const cl::CommandQueue &queue)
{
    const cl_uint initial = 7;
    std::vector<cl_uint> values(1000, 3), sums(values.size());
    const std::size_t bytes = values.size() * sizeof values[0];
    const cl::Buffer in(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, bytes, values.data());
    const cl::Buffer out(context, CL_MEM_READ_WRITE, bytes);
    int seen = 0, handles = 0, wrong = 0;
    {
        clogs::Scan scan(context, device, clogs::Type(clogs::TYPE_UINT));
        cl_event done;
        scan.setEventCallback(count_handle, &handles, end_count);
        scan.enqueue(queue(), in(), out(), values.size(), &initial, 0, nullptr, &done);
        scan.setEventCallback(count_event, &seen, end_count);
        scan.enqueue(queue(), in(), out(), values.size(), in(), 1, 1, &done);
        clReleaseEvent(done);
        queue.enqueueReadBuffer(out, CL_TRUE, 0, bytes, sums.data());
        for (std::size_t i = 0; i < values.size(); ++i)
            wrong += sums[i] != 3 * (i + 1);
        try {
            scan.enqueue(queue, in, out, values.size() + 1);
            ++wrong;
        } catch (const clogs::Error &error) {
            wrong += error.err() != CL_INVALID_VALUE;
        }
        try {
            scan.enqueue(queue, in, out, 0);
            ++wrong;
        } catch (const clogs::Error &error) {
            wrong += error.err() != CL_INVALID_GLOBAL_WORK_SIZE;
        }
    }
    try {
        clogs::Scan scan(context, device, clogs::Type(clogs::TYPE_FLOAT));
        ++wrong;
    } catch (const std::invalid_argument &) {
    }
    return wrong + (handles != 101) + (seen != 102); // the second call copies its initial value first
}

int main()
{
    const cl::Context context(CL_DEVICE_TYPE_ALL);
    const cl::Device device = context.getInfo<CL_CONTEXT_DEVICES>().front();
    const cl::CommandQueue queue(context, device);
    const int wrong = scan_vectors(context, device, queue) + scan_in_place(context, device, queue) +
                      scan_by_handles(context, device, queue);

    std::printf("%d sums are wrong\n", wrong);
    return wrong != 0;
}
