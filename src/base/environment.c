#include "base/environment.h"

#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/auxv.h>
#endif

static bool is_privileged(void)
{
#ifdef __linux__
    return getauxval(AT_SECURE) != 0;
#else
    return getuid() != geteuid() || getgid() != getegid();
#endif
}

const char *clscan__environment(const char *name)
{
    return is_privileged() ? NULL : getenv(name);
}
