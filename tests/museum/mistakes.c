#include "mistakes.h"

#include <math.h>
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
    uint64_t (*place_in)(const museum_scan *scan, uint64_t i);  /* of element i, from the buffer's beginning */
    uint64_t (*place_out)(const museum_scan *scan, uint64_t i); /* of output i */
    sum (*begin)(const museum_scan *scan);
    sum (*join)(const museum_scan *scan, sum earlier, sum later);
    sum (*tile_total)(const museum_scan *scan, uint64_t first, uint64_t end);
    void (*publish)(museum_scan *scan, uint64_t tile, sum total);
    void (*scan_tile)(const museum_scan *scan, sum prefix, uint64_t first, uint64_t end);
    sum (*advance)(const museum_scan *scan, sum prefix, sum total, uint64_t end); /* prefix of the next tile */
    void (*finish)(museum_scan *scan, sum prefix);
} steps;

/* Of the scan that is being done: steps call each other. */
static steps step;

static unsigned char *at(const museum_scan *scan, unsigned char *buffer, uint64_t place)
{
    return buffer + place * clscan_type_size_bytes(scan->what.type);
}

static sum read_element(const museum_scan *scan, uint64_t i)
{
    return (sum){clscan_value_load(scan->what.type, at(scan, scan->in, step.place_in(scan, i))), 1};
}

static sum read_output(const museum_scan *scan, uint64_t i)
{
    return (sum){clscan_value_load(scan->what.type, at(scan, scan->out, step.place_out(scan, i))), 1};
}

static clscan_value value_of(const museum_scan *scan, sum of)
{
    if (!of.present)
        clscan_reference_identity(&scan->what, &of.value);
    return of.value;
}

static void write_output(const museum_scan *scan, uint64_t i, sum output)
{
    clscan_value_store(scan->what.type, value_of(scan, output), at(scan, scan->out, step.place_out(scan, i)));
}

static int is_exclusive(const museum_scan *scan)
{
    return scan->what.form == CLSCAN_EXCLUSIVE;
}

/* The right steps. */

static uint64_t forward_or_back(const museum_scan *scan, uint64_t i)
{
    return scan->what.direction == CLSCAN_REVERSE ? scan->count - 1 - i : i;
}

static uint64_t place_in(const museum_scan *scan, uint64_t i)
{
    return scan->in_offset + forward_or_back(scan, i);
}

static uint64_t place_out(const museum_scan *scan, uint64_t i)
{
    return scan->out_offset + forward_or_back(scan, i);
}

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

static void publish(museum_scan *scan, uint64_t tile, sum total)
{
    scan->tile_totals[tile] = total.value;
}

static void scan_tile(const museum_scan *scan, sum prefix, uint64_t first, uint64_t end)
{
    for (uint64_t i = first; i < end; ++i) {
        const sum before = prefix;
        prefix = step.join(scan, prefix, read_element(scan, i));
        write_output(scan, i, is_exclusive(scan) ? before : prefix);
    }
}

static sum advance(const museum_scan *scan, sum prefix, sum total, uint64_t end)
{
    (void)end;
    return step.join(scan, prefix, total);
}

static void finish(museum_scan *scan, sum prefix)
{
    scan->total = value_of(scan, prefix);
}

/* Mistakes about the initial value, and about where a scan begins. */

static sum zero_or_initial(const museum_scan *scan)
{
    return scan->initial != NULL ? (sum){*scan->initial, 1} : (sum){.present = 1};
}

static sum signed_limit(const museum_scan *scan)
{
    return (sum){clscan_value_from_int(scan->what.type, INT32_MAX), 1};
}

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

static sum tile_total_from_zero(const museum_scan *scan, uint64_t first, uint64_t end)
{
    return join(scan, (sum){.present = 1}, tile_total(scan, first, end));
}

/* Mistakes about what is combined with what, and in which order. */

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
        write_output(scan, i, join(scan, is_exclusive(scan) ? before : local, prefix));
    }
}

static sum advance_by_sum(const museum_scan *scan, sum prefix, sum total, uint64_t end)
{
    museum_scan adding = *scan;
    adding.what.op = CLSCAN_ADD;
    return advance(&adding, prefix, total, end);
}

static sum advance_to_total(const museum_scan *scan, sum prefix, sum total, uint64_t end)
{
    (void)scan;
    (void)prefix;
    (void)end;
    return total;
}

