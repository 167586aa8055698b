/* The named predicates: each is broken by a row that breaks nothing else before it. */
#include <stdbool.h>
#include <string.h>

#include <clscan/variant.h>

#include "cmocka_all.h"
#include "parsed_variant.h"
#include "problem_of.h"

/* A device that can run everything, and devices that lack one thing. */
enum {
    NO_DEVICE,
    ABLE,
    SMALL_GROUPS,
    SMALL_LOCAL,
    NO_MECHANISM,
    NO_PROGRESS,
    C11,
    ATOMIC64,
    ATOMIC32,
    WARPS,
    OLD_WARPS,
    NO_ROWS,
    CPU
};

static const clscan_device_info *device_of(int kind, clscan_device_info *device)
{
    *device = (clscan_device_info){
        .struct_size = sizeof(clscan_device_info),
        .max_work_group_size = kind == SMALL_GROUPS ? 256 : 1024,
        .local_memory_bytes = kind == SMALL_LOCAL ? 32768 : 65536,
        .mechanism = CLSCAN_MECHANISM_PTX,
        .progress = kind == NO_PROGRESS ? CLSCAN_PROGRESS_UNKNOWN : CLSCAN_PROGRESS_OCCUPANCY,
    };
    if (kind == CPU)
        device->device_class = CLSCAN_DEVICE_CLASS_CPU;
    if (kind == NO_ROWS)
        strcpy(device->rows_reason, "a bug");
    if (kind == NO_MECHANISM)
        device->mechanism = CLSCAN_MECHANISM_NONE;
    if (kind == C11)
        device->mechanism = CLSCAN_MECHANISM_C11;
    if (kind == ATOMIC64)
        device->mechanism = CLSCAN_MECHANISM_ATOMIC64;
    if (kind == ATOMIC32)
        device->mechanism = CLSCAN_MECHANISM_ATOMIC32;
    if (kind == WARPS || kind == OLD_WARPS) {
        device->sub_group_size = 32;
        device->nv_compute_capability = kind == WARPS ? 80 : 70;
    }
    return kind == NO_DEVICE ? NULL : device;
}

typedef struct check_case {
    const char *variant;
    clscan_type type;
    int in_place;
    int device;
    const char *predicate; /* broken; NULL: legal */
    const char *reason;
} check_case;

