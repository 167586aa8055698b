/* From problems, variants and recorded devices to the text of programs. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arguments.h"
#include "base/embedded.h"
#include "cmocka_all.h"
#include "config/constraints.h"
#include "config/variant.h"
#include "engine/strategy.h"
#include "engine/words.h"
#include "probe/rig.h"
#include "problem_of.h"
#include "program/composition.h"
#include "program_specs.h"
#include "temporary_folder.h"

#define TEXT_BYTES 1024

static bool begins_with(const char *text, const char *beginning)
{
    return strncmp(text, beginning, strlen(beginning)) == 0;
}

/* The line after the one at `line`; NULL at the end. */
static const char *next_line(const char *line)
{
    const char *end = strchr(line, '\n');

    return end == NULL || end[1] == '\0' ? NULL : end + 1;
}

/* Names behind the #line directives of a program, with blanks between. */
static void list_files(const char *source, char *files, size_t files_bytes)
{
    static const char directive[] = "#line 1 \"";
    size_t length = 0;

    files[0] = '\0';
    for (const char *line = source; line != NULL; line = next_line(line)) {
        const char *name = line + strlen(directive);

        if (!begins_with(line, directive))
            continue;
        length += (size_t)snprintf(files + length, files_bytes - length, "%s%.*s", length > 0 ? " " : "",
                                   (int)strcspn(name, "\"\n"), name);
        assert_true(length < files_bytes);
    }
}

/* How many lines define `name`; the value of the last one. */
static size_t find_macro(const char *source, const char *name, char *value, size_t value_bytes)
{
    const size_t name_bytes = strlen(name);
    size_t found = 0;

    for (const char *line = source; line != NULL; line = next_line(line)) {
        const char *at = line + strlen("#define ");

        if (!begins_with(line, "#define ") || strncmp(at, name, name_bytes) != 0 ||
            (at[name_bytes] != ' ' && at[name_bytes] != '\n'))
            continue;
        at += name_bytes + strspn(at + name_bytes, " ");
        snprintf(value, value_bytes, "%.*s", (int)strcspn(at, "\n"), at);
        ++found;
    }
    return found;
}

/* The value of a macro that a program defines once. */
static const char *macro(const char *source, const char *name)
{
    static char value[TEXT_BYTES];
    const size_t found = find_macro(source, name, value, sizeof value);

    if (found != 1)
        fail_msg("%s is defined %u times", name, (unsigned)found);
    return value;
}

static bool has_macro(const char *source, const char *name)
{
    char value[TEXT_BYTES];

    return find_macro(source, name, value, sizeof value) > 0;
}

/* Files. */

#define NO_ORDER CLSCAN_ORDER_NONE
#define KS CLSCAN_GROUP_SCAN_KOGGE_STONE
#define BK CLSCAN_GROUP_SCAN_BRENT_KUNG
#define SG CLSCAN_GROUP_SCAN_SUBGROUP

static void programs_are_composed_of_their_choices(void **state)
{
    (void)state;
    static const struct {
        const char *device;
        clscan_body body;
        clscan_group_scan group_scan;
        clscan_carry carry;
        clscan_order order;
        const char *files, *reason;
    } cases[] = {
        {"apple-m1", CLSCAN_BODY_STRIDED, KS, CLSCAN_CARRY_REDUCE_THEN_SCAN, NO_ORDER,
         "elements/types.cl elements/operators.cl elements/cursors.cl elements/sums.cl "
         "elements/arguments.cl group_scans/kogge_stone.cl "
         "elements/lanes.cl "
         "bodies/strided.cl carries/walk.cl carries/count.cl "
         "carries/reduce_then_scan.cl carries/empty.cl",
         "no communication where there is none"},
        {"amd-gfx1100", CLSCAN_BODY_COALESCED, BK, CLSCAN_CARRY_SCAN_THEN_ADD, NO_ORDER,
         "elements/types.cl elements/operators.cl elements/cursors.cl elements/sums.cl "
         "elements/arguments.cl group_scans/brent_kung.cl "
         "elements/lanes.cl "
         "bodies/transposed.cl carries/walk.cl carries/count.cl "
         "carries/scan_then_add.cl carries/empty.cl",
         "nor where this carry needs none"},
        {"nvidia-h200", CLSCAN_BODY_MATRIX, KS, CLSCAN_CARRY_SINGLE, NO_ORDER,
         "elements/types.cl elements/operators.cl elements/cursors.cl elements/sums.cl "
         "elements/arguments.cl group_scans/kogge_stone.cl "
         "elements/lanes.cl "
         "bodies/transposed.cl carries/walk.cl carries/count.cl "
         "carries/single.cl carries/empty.cl",
         "nor inside one work-group"},
        {"nvidia-h200", CLSCAN_BODY_COALESCED, KS, CLSCAN_CARRY_ADJACENT, CLSCAN_ORDER_DYNAMIC,
         "elements/types.cl elements/operators.cl elements/cursors.cl elements/sums.cl "
         "elements/arguments.cl group_scans/kogge_stone.cl "
         "elements/lanes.cl "
         "bodies/transposed.cl carries/walk.cl carries/count.cl "
         "comm/ptx.cl comm/publish.cl orders/dynamic.cl carries/chain.cl carries/ranges.cl carries/adjacent.cl "
         "carries/chained.cl carries/empty.cl",
         "PTX of compute capability 7.0"},
        {"nvidia-gtx-1080", CLSCAN_BODY_STRIDED, BK, CLSCAN_CARRY_ADJACENT, CLSCAN_ORDER_STATIC,
         "elements/types.cl elements/operators.cl elements/cursors.cl elements/sums.cl "
         "elements/arguments.cl group_scans/brent_kung.cl "
         "elements/lanes.cl "
         "bodies/strided.cl carries/walk.cl carries/count.cl "
         "comm/atomic64.cl comm/publish.cl orders/static.cl carries/chain.cl carries/ranges.cl carries/adjacent.cl "
         "carries/chained.cl carries/empty.cl",
         "an NVIDIA GPU before it"},
        {"nvidia-tesla-k20m", CLSCAN_BODY_MATRIX, KS, CLSCAN_CARRY_ADJACENT, CLSCAN_ORDER_DYNAMIC,
         "elements/types.cl elements/operators.cl elements/cursors.cl elements/sums.cl "
         "elements/arguments.cl group_scans/kogge_stone.cl "
         "elements/lanes.cl "
         "bodies/transposed.cl carries/walk.cl carries/count.cl "
         "comm/atomic32.cl comm/publish.cl orders/dynamic.cl carries/chain.cl carries/ranges.cl carries/adjacent.cl "
         "carries/chained.cl carries/empty.cl",
         "an NVIDIA GPU whose driver lists no 64-bit atomics"},
        {"amd-gfx90a", CLSCAN_BODY_COALESCED, KS, CLSCAN_CARRY_ADJACENT, CLSCAN_ORDER_DYNAMIC,
         "elements/types.cl elements/operators.cl elements/cursors.cl elements/sums.cl "
         "elements/arguments.cl group_scans/kogge_stone.cl "
         "elements/lanes.cl "
         "bodies/transposed.cl carries/walk.cl carries/count.cl "
         "comm/c11.cl comm/publish.cl orders/dynamic.cl carries/chain.cl carries/ranges.cl carries/adjacent.cl "
         "carries/chained.cl carries/empty.cl",
         "OpenCL C 2.0"},
        {"intel-arc-b580", CLSCAN_BODY_STRIDED, KS, CLSCAN_CARRY_ADJACENT, CLSCAN_ORDER_DYNAMIC,
         "elements/types.cl elements/operators.cl elements/cursors.cl elements/sums.cl "
         "elements/arguments.cl group_scans/kogge_stone.cl "
         "elements/lanes.cl "
         "bodies/strided.cl carries/walk.cl carries/count.cl "
         "comm/c11.cl comm/publish.cl orders/dynamic.cl carries/chain.cl carries/ranges.cl carries/adjacent.cl "
         "carries/chained.cl carries/empty.cl",
         "OpenCL C 3.0 with device scope"},
        {"pocl-3.1-pthread", CLSCAN_BODY_STRIDED, BK, CLSCAN_CARRY_ADJACENT, CLSCAN_ORDER_STATIC,
         "elements/types.cl elements/operators.cl elements/cursors.cl elements/sums.cl "
         "elements/arguments.cl group_scans/brent_kung.cl "
         "elements/lanes.cl "
         "bodies/strided.cl carries/walk.cl carries/count.cl "
         "comm/c11.cl comm/publish.cl orders/static.cl carries/chain.cl carries/ranges.cl carries/adjacent.cl "
         "carries/chained.cl carries/empty.cl",
         "a CPU"},
        {"pocl-3.1-pthread", CLSCAN_BODY_STRIDED, BK, CLSCAN_CARRY_ADJACENT, CLSCAN_ORDER_PERSISTENT,
         "elements/types.cl elements/operators.cl elements/cursors.cl elements/sums.cl "
         "elements/arguments.cl group_scans/brent_kung.cl "
         "elements/lanes.cl "
         "bodies/strided.cl carries/walk.cl carries/count.cl "
         "comm/c11.cl comm/publish.cl orders/persistent.cl carries/chain.cl carries/ranges.cl carries/adjacent.cl "
         "carries/chained.cl "
         "carries/empty.cl",
         "the kernel of work-groups that stay"},
        {"nvidia-h200", CLSCAN_BODY_SUBGROUP_ROWS, SG, CLSCAN_CARRY_ADJACENT, CLSCAN_ORDER_CYCLIC,
         "elements/types.cl elements/operators.cl elements/cursors.cl elements/sums.cl "
         "elements/arguments.cl subgroups/subgroup.cl "
         "subgroups/ptx.cl "
         "subgroups/shuffles.cl group_scans/subgroup.cl elements/lanes.cl "
         "elements/cells.cl bodies/subgroup_parts.cl bodies/shifts.cl bodies/held_rows.cl bodies/subgroup_rows.cl "
         "carries/walk.cl "
         "carries/count.cl comm/ptx.cl comm/publish.cl "
         "orders/cyclic.cl carries/chain.cl "
         "carries/ranges.cl "
         "carries/adjacent.cl carries/chained.cl carries/empty.cl",
         "LightScan"},
        {"nvidia-h200", CLSCAN_BODY_SUBGROUP_ROWS, SG, CLSCAN_CARRY_LOOKAHEAD, CLSCAN_ORDER_PERSISTENT,
         "elements/types.cl elements/operators.cl elements/cursors.cl elements/sums.cl "
         "elements/arguments.cl subgroups/subgroup.cl "
         "subgroups/ptx.cl "
         "subgroups/shuffles.cl group_scans/subgroup.cl elements/lanes.cl "
         "elements/cells.cl bodies/subgroup_parts.cl bodies/shifts.cl bodies/held_rows.cl "
         "bodies/subgroup_rows.cl carries/walk.cl carries/count.cl comm/ptx.cl comm/publish.cl orders/persistent.cl "
         "carries/chain.cl "
         "carries/totals.cl bodies/edges.cl "
         "carries/walker.cl carries/settle_prefix.cl carries/lookahead.cl carries/lookahead_kernels.cl "
         "carries/empty.cl",
         "shuffles by PTX"},
        {"nvidia-h200", CLSCAN_BODY_STRIDED, BK, CLSCAN_CARRY_ALL_TOTALS, CLSCAN_ORDER_DYNAMIC,
         "elements/types.cl elements/operators.cl elements/cursors.cl elements/sums.cl "
         "elements/arguments.cl group_scans/brent_kung.cl "
         "elements/lanes.cl "
         "bodies/strided.cl carries/walk.cl carries/count.cl comm/ptx.cl comm/publish.cl "
         "orders/dynamic.cl carries/chain.cl carries/ranges.cl carries/totals.cl carries/all_totals.cl "
         "carries/empty.cl",
         "one tile each"},
        {"amd-gfx90a", CLSCAN_BODY_STRIDED, KS, CLSCAN_CARRY_LOOKBACK, CLSCAN_ORDER_DYNAMIC,
         "elements/types.cl elements/operators.cl elements/cursors.cl elements/sums.cl "
         "elements/arguments.cl group_scans/kogge_stone.cl "
         "elements/lanes.cl "
         "bodies/strided.cl carries/walk.cl carries/count.cl comm/c11.cl "
         "comm/publish.cl "
         "orders/dynamic.cl carries/chain.cl carries/ranges.cl carries/lookback.cl carries/chained.cl carries/empty.cl",
         "the chain's kernel, another way to wait"},
        {"nvidia-gtx-1080", CLSCAN_BODY_STRIDED, SG, CLSCAN_CARRY_SINGLE, NO_ORDER,
         "elements/types.cl elements/operators.cl elements/cursors.cl elements/sums.cl "
         "elements/arguments.cl subgroups/subgroup.cl "
         "subgroups/local.cl "
         "group_scans/subgroup.cl elements/lanes.cl bodies/strided.cl "
         "carries/walk.cl carries/count.cl carries/single.cl carries/empty.cl",
         "no shuffles before compute capability 7.0"},
        {"pocl-3.1-pthread", CLSCAN_BODY_SUBGROUP_ROWS, SG, CLSCAN_CARRY_ADJACENT, CLSCAN_ORDER_DYNAMIC,
         "elements/types.cl elements/operators.cl elements/cursors.cl elements/sums.cl "
         "elements/arguments.cl subgroups/subgroup.cl "
         "subgroups/local.cl "
         "group_scans/subgroup.cl elements/lanes.cl elements/cells.cl "
         "bodies/subgroup_parts.cl bodies/shifts.cl bodies/held_rows.cl bodies/subgroup_rows.cl carries/walk.cl "
         "carries/count.cl "
         "comm/c11.cl comm/publish.cl orders/dynamic.cl "
         "carries/chain.cl "
         "carries/ranges.cl carries/adjacent.cl "
         "carries/chained.cl "
         "carries/empty.cl",
         "no sub-groups at all"},
        {"pocl-3.1-pthread", CLSCAN_BODY_CACHED_ROWS, BK, CLSCAN_CARRY_SINGLE, NO_ORDER,
         "elements/types.cl elements/operators.cl elements/cursors.cl elements/sums.cl "
         "elements/arguments.cl group_scans/brent_kung.cl "
         "elements/lanes.cl "
         "bodies/cached_tiles.cl bodies/cached_rows.cl carries/walk.cl carries/count.cl carries/single.cl "
         "carries/empty.cl",
         "one work-item"},
    };

    for (size_t i = 0; i < COUNT_OF(cases); ++i) {
        const clscan_device_info device = recorded_device(cases[i].device);
        const clscan__program_spec spec =
            small_spec(&device, small_variant(cases[i].body, cases[i].group_scan, cases[i].carry, cases[i].order));
        char *source = composed(&spec);
        char files[TEXT_BYTES];

        list_files(source, files, sizeof files);
        if (strcmp(files, cases[i].files) != 0)
            fail_msg("%s, %s: %s", cases[i].device, cases[i].reason, files);
        free(source);
    }
}

