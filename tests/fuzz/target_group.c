/* What is written of a group's config that the library accepts is accepted again, as it was; and every count gives work
 * to some device. */
#include <string.h>

#include <clscan/devices.h>

#include "config_file/group.h"
#include "targets.h"

static char *write_again(const char *text, size_t size_bytes, size_t *written_bytes)
{
    static clscan__group_document document;
    double weights[CLSCAN_MOST_DEVICES];

    FUZZ_CHECK(clscan__group_read(text, size_bytes, "again", &document, NULL) == CLSCAN_OK);
    for (uint32_t work = 0; work < CLSCAN_DEVICES_WORK_COUNT; ++work)
        for (uint64_t count = 1; count != 0; count <<= 7) {
            double all = 0;

            clscan__group_weights(&document, work, count, weights);
            for (size_t i = 0; i < document.device_count; ++i)
                all += weights[i];
            FUZZ_CHECK(all > 0);
        }
    char *written = clscan__group_write(&document, written_bytes);
    FUZZ_CHECK(written != NULL);
    return written;
}

void fuzz_group(const uint8_t *data, size_t size_bytes)
{
    static clscan__group_document document;
    clscan_error error = {0};
    size_t bytes[3];

    if (clscan__group_read((const char *)data, size_bytes, "fuzzed", &document, &error) != CLSCAN_OK)
        return;
    /* Numbers may lose digits when they are written first. */
    char *first = write_again((const char *)data, size_bytes, &bytes[0]);
    char *second = write_again(first, bytes[0], &bytes[1]);
    char *third = write_again(second, bytes[1], &bytes[2]);
    FUZZ_CHECK(bytes[1] == bytes[2] && memcmp(second, third, bytes[1]) == 0);
    free(first);
    free(second);
    free(third);
}
