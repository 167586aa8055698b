/* Custom operators: name, identity and source, a line each but the last, are checked, and stand in the program that is
 * composed of them as they were given. */
#include <string.h>

#include "api/check.h"
#include "program/compose.h"
#include "targets.h"

static void compose(const clscan_custom_operator *custom)
{
    static const clscan_device_info device = {
        .struct_size = sizeof device, .max_work_group_size = 256, .compute_units = 1};
    const clscan__program_spec spec = {.device = &device, .type = CLSCAN_INT32, .op = CLSCAN_CUSTOM, .custom = custom};
    char *source = NULL;
    clscan_error error = {0};

    for (int named = 0; named < 2; ++named) {
        if (clscan__operator_compose(&spec, CLSCAN__OPERATOR_FUNCTION, named, &source, &error) == CLSCAN_OK) {
            FUZZ_CHECK(strstr(source, custom->source) != NULL && strstr(source, custom->function) != NULL);
            free(source);
        }
        if (custom->identity == NULL ||
            clscan__operator_compose(&spec, CLSCAN__OPERATOR_IDENTITY, named, &source, &error) != CLSCAN_OK)
            continue;
        FUZZ_CHECK(strstr(source, custom->source) != NULL && strstr(source, custom->identity) != NULL);
        free(source);
    }
}

void fuzz_operator(const uint8_t *data, size_t size_bytes)
{
    char *text = fuzz_text(data, size_bytes);
    char *identity = strchr(text, '\n');
    char *source = identity != NULL ? strchr(identity + 1, '\n') : NULL;

    if (source != NULL) {
        *identity++ = '\0';
        *source++ = '\0';
        const clscan_custom_operator custom = {.struct_size = sizeof custom,
                                               .source = source,
                                               .function = text,
                                               .identity = *identity != '\0' ? identity : NULL};
        const clscan_problem problem = {.struct_size = sizeof problem,
                                        .type = CLSCAN_INT32,
                                        .op = CLSCAN_CUSTOM,
                                        .custom = &custom,
                                        .max_count = 1};
        if (clscan__check_problem(&problem, NULL) == CLSCAN_OK)
            compose(&custom);
    }
    free(text);
}
