/* clscan-compose: write the programs that a described device would compile, for scripts/check-offline.
 *
 *   clscan-compose entries DEVICE.json FOLDER      every variant that configs choose for the device
 *   clscan-compose rows DEVICE.json FOLDER         what the device chooses for many scans in one run
 *   clscan-compose structures DEVICE.json FOLDER   every body, group scan, carry, order and mechanism, small; the probe
 *   clscan-compose structs DEVICE.json FOLDER      every variant that configs choose for elements that are no scalars
 *   clscan-compose selections DEVICE.json FOLDER   every variant that configs choose for selections and repetitions
 *   clscan-compose segments DEVICE.json FOLDER     every variant that configs choose for segments, their scans and sums
 *   clscan-compose typed DEVICE.json FOLDER        what configs choose for maps and sums of other types
 *   clscan-compose sums DEVICE.json FOLDER         every body, carry and order for elements that are no scalars
 *
 * DEVICE.json describes the device as tests/fixtures/devices/ do. FOLDER, which exists, receives the programs and
 * index.json, which says for each what it is and with which options it is compiled. The text is the library's own. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <clscan/clscan.h>
#include <jansson.h>

#include "config/rows.h"
#include "config/select.h"
#include "config/variant.h"
#include "device/raw.h"
#include "device_fixture.h"
#include "element/described.h"
#include "element/operators.h"
#include "element/problem.h"
#include "engine/rows.h"
#include "probe/rig.h"
#include "problem_of.h"
#include "program/compose.h"
#include "program/repetition.h"
#include "reference.h"

/* One type per size of element, and the floating-point ones. */
static const clscan_type types[] = {CLSCAN_UINT8, CLSCAN_UINT16, CLSCAN_UINT32, CLSCAN_UINT64,
                                    CLSCAN_HALF,  CLSCAN_FLOAT,  CLSCAN_DOUBLE};
#define TYPE_COUNT (sizeof types / sizeof types[0])

static const clscan_operator operators[] = {CLSCAN_ADD, CLSCAN_CUSTOM};
#define OPERATOR_COUNT (sizeof operators / sizeof operators[0])

/* The programs so far. */
typedef struct output {
    clscan_device_info device;
    const char *folder;
    json_t *index; /* array */
} output;

/* Sum forward and inclusive; the custom operator the other way round, so that both ways are compiled. */
static clscan__program_spec spec_of(const clscan_device_info *device, clscan_type type, clscan_operator op,
                                    const clscan_variant *variant)
{
    clscan__program_spec spec = {.device = device,
                                 .type = type,
                                 .op = op,
                                 .form = CLSCAN_INCLUSIVE,
                                 .direction = CLSCAN_FORWARD,
                                 .variant = *variant,
                                 .poll_limit = 1u << 18};

    if (op == CLSCAN_CUSTOM) {
        const clscan_sample_operator *sample = clscan_sample_find(CLSCAN_SAMPLE_AFFINE, type);

        if (sample == NULL)
            sample = clscan_sample_find(CLSCAN_SAMPLE_KEEP_LAST, type);
        spec.custom = &sample->custom;
        spec.form = CLSCAN_EXCLUSIVE;
        spec.direction = CLSCAN_REVERSE;
    }
    return spec;
}

static bool write_text(const char *folder, const char *name, const char *text)
{
    char path[1024];
    FILE *file;
    bool written;

    snprintf(path, sizeof path, "%s/%s", folder, name);
    file = fopen(path, "w");
    written = file != NULL && fputs(text, file) >= 0;
    if (file != NULL && fclose(file) != 0)
        written = false;
    if (!written)
        fprintf(stderr, "clscan-compose: cannot write %s\n", path);
    return written;
}

/* What is scanned, by which segments and how, or selected and how. */
static const char *element_of(const clscan__program_spec *spec, char *text, size_t size_bytes)
{
    const clscan__elements *elements = spec->elements;

    if (elements == NULL)
        return clscan_type_name(spec->type);
    if (elements->segmented != NULL) {
        snprintf(text, size_bytes, "%s by %s %s%s", clscan__element_value_name(&elements->in),
                 clscan_segments_by_name(elements->segmented->by),
                 elements->maps->discards         ? "sums"
                 : elements->segmented->exclusive ? "exclusive"
                                                  : "inclusive",
                 elements->segmented->reverse ? " reverse" : "");
        return text;
    }
    if (elements->maps == NULL || !elements->maps->selects)
        return clscan__program_accumulator(spec);
    snprintf(text, size_bytes, "%s by %s%s", clscan__element_value_name(&elements->in),
             elements->maps->flag_bytes > 0 ? "flags"
             : elements->maps->sees_before  ? "neighbours"
                                            : "predicate",
             elements->maps->rest           ? " with the rest"
             : elements->maps->length_bytes ? " with lengths"
                                            : "");
    return text;
}

