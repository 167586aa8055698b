#include "sum_types.h"

#include "command_line/failure.h"
#include "reference/reference.h"

static bool is_real(clscan_type type)
{
    return clscan_reference_is_floating(type) != 0;
}

/* Conversions lose nothing but by rounding. */
clscan_status measure_sum_types_check(const measure_sum_types *types, const char *culprit, const char *load,
                                      clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    const clscan_type in = types->in, sum = types->sum, out = types->out;

    REQUIRE(sum != CLSCAN_HALF, CLSCAN_ERROR_INVALID_VALUE, "%s: sums are no half; say float", culprit);
    REQUIRE(types->has_load || !is_real(in) || is_real(sum), CLSCAN_ERROR_INVALID_VALUE,
            "%s: %s becomes no %s without %s", culprit, clscan_type_name(in), clscan_type_name(sum), load);
    REQUIRE(types->has_load || is_real(in) != is_real(sum) || clscan_type_size_bytes(in) <= clscan_type_size_bytes(sum),
            CLSCAN_ERROR_INVALID_VALUE, "%s: %s becomes no %s, which is narrower, without %s", culprit,
            clscan_type_name(in), clscan_type_name(sum), load);
    REQUIRE(types->has_store || !is_real(sum) || is_real(out), CLSCAN_ERROR_INVALID_VALUE,
            "%s: %s becomes no %s without --store", culprit, clscan_type_name(sum), clscan_type_name(out));

cleanup:
    return status;
}
