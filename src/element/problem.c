#include "element/problem.h"

#include "base/checked.h"

#include <stdio.h>
#include <string.h>

#include "element/described.h"
#include "element/operators.h"
#include "element/repetition.h"
#include "element/segments.h"
#include "element/types.h"

/* Operators of our own on vectors are those on their lanes. */
static clscan_status check_operator(const clscan_problem *problem, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const clscan_element *sum = problem->accumulator != NULL ? problem->accumulator : problem->element;
    const bool is_named = sum != NULL && sum->name != NULL;
    char name[CLSCAN__ELEMENT_NAME_BYTES];

    CLSCAN__REQUIRE(clscan__operator_is_valid(problem->op), CLSCAN_ERROR_INVALID_VALUE,
                    "problem->op: %d is not an operator", (int)problem->op);
    if (sum == NULL)
        goto cleanup;
    CLSCAN__REQUIRE(!is_named || problem->op == CLSCAN_CUSTOM, CLSCAN_ERROR_UNSUPPORTED_TYPE,
                    "problem->op is %s, but elements of type %s need CLSCAN_CUSTOM", clscan_operator_name(problem->op),
                    clscan__element_name(sum, name));
    clscan__problem_element_name(problem, name);
    CLSCAN__REQUIRE(!is_named || !problem->reproducible, CLSCAN_ERROR_UNSUPPORTED_TYPE,
                    "problem->reproducible is set, but elements of type %s have no reproducible order", name);
    CLSCAN__REQUIRE(
        !clscan__problem_is_ordered(problem), CLSCAN_ERROR_UNSUPPORTED_TYPE,
        "problem->reproducible is set, but %s of %s has a reproducible order only without maps, and with one "
        "scalar type for elements, sums and outputs",
        clscan_operator_name(problem->op), name);

cleanup:
    return status;
}

static bool is_integer(clscan_type type)
{
    return !clscan__type_is_floating(type);
}

static bool is_scalar(const clscan_element *element)
{
    return element->name == NULL && element->lanes <= 1;
}

static clscan_element scalar(clscan_type type)
{
    return (clscan_element){.struct_size = sizeof(clscan_element), .type = type};
}

/* Without a map: does the one become the other, and lose nothing but by rounding? */
static clscan_status check_conversion(const char *map, const char *what, const clscan_element *from,
                                      const clscan_element *to, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    char from_name[CLSCAN__ELEMENT_NAME_BYTES], to_name[CLSCAN__ELEMENT_NAME_BYTES];

    clscan__element_name(from, from_name);
    clscan__element_name(to, to_name);
    if (!is_scalar(from) || !is_scalar(to)) {
        CLSCAN__REQUIRE(clscan__element_equal(from, to), CLSCAN_ERROR_UNSUPPORTED_TYPE,
                        "%s is %s, which %s becomes by problem->%s only", what, to_name, from_name, map);
        return status;
    }
    CLSCAN__REQUIRE(is_integer(from->type) || !is_integer(to->type), CLSCAN_ERROR_UNSUPPORTED_TYPE,
                    "%s is %s, an integer, which %s does not become", what, to_name, from_name);

cleanup:
    return status;
}

/* Accumulator or output: the given one, or else the ordinary one. */
static clscan_status take_part(const clscan_element *given, const clscan_element *ordinary, clscan_element *room,
                               const char *what, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    clscan_type type = CLSCAN_INT8;

    if (given == NULL) {
        *room = *ordinary;
        return status;
    }
    CLSCAN__TRY(clscan__element_take(&given, &type, room, what, error));
    if (given == NULL)
        *room = scalar(type);
    else if (given != room)
        *room = *given;

cleanup:
    return status;
}

/* A load map has no sum yet. That of a selection, a predicate, has an element more. */
static const char *const load_names[] = {"element", "index", NULL};
static const char *const predicate_names[] = {"element", "index", "before", NULL};
static const char *const store_names[] = {"sum", "index", "previous", "element", NULL};

static const char *const *names_of_load(const clscan_problem *problem)
{
    return clscan__problem_selects(problem) ? predicate_names : load_names;
}

