/* A sort of keys, with values if there are any: by radix, the lowest digit first, stable, upwards or downwards.
 *
 * Each pass sorts by a digit of eight bits. A kernel counts the digits of each tile, an exclusive scan of these counts
 * says where the keys of each digit and tile go, and a kernel sorts the tile in local memory and moves them there. */
#ifndef CLSCAN_EXAMPLES_SORT_H
#define CLSCAN_EXAMPLES_SORT_H

#include "program.h"

/* Work-groups of ITEMS work-items sort tiles of EACH keys for each of them. */
static const char sort_common[] =
    "#define TILE (ITEMS * EACH)\n"
    "#define DIGITS 256\n"
    "#define COPIES 8\n"
    "#define WORDS 8\n"
    "#define SIGN ((bits)1 << (sizeof(stored) * 8 - 1))\n"
    "#define AT(i) ((i) + (i) / 32) /* keeps what work-items of a row touch in different banks of local memory */\n"
    "#define ROLLED _Pragma(\"unroll 1\") /* a loop that would take registers of the keys */\n"
    "#define EACH_KEY _Pragma(\"unroll 16\") for (uint k = 0; k < EACH; ++k)\n"
    "/* Bits that are in the order wanted as unsigned numbers, and back. */\n"
    "bits to_bits(bits key)\n"
    "{\n"
    "    return key ^ (key & SIGN ? NEGATIVE : POSITIVE);\n"
    "}\n"
    "stored from_bits(bits ordered)\n"
    "{\n"
    "    return ((ordered ^ NEGATIVE) & SIGN ? ordered ^ NEGATIVE : ordered ^ POSITIVE);\n"
    "}\n"
    "uint valid_of(uint count)\n"
    "{\n"
    "    const uint begin = get_group_id(0) * TILE;\n"
    "    return begin < count ? min(count - begin, (uint)TILE) : 0;\n"
    "}\n";

static const char sort_count[] =
    "/* How many keys of each tile have each digit: a row of the matrix for each digit, a column for each tile.\n"
    " * Several copies of a counter, so that equal keys need not wait for each other. */\n"
    "kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1)))\n"
    "void count_digits(global const stored *keys, global const uint *count, global uint *matrix, uint shift)\n"
    "{\n"
    "    local uint found[DIGITS * COPIES];\n"
    "    const uint me = get_local_id(0), valid = valid_of(*count);\n"
    "    keys += get_group_id(0) * TILE;\n"
    "    stored key[EACH];\n"
    "    EACH_KEY key[k] = k * ITEMS + me < valid ? keys[k * ITEMS + me] : 0;\n"
    "    for (uint i = me; i < DIGITS * COPIES; i += ITEMS)\n"
    "        found[i] = 0;\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    EACH_KEY if (k * ITEMS + me < valid)\n"
    "        atomic_inc(&found[(to_bits(key[k]) >> shift) % DIGITS * COPIES + me % COPIES]);\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    for (uint digit = me; digit < DIGITS; digit += ITEMS) {\n"
    "        uint sum = 0;\n"
    "        for (uint i = 0; i < COPIES; ++i)\n"
    "            sum += found[digit * COPIES + i];\n"
    "        matrix[digit * get_num_groups(0) + get_group_id(0)] = sum;\n"
    "    }\n"
    "}\n";

static const char sort_ranks[] =
    "/* The sum of what the work-items before this one have. */\n"
    "uint sum_before(uint mine, local uint *sums, uint *total)\n"
    "{\n"
    "    const uint me = get_local_id(0), row = me / 16;\n"
    "    uint before = 0, all = 0;\n"
    "    sums[me] = mine;\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    if (me < ITEMS / 16) {\n"
    "        uint sum = 0;\n"
    "        ROLLED for (uint i = 0; i < 16; ++i)\n"
    "            sum += sums[me * 16 + i];\n"
    "        sums[ITEMS + me] = sum;\n"
    "    }\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    ROLLED for (uint i = 0; i < ITEMS / 16; ++i) {\n"
    "        before += i < row ? sums[ITEMS + i] : 0;\n"
    "        all += sums[ITEMS + i];\n"
    "    }\n"
    "    for (uint i = row * 16; i < me; ++i)\n"
    "        before += sums[i];\n"
    "    *total = all;\n"
    "    return before;\n"
    "}\n"
    "/* Where each key of this work-item goes when the tile is sorted, stably, by four bits. Each work-item counts\n"
    " * in a column of its own: words whose halves belong to nibbles n and n + 8. */\n"
    "void rank_keys(const bits *key, uint shift, local uint *counters, local uint *sums, uint *rank)\n"
    "{\n"
    "    const uint me = get_local_id(0);\n"
    "    uint sum = 0, total;\n"
    "    for (uint w = 0; w < WORDS; ++w)\n"
    "        counters[AT(w * ITEMS + me)] = 0;\n"
    "    EACH_KEY {\n"
    "        const uint nibble = (uint)(key[k] >> shift) % 16, high = nibble / WORDS * 16;\n"
    "        local uint *word = &counters[AT(nibble % WORDS * ITEMS + me)];\n"
    "        rank[k] = *word >> high & 0xffff;\n"
    "        *word += 1u << high;\n"
    "    }\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    for (uint w = 0; w < WORDS; ++w)\n"
    "        sum += counters[AT(me * WORDS + w)];\n"
    "    uint before = sum_before(sum, sums, &total);\n"
    "    before += total << 16; /* the upper half counts behind all of the lower one */\n"
    "    for (uint w = 0; w < WORDS; ++w) {\n"
    "        const uint word = counters[AT(me * WORDS + w)];\n"
    "        counters[AT(me * WORDS + w)] = before;\n"
    "        before += word;\n"
    "    }\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    EACH_KEY {\n"
    "        const uint nibble = (uint)(key[k] >> shift) % 16;\n"
    "        rank[k] += counters[AT(nibble % WORDS * ITEMS + me)] >> nibble / WORDS * 16 & 0xffff;\n"
    "    }\n"
    "}\n";

