/* Reading one entry of a config file. */
#ifndef CLSCAN_CONFIG_ENTRY_H
#define CLSCAN_CONFIG_ENTRY_H

#include "config/config.h"
#include "config/json.h"

clscan_status clscan__config_entry_read(const json_t *object, const clscan__json_place *place,
                                        clscan__config_entry *entry, clscan_error *error);

#endif
