/* A header that was read is written as one that is read as the same. */
#include <string.h>

#include "npy.h"
#include "targets.h"

void fuzz_npy(const uint8_t *data, size_t size_bytes)
{
    npy_header read, again;
    char text[NPY_RENDERED_BYTES];
    clscan_error error = {0};

    if (npy_parse_records(data, size_bytes, &read, &error) == CLSCAN_OK) {
        const size_t written_bytes = npy_render_records(read.descr, read.shape, read.dimensions, read.fortran, text);

        FUZZ_CHECK(written_bytes <= sizeof text && written_bytes % 64 == 0);
        FUZZ_CHECK(npy_parse_records(text, written_bytes, &again, &error) == CLSCAN_OK);
        FUZZ_CHECK(again.field_count == read.field_count && again.element_bytes == read.element_bytes &&
                   again.count == read.count && strcmp(again.descr, read.descr) == 0);
    }
    if (npy_parse_moved(data, size_bytes, &read, &error) == CLSCAN_OK) {
        const size_t written_bytes = npy_render_records(read.descr, read.shape, read.dimensions, read.fortran, text);

        FUZZ_CHECK(npy_parse_moved(text, written_bytes, &again, &error) == CLSCAN_OK);
        FUZZ_CHECK(again.element_bytes == read.element_bytes && again.count == read.count &&
                   strcmp(again.descr, read.descr) == 0);
    }
    if (npy_parse(data, size_bytes, &read, &error) != CLSCAN_OK)
        return;
    FUZZ_CHECK(read.header_bytes <= size_bytes && read.dimensions <= NPY_MAX_DIMENSIONS);
    FUZZ_CHECK(read.count <= UINT64_MAX / clscan_type_size_bytes(read.type));
    const size_t written_bytes = npy_render(read.type, read.shape, read.dimensions, read.fortran, text);
    FUZZ_CHECK(written_bytes <= sizeof text && written_bytes % 64 == 0);
    FUZZ_CHECK(npy_parse(text, written_bytes, &again, &error) == CLSCAN_OK);
    FUZZ_CHECK(again.type == read.type && again.count == read.count && again.dimensions == read.dimensions &&
               again.fortran == read.fortran && again.header_bytes == written_bytes &&
               memcmp(again.shape, read.shape, read.dimensions * sizeof read.shape[0]) == 0);
}
