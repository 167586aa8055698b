#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "command_line/failure.h"
#include "command_line/options.h"
#include "command_line/values.h"
#include "config_use.h"
#include "map_reference.h"
#include "measure/sum_types.h"
#include "operation_test.h"
#include "reference/reference.h"
#include "scan_maps.h"
#include "struct_test.h"
#include "target.h"
#include "variant_test.h"

/* Variants per problem; configs have a handful of size classes. */
#define MAX_VARIANTS 32

/* One problem per operator class; together they see both forms and both directions. */
#define PROBLEM(wanted_op, wanted_form, wanted_direction, is_reproducible, ...)                            \
    {                                                                                                      \
        .struct_size = sizeof(clscan_problem), .type = CLSCAN_INT32, .op = wanted_op, .form = wanted_form, \
        .direction = wanted_direction, .reproducible = is_reproducible, .max_count = 1, __VA_ARGS__        \
    }
#define REDUCTION(op, direction, is_reproducible) \
    PROBLEM(op, CLSCAN_INCLUSIVE, direction, is_reproducible, .operation = CLSCAN_REDUCE)
static const clscan_problem problems[] = {
    PROBLEM(CLSCAN_ADD, CLSCAN_INCLUSIVE, CLSCAN_FORWARD, 0, .custom = NULL),
    PROBLEM(CLSCAN_MAX, CLSCAN_EXCLUSIVE, CLSCAN_REVERSE, 0, .custom = NULL),
    PROBLEM(CLSCAN_CUSTOM, CLSCAN_EXCLUSIVE, CLSCAN_FORWARD, 0, .custom = NULL), /* does not commute */
    PROBLEM(CLSCAN_ADD, CLSCAN_INCLUSIVE, CLSCAN_FORWARD, 1, .custom = NULL),
    PROBLEM(CLSCAN_CUSTOM, CLSCAN_EXCLUSIVE, CLSCAN_REVERSE, 1, .custom = NULL),
    REDUCTION(CLSCAN_ADD, CLSCAN_FORWARD, 0),
    REDUCTION(CLSCAN_CUSTOM, CLSCAN_REVERSE, 0),
    REDUCTION(CLSCAN_ADD, CLSCAN_FORWARD, 1),
};
#undef PROBLEM
#undef REDUCTION

typedef struct verify_options {
    bool types[CLSCAN_TYPE_COUNT]; /* none set: all */
    bool reproducible;             /* only these */
    bool quick;
    const char *element;  /* only scans of this one; NULL: not given */
    clscan_type out_type; /* CLSCAN_TYPE_COUNT: not given */
    const char *load;     /* OpenCL C; NULL: none */
    const char *store;
    const char *device;
    const char *config;
} verify_options;

typedef struct tally {
    unsigned variants;
    unsigned failed;
    unsigned skipped;
    unsigned cases;
} tally;

static void add_use(variant_use *list, size_t *list_count, const size_class *by, bool in_place)
{
    const clscan_variant *variant = &by->choice.variant;
    size_t i = 0;

    while (i < *list_count && memcmp(&list[i].choice.variant, variant, sizeof *variant) != 0)
        ++i;
    if (i == MAX_VARIANTS)
        return;
    if (i == *list_count) {
        list[i] = (variant_use){.choice = by->choice, .first = by->first};
        ++*list_count;
    }
    list[i].apart = list[i].apart || !in_place;
    list[i].in_place = list[i].in_place || in_place;
}

/* The distinct variants of all size classes. */
static clscan_status collect(const target *t, const clscan_problem *problem, variant_use *list, size_t *list_count,
                             clscan_error *error)
{
    const clscan_type out_type = problem->output != NULL ? problem->output->type : problem->type;
    const bool has_place =
        problem->operation == CLSCAN_SCAN && clscan_type_size_bytes(out_type) == clscan_type_size_bytes(problem->type);

    *list_count = 0;
    for (int in_place = 0; in_place <= (has_place ? 1 : 0); ++in_place) {
        size_class *classes = NULL;
        size_t class_count = 0;
        const clscan_status status =
            config_classes(t->config, &t->info, problem, in_place != 0, &classes, &class_count, error);

        if (status != CLSCAN_OK)
            return status;
        for (size_t i = 0; i < class_count; ++i)
            add_use(list, list_count, &classes[i], in_place != 0);
        free(classes);
    }
    return CLSCAN_OK;
}

