#include "device_fixture.h"

#include <stdio.h>

bool device_fixture_load(const char *path, clscan__device_raw *raw)
{
    clscan_error error = {0};

    if (clscan__device_raw_load(path, raw, &error) == CLSCAN_OK)
        return true;
    fprintf(stderr, "%s\n", error.message);
    return false;
}
