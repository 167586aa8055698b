#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "command_line/failure.h"
#include "command_line/options.h"
#include "command_line/values.h"
#include "reference/case.h"
#include "target.h"

/* Variants per problem; configs have a handful of size classes. */
#define MAX_VARIANTS 32
#define MAX_COUNTS 12
#define SEED UINT64_C(20260101)

/* One problem per operator class; together they see both forms and both directions. */
static const struct {
    clscan_operator op;
    clscan_form form;
    clscan_direction direction;
} problems[] = {
    {CLSCAN_ADD, CLSCAN_INCLUSIVE, CLSCAN_FORWARD},
    {CLSCAN_MAX, CLSCAN_EXCLUSIVE, CLSCAN_REVERSE},
    {CLSCAN_CUSTOM, CLSCAN_EXCLUSIVE, CLSCAN_FORWARD}, /* does not commute */
};

typedef struct verify_options {
    bool types[CLSCAN_TYPE_COUNT]; /* none set: all */
    bool quick;
    const char *device;
    const char *config;
} verify_options;

/* A variant that the configs choose for some counts of a problem. */
typedef struct configured {
    clscan_choice choice; /* of the first size class that uses it */
    uint64_t first;       /* of that class */
    bool apart;           /* used with separate input and output */
    bool in_place;
} configured;

typedef struct tally {
    unsigned variants;
    unsigned failed;
    unsigned cases;
} tally;

static void add_variant(configured *list, size_t *list_count, const clscan_choice *choice, uint64_t first,
                        bool in_place)
{
    size_t i = 0;

    while (i < *list_count && memcmp(&list[i].choice.variant, &choice->variant, sizeof choice->variant) != 0)
        ++i;
    if (i == MAX_VARIANTS)
        return;
    if (i == *list_count) {
        list[i] = (configured){.choice = *choice, .first = first};
        ++*list_count;
    }
    list[i].apart = list[i].apart || !in_place;
    list[i].in_place = list[i].in_place || in_place;
}

/* Walk the size classes and collect the distinct variants. */
static clscan_status collect(const target *t, clscan_type type, clscan_operator op, configured *list,
                             size_t *list_count, clscan_error *error)
{
    *list_count = 0;
    for (int in_place = 0; in_place <= 1; ++in_place) {
        clscan_choice choice = {.largest_count = 0};

        for (uint64_t first = 1; choice.largest_count != UINT64_MAX; first = choice.largest_count + 1) {
            const clscan_status status =
                clscan_config_explain(t->config, &t->info, type, op, first, in_place, &choice, error);

            if (status != CLSCAN_OK)
                return status;
            add_variant(list, list_count, &choice, first, in_place != 0);
        }
    }
    return CLSCAN_OK;
}

/* Counts at the edges of tiles. Sums of floating-point numbers are exact, and so comparable bit for bit, only
 * up to 2^20 elements. */
static size_t choose_counts(const clscan_variant *variant, clscan_type type, clscan_operator op, bool quick,
                            uint64_t counts[MAX_COUNTS])
{
    const bool sums_of_floats =
        op == CLSCAN_ADD && (type == CLSCAN_HALF || type == CLSCAN_FLOAT || type == CLSCAN_DOUBLE);
    const uint64_t limit = sums_of_floats ? UINT64_C(1) << 20 : UINT64_C(1) << 24;
    const uint64_t many = UINT64_C(1) << (quick ? 17 : 21);
    const uint64_t tile = clscan_variant_tile_count(variant);
    const uint64_t wanted[] = {0,       1, 2, 33, tile - 1, tile, tile + 1, 2 * tile, 2 * tile + 1, 5 * tile + tile / 3,
                               many + 1};
    size_t used = 0;

    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; ++i) {
        bool known = wanted[i] > limit;

        for (size_t k = 0; k < used; ++k)
            known = known || counts[k] == wanted[i];
        if (!known)
            counts[used++] = wanted[i];
    }
    return used;
}

/* Run all cases of a prepared plan; `text` receives the first that is not right. */
static bool run_cases(const clscan_case_fixture *fixture, const configured *variant, const uint64_t *counts,
                      size_t count_count, clscan_generator generator, unsigned *cases, char *text)
{
    for (int in_place = variant->apart ? 0 : 1; in_place <= (variant->in_place ? 1 : 0); ++in_place) {
        for (size_t i = 0; i < count_count; ++i) {
            /* Offsets, initial value and total change from case to case. */
            const clscan_case test = {
                .count = counts[i],
                .in_offset = i % 3,
                .out_offset = in_place ? i % 3 : i % 2 * 3,
                .in_place = in_place,
                .initial = (clscan_case_initial)(i % 3),
                .total = i % 2 == 1,
                .generator = generator,
                .seed = SEED + i,
            };

            ++*cases;
            if (clscan_case_run(fixture, &test, text, CLSCAN_CASE_TEXT_BYTES) != CLSCAN_CASE_RIGHT)
                return false;
        }
    }
    return true;
}

static void print_line(bool ok, clscan_type type, clscan_operator op, const configured *variant, unsigned cases)
{
    char text[512];

    clscan_variant_format(&variant->choice.variant, text, sizeof text);
    printf("%-7s %-6s %-6s %s, from %" PRIu64 " elements, %s, %s%s%s, %u cases\n", ok ? "ok" : "FAILED",
           clscan_type_name(type), clscan_operator_name(op), text, variant->first,
           variant->apart && variant->in_place ? "apart and in place"
           : variant->apart                    ? "apart"
                                               : "in place",
           variant->choice.source, variant->choice.entry[0] != '\0' ? "#" : "", variant->choice.entry, cases);
    fflush(stdout); /* the next line may take seconds of compiling */
}