static void scan_tile_one_early(const museum_scan *scan, sum prefix, uint64_t first, uint64_t end)
{
    const sum total = tile_total(scan, first, end);
    scan_tile(scan, prefix, first, end);
    write_output(scan, end - 1, join(scan, total, read_output(scan, end - 1)));
}

static void scan_tile_by_halves(const museum_scan *scan, sum prefix, uint64_t first, uint64_t end)
{
    const uint64_t middle = first + scan->tile / 2;
    if (middle >= end) {
        scan_tile(scan, prefix, first, end);
        return;
    }
    scan_tile(scan, prefix, first, middle);
    scan_tile(scan, prefix, middle, end);
}

static void copy_tile(const museum_scan *scan, sum prefix, uint64_t first, uint64_t end)
{
    (void)prefix;
    for (uint64_t i = first; i < end; ++i)
        write_output(scan, i, read_element(scan, i));
}

/* Steps of distance 1, 2, 4, ... over one array, each from the front: what a step reads it has just written. */
static void scan_tile_in_one_buffer(const museum_scan *scan, sum prefix, uint64_t first, uint64_t end)
{
    copy_tile(scan, prefix, first, end);
    for (uint64_t distance = 1; distance < end - first; distance *= 2)
        for (uint64_t i = first + distance; i < end; ++i)
            write_output(scan, i, join(scan, read_output(scan, i - distance), read_output(scan, i)));
    for (uint64_t i = first; i < end; ++i)
        write_output(scan, i, join(scan, prefix, read_output(scan, i)));
}

static void scan_tile_shifted(const museum_scan *scan, sum prefix, uint64_t first, uint64_t end)
{
    sum last[2] = {prefix, prefix};
    for (uint64_t i = first; i < end; ++i) {
        write_output(scan, i, last[0]);
        last[0] = last[1];
        last[1] = join(scan, last[1], read_element(scan, i));
    }
}

static void scan_tile_with_first(const museum_scan *scan, sum prefix, uint64_t first, uint64_t end)
{
    const sum x = read_element(scan, first);
    scan_tile(scan, prefix, first, end);
    if (first == 0)
        write_output(scan, 0, join(scan, prefix, x));
}

/* Mistakes about ends. */

static sum tile_total_short(const museum_scan *scan, uint64_t first, uint64_t end)
{
    return tile_total(scan, first, end - 1);
}

static void scan_whole_tile(const museum_scan *scan, sum prefix, uint64_t first, uint64_t end)
{
    if (end - first == scan->tile)
        scan_tile(scan, prefix, first, end);
}

static sum tile_total_of_a_whole_tile(const museum_scan *scan, uint64_t first, uint64_t end)
{
    (void)end;
    return tile_total(scan, first, first + scan->tile);
}

static sum tile_total_if_whole(const museum_scan *scan, uint64_t first, uint64_t end)
{
    return end - first == scan->tile ? tile_total(scan, first, end) : (sum){.present = 0};
}

static void scan_two_or_more(const museum_scan *scan, sum prefix, uint64_t first, uint64_t end)
{
    if (scan->count > 1)
        scan_tile(scan, prefix, first, end);
}

static void finish_and_write(museum_scan *scan, sum prefix)
{
    finish(scan, prefix);
    if (scan->count == 0)
        clscan_value_store(scan->what.type, value_of(scan, prefix), at(scan, scan->out, scan->out_offset));
}

static void finish_if_any(museum_scan *scan, sum prefix)
{
    if (scan->count > 0)
        finish(scan, prefix);
}

static void finish_without_total(museum_scan *scan, sum prefix)
{
    (void)scan;
    (void)prefix;
}

static void finish_without_initial(museum_scan *scan, sum prefix)
{
    (void)prefix;
    finish(scan, tile_total(scan, 0, scan->count));
}

/* Mistakes about memory. */

static sum advance_late(const museum_scan *scan, sum prefix, sum total, uint64_t end)
{
    (void)prefix;
    (void)total;
    return join(scan, read_output(scan, end - 1), read_element(scan, end - 1));
}

static void scan_tile_over_itself(const museum_scan *scan, sum prefix, uint64_t first, uint64_t end)
{
    sum running = join(scan, prefix, read_element(scan, first));
    for (uint64_t i = first + 1; i < end; ++i) {
        write_output(scan, i, running);
        running = join(scan, running, read_element(scan, i));
    }
    write_output(scan, first, prefix);
}

