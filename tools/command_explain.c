#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>

#include "command.h"
#include "failure.h"
#include "options.h"
#include "target.h"
#include "values.h"

typedef struct explain_options {
    clscan_type type;
    clscan_operator op;
    uint64_t count;
    bool has_count;
    bool in_place;
    const char *config;
    const char *device;
} explain_options;

static clscan_status read_wanted_count(const char *text, void *given, clscan_error *error)
{
    explain_options *wanted = given;

    wanted->has_count = true;
    return read_count(text, &wanted->count, error);
}

static void print_variant(const clscan_variant *variant)
{
    char text[512];

    clscan_variant_format(variant, text, sizeof text);
    printf("%s\n", text);
}

static void print_origin(const clscan_choice *choice)
{
    printf("  %-12s%s%s%s\n", "entry", choice->source, choice->entry[0] != '\0' ? "#" : "", choice->entry);
    printf("  %-12s%s\n", "matched", choice->matched[0] != '\0' ? choice->matched : "-");
    printf("  %-12s%s\n", "why", choice->reason);
}

/* One count, in full. */
static clscan_status explain_count(const target *t, const explain_options *wanted, clscan_error *error)
{
    clscan_choice choice;
    const clscan_status status = clscan_config_explain(t->config, &t->info, wanted->type, wanted->op, wanted->count,
                                                       wanted->in_place, &choice, error);

    if (status != CLSCAN_OK)
        return status;
    printf("  %-12s%" PRIu64 "\n  %-12s", "count", wanted->count, "variant");
    print_variant(&choice.variant);
    printf("  %-12s%" PRIu64 " elements, %" PRIu64 " bytes of local memory, %" PRIu64 " of registers\n", "tile",
           clscan_variant_tile_count(&choice.variant), clscan_variant_local_bytes(&choice.variant, wanted->type),
           clscan_variant_register_bytes(&choice.variant, wanted->type));
    if (choice.largest_count == UINT64_MAX)
        printf("  %-12severy larger count too\n", "serves");
    else
        printf("  %-12scounts up to %" PRIu64 "\n", "serves", choice.largest_count);
    print_origin(&choice);
    if (choice.revision[0] != '\0')
        printf("  %-12s%s\n", "revision", choice.revision);
    return CLSCAN_OK;
}

/* All size classes, from the smallest. */
static clscan_status explain_all(const target *t, const explain_options *wanted, clscan_error *error)
{
    uint64_t first = 1;

    for (;;) {
        clscan_choice choice;
        const clscan_status status = clscan_config_explain(t->config, &t->info, wanted->type, wanted->op, first,
                                                           wanted->in_place, &choice, error);

        if (status != CLSCAN_OK)
            return status;
        if (choice.largest_count == UINT64_MAX)
            printf("\ncounts from %" PRIu64 "\n", first);
        else
            printf("\ncounts %" PRIu64 " .. %" PRIu64 "\n", first, choice.largest_count);
        printf("  %-12s", "variant");
        print_variant(&choice.variant);
        print_origin(&choice);
        if (choice.largest_count == UINT64_MAX || choice.largest_count < first)
            return CLSCAN_OK;
        first = choice.largest_count + 1;
    }
}

static clscan_status explain(const explain_options *wanted, clscan_error *error)
{
    clscan_status status;
    target t;

    TRY(target_find(&t, wanted->device, wanted->config, error));
    printf("%s (%s)\n", t.info.name, t.info.key);
    printf("  %-12s%s %s%s\n", "problem", clscan_type_name(wanted->type), clscan_operator_name(wanted->op),
           wanted->in_place ? ", in place" : "");
    TRY(wanted->has_count ? explain_count(&t, wanted, error) : explain_all(&t, wanted, error));

cleanup:
    target_release(&t);
    return status;
}

int command_explain(int argc, char **argv)
{
    explain_options wanted = {.type = CLSCAN_INT32, .op = CLSCAN_ADD};
    const option options[] = {
        {"type", "T", "element type (default: int32)", read_type, &wanted.type},
        {"op", "O", "operator, also custom (default: add)", read_operator, &wanted.op},
        {"count", "N", "number of elements; without it, every size class is listed", read_wanted_count, &wanted},
        {"in-place", NULL, "the output is the same memory as the input", NULL, &wanted.in_place},
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
    };
    clscan_error error;
    int exit_code;

    if (!options_parse(&line, argc, argv, NULL, &exit_code))
        return exit_code;
    if (explain(&wanted, &error) == CLSCAN_OK)
        return EXIT_CODE_OK;
    print_failure(&error);
    return EXIT_CODE_FAILURE;
}
