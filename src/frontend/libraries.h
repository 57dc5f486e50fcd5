// SPDX-License-Identifier: MIT
#ifndef FRONTEND_LIBRARIES_H
#define FRONTEND_LIBRARIES_H
#include "frontend/front_end.h"
#include "frontend/options.h"

#include <llvm-c/Core.h>

/**
 * Functions that are written in OpenCL C: pipes (pipes.cl), device-side enqueue
 * (device_enqueue.cl), Intel's sub-groups (intel_sub_groups.cl). Their text stands before a source
 * that names one of them; programs that were not compiled here are linked with those that they call
 * and lack.
 */
enum { FE_LIBRARIES = 3 };

/** The libraries that the source or its headers may need, as bits. */
unsigned fe_libraries_of(const struct fe_request *r, const struct fe_options *o);
/** Those of which `log`, clang's messages about the source without them, names a function. */
unsigned fe_libraries_missed(const char *log, size_t len);
/** Appends the texts of these libraries, with line markers. */
void fe_libraries_write(unsigned libraries, const struct fe_options *o, struct str *out);

/**
 * The options with which `*source` becomes the functions of library k, for fe_link_functions; NULL:
 * the program lacks none of them.
 */
const char *fe_library_missing(LLVMModuleRef program, unsigned k, const char **source);
#endif