/* The start-up probe has its kernel beside those of its carry, in an ordinary program. */
static void the_probe_adds_its_kernel(void **state)
{
    (void)state;
    static const char *const names[] = {"nvidia-h200", "amd-gfx1100", "pocl-3.1-pthread"};

    for (size_t i = 0; i < COUNT_OF(names); ++i) {
        const clscan_device_info device = recorded_device(names[i]);
        clscan__program_spec spec = clscan__probe_spec(&device, 0);
        char *with = composed(&spec), *without;
        char files[TEXT_BYTES];

        assert_int_equal(clscan_variant_check(&spec.variant, PROBLEM_OF(spec.type, CLSCAN_ADD), 0, &device, NULL),
                         CLSCAN_OK);
        list_files(with, files, sizeof files);
        assert_non_null(strstr(files, " orders/dynamic.cl carries/chain.cl carries/ranges.cl carries/adjacent.cl "
                                      "carries/chained.cl comm/probe.cl carries/empty.cl"));
        spec.probes = false;
        without = composed(&spec);
        assert_null(strstr(without, "clscan_probe("));
        free(with);
        free(without);
    }
}

/* A forced mechanism, as plan options allow, decides instead of the device's own. */
static void mechanism_chooses_the_communication(void **state)
{
    (void)state;
    for (int mechanism = CLSCAN_MECHANISM_NONE + 1; mechanism < CLSCAN_MECHANISM_COUNT; ++mechanism) {
        clscan_device_info device = recorded_device("pocl-3.1-pthread");
        const clscan__program_spec spec =
            small_spec(&device, small_variant(CLSCAN_BODY_STRIDED, KS, CLSCAN_CARRY_ADJACENT, CLSCAN_ORDER_DYNAMIC));
        char *source;
        char files[TEXT_BYTES], want[64];

        device.mechanism = (clscan_mechanism)mechanism;
        source = composed(&spec);
        list_files(source, files, sizeof files);
        snprintf(want, sizeof want, " comm/%s.cl ", clscan_mechanism_name(device.mechanism));
        assert_non_null(strstr(files, want));
        free(source);
    }
}

/* Whose shuffles, mechanism and asynchronous copies together need every file. */
static clscan_device_info device_of_files(clscan_mechanism mechanism, int shuffles)
{
    clscan_device_info device = recorded_device(shuffles == 0 ? "nvidia-h200" : "pocl-3.1-pthread");

    if (shuffles == 2) {
        device.sub_group_size = 32;
        device.has_sub_groups = 1;
        strcpy(device.extensions,
               "cl_khr_subgroup_shuffle cl_khr_subgroup_shuffle_relative cl_intel_required_subgroup_size");
    }
    device.mechanism = mechanism;
    return device;
}

static const clscan__embedded_file *embedded(const char *name)
{
    for (size_t k = 0; k < clscan__embedded_kernel_count; ++k)
        if (strcmp(clscan__embedded_kernels[k].name, name) == 0)
            return &clscan__embedded_kernels[k];
    fail_msg("%s is not embedded", name);
    return NULL;
}

/* The program is what the table of composition.h says: these files, in its order, as they stand in cl/. */
static void mark_files(const clscan__program_spec *spec, bool *used)
{
    bool parts[CLSCAN__KERNEL_FILE_COUNT];
    char *source = composed(spec);
    const char *at = strstr(source, "#line 1 \"elements/types.cl\""); /* behind the defines and the operator */

    clscan__composition(spec, parts);
    for (size_t k = 0; k < CLSCAN__KERNEL_FILE_COUNT; ++k) {
        const char *name = clscan__kernel_files[k];
        char directive[128];

        if (!parts[k])
            continue;
        snprintf(directive, sizeof directive, "#line 1 \"%s\"\n", name);
        if (!begins_with(at, directive) || !begins_with(at + strlen(directive), embedded(name)->text))
            fail_msg("not %s: %.60s", name, at);
        at += strlen(directive) + embedded(name)->text_bytes;
        used[k] = true;
    }
    if (*at != '\0' && !begins_with(at, "#line 1 \"no segments\"\n")) /* a kernel that is written, not in a file */
        fail_msg("behind all files: %.60s", at);
    free(source);
}

