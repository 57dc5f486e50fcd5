// SPDX-License-Identifier: MIT
#ifndef FRONTEND_DEBUG_METADATA_H
#define FRONTEND_DEBUG_METADATA_H
#include "frontend/front_end.h"

/**
 * Debug info, read and deduplicated: source places as small numbers (0 is unknown), ready to become
 * the bc_loc and bc_file tables of the same shape. Ids and pointers stay good until
 * fe_debug_destroy.
 */
struct fe_debug;
struct fe_debug *fe_debug_create(
    const struct fe_module *m); // borrows m; once, after fe_module_bitcode
void fe_debug_destroy(struct fe_debug *d);

struct fe_file {
    const char *name;    // as reports shall show it
    const char *path;    // absolute, where to read it; NULL when `text` is all there is
    const char *text;    // its source text, NULL: read `path`
    uint32_t first_line; // line of the file at which `text` starts (1)
};
struct fe_loc {
    uint32_t file; // index in the files
    uint32_t line, col;
    const char *function;
    uint32_t inlined_at; // loc of the call that it was inlined at, 0 none
    uint32_t scope;      // innermost; 0 unless fe_debug_follow_scopes
};
/** A function or a block in one. */
struct fe_scope {
    uint32_t parent; // 0: none
    const char *function;
    LLVMValueRef returns; // of a function: its type; NULL void
};
/**
 * From here on scopes are numbered (for a debugger): called before any place is asked for. [0] is
 * unused.
 */
void fe_debug_follow_scopes(struct fe_debug *d);
const struct fe_scope *fe_debug_scopes(const struct fe_debug *d, uint32_t *count);
/** Of an instruction; 0 when it has none. */
uint32_t fe_debug_insn(struct fe_debug *d, LLVMValueRef insn);
/**
 * Of the loop that this branch goes back in: where its statement begins; 0 when that is not known.
 */
uint32_t fe_debug_loop(struct fe_debug *d, LLVMValueRef branch);
/** Of a function's declaration. */
uint32_t fe_debug_function(struct fe_debug *d, LLVMValueRef function);
/** The source name of a function: its debug name, else its symbol. */
const char *fe_debug_function_name(struct fe_debug *d, LLVMValueRef function);

/** All places numbered so far; [0] is unknown. The pointers move when more are added. */
const struct fe_loc *fe_debug_locs(const struct fe_debug *d, uint32_t *count);
const struct fe_file *fe_debug_files(const struct fe_debug *d, uint32_t *count);

struct fe_variable {
    const char *name; // "tile"
    const char *type; // as the user wrote it: "float[16][16]", "struct P *", "uint4"
    uint32_t loc;     // its declaration
    uint32_t scope;   // where it can be seen; 0 everywhere, or scopes are not followed
    LLVMValueRef di_type;
};
/**
 * Of an alloca, an argument passed by value in memory (byval) or a global variable; false when the
 * source has no name for it (a temporary, a string literal). Allocas made after fe_debug_create are
 * found after fe_debug_rescan.
 */
bool fe_debug_variable(struct fe_debug *d, LLVMValueRef address, struct fe_variable *out);
/** Its name alone, or NULL. */
const char *fe_debug_variable_name(struct fe_debug *d, LLVMValueRef address);
/**
 * Of a variable of the compiler's that holds what a function returns: "name()", and where the
 * function is declared.
 */
bool fe_debug_returned(struct fe_debug *d, LLVMValueRef variable, struct fe_variable *out);
void fe_debug_rescan(struct fe_debug *d, LLVMValueRef function);

#endif