static bool in_index(const output *out, const char *config, const char *variant, const char *element,
                     clscan_operator op)
{
    size_t i;
    json_t *item;

    json_array_foreach(out->index, i, item)
    {
        if (strcmp(json_string_value(json_object_get(item, "config")), config) == 0 &&
            strcmp(json_string_value(json_object_get(item, "variant")), variant) == 0 &&
            strcmp(json_string_value(json_object_get(item, "type")), element) == 0 &&
            strcmp(json_string_value(json_object_get(item, "operator")), clscan_operator_name(op)) == 0)
            return true;
    }
    return false;
}

/* Compose one program, unless it is there already. `config`: the file that names the variant, with the entry, or "". */
static bool add_program(output *out, const char *config, const char *entry, const clscan__program_spec *spec)
{
    char variant[512], name[32], options[CLSCAN__OPTIONS_BYTES], room[64];
    const char *element = element_of(spec, room, sizeof room);
    char *source = NULL;
    clscan_error error;
    bool added;

    clscan_variant_format(&spec->variant, variant, sizeof variant);
    if (config[0] != '\0' && in_index(out, config, variant, element, spec->op))
        return true;
    if (clscan__program_compose(spec, &source, &error) != CLSCAN_OK) {
        fprintf(stderr, "clscan-compose: %s\n", error.message);
        return false;
    }
    snprintf(name, sizeof name, "%04zu.cl", json_array_size(out->index));
    added = write_text(out->folder, name, source);
    free(source);
    return added &&
           json_array_append_new(out->index, json_pack("{s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:i}", "program", name,
                                                       "options", clscan__program_options(spec, options), "config",
                                                       config, "entry", entry, "variant", variant, "type", element,
                                                       "operator", clscan_operator_name(spec->op), "mechanism",
                                                       clscan__variant_has_order(&spec->variant)
                                                           ? clscan_mechanism_name(spec->device->mechanism)
                                                           : "",
                                                       "work_group_size", (int)spec->variant.work_group_size)) == 0;
}

/* What the device uses for many rows of one problem. */
static bool add_choice_for_rows(output *out, const clscan__selector *selector, clscan_type type, clscan_operator op,
                                bool reproducible)
{
    const clscan_rows rows = {.struct_size = sizeof rows, .count = 1 << 14};
    const clscan_problem problem = {
        .struct_size = sizeof problem, .type = type, .op = op, .reproducible = reproducible, .rows = &rows};
    clscan_problem most = problem;
    const char *const entry = reproducible ? "reproducible rows" : "rows";
    clscan_choice choice;
    clscan__program_spec spec;

    most.max_count = 1 << 22;
    clscan__choose_for_rows(selector, &out->device, &problem, 1 << 14, 0, &choice);
    spec = spec_of(&out->device, type, op, &choice.variant);
    spec.rows = true;
    spec.reproducible = reproducible;
    if (!add_program(out, choice.source, entry, &spec))
        return false;
    if (clscan__rows_chain(&spec.variant, &most, 0, &out->device) && !add_program(out, choice.source, entry, &spec))
        return false;
    clscan__selector_choose(selector, &out->device, &most, most.max_count * rows.count, 0, &choice);
    spec.variant = choice.variant;
    return !clscan__rows_join(&spec.variant, &most, 0, &out->device) || add_program(out, choice.source, entry, &spec);
}

/* What the device uses for one problem, for every count. */
static bool add_choices(output *out, const clscan__selector *selector, const clscan_device_info *device,
                        clscan_type type, clscan_operator op, bool reproducible, int in_place)
{
    const clscan_problem problem = {
        .struct_size = sizeof problem, .type = type, .op = op, .reproducible = reproducible};
    clscan_choice choice = {.struct_size = sizeof choice, .largest_count = 0};

    do {
        clscan__program_spec spec;

        clscan__selector_choose(selector, device, &problem, choice.largest_count + 1, in_place, &choice);
        spec = spec_of(&out->device, type, op, &choice.variant);
        spec.reproducible = reproducible;
        if (!add_program(out, choice.source, choice.entry, &spec))
            return false;
    } while (choice.largest_count != UINT64_MAX);
    return true;
}

