#include <clscan/version.h>

const char *clscan_version(void)
{
    return CLSCAN_VERSION_TEXT;
}
