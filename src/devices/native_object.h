// SPDX-License-Identifier: MIT
#ifndef DEVICES_NATIVE_OBJECT_H
#define DEVICES_NATIVE_OBJECT_H
#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>

/**
 * A relocatable object as LLVM writes it, made code in this process without LLVM: for what lies
 * finished in the cache. Invalid or truncated data is a failure.
 */
struct dev_object;

/** Whether there is a loader for this machine's objects (x86-64); elsewhere LLVM's own links. */
bool dev_object_can(void);

/** Where a symbol that the object does not define is; NULL: not found. */
typedef void *dev_object_find(void *context, const char *name);

/** Copies what it needs of the data. */
struct err *dev_object_load(const void *data, size_t size, dev_object_find *find, void *context,
                            struct dev_object **out);
void dev_object_free(struct dev_object *o); // NULL is fine
/** A global symbol of the object, or NULL. */
void *dev_object_symbol(const struct dev_object *o, const char *name);
#endif