static bool has_maps(const verify_options *wanted)
{
    return wanted->out_type != CLSCAN_TYPE_COUNT || wanted->load != NULL || wanted->store != NULL;
}

static clscan_type output_type(const verify_options *wanted, clscan_type type)
{
    return wanted->out_type != CLSCAN_TYPE_COUNT ? wanted->out_type : type;
}

static clscan_status verify_problem(const target *t, const clscan_problem *plain, const verify_options *wanted,
                                    tally *sum, clscan_error *error)
{
    clscan_status status;
    clscan_problem problem = *plain;
    scan_maps maps = {.in = problem.type,
                      .out = output_type(wanted, problem.type),
                      .load = wanted->load,
                      .store = problem.operation == CLSCAN_REDUCE ? NULL : wanted->store};
    const bool mapped = scan_maps_are_needed(&maps);
    map_reference reference = {.index_of_first = 0};
    variant_use uses[MAX_VARIANTS];
    size_t use_count;

    if (mapped) {
        TRY(scan_maps_prepare(&maps, &problem, error));
        TRY(map_reference_create(&reference, t, &maps, error));
    }
    TRY(collect(t, &problem, uses, &use_count, error));
    for (size_t i = 0; i < use_count; ++i) {
        const variant_verdict verdict =
            variant_test(t, &problem, mapped ? &reference.maps : NULL, &uses[i], wanted->quick, &sum->cases);

        sum->variants += verdict != VARIANT_SKIPPED;
        sum->failed += verdict == VARIANT_WRONG;
        sum->skipped += verdict == VARIANT_SKIPPED;
    }

cleanup:
    map_reference_release(&reference);
    scan_maps_release(&maps);
    return status;
}

/* Is the problem one that the options ask for? */
static bool serves(const verify_options *wanted, const clscan_problem *problem)
{
    const clscan_type out = clscan_type_accumulator(output_type(wanted, problem->type));

    /* Where no grouping changes the bits, reproducible plans are as others. */
    if (problem->reproducible)
        return !has_maps(wanted) && clscan_reference_depends_on_grouping(problem->type, problem->op);
    if (wanted->reproducible)
        return false;
    /* The generated elements have exact sums, what an expression makes of them has not. */
    if (has_maps(wanted) && problem->op != CLSCAN_CUSTOM && clscan_reference_depends_on_grouping(out, problem->op))
        return false;
    return problem->operation != CLSCAN_REDUCE || wanted->store == NULL || wanted->load != NULL ||
           wanted->out_type != CLSCAN_TYPE_COUNT;
}

static clscan_status verify_type(const target *t, clscan_type type, const verify_options *wanted, tally *sum,
                                 clscan_error *error)
{
    for (size_t p = 0; p < sizeof problems / sizeof problems[0]; ++p) {
        clscan_problem problem = problems[p];
        clscan_status status;

        problem.type = type;
        if (!serves(wanted, &problem))
            continue;
        status = verify_problem(t, &problem, wanted, sum, error);
        if (status != CLSCAN_OK)
            return status;
    }
    return CLSCAN_OK;
}

/* Does --type say which? */
static bool has_types(const verify_options *wanted)
{
    return memchr(wanted->types, true, sizeof wanted->types) != NULL;
}

static bool is_wanted(const verify_options *wanted, clscan_type type)
{
    if (wanted->element != NULL)
        return false;
    if (has_types(wanted))
        return wanted->types[type];
    if (wanted->reproducible && !clscan_reference_is_floating(type))
        return false;
    /* Quick: the narrowest, the usual, and the most delicate. */
    return !wanted->quick || type == CLSCAN_UINT8 || type == CLSCAN_INT32 || type == CLSCAN_FLOAT;
}

/* Rows, segments, selections and runs, without maps; quick: of the usual type, unless another one is asked for. */
static bool has_operations(const verify_options *wanted, clscan_type type)
{
    return !has_maps(wanted) && !wanted->reproducible &&
           (!wanted->quick || wanted->types[type] || type == CLSCAN_INT32);
}

static clscan_status verify_operations(const target *t, clscan_type type, tally *sum, clscan_error *error)
{
    operation_tally operations = {0};
    const clscan_status status = operation_test(t, type, &operations, error);

    sum->variants += operations.plans;
    sum->failed += operations.failed;
    sum->skipped += operations.skipped;
    sum->cases += operations.cases;
    return status;
}