/* Of the built-in configs; NULL after a message. */
static clscan__selector *open_selector(void)
{
    clscan__selector *selector = NULL;
    clscan_error error;

    if (clscan__selector_create(NULL, &selector, &error) != CLSCAN_OK)
        fprintf(stderr, "clscan-compose: %s\n", error.message);
    return selector;
}

static bool add_entries(output *out, bool rows)
{
    /* Configs of one model are not those of the others of its architecture. */
    clscan_device_info other = out->device;
    clscan__selector *selector = open_selector();
    bool added = selector != NULL;

    snprintf(other.key, sizeof other.key, "another-model");
    for (size_t t = 0; t < TYPE_COUNT; ++t) {
        if (clscan_device_check_type(&out->device, types[t], NULL) != CLSCAN_OK)
            continue;
        for (size_t o = 0; o < OPERATOR_COUNT; ++o)
            for (int way = 0; way < 4; ++way) {
                const int in_place = way % 2;
                const bool asked = way / 2 > 0,
                           reproducible = asked && !clscan__operator_is_exact(operators[o], types[t]);

                if (!rows)
                    added = added &&
                            add_choices(out, selector, &out->device, types[t], operators[o], reproducible, in_place) &&
                            add_choices(out, selector, &other, types[t], operators[o], reproducible, in_place);
                else if (!in_place && reproducible == asked)
                    added = added && add_choice_for_rows(out, selector, types[t], operators[o], reproducible);
            }
    }
    clscan__selector_destroy(selector);
    return added;
}

/* Elements that are no scalars: of 8, 16, 32 and 64 bytes, ready-made and vectors. */
static const clscan_ready ready_made[] = {CLSCAN_READY_AFFINE_FLOAT, CLSCAN_READY_ARG_MAX_FLOAT,
                                          CLSCAN_READY_MATRIX2_FLOAT, CLSCAN_READY_MATRIX2_DOUBLE};
static const clscan_element vectors[] = {
    {sizeof(clscan_element), .type = CLSCAN_INT32, .lanes = 4},
    {sizeof(clscan_element), .type = CLSCAN_UINT64, .lanes = 8},
};

/* What the device uses for one problem that is not plain, for every count, not in place. */
static bool add_described(output *out, const clscan__selector *selector, const clscan_problem *asked)
{
    const clscan_problem *problem = asked;
    clscan_choice choice = {.struct_size = sizeof choice, .largest_count = 0};
    clscan__problem_room room;
    clscan__described described;
    clscan_error error;

    if (clscan__problem_take(&problem, &room, &error) != CLSCAN_OK) {
        fprintf(stderr, "clscan-compose: %s\n", error.message);
        return false;
    }
    clscan__describe(problem, &described);
    do {
        clscan__program_spec spec;

        clscan__selector_choose(selector, &out->device, problem, choice.largest_count + 1, 0, &choice);
        spec = spec_of(&out->device, problem->type, CLSCAN_ADD, &choice.variant);
        spec.elements = described.elements;
        if (problem->operation == CLSCAN_SELECT || clscan__problem_repeats(problem)) {
            spec.form = CLSCAN_EXCLUSIVE;
            described.repetition_room.work_group_size = clscan__expand_work_group_size(&out->device);
            spec.repetition = described.repetition;
        } else {
            spec.op = described.op;
            spec.custom = &described.custom;
            spec.form = problem->form;
            spec.direction = problem->direction;
        }
        if (!add_program(out, choice.source, choice.entry, &spec))
            return false;
    } while (choice.largest_count != UINT64_MAX);
    return true;
}

static bool add_structs(output *out)
{
    clscan__selector *selector = open_selector();
    bool added = selector != NULL;

    for (size_t i = 0; i < sizeof ready_made / sizeof ready_made[0]; ++i) {
        clscan_element element = {.struct_size = sizeof element};
        clscan_custom_operator custom = {.struct_size = sizeof custom};
        const clscan_problem problem = {.struct_size = sizeof problem,
                                        .element = &element,
                                        .op = CLSCAN_CUSTOM,
                                        .custom = &custom,
                                        .max_count = UINT64_MAX};

        clscan_ready_get(ready_made[i], &element, &custom);
        if (ready_made[i] != CLSCAN_READY_MATRIX2_DOUBLE || out->device.has_double)
            added = added && add_described(out, selector, &problem);
    }
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; ++i) {
        const clscan_problem problem = {
            .struct_size = sizeof problem, .element = &vectors[i], .op = CLSCAN_ADD, .max_count = UINT64_MAX};

        added = added && add_described(out, selector, &problem);
    }
    clscan__selector_destroy(selector);
    return added;
}

