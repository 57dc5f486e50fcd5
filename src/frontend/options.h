// SPDX-License-Identifier: MIT
#ifndef FRONTEND_OPTIONS_H
#define FRONTEND_OPTIONS_H
#include "base/arena.h"
#include "base/str.h"
#include "frontend/front_end.h"

/** Build options of an app, understood. Everything lives in `arena`. */
struct fe_options {
    struct arena arena;
    const char **clang; // options for clang, in order
    unsigned nclang;
    const char *std; // "CL1.2"
    bool create_library;
    bool werror;            // -Werror: every warning is an error
    bool wants_error_codes; // -g: enqueue_kernel returns the reason of a failure
    bool reads_files;       // has -I: what headers say depends on files
};

/**
 * Translates `text` for clBuildProgram (FE_BUILD), clCompileProgram or clLinkProgram as section
 * 5.8.6 of the OpenCL specification says. Options of other vendors are left out with a note in the
 * log. False if an option is unknown or not allowed; the log has the reason. Deinit in either case.
 */
bool fe_options_parse(enum fe_kind kind, const char *text, struct fe_options *o, struct str *log);
void fe_options_deinit(struct fe_options *o);
#endif
