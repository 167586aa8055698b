// A program for clogs of its time, in C++98 and with the first C++ bindings of OpenCL: it includes what it uses,
// <clogs/scan.h>. Work-items that write several values each count them, a scan makes places of the counts, and a second
// kernel writes there.
#define __CL_ENABLE_EXCEPTIONS
#include <CL/cl.hpp>
#include <clogs/scan.h>

#include <cstdio>
#include <iostream>
#include <string>

static const char source[] = "__kernel void count(__global uint *counts)\n"
                             "{\n"
                             "    counts[get_global_id(0)] = get_global_id(0) % 4;\n"
                             "}\n"
                             "__kernel void write(__global const uint *places, __global uint *values)\n"
                             "{\n"
                             "    const uint item = get_global_id(0);\n"
                             "    for (uint i = 0; i < item % 4; ++i)\n"
                             "        values[places[item] + i] = item;\n"
                             "}\n";

static int number_values(const cl::Context &context, const cl::Device &device)
{
    const unsigned int items = 40000, all = items / 4 * 6;
    const cl::CommandQueue queue(context, device);
    const cl::Program program(context, source, true);
    cl::Kernel count(program, "count"), write(program, "write");
    cl::Buffer counts(context, CL_MEM_READ_WRITE, items * sizeof(cl_uint));
    cl::Buffer values(context, CL_MEM_READ_WRITE, all * sizeof(cl_uint));
    clogs::Scan scanner(context, device, clogs::TYPE_UINT);
    VECTOR_CLASS<cl::Event> counted(1), scanned(1);

    count.setArg(0, counts);
    write.setArg(0, counts);
    write.setArg(1, values);
    queue.enqueueNDRangeKernel(count, cl::NullRange, cl::NDRange(items), cl::NullRange, NULL, &counted[0]);
    scanner.enqueue(queue, counts, items, NULL, &counted, &scanned[0]);
    queue.enqueueNDRangeKernel(write, cl::NullRange, cl::NDRange(items), cl::NullRange, &scanned);

    VECTOR_CLASS<cl_uint> got(all);
    queue.enqueueReadBuffer(values, CL_TRUE, 0, all * sizeof(cl_uint), &got[0]);
    unsigned int at = 0;
    int wrong = 0;
    for (unsigned int item = 0; item < items; ++item)
        for (unsigned int i = 0; i < item % 4; ++i)
            wrong += got[at++] != item;
    return wrong + (at != all);
}

int main()
{
    try {
        const cl::Context context(CL_DEVICE_TYPE_ALL);
        const int wrong = number_values(context, context.getInfo<CL_CONTEXT_DEVICES>()[0]);
        std::printf("%d values are wrong\n", wrong);
        return wrong != 0;
    } catch (clogs::InternalError &e) {
        std::cerr << e.what() << "\n";
    } catch (cl::Error &e) {
        const STRING_CLASS call = e.what();
        std::cerr << call << ": " << e.err() << "\n";
    }
    return 1;
}