static const char sort_scatter[] =
    "/* Exchange items by way of local memory: each goes to its rank, and those from `first` on come back. */\n"
    "#define EXCHANGE(item, first, step)                  \\\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);                    \\\n"
    "    EACH_KEY tile[AT(rank[k])] = item[k];            \\\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);                    \\\n"
    "    EACH_KEY item[k] = tile[AT((first) + k * (step))]\n"
    "/* Sort each tile by a digit in local memory, and write its keys to where the sums of the matrix say:\n"
    " * neighbours of one digit stay neighbours. */\n"
    "kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1)))\n"
    "void scatter(global const stored *keys, global const uint *count, global const uint *matrix, uint shift,\n"
    "             global stored *sorted_keys, global const uint *values, global uint *sorted_values)\n"
    "{\n"
    "    local bits tile[AT(TILE)];\n"
    "    local uint counters[AT(WORDS * ITEMS)], sums[ITEMS + ITEMS / 16], places[DIGITS];\n"
    "    const uint me = get_local_id(0), begin = get_group_id(0) * TILE, valid = valid_of(*count);\n"
    "    bits key[EACH];\n"
    "    uint value[EACH], rank[EACH];\n"
    "    for (uint digit = me; digit < DIGITS; digit += ITEMS)\n"
    "        places[digit] = matrix[digit * get_num_groups(0) + get_group_id(0)];\n"
    "    /* What lies behind the end has the largest bits, and is last of these. */\n"
    "    EACH_KEY {\n"
    "        rank[k] = k * ITEMS + me;\n"
    "        key[k] = rank[k] < valid ? to_bits(keys[begin + rank[k]]) : ~(bits)0;\n"
    "        if (HAS_VALUES)\n"
    "            value[k] = rank[k] < valid ? values[begin + rank[k]] : 0;\n"
    "    }\n"
    "    EXCHANGE(key, me * EACH, 1);\n"
    "    if (HAS_VALUES) {\n"
    "        EXCHANGE(value, me * EACH, 1);\n"
    "    }\n"
    "    rank_keys(key, shift, counters, sums, rank);\n"
    "    EXCHANGE(key, me * EACH, 1);\n"
    "    if (HAS_VALUES) {\n"
    "        EXCHANGE(value, me * EACH, 1);\n"
    "    }\n"
    "    rank_keys(key, shift + 4, counters, sums, rank);\n"
    "    EXCHANGE(key, me, ITEMS);\n"
    "    /* A digit's first key in the tile turns its place into what its keys add to theirs in the tile. */\n"
    "    EACH_KEY {\n"
    "        const uint at = k * ITEMS + me, digit = (uint)(key[k] >> shift) % DIGITS;\n"
    "        if (at == 0 || digit != (uint)(tile[AT(at - 1)] >> shift) % DIGITS)\n"
    "            places[digit] -= at;\n"
    "    }\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    EACH_KEY {\n"
    "        const uint at = k * ITEMS + me;\n"
    "        if (at < valid)\n"
    "            sorted_keys[places[(uint)(key[k] >> shift) % DIGITS] + at] = from_bits(key[k]);\n"
    "    }\n"
    "    if (HAS_VALUES) {\n"
    "        EXCHANGE(value, me, ITEMS);\n"
    "        EACH_KEY {\n"
    "            const uint at = k * ITEMS + me;\n"
    "            if (at < valid)\n"
    "                sorted_values[places[(uint)(key[k] >> shift) % DIGITS] + at] = value[k];\n"
    "        }\n"
    "    }\n"
    "}\n";

/* A sort that is ready to run. */
typedef struct sorter {
    cl_uint bits;
    size_t items, tiles;
    cl_kernel count, scatter;
    cl_mem matrix;
    step sum;
} sorter;

typedef struct sort_options {
    clscan_type type; /* an unsigned, signed or floating-point type; 8 to 64 bits */
    int descending, has_values;
    size_t capacity; /* the most keys of a run, below 2^32 */
} sort_options;

