#include "command/group_ends.h"

#include <inttypes.h>

#include "command_line/failure.h"

static size_t last_byte_of(const clscan_part *part)
{
    const uint64_t rows = part->rows != NULL ? part->rows->count : 1;

    return (size_t)(rows * part->count - 1) * sizeof(cl_int);
}

clscan_status tune_group_ends_check(const clscan_member *members, const clscan_part *parts, size_t count,
                                    const uint64_t *ends, bool poison, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const cl_int nothing = -1;

    for (size_t i = 0; i < count; ++i) {
        const cl_command_queue queue = members[i].queue;
        const cl_mem out = parts[i].out.buffer;
        cl_int got = nothing, code;

        if (ends[i] == 0)
            continue;
        code = poison
                   ? clEnqueueWriteBuffer(queue, out, CL_TRUE, last_byte_of(&parts[i]), sizeof nothing, &nothing, 0,
                                          NULL, NULL)
                   : clEnqueueReadBuffer(queue, out, CL_TRUE, last_byte_of(&parts[i]), sizeof got, &got, 0, NULL, NULL);
        REQUIRE(code == CL_SUCCESS, CLSCAN_ERROR_OPENCL, "device %zu: its memory cannot be used: %s", i,
                clscan_cl_error_name(code));
        REQUIRE(poison || (uint64_t)got == ends[i], CLSCAN_ERROR_DEVICE_LIMIT,
                "device %zu computes wrong: its last sum is %d instead of %" PRIu64, i, (int)got, ends[i]);
    }

cleanup:
    return status;
}
