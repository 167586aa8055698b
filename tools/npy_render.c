#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "npy.h"
#include "npy_types.h"

#define PREFIX_BYTES 10
#define ALIGNMENT 64

/* Of a single number "(3,)". */
size_t npy_print_shape(const uint64_t *shape, unsigned dimensions, bool fortran, char *text, size_t capacity_bytes)
{
    size_t used_bytes = (size_t)snprintf(text, capacity_bytes, "(");

    for (unsigned i = 0; i < dimensions && used_bytes < capacity_bytes; ++i)
        used_bytes += (size_t)snprintf(text + used_bytes, capacity_bytes - used_bytes, "%s%" PRIu64, i > 0 ? ", " : "",
                                       shape[fortran ? dimensions - 1 - i : i]);
    if (used_bytes < capacity_bytes)
        used_bytes += (size_t)snprintf(text + used_bytes, capacity_bytes - used_bytes, dimensions == 1 ? ",)" : ")");
    return used_bytes;
}

void npy_code(clscan_type type, char *code)
{
    for (size_t i = 0; i < sizeof npy_types / sizeof npy_types[0]; ++i)
        if (npy_types[i].type == type)
            sprintf(code, "%c%.2s", clscan_type_size_bytes(type) == 1 ? '|' : '<', npy_types[i].code);
}

bool npy_orders_differ(const uint64_t *shape, unsigned dimensions)
{
    unsigned longer = 0;

    for (unsigned d = 0; d < dimensions; ++d) {
        if (shape[d] == 0)
            return false;
        longer += shape[d] > 1;
    }
    return longer > 1;
}

size_t npy_render_records(const char *descr, const uint64_t *shape, unsigned dimensions, bool fortran,
                          char text[NPY_RENDERED_BYTES])
{
    uint64_t longest[NPY_MAX_DIMENSIONS];
    size_t used_bytes = PREFIX_BYTES, header_bytes;

    used_bytes += (size_t)snprintf(text + used_bytes, NPY_RENDERED_BYTES - used_bytes,
                                   "{'descr': %s, 'fortran_order': %s, 'shape': ", descr,
                                   fortran && npy_orders_differ(shape, dimensions) ? "True" : "False");
    /* The extent of the first dimension may be written over when it is known. */
    memcpy(longest, shape, dimensions * sizeof longest[0]);
    longest[0] = UINT64_MAX;
    header_bytes = used_bytes + sizeof ", }" +
                   npy_print_shape(longest, dimensions, fortran, text + used_bytes, NPY_RENDERED_BYTES - used_bytes);
    used_bytes += npy_print_shape(shape, dimensions, fortran, text + used_bytes, NPY_RENDERED_BYTES - used_bytes);
    used_bytes += (size_t)snprintf(text + used_bytes, NPY_RENDERED_BYTES - used_bytes, ", }");
    /* A newline ends the header, and blanks before it make it as long as it should be. */
    if (header_bytes < used_bytes + 1)
        header_bytes = used_bytes + 1;
    header_bytes = (header_bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    if (header_bytes < NPY_RENDERED_1D_BYTES)
        header_bytes = NPY_RENDERED_1D_BYTES;
    memset(text + used_bytes, ' ', header_bytes - used_bytes);
    text[header_bytes - 1] = '\n';
    memcpy(text, NPY_MAGIC "\x01\x00", NPY_MAGIC_BYTES + 2);
    text[8] = (char)((header_bytes - PREFIX_BYTES) & 0xff);
    text[9] = (char)((header_bytes - PREFIX_BYTES) >> 8);
    return header_bytes;
}

size_t npy_render(clscan_type type, const uint64_t *shape, unsigned dimensions, bool fortran,
                  char text[NPY_RENDERED_BYTES])
{
    char descr[8] = "'";

    npy_code(type, descr + 1);
    strcat(descr, "'");
    return npy_render_records(descr, shape, dimensions, fortran, text);
}
