/* An application that brings its own config, asks what is chosen and why, and one plan that has a fixed variant. */
#include <string.h>

#include "example.h"

enum { COUNT = 4000 };

static const char config_text[] =
    "{\n"
    "  \"schema_version\": 1,\n"
    "  \"match\": \"%s\",\n"
    "  \"provenance\": {\"origin\": \"hand-set\", \"date\": \"2026-11-21\"},\n"
    "  \"entries\": [\n"
    "    {\"operation\": \"scan\", \"element_size_bytes\": 4, \"operator_class\": \"builtin\",\n"
    "     \"largest_count\": null, \"reproducible\": false,\n"
    "     \"variant\": {\"body\": \"strided\", \"group_scan\": \"brent_kung\", \"carry\": \"reduce_then_scan\",\n"
    "                 \"work_group_size\": 64, \"vector_length\": 4, \"register_pieces\": 2, \"local_pieces\": 0,\n"
    "                 \"work_groups_per_unit\": 4}}\n"
    "  ]\n"
    "}\n";

/* The config, made for this device. An application would rather ship a file: clscan_config_load(). */
static clscan_config *open_config(const clscan_device_info *info)
{
    char text[sizeof config_text + sizeof info->key];
    const int text_bytes = snprintf(text, sizeof text, config_text, info->key);
    clscan_error error = {0};
    clscan_config *config = NULL;

    must(clscan_config_parse(text, (size_t)text_bytes, "own config", &config, &error), &error);
    return config;
}

/* Print what serves COUNT elements; 1 if that comes from `source`. */
static int explain(const clscan_plan *plan, const char *source)
{
    clscan_error error = {0};
    clscan_choice choice = {.struct_size = sizeof choice};
    char variant[512];

    must(clscan_plan_explain(plan, COUNT, 0, &choice, &error), &error);
    clscan_variant_format(&choice.variant, variant, sizeof variant);
    printf("%s\n  from %s %s\n  because %s\n", variant, choice.source, choice.entry, choice.reason);
    return strcmp(choice.source, source) == 0;
}

int main(void)
{
    clscan_error error = {0};
    clscan_device_info info = {.struct_size = sizeof info};
    clscan_variant variant;
    cl_device_id device;
    clscan_plan *by_config = NULL, *by_variant = NULL;

    const cl_context context = open_context(&device);
    const clscan_problem problem = {sizeof problem, .type = CLSCAN_FLOAT, .op = CLSCAN_ADD, .max_count = COUNT};
    must(clscan_device_describe(device, &info, &error), &error);

    clscan_config *config = open_config(&info);
    const clscan_plan_options with_config = {sizeof with_config, .config = config};
    must(clscan_plan_create(context, device, &problem, &with_config, &by_config, &error), &error);
    clscan_config_destroy(config); /* plans do not keep it */
    const int config_right = explain(by_config, "own config");

    must(clscan_variant_parse("strided+kogge_stone+single "
                              "work_group_size=64 vector_length=1 register_pieces=8 local_pieces=0",
                              &variant, &error),
         &error);
    const clscan_plan_options with_variant = {sizeof with_variant, .variant = &variant};
    must(clscan_plan_create(context, device, &problem, &with_variant, &by_variant, &error), &error);
    const int variant_right = explain(by_variant, "plan options");

    clscan_plan_destroy(by_config);
    clscan_plan_destroy(by_variant);
    clReleaseContext(context);
    return config_right && variant_right ? 0 : 1;
}
