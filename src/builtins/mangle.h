// SPDX-License-Identifier: MIT
#ifndef BUILTINS_MANGLE_H
#define BUILTINS_MANGLE_H
#include "base/str.h"
#include "builtins/builtins.h"

enum { BI_MAX_NAME = 64 };

/**
 * Reads an Itanium-mangled function name (`_Z` name parameters) of clang's spir64 into base name
 * and parameter types. False if it is not one, is too long, or has a type that no builtin takes.
 * `(void)` means no parameters. A type that is not an OpenCL scalar, vector or pointer is BI_OTHER.
 */
bool bi_demangle(const char *mangled, char name[BI_MAX_NAME], struct bi_type arg[BI_MAX_ARGS],
                 unsigned *nargs);
/** The inverse: the mangled name of a function over scalars and vectors, appended to *out. */
void bi_mangle(struct str *out, const char *name, const struct bi_type *arg, unsigned nargs);
#endif