static clscan_status take_maps(clscan_problem *problem, clscan__problem_room *room, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;

    if (problem->load != NULL)
        CLSCAN__TRY(clscan__map_take(&problem->load, &room->load, "problem->load", names_of_load(problem), error));
    if (problem->store != NULL)
        CLSCAN__TRY(clscan__map_take(&problem->store, &room->store, "problem->store", store_names, error));
    CLSCAN__REQUIRE(clscan__problem_argument_count(problem) <= CLSCAN_MOST_MAP_ARGUMENTS, CLSCAN_ERROR_INVALID_VALUE,
                    "problem->load and problem->store have %llu arguments, more than %u",
                    (unsigned long long)clscan__problem_argument_count(problem), CLSCAN_MOST_MAP_ARGUMENTS);

cleanup:
    return status;
}

/* A map's own names would hide a type of the same name from it. */
static clscan_status check_type_name(const clscan_problem *problem, const clscan_element *element, const char *what,
                                     clscan_error *error)
{
    clscan_status status = CLSCAN_OK;

    if (element->name != NULL && problem->load != NULL)
        CLSCAN__TRY(clscan__map_lacks("problem->load", names_of_load(problem), what, element->name, error));
    if (element->name != NULL && problem->store != NULL)
        CLSCAN__TRY(clscan__map_lacks("problem->store", store_names, what, element->name, error));

cleanup:
    return status;
}

/* A name is that of one type, which one source declares. Elements are NULL where the caller names none. */
static clscan_status check_one_type(const char *left_name, const clscan_element *left, const char *right_name,
                                    const clscan_element *right, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const char *differs;

    if (left == NULL || right == NULL || left->name == NULL || right->name == NULL ||
        strcmp(left->name, right->name) != 0)
        return status;
    differs = clscan__has_source(left) && clscan__has_source(right) && strcmp(left->source, right->source) != 0
                  ? "source"
              : left->size_bytes != right->size_bytes   ? "size_bytes"
              : left->align_bytes != right->align_bytes ? "align_bytes"
                                                        : NULL;
    CLSCAN__REQUIRE(differs == NULL, CLSCAN_ERROR_INVALID_VALUE, "%s and %s are both named %s, but differ in %s",
                    left_name, right_name, left->name, differs);

cleanup:
    return status;
}

/* `sum` and `out` are NULL where the caller does not say them. */
static clscan_status check_names_of_types(const clscan_problem *problem, const clscan_element *sum,
                                          const clscan_element *out, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const struct {
        const char *name;
        const clscan_element *element;
    } types[CLSCAN__MOST_TYPES] = {
        {"problem->element", problem->element},
        {"problem->accumulator", sum},
        {"problem->output", out},
        {"problem->segments->key", problem->segments != NULL ? problem->segments->key : NULL}};

    for (size_t i = 0; i < CLSCAN__MOST_TYPES; ++i)
        for (size_t j = i + 1; j < CLSCAN__MOST_TYPES; ++j)
            CLSCAN__TRY(check_one_type(types[i].name, types[i].element, types[j].name, types[j].element, error));

cleanup:
    return status;
}

