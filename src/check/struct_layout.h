// SPDX-License-Identifier: MIT
#ifndef CHECK_STRUCT_LAYOUT_H
#define CHECK_STRUCT_LAYOUT_H
#include "base/arena.h"
#include "bytecode/bytecode.h"

/** Layouts of a struct of the kernel under different rules: struct_layout.c. */
enum chk_layout {
    CHK_LAYOUT_DEVICE, // OpenCL C: vectors are aligned to their size, those of 3 take the space of
                       // 4
    CHK_LAYOUT_ARRAYS, // C, with an array in place of each vector
    CHK_LAYOUT_PACKED, // the same without any alignment
};

/** The struct (or typedef of one) of this name, `struct s` or `s`; 0: not known. */
uint32_t chk_struct_named(const struct bc_module *m, const char *name);
/** Its bytes; 0: it has parts whose layout is not known, or another one than OpenCL C's. */
uint64_t chk_struct_size(const struct bc_module *m, uint32_t type, enum chk_layout layout);
/** "c at 0, f at 16, i at 32" */
const char *chk_struct_text(const struct bc_module *m, struct arena *a, uint32_t type,
                            enum chk_layout layout);
#endif
