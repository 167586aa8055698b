#include <clscan/config.h>

#include "base/checked.h"
#include "config/marks.h"
#include "config/rows.h"
#include "element/problem.h"
#include "element/repetition.h"
#include "element/segments.h"

/* For a problem with segments: of a plan for max_count elements, or for `count` where that is 0. */
static void choose_for_segments(const clscan__selector *selector, const clscan_device_info *device,
                                clscan__problem_room *room, uint64_t count, int in_place, clscan_choice *choice)
{
    const uint64_t marked = clscan__marks_from(&room->problem, device), asked = room->problem.max_count;
    const bool marks = marked < UINT64_MAX && (asked > 0 ? asked : count) >= marked;

    if (marks)
        room->segments.segments.sums = CLSCAN__SUMS_BY_MARKS;
    clscan__selector_choose(selector, device, &room->problem, count, in_place, choice);
    if (!marks && asked == 0)
        choice->largest_count = clscan__min_u64(choice->largest_count, marked < UINT64_MAX ? marked - 1 : marked);
}

clscan_status clscan_config_explain(const clscan_config *config, const clscan_device_info *device,
                                    const clscan_problem *problem, uint64_t count, int in_place, clscan_choice *choice,
                                    clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    clscan__selector *selector = NULL;
    clscan_device_info device_room;
    clscan__problem_room problem_room;
    clscan_choice found;

    CLSCAN__REQUIRE(device != NULL, CLSCAN_ERROR_NULL_ARGUMENT, "device is NULL");
    CLSCAN__REQUIRE(problem != NULL, CLSCAN_ERROR_NULL_ARGUMENT, "problem is NULL");
    CLSCAN__REQUIRE(choice != NULL, CLSCAN_ERROR_NULL_ARGUMENT, "choice is NULL");
    CLSCAN__TAKE(device, device_room);
    CLSCAN__TRY(clscan__struct_check(choice, "choice", error));
    CLSCAN__TRY(clscan__problem_take(&problem, &problem_room, error));
    CLSCAN__TRY(clscan__selector_create(config, &selector, error));
    if (problem->rows != NULL)
        clscan__choose_for_rows(selector, device, problem, count, in_place, &found);
    else if (problem->segments != NULL)
        choose_for_segments(selector, device, &problem_room, count, in_place, &found);
    else
        clscan__selector_choose(selector, device, problem, clscan__problem_scanned(problem, count), in_place, &found);
    found.largest_count = clscan__problem_serves(problem, found.largest_count);
    clscan__struct_give(choice, &found, sizeof found);

cleanup:
    clscan__selector_destroy(selector);
    return status;
}
