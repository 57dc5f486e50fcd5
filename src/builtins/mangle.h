// SPDX-License-Identifier: MIT
#ifndef BUILTINS_MANGLE_H
#define BUILTINS_MANGLE_H
#include "builtins/builtins.h"

enum { BI_MAX_NAME = 64 };

/**
 * Reads an Itanium-mangled function name (`_Z` name parameters) of clang's spir64 into base name
 * and parameter types. False when it is none, is too long, or uses what no builtin has. `(void)` is
 * no parameter. A type that is not an OpenCL scalar, vector or pointer is BI_OTHER.
 */
bool bi_demangle(const char *mangled, char name[BI_MAX_NAME], struct bi_type arg[BI_MAX_ARGS],
                 unsigned *nargs);
#endif