/* Every file in cl/ is part of some program; every structure is composed as the table says. */
static void every_kernel_file_is_used(void **state)
{
    (void)state;
    bool used[CLSCAN__KERNEL_FILE_COUNT] = {false};

    assert_int_equal(clscan__embedded_kernel_count, CLSCAN__KERNEL_FILE_COUNT);
    for (int mechanism = CLSCAN_MECHANISM_NONE + 1; mechanism < CLSCAN_MECHANISM_COUNT; ++mechanism)
        for (int body = 0; body < CLSCAN_BODY_COUNT; ++body)
            for (int group_scan = 0; group_scan < CLSCAN_GROUP_SCAN_COUNT; ++group_scan)
                for (size_t i = 0; i < CARRIES_WITH_ORDERS; ++i) {
                    const clscan_device_info device = device_of_files((clscan_mechanism)mechanism, (int)(i % 3));
                    clscan_variant variant = small_variant((clscan_body)body, (clscan_group_scan)group_scan,
                                                           carries_with_orders[i].carry, carries_with_orders[i].order);
                    const clscan__program_spec spec = small_spec(&device, variant);

                    variant.landing_zones = clscan_variant_needs(&variant, CLSCAN_PARAM_landing_zones) ? 1 : 0;
                    if (!is_legal_structure(&variant))
                        continue;
                    mark_files(&spec, used);
                    if (variant.landing_zones > 0) {
                        const clscan__program_spec landing = small_spec(&device, variant);
                        mark_files(&landing, used);
                    }
                }
    const clscan_device_info probed = recorded_device("pocl-3.1-pthread");
    const clscan__program_spec probe = clscan__probe_spec(&probed, 0);
    mark_files(&probe, used);
    clscan__program_spec rows = small_spec(&probed, small_variant(CLSCAN_BODY_STRIDED, CLSCAN_GROUP_SCAN_KOGGE_STONE,
                                                                  CLSCAN_CARRY_REDUCE_THEN_SCAN, CLSCAN_ORDER_NONE));
    rows.rows = true;
    mark_files(&rows, used);
    rows.loose_rows = true;
    mark_files(&rows, used);
    rows.loose_rows = false;
    rows.reproducible = true;
    mark_files(&rows, used);
    rows.reproducible = false;
    rows.variant.carry = CLSCAN_CARRY_LOOKBACK;
    rows.variant.order = CLSCAN_ORDER_DYNAMIC;
    mark_files(&rows, used);
    rows.variant = small_variant(CLSCAN_BODY_SUBGROUP_ROWS, CLSCAN_GROUP_SCAN_SUBGROUP, CLSCAN_CARRY_LOOKAHEAD,
                                 CLSCAN_ORDER_PERSISTENT);
    mark_files(&rows, used);
    static const clscan__maps selection = {.load = "element", .store = "index", .selects = true, .length_bytes = 4},
                              partition = {.load = "element", .store = "index", .selects = true, .rest = true},
                              moving = {.load = "element",
                                        .store = "element",
                                        .selects = true,
                                        .keeps_element = true,
                                        .in_place = true};
    const clscan__elements selected = {
        .in = {CLSCAN_UINT32}, .sum = {CLSCAN_UINT32}, .out = {CLSCAN_UINT32}, .maps = &selection};
    clscan__program_spec selecting = small_spec(
        &probed, small_variant(CLSCAN_BODY_SUBGROUP_ROWS, CLSCAN_GROUP_SCAN_SUBGROUP, CLSCAN_CARRY_SINGLE, NO_ORDER));
    selecting.elements = &selected;
    mark_files(&selecting, used);
    clscan__elements parted = selected;
    parted.maps = &partition;
    selecting.elements = &parted;
    mark_files(&selecting, used);
    parted.maps = &moving;
    mark_files(&selecting, used);
    static const clscan__maps segments = {.load = "element", .store = "sum"};
    static const clscan__segmented by_flags = {.by = CLSCAN_BY_FLAGS, .type = CLSCAN_UINT8, .neutral = "0"};
    const clscan__elements segmented = {.in = {CLSCAN_UINT32},
                                        .sum = {CLSCAN_UINT32},
                                        .out = {CLSCAN_UINT32},
                                        .maps = &segments,
                                        .segmented = &by_flags};
    selecting.elements = &segmented;
    mark_files(&selecting, used);
    rows.rows = false;
    rows.elements = &segmented;
    rows.variant = small_variant(CLSCAN_BODY_CACHED_ROWS, CLSCAN_GROUP_SCAN_BRENT_KUNG, CLSCAN_CARRY_SINGLE, NO_ORDER);
    mark_files(&rows, used);
    static const clscan__elements widened = {.in = {CLSCAN_UINT32}, .sum = {CLSCAN_UINT64}, .out = {CLSCAN_UINT64}};
    clscan_device_info cpu = *rows.device;
    cpu.device_class = CLSCAN_DEVICE_CLASS_CPU;
    rows.device = &cpu;
    rows.elements = &widened;
    rows.variant.vector_length = 4;
    mark_files(&rows, used);
    static const clscan__maps reduction = {.load = "element", .store = "sum", .discards = true};
    clscan__elements reduced = segmented;
    reduced.maps = &reduction;
    selecting.elements = &reduced;
    mark_files(&selecting, used);
    static const clscan__segmented walked = {.by = CLSCAN_BY_OFFSETS,
                                             .type = CLSCAN_INT32,
                                             .marked = true,
                                             .sums = CLSCAN__SUMS_GIVEN | CLSCAN__SUMS_ONLY,
                                             .index_bytes = 4,
                                             .neutral = "0"};
    clscan__elements bounded = reduced;
    bounded.segmented = &walked;
    rows.elements = &bounded;
    mark_files(&rows, used);
    clscan__program_spec in_local_memory = rows;
    in_local_memory.variant =
        small_variant(CLSCAN_BODY_COALESCED, CLSCAN_GROUP_SCAN_BRENT_KUNG, CLSCAN_CARRY_SINGLE, NO_ORDER);
    mark_files(&in_local_memory, used);
    clscan__segmented from_head_to_head = walked;
    from_head_to_head.by = CLSCAN_BY_FLAGS;
    from_head_to_head.marked = false;
    bounded.segmented = &from_head_to_head;
    mark_files(&rows, used);
    const clscan_device_info ahead = recorded_device("nvidia-h200");
    clscan__program_spec fetching =
        small_spec(&ahead, small_variant(CLSCAN_BODY_SUBGROUP_ROWS, CLSCAN_GROUP_SCAN_SUBGROUP, CLSCAN_CARRY_LOOKAHEAD,
                                         CLSCAN_ORDER_PERSISTENT));
    fetching.elements = &selected;
    mark_files(&fetching, used);
    clscan__elements bytes = parted;
    bytes.in.type = bytes.out.type = CLSCAN_UINT8;
    fetching.elements = &bytes;
    mark_files(&fetching, used);
    clscan__program_spec shuffling =
        small_spec(&ahead, small_variant(CLSCAN_BODY_SUBGROUP_ROWS, CLSCAN_GROUP_SCAN_SUBGROUP,
                                         CLSCAN_CARRY_REDUCE_THEN_SCAN, NO_ORDER));
    shuffling.rows = true;
    shuffling.reproducible = true;
    mark_files(&shuffling, used);
    clscan__program_spec widening = fetching;
    widening.elements = &widened;
    widening.variant.landing_zones = 1;
    widening.variant.vector_length = 4;
    mark_files(&widening, used);
    static const clscan__segmented by_bits = {.by = CLSCAN_BY_BITS, .neutral = "0"};
    clscan__elements landed = segmented;
    landed.segmented = &by_bits;
    widening.elements = &landed;
    mark_files(&widening, used);
    static const clscan__segmented by_offsets = {
        .by = CLSCAN_BY_OFFSETS, .type = CLSCAN_INT32, .marked = true, .neutral = "0"};
    landed.segmented = &by_offsets;
    mark_files(&widening, used);
    static const clscan__segmented by_marked_keys = {
        .by = CLSCAN_BY_KEYS, .type = CLSCAN_INT32, .marked = true, .neutral = "0"};
    landed.segmented = &by_marked_keys;
    mark_files(&widening, used);
    static const clscan__custom_type pair = {"pair", "typedef struct pair { int a, b; } pair;", 8, 4, 0};
    static const clscan_custom_operator lanewise = {
        .source = "pair f(pair l, pair r) { return l; }", .function = "f", .lanewise = 1};
    const clscan__elements pairs = {.in = {.custom = &pair}, .sum = {.custom = &pair}, .out = {.custom = &pair}};
    clscan__program_spec abreast = rows;
    abreast.elements = &pairs;
    abreast.op = CLSCAN_CUSTOM;
    abreast.custom = &lanewise;
    abreast.variant.cached_pieces = 64;
    mark_files(&abreast, used);
    clscan__program_spec packing = small_spec(&cpu, small_variant(CLSCAN_BODY_CACHED_ROWS, CLSCAN_GROUP_SCAN_BRENT_KUNG,
                                                                  CLSCAN_CARRY_SINGLE, CLSCAN_ORDER_NONE));
    packing.elements = &selected;
    mark_files(&packing, used);
    for (int body = CLSCAN_BODY_SUBGROUP_ROWS; body <= CLSCAN_BODY_CACHED_ROWS; ++body) {
        const clscan_device_info device = device_of_files(CLSCAN_MECHANISM_ATOMIC64, 0);
        clscan__program_spec spec = small_spec(&device, small_variant((clscan_body)body, CLSCAN_GROUP_SCAN_SUBGROUP,
                                                                      CLSCAN_CARRY_REDUCE_THEN_SCAN, NO_ORDER));
        spec.reproducible = true;
        mark_files(&spec, used);
        spec.variant.carry = CLSCAN_CARRY_LOOKAHEAD;
        spec.variant.order = CLSCAN_ORDER_PERSISTENT;
        if (body == CLSCAN_BODY_SUBGROUP_ROWS)
            mark_files(&spec, used);
        spec.variant.carry = CLSCAN_CARRY_REDUCE_THEN_COMBINE;
        spec.variant.order = CLSCAN_ORDER_NONE;
        mark_files(&spec, used);
    }
    static const clscan__repetition repeated = {
        .bytes = {4}, .column_count = 1, .run_bytes = 4, .length_bytes = 4, .work_group_size = 256};
    fetching.elements = NULL;
    fetching.repetition = &repeated;
    mark_files(&fetching, used);
    for (size_t k = 0; k < CLSCAN__KERNEL_FILE_COUNT; ++k)
        if (!used[k])
            fail_msg("%s is in no program", clscan__kernel_files[k]);
}

/* Of bytes that become something wider, each is converted for itself. */
static void words_of_bytes_leave_as_bytes(void **state)
{
    (void)state;
    static const clscan__maps kept = {.load = "element", .store = "element", .selects = true, .keeps_element = true};
    static const struct {
        clscan_type in, out;
        bool words;
    } cases[] = {{CLSCAN_UINT8, CLSCAN_UINT8, true},   {CLSCAN_UINT8, CLSCAN_INT8, true},
                 {CLSCAN_UINT8, CLSCAN_UINT32, false}, {CLSCAN_UINT8, CLSCAN_HALF, false},
                 {CLSCAN_INT16, CLSCAN_UINT8, false},  {CLSCAN_INT16, CLSCAN_INT16, false}};
    const clscan_device_info device = recorded_device("nvidia-h200");
    clscan__program_spec spec = small_spec(
        &device, small_variant(CLSCAN_BODY_SUBGROUP_ROWS, CLSCAN_GROUP_SCAN_SUBGROUP, CLSCAN_CARRY_SINGLE, NO_ORDER));

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        const clscan__elements elements = {
            .in = {cases[i].in}, .sum = {CLSCAN_UINT32}, .out = {cases[i].out}, .maps = &kept};
        bool used[CLSCAN__KERNEL_FILE_COUNT] = {false};
        bool words = false;

        spec.elements = &elements;
        mark_files(&spec, used);
        for (size_t k = 0; k < CLSCAN__KERNEL_FILE_COUNT; ++k)
            words = words || (used[k] && strcmp(clscan__kernel_files[k], "bodies/kept_words.cl") == 0);
        assert_int_equal(words, cases[i].words);
    }
}

/* Macros. */