/* Of 8 to 64 bytes, the first ones also where it is to be quick. */
static const char *const structs[] = {"affine_float",  "int4",   "min_max_int32",     "arg_max_float",
                                      "matrix2_float", "float8", "quaternion_double", "double8"};
enum { QUICK_STRUCTS = 2 };

static clscan_status verify_struct(const target *t, const char *text, bool quick, tally *sum, clscan_error *error)
{
    clscan_status status;
    measure_element element;

    TRY(measure_element_read(text, &element, error));
    if (measure_element_has_doubles(&element)) {
        clscan_error why;

        if (clscan_device_check_type(&t->info, CLSCAN_DOUBLE, &why) != CLSCAN_OK) {
            printf("%-7s %-6s %s\n", "skipped", element.name, why.message);
            ++sum->skipped;
            return CLSCAN_OK;
        }
    }
    for (int i = 0; i < 2; ++i) {
        const struct_scan scan = {.element = &element,
                                  .form = i == 0 ? CLSCAN_INCLUSIVE : CLSCAN_EXCLUSIVE,
                                  .direction = i == 0 ? CLSCAN_FORWARD : CLSCAN_REVERSE};
        const clscan_problem problem = struct_problem(&scan);
        variant_use uses[MAX_VARIANTS];
        size_t use_count;

        TRY(collect(t, &problem, uses, &use_count, error));
        for (size_t k = 0; k < use_count; ++k) {
            sum->failed += struct_test(t, &scan, &uses[k], quick, &sum->cases) == VARIANT_WRONG;
            ++sum->variants;
        }
    }

cleanup:
    return status;
}

/* The one that is asked for; else some, unless other things are. */
static clscan_status verify_structs(const target *t, const verify_options *wanted, tally *sum, clscan_error *error)
{
    if (wanted->element != NULL)
        return verify_struct(t, wanted->element, wanted->quick, sum, error);
    if (has_types(wanted) || has_maps(wanted) || wanted->reproducible)
        return CLSCAN_OK;
    for (size_t i = 0; i < (wanted->quick ? QUICK_STRUCTS : sizeof structs / sizeof structs[0]); ++i) {
        const clscan_status status = verify_struct(t, structs[i], wanted->quick, sum, error);

        if (status != CLSCAN_OK)
            return status;
    }
    return CLSCAN_OK;
}

static clscan_status verify(const verify_options *wanted, tally *sum, clscan_error *error)
{
    clscan_status status;
    clscan_error why;
    target t;

    TRY(target_find(&t, wanted->device, wanted->config, error));
    TRY(target_start(&t, error));
    if (wanted->out_type != CLSCAN_TYPE_COUNT)
        TRY(clscan_device_check_type(&t.info, wanted->out_type, error));
    printf("%s (%s, %s)\n", t.info.name, t.info.key, t.info.platform_name);
    for (clscan_type type = CLSCAN_INT8; type < CLSCAN_TYPE_COUNT; ++type) {
        if (!is_wanted(wanted, type))
            continue;
        if (clscan_device_check_type(&t.info, type, &why) != CLSCAN_OK)
            printf("%-7s %-6s %s\n", "skipped", clscan_type_name(type), why.message);
        else {
            TRY(verify_type(&t, type, wanted, sum, error));
            if (has_operations(wanted, type))
                TRY(verify_operations(&t, type, sum, error));
        }
    }
    TRY(verify_structs(&t, wanted, sum, error));
    printf("%u variants, %u cases: ", sum->variants, sum->cases);
    if (sum->skipped > 0)
        printf("%u more skipped, ", sum->skipped);
    if (sum->failed == 0)
        printf("all right\n");
    else
        printf("%u variants FAILED\n", sum->failed);

cleanup:
    target_release(&t);
    return status;
}

