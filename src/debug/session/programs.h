// SPDX-License-Identifier: MIT
#ifndef DEBUG_PROGRAMS_H
#define DEBUG_PROGRAMS_H
#include "base/err.h"
#include "base/vec.h"
#include "bytecode/bytecode.h"
#include "report/sourcefile.h"

/** The programs that the app has built, with their sources. */
struct dbg_type;
struct dbg_module {
    unsigned number; // of the build, from 1
    const struct bc_module *m;
    const struct dbg_type *types;
    const char *options; // of its build
};
struct dbg_programs {
    VEC(struct dbg_module) modules;  // in the order of their builds
    VEC(struct dbg_module) released; // by the app; launches of theirs can be run again
    struct rep_sources *sources;
};
extern struct dbg_programs dbg_programs;

/** NULL: not one of ours. */
struct dbg_module *dbg_module_of(const struct bc_module *m);
/** The error for a command that needs a program's source. */
struct err *dbg_no_program(void);

const char *dbg_file_name(const struct bc_module *m, uint32_t file);
const char *dbg_base_name(const char *path);
/** A source line without its newline; NULL: it does not exist. */
const char *dbg_source_line(const struct bc_module *m, uint32_t file, uint32_t line, size_t *len);
#endif
