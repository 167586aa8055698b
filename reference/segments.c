#include "segments.h"

clscan_status clscan_reference_scan_segments(const clscan_reference *what, const void *in, uint64_t count,
                                             const unsigned char *heads, const clscan_value *initial, void *out,
                                             clscan_value *totals)
{
    const size_t element_bytes = clscan_type_size_bytes(what->type);
    clscan_status status = CLSCAN_OK;
    uint64_t segment = 0;

    for (uint64_t begin = 0, end; begin < count && status == CLSCAN_OK; begin = end) {
        for (end = begin + 1; end < count && heads[end] == 0; ++end) {
        }
        status = clscan_reference_scan(what, (const unsigned char *)in + begin * element_bytes, end - begin, initial,
                                       (unsigned char *)out + begin * element_bytes,
                                       totals != NULL ? &totals[segment] : NULL);
        ++segment;
    }
    return status;
}
