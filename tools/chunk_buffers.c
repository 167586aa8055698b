#include "chunk_buffers.h"

#include "measure/host_memory.h"

chunk_limits chunk_limits_alone(const target *where, size_t element_bytes, uint64_t count, uint64_t wanted_bytes)
{
    return (chunk_limits){
        .element_bytes = element_bytes,
        .count = count,
        .wanted_bytes = wanted_bytes,
        .max_allocation_bytes = where->info.max_allocation_bytes,
        .device_bytes = where->info.global_memory_bytes,
        .host_bytes = measure_host_memory_bytes(),
        .unified = true,
        .in_place = true,
    };
}

void chunk_buffers_add(chunk_buffers *buffers, size_t element_bytes)
{
    if (buffers->widest_bytes < element_bytes)
        buffers->widest_bytes = element_bytes;
    buffers->sum_bytes += element_bytes;
}

uint64_t chunk_buffers_plan(const chunk_buffers *buffers, const target *where, uint64_t count, uint64_t wanted_bytes)
{
    /* Two buffers of so many bytes for each element are as large as all that there are. */
    const size_t half_of_all = (buffers->sum_bytes + 1) / 2;
    const size_t element_bytes = buffers->widest_bytes > half_of_all ? buffers->widest_bytes : half_of_all;
    chunk_limits limits = chunk_limits_alone(where, element_bytes, count, wanted_bytes);

    limits.in_place = false;
    limits.apart = true;
    return chunks_plan(&limits).chunk_count;
}
