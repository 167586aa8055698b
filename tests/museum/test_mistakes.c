/* Each exhibit's input shows its mistake: what is shown to be wrong here would be seen on a device. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmocka_all.h"
#include "exhibits.h"

/* Elements behind those of a scan that hold what is no element. Bits of an index, so that one that is too short wraps
 * around here too. */
enum { MARGIN = 512, POISON = 0xb7, INDEX_BITS = 8, MORE_MAX = 300 };

static const uint64_t tiles[] = {16, 60, 256};

/* An exhibit's buffers. The output is the input in place. */
typedef struct rig {
    const museum_exhibit *exhibit;
    uint64_t count;
    size_t bytes; /* of each buffer */
    unsigned char *in, *out, *in_before, *expected;
    clscan_value initial;
    museum_scan scan;
} rig;

static museum_exhibit of_small_counts(const museum_exhibit *exhibit)
{
    static const double numbers[] = {1, 2, 3};
    museum_exhibit small = *exhibit;
    if (small.bits > 0)
        small.bits = INDEX_BITS;
    if (small.more > MORE_MAX)
        small.more = MORE_MAX;
    if (small.pattern_count == 0) {
        small.pattern = numbers;
        small.pattern_count = sizeof numbers / sizeof numbers[0];
    }
    return small;
}

static unsigned char *allocate(size_t bytes)
{
    unsigned char *buffer = malloc(bytes);
    assert_non_null(buffer);
    return buffer;
}

static void set_up(rig *r, const museum_exhibit *exhibit, uint64_t tile)
{
    *r = (rig){.exhibit = exhibit, .count = museum_count(exhibit, tile), .initial = museum_initial(exhibit)};
    r->bytes = (size_t)(exhibit->in_offset + r->count + MARGIN) * clscan_type_size_bytes(exhibit->problem->type);
    r->in = allocate(r->bytes);
    r->in_before = allocate(r->bytes);
    r->out = exhibit->in_place ? r->in : allocate(r->bytes);
    r->expected = allocate(r->bytes);
    r->scan = (museum_scan){
        .what = museum_reference(exhibit->problem),
        .in = r->in,
        .out = r->out,
        .in_offset = exhibit->in_offset,
        .count = r->count,
        .tile = tile,
        .index_bits = INDEX_BITS,
        .initial = exhibit->initial != CLSCAN_CASE_NO_INITIAL ? &r->initial : NULL,
    };
}

static void tear_down(rig *r)
{
    if (r->out != r->in)
        free(r->out);
    free(r->in);
    free(r->in_before);
    free(r->expected);
}

/* Scan with that mistake; is anything of it not as it must be? */
static int differs(rig *r, museum_mistake mistake, unsigned run)
{
    const clscan_type type = r->exhibit->problem->type;
    const clscan_operator op = r->exhibit->problem->op;
    const size_t size = clscan_type_size_bytes(type);
    unsigned char *const first = r->in + r->exhibit->in_offset * size;
    clscan_value expected_total;
    int caught = 0;

    memset(r->in, POISON, r->bytes);
    memset(r->out, POISON, r->bytes);
    memset(r->expected, POISON, r->bytes);
    memset(&r->scan.total, POISON, sizeof r->scan.total);
    museum_fill(r->exhibit, run, r->count, first);
    memcpy(r->in_before, r->in, r->bytes);
    assert_int_equal(
        clscan_reference_scan(&r->scan.what, first, r->count, r->scan.initial, r->expected, &expected_total),
        CLSCAN_OK);
    museum_scan_with(mistake, &r->scan);
    for (size_t i = 0; i < r->bytes; i += size)
        caught |= !clscan_reference_same(type, op, r->expected + i, r->out + i);
    if (r->in != r->out)
        caught |= memcmp(r->in_before, r->in, r->bytes) != 0;
    return caught | !clscan_reference_same(clscan_type_accumulator(type), op, &expected_total, &r->scan.total);
}

static int is_caught(const museum_exhibit *exhibit, museum_mistake mistake, uint64_t tile)
{
    const museum_exhibit small = of_small_counts(exhibit);
    int caught = 0;
    rig r;

    set_up(&r, &small, tile);
    for (unsigned run = 0; run < museum_runs(&small); ++run)
        caught |= differs(&r, mistake, run);
    tear_down(&r);
    return caught;
}

static void every_mistake_is_caught_by_its_exhibit(void **state)
{
    unsigned missed = 0;

    (void)state;
    for (size_t i = 0; i < museum_exhibit_count; ++i)
        for (size_t t = 0; t < sizeof tiles / sizeof tiles[0]; ++t)
            if (!is_caught(&museum_exhibits[i], museum_exhibits[i].mistake, tiles[t])) {
                print_error("%s: in tiles of %llu it looks right that %s\n", museum_exhibits[i].origin,
                            (unsigned long long)tiles[t], museum_mistake_meaning(museum_exhibits[i].mistake));
                ++missed;
            }
    assert_int_equal(missed, 0);
}

/* So it is the mistake that is caught. */
static void a_scan_without_a_mistake_is_right(void **state)
{
    unsigned wrong = 0;

    (void)state;
    for (size_t i = 0; i < museum_exhibit_count; ++i)
        for (size_t t = 0; t < sizeof tiles / sizeof tiles[0]; ++t)
            if (is_caught(&museum_exhibits[i], MISTAKE_none, tiles[t])) {
                print_error("%s in tiles of %llu\n", museum_exhibits[i].origin, (unsigned long long)tiles[t]);
                ++wrong;
            }
    assert_int_equal(wrong, 0);
}

static void every_mistake_has_an_exhibit(void **state)
{
    int shown[MUSEUM_MISTAKE_COUNT] = {[MISTAKE_none] = 1};

    (void)state;
    for (size_t i = 0; i < museum_exhibit_count; ++i)
        shown[museum_exhibits[i].mistake] = 1;
    for (int mistake = 0; mistake < MUSEUM_MISTAKE_COUNT; ++mistake) {
        if (!shown[mistake])
            print_error("nothing shows this: %s\n", museum_mistake_meaning((museum_mistake)mistake));
        assert_true(shown[mistake]);
    }
}

static void every_exhibit_has_an_origin_of_its_own(void **state)
{
    (void)state;
    for (size_t i = 0; i < museum_exhibit_count; ++i) {
        const char *number = strchr(museum_exhibits[i].origin, '#');
        assert_non_null(strchr(museum_exhibits[i].origin, '/'));
        assert_non_null(number);
        assert_true(strtoul(number + 1, NULL, 10) > 0);
        for (size_t k = 0; k < i; ++k)
            assert_string_not_equal(museum_exhibits[i].origin, museum_exhibits[k].origin);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_exhibit_has_an_origin_of_its_own),
        cmocka_unit_test(every_mistake_has_an_exhibit),
        cmocka_unit_test(a_scan_without_a_mistake_is_right),
        cmocka_unit_test(every_mistake_is_caught_by_its_exhibit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