static void thread_groups_synchronise_as_the_device_allows(void **state)
{
    (void)state;
    static const struct {
        const char *device;
        uint32_t sub_group_size; /* instead of the device's own; 0: leave it */
        uint32_t thread_group_size, work_group_size;
        const char *sync, *reason;
    } cases[] = {
        {"nvidia-h200", 0, 32, 256, "CLSCAN_SYNC_PTX", "a thread group is a warp"},
        {"nvidia-h200", 0, 8, 256, "CLSCAN_SYNC_PTX", "several thread groups in a warp"},
        {"nvidia-h200", 0, 32, 32, "CLSCAN_SYNC_PTX", "the work-group is a warp"},
        {"nvidia-h200", 0, 64, 256, "CLSCAN_SYNC_WORK_GROUP", "a thread group is two warps"},
        {"nvidia-h200", 0, 16, 16, "CLSCAN_SYNC_WORK_GROUP", "half a warp: its barrier names all 32 lanes"},
        {"nvidia-h200", 0, 8, 48, "CLSCAN_SYNC_WORK_GROUP", "a warp and a half"},
        {"nvidia-gtx-1080", 0, 32, 256, "CLSCAN_SYNC_WORK_GROUP", "compute capability 6.1 has no such barrier"},
        {"nvidia-tesla-k20m", 0, 32, 256, "CLSCAN_SYNC_WORK_GROUP", "nor has 3.5"},
        {"amd-gfx90a", 0, 32, 256, "CLSCAN_SYNC_SUB_GROUP", "a wavefront has 32 work-items at least"},
        {"amd-gfx90a", 0, 64, 256, "CLSCAN_SYNC_WORK_GROUP", "it may have no more"},
        {"intel-arc-a770", 0, 16, 256, "CLSCAN_SYNC_SUB_GROUP", "sub-groups of 16, which the kernels require"},
        {"intel-arc-a770", 0, 32, 256, "CLSCAN_SYNC_WORK_GROUP", "a thread group is two sub-groups"},
        {"intel-arc-a770", 0, 8, 8, "CLSCAN_SYNC_WORK_GROUP", "the work-group does not fill a sub-group"},
        {"apple-m1", 0, 32, 256, "CLSCAN_SYNC_WORK_GROUP", "no sub-groups"},
        {"pocl-3.1-pthread", 0, 8, 64, "CLSCAN_SYNC_WORK_GROUP", "no sub-groups"},
        {"pocl-5.0-cpu", 0, 8, 64, "CLSCAN_SYNC_WORK_GROUP", "sub-groups of unknown size"},
        {"amd-gfx90a", 64, 64, 256, "CLSCAN_SYNC_SUB_GROUP", "a thread group is a sub-group"},
        {"amd-gfx90a", 64, 16, 64, "CLSCAN_SYNC_SUB_GROUP", "several in one"},
        {"amd-gfx90a", 64, 32, 32, "CLSCAN_SYNC_WORK_GROUP", "the work-group does not fill a sub-group"},
        {"apple-m1", 32, 32, 256, "CLSCAN_SYNC_WORK_GROUP", "a size is of no use without the barrier"},
    };

    for (size_t i = 0; i < COUNT_OF(cases); ++i) {
        clscan_device_info device = recorded_device(cases[i].device);
        clscan__program_spec spec =
            small_spec(&device, small_variant(CLSCAN_BODY_COALESCED, KS, CLSCAN_CARRY_SINGLE, NO_ORDER));
        char got[TEXT_BYTES];
        char *source;

        if (cases[i].sub_group_size != 0)
            device.sub_group_size = cases[i].sub_group_size;
        spec.variant.thread_group_size = cases[i].thread_group_size;
        spec.variant.work_group_size = cases[i].work_group_size;
        source = composed(&spec);
        snprintf(got, sizeof got, "%s", macro(source, "CLSCAN_SUB_GROUP_SYNC"));
        if (strcmp(got, macro(source, cases[i].sync)) != 0)
            fail_msg("%s, thread groups of %u in %u: %s, not %s (%s)", cases[i].device,
                     (unsigned)cases[i].thread_group_size, (unsigned)cases[i].work_group_size, got, cases[i].sync,
                     cases[i].reason);
        free(source);
    }
}

/* Programs say how large their sub-groups must be where they rely on it and the compiler would choose; nowhere else,
 * since a required size can cost speed. */
static void sub_groups_are_required_where_they_matter(void **state)
{
    (void)state;
    static const struct {
        const char *device;
        clscan_body body;
        clscan_group_scan group_scan;
        bool reproducible;
        uint32_t size, required;
        const char *reason;
    } cases[] = {
        {"intel-cpu-2026", CLSCAN_BODY_SUBGROUP_ROWS, CLSCAN_GROUP_SCAN_SUBGROUP, false, 16, 16, "shuffles"},
        {"intel-cpu-2026", CLSCAN_BODY_STRIDED, CLSCAN_GROUP_SCAN_SUBGROUP, false, 16, 16, "shuffles"},
        {"intel-cpu-2026", CLSCAN_BODY_COALESCED, KS, false, 16, 16, "barriers of sub-groups"},
        {"intel-cpu-2026", CLSCAN_BODY_STRIDED, KS, false, 0, 0, "no sub-groups"},
        {"intel-cpu-2026", CLSCAN_BODY_CACHED_ROWS, KS, false, 0, 0, "a work-group is one work-item"},
        {"intel-cpu-2026", CLSCAN_BODY_SUBGROUP_ROWS, CLSCAN_GROUP_SCAN_SUBGROUP, true, 0, 0, "rows of 32 runs"},
        {"intel-cpu-2025", CLSCAN_BODY_COALESCED, KS, false, 0, 0, "sub-groups of unknown size"},
        {"intel-cpu-2026", CLSCAN_BODY_MATRIX, KS, false, 0, 0, "barriers of work-groups"},
        {"amd-gfx90a", CLSCAN_BODY_COALESCED, KS, false, 32, 0, "wavefronts are never narrower"},
        {"nvidia-h200", CLSCAN_BODY_SUBGROUP_ROWS, CLSCAN_GROUP_SCAN_SUBGROUP, false, 0, 0, "PTX"},
    };

    for (size_t i = 0; i < COUNT_OF(cases); ++i) {
        const clscan_device_info device = recorded_device(cases[i].device);
        clscan__program_spec spec = small_spec(
            &device, small_variant(cases[i].body, cases[i].group_scan, CLSCAN_CARRY_REDUCE_THEN_SCAN, NO_ORDER));
        char value[TEXT_BYTES] = "0", files[TEXT_BYTES];
        char *source;
        size_t found;

        spec.reproducible = cases[i].reproducible;
        source = composed(&spec);
        list_files(source, files, sizeof files);
        found = find_macro(source, "CLSCAN_REQUIRED_SUB_GROUP_SIZE", value, sizeof value);
        if (clscan__program_sub_group_size(&spec) != cases[i].size || strtoul(value, NULL, 10) != cases[i].required ||
            found != (cases[i].required != 0) ||
            (strstr(files, "subgroups/required_size.cl") != NULL) != (cases[i].required != 0))
            fail_msg("case %u, %s (%s): size %u, %s required", (unsigned)i, cases[i].device, cases[i].reason,
                     (unsigned)clscan__program_sub_group_size(&spec), value);
        free(source);
    }
}

static void the_ways_to_synchronise_differ(void **state)
{
    (void)state;
    static const char *const names[] = {"CLSCAN_SYNC_WORK_GROUP", "CLSCAN_SYNC_PTX", "CLSCAN_SYNC_SUB_GROUP"};
    const clscan_device_info device = recorded_device("nvidia-h200");
    const clscan__program_spec spec =
        small_spec(&device, small_variant(CLSCAN_BODY_COALESCED, KS, CLSCAN_CARRY_SINGLE, NO_ORDER));
    char *source = composed(&spec);

    for (size_t i = 0; i < COUNT_OF(names); ++i)
        for (size_t j = 0; j < i; ++j) {
            char value[TEXT_BYTES];

            snprintf(value, sizeof value, "%s", macro(source, names[i]));
            assert_string_not_equal(value, macro(source, names[j]));
        }
    free(source);
}

static void compiler_options_follow_the_mechanism(void **state)
{
    (void)state;
    static const struct {
        const char *device;
        clscan_mechanism forced; /* NONE: the device's own */
        const char *options, *reason;
    } cases[] = {
        {"nvidia-h200", CLSCAN_MECHANISM_NONE, "-cl-std=CL1.2", "PTX needs no newer language"},
        {"nvidia-gtx-1080", CLSCAN_MECHANISM_NONE, "-cl-std=CL1.2", "atomics of OpenCL C 1.x"},
        {"nvidia-tesla-k20m", CLSCAN_MECHANISM_NONE, "-cl-std=CL1.2", "atomics of OpenCL C 1.x"},
        {"amd-gfx90a", CLSCAN_MECHANISM_NONE, "-cl-std=CL2.0", "C11 atomics"},
        {"amd-gfx1100", CLSCAN_MECHANISM_NONE, "-cl-std=CL2.0", "C11 atomics"},
        {"intel-arc-a770", CLSCAN_MECHANISM_NONE, "-cl-std=CL3.0", "C11 atomics as features of OpenCL C 3.0"},
        {"intel-hd-530-neo", CLSCAN_MECHANISM_NONE, "-cl-std=CL1.2", "no mechanism, nothing new is used"},
        {"apple-m1", CLSCAN_MECHANISM_NONE, "-cl-std=CL1.2", "an OpenCL 1.2 device"},
        {"pocl-3.1-pthread", CLSCAN_MECHANISM_NONE, "-cl-std=CL3.0", "C11 atomics as features of OpenCL C 3.0"},
        {"pocl-5.0-cpu", CLSCAN_MECHANISM_NONE, "-cl-std=CL3.0", "C11 atomics as features of OpenCL C 3.0"},
        {"pocl-3.1-pthread", CLSCAN_MECHANISM_ATOMIC64, "-cl-std=CL1.2", "a forced mechanism brings its language"},
        {"pocl-3.1-pthread", CLSCAN_MECHANISM_ATOMIC32, "-cl-std=CL1.2", "a forced mechanism brings its language"},
    };

    for (size_t i = 0; i < COUNT_OF(cases); ++i) {
        clscan_device_info device = recorded_device(cases[i].device);

        if (cases[i].forced != CLSCAN_MECHANISM_NONE)
            device.mechanism = cases[i].forced;
        const clscan__program_spec spec =
            small_spec(&device, small_variant(CLSCAN_BODY_STRIDED, KS, CLSCAN_CARRY_ADJACENT, CLSCAN_ORDER_DYNAMIC));
        char options[CLSCAN__OPTIONS_BYTES];

        if (strcmp(clscan__program_options(&spec, options), cases[i].options) != 0)
            fail_msg("%s, %s: %s", cases[i].device, cases[i].reason, options);
    }
}

