#include <stdio.h>
#include <stdlib.h>

#include "config/constraints.h"
#include "config/reproducible.h"
#include "element/described.h"
#include "program/compose.h"

clscan_status clscan_variant_revision(const clscan_variant *variant, const clscan_problem *problem,
                                      const clscan_device_info *device, char revision[CLSCAN_REVISION_BYTES],
                                      clscan_error *error)
{
    clscan_status status;
    clscan__problem_room problem_room;
    clscan__described described;
    clscan_device_info device_room;
    char *source = NULL, made[17];

    CLSCAN__REQUIRE(variant != NULL, CLSCAN_ERROR_NULL_ARGUMENT, "clscan_variant_revision: variant is NULL");
    CLSCAN__REQUIRE(problem != NULL, CLSCAN_ERROR_NULL_ARGUMENT, "clscan_variant_revision: problem is NULL");
    CLSCAN__REQUIRE(device != NULL, CLSCAN_ERROR_NULL_ARGUMENT, "clscan_variant_revision: device is NULL");
    CLSCAN__REQUIRE(revision != NULL, CLSCAN_ERROR_NULL_ARGUMENT, "clscan_variant_revision: revision is NULL");
    CLSCAN__TRY(clscan__problem_take(&problem, &problem_room, error));
    CLSCAN__TAKE(device, device_room);
    CLSCAN__TRY(clscan__variant_check(variant, problem, 0, device, error));
    clscan__describe(problem, &described);
    /* Every operator has the same revision; a custom one's source may be missing. */
    const clscan__program_spec spec = {.device = device,
                                       .type = problem->type,
                                       .elements = described.elements,
                                       .op = CLSCAN_ADD,
                                       .variant = *variant,
                                       .reproducible = clscan__problem_is_ordered(problem),
                                       .rows = problem->rows != NULL};
    CLSCAN__TRY(clscan__program_compose_revision(&spec, &source, made, error));
    snprintf(revision, CLSCAN_REVISION_BYTES, "%s", made);

cleanup:
    free(source);
    return status;
}
