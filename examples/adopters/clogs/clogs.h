/* The scan of clogs, by clscan: programs that include <clogs/clogs.h> for clogs::Scan build with this header as they
 * are, and link with clscan. Copy it; it needs C++11 and the C++ bindings of OpenCL. What fails throws InternalError.
 * Sorts, reductions and tuning of clogs are not in it. */
#ifndef CLSCAN_EXAMPLES_CLOGS_H
#define CLSCAN_EXAMPLES_CLOGS_H

#include <clscan/clscan.h>

#include <CL/opencl.hpp>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

namespace clogs {

enum BaseType {
    TYPE_VOID,
    TYPE_UCHAR,
    TYPE_CHAR,
    TYPE_USHORT,
    TYPE_SHORT,
    TYPE_UINT,
    TYPE_INT,
    TYPE_ULONG,
    TYPE_LONG,
    TYPE_HALF,
    TYPE_FLOAT,
    TYPE_DOUBLE
};

/** A scalar, or a vector of `length` of them. */
class Type {
  public:
    Type(BaseType base = TYPE_VOID, unsigned int length = 1) : base_(base), length_(length)
    {
    }
    BaseType getBaseType() const
    {
        return base_;
    }
    unsigned int getLength() const
    {
        return length_;
    }

  private:
    BaseType base_;
    unsigned int length_;
};

class InternalError : public std::runtime_error {
    using std::runtime_error::runtime_error;
};

class ScanProblem {
  public:
    void setType(const Type &type)
    {
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

    /** The initial value stands on the host, is read during the call, and may be missing. */
    void enqueue(const cl::CommandQueue &queue, const cl::Buffer &inBuffer, const cl::Buffer &outBuffer,
                 std::size_t elements, const void *initialOffset = nullptr,
                 const std::vector<cl::Event> *events = nullptr, cl::Event *event = nullptr)
    {
        clscan_memory initial = {};
        initial.kind = initialOffset != nullptr ? CLSCAN_MEMORY_HOST : CLSCAN_MEMORY_BUFFER;
        initial.pointer = initialOffset;
        run(queue, inBuffer, outBuffer, elements, initial, events, event);
    }
    void enqueue(const cl::CommandQueue &queue, const cl::Buffer &buffer, std::size_t elements,
                 const void *initialOffset = nullptr, const std::vector<cl::Event> *events = nullptr,
                 cl::Event *event = nullptr)
    {
        enqueue(queue, buffer, buffer, elements, initialOffset, events, event);
    }

    /** The initial value is an element of a buffer. */
    void enqueue(const cl::CommandQueue &queue, const cl::Buffer &inBuffer, const cl::Buffer &outBuffer,
                 std::size_t elements, const cl::Buffer &offsetBuffer, std::size_t offsetIndex,
                 const std::vector<cl::Event> *events = nullptr, cl::Event *event = nullptr)
    {
        clscan_memory initial = {};
        initial.buffer = offsetBuffer();
        initial.offset = offsetIndex;
        run(queue, inBuffer, outBuffer, elements, initial, events, event);
    }
    void enqueue(const cl::CommandQueue &queue, const cl::Buffer &buffer, std::size_t elements,
                 const cl::Buffer &offsetBuffer, std::size_t offsetIndex,
                 const std::vector<cl::Event> *events = nullptr, cl::Event *event = nullptr)
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

    void bind(const cl::CommandQueue &queue)
    {
        clscan_error error = {};
        clscan_workspace *workspace = nullptr;

        must(clscan_workspace_create(plan_.get(), &workspace, &error), error);
        std::unique_ptr<clscan_workspace, Destroy> made(workspace);
        must(clscan_workspace_bind(workspace, queue(), nullptr, &error), error);
        workspace_ = std::move(made);
    }

    void run(const cl::CommandQueue &queue, const cl::Buffer &in, const cl::Buffer &out, std::size_t elements,
             const clscan_memory &initial, const std::vector<cl::Event> *events, cl::Event *event)
    {
        clscan_error error = {};
        clscan_run_args args = {};
        cl_event done = nullptr;
        std::vector<cl_event> wait;

        if (elements > clscan_plan_max_count(plan_.get()))
            grow(std::max(elements, std::size_t(2 * clscan_plan_max_count(plan_.get()))));
        if (!workspace_)
            bind(queue);
        if (events != nullptr)
            for (const cl::Event &before : *events)
                wait.push_back(before());
        args.struct_size = sizeof args;
        args.in.buffer = in();
        args.out.buffer = out();
        args.count = elements;
        args.initial = initial;
        must(clscan_run(plan_.get(), workspace_.get(), queue(), &args, static_cast<cl_uint>(wait.size()),
                        wait.empty() ? nullptr : wait.data(), event != nullptr ? &done : nullptr, &error),
             error);
        if (event != nullptr)
            *event = cl::Event(done);
    }

    cl::Context context_;
    cl::Device device_;
    clscan_element element_;
    std::unique_ptr<clscan_plan, Destroy> plan_;
    std::unique_ptr<clscan_workspace, Destroy> workspace_;
};

} // namespace clogs

#endif
