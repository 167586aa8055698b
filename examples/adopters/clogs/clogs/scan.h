/* The scan of clogs, by clscan, for programs that include <clogs/scan.h>: see clogs.h. */
#ifndef CLSCAN_EXAMPLES_CLOGS_SCAN_H
#define CLSCAN_EXAMPLES_CLOGS_SCAN_H

#include <clogs/core.h>

#include <clscan/clscan.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

namespace clogs {

class ScanProblem {
  public:
    void setType(const Type &type)
    {
        if (!type.isIntegral())
            throw std::invalid_argument("clogs::ScanProblem: the type is not integral");
        type_ = type;
    }
    const Type &type() const
    {
        return type_;
    }

  private:
    Type type_;
};

/** An exclusive sum. One call at a time; what they enqueue runs in the order of the calls. */
class Scan {
  public:
    Scan(const cl::Context &context, const cl::Device &device, const ScanProblem &problem)
        : context_(context), device_(device), element_()
    {
        static const clscan_type types[] = {CLSCAN_UINT8,  CLSCAN_INT8,  CLSCAN_UINT16, CLSCAN_INT16,
                                            CLSCAN_UINT32, CLSCAN_INT32, CLSCAN_UINT64, CLSCAN_INT64,
                                            CLSCAN_HALF,   CLSCAN_FLOAT, CLSCAN_DOUBLE};
        if (problem.type().getBaseType() == TYPE_VOID)
            throw std::invalid_argument("clogs::Scan: the problem has no type");
        element_.struct_size = sizeof element_;
        element_.type = types[problem.type().getBaseType() - TYPE_UCHAR];
        element_.lanes = problem.type().getLength();
        grow(std::size_t(1) << 20);
    }
    Scan(const cl::Context &context, const cl::Device &device, const Type &type)
        : Scan(context, device, problem_of(type))
    {
    }

    Scan(const Scan &) = delete;
    Scan &operator=(const Scan &) = delete;
    ~Scan()
    {
        forget_callback();
    }

    /** `callback` is called during each enqueue with the event of what it enqueues; nullptr: no more. `free` gets
     * `userData` when the object ends, or another callback takes its place. */
    void setEventCallback(void(CL_CALLBACK *callback)(cl_event, void *), void *userData,
                          void(CL_CALLBACK *free)(void *) = nullptr)
    {
        take_callback(callback, nullptr, userData, free);
    }
    void setEventCallback(void(CL_CALLBACK *callback)(const cl::Event &, void *), void *userData,
                          void(CL_CALLBACK *free)(void *) = nullptr)
    {
        take_callback(nullptr, callback, userData, free);
    }

    /** The same calls with handles of OpenCL's C interface. */
    void enqueue(cl_command_queue queue, cl_mem inBuffer, cl_mem outBuffer, std::size_t elements,
                 const void *initialOffset = nullptr, cl_uint numEvents = 0, const cl_event *events = nullptr,
                 cl_event *event = nullptr)
    {
        run(queue, inBuffer, outBuffer, elements, on_host(initialOffset), numEvents, events, event);
    }
    void enqueue(cl_command_queue queue, cl_mem inBuffer, cl_mem outBuffer, std::size_t elements, cl_mem offsetBuffer,
                 cl_uint offsetIndex, cl_uint numEvents = 0, const cl_event *events = nullptr,
                 cl_event *event = nullptr)
    {
        run(queue, inBuffer, outBuffer, elements, in_buffer(offsetBuffer, offsetIndex), numEvents, events, event);
    }

    /** The initial value stands on the host, is read during the call, and may be missing. */
    void enqueue(const cl::CommandQueue &queue, const cl::Buffer &inBuffer, const cl::Buffer &outBuffer,
                 std::size_t elements, const void *initialOffset = nullptr,
                 const std::vector<cl::Event> *events = nullptr, cl::Event *event = nullptr)
    {
        run(queue, inBuffer, outBuffer, elements, on_host(initialOffset), events, event);
    }
    void enqueue(const cl::CommandQueue &queue, const cl::Buffer &buffer, std::size_t elements,
                 const void *initialOffset = nullptr, const std::vector<cl::Event> *events = nullptr,
                 cl::Event *event = nullptr)
    {
        enqueue(queue, buffer, buffer, elements, initialOffset, events, event);
    }

