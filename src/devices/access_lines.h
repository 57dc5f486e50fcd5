// SPDX-License-Identifier: MIT
#ifndef DEVICES_ACCESS_LINES_H
#define DEVICES_ACCESS_LINES_H
#include "base/str.h"
#include "base/vec.h"
#include "interp/vm.h"

/** Accesses of a line of source that are neither uniform nor contiguous, over launches. */
struct dev_access_line {
    char *file;
    uint32_t line;
    uint64_t strided, gather;
};
struct dev_access_lines {
    struct dev_access_line *data;
    size_t len, cap;
};

/** Adds the counts of a launch: vm_launch.site_accesses. */
void dev_access_lines_add(struct dev_access_lines *to, const struct bc_module *m,
                          uint64_t (*sites)[VM_CLASSES]);
/** Sorts the lines and writes those with the most accesses. `number` formats a count. */
void dev_access_lines_put(struct str *s, struct dev_access_lines *l,
                          const char *(*number)(uint64_t n, char buf[16]));
#endif
