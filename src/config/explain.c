#include <clscan/config.h>

#include "base/error.h"
#include "config/select.h"
#include "element/operators.h"
#include "element/types.h"

clscan_status clscan_config_explain(const clscan_config *config, const clscan_device_info *device, clscan_type type,
                                    clscan_operator op, uint64_t count, int in_place, clscan_choice *choice,
                                    clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    clscan__selector *selector = NULL;

    CLSCAN__REQUIRE(device != NULL && choice != NULL, CLSCAN_ERROR_NULL_ARGUMENT, "device or choice is NULL");
    CLSCAN__REQUIRE(clscan__type_is_valid(type), CLSCAN_ERROR_INVALID_VALUE, "type: %d is not an element type",
                    (int)type);
    CLSCAN__REQUIRE(clscan__operator_is_valid(op), CLSCAN_ERROR_INVALID_VALUE, "op: %d is not an operator", (int)op);
    CLSCAN__TRY(clscan__selector_create(config, &selector, error));
    clscan__selector_choose(selector, device, type, op, false, count, in_place, choice);

cleanup:
    clscan__selector_destroy(selector);
    return status;
}