/* Two work-groups of 384 on 65536 registers. A required size would make NVIDIA's compiler ignore the bound. */
static void lookahead_bounds_its_registers(void **state)
{
    (void)state;
    static const struct {
        const char *device;
        uint32_t work_group_size, work_groups_per_unit;
        const char *options, *bound;
    } cases[] = {
        {"nvidia-h200", 384, 2, "-cl-std=CL1.2 -cl-nv-maxrregcount=80", "#define CLSCAN_REGISTER_BOUND 80\n"},
        {"nvidia-h200", 256, 2, "-cl-std=CL1.2 -cl-nv-maxrregcount=128", "#define CLSCAN_REGISTER_BOUND 128\n"},
        /* 18 sub-groups: 5 of them at one scheduler, which has 16384 registers */
        {"nvidia-h200", 576, 1, "-cl-std=CL1.2 -cl-nv-maxrregcount=96", "#define CLSCAN_REGISTER_BOUND 96\n"},
        {"nvidia-h200", 64, 2, "-cl-std=CL1.2", "#define CLSCAN_REGISTER_BOUND 0\n"},
        {"nvidia-h200", 512, 16, "-cl-std=CL1.2", "#define CLSCAN_REGISTER_BOUND 0\n"},
        {"amd-gfx90a", 256, 2, "-cl-std=CL2.0", "#define CLSCAN_REGISTER_BOUND 0\n"},
    };

    for (size_t i = 0; i < COUNT_OF(cases); ++i) {
        const clscan_device_info device = recorded_device(cases[i].device);
        clscan__program_spec spec =
            small_spec(&device, small_variant(CLSCAN_BODY_SUBGROUP_ROWS, CLSCAN_GROUP_SCAN_SUBGROUP,
                                              CLSCAN_CARRY_LOOKAHEAD, CLSCAN_ORDER_PERSISTENT));
        char options[CLSCAN__OPTIONS_BYTES], *source;

        spec.variant.work_group_size = cases[i].work_group_size;
        spec.variant.work_groups_per_unit = cases[i].work_groups_per_unit;
        source = composed(&spec);
        assert_string_equal(clscan__program_options(&spec, options), cases[i].options);
        assert_non_null(strstr(source, cases[i].bound));
        free(source);
    }
}

static void every_parameter_is_rendered(void **state)
{
    (void)state;
    const clscan_device_info device = recorded_device("amd-gfx90a");
    clscan__program_spec spec =
        small_spec(&device, small_variant(CLSCAN_BODY_COALESCED, KS, CLSCAN_CARRY_REDUCE_THEN_SCAN, NO_ORDER));
    char *source;

    for (size_t i = 0; i < CLSCAN_PARAM_COUNT; ++i)
        clscan__param_set(&clscan__params[i], &spec.variant, (uint32_t)(4000000000u + i));
    spec.poll_limit = UINT32_MAX;
    spec.hold_interval = 77;
    spec.count_events = 5;
    source = composed(&spec);
    for (size_t i = 0; i < CLSCAN_PARAM_COUNT; ++i) {
        char name[64] = "CLSCAN_", value[16];

        for (size_t k = 0; clscan__params[i].name[k] != '\0'; ++k) {
            name[strlen("CLSCAN_") + k] = (char)toupper((unsigned char)clscan__params[i].name[k]);
            name[strlen("CLSCAN_") + k + 1] = '\0';
        }
        snprintf(value, sizeof value, "%u", (unsigned)(4000000000u + i));
        assert_string_equal(macro(source, name), value);
    }
    /* Spelled out once, so that the names in the kernels are seen here. */
    assert_string_equal(macro(source, "CLSCAN_WORK_GROUP_SIZE"), "4000000000");
    assert_string_equal(macro(source, "CLSCAN_THREAD_GROUP_SIZE"), "4000000004");
    assert_string_equal(macro(source, "CLSCAN_POLL_LIMIT"), "4294967295");
    assert_string_equal(macro(source, "CLSCAN_HOLD_INTERVAL"), "77");
    assert_string_equal(macro(source, "CLSCAN_COUNT_EVENTS"), "1");
    free(source);
}

static void types_are_rendered(void **state)
{
    (void)state;
    static const struct {
        clscan_type type;
        const char *element, *accumulator, *bits, *wide, *accumulator_bytes, *half, *floating;
    } cases[] = {
        {CLSCAN_INT8, "char", "char", "uchar", "uint", "1", "0", "0"},
        {CLSCAN_UINT8, "uchar", "uchar", "uchar", "uint", "1", "0", "0"},
        {CLSCAN_INT16, "short", "short", "ushort", "uint", "2", "0", "0"},
        {CLSCAN_UINT16, "ushort", "ushort", "ushort", "uint", "2", "0", "0"},
        {CLSCAN_INT32, "int", "int", "uint", "uint", "4", "0", "0"},
        {CLSCAN_UINT32, "uint", "uint", "uint", "uint", "4", "0", "0"},
        {CLSCAN_INT64, "long", "long", "ulong", "ulong", "8", "0", "0"},
        {CLSCAN_UINT64, "ulong", "ulong", "ulong", "ulong", "8", "0", "0"},
        {CLSCAN_HALF, "ushort", "float", "uint", "uint", "4", "1", "1"},
        {CLSCAN_FLOAT, "float", "float", "uint", "uint", "4", "0", "1"},
        {CLSCAN_DOUBLE, "double", "double", "ulong", "ulong", "8", "0", "1"},
    };
    const clscan_device_info device = recorded_device("pocl-3.1-pthread");
    clscan__program_spec spec =
        small_spec(&device, small_variant(CLSCAN_BODY_STRIDED, KS, CLSCAN_CARRY_SINGLE, NO_ORDER));

    assert_int_equal(COUNT_OF(cases), CLSCAN_TYPE_COUNT);
    for (size_t i = 0; i < COUNT_OF(cases); ++i) {
        char *source;

        spec.type = cases[i].type;
        source = composed(&spec);
        assert_string_equal(macro(source, "CLSCAN_T"), cases[i].element);
        assert_string_equal(macro(source, "CLSCAN_A"), cases[i].accumulator);
        assert_string_equal(macro(source, "CLSCAN_BITS"), cases[i].bits);
        assert_string_equal(macro(source, "CLSCAN_WIDE"), cases[i].wide);
        assert_string_equal(macro(source, "CLSCAN_A_BYTES"), cases[i].accumulator_bytes);
        assert_string_equal(macro(source, "CLSCAN_PLAIN"), "1");
        assert_string_equal(macro(source, "CLSCAN_HALF"), cases[i].half);
        assert_string_equal(macro(source, "CLSCAN_FLOATING"), cases[i].floating);
        /* Before OpenCL 1.2 a double is known only behind this; devices without it must not see it. */
        assert_int_equal(begins_with(source, "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n"),
                         cases[i].type == CLSCAN_DOUBLE);
        assert_int_equal(strstr(source, "cl_khr_fp64") != NULL, cases[i].type == CLSCAN_DOUBLE);
        /* half is a type of storage only: arithmetic on it is an extension. */
        assert_null(strstr(source, "cl_khr_fp16"));
        free(source);
    }
}

/* A type of the caller's, and its operator, stand behind the defines, each by its own lines. */
static void callers_type_is_rendered(void **state)
{
    (void)state;
    const clscan__custom_type type = {"pair", "typedef struct pair { float a, b; } pair;", 8, 4, 0};
    const clscan__elements elements = clscan__elements_of(&type);
    const clscan_custom_operator first = {.source = "pair first(pair l, pair r) { return l; }", .function = "first"};
    const clscan_device_info device = recorded_device("nvidia-h200");
    clscan__program_spec spec =
        small_spec(&device, small_variant(CLSCAN_BODY_STRIDED, KS, CLSCAN_CARRY_SINGLE, NO_ORDER));
    char *source;

    spec.elements = &elements;
    spec.op = CLSCAN_CUSTOM;
    spec.custom = &first;
    source = composed(&spec);
    assert_string_equal(macro(source, "CLSCAN_PLAIN"), "0");
    assert_string_equal(macro(source, "CLSCAN_IN"), "clscan_type_in");
    assert_string_equal(macro(source, "CLSCAN_A_BYTES"), "8");
    assert_string_equal(macro(source, "CLSCAN_IN_ALIGN_BYTES"), "4");
    assert_non_null(strstr(source, "\n#line 1 \"type\"\ntypedef struct pair { float a, b; } pair;\n"
                                   "#line 1 \"operator\"\npair first(pair l, pair r) { return l; }\n#line 1 "));
    assert_non_null(strstr(source, "\ntypedef pair clscan_type_in;\n"));
    free(source);
}

static void operators_are_rendered(void **state)
{
    (void)state;
    static const struct {
        clscan_operator op;
        clscan_type type;
        const char *name, *identity;
    } cases[] = {
        {CLSCAN_ADD, CLSCAN_INT32, "CLSCAN_OPERATOR_ADD", "(0)"},
        {CLSCAN_MUL, CLSCAN_FLOAT, "CLSCAN_OPERATOR_MUL", "(1)"},
        {CLSCAN_MIN, CLSCAN_HALF, "CLSCAN_OPERATOR_MIN", "(INFINITY)"},
        {CLSCAN_MAX, CLSCAN_INT8, "CLSCAN_OPERATOR_MAX", "(CHAR_MIN)"},
        {CLSCAN_AND, CLSCAN_UINT16, "CLSCAN_OPERATOR_AND", "(~0)"},
        {CLSCAN_OR, CLSCAN_UINT64, "CLSCAN_OPERATOR_OR", "(0)"},
        {CLSCAN_XOR, CLSCAN_INT64, "CLSCAN_OPERATOR_XOR", "(0)"},
    };
    const clscan_device_info device = recorded_device("nvidia-h200");
    clscan__program_spec spec =
        small_spec(&device, small_variant(CLSCAN_BODY_STRIDED, KS, CLSCAN_CARRY_SINGLE, NO_ORDER));

    for (size_t i = 0; i < COUNT_OF(cases); ++i)
        for (int form = CLSCAN_INCLUSIVE; form <= CLSCAN_EXCLUSIVE; ++form)
            for (int direction = CLSCAN_FORWARD; direction <= CLSCAN_REVERSE; ++direction) {
                char *source;
                char op[TEXT_BYTES];

                spec.op = cases[i].op;
                spec.type = cases[i].type;
                spec.form = (clscan_form)form;
                spec.direction = (clscan_direction)direction;
                source = composed(&spec);
                snprintf(op, sizeof op, "%s", macro(source, "CLSCAN_OPERATOR"));
                assert_string_equal(op, macro(source, cases[i].name));
                assert_string_equal(macro(source, "CLSCAN_IDENTITY"), cases[i].identity);
                assert_string_equal(macro(source, "CLSCAN_INCLUSIVE"), form == CLSCAN_INCLUSIVE ? "1" : "0");
                assert_string_equal(macro(source, "CLSCAN_REVERSE"), direction == CLSCAN_REVERSE ? "1" : "0");
                assert_false(has_macro(source, "CLSCAN_CUSTOM"));
                free(source);
            }
}

