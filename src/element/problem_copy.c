#include "element/problem_copy.h"

#include <stdlib.h>
#include <string.h>

/* Let *text, if it is not NULL, be a copy. */
static clscan_status copy_text(clscan__problem_copy *copy, const char **text, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    size_t size_bytes;
    char *made;

    if (*text == NULL)
        return status;
    size_bytes = strlen(*text) + 1;
    made = copy->text_count < CLSCAN__MOST_PROBLEM_TEXTS ? malloc(size_bytes) : NULL;
    CLSCAN__REQUIRE(made != NULL, CLSCAN_ERROR_OUT_OF_MEMORY, "no memory for a problem's sources");
    memcpy(made, *text, size_bytes);
    copy->texts[copy->text_count++] = made;
    *text = made;

cleanup:
    return status;
}

static clscan_status copy_element(clscan__problem_copy *copy, const clscan_element **from, clscan_element *room,
                                  clscan_error *error)
{
    clscan_status status = CLSCAN_OK;

    if (*from == NULL)
        return status;
    *room = **from;
    *from = room;
    CLSCAN__TRY(copy_text(copy, &room->name, error));
    CLSCAN__TRY(copy_text(copy, &room->source, error));

cleanup:
    return status;
}

static clscan_status copy_map(clscan__problem_copy *copy, const clscan_map **from, clscan__map_room *room,
                              clscan_error *error)
{
    clscan_status status = CLSCAN_OK;

    if (*from == NULL)
        return status;
    room->map = **from;
    CLSCAN__TRY(copy_text(copy, &room->map.expression, error));
    CLSCAN__TRY(copy_text(copy, &room->map.source, error));
    for (uint64_t i = 0; i < room->map.argument_count; ++i) {
        room->arguments[i] = (*from)->arguments[i];
        CLSCAN__TRY(copy_text(copy, &room->arguments[i].name, error));
    }
    room->map.arguments = room->arguments;
    *from = &room->map;

cleanup:
    return status;
}

clscan_status clscan__problem_copy_make(const clscan_problem *problem, clscan__problem_copy *copy, clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    clscan__problem_room *room = &copy->room;
    clscan_problem *made = &room->problem;

    *made = *problem;
    if (made->custom != NULL) {
        room->custom = *made->custom;
        made->custom = &room->custom;
        CLSCAN__TRY(copy_text(copy, &room->custom.source, error));
        CLSCAN__TRY(copy_text(copy, &room->custom.function, error));
        CLSCAN__TRY(copy_text(copy, &room->custom.identity, error));
    }
    if (made->rows != NULL) {
        room->rows = *made->rows;
        made->rows = &room->rows;
    }
    if (made->segments != NULL) {
        room->segments.segments = *made->segments;
        made->segments = &room->segments.segments;
        CLSCAN__TRY(copy_element(copy, &room->segments.segments.key, &room->segments.key, error));
        CLSCAN__TRY(copy_map(copy, &room->segments.segments.equal, &room->segments.equal, error));
    }
    if (made->select != NULL)
        clscan__selection_copy(made, &room->selection);
    CLSCAN__TRY(copy_element(copy, &made->element, &room->element, error));
    CLSCAN__TRY(copy_element(copy, &made->accumulator, &room->accumulator, error));
    CLSCAN__TRY(copy_element(copy, &made->output, &room->output, error));
    CLSCAN__TRY(copy_map(copy, &made->load, &room->load, error));
    CLSCAN__TRY(copy_map(copy, &made->store, &room->store, error));

cleanup:
    return status;
}

void clscan__problem_copy_free(clscan__problem_copy *copy)
{
    for (size_t i = 0; i < copy->text_count; ++i)
        free(copy->texts[i]);
    copy->text_count = 0;
}