/* Scans between several types, and with maps: what clscan-bench has in its suite `elements`. */
static bool add_typed(output *out)
{
    static const clscan_map square = {.struct_size = sizeof square, .expression = "element * element"};
    static const clscan_map half_of = {.struct_size = sizeof half_of, .expression = "sum / 2"};
    static const clscan_element sums[] = {{.struct_size = sizeof sums[0], .type = CLSCAN_UINT64},
                                          {.struct_size = sizeof sums[0], .type = CLSCAN_INT64},
                                          {.struct_size = sizeof sums[0], .type = CLSCAN_FLOAT},
                                          {.struct_size = sizeof sums[0], .type = CLSCAN_DOUBLE}};
    const clscan_problem problems[] = {
        {.type = CLSCAN_UINT32, .accumulator = &sums[0], .output = &sums[0]},
        {.type = CLSCAN_INT8, .accumulator = &sums[1], .output = &sums[1]},
        {.type = CLSCAN_HALF, .accumulator = &sums[2], .output = &sums[2]},
        {.type = CLSCAN_FLOAT, .accumulator = &sums[3], .output = &sums[2]},
        {.type = CLSCAN_INT32, .load = &square},
        {.type = CLSCAN_INT32, .store = &half_of},
    };
    clscan__selector *selector = open_selector();
    bool added = selector != NULL;

    for (size_t i = 0; i < sizeof problems / sizeof problems[0]; ++i) {
        clscan_problem problem = problems[i];

        problem.struct_size = sizeof problem;
        problem.max_count = UINT64_C(1) << 28;
        if (problem.accumulator != &sums[3] || out->device.has_double)
            added = added && add_described(out, selector, &problem);
    }
    clscan__selector_destroy(selector);
    return added;
}

/* What the device uses for selections of some elements: by flags of a byte, alone and with the rest behind, by a
 * predicate, in three, the first of equal elements, and those with how many there are of each; of indices; and to
 * repeat elements. */
static bool add_selections(output *out)
{
    static const clscan_type selected[] = {CLSCAN_UINT8, CLSCAN_INT16, CLSCAN_INT32, CLSCAN_INT64};
    static const clscan_select flags = {.struct_size = sizeof flags, .flag_bytes = 1},
                               rest = {.struct_size = sizeof rest, .flag_bytes = 1, .rest = CLSCAN_REST_BEHIND},
                               three_way = {.struct_size = sizeof three_way, .rest = CLSCAN_REST_THREE_WAY},
                               lengths = {.struct_size = sizeof lengths, .length_bytes = 4},
                               long_runs = {.struct_size = sizeof long_runs,
                                            .length_bytes = 4,
                                            .index_bytes = 8,
                                            .long_runs = 1};
    static const clscan_map odd = {.struct_size = sizeof odd, .expression = "(element & 1) != 0"},
                            part = {.struct_size = sizeof part, .expression = "element & 3"},
                            first = {.struct_size = sizeof first, .expression = "index == 0 || element != before"};
    static const struct {
        const clscan_select *select;
        const clscan_map *load;
    } ways[] = {{&flags, NULL}, {&rest, NULL},      {NULL, &odd},        {&three_way, &part},
                {NULL, &first}, {&lengths, &first}, {&long_runs, &first}};
    static const clscan_map index = {.struct_size = sizeof index, .expression = "(uint)index"};
    static const clscan_element index_type = {.struct_size = sizeof index_type, .type = CLSCAN_UINT32};
    const clscan_problem indices = {.struct_size = sizeof indices,
                                    .operation = CLSCAN_SELECT,
                                    .type = CLSCAN_UINT32,
                                    .max_count = UINT32_MAX,
                                    .select = &flags,
                                    .store = &index,
                                    .output = &index_type};
    const clscan_problem widened = {.struct_size = sizeof widened,
                                    .operation = CLSCAN_SELECT,
                                    .type = CLSCAN_UINT8,
                                    .max_count = UINT32_MAX,
                                    .load = &odd,
                                    .output = &index_type};
    const clscan_problem repeat = {sizeof repeat, CLSCAN_REPEAT, CLSCAN_INT32, .max_count = 1u << 28,
                                   .select = &lengths};
    clscan__selector *selector = open_selector();
    bool added = selector != NULL;

    for (size_t i = 0; i < sizeof selected / sizeof selected[0]; ++i) {
        for (size_t way = 0; way < sizeof ways / sizeof ways[0]; ++way) {
            const clscan_problem problem = {.struct_size = sizeof problem,
                                            .operation = CLSCAN_SELECT,
                                            .type = selected[i],
                                            .max_count = ways[way].select == &three_way ? UINT32_MAX : UINT64_MAX,
                                            .select = ways[way].select,
                                            .load = ways[way].load};

            added = added && add_described(out, selector, &problem);
        }
    }
    added = added && add_described(out, selector, &indices) && add_described(out, selector, &widened);
    added = added && add_described(out, selector, &repeat);
    clscan__selector_destroy(selector);
    return added;
}

