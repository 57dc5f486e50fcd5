// SPDX-License-Identifier: MIT
#ifndef DEVICES_STATISTICS_H
#define DEVICES_STATISTICS_H
#include "interp/vm.h"

/**
 * --stats: adds a launch of a kernel of m, which took `ns` of wall time. Thread-safe. The table is
 * printed when the process ends.
 */
void dev_statistics_add(const struct bc_module *m, const struct vm_launch *l,
                        const struct vm_stats *st, uint64_t ns);
/** How the compiled engine ran one of the launches: as machine code, or (why) interpreted. */
void dev_statistics_engine(const char *kernel, const char *why);
#endif
