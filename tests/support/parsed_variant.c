#include "parsed_variant.h"

#include "cmocka_all.h"

clscan_variant parsed_variant(const char *text)
{
    clscan_variant variant;
    clscan_error error = {0};

    if (clscan_variant_parse(text, &variant, &error) != CLSCAN_OK)
        fail_msg("%s: %s", text, error.message);
    return variant;
}
