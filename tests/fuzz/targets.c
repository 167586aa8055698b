#include "targets.h"

#include <string.h>

const fuzz_target *fuzz_target_find(const char *name)
{
    static const fuzz_target targets[] = {
#define X(name, what) {#name, fuzz_##name},
        FUZZ_TARGET_LIST(X)
#undef X
    };

    for (size_t i = 0; name != NULL && i < sizeof targets / sizeof targets[0]; ++i)
        if (strcmp(name, targets[i].name) == 0)
            return &targets[i];
    return NULL;
}

char *fuzz_text(const uint8_t *data, size_t size_bytes)
{
    char *text = malloc(size_bytes + 1);

    FUZZ_CHECK(text != NULL);
    if (size_bytes > 0)
        memcpy(text, data, size_bytes);
    text[size_bytes] = '\0';
    return text;
}
