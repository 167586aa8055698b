#include "explicit_config.h"

#include <string.h>

#include "cmocka_all.h"

clscan_config *explicit_config(const char *text)
{
    clscan_config *config = NULL;
    clscan_error error;

    if (clscan_config_parse(text, strlen(text), "explicit.json", &config, &error) != CLSCAN_OK)
        fail_msg("%s", error.message);
    return config;
}

clscan_device_info unmatched_device(void)
{
    return (clscan_device_info){
        .struct_size = sizeof(clscan_device_info),
        .name = "Test Device",
        .max_work_group_size = 256,
        .local_memory_bytes = 32768,
        .key = "test-model",
        .architecture = "test-architecture",
        .family = "test-family",
        .generic = "test-generic",
        .mechanism = CLSCAN_MECHANISM_ATOMIC64,
        .progress = CLSCAN_PROGRESS_OCCUPANCY,
    };
}
