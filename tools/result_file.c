#include "result_file.h"

static bool has_unknown_count(const result_file *r)
{
    return r->dimensions > 0 && r->shape[0] == COUNT_UNKNOWN;
}

static clscan_status write_header(result_file *r, clscan_error *error)
{
    char header[NPY_RENDERED_BYTES];

    r->header_bytes = r->descr != NULL ? npy_render_records(r->descr, r->shape, r->dimensions, r->fortran, header)
                                       : npy_render(r->type, r->shape, r->dimensions, r->fortran, header);
    return output_file_write(&r->file, 0, header, r->header_bytes, error);
}

clscan_status result_file_open(result_file *r, bool in_order, clscan_error *error)
{
    /* The header of an unknown count is written once more, at the end. */
    const clscan_status status =
        output_file_open(&r->file, r->name, in_order && !(r->is_npy && has_unknown_count(r)), r->size_bytes, error);

    if (status != CLSCAN_OK || !r->is_npy)
        return status;
    return write_header(r, error);
}

clscan_status result_file_join(result_file *r, const char *path, uint64_t header_bytes, clscan_error *error)
{
    r->header_bytes = header_bytes;
    return output_file_join(&r->file, r->name, path, error);
}

clscan_status result_file_write(result_file *r, uint64_t at_bytes, const void *data, size_t size_bytes,
                                clscan_error *error)
{
    return output_file_write(&r->file, r->header_bytes + at_bytes, data, size_bytes, error);
}

clscan_status result_file_commit(result_file *r, uint64_t count, clscan_error *error)
{
    if (r->is_npy && has_unknown_count(r)) {
        r->shape[0] = count;
        if (write_header(r, error) != CLSCAN_OK)
            return error->status;
    }
    return output_file_commit(&r->file, error);
}
