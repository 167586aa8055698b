#include "element/map.h"

#include <stdio.h>
#include <string.h>

#include "base/checked.h"
#include "base/structs.h"
#include "element/names.h"
#include "element/segments.h"
#include "element/selection.h"
#include "element/types.h"

clscan_status clscan__map_lacks(const char *map, const char *const *names, const char *what, const char *name,
                                clscan_error *error)
{
    clscan_status status = CLSCAN_OK;

    for (size_t i = 0; names[i] != NULL; ++i)
        CLSCAN__REQUIRE(strcmp(name, names[i]) != 0, CLSCAN_ERROR_INVALID_VALUE, "%s is %s, which %s has already", what,
                        name, map);

cleanup:
    return status;
}

static clscan_status check_argument(const clscan_map_argument *argument, const char *what, const char *const *names,
                                    clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    char part[128];

    snprintf(part, sizeof part, "%s.name", what);
    CLSCAN__REQUIRE(argument->name != NULL, CLSCAN_ERROR_NULL_ARGUMENT, "%s is NULL", part);
    CLSCAN__TRY(clscan__check_identifier(part, argument->name, false, error));
    CLSCAN__TRY(clscan__map_lacks("the map", names, part, argument->name, error));
    CLSCAN__REQUIRE(clscan__type_is_valid(argument->type), CLSCAN_ERROR_INVALID_VALUE,
                    "%s.type: %d is not an element type", what, (int)argument->type);
    CLSCAN__REQUIRE(argument->lanes <= 16 && (argument->lanes == 0 || clscan__is_power_of_two(argument->lanes)),
                    CLSCAN_ERROR_INVALID_VALUE, "%s.lanes is %u; vectors have 2, 4, 8 or 16 lanes", what,
                    (unsigned)argument->lanes);
    CLSCAN__REQUIRE(argument->reserved == 0, CLSCAN_ERROR_INVALID_VALUE, "%s.reserved is %u", what,
                    (unsigned)argument->reserved);
    CLSCAN__REQUIRE(argument->is_buffer == 0 || argument->is_buffer == 1, CLSCAN_ERROR_INVALID_VALUE,
                    "%s.is_buffer is %d, neither 0 nor 1", what, argument->is_buffer);
    CLSCAN__REQUIRE(argument->is_buffer || argument->count == 0, CLSCAN_ERROR_INVALID_VALUE,
                    "%s.count is %llu, but %s is no buffer", what, (unsigned long long)argument->count, argument->name);
    CLSCAN__REQUIRE(argument->type != CLSCAN_HALF || (argument->is_buffer && argument->lanes <= 1),
                    CLSCAN_ERROR_UNSUPPORTED_TYPE, "%s: %s is half, which only elements of buffers are", what,
                    argument->name);

cleanup:
    return status;
}

static clscan_status take_arguments(clscan__map_room *room, const char *what, const char *const *names,
                                    clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    clscan_map *map = &room->map;
    const unsigned char *given = (const unsigned char *)map->arguments;

    CLSCAN__REQUIRE(map->argument_count <= CLSCAN_MOST_MAP_ARGUMENTS, CLSCAN_ERROR_INVALID_VALUE,
                    "%s->argument_count is %llu; maps have at most %u", what, (unsigned long long)map->argument_count,
                    CLSCAN_MOST_MAP_ARGUMENTS);
    CLSCAN__REQUIRE((map->argument_count == 0) == (given == NULL), CLSCAN_ERROR_INVALID_VALUE,
                    "%s->argument_count is %llu, %s->arguments is %sNULL", what,
                    (unsigned long long)map->argument_count, what, given == NULL ? "" : "not ");
    for (uint64_t i = 0; i < map->argument_count; ++i) {
        clscan_map_argument *kept = &room->arguments[i];
        const clscan_map_argument *taken;
        char part[64];

        snprintf(part, sizeof part, "%s->arguments[%u]", what, (unsigned)i);
        taken = clscan__struct_take(given + i * map->arguments[0].struct_size, kept, sizeof *kept, part, error);
        if (taken == NULL)
            return CLSCAN_ERROR_STRUCT_SIZE;
        if (taken != kept)
            *kept = *taken;
        CLSCAN__TRY(check_argument(kept, part, names, error));
        for (uint64_t j = 0; j < i; ++j)
            CLSCAN__REQUIRE(strcmp(kept->name, room->arguments[j].name) != 0, CLSCAN_ERROR_INVALID_VALUE,
                            "%s.name is %s, and so is that of %s->arguments[%u]", part, kept->name, what, (unsigned)j);
    }
    map->arguments = map->argument_count > 0 ? room->arguments : NULL;

cleanup:
    return status;
}

