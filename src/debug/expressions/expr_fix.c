// SPDX-License-Identifier: MIT
// Expressions that are evaluated again and again, for watchpoints: their locations are fixed.
#include "debug/expressions/expr.h"
#include "debug/expressions/expr_builtin.h"
#include "debug/expressions/expr_call.h"
#include "debug/expressions/expr_node.h"

#include <string.h>

static bool names(const struct dbg_node *n, const char *variable)
{
    if (!n) return false;
    bool any = (n->op == E_VAR && !strcmp(n->name, variable)) || names(n->a, variable) ||
               names(n->b, variable) || names(n->c, variable);
    for (unsigned i = 0; i < n->n && !any; i++) any = names(n->list[i], variable);
    return any;
}

bool dbg_node_any(const struct dbg_node *n, bool (*is)(const struct dbg_node *n))
{
    if (!n) return false;
    bool any = is(n) || dbg_node_any(n->a, is) || dbg_node_any(n->b, is) || dbg_node_any(n->c, is);
    for (unsigned i = 0; i < n->n && !any; i++) any = dbg_node_any(n->list[i], is);
    return any;
}

const struct dbg_var *dbg_expr_declared_from(const struct dbg_expr *e,
                                             const struct dbg_scope_vars *vars, uint32_t line)
{
    const struct dbg_var *found = NULL;
    for (size_t i = 0; i < vars->list.len && !found; i++) {
        const struct dbg_var *v = &vars->list.data[i];
        if (!v->is_param && !v->is_global && v->loc->line >= line && names(e->root, v->name))
            found = v;
    }
    return found;
}

static bool assigns(const struct dbg_node *n)
{
    return n->op == E_ASSIGN || (n->op >= E_PREINC && n->op <= E_POSTDEC);
}

bool dbg_expr_assigns(const struct dbg_expr *e) { return dbg_node_any(e->root, assigns); }

/** Is the node a location, or a value that is constant for the work-item? */
static bool is_fixed(const struct dbg_node *n)
{
    switch (n->op) {
    case E_VAR:
    case E_SCOPED:
    case E_INDEX:
    case E_DEREF:
    case E_MEMBER:
    case E_ARROW:
    case E_ADDR:
    case E_SIZEOF:
    case E_HISTORY:
    case E_NAMED: return true;
    case E_CALL: return dbg_is_work_item_function(n->name);
    default: return false;
    }
}

static void fix(struct dbg_eval *x, struct dbg_node *n)
{
    struct dbg_value v;
    if (!n) return;
    if (is_fixed(n)) {
        struct err *e = dbg_eval_node(x, n, &v);
        if (!e && (v.in_memory || (n->op != E_INDEX && n->op != E_MEMBER && n->op != E_ARROW)))
            *n = (struct dbg_node){.op = E_CONST, .value = v, .pos = n->pos, .height = 1};
        err_free(e);
        if (n->op == E_CONST) return;
    }
    fix(x, n->a);
    fix(x, n->b);
    fix(x, n->c);
    for (unsigned i = 0; i < n->n; i++) fix(x, n->list[i]);
}

void dbg_expr_fix(struct dbg_expr *e, struct vm_gang *g)
{
    struct dbg_eval x = {.e = e, .g = g, .a = &e->arena};
    fix(&x, e->root);
}

static bool reads_more(const struct dbg_node *n)
{
    return n->op == E_DEREF || n->op == E_ARROW || (n->op == E_CALL && !dbg_builtin_is(n->name));
}

static void each_location(const struct dbg_node *n,
                          void (*each)(void *ctx, const struct dbg_value *v), void *ctx)
{
    if (!n) return;
    if (n->op == E_CONST && n->value.in_memory) each(ctx, &n->value);
    each_location(n->a, each, ctx);
    each_location(n->b, each, ctx);
    each_location(n->c, each, ctx);
    for (unsigned i = 0; i < n->n; i++) each_location(n->list[i], each, ctx);
}

bool dbg_expr_locations(const struct dbg_expr *e,
                        void (*each)(void *ctx, const struct dbg_value *v), void *ctx)
{
    each_location(e->root, each, ctx);
    return dbg_node_any(e->root, reads_more);
}
