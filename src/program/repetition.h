/* What fills the outputs of operation repeat, as OpenCL C: the file cl/repetition/expand.cl, and what it must know. */
#ifndef CLSCAN_PROGRAM_REPETITION_H
#define CLSCAN_PROGRAM_REPETITION_H

#include <clscan/device.h>

#include "base/text.h"
#include "element/repetition.h"

#define CLSCAN__EXPAND_KERNEL "clscan_expand"

/* What suits that kernel on a device. */
uint32_t clscan__expand_work_group_size(const clscan_device_info *device);

/* What stands in front of the file. Its kernel is no part of a variant, and so of no revision. */
void clscan__repetition_define(clscan__text *text, const clscan__repetition *repetition);

#endif
