// SPDX-License-Identifier: MIT
#ifndef FRONTEND_FRONT_END_H
#define FRONTEND_FRONT_END_H
#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"
#include "base/vec.h"

#include <llvm-c/Core.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * The front end: from what the app gave to clBuildProgram and related functions to one verified
 * LLVM module. Works in cldbg-cc only: a hostile input may kill the process.
 */

/**
 * From byte `offset` on, the source is file `name` (to be read at `path`), starting at its `line`.
 */
struct fe_segment {
    size_t offset;
    const char *name, *path; // path NULL: the text is known only from the program itself
    unsigned line,
        indent; // 1-based (0: as the one before goes on); bytes of that line before the text
};

struct fe_header {
    const char *name, *text;
};
struct fe_blob {
    const void *data;
    size_t size;
};

enum fe_kind { FE_BUILD, FE_COMPILE, FE_LINK };
/**
 * Which files the program can name, in #include and in its debug info: any, those below the folders
 * of -I, none (-I is ignored).
 */
enum fe_reach_kind { FE_REACH_ALL, FE_REACH_FOLDERS, FE_REACH_NONE };
struct fe_request {
    enum fe_kind kind;
    enum fe_reach_kind reach;
    const char *source; // BUILD, COMPILE; NULL for BUILD from IR (objects[0])
    size_t source_len;
    const char *options; // as the app gave them; NULL is ""
    const struct fe_header *headers;
    unsigned nheaders;
    const struct fe_blob *objects; // LINK, BUILD and COMPILE from IR: LLVM bitcode or SPIR-V
    unsigned nobjects;
    const struct fe_segment *segments; // where the source's text comes from, in order; only blanks
    unsigned nsegments;       // stand before the first. None: "kernel.cl", known from the program
    bool ignores_assumptions; // comments `cldbg-assume` (assumptions.h) mean nothing
};

enum fe_status { FE_OK, FE_FAILED, FE_BAD_OPTIONS, FE_NO_COMPILER, FE_BAD_BINARY };

/** An fe_reach_kind with its folders, as they were given and after links were resolved: reach.h. */
struct fe_reach {
    bool limited;
    VEC(const char *) given, real;
    VEC(const char *) sources; // paths of the request's segments: these are in reach, too
    struct arena arena;
};

struct fe_module {
    LLVMContextRef ctx;
    LLVMModuleRef llvm;               // verified
    const struct fe_request *request; // borrowed
    bool is_library;                  // LINK with -create-library
    struct str depends; // files that clang read besides the source: NUL-ended paths in a row
    struct fe_reach reach;
};

/**
 * Does what the request asks. The log gets the compiler's words whatever the status, and the reason
 * as text if it is not FE_OK. *out is filled only with FE_OK; fe_module_deinit frees it.
 */
enum fe_status fe_compile(const struct fe_request *r, struct fe_module *out, struct str *log);
void fe_module_deinit(struct fe_module *m);

/**
 * Named metadata of the module: {name, path or "", text or ""} for each file its text came from.
 */
#define FE_FILES_METADATA "cldbg.files"

/** The module as bitcode, for a later FE_LINK. */
void fe_module_bitcode(const struct fe_module *m, struct str *out);

#endif