/* Accumulator, output and maps of a problem whose element is taken. */
static clscan_status take_differing(clscan_problem *problem, clscan__problem_room *room, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const clscan_element in = clscan__problem_input(problem);
    clscan_element *sum = &room->accumulator, *out = &room->output, ordinary;
    /* What follows from something else is none of the caller's words. */
    const bool has_accumulator = problem->accumulator != NULL;
    const char *sum_name = has_accumulator ? "problem->accumulator" : "the accumulator that problem->output asks for";
    const char *out_name = problem->output != NULL ? "problem->output" : "without problem->output, an output";
    const bool gives_elements = problem->store == &room->selection.give; /* by a map of the library's */

    const bool reduces =
        problem->operation == CLSCAN_REDUCE || (clscan__problem_sums(problem) & CLSCAN__SUMS_ONLY) != 0;

    CLSCAN__REQUIRE(!reduces || (problem->output == NULL && problem->store == NULL), CLSCAN_ERROR_UNSUPPORTED_TYPE,
                    "problem->%s is set, but operation reduce gives its value in the accumulator's type",
                    problem->output != NULL ? "output" : "store");
    CLSCAN__TRY(take_maps(problem, room, error));
    CLSCAN__TRY(take_part(problem->output, &in, out, "problem->output", error));
    ordinary = is_scalar(out) ? scalar(clscan_type_accumulator(out->type)) : *out;
    CLSCAN__TRY(take_part(problem->accumulator, &ordinary, sum, "problem->accumulator", error));
    CLSCAN__TRY(
        check_names_of_types(problem, has_accumulator ? sum : NULL, problem->output != NULL ? out : NULL, error));
    CLSCAN__TRY(check_type_name(problem, &in, "problem->element->name", error));
    if (has_accumulator)
        CLSCAN__TRY(check_type_name(problem, sum, "problem->accumulator->name", error));
    CLSCAN__TRY(check_type_name(problem, out, "problem->output->name", error));
    if (reduces)
        *out = *sum; /* for a store map that never runs */
    problem->accumulator = problem->output = NULL;
    CLSCAN__REQUIRE(!is_scalar(sum) || sum->type != CLSCAN_HALF, CLSCAN_ERROR_UNSUPPORTED_TYPE,
                    "problem->accumulator is half; half is combined as float");
    if (problem->load == NULL) {
        CLSCAN__TRY(check_conversion("load", sum_name, &in, sum, error));
        CLSCAN__REQUIRE(!is_scalar(sum) || is_integer(in.type) != is_integer(sum->type) ||
                            clscan_type_size_bytes(sum->type) >= clscan_type_size_bytes(in.type),
                        CLSCAN_ERROR_UNSUPPORTED_TYPE, "%s is %s, narrower than the element, %s", sum_name,
                        clscan_type_name(sum->type), clscan_type_name(in.type));
    }
    if (problem->store == NULL)
        CLSCAN__TRY(check_conversion("store", out_name, sum, out, error));
    if (gives_elements)
        CLSCAN__TRY(check_conversion("store", out_name, &in, out, error));
    if (clscan__problem_selects(problem) && clscan__problem_gives_index(problem))
        CLSCAN__TRY(clscan__selection_check_indices(problem, out, error));
    ordinary = is_scalar(&in) ? scalar(clscan_type_accumulator(in.type)) : in;
    if (problem->segments == NULL && problem->load == NULL && problem->store == NULL &&
        (reduces || clscan__element_equal(&in, out)) && clscan__element_equal(&ordinary, sum))
        return status;
    problem->accumulator = sum;
    problem->output = out;

cleanup:
    return status;
}

/* As many as can be said: whether they are too many, and the tensor one at all, is checked where a plan is made. */
static uint64_t rows_of_tensor(const clscan_rows *rows)
{
    uint64_t count = 1;

    for (uint32_t d = 0; d < rows->dimensions && d < CLSCAN_MOST_DIMENSIONS; ++d)
        if (d != rows->axis && !clscan__mul_u64(count, rows->extents[d], &count))
            count = UINT64_MAX;
    return count;
}

/* Strides that are all 0 are those of a tensor without gaps. */
static uint64_t step_of(const clscan_rows *rows, const uint64_t *strides)
{
    for (uint32_t d = 0; d < rows->dimensions; ++d)
        if (strides[d] != 0)
            return strides[rows->axis];
    return rows->axis + 1 == rows->dimensions;
}

bool clscan__rows_are_in_order(const clscan_rows *rows)
{
    if (rows->dimensions == 0)
        return true;
    return rows->dimensions <= CLSCAN_MOST_DIMENSIONS && rows->axis < rows->dimensions &&
           step_of(rows, rows->in_strides) == 1 && step_of(rows, rows->out_strides) == 1;
}