static const clscan_custom_operator keep_last = {
    .struct_size = sizeof keep_last,
    .source = "int keep_last(int left, int right)\n{\n    return right != 0 ? right : left;\n}",
    .function = "keep_last",
    .identity = "0",
};

static void lanes_are_for_cpus_and_operators_that_commute(void **state)
{
    (void)state;
    static const struct {
        const char *device;
        clscan_type type;
        clscan_operator op;
        const char *lanes, *reason;
    } cases[] = {
        {"pocl-3.1-pthread", CLSCAN_INT32, CLSCAN_ADD, "1", "a sum on a CPU"},
        {"pocl-5.0-cpu", CLSCAN_UINT8, CLSCAN_XOR, "1", "another CPU"},
        {"intel-cpu-2025", CLSCAN_INT64, CLSCAN_MAX, "1", "integers have no NaN"},
        {"rusticl-22.3-llvmpipe", CLSCAN_INT32, CLSCAN_ADD, "1", "a CPU that is presented as a GPU"},
        {"pocl-3.1-pthread", CLSCAN_FLOAT, CLSCAN_ADD, "1", "rounding apart, it commutes"},
        {"pocl-3.1-pthread", CLSCAN_DOUBLE, CLSCAN_MUL, "1", "rounding apart, it commutes"},
        {"pocl-3.1-pthread", CLSCAN_FLOAT, CLSCAN_MIN, "0", "the leftmost NaN wins"},
        {"pocl-3.1-pthread", CLSCAN_DOUBLE, CLSCAN_MAX, "0", "the leftmost NaN wins"},
        {"pocl-3.1-pthread", CLSCAN_HALF, CLSCAN_ADD, "0", "half is converted on the way"},
        {"pocl-3.1-pthread", CLSCAN_INT32, CLSCAN_CUSTOM, "0", "a caller's operator may not commute"},
        {"nvidia-h200", CLSCAN_INT32, CLSCAN_ADD, "0", "a GPU"},
        {"amd-gfx90a", CLSCAN_FLOAT, CLSCAN_ADD, "0", "a GPU"},
        {"intel-arc-a770", CLSCAN_UINT8, CLSCAN_OR, "0", "a GPU"},
        {"apple-m1", CLSCAN_INT32, CLSCAN_ADD, "0", "a GPU"},
    };

    for (size_t i = 0; i < COUNT_OF(cases); ++i) {
        const clscan_device_info device = recorded_device(cases[i].device);
        clscan__program_spec spec =
            small_spec(&device, small_variant(CLSCAN_BODY_STRIDED, KS, CLSCAN_CARRY_SINGLE, NO_ORDER));
        char value[TEXT_BYTES];
        char *source;

        spec.type = cases[i].type;
        spec.op = cases[i].op;
        spec.custom = cases[i].op == CLSCAN_CUSTOM ? &keep_last : NULL;
        source = composed(&spec);
        /* The host's is the first; elements/lanes.cl takes it back for short vectors. */
        *strstr(source, "#line 1 \"elements/types.cl\"") = '\0';
        snprintf(value, sizeof value, "%s", macro(source, "CLSCAN_LANES"));
        if (strcmp(value, cases[i].lanes) != 0)
            fail_msg("%s, %s", cases[i].device, cases[i].reason);
        free(source);
    }
}

/* Numbers that both sides of a launch have. */
static void host_and_kernels_agree(void **state)
{
    (void)state;
    for (int mechanism = CLSCAN_MECHANISM_NONE + 1; mechanism < CLSCAN_MECHANISM_COUNT; ++mechanism)
        for (int order = CLSCAN_ORDER_NONE + 1; order < CLSCAN_ORDER_COUNT; ++order) {
            clscan_device_info device = recorded_device("pocl-3.1-pthread");
            const clscan__program_spec spec =
                small_spec(&device, small_variant(CLSCAN_BODY_STRIDED, KS, CLSCAN_CARRY_ADJACENT, (clscan_order)order));
            const clscan__words words = clscan__words_of((clscan_mechanism)mechanism);
            char ticket_bits[128];
            char *source;

            device.mechanism = (clscan_mechanism)mechanism;
            source = composed(&spec);
#define X(name, number, meaning) assert_int_equal(strtoul(macro(source, "CLSCAN_" #name), NULL, 0), number);
            CLSCAN__SHARED_LIST(X) /* once: macro() fails where a kernel file defines it again */
#undef X
            assert_int_equal(strtoul(macro(source, "CLSCAN_WORD_BITS"), NULL, 0), 8 * words.word_bytes);
            snprintf(ticket_bits, sizeof ticket_bits,
                     words.word_bytes == 8 ? "\n#if CLSCAN_WORD_BITS == 64\n#define CLSCAN_TICKET_BITS %u\n"
                                           : "\n#else\n#define CLSCAN_TICKET_BITS %u\n#endif\n",
                     (unsigned)words.ticket_bits);
            assert_non_null(strstr(source, ticket_bits));
            if (order == CLSCAN_ORDER_CYCLIC) {
                const unsigned long bits = strtoul(macro(source, "CLSCAN_REGISTER_BITS"), NULL, 0);
                const unsigned long at = strtoul(macro(source, "CLSCAN_REGISTER_BYTES"), NULL, 0);

                assert_true((1ul << bits) - 1 == CLSCAN__MOST_REGISTERED && 2 * bits + 1 <= 8 * words.word_bytes);
                assert_in_range(at, CLSCAN__REPORT_BYTES + sizeof(clscan_report),
                                CLSCAN__CONTROL_BYTES - words.word_bytes);
            }
            free(source);
        }
}

typedef struct member {
    const char *name;
    size_t offset, size_bytes;
} member;

/* Walks the members in OpenCL C, `text`, and returns their bytes. */
static size_t walk_members(const char *text, const member *members, size_t count)
{
    size_t end = 0;

    for (size_t i = 0; i < count; ++i) {
        char type[16], name[32];
        unsigned long elements = 1;
        int taken = 0;

        assert_int_equal(sscanf(text, "%15s %31[a-z_]%n", type, name, &taken), 2);
        text += taken;
        if (sscanf(text, "[%lu]%n", &elements, &taken) == 1)
            text += taken;
        assert_int_equal(*text++, ';');
        assert_string_equal(name, members[i].name);
        assert_int_equal(end, members[i].offset);
        end += elements * (strcmp(type, "ulong") == 0 ? 8 : strcmp(type, "uint") == 0 ? 4 : 0);
        assert_int_equal(end, members[i].offset + members[i].size_bytes);
    }
    assert_int_equal(text[strspn(text, " ")], '\0');
    return end;
}

/* Structs of numbers: each member stands on the device where it does here. */
static void arguments_have_the_hosts_layout(void **state)
{
    (void)state;
#define X(type, name, meaning) {#name, offsetof(STRUCT, name), sizeof((STRUCT *)0)->name},
#define A(type, name, elements, meaning) X(type, name, meaning)
#define STRUCT clscan__run_arguments
    static const member run[] = { CLSCAN__RUN_ARGUMENT_LIST(X, A) };
#undef STRUCT
#define STRUCT clscan__rows_arguments
    static const member rows[] = { CLSCAN__ROWS_ARGUMENT_LIST(X, A) };
#undef STRUCT
#define STRUCT clscan__columns_arguments
    static const member columns[] = { CLSCAN__COLUMNS_ARGUMENT_LIST(X, A) };
#undef STRUCT
#undef A
#undef X
    static const struct {
        const char *members, *bytes;
        const member *all;
        size_t count, size_bytes;
    } structs[] = {
        {"CLSCAN_RUN_MEMBERS", "CLSCAN_RUN_BYTES", run, COUNT_OF(run), sizeof(clscan__run_arguments)},
        {"CLSCAN_ROWS_MEMBERS", "CLSCAN_ROWS_BYTES", rows, COUNT_OF(rows), sizeof(clscan__rows_arguments)},
        {"CLSCAN_COLUMNS_MEMBERS", "CLSCAN_COLUMNS_BYTES", columns, COUNT_OF(columns),
         sizeof(clscan__columns_arguments)},
    };
    const clscan_device_info device = recorded_device("pocl-3.1-pthread");
    clscan__program_spec spec =
        small_spec(&device, small_variant(CLSCAN_BODY_STRIDED, KS, CLSCAN_CARRY_REDUCE_THEN_SCAN, CLSCAN_ORDER_NONE));
    char *source;

    spec.rows = true;
    source = composed(&spec);
    for (size_t i = 0; i < COUNT_OF(structs); ++i) {
        assert_int_equal(walk_members(macro(source, structs[i].members), structs[i].all, structs[i].count),
                         structs[i].size_bytes);
        assert_int_equal(strtoul(macro(source, structs[i].bytes), NULL, 0), structs[i].size_bytes);
    }
    free(source);
}

/* Every kernel that a strategy enqueues is in the program of its carry. */
static void kernels_have_the_strategys_names(void **state)
{
    (void)state;
    const clscan_device_info device = recorded_device("pocl-3.1-pthread");

    for (size_t i = 0; i < CARRIES_WITH_ORDERS; ++i) {
        const clscan_carry carry = carries_with_orders[i].carry;
        const clscan_order order = carries_with_orders[i].order;
        const clscan_variant variant = small_variant(
            carry == CLSCAN_CARRY_LOOKAHEAD ? CLSCAN_BODY_SUBGROUP_ROWS : CLSCAN_BODY_STRIDED, KS, carry, order);
        const clscan__strategy *strategy = clscan__strategy_of(&variant, false);
        const clscan__program_spec spec = small_spec(&device, variant);
        char *source = composed(&spec);

        assert_int_equal(strategy->carry, carry);
        assert_non_null(strategy->kernel_names[0]);
        for (size_t k = 0; k < CLSCAN__KERNELS_PER_STRATEGY && strategy->kernel_names[k] != NULL; ++k) {
            char definition[128];

            snprintf(definition, sizeof definition, "\nvoid %s(", strategy->kernel_names[k]);
            if (strstr(source, definition) == NULL)
                fail_msg("no kernel %s", strategy->kernel_names[k]);
        }
        assert_non_null(strstr(source, "\n__kernel void clscan_empty("));
        free(source);
    }
}

/* Custom operators. */

