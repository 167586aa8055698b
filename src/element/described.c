#include "element/described.h"

#include <string.h>

#include "base/checked.h"
#include "element/names.h"

static clscan_status check_scalar_or_vector(const clscan_element *element, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const uint64_t size_bytes = (uint64_t)element->lanes * clscan_type_size_bytes(element->type);

    CLSCAN__REQUIRE(clscan__type_is_valid(element->type), CLSCAN_ERROR_INVALID_VALUE,
                    "problem->element->type: %d is not an element type", (int)element->type);
    CLSCAN__REQUIRE(element->lanes <= 16 && (element->lanes == 0 || clscan__is_power_of_two(element->lanes)),
                    CLSCAN_ERROR_INVALID_VALUE, "problem->element->lanes is %u; vectors have 2, 4, 8 or 16 lanes",
                    (unsigned)element->lanes);
    CLSCAN__REQUIRE(element->source == NULL && element->size_bytes == 0 && element->align_bytes == 0,
                    CLSCAN_ERROR_INVALID_VALUE, "problem->element->%s is set, but problem->element->name is NULL",
                    element->source != NULL    ? "source"
                    : element->size_bytes != 0 ? "size_bytes"
                                               : "align_bytes");
    CLSCAN__REQUIRE(element->lanes <= 1 || element->type != CLSCAN_HALF, CLSCAN_ERROR_UNSUPPORTED_TYPE,
                    "problem->element: half%u; vectors of half are no elements", (unsigned)element->lanes);
    CLSCAN__REQUIRE(size_bytes <= CLSCAN_MOST_ELEMENT_BYTES, CLSCAN_ERROR_UNSUPPORTED_TYPE,
                    "problem->element: %s%u has %u bytes; elements have at most %u",
                    clscan__type_cl_name(element->type), (unsigned)element->lanes, (unsigned)size_bytes,
                    CLSCAN_MOST_ELEMENT_BYTES);

cleanup:
    return status;
}

static clscan_status check_named(const clscan_element *element, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;

    CLSCAN__TRY(clscan__check_identifier("problem->element->name", element->name, error));
    CLSCAN__REQUIRE(element->type == 0 && element->lanes == 0, CLSCAN_ERROR_INVALID_VALUE,
                    "problem->element->%s is set, but problem->element->name says the type",
                    element->lanes != 0 ? "lanes" : "type");
    CLSCAN__REQUIRE(element->size_bytes >= 1, CLSCAN_ERROR_INVALID_VALUE, "problem->element->size_bytes of %s is 0",
                    element->name);
    CLSCAN__REQUIRE(element->size_bytes <= CLSCAN_MOST_ELEMENT_BYTES, CLSCAN_ERROR_UNSUPPORTED_TYPE,
                    "problem->element->size_bytes of %s is %zu; elements have at most %u bytes", element->name,
                    element->size_bytes, CLSCAN_MOST_ELEMENT_BYTES);
    CLSCAN__REQUIRE(element->align_bytes >= 1 && element->align_bytes <= CLSCAN_MOST_ELEMENT_BYTES &&
                        clscan__is_power_of_two(element->align_bytes) &&
                        element->size_bytes % element->align_bytes == 0,
                    CLSCAN_ERROR_INVALID_VALUE,
                    "problem->element->align_bytes of %s is %zu; it is a power of two that divides the %zu bytes",
                    element->name, element->align_bytes, element->size_bytes);
    if (element->source != NULL)
        CLSCAN__TRY(clscan__check_reserved("problem->element->source", element->source, error));

cleanup:
    return status;
}

clscan_status clscan__element_take(clscan_problem *problem, clscan_element *room, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const clscan_element *element =
        clscan__struct_take(problem->element, room, sizeof *room, "problem->element", error);

    if (element == NULL)
        return CLSCAN_ERROR_STRUCT_SIZE;
    if (element->name != NULL)
        CLSCAN__TRY(check_named(element, error));
    else
        CLSCAN__TRY(check_scalar_or_vector(element, error));
    problem->type = element->name != NULL ? (clscan_type)0 : element->type;
    problem->element = element->name == NULL && element->lanes <= 1 ? NULL : element;

cleanup:
    return status;
}

size_t clscan_element_size_bytes(const clscan_element *element)
{
    clscan_problem problem = {.struct_size = sizeof problem, .element = element};
    clscan_element room;

    if (element == NULL || clscan__element_take(&problem, &room, NULL) != CLSCAN_OK)
        return 0;
    if (problem.element == NULL)
        return clscan_type_size_bytes(problem.type);
    return problem.element->name != NULL ? problem.element->size_bytes
                                         : problem.element->lanes * clscan_type_size_bytes(problem.type);
}

void clscan__describe(const clscan_problem *problem, clscan__described *described)
{
    const clscan_element *element = problem->element;

    *described = (clscan__described){0};
    if (element->name != NULL) {
        described->type = (clscan__custom_type){element->name, element->source != NULL ? element->source : "",
                                                element->size_bytes, element->align_bytes};
    } else {
        const size_t size_bytes = clscan_element_size_bytes(element);

        clscan__problem_element_name(problem, described->name);
        described->type = (clscan__custom_type){described->name, "", size_bytes, size_bytes};
    }
    if (problem->op != CLSCAN_CUSTOM)
        described->op = clscan__elementwise_write(&described->elementwise, problem->op, element->type, element->lanes);
    else if (problem->custom != NULL)
        described->op = *problem->custom;
}
