// SPDX-License-Identifier: MIT
#ifndef DEVICES_NATIVE_RUNTIME_H
#define DEVICES_NATIVE_RUNTIME_H
#include "devices/native_plugin.h"
#include "interp/vm.h"

#include <setjmp.h>
#include <stdio.h>

/** An image in machine code: native/abi.h. */
struct native_image {
    const struct vm_image *image;
    char *base;
};

/** The memory ranges of a thread's work-group; NULL until the thread has begun. */
struct native_space {
    const char *_Atomic local_begin, *_Atomic local_end;
    const char *_Atomic stack_begin, *_Atomic stack_end; // its private objects
};
/** The state of this thread, for functions that its code calls. */
struct native_here {
    FILE *out;                         // printf's
    const struct native_space *spaces; // of all threads of the launch, because a generic pointer
                                       // may come from another one
    unsigned nspaces;
    jmp_buf *anomaly; // where code with checks goes
};
extern _Thread_local struct native_here native_here;

/** All functions that machine code may call; permanent. */
const struct native_symbol *native_symbols(size_t *n);
void *native_symbol_at(const char *name); // NULL: there is none of that name
#endif