static void finish_late(museum_scan *scan, sum prefix)
{
    finish(scan, scan->count > 0 ? advance_late(scan, prefix, prefix, scan->count) : prefix);
}

static void scan_tile_over_input(const museum_scan *scan, sum prefix, uint64_t first, uint64_t end)
{
    scan_tile(scan, prefix, first, end);
    clscan_value_store(scan->what.type, value_of(scan, prefix), at(scan, scan->in, place_in(scan, first)));
}

static uint64_t place_without_offset(const museum_scan *scan, uint64_t i)
{
    return forward_or_back(scan, i);
}

static uint64_t place_wrapped(const museum_scan *scan, uint64_t i)
{
    return scan->in_offset + (i & ((UINT64_C(1) << scan->index_bits) - 1));
}

static void publish_late(museum_scan *scan, uint64_t tile, sum total)
{
    (void)scan;
    (void)tile;
    (void)total;
}

/* Mistakes about direction. */

static uint64_t place_in_forward(const museum_scan *scan, uint64_t i)
{
    return scan->in_offset + i;
}

static uint64_t place_out_forward(const museum_scan *scan, uint64_t i)
{
    return scan->out_offset + i;
}

/* Of float elements. */
static void scan_tile_by_subtraction(const museum_scan *scan, sum prefix, uint64_t first, uint64_t end)
{
    const float all = tile_total(scan, 0, scan->count).value.float32;
    (void)prefix;
    for (uint64_t i = first; i < end; ++i) {
        sum output = {.present = 1};
        output.value.float32 = all;
        if (i + 1 < scan->count)
            output.value.float32 -= tile_total(scan, i + 1, scan->count).value.float32;
        write_output(scan, i, output);
    }
}

/* Mistakes about numbers. */

static sum join_dropping_nan(const museum_scan *scan, sum earlier, sum later)
{
    if (earlier.present && isnan(earlier.value.float32))
        earlier.present = 0;
    if (earlier.present && later.present && isnan(later.value.float32))
        later.present = 0;
    return join(scan, earlier, later);
}

static sum join_as_int(const museum_scan *scan, sum earlier, sum later)
{
    sum joined = join(scan, earlier, later);
    if (joined.present && scan->what.type == CLSCAN_FLOAT)
        joined.value.float32 = truncf(joined.value.float32);
    else if (joined.present)
        joined.value = clscan_value_from_int(scan->what.type, (int32_t)joined.value.int64);
    return joined;
}

static sum tile_total_as_unsigned(const museum_scan *scan, uint64_t first, uint64_t end)
{
    sum total = tile_total(scan, first, end);
    total.value = clscan_value_from_int(scan->what.type, (uint32_t)total.value.int64);
    return total;
}

static sum join_rounded(const museum_scan *scan, sum earlier, sum later)
{
    unsigned char element[sizeof(clscan_value)];
    sum joined = join(scan, earlier, later);
    if (joined.present) {
        clscan_value_store(scan->what.type, joined.value, element);
        joined.value = clscan_value_load(scan->what.type, element);
    }
    return joined;
}

/* Of uint8 and float elements. */
static sum join_saturated(const museum_scan *scan, sum earlier, sum later)
{
    sum joined = join(scan, earlier, later);
    if (scan->what.type == CLSCAN_FLOAT && isinf(joined.value.float32))
        joined.value.float32 = 3.402823466e38f;
    if (scan->what.type == CLSCAN_UINT8 && joined.value.uint8 < earlier.value.uint8)
        joined.value.uint8 = UINT8_MAX;
    return joined;
}

