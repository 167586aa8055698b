/* A config that a test gives, and a device that no other one serves. */
#ifndef CLSCAN_TESTS_EXPLICIT_CONFIG_H
#define CLSCAN_TESTS_EXPLICIT_CONFIG_H

#include <clscan/config.h>

/* Of the text, called "explicit.json". Fails the running test if it is none. */
clscan_config *explicit_config(const char *text);

/* A device that no built-in config matches, without sub-groups. */
clscan_device_info unmatched_device(void);

#endif
