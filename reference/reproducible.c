/* The reproducible order as docs/decisions/0013-reproducible-order.md defines it, block after block. */
#include <stdlib.h>
#include <string.h>

#include "reference.h"

enum { RUN = 4, RUNS = 32, ROWS = 8, ROW = RUN * RUNS, BLOCK = ROW * ROWS, DIGITS = 54 };

/* A value that may be missing: nothing stands before the first element. */
typedef struct maybe {
    int there;
    clscan_value value;
} maybe;

static maybe known(clscan_value value)
{
    return (maybe){1, value};
}

/* `before` comes first in the order of the scan. */
static maybe join(const clscan_reference *what, maybe before, maybe after)
{
    clscan_reference_combine *const combine = clscan_reference_operator(what);

    if (!before.there || !after.there)
        return before.there ? before : after;
    return known(what->direction == CLSCAN_REVERSE ? combine(after.value, before.value)
                                                   : combine(before.value, after.value));
}

/* One block, in the order of the scan. What is beyond its end is missing. */
typedef struct block {
    maybe elements[BLOCK];
    maybe runs[ROWS][RUNS]; /* the runs of the row up to this one */
    maybe rows[ROWS];       /* the rows up to this one */
} block;

static void sum_runs(const clscan_reference *what, block *b, int row)
{
    for (int run = 0; run < RUNS; ++run) {
        maybe sum = {0};
        for (int i = 0; i < RUN; ++i)
            sum = join(what, sum, b->elements[row * ROW + run * RUN + i]);
        b->runs[row][run] = sum;
    }
}

static void scan_runs(const clscan_reference *what, block *b, int row)
{
    for (int distance = 1; distance < RUNS; distance *= 2) {
        maybe before[RUNS];
        memcpy(before, b->runs[row], sizeof before);
        for (int run = distance; run < RUNS; ++run)
            if (before[run].there)
                b->runs[row][run] = join(what, before[run - distance], before[run]);
    }
}

static maybe last_of(const maybe *runs)
{
    int last = RUNS - 1;

    while (last > 0 && !runs[last].there)
        --last;
    return runs[last];
}

static void load_block(const clscan_reference *what, const unsigned char *in, uint64_t count, uint64_t first, block *b)
{
    const size_t size = clscan_type_size_bytes(what->type);

    memset(b, 0, sizeof *b);
    for (uint64_t i = 0; i < BLOCK && first + i < count; ++i) {
        const uint64_t step = first + i;
        const uint64_t at = what->direction == CLSCAN_REVERSE ? count - 1 - step : step;
        b->elements[i] = known(clscan_value_load(what->type, in + at * size));
    }
    for (int row = 0; row < ROWS; ++row) {
        sum_runs(what, b, row);
        scan_runs(what, b, row);
        b->rows[row] = join(what, row > 0 ? b->rows[row - 1] : (maybe){0}, last_of(b->runs[row]));
    }
}

/* What precedes element i inside its block's part of `prefix`: the rows before, the runs before in its row, and then
 * the elements of its run, one after the other. */
static maybe before_run(const clscan_reference *what, const block *b, int i, maybe prefix)
{
    const int row = i / ROW, run = i % ROW / RUN;
    const maybe rows = row > 0 ? b->rows[row - 1] : (maybe){0};
    const maybe runs = run > 0 ? b->runs[row][run - 1] : (maybe){0};

    return join(what, prefix, join(what, rows, runs));
}

static int is_nan(clscan_type type, clscan_value value)
{
    return clscan_type_accumulator(type) == CLSCAN_DOUBLE ? value.float64 != value.float64
                                                          : value.float32 != value.float32;
}

/* The one NaN that leaves a sum or product. */
static clscan_value settled(const clscan_reference *what, clscan_value value)
{
    if (what->op != CLSCAN_CUSTOM && is_nan(what->type, value))
        value.bits = clscan_type_accumulator(what->type) == CLSCAN_DOUBLE ? UINT64_C(0x7ff8000000000000) : 0x7fc00000u;
    return value;
}

static void store_block(const clscan_reference *what, const block *b, maybe prefix, maybe identity, uint64_t count,
                        uint64_t first, unsigned char *out)
{
    const size_t size = clscan_type_size_bytes(what->type);
    maybe running = {0};

    for (int i = 0; i < BLOCK && b->elements[i].there; ++i) {
        const uint64_t step = first + (uint64_t)i;
        const uint64_t at = what->direction == CLSCAN_REVERSE ? count - 1 - step : step;
        const maybe before = i % RUN == 0 ? before_run(what, b, i, prefix) : running;

        running = join(what, before, b->elements[i]);
        if (what->form == CLSCAN_EXCLUSIVE)
            clscan_value_store(what->type, before.there ? settled(what, before.value) : identity.value,
                               out + at * size);
        else
            /* The very first output is the input. */
            clscan_value_store(what->type, before.there ? settled(what, running.value) : running.value,
                               out + at * size);
    }
}

/* What precedes block `index`: the nodes of its digits, the largest first. nodes[d] is the one of digit d. */
static maybe before_block(const clscan_reference *what, const maybe *nodes, uint64_t index, maybe initial)
{
    maybe prefix = initial;

    for (int digit = DIGITS - 1; digit >= 0; --digit)
        if (index >> digit & 1)
            prefix = join(what, prefix, nodes[digit]);
    return prefix;
}

/* From the nodes of block `index` to those of the next one. */
static void add_block(const clscan_reference *what, maybe *nodes, uint64_t index, maybe total)
{
    int digit = 0;

    for (; index >> digit & 1; ++digit)
        total = join(what, nodes[digit], total);
    nodes[digit] = total;
}

clscan_status clscan_reference_scan_reproducible(const clscan_reference *what, const void *in, uint64_t count,
                                                 const clscan_value *initial, void *out, clscan_value *total)
{
    maybe nodes[DIGITS] = {{0}}, identity = {0}, start = {0}, prefix;
    block *b = malloc(sizeof *b);

    if (b == NULL)
        return CLSCAN_ERROR_OUT_OF_MEMORY;
    identity.there = clscan_reference_identity(what, &identity.value);
    if (initial != NULL)
        start = known(*initial);
    prefix = start;
    for (uint64_t index = 0; index * BLOCK < count; ++index) {
        load_block(what, in, count, index * BLOCK, b);
        store_block(what, b, prefix, identity, count, index * BLOCK, out);
        if (b->elements[BLOCK - 1].there) {
            add_block(what, nodes, index, b->rows[ROWS - 1]);
            prefix = before_block(what, nodes, index + 1, start);
        } else {
            prefix = join(what, prefix, b->rows[(count % BLOCK - 1) / ROW]);
        }
    }
    if (total != NULL)
        *total = prefix.there ? settled(what, prefix.value) : identity.value;
    free(b);
    return CLSCAN_OK;
}
