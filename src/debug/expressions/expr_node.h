// SPDX-License-Identifier: MIT
#ifndef DEBUG_EXPR_NODE_H
#define DEBUG_EXPR_NODE_H
#include "debug/expressions/expr.h"

/** The tree of an expression; private to the parser (expr_parse.c) and its walkers. */
enum dbg_op {
    E_CONST,
    E_VAR,
    E_SCOPED, // function::variable
    E_HISTORY,
    E_NAMED,
    E_NEG,
    E_PLUS,
    E_NOT,
    E_LNOT,
    E_DEREF,
    E_ADDR,
    E_PREINC,
    E_PREDEC,
    E_POSTINC,
    E_POSTDEC,
    E_CAST,
    E_LITERAL,
    E_SIZEOF,
    E_SIZEOF_TYPE,
    E_INDEX,
    E_MEMBER,
    E_ARROW,
    E_CALL,
    E_MUL,
    E_DIV,
    E_REM,
    E_ADD,
    E_SUB,
    E_SHL,
    E_SHR,
    E_LT,
    E_GT,
    E_LE,
    E_GE,
    E_EQ,
    E_NE,
    E_AND,
    E_XOR,
    E_OR,
    E_LAND,
    E_LOR,
    E_COND,
    E_ASSIGN,
    E_COMMA,
    E_AT,
};

struct dbg_node {
    enum dbg_op op, compound; // compound: the operation of `+=`, or E_ASSIGN
    struct dbg_node *a, *b, *c;
    const struct dbg_type *type;
    struct dbg_value value;
    const char *name;
    struct dbg_node **list;
    unsigned n;
    unsigned pos;
    unsigned height; // height of the tree
};

enum { DBG_MAX_ARGUMENTS = 16 }; // of a call
enum { DBG_EXCLUDED_GANGS = 64 };
/**
 * For a condition and the gangs of a group: the lanes that their ids do not exclude, as bits
 * (lane_condition.c).
 */
struct dbg_excluded {
    uint64_t launch, group, known;
    uint16_t from[DBG_EXCLUDED_GANGS], n[DBG_EXCLUDED_GANGS];
};

struct dbg_expr {
    struct arena arena;
    const char *text;
    struct dbg_node *root;
    struct dbg_excluded excluded;
};

/** An error that ends with the text and a caret under its column `pos`. */
struct err *dbg_with_caret(const char *text, unsigned pos, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
#define BAD(x, n, ...) dbg_with_caret((x)->e->text, (n)->pos, __VA_ARGS__)

/** An evaluation, for one work-item. */
struct dbg_eval {
    struct dbg_expr *e;
    struct vm_gang *g;
    struct arena *a;
    bool unwritten; // uninitialized memory was read
};
/** Evaluates a part of the expression. */
struct err *dbg_eval_node(struct dbg_eval *x, const struct dbg_node *n, struct dbg_value *v);
// ---- expr_fix.c
/** Does the predicate hold for a node of the tree? */
bool dbg_node_any(const struct dbg_node *n, bool (*is)(const struct dbg_node *n));
// ---- expr_member.c
/** Replaces v by v.NAME of the node. */
struct err *dbg_member_of(struct dbg_eval *x, const struct dbg_node *n, struct dbg_value *v);
// ---- macro.c
/**
 * The text of a macro without parameters, of a sampler of the program, or of a constant of the
 * language; NULL: no such name. m may be NULL.
 */
const char *dbg_macro(const struct bc_module *m, const char *name, size_t n, struct arena *a);
// ---- expr_arith.c
/** C's integer promotion, and the common type of two operands. */
const struct dbg_type *dbg_promoted(const struct dbg_type *t);
const struct dbg_type *dbg_common(const struct dbg_type *a, const struct dbg_type *b);
/** An array becomes a pointer to its first element; other lvalues are loaded. */
struct err *dbg_decay(struct dbg_eval *x, const struct dbg_node *n, struct dbg_value *v);
struct err *dbg_load(struct dbg_eval *x, const struct dbg_node *n, struct dbg_value *v);
/** Adds the text and a caret at n to e, if e is not NULL. */
struct err *dbg_place_error(struct dbg_eval *x, const struct dbg_node *n, struct err *e);
uint64_t dbg_pointer_of(const struct dbg_value *v);
struct err *dbg_convert(struct dbg_eval *x, const struct dbg_node *n, const struct dbg_type *to,
                        struct dbg_value *v);
/** *a = *a op *b */
struct err *dbg_arithmetic(struct dbg_eval *x, const struct dbg_node *n, enum dbg_op op,
                           struct dbg_value *a, struct dbg_value *b);
#endif