    /** The initial value is an element of a buffer. */
    void enqueue(const cl::CommandQueue &queue, const cl::Buffer &inBuffer, const cl::Buffer &outBuffer,
                 std::size_t elements, const cl::Buffer &offsetBuffer, cl_uint offsetIndex,
                 const std::vector<cl::Event> *events = nullptr, cl::Event *event = nullptr)
    {
        run(queue, inBuffer, outBuffer, elements, in_buffer(offsetBuffer(), offsetIndex), events, event);
    }
    void enqueue(const cl::CommandQueue &queue, const cl::Buffer &buffer, std::size_t elements,
                 const cl::Buffer &offsetBuffer, cl_uint offsetIndex, const std::vector<cl::Event> *events = nullptr,
                 cl::Event *event = nullptr)
    {
        enqueue(queue, buffer, buffer, elements, offsetBuffer, offsetIndex, events, event);
    }

  private:
    struct Destroy {
        void operator()(clscan_plan *plan) const
        {
            clscan_plan_destroy(plan);
        }
        void operator()(clscan_workspace *workspace) const
        {
            clscan_workspace_destroy(workspace);
        }
    };

    static clscan_memory on_host(const void *initial)
    {
        clscan_memory memory = {};
        memory.kind = initial != nullptr ? CLSCAN_MEMORY_HOST : CLSCAN_MEMORY_BUFFER;
        memory.pointer = initial;
        return memory;
    }

    static clscan_memory in_buffer(cl_mem buffer, cl_uint index)
    {
        clscan_memory memory = {};
        memory.buffer = buffer;
        memory.offset = index;
        return memory;
    }

    void forget_callback()
    {
        if (free_ != nullptr)
            free_(user_data_);
        free_ = nullptr;
    }

    void take_callback(void(CL_CALLBACK *raw)(cl_event, void *), void(CL_CALLBACK *wrapped)(const cl::Event &, void *),
                       void *userData, void(CL_CALLBACK *free)(void *))
    {
        forget_callback();
        raw_ = raw;
        wrapped_ = wrapped;
        user_data_ = userData;
        free_ = free;
    }

    void tell(cl_event event) const
    {
        if (raw_ != nullptr)
            raw_(event, user_data_);
        if (wrapped_ != nullptr)
            wrapped_(cl::Event(event, true), user_data_);
    }

    /** clogs takes an initial value that stands in what is scanned or written, and clscan none that does. */
    void move_initial(cl_command_queue queue, clscan_memory *initial, cl_uint event_count, const cl_event *events,
                      cl::Event &moved)
    {
        const std::size_t bytes = clscan_element_size_bytes(&element_);
        cl_int code = CL_SUCCESS;

        if (initial_() == nullptr)
            initial_ = cl::Buffer(context_, CL_MEM_READ_WRITE, bytes, nullptr, &code);
        if (code == CL_SUCCESS)
            code = clEnqueueCopyBuffer(queue, initial->buffer, initial_(), initial->offset * bytes, 0, bytes,
                                       event_count, events, &moved());
        if (code != CL_SUCCESS)
            throw Error(code, "clogs::Scan::enqueue: the initial value cannot be read");
        initial->buffer = initial_();
        initial->offset = 0;
    }

    static ScanProblem problem_of(const Type &type)
    {
        ScanProblem problem;
        problem.setType(type);
        return problem;
    }

    static void must(clscan_status status, const clscan_error &error)
    {
        if (status != CLSCAN_OK)
            throw InternalError(error.message);
    }