/* Nothing before the caller's source may change its meaning: only macros of our own prefix. */
static void check_prologue(const char *source)
{
    static const char fp64[] = "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n";
    const char *line = source;

    for (; line != NULL && !begins_with(line, "#line 1 \"operator\"\n"); line = next_line(line))
        if (!begins_with(line, "#define CLSCAN_") && !(line == source && begins_with(line, fp64)))
            fail_msg("before the caller's source: %.*s", (int)strcspn(line, "\n"), line);
    assert_non_null(line);
}

static void callers_source_comes_first(void **state)
{
    (void)state;
    static const char *const devices[] = {"nvidia-h200", "amd-gfx90a", "intel-arc-a770", "apple-m1", "pocl-5.0-cpu"};

    for (size_t i = 0; i < COUNT_OF(devices); ++i)
        for (int type = 0; type < CLSCAN_TYPE_COUNT; ++type) {
            const clscan_device_info device = recorded_device(devices[i]);
            clscan__program_spec spec =
                small_spec(&device, small_variant(CLSCAN_BODY_COALESCED, BK, CLSCAN_CARRY_REDUCE_THEN_SCAN, NO_ORDER));
            char expected[TEXT_BYTES];
            char *source;

            spec.op = CLSCAN_CUSTOM;
            spec.type = (clscan_type)type;
            spec.custom = &keep_last;
            source = composed(&spec);
            check_prologue(source);
            /* Its first line is line 1, it is whole, and what comes behind it begins on a line of its own. The caller's
             * names stand in front of our files only, where variables could hide them. */
            snprintf(expected, sizeof expected, "\n#line 1 \"operator\"\n%s\n#line 1 \"names of the operator\"\n",
                     keep_last.source);
            assert_non_null(strstr(source, expected));
            assert_null(strstr(strstr(source, "#line 1 \"elements/types.cl\"\n"), "keep_last"));
            free(source);
        }
}

static void operator_without_identity_has_none(void **state)
{
    (void)state;
    const clscan_custom_operator first = {
        .struct_size = sizeof first, .source = "int first(int a, int b) { return a; }", .function = "first"};
    const clscan_device_info device = recorded_device("amd-gfx90a");
    clscan__program_spec spec =
        small_spec(&device, small_variant(CLSCAN_BODY_STRIDED, KS, CLSCAN_CARRY_SINGLE, NO_ORDER));
    char *source;

    spec.op = CLSCAN_CUSTOM;
    spec.custom = &first;
    source = composed(&spec);
    assert_false(has_macro(source, "CLSCAN_IDENTITY"));
    free(source);
}

/* A program of the operator alone says whose fault an error is. Where `named`, a directive gives the caller's source
 * its name; otherwise its lines are the program's own. Either way nothing of ours comes before it. */
static void operator_is_composed_alone(void **state)
{
    (void)state;
    const clscan_device_info device = recorded_device("amd-gfx90a");
    clscan__program_spec spec =
        small_spec(&device, small_variant(CLSCAN_BODY_STRIDED, KS, CLSCAN_CARRY_SINGLE, NO_ORDER));

    spec.op = CLSCAN_CUSTOM;
    spec.custom = &keep_last;
    for (int named = 0; named < 2; ++named) {
        char files[TEXT_BYTES], beginning[TEXT_BYTES];
        char *source = NULL;

        assert_int_equal(clscan__operator_compose(&spec, CLSCAN__OPERATOR_FUNCTION, named != 0, &source, NULL),
                         CLSCAN_OK);
        snprintf(beginning, sizeof beginning, "%s%s\n", named ? "#line 1 \"operator\"\n" : "", keep_last.source);
        assert_true(begins_with(source, beginning));
        list_files(source, files, sizeof files);
        assert_string_equal(files, named ? "operator use of the operator" : "use of the operator");
        assert_string_equal(macro(source, "CLSCAN_A"), "int");
        free(source);

        assert_int_equal(clscan__operator_compose(&spec, CLSCAN__OPERATOR_IDENTITY, named != 0, &source, NULL),
                         CLSCAN_OK);
        assert_true(begins_with(source, beginning));
        list_files(source, files, sizeof files);
        assert_string_equal(files,
                            named ? "operator use of the operator identity identity identity" : "use of the operator");
        free(source);
    }
}

/* Revisions: what was measured is a variant's kernels, not the problem that they were measured with. */

static clscan__program_spec revised_spec(const clscan_device_info *device)
{
    return small_spec(device, small_variant(CLSCAN_BODY_COALESCED, KS, CLSCAN_CARRY_ADJACENT, CLSCAN_ORDER_DYNAMIC));
}

static void revision_of(const clscan__program_spec *spec, char revision[17])
{
    char *source = NULL;

    memset(revision, 'x', 17);
    assert_int_equal(clscan__program_compose_revision(spec, &source, revision, NULL), CLSCAN_OK);
    free(source);
    assert_int_equal(strlen(revision), 16); /* as configs want it */
    assert_int_equal(strspn(revision, "0123456789abcdef"), 16);
}

#define REVISIONS_MAX 64

typedef struct revision_list {
    char revisions[REVISIONS_MAX][17];
    const char *changed[REVISIONS_MAX];
    size_t count;
} revision_list;

static void add_revision(revision_list *list, const clscan__program_spec *spec, const char *changed)
{
    assert_true(list->count < REVISIONS_MAX);
    revision_of(spec, list->revisions[list->count]);
    for (size_t i = 0; i < list->count; ++i)
        if (strcmp(list->revisions[i], list->revisions[list->count]) == 0)
            fail_msg("%s and %s have one revision", list->changed[i], changed);
    list->changed[list->count++] = changed;
}

static void revision_changes_with_the_variant(void **state)
{
    (void)state;
    clscan_device_info device = recorded_device("amd-gfx90a");
    const clscan__program_spec base = revised_spec(&device);
    revision_list list = {.count = 0};

    add_revision(&list, &base, "nothing");
    for (size_t i = 0; i < CLSCAN__AXIS_COUNT; ++i)
        for (uint32_t value = 0; value < clscan__axes[i].value_count; ++value) {
            clscan__program_spec spec = base;

            /* The carry of the base needs an order. */
            if (value == clscan__axis_get(&clscan__axes[i], &base.variant) ||
                (i == CLSCAN__AXIS_ORDER && value == CLSCAN_ORDER_NONE))
                continue;
            clscan__axis_set(&clscan__axes[i], &spec.variant, value);
            add_revision(&list, &spec, clscan__axes[i].name);
        }
    for (size_t i = 0; i < CLSCAN_PARAM_COUNT; ++i) {
        clscan__program_spec spec = base;

        clscan__param_set(&clscan__params[i], &spec.variant, 63);
        add_revision(&list, &spec, clscan__params[i].name);
    }
    /* What the device decides stands in the defines only. */
    device.sub_group_size = 1;
    add_revision(&list, &base, "how thread groups synchronise");
    /* A mechanism is a file of its own. */
    device.mechanism = CLSCAN_MECHANISM_ATOMIC64;
    add_revision(&list, &base, "mechanism");
    assert_true(list.count >= 14);
}

static void check_same_revision(const clscan__program_spec *spec, const char *want, const char *changed)
{
    char revision[17];

    revision_of(spec, revision);
    if (strcmp(revision, want) != 0)
        fail_msg("%s changes the revision", changed);
}

static void revision_is_the_same_for_every_problem(void **state)
{
    (void)state;
    const clscan_device_info device = recorded_device("amd-gfx90a");
    clscan_device_info other = device;
    const clscan__program_spec base = revised_spec(&device);
    clscan__program_spec spec = base;
    char want[17];

    revision_of(&base, want);
    check_same_revision(&base, want, "asking again");
    for (int type = 0; type < CLSCAN_TYPE_COUNT; ++type) {
        spec.type = (clscan_type)type;
        check_same_revision(&spec, want, "the type");
    }
    for (int op = 0; op < CLSCAN_OPERATOR_COUNT; ++op) {
        spec.op = (clscan_operator)op;
        spec.custom = op == CLSCAN_CUSTOM ? &keep_last : NULL;
        check_same_revision(&spec, want, "the operator");
    }
    spec.form = CLSCAN_EXCLUSIVE;
    spec.direction = CLSCAN_REVERSE;
    check_same_revision(&spec, want, "form or direction");
    /* Options for tests must not make every entry of a config look stale. */
    spec.poll_limit = 1;
    spec.hold_interval = 3;
    spec.count_events = 1;
    check_same_revision(&spec, want, "an option for tests");
    strcpy(other.name, "another");
    strcpy(other.key, "another");
    strcpy(other.driver_version, "another");
    other.compute_units = 1;
    spec.device = &other;
    check_same_revision(&spec, want, "the device's name or size");
}

static void revision_is_told_without_a_plan(void **state)
{
    (void)state;
    const clscan_device_info device = recorded_device("nvidia-h200");
    clscan_variant variant = revised_spec(&device).variant;
    clscan_problem problem = {.struct_size = sizeof problem, .type = CLSCAN_HALF, .op = CLSCAN_CUSTOM};
    clscan__program_spec spec = small_spec(&device, variant);
    char want[17], got[CLSCAN_REVISION_BYTES];

    revision_of(&spec, want);
    assert_int_equal(clscan_variant_revision(&variant, &problem, &device, got, NULL), CLSCAN_OK);
    assert_string_equal(got, want);
    /* Not for what the device cannot run, nor in another order than the entry's. */
    problem.reproducible = 1;
    assert_int_equal(clscan_variant_revision(&variant, &problem, &device, got, NULL), CLSCAN_ERROR_ILLEGAL_VARIANT);
    problem.type = CLSCAN_INT32; /* of integers the order makes no difference */
    assert_int_equal(clscan_variant_revision(&variant, &problem, &device, got, NULL), CLSCAN_OK);
    assert_string_equal(got, want);
    assert_int_equal(clscan_variant_revision(&variant, &problem, NULL, got, NULL), CLSCAN_ERROR_NULL_ARGUMENT);
    assert_int_equal(clscan_variant_revision(&variant, &problem, &device, NULL, NULL), CLSCAN_ERROR_NULL_ARGUMENT);
    assert_int_equal(clscan_variant_revision(NULL, &problem, &device, got, NULL), CLSCAN_ERROR_NULL_ARGUMENT);
}

