#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/text.h"
#include "common/printable.h"
#include "config/config.h"
#include "config/constraints.h"
#include "config_file/json.h"
#include "element/problem.h"
#include "element/types.h"

/* A problem that an entry of a key serves, with what it points to. */
typedef struct served {
    clscan_problem problem;
    clscan_element element; /* or what is combined instead */
    clscan_custom_operator custom;
} served;

/* Of integers; the reproducible order is that of floating-point types. Where no scalar has the key's bytes, or with
 * `structs`, of structs as large as what is combined, by an operator that may be lanewise. */
static const clscan_problem *problem_of(const clscan__config_key *key, bool structs, served *of)
{
    const bool selects = clscan__config_operation_selects(key->operation);
    const uint32_t size_bytes = key->sum_size_bytes != 0 && !selects ? key->sum_size_bytes : key->element_size_bytes;
    clscan_problem *problem = &of->problem;

    *of = (served){.problem = {.struct_size = sizeof *problem,
                               .type = structs ? CLSCAN_TYPE_COUNT : clscan__type_of_size(size_bytes),
                               .reproducible = key->reproducible}};
    clscan__config_operation_apply(key->operation, problem);
    for (int type = 0; key->reproducible && type < CLSCAN_TYPE_COUNT; ++type)
        if (clscan__type_is_floating((clscan_type)type) &&
            clscan_type_size_bytes((clscan_type)type) == key->element_size_bytes)
            problem->type = (clscan_type)type;
    if (size_bytes != key->element_size_bytes && problem->type != CLSCAN_TYPE_COUNT &&
        clscan__type_of_size(key->element_size_bytes) != CLSCAN_TYPE_COUNT) {
        of->element = (clscan_element){.struct_size = sizeof of->element, .type = problem->type};
        problem->type = clscan__type_of_size(key->element_size_bytes);
        problem->accumulator = &of->element;
    } else if (problem->type == CLSCAN_TYPE_COUNT) {
        of->element = (clscan_element){.struct_size = sizeof of->element,
                                       .name = "opaque",
                                       .source = "opaque",
                                       .size_bytes = size_bytes,
                                       .align_bytes = size_bytes % 4 == 0 ? 4 : 1};
        of->custom = (clscan_custom_operator){.struct_size = sizeof of->custom, .lanewise = 1};
        problem->type = (clscan_type)0;
        problem->op = selects ? CLSCAN_ADD : CLSCAN_CUSTOM;
        problem->custom = selects ? NULL : &of->custom;
        problem->element = &of->element;
    }
    return problem;
}

static clscan_status is_legal(const clscan__config_entry *entry, bool structs, bool *legal, clscan__violation *found,
                              clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    served of;
    clscan__problem_room room;
    const clscan_problem *problem = problem_of(&entry->key, structs, &of);

    CLSCAN__TRY(clscan__problem_take(&problem, &room, error));
    *legal = clscan__variant_is_legal(&entry->variant, problem, 0, NULL, found);

cleanup:
    return status;
}

/* Is every variant legal for such a problem, on some device? What is not for scalars may be for structs as large. */
static clscan_status check_variants(const clscan_config *config, clscan_error *error)
{
    const clscan__json_place root = {config->source, ""};
    const clscan__json_place entries = clscan__json_at_key(&root, "entries");
    clscan_status status = CLSCAN_OK;

    for (size_t i = 0; i < config->document.entry_count; ++i) {
        const clscan__config_entry *entry = &config->document.entries[i];
        const clscan__json_place at = clscan__json_at_index(&entries, i);
        const clscan__json_place place = clscan__json_at_key(&at, "variant");
        clscan__violation found, unused;
        bool legal = false;

        CLSCAN__TRY(is_legal(entry, false, &legal, &found, error));
        if (!legal && entry->variant.streaming_stores > 0)
            CLSCAN__TRY(is_legal(entry, true, &legal, &unused, error));
        CLSCAN__JSON_REQUIRE(legal, &place, found.field[0] != '\0' ? found.field : NULL, CLSCAN_ERROR_ILLEGAL_VARIANT,
                             "%s (%s)", found.reason, found.name);
    }

cleanup:
    return status;
}

clscan_status clscan_config_parse(const char *text, size_t text_bytes, const char *source, clscan_config **config,
                                  clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    clscan_config *parsed = NULL;
    clscan__text name = {0};

    CLSCAN__REQUIRE(text != NULL, CLSCAN_ERROR_NULL_ARGUMENT, "text is NULL");
    CLSCAN__REQUIRE(source != NULL, CLSCAN_ERROR_NULL_ARGUMENT, "source is NULL");
    CLSCAN__REQUIRE(config != NULL, CLSCAN_ERROR_NULL_ARGUMENT, "config is NULL");
    CLSCAN__REQUIRE(text_bytes <= CLSCAN_CONFIG_MAX_BYTES, CLSCAN_ERROR_CONFIG_SIZE,
                    "%s: %zu bytes; at most %u are read", source, text_bytes, CLSCAN_CONFIG_MAX_BYTES);
    parsed = calloc(1, sizeof *parsed);
    CLSCAN__REQUIRE(parsed != NULL, CLSCAN_ERROR_OUT_OF_MEMORY, "%s: no memory for the config", source);
    clscan__text_append(&name, "%s", source);
    CLSCAN__TRY(clscan__text_take(&name, &parsed->source, error));
    clscan__make_printable(parsed->source);
    CLSCAN__TRY(clscan__document_read(text, text_bytes, source, &parsed->document, error));
    parsed->match_bytes = strlen(parsed->document.match);
    CLSCAN__TRY(check_variants(parsed, error));
    *config = parsed;
    parsed = NULL; /* now the caller's */

cleanup:
    clscan_config_destroy(parsed);
    return status;
}

clscan_status clscan_config_load(const char *path, clscan_config **config, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    char *text = NULL;
    size_t text_bytes;

    CLSCAN__REQUIRE(path != NULL, CLSCAN_ERROR_NULL_ARGUMENT, "path is NULL");
    CLSCAN__REQUIRE(config != NULL, CLSCAN_ERROR_NULL_ARGUMENT, "config is NULL");
    CLSCAN__TRY(clscan__file_read(path, CLSCAN_CONFIG_MAX_BYTES, CLSCAN_ERROR_CONFIG_SIZE, &text, &text_bytes, error));
    CLSCAN__TRY(clscan_config_parse(text, text_bytes, path, config, error));

cleanup:
    free(text);
    return status;
}

void clscan_config_destroy(clscan_config *config)
{
    if (config == NULL)
        return;
    clscan__document_free(&config->document);
    free(config->source);
    free(config);
}
