// SPDX-License-Identifier: MIT
#ifndef DEVICES_NATIVE_RUNTIME_H
#define DEVICES_NATIVE_RUNTIME_H
#include "devices/native_plugin.h"
#include "interp/vm.h"

#include <stdio.h>

/** An image as machine code has it: native/abi.h. */
struct native_image {
    const struct vm_image *image;
    char *base;
};

/** Where this thread is, for what its code calls. */
struct native_here {
    FILE *out;                           // printf's
    const char *local_begin, *local_end; // the work-group's local memory
    const char *stack_end;               // private objects lie below, on this thread's stack
};
extern _Thread_local struct native_here native_here;

/** All that machine code may call; lives as long as the process. */
const struct native_symbol *native_symbols(size_t *n);
void *native_symbol_at(const char *name); // NULL: there is none of that name
#endif