/* Build and test one variant, and tell. */
static void verify_variant(const target *t, clscan_type type, size_t problem_index, const configured *variant,
                           bool quick, tally *sum)
{
    const clscan_operator op = problems[problem_index].op;
    const clscan_direction direction = problems[problem_index].direction;
    const clscan_sample_operator *sample =
        op == CLSCAN_CUSTOM ? clscan_sample_find(CLSCAN_SAMPLE_KEEP_LAST, type) : NULL;
    uint64_t counts[MAX_COUNTS];
    const size_t count_count = choose_counts(&variant->choice.variant, type, op, quick, counts);
    clscan_problem problem = {
        .struct_size = sizeof problem,
        .type = type,
        .op = op,
        .form = problems[problem_index].form,
        .direction = direction,
        .custom = sample != NULL ? &sample->custom : NULL,
        .max_count = 1,
    };
    const clscan_plan_options options = {.struct_size = sizeof options, .variant = &variant->choice.variant};
    clscan_case_fixture fixture = {.context = t->context, .device = t->device, .queue = t->queue};
    char text[CLSCAN_CASE_TEXT_BYTES] = "";
    clscan_error error;
    unsigned cases = 0;
    bool ok;

    for (size_t i = 0; i < count_count; ++i)
        problem.max_count = counts[i] > problem.max_count ? counts[i] : problem.max_count;
    ok = clscan_case_prepare(&fixture, &problem, sample, &options, &error) == CLSCAN_OK;
    if (ok) {
        const clscan_generator generator =
            op == CLSCAN_CUSTOM ? CLSCAN_GENERATE_MOSTLY_ZERO : clscan_generator_for(type, op, direction);

        ok = run_cases(&fixture, variant, counts, count_count, generator, &cases, text);
        clscan_case_release(&fixture);
        print_line(ok, type, op, variant, cases);
        if (!ok)
            complain("%s", text);
    } else {
        print_line(ok, type, op, variant, cases);
        print_failure(&error);
    }
    ++sum->variants;
    sum->cases += cases;
    sum->failed += ok ? 0 : 1;
}

static clscan_status verify_type(const target *t, clscan_type type, bool quick, tally *sum, clscan_error *error)
{
    configured variants[MAX_VARIANTS];

    for (size_t p = 0; p < sizeof problems / sizeof problems[0]; ++p) {
        size_t variant_count;
        const clscan_status status = collect(t, type, problems[p].op, variants, &variant_count, error);

        if (status != CLSCAN_OK)
            return status;
        for (size_t i = 0; i < variant_count; ++i)
            verify_variant(t, type, p, &variants[i], quick, sum);
    }
    return CLSCAN_OK;
}

static bool is_wanted(const verify_options *wanted, clscan_type type)
{
    bool any = false;

    for (size_t i = 0; i < CLSCAN_TYPE_COUNT; ++i)
        any = any || wanted->types[i];
    if (any)
        return wanted->types[type];
    /* Quick: the narrowest, the usual, and the most delicate. */
    return !wanted->quick || type == CLSCAN_UINT8 || type == CLSCAN_INT32 || type == CLSCAN_FLOAT;
}

static clscan_status verify(const verify_options *wanted, tally *sum, clscan_error *error)
{
    clscan_status status;
    target t;

    TRY(target_find(&t, wanted->device, wanted->config, error));
    TRY(target_start(&t, error));
    printf("%s (%s, %s)\n", t.info.name, t.info.key, t.info.platform_name);
    for (clscan_type type = CLSCAN_INT8; type < CLSCAN_TYPE_COUNT; ++type) {
        if (!is_wanted(wanted, type))
            continue;
        if (type == CLSCAN_DOUBLE && !t.info.has_double)
            printf("%-7s %-6s the device has no double\n", "skipped", clscan_type_name(type));
        else
            TRY(verify_type(&t, type, wanted->quick, sum, error));
    }
    printf("%u variants, %u cases: ", sum->variants, sum->cases);
    if (sum->failed == 0)
        printf("all right\n");
    else
        printf("%u variants FAILED\n", sum->failed);

cleanup:
    target_release(&t);
    return status;
}

int command_verify(int argc, char **argv)
{
    verify_options wanted = {.quick = false};
    const option options[] = {
        {"type", "LIST", "element types, like int8,float (default: all)", read_type_list, wanted.types},
        {"quick", NULL, "uint8, int32 and float, and fewer elements", NULL, &wanted.quick},
        {"device", "D", HELP_DEVICE, read_text, &wanted.device},
        {"config", "FILE", HELP_CONFIG, read_text, &wanted.config},
    };
    const command_line line = {
        .name = "verify",
        .synopsis = "verify [options]",
        .description = "Test every variant that the configs choose on a device: for each element type, for a\n"
                       "built-in, a comparing and a custom operator, with separate buffers and in place, at\n"
                       "counts around the edges of its tiles, against a serial scan on the host. One line per\n"
                       "variant; the exit code is 1 if one is wrong.",
        .options = options,
        .option_count = sizeof options / sizeof options[0],
        .examples = "  clscan verify --quick\n"
                    "  clscan verify --device nvidia --type int32,float\n",
    };
    clscan_error error;
    tally sum = {0};
    int exit_code;

    if (!options_parse(&line, argc, argv, NULL, &exit_code))
        return exit_code;
    if (verify(&wanted, &sum, &error) != CLSCAN_OK) {
        print_failure(&error);
        return EXIT_CODE_FAILURE;
    }
    return sum.failed == 0 ? EXIT_CODE_OK : EXIT_CODE_FAILURE;
}
