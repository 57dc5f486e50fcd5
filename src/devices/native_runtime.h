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

/** Where a thread's work-group has its memory; all NULL until the thread has begun. */
struct native_space {
    const char *_Atomic local_begin, *_Atomic local_end;
    const char *_Atomic stack_begin, *_Atomic stack_end; // its private objects
};
/** Where this thread is, for what its code calls. */
struct native_here {
    FILE *out; // printf's
    const struct native_space
        *spaces; // of all threads of the launch: a generic pointer may have come from another
    unsigned nspaces;
};
extern _Thread_local struct native_here native_here;

/** All that machine code may call; lives as long as the process. */
const struct native_symbol *native_symbols(size_t *n);
void *native_symbol_at(const char *name); // NULL: there is none of that name
#endif
