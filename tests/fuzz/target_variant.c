/* A variant that was read is written as a text that is read as the same, and can be judged. */
#include <string.h>

#include <clscan/variant.h>

#include "targets.h"

void fuzz_variant(const uint8_t *data, size_t size_bytes)
{
    char *text = fuzz_text(data, size_bytes);
    clscan_variant read, again;
    char written[512];
    clscan_error error = {0};

    if (clscan_variant_parse(text, &read, &error) == CLSCAN_OK) {
        const int length = clscan_variant_format(&read, written, sizeof written);
        FUZZ_CHECK(length > 0 && (size_t)length < sizeof written);
        FUZZ_CHECK(clscan_variant_parse(written, &again, &error) == CLSCAN_OK);
        FUZZ_CHECK(memcmp(&read, &again, sizeof read) == 0);
        for (int type = 0; type < CLSCAN_TYPE_COUNT; ++type) {
            const clscan_problem problem = {.struct_size = sizeof problem, .type = (clscan_type)type};

            if (clscan_variant_check(&read, &problem, 0, NULL, &error) == CLSCAN_OK) {
                FUZZ_CHECK(clscan_variant_tile_count(&read) > 0);
                FUZZ_CHECK(clscan_variant_local_bytes(&read, &problem) < UINT32_MAX);
                FUZZ_CHECK(clscan_variant_register_bytes(&read, &problem) < UINT32_MAX);
            }
        }
    }
    free(text);
}
