// SPDX-License-Identifier: MIT
#ifndef DEVICES_NATIVE_PLUGIN_H
#define DEVICES_NATIVE_PLUGIN_H
#include "base/err.h"
#include "base/str.h"
#include "native/abi.h"

#include <stdbool.h>
#include <stdint.h>

/**
 * The plug-in libcldbg-native.so, the only module of the app's process that loads LLVM (and libffi), and only for --native.
 * native_device.c opens it; it finishes what cldbg-cc made (native/finish.c) for one size of work-groups, and calls it.
 */
struct native_symbol {
    const char *name;
    void *at;
};
/** What the code may call, and where finished code is kept. Lives as long as the process. */
struct native_host {
    const struct native_symbol *symbols;
    size_t nsymbols;
    /** Finished code by the hash of everything it depends on; false when there is none. */
    bool (*get)(uint64_t a, uint64_t b, struct str *out);
    void (*put)(uint64_t a, uint64_t b, const struct str *data);
    /** What passes did to a kernel, in lines. */
    void (*remark)(const char *kernel, const struct nat_shape *s, const char *text);
};

struct native_code;
struct native_code_info {
    uint64_t locals; // bytes of automatic local variables
    uint64_t frame;  // bytes of stack, about
};

struct native_plugin {
    /** Borrows the bitcode for the program's lifetime. */
    void *(*load)(const struct native_host *h, const void *bitcode, size_t size, struct err **e);
    void (*unload)(void *program);
    /** The code of kernel `name` with `nargs` arguments: made, or had already. Threads may call it at once. */
    const struct native_code *(*code)(void *program, const char *name, unsigned nargs, const struct nat_shape *s,
                                      struct native_code_info *info, struct err **e);
    /** Runs groups first..last-1; args: nargs addresses, as native/abi.h says. */
    void (*call)(const struct native_code *c, void *const *args, void *locals, const struct nat_launch *l, uint64_t first, uint64_t last);
};
#define NATIVE_PLUGIN "cldbg_native_plugin" // the exported struct native_plugin
#endif
