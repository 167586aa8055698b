#include "json_values.h"

json_t *json_count(uint64_t count)
{
    return count <= INT64_MAX ? json_integer((json_int_t)count) : json_real((double)count);
}