/* clang-format off */
static const steps ways[MUSEUM_MISTAKE_COUNT] = {
    [MISTAKE_initial_in_every_tile]    = {.advance = advance_with_initial},
    [MISTAKE_initial_written_first]    = {.scan_tile = scan_tile_after_writing},
    [MISTAKE_begins_with_zero]         = {.begin = zero_or_initial},
    [MISTAKE_begins_with_signed_limit] = {.begin = signed_limit},
    [MISTAKE_tile_begins_with_zero]    = {.tile_total = tile_total_from_zero},
    [MISTAKE_operands_swapped]         = {.join = join_swapped},
    [MISTAKE_prefix_swapped]           = {.scan_tile = scan_tile_swapped},
    [MISTAKE_prefix_added]             = {.advance = advance_by_sum},
    [MISTAKE_prefix_forgotten]         = {.advance = advance_to_total},
    [MISTAKE_prefix_one_early]         = {.scan_tile = scan_tile_one_early},
    [MISTAKE_half_tile_forgotten]      = {.scan_tile = scan_tile_by_halves},
    [MISTAKE_nothing_combined]         = {.scan_tile = copy_tile},
    [MISTAKE_tile_end_dropped]         = {.tile_total = tile_total_short},
    [MISTAKE_tail_not_scanned]         = {.scan_tile = scan_whole_tile},
    [MISTAKE_tail_reads_on]            = {.tile_total = tile_total_of_a_whole_tile},
    [MISTAKE_tail_total_dropped]       = {.tile_total = tile_total_if_whole},
    [MISTAKE_one_element_forgotten]    = {.scan_tile = scan_two_or_more},
    [MISTAKE_one_buffer]               = {.scan_tile = scan_tile_in_one_buffer},
    [MISTAKE_output_shifted_twice]     = {.scan_tile = scan_tile_shifted},
    [MISTAKE_neighbour_read_late]      = {.advance = advance_late},
    [MISTAKE_last_read_late]           = {.finish = finish_late},
    [MISTAKE_shifted_over_itself]      = {.scan_tile = scan_tile_over_itself},
    [MISTAKE_input_overwritten]        = {.scan_tile = scan_tile_over_input},
    [MISTAKE_offset_ignored]           = {.place_in = place_without_offset},
    [MISTAKE_total_without_initial]    = {.finish = finish_without_initial},
    [MISTAKE_total_not_written]        = {.finish = finish_without_total},
    [MISTAKE_empty_writes]             = {.finish = finish_and_write},
    [MISTAKE_empty_writes_no_total]    = {.finish = finish_if_any},
    [MISTAKE_direction_ignored]        = {.place_in = place_in_forward, .place_out = place_out_forward},
    [MISTAKE_output_not_reversed]      = {.place_out = place_out_forward},
    [MISTAKE_by_subtraction]           = {.scan_tile = scan_tile_by_subtraction},
    [MISTAKE_first_not_excluded]       = {.scan_tile = scan_tile_with_first},
    [MISTAKE_nan_dropped]              = {.join = join_dropping_nan},
    [MISTAKE_summed_as_int]            = {.join = join_as_int},
    [MISTAKE_totals_as_unsigned]       = {.tile_total = tile_total_as_unsigned},
    [MISTAKE_rounded_each_time]        = {.join = join_rounded},
    [MISTAKE_saturated]                = {.join = join_saturated},
    [MISTAKE_index_wraps]              = {.place_in = place_wrapped, .place_out = place_wrapped},
    [MISTAKE_stale_totals]             = {.publish = publish_late},
};
/* clang-format on */

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
    int has_total[MUSEUM_TILES_MAX];
    sum prefix;

    if (tiles > MUSEUM_TILES_MAX) {
        fprintf(stderr, "%llu tiles are too many\n", (unsigned long long)tiles);
        abort();
    }
    step = ways[mistake];
#define OR_RIGHT(name)     \
    if (step.name == NULL) \
    step.name = name
    OR_RIGHT(place_in);
    OR_RIGHT(place_out);
    OR_RIGHT(begin);
    OR_RIGHT(join);
    OR_RIGHT(tile_total);
    OR_RIGHT(publish);
    OR_RIGHT(scan_tile);
    OR_RIGHT(advance);
    OR_RIGHT(finish);
#undef OR_RIGHT
#define END(t) ((t) + 1 < tiles ? ((t) + 1) * scan->tile : scan->count)
    for (uint64_t t = 0; t < tiles; ++t) {
        const sum total = step.tile_total(scan, t * scan->tile, END(t));
        has_total[t] = total.present;
        step.publish(scan, t, total);
    }
    prefix = step.begin(scan);
    for (uint64_t t = 0; t < tiles; ++t) {
        step.scan_tile(scan, prefix, t * scan->tile, END(t));
        prefix = step.advance(scan, prefix, (sum){scan->tile_totals[t], has_total[t]}, END(t));
    }
#undef END
    step.finish(scan, prefix);
}
