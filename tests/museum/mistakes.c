#include "mistakes.h"

#include <stdio.h>
#include <stdlib.h>

/* Nothing yet, or a combination of neighbours. */
typedef struct sum {
    clscan_value value;
    int present;
} sum;

/* The steps of a scan in tiles. Elements are numbered in the order of the scan: 0 is the last one in memory if it is
 * reversed. A mistake replaces a step or two; NULL: the step is right. */
typedef struct steps {
    sum (*begin)(const museum_scan *scan);
    sum (*join)(const museum_scan *scan, sum earlier, sum later);
    sum (*tile_total)(const museum_scan *scan, uint64_t first, uint64_t end);
    void (*scan_tile)(const museum_scan *scan, sum prefix, uint64_t first, uint64_t end);
    sum (*advance)(const museum_scan *scan, sum prefix, sum total, uint64_t end); /* prefix of the next tile */
    sum (*total)(const museum_scan *scan, sum prefix);
} steps;

/* Of the scan that is being done: steps call each other. */
static steps step;

static unsigned char *place(const museum_scan *scan, unsigned char *buffer, uint64_t offset, uint64_t i)
{
    const uint64_t index = scan->what.direction == CLSCAN_REVERSE ? scan->count - 1 - i : i;
    return buffer + (offset + index) * clscan_type_size_bytes(scan->what.type);
}

static sum read_element(const museum_scan *scan, uint64_t i)
{
    return (sum){clscan_value_load(scan->what.type, place(scan, scan->in, scan->in_offset, i)), 1};
}

static sum read_output(const museum_scan *scan, uint64_t i)
{
    return (sum){clscan_value_load(scan->what.type, place(scan, scan->out, scan->out_offset, i)), 1};
}

static clscan_value value_of(const museum_scan *scan, sum of)
{
    if (!of.present)
        clscan_reference_identity(&scan->what, &of.value);
    return of.value;
}

static void write_output(const museum_scan *scan, uint64_t i, sum output)
{
    clscan_value_store(scan->what.type, value_of(scan, output), place(scan, scan->out, scan->out_offset, i));
}

/* The right steps. */

static sum begin(const museum_scan *scan)
{
    return scan->initial != NULL ? (sum){*scan->initial, 1} : (sum){.present = 0};
}

static sum join(const museum_scan *scan, sum earlier, sum later)
{
    clscan_reference_combine *const combine = clscan_reference_operator(&scan->what);
    const int reverse = scan->what.direction == CLSCAN_REVERSE;

    if (!earlier.present || !later.present)
        return earlier.present ? earlier : later;
    return (sum){reverse ? combine(later.value, earlier.value) : combine(earlier.value, later.value), 1};
}

static sum tile_total(const museum_scan *scan, uint64_t first, uint64_t end)
{
    sum total = {.present = 0};
    for (uint64_t i = first; i < end; ++i)
        total = step.join(scan, total, read_element(scan, i));
    return total;
}

static void scan_tile(const museum_scan *scan, sum prefix, uint64_t first, uint64_t end)
{
    for (uint64_t i = first; i < end; ++i) {
        const sum before = prefix;
        prefix = step.join(scan, prefix, read_element(scan, i));
        write_output(scan, i, scan->what.form == CLSCAN_EXCLUSIVE ? before : prefix);
    }
}

static sum advance(const museum_scan *scan, sum prefix, sum total, uint64_t end)
{
    (void)end;
    return step.join(scan, prefix, total);
}

static sum total(const museum_scan *scan, sum prefix)
{
    (void)scan;
    return prefix;
}

/* The mistakes. */

static sum advance_with_initial(const museum_scan *scan, sum prefix, sum total, uint64_t end)
{
    return step.join(scan, advance(scan, prefix, total, end), step.begin(scan));
}

static void scan_tile_after_writing(const museum_scan *scan, sum prefix, uint64_t first, uint64_t end)
{
    if (first == 0)
        write_output(scan, 0, prefix);
    scan_tile(scan, prefix, first, end);
}

static sum total_without_initial(const museum_scan *scan, sum prefix)
{
    (void)prefix;
    return step.tile_total(scan, 0, scan->count);
}

static sum join_swapped(const museum_scan *scan, sum earlier, sum later)
{
    return join(scan, later, earlier);
}

static void scan_tile_swapped(const museum_scan *scan, sum prefix, uint64_t first, uint64_t end)
{
    sum local = {.present = 0};
    for (uint64_t i = first; i < end; ++i) {
        const sum before = local;
        local = join(scan, local, read_element(scan, i));
        write_output(scan, i, join(scan, scan->what.form == CLSCAN_EXCLUSIVE ? before : local, prefix));
    }
}

static void scan_tile_one_early(const museum_scan *scan, sum prefix, uint64_t first, uint64_t end)
{
    const sum total = tile_total(scan, first, end);
    scan_tile(scan, prefix, first, end);
    write_output(scan, end - 1, join(scan, total, read_output(scan, end - 1)));
}

static sum tile_total_short(const museum_scan *scan, uint64_t first, uint64_t end)
{
    return tile_total(scan, first, end - 1);
}

static sum advance_late(const museum_scan *scan, sum prefix, sum total, uint64_t end)
{
    (void)prefix;
    (void)total;
    return join(scan, read_output(scan, end - 1), read_element(scan, end - 1));
}

static const steps ways[MUSEUM_MISTAKE_COUNT] = {
    [MISTAKE_initial_in_every_tile] = {.advance = advance_with_initial},
    [MISTAKE_initial_written_first] = {.scan_tile = scan_tile_after_writing},
    [MISTAKE_total_without_initial] = {.total = total_without_initial},
    [MISTAKE_operands_swapped] = {.join = join_swapped},
    [MISTAKE_prefix_swapped] = {.scan_tile = scan_tile_swapped},
    [MISTAKE_prefix_one_early] = {.scan_tile = scan_tile_one_early},
    [MISTAKE_tile_end_dropped] = {.tile_total = tile_total_short},
    [MISTAKE_neighbour_read_late] = {.advance = advance_late},
};

const char *museum_mistake_meaning(museum_mistake mistake)
{
    static const char *const meanings[] = {
#define X(name, meaning) meaning,
        MUSEUM_MISTAKE_LIST(X)
#undef X
    };
    return meanings[mistake];
}

void museum_scan_with(museum_mistake mistake, museum_scan *scan)
{
    const uint64_t tiles = (scan->count + scan->tile - 1) / scan->tile;
    sum *const totals = calloc((size_t)tiles + 1, sizeof *totals);
    sum prefix;

    if (totals == NULL) {
        fprintf(stderr, "host memory ran out\n");
        abort();
    }
    step = ways[mistake];
#define OR_RIGHT(name)     \
    if (step.name == NULL) \
    step.name = name
    OR_RIGHT(begin);
    OR_RIGHT(join);
    OR_RIGHT(tile_total);
    OR_RIGHT(scan_tile);
    OR_RIGHT(advance);
    OR_RIGHT(total);
#undef OR_RIGHT
#define END(t) ((t) + 1 < tiles ? ((t) + 1) * scan->tile : scan->count)
    for (uint64_t t = 0; t < tiles; ++t)
        totals[t] = step.tile_total(scan, t * scan->tile, END(t));
    prefix = step.begin(scan);
    for (uint64_t t = 0; t < tiles; ++t) {
        step.scan_tile(scan, prefix, t * scan->tile, END(t));
        prefix = step.advance(scan, prefix, totals[t], END(t));
    }
#undef END
    scan->total = value_of(scan, step.total(scan, prefix));
    free(totals);
}
