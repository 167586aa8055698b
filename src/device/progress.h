/* Which devices keep a started work-group running while another one waits for it. */
#ifndef CLSCAN_DEVICE_PROGRESS_H
#define CLSCAN_DEVICE_PROGRESS_H

#include <clscan/device.h>

/* Set progress and progress_reason from the device's identity. */
void clscan__progress_decide(clscan_device_info *info);

#endif