/* What the device uses for segments, of one size by all that says where they begin and of the others by flags and keys:
 * scans, inclusive, exclusive, and in reverse, and sums. */
static bool add_segments(output *out)
{
    static const clscan_type scanned[] = {CLSCAN_INT32, CLSCAN_UINT8, CLSCAN_INT16, CLSCAN_INT64};
    static const clscan_segments ways[] = {
        {.struct_size = sizeof ways[0], .by = CLSCAN_BY_FLAGS, .type = CLSCAN_UINT8},
        {.struct_size = sizeof ways[0], .by = CLSCAN_BY_KEYS, .type = CLSCAN_INT32},
        {.struct_size = sizeof ways[0], .by = CLSCAN_BY_BITS},
        {.struct_size = sizeof ways[0], .by = CLSCAN_BY_OFFSETS, .type = CLSCAN_UINT32},
    };
    clscan__selector *selector = open_selector();
    bool added = selector != NULL;

    for (size_t i = 0; i < sizeof scanned / sizeof scanned[0]; ++i)
        for (size_t way = 0; way < (i == 0 ? 4 : 2); ++way)
            for (int turn = 0; turn < 4; ++turn) {
                const clscan_problem problem = {.struct_size = sizeof problem,
                                                .operation = turn > 2 ? CLSCAN_REDUCE : CLSCAN_SCAN,
                                                .type = scanned[i],
                                                .form = turn % 3 > 0 ? CLSCAN_EXCLUSIVE : CLSCAN_INCLUSIVE,
                                                .direction = turn == 2 ? CLSCAN_REVERSE : CLSCAN_FORWARD,
                                                .max_count = 1u << 28,
                                                .segments = &ways[way]};

                added = added && add_described(out, selector, &problem);
            }
    clscan__selector_destroy(selector);
    return added;
}

/* The mechanisms that the device's offline compiler can translate. */
static bool has_mechanism(const clscan_device_info *device, clscan_mechanism mechanism)
{
    switch (mechanism) {
    case CLSCAN_MECHANISM_PTX:
        return device->nv_compute_capability >= 70;
    case CLSCAN_MECHANISM_C11:
        return device->has_device_scope && device->has_int64_atomics;
    case CLSCAN_MECHANISM_ATOMIC64:
        /* Not in libclc, which NVIDIA's programs are compiled with; only GPUs older than PTX's accesses use it. */
        return device->has_int64_atomics && device->nv_compute_capability == 0;
    case CLSCAN_MECHANISM_ATOMIC32:
        return true;
    default:
        return false;
    }
}

static clscan_variant small_variant(int body, int group_scan, int carry, int order)
{
    clscan_variant variant = {.body = (uint32_t)body,
                              .group_scan = (uint32_t)group_scan,
                              .carry = (uint32_t)carry,
                              .order = (uint32_t)order,
                              .work_group_size = 128,
                              .vector_length = 4,
                              .register_pieces = 1,
                              .local_pieces = 1};

    if (body == CLSCAN_BODY_SUBGROUP_ROWS)
        variant.local_pieces = 0;
    if (clscan_variant_needs(&variant, CLSCAN_PARAM_thread_group_size))
        variant.thread_group_size = 16;
    if (clscan_variant_needs(&variant, CLSCAN_PARAM_work_groups_per_unit))
        variant.work_groups_per_unit = 4;
    /* Ranges of one tile and of several are different kernels; each goes with one group scan. */
    if (clscan_variant_needs(&variant, CLSCAN_PARAM_tiles_per_work_group)) {
        variant.tiles_per_work_group = group_scan == CLSCAN_GROUP_SCAN_KOGGE_STONE ? 1 : 2;
        variant.poll_delay = variant.tiles_per_work_group == 1 ? 0 : 16;
    }
    return variant;
}

