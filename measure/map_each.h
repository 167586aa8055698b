/* What the maps of a problem between scalars make of elements and of sums, one by one, by kernels that know nothing of
 * scans: with a serial scan between them they are the right answer. Where there is no map there is a conversion, on the
 * host. */
#ifndef CLSCAN_MEASURE_MAP_EACH_H
#define CLSCAN_MEASURE_MAP_EACH_H

#include <clscan/clscan.h>

/* Set the first part, zero the rest. */
typedef struct measure_map_each {
    cl_context context;
    cl_device_id device;
    cl_command_queue queue;
    clscan_type in, sum, out; /* a sum is no half */
    const clscan_map *load;   /* NULL: none. An argument of a map can only be `index_of_first`, a ulong that is 0 */
    const clscan_map *store;
    uint64_t row_count; /* elements of a row, from whose first one on indices count anew; 0: all are one row */

    cl_program program;
    cl_kernel load_kernel, store_kernel;
} measure_map_each;

/* Compile, if there are maps. One that is no OpenCL C gets CLSCAN_ERROR_MAP_SOURCE and a build log. Release always. */
clscan_status measure_map_each_create(measure_map_each *maps, clscan_error *error);

void measure_map_each_release(measure_map_each *maps);

/* sums[i] = the load map of elements[i], which is number first + i of all rows. All is host memory. */
clscan_status measure_map_each_load(const measure_map_each *maps, const void *elements, uint64_t first, uint64_t count,
                                    void *sums, clscan_error *error);

/* outputs[i] = the store map of sums[i], previous[i] and elements[i]. */
clscan_status measure_map_each_store(const measure_map_each *maps, const void *elements, const void *sums,
                                     const void *previous, uint64_t first, uint64_t count, void *outputs,
                                     clscan_error *error);

#endif