clscan_status clscan__problem_take(const clscan_problem **problem, clscan__problem_room *room, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    clscan_problem *taken = &room->problem;
    const clscan_problem *known = clscan__struct_take(*problem, taken, sizeof *taken, "problem", error);

    if (known == NULL)
        return CLSCAN_ERROR_STRUCT_SIZE;
    if (known != taken)
        *taken = *known;
    CLSCAN__REQUIRE((unsigned)taken->operation < CLSCAN_OPERATION_COUNT, CLSCAN_ERROR_INVALID_VALUE,
                    "problem->operation: %d is not an operation", (int)taken->operation);
    CLSCAN__REQUIRE(taken->reproducible == 0 || taken->reproducible == 1, CLSCAN_ERROR_INVALID_VALUE,
                    "problem->reproducible is %d, neither 0 nor 1", taken->reproducible);
    if (taken->custom != NULL) {
        taken->custom =
            clscan__struct_take(taken->custom, &room->custom, sizeof room->custom, "problem->custom", error);
        if (taken->custom == NULL)
            return CLSCAN_ERROR_STRUCT_SIZE;
    }
    if (taken->rows != NULL) {
        const clscan_rows *rows = taken->rows;

        rows = clscan__struct_take(rows, &room->rows, sizeof room->rows, "problem->rows", error);
        if (rows == NULL)
            return CLSCAN_ERROR_STRUCT_SIZE;
        if (rows != &room->rows)
            room->rows = *rows;
        if (rows->dimensions > 0 && rows->count == 0)
            room->rows.count = rows_of_tensor(&room->rows);
        room->problem.rows = &room->rows;
    }
    if (taken->segments != NULL) {
        CLSCAN__TRY(clscan__segments_take(&taken->segments, &room->segments, error));
        CLSCAN__TRY(clscan__segments_arrange(taken, &room->segments.segments, error));
    }
    if (taken->element != NULL)
        CLSCAN__TRY(clscan__element_take(&taken->element, &taken->type, &room->element, "problem->element", error));
    CLSCAN__REQUIRE(clscan__type_is_valid(taken->type), CLSCAN_ERROR_INVALID_VALUE,
                    "problem->type: %d is not an element type", (int)taken->type);
    CLSCAN__REQUIRE(clscan__problem_selects(taken) || clscan__problem_repeats(taken) || taken->select == NULL,
                    CLSCAN_ERROR_INVALID_VALUE,
                    "problem->select is set, but problem->operation is %s, neither select nor repeat",
                    clscan__problem_operation_name(taken));
    if (clscan__problem_selects(taken))
        CLSCAN__TRY(clscan__selection_take(taken, &room->selection, error));
    if (clscan__problem_repeats(taken))
        CLSCAN__TRY(clscan__repetition_take(taken, &room->selection, error));
    if (taken->accumulator != NULL || taken->output != NULL || taken->load != NULL || taken->store != NULL ||
        taken->segments != NULL)
        CLSCAN__TRY(take_differing(taken, room, error));
    CLSCAN__REQUIRE(taken->segments == NULL || !clscan__problem_is_ordered(taken), CLSCAN_ERROR_UNSUPPORTED_TYPE,
                    "problem->segments and problem->reproducible are set; this version of clscan has no reproducible "
                    "order for segments");
    CLSCAN__TRY(check_operator(taken, error));
    *problem = taken;

cleanup:
    return status;
}

const char *clscan__problem_operation_name(const clscan_problem *problem)
{
    static const char *const names[] = {
#define X(name, text, meaning) #text,
        CLSCAN_OPERATION_LIST(X)
#undef X
    };

    return names[problem->operation];
}

bool clscan__problem_reduces_all(const clscan_problem *problem)
{
    return problem->operation == CLSCAN_REDUCE && problem->rows == NULL;
}

clscan_type clscan__problem_sum_type(const clscan_problem *problem)
{
    return problem->accumulator != NULL ? problem->accumulator->type : problem->type;
}

clscan_element clscan__problem_sum(const clscan_problem *problem)
{
    if (problem->accumulator != NULL)
        return *problem->accumulator;
    return problem->element != NULL ? *problem->element : scalar(clscan_type_accumulator(problem->type));
}

size_t clscan__problem_sum_bytes(const clscan_problem *problem)
{
    const clscan_element sum = clscan__problem_sum(problem);

    return clscan_element_size_bytes(&sum);
}

bool clscan__problem_is_ordered(const clscan_problem *problem)
{
    return problem->reproducible && !clscan__operator_is_exact(problem->op, clscan__problem_sum_type(problem));
}

bool clscan__problem_is_plain(const clscan_problem *problem)
{
    return problem->element == NULL && problem->accumulator == NULL;
}

clscan_element clscan__problem_input(const clscan_problem *problem)
{
    return problem->element != NULL ? *problem->element : scalar(problem->type);
}

