/* What a user takes away from a device: the switches CLSCAN_SUB_GROUPS and CLSCAN_WAITING. */
#ifndef CLSCAN_DEVICE_SWITCHES_H
#define CLSCAN_DEVICE_SWITCHES_H

#include <clscan/device.h>

/* `by`: who switched it off, for the reason. */
void clscan__switch_off_sub_groups(clscan_device_info *info, const char *by);
void clscan__switch_off_waiting(clscan_device_info *info, const char *by);

/* As the environment says. */
void clscan__switches_apply(clscan_device_info *info);

#endif