    /** clogs knows no largest count, so a plan is replaced when a run needs more. Runs that are enqueued go on. */
    void grow(std::size_t count)
    {
        clscan_error error = {};
        clscan_plan *plan = nullptr;
        clscan_problem problem = {};

        problem.struct_size = sizeof problem;
        problem.element = &element_;
        problem.form = CLSCAN_EXCLUSIVE;
        problem.max_count = count;
        must(clscan_plan_create(context_(), device_(), &problem, nullptr, &plan, &error), error);
        plan_.reset(plan);
        workspace_.reset();
    }

    void bind(cl_command_queue queue)
    {
        clscan_error error = {};
        clscan_workspace *workspace = nullptr;

        must(clscan_workspace_create(plan_.get(), &workspace, &error), error);
        std::unique_ptr<clscan_workspace, Destroy> made(workspace);
        must(clscan_workspace_bind(workspace, queue, nullptr, &error), error);
        workspace_ = std::move(made);
    }

    void run(const cl::CommandQueue &queue, const cl::Buffer &in, const cl::Buffer &out, std::size_t elements,
             const clscan_memory &initial, const std::vector<cl::Event> *events, cl::Event *event)
    {
        cl_event done = nullptr;
        std::vector<cl_event> wait;

        if (events != nullptr)
            for (const cl::Event &before : *events)
                wait.push_back(before());
        run(queue(), in(), out(), elements, initial, static_cast<cl_uint>(wait.size()),
            wait.empty() ? nullptr : wait.data(), event != nullptr ? &done : nullptr);
        if (event != nullptr)
            *event = cl::Event(done);
    }

    void run(cl_command_queue queue, cl_mem in, cl_mem out, std::size_t elements, const clscan_memory &initial,
             cl_uint event_count, const cl_event *events, cl_event *event)
    {
        const bool is_watched = raw_ != nullptr || wrapped_ != nullptr;
        clscan_error error = {};
        clscan_run_args args = {};
        cl_event done = nullptr;

        if (elements == 0)
            throw Error(CL_INVALID_GLOBAL_WORK_SIZE, "clogs::Scan::enqueue: there are no elements");
        if (elements > clscan_plan_max_count(plan_.get()))
            grow(std::max(elements, std::size_t(2 * clscan_plan_max_count(plan_.get()))));
        if (!workspace_)
            bind(queue);
        args.struct_size = sizeof args;
        args.in.buffer = in;
        args.out.buffer = out;
        args.count = elements;
        args.initial = initial;
        cl::Event moved;
        if (initial.kind == CLSCAN_MEMORY_BUFFER && initial.buffer != nullptr &&
            (initial.buffer == in || initial.buffer == out)) {
            move_initial(queue, &args.initial, event_count, events, moved);
            tell(moved());
            event_count = 1;
            events = &moved();
        }
        if (clscan_run(plan_.get(), workspace_.get(), queue, &args, event_count, events,
                       event != nullptr || is_watched ? &done : nullptr, &error) != CLSCAN_OK)
            // Texts of errors of the C++ bindings are not copied.
            throw Error(error.cl_code != CL_SUCCESS ? error.cl_code : CL_INVALID_VALUE,
                        clscan_status_message(error.status));
        tell(done);
        if (event != nullptr)
            *event = done;
        else if (done != nullptr)
            clReleaseEvent(done);
    }

    cl::Context context_;
    cl::Device device_;
    cl::Buffer initial_; // beside what is scanned
    clscan_element element_;
    std::unique_ptr<clscan_plan, Destroy> plan_;
    std::unique_ptr<clscan_workspace, Destroy> workspace_;
    void(CL_CALLBACK *raw_)(cl_event, void *) = nullptr;
    void(CL_CALLBACK *wrapped_)(const cl::Event &, void *) = nullptr;
    void(CL_CALLBACK *free_)(void *) = nullptr;
    void *user_data_ = nullptr;
};

} // namespace clogs

#endif
