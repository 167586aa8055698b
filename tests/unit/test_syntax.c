/* Composed programs through clang's front end: the kernels of every choice, on this machine without any device.
 *
 * CLSCAN_CLANG names the compiler; without it, it is `clang` on the PATH. Without clang these tests are skipped. */
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cmocka_all.h"
#include "config/constraints.h"
#include "config/variant.h"
#include "element/described.h"
#include "element/operators.h"
#include "element/types.h"
#include "probe/rig.h"
#include "program_specs.h"
#include "temporary_folder.h"

#define LOG_BYTES 8192

extern char **environ;

static const char *clang; /* NULL: there is none */
static char *folder;      /* for programs and what the compiler says of them */

/* Run the compiler on `source`; its words go to `log`. Returns its exit status, -1 if it does not run or crashes. */
static int compile(const char *target, const char *options, const char *source, char log[LOG_BYTES])
{
    char *program = temporary_folder_path(folder, "program.cl"), *words = temporary_folder_path(folder, "log");
    const bool is_nvptx = strcmp(target, "nvptx64") == 0;
    /* What is unused in one composition serves another one; so does the test for a NaN, which integers are not. */
    const char *const arguments[] = {clang, "-fsyntax-only", "-x", "cl", options, "-target", target, "-Wall", "-Wextra",
                                     "-Werror", "-Wno-unused-function", "-Wno-unused-parameter",
                                     "-Wno-tautological-compare", "-fno-color-diagnostics", program,
                                     /* The list ends here but for one target: the quick table of built-in functions
                                      * has no vload_half() where arithmetic on half is missing; the header has. */
                                     is_nvptx ? "-cl-no-stdinc" : NULL, "-Xclang", "-finclude-default-header", NULL};
    posix_spawn_file_actions_t actions;
    pid_t child;
    int how = -1, spawned;
    FILE *file;

    temporary_folder_write(folder, "program.cl", source, strlen(source));
    assert_int_equal(posix_spawn_file_actions_init(&actions), 0);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, words, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
    spawned = posix_spawnp(&child, clang, &actions, NULL, (char *const *)arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (spawned == 0)
        assert_int_equal(waitpid(child, &how, 0), child);

    log[0] = '\0';
    file = fopen(words, "r");
    if (file != NULL) {
        log[fread(log, 1, LOG_BYTES - 1, file)] = '\0';
        fclose(file);
    }
    free(program);
    free(words);
    return spawned == 0 && WIFEXITED(how) ? WEXITSTATUS(how) : -1;
}

static int find_clang(void **state)
{
    char log[LOG_BYTES];

    (void)state;
    unsetenv("CLSCAN_KERNEL_DIR"); /* a developer's own would be tested instead */
    folder = temporary_folder_create();
    clang = getenv("CLSCAN_CLANG");
    if (clang == NULL || clang[0] == '\0')
        clang = "clang";
    if (compile("spir64", "-cl-std=CL1.2", "__kernel void nothing(void) {}\n", log) != 0)
        clang = NULL;
    return 0;
}

static int forget_clang(void **state)
{
    (void)state;
    temporary_folder_remove(folder);
    return 0;
}

static void need_clang(void)
{
    if (clang != NULL)
        return;
    print_message("skipped: no clang that compiles OpenCL C; install it or name it in CLSCAN_CLANG\n");
    skip();
}

/* A recorded device, and clang's target that has what its kernels use. */
typedef struct compiled_device {
    const char *name;
    const char *target;
} compiled_device;

static const compiled_device devices[] = {
    {"nvidia-h200", "nvptx64"},      /* PTX: words and the barrier of a warp; no arithmetic on half */
    {"nvidia-gtx-1080", "spir64"},   /* 64-bit atomics of OpenCL C 1.x, which clang's nvptx64 does not know */
    {"nvidia-tesla-k20m", "spir64"}, /* 32-bit ones */
    {"amd-gfx90a", "spir64"},        /* C11 atomics of OpenCL C 2.0, the barrier of a sub-group */
    {"intel-arc-b580", "spir64"},    /* shuffles, in sub-groups of a required size; C11 atomics of OpenCL C 3.0 */
    {"pocl-3.1-pthread", "spir64"},  /* a CPU: lanes and streaming stores */
};

/* Sizes and switches that go round while the tests go through the choices. */
static void turn(clscan__program_spec *spec, size_t step)
{
    static const uint32_t lengths[] = {1, 2, 4, 8, 16};
    static const struct {
        uint32_t register_pieces, local_pieces;
    } pieces[] = {{2, 1}, {1, 0}, {0, 2}, {3, 2}};
    const size_t i = step % COUNT_OF(pieces);

    spec->variant.vector_length = lengths[step % COUNT_OF(lengths)];
    if (clscan__variant_is_cached(&spec->variant)) {
        spec->variant.cached_pieces = lengths[step % COUNT_OF(lengths)];
        spec->variant.interleaved_rows = 1u << i;
        spec->variant.streaming_stores = spec->variant.vector_length >= 4 && step % 2 == 1;
    } else {
        spec->variant.register_pieces = pieces[i].register_pieces;
        /* The transposing bodies have at least one. */
        spec->variant.local_pieces =
            pieces[i].local_pieces + (pieces[i].local_pieces == 0 && spec->variant.thread_group_size != 0);
    }
    if (spec->variant.body == CLSCAN_BODY_SUBGROUP_ROWS) {
        spec->variant.register_pieces = 2;
        spec->variant.local_pieces = 0;
    }
    spec->hold_interval = step % 3 == 0 ? 4 : 0;
    spec->count_events = step % 2 == 0;
    spec->count_bytes = (uint32_t)(step % 7 % 3) * 4;
}

/* A custom operator over the accumulator of `type`, good for every type; valid until the next call. */
static const clscan_custom_operator *keep_last(clscan_type type, bool has_identity)
{
    static char source[256];
    static clscan_custom_operator custom;
    const char *name = clscan__type_cl_name(clscan_type_accumulator(type));

    snprintf(source, sizeof source, "%s keep_last(%s left, %s right)\n{\n    return right != 0 ? right : left;\n}\n",
             name, name, name);
    custom = (clscan_custom_operator){
        .struct_size = sizeof custom, .source = source, .function = "keep_last", .identity = has_identity ? "0" : NULL};
    return &custom;
}

static void check_program(const clscan__program_spec *spec, const compiled_device *device)
{
    char log[LOG_BYTES], variant[512], options[CLSCAN__OPTIONS_BYTES];
    const clscan_problem problem = {
        .struct_size = sizeof problem,
        .operation = clscan__variant_reduces(&spec->variant) ? CLSCAN_REDUCE : CLSCAN_SCAN,
        .type = spec->type,
        .op = spec->op,
        .reproducible = spec->reproducible,
    };
    const clscan_mechanism mechanism = spec->device->mechanism;
    char *source, *vendors_own;

    if (spec->variant.carry == CLSCAN_CARRY_LAST_COMBINES && mechanism != CLSCAN_MECHANISM_PTX &&
        mechanism != CLSCAN_MECHANISM_C11)
        return; /* refused by a predicate: no fence */
    source = composed(spec);
    clscan__program_options(spec, options);
    vendors_own = strstr(options, " -cl-nv-"); /* clang does not know them */
    if (vendors_own != NULL)
        *vendors_own = '\0';
    assert_int_equal(clscan__variant_check(&spec->variant, &problem, 0, NULL, NULL), CLSCAN_OK);
    if (compile(device->target, options, source, log) != 0) {
        clscan_variant_format(&spec->variant, variant, sizeof variant);
        fail_msg("%s of %s, %s, %s, on %s (%s): %s\n%s", clscan_operator_name(spec->op), clscan_type_name(spec->type),
                 spec->form == CLSCAN_INCLUSIVE ? "inclusive" : "exclusive",
                 spec->direction == CLSCAN_FORWARD ? "forward" : "reverse", device->name, options, variant, log);
    }
    free(source);
}

/* Every tile body, group scan, carry, order and mechanism, over types that go round. */
static void every_structure_compiles(void **state)
{
    (void)state;
    size_t step = 0;

    need_clang();
    for (size_t d = 0; d < COUNT_OF(devices); ++d)
        for (int body = 0; body < CLSCAN_BODY_COUNT; ++body)
            for (int group_scan = 0; group_scan < CLSCAN_GROUP_SCAN_COUNT; ++group_scan)
                for (size_t i = 0; i < CARRIES_WITH_ORDERS; ++i, ++step) {
                    const clscan_device_info device = recorded_device(devices[d].name);
                    clscan__program_spec spec =
                        small_spec(&device, small_variant((clscan_body)body, (clscan_group_scan)group_scan,
                                                          carries_with_orders[i].carry, carries_with_orders[i].order));

                    if (!is_legal_structure(&spec.variant))
                        continue;
                    turn(&spec, step);
                    spec.type = (clscan_type)(step % CLSCAN_TYPE_COUNT);
                    if (spec.type == CLSCAN_HALF && spec.variant.carry == CLSCAN_CARRY_SCAN_THEN_ADD)
                        spec.type = CLSCAN_FLOAT; /* refused by a predicate */
                    if (d == 0 && clscan_variant_needs(&spec.variant, CLSCAN_PARAM_landing_zones)) {
                        spec.variant.landing_zones = 1;
                        spec.variant.vector_length = 16 / (uint32_t)clscan_type_size_bytes(spec.type);
                    }
                    spec.form = step / 2 % 2 == 0 ? CLSCAN_INCLUSIVE : CLSCAN_EXCLUSIVE;
                    spec.direction = step / 4 % 2 == 0 ? CLSCAN_FORWARD : CLSCAN_REVERSE;
                    check_program(&spec, &devices[d]);
                }
    print_message("%u programs\n", (unsigned)step);
}

/* Operation select, with what it may be given: flags, a predicate, both; elements, structs, indices; wide places. */
static void every_selection_compiles(void **state)
{
    static const clscan_select flags[] = {
        {.struct_size = sizeof flags[0], .flag_bytes = 1},
        {.struct_size = sizeof flags[0], .flag_bytes = 8, .in_place = 1},
        {.struct_size = sizeof flags[0], .rest = CLSCAN_REST_APART},
        {.struct_size = sizeof flags[0], .flag_bits = 1, .index_bytes = 4, .rest = CLSCAN_REST_BEHIND},
        {.struct_size = sizeof flags[0], .index_bytes = 8, .rest = CLSCAN_REST_THREE_WAY},
        {.struct_size = sizeof flags[0], .flag_bits = 1, .length_bytes = 8, .long_runs = 1},
        {.struct_size = sizeof flags[0], .rejected = 1, .long_runs = 1, .in_place = 1}};
    static const clscan_element wide = {.struct_size = sizeof wide, .type = CLSCAN_UINT64},
                                pair = {.struct_size = sizeof pair,
                                        .name = "pair",
                                        .source = "typedef struct pair { int a, b; } pair;",
                                        .size_bytes = 8,
                                        .align_bytes = 4};
    static const clscan_map positive = {.struct_size = sizeof positive, .expression = "element > 0"},
                            index = {.struct_size = sizeof index, .expression = "index"},
                            part = {.struct_size = sizeof part, .expression = "index % 3 + 1"};
    static const clscan_problem problems[] = {
        {.type = CLSCAN_INT32, .select = &flags[0]},
        {.type = CLSCAN_UINT8, .load = &positive},
        {.type = CLSCAN_HALF, .load = &positive, .select = &flags[1], .accumulator = &wide},
        {.type = CLSCAN_UINT8, .select = &flags[0], .store = &index, .output = &wide},
        {.element = &pair, .select = &flags[1]},
        {.type = CLSCAN_INT16, .load = &positive, .select = &flags[2]},
        {.element = &pair, .select = &flags[3], .accumulator = &wide},
        {.type = CLSCAN_UINT8, .load = &part, .select = &flags[4]},
        {.element = &pair, .load = &part, .select = &flags[4]},
        {.type = CLSCAN_INT32, .load = &positive, .select = &flags[5]},
        {.type = CLSCAN_UINT8, .select = &flags[5], .store = &index, .output = &wide},
        {.element = &pair, .load = &part, .select = &flags[6]},
    };
    size_t step = 0, programs = 0;

    (void)state;
    need_clang();
    for (size_t d = 0; d < COUNT_OF(devices); ++d)
        for (size_t i = 0; i < COUNT_OF(problems); ++i, ++step) {
            const clscan_device_info device = recorded_device(devices[d].name);
            const carry_and_order carry = carries_with_orders[step % CARRIES_WITH_ORDERS];
            clscan__program_spec spec =
                small_spec(&device, small_variant((clscan_body)(step % CLSCAN_BODY_COUNT),
                                                  (clscan_group_scan)(step / 2 % CLSCAN_GROUP_SCAN_COUNT), carry.carry,
                                                  carry.order));
            clscan_problem problem = problems[i];
            const clscan_problem *taken = &problem;
            clscan__problem_room room;
            clscan__described described;

            if (!is_legal_structure(&spec.variant) || clscan__variant_reduces(&spec.variant) ||
                clscan__variant_baseline(&spec.variant) != NULL)
                spec = small_spec(&device, small_variant(CLSCAN_BODY_STRIDED, CLSCAN_GROUP_SCAN_KOGGE_STONE,
                                                         CLSCAN_CARRY_REDUCE_THEN_SCAN, CLSCAN_ORDER_NONE));
            problem.struct_size = sizeof problem;
            problem.operation = CLSCAN_SELECT;
            assert_int_equal(clscan__problem_take(&taken, &room, NULL), CLSCAN_OK);
            clscan__describe(taken, &described);
            turn(&spec, step);
            spec.type = taken->type;
            spec.elements = described.elements;
            check_program(&spec, &devices[d]);
            ++programs;
        }
    print_message("%u programs\n", (unsigned)programs);
}

/* Segments and rows whose numbers stand in device memory, and keys that become marks. */
static void counts_on_the_device_compile(void **state)
{
    static const clscan_segments segments[] = {
        {.struct_size = sizeof segments[0], .by = CLSCAN_BY_FLAGS, .type = CLSCAN_UINT8},
        {.struct_size = sizeof segments[0], .by = CLSCAN_BY_KEYS, .type = CLSCAN_INT64, .sums = 1},
        {.struct_size = sizeof segments[0], .by = CLSCAN_BY_OFFSETS, .type = CLSCAN_INT32, .offset_count_bytes = 4},
        {.struct_size = sizeof segments[0], .by = CLSCAN_BY_OFFSETS, .type = CLSCAN_UINT64, .offset_count_bytes = 8},
        {.struct_size = sizeof segments[0], .by = CLSCAN_BY_KEYS, .type = CLSCAN_FLOAT}};
    enum { MARKED = 4 };

    (void)state;
    need_clang();
    for (size_t d = 0; d < COUNT_OF(devices); ++d) {
        const clscan_device_info device = recorded_device(devices[d].name);

        for (size_t i = 0; i < COUNT_OF(segments) + 2; ++i) {
            const bool is_rows = i >= COUNT_OF(segments), waits = i % 2 == 0;
            clscan__program_spec spec = small_spec(
                &device, small_variant(d % 2 == 0 ? CLSCAN_BODY_STRIDED : CLSCAN_BODY_SUBGROUP_ROWS,
                                       d % 2 == 0 ? CLSCAN_GROUP_SCAN_KOGGE_STONE : CLSCAN_GROUP_SCAN_SUBGROUP,
                                       waits && !is_rows ? CLSCAN_CARRY_LOOKBACK : CLSCAN_CARRY_REDUCE_THEN_SCAN,
                                       waits && !is_rows ? CLSCAN_ORDER_DYNAMIC : CLSCAN_ORDER_NONE));
            clscan_problem problem = {.struct_size = sizeof problem,
                                      .type = CLSCAN_INT32,
                                      .count_bytes = waits ? 8 : 4,
                                      .operation = (i % 2 == 0 && i != MARKED) || i == 3 ? CLSCAN_REDUCE : CLSCAN_SCAN,
                                      .segments = is_rows ? NULL : &segments[i]};
            const clscan_problem *taken = &problem;
            clscan__problem_room room;
            clscan__described described;

            spec.count_bytes = (uint32_t)problem.count_bytes;
            spec.rows = is_rows;
            if (!is_rows) {
                assert_int_equal(clscan__problem_take(&taken, &room, NULL), CLSCAN_OK);
                assert_int_equal(clscan__segments_may_be_marked(taken), i == MARKED);
                if (i == MARKED)
                    room.segments.segments.sums = CLSCAN__SUMS_BY_MARKS;
                clscan__describe(taken, &described);
                spec.op = described.op;
                spec.custom = &described.custom;
                spec.elements = described.elements;
            }
            check_program(&spec, &devices[d]);
        }
    }
}

/* What large scans on NVIDIA's GPUs take: tiles that are on their way while others leave, and segments that land. */
static void tiles_on_their_way_compile(void **state)
{
    static const clscan_select plain = {.struct_size = sizeof plain};
    static const clscan_map differs = {.struct_size = sizeof differs, .expression = "index == 0 || element != before"},
                            positive = {.struct_size = sizeof positive, .expression = "element > 0"};
    static const clscan_segments segments[] = {
        {.struct_size = sizeof segments[0], .by = CLSCAN_BY_BITS},
        {.struct_size = sizeof segments[0], .by = CLSCAN_BY_OFFSETS, .type = CLSCAN_INT32}};
    static const clscan_type types[] = {CLSCAN_UINT8, CLSCAN_HALF, CLSCAN_INT32, CLSCAN_DOUBLE};
    const clscan_device_info device = recorded_device(devices[0].name);

    (void)state;
    need_clang();
    for (size_t t = 0; t < COUNT_OF(types); ++t)
        for (size_t i = 0; i < 2 + COUNT_OF(segments); ++i) {
            const bool selects = i < 2;
            clscan__program_spec spec =
                small_spec(&device, small_variant(CLSCAN_BODY_SUBGROUP_ROWS, CLSCAN_GROUP_SCAN_SUBGROUP,
                                                  CLSCAN_CARRY_LOOKAHEAD, CLSCAN_ORDER_PERSISTENT));
            clscan_problem problem = {.struct_size = sizeof problem,
                                      .type = types[t],
                                      .operation = selects ? CLSCAN_SELECT : CLSCAN_SCAN,
                                      .select = selects ? &plain : NULL,
                                      .load = !selects ? NULL
                                              : i == 0 ? &differs
                                                       : &positive,
                                      .segments = selects ? NULL : &segments[i - 2]};
            const clscan_problem *taken = &problem;
            clscan__problem_room room;
            clscan__described described;

            assert_int_equal(clscan__problem_take(&taken, &room, NULL), CLSCAN_OK);
            clscan__describe(taken, &described);
            spec.variant.register_pieces = 2;
            spec.variant.local_pieces = 0;
            spec.variant.vector_length = 16 / (uint32_t)clscan_type_size_bytes(types[t]);
            spec.variant.landing_zones = clscan__elements_land(described.elements) ? 1 : 0;
            spec.type = taken->type;
            spec.op = described.op;
            spec.custom = &described.custom;
            spec.elements = described.elements;
            check_program(&spec, &devices[0]);
        }
}

/* A struct of numbers whose members do not add up to what the host counts. */
static void gaps_in_arguments_do_not_compile(void **state)
{
    (void)state;
    static const char *const names[] = {"#define CLSCAN_RUN_BYTES ", "#define CLSCAN_ROWS_BYTES ",
                                        "#define CLSCAN_COLUMNS_BYTES "};
    const compiled_device *device = &devices[0];
    const clscan_device_info info = recorded_device(device->name);

    need_clang();
    for (size_t i = 0; i < COUNT_OF(names); ++i) {
        char log[LOG_BYTES], options[CLSCAN__OPTIONS_BYTES], *source, *digit;
        clscan__program_spec spec = small_spec(&info, small_variant(CLSCAN_BODY_STRIDED, CLSCAN_GROUP_SCAN_KOGGE_STONE,
                                                                    CLSCAN_CARRY_REDUCE_THEN_SCAN, CLSCAN_ORDER_NONE));

        spec.rows = true;
        source = composed(&spec);
        clscan__program_options(&spec, options);
        assert_int_equal(compile(device->target, options, source, log), 0);
        digit = strstr(source, names[i]);
        assert_non_null(digit);
        digit += strlen(names[i]);
        *digit = *digit == '1' ? '2' : '1';
        assert_true(compile(device->target, options, source, log) > 0);
        assert_non_null(strstr(log, "has_no_gaps"));
        free(source);
    }
}

/* The start-up probe's program, also where messages are withheld. */
static void the_probe_compiles(void **state)
{
    (void)state;
    need_clang();
    for (size_t d = 0; d < COUNT_OF(devices); ++d) {
        const clscan_device_info device = recorded_device(devices[d].name);

        for (uint32_t hold_interval = 0; hold_interval < 4; hold_interval += 3) {
            const clscan__program_spec spec = clscan__probe_spec(&device, hold_interval);
            check_program(&spec, &devices[d]);
        }
    }
}

/* Every operator of every type in each form and direction, through structures and devices that go round. */
static void every_element_compiles(void **state)
{
    (void)state;
    size_t step = 0, programs = 0;

    need_clang();
    for (int type = 0; type < CLSCAN_TYPE_COUNT; ++type)
        for (int op = 0; op < CLSCAN_OPERATOR_COUNT; ++op)
            for (int turned = 0; turned < 2; ++turned, ++step) {
                /* Two of the four pairs of form and direction here, the other two for the next operator. */
                const bool exclusive = turned != 0, reverse = exclusive != (op % 2 != 0);
                /* Lanes, which only CPUs have, depend on the operator most of all. */
                const compiled_device *to = &devices[step % 2 == 0 ? COUNT_OF(devices) - 1 : step / 2 % 6];
                carry_and_order carry = carries_with_orders[step / 2 % CARRIES_WITH_ORDERS];
                const clscan_device_info device = recorded_device(to->name);
                clscan__program_spec spec;

                if (!clscan__operator_supports((clscan_operator)op, (clscan_type)type))
                    continue;
                if (type == CLSCAN_HALF && carry.carry == CLSCAN_CARRY_SCAN_THEN_ADD)
                    carry.carry = CLSCAN_CARRY_REDUCE_THEN_SCAN; /* the other is refused by a predicate */
                spec = small_spec(&device, small_variant((clscan_body)(step / 3 % CLSCAN_BODY_COUNT),
                                                         (clscan_group_scan)(step % CLSCAN_GROUP_SCAN_COUNT),
                                                         carry.carry, carry.order));
                if (!is_legal_structure(&spec.variant))
                    spec = small_spec(&device, small_variant(CLSCAN_BODY_SUBGROUP_ROWS, CLSCAN_GROUP_SCAN_SUBGROUP,
                                                             carry.carry, carry.order));
                turn(&spec, step / 2);
                spec.type = (clscan_type)type;
                spec.op = (clscan_operator)op;
                spec.form = exclusive ? CLSCAN_EXCLUSIVE : CLSCAN_INCLUSIVE;
                spec.direction = reverse ? CLSCAN_REVERSE : CLSCAN_FORWARD;
                if (op == CLSCAN_CUSTOM)
                    spec.custom = keep_last(spec.type, reverse);
                check_program(&spec, to);
                ++programs;
            }
    print_message("%u programs\n", (unsigned)programs);
}

/* Both bodies in the reproducible order, on every device, where rows are shuffled and where they are not. */
static void reproducible_programs_compile(void **state)
{
    (void)state;
    static const clscan_type types[] = {CLSCAN_FLOAT, CLSCAN_DOUBLE, CLSCAN_HALF};
    static const clscan_operator operators[] = {CLSCAN_ADD, CLSCAN_CUSTOM};
    size_t step = 0;

    need_clang();
    for (size_t d = 0; d < COUNT_OF(devices); ++d)
        for (int body = CLSCAN_BODY_SUBGROUP_ROWS; body <= CLSCAN_BODY_CACHED_ROWS; ++body)
            for (size_t t = 0; t < COUNT_OF(types); ++t, ++step) {
                const clscan_device_info device = recorded_device(devices[d].name);
                const bool ahead = body == CLSCAN_BODY_SUBGROUP_ROWS && t < 2;
                clscan__program_spec spec =
                    small_spec(&device, small_variant((clscan_body)body, CLSCAN_GROUP_SCAN_SUBGROUP,
                                                      ahead ? CLSCAN_CARRY_LOOKAHEAD : CLSCAN_CARRY_REDUCE_THEN_SCAN,
                                                      ahead ? CLSCAN_ORDER_PERSISTENT : CLSCAN_ORDER_NONE));

                spec.variant.register_pieces = body == CLSCAN_BODY_SUBGROUP_ROWS ? 8 : 0;
                spec.variant.cached_pieces = body == CLSCAN_BODY_SUBGROUP_ROWS ? 0 : 64;
                spec.variant.vector_length = body == CLSCAN_BODY_SUBGROUP_ROWS ? 4 : 16;
                spec.variant.landing_zones = ahead && d == 0 ? 1 : 0;
                spec.reproducible = true;
                spec.count_bytes = (uint32_t)(step % 3) * 4;
                spec.type = types[t];
                spec.op = operators[(step / 3 + d) % 2];
                spec.form = step % 2 == 0 ? CLSCAN_INCLUSIVE : CLSCAN_EXCLUSIVE;
                spec.direction = step / 2 % 2 == 0 ? CLSCAN_FORWARD : CLSCAN_REVERSE;
                if (spec.op == CLSCAN_CUSTOM)
                    spec.custom = keep_last(spec.type, false);
                check_program(&spec, &devices[d]);
                spec.variant.carry = t % 2 == 0 ? CLSCAN_CARRY_LAST_COMBINES : CLSCAN_CARRY_REDUCE_THEN_COMBINE;
                spec.variant.order = CLSCAN_ORDER_NONE;
                spec.variant.landing_zones = 0;
                spec.variant.work_groups_per_unit = 4;
                check_program(&spec, &devices[d]);
                if (t != d % COUNT_OF(types))
                    continue;
                spec.variant.carry = CLSCAN_CARRY_REDUCE_THEN_SCAN;
                spec.rows = true;
                spec.row_count_bytes = (uint32_t)(step % 3) * 4;
                check_program(&spec, &devices[d]);
            }
}

static clscan__program_spec custom_spec(const clscan_device_info *device, const clscan_custom_operator *custom)
{
    clscan__program_spec spec = small_spec(device, small_variant(CLSCAN_BODY_STRIDED, CLSCAN_GROUP_SCAN_KOGGE_STONE,
                                                                 CLSCAN_CARRY_SINGLE, CLSCAN_ORDER_NONE));

    spec.op = CLSCAN_CUSTOM;
    spec.custom = custom;
    return spec;
}

/* Over every type, and behind a directive of the caller's own, which must come first on its line. */
static void operators_compile_alone(void **state)
{
    (void)state;
    need_clang();
    for (int type = 0; type < CLSCAN_TYPE_COUNT; ++type)
        for (int named = 0; named < 2; ++named) {
            const clscan_device_info device = recorded_device("pocl-3.1-pthread");
            clscan_custom_operator custom = *keep_last((clscan_type)type, type % 2 == 0);
            clscan__program_spec spec = custom_spec(&device, &custom);
            char log[LOG_BYTES], text[512];
            char *source = NULL;

            snprintf(text, sizeof text, "#define NONE 0\n%s", custom.source);
            custom.source = text;
            spec.type = (clscan_type)type;
            for (int part = 0; part <= (custom.identity != NULL ? CLSCAN__OPERATOR_IDENTITY : 0); ++part) {
                assert_int_equal(
                    clscan__operator_compose(&spec, (clscan__operator_part)part, named != 0, &source, NULL), CLSCAN_OK);
                if (compile("spir64", "-cl-std=CL1.2", source, log) != 0)
                    fail_msg("%s, %s: %s", clscan_type_name((clscan_type)type), named ? "named" : "not named", log);
                free(source);
            }
        }
}

/* What the compiler says carries the caller's own line numbers, and the names of our own files. Where it is not to be
 * told by a directive, because some compilers ignore those, the lines of the program are the caller's. */
static void mistakes_are_found_in_their_place(void **state)
{
    (void)state;
    enum { SIZE = sizeof(clscan_custom_operator) };
    static const struct {
        clscan_custom_operator custom;
        clscan_type type;
        const char *place, *line, *reason;
        clscan__operator_part part;
    } cases[] = {
        {{SIZE, "int f(int a, int b)\n{\n    return a + c;\n}\n", "f", "0", 0, 0},
         CLSCAN_INT32,
         "operator:3:",
         "program.cl:3:",
         "an unknown name",
         CLSCAN__OPERATOR_FUNCTION},
        {{SIZE, "double f(double a, double b)\n{\n    return a + c;\n}\n", "f", "0", 0, 0},
         CLSCAN_DOUBLE,
         "operator:3:",
         "program.cl:3:",
         "an unknown name, behind what a double needs",
         CLSCAN__OPERATOR_FUNCTION},
        {{SIZE, "nonsense", "f", NULL, 0, 0},
         CLSCAN_INT32,
         "operator:1:",
         "program.cl:1:",
         "no declaration, and no newline",
         CLSCAN__OPERATOR_FUNCTION},
        {{SIZE, "int g(int a, int b) { return a; }", "f", NULL, 0, 0},
         CLSCAN_INT32,
         "use of the operator:1:",
         "use of the operator:1:",
         "another function",
         CLSCAN__OPERATOR_FUNCTION},
        {{SIZE, "int f(int a) { return a; }", "f", NULL, 0, 0},
         CLSCAN_INT32,
         "use of the operator:1:",
         "use of the operator:1:",
         "one operand",
         CLSCAN__OPERATOR_FUNCTION},
        {{SIZE, "int f(int a, int b) { return a; }", "f", "none", 0, 0},
         CLSCAN_INT32,
         "identity:1:",
         "use of the operator:1:",
         "no such value",
         CLSCAN__OPERATOR_IDENTITY},
        {{SIZE, "int f(int a, int b) { return a; }", "f", "\n(int2)(3)", 0, 0},
         CLSCAN_INT32,
         "identity:1:",
         "use of the operator:1:",
         "a value of another type",
         CLSCAN__OPERATOR_IDENTITY},
    };
    const clscan_device_info device = recorded_device("pocl-3.1-pthread");

    need_clang();
    for (size_t i = 0; i < COUNT_OF(cases); ++i)
        for (int named = 0; named < 2; ++named) {
            const char *place = named ? cases[i].place : cases[i].line;
            clscan__program_spec spec = custom_spec(&device, &cases[i].custom);
            char log[LOG_BYTES], first[LOG_BYTES];
            char *source = NULL;

            spec.type = cases[i].type;
            assert_int_equal(clscan__operator_compose(&spec, cases[i].part, named != 0, &source, NULL), CLSCAN_OK);
            assert_int_not_equal(compile("spir64", "-cl-std=CL1.2", source, log), 0);
            snprintf(first, sizeof first, "%.*s", (int)strcspn(log, "\n"), log);
            if (strstr(first, place) == NULL)
                fail_msg("%s, %s: %s", cases[i].reason, named ? "named" : "not named", log);
            free(source);
        }
}

/* The same of maps, behind the sources that they may call. */
static void mistakes_in_maps_are_found_in_their_place(void **state)
{
    static const struct {
        clscan__maps maps;
        clscan__map_side side;
        const char *place, *line;
    } cases[] = {
        {{.load = "element +\n  c"}, CLSCAN__MAP_LOAD, "load:2:", "program.cl:2:"},
        {{.store = "sum + c", .keeps_previous = true}, CLSCAN__MAP_STORE, "store:1:", "program.cl:1:"},
        {{.load = "(int2)(element)"}, CLSCAN__MAP_LOAD, "load:1:", "program.cl:1:"},
        {{.load = "element\n +"}, CLSCAN__MAP_LOAD, "load:2:", "program.cl:3:"},
        {{.load_source = "int f(int a)\n{\n    return b;\n}", .load = "f(element)"},
         CLSCAN__MAP_LOAD,
         "source of load:3:",
         "program.cl:3:"},
        {{.load_source = "int f(int a) { return a; }",
          .load = "f(element)",
          .store_source = "int g(int a)\n{ return h; }",
          .store = "g(f(sum))"},
         CLSCAN__MAP_STORE,
         "source of store:2:",
         "program.cl:3:"},
    };
    const clscan_device_info device = recorded_device("pocl-3.1-pthread");

    (void)state;
    need_clang();
    for (size_t i = 0; i < COUNT_OF(cases); ++i)
        for (int named = 0; named < 2; ++named) {
            const clscan__element number = {.type = CLSCAN_INT32};
            const clscan__elements elements = {.in = number, .sum = number, .out = number, .maps = &cases[i].maps};
            clscan__program_spec spec =
                small_spec(&device, small_variant(CLSCAN_BODY_STRIDED, CLSCAN_GROUP_SCAN_KOGGE_STONE,
                                                  CLSCAN_CARRY_SINGLE, CLSCAN_ORDER_NONE));
            char log[LOG_BYTES], first[LOG_BYTES];
            char *source = NULL;

            spec.elements = &elements;
            assert_int_equal(clscan__map_compose(&spec, cases[i].side, named != 0, &source, NULL), CLSCAN_OK);
            assert_int_not_equal(compile("spir64", "-cl-std=CL1.2", source, log), 0);
            snprintf(first, sizeof first, "%.*s", (int)strcspn(log, "\n"), log);
            if (strstr(first, named ? cases[i].place : cases[i].line) == NULL)
                fail_msg("case %zu, %s: %s", i, named ? "named" : "not named", log);
            free(source);
        }
}

/* Names that a caller may want are free: our files use none but their own prefix. */
static void callers_names_are_free(void **state)
{
    (void)state;
    static const clscan_custom_operator custom = {
        .struct_size = sizeof custom,
        .source = "typedef int tile;\n"
                  "enum { WS = 3, T = 4, A = 5, BITS = 6, HALF = 7 };\n"
                  "int combine(int left, int right) { return left + right; }\n"
                  "int total(int left, int right) { return combine(left, right); }\n"
                  "struct prefix { int value; };\n"
                  "#define valid left\n"
                  "int use(tile left, struct prefix right)\n"
                  "{\n"
                  "    return total(valid, right.value) + WS - T + A - BITS + HALF - 5;\n"
                  "}\n"
                  "#undef valid\n"
                  "int f(int left, int right)\n"
                  "{\n"
                  "    struct prefix p = {right};\n"
                  "    return use(left, p);\n"
                  "}\n",
        .function = "f",
        .identity = "(tile)0",
    };

    need_clang();
    for (size_t i = 0; i < CARRIES_WITH_ORDERS; ++i)
        for (int body = 0; body < CLSCAN_BODY_COUNT; ++body) {
            const compiled_device *to = &devices[COUNT_OF(devices) - 1];
            const clscan_device_info device = recorded_device(to->name);
            clscan__program_spec spec = custom_spec(&device, &custom);

            spec.variant = small_variant((clscan_body)body, CLSCAN_GROUP_SCAN_SUBGROUP, carries_with_orders[i].carry,
                                         carries_with_orders[i].order);
            if (!is_legal_structure(&spec.variant))
                continue;
            check_program(&spec, to);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_structure_compiles),
        cmocka_unit_test(every_element_compiles),
        cmocka_unit_test(reproducible_programs_compile),
        cmocka_unit_test(counts_on_the_device_compile),
        cmocka_unit_test(operators_compile_alone),
        cmocka_unit_test(mistakes_are_found_in_their_place),
        cmocka_unit_test(mistakes_in_maps_are_found_in_their_place),
        cmocka_unit_test(callers_names_are_free),
        cmocka_unit_test(every_selection_compiles),
        cmocka_unit_test(the_probe_compiles),
        cmocka_unit_test(tiles_on_their_way_compile),
        cmocka_unit_test(gaps_in_arguments_do_not_compile),
    };
    return cmocka_run_group_tests(tests, find_clang, forget_clang);
}