/* Problems that are scans once they are taken: what fills the outputs of operation repeat is no part of a variant. */
static void revision_is_told_of_problems_that_become_scans(void **state)
{
    (void)state;
    const clscan_device_info device = recorded_device("nvidia-h200");
    const clscan_variant variant = revised_spec(&device).variant;
    const clscan_select lengths = {.struct_size = sizeof lengths, .length_bytes = 4};
    const clscan_segments keys = {.struct_size = sizeof keys, .by = CLSCAN_BY_KEYS};
    const clscan_problem scan = {.struct_size = sizeof scan, .type = CLSCAN_UINT32, .max_count = 9},
                         repeat = {.struct_size = sizeof repeat,
                                   .operation = CLSCAN_REPEAT,
                                   .type = CLSCAN_DOUBLE,
                                   .max_count = 9,
                                   .select = &lengths},
                         sums = {.struct_size = sizeof sums,
                                 .operation = CLSCAN_REDUCE,
                                 .type = CLSCAN_UINT32,
                                 .max_count = 9,
                                 .segments = &keys};
    char want[CLSCAN_REVISION_BYTES], got[CLSCAN_REVISION_BYTES];

    assert_int_equal(clscan_variant_revision(&variant, &scan, &device, want, NULL), CLSCAN_OK);
    assert_int_equal(clscan_variant_revision(&variant, &repeat, &device, got, NULL), CLSCAN_OK);
    assert_string_equal(got, want);
    assert_int_equal(clscan_variant_revision(&variant, &sums, &device, got, NULL), CLSCAN_OK);
}

/* CLSCAN_KERNEL_DIR. */

static int make_kernel_folder(void **state)
{
    *state = temporary_folder_create();
    for (size_t i = 0; i < clscan__embedded_kernel_count; ++i)
        temporary_folder_write(*state, clscan__embedded_kernels[i].name, clscan__embedded_kernels[i].text,
                               clscan__embedded_kernels[i].text_bytes);
    return 0;
}

static int remove_kernel_folder(void **state)
{
    unsetenv("CLSCAN_KERNEL_DIR");
    temporary_folder_remove(*state);
    return 0;
}

static clscan__program_spec single_spec(const clscan_device_info *device)
{
    return small_spec(device, small_variant(CLSCAN_BODY_STRIDED, KS, CLSCAN_CARRY_SINGLE, NO_ORDER));
}

static void folder_replaces_kernel_files(void **state)
{
    static const char replacement[] = "// Replaced.\n// And so is this line.\n";
    const clscan_device_info device = recorded_device("amd-gfx90a");
    const clscan__program_spec spec = single_spec(&device);
    char *embedded = composed(&spec);
    char *source;

    setenv("CLSCAN_KERNEL_DIR", "", 1);
    source = composed(&spec);
    assert_string_equal(source, embedded); /* empty means unset */
    free(source);

    setenv("CLSCAN_KERNEL_DIR", *state, 1);
    source = composed(&spec);
    assert_string_equal(source, embedded); /* the same files, the same text */
    free(source);

    temporary_folder_write(*state, "carries/walk.cl", replacement, strlen(replacement));
    source = composed(&spec);
    assert_non_null(strstr(source, "\n#line 1 \"carries/walk.cl\"\n// Replaced.\n// And so is this line.\n#line 1 "
                                   "\"carries/count.cl\"\n"));
    assert_null(strstr(source, "clscan_walk(__local"));
    /* What stands before it is untouched. */
    assert_memory_equal(source, embedded, (size_t)(strstr(embedded, "#line 1 \"carries/walk.cl\"") - embedded));
    free(source);
    free(embedded);
}

static void revision_changes_with_the_files(void **state)
{
    static const char addition[] = "// Changed.\n";
    const clscan_device_info device = recorded_device("amd-gfx90a");
    const clscan__program_spec spec = single_spec(&device);
    char embedded[17];

    revision_of(&spec, embedded);
    setenv("CLSCAN_KERNEL_DIR", *state, 1);
    check_same_revision(&spec, embedded, "a folder with the same files");
    for (size_t i = 0; i < clscan__embedded_kernel_count; ++i) {
        const clscan__embedded_file *file = &clscan__embedded_kernels[i];
        char *changed = malloc(file->text_bytes + sizeof addition);
        char *source = composed(&spec);
        char directive[128], revision[17];
        bool is_part;

        snprintf(directive, sizeof directive, "\n#line 1 \"%s\"\n", file->name);
        is_part = strstr(source, directive) != NULL;
        assert_non_null(changed);
        memcpy(changed, file->text, file->text_bytes);
        memcpy(changed + file->text_bytes, addition, sizeof addition);
        temporary_folder_write(*state, file->name, changed, file->text_bytes + strlen(addition));
        revision_of(&spec, revision);
        if ((strcmp(revision, embedded) != 0) != is_part)
            fail_msg("%s is %spart of the program, and its change is %sseen", file->name, is_part ? "" : "no ",
                     is_part ? "not " : "");
        temporary_folder_write(*state, file->name, file->text, file->text_bytes);
        free(changed);
        free(source);
    }
}

static void revision_needs_the_files(void **state)
{
    const clscan_device_info device = recorded_device("amd-gfx90a");
    const clscan__program_spec spec = single_spec(&device);
    char *path = temporary_folder_path(*state, "carries/walk.cl");
    char revision[17], *source = NULL;
    clscan_error error = {0};

    setenv("CLSCAN_KERNEL_DIR", *state, 1);
    assert_int_equal(remove(path), 0);
    assert_int_equal(clscan__program_compose_revision(&spec, &source, revision, &error), CLSCAN_ERROR_FILE);
    assert_null(source);
    assert_non_null(strstr(error.message, path));
    free(path);
}

/* A developer's editor need not end a file with a newline. */
static void replaced_file_need_not_end_in_a_newline(void **state)
{
    const clscan_device_info device = recorded_device("amd-gfx90a");
    const clscan__program_spec spec = single_spec(&device);
    char *source;

    temporary_folder_write(*state, "carries/walk.cl", "// no newline", strlen("// no newline"));
    setenv("CLSCAN_KERNEL_DIR", *state, 1);
    source = composed(&spec);
    assert_non_null(strstr(source, "// no newline\n#line 1 \"carries/count.cl\"\n"));
    free(source);
}

static void missing_kernel_file_is_named(void **state)
{
    static const char *const names[] = {"elements/types.cl", "bodies/strided.cl", "carries/count.cl",
                                        "carries/empty.cl"};
    const clscan_device_info device = recorded_device("amd-gfx90a");
    const clscan__program_spec spec = single_spec(&device);

    setenv("CLSCAN_KERNEL_DIR", *state, 1);
    for (size_t i = 0; i < COUNT_OF(names); ++i) {
        char *path = temporary_folder_path(*state, names[i]);
        char *source = NULL, *whole;
        clscan_error error = {0};

        whole = composed(&spec);
        assert_int_equal(remove(path), 0);
        assert_int_equal(clscan__program_compose(&spec, &source, &error), CLSCAN_ERROR_FILE);
        assert_int_equal(error.status, CLSCAN_ERROR_FILE);
        assert_non_null(strstr(error.message, path)); /* no fallback to the embedded one: it would hide the slip */
        assert_null(source);
        temporary_folder_write(*state, names[i], "\n", 1);
        free(whole);
        free(path);
    }
}

static void file_that_no_program_needs_may_be_missing(void **state)
{
    const clscan_device_info device = recorded_device("amd-gfx90a");
    const clscan__program_spec spec = single_spec(&device);
    char *path = temporary_folder_path(*state, "comm/ptx.cl");

    setenv("CLSCAN_KERNEL_DIR", *state, 1);
    assert_int_equal(remove(path), 0);
    free(composed(&spec));
    free(path);
}

static void missing_kernel_folder_is_named(void **state)
{
    (void)state;
    const clscan_device_info device = recorded_device("amd-gfx90a");
    const clscan__program_spec spec = single_spec(&device);
    char *source = NULL;
    clscan_error error = {0};

    setenv("CLSCAN_KERNEL_DIR", "/no/such/folder", 1);
    assert_int_equal(clscan__program_compose(&spec, &source, &error), CLSCAN_ERROR_FILE);
    assert_non_null(strstr(error.message, "/no/such/folder/elements/types.cl"));
    assert_null(source);
    unsetenv("CLSCAN_KERNEL_DIR");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(programs_are_composed_of_their_choices),
        cmocka_unit_test(the_probe_adds_its_kernel),
        cmocka_unit_test(mechanism_chooses_the_communication),
        cmocka_unit_test(every_kernel_file_is_used),
        cmocka_unit_test(words_of_bytes_leave_as_bytes),
        cmocka_unit_test(thread_groups_synchronise_as_the_device_allows),
        cmocka_unit_test(sub_groups_are_required_where_they_matter),
        cmocka_unit_test(the_ways_to_synchronise_differ),
        cmocka_unit_test(compiler_options_follow_the_mechanism),
        cmocka_unit_test(lookahead_bounds_its_registers),
        cmocka_unit_test(every_parameter_is_rendered),
        cmocka_unit_test(types_are_rendered),
        cmocka_unit_test(callers_type_is_rendered),
        cmocka_unit_test(operators_are_rendered),
        cmocka_unit_test(lanes_are_for_cpus_and_operators_that_commute),
        cmocka_unit_test(host_and_kernels_agree),
        cmocka_unit_test(arguments_have_the_hosts_layout),
        cmocka_unit_test(kernels_have_the_strategys_names),
        cmocka_unit_test(callers_source_comes_first),
        cmocka_unit_test(operator_without_identity_has_none),
        cmocka_unit_test(operator_is_composed_alone),
        cmocka_unit_test(revision_changes_with_the_variant),
        cmocka_unit_test(revision_is_the_same_for_every_problem),
        cmocka_unit_test(revision_is_told_without_a_plan),
        cmocka_unit_test(revision_is_told_of_problems_that_become_scans),
        cmocka_unit_test_setup_teardown(revision_changes_with_the_files, make_kernel_folder, remove_kernel_folder),
        cmocka_unit_test_setup_teardown(revision_needs_the_files, make_kernel_folder, remove_kernel_folder),
        cmocka_unit_test_setup_teardown(folder_replaces_kernel_files, make_kernel_folder, remove_kernel_folder),
        cmocka_unit_test_setup_teardown(replaced_file_need_not_end_in_a_newline, make_kernel_folder,
                                        remove_kernel_folder),
        cmocka_unit_test_setup_teardown(missing_kernel_file_is_named, make_kernel_folder, remove_kernel_folder),
        cmocka_unit_test_setup_teardown(file_that_no_program_needs_may_be_missing, make_kernel_folder,
                                        remove_kernel_folder),
        cmocka_unit_test(missing_kernel_folder_is_named),
    };

    unsetenv("CLSCAN_KERNEL_DIR"); /* a developer's own would be tested instead */
    return cmocka_run_group_tests(tests, NULL, NULL);
}