/* The kernels of a sort, of `items` work-items that have `each` keys. */
static inline cl_kernel open_sort_kernel(const session *s, const sort_options *o, size_t items, size_t each,
                                         const char *parts, const char *more, const char *name)
{
    static const char *const words[] = {"", "uchar", "ushort", "", "uint", "", "", "", "ulong"};
    enum { LENGTH = 16384 };
    const size_t size = clscan_type_size_bytes(o->type);
    const int is_float = o->type == CLSCAN_FLOAT || o->type == CLSCAN_DOUBLE;
    const int is_signed = is_float || o->type == CLSCAN_INT8 || o->type == CLSCAN_INT16 || o->type == CLSCAN_INT32 ||
                          o->type == CLSCAN_INT64;
    char *source = allocate(LENGTH);

    /* Signed numbers are in the order of their bits once the sign is turned over; negative floating-point ones once all
     * bits are. */
    snprintf(source, LENGTH,
             "#define ITEMS %zu\n#define EACH %zu\n#define HAS_VALUES %d\n"
             "typedef %s stored;\ntypedef %s bits;\n"
             "#define POSITIVE (%s ^ %s)\n#define NEGATIVE (%s ^ %s)\n%s%s%s",
             items, each, o->has_values, words[size], size == 8 ? "ulong" : "uint", is_signed ? "SIGN" : "0",
             o->descending ? "~(bits)0" : "(bits)0",
             is_float    ? "~(bits)0"
             : is_signed ? "SIGN"
                         : "0",
             o->descending ? "~(bits)0" : "(bits)0", sort_common, parts, more);
    const cl_kernel kernel = open_kernel(s, source, name);
    free(source);
    return kernel;
}

static inline sorter open_sorter(const session *s, const sort_options *o)
{
    enum { DIGITS = 256 };
    const size_t size = clscan_type_size_bytes(o->type);
    cl_device_type kind;

    if (o->capacity > UINT32_MAX)
        refuse("a sort", "serves less than 2^32 keys");
    must_cl(clGetDeviceInfo(s->device, CL_DEVICE_TYPE, sizeof kind, &kind, NULL), "clGetDeviceInfo");
    /* CPUs go through the keys of a work-item one after another: few of these, with many keys. */
    const size_t items = kind & CL_DEVICE_TYPE_CPU ? 16 : 256, each = (size == 8 ? 2048 : 4096) / items,
                 tiles = o->capacity / (items * each) + 1;
    const clscan_problem places = {sizeof places, .type = CLSCAN_UINT32, .form = CLSCAN_EXCLUSIVE,
                                   .max_count = DIGITS * tiles};
    return (sorter){(cl_uint)size * 8,
                    items,
                    tiles,
                    open_sort_kernel(s, o, items, each, sort_count, "", "count_digits"),
                    open_sort_kernel(s, o, items, each, sort_ranks, sort_scatter, "scatter"),
                    open_buffer(s->context, DIGITS * tiles * sizeof(cl_uint), NULL),
                    open_step(s, &places)};
}

/* Enqueue a kernel of a sort; the buffers are its arguments, and behind the first three stands `shift`. */
static inline void run_sort_kernel(const session *s, const sorter *at, cl_kernel kernel, cl_uint shift,
                                   cl_uint buffer_count, const cl_mem *buffers)
{
    const size_t size = at->tiles * at->items;

    for (cl_uint i = 0; i < buffer_count; ++i)
        must_cl(clSetKernelArg(kernel, i < 3 ? i : i + 1, sizeof buffers[i], &buffers[i]), "clSetKernelArg");
    must_cl(clSetKernelArg(kernel, 3, sizeof shift, &shift), "clSetKernelArg");
    must_cl(clEnqueueNDRangeKernel(s->queue, kernel, 1, NULL, &size, &at->items, 0, NULL, NULL),
            "clEnqueueNDRangeKernel");
}

/* Enqueue a sort of keys[0], of which there are as many as `count` says on the device, and of values[0] with them. Both
 * go to and fro between two buffers, and are sorted in the first of them when the run has ended: the entries change
 * places for that. A sort without values has NULLs for them. */
static inline void run_sorter(const session *s, const sorter *at, cl_mem count, cl_mem *keys, cl_mem *values)
{
    const clscan_run_args places = {sizeof places, .in.buffer = at->matrix, .out.buffer = at->matrix,
                                    .count = 256 * at->tiles};

    for (cl_uint shift = 0; shift < at->bits; shift += 8) {
        const cl_mem from_keys = keys[0], from_values = values[0];

        run_sort_kernel(s, at, at->count, shift, 3, (cl_mem[]){from_keys, count, at->matrix});
        run_step(s, &at->sum, &places);
        run_sort_kernel(s, at, at->scatter, shift, 6,
                        (cl_mem[]){from_keys, count, at->matrix, keys[1], from_values, values[1]});
        keys[0] = keys[1];
        keys[1] = from_keys;
        values[0] = values[1];
        values[1] = from_values;
    }
}

/* What is enqueued goes on. */
static inline void close_sorter(const sorter *done)
{
    close_step(&done->sum);
    clReleaseKernel(done->count);
    clReleaseKernel(done->scatter);
    clReleaseMemObject(done->matrix);
}

#endif