/* The number of the predicate of that name; NONE if there is none. */
static clscan_predicate predicate_named(const char *name)
{
#define X(id, number, device_limit, meaning) \
    if (strcmp(name, #id) == 0)              \
        return CLSCAN_PREDICATE_##id;
    CLSCAN_PREDICATE_LIST(X)
#undef X
    return CLSCAN_PREDICATE_NONE;
}

static void expect(const check_case *row, clscan_status refusal)
{
    const clscan_status wanted = row->predicate == NULL ? CLSCAN_OK : refusal;
    const clscan_variant variant = parsed_variant(row->variant);
    clscan_device_info device = {.struct_size = sizeof device};
    clscan_error error = {0};
    clscan_status got;

    got = clscan_variant_check(&variant, PROBLEM_OF(row->type, CLSCAN_ADD), row->in_place,
                               device_of(row->device, &device), &error);
    if (got != wanted || (row->predicate != NULL && (strstr(error.message, row->predicate) != error.message ||
                                                     error.predicate != predicate_named(row->predicate))))
        fail_msg("%s (%s): %s \"%s\", expected %s", row->variant, row->reason, clscan_status_name(got), error.message,
                 row->predicate != NULL ? row->predicate : "legal");
}

#define STRIDED(carry, ws, vl, r, l)                                                                           \
    "strided+brent_kung+" carry " work_group_size=" #ws " vector_length=" #vl " register_pieces=" #r " local_" \
    "pieces=" #l
#define COALESCED(carry, ws, vl, r, l, gs)                                                              \
    "coalesced+kogge_stone+" carry " work_group_size=" #ws " vector_length=" #vl " register_pieces=" #r \
    " local_pieces=" #l " thread_group_size=" #gs
#define MATRIX(carry, ws, vl, r, l, gs)                                                              \
    "matrix+kogge_stone+" carry " work_group_size=" #ws " vector_length=" #vl " register_pieces=" #r \
    " local_pieces=" #l " thread_group_size=" #gs

#define SUBGROUP(body, carry, ws, vl, r, l) \
    body "+subgroup+" carry " work_group_size=" #ws " vector_length=" #vl " register_pieces=" #r " local_pieces=" #l
#define ROWS(carry, ws, vl, r, l) SUBGROUP("subgroup_rows", carry, ws, vl, r, l)
#define AHEAD "lookahead+persistent work_groups_per_unit=2 poll_delay=0"
#define CACHED(carry, ws, vl, pieces, rows)                                                                 \
    "cached_rows+brent_kung+" carry " work_group_size=" #ws " vector_length=" #vl " cached_pieces=" #pieces \
    " interleaved_rows=" #rows " streaming_stores=0"

#define STREAMED(vl)                                                                        \
    "cached_rows+brent_kung+single work_group_size=1 vector_length=" #vl " cached_pieces=8" \
    " interleaved_rows=2 streaming_stores=1"

static void rules_that_hold_everywhere(void **state)
{
    (void)state;
    static const check_case cases[] = {
        {STRIDED("single", 1, 1, 1, 0), CLSCAN_INT8, 1, NO_DEVICE, NULL, "the smallest"},
        {STRIDED("single", 1, 16, 0, 8192), CLSCAN_INT8, 0, NO_DEVICE, NULL, "no registers"},
        {COALESCED("single", 1024, 16, 5, 1, 64), CLSCAN_INT32, 0, NO_DEVICE, NULL, "large"},
        {MATRIX("adjacent+static tiles_per_work_group=1 poll_delay=0", 8, 8, 0, 1, 8), CLSCAN_DOUBLE, 1, NO_DEVICE,
         NULL, "static in place"},
        {STRIDED("adjacent+dynamic tiles_per_work_group=1 poll_delay=0", 64, 1, 1, 0), CLSCAN_HALF, 0, NO_DEVICE, NULL,
         "half"},

        {STRIDED("single", 0, 1, 1, 0), CLSCAN_INT32, 0, NO_DEVICE, "param_range", "below"},
        {STRIDED("single", 2048, 1, 1, 0), CLSCAN_INT32, 0, NO_DEVICE, "param_range", "above"},
        {STRIDED("single", 1, 32, 1, 0), CLSCAN_INT32, 0, NO_DEVICE, "param_range", "no such vector"},
        {STRIDED("single", 1, 1, 257, 0), CLSCAN_INT32, 0, NO_DEVICE, "param_range", "above"},
        {STRIDED("single", 1, 1, 0, 4294967295), CLSCAN_INT32, 0, NO_DEVICE, "param_range", "far above"},
        {COALESCED("single", 64, 1, 0, 1, 4), CLSCAN_INT32, 0, NO_DEVICE, "param_range", "below"},
        {STRIDED("reduce_then_scan", 1, 1, 1, 0) " work_groups_per_unit=0", CLSCAN_INT32, 0, NO_DEVICE, "param_range",
         "no work-groups"},

        {STRIDED("single", 1, 1, 1, 0) " thread_group_size=8", CLSCAN_INT32, 0, NO_DEVICE, "param_unused",
         "no matrix to group"},
        {STRIDED("single", 1, 1, 1, 0) " work_groups_per_unit=1", CLSCAN_INT32, 0, NO_DEVICE, "param_unused",
         "one work-group"},
        {STRIDED("single", 1, 1, 1, 0) " tiles_per_work_group=1", CLSCAN_INT32, 0, NO_DEVICE, "param_unused",
         "all tiles are its"},
        {STRIDED("adjacent+dynamic tiles_per_work_group=1 poll_delay=0", 1, 1, 1, 0) " work_groups_per_unit=1",
         CLSCAN_INT32, 0, NO_DEVICE, "param_unused", "one work-group per tile"},
        {STRIDED("adjacent+persistent tiles_per_work_group=1 poll_delay=0", 1, 1, 1, 0) " work_groups_per_unit=1",
         CLSCAN_INT32, 1, NO_DEVICE, NULL, "as many as wanted"},
        {STRIDED("adjacent+persistent tiles_per_work_group=2 poll_delay=0", 1, 1, 1, 0) " work_groups_per_unit=65",
         CLSCAN_INT32, 0, NO_DEVICE, "param_range", "too many"},

        {ROWS("adjacent+cyclic tiles_per_work_group=1 poll_delay=0", 64, 4, 2, 0) " work_groups_per_unit=1",
         CLSCAN_INT32, 1, NO_DEVICE, NULL, "LightScan"},
        {ROWS("adjacent+cyclic tiles_per_work_group=1 poll_delay=0", 64, 4, 2, 0) " work_groups_per_unit=0",
         CLSCAN_INT32, 0, NO_DEVICE, "param_range", "nobody to register"},

        {STRIDED("lookback+dynamic poll_delay=0", 64, 4, 2, 0), CLSCAN_INT32, 1, NO_DEVICE, NULL, "look-back in place"},
        {CACHED("lookback+cyclic poll_delay=0 work_groups_per_unit=1", 1, 16, 512, 4), CLSCAN_DOUBLE, 0, NO_DEVICE,
         NULL, "any body, any order"},
        {STRIDED("lookback+static tiles_per_work_group=1 poll_delay=0", 64, 4, 2, 0), CLSCAN_INT32, 0, NO_DEVICE,
         "param_unused", "a tile at a time"},
        {STRIDED("lookback+none poll_delay=0", 64, 4, 2, 0), CLSCAN_INT32, 0, NO_DEVICE, "carry_order", "none"},

        {STRIDED("single", 3, 1, 1, 0), CLSCAN_INT32, 0, NO_DEVICE, "network_size", "work-group"},
        {ROWS("single", 96, 4, 1, 0), CLSCAN_INT32, 0, NO_DEVICE, NULL, "three sub-groups of 32, perhaps"},
        {SUBGROUP("coalesced", "single", 96, 4, 1, 1) " thread_group_size=8", CLSCAN_INT32, 0, NO_DEVICE,
         "network_size", "transposes"},
        {SUBGROUP("strided", "single", 96, 4, 1, 1), CLSCAN_INT32, 0, NO_DEVICE, NULL, "only the group scan counts"},

        {ROWS(AHEAD, 64, 4, 2, 0) " landing_zones=0", CLSCAN_INT32, 1, NO_DEVICE, NULL, "lookahead in place"},
        {ROWS(AHEAD, 64, 4, 2, 0) " landing_zones=1", CLSCAN_INT32, 0, NO_DEVICE, NULL, "vectors of 16 bytes"},
        {ROWS(AHEAD, 64, 8, 2, 0) " landing_zones=1", CLSCAN_HALF, 0, NO_DEVICE, NULL, "as stored"},
        {ROWS(AHEAD, 64, 4, 2, 0) " landing_zones=1", CLSCAN_INT64, 0, NO_DEVICE, "landing_vector", "32 bytes"},
        {ROWS(AHEAD, 64, 2, 2, 0) " landing_zones=1", CLSCAN_INT32, 0, NO_DEVICE, "landing_vector", "8 bytes"},
        {ROWS(AHEAD, 64, 4, 2, 0) " landing_zones=2", CLSCAN_INT32, 0, NO_DEVICE, "param_range", "one is on its way"},
        {ROWS("adjacent+persistent work_groups_per_unit=1 poll_delay=0 tiles_per_work_group=1", 64, 4, 2,
              0) " landing_zones=1",
         CLSCAN_INT32, 0, NO_DEVICE, "param_unused", "no next tile"},
        {ROWS("all_totals+dynamic poll_delay=0", 64, 4, 2, 0), CLSCAN_INT32, 0, NO_DEVICE, NULL, "one tile each"},
        {ROWS("all_totals+dynamic poll_delay=0", 64, 4, 2, 0) " landing_zones=1", CLSCAN_INT32, 0, NO_DEVICE,
         "param_unused", "no next tile"},
        {STRIDED("all_totals+static poll_delay=0", 64, 4, 2, 0), CLSCAN_INT32, 0, NO_DEVICE, NULL, "one tile each"},
        {ROWS("lookahead+cyclic work_groups_per_unit=2 poll_delay=0", 64, 4, 2, 0) " landing_zones=0", CLSCAN_INT32, 0,
         NO_DEVICE, "totals_order", "no tickets to draw ahead"},
        {ROWS("lookahead+dynamic poll_delay=0", 64, 4, 2, 0) " landing_zones=0", CLSCAN_INT32, 0, NO_DEVICE,
         "totals_order", "no tile ahead"},
        {STRIDED("all_totals+persistent work_groups_per_unit=2 poll_delay=0", 64, 4, 2, 0), CLSCAN_INT32, 0, NO_DEVICE,
         "totals_order", "a tile for each work-group"},
        {ROWS("lookahead+none poll_delay=0", 64, 4, 2, 0) " landing_zones=0", CLSCAN_INT32, 0, NO_DEVICE, "carry_order",
         "none"},
        {STRIDED(AHEAD, 64, 4, 2, 0), CLSCAN_INT32, 0, NO_DEVICE, "lookahead_body", "one tile at a time"},
        {ROWS("single", 64, 4, 2, 1), CLSCAN_INT32, 0, NO_DEVICE, "rows_in_registers", "local pieces"},
        {"subgroup_rows+brent_kung+single work_group_size=64 vector_length=4 register_pieces=2 local_pieces=0",
         CLSCAN_INT32, 0, NO_DEVICE, "rows_in_registers", "another group scan"},
        {ROWS("single", 64, 4, 0, 0), CLSCAN_INT32, 0, NO_DEVICE, "tile_holds_elements", "no rows"},
        {STRIDED("single", 1, 3, 1, 0), CLSCAN_INT32, 0, NO_DEVICE, "power_of_two", "vector"},
        {COALESCED("single", 64, 1, 0, 1, 24), CLSCAN_INT32, 0, NO_DEVICE, "power_of_two", "thread group"},
        {STRIDED("adjacent+dynamic tiles_per_work_group=3 poll_delay=0", 1, 1, 1, 0), CLSCAN_INT32, 0, NO_DEVICE,
         "power_of_two", "tiles"},

        {STRIDED("single+dynamic", 1, 1, 1, 0), CLSCAN_INT32, 0, NO_DEVICE, "carry_order", "too many"},
        {STRIDED("reduce_then_scan+persistent work_groups_per_unit=1", 1, 1, 1, 0), CLSCAN_INT32, 0, NO_DEVICE,
         "carry_order", "bounded, but not by an order"},
        {STRIDED("scan_then_add+cyclic work_groups_per_unit=1", 1, 1, 1, 0), CLSCAN_INT32, 0, NO_DEVICE, "carry_order",
         "bounded, but not by an order"},
        {STRIDED("adjacent+none tiles_per_work_group=1 poll_delay=0", 1, 1, 1, 0), CLSCAN_INT32, 0, NO_DEVICE,
         "carry_order", "none"},

        {CACHED("single", 1, 16, 512, 4), CLSCAN_INT32, 1, NO_DEVICE, NULL, "a tile in the cache"},
        {CACHED("single", 1, 1, 1, 1), CLSCAN_HALF, 0, NO_DEVICE, NULL, "the smallest"},
        {CACHED("single", 1, 16, 8192, 8), CLSCAN_DOUBLE, 0, NO_DEVICE, NULL, "the largest"},
        {CACHED("single", 2, 16, 512, 4), CLSCAN_INT32, 0, NO_DEVICE, "cached_work_group", "two work-items"},
        {CACHED("single", 1, 16, 0, 4), CLSCAN_INT32, 0, NO_DEVICE, "param_range", "empty rows"},
        {CACHED("single", 1, 16, 512, 16), CLSCAN_INT32, 0, NO_DEVICE, "param_range", "too many rows"},
        {CACHED("single", 1, 16, 512, 3), CLSCAN_INT32, 0, NO_DEVICE, "power_of_two", "rows"},
        {CACHED("single", 1, 16, 768, 4), CLSCAN_INT32, 0, NO_DEVICE, "power_of_two", "pieces"},
        {CACHED("single", 1, 16, 512, 4) " local_pieces=1", CLSCAN_INT32, 0, NO_DEVICE, "param_unused",
         "nothing in local memory"},
        {STRIDED("single", 1, 1, 1, 0) " interleaved_rows=1", CLSCAN_INT32, 0, NO_DEVICE, "param_unused",
         "nothing in a cache"},
        {STRIDED("single", 1, 1, 1, 0) " streaming_stores=1", CLSCAN_INT32, 0, NO_DEVICE, "param_unused",
         "no streaming stores"},
        {STREAMED(16), CLSCAN_INT32, 0, NO_DEVICE, NULL, "streaming stores"},
        {STREAMED(4), CLSCAN_INT8, 1, NO_DEVICE, NULL, "short vectors, in place"},
        {STREAMED(2), CLSCAN_INT32, 0, NO_DEVICE, "streaming_vector", "no lanes"},
        {STRIDED("single", 1, 1, 0, 0), CLSCAN_INT32, 0, NO_DEVICE, "tile_holds_elements", "empty"},
        {COALESCED("single", 64, 1, 0, 0, 8), CLSCAN_INT32, 0, NO_DEVICE, "tile_holds_elements", "empty"},
        {COALESCED("single", 64, 1, 4, 0, 8), CLSCAN_INT32, 0, NO_DEVICE, "transmit_buffer", "3D"},
        {MATRIX("single", 64, 1, 4, 0, 8), CLSCAN_INT32, 0, NO_DEVICE, "transmit_buffer", "2D"},
        {COALESCED("single", 8, 1, 0, 1, 16), CLSCAN_INT32, 0, NO_DEVICE, "thread_group_fits", "too few"},
        {COALESCED("single", 8, 1, 0, 1, 8), CLSCAN_INT32, 0, NO_DEVICE, NULL, "one thread group"},
        {COALESCED("single", 64, 16, 0, 1, 8), CLSCAN_INT32, 0, NO_DEVICE, "vector_fits_row", "too long"},
        {COALESCED("single", 64, 16, 0, 1, 16), CLSCAN_INT32, 0, NO_DEVICE, NULL, "a load per row"},

        {STRIDED("single", 1024, 16, 0, 1024), CLSCAN_INT8, 0, NO_DEVICE, NULL, "2^24 elements"},
        {STRIDED("single", 1024, 16, 0, 1025), CLSCAN_INT8, 0, NO_DEVICE, "tile_limit", "above 2^24"},
        {STRIDED("single", 1, 16, 64, 0), CLSCAN_INT32, 0, NO_DEVICE, NULL, "4096 bytes of registers"},
        {STRIDED("single", 1, 16, 65, 0), CLSCAN_INT32, 0, NO_DEVICE, "register_limit", "one more"},
        {STRIDED("single", 1, 16, 64, 0), CLSCAN_INT64, 0, NO_DEVICE, "register_limit", "wider type"},
        {COALESCED("single", 64, 1, 17, 1, 64), CLSCAN_INT32, 0, NO_DEVICE, "register_limit", "rows"},

        {STRIDED("scan_then_add", 1, 1, 1, 0) " work_groups_per_unit=4", CLSCAN_HALF, 0, NO_DEVICE,
         "half_keeps_precision", "rounds twice"},
        {STRIDED("scan_then_add", 1, 1, 1, 0) " work_groups_per_unit=4", CLSCAN_INT16, 0, NO_DEVICE, NULL,
         "same size, exact"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i)
        expect(&cases[i], CLSCAN_ERROR_ILLEGAL_VARIANT);
}

/* Programs learn which parameter is to blame without reading messages. */
static void errors_say_which_parameter(void **state)
{
    (void)state;
    const struct {
        const char *variant;
        clscan_predicate predicate;
        uint32_t param;
    } cases[] = {
        {STRIDED("single", 3, 1, 1, 0), CLSCAN_PREDICATE_network_size, 1 + CLSCAN_PARAM_work_group_size},
        {ROWS("single", 64, 4, 2, 1), CLSCAN_PREDICATE_rows_in_registers, 1 + CLSCAN_PARAM_local_pieces},
        {STREAMED(2), CLSCAN_PREDICATE_streaming_vector, 1 + CLSCAN_PARAM_streaming_stores},
        {STRIDED("single+dynamic", 1, 1, 1, 0), CLSCAN_PREDICATE_carry_order, 0},
        {STRIDED("single", 1024, 16, 0, 1025), CLSCAN_PREDICATE_tile_limit, 0},
        {STRIDED("single", 1, 1, 1, 0), CLSCAN_PREDICATE_NONE, 0},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        const clscan_variant variant = parsed_variant(cases[i].variant);
        clscan_error error = {0};

        clscan_variant_check(&variant, PROBLEM_OF(CLSCAN_INT8, CLSCAN_ADD), 0, NULL, &error);
        assert_int_equal(error.predicate, cases[i].predicate);
        assert_int_equal(error.param, cases[i].param);
    }
}

static void limits_of_devices(void **state)
{
    (void)state;
    static const char chain[] = STRIDED("adjacent+dynamic tiles_per_work_group=1 poll_delay=0", 64, 1, 1, 0);
    static const char chain_static[] = STRIDED("adjacent+static tiles_per_work_group=1 poll_delay=0", 64, 1, 1, 0);
    static const char persistent[] =
        STRIDED("adjacent+persistent tiles_per_work_group=1 poll_delay=0 work_groups_per_unit=2", 64, 1, 1, 0);
    static const char cyclic[] =
        STRIDED("adjacent+cyclic tiles_per_work_group=1 poll_delay=0 work_groups_per_unit=2", 64, 1, 1, 0);
    static const char back[] = STRIDED("lookback+dynamic poll_delay=0", 64, 1, 1, 0);
    static const char bounded[] = STRIDED("reduce_then_scan", 64, 1, 1, 0) " work_groups_per_unit=4";
    const check_case cases[] = {
        {STRIDED("single", 256, 1, 1, 0), CLSCAN_INT32, 0, SMALL_GROUPS, NULL, "just fits"},
        {STRIDED("single", 512, 1, 1, 0), CLSCAN_INT32, 0, SMALL_GROUPS, "work_group_limit", "twice"},
        {STRIDED("single", 512, 1, 1, 0), CLSCAN_INT32, 0, NO_DEVICE, NULL, "some device can"},
        {STRIDED("single", 512, 1, 1, 0), CLSCAN_INT32, 0, CPU, NULL, "fits on a stack"},
        {STRIDED("single", 1024, 1, 1, 0), CLSCAN_INT32, 0, CPU, "work_group_limit", "too much for a stack"},
        {STRIDED("single", 512, 16, 2, 0), CLSCAN_INT32, 0, CPU, NULL, "64 KiB"},
        {STRIDED("single", 512, 16, 3, 0), CLSCAN_INT32, 0, CPU, "work_group_limit", "96 KiB"},
        {STRIDED("single", 1024, 1, 1, 0), CLSCAN_INT32, 0, ABLE, NULL, "a GPU has registers"},

        /* 1 * L * 16 * 1 bytes, 1 of scratch and 64 against 32768 */
        {STRIDED("single", 1, 16, 0, 2031), CLSCAN_INT8, 0, SMALL_LOCAL, NULL, "just fits"},
        {STRIDED("single", 1, 16, 0, 2032), CLSCAN_INT8, 0, SMALL_LOCAL, "local_memory_limit", "too much"},
        {COALESCED("single", 512, 1, 5, 1, 16), CLSCAN_INT32, 0, SMALL_LOCAL, "local_memory_limit", "39168"},
        {COALESCED("single", 512, 1, 5, 1, 16), CLSCAN_INT32, 0, ABLE, NULL, "38976 of 65536"},

        {chain, CLSCAN_INT32, 0, NO_MECHANISM, "adjacent_mechanism", "cannot talk"},
        {ROWS("single", 64, 4, 2, 0), CLSCAN_INT32, 0, NO_ROWS, "rows_compile", "the compiler fails"},
        {SUBGROUP("strided", "single", 64, 4, 2, 0), CLSCAN_INT32, 0, NO_ROWS, NULL, "other bodies compile"},
        {chain, CLSCAN_INT32, 0, NO_PROGRESS, "adjacent_progress", "may wait forever"},
        {chain_static, CLSCAN_INT32, 0, NO_PROGRESS, "adjacent_progress", "may wait forever"},
        {persistent, CLSCAN_INT32, 0, NO_MECHANISM, "adjacent_mechanism", "cannot talk"},
        {persistent, CLSCAN_INT32, 0, NO_PROGRESS, "adjacent_progress", "may wait forever"},
        {persistent, CLSCAN_INT32, 1, ATOMIC64, "adjacent_in_place", "no fence"},
        {persistent, CLSCAN_INT32, 1, C11, NULL, "fence"},
        {cyclic, CLSCAN_INT32, 0, NO_MECHANISM, "adjacent_mechanism", "cannot talk"},
        {cyclic, CLSCAN_INT32, 0, NO_PROGRESS, "adjacent_progress", "may wait forever"},
        {cyclic, CLSCAN_INT32, 1, ATOMIC32, "adjacent_in_place", "no fence"},
        {cyclic, CLSCAN_INT32, 1, C11, NULL, "fence"},
        {back, CLSCAN_INT32, 0, NO_MECHANISM, "adjacent_mechanism", "cannot talk"},
        {back, CLSCAN_INT32, 0, NO_PROGRESS, "adjacent_progress", "may wait forever"},
        {back, CLSCAN_INT32, 1, ATOMIC64, "adjacent_in_place", "no fence"},
        {back, CLSCAN_INT32, 1, C11, NULL, "fence"},
        {bounded, CLSCAN_INT32, 1, NO_MECHANISM, NULL, "does not talk"},
        {bounded, CLSCAN_INT32, 1, NO_PROGRESS, NULL, "does not wait"},

        {chain, CLSCAN_INT32, 0, ATOMIC64, NULL, "input stays"},
        {chain, CLSCAN_INT32, 0, ATOMIC32, NULL, "input stays"},
        {chain, CLSCAN_INT32, 1, ATOMIC64, "adjacent_in_place", "no fence"},
        {chain, CLSCAN_INT32, 1, ATOMIC32, "adjacent_in_place", "no fence"},
        {chain, CLSCAN_INT32, 1, C11, NULL, "fence"},
        {chain, CLSCAN_INT32, 1, ABLE, NULL, "fence"},
        {chain_static, CLSCAN_INT32, 1, ABLE, NULL, "the order does not matter"},
        {bounded, CLSCAN_INT32, 1, ATOMIC32, NULL, "nothing is recomputed"},

        {ROWS("single", 96, 4, 2, 0), CLSCAN_INT32, 0, WARPS, NULL, "three sub-groups"},
        {ROWS("single", 48, 4, 2, 0), CLSCAN_INT32, 0, WARPS, "sub_groups", "one and a half"},
        {ROWS("single", 16, 4, 2, 0), CLSCAN_INT32, 0, WARPS, "sub_groups", "less than one"},
        {ROWS("single", 16, 4, 2, 0), CLSCAN_INT32, 0, ABLE, NULL, "sub-groups as they are wanted"},
        {ROWS("single", 6, 4, 2, 0), CLSCAN_INT32, 0, ABLE, "sub_groups", "not in fours"},
        {ROWS(AHEAD, 384, 4, 7, 0) " landing_zones=1", CLSCAN_INT32, 0, WARPS, NULL, "copies while it computes"},
        {ROWS(AHEAD, 384, 4, 7, 0) " landing_zones=1", CLSCAN_INT32, 0, OLD_WARPS, "landing_copies", "before 8.0"},
        {ROWS(AHEAD, 384, 4, 7, 0) " landing_zones=1", CLSCAN_INT32, 0, ABLE, "landing_copies", "no such device"},
        {ROWS(AHEAD, 384, 4, 7, 0) " landing_zones=0", CLSCAN_INT32, 0, OLD_WARPS, NULL, "only shuffles"},
        {ROWS(AHEAD, 512, 4, 8, 0) " landing_zones=1", CLSCAN_INT32, 0, WARPS, "local_memory_limit", "65536 and more"},
        /* 2 * 1024 accumulators besides what sub-groups take */
        {ROWS(AHEAD, 1024, 1, 1, 0) " landing_zones=0", CLSCAN_INT64, 0, SMALL_LOCAL, NULL, "17152 of 32768"},
        {ROWS(AHEAD, 64, 4, 2, 0) " landing_zones=0", CLSCAN_INT32, 0, NO_MECHANISM, "adjacent_mechanism",
         "cannot talk"},
        {ROWS(AHEAD, 64, 4, 2, 0) " landing_zones=0", CLSCAN_INT32, 0, NO_PROGRESS, "adjacent_progress",
         "may wait forever"},
        {ROWS(AHEAD, 64, 4, 2, 0) " landing_zones=0", CLSCAN_INT32, 1, ATOMIC64, "adjacent_in_place", "no fence"},
        {ROWS(AHEAD, 64, 4, 2, 0) " landing_zones=0", CLSCAN_INT32, 1, C11, NULL, "fence"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i)
        expect(&cases[i], CLSCAN_ERROR_DEVICE_LIMIT);
}

/* What no text can say. */
static void values_outside_their_enums(void **state)
{
    (void)state;
    clscan_variant variant = {.work_group_size = 1, .vector_length = 1, .register_pieces = 1};
    uint32_t *const axes[] = {&variant.body, &variant.group_scan, &variant.carry, &variant.order};
    clscan_error error;

    assert_int_equal(clscan_variant_check(&variant, PROBLEM_OF(CLSCAN_INT32, CLSCAN_ADD), 0, NULL, NULL), CLSCAN_OK);
    for (size_t i = 0; i < sizeof axes / sizeof axes[0]; ++i) {
        *axes[i] = 64;
        assert_int_equal(clscan_variant_check(&variant, PROBLEM_OF(CLSCAN_INT32, CLSCAN_ADD), 0, NULL, &error),
                         CLSCAN_ERROR_ILLEGAL_VARIANT);
        assert_non_null(strstr(error.message, "axis_value"));
        *axes[i] = UINT32_MAX;
        assert_int_equal(clscan_variant_check(&variant, PROBLEM_OF(CLSCAN_INT32, CLSCAN_ADD), 0, NULL, NULL),
                         CLSCAN_ERROR_ILLEGAL_VARIANT);
        *axes[i] = 0;
    }
    assert_int_equal(clscan_variant_check(&variant, PROBLEM_OF(CLSCAN_TYPE_COUNT, CLSCAN_ADD), 0, NULL, NULL),
                     CLSCAN_ERROR_INVALID_VALUE);
    assert_int_equal(clscan_variant_check(&variant, PROBLEM_OF((clscan_type)-1, CLSCAN_ADD), 0, NULL, NULL),
                     CLSCAN_ERROR_INVALID_VALUE);
    assert_int_equal(clscan_variant_check(NULL, PROBLEM_OF(CLSCAN_INT32, CLSCAN_ADD), 0, NULL, NULL),
                     CLSCAN_ERROR_NULL_ARGUMENT);
}

/* Places that a sub-group gathers have 16 bits; scans gather none. */
static void parts_that_are_gathered_are_small(void **state)
{
    (void)state;
    static const clscan_select by_flags = {.struct_size = sizeof by_flags, .flag_bytes = 1};
    static const clscan_map every = {.struct_size = sizeof every, .expression = "1"};
    static const clscan_map index = {.struct_size = sizeof index, .expression = "(uint)index"};
    static const clscan_element number = {.struct_size = sizeof number, .type = CLSCAN_UINT32};
    const clscan_problem scan = {.struct_size = sizeof scan, .type = CLSCAN_UINT8};
    const clscan_problem indices = {.struct_size = sizeof indices,
                                    .operation = CLSCAN_SELECT,
                                    .type = CLSCAN_UINT8,
                                    .load = &every,
                                    .store = &index,
                                    .output = &number,
                                    .select = &by_flags};
    clscan_device_info room;
    const clscan_device_info *device = device_of(WARPS, &room);
    const clscan_variant most = parsed_variant(ROWS("single", 32, 16, 127, 0)),
                         more = parsed_variant(ROWS("single", 32, 16, 128, 0));
    clscan_error error;

    assert_int_equal(clscan_variant_check(&most, &indices, 0, device, &error), CLSCAN_OK);
    assert_int_equal(clscan_variant_check(&more, &scan, 0, device, &error), CLSCAN_OK);
    assert_int_equal(clscan_variant_check(&more, &indices, 0, device, &error), CLSCAN_ERROR_DEVICE_LIMIT);
    assert_int_equal(error.predicate, CLSCAN_PREDICATE_gathered_places);
    assert_int_equal(error.param, 1 + CLSCAN_PARAM_register_pieces);
}

/* Carries of scans and of reductions serve nothing else, and one of these asks for a fence. */
static void carries_of_reductions(void **state)
{
    (void)state;
    static const struct {
        clscan_operation operation;
        clscan_carry carry;
        int reproducible, device;
        const char *predicate;
    } cases[] = {
        {CLSCAN_REDUCE, CLSCAN_CARRY_REDUCE_THEN_COMBINE, 0, NO_DEVICE, NULL},
        {CLSCAN_REDUCE, CLSCAN_CARRY_REDUCE_THEN_COMBINE, 0, NO_MECHANISM, NULL},
        {CLSCAN_REDUCE, CLSCAN_CARRY_LAST_COMBINES, 0, NO_DEVICE, NULL},
        {CLSCAN_REDUCE, CLSCAN_CARRY_LAST_COMBINES, 0, NO_PROGRESS, NULL},
        {CLSCAN_REDUCE, CLSCAN_CARRY_LAST_COMBINES, 0, C11, NULL},
        {CLSCAN_REDUCE, CLSCAN_CARRY_LAST_COMBINES, 0, ATOMIC64, "last_combines_fence"},
        {CLSCAN_REDUCE, CLSCAN_CARRY_LAST_COMBINES, 0, NO_MECHANISM, "last_combines_fence"},
        {CLSCAN_REDUCE, CLSCAN_CARRY_REDUCE_THEN_SCAN, 0, NO_DEVICE, "operation_carry"},
        {CLSCAN_REDUCE, CLSCAN_CARRY_SINGLE, 0, NO_DEVICE, "operation_carry"},
        {CLSCAN_SCAN, CLSCAN_CARRY_REDUCE_THEN_COMBINE, 0, NO_DEVICE, "operation_carry"},
        {CLSCAN_SCAN, CLSCAN_CARRY_LAST_COMBINES, 0, NO_DEVICE, "operation_carry"},
        {CLSCAN_REDUCE, CLSCAN_CARRY_REDUCE_THEN_COMBINE, 1, NO_DEVICE, NULL},
        {CLSCAN_REDUCE, CLSCAN_CARRY_LAST_COMBINES, 1, C11, NULL},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        const bool bounded = cases[i].carry != CLSCAN_CARRY_SINGLE;
        const clscan_variant variant = {.body = CLSCAN_BODY_CACHED_ROWS,
                                        .group_scan = CLSCAN_GROUP_SCAN_BRENT_KUNG,
                                        .carry = cases[i].carry,
                                        .work_group_size = 1,
                                        .vector_length = 16,
                                        .cached_pieces = 256,
                                        .interleaved_rows = 1,
                                        .work_groups_per_unit = bounded ? 2 : 0};
        const clscan_problem problem = {.struct_size = sizeof problem,
                                        .operation = cases[i].operation,
                                        .type = CLSCAN_FLOAT,
                                        .reproducible = cases[i].reproducible};
        clscan_device_info room;
        clscan_error error = {0};
        const clscan_status status =
            clscan_variant_check(&variant, &problem, 0, device_of(cases[i].device, &room), &error);

        if ((status == CLSCAN_OK) != (cases[i].predicate == NULL) ||
            (status != CLSCAN_OK && strstr(error.message, cases[i].predicate) == NULL))
            fail_msg("case %zu: \"%s\"", i, error.message);
    }
}

/* Where work-groups leave in front of barriers, those of CPUs have one work-item. */
static void counts_on_the_device(void **state)
{
    (void)state;
    static const struct {
        const char *variant;
        uint32_t count_bytes;
        int device;
        bool legal;
    } cases[] = {
        {STRIDED("lookback+dynamic poll_delay=0", 64, 1, 1, 0), 4, CPU, false},
        {STRIDED("lookback+static poll_delay=0", 64, 1, 1, 0), 8, CPU, false},
        {STRIDED("lookback+dynamic poll_delay=0", 1, 1, 1, 0), 4, CPU, true},
        {STRIDED("lookback+dynamic poll_delay=0", 64, 1, 1, 0), 0, CPU, true},
        {STRIDED("lookback+dynamic poll_delay=0", 64, 1, 1, 0), 4, ABLE, true},
        {STRIDED("single", 64, 1, 1, 0), 4, CPU, true},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        const clscan_variant variant = parsed_variant(cases[i].variant);
        const clscan_problem problem = {
            .struct_size = sizeof problem, .type = CLSCAN_INT32, .count_bytes = cases[i].count_bytes};
        clscan_device_info room;
        clscan_error error = {0};
        const clscan_status status =
            clscan_variant_check(&variant, &problem, 0, device_of(cases[i].device, &room), &error);

        if ((status == CLSCAN_OK) != cases[i].legal ||
            (!cases[i].legal && error.predicate != predicate_named("work_group_limit")))
            fail_msg("case %zu: \"%s\"", i, error.message);
    }
}

static void messages_have_the_numbers(void **state)
{
    (void)state;
    clscan_variant variant = {.work_group_size = 96, .vector_length = 1, .register_pieces = 1};
    clscan_error error;

    clscan_variant_check(&variant, PROBLEM_OF(CLSCAN_INT32, CLSCAN_ADD), 0, NULL, &error);
    assert_non_null(strstr(error.message, "work_group_size"));
    assert_non_null(strstr(error.message, "96"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rules_that_hold_everywhere),
        cmocka_unit_test(errors_say_which_parameter),
        cmocka_unit_test(limits_of_devices),
        cmocka_unit_test(values_outside_their_enums),
        cmocka_unit_test(parts_that_are_gathered_are_small),
        cmocka_unit_test(carries_of_reductions),
        cmocka_unit_test(counts_on_the_device),
        cmocka_unit_test(messages_have_the_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
