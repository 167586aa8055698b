/* A device description as JSON: in journals, and between the tuner and its workers. */
#ifndef CLSCAN_TUNER_DEVICE_JSON_H
#define CLSCAN_TUNER_DEVICE_JSON_H

#include <jansson.h>

#include <clscan/clscan.h>

/* NULL if memory ran out. */
json_t *tune_device_to_json(const clscan_device_info *device);
/* Read what tune_device_to_json() wrote. CLSCAN_ERROR_CONFIG_SCHEMA names the key that is missing or wrong. */
clscan_status tune_device_from_json(const json_t *object, clscan_device_info *device, clscan_error *error);

#endif
