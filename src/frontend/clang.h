// SPDX-License-Identifier: MIT
#ifndef FRONTEND_CLANG_H
#define FRONTEND_CLANG_H
#include "frontend/front_end.h"
#include "frontend/options.h"

/**
 * Runs clang on a request's source. With FE_OK `bitcode` has its output and `depends` the files it
 * read (as struct fe_module's); its messages go to the log, but not those of a run that read a file
 * out of reach.
 */
enum fe_status fe_clang(const struct fe_request *r, const struct fe_options *o,
                        struct fe_reach *reach, struct str *bitcode, struct str *depends,
                        struct str *log);
/** The name that clang gets for a source without segments. */
#define FE_DEFAULT_NAME "kernel.cl"
/**
 * In a cldbg-cc that waits: starts a clang that waits for the runs of fe_clang of this process and
 * its children.
 */
void fe_clang_wait(void);
#endif
