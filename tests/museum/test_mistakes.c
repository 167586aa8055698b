/* Each exhibit's input shows its mistake: what is shown to be wrong here would be seen on a device. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmocka_all.h"
#include "exhibits.h"

/* Elements before and behind those of a scan that hold what is no element. */
enum { MARGIN = 512, POISON = 0xb7 };

static const uint64_t tiles[] = {16, 60, 256};

/* An exhibit's buffers. The output is the input in place. */
typedef struct rig {
    uint64_t count;
    size_t bytes; /* of each buffer */
    unsigned char *in, *out, *expected;
    clscan_value initial, expected_total;
    museum_scan scan;
} rig;

static unsigned char *poisoned(size_t bytes)
{
    unsigned char *buffer = malloc(bytes);
    assert_non_null(buffer);
    memset(buffer, POISON, bytes);
    return buffer;
}

static void set_up(rig *r, const museum_exhibit *exhibit, uint64_t tile)
{
    const size_t size = clscan_type_size_bytes(exhibit->type);
    const clscan_reference what = museum_reference(exhibit);

    *r = (rig){.count = museum_count(exhibit, tile), .initial = museum_initial(exhibit)};
    r->bytes = (size_t)(r->count + 2 * MARGIN) * size;
    r->in = poisoned(r->bytes);
    r->out = exhibit->in_place ? r->in : poisoned(r->bytes);
    r->expected = poisoned(r->bytes);
    museum_fill(exhibit, r->count, r->in + exhibit->in_offset * size);
    r->scan = (museum_scan){
        .what = what,
        .in = r->in,
        .out = r->out,
        .in_offset = exhibit->in_offset,
        .out_offset = exhibit->out_offset,
        .count = r->count,
        .tile = tile,
        .initial = exhibit->initial != CLSCAN_CASE_NO_INITIAL ? &r->initial : NULL,
    };
    assert_int_equal(clscan_reference_scan(&what, r->in + exhibit->in_offset * size, r->count, r->scan.initial,
                                           r->expected + exhibit->out_offset * size, &r->expected_total),
                     CLSCAN_OK);
}

static void tear_down(rig *r)
{
    if (r->out != r->in)
        free(r->out);
    free(r->in);
    free(r->expected);
}

/* Do a scan with that mistake; is anything of it not as it must be? */
static int is_caught(const museum_exhibit *exhibit, museum_mistake mistake, uint64_t tile)
{
    const size_t size = clscan_type_size_bytes(exhibit->type);
    const clscan_type accumulator = clscan_type_accumulator(exhibit->type);
    unsigned char *before;
    int caught = 0;
    rig r;

    set_up(&r, exhibit, tile);
    before = poisoned(r.bytes);
    memcpy(before, r.in, r.bytes);
    museum_scan_with(mistake, &r.scan);
    for (size_t i = 0; i < r.bytes; i += size)
        caught |= !clscan_reference_same(exhibit->type, exhibit->op, r.expected + i, r.out + i);
    if (!exhibit->in_place)
        caught |= memcmp(before, r.in, r.bytes) != 0;
    caught |= !clscan_reference_same(accumulator, exhibit->op, &r.expected_total, &r.scan.total);
    free(before);
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
                print_error("%s (%s) in tiles of %llu: a scan that is wrong looks right\n", museum_exhibits[i].name,
                            museum_exhibits[i].origin, (unsigned long long)tiles[t]);
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
                print_error("%s in tiles of %llu\n", museum_exhibits[i].name, (unsigned long long)tiles[t]);
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

static void every_exhibit_has_a_name_and_an_origin(void **state)
{
    (void)state;
    for (size_t i = 0; i < museum_exhibit_count; ++i) {
        const char *number = strchr(museum_exhibits[i].origin, '#');
        assert_non_null(strchr(museum_exhibits[i].origin, '/'));
        assert_non_null(number);
        assert_true(strtoul(number + 1, NULL, 10) > 0);
        for (size_t k = 0; k < i; ++k)
            assert_string_not_equal(museum_exhibits[i].name, museum_exhibits[k].name);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_exhibit_has_a_name_and_an_origin),
        cmocka_unit_test(every_mistake_has_an_exhibit),
        cmocka_unit_test(a_scan_without_a_mistake_is_right),
        cmocka_unit_test(every_mistake_is_caught_by_its_exhibit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
