#include <math.h>

#include <clscan/devices.h>

#include "base/error.h"

clscan_status clscan_devices_deal(uint64_t count, const double *weights, uint64_t member_count, uint64_t *shares,
                                  clscan_error *error)
{
    clscan_status status = CLSCAN_OK;
    double all = 0, before = 0;
    uint64_t dealt = 0;

    CLSCAN__REQUIRE(shares != NULL, CLSCAN_ERROR_NULL_ARGUMENT, "shares is NULL");
    CLSCAN__REQUIRE(member_count >= 1 && member_count <= CLSCAN_MOST_DEVICES, CLSCAN_ERROR_INVALID_VALUE,
                    "member_count is %llu; a group has 1 to %u devices", (unsigned long long)member_count,
                    CLSCAN_MOST_DEVICES);
    for (uint64_t i = 0; i < member_count; ++i) {
        const double weight = weights != NULL ? weights[i] : 1;

        CLSCAN__REQUIRE(isfinite(weight) && weight >= 0, CLSCAN_ERROR_INVALID_VALUE,
                        "weights[%llu] is %g; give a number of at least 0", (unsigned long long)i, weight);
        all += weight;
    }
    CLSCAN__REQUIRE(all > 0 && isfinite(all), CLSCAN_ERROR_INVALID_VALUE, "the sum of weights is %g", all);
    /* Borders are rounded, not shares: so all is dealt, and the last one with a weight takes what is left. */
    for (uint64_t i = 0; i < member_count; ++i) {
        const double weight = weights != NULL ? weights[i] : 1;
        const double border = (double)count * ((before + weight) / all) + 0.5;
        uint64_t end = border < 18446744073709551616.0 ? (uint64_t)border : count;

        before += weight;
        if (before >= all || end > count)
            end = count;
        if (weight == 0 || end < dealt)
            end = dealt;
        shares[i] = end - dealt;
        dealt = end;
    }

cleanup:
    return status;
}
