// SPDX-License-Identifier: MIT
// The return value for `finish`: the scalars in the callee's return registers, or the memory that
// the caller passed for a struct. Inlined functions have no return registers, so nothing is shown
// for them.
#include "debug/execution/finish_value.h"

#include "debug/expressions/expr.h"
#include "debug/session/frames.h"
#include "debug/session/session.h"

#include <string.h>

static struct {
    const struct bc_insn *call;
    const struct vm_fn *fn; // the callee
    const struct dbg_type *type;
} awaited;

void dbg_finish_value_await(struct vm_gang *g, unsigned level)
{
    struct dbg_frame f[DBG_MAX_FRAMES];
    const unsigned n = dbg_frames(g, f);
    const struct bc_module *m = g->code->module;
    awaited.call = NULL;
    if (level >= n || m->locs[f[level].loc].inlined_at) return;
    unsigned outer = 0; // number of outer activations
    for (unsigned i = level + 1; i < n; i++) outer += !m->locs[f[i].loc].inlined_at;
    const struct vm_frame *frames[DBG_MAX_FRAMES];
    unsigned k = 0;
    for (const struct vm_frame *x = g->frame; x && k < DBG_MAX_FRAMES; x = x->caller)
        frames[k++] = x;
    uint32_t scope = m->locs[f[level].loc].scope;
    while (scope && m->scopes[scope].parent) scope = m->scopes[scope].parent;
    if (outer >= k || !scope || !m->scopes[scope].returns || !dbg_launch.module) return;
    awaited.call = frames[k - 1 - outer]->call;
    awaited.fn = frames[k - 1 - outer]->fn;
    awaited.type = &dbg_launch.module->types[m->scopes[scope].returns];
}

static uint64_t register_of(const struct vm_gang *g, const struct vm_fn *fn, uint32_t op)
{
    const uint32_t at = op & ~BC_V;
    uint64_t v = 0;
    if (op & BC_V) memcpy(&v, g->r + fn->varying_off[at], fn->bc->vsize[at]);
    else memcpy(&v, g->r + fn->uniform_off + 8 * at, 8);
    return v;
}

/** The returned value; args: those of the call. */
static bool returned_value(const struct vm_gang *g, const uint32_t *args, uint32_t nargs,
                           struct dbg_value *v)
{
    const struct bc_fn *fn = awaited.fn->bc;
    const struct dbg_type *t = dbg_strip(awaited.type), *el = dbg_element(t);
    *v = (struct dbg_value){.type = awaited.type};
    if (!fn->nrets && nargs && t->kind == BC_T_STRUCT) {
        *v = dbg_value_at(awaited.type, register_of(g, g->frame->fn, args[0]));
        return true;
    }
    if (fn->nrets != (t->kind == BC_T_VECTOR ? t->count : 1) || el->size > 8 ||
        t->size > DBG_MAX_BYTES)
        return false;
    for (uint32_t i = 0; i < fn->nrets; i++) {
        const uint64_t x = register_of(g, awaited.fn, fn->rets[i]);
        memcpy(v->bytes + i * el->size, &x, el->size);
    }
    return true;
}

void dbg_finish_value_put(struct str *out, struct vm_gang *g)
{
    struct dbg_value v;
    if (!awaited.call || !g->at) return;
    const uint32_t *list = &g->frame->fn->bc->ext[awaited.call->ext];
    const bool is_here = awaited.call >= g->frame->fn->bc->insns &&
                         awaited.call < g->frame->fn->bc->insns + g->frame->fn->bc->ninsns;
    if (is_here &&
        returned_value(g, list + 2, list[1], &v)) { // {function, nargs, arg…, nrets, dst…}
        struct err *e = dbg_value_load(g, &v, &dbg.arena);
        if (!e) {
            vec_push(&dbg_values.list, v);
            str_printf(out, "Value returned is $%zu = ", dbg_values.list.len);
            dbg_value_put(out, g, &v, NULL);
            str_put(out, "\n");
        }
        err_free(e);
    }
    awaited.call = NULL;
}
