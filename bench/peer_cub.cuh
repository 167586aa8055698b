// What the parts of clscan-peer-cub share: what a run works on, and which runs there are.
#ifndef CLSCAN_BENCH_PEER_CUB_CUH
#define CLSCAN_BENCH_PEER_CUB_CUH

#include <cstddef>
#include <string>
#include <vector>

#include <cuda_runtime.h>
#if __has_include(<cub/device/device_segmented_scan.cuh>)
#include <cub/device/device_segmented_scan.cuh>
#define HAS_SEGMENTED_SCAN 1
#else
#define HAS_SEGMENTED_SCAN 0
#endif

struct operands {
    const void *in;
    void *out;
    const void *marks; // flags of a selection, or what says where segments begin
    void *keys;        // takes those of a reduction by key, or the lengths of runs, or two of three parts
    long long *number; // takes how many a selection has kept, or how many segments or runs there are; of parts, two
    int count;
    int row;
    long long pitch;   // from the start of a row to that of the next
    int segment_count; // where offsets say it

    bool in_place() const
    {
        return in == out;
    }
};

// With no scratch memory it only tells how much is needed.
using launch = cudaError_t (*)(void *scratch, std::size_t &scratch_bytes, const operands &o);

// One of several ways to the same. The peer tries them, and takes the fastest.
struct way {
    const char *name;
    launch run;
};

// CUB's ways to scan, or to reduce, rows of so many elements; none where there is none.
std::vector<way> find_rows(const std::string &type, const std::string &op, const std::string &form, int row, int rows);

// Null where there is none.
launch find_scan(const std::string &type, const std::string &op, const std::string &form);
launch find_segments(const std::string &type, const std::string &form, const std::string &by);
launch find_selection(const std::string &form, std::size_t element_bytes, bool in_place);

#endif