/* Types of the caller's, of a few bytes and of as many as a sum may have. */
static const clscan__custom_type custom_types[] = {
    {"pair", "typedef struct pair { float a, b; } pair;", 8, 4, 0},
    {"maps", "typedef struct maps { float8 a, b; } maps;", 64, 32, 0},
};
static const clscan_custom_operator custom_operators[] = {
    {.source = "pair then(pair l, pair r) { pair s = {l.a * r.a, r.a * l.b + r.b}; return s; }",
     .function = "then",
     .identity = "((pair){1, 0})"},
    {.source = "maps after(maps l, maps r) { maps s = {l.a * r.a, r.a * l.b + r.b}; return s; }", .function = "after"},
};

/* One structure with every mechanism that it may use; the types go round. */
static bool add_structure(output *out, const clscan_variant *variant, size_t *step)
{
    for (int mechanism = 1; mechanism < CLSCAN_MECHANISM_COUNT; ++mechanism) {
        clscan_device_info device = out->device;
        clscan__program_spec spec;
        clscan_type type;

        if (clscan__variant_has_order(variant)) {
            if (!has_mechanism(&out->device, (clscan_mechanism)mechanism))
                continue;
            device.mechanism = (clscan_mechanism)mechanism;
        }
        do
            type = types[(*step)++ % TYPE_COUNT];
        while (clscan_device_check_type(&device, type, NULL) != CLSCAN_OK ||
               clscan_variant_check(variant, PROBLEM_OF(type, CLSCAN_ADD), 0, NULL, NULL) != CLSCAN_OK);
        spec = spec_of(&device, type, operators[*step % OPERATOR_COUNT], variant);
        if (!add_program(out, "", "", &spec))
            return false;
        if (!clscan__variant_has_order(variant))
            break; /* no mechanism in its text */
    }
    return true;
}

static bool add_structures(output *out)
{
    size_t step = 0;

    for (int body = 0; body < CLSCAN_BODY_COUNT; ++body)
        for (int group_scan = 0; group_scan < CLSCAN_GROUP_SCAN_COUNT; ++group_scan)
            for (int carry = 0; carry < CLSCAN_CARRY_COUNT; ++carry)
                for (int order = 0; order < CLSCAN_ORDER_COUNT; ++order) {
                    const clscan_variant variant = small_variant(body, group_scan, carry, order);

                    if (clscan_variant_check(&variant, PROBLEM_OF(CLSCAN_UINT32, CLSCAN_ADD), 0, NULL, NULL) ==
                            CLSCAN_OK &&
                        !add_structure(out, &variant, &step))
                        return false;
                }
    return true;
}

static bool add_sum(output *out, const clscan_variant *variant, size_t which)
{
    const clscan__elements elements = clscan__elements_of(&custom_types[which]);
    clscan__program_spec spec = spec_of(&out->device, CLSCAN_UINT32, CLSCAN_ADD, variant);

    spec.elements = &elements;
    spec.custom = &custom_operators[which];
    spec.op = CLSCAN_CUSTOM;
    spec.variant.vector_length = 2;
    return add_program(out, "", "", &spec);
}

/* A selection by flags of a byte, whose rows body `subgroup_rows` has of its own. */
static bool add_selection(output *out, int carry, int order)
{
    const clscan_select flags = {sizeof flags, .flag_bytes = 1};
    const clscan_problem asked = {sizeof asked, CLSCAN_SELECT, CLSCAN_INT32, .max_count = 1u << 30, .select = &flags};
    const clscan_problem *problem = &asked;
    const clscan_variant variant = small_variant(CLSCAN_BODY_SUBGROUP_ROWS, CLSCAN_GROUP_SCAN_SUBGROUP, carry, order);
    clscan__problem_room room;
    clscan__described described;
    clscan__program_spec spec;

    if (clscan__problem_take(&problem, &room, NULL) != CLSCAN_OK)
        return false;
    if (clscan_variant_check(&variant, &asked, 0, NULL, NULL) != CLSCAN_OK)
        return true;
    clscan__describe(problem, &described);
    spec = spec_of(&out->device, CLSCAN_INT32, CLSCAN_ADD, &variant);
    spec.form = CLSCAN_EXCLUSIVE;
    spec.elements = described.elements;
    return add_program(out, "", "", &spec);
}

