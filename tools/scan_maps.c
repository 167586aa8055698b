#include "scan_maps.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command_line/failure.h"
#include "common/expression.h"
#include "common/names.h"
#include "measure/sum_types.h"
#include "reference/reference.h"

/* A run begins anywhere in its row. */
static const clscan_map_argument first = {.struct_size = sizeof first, .name = "index_of_first", .type = CLSCAN_UINT64};

const char *map_type_name(clscan_type type, const record *of)
{
    static const char *const names[] = {
#define X(name, text, bytes, cl_type, accumulator) #cl_type,
        CLSCAN_TYPE_LIST(X)
#undef X
    };

    return of != NULL ? of->type->element.name : names[clscan_type_accumulator(type)];
}

bool scan_maps_are_needed(const scan_maps *m)
{
    return m->in != m->out || m->load != NULL || m->store != NULL;
}

clscan_status map_check(const char *expression, const char *option, clscan_error *error)
{
    static const char *const functions[] = {"npy_kept", "npy_loaded", "npy_stored"};
    clscan_status status = CLSCAN_OK;
    const char *fault = clscan__expression_fault(expression);

    REQUIRE(fault == NULL, CLSCAN_ERROR_INVALID_VALUE, "%s %s: %s", option, fault, expression);
    for (size_t length; *expression != '\0'; expression += length > 0 ? length : 1) {
        length = clscan__name_length(expression);
        for (size_t i = 0; i < sizeof functions / sizeof functions[0]; ++i)
            REQUIRE(length != strlen(functions[i]) || memcmp(expression, functions[i], length) != 0,
                    CLSCAN_ERROR_INVALID_VALUE, "%s has the name %s, which is the command's", option, functions[i]);
    }

cleanup:
    return status;
}

clscan_status map_source(const char *expression, const char *option, const char *head, char **source,
                         clscan_error *error)
{
    const size_t room_bytes = strlen(expression) + strlen(head) + 3 * strlen(option) + 128;
    unsigned lines = 1;

    for (const char *at = strchr(expression, '\n'); at != NULL; at = strchr(at + 1, '\n'))
        ++lines;
    *source = malloc(room_bytes);
    if (*source == NULL)
        return fail(error, CLSCAN_ERROR_OUT_OF_MEMORY, "no memory for %s", option);
    /* A value of the wrong type is seen at the bracket, and what is missing at the end behind the last line. */
    snprintf(*source, room_bytes, "%s\n{\n    return\n#line 1 \"%s\"\n(\n#line 1 \"%s\"\n%s\n#line %u \"%s\"\n);\n}",
             head, option, option, expression, lines, option);
    return CLSCAN_OK;
}

/* Behind a member of the problem, and members of that, at the beginning of a message; NULL: it names another one. */
static const char *behind_member(const char *message, const char *member)
{
    const size_t bytes = strlen(member);

    if (strncmp(message, member, bytes) != 0 || strchr(" :-", message[bytes]) == NULL)
        return NULL;
    for (message += bytes; strncmp(message, "->", 2) == 0;)
        message += 2 + strspn(message + 2, "abcdefghijklmnopqrstuvwxyz_");
    return message;
}

clscan_status map_failure(clscan_status status, const plan_culprits *culprits, clscan_error *error)
{
    const char *in = culprits->in, *keys = culprits->keys;
    const struct {
        const char *member, *option, *file;
    } names[] = {{"problem->load", culprits->load != NULL ? culprits->load : "--load", NULL},
                 {"problem->store", "--store", NULL},
                 {"problem->segments->equal", "--equal", NULL},
                 {"problem->segments->key", "the struct of --keys ", keys},
                 {"problem->element", in != NULL ? "the struct of " : "--struct", in},
                 {"problem->custom", "--struct", NULL}};

    for (size_t i = 0; status != CLSCAN_OK && i < sizeof names / sizeof names[0]; ++i) {
        const char *behind = behind_member(error->message, names[i].member);
        char text[sizeof error->message];

        if (behind == NULL)
            continue;
        /* The maps of the plan call functions around what the user wrote. */
        snprintf(text, sizeof text, "%s%s%s", names[i].option, names[i].file != NULL ? names[i].file : "",
                 status == CLSCAN_ERROR_MAP_SOURCE ? " does not compile as an expression of OpenCL C" : behind);
        memcpy(error->message, text, sizeof text);
        break;
    }
    return status;
}