clscan__shape clscan__problem_shape(const clscan_problem *problem)
{
    clscan__described_elements described;
    uint32_t in_bytes, out_bytes;

    if (clscan__problem_is_plain(problem)) {
        in_bytes = (uint32_t)clscan_type_size_bytes(problem->type);
        return (clscan__shape){.element_bytes = in_bytes,
                               .sum_bytes = (uint32_t)clscan__type_sum_bytes(problem->type),
                               .output_bytes = in_bytes,
                               .held_bytes = in_bytes,
                               .landing_bytes = in_bytes,
                               .stays = true,
                               .plain = true,
                               .ordered = clscan__problem_is_ordered(problem)};
    }
    clscan__describe_elements(problem, &described);
    in_bytes = (uint32_t)clscan__element_bytes(&described.elements.in);
    out_bytes = (uint32_t)clscan__element_bytes(&described.elements.out);
    return (clscan__shape){.element_bytes = clscan__problem_generates(problem) ? out_bytes : in_bytes,
                           .sum_bytes = (uint32_t)clscan__elements_sum_bytes(&described.elements),
                           .output_bytes = out_bytes,
                           .held_bytes = (uint32_t)clscan__elements_held_bytes(&described.elements),
                           .marked_bytes = (uint32_t)clscan__elements_marked_bytes(&described.elements),
                           .walked_bytes = (uint32_t)clscan__elements_walked_bytes(&described.elements),
                           .passed_bytes = (uint32_t)clscan__elements_passed_bytes(&described.elements),
                           .gathered_bytes = (uint32_t)clscan__elements_gathered_bytes(&described.elements),
                           .gathered_most = clscan__elements_gathered_most(&described.elements),
                           .reloads = described.elements.maps != NULL && clscan__maps_reload(described.elements.maps),
                           .landing_bytes = clscan__elements_land(&described.elements) ? in_bytes : 0,
                           .stays = clscan__elements_stay(&described.elements),
                           .ordered = clscan__problem_is_ordered(problem),
                           .has_lanes = clscan__elements_have_lanes(&described.elements, problem->op),
                           .fills_lines = clscan__elements_fill_lines(&described.elements) ||
                                          clscan__elements_go_abreast(&described.elements, problem->custom)};
}

const char *clscan__element_cl_name(const clscan_element *element, char name[CLSCAN__ELEMENT_NAME_BYTES])
{
    if (!is_scalar(element))
        return clscan__element_name(element, name);
    snprintf(name, CLSCAN__ELEMENT_NAME_BYTES, "%s", clscan__type_cl_name(element->type));
    return name;
}

const char *clscan__element_name(const clscan_element *element, char name[CLSCAN__ELEMENT_NAME_BYTES])
{
    if (element->name != NULL)
        snprintf(name, CLSCAN__ELEMENT_NAME_BYTES, "%s", element->name);
    else if (element->lanes > 1)
        snprintf(name, CLSCAN__ELEMENT_NAME_BYTES, "%s%u", clscan__type_cl_name(element->type),
                 (unsigned)element->lanes);
    else
        snprintf(name, CLSCAN__ELEMENT_NAME_BYTES, "%s", clscan_type_name(element->type));
    return name;
}

const char *clscan__problem_element_name(const clscan_problem *problem, char name[CLSCAN__ELEMENT_NAME_BYTES])
{
    const clscan_element in = clscan__problem_input(problem);
    char sum[CLSCAN__ELEMENT_NAME_BYTES];

    clscan__element_name(&in, name);
    if (problem->accumulator != NULL) {
        const size_t length = strlen(name);

        snprintf(name + length, CLSCAN__ELEMENT_NAME_BYTES - length, " (combined as %s)",
                 clscan__element_name(problem->accumulator, sum));
    }
    return name;
}

clscan_operator_class clscan__problem_class(const clscan_problem *problem)
{
    if (problem->op == CLSCAN_CUSTOM)
        return CLSCAN_OPERATOR_CLASS_CUSTOM;
    if (!clscan__problem_is_plain(problem) || problem->op == CLSCAN_MUL || clscan__type_is_floating(problem->type) ||
        clscan_type_size_bytes(problem->type) > CLSCAN__NATIVE_MAX_BYTES)
        return CLSCAN_OPERATOR_CLASS_BUILTIN;
    return CLSCAN_OPERATOR_CLASS_NATIVE;
}

clscan_operator_class clscan_operator_class_of(const clscan_problem *problem)
{
    clscan__problem_room room;

    if (problem == NULL || clscan__problem_take(&problem, &room, NULL) != CLSCAN_OK)
        return CLSCAN_OPERATOR_CLASS_COUNT;
    return clscan__problem_class(problem);
}
