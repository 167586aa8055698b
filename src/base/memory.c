#include "base/memory.h"

#include <stddef.h>

bool clscan__memory_is_given(const clscan_memory *memory)
{
    switch (memory->kind) {
#define X(name, text, handle, meaning) \
    case CLSCAN_MEMORY_##name:         \
        return memory->handle != 0;
        CLSCAN_MEMORY_KIND_LIST(X)
#undef X
    case CLSCAN_MEMORY_KIND_COUNT:
        break;
    }
    return true;
}

const char *clscan_memory_kind_name(clscan_memory_kind kind)
{
    switch (kind) {
#define X(name, text, handle, meaning) \
    case CLSCAN_MEMORY_##name:         \
        return #text;
        CLSCAN_MEMORY_KIND_LIST(X)
#undef X
    case CLSCAN_MEMORY_KIND_COUNT:
        break;
    }
    return "invalid";
}
