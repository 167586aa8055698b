/* The kernels that measuring needs, as text. None is clscan's. */
#ifndef CLSCAN_MEASURE_KERNELS_H
#define CLSCAN_MEASURE_KERNELS_H

/* Shapes that host and kernels must agree on. */
#define MEASURE_ROWS_GROUP 256  /* work-items of a copy_rows work-group, 4 uint4 each */
#define MEASURE_LINES_CHUNK 512 /* lines of 64 bytes that a copy_lines work-item walks */

/* In two pieces, since a C compiler need not take a longer literal. */
static const char measure_kernels_general[] =
    /* Keeps the queue busy, so that the host can enqueue what is timed behind it. One work-item. */
    "__kernel void hold(__global uint *sink, uint steps)\n"
    "{\n"
    "    uint x = steps | 1;\n"
    "    for (uint i = 0; i < steps; ++i) {\n"
    "        x ^= x << 13;\n"
    "        x ^= x >> 17;\n"
    "        x ^= x << 5;\n"
    "    }\n"
    "    if (x == 0)\n" /* never, but the compiler does not know */
    "        sink[0] = x;\n"
    "}\n"
    "\n"
    "__kernel void nothing(__global uint *sink, uint write)\n"
    "{\n"
    "    if (write != 0)\n"
    "        sink[0] = write;\n"
    "}\n"
    "\n"
    /* As many arguments as a scan kernel has. */
    "__kernel void arguments(__global uint *a, __global uint *b, __global uint *c, __global uint *d,\n"
    "                        ulong e, ulong f, ulong g, ulong h, uint i, uint j, uint k, uint l)\n"
    "{\n"
    "    if ((e | f | g | h) != 0)\n"
    "        a[0] = b[0] + c[0] + d[0] + i + j + k + l;\n"
    "}\n"
    "\n"
    /* Sets found[0] where two buffers are not the same. Who sets it last does not matter. A work-item looks at `share`
     * vectors, `step` apart, and the next one begins `next` vectors later: on GPUs neighbours stand side by side, on
     * CPUs each has a part of its own. */
    "__kernel void differ(__global const uchar *a, __global const uchar *b, ulong bytes, __global uint *found,\n"
    "                     ulong share, ulong step, ulong next)\n"
    "{\n"
    "    __global const uint4 *x = (__global const uint4 *)a;\n"
    "    __global const uint4 *y = (__global const uint4 *)b;\n"
    "    const ulong vectors = bytes / 16;\n"
    "    const ulong first = (ulong)get_global_id(0) * next;\n"
    "    uint4 difference = (uint4)(0);\n"
    "    for (ulong i = first, n = 0; n < share && i < vectors; ++n, i += step)\n"
    "        difference |= x[i] ^ y[i];\n"
    "    if (get_global_id(0) == 0)\n"
    "        for (ulong i = vectors * 16; i < bytes; ++i)\n"
    "            difference.s0 |= (uint)(a[i] ^ b[i]);\n"
    "    if ((difference.s0 | difference.s1 | difference.s2 | difference.s3) != 0)\n"
    "        found[0] = 1;\n"
    "}\n"
    "\n"
    /* GPUs: neighbouring work-items copy neighbouring vectors, four rows of them at a time. */
    "__kernel void copy_rows(__global const uchar *in, __global uchar *out, ulong bytes)\n"
    "{\n"
    "    __global const uint4 *from = (__global const uint4 *)in;\n"
    "    __global uint4 *to = (__global uint4 *)out;\n"
    "    const ulong vectors = bytes / 16;\n"
    "    const ulong step = get_local_size(0);\n"
    "    const ulong first = (ulong)get_group_id(0) * step * 4 + get_local_id(0);\n"
    "    if (first + 3 * step < vectors) {\n"
    "        const uint4 a = from[first];\n"
    "        const uint4 b = from[first + step];\n"
    "        const uint4 c = from[first + 2 * step];\n"
    "        const uint4 d = from[first + 3 * step];\n"
    "        to[first] = a;\n"
    "        to[first + step] = b;\n"
    "        to[first + 2 * step] = c;\n"
    "        to[first + 3 * step] = d;\n"
    "    } else {\n"
    "        for (ulong i = first; i < vectors; i += step)\n"
    "            to[i] = from[i];\n"
    "    }\n"
    "    if (get_global_id(0) == 0)\n"
    "        for (ulong i = vectors * 16; i < bytes; ++i)\n"
    "            out[i] = in[i];\n"
    "}\n";

static const char measure_kernels_lines[] =
    /* CPUs: a work-item copies a chunk of lines, from four places at a time, since several streams of pages
     * are faster than one. Streaming stores need not read the line that they replace. */
    "#if defined(__has_builtin)\n"
    "#if __has_builtin(__builtin_nontemporal_store)\n"
    "#define STREAM(place, value) __builtin_nontemporal_store(value, &(place))\n"
    "#endif\n"
    "#endif\n"
    "#ifndef STREAM\n"
    "#define STREAM(place, value) (place) = (value)\n"
    "#endif\n"
    "#define STORE(place, value) (place) = (value)\n"
    "#define COPY_LINES(name, PUT)                                                        \\\n"
    "    __kernel __attribute__((reqd_work_group_size(1, 1, 1)))                          \\\n"
    "    void name(__global const uchar *in, __global uchar *out, ulong bytes)            \\\n"
    "    {                                                                                \\\n"
    "        __global const uint16 *from = (__global const uint16 *)in;                   \\\n"
    "        __global uint16 *to = (__global uint16 *)out;                                \\\n"
    "        const ulong lines = bytes / 64;                                              \\\n"
    "        const ulong row = CHUNK / 4;                                                 \\\n"
    "        const ulong first = (ulong)get_group_id(0) * CHUNK;                          \\\n"
    "        if (first + CHUNK <= lines) {                                                \\\n"
    "            for (ulong i = first; i < first + row; ++i) {                            \\\n"
    "                PUT(to[i], from[i]);                                                 \\\n"
    "                PUT(to[i + row], from[i + row]);                                     \\\n"
    "                PUT(to[i + 2 * row], from[i + 2 * row]);                             \\\n"
    "                PUT(to[i + 3 * row], from[i + 3 * row]);                             \\\n"
    "            }                                                                        \\\n"
    "        } else {                                                                     \\\n"
    "            for (ulong i = first; i < lines; ++i)                                    \\\n"
    "                PUT(to[i], from[i]);                                                 \\\n"
    "        }                                                                            \\\n"
    "        if (get_group_id(0) == 0)                                                    \\\n"
    "            for (ulong i = lines * 64; i < bytes; ++i)                               \\\n"
    "                out[i] = in[i];                                                      \\\n"
    "    }\n"
    "COPY_LINES(copy_lines, STORE)\n"
    "COPY_LINES(stream_lines, STREAM)\n";

#endif
