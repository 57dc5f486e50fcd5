// SPDX-License-Identifier: MIT
#ifndef DEVICES_NATIVE_OBJECT_H
#define DEVICES_NATIVE_OBJECT_H
#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>

/**
 * Loads a relocatable object, as LLVM writes it, into this process without LLVM, for objects in the
 * cache. Invalid or truncated data is a failure.
 */
struct dev_object;

/** Does the loader support this machine (x86-64)? Otherwise LLVM links. */
bool dev_object_can(void);

/** The address of an undefined symbol of the object; NULL: not found. */
typedef void *dev_object_find(void *context, const char *name);

/** Copies the parts of the data that it needs. */
struct err *dev_object_load(const void *data, size_t size, dev_object_find *find, void *context,
                            struct dev_object **out);
void dev_object_free(struct dev_object *o); // NULL is fine
/** A global symbol of the object, or NULL. */
void *dev_object_symbol(const struct dev_object *o, const char *name);
#endif