/* Every body with every carry in every order, for elements of types that are no scalars; the group scans go round. */
static bool add_sums(output *out)
{
    size_t step = 0;

    for (int body = 0; body < CLSCAN_BODY_COUNT; ++body)
        for (int carry = 0; carry < CLSCAN_CARRY_COUNT; ++carry)
            for (int order = 0; order < CLSCAN_ORDER_COUNT; ++order)
                for (int turn = 0; turn < CLSCAN_GROUP_SCAN_COUNT; ++turn) {
                    const clscan_variant variant =
                        small_variant(body, (carry + turn) % CLSCAN_GROUP_SCAN_COUNT, carry, order);
                    /* Of the large one, transposed tiles do not fit into local memory. */
                    const size_t which = clscan__variant_is_transposed(&variant) ? 0 : step % 2;

                    if (clscan__variant_baseline(&variant) != NULL ||
                        clscan_variant_check(&variant, PROBLEM_OF(CLSCAN_UINT32, CLSCAN_ADD), 0, NULL, NULL) !=
                            CLSCAN_OK)
                        continue;
                    if (!add_sum(out, &variant, which))
                        return false;
                    ++step;
                    break;
                }
    for (int carry = 0; carry < CLSCAN_CARRY_COUNT; ++carry)
        for (int order = 0; order < CLSCAN_ORDER_COUNT; ++order)
            if (!add_selection(out, carry, order))
                return false;
    return true;
}

/* The program of the start-up probe. */
static bool add_probes(output *out)
{
    for (int mechanism = 1; mechanism < CLSCAN_MECHANISM_COUNT; ++mechanism) {
        clscan_device_info device = out->device;
        clscan__program_spec spec;

        if (!has_mechanism(&out->device, (clscan_mechanism)mechanism))
            continue;
        device.mechanism = (clscan_mechanism)mechanism;
        spec = clscan__probe_spec(&device, 0);
        if (!add_program(out, "", "", &spec))
            return false;
    }
    return true;
}

static bool write_index(const output *out)
{
    json_t *document =
        json_pack("{s:s, s:s, s:O}", "device", out->device.name, "key", out->device.key, "programs", out->index);
    char *text = json_dumps(document, JSON_INDENT(2));
    const bool written = text != NULL && write_text(out->folder, "index.json", text);

    free(text);
    json_decref(document);
    return written;
}

int main(int argc, char **argv)
{
    const bool entries = argc == 4 && strcmp(argv[1], "entries") == 0;
    const bool rows = argc == 4 && strcmp(argv[1], "rows") == 0;
    const bool structures = argc == 4 && strcmp(argv[1], "structures") == 0;
    const bool structs = argc == 4 && strcmp(argv[1], "structs") == 0;
    const bool selections = argc == 4 && strcmp(argv[1], "selections") == 0;
    const bool segments = argc == 4 && strcmp(argv[1], "segments") == 0;
    const bool sums = argc == 4 && strcmp(argv[1], "sums") == 0;
    const bool typed = argc == 4 && strcmp(argv[1], "typed") == 0;
    output out = {.index = json_array()};
    clscan__device_raw raw;
    bool done;

    if (!entries && !rows && !structures && !structs && !selections && !segments && !sums && !typed) {
        fputs(
            "usage: clscan-compose entries|rows|structures|structs|selections|segments|typed|sums DEVICE.json FOLDER\n",
            stderr);
        return 2;
    }
    out.folder = argv[3];
    done = device_fixture_load(argv[2], &raw);
    if (done)
        clscan__device_derive(&raw, &out.device);
    if (entries || rows)
        done = done && add_entries(&out, rows);
    else if (structs)
        done = done && add_structs(&out);
    else if (selections)
        done = done && add_selections(&out);
    else if (segments)
        done = done && add_segments(&out);
    else if (typed)
        done = done && add_typed(&out);
    else
        done = done && (sums ? add_sums(&out) : add_structures(&out) && add_probes(&out));
    done = done && write_index(&out);
    json_decref(out.index);
    return done ? 0 : 1;
}
