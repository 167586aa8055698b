/* The targets for libFuzzer. CLSCAN_FUZZ_TARGET names the one that runs: all are in one program, so that it can be
 * carried to another machine. */
#include <stdlib.h>
#include <string.h>

#include <clscan/log.h>

#include "targets.h"

static const fuzz_target *target;

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size_bytes);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size_bytes, size_t capacity_bytes, unsigned seed);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size_bytes, size_t capacity_bytes);
const char *__asan_default_options(void);

/* Where memory was allocated matters when a finding is looked at, and costs half of the time until then. */
const char *__asan_default_options(void)
{
    return "malloc_context_size=0:quarantine_size_mb=16:allocator_may_return_null=1";
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    target = fuzz_target_find(getenv("CLSCAN_FUZZ_TARGET"));
    FUZZ_CHECK(target != NULL);
    clscan_log_set(CLSCAN_LOG_OFF, NULL, NULL);
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size_bytes)
{
    target->run(data, size_bytes);
    return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size_bytes, size_t capacity_bytes, unsigned seed)
{
    const size_t mutated = LLVMFuzzerMutate(data, size_bytes, capacity_bytes);

    return target->run == fuzz_record ? fuzz_record_mend(data, mutated, capacity_bytes, seed) : mutated;
}