static clscan_status check_sums(const scan_maps *m, const clscan_problem *problem, clscan_error *error)
{
    clscan_status status;
    const clscan_type sum = clscan_type_accumulator(m->out);
    const measure_sum_types types = {m->in, sum, m->out, m->load != NULL, m->store != NULL};

    TRY(measure_sum_types_check(&types, "--output-type", "--load", error));
    REQUIRE(!problem->reproducible || clscan_reference_depends_on_grouping(sum, problem->op) == 0,
            CLSCAN_ERROR_INVALID_VALUE,
            "--reproducible: %s of %s has no reproducible order beside --output-type, --load and --store",
            clscan_operator_name(problem->op), clscan_type_name(sum));

cleanup:
    return status;
}

/* Of numbers. */
static clscan_status say_output(scan_maps *m, clscan_problem *problem, clscan_error *error)
{
    clscan_status status;

    TRY(check_sums(m, problem, error));
    m->output = (clscan_element){.struct_size = sizeof m->output, .type = m->out};
    if (problem->operation == CLSCAN_REDUCE) {
        m->output.type = clscan_type_accumulator(m->out);
        problem->accumulator = &m->output;
    } else {
        problem->output = &m->output;
    }

cleanup:
    return status;
}

clscan_status scan_maps_prepare(scan_maps *m, clscan_problem *problem, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const char *element, *sum;
    char head[256];

    if (!scan_maps_are_needed(m))
        return status;
    element = map_type_name(m->in, m->record);
    sum = map_type_name(m->out, m->record);
    if (m->record == NULL)
        TRY(say_output(m, problem, error));
    for (size_t i = 0; i < 2; ++i)
        m->maps[i] = (clscan_map){.struct_size = sizeof m->maps[i], .arguments = &first, .argument_count = 1};
    if (m->load != NULL) {
        TRY(map_check(m->load, "--load", error));
        snprintf(head, sizeof head, "%s npy_loaded(%s element, ulong index)", sum, element);
        TRY(map_source(m->load, "--load", head, &m->sources[0], error));
        m->maps[0].source = m->sources[0];
        m->maps[0].expression = "npy_loaded(element, index + index_of_first)";
        problem->load = &m->maps[0];
    }
    if (m->store != NULL) {
        const bool previous = strstr(m->store, "previous") != NULL, keeps = strstr(m->store, "element") != NULL;

        TRY(map_check(m->store, "--store", error));
        snprintf(head, sizeof head, "%s npy_stored(%s sum, ulong index%s%s%s%s%s%s)", sum, sum, previous ? ", " : "",
                 previous ? sum : "", previous ? " previous" : "", keeps ? ", " : "", keeps ? element : "",
                 keeps ? " element" : "");
        TRY(map_source(m->store, "--store", head, &m->sources[1], error));
        m->maps[1].source = m->sources[1];
        m->maps[1].expression = previous && keeps ? "npy_stored(sum, index + index_of_first, previous, element)"
                                : previous        ? "npy_stored(sum, index + index_of_first, previous)"
                                : keeps           ? "npy_stored(sum, index + index_of_first, element)"
                                                  : "npy_stored(sum, index + index_of_first)";
        problem->store = &m->maps[1];
    }

cleanup:
    return status;
}

uint64_t scan_maps_arguments(const scan_maps *m, const uint64_t *index, clscan_memory arguments[SCAN_MAPS_ARGUMENTS])
{
    const uint64_t count = (m->load != NULL ? 1u : 0u) + (m->store != NULL ? 1u : 0u);

    for (uint64_t i = 0; i < count; ++i)
        arguments[i] = (clscan_memory){CLSCAN_MEMORY_HOST, .pointer = index};
    return count;
}

void scan_maps_release(scan_maps *m)
{
    free(m->sources[0]);
    free(m->sources[1]);
    m->sources[0] = m->sources[1] = NULL;
}
