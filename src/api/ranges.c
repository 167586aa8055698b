#include "api/ranges.h"

#include "base/checked.h"

clscan_status clscan__check_access(const char *name, cl_mem buffer, cl_mem_flags forbidden, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    cl_mem_flags flags = 0;

    CLSCAN__TRY_CL(clGetMemObjectInfo, (buffer, CL_MEM_FLAGS, sizeof flags, &flags, NULL));
    CLSCAN__REQUIRE((flags & forbidden) == 0, CLSCAN_ERROR_BUFFER_ACCESS, "%s was created %s", name,
                    (flags & forbidden & CL_MEM_READ_ONLY) != 0 ? "CL_MEM_READ_ONLY" : "CL_MEM_WRITE_ONLY");

cleanup:
    return status;
}

clscan_status clscan__locate(const clscan_plan *plan, const char *name, cl_mem buffer, uint64_t offset_bytes,
                             uint64_t size_bytes, cl_mem_flags forbidden, clscan_status too_small,
                             clscan__byte_range *range, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    cl_mem_object_type type = 0;
    cl_context context = NULL;
    cl_mem parent = NULL;
    size_t buffer_bytes = 0, parent_offset_bytes = 0;
    uint64_t end_bytes;
    cl_int code;

    code = clGetMemObjectInfo(buffer, CL_MEM_TYPE, sizeof type, &type, NULL);
    if (code != CL_SUCCESS && code != CL_INVALID_MEM_OBJECT)
        return clscan__error_opencl(error, "clGetMemObjectInfo", code);
    CLSCAN__REQUIRE(code == CL_SUCCESS && type == CL_MEM_OBJECT_BUFFER, CLSCAN_ERROR_INVALID_VALUE,
                    "%s is not a buffer", name);
    CLSCAN__TRY_CL(clGetMemObjectInfo, (buffer, CL_MEM_CONTEXT, sizeof context, &context, NULL));
    CLSCAN__REQUIRE(context == plan->context, CLSCAN_ERROR_WRONG_CONTEXT, "%s belongs to another context", name);
    CLSCAN__TRY_CL(clGetMemObjectInfo, (buffer, CL_MEM_SIZE, sizeof buffer_bytes, &buffer_bytes, NULL));
    CLSCAN__REQUIRE(clscan__add_u64(offset_bytes, size_bytes, &end_bytes) && end_bytes <= buffer_bytes, too_small,
                    "%s holds %zu bytes; %llu are needed behind byte %llu", name, buffer_bytes,
                    (unsigned long long)size_bytes, (unsigned long long)offset_bytes);
    CLSCAN__TRY(clscan__check_access(name, buffer, forbidden, error));
    CLSCAN__TRY_CL(clGetMemObjectInfo, (buffer, CL_MEM_ASSOCIATED_MEMOBJECT, sizeof parent, &parent, NULL));
    if (parent != NULL)
        CLSCAN__TRY_CL(clGetMemObjectInfo,
                       (buffer, CL_MEM_OFFSET, sizeof parent_offset_bytes, &parent_offset_bytes, NULL));
    range->name = name;
    range->is_read = range->is_output = range->in_place = range->fits_gaps = false;
    range->places = NULL;
    range->root = parent != NULL ? parent : buffer;
    range->begin = parent_offset_bytes + offset_bytes;
    range->end = parent_offset_bytes + end_bytes;

cleanup:
    return status;
}

clscan_status clscan__check_memory_kind(const char *name, const clscan_memory *memory, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;

    CLSCAN__REQUIRE((unsigned)memory->kind < CLSCAN_MEMORY_KIND_COUNT && memory->reserved == 0,
                    CLSCAN_ERROR_INVALID_VALUE, "%s.kind is %d, %s.reserved is %u", name, (int)memory->kind, name,
                    (unsigned)memory->reserved);
    CLSCAN__REQUIRE(memory->kind == CLSCAN_MEMORY_BUFFER, CLSCAN_ERROR_MEMORY_KIND,
                    "%s is of kind %s; this version of clscan serves buffers there", name,
                    clscan_memory_kind_name(memory->kind));

cleanup:
    return status;
}

clscan_status clscan__locate_elements(const clscan_plan *plan, const char *name, const clscan_memory *memory,
                                      uint64_t count, size_t element_bytes, cl_mem_flags forbidden,
                                      clscan__byte_range *range, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    uint64_t offset_bytes, size_bytes;

    CLSCAN__TRY(clscan__check_memory_kind(name, memory, error));
    CLSCAN__REQUIRE(memory->buffer != NULL, CLSCAN_ERROR_NULL_ARGUMENT, "%s.buffer is NULL", name);
    CLSCAN__REQUIRE(clscan__mul_u64(memory->offset, element_bytes, &offset_bytes) &&
                        clscan__mul_u64(count, element_bytes, &size_bytes),
                    CLSCAN_ERROR_INVALID_VALUE,
                    "%s: %llu elements of %zu bytes from offset %llu on are beyond all memory", name,
                    (unsigned long long)count, element_bytes, (unsigned long long)memory->offset);
    CLSCAN__TRY(clscan__locate(plan, name, memory->buffer, offset_bytes, size_bytes, forbidden,
                               CLSCAN_ERROR_BUFFER_TOO_SMALL, range, error));

cleanup:
    return status;
}

static clscan__places places_of(const clscan__byte_range *range)
{
    return range->places != NULL ? *range->places : (clscan__places){.element_bytes = range->end - range->begin};
}

static bool overlaps(const clscan__byte_range *a, const clscan__byte_range *b)
{
    const bool meet = a->root == b->root && a->begin < b->end && b->begin < a->end;
    clscan__places of_a, of_b;

    if (!meet || !(a->fits_gaps || b->fits_gaps))
        return meet;
    of_a = places_of(a);
    of_b = places_of(b);
    return clscan__places_meet(&of_a, a->begin, &of_b, b->begin);
}

bool clscan__ranges_same(const clscan__byte_range *a, const clscan__byte_range *b)
{
    return a->root == b->root && a->begin == b->begin && a->end == b->end;
}

bool clscan__ranges_begin_alike(const clscan__byte_range *a, const clscan__byte_range *b)
{
    return a->root == b->root && a->begin == b->begin;
}

clscan_status clscan__check_overlap(const clscan__byte_range *ranges, size_t count, const char *why_not,
                                    clscan_error *error)
{
    clscan_status status = CLSCAN_OK;

    for (size_t i = 0; i < count; ++i) {
        for (size_t j = i + 1; j < count; ++j) {
            const bool is_pair = j == i + 1 && ranges[j].is_output;

            if (is_pair && ranges[j].in_place)
                continue;
            if (ranges[i].is_read && ranges[j].is_read)
                continue;
            CLSCAN__REQUIRE(!overlaps(&ranges[i], &ranges[j]), CLSCAN_ERROR_OVERLAP,
                            "%s (bytes %llu to %llu) and %s (bytes %llu to %llu) overlap%s", ranges[i].name,
                            (unsigned long long)ranges[i].begin, (unsigned long long)ranges[i].end, ranges[j].name,
                            (unsigned long long)ranges[j].begin, (unsigned long long)ranges[j].end,
                            is_pair ? why_not : "");
        }
    }

cleanup:
    return status;
}
