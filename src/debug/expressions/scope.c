// SPDX-License-Identifier: MIT
// Finds the variables visible at a location: those of the enclosing scopes, from the innermost out,
// then the program's.
#include "debug/expressions/expr.h"
#include "debug/session/frames.h"
#include "debug/session/programs.h"

#include <string.h>

static bool declared_before(const struct dbg_var *a, const struct dbg_var *b)
{
    return a->loc->line != b->loc->line ? a->loc->line < b->loc->line : a->loc->col < b->loc->col;
}

static void add_scope(const struct bc_module *m, const struct dbg_type *types, uint32_t scope,
                      uint32_t inlined_at, unsigned depth, struct dbg_scope_vars *out)
{
    const size_t first = out->list.len;
    for (uint32_t i = 0; i < m->nvars; i++) {
        const struct bc_var *v = &m->vars[i];
        if (v->scope != scope) continue;
        const struct bc_object *o = &m->objects[v->object];
        if (o->kind == BC_OBJ_PRIVATE && m->locs[v->loc].inlined_at != inlined_at) continue;
        vec_push(&out->list,
                 ((struct dbg_var){bc_str(m, v->name), &types[v->type], BC_PTR(v->object + 1, 0),
                                   v->is_param, !scope, depth, &m->locs[v->loc]}));
        for (size_t k = out->list.len - 1;
             k > first && declared_before(&out->list.data[k], &out->list.data[k - 1]); k--) {
            const struct dbg_var x = out->list.data[k];
            out->list.data[k] = out->list.data[k - 1];
            out->list.data[k - 1] = x;
        }
    }
}

void dbg_vars_at(const struct bc_module *m, const struct bc_fn *fn, uint32_t loc,
                 struct dbg_scope_vars *out)
{
    *out = (struct dbg_scope_vars){{0}};
    const struct dbg_module *d = dbg_module_of(m);
    if (!d) return;
    uint32_t scope = m->locs[loc].scope;
    for (const struct bc_insn *i = fn ? fn->insns : NULL; i && !scope && i < fn->insns + fn->ninsns;
         i++)
        if (!m->locs[i->loc].inlined_at) // unknown: use the function's own location
            for (scope = m->locs[i->loc].scope; m->scopes[scope].parent;)
                scope = m->scopes[scope].parent;
    unsigned depth = 0;
    for (; scope; scope = m->scopes[scope].parent)
        add_scope(m, d->types, scope, m->locs[loc].inlined_at, depth++, out);
    add_scope(m, d->types, 0, 0, depth, out);
}

void dbg_vars_of_frame(struct vm_gang *g, unsigned level, struct dbg_scope_vars *out)
{
    struct dbg_frame f[DBG_MAX_FRAMES];
    *out = (struct dbg_scope_vars){{0}};
    const unsigned n = dbg_frames(g, f);
    if (level < n) dbg_vars_at(g->code->module, f[level].fn, f[level].loc, out);
    else if (!n && !level) dbg_vars_at(g->code->module, g->code->fns[0].bc, 0, out);
}

// ---- variables of other functions
static struct dbg_var var_of(const struct bc_module *m, const struct bc_var *v)
{
    const struct dbg_module *d = dbg_module_of(m);
    return (struct dbg_var){.name = bc_str(m, v->name),
                            .type = &d->types[v->type],
                            .address = BC_PTR(v->object + 1, 0),
                            .is_param = v->is_param,
                            .loc = &m->locs[v->loc]};
}

static bool is_in(const struct bc_module *m, uint32_t scope, const char *function)
{
    while (scope && m->scopes[scope].parent) scope = m->scopes[scope].parent;
    return scope && !strcmp(bc_str(m, m->scopes[scope].fn_name), function);
}

static bool is_visible(const struct bc_module *m, const struct bc_fn *fn, uint32_t loc,
                       const char *name, struct dbg_var *out)
{
    struct dbg_scope_vars vars;
    bool found = false;
    dbg_vars_at(m, fn, loc, &vars);
    for (size_t i = 0; i < vars.list.len && !found; i++) {
        found = !vars.list.data[i].is_global && !strcmp(vars.list.data[i].name, name);
        if (found) *out = vars.list.data[i];
    }
    dbg_vars_free(&vars);
    return found;
}

bool dbg_var_of_function(const struct bc_module *m, const struct bc_fn *fn, uint32_t loc,
                         const struct dbg_scoped_name *of, struct dbg_var *out)
{
    struct dbg_frame f[DBG_MAX_FRAMES];
    struct vm_gang *const g = dbg_focus_gang();
    if (!dbg_module_of(m)) return false;
    for (uint32_t l = loc; l; l = m->locs[l].inlined_at)
        if (is_in(m, m->locs[l].scope, of->function) && is_visible(m, fn, l, of->name, out))
            return true;
    const unsigned n = g && g->code->module == m ? dbg_frames(g, f) : 0;
    for (unsigned i = 0; i < n; i++)
        if (!strcmp(f[i].name, of->function) && is_visible(m, f[i].fn, f[i].loc, of->name, out))
            return true;
    for (uint32_t i = 0; i < m->nvars; i++) {
        const struct bc_var *v = &m->vars[i];
        if (m->locs[v->loc].inlined_at || !is_in(m, v->scope, of->function) ||
            strcmp(bc_str(m, v->name), of->name))
            continue;
        *out = var_of(m, v);
        return true;
    }
    return false;
}

bool dbg_var_in_local_memory(const struct bc_module *m, const char *name, struct dbg_var *out)
{
    const struct vm_gang *const g = dbg_focus_gang();
    for (uint32_t i = 0; m && g && g->code->module == m && i < m->nvars; i++) {
        const struct bc_var *v = &m->vars[i];
        const struct bc_object *o = &m->objects[v->object];
        if (o->kind != BC_OBJ_LOCAL || o->fn != g->code->kernel->fn ||
            strcmp(bc_str(m, v->name), name))
            continue;
        *out = var_of(m, v);
        return true;
    }
    return false;
}

void dbg_vars_free(struct dbg_scope_vars *v) { vec_free(&v->list); }
