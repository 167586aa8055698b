#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "command_line/failure.h"
#include "command_line/options.h"
#include "command_line/values.h"
#include "config_use.h"
#include "explanation.h"
#include "json_output.h"
#include "measure/sum_types.h"
#include "reference/reference.h"
#include "target.h"

typedef struct explain_options {
    explained_problem problem;
    bool exclusive;
    bool reverse;
    bool reproducible;
    bool json;
    const char *config;
    const char *device;
} explain_options;

static clscan_status read_wanted_count(const char *text, void *given, clscan_error *error)
{
    explained_problem *problem = given;

    problem->has_count = true;
    return read_count(text, &problem->count, error);
}

static clscan_status read_row_count(const char *text, void *given, clscan_error *error)
{
    clscan_status status;
    uint64_t count;

    TRY(read_count(text, &count, error));
    REQUIRE(count > 0, CLSCAN_ERROR_INVALID_VALUE, "there is at least one row");
    *(uint64_t *)given = count;

cleanup:
    return status;
}

static clscan_status read_operation(const char *text, void *given, clscan_error *error)
{
    explained_problem *problem = given;

    problem->repeats = strcmp(text, "repeat") == 0;
    if (problem->repeats || clscan__config_operation_from_name(text, &problem->operation))
        return CLSCAN_OK;
#define X(name, text_, meaning) ", " text_
    return fail(error, CLSCAN_ERROR_INVALID_VALUE, "'%s' is no operation; there are repeat, %s", text,
                &(CLSCAN__CONFIG_OPERATION_LIST(X))[2]);
#undef X
}

/* What no plan could be made for has no variant either. */
static clscan_status check_problem(const clscan_problem *problem, clscan_type output, bool in_place,
                                   clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const clscan_type combined = output != CLSCAN_TYPE_COUNT ? output : problem->type;
    const clscan_type sum = problem->accumulator != NULL ? combined : clscan_type_accumulator(combined);
    const measure_sum_types types = {problem->type, sum, combined, false, false};
    const bool is_bitwise = problem->op == CLSCAN_AND || problem->op == CLSCAN_OR || problem->op == CLSCAN_XOR;

    if (clscan_reference_is_floating(combined) && is_bitwise)
        return fail(error, CLSCAN_ERROR_INVALID_VALUE, "--op %s is for integers, not for %s",
                    clscan_operator_name(problem->op), clscan_type_name(combined));
    if (problem->operation == CLSCAN_SELECT && output != CLSCAN_TYPE_COUNT)
        return fail(error, CLSCAN_ERROR_INVALID_VALUE,
                    "--output-type has no use beside --operation select, which gives elements as they are");
    TRY(measure_sum_types_check(&types, "--output-type", "a load map", error));
    REQUIRE(!problem->reproducible || combined == problem->type ||
                clscan_reference_depends_on_grouping(sum, problem->op) == 0,
            CLSCAN_ERROR_INVALID_VALUE, "--reproducible: %s of %s has no reproducible order beside --output-type",
            clscan_operator_name(problem->op), clscan_type_name(sum));
    if (in_place && clscan_type_size_bytes(combined) != clscan_type_size_bytes(problem->type))
        return fail(error, CLSCAN_ERROR_INVALID_VALUE, "--in-place: outputs of %s do not fit where elements of %s are",
                    clscan_type_name(output), clscan_type_name(problem->type));
    if (problem->operation == CLSCAN_SELECT && problem->op != CLSCAN_ADD)
        return fail(error, CLSCAN_ERROR_INVALID_VALUE,
                    "--op has no use beside --operation select, which combines nothing");

cleanup:
    return status;
}

/* Outputs of another type, in which elements are combined. */
static void take_output(clscan_problem *problem, clscan_element *output)
{
    if (output->type == CLSCAN_TYPE_COUNT)
        return;
    if (problem->operation == CLSCAN_REDUCE)
        problem->accumulator = output;
    else
        problem->output = output;
}

/* Lengths of the problem's type, for elements of any: the choice does not depend on those. */
static void take_lengths(clscan_problem *problem, clscan_select *lengths)
{
    lengths->length_bytes = (uint32_t)clscan_type_size_bytes(problem->type);
    problem->operation = CLSCAN_REPEAT;
    problem->select = lengths;
}

/* What a repetition has nothing of. */
static clscan_status check_repetition(const explain_options *wanted, clscan_type output, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const clscan_problem *what = &wanted->problem.what;
    const struct {
        const char *name;
        bool given;
    } others[] = {{"--op", what->op != CLSCAN_ADD},         {"--output-type", output != CLSCAN_TYPE_COUNT},
                  {"--exclusive", wanted->exclusive},       {"--reverse", wanted->reverse},
                  {"--in-place", wanted->problem.in_place}, {"--reproducible", wanted->reproducible}};

    for (size_t i = 0; i < sizeof others / sizeof others[0]; ++i)
        REQUIRE(!others[i].given, CLSCAN_ERROR_INVALID_VALUE, "%s has no use beside --operation repeat",
                others[i].name);
    REQUIRE(!clscan_reference_is_floating(what->type), CLSCAN_ERROR_INVALID_VALUE,
            "--type %s: with --operation repeat it is that of the lengths, which are integers",
            clscan_type_name(what->type));

cleanup:
    return status;
}