/* Types would be skipped without a word. */
static clscan_status check_types(const verify_options *wanted, clscan_error *error)
{
    if (wanted->element != NULL && has_types(wanted))
        return fail(error, CLSCAN_ERROR_INVALID_VALUE, "--struct says the element type: leave out --type");
    if (wanted->element != NULL && (wanted->reproducible || has_maps(wanted)))
        return fail(error, CLSCAN_ERROR_INVALID_VALUE,
                    "elements of --struct are tested without maps and in any order: leave out %s",
                    wanted->reproducible    ? "--reproducible"
                    : wanted->load != NULL  ? "--load"
                    : wanted->store != NULL ? "--store"
                                            : "--output-type");
    if (wanted->reproducible && has_maps(wanted))
        return fail(error, CLSCAN_ERROR_INVALID_VALUE,
                    "reproducible sums have no --load, --store and --output-type: leave out --reproducible");
    for (clscan_type type = CLSCAN_INT8; type < CLSCAN_TYPE_COUNT; ++type) {
        const clscan_type out = output_type(wanted, type);
        const measure_sum_types types = {type, clscan_type_accumulator(out), out, wanted->load != NULL,
                                         wanted->store != NULL};
        clscan_error why;

        if (is_wanted(wanted, type) && measure_sum_types_check(&types, "--output-type", "--load", &why) != CLSCAN_OK)
            return fail(error, CLSCAN_ERROR_INVALID_VALUE, "%s; say by --type which types to test", why.message);
    }
    for (clscan_type type = CLSCAN_INT8; wanted->reproducible && type < CLSCAN_TYPE_COUNT; ++type) {
        if (wanted->types[type] && !clscan_reference_is_floating(type))
            return fail(error, CLSCAN_ERROR_INVALID_VALUE,
                        "--reproducible is for half, float and double; all plans of %s are reproducible",
                        clscan_type_name(type));
    }
    return CLSCAN_OK;
}

int command_verify(int argc, char **argv)
{
    verify_options wanted = {.out_type = CLSCAN_TYPE_COUNT};
    const option options[] = {
        {"type", "LIST", "element types, like int8,float (default: all)", read_type_list, wanted.types},
        {"struct", "NAME", "only scans of this struct or vector: affine_float and others, int4, or a JSON file",
         read_text, &wanted.element},
        {"reproducible", NULL, "only reproducible plans, which half, float and double have", NULL,
         &wanted.reproducible},
        {"output-type", "T", "test scans with outputs of this type, in which elements are combined", read_type,
         &wanted.out_type},
        {"load", "EXPR", HELP_LOAD, read_text, &wanted.load},
        {"store", "EXPR", HELP_STORE, read_text, &wanted.store},
        {"quick", NULL,
         "uint8, int32, float and two structs, and fewer elements; rows, segments, selections and runs of int32", NULL,
         &wanted.quick},
        {"device", "D", HELP_DEVICE, read_text, &wanted.device},
        {"config", "FILE", HELP_CONFIG, read_text, &wanted.config},
    };
    const command_line line = {
        .name = "verify",
        .synopsis = "verify [options]",
        .description = "Test every variant that the configs choose on a device: for each element type, for a\n"
                       "built-in, a comparing and a custom operator, with separate buffers and in place, at\n"
                       "counts around the edges of its tiles, against a serial scan on the host. Reproducible\n"
                       "plans of half, float and double must have the very bits of their order, also in parts.\n"
                       "Reductions are tested in the same way, and scans of structs and vectors of 8 to 64 bytes,\n"
                       "or of the one that --struct names. Then come sums of rows, short, long and with gaps,\n"
                       "of segments by flags, bits, offsets and keys, selections, also of several columns at\n"
                       "once, partitions in two and in three, runs, encoded and decoded, and counts that stand on\n"
                       "the device, as plans choose for them.\n"
                       "With --load, --store or --output-type, the problems have these maps, and the serial scan\n"
                       "goes from what the expressions give for each element alone; floating-point sums are left\n"
                       "out, since their bits depend on the order.\n"
                       "One line per variant; the exit code is 1 if one is wrong.",
        .options = options,
        .option_count = sizeof options / sizeof options[0],
        .examples = "  clscan verify --quick\n"
                    "  clscan verify --device nvidia --type int32,float\n"
                    "  clscan verify --reproducible --type double\n"
                    "  clscan verify --struct ./my_element.json\n"
                    "  clscan verify --type int32 --load 'element * element' --store 'sum - previous'\n",
    };
    clscan_error error;
    tally sum = {0};
    int exit_code;

    if (!options_parse(&line, argc, argv, NULL, &exit_code))
        return exit_code;
    if (check_types(&wanted, &error) != CLSCAN_OK)
        return options_wrong(&line, &error);
    if (verify(&wanted, &sum, &error) != CLSCAN_OK) {
        print_failure(&error);
        return EXIT_CODE_FAILURE;
    }
    return sum.failed == 0 ? EXIT_CODE_OK : EXIT_CODE_FAILURE;
}
