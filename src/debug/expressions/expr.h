// SPDX-License-Identifier: MIT
#ifndef DEBUG_EXPR_H
#define DEBUG_EXPR_H
#include "base/vec.h"
#include "debug/expressions/kernel_value.h"

/**
 * Variables visible from a frame, the innermost scope first: the first one with a name hides the
 * others.
 */
struct dbg_var {
    const char *name;
    const struct dbg_type *type;
    uint64_t address;
    bool is_param, is_global;
    unsigned scope; // 0 innermost
    const struct bc_loc *loc;
};
struct dbg_scope_vars {
    VEC(struct dbg_var) list;
};
struct bc_fn;
void dbg_vars_at(const struct bc_module *m, const struct bc_fn *fn, uint32_t loc,
                 struct dbg_scope_vars *out);
/** The variables of a frame; those of the kernel's outermost scope when the item has returned. */
void dbg_vars_of_frame(struct vm_gang *g, unsigned level, struct dbg_scope_vars *out);
void dbg_vars_free(struct dbg_scope_vars *v);
/** function::name, from code at loc of fn: of an inlined copy there, of a caller, or of any call.
 */
struct dbg_scoped_name {
    const char *function, *name;
};
bool dbg_var_of_function(const struct bc_module *m, const struct bc_fn *fn, uint32_t loc,
                         const struct dbg_scoped_name *of, struct dbg_var *out);
/** A variable in local memory of the running kernel, visible in the functions that it calls. */
bool dbg_var_in_local_memory(const struct bc_module *m, const char *name, struct dbg_var *out);

/**
 * Expressions of OpenCL C, with gdb's $1, $name, and `a[0]@4`. Names are looked up by the parser;
 * the result can be evaluated for any work-item in the same scope. Errors end with the text and a
 * caret.
 */
struct dbg_expr;
/**
 * m NULL: no kernel, so no variables. fn and loc define the scope; *end (may be NULL): the comma
 * after the expression.
 */
struct err *dbg_expr_parse(const char *text, const struct bc_module *m, const struct bc_fn *fn,
                           uint32_t loc, struct dbg_expr **out);
void dbg_expr_free(struct dbg_expr *e);
/** g NULL: accesses to memory and ids fail. Large values are allocated in `a`. */
struct err *dbg_expr_eval(struct dbg_expr *e, struct vm_gang *g, struct arena *a,
                          struct dbg_value *out);
/** In the focused frame: parse; parse and evaluate. */
struct err *dbg_parse(const char *text, struct dbg_expr **out);
struct err *dbg_eval(const char *text, struct arena *a, struct dbg_value *out);
/** A variable in it, of vars, that is declared at this line or later; or NULL. */
const struct dbg_var *dbg_expr_declared_from(const struct dbg_expr *e,
                                             const struct dbg_scope_vars *vars, uint32_t line);
/** Does it assign to something? */
bool dbg_expr_assigns(const struct dbg_expr *e);
/** Replaces the locations in it, and what is constant for the work-item, by their present values.
 */
void dbg_expr_fix(struct dbg_expr *e, struct vm_gang *g);
/** Then: calls `each` for each location. True: it may also read other memory. */
bool dbg_expr_locations(const struct dbg_expr *e,
                        void (*each)(void *ctx, const struct dbg_value *v), void *ctx);
/** Frees what calls of the program's functions have kept; called when a launch ends. */
void dbg_functions_forget(void);
/** Converts and stores, like `to = v`. */
struct err *dbg_assign(struct vm_gang *g, const struct dbg_value *to, struct dbg_value *v);
struct dbg_named { // $name
    const char *name;
    struct dbg_value *value;
};
/** The value history ($1 …) and convenience variables. */
struct dbg_values {
    VEC(struct dbg_value) list;
    VEC(struct dbg_named) names;
};
extern struct dbg_values dbg_values;
/** The variable $name (with the sign); created as void if it does not exist. */
struct dbg_value *dbg_named_value(const char *name);
/** As a condition. */
struct err *dbg_value_true(struct vm_gang *g, const struct dbg_value *v, bool *is);
#endif