/* The rows of the problem, if it was said how many. */
static clscan_status take_rows(clscan_problem *problem, const clscan_rows *rows, clscan_error *error)
{
    if (rows->count == 0)
        return CLSCAN_OK;
    if (problem->rows == NULL)
        return fail(error, CLSCAN_ERROR_INVALID_VALUE, "--rows has no use without --operation scan_rows");
    problem->rows = rows;
    return CLSCAN_OK;
}

/* Keep of the classes only the one that serves the count; count 0 runs nothing and is like 1. */
static void keep_class_of(uint64_t count, size_class *classes, size_t *class_count)
{
    size_t i = 0;

    while (i + 1 < *class_count && classes[i].last < count)
        ++i;
    classes[0] = classes[i];
    *class_count = 1;
}

static clscan_status explain(const explain_options *wanted, clscan_error *error)
{
    clscan_status status;
    const explained_problem *problem = &wanted->problem;
    size_class *classes = NULL;
    size_t class_count;
    json_t *explanation = NULL;
    target t;

    TRY(target_find(&t, wanted->device, wanted->config, error));
    TRY(clscan_device_check_type(&t.info, problem->what.type, error));
    TRY(clscan_device_check_type(&t.info, explained_output_type(problem), error));
    TRY(config_classes(t.config, &t.info, &problem->what, problem->in_place, &classes, &class_count, error));
    if (problem->has_count)
        keep_class_of(problem->count, classes, &class_count);
    TRY(explanation_make(&t.info, problem, classes, class_count, &explanation, error));
    if (wanted->json)
        TRY(json_print(explanation, error));
    else
        explanation_print(explanation);

cleanup:
    json_decref(explanation);
    free(classes);
    target_release(&t);
    return status;
}

int command_explain(int argc, char **argv)
{
    explain_options wanted = {
        .problem = {.what = {.struct_size = sizeof wanted.problem.what, .type = CLSCAN_INT32, .op = CLSCAN_ADD}}};
    clscan_problem *what = &wanted.problem.what;
    clscan_rows rows = {.struct_size = sizeof rows};
    clscan_element output = {.struct_size = sizeof output, .type = CLSCAN_TYPE_COUNT};
    clscan_select lengths = {.struct_size = sizeof lengths};
    const option options[] = {
        {"operation", "O",
         "as configs name it: scan (the default), reduce, select, unique, segmented_scan, segmented_reduce, "
         "scan_by_key, reduce_by_key, reduce_by_offsets, scan_rows; or repeat, with the type of the lengths",
         read_operation, &wanted.problem},
        {"rows", "N", "with operation scan_rows: how many rows there are (default: 1024); the count is that of one",
         read_row_count, &rows.count},
        {"type", "T", "element type (default: int32)", read_type, &what->type},
        {"output-type", "T", "element type of the output, in which elements are combined (default: the element type)",
         read_type, &output.type},
        {"op", "O", "operator (default: add); custom stands for all of a caller's own", read_operator_class, &what->op},
        {"exclusive", NULL, "an exclusive scan; does not change the choice", NULL, &wanted.exclusive},
        {"reverse", NULL, "a reverse scan; does not change the choice", NULL, &wanted.reverse},
        {"in-place", NULL, "the output is the same memory as the input", NULL, &wanted.problem.in_place},
        {"reproducible", NULL,
         "a reproducible plan: other entries serve it, if its type is half, float or double and its operator not "
         "min or max",
         NULL, &wanted.reproducible},
        {"count", "N", "number of elements; without it, a table of all size classes", read_wanted_count,
         &wanted.problem},
        {"json", NULL, "print JSON; clscan(1) documents the keys", NULL, &wanted.json},
        {"config", "FILE", HELP_CONFIG, read_text, &wanted.config},
        {"device", "D", HELP_DEVICE, read_text, &wanted.device},
    };
    const command_line line = {
        .name = "explain",
        .synopsis = "explain [options]",
        .description = "Say which variant a device uses for a problem, which entry of which config file it\n"
                       "comes from, and why. Nothing is compiled or run.",
        .options = options,
        .option_count = sizeof options / sizeof options[0],
        .examples = "  clscan explain\n"
                    "  clscan explain --type float --op max --count 2^24 --in-place\n"
                    "  clscan explain --type float --reproducible\n"
                    "  clscan explain --operation select --type double --count 2^24\n"
                    "  clscan explain --type float --output-type double\n"
                    "  clscan explain --op custom --device 1 --json\n",
    };
    clscan_error error;
    int exit_code;

    if (!options_parse(&line, argc, argv, NULL, &exit_code))
        return exit_code;
    what->form = wanted.exclusive ? CLSCAN_EXCLUSIVE : CLSCAN_INCLUSIVE;
    what->direction = wanted.reverse ? CLSCAN_REVERSE : CLSCAN_FORWARD;
    what->reproducible = wanted.reproducible;
    if (wanted.problem.repeats)
        take_lengths(what, &lengths);
    else
        clscan__config_operation_apply(wanted.problem.operation, what);
    take_output(what, &output);
    if ((wanted.problem.repeats && check_repetition(&wanted, output.type, &error) != CLSCAN_OK) ||
        check_problem(what, output.type, wanted.problem.in_place, &error) != CLSCAN_OK ||
        take_rows(what, &rows, &error) != CLSCAN_OK)
        return options_wrong(&line, &error);
    if (explain(&wanted, &error) == CLSCAN_OK)
        return EXIT_CODE_OK;
    print_failure(&error);
    return EXIT_CODE_FAILURE;
}
