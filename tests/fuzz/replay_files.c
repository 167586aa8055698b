/* Runs a target on files, without a fuzzer: replay_files TARGET FILE... */
#include <string.h>

#include <clscan/log.h>

#include "targets.h"

static void run_file(const fuzz_target *target, const char *path)
{
    static uint8_t whole[1 << 20];
    FILE *file = fopen(path, "rb");

    FUZZ_CHECK(file != NULL);
    const size_t size_bytes = fread(whole, 1, sizeof whole, file);
    uint8_t *data = malloc(size_bytes + !size_bytes);
    fclose(file);
    FUZZ_CHECK(data != NULL);
    memcpy(data, whole, size_bytes);
    target->run(data, size_bytes);
    free(data);
}

int main(int count, char **arguments)
{
    const fuzz_target *target = fuzz_target_find(arguments[1]);

    if (target == NULL || count < 3) {
        fprintf(stderr, "usage: %s TARGET FILE...\n", arguments[0]);
        return 2;
    }
    clscan_log_set(CLSCAN_LOG_OFF, NULL, NULL);
    for (int i = 2; i < count; ++i)
        run_file(target, arguments[i]);
    printf("%s: %d files\n", target->name, count - 2);
    return 0;
}
