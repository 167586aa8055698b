#include "probe/settings.h"

#include <stdatomic.h>
#include <string.h>

#include "base/environment.h"
#include "base/log.h"

clscan_probe_mode clscan__probe_mode(clscan_probe_mode asked)
{
    static atomic_flag warned = ATOMIC_FLAG_INIT;
    const char *word = clscan__environment("CLSCAN_PROBE");

    if (word == NULL || word[0] == '\0')
        return asked;
    if (asked != CLSCAN_PROBE_AUTO && strcmp(word, "off") != 0)
        return asked;
    for (int mode = 0; mode < CLSCAN_PROBE_MODE_COUNT; ++mode)
        if (strcmp(word, clscan_probe_mode_name((clscan_probe_mode)mode)) == 0)
            return (clscan_probe_mode)mode;
    clscan__log(atomic_flag_test_and_set(&warned) ? CLSCAN_LOG_DEBUG : CLSCAN_LOG_WARNING,
                "CLSCAN_PROBE is '%s', neither auto, off nor always; it is ignored", word);
    return asked;
}

/* The names of the two enums, from their lists; "invalid" for a number that is none of theirs. */

const char *clscan_probe_mode_name(clscan_probe_mode mode)
{
    switch (mode) {
#define X(name, text, meaning) \
    case CLSCAN_PROBE_##name:  \
        return #text;
        CLSCAN_PROBE_MODE_LIST(X)
#undef X
    case CLSCAN_PROBE_MODE_COUNT:
        break;
    }
    return "invalid";
}

const char *clscan_probe_result_name(clscan_probe_result result)
{
    switch (result) {
#define X(name, text, meaning)       \
    case CLSCAN_PROBE_RESULT_##name: \
        return #text;
        CLSCAN_PROBE_RESULT_LIST(X)
#undef X
    case CLSCAN_PROBE_RESULT_COUNT:
        break;
    }
    return "invalid";
}
