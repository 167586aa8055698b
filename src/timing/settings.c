#include "timing/settings.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/environment.h"
#include "base/log.h"
#include "common/clock.h"

bool clscan__measure_bound_parse(const char *text, uint64_t *bound_ns)
{
    const size_t digits = strspn(text, "0123456789");
    const uint64_t number = digits > 0 && digits < 12 ? strtoull(text, NULL, 10) : 0;
    const uint64_t factor = strcmp(text + digits, "s") == 0 ? 1000 : strcmp(text + digits, "ms") == 0 ? 1 : 0;

    if (strcmp(text, "off") == 0) {
        *bound_ns = 0;
        return true;
    }
    if (number * factor == 0 || number * factor > CLSCAN__MEASURE_MOST_MS)
        return false;
    *bound_ns = number * factor * CLSCAN__NS_PER_MS;
    return true;
}

uint64_t clscan__measure_bound_ns(int64_t asked_ms)
{
    static atomic_flag warned = ATOMIC_FLAG_INIT;
    const char *text = clscan__environment("CLSCAN_MEASURE");
    uint64_t bound_ns;

    if (asked_ms != 0)
        return (uint64_t)asked_ms * CLSCAN__NS_PER_MS;
    if (text == NULL || text[0] == '\0')
        return 0;
    if (clscan__measure_bound_parse(text, &bound_ns))
        return bound_ns;
    clscan__log(atomic_flag_test_and_set(&warned) ? CLSCAN_LOG_DEBUG : CLSCAN_LOG_WARNING,
                "CLSCAN_MEASURE is '%s', neither off nor a time such as 5s or 500ms; it is ignored", text);
    return 0;
}