clscan_status clscan__map_take(const clscan_map **map, clscan__map_room *room, const char *what,
                               const char *const *names, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const clscan_map *taken = clscan__struct_take(*map, &room->map, sizeof room->map, what, error);
    char part[64];

    if (taken == NULL)
        return CLSCAN_ERROR_STRUCT_SIZE;
    if (taken != &room->map)
        room->map = *taken;
    CLSCAN__REQUIRE(room->map.expression != NULL, CLSCAN_ERROR_NULL_ARGUMENT, "%s->expression is NULL", what);
    snprintf(part, sizeof part, "%s->expression", what);
    CLSCAN__TRY(clscan__check_expression(part, room->map.expression, error));
    if (room->map.source != NULL) {
        snprintf(part, sizeof part, "%s->source", what);
        CLSCAN__TRY(clscan__check_reserved(part, room->map.source, error));
    }
    CLSCAN__TRY(take_arguments(room, what, names, error));
    *map = &room->map;

cleanup:
    return status;
}

bool clscan__problem_keeps_previous(const clscan_problem *problem)
{
    return (clscan__problem_sums(problem) & CLSCAN__SUMS_AND_EXCLUSIVE) != 0 ||
           clscan__problem_rest(problem) != CLSCAN_REST_DROPPED || /* whose places are made of it */
           (problem->store != NULL && clscan__names(problem->store->expression, "previous"));
}

bool clscan__problem_keeps_element(const clscan_problem *problem)
{
    return problem->store != NULL && clscan__names(problem->store->expression, "element");
}

/* A macro of the caller's with that name would be the name of the map's parameter as well. */
static bool is_alone(const clscan_map *map, const char *name)
{
    return map != NULL && strcmp(map->expression, name) == 0;
}

bool clscan__problem_gives_element(const clscan_problem *problem)
{
    return is_alone(problem->store, "element");
}

bool clscan__problem_gives_index(const clscan_problem *problem)
{
    return is_alone(problem->store, "index");
}

bool clscan__problem_sees_before(const clscan_problem *problem)
{
    return problem->operation == CLSCAN_SELECT && problem->load != NULL &&
           clscan__names(problem->load->expression, "before");
}

bool clscan__problem_generates(const clscan_problem *problem)
{
    return problem->load != NULL && !clscan__names(problem->load->expression, "element") &&
           !clscan__problem_sees_before(problem) && !clscan__problem_keeps_element(problem);
}

static uint64_t argument_count(const clscan_map *map)
{
    return map != NULL ? map->argument_count : 0;
}

uint64_t clscan__problem_argument_count(const clscan_problem *problem)
{
    return argument_count(problem->load) + argument_count(problem->store);
}

const clscan_map_argument *clscan__problem_argument(const clscan_problem *problem, uint64_t index)
{
    const uint64_t of_load = argument_count(problem->load);

    return index < of_load ? &problem->load->arguments[index] : &problem->store->arguments[index - of_load];
}

size_t clscan__map_argument_bytes(const clscan_map_argument *argument)
{
    return clscan_type_size_bytes(argument->type) * (argument->lanes > 1 ? argument->lanes : 1);
}
