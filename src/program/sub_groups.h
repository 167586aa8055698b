/* Sub-groups of the size that a program was made for. */
#ifndef CLSCAN_PROGRAM_SUB_GROUPS_H
#define CLSCAN_PROGRAM_SUB_GROUPS_H

#include "program/compose.h"

/* CLSCAN_ERROR_BUILD if the driver says that it compiled a kernel of `program`, which was built for `spec`, for other
 * sub-groups than clscan__program_sub_group_size() or several of these. A driver that does not say is believed. */
clscan_status clscan__sub_groups_check(cl_program program, cl_device_id device, const clscan__program_spec *spec,
                                       clscan_error *error);

#endif
