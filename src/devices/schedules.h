// SPDX-License-Identifier: MIT
#ifndef DEVICES_SCHEDULES_H
#define DEVICES_SCHEDULES_H
#include "interp/vm.h"

/** Like vm_run, under the schedules of --schedules and --schedule. */
struct err *dev_run_schedules(const struct vm_launch *l, struct vm_stats *st);
#endif
