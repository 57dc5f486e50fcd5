// SPDX-License-Identifier: MIT
#ifndef DEVICES_NATIVE_PLUGIN_H
#define DEVICES_NATIVE_PLUGIN_H
#include "base/err.h"
#include "base/str.h"
#include "native/abi.h"

#include <stdbool.h>
#include <stdint.h>

/**
 * The plug-in libcldbg-native.so, the only module in the app's process that loads LLVM, and only if
 * --native needs code that is not in the cache. native_code.c loads it; it completes the module of
 * cldbg-cc (native/finish.c) for one size of work-groups.
 */
struct native_symbol {
    const char *name;
    void *at;
};

struct native_plugin {
    /**
     * Makes a relocatable object, and the remarks of the passes, one per line. Thread-safe.
     */
    struct err *(*compile)(const struct nat_request *r, struct nat_code_info *info,
                           struct str *remarks, struct str *object);
    /**
     * LLJIT, if this process has no loader; symbols: the functions that code may call. NULL: *e is
     * the reason.
     */
    void *(*jit_create)(const struct native_symbol *symbols, size_t n, struct err **e);
    struct err *(*jit_add)(void *jit, const void *object, size_t size);
    struct err *(*jit_find)(void *jit, const char *symbol, void **at);
    void (*jit_dispose)(void *jit); // NULL is fine
};
#define NATIVE_PLUGIN "cldbg_native_plugin" // the exported struct native_plugin
#endif
